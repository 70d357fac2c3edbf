use bytes::Bytes;
use mqi::properties::{
    BufferToHandleOptions, CopyOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
    HandleToBufferOptions, InquirePropertyFlags, InquirePropertyOptions, MessageHandles, PropertyDescriptor,
    PropertyType, PropertyValue, SetPropertyOptions,
};
use mqi::{
    CorrelationId, Expiry, GetOptions, MessageDescriptor, MessageHandle, MessageId, MessageType, Priority,
    PutAction, PutFlags, PutOptions, Reason, ReportOptions, Text, constants,
};
use proptest::prelude::*;

use super::{HANDLES_MAX, Handles};
use crate::headers::Place;
use crate::properties::{is_by_handle, take_out};

fn text(text: &str) -> PropertyValue {
    PropertyValue::Text(text.to_owned())
}

fn created(handles: &mut Handles) -> MessageHandle {
    handles.create_message_handle(CreateHandleOptions::EMPTY).expect("a handle")
}

fn set(handles: &mut Handles, handle: MessageHandle, name: &str, value: &PropertyValue) {
    let set =
        handles.set_property(handle, SetPropertyOptions::EMPTY, name, PropertyDescriptor::default(), value);
    assert_eq!(set, Ok(None), "{name}");
}

fn inquire(
    handles: &mut Handles,
    handle: MessageHandle,
    flags: InquirePropertyFlags,
    name: &str,
) -> Result<(String, PropertyValue), Reason> {
    let mut options = InquirePropertyOptions::with(flags);
    let found = handles.inquire_property(handle, &mut options, name, 1 << 20)?;
    Ok((options.returned_name, found.value))
}

/// All properties that a name finds, in order.
fn all(handles: &mut Handles, handle: MessageHandle, name: &str) -> Vec<(String, PropertyValue)> {
    let mut found = Vec::new();
    let mut flags = InquirePropertyFlags::EMPTY;
    loop {
        match inquire(handles, handle, flags, name) {
            Ok(property) => found.push(property),
            Err(reason) => {
                assert_eq!(reason, Reason::PROPERTY_NOT_AVAILABLE);
                return found;
            }
        }
        flags = InquirePropertyFlags::INQ_NEXT;
    }
}

