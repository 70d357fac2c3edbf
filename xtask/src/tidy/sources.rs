//! The shape of source files: how they open, how long they and their functions are.

use anyhow::{Context, Result};
use std::path::{Path, PathBuf};

/// Most lines of a `lib.rs`, which introduces and re-exports and holds no logic.
const LIB_LINES_MAX: usize = 150;

/// Most lines of a product file: a longer one has a second subject.
const PRODUCT_LINES_MAX: usize = 800;

/// Lines from the head of a file among which a generated one says so.
const GENERATED_WITHIN: usize = 5;

/// Number of the longest files and functions that are printed.
const LONGEST_SHOWN: usize = 10;

/// Every Rust file of ours.
pub(super) struct Sources {
    files: Vec<SourceFile>,
}

/// One of them.
pub(super) struct SourceFile {
    /// Relative to the root of the project.
    pub(super) path: String,
    pub(super) text: String,
}

impl SourceFile {
    pub(super) fn is_generated(&self) -> bool {
        self.text.lines().take(GENERATED_WITHIN).any(|line| line.contains(crate::generated::NOTICE))
    }
}

/// Recognises a file of tests, or of models that only tests run.
pub(super) fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs")
        || path.ends_with("/models.rs")
        || ["/tests/", "/models/"].iter().any(|folder| path.contains(folder))
}

impl Sources {
    pub(super) fn read(root: &Path) -> Result<Self> {
        let mut paths = Vec::new();
        for folder in ["bridges", "crates", "fuzz", "xtask"] {
            files_below(&root.join(folder), "rs", &mut paths)?;
        }
        paths.sort();
        let mut files = Vec::new();
        for path in paths {
            let text =
                std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            let path = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            files.push(SourceFile { path, text });
        }
        Ok(Self { files })
    }

    pub(super) fn files(&self) -> &[SourceFile] {
        &self.files
    }

    pub(super) fn check(&self, faults: &mut Vec<String>) {
        for file in &self.files {
            let name = file.path.rsplit('/').next().unwrap_or_default();
            if matches!(name, "lib.rs" | "mod.rs" | "main.rs") && !file.text.starts_with("//!") {
                faults.push(format!(
                    "{}: open with `//!`: what lives here, what lives elsewhere, what always holds",
                    file.path
                ));
            }
            let lines = file.text.lines().count();
            if name == "lib.rs" && lines > LIB_LINES_MAX {
                faults.push(format!(
                    "{}: {lines} lines where at most {LIB_LINES_MAX} are meant: a lib.rs introduces and re-exports; \
                     give the logic a module",
                    file.path
                ));
            }
            if lines > PRODUCT_LINES_MAX && !is_test(&file.path) && !file.is_generated() {
                faults.push(format!(
                    "{}: {lines} lines where at most {PRODUCT_LINES_MAX} are allowed: give the second subject a file of \
                     its own, and the tests theirs",
                    file.path
                ));
            }
        }
    }

    /// Prints the longest files and functions, so that growth is seen. Generated files are left out.
    pub(super) fn report(&self) {
        let written = || self.files.iter().filter(|file| !file.is_generated());
        let mut files: Vec<(usize, String)> =
            written().map(|file| (file.text.lines().count(), file.path.clone())).collect();
        let mut functions: Vec<(usize, String)> = Vec::new();
        for file in written() {
            for FunctionLines { first, lines, name } in functions_of(&file.text) {
                functions.push((lines, format!("{}:{first} {name}", file.path)));
            }
        }
        for (title, longest) in [("longest files", &mut files), ("longest functions", &mut functions)] {
            longest.sort_by(|one, other| other.cmp(one));
            println!("{title}:");
            for (lines, what) in longest.iter().take(LONGEST_SHOWN) {
                println!("  {lines:>5}  {what}");
            }
        }
    }
}

/// A function of several lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FunctionLines {
    /// The line of its name, from 1.
    pub(crate) first: usize,
    /// Number of lines.
    pub(crate) lines: usize,
    name: String,
}

/// Every function of several lines; formatted code closes one at the indentation it opened at.
pub(crate) fn functions_of(text: &str) -> Vec<FunctionLines> {
    let lines: Vec<&str> = text.lines().collect();
    let mut functions = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let indentation = line.len() - line.trim_start().len();
        let closing = format!("{}}}", " ".repeat(indentation));
        if line.trim_end().ends_with([';', '}']) {
            continue;
        }
        if let Some(length) = lines[start..].iter().position(|line| *line == closing) {
            functions.push(FunctionLines { first: start + 1, lines: length + 1, name: name.to_owned() });
        }
    }
    functions
}

fn function_name(line: &str) -> Option<&str> {
    let mut rest = line.trim_start();
    loop {
        let word_end = rest.find(' ')?;
        match &rest[..word_end] {
            "fn" => {
                let name = &rest[word_end + 1..];
                return name.find(['(', '<']).map(|end| &name[..end]);
            }
            "pub" | "pub(crate)" | "pub(super)" | "const" | "async" | "unsafe" | "extern" | "\"C\"" => {
                rest = &rest[word_end + 1..];
            }
            _ => return None,
        }
    }
}

/// Adds the files below a folder whose name ends so; what was built is left out.
pub(super) fn files_below(folder: &Path, extension: &str, paths: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            if !path.ends_with("target") {
                files_below(&path, extension, paths)?;
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{FunctionLines, SourceFile, Sources, function_name, functions_of};

    #[test]
    fn functions_are_measured_from_their_name_to_their_end() {
        let text = "impl A {\n    pub(crate) fn one(\n        self,\n    ) -> u8 {\n        1\n    }\n}\n\nfn two() {}\n";
        assert_eq!(functions_of(text), [FunctionLines { first: 2, lines: 5, name: "one".to_owned() }]);
        assert_eq!(function_name("    pub const fn three<T>(t: T) {"), Some("three"));
        assert_eq!(function_name("// fn four() {"), None);
    }

    #[test]
    fn a_file_without_an_introduction_and_a_long_lib_are_faults() {
        let file = |path: &str, text: &str| SourceFile { path: path.into(), text: text.into() };
        let sources = Sources {
            files: vec![
                file("crates/a/src/lib.rs", &format!("//! A.\n{}", "\n".repeat(150))),
                file("crates/a/src/b/mod.rs", "use c;\n"),
                file("crates/a/src/c.rs", "use d;\n"),
            ],
        };
        let mut faults = Vec::new();
        sources.check(&mut faults);
        assert_eq!(faults.len(), 2, "{faults:?}");
    }

    #[test]
    fn a_product_file_of_801_lines_is_a_fault_and_a_test_or_a_generated_file_is_none() {
        let generated = format!("//! A table.\n//!\n//! {}\n", crate::generated::NOTICE);
        for (path, head, lines, expected) in [
            ("crates/a/src/b.rs", "", 800, 0),
            ("crates/a/src/b.rs", "", 801, 1),
            ("crates/a/src/b.rs", generated.as_str(), 900, 0),
            ("crates/a/src/b/tests.rs", "", 900, 0),
            ("crates/a/tests/it/b.rs", "", 900, 0),
        ] {
            let text = format!("{head}{}", "\n".repeat(lines - head.lines().count()));
            let sources = Sources { files: vec![SourceFile { path: path.into(), text }] };
            let mut faults = Vec::new();
            sources.check(&mut faults);
            assert_eq!(faults.len(), expected, "{path} of {lines} lines: {faults:?}");
        }
    }
}
