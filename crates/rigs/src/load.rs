//! Clients at work, and the audit of what is there afterwards.
//!
//! Every client is a thread with a connection of its own that ends when the connection breaks or it is told
//! to. What it asked and was told is a history; the audit gets everything that is there and adds it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    Priority, PutFlags, PutOptions, Reason, Selector, Verbs, Wait, constants,
};
use platform::os::OsClock;
use platform::simulated::Random;
use testing::history::{self, Action, Outcome, Recorder, RunningCall, Verdict, body};

use super::Running;
use super::installation::{Broken, connect};

/// The queues used.
pub const QUEUES: [&str; 2] = ["TORTURE.A", "TORTURE.B"];
/// The client that gets what is there.
const AUDITOR: u32 = 9_000;
/// Most calls of a unit of work.
const UNIT_MAX: u64 = 12;
/// Larger than any message put.
const BODY_BYTES_MAX: usize = 1 << 20;
/// Where an application stops to look whether it should end.
const WAIT: Wait = Wait::Milliseconds(20);
/// A load whose server is dead or told to stop ends at once; what takes longer hangs.
const END_MAX: Duration = Duration::from_secs(60);

/// Defines the queues.
///
/// # Errors
/// The answer of the command.
pub fn define(connection: &mut Connection) -> Result<(), Broken> {
    for queue in QUEUES {
        command(connection, &format!("DEFINE QLOCAL({queue}) MAXDEPTH(999999999) REPLACE"))?;
    }
    Ok(())
}

/// Runs a command that must succeed.
///
/// # Errors
/// Its answer.
pub fn command(connection: &mut Connection, text: &str) -> Result<String, Broken> {
    match connection.command(text) {
        Ok(response) if response.failed => Err(format!("{text}: {}", response.text)),
        Ok(response) => Ok(response.text),
        Err(reason) => Err(format!("{text}: {reason}")),
    }
}

/// Work of the clients.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Clients that put.
    pub putters: u32,
    /// Clients that get.
    pub getters: u32,
    /// Calls each makes at most.
    pub calls_max: u64,
    /// The first sequence of the messages, so that those of one load are told from those of another.
    pub sequence: u64,
    /// Percent of messages with a body that goes to the log in fragments.
    pub large: u8,
    /// True if a refusal for lack of room is part of the work.
    pub room_may_lack: bool,
    /// The number of the first client; those of one history differ.
    pub first_client: u32,
}

/// A history for the clients of one or several loads and their audit.
#[must_use]
pub fn recorder() -> Recorder {
    Recorder::in_memory(AUDITOR, Arc::new(OsClock))
}

/// A load under way.
#[derive(Debug)]
pub struct Load {
    stop: Arc<AtomicBool>,
    calls: Arc<AtomicU64>,
    refusals: Arc<AtomicU64>,
    longest_refusal: Arc<AtomicU64>,
    clients: Vec<JoinHandle<Result<(), Broken>>>,
}

impl Load {
    /// Sets the clients to work.
    #[must_use]
    pub fn start(port: u16, work: Work, recorder: &Recorder, random: &mut Random) -> Self {
        let (stop, calls) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let (refusals, longest_refusal) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let clients = (0..work.putters + work.getters)
            .map(|number| {
                let orders = Orders {
                    number: work.first_client + number,
                    puts: number < work.putters,
                    work,
                    random: Random::new(random.next_u64()),
                    recorder: recorder.for_client(work.first_client + number),
                    stop: Arc::clone(&stop),
                    calls: Arc::clone(&calls),
                    refusals: Arc::clone(&refusals),
                    longest_refusal: Arc::clone(&longest_refusal),
                };
                thread::spawn(move || run(port, orders))
            })
            .collect();
        Self { stop, calls, refusals, longest_refusal, clients }
    }

    /// Calls answered so far.
    #[must_use]
    pub fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Calls refused so far for lack of room.
    #[must_use]
    pub fn refusals(&self) -> u64 {
        self.refusals.load(Ordering::Relaxed)
    }

    /// The longest time so far after which a call was refused for lack of room.
    #[must_use]
    pub fn longest_refusal(&self) -> Duration {
        Duration::from_micros(self.longest_refusal.load(Ordering::Relaxed))
    }

