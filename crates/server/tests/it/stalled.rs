//! A disk that stalls: what needs it waits, and nothing else does.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};
use parking_lot::{Condvar, Mutex};
use platform::os::OsDisk;
use platform::simulated::{SimulatedDisk, Watch, WatchedDisk};
use platform::{Disk, World};
use queue_manager::QueueManager;
use server::{Configuration, Server};

use crate::running::{Place, address, command, connect, eventually, get, open, put};

/// Duration of the disk's stall.
const STALL: Duration = Duration::from_secs(5);
/// DISPLAY is answered within this all the time.
const DISPLAY_MAX: Duration = Duration::from_secs(1);

/// A disk whose durable writes take longer when told so.
pub(crate) type SlowDisk = WatchedDisk<Pace>;

#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Durable writes are held until this is false.
    stalled: Mutex<bool>,
    changed: Condvar,
    /// Microseconds each durable write takes besides.
    extra_micros: AtomicU64,
    held: AtomicU64,
    /// Durable writes made by the log's own thread.
    by_log_thread: AtomicU64,
    /// And by those that serve connections.
    by_reactors: AtomicU64,
}

impl Pace {
    fn hold(&self) {
        match std::thread::current().name() {
            Some("ferry-log") => self.by_log_thread.fetch_add(1, Ordering::Relaxed),
            Some(name) if name.starts_with("ferry-reactor") => {
                self.by_reactors.fetch_add(1, Ordering::Relaxed)
            }
            _ => 0,
        };
        std::thread::sleep(Duration::from_micros(self.extra_micros.load(Ordering::Relaxed)));
        let mut stalled = self.stalled.lock();
        while *stalled {
            self.held.fetch_add(1, Ordering::Relaxed);
            self.changed.wait(&mut stalled);
        }
    }

    pub(crate) fn stall(&self, stalled: bool) {
        *self.stalled.lock() = stalled;
        self.changed.notify_all();
    }

    /// Writes since this was last asked: by the log's own thread, and by those that serve connections.
    fn take_writers(&self) -> (u64, u64) {
        (self.by_log_thread.swap(0, Ordering::Relaxed), self.by_reactors.swap(0, Ordering::Relaxed))
    }

    pub(crate) fn holds(&self) -> bool {
        self.held.load(Ordering::Relaxed) > 0
    }
}

impl Watch for Pace {
    fn before_force(&self, _path: &Path) -> io::Result<()> {
        self.hold();
        Ok(())
    }
}

/// A server on a disk of this machine, with the queues `P` and `N`.
fn server_on_slow_disk(settings: &str) -> (Place, Server, Arc<Pace>) {
    let place = Place::with_settings(settings);
    let disk = Arc::new(OsDisk::at(place.folder()));
    server_on(place, disk)
}

/// The same on a disk in memory, which is as quick as it is told to be, whatever the machine does besides.
fn server_in_memory(settings: &str) -> (Place, Server, Arc<Pace>) {
    let place = Place::with_settings(settings);
    let folder = place.data.folder(&place.name);
    let world = World { disk: Arc::new(SimulatedDisk::new(1)), ..World::of_machine(folder.path()) };
    let engine = Configuration::read(&folder.settings()).unwrap().engine(place.name);
    QueueManager::create(&world, &engine).unwrap();
    server_on(place, world.disk)
}

fn server_on(place: Place, disk: Arc<dyn Disk>) -> (Place, Server, Arc<Pace>) {
    let pace = Arc::<Pace>::default();
    let disk = SlowDisk { disk, watch: Arc::clone(&pace) };
    let options = server::Options { disk: Some(Arc::new(disk)), ..place.options() };
    let server = Server::start(&options).unwrap();
    command(&mut connect(&address(&server)), "DEFINE QLOCAL(P); DEFINE QLOCAL(N)");
    (place, server, pace)
}

