//! Extents that become the spare on a full disk, by renames from the log to the store: any order in which
//! these, both directories and the writes that follow reach the disk.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use platform::simulated::{
    CrashPolicy, DiskImage, Images, Machine, Operation, OperationKind, Random, SimulatedDisk, Survival,
};
use platform::{Access, Disk as _, OpenMode};
use storage::{OpenError, Settings};

use crate::support::{Engine, Journal};

/// Treatment of names by the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Naming {
    /// A rename is one change, and a flush of either directory makes it last.
    Journalled,
    /// It is two, which become stable each with its directory.
    Apart,
    /// One change, but no flush of a directory makes it last: data stays and names are lost.
    Lost,
    /// Two changes, and no flush makes them last.
    ApartAndLost,
}

const NAMINGS: [Naming; 4] = [Naming::Journalled, Naming::Apart, Naming::Lost, Naming::ApartAndLost];

impl Naming {
    fn set(self, disk: &SimulatedDisk) {
        if matches!(self, Self::Apart | Self::ApartAndLost) {
            disk.take_renames_apart();
        }
        disk.lie_about_names(self.is_lying());
    }

    fn is_lying(self) -> bool {
        matches!(self, Self::Lost | Self::ApartAndLost)
    }
}

fn settings() -> Settings {
    Settings { extent_bytes: 512 << 10, primary_extents: 6, secondary_extents: 0, ..Settings::default() }
}

/// Number of files that the log gave to the store.
fn given(disk: &SimulatedDisk) -> usize {
    let is_given = |operation: &Operation| {
        operation.kind == OperationKind::Rename
            && operation.path.starts_with("log")
            && operation.path.extension().is_some_and(|end| end == "seg")
            && operation.outcome == "done"
    };
    disk.operations().iter().filter(|operation| is_given(operation)).count()
}

/// Puts and gets on a disk that stays full, with checkpoints: extents become spares, spares become segments.
fn live(engine: &Engine, random: &mut Random, changes: usize, mut each: impl FnMut()) {
    for _ in 0..changes {
        if engine.storage.failure().is_some() {
            return;
        }
        let gettable = engine.gettable();
        match random.below(10) {
            0..6 => drop(engine.try_put(*random.pick(&[100, 4_000, 20_000, 60_000]), None)),
            _ if gettable.is_empty() => {}
            // The oldest, so that extents and segments become free, or any.
            6 | 7 => drop(engine.get(gettable[0], None)),
            _ => drop(engine.get(*random.pick(&gettable), None)),
        }
        if random.percent(50) {
            engine.force();
            each();
        }
        if engine.storage.checkpoint_due() || random.percent(8) {
            let _ = engine.checkpoint();
        }
        if engine.storage.prepare_due() && random.percent(70) {
            let _ = engine.storage.prepare();
        }
    }
    engine.force();
    each();
}

/// States of the queue with the boundaries after which they came about, and the acknowledged ones.
struct History {
    states: Vec<(u64, BTreeSet<u64>)>,
    acknowledged: Vec<(u64, usize)>,
}

impl History {
    fn allows(&self, found: &BTreeSet<u64>, boundary: u64, may_be_older: bool) -> bool {
        let known = self.acknowledged.iter().filter(|(at, _)| *at < boundary).map(|(_, known)| *known).max();
        let from = if may_be_older { 0 } else { known.unwrap_or(1).max(1) };
        let appended = self.states.iter().filter(|(at, _)| *at < boundary).count();
        self.states[from.saturating_sub(1)..appended].iter().any(|(_, state)| state == found)
    }
}

/// Moments of one life on a full disk, from the first extent that is given to the store on.
struct Life {
    history: History,
    images: Vec<(u64, DiskImage)>,
    /// Bytes that the disk has.
    capacity: u64,
    /// The renames from the log to the store, and soon after.
    near: BTreeSet<u64>,
}

