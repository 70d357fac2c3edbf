//! M2: a queue at its quota with sixteen putters, by client, by the local socket and by AMQP, and a getter at
//! half of their rate.
//!
//! Puts wait for room (FULLACT(HOLD)): none is refused, the queue never holds a byte more than its quota,
//! nothing is lost or doubled, messages of one putter come in their order, and the putters have at least
//! nineteen twentieths of the getter's rate. With the quota of the queue manager puts are refused, gets go
//! on, and it does not end.

mod sender;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, Verbs as _, Wait,
};

use super::full::lives;
use super::installation::{Broken, Installation, Running, connect_at};
use super::load::command;
use super::{Outcome, Size};
use sender::Sender;

const QUEUE: &str = "M2";
const PUTTERS: u64 = 16;
/// A body: with what each message counts beside it some hundreds fill the quota.
const BODY_BYTES: usize = 1_000;
/// The quota: as CURFSIZE is told in whole megabytes, begun ones counted, it shows a single byte more.
const QUOTA_KILOBYTES: u64 = 1_024;
const SETTINGS: &str = "[listener]\namqp_channel = \"SYSTEM.DEF.AMQP\"\n";
/// Time in which the rate without a bound is measured, and that of a case unless minutes are asked for.
const MEASURED: Duration = Duration::from_secs(1);
const CASE: Duration = Duration::from_secs(3);
const LOOK: Duration = Duration::from_millis(20);
/// A put that waits is answered within this.
const PATIENCE: Duration = Duration::from_secs(40);
/// Milliseconds for which the getter waits for a message while there are putters, and at the end.
const NEXT_WAIT: u32 = 40_000;
const LAST_WAIT: u32 = 2_000;
/// The least part of the getter's rate that the putters have.
const SHARE_MIN: f64 = 0.95;

/// Has a queue at its quota, as often as there are cases, or once for as long as there are minutes.
#[must_use]
pub fn held(ferry: &Path, folder: &Path, size: Size) -> Outcome {
    let mut outcome = Outcome::default();
    let once = size.until.map(|until| until.saturating_duration_since(Instant::now()));
    let cases = if once.is_some() { 1 } else { size.cases };
    for case in 0..cases {
        let place = folder.join(format!("case-{case}"));
        let done = run(ferry, &place, once.unwrap_or(CASE));
        outcome.tried("quota", done.map_err(Into::into));
    }
    outcome
}

fn run(ferry: &Path, place: &Path, time: Duration) -> Result<String, Broken> {
    let installation = Installation::create(ferry, &place.join("data"), SETTINGS)?;
    let mut server = installation.start()?;
    let mut looker = server.connect("looks")?;
    let definition =
        format!("DEFINE QLOCAL({QUEUE}) QUOTA({QUOTA_KILOBYTES}) MAXDEPTH(999999999) FULLACT(HOLD)");
    command(&mut looker, &definition)?;
    let work = Arc::new(Work::default());
    let putters: Vec<_> = (0..PUTTERS)
        .map(|number| {
            let (work, by) = (Arc::clone(&work), By::of(number, &installation, &server));
            thread::spawn(move || by.and_then(|by| put(number, by, &work)))
        })
        .collect();
    let mut getter = Getter::open(server.connect("gets")?)?;
    let free = getter.get_for(MEASURED, None)?;
    let pace = MEASURED.div_f64((free as f64 / 2.0).max(1.0));
    // The queue fills up; from then on the putters have what the getter leaves.
    getter.get_for(MEASURED, Some(pace))?;
    let watch = {
        let work = Arc::clone(&work);
        thread::spawn(move || watch(&mut looker, &work))
    };
    let (put_before, begun) = (work.puts.load(Ordering::Relaxed), Instant::now());
    let got = getter.get_for(time, Some(pace))?;
    let put = work.puts.load(Ordering::Relaxed) - put_before;
    let seconds = begun.elapsed().as_secs_f64();
    lives(&mut server, "at its quota")?;
    work.is_over.store(true, Ordering::Relaxed);
    let looks = watch.join().map_err(|_| "the watcher panicked".to_owned())??;
    let emptying = thread::spawn(move || {
        while getter.get(Wait::Milliseconds(LAST_WAIT))? {}
        Ok::<_, Broken>(getter)
    });
    let mut sent = Vec::new();
    for putter in putters {
        sent.push(putter.join().map_err(|_| "a putter panicked".to_owned())??);
    }
    let getter = emptying.join().map_err(|_| "the getter panicked".to_owned())??;
    if getter.next != sent {
        return Err(format!("of each putter {sent:?} messages were put, and {:?} were got", getter.next));
    }
    let share = put as f64 / got as f64;
    let quota_told = manager_at_quota(&mut server)?;
    server.kill();
    let told = format!(
        "{:.0} messages a second got at half of {free}, {:.0} put beside them ({share:.3}), {looks} looks at the bytes; \
         {quota_told}",
        got as f64 / seconds,
        put as f64 / seconds
    );
    if share < SHARE_MIN { Err(told) } else { Ok(told) }
}

