//! `cargo xtask release`: everything that is given out for one version, in one folder, with notes and sums.
//!
//! Always: nothing is uploaded, and a tag is made only when asked for.

use super::facts::{Facts, TARGETS, Target, output, say};
use super::making::{PackageOptions, Packages, make};
use super::{notes, tree};
use crate::steps;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The file with the sum of each of the others.
const SUMS: &str = "SHA256SUMS";

/// Builds for each kind of machine that there are tools for.
pub(super) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let is_tagged = arguments.contains(&"--tag");
    let others: Vec<&str> = arguments.iter().copied().filter(|argument| *argument != "--tag").collect();
    let options = PackageOptions::parse(root, &others)?;
    ensure!(!options.check, "check the packages with `cargo xtask package --check`");
    let facts = Facts::of(root, TARGETS[0])?;
    let notes = notes::of(root, &facts)?;
    if is_tagged && notes::has_unreleased_changes(root)? {
        bail!("CHANGELOG.md has unreleased changes: give them a heading with the version that has them");
    }
    if is_tagged && facts.commit.ends_with("-dirty") {
        bail!("the tree has changes that are not committed: a tag would not say what was built");
    }
    let out = if others.contains(&"--out") { options.out.clone() } else { root.join("target/release-files") };
    tree::empty(&out)?;
    for target in TARGETS {
        if let Some(missing) = missing(target) {
            steps::say_skipped(&format!("{}: {missing}", target.triple));
            continue;
        }
        let of_target = PackageOptions {
            out: root.join("target/package").join(target.architecture),
            profile: options.profile.clone(),
            target,
            check: false,
            only: None,
        };
        let facts = Facts { target, ..facts.clone() };
        collect(&make(root, &of_target, &facts)?, &of_target.out, &out, &facts)?;
    }
    fs::write(out.join(notes::FILE), notes)?;
    write_sums(&out)?;
    if is_tagged {
        let tag = format!("v{}", facts.version);
        let message = format!("FerryMQ {}", facts.version);
        output(Command::new("git").current_dir(root).args([
            "tag",
            "--annotate",
            &tag,
            "--message",
            &message,
        ]))?;
        say(&format!("tagged {tag}, here only"));
    }
    tree::names(&out)?.iter().for_each(|name| println!("{}", out.join(name).display()));
    Ok(ExitCode::SUCCESS)
}

/// The tool that is missing to build for a target, if one is.
fn missing(target: Target) -> Option<String> {
    let starts = |program: &str| {
        let mut command = Command::new(program);
        command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    };
    let library = output(Command::new("rustc").args(["--print", "target-libdir", "--target", target.triple]));
    if !library.is_ok_and(|folder| Path::new(&folder).exists()) {
        return Some(format!("its standard library is missing: rustup target add {}", target.triple));
    }
    let programs = [target.compiler, target.runner];
    let absent = programs.into_iter().flatten().find(|program| !starts(program))?;
    Some(format!("{absent} is missing"))
}

/// Brings what was packed for one kind of machine beside the rest.
fn collect(packages: &Packages, from: &Path, out: &Path, facts: &Facts) -> Result<()> {
    let files = packages.debs.iter().chain([&packages.archive, &packages.chart]);
    for file in files {
        let name = file.file_name().context("a package has no name")?;
        fs::copy(file, out.join(name)).with_context(|| format!("cannot copy {}", file.display()))?;
    }
    let architecture = facts.target.architecture;
    let bill = out.join(format!("ferrymq-{}-{architecture}.sbom.cdx.json", facts.version));
    fs::copy(from.join("prefix/share/sbom.cdx.json"), bill)?;
    let image: PathBuf = out.join(format!("ferrymq-image-{}-{architecture}.tar", facts.version));
    tree::archive(&packages.image, ".", &image, facts.time)
}

/// Writes the sum of each file, in the form that `sha256sum --check` reads.
fn write_sums(out: &Path) -> Result<()> {
    let mut sums = String::new();
    for name in tree::names(out)? {
        sums.push_str(&format!("{}  {name}\n", tree::sum(&out.join(&name))?));
    }
    Ok(fs::write(out.join(SUMS), sums)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_what_sha256sum_checks() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "one").unwrap();
        fs::write(folder.path().join("b"), "two").unwrap();
        write_sums(folder.path()).unwrap();
        let check = || {
            let mut check = Command::new("sha256sum");
            check.current_dir(folder.path()).args(["--check", "--strict", SUMS]).output().unwrap().status
        };
        assert!(check().success());
        fs::write(folder.path().join("b"), "2").unwrap();
        assert!(!check().success());
    }
}
