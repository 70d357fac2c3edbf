//! The append and forcing sides against a log on a disk in memory.

use std::sync::atomic::AtomicUsize;

use platform::simulated::SimulatedDisk;
use platform::{Access, Disk as _, OpenMode};

use super::buffer::Message;
use super::extent::{Extent, LOG_DIRECTORY, Page, extent_path};
use super::files::LogFiles;
use super::record::Entry;
use super::*;
use crate::checksum::Secret;
use crate::record::Body;
use crate::space::Promise;
use crate::{EntryToken, MessageHead, ObjectId, Purpose, Record, Sequence};

const EXTENT: u64 = 256 << 10;

/// Extents of a log: more than any test fills.
const EXTENTS: u64 = 128;

#[derive(Default)]
struct Listener {
    woken: AtomicUsize,
    told: AtomicU64,
    slow: AtomicUsize,
}

impl Observer for Listener {
    fn log_has_work(&self) {
        self.woken.fetch_add(1, Ordering::Relaxed);
    }

    fn durable(&self, durable: Durable) {
        self.told.fetch_max(durable.lsn().0, Ordering::Relaxed);
    }

    fn slow_io(&self, _: &str, _: usize, _: u64) {
        self.slow.fetch_add(1, Ordering::Relaxed);
    }

    fn failed(&self, failure: &Fatal) {
        panic!("{failure}");
    }
}

/// So many extents on a disk in memory.
fn files(extents: u64) -> LogFiles {
    let disk = SimulatedDisk::new(1);
    disk.create_directory(LOG_DIRECTORY.as_ref()).unwrap();
    let extent = |number: u64| {
        let first = number * EXTENT;
        let file = disk.open(&extent_path(first), OpenMode::Truncate, Access::Durable).unwrap();
        file.set_length(EXTENT).unwrap();
        let identity = file.identity().unwrap();
        (
            first,
            Arc::new(Extent {
                first,
                length: EXTENT,
                page: Page::Known,
                file,
                identity,
                items: Mutex::default(),
            }),
        )
    };
    LogFiles { extents: RwLock::new((0..extents).map(extent).collect()) }
}

/// A log of so many extents that tells this observer.
pub(super) fn log_in_memory(extents: u64, block_bytes_max: usize, observer: Arc<dyn Observer>) -> Log {
    let space = Arc::new(Space::new(block_bytes_max, 0));
    space.give(1 << 30);
    let chain = Chain { nonce: 11, epoch: 1, ..Chain::default() };
    let start = Start {
        identity: Seed::of_queue_manager(&[1; 16], Secret(1)),
        files: files(extents),
        space,
        position: 4096,
        chain,
        lineages: vec![Lineage { from: 0, epoch: 1, nonce: 11 }],
        restated: Vec::new(),
        starts: BTreeMap::new(),
        block_bytes_max,
        slow_io: None,
    };
    let clock = Arc::new(platform::simulated::SimulatedClock::default());
    Log::new(start, clock, observer)
}

fn in_memory(block_bytes_max: usize) -> (Log, Arc<Listener>) {
    let listener = Arc::new(Listener::default());
    (log_in_memory(EXTENTS, block_bytes_max, Arc::clone(&listener) as Arc<dyn Observer>), listener)
}

pub(super) fn promise(log: &Log) -> Promise {
    log.space.reserve(1 << 20, Purpose::Fill).unwrap()
}

pub(super) fn put(log: &Log, promise: &mut Promise, sequence: u64, body: &[u8]) -> crate::Appended {
    put_body(log, promise, sequence, Body::Inline(body))
}

fn put_body(log: &Log, promise: &mut Promise, sequence: u64, body: Body<'_>) -> crate::Appended {
    let head = MessageHead {
        queue: ObjectId(1),
        sequence: Sequence(sequence),
        priority: 4,
        reports: 0,
        expires_at: i64::MAX,
        message_id: [2; 24],
        correlation_id: [3; 24],
        group_id: [0; 24],
        group: crate::GroupHead::default(),
        deliver_at: 0,
    };
    let record = Record::Put { unit: None, head, descriptor: b"descriptor", body };
    let message = Message { queue: ObjectId(1), entry: EntryToken(sequence), fragments_from: None };
    log.append(&Entry::Engine(record), [(0, message)], promise)
}

#[test]
fn one_write_takes_what_was_appended_meanwhile() {
    let (log, listener) = in_memory(64 << 10);
    let mut promise = promise(&log);
    let needs: Vec<_> = (0..10).map(|sequence| put(&log, &mut promise, sequence, &[7; 500]).need).collect();
    assert!(needs.is_sorted());
    assert!(log.durable().lsn() < needs[0]);
    let durable = log.drive();
    assert!(durable.lsn() >= needs[9]);
    assert_eq!(listener.told.load(Ordering::Relaxed), durable.lsn().0);
    let mut statistics = crate::Statistics::default();
    log.forces.fill(&mut statistics);
    assert_eq!((statistics.forces, statistics.records), (1, 10));
    assert_eq!(statistics.forced_bytes % 4096, 0);
    assert_eq!(log.drive(), durable, "nothing waits");
}

