//! Files whose checksums are right and whose numbers are not: what somebody who can compute a checksum wrote,
//! or damage that happened before it was computed. Nothing panics, nothing goes on for ever; what makes no
//! sense is refused.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use platform::simulated::Machine;
use platform::{Access, OpenMode};
use storage::Settings;

use crate::support::Engine;

fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 2, secondary_extents: 2, ..Settings::default() }
}

/// A queue manager with messages in log and store.
fn at_rest() -> Machine {
    let machine = Machine::new(3);
    let engine = Engine::create(&machine.world(), &tiny());
    for turn in 0..90 {
        engine.put(20_000);
        engine.force();
        if turn % 10 == 9 {
            engine.housekeeping();
        }
    }
    engine.put(200_000);
    engine.force();
    engine.checkpoint().unwrap();
    machine
}

/// Where a file has its checksum, and what it covers besides the bytes before it.
#[derive(Clone, Copy, Debug)]
struct Sealed {
    /// First byte of the checksum; 12 bytes before it are covered.
    sum: usize,
    /// The end of what is covered behind it.
    end: usize,
}

/// Writes a number and makes the checksum right again.
fn forge(bytes: &mut [u8], sealed: Sealed, at: usize, number: &[u8]) {
    bytes[at..at + number.len()].copy_from_slice(number);
    let start = sealed.sum - 12;
    let before = crc32c::crc32c(&bytes[start..sealed.sum]);
    let sum = crc32c::crc32c_append(before, &bytes[sealed.sum + 4..sealed.end]);
    bytes[sealed.sum..sealed.sum + 4].copy_from_slice(&sum.to_le_bytes());
}

fn numbers(width: usize) -> Vec<Vec<u8>> {
    let (most, half) = (u64::MAX, 1_u64 << (width * 8 - 1));
    [0, 1, 4095, 4096, 8192, half - 1, half, most - 8191, most - 4096, most - 1, most]
        .map(|number: u64| number.to_le_bytes()[..width].to_vec())
        .into()
}

/// Starts, reads everything and goes on for a while.
fn live_on(machine: &Machine) {
    let Ok(engine) = Engine::open(&machine.world(), &tiny()) else { return };
    let messages = engine.state.lock().messages.clone();
    for kept in messages.values() {
        let _ = engine.storage.read(kept.location);
    }
    for _ in 0..8 {
        if engine.try_put(20_000, None).is_ok() {
            engine.force();
        }
    }
    let _ = engine.checkpoint();
    let _ = engine.storage.prepare();
}

fn survives(path: &Path, forged: &[u8], machine: &Machine, what: &str) {
    let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
    let file = machine.world().disk.open(path, OpenMode::Truncate, Access::Cached).unwrap();
    file.write_at(forged, 0).unwrap();
    file.sync().unwrap();
    let outcome = catch_unwind(AssertUnwindSafe(|| live_on(&machine)));
    assert!(outcome.is_ok(), "{} with {what}", path.display());
}

#[test]
fn no_number_in_a_file_makes_a_start_panic() {
    let machine = at_rest();
    let newest = ["manifest.0", "manifest.1"].map(PathBuf::from).into_iter().max_by_key(|path| {
        let bytes = machine.disk.content(path).unwrap();
        u64::from_le_bytes(bytes[24..32].try_into().unwrap())
    });
    let newest = newest.unwrap();
    let content = machine.disk.content(&newest).unwrap();
    let length = u64::from_le_bytes(content[16..24].try_into().unwrap()) as usize;
    let sealed = Sealed { sum: 12, end: 64 + length };
    // Length and generation; replay start and durable end, the chain, a nonce, segments and the first of
    // them.
    let fields = [
        (16, 8),
        (24, 8),
        (64, 8),
        (72, 8),
        (80, 8),
        (92, 4),
        (104, 8),
        (116, 8),
        (124, 4),
        (128, 4),
        (132, 4),
        (136, 4),
        (140, 8),
    ];
    for (at, width) in fields {
        for number in numbers(width) {
            let mut forged = content.clone();
            forge(&mut forged, sealed, at, &number);
            survives(&newest, &forged, &machine, &format!("{number:?} at {at}"));
        }
    }
    let files = machine.disk.files();
    let of = |directory: &str| {
        let is_one =
            |path: &Path| path.starts_with(directory) && path.extension().is_some_and(|kind| kind == "seg");
        files.iter().map(|(path, _)| path).filter(|path| is_one(path)).cloned().collect::<BTreeSet<_>>()
    };
    // The first page of an extent and of a segment.
    for path in of("log").iter().chain(&of("store")) {
        let content = machine.disk.content(path).unwrap();
        for at in [32, 40] {
            for number in numbers(8) {
                let mut forged = content.clone();
                forge(&mut forged, Sealed { sum: 12, end: 48 }, at, &number);
                survives(path, &forged, &machine, &format!("{number:?} at {at}"));
            }
        }
    }
    // The end of a segment and the last entry before it, which the manifest would know.
    let mut forged = content.clone();
    let mut entry = 132;
    for _ in 0..u32::from_le_bytes(content[128..132].try_into().unwrap()) {
        let messages = u32::from_le_bytes(content[entry + 4..entry + 8].try_into().unwrap());
        forge(&mut forged, sealed, entry + 8, &[0; 12]);
        entry += 20 + messages.div_ceil(64) as usize * 8;
    }
    let file = machine.world().disk.open(&newest, OpenMode::Write, Access::Cached).unwrap();
    file.write_at(&forged, 0).unwrap();
    assert!(
        Engine::open(&Machine::with_disk(machine.disk.image().without_crash(), 1).world(), &tiny()).is_ok()
    );
    for path in of("store") {
        let content = machine.disk.content(&path).unwrap();
        let trailer = content.len() - 64;
        let footer = u64::from_le_bytes(content[trailer + 8..trailer + 16].try_into().unwrap()) as usize;
        let fields =
            [(trailer + 8, 8), (trailer + 16, 4), (trailer - 40, 8), (trailer - 32, 4), (trailer - 24, 8)];
        for (at, width) in fields {
            for number in numbers(width) {
                let mut forged = content.clone();
                forged[at..at + width].copy_from_slice(&number);
                let sum = crc32c::crc32c(&forged[footer..trailer]);
                forged[trailer + 20..trailer + 24].copy_from_slice(&sum.to_le_bytes());
                let sum = crc32c::crc32c(&forged[trailer..trailer + 28]);
                forged[trailer + 28..trailer + 32].copy_from_slice(&sum.to_le_bytes());
                survives(&path, &forged, &machine, &format!("{number:?} at {at}"));
            }
        }
    }
}
