//! Decode of encode is the same again, and no bytes make a decoder panic.

use std::time::Duration;

use super::*;
use crate::frame::{FRAGMENT_BYTES, HEADER_BYTES};
use crate::{
    Assembly, Conversation, Error, FieldSet, Flags, Frame, Header, Kind, Outlet, Output, RequestNumber,
    SharedBodies,
};
use bytes::Bytes;
use mqi::branch::{BranchId, BranchList};
use mqi::{
    AttributeValue, Body, CloseOptions, CorrelationId, Expiry, GetFlags, GetOptions, GroupId, Inquired,
    MatchOptions, MessageDescriptor, MessageFlags, MessageHandle, MessageId, MessageToken, MessageType,
    ObjectDescriptor, ObjectHandle, ObjectName, ObjectType, OpenOptions, Opened, Persistence, Priority,
    PutAction, PutFlags, PutObject, PutOptions, Reason, ReportOptions, RequestOptions, Selector,
    SubscribeOptions, Subscribed, SubscriptionDescriptor, Text, Wait,
};
use proptest::prelude::*;

const MESSAGE_BYTES_MAX: u32 = 4 << 20;
const CONVERSATION: Conversation = Conversation(3);
const REQUEST: RequestNumber = RequestNumber(77);

fn name() -> impl Strategy<Value = ObjectName> {
    "[A-Z0-9._/%]{0,48}".prop_map(|text| text.parse().unwrap())
}

fn text<const N: usize>() -> impl Strategy<Value = Text<N>> {
    "[ -~é]{0,40}".prop_map(|text| Text::truncated(&text))
}

fn descriptor() -> impl Strategy<Value = MessageDescriptor> {
    let numbers = (any::<i32>(), any::<i32>(), -1_i32..100, any::<i32>(), any::<i32>(), any::<i32>());
    let ids = (any::<[u8; 24]>(), any::<[u8; 24]>(), any::<[u8; 24]>(), any::<[u8; 32]>());
    let texts = (name(), name(), text::<12>(), text::<32>(), text::<28>(), text::<8>(), text::<4>());
    let set = prop::collection::vec(any::<bool>(), 16);
    (numbers, ids, texts, set).prop_map(|(numbers, ids, texts, set)| {
        let mut descriptor = MessageDescriptor::default();
        if set[0] {
            descriptor.report = ReportOptions::from_bits(numbers.0);
            descriptor.message_type = MessageType(numbers.1);
        }
        if set[1] {
            descriptor.expiry = Expiry::tenths(numbers.0 as u32);
        }
        if set[2] {
            descriptor.priority = Priority::from_code(numbers.2).unwrap();
        }
        if set[3] {
            descriptor.persistence = Persistence::Persistent;
        }
        if set[4] {
            descriptor.message_id = MessageId(ids.0);
        }
        if set[5] {
            descriptor.correlation_id = CorrelationId(ids.1);
        }
        if set[6] {
            descriptor.group_id = GroupId(ids.2).into();
            descriptor.message_sequence_number = numbers.3;
            descriptor.offset = numbers.4;
            descriptor.message_flags = MessageFlags::from_bits(numbers.5);
        }
        if set[7] {
            descriptor.reply_to_queue = texts.0.into();
            descriptor.reply_to_queue_manager = texts.1.into();
        }
        if set[8] {
            descriptor.user_identifier = texts.2;
            descriptor.accounting_token = mqi::AccountingToken(ids.3);
        }
        if set[9] {
            descriptor.application_identity_data = texts.3.into();
        }
        if set[10] {
            descriptor.put_application_name = texts.4;
            descriptor.put_application_type = mqi::PutApplicationType(numbers.3);
        }
        if set[11] {
            descriptor.put_date = texts.5;
            descriptor.put_time = texts.5;
        }
        if set[12] {
            descriptor.application_origin_data = texts.6;
            descriptor.format = texts.5;
        }
        if set[13] {
            descriptor.backout_count = numbers.3;
            descriptor.original_length = numbers.4;
        }
        if set[14] {
            descriptor.feedback = mqi::Feedback(numbers.3);
            descriptor.encoding = mqi::Encoding(numbers.4);
            descriptor.coded_character_set = numbers.5;
        }
        descriptor
    })
}

fn object() -> impl Strategy<Value = ObjectDescriptor> {
    (name(), name(), text::<48>(), text::<12>(), ".{0,40}", ".{0,40}", any::<i32>(), any::<bool>()).prop_map(
        |(object_name, manager, dynamic, user, object_string, selection_string, kind, is_topic)| {
            ObjectDescriptor {
                object_type: if is_topic { ObjectType::from_code(kind) } else { ObjectType::Queue },
                object_name,
                object_queue_manager_name: manager.into(),
                dynamic_queue_name: dynamic,
                alternate_user_identifier: user,
                object_string,
                selection_string,
            }
        },
    )
}

