//! The table of rules, as it was read.

use std::time::Duration;

use mqi::{MessageId, ObjectName, QueueManagerName};

use super::values::{Number, Words};
use crate::dead_letters::letter::Letter;

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesTable {
    /// Where and how long.
    pub control: Control,
    /// The rules in their order, at least one.
    pub rules: Vec<Rule>,
}

/// Where dead letters are taken from, and how long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    /// The dead-letter queue; none for the queue manager's own.
    pub queue: Option<ObjectName>,
    /// The queue manager; none for the one connected to.
    pub queue_manager: Option<QueueManagerName>,
    /// The time between attempts, [`INTERVAL_MIN`](crate::dead_letters::handler::INTERVAL_MIN) at least.
    pub retry_interval: Duration,
    /// The wait for more letters.
    pub wait: Waiting,
}

/// The wait for more letters once there is none that anything can be done with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Until it is ended.
    Always,
    /// A time; zero does not wait.
    For(Duration),
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The letters it is for.
    pub pattern: Pattern,
    /// The action on them.
    pub action: Action,
    /// Attempts.
    pub attempts: u32,
}

/// The letters a rule is for. A field that is left out takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// REASON.
    pub reason: Number,
    /// DESTQ.
    pub destination_queue: Words,
    /// DESTQM.
    pub destination_queue_manager: Words,
    /// APPLNAME, of the putter.
    pub put_application_name: Words,
    /// APPLTYPE.
    pub put_application_type: Number,
    /// FORMAT of the message it was.
    pub format: Words,
    /// MSGTYPE.
    pub message_type: Number,
    /// FEEDBACK.
    pub feedback: Number,
    /// PERSIST.
    pub persistence: Number,
    /// REPLYQ.
    pub reply_to_queue: Words,
    /// REPLYQM.
    pub reply_to_queue_manager: Words,
    /// USERID.
    pub user_identifier: Words,
    /// APPLIDAT.
    pub application_identity_data: Words,
    /// The message's identifier; never said in a table.
    pub message_id: Option<MessageId>,
    /// Takes messages without a dead-letter header as well; never set in a table.
    pub takes_headerless: bool,
}

/// The action on a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Discards the letter.
    Discard,
    /// It stays.
    Ignore,
    /// It is put on the queue it was for, without the header.
    Retry {
        /// By whose authority.
        authority: Authority,
    },
    /// Puts the letter on another queue.
    Forward {
        /// The queue.
        queue: ForwardQueue,
        /// The queue manager.
        queue_manager: ForwardManager,
        /// The header goes with it.
        keeps_header: bool,
        /// By whose authority.
        authority: Authority,
    },
}

/// FWDQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForwardQueue {
    /// This one.
    Named(ObjectName),
    /// The one it was for.
    Destination,
    /// The one for replies.
    ReplyTo,
}

/// FWDQM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForwardManager {
    /// This one; blank for the one that the dead-letter queue is on.
    Named(QueueManagerName),
    /// The one it was for.
    Destination,
    /// The one for replies.
    ReplyTo,
}

/// PUTAUT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authority {
    /// The authority of the program that carries out the rules.
    #[default]
    Own,
    /// Of the user in the message's context.
    Context,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            queue: None,
            queue_manager: None,
            retry_interval: Duration::from_secs(60),
            wait: Waiting::Always,
        }
    }
}

impl RulesTable {
    /// The names that rules forward to, each with its rule, from 0. A blank queue manager is the one that has
    /// the letters. A rule that takes a name of its letter has none here.
    pub fn forwards(&self) -> impl Iterator<Item = (usize, ObjectName, QueueManagerName)> {
        let named = |(index, rule): (usize, &Rule)| match rule.action {
            Action::Forward {
                queue: ForwardQueue::Named(queue),
                queue_manager: ForwardManager::Named(manager),
                ..
            } => Some((index, queue, manager)),
            _ => None,
        };
        self.rules.iter().enumerate().filter_map(named)
    }
}

impl Rule {
    /// A rule that is tried once.
    #[must_use]
    pub const fn once(pattern: Pattern, action: Action) -> Self {
        Self { pattern, action, attempts: 1 }
    }
}

impl Pattern {
    /// Returns true if a letter matches.
    #[must_use]
    pub fn matches(&self, letter: &Letter) -> bool {
        let descriptor = &letter.descriptor;
        let by_header = match &letter.header {
            Err(_) => self.takes_headerless,
            Ok(header) => {
                self.reason.matches(header.reason)
                    && self.destination_queue.matches(header.destination_queue.as_str())
                    && self.destination_queue_manager.matches(header.destination_queue_manager.as_str())
                    && self.format.matches(header.following.format.as_str())
            }
        };
        by_header
            && self.message_id.is_none_or(|wanted| wanted == descriptor.message_id)
            && self.put_application_name.matches(descriptor.put_application_name.as_str())
            && self.put_application_type.matches(descriptor.put_application_type.code())
            && self.message_type.matches(descriptor.message_type.code())
            && self.feedback.matches(descriptor.feedback.code())
            && self.persistence.matches(descriptor.persistence.code())
            && self.reply_to_queue.matches(descriptor.reply_to_queue.as_str())
            && self.reply_to_queue_manager.matches(descriptor.reply_to_queue_manager.as_str())
            && self.user_identifier.matches(descriptor.user_identifier.as_str())
            && self.application_identity_data.matches(descriptor.application_identity_data.as_str())
    }
}
