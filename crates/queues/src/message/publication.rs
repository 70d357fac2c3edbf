//! A message that is published to a topic, before there are copies of it.
//!
//! Lives elsewhere: its copies and their way to subscribers (`publishing`).

use std::sync::Arc;

use objects::Moment;
use topic::{Scope, TopicString};

use super::Payload;

/// A message that is published: every field of its descriptor is filled.
#[derive(Clone, Debug)]
pub struct Publication {
    /// The topic.
    pub topic: TopicString,
    /// The message.
    pub payload: Arc<Payload>,
    /// When it was published.
    pub at: Moment,
    /// The subscriptions that it is for.
    pub reach: Reach,
    /// Its retention by the topic.
    pub retention: Retention,
    /// Time of day before which its copies are not delivered; 0 for at once.
    pub deliver_at: i64,
    /// The user for whose bounds it counts where it is retained; blank for none.
    pub maker: Box<str>,
}

/// Range of subscriptions that a publication may reach, apart from its content.
#[derive(Clone, Debug)]
pub struct Reach {
    /// Highest level of an intercepting subscription.
    pub level: u8,
    /// Scope of the publication.
    pub scope: Scope,
    /// The connection whose own do not get it.
    pub not_to: Option<u64>,
    /// The client that publishes it, for subscriptions that leave out its own.
    pub from: Option<Arc<str>>,
}

/// Relation of a publication to the retained ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Nothing.
    None,
    /// A publication to be retained.
    IsToBe,
    /// A retained publication that is delivered now.
    Was,
}
