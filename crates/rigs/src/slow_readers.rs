//! R16: a hundred subscribers, of which thirty stand still while a gibibyte is published for them, in 256
//! MiB.
//!
//! The queue manager is not ended for its memory, the other seventy are served at nine tenths of the rate at
//! least, and those that stood still are given everything, in order, once they go on.
//!
//! Always: the rate to all is measured before and after, so that a machine that does other things as well
//! slows both sides of the comparison.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, PutFlags,
    PutOptions, SubscribeOptions, SubscriptionDescriptor, Verbs as _, Wait,
};
use rustix::process::Signal;

use super::full::lives;
use super::groups::{Bound, Group};
use super::installation::{Broken, Installation, Running, connect_alone};
use super::looks::{memory_bytes, signal, wait_until};
use super::outcome::Lack;
use super::{Outcome, Size};

const SUBSCRIBERS: usize = 100;
const STILL: usize = 30;
const MEMORY_BYTES: u64 = 256 << 20;
const BACKLOG_BYTES: u64 = 1 << 30;
const BODY_BYTES: usize = 32 << 10;
/// Rounds: one that all read, one with readers that stand still, one that all read.
const ROUNDS: u64 = 3;
/// Publications of a round: what stands still for thirty is a gibibyte.
const PUBLICATIONS: u64 = BACKLOG_BYTES / (BODY_BYTES * STILL) as u64 + 1;
/// The least part of the rate that the others have when nobody stands still.
const SHARE_MIN: f64 = 0.9;
/// A publication comes within this, and everything that was missed.
const NEXT_MAX: Duration = Duration::from_secs(60);
const ALL_MAX: Duration = Duration::from_secs(300);
const TOPIC: &str = "torture/readers";

/// Has subscribers stand still, as often as there are cases.
#[must_use]
pub fn subscribers(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        outcome.tried("slow readers", run(ferry, &folder.join(format!("case-{case}"))));
    }
    outcome
}

fn run(ferry: &Path, place: &Path) -> Result<String, Lack> {
    let group = Group::new("readers", Bound::Memory, MEMORY_BYTES).map_err(Lack::OfMachine)?;
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let started = installation.start_by(installation.start_command_under("sh", &group.joining()));
    let mut server = started.map_err(|ended| ended.said)?;
    let readers: Vec<Reader> =
        (STILL..SUBSCRIBERS).map(|_| Reader::subscribe(server.port())).collect::<Result<_, _>>()?;
    let programs: Vec<SlowReader> =
        (0..STILL).map(|_| SlowReader::start(&installation, &server)).collect::<Result<_, _>>()?;
    let mut publisher = Publisher::connect(&server)?;
    publisher.wait_for(&programs)?;
    let (readers, read_before) = round(&mut publisher, readers)?;
    for program in &programs {
        signal(program.child.id(), Signal::STOP)?;
    }
    let done = round(&mut publisher, readers);
    let memory = memory_bytes(server.process());
    // Whatever came of it, none is left standing.
    let going: Result<Vec<()>, Broken> =
        programs.iter().map(|program| signal(program.child.id(), Signal::CONT)).collect();
    let (readers, some_read) = done?;
    let memory = memory?;
    going?;
    lives(&mut server, "while subscribers stood still")?;
    let has_all = |program: &SlowReader| program.seen.load(Ordering::Relaxed) == publisher.published;
    let caught_up =
        wait_until("those that stood still have caught up", ALL_MAX, || programs.iter().all(has_all))?;
    lives(&mut server, "while subscribers caught up")?;
    let (readers, read_after) = round(&mut publisher, readers)?;
    drop(readers);
    let until = Instant::now() + ALL_MAX;
    for program in programs {
        program.end(publisher.published, until)?;
    }
    server.kill();
    let all_read = f64::midpoint(read_before, read_after);
    let told = format!(
        "{:.0} and {:.0} publications a second to all, {:.0} to {} of them beside {STILL} that stood still, {} MiB of \
         memory then; all {} came to those within {caught_up:.1?}",
        read_before,
        read_after,
        some_read,
        SUBSCRIBERS - STILL,
        memory >> 20,
        publisher.published
    );
    if some_read < SHARE_MIN * all_read { Err(Lack::Broken(told)) } else { Ok(told) }
}

/// Publishes, and waits until the readers have all of it: publications in a second.
fn round(publisher: &mut Publisher, readers: Vec<Reader>) -> Result<(Vec<Reader>, f64), Broken> {
    let begun = Instant::now();
    let reading: Vec<_> =
        readers.into_iter().map(|reader| thread::spawn(move || reader.read(PUBLICATIONS))).collect();
    for _ in 0..PUBLICATIONS {
        publisher.publish()?;
    }
    let mut readers = Vec::new();
    for reader in reading {
        readers.push(reader.join().map_err(|_| "a reader panicked".to_owned())??);
    }
    Ok((readers, PUBLICATIONS as f64 / begun.elapsed().as_secs_f64()))
}

struct Publisher {
    connection: client::Connection,
    handle: ObjectHandle,
    published: u64,
}

