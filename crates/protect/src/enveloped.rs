//! Encryption: `AuthEnvelopedData`, whose key each recipient has in an entry of its own.
//!
//! Always: each message has a key and a nonce of its own. The proof of the content covers its whole; entries
//! of other recipients are under no proof.

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, UnparsedPublicKey};
use aws_lc_rs::digest::{Context, SHA256};
use aws_lc_rs::key_wrap::{AES_256, AesKek, KeyWrap as _};
use aws_lc_rs::rand;
use aws_lc_rs::rsa::{OAEP_SHA256_MGF1SHA256, OaepPublicEncryptingKey, PublicEncryptingKey};
use cms::content_info::CmsVersion;
use cms::enveloped_data::{
    EncryptedContentInfo, KeyAgreeRecipientIdentifier, KeyAgreeRecipientInfo, KeyTransRecipientInfo,
    OriginatorIdentifierOrKey, OriginatorPublicKey, RecipientEncryptedKey, RecipientIdentifier,
    RecipientInfo, RecipientInfos, UserKeyingMaterial,
};
use der::asn1::{Any, BitString, ObjectIdentifier, OctetString, SetOfVec};
use der::{Decode as _, Encode as _};
use spki::AlgorithmIdentifierOwned;
use zeroize::Zeroizing;

use crate::bounds::check_enveloped;
use crate::error::{OpenError, ProtectError};
use crate::keys::{Identity, Known, PrivateKey};
use crate::structure::{
    AES256_GCM, AES256_WRAP, AUTH_ENVELOPED_DATA, AuthEnvelopedData, DATA, EC_PUBLIC_KEY, ECDH_SHA256,
    GcmParameters, P256, RSA_ENCRYPTION, SharedInfo, content_info, is_oaep, is_plain, name_of, oaep,
    parameters, plain,
};

/// Bytes of a key of AES-256.
const KEY_BYTES: usize = 32;
/// Bytes of a key that is wrapped by another.
const WRAPPED_BYTES: usize = KEY_BYTES + 8;
/// Bytes of a nonce of AES-GCM.
const NONCE_BYTES: usize = 12;
/// Bytes of the proof of AES-GCM: the most, so that none is cut.
const PROOF_BYTES: u8 = 16;

/// Bytes of a point of P-256 with both coordinates, and the first of them.
const POINT_BYTES: usize = 65;
const POINT_IN_FULL: u8 = 4;

const CONTENTS: &str = "AES-256-GCM with a nonce of 12 and a proof of 16 bytes";
const KEYS: &str = "ECDH with P-256, SHA-256 and AES-256 key wrap, or RSA-OAEP with SHA-256";

const NOT_ENCRYPTED: ProtectError = ProtectError::Cryptography { what: "encrypt the body" };

type Key = Zeroizing<[u8; KEY_BYTES]>;

/// Encrypts a content for certificates.
pub(crate) fn encrypt(recipients: &[Known], mut content: Vec<u8>) -> Result<Vec<u8>, ProtectError> {
    let mut key = Key::default();
    let mut nonce = [0; NONCE_BYTES];
    rand::fill(&mut key[..]).and_then(|()| rand::fill(&mut nonce)).map_err(|_| NOT_ENCRYPTED)?;
    let entries = recipients.iter().map(|recipient| entry(recipient, &key)).collect::<Result<Vec<_>, _>>()?;
    let cipher = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key[..]).map_err(|_| NOT_ENCRYPTED)?);
    let proof = cipher
        .seal_in_place_separate_tag(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut content)
        .map_err(|_| NOT_ENCRYPTED)?;
    let data = || -> der::Result<AuthEnvelopedData> {
        let parameters = GcmParameters { nonce: OctetString::new(nonce)?, proof_bytes: PROOF_BYTES };
        Ok(AuthEnvelopedData {
            version: CmsVersion::V0,
            originator_info: None,
            recipients: RecipientInfos(SetOfVec::try_from(entries)?),
            content: EncryptedContentInfo {
                content_type: DATA,
                content_enc_alg: AlgorithmIdentifierOwned {
                    oid: AES256_GCM,
                    parameters: Some(Any::encode_from(&parameters)?),
                },
                encrypted_content: Some(OctetString::new(content)?),
            },
            authenticated_attributes: None,
            mac: OctetString::new(proof.as_ref())?,
            other_attributes: None,
        })
    };
    data().and_then(|data| content_info(AUTH_ENVELOPED_DATA, &data)).map_err(|_| NOT_ENCRYPTED)
}

