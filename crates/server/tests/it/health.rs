//! Health as probes ask for it, and figures as the control process does.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::Connection;
use figures::metrics::{Block, CHANNEL, MANAGER, QUEUE, Verdict};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs as _};
use platform::World;
use platform::os::OsDisk;
use platform::simulated::SimulatedDisk;
use queue_manager::QueueManager;
use server::configuration::ServiceAddress;
use server::{Configuration, Mode, Options, Server};

use crate::running::{Place, address, command, connect, eventually, get, open, put};
use crate::stalled::{Pace, SlowDisk};

/// The status and the body of an answer; none where nobody answers in time.
fn ask(address: SocketAddr, request: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(5)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some((head.split(' ').nth(1)?.parse().ok()?, body.to_owned()))
}

fn status(address: SocketAddr, path: &str) -> u16 {
    ask(address, &format!("GET {path} HTTP/1.1\r\nHost: probe\r\n\r\n")).expect("an answer").0
}

/// The status of alive and of ready.
fn both(address: SocketAddr) -> (u16, u16) {
    (status(address, "/livez"), status(address, "/readyz"))
}

fn options(place: &Place) -> Options {
    Options { health: Some(ServiceAddress::At("127.0.0.1:0".parse().unwrap())), ..place.options() }
}

fn start(settings: &str) -> (Place, Server, SocketAddr) {
    let place = Place::with_settings(settings);
    let server = Server::start(&options(&place)).unwrap();
    let health = server.health().expect("an address");
    (place, server, health)
}

#[test]
fn a_queue_manager_that_runs_is_alive_ready_and_well_and_says_no_more() {
    let (place, server, health) = start("");
    assert_eq!(both(health), (200, 200));
    for check in ["log_room", "log_force", "dead_letters", "in_doubt", "oldest_unit", "control"] {
        assert_eq!(status(health, &format!("/healthz/{check}")), 200, "{check}");
    }
    assert_eq!(ask(health, "GET /livez HTTP/1.1\r\n\r\n"), Some((200, "ok\n".to_owned())));
    assert_eq!(ask(health, "HEAD /readyz HTTP/1.1\r\n\r\n"), Some((200, String::new())));
    for (request, expected) in [
        ("GET /metrics HTTP/1.1\r\n\r\n", 404),
        ("GET /healthz/none HTTP/1.1\r\n\r\n", 404),
        ("DELETE /livez HTTP/1.1\r\n\r\n", 405),
        ("nonsense\r\n\r\n", 400),
    ] {
        assert_eq!(ask(health, request).expect("an answer").0, expected, "{request:?}");
    }
    let file = std::fs::read_to_string(place.folder().join("health")).unwrap();
    assert!(file.contains(&health.to_string()), "{file}");
    server.stop(Mode::Immediate);
    server.wait();
    assert!(TcpStream::connect(health).is_err() && !place.folder().join("health").exists());
}

/// A start that replays for long is held up by its disk here.
#[test]
fn a_long_start_is_alive_and_not_ready() {
    let place = Place::new();
    let pace = Arc::<Pace>::default();
    let disk = SlowDisk { disk: Arc::new(OsDisk::at(place.folder())), watch: Arc::clone(&pace) };
    pace.stall(true);
    let options = Options { disk: Some(Arc::new(disk)), ..options(&place) };
    let starting = std::thread::spawn(move || Server::start(&options).unwrap());
    eventually("the start is held up", || pace.holds());
    let file = std::fs::read_to_string(place.folder().join("health")).unwrap();
    let (_, text) = file.split_once("\"address\":\"").unwrap();
    let health = text.split('"').next().unwrap().parse().unwrap();
    assert_eq!(both(health), (200, 503));
    pace.stall(false);
    let server = starting.join().unwrap();
    assert_eq!(server.health(), Some(health));
    assert_eq!(both(health), (200, 200));
}

