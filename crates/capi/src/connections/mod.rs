//! The connections of a program, by their handles.
//!
//! Lives here: the table of handles (MQHCONN, 32 bits), the threads that may use each of them and when, and
//! their fate in a child of the program. Lives elsewhere: making a connection (`connecting`), objects and
//! message handles, which are the connection's own and pass through as they are.
//!
//! Always: a handle's number is not given again before all others were; no lock of the table is held during a
//! call; consumers are called with their connection, which no other thread has meanwhile.

mod inside;
mod reach;

pub(crate) use inside::{calling, is_called, is_called_by};
pub(crate) use reach::Reach;

use crate::layout::MQHCONN;
use crate::process::{OfGeneration, thread_number};
use callbacks::Consuming;
use mqi::constants::{MQCNO_HANDLE_SHARE_BLOCK, MQCNO_HANDLE_SHARE_NO_BLOCK, MQCNO_HANDLE_SHARE_NONE};
use mqi::{Reason, Verbs};
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

/// Most connections of a program. Each has a socket; programs run out of those first.
const CONNECTIONS_MAX: usize = 100_000;

/// Threads that may use a handle (`MQCNO_HANDLE_SHARE_`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Share {
    /// The thread that connected.
    None,
    /// Every thread; one that comes during a call of another waits.
    Block,
    /// Every thread; one that comes during a call of another is refused.
    NoBlock,
}

impl Share {
    /// Takes it from the options of a connect call, where none is `None`.
    ///
    /// # Errors
    /// `MQRC_OPTIONS_ERROR` for more than one.
    pub(crate) fn of_options(options: i32) -> Result<Self, Reason> {
        let all = MQCNO_HANDLE_SHARE_NONE | MQCNO_HANDLE_SHARE_BLOCK | MQCNO_HANDLE_SHARE_NO_BLOCK;
        match options & all {
            0 | MQCNO_HANDLE_SHARE_NONE => Ok(Self::None),
            MQCNO_HANDLE_SHARE_BLOCK => Ok(Self::Block),
            MQCNO_HANDLE_SHARE_NO_BLOCK => Ok(Self::NoBlock),
            _ => Err(Reason::OPTIONS_ERROR),
        }
    }
}

/// Pointer that the program gave MQCTL for its consumers, or that a consumer left there for all.
pub(crate) type Area = Arc<AtomicPtr<u8>>;

/// A connection that a program holds a handle of.
pub(crate) struct Connection {
    share: Share,
    /// The number of the thread that connected.
    owner: u64,
    /// Place that it connected to, so that a thread which connects there again is given the same handle.
    place: String,
    /// True if a thread is in a call, where others are not to wait.
    is_in_call: AtomicBool,
    /// Pointer that the program passes to its consumers.
    area: Area,
    verbs: callbacks::Connection<Reach>,
}

/// Number of parts of the table: calls of connections in different parts do not meet.
const PARTS: usize = 64;

/// A part of the table, in cache lines of its own.
#[derive(Default)]
#[repr(align(128))]
struct Part(RwLock<BTreeMap<MQHCONN, Arc<Connection>>>);

/// Numbers that connections were given.
#[derive(Default)]
struct Given {
    last: MQHCONN,
    connections: usize,
}

/// The connections by their numbers.
struct Table {
    parts: Box<[Part]>,
    given: Mutex<Given>,
}

impl Default for Table {
    fn default() -> Self {
        Self { parts: (0..PARTS).map(|_| Part::default()).collect(), given: Mutex::default() }
    }
}

impl Table {
    /// The connections among which one of this number is.
    fn part(&self, number: MQHCONN) -> &RwLock<BTreeMap<MQHCONN, Arc<Connection>>> {
        &self.parts[number.unsigned_abs() as usize % PARTS].0
    }
}

/// The table of this process, and of those it was forked from.
static TABLES: OfGeneration<Table> = OfGeneration::new();

fn table() -> &'static Table {
    TABLES.get()
}

/// Gives a new connection a handle.
///
/// # Errors
/// `MQRC_MAX_CONNS_LIMIT_REACHED`.
pub(crate) fn add(verbs: Reach, share: Share, place: String) -> Result<MQHCONN, Reason> {
    let connection = Connection {
        share,
        owner: thread_number(),
        place,
        is_in_call: AtomicBool::new(false),
        area: Area::default(),
        verbs: callbacks::Connection::new(verbs),
    };
    let table = table();
    let mut given = table.given.lock();
    if given.connections >= CONNECTIONS_MAX {
        return Err(Reason::MAX_CONNS_LIMIT_REACHED);
    }
    let mut number = given.last;
    loop {
        number = number.checked_add(1).unwrap_or(1);
        if !table.part(number).read().contains_key(&number) {
            break;
        }
    }
    given.last = number;
    given.connections += 1;
    table.part(number).write().insert(number, Arc::new(connection));
    Ok(number)
}

