//! Calls that fail, disks that fill up, files that rot, directories that are not ours.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use platform::simulated::{
    CrashPolicy, Damage, Failure, Fault, Machine, OperationKind, Random, Repeat, Rot, Survival,
};
use platform::{Access, OpenMode};
use storage::inspect::{Inspection, Logged};
use storage::{KeptMessage, Location, Lsn, OpenError, Settings, StoredMessage};

use crate::support::{Engine, body, descriptor, extent_at, head, reseal, small};

fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 2, secondary_extents: 2, ..Settings::default() }
}

/// Puts, gets, forces and checkpoints until something refuses. What was acknowledged, and all that was appended.
fn work(engine: &Engine) -> (BTreeSet<u64>, Vec<BTreeSet<u64>>) {
    let mut acknowledged = engine.visible();
    let mut since = Vec::new();
    for turn in 0..30 {
        if engine.storage.failure().is_some() {
            break;
        }
        let Ok((sequence, _)) = engine.try_put(3000 * (turn % 4 + 1), None) else { continue };
        since.push(engine.visible());
        if turn % 3 == 0 {
            engine.get(sequence, None);
            since.push(engine.visible());
        }
        let durable = engine.force();
        if durable >= engine.storage.appended() {
            acknowledged = engine.visible();
            since.clear();
        }
        if turn % 5 == 4 {
            let _ = engine.checkpoint();
            let _ = engine.storage.prepare();
        }
    }
    (acknowledged, since)
}

#[test]
fn any_call_may_fail_and_nothing_acknowledged_is_lost() {
    for failure in Failure::ALL {
        for repeat in [Repeat::Once, Repeat::Sticky] {
            // Every call for the errors that differ in what they leave; for the others, and for lasting ones, some.
            let thorough =
                repeat == Repeat::Once && [Failure::InputOutput, Failure::NoSpace].contains(&failure);
            for nth in (1..).step_by(if thorough { 1 } else { 7 }) {
                let machine = Machine::new(nth);
                let engine = Engine::create(&machine.world(), &tiny());
                machine.disk.plan(Fault { kind: None, nth, failure, repeat });
                let outcome = catch_unwind(AssertUnwindSafe(|| {
                    let (acknowledged, since) = work(&engine);
                    let untouched = machine.disk.failures() == 0;
                    machine.disk.clear_plan();
                    let told = engine.listener.failures.lock().len();
                    assert_eq!(
                        told,
                        usize::from(engine.storage.failure().is_some()),
                        "told once of a failure"
                    );
                    let crashed = machine.disk.image().without_crash();
                    drop(engine);
                    let engine = Engine::open(&Machine::with_disk(crashed, 1).world(), &tiny()).unwrap();
                    let found = engine.visible();
                    assert!(
                        found == acknowledged || since.contains(&found),
                        "{found:?} for {acknowledged:?}"
                    );
                    engine.verify();
                    untouched
                }));
                match outcome {
                    Ok(true) => break,
                    Ok(false) => {}
                    Err(_) => panic!("{failure:?} {repeat:?} at call {nth}"),
                }
            }
        }
    }
}

#[test]
fn any_call_of_a_restart_may_fail_and_the_next_one_succeeds() {
    let machine = Machine::new(5);
    let engine = Engine::create(&machine.world(), &tiny());
    let (acknowledged, _) = work(&engine);
    engine.put(1000);
    let image = machine.disk.image();
    drop(engine);
    for failure in Failure::ALL {
        for nth in 1.. {
            let machine = Machine::with_disk(image.without_crash(), nth);
            machine.disk.plan(Fault { kind: None, nth, failure, repeat: Repeat::Once });
            let first = Engine::open(&machine.world(), &tiny()).map(drop);
            let untouched = machine.disk.failures() == 0;
            machine.disk.clear_plan();
            let engine = Engine::open(&machine.world(), &tiny())
                .unwrap_or_else(|error| panic!("{failure:?} at call {nth}: {error} after {first:?}"));
            assert_eq!(engine.visible(), acknowledged, "{failure:?} at call {nth}");
            engine.verify();
            if untouched {
                break;
            }
        }
    }
}