fn subscription() -> impl Strategy<Value = SubscriptionDescriptor> {
    let numbers = (any::<i32>(), any::<i32>(), any::<i32>(), 1_i32..i32::MAX);
    let texts = (name(), ".{0,40}", ".{0,40}", ".{0,40}", ".{0,40}", text::<32>());
    (numbers, texts, any::<[u8; 24]>(), any::<[u8; 32]>()).prop_map(|(numbers, texts, correlation, token)| {
        SubscriptionDescriptor {
            options: SubscribeOptions::from_bits(numbers.0),
            object_name: texts.0,
            object_string: texts.1,
            alternate_user_identifier: Text::BLANK,
            name: texts.2,
            user_data: texts.3,
            selection_string: texts.4,
            correlation_id: CorrelationId(correlation),
            priority: numbers.1,
            expiry: Expiry::from_code(numbers.3).unwrap(),
            accounting_token: mqi::AccountingToken(token),
            application_identity_data: texts.5,
            level: numbers.2,
        }
    })
}

fn put_options() -> impl Strategy<Value = PutOptions> {
    let delay = proptest::option::of(any::<u64>()).prop_map(Option::unwrap_or_default);
    (any::<i32>(), any::<Option<i32>>(), 0_usize..4, -5_i32..20, delay).prop_map(
        |(flags, context, action, level, delay)| PutOptions {
            delivery_delay: Duration::from_millis(delay),
            context: context.map(ObjectHandle),
            action: [PutAction::New, PutAction::Forward, PutAction::Reply, PutAction::Report][action],
            publication_level: level,
            ..PutOptions::with(PutFlags::from_bits(flags))
        },
    )
}

fn get_options() -> impl Strategy<Value = GetOptions> {
    (any::<i32>(), any::<i32>(), any::<Option<[u8; 16]>>(), 0_u32..3, any::<u32>(), any::<Option<i64>>())
        .prop_map(|(flags, matching, token, wait, milliseconds, handle)| GetOptions {
            match_options: match token {
                Some(_) => MatchOptions::from_bits(matching) | MatchOptions::MATCH_MSG_TOKEN,
                None => MatchOptions::from_bits(matching) - MatchOptions::MATCH_MSG_TOKEN,
            },
            message_handle: handle.map_or(MessageHandle::NONE, MessageHandle),
            message_token: token.map_or(MessageToken::NONE, MessageToken),
            ..GetOptions::with(
                GetFlags::from_bits(flags),
                match wait {
                    0 => Wait::No,
                    1 => Wait::Milliseconds(milliseconds),
                    _ => Wait::Unlimited,
                },
            )
        })
}

fn value() -> impl Strategy<Value = AttributeValue> {
    prop_oneof![any::<i32>().prop_map(AttributeValue::Integer), ".{0,20}".prop_map(AttributeValue::Text)]
}

