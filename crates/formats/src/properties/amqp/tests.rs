use amqp::sections::{BodyKind, Header, Properties, VALUE};
use amqp::types::write::{
    put_binary, put_boolean, put_descriptor, put_list, put_map, put_scalar, put_string, put_symbol, put_uint,
};
use amqp::{Sections, Value};
use bytes::Bytes;
use mqi::properties::PropertyValue;
use mqi::{MessageDescriptor, MessageFlags, Persistence, Priority, Reason};
use proptest::prelude::*;

use super::kept::Kept;
use super::*;
use crate::headers::Place;
use crate::properties::{folder, outgoing, put_before, read, take_out, without_kept_form};

fn section(out: &mut Vec<u8>, code: u64, content: impl FnOnce(&mut Vec<u8>)) {
    put_descriptor(out, code);
    content(out);
}

/// Bytes of a message, without its header, by choices of a generator.
fn bare(choices: &[u8], text: &str) -> Vec<u8> {
    let mut choices = choices.iter().copied().cycle();
    let mut choose = move |of: u8| choices.next().unwrap_or(0) % of;
    let mut out = Vec::new();
    if choose(2) == 1 {
        section(&mut out, 0x72, |out| {
            put_map(out, 1, |out| {
                put_symbol(out, "x-opt-jms-msg-type");
                put_scalar(out, &Value::Byte(choose(7) as i8));
            });
        });
    }
    if choose(2) == 1 {
        section(&mut out, Properties::CODE, |out| {
            put_list(out, 6, |out| {
                let id = match choose(4) {
                    0 => Value::String(text),
                    1 => Value::Ulong(u64::from(choose(255)) << 40),
                    2 => Value::Uuid([choose(255); 16]),
                    _ => Value::Null,
                };
                put_scalar(out, &id);
                put_scalar(out, &Value::Null);
                // A wide encoding of a short text: it is given back as it came.
                out.extend_from_slice(&[0xB1, 0, 0, 0, 1, b't']);
                put_string(out, text);
                put_scalar(out, &Value::Null);
                put_scalar(out, &Value::Binary(text.as_bytes()));
            });
        });
    }
    if choose(2) == 1 {
        section(&mut out, 0x74, |out| {
            put_map(out, 3, |out| {
                put_string(out, "colour");
                put_string(out, text);
                put_string(out, "no name");
                put_scalar(out, &Value::Decimal32([1, 2, 3, 4]));
                put_string(out, "n");
                out.extend_from_slice(&[0x70, 0, 0, 0, choose(255)]);
            });
        });
    }
    match choose(10) {
        0 => {}
        1 => section(&mut out, 0x75, |out| put_binary(out, text.as_bytes())),
        2 => (0..3).for_each(|_| section(&mut out, 0x75, |out| put_binary(out, text.as_bytes()))),
        3 => section(&mut out, 0x77, |out| put_string(out, text)),
        4 => section(&mut out, 0x77, |out| {
            put_map(out, 1, |out| {
                put_string(out, text);
                put_uint(out, 7);
            })
        }),
        5 => {
            (0..2).for_each(|_| section(&mut out, 0x76, |out| put_list(out, 1, |out| put_string(out, text))))
        }
        6 => section(&mut out, 0x77, |out| out.push(0x40)),
        7 => section(&mut out, 0x77, |out| put_binary(out, text.as_bytes())),
        8 => section(&mut out, 0x77, |out| out.extend_from_slice(&[0xB0, 0, 0, 0, 2, 0xB0, 0x40])),
        _ => section(&mut out, 0x77, |out| put_boolean(out, true)),
    }
    if choose(2) == 1 {
        section(&mut out, 0x78, |out| {
            put_map(out, 1, |out| {
                put_symbol(out, "x-sum");
                put_uint(out, 9);
            })
        });
    }
    out
}

/// No name leads to a queue.
fn nowhere(_: &str, _: &str) -> Option<mqi::ObjectName> {
    None
}

fn incoming(message: &[u8]) -> Incoming<'_> {
    Incoming::of(message, || 0, nowhere).unwrap()
}

