//! The segment kept in advance for the day the disk is full: made on one thread while another one takes it.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use bytes::Bytes;
use parking_lot::{Condvar, Mutex};
use platform::World;
use platform::simulated::{
    CrashPolicy, Failure, Fault, Images, Machine, OperationKind, Random, Repeat, SimulatedDisk, Survival,
    Watch, WatchedDisk,
};
use storage::record::Body;
use storage::{
    Checkpointed, EntryToken, Location, Lsn, ObjectId, OutOfSpace, Purpose, Recalled, Record, Settings,
    Storage, reserved_for_put,
};

use crate::support::{Engine, head};

fn tiny() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 8, secondary_extents: 0, ..Settings::default() }
}

/// Outcome of writes to the spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spare {
    Refused,
    /// The writer stands before its first byte.
    Held {
        arrived: bool,
    },
    Written,
}

#[derive(Debug)]
struct Gate {
    spare: Mutex<Spare>,
    changed: Condvar,
}

impl Gate {
    fn set(&self, spare: Spare) {
        *self.spare.lock() = spare;
        self.changed.notify_all();
    }

    fn wait_until(&self, reached: impl Fn(Spare) -> bool) {
        let mut spare = self.spare.lock();
        while !reached(*spare) {
            self.changed.wait(&mut spare);
        }
    }

    fn before_spare(&self) -> io::Result<()> {
        match *self.spare.lock() {
            Spare::Refused => return Err(io::ErrorKind::StorageFull.into()),
            Spare::Held { .. } => {}
            Spare::Written => return Ok(()),
        }
        self.set(Spare::Held { arrived: true });
        self.wait_until(|spare| spare == Spare::Written);
        Ok(())
    }

    /// The checkpoint goes on without the spare, and then waits for its maker.
    fn before_manifest(&self) {
        if matches!(*self.spare.lock(), Spare::Held { .. }) {
            self.set(Spare::Written);
        }
    }

    /// The first segment finds the disk full, after somebody else began to make a spare.
    fn before_segment(&self) -> io::Result<()> {
        if *self.spare.lock() != Spare::Refused {
            return Ok(());
        }
        self.set(Spare::Held { arrived: false });
        self.wait_until(|spare| spare == Spare::Held { arrived: true });
        Err(io::ErrorKind::StorageFull.into())
    }
}

/// Makes the spare as slowly as the gate says.
impl Watch for Gate {
    fn before_write(&self, path: &Path) -> io::Result<()> {
        if path == Path::new("store/unfinished.tmp") {
            return self.before_segment();
        }
        let path = path.to_string_lossy();
        if path.contains("spare") {
            return self.before_spare();
        }
        if path.contains("manifest") {
            self.before_manifest();
        }
        Ok(())
    }

    fn renamed(&self, to: &Path) {
        if to.starts_with("store") && to.extension().is_some_and(|extension| extension == "seg") {
            self.set(Spare::Written);
        }
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is about two threads")]
fn a_spare_that_is_being_made_is_not_taken_for_a_segment() {
    let machine = Machine::new(1);
    let gate = Arc::new(Gate { spare: Mutex::new(Spare::Refused), changed: Condvar::new() });
    let disk = Arc::new(WatchedDisk { disk: machine.world().disk, watch: Arc::clone(&gate) });
    let engine = Engine::create(&World { disk, ..machine.world() }, &tiny());
    engine.storage.prepare().unwrap_err();
    // Enough that the first extent is given up.
    for _ in 0..660 {
        engine.put(4000);
    }
    engine.force();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| {
            gate.wait_until(|spare| spare != Spare::Refused);
            engine.storage.prepare()
        });
        let _ = engine.checkpoint();
        gate.set(Spare::Written);
        other.join().unwrap().unwrap();
    });
    engine.verify();
    engine.checkpoint().unwrap();
    assert!(engine.storage.statistics().segments > 0);
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
    engine.verify();
}

fn spare_bytes(disk: &SimulatedDisk) -> Option<u64> {
    let spare = disk.files().into_iter().find(|(path, _)| path == Path::new("store/spare.tmp"));
    spare.map(|(_, length)| length)
}

#[test]
fn a_spare_that_a_crash_left_half_made_does_not_count() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    machine.disk.keep_images(Images::Every);
    engine.storage.prepare().unwrap();
    let whole = spare_bytes(&machine.disk);
    assert!(whole > Some(tiny().extent_bytes));
    for (boundary, image) in machine.disk.take_images() {
        for survival in [Survival::Nothing, Survival::InOrder, Survival::Everything] {
            let crashed = image.crash(&mut Random::new(boundary), CrashPolicy::surviving(survival));
            let engine = Engine::open(&Machine::with_disk(crashed.clone(), 2).world(), &tiny()).unwrap();
            let spare = spare_bytes(&crashed);
            assert!(spare.is_none() || spare == whole, "crash at {boundary}, {survival:?}");
            engine.storage.prepare().unwrap();
            assert_eq!(spare_bytes(&crashed), whole);
            assert!(!engine.storage.prepare_due());
        }
    }
}

