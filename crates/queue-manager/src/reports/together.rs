//! Messages put together, with their copies and the reports of their arrivals: all of them arrive, or none.
//!
//! Within a unit of work of a connection they are placed at once (`queue::together`). Outside, they are a
//! unit of work of the queue manager's own.

use std::sync::Arc;

use mqi::Reason;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::queue::Queue;
use queues::queue::arrival::{Arrival, Placing};
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::slot::UnitSlot;
use storage::Reservation;

use crate::directory::Directory;

impl Directory {
    /// Puts messages that belong together, with the reports of their arrivals that they ask for.
    pub(crate) fn put_together(
        &self,
        queue: &Arc<Queue>,
        arrivals: Vec<Arrival>,
        unit: Option<&Arc<UnitSlot>>,
    ) -> Outcome<()> {
        let (reports, mut room) = match self.arrivals_to_report(&arrivals) {
            Ok(reports) => reports,
            Err(reason) => return Gated::free(Err(reason)),
        };
        let copies = match self.copies_for(queue, &arrivals) {
            Ok(copies) => copies,
            Err(reason) => return Gated::free(Err(reason)),
        };
        if let Some(unit) = unit {
            let mut whose = Whose::current(unit);
            let put = queue.put_all(&self.queues, arrivals, unit, reports.len() + copies.messages.len());
            let need = put.need();
            let put = put.into_inner();
            if put.is_ok() {
                let _ = self.put_copies(copies, &mut whose);
                for report in reports {
                    // A unit that was backed out meanwhile has no message to report on.
                    let _ = self.send(report, &mut whose, &mut room);
                }
            }
            return Gated::new(need, put);
        }
        let mut whose = Whose::own();
        for arrival in arrivals {
            let put = queue.put(&self.queues, arrival, Placing::beside(&mut whose, &mut None));
            let need = put.need();
            if let Err(reason) = put.into_inner() {
                self.queues.back_out_own(whose);
                return Gated::new(need, Err(reason));
            }
        }
        if let Err(reason) = self.put_copies(copies, &mut whose) {
            self.queues.back_out_own(whose);
            return Gated::free(Err(reason));
        }
        for report in reports {
            let _ = self.send(report, &mut whose, &mut room);
        }
        self.queues.commit_own(whose)
    }

    /// The reports that fall due when these messages arrive, and room in the log for them.
    fn arrivals_to_report(&self, arrivals: &[Arrival]) -> Result<(Vec<Report>, Option<Reservation>), Reason> {
        let mut reports = Vec::new();
        let mut room = None;
        for Arrival { payload, facts, .. } in arrivals {
            if !Kind::Arrival.is_asked(payload.descriptor.report) {
                continue;
            }
            let mut report = self.report_about(Kind::Arrival, payload, payload.descriptor.expiry);
            if facts.persistent {
                let more = self.reserve_for(&mut report)?;
                match &mut room {
                    None => room = Some(more),
                    Some(room) => Reservation::absorb(room, more),
                }
            }
            reports.push(report);
        }
        Ok((reports, room))
    }
}