    /// True if every client has ended.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.clients.iter().all(JoinHandle::is_finished)
    }

    /// Tells the clients to end after what they are doing.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Waits for the clients, whose history is then complete.
    ///
    /// # Errors
    /// When a client met what no kill and no shortage explains, or does not end.
    pub fn end(self) -> Result<(), Broken> {
        let until = Instant::now() + END_MAX;
        while !self.has_ended() {
            if Instant::now() > until {
                return Err("a client does not end".to_owned());
            }
            thread::sleep(Duration::from_millis(1));
        }
        let ends =
            self.clients.into_iter().map(|client| client.join().map_err(|_| "a client panicked".to_owned()));
        ends.collect::<Result<Result<Vec<()>, _>, _>>()?.map(drop)
    }
}

/// Gets everything there is and judges the history.
///
/// # Errors
/// The fault found.
pub fn audit(server: &Running, recorder: &Recorder) -> Result<Verdict, Broken> {
    empty(server, recorder)?;
    let verdict = history::check(&recorder.take());
    if verdict.is_clean() { Ok(verdict) } else { Err(verdict.to_string()) }
}

/// Gets everything there is.
///
/// # Errors
/// When that cannot be done.
pub fn empty(server: &Running, recorder: &Recorder) -> Result<(), Broken> {
    let mut connection = server.connect("audit")?;
    for queue in QUEUES {
        let descriptor = ObjectDescriptor::queue(queue.parse().expect("a name"));
        let handle = match connection.open(&descriptor, OpenOptions::INPUT_SHARED | OpenOptions::INQUIRE) {
            Ok(opened) => opened.handle,
            // The power went before it was defined.
            Err(Reason::UNKNOWN_OBJECT_NAME) => continue,
            Err(reason) => return Err(format!("open {queue}: {reason}")),
        };
        let mut client = Client {
            connection,
            handles: vec![handle],
            recorder: recorder.clone(),
            unit: 0,
            queue: 0,
            may_be_revoked: false,
        };
        client.ask_depth(queue)?;
        while client.get(queue, false, Wait::No).map_err(|reason| format!("get {queue}: {reason}"))? {}
        recorder.drained(queue);
        connection = client.connection;
        // The connection ends with the audit.
        let _ = connection.close(handle, mqi::CloseOptions::default());
    }
    let _ = connection.disconnect();
    Ok(())
}

struct Orders {
    number: u32,
    puts: bool,
    work: Work,
    random: Random,
    recorder: Recorder,
    stop: Arc<AtomicBool>,
    calls: Arc<AtomicU64>,
    refusals: Arc<AtomicU64>,
    longest_refusal: Arc<AtomicU64>,
}

fn run(port: u16, mut orders: Orders) -> Result<(), Broken> {
    // The server may die before this client came.
    let Ok(connection) = connect(port, "load") else { return Ok(()) };
    let puts = orders.puts;
    let open = if puts { OpenOptions::OUTPUT } else { OpenOptions::INPUT_SHARED };
    let mut client = Client {
        connection,
        handles: Vec::new(),
        recorder: orders.recorder.clone(),
        unit: 0,
        queue: 0,
        may_be_revoked: orders.work.room_may_lack,
    };
    for queue in QUEUES {
        match client.connection.open(&ObjectDescriptor::queue(queue.parse().expect("a name")), open) {
            Ok(opened) => client.handles.push(opened.handle),
            Err(reason) => return orders.judge(reason),
        }
    }
    let mut made = 0;
    // Messages are numbered by what was tried, whether or not it came to anything.
    let mut tried = 0;
    while made < orders.work.calls_max && !orders.stop.load(Ordering::Relaxed) {
        let done =
            if puts { put_some(&mut client, &mut orders, tried) } else { get_some(&mut client, &mut orders) };
        tried += UNIT_MAX;
        match done {
            Ok(calls) => {
                made += calls;
                orders.calls.fetch_add(calls, Ordering::Relaxed);
            }
            // Its unit of work kept too much of a log that is short of room; it goes on with another. The
            // history has no end of this one: it is backed out since nobody knows when, and a call of it that
            // was told so changed nothing.
            Err(Reason::BACKED_OUT) => drop(client.connection.back()),
            Err(reason) => return orders.judge(reason),
        }
    }
    // A kill at this moment is as good as an end.
    let _ = client.connection.disconnect();
    Ok(())
}

impl Orders {
    /// A client's last word, when a call of it failed.
    fn judge(&self, reason: Reason) -> Result<(), Broken> {
        if is_of_death(reason) { Ok(()) } else { Err(format!("client {} was told {reason}", self.number)) }
    }
}

