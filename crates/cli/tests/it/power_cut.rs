//! Power cuts on a real file system: a server under load on an ext4 whose device logs every write, and images
//! of that device as cuts at many moments would have left it.
//!
//! A cut is a moment at which the number of logged writes was read. The image holds those writes; of the ones
//! after the last flush it holds none, some sectors, or all. The server starts on the image, its queue is
//! emptied, and the history up to that moment, with what was found then, goes to the checker: everything that
//! was acknowledged by then must be there, and nothing that was not asked for by then.
//!
//! `FERRY_POWER_CUT_IMAGES`, `FERRY_POWER_CUT_MESSAGES` and `FERRY_POWER_CUT_SEED` set the size and the
//! moments.

use std::io::Write as _;
use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Reason, Verbs, Wait};
use platform::Clock as _;
use platform::os::OsClock;
use platform::simulated::Random;
use rigs::disk::device::{LoggedDevice, MountedImage, RigError};
use rigs::disk::write_log::{self, Replay, Tail};
use testing::history::{self, Action, Event, Happening, Outcome, Recorder, body};

use crate::kill_nine::worker::{Order, Role};
use crate::kill_nine::{MESSAGE_BYTES, QUEUE, start_worker, wait_for};
use crate::support::{Ferry, Server};

const NAME: &str = "POWER";
const DISK_BYTES: u64 = 192 << 20;
/// So small that the load goes around it many times.
const LOG: &str = "[log]\nextent_size = \"4 MiB\"\nprimary_extents = 3\nsecondary_extents = 2\n";
const PUTTERS: u32 = 3;
const GETTERS: u32 = 3;
const SAMPLE_PAUSE: Duration = Duration::from_millis(2);
/// The client that empties the queue after a cut.
const DRAINER: u32 = 2000;

/// A moment at which the number of logged writes is known.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// Before the number was read: what was acknowledged by then is among them.
    before: u64,
    /// After it was read: what was asked for later is not.
    after: u64,
    entries: usize,
}

#[test]
fn nothing_acknowledged_is_lost_when_the_power_goes() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let device = match LoggedDevice::up(folder.path(), DISK_BYTES) {
        Ok(device) => device,
        Err(RigError::Unavailable(what)) => {
            // Past the harness, which shows nothing that a passing test prints.
            writeln!(std::io::stderr(), "SKIPPED: the power-cut rig needs {what}")
                .expect("standard error is there");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
    };
    let images = number("FERRY_POWER_CUT_IMAGES", 20);
    let messages = number("FERRY_POWER_CUT_MESSAGES", 12_000);
    let seed = number("FERRY_POWER_CUT_SEED", OsClock.now().0);
    println!("{images} images, {messages} messages, FERRY_POWER_CUT_SEED={seed}");
    let (events, cuts) = load(&device, folder.path(), messages);

    let mut random = Random::new(seed);
    let mut chosen: Vec<Cut> = (0..images).map(|_| *random.pick(&cuts)).collect();
    chosen.sort_by_key(|cut| cut.entries);
    let base = folder.path().join("base.img");
    let mut replay = Replay::open(&device.write_log(), &base, device.disk_bytes()).expect("the write log");
    println!("{} writes logged, {} moments known", replay.entries(), cuts.len());
    for (number, cut) in chosen.iter().enumerate() {
        let tail = *random.pick(&[Tail::Flushed, Tail::Subset, Tail::Subset, Tail::All]);
        let image = folder.path().join("image.img");
        replay.image(cut.entries, tail, &mut random, &image).expect("an image");
        let mut history = known_by(&events, *cut);
        history.extend(found_on(&image, folder.path()));
        let verdict = history::check(&history);
        assert!(
            verdict.is_clean(),
            "image {number}, {cut:?}, {tail:?}, FERRY_POWER_CUT_SEED={seed}:\n{verdict}"
        );
    }
}

