//! The queue of logins whose credentials are to be proved, of other work, and of refusals that are answered
//! later.
//!
//! Lives here: what waits, and the order in which it is taken. Lives elsewhere: the threads that take it
//! (`logins`).
//!
//! Always: each kind has a bound; logins and other work go on in turns.

use std::collections::VecDeque;
use std::sync::Weak;
use std::time::Instant;

use agents::{AwaitsVerdict, Denial, Login, Work};
use queue_manager::ConnAuth;

/// Most logins that wait for a thread: as many as these prove within the time that a login has.
pub(super) const WAITING_MAX: usize = 512;

/// Most pieces of other work that wait for a thread: about as many as are done in a tenth of a second. A
/// frame that finds no place goes as it is.
pub(super) const WORKS_MAX: usize = 64;

/// Most refused logins whose answers are put off. One more is answered at once, and its connection ends.
pub(super) const DELAYED_MAX: usize = 2_000;

/// A login whose password is to be proved.
pub(super) struct Proof {
    pub(super) login: Login,
    pub(super) terms: ConnAuth,
    pub(super) waits: Weak<dyn AwaitsVerdict>,
}

/// A refusal that is answered later.
pub(super) struct Delayed {
    pub(super) at: Instant,
    pub(super) waits: Weak<dyn AwaitsVerdict>,
    pub(super) denial: Box<Denial>,
}

/// A task of these threads.
pub(super) enum Task {
    Proof(Box<Proof>),
    Work(Work),
}

/// The queue of these threads.
pub(super) struct LoginQueue {
    pub(super) waiting: VecDeque<Proof>,
    /// Work of other kinds.
    pub(super) works: VecDeque<Work>,
    /// True if the last turn was that of a proof: both kinds go on, however much of one waits.
    proved_last: bool,
    pub(super) delayed: Vec<Delayed>,
    pub(super) look_at: Instant,
    pub(super) has_ended: bool,
}

impl LoginQueue {
    /// A queue in which nothing waits.
    pub(super) const fn new(look_at: Instant) -> Self {
        Self {
            waiting: VecDeque::new(),
            works: VecDeque::new(),
            proved_last: false,
            delayed: Vec::new(),
            look_at,
            has_ended: false,
        }
    }

    /// The next refusal that is due.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Delayed> {
        let place = self.delayed.iter().position(|one| one.at <= now)?;
        Some(self.delayed.swap_remove(place))
    }

    /// The next proof, or work of another kind, in turns.
    pub(super) fn take_turn(&mut self) -> Option<Task> {
        let proof_first = !self.proved_last || self.works.is_empty();
        let proof = if proof_first { self.waiting.pop_front() } else { None };
        self.proved_last = proof.is_some();
        proof.map(|proof| Task::Proof(Box::new(proof))).or_else(|| self.works.pop_front().map(Task::Work))
    }

    /// The moment at which something is due though nothing comes.
    pub(super) fn next_at(&self) -> Instant {
        self.delayed.iter().map(|one| one.at).min().map_or(self.look_at, |at| at.min(self.look_at))
    }
}
