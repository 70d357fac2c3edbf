//! Structures that the library of CMS does not have, the identifiers of algorithms, and their parameters.

use cms::cert::IssuerAndSerialNumber;
use cms::content_info::CmsVersion;
use cms::enveloped_data::{EncryptedContentInfo, OriginatorInfo, RecipientInfos};
use der::asn1::{Any, AnyRef, ObjectIdentifier, OctetString};
use der::{Decode as _, Encode as _, Sequence};
use spki::AlgorithmIdentifierOwned;
use x509_cert::Certificate as Structure;
use x509_cert::attr::Attributes;

use crate::policy::Digest;

const fn identifier(text: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(text)
}

pub(crate) const DATA: ObjectIdentifier = identifier("1.2.840.113549.1.7.1");
pub(crate) const SIGNED_DATA: ObjectIdentifier = identifier("1.2.840.113549.1.7.2");
pub(crate) const ENVELOPED_DATA: ObjectIdentifier = identifier("1.2.840.113549.1.7.3");
pub(crate) const AUTH_ENVELOPED_DATA: ObjectIdentifier = identifier("1.2.840.113549.1.9.16.1.23");
pub(crate) const CONTENT_TYPE: ObjectIdentifier = identifier("1.2.840.113549.1.9.3");
pub(crate) const MESSAGE_DIGEST: ObjectIdentifier = identifier("1.2.840.113549.1.9.4");
pub(crate) const EC_PUBLIC_KEY: ObjectIdentifier = identifier("1.2.840.10045.2.1");
pub(crate) const P256: ObjectIdentifier = identifier("1.2.840.10045.3.1.7");
pub(crate) const RSA_ENCRYPTION: ObjectIdentifier = identifier("1.2.840.113549.1.1.1");
pub(crate) const RSA_OAEP: ObjectIdentifier = identifier("1.2.840.113549.1.1.7");
pub(crate) const RSA_PSS: ObjectIdentifier = identifier("1.2.840.113549.1.1.10");
const MASK_BY_DIGEST: ObjectIdentifier = identifier("1.2.840.113549.1.1.8");
pub(crate) const AES256_GCM: ObjectIdentifier = identifier("2.16.840.1.101.3.4.1.46");
pub(crate) const AES256_WRAP: ObjectIdentifier = identifier("2.16.840.1.101.3.4.1.45");
/// ECDH with the key derivation of X9.63 by SHA-256.
pub(crate) const ECDH_SHA256: ObjectIdentifier = identifier("1.3.132.1.11.1");

/// The part that is encrypted and proved at once: RFC 5083.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct AuthEnvelopedData {
    pub(crate) version: CmsVersion,
    #[asn1(context_specific = "0", tag_mode = "IMPLICIT", constructed = "true", optional = "true")]
    pub(crate) originator_info: Option<OriginatorInfo>,
    pub(crate) recipients: RecipientInfos,
    pub(crate) content: EncryptedContentInfo,
    #[asn1(context_specific = "1", tag_mode = "IMPLICIT", constructed = "true", optional = "true")]
    pub(crate) authenticated_attributes: Option<Attributes>,
    pub(crate) mac: OctetString,
    #[asn1(context_specific = "2", tag_mode = "IMPLICIT", constructed = "true", optional = "true")]
    pub(crate) other_attributes: Option<Attributes>,
}

/// Parameters of AES-GCM: RFC 5084.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct GcmParameters {
    pub(crate) nonce: OctetString,
    /// Bytes of the proof; 12 where it is not said.
    #[asn1(default = "proof_bytes_unsaid")]
    pub(crate) proof_bytes: u8,
}

fn proof_bytes_unsaid() -> u8 {
    12
}

/// Parameters of RSA-PSS: RFC 4055.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct PssParameters {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    digest: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    mask: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "2", tag_mode = "EXPLICIT", optional = "true")]
    salt_bytes: Option<u8>,
}

