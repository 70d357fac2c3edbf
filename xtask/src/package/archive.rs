//! The archive for a machine without packages: everything that is installed, in one folder.

use super::facts::{Facts, say};
use super::laid_out::LaidOut;
use super::tree;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the folder in the archive, and of the archive without its end.
pub(super) fn name(facts: &Facts) -> String {
    format!("ferrymq-{}-linux-{}", facts.version, facts.target.architecture)
}

/// Makes it; where it is.
pub(super) fn make(laid_out: &LaidOut, out: &Path, facts: &Facts) -> Result<PathBuf> {
    let name = name(facts);
    let path = out.join(format!("{name}.tar"));
    say(&format!("packing {}.gz", path.display()));
    // The folder goes by another name for as long as this takes.
    let prefix = laid_out.tree.path();
    let named = prefix.with_file_name(&name);
    fs::rename(prefix, &named).with_context(|| format!("cannot rename {}", prefix.display()))?;
    let archived = tree::archive(out, &name, &path, facts.time);
    fs::rename(&named, prefix)?;
    archived?;
    tree::compress(&path)
}
