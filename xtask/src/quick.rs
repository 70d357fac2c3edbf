//! `cargo xtask quick`, `hook` and `scenario`: the short loop of somebody who changes something.
//!
//! Always: `quick` judges what changed since the main branch and what depends on it, and says what it leaves
//! to `cargo xtask check` and `test`.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::check;
use crate::steps::{self, Step, Verdict};
use crate::tidy::metadata::{Features, Tree};

/// The branch that changes are compared with.
const MAIN: &str = "main";

/// Checks of the whole tree that take some seconds.
const SHORT_CHECKS: [&str; 4] = ["format", "generated files", "tidy", "spelling"];

/// The hook that runs before a push.
const HOOK: &str =
    "#!/bin/sh\n# Made by `cargo xtask hook`; remove this file to be without it.\nexec cargo xtask quick\n";

/// Judges what changed.
pub(crate) fn run(root: &Path) -> Result<ExitCode> {
    let files = changed(root)?;
    let tree = Tree::read(root, Features::Default)?;
    let packages = packages_of(&files, &tree.ours);
    let concerned = dependants(&tree, &packages);
    let list = |names: &BTreeSet<String>| names.iter().cloned().collect::<Vec<_>>().join(" ");
    println!("changed: {}", if packages.is_empty() { "no package".to_owned() } else { list(&packages) });
    let mut steps = check::steps(root);
    steps.retain(|step| SHORT_CHECKS.contains(&step.short_name()));
    if !packages.is_empty() {
        let lint =
            command(&["cargo", "clippy", "--quiet", "--all-targets"], &concerned, &["--", "-D", "warnings"]);
        let test = command(&["cargo", "test", "--quiet", "--lib", "--bins"], &concerned, &[]);
        steps.push(Step::new("lint", move || run_all(root, &lint)));
        steps.push(Step::new("unit tests", move || run_all(root, &test)));
    }
    let code = steps::run(steps);
    for package in &packages {
        println!("left to you: cargo test -p {package} --test it");
    }
    println!("left to the whole run: cargo xtask check, cargo xtask test");
    Ok(code)
}

fn run_all(root: &Path, words: &[String]) -> Result<Verdict> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    steps::program(root, &words, &[])
}

fn command(begin: &[&str], packages: &BTreeSet<String>, end: &[&str]) -> Vec<String> {
    let chosen = packages.iter().flat_map(|name| ["--package".to_owned(), name.clone()]);
    let words = begin.iter().map(ToString::to_string).chain(chosen);
    words.chain(end.iter().map(ToString::to_string)).collect()
}

/// The files that differ from the main branch, and those that git does not know yet.
fn changed(root: &Path) -> Result<BTreeSet<String>> {
    let base = git(root, &["merge-base", "HEAD", MAIN]).unwrap_or_else(|_| "HEAD".to_owned());
    let differing = git(root, &["diff", "--name-only", base.trim()])?;
    let unknown = git(root, &["ls-files", "--others", "--exclude-standard"])?;
    Ok(differing.lines().chain(unknown.lines()).map(str::to_owned).collect())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output =
        Command::new("git").args(arguments).current_dir(root).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("git {}: {}", arguments.join(" "), String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The packages of ours that files belong to.
fn packages_of(files: &BTreeSet<String>, ours: &BTreeSet<String>) -> BTreeSet<String> {
    let package = |file: &String| match file.split('/').collect::<Vec<_>>()[..] {
        ["crates", name, ..] => Some(name.to_owned()),
        ["examples", "rust", ..] => Some("examples".to_owned()),
        // Their tests read the scenarios and the pages with commands.
        ["scenarios", ..] => Some("scenario".to_owned()),
        ["docs", "start" | "guides" | "concepts", ..] | ["README.md"] => Some("cli".to_owned()),
        [name @ ("fuzz" | "xtask"), ..] => Some(name.to_owned()),
        _ => None,
    };
    files.iter().filter_map(package).filter(|name| ours.contains(name)).collect()
}

/// The packages, and those of ours that have one of them in their tree.
fn dependants(tree: &Tree, packages: &BTreeSet<String>) -> BTreeSet<String> {
    let is_concerned = |name: &&String| {
        packages.contains(*name) || tree.reachable_from(name).iter().any(|below| packages.contains(*below))
    };
    tree.ours.iter().filter(is_concerned).cloned().collect()
}

/// Makes git run `quick` before each push.
pub(crate) fn hook(root: &Path) -> Result<ExitCode> {
    let folder = git(root, &["rev-parse", "--git-path", "hooks"])?;
    let folder = root.join(folder.trim());
    let path = folder.join("pre-push");
    if std::fs::read_to_string(&path).is_ok_and(|text| text != HOOK) {
        bail!(
            "{} is there already and is not ours: move it away, or call cargo xtask quick in it",
            path.display()
        );
    }
    std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    std::fs::write(&path, HOOK).with_context(|| path.display().to_string())?;
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).with_context(|| path.display().to_string())?;
    println!("wrote {}; it runs cargo xtask quick before each push", path.display());
    Ok(ExitCode::SUCCESS)
}

/// Runs the scenarios whose file or heading has this text, on the engine.
pub(crate) fn scenario(root: &Path, name: &str) -> Result<ExitCode> {
    let test =
        ["cargo", "test", "--package", "scenario", "--test", "it", "every_scenario_holds_on_the_engine"];
    let shown = ["--", "--nocapture"];
    steps::program(root, &[&test[..], &shown].concat(), &[("FERRY_SCENARIO", name)])?;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_file_belongs_to_the_package_of_its_folder() {
        let ours = names(&["storage", "cli", "scenario", "xtask", "examples"]);
        let files = [
            "crates/storage/src/copy.rs",
            "scenarios/browsing.md",
            "docs/guides/rust.md",
            "docs/reference/ferry.md",
            "examples/rust/src/lib.rs",
            "README.md",
            "crates/gone/src/lib.rs",
        ];
        assert_eq!(packages_of(&names(&files), &ours), names(&["cli", "examples", "scenario", "storage"]));
    }

    #[test]
    fn what_depends_on_a_change_is_judged_with_it() {
        let edge = |from: &str, to: &str| (from.to_owned(), names(&[to]));
        let tree = Tree {
            ours: names(&["storage", "queue-manager", "server", "topic"]),
            dependencies: BTreeMap::from([edge("queue-manager", "storage"), edge("server", "queue-manager")]),
            ..Tree::default()
        };
        assert_eq!(dependants(&tree, &names(&["storage"])), names(&["queue-manager", "server", "storage"]));
        assert_eq!(dependants(&tree, &names(&["topic"])), names(&["topic"]));
    }

    #[test]
    fn a_hook_of_somebody_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let made = Command::new("git").args(["init", "--quiet"]).current_dir(root).status();
        assert!(made.unwrap().success());
        hook(root).unwrap();
        hook(root).unwrap();
        let path = root.join(".git/hooks/pre-push");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), HOOK);
        std::fs::write(&path, "mine").unwrap();
        assert!(hook(root).unwrap_err().to_string().contains("is not ours"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }
}
