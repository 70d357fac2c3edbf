//! Identifiers of other interfaces in the 24 bytes that an identifier of this one has, and the texts of JMS
//! that name them.
//!
//! ```text
//! binary of 24 bytes    as it is                                ID:AMQP_BINARY:<hex>
//! shorter binary        padded with zeros                       ID:AMQP_BINARY:<hex>
//! uuid                  "FRYU" | 0 (4) | its 16 bytes           ID:AMQP_UUID:<uuid>
//! ulong                 "FRYL" | 0 (12) | its 8 bytes           ID:AMQP_ULONG:<decimal>
//! string                "FRYS" | 20 bytes of a hash             the text; ID:AMQP_NO_PREFIX:<text>
//! longer binary         "FRYB" | 20 bytes of a hash             ID:AMQP_BINARY:<hex>
//! ```
//!
//! Always: two equal identifiers have equal bytes; a uuid and a ulong read back from theirs. The hash keeps
//! identifiers apart that programs make; it is no proof against a program that wants two to be equal. Stored
//! messages are found by these bytes: they never change.

use std::fmt::Write as _;

use super::value::bytes_from_hex;

const UUID: &[u8; 4] = b"FRYU";
const ULONG: &[u8; 4] = b"FRYL";
const STRING: &[u8; 4] = b"FRYS";
const BINARY: &[u8; 4] = b"FRYB";

/// The 24 bytes of a string.
#[must_use]
pub fn of_string(text: &str) -> [u8; 24] {
    hashed(STRING, text.as_bytes())
}

/// The 24 bytes of a binary.
#[must_use]
pub fn of_binary(binary: &[u8]) -> [u8; 24] {
    let mut bytes = [0; 24];
    let Some(own) = bytes.get_mut(..binary.len()) else { return hashed(BINARY, binary) };
    own.copy_from_slice(binary);
    bytes
}

/// The 24 bytes of a uuid.
#[must_use]
pub fn of_uuid(uuid: [u8; 16]) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..4].copy_from_slice(UUID);
    bytes[8..].copy_from_slice(&uuid);
    bytes
}

/// The 24 bytes of a ulong.
#[must_use]
pub fn of_ulong(number: u64) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..4].copy_from_slice(ULONG);
    bytes[16..].copy_from_slice(&number.to_be_bytes());
    bytes
}

/// The uuid that 24 bytes were made of.
#[must_use]
pub fn to_uuid(bytes: &[u8; 24]) -> Option<[u8; 16]> {
    let (tag, uuid) = bytes.split_at(8);
    (tag[..4] == *UUID && tag[4..] == [0; 4]).then(|| uuid.try_into().expect("16 bytes follow 8 of 24"))
}

/// The ulong that 24 bytes were made of.
#[must_use]
pub fn to_ulong(bytes: &[u8; 24]) -> Option<u64> {
    let (tag, number) = bytes.split_at(16);
    let is_one = tag[..4] == *ULONG && tag[4..] == [0; 12];
    is_one.then(|| u64::from_be_bytes(number.try_into().expect("8 bytes follow 16 of 24")))
}

/// The 24 bytes of the identifier that a text of JMS names.
#[must_use]
pub fn named(text: &str) -> [u8; 24] {
    let Some((kind, said)) = text.strip_prefix("ID:AMQP_").and_then(|rest| rest.split_once(':')) else {
        return of_string(text);
    };
    let named = match kind {
        "STRING" | "NO_PREFIX" => Some(of_string(said)),
        "BINARY" => bytes_from_hex(said).map(|binary| of_binary(&binary)),
        "UUID" => uuid_from(said).map(of_uuid),
        "ULONG" => said.parse().ok().map(of_ulong),
        _ => None,
    };
    named.unwrap_or_else(|| of_string(text))
}

/// `ID:` and 24 bytes in hexadecimal, as JMS clients of the family write identifiers.
#[must_use]
pub fn text_of(bytes: &[u8; 24]) -> String {
    let mut text = String::with_capacity(3 + 2 * bytes.len());
    text.push_str("ID:");
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    text
}

