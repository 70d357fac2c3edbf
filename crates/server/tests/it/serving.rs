//! Messages through a running server.

use std::time::{Duration, Instant};

use client::{Connection, Options, ReadAhead};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs};

use crate::running::{Place, address, command, connect, eventually, get, open, put};

const NOW: Duration = Duration::ZERO;
const SOON: Duration = Duration::from_secs(10);

#[test]
fn messages_go_in_and_out_over_tcp_and_the_local_socket() {
    let place = Place::new();
    let server = place.start();
    let mut one = connect(&address(&server));
    let local = format!("unix:{}", place.folder().join("socket").display());
    let mut other = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    command(&mut one, "DEFINE QLOCAL(Q)");
    let to = open(&mut one, "Q", OpenOptions::OUTPUT);
    let from = open(&mut other, "Q", OpenOptions::INPUT_SHARED);
    for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
        put(&mut one, to, b"hello", persistence, PutFlags::EMPTY).unwrap();
        assert_eq!(get(&mut other, from, NOW, GetFlags::EMPTY).unwrap(), b"hello");
    }
    assert_eq!(get(&mut other, from, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn connections_over_the_network_show_the_channel_of_clients() {
    let place = Place::new();
    let server = place.start();
    let mut one = connect(&address(&server));
    let local = format!("unix:{}", place.folder().join("socket").display());
    let _other = Connection::connect(Options::to(local.parse().unwrap())).unwrap();
    let shown = one.command("DISPLAY CONN(*) WHERE(CHANNEL EQ 'SYSTEM.DEF.SVRCONN') CONNAME").unwrap().text;
    assert_eq!(shown.matches("CONNAME(").count(), 1, "{shown}");
    assert!(shown.contains("CONNAME(127.0.0.1)"), "{shown}");
}

#[test]
fn a_waiting_getter_on_another_connection_is_served_by_the_put() {
    let place = Place::with_settings("[threads]\nreactors = 2\n");
    let server = place.start();
    let address = address(&server);
    let mut putter = connect(&address);
    command(&mut putter, "DEFINE QLOCAL(Q)");
    let to = open(&mut putter, "Q", OpenOptions::OUTPUT);
    let getters: Vec<_> = (0..4)
        .map(|_| {
            let address = address.clone();
            std::thread::spawn(move || {
                let mut getter = connect(&address);
                let from = open(&mut getter, "Q", OpenOptions::INPUT_SHARED);
                get(&mut getter, from, SOON, GetFlags::EMPTY).unwrap()
            })
        })
        .collect();
    std::thread::sleep(Duration::from_millis(100));
    for number in 0..4_u8 {
        let persistence = if number % 2 == 0 { Persistence::Persistent } else { Persistence::NotPersistent };
        put(&mut putter, to, &[number], persistence, PutFlags::EMPTY).unwrap();
    }
    let mut got: Vec<_> = getters.into_iter().map(|getter| getter.join().unwrap()[0]).collect();
    got.sort_unstable();
    assert_eq!(got, [0, 1, 2, 3]);
}

#[test]
fn a_wait_ends_with_2033_after_its_interval() {
    let place = Place::new();
    let server = place.start();
    let mut connection = connect(&address(&server));
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    let began = Instant::now();
    let outcome = get(&mut connection, from, Duration::from_millis(300), GetFlags::EMPTY);
    assert_eq!(outcome, Err(Reason::NO_MSG_AVAILABLE));
    let took = began.elapsed();
    assert!(took >= Duration::from_millis(300) && took < Duration::from_secs(3), "{took:?}");
}

#[test]
fn each_way_of_writing_the_log_keeps_what_it_was_given() {
    for writer in ["auto", "inline", "thread"] {
        let place = Place::with_settings(&format!("writer = \"{writer}\"\n"));
        let server = place.start();
        let mut connection = connect(&address(&server));
        command(&mut connection, "DEFINE QLOCAL(Q)");
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        for number in 0..50_u8 {
            put(&mut connection, to, &[number], Persistence::Persistent, PutFlags::EMPTY).unwrap();
        }
        drop((connection, server));
        let server = place.start();
        let mut connection = connect(&address(&server));
        let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
        for number in 0..50_u8 {
            assert_eq!(get(&mut connection, from, NOW, GetFlags::EMPTY), Ok(vec![number]), "{writer}");
        }
    }
}

#[test]
fn the_unit_of_work_of_a_connection_that_breaks_is_backed_out() {
    let place = Place::new();
    let server = place.start();
    let mut keeper = connect(&address(&server));
    command(&mut keeper, "DEFINE QLOCAL(Q)");
    let to = open(&mut keeper, "Q", OpenOptions::OUTPUT);
    put(&mut keeper, to, b"stays", Persistence::Persistent, PutFlags::EMPTY).unwrap();
    let mut breaking = connect(&address(&server));
    let from = open(&mut breaking, "Q", OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    assert_eq!(get(&mut breaking, from, NOW, GetFlags::SYNCPOINT).unwrap(), b"stays");
    put(&mut breaking, from, b"goes", Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
    drop(breaking);
    let from = open(&mut keeper, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut keeper, from, SOON, GetFlags::EMPTY).unwrap(), b"stays");
    assert_eq!(get(&mut keeper, from, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn many_connections_at_once_lose_and_repeat_nothing() {
    let place = Place::new();
    let server = place.start();
    let address = address(&server);
    command(&mut connect(&address), "DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let putters: Vec<_> = (0..8_u8)
        .map(|putter| {
            let address = address.clone();
            std::thread::spawn(move || {
                let mut connection = connect(&address);
                let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
                for number in 0..100_u8 {
                    put(&mut connection, to, &[putter, number], Persistence::Persistent, PutFlags::SYNCPOINT)
                        .unwrap();
                    if number % 10 == 9 {
                        connection.commit().unwrap();
                    }
                }
            })
        })
        .collect();
    let getters: Vec<_> = (0..4)
        .map(|_| {
            let address = address.clone();
            std::thread::spawn(move || {
                let mut connection = connect(&address);
                let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
                let mut got = Vec::new();
                while let Ok(body) = get(&mut connection, from, Duration::from_secs(1), GetFlags::EMPTY) {
                    got.push((body[0], body[1]));
                }
                got
            })
        })
        .collect();
    putters.into_iter().for_each(|putter| putter.join().unwrap());
    let got: Vec<_> = getters.into_iter().map(|getter| getter.join().unwrap()).collect();
    for one in &got {
        for putter in 0..8 {
            assert!(one.iter().filter(|(of, _)| *of == putter).is_sorted(), "in order for each putter");
        }
    }
    let mut all: Vec<_> = got.into_iter().flatten().collect();
    all.sort_unstable();
    let expected: Vec<_> = (0..8).flat_map(|putter| (0..100).map(move |number| (putter, number))).collect();
    assert_eq!(all, expected);
}

#[test]
fn large_messages_pass() {
    let place = Place::new();
    let server = place.start();
    let mut connection = connect(&address(&server));
    command(&mut connection, "DEFINE QLOCAL(Q) MAXMSGL(4194304)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    for length in [70_000, 1_000_000] {
        for persistence in [Persistence::NotPersistent, Persistence::Persistent] {
            let body: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
            put(&mut connection, to, &body, persistence, PutFlags::EMPTY).unwrap();
            assert_eq!(get(&mut connection, from, NOW, GetFlags::EMPTY).unwrap(), body);
        }
    }
}

#[test]
fn counters_are_told() {
    let place = Place::new();
    let server = place.start();
    let mut connection = connect(&address(&server));
    // Some are the queue manager's own, and come when they are ready.
    let mut told = |name: &str| {
        let told = connection.statistics().unwrap();
        told.counters.iter().find(|counter| counter.name == name).unwrap().value
    };
    eventually("as many are told as there are", || {
        told("connections") == server.queue_manager().figures().connections() as u64
    });
    assert!(told("connections") >= 1);
    assert!(told("resident_bytes") > 1 << 20);
}

#[test]
fn one_who_asks_for_more_than_it_reads_gets_all_of_it_later() {
    // The bound on waiting output is far below what the program grants, so the server has to stop, twice:
    // reading the program's requests, and encoding its messages.
    let place = Place::with_settings("[limits]\nbacklog_size_max = \"64 KiB\"\n");
    let server = place.start();
    let mut putter = connect(&address(&server));
    command(&mut putter, "DEFINE QLOCAL(Q)");
    let to = open(&mut putter, "Q", OpenOptions::OUTPUT);
    let body = |number: u32| [number.to_le_bytes().to_vec(), vec![7; 50_000]].concat();
    for number in 0..400 {
        put(&mut putter, to, &body(number), Persistence::NotPersistent, PutFlags::EMPTY).unwrap();
    }
    let mut slow = connect(&address(&server));
    let from = open(&mut slow, "Q", OpenOptions::INPUT_SHARED);
    slow.read_ahead(from, ReadAhead { messages: 1_000, bytes: 100 << 20 }).unwrap();
    assert_eq!(get(&mut slow, from, SOON, GetFlags::EMPTY).unwrap(), body(0));
    std::thread::sleep(Duration::from_millis(200));
    // Meanwhile others are served.
    put(&mut putter, to, &body(400), Persistence::Persistent, PutFlags::EMPTY).unwrap();
    for number in 1..=400 {
        assert_eq!(get(&mut slow, from, SOON, GetFlags::EMPTY).as_deref(), Ok(&body(number)[..]), "{number}");
    }
}

#[test]
fn puts_without_a_reply_pile_up_in_order_and_are_promised_by_the_commit() {
    let place = Place::with_settings("[limits]\nturn_size_max = \"4 KiB\"\n");
    let server = place.start();
    let mut connection = connect(&address(&server));
    command(&mut connection, "DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
    let flags = PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE;
    for number in 0..3_000_u32 {
        put(&mut connection, to, &number.to_le_bytes(), Persistence::Persistent, flags).unwrap();
        if number % 500 == 499 {
            connection.commit().unwrap();
        }
    }
    drop((connection, server));
    let server = place.start();
    let mut connection = connect(&address(&server));
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    for number in 0..3_000_u32 {
        assert_eq!(get(&mut connection, from, NOW, GetFlags::SYNCPOINT), Ok(number.to_le_bytes().to_vec()));
        if number % 500 == 499 {
            connection.commit().unwrap();
        }
    }
}

#[test]
fn the_socket_of_a_connection_that_is_stopped_is_closed() {
    let place = Place::new();
    let server = place.start();
    let mut administrator = connect(&address(&server));
    command(&mut administrator, "DEFINE QLOCAL(Q)");
    let stopped = Options::to(address(&server).parse().unwrap()).application("stopped");
    let mut stopped = Connection::connect(stopped).unwrap();
    let from = open(&mut stopped, "Q", OpenOptions::INPUT_SHARED);
    let waiting = std::thread::spawn(move || {
        let outcome = get(&mut stopped, from, SOON, GetFlags::EMPTY);
        (stopped, outcome)
    });
    let question = "DISPLAY CONN(*) WHERE(APPLTAG EQ 'stopped') CONN";
    let shown = administrator.command(question).unwrap();
    let (_, identifier) = shown.rows[0].iter().find(|(name, _)| name == "CONN").unwrap();
    command(&mut administrator, &format!("STOP CONN({identifier})"));
    let (stopped, outcome) = waiting.join().unwrap();
    assert_eq!(outcome, Err(Reason::CONNECTION_BROKEN));
    // The program keeps its end open, and has sent nothing since.
    eventually("the server closed its end", || place.error_log().contains("ended by STOP CONN"));
    eventually("nobody is connected but the administrator", || sockets_of_server(&server) == 1);
    drop(stopped);
}

/// Number of sockets of this process that are connected to the server's port from the server's side.
fn sockets_of_server(server: &server::Server) -> usize {
    let port = format!(":{:04X}", server.address().unwrap().port());
    let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
    let established = |line: &&str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        words.len() > 3 && words[1].ends_with(&port) && words[3] == "01"
    };
    table.lines().filter(established).count()
}
