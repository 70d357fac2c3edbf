//! Channels of clients, server connections and those of AMQP, as far as their definitions hold for a client
//! that connects.
//!
//! Lives here: the definition that a client names, and its terms. Lives elsewhere: the callers (`agents`),
//! attributes (`objects`).

use mqi::ours::{AUTOMATIC_MODEL, AUTOMATIC_NAMES};
use std::fmt;

use mqi::constants::{
    MQCACH_MCA_USER_ID, MQCACH_TEMPORARY_MODEL_Q, MQCACH_TEMPORARY_Q_PREFIX, MQIACH_AMQP_KEEP_ALIVE,
    MQIACH_DISC_INTERVAL, MQIACH_HB_INTERVAL, MQIACH_HDR_COMPRESSION, MQIACH_KEEP_ALIVE_INTERVAL,
    MQIACH_MAX_MSG_LENGTH, MQIACH_MSG_COMPRESSION, MQIACH_SHARING_CONVERSATIONS,
};
use mqi::{ObjectDescriptor, ObjectName, Reason};
use objects::{Definition, ObjectType};
use queues::ground::place::connection_name;
use security::cover::Encryption;
use storage::Lsn;

use super::logins::Logins;
use super::message::Channels;
use crate::instances::{Busy, ChannelInstance, ClientProgress, InstanceState};
use crate::manager::QueueManager;
use crate::message_channels::{CompressionProgress, EncryptionNames};

/// The channel of clients that name none.
pub const CLIENT_CHANNEL: &str = "SYSTEM.DEF.SVRCONN";

/// The terms of a server connection channel, by the definition that holds when a client connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientTerms {
    /// The channel's name.
    pub channel: ObjectName,
    /// Most conversations of one connection (SHARECNV, and 1 where that is 0).
    pub conversations_max: u16,
    /// MAXMSGL; none for 0, which leaves it to the queue manager.
    pub message_bytes_max: Option<u32>,
    /// HBINT: seconds of silence after which a side that waits asks whether the other is there; 0 for never.
    pub heartbeat_seconds: u32,
    /// DISCINT: seconds after which a client that asks for nothing is ended; none for 0.
    pub idle_seconds_max: Option<u32>,
    /// KAINT.
    pub keep_alive: i32,
    /// COMPMSG.
    pub message_compressions: Box<[i32]>,
    /// COMPHDR.
    pub header_compressions: Box<[i32]>,
}

/// The terms of a channel of AMQP clients, by the definition that holds when a client connects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmqpTerms {
    /// The channel's name.
    pub channel: ObjectName,
    /// AMQPKA; none for AUTO.
    pub silence_seconds_max: Option<u32>,
    /// MAXMSGL; none for 0, which leaves it to the queue manager.
    pub message_bytes_max: Option<u32>,
    /// MCAUSER; blank for the client's own user.
    pub user: String,
    /// TMPMODEL.
    pub temporary_model: ObjectName,
    /// TMPQPRFX.
    pub temporary_prefix: String,
    /// AUTOMDL; none when no queue is made because a client names it.
    pub automatic_model: Option<ObjectName>,
    /// AUTOPRF.
    automatic_names: Vec<String>,
}

impl AmqpTerms {
    /// The object that a name in AMQP leads to (AMQPNAME), for a verb: the outcome of that needs the position
    /// beside it, also where the name leads to nothing.
    #[must_use]
    pub fn object_named(manager: &QueueManager, name: &str) -> (Option<ObjectDescriptor>, Lsn) {
        manager.engine().directory.catalogue.find_by_amqp_name(name)
    }

    fn of(channel: ObjectName, definition: &Definition) -> Self {
        let positive = |selector| u32::try_from(definition.integer(selector)).ok();
        let texts = |selector| definition.texts(selector).iter().map(|name| name.trim().to_owned()).collect();
        Self {
            channel,
            silence_seconds_max: positive(MQIACH_AMQP_KEEP_ALIVE),
            message_bytes_max: positive(MQIACH_MAX_MSG_LENGTH).filter(|most| *most > 0),
            user: definition.text(MQCACH_MCA_USER_ID).trim().to_owned(),
            temporary_model: definition.name_in(MQCACH_TEMPORARY_MODEL_Q).unwrap_or(ObjectName::BLANK),
            temporary_prefix: definition.text(MQCACH_TEMPORARY_Q_PREFIX).trim().to_owned(),
            automatic_model: definition.name_in(AUTOMATIC_MODEL),
            automatic_names: texts(AUTOMATIC_NAMES),
        }
    }

    /// The model for a queue that is not there, where the channel has queues of this name made.
    #[must_use]
    pub fn model_for(&self, queue: &ObjectName) -> Option<ObjectName> {
        let model = self.automatic_model?;
        let may_be_made = |pattern: &String| mqi::pattern::matches(pattern, queue.as_str());
        self.automatic_names.iter().any(may_be_made).then_some(model)
    }
}

