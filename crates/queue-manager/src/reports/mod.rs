//! Reports: the queue manager's answers to a putter that asked about its message.
//!
//! Lives here: which reports fall due and when ([`Due`]), and to which unit of work they belong ([`Whose`]).
//! Lives elsewhere: the options that ask for them (`kind`), their content (`content`), their destination
//! (`sending`), messages that expire (`queue::expiry`). A program that carries messages elsewhere makes
//! exception reports; programs that get messages make reports of use (PAN, NAN) and of activity.
//!
//! A report stands or falls with what it tells of:
//!
//! - **Within a unit of work** it belongs to that unit: the putter's for an arrival, the getter's for a
//!   delivery.
//! - **Outside**, message and report are one unit of work of the queue manager's own: two records and a
//!   commit. The outcome of the put or get is gated by that commit.
//! - **An expiry** is a unit of its own for each batch: the messages leave as if got, their reports are put.
//!
//! A delivery or an expiry happens under the lock of one queue, often on the putter's thread, and its report
//! needs the lock of another, which may not be taken then. So the queue only notes that it is due, with the
//! message kept locked by its unit. The thread that let the lock go ([`Queue::release`](crate::queue::Queue))
//! puts the report, ends a unit of the queue manager's own, and only then completes the get. The room that
//! the records need is set aside before the message is taken, so that nothing can fail afterwards: see
//! [`crate::room`].
//!
//! A message that asks for no report costs one look at a byte of its entry.
//!
//! Always: no lock of a queue is let go with anything due; a report asks for no report.

pub(crate) mod content;
pub(crate) mod kind;
mod sending;
mod together;
pub(crate) mod traced;

use std::sync::Arc;

use mqi::{Expiry, Reason};
use smallvec::SmallVec;
use storage::{Lsn, Reservation};

use crate::engine::Engine;
use crate::message::Payload;
use crate::queue::Queue;
use crate::queue::arrival::{Arrival, Placing};
use crate::queue::entry::Slot;
use crate::queue::got_message::GotMessage;
use crate::queue::performance::Performance;
use crate::queue::waiters::Waiter;
use crate::unit_of_work::Unit;
use crate::unit_of_work::gathering::Gathered;
use crate::unit_of_work::owned::UnitSlot;
use crate::{Gated, Outcome};
use content::Report;
use kind::Kind;
pub(crate) use sending::{Sent, must_duplicate, suits};

/// The unit of work that a report belongs to.
#[derive(Debug)]
pub(crate) enum Whose {
    /// The queue manager's own, which it ends as soon as the report is put.
    Own(Box<Unit>),
    /// The unit of work of a connection, or one beside it, if that still has this number.
    Of {
        unit: Arc<UnitSlot>,
        number: u64,
        /// Puts of it that are to have one record together.
        gathered: Option<Box<Gathered>>,
    },
}

impl Whose {
    pub(crate) fn own() -> Self {
        Self::Own(Box::default())
    }

    /// One whose messages are not to be seen before the position.
    pub(crate) fn own_after(need: Lsn) -> Self {
        let mut unit = Box::<Unit>::default();
        unit.observe(need);
        Self::Own(unit)
    }

    /// Makes it ready for so many operations that stand together, which are not to be seen before the
    /// position. With room for their records and for the end of the unit it is named in the log, so that each
    /// takes its part of the room and no more.
    pub(crate) fn join(
        &mut self,
        engine: &Engine,
        operations: usize,
        need: Lsn,
        room: Option<&mut Reservation>,
    ) -> Result<(), Reason> {
        match self {
            Self::Own(unit) => {
                if let Some(room) = room {
                    unit.begin(engine, room);
                }
            }
            Self::Of { unit, .. } => {
                let lent = unit.lent();
                let mut unit = lent.lock();
                unit.admit(operations, engine.uncommitted_max())?;
                unit.observe(need);
                if let Some(room) = room {
                    unit.begin(engine, room);
                }
            }
        }
        Ok(())
    }

    /// Adds a position that is not durable yet: the outside learns that the unit stands only after that is.
    pub(crate) fn observe(&mut self, need: Lsn) {
        match self {
            Self::Own(unit) => unit.observe(need),
            Self::Of { unit, number, .. } => {
                let lent = unit.lent();
                let mut unit = lent.lock();
                if unit.number() == *number {
                    unit.observe(need);
                }
            }
        }
    }

    /// The present unit of work of a slot.
    pub(crate) fn current(unit: &Arc<UnitSlot>) -> Self {
        let number = unit.lent().lock().number();
        Self::Of { unit: Arc::clone(unit), number, gathered: None }
    }

    /// The one that took a message: the queue manager's own, or the current one of a slot.
    pub(crate) fn taker(own: Option<Box<Unit>>, unit: Option<&Arc<UnitSlot>>, number: u64) -> Self {
        match (own, unit) {
            (Some(unit), _) => Self::Own(unit),
            (None, unit) => {
                let unit = Arc::clone(unit.expect("a unit is in a slot or our own"));
                Self::Of { unit, number, gathered: None }
            }
        }
    }

