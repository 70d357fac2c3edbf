//! Files of the project that documents link to, brought to the documents that are laid out.
//!
//! Always: a link between files of the project leads to a file beside the document too; so do the links of a
//! document that is brought.

use super::tree::{Tree, names};
use crate::site;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies what is missing.
pub(super) fn bring(root: &Path, tree: &Tree) -> Result<()> {
    let mut unread = documents(tree.path(), Path::new(""))?;
    while let Some(page) = unread.pop() {
        let text = fs::read_to_string(tree.path().join(&page)).with_context(|| page.display().to_string())?;
        for target in site::targets(&page, &text) {
            if tree.path().join(&target).exists() || !root.join(&target).is_file() {
                continue;
            }
            tree.copy(&root.join(&target), target.to_str().context("a path is no text")?, 0o644)?;
            unread.extend(is_document(&target).then_some(target));
        }
    }
    Ok(())
}

fn is_document(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "md")
}

/// The documents below a folder of the tree, by their path in it.
fn documents(tree: &Path, below: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for name in names(&tree.join(below))? {
        let path = below.join(name);
        if tree.join(&path).is_dir() {
            found.extend(documents(tree, &path)?);
        } else if is_document(&path) {
            found.push(path);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_a_document_links_to_is_brought_and_so_are_those_that_it_links_to() {
        let (root, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (path, text) in [
            (
                "docs/guides/one.md",
                "[map](../../MAP.md#part), [rules](../../packaging/rules.yml), [web](https://x.y)",
            ),
            ("MAP.md", "[more](perf/more.md) and [itself](MAP.md), [gone](gone.md), [folder](perf)"),
            ("perf/more.md", "[back](../docs/guides/one.md)"),
            ("packaging/rules.yml", "rules"),
            ("perf/other.md", "not linked"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::at(out.path().join("tree")).unwrap();
        tree.copies(&root.path().join("docs"), "docs", 0o644).unwrap();
        bring(root.path(), &tree).unwrap();
        let is_there = |path: &str| tree.path().join(path).exists();
        assert!(["MAP.md", "perf/more.md", "packaging/rules.yml"].iter().all(|path| is_there(path)));
        assert!(!is_there("perf/other.md"));
    }
}
