//! Files that rot, or of which a part cannot be read.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use platform::simulated::{
    CrashPolicy, Damage, Failure, Fault, Machine, OperationKind, Random, Repeat, Rot, Survival,
};
use platform::{Access, OpenMode};
use storage::inspect::{Inspection, Logged};
use storage::{KeptMessage, Location, Lsn, OpenError, Settings, StoredMessage};

use crate::support::{Engine, at_rest, body, descriptor, head, logs, position, small, tiny};

/// The header of a block that did not get through says that the epoch before it was durable: that epoch's
/// block must not be written over, or the header would be a witness of something that a second crash made
/// unreadable.
#[test]
fn an_epoch_that_a_torn_block_speaks_of_stays() {
    let log = Path::new("log/0000000000000000.seg");
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    let before = machine.disk.image();
    engine.put(20_000);
    engine.force();
    let header = machine.disk.content(log).unwrap()[8192..12288].to_vec();
    drop(engine);
    for seed in 0..40 {
        // Cut at each call that the restart makes before it is done, that which writes the epoch among them.
        for call in 1.. {
            let torn = Machine::with_disk(before.without_crash(), seed);
            let file = torn.world().disk.open(log, OpenMode::Write, Access::Cached).unwrap();
            file.write_at(&header, 8192).unwrap();
            file.sync().unwrap();
            torn.disk.crash_at(torn.disk.boundaries() + call);
            if Engine::open(&torn.world(), &tiny()).is_ok() {
                assert!(call > 1, "a restart writes");
                break;
            }
            let policy = CrashPolicy { survival: Survival::Everything, damage: Some(Damage::Garbage) };
            let crashed = torn.disk.crash(&mut Random::new(seed), policy);
            let engine = Engine::open(&Machine::with_disk(crashed, seed).world(), &tiny()).unwrap();
            assert!(engine.visible().is_empty());
        }
    }
}