#[test]
fn an_idle_log_that_gets_work_says_so_once() {
    let (log, listener) = in_memory(64 << 10);
    let mut promise = promise(&log);
    for round in 1..4 {
        for sequence in 0..5 {
            put(&log, &mut promise, sequence, b"x");
        }
        assert_eq!(listener.woken.load(Ordering::Relaxed), round);
        log.drive();
    }
}

#[test]
fn work_left_over_by_a_writer_is_announced() {
    let (log, listener) = in_memory(32 << 10);
    let mut promise = promise(&log);
    let last = (0..20).map(|sequence| put(&log, &mut promise, sequence, &[1; 5000]).need).last().unwrap();
    let mut drives = 0;
    while log.durable().lsn() < last {
        let announced = listener.woken.load(Ordering::Relaxed);
        drives += 1;
        if log.drive().lsn() < last {
            assert_eq!(listener.woken.load(Ordering::Relaxed), announced + 1);
        }
    }
    assert!(drives >= 3, "blocks are bounded");
}

#[test]
fn records_stay_within_their_extent_and_read_back_before_and_after_the_force() {
    let (log, _) = in_memory(32 << 10);
    let mut promise = log.space.reserve(100 << 20, Purpose::Fill).unwrap();
    let cache = crate::read::Cache::default();
    let mut kept = Vec::new();
    for sequence in 0..400 {
        let length = (sequence as usize * 977) % 60_000;
        let appended = put(&log, &mut promise, sequence, &vec![sequence as u8; length]);
        assert_eq!(appended.at.0 / EXTENT, (appended.need.0 - 1) / EXTENT, "within one extent");
        assert!(appended.at.0 % EXTENT >= 4096 + 64, "after the pages of extent and block");
        kept.push((appended.at, sequence, length));
        if sequence % 7 == 0 {
            log.drive();
        }
    }
    for forced in [false, true] {
        for (at, sequence, length) in &kept {
            let (head, message) = log.read(&cache, *at).unwrap();
            assert_eq!(head.sequence, Sequence(*sequence), "forced {forced}");
            assert_eq!(&message.descriptor[..], b"descriptor");
            assert_eq!(message.body, vec![*sequence as u8; *length]);
        }
        assert!(log.drive_to(log.appended()));
    }
}

/// Where the pieces of a body are, and how long it is, stands in a record; its checksum does not say that it
/// is true.
#[test]
fn a_body_whose_pieces_cannot_be_where_they_are_said_to_be_is_refused() {
    let (log, _) = in_memory(64 << 10);
    let mut promise = promise(&log);
    let cache = crate::read::Cache::default();
    for place in [0, 4096, 1 << 40, u64::MAX - EXTENT, u64::MAX - 32, u64::MAX] {
        for length in [0, 1, 1 << 40, u64::MAX] {
            let at = [Lsn(place); 3];
            let put = put_body(&log, &mut promise, 1, Body::Fragments { at: &at, length }).at;
            for forced in [false, true] {
                assert!(log.read(&cache, put).is_err(), "{length} bytes at {place}, {forced}");
                log.drive();
            }
        }
    }
}

#[test]
fn what_a_record_did_not_need_of_its_promise_comes_back() {
    let (log, _) = in_memory(64 << 10);
    let before = log.space.free();
    {
        let mut promise = log.space.reserve(100 * 4096, Purpose::Fill).unwrap();
        for sequence in 0..100 {
            put(&log, &mut promise, sequence, &[1; 200]);
        }
        log.drive_to(log.appended());
    }
    let used = before - log.space.free();
    assert_eq!(used as u64, log.durable().lsn().0 - 4096, "what the log grew by, and no more");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test is the host")]
fn many_threads_append_and_drive_at_once() {
    let (log, _) = in_memory(64 << 10);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let log = &log;
            scope.spawn(move || {
                let mut promise = log.space.reserve(64 << 20, Purpose::Fill).unwrap();
                let cache = crate::read::Cache::default();
                for turn in 0..500 {
                    let sequence = thread * 1000 + turn;
                    let appended = put(log, &mut promise, sequence, &[thread as u8; 700]);
                    while turn % 5 == 0 && log.drive().lsn() < appended.need {
                        std::hint::spin_loop();
                    }
                    let (head, message) = log.read(&cache, appended.at).unwrap();
                    assert_eq!(head.sequence, Sequence(sequence));
                    assert_eq!(message.body, vec![thread as u8; 700]);
                }
            });
        }
    });
    assert!(log.drive_to(log.appended()));
}
