//! A reactor as other threads see it: something to note connections in, and to wake.
//!
//! A thread with news for a connection notes it once; the reactor takes all notes at its next turn. The
//! wake-up itself (a system call) happens only when the reactor sleeps, and then once.

use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::time::Duration;

use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::dial::Dialling;
use crate::handler::Accepted;
use crate::listener::{Listener, ListenerId};
use crate::socket::Socket;

/// Longest wait for a reactor to take a change to its listeners. One that has ended takes none.
const LISTENING_WITHIN: Duration = Duration::from_secs(5);

/// Names a connection of a reactor; never used again for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ConnectionId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

/// Something that another thread gives a reactor.
#[derive(Debug)]
pub(crate) enum Arrival {
    /// A socket that a sibling accepted.
    Socket(Socket, Accepted),
    /// One more listener. Dropping the sender tells that it is served.
    Listener(ListenerId, Listener, Sender<()>),
    /// The end of a listener. Dropping the sender tells that it is gone.
    End(ListenerId, Sender<()>),
    /// A connection to be opened.
    Dial(Dialling),
}

/// Ends a reactor's sleep.
pub(crate) trait Rouse {
    /// Ends it, or keeps the next one from beginning.
    fn rouse(&self);
}

impl Rouse for mio::Waker {
    fn rouse(&self) {
        // The only failure is a full counter, and then the reactor is being woken already.
        let _ = self.wake();
    }
}

/// The part of a reactor that all threads share.
#[derive(Debug)]
pub(crate) struct Shared<W = mio::Waker> {
    /// Set before the reactor looks for notes a last time and sleeps; the thread that clears it must wake the
    /// reactor.
    sleeping: AtomicBool,
    /// True if something below is not empty, or a thread called [`Remote::wake`].
    pending: AtomicBool,
    noted: Mutex<Vec<ConnectionId>>,
    arrived: Mutex<Vec<Arrival>>,
    /// Turns that the reactor ended; written by the reactor alone.
    turns: AtomicU64,
    waker: W,
}

impl<W: Rouse> Shared<W> {
    pub(crate) fn new(waker: W) -> Self {
        Self {
            sleeping: AtomicBool::new(false),
            pending: AtomicBool::new(false),
            noted: Mutex::default(),
            arrived: Mutex::default(),
            turns: AtomicU64::new(0),
            waker,
        }
    }

    fn wake(&self) {
        self.pending.swap(true, Ordering::SeqCst);
        if self.sleeping.swap(false, Ordering::SeqCst) {
            self.waker.rouse();
        }
    }

    /// Returns true if there is something to take.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.load(Ordering::SeqCst)
    }

    /// Counts a turn that ended.
    pub(crate) fn turned(&self) {
        self.turns.store(self.turns.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    }

    /// Announces a sleep; false when there is something to take first.
    pub(crate) fn may_sleep(&self) -> bool {
        // A swap, as in `wake`: the later of the two sees the flag of the earlier, or what it did before.
        self.sleeping.swap(true, Ordering::SeqCst);
        if self.is_pending() {
            self.sleeping.store(false, Ordering::SeqCst);
            return false;
        }
        true
    }

    pub(crate) fn awake(&self) {
        self.sleeping.store(false, Ordering::SeqCst);
    }

    /// Takes the connections noted, into an empty list; leaves all that arrived.
    pub(crate) fn take_noted(&self, noted: &mut Vec<ConnectionId>) {
        if !self.pending.swap(false, Ordering::SeqCst) {
            return;
        }
        std::mem::swap(&mut *self.noted.lock(), noted);
        if !self.arrived.lock().is_empty() {
            self.pending.store(true, Ordering::SeqCst);
        }
    }

    /// Takes the connections noted, into an empty list, and all that arrived.
    pub(crate) fn take(&self, noted: &mut Vec<ConnectionId>) -> Vec<Arrival> {
        if !self.pending.swap(false, Ordering::SeqCst) {
            return Vec::new();
        }
        std::mem::swap(&mut *self.noted.lock(), noted);
        std::mem::take(&mut *self.arrived.lock())
    }
}

/// A handle by which other threads reach a reactor.
#[derive(Clone, Debug)]
pub struct Remote {
    pub(crate) shared: Arc<Shared>,
}

impl Remote {
    /// Makes the reactor take a turn, which ends with `Handler::end_of_tick`.
    pub fn wake(&self) {
        self.shared.wake();
    }

    /// Counts the turns that the reactor ended. One that is woken and ends none hangs.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.shared.turns.load(Ordering::Relaxed)
    }

    /// Makes the reactor serve the programs that connect to one more listener. Waits until it does; not for
    /// the reactor's own thread.
    pub fn listen(&self, id: ListenerId, listener: Listener) {
        self.change(|done| Arrival::Listener(id, listener, done));
    }

    /// Makes the reactor accept no more by a listener. Waits until it does not; not for the reactor's own
    /// thread.
    pub fn stop_listening(&self, id: ListenerId) {
        self.change(|done| Arrival::End(id, done));
    }

    fn change(&self, change: impl FnOnce(Sender<()>) -> Arrival) {
        let (done, dropped) = mpsc::channel();
        self.shared.arrived.lock().push(change(done));
        self.shared.wake();
        // The reactor tells by dropping the other end; one that has ended tells nothing.
        let _ = dropped.recv_timeout(LISTENING_WITHIN);
    }

    /// Makes the reactor open a connection. Its handler is given the outcome.
    pub fn dial(&self, dialling: Dialling) {
        self.shared.arrived.lock().push(Arrival::Dial(dialling));
        self.shared.wake();
    }

    /// Gives the reactor a socket another one accepted.
    pub(crate) fn give(&self, socket: Socket, accepted: Accepted) {
        self.shared.arrived.lock().push(Arrival::Socket(socket, accepted));
        self.shared.wake();
    }
}

/// Notes one connection with its reactor, from any thread.
#[derive(Debug)]
#[expect(private_bounds, reason = "others know it as `Wake` alone")]
pub struct Wake<W: Rouse = mio::Waker> {
    id: ConnectionId,
    noted: AtomicBool,
    shared: Arc<Shared<W>>,
}

#[expect(private_bounds, reason = "others know it as `Wake` alone")]
impl<W: Rouse> Wake<W> {
    pub(crate) fn new(id: ConnectionId, shared: Arc<Shared<W>>) -> Self {
        Self { id, noted: AtomicBool::new(false), shared }
    }

    /// There is news for the connection: it will be among those touched in the reactor's next turn.
    pub fn wake(&self) {
        if !self.noted.swap(true, Ordering::AcqRel) {
            self.shared.noted.lock().push(self.id);
            self.shared.wake();
        }
    }

    /// The reactor takes the note; news from now on is noted again.
    pub(crate) fn taken(&self) {
        self.noted.store(false, Ordering::Release);
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
