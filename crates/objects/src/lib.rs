//! Objects that an administrator can define, as attribute tables, with MQSC as their text.
//!
//! Lives here: the rows of the attributes of objects ([`attributes`]), an object's values ([`Definition`])
//! and their stored form, the language in which an administrator asks for things ([`mqsc`]), its binary form
//! ([`pcf`]), the answers as data and as text ([`Response`], [`messages`]), and everything that is defined as
//! a script ([`configuration`]).
//! Lives elsewhere: doing what is asked (`queue-manager`).
//!
//! Always: no file, clock, thread or socket; the same text gives the same command everywhere.

pub mod attributes;
mod channel;
mod commands;
pub mod configuration;
mod definition;
pub mod harmless;
mod listener;
pub mod messages;
mod moment;
pub mod mqsc;
mod object_type;
pub mod pcf;
mod proposal;
pub mod reference;
mod response;
pub mod secrets;
mod value;

pub use attributes::{Attribute, StatusType, Subject};
pub use channel::{
    AddressProblem, BatchAttributes, ChannelAttributes, ChannelKind, ConnectionName, LocalAddress, Retry,
    keep_alive,
};
pub use definition::{
    Collected, CommandEvents, Contradiction, Count, DecodeError, DefaultShare, Definition, DefinitionType,
    DeliverySequence, DepthEvents, Events, NonPersistentClass, PropertyControl, QueueAttributes,
    QueueManagerAttributes, Remote, ServiceIntervalEvents, SettingError, Stream, TargetType, Trigger,
    TriggerKind, Usage, effective,
};
pub use listener::{ListenerAttributes, ListenerCover};
pub use messages::Message;
pub use moment::Moment;
pub use mqsc::{Command, Setting};
pub use object_type::{Family, NameSpace, ObjectType, ObjectTypes};
pub use proposal::Proposal;
pub use response::{Field, Response, Row, ScriptSummary};
pub use value::{Value, ValueError, quoted};
