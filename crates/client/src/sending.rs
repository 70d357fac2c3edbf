//! The turn to send on a socket that several threads write to.
//!
//! One thread sends at a time. Another that wants something sent meanwhile leaves it to that one, instead of
//! waiting for its system call.
//!
//! Lives here: the choice of that thread. Lives elsewhere: the output, and the wish to send it (`link`).
//!
//! Always: a thread that has not returned yet sends the wanted output, or soon the flusher, which may not
//! stay. A thread marks its wish before it asks for the turn; the thread with the turn checks for more after
//! it has given it up.

use platform::sync::{Mutex, MutexGuard};

/// Most attempts of a thread that must not stay to send output that others leave to it meanwhile.
const ATTEMPTS_MAX: u32 = 8;

/// The turn to send, with what is on its way.
#[derive(Debug)]
pub(crate) struct Sending<S> {
    sender: Mutex<S>,
}

impl<S> Sending<S> {
    pub(crate) fn new(sender: S) -> Self {
        Self { sender: Mutex::new(sender) }
    }

    /// The turn, unless another thread has it: to look, while no thread can want anything.
    pub(crate) fn try_turn(&self) -> Option<MutexGuard<'_, S>> {
        self.sender.try_lock()
    }

    /// Calls `attempt` unless another thread has the turn, for a thread that must not stay. Calls it again
    /// when more is wanted by then, unless it returns false, as no more leaves now, or has been called often.
    pub(crate) fn attempt(&self, is_wanted: impl Fn() -> bool, mut attempt: impl FnMut(&mut S) -> bool) {
        for _ in 0..ATTEMPTS_MAX {
            let Some(mut sender) = self.sender.try_lock() else { return };
            let goes_on = attempt(&mut sender);
            drop(sender);
            if !goes_on || !is_wanted() {
                return;
            }
        }
    }

    /// Calls `send` as long as anything is wanted, or leaves that to the sending thread. A thread that
    /// `waits_for_turn` does not leave it: gathered output has a bound.
    pub(crate) fn send_wanted<E>(
        &self,
        waits_for_turn: bool,
        is_wanted: impl Fn() -> bool,
        mut send: impl FnMut(&mut S) -> Result<(), E>,
    ) -> Result<(), E> {
        loop {
            let turn = self.sender.try_lock();
            let Some(mut sender) = turn.or_else(|| waits_for_turn.then(|| self.sender.lock())) else {
                return Ok(());
            };
            while is_wanted() {
                send(&mut sender)?;
            }
            drop(sender);
            if !is_wanted() {
                return Ok(());
            }
        }
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
