//! The words of an append: its purpose, its result, and the receiver of reports of the log.

use std::fmt;

use super::errors::Fatal;
use super::positions::{Durable, Lsn};

/// Purpose of a reservation. Reservations are made before any lock is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Adds to what is kept (put, define): refused first, so that the others go on.
    Fill,
    /// Takes away or ends (get, commit, backout, remove, delete): has a reserve of its own.
    Drain,
}

/// Result of an append.
#[derive(Clone, Copy, Debug)]
pub struct Appended {
    /// The position of the record.
    pub at: Lsn,
    /// End of the record: it must be durable before the outcome is shown outside.
    pub need: Lsn,
}

/// Receiver of reports of the log's actions. Called under no lock of storage; must be quick.
pub trait Observer: Send + Sync {
    /// Reports an append to a log that had nothing waiting: a thread must drive it.
    fn log_has_work(&self);
    /// The log is durable up to here.
    fn durable(&self, durable: Durable);
    /// A log write or read took longer than `Settings::slow_io`.
    fn slow_io(&self, operation: &str, bytes: usize, micros: u64);
    /// The log failed; nothing will become durable any more and the process must end.
    fn failed(&self, failure: &Fatal);
}

impl fmt::Debug for dyn Observer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Observer")
    }
}
