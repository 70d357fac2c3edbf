//! Server connection channels, as far as their definitions hold for a client that connects.
//!
//! Lives here: the definition that a client names, and its terms. Lives elsewhere: who asks (`agents`),
//! attributes (`objects`).

use std::fmt;
use std::net::SocketAddr;

use mqi::constants::MQIACH_SHARING_CONVERSATIONS;
use mqi::{ObjectName, Reason};
use objects::ObjectType;

use crate::instances::{Busy, ChannelInstance, InstanceState};
use crate::manager::QueueManager;

/// The channel of clients that name none.
const CLIENT_CHANNEL: &str = "SYSTEM.DEF.SVRCONN";

/// The terms of a server connection channel, by the definition that holds when a client connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientTerms {
    /// The channel's name.
    pub channel: ObjectName,
    /// Most conversations of one connection (SHARECNV, and 1 where that is 0).
    pub conversations_max: u16,
}

/// The reason why a client cannot come by a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelRefusal {
    /// It is not defined.
    Unknown {
        /// The name that was asked for.
        name: String,
    },
    /// It is of a type that clients do not come by.
    OfOtherType {
        /// Its name.
        name: ObjectName,
        /// Its type.
        object_type: ObjectType,
    },
}

impl ChannelRefusal {
    /// The reason for a program.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Unknown { .. } => Reason::UNKNOWN_CHANNEL_NAME,
            Self::OfOtherType { .. } => Reason::CHANNEL_CONFIG_ERROR,
        }
    }
}

impl fmt::Display for ChannelRefusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { name } => write!(
                formatter,
                "there is no channel {name:?} here: check its name, upper and lower case included, or define it with \
                 CHLTYPE(SVRCONN)"
            ),
            Self::OfOtherType { name, object_type } => write!(
                formatter,
                "the channel {name} has CHLTYPE({}), and a client comes by one with CHLTYPE(SVRCONN): name another",
                object_type.subtype().unwrap_or_default()
            ),
        }
    }
}

impl QueueManager {
    /// The terms of the channel that a client names; of the default for a blank name.
    ///
    /// # Errors
    /// When it is not defined, or is none that clients come by.
    pub fn client_terms(&self, name: &str) -> Result<ClientTerms, ChannelRefusal> {
        let name = if name.is_empty() { CLIENT_CHANNEL } else { name };
        let unknown = || ChannelRefusal::Unknown { name: name.to_owned() };
        let channel = name.parse().map_err(|_| unknown())?;
        let space = ObjectType::ServerConnectionChannel.name_space();
        let defined = self.engine().catalogue.find_defined(space, name).0.ok_or_else(unknown)?;
        let object_type = defined.object_type();
        if object_type != ObjectType::ServerConnectionChannel {
            return Err(ChannelRefusal::OfOtherType { name: channel, object_type });
        }
        let current = defined.current();
        // A change that a crash might take back is told to nobody: until it is durable connections are not
        // shared.
        if current.need > self.durable().lsn() {
            return Ok(ClientTerms { channel, conversations_max: 1 });
        }
        let shared = current.definition.integer(MQIACH_SHARING_CONVERSATIONS);
        Ok(ClientTerms { channel, conversations_max: u16::try_from(shared.max(1)).unwrap_or(u16::MAX) })
    }

    /// Begins an instance of a channel for a client of this user and program, which comes from this place.
    ///
    /// # Errors
    /// When the channel is stopped, or has as many instances as it may.
    pub fn begin_instance(
        &self,
        channel: ObjectName,
        origin: &str,
        user: &str,
        application: &str,
    ) -> Result<Option<ChannelInstance>, Busy> {
        let space = ObjectType::ServerConnectionChannel.name_space();
        let engine = self.engine();
        let Some(defined) = engine.catalogue.find_defined(space, channel.as_str()).0 else { return Ok(None) };
        let state = InstanceState {
            channel,
            address: place_of(origin).into(),
            user: user.into(),
            application: application.into(),
            began: engine.time_of_day(),
        };
        engine.instances.begin(state, &defined.current().definition).map(Some)
    }
}

/// The address of a client without its port; the word for a client of this machine.
fn place_of(origin: &str) -> String {
    let address = origin.strip_prefix("tcp ").and_then(|address| address.parse::<SocketAddr>().ok());
    address.map_or_else(|| origin.to_owned(), |address| address.ip().to_string())
}
