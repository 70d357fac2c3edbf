//! A small life of a queue manager with one of everything that lasts, cut off as by `kill -9`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, Priority, PutFlags, PutOptions, Verbs, Wait,
};
use server::embedded::{Connection, QueueManager};
use server::{DataDirectory, Mode, instances};

use super::{sparse, units};

const SETTINGS: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 2\nsecondary_extents = 2\n";

const DEFINITIONS: &str = "\
DEFINE QLOCAL(GOLDEN.PLAIN) DESCR('the plain one') DEFPSIST(YES)
DEFINE QLOCAL(GOLDEN.FIFO) MSGDLVSQ(FIFO) MAXDEPTH(1234) DEFPRTY(3)
DEFINE QLOCAL(GOLDEN.OLD) DESCR('its messages outlived the log')
DEFINE QLOCAL(GOLDEN.GONE)
DEFINE QLOCAL(GOLDEN.TRAFFIC)
DEFINE QALIAS(GOLDEN.ALIAS) TARGET(GOLDEN.PLAIN)
DEFINE QMODEL(GOLDEN.MODEL) DEFTYPE(PERMDYN) MAXDEPTH(77)
ALTER QLOCAL(GOLDEN.PLAIN) MAXMSGL(200000) PUT(ENABLED)
ALTER QMGR DESCR('a golden queue manager')";

/// Runs it and copies the directory while it is still running: nothing is put in order for the copy.
pub(super) fn run(data: &Path, name: &str, copy: &Path) {
    let name = name.parse().unwrap();
    let directory = DataDirectory::at(data);
    instances::create(&directory, &name, Some(SETTINGS)).unwrap();
    let queue_manager = QueueManager::open(data, &name).unwrap();
    queue_manager.command(DEFINITIONS).unwrap();
    let mut one = queue_manager.connect("golden").unwrap();
    let old = open(&mut one, "GOLDEN.OLD");
    for number in 0..5_u8 {
        put(&mut one, old, message(number), PutFlags::NO_SYNCPOINT, format!("old {number}").into_bytes());
    }
    wrap(&mut one);
    drop(one);
    // An orderly end and more lives: a checkpoint, a store segment, starts, units in doubt.
    queue_manager.close(Mode::Quiesce);
    units::work(data, name.as_str());
    let queue_manager = QueueManager::open(data, &name).unwrap();
    queue_manager.command("DELETE QLOCAL(GOLDEN.GONE)").unwrap();
    let mut one = queue_manager.connect("golden").unwrap();
    let plain = open(&mut one, "GOLDEN.PLAIN");
    let fifo = open(&mut one, "GOLDEN.FIFO");
    put(&mut one, plain, message(1), PutFlags::NO_SYNCPOINT, b"outside a unit".to_vec());
    put(&mut one, plain, message(2), PutFlags::SYNCPOINT, b"in a committed unit".to_vec());
    put(&mut one, fifo, message(3), PutFlags::SYNCPOINT, b"in the same".to_vec());
    one.commit().unwrap();
    put(&mut one, plain, message(4), PutFlags::SYNCPOINT, b"backed out".to_vec());
    get(&mut one, fifo, GetFlags::SYNCPOINT);
    one.back().unwrap();
    let mut long = vec![0; 150_000];
    (long[..10]).copy_from_slice(b"in pieces:");
    long[149_999] = b'.';
    put(&mut one, plain, message(5), PutFlags::NO_SYNCPOINT, long);
    put(&mut one, plain, message(6), PutFlags::NO_SYNCPOINT, b"got again".to_vec());
    let mut express = message(7);
    express.persistence = Persistence::NotPersistent;
    put(&mut one, plain, express, PutFlags::NO_SYNCPOINT, b"express".to_vec());
    let mut two = queue_manager.connect("golden").unwrap();
    let (plain_two, old_two) = (open(&mut two, "GOLDEN.PLAIN"), open(&mut two, "GOLDEN.OLD"));
    get(&mut two, old_two, GetFlags::NO_SYNCPOINT);
    get(&mut two, old_two, GetFlags::SYNCPOINT);
    put(&mut two, plain_two, message(8), PutFlags::SYNCPOINT, b"in a unit that is open".to_vec());
    // A commit has the log written with all that was appended before it, the open unit of the other too.
    put(&mut one, fifo, message(9), PutFlags::SYNCPOINT, b"last".to_vec());
    one.commit().unwrap();
    duplicate(data, copy);
    drop((one, two));
    queue_manager.close(Mode::Preemptive);
}

