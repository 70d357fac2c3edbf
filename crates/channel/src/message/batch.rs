//! The batch that is being filled, at either end, and when it ends.

use std::time::Duration;

use super::negotiate::Terms;
use super::numbers::{Chain, Mark, Sequence};

/// Longest time from the first message of a batch to its end while more messages keep coming: a commit of
/// the other end every so often, however long the queue.
pub const FILLING_MAX: Duration = Duration::from_secs(5);

/// Facts of a message that the numbers of a channel depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts<'a> {
    /// The message identifier.
    pub identifier: &'a [u8; 24],
    /// Bytes of its body.
    pub bytes: u32,
}

/// A batch that is being filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filling {
    messages: u32,
    bytes: u64,
    first: Sequence,
    last: Sequence,
    chain: Chain,
    /// When its first message came, on the clock of the caller.
    began: Duration,
}

impl Filling {
    /// An empty one behind a mark.
    #[must_use]
    pub fn after(mark: Mark) -> Self {
        Self {
            messages: 0,
            bytes: 0,
            first: mark.sequence,
            last: mark.sequence,
            chain: mark.chain,
            began: Duration::ZERO,
        }
    }

    /// Takes a message, which has this sequence number then.
    pub fn take(&mut self, facts: Facts<'_>, highest: Sequence, now: Duration) -> Sequence {
        self.last = self.last.next(highest);
        if self.messages == 0 {
            (self.first, self.began) = (self.last, now);
        }
        self.messages += 1;
        self.bytes += u64::from(facts.bytes);
        self.chain = self.chain.with_message(facts.identifier, facts.bytes);
        self.last
    }

    /// Messages in it.
    #[must_use]
    pub fn messages(&self) -> u32 {
        self.messages
    }

    /// The sequence number of its first message.
    #[must_use]
    pub fn first(&self) -> Sequence {
        self.first
    }

    /// The sequence number of the last message so far.
    #[must_use]
    pub fn last(&self) -> Sequence {
        self.last
    }

    /// The mark that the batch has once it ends behind another.
    #[must_use]
    pub fn end(&self, before: Mark) -> Mark {
        let batch = before.batch.next();
        Mark { batch, sequence: self.last, chain: self.chain.with_end(batch) }
    }

    /// Returns true if it has as many messages or bytes as were agreed. The message that passes the limit
    /// of bytes is in it.
    #[must_use]
    pub fn is_full(&self, terms: &Terms) -> bool {
        self.messages >= terms.batch_messages_max
            || terms.batch_bytes_max.is_some_and(|most| self.bytes >= most.get())
    }

    /// Bytes until it has as many as were agreed.
    #[must_use]
    pub fn bytes_left(&self, terms: &Terms) -> u64 {
        terms.batch_bytes_max.map_or(u64::MAX, |most| most.get().saturating_sub(self.bytes))
    }

    /// Returns true if it should end now, by its limits, its age, or because no message comes. `interval` is
    /// BATCHINT: the time that an unfilled batch waits for messages, from its first.
    #[must_use]
    pub fn is_due(&self, terms: &Terms, now: Duration, idle: bool, interval: Duration) -> bool {
        if self.messages == 0 {
            return false;
        }
        let age = now.saturating_sub(self.began);
        self.is_full(terms) || (idle && age >= interval) || age >= FILLING_MAX.max(interval)
    }

    /// When it is due if nothing more happens, on the clock of the caller.
    #[must_use]
    pub fn due_at(&self, idle: bool, interval: Duration) -> Option<Duration> {
        (self.messages > 0).then(|| self.began + if idle { interval } else { FILLING_MAX.max(interval) })
    }
}