/// Stalls the disk for [`STALL`] with a persistent put on its way, and has somebody else exchange
/// non-persistent messages and ask DISPLAY meanwhile; the longest of either.
fn longest_while_stalled(server: &Server, pace: &Arc<Pace>) -> (Duration, Duration) {
    let address = address(server);
    let mut putter = connect(&address);
    let persistent = open(&mut putter, "P", OpenOptions::OUTPUT);
    let mut other = connect(&address);
    let exchange = open(&mut other, "N", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    let mut asker = connect(&address);

    pace.stall(true);
    let waiting = std::thread::spawn(move || {
        let begun = Instant::now();
        put(&mut putter, persistent, b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
        begun.elapsed()
    });
    eventually("a write is held", || pace.holds());
    let begun = Instant::now();
    let releaser = {
        let pace = Arc::clone(pace);
        std::thread::spawn(move || {
            std::thread::sleep(STALL);
            pace.stall(false);
        })
    };
    let (mut exchanged, mut displayed) = (Duration::ZERO, Duration::ZERO);
    while begun.elapsed() < STALL - Duration::from_millis(200) {
        let at = Instant::now();
        put(&mut other, exchange, b"n", Persistence::NotPersistent, PutFlags::SYNC_RESPONSE).unwrap();
        get(&mut other, exchange, Duration::ZERO, GetFlags::NO_SYNCPOINT).unwrap();
        exchanged = exchanged.max(at.elapsed());
        let at = Instant::now();
        command(&mut asker, "DISPLAY QLOCAL(N) CURDEPTH");
        displayed = displayed.max(at.elapsed());
        std::thread::sleep(Duration::from_millis(2));
    }
    releaser.join().unwrap();
    let waited = waiting.join().unwrap();
    assert!(waited >= STALL - Duration::from_millis(300), "the put that needs the disk waited {waited:?}");
    (exchanged, displayed)
}

#[test]
fn a_stalled_disk_holds_up_those_who_need_it_and_nobody_else() {
    let (place, server, pace) = server_on_slow_disk("writer = \"thread\"\n[errors]\nslow_io_record = true\n");
    let (exchanged, displayed) = longest_while_stalled(&server, &pace);
    assert!(displayed < DISPLAY_MAX, "DISPLAY took {displayed:?} while the disk stalled");
    assert!(exchanged < DISPLAY_MAX, "an exchange that needs no disk took {exchanged:?}");
    eventually("the slow write is reported", || place.error_log().contains("FRY6729W"));
    let is_record = |name: std::fs::DirEntry| name.file_name().to_string_lossy().starts_with("slow-io-");
    eventually("the slow write leaves a record", || {
        std::fs::read_dir(place.folder().join("errors")).unwrap().flatten().any(is_record)
    });
}

#[test]
fn a_disk_that_was_slow_already_and_stalls_is_left_to_the_log_thread() {
    let (_place, server, pace) = server_on_slow_disk("");
    // Slow enough that the reactor leaves it alone after a few writes.
    pace.extra_micros.store(3_000, Ordering::Relaxed);
    let mut putter = connect(&address(&server));
    let queue = open(&mut putter, "P", OpenOptions::OUTPUT);
    for _ in 0..10 {
        put(&mut putter, queue, b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
    }
    let (exchanged, displayed) = longest_while_stalled(&server, &pace);
    assert!(displayed < DISPLAY_MAX, "DISPLAY took {displayed:?} while the disk stalled");
    assert!(exchanged < DISPLAY_MAX, "an exchange that needs no disk took {exchanged:?}");
}

/// With `writer = "auto"`, and a bound that is not reached where the machine does something else for half a
/// second.
#[test]
fn a_disk_that_becomes_slow_is_written_by_the_log_thread_until_it_is_quick_again() {
    let (_place, server, pace) = server_in_memory("inline_microseconds_max = 100000\n");
    let mut putter = connect(&address(&server));
    let queue = open(&mut putter, "P", OpenOptions::OUTPUT);
    let mut put_some = |count: u32| {
        for _ in 0..count {
            put(&mut putter, queue, b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
        }
    };
    put_some(5);
    pace.take_writers();
    put_some(10);
    let (log_thread, reactors) = pace.take_writers();
    assert!(reactors >= 10, "the reactor writes to a quick disk: {reactors}, the log thread {log_thread}");

    // An eighth of a slow write counts at once: the fourth takes the average beyond the bound.
    pace.extra_micros.store(300_000, Ordering::Relaxed);
    put_some(6);
    pace.take_writers();
    put_some(5);
    let (log_thread, reactors) = pace.take_writers();
    assert!(log_thread >= 5 && reactors == 0, "a slow disk: log thread {log_thread}, reactors {reactors}");

    pace.extra_micros.store(0, Ordering::Relaxed);
    eventually("the reactor writes again", || {
        put_some(1);
        pace.by_reactors.load(Ordering::Relaxed) > 0
    });
}

/// A write takes 300 ms here, so those who come during the first one wait together afterwards.
#[test]
fn with_a_commit_delay_programs_that_wait_together_share_a_write_and_a_lone_one_does_not_wait() {
    const DELAY: Duration = Duration::from_millis(100);
    let (_place, server, pace) = server_in_memory(
        "writer = \"inline\"\ncommit_delay_microseconds = 100000\ncommit_delay_siblings = 3\n",
    );
    let mut putters: Vec<_> = (0..6).map(|_| connect(&address(&server))).collect();
    let queues: Vec<_> = putters.iter_mut().map(|putter| open(putter, "P", OpenOptions::OUTPUT)).collect();
    let began = Instant::now();
    for _ in 0..20 {
        put(&mut putters[0], queues[0], b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
    }
    let alone = began.elapsed();
    assert!(alone < 20 * DELAY, "20 puts of a lone program took {alone:?}");

    pace.extra_micros.store(300_000, Ordering::Relaxed);
    pace.take_writers();
    let began = Instant::now();
    std::thread::scope(|scope| {
        for (putter, queue) in putters.iter_mut().zip(&queues) {
            scope.spawn(|| {
                put(putter, *queue, b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
            });
        }
    });
    let together = began.elapsed();
    let (_, writes) = pace.take_writers();
    assert!(together >= DELAY, "they were held back: {together:?}");
    assert!(writes <= 3, "{writes} writes for six programs");
}