#[test]
fn a_disk_that_stalls_leaves_it_alive_and_ready_and_a_check_says_so_until_it_goes_on() {
    let place = Place::with_settings("[health]\nforce_seconds_max = 1\n");
    let pace = Arc::<Pace>::default();
    let disk = SlowDisk { disk: Arc::new(OsDisk::at(place.folder())), watch: Arc::clone(&pace) };
    let server = Server::start(&Options { disk: Some(Arc::new(disk)), ..options(&place) }).unwrap();
    let health = server.health().unwrap();
    let mut putter = connect(&address(&server));
    command(&mut putter, "DEFINE QLOCAL(P)");
    let queue = open(&mut putter, "P", OpenOptions::OUTPUT);
    assert_eq!(status(health, "/healthz/log_force"), 200);
    pace.stall(true);
    let waiting = std::thread::spawn(move || {
        put(&mut putter, queue, b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
    });
    eventually("a write is held", || pace.holds());
    eventually("the check fails", || status(health, "/healthz/log_force") == 503);
    assert_eq!(status(health, "/healthz"), 503);
    assert_eq!(both(health), (200, 200));
    pace.stall(false);
    waiting.join().unwrap();
    eventually("the check is well again", || status(health, "/healthz/log_force") == 200);
}

/// A disk in memory that takes no more: the store cannot grow, so the log cannot be freed.
#[test]
fn a_full_disk_leaves_it_alive_and_ready_and_a_check_says_so_until_there_is_room() {
    let place = Place::with_settings("[health]\nlog_room_percent_min = 0\n");
    let folder = place.data.folder(&place.name);
    let disk = Arc::new(SimulatedDisk::new(1));
    let world = World { disk: Arc::<SimulatedDisk>::clone(&disk), ..World::of_machine(folder.path()) };
    let engine = Configuration::read(&folder.settings()).unwrap().engine(place.name);
    QueueManager::create(&world, &engine).unwrap();
    let server = Server::start(&Options { disk: Some(world.disk), ..options(&place) }).unwrap();
    let health = server.health().unwrap();
    let mut putter = connect(&address(&server));
    command(&mut putter, "DEFINE QLOCAL(Q) MAXMSGL(4194304)");
    let queue = open(&mut putter, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    assert_eq!(status(health, "/healthz/log_room"), 200);
    disk.set_capacity(Some(disk.files().iter().map(|(_, length)| length).sum()));
    let body = vec![b'x'; 500 << 10];
    let put_one =
        |putter: &mut Connection| put(putter, queue, &body, Persistence::Persistent, PutFlags::NO_SYNCPOINT);
    let refused = (0..100).find_map(|_| put_one(&mut putter).err()).expect("the disk is full");
    assert_eq!(refused, Reason::STORAGE_MEDIUM_FULL, "puts are refused, and it goes on");
    eventually("the check fails", || status(health, "/healthz/log_room") == 503);
    assert_eq!(both(health), (200, 200));
    get(&mut putter, queue, Duration::ZERO, GetFlags::NO_SYNCPOINT).unwrap();
    disk.set_capacity(None);
    eventually("a put is taken again", || put_one(&mut putter).is_ok());
    eventually("the check is well again", || status(health, "/healthz/log_room") == 200);
    assert_eq!(both(health), (200, 200));
}

#[test]
fn one_that_ends_is_alive_and_not_ready_until_its_programs_are_gone() {
    let (_place, server, health) = start("");
    let mut program = connect(&address(&server));
    server.stop(Mode::Quiesce);
    eventually("it is not ready", || status(health, "/readyz") == 503);
    assert_eq!(status(health, "/livez"), 200);
    program.disconnect().unwrap();
    server.wait();
}

#[test]
fn connections_that_are_left_open_keep_no_probe_out_and_are_cut_off() {
    let (_place, _server, health) = start("");
    let mut held: Vec<TcpStream> = (0..200)
        .map(|number: usize| {
            let mut stream = TcpStream::connect(health).unwrap();
            // A third say nothing, a third begin a request, a third send bytes of no protocol.
            let begun: &[u8] = [&b""[..], b"GET /livez HTTP/1.1\r\n", b"\x00\xff\r\r"][number % 3];
            stream.write_all(begun).unwrap();
            stream
        })
        .collect();
    let asked = Instant::now();
    assert_eq!(both(health), (200, 200));
    assert!(asked.elapsed() < Duration::from_secs(3), "{:?}", asked.elapsed());
    for stream in &mut held {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut rest = Vec::new();
        // An end, orderly or not, and no answer.
        let _ = stream.read_to_end(&mut rest);
        assert!(rest.is_empty());
    }
}

#[test]
fn health_is_answered_nowhere_where_the_settings_say_so_and_a_taken_address_is_refused() {
    let place = Place::with_settings("[health]\naddress = \"none\"\n");
    let server = Server::start(&place.options()).unwrap();
    assert_eq!(server.health(), None);
    drop(server);
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = ServiceAddress::At(taken.local_addr().unwrap());
    let refused = Server::start(&Options { health: Some(at), ..place.options() }).err().expect("a refusal");
    assert!(refused.to_string().contains("is in use by another program"), "{refused}");
}

/// The first figures that there are.
fn figures(connection: &mut Connection) -> Block {
    let mut bytes = connection.figures().unwrap();
    eventually("figures are made", || {
        if bytes.is_empty() {
            bytes = connection.figures().unwrap();
        }
        !bytes.is_empty()
    });
    Block::decode(&bytes).unwrap()
}

/// The first value of a family of a queue.
fn of_queue(block: &Block, queue: &str, family: &str) -> u64 {
    let before = QUEUE.iter().take_while(|row| row.name != family).map(|row| row.series.len()).sum::<usize>();
    block.queues.iter().find(|found| found.name == queue).expect("the queue").values[before]
}

/// The first value of a family of the queue manager.
fn of_manager(block: &Block, family: &str) -> u64 {
    let before =
        MANAGER.iter().take_while(|row| row.name != family).map(|row| row.series.len()).sum::<usize>();
    block.values[before]
}

#[test]
fn figures_count_listeners_that_are_to_run_and_could_not_start() {
    let (_place, server, _) = start("");
    let mut program = connect(&address(&server));
    let taken = server.address().unwrap().port();
    for (name, control) in [("A", "QMGR"), ("B", "STARTONLY"), ("C", "MANUAL")] {
        let attributes = format!("IPADDR('127.0.0.1') PORT({taken}) CONTROL({control})");
        command(&mut program, &format!("DEFINE LISTENER({name}) {attributes}"));
        let answer = program.command(&format!("START LISTENER({name})")).unwrap();
        assert!(answer.text.contains("in use by another program"), "{}", answer.text);
    }
    let told = |program: &mut Connection| {
        let block = figures(program);
        let check = block.checks.iter().find(|check| check.name == "listeners").expect("a check").verdict;
        (of_manager(&block, "listeners_failed"), check)
    };
    eventually("two are told", || told(&mut program) == (2, Verdict::Critical));
    command(&mut program, "ALTER LISTENER(A) CONTROL(MANUAL); DELETE LISTENER(B)");
    eventually("none is told", || told(&mut program) == (0, Verdict::Well));
}

#[test]
fn figures_tell_queues_by_the_settings_and_say_how_many_they_leave_out() {
    let (_place, server, _) = start("[metrics]\nqueues = [\"*\", \"!SYSTEM.*\", \"!B\"]\nqueues_max = 2\n");
    let mut program = connect(&address(&server));
    command(
        &mut program,
        "DEFINE QLOCAL(A); DEFINE QLOCAL(B); DEFINE QLOCAL(C) MAXDEPTH(7); DEFINE QLOCAL(D)",
    );
    let queue = open(&mut program, "C", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    for _ in 0..3 {
        put(&mut program, queue, b"m", Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
    }
    put(&mut program, queue, b"m", Persistence::NotPersistent, PutFlags::SYNCPOINT).unwrap();
    get(&mut program, queue, Duration::ZERO, GetFlags::NO_SYNCPOINT).unwrap();
    let block = figures(&mut program);
    assert_eq!(block.manager, "QM1");
    let names: Vec<&str> = block.queues.iter().map(|queue| queue.name.as_str()).collect();
    assert_eq!(names, ["A", "C"]);
    assert!(block.queues_in_all > 10, "those of the system count");
    let expected = [
        ("queue_depth", 3),
        ("queue_depth_max", 7),
        ("queue_uncommitted", 1),
        ("queue_handles", 1),
        ("queue_puts", 4),
        ("queue_gets", 1),
    ];
    for (family, value) in expected {
        assert_eq!(of_queue(&block, "C", family), value, "{family}");
    }
    assert!(of_queue(&block, "C", "queue_last_put_seconds") > 1_700_000_000_000_000);
    assert_eq!(block.checks.len(), 10);
    let log = block.checks.iter().find(|check| check.name == "log_room").expect("a check");
    assert_eq!(log.verdict, Verdict::Well, "{log:?}");
    program.commit().unwrap();
    eventually("the next figures come within a second or two", || {
        of_queue(&figures(&mut program), "C", "queue_uncommitted") == 0
    });
}

/// The values of a family of a channel.
fn of_channel(block: &Block, channel: &str, family: &str) -> Vec<u64> {
    let before =
        CHANNEL.iter().take_while(|row| row.name != family).map(|row| row.series.len()).sum::<usize>();
    let count = CHANNEL.iter().find(|row| row.name == family).expect("the family").series.len();
    let found = block.channels.iter().find(|found| found.name == channel).expect("the channel");
    found.values[before..before + count].to_vec()
}

#[test]
fn every_channel_has_figures_by_the_settings_whether_it_runs_or_not() {
    let (_place, server, _) = start(
        "[metrics]\nchannels = [\"*\", \"!SYSTEM.*\", \"!HIDDEN\"]\nchannels_max = 3\n[health]\nchannel_seconds_max = 300\n",
    );
    let mut program = connect(&address(&server));
    for text in [
        "DEFINE QLOCAL(X) USAGE(XMITQ)",
        "DEFINE CHANNEL(A.ABSENT) CHLTYPE(SDR) CONNAME('127.0.0.1(1)') XMITQ(X) DESCR('to nobody') SHORTTMR(999999)",
        "DEFINE CHANNEL(B.CLIENTS) CHLTYPE(SVRCONN) MAXINST(7)",
        "DEFINE CHANNEL(C.IN) CHLTYPE(RCVR)",
        "DEFINE CHANNEL(HIDDEN) CHLTYPE(RCVR)",
        "DEFINE CHANNEL(Z.BEYOND) CHLTYPE(RCVR)",
    ] {
        command(&mut program, text);
    }
    let block = figures(&mut program);
    let names: Vec<&str> = block.channels.iter().map(|channel| channel.name.as_str()).collect();
    assert_eq!(names, ["A.ABSENT", "B.CLIENTS", "C.IN"]);
    assert!(block.channels_in_all > 5, "those of the system count");
    assert_eq!(block.channels[0].description, "to nobody");
    assert_eq!((block.channels[0].kind.as_str(), block.channels[1].kind.as_str()), ("SDR", "SVRCONN"));
    // running, stopping, retrying, stopped, inactive, changing
    for channel in names {
        assert_eq!(of_channel(&block, channel, "channel_status"), [0, 0, 0, 0, 1, 0], "{channel}");
    }
    assert_eq!(of_channel(&block, "B.CLIENTS", "channel_instances_max"), [7, 1_000]);
    let x = block.queues.iter().find(|queue| queue.name == "X").unwrap();
    assert!(
        x.is_transmission && !block.queues.iter().any(|queue| queue.name != "X" && queue.is_transmission)
    );

    let at = address(&server);
    let by_channel = || Connection::connect(client::Options::to(at.parse().unwrap()).channel("B.CLIENTS"));
    let first = by_channel().unwrap();
    let running = |block: &Block| of_channel(block, "B.CLIENTS", "channel_status")[0];
    eventually("the instance counts", || running(&figures(&mut program)) == 1);
    let bytes = |block: &Block| of_channel(block, "B.CLIENTS", "channel_bytes")[1];
    let before = bytes(&figures(&mut program));
    assert!(before > 0, "its login came in bytes");
    drop(first);
    eventually("it is over", || running(&figures(&mut program)) == 0);
    assert!(bytes(&figures(&mut program)) >= before, "what it counted stays");

    let queue = open(&mut program, "X", OpenOptions::OUTPUT);
    put(&mut program, queue, b"m", Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
    command(&mut program, "START CHANNEL(A.ABSENT)");
    let verdict = |block: &Block| block.checks.iter().find(|check| check.name == "channels").unwrap().clone();
    eventually("a channel that retries with a message is a warning", || {
        let block = figures(&mut program);
        of_channel(&block, "A.ABSENT", "channel_status")[2] == 1
            && verdict(&block).verdict == Verdict::Warning
    });
    let block = figures(&mut program);
    assert_eq!(of_channel(&block, "A.ABSENT", "channel_waiting"), [1]);
    assert!(of_channel(&block, "A.ABSENT", "channel_retries")[0] >= 1);
    assert!(verdict(&block).words.contains("1 retrying while messages wait"), "{:?}", verdict(&block));
    command(&mut program, "STOP CHANNEL(A.ABSENT)");
    eventually("a stop by command is well", || {
        let block = figures(&mut program);
        of_channel(&block, "A.ABSENT", "channel_status")[3] == 1 && verdict(&block).verdict == Verdict::Well
    });
    command(&mut program, "ALTER CHANNEL(A.ABSENT) CHLTYPE(SDR) CONNAME('127.0.0.1(0)') ");
    let _ = program.command("START CHANNEL(A.ABSENT)").unwrap();
    command(&mut program, "DELETE CHANNEL(C.IN)");
    eventually("a series ends with its definition", || {
        figures(&mut program).channels.iter().map(|channel| channel.name.clone()).collect::<Vec<_>>()
            == ["A.ABSENT", "B.CLIENTS", "Z.BEYOND"]
    });
}

/// A message that is not durable is not told, and what was told before stays with its time.
#[test]
fn figures_wait_for_the_log_and_the_last_ones_are_told_meanwhile() {
    let place = Place::new();
    let pace = Arc::<Pace>::default();
    let disk = SlowDisk { disk: Arc::new(OsDisk::at(place.folder())), watch: Arc::clone(&pace) };
    let server = Server::start(&Options { disk: Some(Arc::new(disk)), ..options(&place) }).unwrap();
    let mut asker = connect(&address(&server));
    command(&mut asker, "DEFINE QLOCAL(P)");
    let before = figures(&mut asker);
    assert_eq!(of_queue(&before, "P", "queue_depth"), 0);
    let mut putter = connect(&address(&server));
    let queue = open(&mut putter, "P", OpenOptions::OUTPUT);
    pace.stall(true);
    let waiting = std::thread::spawn(move || {
        put(&mut putter, queue, b"p", Persistence::Persistent, PutFlags::SYNC_RESPONSE).unwrap();
    });
    eventually("a write is held", || pace.holds());
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(3) {
        let told = server.figures();
        let told = Block::decode(&told).expect("the last figures");
        assert_eq!(of_queue(&told, "P", "queue_depth"), 0, "it is not durable");
        std::thread::sleep(Duration::from_millis(50));
    }
    pace.stall(false);
    waiting.join().unwrap();
    eventually("it is told", || of_queue(&figures(&mut asker), "P", "queue_depth") == 1);
}
