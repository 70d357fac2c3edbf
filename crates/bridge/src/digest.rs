//! A hash whose values are durable: FNV-1a with 128 bits.
//!
//! Always: the same bytes give the same value in every release, since names of branches are made of it. It is
//! no secret and no signature.

const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

/// Hashes the parts, each with its length, so that no two lists of parts run into each other.
#[must_use]
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = OFFSET;
    for part in parts {
        let length = (part.len() as u64).to_be_bytes();
        for byte in length.iter().chain(*part) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(PRIME);
        }
    }
    hash.to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::digest;

    #[test]
    fn values_are_those_of_every_release_and_parts_do_not_run_together() {
        assert_eq!(u128::from_be_bytes(digest(&[])), super::OFFSET);
        assert_ne!(digest(&[b"ab", b"c"]), digest(&[b"a", b"bc"]));
        assert_eq!(digest(&[b"PIPE", b"QM1"]), digest(&[b"PIPE", b"QM1"]));
        assert_eq!(
            u128::from_be_bytes(digest(&[b"a"])),
            // By hand: the length in eight bytes, then the letter.
            [0_u8, 0, 0, 0, 0, 0, 0, 1, b'a']
                .iter()
                .fold(super::OFFSET, |hash, byte| (hash ^ u128::from(*byte)).wrapping_mul(super::PRIME))
        );
    }
}
