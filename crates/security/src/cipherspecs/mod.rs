//! CipherSpecs: the names that SSLCIPH takes, and the cipher suites that each stands for.
//!
//! Lives here: the table (`suite`, and `table`, made from `facts/cipherspecs.csv`), lookup, the names that
//! stand for several, and the words of a refusal. Lives elsewhere: the handshake, and the library that runs
//! it.
//!
//! Always: no name stands for a suite without forward secrecy, nor for a protocol before TLS 1.2; suites come
//! in the order in which a server prefers them.

mod suite;
mod table;
#[cfg(test)]
mod tests;

pub use suite::{Cipher, CipherSpec, Protocol, Provider};

use std::fmt;

impl CipherSpec {
    /// Every CipherSpec, the preferred ones first.
    #[must_use]
    pub fn all() -> &'static [Self] {
        table::ALL
    }

    /// Finds the CipherSpec of a suite that a handshake chose, by its number on the wire.
    #[must_use]
    pub fn by_number(number: u16) -> Option<&'static Self> {
        Self::all().iter().find(|spec| spec.number == number)
    }

    /// Refuses a suite that this build has no library for.
    ///
    /// # Errors
    /// When the suite needs OpenSSL and the build has none.
    pub fn available(&'static self, build: Build) -> Result<(), Refusal> {
        if self.provider == Provider::Legacy && build == Build::Standard {
            return Err(Refusal::NotInBuild { name: self.name });
        }
        Ok(())
    }
}

/// The libraries that a build has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// rustls alone.
    Standard,
    /// rustls and OpenSSL. No release is built so.
    Legacy,
}

/// A name that stands for several suites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Any {
    /// The name that SSLCIPH takes.
    pub name: &'static str,
    oldest: Protocol,
    newest: Protocol,
    has_legacy: bool,
}

/// The names that stand for several suites. Those for one version have the suites of OpenSSL too where a
/// build has it; those for later versions as well do not, so that what they stand for gets stronger only.
static ANY: &[Any] = &[
    Any { name: "ANY", oldest: Protocol::Tls12, newest: Protocol::Tls13, has_legacy: false },
    Any { name: "ANY_TLS12", oldest: Protocol::Tls12, newest: Protocol::Tls12, has_legacy: true },
    Any { name: "ANY_TLS12_OR_HIGHER", oldest: Protocol::Tls12, newest: Protocol::Tls13, has_legacy: false },
    Any { name: "ANY_TLS13", oldest: Protocol::Tls13, newest: Protocol::Tls13, has_legacy: true },
    Any { name: "ANY_TLS13_OR_HIGHER", oldest: Protocol::Tls13, newest: Protocol::Tls13, has_legacy: true },
];

/// The value of SSLCIPH, understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// One suite.
    One(&'static CipherSpec),
    /// Every suite that a name stands for.
    Any(&'static Any),
}

impl Choice {
    /// Finds a name, as SSLCIPH spells it.
    ///
    /// # Errors
    /// When the name stands for nothing, or for a suite that is too weak; the error names a way on.
    pub fn find(name: &str) -> Result<Self, Refusal> {
        if let Some(spec) = table::ALL.iter().find(|spec| spec.name == name) {
            return Ok(Self::One(spec));
        }
        if let Some(any) = ANY.iter().find(|any| any.name == name) {
            return Ok(Self::Any(any));
        }
        if let Some(weakness) = Weakness::of(name) {
            return Err(Refusal::Weak { name: shown(name), weakness });
        }
        let is_meant = |spec: &&CipherSpec| {
            spec.suite.eq_ignore_ascii_case(name) || spec.name.eq_ignore_ascii_case(name)
        };
        let meant = table::ALL.iter().find(is_meant).map(|spec| spec.name);
        let any = ANY.iter().find(|any| any.name.eq_ignore_ascii_case(name)).map(|any| any.name);
        match meant.or(any) {
            Some(meant) => Err(Refusal::Spelling { name: shown(name), meant }),
            None => Err(Refusal::Unknown { name: shown(name) }),
        }
    }

    /// The name that SSLCIPH takes.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::One(spec) => spec.name,
            Self::Any(any) => any.name,
        }
    }

    /// The suites that a build offers for it, the preferred ones first; empty when the build has none.
    pub fn suites(self, build: Build) -> impl Iterator<Item = &'static CipherSpec> {
        table::ALL.iter().filter(move |spec| self.stands_for(spec) && spec.available(build).is_ok())
    }

    /// Tells if a suite is one of those that the name stands for.
    #[must_use]
    pub fn stands_for(self, spec: &CipherSpec) -> bool {
        match self {
            Self::One(own) => own == spec,
            // A tag of 8 bytes is for administrators who name it.
            Self::Any(any) => {
                (any.oldest..=any.newest).contains(&spec.protocol)
                    && spec.cipher != Cipher::CcmShort
                    && (any.has_legacy || spec.provider == Provider::Standard)
            }
        }
    }
}

