//! The library of the C interface under the five names that programs link to, in `lib64` of a prefix.
//!
//! It is built once and copied; each copy bears its own name (`DT_SONAME`), which programs that are linked to
//! it record.

use crate::steps;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The names that programs link to.
pub(crate) const NAMES: [&str; 5] =
    ["libmqm_r.so", "libmqm.so", "libmqic_r.so", "libmqic.so", "libmqdc_r.so"];

/// The name that `crates/capi/build.rs` gives the library; none of the others is longer.
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
    let mut laid_out = Vec::new();
    for name in NAMES {
        let named =
            with_name(&built, name).with_context(|| format!("cannot rename {}", library.display()))?;
        // A program that runs keeps the file it has.
        let (path, beside) = (folder.join(name), folder.join(format!(".{name}.new")));
        fs::write(&beside, named).with_context(|| format!("cannot write {}", beside.display()))?;
        fs::set_permissions(&beside, fs::metadata(library)?.permissions())?;
        fs::rename(&beside, &path).with_context(|| format!("cannot write {}", path.display()))?;
        laid_out.push(path);
    }
    Ok(laid_out)
}

/// The library with another name in its dynamic section.
fn with_name(library: &[u8], name: &str) -> Result<Vec<u8>> {
    ensure!(name.len() <= NAME_AS_BUILT.len(), "{name} is longer than the name it was built with");
    let at = place_of_name(library).context("it has no name in a dynamic section of 64 bits")?;
    let old = library.get(at..at + NAME_AS_BUILT.len());
    ensure!(old == Some(NAME_AS_BUILT.as_bytes()), "its name is not {NAME_AS_BUILT}");
    let mut named = library.to_vec();
    named[at..at + NAME_AS_BUILT.len()].fill(0);
    named[at..at + name.len()].copy_from_slice(name.as_bytes());
    Ok(named)
}

/// Where in the file the name is that `DT_SONAME` points to.
fn place_of_name(file: &[u8]) -> Option<usize> {
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
    let entry = |tag| {
        let mut entries = (start..start.checked_add(length)?).step_by(16);
        entries.find(|at| long(*at) == Some(tag)).and_then(|at| long(at + 8))
    };
    let address = entry(STRINGS)?.checked_add(entry(NAME)?)?;
    let holding = of_kind(LOAD).find_map(|at| {
        let (offset, first, bytes) = (long(at + 8)?, long(at + 16)?, long(at + 32)?);
        (address >= first && address - first < bytes).then(|| offset + (address - first))
    })?;
    usize::try_from(holding).ok()
}

#[cfg(test)]
mod tests {
    use super::{NAME_AS_BUILT, NAMES, lay_out, place_of_name, with_name};
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
    fn each_library_has_its_own_name_and_programs_record_it() {
        let folder = tempfile::tempdir().unwrap();
        let built = library(folder.path(), NAME_AS_BUILT);
        let prefix = folder.path().join("opt");
        let laid_out = lay_out(&prefix, &built).unwrap();
        assert_eq!(laid_out, NAMES.map(|name| prefix.join("lib64").join(name)));
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
        assert!(with_name(&other, NAMES[0]).is_err());
        for length in (0..other.len()).step_by(97).take(60) {
            let _ = place_of_name(&other[..length]);
        }
        assert_eq!(place_of_name(b"no library"), None);
    }
}
