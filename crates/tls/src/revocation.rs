//! Issuers of certificates, and the lists of revoked certificates that a store has of each.
//!
//! Lives elsewhere: the memory of lists whose files are gone (the host), their effect (`verify`).
//!
//! Always: an issuer is known by the bytes of its name, as lists are matched with certificates.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustls::pki_types::CertificateRevocationListDer;
use x509_parser::prelude::{CertificateRevocationList, FromDer};
use x509_parser::x509::X509Name;

use crate::certificate;
use crate::store::KeyStore;

/// Most bytes of the name of an issuer whose list is remembered: each attribute has 64 characters at most.
pub const ISSUER_BYTES_MAX: usize = 512;

/// The file of a store with the lists that an administrator gave up: an issuer a line.
pub const GIVEN_UP: &str = "lists-given-up";

/// Most bytes of that file: some hundred names.
pub const GIVEN_UP_BYTES_MAX: usize = 64 << 10;

/// A list of revoked certificates.
pub type List = CertificateRevocationListDer<'static>;

/// The name of an issuer, as its bytes stand in certificates and lists.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssuerName(Vec<u8>);

impl IssuerName {
    /// The name of these bytes.
    #[must_use]
    pub fn new(der: &[u8]) -> Self {
        Self(der.to_vec())
    }

    /// The issuer of a list; none where the list is not well formed, which no proof accepts.
    #[must_use]
    pub fn of(list: &List) -> Option<Self> {
        let (_, parsed) = CertificateRevocationList::from_der(list).ok()?;
        Some(Self::new(parsed.issuer().as_raw()))
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
        match X509Name::from_der(&self.0) {
            Ok((_, parsed)) => certificate::name(&parsed).fmt(formatter),
            Err(_) => formatter.write_str(&self.to_hex()),
        }
    }
}

impl KeyStore {
    /// The lists of the store by their issuers.
    #[must_use]
    pub fn lists(&self) -> BTreeMap<IssuerName, Vec<List>> {
        let mut lists: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for list in &self.revocations {
            if let Some(issuer) = IssuerName::of(list) {
                lists.entry(issuer).or_default().push(list.clone());
            }
        }
        lists
    }
}

/// Notes that an administrator gives up the list of an issuer, for the queue manager to read.
///
/// # Errors
/// When the system refuses, or the file is full.
pub fn give_up(store: &Path, issuer: &str) -> io::Result<()> {
    let path = given_up(store);
    let mut text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        read => read?,
    };
    text.push_str(issuer);
    text.push('\n');
    if text.len() > GIVEN_UP_BYTES_MAX {
        return Err(io::Error::other(
            "the file of lists that were given up is full; start the queue manager",
        ));
    }
    platform::os::private::replace(&path, text.as_bytes())
}

/// The file of lists that were given up.
#[must_use]
pub fn given_up(store: &Path) -> PathBuf {
    store.join(GIVEN_UP)
}
