//! The topic of a subscription, and the choice of its publications.

use crate::{
    AccountingToken, CorrelationId, Expiry, ObjectHandle, ObjectName, OpenOptions, SubscribeOptions, Text,
    constants,
};

/// The subscription descriptor: what a program asks for; what it was given is in [`Subscribed`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SubscriptionDescriptor {
    /// Options of the call.
    pub options: SubscribeOptions,
    /// The topic object whose string comes first; blank for none.
    pub object_name: ObjectName,
    /// The topic string, which may have wildcards, or what follows that of the object.
    pub object_string: String,
    /// User whose authority counts and who owns the subscription, with `ALTERNATE_USER_AUTHORITY`.
    pub alternate_user_identifier: Text<12>,
    /// The name by which it is found again.
    pub name: String,
    /// The text that goes with each message.
    pub user_data: String,
    /// Selector of the publications that it takes; blank for all.
    pub selection_string: String,
    /// The correlation identifier of its messages, with `SET_CORREL_ID`.
    pub correlation_id: CorrelationId,
    /// The priority of its messages, or the number that stands for that of the publication or of the queue.
    pub priority: i32,
    /// Lifetime of the subscription.
    pub expiry: Expiry,
    /// The accounting token of its messages, with `SET_IDENTITY_CONTEXT`.
    pub accounting_token: AccountingToken,
    /// The identity data of its messages, with `SET_IDENTITY_CONTEXT`.
    pub application_identity_data: Text<32>,
    /// Level: a subscription of a higher level intercepts publications before one of a lower.
    pub level: i32,
}

impl Default for SubscriptionDescriptor {
    fn default() -> Self {
        Self {
            options: SubscribeOptions::EMPTY,
            object_name: ObjectName::BLANK,
            object_string: String::new(),
            alternate_user_identifier: Text::BLANK,
            name: String::new(),
            user_data: String::new(),
            selection_string: String::new(),
            correlation_id: CorrelationId::NONE,
            priority: constants::MQPRI_PRIORITY_AS_PUBLISHED,
            expiry: Expiry::UNLIMITED,
            accounting_token: AccountingToken::NONE,
            application_identity_data: Text::BLANK,
            level: 1,
        }
    }
}

impl SubscriptionDescriptor {
    /// A subscription to the topics of a string.
    #[must_use]
    pub fn to(topic_string: impl Into<String>, options: SubscribeOptions) -> Self {
        Self { object_string: topic_string.into(), options, ..Self::default() }
    }
}

/// Result of a subscribe call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribed {
    /// Names the subscription in later calls.
    pub subscription: ObjectHandle,
    /// The queue of its messages, opened to get and to browse, when the queue manager looks after it, or when
    /// the program has resumed the subscription without a handle of it.
    pub queue: Option<ObjectHandle>,
    /// The name of that queue; blank without such a handle.
    pub queue_name: ObjectName,
    /// The subscription as it is.
    pub is: SubscriptionDescriptor,
    /// The whole topic string.
    pub topic_string: String,
    /// Messages of that queue come before they are asked for: by the options, or by the queue where they
    /// leave it open (DEFREADA).
    pub reads_ahead: bool,
}

impl Subscribed {
    /// Options with which the queue of a subscription is opened for the program.
    pub const QUEUE_OPTIONS: OpenOptions =
        OpenOptions::INPUT_AS_Q_DEF.union(OpenOptions::BROWSE).union(OpenOptions::INQUIRE);
}
