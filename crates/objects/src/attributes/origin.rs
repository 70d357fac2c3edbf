//! The attributes that say how an object came to be. They apply to objects of several families.
//!
//! Always: the queue manager sets them when it makes the object, and no command changes them. An object that
//! an administrator made, or that was there before any request was judged, has none of them.

use mqi::ours::*;

use super::row::{Access, Attribute};
use crate::object_type::ObjectType::{self, *};

/// Most bytes of the name of a user.
pub const MAKER_BYTES_MAX: usize = security::NAME_BYTES_MAX;

const MADE: &[ObjectType] = &[
    LocalQueue,
    AliasQueue,
    ModelQueue,
    RemoteQueue,
    Process,
    Namelist,
    Listener,
    Service,
    Topic,
    Subscription,
    CommunicationInformation,
    SenderChannel,
    ServerChannel,
    ReceiverChannel,
    RequesterChannel,
    ClientConnectionChannel,
    ServerConnectionChannel,
    ClusterSenderChannel,
    ClusterReceiverChannel,
    AmqpChannel,
    MqttChannel,
    CrlLdapAuthentication,
    OcspAuthentication,
    SystemAuthentication,
    LdapAuthentication,
    ChannelRule,
    Bridge,
    Pipe,
];

#[rustfmt::skip]
pub(super) static ROWS: &[Attribute] = &[
    Attribute::text("MAKER", MAKER, MAKER_BYTES_MAX).pcf_only().on(MADE).access(Access::Asked)
        .means("The user that made the object, unless an administrator did. Shown where it is asked for. Of ours."),
    Attribute::integer("AUTODEF", IS_AUTOMATIC, (0, 1), 0).pcf_only().on(&[ReceiverChannel]).access(Access::Asked)
        .means("1: the call of a partner made the channel (CHAD). Shown where it is asked for. Of ours."),
];
