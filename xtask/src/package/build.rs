//! Programs and libraries as packages have them: the same bytes whatever folder they are built in.
//!
//! Always: no path of this machine is in what is built. The programs are linked statically to the C library
//! that the tests ran with (0044). The library that C programs load is not: nothing static can be loaded, and
//! a panic in it must not end the program. So there are two builds, and cargo shows how far each is.

use super::facts::{Facts, say};
use crate::libraries;
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files that were built.
pub(super) struct Built {
    /// The program `ferry`.
    pub(super) ferry: PathBuf,
    /// The program `ferry-bench`.
    pub(super) bench: PathBuf,
    /// The library, under the name it is built with.
    pub(super) library: PathBuf,
}

/// The folders of a build: the tree, and the one that it fills.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) root: &'a Path,
    pub(super) target: &'a Path,
}

/// Flags of the programs. A program that may be loaded anywhere has a list of its 37,000 addresses: packed it
/// has a bit for each, and is 0.9 MB smaller. The C library in it, 2.36 or newer, reads such a list; the
/// library of the C interface is for machines with older ones too.
const PROGRAM_FLAGS: &str = "-C target-feature=+crt-static -C link-arg=-Wl,-z,pack-relative-relocs";

/// Builds everything by one profile; the library by its own where that is `release`.
pub(super) fn build(place: Place<'_>, facts: &Facts, profile: &str) -> Result<Built> {
    let library = if profile == "release" { libraries::PROFILE } else { profile };
    say(&format!("building 1 of 2: ferry and ferry-bench for {}, profile {profile}", facts.target.triple));
    cargo(place, facts, profile, PROGRAM_FLAGS, &["-p", "cli", "-p", "ferry-bench"])?;
    say(&format!("building 2 of 2: the library of the C interface, profile {library}"));
    cargo(place, facts, library, "", &["-p", "capi", "--lib"])?;
    let folder = |profile: &str| {
        let folder = if profile == "dev" { "debug" } else { profile };
        place.target.join(facts.target.triple).join(folder)
    };
    Ok(Built {
        ferry: folder(profile).join("ferry"),
        bench: folder(profile).join("ferry-bench"),
        library: folder(library).join("libcapi.so"),
    })
}

/// The folder that builds of a tree fill unless another is named.
pub(super) fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

fn cargo(place: Place<'_>, facts: &Facts, profile: &str, flags: &str, what: &[&str]) -> Result<()> {
    let Place { root, target } = place;
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .context("neither CARGO_HOME nor HOME is set")?;
    // Of several that fit a path compilers take the last: the folder of the build may lie in the tree.
    let folders = [(root, "/ferrymq"), (&*cargo_home, "/cargo"), (target, "/build")];
    let each = |option: &str| -> String {
        let options = folders.iter().map(|(from, to)| format!("{option}={}={to}", from.display()));
        options.collect::<Vec<_>>().join(" ")
    };
    let mut command = Command::new("cargo");
    command.env("CARGO_TARGET_DIR", target);
    command.current_dir(root).args(["build", "--locked", "--profile", profile]);
    command.args(["--target", facts.target.triple]).args(what);
    command.env("RUSTFLAGS", format!("{flags} {}", each("--remap-path-prefix")).trim());
    // C sources have no paths of this machine in them either.
    command.env("CFLAGS", each("-ffile-prefix-map"));
    command.env("FERRY_COMMIT", &facts.commit).env("SOURCE_DATE_EPOCH", facts.time.to_string());
    if let Some(compiler) = facts.target.compiler {
        let triple = facts.target.triple.replace('-', "_");
        command.env(format!("CC_{triple}"), compiler);
        command.env(format!("CARGO_TARGET_{}_LINKER", triple.to_uppercase()), compiler);
    }
    let status = command.status().context("cannot start cargo")?;
    if !status.success() {
        bail!("{command:?} ended with {status}");
    }
    Ok(())
}
