//! One run: the request, and the packages that it makes.

use super::build::{self, Built, Place};
use super::facts::{Facts, TARGETS, Target};
use super::laid_out::LaidOut;
use super::{archive, chart, deb, image, tree};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// The request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PackageOptions {
    pub(super) out: PathBuf,
    /// The profile by which the programs are built.
    pub(super) profile: String,
    pub(super) target: Target,
    /// Tries the packages on a small Debian system as well.
    pub(super) check: bool,
    /// The one step of that which is wanted.
    pub(super) only: Option<String>,
}

impl PackageOptions {
    pub(super) fn parse(root: &Path, arguments: &[&str]) -> Result<Self> {
        let mut options = Self {
            out: root.join("target/package"),
            profile: "release".to_owned(),
            target: TARGETS[0],
            check: false,
            only: None,
        };
        let mut rest = arguments;
        loop {
            rest = match rest {
                [] => return Ok(options),
                ["--out", folder, after @ ..] => {
                    options.out = std::path::absolute(folder)?;
                    after
                }
                ["--profile", name, after @ ..] => {
                    options.profile = (*name).to_owned();
                    after
                }
                ["--target", triple, after @ ..] => {
                    options.target = target(triple)?;
                    after
                }
                ["--check", after @ ..] => {
                    options.check = true;
                    after
                }
                ["--only", name, after @ ..] => {
                    options.check = true;
                    options.only = Some((*name).to_owned());
                    after
                }
                [other, ..] => bail!(
                    "`cargo xtask package` does not know \"{other}\"; it takes --out DIR, --profile NAME, \
                     --target TRIPLE, --check and --only STEP of it"
                ),
            };
        }
    }
}

fn target(triple: &str) -> Result<Target> {
    match TARGETS.into_iter().find(|target| target.triple == triple) {
        Some(target) => Ok(target),
        None => {
            let known = TARGETS.map(|target| target.triple).join(", ");
            bail!("packages are not made for \"{triple}\"; they are for {known}")
        }
    }
}

/// Everything that was made.
pub(super) struct Packages {
    pub(super) built: Built,
    pub(super) debs: Vec<PathBuf>,
    pub(super) image: PathBuf,
    pub(super) chart: PathBuf,
    pub(super) archive: PathBuf,
}

/// Builds the programs and packs them.
pub(super) fn make(root: &Path, options: &PackageOptions, facts: &Facts) -> Result<Packages> {
    tree::empty(&options.out)?;
    let target = build::target_folder(root);
    let built = build::build(Place { root, target: &target }, facts, &options.profile)?;
    pack(root, built, &options.out, facts)
}

/// Packs programs that were built.
pub(super) fn pack(root: &Path, built: Built, out: &Path, facts: &Facts) -> Result<Packages> {
    let laid_out = LaidOut::make(root, &out.join("prefix"), facts, &built)?;
    let debs = deb::make(root, &laid_out, out, facts)?;
    let image = image::make(root, &laid_out, out, facts)?;
    let chart = chart::make(root, out, facts)?;
    let archive = archive::make(&laid_out, out, facts)?;
    Ok(Packages { built, debs, image, chart, archive })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_that_is_not_known_is_refused_by_name() {
        let root = Path::new("/project");
        let options =
            PackageOptions::parse(root, &["--profile", "dev", "--out", "/tmp/p", "--check"]).unwrap();
        let expected = PackageOptions {
            out: "/tmp/p".into(),
            profile: "dev".into(),
            target: TARGETS[0],
            check: true,
            only: None,
        };
        assert_eq!(options, expected);
        assert_eq!(PackageOptions::parse(root, &[]).unwrap().out, root.join("target/package"));
        let arm = PackageOptions::parse(root, &["--target", "aarch64-unknown-linux-gnu"]).unwrap();
        assert_eq!(arm.target.architecture, "arm64");
        for (arguments, named) in [(&["--rpm"][..], "--rpm"), (&["--target", "sparc"], "sparc")] {
            let refused = PackageOptions::parse(root, arguments).unwrap_err().to_string();
            assert!(refused.contains(named), "{refused}");
        }
    }
}
