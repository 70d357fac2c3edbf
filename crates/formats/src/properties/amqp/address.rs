//! Addresses of AMQP as names of objects.
//!
//! ```text
//! queue:///NAME   queue://MANAGER/NAME   topic://a/topic/string   NAME
//! ```

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
        ] {
            assert_eq!(Address::of(text), expected, "{text}");
        }
        assert_eq!(Address::of(&of_queue("A", "QM2")).queue(), Some(("A", "QM2")));
    }
}