/// Decodes the one frame that the bytes are.
fn one_request(bytes: &[u8], check: impl FnOnce(Header, Request<'_>, &MessageDescriptor)) {
    let mut descriptor = MessageDescriptor::default();
    let frame = Frame::decode(bytes, 1 << 20).unwrap().unwrap();
    assert_eq!(frame.bytes(), bytes.len());
    let request = Request::decode(&frame, MESSAGE_BYTES_MAX, &mut descriptor).unwrap();
    check(frame.header, request, &descriptor);
}

fn one_reply(bytes: &[u8], descriptor: &mut MessageDescriptor, check: impl FnOnce(Header, Reply<'_>)) {
    let frame = Frame::decode(bytes, 1 << 20).unwrap().unwrap();
    assert_eq!(frame.bytes(), bytes.len());
    let reply = Reply::decode(&frame, MESSAGE_BYTES_MAX, descriptor).unwrap();
    check(frame.header, reply);
}

fn any_branch() -> impl Strategy<Value = BranchId> {
    let part = |least| prop::collection::vec(any::<u8>(), least..=64);
    (0..=i32::MAX, part(1), part(0)).prop_map(|(format, global, qualifier)| {
        BranchId::new(format, &global, &qualifier).expect("its parts are within bounds")
    })
}

fn plain_requests() -> impl Strategy<Value = Request<'static>> {
    let handle = any::<i32>().prop_map(ObjectHandle);
    prop_oneof![
        Just(Request::Heartbeat),
        Just(Request::Disconnect),
        Just(Request::End),
        Just(Request::Back),
        Just(Request::Status),
        Just(Request::Statistics),
        Just(Request::Figures),
        any_branch().prop_map(|branch| Request::Branch { call: BranchCall::Prepare, branch }),
        (any_branch(), any::<u32>()).prop_map(|(after, most)| Request::ListBranches(BranchList {
            format: None,
            prefix: after.global().to_vec(),
            after: Some(after),
            most,
        })),
        (any_branch(), any::<u32>(), any::<u32>())
            .prop_map(|(branch, place, bytes_max)| { Request::PreparedMessage { branch, place, bytes_max } }),
        any::<([u8; 16], u64, i32)>().prop_map(|(instance, generation, options)| Request::Begin {
            instance,
            generation,
            options
        }),
        (object(), any::<i32>())
            .prop_map(|(object, bits)| Request::Open { object, options: OpenOptions::from_bits(bits) }),
        (any::<i32>(), any::<i32>()).prop_map(|(handle, bits)| Request::Close {
            handle: ObjectHandle(handle),
            options: CloseOptions::from_bits(bits)
        }),
        any::<u32>().prop_map(|get| Request::Cancel { get: RequestNumber(get) }),
        (any::<i32>(), any::<u32>())
            .prop_map(|(handle, through)| Request::Confirm { handle: ObjectHandle(handle), through }),
        handle.prop_map(|handle| Request::Release { handle }),
        any::<u64>().prop_map(|number| Request::Commit { number }),
        (any::<i32>(), prop::collection::vec(any::<i32>().prop_map(Selector), 0..20))
            .prop_map(|(handle, selectors)| Request::Inquire { handle: ObjectHandle(handle), selectors }),
        (any::<i32>(), prop::collection::vec((any::<i32>().prop_map(Selector), value()), 0..20))
            .prop_map(|(handle, values)| Request::Set { handle: ObjectHandle(handle), values }),
        (subscription(), any::<Option<i32>>(), text::<12>()).prop_map(|(mut descriptor, queue, user)| {
            if descriptor.options.contains(SubscribeOptions::ALTERNATE_USER_AUTHORITY) {
                descriptor.alternate_user_identifier = user;
            }
            Request::Subscribe { descriptor: Box::new(descriptor), queue: queue.map(ObjectHandle) }
        }),
        any::<(i32, i32, i32)>().prop_map(|(handle, action, bits)| Request::RequestPublications {
            subscription: ObjectHandle(handle),
            action,
            options: RequestOptions::from_bits(bits)
        }),
        prop_oneof![Just(StopMode::Quiesce), Just(StopMode::Immediate), Just(StopMode::Preemptive)]
            .prop_map(|mode| Request::Stop { mode }),
    ]
}

/// A frame to which a later release appended a field.
fn of_a_later_release(frame: &[u8]) -> Vec<u8> {
    let mut longer = [frame, b"new"].concat();
    crate::frame::finish(&mut longer, 0, 0);
    longer
}

proptest! {
    #[test]
    fn a_plain_request_reads_back(request in plain_requests()) {
        let mut bytes = Vec::new();
        request.encode(&mut bytes, CONVERSATION, REQUEST, Flags::NO_REPLY);
        one_request(&bytes, |header, decoded, _| {
            assert_eq!(header, Header::new(request.kind(), CONVERSATION, REQUEST).with(Flags::NO_REPLY));
            assert_eq!(decoded, request);
        });
        one_request(&of_a_later_release(&bytes), |_, decoded, _| assert_eq!(decoded, request));
    }

    #[test]
    fn a_put_reads_back(
        descriptor in descriptor(),
        options in put_options(),
        object in object(),
        handle in any::<Option<i32>>(),
        body in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let target = match handle {
            Some(handle) => Target::Handle(ObjectHandle(handle)),
            None => Target::Object(Box::new(object)),
        };
        let kind = if handle.is_some() { Kind::Put } else { Kind::Put1 };
        let mut output = Output::default();
        let header = Header::new(kind, CONVERSATION, REQUEST);
        let body = Bytes::from(body);
        let rest = put(&mut output, header, &target, &descriptor, &options, body.clone(), FRAGMENT_BYTES);
        prop_assert!(rest.is_empty());
        one_request(&output.to_vec(), |_, decoded, decoded_descriptor| {
            let expected = Put { target, options, length: body.len() as u32, body: &body };
            assert_eq!(decoded, Request::Put(expected));
            assert_eq!(decoded_descriptor, &descriptor);
        });
    }

    #[test]
    fn a_get_and_a_credit_read_back(
        options in get_options(),
        descriptor in descriptor(),
        (handle, bytes_max, messages, bytes) in any::<(i32, u32, u32, u32)>(),
    ) {
        let get = Get { handle: ObjectHandle(handle), options, bytes_max };
        let mut expected = MessageDescriptor::default();
        crate::descriptor::copy_fields(&descriptor, &mut expected, FieldSet::READ_BY_GET);
        let mut out = Vec::new();
        super::get(&mut out, CONVERSATION, REQUEST, &get, &descriptor);
        for out in [&out, &of_a_later_release(&out)] {
            one_request(out, |_, decoded, decoded_descriptor| {
                assert_eq!(decoded, Request::Get(get.clone()));
                assert_eq!(decoded_descriptor, &expected);
            });
        }
        for terms in [Some(get), None] {
            let (reserves_all, is_called) =
                (terms.is_some() && messages % 2 == 0, terms.is_some() && messages % 3 == 0);
            let credit = Credit { handle: ObjectHandle(handle), messages, bytes, terms, reserves_all, is_called };
            out.clear();
            super::credit(&mut out, CONVERSATION, REQUEST, &credit, &descriptor);
            let frame = Frame::decode(&out, 1 << 20).unwrap().unwrap();
            assert_eq!(begins_anew(frame.payload), credit.terms.is_some());
            one_request(&of_a_later_release(&out), |_, decoded, _| {
                assert_eq!(decoded, Request::Credit(credit.clone()));
            });
            one_request(&out, |_, decoded, _| assert_eq!(decoded, Request::Credit(credit)));
        }
    }

    #[test]
    fn a_message_reads_back_got_or_delivered(
        descriptor in descriptor(),
        queue in name(),
        warning in any::<Option<i16>>(),
        data_length in any::<u32>(),
        number in any::<u32>(),
        for_handle in prop::sample::select(vec![
            ForHandle::Nothing,
            ForHandle::NoProperties,
            ForHandle::Header,
        ]),
        body in prop::collection::vec(any::<u8>(), 0..3000),
    ) {
        let warning = warning.filter(|code| *code != 0).map(|code| Reason::from_code(code.into()));
        let body = Bytes::from(body);
        let length = body.len() as u32;
        let message_token = MessageToken([7; 16]);
        let head =
            Message { warning, data_length, resolved_queue_name: queue, message_token, for_handle, length, body: &[] };
        let expected = Message { body: &body, ..head.clone() };
        let mut output = Output::default();
        got(&mut output, CONVERSATION, REQUEST, &head, &descriptor, body.clone(), FRAGMENT_BYTES);
        let mut decoded = MessageDescriptor { backout_count: 9, ..MessageDescriptor::default() };
        one_reply(&output.to_vec(), &mut decoded, |_, reply| {
            assert_eq!(reply, Reply::Got(expected.clone()));
        });
        prop_assert_eq!(&decoded, &descriptor);
        let mut output = Output::default();
        let header = Header::new(Kind::Delivered, CONVERSATION, REQUEST).with(Flags::RESERVED);
        let handle = ObjectHandle(5);
        delivered(&mut Outlet { output: &mut output, bodies: &mut SharedBodies::default() }, header, (handle, number), &head, &descriptor, body.clone(), FRAGMENT_BYTES);
        one_reply(&output.to_vec(), &mut decoded, |decoded_header, reply| {
            assert!(decoded_header.flags.contains(header.flags));
            assert_eq!(reply, Reply::Delivered { handle, number, message: expected.clone() });
        });
        prop_assert_eq!(&decoded, &descriptor);
        // Written once for it and for others that have other correlation identifiers.
        let another = MessageDescriptor { correlation_id: CorrelationId([9; 24]), ..descriptor.clone() };
        for one in [&descriptor, &another] {
            let common = Bytes::from(crate::descriptor::written(one));
            let described = Described::Written { common: &common, correlation_id: &descriptor.correlation_id };
            let mut output = Output::default();
            got(&mut output, CONVERSATION, REQUEST, &head, described, body.clone(), FRAGMENT_BYTES);
            one_reply(&output.to_vec(), &mut decoded, |_, reply| {
                assert_eq!(reply, Reply::Got(expected.clone()));
            });
            prop_assert_eq!(&decoded, &descriptor);
        }
    }

    #[test]
    fn puts_written_and_read_by_those_before_them_are_those_that_were_made(
        descriptors in prop::collection::vec(descriptor(), 1..4),
        changes in prop::collection::vec((any::<[u8; 24]>(), 0_u8..7), 1..20),
    ) {
        let (mut said, mut seen) = (DeltaWriter::default(), DeltaReader::default());
        let mut descriptor = descriptors[0].clone();
        for (place, (identifier, change)) in changes.into_iter().enumerate() {
            match change {
                0 => descriptor = descriptors[place % descriptors.len()].clone(),
                1 => descriptor.message_id = MessageId::default(),
                2 => descriptor.put_time = Text::truncated(&format!("{:08}", identifier[0])),
                3 => descriptor.message_id = MessageId(identifier),
                4 => descriptor.correlation_id = CorrelationId::default(),
                5 => descriptor.correlation_id = CorrelationId(identifier),
                _ => {}
            }
            let target = match place % 3 {
                0 => Target::Object(Box::new(ObjectDescriptor::topic(format!("price/{place}")))),
                _ => Target::Handle(ObjectHandle(place as i32)),
            };
            let mut options = PutOptions::with(PutFlags::from_bits(i32::from(identifier[1])));
            options.publication_level = i32::from(identifier[2] % 10);
            options.context = (place % 2 == 0).then_some(ObjectHandle(7));
            let header = Header::new(Kind::Put, CONVERSATION, RequestNumber(place as u32));
            let body = Bytes::copy_from_slice(&identifier);
            let (mut alone, mut by_others) = (Output::default(), Output::default());
            put(&mut alone, header, &target, &descriptor, &options, body.clone(), FRAGMENT_BYTES);
            said.put(&mut by_others, header, (&target, &descriptor), &options, body, FRAGMENT_BYTES);
            let bytes = by_others.to_vec();
            prop_assert_eq!(&bytes, &alone.to_vec());
            let header = match target {
                Target::Handle(_) => header,
                Target::Object(_) => Header { kind: Kind::Put1, ..header },
            };
            let frame = Frame { header, ..Frame::decode(&bytes, 1 << 20).unwrap().unwrap() };
            let read = seen.read_put(&frame, MESSAGE_BYTES_MAX).unwrap();
            prop_assert_eq!((read.target, read.options, read.body), (target, options, &identifier[..]));
            prop_assert_eq!(seen.descriptor(), &descriptor);
        }
    }

    #[test]
    fn messages_read_by_those_before_them_are_those_that_came(
        descriptors in prop::collection::vec(descriptor(), 1..4),
        queues in prop::collection::vec(name(), 1..3),
        changes in prop::collection::vec((any::<[u8; 24]>(), 0_u8..6), 1..20),
    ) {
        let mut seen = DeltaReader::default();
        let (mut descriptor, mut queue) = (descriptors[0].clone(), queues[0]);
        for (place, (identifier, change)) in changes.into_iter().enumerate() {
            match change {
                0 => descriptor = descriptors[place % descriptors.len()].clone(),
                1 => queue = queues[place % queues.len()],
                2 => descriptor.put_time = Text::truncated(&format!("{:08}", identifier[0])),
                3 => descriptor.message_id = MessageId(identifier),
                4 => descriptor.correlation_id = CorrelationId::default(),
                _ => descriptor.correlation_id = CorrelationId(identifier),
            }
            let (number, length) = (place as u32, identifier.len() as u32);
            let message_token = MessageToken([identifier[1]; 16]);
            let head = Message {
                warning: None,
                data_length: length,
                resolved_queue_name: queue,
                message_token,
                for_handle: ForHandle::Nothing,
                length,
                body: &[],
            };
            let (to, body) = ((ObjectHandle(5), number), Bytes::copy_from_slice(&identifier));
            let mut output = Output::default();
            let header = Header::new(Kind::Delivered, CONVERSATION, REQUEST);
            delivered(&mut Outlet { output: &mut output, bodies: &mut SharedBodies::default() }, header, to, &head, &descriptor, body, FRAGMENT_BYTES);
            let bytes = output.to_vec();
            let frame = Frame::decode(&bytes, 1 << 20).unwrap().unwrap();
            prop_assert_eq!(delivered_to(&frame), Ok(to));
            prop_assert_eq!(seen.read(&frame, MESSAGE_BYTES_MAX), Ok(Message { body: &identifier, ..head }));
            prop_assert_eq!(seen.descriptor(), &descriptor);
        }
    }

    #[test]
    fn what_a_put_filled_in_comes_back_over_what_was_sent(sent in descriptor(), filled in descriptor()) {
        let mut out = Vec::new();
        let (queue, manager) = ("Q".parse().unwrap(), "QM".parse().unwrap());
        put_done(
            &mut out,
            Header::new(Kind::PutDone, CONVERSATION, REQUEST),
            Some(Reason::PRIORITY_EXCEEDS_MAXIMUM),
            &queue,
            &manager,
            Some(&filled),
        );
        let mut expected = sent.clone();
        crate::descriptor::copy_fields(&filled, &mut expected, FieldSet::FILLED_BY_PUT);
        for out in [&out, &of_a_later_release(&out)] {
            let mut returned = sent.clone();
            one_reply(out, &mut returned, |_, reply| {
                assert_eq!(reply, Reply::PutDone {
                    warning: Some(Reason::PRIORITY_EXCEEDS_MAXIMUM),
                    resolved_queue_name: queue,
                    resolved_queue_manager_name: manager,
                });
            });
            prop_assert_eq!(&returned, &expected);
        }
    }

    #[test]
    fn a_plain_reply_reads_back(
        (code, length, number) in any::<(i32, u32, Option<u64>)>(),
        (object, resolved) in (name(), name()),
        values in prop::collection::vec(value(), 0..10),
        is in subscription(),
    ) {
        let subscribed = Subscribed {
            subscription: ObjectHandle(code),
            queue: number.map(|_| ObjectHandle(code)),
            queue_name: object,
            topic_string: is.object_string.clone(),
            is,
            reads_ahead: code % 2 == 0,
        };
        let opened = Opened {
            handle: ObjectHandle(code),
            object_name: object,
            resolved_queue_name: resolved,
            resolved_queue_manager_name: object.into(),
            topic_string: number.map(|_| subscribed.topic_string.clone()),
            puts_asynchronously: code % 2 != 0,
            reads_ahead: code % 3 != 0,
        };
        let reason = Some(Reason::from_code(code)).filter(|_| code != 0);
        let put_object = PutObject {
            object_type: Some(ObjectType::from_code(code)).filter(|_| code != 0),
            object_name: object,
            object_queue_manager_name: object.into(),
            resolved_object_name: resolved,
            resolved_queue_manager_name: resolved.into(),
        };
        let status = PutStatus { puts: length, warnings: 1, failures: 2, reason, object: put_object };
        for (kind, reply) in [
            (Kind::Heartbeat, Reply::Heartbeat),
            (Kind::Got, Reply::Failed { reason: Reason::from_code(code), data_length: length }),
            (Kind::Delivered, Reply::Failed { reason: Reason::Q_FULL, data_length: 0 }),
            (Kind::Begun, Reply::Begun { last_commit: number }),
            (Kind::Committed, Reply::Done),
            (Kind::Closed, Reply::Closed { warning: reason }),
            (Kind::Opened, Reply::Opened(opened)),
            (Kind::Inquired, Reply::Inquired(Inquired { values, warning: reason })),
            (Kind::StatusTold, Reply::Status(status)),
            (Kind::Subscribed, Reply::Subscribed(Box::new(subscribed))),
            (Kind::PublicationsRequested, Reply::PublicationsRequested(length)),
        ] {
            let mut out = Vec::new();
            reply.encode(&mut out, Header::new(kind, CONVERSATION, REQUEST));
            for out in [&out, &of_a_later_release(&out)] {
                one_reply(out, &mut MessageDescriptor::default(), |_, decoded| assert_eq!(decoded, reply));
            }
        }
    }

    #[test]
    fn no_bytes_make_a_decoder_panic(
        payload in prop::collection::vec(any::<u8>(), 0..200),
        kind in prop::sample::select(Kind::ALL),
        flags in any::<u8>(),
    ) {
        decode_any(&payload);
        let mut frame = Vec::new();
        let header = Header { flags: Flags(flags), ..Header::new(kind, CONVERSATION, REQUEST) };
        let start = crate::frame::begin(&mut frame, header);
        frame.extend_from_slice(&payload);
        crate::frame::finish(&mut frame, start, 0);
        decode_any(&frame);
    }

    #[test]
    fn a_cut_or_changed_put_is_an_error_or_a_put(
        descriptor in descriptor(),
        place in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let mut output = Output::default();
        let header = Header::new(Kind::Put, CONVERSATION, REQUEST);
        let target = Target::Handle(ObjectHandle(1));
        let body = Bytes::from_static(b"body");
        put(&mut output, header, &target, &descriptor, &PutOptions::default(), body, FRAGMENT_BYTES);
        let mut bytes = output.to_vec();
        let place = place.index(bytes.len());
        decode_any(&bytes[..place]);
        bytes[place] = byte;
        decode_any(&bytes);
    }
}

#[test]
fn a_small_put_costs_less_than_a_hundred_bytes_besides_its_body() {
    let descriptor = MessageDescriptor {
        message_type: MessageType::REQUEST,
        format: MessageDescriptor::string_format(),
        persistence: Persistence::Persistent,
        correlation_id: CorrelationId([7; 24]),
        reply_to_queue: "REPLY.QUEUE.1".parse().unwrap(),
        ..MessageDescriptor::default()
    };
    let mut output = Output::default();
    put(
        &mut output,
        Header::new(Kind::Put, CONVERSATION, REQUEST),
        &Target::Handle(ObjectHandle(1)),
        &descriptor,
        &PutOptions::with(PutFlags::SYNCPOINT),
        Bytes::from(vec![0; 2048]),
        FRAGMENT_BYTES,
    );
    assert!(output.len() - 2048 < 100, "{} bytes besides the body", output.len() - 2048);
    let mut output = Output::default();
    put(
        &mut output,
        Header::new(Kind::Put, CONVERSATION, REQUEST),
        &Target::Handle(ObjectHandle(1)),
        &MessageDescriptor::default(),
        &PutOptions::default(),
        Bytes::new(),
        FRAGMENT_BYTES,
    );
    assert_eq!(output.len(), HEADER_BYTES + 4 + 4 + 1 + 4 + 4);
}

#[test]
fn a_long_body_arrives_in_fragments() {
    let body: Vec<u8> = (0..1_000_000_u32).map(|number| number as u8).collect();
    let mut output = Output::default();
    let header = Header::new(Kind::Put, CONVERSATION, REQUEST);
    let target = Target::Handle(ObjectHandle(1));
    let mut rest = put(
        &mut output,
        header,
        &target,
        &MessageDescriptor::default(),
        &PutOptions::default(),
        Bytes::from(body.clone()),
        FRAGMENT_BYTES,
    );
    while !rest.is_empty() {
        fragment(&mut output, CONVERSATION, REQUEST, &mut rest, FRAGMENT_BYTES);
    }
    let bytes = output.to_vec();
    let mut left = &bytes[..];
    let mut descriptor = MessageDescriptor::default();
    let mut assembly: Option<Assembly> = None;
    let mut whole = None;
    while let Some(frame) = Frame::decode(left, 1 << 20).unwrap() {
        match Request::decode(&frame, MESSAGE_BYTES_MAX, &mut descriptor).unwrap() {
            Request::Put(put) => {
                assembly = Some(Assembly::begin(REQUEST, put.length, put.body, MESSAGE_BYTES_MAX).unwrap());
            }
            Request::Fragment(bytes) => whole = assembly.as_mut().unwrap().add(REQUEST, bytes).unwrap(),
            other => panic!("{other:?}"),
        }
        left = &left[frame.bytes()..];
    }
    assert_eq!(whole.unwrap(), body);
}

#[test]
fn a_body_that_is_lent_goes_as_one_that_may_be_kept() {
    let body: Vec<u8> = (0..20_000_u32).map(|number| number as u8).collect();
    for (length, fragment_bytes) in
        [(0, 4096), (100, 4096), (4096, 4096), (4097, 8000), (200, 100), (20_000, 4096)]
    {
        let sent = |body: Body<'_>| {
            let mut output = Output::default();
            let (target, header) =
                (Target::Handle(ObjectHandle(1)), Header::new(Kind::Put, CONVERSATION, REQUEST));
            let (descriptor, options) = (MessageDescriptor::default(), PutOptions::default());
            let rest = put(&mut output, header, &target, &descriptor, &options, body, fragment_bytes);
            (output.to_vec(), rest)
        };
        let body = &body[..length];
        let kept = sent(Body::Kept(Bytes::copy_from_slice(body)));
        assert_eq!(sent(Body::Lent(body)), kept, "{length} bytes in fragments of {fragment_bytes}");
    }
}

