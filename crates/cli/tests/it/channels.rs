//! Two queue managers in processes of their own, killed with SIGKILL in turn while messages go from one to
//! the other: none is lost, doubled or out of order.
//!
//! A kill proves nothing about flushes: the page cache survives it. The simulator cuts the power.

use std::time::{Duration, Instant};

use client::{Connection, Options};
use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Reason, Verbs as _, Wait};

use crate::support::{Ferry, Server};

/// Enough that each kill finds a transfer under way, in batches of ten.
const MESSAGES: usize = 6_000;
const KILLS: usize = 6;

/// Longest time for all messages to arrive: retries after each kill take a second or two.
const PATIENCE: Duration = Duration::from_secs(120);

/// The servers end before their directories go.
struct Ends {
    servers: [Option<Server>; 2],
    ports: [u16; 2],
    ferry: Ferry,
}

const NAMES: [&str; 2] = ["KILL.A", "KILL.B"];

impl Ends {
    fn start(&mut self, which: usize) {
        let port = self.ports[which].to_string();
        let server = self.ferry.start(&["qmgr", "start", NAMES[which], "--port", &port]);
        self.ports[which] = server.port();
        self.servers[which] = Some(server);
    }

    fn mqsc(&self, which: usize, command: &str) {
        self.ferry.ok(&["mqsc", NAMES[which], "-e", command]);
    }

    fn connect(&self, which: usize) -> Option<Connection> {
        let address = format!("127.0.0.1:{}", self.ports[which]).parse().unwrap();
        Connection::connect(Options::to(address).application("channel kills")).ok()
    }

    /// Messages that have arrived.
    fn arrived(&self) -> usize {
        self.depth(1, "IN")
    }

    fn depth(&self, which: usize, queue: &str) -> usize {
        let Some(mut connection) = self.connect(which) else { return 0 };
        let queue = ObjectDescriptor::queue(queue.parse().unwrap());
        let Ok(opened) = connection.open(&queue, OpenOptions::INQUIRE) else { return 0 };
        let depth = mqi::Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH);
        match connection.inquire(opened.handle, &[depth]).map(|inquired| inquired.values[0].clone()) {
            Ok(mqi::AttributeValue::Integer(depth)) => usize::try_from(depth).unwrap(),
            other => panic!("CURDEPTH is a number: {other:?}"),
        }
    }
}

#[test]
fn nothing_is_lost_doubled_or_out_of_order_when_either_end_of_a_channel_is_killed() {
    let ferry = Ferry::new();
    for name in NAMES {
        ferry.ok(&["qmgr", "create", name, "--port", "0"]);
    }
    let mut ends = Ends { servers: [None, None], ports: [0, 0], ferry };
    ends.start(0);
    ends.start(1);
    ends.mqsc(1, "DEFINE QLOCAL(IN) MAXDEPTH(100000)");
    ends.mqsc(1, "DEFINE CHANNEL(A.TO.B) CHLTYPE(RCVR)");
    ends.mqsc(0, "DEFINE QLOCAL(KILL.B) USAGE(XMITQ) MAXDEPTH(100000)");
    ends.mqsc(0, "DEFINE QREMOTE(THERE) RNAME(IN) RQMNAME(KILL.B)");
    let connection_name = format!("localhost({})", ends.ports[1]);
    ends.mqsc(
        0,
        &format!(
            "DEFINE CHANNEL(A.TO.B) CHLTYPE(SDR) CONNAME('{connection_name}') XMITQ(KILL.B) BATCHSZ(10)"
        ),
    );
    put_all(&ends);
    // From here on it starts by itself, whichever end comes back.
    ends.mqsc(0, "ALTER QLOCAL(KILL.B) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)");
    let until = Instant::now() + PATIENCE;
    let (mut moments, mut within) = (Vec::new(), 0);
    for kill in 0..KILLS {
        let wanted = MESSAGES * (kill + 1) / (KILLS + 2);
        while ends.arrived() < wanted {
            assert!(Instant::now() < until, "{} arrived after {kill} kills", ends.arrived());
        }
        let which = kill % 2;
        ends.servers[which].take().unwrap().kill();
        moments.push(wanted);
        ends.start(which);
        within += usize::from(ends.arrived() < MESSAGES);
    }
    while ends.arrived() < MESSAGES {
        assert!(Instant::now() < until, "{} of {MESSAGES} arrived", ends.arrived());
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(within >= 2, "{within} of {KILLS} kills fell among messages that went over");
    while ends.depth(0, NAMES[1]) > 0 {
        assert!(Instant::now() < until, "what has arrived is confirmed");
        std::thread::sleep(Duration::from_millis(20));
    }
    println!("{MESSAGES} messages, {KILLS} kills at {moments:?}");
    let mut connection = ends.connect(1).unwrap();
    let queue = ObjectDescriptor::queue("IN".parse().unwrap());
    let handle = connection.open(&queue, OpenOptions::INPUT_SHARED).unwrap().handle;
    let mut next = || {
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        connection.get(handle, &mut MessageDescriptor::default(), &mut options, 1 << 10)
    };
    for number in 0..MESSAGES {
        let got = next().unwrap_or_else(|reason| panic!("message {number}: {reason}"));
        assert_eq!(String::from_utf8(got.body.to_vec()).unwrap(), number.to_string(), "in order, once");
    }
    assert_eq!(next().err(), Some(Reason::NO_MSG_AVAILABLE), "none came twice");
}

/// Puts every message at A, in units of work.
fn put_all(ends: &Ends) {
    let mut connection = ends.connect(0).unwrap();
    let queue = ObjectDescriptor::queue("THERE".parse().unwrap());
    let handle = connection.open(&queue, OpenOptions::OUTPUT).unwrap().handle;
    for number in 0..MESSAGES {
        let persistence = mqi::Persistence::Persistent;
        let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let mut options = mqi::PutOptions::with(mqi::PutFlags::SYNCPOINT);
        connection
            .put(handle, &mut descriptor, &mut options, number.to_string().into_bytes().into())
            .unwrap();
        if number % 100 == 99 {
            connection.commit().unwrap();
        }
    }
    connection.commit().unwrap();
}
