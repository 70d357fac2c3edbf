//! The mailboxes of the conversations of a link, and whether anything more will come to them.
//!
//! Always: once broken, a link stays so, and no thread sleeps at a mailbox of it: a thread that begins to
//! wait checks under the mailbox's lock, and the thread that breaks the link locks each mailbox after it has
//! marked the link.

use crate::inbox::{Arrived, Inbox};
use ::channel::Conversation;
use platform::sync::atomic::{AtomicBool, Ordering};
use platform::sync::{Mutex, MutexGuard};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The link is at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Broken;

/// The mailboxes of a link.
#[derive(Debug, Default)]
pub(crate) struct Mailboxes {
    conversations: Mutex<Conversations>,
    is_broken: AtomicBool,
}

#[derive(Debug, Default)]
struct Conversations {
    /// In order, so that a model that is repeated does the same.
    inboxes: BTreeMap<Conversation, Arc<Inbox>>,
    /// The highest number used.
    highest: u16,
    /// Numbers of conversations that ended in order.
    free: Vec<u16>,
    /// Numbers of those that were given up and whose end the server has yet to confirm.
    leaving: Vec<u16>,
}

impl Mailboxes {
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(Ordering::Acquire)
    }

    /// A number for a new conversation, and its mailbox; none when there are `most` of them.
    pub(crate) fn register(&self, most: u16) -> Option<(Conversation, Arc<Inbox>)> {
        let mut conversations = self.conversations.lock();
        let number = match conversations.free.pop() {
            Some(number) => number,
            None if conversations.highest < most => {
                conversations.highest += 1;
                conversations.highest
            }
            None => return None,
        };
        let inbox = Arc::new(Inbox::default());
        conversations.inboxes.insert(Conversation(number), Arc::clone(&inbox));
        Some((Conversation(number), inbox))
    }

    /// Forgets a conversation; its number may be used again once the server has ended it. False when it was
    /// forgotten before.
    pub(crate) fn forget(&self, conversation: Conversation, has_ended: bool) -> bool {
        let mut conversations = self.conversations.lock();
        let was_known = conversations.inboxes.remove(&conversation).is_some();
        if was_known && has_ended {
            conversations.free.push(conversation.0);
        } else if was_known {
            conversations.leaving.push(conversation.0);
        }
        was_known
    }

    /// The server says that a conversation has ended, which may have been given up before.
    pub(crate) fn has_ended(&self, conversation: Conversation) {
        let mut conversations = self.conversations.lock();
        if let Some(place) = conversations.leaving.iter().position(|number| *number == conversation.0) {
            conversations.leaving.swap_remove(place);
            conversations.free.push(conversation.0);
        }
    }

    /// True if [`register`](Self::register) would find a number on a link that is whole.
    pub(crate) fn has_room(&self, most: u16) -> bool {
        let conversations = self.conversations.lock();
        let is_room = !conversations.free.is_empty() || conversations.highest < most;
        is_room && !self.is_broken()
    }

    /// True if there are any that were not forgotten.
    pub(crate) fn is_used(&self) -> bool {
        !self.conversations.lock().inboxes.is_empty()
    }

    /// The mailbox of a conversation, unless it was forgotten.
    pub(crate) fn of(&self, conversation: Conversation) -> Option<Arc<Inbox>> {
        self.conversations.lock().inboxes.get(&conversation).cloned()
    }

    /// Returns the result of `look` in a mailbox: input before the end of the link counts.
    pub(crate) fn look<T>(
        &self,
        arrived: &mut MutexGuard<'_, Arrived>,
        look: impl FnOnce(&mut Arrived) -> Option<T>,
    ) -> Result<Option<T>, Broken> {
        match look(arrived) {
            None if self.is_broken() => Err(Broken),
            found => Ok(found),
        }
    }

    /// Ends the link and tells every thread: through `shut_down` those that read or write, and those that
    /// sleep.
    pub(crate) fn break_off(&self, shut_down: impl FnOnce()) -> Broken {
        if !self.is_broken.swap(true, Ordering::AcqRel) {
            shut_down();
            let inboxes: Vec<_> = self.conversations.lock().inboxes.values().cloned().collect();
            for inbox in inboxes {
                inbox.rouse();
            }
        }
        Broken
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
