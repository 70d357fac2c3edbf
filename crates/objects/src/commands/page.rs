//! AFTER and LIMIT of DISPLAY: a part of many objects, in the order of their names.
//!
//! Also here: the bound of a part of an answer, which the queue manager sets itself, and where the next part
//! goes on.
//!
//! Always: the objects of one name are in one page, so that the name where a page ends is enough to go on. A
//! part ends anywhere: each thing has a key of its own, which begins with its name.

use std::fmt;

use crate::value::quoted;

/// Most objects that LIMIT takes.
pub(super) const LIMIT_MAX: u32 = 999_999_999;

/// The part of the objects that a display is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// Objects up to this name, and of this name, are not in it.
    pub after: Option<Box<str>>,
    /// It ends after so many objects, unless more have the name of the last.
    pub limit: Option<u32>,
    /// The part of it that is made at once.
    pub part: Option<Part>,
}

/// A part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// It ends once its things have so many bytes.
    pub room: usize,
    /// The key of the last thing in the parts before it.
    pub after: Option<Box<str>>,
    /// The number of objects in these.
    pub shown: usize,
}

/// Stands between the name of a thing and the rest of its key: no name has it, and it is less than all that
/// names have.
pub const KEY_END: char = '\0';

impl Page {
    /// A page of so many objects, from the first on or behind a name.
    #[must_use]
    pub fn of(limit: u32, after: Option<&str>) -> Self {
        Self { after: after.map(Into::into), limit: Some(limit), part: None }
    }

    /// Returns true if an object of this name is in an earlier page.
    pub fn is_behind(&self, name: &str) -> bool {
        self.after.as_deref().is_some_and(|after| name <= after)
    }

    /// Returns true if the thing with this key is in an earlier page or part.
    pub fn has_passed(&self, key: &str) -> bool {
        self.is_behind(name_of_key(key)) || self.passed().is_some_and(|after| key <= after)
    }

    /// Returns true if the parts before this one have objects.
    pub fn has_shown(&self) -> bool {
        self.part.as_ref().is_some_and(|part| part.shown > 0)
    }

    /// The name of the last thing in the parts before this one.
    pub fn last_name(&self) -> Option<&str> {
        self.passed().map(name_of_key)
    }

    fn passed(&self) -> Option<&str> {
        self.part.as_ref()?.after.as_deref()
    }

    /// Returns true if the page ends before an object of this name; `shown` are in it, the last of which has
    /// the name `last`.
    pub fn ends_before(&self, name: &str, shown: usize, last: &str) -> bool {
        self.limit.is_some_and(|limit| shown >= limit as usize) && name != last
    }

    /// A part of this page.
    #[must_use]
    pub fn in_part(&self, part: Part) -> Self {
        let left = |limit: u32| limit.saturating_sub(u32::try_from(part.shown).unwrap_or(u32::MAX));
        Self { after: self.after.clone(), limit: self.limit.map(left), part: Some(part) }
    }

    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(after) = &self.after {
            write!(formatter, " AFTER({})", quoted(after))?;
        }
        self.limit.map_or(Ok(()), |limit| write!(formatter, " LIMIT({limit})"))
    }
}

/// The name in a key.
pub fn name_of_key(key: &str) -> &str {
    key.split(KEY_END).next().unwrap_or_default()
}
