//! The library of the C interface under the names that programs and transaction managers link to, in `lib64`
//! of a prefix.
//!
//! Always: it is one file, and the other names are links to it. It bears no name itself (`DT_SONAME`), so
//! that a program records the name that it was linked to, and loads it by that name (0095).

use crate::steps;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// The names that programs link to. The first is the file. Transaction managers are given the last eight.
pub(crate) const NAMES: [&str; 13] = [
    "libmqm_r.so",
    "libmqm.so",
    "libmqic_r.so",
    "libmqic.so",
    "libmqdc_r.so",
    "libmqmxa.so",
    "libmqmxa_r.so",
    "libmqmxa64.so",
    "libmqmxa64_r.so",
    "libmqcxa.so",
    "libmqcxa_r.so",
    "libmqcxa64.so",
    "libmqcxa64_r.so",
];

/// The name that `crates/capi/build.rs` gives the library.
const NAME_AS_BUILT: &str = "libferrymq_mqi.so";

/// Profile of the build: a panic ends the call and not the program.
pub(crate) const PROFILE: &str = "release-library";

/// Builds the library and lays it out; what was laid out.
pub(crate) fn install(root: &Path, prefix: &Path, profile: &str) -> Result<Vec<PathBuf>> {
    let build = ["cargo", "build", "--quiet", "--profile", profile, "--package", "capi", "--lib"];
    steps::program(root, &build, &[])?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let folder = if profile == "dev" { "debug" } else { profile };
    lay_out(prefix, &target.join(folder).join("libcapi.so"))
}

pub(crate) fn lay_out(prefix: &Path, library: &Path) -> Result<Vec<PathBuf>> {
    let folder = prefix.join("lib64");
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let built = fs::read(library).with_context(|| format!("cannot read {}", library.display()))?;
    let nameless = without_name(&built).with_context(|| format!("cannot use {}", library.display()))?;
    let mut laid_out = Vec::new();
    for (number, name) in NAMES.into_iter().enumerate() {
        // A program that runs keeps the file it has.
        let (path, beside) = (folder.join(name), folder.join(format!(".{name}.new")));
        let made = if number == 0 { fs::write(&beside, &nameless) } else { symlink(NAMES[0], &beside) };
        made.with_context(|| format!("cannot write {}", beside.display()))?;
        if number == 0 {
            fs::set_permissions(&beside, fs::metadata(library)?.permissions())?;
        }
        fs::rename(&beside, &path).with_context(|| format!("cannot write {}", path.display()))?;
        laid_out.push(path);
    }
    Ok(laid_out)
}

/// The library without the entry of its dynamic section that gives it a name.
fn without_name(library: &[u8]) -> Result<Vec<u8>> {
    let Name { entry, end, text } =
        name_of(library).context("it has no name in a dynamic section of 64 bits")?;
    let name = library.get(text..text + NAME_AS_BUILT.len());
    ensure!(name == Some(NAME_AS_BUILT.as_bytes()), "its name is not {NAME_AS_BUILT}");
    ensure!(entry + ENTRY_BYTES <= end && end <= library.len(), "its dynamic section is cut off");
    let mut nameless = library.to_vec();
    nameless.copy_within(entry + ENTRY_BYTES..end, entry);
    // The section ends with the first entry of zeros.
    nameless[end - ENTRY_BYTES..end].fill(0);
    Ok(nameless)
}

/// Bytes of an entry of a dynamic section: a tag and a value.
const ENTRY_BYTES: usize = 16;

/// The name of a library, by places in its file.
#[derive(Debug, PartialEq, Eq)]
struct Name {
    /// The entry of the dynamic section that gives it.
    entry: usize,
    /// The end of that section.
    end: usize,
    /// The text.
    text: usize,
}