#[test]
fn rot_is_found_and_named_never_silent() {
    let (machine, visible) = at_rest();
    let image = machine.disk.image();
    let files = machine.disk.files();
    let mut random = Random::new(3);
    let (mut refused, mut harmless, mut damaged_message) = (0, 0, 0);
    for case in 0..600 {
        let machine = Machine::with_disk(image.without_crash(), case);
        let (path, length) = random.pick(&files).clone();
        let blocks = length / 4096;
        if blocks == 0 {
            continue;
        }
        let rot = match random.below(5) {
            0 => Rot::FlipBit(random.below(length * 8)),
            1 => Rot::ZeroBlock(random.below(blocks)),
            2 => Rot::SwapBlocks(random.below(blocks), random.below(blocks)),
            3 => Rot::Misdirect(random.below(blocks), random.below(blocks)),
            _ => Rot::Truncate(random.below(length)),
        };
        machine.disk.rot(&path, rot);
        match Engine::open(&machine.world(), &tiny()) {
            Err(error) => {
                refused += 1;
                let text = error.to_string();
                assert!(
                    text.contains("log/") || text.contains("store/") || text.contains("manifest"),
                    "{text}"
                );
            }
            Ok(engine) => {
                let messages = engine.state.lock().messages.clone();
                let found: BTreeSet<u64> = messages.keys().copied().collect();
                // Only the very last block cannot be told from one that was being written.
                let lost: Vec<_> = visible.difference(&found).collect();
                assert!(lost.len() <= 1 && found.is_subset(&visible), "{path:?} {rot:?}: {lost:?}");
                harmless += 1;
                for (sequence, kept) in messages {
                    match engine.storage.read(kept.location) {
                        Ok(_) => engine.verify_one(sequence, kept.location),
                        Err(error) => {
                            damaged_message += 1;
                            let text = error.to_string();
                            assert!(text.contains("store/") || text.contains("log/"), "{text}");
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 50 && harmless > 50 && damaged_message > 5, "{refused} {harmless} {damaged_message}");
}

/// Blocks of every file that a restart reads, and every byte at the head and the end of one of each kind:
/// zeroed, unreadable, a bit of it flipped. Either nothing is missed, or what is wrong is told with the file,
/// the place and what to do.
#[test]
fn what_rots_is_done_without_or_named_with_a_way_out() {
    let (machine, visible) = at_rest();
    // The end of the log is then the beginning of a start: without it nothing is missed.
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    assert_eq!(engine.storage.keep(&mut kept_messages()).unwrap(), KEPT);
    drop(engine);
    let image = machine.disk.image();
    let mut kinds = BTreeSet::new();
    for (path, length) in machine.disk.files() {
        let content = machine.disk.content(&path).unwrap();
        let kind = (path.parent().map(Path::to_owned), path.extension().map(|kind| kind == "seg"));
        let mut rots = Vec::new();
        if kinds.insert(kind) {
            let ends = (0..64).chain(length.saturating_sub(64)..length).filter(|byte| *byte < length);
            rots.extend(ends.map(|byte| Rot::FlipBit(byte * 8 + byte % 8)));
        }
        let blocks = length.div_ceil(4096);
        let is_zero =
            |block: u64| content.iter().skip(block as usize * 4096).take(4096).all(|byte| *byte == 0);
        let is_tried = |block: &u64| {
            *block < 3 || block + 3 >= blocks || block.is_multiple_of(if is_zero(*block) { 64 } else { 11 })
        };
        for block in (0..blocks).filter(is_tried) {
            rots.extend([Rot::ZeroBlock(block), Rot::Unreadable(block), Rot::FlipBit(block * 4096 * 8 + 77)]);
        }
        for rot in rots {
            let machine = Machine::with_disk(image.without_crash(), 1);
            machine.disk.rot(&path, rot);
            let outcome = catch_unwind(AssertUnwindSafe(|| check_rotten(&machine, &visible)));
            let told = outcome.unwrap_or_else(|_| panic!("{} {rot:?}", path.display()));
            for error in told {
                assert!(error.contains(&*path.to_string_lossy()), "{} {rot:?}: {error}", path.display());
            }
        }
    }
}

/// Messages that an orderly end kept beside the log.
const KEPT: u64 = 20;

fn kept_messages() -> impl Iterator<Item = KeptMessage> {
    (0..KEPT).map(|sequence| {
        let (descriptor, body) = (descriptor(sequence, 900), body(sequence, 900));
        let message = StoredMessage { descriptor: descriptor.into(), body: body.into() };
        KeptMessage { head: head(sequence), backout_count: 0, message }
    })
}

/// Starts on files of which one is rotten, and reads all messages; what was told of it.
fn check_rotten(machine: &Machine, visible: &BTreeSet<u64>) -> Vec<String> {
    let engine = match Engine::open(&machine.world(), &tiny()) {
        Ok(engine) => engine,
        Err(error) => {
            let text = error.to_string();
            let names_place = text.contains("offset") || matches!(&error, OpenError::Cut { .. });
            let names_way =
                ["restore", "put it back", "put the", "start it with"].iter().any(|way| text.contains(way));
            assert!(names_place || matches!(&error, OpenError::NewerVersion { .. }), "no place: {text}");
            assert!(names_way, "no way out: {text}");
            return vec![text];
        }
    };
    let mut told = Vec::new();
    let messages = engine.state.lock().messages.clone();
    assert_eq!(messages.keys().copied().collect::<BTreeSet<u64>>(), *visible);
    for (sequence, kept) in messages {
        match engine.storage.read(kept.location) {
            Ok(_) => engine.verify_one(sequence, kept.location),
            Err(error) => {
                let text = error.to_string();
                assert!(text.contains("offset"), "{sequence}: {text}");
                told.push(text);
            }
        }
    }
    let mut given = 0;
    match engine.storage.read_kept(&mut |_| given += 1) {
        Ok(found) => {
            assert!(given == found.read && (given == KEPT || found.damage.is_some()), "{given}: {found:?}");
            told.extend(found.damage);
        }
        // Nobody is kept from starting by messages that need not outlast a failure, unless they are not of
        // this queue manager.
        Err(error) => {
            let is_foreign =
                matches!(error, OpenError::NewerVersion { .. } | OpenError::WrongQueueManager { .. });
            assert!(is_foreign, "{error}");
            told.push(error.to_string());
        }
    }
    told
}

#[test]
fn a_torn_tail_is_dropped_and_damage_before_it_is_refused() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    let (_, first) = engine.put(9000);
    engine.force();
    let (_, second) = engine.put(9000);
    engine.force();
    drop(engine);
    let image = machine.disk.image();
    let log = Path::new("log/0000000000000000.seg");

    let machine = Machine::with_disk(image.without_crash(), 1);
    assert!(machine.disk.rot(log, Rot::ZeroBlock(second.at.0 / 4096)));
    assert_eq!(Engine::open(&machine.world(), &small()).unwrap().visible(), BTreeSet::from([1]));

    let machine = Machine::with_disk(image.without_crash(), 1);
    let page = first.at.0 / 4096;
    assert!(machine.disk.rot(log, Rot::ZeroBlock(page)));
    let Err(OpenError::Damaged { path, offset, reason }) = Engine::open(&machine.world(), &small()) else {
        panic!("damage was not noticed");
    };
    assert_eq!((path, offset), (PathBuf::from(log), page * 4096));
    assert!(reason.contains("durable"), "{reason}");
}

/// An unreadable page counts as zeros. Where zeros were written the record verifies, and is shown.
#[test]
fn a_page_that_cannot_be_read_is_missed_only_where_something_was_written() {
    let log = Path::new("log/0000000000000000.seg");
    let mut tried = 0;
    // A block whose last page has but a byte or two of it, and these are zeros.
    for (before, length) in (0..256).flat_map(|before| (3_880..3_900).map(move |length| (before, length))) {
        if body(before + 1, length).last() != Some(&0) {
            continue;
        }
        let machine = Machine::new(2);
        let engine = Engine::create(&machine.world(), &small());
        for _ in 0..before {
            engine.put(10);
        }
        engine.force();
        let (_, put) = engine.put(length);
        engine.force();
        let visible = engine.visible();
        let end = engine.storage.appended().0;
        drop(engine);
        let content = machine.disk.content(log).unwrap();
        let page = (end - 1) / 4096;
        let is_zero = content[page as usize * 4096..].iter().take(4096).all(|byte| *byte == 0);
        if page == put.at.0 / 4096 || !is_zero {
            continue;
        }
        tried += 1;
        assert!(machine.disk.rot(log, Rot::Unreadable(page)));
        let engine = Engine::open(&machine.world(), &small());
        let engine = engine.unwrap_or_else(|error| panic!("{length} bytes: {error}"));
        assert_eq!(engine.visible(), visible, "{length} bytes");
        // It was said again where it can be read.
        drop(engine);
        assert_eq!(Engine::open(&machine.world(), &small()).unwrap().visible(), visible);
    }
    assert!(tried > 0);
}

const LOG: &str = "log/0000000000000000.seg";

#[test]
fn a_start_does_without_the_body_of_a_message_whose_sector_cannot_be_read_and_names_it() {
    // Of a message in one record, of one put with others, of one in fragments; in a unit of work or not.
    for (others, length, in_unit) in
        [(0, 20_000, false), (2, 20_000, false), (0, 200_000, false), (2, 200_000, true), (0, 20_000, true)]
    {
        let machine = Machine::new(2);
        let engine = Engine::create(&machine.world(), &small());
        for _ in 0..=others {
            engine.put(9000);
            engine.force();
        }
        let unit = in_unit.then(|| engine.begin());
        let before = engine.storage.appended();
        let (sequence, _) = engine.try_put(length, unit).unwrap();
        unit.map(|unit| engine.commit(unit));
        // What follows in the same block is shown, whatever it is.
        let (got, _) = engine.put(30);
        engine.get(got, None);
        engine.force();
        engine.put(9000);
        engine.force();
        let visible = engine.visible();
        drop(engine);
        let page = before.0.div_ceil(4096) + 2;
        assert!(machine.disk.rot(Path::new(LOG), Rot::Unreadable(page)));
        assert_eq!(lacking_bodies(&machine), 1);
        for _ in 0..3 {
            let engine = Engine::open(&machine.world(), &small())
                .unwrap_or_else(|error| panic!("{others} {length} {in_unit}: {error}"));
            assert_eq!(engine.visible(), visible);
            assert_eq!(*engine.damaged.lock(), BTreeSet::from([sequence]));
            for (found, kept) in engine.state.lock().messages.clone() {
                match engine.storage.read(kept.location) {
                    Err(error) if found == sequence => {
                        assert!(
                            error.to_string().contains("cannot read log/0000000000000000.seg"),
                            "{error}"
                        );
                    }
                    _ => engine.verify_one(found, kept.location),
                }
            }
            // The start can be built on, and so can the next one.
            let (passing, _) = engine.put(5000);
            engine.get(passing, None);
            engine.force();
        }
    }
}

/// Records of the log that are shown without the body, or piece of one, that was in them.
fn lacking_bodies(machine: &Machine) -> usize {
    let inspection = Inspection::open(&*machine.world().disk).unwrap();
    assert!(inspection.refusal.is_none());
    let mut lacking = 0;
    for block in inspection.blocks() {
        let mut show = |logged: Logged<'_>| {
            lacking += usize::from(logged.lacks_body);
            true
        };
        inspection.records(&block, &mut show).unwrap();
    }
    lacking
}

/// The rest of the sector may hold the end of a unit of work.
#[test]
fn a_sector_of_the_log_that_holds_more_than_a_body_is_missed() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    engine.put(100);
    let begin = engine.force();
    // Two messages in one block.
    engine.put(9000);
    engine.put(9000);
    let end = engine.force();
    engine.put(100);
    engine.force();
    drop(engine);
    let image = machine.disk.image();
    assert_eq!(end.0 - begin.0, 5 * 4096);
    // The header of the block, a body, its end and the head of the next message, the body of that, its end.
    for (page, is_body) in [false, true, false, true, true].into_iter().enumerate() {
        let machine = Machine::with_disk(image.without_crash(), 1);
        assert!(machine.disk.rot(Path::new(LOG), Rot::Unreadable(begin.0 / 4096 + page as u64)));
        let opened = Engine::open(&machine.world(), &small()).map(drop);
        assert_eq!(opened.is_ok(), is_body, "{page}: {opened:?}");
    }
}

/// Nothing is known of what a record says whose checksum is wrong, but of a body, or a piece of one,
/// nothing is needed.
#[test]
fn a_start_does_without_what_rotted_in_a_body_and_with_nothing_else_of_a_record() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    let (large, _) = engine.put(200_000);
    let (rotten, inline) = engine.put(20_000);
    engine.force();
    engine.put(100);
    engine.force();
    let visible = engine.visible();
    drop(engine);
    let image = machine.disk.image();
    for (page, rot) in [(20, Rot::FlipBit as fn(u64) -> Rot), (21, |bit| Rot::ZeroBlock(bit / 8 / 4096))] {
        let machine = Machine::with_disk(image.without_crash(), 1);
        assert!(machine.disk.rot(Path::new(LOG), rot(8 * (page * 4096 + 17))));
        let engine = Engine::open(&machine.world(), &small()).unwrap();
        assert_eq!((engine.visible(), &*engine.damaged.lock()), (visible.clone(), &BTreeSet::from([large])));
        let kept = engine.state.lock().messages[&large];
        let error = engine.storage.read(kept.location).unwrap_err().to_string();
        assert!(error.contains("log/0000000000000000.seg is damaged at offset"), "{error}");
    }
    for (offset, is_body) in [(8000, true), (60, false)] {
        let machine = Machine::with_disk(image.without_crash(), 1);
        assert!(machine.disk.rot(Path::new(LOG), Rot::FlipBit(8 * (inline.at.0 + offset))));
        match Engine::open(&machine.world(), &small()) {
            Ok(engine) => assert!(is_body && *engine.damaged.lock() == BTreeSet::from([rotten])),
            Err(error) => assert!(!is_body && matches!(&error, OpenError::Damaged { .. }), "{error}"),
        }
    }
}

/// Nothing tells how long the block was whose header is lost, and only what is after it says that it was
/// there.
#[test]
fn a_lost_block_is_damage_however_long_it_was() {
    let settings =
        Settings { extent_bytes: 48 << 20, primary_extents: 2, block_bytes_max: 16 << 20, ..tiny() };
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &settings);
    engine.storage.prepare().unwrap();
    while engine.storage.current_extent() == Lsn::ZERO {
        engine.put(60_000);
    }
    let next = engine.storage.current_extent();
    // One block of six MiB at the beginning of an extent, another after it.
    while engine.storage.appended().0 - next.0 < 7 << 20 {
        engine.put(60_000);
    }
    engine.force();
    drop(engine);
    let log = PathBuf::from(format!("log/{:016x}.seg", next.0));
    assert!(machine.disk.rot(&log, Rot::ZeroBlock(1)));
    let Err(OpenError::Damaged { reason, .. }) = Engine::open(&machine.world(), &settings) else {
        panic!("damage was not noticed");
    };
    assert!(reason.contains("durable"), "{reason}");
}

