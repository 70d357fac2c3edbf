use proptest::prelude::*;

use super::{ByteOrder, CharacterSet, Losses};

const ORDER: ByteOrder = ByteOrder::Reversed;

fn set(ccsid: i32) -> CharacterSet {
    CharacterSet::by_ccsid(ccsid).unwrap_or_else(|| panic!("{ccsid} is missing"))
}

#[test]
fn known_texts_have_their_known_bytes() {
    for (ccsid, text, bytes) in [
        (37, "Hello [1]", &[0xC8, 0x85, 0x93, 0x93, 0x96, 0x40, 0xBA, 0xF1, 0xBB][..]),
        (500, "[", &[0x4A]),
        (273, "Ä", &[0x4A]),
        (1047, "[]", &[0xAD, 0xBD]),
        (1140, "€", &[0x9F]),
        (1148, "€", &[0x9F]),
        (437, "é", &[0x82]),
        (850, "é", &[0x82]),
        (819, "é", &[0xE9]),
        (1250, "Š", &[0x8A]),
        (1251, "Ж", &[0xC6]),
        (1252, "€", &[0x80]),
        (1208, "€", &[0xE2, 0x82, 0xAC]),
        (1200, "€", &[0xAC, 0x20]),
        (943, "日本", &[0x93, 0xFA, 0x96, 0x7B]),
        (954, "日", &[0xC6, 0xFC]),
        (1386, "中", &[0xD6, 0xD0]),
        (950, "中", &[0xA4, 0xA4]),
        (970, "한", &[0xC7, 0xD1]),
    ] {
        assert_eq!(set(ccsid).encode(text, ORDER), (bytes.to_vec(), Losses::default()), "{text} in {ccsid}");
        assert_eq!(set(ccsid).decode(bytes, ORDER), (text.into(), Losses::default()), "{ccsid}");
    }
    assert_eq!(set(1200).encode("A", ByteOrder::Normal).0, [0, b'A']);
    assert!(CharacterSet::by_ccsid(12_345).is_none());
    assert!(CharacterSet::by_ccsid(0).is_none());
}

#[test]
fn what_a_set_does_not_have_is_counted() {
    assert_eq!(
        set(819).encode("a€b", ORDER),
        (vec![b'a', 0x1A, b'b'], Losses { substituted: 1, malformed: 0 })
    );
    assert_eq!(set(37).encode("日", ORDER), (vec![0x3F], Losses { substituted: 1, malformed: 0 }));
    assert_eq!(set(943).encode("a😀b", ORDER).1, Losses { substituted: 1, malformed: 0 });
    assert_eq!(set(1208).decode(b"a\xFFb", ORDER).1, Losses { substituted: 0, malformed: 1 });
    assert_eq!(set(1200).decode(&[0, 0xD8, 1], ORDER).1.malformed, 2);
    assert_eq!(set(1252).decode(&[0x81], ORDER).1.malformed, 1);
}

#[test]
fn every_byte_of_every_single_byte_set_comes_back() {
    for line in super::single_byte_facts() {
        let ccsid = line.split(' ').next().and_then(|number| number.parse().ok()).expect("a number");
        let set = set(ccsid);
        for byte in 0..=255_u8 {
            let bytes = [byte];
            let (text, losses) = set.decode(&bytes, ORDER);
            if losses == Losses::default() {
                let again = set.encode(&text, ORDER).0;
                assert_eq!(set.decode(&again, ORDER).0, text, "{ccsid}: {byte:#x}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_in_any_set(bytes in prop::collection::vec(any::<u8>(), 0..40), which in 0..14_usize) {
        let ccsid = [37, 437, 500, 819, 850, 932, 949, 950, 954, 1200, 1208, 1232, 1252, 1386][which];
        let set = set(ccsid);
        let (text, losses) = set.decode(&bytes, ByteOrder::Normal);
        if losses == Losses::default() {
            let (again, lost) = set.encode(&text, ByteOrder::Normal);
            if lost == Losses::default() {
                prop_assert_eq!(set.decode(&again, ByteOrder::Normal).0, text);
            }
        }
    }
}
