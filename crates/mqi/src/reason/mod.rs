//! Reason codes: why a call was refused, or what its caller should know.
//!
//! Lives here: the type and its lookups. Lives elsewhere: the rows (`table`, made from `facts`).
//!
//! Always: `Reason::ALL` ascends and holds each code once; every name leads back to its code.

mod table;
#[cfg(test)]
mod tests;

use std::fmt;

/// The outcome of a call as the message queue interface numbers it.
///
/// ```
/// use mqi::Reason;
/// assert_eq!(Reason::NO_MSG_AVAILABLE.code(), 2033);
/// assert_eq!(Reason::NO_MSG_AVAILABLE.to_string(), "2033 MQRC_NO_MSG_AVAILABLE");
/// assert_eq!(Reason::by_name("MQRC_Q_FULL"), Some(Reason::Q_FULL));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reason(i32);

/// One row of the reason table.
struct Row {
    reason: Reason,
    name: &'static str,
    text: &'static str,
    action: &'static str,
}

impl Reason {
    /// Every reason the interface defines, ascending, each code once.
    pub const ALL: &'static [Self] = table::DISTINCT;

    /// Takes a number as it came from a program or a peer; an unknown one is kept as it is.
    #[must_use]
    pub const fn from_code(code: i32) -> Self {
        Self(code)
    }

    /// The number programs compare with.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.0
    }

    /// Returns true for a reason after which the connection does nothing more: it is broken, or it or its
    /// queue manager ends.
    #[must_use]
    pub const fn ends_connection(self) -> bool {
        matches!(
            self,
            Self::CONNECTION_BROKEN
                | Self::CONNECTION_QUIESCING
                | Self::CONNECTION_STOPPING
                | Self::Q_MGR_QUIESCING
                | Self::Q_MGR_STOPPING
        )
    }

    /// The name in C, such as `MQRC_Q_FULL`; `MQRC_UNKNOWN` for a number the interface does not define.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().map_or("MQRC_UNKNOWN", |row| row.name)
    }

    /// Meaning of the code, in one sentence.
    #[must_use]
    pub fn text(self) -> &'static str {
        self.row().map_or("This number is not a reason code of the interface.", |row| row.text)
    }

    /// Remedy.
    #[must_use]
    pub fn action(self) -> &'static str {
        self.row().map_or("Check where the number came from.", |row| row.action)
    }

    /// Finds a reason by its name, with or without `MQRC_`, in any case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let wanted = name.trim();
        let matches = |row: &&Row| {
            row.name.eq_ignore_ascii_case(wanted) || row.name["MQRC_".len()..].eq_ignore_ascii_case(wanted)
        };
        table::ROWS.iter().find(matches).map(|row| row.reason)
    }

    /// True if the interface defines this number.
    #[must_use]
    pub fn is_defined(self) -> bool {
        self.row().is_some()
    }

    fn row(self) -> Option<&'static Row> {
        let first = table::ROWS.partition_point(|row| row.reason < self);
        table::ROWS.get(first).filter(|row| row.reason == self)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.0, self.name())
    }
}

impl fmt::Debug for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl std::error::Error for Reason {}