#[test]
fn the_lost_beginning_of_a_start_is_damage_although_nothing_after_it_verifies() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    for _ in 0..2 {
        engine.put(100);
        engine.force();
    }
    drop(engine);
    let log = Path::new("log/0000000000000000.seg");
    assert!(machine.disk.rot(log, Rot::ZeroBlock(1)));
    let Err(OpenError::Damaged { reason, .. }) = Engine::open(&machine.world(), &small()) else {
        panic!("damage was not noticed");
    };
    assert!(reason.contains("start 1 of the queue manager"), "{reason}");
}

#[test]
fn a_log_that_cannot_be_read_is_not_taken_for_an_empty_one() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    let (sequence, _) = engine.put(100);
    engine.force();
    drop(engine);
    let image = machine.disk.image();
    for nth in 1..40 {
        let machine = Machine::with_disk(image.without_crash(), nth);
        let kind = Some(OperationKind::Read);
        machine.disk.plan(Fault { kind, nth, failure: Failure::InputOutput, repeat: Repeat::Sticky });
        let opened = Engine::open(&machine.world(), &small());
        assert!(opened.is_err() || opened.is_ok_and(|engine| engine.visible() == BTreeSet::from([sequence])));
        machine.disk.clear_plan();
        assert_eq!(Engine::open(&machine.world(), &small()).unwrap().visible(), BTreeSet::from([sequence]));
    }
}

