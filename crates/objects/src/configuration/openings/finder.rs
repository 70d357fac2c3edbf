//! A point in which a configuration opens a queue manager, and the collection of such points.

use std::collections::BTreeSet;
use std::fmt;

use crate::attributes;
use crate::configuration::Configuration;
use crate::configuration::records::set_again;
use crate::definition::Definition;

/// A point in which a queue manager would be opened further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Opening {
    /// The definition, or the setting.
    pub what: String,
    /// The effect.
    pub why: &'static str,
    /// True for a point that is only told: a queue manager of an earlier release has it from its beginning.
    pub is_told_only: bool,
}

impl Opening {
    /// A point that an administrator must accept.
    pub fn asking(what: String, why: &'static str) -> Self {
        Self { what, why, is_told_only: false }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.what, self.why)
    }
}

/// The points of a configuration by itself.
pub(super) struct Finder<'a> {
    pub(super) configuration: &'a Configuration,
    pub(super) openings: BTreeSet<Opening>,
}

impl Finder<'_> {
    pub(super) fn add(&mut self, what: String, why: &'static str, is_told_only: bool) {
        self.openings.insert(Opening { what, why, is_told_only });
    }

    pub(super) fn open(&mut self, what: impl Into<String>, why: &'static str) {
        self.add(what.into(), why, false);
    }
}

/// Says if definitions of a type have an attribute.
pub(super) fn has(definition: &Definition, number: i32) -> bool {
    attributes::by_pcf(definition.object_type(), number).is_some()
}

/// A record as the command that sets it begins, with the partner it is about.
pub(super) fn shown(record: &Definition) -> String {
    set_again(record).without_secrets().to_string()
}
