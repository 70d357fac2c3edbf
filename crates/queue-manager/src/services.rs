//! The engine's services for its queues.

use std::sync::Arc;

use mqi::{ObjectDescriptor, Reason};

use objects::Trigger;
use storage::{Lsn, ObjectId, Purpose, Reservation};

use crate::counters::collecting::Collecting;
use crate::engine::Engine;
use crate::gate::Outcome;
use crate::hand_over::HandOver;
use crate::message::Payload;
use crate::message::report::Report;
use crate::queue::Queue;
use crate::queue::due::Due;
use crate::queue::handing::Handed;
use crate::queue::party::Party;
use crate::queue::services::Services;
use crate::queue::waiters::Ticket;
use crate::unit_of_work::Unit;
use crate::unit_of_work::choice::Whose;
use crate::unit_of_work::registry::Registry;

impl Services for Engine {
    #[inline]
    fn units(&self) -> &Registry {
        &self.units
    }

    #[inline]
    fn collecting(&self) -> &Collecting {
        &self.collecting
    }

    #[inline]
    fn reserve(&self, bytes: u64, purpose: Purpose) -> Result<Reservation, Reason> {
        Self::reserve(self, bytes, purpose)
    }

    #[inline]
    fn room_for_get(&self, wanted: u64) -> Result<Reservation, Reason> {
        Self::room_for_get(self, wanted)
    }

    fn reserve_for_trigger(&self, queue: &Queue) -> Result<Option<Reservation>, Reason> {
        Self::reserve_for_trigger(self, queue)
    }

    fn has_lasting_triggers(&self, trigger: &Trigger) -> bool {
        Self::has_lasting_triggers(self, trigger)
    }

    fn park(&self, queue: Arc<Queue>, ticket: Ticket, wanted: u64) {
        Self::park(self, queue, ticket, wanted);
    }

    fn leave_job(&self, work: impl FnOnce(&Self) + Send + 'static) {
        Self::leave_job(self, |engine| work(engine));
    }

    fn hand_over(&self, parties: (&Arc<Party>, &Arc<Party>), handed: Handed) -> Arc<HandOver> {
        HandOver::new(self, parties, handed)
    }

    fn forget_queue(&self, id: ObjectId) {
        self.queues.write().remove(&id);
    }

    #[inline]
    fn report(&self, due: Vec<Due>) -> Lsn {
        Self::report(self, due)
    }

    fn report_expired(&self, expired: Vec<Arc<Payload>>, unit: Box<Unit>, room: Option<Reservation>) {
        Self::report_expired(self, expired, unit, room);
    }

    fn keep_dead(
        &self,
        report: Report,
        refusal: Reason,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        Self::keep_dead(self, report, refusal, whose, room)
    }

    fn put_report(
        &self,
        report: &Report,
        to: &ObjectDescriptor,
        whose: &mut Whose,
        room: &mut Option<Reservation>,
    ) -> Result<(), Reason> {
        Self::put_report(self, report, to, whose, room)
    }

    fn commit_own(&self, whose: Whose) -> Outcome<()> {
        Self::commit_own(self, whose)
    }

    fn back_out_own(&self, whose: Whose) {
        Self::back_out_own(self, whose);
    }
}