#[test]
fn a_manifest_that_rotted_is_named_when_the_older_one_cannot_do() {
    let (machine, _) = at_rest();
    let newest = ["manifest.0", "manifest.1"].into_iter().max_by_key(|path| {
        let bytes = machine.disk.content(Path::new(path)).unwrap();
        u64::from_le_bytes(bytes[24..32].try_into().unwrap())
    });
    let newest = Path::new(newest.unwrap());
    machine.disk.rot(newest, Rot::ZeroBlock(0));
    let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { path, .. } if path == newest), "{error}");
}

/// Has the log go on until it is in the second extent, with others ready behind that.
fn in_second_extent(engine: &Engine) {
    engine.storage.prepare().unwrap();
    while engine.storage.current_extent() == Lsn::ZERO {
        engine.put(3000);
        engine.force();
    }
    engine.storage.prepare().unwrap();
}

/// Fates of the first page of an extent.
fn lost_pages() -> [Rot; 3] {
    [Rot::ZeroBlock(0), Rot::Unreadable(0), Rot::FlipBit(8 * 41)]
}

/// Other files repeat the content of the page: the name of the next extent gives the length, and the blocks
/// give the owner.
#[test]
fn an_extent_whose_first_page_is_lost_is_known_by_its_first_block_and_the_next_extent() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    in_second_extent(&engine);
    let (current, visible) = (engine.storage.current_extent(), engine.visible());
    drop(engine);
    let logs = logs(&machine);
    assert!(logs.len() > 2, "{logs:?}");
    let image = machine.disk.image();
    for (log, rot) in logs.iter().flat_map(|log| lost_pages().map(|rot| (log, rot))) {
        let machine = Machine::with_disk(image.without_crash(), 1);
        assert!(machine.disk.rot(log, rot));
        for _ in 0..2 {
            let engine = Engine::open(&machine.world(), &tiny());
            let engine = engine.unwrap_or_else(|error| panic!("{log:?} {rot:?}: {error}"));
            assert_eq!(engine.visible(), visible);
            engine.put(10);
            engine.force();
            engine.verify();
            engine.get(*engine.visible().last().unwrap(), None);
            engine.force();
        }
    }
    // It was cut as well, or all of it is gone: what was in it is not missed in silence.
    let path = PathBuf::from(format!("log/{:016x}.seg", current.0));
    let blocks = machine.disk.content(&path).unwrap().len() as u64 / 4096;
    let cut = vec![Rot::ZeroBlock(0), Rot::Truncate(16 << 10)];
    for rots in [cut, (0..blocks).map(Rot::ZeroBlock).collect()] {
        let machine = Machine::with_disk(image.without_crash(), 1);
        // Nothing becomes of a block of zeros that is zeroed.
        assert!(rots.into_iter().filter(|rot| machine.disk.rot(&path, *rot)).count() > 1);
        let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
        assert!(error.to_string().contains(&*path.to_string_lossy()), "{error}");
    }
}