fn names(found: &[(String, PropertyValue)]) -> Vec<&str> {
    found.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_handle_that_is_none_of_the_connections_is_refused_by_every_call() {
    let mut other = Handles::default();
    let foreign = created(&mut other);
    let mut handles = Handles::default();
    let mut deleted = created(&mut handles);
    let stale = deleted;
    assert_eq!(handles.delete_message_handle(&mut deleted, DeleteHandleOptions::EMPTY), Ok(()));
    assert_eq!(deleted, MessageHandle::UNUSABLE);
    let wrong = [MessageHandle::NONE, deleted, stale, foreign, MessageHandle(7), MessageHandle(i64::MIN)];
    for mut handle in wrong {
        let mut descriptor = MessageDescriptor::default();
        let refused = [
            handles.delete_message_handle(&mut handle, DeleteHandleOptions::EMPTY).err(),
            handles
                .set_property(
                    handle,
                    SetPropertyOptions::EMPTY,
                    "a",
                    PropertyDescriptor::default(),
                    &text("x"),
                )
                .err(),
            inquire(&mut handles, handle, InquirePropertyFlags::EMPTY, "%").err(),
            handles.delete_property(handle, DeletePropertyOptions::EMPTY, "a").err(),
            handles
                .buffer_to_handle(handle, BufferToHandleOptions::EMPTY, &mut descriptor, Bytes::new())
                .err(),
            handles
                .handle_to_buffer(
                    handle,
                    HandleToBufferOptions::PROPERTIES_IN_MQRFH2,
                    "%",
                    &mut descriptor,
                    100,
                    &mut 0,
                )
                .err(),
        ];
        assert_eq!(refused, [Some(Reason::HMSG_ERROR); 6], "{handle}");
        if handle != MessageHandle::NONE {
            let get = GetOptions { message_handle: handle, ..GetOptions::default() };
            assert_eq!(handles.for_get(&get).err(), Some(Reason::HMSG_ERROR));
            let put = PutOptions { new_message_handle: handle, ..PutOptions::default() };
            assert_eq!(handles.for_put(&descriptor, &put, &Bytes::new()).err(), Some(Reason::HMSG_ERROR));
            let put = PutOptions { original_message_handle: handle, ..PutOptions::default() };
            assert_eq!(handles.for_put(&descriptor, &put, &Bytes::new()).err(), Some(Reason::HMSG_ERROR));
        }
    }
    assert_eq!(all(&mut other, foreign, "%"), [], "the refused calls changed nothing");
}

#[test]
fn a_handle_without_a_connection_serves_all_of_the_program() {
    let mut unassociated = Handles::unassociated();
    let mut handle = created(&mut unassociated);
    let (mut one, mut other) = (Handles::default(), Handles::default());
    set(&mut one, handle, "colour", &text("red"));
    assert_eq!(names(&all(&mut other, handle, "%")), ["colour"]);
    let get = GetOptions { message_handle: handle, ..GetOptions::default() };
    let loan = one.for_get(&get).expect("it is there").expect("it was named");
    let refused = inquire(&mut other, handle, InquirePropertyFlags::EMPTY, "%");
    assert_eq!(refused, Err(Reason::MSG_HANDLE_IN_USE));
    let refused = other.delete_message_handle(&mut handle, DeleteHandleOptions::EMPTY);
    assert_eq!(refused, Err(Reason::MSG_HANDLE_IN_USE));
    assert_eq!(other.for_get(&get).err(), Some(Reason::MSG_HANDLE_IN_USE));
    loan.fill(&MessageDescriptor::default(), vec!["<usr><size dt='i4'>7</size></usr>".to_owned()]);
    assert_eq!(all(&mut other, handle, "%"), [("size".to_owned(), PropertyValue::Int32(7))]);
    assert_eq!(other.delete_message_handle(&mut handle, DeleteHandleOptions::EMPTY), Ok(()));
}

#[test]
fn options_without_a_meaning_and_those_that_contradict_are_refused() {
    let mut handles = Handles::default();
    let both = CreateHandleOptions::VALIDATE | CreateHandleOptions::NO_VALIDATION;
    for options in [both, CreateHandleOptions::from_bits(4), CreateHandleOptions::from_bits(-1)] {
        assert_eq!(handles.create_message_handle(options), Err(Reason::OPTIONS_ERROR));
    }
    let mut handle = created(&mut handles);
    let refused = handles.delete_message_handle(&mut handle, DeleteHandleOptions::from_bits(1));
    assert_eq!(refused, Err(Reason::OPTIONS_ERROR));
    for bits in [3, 12, 16, -1] {
        let options = SetPropertyOptions::from_bits(bits);
        let set = handles.set_property(handle, options, "a", PropertyDescriptor::default(), &text("x"));
        assert_eq!(set, Err(Reason::OPTIONS_ERROR), "{bits}");
    }
    for bits in [1, 24, 64, -1] {
        let flags = InquirePropertyFlags::from_bits(bits);
        assert_eq!(inquire(&mut handles, handle, flags, "%"), Err(Reason::OPTIONS_ERROR), "{bits}");
    }
    let refused = handles.delete_property(handle, DeletePropertyOptions::from_bits(2), "a");
    assert_eq!(refused, Err(Reason::OPTIONS_ERROR));
    let mut descriptor = MessageDescriptor::default();
    let options = BufferToHandleOptions::from_bits(2);
    let refused = handles.buffer_to_handle(handle, options, &mut descriptor, Bytes::new());
    assert_eq!(refused, Err(Reason::OPTIONS_ERROR));
    for bits in [0, 2, 5] {
        let options = HandleToBufferOptions::from_bits(bits);
        let refused = handles.handle_to_buffer(handle, options, "%", &mut descriptor, 100, &mut 0);
        assert_eq!(refused, Err(Reason::OPTIONS_ERROR), "{bits}");
    }
    let put = PutOptions {
        flags: PutFlags::MD_FOR_OUTPUT_ONLY,
        original_message_handle: MessageHandle::NONE,
        ..PutOptions::default()
    };
    assert_eq!(handles.for_put(&descriptor, &put, &Bytes::new()).err(), Some(Reason::MD_ERROR));
}

#[test]
fn names_are_judged_unless_the_handle_says_otherwise() {
    let mut handles = Handles::default();
    let judging = created(&mut handles);
    let lenient = handles.create_message_handle(CreateHandleOptions::NO_VALIDATION).expect("a handle");
    let wrong = Err(Reason::PROPERTY_NAME_ERROR);
    let long = "n".repeat(4096);
    let deep = vec!["n"; 70].join(".");
    for (name, with, without) in [
        ("colour", Ok(None), Ok(None)),
        ("AND", wrong, Ok(None)),
        ("usr.JMSFoo", wrong, Ok(None)),
        ("Body.x", wrong, Ok(None)),
        ("a b", wrong, wrong),
        ("a<b", wrong, wrong),
        ("a.", wrong, wrong),
        ("a%", wrong, wrong),
        ("Root.MQMD.Nothing", wrong, wrong),
        (&deep, wrong, wrong),
        ("", Err(Reason::PROPERTY_NAME_LENGTH_ERR), Err(Reason::PROPERTY_NAME_LENGTH_ERR)),
        (&long, Err(Reason::PROPERTY_NAME_LENGTH_ERR), Err(Reason::PROPERTY_NAME_LENGTH_ERR)),
    ] {
        for (handle, expected) in [(judging, with), (lenient, without)] {
            let options = SetPropertyOptions::EMPTY;
            let found =
                handles.set_property(handle, options, name, PropertyDescriptor::default(), &text("x"));
            assert_eq!(found, expected, "{name}");
        }
    }
    assert_eq!(names(&all(&mut handles, lenient, "%")), ["colour", "AND", "JMSFoo", "Body.x"]);
    assert!(inquire(&mut handles, lenient, InquirePropertyFlags::EMPTY, "AND").is_ok());
    let refused = inquire(&mut handles, judging, InquirePropertyFlags::EMPTY, "AND");
    assert_eq!(refused, Err(Reason::PROPERTY_NAME_ERROR));
    for (name, reason) in [
        ("", Reason::PROPERTY_NAME_LENGTH_ERR),
        (&long, Reason::PROPERTY_NAME_LENGTH_ERR),
        ("colo%r", Reason::PROPERTY_NAME_ERROR),
        ("Root.MQMD.Nothing", Reason::PROPERTY_NAME_ERROR),
        ("nothing", Reason::PROPERTY_NOT_AVAILABLE),
        ("not%", Reason::PROPERTY_NOT_AVAILABLE),
        ("JMSType", Reason::PROPERTY_NOT_AVAILABLE),
    ] {
        assert_eq!(inquire(&mut handles, judging, InquirePropertyFlags::EMPTY, name), Err(reason), "{name}");
    }
    for name in ["%", "colo%", "AND", "a b"] {
        let refused = handles.delete_property(judging, DeletePropertyOptions::EMPTY, name);
        assert_eq!(refused, Err(Reason::PROPERTY_NAME_ERROR), "{name}");
    }
    let none = handles.delete_property(judging, DeletePropertyOptions::EMPTY, "nothing");
    assert_eq!(none, Ok(Some(Reason::PROPERTY_NOT_AVAILABLE)));
}

#[test]
fn a_cursor_stays_on_its_property() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    let put = |handles: &mut Handles, options, name: &str| {
        handles.set_property(handle, options, name, PropertyDescriptor::default(), &text(name))
    };
    let none = Err(Reason::PROPERTY_NOT_AVAILABLE);
    assert_eq!(put(&mut handles, SetPropertyOptions::SET_PROP_UNDER_CURSOR, "a"), none);
    assert_eq!(put(&mut handles, SetPropertyOptions::SET_PROP_AFTER_CURSOR, "a"), none);
    assert_eq!(put(&mut handles, SetPropertyOptions::SET_PROP_BEFORE_CURSOR, "a"), none);
    for name in ["a", "c", "shop.x"] {
        assert_eq!(put(&mut handles, SetPropertyOptions::EMPTY, name), Ok(None));
    }
    let under = InquirePropertyFlags::INQ_PROP_UNDER_CURSOR;
    assert!(inquire(&mut handles, handle, under, "%").is_err(), "nothing was asked for");
    assert_eq!(inquire(&mut handles, handle, InquirePropertyFlags::EMPTY, "c").unwrap().0, "c");
    assert_eq!(put(&mut handles, SetPropertyOptions::SET_PROP_BEFORE_CURSOR, "b"), Ok(None));
    assert_eq!(put(&mut handles, SetPropertyOptions::SET_PROP_AFTER_CURSOR, "d"), Ok(None));
    assert_eq!(put(&mut handles, SetPropertyOptions::APPEND_PROPERTY, "a"), Ok(None));
    assert_eq!(put(&mut handles, SetPropertyOptions::APPEND_PROPERTY, "e"), Ok(None));
    assert_eq!(inquire(&mut handles, handle, under, "").unwrap().0, "c");
    assert_eq!(put(&mut handles, SetPropertyOptions::SET_PROP_UNDER_CURSOR, "ignored"), Ok(None));
    assert_eq!(inquire(&mut handles, handle, under, "").unwrap(), ("c".to_owned(), text("ignored")));
    let next = InquirePropertyFlags::INQ_NEXT;
    assert_eq!(inquire(&mut handles, handle, next, "c"), Err(Reason::PROPERTY_NOT_AVAILABLE));
    assert_eq!(names(&all(&mut handles, handle, "%")), ["a", "a", "b", "c", "d", "e", "shop.x"]);
    assert_eq!(names(&all(&mut handles, handle, "usr.%")), ["a", "a", "b", "c", "d", "e"]);
    assert_eq!(names(&all(&mut handles, handle, "a")), ["a", "a"]);
    inquire(&mut handles, handle, InquirePropertyFlags::EMPTY, "%").unwrap();
    inquire(&mut handles, handle, next, "%").unwrap();
    assert_eq!(inquire(&mut handles, handle, next, "%").unwrap().0, "b");
    let of_cursor = DeletePropertyOptions::DEL_PROP_UNDER_CURSOR;
    assert_eq!(handles.delete_property(handle, of_cursor, ""), Ok(None));
    assert_eq!(handles.delete_property(handle, of_cursor, ""), Err(Reason::PROPERTY_NOT_AVAILABLE));
    assert_eq!(inquire(&mut handles, handle, under, ""), Err(Reason::PROPERTY_NOT_AVAILABLE));
    assert_eq!(handles.delete_property(handle, DeletePropertyOptions::EMPTY, "a"), Ok(None));
    assert_eq!(inquire(&mut handles, handle, next, "%").unwrap().0, "c");
    assert_eq!(names(&all(&mut handles, handle, "%")), ["a", "c", "d", "e", "shop.x"]);
}

