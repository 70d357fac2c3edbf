//! Words of DISPLAY beside attributes: those that stand for several attributes, and those that choose by a
//! value without WHERE.
//!
//! Lives here: the groups of attributes of the queue manager, the judgement of a value, OPENTYPE.
//! Lives elsewhere: the displays that take these words (`display`), WHERE (`conditions`).

use mqi::constants::*;

use crate::attributes::Attribute;
use crate::mqsc::setting::Setting;
use crate::value::Value;

/// OPENTYPE of DISPLAY QSTATUS: the handles, or the queues with such handles, that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenType {
    /// All, open or not.
    All,
    /// Handles that may get, shared or exclusively.
    Input,
    /// Handles that may put.
    Output,
}

impl OpenType {
    pub(super) const WORDS: [(&str, Self); 3] =
        [("ALL", Self::All), ("INPUT", Self::Input), ("OUTPUT", Self::Output)];

    /// Returns true for a handle, or a queue with its number of handles, with these values of its attributes.
    pub(super) fn chooses(self, value: impl Fn(&'static str) -> Option<Value>) -> bool {
        let is_open = |of_handle, of_queue| {
            let value = value(of_handle).or_else(|| value(of_queue));
            // The number of NO, and of a queue without such handles.
            value.is_some_and(|value| value != Value::Integer(MQQSO_NO))
        };
        match self {
            Self::All => true,
            Self::Input => is_open("INPUT", "IPPROCS"),
            Self::Output => is_open("OUTPUT", "OPPROCS"),
        }
    }
}

/// Attributes of the queue manager as a system.
pub(super) const SYSTEM: &[&str] = &[
    "ACCTCONO", "ACCTINT", "ACCTMQI", "ACCTQ", "ACTIVREC", "ACTVCONO", "ACTVTRC", "ADVCAP", "ALTDATE",
    "ALTTIME", "AMQPCAP", "CCSID", "CMDLEVEL", "COMMANDQ", "CONNAUTH", "CRDATE", "CRTIME", "CUSTOM", "DEADQ",
    "DESCR", "DISTL", "IMGINTVL", "IMGLOGLN", "IMGRCOVO", "IMGRCOVQ", "IMGSCHED", "INITKEY", "MARKINT",
    "MAXHANDS", "MAXMSGL", "MAXPROPL", "MAXPRTY", "MAXUMSGS", "MONQ", "PLATFORM", "QMNAME", "ROUTEREC",
    "SCMDSERV", "SPLCAP", "STATINT", "STATMQI", "STATQ", "SYNCPT", "TRIGINT", "VERSION", "XRCAP",
];

pub(super) const EVENT: &[&str] = &[
    "AUTHOREV", "CHLEV", "CMDEV", "CONFIGEV", "INHIBTEV", "LOCALEV", "LOGGEREV", "PERFMEV", "REMOTEEV",
    "SSLEV", "STRSTPEV",
];

/// Attributes about channels.
pub(super) const CHINIT: &[&str] = &[
    "CERTLABL", "CERTVPOL", "CHAD", "CHADEV", "CHADEXIT", "CHLAUTH", "CHLEV", "DEADQ", "DEFXMITQ", "IPADDRV",
    "KEYRPWD", "MONACLS", "MONCHL", "REVDNS", "SCHINIT", "SSLCRLNL", "SSLCRYP", "SSLEV", "SSLFIPS",
    "SSLKEYR", "SSLRKEYC", "STATACLS", "STATCHL", "SUITEB",
];

pub(super) const CLUSTER: &[&str] = &[
    "CLWLDATA", "CLWLEXIT", "CLWLLEN", "CLWLMRUC", "CLWLUSEQ", "DEFCLXQ", "MONACLS", "QMID", "REPOS",
    "REPOSNL",
];

pub(super) const PUBSUB: &[&str] =
    &["PARENT", "PSCLUS", "PSMODE", "PSNPMSG", "PSNPRES", "PSRTYCNT", "PSSYNCPT", "TREELIFE"];

/// The word for a number that stands for several attributes.
pub(super) fn group_word(identifier: i32) -> Option<&'static str> {
    Some(match identifier {
        MQIACF_Q_MGR_STATUS_LOG => "LOG",
        MQIACF_MONITORING => "MONITOR",
        MQIACF_Q_MGR_SYSTEM => "SYSTEM",
        MQIACF_Q_MGR_EVENT => "EVENT",
        MQIACF_Q_MGR_DQM => "CHINIT",
        MQIACF_Q_MGR_CLUSTER => "CLUSTER",
        MQIACF_Q_MGR_PUBSUB => "PUBSUB",
        MQIACF_Q_MGR_VERSION => "VERSION",
        MQIACF_SUB_SUMMARY => "SUMMARY",
        _ => return None,
    })
}

/// The choice of a text.
pub(super) fn by_text(attribute: &'static Attribute, text: &str) -> Setting {
    Setting { attribute, value: Value::from(text.trim_end_matches(' ')) }
}

/// Cluster attributes leave things without them in the answer.
pub(super) fn is_of_clusters(keyword: &str) -> bool {
    matches!(keyword, "CLUSTER" | "CLUSNL")
}

/// Returns true if the value of an attribute is one that the setting chooses.
pub(super) fn chooses(setting: &Setting, value: Option<&Value>) -> bool {
    let is_clusters = is_of_clusters(setting.attribute.keyword);
    match (value, setting.value.as_text()) {
        (None, _) => is_clusters,
        (Some(value), Some(wanted)) if is_clusters => {
            let text = value.as_text().unwrap_or_default();
            wanted.strip_suffix('*').map_or(text == wanted, |stem| text.starts_with(stem))
        }
        (Some(value), _) => selects(setting, value),
    }
}

/// Returns true if a value is the one asked for. Subscriptions of users are those that were not made for
/// other queue managers.
fn selects(setting: &Setting, value: &Value) -> bool {
    let is_of_user = || matches!(value, Value::Integer(MQSUBTYPE_ADMIN | MQSUBTYPE_API));
    setting.value == *value || setting.value == Value::Integer(MQSUBTYPE_USER) && is_of_user()
}
