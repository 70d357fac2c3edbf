//! Names of objects in commands.

use std::fmt;

use mqi::{NamePattern, ObjectName};

use crate::definition::Definition;
use crate::object_type::ObjectType;
use crate::value::quoted;

/// The name of one object in a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Name {
    /// By an object's name.
    Object(ObjectName),
    /// A subscription, by a text of any characters.
    Subscription(Box<str>),
    /// A subscription, by its identifier in hexadecimal.
    SubscriptionIdentifier(ObjectName),
}

/// The names of objects in DISPLAY.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Names {
    /// By an object's name, or the beginning of some.
    Objects(NamePattern),
    /// Subscriptions, by a text, or one that ends in an asterisk.
    Subscriptions(Box<str>),
    /// A subscription, by its identifier in hexadecimal.
    SubscriptionIdentifier(ObjectName),
}

impl Name {
    /// The text that stands for it, as messages show it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Object(name) | Self::SubscriptionIdentifier(name) => name.as_str(),
            Self::Subscription(text) => text,
        }
    }

    /// The object's name, unless it is a subscription's.
    pub fn object(&self) -> Option<&ObjectName> {
        match self {
            Self::Object(name) => Some(name),
            _ => None,
        }
    }

    /// Appends the part of a command that names an object of this word.
    pub(crate) fn write(&self, keyword: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Object(name) if name.is_blank() => formatter.write_str(keyword),
            Self::SubscriptionIdentifier(digits) => write!(formatter, "{keyword} SUBID({digits})"),
            name => write!(formatter, "{keyword}({})", quoted(name.as_str())),
        }
    }
}

impl Names {
    /// Returns true if several objects can be meant.
    pub fn is_generic(&self) -> bool {
        match self {
            Self::Objects(pattern) => pattern.is_generic(),
            Self::Subscriptions(pattern) => pattern.ends_with('*'),
            Self::SubscriptionIdentifier(_) => false,
        }
    }

    /// The one name that is meant, if no others are.
    pub fn single(&self) -> Option<&str> {
        match self {
            Self::Objects(NamePattern::Exact(name)) => Some(name.as_str()),
            Self::Subscriptions(name) if !name.ends_with('*') => Some(name),
            _ => None,
        }
    }

    /// Returns true if an object is meant.
    pub fn matches(&self, definition: &Definition) -> bool {
        match self {
            Self::Objects(pattern) => pattern.matches(definition.name().as_str()),
            Self::Subscriptions(pattern) => {
                definition.object_type() == ObjectType::Subscription
                    && mqi::pattern::matches(pattern, definition.shown_name())
            }
            Self::SubscriptionIdentifier(digits) => digits == definition.name(),
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for Names {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Objects(pattern) => pattern.fmt(formatter),
            Self::Subscriptions(pattern) => formatter.write_str(pattern),
            Self::SubscriptionIdentifier(digits) => digits.fmt(formatter),
        }
    }
}

impl From<ObjectName> for Name {
    fn from(name: ObjectName) -> Self {
        Self::Object(name)
    }
}

impl From<NamePattern> for Names {
    fn from(pattern: NamePattern) -> Self {
        Self::Objects(pattern)
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}
