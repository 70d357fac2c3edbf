//! Reports: the queue manager's answers to a putter that asked about its message.
//!
//! Lives here: putting the reports that are due, and ending the units of work they belong to. Their content
//! is in `content`, their destination in `sending`. Lives elsewhere: the options that ask for them
//! (`message::report_kind`), the work that a queue notes (`queue::due`), the unit that a report belongs to
//! (`unit_of_work::choice`), messages that expire (`queue::expiry`). A program that carries messages
//! elsewhere makes exception reports; programs that get messages make reports of use (PAN, NAN) and of
//! activity.
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
//! message kept locked by its unit. The thread that let the lock go (`Queue::release`)
//! puts the report, ends a unit of the queue manager's own, and only then completes the get. The room that
//! the records need is set aside before the message is taken, so that nothing can fail afterwards: see
//! [`queues::room`].
//!
//! A message that asks for no report costs one look at a byte of its entry.
//!
//! Always: no lock of a queue is let go with anything due; a report asks for no report.

pub(crate) mod aside;
mod content;
mod sending;
mod together;
pub(crate) mod traced;

use std::sync::Arc;

use mqi::Expiry;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Placing};
use queues::queue::due::{Delivery, Expired};
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::slot::UnitSlot;
use smallvec::SmallVec;
use storage::Lsn;

use crate::directory::Directory;
pub(crate) use sending::{Sent, must_duplicate, room_beside, suits};

impl Directory {
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
            let put = queue.put(&self.queues, arrival, Placing::within(unit, 2));
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
        let put = queue.put(&self.queues, arrival, Placing::beside(&mut whose, &mut None));
        let need = put.need();
        if let Err(reason) = put.into_inner() {
            return Gated::new(need, Err(reason));
        }
        follow(&mut whose);
        self.queues.commit_own(whose).and_needs(need)
    }

    /// Reports a delivery and completes its get. The caller's answer for its cause depends on the position
    /// returned.
    pub(crate) fn report_delivery(&self, due: Delivery) -> Lsn {
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
        let mut need = self.queues.commit_own(whose).need();
        if sent == Sent::UnitEnded && !queue.has(slot, sequence) {
            // The unit was committed in the moment between: the delivery stands, and its report is due.
            let mut whose = Whose::own();
            for report in reports {
                let _ = self.send(report, &mut whose, &mut None);
            }
            need = self.queues.commit_own(whose).need();
        }
        if let Some((waiter, outcome)) = answer {
            waiter.complete(outcome.and_needs(need));
        }
        need
    }

    /// Reports messages that expired, and ends the unit of work that has taken them off their queue.
    pub(crate) fn report_expired(&self, expired: Expired) -> Lsn {
        let Expired { messages, unit, mut room } = expired;
        let mut whose = Whose::Own(unit);
        for original in messages {
            let report = self.report_about(Kind::Expiration, &original, Expiry::UNLIMITED);
            let _ = self.send(report, &mut whose, &mut room);
        }
        self.queues.commit_own(whose).need()
    }
}