/// The last call of a checkpoint that moved messages to the store, and each that follows: whatever of this a start cannot read, the
/// next one finds what was there. The older of the two manifests may do where the newer cannot be read; then it must not come to
/// count again, since the start removed what it alone names.
#[test]
fn a_start_that_does_with_the_older_manifest_keeps_nobody_from_the_next() {
    let machine = Machine::new(5);
    let engine = Engine::create(&machine.world(), &tiny());
    let mut done_with_the_older = 0;
    for _ in 0..12 {
        for _ in 0..20 {
            engine.put(9000);
            engine.force();
        }
        engine.checkpoint().unwrap();
        engine.storage.prepare().unwrap();
        let visible = engine.visible();
        let image = machine.disk.image();
        for (kind, nth) in [OperationKind::Open, OperationKind::Read]
            .into_iter()
            .flat_map(|kind| (1..8).map(move |nth| (kind, nth)))
        {
            let machine = Machine::with_disk(image.without_crash(), nth);
            let failure = Failure::InputOutput;
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            let Ok(first) = Engine::open(&machine.world(), &tiny()) else { continue };
            machine.disk.clear_plan();
            done_with_the_older += 1;
            assert_eq!(first.visible(), visible, "{kind:?} {nth}");
            drop(first);
            let next = Engine::open(&machine.world(), &tiny())
                .unwrap_or_else(|error| panic!("{kind:?} {nth}: {error}"));
            assert_eq!(next.visible(), visible, "{kind:?} {nth}");
            next.verify();
        }
    }
    assert!(done_with_the_older > 0);
}

#[test]
fn after_a_failed_write_nothing_becomes_durable() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(100);
    let durable = engine.force();
    engine.put(100);
    machine.disk.plan(Fault {
        kind: Some(OperationKind::WriteDurable),
        nth: 1,
        failure: Failure::InputOutput,
        repeat: Repeat::Once,
    });
    assert_eq!(engine.storage.drive().lsn(), durable);
    machine.disk.clear_plan();
    let (_, appended) = engine.put(100);
    assert_eq!(engine.storage.drive().lsn(), durable);
    assert!(appended.need > durable);
    let failure = engine.storage.failure().unwrap().to_string();
    assert!(failure.contains("write of log/0000000000000000.seg at offset"), "{failure}");
    assert_eq!(*engine.listener.failures.lock(), [failure]);
}

/// Where direct writes are refused, a write whose flush failed is in memory of the machine only: the next start sees it,
/// and no flush will ever bring it to the device.
#[test]
fn what_a_restart_saw_outlasts_the_next_power_cut() {
    let log = Path::new("log/0000000000000000.seg");
    for length in [200, 20_000] {
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &tiny());
        engine.put(100);
        engine.force();
        let before = machine.disk.image();
        let (_, put) = engine.put(length);
        let end = engine.force().0 as usize;
        let start = put.at.0 as usize - put.at.0 as usize % 4096;
        let written = machine.disk.content(log).unwrap()[start..end].to_vec();
        drop(engine);

        let mut machine = Machine::with_disk(before.without_crash(), 2);
        let world = machine.world();
        let file = world.disk.open(log, OpenMode::Write, Access::Cached).unwrap();
        file.write_at(&written, start as u64).unwrap();
        for start in 0..3 {
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            assert_eq!(engine.visible().len(), 2 + start);
            engine.put(300);
            engine.force();
            let expected = engine.visible();
            let nothing = CrashPolicy::surviving(Survival::Nothing);
            let crashed = machine.disk.crash(&mut Random::new(1), nothing);
            drop(engine);
            machine = Machine::with_disk(crashed, 3);
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            assert_eq!(engine.visible(), expected);
            engine.verify();
        }
    }
}

