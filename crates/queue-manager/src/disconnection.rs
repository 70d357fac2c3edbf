//! The end of a connection.
//!
//! Lives elsewhere: its state (`conversation`), the call that ends it (`connection`).

use mqi::Reason;
use platform::sync::atomic::Ordering;
use queues::gate::Gated;
use queues::queue::party::Wait;

use crate::accounting::Parted;
use crate::conversation::Conversation;
use crate::engine::Engine;

impl Engine {
    /// Ends the conversation: waits end without an outcome, the units of work are backed out, queues are
    /// closed. In this order nothing can be handed over afterwards. True for the one caller who ended it; the
    /// others return when it is complete.
    pub(crate) fn end_conversation(&self, conversation: &Conversation) -> bool {
        self.end_telling(conversation, None)
    }

    /// Ends it for an administrator: waiting calls are given the reason.
    pub(crate) fn stop_conversation(&self, conversation: &Conversation) -> bool {
        let is_stopped = self.end_telling(conversation, Some(Reason::CONNECTION_BROKEN));
        if is_stopped {
            conversation.party.completions.stopped();
        }
        is_stopped
    }

    fn end_telling(&self, conversation: &Conversation, told: Option<Reason>) -> bool {
        let _settling = conversation.settling.lock();
        let party = &conversation.party;
        if party.has_ended() {
            return false;
        }
        party.end(told);
        let waits = std::mem::take(&mut *party.waits.lock());
        for Wait { queue, ticket, .. } in waits {
            if let Some((waiter, reason)) = queue.cancel(ticket).zip(told) {
                waiter.complete(Gated::free(Err(reason)));
            }
        }
        self.queues.lose_thread(&mut conversation.thread.lock());
        // Messages of its program's units go back first: a getter that waits, or asks between two units, gets
        // the earliest that is back. The put of a message that was handed over is still on its way, so it may
        // come behind.
        let beside = std::mem::take(&mut *party.units_beside.lock());
        for unit in std::iter::once(&party.unit).chain(&beside) {
            let work = unit.lock().end();
            self.queues.back_out(work);
        }
        let handed = std::mem::take(&mut *party.handed.lock());
        for over in handed.iter().filter_map(std::sync::Weak::upgrade) {
            over.take_back_offered(&self.queues);
        }
        let held = std::mem::take(&mut *party.held.lock());
        for held in held.in_order() {
            held.queue.give_back(&self.queues, held.slot, held.sequence);
        }
        let registrations = std::mem::take(&mut *conversation.registrations.lock());
        for registration in registrations {
            self.close(&registration);
        }
        let parted = match told {
            _ if conversation.disconnects.load(Ordering::Acquire) => Parted::Disconnected,
            None => Parted::Vanished,
            Some(_) => Parted::Ended,
        };
        if !party.is_own() {
            self.queues.collecting.note(parted.noted(), 1);
        }
        if party.calls.is_any_counted() {
            self.directory.tell_accounting(&conversation.accounted(), self.ground().now(), Some(parted));
        }
        self.count_out(conversation);
        true
    }
}
