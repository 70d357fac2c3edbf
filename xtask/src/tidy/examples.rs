//! Examples in the documentation of libraries. Rustdoc looks for them in every library whose manifest does
//! not say `doctest = false`, which costs a pass over each that has none.
//!
//! Always: a library with an example runs it, and one without is not searched.

use std::path::Path;

use anyhow::{Context, Result};

use super::sources::Sources;

/// The line of a manifest that keeps rustdoc from looking for examples.
const NONE: &str = "doctest = false";

/// Languages after the three marks of a block that rustdoc compiles.
const RUN: [&str; 5] = ["rust", "no_run", "should_panic", "compile_fail", "ignore"];

/// Compares the manifest of each library with its documentation.
pub(super) fn check(root: &Path, sources: &Sources, faults: &mut Vec<String>) -> Result<()> {
    let libraries = sources.files().iter().filter_map(|file| file.path.strip_suffix("/src/lib.rs"));
    for library in libraries {
        let manifest = format!("{library}/Cargo.toml");
        let text = std::fs::read_to_string(root.join(&manifest))
            .with_context(|| format!("cannot read {manifest}"))?;
        let folder = format!("{library}/src/");
        let files = sources.files().iter().filter(|file| file.path.starts_with(&folder));
        let first = files.filter(|file| has_example(&file.text)).map(|file| file.path.as_str()).next();
        faults.extend(fault(&manifest, text.lines().any(|line| line == NONE), first));
    }
    Ok(())
}

/// The fault of a manifest, if it skips the examples of a library that has one in this file, or has rustdoc
/// look for them in one that has none.
fn fault(manifest: &str, skips: bool, example: Option<&str>) -> Option<String> {
    match example {
        Some(example) if skips => {
            Some(format!("{manifest}: take out `{NONE}`: {example} has an example, which does not run"))
        }
        None if !skips => {
            Some(format!("{manifest}: write `{NONE}` below [lib]: rustdoc looks for examples and finds none"))
        }
        _ => None,
    }
}

/// Returns true if a comment of documentation has a block that rustdoc compiles.
fn has_example(text: &str) -> bool {
    let mut is_inside = false;
    for line in text.lines() {
        let line = line.trim_start();
        let Some(line) = line.strip_prefix("///").or_else(|| line.strip_prefix("//!")) else {
            is_inside = false;
            continue;
        };
        let Some(language) = line.trim().strip_prefix("```") else { continue };
        if !is_inside && (language.is_empty() || RUN.iter().any(|run| language.starts_with(run))) {
            return true;
        }
        is_inside = !is_inside;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_is_a_block_of_rust_in_documentation() {
        for (text, expected) in [
            ("/// ```\n/// let a = 1;\n/// ```\n", true),
            ("//! ```compile_fail,E0277\n//! a();\n//! ```\n", true),
            ("    /// ```no_run\n", true),
            ("//! ```text\n//! a | b\n//! ```\n//!\n//! more\n", false),
            ("//! ```text\n//! a\n//! ```\n\n/// ```json\n/// {}\n/// ```\n", false),
            ("//! ```text\n//! a\n//! ```\n//! ```\n//! b();\n//! ```\n", true),
            ("// ```\n// a\n// ```\nlet a = \"```\";\n", false),
        ] {
            assert_eq!(has_example(text), expected, "{text}");
        }
    }

    #[test]
    fn a_library_runs_its_examples_and_one_without_is_not_searched() {
        assert_eq!(fault("a/Cargo.toml", true, None), None);
        assert_eq!(fault("a/Cargo.toml", false, Some("a/src/b.rs")), None);
        assert!(fault("a/Cargo.toml", true, Some("a/src/b.rs")).unwrap().contains("a/src/b.rs"));
        assert!(fault("a/Cargo.toml", false, None).unwrap().contains(NONE));
    }
}