/// Lack of file descriptors is no reason to end: what needs a new file is tried again.
#[test]
fn refused_files_end_nothing() {
    for kind in [OperationKind::Open, OperationKind::Rename] {
        for nth in 1..40 {
            let machine = Machine::new(nth);
            let engine = Engine::create(&machine.world(), &tiny());
            let failure = Failure::TooManyFiles;
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            work(&engine);
            assert!(engine.storage.failure().is_none(), "{kind:?} {nth}: {:?}", engine.storage.failure());
            machine.disk.clear_plan();
            engine.storage.prepare().unwrap();
            engine.checkpoint().unwrap();
            let visible = engine.visible();
            drop(engine);
            let engine = Engine::open(&machine.world(), &tiny()).unwrap();
            assert_eq!(engine.visible(), visible);
            engine.verify();
        }
    }
}

/// The header of a block that did not get through says that the epoch before it was durable: that epoch's block must not
/// be written over, or the header would be a witness of something that a second crash made unreadable.
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

/// A start on a full disk makes nothing that needs room.
#[test]
fn a_full_disk_keeps_nobody_from_starting() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    work(&engine);
    let visible = engine.visible();
    drop(engine);
    machine.disk.set_capacity(Some(machine.disk.files().iter().map(|(_, length)| length).sum()));
    for _ in 0..3 {
        let engine = Engine::open(&machine.world(), &tiny()).unwrap();
        assert_eq!(engine.visible(), visible);
    }
    let crashed = machine.disk.crash(&mut Random::new(1), CrashPolicy::surviving(Survival::Nothing));
    let engine = Engine::open(&Machine::with_disk(crashed, 1).world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
}

#[test]
fn a_full_disk_refuses_puts_lets_gets_go_on_and_heals() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    let used: u64 = machine.disk.files().iter().map(|(_, length)| length).sum();
    machine.disk.set_capacity(Some(used));
    let mut refused = None;
    for _ in 0..1000 {
        if let Err(error) = engine.try_put(4000, None) {
            refused = Some(error.to_string());
            break;
        }
        engine.force();
        engine.storage.checkpoint_due().then(|| engine.checkpoint());
    }
    let refused = refused.expect("a full disk ends puts");
    assert!(refused.contains("recovery log has"), "{refused}");
    let all = engine.visible();
    for sequence in all.iter().take(5) {
        engine.get(*sequence, None);
        engine.force();
    }
    engine.verify();
    assert!(engine.storage.failure().is_none());
    machine.disk.set_capacity(None);
    engine.storage.prepare().unwrap();
    engine.checkpoint().unwrap();
    for _ in 0..20 {
        engine.put(4000);
    }
    engine.force();
    engine.verify();
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
}

#[test]
fn draining_a_full_disk_frees_the_log() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    let used: u64 = machine.disk.files().iter().map(|(_, length)| length).sum();
    machine.disk.set_capacity(Some(used));
    while engine.try_put(4000, None).is_ok() {
        engine.force();
    }
    for sequence in engine.visible() {
        engine.get(sequence, None);
        engine.force();
        if engine.storage.checkpoint_due() {
            let _ = engine.checkpoint();
        }
    }
    assert!(engine.storage.failure().is_none());
    for _ in 0..20 {
        engine.put(4000);
        engine.force();
    }
}

/// A queue manager with a few messages in log and store, at rest.
fn at_rest() -> (Machine, BTreeSet<u64>) {
    let machine = Machine::new(9);
    machine.disk.keep_versions();
    let engine = Engine::create(&machine.world(), &tiny());
    for turn in 0..400 {
        engine.put(5000);
        engine.force();
        if turn % 40 == 39 {
            engine.checkpoint().unwrap();
            engine.storage.prepare().unwrap();
        }
    }
    let (visible, extents) = (engine.visible(), engine.storage.statistics().extents as usize);
    drop(engine);
    // One that lies ready to be used again would do for the older manifest.
    let logs: Vec<_> = machine
        .disk
        .files()
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| path.starts_with("log"))
        .collect();
    for left in &logs[..logs.len() - extents] {
        machine.world().disk.remove(left).unwrap();
    }
    (machine, visible)
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
                            assert!(error.to_string().contains("store/"), "{error}");
                        }
                    }
                }
            }
        }
    }
    assert!(refused > 50 && harmless > 50 && damaged_message > 5, "{refused} {harmless} {damaged_message}");
}

