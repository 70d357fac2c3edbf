//! Clock and chance for the agents of message channels, and their words to an administrator.

use objects::Moment;
use platform::Monotonic;

use crate::ground::events;
use crate::manager::QueueManager;

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

    /// The character set of the queue manager (CCSID).
    #[must_use]
    pub fn coded_character_set(&self) -> i32 {
        self.engine().catalogue.manager().attributes.coded_character_set
    }

    /// The most messages of a unit of work (MAXUMSGS).
    #[must_use]
    pub fn uncommitted_messages_max(&self) -> u32 {
        u32::try_from(self.engine().ground().limits.uncommitted_max()).unwrap_or(u32::MAX)
    }

    /// The ends of a channel differ on a line that ended: an administrator is told of the batches.
    pub fn tell_channel_finding(&self, channel: &str, finding: &str) {
        let event = events::CHANNEL_ENDS_DIFFER.with([channel.to_owned(), finding.to_owned()]);
        self.engine().ground().host.event(&event);
    }
}
