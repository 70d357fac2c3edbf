//! Each option of MQCONNX by itself, and beside one that contradicts it.

use mqi::constants::*;

use crate::running::{Place, connects, options};

/// Options, each before one that does not go with it.
const CONTRADICTIONS: [(i32, i32); 19] = [
    (MQCNO_FASTPATH_BINDING, MQCNO_SHARED_BINDING),
    (MQCNO_SHARED_BINDING, MQCNO_ISOLATED_BINDING),
    (MQCNO_ISOLATED_BINDING, MQCNO_LOCAL_BINDING),
    (MQCNO_LOCAL_BINDING, MQCNO_CLIENT_BINDING),
    (MQCNO_CLIENT_BINDING, MQCNO_FASTPATH_BINDING),
    (MQCNO_HANDLE_SHARE_NONE, MQCNO_HANDLE_SHARE_BLOCK),
    (MQCNO_HANDLE_SHARE_BLOCK, MQCNO_HANDLE_SHARE_NO_BLOCK),
    (MQCNO_HANDLE_SHARE_NO_BLOCK, MQCNO_HANDLE_SHARE_NONE),
    (MQCNO_ACCOUNTING_MQI_ENABLED, MQCNO_ACCOUNTING_MQI_DISABLED),
    (MQCNO_ACCOUNTING_MQI_DISABLED, MQCNO_ACCOUNTING_MQI_ENABLED),
    (MQCNO_ACCOUNTING_Q_ENABLED, MQCNO_ACCOUNTING_Q_DISABLED),
    (MQCNO_ACCOUNTING_Q_DISABLED, MQCNO_ACCOUNTING_Q_ENABLED),
    (MQCNO_NO_CONV_SHARING, MQCNO_ALL_CONVS_SHARE),
    (MQCNO_ALL_CONVS_SHARE, MQCNO_NO_CONV_SHARING),
    (MQCNO_RECONNECT, MQCNO_RECONNECT_DISABLED),
    (MQCNO_RECONNECT_DISABLED, MQCNO_RECONNECT_Q_MGR),
    (MQCNO_RECONNECT_Q_MGR, MQCNO_RECONNECT),
    (MQCNO_CD_FOR_OUTPUT_ONLY, MQCNO_USE_CD_SELECTION),
    (MQCNO_ACTIVITY_TRACE_ENABLED, MQCNO_ACTIVITY_TRACE_DISABLED),
];

const BINDINGS: i32 = MQCNO_FASTPATH_BINDING
    | MQCNO_SHARED_BINDING
    | MQCNO_ISOLATED_BINDING
    | MQCNO_LOCAL_BINDING
    | MQCNO_CLIENT_BINDING;

/// An option that says nothing of where to is for a client.
fn for_a_client(option: i32) -> i32 {
    if option & BINDINGS == 0 { option | MQCNO_CLIENT_BINDING } else { option }
}

/// Connects with each of these numbers, and checks the outcome.
fn each_ends_with(numbers: impl Iterator<Item = i32>, expected: &str) {
    let place = Place::new();
    let server = format!("DEV.APP/TCP/{}", place.address());
    for number in numbers {
        let environment = [("MQSERVER", server.as_str())];
        connects(&place, &["QM1", "options", &options(&[for_a_client(number)])], &environment, expected);
    }
}

#[test]
fn each_option_of_a_connection_is_taken() {
    let others = [MQCNO_USE_CD_SELECTION, MQCNO_ACTIVITY_TRACE_DISABLED];
    each_ends_with(CONTRADICTIONS.iter().map(|(option, _)| *option).chain(others), "QM1");
}

#[test]
fn each_option_of_a_connection_is_refused_beside_what_contradicts_it() {
    each_ends_with(CONTRADICTIONS.iter().map(|(one, other)| one | other), "2046");
}

/// These are for groups of queue managers that share queues, and for connections that move between them.
#[test]
fn options_of_connection_tags_are_refused() {
    let tags = [
        MQCNO_SERIALIZE_CONN_TAG_Q_MGR,
        MQCNO_SERIALIZE_CONN_TAG_QSG,
        MQCNO_RESTRICT_CONN_TAG_Q_MGR,
        MQCNO_RESTRICT_CONN_TAG_QSG,
        MQCNO_GENERATE_CONN_TAG,
    ];
    each_ends_with(tags.into_iter(), "2046");
}
