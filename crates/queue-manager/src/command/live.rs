//! The running engine as commands see it.

use mqi::branch::BranchId;
use mqi::{ObjectName, OpenOptions};
use objects::Moment;
use platform::WallTime;
use queues::ground::time::moment;
use queues::unit_of_work::branches::Branch;
use queues::unit_of_work::slot::UnitSlot;
use storage::{Lsn, UnitId};

use crate::catalogue::topic_counts::ShownTopics;
use crate::channel_seats::ChannelLimits;

pub use queues::queue::state::{Busy, Cleared, Messages, QueueFigures, QueueState};

/// Why the log does not go on in another extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAdvanced {
    /// Its extents are used again.
    Circular,
    /// The log has no room.
    OutOfSpace(String),
}

/// One channel, for boards of figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelOverview {
    /// The name.
    pub name: ObjectName,
    /// CHLTYPE, as MQSC has it.
    pub kind: &'static str,
    /// DESCR.
    pub description: String,
    /// The queue manager at the other end; blank until it is known, and where there are several.
    pub partner: String,
    /// CONNAME.
    pub connection_name: String,
    /// SSLCIPH.
    pub cipher: String,
    /// The figures.
    pub figures: figures::Channel,
}

/// One subscription, for boards of figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubscriptionOverview {
    /// The name; its identifier where it has none.
    pub name: String,
    /// The identifier.
    pub identifier: ObjectName,
    /// SUBTYPE.
    pub kind: &'static str,
    /// The topic string.
    pub topic: String,
    /// The figures.
    pub figures: figures::Subscription,
}

/// The topics and subscriptions that are watched, for boards of figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TopicsOverview {
    /// The topics.
    pub topics: ShownTopics,
    /// The first subscriptions by name.
    pub subscriptions: Vec<SubscriptionOverview>,
    /// The number of subscriptions that are named, those beyond the bound included.
    pub subscriptions_in_all: usize,
}

/// The state of a queue manager at one moment, for boards of figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// DESCR of the queue manager.
    pub description: String,
    /// DEADQ, where it names a queue.
    pub dead_letter_queue: Option<ObjectName>,
    /// Every local queue, by name.
    pub queues: Vec<(ObjectName, figures::Queue)>,
    /// Every channel that is defined, by name.
    pub channels: Vec<ChannelOverview>,
    /// The limits of channels.
    pub channel_limits: ChannelLimits,
    /// Topics and subscriptions; none unless they are watched.
    pub topics: TopicsOverview,
    /// Units of work.
    pub units: figures::Units,
}

/// Result of recovering a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Messages that were read where the disk has them.
    pub read: u64,
    /// Of these, those that could not be and are whole again.
    pub given_back: u64,
    /// Messages that still cannot be read.
    pub missing: u64,
    /// Why images, or the log since, did not help.
    pub reasons: Vec<String>,
    /// Position that must be durable before the outside may learn of it.
    pub need: Lsn,
}

/// State of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionState {
    /// Its identifier, shown as sixteen hexadecimal digits.
    pub identifier: u64,
    /// The program's name.
    pub application: String,
    /// The user it runs as.
    pub user: String,
    /// The channel it came by; blank for none.
    pub channel: ObjectName,
    /// The address it came from, if any.
    pub origin: String,
    /// Its process, 0 when not known.
    pub process: i32,
    /// Its thread, 0 when not known.
    pub thread: i32,
    /// Its unit of work.
    pub unit: UnitState,
    /// The branch of a transaction that this is, where it works in one.
    pub branch: Option<BranchId>,
    /// The number of units of work beside that.
    pub units_beside: u32,
    /// Its open handles.
    pub handles: Vec<HandleState>,
    /// Position that must be durable before the outside may learn of this.
    pub need: Lsn,
}

/// Most queues of a unit of work that are told, as dspmqtrn -q shows them.
pub(crate) const UNIT_QUEUES_MAX: usize = 100;

/// State of a connection's unit of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum UnitState {
    /// None is open.
    #[default]
    None,
    /// One is open.
    Active {
        /// Time at which it was opened.
        began: Moment,
        /// When it first wrote to the log, if it did.
        logged: Option<Moment>,
        /// Where its first record is in the log.
        position: Option<Lsn>,
        /// Its name, if it is in the log.
        name: Option<UnitId>,
        /// Puts and gets in it.
        messages: u32,
        /// Queues of these by name, at most `UNIT_QUEUES_MAX`.
        queues: Vec<ObjectName>,
    },
}

impl UnitState {
    /// The open unit of work of a slot, and when it began.
    pub(crate) fn of(slot: &UnitSlot) -> Option<(WallTime, Self)> {
        let unit = slot.lock();
        let began = unit.began()?;
        let state = Self::Active {
            began: moment(began),
            logged: unit.logged_since().map(moment),
            position: unit.position(),
            name: unit.name(),
            messages: u32::try_from(unit.operations.len()).unwrap_or(u32::MAX),
            queues: unit.queues(UNIT_QUEUES_MAX),
        };
        Some((began, state))
    }

    /// That of a branch in which nothing was done so far.
    pub(crate) fn begun(branch: &Branch) -> Self {
        Self::Active {
            began: moment(branch.began_at),
            logged: None,
            position: None,
            name: None,
            messages: 0,
            queues: Vec::new(),
        }
    }

    /// The name of the unit, if it is in the log.
    pub(crate) fn name(&self) -> Option<UnitId> {
        match self {
            Self::None => None,
            Self::Active { name, .. } => *name,
        }
    }
}

/// One open handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandleState {
    /// The object as it was opened.
    pub object: ObjectName,
    /// The MQOT_ value of that object.
    pub object_type: i32,
    /// The local queue it leads to, if it is a queue.
    pub queue: Option<ObjectName>,
    /// Options with which it was opened.
    pub options: OpenOptions,
    /// Publications through it, if it leads to a topic.
    pub publishes: Option<Publishes>,
    /// The subscription it stands for.
    pub subscribes: Option<Subscribes>,
    /// True if a call on it is under way: a waiting get.
    pub active: bool,
}

/// Publications through a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publishes {
    /// The topic string.
    pub topic: String,
    /// Number of publications.
    pub messages: u64,
    /// When the last was.
    pub last: Option<Moment>,
}

/// The use of a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribes {
    /// Identifier of the subscription.
    pub identifier: ObjectName,
}
