//! Attributes of a listener, unpacked for the host that listens.

use mqi::constants::*;
use mqi::name::ObjectName;
use mqi::ours::{AMQP_CHANNEL, LISTENER_TLS};

use crate::attributes::{LISTENER_TLS_ALLOWED, LISTENER_TLS_NO, LISTENER_TLS_REQUIRED};
use crate::definition::Definition;
use crate::object_type::ObjectType;

/// The port of a listener whose definition names none.
const PORT_DEFAULT: u16 = 1414;

/// TLS of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListenerCover {
    /// TLS alone.
    Required,
    /// TLS, and connections in the clear.
    Allowed,
    /// No TLS.
    No,
}

/// The attributes that a running listener acts on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListenerAttributes {
    /// LISTENER.
    pub name: ObjectName,
    /// IPADDR; blank for every address of the machine.
    pub address: Box<str>,
    /// PORT; 1414 where the definition says 0.
    pub port: u16,
    /// BACKLOG; none for the system's own number.
    pub backlog: Option<u32>,
    /// AMQPCHL.
    pub amqp_channel: Option<ObjectName>,
    /// TLS; none where it is left to the queue manager.
    pub cover: Option<ListenerCover>,
    /// CONTROL, other than MANUAL: the listener starts with the queue manager.
    pub starts_with_manager: bool,
}

impl ListenerAttributes {
    /// The attributes of a definition.
    ///
    /// # Panics
    /// When the definition is not of a listener.
    pub fn new(definition: &Definition) -> Self {
        assert_eq!(definition.object_type(), ObjectType::Listener, "{} is no listener", definition.name());
        let port = u16::try_from(definition.integer(MQIACH_PORT)).unwrap_or(0);
        let backlog = u32::try_from(definition.integer(MQIACH_BACKLOG)).unwrap_or(0);
        Self {
            name: *definition.name(),
            address: definition.text(MQCACH_IP_ADDRESS).trim().into(),
            port: if port == 0 { PORT_DEFAULT } else { port },
            backlog: (backlog > 0).then_some(backlog),
            amqp_channel: definition.name_in(AMQP_CHANNEL),
            cover: match definition.integer(LISTENER_TLS) {
                LISTENER_TLS_REQUIRED => Some(ListenerCover::Required),
                LISTENER_TLS_ALLOWED => Some(ListenerCover::Allowed),
                LISTENER_TLS_NO => Some(ListenerCover::No),
                _ => None,
            },
            starts_with_manager: definition.integer(MQIACH_LISTENER_CONTROL) != MQSVC_CONTROL_MANUAL,
        }
    }
}
