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
        (54_936, "中€", &[0xD6, 0xD0, 0xA2, 0xE3]),
        (54_936, "😀", &[0x94, 0x39, 0xFC, 0x36]),
        (424, "אש", &[0x41, 0x69]),
        (1129, "ă₫", &[0xE3, 0xFE]),
        (5348, "€Ž", &[0x80, 0x8E]),
        (930, "aｱ日本b", &[0x62, 0x81, 0x0E, 0x45, 0x62, 0x45, 0x66, 0x0F, 0x63]),
        (5026, "日", &[0x0E, 0x45, 0x62, 0x0F]),
        (939, "a日本b", &[0x81, 0x0E, 0x45, 0x62, 0x45, 0x66, 0x0F, 0x82]),
        (5035, "ｱ", &[0x59]),
        (1388, "a中", &[0x81, 0x0E, 0x5B, 0xCF, 0x0F]),
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

/// The program that asks the source of the facts makes digests of its answers for each byte, each pair of
/// bytes and each character of Unicode.
#[test]
fn mixed_sets_answer_as_their_source_for_every_code_point() {
    let step = |value: u64, number: u32| (value ^ u64::from(number)).wrapping_mul(0x0100_0000_01B3);
    let begin = 0xCBF2_9CE4_8422_2325_u64;
    let mut sets = 0;
    for line in super::mixed::FACTS.lines().filter_map(|line| line.strip_prefix("digest ")) {
        let words: Vec<_> = line.split(' ').collect();
        let set = set(words[0].parse().unwrap());
        let point = |bytes: &[u8]| match set.decode(bytes, ORDER) {
            (text, losses) if losses == Losses::default() => text.chars().next().map_or(u32::MAX, u32::from),
            _ => u32::MAX,
        };
        let singles = (0..=255_u8).map(|byte| point(&[byte]));
        let pairs = (0x40..=255_u8).flat_map(|lead| (0x40..=255_u8).map(move |trail| (lead, trail)));
        let doubles = pairs.map(|(lead, trail)| point(&[0x0E, lead, trail, 0x0F]));
        let reads = singles.chain(doubles).fold(begin, step);
        let writes = ('\0'..=char::MAX).fold(begin, |value, character| {
            match set.encode(character.encode_utf8(&mut [0; 4]), ORDER) {
                (bytes, losses) if losses == Losses::default() => {
                    bytes.into_iter().map(u32::from).fold(step(value, u32::from(character)), step)
                }
                _ => value,
            }
        });
        assert_eq!([format!("{reads:016x}"), format!("{writes:016x}")], words[1..], "{}", words[0]);
        sets += 1;
    }
    assert_eq!(sets, 3);
}

/// A set of all of Unicode, but for the private characters that stood for 18 others before those had a code
/// point, and are written as these.
#[test]
fn every_character_of_unicode_but_old_private_ones_comes_back_from_54936() {
    let all: String = ('\0'..=char::MAX).filter(|character| *character != '\u{E5E5}').collect();
    let (bytes, losses) = set(54_936).encode(&all, ORDER);
    assert_eq!(losses, Losses::default());
    let (again, losses) = set(54_936).decode(&bytes, ORDER);
    assert_eq!(losses, Losses::default());
    let differing = all.chars().zip(again.chars()).filter(|(sent, read)| sent != read).map(|(sent, _)| sent);
    let mut private: Vec<char> = ('\u{E78D}'..='\u{E796}').collect();
    private.extend("\u{E81E}\u{E826}\u{E82B}\u{E82C}\u{E832}\u{E843}\u{E854}\u{E864}".chars());
    assert_eq!(differing.collect::<Vec<_>>(), private);
}

