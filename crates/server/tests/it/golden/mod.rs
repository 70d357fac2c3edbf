//! Data directories of every version, kept in `tests/golden`: what one wrote, this one reads, and a newer one
//! it names.
//!
//! Lives here: opening each and comparing it with what it held. `workload` makes one with this version,
//! `audit` writes down what a queue manager holds, `units` has units of work in doubt, `sparse` keeps a
//! directory without its zeros.
//!
//! Always: from the first release on, directories are added and never changed. Until then `cargo xtask
//! golden` makes the one of this version anew when a format changes.

mod audit;
mod sparse;
mod units;
mod workload;

use std::fs;
use std::path::{Path, PathBuf};

use server::{DataDirectory, Server};

use audit::audit;

use crate::newer::{NEWER, make_newer};

/// The queue manager in each of them.
const NAME: &str = "GOLDEN";
/// The directory without its zeros.
const FILES: &str = "directory.sparse";
/// Its content.
const AUDIT: &str = "audit.txt";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Lists the versions, oldest first.
fn versions() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let mut versions: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    versions.sort();
    versions
}

/// A data directory with what a version kept.
fn unpacked(version: &Path) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    sparse::unpack(&fs::read(version.join(FILES)).unwrap(), &directory.path().join(NAME)).unwrap();
    directory
}

#[test]
fn the_directories_of_all_versions_hold_what_they_held() {
    if std::env::var_os("FERRY_WRITE_GOLDEN").is_some() {
        write(&folder().join(env!("CARGO_PKG_VERSION")));
    }
    let versions = versions();
    assert!(!versions.is_empty(), "there is none: cargo xtask golden");
    for version in versions {
        let expected = fs::read_to_string(version.join(AUDIT)).unwrap();
        let directory = unpacked(&version);
        assert_eq!(audit(directory.path(), NAME), expected, "{}", version.display());
        // The start that read it wrote: what it left must read the same.
        assert_eq!(audit(directory.path(), NAME), expected, "{}, a second time", version.display());
    }
}

/// Makes the directory of this version.
fn write(version: &Path) {
    let directory = tempfile::tempdir().unwrap();
    let copy = directory.path().join("copy");
    workload::run(&directory.path().join("data"), NAME, &copy);
    let packed = sparse::pack(&copy.join(NAME)).unwrap();
    fs::create_dir_all(version).unwrap();
    fs::write(version.join(FILES), packed).unwrap();
    let held = audit(&copy, NAME);
    workload::check(&held);
    fs::write(version.join(AUDIT), held).unwrap();
}

#[test]
fn a_format_newer_than_this_program_is_refused_by_name_in_every_kind_of_file() {
    let versions = versions();
    for kind in ["manifest.", "log/", "store/0"] {
        let directory = unpacked(versions.last().unwrap());
        let root = directory.path().join(NAME);
        let mut changed = 0;
        for file in sparse::files(&root).unwrap() {
            let name = file.strip_prefix(&root).unwrap().to_str().unwrap();
            if name.starts_with(kind) {
                make_newer(&file);
                changed += 1;
            }
        }
        assert!(changed > 0, "the directory has no file of the kind {kind}");
        let data = DataDirectory::at(directory.path());
        let refusal = Server::start(&server::Options {
            addresses: Some(Vec::new()),
            ..server::Options::new(data, NAME.parse().unwrap())
        });
        let text = refusal.err().unwrap_or_else(|| panic!("it starts with a newer {kind}")).to_string();
        let expected = format!("has format version {NEWER}, this program reads up to ");
        assert!(text.contains(&expected), "{kind}: {text}");
        assert!(text.contains(kind), "it names the file: {text}");
    }
}
