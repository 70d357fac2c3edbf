//! Message channels whose definitions, rules and numbers change while they are used.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use mqi::Persistence;
use parking_lot::Mutex;
use server::{Mode, Names};

use crate::message_channels::{Pair, figure, free_port, numbered};
use crate::running::{RIGHTS_OF_ALL, command, eventually};

/// The state of the channel at one end.
fn is(pair: &Pair, which: usize, state: &str) -> bool {
    pair.status(which).contains(&format!("STATUS({state})"))
}

fn sends_and_receives(pair: &Pair, number: usize) {
    pair.send(numbered(number..number + 1), Persistence::Persistent);
    assert_eq!(pair.receive(1), [format!("message {number}")]);
}

fn stop(pair: &Pair) {
    command(&mut pair.connect(0), "STOP CHANNEL(A.B)");
    eventually("the channel is stopped", || is(pair, 0, "STOPPED") && !is(pair, 1, "RUNNING"));
}

#[test]
fn both_ends_count_from_the_number_that_a_reset_gives_a_used_line() {
    let pair = Pair::new();
    pair.send(numbered(0..3), Persistence::Persistent);
    assert_eq!(pair.receive(3).len(), 3);
    let counted = |at: &str| {
        eventually(&format!("both ends are at message {at}"), || {
            [0, 1].iter().all(|which| figure(&pair.status(*which), "LSTSEQNO") == at)
        });
    };
    counted("3");
    for (number, sequence) in [(3, 500), (4, 700)] {
        stop(&pair);
        command(&mut pair.connect(0), &format!("RESET CHANNEL(A.B) SEQNUM({sequence})"));
        command(&mut pair.connect(0), "START CHANNEL(A.B)");
        sends_and_receives(&pair, number);
        counted(&sequence.to_string());
    }
    // A line that both ends know, and that no message used, takes yet another number, and one by default.
    for sequence in [7, 9, 1] {
        stop(&pair);
        command(&mut pair.connect(0), &format!("RESET CHANNEL(A.B) SEQNUM({sequence})"));
        command(&mut pair.connect(0), "START CHANNEL(A.B)");
        eventually("they are bound", || is(&pair, 0, "RUNNING") && is(&pair, 1, "RUNNING"));
    }
    sends_and_receives(&pair, 5);
    counted("1");
    stop(&pair);
    let above = pair.connect(0).command("RESET CHANNEL(A.B) SEQNUM(999999999)").unwrap();
    assert!(!above.failed, "the highest is one that SEQWRAP allows: {}", above.text);
    command(&mut pair.connect(0), "ALTER CHANNEL(A.B) CHLTYPE(SDR) SEQWRAP(1000)");
    let above = pair.connect(0).command("RESET CHANNEL(A.B) SEQNUM(1001)").unwrap();
    assert!(above.failed && above.text.contains("above SEQWRAP"), "{}", above.text);
    // The number that was given before SEQWRAP went down is none any more: the line counts from 1.
    command(&mut pair.connect(1), "ALTER CHANNEL(A.B) CHLTYPE(RCVR) SEQWRAP(1000)");
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    sends_and_receives(&pair, 6);
    counted("1");
}

#[test]
fn a_running_channel_follows_its_limits_and_intervals_at_once_and_the_reply_says_what_waits() {
    let pair = Pair::new();
    sends_and_receives(&pair, 0);
    let alter =
        |text: &str| command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) {text}"));
    let told = alter("BATCHSZ(5) BATCHINT(20) HBINT(7) CONNAME('localhost(1)') DESCR('other')");
    assert!(
        told.contains("FRY8482I") && told.contains("follow these attributes at once: BATCHSZ, BATCHINT.")
    );
    assert!(told.contains("FRY8483I") && told.contains("from the next one on: CONNAME, HBINT."), "{told}");
    eventually("batches are shorter", || figure(&pair.status(0), "BATCHSZ") == "5");
    assert_eq!(figure(&pair.status(0), "HBINT"), "300", "as the ends agreed");
    assert!(alter("BATCHSZ(9)").contains("BATCHSZ, BATCHINT"), "it is less than the ends agreed on");
    eventually("batches are longer again", || figure(&pair.status(0), "BATCHSZ") == "9");
    assert!(alter("BATCHSZ(60)").contains("from the next one on: BATCHSZ, CONNAME, HBINT"));
    eventually("they are as long as agreed", || figure(&pair.status(0), "BATCHSZ") == "50");
    // DISCINT counts from the last message, which is sent after this.
    let began = Instant::now();
    pair.send(numbered(1..30), Persistence::Persistent);
    assert_eq!(pair.receive(29).len(), 29, "the connection that is there is not another's: {}", pair.told());
    // 6000 s become one.
    assert!(alter("DISCINT(1)").contains("DISCINT"));
    eventually("the channel ends for want of messages", || {
        !is(&pair, 0, "RUNNING") && !is(&pair, 1, "RUNNING")
    });
    assert!(began.elapsed() >= Duration::from_millis(900));
    // Nothing runs that could follow.
    let told = alter("CONNAME('localhost(2)') BATCHINT(0)");
    assert!(!told.contains("FRY8482I") && !told.contains("FRY8483I"), "{told}");
    let told = command(&mut pair.connect(1), "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) REPLACE MRRTY(3)");
    assert!(!told.contains("FRY8482I"), "{told}");
}

