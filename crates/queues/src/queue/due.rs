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
pub enum Due {
    /// A report of delivery.
    Delivery(Box<Delivery>),
    /// A trigger message about a queue, not to be seen before the position.
    Trigger {
        /// The queue.
        queue: Arc<Queue>,
        /// The position.
        need: Lsn,
    },
    /// An event about a queue, likewise.
    Performance {
        /// The queue.
        queue: Arc<Queue>,
        /// The event.
        what: Performance,
        /// The position.
        need: Lsn,
    },
    /// An expired message.
    Expired(Box<Expired>),
}

/// Messages that expired and left their queue by a unit of work, to be reported.
#[derive(Debug)]
pub struct Expired {
    /// The messages.
    pub messages: Vec<Arc<Payload>>,
    /// The unit of work that holds them.
    pub unit: Box<Unit>,
    /// Room for the records of the reports.
    pub room: Option<Reservation>,
}

/// A delivery that is to be reported.
#[derive(Debug)]
pub struct Delivery {
    /// The queue it was on.
    pub queue: Arc<Queue>,
    /// Its slot there.
    pub slot: Slot,
    /// Its sequence number there.
    pub sequence: u64,
    /// The message.
    pub original: Arc<Payload>,
    /// The rest of its life.
    pub left: Expiry,
    /// More messages delivered with it, and how long each had to live.
    pub others: Vec<(Arc<Payload>, Expiry)>,
    /// The unit of work that the report belongs to.
    pub whose: Whose,
    /// Room for the record of the report.
    pub room: Option<Reservation>,
    /// The wait that ends with the delivery; none when the getter itself is the caller.
    pub answer: Option<(Box<Waiter>, Outcome<GotMessage>)>,
}