/// Messages without a descriptor: without a body as well they take more in the store than in the log by the
/// largest part.
#[derive(Default)]
struct Bare {
    messages: Mutex<BTreeMap<u64, Location>>,
    snapshot_bytes: usize,
}

impl Bare {
    fn put(&self, storage: &Storage, length: usize) -> Result<(), OutOfSpace> {
        let mut reservation = storage.reserve(reserved_for_put(0, length), Purpose::Fill)?;
        let mut messages = self.messages.lock();
        let sequence = messages.len() as u64 + 1;
        let body = vec![7; length];
        let record =
            Record::Put { unit: None, head: head(sequence), descriptor: &[], body: Body::Inline(&body) };
        let appended = storage.append(&record, Some(EntryToken(sequence)), &mut reservation);
        messages.insert(sequence, Location::Log(appended.at));
        Ok(())
    }
}

impl Checkpointed for Bare {
    fn is_live(&self, _: ObjectId, entry: EntryToken, at: Location) -> bool {
        self.messages.lock().get(&entry.0) == Some(&at)
    }

    fn relocate(&self, _: ObjectId, entry: EntryToken, _: Location, to: Location) -> bool {
        self.messages.lock().insert(entry.0, to).is_some()
    }

    fn recall(&self, _: ObjectId, _: EntryToken, _: Location) -> Option<Recalled> {
        None
    }

    fn lost(&self, _: ObjectId, _: EntryToken, _: Location, reason: &str) {
        panic!("{reason}");
    }

    fn put_second(&self, _descriptor: &[u8]) -> Option<NonZeroU32> {
        None
    }

    fn oldest_unit(&self) -> Option<Lsn> {
        None
    }

    fn snapshot(&self) -> (Bytes, Lsn) {
        (Bytes::from(vec![0; self.snapshot_bytes]), Lsn(u64::MAX))
    }
}

fn fill_disk(machine: &Machine) {
    machine.disk.set_capacity(Some(machine.disk.files().iter().map(|(_, length)| length).sum()));
}

#[test]
fn the_spare_is_enough_for_an_extent_of_live_messages_of_any_length() {
    for length in [0, 1, 100, 3000, 20_000, 60_000] {
        let settings = Settings { primary_extents: 2, ..tiny() };
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &settings);
        engine.storage.prepare().unwrap();
        fill_disk(&machine);
        let bare = Bare::default();
        while bare.put(&engine.storage, length).is_ok() {}
        engine.force();
        assert!(engine.storage.current_extent() > Lsn::ZERO, "an extent is full");
        engine.storage.checkpoint(&bare).unwrap_or_else(|error| panic!("{length}: {error}"));
        assert!(engine.storage.log_state().restart_from > Lsn::ZERO, "{length}");
        assert_eq!(engine.storage.statistics().segments, 1, "{length}");
        for location in bare.messages.lock().values() {
            assert_eq!(engine.storage.read(*location).unwrap().body.len(), length);
        }
    }
}

/// A manifest has one bit for each message of a segment, and a full disk has no more room for it than its
/// files have already.
#[test]
fn a_full_disk_has_room_for_the_manifest_that_names_the_segment() {
    let settings = Settings { primary_extents: 2, ..tiny() };
    for snapshot_bytes in (64_000..66_000).step_by(400) {
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &settings);
        let bare = Bare { snapshot_bytes, ..Bare::default() };
        for _ in 0..2 {
            engine.storage.checkpoint(&bare).unwrap();
        }
        engine.storage.prepare().unwrap();
        fill_disk(&machine);
        while bare.put(&engine.storage, 0).is_ok() {}
        engine.force();
        engine
            .storage
            .checkpoint(&bare)
            .unwrap_or_else(|error| panic!("a snapshot of {snapshot_bytes} bytes: {error}"));
        assert_eq!(engine.storage.statistics().segments, 1);
    }
}

/// Definitions and backout counts are in the snapshot: it may outgrow the room that its files had when the
/// disk became full. Without a manifest nothing that is got makes room, and in the end nothing can be got.
#[test]
fn a_full_disk_has_room_for_a_snapshot_that_outgrew_its_file() {
    for padding in [100_000, 300_000] {
        let machine = Machine::new(1);
        let engine = Engine::create(&machine.world(), &tiny());
        engine.storage.prepare().unwrap();
        fill_disk(&machine);
        engine.snapshot_padding.store(padding, Ordering::Relaxed);
        while engine.try_put(20_000, None).is_ok() {
            engine.force();
        }
        let all = engine.visible();
        for sequence in &all {
            engine.get(*sequence, None);
            engine.force();
            if engine.storage.checkpoint_due() {
                let _ = engine.checkpoint();
            }
        }
        machine.disk.keep_images(Images::Every);
        engine.checkpoint().unwrap_or_else(|error| panic!("{padding} bytes more: {error}"));
        let images = machine.disk.take_images();
        for _ in 0..20 {
            engine.put(20_000);
            engine.force();
        }
        let mut random = Random::new(1);
        for (boundary, image) in images {
            let policy = CrashPolicy::random(&mut random);
            let crashed = image.crash(&mut random, policy);
            let engine = Engine::open(&Machine::with_disk(crashed, 2).world(), &tiny())
                .unwrap_or_else(|error| panic!("crash at {boundary}: {error}"));
            assert!(engine.visible().is_empty(), "crash at {boundary}");
        }
        machine.disk.set_capacity(None);
        engine.storage.prepare().unwrap();
        assert!(spare_bytes(&machine.disk).is_some(), "the room is kept in advance again");
    }
}

