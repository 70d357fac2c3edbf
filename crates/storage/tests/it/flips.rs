//! Bits that flip in bodies of messages: each costs the message that it is in, and no other.

use std::collections::BTreeSet;
use std::path::Path;

use platform::simulated::{Machine, Random, Rot};
use storage::{KeptMessage, OpenError, ReadError, StoredMessage};

use crate::support::{Engine, body, descriptor, head, small};

const LOG: &str = "log/0000000000000000.seg";
/// Bytes of a body in one fragment.
const FRAGMENT_BYTES: usize = (64 << 10) - 96;

/// State in which the log was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Closed by a checkpoint, as an orderly end does.
    Orderly,
    /// Nothing tells that the last block was acknowledged.
    Killed,
}

/// Where bytes of a body are that was the last to be written.
fn body_places(content: &[u8], sequence: u64, length: usize) -> Vec<std::ops::Range<usize>> {
    let whole = body(sequence, length);
    let piece = if length > 64 << 10 { FRAGMENT_BYTES } else { length };
    let find = |wanted: &[u8]| {
        let at = content.windows(wanted.len()).rposition(|bytes| bytes == wanted);
        at.unwrap_or_else(|| panic!("the body of {sequence} is in the log"))
    };
    let place = |piece: &[u8]| {
        let at = find(piece);
        at..at + piece.len()
    };
    whole.chunks(piece).map(place).collect()
}

/// Starts on a log in which this message is damaged, and goes on with it.
fn lacks_alone(machine: &Machine, visible: &BTreeSet<u64>, hurt: u64, what: &str) {
    let mut visible = visible.clone();
    for start in 0..3 {
        let engine = Engine::open(&machine.world(), &small());
        let engine = engine.unwrap_or_else(|error| panic!("{what}, start {start}: {error}"));
        assert_eq!(engine.visible(), visible, "{what}, start {start}");
        assert_eq!(*engine.damaged.lock(), BTreeSet::from([hurt]), "{what}, start {start}");
        for (sequence, kept) in engine.state.lock().messages.clone() {
            match engine.storage.read(kept.location) {
                Err(ReadError::Damaged { path, .. }) if sequence == hurt => {
                    assert_eq!(path, Path::new(LOG), "{what}");
                }
                _ => engine.verify_one(sequence, kept.location),
            }
        }
        // The next start but one finds blocks behind it.
        if start > 0 {
            visible.insert(engine.put(3000).0);
            engine.force();
        }
    }
}

#[test]
fn a_bit_that_flips_in_a_body_of_the_log_costs_that_message_alone() {
    let mut random = Random::new(8);
    for length in [1, 60, 1000, 4100, 30_000, 65_000, 200_000] {
        for end in [End::Orderly, End::Killed] {
            for in_unit in [false, true] {
                let machine = Machine::new(2);
                let engine = Engine::create(&machine.world(), &small());
                // The last one alone in its block; every fourth is logged as those of a publication are.
                let unit = in_unit.then(|| engine.begin());
                let put = |_| engine.try_put(length, unit).map(|(sequence, put)| (sequence, put.need.0));
                let puts: Vec<(u64, u64)> = (0..4).map(put).collect::<Result<_, _>>().unwrap();
                unit.map(|unit| engine.commit(unit));
                engine.force();
                let (last, put) = engine.put(length);
                engine.force();
                if end == End::Orderly {
                    engine.checkpoint().unwrap();
                }
                let visible = engine.visible();
                drop(engine);
                let image = machine.disk.image();
                let content = machine.disk.content(Path::new(LOG)).unwrap();
                for (sequence, need) in puts.into_iter().chain([(last, put.need.0)]) {
                    let content = &content[..need as usize];
                    let places = if length >= 40 { body_places(content, sequence, length) } else { vec![] };
                    let byte = match places.is_empty() {
                        false => {
                            let place = random.pick(&places).clone();
                            place.start + random.below(place.len() as u64) as usize
                        }
                        true => byte_of_small(content, sequence, length),
                    };
                    let rot = Rot::FlipBit(8 * byte as u64 + random.below(8));
                    let machine = Machine::with_disk(image.without_crash(), 1);
                    assert!(machine.disk.rot(Path::new(LOG), rot));
                    let what = format!("{length} bytes, {end:?}, unit {in_unit}: {rot:?} of {sequence}");
                    lacks_alone(&machine, &visible, sequence, &what);
                }
            }
        }
    }
}

