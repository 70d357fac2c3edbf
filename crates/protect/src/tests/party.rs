//! Certificates and keys for tests.

use der::Decode as _;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, DnType, IsCa, Issuer, KeyIdMethod,
    KeyPair, KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, PKCS_RSA_SHA256, RevokedCertParams, SerialNumber,
};
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer};
use time::OffsetDateTime;
use tls::Certificate;

use crate::Identity;

/// The moment of the tests.
pub(crate) const NOW: u64 = 1_800_000_000;

const YEAR: i64 = 365 * 86_400;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    P256,
    Rsa,
}

pub(crate) struct Authority {
    pub(crate) certificate: Certificate,
    issuer: Issuer<'static, KeyPair>,
}

pub(crate) struct Party {
    pub(crate) certificate: Certificate,
    pub(crate) identity: Identity,
    /// PKCS #8.
    pub(crate) key: Vec<u8>,
}

fn moment(seconds: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp(i64::try_from(NOW).unwrap() + seconds).unwrap()
}

fn parameters(name: &str) -> CertificateParams {
    let mut parameters = CertificateParams::default();
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters.distinguished_name.push(DnType::OrganizationName, "Tests");
    (parameters.not_before, parameters.not_after) = (moment(-YEAR / 2), moment(YEAR / 2));
    parameters
}

fn authority(name: &str) -> (CertificateParams, KeyPair) {
    let mut parameters = parameters(name);
    parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    (parameters, KeyPair::generate().unwrap())
}

impl Authority {
    pub(crate) fn new(name: &str) -> Self {
        let (parameters, key) = authority(name);
        let certificate = Certificate::read(parameters.self_signed(&key).unwrap().der()).unwrap();
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    /// An authority below this one.
    pub(crate) fn authority(&self, name: &str) -> Self {
        let (parameters, key) = authority(name);
        let certificate = Certificate::read(parameters.signed_by(&key, &self.issuer).unwrap().der()).unwrap();
        Self { certificate, issuer: Issuer::new(parameters, key) }
    }

    pub(crate) fn issue(&self, name: &str, kind: Kind) -> Party {
        let key = KeyPair::generate_for(match kind {
            Kind::P256 => &PKCS_ECDSA_P256_SHA256,
            Kind::Rsa => &PKCS_RSA_SHA256,
        });
        let key = key.unwrap();
        let certificate = parameters(name).signed_by(&key, &self.issuer).unwrap();
        let certificate = Certificate::read(certificate.der()).unwrap();
        let key = key.serialize_der();
        let identity = Identity::new(std::slice::from_ref(&certificate.der), &key).unwrap();
        Party { certificate, identity, key }
    }

    /// A list of revoked certificates with that of a party.
    pub(crate) fn revoke(&self, party: &Party) -> CertificateRevocationListDer<'static> {
        let revoked = RevokedCertParams {
            serial_number: SerialNumber::from_slice(&party.certificate.serial),
            revocation_time: moment(-1),
            reason_code: None,
            invalidity_date: None,
        };
        let list = CertificateRevocationListParams {
            this_update: moment(-1),
            next_update: moment(YEAR),
            crl_number: SerialNumber::from(1_u64),
            issuing_distribution_point: None,
            revoked_certs: vec![revoked],
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.issuer).unwrap().der().clone()
    }
}

impl Party {
    /// The key with a chain above its certificate.
    pub(crate) fn with_chain(&self, above: &[&Certificate]) -> Identity {
        let chain = [&self.certificate].into_iter().chain(above.iter().copied());
        let chain: Vec<CertificateDer<'_>> = chain.map(|one| one.der.clone()).collect();
        Identity::new(&chain, &self.key).unwrap()
    }

    pub(crate) fn structure(&self) -> x509_cert::Certificate {
        x509_cert::Certificate::from_der(&self.certificate.der).unwrap()
    }
}