/// The bytes of a message that goes, without its header.
fn gone(descriptor: &MessageDescriptor, body: Vec<u8>) -> Vec<u8> {
    let Outgoing { head, body, tail } = outgoing(descriptor, &body.into(), &|_| None);
    let all = [&head[..], &body, &tail].concat();
    let sections = Sections::of(&all).unwrap();
    all[sections.header.len()..].to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    /// R1: a message goes by AMQP as it came, byte by byte, whatever is in it.
    #[test]
    fn a_message_goes_as_it_came(choices in proptest::collection::vec(any::<u8>(), 1..12), text in ".{0,300}") {
        let bare = bare(&choices, &text);
        let Incoming { descriptor, body, .. } = incoming(&bare);
        prop_assert_eq!(gone(&descriptor, body), bare);
    }
}

proptest! {
    /// A program is given folders and a payload of any message, and what it is given reads.
    #[test]
    fn a_program_is_given_any_message(choices in proptest::collection::vec(any::<u8>(), 1..12), text in ".{0,80}") {
        let Incoming { descriptor, body, .. } = incoming(&bare(&choices, &text));
        let (place, body) = (Place::of(&descriptor), Bytes::from(body));
        let parts = take_out(&place, &body).unwrap();
        for folder in &parts.folders {
            prop_assert!(folder::read(folder).is_ok(), "{}", folder);
        }
        let (place, with_headers) = without_kept_form(&place, &body).unwrap();
        prop_assert_eq!(read(&place, &with_headers).unwrap(), read(&Place::of(&descriptor), &body).unwrap());
    }

    #[test]
    fn any_bytes_of_the_kept_form_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..120)) {
        let mut body = b"FRYA\0\0\0\x01".to_vec();
        body.extend_from_slice(&bytes);
        let _ = Kept::read(&body);
    }
}

#[test]
fn the_header_becomes_the_descriptor_and_back() {
    let mut message = Vec::new();
    section(&mut message, Header::CODE, |out| {
        put_list(out, 3, |out| {
            put_boolean(out, true);
            put_scalar(out, &Value::Ubyte(7));
            put_uint(out, 1_050);
        });
    });
    section(&mut message, Properties::CODE, |out| {
        put_list(out, 12, |out| {
            put_scalar(out, &Value::Binary(&[5; 24]));
            (0..3).for_each(|_| out.push(0x40));
            put_string(out, "queue://QM2/ANSWERS");
            put_scalar(out, &Value::Ulong(77));
            (0..4).for_each(|_| out.push(0x40));
            put_string(out, "group");
            put_uint(out, 3);
        });
    });
    let Incoming { descriptor, body, .. } = incoming(&message);
    assert_eq!(descriptor.persistence, Persistence::Persistent);
    assert_eq!(descriptor.priority, Priority::new(7));
    assert_eq!(descriptor.expiry.limit(), Some(11), "tenths of a second, rounded up");
    assert_eq!(descriptor.message_id.0, [5; 24]);
    assert_eq!(descriptor.reply_to_queue.as_str(), "ANSWERS");
    assert_eq!(descriptor.reply_to_queue_manager.as_str(), "QM2");
    assert_eq!(descriptor.message_type, mqi::MessageType::REQUEST);
    assert_eq!((descriptor.message_sequence_number, descriptor.group_id == mqi::GroupId::NONE), (3, false));
    let descriptor = MessageDescriptor { backout_count: 2, ..descriptor };
    let Outgoing { head, .. } = outgoing(&descriptor, &body.into(), &|_| None);
    let sections = Sections::of(&head).unwrap();
    let header = sections.header();
    assert!(header.durable && !header.first_acquirer);
    assert_eq!((header.priority, header.ttl, header.delivery_count), (7, Some(1_100), 2));
}

