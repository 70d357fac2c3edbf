//! Ctrl-C while a comparison is stuck: with a queue manager that only says it is ready, and a broker that
//! never listens.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Is created by `qmgr create`, and says where it listens when it is started: nowhere.
const FERRY: &str = r#"#!/bin/sh
if [ "$2" = start ]; then
    echo '{"process": '$$', "listens": ["127.0.0.1:9"]}'
    echo $$ >>"$PIDS/ours"
    sleep 600
fi
"#;

/// Says its version, or works in the background and listens to nothing.
const BROKER: &str = r#"#!/bin/sh
if [ "$1" = -h ]; then echo 'a broker'; exit; fi
sleep 600 &
echo $! >>"$PIDS/broker"
while :; do echo 'it writes' >>busy; done
"#;

struct Stuck {
    peers: Child,
    directory: PathBuf,
}

impl Stuck {
    /// A comparison that has started ours and the broker.
    fn begin(name: &str) -> Self {
        let directory = std::env::temp_dir().join(format!("ferry-peers-{name}-{}", std::process::id()));
        let temporary = directory.join("temporary");
        fs::create_dir_all(&temporary).expect("a directory");
        for (name, text) in [("ferry", FERRY), ("mosquitto", BROKER)] {
            let path = directory.join(name);
            fs::write(&path, text).expect("it can be written");
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
        }
        let path = std::env::var("PATH").expect("a path");
        let peers = Command::new(env!("CARGO_BIN_EXE_perf-peers"))
            .args(["mosquitto", "-w", "rr", "-c", "1", "--no-install", "--ferry"])
            .arg(directory.join("ferry"))
            .env("TMPDIR", &temporary)
            .env("PIDS", &directory)
            .env("PATH", format!("{}:{path}", directory.display()))
            .stdout(Stdio::null())
            .spawn()
            .expect("it can be run");
        let stuck = Self { peers, directory };
        let until = Instant::now() + Duration::from_secs(60);
        while !stuck.path("broker").is_file() || !stuck.path("ours").is_file() {
            assert!(Instant::now() < until, "it does not start them");
            thread::sleep(Duration::from_millis(20));
        }
        let made = fs::read_dir(stuck.path("temporary")).expect("it is there").count();
        assert_ne!(made, 0, "its directories, which must be gone when it has ended");
        stuck
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.join(name)
    }

    fn press(&self) {
        let peers = Pid::from_child(&self.peers);
        kill_process(peers, Signal::INT).expect("it runs");
    }

    /// Ends within this, with the code of an interrupt, and with all that it has made.
    fn ends(mut self, within: Duration) {
        let until = Instant::now() + within;
        let status = loop {
            if let Some(status) = self.peers.try_wait().expect("it is ours") {
                break status;
            }
            assert!(Instant::now() < until, "it runs on");
            thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(status.code(), Some(130));
        let left: Vec<_> = fs::read_dir(self.path("temporary")).expect("it is there").collect();
        assert!(left.is_empty(), "{left:?}");
        for name in ["ours", "broker"] {
            let processes = fs::read_to_string(self.path(name)).expect("it was started");
            for process in processes.lines() {
                // One that is killed stays a while until somebody takes note.
                while !is_dead(process) {
                    assert!(Instant::now() < until, "{name} runs on");
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
        fs::remove_dir_all(&self.directory).expect("it is ours");
    }
}

impl Drop for Stuck {
    fn drop(&mut self) {
        // It has ended where all went well.
        let _ = self.peers.kill();
        let _ = self.peers.wait();
    }
}

fn is_dead(process: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(process).join("stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('Z'))
}

#[test]
fn a_second_ctrl_c_takes_brokers_and_directories_along() {
    let stuck = Stuck::begin("twice");
    stuck.press();
    thread::sleep(Duration::from_millis(100));
    stuck.press();
    stuck.ends(Duration::from_secs(8));
}

#[test]
fn one_ctrl_c_ends_what_is_stuck_in_bounded_time() {
    let stuck = Stuck::begin("once");
    stuck.press();
    stuck.ends(Duration::from_secs(25));
}