/// The name that `DT_SONAME` points to.
fn name_of(file: &[u8]) -> Option<Name> {
    const LOAD: u32 = 1;
    const DYNAMIC: u32 = 2;
    const STRINGS: u64 = 5;
    const NAME: u64 = 14;
    let half = |at: usize| Some(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(file.get(at..at + 4)?.try_into().ok()?));
    let long = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?));
    // Magic, 64 bits, least significant byte first.
    if file.get(..6)? != b"\x7fELF\x02\x01" {
        return None;
    }
    let (headers, size, count) = (long(32)? as usize, half(54)? as usize, half(56)? as usize);
    let segments = || (0..count).map(|number| headers + number * size);
    let of_kind = |kind| segments().filter(move |at| word(*at) == Some(kind));
    let dynamic = of_kind(DYNAMIC).next()?;
    let (start, length) = (long(dynamic + 8)? as usize, long(dynamic + 32)? as usize);
    let end = start.checked_add(length)?;
    let entry = |tag| (start..end).step_by(ENTRY_BYTES).find(|at| long(*at) == Some(tag));
    let value = |tag| long(entry(tag)? + 8);
    let address = value(STRINGS)?.checked_add(value(NAME)?)?;
    let holding = of_kind(LOAD).find_map(|at| {
        let (offset, first, bytes) = (long(at + 8)?, long(at + 16)?, long(at + 32)?);
        (address >= first && address - first < bytes).then(|| offset + (address - first))
    })?;
    Some(Name { entry: entry(NAME)?, end, text: usize::try_from(holding).ok()? })
}

#[cfg(test)]
mod tests {
    use super::{NAME_AS_BUILT, NAMES, lay_out, name_of, without_name};
    use std::process::Command;

    /// A small library with a name, made by the C compiler of this machine.
    fn library(folder: &std::path::Path, name: &str) -> std::path::PathBuf {
        let (source, made) = (folder.join("one.c"), folder.join("libcapi.so"));
        std::fs::write(&source, "int MQCONN(void) { return 7; }\n").unwrap();
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", &format!("-Wl,-soname,{name}"), "-o"])
            .args([&made, &source])
            .status();
        assert!(status.unwrap().success());
        made
    }

    #[test]
    fn the_library_is_one_file_and_programs_record_the_name_that_they_were_linked_to() {
        let folder = tempfile::tempdir().unwrap();
        let built = library(folder.path(), NAME_AS_BUILT);
        let prefix = folder.path().join("opt");
        for _again in 0..2 {
            let laid_out = lay_out(&prefix, &built).unwrap();
            assert_eq!(laid_out, NAMES.map(|name| prefix.join("lib64").join(name)));
            let is_file = |path: &&std::path::PathBuf| !path.is_symlink();
            assert_eq!(laid_out.iter().filter(is_file).collect::<Vec<_>>(), [&laid_out[0]]);
        }
        let main = folder.path().join("main.c");
        std::fs::write(&main, "int MQCONN(void);\nint main(void) { return MQCONN() - 7; }\n").unwrap();
        for name in NAMES {
            let linked = folder.path().join(format!("with-{name}"));
            let link = name.trim_start_matches("lib").trim_end_matches(".so");
            let status = Command::new("cc")
                .arg(&main)
                .arg(format!("-L{}", prefix.join("lib64").display()))
                .args([&format!("-l{link}"), "-o"])
                .arg(&linked)
                .status();
            assert!(status.unwrap().success(), "{name}");
            let bytes = std::fs::read(&linked).unwrap();
            let recorded =
                |text: &str| bytes.windows(text.len() + 1).any(|part| part == format!("{text}\0").as_bytes());
            assert!(recorded(name) && !recorded(NAME_AS_BUILT), "{name}");
            let run = Command::new(&linked).env("LD_LIBRARY_PATH", prefix.join("lib64")).status();
            assert!(run.unwrap().success(), "{name}");
        }
    }

    #[test]
    fn what_is_no_library_of_ours_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let other = std::fs::read(library(folder.path(), "libother.so")).unwrap();
        assert!(without_name(&other).is_err());
        let ours = std::fs::read(library(folder.path(), NAME_AS_BUILT)).unwrap();
        let nameless = without_name(&ours).unwrap();
        assert!(without_name(&nameless).is_err(), "it has no name any more");
        for whole in [&other, &ours] {
            for length in (0..whole.len()).step_by(97) {
                let _ = without_name(&whole[..length]);
            }
        }
        assert_eq!(name_of(b"no library"), None);
    }
}