fn lead(seed: u64, naming: Naming) -> Life {
    let machine = Machine::new(seed);
    let mut random = Random::new(seed);
    let engine = Engine::create(&machine.world(), &settings());
    engine.storage.prepare().unwrap();
    while engine.storage.current_extent().0 < settings().extent_bytes * (1 + seed % 3) {
        engine.put(20_000);
        engine.force();
    }
    let disk = &machine.disk;
    // It is full; some have room for a short file.
    let used: u64 = disk.files().iter().map(|(_, length)| length).sum();
    let capacity = used + *random.pick(&[0, 0, 4_096, 200_000]);
    disk.set_capacity(Some(capacity));
    naming.set(disk);
    disk.keep_operations();
    disk.keep_images(Images::Every);
    let states = vec![(disk.boundaries(), engine.visible())];
    *engine.journal.lock() = Some(Journal { disk: disk.clone(), random: Random::new(seed), states });
    let mut acknowledged = Vec::new();
    let changes = 150 + random.index(150);
    live(&engine, &mut random, changes, || {
        let known = engine.journal.lock().as_ref().map_or(0, |journal| journal.states.len());
        if engine.storage.failure().is_none() {
            acknowledged.push((disk.boundaries(), known));
        }
    });
    let states = engine.journal.lock().take().map(|journal| journal.states).unwrap_or_default();
    let is_of_names = |operation: &Operation| {
        let is_near = operation.path.starts_with("log") || operation.path == Path::new("store/spare.tmp");
        operation.kind == OperationKind::Rename && is_near
    };
    let operations = disk.operations();
    let near = operations.iter().filter(|operation| is_of_names(operation));
    let near = near.flat_map(|operation| operation.boundary..operation.boundary + SOON).collect();
    Life { history: History { states, acknowledged }, images: disk.take_images(), capacity, near }
}

/// Boundaries after a rename that still count as soon.
const SOON: u64 = 12;

/// Results of starts.
#[derive(Debug, Default)]
struct Seen {
    started: usize,
    refused: BTreeMap<String, usize>,
    /// Extents given to the store in lives after a crash.
    given: usize,
    /// Disks where the file of the spare has a second name.
    shared: usize,
    /// Disks where a name of the log leads to a segment.
    segments_in_log: usize,
}

impl Seen {
    fn add(&mut self, other: Self) {
        self.started += other.started;
        self.given += other.given;
        self.shared += other.shared;
        self.segments_in_log += other.segments_in_log;
        for (kind, times) in other.refused {
            *self.refused.entry(kind).or_default() += times;
        }
    }
}

/// Starts a disk after a crash, and lives on there: what was found is there after one more start.
fn start(
    crashed: &SimulatedDisk,
    seed: u64,
    (life, naming, boundary): (&Life, Naming, u64),
    seen: &mut Seen,
) {
    let machine = Machine::with_disk(crashed.clone(), seed);
    machine.disk.set_capacity(Some(life.capacity));
    let files = crashed.files();
    let identity = |path: &Path| crashed.identity(path).ok();
    let spare = identity(Path::new("store/spare.tmp"));
    let has_spare = |(path, _): &(PathBuf, u64)| {
        path.extension().is_some_and(|end| end == "seg") && identity(path) == spare
    };
    seen.shared += usize::from(spare.is_some() && files.iter().any(has_spare));
    let is_segment = |(path, _): &(PathBuf, u64)| {
        path.starts_with("log") && crashed.content(path).is_some_and(|bytes| bytes.starts_with(b"FERRYSEG"))
    };
    seen.segments_in_log += usize::from(files.iter().any(is_segment));
    let engine = match Engine::open(&machine.world(), &settings()) {
        Ok(engine) => engine,
        Err(error) if naming.is_lying() => {
            let kind = match &error {
                OpenError::MissingExtent { .. } => "an extent is missing",
                OpenError::MissingSegment { .. } => "a segment is missing",
                OpenError::Damaged { .. } => "damaged",
                OpenError::OtherBuild { .. } => "of another build",
                OpenError::Cut { .. } => "cut",
                OpenError::Absent { .. } => "no manifest",
                OpenError::NoRoom { .. } => "no room for an extent in place of a lost one",
                _ => panic!("{error}"),
            };
            *seen.refused.entry(kind.to_owned()).or_default() += 1;
            return;
        }
        Err(error) => panic!("{error}"),
    };
    seen.started += 1;
    let found = engine.visible();
    assert!(life.history.allows(&found, boundary, naming.is_lying()), "found {found:?}");
    engine.verify();
    naming.set(&machine.disk);
    machine.disk.lie_about_names(false);
    machine.disk.keep_operations();
    live(&engine, &mut Random::new(seed ^ boundary), 40, || {});
    let _ = engine.checkpoint();
    engine.force();
    assert!(engine.storage.failure().is_none(), "{:?}", engine.storage.failure());
    seen.given += given(&machine.disk);
    let visible = engine.visible();
    drop(engine);
    let engine =
        Engine::open(&machine.world(), &settings()).unwrap_or_else(|error| panic!("once more: {error}"));
    assert_eq!(engine.visible(), visible);
    engine.verify();
}

