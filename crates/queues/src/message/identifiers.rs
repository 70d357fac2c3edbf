//! Identifiers the queue manager makes up: unique over restarts, and over queue managers of the same name.

use std::cell::Cell;

use mqi::{MessageId, QueueManagerName};
use platform::sync::atomic::{AtomicU64, Ordering};
use platform::{CachePadded, Entropy};

/// Numbers that a connection takes at a time: so many that connections on several processors seldom meet at
/// the counter. Numbers left at its end stay unused.
const TAKEN_AT_ONCE: u64 = 256;

/// Makes message identifiers.
///
/// ```text
/// "FRY " | the first 8 characters of the queue manager's name | epoch u32 | counter u64, big-endian
/// ```
///
/// The epoch tells the starts of one queue manager apart; the counter begins at a random number, which tells
/// queue managers apart whose names begin alike.
#[derive(Debug)]
pub struct Identifiers {
    prefix: [u8; 16],
    counter: CachePadded<AtomicU64>,
}

/// Numbers that one connection has taken, for the identifiers of what it puts.
#[derive(Debug, Default)]
pub struct Taken {
    next: Cell<u64>,
    left: Cell<u64>,
}

impl Identifiers {
    /// Identifiers of one start of a queue manager.
    pub fn new(name: &QueueManagerName, epoch: u32, entropy: &dyn Entropy) -> Self {
        let mut prefix = *b"FRY             ";
        prefix[4..12].copy_from_slice(&name.to_padded()[..8]);
        prefix[12..].copy_from_slice(&epoch.to_be_bytes());
        Self { prefix, counter: CachePadded::new(AtomicU64::new(entropy.next_u64())) }
    }

    /// An identifier never given before.
    pub fn next(&self) -> MessageId {
        self.of(self.next_number())
    }

    /// An identifier never given before, for what a connection puts.
    #[inline]
    pub fn next_of(&self, taken: &Taken) -> MessageId {
        if taken.left.get() == 0 {
            taken.next.set(self.counter.fetch_add(TAKEN_AT_ONCE, Ordering::Relaxed));
            taken.left.set(TAKEN_AT_ONCE);
        }
        let number = taken.next.get();
        taken.next.set(number.wrapping_add(1));
        taken.left.set(taken.left.get() - 1);
        self.of(number)
    }

    /// A number never given before in this start, for the names of dynamic queues.
    pub fn next_number(&self) -> u64 {
        self.counter.fetch_add(1, Ordering::Relaxed)
    }

    fn of(&self, number: u64) -> MessageId {
        let mut bytes = [0; 24];
        bytes[..16].copy_from_slice(&self.prefix);
        bytes[16..].copy_from_slice(&number.to_be_bytes());
        MessageId(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use platform::World;
    use platform::simulated::Machine;

    use super::*;

    fn identifiers(world: &World, epoch: u32) -> Identifiers {
        Identifiers::new(&"ONE".parse().expect("a name"), epoch, &*world.entropy)
    }

    #[test]
    fn no_identifier_is_given_twice_to_any_caller_or_after_any_start() {
        let world = Machine::new(1).world();
        let mut given = BTreeSet::new();
        for epoch in 1..=3 {
            let identifiers = identifiers(&world, epoch);
            let connections = [Taken::default(), Taken::default()];
            for round in 0..3 * TAKEN_AT_ONCE {
                for taken in connections.iter().take(1 + usize::from(round % 3 == 0)) {
                    assert!(given.insert(identifiers.next_of(taken).0));
                }
                if round % 7 == 0 {
                    assert!(given.insert(identifiers.next().0));
                }
            }
        }
    }

    #[test]
    fn the_counter_goes_round_within_what_a_connection_has_taken() {
        let world = Machine::new(1).world();
        let identifiers = identifiers(&world, 1);
        identifiers.counter.store(u64::MAX - 1, Ordering::Relaxed);
        let taken = Taken::default();
        let given: BTreeSet<_> = (0..2 * TAKEN_AT_ONCE).map(|_| identifiers.next_of(&taken).0).collect();
        assert_eq!(given.len() as u64, 2 * TAKEN_AT_ONCE);
    }
}
