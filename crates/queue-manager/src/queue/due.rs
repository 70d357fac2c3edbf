//! Work that a queue notices under its lock, and leaves to the thread that lets the lock go.
//!
//! Lives elsewhere: doing it (`reports`, `triggers`, `instrumentation`).

use std::sync::Arc;

use mqi::Expiry;
use storage::{Lsn, Reservation};

use super::Queue;
use super::entry::Slot;
use super::got_message::GotMessage;
use super::performance::Performance;
use super::waiters::Waiter;
use crate::Outcome;
use crate::message::Payload;
use crate::unit_of_work::Unit;
use crate::unit_of_work::choice::Whose;

/// Work for the thread that lets a queue go.
#[derive(Debug)]
pub(crate) enum Due {
    Delivery(Box<Delivery>),
    /// A trigger message about a queue, not to be seen before the position.
    Trigger {
        queue: Arc<Queue>,
        need: Lsn,
    },
    /// An event about a queue, likewise.
    Performance {
        queue: Arc<Queue>,
        what: Performance,
        need: Lsn,
    },
    Expired(Box<Expired>),
}

/// Messages that expired and left their queue by a unit of work, to be reported.
#[derive(Debug)]
pub(crate) struct Expired {
    pub(crate) messages: Vec<Arc<Payload>>,
    pub(crate) unit: Box<Unit>,
    /// Room for the records of the reports.
    pub(crate) room: Option<Reservation>,
}

/// A delivery that is to be reported.
#[derive(Debug)]
pub(crate) struct Delivery {
    pub(crate) queue: Arc<Queue>,
    pub(crate) slot: Slot,
    pub(crate) sequence: u64,
    pub(crate) original: Arc<Payload>,
    pub(crate) left: Expiry,
    /// More messages delivered with it, and how long each had to live.
    pub(crate) others: Vec<(Arc<Payload>, Expiry)>,
    pub(crate) whose: Whose,
    /// Room for the record of the report.
    pub(crate) room: Option<Reservation>,
    /// The wait that ends with the delivery; none when the getter itself is the caller.
    pub(crate) answer: Option<(Box<Waiter>, Outcome<GotMessage>)>,
}
