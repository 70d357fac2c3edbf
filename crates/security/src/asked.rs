//! One request, in the terms that rules are written in: an object, and its use.

use std::fmt;

use mqi::{CloseOptions, ObjectName, OpenOptions, PutFlags, SubscribeOptions, Text};

use crate::authority::Set;

/// One request of a principal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked<'a> {
    /// The object, by the name that the request gives. Whether there is such an object is not looked at
    /// before it is judged.
    pub object: Object<'a>,
    /// Its use.
    pub used: Use<'a>,
    /// The user whose rights count for the object, where the program says so with ALTERNATE_USER_AUTHORITY.
    pub alternate_user: Option<Text<12>>,
}

/// An object as a request names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Object<'a> {
    /// Its kind.
    pub kind: ObjectKind,
    /// Its name; blank for the queue manager itself, and for a topic that is named by its string alone.
    pub name: ObjectName,
    /// A topic string behind that of the object, the name of a subscription, the names that DISPLAY looks
    /// for; with the queue manager a user, whose name a definition gives.
    pub text: &'a str,
}

/// Kinds of object that rights are given on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKind {
    /// The queue manager.
    QueueManager,
    /// A queue of any type, by the definition that is named.
    Queue,
    /// The queues of another queue manager, by its name.
    RemoteQueueManager,
    /// A topic.
    Topic,
    /// A subscription.
    Subscription,
    /// A process.
    Process,
    /// A namelist.
    Namelist,
    /// A channel.
    Channel,
    /// The client's end of a channel.
    ClientChannel,
    /// A listener.
    Listener,
    /// A service.
    Service,
    /// A definition of authentication.
    Authentication,
    /// A definition of multicast.
    CommunicationInformation,
    /// The way to another messaging system.
    Bridge,
    /// One direction of a bridge.
    Pipe,
}

/// The use that a request makes of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use<'a> {
    /// MQCONN.
    Connect,
    /// MQOPEN.
    Open(OpenOptions),
    /// MQPUT1.
    Put(PutFlags),
    /// MQOPEN and MQPUT1 of a model queue: the dynamic queue of this name is made, and opened.
    Make {
        /// The model.
        model: ObjectName,
        /// The options of the handle.
        options: OpenOptions,
    },
    /// MQCLOSE that deletes a queue or removes a subscription.
    Close {
        /// Its options.
        options: CloseOptions,
        /// True where the queue was made for this handle.
        is_maker: bool,
    },
    /// MQSUB, to a topic.
    Subscribe {
        /// Its options.
        options: SubscribeOptions,
        /// The name of the subscription; empty for none.
        subscription: &'a str,
    },
    /// MQSUB or DEFINE SUB, for the queue that takes the publications.
    Receive,
    /// A command.
    Command(Command),
    /// DEFINE and ALTER, for the object that the value of an attribute names: a definition lends nothing that
    /// its author does not have.
    Lend {
        /// The keyword of the attribute.
        attribute: &'a str,
        /// The authorities that its author needs.
        needed: Set,
        /// True for a queue on which messages come as they were put: a transmission queue needs more.
        is_raw: bool,
    },
}

/// The kinds of command that rules tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Command {
    /// DEFINE of what may not be there.
    Define,
    /// DEFINE with REPLACE.
    Replace,
    /// DEFINE, for the object that gives the values that were not said.
    Like,
    /// ALTER.
    Alter,
    /// DELETE.
    Delete,
    /// DISPLAY of definitions and states.
    Display,
    /// CLEAR.
    Clear,
    /// MOVE, for the queue that loses its messages.
    Move,
    /// MOVE, for the queue that gets them.
    MoveTo,
    /// RECOVER.
    Recover,
    /// RESET.
    Reset,
    /// REFRESH.
    Refresh,
    /// RESOLVE.
    Resolve,
    /// START.
    Start,
    /// STOP of a channel, a connection or a listener; of the queue manager, its end.
    Stop,
    /// PING.
    Ping,
    /// SET.
    Set,
    /// SUSPEND and RESUME.
    Suspend,
    /// PURGE.
    Purge,
    /// The counters of the queue manager and of its process.
    Statistics,
}

impl<'a> Asked<'a> {
    /// A request for the caller's own rights.
    #[must_use]
    pub fn new(object: Object<'a>, used: Use<'a>) -> Self {
        Self { object, used, alternate_user: None }
    }

    /// The same request, made by the alternate user for itself.
    #[must_use]
    pub fn by_that_user(self) -> Self {
        let used = match self.used {
            Use::Open(options) => Use::Open(options.without(OpenOptions::ALTERNATE_USER_AUTHORITY)),
            Use::Put(flags) => Use::Put(flags.without(PutFlags::ALTERNATE_USER_AUTHORITY)),
            used => used,
        };
        Self { used, alternate_user: None, ..self }
    }