#[test]
fn what_is_too_long_says_how_long_it_is_and_leaves_the_cursor() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    set(&mut handles, handle, "first", &text("1"));
    set(&mut handles, handle, "second", &text("twelve bytes"));
    let mut options = InquirePropertyOptions { name_bytes_max: Some(6), ..Default::default() };
    assert!(handles.inquire_property(handle, &mut options, "%", 1).is_ok());
    options.flags = InquirePropertyFlags::INQ_NEXT;
    let refused = handles.inquire_property(handle, &mut options, "%", 11);
    assert_eq!(refused, Err(Reason::PROPERTY_VALUE_TOO_BIG));
    assert_eq!((options.data_length, options.returned_name.as_str()), (12, "second"));
    options.name_bytes_max = Some(5);
    let refused = handles.inquire_property(handle, &mut options, "%", 12);
    assert_eq!(refused, Err(Reason::PROPERTY_NAME_TOO_BIG));
    options.name_bytes_max = None;
    options.flags.insert(InquirePropertyFlags::QUERY_LENGTH);
    let found = handles.inquire_property(handle, &mut options, "%", 0).expect("its length");
    assert_eq!((options.data_length, found.bytes), (12, Bytes::new()));
    options.flags = InquirePropertyFlags::INQ_PROP_UNDER_CURSOR;
    let found = handles.inquire_property(handle, &mut options, "", 12).expect("the cursor is on it");
    assert_eq!(&found.bytes[..], b"twelve bytes");
    let mut length = 0;
    let mut descriptor = MessageDescriptor::default();
    let wanted = HandleToBufferOptions::PROPERTIES_IN_MQRFH2 | HandleToBufferOptions::DELETE_PROPERTIES;
    let refused = handles.handle_to_buffer(handle, wanted, "%", &mut descriptor, 10, &mut length);
    assert_eq!(refused, Err(Reason::PROPERTY_VALUE_TOO_BIG));
    assert_eq!(descriptor, MessageDescriptor::default());
    assert_eq!(all(&mut handles, handle, "%").len(), 2, "nothing was deleted");
    let wanted = HandleToBufferOptions::PROPERTIES_IN_MQRFH2;
    let buffer = handles.handle_to_buffer(handle, wanted, "%", &mut descriptor, length, &mut length);
    assert_eq!(buffer.expect("it fits now").bytes.len(), length);
}