#[test]
fn a_name_that_is_none_fails_its_request_alone() {
    for (text, reason) in [
        (&[b'A'; 49][..], Reason::OBJECT_NAME_ERROR),
        (b"BAD NAME", Reason::OBJECT_NAME_ERROR),
        (b"QUEUE!", Reason::OBJECT_NAME_ERROR),
        (b"\xFF\xFE", Reason::SOURCE_CCSID_ERROR),
    ] {
        let mut bytes = Vec::new();
        let start = crate::frame::begin(&mut bytes, Header::new(Kind::Open, CONVERSATION, REQUEST));
        bytes.extend_from_slice(&[0, 0, 0, 0, 0, text.len() as u8]);
        bytes.extend_from_slice(text);
        crate::frame::finish(&mut bytes, start, 0);
        let frame = Frame::decode(&bytes, 1 << 20).unwrap().unwrap();
        let error = Request::decode(&frame, 100, &mut MessageDescriptor::default()).unwrap_err();
        assert_eq!(error.of_request(), Some(reason), "{error}");
    }
}

#[test]
fn a_message_longer_than_agreed_is_refused_before_it_arrives() {
    let mut output = Output::default();
    let header = Header::new(Kind::Put, CONVERSATION, REQUEST);
    let target = Target::Handle(ObjectHandle(1));
    let body = Bytes::from(vec![0; 300_000]);
    let descriptor = MessageDescriptor::default();
    put(&mut output, header, &target, &descriptor, &PutOptions::default(), body, FRAGMENT_BYTES);
    let bytes = output.to_vec();
    let frame = Frame::decode(&bytes, 1 << 20).unwrap().unwrap();
    let error = Request::decode(&frame, 299_999, &mut MessageDescriptor::default()).unwrap_err();
    assert_eq!(error, Error::Wire(wire::Error::MessageLength { length: 300_000, length_max: 299_999 }));
}

