//! Identifiers the queue manager makes up: unique over restarts, and over queue managers of the same name.

use mqi::{MessageId, QueueManagerName};
use platform::Entropy;
use platform::sync::atomic::{AtomicU64, Ordering};

/// Makes message identifiers.
///
/// ```text
/// "FRY " | the first 8 characters of the queue manager's name | epoch u32 | counter u64, big-endian
/// ```
///
/// The epoch tells the starts of one queue manager apart; the counter begins at a random number, which tells
/// queue managers apart whose names begin alike.
#[derive(Debug)]
pub(crate) struct Identifiers {
    prefix: [u8; 16],
    counter: AtomicU64,
}

impl Identifiers {
    pub(crate) fn new(name: &QueueManagerName, epoch: u32, entropy: &dyn Entropy) -> Self {
        let mut prefix = *b"FRY             ";
        prefix[4..12].copy_from_slice(&name.to_padded()[..8]);
        prefix[12..].copy_from_slice(&epoch.to_be_bytes());
        Self { prefix, counter: AtomicU64::new(entropy.next_u64()) }
    }

    /// An identifier never given before.
    pub(crate) fn next(&self) -> MessageId {
        let mut bytes = [0; 24];
        bytes[..16].copy_from_slice(&self.prefix);
        bytes[16..].copy_from_slice(&self.counter.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        MessageId(bytes)
    }

    /// A number never given before in this start, for the names of dynamic queues.
    pub(crate) fn next_number(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }
}
