use super::*;
use crate::attributes::{self, Access, Subject};
use crate::definition::Definition;
use crate::definition::tests::{object_type, settings_of};
use crate::messages;
use crate::moment::Moment;
use crate::mqsc::{self, Command, Page, Setting, Shown};
use crate::object_type::{Family, ObjectType};
use crate::response::{Field, Response, Row};
use crate::value::Value;
use mqi::constants::*;
use mqi::ours::{
    AMQP_CHANNEL, AMQP_NAME, AUTOMATIC_MODEL, AUTOMATIC_NAMES, PAGE_AFTER, PAGE_LIMIT, RUN_CHECK,
};
use proptest::prelude::*;

fn channel() -> Parameter {
    Parameter::text(MQCACH_CHANNEL_NAME, "C")
}

fn ask(command: i32, parameters: Vec<Parameter>) -> Result<Request, Refusal> {
    request(&Message { header: Header::command(command), parameters })
}

fn command(number: i32, parameters: Vec<Parameter>) -> String {
    match ask(number, parameters) {
        Ok(Request::Command(command)) => command.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_number_has_the_bytes_the_interface_says() {
    let message = Message {
        header: Header::command(MQCMD_INQUIRE_Q),
        parameters: vec![Parameter::text(MQCA_Q_NAME, "A*"), Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL)],
    };
    let bytes = message.encode(ByteOrder::Big);
    let expected: Vec<u8> = [[1, 36, 1, 13, 1, 1, 0, 0, 2].as_slice(), [4, 24, 2016, 1208, 2].as_slice()]
        .concat()
        .iter()
        .flat_map(|number: &i32| number.to_be_bytes())
        .chain(*b"A*\0\0")
        .chain([3, 16, 20, 1].iter().flat_map(|number: &i32| number.to_be_bytes()))
        .collect();
    assert_eq!(bytes, expected);
    assert_eq!(Message::decode(&bytes, ByteOrder::Big), Ok(message));
}

#[test]
fn every_structure_survives_its_bytes_in_both_orders() {
    let inner = vec![Parameter::integer(1, -1), Parameter::new(2, Content::Group(Vec::new()))];
    let parameters = vec![
        Parameter::integer(MQIA_MAX_Q_DEPTH, 5),
        Parameter::new(2, Content::Integer64(i64::MIN)),
        Parameter::new(3, Content::Integers(vec![1, -2, 3])),
        Parameter::new(4, Content::Integers64(vec![i64::MAX])),
        Parameter::text(5, "äöü"),
        Parameter::text(6, ""),
        Parameter::new(7, Content::Texts(vec!["ONE".into(), "THREE".into()])),
        Parameter::new(8, Content::Bytes(vec![1, 2, 3, 4, 5])),
        Parameter::new(9, Content::IntegerFilter(MQCFOP_GREATER, 7)),
        Parameter::new(10, Content::TextFilter(MQCFOP_LIKE, "A*".into())),
        Parameter::new(11, Content::BytesFilter(MQCFOP_EQUAL, vec![0xFF; 3])),
        Parameter::new(12, Content::Group(inner)),
        Parameter::integer(13, 0),
    ];
    // Only what stands at the top is counted by the header.
    let message = Message { header: Header::command(MQCMD_INQUIRE_Q), parameters };
    for order in [ByteOrder::Big, ByteOrder::Little] {
        let bytes = message.encode(order);
        assert_eq!(Message::decode(&bytes, order).as_ref(), Ok(&message), "{order:?}");
        for length in 0..bytes.len() {
            assert!(Message::decode(&bytes[..length], order).is_err(), "{length}");
        }
    }
}

#[test]
fn what_is_wrong_with_a_message_has_its_reason() {
    let good =
        Message { header: Header::command(MQCMD_PING_Q_MGR), parameters: vec![Parameter::integer(1, 1)] }
            .encode(ByteOrder::Little);
    let changed = |offset: usize, value: i32| {
        let mut bytes = good.clone();
        bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
        Message::decode(&bytes, ByteOrder::Little).unwrap_err().reason
    };
    for (offset, value, reason) in [
        (4, 40, MQRCCF_CFH_LENGTH_ERROR),
        (8, 9, MQRCCF_CFH_VERSION_ERROR),
        (32, -1, MQRCCF_CFH_PARM_COUNT_ERROR),
        (32, 0, MQRCCF_PARM_COUNT_TOO_SMALL),
        (32, 2, MQRCCF_PARM_COUNT_TOO_BIG),
        (36, 99, MQRCCF_STRUCTURE_TYPE_ERROR),
        (40, 12, MQRCCF_CFIN_LENGTH_ERROR),
        (40, 400, MQRCCF_CFIN_LENGTH_ERROR),
    ] {
        assert_eq!(changed(offset, value), reason, "{value} at {offset}");
    }
}

fn from(name: &str) -> Parameter {
    Parameter::text(MQCACF_FROM_Q_NAME, name)
}

fn to(name: &str) -> Parameter {
    Parameter::text(MQCACF_TO_Q_NAME, name)
}

/// An identifier of a connection that is so long.
fn connection(bytes: u8) -> Parameter {
    Parameter::new(MQBACF_CONNECTION_ID, Content::Bytes((1..=bytes).collect()))
}

/// The number of a unit of work.
fn unit(bytes: &[u8]) -> Parameter {
    Parameter::new(MQBACF_Q_MGR_UOW_ID, Content::Bytes(bytes.to_vec()))
}

#[test]
fn commands_mean_what_their_text_means() {
    let queue = |name: &str| Parameter::text(MQCA_Q_NAME, name);
    let refreshing = |part: i32| vec![Parameter::integer(MQIACF_SECURITY_TYPE, part)];
    for (number, parameters, expected) in [
        (MQCMD_PING_Q_MGR, vec![], "PING QMGR"),
        (MQCMD_CLEAR_Q, vec![queue("ORDERS")], "CLEAR QLOCAL('ORDERS')"),
        (
            MQCMD_START_CHANNEL_LISTENER,
            vec![
                Parameter::text(MQCACH_LISTENER_NAME, "L"),
                Parameter::integer(MQIACH_XMIT_PROTOCOL_TYPE, MQXPT_TCP),
            ],
            "START LISTENER('L')",
        ),
        (MQCMD_START_CHANNEL, vec![channel()], "START CHANNEL('C')"),
        (
            MQCMD_START_CHANNEL,
            vec![channel(), Parameter::integer(MQIACF_IGNORE_STATE, MQIS_YES)],
            "START CHANNEL('C') IGNSTATE(YES)",
        ),
        (
            MQCMD_STOP_CHANNEL,
            vec![
                channel(),
                Parameter::integer(MQIACF_MODE, MQMODE_TERMINATE),
                Parameter::text(MQCA_Q_MGR_NAME, "QM2"),
                Parameter::integer(MQIACF_IGNORE_STATE, MQIS_YES),
            ],
            "STOP CHANNEL('C') MODE(TERMINATE) QMNAME('QM2') IGNSTATE(YES)",
        ),
        (MQCMD_PING_CHANNEL, vec![channel()], "PING CHANNEL('C') DATALEN(64)"),
        (
            MQCMD_PING_CHANNEL,
            vec![channel(), Parameter::integer(MQIACH_DATA_COUNT, 32_768)],
            "PING CHANNEL('C') DATALEN(32768)",
        ),
        (MQCMD_RESET_CHANNEL, vec![channel()], "RESET CHANNEL('C') SEQNUM(1)"),
        (
            MQCMD_RESET_CHANNEL,
            vec![channel(), Parameter::integer(MQIACH_MSG_SEQUENCE_NUMBER, 7)],
            "RESET CHANNEL('C') SEQNUM(7)",
        ),
        (
            MQCMD_RESOLVE_CHANNEL,
            vec![channel(), Parameter::integer(MQIACH_IN_DOUBT, MQIDO_BACKOUT)],
            "RESOLVE CHANNEL('C') ACTION(BACKOUT)",
        ),
        (MQCMD_START_CHANNEL_INIT, vec![], "START CHINIT"),
        (
            MQCMD_STOP_CHANNEL_INIT,
            vec![Parameter::text(MQCA_INITIATION_Q_NAME, "SYSTEM.CHANNEL.INITQ")],
            "STOP CHINIT",
        ),
        (
            MQCMD_INQUIRE_CHANNEL_STATUS,
            vec![channel(), Parameter::integer(MQIACH_CHANNEL_INSTANCE_TYPE, MQOT_SAVED_CHANNEL)],
            "DISPLAY CHSTATUS('C') SAVED ALL",
        ),
        (
            MQCMD_STOP_CHANNEL,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "C"),
                Parameter::integer(MQIACF_MODE, MQMODE_FORCE),
                Parameter::integer(MQIACH_CHANNEL_STATUS, MQCHS_INACTIVE),
                Parameter::text(MQCACH_CONNECTION_NAME, "127.0.0.1"),
            ],
            "STOP CHANNEL('C') MODE(FORCE) STATUS(INACTIVE) CONNAME('127.0.0.1')",
        ),
        (
            MQCMD_INQUIRE_CHANNEL_STATUS,
            vec![Parameter::text(MQCACH_CHANNEL_NAME, "*")],
            "DISPLAY CHSTATUS('*') ALL",
        ),
        (
            MQCMD_INQUIRE_CHANNEL_STATUS,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "A"),
                Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_AMQP),
            ],
            "DISPLAY CHSTATUS('A') CHLTYPE(AMQP) ALL",
        ),
        (
            MQCMD_CREATE_CHANNEL,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "A"),
                Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_AMQP),
                Parameter::integer(MQIACH_AMQP_KEEP_ALIVE, 9),
                Parameter::text(AUTOMATIC_MODEL, "M"),
                Parameter::new(AUTOMATIC_NAMES, Content::Texts(vec!["DEV.*".into(), "ONE".into()])),
            ],
            "DEFINE CHANNEL('A') CHLTYPE(AMQP) AMQPKA(9) AUTOMDL('M') AUTOPRF('DEV.*','ONE')",
        ),
        (
            MQCMD_CHANGE_Q,
            vec![
                queue("ORDERS.IN"),
                Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL),
                Parameter::text(AMQP_NAME, "orders-in"),
            ],
            "ALTER QLOCAL('ORDERS.IN') AMQPNAME('orders-in')",
        ),
        (
            MQCMD_CHANGE_LISTENER,
            vec![
                Parameter::text(MQCACH_LISTENER_NAME, "L"),
                Parameter::integer(MQIACH_XMIT_PROTOCOL_TYPE, MQXPT_TCP),
                Parameter::text(AMQP_CHANNEL, "A"),
            ],
            "ALTER LISTENER('L') TRPTYPE(TCP) AMQPCHL('A')",
        ),
        (MQCMD_STOP_CHANNEL_LISTENER, vec![], "STOP LISTENER('SYSTEM.DEFAULT.LISTENER.TCP')"),
        (
            MQCMD_INQUIRE_LISTENER_STATUS,
            vec![
                Parameter::text(MQCACH_LISTENER_NAME, "L*"),
                Parameter::new(MQIACF_LISTENER_STATUS_ATTRS, Content::Integers(vec![MQIACH_PORT])),
            ],
            "DISPLAY LSSTATUS('L*') PORT",
        ),
        (
            MQCMD_CREATE_Q,
            vec![
                queue("ORDERS"),
                Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL),
                Parameter::integer(MQIACF_REPLACE, MQRP_YES),
                Parameter::integer(MQIA_MAX_Q_DEPTH, 10),
                Parameter::text(MQCA_Q_DESC, "It's"),
            ],
            "DEFINE QLOCAL('ORDERS') REPLACE MAXDEPTH(10) DESCR('It''s')",
        ),
        (
            MQCMD_COPY_Q,
            vec![
                Parameter::text(MQCACF_FROM_Q_NAME, "A"),
                Parameter::text(MQCACF_TO_Q_NAME, "B"),
                Parameter::integer(MQIA_Q_TYPE, MQQT_ALIAS),
            ],
            "DEFINE QALIAS('B') LIKE('A')",
        ),
        (
            MQCMD_CHANGE_Q,
            vec![
                queue("ORDERS"),
                Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL),
                Parameter::integer(MQIACF_FORCE, MQFC_YES),
                Parameter::integer(MQIA_SHAREABILITY, MQQA_NOT_SHAREABLE),
            ],
            "ALTER QLOCAL('ORDERS') FORCE NOSHARE",
        ),
        (
            MQCMD_DELETE_Q,
            vec![queue("ORDERS"), Parameter::integer(MQIACF_PURGE, MQPO_YES)],
            "DELETE QLOCAL('ORDERS') PURGE",
        ),
        (
            MQCMD_INQUIRE_Q,
            vec![
                queue("*"),
                Parameter::integer(MQIA_Q_TYPE, MQQT_ALL),
                Parameter::new(MQIACF_Q_ATTRS, Content::Integers(vec![MQIA_CURRENT_Q_DEPTH])),
                Parameter::new(MQIA_MAX_Q_DEPTH, Content::IntegerFilter(MQCFOP_GREATER, 5)),
            ],
            "DISPLAY QUEUE('*') WHERE(MAXDEPTH GT 5) CURDEPTH",
        ),
        (MQCMD_INQUIRE_Q_STATUS, vec![queue("A")], "DISPLAY QSTATUS('A') ALL"),
        (
            MQCMD_INQUIRE_TOPIC_STATUS,
            vec![
                Parameter::text(MQCA_TOPIC_STRING, "price/+"),
                Parameter::integer(MQIACF_TOPIC_STATUS_TYPE, MQIACF_TOPIC_SUB),
                Parameter::new(MQIACF_TOPIC_STATUS_ATTRS, Content::Integers(vec![MQIACF_MESSAGE_COUNT])),
            ],
            "DISPLAY TPSTATUS('price/+') TYPE(SUB) NUMMSGS",
        ),
        (
            MQCMD_INQUIRE_TOPIC_STATUS,
            vec![Parameter::text(MQCA_TOPIC_STRING, "")],
            "DISPLAY TPSTATUS(' ') ALL",
        ),
        (
            MQCMD_INQUIRE_SUB_STATUS,
            vec![
                Parameter::text(MQCACF_SUB_NAME, "*"),
                Parameter::integer(MQIACF_DURABLE_SUBSCRIPTION, MQSUB_DURABLE_YES),
            ],
            "DISPLAY SBSTATUS('*') DURABLE(YES) ALL",
        ),
        (MQCMD_INQUIRE_PUBSUB_STATUS, vec![], "DISPLAY PUBSUB ALL"),
        (
            MQCMD_INQUIRE_PUBSUB_STATUS,
            vec![
                Parameter::integer(MQIACF_PS_STATUS_TYPE, MQPSST_LOCAL),
                Parameter::new(MQIACF_PUBSUB_STATUS_ATTRS, Content::Integers(vec![MQIA_SUB_COUNT])),
            ],
            "DISPLAY PUBSUB TYPE(LOCAL) SUBCOUNT",
        ),
        (
            MQCMD_CLEAR_TOPIC_STRING,
            vec![
                Parameter::text(MQCA_TOPIC_STRING, "price/tin"),
                Parameter::integer(MQIACF_CLEAR_TYPE, MQCLRT_RETAINED),
                Parameter::integer(MQIACF_CLEAR_SCOPE, MQCLRS_LOCAL),
            ],
            "CLEAR TOPICSTR('price/tin') CLRTYPE(RETAINED)",
        ),
        (MQCMD_INQUIRE_Q_MGR, vec![], "DISPLAY QMGR ALL"),
        (MQCMD_INQUIRE_Q_MGR_STATUS, vec![], "DISPLAY QMSTATUS ALL"),
        (
            MQCMD_INQUIRE_Q_MGR_STATUS,
            vec![Parameter::new(
                MQIACF_Q_MGR_STATUS_ATTRS,
                Content::Integers(vec![MQIACF_Q_MGR_STATUS, MQIACF_Q_MGR_STATUS_LOG]),
            )],
            "DISPLAY QMSTATUS STATUS ARCHLOG ARCHSZ CURRLOG LOGEXTSZ LOGINUSE LOGPATH LOGPRIM LOGSEC LOGTYPE LOGUTIL \
             MEDIALOG MEDIASZ RECLOG RECSZ REUSESZ",
        ),
        (
            MQCMD_CHANGE_Q_MGR,
            vec![Parameter::text(MQCA_DEAD_LETTER_Q_NAME, "DEAD")],
            "ALTER QMGR DEADQ('DEAD')",
        ),
        (
            MQCMD_CREATE_CHANNEL,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "C"),
                Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_SVRCONN),
                Parameter::new(
                    MQIACH_MSG_COMPRESSION,
                    Content::Integers(vec![MQCOMPRESS_ZLIBFAST, MQCOMPRESS_RLE]),
                ),
            ],
            "DEFINE CHANNEL('C') CHLTYPE(SVRCONN) COMPMSG(ZLIBFAST,RLE)",
        ),
        (
            MQCMD_DELETE_CHANNEL,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "C"),
                Parameter::integer(MQIACH_CHANNEL_TABLE, MQCHTAB_CLNTCONN),
            ],
            "DELETE CHANNEL('C') CHLTABLE(CLNTTAB)",
        ),
        (
            MQCMD_CREATE_NAMELIST,
            vec![
                Parameter::text(MQCA_NAMELIST_NAME, "N"),
                Parameter::new(MQCA_NAMES, Content::Texts(vec!["A".into(), "B".into()])),
            ],
            "DEFINE NAMELIST('N') NAMES('A','B')",
        ),
        (
            MQCMD_INQUIRE_SUBSCRIPTION,
            vec![
                Parameter::text(MQCACF_SUB_NAME, "a sub*"),
                Parameter::integer(MQIACF_SUB_TYPE, MQSUBTYPE_ADMIN),
            ],
            "DISPLAY SUB('a sub*') SUBTYPE(ADMIN) ALL",
        ),
        (
            MQCMD_INQUIRE_CONNECTION,
            vec![Parameter::new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(Vec::new()))],
            "DISPLAY CONN(*) ALL",
        ),
        (MQCMD_MOVE_Q, vec![from("A"), to("B")], "MOVE QLOCAL('A') TOQLOCAL('B')"),
        (
            MQCMD_MOVE_Q,
            vec![from("A"), to("B"), Parameter::integer(MQIACF_MOVE_TYPE, MQIACF_MOVE_TYPE_MOVE)],
            "MOVE QLOCAL('A') TOQLOCAL('B')",
        ),
        (
            MQCMD_MOVE_Q,
            vec![from("A"), to("B"), Parameter::integer(MQIACF_MOVE_TYPE, MQIACF_MOVE_TYPE_ADD)],
            "MOVE QLOCAL('A') TOQLOCAL('B') TYPE(ADD)",
        ),
        (MQCMD_STOP_CONNECTION, vec![connection(24)], "STOP CONN(1112131415161718)"),
        (MQCMD_STOP_CONNECTION, vec![connection(8)], "STOP CONN(0102030405060708)"),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![connection(24), Parameter::integer(MQIACH_IN_DOUBT, MQIDO_BACKOUT)],
            "RESOLVE INDOUBT(1112131415161718) ACTION(BACKOUT)",
        ),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![connection(24), Parameter::integer(MQIACH_IN_DOUBT, MQIDO_COMMIT)],
            "RESOLVE INDOUBT(1112131415161718) ACTION(COMMIT)",
        ),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![unit(&[0, 0, 0, 2, 0, 0, 1, 0]), Parameter::integer(MQIACH_IN_DOUBT, MQIDO_COMMIT)],
            "RESOLVE INDOUBT(2.256) ACTION(COMMIT)",
        ),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![
                unit(&[0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0]),
                Parameter::integer(MQIACH_IN_DOUBT, mqi::ours::IN_DOUBT_FORGET),
            ],
            "RESOLVE INDOUBT(2.4294967296) ACTION(FORGET)",
        ),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![
                Parameter::new(
                    MQBACF_EXTERNAL_UOW_ID,
                    Content::Bytes([&[0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 1][..], b"abc"].concat()),
                ),
                Parameter::integer(MQIACH_IN_DOUBT, MQIDO_BACKOUT),
            ],
            "RESOLVE INDOUBT('7:6162:63') ACTION(BACKOUT)",
        ),
        (MQCMD_REFRESH_SECURITY, vec![], "REFRESH SECURITY TYPE(AUTHSERV)"),
        (MQCMD_REFRESH_SECURITY, refreshing(MQSECTYPE_AUTHSERV), "REFRESH SECURITY TYPE(AUTHSERV)"),
        (MQCMD_REFRESH_SECURITY, refreshing(MQSECTYPE_CONNAUTH), "REFRESH SECURITY TYPE(CONNAUTH)"),
        (MQCMD_REFRESH_SECURITY, refreshing(MQSECTYPE_SSL), "REFRESH SECURITY TYPE(SSL)"),
        (MQCMD_REFRESH_SECURITY, refreshing(0), "REFRESH SECURITY TYPE(ALL)"),
    ] {
        assert_eq!(command(number, parameters), expected);
    }
}

