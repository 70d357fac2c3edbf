//! The coverage of calls: every verb and every option by its name, with its answers.
//!
//! The names are the rows of the tables of facts, so that none is left out by oversight: what the courses do
//! not call stands in [`NOT_COVERED`] with the reason, and [`Coverage::missed`] names whatever should have
//! been called and was not.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::OnceLock;

use mqi::{PutOptions, Reason, StatusType, Wait, constants};

use crate::Call;

/// Calls that were made, and their answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Number of times a verb or option succeeded, with or without a warning, and of its refusals.
    pub calls: BTreeMap<&'static str, [u64; 2]>,
    /// Options with bits that have no name, by the beginning of their names.
    pub unknown: BTreeMap<&'static str, [u64; 2]>,
    /// Number of commands of each kind.
    pub commands: BTreeMap<String, u64>,
    /// Number of times each reason was given.
    pub reasons: BTreeMap<Reason, u64>,
}

/// Names that are not called, each with the reason; a name that ends in `_` stands for a whole set of
/// options.
const NOT_COVERED: [(&str, &str); 5] = [
    ("MQCNO_", "how a connection is made is said before there is one: capi/tests/it/connect_options.rs"),
    ("MQXCLWLN", "for exits, which are not run"),
    ("MQXDX", "for exits, which are not run"),
    ("MQXEP", "for exits, which are not run"),
    ("MQZEP", "for exits, which are not run"),
];
/// Why a row is not covered, if it is not.
fn excuse(row: &Row) -> Option<&'static str> {
    let is_meant = |name: &str| name == row.name || name.ends_with('_') && name == row.prefix;
    NOT_COVERED.iter().find(|(name, _)| is_meant(name)).map(|(_, why)| *why)
}

/// A name of the interface.
#[derive(Clone, Copy, Debug)]
struct Row {
    name: &'static str,
    /// Beginning of the names of its set; empty for verbs.
    prefix: &'static str,
    value: i32,
}

/// Sets of options.
const SETS: [&str; 23] = [
    "MQCNO_", "MQPD_", "MQCOPY_", "MQOO_", "MQCO_", "MQPMO_", "MQGMO_", "MQMO_", "MQRO_", "MQMF_", "MQCMHO_",
    "MQDMHO_", "MQSMPO_", "MQIMPO_", "MQDMPO_", "MQMHBO_", "MQBMHO_", "MQDCC_", "MQCBDO_", "MQCTLO_",
    "MQOP_", "MQSO_", "MQSRO_",
];
/// Sets of which one is given.
const CHOICES: [&str; 2] = ["MQSTAT_", "MQACTP_"];

/// Names of the sets that are no options.
const OTHERS: [&str; 5] = ["_VERSION", "_LENGTH", "_STRUC_ID", "_MASK", "_FACTOR"];

/// Options of value 0 say that none of these is given; the others of that value that none of their set is.
const INSTEAD_OF: [(&str, i32); 14] = [
    ("MQSO_NON_DURABLE", constants::MQSO_DURABLE),
    ("MQSO_READ_AHEAD_AS_Q_DEF", constants::MQSO_READ_AHEAD | constants::MQSO_NO_READ_AHEAD),
    (
        "MQOO_BIND_AS_Q_DEF",
        constants::MQOO_BIND_ON_OPEN | constants::MQOO_BIND_NOT_FIXED | constants::MQOO_BIND_ON_GROUP,
    ),
    ("MQOO_READ_AHEAD_AS_Q_DEF", constants::MQOO_READ_AHEAD | constants::MQOO_NO_READ_AHEAD),
    ("MQGMO_NO_WAIT", constants::MQGMO_WAIT),
    (
        "MQGMO_PROPERTIES_AS_Q_DEF",
        constants::MQGMO_PROPERTIES_IN_HANDLE
            | constants::MQGMO_PROPERTIES_FORCE_MQRFH2
            | constants::MQGMO_NO_PROPERTIES
            | constants::MQGMO_PROPERTIES_COMPATIBILITY,
    ),
    ("MQPMO_RESPONSE_AS_Q_DEF", constants::MQPMO_ASYNC_RESPONSE | constants::MQPMO_SYNC_RESPONSE),
    ("MQPMO_RESPONSE_AS_TOPIC_DEF", constants::MQPMO_ASYNC_RESPONSE | constants::MQPMO_SYNC_RESPONSE),
    ("MQRO_NEW_MSG_ID", constants::MQRO_PASS_MSG_ID),
    ("MQRO_COPY_MSG_ID_TO_CORREL_ID", constants::MQRO_PASS_CORREL_ID),
    ("MQRO_DEAD_LETTER_Q", constants::MQRO_DISCARD_MSG),
    ("MQMF_SEGMENTATION_INHIBITED", constants::MQMF_SEGMENTATION_ALLOWED),
    ("MQIMPO_INQ_FIRST", constants::MQIMPO_INQ_NEXT | constants::MQIMPO_INQ_PROP_UNDER_CURSOR),
    ("MQDMPO_DEL_FIRST", constants::MQDMPO_DEL_PROP_UNDER_CURSOR),
];

