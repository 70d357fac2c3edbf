//! Proof of a partner's certificate: by an authority that is trusted, or because it is trusted itself.
//!
//! Always: a certificate that is trusted itself is compared byte by byte, holds at this second, and its
//! bearer has signed the handshake; a certificate with a list of revoked ones from its issuer is looked for
//! there, and a list out of date refuses, as a lost one does; the issuer of a program's certificate has the
//! name of a trusted authority only as that authority, or below it.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{
    CryptoProvider, WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature,
};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{
    CertificateError, DigitallySignedStruct, DistinguishedName, Error, OtherError, RootCertStore,
    SignatureScheme,
};
use security::distinguished_name::{Name, Pattern};

use crate::certificate::Certificate;
use crate::issuer::IssuerName;
use crate::store::KeyStore;
use crate::words::{self, ForgedIssuer, ListMissing, PeerMismatch};

/// Why trust makes no proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the trusted certificates or the lists of revoked ones are not usable: {0}; replace them")]
pub struct TrustError(String);

/// Trusted certificates, as the proofs of both sides need them.
struct Trust {
    roots: Arc<RootCertStore>,
    /// The names of the roots, in their order, as rules compare them.
    names: Vec<Name>,
    pinned: Vec<Certificate>,
    algorithms: WebPkiSupportedAlgorithms,
    unlisted: BTreeSet<IssuerName>,
}

impl Trust {
    fn of(store: &KeyStore, provider: &CryptoProvider) -> Result<Self, TrustError> {
        let mut roots = RootCertStore::empty();
        let (authorities, pinned): (Vec<_>, Vec<_>) =
            store.trust.iter().cloned().partition(|trusted| trusted.is_authority);
        let mut names = Vec::new();
        for authority in authorities {
            roots.add(authority.der).map_err(|error| TrustError(error.to_string()))?;
            names.push(authority.subject.without_serial_number());
        }
        let algorithms = provider.signature_verification_algorithms;
        Ok(Self { roots: Arc::new(roots), names, pinned, algorithms, unlisted: store.unlisted.clone() })
    }

    /// Refuses a chain with a certificate of an issuer whose list is lost.
    fn judge_lists(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
    ) -> Result<(), Error> {
        if self.unlisted.is_empty() {
            return Ok(());
        }
        for der in std::iter::once(end_entity).chain(intermediates) {
            let read = Certificate::read(der).map_err(|_| CertificateError::BadEncoding)?;
            let issuer = IssuerName::new(&read.issuer_der);
            if self.unlisted.contains(&issuer) {
                return Err(CertificateError::Other(OtherError(Arc::new(ListMissing { issuer }))).into());
            }
        }
        Ok(())
    }

    /// Refuses a program whose issuer has the name of a trusted authority and stands below another: a rule
    /// with SSLCERTI knows issuers by their names alone, and each authority chooses the names below it.
    fn judge_issuer(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        let issuer = Certificate::read(end_entity).map_err(|_| CertificateError::BadEncoding)?.issuer;
        let named = self.roots.roots.iter().zip(&self.names).filter(|(_, name)| issuer.has_all_of(name));
        let named: Vec<_> = named.map(|(root, _)| root.clone()).collect();
        if named.is_empty() || named.len() == self.names.len() {
            return Ok(());
        }
        let algorithms = self.algorithms.all;
        let below = webpki::EndEntityCert::try_from(end_entity).and_then(|own| {
            let usage = webpki::KeyUsage::client_auth();
            own.verify_for_usage(algorithms, &named, intermediates, now, usage, None, None).map(drop)
        });
        let forged = || CertificateError::Other(OtherError(Arc::new(ForgedIssuer { issuer }))).into();
        below.map_err(|_| forged())
    }

    /// Judges a certificate that is trusted itself; none where it is not one.
    fn judge_pinned(&self, der: &CertificateDer<'_>, now: UnixTime) -> Option<Result<(), Error>> {
        let pinned = self.pinned.iter().find(|pinned| pinned.der == *der)?;
        let now = i64::try_from(now.as_secs()).unwrap_or(i64::MAX);
        Some(match now {
            now if now < pinned.not_before => Err(CertificateError::NotValidYet.into()),
            now if now > pinned.not_after => Err(CertificateError::Expired.into()),
            _ => Ok(()),
        })
    }
}

/// Tells if an authority issued a certificate, whatever the day is.
#[must_use]
pub fn is_issued_by(certificate: &Certificate, authority: &Certificate) -> bool {
    let algorithms = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms.all;
    let both_hold = u64::try_from(certificate.not_before.max(authority.not_before)).unwrap_or_default();
    let now = UnixTime::since_unix_epoch(std::time::Duration::from_secs(both_hold));
    let (Ok(anchor), Ok(own)) =
        (webpki::anchor_from_trusted_cert(&authority.der), webpki::EndEntityCert::try_from(&certificate.der))
    else {
        return false;
    };
    let usages = [webpki::KeyUsage::client_auth(), webpki::KeyUsage::server_auth()];
    usages.into_iter().any(|usage| {
        own.verify_for_usage(algorithms, std::slice::from_ref(&anchor), &[], now, usage, None, None).is_ok()
    })
}