#[test]
fn zeros_stand_for_any_however_many_there_are() {
    let zeros = |identifier: i32, count: usize| Parameter::new(identifier, Content::Bytes(vec![0; count]));
    let name = |text: &str| Parameter::text(MQCACF_SUB_NAME, text);
    for count in [0, 8, 20, 24] {
        let any = zeros(MQBACF_GENERIC_CONNECTION_ID, count);
        assert_eq!(command(MQCMD_INQUIRE_CONNECTION, vec![any]), "DISPLAY CONN(*) ALL", "{count}");
        for (number, word) in [(MQCMD_INQUIRE_SUBSCRIPTION, "SUB"), (MQCMD_INQUIRE_SUB_STATUS, "SBSTATUS")] {
            let any = zeros(MQBACF_SUB_ID, count);
            assert_eq!(command(number, vec![any.clone()]), format!("DISPLAY {word}('*') ALL"), "{count}");
            let named = vec![any, name("ONE")];
            assert_eq!(command(number, named), format!("DISPLAY {word}('ONE') ALL"), "{count}");
        }
        // What changes something says what.
        for number in [MQCMD_DELETE_SUBSCRIPTION, MQCMD_CHANGE_SUBSCRIPTION] {
            let of = command(number, vec![zeros(MQBACF_SUB_ID, count), name("ONE")]);
            assert!(of.contains(" SUB('ONE')"), "{of}");
        }
    }
    let alone = command(MQCMD_DELETE_SUBSCRIPTION, vec![zeros(MQBACF_SUB_ID, 24)]);
    assert_eq!(alone, format!("DELETE SUB SUBID({:048})", 0));
    // The end of an identifier tells connections apart, and zeros in the other halves say nothing of it.
    let mut bytes = vec![0; 24];
    bytes[23] = 7;
    let one = Parameter::new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(bytes.clone()));
    assert_eq!(command(MQCMD_INQUIRE_CONNECTION, vec![one]), "DISPLAY CONN(0000000000000007) ALL");
    let exact = zeros(MQBACF_CONNECTION_ID, 24);
    assert_eq!(command(MQCMD_INQUIRE_CONNECTION, vec![exact]), "DISPLAY CONN(0000000000000000) ALL");
    let missing = ask(MQCMD_INQUIRE_SUBSCRIPTION, vec![]).unwrap_err();
    assert_eq!(missing, Refusal { reason: MQRCCF_PARM_MISSING, parameter: Some(MQCACF_SUB_NAME) });
}

