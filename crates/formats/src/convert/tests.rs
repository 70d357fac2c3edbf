use bytes::Bytes;
use mqi::{Encoding, Reason, Text, constants};
use proptest::prelude::*;

use super::{Target, body, characters};
use crate::headers::{Chain, Header, Place, RulesHeader2};

fn place(format: &str, encoding: Encoding, ccsid: i32) -> Place {
    Place { encoding, coded_character_set: ccsid, format: Text::truncated(format) }
}

fn target(encoding: Encoding, coded_character_set: i32) -> Target {
    Target { encoding, coded_character_set }
}

#[test]
fn a_text_is_converted_or_given_as_it_was_with_the_reason() {
    let german = Bytes::from("größe".as_bytes().to_vec());
    let from = place("MQSTR", Encoding::NATIVE, 1208);
    for (to, bytes_max, expected) in [
        (37, 100, Ok(vec![0x87, 0x99, 0xCC, 0x59, 0x85])),
        (819, 100, Ok(b"gr\xF6\xDFe".to_vec())),
        (1200, 100, Ok("größe".encode_utf16().flat_map(u16::to_le_bytes).collect())),
        (1251, 100, Err(Reason::NOT_CONVERTED)),
        (4_711, 100, Err(Reason::TARGET_CCSID_ERROR)),
        (1200, 9, Err(Reason::CONVERTED_MSG_TOO_BIG)),
    ] {
        let converted = body(&from, &german, target(Encoding::NATIVE, to), bytes_max);
        match expected {
            Ok(bytes) => {
                assert_eq!(converted.warning, None, "to {to}");
                assert_eq!(
                    (converted.body.to_vec(), converted.place.coded_character_set),
                    (bytes, to),
                    "to {to}"
                );
            }
            Err(reason) => {
                assert_eq!(converted.warning, Some(reason), "to {to}");
                assert_eq!((&converted.body, converted.place), (&german, from), "to {to}");
            }
        }
    }
    let to = target(Encoding::NATIVE, 819);
    let warning = |place: Place| body(&place, &german, to, 100).warning;
    assert_eq!(warning(place("MQSTR", Encoding::NATIVE, 4_711)), Some(Reason::SOURCE_CCSID_ERROR));
    assert_eq!(warning(place("", Encoding::NATIVE, 1208)), Some(Reason::FORMAT_ERROR));
    assert_eq!(warning(place("MQDEAD", Encoding::NATIVE, 1208)), Some(Reason::FORMAT_ERROR));
    assert_eq!(warning(place("", Encoding::NATIVE, 819)), None, "nothing to convert");
    let wrong_order = body(&from, &german, target(Encoding(0), 819), 100);
    assert_eq!(wrong_order.warning, Some(Reason::TARGET_INTEGER_ENC_ERROR));
}

/// Half a character, and bytes that begin none, of a set of one or two bytes.
#[test]
fn bytes_that_are_no_text_of_a_set_of_several_bytes_are_told_as_such() {
    for ccsid in [932, 949, 950, 1386] {
        let half = Bytes::from_static(b"a\xFF");
        let converted =
            body(&place("MQSTR", Encoding::NATIVE, ccsid), &half, target(Encoding::NATIVE, 1208), 100);
        assert_eq!((converted.warning, converted.body), (Some(Reason::DBCS_ERROR), half.clone()), "{ccsid}");
        assert_eq!(characters(0, ccsid, &half, 1208, 100), Err(Reason::DBCS_ERROR), "{ccsid}");
        let by_default = constants::MQDCC_DEFAULT_CONVERSION;
        assert!(characters(by_default, ccsid, &half, 1208, 100).is_ok(), "{ccsid}");
    }
    assert_eq!(characters(0, 1208, b"\xFF", 819, 100), Err(Reason::NOT_CONVERTED));
}

/// A getter's buffer is measured against the text with its shifts; a text cut in a character says so.
#[test]
fn a_text_of_a_mixed_set_is_converted_with_its_shifts_or_given_as_it_was() {
    let japanese = Bytes::from("A日本".as_bytes().to_vec());
    let from = place("MQSTR", Encoding::NATIVE, 1208);
    for ccsid in [930, 939, 1388, 5026, 5035] {
        let to = target(Encoding::NATIVE, ccsid);
        let whole = body(&from, &japanese, to, 7);
        assert_eq!((whole.warning, whole.body.len()), (None, 7), "{ccsid}");
        for bytes_max in 0..7 {
            let cut = body(&from, &japanese, to, bytes_max);
            let expected = (Some(Reason::CONVERTED_MSG_TOO_BIG), &japanese);
            assert_eq!((cut.warning, &cut.body), expected, "{ccsid} in {bytes_max}");
        }
        let back = |bytes: Bytes| body(&whole.place, &bytes, target(Encoding::NATIVE, 1208), 100);
        assert_eq!(back(whole.body.clone()).body, japanese, "{ccsid}");
        for half in [3, 5] {
            let cut = whole.body.slice(..half);
            let found = back(cut.clone());
            assert_eq!((found.warning, found.body), (Some(Reason::DBCS_ERROR), cut), "{ccsid} cut at {half}");
        }
        let without = body(&from, &Bytes::from("A😀".as_bytes().to_vec()), to, 100);
        assert_eq!(without.warning, Some(Reason::NOT_CONVERTED), "{ccsid}");
        let fill = constants::MQDCC_FILL_TARGET_BUFFER;
        let filled = characters(fill, 1208, &japanese, ccsid, 10).unwrap();
        assert_eq!((&filled[..7], &filled[7..]), (&whole.body[..], &[0x40; 3][..]), "{ccsid}");
    }
}

