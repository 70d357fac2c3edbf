//! The one choke point between what the engine knows and what the outside may know.
//!
//! An operation changes memory at once and returns the position to which the log must be durable before the
//! outside may learn of it: that of its own record, and of any not yet durable record it observed. A
//! [`Gated`] value gives itself up only against proof of durability. The answer to a put whose message was
//! handed over without the log also waits until the hand-over is decided.
//!
//! Always: a gated value leaves the queue manager through [`Gated::open`] and [`Gated::opened`] alone. Its
//! holder outside may change it behind the gate, by a closure that can carry nothing away ([`Gated::map`]),
//! and learns only the facts that are named here: success or failure ([`Gated::split`]), and what the books
//! of credit and of memory need (`message::CreditUse`, the bytes of a body).

use std::sync::Arc;

use mqi::Reason;
use storage::{Durable, Lsn};

use crate::ground::decision::Decision;

/// A value that must not leave the queue manager before the log is durable to `need`.
#[derive(Clone, Debug)]
#[must_use = "a gated value is an answer somebody waits for"]
pub struct Gated<T> {
    need: Lsn,
    /// The hand-over that must be decided besides; the value then needs its result.
    awaits: Option<Arc<Decision>>,
    value: T,
}

/// Outcome of a verb: gated even if it failed, because a refusal is an observation too.
pub type Outcome<T> = Gated<Result<T, Reason>>;

/// The doors behind the gate, for the queue manager itself: they hand the value out before the log is
/// durable.
///
/// Always: the crate `queue-manager`, which alone depends on this one, shows the trait to nobody.
pub trait BehindGate {
    /// The gated value.
    type Value;

    /// The value to look at within the queue manager.
    fn value(&self) -> &Self::Value;

    /// The value for use within the queue manager, where nothing waits for durability.
    fn into_inner(self) -> Self::Value;

    /// Changes the value within the queue manager, with anything at hand.
    fn changed<U>(self, change: impl FnOnce(Self::Value) -> U) -> Gated<U>;
}

impl<T> BehindGate for Gated<T> {
    type Value = T;

    #[inline]
    fn value(&self) -> &T {
        &self.value
    }

    #[inline]
    fn into_inner(self) -> T {
        self.value
    }

    #[inline]
    fn changed<U>(self, change: impl FnOnce(T) -> U) -> Gated<U> {
        Gated { need: self.need, awaits: self.awaits, value: change(self.value) }
    }
}

impl<T> Gated<T> {
    /// A value that depends on the log up to `need`.
    #[inline]
    pub fn new(need: Lsn, value: T) -> Self {
        Self { need, awaits: None, value }
    }

    /// A value that depends on nothing.
    #[inline]
    pub fn free(value: T) -> Self {
        Self { need: Lsn::ZERO, awaits: None, value }
    }

    /// Position to which the log must be durable, as far as that is decided.
    #[inline]
    pub fn need(&self) -> Lsn {
        let decided = self.awaits.as_ref().and_then(|decision| decision.need());
        self.need.max(decided.unwrap_or(Lsn::ZERO))
    }

    /// True if it waits for a message to be with its getter, besides the log.
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

    /// The value to change within the queue manager.
    pub(crate) fn value_mut(&mut self) -> &mut T {
        &mut self.value
    }

