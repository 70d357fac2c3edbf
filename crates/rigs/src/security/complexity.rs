//! S13: work that grows no faster than what it is about: topics and wildcards, selectors, messages that a
//! browse passes over, and identifiers that differ in one bit.
//!
//! Each is done with a number of things and with four times as many; the processor time of the queue manager
//! grows at most fourfold, times the growth of a logarithm, and some for noise. While a queue is searched
//! from end to end others put on it and get from it as before. Control: work that grows with the square is
//! found by the same judge.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    CorrelationId, GetFlags, GetOptions, MatchOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    OpenOptions, PutFlags, PutOptions, Reason, SubscribeOptions, SubscriptionDescriptor, Verbs as _, Wait,
};

use super::super::installation::{Broken, Installation, Running};
use super::super::load;
use super::super::looks::processor_seconds;
use super::super::{Outcome, Size};
use super::timing::percentile;

/// The larger number is so many times the smaller.
const TIMES: u64 = 4;
/// Noise, of a clock that ticks a hundred times a second, and of a machine that does other things.
const NOISE: f64 = 1.5;
const NOISE_SECONDS: f64 = 0.1;
/// Least processor time that is judged: less is noise.
const SECONDS_MIN: f64 = 0.05;
/// Longest that others wait for a queue that is searched, in 99 of 100 cases: 10 ms, or three times as long
/// as alone.
const LOCK_MAX: Duration = Duration::from_millis(10);
const LOCK_SHARE: u32 = 3;
/// Subscriptions of one connection, each of which has two handles.
const OF_CONNECTION: u64 = 100;
const BODY: &[u8] = b"a message of some words, as there are many";

/// A kind of work, and its smaller number for each case of a size.
#[derive(Clone, Copy, Debug)]
struct Work {
    what: &'static str,
    small: u64,
    run: fn(&Running, u64) -> Result<(), Broken>,
}

const WORKS: [Work; 4] = [
    Work { what: "topics and wildcards", small: 1_000, run: topics },
    Work { what: "selectors", small: 250, run: selectors },
    Work { what: "messages passed over", small: 2_500, run: passed_over },
    Work { what: "identifiers alike", small: 1_000, run: alike },
];

/// Does each work at two sizes, which grow with the cases: 25 of them make 100,000 topics and a million
/// skips.
#[must_use]
pub fn growth(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    for work in WORKS {
        let measured = [1, TIMES].map(|times| {
            let place = folder.join(format!("{}-{times}", work.what.replace(' ', "-")));
            seconds(ferry, &place, work, work.small * size.cases * times)
        });
        let [small, large] = measured;
        let judged = small.and_then(|small| {
            let large = large?;
            outcome.note(format!(
                "{}: {small:.2} s of a processor for {}, {large:.2} s for {TIMES} times as many",
                work.what,
                work.small * size.cases
            ));
            judge(small, large, (work.small * size.cases) as f64)
        });
        outcome.case(work.what, judged);
    }
    match others(ferry, &folder.join("others"), size.cases) {
        Ok(note) => {
            outcome.note(note);
            outcome.case("others at a queue that is searched", Ok(()));
        }
        Err(problem) => outcome.case("others at a queue that is searched", Err(problem)),
    }
    let square = judge(1.0, (TIMES * TIMES) as f64, 1_000.0);
    let control = if square.is_err() { Ok(()) } else { Err("a square is not found".to_owned()) };
    outcome.case("control: work that grows with the square", control);
    outcome
}

/// At most n log n, and noise.
fn judge(small: f64, large: f64, count: f64) -> Result<(), Broken> {
    let times = TIMES as f64;
    let growth = times * (count * times).ln() / count.ln();
    let most = (small.max(SECONDS_MIN) * growth * NOISE) + NOISE_SECONDS;
    if large <= most {
        return Ok(());
    }
    Err(format!("{large:.2} s in place of {most:.2} s, for {TIMES} times as many as took {small:.2} s"))
}

