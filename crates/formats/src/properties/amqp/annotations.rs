//! Annotations of messages that clients of JMS know.

use amqp::types::Entries;

/// The kind of a message.
pub(super) const MESSAGE_KIND: &str = "x-opt-jms-msg-type";

/// The kind of a destination, and that of an address for an answer.
pub(super) const DESTINATION_KIND: &str = "x-opt-jms-dest";
pub(super) const REPLY_KIND: &str = "x-opt-jms-reply-to";

/// True if the annotation with this name says a topic: 1, or 3 for a temporary one.
pub(super) fn is_topic(annotations: &Entries<'_>, name: &str) -> bool {
    annotations.get(name).and_then(|kind| kind.integer()).is_some_and(|kind| kind % 2 == 1)
}

/// The time at which a message is due, in milliseconds since 1970.
pub(super) const DELIVERY_TIME: &str = "x-opt-delivery-time";
