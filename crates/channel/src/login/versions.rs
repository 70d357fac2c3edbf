//! Versions of the protocol.

use std::fmt;

/// The versions of the protocol this crate speaks.
pub const VERSIONS: Versions = Versions { least: 2, most: 4 };

/// The version from which on the answer to a command may come in parts.
pub const VERSION_OF_PARTS: u16 = 3;

/// The version from which on a get may ask for the extension of the descriptor.
pub const VERSION_OF_EXTENSIONS: u16 = 4;

/// A range of protocol versions; by default the range that this crate speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The oldest.
    pub least: u16,
    /// The newest.
    pub most: u16,
}

impl Versions {
    /// The newest version both speak.
    #[must_use]
    pub fn common(self, other: Self) -> Option<u16> {
        let most = self.most.min(other.most);
        (most >= self.least.max(other.least)).then_some(most)
    }
}

impl Default for Versions {
    fn default() -> Self {
        VERSIONS
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { least, most } if least == most => write!(formatter, "version {most}"),
            Self { least, most } => write!(formatter, "versions {least} to {most}"),
        }
    }
}
