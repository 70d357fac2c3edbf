//! Calls that may have to read from the disk before they are done.
//!
//! Verbs never block. When they return they have done all work that needs no disk; the rest is left to the
//! caller: a host whose threads serve others gives it to a job, others do it themselves.
//!
//! Always: the rest does not keep the broker, which may keep the job that has it.

use std::fmt;

use queues::gate::Outcome;

use crate::broker::Broker;

/// State of a call that was begun.
#[derive(Debug)]
#[must_use = "somebody waits for the answer"]
pub enum Begun<T> {
    /// The call is complete.
    Done(Outcome<T>),
    /// It reads from the disk first.
    Reads(Rest<T>),
}

pub(crate) type Work<T> = Box<dyn FnOnce(&Broker) -> Outcome<T> + Send>;

/// Rest of a call's work.
pub struct Rest<T>(pub(crate) Work<T>);

impl<T> Rest<T> {
    pub(crate) fn new(work: impl FnOnce(&Broker) -> Outcome<T> + Send + 'static) -> Self {
        Self(Box::new(work))
    }
}

impl<T> Begun<T> {
    /// Continues the call: `answer` turns its outcome into another.
    pub(crate) fn then<U>(self, answer: impl FnOnce(Outcome<T>) -> Outcome<U> + Send + 'static) -> Begun<U>
    where
        T: 'static,
    {
        match self {
            Self::Done(outcome) => Begun::Done(answer(outcome)),
            Self::Reads(Rest(work)) => Begun::Reads(Rest::new(move |broker| answer(work(broker)))),
        }
    }

    /// Finishes the call and returns its outcome. Blocks where it reads.
    pub(crate) fn finish(self, broker: &Broker) -> Outcome<T> {
        match self {
            Self::Done(outcome) => outcome,
            Self::Reads(Rest(work)) => work(broker),
        }
    }
}

impl<T> fmt::Debug for Rest<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Rest")
    }
}
