//! Clock and chance for the agents of message channels, and their words to an administrator.

use objects::Moment;
use queues::ground::events;

use super::message::Channels;

/// The attributes of a queue manager that its message channels offer their partners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelOffer {
    /// The character set (CCSID).
    pub coded_character_set: i32,
    /// Most messages of a unit of work (MAXUMSGS).
    pub uncommitted_messages_max: u32,
}

/// A finding about the messages of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelFinding {
    /// The ends differ on a line that ended: the batches, in words.
    EndsDiffer(String),
    /// The channel ended with so many messages outside batches that neither end has any more.
    Dropped(u64),
}

impl Channels<'_> {
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
    pub fn offer(&self) -> ChannelOffer {
        let uncommitted_max = self.engine().ground().limits.uncommitted_max();
        ChannelOffer {
            coded_character_set: self.engine().directory.catalogue.manager().attributes.coded_character_set,
            uncommitted_messages_max: u32::try_from(uncommitted_max).unwrap_or(u32::MAX),
        }
    }

    /// Tells an administrator what became of messages of a channel.
    pub fn tell(&self, channel: &str, finding: &ChannelFinding) {
        let name = channel.to_owned();
        let event = match finding {
            ChannelFinding::EndsDiffer(found) => events::CHANNEL_ENDS_DIFFER.with([name, found.clone()]),
            ChannelFinding::Dropped(count) => events::MESSAGES_DROPPED.with([name, count.to_string()]),
        };
        self.engine().ground().host.event(&event);
    }
}