/// Where a body of one byte is: behind its descriptor, or last in a record that has more behind that.
fn byte_of_small(content: &[u8], sequence: u64, length: usize) -> usize {
    let wanted = descriptor(sequence, length);
    let at = content.windows(wanted.len()).position(|bytes| bytes == wanted).unwrap() + wanted.len();
    if sequence.is_multiple_of(4) { at + 48 } else { at }
}

/// A write that was cut off leaves pages, not bits.
#[test]
fn a_last_block_of_which_pages_are_missing_is_cut_off_as_before() {
    for length in [9000, 30_000, 60_000] {
        let machine = Machine::new(2);
        let engine = Engine::create(&machine.world(), &small());
        engine.put(100);
        engine.force();
        let whole = engine.visible();
        let begin = engine.storage.appended().0.div_ceil(4096);
        engine.put(length);
        let end = engine.force().0.div_ceil(4096);
        drop(engine);
        let image = machine.disk.image();
        for page in begin..end {
            let machine = Machine::with_disk(image.without_crash(), 1);
            assert!(machine.disk.rot(Path::new(LOG), Rot::ZeroBlock(page)));
            let engine = Engine::open(&machine.world(), &small()).unwrap();
            assert_eq!(engine.visible(), whole, "{length} bytes without page {page}");
            assert!(engine.damaged.lock().is_empty());
        }
    }
}

/// All that a record says of its message must be right: a start that believed it would put the message
/// elsewhere.
#[test]
fn a_bit_that_flips_in_what_a_record_says_of_a_message_is_damage_to_the_log() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    let (sequence, put) = engine.put(1000);
    engine.put(1000);
    engine.force();
    engine.put(1000);
    engine.force();
    drop(engine);
    let image = machine.disk.image();
    let content = machine.disk.content(Path::new(LOG)).unwrap();
    let begin = body_places(&content, sequence, 1000)[0].start;
    for byte in put.at.0 as usize..begin {
        let machine = Machine::with_disk(image.without_crash(), 1);
        assert!(machine.disk.rot(Path::new(LOG), Rot::FlipBit(8 * byte as u64 + byte as u64 % 8)));
        let opened = Engine::open(&machine.world(), &small()).map(drop);
        assert!(matches!(opened, Err(OpenError::Damaged { .. })), "byte {byte}: {opened:?}");
    }
}

#[test]
fn a_bit_that_flips_in_a_kept_body_costs_that_message_alone() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    let kept = |sequence: u64| {
        let (descriptor, body) = (descriptor(sequence, 900), body(sequence, 900));
        let message = StoredMessage { descriptor: descriptor.into(), body: body.into() };
        KeptMessage { head: head(sequence), backout_count: 0, message }
    };
    assert_eq!(engine.storage.keep(&mut (0..5).map(kept)).unwrap(), 5);
    let content = machine.disk.content(Path::new("store/kept")).unwrap();
    let at = body_places(&content, 2, 900)[0].start + 17;
    assert!(machine.disk.rot(Path::new("store/kept"), Rot::FlipBit(8 * at as u64 + 3)));
    let mut given = Vec::new();
    let found = engine.storage.read_kept(&mut |kept| given.push(kept.head.sequence.0)).unwrap();
    assert_eq!((given, found.kept, found.read), (vec![0, 1, 3, 4], 5, 4));
    let damage = found.damage.unwrap();
    assert!(damage.contains("store/kept is damaged at offset"), "{damage}");
}
