//! Several queue managers that send by one channel name to one receiver: each pair stops and goes on by
//! itself.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use client::Connection;
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};
use server::{Mode, Server};

use crate::message_channels::{figure, free_port};
use crate::running::{Place, command, connect, eventually, get, open, put};

const WAIT: Duration = Duration::from_secs(10);

/// A queue manager that keeps its port over restarts.
struct Site {
    place: Place,
    server: Option<Server>,
    port: u16,
}

impl Site {
    fn named(name: &str) -> Self {
        let mut site = Self { place: Place::named(name), server: None, port: free_port() };
        site.start();
        site
    }

    /// One that sends to the port by TO.B.
    fn sender(name: &str, to: u16) -> Self {
        let site = Self::named(name);
        for text in [
            "DEFINE QLOCAL(B) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
            "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(B)",
            "DEFINE QREMOTE(NOWHERE) RNAME(LATER) RQMNAME(B)",
            &format!("DEFINE CHANNEL(TO.B) CHLTYPE(SDR) CONNAME('127.0.0.1({to})') XMITQ(B)"),
        ] {
            site.does(text);
        }
        site
    }

    fn start(&mut self) {
        let address = SocketAddr::new([127, 0, 0, 1].into(), self.port);
        let options = server::Options { addresses: Some(vec![address]), ..self.place.options() };
        self.server = Some(Server::start(&options).unwrap());
    }

    fn stop(&mut self) {
        let server = self.server.take().unwrap();
        server.stop(Mode::Immediate);
        server.wait();
    }

    fn connect(&self) -> Connection {
        connect(&format!("unix:{}", self.place.folder().join("socket").display()))
    }

    fn does(&self, text: &str) -> String {
        command(&mut self.connect(), text)
    }

    fn status(&self) -> String {
        self.does("DISPLAY CHSTATUS(TO.B) ALL")
    }

    fn send(&self, queue: &str, body: &str) {
        let mut one = self.connect();
        let there = open(&mut one, queue, OpenOptions::OUTPUT);
        put(&mut one, there, body.as_bytes(), Persistence::Persistent, PutFlags::EMPTY).unwrap();
    }

    fn receive(&self, queue: &str) -> String {
        let mut one = self.connect();
        let queue = open(&mut one, queue, OpenOptions::INPUT_SHARED);
        let got = get(&mut one, queue, WAIT, GetFlags::EMPTY);
        let got = got.unwrap_or_else(|reason| panic!("{reason}: {}", self.status()));
        String::from_utf8(got).unwrap()
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&from, &to);
        } else if entry.file_type().unwrap().is_file() {
            std::fs::copy(&from, &to).unwrap();
        }
    }
}

#[test]
fn a_fault_of_one_partner_stops_its_own_pair_alone_and_a_start_where_it_stopped_ends_that() {
    let receiver = Site::named("B");
    for text in ["DEFINE QLOCAL(IN) DEFPSIST(YES)", "DEFINE CHANNEL(TO.B) CHLTYPE(RCVR)"] {
        receiver.does(text);
    }
    receiver.does("ALTER QMGR DEADQ(' ')");
    let [mut one, other] = ["A1", "A2"].map(|name| Site::sender(name, receiver.port));
    one.send("THERE", "first of A1");
    assert_eq!(receiver.receive("IN"), "first of A1");
    // The other runs all the time, then calls anew.
    let goes_on = |number: usize| {
        for how in ["runs", "calls anew"] {
            if how == "calls anew" {
                other.does("STOP CHANNEL(TO.B) STATUS(INACTIVE)");
                eventually("the channel of A2 ended", || !other.status().contains("CHSTADA"));
            }
            let body = format!("{number} of A2, as it {how}");
            other.send("THERE", &body);
            assert_eq!(receiver.receive("IN"), body);
        }
    };
    goes_on(1);
    // A message that the receiver cannot place.
    one.send("NOWHERE", "second of A1");
    eventually("A1 is stopped", || one.status().contains("STATUS(STOPPED)"));
    let failed = || {
        let told = receiver.status();
        let of_one = told.split("FRY8417I").find(|row| row.contains("RQMNAME(A1)")).map(str::to_owned);
        of_one.unwrap_or_else(|| panic!("{told}"))
    };
    eventually("the receiver tells of it", || failed().contains("STATUS(INACTIVE)"));
    assert!(figure(&failed(), "LASTERR").contains("LATER"), "{}", failed());
    goes_on(2);
    receiver.does("DEFINE QLOCAL(LATER)");
    one.does("START CHANNEL(TO.B)");
    assert_eq!(receiver.receive("LATER"), "second of A1");
    goes_on(3);
    // It is put back to a copy.
    one.stop();
    let kept = tempfile::tempdir().unwrap();
    copy(&one.place.folder(), kept.path());
    one.start();
    one.send("THERE", "third of A1");
    assert_eq!(receiver.receive("IN"), "third of A1");
    one.stop();
    std::fs::remove_dir_all(one.place.folder()).unwrap();
    copy(kept.path(), &one.place.folder());
    one.start();
    one.send("THERE", "fourth of A1");
    eventually("A1 is stopped", || one.status().contains("STATUS(STOPPED)"));
    eventually("the receiver tells of it", || failed().contains("STATUS(INACTIVE)"));
    goes_on(4);
    one.does("RESET CHANNEL(TO.B)");
    one.does("START CHANNEL(TO.B)");
    assert_eq!(receiver.receive("IN"), "fourth of A1");
    goes_on(5);
    // A command stops the channel for both.
    receiver.does("STOP CHANNEL(TO.B)");
    one.send("THERE", "fifth of A1");
    eventually("A1 is refused", || one.status().contains("channel TO.B is stopped"));
    receiver.does("START CHANNEL(TO.B)");
    assert_eq!(receiver.receive("IN"), "fifth of A1");
}
