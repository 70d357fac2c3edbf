//! Reasons for which a message channel does not begin or go on: each in its own words at both ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason};
use platform::World;
use platform::simulated::SimulatedDisk;
use queue_manager::QueueManager;
use server::{Configuration, Mode, Options, Server};

use crate::message_channels::{Pair, met, numbered};
use crate::running::{address, command, connect, eventually, get, open, put};

/// The last fault that an end shows.
fn fault(status: &str) -> String {
    let (_, rest) = status.split_once("LASTERR(").unwrap_or_else(|| panic!("{status}"));
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The lines of an error log that have these words, and the number of their message.
fn told(pair: &Pair, which: usize, words: &str) -> Vec<String> {
    let log = pair.places[which].error_log();
    log.lines().filter(|line| line.contains(words)).map(str::to_owned).collect()
}

/// The sender shows the reason once, with these words, and the error logs of both ends have them.
fn is_refused(pair: &Pair, reason: Reason, words: &str) {
    let shown = met(pair).unwrap_err();
    assert!(shown.starts_with(&format!("{}: the partner refused the channel: ", reason.code())), "{shown}");
    let shown = fault(&format!("LASTERR({shown}"));
    assert_eq!(shown.matches(&reason.code().to_string()).count(), 1, "{shown}");
    for (which, number) in [(0, "FRY9068W"), (1, "FRY9065W")] {
        eventually("the log tells of it", || !told(pair, which, words).is_empty());
        let line = told(pair, which, words).pop().unwrap();
        assert!(line.contains(number) && line.contains(&format!("(reason {reason})")), "{line}");
    }
}

/// No end of a channel, and of no login, is one of bytes that break the protocol.
fn breaks_nothing(pair: &Pair) {
    for place in &pair.places {
        assert!(!place.error_log().contains("FRY9002W"), "{}", place.error_log());
    }
}

#[test]
fn a_user_without_the_right_to_connect_is_2035_at_both_ends_until_it_has_it() {
    let pair = Pair::with_users_at_b(&["ada"]);
    let mut other = pair.connect(1);
    command(&mut other, "ALTER QMGR CHLEV(EXCEPTION)");
    command(&mut other, "SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(A) MCAUSER('mover')");
    is_refused(&pair, Reason::NOT_AUTHORIZED, "has no right to connect");
    let receiver = fault(&pair.status(1));
    assert!(
        receiver.starts_with("2035: ") && receiver.contains("`ferry why B` there names the user"),
        "{receiver}"
    );
    let queue = open(&mut other, "SYSTEM.ADMIN.CHANNEL.EVENT", OpenOptions::INPUT_SHARED);
    let event = get(&mut other, queue, Duration::from_secs(10), GetFlags::EMPTY).unwrap();
    assert!(String::from_utf8_lossy(&event).contains("has no right to connect"), "{event:?}");
    command(&mut other, "SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('mover') AUTHADD(CONNECT)");
    assert_eq!(met(&pair).as_deref(), Ok("mover"));
    // A rule that is taken away while it runs.
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    eventually("it runs", || pair.status(0).contains("STATUS(RUNNING)"));
    command(&mut other, "SET CHLAUTH(A.B) TYPE(QMGRMAP) QMNAME(A) USERSRC(NOACCESS) ACTION(REPLACE)");
    command(&mut other, "REFRESH SECURITY TYPE(CONNAUTH)");
    eventually("the sender hears of it", || !told(&pair, 0, "does not let it in any more").is_empty());
    breaks_nothing(&pair);
}

#[test]
fn a_receiver_that_is_stopped_or_full_or_ends_says_so_at_both_ends() {
    let mut pair = Pair::with_settings_at_b("[limits]\nactive_channels_max = 1\n");
    let mut other = pair.connect(1);
    command(&mut other, "STOP CHANNEL(A.B)");
    is_refused(&pair, Reason::CHANNEL_NOT_AVAILABLE, "the channel A.B is stopped");
    command(&mut other, "START CHANNEL(A.B)");
    let seat = connect(&address(pair.servers[1].as_ref().unwrap()));
    is_refused(&pair, Reason::CHANNEL_NOT_AVAILABLE, "MaxActiveChannels");
    assert!(fault(&pair.status(1)).contains("MaxActiveChannels"), "{}", pair.status(1));
    drop(seat);
    eventually("the seat is free", || met(&pair).is_ok());
    // A plain stop of the partner, and one at once.
    for (command_text, words) in [
        ("STOP CHANNEL(A.B) MODE(FORCE)", "STOP CHANNEL with MODE(FORCE) ended it there"),
        ("STOP CHANNEL(A.B)", ""),
    ] {
        command(&mut pair.connect(0), "START CHANNEL(A.B)");
        eventually("it runs", || pair.status(1).contains("STATUS(RUNNING)"));
        command(&mut other, command_text);
        eventually("the sender is told", || words.is_empty() || !told(&pair, 0, words).is_empty());
        eventually("it is stopped", || pair.status(1).contains("STATUS(STOPPED)"));
        command(&mut other, "START CHANNEL(A.B)");
    }
    let stopped = told(&pair, 1, "the connection was ended by STOP CHANNEL");
    assert!(stopped.iter().all(|line| line.contains("FRY9066I")) && stopped.len() == 1, "{stopped:?}");
    command(&mut pair.connect(0), "START CHANNEL(A.B)");
    eventually("it runs", || pair.status(0).contains("STATUS(RUNNING)"));
    pair.stop(1, Mode::Immediate);
    eventually("the sender is told", || !told(&pair, 0, "the queue manager ends").is_empty());
    // Tries that find nobody.
    eventually("it tries again", || fault(&pair.status(0)).starts_with("2538: "));
    breaks_nothing(&pair);
    pair.start(1);
    pair.send(numbered(0..1), Persistence::Persistent);
    assert_eq!(pair.receive(1), ["message 0"]);
}

/// Starts B anew on a disk in memory.
fn in_memory(pair: &mut Pair) -> Arc<SimulatedDisk> {
    pair.stop(1, Mode::Immediate);
    let (disk, place) = (Arc::new(SimulatedDisk::new(1)), &pair.places[1]);
    let folder = place.data.folder(&place.name);
    let world = World { disk: Arc::<SimulatedDisk>::clone(&disk), ..World::of_machine(folder.path()) };
    let engine = Configuration::read(&folder.settings()).unwrap().engine(place.name);
    QueueManager::create(&world, &engine).unwrap();
    let address = SocketAddr::new(pair.hosts[1], pair.ports[1]);
    let options = Options { addresses: Some(vec![address]), disk: Some(world.disk), ..place.options() };
    pair.servers[1] = Some(Server::start(&options).unwrap());
    for text in ["DEFINE QLOCAL(IN)", "DEFINE QLOCAL(FULL)", "DEFINE CHANNEL(A.B) CHLTYPE(RCVR)"] {
        command(&mut pair.connect(1), text);
    }
    disk
}

/// Gives the disk no more room, and fills the log of B.
fn fill(pair: &Pair, disk: &SimulatedDisk) {
    disk.set_capacity(Some(disk.files().iter().map(|(_, length)| length).sum()));
    let mut filler = pair.connect(1);
    let queue = open(&mut filler, "FULL", OpenOptions::OUTPUT);
    for bytes in [500 << 10, 4 << 10] {
        let body = vec![b'x'; bytes];
        let refused = (0..10_000)
            .find_map(|_| put(&mut filler, queue, &body, Persistence::Persistent, PutFlags::EMPTY).err());
        assert_eq!(refused, Some(Reason::STORAGE_MEDIUM_FULL), "{bytes}");
    }
}

/// A channel begins in the room that puts leave for all else; its batches are what finds none.
#[test]
fn a_receiver_whose_log_is_full_says_so_at_both_ends_until_there_is_room() {
    let mut pair = Pair::new();
    let disk = in_memory(&mut pair);
    command(&mut pair.connect(1), "ALTER CHANNEL(A.B) CHLTYPE(RCVR) MRRTY(0)");
    command(&mut pair.connect(0), "ALTER CHANNEL(A.B) CHLTYPE(SDR) SHORTTMR(1) SHORTRTY(1000)");
    fill(&pair, &disk);
    assert!(met(&pair).is_ok());
    let body = vec![b'x'; 4 << 10];
    let mut one = pair.connect(0);
    let there = open(&mut one, "THERE", OpenOptions::OUTPUT);
    for number in 0..3 {
        let body = [&[number][..], &body].concat();
        put(&mut one, there, &body, Persistence::Persistent, PutFlags::EMPTY).unwrap();
    }
    for (which, words) in [
        (0, "the partner has no room for batch 1: it is sent again"),
        (1, "a message for queue IN has no room now: its batch is sent again"),
    ] {
        let shown = format!("LASTERR(2192: {words}");
        eventually(&shown, || {
            pair.status(which).split_whitespace().collect::<Vec<_>>().join(" ").contains(&shown)
        });
        eventually("and its log", || !told(&pair, which, words).is_empty());
        assert!(told(&pair, which, words)[0].contains("FRY9068W"), "{which}");
    }
    breaks_nothing(&pair);
    disk.set_capacity(None);
    let mut other = pair.connect(1);
    let queue = open(&mut other, "IN", OpenOptions::INPUT_SHARED);
    for number in 0..3 {
        let got = get(&mut other, queue, Duration::from_secs(20), GetFlags::EMPTY);
        let got = got.unwrap_or_else(|reason| panic!("{reason}: {}", pair.told()));
        assert_eq!((got[0], got.len()), (number, 1 + (4 << 10)));
    }
    assert_eq!(get(&mut other, queue, Duration::ZERO, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn a_receiver_with_few_handles_puts_to_many_queues() {
    let pair = Pair::new();
    command(&mut pair.connect(1), "ALTER QMGR MAXHANDS(1)");
    for round in 0..2 {
        for number in 0..3 {
            let queue = format!("IN.{number}");
            if round == 0 {
                command(&mut pair.connect(1), &format!("DEFINE QLOCAL({queue})"));
                let there = format!("DEFINE QREMOTE({queue}) RNAME({queue}) RQMNAME(B)");
                command(&mut pair.connect(0), &there);
            }
            let mut one = pair.connect(0);
            let there = open(&mut one, &queue, OpenOptions::OUTPUT);
            put(&mut one, there, b"x", Persistence::Persistent, PutFlags::EMPTY).unwrap();
        }
    }
    for number in 0..3 {
        let shown = || command(&mut pair.connect(1), &format!("DISPLAY QLOCAL(IN.{number}) CURDEPTH"));
        eventually("both are there", || shown().contains("CURDEPTH(2)"));
    }
}
