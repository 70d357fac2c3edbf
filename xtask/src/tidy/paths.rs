//! Every path the documents name must be there, and every document the sources name.

use super::sources::{Sources, files_below};
use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Documents beside `docs/` whose paths are checked.
const DOCUMENTS: &[&str] =
    &["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "crates/README.md"];

pub(super) fn check(root: &Path, sources: &Sources, faults: &mut Vec<String>) -> Result<()> {
    for (document, text) in documents(root)? {
        for (number, named) in named_paths(&text) {
            if !root.join(named).exists() && !root.join("crates").join(named).exists() {
                faults.push(format!("{document}:{number}: names `{named}`, which does not exist"));
            }
        }
    }
    for file in sources.files() {
        for (number, named) in
            named_paths(&file.text).into_iter().filter(|(_, named)| named.starts_with("docs/"))
        {
            if !root.join(named).exists() {
                faults.push(format!("{}:{number}: names `{named}`, which does not exist", file.path));
            }
        }
    }
    Ok(())
}

/// Every document with its path relative to the root.
pub(super) fn documents(root: &Path) -> Result<Vec<(String, String)>> {
    let mut documents: Vec<PathBuf> = DOCUMENTS.iter().map(|document| root.join(document)).collect();
    files_below(&root.join("docs"), "md", &mut documents)?;
    let read = |path: PathBuf| {
        let text =
            std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok((path.strip_prefix(root).unwrap_or(&path).display().to_string(), text))
    };
    documents.into_iter().filter(|path| path.exists()).map(read).collect()
}

/// Finds texts between backticks that look like a path of ours, with their lines.
///
/// That is: it holds a slash, and ends with one or with the ending of a file we keep.
fn named_paths(text: &str) -> Vec<(usize, &str)> {
    const ENDINGS: &[&str] = &["/", ".rs", ".md", ".toml", ".csv", ".txt", ".service", ".yml"];
    let mut fenced = false;
    let mut paths = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        for quoted in line.split('`').skip(1).step_by(2) {
            let is_path = quoted.contains('/')
                && !quoted.contains([' ', '*', '$', '<', '~'])
                && !quoted.starts_with('/')
                && ENDINGS.iter().any(|ending| quoted.ends_with(ending));
            if is_path {
                paths.push((index + 1, quoted));
            }
        }
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::named_paths;

    #[test]
    fn paths_are_told_from_other_quoted_words() {
        let text = "See `storage/src/log/buffer.rs` and `crates/`.\n```\n`no/such.rs`\n```\nNot `/var/lib/`, `a / b`, `Lsn`.";
        assert_eq!(named_paths(text), [(1, "storage/src/log/buffer.rs"), (1, "crates/")]);
    }
}
