//! The one choke point between what the engine knows and what the outside may know.
//!
//! An operation changes memory at once and says how far the log must be durable before anyone outside may hear of
//! it: its own record, and any not yet durable record it observed. A [`Gated`] value gives itself up only against
//! proof of durability, and the answer to a put whose message was handed over without the log
//! not before that is decided.

use std::sync::Arc;

use storage::{Durable, Lsn};

use crate::hand_over::Decision;

/// A value that must not leave the queue manager before the log is durable to `need`.
#[derive(Clone, Debug)]
#[must_use = "a gated value is an answer somebody waits for"]
pub struct Gated<T> {
    need: Lsn,
    /// The hand-over that must be decided besides, and then needs what it came to.
    awaits: Option<Arc<Decision>>,
    value: T,
}

/// What a verb answers: gated, whether it succeeded or not, because a refusal is an observation too.
pub type Outcome<T> = Gated<Result<T, mqi::Reason>>;

impl<T> Gated<T> {
    /// A value that depends on the log up to `need`.
    pub fn new(need: Lsn, value: T) -> Self {
        Self { need, awaits: None, value }
    }

    /// A value that depends on nothing.
    pub fn free(value: T) -> Self {
        Self { need: Lsn::ZERO, awaits: None, value }
    }

    /// How far the log must be durable, as far as that is decided.
    pub fn need(&self) -> Lsn {
        let decided = self.awaits.as_ref().and_then(|decision| decision.need());
        self.need.max(decided.unwrap_or(Lsn::ZERO))
    }

    /// Whether it waits for a message to be with its getter, besides the log.
    pub fn awaits_getter(&self) -> bool {
        self.awaits.as_ref().is_some_and(|decision| decision.need().is_none())
    }

    /// Gives the value up against proof, or itself back.
    pub fn open(self, proof: Durable) -> Result<T, Self> {
        if self.is_open(proof) { Ok(self.value) } else { Err(self) }
    }

    /// The value where it lies, against proof.
    pub fn opened(&mut self, proof: Durable) -> Option<&mut T> {
        self.is_open(proof).then_some(&mut self.value)
    }

    fn is_open(&self, proof: Durable) -> bool {
        !self.awaits_getter() && self.need() <= proof.lsn()
    }

    /// The value to look at within the queue manager.
    pub(crate) fn value(&self) -> &T {
        &self.value
    }

    /// The value for use within the queue manager, where nothing waits for durability.
    pub(crate) fn into_inner(self) -> T {
        self.value
    }

    /// Changes the value, keeps the need: encoding a reply frame, for example.
    #[inline]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Gated<U> {
        Gated { need: self.need, awaits: self.awaits, value: change(self.value) }
    }

    /// Raises the need.
    pub fn and_needs(self, other: Lsn) -> Self {
        Self { need: self.need.max(other), ..self }
    }

    /// Waits for a hand-over to be decided, too.
    pub(crate) fn and_awaits(self, decision: Arc<Decision>) -> Self {
        Self { awaits: Some(decision), ..self }
    }
}