/// Blocks of every file that a restart reads, and every byte at the head and the end of one of each kind: zeroed, unreadable, a bit
/// of it flipped. Either nothing is missed, or what is wrong is told with the file, the place and what to do.
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

/// How many messages an orderly end kept beside the log.
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
        // Nobody is kept from starting by messages that need not outlast a failure, unless they are not of this queue manager.
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

/// What counts as zeros where it cannot be read is what was written, where that was zeros: the record verifies, and is shown.
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

/// What else is in the sector may be the end of a unit of work.
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

/// Nothing is known of what a record says whose checksum is wrong, but of a piece of a body nothing is needed.
#[test]
fn a_start_does_without_what_rotted_in_a_piece_of_a_body_and_with_no_other_record_that_did() {
    let machine = Machine::new(2);
    let engine = Engine::create(&machine.world(), &small());
    let (large, _) = engine.put(200_000);
    let (_, inline) = engine.put(20_000);
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
    let machine = Machine::with_disk(image.without_crash(), 1);
    assert!(machine.disk.rot(Path::new(LOG), Rot::FlipBit(8 * (inline.at.0 + 8000))));
    let error = Engine::open(&machine.world(), &small()).map(drop).unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { .. }), "{error}");
}

/// Nothing tells how long the block was whose header is lost, and only what is after it says that it was there.
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

#[test]
fn what_is_wrong_with_a_directory_is_named() {
    let (machine, _) = at_rest();
    let image = machine.disk.image();
    let files = machine.disk.files();
    let opened = |machine: &Machine| Engine::open(&machine.world(), &tiny()).map(drop);
    let logs: Vec<_> = files.iter().filter(|(path, _)| path.starts_with("log")).collect();
    let stores: Vec<_> =
        files.iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "seg")).collect();
    let store = stores.iter().find(|(path, _)| path.starts_with("store")).expect("a segment");

    let machine = Machine::with_disk(image.without_crash(), 1);
    machine.world().disk.remove(&logs[0].0).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::MissingExtent { path, .. } if *path == logs[0].0), "{error}");

    let machine = Machine::with_disk(image.without_crash(), 1);
    machine.world().disk.remove(&store.0).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::MissingSegment { path, .. } if *path == store.0), "{error}");

    let machine = Machine::with_disk(image.without_crash(), 1);
    machine.disk.rot(&logs[0].0, Rot::Truncate(100_000));
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::Cut { found: 100_000, .. }), "{error}");

    for path in [&logs[0].0, &store.0, &PathBuf::from("manifest.0")] {
        let machine = Machine::with_disk(image.without_crash(), 1);
        make_newer(&machine, path);
        let error = opened(&machine).unwrap_err();
        assert!(matches!(&error, OpenError::NewerVersion { found: 99, .. }), "{path:?}: {error}");
        assert!(error.to_string().contains("99"), "{error}");
    }

    let other = Machine::new(77);
    drop(Engine::create(&other.world(), &tiny()));
    let page = other.disk.content(Path::new("log/0000000000000000.seg")).unwrap();
    let machine = Machine::with_disk(image.without_crash(), 1);
    let file = machine.world().disk.open(&logs[0].0, OpenMode::Write, Access::Cached).unwrap();
    file.write_at(&page[..4096], 0).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::WrongQueueManager { .. }), "{error}");

    let machine = Machine::with_disk(image.without_crash(), 1);
    let _held = Engine::open(&machine.world(), &tiny()).unwrap();
    let error = opened(&machine).unwrap_err();
    assert!(matches!(&error, OpenError::InUse { .. }), "{error}");

    let error = opened(&Machine::new(1)).unwrap_err();
    assert!(matches!(&error, OpenError::Absent { .. } | OpenError::Io { .. }), "{error}");
    let error =
        storage::Storage::create(&Machine::with_disk(image.without_crash(), 1).world(), &tiny()).unwrap_err();
    assert!(matches!(&error, OpenError::Exists { .. }), "{error}");
}

