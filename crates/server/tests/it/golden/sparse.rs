//! A directory as one file without its zeros: log files are mostly those.
//!
//! ```text
//! file       length of name 2 | name | length 8 | runs 4 | run …
//! run        offset 8 | length 4 | bytes
//! ```
//!
//! Numbers are little-endian; files stand in the order of their names.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// So many zeros end a run: its head is shorter.
const ZEROS_MIN: usize = 32;

/// Every file below a directory, in the order of names.
pub(super) fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

pub(super) fn pack(root: &Path) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    for path in files(root)? {
        let name = path.strip_prefix(root).map_err(io::Error::other)?.to_string_lossy().into_owned();
        let bytes = fs::read(&path)?;
        let runs = runs(&bytes);
        packed.extend_from_slice(&u16::try_from(name.len()).map_err(io::Error::other)?.to_le_bytes());
        packed.extend_from_slice(name.as_bytes());
        packed.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        packed.extend_from_slice(&u32::try_from(runs.len()).map_err(io::Error::other)?.to_le_bytes());
        for (start, end) in runs {
            packed.extend_from_slice(&(start as u64).to_le_bytes());
            packed.extend_from_slice(&u32::try_from(end - start).map_err(io::Error::other)?.to_le_bytes());
            packed.extend_from_slice(&bytes[start..end]);
        }
    }
    Ok(packed)
}

/// Where bytes begin and end that are not long rows of zeros.
fn runs(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        match runs.last_mut() {
            Some((_, end)) if at - *end < ZEROS_MIN => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

pub(super) fn unpack(packed: &[u8], root: &Path) -> io::Result<()> {
    let mut rest = packed;
    while !rest.is_empty() {
        let length = u16::from_le_bytes(take(&mut rest)?);
        let name = bytes(&mut rest, length.into())?;
        let path = root.join(std::str::from_utf8(name).map_err(io::Error::other)?);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = File::create(&path)?;
        file.set_len(u64::from_le_bytes(take(&mut rest)?))?;
        for _ in 0..u32::from_le_bytes(take(&mut rest)?) {
            let at = u64::from_le_bytes(take(&mut rest)?);
            let length = u32::from_le_bytes(take(&mut rest)?);
            file.write_all_at(bytes(&mut rest, length as usize)?, at)?;
        }
    }
    Ok(())
}

fn bytes<'a>(rest: &mut &'a [u8], length: usize) -> io::Result<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(length).ok_or(io::ErrorKind::UnexpectedEof)?;
    *rest = after;
    Ok(taken)
}

fn take<const LENGTH: usize>(rest: &mut &[u8]) -> io::Result<[u8; LENGTH]> {
    bytes(rest, LENGTH)?.try_into().map_err(io::Error::other)
}

#[test]
fn a_directory_comes_back_as_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("from"), directory.path().join("to"));
    fs::create_dir_all(from.join("log")).unwrap();
    let mut bytes = vec![0; 100_000];
    (bytes[5], bytes[20], bytes[5_000], bytes[99_999]) = (1, 2, 3, 4);
    fs::write(from.join("log/a"), &bytes).unwrap();
    fs::write(from.join("b"), b"text").unwrap();
    fs::write(from.join("empty"), b"").unwrap();
    let packed = pack(&from).unwrap();
    assert!(packed.len() < 200, "{}", packed.len());
    unpack(&packed, &to).unwrap();
    assert_eq!(fs::read(to.join("log/a")).unwrap(), bytes);
    assert_eq!(pack(&to).unwrap(), packed);
}
