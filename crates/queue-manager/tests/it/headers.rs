//! Puts of headers that are not what their formats say. Programs that show nothing of version 7 of the
//! interface may put them, and get them back as they are; from others they are refused.

use bytes::Bytes;
use formats::headers::{
    Chain, DeadLetterHeader, DescriptorExtension, Header, Place, RulesHeader1, RulesHeader2,
    TransmissionHeader,
};
use formats::properties::{By, put_before_as};
use mqi::{
    Encoding, GetFlags, GetOptions, GroupId, MessageDescriptor, MessageFlags, MessageHandle,
    ObjectDescriptor, OpenOptions, PutApplicationType, PutFlags, PutOptions, Reason, Text, Wait,
};

use crate::support::*;

const DATA: &[u8] = b"the data behind";

fn following(format: &str) -> Place {
    Place { encoding: Encoding::NATIVE, coded_character_set: 1208, format: Text::truncated(format) }
}

/// A header before the data, as a program writes it.
fn written(header: Header) -> Vec<u8> {
    let chain = Chain { headers: vec![header], place: following("MQSTR"), data: Bytes::from_static(DATA) };
    chain.write(Encoding::NATIVE, 1208).unwrap().1.to_vec()
}

/// The start of a structure of bridges, in its whole length and with the data behind.
fn of_bridge(identifier: &str, version: i32, length: i32) -> Vec<u8> {
    let mut bytes = identifier.as_bytes().to_vec();
    for number in [version, length, Encoding::NATIVE.code(), 1208] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(b"MQSTR   ");
    bytes.resize(length as usize, 0);
    bytes.extend_from_slice(DATA);
    bytes
}

fn folders(folder: &str) -> Vec<u8> {
    let folders = vec![folder.to_owned()];
    written(Header::Rules2(RulesHeader2 { folders, ..RulesHeader2::before(following("MQSTR")) }))
}

/// A header that is what its format says.
fn right(format: &str) -> Vec<u8> {
    match format {
        "MQDEAD" => written(Header::DeadLetter(DeadLetterHeader {
            reason: 2085,
            destination_queue: Text::truncated("NOWHERE"),
            destination_queue_manager: Text::truncated("QM1"),
            following: following("MQSTR"),
            put_application_type: PutApplicationType::QMGR,
            put_application_name: Text::truncated("ferry"),
            put_date: Text::truncated("20250102"),
            put_time: Text::truncated("03040506"),
        })),
        "MQXMIT" => written(Header::Transmission(Box::new(TransmissionHeader {
            remote_queue: Text::truncated("REMOTE"),
            remote_queue_manager: Text::truncated("QM2"),
            descriptor: MessageDescriptor::default(),
        }))),
        "MQCICS" => of_bridge("CIH ", 2, 180),
        "MQIMS" => of_bridge("IIH ", 1, 84),
        "MQHRF" => written(Header::Rules1(RulesHeader1 {
            following: following("MQSTR"),
            flags: 0,
            names_and_values: "MQPSCommand Publish".to_owned(),
        })),
        "MQHRF2" => folders("<usr><a>1</a></usr>"),
        other => panic!("{other} announces no header"),
    }
}

/// An extension of the descriptor behind a header of folders.
fn extension_behind_folders() -> Vec<u8> {
    let extension = DescriptorExtension {
        following: following("MQSTR"),
        flags: 0,
        group_id: GroupId::NONE,
        message_sequence_number: 1,
        offset: 0,
        message_flags: MessageFlags::EMPTY,
        original_length: -1,
    };
    let behind = written(Header::DescriptorExtension(extension));
    let folders = vec!["<usr><a>1</a></usr>".to_owned()];
    let header = Header::Rules2(RulesHeader2 { folders, ..RulesHeader2::before(following("MQHMDE")) });
    let chain = Chain { headers: vec![header], place: following("MQHMDE"), data: behind.into() };
    chain.write(Encoding::NATIVE, 1208).unwrap().1.to_vec()
}

