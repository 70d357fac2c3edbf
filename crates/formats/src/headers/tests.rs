use bytes::Bytes;
use mqi::{Encoding, GroupId, MessageDescriptor, MessageFlags, PutApplicationType, Text, constants};
use proptest::prelude::*;

use super::{
    Chain, DeadLetterHeader, DescriptorExtension, Fault, HEADERS_MAX, Header, Place, RulesHeader1,
    RulesHeader2, TransmissionHeader, TriggerMessage, check, is_judged,
};

fn place(format: &str, encoding: Encoding, ccsid: i32) -> Place {
    Place { encoding, coded_character_set: ccsid, format: Text::truncated(format) }
}

fn dead_letter() -> Header {
    Header::DeadLetter(DeadLetterHeader {
        reason: 2085,
        destination_queue: Text::truncated("NO.SUCH.QUEUE"),
        destination_queue_manager: Text::truncated("QM1"),
        following: Place::default(),
        put_application_type: PutApplicationType::QMGR,
        put_application_name: Text::truncated("ferry"),
        put_date: Text::truncated("20250102"),
        put_time: Text::truncated("03040506"),
    })
}

fn every_header() -> Vec<Header> {
    vec![
        Header::Transmission(Box::new(TransmissionHeader {
            remote_queue: Text::truncated("REMOTE"),
            remote_queue_manager: Text::truncated("QM2"),
            descriptor: MessageDescriptor { backout_count: 3, ..MessageDescriptor::default() },
        })),
        Header::DescriptorExtension(DescriptorExtension {
            following: Place::default(),
            flags: 0,
            group_id: GroupId::from_bytes([7; 24]),
            message_sequence_number: 4,
            offset: 100,
            message_flags: MessageFlags::SEGMENT,
            original_length: -1,
        }),
        dead_letter(),
        Header::Rules1(RulesHeader1 {
            following: Place::default(),
            flags: 1,
            names_and_values: "MQPSCommand Publish \"a b\" c".to_owned(),
        }),
        Header::Rules2(RulesHeader2 {
            following: Place::default(),
            flags: 0,
            names_and_values_ccsid: 1208,
            folders: vec!["<usr><a>1</a></usr>".to_owned(), "<x>é</x>".to_owned()],
        }),
    ]
}

#[test]
fn a_chain_comes_back_in_every_encoding_and_character_set() {
    let chain = Chain {
        headers: every_header(),
        place: place("MQSTR", Encoding::NORMAL, 819),
        data: Bytes::from_static(b"data"),
    };
    for encoding in [Encoding::NATIVE, Encoding::NORMAL, Encoding::S390] {
        for ccsid in [1208, 819, 37, 500, 1047, 437] {
            let (place, body) = chain.write(encoding, ccsid).expect("can be written");
            assert_eq!((place.format.as_str(), place.coded_character_set), ("MQXMIT", ccsid));
            let again =
                Chain::read(&place, &body).unwrap_or_else(|error| panic!("{encoding:?} {ccsid}: {error}"));
            assert_eq!((&again.data, again.place), (&chain.data, chain.place));
            assert_eq!(again.headers.len(), chain.headers.len());
            let (_, third) = again.write(encoding, ccsid).expect("can be written again");
            assert_eq!(third, body, "{encoding:?} {ccsid}");
        }
    }
}

#[test]
fn fields_stand_where_the_facts_say() {
    let facts = include_str!("../../../mqi/facts/mqi_structs.csv");
    let offset = |structure: &str, field: &str| -> usize {
        let line =
            facts.lines().find(|line| line.starts_with(&format!("{structure},{field},"))).expect(field);
        line.split(',').nth(3).and_then(|offset| offset.parse().ok()).expect("an offset")
    };
    let chain = Chain {
        headers: vec![dead_letter()],
        place: place("MQSTR", Encoding::NATIVE, 819),
        data: Bytes::new(),
    };
    let (_, body) = chain.write(Encoding::NATIVE, 1208).expect("can be written");
    assert_eq!(body.len(), constants::MQDLH_LENGTH_1);
    assert_eq!(&body[offset("MQDLH", "DestQName")..][..13], b"NO.SUCH.QUEUE");
    assert_eq!(&body[offset("MQDLH", "Format")..][..8], b"MQSTR   ");
    assert_eq!(&body[offset("MQDLH", "PutTime")..][..8], b"03040506");
    let trigger = TriggerMessage {
        queue: Text::truncated("Q"),
        application_type: 6,
        application_id: "program".to_owned(),
        user_data: Text::truncated("user"),
        ..TriggerMessage::default()
    };
    let body = trigger.write(&place("MQTRIG", Encoding::NATIVE, 1208)).expect("can be written");
    assert_eq!(body.len(), constants::MQTM_LENGTH_1);
    assert_eq!(&body[offset("MQTM", "ApplId")..][..7], b"program");
    assert_eq!(&body[offset("MQTM", "UserData")..][..4], b"user");
    assert_eq!(TriggerMessage::read(&place("MQTRIG", Encoding::NATIVE, 1208), &body), Ok(trigger.clone()));
    let characters = trigger.to_characters("QM1", 1208).expect("can be written");
    assert_eq!(characters.len(), constants::MQTMC2_LENGTH_2);
    assert_eq!(&characters[offset("MQTMC2", "QMgrName")..][..3], b"QM1");
    let (again, queue_manager) = TriggerMessage::from_characters(&characters, 1208).expect("can be read");
    assert_eq!((again, queue_manager.as_str()), (TriggerMessage { application_type: 0, ..trigger }, "QM1"));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let chain = Chain { headers: every_header(), place: Place::default(), data: Bytes::new() };
    let (place, body) = chain.write(Encoding::NATIVE, 1208).expect("can be written");
    let cut = Chain::read(&place, &body.slice(..430)).expect_err("ends in the second header");
    assert_eq!((cut.header, cut.offset), ("MQMDE", 428));
    let mut wrong = body.to_vec();
    wrong[428..432].copy_from_slice(b"XXXX");
    let wrong = Chain::read(&place, &wrong.into()).expect_err("not what the format says");
    assert_eq!(wrong.to_string(), "MQMDE at byte 428: the structure identifier is not \"MDE \"");
    assert_eq!(wrong.reason(), mqi::Reason::MDE_ERROR);
    let unknown =
        Chain::read(&Place { coded_character_set: 1200, ..place }, &body).expect_err("two bytes a character");
    assert_eq!(unknown.fault, Fault::CharacterSet(1200));
}

