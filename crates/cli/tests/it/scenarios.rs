//! Every scenario, by programs over a channel, against a queue manager in a process of its own that is really killed; and
//! those whose work is the program's own side over a Unix socket and in the queue manager's process.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::{Address, Connection, Options};
use mqi::{AccountingChoice, QueueManagerName, Reason};
use scenario::{
    Actors as _, Installation, Programs, Reply, Scenario, Step, StepKind, parse, read_folder, run,
};
use server::embedded::{self, QueueManager};
use server::{DataDirectory, Mode, instances};

use crate::support::{Ferry, Server, signal};

/// A queue manager in a process, reached over TCP.
struct Process {
    ferry: Ferry,
    server: Option<Server>,
    quiesces: bool,
}

impl Process {
    fn new() -> Self {
        let ferry = Ferry::new();
        let server = Some(ferry.dev());
        Self { ferry, server, quiesces: false }
    }

    fn connection(&self, application: &str, accounting: AccountingChoice) -> Result<Connection, Reason> {
        let port = self.server.as_ref().expect("the queue manager runs between steps").port();
        connect(format!("127.0.0.1:{port}").parse().expect("an address"), application, accounting)
    }
}

fn connect(address: Address, application: &str, accounting: AccountingChoice) -> Result<Connection, Reason> {
    let options = Options::to(address).application(application).accounting(accounting);
    Connection::connect(options).map_err(|error| error.reason())
}

fn execute(connection: Result<Connection, Reason>, text: &str) -> (String, bool) {
    let response = connection.expect("a connection").command(text).expect("an answer");
    (response.text, !response.failed)
}

/// Waits until connections are refused.
fn refuses(connection: impl Fn() -> Result<Connection, Reason>) {
    while connection().is_ok() {
        thread::sleep(Duration::from_millis(5));
    }
}

impl Installation for Process {
    type Connection = Connection;

    fn connect(&mut self, client: &str, accounting: AccountingChoice) -> Result<Connection, Reason> {
        self.connection(client, accounting)
    }

    fn command(&mut self, text: &str) -> (String, bool) {
        execute(self.connection("commands", AccountingChoice::default()), text)
    }

    fn quiesce(&mut self) {
        self.ferry.ok(&["stop", "--no-wait"]);
        self.quiesces = true;
        refuses(|| self.connection("late", AccountingChoice::default()));
    }

    fn restart(&mut self, in_order: bool) {
        let server = self.server.take().expect("the queue manager runs between steps");
        if in_order {
            // One that quiesces ends by itself when its last client has gone.
            let said = self.ferry.run(&["stop", "--immediate"]);
            let is_told = said.code == 0 || self.quiesces && said.stderr.contains("no queue manager runs");
            assert!(is_told, "{}", said.stderr);
            assert_eq!(server.wait(), 0, "an end in order");
        } else {
            server.kill();
        }
        (self.server, self.quiesces) = (Some(self.ferry.dev()), false);
    }
}

/// A queue manager in this process, which programs open themselves.
struct Embedded {
    data: tempfile::TempDir,
    queue_manager: Option<QueueManager>,
}

impl Embedded {
    fn new() -> Self {
        let mut this = Self { data: tempfile::tempdir().expect("a folder"), queue_manager: None };
        this.open();
        this
    }

    fn open(&mut self) {
        let opened = QueueManager::open(self.data.path(), &name());
        self.queue_manager = Some(opened.expect("the queue manager opens"));
    }

    fn manager(&self) -> &QueueManager {
        self.queue_manager.as_ref().expect("the queue manager runs between steps")
    }
}

impl Installation for Embedded {
    type Connection = embedded::Connection;

    fn connect(
        &mut self,
        client: &str,
        accounting: AccountingChoice,
    ) -> Result<embedded::Connection, Reason> {
        self.manager().connect_choosing(client, accounting)
    }

    fn command(&mut self, text: &str) -> (String, bool) {
        match self.manager().command(text) {
            Ok(answers) => {
                let text: String = answers.iter().map(ToString::to_string).collect();
                (text, answers.iter().all(objects::Response::is_ok))
            }
            Err(error) => (format!("{}: {error}", objects::messages::SYNTAX_ERROR.id()), false),
        }
    }

    fn quiesce(&mut self) {
        panic!("who has it in the process ends it, and waits for the end");
    }

    fn restart(&mut self, in_order: bool) {
        assert!(in_order, "this process cannot be killed");
        self.queue_manager.take().expect("it runs").close(Mode::Immediate);
        self.open();
    }
}

/// A queue manager that is reached over its Unix socket only.
struct Socket {
    data: tempfile::TempDir,
    server: Option<server::Server>,
}

impl Socket {
    fn new() -> Self {
        let mut this = Self { data: tempfile::tempdir().expect("a folder"), server: None };
        instances::create(&this.directory(), &name(), None).expect("a new queue manager");
        this.start();
        this
    }

    fn directory(&self) -> DataDirectory {
        DataDirectory::at(self.data.path())
    }

