//! From a protected message to its body.

use security::distinguished_name::Name;
use tls::Certificate;

use crate::bounds::PROTECTED_BYTES_MAX;
use crate::error::OpenError;
use crate::keys::{Identity, Trust};
use crate::policy::{Policy, Unprotected};
use crate::structure::{AUTH_ENVELOPED_DATA, ENVELOPED_DATA, SIGNED_DATA, content_of};
use crate::{enveloped, proof, signed};

/// A message that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// The body, as its putter gave it.
    pub body: Vec<u8>,
    /// The signer, which is proved; none for a message without a signature that the policy takes.
    pub signer: Option<Signer>,
}

/// The signer of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// The subject of its certificate.
    pub name: Name,
    /// The certificate.
    pub certificate: Certificate,
}

/// Opens a message by a policy: decrypted with the key of `own`, its signature proved by `trust`, at `now` in
/// seconds since 1970. A policy that asks for nothing, or takes messages that are not protected, opens such a
/// message as it is.
///
/// # Errors
/// The message is not as the policy asks, is for other programs, was changed, or its signer is not proved
/// or is not let in.
pub fn open(
    policy: &Policy,
    own: Option<&Identity>,
    trust: &Trust,
    now: u64,
    message: &[u8],
) -> Result<Opened, OpenError> {
    let as_it_is = || Opened { body: message.to_vec(), signer: None };
    if policy.signature().is_none() && policy.encryption().is_none() {
        return Ok(as_it_is());
    }
    let kind = content_of(message).filter(|(kind, _)| KINDS.contains(kind));
    let Some((kind, content)) = kind else {
        return match policy.unprotected() {
            Unprotected::Accepted => Ok(as_it_is()),
            Unprotected::Refused => Err(OpenError::NotProtected),
        };
    };
    if message.len() > PROTECTED_BYTES_MAX {
        return Err(OpenError::Bound { what: format!("{} bytes", message.len()), most: PROTECTED_BYTES_MAX });
    }
    match (policy.encryption(), kind) {
        (Some(_), AUTH_ENVELOPED_DATA) => {
            let within = enveloped::decrypt(own.ok_or(OpenError::NotForUs)?, content)?;
            match policy.signature() {
                None => Ok(Opened { body: within, signer: None }),
                Some(_) => match content_of(&within) {
                    Some((SIGNED_DATA, content)) => signed_body(policy, trust, now, content),
                    _ => Err(OpenError::NotSigned),
                },
            }
        }
        (Some(_), SIGNED_DATA) => Err(OpenError::NotEncrypted),
        (None, SIGNED_DATA) => signed_body(policy, trust, now, content),
        (None, AUTH_ENVELOPED_DATA) => Err(OpenError::Encrypted),
        // Encryption without a proof of the content.
        _ => Err(OpenError::Algorithm {
            what: "a content",
            found: kind.to_string(),
            instead: "authEnvelopedData (RFC 5083) and signedData",
        }),
    }
}

/// Kinds of content that are protected in some way.
const KINDS: [der::asn1::ObjectIdentifier; 3] = [SIGNED_DATA, ENVELOPED_DATA, AUTH_ENVELOPED_DATA];

/// The body of signed data by a signer that the policy lets in.
fn signed_body(policy: &Policy, trust: &Trust, now: u64, content: &[u8]) -> Result<Opened, OpenError> {
    let proved = signed::verify(content)?;
    if policy.signature().is_some_and(|wanted| proved.digest < wanted) {
        return Err(OpenError::WeakerDigest);
    }
    let certificate = proved.signer.certificate;
    proof::prove(trust, &certificate, &proved.others, now)?;
    let name = certificate.subject.clone();
    if !policy.signers().is_empty() && !policy.signers().iter().any(|pattern| pattern.matches(&name)) {
        return Err(OpenError::Signer { name: name.to_string() });
    }
    Ok(Opened { body: proved.body, signer: Some(Signer { name, certificate }) })
}