/// State that the threads share.
#[derive(Default)]
struct Work {
    /// Puts that were answered.
    puts: AtomicU64,
    is_over: AtomicBool,
}

/// The way of a putter.
enum By {
    Interface(Box<Connection>),
    Amqp(Sender),
}

impl By {
    fn of(number: u64, installation: &Installation, server: &Running) -> Result<Self, Broken> {
        Ok(match number % 3 {
            0 => Self::Interface(Box::new(server.connect("puts")?)),
            1 => {
                let socket = format!("unix:{}", installation.folder().join("socket").display());
                Self::Interface(Box::new(connect_at(&socket, "puts")?))
            }
            _ => Self::Amqp(Sender::open(server.port(), QUEUE, PATIENCE)?),
        })
    }
}

/// The body of a message: its putter, its number, and more.
fn body(putter: u64, number: u64) -> Vec<u8> {
    let mut body = [putter.to_be_bytes(), number.to_be_bytes()].concat();
    body.resize(BODY_BYTES, b'm');
    body
}

fn open(connection: &mut Connection, options: OpenOptions) -> Result<ObjectHandle, Broken> {
    let object = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let opened = connection.open(&object, options);
    opened.map(|opened| opened.handle).map_err(|reason| format!("open {QUEUE}: {reason}"))
}

/// Puts until it is over, each message answered before the next; the number of messages.
fn put(putter: u64, by: By, work: &Work) -> Result<u64, Broken> {
    let mut number: u64 = 0;
    let mut put: Box<dyn FnMut(bool, Vec<u8>) -> Result<(), Broken>> = match by {
        By::Interface(mut connection) => {
            let handle = open(&mut connection, OpenOptions::OUTPUT)?;
            Box::new(move |is_persistent, body| {
                let persistence =
                    if is_persistent { Persistence::Persistent } else { Persistence::NotPersistent };
                let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
                let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
                let put = connection.put(handle, &mut descriptor, &mut options, body.into());
                put.map_err(|reason| format!("a put: {reason}"))
            })
        }
        By::Amqp(mut sender) => Box::new(move |is_persistent, body| {
            if sender.send(is_persistent, &body)? {
                Ok(())
            } else {
                Err("AMQP: a message was refused".to_owned())
            }
        }),
    };
    while !work.is_over.load(Ordering::Relaxed) {
        put(number.is_multiple_of(2), body(putter, number))?;
        number += 1;
        work.puts.fetch_add(1, Ordering::Relaxed);
    }
    Ok(number)
}

/// Looks at the bytes of the queue until it is over; the number of looks.
fn watch(looker: &mut Connection, work: &Work) -> Result<u64, Broken> {
    let mut looks = 0;
    while !work.is_over.load(Ordering::Relaxed) {
        let shown = command(looker, &format!("DISPLAY QSTATUS({QUEUE}) CURFSIZE"))?;
        let is_within = ["CURFSIZE(0)", "CURFSIZE(1)"].iter().any(|size| shown.contains(size));
        if !is_within {
            return Err(format!("the queue holds more than its quota of a megabyte:\n{shown}"));
        }
        looks += 1;
        thread::sleep(LOOK);
    }
    Ok(looks)
}

