//! Signatures: `SignedData` with one signer.
//!
//! Always: a signature is over the attributes, which have the digest of the body and its type; parts that are
//! under no signature are refused.

use aws_lc_rs::digest::digest;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA384_ASN1, ECDSA_P256_SHA512_ASN1, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512,
    UnparsedPublicKey, VerificationAlgorithm,
};
use cms::cert::CertificateChoices;
use cms::content_info::CmsVersion;
use cms::signed_data::{
    CertificateSet, EncapsulatedContentInfo, SignedData, SignerIdentifier, SignerInfo, SignerInfos,
};
use der::asn1::{Any, ObjectIdentifier, OctetString, OctetStringRef, SetOfVec};
use der::{Decode as _, Encode as _};
use rustls::pki_types::CertificateDer;
use spki::AlgorithmIdentifierOwned;
use x509_cert::attr::{Attribute, Attributes};

use crate::bounds::check_signed;
use crate::error::{OpenError, ProtectError};
use crate::keys::{Identity, Known, PrivateKey};
use crate::policy::Digest;
use crate::structure::{
    CONTENT_TYPE, DATA, EC_PUBLIC_KEY, MESSAGE_DIGEST, P256, RSA_ENCRYPTION, SIGNED_DATA, content_info,
    is_plain, is_pss, name_of, plain, pss,
};

const NOT_SIGNED: ProtectError = ProtectError::Cryptography { what: "sign the body" };
const DIGESTS: &str = "SHA-256, SHA-384 or SHA-512";
const SIGNATURES: &str =
    "ECDSA with P-256, or RSA-PSS with a salt as long as the digest and keys of 2,048 bits and more";

/// A body whose signature is right, by a certificate that is not proved yet.
pub(crate) struct Proved {
    pub(crate) body: Vec<u8>,
    pub(crate) digest: Digest,
    pub(crate) signer: Known,
    /// The other certificates of the message.
    pub(crate) others: Vec<CertificateDer<'static>>,
}

/// Signs a body.
pub(crate) fn sign(own: &Identity, digest: Digest, body: &[u8]) -> Result<Vec<u8>, ProtectError> {
    if matches!(own.key, PrivateKey::P256 { .. }) && digest != Digest::Sha256 {
        return Err(ProtectError::DigestOfKey);
    }
    signed_data(own, digest, body)
        .map_err(|_| NOT_SIGNED)
        .and_then(|data| content_info(SIGNED_DATA, &data).map_err(|_| NOT_SIGNED))
}

fn signed_data(own: &Identity, with: Digest, body: &[u8]) -> der::Result<SignedData> {
    let attribute = |oid, value: Any| -> der::Result<Attribute> {
        Ok(Attribute { oid, values: SetOfVec::try_from(vec![value])? })
    };
    let of_body = digest(with.algorithm(), body);
    let attributes: Attributes = SetOfVec::try_from(vec![
        attribute(CONTENT_TYPE, Any::encode_from(&DATA)?)?,
        attribute(MESSAGE_DIGEST, Any::encode_from(&OctetStringRef::new(of_body.as_ref())?)?)?,
    ])?;
    let (algorithm, signature) = signature(own, with, &attributes.to_der()?)?;
    let signer = SignerInfo {
        version: CmsVersion::V1,
        sid: SignerIdentifier::IssuerAndSerialNumber(name_of(&own.own.structure)),
        digest_alg: plain(with.identifier()),
        signed_attrs: Some(attributes),
        signature_algorithm: algorithm,
        signature: OctetString::new(signature)?,
        unsigned_attrs: None,
    };
    let certificates = [&own.own.structure].into_iter().chain(&own.chain);
    let certificates: Vec<_> = certificates.map(|one| CertificateChoices::Certificate(one.clone())).collect();
    Ok(SignedData {
        version: CmsVersion::V1,
        digest_algorithms: SetOfVec::try_from(vec![plain(with.identifier())])?,
        encap_content_info: EncapsulatedContentInfo {
            econtent_type: DATA,
            econtent: Some(Any::new(der::Tag::OctetString, body)?),
        },
        certificates: Some(CertificateSet(SetOfVec::try_from(certificates)?)),
        crls: None,
        signer_infos: SignerInfos(SetOfVec::try_from(vec![signer])?),
    })
}

/// A signature of some bytes, and its algorithm.
fn signature(
    own: &Identity,
    digest: Digest,
    bytes: &[u8],
) -> der::Result<(AlgorithmIdentifierOwned, Vec<u8>)> {
    let failed = |_| der::Error::from(der::ErrorKind::Failed);
    let random = SystemRandom::new();
    match &own.key {
        PrivateKey::P256 { signing, .. } => {
            let signature = signing.sign(&random, bytes).map_err(failed)?;
            Ok((plain(digest.with_ecdsa()), signature.as_ref().to_vec()))
        }
        PrivateKey::Rsa { signing, .. } => {
            let padding = match digest {
                Digest::Sha256 => &RSA_PSS_SHA256,
                Digest::Sha384 => &RSA_PSS_SHA384,
                Digest::Sha512 => &RSA_PSS_SHA512,
            };
            let mut signature = vec![0; signing.public_modulus_len()];
            signing.sign(padding, &random, bytes, &mut signature).map_err(failed)?;
            Ok((pss(digest)?, signature))
        }
    }
}

const fn malformed(what: &'static str) -> OpenError {
    OpenError::Malformed { what }
}

