//! The vocabulary of the message queue interface: names, descriptors, options, reason codes, and the
//! verbs as a trait.
//!
//! Lives here: types that an application, a channel and the engine all mean the same thing by.
//! Lives elsewhere: what the verbs do (`queue-manager`), how they travel (`channel`), the C structures.
//!
//! Always: values are those of the interface's published constants ([`constants`], made from `facts`), and
//! nothing here allocates to name or compare an object.

mod attribute;
mod bit_set;
mod body;
pub mod branch;
mod completion;
mod connect_options;
pub mod constants;
mod forwards;
mod get_options;
mod got;
mod handle;
mod identifier;
pub mod listen;
pub mod message_descriptor;
pub mod name;
mod object_descriptor;
mod options;
pub mod ours;
pub mod pattern;
pub mod properties;
mod put_options;
pub mod reason;
mod status;
mod subscription;
mod text;
pub mod verbs;

pub use attribute::{AttributeValue, Selector};
pub use body::Body;
pub use completion::CompletionCode;
pub use connect_options::{AccountingChoice, Binding, ConnectOptions, Reconnect};
pub use forwards::Forwards;
pub use get_options::{GetOptions, Wait};
pub use got::Got;
pub use handle::{ConnectionHandle, MessageHandle, ObjectHandle};
pub use identifier::{AccountingToken, CorrelationId, GroupId, MessageId, MessageToken};
pub use listen::{Getter, Heard, Listen};
pub use message_descriptor::{
    Encoding, Expiry, Feedback, MessageDescriptor, MessageType, Persistence, Priority, PutApplicationType,
    Rare,
};
pub use name::{NameError, ObjectName, QueueManagerName};
pub use object_descriptor::{ObjectDescriptor, ObjectType};
pub use options::{
    CloseOptions, GetFlags, MatchOptions, MessageFlags, OpenOptions, PutFlags, ReportOptions, RequestOptions,
    SubscribeOptions,
};
pub use pattern::NamePattern;
pub use put_options::{PutAction, PutOptions};
pub use reason::Reason;
pub use status::{PutObject, PutStatus, Status, StatusType};
pub use subscription::{Subscribed, SubscriptionDescriptor};
pub use text::{Text, TextError};
pub use verbs::{Characters, Inquired, Opened, Put, Verbs};