#[test]
fn bytes_of_a_condition_are_compared_with_the_text_that_stands_for_them() {
    let queue = || Parameter::text(MQCA_Q_NAME, "*");
    let of_handles = || Parameter::integer(MQIACF_Q_STATUS_TYPE, MQIACF_Q_HANDLE);
    let filter = |identifier: i32, bytes: &[u8]| {
        Parameter::new(identifier, Content::BytesFilter(MQCFOP_EQUAL, bytes.to_vec()))
    };
    let connection: Vec<u8> = (1..=24).collect();
    let parameters = vec![queue(), of_handles(), filter(MQBACF_CONNECTION_ID, &connection)];
    assert_eq!(
        command(MQCMD_INQUIRE_Q_STATUS, parameters),
        "DISPLAY QSTATUS('*') TYPE(HANDLE) WHERE(CONN EQ '1112131415161718') ALL"
    );
    let any = Parameter::new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(Vec::new()));
    let parameters = vec![any, filter(MQBACF_Q_MGR_UOW_ID, &[0, 0, 0, 1, 0, 0, 0, 9])];
    assert_eq!(command(MQCMD_INQUIRE_CONNECTION, parameters), "DISPLAY CONN(*) WHERE(QMURID EQ '1.9') ALL");
}

#[test]
fn a_number_that_stands_for_attributes_is_the_word_that_does() {
    let wanted = |number: i32, identifier: i32| Parameter::new(number, Content::Integers(vec![identifier]));
    for (group, word) in [
        (MQIACF_Q_MGR_SYSTEM, "SYSTEM"),
        (MQIACF_Q_MGR_EVENT, "EVENT"),
        (MQIACF_Q_MGR_DQM, "CHINIT"),
        (MQIACF_Q_MGR_CLUSTER, "CLUSTER"),
        (MQIACF_Q_MGR_PUBSUB, "PUBSUB"),
        (MQIACF_Q_MGR_VERSION, "VERSION"),
    ] {
        let text = mqsc::parse(&format!("DISPLAY QMGR {word}")).unwrap().remove(0).to_string();
        assert_eq!(command(MQCMD_INQUIRE_Q_MGR, vec![wanted(MQIACF_Q_MGR_ATTRS, group)]), text);
    }
    let summary = wanted(MQIACF_SUB_ATTRS, MQIACF_SUB_SUMMARY);
    let text = mqsc::parse("DISPLAY SUB(*) SUMMARY").unwrap().remove(0).to_string();
    let asked = vec![Parameter::text(MQCACF_SUB_NAME, "*"), summary];
    assert_eq!(command(MQCMD_INQUIRE_SUBSCRIPTION, asked), text);
    let other = ask(MQCMD_INQUIRE_Q_MGR, vec![wanted(MQIACF_Q_MGR_ATTRS, MQIACF_SUB_SUMMARY)]);
    assert_eq!(other, Err(Refusal { reason: MQRC_SELECTOR_ERROR, parameter: Some(MQIACF_SUB_SUMMARY) }));
}

