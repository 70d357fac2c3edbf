//! The request to end, on its way to the threads that act on it.

use std::sync::OnceLock;

use platform::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use platform::sync::{Condvar, Mutex};
use rustix::process::Signal;
use serde::{Deserialize, Serialize};
use transport::Remote;

/// Signal that ends a queue manager once the calls under way have ended.
/// [`instances::signal`](crate::instances::signal) sends it to one that accepts no more programs, since it
/// waits for its programs.
pub(crate) const END_IMMEDIATELY: Signal = Signal::USR1;

/// Way of ending a queue manager, from patient to urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// When its programs have disconnected.
    Quiesce,
    /// When the calls under way have ended.
    Immediate,
    /// At once.
    Preemptive,
}

impl Mode {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Quiesce => "quiesce",
            Self::Immediate => "immediate",
            Self::Preemptive => "preemptive",
        }
    }
}

impl From<channel::StopMode> for Mode {
    fn from(mode: channel::StopMode) -> Self {
        match mode {
            channel::StopMode::Quiesce => Self::Quiesce,
            channel::StopMode::Immediate => Self::Immediate,
            channel::StopMode::Preemptive => Self::Preemptive,
        }
    }
}

/// Demand of the end on the reactors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Nothing.
    Runs,
    /// No new connections.
    Refuses,
    /// Last answers, then the end.
    Finishes,
    /// The end.
    Ends,
}

/// A sleeper that must look at the phase when it changes.
pub(crate) trait Wakes {
    /// Makes it look.
    fn wake(&self);
}

impl Wakes for Remote {
    fn wake(&self) {
        Self::wake(self);
    }
}

/// The end of a queue manager: any thread may ask for it, and its keeper brings it about.
pub struct Ending<R = Remote> {
    asked: Mutex<Option<(Mode, String)>>,
    changed: Condvar,
    /// True once there is a wish in `asked`, for threads that may wait for no lock.
    is_asked: AtomicBool,
    phase: AtomicU8,
    reactors: OnceLock<Vec<R>>,
}

impl<R> Default for Ending<R> {
    fn default() -> Self {
        Self {
            asked: Mutex::default(),
            changed: Condvar::new(),
            is_asked: AtomicBool::new(false),
            phase: AtomicU8::new(Phase::Runs as u8),
            reactors: OnceLock::new(),
        }
    }
}

impl<R> Ending<R> {
    /// Asks for the end; `by` is for the error log. A less urgent wish than one before changes nothing.
    pub fn ask(&self, mode: Mode, by: &str) {
        let mut asked = self.asked.lock();
        if asked.as_ref().is_none_or(|(before, _)| *before < mode) {
            *asked = Some((mode, by.to_owned()));
        }
        self.is_asked.store(true, Ordering::Release);
        drop(asked);
        self.changed.notify_all();
    }

    /// True if the end was asked for.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.is_asked.load(Ordering::Acquire)
    }

    pub(crate) fn attend(&self, reactors: Vec<R>) {
        assert!(self.reactors.set(reactors).is_ok(), "the reactors are known once");
    }

    pub(crate) fn wait(&self) -> (Mode, String) {
        let mut asked = self.asked.lock();
        loop {
            match &*asked {
                Some(wish) => return wish.clone(),
                None => self.changed.wait(&mut asked),
            }
        }
    }

    pub(crate) fn more_urgent_than(&self, mode: Mode) -> Option<(Mode, String)> {
        self.asked.lock().clone().filter(|(asked, _)| *asked > mode)
    }

    pub(crate) fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Acquire) {
            0 => Phase::Runs,
            1 => Phase::Refuses,
            2 => Phase::Finishes,
            _ => Phase::Ends,
        }
    }

    /// Begins a phase, and has the reactors see it.
    pub(crate) fn enter(&self, phase: Phase)
    where
        R: Wakes,
    {
        self.phase.store(phase as u8, Ordering::Release);
        for reactor in self.reactors.get().into_iter().flatten() {
            reactor.wake();
        }
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
