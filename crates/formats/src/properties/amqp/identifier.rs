//! Identifiers of AMQP in the 24 bytes that an identifier of the interface has.
//!
//! ```text
//! binary of 24 bytes    as it is
//! shorter binary        padded with zeros
//! uuid                  "FRYU" | 0 (4) | its 16 bytes
//! ulong                 "FRYL" | 0 (12) | its 8 bytes
//! string                "FRYS" | 20 bytes of a hash
//! longer binary         "FRYB" | 20 bytes of a hash
//! ```
//!
//! Always: two equal identifiers have equal bytes; a uuid and a ulong read back from theirs. The hash keeps
//! identifiers apart that programs make; it is no proof against a program that wants two to be equal.

use amqp::Value;

const UUID: &[u8; 4] = b"FRYU";
const ULONG: &[u8; 4] = b"FRYL";
const STRING: &[u8; 4] = b"FRYS";
const BINARY: &[u8; 4] = b"FRYB";

/// The 24 bytes of an identifier; zeros for a value that is none.
#[must_use]
pub fn of_value(value: &Value<'_>) -> [u8; 24] {
    let mut bytes = [0; 24];
    match *value {
        Value::Uuid(uuid) => {
            bytes[..4].copy_from_slice(UUID);
            bytes[8..].copy_from_slice(&uuid);
        }
        Value::Ulong(number) => {
            bytes[..4].copy_from_slice(ULONG);
            bytes[16..].copy_from_slice(&number.to_be_bytes());
        }
        Value::Binary(binary) if binary.len() <= 24 => bytes[..binary.len()].copy_from_slice(binary),
        Value::Binary(binary) => hashed(&mut bytes, BINARY, binary),
        Value::String(text) => hashed(&mut bytes, STRING, text.as_bytes()),
        _ => {}
    }
    bytes
}

/// The identifier that 24 bytes stand for: the uuid or the ulong that they were made of, else binary.
#[must_use]
pub fn to_value(bytes: &[u8; 24]) -> Value<'_> {
    let (tag, rest) = bytes.split_at(4);
    if tag == UUID && rest[..4] == [0; 4] {
        let mut uuid = [0; 16];
        uuid.copy_from_slice(&rest[4..]);
        return Value::Uuid(uuid);
    }
    if tag == ULONG && rest[..12] == [0; 12] {
        let mut number = [0; 8];
        number.copy_from_slice(&rest[12..]);
        return Value::Ulong(u64::from_be_bytes(number));
    }
    Value::Binary(bytes)
}

/// Odd numbers without a pattern: a lane of the hash begins with one and is multiplied by another.
const LANES: [(u64, u64); 3] = [
    (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93),
    (0xC2B2_AE3D_27D4_EB4F, 0xA076_1D64_78BD_642F),
    (0x1656_67B1_9E37_79F9, 0xE703_7ED1_A0B4_28DB),
];

fn hashed(bytes: &mut [u8; 24], tag: &[u8; 4], text: &[u8]) {
    let mut lanes = LANES.map(|(start, _)| start ^ text.len() as u64);
    let mut take = |eight: [u8; 8]| {
        let number = u64::from_le_bytes(eight);
        for (lane, (_, factor)) in lanes.iter_mut().zip(LANES) {
            *lane = folded(*lane ^ number, factor);
        }
    };
    let (chunks, rest) = text.as_chunks::<8>();
    chunks.iter().for_each(|chunk| take(*chunk));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    take(last);
    let [first, second, third] = lanes;
    let mixed = [folded(first, third | 1), folded(second, first | 1), folded(third, second | 1)];
    bytes[..4].copy_from_slice(tag);
    bytes[4..12].copy_from_slice(&mixed[0].to_be_bytes());
    bytes[12..20].copy_from_slice(&mixed[1].to_be_bytes());
    bytes[20..].copy_from_slice(&mixed[2].to_be_bytes()[..4]);
}

/// The product of two numbers, its upper half laid over its lower.
fn folded(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn uuids_ulongs_and_short_binaries_read_back() {
        for value in [
            Value::Uuid([7; 16]),
            Value::Uuid([0; 16]),
            Value::Ulong(0),
            Value::Ulong(u64::MAX),
            Value::Binary(&[9; 24]),
        ] {
            assert_eq!(to_value(&of_value(&value)), value, "{value:?}");
        }
        assert_eq!(of_value(&Value::Binary(b"ab"))[..3], *b"ab\0");
    }

    #[test]
    fn texts_that_differ_have_different_bytes_and_those_of_now_stay() {
        let mut seen = BTreeSet::new();
        for number in 0..20_000 {
            for text in [format!("ID:{number}"), format!("ID:{number}-longer-than-one-chunk:{}", number % 7)]
            {
                assert!(seen.insert(of_value(&Value::String(&text))), "{text}");
            }
            assert!(seen.insert(of_value(&Value::Binary(&[number as u8; 25][..]))) || number > 255);
        }
        for length in 0..64 {
            assert!(seen.insert(of_value(&Value::String(&"\0".repeat(length)))), "{length} zeros");
        }
        // Stored messages are found by these bytes: they must never change.
        let kept = of_value(&Value::String("ID:AMQP:order-1"));
        let shown: String = kept.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(shown, "465259533a84af029cd54840b65b0461cdf999ff09c24a77");
    }
}