#[test]
fn listeners_are_asked_for_by_their_protocol() {
    let asks = |protocol: Option<i32>| {
        let protocol = protocol.map(|protocol| Parameter::integer(MQIACH_XMIT_PROTOCOL_TYPE, protocol));
        let name = Parameter::text(MQCACH_LISTENER_NAME, "L*");
        ask(MQCMD_INQUIRE_LISTENER, std::iter::once(name).chain(protocol).collect())
    };
    for protocol in [None, Some(MQXPT_ALL), Some(MQXPT_TCP)] {
        assert_eq!(asks(protocol), asks(None), "{protocol:?}");
        assert!(asks(protocol).is_ok());
    }
    let refused = |protocol| asks(Some(protocol)).unwrap_err().reason;
    for protocol in [MQXPT_LU62, MQXPT_NETBIOS, MQXPT_SPX] {
        assert_eq!(refused(protocol), MQRC_UNKNOWN_OBJECT_NAME, "{protocol}: there are none");
    }
    for protocol in [MQXPT_UDP, 77, -2] {
        assert_eq!(refused(protocol), MQRCCF_PARM_VALUE_ERROR, "{protocol}");
    }
}

#[test]
fn attributes_and_types_of_clusters_are_understood() {
    let list = |number: i32, wanted: &[i32]| Parameter::new(number, Content::Integers(wanted.to_vec()));
    let queues = || Parameter::text(MQCA_Q_NAME, "*");
    let topics = || Parameter::text(MQCA_TOPIC_NAME, "*");
    for (number, parameters, text) in [
        (
            MQCMD_INQUIRE_Q,
            vec![queues(), list(MQIACF_Q_ATTRS, &[MQCA_CLUSTER_Q_MGR_NAME, MQIA_CLUSTER_Q_TYPE])],
            "DISPLAY QUEUE('*') CLUSQMGR CLUSQT",
        ),
        (
            MQCMD_INQUIRE_TOPIC,
            vec![topics(), list(MQIACF_TOPIC_ATTRS, &[MQIA_CLUSTER_OBJECT_STATE, MQCA_CLUSTER_DATE])],
            "DISPLAY TOPIC('*') CLSTATE CLUSDATE",
        ),
        (
            MQCMD_INQUIRE_Q,
            vec![queues(), Parameter::integer(MQIACF_CLUSTER_INFO, 1)],
            "DISPLAY QUEUE('*') ALL",
        ),
        (
            MQCMD_INQUIRE_TOPIC,
            vec![topics(), Parameter::integer(MQIA_TOPIC_TYPE, MQTOPT_ALL)],
            "DISPLAY TOPIC('*') ALL",
        ),
    ] {
        assert_eq!(command(number, parameters), text);
    }
    for (number, parameters, reason) in [
        (
            MQCMD_INQUIRE_Q,
            vec![queues(), Parameter::integer(MQIA_Q_TYPE, MQQT_CLUSTER)],
            MQRC_UNKNOWN_OBJECT_NAME,
        ),
        (
            MQCMD_INQUIRE_Q_NAMES,
            vec![queues(), Parameter::integer(MQIA_Q_TYPE, MQQT_CLUSTER)],
            MQRC_UNKNOWN_OBJECT_NAME,
        ),
        (
            MQCMD_INQUIRE_TOPIC,
            vec![topics(), Parameter::integer(MQIA_TOPIC_TYPE, MQTOPT_CLUSTER)],
            MQRC_UNKNOWN_OBJECT_NAME,
        ),
        (
            MQCMD_INQUIRE_TOPIC,
            vec![topics(), Parameter::integer(MQIA_TOPIC_TYPE, 9)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (
            MQCMD_CHANGE_Q,
            vec![
                Parameter::text(MQCA_Q_NAME, "Q"),
                Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL),
                Parameter::text(MQCA_CLUSTER_Q_MGR_NAME, "QM2"),
            ],
            MQRCCF_CFST_PARM_ID_ERROR,
        ),
    ] {
        let refused = ask(number, parameters).map_err(|refusal| refusal.reason);
        assert_eq!(refused, Err(reason), "{number}");
    }
}

#[test]
fn records_of_authority_are_set_deleted_and_asked_for() {
    let profile = |text: &str| Parameter::text(MQCACF_AUTH_PROFILE_NAME, text);
    let of = |object_type| Parameter::integer(MQIACF_OBJECT_TYPE, object_type);
    let users =
        || Parameter::new(MQCACF_PRINCIPAL_ENTITY_NAMES, Content::Texts(vec!["ada".into(), "bob".into()]));
    let group = || Parameter::text(MQCACF_GROUP_ENTITY_NAMES, "staff");
    let entity = |name: &str, kind| {
        [Parameter::text(MQCACF_ENTITY_NAME, name), Parameter::integer(MQIACF_ENTITY_TYPE, kind)]
    };
    let numbers =
        |identifier, numbers: &[i32]| Parameter::new(identifier, Content::Integers(numbers.to_vec()));
    let options = |options| Parameter::integer(MQIACF_AUTH_OPTIONS, options);
    for (number, parameters, expected) in [
        (
            MQCMD_SET_AUTH_REC,
            vec![
                profile("A.**"),
                of(MQOT_Q),
                users(),
                group(),
                numbers(MQIACF_AUTH_ADD_AUTHS, &[MQAUTH_OUTPUT, MQAUTH_INPUT]),
                numbers(MQIACF_AUTH_REMOVE_AUTHS, &[MQAUTH_ALL_ADMIN]),
            ],
            "SET AUTHREC PROFILE('A.**') OBJTYPE(QUEUE) PRINCIPAL('ada','bob') GROUP('staff') AUTHADD(GET,PUT) \
             AUTHRMV(CHG,CLR,DLT,DSP)",
        ),
        (
            MQCMD_SET_AUTH_REC,
            vec![of(MQOT_Q_MGR), group(), Parameter::integer(MQIACF_AUTH_ADD_AUTHS, MQAUTH_NONE)],
            "SET AUTHREC PROFILE('SELF') OBJTYPE(QMGR) GROUP('staff') AUTHADD(NONE)",
        ),
        (
            MQCMD_DELETE_AUTH_REC,
            vec![profile("@class"), of(MQOT_TOPIC), group()],
            "DELETE AUTHREC PROFILE('@CLASS') OBJTYPE(TOPIC) GROUP('staff')",
        ),
        (
            MQCMD_INQUIRE_AUTH_RECS,
            [vec![profile("A"), of(MQOT_ALL)], entity("ada", MQZAET_PRINCIPAL).to_vec()].concat(),
            "DISPLAY AUTHREC PROFILE('A') PRINCIPAL('ada') ALL",
        ),
        (
            MQCMD_INQUIRE_AUTH_RECS,
            vec![options(MQAUTHOPT_NAME_AS_WILDCARD | MQAUTHOPT_ENTITY_EXPLICIT), profile("A*"), of(MQOT_Q)],
            "DISPLAY AUTHREC PROFILE('A*') OBJTYPE(QUEUE) MATCH(WILDCARD) ALL",
        ),
        (
            MQCMD_INQUIRE_AUTH_RECS,
            vec![options(MQAUTHOPT_NAME_EXPLICIT), profile(""), of(MQOT_Q)],
            "DISPLAY AUTHREC OBJTYPE(QUEUE) MATCH(EXACT) ALL",
        ),
        (
            MQCMD_INQUIRE_ENTITY_AUTH,
            [
                vec![of(MQOT_Q), Parameter::text(MQCACF_OBJECT_NAME, "A")],
                entity("staff", MQZAET_GROUP).to_vec(),
                vec![options(MQAUTHOPT_CUMULATIVE)],
            ]
            .concat(),
            "DISPLAY ENTAUTH GROUP('staff') OBJTYPE(QUEUE) OBJNAME('A') ALL",
        ),
        (
            MQCMD_INQUIRE_ENTITY_AUTH,
            [
                vec![of(MQOT_Q), Parameter::text(MQCACF_OBJECT_NAME, "A")],
                entity("ada", MQZAET_PRINCIPAL).to_vec(),
                vec![options(MQAUTHOPT_CUMULATIVE), Parameter::text(RUN_CHECK, "put ")],
            ]
            .concat(),
            "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QUEUE) OBJNAME('A') RUNCHECK(PUT) ALL",
        ),
        (MQCMD_INQUIRE_AUTH_SERVICE, vec![], "DISPLAY AUTHSERV ALL"),
    ] {
        assert_eq!(command(number, parameters), expected);
    }
    let set = |parameters| ask(MQCMD_SET_AUTH_REC, parameters).map(drop).unwrap_err().reason;
    let put = || numbers(MQIACF_AUTH_ADD_AUTHS, &[MQAUTH_OUTPUT]);
    for (parameters, reason) in [
        (vec![profile("A"), users(), put()], MQRCCF_PARM_MISSING),
        (vec![of(MQOT_Q), users(), put()], MQRCCF_PROFILE_NAME_MISSING),
        (vec![profile("A B"), of(MQOT_Q), users(), put()], MQRCCF_PROFILE_NAME_ERROR),
        (vec![profile("A"), of(MQOT_Q), put()], MQRCCF_ENTITY_NAME_MISSING),
        (vec![profile("A"), of(MQOT_Q), users()], MQRCCF_AUTH_VALUE_MISSING),
        (vec![profile("A"), of(MQOT_TOPIC), users(), put()], MQRCCF_AUTH_VALUE_ERROR),
        (vec![profile("A"), of(77), users(), put()], MQRC_OBJECT_TYPE_ERROR),
    ] {
        assert_eq!(set(parameters.clone()), reason, "{parameters:?}");
    }
}

#[test]
fn what_cannot_be_asked_is_refused_with_its_reason() {
    let local = || Parameter::integer(MQIA_Q_TYPE, MQQT_LOCAL);
    let queue = |name: &str| Parameter::text(MQCA_Q_NAME, name);
    for (number, parameters, reason) in [
        (9_999, vec![], MQRCCF_CFH_COMMAND_ERROR),
        (MQCMD_PURGE_CHANNEL, vec![], MQRCCF_FUNCTION_RESTRICTED),
        (MQCMD_PING_CHANNEL, vec![], MQRCCF_PARM_MISSING),
        (
            MQCMD_PING_CHANNEL,
            vec![channel(), Parameter::integer(MQIACH_DATA_COUNT, 15)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (
            MQCMD_RESET_CHANNEL,
            vec![channel(), Parameter::integer(MQIACH_MSG_SEQUENCE_NUMBER, 0)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (MQCMD_RESOLVE_CHANNEL, vec![channel()], MQRCCF_PARM_MISSING),
        (
            MQCMD_RESOLVE_CHANNEL,
            vec![channel(), Parameter::integer(MQIACH_IN_DOUBT, 3)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (
            MQCMD_START_CHANNEL,
            vec![channel(), Parameter::integer(MQIACF_IGNORE_STATE, 7)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (
            MQCMD_INQUIRE_CHANNEL_STATUS,
            vec![channel(), Parameter::integer(MQIACH_CHANNEL_INSTANCE_TYPE, 7)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (MQCMD_INQUIRE_CHLAUTH_RECS, vec![], MQRCCF_PARM_MISSING),
        (MQCMD_SET_CHLAUTH_REC, vec![Parameter::text(MQCACH_CHANNEL_NAME, "A B")], MQRCCF_CHLAUTH_NAME_ERROR),
        (MQCMD_SET_CHLAUTH_REC, vec![Parameter::text(MQCACH_CHANNEL_NAME, "A")], MQRCCF_PARM_MISSING),
        (MQCMD_INQUIRE_CHANNEL_STATUS, vec![], MQRCCF_PARM_MISSING),
        (
            MQCMD_INQUIRE_SERVICE_STATUS,
            vec![Parameter::text(MQCA_SERVICE_NAME, "*")],
            MQRCCF_SERV_STATUS_NOT_FOUND,
        ),
        (
            MQCMD_INQUIRE_CLUSTER_Q_MGR,
            vec![Parameter::text(MQCA_CLUSTER_Q_MGR_NAME, "*")],
            MQRC_UNKNOWN_OBJECT_NAME,
        ),
        (MQCMD_INQUIRE_APPL_STATUS, vec![], MQRCCF_APPL_STATUS_NOT_FOUND),
        (MQCMD_INQUIRE_PROT_POLICY, vec![Parameter::text(MQCA_POLICY_NAME, "*")], MQRCCF_POLICY_NOT_FOUND),
        (MQCMD_SET_LOG, vec![Parameter::integer(MQIACF_SYSP_TYPE, MQSYSP_TYPE_SET)], MQRCCF_LOG_TYPE_ERROR),
        (MQCMD_CREATE_Q, vec![queue("A")], MQRCCF_PARM_MISSING),
        (MQCMD_CREATE_Q, vec![local()], MQRCCF_PARM_MISSING),
        (MQCMD_CREATE_Q, vec![queue("A B"), local()], MQRCCF_OBJECT_NAME_ERROR),
        (MQCMD_CREATE_Q, vec![queue("A"), Parameter::integer(MQIA_Q_TYPE, 77)], MQRCCF_Q_TYPE_ERROR),
        (MQCMD_CREATE_Q, vec![queue("A"), local(), local()], MQRCCF_CFIN_PARM_ID_ERROR),
        (MQCMD_CREATE_Q, vec![queue("A"), local(), Parameter::integer(-1, 0)], MQRCCF_CFIN_PARM_ID_ERROR),
        (MQCMD_CREATE_Q, vec![queue("A"), local(), Parameter::text(-1, "")], MQRCCF_CFST_PARM_ID_ERROR),
        (
            MQCMD_CREATE_Q,
            vec![queue("A"), local(), Parameter::integer(MQIA_MAX_Q_DEPTH, -1)],
            MQRCCF_ATTR_VALUE_ERROR,
        ),
        (
            MQCMD_CREATE_Q,
            vec![queue("A"), local(), Parameter::text(MQCA_Q_DESC, "x".repeat(65))],
            MQRCCF_CFST_STRING_LENGTH_ERR,
        ),
        (
            MQCMD_CREATE_Q,
            vec![
                queue("A"),
                local(),
                Parameter::integer(MQIA_MAX_Q_DEPTH, 1),
                Parameter::integer(MQIA_MAX_Q_DEPTH, 2),
            ],
            MQRCCF_CFIN_DUPLICATE_PARM,
        ),
        (
            MQCMD_INQUIRE_Q,
            vec![queue("*"), Parameter::new(MQIACF_Q_ATTRS, Content::Integers(vec![-5]))],
            MQRC_SELECTOR_ERROR,
        ),
        (
            MQCMD_CREATE_CHANNEL,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "A.NAME.OF.MORE.THAN.20"),
                Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_SVRCONN),
            ],
            MQRCCF_CHANNEL_NAME_ERROR,
        ),
        (
            MQCMD_COPY_CHANNEL,
            vec![
                Parameter::text(MQCACF_FROM_CHANNEL_NAME, "A"),
                Parameter::text(MQCACF_TO_CHANNEL_NAME, "A.NAME.OF.MORE.THAN.20"),
                Parameter::integer(MQIACH_CHANNEL_TYPE, MQCHT_SVRCONN),
            ],
            MQRCCF_CHANNEL_NAME_ERROR,
        ),
        (
            MQCMD_CREATE_SUBSCRIPTION,
            vec![
                Parameter::text(MQCACF_SUB_NAME, "two\nlines"),
                Parameter::text(MQCA_TOPIC_STRING, "a"),
                Parameter::text(MQCACF_DESTINATION, "Q"),
            ],
            MQRCCF_SUB_NAME_ERROR,
        ),
        (MQCMD_MOVE_Q, vec![to("B")], MQRCCF_PARM_MISSING),
        (MQCMD_MOVE_Q, vec![from("A")], MQRCCF_PARM_MISSING),
        (MQCMD_MOVE_Q, vec![from("A B"), to("B")], MQRCCF_OBJECT_NAME_ERROR),
        (
            MQCMD_MOVE_Q,
            vec![from("A"), to("B"), Parameter::integer(MQIACF_MOVE_TYPE, 7)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (MQCMD_STOP_CONNECTION, vec![], MQRCCF_PARM_MISSING),
        (MQCMD_STOP_CONNECTION, vec![connection(7)], MQRCCF_CONNECTION_ID_ERROR),
        (MQCMD_STOP_CONNECTION, vec![connection(8), local()], MQRCCF_CFIN_PARM_ID_ERROR),
        (MQCMD_RESOLVE_INDOUBT, vec![connection(8)], MQRCCF_PARM_MISSING),
        (MQCMD_RESOLVE_INDOUBT, vec![Parameter::integer(MQIACH_IN_DOUBT, MQIDO_COMMIT)], MQRCCF_PARM_MISSING),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![connection(8), Parameter::integer(MQIACH_IN_DOUBT, 3)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (
            MQCMD_RESOLVE_INDOUBT,
            vec![unit(&[1; 7]), Parameter::integer(MQIACH_IN_DOUBT, MQIDO_COMMIT)],
            MQRCCF_PARM_VALUE_ERROR,
        ),
        (
            MQCMD_ESCAPE,
            vec![Parameter::integer(MQIACF_ESCAPE_TYPE, 9), Parameter::text(MQCACF_ESCAPE_TEXT, "")],
            MQRCCF_ESCAPE_TYPE_ERROR,
        ),
    ] {
        assert_eq!(ask(number, parameters).unwrap_err().reason, reason, "{number}");
    }
    let mut header = Header::command(MQCMD_PING_Q_MGR);
    header.kind = MQCFT_RESPONSE;
    let refused = request(&Message { header, parameters: Vec::new() }).unwrap_err();
    assert_eq!(refused.reason, MQRCCF_CFH_TYPE_ERROR);
}

fn shown(definition: &Definition) -> Row {
    let rows = attributes::of(Subject::Object(definition.object_type()));
    let fields =
        rows.filter_map(|attribute| definition.value(attribute).map(|value| Field { attribute, value }));
    Row { heading: &messages::QUEUE_DETAILS, fields: fields.collect() }
}

#[test]
fn answers_are_numbered_and_the_last_says_so() {
    let local = |name: &str| {
        shown(&Definition::new(ObjectType::LocalQueue, name.parse().unwrap(), Moment::default()))
    };
    let response = Response { rows: vec![local("A"), local("B")], ..Response::default() };
    let queues = Parameter::text(MQCA_Q_NAME, "*");
    let asked = ask(MQCMD_INQUIRE_Q, vec![queues.clone()]).unwrap();
    let answers = responses(MQCMD_INQUIRE_Q, &asked, &response);
    let heads: Vec<_> =
        answers.iter().map(|answer| (answer.header.sequence, answer.header.control)).collect();
    assert_eq!(heads, [(1, MQCFC_NOT_LAST), (2, MQCFC_LAST)]);
    assert_eq!(answers[1].parameters[0], Parameter::text(MQCA_Q_NAME, "B"));
    assert!(answers.iter().all(|answer| answer.header.kind == MQCFT_RESPONSE));

    let asked = ask(MQCMD_INQUIRE_Q_NAMES, vec![queues]).unwrap();
    let answers = responses(MQCMD_INQUIRE_Q_NAMES, &asked, &response);
    assert_eq!(
        answers[0].parameters,
        [
            Parameter::new(MQCACF_Q_NAMES, Content::Texts(vec!["A".into(), "B".into()])),
            Parameter::new(MQIACF_Q_TYPES, Content::Integers(vec![MQQT_LOCAL, MQQT_LOCAL])),
        ]
    );

    let nothing = Response::message(crate::Message::new(&messages::OBJECT_NOT_FOUND, ["Queue", "A"]));
    let asked = ask(MQCMD_INQUIRE_Q, vec![Parameter::text(MQCA_Q_NAME, "A")]).unwrap();
    let answers = responses(MQCMD_INQUIRE_Q, &asked, &nothing);
    let header = answers[0].header;
    assert_eq!((header.completion, header.reason), (MQCC_FAILED, MQRC_UNKNOWN_OBJECT_NAME));
    assert_eq!((header.control, answers.len()), (MQCFC_LAST, 1));
}

#[test]
fn a_message_asks_for_a_page_and_an_answer_that_is_cut_warns() {
    let names = || Parameter::text(MQCA_Q_NAME, "*");
    let page = |after: &str, limit| {
        vec![names(), Parameter::text(PAGE_AFTER, after), Parameter::integer(PAGE_LIMIT, limit)]
    };
    let Ok(Request::Command(Command::Display(display))) = ask(MQCMD_INQUIRE_Q, page("ORDERS  ", 20)) else {
        panic!("a display")
    };
    assert_eq!(display.page, Page::of(20, Some("ORDERS")));
    for limit in [0, -1, i32::MAX] {
        let refused = ask(MQCMD_INQUIRE_Q, page("A", limit)).unwrap_err();
        assert_eq!((refused.reason, refused.parameter), (MQRCCF_PARM_VALUE_ERROR, Some(PAGE_LIMIT)));
    }
    let connections = vec![
        Parameter::new(MQBACF_GENERIC_CONNECTION_ID, Content::Bytes(Vec::new())),
        Parameter::integer(PAGE_LIMIT, 5),
    ];
    let refused = ask(MQCMD_INQUIRE_CONNECTION, connections).unwrap_err();
    assert_eq!((refused.reason, refused.parameter), (MQRCCF_CFIN_PARM_ID_ERROR, Some(PAGE_LIMIT)));

    let local = shown(&Definition::new(ObjectType::LocalQueue, "A".parse().unwrap(), Moment::default()));
    let cut = crate::Message::new(&messages::ANSWER_CUT, [1]);
    let response = Response { rows: vec![local.clone(), local], messages: vec![cut], ..Response::default() };
    for command in [MQCMD_INQUIRE_Q, MQCMD_INQUIRE_Q_NAMES] {
        let answers = responses(command, &ask(command, vec![names()]).unwrap(), &response);
        let (last, others) = answers.split_last().unwrap();
        assert_eq!((last.header.completion, last.header.reason), (MQCC_WARNING, MQRCCF_MSG_TRUNCATED));
        assert!(others.iter().all(|answer| answer.header.completion == MQCC_OK));
    }
}

/// The command number that makes objects of a family, and how it says the type.
fn create(object_type: ObjectType) -> (i32, Option<i32>) {
    match object_type.family() {
        Family::Queue => (MQCMD_CREATE_Q, Some(MQIA_Q_TYPE)),
        Family::Channel => (MQCMD_CREATE_CHANNEL, Some(MQIACH_CHANNEL_TYPE)),
        Family::Authentication => (MQCMD_CREATE_AUTH_INFO, Some(MQIA_AUTH_INFO_TYPE)),
        Family::Process => (MQCMD_CREATE_PROCESS, None),
        Family::Namelist => (MQCMD_CREATE_NAMELIST, None),
        Family::Topic => (MQCMD_CREATE_TOPIC, None),
        Family::Subscription => (MQCMD_CREATE_SUBSCRIPTION, None),
        Family::Listener => (MQCMD_CREATE_LISTENER, None),
        Family::Service => (MQCMD_CREATE_SERVICE, None),
        Family::CommunicationInformation => (MQCMD_CREATE_COMM_INFO, None),
        Family::Bridge => (mqi::ours::CREATE_BRIDGE, None),
        Family::Pipe => (mqi::ours::CREATE_PIPE, None),
        Family::QueueManager => (MQCMD_CHANGE_Q_MGR, None),
        Family::ChannelRule => (MQCMD_SET_CHLAUTH_REC, None),
    }
}

proptest! {
    #[test]
    fn no_bytes_make_decoding_panic_and_what_decodes_encodes_to_the_same_meaning(
        bytes in proptest::collection::vec(any::<u8>(), 0..200),
        counts in proptest::collection::vec(0..40i32, 9),
    ) {
        let _ = Message::decode(&bytes, ByteOrder::Big);
        let mut likely: Vec<u8> = [1, 36, 1].iter().chain(&counts).flat_map(|n: &i32| n.to_le_bytes()).collect();
        likely.extend(bytes);
        if let Ok(message) = Message::decode(&likely, ByteOrder::Little) {
            let again = message.encode(ByteOrder::Little);
            prop_assert_eq!(Message::decode(&again, ByteOrder::Little), Ok(message));
        }
    }

    /// An object's answer in binary form makes the same object again.
    #[test]
    fn what_is_answered_can_be_asked_for(
        (object_type, settings) in object_type()
            .prop_flat_map(|object_type| settings_of(object_type).prop_map(move |settings| (object_type, settings)))
    ) {
        let name = "SOME.NAME".parse().unwrap();
        let mut definition = Definition::new(object_type, name, Moment::default());
        definition.apply(&settings, Moment::default()).unwrap();
        if object_type == ObjectType::Subscription {
            definition.set_internal(MQCACF_SUB_NAME, Value::from("SOME.NAME"));
        }
        let row = shown(&definition);
        let response = Response { rows: vec![row], ..Response::default() };
        let question = Request::Command(Command::PingQueueManager);
        let answer = responses(MQCMD_INQUIRE_Q, &question, &response).remove(0);
        let bytes = Message { header: answer.header, ..answer }.encode(ByteOrder::Little);
        let answer = Message::decode(&bytes, ByteOrder::Little).unwrap();

        let (number, subtype) = create(object_type);
        let kept = |identifier: i32| {
            let rows = || attributes::of(Subject::Object(object_type));
            let is_name = rows().next().is_some_and(|row| row.identifier_number() == identifier)
                && object_type != ObjectType::QueueManager;
            let is_settable = rows().any(|row| row.is_settable() && row.identifier_number() == identifier);
            is_name || is_settable || subtype == Some(identifier)
        };
        let parameters = answer.parameters.into_iter().filter(|parameter| kept(parameter.identifier)).collect();
        let asked = ask(number, parameters);
        let again: Vec<Setting> = match asked {
            Ok(Request::Command(Command::Define(define))) => define.settings,
            Ok(Request::Command(Command::Alter(alter))) => alter.settings,
            other => panic!("{other:?}"),
        };
        let mut made = Definition::new(object_type, name, Moment::default());
        made.apply(&again, Moment::default()).unwrap();
        if object_type == ObjectType::Subscription {
            made.set_internal(MQCACF_SUB_NAME, Value::from("SOME.NAME"));
        }
        prop_assert_eq!(made, definition);
    }
}

#[test]
fn every_attribute_has_a_number_of_its_own_and_can_be_listed() {
    for object_type in ObjectType::all().filter(|found| found.family() == Family::Channel) {
        let rows: Vec<_> = attributes::of(Subject::Object(object_type)).collect();
        let wanted = rows.iter().map(|row| row.identifier_number()).collect();
        let asked = ask(
            MQCMD_INQUIRE_CHANNEL,
            vec![
                Parameter::text(MQCACH_CHANNEL_NAME, "*"),
                Parameter::integer(MQIACH_CHANNEL_TYPE, object_type.subtype_value().unwrap()),
                Parameter::new(MQIACF_CHANNEL_ATTRS, Content::Integers(wanted)),
            ],
        );
        let Ok(Request::Command(Command::Display(display))) = asked else { panic!() };
        let Shown::Listed(keywords) = display.shown else { panic!() };
        assert_eq!(keywords, rows.iter().map(|row| row.keyword).collect::<Vec<_>>());
        assert!(rows.iter().any(|row| row.access == Access::Alterable));
    }
}

/// The lengths of the texts of a structure, read where the interface says that they stand.
fn text_length(bytes: &[u8], at: usize) -> i32 {
    let words: Vec<i32> =
        bytes[36..].chunks_exact(4).map(|word| i32::from_le_bytes(word.try_into().unwrap())).collect();
    words[at]
}

#[test]
fn texts_of_the_queue_manager_are_padded_to_the_length_of_their_parameter() {
    let list = |names: &[&str]| Content::Texts(names.iter().map(ToString::to_string).collect());
    let text = |text: &str| Content::Text(text.into());
    let condition = |text: &str| Content::TextFilter(MQCFOP_LIKE, text.into());
    // The parameter, and where the length stands behind the header, in words.
    for (identifier, content, at, in_answers, in_records) in [
        (MQCA_Q_NAME, text("A"), 4, 48, 48),
        (MQCA_Q_DESC, text(""), 4, 64, 64),
        (MQCACH_CHANNEL_NAME, text("APPS"), 4, 20, 20),
        (MQCACH_CONNECTION_NAME, text("localhost"), 4, 264, 264),
        (MQCA_CREATION_DATE, text("2030-01-01"), 4, 12, 12),
        (MQCAMO_START_TIME, text("00.00.00"), 4, 8, 8),
        (MQCACF_EVENT_USER_ID, text("mq"), 4, 12, 12),
        (MQCACF_USER_IDENTIFIER, text("mq"), 4, 64, 12),
        (MQCACH_MCA_USER_ID, text("mq"), 4, 12, 12),
        (MQCACF_SUB_USER_ID, text("mq"), 4, 12, 12),
        (MQCACH_MCA_USER_ID_LIST, list(&["mq"]), 5, 12, 12),
        (MQCACF_Q_NAMES, list(&["A", "BB"]), 5, 48, 48),
        (MQCACH_CHANNEL_NAMES, list(&["A", "BB"]), 5, 20, 20),
        (MQCA_NAMES, list(&[]), 5, 48, 48),
        (MQCACH_SEND_EXIT_NAME, list(&["exit(a)"]), 5, 128, 128),
        (MQCACH_SEND_EXIT_USER_DATA, list(&["x"]), 5, 32, 32),
        (MQCA_Q_NAME, condition("A*"), 5, 48, 48),
        // These vary in length.
        (MQCA_TOPIC_STRING, text("price"), 4, 5, 5),
        (MQCACF_SUB_NAME, text("one"), 4, 3, 3),
        (MQCACF_ESCAPE_TEXT, text("PING QMGR"), 4, 9, 9),
    ] {
        let parameters = vec![Parameter::new(identifier, content)];
        let message = Message { header: Header::command(MQCMD_NONE), parameters };
        for (lengths, expected) in [(Lengths::OfAnswers, in_answers), (Lengths::OfRecords, in_records)] {
            let bytes = message.encode_with(ByteOrder::Little, lengths);
            assert_eq!(text_length(&bytes, at), expected, "{message:?} {lengths:?}");
            let again = Message::decode(&bytes, ByteOrder::Little);
            assert_eq!(again.as_ref(), Ok(&message), "{lengths:?}");
        }
        let bytes = message.encode(ByteOrder::Little);
        assert_eq!(Message::decode(&bytes, ByteOrder::Little), Ok(message), "as given");
    }
}

#[test]
fn padding_reaches_into_groups_and_is_of_blanks() {
    let named = vec![Parameter::text(MQCA_Q_NAME, "A")];
    let parameters = vec![Parameter::new(MQGACF_Q_STATISTICS_DATA, Content::Group(named))];
    let message = Message { header: Header::command(MQCMD_NONE), parameters };
    let bytes = message.encode_with(ByteOrder::Little, Lengths::OfRecords);
    let name = format!("{:48}", "A");
    assert!(bytes.ends_with(name.as_bytes()), "{bytes:?}");
}

#[test]
fn the_verdict_of_a_check_is_told_in_binary_form_too() {
    let asked = |text: &str| mqsc::parse(text).unwrap().remove(0);
    let right = "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QUEUE) OBJNAME(A) RUNCHECK(PUT)";
    let login = "DISPLAY CHLAUTH(C) MATCH(RUNCHECK) ADDRESS('192.0.2.1') CLNTUSER('ada')";
    for (text, row, inserts, completion, reason) in [
        (right, &messages::REQUEST_WOULD_PASS, 4, MQCC_OK, MQRC_NONE),
        (right, &messages::REQUEST_WOULD_FAIL, 4, MQCC_WARNING, MQRC_NOT_AUTHORIZED),
        (login, &messages::LOGIN_WOULD_PASS, 2, MQCC_OK, MQRC_NONE),
        (login, &messages::LOGIN_WOULD_FAIL, 2, MQCC_OK, MQRC_NONE),
    ] {
        let command = asked(text);
        let message = crate::Message::new(row, vec!["x"; inserts]);
        let told = message.to_string();
        let answers = responses(command.number(), &Request::Command(command), &Response::message(message));
        let [answer] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!((answer.header.completion, answer.header.reason), (completion, reason), "{}", row.text);
        assert_eq!(answer.parameters, [Parameter::text(RUN_CHECK, told)]);
    }
}

#[test]
fn answers_about_listeners_have_the_reasons_of_listeners() {
    let step = mqsc::ListenerStep { name: "L".parse().unwrap(), ignore_state: false };
    let status = mqsc::parse("DISPLAY LSSTATUS(L)").unwrap().remove(0);
    for (command, row, inserts, expected) in [
        (status, &messages::NOTHING_MATCHES, 2, MQRCCF_LSTR_STATUS_NOT_FOUND),
        (Command::StartListener(step.clone()), &messages::LISTENER_RUNS, 2, MQRCCF_LISTENER_RUNNING),
        (
            Command::StartListener(step.clone()),
            &messages::LISTENER_NOT_STARTED,
            2,
            MQRCCF_LISTENER_NOT_STARTED,
        ),
        (Command::StopListener(step), &messages::LISTENER_NOT_RUNNING, 1, MQRCCF_LISTENER_STOPPED),
    ] {
        let response = Response::message(crate::Message::new(row, vec!["L"; inserts]));
        let number = command.number();
        let answers = responses(number, &Request::Command(command), &response);
        assert_eq!(answers[0].header.reason, expected, "{}", row.text);
    }
}
