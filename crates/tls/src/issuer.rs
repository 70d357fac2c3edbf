//! Issuers of certificates.
//!
//! Always: an issuer is known by the bytes of its name, as lists are matched with certificates.

use std::fmt;

use crate::certificate;
use crate::der::{SEQUENCE, Values};

/// Most bytes of the name of an issuer whose list is remembered: each attribute has 64 characters at most.
const ISSUER_BYTES_MAX: usize = 512;

/// The name of an issuer, as its bytes stand in certificates and lists.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssuerName(Vec<u8>);

impl IssuerName {
    /// The name of these bytes.
    #[must_use]
    pub fn new(der: &[u8]) -> Self {
        Self(der.to_vec())
    }

    /// The bytes in figures.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name of which these are the figures.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Self> {
        let pairs = text.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes = pairs.map(byte).collect::<Option<Vec<_>>>()?;
        (text.len().is_multiple_of(2) && !bytes.is_empty()).then_some(Self(bytes))
    }

    /// True where the name is short enough to be remembered.
    #[must_use]
    pub fn fits(&self) -> bool {
        self.0.len() <= ISSUER_BYTES_MAX
    }
}

impl fmt::Display for IssuerName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = Values::of(&self.0).take(SEQUENCE, certificate::ISSUER);
        match value.and_then(|value| certificate::name(&value)) {
            Ok(name) => name.fmt(formatter),
            Err(_) => formatter.write_str(&self.to_hex()),
        }
    }
}