    fn start(&mut self) {
        let mut options = server::Options::new(self.directory(), name());
        (options.addresses, options.local_socket) = (Some(Vec::new()), Some(true));
        self.server = Some(server::Server::start(&options).expect("the queue manager starts"));
    }

    fn connection(&self, application: &str, accounting: AccountingChoice) -> Result<Connection, Reason> {
        connect(Address::Unix(self.directory().folder(&name()).socket()), application, accounting)
    }
}

impl Installation for Socket {
    type Connection = Connection;

    fn connect(&mut self, client: &str, accounting: AccountingChoice) -> Result<Connection, Reason> {
        self.connection(client, accounting)
    }

    fn command(&mut self, text: &str) -> (String, bool) {
        execute(self.connection("commands", AccountingChoice::default()), text)
    }

    fn quiesce(&mut self) {
        self.server.as_ref().expect("it runs").stop(Mode::Quiesce);
        refuses(|| self.connection("late", AccountingChoice::default()));
    }

    fn restart(&mut self, in_order: bool) {
        assert!(in_order, "this process cannot be killed");
        let server = self.server.take().expect("it runs");
        server.stop(Mode::Immediate);
        server.wait();
        self.start();
    }
}

fn name() -> QueueManagerName {
    "QM1".parse().expect("a name")
}

/// Scenarios that run at a time beside those that wait long: most of one is waiting for processes to begin
/// and time to pass.
const AT_A_TIME: usize = 4;

/// Waits from which a scenario runs beside the others: the longest waits take a minute, and all of them
/// together four.
const WAITS_LONG: Duration = Duration::from_secs(5);

/// Time that a scenario lets pass.
fn waits(scenario: &Scenario) -> Duration {
    let of_step = |step: &Step| if let StepKind::Pass(time) = step.kind { time } else { Duration::ZERO };
    scenario.steps.iter().map(of_step).sum()
}

fn hold<I: Installation>(chosen: impl Fn(&str) -> bool, new: impl Fn() -> I + Sync) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut scenarios = read_folder(&folder).expect("the scenarios");
    scenarios.retain(|(file, _)| chosen(file));
    // Those that wait begin first, and end while the others are run.
    scenarios.sort_by_key(|(_, scenario)| Reverse(waits(scenario)));
    let waiting = scenarios.iter().take_while(|(_, scenario)| waits(scenario) >= WAITS_LONG).count();
    let next = AtomicUsize::new(0);
    let failures_of = |most: usize| {
        let mut failures = Vec::new();
        for _ in 0..most {
            let Some((file, scenario)) = scenarios.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            if let Err(failure) = run(scenario, &mut Programs::on(new())) {
                failures.push(format!("{file}, {failure}"));
            }
        }
        failures
    };
    let failures: Vec<String> = thread::scope(|scope| {
        let for_one = (0..waiting).map(|_| 1);
        let all = for_one.chain([usize::MAX; AT_A_TIME]);
        let threads: Vec<_> = all.map(|most| scope.spawn(move || failures_of(most))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
    });
    let count = scenarios.len();
    assert!(failures.is_empty(), "{} of {count} do not hold:\n{}", failures.len(), failures.join("\n"));
    count
}

/// Steps of coordinators, for which programs of the interface have no verb.
const OF_COORDINATORS: &str = "prepared-units.md";

#[test]
fn every_scenario_holds_over_a_channel() {
    let count = hold(|file| file != OF_COORDINATORS, Process::new);
    assert!(count >= 300, "only {count} scenarios were found");
}

/// Stops a process. The signal is for one of its threads, which stops the others when it runs next: on a busy machine they go on
/// until then.
fn stop(process: u32) {
    signal(process, "STOP");
    let runs = |task: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('T'))
    };
    let tasks = format!("/proc/{process}/task");
    while std::fs::read_dir(&tasks).expect("its threads").any(|task| task.is_ok_and(runs)) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_put_that_takes_long_is_done_when_the_next_step_is_made() {
    let scenario = parse("## T\n```mqi\none: put ORDERS \"first\" persistent\n```\n").expect("a scenario");
    let StepKind::Call { client, call } = &scenario[0].steps[0].kind else { panic!("a call") };
    let process = Process::new();
    let server = process.server.as_ref().expect("it runs").id();
    let mut programs = Programs::on(process);
    assert!(programs.command("DEFINE QLOCAL(ORDERS)").1, "a queue");
    // Its connection and its handle are there then.
    programs.call(client, call);
    stop(server);
    let (begun, stands_still) = (Instant::now(), Duration::from_millis(800));
    let goes_on = thread::spawn(move || {
        thread::sleep(stands_still);
        signal(server, "CONT");
    });
    programs.call(client, call);
    assert!(begun.elapsed() >= stands_still, "the call ended while the queue manager stood still");
    goes_on.join().expect("it ends");
    assert!(matches!(programs.outcome(client, false), Some(Reply::Done)), "it is done");
}

#[test]
fn message_handles_hold_over_a_unix_socket() {
    assert!(hold(|file| file == "properties.md", Socket::new) >= 20);
}

#[test]
fn message_handles_hold_in_the_process_of_the_queue_manager() {
    assert!(hold(|file| file == "properties.md", Embedded::new) >= 20);
}