/// The page says which numbers there are: `| numbers | set |` a row.
#[test]
fn the_reference_names_every_set() {
    let page = include_str!("../../../../docs/reference/character-sets.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")?.split_once(" |"));
    let mut named: Vec<i32> =
        rows.flat_map(|(numbers, _)| numbers.split(' ')).filter_map(|number| number.parse().ok()).collect();
    named.sort_unstable();
    let known: Vec<i32> = (0..=70_000).filter(|ccsid| CharacterSet::by_ccsid(*ccsid).is_some()).collect();
    assert_eq!(named, known);
}

#[test]
fn a_mixed_text_that_is_cut_is_a_shorter_text_or_malformed_and_never_another() {
    for ccsid in [930, 939, 1388, 5026, 5035] {
        let set = set(ccsid);
        let text = "A中B日本C";
        let (bytes, losses) = set.encode(text, ORDER);
        assert_eq!((bytes.len(), losses), (13, Losses::default()), "{ccsid}");
        // Whole characters in each beginning, and the lengths at which a character of two bytes is half.
        let whole = [0, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6];
        let half = [3, 8, 10];
        for length in 0..=bytes.len() {
            let (cut, losses) = set.decode(&bytes[..length], ORDER);
            let beginning: String = text.chars().take(whole[length]).collect();
            let mark = if half.contains(&length) { "\u{FFFD}" } else { "" };
            assert_eq!(cut, format!("{beginning}{mark}"), "{ccsid} cut at {length}");
            assert_eq!(losses.malformed, mark.chars().count(), "{ccsid} cut at {length}");
        }
    }
}

#[test]
fn shifts_of_mixed_sets_are_read_wherever_they_stand() {
    for ccsid in [930, 939, 1388] {
        let read = |bytes: &[u8]| {
            let (text, losses) = set(ccsid).decode(bytes, ORDER);
            (text.into_owned(), losses.malformed)
        };
        assert_eq!(read(&[0x0F, 0xC1]), ("A".into(), 0), "shifted in twice");
        assert_eq!(read(&[0x0E, 0x0F, 0xC1, 0x0E]), ("A".into(), 0), "nothing between shifts");
        assert_eq!(read(&[0x0E, 0x0E, 0x40, 0x40, 0x0F, 0xC1]), ("\u{3000}A".into(), 0), "shifted out twice");
        assert_eq!(
            read(&[0x0E, 0x45, 0x0F, 0xC1]),
            ("\u{FFFD}A".into(), 1),
            "half a character before the shift"
        );
        assert_eq!(
            read(&[0x0E, 0x15, 0x40, 0x40]),
            ("\u{FFFD}\u{3000}".into(), 1),
            "a control between pairs"
        );
        assert_eq!(read(&[0x0E, 0xFE, 0xFE, 0x0F]), ("\u{FFFD}".into(), 1), "a pair that is none");
        let (bytes, losses) = set(ccsid).encode("中😀A", ORDER);
        assert_eq!(
            (bytes[3..].to_vec(), losses.substituted),
            (vec![0x0F, 0x3F, 0xC1], 1),
            "no such character"
        );
    }
}

#[test]
fn a_text_is_cut_to_a_width_in_whole_characters() {
    for (ccsid, text, width, expected) in [
        (939, "日本", 6, &[0x0E, 0x45, 0x62, 0x45, 0x66, 0x0F][..]),
        (939, "日本", 5, &[0x0E, 0x45, 0x62, 0x0F]),
        (939, "日本", 3, &[]),
        (939, "A日", 4, &[0xC1]),
        (943, "日本", 3, &[0x93, 0xFA]),
        (1208, "aß", 2, b"a"),
        (819, "abcdef", 3, b"abc"),
        (819, "abc", 0, b""),
    ] {
        assert_eq!(set(ccsid).encode_within(text, ORDER, width), expected, "{text} in {ccsid}, {width} wide");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_in_any_set(bytes in prop::collection::vec(any::<u8>(), 0..40), which in 0..18_usize) {
        let ccsid = [37, 437, 500, 819, 850, 932, 949, 950, 954, 1200, 1208, 1232, 1252, 1386, 930, 939, 1388, 54_936][which];
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
