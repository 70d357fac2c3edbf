//! Addresses as objects of the interface, and names of subscriptions.

use amqp::types::Symbols;
use formats::properties::amqp::address::Address;
use mqi::{ObjectDescriptor, ObjectName, ObjectType, Reason, Text};
use queue_manager::AmqpTerms;

/// The object that an address names: by its scheme, by what the terminus says of itself, else a queue.
pub(super) fn object_of(
    address: &str,
    capabilities: Option<Symbols<'_>>,
) -> Result<ObjectDescriptor, Reason> {
    let is = |kind| capabilities.is_some_and(|said| said.contains(kind));
    object(address, is("topic") || is("temporary-topic"))
}

/// Returns the object where the kind of the name is known: a topic, or a queue.
pub(super) fn object(address: &str, is_topic: bool) -> Result<ObjectDescriptor, Reason> {
    let queue = |name: &str, manager: &str| {
        let name: ObjectName = name.parse().map_err(|_| Reason::OBJECT_NAME_ERROR)?;
        let object_queue_manager_name = manager.parse().map_err(|_| Reason::UNKNOWN_REMOTE_Q_MGR)?;
        match name.is_blank() {
            true => Err(Reason::UNKNOWN_OBJECT_NAME),
            false => Ok(ObjectDescriptor { object_queue_manager_name, ..ObjectDescriptor::queue(name) }),
        }
    };
    match Address::of(address) {
        Address::Topic(topic) => Ok(ObjectDescriptor::topic(topic)),
        Address::Name(topic) if is_topic => Ok(ObjectDescriptor::topic(topic)),
        Address::Queue { manager, name, .. } => queue(name, manager),
        Address::Name(name) => queue(name, ""),
    }
}

/// Returns the target of messages, which no wildcard may name.
pub(super) fn target(object: ObjectDescriptor) -> Result<ObjectDescriptor, Reason> {
    let is_wildcard = |level: &str| matches!(level, "#" | "+");
    match object.object_string.split('/').any(is_wildcard) {
        true => Err(Reason::OPTION_NOT_VALID_FOR_TYPE),
        false => Ok(object),
    }
}

/// The model from which a queue of this queue manager is made, where the channel of a client has it made.
pub(super) fn model_for(terms: Option<&AmqpTerms>, object: &ObjectDescriptor) -> Option<ObjectName> {
    let is_here = object.object_type == ObjectType::Queue && object.object_queue_manager_name.is_blank();
    terms.filter(|_| is_here && !object.object_name.is_blank())?.model_for(&object.object_name)
}

/// The object that makes a queue from a model, under the name of the queue.
pub(super) fn made_by(model: ObjectName, queue: &ObjectDescriptor) -> ObjectDescriptor {
    let dynamic_queue_name = Text::truncated(queue.object_name.as_str());
    ObjectDescriptor { object_name: model, dynamic_queue_name, ..queue.clone() }
}

/// The name of a subscription: that of its queue manager, its client, which is empty for one that is for
/// all, and a name.
pub(super) fn subscription_name(manager: &str, client: &str, name: &str, is_durable: bool) -> String {
    let kind = if is_durable { "JMS" } else { "JMSV" };
    format!("{kind}:{manager}:{client}:{name}")
}

/// The name that a link gives its subscription. Links of a shared one have it in common; each adds a part
/// behind a bar that makes it its own.
pub(super) fn own_name(link: &str, is_shared: bool) -> &str {
    if is_shared { link.split('|').next().unwrap_or_default() } else { link }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_one_subscription_have_one_name() {
        for link in ["n", "n|2", "n|global", "n|global2"] {
            assert_eq!(subscription_name("QM1", "c", own_name(link, true), true), "JMS:QM1:c:n");
        }
        assert_eq!(subscription_name("QM1", "", own_name("n|global-volatile1", true), false), "JMSV:QM1::n");
    }

    #[test]
    fn addresses_are_objects_or_are_not_found() {
        assert_eq!(object("A", false).unwrap(), ObjectDescriptor::queue("A".parse().unwrap()));
        assert_eq!(object("a/b", true).unwrap(), ObjectDescriptor::topic("a/b"));
        assert_eq!(object("topic://a/b", false).unwrap(), ObjectDescriptor::topic("a/b"));
        for (wrong, reason) in [
            ("", Reason::UNKNOWN_OBJECT_NAME),
            ("queue:///", Reason::UNKNOWN_OBJECT_NAME),
            ("A\0B", Reason::OBJECT_NAME_ERROR),
            ("orders-in", Reason::OBJECT_NAME_ERROR),
            ("no queue has this name", Reason::OBJECT_NAME_ERROR),
            (&"A".repeat(49), Reason::OBJECT_NAME_ERROR),
        ] {
            assert_eq!(object(wrong, false), Err(reason), "{wrong:?}");
        }
    }
}
