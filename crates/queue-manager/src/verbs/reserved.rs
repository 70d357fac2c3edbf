//! Messages that are set aside for a program, until it says that it has them.
//!
//! Lives here: taking them, giving them back, and moving aside one that the program will never take. Lives
//! elsewhere: the get that sets them aside (`get`), the queue's part (`queue::taking`), the end of a
//! connection, which gives back all (`conversation`).

use std::sync::Arc;

use mqi::Reason;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::queue::getter::WaitToken;

use crate::Begun;
use crate::begun::Rest;
use crate::broker::Broker;
use crate::connection::Connection;
use crate::verbs::unit::UnitOfWork;

impl Connection {
    /// Takes the message reserved under `token`: the application has it now. It is taken within a unit of
    /// work beside a connection, this one or another, else as the options of its get say.
    ///
    /// # Errors
    /// In the outcome: 2009 and reasons for which calls do not go on; 2033 if no message is reserved under
    /// the token; 2255 for a unit of another queue manager; 2024 where the unit has all it may have.
    pub fn take_reserved(&mut self, token: WaitToken, unit: Option<&UnitOfWork>) -> Outcome<()> {
        if unit.is_some_and(|unit| !unit.is_of(&self.engine)) {
            return Gated::free(Err(Reason::UOW_NOT_AVAILABLE));
        }
        if let Err(reason) = self.usable(false) {
            return Gated::free(Err(reason));
        }
        let unit = unit.map(UnitOfWork::slot);
        let held = self.conversation.party.held.lock().remove(token.0);
        let Some(mut held) = held else { return Gated::free(Err(Reason::NO_MSG_AVAILABLE)) };
        let queue = Arc::clone(&held.queue);
        let taken = queue.take_held(&self.engine.queues, self.unit_slot(), unit, &mut held);
        if taken.value().is_ok() {
            self.conversation.party.count_taken(&held);
        }
        let need = taken.need();
        let taken = taken.into_inner();
        if taken.is_err() {
            // Not taken after all: it is still set aside, for the application to back out and try again. A
            // connection that ended meanwhile has given back what it found, so this goes back now.
            let mut list = self.conversation.party.held.lock();
            if self.conversation.party.has_ended() {
                drop(list);
                queue.give_back(&self.engine.queues, held.slot, held.sequence);
            } else {
                list.insert(token.0, held);
            }
        }
        Gated::new(need, taken)
    }

    /// Gives the message reserved under `token` back at its position, its backout count unchanged: the
    /// application has not seen it. Ending the connection does the same.
    pub fn give_back(&mut self, token: WaitToken) {
        let held = self.conversation.party.held.lock().remove(token.0);
        if let Some(held) = held {
            held.queue.give_back(&self.engine.queues, held.slot, held.sequence);
        }
    }

    /// Gives a reserved message back, with its backout count higher by one from now on, even after a restart:
    /// the application had it and failed.
    pub fn give_back_counted(&mut self, token: WaitToken) {
        let held = self.conversation.party.held.lock().remove(token.0);
        if let Some(mut held) = held {
            let queue = Arc::clone(&held.queue);
            queue.give_back_counted(&self.engine.queues, &mut held);
        }
    }

    /// Moves the message reserved under `token` to the backout queue of its queue, else to the dead-letter
    /// queue. One that neither takes goes back to its place, with a backout count that is higher by one if
    /// it `counts`. True when it was moved.
    pub fn begin_to_move_aside(&mut self, token: WaitToken, counts: bool) -> Begun<bool> {
        let held = self.conversation.party.held.lock().remove(token.0);
        let Some(mut held) = held else { return Begun::Done(Gated::free(Ok(false))) };
        let queue = Arc::clone(&held.queue);
        let is_at_hand = queue.has_in_memory(held.slot, held.sequence);
        let mut work = move |broker: &Broker| {
            let moved = queue.move_aside(&broker.directory.queues, &held);
            if !*moved.value() {
                if counts {
                    queue.give_back_counted(&broker.directory.queues, &mut held)
                } else {
                    queue.give_back(&broker.directory.queues, held.slot, held.sequence)
                }
            }
            moved.map(Ok)
        };
        if is_at_hand { Begun::Done(work(&self.engine.broker)) } else { Begun::Reads(Rest::new(work)) }
    }
}
