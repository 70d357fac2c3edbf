//! AFTER and LIMIT of DISPLAY: a part of many objects, in the order of their names.
//!
//! Always: the objects of one name are in one page, so that the name where a page ends is enough to go on.

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
}

impl Page {
    /// A page of so many objects, from the first on or behind a name.
    #[must_use]
    pub fn of(limit: u32, after: Option<&str>) -> Self {
        Self { after: after.map(Into::into), limit: Some(limit) }
    }

    /// Returns true if an object of this name is in an earlier page.
    pub fn is_behind(&self, name: &str) -> bool {
        self.after.as_deref().is_some_and(|after| name <= after)
    }

    /// Returns true if the page ends before an object of this name; `shown` are in it, the last of which has
    /// the name `last`.
    pub fn ends_before(&self, name: &str, shown: usize, last: &str) -> bool {
        self.limit.is_some_and(|limit| shown >= limit as usize) && name != last
    }

    pub(super) fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(after) = &self.after {
            write!(formatter, " AFTER({})", quoted(after))?;
        }
        self.limit.map_or(Ok(()), |limit| write!(formatter, " LIMIT({limit})"))
    }
}