/// All verbs, and all options of the sets.
fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let verbs = include_str!("../../../mqi/facts/mqi_functions.csv").lines().skip(1);
        let verbs = verbs.filter_map(|line| line.split(',').next());
        let is_verb = |name: &&str| {
            name.starts_with("MQ")
                && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        };
        let verbs = verbs.filter(is_verb).map(|name| Row { name, prefix: "", value: 0 });
        let mut rows: Vec<Row> = verbs.collect();
        rows.dedup_by_key(|row| row.name);
        for line in include_str!("../../../mqi/facts/mqi_constants.csv").lines().skip(1) {
            let mut fields = line.split(',');
            let (Some(name), Some(value), Some(prefix)) = (fields.next(), fields.next(), fields.next())
            else {
                continue;
            };
            let is_option = SETS.contains(&prefix) || CHOICES.contains(&prefix);
            // Contexts have numbers of their own.
            let is_context = prefix == "MQPD_" && name.ends_with("_CONTEXT");
            let prefix = if is_context { "MQPD_CONTEXT_" } else { prefix };
            if let (true, Ok(value)) =
                (is_option && !OTHERS.iter().any(|other| name.contains(other)), value.parse())
            {
                rows.push(Row { name, prefix, value });
            }
        }
        rows
    })
}

/// Returns the arguments of a call: its verb, and the bits or number of each set.
#[must_use]
pub fn passed(call: &Call) -> (&'static str, Vec<(&'static str, i32)>) {
    let of_put = |options: &PutOptions, descriptor: &mqi::MessageDescriptor| {
        vec![
            ("MQPMO_", options.flags.bits()),
            ("MQRO_", descriptor.report.bits()),
            ("MQMF_", descriptor.message_flags.bits()),
            ("MQACTP_", options.action.code()),
        ]
    };
    match call {
        Call::Open { options, .. } => ("MQOPEN", vec![("MQOO_", options.bits())]),
        Call::Close { options, .. } => ("MQCLOSE", vec![("MQCO_", options.bits())]),
        Call::Put { options, descriptor, .. } => ("MQPUT", of_put(options, descriptor)),
        Call::Put1 { options, descriptor, .. } => ("MQPUT1", of_put(options, descriptor)),
        Call::Get { options, .. } => {
            let wait = if options.wait == Wait::No { 0 } else { constants::MQGMO_WAIT };
            let sets = vec![("MQGMO_", options.flags.bits() | wait), ("MQMO_", options.match_options.bits())];
            ("MQGET", sets)
        }
        Call::Set { .. } => ("MQSET", Vec::new()),
        Call::Subscribe { descriptor, .. } => ("MQSUB", vec![("MQSO_", descriptor.options.bits())]),
        Call::Unsubscribe { options, .. } => ("MQCLOSE", vec![("MQCO_", options.bits())]),
        Call::Request { options, .. } => ("MQSUBRQ", vec![("MQSRO_", options.bits())]),
        Call::Inquire { .. } => ("MQINQ", Vec::new()),
        Call::Begin => ("MQBEGIN", Vec::new()),
        // Parts of a commit in two steps, for which programs have no verb.
        Call::Prepare => ("prepare", Vec::new()),
        Call::Decide { commits: true } => ("decide commit", Vec::new()),
        Call::Decide { commits: false } => ("decide back", Vec::new()),
        Call::Commit => ("MQCMIT", Vec::new()),
        Call::Back => ("MQBACK", Vec::new()),
        Call::Connect(choice) => ("MQCONNX", vec![("MQCNO_", choice.options())]),
        Call::Disconnect => ("MQDISC", Vec::new()),
        Call::Stat(kind) => {
            let kind = match kind {
                StatusType::AsyncError => constants::MQSTAT_TYPE_ASYNC_ERROR,
                StatusType::Reconnection => constants::MQSTAT_TYPE_RECONNECTION,
                StatusType::ReconnectionError => constants::MQSTAT_TYPE_RECONNECTION_ERROR,
            };
            ("MQSTAT", vec![("MQSTAT_", kind)])
        }
        Call::Handle(call) => call.passed(),
        Call::Convert(conversion) => ("MQXCNVC", vec![("MQDCC_", conversion.options)]),
        Call::Consume { get, asked } => {
            let (_, mut sets) = passed(get);
            sets.extend([("MQCBDO_", asked.options), ("MQOP_", asked.operation)]);
            ("MQCB", sets)
        }
        Call::Control(control) => ("MQCTL", vec![("MQCTLO_", control.options), ("MQOP_", control.operation)]),
        Call::Naming { call, .. } | Call::Through { call, .. } => passed(call),
    }
}

