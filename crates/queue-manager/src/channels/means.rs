//! Clock and chance for the agents of message channels, and their words to an administrator.

use objects::Moment;
use platform::Monotonic;
use queues::ground::events;

use crate::manager::QueueManager;

/// The attributes of a queue manager that its message channels offer their partners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelOffer {
    /// The character set (CCSID).
    pub coded_character_set: i32,
    /// Most messages of a unit of work (MAXUMSGS).
    pub uncommitted_messages_max: u32,
}

impl QueueManager {
    /// The time that never steps, for intervals of a channel.
    #[must_use]
    pub fn now(&self) -> Monotonic {
        self.engine().ground().now()
    }

    /// The time of day, for displays.
    #[must_use]
    pub fn time_of_day(&self) -> Moment {
        self.engine().time_of_day()
    }

    /// The name of a new line of a channel: drawn at random, and not 0, which names none.
    #[must_use]
    pub fn draw_line(&self) -> u64 {
        self.engine().ground().world.entropy.next_u64().max(1)
    }

    /// The attributes of the queue manager that a channel offers its partner.
    #[must_use]
    pub fn channel_offer(&self) -> ChannelOffer {
        let uncommitted_max = self.engine().ground().limits.uncommitted_max();
        ChannelOffer {
            coded_character_set: self.engine().catalogue.manager().attributes.coded_character_set,
            uncommitted_messages_max: u32::try_from(uncommitted_max).unwrap_or(u32::MAX),
        }
    }

    /// The ends of a channel differ on a line that ended: an administrator is told of the batches.
    pub fn tell_channel_finding(&self, channel: &str, finding: &str) {
        let event = events::CHANNEL_ENDS_DIFFER.with([channel.to_owned(), finding.to_owned()]);
        self.engine().ground().host.event(&event);
    }

    /// A channel ended with messages outside batches that neither end has any more: an administrator is told
    /// how many.
    pub fn tell_messages_dropped(&self, channel: &str, count: u64) {
        let event = events::MESSAGES_DROPPED.with([channel.to_owned(), count.to_string()]);
        self.engine().ground().host.event(&event);
    }
}