fn uuid_from(text: &str) -> Option<[u8; 16]> {
    let places = [8, 13, 18, 23];
    let is_one = text.len() == 36 && text.char_indices().all(|(at, c)| (c == '-') == places.contains(&at));
    let hex = is_one.then(|| text.replace('-', ""))?;
    bytes_from_hex(&hex)?.try_into().ok()
}

/// Odd numbers without a pattern: a lane of the hash begins with one and is multiplied by another.
const LANES: [(u64, u64); 3] = [
    (0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93),
    (0xC2B2_AE3D_27D4_EB4F, 0xA076_1D64_78BD_642F),
    (0x1656_67B1_9E37_79F9, 0xE703_7ED1_A0B4_28DB),
];

fn hashed(tag: &[u8; 4], text: &[u8]) -> [u8; 24] {
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
    let mut bytes = [0; 24];
    bytes[..4].copy_from_slice(tag);
    bytes[4..12].copy_from_slice(&mixed[0].to_be_bytes());
    bytes[12..20].copy_from_slice(&mixed[1].to_be_bytes());
    bytes[20..].copy_from_slice(&mixed[2].to_be_bytes()[..4]);
    bytes
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
        for uuid in [[7; 16], [0; 16]] {
            assert_eq!((to_uuid(&of_uuid(uuid)), to_ulong(&of_uuid(uuid))), (Some(uuid), None));
        }
        for number in [0, u64::MAX] {
            assert_eq!((to_ulong(&of_ulong(number)), to_uuid(&of_ulong(number))), (Some(number), None));
        }
        assert_eq!((of_binary(&[9; 24]), of_binary(b"ab")[..3].to_vec()), ([9; 24], b"ab\0".to_vec()));
        assert_eq!((to_uuid(&[9; 24]), to_ulong(&[9; 24])), (None, None));
    }

    #[test]
    fn texts_that_differ_have_different_bytes_and_those_of_now_stay() {
        let mut seen = BTreeSet::new();
        for number in 0..20_000 {
            for text in [format!("ID:{number}"), format!("ID:{number}-longer-than-one-chunk:{}", number % 7)]
            {
                assert!(seen.insert(of_string(&text)), "{text}");
            }
            assert!(seen.insert(of_binary(&[number as u8; 25][..])) || number > 255);
        }
        for length in 0..64 {
            assert!(seen.insert(of_string(&"\0".repeat(length))), "{length} zeros");
        }
        assert_eq!(
            text_of(&of_string("ID:AMQP:order-1")),
            "ID:465259533a84af029cd54840b65b0461cdf999ff09c24a77"
        );
    }

    #[test]
    fn a_text_names_a_string_unless_it_is_one_that_clients_of_jms_make_of_another_identifier() {
        let uuid = "00010203-0405-0607-0809-0a0b0c0d0e0f";
        let bytes = std::array::from_fn(|at| at as u8);
        for (text, expected) in [
            ("ID:a", of_string("ID:a")),
            ("plain", of_string("plain")),
            ("ID:AMQP_NO_PREFIX:plain", of_string("plain")),
            ("ID:AMQP_STRING:ID:AMQP_UUID:x", of_string("ID:AMQP_UUID:x")),
            (&format!("ID:AMQP_UUID:{uuid}"), of_uuid(bytes)),
            (&format!("ID:AMQP_UUID:{}", uuid.to_uppercase()), of_uuid(bytes)),
            ("ID:AMQP_ULONG:18446744073709551615", of_ulong(u64::MAX)),
            ("ID:AMQP_BINARY:0aFF", of_binary(&[0x0A, 0xFF])),
        ] {
            assert_eq!(named(text), expected, "{text}");
        }
        for text in [
            "ID:AMQP_UUID:00010203-0405-0607-0809-0a0b0c0d0e0",
            "ID:AMQP_UUID:000102030-405-0607-0809-0a0b0c0d0e0f",
            "ID:AMQP_UUID:00010203-0405-0607-0809-0a0b0c0d0eäf",
            "ID:AMQP_ULONG:18446744073709551616",
            "ID:AMQP_ULONG:",
            "ID:AMQP_BINARY:0",
            "ID:AMQP_BINARY:xy",
            "ID:AMQP_OTHER:x",
            "ID:AMQP_UUID",
        ] {
            assert_eq!(named(text), of_string(text), "{text}");
        }
    }
}
