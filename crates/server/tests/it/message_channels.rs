//! Message channels between two queue managers that run, over real sockets.

use std::net::TcpListener;
use std::time::Duration;

use client::Connection;
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags};
use server::{Mode, Server};

use crate::running::{Place, address, command, connect, eventually, get, open, put};

const WAIT: Duration = Duration::from_secs(10);

/// Two queue managers: A sends to B.
struct Pair {
    places: [Place; 2],
    servers: [Option<Server>; 2],
    /// The address of each, which stays the same over restarts.
    ports: [u16; 2],
}

/// A port that was free a moment ago.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

impl Pair {
    fn new() -> Self {
        let mut pair = Self {
            places: [Place::named("A"), Place::named("B")],
            servers: [None, None],
            ports: [free_port(), free_port()],
        };
        pair.start(0);
        pair.start(1);
        let to = pair.ports[1];
        for text in [
            "DEFINE QLOCAL(B) USAGE(XMITQ) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)",
            "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(B)",
            &format!("DEFINE CHANNEL(A.B) CHLTYPE(SDR) CONNAME('localhost({to})') XMITQ(B)"),
        ] {
            command(&mut pair.connect(0), text);
        }
        for text in ["DEFINE QLOCAL(IN) DEFPSIST(YES)", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)"] {
            command(&mut pair.connect(1), text);
        }
        pair
    }

    fn start(&mut self, which: usize) {
        let place = &self.places[which];
        let address = format!("127.0.0.1:{}", self.ports[which]).parse().unwrap();
        let options = server::Options { addresses: Some(vec![address]), ..place.options() };
        self.servers[which] = Some(Server::start(&options).unwrap());
    }

    fn stop(&mut self, which: usize, mode: Mode) {
        let server = self.servers[which].take().unwrap();
        server.stop(mode);
        server.wait();
    }

    fn connect(&self, which: usize) -> Connection {
        connect(&address(self.servers[which].as_ref().unwrap()))
    }

    fn status(&self, which: usize) -> String {
        command(&mut self.connect(which), "DISPLAY CHSTATUS(A.B) ALL")
    }

    /// Both ends as they show themselves, and the words of their error logs.
    fn told(&self) -> String {
        let end = |which: usize| format!("{}\n{}", self.status(which), self.places[which].error_log());
        [0, 1].map(end).join("\n")
    }

    fn send(&self, bodies: impl IntoIterator<Item = String>, persistence: Persistence) {
        let mut one = self.connect(0);
        let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
        for body in bodies {
            put(&mut one, there, body.as_bytes(), persistence, PutFlags::EMPTY).unwrap();
        }
    }

    /// Gets messages at B, in their order.
    fn receive(&self, count: usize) -> Vec<String> {
        let mut one = self.connect(1);
        let queue = open(&mut one, "IN", OpenOptions::INPUT_SHARED);
        let got = (0..count).map(|_| {
            let got = get(&mut one, queue, WAIT, GetFlags::EMPTY);
            got.unwrap_or_else(|reason| panic!("{reason}: {}", self.told()))
        });
        got.map(|body| String::from_utf8(body).unwrap()).collect()
    }

    fn is_empty(&self) -> bool {
        let mut one = self.connect(1);
        let queue = open(&mut one, "IN", OpenOptions::INPUT_SHARED);
        get(&mut one, queue, Duration::ZERO, GetFlags::EMPTY).is_err()
    }
}

fn numbered(numbers: std::ops::Range<usize>) -> impl Iterator<Item = String> {
    numbers.map(|number| format!("message {number}"))
}

#[test]
fn messages_start_their_channel_and_arrive_in_order_at_another_queue_manager() {
    let pair = Pair::new();
    for persistence in [Persistence::Persistent, Persistence::NotPersistent] {
        pair.send(numbered(0..300), persistence);
        assert_eq!(pair.receive(300), numbered(0..300).collect::<Vec<_>>());
    }
    let (sends, receives) = (pair.status(0), pair.status(1));
    for shown in ["STATUS(RUNNING)", "RQMNAME(B)", "CHLTYPE(SDR)", "INFLIGHT(4)"] {
        assert!(sends.contains(shown), "{shown}: {sends}");
    }
    for shown in ["STATUS(RUNNING)", "RQMNAME(A)", "CHLTYPE(RCVR)"] {
        assert!(receives.contains(shown), "{shown}: {receives}");
    }
}

