//! The objects of a queue manager by their names, and the right to use each.
//!
//! Lives here: the parts by which a name becomes a queue that takes a message, and the identifiers that
//! follow from the name of the queue manager. Lives elsewhere: the way from a name (`naming`), definitions
//! (`catalogue`), verdicts (`authority`), the messages that the queue manager puts itself (`own_message`,
//! `reports`, `triggers`, `accounting`, `instrumentation`, `streaming`), publications (`broker`).

use std::sync::Arc;

use mqi::{ObjectName, QueueManagerName};
use objects::Moment;
use queues::Queues;
use queues::ground::Ground;
use queues::ground::time::moment;
use queues::message::identifiers::Identifiers;
use queues::queue::Queue;

use crate::authority::Door;
use crate::catalogue::Catalogue;
use crate::initiation_queues::InitiationQueues;
use crate::message_channels::MessageChannels;

/// The queues of a queue manager, their names, and what judges their use.
pub(crate) struct Directory {
    /// Local queues, units of work, and their ground.
    pub(crate) queues: Arc<Queues>,
    pub(crate) name: QueueManagerName,
    /// The door that every request of a program passes.
    pub(crate) door: Door,
    pub(crate) catalogue: Catalogue<Arc<Queue>>,
    /// Identifiers of messages.
    pub(crate) identifiers: Identifiers,
    /// Queues with triggers, by their initiation queue.
    pub(crate) initiation: InitiationQueues,
    /// Message channels as they run.
    pub(crate) message_channels: Arc<MessageChannels>,
}

impl Directory {
    /// Time, log, memory, jobs and host.
    #[inline]
    pub(crate) fn ground(&self) -> &Ground {
        &self.queues.ground
    }

    /// The time of day.
    pub(crate) fn time_of_day(&self) -> Moment {
        moment(self.ground().world.clock.wall())
    }
}

/// The half of the connection identifiers that all connections of a queue manager share.
pub(crate) fn shared_identifier(manager: &ObjectName) -> Vec<u8> {
    b"FRYC".iter().chain(&manager.to_padded()[..12]).copied().collect()
}

/// The whole identifier of a connection, as programs are told it.
pub(crate) fn connection_identifier(manager: &ObjectName, identifier: u64) -> Vec<u8> {
    let mut whole = shared_identifier(manager);
    whole.extend(identifier.to_be_bytes());
    whole
}
