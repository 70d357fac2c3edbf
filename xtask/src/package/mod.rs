//! `cargo xtask package` and `cargo xtask release`: everything that a machine without a compiler is given.
//!
//! Lives here: the two commands. `making` has the request and the order of the work. `build` compiles,
//! `laid_out` has the files that all packages share, `linked` those that their documents link to, `tree` lays
//! files out, `deb`, `image`, `chart` and `archive` pack them, `notes` says what is new, `bill` lists their
//! parts, `check` tries them on a small Debian system.
//!
//! Always: packages follow from the files alone. Times are that of the last commit (or SOURCE_DATE_EPOCH),
//! owners are numbers, names are sorted, paths of this machine are left out: two runs give the same bytes.

mod archive;
mod bill;
mod build;
mod chart;
mod check;
mod deb;
mod facts;
mod image;
mod laid_out;
mod linked;
mod making;
mod notes;
mod release;
mod tree;

use anyhow::Result;
use facts::Facts;
use making::{PackageOptions, make};
use std::path::Path;
use std::process::ExitCode;

/// Builds the programs and packs them; checks the packages where that is asked for.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    let options = PackageOptions::parse(root, arguments)?;
    let facts = Facts::of(root, options.target)?;
    let packages = make(root, &options, &facts)?;
    let made = packages.debs.iter().chain([&packages.image, &packages.chart, &packages.archive]);
    made.for_each(|path| println!("{}", path.display()));
    if options.check {
        return check::run(root, &options, &facts, &packages);
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds and packs a release: archive, packages, notes and the sums of all of them. Uploads nothing.
pub(crate) fn release(root: &Path, arguments: &[&str]) -> Result<ExitCode> {
    release::run(root, arguments)
}