/// The reason why a client cannot come by a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelRefusal {
    /// No such channel is defined.
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The type of channel that such clients come by.
        wanted: ObjectType,
    },
    /// The channel's type does not accept clients.
    OfOtherType {
        /// Its name.
        name: ObjectName,
        /// Its type.
        object_type: ObjectType,
        /// The type of channel that such clients come by.
        wanted: ObjectType,
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
            Self::Unknown { name, wanted } => write!(
                formatter,
                "there is no channel {name:?} here: check its name, upper and lower case included, or define it with \
                 CHLTYPE({})",
                wanted.subtype().unwrap_or_default()
            ),
            Self::OfOtherType { name, object_type, wanted } => write!(
                formatter,
                "the channel {name} has CHLTYPE({}), and a client comes by one with CHLTYPE({}): name another",
                object_type.subtype().unwrap_or_default(),
                wanted.subtype().unwrap_or_default()
            ),
        }
    }
}

impl Logins<'_> {
    /// The terms of the channel that a client names; of the default for a blank name.
    ///
    /// # Errors
    /// When it is not defined, or is none that clients come by.
    pub fn client_terms(&self, name: &str) -> Result<ClientTerms, ChannelRefusal> {
        let name = if name.is_empty() { CLIENT_CHANNEL } else { name };
        self.channel_of(name, ObjectType::ServerConnectionChannel, |channel, definition, need| {
            // A change that a crash might take back is told to nobody: until it is durable connections are
            // not shared.
            let shared = if need > self.queue_manager().durable().lsn() {
                1
            } else {
                definition.integer(MQIACH_SHARING_CONVERSATIONS).max(1)
            };
            let number = |selector| u32::try_from(definition.integer(selector)).unwrap_or(0);
            ClientTerms {
                channel,
                conversations_max: u16::try_from(shared).unwrap_or(u16::MAX),
                message_bytes_max: Some(number(MQIACH_MAX_MSG_LENGTH)).filter(|most| *most > 0),
                heartbeat_seconds: number(MQIACH_HB_INTERVAL),
                idle_seconds_max: Some(number(MQIACH_DISC_INTERVAL)).filter(|most| *most > 0),
                keep_alive: definition.integer(MQIACH_KEEP_ALIVE_INTERVAL),
                message_compressions: definition.integers(MQIACH_MSG_COMPRESSION),
                header_compressions: definition.integers(MQIACH_HDR_COMPRESSION),
            }
        })
    }

    /// The terms of a channel of AMQP clients.
    ///
    /// # Errors
    /// When it is not defined, or is none of them.
    pub fn amqp_terms(&self, name: &str) -> Result<AmqpTerms, ChannelRefusal> {
        self.channel_of(name, ObjectType::AmqpChannel, |channel, definition, _| {
            AmqpTerms::of(channel, definition)
        })
    }

    /// MCAUSER of a channel that accepts programs or partners, of the default for a blank name; blank where
    /// it has none.
    #[must_use]
    pub fn channel_user(&self, channel: &str) -> String {
        self.engine().channel_user(if channel.is_empty() { CLIENT_CHANNEL } else { channel })
    }

    /// Reads the definition of a channel of a type, and the position of its record.
    fn channel_of<T>(
        &self,
        name: &str,
        wanted: ObjectType,
        read: impl FnOnce(ObjectName, &Definition, Lsn) -> T,
    ) -> Result<T, ChannelRefusal> {
        let unknown = || ChannelRefusal::Unknown { name: name.to_owned(), wanted };
        let channel = name.parse().map_err(|_| unknown())?;
        let found = self.engine().directory.catalogue.find_defined(wanted.name_space(), name).0;
        let defined = found.ok_or_else(unknown)?;
        let object_type = defined.object_type();
        if object_type != wanted {
            return Err(ChannelRefusal::OfOtherType { name: channel, object_type, wanted });
        }
        let current = defined.current();
        Ok(read(channel, &current.definition, current.need))
    }
}

/// A client that comes by a channel.
#[derive(Clone, Copy, Debug)]
pub struct ChannelClient<'a> {
    /// The place that it comes from.
    pub origin: &'a str,
    /// The user that acts.
    pub user: &'a str,
    /// The program.
    pub application: &'a str,
    /// The identifier of an AMQP client; blank for another.
    pub identifier: &'a str,
    /// The encryption of its connection.
    pub encryption: &'a Encryption,
}

impl Channels<'_> {
    /// Begins an instance of a channel for a client.
    ///
    /// # Errors
    /// When the channel is stopped, or there are as many instances of it as may be, or as many of all.
    pub fn begin_instance(
        &self,
        channel: ObjectName,
        client: &ChannelClient<'_>,
    ) -> Result<Option<ChannelInstance>, Busy> {
        let space = ObjectType::ServerConnectionChannel.name_space();
        let engine = self.engine();
        let Some(defined) = engine.directory.catalogue.find_defined(space, channel.as_str()).0 else {
            return Ok(None);
        };
        let current = defined.current();
        let state = InstanceState {
            channel,
            object_type: defined.object_type(),
            client: client.identifier.into(),
            silence_seconds_max: (defined.object_type() == ObjectType::AmqpChannel)
                .then(|| current.definition.integer(MQIACH_AMQP_KEEP_ALIVE)),
            address: connection_name(client.origin).into(),
            user: client.user.into(),
            application: client.application.into(),
            compression: CompressionProgress::default(),
            encryption: EncryptionNames::of(client.encryption),
            progress: ClientProgress::default(),
            last_message: None,
            began: engine.time_of_day(),
        };
        engine.instances.begin(state, &current.definition, engine.message_channels.held()).map(Some)
    }
}