#[test]
fn a_chain_has_an_end() {
    let headers = vec![dead_letter(); HEADERS_MAX + 1];
    let chain = Chain { headers, place: Place::default(), data: Bytes::new() };
    let (place, body) = chain.write(Encoding::NATIVE, 1208).expect("can be written");
    assert_eq!(Chain::read(&place, &body).expect_err("too many").fault, Fault::TooMany(HEADERS_MAX));
}

#[test]
fn folders_are_padded_and_may_be_in_two_byte_characters() {
    for ccsid in [1200, 1208, 13488] {
        let header = Header::Rules2(RulesHeader2 {
            names_and_values_ccsid: ccsid,
            folders: vec!["<usr><n>abcde</n></usr>".to_owned()],
            ..RulesHeader2::before(place("MQSTR", Encoding::NATIVE, 1208))
        });
        let chain = Chain {
            headers: vec![header],
            place: place("MQSTR", Encoding::NATIVE, 1208),
            data: Bytes::new(),
        };
        let (place, body) = chain.write(Encoding::NORMAL, 819).expect("can be written");
        assert!(body.len().is_multiple_of(4));
        assert_eq!(Chain::read(&place, &body), Ok(chain), "{ccsid}");
    }
}

#[test]
fn headers_are_judged_up_to_the_first_dead_letter_header_and_as_far_as_they_can_be_read() {
    let bad = || Chain { headers: vec![dead_letter()], place: Place::default(), data: Bytes::new() };
    let (dead, letter) = bad().write(Encoding::NATIVE, 1208).expect("can be written");
    let cut = letter.slice(..100);
    assert_eq!(check(&dead, &letter), Ok(()));
    assert_eq!(check(&dead, &cut).expect_err("cut").reason(), mqi::Reason::DLH_ERROR);
    let before = |header: Header| {
        let chain = Chain { headers: vec![header], place: dead, data: cut.clone() };
        chain.write(Encoding::NATIVE, 1208).expect("can be written")
    };
    let mut of_dead = dead_letter();
    of_dead.set_following(dead);
    for (header, is_judged) in [
        (every_header().swap_remove(0), true),
        (every_header().swap_remove(1), true),
        (of_dead, false),
        (every_header().swap_remove(3), true),
        (every_header().swap_remove(4), true),
    ] {
        let (place, body) = before(header);
        assert_eq!(check(&place, &body).is_err(), is_judged, "{}", place.format);
    }
    for unread in [
        Place { coded_character_set: 1200, ..dead },
        Place { coded_character_set: 4711, ..dead },
        Place { encoding: Encoding(0x1000), ..dead },
        Place { format: Text::truncated("MQSTR"), ..dead },
    ] {
        assert_eq!(check(&unread, &cut), Ok(()), "{unread:?}");
    }
    let judged = ["MQDEAD", "MQXMIT", "MQHMDE", "MQHRF", "MQHRF2", "MQCICS", "MQIMS"];
    for format in judged.iter().chain(&["", "MQSTR", "MQIMSVS", "MQHWIH", "MQADMIN", "MQTRIG"]) {
        assert_eq!(is_judged(&Text::truncated(format)), judged.contains(format), "{format}");
    }
}

#[test]
fn version_1_of_the_rules_has_pairs() {
    let Some(Header::Rules1(rules)) = every_header().into_iter().nth(3) else {
        panic!("the fourth has rules")
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(rules.pairs(), Ok(vec![pair("MQPSCommand", "Publish"), pair("a b", "c")]));
    for wrong in ["one", "a \"b"] {
        assert!(
            RulesHeader1 { names_and_values: wrong.to_owned(), ..rules.clone() }.pairs().is_err(),
            "{wrong}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_are_read_or_refused(at in 0..1200_usize, byte: u8, end in 0..1300_usize) {
        let chain = Chain { headers: every_header(), place: Place::default(), data: Bytes::new() };
        let (place, body) = chain.write(Encoding::NATIVE, 1208).expect("can be written");
        let mut body = body.to_vec();
        let at = at % body.len();
        body[at] = byte;
        body.truncate(end);
        let body = Bytes::from(body);
        let judged = check(&place, &body);
        if let Err(error) = Chain::read(&place, &body) {
            prop_assert!(!error.to_string().is_empty());
        }
        if let Err(error) = judged {
            prop_assert!(!error.to_string().is_empty());
            prop_assert!(error.offset <= body.len());
        }
    }
}