/// A file of another queue manager lies among ours: it may be all there is of what it holds.
#[test]
fn a_file_of_another_queue_manager_is_named_and_never_removed() {
    let other = Machine::new(77);
    let engine = Engine::create(&other.world(), &tiny());
    while engine.storage.statistics().segments == 0 {
        engine.put(9000);
        engine.force();
        engine.housekeeping();
    }
    drop(engine);
    let (machine, visible) = at_rest();
    let logs = machine.disk.files().into_iter().filter(|(path, _)| path.starts_with("log"));
    let last = logs.map(|(path, _)| position(&path)).max().unwrap();
    let extent = |first: u64| (PathBuf::from(format!("log/{first:016x}.seg")), extent_at(&other.disk, first));
    let segment = other.disk.content(Path::new("store/00000000.seg")).unwrap();
    // Below what a restart reads, where the log would go on, beyond a gap; and one that no manifest names.
    for (path, content) in [
        extent(0),
        extent(last + tiny().extent_bytes),
        extent(last + 16 * tiny().extent_bytes),
        (PathBuf::from("store/00000777.seg"), segment),
    ] {
        let machine = Machine::with_disk(machine.disk.image().without_crash(), 1);
        assert!(machine.disk.content(&path).is_none(), "{}", path.display());
        let file = machine.world().disk.open(&path, OpenMode::Truncate, Access::Cached).unwrap();
        file.write_at(&content, 0).unwrap();
        let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
        assert!(
            matches!(&error, OpenError::WrongQueueManager { path: named, .. } if *named == path),
            "{}: {error}",
            path.display()
        );
        assert_eq!(machine.disk.content(&path), Some(content));
        // As soon as it is elsewhere the queue manager starts.
        machine.world().disk.remove(&path).unwrap();
        assert_eq!(Engine::open(&machine.world(), &tiny()).unwrap().visible(), visible);
    }
}

/// Where an extent begins, as its name says.
fn position(extent: &Path) -> u64 {
    u64::from_str_radix(extent.file_stem().unwrap().to_str().unwrap(), 16).unwrap()
}

#[test]
fn manifests_of_two_queue_managers_are_named_and_no_other_file() {
    let (machine, visible) = at_rest();
    let image = machine.disk.image();
    let (mut named, mut started) = (0, 0);
    for turns in [1, 40] {
        let other = Machine::new(77);
        let engine = Engine::create(&other.world(), &tiny());
        for _ in 0..turns {
            engine.put(9000);
            engine.force();
            engine.checkpoint().unwrap();
            engine.storage.prepare().unwrap();
        }
        drop(engine);
        for path in ["manifest.0", "manifest.1"].map(Path::new) {
            let machine = Machine::with_disk(image.without_crash(), 1);
            let file = machine.world().disk.open(path, OpenMode::Truncate, Access::Cached).unwrap();
            file.write_at(&other.disk.content(path).unwrap(), 0).unwrap();
            drop(file);
            match Engine::open(&machine.world(), &tiny()) {
                // The one that counts is the right one.
                Ok(engine) => {
                    assert_eq!(engine.visible(), visible);
                    started += 1;
                }
                Err(error) => {
                    let text = error.to_string();
                    let is_named = ["manifest.0", "manifest.1"].iter().all(|name| text.contains(name));
                    assert!(is_named && matches!(error, OpenError::Mixed { .. }), "{text}");
                    named += 1;
                }
            }
        }
    }
    assert!(named >= 2 && started > 0, "{named} {started}");
}

