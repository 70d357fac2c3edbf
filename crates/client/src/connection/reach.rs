//! The reach of read-ahead, and the habit of a program that may make it useless.

use channel::body_cache;

/// The bounds of what may come before it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadAhead {
    /// Messages.
    pub messages: u32,
    /// Bytes of bodies; one message may go beyond.
    pub bytes: u32,
}

impl ReadAhead {
    /// For the queue of a subscription, which no other program gets from, so that messages here delay no
    /// getter. As much as a connection keeps bodies of: messages for subscribers of a socket are sent while
    /// they are kept, and those that find credit pass their queues.
    pub(super) const OF_SUBSCRIPTION: Self =
        Self { messages: body_cache::BODIES_MAX as u32, bytes: body_cache::BYTES_MAX as u32 };
}

impl Default for ReadAhead {
    fn default() -> Self {
        Self { messages: 128, bytes: 1 << 20 }
    }
}

/// Messages of a window that are asked for at first. What lies here ahead of need waits for this program even
/// while others that get from the queue have nothing to do; so more is asked for only when too little came.
const REACH_FIRST: u32 = 4;

/// First reach where gets are in units of work: many programs get one message in each.
const REACH_FIRST_IN_UNIT: u32 = 1;

/// The number of messages that may be on their way or lie here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Zero until the first get says whether it is in a unit of work.
    pub(super) messages: u32,
    /// Granted and not yet come.
    credit: u32,
    /// All that was granted before the last grant had come by then, and nothing has come since.
    ran_out: bool,
}

impl Reach {
    /// The first credit; returns for how many messages.
    pub(super) fn begin(&mut self, is_in_unit: bool, window: ReadAhead) -> u32 {
        let first = if is_in_unit { REACH_FIRST_IN_UNIT } else { REACH_FIRST };
        self.messages = self.messages.max(first).min(window.messages);
        (self.credit, self.ran_out) = (self.messages, false);
        self.messages
    }

    pub(super) fn grant(&mut self, messages: u32) {
        self.ran_out = self.credit == 0;
        self.credit = self.credit.saturating_add(messages);
    }

    pub(super) fn came(&mut self, messages: u32) {
        self.ran_out &= messages == 0;
        self.credit = self.credit.saturating_sub(messages);
    }

    /// The stream is over, and with it its credit.
    pub(super) fn end(&mut self) {
        (self.credit, self.ran_out) = (0, false);
    }

    /// The program waits, and nothing is here. When that is for want of credit, how much more to grant.
    pub(super) fn extend(&mut self, window: ReadAhead) -> u32 {
        if !self.ran_out {
            return 0;
        }
        let more = self.messages.min(window.messages.saturating_sub(self.messages));
        self.messages += more;
        more
    }
}

/// Gets in a row that must bring the other kind of message before gets are made another way: changing costs a
/// round trip.
const HABIT: u32 = 4;

/// Says of messages outside units of work that coming ahead saves nothing. A persistent one is taken by a
/// confirmation that is a round trip and a force, after the put that brought it has had a force of its own; a
/// plain get is one round trip too, and shares the force of a put that finds it waiting.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Habit {
    pub(super) gets_plainly: bool,
    /// Messages in a row that speak for the other way.
    against: u32,
}

impl Habit {
    pub(super) fn got(&mut self, is_persistent: bool) {
        if is_persistent == self.gets_plainly {
            self.against = 0;
            return;
        }
        self.against += 1;
        if self.against == HABIT {
            *self = Self { gets_plainly: is_persistent, against: 0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: ReadAhead = ReadAhead { messages: 20, bytes: 1 << 20 };

    #[test]
    fn more_comes_ahead_only_when_a_program_has_waited_for_want_of_credit() {
        let mut reach = Reach::default();
        assert_eq!(reach.begin(false, WINDOW), 4);
        assert_eq!(reach.extend(WINDOW), 0, "nothing has come at all");
        reach.came(1);
        assert_eq!(reach.extend(WINDOW), 0, "there is credit, but no message");
        reach.came(3);
        reach.grant(3);
        assert_eq!(reach.extend(WINDOW), 4, "credit had run out before the grant");
        reach.grant(4);
        reach.came(1);
        assert_eq!(reach.extend(WINDOW), 0);
    }

    #[test]
    fn what_comes_ahead_stays_within_the_window() {
        let mut reach = Reach::default();
        let mut all = reach.begin(true, WINDOW);
        assert_eq!(all, 1, "a unit may be of one message");
        for _ in 0..10 {
            reach.came(reach.messages);
            reach.grant(reach.messages);
            all += reach.extend(WINDOW);
        }
        assert_eq!((all, reach.messages), (20, 20));
        let narrow = ReadAhead { messages: 1, bytes: 1 };
        assert_eq!(Reach::default().begin(false, narrow), 1);
    }
}