/// Builds the proof by authorities, with the one policy of revocation: without a list of its issuer a
/// certificate counts, and a list out of date refuses. A macro: the library has a builder for each side.
macro_rules! by_authority {
    ($verifier:ty, $trust:expr, $store:expr, $provider:expr) => {
        if $trust.roots.is_empty() {
            None
        } else {
            let (roots, provider) = (Arc::clone(&$trust.roots), Arc::clone($provider));
            let built = <$verifier>::builder_with_provider(roots, provider)
                .with_crls($store.revocations.iter().cloned())
                .allow_unknown_revocation_status()
                .enforce_revocation_expiration()
                .build();
            Some(built.map_err(|error| TrustError(error.to_string()))?)
        }
    };
}

/// Writes the calls that prove a signature of the handshake, for both sides alike.
macro_rules! signatures {
    () => {
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls12_signature(message, certificate, signed, &self.trust.algorithms)
        }

        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls13_signature(message, certificate, signed, &self.trust.algorithms)
        }

        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.trust.algorithms.supported_schemes()
        }
    };
}

/// Proof of a program's certificate.
pub(crate) struct Programs {
    trust: Trust,
    by_authority: Option<Arc<dyn ClientCertVerifier>>,
    is_required: bool,
    hints: Vec<DistinguishedName>,
}

impl Programs {
    pub(crate) fn of(
        store: &KeyStore,
        provider: &Arc<CryptoProvider>,
        is_required: bool,
    ) -> Result<Arc<Self>, TrustError> {
        let trust = Trust::of(store, provider)?;
        let by_authority = by_authority!(WebPkiClientVerifier, trust, store, provider);
        // Names of authorities would keep bearers of single certificates from showing theirs.
        let hints = if trust.pinned.is_empty() { trust.roots.subjects() } else { Vec::new() };
        Ok(Arc::new(Self { trust, by_authority, is_required, hints }))
    }
}

impl std::fmt::Debug for Programs {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Programs").field("is_required", &self.is_required).finish_non_exhaustive()
    }
}

impl Programs {
    fn prove(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        if let Some(judged) = self.trust.judge_pinned(end_entity, now) {
            return judged.map(|()| ClientCertVerified::assertion());
        }
        let Some(verifier) = &self.by_authority else { return Err(CertificateError::UnknownIssuer.into()) };
        let proved = verifier.verify_client_cert(end_entity, intermediates, now)?;
        self.trust.judge_issuer(end_entity, intermediates, now)?;
        self.trust.judge_lists(end_entity, intermediates)?;
        Ok(proved)
    }
}

/// Keeps the words of a chain that is out of its time, for the report of the error.
fn note(error: &Error, own: &CertificateDer<'_>, behind: &[CertificateDer<'_>], now: UnixTime) {
    let chain = std::iter::once(own).chain(behind).map(|der| der.clone().into_owned());
    words::keep(error, chain, i64::try_from(now.as_secs()).unwrap_or(i64::MAX));
}

impl ClientCertVerifier for Programs {
    fn client_auth_mandatory(&self) -> bool {
        self.is_required
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &self.hints
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        self.prove(end_entity, intermediates, now)
            .inspect_err(|error| note(error, end_entity, intermediates, now))
    }

    signatures!();
}

/// Proof of a queue manager's certificate.
pub(crate) struct QueueManagers {
    trust: Trust,
    by_authority: Option<Arc<WebPkiServerVerifier>>,
    peer: Option<Pattern>,
}

impl QueueManagers {
    /// The proof of a partner with a name that matches SSLPEER, or else for the host that was connected to.
    pub(crate) fn of(
        store: &KeyStore,
        provider: &Arc<CryptoProvider>,
        peer: Option<Pattern>,
    ) -> Result<Arc<Self>, TrustError> {
        let trust = Trust::of(store, provider)?;
        let by_authority = by_authority!(WebPkiServerVerifier, trust, store, provider);
        Ok(Arc::new(Self { trust, by_authority, peer }))
    }

    fn prove(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        now: UnixTime,
    ) -> Result<(), Error> {
        if let Some(judged) = self.trust.judge_pinned(end_entity, now) {
            return judged;
        }
        let Some(verifier) = &self.by_authority else { return Err(CertificateError::UnknownIssuer.into()) };
        let judged = match verifier.verify_server_cert(end_entity, intermediates, server_name, &[], now) {
            // The host's name is judged last: all else is proved.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.peer.is_some() => Ok(()),
            judged => judged.map(|_| ()),
        };
        judged.and_then(|()| self.trust.judge_lists(end_entity, intermediates))
    }
}

impl std::fmt::Debug for QueueManagers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("QueueManagers").field("peer", &self.peer).finish_non_exhaustive()
    }
}

impl ServerCertVerifier for QueueManagers {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        self.prove(end_entity, intermediates, server_name, now)
            .inspect_err(|error| note(error, end_entity, intermediates, now))?;
        if let Some(pattern) = &self.peer {
            let subject = Certificate::read(end_entity).map(|certificate| certificate.subject);
            let subject = subject.map_err(|_| CertificateError::BadEncoding)?;
            if !pattern.matches(&subject) {
                let mismatch = PeerMismatch { name: subject.to_string(), pattern: pattern.to_string() };
                return Err(CertificateError::Other(OtherError(Arc::new(mismatch))).into());
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    signatures!();
}
