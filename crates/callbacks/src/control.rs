//! The state of calling consumers, and how MQCTL changes it.
//!
//! Lives here: the mode, the callback that runs, and what a request of either does to them. Lives elsewhere:
//! the threads and their waits (`connection`), the calls themselves (`consumer_thread`).
//!
//! Always: requests of one connection act one after the other, and a callback with all its requests counts as
//! one of them. So each order of requests has the outcome that some order without overlaps would have.
//!
//! # Modes
//!
//! | request of the program | Stopped | Started | Suspended |
//! |---|---|---|---|
//! | START | becomes Started | 2500 | 2534 |
//! | `START_WAIT` | becomes Started | 2534 | 2534 |
//! | SUSPEND | 2534 | becomes Suspended | stays |
//! | RESUME | 2534 | stays | becomes Started |
//! | STOP | stays | becomes Stopped | becomes Stopped |
//! | other verbs, MQCB | allowed | 2500 | allowed |
//! | MQDISC | allowed | stops first | stops first |
//!
//! # Requests beside a callback
//!
//! While a callback runs, requests of other threads wait for its return:
//!
//! | request | acts | returns |
//! |---|---|---|
//! | STOP, SUSPEND, MQDISC | at once: no other callback is called | when it has returned |
//! | RESUME | when it has returned, since it may yet suspend | then |
//! | START, `START_WAIT` | when its stop or suspension has come about; without one they are refused | then |
//! | other verbs, MQCB | likewise | when they are done |
//!
//! # Requests of a callback
//!
//! They take effect when the callback returns. Until then it can take back its own, and nothing that
//! another thread has requested meanwhile. They are judged by the mode at its call and its own requests:
//!
//! | request of a callback | effect |
//! |---|---|
//! | STOP | stops |
//! | START | takes back its STOP; no effect while started; else 2534 |
//! | SUSPEND | suspends; 2534 after a stop |
//! | RESUME | takes back its SUSPEND; no effect while started; else 2534 |
//! | `START_WAIT` | 2012 |
//! | MQDISC | 2219 |
//!
//! If the program and the callback request different modes meanwhile, the connection is stopped if either
//! has stopped it, and suspended if either has suspended it. A callback that another calls (MQCB that
//! registers) is a part of that one.
//!
//! A callback that waits for a thread in MQCTL of its own connection waits for ever, as that thread waits
//! for the callback. MQCTL on the thread of the callback, through another clone of the connection, is
//! refused (2219).
//!
//! Facts: IBM MQ documentation, "MQCTL - Control callbacks": a STOP or SUSPEND of a callback takes effect
//! when it returns, one from outside returns when the running callback has; RESUME of a callback takes back
//! a SUSPEND of the same callback, START a STOP. "2534 `MQRC_OPERATION_NOT_ALLOWED`" has the refused pairs.
//! That RESUME waits as well follows from programs: a callback passes its message to another thread and then
//! suspends, and that thread resumes when it is done, which may be before.

#[cfg(not(feature = "loom"))]
use std::thread;

use mqi::Reason;
#[cfg(feature = "loom")]
use platform::sync::loom::thread;

/// The state of calling consumers; a later one prevails over an earlier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Mode {
    Started,
    Suspended,
    #[default]
    Stopped,
}

/// A request of a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Start,
    Stop,
    Suspend,
    Resume,
}

/// The mode and the callback that runs.
#[derive(Default)]
pub(crate) struct Control {
    /// Requested by the program, and by callbacks that have returned.
    mode: Mode,
    running: Option<Running>,
    /// Callbacks that have returned.
    returned: u64,
}

/// A callback that has not returned.
struct Running {
    thread: thread::ThreadId,
    /// Number of callbacks that it is in, each called by the one before.
    depth: u32,
    /// The mode at its call, by which its requests are judged.
    before: Mode,
    /// The mode that it has requested.
    requested: Mode,
}

/// A callback to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Return(u64);

impl Control {
    /// The mode if the callback that runs requests nothing more.
    pub(crate) fn mode(&self) -> Mode {
        self.running.as_ref().map_or(self.mode, |running| self.mode.max(running.requested))
    }

    /// Takes a request of the program. A stop or a suspension holds at once, a resumption only while no
    /// callback runs.
    pub(crate) fn set(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// Suspends, as the program requests.
    pub(crate) fn suspend(&mut self) -> Result<(), Reason> {
        if self.mode == Mode::Stopped {
            return Err(Reason::OPERATION_NOT_ALLOWED);
        }
        self.mode = Mode::Suspended;
        Ok(())
    }

    /// Stops unless the program or a callback has suspended meanwhile. Returns whether it has stopped.
    pub(crate) fn stop_if_started(&mut self) -> bool {
        let is_started = self.mode == Mode::Started;
        if is_started {
            self.mode = Mode::Stopped;
        }
        is_started
    }

    /// Takes a request of the callback that runs.
    ///
    /// # Errors
    /// `OPERATION_NOT_ALLOWED` as in the table above.
    pub(crate) fn request(&mut self, request: Request) -> Result<(), Reason> {
        let running = self.running.as_mut().expect("only a callback has this access");
        let mode = running.before.max(running.requested);
        running.requested = match (request, running.requested) {
            (Request::Stop, _) => Mode::Stopped,
            (Request::Suspend, _) if mode != Mode::Stopped => Mode::Suspended,
            (Request::Start | Request::Resume, requested) if mode == Mode::Started => requested,
            (Request::Start, Mode::Stopped) if running.before == Mode::Started => Mode::Started,
            (Request::Resume, Mode::Suspended) if mode == Mode::Suspended => Mode::Started,
            _ => return Err(Reason::OPERATION_NOT_ALLOWED),
        };
        Ok(())
    }

    /// Notes that this thread calls a callback.
    pub(crate) fn enter(&mut self) {
        let thread = thread::current().id();
        let running = Running { thread, depth: 0, before: self.mode, requested: Mode::Started };
        self.running.get_or_insert(running).depth += 1;
    }

    /// Notes that the callback has returned; its requests take effect. Returns whether they have stopped.
    pub(crate) fn leave(&mut self) -> bool {
        let running = self.running.as_mut().expect("it was entered");
        running.depth -= 1;
        if running.depth > 0 {
            return false;
        }
        let after = self.mode();
        let before = std::mem::replace(&mut self.mode, after);
        self.running = None;
        self.returned += 1;
        before != after && after == Mode::Stopped
    }

    /// Notes that the connection is lost with the thread that has it.
    pub(crate) fn lose(&mut self) {
        self.mode = Mode::Stopped;
        if self.running.take().is_some() {
            self.returned += 1;
        }
    }

    /// The callback that runs, if any.
    pub(crate) fn running(&self) -> Option<Return> {
        self.running.as_ref().map(|_| Return(self.returned))
    }

    /// True if this callback runs still.
    pub(crate) fn runs(&self, callback: Return) -> bool {
        self.running() == Some(callback)
    }

    /// True if the callback runs on this thread.
    pub(crate) fn runs_here(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.thread == thread::current().id())
    }
}