#[test]
fn values_are_converted_when_asked() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    set(&mut handles, handle, "number", &PropertyValue::Int16(258));
    set(&mut handles, handle, "word", &text("größe"));
    let mut ask = |flags: InquirePropertyFlags, kind, encoding, ccsid, name: &str| {
        let mut options = InquirePropertyOptions {
            flags,
            kind,
            requested_encoding: mqi::Encoding(encoding),
            requested_coded_character_set: ccsid,
            ..InquirePropertyOptions::default()
        };
        handles.inquire_property(handle, &mut options, name, 100)
    };
    let kind = InquirePropertyFlags::CONVERT_TYPE;
    let value = InquirePropertyFlags::CONVERT_VALUE;
    let found = ask(kind, Some(PropertyType::Text), 546, -3, "number").unwrap();
    assert_eq!((found.value, &found.bytes[..]), (text("258"), &b"258"[..]));
    assert_eq!(ask(kind, Some(PropertyType::Int8), 546, -3, "number"), Err(Reason::PROP_NUMBER_FORMAT_ERROR));
    assert_eq!(ask(kind, Some(PropertyType::Bytes), 546, -3, "number"), Err(Reason::PROP_CONV_NOT_SUPPORTED));
    assert_eq!(ask(kind, None, 546, -3, "number").unwrap().value, PropertyValue::Int16(258));
    let found = ask(value, None, constants::MQENC_NORMAL, 819, "number").unwrap();
    assert_eq!((&found.bytes[..], found.encoding.code()), (&[1, 2][..], constants::MQENC_NORMAL));
    let found = ask(value, None, 546, 819, "word").unwrap();
    assert_eq!((&found.bytes[..], found.coded_character_set), (&b"gr\xF6\xDFe"[..], 819));
    let found = ask(value, None, 546, 4711, "word").unwrap();
    assert_eq!((found.warning, found.coded_character_set), (Some(Reason::PROP_VALUE_NOT_CONVERTED), 1208));
    let found = ask(InquirePropertyFlags::EMPTY, Some(PropertyType::Text), 273, 37, "number").unwrap();
    assert_eq!((found.value, found.encoding.code()), (PropertyValue::Int16(258), constants::MQENC_NATIVE));
}