/// Nothing of value is in an extent that the log has not reached, be it new or one that is used again.
#[test]
fn an_extent_that_is_ready_is_used_although_its_first_page_is_lost() {
    let settings = Settings { primary_extents: 4, ..tiny() };
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &settings);
    in_second_extent(&engine);
    let of_new = (machine.disk.image(), engine.storage.current_extent());
    go_round_behind(&engine, 300);
    let of_used_again = (machine.disk.image(), engine.storage.current_extent());
    for (image, current) in [of_new, of_used_again] {
        let whole = Machine::with_disk(image.without_crash(), 1);
        let visible = Engine::open(&whole.world(), &settings).unwrap().visible();
        let mut ready = logs(&whole);
        ready.retain(|log| position(log) > current.0);
        assert!(!ready.is_empty());
        for (log, rot) in ready.iter().flat_map(|log| lost_pages().map(|rot| (log, rot))) {
            let machine = Machine::with_disk(image.without_crash(), 1);
            assert!(machine.disk.rot(log, rot));
            let engine = Engine::open(&machine.world(), &settings);
            let engine = engine.unwrap_or_else(|error| panic!("{log:?} {rot:?}: {error}"));
            assert_eq!(engine.visible(), visible);
            while engine.storage.current_extent().0 < position(log) {
                engine.put(3000);
                engine.force();
            }
            let visible = engine.visible();
            drop(engine);
            let engine = Engine::open(&machine.world(), &settings).unwrap();
            assert_eq!(engine.visible(), visible);
            engine.verify();
        }
    }
}

