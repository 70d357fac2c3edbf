//! The lists of revoked certificates that a store has of each issuer, and those that were given up.
//!
//! Lives elsewhere: the memory of lists whose files are gone (the host), their effect (`verify`).
//!
//! Always: a list that is not well formed has no issuer here; one that no proof accepts is refused where it
//! is read, so that it is in no store.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustls::pki_types::CertificateRevocationListDer;

use crate::certificate::{self, ISSUER};
use crate::der::{self, INTEGER, Malformed, SEQUENCE, part};
use crate::issuer::IssuerName;

/// The file of a store with the lists that an administrator gave up: an issuer a line.
pub const GIVEN_UP: &str = "lists-given-up";

/// Most bytes of that file: some hundred names.
pub const GIVEN_UP_BYTES_MAX: usize = 64 << 10;

/// A list of revoked certificates.
pub type List = CertificateRevocationListDer<'static>;

/// The issuer of a list; none where the list is not well formed, which no proof accepts.
#[must_use]
pub fn issuer_of(list: &[u8]) -> Option<IssuerName> {
    issuer(list).ok()
}

fn issuer(list: &[u8]) -> Result<IssuerName, Malformed> {
    const REVOKED: &str = "a revoked certificate";
    const EXTENSIONS: &str = "the extensions of the list";
    let mut signed = certificate::signed_part(list)?;
    signed.take_if(INTEGER, "the version of the list")?;
    signed.take(SEQUENCE, "the algorithm of the list")?;
    let issuer = signed.take(SEQUENCE, ISSUER)?;
    certificate::name(&issuer)?;
    signed.moment("the date of the list")?;
    if signed.tag().is_some_and(der::is_moment) {
        signed.moment("the date of the next list")?;
    }
    let mut revoked = signed.take_if(SEQUENCE, REVOKED)?.map(|all| all.inside()).unwrap_or_default();
    while !revoked.is_empty() {
        let mut one = revoked.take(SEQUENCE, REVOKED)?.inside();
        one.take(INTEGER, REVOKED)?;
        one.moment(REVOKED)?;
        one.take_if(SEQUENCE, REVOKED)?;
        one.end(REVOKED)?;
    }
    signed.take_if(part(0), EXTENSIONS)?;
    signed.end(EXTENSIONS)?;
    Ok(IssuerName::new(issuer.bytes))
}

/// The issuer of a list that proofs accept.
///
/// # Errors
/// Why they do not, in words for an administrator.
pub(crate) fn check(list: &List) -> Result<IssuerName, String> {
    let issuer = issuer_of(list).ok_or_else(|| "it is not well formed".to_owned())?;
    // The parser of the proofs, which knows fewer forms: one such list would keep all from being proved.
    webpki::OwnedCertRevocationList::from_der(list).map_err(|error| match error {
        webpki::Error::UnsupportedCrlVersion => "it is not of version 2".to_owned(),
        webpki::Error::UnsupportedDeltaCrl => "it is a list of changes, and not a whole one".to_owned(),
        webpki::Error::UnsupportedIndirectCrl => "it is about certificates of other issuers".to_owned(),
        error => format!("it is of a form that is not supported: {error:?}"),
    })?;
    Ok(issuer)
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