/// The entry of a recipient: the key of the message for the key of its certificate.
fn entry(recipient: &Known, key: &Key) -> Result<RecipientInfo, ProtectError> {
    let info = &recipient.structure.tbs_certificate.subject_public_key_info;
    let curve =
        info.algorithm.parameters.as_ref().and_then(|curve| curve.decode_as::<ObjectIdentifier>().ok());
    match info.algorithm.oid {
        EC_PUBLIC_KEY if curve == Some(P256) => by_agreement(recipient, key),
        RSA_ENCRYPTION => by_transport(recipient, key),
        _ => Err(ProtectError::Certificate {
            name: recipient.certificate.subject.to_string(),
            reason: "its key is none of P-256 and none of RSA".to_owned(),
        }),
    }
}

fn by_transport(recipient: &Known, key: &Key) -> Result<RecipientInfo, ProtectError> {
    let unusable = || ProtectError::Certificate {
        name: recipient.certificate.subject.to_string(),
        reason: "its RSA key has less than 2,048 or more than 8,192 bits".to_owned(),
    };
    let info = &recipient.structure.tbs_certificate.subject_public_key_info;
    let public =
        PublicEncryptingKey::from_der(&info.to_der().map_err(|_| unusable())?).map_err(|_| unusable())?;
    let public = OaepPublicEncryptingKey::new(public).map_err(|_| unusable())?;
    let mut encrypted = vec![0; public.ciphertext_size()];
    let encrypted = public
        .encrypt(&OAEP_SHA256_MGF1SHA256, &key[..], &mut encrypted, None)
        .map_err(|_| NOT_ENCRYPTED)?
        .to_vec();
    let entry = || -> der::Result<RecipientInfo> {
        Ok(RecipientInfo::Ktri(KeyTransRecipientInfo {
            version: CmsVersion::V0,
            rid: RecipientIdentifier::IssuerAndSerialNumber(name_of(&recipient.structure)),
            key_enc_alg: oaep()?,
            enc_key: OctetString::new(encrypted)?,
        }))
    };
    entry().map_err(|_| NOT_ENCRYPTED)
}

fn by_agreement(recipient: &Known, key: &Key) -> Result<RecipientInfo, ProtectError> {
    let own = agreement::PrivateKey::generate(&ECDH_P256).map_err(|_| NOT_ENCRYPTED)?;
    let public = own.compute_public_key().map_err(|_| NOT_ENCRYPTED)?;
    let wrapping = agreed(&own, recipient.public_key(), None).ok_or_else(|| ProtectError::Certificate {
        name: recipient.certificate.subject.to_string(),
        reason: "its key is no point of P-256".to_owned(),
    })?;
    let mut wrapped = [0; WRAPPED_BYTES];
    wrapping.wrap(&key[..], &mut wrapped).map_err(|_| NOT_ENCRYPTED)?;
    let entry = || -> der::Result<RecipientInfo> {
        Ok(RecipientInfo::Kari(KeyAgreeRecipientInfo {
            version: CmsVersion::V3,
            originator: OriginatorIdentifierOrKey::OriginatorKey(OriginatorPublicKey {
                algorithm: plain(EC_PUBLIC_KEY),
                public_key: BitString::from_bytes(public.as_ref())?,
            }),
            ukm: None,
            key_enc_alg: AlgorithmIdentifierOwned {
                oid: ECDH_SHA256,
                parameters: Some(Any::encode_from(&plain(AES256_WRAP))?),
            },
            recipient_enc_keys: vec![RecipientEncryptedKey {
                rid: KeyAgreeRecipientIdentifier::IssuerAndSerialNumber(name_of(&recipient.structure)),
                enc_key: OctetString::new(wrapped)?,
            }],
        }))
    };
    entry().map_err(|_| NOT_ENCRYPTED)
}