    /// Asks for the rights of another user, if one is given.
    #[must_use]
    pub fn for_user(self, alternate_user: Option<Text<12>>) -> Self {
        Self { alternate_user, ..self }
    }
}

impl<'a> Object<'a> {
    /// The queue manager.
    pub const MANAGER: Self = Self { kind: ObjectKind::QueueManager, name: ObjectName::BLANK, text: "" };

    /// An object of this name.
    #[must_use]
    pub fn named(kind: ObjectKind, name: ObjectName) -> Self {
        Self { kind, name, text: "" }
    }

    /// An object that a text names, or tells more of.
    #[must_use]
    pub fn texted(kind: ObjectKind, name: ObjectName, text: &'a str) -> Self {
        Self { kind, name, text }
    }
}

impl fmt::Display for Object<'_> {
    /// The kind, the name and the text, as an administrator reads them in a record.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_user = self.kind == ObjectKind::QueueManager && !self.text.is_empty();
        formatter.write_str(if is_user { "user" } else { self.kind.word() })?;
        if !self.name.is_blank() {
            write!(formatter, " {}", self.name)?;
        }
        match self.text {
            "" => Ok(()),
            text => write!(formatter, " '{}'", text.escape_debug()),
        }
    }
}

impl ObjectKind {
    /// The word for it in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::QueueManager => "queue manager",
            Self::Queue => "queue",
            Self::RemoteQueueManager => "remote queue manager",
            Self::Topic => "topic",
            Self::Subscription => "subscription",
            Self::Process => "process",
            Self::Namelist => "namelist",
            Self::Channel => "channel",
            Self::ClientChannel => "client channel",
            Self::Listener => "listener",
            Self::Service => "service",
            Self::Authentication => "authentication information",
            Self::CommunicationInformation => "communication information",
            Self::Bridge => "bridge",
            Self::Pipe => "pipe",
        }
    }
}

impl fmt::Display for Use<'_> {
    /// The verb, and the number of its options in hexadecimal.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connect => formatter.write_str("MQCONN"),
            Self::Open(options) => write!(formatter, "MQOPEN {:#x}", options.bits()),
            Self::Put(flags) => write!(formatter, "MQPUT1 {:#x}", flags.bits()),
            Self::Make { model, options } => {
                write!(formatter, "MQOPEN {:#x} by model {model}", options.bits())
            }
            Self::Close { options, .. } => write!(formatter, "MQCLOSE {:#x}", options.bits()),
            Self::Subscribe { options, subscription: "" } => {
                write!(formatter, "MQSUB {:#x}", options.bits())
            }
            Self::Subscribe { options, subscription } => {
                write!(formatter, "MQSUB {:#x} '{}'", options.bits(), subscription.escape_debug())
            }
            Self::Receive => formatter.write_str("publications"),
            Self::Command(command) => formatter.write_str(command.word()),
            Self::Lend { attribute, .. } => write!(formatter, "DEFINE or ALTER with {attribute}"),
        }
    }
}

impl Command {
    /// The word for it in records.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Define => "DEFINE",
            Self::Replace => "DEFINE REPLACE",
            Self::Like => "DEFINE LIKE",
            Self::Alter => "ALTER",
            Self::Delete => "DELETE",
            Self::Display => "DISPLAY",
            Self::Clear => "CLEAR",
            Self::Move => "MOVE",
            Self::MoveTo => "MOVE, as target",
            Self::Recover => "RECOVER",
            Self::Reset => "RESET",
            Self::Refresh => "REFRESH",
            Self::Resolve => "RESOLVE",
            Self::Start => "START",
            Self::Stop => "STOP",
            Self::Ping => "PING",
            Self::Set => "SET",
            Self::Suspend => "SUSPEND or RESUME",
            Self::Purge => "PURGE",
            Self::Statistics => "STATISTICS",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_shows_object_and_use_and_lets_no_control_character_through() {
        let queue = Object::named(ObjectKind::Queue, "PAY.IN".parse().unwrap());
        assert_eq!(queue.to_string(), "queue PAY.IN");
        assert_eq!(Object::MANAGER.to_string(), "queue manager");
        let topic = Object::texted(ObjectKind::Topic, "PRICES".parse().unwrap(), "tin\n'x\u{1b}");
        assert_eq!(topic.to_string(), r"topic PRICES 'tin\n\'x\u{1b}'");
        let user = Object { text: "kim\u{1b}'\u{202e}", ..Object::MANAGER };
        assert_eq!(
            user.to_string(),
            r"user 'kim\u{1b}\'\u{202e}'",
            "a right on the queue manager is asked for a user"
        );
        assert_eq!(Use::Open(OpenOptions::OUTPUT).to_string(), "MQOPEN 0x10");
        let subscription = Use::Subscribe { options: SubscribeOptions::CREATE, subscription: "a\rb" };
        assert_eq!(subscription.to_string(), r"MQSUB 0x2 'a\rb'");
    }
}
