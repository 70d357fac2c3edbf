//! The account of message bodies in memory.

use std::sync::Arc;

use bytes::Bytes;
use platform::CachePadded;
use platform::sync::atomic::{AtomicU64, Ordering};

/// Memory that payloads take, against the budget.
#[derive(Debug)]
pub(crate) struct Memory {
    budget: u64,
    used: Arc<CachePadded<AtomicU64>>,
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
    pub(crate) fn new(budget: u64) -> Self {
        Self { budget, used: Arc::default() }
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
    pub(crate) fn shared(&self, body: Bytes) -> Bytes {
        self.add(body.len() as u64);
        Bytes::from_owner(Shared { body, used: Arc::clone(&self.used) })
    }

    #[inline]
    pub(crate) fn used(&self) -> u64 {
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
