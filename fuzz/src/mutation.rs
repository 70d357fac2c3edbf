//! Changing bytes the ways that break decoders: lengths at their limits, cuts, repeats, splices.

use platform::simulated::random::Random;

/// Values that lengths and counts go wrong at.
const LIMITS: [u64; 10] =
    [0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, i64::MAX as u64, u64::MAX];

/// Most bytes of a mutated input: beyond, decoders only see more of the same.
const BYTES_MAX: usize = 64 << 10;

/// Makes one to eight changes to `bytes`; `other` is a second input to splice from.
pub(crate) fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    for _ in 0..random.between(1, 8) {
        change(bytes, other, random);
    }
    bytes.truncate(BYTES_MAX);
}

fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        bytes.extend_from_slice(other);
        bytes.push(byte(random));
        return;
    }
    let at = random.index(bytes.len());
    match random.below(9) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = byte(random),
        2 => write_limit(bytes, at, random),
        3 => bytes.truncate(at),
        4 => bytes.insert(at, byte(random)),
        5 => {
            bytes.remove(at);
        }
        6 => {
            let end = at + random.index(bytes.len() - at);
            let repeated = bytes[at..end].to_vec();
            bytes.splice(at..at, repeated);
        }
        7 if !other.is_empty() => {
            let from = random.index(other.len());
            let to = from + random.index(other.len() - from);
            bytes.splice(at..at, other[from..=to].iter().copied());
        }
        _ => {
            let end = at + random.index(bytes.len() - at);
            bytes.drain(at..end);
        }
    }
}

fn write_limit(bytes: &mut [u8], at: usize, random: &mut Random) {
    let value = random.pick(&LIMITS).to_le_bytes();
    let width = *random.pick(&[1, 2, 4, 8]);
    for (place, byte) in bytes[at..].iter_mut().zip(&value[..width]) {
        *place = *byte;
    }
}

fn byte(random: &mut Random) -> u8 {
    random.next_u64().to_le_bytes()[0]
}
