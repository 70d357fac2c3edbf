//! Files of a queue manager as a release to come may write them.

use std::fs;
use std::path::Path;

/// Fields at the same place in every file of any version: the version, and the checksum of the first page or
/// of a manifest.
const VERSION: std::ops::Range<usize> = 8..12;
const CHECKSUM: std::ops::Range<usize> = 12..16;
/// Bytes of the first page of an extent or a segment.
const PAGE_BYTES: usize = 48;
/// The head of a manifest, before as many bytes as it says.
const MANIFEST_HEAD_BYTES: usize = 64;
const MANIFEST_LENGTH: std::ops::Range<usize> = 16..24;

/// The version that [`make_newer`] gives.
pub(crate) const NEWER: u32 = 99;

/// Gives a file the version of a release to come.
pub(crate) fn make_newer(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let is_manifest = path.file_name().unwrap().to_string_lossy().starts_with("manifest.");
    let end = if is_manifest {
        let length = u64::from_le_bytes(bytes[MANIFEST_LENGTH].try_into().unwrap());
        MANIFEST_HEAD_BYTES + usize::try_from(length).unwrap()
    } else {
        PAGE_BYTES
    };
    bytes[VERSION].copy_from_slice(&NEWER.to_le_bytes());
    let sum = crc32c::crc32c_append(crc32c::crc32c(&bytes[..VERSION.end]), &bytes[CHECKSUM.end..end]);
    bytes[CHECKSUM].copy_from_slice(&sum.to_le_bytes());
    fs::write(path, bytes).unwrap();
}
