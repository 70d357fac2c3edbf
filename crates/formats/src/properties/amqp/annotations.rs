//! Annotations of messages that clients of JMS know.

/// The kind of a message.
pub(super) const MESSAGE_KIND: &str = "x-opt-jms-msg-type";

/// The kind of a destination, and that of an address for an answer.
pub(super) const DESTINATION_KIND: &str = "x-opt-jms-dest";
pub(super) const REPLY_KIND: &str = "x-opt-jms-reply-to";

/// The time at which a message is due, in milliseconds since 1970.
pub(super) const DELIVERY_TIME: &str = "x-opt-delivery-time";