/// Runs the load on the device; its history and the moments at which the power could have been cut.
fn load(device: &LoggedDevice, folder: &Path, messages: u64) -> (Vec<Event>, Vec<Cut>) {
    let data = device.mount_point().join("data");
    std::fs::create_dir(&data).expect("a directory");
    let ferry = Ferry::at(&data);
    ferry.ok(&["qmgr", "create", NAME, "--port", "0"]);
    let settings = data.join(NAME).join("ferry.toml");
    std::fs::write(&settings, with_log(&std::fs::read_to_string(&settings).expect("settings")))
        .expect("settings");
    let server = ferry.start(&["qmgr", "start", NAME]);
    ferry.ok(&["mqsc", "-e", &format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999) DEFPSIST(YES)")]);

    let ended = Arc::new(AtomicBool::new(false));
    let sampler = {
        let (log, ended) = (device.write_log(), Arc::clone(&ended));
        thread::spawn(move || sample(&log, &ended))
    };
    let begun = Instant::now();
    let putters_done = folder.join("putters-done");
    let orders: Vec<Order> = (0..PUTTERS + GETTERS)
        .map(|number| Order {
            role: if number < PUTTERS { Role::Putter } else { Role::Getter },
            number,
            address: format!("127.0.0.1:{}", server.port()),
            history: folder.join(format!("{number}.history")),
            messages: messages / u64::from(PUTTERS),
            putters_done: putters_done.clone(),
        })
        .collect();
    let mut workers: Vec<Child> = orders.iter().map(start_worker).collect();
    let (putters, getters) = workers.split_at_mut(PUTTERS as usize);
    wait_for(putters, begun);
    std::fs::write(&putters_done, "").expect("a file");
    wait_for(getters, begun);
    ended.store(true, Ordering::Relaxed);
    let cuts = sampler.join().expect("the sampler ends");
    println!("the load took {:.1} s", begun.elapsed().as_secs_f64());
    server.kill();
    let paths: Vec<_> = orders.into_iter().map(|order| order.history).collect();
    (history::read_lines(&paths).expect("the histories can be read"), cuts)
}

/// The settings with a small log instead of what they say about it.
fn with_log(settings: &str) -> String {
    let mut kept = String::new();
    let mut in_log = false;
    for line in settings.lines() {
        if line.starts_with('[') {
            in_log = line.trim() == "[log]";
        }
        if !in_log {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept + LOG
}

fn sample(log: &Path, ended: &AtomicBool) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    while !ended.load(Ordering::Relaxed) {
        let before = OsClock.now().0;
        let entries = write_log::entries_logged(log).expect("the write log");
        let after = OsClock.now().0;
        let entries = usize::try_from(entries).expect("a count");
        if cuts.last().is_none_or(|last| last.entries != entries) {
            cuts.push(Cut { before, after, entries });
        }
        thread::sleep(SAMPLE_PAUSE);
    }
    cuts
}

/// The part of a history that had happened when the power went. A call under way then has no outcome.
fn known_by(events: &[Event], cut: Cut) -> Vec<Event> {
    let known = |event: &&Event| match event.what {
        Happening::Invoke(_) => event.at <= cut.after,
        _ => event.at <= cut.before,
    };
    events.iter().filter(known).cloned().collect()
}

/// Starts a server on the image and empties its queue; what was found, as history.
fn found_on(image: &Path, folder: &Path) -> Vec<Event> {
    let mount_point = folder.join("after");
    let _mounted = MountedImage::mount(image, &mount_point).expect("the file system survives");
    let data = mount_point.join("data");
    let ferry = Ferry::at(&data);
    let recorder = Recorder::in_memory(DRAINER, Arc::new(OsClock));
    recorder.restart();
    if !data.join(NAME).join("manifest.0").exists() && !data.join(NAME).join("manifest.1").exists() {
        // The power went before there was a queue manager.
        return recorder.take();
    }
    let server = ferry.start(&["qmgr", "start", NAME]);
    empty(&server, &recorder);
    server.kill();
    recorder.take()
}

fn empty(server: &Server, recorder: &Recorder) {
    let address = format!("127.0.0.1:{}", server.port()).parse().expect("an address");
    let mut connection = Connection::connect(Options::to(address)).expect("a connection");
    let queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let handle = match connection.open(&queue, OpenOptions::INPUT_SHARED) {
        Ok(opened) => opened.handle,
        // Before the queue was defined nothing was put.
        Err(Reason::UNKNOWN_OBJECT_NAME) => return,
        Err(reason) => panic!("{reason}"),
    };
    loop {
        let call = recorder.invoke(Action::Get { queue: QUEUE.to_owned(), unit: None, selective: false });
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        match connection.get(handle, &mut MessageDescriptor::default(), &mut options, MESSAGE_BYTES) {
            Ok(got) => {
                recorder.ok(call, body::identity(&got.body).map_or(Outcome::Unrecognised, Outcome::Message))
            }
            Err(Reason::NO_MSG_AVAILABLE) => {
                recorder.ok(call, Outcome::Empty);
                break;
            }
            Err(reason) => panic!("{reason}"),
        }
    }
    recorder.drained(QUEUE);
}