#[test]
fn headers_and_data_are_converted_together() {
    let folder = "<usr><n dt='i4'>7</n></usr>".to_owned();
    let inner = place("MQSTR", Encoding::NATIVE, 819);
    let chain = Chain {
        headers: vec![Header::Rules2(RulesHeader2 {
            folders: vec![folder.clone()],
            ..RulesHeader2::before(inner)
        })],
        place: inner,
        data: Bytes::from_static(b"\xFCber"),
    };
    let (outer, bytes) = chain.write(Encoding::NATIVE, 1208).unwrap();
    let converted = body(&outer, &bytes, target(Encoding::NORMAL, 37), 1000);
    assert_eq!(converted.warning, None);
    assert_eq!((converted.place.encoding, converted.place.coded_character_set), (Encoding::NORMAL, 37));
    let again = Chain::read(&converted.place, &converted.body).unwrap();
    assert_eq!(again.data.to_vec(), [0xDC, 0x82, 0x85, 0x99]);
    let Header::Rules2(header) = &again.headers[0] else { panic!("folders") };
    assert_eq!(header.folders, [folder]);
    let back = body(&converted.place, &converted.body, target(Encoding::NATIVE, 1208), 1000);
    assert_eq!(Chain::read(&back.place, &back.body).unwrap().data, Bytes::from("über".as_bytes().to_vec()));
}

#[test]
fn characters_are_converted_by_their_options() {
    let fill = constants::MQDCC_FILL_TARGET_BUFFER;
    let by_default = constants::MQDCC_DEFAULT_CONVERSION;
    let to_normal = constants::MQDCC_TARGET_ENC_NORMAL;
    for (options, source, text, target, bytes_max, expected) in [
        (0, 1208, "ab", 37, 9, Ok(vec![0x81, 0x82])),
        (fill, 1208, "ab", 37, 4, Ok(vec![0x81, 0x82, 0x40, 0x40])),
        (to_normal, 1208, "a", 1200, 9, Ok(vec![0, 0x61])),
        (0, 1208, "a", 1200, 9, Ok(vec![0x61, 0])),
        (0, 1208, "€", 819, 9, Err(Reason::NOT_CONVERTED)),
        (by_default, 1208, "€", 819, 9, Ok(vec![0x1A])),
        (0, 1208, "abc", 37, 2, Err(Reason::CONVERTED_STRING_TOO_BIG)),
        (0, 1, "a", 37, 2, Err(Reason::SOURCE_CCSID_ERROR)),
        (0, 37, "a", 1, 2, Err(Reason::TARGET_CCSID_ERROR)),
        (8, 1208, "a", 37, 2, Err(Reason::OPTIONS_ERROR)),
        (0x30, 1208, "a", 37, 2, Err(Reason::OPTIONS_ERROR)),
    ] {
        let found = characters(options, source, text.as_bytes(), target, bytes_max);
        assert_eq!(found, expected, "{options} {source} {text} {target}");
    }
}

proptest! {

    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn commands_of_any_bytes_are_converted_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let near = place("MQADMIN", Encoding::NATIVE, 1208);
        let _ = body(&near, &bytes.into(), target(Encoding::NORMAL, 500), 1 << 20);
    }


    #[test]
    fn a_body_is_never_lost(bytes in prop::collection::vec(any::<u8>(), 0..100), format in 0..5_usize, to in 0..5_usize) {
        let format = ["MQSTR", "MQHRF2", "MQDEAD", "MQTRIG", ""][format];
        let from = place(format, Encoding::NATIVE, 1208);
        let bytes = Bytes::from(bytes);
        let ccsid = [37, 1200, 943, 819, 1][to];
        let converted = body(&from, &bytes, target(Encoding::NORMAL, ccsid), 1 << 20);
        if converted.warning.is_some() {
            prop_assert_eq!((converted.place, converted.body), (from, bytes));
        }
    }
}

/// Every option of MQXCNVC.
const OPTIONS: [i32; 7] = [
    constants::MQDCC_DEFAULT_CONVERSION,
    constants::MQDCC_FILL_TARGET_BUFFER,
    constants::MQDCC_INT_DEFAULT_CONVERSION,
    constants::MQDCC_SOURCE_ENC_NORMAL,
    constants::MQDCC_SOURCE_ENC_REVERSED,
    constants::MQDCC_TARGET_ENC_NORMAL,
    constants::MQDCC_TARGET_ENC_REVERSED,
];