/// The processor time that the queue manager takes for a work.
fn seconds(ferry: &Path, place: &Path, work: Work, count: u64) -> Result<f64, Broken> {
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let server = installation.start()?;
    let mut one = server.connect("define")?;
    load::command(&mut one, "DEFINE QLOCAL(GROWTH.Q) MAXDEPTH(999999999)")?;
    let before = processor_seconds(server.process())?;
    (work.run)(&server, count)?;
    let took = processor_seconds(server.process())? - before;
    server.kill();
    Ok(took)
}

fn failed(reason: Reason) -> Broken {
    reason.to_string()
}

fn queue(one: &mut Connection, options: OpenOptions) -> Result<ObjectHandle, Broken> {
    let queue = ObjectDescriptor::queue("GROWTH.Q".parse().expect("a name"));
    Ok(one.open(&queue, options).map_err(failed)?.handle)
}

/// Publishes on so many topics, below wildcards of every kind.
fn topics(server: &Running, count: u64) -> Result<(), Broken> {
    let mut subscriber = server.connect("subscribes")?;
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    for wildcard in ["growth/#", "growth/+/leaf/0", "+/1/leaf/+", "#/leaf/7", "growth/1/#", "other/+/#"] {
        subscriber.subscribe(&SubscriptionDescriptor::to(wildcard, options), None).map_err(failed)?;
    }
    let mut publisher = server.connect("publishes")?;
    for number in 0..count {
        let topic = ObjectDescriptor::topic(format!("growth/{}/leaf/{}", number / 100, number % 100));
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        publisher
            .put1(&topic, &mut MessageDescriptor::default(), &mut options, BODY.into())
            .map_err(failed)?;
    }
    Ok(())
}

/// Publishes ten times to so many subscriptions, each with a selector that no other has and that does not
/// fit.
fn selectors(server: &Running, count: u64) -> Result<(), Broken> {
    let mut subscribers = Vec::new();
    let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    for number in 0..count {
        if number % OF_CONNECTION == 0 {
            subscribers.push(server.connect("subscribes")?);
        }
        let Some(subscriber) = subscribers.last_mut() else { continue };
        let mut subscription = SubscriptionDescriptor::to("growth/selected", options);
        subscription.selection_string = format!("price > {number} AND region = 'r{number}' AND price < 0");
        subscriber.subscribe(&subscription, None).map_err(failed)?;
    }
    let mut publisher = server.connect("publishes")?;
    let topic = publisher
        .open(&ObjectDescriptor::topic("growth/selected"), OpenOptions::OUTPUT)
        .map_err(failed)?
        .handle;
    for _ in 0..10 {
        put(&mut publisher, topic, &mut MessageDescriptor::default())?;
    }
    Ok(())
}

fn put(one: &mut Connection, handle: ObjectHandle, descriptor: &mut MessageDescriptor) -> Result<(), Broken> {
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::ASYNC_RESPONSE);
    one.put(handle, descriptor, &mut options, BODY.into()).map_err(failed)
}

fn filled(server: &Running, count: u64) -> Result<(Connection, ObjectHandle), Broken> {
    let mut one = server.connect("fills")?;
    let handle = queue(&mut one, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::BROWSE)?;
    for _ in 0..count {
        put(&mut one, handle, &mut MessageDescriptor::default())?;
    }
    // The answer to this comes behind all of them.
    one.command("PING QMGR").map_err(failed)?;
    Ok((one, handle))
}

/// Ten times passes over all messages of a queue, in search of a priority that none has.
fn passed_over(server: &Running, count: u64) -> Result<(), Broken> {
    let (mut one, handle) = filled(server, count)?;
    for _ in 0..10 {
        search(&mut one)?;
    }
    one.close(handle, mqi::CloseOptions::default()).map(drop).map_err(failed)
}

/// Browses by a selector that fits no message.
fn search(one: &mut Connection) -> Result<(), Broken> {
    let mut queue = ObjectDescriptor::queue("GROWTH.Q".parse().expect("a name"));
    queue.selection_string = "nothing = 'like it'".to_owned();
    let handle = one.open(&queue, OpenOptions::BROWSE).map_err(failed)?.handle;
    let mut options = GetOptions::with(GetFlags::BROWSE_FIRST, Wait::No);
    match one.get(handle, &mut MessageDescriptor::default(), &mut options, BODY.len()) {
        Err(Reason::NO_MSG_AVAILABLE) => {}
        other => return Err(format!("a search finds {other:?}")),
    }
    one.close(handle, mqi::CloseOptions::default()).map(drop).map_err(failed)
}