#[test]
fn fields_of_the_descriptor_and_names_of_jms_go_by_their_names() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    let mut put = |name: &str, value: &PropertyValue| {
        let options = SetPropertyOptions::EMPTY;
        handles.set_property(handle, options, name, PropertyDescriptor::default(), value)
    };
    assert_eq!(put("Root.MQMD.Priority", &PropertyValue::Int32(7)), Ok(None));
    assert_eq!(put("Root.MQMD.Format", &text("MQSTR")), Ok(None));
    assert_eq!(put("JMSType", &text("order")), Ok(None));
    for (name, value, reason) in [
        ("Root.MQMD.Priority", PropertyValue::Int16(7), Reason::PROPERTY_TYPE_ERROR),
        ("Root.MQMD.Priority", PropertyValue::Int32(-7), Reason::PRIORITY_ERROR),
        ("Root.MQMD.Format", text("much too long"), Reason::PROPERTY_VALUE_TOO_BIG),
        ("Root.MQMD.MsgId", text("x"), Reason::PROPERTY_TYPE_ERROR),
        ("JMSType", PropertyValue::Int32(1), Reason::PROPERTY_TYPE_ERROR),
        ("JMSPriority", PropertyValue::Int32(1), Reason::PROPERTY_NAME_ERROR),
    ] {
        assert_eq!(put(name, &value), Err(reason), "{name}");
    }
    let first = InquirePropertyFlags::EMPTY;
    assert_eq!(
        inquire(&mut handles, handle, first, "Root.MQMD.Priority").unwrap().1,
        PropertyValue::Int32(7)
    );
    assert_eq!(inquire(&mut handles, handle, first, "JMSPriority").unwrap().1, PropertyValue::Int32(7));
    assert_eq!(names(&all(&mut handles, handle, "%")), ["JMSType"]);
    assert_eq!(names(&all(&mut handles, handle, "mcd.%")), ["JMSType"]);
    let of_descriptor = all(&mut handles, handle, "Root.MQMD.%");
    assert_eq!(of_descriptor.len(), 27);
    assert_eq!(of_descriptor[6], ("Root.MQMD.Format".to_owned(), text("MQSTR")));
    let deleted = handles.delete_property(handle, DeletePropertyOptions::EMPTY, "Root.MQMD.Format");
    assert_eq!(deleted, Ok(None));
    assert_eq!(inquire(&mut handles, handle, first, "Root.MQMD.Format").unwrap().1, text(""));
    assert_eq!(handles.delete_property(handle, DeletePropertyOptions::EMPTY, "JMSType"), Ok(None));
    assert_eq!(all(&mut handles, handle, "%"), []);
}

#[test]
fn what_cannot_be_read_is_kept_and_told() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    let folders = vec!["<usr><a>1</a></usr>".to_owned(), "<jms><b>x</jms>".to_owned()];
    let place = Place::of(&MessageDescriptor { coded_character_set: 1208, ..Default::default() });
    let (place, body) = crate::properties::put_before(folders, &place, &Bytes::from_static(b"data")).unwrap();
    let mut descriptor = MessageDescriptor::default();
    place.describe(&mut descriptor);
    let options = BufferToHandleOptions::DELETE_PROPERTIES;
    let buffer = handles.buffer_to_handle(handle, options, &mut descriptor, body).unwrap();
    assert_eq!(buffer.warning, Some(Reason::RFH_FORMAT_ERROR));
    let left = take_out(&Place::of(&descriptor), &buffer.bytes).unwrap();
    assert_eq!((left.folders, &left.body[..]), (vec!["<jms><b>x</jms>".to_owned()], &b"data"[..]));
    let mut options = InquirePropertyOptions::default();
    let found = handles.inquire_property(handle, &mut options, "a", 10).unwrap();
    assert_eq!(found.warning, Some(Reason::RFH_FORMAT_ERROR));
    for name in ["b", "jms.b", "JMSCorrelationID", "c%"] {
        let missing = handles.inquire_property(handle, &mut options, name, 10);
        assert_eq!(missing.unwrap_err(), Reason::RFH_FORMAT_ERROR, "{name}");
    }
    let put = PutOptions { original_message_handle: handle, ..PutOptions::default() };
    let prepared = handles.for_put(&descriptor, &put, &buffer.bytes).unwrap().unwrap();
    let parts = take_out(&Place::of(&prepared.descriptor), &prepared.body).unwrap();
    assert_eq!(parts.folders, ["<usr><a>1</a></usr>", "<jms><b>x</jms>"], "each once");
    assert_eq!(&parts.body[..], b"data");
}