/// Checks the parts that its audit must have, besides any others.
pub(super) fn check(audit: &str) {
    for kept in [
        "outside a unit",
        "in a committed unit",
        "in the same",
        "in pieces:",
        "got again",
        "\"last\"",
        "old 0",
        "in doubt ",
        "put on GOLDEN.AFTER.BRANCH",
        "got from GOLDEN.BEFORE.BATCH",
        "by hand ",
        "AFTER.RECEIVES",
    ] {
        assert!(audit.contains(kept), "{kept} is missing:\n{audit}");
    }
    for gone in [
        "held of GOLDEN.AFTER.BRANCH",
        "hidden of GOLDEN.BEFORE.BRANCH",
        "\"backed out\"",
        "express priority",
        "in a unit that is open",
        "old 4",
        "GOLDEN.GONE",
    ] {
        assert!(!audit.contains(gone), "{gone} is there:\n{audit}");
    }
    assert!(audit.contains("backouts 1"), "a message came back:\n{audit}");
    for (found, count) in [("in doubt ", 4), ("by hand ", 4), ("channel state: ", 4), ("batch: 5", 2)] {
        assert_eq!(audit.matches(found).count(), count, "{found}:\n{audit}");
    }
}

/// Traffic until the log has used its files again, so that what is older lies in the store.
fn wrap(connection: &mut Connection) {
    let traffic = open(connection, "GOLDEN.TRAFFIC");
    for _ in 0..150 {
        put(connection, traffic, message(0), PutFlags::NO_SYNCPOINT, vec![0; 60_000]);
        get(connection, traffic, GetFlags::NO_SYNCPOINT);
    }
    // What was in the store segments that the traffic filled is let go of at leisure.
    std::thread::sleep(Duration::from_secs(1));
}

fn message(number: u8) -> MessageDescriptor {
    MessageDescriptor {
        persistence: Persistence::Persistent,
        priority: Priority::new(number % 10),
        correlation_id: CorrelationId([number; 24]),
        reply_to_queue: "GOLDEN.REPLY".parse().unwrap(),
        ..MessageDescriptor::default()
    }
}

fn open(connection: &mut Connection, queue: &str) -> ObjectHandle {
    let object = ObjectDescriptor::queue(queue.parse().unwrap());
    connection.open(&object, OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT).unwrap().handle
}

fn put(
    connection: &mut Connection,
    handle: ObjectHandle,
    mut descriptor: MessageDescriptor,
    flags: PutFlags,
    body: Vec<u8>,
) {
    connection.put(handle, &mut descriptor, &mut PutOptions::with(flags), body.into()).unwrap();
}

fn get(connection: &mut Connection, handle: ObjectHandle, flags: GetFlags) {
    let mut options = GetOptions::with(flags, Wait::No);
    connection.get(handle, &mut MessageDescriptor::default(), &mut options, 1 << 20).unwrap();
}

/// Copies what lasts: no error log, no lock, no socket.
fn duplicate(from: &Path, to: &Path) {
    for file in sparse::files(from).unwrap() {
        let relative = file.strip_prefix(from).unwrap();
        let name = relative.to_str().unwrap();
        let lasts = ["/manifest.", "/log/", "/store/", "/ferry.toml"].iter().any(|part| name.contains(part));
        if lasts {
            let place = to.join(relative);
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            fs::copy(&file, place).unwrap();
        }
    }
}