/// Puts so many messages whose correlation identifiers differ in their last bytes alone, and gets each by its
/// own, the last first.
fn alike(server: &Running, count: u64) -> Result<(), Broken> {
    let mut one = server.connect("correlates")?;
    let handle = queue(&mut one, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED)?;
    let identifier = |number: u64| {
        let mut bytes = [0xA5; 24];
        bytes[16..].copy_from_slice(&(number << 32).to_be_bytes());
        CorrelationId(bytes)
    };
    for number in 0..count {
        let mut descriptor =
            MessageDescriptor { correlation_id: identifier(number), ..MessageDescriptor::default() };
        put(&mut one, handle, &mut descriptor)?;
    }
    for number in (0..count).rev() {
        let mut descriptor =
            MessageDescriptor { correlation_id: identifier(number), ..MessageDescriptor::default() };
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        options.match_options = MatchOptions::MATCH_CORREL_ID;
        one.get(handle, &mut descriptor, &mut options, BODY.len())
            .map_err(|reason| format!("message {number}: {reason}"))?;
    }
    Ok(())
}

/// Puts and gets beside searches of the same queue.
fn others(ferry: &Path, place: &Path, cases: u64) -> Result<String, Broken> {
    let installation = Installation::create(ferry, &place.join("data"), "")?;
    let server = installation.start()?;
    let mut one = server.connect("define")?;
    load::command(&mut one, "DEFINE QLOCAL(GROWTH.Q) MAXDEPTH(999999999)")?;
    let count = TIMES * WORKS[2].small * cases;
    let _filled = filled(&server, count)?;
    let mut times = Vec::new();
    for searched in [false, true] {
        let ends = AtomicBool::new(false);
        let measured = thread::scope(|scope| {
            let searching = scope.spawn(|| -> Result<u64, Broken> {
                let mut searches = 0;
                let mut one = server.connect("searches")?;
                while searched && !ends.load(Ordering::Relaxed) {
                    search(&mut one)?;
                    searches += 1;
                }
                Ok(searches)
            });
            let measured = putting(&server);
            ends.store(true, Ordering::Relaxed);
            let searches = searching.join().map_err(|_| "a search panicked".to_owned())??;
            if searched && searches == 0 {
                return Err("nothing was searched meanwhile".to_owned());
            }
            measured
        });
        times.push(measured?);
    }
    server.kill();
    let [alone, beside] = times[..] else { return Err("two times are measured".to_owned()) };
    let told = format!(
        "a put on a queue of {count} messages takes {alone:.1?} alone and {beside:.1?} beside searches, in 99 of 100 \
         cases"
    );
    if beside <= LOCK_MAX.max(alone * LOCK_SHARE) { Ok(told) } else { Err(told) }
}

/// The time of a put for a second, in 99 of 100 cases.
fn putting(server: &Running) -> Result<Duration, Broken> {
    let mut one = server.connect("puts")?;
    let handle = queue(&mut one, OpenOptions::OUTPUT)?;
    let mut times = Vec::new();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) {
        let at = Instant::now();
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        one.put(handle, &mut MessageDescriptor::default(), &mut options, BODY.into()).map_err(failed)?;
        times.push(at.elapsed());
        thread::sleep(Duration::from_millis(2));
    }
    Ok(percentile(&mut times, 0.99))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_beyond_n_log_n_is_found() {
        judge(1.0, 4.0, 1_000.0).unwrap();
        judge(1.0, 4.8, 1_000.0).unwrap();
        judge(0.0, 0.3, 1_000.0).unwrap();
        assert!(judge(1.0, 16.0, 1_000.0).is_err());
        assert!(judge(0.2, 3.2, 1_000.0).is_err());
    }
}
