//! The wait of a block of the log for more records that can go with it.
//!
//! A forced write costs as much for one commit as for forty. Input of other sockets is taken along in any
//! case: asking them costs next to nothing. With a commit delay, which must be asked for, the block then
//! waits for programs that are about to commit, as long as so many programs wait for it already that others
//! are likely to come ([0024](../../../docs/decisions/0024-the-commit-delay-is-off-by-default.md)).

use std::time::{Duration, Instant};

/// Looks that found something before the block is written, or begins to wait.
const LOOKS_MAX: u32 = 4;

/// Time between two looks for which the processor is given away while a block waits: a program about to
/// commit may need it, and requests that come meanwhile are taken together.
pub(crate) const STEP: Duration = Duration::from_micros(20);

/// Commit delay of the settings.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommitDelay {
    /// The longest that a block waits; zero for not at all.
    pub(crate) time: Duration,
    /// It waits only while at least so many programs wait for it.
    pub(crate) siblings: usize,
}

/// Next step for a block that could be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// Look for more at once.
    Looks,
    /// Give the processor away for a moment, and look for more.
    GivesWay,
    /// Write it.
    Writes,
}

/// One block after the other.
#[derive(Debug)]
pub(crate) struct Gathering {
    delay: CommitDelay,
    looks: u32,
    /// Time at which the block began to wait for others.
    since: Option<Instant>,
}

impl Gathering {
    pub(crate) const fn new(delay: CommitDelay) -> Self {
        Self { delay, looks: 0, since: None }
    }

    /// Returns the next step: `found` is true if the last look found something, `waiting` counts the programs
    /// that wait for the block.
    pub(crate) fn next(&mut self, found: bool, waiting: impl FnOnce() -> usize) -> Then {
        if found && self.looks < LOOKS_MAX {
            self.looks += 1;
            return Then::Looks;
        }
        if !self.delay.time.is_zero() && waiting() >= self.delay.siblings {
            let now = Instant::now();
            if now - *self.since.get_or_insert(now) < self.delay.time {
                return Then::GivesWay;
            }
        }
        Then::Writes
    }

    /// The block is being written, or there is none.
    pub(crate) const fn begin_anew(&mut self) {
        (self.looks, self.since) = (0, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(600);

    fn gathering(time: Duration) -> Gathering {
        Gathering::new(CommitDelay { time, siblings: 3 })
    }

    #[test]
    fn other_sockets_are_asked_while_they_have_something_but_not_for_ever() {
        let mut gathering = gathering(Duration::ZERO);
        assert_eq!(gathering.next(false, || 100), Then::Writes);
        for _ in 0..LOOKS_MAX {
            assert_eq!(gathering.next(true, || 100), Then::Looks);
        }
        assert_eq!(gathering.next(true, || 100), Then::Writes);
        gathering.begin_anew();
        assert_eq!(gathering.next(true, || 100), Then::Looks);
    }

    #[test]
    fn a_block_waits_while_enough_programs_wait_for_it() {
        let mut gathering = gathering(LONG);
        assert_eq!(gathering.next(false, || 2), Then::Writes);
        assert_eq!(gathering.next(false, || 3), Then::GivesWay);
        assert_eq!(gathering.next(false, || 4), Then::GivesWay);
        // A program that went away no longer waits.
        assert_eq!(gathering.next(false, || 2), Then::Writes);
    }

    #[test]
    fn what_comes_while_a_block_waits_does_not_make_it_wait_longer() {
        let mut gathering = gathering(Duration::from_millis(1));
        for _ in 0..LOOKS_MAX {
            assert_eq!(gathering.next(true, || 3), Then::Looks);
        }
        assert_eq!(gathering.next(true, || 3), Then::GivesWay);
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(gathering.next(true, || 100), Then::Writes);
        gathering.begin_anew();
        assert_eq!(gathering.next(false, || 100), Then::GivesWay);
    }
}
