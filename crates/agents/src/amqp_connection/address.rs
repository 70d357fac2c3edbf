//! Addresses as objects of the interface, and names of subscriptions.

use std::cell::Cell;

use amqp::types::Symbols;
use formats::properties::amqp::address::Address;
use mqi::{ObjectDescriptor, ObjectName, ObjectType, Reason, Text};
use queue_manager::{AmqpTerms, QueueManager};
use storage::Lsn;

/// The names that lead to objects of a queue manager beside their own (AMQPNAME). Only a name that no queue
/// can have is looked up.
pub(super) struct Names<'manager> {
    manager: &'manager QueueManager,
    need: Cell<Lsn>,
}

impl<'manager> Names<'manager> {
    pub(super) fn of(manager: &'manager QueueManager) -> Self {
        Self { manager, need: Cell::new(Lsn::ZERO) }
    }

    /// Position that must be durable before the outside may learn of what was looked up.
    pub(super) fn need(&self) -> Lsn {
        self.need.get()
    }

    /// The object that an address names: by its scheme, by what the terminus says of itself, else a queue.
    pub(super) fn object_of(
        &self,
        address: &str,
        capabilities: Option<Symbols<'_>>,
    ) -> Result<ObjectDescriptor, Reason> {
        let is = |kind| capabilities.is_some_and(|said| said.contains(kind));
        self.object(address, is("topic") || is("temporary-topic"))
    }

    /// Returns the object where the kind of the name is known: a topic, or a queue.
    pub(super) fn object(&self, address: &str, is_topic: bool) -> Result<ObjectDescriptor, Reason> {
        match Address::of(address) {
            Address::Topic(topic) => Ok(ObjectDescriptor::topic(topic)),
            Address::Name(topic) if is_topic => Ok(ObjectDescriptor::topic(topic)),
            Address::Queue { manager, name, .. } => match name.parse() {
                Ok(name) => queue(name, manager),
                Err(_) => queue(self.queue(name, manager).ok_or(Reason::OBJECT_NAME_ERROR)?, manager),
            },
            Address::Name(name) => match name.parse() {
                Ok(name) => queue(name, ""),
                Err(_) => self.find(name).ok_or(Reason::OBJECT_NAME_ERROR),
            },
        }
    }

    /// The queue that a name leads to at a queue manager: this one alone knows its names.
    pub(super) fn queue(&self, name: &str, manager: &str) -> Option<ObjectName> {
        let is_here = manager.is_empty() || self.manager.name().as_str() == manager;
        let found = self.find(name).filter(|_| is_here)?;
        (found.object_type == ObjectType::Queue).then_some(found.object_name)
    }

    fn find(&self, name: &str) -> Option<ObjectDescriptor> {
        let (found, need) = AmqpTerms::object_named(self.manager, name);
        self.need.set(self.need.get().max(need));
        found
    }
}

fn queue(name: ObjectName, manager: &str) -> Result<ObjectDescriptor, Reason> {
    let object_queue_manager_name = manager.parse().map_err(|_| Reason::UNKNOWN_REMOTE_Q_MGR)?;
    if name.is_blank() {
        return Err(Reason::UNKNOWN_OBJECT_NAME);
    }
    Ok(ObjectDescriptor { object_queue_manager_name, ..ObjectDescriptor::queue(name) })
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
}
