//! The check of state that threads share without a lock, and of their waits for each other: the table that
//! names their proofs has them all.

use super::sources::{Sources, is_test};

/// The page with the table.
pub(super) const PAGE: &str = "docs/internals/concurrency.md";

/// Words in the code of a file that needs a row. The compiler checks the sharing in files without them.
const SHARED: &[&str] =
    &["AtomicBool", "AtomicI", "AtomicPtr", "AtomicU", "ArcSwap", "Condvar", "mpsc::", "fence(Ordering"];

/// Crates whose threads are there to test others.
const TESTING: &[&str] = &["crates/rigs/", "crates/scenario/", "crates/sim/", "fuzz/", "xtask/"];

pub(super) fn check(page: &str, sources: &Sources, faults: &mut Vec<String>) {
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with('|')).collect();
    for file in sources.files() {
        let is_judged = file.path.contains("/src/")
            && !is_test(&file.path)
            && !TESTING.iter().any(|testing| file.path.starts_with(testing));
        let Some(word) = is_judged.then(|| shared(&file.text)).flatten() else { continue };
        let path = file.path.strip_prefix("crates/").unwrap_or(&file.path);
        if !page_names(&rows, path) {
            faults.push(format!(
                "{}: has {word} and no row in the table of {PAGE}: say there what is shared and which model, schedule or reason \
                 holds it",
                file.path
            ));
        }
    }
}

/// The first of the words in code outside its tests and comments.
fn shared(text: &str) -> Option<&'static str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.find_map(|line| SHARED.iter().find(|word| line.contains(**word)).copied())
}

/// True if the first cell of a row names the file or a folder above it.
fn page_names(rows: &[&str], path: &str) -> bool {
    let first_cells = rows.iter().filter_map(|row| row.split('|').nth(1));
    let mut named = first_cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    named.any(|name| name == path || name.ends_with('/') && path.starts_with(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_found_in_code_and_not_in_words_about_it() {
        assert_eq!(shared("use std::sync::atomic::AtomicU64;\n"), Some("AtomicU"));
        assert_eq!(shared("//! No Condvar here.\nfn quiet() {}\n"), None);
        assert_eq!(
            shared("fn quiet() {}\n#[cfg(test)]\nmod tests { use std::sync::mpsc::channel; }\n"),
            None
        );
    }

    #[test]
    fn a_row_names_files_and_folders() {
        let rows =
            ["| `a/src/one.rs`, `a/src/two.rs` | x | y | `a/src/three.rs` |", "| `perf/src/` | x | y | z |"];
        for (path, expected) in [
            ("a/src/one.rs", true),
            ("a/src/two.rs", true),
            ("a/src/three.rs", false),
            ("perf/src/deep/file.rs", true),
        ] {
            assert_eq!(page_names(&rows, path), expected, "{path}");
        }
    }
}