/// Its manifests are gone, and with them all knowledge of what its files hold.
#[test]
fn a_creation_makes_no_queue_manager_over_the_files_of_another() {
    let (machine, _) = at_rest();
    for path in ["manifest.0", "manifest.1"] {
        machine.world().disk.remove(Path::new(path)).unwrap();
    }
    let only_log = Machine::new(1);
    let engine = Engine::create(&only_log.world(), &tiny());
    engine.put(10);
    engine.force();
    drop(engine);
    for path in ["manifest.0", "manifest.1"] {
        only_log.world().disk.remove(Path::new(path)).unwrap();
    }
    for machine in [machine, only_log] {
        let before = machine.disk.files();
        let error = storage::Storage::create(&machine.world(), &tiny()).unwrap_err();
        assert!(matches!(&error, OpenError::Exists { path } if !path.starts_with("manifest")), "{error}");
        assert_eq!(machine.disk.files(), before);
    }
}

/// What its page says is said by other files as well: by the name of the next extent how long it is, by its blocks whose it is.
#[test]
fn an_extent_whose_first_page_is_lost_is_known_by_its_first_block_and_the_next_extent() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    while engine.storage.current_extent() == Lsn::ZERO {
        engine.put(3000);
        engine.force();
    }
    engine.storage.prepare().unwrap();
    let (current, visible) = (engine.storage.current_extent(), engine.visible());
    drop(engine);
    let logs: Vec<_> = machine
        .disk
        .files()
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| path.starts_with("log"))
        .collect();
    assert!(logs.len() > 2, "{logs:?}");
    let image = machine.disk.image();
    for (log, rot) in logs.iter().flat_map(|log| {
        let bit = Rot::FlipBit(8 * 41);
        [Rot::ZeroBlock(0), Rot::Unreadable(0), bit].map(|rot| (log, rot))
    }) {
        let machine = Machine::with_disk(image.without_crash(), 1);
        assert!(machine.disk.rot(log, rot));
        let first = position(log);
        for _ in 0..2 {
            match Engine::open(&machine.world(), &tiny()) {
                Ok(engine) => {
                    assert!(first <= current.0, "{log:?}");
                    assert_eq!(engine.visible(), visible);
                    engine.put(10);
                    engine.force();
                    engine.verify();
                    engine.get(*engine.visible().last().unwrap(), None);
                    engine.force();
                }
                // Nothing is in it yet that is ours.
                Err(error) => {
                    assert!(
                        first > current.0 && error.to_string().contains(&*log.to_string_lossy()),
                        "{error}"
                    );
                }
            }
        }
    }
    // It was cut as well: what was in it is not missed in silence.
    let machine = Machine::with_disk(image.without_crash(), 1);
    let path = format!("log/{:016x}.seg", current.0);
    assert!(machine.disk.rot(Path::new(&path), Rot::ZeroBlock(0)));
    assert!(machine.disk.rot(Path::new(&path), Rot::Truncate(16 << 10)));
    assert!(Engine::open(&machine.world(), &tiny()).is_err());
}

/// The manifest knows how many messages are in a segment.
#[test]
fn a_segment_of_another_time_is_not_taken_for_the_one_that_the_manifest_names() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.put(10);
    engine.force();
    drop(engine);
    let segment = Path::new("store/00000000.seg");
    let image = machine.disk.image();
    let with_more = |more: u64| {
        let machine = Machine::with_disk(image.without_crash(), 1);
        let engine = Engine::open(&machine.world(), &tiny()).unwrap();
        for _ in 0..more {
            engine.put(10);
        }
        engine.force();
        while engine.storage.statistics().segments == 0 {
            let (passing, _) = engine.put(4000);
            engine.get(passing, None);
            engine.force();
            engine.housekeeping();
        }
        drop(engine);
        machine
    };
    let (machine, other) = (with_more(10), with_more(11));
    let file = machine.world().disk.open(segment, OpenMode::Truncate, Access::Cached).unwrap();
    file.write_at(&other.disk.content(segment).unwrap(), 0).unwrap();
    let error = Engine::open(&machine.world(), &tiny()).map(drop).unwrap_err();
    assert!(matches!(&error, OpenError::Damaged { path, .. } if path == segment), "{error}");
}