#[test]
fn a_message_that_cannot_be_read_is_nothing_the_next_is_read_by() {
    let written = |descriptor: &MessageDescriptor| {
        let mut output = Output::default();
        let head = Message {
            warning: None,
            data_length: 0,
            resolved_queue_name: ObjectName::BLANK,
            message_token: MessageToken::NONE,
            for_handle: ForHandle::Nothing,
            length: 0,
            body: &[],
        };
        got(&mut output, CONVERSATION, REQUEST, &head, descriptor, Bytes::new(), FRAGMENT_BYTES);
        output.to_vec()
    };
    let (plain, urgent) = (
        MessageDescriptor::default(),
        MessageDescriptor { priority: Priority::HIGHEST, ..Default::default() },
    );
    let mut seen = DeltaReader::default();
    let mut read = |bytes: &[u8]| {
        let frame = Frame::decode(bytes, 1 << 20).unwrap().unwrap();
        let read = seen.read(&frame, MESSAGE_BYTES_MAX).map(drop);
        read.map(|()| seen.descriptor().clone())
    };
    assert_eq!(read(&written(&urgent)).as_ref(), Ok(&urgent));
    let mut cut = written(&MessageDescriptor { put_date: Text::truncated("20260101"), ..urgent });
    // A length of a text that goes beyond the frame.
    let place = cut.windows(8).position(|bytes| bytes == b"20260101").unwrap();
    cut[place - 1] = u8::MAX;
    assert!(read(&cut).is_err());
    assert_eq!(read(&written(&plain)).as_ref(), Ok(&plain));
}

