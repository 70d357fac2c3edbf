//! A server in a process of its own, killed and told to end. The process is this test program again, running the
//! test `serve` below.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs};
use rustix::process::{Pid, Signal, kill_process};
use server::{DataDirectory, Server, instances};

use crate::running::{Place, command, connect, eventually, get, open, put};

const DATA: &str = "FERRY_TEST_DATA";

/// The child: runs QM1 of the directory named by the environment until it is told to end.
#[test]
#[ignore = "run in processes of their own by the tests below"]
fn serve() {
    let data = DataDirectory::at(std::env::var_os(DATA).unwrap());
    let options = server::Options {
        addresses: Some(vec!["127.0.0.1:0".parse().unwrap()]),
        ends_process: true,
        ..server::Options::new(data, "QM1".parse().unwrap())
    };
    let server = Server::start(&options).unwrap();
    let say = |server: &Server| println!("\nlistens {}", server.address().unwrap());
    server::process::run_and_say(server, say).unwrap();
}

struct Process {
    child: Child,
    address: String,
    /// Kept, or the child could not say how it ended.
    _says: Lines<BufReader<ChildStdout>>,
}

impl Process {
    fn start(place: &Place) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "processes::serve", "--nocapture", "--test-threads=1"])
            .env(DATA, place.data.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut says = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = says
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("listens ").map(str::to_owned))
            .expect("the server says where it listens");
        Self { child, address, _says: says }
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn ends_within(&mut self, limit: Duration) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + limit;
        while Instant::now() < until {
            if let Some(status) = self.child.try_wait().unwrap() {
                return Some(status);
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        None
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    let place = Place::new();
    let mut acknowledged = Vec::new();
    let mut got = Vec::new();
    for round in 0..5_u8 {
        let mut process = Process::start(&place);
        let mut connection = connect(&process.address);
        if round == 0 {
            command(&mut connection, "DEFINE QLOCAL(Q) MAXDEPTH(100000)");
        }
        let mut getter = connect(&process.address);
        let from = open(&mut getter, "Q", OpenOptions::INPUT_SHARED);
        for _ in 0..acknowledged.len() / 2 {
            got.push(get(&mut getter, from, Duration::ZERO, GetFlags::EMPTY).unwrap());
        }
        let address = process.address.clone();
        let putter = std::thread::spawn(move || {
            let mut connection = connect(&address);
            let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
            (0..=255_u8)
                .map_while(|number| {
                    let body = vec![round, number];
                    let put = put(&mut connection, to, &body, Persistence::Persistent, PutFlags::EMPTY);
                    put.ok().map(|_| body)
                })
                .collect::<Vec<_>>()
        });
        // An open unit of work that the kill must undo.
        let to = open(&mut connection, "Q", OpenOptions::OUTPUT);
        put(&mut connection, to, b"never", Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
        std::thread::sleep(Duration::from_millis(15 * u64::from(round + 1)));
        process.signal(Signal::KILL);
        process.ends_within(Duration::from_secs(5)).unwrap();
        acknowledged.extend(putter.join().unwrap());
    }
    let process = Process::start(&place);
    let mut connection = connect(&process.address);
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    while let Ok(body) = get(&mut connection, from, Duration::ZERO, GetFlags::EMPTY) {
        got.push(body);
    }
    assert!(got.is_sorted(), "in order");
    let distinct: std::collections::BTreeSet<_> = got.iter().cloned().collect();
    assert_eq!(distinct.len(), got.len(), "each once");
    // A put that was under way when the server died may be there although nobody was told.
    for body in &acknowledged {
        assert!(distinct.contains(body), "{body:?} was acknowledged and is lost");
    }
    assert!(distinct.iter().all(|body| body.len() == 2), "nothing of a unit of work that never ended");
    assert!(got.len() <= acknowledged.len() + 5, "at most one unacknowledged put for each kill");
}

#[test]
fn a_signal_quiesces_and_a_second_one_ends_at_once() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut connection = connect(&process.address);
    process.signal(Signal::TERM);
    assert!(process.ends_within(Duration::from_millis(300)).is_none(), "it waits for the program");
    assert!(connection.commit().is_ok());
    process.signal(Signal::TERM);
    let status = process.ends_within(Duration::from_secs(3)).expect("the second signal ends it");
    assert_eq!(status.code(), Some(server::process::CUT_OFF));

    let mut process = Process::start(&place);
    drop(connect(&process.address));
    process.signal(Signal::INT);
    let status = process.ends_within(Duration::from_secs(5)).expect("nobody is connected");
    assert!(status.success());
    assert!(!place.folder().join("socket").exists());
}

#[test]
fn a_second_process_on_the_same_directory_is_refused() {
    let place = Place::new();
    let process = Process::start(&place);
    let error = match Server::start(&place.options()) {
        Ok(_) => panic!("two servers on one directory"),
        Err(error) => error.to_string(),
    };
    let expected = format!("queue manager QM1 runs already, as process {}:", process.child.id());
    assert!(error.starts_with(&expected), "{error}");
    let instance = instances::find(&place.data, &place.name).unwrap();
    assert_eq!(instances::signal(&instance).unwrap(), process.child.id());
    eventually("it ends", || instances::find(&place.data, &place.name).unwrap().running.is_none());
    assert_eq!(
        instances::signal(&instances::find(&place.data, &place.name).unwrap()).unwrap_err().to_string(),
        "queue manager QM1 does not run"
    );
}

#[test]
fn a_getter_waits_across_nothing_but_its_own_server() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut connection = connect(&process.address);
    command(&mut connection, "DEFINE QLOCAL(Q)");
    let from = open(&mut connection, "Q", OpenOptions::INPUT_SHARED);
    let waiting =
        std::thread::spawn(move || get(&mut connection, from, Duration::from_secs(30), GetFlags::EMPTY));
    std::thread::sleep(Duration::from_millis(100));
    process.signal(Signal::KILL);
    process.ends_within(Duration::from_secs(5)).unwrap();
    assert_eq!(waiting.join().unwrap(), Err(Reason::CONNECTION_BROKEN));
}