#[test]
fn elements_of_reserved_names_are_passed_on_and_given_to_no_program() {
    const RESERVED: &str = "<usr><JMSFoo>x</JMSFoo><not>y</not><a.b>z</a.b></usr>";
    let folders = vec![RESERVED.replace("</usr>", "<colour>red</colour></usr>")];
    let place = Place::of(&MessageDescriptor { coded_character_set: 1208, ..Default::default() });
    let (place, body) = crate::properties::put_before(folders, &place, &Bytes::from_static(b"data")).unwrap();
    let of_properties = crate::properties::read(&place, &body).unwrap();
    assert_eq!(of_properties.iter().map(|found| &found.name[..]).collect::<Vec<_>>(), ["usr.colour"]);
    let mut handles = Handles::default();
    let (original, new) = (created(&mut handles), created(&mut handles));
    let mut descriptor = MessageDescriptor::default();
    place.describe(&mut descriptor);
    let options = BufferToHandleOptions::DELETE_PROPERTIES;
    let buffer = handles.buffer_to_handle(original, options, &mut descriptor, body).unwrap();
    assert_eq!((&buffer.bytes[..], buffer.warning), (&b"data"[..], None));
    assert_eq!(all(&mut handles, original, "%"), [("colour".to_owned(), text("red"))]);
    for name in ["usr.JMSFoo", "usr.not", "a.b", "usr.a.b"] {
        let inquired = handles.inquire_property(original, &mut InquirePropertyOptions::default(), name, 10);
        let expected = [Reason::PROPERTY_NOT_AVAILABLE, Reason::PROPERTY_NAME_ERROR];
        assert!(expected.contains(&inquired.unwrap_err()), "{name}");
    }
    for (action, passes) in [
        (PutAction::New, true),
        (PutAction::Forward, true),
        (PutAction::Reply, false),
        (PutAction::Report, true),
    ] {
        for new_message_handle in [MessageHandle::NONE, new, original] {
            let put = PutOptions {
                original_message_handle: original,
                new_message_handle,
                action,
                ..PutOptions::default()
            };
            let prepared = handles.for_put(&descriptor, &put, &buffer.bytes).unwrap().unwrap();
            let parts = take_out(&Place::of(&prepared.descriptor), &prepared.body).unwrap();
            // One handle that is both makes a new message, whatever the action.
            let passes = passes || new_message_handle == original;
            assert_eq!(parts.folders.iter().any(|text| text == RESERVED), passes, "{action:?}");
        }
    }
}

fn copied(copy: CopyOptions) -> PropertyDescriptor {
    PropertyDescriptor { copy, ..PropertyDescriptor::default() }
}

#[test]
fn a_put_takes_its_properties_from_its_handles_by_its_action() {
    let mut handles = Handles::default();
    let original = created(&mut handles);
    for (name, copy) in [
        ("all", CopyOptions::ALL),
        ("forward", CopyOptions::FORWARD),
        ("reply", CopyOptions::REPLY),
        ("report", CopyOptions::REPORT),
        ("none", CopyOptions::EMPTY),
        ("gone", CopyOptions::ALL),
    ] {
        let options = SetPropertyOptions::EMPTY;
        handles.set_property(original, options, name, copied(copy), &text("original")).unwrap();
    }
    for (action, expected) in [
        (PutAction::New, &["all", "forward", "reply", "report", "none", "added"][..]),
        (PutAction::Forward, &["all", "forward", "added"]),
        (PutAction::Reply, &["all", "reply", "added"]),
        (PutAction::Report, &["all", "report", "added"]),
    ] {
        let new = created(&mut handles);
        set(&mut handles, new, "all", &text("new"));
        set(&mut handles, new, "gone", &PropertyValue::Null);
        set(&mut handles, new, "added", &PropertyValue::Null);
        let mut options = PutOptions {
            original_message_handle: original,
            new_message_handle: new,
            action,
            ..PutOptions::default()
        };
        let mut descriptor = MessageDescriptor::default();
        let prepared = handles.for_put(&descriptor, &options, &Bytes::from_static(b"data")).unwrap().unwrap();
        assert!(is_by_handle(&Place::of(&prepared.descriptor), &prepared.body));
        let found = crate::properties::read(&Place::of(&prepared.descriptor), &prepared.body).unwrap();
        let found: Vec<_> = found.iter().map(|property| property.name.trim_start_matches("usr.")).collect();
        assert_eq!(found, expected, "{action:?}");
        drop(prepared);
        let only = PutOptions { new_message_handle: MessageHandle::NONE, ..options.clone() };
        let prepared = handles.for_put(&descriptor, &only, &Bytes::new()).unwrap().unwrap();
        assert_eq!(prepared.options.original_message_handle, MessageHandle::NONE);
        drop(prepared);
        let same = PutOptions { new_message_handle: original, ..options.clone() };
        assert!(handles.for_put(&descriptor, &same, &Bytes::new()).is_ok(), "one handle may be both");
        let mut prepared = handles.for_put(&descriptor, &options, &Bytes::new()).unwrap().unwrap();
        prepared.descriptor.message_id = MessageId::from_bytes([5; 24]);
        prepared.options.warning = Some(Reason::PRIORITY_EXCEEDS_MAXIMUM);
        prepared.done(&mut descriptor, &mut options);
        assert_eq!(descriptor.message_id, MessageId::from_bytes([5; 24]));
        assert_eq!(descriptor.format, Text::BLANK, "the program's descriptor describes its body");
        assert_eq!(options.warning, Some(Reason::PRIORITY_EXCEEDS_MAXIMUM));
        assert_eq!((options.original_message_handle, options.action), (original, action));
        assert_eq!(names(&all(&mut handles, new, "%")), expected, "the handle has what was put");
    }
}