#[test]
fn a_list_that_claims_more_than_it_has_is_cut() {
    let mut bytes = Vec::new();
    let start = crate::frame::begin(&mut bytes, Header::new(Kind::Inquire, CONVERSATION, REQUEST));
    bytes.extend_from_slice(&[1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]);
    crate::frame::finish(&mut bytes, start, 0);
    let frame = Frame::decode(&bytes, 1 << 20).unwrap().unwrap();
    let error = Request::decode(&frame, 100, &mut MessageDescriptor::default()).unwrap_err();
    assert_eq!(error, Error::cut("selectors"));
}

#[test]
fn answers_of_any_length_read_back() {
    let response = CommandResponse {
        failed: true,
        messages: vec![CommandMessage { id: "FRY8006I".into(), text: "made".into() }],
        rows: vec![vec![("QUEUE".into(), "A".into()), ("MAXDEPTH".into(), "5000".into())], vec![]],
        json: "{}".into(),
        text: "all of it\n".into(),
    };
    assert_eq!(CommandResponse::decode(&response.encode()), Ok(response.clone()));
    let counter = |name: &str, value| Counter { name: name.into(), value };
    let statistics = Statistics {
        counters: vec![counter("puts", u64::MAX), counter("gets", 0)],
        queues: vec![ObjectStatistics { name: "A".into(), counters: vec![counter("depth", 3)] }],
    };
    assert_eq!(Statistics::decode(&statistics.encode()), Ok(statistics.clone()));
    let (bytes, more) = (response.encode(), statistics.encode());
    for end in 0..bytes.len() {
        assert!(CommandResponse::decode(&bytes[..end]).is_err());
    }
    for end in 0..more.len() {
        assert!(Statistics::decode(&more[..end]).is_err());
    }
    assert_eq!(CommandResponse::decode(&[&bytes[..], b"new"].concat()), Ok(response));
    assert_eq!(Statistics::decode(&[&more[..], b"new"].concat()), Ok(statistics));
}