#[test]
fn characters_are_converted_with_each_option() {
    assert_eq!(constants::MQDCC_SOURCE_ENC_NATIVE, constants::MQDCC_SOURCE_ENC_REVERSED);
    assert_eq!(constants::MQDCC_TARGET_ENC_NATIVE, constants::MQDCC_TARGET_ENC_REVERSED);
    for option in OPTIONS {
        assert_eq!(characters(option, 1208, b"ab", 37, 2), Ok(vec![0x81, 0x82]), "{option:#x}");
    }
}

#[test]
fn characters_are_not_converted_with_an_option_that_is_none() {
    for option in OPTIONS {
        for besides in [8, 0x40, 0x400, 1 << 20, i32::MIN] {
            let refused = characters(option | besides, 1208, b"ab", 37, 2);
            assert_eq!(refused, Err(Reason::OPTIONS_ERROR), "{option:#x} beside {besides:#x}");
        }
    }
}

/// A structure of a message of commands: its type, and what follows its length.
fn structure(kind: i32, numbers: &[i32], rest: &[u8], big: bool) -> Vec<u8> {
    let number = |number: i32| if big { number.to_be_bytes() } else { number.to_le_bytes() };
    let filled = rest.len().next_multiple_of(4);
    let length = i32::try_from(8 + 4 * numbers.len() + filled).unwrap();
    let mut bytes: Vec<u8> =
        [kind, length].into_iter().chain(numbers.iter().copied()).flat_map(number).collect();
    bytes.extend_from_slice(rest);
    bytes.resize(bytes.len() + filled - rest.len(), 0);
    bytes
}

fn command(ccsid: i32, text: &[u8], list: [&[u8]; 2], big: bool) -> Vec<u8> {
    use constants::*;
    let length = |bytes: &[u8]| i32::try_from(bytes.len()).unwrap();
    let long = if big { 7_i64.to_be_bytes() } else { 7_i64.to_le_bytes() };
    let body = [
        structure(MQCFT_COMMAND, &[1, MQCMD_CREATE_Q, 1, MQCFC_LAST, 0, 0, 8], &[], big),
        structure(MQCFT_STRING, &[MQCA_Q_NAME, ccsid, length(text)], text, big),
        structure(MQCFT_INTEGER, &[MQIA_Q_TYPE, 1], &[], big),
        structure(MQCFT_INTEGER_LIST, &[MQIACF_Q_ATTRS, 2, 5, 6], &[], big),
        structure(MQCFT_INTEGER64, &[MQIACF_UOW_STATE, 0], &long, big),
        structure(MQCFT_STRING_LIST, &[MQCA_NAMES, ccsid, 2, length(list[0])], &list.concat(), big),
        structure(MQCFT_BYTE_STRING, &[MQBACF_CONNECTION_ID, 3], &[1, 2, 3], big),
        structure(MQCFT_GROUP, &[MQGACF_COMMAND_DATA, 1], &[], big),
        structure(MQCFT_STRING_FILTER, &[MQCA_Q_DESC, MQCFOP_LIKE, ccsid, length(text)], text, big),
    ];
    body.concat()
}

#[test]
fn commands_are_converted_structure_by_structure() {
    let here: Bytes = command(1208, "Größe".as_bytes(), [b"ONE", b"TWO"], false).into();
    let there: Bytes = command(37, b"\xC7\x99\xCC\x59\x85", [b"\xD6\xD5\xC5", b"\xE3\xE6\xD6"], true).into();
    for format in ["MQADMIN", "MQEVENT", "MQPCF"] {
        let near = place(format, Encoding::NATIVE, 1208);
        let to = target(Encoding::NORMAL, 37);
        let converted = body(&near, &here, to, 1 << 20);
        assert_eq!((converted.warning, &converted.body), (None, &there), "{format}");
        assert_eq!((converted.place.coded_character_set, converted.place.encoding), (37, Encoding::NORMAL));
        let back = body(&converted.place, &converted.body, target(Encoding::NATIVE, 1208), 1 << 20);
        assert_eq!((back.warning, back.body), (None, here.clone()), "{format}");
        let refused = |bytes: Bytes| body(&near, &bytes, to, 1 << 20).warning;
        for cut in 1..here.len() {
            if let Some(reason) = refused(here.slice(..cut)) {
                assert_eq!(reason, Reason::FORMAT_ERROR, "cut at {cut}");
            }
        }
        assert_eq!(refused(structure(99, &[1], &[], false).into()), Some(Reason::FORMAT_ERROR));
        assert_eq!(
            body(&near, &here, target(Encoding::NATIVE, 1251), 1 << 20).warning,
            Some(Reason::NOT_CONVERTED)
        );
    }
}
