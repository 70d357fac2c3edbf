//! R14: an hour at seven tenths of the peak, with work of every kind, and a partner that is killed every ten
//! minutes.
//!
//! Nothing is lost, doubled or out of order; memory and open files of the queue manager stay as they are;
//! calls at the end take as long as at the beginning.
//!
//! Always: each worker knows which message comes next, so that nothing about the past is kept. Memory is
//! judged in the second half, and only of a run that is long enough for a slope.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, SubscribeOptions, SubscriptionDescriptor, Verbs as _, Wait,
};

use super::full::lives;
use super::installation::{Broken, Installation, Running, connect_alone};
use super::load::command;
use super::looks::{files, memory_bytes};
use super::{Outcome, Size};

/// The length of a run, unless it is said.
const LENGTH: Duration = Duration::from_secs(3_600);
/// A shorter run says nothing about memory.
const LENGTH_OF_SLOPE: Duration = Duration::from_secs(3_000);
/// The partner is killed so often, and twice at least.
const KILLS_EACH: Duration = Duration::from_secs(600);
/// The peak is measured for so long, and what is asked for of it, in per cent.
const PEAK: Duration = Duration::from_secs(10);
const LOAD_PERCENT: u32 = 70;
/// The time between two looks.
const LOOK: Duration = Duration::from_secs(10);
const WORKERS: u32 = 6;
/// Rounds between two messages to the partner, of one worker.
const FAR_EACH: u64 = 10;
const BODY_BYTES: usize = 1_000;
/// A message of a round comes within this, and all that is under way to the partner at the end.
const NEXT_MAX: Duration = Duration::from_secs(30);
const FAR_MAX: Duration = Duration::from_secs(180);
/// The most that memory grows in an hour, and that calls are slower at the end.
const GROWTH_MAX: f64 = (1 << 20) as f64;
const SLOWER_MAX: f64 = 1.2;
/// Bounds of the times of rounds that are told apart: each a tenth longer than the one before, from 10 us on.
const TIMES: usize = 160;

/// Soaks, as often as there are cases; each until the time that is given, or for an hour.
#[must_use]
pub fn hours(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let until = size.until.unwrap_or_else(|| Instant::now() + LENGTH);
        match run(ferry, &folder.join(format!("case-{case}")), until) {
            Ok(notes) => {
                notes.into_iter().for_each(|note| outcome.note(note));
                outcome.case("a soak", Ok(()));
            }
            Err(problem) => outcome.case("a soak", Err(problem)),
        }
    }
    outcome
}

