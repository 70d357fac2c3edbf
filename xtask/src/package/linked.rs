//! Files of the project that documents link to, brought to the documents that are laid out.
//!
//! Always: a link between files of the project leads to a file beside the document too; so do the links of a
//! document that is brought. A folder comes whole, without what is hidden or built.

use super::tree::{Tree, names};
use crate::site;
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// Name of folders with what was built.
const BUILT: &str = "target";

/// Copies what is missing.
pub(super) fn bring(root: &Path, tree: &Tree) -> Result<()> {
    let mut unread = documents(tree.path(), Path::new(""))?;
    while let Some(page) = unread.pop() {
        let text = fs::read_to_string(tree.path().join(&page)).with_context(|| page.display().to_string())?;
        for target in site::targets(&page, &text) {
            for file in files(root, &target)? {
                if !tree.path().join(&file).exists() {
                    tree.copy(&root.join(&file), file.to_str().context("a path is no text")?, 0o644)?;
                    unread.extend(is_document(&file).then_some(file));
                }
            }
        }
    }
    Ok(())
}

/// The links of documents that lead to nothing in the tree, each behind its document.
pub(super) fn dangling(tree: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for page in documents(tree, Path::new(""))? {
        let text = fs::read_to_string(tree.join(&page)).with_context(|| page.display().to_string())?;
        let missing = site::targets(&page, &text).into_iter().filter(|target| !tree.join(target).exists());
        faults.extend(missing.map(|target| format!("{} to {}", page.display(), target.display())));
    }
    Ok(faults)
}

/// The files that a link leads to: one, those of a folder, or none. The whole project is nobody's link.
fn files(root: &Path, target: &Path) -> Result<Vec<PathBuf>> {
    let path = root.join(target);
    if target.as_os_str().is_empty() {
        return Ok(Vec::new());
    }
    if !path.is_dir() {
        return Ok(path.is_file().then(|| target.to_owned()).into_iter().collect());
    }
    let mut found = Vec::new();
    for name in names(&path)? {
        if !name.starts_with('.') && name != BUILT {
            found.extend(files(root, &target.join(name))?);
        }
    }
    Ok(found)
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
    fn what_a_document_links_to_is_brought_and_so_is_what_that_links_to() {
        let (root, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for (path, text) in [
            (
                "docs/guides/one.md",
                "[map](../../MAP.md#part), [rules](../../packaging/rules.yml), [web](https://x.y), \
                 [program](../../java/one)",
            ),
            ("MAP.md", "[more](perf/more.md) and [itself](MAP.md), [gone](gone.md), [gone](gone/)"),
            ("perf/more.md", "[back](../docs/guides/one.md)"),
            ("packaging/rules.yml", "rules"),
            ("perf/other.md", "not linked"),
            ("java/one/pom.xml", "project"),
            ("java/one/src/One.java", "class"),
            ("java/one/src/README.md", "[away](../../two/notes.md), [all](../../..)"),
            ("java/one/target/one.jar", "built"),
            ("java/one/.gitignore", "target"),
            ("java/two/notes.md", "linked by a file of the folder"),
            ("java/two/more.md", "not linked"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let tree = Tree::at(out.path().join("tree")).unwrap();
        tree.copies(&root.path().join("docs"), "docs", 0o644).unwrap();
        bring(root.path(), &tree).unwrap();
        let is_there = |path: &str| tree.path().join(path).exists();
        for path in ["MAP.md", "perf/more.md", "packaging/rules.yml", "java/one/pom.xml", "java/two/notes.md"]
        {
            assert!(is_there(path), "{path}");
        }
        assert!(is_there("java/one/src/One.java"), "a folder comes whole");
        assert_eq!(dangling(tree.path()).unwrap(), ["MAP.md to gone.md", "MAP.md to gone"]);
        for path in ["perf/other.md", "java/one/target", "java/one/.gitignore", "java/two/more.md"] {
            assert!(!is_there(path), "{path}");
        }
    }
}
