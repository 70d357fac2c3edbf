//! The cost of channels that do nothing, and that of a queue that is full to the others of its channel.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use mqi::{MessageDescriptor, ObjectDescriptor, Persistence, PutFlags, PutOptions, Verbs as _};
use testing::lines::Namespace;

use super::place::{LOOK_EACH, PATIENCE, name};
use super::site::Site;
use crate::installation::Broken;
use crate::{Outcome, Size};

/// Each channel that sends sets room in the log aside, which a small log has for some hundreds.
const AS_SHIPPED: &str = "";
/// Most resident memory that an idle channel may take at either end.
const IDLE_BYTES_MAX: u64 = 32 << 10;
/// Channels that are started before the first look, so that what the first of all cost is not counted.
const FIRST: u64 = 20;
/// Messages for the good queue in a turn, of which the first tenth is not timed, and after how many of them
/// one for the full queue follows. The first for the full queue is tried again MRRTY times, as it should be.
const GOOD: u64 = 100_000;
const FULL_EACH: u64 = 10;
/// Bytes of a message.
const BODY_BYTES: usize = 1_000;
/// The least share of its rate that is left to the good queue.
const SHARE_MIN: f64 = 0.9;

/// So many channels as there are cases, between two queue managers: each in use of little memory while it is
/// idle.
#[must_use]
pub fn idle(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let measured = measure_idle(ferry, folder, size.cases, &mut outcome);
    outcome.case(&format!("{} idle channels", size.cases), measured);
    outcome
}