/// A reason why a suite is too weak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weakness {
    /// No encryption.
    NoEncryption,
    /// RC2, RC4, DES, triple DES.
    OldCipher,
    /// A protocol before TLS 1.2.
    OldProtocol,
    /// The server's RSA key encrypts the session's key.
    NoForwardSecrecy,
}

impl Weakness {
    /// Names of the family that say neither protocol nor exchange of keys: SSL 3.0 and TLS 1.0.
    const OLD: &[&str] = &["AES_SHA_US", "NULL_MD5", "NULL_SHA", "DES_SHA_EXPORT", "DES_SHA_EXPORT1024"];

    /// Finds the weakness that a name tells of; none where it tells of none.
    fn of(name: &str) -> Option<Self> {
        let has = |part: &str| name.split('_').any(|own| own.eq_ignore_ascii_case(part));
        if has("NULL") {
            return Some(Self::NoEncryption);
        }
        if has("RC2") || has("RC4") || has("DES") || has("3DES") {
            return Some(Self::OldCipher);
        }
        let upper = name.to_ascii_uppercase();
        let is_old = Self::OLD.contains(&&*upper)
            || ["SSL", "ANY_SSL", "ANY_TLS10", "ANY_TLS11"].iter().any(|old| upper.starts_with(old));
        if is_old {
            return Some(Self::OldProtocol);
        }
        upper.starts_with("TLS_RSA_").then_some(Self::NoForwardSecrecy)
    }
}

impl fmt::Display for Weakness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoEncryption => "it does not encrypt",
            Self::OldCipher => "its cipher can be broken",
            Self::OldProtocol => "it belongs to a protocol before TLS 1.2",
            Self::NoForwardSecrecy => "one stolen key opens every session that was recorded",
        })
    }
}

/// A reason why SSLCIPH is refused, with the way on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The suite is too weak.
    #[error("CipherSpec {name} is refused: {weakness}; use ANY_TLS12_OR_HIGHER, or a CipherSpec for TLS 1.3")]
    Weak {
        /// The name that was given.
        name: String,
        /// The reason.
        weakness: Weakness,
    },
    /// Another spelling of a known name.
    #[error("there is no CipherSpec {name}; the one that is meant is spelled {meant}")]
    Spelling {
        /// The name that was given.
        name: String,
        /// The name that SSLCIPH takes.
        meant: &'static str,
    },
    /// The name is not known.
    #[error(
        "there is no CipherSpec {name}; use ANY_TLS12_OR_HIGHER, or a name from the reference of SSLCIPH"
    )]
    Unknown {
        /// The name that was given.
        name: String,
    },
    /// The build has no library for the suite.
    #[error("CipherSpec {name} is not supported; give the channel another one, such as ANY_TLS12_OR_HIGHER")]
    NotInBuild {
        /// The name.
        name: &'static str,
    },
}

/// Most characters of a refused name that an error repeats; longer than any name of the family.
const SHOWN_MAX: usize = 64;

/// A name as an error shows it: cut, and without characters that act on a terminal.
fn shown(name: &str) -> String {
    name.chars().take(SHOWN_MAX).flat_map(char::escape_debug).collect()
}