/// The key that wraps the key of the message: an agreement, and the derivation of X9.63 from it.
fn agreed(
    own: &agreement::PrivateKey,
    other: &[u8],
    of_sender: Option<&UserKeyingMaterial>,
) -> Option<AesKek> {
    let shared = SharedInfo {
        key: plain(AES256_WRAP),
        of_sender: of_sender.cloned(),
        bits: OctetString::new((KEY_BYTES as u32 * 8).to_be_bytes()).ok()?,
    };
    let shared = shared.to_der().ok()?;
    let derived = agreement::agree(own, UnparsedPublicKey::new(&ECDH_P256, other), (), |secret| {
        // One block of SHA-256 is the whole key.
        let mut context = Context::new(&SHA256);
        [secret, &1_u32.to_be_bytes(), &shared].iter().for_each(|part| context.update(part));
        let mut key = Key::default();
        key.copy_from_slice(context.finish().as_ref());
        Ok(key)
    });
    AesKek::new(&AES_256, &derived.ok()?[..]).ok()
}

const fn malformed(what: &'static str) -> OpenError {
    OpenError::Malformed { what }
}

/// Decrypts the content of enveloped data that have an entry for a key.
pub(crate) fn decrypt(own: &Identity, content: &[u8]) -> Result<Vec<u8>, OpenError> {
    check_enveloped(content)?;
    let data =
        AuthEnvelopedData::from_der(content).map_err(|_| malformed("its encrypted data do not read"))?;
    if data.version != CmsVersion::V0 {
        return Err(malformed("its version is not 0"));
    }
    let has_more = data.originator_info.is_some()
        || data.authenticated_attributes.is_some()
        || data.other_attributes.is_some();
    if has_more || data.content.content_type != DATA {
        return Err(malformed("it has parts that nothing needs"));
    }
    let algorithm = &data.content.content_enc_alg;
    let parameters: Option<GcmParameters> = parameters(algorithm, AES256_GCM);
    let nonce = parameters.filter(|parameters| parameters.proof_bytes == PROOF_BYTES);
    let nonce = nonce.and_then(|parameters| <[u8; NONCE_BYTES]>::try_from(parameters.nonce.as_bytes()).ok());
    let nonce = nonce.ok_or_else(|| OpenError::Algorithm {
        what: "an encryption",
        found: algorithm.oid.to_string(),
        instead: CONTENTS,
    })?;
    let key = key_for(own, data.recipients.0.as_slice())?;
    let mut body = match data.content.encrypted_content {
        Some(content) => content.into_bytes(),
        None => return Err(malformed("it has no content")),
    };
    if data.mac.as_bytes().len() != usize::from(PROOF_BYTES) {
        return Err(OpenError::Changed);
    }
    body.extend_from_slice(data.mac.as_bytes());
    let cipher = UnboundKey::new(&AES_256_GCM, &key[..]).map_err(|_| OpenError::Changed)?;
    let opened =
        LessSafeKey::new(cipher).open_in_place(Nonce::assume_unique_for_key(nonce), Aad::empty(), &mut body);
    let length = opened.map_err(|_| OpenError::Changed)?.len();
    body.truncate(length);
    Ok(body)
}