/// ReplyToQ is a queue, and a request has one.
#[test]
fn a_message_is_a_request_if_its_answer_is_for_a_queue() {
    for (reply_to, kind, queue, uri) in [
        ("ANSWERS", None, "ANSWERS", "queue:///ANSWERS"),
        ("ANSWERS", Some(0), "ANSWERS", "queue:///ANSWERS"),
        ("ANSWERS", Some(2), "ANSWERS", "queue:///ANSWERS"),
        ("ANSWERS", Some(1), "", "topic://ANSWERS"),
        ("ANSWERS", Some(3), "", "topic://ANSWERS"),
        ("topic://ANSWERS", None, "", "topic://ANSWERS"),
        ("topic://ANSWERS", Some(0), "", "topic://ANSWERS"),
        ("queue:///ANSWERS", Some(1), "ANSWERS", "queue:///ANSWERS"),
        ("no name", None, "", "queue:///no name"),
        ("", None, "", "queue:///"),
        ("queue:///", None, "", "queue:///"),
    ] {
        let mut message = Vec::new();
        if let Some(kind) = kind {
            section(&mut message, 0x72, |out| {
                put_map(out, 1, |out| {
                    put_symbol(out, "x-opt-jms-reply-to");
                    put_scalar(out, &Value::Byte(kind));
                });
            });
        }
        section(&mut message, Properties::CODE, |out| {
            put_list(out, 5, |out| {
                (0..4).for_each(|_| out.push(0x40));
                put_string(out, reply_to);
            });
        });
        let Incoming { descriptor, body, .. } = incoming(&message);
        assert_eq!(descriptor.reply_to_queue.as_str(), queue, "{reply_to} {kind:?}");
        let is_request = descriptor.message_type == mqi::MessageType::REQUEST;
        assert_eq!(is_request, !queue.is_empty(), "{reply_to} {kind:?}");
        let read = read(&Place::of(&descriptor), &body).unwrap();
        let said = read.iter().find(|property| property.name == "jms.Rto").map(|said| said.value.clone());
        assert_eq!(said, Some(PropertyValue::Text(uri.to_owned())), "{reply_to} {kind:?}");
    }
}

#[test]
fn the_earlier_of_two_expiries_holds() {
    for (ttl, absolute, now, expected) in
        [(Some(5_000), None, 0, 50), (Some(5_000), Some(2_000), 1_000, 10), (None, Some(500), 1_000, 1)]
    {
        let mut message = Vec::new();
        section(&mut message, Header::CODE, |out| {
            put_list(out, 3, |out| {
                out.extend_from_slice(&[0x40, 0x40]);
                put_scalar(out, &ttl.map_or(Value::Null, Value::Uint));
            });
        });
        section(&mut message, Properties::CODE, |out| {
            put_list(out, 9, |out| {
                (0..8).for_each(|_| out.push(0x40));
                put_scalar(out, &absolute.map_or(Value::Null, Value::Timestamp));
            });
        });
        let incoming = Incoming::of(&message, || now, nowhere).unwrap();
        assert_eq!(incoming.descriptor.expiry.limit(), Some(expected), "{ttl:?} {absolute:?} at {now}");
    }
}

/// Writes the content of a section.
type Write<'w> = &'w dyn Fn(&mut Vec<u8>);

const STREAM_OF_TWO: &[u8] = b"<stream><elt>x</elt><elt>x</elt></stream>";

