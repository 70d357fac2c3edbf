//! The acceptance test of the spine: the server is killed again and again under load, and nothing that was
//! acknowledged is lost, doubled, torn or out of order.
//!
//! Four processes put persistent messages of 2 KB in units of work of 50, four others get them in units of
//! work, and this one kills the server with SIGKILL at random moments and starts it again on the same
//! directory. The clients connect again by themselves. Every process writes what it asked and was told; the
//! checker of `sim` judges.
//!
//! Beside them programs put and get outside units of work, each get waiting for its message: what they put
//! goes from hand to hand without the log, and half of those who get are killed on the way, too.
//!
//! A kill proves nothing about flushes: the page cache survives it. The power-cut rig of `sim` does.
//!
//! `FERRY_KILL_NINE_MESSAGES`, `FERRY_KILL_NINE_KILLS` and `FERRY_KILL_NINE_SEED` set the size and the
//! moments; `FERRY_KILL_NINE=full` is 100,000 messages and 20 kills.

mod moments;
pub(crate) mod worker;

use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use platform::os::OsClock;
use platform::simulated::Random;
use platform::{Clock as _, Entropy as _};
use testing::history::{self, Recorder};

use crate::support::{Ferry, Server};
use worker::{Order, Role};

const NAME: &str = "KILL9";
pub(crate) const QUEUE: &str = "KILL.NINE";
/// Putters come first.
const IN_UNITS: [(Role, u32); 2] = [(Role::Putter, 4), (Role::Getter, 4)];
/// More who wait than there are to put, so that most often somebody waits.
const BY_HAND: [(Role, u32); 2] = [(Role::Sender, 4), (Role::Taker, 8)];
pub(crate) const MESSAGE_BYTES: usize = 2048;
const UNIT_MESSAGES: u64 = 50;

/// The run takes seconds, with 100,000 messages and 20 kills most of a minute; what takes longer than this
/// hangs.
const PATIENCE: Duration = Duration::from_secs(400);

struct Size {
    messages: u64,
    kills: u64,
    seed: u64,
}

