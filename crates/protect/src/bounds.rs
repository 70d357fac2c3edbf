//! Bounds that the bytes of a message keep before they are taken apart.
//!
//! Always: a walk over them copies nothing, and ends with the first that is not kept.

use der::asn1::AnyRef;
use der::{Decode as _, Reader as _, SliceReader, Tag, TagNumber, Tagged as _};

use crate::error::OpenError;

/// Most bytes of a protected message: the largest body of a message (100 MiB), and a mebibyte for what is
/// around it.
pub const PROTECTED_BYTES_MAX: usize = 101 << 20;

/// Most bytes of a body.
pub(crate) const BODY_BYTES_MAX: usize = 100 << 20;

/// Most certificates of a message: a signer's chain is two or three.
pub const CERTIFICATES_MAX: usize = 10;

/// Most bytes of a certificate: several times a large one.
pub const CERTIFICATE_BYTES_MAX: usize = 16 << 10;

/// Most recipients of a message: each costs a public key operation and some 400 bytes.
pub const RECIPIENTS_MAX: usize = 64;

/// Most bytes of the entry of a recipient: the longest name of an issuer, and a key of 8,192 bits.
const RECIPIENT_BYTES_MAX: usize = 4 << 10;

/// Most bytes of the entry of a signer.
const SIGNER_BYTES_MAX: usize = 8 << 10;

/// Most levels of values within values: names in extensions of certificates come to twelve.
pub const DEPTH_MAX: usize = 20;

/// Most values of a message, several times those of ten certificates and 64 recipients.
const VALUES_MAX: usize = 10_000;

const MALFORMED: OpenError = OpenError::Malformed { what: "its values do not end where they should" };

/// Returns a tag of a context.
fn part(number: TagNumber, constructed: bool) -> Tag {
    Tag::ContextSpecific { constructed, number }
}

/// Judges the content of signed data.
pub(crate) fn check_signed(content: &[u8]) -> Result<(), OpenError> {
    check_size(content)?;
    let mut parts = inside(content)?;
    let mut signers = None;
    while let Some(value) = parts.next()? {
        let tag = value.tag();
        if tag == part(TagNumber::N0, true) {
            check_list("certificates", value.value(), CERTIFICATES_MAX, CERTIFICATE_BYTES_MAX)?;
        }
        signers = Some(value);
    }
    let signers = signers.filter(|last| last.tag() == Tag::Set).ok_or(MALFORMED)?;
    check_list("signers", signers.value(), 1, SIGNER_BYTES_MAX)?;
    check_depth(content)
}

/// Judges the content of authenticated and enveloped data.
pub(crate) fn check_enveloped(content: &[u8]) -> Result<(), OpenError> {
    check_size(content)?;
    let mut parts = inside(content)?;
    while let Some(value) = parts.next()? {
        if value.tag() == Tag::Set {
            check_list("recipients", value.value(), RECIPIENTS_MAX, RECIPIENT_BYTES_MAX)?;
        }
    }
    check_depth(content)
}

fn check_size(content: &[u8]) -> Result<(), OpenError> {
    let bytes = content.len();
    if bytes <= PROTECTED_BYTES_MAX {
        return Ok(());
    }
    Err(OpenError::Bound { what: format!("{bytes} bytes"), most: PROTECTED_BYTES_MAX })
}

fn check_list(what: &str, list: &[u8], most: usize, bytes_most: usize) -> Result<(), OpenError> {
    let mut values = Values::of(list)?;
    let mut count = 0;
    while let Some(value) = values.next()? {
        count += 1;
        let bytes = value.value().len();
        if bytes > bytes_most {
            return Err(OpenError::Bound {
                what: format!("{bytes} bytes in one of its {what}"),
                most: bytes_most,
            });
        }
        if count > most {
            return Err(OpenError::Bound { what: format!("more {what}"), most });
        }
    }
    Ok(())
}

/// Judges levels and number of values, without recursion.
fn check_depth(content: &[u8]) -> Result<(), OpenError> {
    let mut levels = vec![Values::of(content)?];
    let mut count = 0;
    while let Some(level) = levels.last_mut() {
        let Some(value) = level.next()? else {
            levels.pop();
            continue;
        };
        count += 1;
        if count > VALUES_MAX {
            return Err(OpenError::Bound { what: "more values".to_owned(), most: VALUES_MAX });
        }
        if value.tag().is_constructed() {
            if levels.len() == DEPTH_MAX {
                return Err(OpenError::Bound { what: "more levels of values".to_owned(), most: DEPTH_MAX });
            }
            levels.push(Values::of(value.value())?);
        }
    }
    Ok(())
}

/// The values of a sequence that is the whole of some bytes.
fn inside(content: &[u8]) -> Result<Values<'_>, OpenError> {
    let whole = AnyRef::from_der(content).ok().filter(|whole| whole.tag() == Tag::Sequence);
    Values::of(whole.ok_or(MALFORMED)?.value())
}

/// Values one behind the other.
struct Values<'a>(SliceReader<'a>);

impl<'a> Values<'a> {
    fn of(bytes: &'a [u8]) -> Result<Self, OpenError> {
        SliceReader::new(bytes).map(Self).map_err(|_| MALFORMED)
    }

    fn next(&mut self) -> Result<Option<AnyRef<'a>>, OpenError> {
        if self.0.is_finished() {
            return Ok(None);
        }
        AnyRef::decode(&mut self.0).map(Some).map_err(|_| MALFORMED)
    }
}