/// What a segment says of its messages may rot while the queue manager is at work, which then writes those that are left anew.
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

/// Gives a file the version of a release to come.
fn make_newer(machine: &Machine, path: &Path) {
    let mut bytes = machine.disk.content(path).unwrap();
    let end = match path.extension().is_some_and(|extension| extension == "seg") {
        true => 48,
        false => 64 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize,
    };
    bytes[8..12].copy_from_slice(&99_u32.to_le_bytes());
    reseal(&mut bytes[..end]);
    let file = machine.world().disk.open(path, OpenMode::Write, Access::Cached).unwrap();
    file.write_at(&bytes[..end], 0).unwrap();
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

#[test]
fn slow_calls_are_reported() {
    let machine = Machine::new(1);
    let settings = Settings { slow_io: Some(Duration::from_millis(20)), ..tiny() };
    let engine = Engine::create(&machine.world(), &settings);
    engine.put(10);
    engine.force();
    assert_eq!(engine.listener.slow.load(std::sync::atomic::Ordering::Relaxed), 0);
    machine.disk.set_latency(OperationKind::WriteDurable, Duration::from_millis(30));
    engine.put(10);
    engine.force();
    assert_eq!(engine.listener.slow.load(std::sync::atomic::Ordering::Relaxed), 1);
    let statistics = engine.storage.statistics();
    assert_eq!(
        (statistics.forces, statistics.force_micros_last, statistics.force_micros_max),
        (2, 30_000, 30_000)
    );
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

/// A sector of the room that the manifest has ahead is lost sooner than one of the manifest, and nobody needs it.
#[test]
fn what_cannot_be_read_behind_a_manifest_is_no_part_of_it() {
    let (machine, visible) = at_rest();
    for path in ["manifest.0", "manifest.1"].map(Path::new) {
        let blocks = machine.disk.content(path).unwrap().len() as u64 / 4096;
        assert!(machine.disk.rot(path, Rot::Unreadable(blocks - 1)));
    }
    assert_eq!(Engine::open(&machine.world(), &tiny()).unwrap().visible(), visible);
}

/// A segment whose name could not be made to last belongs to nobody, and would take its room until the next start.
#[test]
fn what_a_refused_checkpoint_wrote_takes_no_room() {
    // The call after the one that gives it its name, and the one after that.
    for kind in [OperationKind::SyncDirectory, OperationKind::Open] {
        for (nth, failure) in (1..8).flat_map(|nth| [(nth, Failure::Quota), (nth, Failure::InputOutput)]) {
            let machine = Machine::new(nth);
            let engine = Engine::create(&machine.world(), &tiny());
            engine.storage.prepare().unwrap();
            while engine.storage.current_extent().0 < 2 * tiny().extent_bytes {
                engine.put(20_000);
                engine.force();
                let _ = engine.storage.prepare();
            }
            machine.disk.plan(Fault { kind: Some(kind), nth, failure, repeat: Repeat::Once });
            let outcome = engine.checkpoint();
            assert!(nth > 1 || outcome.is_err() || failure == Failure::Quota, "{kind:?} was refused");
            let is_segment = |path: &Path| {
                path.starts_with("store") && path.extension().is_some_and(|extension| extension == "seg")
            };
            let files = machine.disk.files().iter().filter(|(path, _)| is_segment(path)).count();
            assert_eq!(files as u64, engine.storage.statistics().segments, "{kind:?} {nth} {failure:?}");
        }
    }
}

/// A message in the first extent, which others have left; how many of these could be put and got until one was refused.
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

/// The device gives a sector of the log no more. What is in it stays, in case that it does later, but keeps nobody from the log for good.
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