impl Coverage {
    /// Counts a call that ended, for its verb and for each of its options.
    pub(super) fn count(&mut self, call: &Call, reason: Option<Reason>) {
        let refused = usize::from(reason.is_some_and(|reason| !WARNINGS.contains(&reason)));
        if let Some(reason) = reason {
            *self.reasons.entry(reason).or_default() += 1;
        }
        let (verb, sets) = passed(call);
        self.calls.entry(verb).or_default()[refused] += 1;
        // What is registered is started.
        if refused == 0 && matches!(call.plain(), Call::Consume { .. }) {
            self.calls.entry("MQCTL").or_default()[0] += 1;
        }
        for (prefix, bits) in sets {
            let mut known = 0;
            for row in rows().iter().filter(|row| row.prefix == prefix) {
                let instead = INSTEAD_OF.iter().find(|(name, _)| *name == row.name);
                let is_said = match (CHOICES.contains(&prefix), row.value) {
                    (true, value) => bits == value,
                    (false, 0) => bits & instead.map_or(-1, |(_, others)| *others) == 0,
                    (false, value) => bits & value == value,
                };
                known |= row.value;
                if is_said {
                    self.calls.entry(row.name).or_default()[refused] += 1;
                }
            }
            if bits & !known != 0 && !CHOICES.contains(&prefix) {
                self.unknown.entry(prefix).or_default()[refused] += 1;
            }
        }
    }

    /// Counts a connection.
    pub(super) fn connected(&mut self) {
        self.calls.entry("MQCONN").or_default()[0] += 1;
    }

    /// Counts a command by its verb and what it is about.
    pub(super) fn commanded(&mut self, text: &str) {
        let words = text.split_whitespace().take(2).map(|word| word.split('(').next().unwrap_or(word));
        let kind = words.collect::<Vec<_>>().join(" ");
        *self.commands.entry(kind).or_default() += 1;
    }

    /// Adds what other courses did.
    pub fn add(&mut self, other: Self) {
        for (sums, more) in [(&mut self.calls, other.calls), (&mut self.unknown, other.unknown)] {
            for (name, [done, refused]) in more {
                let sum = sums.entry(name).or_default();
                sum[0] += done;
                sum[1] += refused;
            }
        }
        for (kind, count) in other.commands {
            *self.commands.entry(kind).or_default() += count;
        }
        for (reason, count) in other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    /// Verbs and options that should have been called and were not.
    #[must_use]
    pub fn missed(&self) -> Vec<&'static str> {
        let is_missed = |row: &&Row| excuse(row).is_none() && !self.calls.contains_key(row.name);
        let missed = rows().iter().filter(is_missed);
        missed.map(|row| row.name).collect()
    }
}

/// Reasons of calls that did what they should.
pub const WARNINGS: [Reason; 11] = [
    Reason::TRUNCATED_MSG_ACCEPTED,
    Reason::PRIORITY_EXCEEDS_MAXIMUM,
    Reason::UNKNOWN_REPORT_OPTION,
    Reason::NO_EXTERNAL_PARTICIPANTS,
    Reason::INCOMPLETE_GROUP,
    Reason::INCOMPLETE_MSG,
    Reason::INCONSISTENT_CCSIDS,
    Reason::INCONSISTENT_ENCODINGS,
    Reason::NO_MSG_LOCKED,
    Reason::PROP_NAME_NOT_CONVERTED,
    Reason::PROP_VALUE_NOT_CONVERTED,
];

impl fmt::Display for Coverage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "{:<34} {:>9} {:>9}", "verb or option", "done", "refused")?;
        for row in rows() {
            match (self.calls.get(row.name), excuse(row)) {
                (Some([done, refused]), _) => {
                    writeln!(formatter, "{:<34} {done:>9} {refused:>9}", row.name)?;
                }
                (None, Some(why)) => writeln!(formatter, "{:<34} NOT COVERED: {why}", row.name)?,
                (None, None) => writeln!(formatter, "{:<34} NOT CALLED", row.name)?,
            }
        }
        for (prefix, [done, refused]) in &self.unknown {
            let name = format!("{prefix} with an unknown bit");
            writeln!(formatter, "{name:<34} {done:>9} {refused:>9}")?;
        }
        writeln!(formatter, "command")?;
        for (kind, count) in &self.commands {
            writeln!(formatter, "{kind:<34} {count:>9}")?;
        }
        writeln!(formatter, "reason")?;
        for (reason, count) in &self.reasons {
            writeln!(formatter, "{reason:<44} {count:>9}")?;
        }
        Ok(())
    }
}