struct Getter {
    connection: Connection,
    handle: ObjectHandle,
    /// The number that the next message of each putter has.
    next: Vec<u64>,
}

impl Getter {
    fn open(mut connection: Connection) -> Result<Self, Broken> {
        let handle = open(&mut connection, OpenOptions::INPUT_SHARED)?;
        Ok(Self { connection, handle, next: vec![0; PUTTERS as usize] })
    }

    /// Gets a message; false if there is none in time. Each is the next of its putter.
    fn get(&mut self, wait: Wait) -> Result<bool, Broken> {
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT | GetFlags::NO_PROPERTIES, wait);
        let got =
            self.connection.get(self.handle, &mut MessageDescriptor::default(), &mut options, BODY_BYTES);
        let got = match got {
            Ok(got) => got,
            Err(Reason::NO_MSG_AVAILABLE) => return Ok(false),
            Err(reason) => return Err(format!("a get: {reason}")),
        };
        let number = |at: usize| got.body.get(at..at + 8)?.try_into().ok().map(u64::from_be_bytes);
        let (Some(putter), Some(number)) = (number(0), number(8)) else {
            return Err(format!("a message of {} bytes that nobody put", got.body.len()));
        };
        let next = usize::try_from(putter).ok().and_then(|putter| self.next.get_mut(putter));
        let next = next.ok_or_else(|| format!("a message of putter {putter}"))?;
        if *next != number {
            return Err(format!("message {number} of putter {putter} came, and not {next}"));
        }
        *next += 1;
        Ok(true)
    }

    /// Gets for so long, with so much time for each if it is paced; the number of messages.
    fn get_for(&mut self, time: Duration, pace: Option<Duration>) -> Result<u64, Broken> {
        let begun = Instant::now();
        let mut got: u64 = 0;
        while begun.elapsed() < time {
            if !self.get(Wait::Milliseconds(NEXT_WAIT))? {
                return Err("no message came".to_owned());
            }
            got += 1;
            if let Some(pace) = pace {
                let due = pace.mul_f64(got as f64);
                thread::sleep(due.saturating_sub(begun.elapsed()));
            }
        }
        Ok(got)
    }
}

/// Fills the queue manager to its quota: puts are refused, gets go on, and with room puts do.
fn manager_at_quota(server: &mut Running) -> Result<String, Broken> {
    let mut connection = server.connect("fills")?;
    command(&mut connection, &format!("ALTER QLOCAL({QUEUE}) QUOTA(NOLIMIT) FULLACT(REASON)"))?;
    command(&mut connection, "ALTER QMGR QUOTA(1)")?;
    let handle = open(&mut connection, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED)?;
    let put = |connection: &mut Connection| {
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
        connection.put(handle, &mut MessageDescriptor::default(), &mut options, body(0, 0).into())
    };
    let most = (QUOTA_KILOBYTES as usize * 1_024).div_ceil(BODY_BYTES);
    let mut filled = 0;
    let refusal = loop {
        match put(&mut connection) {
            Ok(()) if filled > most => {
                return Err("the quota of the queue manager refuses nothing".to_owned());
            }
            Ok(()) => filled += 1,
            Err(reason) => break reason,
        }
    };
    if refusal != Reason::STORAGE_MEDIUM_FULL {
        return Err(format!("a put beyond the quota of the queue manager: {refusal}"));
    }
    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    for _ in 0..filled {
        let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, BODY_BYTES);
        got.map_err(|reason| format!("a get at the quota of the queue manager: {reason}"))?;
    }
    put(&mut connection).map_err(|reason| format!("a put with room again: {reason}"))?;
    lives(server, "at the quota of the queue manager")?;
    Ok(format!("{filled} messages filled the queue manager"))
}