fn measure_idle(ferry: &Path, folder: &Path, channels: u64, outcome: &mut Outcome) -> Result<(), Broken> {
    let (one, other) = pair(ferry, folder)?;
    let port = other.port().unwrap_or_default();
    let numbers = FIRST + channels;
    for number in 1..=numbers {
        other.command(&format!("DEFINE CHANNEL(IDLE.{number}) CHLTYPE(RCVR)"))?;
        one.command(&format!("DEFINE QLOCAL(IDLE.{number}) USAGE(XMITQ)"))?;
        one.command(&format!(
            "DEFINE CHANNEL(IDLE.{number}) CHLTYPE(SDR) CONNAME('127.0.0.1({port})') XMITQ(IDLE.{number}) \
             DISCINT(0)"
        ))?;
    }
    let start = |numbers: std::ops::RangeInclusive<u64>| {
        let until_running = *numbers.end();
        for number in numbers {
            one.command(&format!("START CHANNEL(IDLE.{number})"))?;
        }
        let all_run = || -> Result<bool, Broken> {
            // A longer display would take memory of its own for each channel.
            let shown = [&one, &other].map(|site| site.command("DISPLAY CHSTATUS(*) STATUS"));
            for shown in shown {
                if running(&shown?) < until_running {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        eventually("all channels run", all_run)
    };
    start(1..=FIRST)?;
    let before = [&one, &other].map(Site::resident_bytes);
    start(FIRST + 1..=numbers)?;
    let behind = [&one, &other].map(Site::resident_bytes);
    let mut problems = Vec::new();
    for (which, (before, behind)) in ["sends", "receives"].iter().zip(before.into_iter().zip(behind)) {
        let each = behind?.saturating_sub(before?) / channels;
        outcome.note(format!("an idle channel takes {each} bytes where it {which}"));
        if each > IDLE_BYTES_MAX {
            problems.push(format!("{each} bytes are more than {IDLE_BYTES_MAX} where a channel {which}"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("; ")) }
}

/// In turns, so many as there are cases: messages for one queue alone, and the same with some among them for
/// a queue that is full.
#[must_use]
pub fn full_beside_good(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let mut shares = Vec::new();
    let mut turn = || -> Result<f64, Broken> {
        let mut rates = [0.0; 2];
        for (rate, with_full) in rates.iter_mut().zip([false, true]) {
            let place = folder.join(format!("turn-{}-{with_full}", shares.len()));
            *rate = good_rate(ferry, &place, with_full)?;
        }
        shares.push(rates[1] / rates[0]);
        Ok(rates[0])
    };
    for case in size.numbers() {
        match turn() {
            Ok(rate) => outcome.note(format!("turn {case}: {rate:.0} messages/s for the good queue alone")),
            Err(problem) => outcome.case(&format!("turn {case}"), Err(problem)),
        }
    }
    shares.sort_by(f64::total_cmp);
    let Some(middle) = shares.get(shares.len() / 2) else { return outcome };
    outcome.note(format!(
        "with one of {} for a full queue: {shares:.2?}, {middle:.2} in the middle",
        FULL_EACH + 1
    ));
    let right = *middle >= SHARE_MIN;
    let told = || format!("the good queue is left {middle:.2} of its rate, and not {SHARE_MIN}");
    outcome.case("the good queue beside the full one", if right { Ok(()) } else { Err(told()) });
    outcome
}

/// Messages a second that arrive on the good queue.
fn good_rate(ferry: &Path, folder: &Path, with_full: bool) -> Result<f64, Broken> {
    let (one, other) = pair(ferry, folder)?;
    let (to, port) = (name(1), other.port().unwrap_or_default());
    for text in [
        "DEFINE QLOCAL(GOOD) MAXDEPTH(999999999)",
        "DEFINE QLOCAL(FULL) MAXDEPTH(1)",
        "DEFINE QLOCAL(DEAD) MAXDEPTH(999999999)",
        "ALTER QMGR DEADQ(DEAD)",
        "DEFINE CHANNEL(GOES) CHLTYPE(RCVR) MRRTY(2) MRTMR(100)",
    ] {
        other.command(text)?;
    }
    one.command(&format!("DEFINE QLOCAL({to}) USAGE(XMITQ) MAXDEPTH(999999999)"))?;
    one.command(&format!(
        "DEFINE CHANNEL(GOES) CHLTYPE(SDR) CONNAME('127.0.0.1({port})') XMITQ({to}) SHORTTMR(1)"
    ))?;
    one.command("START CHANNEL(GOES)")?;
    put(&one, &to, ["FULL", "FULL"].into_iter())?;
    eventually("the queue is full", || Ok(other.depth("DEAD")? == 1))?;
    one.command("STOP CHANNEL(GOES) STATUS(INACTIVE)")?;
    let queues = (0..GOOD).flat_map(|number| {
        let is_followed = with_full && number.is_multiple_of(FULL_EACH);
        [Some("GOOD"), is_followed.then_some("FULL")].into_iter().flatten()
    });
    put(&one, &to, queues)?;
    one.command("START CHANNEL(GOES)")?;
    eventually("a tenth has arrived", || Ok(other.depth("GOOD")? >= GOOD / 10))?;
    let before = other.depth("GOOD")?;
    let begun = Instant::now();
    eventually("all have arrived", || Ok(other.depth("GOOD")? == GOOD))?;
    let seconds = begun.elapsed().as_secs_f64();
    let full = if with_full { GOOD / FULL_EACH + 1 } else { 1 };
    eventually("the others are dead letters", || Ok(other.depth("DEAD")? == full))?;
    Ok((GOOD - before) as f64 / seconds)
}

fn pair(ferry: &Path, folder: &Path) -> Result<(Site, Site), Broken> {
    let data = folder.join("data");
    let site = |number| Site::begin(number, ferry, (&data, AS_SHIPPED), Namespace::Own);
    Ok((site(0)?, site(1)?))
}

/// Puts a persistent message to each of these queues there, in units of work.
fn put<'a>(one: &Site, to: &str, queues: impl Iterator<Item = &'a str>) -> Result<(), Broken> {
    let mut connection = one.connect()?;
    let put = || {
        let mut count = 0_u64;
        for queue in queues {
            let there = ObjectDescriptor {
                object_queue_manager_name: to.parse().expect("a name"),
                ..ObjectDescriptor::queue(queue.parse().expect("a name"))
            };
            let mut descriptor =
                MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
            let mut options = PutOptions::with(PutFlags::SYNCPOINT);
            connection.put1(&there, &mut descriptor, &mut options, vec![b'.'; BODY_BYTES].into())?;
            count += 1;
            if count.is_multiple_of(50) {
                connection.commit()?;
            }
        }
        connection.commit()
    };
    put().map_err(|reason| format!("put: {reason}"))
}

/// The number of channels that a display shows to run.
fn running(shown: &str) -> u64 {
    shown.matches("STATUS(RUNNING)").count() as u64
}

fn eventually(what: &str, holds: impl Fn() -> Result<bool, Broken>) -> Result<(), Broken> {
    let until = Instant::now() + PATIENCE.max(Duration::from_secs(120));
    while !holds()? {
        if Instant::now() > until {
            return Err(format!("not in time: {what}"));
        }
        thread::sleep(LOOK_EACH);
    }
    Ok(())
}