#[test]
fn a_start_that_writes_a_lost_page_again_may_be_cut_off_anywhere() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    in_second_extent(&engine);
    let (current, visible) = (engine.storage.current_extent(), engine.visible());
    drop(engine);
    let ready = logs(&machine).into_iter().find(|log| position(log) > current.0).unwrap();
    assert!(machine.disk.rot(&ready, Rot::Unreadable(0)));
    let image = machine.disk.image();
    let mut random = Random::new(6);
    for call in 1.. {
        let cut = Machine::with_disk(image.without_crash(), call);
        cut.disk.crash_at(cut.disk.boundaries() + call);
        let is_done = Engine::open(&cut.world(), &tiny()).is_ok();
        let refused = Machine::with_disk(image.without_crash(), call);
        let failure = Failure::InputOutput;
        refused.disk.plan(Fault { kind: None, nth: call, failure, repeat: Repeat::Once });
        let _ = Engine::open(&refused.world(), &tiny());
        refused.disk.clear_plan();
        let policy = CrashPolicy::random(&mut random);
        for left in [cut.disk.crash(&mut random, policy), refused.disk.image().without_crash()] {
            let engine = Engine::open(&Machine::with_disk(left, 2).world(), &tiny());
            let engine = engine.unwrap_or_else(|error| panic!("call {call}, {policy:?}: {error}"));
            assert_eq!(engine.visible(), visible, "call {call}");
            in_second_extent(&engine);
        }
        if is_done {
            assert!(call > 5, "{call}");
            break;
        }
    }
}