#[test]
fn a_receiver_follows_its_retries_when_it_is_altered_or_replaced() {
    let pair = Pair::new();
    sends_and_receives(&pair, 0);
    let mut other = pair.connect(1);
    for text in
        ["ALTER CHANNEL(A.B) CHLTYPE(RCVR) MRRTY(0)", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR) REPLACE MRRTY(1)"]
    {
        let told = command(&mut other, text);
        assert!(told.contains("at once: MRRTY"), "{told}");
    }
    for text in [
        "ALTER CHANNEL(A.B) CHLTYPE(RCVR) MRRTY(0)",
        "DEFINE QLOCAL(DEAD) REPLACE",
        "ALTER QMGR DEADQ(DEAD)",
        "ALTER QLOCAL(IN) PUT(DISABLED)",
    ] {
        command(&mut other, text);
    }
    let began = Instant::now();
    pair.send(numbered(1..2), Persistence::Persistent);
    let depth = |other: &mut _| figure(&command(other, "DISPLAY QLOCAL(DEAD) CURDEPTH"), "CURDEPTH");
    eventually("the message is a dead letter", || depth(&mut other) == "1");
    assert!(began.elapsed() < Duration::from_secs(5), "ten tries a second apart are not made any more");
}

#[test]
fn a_channel_whose_partner_moved_calls_at_the_new_address_at_its_next_try() {
    let pair = Pair::new();
    let nobody = free_port();
    let to = pair.ports[1];
    command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('127.0.0.1({nobody})')"));
    pair.send(numbered(0..1), Persistence::Persistent);
    eventually("it is tried again later", || is(&pair, 0, "RETRYING"));
    // No START: each try reads the definition.
    command(&mut pair.connect(0), &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('localhost({to})')"));
    assert_eq!(pair.receive(1), ["message 0"]);
}

#[test]
fn the_display_tells_the_local_address_the_product_and_the_time_on_the_transmission_queue() {
    let pair = Pair::new();
    let port = free_port();
    let mut one = pair.connect(0);
    command(&mut one, &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) LOCLADDR('127.0.0.1({port})')"));
    command(&mut one, "ALTER QLOCAL(B) MONQ(HIGH) NOTRIGGER");
    pair.send(numbered(0..1), Persistence::Persistent);
    std::thread::sleep(Duration::from_millis(300));
    command(&mut one, "START CHANNEL(A.B)");
    assert_eq!(pair.receive(1), ["message 0"]);
    eventually("the time is told", || figure(&pair.status(0), "XQTIME").contains(','));
    let (sends, receives) = (pair.status(0), pair.status(1));
    let ours = format!("127.0.0.1({port}");
    assert_eq!(figure(&sends, "LOCLADDR"), ours, "{sends}");
    assert_eq!(figure(&receives, "LOCLADDR"), format!("127.0.0.1({}", pair.ports[1]), "{receives}");
    assert_eq!(figure(&receives, "CONNAME"), "127.0.0.1", "{receives}");
    let micros: Vec<u64> =
        figure(&sends, "XQTIME").split(',').map(|micros| micros.trim().parse().unwrap()).collect();
    assert!(micros.iter().all(|micros| (300_000..10_000_000).contains(micros)), "{micros:?}");
    assert_eq!(figure(&receives, "XQTIME"), ",", "a receiver has no transmission queue");
    for status in [sends, receives] {
        assert_eq!(figure(&status, "RPRODUCT"), "FRRY");
        let version = figure(&status, "RVERSION");
        assert!(version.len() == 8 && version.bytes().all(|digit| digit.is_ascii_digit()), "{version}");
    }
}

#[test]
fn a_rule_that_comes_or_goes_ends_the_partner_that_runs_when_security_is_refreshed() {
    let pair = Pair::with_users_at_b(&["ada"]);
    let mut other = pair.connect(1);
    RIGHTS_OF_ALL.iter().for_each(|text| drop(command(&mut other, text)));
    let lets_in = "SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(A) MCAUSER('mover')";
    command(&mut other, lets_in);
    sends_and_receives(&pair, 0);
    let refused = |pair: &Pair, why: &str| {
        eventually(&format!("the partner is ended and refused: {why}"), || {
            let shown = pair.status(0);
            is(pair, 0, "RETRYING")
                && !is(pair, 1, "RUNNING")
                && figure(&shown, "LASTERR").contains("lets no partner like this one in")
        });
    };
    // One that is added, one that is taken away, one that gives another user.
    command(&mut other, "SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(A) USERSRC(NOACCESS) ACTION(REPLACE)");
    std::thread::sleep(Duration::from_millis(1_500));
    assert!(is(&pair, 1, "RUNNING"), "no sooner than security is refreshed");
    command(&mut other, "REFRESH SECURITY TYPE(CONNAUTH)");
    refused(&pair, "a rule refuses it");
    command(&mut other, &format!("{lets_in} ACTION(REPLACE)"));
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    sends_and_receives(&pair, 1);
    command(&mut other, "SET CHLAUTH(A.B) TYPE(QMGRMAP) ACTION(REMOVEALL)");
    command(&mut other, "REFRESH SECURITY TYPE(ALL)");
    refused(&pair, "no rule lets it in");
    command(&mut other, lets_in);
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    sends_and_receives(&pair, 2);
    command(&mut other, "SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(A) MCAUSER('another') ACTION(REPLACE)");
    command(&mut other, "REFRESH SECURITY TYPE(CONNAUTH)");
    eventually("it comes back as the other user", || {
        is(&pair, 1, "RUNNING") && figure(&pair.status(1), "MCAUSER") == "another"
    });
    sends_and_receives(&pair, 3);
    assert!(pair.places[1].error_log().contains("judged again while it is connected"));
}

/// Names whose addresses a test changes, and the questions that were asked.
#[derive(Debug, Default)]
struct Book {
    addresses: Mutex<Vec<IpAddr>>,
    asked: Mutex<Vec<String>>,
}

impl Names for Book {
    fn find(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        self.asked.lock().push(host.to_owned());
        match &*self.addresses.lock() {
            found if found.is_empty() => Err(io::Error::other("the name has no address today")),
            found => Ok(found.iter().map(|address| SocketAddr::new(*address, port)).collect()),
        }
    }
}

#[test]
fn a_name_is_looked_up_at_each_try_and_each_of_its_addresses_is_tried_in_either_family() {
    let book = Arc::new(Book::default());
    let mut pair = Pair::with(&[], Some(book.clone()));
    let alter = |pair: &Pair, names: &str| {
        command(
            &mut pair.connect(0),
            &format!("ALTER CHANNEL(A.B) CHLTYPE(SDR) CONNAME('{names}') SHORTTMR(1)"),
        );
    };
    let port = pair.ports[1];
    alter(&pair, &format!("partner.example({port})"));
    pair.send(numbered(0..1), Persistence::Persistent);
    eventually("a name without an address is named", || {
        let told = pair.status(0);
        told.contains("STATUS(RETRYING)")
            && told.contains("partner.example was not found")
            && told.contains("today")
    });
    // No command from here on. The first of both addresses is nobody's.
    *book.addresses.lock() = vec!["127.0.0.9".parse().unwrap(), "127.0.0.1".parse().unwrap()];
    assert_eq!(pair.receive(1), ["message 0"]);
    // The partner moves, first within its family, then to the other.
    for host in ["127.0.0.2", "::1"] {
        pair.stop(1, Mode::Immediate);
        let asked = book.asked.lock().len();
        pair.hosts[1] = host.parse().unwrap();
        *book.addresses.lock() = vec![pair.hosts[1]];
        pair.start(1);
        pair.send(numbered(1..3), Persistence::Persistent);
        assert_eq!(pair.receive(2), ["message 1", "message 2"], "{host}");
        assert!(book.asked.lock().len() > asked, "{host}");
    }
    assert!(book.asked.lock().iter().all(|host| host == "partner.example"));
}