#[test]
fn a_spare_for_smaller_extents_is_made_again() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    let small = spare_bytes(&machine.disk);
    drop(engine);
    let engine = Engine::open(&machine.world(), &Settings { extent_bytes: 1 << 20, ..tiny() }).unwrap();
    assert!(engine.storage.prepare_due());
    engine.storage.prepare().unwrap();
    assert!(spare_bytes(&machine.disk) > small && !engine.storage.prepare_due());
}

/// Messages in the store and behind them in the log, on a disk that is full and whose first spare was used.
fn stored_on_a_full_disk(machine: &Machine) -> Engine {
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    while engine.storage.statistics().segments < 2 {
        engine.put(20_000);
        engine.force();
        engine.housekeeping();
    }
    fill_disk(machine);
    while engine.try_put(20_000, None).is_ok() {
        engine.force();
    }
    assert!(engine.storage.statistics().extents < 8, "an extent became a spare");
    engine
}

/// A block that the system refuses once is there for the next checkpoint.
#[test]
fn a_spare_that_could_not_be_taken_is_a_spare_still() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    fill_disk(&machine);
    // Enough that the first extent is given up.
    while engine.storage.current_extent().0 < 5 * tiny().extent_bytes {
        engine.put(20_000);
        engine.force();
    }
    let (kind, failure) = (Some(OperationKind::Rename), Failure::InputOutput);
    machine.disk.plan(Fault { kind, nth: 1, failure, repeat: Repeat::Once });
    let spare = spare_bytes(&machine.disk);
    assert!(spare.is_some() && engine.checkpoint().is_err());
    assert_eq!((machine.disk.failures(), spare_bytes(&machine.disk)), (1, spare));
    let _ = engine.checkpoint();
    assert_eq!(engine.storage.statistics().segments, 1);
    assert_ne!(spare_bytes(&machine.disk), spare);
    engine.verify();
}

#[test]
fn a_full_disk_heals_when_what_is_in_the_store_is_got() {
    let machine = Machine::new(1);
    let engine = stored_on_a_full_disk(&machine);
    let in_store =
        |sequence: &u64| !matches!(engine.state.lock().messages[sequence].location, Location::Log(_));
    for sequence in engine.visible().into_iter().filter(in_store) {
        engine.get(sequence, None);
        engine.force();
    }
    for _ in 0..3 {
        let _ = engine.storage.prepare();
        let _ = engine.checkpoint();
    }
    engine.put(20_000);
    engine.force();
    engine.verify();
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&machine.world(), &tiny()).unwrap();
    assert_eq!(engine.visible(), visible);
    engine.verify();
}

/// A message that cannot move keeps its extent, the extents before it are given up, and a power cut at any
/// moment of that takes nothing.
#[test]
fn a_checkpoint_gives_up_what_it_could_move() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &tiny());
    engine.storage.prepare().unwrap();
    fill_disk(&machine);
    while engine.storage.current_extent().0 < tiny().extent_bytes {
        engine.put(20_000);
    }
    // Longer than the spare.
    engine.put(1 << 20);
    engine.force();
    let spare = spare_bytes(&machine.disk);
    machine.disk.keep_images(Images::Every);
    while engine.try_put(20_000, None).is_ok() {
        engine.force();
    }
    let visible = engine.visible();
    engine.verify();
    assert!(engine.checkpoint().is_err() && engine.storage.failure().is_none());
    assert_eq!(engine.storage.log_state().restart_from.0, tiny().extent_bytes);
    assert_ne!(spare_bytes(&machine.disk), spare, "the first extent took it");
    assert!(spare_bytes(&machine.disk) >= Some(tiny().extent_bytes), "and gave its file in its place");
    let mut random = Random::new(1);
    for (boundary, image) in machine.disk.take_images() {
        let policy = CrashPolicy::random(&mut random);
        let crashed = image.crash(&mut random, policy);
        let engine = Engine::open(&Machine::with_disk(crashed, 2).world(), &tiny())
            .unwrap_or_else(|error| panic!("crash at {boundary}: {error}"));
        assert!(engine.visible().is_subset(&visible));
        engine.verify();
    }
}