fn run(ferry: &Path, place: &Path, until: Instant) -> Result<Vec<String>, Broken> {
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let partner = Partner::start(ferry, &place.join("partner"))?;
    let mut server = installation.start()?;
    define(&server, &partner)?;
    let shared = Arc::new(Shared::default());
    let workers: Vec<_> = (0..WORKERS)
        .map(|number| Worker::connect(&server, number, &shared))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .map(|worker| thread::spawn(move || worker.work()))
        .collect();
    thread::sleep(PEAK);
    let peak = shared.rounds.load(Ordering::Relaxed) as f64 / PEAK.as_secs_f64();
    let pace = Duration::from_secs_f64(f64::from(WORKERS) / (peak * f64::from(LOAD_PERCENT) / 100.0));
    shared.pause_nanos.store(u64::try_from(pace.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    shared.times.lock().expect("nobody panics").clear();
    let watched = watch(&server, &shared, partner, until);
    shared.ends.store(true, Ordering::Relaxed);
    let mut sent = Vec::new();
    for worker in workers {
        sent.push(worker.join().map_err(|_| "a worker panicked".to_owned())??);
    }
    let (looks, mut partner) = watched?;
    lives(&mut server, "at the end of the soak")?;
    partner.expect(&sent, FAR_MAX)?;
    server.kill();
    let rounds = shared.rounds.load(Ordering::Relaxed);
    let mut notes = vec![format!(
        "{rounds} rounds of {WORKERS} programs at {LOAD_PERCENT} % of {peak:.0} a second; {} messages to a partner \
         that was killed {} times",
        sent.iter().sum::<u64>(),
        partner.kills
    )];
    notes.extend(judge(&looks)?);
    Ok(notes)
}

/// One look at the queue manager.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    seconds: f64,
    memory_bytes: u64,
    files: u64,
    /// The time of which 99 of a hundred rounds since the last look were within.
    p99: Duration,
}

/// Looks until the end, and kills the partner now and then.
fn watch(
    server: &Running,
    shared: &Shared,
    mut partner: Partner,
    until: Instant,
) -> Result<(Vec<Look>, Partner), Broken> {
    let begun = Instant::now();
    let length = until.saturating_duration_since(begun);
    let kills_each = KILLS_EACH.min(length / 3).max(LOOK);
    let (mut looks, mut killed) = (Vec::new(), begun);
    while Instant::now() + LOOK < until {
        thread::sleep(LOOK);
        if let Some(problem) = shared.problem.lock().expect("nobody panics").clone() {
            return Err(problem);
        }
        let p99 = percentile(&std::mem::take(&mut *shared.times.lock().expect("nobody panics")), 0.99);
        looks.push(Look {
            seconds: begun.elapsed().as_secs_f64(),
            memory_bytes: memory_bytes(server.process())?,
            files: files(server.process())?,
            p99,
        });
        partner.read()?;
        if killed.elapsed() >= kills_each {
            partner.kill()?;
            killed = Instant::now();
        }
    }
    Ok((looks, partner))
}

/// Compares the end with the beginning; what is told of it.
fn judge(looks: &[Look]) -> Result<Vec<String>, Broken> {
    let third = looks.len() / 3;
    let (Some(first), Some(last)) = (looks.first(), looks.last()) else {
        return Err("the run was too short for a look".to_owned());
    };
    if third == 0 {
        return Err(format!("{} looks are too few", looks.len()));
    }
    let middle = |looks: &[Look]| {
        let mut times: Vec<Duration> = looks.iter().map(|look| look.p99).collect();
        times.sort();
        times[times.len() / 2]
    };
    let (early, late) = (middle(&looks[..third]), middle(&looks[looks.len() - third..]));
    let growth = slope(&looks[looks.len() / 2..]) * 3_600.0;
    let is_long = last.seconds >= LENGTH_OF_SLOPE.as_secs_f64();
    let told = format!(
        "memory {} MiB at the beginning and {} MiB at the end, {:.2} MiB more in an hour; files {} and {}; p99 \
         {early:.1?} and {late:.1?}",
        first.memory_bytes >> 20,
        last.memory_bytes >> 20,
        growth / GROWTH_MAX,
        first.files,
        last.files
    );
    let settled = &looks[third..];
    // A channel that comes and goes takes a socket; nothing else may be left behind.
    let grew = settled.last().map_or(0, |look| look.files).saturating_sub(settled[0].files);
    let is_slower = late.as_secs_f64() > early.as_secs_f64() * SLOWER_MAX;
    if is_long && growth > GROWTH_MAX || grew > 2 || is_slower {
        return Err(told);
    }
    let mut notes = vec![told];
    if !is_long {
        notes.push("growth of memory: not judged, the run was shorter than 50 minutes".to_owned());
    }
    Ok(notes)
}

/// Bytes a second, by least squares.
fn slope(looks: &[Look]) -> f64 {
    let count = looks.len() as f64;
    let mean = |value: fn(&Look) -> f64| looks.iter().map(value).sum::<f64>() / count;
    let (seconds, bytes) = (mean(|look| look.seconds), mean(|look| look.memory_bytes as f64));
    let part = |look: &Look| (look.seconds - seconds) * (look.memory_bytes as f64 - bytes);
    let (above, below): (f64, f64) =
        (looks.iter().map(part).sum(), looks.iter().map(|look| (look.seconds - seconds).powi(2)).sum());
    if below > 0.0 { above / below } else { 0.0 }
}

/// Counts of rounds by their time.
type Times = Vec<u32>;

fn place(time: Duration) -> usize {
    let tens = (time.as_secs_f64() / 1e-5).max(1.0);
    ((tens.ln() / 1.1_f64.ln()) as usize).min(TIMES - 1)
}

fn percentile(times: &Times, share: f64) -> Duration {
    let all: u64 = times.iter().map(|count| u64::from(*count)).sum();
    let mut sum = 0;
    for (place, count) in times.iter().enumerate() {
        sum += u64::from(*count);
        if sum > 0 && sum as f64 >= all as f64 * share {
            return Duration::from_secs_f64(1e-5 * 1.1_f64.powi(place as i32 + 1));
        }
    }
    Duration::ZERO
}

/// The things that workers and the watch share.
#[derive(Default)]
struct Shared {
    rounds: AtomicU64,
    /// The time from one round of a worker to its next.
    pause_nanos: AtomicU64,
    ends: AtomicBool,
    times: Mutex<Times>,
    problem: Mutex<Option<Broken>>,
}

/// A program that puts, gets, publishes and commits, and knows what it is given next.
struct Worker {
    connection: Connection,
    shared: Arc<Shared>,
    number: u32,
    queue: ObjectHandle,
    topic: ObjectHandle,
    subscribed: ObjectHandle,
    far: ObjectHandle,
    round: u64,
    sent: u64,
}

impl Worker {
    fn connect(server: &Running, number: u32, shared: &Arc<Shared>) -> Result<Self, Broken> {
        let mut connection = connect_alone(server.port(), "soaks")?;
        let failed = |reason| format!("worker {number}: {reason}");
        let topic = format!("soak/{number}");
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let subscribed = connection.subscribe(&SubscriptionDescriptor::to(&topic, options), None);
        let subscribed = subscribed.map_err(failed)?.queue.ok_or("a subscription has no queue")?;
        let mut open = |object: &ObjectDescriptor, options| {
            connection.open(object, options).map(|opened| opened.handle).map_err(failed)
        };
        let queue = ObjectDescriptor::queue(format!("SOAK.{number}").parse().expect("a name"));
        let queue = open(&queue, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED)?;
        let far = open(&ObjectDescriptor::queue("SOAK.FAR".parse().expect("a name")), OpenOptions::OUTPUT)?;
        let topic = open(&ObjectDescriptor::topic(topic), OpenOptions::OUTPUT)?;
        let shared = Arc::clone(shared);
        Ok(Self { connection, shared, number, queue, topic, subscribed, far, round: 0, sent: 0 })
    }

    /// Works until the end; the number of messages that went to the partner.
    fn work(mut self) -> Result<u64, Broken> {
        let mut due = Instant::now();
        while !self.shared.ends.load(Ordering::Relaxed) {
            let begun = Instant::now();
            if let Err(problem) = self.one_round() {
                let problem = format!("worker {}, round {}: {problem}", self.number, self.round);
                *self.shared.problem.lock().expect("nobody panics") = Some(problem.clone());
                return Err(problem);
            }
            self.shared.rounds.fetch_add(1, Ordering::Relaxed);
            {
                let mut times = self.shared.times.lock().expect("nobody panics");
                times.resize(TIMES, 0);
                times[place(begun.elapsed())] += 1;
            }
            let pause = self.shared.pause_nanos.load(Ordering::Relaxed);
            due = (due + Duration::from_nanos(pause)).max(begun);
            thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        Ok(self.sent)
    }

    /// A message of each kind, there and back.
    fn one_round(&mut self) -> Result<(), Broken> {
        self.round += 1;
        let round = self.round;
        self.put(self.queue, round, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT)?;
        self.get(self.queue, round, GetFlags::NO_SYNCPOINT)?;
        self.put(self.topic, round, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT)?;
        self.get(self.subscribed, round, GetFlags::NO_SYNCPOINT)?;
        self.put(self.queue, round, Persistence::Persistent, PutFlags::SYNCPOINT)?;
        if round.is_multiple_of(FAR_EACH) {
            self.put(self.far, self.sent + 1, Persistence::Persistent, PutFlags::SYNCPOINT)?;
        }
        self.connection.commit().map_err(|reason| format!("a commit: {reason}"))?;
        self.sent += u64::from(round.is_multiple_of(FAR_EACH));
        self.get(self.queue, round, GetFlags::SYNCPOINT)?;
        self.connection.commit().map_err(|reason| format!("a commit: {reason}"))
    }

    fn put(
        &mut self,
        to: ObjectHandle,
        number: u64,
        persistence: Persistence,
        flags: PutFlags,
    ) -> Result<(), Broken> {
        let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let body = format!("{} {number:<BODY_BYTES$}", self.number);
        let put = self.connection.put(to, &mut descriptor, &mut PutOptions::with(flags), body.into());
        put.map_err(|reason| format!("a put: {reason}"))
    }

    fn get(&mut self, from: ObjectHandle, number: u64, flags: GetFlags) -> Result<(), Broken> {
        let mut options = GetOptions::with(flags, Wait::from(NEXT_MAX));
        let got = self.connection.get(from, &mut MessageDescriptor::default(), &mut options, 2 * BODY_BYTES);
        let got = got.map_err(|reason| format!("a get: {reason}"))?;
        match read(&got.body) {
            Some(seen) if seen == (self.number, number) => Ok(()),
            other => Err(format!("{other:?} came instead of message {number}")),
        }
    }
}

/// The worker and the number that a body names.
fn read(body: &[u8]) -> Option<(u32, u64)> {
    let (worker, number) = std::str::from_utf8(body).ok()?.split_once(' ')?;
    Some((worker.parse().ok()?, number.trim().parse().ok()?))
}

/// The queue manager that messages go to, which is killed now and then.
struct Partner {
    installation: Installation,
    server: Option<Running>,
    port: u16,
    /// The last message of each worker that came.
    came: Vec<u64>,
    kills: u32,
}

const PARTNER: &str = "PARTNER";

impl Partner {
    fn start(ferry: &Path, data: &Path) -> Result<Self, Broken> {
        let installation = Installation::create_named(PARTNER, ferry, data, "")?;
        let server = installation.start()?;
        let mut connection = server.connect("define")?;
        command(&mut connection, "DEFINE QLOCAL(SOAK.IN) MAXDEPTH(999999999)")?;
        command(&mut connection, "DEFINE CHANNEL(TO.PARTNER) CHLTYPE(RCVR)")?;
        let port = server.port();
        Ok(Self { installation, server: Some(server), port, came: vec![0; WORKERS as usize], kills: 0 })
    }

    fn running(&self) -> Result<&Running, Broken> {
        self.server.as_ref().ok_or_else(|| "the partner is gone".to_owned())
    }

    /// Gets everything that has come; the messages of each worker come in order, once each.
    fn read(&mut self) -> Result<(), Broken> {
        let mut connection = self.running()?.connect("reads")?;
        let queue = ObjectDescriptor::queue("SOAK.IN".parse().expect("a name"));
        let opened = connection.open(&queue, OpenOptions::INPUT_SHARED);
        let queue = opened.map_err(|reason| format!("the partner's queue: {reason}"))?.handle;
        loop {
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            match connection.get(queue, &mut MessageDescriptor::default(), &mut options, 2 * BODY_BYTES) {
                Ok(got) => {
                    let (worker, number) = read(&got.body).ok_or("a message of nobody came")?;
                    let last = self.came.get_mut(worker as usize).ok_or("a message of nobody came")?;
                    if number != *last + 1 {
                        return Err(format!("message {number} of worker {worker} came after {last}"));
                    }
                    *last = number;
                }
                Err(mqi::Reason::NO_MSG_AVAILABLE) => return Ok(()),
                Err(reason) => return Err(format!("the partner's queue: {reason}")),
            }
        }
    }

    /// Kills it and starts it again at its port.
    fn kill(&mut self) -> Result<(), Broken> {
        self.server.take().ok_or("the partner is gone")?.kill();
        let start = self.installation.start_command_at(self.port);
        self.server = Some(self.installation.start_by(start).map_err(|ended| ended.said)?);
        self.kills += 1;
        Ok(())
    }

    /// Waits until so many messages of each worker have come, and no more.
    fn expect(&mut self, sent: &[u64], within: Duration) -> Result<(), Broken> {
        let until = Instant::now() + within;
        while self.came != sent {
            if Instant::now() > until {
                return Err(format!("{:?} messages came of {sent:?}", self.came));
            }
            thread::sleep(Duration::from_millis(200));
            self.read()?;
        }
        Ok(())
    }
}

fn define(server: &Running, partner: &Partner) -> Result<(), Broken> {
    let mut connection = server.connect("define")?;
    for number in 0..WORKERS {
        command(&mut connection, &format!("DEFINE QLOCAL(SOAK.{number})"))?;
    }
    let to = format!("localhost({})", partner.port);
    for text in [
        format!(
            "DEFINE QLOCAL({PARTNER}) USAGE(XMITQ) MAXDEPTH(999999999) TRIGGER INITQ(SYSTEM.CHANNEL.INITQ)"
        ),
        format!("DEFINE QREMOTE(SOAK.FAR) RNAME(SOAK.IN) RQMNAME({PARTNER})"),
        format!("DEFINE CHANNEL(TO.PARTNER) CHLTYPE(SDR) CONNAME('{to}') XMITQ({PARTNER}) SHORTTMR(1)"),
    ] {
        command(&mut connection, &text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn looks(count: u64, change: impl Fn(u64, &mut Look)) -> Vec<Look> {
        (0..count)
            .map(|number| {
                let mut look = Look {
                    seconds: 10.0 * number as f64,
                    memory_bytes: 100 << 20,
                    files: 40,
                    p99: Duration::from_millis(1),
                };
                change(number, &mut look);
                look
            })
            .collect()
    }

    #[test]
    fn memory_files_and_times_that_grow_are_seen() {
        assert!(judge(&looks(360, |_, _| ())).is_ok());
        assert!(
            judge(&looks(360, |number, look| look.memory_bytes += number * 4_000)).is_err(),
            "1.4 MiB an hour"
        );
        assert!(
            judge(&looks(360, |number, look| look.memory_bytes += number * 2_000)).is_ok(),
            "0.7 MiB an hour"
        );
        assert!(judge(&looks(360, |number, look| look.files += number / 60)).is_err());
        assert!(judge(&looks(360, |number, look| look.p99 *= if number > 240 { 2 } else { 1 })).is_err());
        let short = judge(&looks(60, |number, look| look.memory_bytes += number * 40_000)).unwrap();
        assert!(short.iter().any(|note| note.contains("not judged")), "{short:?}");
        assert!(judge(&[]).is_err());
    }

    #[test]
    fn a_percentile_is_the_bound_of_the_times_below_it() {
        let mut times = vec![0; TIMES];
        for micros in 1..=100 {
            times[place(Duration::from_micros(100 * micros))] += 1;
        }
        let p99 = percentile(&times, 0.99);
        assert!(p99 >= Duration::from_micros(9_900) && p99 < Duration::from_micros(12_000), "{p99:?}");
        assert_eq!(percentile(&Times::new(), 0.99), Duration::ZERO);
    }

    #[test]
    fn a_body_names_its_worker_and_its_number() {
        assert_eq!(read(b"3 17     "), Some((3, 17)));
        assert_eq!(read(b"3"), None);
        assert_eq!(read(&[0xFF]), None);
    }
}