/// One life, and starts after cuts of the power at so many of its moments.
fn case(seed: u64, naming: Naming, images_max: usize, seen: &mut Seen) {
    let life = lead(seed, naming);
    let mut random = Random::new(seed);
    let mut near: Vec<_> = life.images.iter().filter(|(boundary, _)| life.near.contains(boundary)).collect();
    random.shuffle(&mut near);
    for (boundary, image) in near.into_iter().take(images_max) {
        let units = image.units();
        // Few changes: each set of them. Many: names come first, so that their bits decide.
        let survivals: Vec<Survival> = if units <= 3 {
            (0..1 << units).map(Survival::Index).collect()
        } else {
            let some = (0..4).map(|_| Survival::Index(random.next_u64()));
            [Survival::Nothing, Survival::Everything].into_iter().chain(some).collect()
        };
        let mut fates = BTreeSet::new();
        for survival in survivals {
            let policy = CrashPolicy::surviving(survival);
            let crashed = image.crash(&mut random, policy);
            if !fates.insert(crashed.fate()) {
                continue;
            }
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                let mut seen = Seen::default();
                start(&crashed, seed, (&life, naming, *boundary), &mut seen);
                seen
            }));
            let Ok(one) = outcome else {
                panic!("seed {seed}, {naming:?}, cut within call {boundary}, {policy:?}")
            };
            seen.add(one);
        }
    }
}

fn all_namings(seeds: std::ops::Range<u64>, images_max: usize) {
    for naming in NAMINGS {
        let mut seen = Seen::default();
        seeds.clone().for_each(|seed| case(seed, naming, images_max, &mut seen));
        println!("{naming:?}, {seeds:?}: {seen:?}");
        assert!(seen.started > 5 && seen.given > 0, "{naming:?}: {seen:?}");
    }
}

#[test]
fn an_extent_given_to_the_store_is_one_of_both_after_any_power_cut() {
    all_namings(0..2, 4);
}

/// Ten thousand lives on each kind of disk.
#[test]
#[ignore = "hours: ten thousand lives on each kind of disk"]
#[expect(clippy::disallowed_methods, reason = "the person who runs it may choose a part of the seeds")]
fn an_extent_given_to_the_store_is_one_of_both_in_ten_thousand_lives() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
    };
    let (from, seeds) = (number("FERRY_GIVEN_FROM", 0), number("FERRY_GIVEN_SEEDS", 10_000));
    for seed in (from..from + seeds).step_by(50) {
        all_namings(seed..(seed + 50).min(from + seeds), 2);
    }
}

/// A store with a segment, and the log behind it.
fn with_a_segment(machine: &Machine, settings: &Settings) -> Engine {
    let engine = Engine::create(&machine.world(), settings);
    engine.storage.prepare().unwrap();
    while engine.storage.statistics().segments < 1 {
        engine.put(20_000);
        engine.force();
        engine.housekeeping();
    }
    engine
}

/// The beginnings of the extents that have a name.
fn extents(disk: &SimulatedDisk) -> Vec<u64> {
    let names = disk.list(Path::new("log")).unwrap();
    names.iter().filter_map(|name| u64::from_str_radix(name.strip_suffix(".seg")?, 16).ok()).collect()
}

fn write_segment_as(disk: &SimulatedDisk, first: u64) -> PathBuf {
    let files = disk.files();
    let (segment, _) = files
        .iter()
        .find(|(path, _)| path.starts_with("store") && path.extension().unwrap() == "seg")
        .unwrap();
    let bytes = disk.content(segment).unwrap();
    let path = PathBuf::from(format!("log/{first:016x}.seg"));
    let file = disk.open(&path, OpenMode::Truncate, Access::Cached).unwrap();
    file.write_at(&bytes, 0).unwrap();
    path
}