/// The handle that this thread has to a place already, if it does not share it.
pub(crate) fn of_this_thread(place: &str) -> Option<MQHCONN> {
    let this = thread_number();
    let is_it = |connection: &Connection| {
        connection.share == Share::None && connection.owner == this && connection.place == place
    };
    let in_part = |part: &Part| {
        part.0.read().iter().find(|(_, connection)| is_it(connection)).map(|(number, _)| *number)
    };
    table().parts.iter().find_map(in_part)
}

/// Ends a connection; its handle means nothing from then on, after any outcome.
///
/// # Errors
/// `MQRC_HCONN_ERROR` for a handle that is none or another thread's; what the queue manager says of the unit
/// of work.
pub(crate) fn disconnect(number: MQHCONN) -> Result<(), Reason> {
    if is_called_by(number) {
        return Err(Reason::CALL_IN_PROGRESS);
    }
    let entered = enter(number)?;
    let outcome = entered.connection.verbs.clone().disconnect();
    let table = table();
    if table.part(number).write().remove(&number).is_some() {
        table.given.lock().connections -= 1;
    }
    outcome
}

/// A call through a handle, for as long as it lasts.
struct Entered {
    connection: Arc<Connection>,
}

impl Drop for Entered {
    fn drop(&mut self) {
        if self.connection.share == Share::NoBlock {
            self.connection.is_in_call.store(false, Ordering::Release);
        }
    }
}

fn find(number: MQHCONN) -> Result<Arc<Connection>, Reason> {
    let found = table().part(number).read().get(&number).map(Arc::clone);
    let connection = found.ok_or(Reason::HCONN_ERROR)?;
    if connection.share == Share::None && connection.owner != thread_number() {
        return Err(Reason::HCONN_ERROR);
    }
    Ok(connection)
}

fn enter(number: MQHCONN) -> Result<Entered, Reason> {
    let connection = find(number)?;
    let is_refused =
        connection.share == Share::NoBlock && connection.is_in_call.swap(true, Ordering::Acquire);
    if is_refused { Err(Reason::CALL_IN_PROGRESS) } else { Ok(Entered { connection }) }
}

/// Makes a call through a handle.
///
/// # Errors
/// `MQRC_HCONN_ERROR` for a handle that is none or another thread's, `MQRC_CALL_IN_PROGRESS`, and what the
/// call says.
pub(crate) fn with<T>(
    number: MQHCONN,
    call: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>,
) -> Result<T, Reason> {
    let mut call = Some(call);
    let called = inside::with(number, |consuming| call.take().map(|call| call(consuming)));
    match (called.flatten(), call) {
        (Some(outcome), _) => outcome,
        (None, Some(call)) => call(&mut enter(number)?.connection.verbs.clone()),
        (None, None) => Err(Reason::UNEXPECTED_ERROR),
    }
}

/// Returns the pointer that the program passes to the consumers of a connection.
///
/// # Errors
/// As of [`with`].
pub(crate) fn area(number: MQHCONN) -> Result<Area, Reason> {
    if is_called_by(number) {
        let found = table().part(number).read().get(&number).map(|connection| Arc::clone(&connection.area));
        return found.ok_or(Reason::HCONN_ERROR);
    }
    find(number).map(|connection| Arc::clone(&connection.area))
}

/// Access of a call about consumers to its connection.
pub(crate) enum Consumers<'a> {
    /// From a consumer of that connection.
    Inside(&'a mut dyn Consuming),
    /// From anywhere else.
    Outside(&'a callbacks::Connection<Reach>),
}

/// Makes a call that is about consumers; one that waits for them does not keep others out.
///
/// # Errors
/// As of [`with`].
pub(crate) fn with_consumers<T>(
    number: MQHCONN,
    call: impl FnOnce(Consumers<'_>) -> Result<T, Reason>,
) -> Result<T, Reason> {
    let mut call = Some(call);
    let called = inside::with(number, |consuming| call.take().map(|call| call(Consumers::Inside(consuming))));
    match (called.flatten(), call) {
        (Some(outcome), _) => outcome,
        (None, Some(call)) => call(Consumers::Outside(&find(number)?.verbs)),
        (None, None) => Err(Reason::UNEXPECTED_ERROR),
    }
}
