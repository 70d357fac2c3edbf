//! Events about calls that were refused: for queues that allow no puts or gets, for names that lead nowhere,
//! for lack of authority.

use mqi::constants::*;
use mqi::{ObjectDescriptor, ObjectType as Kind, QueueManagerName, Reason};
use objects::pcf::Parameter;
use queues::message::context::Origin;
use security::{Asked, ObjectKind, Principal, Use};
use storage::Lsn;

use super::{Event, QUEUE_MANAGER_EVENTS};
use crate::directory::Directory;

/// Kind of event that a refusal makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Category {
    Inhibit,
    Local,
    Remote,
}

fn category(reason: Reason) -> Option<Category> {
    match reason {
        Reason::PUT_INHIBITED | Reason::GET_INHIBITED => Some(Category::Inhibit),
        Reason::UNKNOWN_OBJECT_NAME | Reason::ALIAS_BASE_Q_TYPE_ERROR | Reason::UNKNOWN_ALIAS_BASE_Q => {
            Some(Category::Local)
        }
        Reason::UNKNOWN_REMOTE_Q_MGR
        | Reason::REMOTE_Q_NAME_ERROR
        | Reason::UNKNOWN_XMIT_Q
        | Reason::XMIT_Q_TYPE_ERROR
        | Reason::XMIT_Q_USAGE_ERROR
        | Reason::UNKNOWN_DEF_XMIT_Q
        | Reason::DEF_XMIT_Q_TYPE_ERROR
        | Reason::DEF_XMIT_Q_USAGE_ERROR => Some(Category::Remote),
        _ => None,
    }
}

impl Directory {
    /// Tells of a call that was refused, if the queue manager is to.
    #[cold]
    pub(crate) fn tell_refused(&self, origin: &Origin, object: &ObjectDescriptor, reason: Reason, need: Lsn) {
        let events = self.catalogue.manager().attributes.events;
        let Some(category) = category(reason) else { return };
        let is_wanted = match category {
            Category::Inhibit => events.inhibit,
            Category::Local => events.local,
            Category::Remote => events.remote,
        };
        if !is_wanted {
            return;
        }
        let mut parameters = vec![self.named_queue_manager()];
        let name = match object.object_type {
            Kind::Process => MQCA_PROCESS_NAME,
            Kind::Namelist => MQCA_NAMELIST_NAME,
            Kind::QueueManager => MQCACF_OBJECT_Q_MGR_NAME,
            _ => MQCA_Q_NAME,
        };
        parameters.push(Parameter::text(name, object.object_name.as_str()));
        let found = self.catalogue.find(&object.object_name).object;
        let current = found.filter(|_| object.object_type == Kind::Queue).map(|found| found.current());
        if let Some(current) = &current {
            if let Some(base) = current.attributes.target.filter(|_| category == Category::Local) {
                parameters.push(Parameter::text(MQCA_BASE_OBJECT_NAME, base.as_str()));
                let base = self.catalogue.find(&base).object;
                if let Some(kind) = base.and_then(|base| base.object_type().subtype_value()) {
                    parameters.push(Parameter::integer(MQIA_Q_TYPE, kind));
                }
            }
            let queue = current.attributes.remote.as_ref().and_then(|remote| remote.transmission_queue);
            if let Some(queue) = queue.filter(|_| category == Category::Remote) {
                parameters.push(Parameter::text(MQCA_XMIT_Q_NAME, queue.as_str()));
            }
        }
        parameters.push(Parameter::integer(MQIA_APPL_TYPE, origin.application_type.code()));
        parameters.push(Parameter::text(MQCACF_APPL_NAME, origin.application.as_str()));
        let manager = object.object_queue_manager_name;
        if manager != QueueManagerName::BLANK {
            parameters.push(Parameter::text(MQCACF_OBJECT_Q_MGR_NAME, manager.as_str()));
        }
        let event = Event::new(QUEUE_MANAGER_EVENTS, MQCMD_Q_MGR_EVENT, reason.code(), parameters);
        self.tell_event(&event, need);
    }

    /// Tells of a request that was refused, if the queue manager is to. Called without locks.
    #[cold]
    pub(crate) fn tell_not_authorized(&self, user: &Principal, asked: &Asked<'_>, need: Lsn) {
        if !self.catalogue.manager().attributes.events.authority {
            return;
        }
        let object = asked.object;
        let qualifier = match asked.used {
            Use::Connect => MQRQ_CONN_NOT_AUTHORIZED,
            Use::Open(_) | Use::Put(_) | Use::Make { .. } => MQRQ_OPEN_NOT_AUTHORIZED,
            Use::Close { .. } => MQRQ_CLOSE_NOT_AUTHORIZED,
            Use::Subscribe { .. } => MQRQ_SUB_NOT_AUTHORIZED,
            Use::Receive => MQRQ_SUB_DEST_NOT_AUTHORIZED,
            Use::Command(_) | Use::Lend { .. } => MQRQ_CMD_NOT_AUTHORIZED,
        };
        let mut parameters = vec![
            self.named_queue_manager(),
            Parameter::integer(MQIACF_REASON_QUALIFIER, qualifier),
            Parameter::text(MQCACF_USER_IDENTIFIER, user.name()),
        ];
        match asked.used {
            Use::Open(options) | Use::Make { options, .. } => {
                parameters.push(Parameter::integer(MQIACF_OPEN_OPTIONS, options.bits()));
            }
            Use::Subscribe { options, .. } => {
                parameters.push(Parameter::integer(MQIACF_SUB_OPTIONS, options.bits()));
            }
            _ => {}
        }
        let identifier = match object.kind {
            ObjectKind::Queue => MQCA_Q_NAME,
            ObjectKind::Topic => MQCA_TOPIC_NAME,
            ObjectKind::Process => MQCA_PROCESS_NAME,
            ObjectKind::Namelist => MQCA_NAMELIST_NAME,
            ObjectKind::RemoteQueueManager => MQCACF_OBJECT_Q_MGR_NAME,
            _ => MQCACF_OBJECT_NAME,
        };
        if !object.name.is_blank() {
            parameters.push(Parameter::text(identifier, object.name.as_str()));
        }
        if object.kind == ObjectKind::Topic && !object.text.is_empty() {
            parameters.push(Parameter::text(MQCA_TOPIC_STRING, object.text));
        }
        let event = Event::new(QUEUE_MANAGER_EVENTS, MQCMD_Q_MGR_EVENT, MQRC_NOT_AUTHORIZED, parameters);
        self.tell_event(&event, need);
    }
}