#[test]
fn a_program_gets_text_bytes_and_values_by_the_kind_of_the_body() {
    let value = |put: Write<'_>| {
        let mut out = Vec::new();
        section(&mut out, 0x77, |out| put(out));
        out
    };
    let of_kind = |kind: i8, body: Vec<u8>| {
        let mut out = Vec::new();
        section(&mut out, 0x72, |out| {
            put_map(out, 1, |out| {
                put_symbol(out, "x-opt-jms-msg-type");
                put_scalar(out, &Value::Byte(kind));
            });
        });
        out.extend(body);
        out
    };
    let map = value(&|out| {
        put_map(out, 2, |out| {
            put_string(out, "a<b");
            put_string(out, "text");
            put_string(out, "n");
            put_scalar(out, &Value::Int(7));
        });
    });
    let stream = value(&|out| {
        put_list(out, 2, |out| {
            put_scalar(out, &Value::Boolean(true));
            put_string(out, "x");
        });
    });
    let sections = |code, contents: &[Write<'_>]| {
        let mut out = Vec::new();
        contents.iter().for_each(|content| section(&mut out, code, content));
        out
    };
    let data = sections(0x75, &[&|out| put_binary(out, b"\x01\x02")]);
    let null = || value(&|out| out.push(0x40));
    let binary = || value(&|out| put_binary(out, b"hello"));
    let wide = |code: u8| value(&|out| out.extend_from_slice(&[code, 0, 0, 0, 2, 0x40, b'2']));
    let list = |out: &mut Vec<u8>| put_list(out, 1, |out| put_string(out, "x"));
    for (message, format, payload, kind) in [
        (value(&|out| put_string(out, "h\u{e9}")), "MQSTR", "h\u{e9}".as_bytes(), "jms_text"),
        (data, "", b"\x01\x02", "jms_bytes"),
        (
            of_kind(2, map),
            "MQSTR",
            b"<map><elt name=\"a&lt;b\">text</elt><elt name=\"n\" dt='i4'>7</elt></map>",
            "jms_map",
        ),
        (
            of_kind(4, stream),
            "MQSTR",
            b"<stream><elt dt='boolean'>1</elt><elt>x</elt></stream>",
            "jms_stream",
        ),
        (Vec::new(), "", b"", "jms_none"),
        // Null is no data, and a text where JMS says so.
        (null(), "", b"", "jms_none"),
        (of_kind(5, null()), "MQSTR", b"", "jms_text"),
        (of_kind(3, null()), "", b"", "jms_bytes"),
        (of_kind(2, null()), "", b"", "jms_map"),
        // Bytes and texts are given without their encoding, whatever its width.
        (binary(), "", b"hello", "jms_bytes"),
        (of_kind(3, binary()), "", b"hello", "jms_bytes"),
        (value(&|out| put_binary(out, b"")), "", b"", "jms_bytes"),
        (value(&|out| put_binary(out, &[0xA0; 300])), "", &[0xA0; 300], "jms_bytes"),
        (wide(0xB0), "", b"@2", "jms_bytes"),
        (wide(0xB1), "MQSTR", b"@2", "jms_text"),
        (value(&|out| put_string(out, "")), "MQSTR", b"", "jms_text"),
        // Sections of bytes are joined. Bytes and texts that look like an encoding stay.
        (
            sections(0x75, &[&|out| put_binary(out, b"\x40"), &|out| put_binary(out, b"\xA0\x01a")]),
            "",
            b"\x40\xA0\x01a",
            "jms_bytes",
        ),
        (sections(0x75, &[&|out| put_binary(out, b"\x40")]), "", b"\x40", "jms_bytes"),
        (of_kind(4, value(&|out| put_string(out, "E"))), "MQSTR", b"E", "jms_stream"),
        (of_kind(4, sections(0x76, &[&list, &list])), "MQSTR", STREAM_OF_TWO, "jms_stream"),
        // Other values keep their encoding.
        (sections(0x76, &[&list, &list]), "", b"\xC0\x04\x01\xA1\x01x\xC0\x04\x01\xA1\x01x", ""),
        (value(&|out| out.extend_from_slice(b"\0\x53\x07\xA0\x01a")), "", b"\0\x53\x07\xA0\x01a", ""),
        (value(&|out| put_symbol(out, "a")), "", b"\xA3\x01a", ""),
    ] {
        let shown = format!("{message:02X?}");
        let Incoming { descriptor, body, .. } = incoming(&message);
        let (place, body) = (Place::of(&descriptor), Bytes::from(body));
        let parts = take_out(&place, &body).unwrap();
        assert_eq!(parts.place.format.as_str(), format, "{shown}");
        assert_eq!(&parts.body[..], payload, "{shown}");
        let folder = parts.folders.first().cloned().unwrap_or_default();
        assert_eq!(folder.strip_prefix("<mcd><Msd>").unwrap_or("<").split('<').next(), Some(kind), "{shown}");
        if !kind.ends_with("map") && !kind.ends_with("stream") {
            let length = crate::properties::length(&place, &body).unwrap();
            assert_eq!(parts.body, body.slice(length..), "what counts is the payload: {shown}");
        }
        assert_eq!(gone(&descriptor, body.to_vec()), message);
    }
}