/// The footer of a segment may rot while the queue manager is at work, which then writes the messages that
/// are left anew.
#[test]
fn what_rotted_in_the_footer_of_a_segment_is_not_copied_to_the_next() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    while engine.storage.statistics().segment_messages < 50 {
        engine.put(3000);
        engine.force();
        engine.housekeeping();
    }
    let segment = Path::new("store/00000000.seg");
    let content = machine.disk.content(segment).unwrap();
    let trailer = content.len() - 64;
    let footer = u64::from_le_bytes(content[trailer + 8..trailer + 16].try_into().unwrap());
    // Queues, sequences and identifiers of all, and the first entry.
    for entry in (footer..trailer as u64).step_by(144) {
        for byte in [1, 9, 30, 60, 96] {
            assert!(machine.disk.rot(segment, Rot::FlipBit(8 * (entry + byte))));
        }
    }
    let stored = engine.storage.statistics().segment_messages as usize;
    for sequence in engine.visible().into_iter().take(stored * 9 / 10) {
        engine.get(sequence, None);
    }
    engine.force();
    engine.checkpoint().unwrap();
    engine.checkpoint().unwrap();
    let visible = engine.visible();
    engine.verify();
    drop(engine);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(engine.visible(), visible);
    engine.verify();
}

#[test]
fn a_bit_that_flipped_in_a_version_is_damage_and_no_release_to_come() {
    let version = Rot::FlipBit(8 * 8 + 5);
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(100);
    engine.force();
    drop(engine);
    for path in ["manifest.0", "manifest.1"] {
        let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
        assert!(machine.disk.rot(Path::new(path), version));
        let opened = Engine::open(&machine.world(), &tiny());
        assert_eq!(opened.unwrap_or_else(|error| panic!("{error}")).visible().len(), 1, "{path}");
    }
    let (machine, visible) = at_rest();
    for (path, _) in machine.disk.files() {
        if path.extension().is_none_or(|extension| extension != "seg") {
            continue;
        }
        let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
        assert!(machine.disk.rot(&path, version));
        match Engine::open(&machine.world(), &tiny()) {
            Ok(engine) => assert!(path.starts_with("log") && engine.visible() == visible, "{path:?}"),
            Err(error) => {
                let is_named = matches!(&error, OpenError::Damaged { path: named, .. } if *named == path);
                assert!(is_named, "{error}");
            }
        }
    }
}

/// Rots a message in the log, has checkpoints give the extent away, and tells where the mark is then.
fn lost_in_the_log(length: usize, rot_at: impl Fn(&[u8]) -> usize) -> (Machine, Engine, u64) {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    let (sequence, _) = engine.put(length);
    engine.put(3000);
    engine.force();
    let log = Path::new("log/0000000000000000.seg");
    let at = rot_at(&machine.disk.content(log).unwrap());
    assert!(machine.disk.rot(log, Rot::FlipBit(8 * at as u64)));
    for _ in 0..300 {
        let (passing, _) = engine.put(4000);
        engine.force();
        engine.get(passing, None);
        engine.force();
        engine.housekeeping();
    }
    (machine, engine, sequence)
}

fn place_of(content: &[u8], wanted: &[u8]) -> usize {
    content.windows(wanted.len()).position(|bytes| bytes == wanted).expect("it is in the log")
}