#[test]
fn a_put_without_a_descriptor_takes_it_from_its_handles() {
    let mut handles = Handles::default();
    let (original, new) = (created(&mut handles), created(&mut handles));
    let mut of_original = MessageDescriptor {
        report: ReportOptions::PASS_CORREL_ID | ReportOptions::COA,
        message_type: MessageType::REQUEST,
        expiry: Expiry::tenths(100),
        message_id: MessageId::from_bytes([1; 24]),
        correlation_id: CorrelationId::from_bytes([2; 24]),
        reply_to_queue: "REPLY".parse().unwrap(),
        priority: Priority::new(3),
        ..MessageDescriptor::default()
    };
    let options = BufferToHandleOptions::EMPTY;
    handles.buffer_to_handle(original, options, &mut of_original, Bytes::new()).unwrap();
    set(&mut handles, new, "Root.MQMD.ApplIdentityData", &text("mine"));
    let composed = |action, original_message_handle, new_message_handle| {
        let options = PutOptions {
            flags: PutFlags::MD_FOR_OUTPUT_ONLY,
            original_message_handle,
            new_message_handle,
            action,
            ..PutOptions::default()
        };
        let given = MessageDescriptor { priority: Priority::new(9), ..MessageDescriptor::default() };
        let prepared = handles.for_put(&given, &options, &Bytes::new()).unwrap().unwrap();
        assert!(!prepared.options.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY));
        prepared.descriptor.clone()
    };
    let new_alone = composed(PutAction::New, MessageHandle::NONE, new);
    assert_eq!(new_alone.application_identity_data, "mine");
    assert_eq!(new_alone.message_id, MessageId::NONE);
    let both = composed(PutAction::Forward, original, new);
    assert_eq!((both.message_id, both.expiry), (of_original.message_id, of_original.expiry));
    assert_eq!((both.priority, both.application_identity_data.as_str()), (Priority::new(3), "mine"));
    let reply = composed(PutAction::Reply, original, new);
    assert_eq!((reply.message_type, reply.message_id), (MessageType::REPLY, MessageId::NONE));
    assert_eq!(reply.correlation_id, of_original.correlation_id);
    assert_eq!((reply.report, reply.expiry), (ReportOptions::EMPTY, Expiry::UNLIMITED));
    assert_eq!((reply.reply_to_queue.is_blank(), reply.priority), (true, Priority::new(3)));
    let report = composed(PutAction::Report, original, MessageHandle::NONE);
    assert_eq!((report.message_type, report.application_identity_data.as_str()), (MessageType::REPORT, ""));
}

#[test]
fn there_is_a_last_handle() {
    let mut handles = Handles::default();
    for _ in 0..HANDLES_MAX {
        created(&mut handles);
    }
    let refused = handles.create_message_handle(CreateHandleOptions::EMPTY);
    assert_eq!(refused, Err(Reason::HANDLE_NOT_AVAILABLE));
}

#[test]
fn properties_of_a_handle_have_a_limit_together() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    let large = PropertyValue::Bytes(vec![7; 60 << 20].into());
    let mut set = |name: &str| {
        handles.set_property(handle, SetPropertyOptions::EMPTY, name, PropertyDescriptor::default(), &large)
    };
    assert_eq!(set("first"), Ok(None));
    assert_eq!(set("second"), Err(Reason::STORAGE_NOT_AVAILABLE));
}

