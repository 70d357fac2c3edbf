//! Every chore of the project: `cargo xtask help` lists them.

mod constants;
mod facts;
mod generated;
mod reasons;

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let root = root();
    match arguments.as_slice() {
        ["generate" | "constants" | "docs"] => {
            for path in generated::write(&root)? {
                println!("wrote {path}");
            }
            Ok(())
        }
        _ => bail!("usage: cargo xtask generate"),
    }
}

/// The folder that holds the workspace manifest.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_path_buf)
}
