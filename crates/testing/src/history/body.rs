//! Message bodies that carry their own identity.
//!
//! ```text
//! offset  bytes
//!      0      4  "FQhi"
//!      4      4  putter, little-endian
//!      8      8  sequence, little-endian
//!     16      …  bytes that follow from putter, sequence and place
//! ```

use platform::simulated::Random;

use super::MessageIdentity;

/// The shortest body that carries an identity.
pub const BODY_BYTES_MIN: usize = 16;

const MARK: [u8; 4] = *b"FQhi";

/// The body of this putter's message with this sequence, at least [`BODY_BYTES_MIN`] long, and its identity.
#[must_use]
pub fn make(putter: u32, sequence: u64, length: usize) -> (Vec<u8>, MessageIdentity) {
    let mut body = vec![0; length.max(BODY_BYTES_MIN)];
    body[..4].copy_from_slice(&MARK);
    body[4..8].copy_from_slice(&putter.to_le_bytes());
    body[8..16].copy_from_slice(&sequence.to_le_bytes());
    Random::new((u64::from(putter) << 40) ^ sequence).fill(&mut body[BODY_BYTES_MIN..]);
    let crc = crc32c::crc32c(&body);
    (body, MessageIdentity { putter, sequence, crc })
}

/// The identity a body claims, with the checksum of what it is; none if it claims none.
#[must_use]
pub fn identity(body: &[u8]) -> Option<MessageIdentity> {
    let (head, _) = body.split_at_checked(BODY_BYTES_MIN)?;
    if head[..4] != MARK {
        return None;
    }
    let putter = u32::from_le_bytes(head[4..8].try_into().ok()?);
    let sequence = u64::from_le_bytes(head[8..16].try_into().ok()?);
    Some(MessageIdentity { putter, sequence, crc: crc32c::crc32c(body) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_tells_who_it_is_and_whether_it_was_changed() {
        for length in [0, 16, 17, 5000] {
            let (mut body, made) = make(7, 1 << 33, length);
            assert_eq!(body.len(), length.max(16));
            assert_eq!(identity(&body), Some(made));
            *body.last_mut().unwrap() ^= 1;
            assert_ne!(identity(&body), Some(made));
        }
        assert_eq!(identity(b"short"), None);
        assert_eq!(identity(&[0; 64]), None);
    }
}