/// R3 and R4: what a program puts again with its RFH2 goes to a client of JMS with type, body and properties.
#[test]
fn properties_and_bodies_go_over_folders_with_their_types() {
    let folders = vec![
        "<mcd><Msd>jms_text</Msd><Type>order</Type></mcd>".to_owned(),
        "<jms><Dst>topic://price/tin</Dst><Rto>queue:///ANSWERS</Rto><Cid>corr-1</Cid><Tms dt='i8'>5</Tms></jms>".to_owned(),
        "<usr><colour>red</colour><n dt='i8'>7</n><ok dt='boolean'>1</ok><f dt='r8'>1.5</f><b dt='bin.hex'>0A</b></usr>".to_owned(),
    ];
    let of_text = Place {
        encoding: mqi::Encoding::NATIVE,
        coded_character_set: 819,
        format: mqi::Text::truncated("MQSTR"),
    };
    let (place, body) = put_before(folders, &of_text, &Bytes::from_static(b"h\xE9")).unwrap();
    let mut descriptor = MessageDescriptor::default();
    place.describe(&mut descriptor);
    let gone = gone(&descriptor, body.to_vec());
    let sections = Sections::of(&gone).unwrap();
    assert_eq!(sections.body_kind, BodyKind::Value);
    assert_eq!(sections.parts().next().unwrap().content, "h\u{e9}".as_bytes(), "characters are converted");
    let said = sections.properties();
    assert_eq!(
        (said.subject, said.to, said.reply_to),
        (Some("order"), Some("topic://price/tin"), Some("queue:///ANSWERS"))
    );
    assert_eq!(said.correlation_id.unwrap().value(), Value::String("corr-1"));
    let annotations = sections.message_annotations();
    for (name, kind) in [("x-opt-jms-msg-type", 5), ("x-opt-jms-dest", 1), ("x-opt-jms-reply-to", 0)] {
        assert_eq!(annotations.get(name), Some(Value::Byte(kind)), "{name}");
    }
    let properties = sections.application_properties();
    for (name, value) in [
        ("colour", Value::String("red")),
        ("n", Value::Long(7)),
        ("ok", Value::Boolean(true)),
        ("f", Value::Double(1.5)),
        ("b", Value::Binary(b"\x0A")),
        ("JMS_IBM_Format", Value::String("MQSTR")),
    ] {
        assert_eq!(properties.get(name), Some(value), "{name}");
    }
    // And by AMQP back to the program.
    let Incoming { descriptor, body, .. } = incoming(&gone);
    let read = read(&Place::of(&descriptor), &body).unwrap();
    let value = |name: &str| &read.iter().find(|property| property.name == name).unwrap().value;
    assert_eq!(*value("usr.n"), PropertyValue::Int64(7));
    assert_eq!(*value("mcd.Type"), PropertyValue::Text("order".to_owned()));
    assert_eq!(*value("jms.Dst"), PropertyValue::Text("topic://price/tin".to_owned()));
}

/// A group of a program is told as a group of AMQP, with the text by which selectors find its messages.
#[test]
fn groups_of_programs_are_groups_of_amqp() {
    let own = format!("ID:{}", "ab".repeat(24));
    let (member, last) = (MessageFlags::MSG_IN_GROUP, MessageFlags::LAST_MSG_IN_GROUP);
    let jms = "<jms><Gid>said</Gid><Seq dt='i4'>7</Seq></jms>";
    for (flags, group, folder, expected) in [
        (member, [0xAB; 24], "", (Some(own.as_str()), Some(3), None)),
        (member | last, [0xAB; 24], "", (Some(own.as_str()), Some(3), Some(Value::Boolean(true)))),
        (last, [0xAB; 24], "", (Some(own.as_str()), Some(3), Some(Value::Boolean(true)))),
        (member, [0xAB; 24], jms, (Some("said"), Some(7), None)),
        (member, [0xAB; 24], "<jms><Dst>queue:///Q</Dst></jms>", (Some(own.as_str()), Some(3), None)),
        (MessageFlags::SEGMENT, [0xAB; 24], "", (None, None, None)),
        (MessageFlags::default(), [0; 24], "", (None, None, None)),
    ] {
        let mut descriptor = MessageDescriptor {
            message_flags: flags,
            group_id: mqi::GroupId(group).into(),
            message_sequence_number: 3,
            ..MessageDescriptor::default()
        };
        let folders = if folder.is_empty() { Vec::new() } else { vec![folder.to_owned()] };
        let (place, body) =
            put_before(folders, &Place::of(&descriptor), &Bytes::from_static(b"bytes")).unwrap();
        place.describe(&mut descriptor);
        let gone = gone(&descriptor, body.to_vec());
        let sections = Sections::of(&gone).unwrap();
        let said = sections.properties();
        let is_last = sections.application_properties().get("JMS_IBM_Last_Msg_In_Group");
        assert_eq!((said.group_id, said.group_sequence, is_last), expected, "{flags:?} {folder}");
        // The group and the place of each message stay with it on the way back.
        let Incoming { descriptor: back, .. } = incoming(&gone);
        let is_in_group = back.message_flags.contains(member);
        assert_eq!(is_in_group, expected.0.is_some(), "{flags:?} {folder}");
        assert_eq!(back.message_flags.contains(last), flags.contains(last), "{flags:?} {folder}");
    }
}

