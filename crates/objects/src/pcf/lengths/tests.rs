use super::*;

const CONSTANTS: &str = include_str!("../../../../mqi/facts/mqi_constants.csv");

/// Parameters whose length has another name than they have, by the interface's documentation.
#[rustfmt::skip]
const NAMED: &[(&str, &str)] = &[
    ("APPL_ID", "PROCESS_APPL_ID"), ("ENV_DATA", "PROCESS_ENV_DATA"), ("USER_DATA", "PROCESS_USER_DATA"),
    ("DESC", "CHANNEL_DESC"), ("REMOTE_APPL_TAG", "APPL_TAG"),
    ("SUB_SELECTOR", "SELECTOR"), ("SUB_USER_DATA", "USER_DATA"),
    ("SUB_USER_ID", "USER_ID"), ("USER_IDENTIFIER", "MAX_USER_ID"),
    ("CLIENT_ID", "AMQP_CLIENT_ID"), ("MCA_USER_ID_LIST", "MCA_USER_ID"),
    ("CONNECTION_NAME", "CONN_NAME"), ("CONNECTION_NAME_LIST", "CONN_NAME"),
    ("CURRENT_LUWID", "LUWID"), ("LAST_LUWID", "LUWID"),
    ("MQCACH_SSL_CERT_ISSUER_NAME", "SHORT_DNAME"), ("MQCA_SSL_CERT_ISSUER_NAME", "SSL_PEER_NAME"),
    ("SSL_SHORT_PEER_NAME", "SHORT_DNAME"),
    ("CHANNEL_NAMES", "CHANNEL_NAME"), ("CLUS_CHL_NAME", "CHANNEL_NAME"),
    ("CHANNEL_AUTO_DEF_EXIT", "EXIT_NAME"), ("CLUSTER_WORKLOAD_EXIT", "EXIT_NAME"),
    ("CLUSTER_WORKLOAD_DATA", "EXIT_DATA"),
    ("LDAP_BASE_DN_GROUPS", "LDAP_BASE_DN"), ("LDAP_BASE_DN_USERS", "LDAP_BASE_DN"),
    ("LDAP_USER_NAME", "DISTINGUISHED_NAME"), ("SSL_KEY_REPO_PASSWORD", "SSL_KEY_REPO_PWD"),
    ("TOPIC_STRING", "TOPIC_STR"), ("OCSP_URL", "AUTH_INFO_OCSP_URL"),
    ("LDAP_FIND_GROUP_FIELD", "LDAP_FIELD"), ("LDAP_GROUP_ATTR_FIELD", "LDAP_FIELD"),
    ("LDAP_SHORT_USER_FIELD", "LDAP_FIELD"), ("LDAP_USER_ATTR_FIELD", "LDAP_FIELD"),
    ("LDAP_GROUP_OBJECT_CLASS", "LDAP_CLASS"), ("LDAP_USER_OBJECT_CLASS", "LDAP_CLASS"),
    ("SERVICE_START_ARGS", "SERVICE_ARGS"), ("SERVICE_STOP_ARGS", "SERVICE_ARGS"),
    ("SERVICE_START_COMMAND", "SERVICE_COMMAND"), ("SERVICE_STOP_COMMAND", "SERVICE_COMMAND"),
    ("STDERR_DESTINATION", "SERVICE_PATH"), ("STDOUT_DESTINATION", "SERVICE_PATH"),
    ("EVENT_APPL_IDENTITY", "APPL_IDENTITY_DATA"), ("EVENT_APPL_NAME", "APPL_NAME"),
    ("EVENT_APPL_ORIGIN", "APPL_ORIGIN_DATA"), ("EVENT_Q_MGR", "Q_MGR_NAME"), ("EVENT_USER_ID", "USER_ID"),
];