    /// Gathers the puts that follow into one record, as far as they can be: until [`Engine::log_gathered`],
    /// or until a unit of the queue manager's own ends. It is named in the log by now ([`Whose::join`]).
    pub(crate) fn gather(&mut self, gathering: Gathered) {
        *self.gathering() = Some(Box::new(gathering));
    }

    /// The puts that are to be logged together, if any are.
    pub(crate) fn gathering(&mut self) -> &mut Option<Box<Gathered>> {
        match self {
            Self::Own(unit) => &mut unit.gathered,
            Self::Of { gathered, .. } => gathered,
        }
    }
}

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

impl Engine {
    /// Puts a message that asks for a report of its arrival, and the report.
    pub(crate) fn put_and_report(
        &self,
        queue: &Arc<Queue>,
        arrival: Arrival,
        unit: Option<&Arc<UnitSlot>>,
    ) -> Outcome<()> {
        let left = arrival.payload.descriptor.expiry;
        let mut report = self.report_about(Kind::Arrival, &arrival.payload, left);
        let room = arrival.facts.persistent.then(|| self.reserve_for(&mut report)).transpose();
        let mut room = match room {
            Ok(room) => room,
            Err(reason) => return Gated::free(Err(reason)),
        };
        if let Some(unit) = unit {
            let mut whose = Whose::current(unit);
            let put = queue.put(self, arrival, Placing::Within { unit, operations: 2 });
            let need = put.need();
            let put = put.into_inner();
            if put.is_ok() {
                // A unit that was backed out meanwhile has no message to report on.
                let _ = self.send(report, &mut whose, &mut room);
            }
            return Gated::new(need, put);
        }
        self.put_in_own_unit(queue, arrival, |whose| {
            let _ = self.send(report, whose, &mut room);
        })
    }

    /// Puts a message outside units of work, in one of the queue manager's own, with what follows from it.
    pub(crate) fn put_in_own_unit(
        &self,
        queue: &Arc<Queue>,
        arrival: Arrival,
        follow: impl FnOnce(&mut Whose),
    ) -> Outcome<()> {
        let mut whose = Whose::own();
        let put = queue.put(self, arrival, Placing::Beside { whose: &mut whose, room: &mut None });
        let need = put.need();
        if let Err(reason) = put.into_inner() {
            return Gated::new(need, Err(reason));
        }
        follow(&mut whose);
        self.commit_own(whose).and_needs(need)
    }

    /// Reports deliveries, completes the gets, makes trigger messages. The caller's answer for their cause
    /// depends on the position returned.
    pub(crate) fn report(&self, due: Vec<Due>) -> Lsn {
        let done = due.into_iter().map(|due| match due {
            Due::Delivery(delivery) => self.report_delivery(*delivery),
            Due::Trigger { queue, need } => self.fire_trigger(&queue, need),
            Due::Performance { queue, what, need } => self.tell_performance(&queue, what, need),
        });
        done.max().unwrap_or(Lsn::ZERO)
    }

    fn report_delivery(&self, due: Delivery) -> Lsn {
        let Delivery { queue, slot, sequence, original, left, others, mut whose, mut room, answer } = due;
        let mut sent = Sent::Settled;
        let delivered = std::iter::once((original, left)).chain(others);
        let reports = delivered.map(|(original, left)| self.report_about(Kind::Delivery, &original, left));
        let reports: SmallVec<[Report; 1]> = reports.collect();
        for report in &reports {
            sent = self.send(report.clone(), &mut whose, &mut room);
            if sent == Sent::UnitEnded {
                break;
            }
        }
        let mut need = self.commit_own(whose).need();
        if sent == Sent::UnitEnded && !queue.has(slot, sequence) {
            // The unit was committed in the moment between: the delivery stands, and its report is due.
            let mut whose = Whose::own();
            for report in reports {
                let _ = self.send(report, &mut whose, &mut None);
            }
            need = self.commit_own(whose).need();
        }
        if let Some((waiter, outcome)) = answer {
            waiter.complete(outcome.and_needs(need));
        }
        need
    }

    /// Ends a unit of work of the queue manager's own; that of a connection goes on.
    pub(crate) fn commit_own(&self, whose: Whose) -> Outcome<()> {
        match whose {
            Whose::Own(mut unit) => self.commit(unit.take(), None),
            Whose::Of { .. } => Gated::free(Ok(())),
        }
    }

    /// Undoes a unit of work of the queue manager's own.
    pub(crate) fn back_out_own(&self, whose: Whose) {
        if let Whose::Own(mut unit) = whose {
            self.back_out(unit.take());
        }
    }

    /// Reports messages that expired, which `unit` has taken off their queue, and ends it.
    pub(crate) fn report_expired(
        &self,
        expired: Vec<Arc<Payload>>,
        unit: Box<Unit>,
        mut room: Option<Reservation>,
    ) {
        let mut whose = Whose::Own(unit);
        for original in expired {
            let report = self.report_about(Kind::Expiration, &original, Expiry::UNLIMITED);
            let _ = self.send(report, &mut whose, &mut room);
        }
        let _ = self.commit_own(whose);
    }
}
