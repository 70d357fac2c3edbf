//! Everything that is installed, laid out in one folder. The archive holds it whole, packages take parts.
//!
//! `bin` has the programs, and the commands that scripts know as links to `ferry`; `inc` and `lib64` are for
//! programs in C; `share` has manual pages, completions, the unit and monitoring. README, documentation,
//! examples, the files that these link to, and the notes of the build are beside them.

use super::build::Built;
use super::facts::{Facts, output};
use super::tree::{Tree, names};
use super::{bill, facts, linked, notes};
use crate::{install, libraries};
use anyhow::Result;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Completion scripts: the shell, and the name that it looks for.
pub(super) const COMPLETIONS: [(&str, &str); 3] =
    [("bash", "ferry.bash"), ("zsh", "_ferry"), ("fish", "ferry.fish")];

/// The folder in which everything is laid out.
pub(super) struct LaidOut {
    pub(super) tree: Tree,
    /// The familiar names, each a link to the program.
    pub(super) names: Vec<String>,
}

impl LaidOut {
    pub(super) fn make(root: &Path, prefix: &Path, facts: &Facts, built: &Built) -> Result<Self> {
        facts::say(&format!("laying out {}", prefix.display()));
        let tree = Tree::at(prefix.to_owned())?;
        tree.copy(&built.ferry, "bin/ferry", 0o755)?;
        tree.copy(&built.bench, "bin/ferry-bench", 0o755)?;
        for program in ["bin/ferry", "bin/ferry-bench"] {
            strip(facts, &prefix.join(program))?;
        }
        let names = install::names_of(&mut facts.program_called(&built.ferry, install::NAME_OF_NAMES))?;
        for name in &names {
            tree.link(&format!("bin/{name}"), "ferry")?;
        }
        libraries::lay_out(prefix, &built.library)?;
        let library = format!("lib64/{}", libraries::NAMES[0]);
        strip(facts, &prefix.join(&library))?;
        tree.mode(&library, 0o644)?;
        tree.copies(&root.join("crates/capi/include"), "inc", 0o644)?;
        tree.copies(&root.join("crates/capi/man"), "share/man/man3", 0o644)?;
        tree.folder("share/man/man1", 0o755)?;
        let manual = prefix.join("share/man/man1");
        output(facts.command(&built.ferry).args(["manual", "--to"]).arg(&manual))?;
        for name in self::names(&manual)? {
            tree.mode(&format!("share/man/man1/{name}"), 0o644)?;
        }
        for (shell, name) in COMPLETIONS {
            let script = output(facts.command(&built.ferry).args(["completions", shell]))?;
            tree.file(&format!("share/completions/{name}"), script + "\n", 0o644)?;
        }
        let packaging = root.join("packaging");
        for name in ["ferrymq@.service", "sysusers.conf", "tmpfiles.conf"] {
            tree.copy(&packaging.join(name), &format!("share/systemd/{name}"), 0o644)?;
        }
        tree.copies(&packaging.join("monitoring"), "share/monitoring", 0o644)?;
        tree.file("share/sbom.cdx.json", bill::of(root, facts)?, 0o644)?;
        for name in ["LICENSE", "CHANGELOG.md", "README.md", "SECURITY.md"] {
            tree.copy(&root.join(name), name, 0o644)?;
        }
        for name in ["docs", "examples"] {
            tree.copies(&root.join(name), name, 0o644)?;
        }
        tree.file(notes::FILE, notes::of(root, facts)?, 0o644)?;
        linked::bring(root, &tree)?;
        Ok(Self { tree, names })
    }

    /// A file that was laid out.
    pub(super) fn path(&self, path: &str) -> PathBuf {
        self.tree.path().join(path)
    }

    /// The content of a file that was laid out.
    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>> {
        Ok(fs::read(self.path(path))?)
    }
}

/// Takes lines out of a program, which profiles for development have, and the names that the compiler makes
/// up for constants: they say nothing, and are a part in thirty of it. Names of functions stay, so that a
/// first-failure record tells where.
fn strip(facts: &Facts, program: &Path) -> Result<()> {
    let mut strip = Command::new(facts.target.strip);
    strip.args(["--strip-debug", "--wildcard", "--strip-symbol=anon.*"]).arg(program);
    output(&mut strip).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::facts::TARGETS;

    #[test]
    fn a_program_keeps_the_names_of_its_functions_and_none_that_is_made_up() {
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
        let text = "int made_up __asm__(\"anon.0123.4.llvm.567\") = 3; int main(void) { return made_up; }\n";
        fs::write(&source, text).unwrap();
        output(Command::new("cc").arg("-g").arg(&source).arg("-o").arg(&program)).unwrap();
        let names = || output(Command::new("nm").arg("--debug-syms").arg(&program)).unwrap();
        assert!(names().contains("anon.0123.4.llvm.567") && names().contains(" main"));
        let (version, commit) = ("0.1.0".to_owned(), "abc".to_owned());
        strip(&Facts { version, commit, time: 0, target: TARGETS[0] }, &program).unwrap();
        assert!(!names().contains("anon.") && names().contains(" main"), "{}", names());
        assert_eq!(Command::new(&program).status().unwrap().code(), Some(3));
    }
}