fn any_value() -> impl Strategy<Value = PropertyValue> {
    super::super::tests::value()
}

fn any_descriptor() -> impl Strategy<Value = PropertyDescriptor> {
    (any::<bool>(), 0..32_i32).prop_map(|(is_user_context, copy)| PropertyDescriptor {
        is_user_context,
        copy: CopyOptions::from_bits(copy),
        ..PropertyDescriptor::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_set_is_inquired_again_after_a_buffer(
        properties in prop::collection::vec(
            ("([a-z]{1,3}\\.){0,3}[a-z][a-z0-9_]{0,4}", any_value(), any_descriptor(), any::<bool>()),
            1..12,
        ),
        ccsid in prop::sample::select(vec![0, 37, 437, 819, 1200, 1208, 4711]),
        encoding in prop::sample::select(vec![0, constants::MQENC_NATIVE, constants::MQENC_NORMAL]),
        data in prop::collection::vec(any::<u8>(), 0..20),
    ) {
        let mut handles = Handles::default();
        let (from, to) = (created(&mut handles), created(&mut handles));
        for (name, value, descriptor, appends) in &properties {
            let options = if *appends { SetPropertyOptions::APPEND_PROPERTY } else { SetPropertyOptions::EMPTY };
            // A few of the names are words that no property has.
            let _ = handles.set_property(from, options, name, *descriptor, value);
        }
        let expected = all(&mut handles, from, "%");
        prop_assume!(!expected.is_empty());
        let before = MessageDescriptor {
            coded_character_set: ccsid,
            encoding: mqi::Encoding(encoding),
            format: Text::truncated("MQSTR"),
            ..MessageDescriptor::default()
        };
        let mut descriptor = before.clone();
        let wanted = HandleToBufferOptions::PROPERTIES_IN_MQRFH2;
        let mut length = 0;
        let header = handles
            .handle_to_buffer(from, wanted, "%", &mut descriptor, 1 << 20, &mut length)
            .expect("everything can be written");
        prop_assert_eq!(header.bytes.len(), length);
        let message: Bytes = [&header.bytes[..], &data].concat().into();
        let options = BufferToHandleOptions::DELETE_PROPERTIES;
        let buffer = handles.buffer_to_handle(to, options, &mut descriptor, message).expect("was written");
        prop_assert_eq!(&buffer.bytes[..], &data[..]);
        prop_assert_eq!(descriptor, before);
        prop_assert_eq!(all(&mut handles, to, "%"), expected);
        for flags in [InquirePropertyFlags::EMPTY, InquirePropertyFlags::INQ_NEXT] {
            let mut options = [InquirePropertyOptions::with(flags), InquirePropertyOptions::with(flags)];
            let of = [from, to];
            let found: Vec<_> = of.iter().zip(&mut options)
                .map(|(handle, options)| handles.inquire_property(*handle, options, "%", 1 << 20))
                .collect();
            prop_assert_eq!(&found[0], &found[1], "descriptors as well");
        }
    }
}

/// Other systems have types of their own: the program that knows them is told which it is.
#[test]
fn a_property_of_a_type_that_is_none_is_given_as_its_text_with_a_warning() {
    let mut handles = Handles::default();
    let handle = created(&mut handles);
    let folders = vec!["<usr><born dt='date'>1970-01-01</born><size dt='i4'>7</size></usr>".to_owned()];
    let place = Place::of(&MessageDescriptor { coded_character_set: 1208, ..Default::default() });
    let (place, header) = crate::properties::put_before(folders, &place, &Bytes::new()).unwrap();
    let mut descriptor = MessageDescriptor::default();
    place.describe(&mut descriptor);
    let flags = BufferToHandleOptions::EMPTY;
    handles.buffer_to_handle(handle, flags, &mut descriptor, header).unwrap();
    for (name, expected, kind, warning) in [
        ("born", text("1970-01-01"), "date", Some(Reason::PROP_TYPE_NOT_SUPPORTED)),
        ("size", PropertyValue::Int32(7), "", None),
    ] {
        let mut options = InquirePropertyOptions::default();
        let found = handles.inquire_property(handle, &mut options, name, 100).unwrap();
        assert_eq!((found.value, &*options.returned_type, found.warning), (expected, kind, warning));
    }
    // It goes on as what it is.
    let mut length = 0;
    let wanted = HandleToBufferOptions::PROPERTIES_IN_MQRFH2;
    let buffer =
        handles.handle_to_buffer(handle, wanted, "born", &mut descriptor, 1_000, &mut length).unwrap();
    let written = String::from_utf8_lossy(&buffer.bytes).into_owned();
    assert!(written.contains("<born dt='date'>1970-01-01</born>"), "{written}");
}
