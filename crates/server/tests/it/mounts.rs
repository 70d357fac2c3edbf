//! A queue manager on file systems that are mounted, bound elsewhere and turned read-only under it.
//!
//! Needs root and loop devices: `cargo test -p server --test it -- --ignored mounts`.

use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};
use rustix::process::Signal;
use server::UnexpectedEnd;

use crate::processes::{PATIENCE, Process};
use crate::running::{Place, command, connect, eventually, get, open, put};

/// Longer than the time between two looks at the files that are open.
const LOOKED_AT: Duration = Duration::from_millis(1_300);

/// From the write that fails to the last word in the system's log. A record is a file of some kilobytes.
const TOLD_WITHIN: Duration = Duration::from_millis(50);

fn run(program: &str, arguments: &[&str]) {
    let done = Command::new(program).args(arguments).output().unwrap();
    assert!(done.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Mounted until it is dropped.
struct Mounted(PathBuf);

impl Mounted {
    fn new(arguments: &[&str], at: &Path) -> Self {
        let at_text = at.display().to_string();
        run("mount", &[arguments, &[&at_text]].concat());
        Self(at.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[ignore = "mounts: needs root and loop devices"]
fn a_file_system_that_turns_read_only_ends_the_process_and_leaves_a_record_elsewhere() {
    let beside = tempfile::tempdir().unwrap();
    let (image, socket) = (beside.path().join("disk"), beside.path().join("log"));
    let system_log = UnixDatagram::bind(&socket).unwrap();
    system_log.set_read_timeout(Some(PATIENCE)).unwrap();
    std::fs::File::create(&image).unwrap().set_len(96 << 20).unwrap();
    let image = image.display().to_string();
    run("mkfs.ext4", &["-q", "-F", &image]);
    let directory = tempfile::tempdir().unwrap();
    let folder = directory.path().to_owned();
    let mounted = || Mounted::new(&["-o", "loop,errors=remount-ro", &image], &folder);
    let mount = mounted();
    let settings = format!("[errors]\nsystem_log = \"{}\"\n", socket.display());
    let place = Place::within(directory, &settings);
    let mut process = Process::start(&place);
    let mut connection = connect(process.address());
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    let mut put_one = || put(&mut connection, to, b"kept", Persistence::Persistent, PutFlags::EMPTY);
    put_one().unwrap();

    // As the kernel does after an error of the device.
    run("mount", &["-o", "remount,abort", &mount.0.display().to_string()]);
    let began = Instant::now();
    put_one().unwrap_err();
    let mut told = String::new();
    while !told.contains("first-failure record: ") {
        let mut entry = [0; 4096];
        let length = system_log.recv(&mut entry).expect("the system's log hears of it");
        told.push_str(&String::from_utf8_lossy(&entry[..length]));
    }
    let took = began.elapsed();
    println!("told after {took:?}: {told}");
    assert!(took < TOLD_WITHIN, "{took:?}");
    let status = process.ends_within(PATIENCE).expect("it ends by its own decision");
    assert_eq!(status.code(), Some(server::process::FAILED));
    // What `ferry qmgr list` and `ferry qmgr start` show.
    let end = UnexpectedEnd::of(&place.data.folder(&place.name)).expect("it had no last word");
    let record = end.failure.expect("there is a record");
    assert!(!record.path.starts_with(place.data.path()), "{}", record.path.display());
    assert!(record.what.contains("Read-only file system"), "{}", record.what);
    for said in ["ends by its own decision", "Read-only file system", &record.path.display().to_string()] {
        assert!(told.contains(said), "{told}");
    }

    drop(process);
    drop(mount);
    let _mount = mounted();
    let server = place.start();
    eventually("the start is told of", || place.error_log().contains("FRY5010W"));
    assert!(place.error_log().contains(&record.what), "{}", place.error_log());
    let mut connection = connect(&crate::running::address(&server));
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut connection, from, Duration::ZERO, GetFlags::EMPTY).unwrap(), b"kept");
    std::fs::remove_file(&record.path).unwrap();
}

#[test]
#[ignore = "mounts: needs root and loop devices"]
fn a_mount_that_leads_to_the_same_files_is_no_alarm_and_one_that_leads_elsewhere_is() {
    for (thing, other, is_alarm) in [
        ("", false, false),
        ("log", false, false),
        ("store", false, false),
        ("log", true, true),
        ("", true, true),
    ] {
        let place = Place::new();
        let mut process = Process::start(&place);
        let mut connection = connect(process.address());
        command(&mut connection, "DEFINE QLOCAL(Q)");
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        let path = place.folder().join(thing);
        let from = if other { tempfile::tempdir().unwrap().keep() } else { path.clone() };
        let mount = Mounted::new(&["--bind", &from.display().to_string()], &path);
        let mut put_one = || put(&mut connection, to, b"x", Persistence::Persistent, PutFlags::EMPTY);
        let until = Instant::now() + LOOKED_AT;
        let mut acknowledged = 0;
        while Instant::now() < until && put_one().is_ok() {
            acknowledged += 1;
        }
        assert!(acknowledged > 0, "{thing}");
        if is_alarm {
            let status = process.ends_within(PATIENCE).expect("it ends by its own decision");
            assert_eq!(status.code(), Some(server::process::FAILED), "{thing}");
        } else {
            put_one().unwrap();
            process.signal(Signal::TERM);
            assert_eq!(process.ends_within(PATIENCE).unwrap().code(), Some(0), "{thing}");
        }
        drop(mount);
        if other {
            std::fs::remove_dir(&from).unwrap();
        }
        let server = place.start();
        let mut connection = connect(&crate::running::address(&server));
        let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
        let got = std::iter::from_fn(|| get(&mut connection, from, Duration::ZERO, GetFlags::EMPTY).ok());
        assert!(got.count() >= acknowledged, "{thing}");
    }
}

/// A control group whose writes to a device are held to so many a second; it goes with this.
struct Throttled(PathBuf);

impl Throttled {
    fn new(mounted: &Path, writes_per_second: u32) -> Self {
        let number = std::os::unix::fs::MetadataExt::dev(&std::fs::metadata(mounted).unwrap());
        let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
        let group = PathBuf::from(format!("/sys/fs/cgroup/blkio/ferry-test-{}", std::process::id()));
        std::fs::create_dir(&group).unwrap();
        let limit = format!("{major}:{minor} {writes_per_second}");
        std::fs::write(group.join("blkio.throttle.write_iops_device"), limit).unwrap();
        Self(group)
    }

    fn take(&self, process: u32) {
        std::fs::write(self.0.join("cgroup.procs"), process.to_string()).unwrap();
    }
}

impl Drop for Throttled {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.0);
    }
}

#[test]
#[ignore = "mounts: needs root, loop devices and control groups with blkio"]
fn each_write_of_the_log_that_a_throttled_device_holds_up_is_reported_once() {
    let beside = tempfile::tempdir().unwrap();
    let image = beside.path().join("disk");
    std::fs::File::create(&image).unwrap().set_len(96 << 20).unwrap();
    let image = image.display().to_string();
    run("mkfs.ext4", &["-q", "-F", &image]);
    let device = tempfile::tempdir().unwrap();
    let _mounted = Mounted::new(&["-o", "loop", &image], device.path());
    let settings =
        format!("slow_io_microseconds = 7000\ndirectory = {:?}\n", device.path().display().to_string());
    let place = Place::with_settings(&settings);
    let mut process = Process::start(&place);
    let mut connection = connect(process.address());
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    // 125 ms for each write, far from the limit of 7, and more than the kernel gives credit for at once.
    let throttled = Throttled::new(device.path(), 8);
    throttled.take(process.id());
    let reported = || place.error_log().matches("FRY6729W").count();
    put(&mut connection, to, b"the first", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    let before = reported();
    for _ in 0..10 {
        put(&mut connection, to, b"slow", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    }
    eventually("each is reported", || reported() >= before + 10);
    std::thread::sleep(LOOKED_AT);
    assert!(reported() <= before + 11, "a checkpoint may have written once: {}", place.error_log());
    process.kill();
}