/// Parameters of RSA-OAEP: RFC 4055.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct OaepParameters {
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    digest: Option<AlgorithmIdentifierOwned>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    mask: Option<AlgorithmIdentifierOwned>,
}

/// Input of the derivation of a key from an agreement: RFC 5753.
#[derive(Clone, Debug, PartialEq, Eq, Sequence)]
pub(crate) struct SharedInfo {
    pub(crate) key: AlgorithmIdentifierOwned,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    pub(crate) of_sender: Option<OctetString>,
    #[asn1(context_specific = "2", tag_mode = "EXPLICIT")]
    pub(crate) bits: OctetString,
}

impl Digest {
    pub(crate) const ALL: [Self; 3] = [Self::Sha256, Self::Sha384, Self::Sha512];

    /// The identifier of the digest.
    pub(crate) fn identifier(self) -> ObjectIdentifier {
        match self {
            Self::Sha256 => identifier("2.16.840.1.101.3.4.2.1"),
            Self::Sha384 => identifier("2.16.840.1.101.3.4.2.2"),
            Self::Sha512 => identifier("2.16.840.1.101.3.4.2.3"),
        }
    }

    /// The identifier of ECDSA with the digest.
    pub(crate) fn with_ecdsa(self) -> ObjectIdentifier {
        match self {
            Self::Sha256 => identifier("1.2.840.10045.4.3.2"),
            Self::Sha384 => identifier("1.2.840.10045.4.3.3"),
            Self::Sha512 => identifier("1.2.840.10045.4.3.4"),
        }
    }

    pub(crate) fn bytes(self) -> u8 {
        match self {
            Self::Sha256 => 32,
            Self::Sha384 => 48,
            Self::Sha512 => 64,
        }
    }

    pub(crate) fn algorithm(self) -> &'static aws_lc_rs::digest::Algorithm {
        match self {
            Self::Sha256 => &aws_lc_rs::digest::SHA256,
            Self::Sha384 => &aws_lc_rs::digest::SHA384,
            Self::Sha512 => &aws_lc_rs::digest::SHA512,
        }
    }
}

/// An algorithm without parameters.
pub(crate) fn plain(identifier: ObjectIdentifier) -> AlgorithmIdentifierOwned {
    AlgorithmIdentifierOwned { oid: identifier, parameters: None }
}

/// Tells if an algorithm is this one, and its parameters are absent or null.
pub(crate) fn is_plain(algorithm: &AlgorithmIdentifierOwned, identifier: ObjectIdentifier) -> bool {
    let parameters = algorithm.parameters.as_ref();
    algorithm.oid == identifier && parameters.is_none_or(|parameters| *parameters == Any::null())
}

fn mask(digest: Digest) -> der::Result<AlgorithmIdentifierOwned> {
    let parameters = Some(Any::encode_from(&plain(digest.identifier()))?);
    Ok(AlgorithmIdentifierOwned { oid: MASK_BY_DIGEST, parameters })
}

/// Tells if the mask is made by a digest.
fn is_mask(algorithm: Option<&AlgorithmIdentifierOwned>, digest: Digest) -> bool {
    let Some(AlgorithmIdentifierOwned { oid, parameters: Some(parameters) }) = algorithm else {
        return false;
    };
    let within: der::Result<AlgorithmIdentifierOwned> = parameters.decode_as();
    *oid == MASK_BY_DIGEST && within.is_ok_and(|within| is_plain(&within, digest.identifier()))
}

/// RSA-PSS with a digest, a mask by it, and a salt as long as it.
pub(crate) fn pss(digest: Digest) -> der::Result<AlgorithmIdentifierOwned> {
    let parameters = PssParameters {
        digest: Some(plain(digest.identifier())),
        mask: Some(mask(digest)?),
        salt_bytes: Some(digest.bytes()),
    };
    Ok(AlgorithmIdentifierOwned { oid: RSA_PSS, parameters: Some(Any::encode_from(&parameters)?) })
}