impl Size {
    fn of_environment() -> Self {
        let variable = |name: &str| std::env::var(name).ok();
        let number =
            |name: &str| variable(name).map(|text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")));
        let full = variable("FERRY_KILL_NINE").is_some_and(|value| value == "full");
        let (messages, kills) = if full { (100_000, 20) } else { (8_000, 4) };
        let random = || {
            let mut bytes = [0; 8];
            platform::os::OsEntropy.fill(&mut bytes);
            u64::from_le_bytes(bytes)
        };
        Self {
            messages: number("FERRY_KILL_NINE_MESSAGES").unwrap_or(messages),
            kills: number("FERRY_KILL_NINE_KILLS").unwrap_or(kills),
            seed: number("FERRY_KILL_NINE_SEED").unwrap_or_else(random),
        }
    }
}

#[test]
fn nothing_acknowledged_is_lost_doubled_or_out_of_order_however_often_the_server_is_killed() {
    let size = Size::of_environment();
    println!("{} messages, {} kills, FERRY_KILL_NINE_SEED={}", size.messages, size.kills, size.seed);
    let mut run = Run::begin();
    let mut random = Random::new(size.seed);
    let mut kills = Vec::new();
    run.start_workers(&IN_UNITS, size.messages);
    // A random moment in each kill's share of the run, early enough that all putters are still at work.
    let share = size.messages * 9 / 10 / size.kills.max(1);
    for number in 0..size.kills {
        run.wait_until_put(share * number + random.below(share));
        kills.push(run.kill_and_restart());
    }
    let histories = run.end();
    judge(&histories, &kills, &size);
}

#[test]
fn what_goes_from_hand_to_hand_is_not_lost_however_often_server_and_getters_are_killed() {
    let size = Size::of_environment();
    let messages = size.messages / 4;
    println!("{messages} messages, {} kills, FERRY_KILL_NINE_SEED={}", size.kills, size.seed);
    let mut run = Run::begin();
    let mut random = Random::new(size.seed);
    run.start_workers(&BY_HAND, messages);
    let share = messages * 9 / 10 / size.kills.max(1);
    let mut by_hand = HandOvers::default();
    for number in 0..size.kills {
        run.wait_until_put(share * number + random.below(share));
        by_hand += run.hand_overs();
        if number < u64::from(BY_HAND[1].1 / 2) {
            run.kill_getter(0);
        }
        run.kill_and_restart();
    }
    run.wait_until_all_is_put();
    by_hand += run.hand_overs();
    let histories = run.end();
    let verdict = history::check(&history::read_lines(&histories).expect("the histories can be read"));
    println!("{verdict}; {by_hand:?}");
    let place = histories[0].parent().expect("a directory");
    assert!(verdict.is_clean(), "histories are in {}:\n{verdict}", place.display());
    assert!(verdict.acknowledged >= messages, "{verdict}");
    assert!(by_hand.handed_over > 0, "nothing was handed over");
    // A get outside units of work whose answer is lost takes its message with it: one for each that was cut
    // off.
    let taken = (verdict.acknowledged + verdict.recovered).saturating_sub(verdict.delivered);
    assert!(taken <= verdict.unknown, "{taken} messages are gone: {verdict}");
    std::fs::remove_dir_all(place).expect("histories can be removed");
}

/// Number of messages that were handed over, and of those on their way that went to the log after all.
#[derive(Clone, Copy, Debug, Default)]
struct HandOvers {
    handed_over: u64,
    taken_back: u64,
}

impl AddAssign for HandOvers {
    fn add_assign(&mut self, more: Self) {
        self.handed_over += more.handed_over;
        self.taken_back += more.taken_back;
    }
}

/// A run under way.
struct Run {
    ferry: Ferry,
    server: Option<Server>,
    port: u16,
    workers: Vec<Child>,
    /// Number of them that put.
    putters: usize,
    histories: Vec<PathBuf>,
    recorder: Recorder,
    begun: Instant,
}

impl Run {
    fn begin() -> Self {
        let ferry = Ferry::new();
        ferry.ok(&["qmgr", "create", NAME, "--port", "0"]);
        let server = ferry.start(&["qmgr", "start", NAME]);
        ferry.ok(&["mqsc", "-e", &format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(999999999) DEFPSIST(YES)")]);
        let history = ferry.data().join("parent.history");
        let recorder = Recorder::to_file(1000, Arc::new(OsClock), &history).expect("a history");
        let port = server.port();
        Self {
            ferry,
            server: Some(server),
            port,
            workers: Vec::new(),
            putters: 0,
            histories: vec![history],
            recorder,
            begun: Instant::now(),
        }
    }

    /// Half of the clients come by TCP, half by the local socket.
    fn start_workers(&mut self, workers: &[(Role, u32); 2], messages: u64) {
        let putters = workers[0].1;
        self.putters = putters as usize;
        let roles = workers.iter().flat_map(|(role, count)| (0..*count).map(|_| *role));
        for (role, number) in roles.zip(0..) {
            let history = self.ferry.data().join(format!("{number}.history"));
            let address = match number % 2 {
                0 => format!("127.0.0.1:{}", self.port),
                _ => format!("unix:{}", self.ferry.data().join(NAME).join("socket").display()),
            };
            let order = Order {
                role,
                number,
                address,
                history: history.clone(),
                messages: messages / u64::from(putters),
                putters_done: self.putters_done(),
            };
            self.histories.push(history);
            self.workers.push(start_worker(&order));
        }
    }

    fn putters_done(&self) -> PathBuf {
        self.ferry.data().join("putters-done")
    }

    /// Waits until about so many puts were asked for, as the length of the putters' histories tells.
    fn wait_until_put(&mut self, puts: u64) {
        loop {
            self.watch();
            let lines: u64 = self.histories[1..=self.putters].iter().map(|path| puts_in(path)).sum();
            if lines >= puts {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Kills one of those who get; whatever was on its way to it has had an unknown end.
    fn kill_getter(&mut self, place: usize) {
        let mut worker = self.workers.remove(self.putters + place);
        worker.kill().expect("it runs until its work is done");
        worker.wait().expect("a child");
    }

    fn wait_until_all_is_put(&mut self) {
        wait_for(&mut self.workers[..self.putters], self.begun);
    }

    /// Since the server was started.
    fn hand_overs(&self) -> HandOvers {
        let options = client::Options::to(format!("127.0.0.1:{}", self.port).parse().expect("an address"));
        let mut connection = client::Connection::connect(options).expect("the queue manager runs");
        let statistics = connection.statistics().expect("statistics");
        // One that nobody has used since is not told of.
        let queue = statistics.queues.iter().find(|queue| queue.name == QUEUE);
        let count = |name| {
            let counters = queue.map_or(&[][..], |queue| &queue.counters);
            counters.iter().find(|counter| counter.name == name).map_or(0, |counter| counter.value)
        };
        HandOvers { handed_over: count("handed_over"), taken_back: count("taken_back") }
    }

    /// The moment of the kill.
    fn kill_and_restart(&mut self) -> u64 {
        let at = OsClock.now().0;
        self.server.take().expect("it runs").kill();
        self.wait_until_workers_know();
        self.recorder.restart();
        let port = self.port.to_string();
        self.server = Some(self.ferry.start(&["qmgr", "start", NAME, "--port", &port]));
        at
    }

    /// An answer the killed server had sent may still lie in a client's socket. It counts as one from before
    /// the restart, so the restart is noted only when every client has been seen asleep: with the other side
    /// dead no read sleeps, so a client that does has taken everything and waits to connect again.
    fn wait_until_workers_know(&mut self) {
        for worker in &self.workers {
            while is_busy(worker.id()) {
                assert!(self.begun.elapsed() < PATIENCE, "a client neither sleeps nor ends");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Waits for the workers; the histories.
    fn end(mut self) -> Vec<PathBuf> {
        let (putters, getters) = self.workers.split_at_mut(self.putters);
        let begun = self.begun;
        wait_for(putters, begun);
        std::fs::write(self.ferry.data().join("putters-done"), "").expect("a file");
        wait_for(getters, begun);
        let said = self.ferry.run(&["get", QUEUE, "--wait", "0"]);
        assert_eq!(said.code, 5, "the queue is not empty at the end: {}{}", said.stdout.len(), said.stderr);
        self.recorder.drained(QUEUE);
        println!("ran for {:.1} s", begun.elapsed().as_secs_f64());
        // Kept until they are judged, apart from those of a test beside this one; the directory goes with the
        // queue manager.
        let kept = tempfile::Builder::new().prefix("ferry-kill-nine-").tempdir().expect("a directory").keep();
        let moved = self.histories.iter().map(|path| {
            let copy = kept.join(path.file_name().expect("a name"));
            std::fs::copy(path, &copy).expect("a copy");
            copy
        });
        moved.collect()
    }

    fn watch(&mut self) {
        assert!(self.begun.elapsed() < PATIENCE, "the run hangs");
        for worker in &mut self.workers {
            if let Some(status) = worker.try_wait().expect("a child") {
                assert!(status.success(), "a client failed: {status}");
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        for worker in &mut self.workers {
            // Most have ended.
            let _ = worker.kill();
            let _ = worker.wait();
        }
    }
}

pub(crate) fn wait_for(workers: &mut [Child], begun: Instant) {
    for worker in workers {
        let status = loop {
            if let Some(status) = worker.try_wait().expect("a child") {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "the run hangs");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "a client failed: {status}");
    }
}

/// This test program again, as a client.
pub(crate) fn start_worker(order: &Order) -> Child {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["kill_nine::worker::client", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env(worker::VARIABLE, serde_json::to_string(order).expect("plain fields"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("this program runs")
}

/// True if a process has a thread that runs or could.
fn is_busy(pid: u32) -> bool {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else { return false };
    tasks.flatten().any(|task| {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        // The state follows the name in brackets.
        matches!(stat.rsplit_once(')').map(|(_, rest)| rest.trim_start().as_bytes()), Some([b'R' | b'D', ..]))
    })
}

/// Puts a history asks for so far: a line for each put, one for its answer, two for each unit.
fn puts_in(path: &Path) -> u64 {
    /// Bytes a put takes in a history with its answer and its share of the commit, measured.
    const BYTES_PER_PUT: u64 = 232;
    std::fs::metadata(path).map_or(0, |file| file.len() / BYTES_PER_PUT)
}

fn judge(histories: &[PathBuf], kills: &[u64], size: &Size) {
    let events = history::read_lines(histories).expect("the histories can be read");
    let verdict = history::check(&events);
    println!("{verdict}");
    for (number, at) in kills.iter().enumerate() {
        let moment = moments::at(&events, *at);
        println!("kill {}: {moment:?}", number + 1);
        assert!(moment.open_units >= 1, "kill {} fell on no open unit of work", number + 1);
        assert!(moment.unacknowledged_puts >= 2, "kill {} fell on fewer than two open puts", number + 1);
    }
    assert!(
        verdict.is_clean(),
        "histories are in {}:\n{verdict}",
        histories[0].parent().expect("a directory").display()
    );
    assert!(verdict.acknowledged >= size.messages, "{verdict}");
    assert_eq!(verdict.delivered, verdict.acknowledged + verdict.recovered, "{verdict}");
    std::fs::remove_dir_all(histories[0].parent().expect("a directory")).expect("histories can be removed");
}
