//! The words of a refused handshake: the certificate of a chain that is out of its time and since when, and
//! other causes that the library does not say in words.
//!
//! Always: the alert to the partner stays the library's; words are for the error log and for programs.

use std::cell::RefCell;

use rustls::pki_types::CertificateDer;
use rustls::{AlertDescription, CertificateError, Error};

use security::distinguished_name::Name;

use crate::certificate::Certificate;
use crate::clock::Clock;
use crate::issuer::IssuerName;

/// Seconds of a day.
const DAY: i64 = 86_400;

thread_local! {
    /// The words of the last certificate that was refused for its dates or its version. The library proves a
    /// chain and returns the error on one thread, and an error of ours would change the partner's alert.
    static REFUSAL: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// The name of a partner does not match SSLPEER.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the certificate's name {name} does not match SSLPEER {pattern}")]
pub(crate) struct PeerMismatch {
    pub(crate) name: String,
    pub(crate) pattern: String,
}

/// The list of revoked certificates of an issuer is lost.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the list of revoked certificates of its issuer {issuer} is missing, so that none of its certificates is let in; put \
     the list back, or give it up by `ferry tls give-up`"
)]
pub(crate) struct ListMissing {
    pub(crate) issuer: IssuerName,
}

/// The issuer of a certificate has the name of a trusted authority, and another one stands above it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "its issuer {issuer} has the name of a trusted authority and stands below another; have it issued by that \
     authority, or by an issuer with a name of its own"
)]
pub(crate) struct ForgedIssuer {
    pub(crate) issuer: Name,
}

/// The certificates that an end shows itself, the own one first.
pub(crate) struct Own {
    chain: Vec<Certificate>,
    clock: Clock,
}

impl Own {
    /// A certificate and those behind it; none where no key is shown.
    pub(crate) fn of(shown: Option<(&Certificate, &[CertificateDer<'_>])>, clock: &Clock) -> Self {
        let chain = shown.map(|(own, behind)| {
            let behind = behind.iter().filter_map(|der| Certificate::read(der).ok());
            std::iter::once(own.clone()).chain(behind).collect()
        });
        Self { chain: chain.unwrap_or_default(), clock: clock.clone() }
    }

    /// The words of an error of a session in which they were shown.
    pub(crate) fn words(&self, error: &Error) -> String {
        let Error::AlertReceived(AlertDescription::CertificateExpired) = error else { return of(error) };
        let now = i64::try_from(self.clock.seconds()).unwrap_or(i64::MAX);
        match (out_of_time(&self.chain, now), self.chain.first()) {
            (Some(why), _) => format!("the partner refuses a certificate that is out of its time: {why}"),
            (None, Some(own)) => format!(
                "the partner takes the certificate {} for one that is out of its time, and it holds from {} to {}: \
                 compare the clocks of both machines",
                own.subject,
                date(own.not_before),
                date(own.not_after)
            ),
            (None, None) => of(error),
        }
    }
}

impl std::fmt::Debug for Own {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Own").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}

/// The words of an error.
pub(crate) fn of(error: &Error) -> String {
    let Error::InvalidCertificate(fault) = error else { return error.to_string() };
    match fault {
        fault if has_words(fault) => REFUSAL.with(RefCell::take).unwrap_or_else(|| error.to_string()),
        CertificateError::Other(other) => match other.0.downcast_ref::<ListMissing>() {
            Some(missing) => missing.to_string(),
            None if other.0.downcast_ref::<PeerMismatch>().is_some() => other.0.to_string(),
            None => format!("invalid peer certificate: {}", other.0),
        },
        _ => error.to_string(),
    }
}

/// The words for a certificate before version 3.
pub(crate) const OLD_VERSION: &str = "the certificate is of X.509 version 1 or 2, which has no extensions, and version 3 is \
                                      needed: have it issued again";

/// Tells if a certificate is not valid yet, or not any more.
pub(crate) fn is_of_time(fault: &CertificateError) -> bool {
    matches!(
        fault,
        CertificateError::Expired
            | CertificateError::ExpiredContext { .. }
            | CertificateError::NotValidYet
            | CertificateError::NotValidYetContext { .. }
    )
}

/// Tells if the words of a fault are kept: the library says neither which certificate nor the version.
fn has_words(fault: &CertificateError) -> bool {
    match fault {
        CertificateError::Other(other) => {
            other.0.downcast_ref() == Some(&webpki::Error::UnsupportedCertVersion)
        }
        fault => is_of_time(fault) || *fault == CertificateError::BadEncoding,
    }
}

/// Keeps the words of a chain that was refused for its dates or for the form of a certificate.
pub(crate) fn keep(error: &Error, chain: impl IntoIterator<Item = CertificateDer<'static>>, now: i64) {
    let Error::InvalidCertificate(fault) = error else { return };
    if !has_words(fault) {
        return;
    }
    let chain: Vec<_> = chain.into_iter().filter_map(|der| Certificate::read(&der).ok()).collect();
    REFUSAL.set(if is_of_time(fault) {
        out_of_time(&chain, now)
    } else {
        let old = chain.iter().find(|one| one.version < 3);
        old.map(|old| format!("certificate {}: {OLD_VERSION}", old.subject))
    });
}

/// The first certificate of a chain that does not hold at this second, in words.
fn out_of_time(chain: &[Certificate], now: i64) -> Option<String> {
    let number = chain.iter().position(|one| !(one.not_before..=one.not_after).contains(&now))?;
    let found = &chain[number];
    let which = match number {
        0 => format!("certificate {}", found.subject),
        _ => format!(
            "certificate {}, number {} of the chain of {},",
            found.subject,
            number + 1,
            chain[0].subject
        ),
    };
    Some(if found.not_before > now {
        format!("{which} does not hold before {}", date(found.not_before))
    } else {
        let days = (now - found.not_after) / DAY;
        format!("{which} expired at {}, {days} days ago", date(found.not_after))
    })
}

/// A moment as people write it.
fn date(seconds: i64) -> String {
    let Ok(at) = time::OffsetDateTime::from_unix_timestamp(seconds) else { return seconds.to_string() };
    let (year, month, day) = (at.year(), u8::from(at.month()), at.day());
    format!("{year}-{month:02}-{day:02} {:02}:{:02}:{:02} UTC", at.hour(), at.minute(), at.second())
}