/// Tells if an algorithm is [`pss`] of a digest.
pub(crate) fn is_pss(algorithm: &AlgorithmIdentifierOwned, wanted: Digest) -> bool {
    let Some(PssParameters { digest, mask, salt_bytes }) = parameters(algorithm, RSA_PSS) else {
        return false;
    };
    digest.is_some_and(|digest| is_plain(&digest, wanted.identifier()))
        && is_mask(mask.as_ref(), wanted)
        && salt_bytes == Some(wanted.bytes())
}

/// RSA-OAEP with SHA-256 and a mask by it.
pub(crate) fn oaep() -> der::Result<AlgorithmIdentifierOwned> {
    let digest = Digest::Sha256;
    let parameters = OaepParameters { digest: Some(plain(digest.identifier())), mask: Some(mask(digest)?) };
    Ok(AlgorithmIdentifierOwned { oid: RSA_OAEP, parameters: Some(Any::encode_from(&parameters)?) })
}

/// Tells if an algorithm is [`oaep`].
pub(crate) fn is_oaep(algorithm: &AlgorithmIdentifierOwned) -> bool {
    let Some(OaepParameters { digest, mask }) = parameters(algorithm, RSA_OAEP) else { return false };
    digest.is_some_and(|digest| is_plain(&digest, Digest::Sha256.identifier()))
        && is_mask(mask.as_ref(), Digest::Sha256)
}

/// The parameters of an algorithm, if it is this one and they are of this kind.
pub(crate) fn parameters<T: for<'a> der::Decode<'a>>(
    algorithm: &AlgorithmIdentifierOwned,
    identifier: ObjectIdentifier,
) -> Option<T> {
    let parameters = algorithm.parameters.as_ref().filter(|_| algorithm.oid == identifier)?;
    T::from_der(&parameters.to_der().ok()?).ok()
}

/// The name by which a message knows a certificate.
pub(crate) fn name_of(certificate: &Structure) -> IssuerAndSerialNumber {
    let inside = &certificate.tbs_certificate;
    IssuerAndSerialNumber { issuer: inside.issuer.clone(), serial_number: inside.serial_number.clone() }
}

/// The whole of a `ContentInfo`.
pub(crate) fn content_info(identifier: ObjectIdentifier, content: &impl der::Encode) -> der::Result<Vec<u8>> {
    // The content is copied once, into the result.
    let of_type = identifier.to_der()?;
    let length = content.encoded_len()?;
    let around = der::Header::new(
        der::Tag::ContextSpecific { constructed: true, number: der::TagNumber::N0 },
        length,
    )?;
    let whole = (der::Length::try_from(of_type.len())? + around.encoded_len()? + length)?;
    let header = der::Header::new(der::Tag::Sequence, whole)?;
    let mut bytes = Vec::with_capacity(usize::try_from((header.encoded_len()? + whole)?)?);
    header.encode_to_vec(&mut bytes)?;
    bytes.extend_from_slice(&of_type);
    around.encode_to_vec(&mut bytes)?;
    content.encode_to_vec(&mut bytes)?;
    Ok(bytes)
}

/// The type and the content of a `ContentInfo`; none if the bytes do not begin as one.
pub(crate) fn content_of(bytes: &[u8]) -> Option<(ObjectIdentifier, &[u8])> {
    let whole = AnyRef::from_der(bytes).ok().filter(|whole| der::Tagged::tag(whole) == der::Tag::Sequence)?;
    let mut reader = der::SliceReader::new(whole.value()).ok()?;
    let identifier = ObjectIdentifier::decode(&mut reader).ok()?;
    let around = AnyRef::decode(&mut reader).ok()?;
    let is_content = der::Tagged::tag(&around)
        == der::Tag::ContextSpecific { constructed: true, number: der::TagNumber::N0 };
    (is_content && der::Reader::is_finished(&reader)).then(|| (identifier, around.value()))
}
