//! R20: how long a start takes, after a kill with a long log and after a clean stop.
//!
//! A million messages on a hundred queues, a gibibyte of log or more since the last checkpoint; the start may take three
//! seconds for each gibibyte of log, and one second after a clean stop.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use mqi::{
    AttributeValue, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags, PutOptions,
    Reason, Selector, Verbs as _, constants,
};

use super::installation::{Broken, Installation, Running};
use super::load;
use super::{Outcome, Size};

const GIB: u64 = 1 << 30;
/// So large that nothing but the interval brings a checkpoint, and that is a day.
const SETTINGS: &str = "[log]\nextent_size = \"64 MiB\"\nprimary_extents = 64\n\
    [checkpoint]\ninterval_seconds = 86400\n";
const QUEUES: usize = 100;
const MESSAGES: u64 = 1_000_000;
const BODY_BYTES: usize = 900;
const PUTTERS: usize = 4;
const UNIT_MESSAGES: u64 = 500;
const SECONDS_PER_GIB: f64 = 3.0;
const CLEAN_MAX: Duration = Duration::from_secs(1);

/// Measures the start after a kill and the one after a clean stop, `size.cases` times.
#[must_use]
pub fn times(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    for case in size.numbers() {
        let place = folder.join(format!("case-{case}"));
        if let Err(problem) = run(ferry, &place, &mut outcome) {
            outcome.case("a start", Err(problem));
        } else {
            // Gibibytes that nobody will look at; what cannot be removed stays.
            let _ = std::fs::remove_dir_all(&place);
        }
    }
    outcome
}

fn run(ferry: &Path, folder: &Path, outcome: &mut Outcome) -> Result<(), Broken> {
    let installation = Installation::create(ferry, &folder.join("data"), SETTINGS)?;
    let server = installation.start()?;
    let begun = Instant::now();
    fill(&server)?;
    outcome.note(format!("{MESSAGES} messages put in {:.0} s", begun.elapsed().as_secs_f64()));
    let logged = counter(&server, "log_durable_position")?;
    if counter(&server, "checkpoints")? > 0 {
        return Err("a checkpoint was taken, so the log since the last one is short".to_owned());
    }
    server.kill();
    let server = installation.start()?;
    let gibibytes = logged as f64 / GIB as f64;
    let (took, most) = (server.took.as_secs_f64(), SECONDS_PER_GIB * gibibytes);
    outcome.note(format!("after a kill with {gibibytes:.2} GiB of log: {took:.2} s"));
    let quick = if gibibytes < 1.0 {
        Err(format!("only {gibibytes:.2} GiB of log"))
    } else if took > most {
        Err(format!("the start took {took:.2} s, more than {most:.2} s"))
    } else {
        all_there(&server)
    };
    outcome.case("after a kill", quick);
    server.stop()?;
    let server = installation.start()?;
    outcome.note(format!("after a clean stop: {:.2} s", server.took.as_secs_f64()));
    let quick = if server.took > CLEAN_MAX {
        Err(format!("the start took {:.2} s, more than {CLEAN_MAX:?}", server.took.as_secs_f64()))
    } else {
        all_there(&server)
    };
    outcome.case("after a clean stop", quick);
    Ok(())
}

fn name(queue: usize) -> String {
    format!("START.{queue}")
}

fn fill(server: &Running) -> Result<(), Broken> {
    let mut connection = server.connect("define")?;
    for queue in 0..QUEUES {
        load::command(&mut connection, &format!("DEFINE QLOCAL({}) MAXDEPTH(999999999)", name(queue)))?;
    }
    let putters: Vec<_> = (0..PUTTERS)
        .map(|putter| {
            let connection = server.connect("fill");
            thread::spawn(move || put_share(connection?, putter))
        })
        .collect();
    let ends = putters.into_iter().map(|putter| putter.join().map_err(|_| "a putter panicked".to_owned()));
    ends.collect::<Result<Result<Vec<()>, _>, _>>()?.map(drop)
}

fn put_share(mut connection: client::Connection, putter: usize) -> Result<(), Broken> {
    let failed = |reason: Reason| format!("filling: {reason}");
    let mut handles = Vec::new();
    for queue in (putter..QUEUES).step_by(PUTTERS) {
        let queue = ObjectDescriptor::queue(name(queue).parse().expect("a name"));
        handles.push(connection.open(&queue, OpenOptions::OUTPUT).map_err(failed)?.handle);
    }
    let body = bytes::Bytes::from(vec![b'x'; BODY_BYTES]);
    let mut put = 0;
    while put < MESSAGES / PUTTERS as u64 {
        for number in 0..UNIT_MESSAGES {
            let handle = handles[(put + number) as usize % handles.len()];
            let mut descriptor =
                MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
            let mut options = PutOptions::with(PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE);
            connection.put(handle, &mut descriptor, &mut options, body.clone()).map_err(failed)?;
        }
        connection.commit().map_err(failed)?;
        put += UNIT_MESSAGES;
    }
    connection.disconnect().map_err(failed)
}

fn counter(server: &Running, name: &str) -> Result<u64, Broken> {
    let statistics = server.connect("statistics")?.statistics().map_err(|reason| reason.to_string())?;
    let found = statistics.counters.iter().find(|counter| counter.name == name);
    found.map(|counter| counter.value).ok_or_else(|| format!("there is no counter {name}"))
}

fn all_there(server: &Running) -> Result<(), Broken> {
    let mut connection = server.connect("count")?;
    let mut messages = 0;
    for queue in 0..QUEUES {
        let queue = ObjectDescriptor::queue(name(queue).parse().expect("a name"));
        let opened = connection.open(&queue, OpenOptions::INQUIRE).map_err(|reason| reason.to_string())?;
        let depth = connection.inquire(opened.handle, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]);
        match depth.as_ref().map(|inquired| inquired.values.as_slice()) {
            Ok([AttributeValue::Integer(depth)]) => messages += u64::try_from(*depth).unwrap_or(0),
            other => return Err(format!("a depth: {other:?}")),
        }
    }
    if messages == MESSAGES { Ok(()) } else { Err(format!("{messages} of {MESSAGES} messages are there")) }
}
