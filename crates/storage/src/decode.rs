//! Every decoder of bytes from files in one function, for fuzzing.

use std::path::Path;

use crate::checksum::{Secret, Seed};
use crate::log::block::{Header, Seeds};
use crate::log::extent;
use crate::log::extent::extent_name;
use crate::log::record::{self, Entry, Lists};
use crate::log::scan::Records;
use crate::manifest::Manifest;
use crate::store::{kept, segment, spill};
use crate::{Lsn, PutCopy, Record, StateObject, manifest};

/// Decodes `bytes` as each kind of thing that storage reads from files. Returns for any bytes: a checksum is
/// no defence against an author who can compute one, so the decoders behind it are tried without.
pub fn decode_any(bytes: &[u8]) {
    let identity = [7; 16];
    let seeds = Seeds { identity: Seed::of_queue_manager(&identity, Secret(3)), epoch: Seed::of_nonce(1) };
    let _ = Header::decode(bytes, 4096, seeds);
    let _ = extent::check_page(bytes, &identity, 0, Path::new("log"));
    let _ = Manifest::decode(bytes);
    let _ = manifest::decode_content(bytes);
    segment::decode_any(bytes);
    kept::decode_any(bytes);
    spill::decode_any(bytes);
    if let Ok(object) = StateObject::decode(bytes) {
        assert_eq!(object.encode(), bytes, "a state object is read as it was written");
    }
    if let Ok(name) = std::str::from_utf8(bytes) {
        let is_extent = extent::position_in_name(name).is_some_and(|first| extent_name(first) != name);
        let is_segment = segment::number_in_name(name)
            .is_some_and(|number| segment::path(number) != Path::new("store").join(name));
        assert!(!is_extent && !is_segment, "a file has the name that its number gives it");
    }
    let mut lists = Lists::default();
    for (at, record) in Records::new(bytes, 4160) {
        let _ = record::verifies(record, seeds.epoch, at);
        if let Some(entry) = record::decode(record, &mut lists) {
            // What was read is what was written, but for the bytes nobody reads.
            let mut again = Vec::new();
            record::encode(&entry, &mut again);
            let length = record.len() + record::gained(record, &entry);
            assert_eq!(again.len(), length, "a record keeps its length");
            if let Entry::Engine(Record::PutMany { copies, .. }) = &entry {
                let is_found = |copy: PutCopy<'_>| copies.at(copy.offset) == Some(copy);
                assert!(copies.iter().all(is_found), "a message put with others is where it says");
            }
            record::seal(&mut again, seeds.epoch, Lsn(4160));
        }
    }
}
