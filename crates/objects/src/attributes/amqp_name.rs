//! The names by which clients of AMQP find queues and topics, beside those that the objects have.
//!
//! Lives here: the number of the attribute, and the names that it takes. Lives elsewhere: the one object that
//! a name leads to (`catalogue` of the queue manager), the addresses of clients (`agents`).
//!
//! Always: such a name is none that a queue can have, so that the name of a queue never needs a second look,
//! and no AMQPNAME can stand in the way of a queue that is defined later.

/// Most bytes of such a name: the names that clients bring from other systems have up to 255.
pub const AMQP_NAME_BYTES_MAX: usize = 255;

/// The beginnings of addresses that say what they are.
const SCHEMES: [&str; 4] = ["queue://", "topic://", "amqp://", "amqps://"];

/// A reason why a text is no AMQPNAME.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmqpNameFault {
    /// A queue can have the name.
    #[error("a queue can have this name: DEFINE QALIAS of the name leads it to a queue or a topic")]
    QueueName,
    /// It begins with the scheme of an address.
    #[error("{0} begins an address and is no part of a name")]
    Scheme(&'static str),
    /// It has a question mark, behind which an address has its options.
    #[error("a question mark ends the name in an address")]
    Options,
    /// It begins with a blank.
    #[error("it begins with a blank")]
    Blank,
}

/// Checks that a text, which is not empty, can be an AMQPNAME.
///
/// # Errors
/// The fault of the text.
pub fn check_amqp_name(name: &str) -> Result<(), AmqpNameFault> {
    if name.parse::<mqi::ObjectName>().is_ok() {
        return Err(AmqpNameFault::QueueName);
    }
    if name.starts_with(' ') {
        return Err(AmqpNameFault::Blank);
    }
    if let Some(scheme) = SCHEMES.into_iter().find(|scheme| name.starts_with(scheme)) {
        return Err(AmqpNameFault::Scheme(scheme));
    }
    if name.contains('?') { Err(AmqpNameFault::Options) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_that_no_queue_can_have_and_an_address_can_carry() {
        let long = "A".repeat(49);
        for right in ["orders-in", "eu:orders", "größe", "a b", "arn:aws:sqs:eu:1:orders", "a//b-c", &long]
        {
            assert_eq!(check_amqp_name(right), Ok(()), "{right}");
        }
        for (wrong, fault) in [
            ("ORDERS", AmqpNameFault::QueueName),
            ("orders/in_%.1", AmqpNameFault::QueueName),
            (&long[1..], AmqpNameFault::QueueName),
            (" orders-in", AmqpNameFault::Blank),
            ("queue:///orders-in", AmqpNameFault::Scheme("queue://")),
            ("topic://a", AmqpNameFault::Scheme("topic://")),
            ("amqp://host/a", AmqpNameFault::Scheme("amqp://")),
            ("amqps://host/a", AmqpNameFault::Scheme("amqps://")),
            ("orders-in?targetClient=1", AmqpNameFault::Options),
        ] {
            assert_eq!(check_amqp_name(wrong), Err(fault), "{wrong}");
        }
    }
}