/// A fault in a header.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    Cut(usize),
    Text(usize, &'static str),
    Number(usize, i32),
    Folder(&'static str),
    BehindFolders(usize, i32),
}

fn body(format: &str, wrong: Wrong) -> Bytes {
    let mut body = match wrong {
        Wrong::Folder(text) => folders(text),
        Wrong::BehindFolders(..) => extension_behind_folders(),
        _ => right(format),
    };
    match wrong {
        Wrong::Cut(length) => body.truncate(length),
        Wrong::Text(at, text) => body[at..at + text.len()].copy_from_slice(text.as_bytes()),
        Wrong::Number(at, number) => body[at..at + 4].copy_from_slice(&number.to_le_bytes()),
        Wrong::Folder(_) => {}
        Wrong::BehindFolders(at, number) => {
            // Behind 36 bytes of the first header, a length and a folder of 20.
            body[60 + at..64 + at].copy_from_slice(&number.to_le_bytes());
        }
    }
    body.into()
}

const MALFORMED: &[(&str, Wrong, Reason)] = &[
    ("MQDEAD", Wrong::Cut(100), Reason::DLH_ERROR),
    ("MQDEAD", Wrong::Text(0, "DLHX"), Reason::DLH_ERROR),
    ("MQDEAD", Wrong::Number(4, 2), Reason::DLH_ERROR),
    ("MQDEAD", Wrong::Number(112, -1), Reason::DLH_ERROR),
    ("MQXMIT", Wrong::Cut(200), Reason::XQH_ERROR),
    ("MQXMIT", Wrong::Text(0, "XQHX"), Reason::XQH_ERROR),
    ("MQXMIT", Wrong::Number(4, 2), Reason::XQH_ERROR),
    ("MQXMIT", Wrong::Text(104, "MDXX"), Reason::XQH_ERROR),
    ("MQCICS", Wrong::Cut(179), Reason::HEADER_ERROR),
    ("MQCICS", Wrong::Text(0, "CIHX"), Reason::HEADER_ERROR),
    ("MQCICS", Wrong::Number(4, 3), Reason::HEADER_ERROR),
    ("MQCICS", Wrong::Number(8, 164), Reason::HEADER_ERROR),
    ("MQIMS", Wrong::Cut(10), Reason::IIH_ERROR),
    ("MQIMS", Wrong::Text(0, "IIHX"), Reason::IIH_ERROR),
    ("MQIMS", Wrong::Number(4, 2), Reason::IIH_ERROR),
    ("MQIMS", Wrong::Number(8, 85), Reason::IIH_ERROR),
    ("MQIMS", Wrong::Number(16, -3), Reason::IIH_ERROR),
    ("MQHRF", Wrong::Cut(30), Reason::RFH_ERROR),
    ("MQHRF", Wrong::Number(4, 2), Reason::RFH_ERROR),
    ("MQHRF", Wrong::Number(8, 31), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Cut(0), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Cut(50), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Text(0, "RFHX"), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(4, 3), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(8, 35), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(8, 1000), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(16, -1), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(32, 37), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(36, 19), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(36, -4), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Number(36, 24), Reason::RFH_ERROR),
    ("MQHRF2", Wrong::Folder("<<jms><Cid>c</Cid></jms>"), Reason::RFH_FORMAT_ERROR),
    ("MQHRF2", Wrong::Folder("no tag"), Reason::RFH_FORMAT_ERROR),
    ("MQHRF2", Wrong::Folder("<shop content='properties"), Reason::RFH_FORMAT_ERROR),
    ("MQHRF2", Wrong::BehindFolders(0, 0), Reason::MDE_ERROR),
    ("MQHRF2", Wrong::BehindFolders(8, 76), Reason::MDE_ERROR),
    ("MQHRF2", Wrong::BehindFolders(16, -1), Reason::MDE_ERROR),
];

fn described(format: &str) -> MessageDescriptor {
    let mut descriptor = message(false);
    following(format).describe(&mut descriptor);
    descriptor
}

#[test]
fn a_malformed_header_is_refused_from_a_program_that_uses_options_of_version_7() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QALIAS(ASYNC) TARGET(Q) DEFPRESP(ASYNC)");
    let mut one = bench.connect();
    let plain = one.open("Q", OUTPUT);
    let asynchronous = one.open("ASYNC", OUTPUT);
    let newer = one.open("Q", OUTPUT | OpenOptions::NO_MULTICAST);
    let topic = bench.open(one.connection.open(&ObjectDescriptor::topic("a"), OUTPUT)).unwrap().handle;
    let queue = ObjectDescriptor::queue("Q".parse().unwrap());
    for (format, wrong, reason) in MALFORMED {
        let (descriptor, body) = (described(format), body(format, *wrong));
        for (handle, flags) in [
            (plain, PutFlags::SYNC_RESPONSE),
            (plain, PutFlags::ASYNC_RESPONSE),
            (plain, PutFlags::ASYNC_RESPONSE | PutFlags::SYNCPOINT),
            (asynchronous, PutFlags::SYNC_RESPONSE),
            (newer, PutFlags::EMPTY),
            (topic, PutFlags::EMPTY),
        ] {
            let put = one.connection.put(handle, &descriptor, &PutOptions::with(flags), body.clone());
            assert_eq!(bench.open(put).map(drop), Err(*reason), "{format} {wrong:?} {flags:?}");
        }
        let options = PutOptions::with(PutFlags::SYNC_RESPONSE);
        let put = one.connection.put1(&queue, &descriptor, &options, body.clone());
        assert_eq!(bench.open(put).map(drop), Err(*reason), "{format} {wrong:?}");
        // What a message handle holds stands before what the program put.
        let folders = vec!["<usr><of>handle</of></usr>".to_owned()];
        let (place, whole) = put_before_as(folders, By::Handle, &following(format), &body).unwrap();
        let mut descriptor = message(false);
        place.describe(&mut descriptor);
        let put = one.connection.put(plain, &descriptor, &PutOptions::default(), whole);
        assert_eq!(bench.open(put).map(drop), Err(*reason), "{format} {wrong:?}");
    }
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_malformed_header_of_an_older_program_is_given_back_as_it_is() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QALIAS(ASYNC) TARGET(Q) DEFPRESP(ASYNC)");
    let mut one = bench.connect();
    let plain = one.open("Q", INPUT | OUTPUT | OpenOptions::BROWSE);
    let asynchronous = one.open("ASYNC", OUTPUT);
    let object = ObjectDescriptor::queue("Q".parse().unwrap());
    for (format, wrong, _) in MALFORMED {
        let (descriptor, body) = (described(format), body(format, *wrong));
        let case = format!("{format} {wrong:?}");
        for (handle, flags) in [
            (plain, PutFlags::NO_SYNCPOINT),
            (plain, PutFlags::FAIL_IF_QUIESCING),
            // As a client asks for it, of which its program knows nothing.
            (asynchronous, PutFlags::ASYNC_RESPONSE),
        ] {
            let put = one.connection.put(handle, &descriptor, &PutOptions::with(flags), body.clone());
            bench.open(put).map(drop).expect(&case);
        }
        let put = one.connection.put1(&object, &descriptor, &PutOptions::default(), body.clone());
        bench.open(put).map(drop).expect(&case);
        let (none, lent) = (MessageHandle::NONE, MessageHandle(1));
        let looks = [
            (GetFlags::EMPTY, none),
            (GetFlags::PROPERTIES_FORCE_MQRFH2, none),
            (GetFlags::NO_PROPERTIES, none),
            (GetFlags::PROPERTIES_IN_HANDLE, lent),
        ];
        // The folder before an extension can be read, and is taken out where that is asked for.
        let looks = if matches!(wrong, Wrong::BehindFolders(..)) { &looks[..2] } else { &looks[..] };
        let browses = looks.iter().map(|(flags, handle)| (*flags | GetFlags::BROWSE_FIRST, *handle));
        for (flags, handle) in browses.chain([(GetFlags::EMPTY, none); 4]) {
            let flags = flags | GetFlags::NO_SYNCPOINT;
            let options = GetOptions { message_handle: handle, ..GetOptions::with(flags, Wait::No) };
            let got = one.get_with(plain, &MessageDescriptor::default(), &options, 10_000).expect(&case);
            assert_eq!((&got.body, got.descriptor.format.as_str()), (&body, *format), "{case} {flags:?}");
        }
    }
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn a_right_header_is_taken_from_every_program() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) PROPCTL(FORCE)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for format in ["MQDEAD", "MQXMIT", "MQCICS", "MQIMS", "MQHRF", "MQHRF2"] {
        for flags in [PutFlags::NO_SYNCPOINT, PutFlags::SYNC_RESPONSE, PutFlags::ASYNC_RESPONSE] {
            let put = PutOptions::with(flags);
            let put = one.connection.put(queue, &described(format), &put, right(format).into());
            bench.open(put).map(drop).expect(format);
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = one.get_with(queue, &MessageDescriptor::default(), &options, 10_000).unwrap();
            assert_eq!(got.body, right(format), "{format} {flags:?}");
        }
    }
}

#[test]
fn a_segment_may_begin_anywhere_in_a_header() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    for (message_flags, offset) in [(MessageFlags::SEGMENT, 0), (MessageFlags::LAST_SEGMENT, 16)] {
        let descriptor = MessageDescriptor {
            message_flags,
            offset,
            group_id: GroupId([3; 24]).into(),
            original_length: 16,
            ..described("MQHRF2")
        };
        let body = Bytes::from_static(b"sixteen bytes...");
        let put = one.connection.put(queue, &descriptor, &PutOptions::with(PutFlags::SYNC_RESPONSE), body);
        bench.open(put).map(drop).expect("a segment is no header");
    }
}