    /// Changes the value, keeps the need: encoding a reply frame, for example.
    ///
    /// The closure holds copies of plain data alone, so that it cannot carry the value out before the gate is
    /// open.
    ///
    /// ```
    /// # use queues::gate::Gated;
    /// let request = 7;
    /// let reply = Gated::free(3).map(move |depth| (request, depth));
    /// ```
    ///
    /// A variable outside:
    ///
    /// ```compile_fail,E0594
    /// # use queues::gate::Gated;
    /// let mut depth = 0;
    /// let _ = Gated::free(3).map(|value| depth = value);
    /// ```
    ///
    /// A cell that is borrowed:
    ///
    /// ```compile_fail,E0597
    /// # use queues::gate::Gated;
    /// let depth = std::cell::Cell::new(0);
    /// let _ = Gated::free(3).map(|value| depth.set(value));
    /// ```
    ///
    /// A cell that is shared:
    ///
    /// ```compile_fail,E0277
    /// # use queues::gate::Gated;
    /// let depth = std::sync::Arc::new(std::sync::Mutex::new(0));
    /// let _ = Gated::free(3).map(move |value| *depth.lock().unwrap() = value);
    /// ```
    #[inline]
    pub fn map<U>(self, change: impl Fn(T) -> U + Copy + 'static) -> Gated<U> {
        self.changed(change)
    }

    /// Puts something beside the value that is to go with it, such as the room that it takes.
    pub fn beside<U>(self, other: U) -> Gated<(T, U)> {
        self.changed(|value| (value, other))
    }

    /// Brings something in behind the gate, for [`map`](Self::map): through it a value could get out.
    #[cfg(feature = "judge")]
    pub fn with<U>(self, brought: U) -> Gated<(T, U)> {
        self.changed(|value| (value, brought))
    }

    /// Returns the need and the value, before the outside may know.
    #[cfg(feature = "judge")]
    pub fn judged(self) -> (Lsn, T) {
        (self.need(), self.value)
    }

    /// Keeps the value unless it is withdrawn: then it never leaves.
    pub fn unless(self, is_withdrawn: impl Fn(&T) -> bool + Copy + 'static) -> Option<Self> {
        (!is_withdrawn(&self.value)).then_some(self)
    }

    /// Raises the need.
    #[inline]
    pub fn and_needs(self, other: Lsn) -> Self {
        Self { need: self.need.max(other), ..self }
    }

    /// Raises the need of a value that stays where it is: one that is long costs a copy for each move.
    #[inline]
    pub(crate) fn need_also(&mut self, other: Lsn) {
        self.need = self.need.max(other);
    }

    /// Waits for a hand-over to be decided, too.
    pub(crate) fn and_awaits(self, decision: Arc<Decision>) -> Self {
        Self { awaits: Some(decision), ..self }
    }
}

impl<T, E> Gated<Result<T, E>> {
    /// Separates success from failure. The caller learns at once which it is; the value stays behind its
    /// gate.
    ///
    /// # Errors
    /// The error, as gated as it was.
    pub fn split(self) -> Result<Gated<T>, Gated<E>> {
        let Self { need, awaits, value } = self;
        match value {
            Ok(value) => Ok(Gated { need, awaits, value }),
            Err(value) => Err(Gated { need, awaits, value }),
        }
    }
}

impl<T> Gated<Result<T, Reason>> {
    /// True for a put that was refused because its queue has no room. Its caller may put again, and need tell
    /// nobody before.
    #[inline]
    pub fn lacks_room(&self) -> bool {
        matches!(self.value, Err(Reason::Q_FULL | Reason::Q_SPACE_NOT_AVAILABLE))
    }
}

impl Gated<objects::Response> {
    /// Adds another response, to leave with the higher need of both.
    pub fn and(self, other: Self) -> Self {
        let Self { need, value, awaits } = other;
        assert!(awaits.is_none(), "no command waits for a getter");
        let mut all = self.and_needs(need);
        all.value.rest = value.rest;
        all.value.rows.extend(value.rows);
        all.value.messages.extend(value.messages);
        all
    }

    /// Adds a response to an answer that has no room for it: remembers if its command failed.
    pub fn and_beyond(self, other: Self) -> Self {
        let Self { need, value, awaits } = other;
        assert!(awaits.is_none(), "no command waits for a getter");
        let mut all = self.and_needs(need);
        all.value.leave_out(value.is_ok());
        all
    }

    /// Bytes of a response on its way to a program, about.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.value.weight()
    }
}