/// Takes signed data apart, and proves the signature by the certificate in it.
pub(crate) fn verify(content: &[u8]) -> Result<Proved, OpenError> {
    check_signed(content)?;
    let data = SignedData::from_der(content).map_err(|_| malformed("its signed data do not read"))?;
    let SignedData { version, digest_algorithms, encap_content_info, certificates, crls, signer_infos } =
        data;
    let [signer] = signer_infos.0.as_slice() else { return Err(OpenError::NotSigned) };
    if version != CmsVersion::V1 || signer.version != CmsVersion::V1 {
        return Err(malformed("its version is not that of data with a signer by issuer and number"));
    }
    if crls.is_some() || signer.unsigned_attrs.is_some() {
        return Err(malformed("it has parts under no signature"));
    }
    let digest = digest_of(&signer.digest_alg)?;
    match digest_algorithms.as_slice() {
        [one] if digest_of(one)? == digest => {}
        _ => return Err(malformed("it names other digests than its signer")),
    }
    let EncapsulatedContentInfo { econtent_type: DATA, econtent: Some(body) } = encap_content_info else {
        return Err(malformed("its content is no data"));
    };
    if der::Tagged::tag(&body) != der::Tag::OctetString {
        return Err(malformed("its content is no data"));
    }
    let (known, others) = certificates_of(certificates, &signer.sid)?;
    check_attributes(signer, digest, body.value())?;
    let attributes = signer.signed_attrs.as_ref().map(der::Encode::to_der);
    let attributes = attributes.and_then(Result::ok).ok_or(malformed("it has no signed attributes"))?;
    let algorithm = algorithm_of(&known, &signer.signature_algorithm, digest)?;
    UnparsedPublicKey::new(algorithm, known.public_key())
        .verify(&attributes, signer.signature.as_bytes())
        .map_err(|_| OpenError::Signature)?;
    Ok(Proved { body: body.value().to_vec(), digest, signer: known, others })
}

fn digest_of(algorithm: &AlgorithmIdentifierOwned) -> Result<Digest, OpenError> {
    let known = Digest::ALL.into_iter().find(|digest| is_plain(algorithm, digest.identifier()));
    known.ok_or_else(|| OpenError::Algorithm {
        what: "a digest",
        found: algorithm.oid.to_string(),
        instead: DIGESTS,
    })
}

/// The certificate of the signer, and the others.
fn certificates_of(
    certificates: Option<CertificateSet>,
    signer: &SignerIdentifier,
) -> Result<(Known, Vec<CertificateDer<'static>>), OpenError> {
    let SignerIdentifier::IssuerAndSerialNumber(wanted) = signer else {
        return Err(malformed("its signer is not named by issuer and number"));
    };
    let certificates = certificates.map(|set| set.0.into_vec()).unwrap_or_default();
    let (mut own, mut others) = (None, Vec::new());
    for choice in certificates {
        let CertificateChoices::Certificate(structure) = choice else {
            return Err(malformed("one of its certificates is none of X.509"));
        };
        let der = structure.to_der().map_err(|_| malformed("one of its certificates does not read"))?;
        if own.is_none() && name_of(&structure) == *wanted {
            own = Some(
                Known::read(&der).map_err(|_| malformed("the certificate of its signer does not read"))?,
            );
        } else {
            others.push(CertificateDer::from(der));
        }
    }
    own.map(|own| (own, others)).ok_or(malformed("the certificate of its signer is missing"))
}

/// Tells if the signed attributes are the type and the digest of the body, each once.
fn check_attributes(signer: &SignerInfo, with: Digest, body: &[u8]) -> Result<(), OpenError> {
    let attributes = signer.signed_attrs.as_ref().ok_or(malformed("it has no signed attributes"))?;
    let one = |identifier: ObjectIdentifier| {
        let mut found = attributes.iter().filter(|attribute| attribute.oid == identifier);
        match (found.next().map(|attribute| attribute.values.as_slice()), found.next()) {
            (Some([value]), None) => Some(value),
            _ => None,
        }
    };
    let of_type = one(CONTENT_TYPE).and_then(|value| value.decode_as::<ObjectIdentifier>().ok());
    if of_type != Some(DATA) {
        return Err(malformed("its signed attributes do not say that it is data"));
    }
    let of_body = one(MESSAGE_DIGEST).and_then(|value| value.decode_as::<OctetString>().ok());
    let of_body = of_body.ok_or(malformed("its signed attributes have no digest"))?;
    if of_body.as_bytes() == digest(with.algorithm(), body).as_ref() {
        Ok(())
    } else {
        Err(OpenError::Signature)
    }
}

/// The proof of a signature by the key of a certificate, if the algorithm is one of ours.
fn algorithm_of(
    signer: &Known,
    algorithm: &AlgorithmIdentifierOwned,
    digest: Digest,
) -> Result<&'static dyn VerificationAlgorithm, OpenError> {
    let of_key = &signer.structure.tbs_certificate.subject_public_key_info.algorithm;
    let curve = of_key.parameters.as_ref().and_then(|curve| curve.decode_as::<ObjectIdentifier>().ok());
    let is_p256 = of_key.oid == EC_PUBLIC_KEY && curve == Some(P256);
    // No parameters but those: null is none of ECDSA.
    if is_p256 && *algorithm == plain(digest.with_ecdsa()) {
        return Ok(match digest {
            Digest::Sha256 => &ECDSA_P256_SHA256_ASN1,
            Digest::Sha384 => &ECDSA_P256_SHA384_ASN1,
            Digest::Sha512 => &ECDSA_P256_SHA512_ASN1,
        });
    }
    if of_key.oid == RSA_ENCRYPTION && is_pss(algorithm, digest) {
        return Ok(match digest {
            Digest::Sha256 => &RSA_PSS_2048_8192_SHA256,
            Digest::Sha384 => &RSA_PSS_2048_8192_SHA384,
            Digest::Sha512 => &RSA_PSS_2048_8192_SHA512,
        });
    }
    Err(OpenError::Algorithm { what: "a signature", found: algorithm.oid.to_string(), instead: SIGNATURES })
}
