//! The account of message bodies in memory, and of messages that are under way.
//!
//! Always: messages under way take no more than their part of the budget, except one that has it alone. One
//! that finds no room is refused and gives back what it has, so that none waits for another.

use std::sync::Arc;

use bytes::Bytes;
use platform::CachePadded;
use platform::sync::atomic::{AtomicU64, Ordering};

/// Memory that payloads take, against the budget.
#[derive(Debug)]
pub struct Memory {
    budget: u64,
    used: Arc<CachePadded<AtomicU64>>,
    arriving: Arc<CachePadded<AtomicU64>>,
}

/// Messages under way may take one part in so many of the budget: the rest is for messages on queues.
const ARRIVING_PART: u64 = 2;

/// Least bytes that messages under way may take, however small the budget is: a few frames of each of a few
/// connections.
const ARRIVING_LEAST: u64 = 1 << 20;

/// Room that a message under way has taken, until this is dropped.
#[derive(Debug)]
pub struct ArrivingRoom {
    bytes: u64,
    bytes_max: u64,
    /// Bytes of all messages under way.
    arriving: Arc<CachePadded<AtomicU64>>,
    /// Bytes that count against the budget.
    used: Arc<CachePadded<AtomicU64>>,
}

impl ArrivingRoom {
    /// Takes room for so many more bytes; false where there is too little, unless this message is alone.
    #[must_use]
    pub fn take(&mut self, bytes: usize) -> bool {
        let bytes = bytes as u64;
        let taken = self.arriving.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |arriving| {
            let after = arriving.saturating_add(bytes);
            (after <= self.bytes_max || arriving == self.bytes).then_some(after)
        });
        if taken.is_err() {
            return false;
        }
        self.bytes += bytes;
        self.used.fetch_add(bytes, Ordering::Relaxed);
        true
    }

    /// Says whether messages under way take more than half of their room.
    #[must_use]
    pub fn is_short(&self) -> bool {
        self.arriving.load(Ordering::Relaxed) > self.bytes_max / 2
    }
}

impl Drop for ArrivingRoom {
    fn drop(&mut self) {
        self.arriving.fetch_sub(self.bytes, Ordering::Relaxed);
        self.used.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// A body of several messages, which counts once, as long as one of them holds it.
struct Shared {
    body: Bytes,
    used: Arc<CachePadded<AtomicU64>>,
}

impl AsRef<[u8]> for Shared {
    fn as_ref(&self) -> &[u8] {
        &self.body
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.used.fetch_sub(self.body.len() as u64, Ordering::Relaxed);
    }
}

impl Memory {
    /// An account with a budget in bytes.
    pub fn new(budget: u64) -> Self {
        Self { budget, used: Arc::default(), arriving: Arc::default() }
    }

    /// Room for a message under way, of which nothing is taken.
    pub fn arriving(&self) -> ArrivingRoom {
        ArrivingRoom {
            bytes: 0,
            bytes_max: (self.budget / ARRIVING_PART).max(ARRIVING_LEAST),
            arriving: Arc::clone(&self.arriving),
            used: Arc::clone(&self.used),
        }
    }

    #[inline]
    pub(crate) fn add(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn subtract(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// The body for messages that share it: counted now, and let go of when the last of them is.
    pub fn shared(&self, body: Bytes) -> Bytes {
        self.add(body.len() as u64);
        Bytes::from_owner(Shared { body, used: Arc::clone(&self.used) })
    }

    /// Bytes in use.
    #[inline]
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.used() > self.budget
    }

    pub(crate) fn is_twice_over(&self) -> bool {
        self.used() > self.budget.saturating_mul(2)
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;
    use bytes::Bytes;

    #[test]
    fn messages_under_way_share_a_part_of_the_budget_and_one_alone_may_have_more() {
        let memory = Memory::new(8 << 20);
        let (mut one, mut other) = (memory.arriving(), memory.arriving());
        assert!(!one.is_short() && one.take(3 << 20) && one.is_short());
        assert!(!other.take(2 << 20), "the newest is refused");
        assert!(other.take(1 << 20));
        assert!(!one.take(1) && !other.take(1));
        assert_eq!(memory.used(), 4 << 20, "the bodies of queues make room");
        drop(other);
        assert!(one.take(100 << 20), "alone it may be of any length");
        drop(one);
        assert_eq!(memory.used(), 0);
        assert!(memory.arriving().take(usize::MAX >> 1) && memory.used() == 0);
    }

    #[test]
    fn a_shared_body_counts_once_until_its_last_holder_lets_go() {
        let memory = Memory::new(1_000);
        let body = memory.shared(Bytes::from(vec![7; 600]));
        let others = [body.clone(), body.slice(100..)];
        assert_eq!((memory.used(), memory.is_over()), (600, false));
        drop(body);
        assert_eq!(memory.used(), 600, "others hold it");
        drop(others);
        assert_eq!(memory.used(), 0);
    }
}