/// Returns true for the answer to a call that failed because the queue manager ended.
#[must_use]
pub fn is_of_death(reason: Reason) -> bool {
    let of_death = [
        Reason::CONNECTION_BROKEN,
        Reason::Q_MGR_NOT_AVAILABLE,
        Reason::CONNECTION_STOPPING,
        Reason::Q_MGR_STOPPING,
    ];
    of_death.contains(&reason)
}

/// True if a call was refused because the disk has no room.
#[must_use]
pub fn is_lack_of_room(reason: Reason) -> bool {
    [Reason::STORAGE_MEDIUM_FULL, Reason::RESOURCE_PROBLEM, Reason::Q_SPACE_NOT_AVAILABLE].contains(&reason)
}

/// A call that began at this moment was refused for lack of room.
fn note_refusal(longest: &AtomicU64, begun: Instant) {
    longest.fetch_max(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// A put, or a unit of work of puts; how many calls it was.
fn put_some(client: &mut Client, orders: &mut Orders, tried: u64) -> Result<u64, Reason> {
    let random = &mut orders.random;
    client.queue = random.index(QUEUES.len());
    let in_unit = random.percent(70);
    let wanted = if in_unit { random.between(1, UNIT_MAX) } else { 1 };
    let answered = random.percent(50);
    client.unit += 1;
    let mut calls = Vec::new();
    let mut refused = false;
    for number in 0..wanted {
        let put = Put {
            putter: orders.number,
            sequence: orders.work.sequence + tried + number,
            length: if random.percent(orders.work.large) {
                random.between(70_000, 200_000)
            } else {
                random.between(16, 4_000)
            },
            priority: if random.percent(80) { 4 } else { 9 },
            persistent: random.percent(90),
            in_unit,
            answered: answered || !in_unit,
        };
        let begun = Instant::now();
        match client.put(&put) {
            Ok(call) if put.answered => client.recorder.ok(call, Outcome::Done),
            Ok(call) => calls.push(call),
            Err(reason) if orders.work.room_may_lack && is_lack_of_room(reason) => {
                note_refusal(&orders.longest_refusal, begun);
                refused = true;
                break;
            }
            Err(reason) => return Err(reason),
        }
    }
    if in_unit {
        // A put without an answer that was refused makes the commit fail; nothing of the unit stands then.
        let stands = !refused && random.percent(85);
        let begun = Instant::now();
        match client.end_unit(stands, &calls) {
            Err(reason) if orders.work.room_may_lack && is_lack_of_room(reason) => {
                note_refusal(&orders.longest_refusal, begun);
                refused = true;
                client.end_unit(false, &[])?
            }
            other => other?,
        }
    }
    if refused {
        orders.refusals.fetch_add(1, Ordering::Relaxed);
        thread::sleep(Duration::from_millis(5));
    }
    Ok(wanted)
}

/// A get, or a unit of work of gets; how many calls it was.
fn get_some(client: &mut Client, orders: &mut Orders) -> Result<u64, Reason> {
    let random = &mut orders.random;
    client.queue = random.index(QUEUES.len());
    let queue = QUEUES[client.queue];
    let in_unit = random.percent(70);
    let wanted = if in_unit { random.between(1, UNIT_MAX) } else { 1 };
    client.unit += 1;
    let mut made = 0;
    while made < wanted {
        made += 1;
        if !client.get(queue, in_unit, if made == 1 { WAIT } else { Wait::No })? {
            break;
        }
    }
    if in_unit {
        client.end_unit(random.percent(85), &[])?;
    }
    Ok(made)
}

pub(super) struct Put {
    pub(super) putter: u32,
    pub(super) sequence: u64,
    pub(super) length: u64,
    pub(super) priority: u8,
    pub(super) persistent: bool,
    pub(super) in_unit: bool,
    pub(super) answered: bool,
}

/// A client that writes down what it asks and is told.
pub(super) struct Client {
    pub(super) connection: Connection,
    handles: Vec<ObjectHandle>,
    pub(super) recorder: Recorder,
    /// Units are counted and never used again.
    unit: u64,
    /// The one it puts to and gets from.
    queue: usize,
    /// True if the queue manager may back out a unit of work by itself, for lack of room.
    may_be_revoked: bool,
}

impl Client {
    /// One for single calls.
    pub(super) fn open(server: &Running, recorder: &Recorder, number: u32) -> Result<Self, Broken> {
        let mut connection = server.connect("client")?;
        let descriptor = ObjectDescriptor::queue(QUEUES[0].parse().expect("a name"));
        let opened = connection
            .open(&descriptor, OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::INQUIRE)
            .map_err(|reason| format!("open {}: {reason}", QUEUES[0]))?;
        let recorder = recorder.for_client(number);
        let handles = vec![opened.handle];
        Ok(Self { connection, handles, recorder, unit: 1, queue: 0, may_be_revoked: false })
    }

    /// The call, whose answer the caller notes: now, or when its unit brings it.
    pub(super) fn put(&mut self, put: &Put) -> Result<RunningCall, Reason> {
        let length = usize::try_from(put.length).expect("it fits in memory");
        let (body, message) = body::make(put.putter, put.sequence, length);
        let action = Action::Put {
            queue: QUEUES[self.queue].to_owned(),
            message,
            priority: put.priority,
            persistent: put.persistent,
            unit: put.in_unit.then_some(self.unit),
        };
        let call = self.recorder.invoke(action);
        let persistence = if put.persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        let mut descriptor = MessageDescriptor {
            persistence,
            priority: Priority::new(put.priority),
            ..MessageDescriptor::default()
        };
        let how = if put.answered { PutFlags::SYNC_RESPONSE } else { PutFlags::ASYNC_RESPONSE };
        let where_to = if put.in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let mut options = PutOptions::with(how | where_to);
        match self.connection.put(self.handles[self.queue], &mut descriptor, &mut options, body.into()) {
            Ok(()) => Ok(call),
            Err(reason) => {
                if reason == Reason::BACKED_OUT || is_lack_of_room(reason) {
                    self.recorder.fail(call, reason.to_string());
                } else {
                    self.recorder.unknown(call);
                }
                Err(reason)
            }
        }
    }

    /// Commits or backs out; a commit answers the puts that were not answered.
    pub(super) fn end_unit(&mut self, stands: bool, calls: &[RunningCall]) -> Result<(), Reason> {
        let unit = self.unit;
        let action = if stands { Action::Commit { unit } } else { Action::Backout { unit } };
        let call = self.recorder.invoke(action);
        let done = if stands { self.connection.commit() } else { self.connection.back() };
        match done {
            // A backout does not say whether it was needed: what the unit held may have been there for others
            // before.
            Ok(()) if !stands && self.may_be_revoked => {
                self.recorder.fail(call, "it is backed out, by either end");
            }
            Ok(()) => {
                if stands {
                    calls.iter().for_each(|call| self.recorder.ok(*call, Outcome::Done));
                }
                self.recorder.ok(call, Outcome::Done);
            }
            Err(reason) if reason == Reason::BACKED_OUT || is_lack_of_room(reason) => {
                self.recorder.fail(call, reason.to_string());
            }
            Err(_) => self.recorder.unknown(call),
        }
        done
    }

    /// Gets a message; true if there was one.
    pub(super) fn get(&mut self, queue: &str, in_unit: bool, wait: Wait) -> Result<bool, Reason> {
        let action =
            Action::Get { queue: queue.to_owned(), unit: in_unit.then_some(self.unit), selective: false };
        let call = self.recorder.invoke(action);
        let flags = if in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let mut options = GetOptions::with(flags, wait);
        let handle = self.handles[self.queue];
        match self.connection.get(handle, &mut MessageDescriptor::default(), &mut options, BODY_BYTES_MAX) {
            Ok(got) => {
                let message = body::identity(&got.body);
                self.recorder.ok(call, message.map_or(Outcome::Unrecognised, Outcome::Message));
                Ok(true)
            }
            Err(Reason::NO_MSG_AVAILABLE) => {
                self.recorder.ok(call, Outcome::Empty);
                Ok(false)
            }
            Err(Reason::BACKED_OUT) => {
                self.recorder.fail(call, Reason::BACKED_OUT.to_string());
                Err(Reason::BACKED_OUT)
            }
            Err(reason) => {
                self.recorder.unknown(call);
                Err(reason)
            }
        }
    }

    fn ask_depth(&mut self, queue: &str) -> Result<(), Broken> {
        let call = self.recorder.invoke(Action::Depth { queue: queue.to_owned() });
        let answer =
            self.connection.inquire(self.handles[self.queue], &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]);
        match answer.as_ref().map(|inquired| inquired.values.as_slice()) {
            Ok([mqi::AttributeValue::Integer(depth)]) => {
                self.recorder.ok(call, Outcome::Depth(u64::try_from(*depth).unwrap_or(u64::MAX)));
                Ok(())
            }
            other => Err(format!("depth of {queue}: {other:?}")),
        }
    }
}
