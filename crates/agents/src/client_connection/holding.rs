//! Puts that wait for room on their queue (FULLACT(HOLD)), one in a conversation.
//!
//! A put is made, and where it finds no room but may wait, it is kept whole until there is some, or its time
//! is over. Every request of its conversation behind it waits with it (`pacing`): none overtakes it.

use super::conversation::{Conversation, put_target};
use super::held_put::HeldPut;
use super::{ClientConnection, Number};
use channel::client::Target;
use channel::{Flags, RequestNumber};
use mqi::{Body, MessageDescriptor, PutOptions};
use queue_manager::{PutForRoom, RoomWait};

/// A put that found no room, as it came.
pub(super) struct RefusedPut<'a> {
    pub(super) heading: (RequestNumber, Flags),
    pub(super) target: &'a Target,
    pub(super) descriptor: &'a MessageDescriptor,
    pub(super) options: &'a PutOptions,
    pub(super) body: Body<'a>,
}

impl Conversation {
    /// Keeps a put that found no room and may wait. `before` is its wait until now, if it has waited. False
    /// if it is refused.
    #[cold]
    pub(super) fn hold(&mut self, put: RefusedPut<'_>, before: Option<&RoomWait>) -> bool {
        let RefusedPut { heading: (request, flags), target, descriptor, options, body } = put;
        let Some(verbs) = &self.connection else { return false };
        let wait = match before {
            Some(wait) => wait.clone().again(),
            None => {
                let (target, flags, body_length) = (put_target(target), options.flags, body.len());
                PutForRoom { target, descriptor, flags, unit: None, body_length }.wait(verbs)
            }
        };
        let Some(wait) = wait else { return false };
        self.held_put = Some(Box::new(HeldPut {
            request,
            flags,
            target: target.clone(),
            descriptor: Box::new(descriptor.clone()),
            options: Box::new(options.clone()),
            body: body.into_bytes(),
            wait,
            room: None,
        }));
        true
    }

    /// Makes the put that waits, if its wait is over. True if it was made.
    fn resume_put(&mut self) -> bool {
        let Some(held) = self.held_put.take_if(|held| !held.wait.is_awaited()) else { return false };
        let HeldPut { request, flags, target, descriptor, mut options, body, wait, room } = *held;
        self.run_put((request, flags), &target, &descriptor, &mut options, body.into(), Some(&wait));
        match &mut self.held_put {
            Some(held) => {
                held.room = room;
                false
            }
            None => true,
        }
    }
}

impl ClientConnection {
    /// True if a put of this conversation waits for room on its queue.
    pub(super) fn holds_put(&self, number: Number) -> bool {
        self.held_puts > 0 && self.conversation_at(number).is_some_and(|one| one.held_put.is_some())
    }

    /// Makes the put of a conversation that waits, if its wait is over.
    pub(super) fn resume_held(&mut self, place: usize) {
        if let Some(conversation) = self.conversations[place].as_mut()
            && conversation.held_put.is_some()
        {
            let arriving = conversation.held_put.as_ref().filter(|held| held.room.is_some());
            let bytes = arriving.map_or(0, |held| held.body.len());
            let number = conversation.number;
            if conversation.resume_put() {
                self.held_puts -= 1;
                self.arriving_bytes = self.arriving_bytes.saturating_sub(bytes);
                self.list(number);
            }
        }
    }
}