#[test]
fn a_channel_goes_on_by_itself_when_either_end_comes_back() {
    for (which, mode) in
        [(0, Mode::Immediate), (1, Mode::Immediate), (1, Mode::Preemptive), (0, Mode::Preemptive)]
    {
        let mut pair = Pair::new();
        pair.send(numbered(0..100), Persistence::Persistent);
        assert_eq!(pair.receive(100).len(), 100);
        pair.stop(which, mode);
        if which == 1 {
            // They wait at A meanwhile.
            pair.send(numbered(100..200), Persistence::Persistent);
        }
        pair.start(which);
        if which == 0 {
            pair.send(numbered(100..200), Persistence::Persistent);
        }
        assert_eq!(pair.receive(100), numbered(100..200).collect::<Vec<_>>(), "{which} {mode:?}");
        assert!(pair.is_empty(), "none came twice");
    }
}

#[test]
fn a_channel_is_stopped_started_and_pinged_by_command() {
    let pair = Pair::new();
    let mut one = pair.connect(0);
    let pinged = command(&mut one, "PING CHANNEL(A.B) DATALEN(1000)");
    assert!(pinged.contains("FRY8476I"), "{pinged}");
    command(&mut one, "START CHANNEL(A.B)");
    eventually("it runs", || pair.status(0).contains("STATUS(RUNNING)"));
    let refused = one.command("PING CHANNEL(A.B)").unwrap();
    assert!(refused.failed && refused.text.contains("FRY8471E"), "{}", refused.text);
    command(&mut one, "STOP CHANNEL(A.B)");
    eventually("it is stopped", || pair.status(0).contains("STATUS(STOPPED)"));
    eventually("the partner's end is over", || pair.status(1).contains("FRY8155I"));
    pair.send(numbered(0..1), Persistence::Persistent);
    std::thread::sleep(Duration::from_millis(100));
    assert!(pair.is_empty());
    command(&mut one, "START CHANNEL(A.B)");
    assert_eq!(pair.receive(1), ["message 0"]);
    // The receiver is stopped: the sender ends, and with a message to send it says why it cannot and tries
    // again by itself.
    let mut other = pair.connect(1);
    command(&mut other, "STOP CHANNEL(A.B)");
    eventually("the sender hears of it", || !pair.status(0).contains("STATUS(RUNNING)"));
    pair.send(numbered(1..2), Persistence::Persistent);
    eventually("the sender is refused", || {
        let told = pair.status(0);
        told.contains("STATUS(RETRYING)") && told.contains("the channel A.B is stopped")
    });
    command(&mut other, "START CHANNEL(A.B)");
    assert_eq!(pair.receive(1), ["message 1"]);
}

#[test]
fn a_partner_that_cannot_be_reached_is_named_with_each_address_that_was_tried() {
    let pair = Pair::new();
    let mut one = pair.connect(0);
    let (nobody, there) = (free_port(), pair.ports[1]);
    command(
        &mut one,
        &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('127.0.0.1({nobody}),no.such.host.invalid')"),
    );
    let failed = one.command("PING CHANNEL(A.B)").unwrap();
    assert!(failed.failed && failed.text.contains("FRY8475E"), "{}", failed.text);
    command(&mut one, "START CHANNEL(A.B)");
    eventually("it retries", || {
        let told = pair.status(0);
        let named = [format!("127.0.0.1:{nobody}"), "no.such.host.invalid".to_owned()];
        told.contains("STATUS(RETRYING)") && named.iter().all(|name| told.contains(name))
    });
    // The first that answers of several is taken.
    command(
        &mut one,
        &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('127.0.0.1({nobody}),127.0.0.1({there})')"),
    );
    command(&mut one, "STOP CHANNEL(A.B) STATUS(INACTIVE)");
    command(&mut one, "START CHANNEL(A.B)");
    pair.send(numbered(0..1), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 0"]);
}
