//! Reference pages that a crate makes from its own tables: its example `reference` prints them.

use crate::generated::File;
use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// Crate, and the pages its example prints.
const PAGES: &[(&str, &[&str])] = &[("objects", &["attributes", "kept-attributes", "messages"])];

/// Crate, and the word for the pages that its example prints one behind the other, each behind a line of its
/// name.
const EACH: (&str, &str) = ("objects", "attributes-each");

/// The beginning of the line before a page.
const PAGE: &str = "\u{c}page ";

/// Makes every such page.
pub(crate) fn files(root: &Path) -> Result<Vec<File>> {
    let mut files = Vec::new();
    for (name, pages) in PAGES {
        for page in *pages {
            let text = printed(root, name, page).with_context(|| format!("page {page} of crate {name}"))?;
            files.push(File { path: format!("docs/reference/{page}.md"), text });
        }
    }
    let (name, each) = EACH;
    let printed = printed(root, name, each).with_context(|| format!("pages {each} of crate {name}"))?;
    for part in printed.split(PAGE).skip(1) {
        let (page, text) = part.split_once('\n').context("a page has no name")?;
        files.push(File { path: format!("docs/reference/attributes/{page}.md"), text: text.to_owned() });
    }
    Ok(files)
}

fn printed(root: &Path, name: &str, page: &str) -> Result<String> {
    let output = Command::new("cargo")
        .args(["run", "--quiet", "--package", name, "--example", "reference", "--", page])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("the example `reference` ended with {}", output.status);
    }
    Ok(String::from_utf8(output.stdout)?)
}
