//! Annotations of messages that clients of JMS know.

use amqp::types::Entries;
use amqp::{DecodeError, Value};

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

/// The same under a name that other brokers gave it.
pub(super) const SCHEDULED_TIME: &str = "x-opt-scheduled-enqueue-time";

/// Milliseconds after which a message is due.
pub(super) const DELIVERY_DELAY: &str = "x-opt-delivery-delay";

/// The time at which a message is due, in milliseconds since 1970, if it says one.
///
/// # Errors
/// For a time or a delay that is no number.
pub(super) fn due(annotations: &Entries<'_>, now: impl Fn() -> i64) -> Result<Option<i64>, DecodeError> {
    for name in [DELIVERY_TIME, SCHEDULED_TIME, DELIVERY_DELAY] {
        let number = match annotations.get(name) {
            None | Some(Value::Null) => continue,
            Some(Value::Timestamp(at)) if name != DELIVERY_DELAY => Some(i128::from(at)),
            Some(value) => value.integer(),
        };
        let number = number.ok_or(DecodeError::Field(name))?;
        let number = i64::try_from(number.max(0)).unwrap_or(i64::MAX);
        return Ok(Some(if name == DELIVERY_DELAY { now().saturating_add(number) } else { number }));
    }
    Ok(None)
}
