//! Persistent puts and definitions that were refused because the log has no room: they go on as soon as they
//! can.
//!
//! A refusal logs nothing, so it makes no checkpoint due. From the first refusal on, housekeeping comes by
//! every [`RETRY`]:
//!
//! 1. It takes a checkpoint whenever one would free an extent: an open unit of work that kept the log has
//!    ended.
//! 2. After [`GRACE`] it backs out the oldest unit of work that keeps an extent from being used again, then
//!    the next oldest, until there is room.
//! 3. It stops when there is room, or when an empty log would have none either.
//!
//! Lives elsewhere: since when puts are refused (`room::refused`), puts that are held back before they are
//! refused (`housekeeping`), gets that wait for room (`room`).
//!
//! Always: the error log says once why puts are refused, and not again within a minute.

use std::sync::Arc;
use std::time::Duration;

use platform::Monotonic;
use queues::ground::events;
use queues::queue::party::Party;
use queues::unit_of_work::slot::Holder;
use storage::Purpose;

use crate::engine::Engine;

/// Interval of housekeeping while puts are refused.
pub(crate) const RETRY: Duration = Duration::from_millis(100);

/// Time that the oldest unit of work has to end by itself: its own put may be the one that was refused.
const GRACE: Duration = Duration::from_millis(500);

impl Engine {
    /// Housekeeping: sees that room is made for puts that were refused.
    pub(crate) fn look_after_refused_puts(&self, now: Monotonic) {
        let Some(bytes) = self.ground().storage.refused() else { return };
        if self.ground().storage.has_failed() || self.has_room_for_puts(bytes) {
            return;
        }
        let since = self.queues.refused_puts.note(now);
        if self.queues.refused_puts.is_to_tell(now) {
            self.tell_of_refused_puts(bytes);
        }
        if !self.ground().storage.could_hold(bytes) {
            // No checkpoint and no end of a unit of work would help.
            self.ground().storage.forget_refused(bytes);
            return self.queues.refused_puts.forget();
        }
        let may_back_out = now.since(since) >= GRACE && self.unit_that_keeps_the_log();
        let helps = may_back_out || self.ground().storage.checkpoint_frees(self.queues.units.oldest());
        if !helps || !self.checkpointing.take() {
            return;
        }
        self.leave_job(move |engine| {
            engine.make_room_for_puts(bytes, may_back_out);
            engine.checkpointing.end();
            engine.queues.serve_parked();
        });
    }

    /// Takes a checkpoint, then backs out units of work, oldest first, until a put like the refused one has
    /// room. Blocks.
    fn make_room_for_puts(self: &Arc<Self>, bytes: u64, may_back_out: bool) {
        self.checkpoint();
        while may_back_out
            && !self.has_room_for_puts(bytes)
            && self.back_out_unit_before(self.ground().storage.current_extent())
        {
            self.checkpoint();
        }
    }

    /// Returns true if puts of so many bytes need not be refused any more. Then they are forgotten.
    fn has_room_for_puts(&self, bytes: u64) -> bool {
        let has_room = self.ground().storage.has_room_for(bytes);
        if has_room {
            self.ground().storage.forget_refused(bytes);
            self.queues.refused_puts.forget();
        }
        has_room
    }

    /// Returns true if an open unit of work keeps an extent other than the one being filled.
    fn unit_that_keeps_the_log(&self) -> bool {
        self.queues.units.oldest().is_some_and(|first| first < self.ground().storage.current_extent())
    }

    fn tell_of_refused_puts(&self, bytes: u64) {
        let refusal = match self.ground().storage.reserve(bytes, Purpose::Fill) {
            Ok(_) => return,
            Err(error) => error.to_string(),
        };
        let oldest = self.queues.units.too_old(self.ground().storage.current_extent());
        let keeper = oldest.and_then(|(_, slot)| match slot.holder() {
            Holder::Connection(party) => {
                let Party { application, id, .. } = &*party.upgrade()?;
                Some(format!("the unit of work of {application}, connection {id}, keeps the most of it"))
            }
            Holder::Branch(branch) => {
                Some(format!("the branch {} keeps the most of it", branch.upgrade()?.id))
            }
        });
        let keeper =
            keeper.unwrap_or_else(|| "no open unit of work keeps it from being used again".to_owned());
        self.ground().host.event(&events::PUTS_REFUSED.with([refusal, keeper]));
    }
}
