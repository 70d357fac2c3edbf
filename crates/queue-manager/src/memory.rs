//! The account of message bodies in memory.

use platform::sync::atomic::{AtomicU64, Ordering};

/// What payloads take, against the budget.
#[derive(Debug)]
pub(crate) struct Memory {
    budget: u64,
    used: AtomicU64,
}

impl Memory {
    pub(crate) fn new(budget: u64) -> Self {
        Self { budget, used: AtomicU64::new(0) }
    }

    pub(crate) fn add(&self, bytes: u64) {
        self.used.fetch_add(bytes, Ordering::Relaxed);
    }

    pub(crate) fn subtract(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.used() > self.budget
    }

    pub(crate) fn is_twice_over(&self) -> bool {
        self.used() > self.budget.saturating_mul(2)
    }
}
