//! The step at which a message channel is, as SUBSTATE shows it at both ends while it lasts.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mqi::{OpenOptions, Persistence, PutFlags};
use platform::os::OsDisk;
use server::{Mode, Options, Server};

use crate::message_channels::{Pair, numbered};
use crate::running::{command, eventually, open, put};
use crate::stalled::{Pace, SlowDisk};

/// Carries the bytes of connections to a port of this machine; nothing moves while it is held.
struct Carrier {
    port: u16,
    is_held: Arc<AtomicBool>,
}

impl Carrier {
    fn to(port: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let at = listener.local_addr().unwrap().port();
        let is_held = Arc::<AtomicBool>::default();
        let held = Arc::clone(&is_held);
        std::thread::spawn(move || {
            for inner in listener.incoming().map_while(Result::ok) {
                let Ok(outer) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else { continue };
                for (from, to) in [(inner.try_clone().unwrap(), outer.try_clone().unwrap()), (outer, inner)] {
                    let held = Arc::clone(&held);
                    std::thread::spawn(move || carry(from, to, &held));
                }
            }
        });
        Self { port: at, is_held }
    }

    fn hold(&self, is_held: bool) {
        self.is_held.store(is_held, Ordering::Relaxed);
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, is_held: &AtomicBool) {
    let mut bytes = [0; 64 << 10];
    while let Ok(count) = from.read(&mut bytes) {
        while is_held.load(Ordering::Relaxed) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if count == 0 || to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

/// A pair whose channel goes by a carrier and runs: a first message has arrived.
fn carried(attributes: &str) -> (Pair, Carrier) {
    let pair = Pair::new();
    let carrier = Carrier::to(pair.ports[1]);
    let place = format!("CONNAME('127.0.0.1({})')", carrier.port);
    command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) {place} {attributes}"));
    command(&mut pair.connect(1), &format!("ALTER CHANNEL(A.B) CHLTYPE(RCVR) {attributes}"));
    pair.send(numbered(0..1), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 0"]);
    (pair, carrier)
}

fn reaches(pair: &Pair, which: usize, step: &str) {
    let shown = format!("SUBSTATE({step})");
    eventually(&shown, || pair.status(which).contains(&shown));
}

#[test]
fn a_partner_that_does_not_answer_is_shown_as_a_heartbeat_and_a_batch_as_its_end() {
    let (pair, carrier) = carried("HBINT(3)");
    reaches(&pair, 0, "MQGET");
    reaches(&pair, 1, "RECEIVE");
    carrier.hold(true);
    // The end of the batch is on its way, and nothing is heard of it.
    pair.send(numbered(1..3), Persistence::Persistent);
    reaches(&pair, 0, "ENDBATCH");
    // Both ask, once they were quiet for so long.
    reaches(&pair, 0, "HEARTBEAT");
    reaches(&pair, 1, "HEARTBEAT");
    carrier.hold(false);
    assert_eq!(pair.receive(2), ["message 1", "message 2"]);
    reaches(&pair, 0, "MQGET");
    reaches(&pair, 1, "RECEIVE");
}

#[test]
fn a_batch_that_waits_for_the_disk_of_the_receiver_is_at_its_end_at_both_ends() {
    // A thread of its own waits for the disk, so that displays are answered meanwhile.
    let mut pair = Pair::with_settings_at_b("writer = \"thread\"\n");
    pair.stop(1, Mode::Immediate);
    let pace = Arc::<Pace>::default();
    let disk = SlowDisk { disk: Arc::new(OsDisk::at(pair.places[1].folder())), watch: Arc::clone(&pace) };
    let address = SocketAddr::new(pair.hosts[1], pair.ports[1]);
    let options =
        Options { addresses: Some(vec![address]), disk: Some(Arc::new(disk)), ..pair.places[1].options() };
    pair.servers[1] = Some(Server::start(&options).unwrap());
    pair.send(numbered(0..1), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 0"]);
    reaches(&pair, 1, "RECEIVE");
    pace.stall(true);
    pair.send(numbered(1..2), Persistence::Persistent);
    reaches(&pair, 0, "ENDBATCH");
    eventually("a write is held", || pace.holds());
    // Its answer waits for the disk as well, and tells of the moment when the command ran.
    let mut asks = pair.connect(1);
    let shown = std::thread::spawn(move || command(&mut asks, "DISPLAY CHSTATUS(A.B) ALL"));
    std::thread::sleep(Duration::from_millis(500));
    pace.stall(false);
    let shown = shown.join().unwrap();
    assert!(shown.contains("SUBSTATE(ENDBATCH)"), "{shown}");
    assert_eq!(pair.receive(1), ["message 1"]);
    reaches(&pair, 0, "MQGET");
    reaches(&pair, 1, "RECEIVE");
}

#[test]
fn a_message_that_finds_its_queue_full_is_shown_as_a_put() {
    let pair = Pair::new();
    command(&mut pair.connect(1), "ALTER QLOCAL(IN) MAXDEPTH(1)");
    command(&mut pair.connect(1), "ALTER CHANNEL(A.B) CHLTYPE(RCVR) MRTMR(100) MRRTY(1000)");
    pair.send(numbered(0..2), Persistence::Persistent);
    reaches(&pair, 1, "MQPUT");
    assert!(pair.status(1).contains("STATUS(PAUSED)"), "{}", pair.status(1));
    reaches(&pair, 0, "ENDBATCH");
    command(&mut pair.connect(1), "ALTER QLOCAL(IN) MAXDEPTH(5000)");
    assert_eq!(pair.receive(2), ["message 0", "message 1"]);
    reaches(&pair, 1, "RECEIVE");
}

/// A receiver expands each frame where it reads it.
#[test]
fn frames_that_another_thread_compresses_are_shown_at_the_sender() {
    let pair = Pair::new();
    for (which, kind) in [(0, "SDR"), (1, "RCVR")] {
        let altered = format!("ALTER CHANNEL(A.B) CHLTYPE({kind}) COMPMSG(ZLIBHIGH)");
        command(&mut pair.connect(which), &altered);
    }
    let mut putter = pair.connect(0);
    let there = open(&mut putter, "THERE", OpenOptions::OUTPUT);
    // Words that repeat, yet not in one place: it takes a while to find them.
    let body: Vec<u8> = (0..1_000_000_u64).map(|number| (number * number / 1000 % 97) as u8 + 32).collect();
    let is_seen = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            // As many as the channel sends in several seconds.
            for _ in 0..300 {
                if is_seen.load(Ordering::Relaxed) {
                    break;
                }
                put(&mut putter, there, &body, Persistence::NotPersistent, PutFlags::EMPTY).unwrap();
            }
        });
        let mut asks = pair.connect(0);
        let shows = |status: &str| status.contains("SUBSTATE(COMPRESS)");
        eventually("it compresses", || shows(&command(&mut asks, "DISPLAY CHSTATUS(A.B) SUBSTATE")));
        is_seen.store(true, Ordering::Relaxed);
    });
    reaches(&pair, 0, "MQGET");
    reaches(&pair, 1, "RECEIVE");
}
