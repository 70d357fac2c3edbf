//! Event messages: the queue manager's reports to its watchers, in binary form on queues of its own.
//!
//! Lives here: what every event has, where it goes, and the starts and stops. Depths and service intervals
//! are in `performance`, calls that were refused in `refusals`, changes of definitions and commands in
//! `changes`.
//! Lives elsewhere: the conditions on a queue (`queue::watch`), the binary form (`objects::pcf`).
//!
//! | events | asked for by | go to |
//! |---|---|---|
//! | queue manager | AUTHOREV, INHIBTEV, LOCALEV, REMOTEEV, STRSTPEV | SYSTEM.ADMIN.QMGR.EVENT |
//! | performance | PERFMEV, and QDPHIEV, QDPLOEV, QDPMAXEV, QSVCIEV of the queue | SYSTEM.ADMIN.PERFM.EVENT |
//! | configuration | CONFIGEV | SYSTEM.ADMIN.CONFIG.EVENT |
//! | channels | CHLEV | SYSTEM.ADMIN.CHANNEL.EVENT |
//! | commands | CMDEV | SYSTEM.ADMIN.COMMAND.EVENT |
//! | channels: logins that are refused | CHLEV, SSLEV | SYSTEM.ADMIN.CHANNEL.EVENT |
//!
//! An event is put outside every unit of work, and cannot be seen before its cause is durable. One that its
//! queue does not take is lost: events hold up no caller, and none is about an event.

mod changes;
mod channels;
mod issuer;
mod logins;
mod performance;
mod refusals;

pub(crate) use changes::{Changer, subject};
pub use issuer::{Came, Issuer};

use mqi::constants::*;
use mqi::{CorrelationId, ObjectDescriptor};
use objects::pcf::{ByteOrder, Header, Lengths, Message, Parameter};
use queues::ground::settings::Quiesce;
use queues::unit_of_work::choice::Whose;
use storage::Lsn;

use crate::directory::Directory;
use crate::naming::resolve::{Resolved, ResolvedQueue};

const QUEUE_MANAGER_EVENTS: &str = "SYSTEM.ADMIN.QMGR.EVENT";
const PERFORMANCE_EVENTS: &str = "SYSTEM.ADMIN.PERFM.EVENT";
const CONFIGURATION_EVENTS: &str = "SYSTEM.ADMIN.CONFIG.EVENT";
const COMMAND_EVENTS: &str = "SYSTEM.ADMIN.COMMAND.EVENT";

/// An event that is to be told.
struct Event {
    /// The queue it goes to.
    queue: &'static str,
    /// An MQCMD_ value that names the category.
    command: i32,
    /// An MQRC_ value that says what happened.
    reason: i32,
    /// Its place among the messages that tell of the same thing, and whether it is the last of them.
    part: (i32, bool),
    /// Correlation identifier that such messages share.
    correlation_id: CorrelationId,
    parameters: Vec<Parameter>,
}

impl Event {
    fn new(queue: &'static str, command: i32, reason: i32, parameters: Vec<Parameter>) -> Self {
        Self { queue, command, reason, part: (1, true), correlation_id: CorrelationId::NONE, parameters }
    }

    fn encode(&self) -> Vec<u8> {
        let (sequence, is_last) = self.part;
        let header = Header {
            kind: MQCFT_EVENT,
            version: MQCFH_VERSION_1,
            command: self.command,
            sequence,
            control: if is_last { MQCFC_LAST } else { MQCFC_NOT_LAST },
            completion: MQCC_WARNING,
            reason: self.reason,
        };
        Message { header, parameters: self.parameters.clone() }
            .encode_with(ByteOrder::NATIVE, Lengths::OfRecords)
    }
}

impl Directory {
    /// Puts an event on its queue, not to be seen before the position.
    fn tell_event(&self, event: &Event, need: Lsn) -> Lsn {
        self.tell(event.queue, MQFMT_EVENT, event.correlation_id, &event.encode(), need)
    }

    /// Puts a message in binary form on a queue of the queue manager's own, not to be seen before the
    /// position.
    pub(crate) fn tell(
        &self,
        queue: &str,
        format: &str,
        correlation_id: CorrelationId,
        body: &[u8],
        need: Lsn,
    ) -> Lsn {
        let Ok(name) = queue.parse() else { return Lsn::ZERO };
        let (_, Ok(Resolved::Queue(ResolvedQueue { queue, .. }))) =
            self.resolve(&ObjectDescriptor::queue(name))
        else {
            return Lsn::ZERO;
        };
        let mut told = self.own_message(&queue, format, |_| Ok(body.to_vec()));
        told.descriptor.correlation_id = correlation_id;
        let mut whose = Whose::own_after(need);
        // Lost when its queue does not take it.
        let _ = self.put_report(&told, &told.reply_to, &mut whose, &mut None);
        self.queues.commit_own(whose).need()
    }

    fn named_queue_manager(&self) -> Parameter {
        Parameter::text(MQCA_Q_MGR_NAME, self.name.as_str())
    }

    /// The queue manager is there for programs.
    pub(crate) fn tell_start(&self) {
        if self.catalogue.manager().attributes.events.start_stop {
            let parameters = vec![self.named_queue_manager()];
            let event = Event::new(QUEUE_MANAGER_EVENTS, MQCMD_Q_MGR_EVENT, MQRC_Q_MGR_ACTIVE, parameters);
            self.tell_event(&event, Lsn::ZERO);
        }
    }

    /// The queue manager begins to end.
    pub(crate) fn tell_stop(&self, how: Quiesce) {
        if self.catalogue.manager().attributes.events.start_stop {
            let qualifier = match how {
                Quiesce::Controlled => MQRQ_Q_MGR_QUIESCING,
                Quiesce::Immediate => MQRQ_Q_MGR_STOPPING,
            };
            let parameters =
                vec![self.named_queue_manager(), Parameter::integer(MQIACF_REASON_QUALIFIER, qualifier)];
            let event =
                Event::new(QUEUE_MANAGER_EVENTS, MQCMD_Q_MGR_EVENT, MQRC_Q_MGR_NOT_ACTIVE, parameters);
            self.tell_event(&event, Lsn::ZERO);
        }
    }
}
