//! Each state in which a pair of a message channel waits for a person, and the commands that it prints: these
//! alone end it, and no message is lost or comes twice.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Ferry, Server, signal};

const PATIENCE: Duration = Duration::from_secs(60);

/// WEST sends to EAST by W.E, which nothing starts by itself. EAST keeps its port.
struct Ends {
    west: Option<Server>,
    east: Option<Server>,
    port: u16,
    ferry: Ferry,
}

impl Ends {
    fn new() -> Self {
        let ferry = Ferry::new();
        let mut ends = Self { west: None, east: None, port: 0, ferry };
        ends.ferry.ok(&["qmgr", "create", "WEST", "--port", "0"]);
        ends.start_west();
        ends.make_east();
        let sender =
            format!("DEFINE CHANNEL(W.E) CHLTYPE(SDR) CONNAME('localhost({})') XMITQ(EAST)", ends.port);
        for text in
            ["DEFINE QLOCAL(EAST) USAGE(XMITQ)", "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(EAST)", &sender]
        {
            ends.ferry.ok(&["mqsc", "WEST", "-e", text]);
        }
        ends
    }

    fn start_west(&mut self) {
        self.west = Some(self.ferry.start(&["qmgr", "start", "WEST"]));
    }

    fn make_east(&mut self) {
        self.ferry.ok(&["qmgr", "create", "EAST", "--port", "0"]);
        self.start_east();
        for text in ["DEFINE QLOCAL(IN)", "DEFINE CHANNEL(W.E) CHLTYPE(RCVR)"] {
            self.ferry.ok(&["mqsc", "EAST", "-e", text]);
        }
    }

    fn start_east(&mut self) {
        let east = self.ferry.start(&["qmgr", "start", "EAST", "--port", &self.port.to_string()]);
        self.port = east.port();
        self.east = Some(east);
    }

    fn folder(&self, name: &str) -> std::path::PathBuf {
        self.ferry.data().join(name)
    }

    /// Puts a queue manager that ended back to a copy.
    fn put_back(&self, name: &str, from: &Path) {
        std::fs::remove_dir_all(self.folder(name)).unwrap();
        copy(from, &self.folder(name));
    }

    fn show(&self, name: &str) -> String {
        self.ferry.ok(&["channel", "show", "W.E", "--qmgr", name])
    }

    fn start_channel(&self) {
        // One that tries already is refused.
        let _ = self.ferry.run(&["channel", "start", "W.E", "--qmgr", "WEST"]);
    }

    fn is(&self, state: &str) {
        self.ferry.ok(&["channel", "wait", "W.E", "--state", state, "--for", "60s", "--qmgr", "WEST"]);
    }

    fn put(&self, body: &str) {
        self.ferry.ok(&["put", "-P", "THERE", body, "--qmgr", "WEST"]);
    }

    /// The next message at EAST is this one, and the only one.
    fn gets(&self, body: &str) {
        let got = self.ferry.run(&["get", "IN", "--qmgr", "EAST", "--wait", "60s"]);
        assert_eq!(got.stdout, format!("{body}\n"), "{}\n{}", self.show("WEST"), self.show("EAST"));
        let more = self.ferry.run(&["get", "IN", "--qmgr", "EAST", "--wait", "0"]);
        assert_eq!(more.code, 5, "none comes twice: {}", more.stdout);
    }

    /// A message goes over.
    fn sends(&self, body: &str) {
        self.put(body);
        self.start_channel();
        self.gets(body);
    }

