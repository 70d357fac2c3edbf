//! Attributes of the queue manager that the model knows.

use super::Time;

/// Attributes that ALTER QMGR sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    /// Most objects that a connection has open (MAXHANDS).
    pub(super) handles_max: usize,
    /// Most messages of a unit of work (MAXUMSGS).
    pub(super) unit_max: usize,
    /// The longest message (MAXMSGL).
    pub(super) message_bytes_max: usize,
    /// Lifetime of marks of co-operating handles, in milliseconds; none when they do not lapse (MARKINT).
    pub(super) mark_interval: Option<Time>,
    /// After how many milliseconds a queue that is not empty makes another trigger message (TRIGINT).
    pub(super) trigger_interval: Time,
    /// True if topics may be published and subscribed to (PSMODE).
    pub(super) serves_topics: bool,
    /// Most bytes on all queues (QUOTA).
    pub(super) bytes_max: Option<u64>,
    /// True if queues that leave it to the queue manager are recovered (IMGRCOVQ).
    pub(super) recovers_queues: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            handles_max: 256,
            unit_max: 10_000,
            message_bytes_max: 4_194_304,
            mark_interval: Some(5_000),
            trigger_interval: 999_999_999,
            serves_topics: true,
            bytes_max: None,
            recovers_queues: true,
        }
    }
}

/// Attributes whose effect goes to queues that the model does not have, or shows in answers that it does not
/// judge.
const SILENT: [(&str, &[&str]); 11] = [
    ("INHIBTEV", &["ENABLED", "DISABLED"]),
    ("LOCALEV", &["ENABLED", "DISABLED"]),
    ("REMOTEEV", &["ENABLED", "DISABLED"]),
    ("STRSTPEV", &["ENABLED", "DISABLED"]),
    ("PERFMEV", &["ENABLED", "DISABLED"]),
    ("CONFIGEV", &["ENABLED", "DISABLED"]),
    ("CMDEV", &["ENABLED", "DISABLED", "NODISPLAY"]),
    ("ACCTMQI", &["ON", "OFF"]),
    ("ACCTQ", &["NONE", "ON", "OFF"]),
    ("ACCTCONO", &["ENABLED", "DISABLED"]),
    ("MONQ", &["NONE", "OFF", "LOW", "MEDIUM", "HIGH"]),
];

impl Settings {
    /// Sets an attribute; false for one that the model does not know.
    pub(super) fn set(&mut self, keyword: &str, value: &str) -> bool {
        let number = value.parse::<u32>().ok();
        match (keyword, number.map(|number| number as usize)) {
            ("MAXHANDS", Some(number)) => self.handles_max = number,
            ("MAXUMSGS", Some(number)) => self.unit_max = number,
            ("MAXMSGL", Some(number)) => self.message_bytes_max = number,
            ("MARKINT", Some(number)) => self.mark_interval = Some(number as Time),
            ("MARKINT", None) if value == "NOLIMIT" => self.mark_interval = None,
            ("QUOTA", Some(number @ 1..)) => self.bytes_max = Some((number as u64) << 20),
            ("QUOTA", None) if value == "NOLIMIT" => self.bytes_max = None,
            ("IMGRCOVQ", None) if matches!(value, "YES" | "NO") => self.recovers_queues = value == "YES",
            ("PSMODE", None) if matches!(value, "ENABLED" | "COMPAT" | "DISABLED") => {
                self.serves_topics = value != "DISABLED";
            }
            ("ACCTINT", Some(_)) | ("TREELIFE", Some(..=604_000)) => {}
            ("TRIGINT", Some(number)) => self.trigger_interval = number as Time,
            _ => return SILENT.iter().any(|(known, values)| *known == keyword && values.contains(&value)),
        }
        true
    }
}
