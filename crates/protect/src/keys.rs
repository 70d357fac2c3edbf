//! Keys and certificates of a program, ready to be used.

use std::fmt;

use aws_lc_rs::agreement;
use aws_lc_rs::rsa::{OaepPrivateDecryptingKey, PrivateDecryptingKey};
use aws_lc_rs::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _, RsaKeyPair};
use der::{Decode as _, Encode as _};
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer};
use tls::Certificate;
use x509_cert::Certificate as Structure;

use crate::bounds::{CERTIFICATE_BYTES_MAX, CERTIFICATES_MAX};

/// A program's own key with its certificate.
pub struct Identity {
    pub(crate) own: Known,
    /// Certificates of the authorities between it and a trusted one.
    pub(crate) chain: Vec<Structure>,
    pub(crate) key: PrivateKey,
}

/// A certificate, as names and as the structure that goes into messages.
pub(crate) struct Known {
    pub(crate) certificate: Certificate,
    pub(crate) structure: Structure,
}

pub(crate) enum PrivateKey {
    P256 { signing: EcdsaKeyPair, agreeing: agreement::PrivateKey },
    Rsa { signing: RsaKeyPair, decrypting: OaepPrivateDecryptingKey },
}

/// A reason why a key or a certificate cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The certificate does not read.
    #[error("the certificate does not read, {0}; export it again in the form of X.509")]
    Certificate(String),
    /// The certificate is larger than messages may carry.
    #[error(
        "the certificate has {bytes} bytes, and messages carry at most {CERTIFICATE_BYTES_MAX}; have a smaller one issued"
    )]
    TooLarge {
        /// Its size.
        bytes: usize,
    },
    /// There are more certificates than messages may carry.
    #[error(
        "the chain has {count} certificates, and messages carry at most {CERTIFICATES_MAX}; leave out the trusted authority"
    )]
    TooMany {
        /// The number of certificates.
        count: usize,
    },
    /// The key is of another kind.
    #[error(
        "the key is none of P-256 and none of RSA with 2,048 to 8,192 bits in the form PKCS #8; convert it with openssl pkcs8 -topk8, or make another"
    )]
    Kind,
    /// There is no certificate.
    #[error("there is no certificate; give the one that was issued for the key")]
    NoCertificate,
    /// The certificate belongs to another key.
    #[error("the certificate is not that of the key; give the certificate that was issued for it")]
    Pair,
}

impl Known {
    pub(crate) fn read(der: &[u8]) -> Result<Self, KeyError> {
        if der.len() > CERTIFICATE_BYTES_MAX {
            return Err(KeyError::TooLarge { bytes: der.len() });
        }
        let certificate = Certificate::read(der).map_err(|error| KeyError::Certificate(error.to_string()))?;
        let unreadable = |error: der::Error| KeyError::Certificate(error.to_string());
        let structure = Structure::from_der(der).map_err(unreadable)?;
        if structure.to_der().map_err(unreadable)? != der {
            return Err(KeyError::Certificate("it is not encoded by DER".to_owned()));
        }
        Ok(Self { certificate, structure })
    }

    /// The key of the certificate: for P-256 a point, for RSA a modulus and an exponent.
    pub(crate) fn public_key(&self) -> &[u8] {
        self.structure.tbs_certificate.subject_public_key_info.subject_public_key.raw_bytes()
    }
}

impl Identity {
    /// A key in the form of PKCS #8, with its certificate and the chain above it.
    ///
    /// # Errors
    /// Any of them cannot be used, or they do not belong together.
    pub fn new(chain: &[CertificateDer<'_>], pkcs8: &[u8]) -> Result<Self, KeyError> {
        let (own, above) = chain.split_first().ok_or(KeyError::NoCertificate)?;
        if chain.len() > CERTIFICATES_MAX {
            return Err(KeyError::TooMany { count: chain.len() });
        }
        let own = Known::read(own)?;
        let above = above.iter().map(|der| Ok(Known::read(der)?.structure));
        let (key, public) =
            if let Ok(signing) = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8) {
                let agreeing = agreement::PrivateKey::from_private_key_der(&agreement::ECDH_P256, pkcs8)
                    .map_err(|_| KeyError::Kind)?;
                let public = signing.public_key().as_ref().to_vec();
                (PrivateKey::P256 { signing, agreeing }, public)
            } else {
                let signing = RsaKeyPair::from_pkcs8(pkcs8).map_err(|_| KeyError::Kind)?;
                let decrypting = PrivateDecryptingKey::from_pkcs8(pkcs8).map_err(|_| KeyError::Kind)?;
                let decrypting = OaepPrivateDecryptingKey::new(decrypting).map_err(|_| KeyError::Kind)?;
                let public = signing.public_key().as_ref().to_vec();
                (PrivateKey::Rsa { signing, decrypting }, public)
            };
        if own.public_key() != public {
            return Err(KeyError::Pair);
        }
        let chain = above.collect::<Result<_, KeyError>>()?;
        Ok(Self { own, chain, key })
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match self.key {
            PrivateKey::P256 { .. } => "P-256 ********",
            PrivateKey::Rsa { .. } => "RSA ********",
        };
        let subject = self.own.certificate.subject.to_string();
        formatter.debug_struct("Identity").field("subject", &subject).field("key", &key).finish()
    }
}

/// The certificates that a program may encrypt for: those that its administrator imported.
#[derive(Clone, Debug, Default)]
pub struct Recipients {
    pub(crate) certificates: Vec<Certificate>,
}

impl Recipients {
    /// Certificates of other programs.
    #[must_use]
    pub fn new(certificates: Vec<Certificate>) -> Self {
        Self { certificates }
    }
}

/// The certificates that prove a signer: authorities, and single certificates that are trusted themselves.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    pub(crate) certificates: Vec<Certificate>,
    pub(crate) revocations: Vec<CertificateRevocationListDer<'static>>,
}

impl Trust {
    /// Trusted certificates, and lists of revoked ones.
    #[must_use]
    pub fn new(
        certificates: Vec<Certificate>,
        revocations: Vec<CertificateRevocationListDer<'static>>,
    ) -> Self {
        Self { certificates, revocations }
    }
}
