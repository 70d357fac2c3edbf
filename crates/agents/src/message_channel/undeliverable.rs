//! The steps for a message that its receiver cannot put.
//!
//! 1. The put is tried MRRTY times again, MRTMR apart.
//! 2. The putter is told by an exception report, if it asked.
//! 3. With MQRO_DISCARD_MSG and full data in the report, that is all.
//! 4. The dead-letter queue takes it, with USEDLQ(YES).
//! 5. The batch is refused; a message outside batches waits and is tried on.
//!
//! Always: a queue that used its tries up is tried once for each message until a put succeeds, so that one
//! full queue does not slow the others. Its message is kept within the batch at once: steps 2 to 4 do not
//! wait until the refusal is durable.

use channel::message::frame::Destination;
use mqi::{Reason, ReportOptions, constants};
use objects::Retry;

/// Most destinations that are known to have used their tries up: as many as a channel keeps open.
const EXHAUSTED_MAX: usize = 64;

/// Refusals that pass: the queue is inhibited or full, the disk or the log has no room.
const PASSING: [Reason; 4] =
    [Reason::PUT_INHIBITED, Reason::Q_FULL, Reason::Q_SPACE_NOT_AVAILABLE, Reason::STORAGE_MEDIUM_FULL];

/// Returns true where nothing is wrong with the message or its queue: the queue manager lacks room, which it
/// finds again without a person. A batch that is refused so is sent again later.
pub(super) fn is_lack_of_room(reason: Reason) -> bool {
    matches!(reason, Reason::STORAGE_MEDIUM_FULL | Reason::RESOURCE_PROBLEM)
}

/// Destinations that used their tries up.
#[derive(Debug, Default)]
pub(super) struct Exhausted(Vec<Destination>);

impl Exhausted {
    /// True for a destination that used its tries up.
    pub(super) fn holds(&self, to: &Destination) -> bool {
        self.0.contains(to)
    }

    /// The tries that a message has after a refusal.
    pub(super) fn tries(&self, to: &Destination, reason: Reason, retry: Retry) -> u32 {
        if PASSING.contains(&reason) && !self.holds(to) { retry.count } else { 0 }
    }

    /// A destination used its tries up. Beyond the bound the oldest has its tries again.
    pub(super) fn note(&mut self, to: Destination) {
        if !self.0.contains(&to) {
            if self.0.len() == EXHAUSTED_MAX {
                self.0.remove(0);
            }
            self.0.push(to);
        }
    }

    /// A put succeeded.
    pub(super) fn forget(&mut self, to: &Destination) {
        if !self.0.is_empty() {
            self.0.retain(|known| known != to);
        }
    }
}

/// Returns true for a message that its putter wants discarded, as all of it is in the report.
pub(super) fn is_returned(report: ReportOptions) -> bool {
    let whole = constants::MQRO_EXCEPTION_WITH_FULL_DATA;
    let discard = constants::MQRO_DISCARD_MSG;
    report.bits() & whole == whole && report.bits() & discard == discard
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const RETRY: Retry = Retry { count: 10, interval: Duration::from_secs(1) };

    fn to(queue: &str) -> Destination {
        Destination { queue: queue.parse().unwrap(), ..Destination::default() }
    }

    #[test]
    fn only_refusals_that_pass_are_tried_again() {
        let exhausted = Exhausted::default();
        for (reason, expected) in [
            (Reason::PUT_INHIBITED, 10),
            (Reason::Q_FULL, 10),
            (Reason::Q_SPACE_NOT_AVAILABLE, 10),
            (Reason::STORAGE_MEDIUM_FULL, 10),
            (Reason::UNKNOWN_OBJECT_NAME, 0),
            (Reason::NOT_AUTHORIZED, 0),
            (Reason::MSG_TOO_BIG_FOR_Q, 0),
        ] {
            assert_eq!(exhausted.tries(&to("Q"), reason, RETRY), expected, "{reason}");
        }
    }

    #[test]
    fn a_queue_that_used_its_tries_up_has_none_until_a_put_succeeds() {
        let mut exhausted = Exhausted::default();
        exhausted.note(to("FULL"));
        assert_eq!(exhausted.tries(&to("FULL"), Reason::Q_FULL, RETRY), 0);
        assert_eq!(exhausted.tries(&to("GOOD"), Reason::Q_FULL, RETRY), 10, "others are not slowed");
        exhausted.forget(&to("FULL"));
        assert_eq!(exhausted.tries(&to("FULL"), Reason::Q_FULL, RETRY), 10);
        for number in 0..EXHAUSTED_MAX + 1 {
            exhausted.note(to(&format!("Q{number}")));
        }
        assert_eq!(exhausted.0.len(), EXHAUSTED_MAX);
        assert_eq!(exhausted.tries(&to("Q0"), Reason::Q_FULL, RETRY), 10, "the oldest is forgotten");
    }

    #[test]
    fn a_message_is_returned_only_if_all_of_it_is_in_the_report() {
        let bits = |bits| ReportOptions::from_bits(bits);
        let full = constants::MQRO_EXCEPTION_WITH_FULL_DATA;
        assert!(is_returned(bits(full | constants::MQRO_DISCARD_MSG)));
        assert!(!is_returned(bits(full)));
        assert!(!is_returned(bits(constants::MQRO_EXCEPTION_WITH_DATA | constants::MQRO_DISCARD_MSG)));
        assert!(!is_returned(bits(constants::MQRO_DISCARD_MSG)));
    }
}
