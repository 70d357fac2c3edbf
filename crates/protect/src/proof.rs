//! Proof of a signer's certificate: by an authority that is trusted, or because it is trusted itself.
//!
//! Always: a certificate with a list of revoked ones from its issuer is looked for there, and a list out of
//! date refuses. A message has no certificate that the proof does not need.

use std::time::Duration;

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::{CertificateDer, TrustAnchor, UnixTime};
use tls::Certificate;
use webpki::{
    BorrowedCertRevocationList, CertRevocationList, EndEntityCert, ExpirationPolicy, KeyUsage,
    RevocationOptionsBuilder, UnknownStatusPolicy,
};

use crate::error::OpenError;
use crate::keys::Trust;

/// Proves a signer's certificate with the others of its message, at a second since 1970.
pub(crate) fn prove(
    trust: &Trust,
    signer: &Certificate,
    others: &[CertificateDer<'static>],
    now: u64,
) -> Result<(), OpenError> {
    let untrusted = |reason: String| OpenError::Untrusted { name: signer.subject.to_string(), reason };
    let unneeded = || Err(OpenError::Malformed { what: "it has certificates that nothing needs" });
    if trust.certificates.iter().any(|trusted| trusted.der == signer.der) {
        return match (signer.holds_at(now), others.is_empty()) {
            (false, _) => Err(untrusted("it does not hold now".to_owned())),
            (true, true) => Ok(()),
            (true, false) => unneeded(),
        };
    }
    let authorities = trust.certificates.iter().filter(|trusted| trusted.is_authority);
    let anchors: Vec<TrustAnchor<'_>> =
        authorities.filter_map(|trusted| webpki::anchor_from_trusted_cert(&trusted.der).ok()).collect();
    let lists = trust.revocations.iter().map(|list| BorrowedCertRevocationList::from_der(list)?.to_owned());
    let lists: Vec<CertRevocationList<'_>> = lists
        .map(|list: Result<webpki::OwnedCertRevocationList, webpki::Error>| list.map(Into::into))
        .collect::<Result<_, _>>()
        .map_err(|error| untrusted(format!("a list of revoked certificates does not read ({error})")))?;
    let lists: Vec<&CertRevocationList<'_>> = lists.iter().collect();
    let revocation = RevocationOptionsBuilder::new(&lists).ok().map(|builder| {
        builder
            .with_status_policy(UnknownStatusPolicy::Allow)
            .with_expiration_policy(ExpirationPolicy::Enforce)
            .build()
    });
    let own = EndEntityCert::try_from(&signer.der).map_err(|error| untrusted(error.to_string()))?;
    let algorithms = aws_lc_rs::default_provider().signature_verification_algorithms.all;
    let at = UnixTime::since_unix_epoch(Duration::from_secs(now));
    // A key that signs messages is the one that its program connects with.
    let usage = KeyUsage::client_auth();
    let path = own
        .verify_for_usage(algorithms, &anchors, others, at, usage, revocation, None)
        .map_err(|error| untrusted(error.to_string()))?;
    if path.intermediate_certificates().count() == others.len() { Ok(()) } else { unneeded() }
}
