//! When memory that messages had goes back to the system.
//!
//! Lives here: the decision, from the memory of messages at each look. Lives elsewhere: the looking
//! (`threads`), the giving back (`platform::os::memory`).
//!
//! Always: only once messages take much less than they took at most since the last time, and no more than at
//! the look before. While messages come and go as they do, nothing is given back that would be wanted a
//! moment later.

use std::time::Duration;

use platform::Monotonic;

/// Bytes that messages must have let go of: less is not worth a walk through all that is allocated. For small
/// messages the allocator has up to five times as much as is counted: places, lists and gaps.
const FELL_BYTES_MIN: u64 = 4 << 20;

/// The same while messages neither come nor go: nobody waits for the walk then, and what is left of a queue
/// that was emptied in two goes does not stay for ever.
const FELL_AT_REST_BYTES_MIN: u64 = 256 << 10;

/// At the earliest so long after the last time: a queue that is filled and emptied in turns is not slowed
/// down by it.
const INTERVAL: Duration = Duration::from_secs(5);

/// Looks at the memory of messages, and what they showed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trimming {
    /// The most that they took since memory was given back.
    most: u64,
    /// Bytes that they took at the last look.
    last: u64,
    /// When memory was given back.
    given_back: Option<Monotonic>,
}

impl Trimming {
    /// Looks at what messages take now; whether memory is to be given back.
    pub(crate) fn is_due(&mut self, used: u64, now: Monotonic) -> bool {
        let rises = used > self.last;
        let worth = if used == self.last { FELL_AT_REST_BYTES_MIN } else { FELL_BYTES_MIN };
        self.last = used;
        self.most = self.most.max(used);
        let fell = self.most - used;
        let is_soon = self.given_back.is_some_and(|then| now.since(then) < INTERVAL);
        if rises || is_soon || fell < worth || used > self.most / 2 {
            return false;
        }
        (self.most, self.given_back) = (used, Some(now));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn second(number: u64) -> Monotonic {
        Monotonic(0).after(Duration::from_secs(number))
    }

    /// The memory of messages each second, in MiB, and the seconds at which memory is given back.
    fn given_back(used: &[u64]) -> Vec<usize> {
        let mut trimming = Trimming::default();
        let looks = used.iter().enumerate();
        looks
            .filter(|(at, used)| trimming.is_due(**used * MIB, second(*at as u64)))
            .map(|(at, _)| at)
            .collect()
    }

    #[test]
    fn memory_goes_back_once_when_messages_have_let_go_of_much_of_it() {
        for (used, expected) in [
            (&[0, 800, 400, 0, 0, 0, 0, 0, 0, 0, 0][..], &[2, 7][..]),
            (&[0, 800, 800, 790, 780, 770, 760][..], &[]),
            (&[0, 20, 0, 20, 0, 20, 0][..], &[2]),
            (&[0, 3, 0, 3, 0, 3, 0][..], &[]),
            (&[0, 100, 0, 100, 0, 100, 0, 100, 0, 100, 0, 100, 0][..], &[2, 8]),
            (&[0, 100, 30, 40, 45, 44][..], &[2]),
            (&[0, 12, 3, 0, 0, 0, 0, 0, 0, 0][..], &[2, 7]),
            (&[0, 3, 0, 0, 0, 3, 2, 2, 2][..], &[3]),
            (&[500, 501, 502, 100, 100][..], &[3]),
        ] {
            assert_eq!(given_back(used), expected, "{used:?}");
        }
    }
}
