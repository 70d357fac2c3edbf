//! The locks and marks by which browsers keep a message from being seen again.

use mqi::{GetFlags, GetOptions, Reason, Wait as Patience};

use super::calls::Replied;
use super::getting::Asked;
use super::queue::{QueueId, State};
use super::{Manager, Time, refused};

/// Why options of a get that unlocks make no sense; others are not judged.
pub(super) fn check_unlock(options: &GetOptions) -> Result<(), Reason> {
    let others = options.flags.without(GetFlags::UNLOCK | GetFlags::NO_SYNCPOINT);
    let unlocks = options.flags.contains(GetFlags::UNLOCK);
    let contradicts = unlocks && (!others.is_empty() || options.wait != Patience::No);
    if contradicts { Err(Reason::OPTIONS_ERROR) } else { Ok(()) }
}

impl Manager {
    /// A browser was shown a message: it locks it or gives up what it had locked, and marks it.
    pub(super) fn look_at(&mut self, id: QueueId, asked: &Asked, number: u64) {
        let locks = asked.has(GetFlags::LOCK);
        if self.queue(id).message(number).state != State::LockedBy(asked.handle) || !locks {
            self.release_lock(id, asked.handle);
        }
        let until =
            self.settings.mark_interval.map_or(Time::MAX, |interval| self.now.saturating_add(interval));
        // Somebody who waited may have been quicker.
        let mut there = self.queue(id).messages.iter_mut();
        let Some(message) = there.find(|message| message.number == number) else { return };
        if locks {
            message.state = State::LockedBy(asked.handle);
        }
        if asked.has(GetFlags::MARK_BROWSE_CO_OP) {
            message.marked_until = Some(until);
        }
        if asked.has(GetFlags::MARK_BROWSE_HANDLE) {
            message.marked_by.insert(asked.handle);
        }
        if asked.has(GetFlags::UNMARK_BROWSE_HANDLE) {
            message.marked_by.remove(&asked.handle);
        }
        if asked.has(GetFlags::UNMARK_BROWSE_CO_OP) && message.marked_until.take().is_some() {
            self.offer(id);
        }
    }

    /// Gives up what a handle has locked; whether there was anything.
    pub(super) fn release_lock(&mut self, id: QueueId, handle: u64) -> bool {
        let Some(queue) = self.queues.get_mut(&id) else { return false };
        let locked = queue.messages.iter_mut().find(|message| message.state == State::LockedBy(handle));
        let Some(message) = locked else { return false };
        message.state = State::Available;
        self.expire();
        self.offer(id);
        true
    }

    /// A get that only unlocks.
    pub(super) fn unlock(&mut self, client: &str, handle: u64, options: &GetOptions) -> Replied {
        check_unlock(options)?;
        let queue = self.client(client).handles[&handle].queue;
        if !self.queues.contains_key(&queue) {
            return Err(Reason::Q_DELETED);
        }
        if self.release_lock(queue, handle) {
            return self.done(0);
        }
        Ok(Some((refused(Reason::NO_MSG_LOCKED), 0)))
    }

    /// A handle is closed: its lock and its marks end, and those of all that co-operate with the last of
    /// them.
    pub(super) fn let_go(&mut self, id: QueueId, handle: u64) {
        let co_operates = self.handles().any(|handle| handle.queue == id && handle.co_operates());
        let Some(queue) = self.queues.get_mut(&id) else { return };
        for message in &mut queue.messages {
            message.marked_by.remove(&handle);
            if !co_operates {
                message.marked_until = None;
            }
        }
        self.release_lock(id, handle);
    }

    /// Marks lapse; who waits for messages without is shown them.
    pub(super) fn lapse(&mut self) {
        let now = self.now;
        let mut lapsed = Vec::new();
        for (id, queue) in &mut self.queues {
            for message in &mut queue.messages {
                if message.marked_until.take_if(|until| *until <= now).is_some() {
                    lapsed.push(*id);
                }
            }
        }
        for id in lapsed {
            self.offer(id);
        }
    }
}
