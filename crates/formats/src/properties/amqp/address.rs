//! Addresses of AMQP as names of objects.
//!
//! ```text
//! queue:///NAME   queue://MANAGER/NAME   topic://a/topic/string   NAME
//! amqp://host/NAME   amqps://host:port/queue:///NAME
//! ```
//!
//! The host of an address with one is that of the connection, and does not count.

use mqi::ObjectName;

/// An address, by what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address<'a> {
    /// A queue, on this queue manager where none is named.
    Queue {
        /// The queue manager; empty for this one.
        manager: &'a str,
        /// The queue.
        name: &'a str,
        /// True where the receiver is given no properties (`targetClient=1`).
        is_bare: bool,
    },
    /// A topic by its string.
    Topic(&'a str),
    /// A name that does not say of what kind.
    Name(&'a str),
}

impl<'a> Address<'a> {
    /// Reads an address.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let text = behind_host(text);
        if let Some(rest) = text.strip_prefix("topic://") {
            return Self::Topic(rest.split('?').next().unwrap_or_default());
        }
        let Some(rest) = text.strip_prefix("queue://") else { return Self::Name(text) };
        let (path, options) = rest.split_once('?').unwrap_or((rest, ""));
        let (manager, name) = path.split_once('/').unwrap_or(("", path));
        let is_bare = options.split('&').any(|option| option.eq_ignore_ascii_case("targetClient=1"));
        Self::Queue { manager, name, is_bare }
    }

    /// Reads an address that is sent with its kind. A scheme of its own says more than this.
    #[must_use]
    pub(super) fn of_kind(text: &'a str, is_topic: bool) -> Self {
        match Self::of(text) {
            Self::Name(name) if is_topic => Self::Topic(name),
            address => address,
        }
    }

    /// The queue and the queue manager of an address that is, or may be, one of a queue.
    #[must_use]
    pub fn queue(&self) -> Option<(&'a str, &'a str)> {
        match *self {
            Self::Queue { manager, name, .. } => Some((name, manager)),
            Self::Name(name) => Some((name, "")),
            Self::Topic(_) => None,
        }
    }
}

/// The part of an address behind its host, if it has one.
fn behind_host(text: &str) -> &str {
    let with_host = text.strip_prefix("amqp://").or_else(|| text.strip_prefix("amqps://"));
    with_host.map_or(text, |rest| rest.split_once('/').map_or("", |(_, path)| path))
}

/// The address of a queue of a queue manager, where it is given as one without a queue manager.
#[must_use]
pub(super) fn named_at(text: &str, is_topic: bool, manager: &str) -> Option<String> {
    match Address::of_kind(text, is_topic) {
        Address::Name(name) if !name.is_empty() => Some(of_queue(name, manager)),
        Address::Queue { manager: "", name, is_bare } if !name.is_empty() => {
            let options = if is_bare { "?targetClient=1" } else { "" };
            Some(format!("{}{options}", of_queue(name, manager)))
        }
        Address::Name(_) | Address::Queue { .. } | Address::Topic(_) => None,
    }
}

/// The address of the queue that another leads to by a name that no queue can have: `queue_of` knows it by
/// that name and the queue manager beside it.
#[must_use]
pub(super) fn renamed(
    text: &str,
    is_topic: bool,
    queue_of: impl Fn(&str, &str) -> Option<ObjectName>,
) -> Option<String> {
    let address = Address::of_kind(text, is_topic);
    let (name, manager) = address.queue()?;
    if name.parse::<ObjectName>().is_ok() {
        return None;
    }
    let queue = queue_of(name, manager)?;
    Some(match address {
        Address::Queue { is_bare: true, .. } => {
            format!("{}?targetClient=1", of_queue(queue.as_str(), manager))
        }
        Address::Queue { .. } => of_queue(queue.as_str(), manager),
        Address::Name(_) | Address::Topic(_) => queue.to_string(),
    })
}

/// The address of a queue.
#[must_use]
pub fn of_queue(name: &str, manager: &str) -> String {
    format!("queue://{manager}/{name}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_apart_by_their_scheme() {
        for (text, expected) in [
            ("queue:///A", Address::Queue { manager: "", name: "A", is_bare: false }),
            ("queue://QM2/A?targetClient=1", Address::Queue { manager: "QM2", name: "A", is_bare: true }),
            ("queue://A", Address::Queue { manager: "", name: "A", is_bare: false }),
            ("topic://price/tin", Address::Topic("price/tin")),
            ("price/tin", Address::Name("price/tin")),
            ("", Address::Name("")),
            ("amqp://host/A", Address::Name("A")),
            ("amqps://[::1]:5671/a/b", Address::Name("a/b")),
            ("amqp://host/topic://a/b", Address::Topic("a/b")),
            ("amqp:///queue://QM2/A", Address::Queue { manager: "QM2", name: "A", is_bare: false }),
            ("amqp://host", Address::Name("")),
            ("amqp:A", Address::Name("amqp:A")),
        ] {
            assert_eq!(Address::of(text), expected, "{text}");
        }
        assert_eq!(Address::of(&of_queue("A", "QM2")).queue(), Some(("A", "QM2")));
    }

    #[test]
    fn a_queue_without_a_queue_manager_is_named_at_one_and_others_stay() {
        for (text, is_topic, expected) in [
            ("A", false, Some("queue://QM1/A")),
            ("queue:///A", false, Some("queue://QM1/A")),
            ("queue:///A?targetClient=1", true, Some("queue://QM1/A?targetClient=1")),
            ("amqp://host/A", false, Some("queue://QM1/A")),
            ("queue://QM2/A", false, None),
            ("A", true, None),
            ("topic://A", false, None),
            ("", false, None),
            ("queue:///", false, None),
        ] {
            assert_eq!(named_at(text, is_topic, "QM1").as_deref(), expected, "{text}");
        }
    }
}