    /// A message goes out while EAST hangs, and is in doubt.
    fn is_in_doubt_with(&self, body: &str) {
        self.sends("before");
        self.is("running");
        signal(self.east.as_ref().unwrap().id(), "STOP");
        self.put(body);
        let until = Instant::now() + PATIENCE;
        loop {
            let told = self.ferry.ok(&["channel", "show", "W.E", "--qmgr", "WEST", "-o", "json"]);
            let told: Value = serde_json::from_str(&told).unwrap();
            if told["kept"][0]["indoubt"] == "YES" {
                return;
            }
            assert!(Instant::now() < until, "{told}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Runs the commands that a channel prints as its next step, in their order, and those that these print.
    fn follows(&self, name: &str) -> Vec<String> {
        let mut commands = commands_of(&self.show(name));
        assert!(!commands.is_empty(), "{}", self.show(name));
        let mut at = 0;
        while at < commands.len() {
            let words: Vec<&str> = commands[at].split(' ').skip(1).collect();
            let printed = self.ferry.ok(&words);
            if words.contains(&"show") {
                commands.extend(commands_of(&printed));
            }
            at += 1;
        }
        commands
    }
}

/// The commands of the next step.
fn commands_of(shown: &str) -> Vec<String> {
    let next = shown.split_once("\nnext ").map_or("", |(_, next)| next);
    let commands = next.lines().map(str::trim).filter(|line| line.starts_with("ferry "));
    commands.map(str::to_owned).collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, to) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_dir() {
            copy(&entry.path(), &to);
        } else if kind.is_file() {
            std::fs::copy(entry.path(), &to).unwrap();
        }
    }
}

const START: &str = "ferry -m WEST channel start W.E";
const RESET: &str = "ferry -m WEST channel reset W.E";

#[test]
fn a_channel_that_was_stopped_at_either_end_or_retries_prints_the_command_that_ends_it() {
    let mut ends = Ends::new();
    ends.sends("one");
    ends.ferry.ok(&["channel", "stop", "W.E", "--qmgr", "WEST"]);
    ends.is("stopped");
    ends.put("two");
    assert_eq!(ends.follows("WEST"), [START]);
    ends.gets("two");
    // At the other end: either shows the command there.
    for from in ["WEST", "EAST"] {
        ends.ferry.ok(&["channel", "stop", "W.E", "--qmgr", "EAST"]);
        ends.put(from);
        ends.start_channel();
        ends.is("retrying");
        assert_eq!(ends.follows(from), ["ferry -m EAST channel start W.E"]);
        ends.gets(from);
    }
    ends.east.take().unwrap().kill();
    ends.put("three");
    ends.start_channel();
    ends.is("retrying");
    assert_eq!(ends.follows("WEST"), [START]);
    // It goes on by itself as well.
    ends.start_east();
    ends.gets("three");
    // Stopped while a batch is in doubt, which EAST may have by then.
    ends.is_in_doubt_with("in doubt");
    ends.ferry.ok(&["channel", "stop", "W.E", "--force", "--qmgr", "WEST"]);
    ends.is("stopped");
    signal(ends.east.as_ref().unwrap().id(), "CONT");
    assert_eq!(ends.follows("WEST"), [START]);
    ends.gets("in doubt");
    // A message without a place: the receiver leads to the sender.
    ends.ferry.ok(&["mqsc", "EAST", "-e", "ALTER QMGR DEADQ(' ')", "-e", "ALTER QLOCAL(IN) MAXMSGL(3)"]);
    ends.put("four");
    ends.is("stopped");
    ends.ferry.ok(&["mqsc", "EAST", "-e", "ALTER QLOCAL(IN) MAXMSGL(100)"]);
    assert_eq!(ends.follows("EAST"), ["ferry -m WEST channel show W.E", START]);
    ends.gets("four");
}

#[test]
fn a_receiver_that_was_restored_or_made_anew_has_the_commands_that_end_it_at_its_sender() {
    let mut ends = Ends::new();
    ends.sends("one");
    ends.east.take().unwrap().kill();
    let kept = tempfile::tempdir().unwrap();
    copy(&ends.folder("EAST"), kept.path());
    ends.start_east();
    ends.sends("two");
    ends.east.take().unwrap().kill();
    ends.put_back("EAST", kept.path());
    ends.start_east();
    ends.put("three");
    ends.start_channel();
    ends.is("stopped");
    assert_eq!(ends.follows("WEST"), [RESET, START]);
    ends.gets("three");
    // Restored while a batch is in doubt.
    ends.is_in_doubt_with("four");
    ends.east.take().unwrap().kill();
    ends.put_back("EAST", kept.path());
    ends.start_east();
    ends.start_channel();
    ends.is("stopped");
    let refused = ends.ferry.run(&["channel", "reset", "W.E", "--qmgr", "WEST"]);
    let backout = "ferry -m WEST channel resolve W.E backout";
    assert!(refused.code == 4 && refused.stderr.contains(backout), "{}", refused.stderr);
    assert_eq!(ends.follows("WEST"), [backout, RESET, START]);
    ends.gets("four");
    // Made anew while a batch is in doubt.
    ends.is_in_doubt_with("five");
    ends.east.take().unwrap().kill();
    std::fs::remove_dir_all(ends.folder("EAST")).unwrap();
    ends.make_east();
    ends.start_channel();
    ends.is("stopped");
    assert_eq!(ends.follows("WEST"), [backout, START]);
    ends.gets("five");
}

#[test]
fn a_sender_that_was_restored_while_in_doubt_commits_by_the_commands_it_prints() {
    let mut ends = Ends::new();
    ends.is_in_doubt_with("one");
    ends.west.take().unwrap().kill();
    let kept = tempfile::tempdir().unwrap();
    copy(&ends.folder("WEST"), kept.path());
    signal(ends.east.as_ref().unwrap().id(), "CONT");
    ends.start_west();
    ends.start_channel();
    ends.gets("one");
    ends.sends("two");
    ends.is("running");
    ends.west.take().unwrap().kill();
    ends.put_back("WEST", kept.path());
    ends.start_west();
    ends.start_channel();
    ends.is("stopped");
    ends.put("three");
    let named = "the partner has the messages in doubt; remove from EAST the messages of batches";
    assert!(ends.show("WEST").contains(named), "{}", ends.show("WEST"));
    assert_eq!(ends.follows("WEST"), ["ferry -m WEST channel resolve W.E commit", RESET, START]);
    ends.gets("three");
}

/// The host of EAST was given to another queue manager, which takes messages for EAST, while a batch is in
/// doubt.
#[test]
fn an_address_that_another_queue_manager_has_now_waits_for_a_person_with_its_commands() {
    let mut ends = Ends::new();
    let port = ends.port.to_string();
    ends.ferry.ok(&["qmgr", "create", "NORTH", "--port", "0"]);
    let north = |ends: &Ends| ends.ferry.start(&["qmgr", "start", "NORTH", "--port", &port]);
    ends.is_in_doubt_with("one");
    ends.east.take().unwrap().kill();
    let other = north(&ends);
    for text in
        ["DEFINE QLOCAL(IN)", "DEFINE CHANNEL(W.E) CHLTYPE(RCVR)", "DEFINE QREMOTE(EAST) RQMNAME(NORTH)"]
    {
        ends.ferry.ok(&["mqsc", "NORTH", "-e", text]);
    }
    ends.start_channel();
    ends.is("stopped");
    let shown = ends.show("WEST").split_whitespace().collect::<Vec<_>>().join(" ");
    for told in ["queue manager EAST (QMID EAST_", "NORTH (QMID NORTH_", "correct CONNAME"] {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    // The first queue manager is found again, and both agree by themselves.
    other.kill();
    ends.start_east();
    ends.ferry.ok(&["channel", "start", "W.E", "--qmgr", "WEST"]);
    ends.gets("one");
    // It is gone for good, and had not the batch.
    ends.is_in_doubt_with("two");
    ends.east.take().unwrap().kill();
    let other = north(&ends);
    ends.start_channel();
    ends.is("stopped");
    assert_eq!(ends.follows("WEST"), ["ferry -m WEST channel resolve W.E backout", START]);
    let got = ends.ferry.run(&["get", "IN", "--qmgr", "NORTH", "--wait", "60s"]);
    assert_eq!(got.stdout, "two\n", "{}", ends.show("WEST"));
    // Nothing is in doubt, and no command is needed.
    ends.is("running");
    other.kill();
    ends.start_east();
    ends.sends("three");
}
