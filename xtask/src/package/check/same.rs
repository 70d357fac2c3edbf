//! The same packages a second time: packed again, and built again from a copy of the tree in another folder.

use crate::package::build::{self, Built, Place};
use crate::package::facts::{Facts, output};
use crate::package::making::{PackageOptions, Packages, pack};
use crate::package::tree;
use crate::steps::{self, Verdict};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packs the same programs once more, elsewhere.
pub(super) fn again(root: &Path, out: &Path, facts: &Facts, packages: &Packages) -> Result<Verdict> {
    let elsewhere = out.join("once-more");
    tree::empty(&elsewhere)?;
    let Built { ferry, bench, library } = &packages.built;
    let built = Built { ferry: ferry.clone(), bench: bench.clone(), library: library.clone() };
    compare(packages, &pack(root, built, &elsewhere, facts)?)?;
    std::fs::remove_dir_all(&elsewhere)?;
    Ok(Verdict::Ok)
}

/// Builds the commit once more, from a copy of the tree and with nothing that was built before.
pub(super) fn rebuilt(
    root: &Path,
    options: &PackageOptions,
    facts: &Facts,
    packages: &Packages,
) -> Result<Verdict> {
    if facts.commit.ends_with("-dirty") {
        steps::say_skipped("building a copy of the commit: the tree has changes that are not committed");
        return Ok(Verdict::Skipped);
    }
    let elsewhere = options.out.join("rebuilt");
    tree::empty(&elsewhere)?;
    let (source, target, out) = (elsewhere.join("tree"), elsewhere.join("build"), elsewhere.join("packages"));
    output(Command::new("git").args(["clone", "--quiet", "--no-hardlinks"]).arg(root).arg(&source))?;
    let head = output(Command::new("git").current_dir(root).args(["rev-parse", "HEAD"]))?;
    output(Command::new("git").current_dir(&source).args(["checkout", "--quiet", &head]))?;
    let built = build::build(Place { root: &source, target: &target }, facts, &options.profile)?;
    tree::empty(&out)?;
    compare(packages, &pack(&source, built, &out, facts)?)?;
    std::fs::remove_dir_all(&elsewhere)?;
    Ok(Verdict::Ok)
}

/// Fails where a file has other bytes than its counterpart; all that do are named.
fn compare(ones: &Packages, others: &Packages) -> Result<()> {
    let files = |packages: &Packages| -> Vec<PathBuf> {
        let built = [&packages.built.ferry, &packages.built.bench, &packages.built.library];
        let packed = packages.debs.iter().chain([&packages.chart, &packages.archive]);
        let index = packages.image.join("index.json");
        built.into_iter().chain(packed).cloned().chain([index]).collect()
    };
    differences(&files(ones), &files(others))
}

fn differences(ones: &[PathBuf], others: &[PathBuf]) -> Result<()> {
    let mut differ = Vec::new();
    for (one, other) in ones.iter().zip(others) {
        let (sum, other_sum) = (tree::sum(one)?, tree::sum(other)?);
        println!("{sum}  {}", one.file_name().unwrap_or_default().display());
        if sum != other_sum {
            differ.push(format!("{} and {}", one.display(), other.display()));
        }
    }
    if differ.is_empty() && ones.len() == others.len() {
        return Ok(());
    }
    bail!("{} of {} files differ: {}", differ.len(), ones.len(), differ.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_that_differs_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, content: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, content).unwrap();
            path
        };
        let ones = [file("a", "one"), file("b", "two"), file("c", "three")];
        assert!(differences(&ones, &ones).is_ok());
        let others = [file("d", "one"), file("e", "2"), file("f", "3")];
        let told = differences(&ones, &others).unwrap_err().to_string();
        assert!(told.starts_with("2 of 3") && told.contains("/e") && told.contains("/f"), "{told}");
        assert!(differences(&ones, &ones[..2]).is_err(), "a file that is missing is a difference");
    }
}