/// R4: maps, streams and objects of programs are those of JMS, and a map that is none stays a text.
#[test]
fn kinds_of_programs_are_kinds_of_jms() {
    let map = "<map><elt name=\"a\">text</elt></map>";
    let stream = "<stream><elt dt='i4'>7</elt></stream>";
    for (kind, format, body, expected) in [
        ("jms_map", "MQSTR", map, (2, BodyKind::Value, None)),
        ("jms_stream", "MQSTR", stream, (4, BodyKind::Value, None)),
        ("jms_object", "", "bytes", (1, BodyKind::Data, Some("application/x-java-serialized-object"))),
        ("jms_map", "MQSTR", "no map", (5, BodyKind::Value, None)),
        ("jms_stream", "", "bytes", (3, BodyKind::Data, None)),
    ] {
        let format = mqi::Text::truncated(format);
        let place = Place { encoding: mqi::Encoding::NATIVE, coded_character_set: 1208, format };
        let folders = vec![format!("<mcd><Msd>{kind}</Msd></mcd>")];
        let (place, put) = put_before(folders, &place, &Bytes::from_static(body.as_bytes())).unwrap();
        let mut descriptor = MessageDescriptor::default();
        place.describe(&mut descriptor);
        let gone = gone(&descriptor, put.to_vec());
        let sections = Sections::of(&gone).unwrap();
        let said = sections.message_annotations().get("x-opt-jms-msg-type");
        let content_type = sections.properties().content_type.map(|said| said.0);
        assert_eq!(said, Some(Value::Byte(expected.0)), "{kind} {body}");
        assert_eq!((sections.body_kind, content_type), (expected.1, expected.2), "{kind} {body}");
        // A program gets its own text again.
        let Incoming { descriptor, body: kept, .. } = incoming(&gone);
        let (_, again) = without_kept_form(&Place::of(&descriptor), &kept.into()).unwrap();
        assert!(again.ends_with(body.as_bytes()), "{kind} {again:?}");
    }
}

#[test]
fn false_bytes_of_the_kept_form_are_refused() {
    let Incoming { body, .. } = incoming(&bare(&[1, 2, 3], "text"));
    assert!(Kept::read(&body).is_ok());
    for place in 0..body.len() {
        let cut = &body[..place];
        assert!(Kept::read(cut).is_err(), "cut at {place}");
    }
    // A header and a body hidden among the sections.
    let mut message = Vec::new();
    section(&mut message, Header::CODE, |out| put_list(out, 0, |_| ()));
    let wrong =
        [&body[..8], &(36 + message.len() as u32).to_be_bytes(), &body[12..32], &[0; 4], &message].concat();
    assert_eq!(Kept::read(&wrong).err(), Some(Reason::RFH_ERROR));
}

/// R5: behind the header that a publication has, a message goes by AMQP as it came, and a program is given
/// the properties of both.
#[test]
fn a_message_behind_a_header_of_properties_is_given_as_it_would_be_alone() {
    let bare = bare(&[1, 1, 0, 1, 3, 3], "text");
    let Incoming { mut descriptor, body, .. } = incoming(&bare);
    let mqps = vec!["<mqps><Top>price/tin</Top></mqps>".to_owned()];
    let (place, body) = put_before(mqps, &Place::of(&descriptor), &body.into()).unwrap();
    place.describe(&mut descriptor);
    assert_eq!(gone(&descriptor, body.to_vec()), bare);
    let read = read(&place, &body).unwrap();
    for name in ["mqps.Top", "mcd.Msd", "usr.colour"] {
        assert!(read.iter().any(|property| property.name == name), "{name} in {read:?}");
    }
    let length = crate::properties::length(&place, &body).unwrap();
    let parts = take_out(&place, &body).unwrap();
    assert_eq!(parts.body, body.slice(length..), "what counts is the payload");
    assert!(parts.folders[0].starts_with("<mqps>") && parts.folders[1].starts_with("<mcd>"), "{parts:?}");
    let (outer, given) = without_kept_form(&place, &body).unwrap();
    assert!(outer.is("MQHRF2") && !crate::properties::has_kept_form(&outer, &given));
    assert_eq!(take_out(&outer, &given).unwrap().body, parts.body);
}