/// Endings of parameters, and the length of all of them.
#[rustfmt::skip]
const ENDINGS: &[(&str, &str)] = &[
    ("_DATE", "DATE"), ("_TIME", "TIME"), ("_LOG_EXTENT_NAME", "LOG_EXTENT_NAME"),
    ("_EXIT_NAME", "EXIT_NAME"), ("_EXIT_USER_DATA", "EXIT_DATA"),
    ("_Q_MGR", "Q_MGR_NAME"), ("_Q_MGR_NAME", "Q_MGR_NAME"), ("_Q_NAME", "Q_NAME"), ("_Q", "Q_NAME"),
    ("Q_NAMES", "Q_NAME"), ("_NAMES", "OBJECT_NAME"), ("NAMES", "OBJECT_NAME"), ("NAMELIST", "NAMELIST_NAME"),
    ("DESTINATION", "Q_NAME"), ("PARENT", "Q_MGR_NAME"), ("CONN_AUTH", "AUTH_INFO_NAME"),
    ("REPOSITORY_NAME", "CLUSTER_NAME"), ("TOPIC_ROOT", "TOPIC_NAME"), ("ADMIN_TOPIC_NAME", "TOPIC_NAME"),
    ("BASE_OBJECT_NAME", "OBJECT_NAME"), ("STREAM_QUEUE_NAME", "Q_NAME"),
];

/// The numbers of the interface that begin so, by their names without it.
fn facts(prefix: &str, ending: &str) -> BTreeMap<&'static str, i32> {
    let rows = CONSTANTS.lines().filter_map(|line| {
        let mut fields = line.split(',');
        let name = fields.next()?.strip_prefix(prefix)?.strip_suffix(ending)?;
        Some((name, fields.next()?.parse().ok()?))
    });
    rows.collect()
}

/// The length that the interface defines for a parameter of this name.
fn of_name(whole: &str, lengths: &BTreeMap<&str, i32>) -> Option<usize> {
    let (_, name) = whole.split_once('_')?;
    let named = NAMED.iter().find(|(known, _)| *known == name || *known == whole);
    let own = || lengths.contains_key(name).then_some(name);
    let ending = || ENDINGS.iter().find(|(ending, _)| name.ends_with(ending)).map(|(_, length)| *length);
    let length = named.map(|(_, length)| *length).or_else(own).or_else(ending)?;
    lengths.get(length).and_then(|length| usize::try_from(*length).ok())
}

#[test]
fn every_text_has_the_length_that_the_interface_defines_for_its_parameter() {
    let mut lengths = facts("MQ_", "_LENGTH");
    lengths.extend(facts("MQ_", "_LEN"));
    assert!(lengths.len() > 150 && lengths["Q_NAME"] == 48);
    let texts: Vec<i32> = rows().filter_map(of_row).map(|(identifier, _)| identifier).collect();
    let mut checked = 0;
    for prefix in ["MQCA_", "MQCACF_", "MQCACH_", "MQCAMO_"] {
        for (name, identifier) in facts(prefix, "") {
            let name = format!("{prefix}{name}");
            let padded = Lengths::OfAnswers.of(identifier);
            let is_bound =
                ["_FIRST", "_LAST", "_LAST_USED", "_USER_LIST"].iter().any(|end| name.ends_with(end));
            if is_bound || padded.is_none() && !texts.contains(&identifier) {
                continue;
            }
            let defined = of_name(&name, &lengths).unwrap_or_else(|| panic!("{name} has no length"));
            assert_eq!(padded, Some(defined).filter(|length| *length <= FIXED_MAX), "{name}");
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

#[test]
fn a_user_fills_a_field_of_twelve_bytes_and_a_longer_one_is_written_whole() {
    use crate::pcf::{ByteOrder, Header, Message, Parameter};
    for identifier in [MQCACH_MCA_USER_ID, MQCACF_SUB_USER_ID, MQCACF_EVENT_USER_ID] {
        for (user, length) in [("", 12), ("ada", 12), ("twelve_bytes", 12), ("a.name@of.twenty.one", 20)] {
            let message = Message {
                header: Header::command(MQCMD_NONE),
                parameters: vec![Parameter::text(identifier, user)],
            };
            let bytes = message.encode_with(ByteOrder::Little, Lengths::OfAnswers);
            assert_eq!(bytes.len(), 36 + 20 + length, "{identifier} {user}");
            assert_eq!(Message::decode(&bytes, ByteOrder::Little).as_ref(), Ok(&message));
        }
    }
}