#[test]
fn a_command_names_its_first_line_where_its_answer_may_come_in_parts() {
    for first_line in [None, Some(1), Some(u32::MAX)] {
        let mut output = Output::default();
        let rest = command(&mut output, CONVERSATION, REQUEST, first_line, "PING QMGR".into(), 1 << 16);
        assert!(rest.is_empty());
        let mut bytes = Vec::new();
        output.copy_front(output.len(), &mut bytes);
        let frame = Frame::decode(&bytes, 1 << 20).unwrap().unwrap();
        let decoded = Request::decode(&frame, 100, &mut MessageDescriptor::default()).unwrap();
        assert_eq!(decoded, Request::Command { first_line, length: 9, text: b"PING QMGR" });
        assert_eq!(frame.header.flags.contains(Flags::IN_PARTS), first_line.is_some());
        for end in 0..frame.payload.len() - 9 {
            let cut = Frame { payload: &frame.payload[..end], ..frame };
            assert!(Request::decode(&cut, 100, &mut MessageDescriptor::default()).is_err(), "{end} bytes");
        }
    }
}

#[test]
fn the_parts_of_an_answer_join_to_what_one_would_be() {
    let part = |messages: &[&str], names: &[&str], failed| CommandResponse {
        failed,
        messages: (messages.iter())
            .map(|text| CommandMessage { id: "FRY1I".into(), text: (*text).into() })
            .collect(),
        rows: names.iter().map(|name| vec![("QUEUE".into(), (*name).into())]).collect(),
        json: format!(
            "{{\"messages\":[{}],\"objects\":[{}]}}",
            messages.iter().map(|text| format!("\"{text}\"")).collect::<Vec<_>>().join(","),
            names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(","),
        ),
        text: names
            .iter()
            .map(|name| format!("   QUEUE({name})\n"))
            .chain(messages.iter().map(|text| format!("FRY1I: {text}\n")))
            .collect(),
    };
    for (parts, whole) in [
        (vec![part(&[], &["A"], false)], part(&[], &["A"], false)),
        (vec![part(&[], &["A"], false), part(&["x"], &["B"], false)], part(&["x"], &["A", "B"], false)),
        (
            vec![part(&["x"], &["A"], true), part(&[], &[], false), part(&["y", "x"], &["B", "C"], false)],
            part(&["x", "y", "x"], &["A", "B", "C"], true),
        ),
    ] {
        assert_eq!(CommandResponse::joined(parts), whole);
    }
    assert_eq!(CommandResponse::joined(Vec::new()), CommandResponse::default());
}
