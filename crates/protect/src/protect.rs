//! From a body to a protected message.

use crate::bounds::{BODY_BYTES_MAX, RECIPIENTS_MAX};
use crate::error::ProtectError;
use crate::keys::{Identity, Known, Recipients};
use crate::policy::Policy;
use crate::{enveloped, signed};

/// Protects a body by a policy: signed by `own`, then encrypted for each of `recipients` that the policy
/// names, at `now` in seconds since 1970. A policy that asks for nothing gives the body.
///
/// # Errors
/// A key or a certificate is missing or cannot be used, or the body has more than 100 MiB.
///
/// ```
/// use protect::{Policy, Recipients};
///
/// let body = b"an order";
/// assert_eq!(protect::protect(&Policy::none(), None, &Recipients::default(), 0, body)?, body);
/// # Ok::<(), protect::ProtectError>(())
/// ```
pub fn protect(
    policy: &Policy,
    own: Option<&Identity>,
    recipients: &Recipients,
    now: u64,
    body: &[u8],
) -> Result<Vec<u8>, ProtectError> {
    let bytes = body.len();
    if bytes > BODY_BYTES_MAX {
        return Err(ProtectError::TooLarge { bytes, most: BODY_BYTES_MAX });
    }
    let content = match policy.signature() {
        Some(digest) => signed::sign(own.ok_or(ProtectError::NoKey)?, digest, body)?,
        None => body.to_vec(),
    };
    match policy.encryption() {
        Some(_) => enveloped::encrypt(&chosen(policy, recipients, now)?, content),
        None => Ok(content),
    }
}

/// The certificates that the policy names, each once. Every name has one at least that holds now: a recipient
/// that is left out in silence could not read the message.
fn chosen(policy: &Policy, recipients: &Recipients, now: u64) -> Result<Vec<Known>, ProtectError> {
    let mut chosen: Vec<Known> = Vec::new();
    for pattern in policy.recipients() {
        let matching: Vec<_> =
            recipients.certificates.iter().filter(|one| pattern.matches(&one.subject)).collect();
        if matching.is_empty() {
            return Err(ProtectError::NoCertificate { name: pattern.to_string() });
        }
        let holding: Vec<_> = matching.iter().filter(|one| one.holds_at(now)).collect();
        if holding.is_empty() {
            let reason = "it does not hold now".to_owned();
            return Err(ProtectError::Certificate { name: matching[0].subject.to_string(), reason });
        }
        for certificate in holding {
            if chosen.iter().any(|one| one.certificate.der == certificate.der) {
                continue;
            }
            if chosen.len() == RECIPIENTS_MAX {
                return Err(ProtectError::TooManyRecipients { most: RECIPIENTS_MAX });
            }
            let known = Known::read(&certificate.der).map_err(|error| ProtectError::Certificate {
                name: certificate.subject.to_string(),
                reason: error.to_string(),
            })?;
            chosen.push(known);
        }
    }
    Ok(chosen)
}