#[test]
fn names_of_the_log_that_lead_to_segments_are_removed_if_the_log_had_not_come_to_them() {
    for names in [1, 2] {
        let machine = Machine::new(1);
        let engine = with_a_segment(&machine, &settings());
        let visible = engine.visible();
        drop(engine);
        let end = extents(&machine.disk).last().unwrap() + settings().extent_bytes;
        let ready = extents(&machine.disk);
        for number in 0..names {
            write_segment_as(&machine.disk, end + number * settings().extent_bytes);
        }
        let engine = Engine::open(&machine.world(), &settings()).unwrap();
        assert_eq!(engine.visible(), visible);
        engine.verify();
        assert_eq!(extents(&machine.disk), ready);
        let (last, _) = engine.put(20_000);
        engine.force();
        drop(engine);
        let engine = Engine::open(&machine.world(), &settings()).unwrap();
        assert!(engine.visible().contains(&last));
    }
}

#[test]
fn a_segment_in_the_place_of_an_extent_that_may_have_had_blocks_refuses_the_start() {
    let settings = Settings { primary_extents: 3, ..settings() };
    // The extent that the log is in is nearly full: the next may have had blocks.
    let machine = Machine::new(1);
    let engine = with_a_segment(&machine, &settings);
    let end = || engine.storage.current_extent().0 + settings.extent_bytes;
    while end() - engine.storage.log_state().end.0 > 100_000 {
        engine.put(4_000);
        engine.force();
    }
    let next = end();
    drop(engine);
    let behind: Vec<u64> = extents(&machine.disk).into_iter().filter(|first| *first >= next).collect();
    assert!(!behind.is_empty());
    let paths: Vec<_> = behind.iter().map(|first| write_segment_as(&machine.disk, *first)).collect();
    let refused = Engine::open(&machine.world(), &settings).err().expect("what was there cannot be known");
    assert!(
        matches!(&refused, OpenError::OtherBuild { path, found: 4, .. } if *path == paths[0]),
        "{refused}"
    );
    // One that others follow.
    let machine = Machine::new(1);
    drop(with_a_segment(&machine, &settings));
    let extents = extents(&machine.disk);
    let path = write_segment_as(&machine.disk, extents[extents.len() - 2]);
    let refused = Engine::open(&machine.world(), &settings).err().expect("an extent is missing");
    assert!(matches!(&refused, OpenError::OtherBuild { path: of, found: 4, .. } if *of == path), "{refused}");
}

#[test]
fn a_spare_whose_file_is_an_extent_too_is_given_up() {
    let machine = Machine::new(1);
    let engine = Engine::create(&machine.world(), &settings());
    engine.storage.prepare().unwrap();
    let used = machine.disk.files().iter().map(|(_, length)| length).sum();
    machine.disk.set_capacity(Some(used));
    while engine.storage.current_extent().0 < 4 * settings().extent_bytes {
        engine.put(20_000);
        engine.force();
    }
    Naming::ApartAndLost.set(&machine.disk);
    machine.disk.keep_operations();
    engine.checkpoint().unwrap();
    assert!(given(&machine.disk) > 0, "a segment took the spare, and an extent became the next");
    let visible = engine.visible();
    // All that was changed is there but the ends of names: each rename left both.
    let crashed = machine.disk.image().crash_with_old_names();
    let shared = |disk: &SimulatedDisk| {
        let spare = disk.identity(Path::new("store/spare.tmp")).ok();
        let extent =
            |first: &u64| disk.identity(&PathBuf::from(format!("log/{first:016x}.seg"))).ok() == spare;
        spare.is_some() && extents(disk).iter().any(extent)
    };
    assert!(shared(&crashed), "the file has both names");
    let machine = Machine::with_disk(crashed, 2);
    machine.disk.set_capacity(Some(used));
    let engine = Engine::open(&machine.world(), &settings()).unwrap();
    assert_eq!(engine.visible(), visible);
    assert!(!shared(&machine.disk));
    live(&engine, &mut Random::new(1), 300, || {});
    engine.verify();
    let visible = engine.visible();
    drop(engine);
    let engine = Engine::open(&machine.world(), &settings()).unwrap();
    assert_eq!(engine.visible(), visible);
    engine.verify();
}
