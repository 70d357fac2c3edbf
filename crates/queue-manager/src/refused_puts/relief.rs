//! Housekeeping for puts that were refused.

use std::sync::Arc;

use platform::Monotonic;
use storage::Purpose;

use super::GRACE;
use crate::engine::Engine;
use crate::ground::events;

impl Engine {
    /// Housekeeping: sees that room is made for puts that were refused.
    pub(crate) fn look_after_refused_puts(&self, now: Monotonic) {
        let Some(bytes) = self.storage.refused() else { return };
        if self.storage.has_failed() || self.has_room_for_puts(bytes) {
            return;
        }
        let since = self.refused_puts.note(now);
        if self.refused_puts.is_to_tell(now) {
            self.tell_of_refused_puts(bytes);
        }
        if !self.storage.could_hold(bytes) {
            // No checkpoint and no end of a unit of work would help.
            self.storage.forget_refused(bytes);
            return self.refused_puts.forget();
        }
        let may_back_out = now.since(since) >= GRACE && self.unit_that_keeps_the_log();
        let helps = may_back_out || self.storage.checkpoint_frees(self.units.oldest());
        if !helps || !self.checkpointing.take() {
            return;
        }
        self.leave_job(move |engine| {
            engine.make_room_for_puts(bytes, may_back_out);
            engine.checkpointing.end();
            engine.serve_parked();
        });
    }

    /// Takes a checkpoint, then backs out units of work, oldest first, until a put like the refused one has
    /// room. Blocks.
    fn make_room_for_puts(self: &Arc<Self>, bytes: u64, may_back_out: bool) {
        self.checkpoint();
        while may_back_out
            && !self.has_room_for_puts(bytes)
            && self.back_out_unit_before(self.storage.current_extent())
        {
            self.checkpoint();
        }
    }

    /// Returns true if puts of so many bytes need not be refused any more. Then they are forgotten.
    fn has_room_for_puts(&self, bytes: u64) -> bool {
        let has_room = self.storage.has_room_for(bytes);
        if has_room {
            self.storage.forget_refused(bytes);
            self.refused_puts.forget();
        }
        has_room
    }

    /// Returns true if an open unit of work keeps an extent other than the one being filled.
    fn unit_that_keeps_the_log(&self) -> bool {
        self.units.oldest().is_some_and(|first| first < self.storage.current_extent())
    }

    fn tell_of_refused_puts(&self, bytes: u64) {
        let refusal = match self.storage.reserve(bytes, Purpose::Fill) {
            Ok(_) => return,
            Err(error) => error.to_string(),
        };
        let oldest = self.units.too_old(self.storage.current_extent());
        let keeper = oldest.and_then(|(_, unit)| unit.borrower()).map_or_else(
            || "no open unit of work keeps it from being used again".to_owned(),
            |one| {
                format!(
                    "the unit of work of {}, connection {}, keeps the most of it",
                    one.application, one.id
                )
            },
        );
        self.host.event(&events::PUTS_REFUSED.with([refusal, keeper]));
    }
}