#[test]
fn a_message_that_leaves_names_its_queues_at_its_queue_manager_and_nothing_else_changes() {
    for (to, reply_to, expected) in [
        (Some("A"), Some("queue:///B"), Some((Some("queue://QM1/A"), Some("queue://QM1/B")))),
        (None, Some("B"), Some((None, Some("queue://QM1/B")))),
        (Some("queue://QM2/A"), Some("topic://t"), None),
        (None, None, None),
    ] {
        let mut message = Vec::new();
        let subject = Some("kept");
        Properties { to, reply_to, subject, ..Properties::default() }.write(&mut message);
        put_descriptor(&mut message, VALUE);
        put_string(&mut message, "body");
        let body = Incoming::of(&message, || 0, nowhere).unwrap().body;
        let named = kept::named_at(&body, "QM1");
        let Some((to, reply_to)) = expected else {
            assert_eq!(named, None);
            continue;
        };
        let named = named.expect("it names a queue");
        let (before, after) = (Kept::read(&body).unwrap(), Kept::read(&named).unwrap());
        let said = after.sections().properties();
        assert_eq!((said.to, said.reply_to, said.subject), (to, reply_to, subject));
        assert_eq!((after.body(), after.following), (before.body(), before.following));
    }
    for none in [&b""[..], b"FRYA", &[0; 100]] {
        assert_eq!(kept::named_at(none, "QM1"), None);
    }
}

#[test]
fn a_reply_to_by_a_name_that_no_queue_can_have_is_kept_as_the_address_of_its_queue() {
    let queue_of = |name: &str, manager: &str| {
        let is_here = manager.is_empty() || manager == "QM1";
        (name == "orders-in" && is_here).then(|| "ORDERS.IN".parse().unwrap())
    };
    let (request, datagram) = (mqi::MessageType::REQUEST, mqi::MessageType::DATAGRAM);
    for (reply_to, kept, expected) in [
        ("orders-in", "ORDERS.IN", (request, "ORDERS.IN", "")),
        ("queue:///orders-in", "queue:///ORDERS.IN", (request, "ORDERS.IN", "")),
        (
            "queue://QM1/orders-in?targetClient=1",
            "queue://QM1/ORDERS.IN?targetClient=1",
            (request, "ORDERS.IN", "QM1"),
        ),
        ("amqp://host/orders-in", "ORDERS.IN", (request, "ORDERS.IN", "")),
        ("queue://QM2/orders-in", "queue://QM2/orders-in", (datagram, "", "")),
        ("other-in", "other-in", (datagram, "", "")),
        ("topic://orders-in", "topic://orders-in", (datagram, "", "")),
        ("PLAIN", "PLAIN", (request, "PLAIN", "")),
    ] {
        let mut message = Vec::new();
        let (to, subject) = (Some("orders-in"), Some("kept"));
        Properties { to, reply_to: Some(reply_to), subject, ..Properties::default() }.write(&mut message);
        put_descriptor(&mut message, VALUE);
        put_string(&mut message, "body");
        let came = Incoming::of(&message, || 0, queue_of).unwrap();
        let said = &came.descriptor;
        let (queue, manager) = (said.reply_to_queue.as_str(), said.reply_to_queue_manager.as_str());
        assert_eq!((said.message_type, queue, manager), expected, "{reply_to}");
        let read = Kept::read(&came.body).unwrap();
        let said = read.sections().properties();
        assert_eq!((said.to, said.reply_to, said.subject), (to, Some(kept), subject), "{reply_to}");
    }
}