#[test]
fn a_message_damaged_in_an_extent_used_again_leaves_a_mark_and_checkpoints_go_on() {
    for (length, wanted) in [(3000, body(1, 3000)), (3000, descriptor(1, 3000)), (200_000, body(1, 50_000))] {
        let (machine, engine, sequence) =
            lost_in_the_log(length, |content| place_of(content, &wanted[..wanted.len().min(40)]));
        let why = engine.lost.lock()[&sequence].clone();
        assert!(why.contains("log/0000000000000000.seg is damaged at offset"), "{why}");
        let told = |engine: &Engine| {
            let kept = engine.state.lock().messages[&sequence];
            let error = engine.storage.read(kept.location).unwrap_err().to_string();
            assert!(error.starts_with("store/") && error.contains(&why), "{error}");
        };
        told(&engine);
        drop(engine);
        let machine = Machine::with_disk(machine.disk.image().without_crash(), 2);
        let engine = Engine::open(&machine.world(), &tiny()).unwrap();
        assert_eq!(engine.visible().len(), 2);
        told(&engine);
        // What is left of its segment is written anew, with the mark.
        let before = engine.state.lock().messages[&sequence].location;
        for _ in 0..12 {
            engine.put(3000);
            engine.force();
            engine.checkpoint().unwrap();
            for _ in 0..80 {
                let (passing, _) = engine.put(4000);
                engine.force();
                engine.get(passing, None);
                engine.force();
                engine.housekeeping();
            }
        }
        assert_ne!(engine.state.lock().messages[&sequence].location, before);
        told(&engine);
    }
}

/// A sector of the room that the manifest has ahead is lost sooner than one of the manifest, and nobody needs
/// it.
#[test]
fn what_cannot_be_read_behind_a_manifest_is_no_part_of_it() {
    let (machine, visible) = at_rest();
    for path in ["manifest.0", "manifest.1"].map(Path::new) {
        let blocks = machine.disk.content(path).unwrap().len() as u64 / 4096;
        assert!(machine.disk.rot(path, Rot::Unreadable(blocks - 1)));
    }
    assert_eq!(Engine::open(&machine.world(), &tiny()).unwrap().visible(), visible);
}

/// A message in the first extent, which others have left; how many of these could be put and got until one
/// was refused.
fn go_round_behind(engine: &Engine, most: usize) -> usize {
    for turn in 0..most {
        let Ok((passing, _)) = engine.try_put(4000, None) else { return turn };
        engine.force();
        engine.get(passing, None);
        engine.force();
        if engine.storage.checkpoint_due() {
            let _ = engine.checkpoint();
        }
        let _ = engine.storage.prepare();
    }
    most
}

/// The device gives a sector of the log no more. What is in it stays, in case that it does later, but keeps
/// nobody from the log for good.
#[test]
fn a_message_that_cannot_be_read_in_an_extent_leaves_a_mark_when_the_extent_is_needed() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    let (sequence, put) = engine.put(9000);
    let (neighbour, _) = engine.put(3000);
    engine.force();
    let log = Path::new("log/0000000000000000.seg");
    assert!(machine.disk.rot(log, Rot::Unreadable(put.at.0 / 4096 + 1)));
    let in_log = |sequence: u64| {
        let location = engine.state.lock().messages[&sequence].location;
        matches!(location, Location::Log(_))
    };
    // As many as make the checkpoint want the extent, with room for more.
    go_round_behind(&engine, 90);
    let refused = engine.checkpoint().unwrap_err().to_string();
    assert!(refused.contains("cannot read log/0000000000000000.seg"), "{refused}");
    assert!(in_log(sequence) && !in_log(neighbour) && engine.lost.lock().is_empty());

    assert_eq!(go_round_behind(&engine, 300), 300);
    let why = engine.lost.lock()[&sequence].clone();
    assert!(why.contains("cannot read log/0000000000000000.seg"), "{why}");
    engine.checkpoint().unwrap();
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
    let error = engine.storage.read(engine.state.lock().messages[&sequence].location).unwrap_err();
    assert!(error.to_string().contains(&why), "{error}");
}

/// A cable, not the sector.
#[test]
fn a_message_that_cannot_be_read_for_a_while_is_stored_whole_after_that() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(9000);
    engine.force();
    go_round_behind(&engine, 60);
    let (kind, failure) = (Some(OperationKind::Read), Failure::InputOutput);
    machine.disk.plan(Fault { kind, nth: 1, failure, repeat: Repeat::Sticky });
    go_round_behind(&engine, 40);
    assert!(machine.disk.failures() > 0 && engine.lost.lock().is_empty());
    machine.disk.clear_plan();
    assert_eq!(go_round_behind(&engine, 300), 300);
    assert!(engine.lost.lock().is_empty());
    engine.verify();
}
