//! Periodic work, for any caller: timeouts, expiry, old units of work, checkpoints, media images.

use std::sync::{Arc, Weak};
use std::time::Duration;

use platform::Monotonic;
use platform::sync::atomic::{AtomicBool, Ordering};
use queues::ground::events;
use queues::ground::host::Job;
use queues::ground::turn::Turn;
use queues::unit_of_work::slot::Holder;
use storage::UnitId;
#[cfg(feature = "planted")]
use storage::planted::{self, Fault};

use crate::engine::Engine;

/// Longest time that puts are held back while checkpoints try to make room: longer than one takes on a slow
/// disk.
const PACE_MAX: Duration = Duration::from_secs(5);

/// Longest time that puts are held back when the disk took no other extent: a put is refused within a second,
/// even on a slow device.
const PACE_WITHOUT_ROOM_MAX: Duration = Duration::from_millis(750);

/// At the latest so long after a tick the next one.
const INTERVAL: Duration = Duration::from_secs(1);

/// Longest time between ticks while the disk has no room: all goes on within a second of finding some.
const INTERVAL_WITHOUT_ROOM: Duration = Duration::from_millis(250);

impl Engine {
    /// Does the work that is due; returns the time of the next call.
    pub(crate) fn tick(&self) -> Monotonic {
        let now = self.ground().now();
        while let Some(id) = self.ground().timers.take_due(now) {
            if let Some(queue) = self.queues.find(id) {
                queue.tick(&self.queues, now);
            }
        }
        self.broker.end_subscriptions();
        self.back_out_old_units();
        self.queues.tick_branches(&self.ground().settings.branches);
        self.queues.leave_preparation();
        self.leave_checkpoint(now);
        self.leave_image(now);
        self.queues.look_after_parked();
        self.look_after_refused_puts(now);
        self.tell_of_waiting_branches(now);
        self.tell_statistics_in_time(now);
        self.tell_accounting_in_time(now);
        let failed = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        let latest = now.after(if !self.queues.parked.is_empty() {
            queues::room::RETRY
        } else if !self.queues.refused_puts.is_empty() {
            crate::refused_puts::RETRY
        } else if failed(&self.queues.extents.have_failed) || failed(&self.checkpoint_failed) {
            INTERVAL_WITHOUT_ROOM
        } else {
            INTERVAL
        });
        self.ground().timers.next().map_or(latest, |next| next.min(latest))
    }

    /// Units of work that began so long ago that they keep too much of the log from being used again.
    fn back_out_old_units(&self) {
        let allowed = self.ground().storage.oldest_unit_allowed();
        while self.back_out_unit_before(allowed) {}
    }

    /// Backs out the oldest unit of work, if it began before this position.
    pub(crate) fn back_out_unit_before(&self, allowed: storage::Lsn) -> bool {
        let Some((counter, slot)) = self.queues.units.too_old(allowed) else { return false };
        #[cfg(feature = "planted")]
        if planted::is(Fault::IdleKeepsLog) && matches!(slot.holder(), Holder::Branch(_)) {
            return false;
        }
        let work = slot.lock().revoke(counter);
        // It is being ended at this moment.
        let Some(work) = work else { return false };
        self.queues.back_out(work);
        let event = match slot.holder() {
            Holder::Connection(party) => {
                let told = party.upgrade().map(|party| (party.application.clone(), party.id.to_string()));
                let (application, id) = told.unwrap_or_default();
                events::OLD_UNIT_BACKED_OUT.with([application, id])
            }
            Holder::Branch(branch) => {
                let told = branch.upgrade().map(|branch| (branch.id.to_string(), branch.user.to_string()));
                let (id, user) = told.unwrap_or_default();
                events::OLD_BRANCH_ROLLED_BACK.with([id, user])
            }
        };
        self.ground().host.event(&event);
        true
    }

    /// Tells of the branches that have waited long for their decision.
    fn tell_of_waiting_branches(&self, now: Monotonic) {
        let wall = self.ground().world.clock.wall();
        let due = self.queues.units.branches_to_tell_of(now, wall);
        let Some(oldest) = due.iter().rev().max_by_key(|unit| unit.waits(wall)) else { return };
        let id = oldest.branch_id().map(|id| id.typed()).unwrap_or_default();
        let UnitId { epoch, counter } = oldest.name;
        let user = String::from_utf8_lossy(oldest.user()).into_owned();
        let age = time_told(oldest.waits(wall).unwrap_or_default());
        let others = due.len() - 1;
        let inserts = [format!("{epoch}.{counter}"), id, user, age, others.to_string()];
        self.ground().host.event(&events::BRANCH_WAITS.with(inserts));
    }