impl Publisher {
    fn connect(server: &Running) -> Result<Self, Broken> {
        let mut connection = connect_alone(server.port(), "publishes")?;
        let opened = connection.open(&ObjectDescriptor::topic(TOPIC), OpenOptions::OUTPUT);
        let handle = opened.map_err(|reason| format!("open {TOPIC}: {reason}"))?.handle;
        Ok(Self { connection, handle, published: 0 })
    }

    /// Waits until the programs have subscribed.
    fn wait_for(&mut self, programs: &[SlowReader]) -> Result<(), Broken> {
        let command = format!("DISPLAY SUB(*) WHERE(TOPICSTR EQ '{TOPIC}')");
        let begun = Instant::now();
        loop {
            let text = super::load::command(&mut self.connection, &command)?;
            if text.matches("TOPICSTR(").count() >= SUBSCRIBERS {
                return Ok(());
            }
            if begun.elapsed() > NEXT_MAX {
                return Err(format!("{} programs have not subscribed:\n{text}", programs.len()));
            }
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// Publishes the next: its number, and blanks.
    fn publish(&mut self) -> Result<(), Broken> {
        let body = format!("{:<BODY_BYTES$}", self.published + 1);
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put =
            self.connection.put(self.handle, &mut MessageDescriptor::default(), &mut options, body.into());
        put.map_err(|reason| format!("publication {}: {reason}", self.published + 1))?;
        self.published += 1;
        Ok(())
    }
}

/// A subscriber that is a thread of this process.
struct Reader {
    connection: client::Connection,
    queue: ObjectHandle,
    seen: u64,
}

impl Reader {
    fn subscribe(port: u16) -> Result<Self, Broken> {
        let mut connection = connect_alone(port, "reads")?;
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let subscribed = connection.subscribe(&SubscriptionDescriptor::to(TOPIC, options), None);
        let subscribed = subscribed.map_err(|reason| format!("subscribe: {reason}"))?;
        let queue = subscribed.queue.ok_or("a subscription has no queue")?;
        Ok(Self { connection, queue, seen: 0 })
    }

    fn read(mut self, count: u64) -> Result<Self, Broken> {
        for _ in 0..count {
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::from(NEXT_MAX));
            let got = self.connection.get(
                self.queue,
                &mut MessageDescriptor::default(),
                &mut options,
                2 * BODY_BYTES,
            );
            let got = got.map_err(|reason| format!("publication {}: {reason}", self.seen + 1))?;
            self.seen = expect(self.seen, std::str::from_utf8(&got.body).unwrap_or_default())?;
        }
        Ok(self)
    }
}

/// The number of the next publication, which must be the one after the last.
fn expect(seen: u64, body: &str) -> Result<u64, Broken> {
    match body.trim().parse() {
        Ok(number) if number == seen + 1 => Ok(number),
        other => Err(format!("after publication {seen} comes {other:?}")),
    }
}

/// A subscriber that is a program of its own, which ends after all publications, and the last that it
/// printed.
struct SlowReader {
    child: Child,
    /// The last publication that it printed.
    seen: Arc<AtomicU64>,
    printed: Option<thread::JoinHandle<Result<u64, Broken>>>,
}

impl SlowReader {
    fn start(installation: &Installation, server: &Running) -> Result<Self, Broken> {
        let (address, count) = (format!("127.0.0.1:{}", server.port()), (ROUNDS * PUBLICATIONS).to_string());
        let mut command = installation.command(&["sub", TOPIC, "--count", &count, "--connect", &address]);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut child = child.map_err(|error| format!("ferry sub: {error}"))?;
        let output = BufReader::with_capacity(2 * BODY_BYTES, child.stdout.take().expect("it is piped"));
        let last = Arc::<AtomicU64>::default();
        let tells = Arc::clone(&last);
        let printed = thread::spawn(move || {
            let mut seen = 0;
            for line in output.lines() {
                seen = expect(seen, &line.map_err(|error| error.to_string())?)?;
                tells.store(seen, Ordering::Relaxed);
            }
            Ok(seen)
        });
        Ok(Self { child, seen: last, printed: Some(printed) })
    }

    /// Waits until it has printed everything there was and ended.
    fn end(mut self, published: u64, until: Instant) -> Result<(), Broken> {
        while self.child.try_wait().is_ok_and(|status| status.is_none()) && Instant::now() < until {
            thread::sleep(Duration::from_millis(100));
        }
        // One that has not ended by now is cut off, and printed less.
        let _ = self.child.kill();
        let printed = self.printed.take().expect("it is taken once");
        let seen = printed.join().map_err(|_| "the reader of a program panicked".to_owned())??;
        if seen == published { Ok(()) } else { Err(format!("a program was given {seen} of {published}")) }
    }
}

impl Drop for SlowReader {
    fn drop(&mut self) {
        // It may have ended; one that stands still ends all the same.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publications_that_are_missing_doubled_or_out_of_order_are_seen() {
        assert_eq!(expect(4, "5      "), Ok(5));
        for body in ["6", "4", "3", "", "x"] {
            assert!(expect(4, body).is_err(), "{body}");
        }
        assert!(PUBLICATIONS * (STILL * BODY_BYTES) as u64 >= BACKLOG_BYTES);
    }
}