/// The key of the message, by the entry for a certificate.
fn key_for(own: &Identity, entries: &[RecipientInfo]) -> Result<Key, OpenError> {
    let name = name_of(&own.own.structure);
    for entry in entries {
        match entry {
            RecipientInfo::Ktri(KeyTransRecipientInfo {
                version,
                rid: RecipientIdentifier::IssuerAndSerialNumber(of),
                key_enc_alg,
                enc_key,
            }) if *of == name => {
                if *version != CmsVersion::V0 {
                    return Err(malformed("the version of an entry is not 0"));
                }
                return transported(own, key_enc_alg, enc_key.as_bytes());
            }
            RecipientInfo::Kari(info) => {
                let is_ours = |one: &&RecipientEncryptedKey| matches!(&one.rid, KeyAgreeRecipientIdentifier::IssuerAndSerialNumber(of) if *of == name);
                if let Some(one) = info.recipient_enc_keys.iter().find(is_ours) {
                    return agreed_upon(own, info, one.enc_key.as_bytes());
                }
            }
            _ => {}
        }
    }
    Err(OpenError::NotForUs)
}

fn weak_entry(algorithm: &AlgorithmIdentifierOwned) -> OpenError {
    OpenError::Algorithm { what: "a key for this program", found: algorithm.oid.to_string(), instead: KEYS }
}

fn transported(
    own: &Identity,
    algorithm: &AlgorithmIdentifierOwned,
    encrypted: &[u8],
) -> Result<Key, OpenError> {
    let PrivateKey::Rsa { decrypting, .. } = &own.key else { return Err(OpenError::Changed) };
    if !is_oaep(algorithm) {
        return Err(weak_entry(algorithm));
    }
    let mut room = Zeroizing::new(vec![0; decrypting.min_output_size()]);
    let key = decrypting.decrypt(&OAEP_SHA256_MGF1SHA256, encrypted, &mut room, None);
    <[u8; KEY_BYTES]>::try_from(&*key.map_err(|_| OpenError::Changed)?)
        .map(Zeroizing::new)
        .map_err(|_| OpenError::Changed)
}

fn agreed_upon(own: &Identity, info: &KeyAgreeRecipientInfo, wrapped: &[u8]) -> Result<Key, OpenError> {
    let PrivateKey::P256 { agreeing, .. } = &own.key else { return Err(OpenError::Changed) };
    if info.version != CmsVersion::V3 {
        return Err(malformed("the version of an entry is not 3"));
    }
    let wrap: Option<AlgorithmIdentifierOwned> = parameters(&info.key_enc_alg, ECDH_SHA256);
    if wrap != Some(plain(AES256_WRAP)) {
        return Err(weak_entry(&info.key_enc_alg));
    }
    let OriginatorIdentifierOrKey::OriginatorKey(sender) = &info.originator else {
        return Err(malformed("an entry has no key of its sender"));
    };
    let of_curve = Any::encode_from(&P256).ok();
    let is_known = is_plain(&sender.algorithm, EC_PUBLIC_KEY)
        || (sender.algorithm.oid == EC_PUBLIC_KEY && sender.algorithm.parameters == of_curve);
    // One form alone: the library takes others that stand for the same point.
    let is_point = |point: &&[u8]| is_known && point.len() == POINT_BYTES && point[0] == POINT_IN_FULL;
    let point = sender.public_key.as_bytes().filter(is_point);
    let point = point.ok_or(malformed("the key of its sender is none of P-256"))?;
    let wrapping = agreed(agreeing, point, info.ukm.as_ref()).ok_or(OpenError::Changed)?;
    if wrapped.len() != WRAPPED_BYTES {
        return Err(OpenError::Changed);
    }
    // The library wants room for the whole of what it reads.
    let mut room = Zeroizing::new([0; WRAPPED_BYTES]);
    let key = wrapping.unwrap(wrapped, &mut room[..]).map_err(|_| OpenError::Changed)?;
    <[u8; KEY_BYTES]>::try_from(&*key).map(Zeroizing::new).map_err(|_| OpenError::Changed)
}