    /// True if puts had better wait a moment: the log runs short of room, and an extent or a checkpoint is
    /// about to make some. After no room for [`PACE_MAX`], or [`PACE_WITHOUT_ROOM_MAX`], they are no longer
    /// held, and are refused.
    pub(crate) fn paces(&self) -> bool {
        if !self.ground().storage.runs_short() {
            self.short_since.store(0, Ordering::Relaxed);
            return false;
        }
        let now = self.ground().now();
        let begun = self.short_since.compare_exchange(0, now.0.max(1), Ordering::Relaxed, Ordering::Relaxed);
        let since = Monotonic(begun.err().unwrap_or(now.0));
        self.queues.leave_preparation();
        self.leave_checkpoint(now);
        // On a disk that is full nothing is coming: puts are told at once.
        let is_coming = |turn: &Turn, failed: &AtomicBool| turn.is_taken() && !failed.load(Ordering::Relaxed);
        let is_coming = is_coming(&self.queues.extents.making, &self.queues.extents.have_failed)
            || is_coming(&self.checkpointing, &self.checkpoint_failed);
        let has_no_room = self.queues.extents.have_failed.load(Ordering::Relaxed);
        is_coming && now.since(since) < if has_no_room { PACE_WITHOUT_ROOM_MAX } else { PACE_MAX }
    }

    /// After a write of the log: a quick writer fills it between two regular ticks, so an extent that is
    /// needed is asked for at once, and a tick for a checkpoint that is due.
    pub(crate) fn watch_the_log(&self) {
        if !self.queues.extents.have_failed.load(Ordering::Relaxed) {
            self.queues.leave_preparation();
        }
        if self.ground().storage.checkpoint_due() && !self.checkpointing.is_taken() {
            self.ground().host.tick_wanted();
        }
    }

    pub(crate) fn leave_checkpoint(&self, now: Monotonic) {
        let (at, appended) = *self.last_checkpoint.lock();
        let is_time = now.since(at) >= self.ground().settings.checkpoint_interval
            && self.ground().storage.appended() > appended;
        let wanted = is_time || self.ground().storage.checkpoint_due();
        if !wanted || self.ground().storage.has_failed() || !self.checkpointing.take() {
            return;
        }
        self.leave_job(move |engine| {
            if is_time || engine.ground().storage.checkpoint_due() {
                engine.checkpoint();
            }
            engine.checkpointing.end();
            engine.queues.serve_parked();
        });
    }

    /// Leaves a checkpoint for gets that wait for room, even if none is due. When it does not help, the
    /// oldest unit of work keeps the log from being used again, and is backed out before any other caller has
    /// to stop.
    pub(crate) fn leave_checkpoint_for_parked(&self) {
        if self.ground().storage.has_failed() || !self.checkpointing.take() {
            return;
        }
        self.leave_job(move |engine| {
            engine.checkpoint();
            engine.queues.serve_parked();
            if !engine.queues.parked.is_empty()
                && engine.back_out_unit_before(engine.ground().storage.current_extent())
            {
                engine.checkpoint();
                engine.queues.serve_parked();
            }
            engine.checkpointing.end();
        });
    }

    /// Leaves work for a thread that may block. A job that is never run does not keep the engine, which holds
    /// the jobs and the lock of the data directory.
    pub(crate) fn leave_job(&self, work: impl FnOnce(&Arc<Self>) + Send + 'static) {
        let this = Weak::clone(&self.this);
        self.ground().leave_job(Job(Box::new(move || {
            if let Some(engine) = this.upgrade() {
                work(&engine);
            }
        })));
    }

    /// Makes room in the log before the first program is let in: a failed end may have left it full, and
    /// commands are not held back as puts are. Blocks.
    pub(crate) fn make_room(self: &Arc<Self>) {
        if self.ground().storage.runs_short() {
            self.queues.prepare_extents();
        }
        if self.ground().storage.runs_short() {
            self.checkpoint();
        }
    }

    /// Ends connections, takes a last checkpoint, makes everything durable, keeps the messages that outlive
    /// an orderly end.
    pub(crate) fn close_down(self: &Arc<Self>) {
        self.quiesce(queues::ground::settings::Quiesce::Immediate);
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        for conversation in conversations {
            self.stop_conversation(&conversation);
        }
        self.queues.end_branches();
        self.tell_statistics(self.ground().now());
        if !self.ground().storage.has_failed() {
            self.checkpoint();
        }
        while !self.ground().storage.has_failed()
            && self.ground().storage.durable().lsn() < self.ground().storage.appended()
        {
            self.ground().storage.drive();
        }
        if !self.ground().storage.has_failed() {
            self.keep_messages();
        }
    }
}

/// A time as people say it.
fn time_told(time: Duration) -> String {
    match time.as_secs() / 60 {
        minutes @ 0..120 => format!("{minutes} minutes"),
        minutes @ 120..2_880 => format!("{} hours", minutes / 60),
        minutes => format!("{} days", minutes / 1_440),
    }
}

#[cfg(test)]
mod tests {
    use super::time_told;
    use std::time::Duration;

    #[test]
    fn a_time_is_told_in_its_greatest_unit() {
        for (minutes, expected) in
            [(5, "5 minutes"), (119, "119 minutes"), (120, "2 hours"), (4_320, "3 days")]
        {
            assert_eq!(time_told(Duration::from_secs(minutes * 60)), expected);
        }
    }
}
