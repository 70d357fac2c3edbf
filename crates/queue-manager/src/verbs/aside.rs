//! Messages that are set aside for a connection, and that its program will never take.

use std::sync::Arc;

use queues::gate::{BehindGate, Gated};
use queues::queue::getter::WaitToken;

use crate::Begun;
use crate::connection::Connection;

impl Connection {
    /// Moves the message reserved under `token` to the backout queue of its queue, else to the dead-letter
    /// queue. One that neither takes goes back to its place, with a backout count that is higher by one if
    /// it `counts`. True when it was moved.
    pub fn begin_to_move_aside(&mut self, token: WaitToken, counts: bool) -> Begun<bool> {
        let held = self.conversation.party.held.lock().remove(token.0);
        let Some(mut held) = held else { return Begun::Done(Gated::free(Ok(false))) };
        let queue = Arc::clone(&held.queue);
        let is_at_hand = queue.has_in_memory(held.slot, held.sequence);
        let mut work = move |engine: &crate::engine::Engine| {
            let moved = queue.move_aside(&engine.queues, &held);
            if !*moved.value() {
                if counts {
                    queue.give_back_counted(&engine.queues, &mut held)
                } else {
                    queue.give_back(&engine.queues, held.slot, held.sequence)
                }
            }
            moved.map(Ok)
        };
        if is_at_hand { Begun::Done(work(&self.engine)) } else { Begun::Reads(crate::begun::Rest::new(work)) }
    }
}
