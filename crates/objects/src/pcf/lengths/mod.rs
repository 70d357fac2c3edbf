//! Lengths of texts in messages of the queue manager: those that the interface defines for their parameters.
//!
//! Lives here: the length of a parameter by its number, taken from the rows of the attributes and, for
//! parameters that are no attributes, from a table.
//! Lives elsewhere: padding and writing (`structure`).
//!
//! Always: padding cuts nothing off. A value that is longer than the length of its parameter is written
//! whole.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use mqi::constants::*;

use super::families::name_lists;
use crate::attributes::{self, Attribute, Kind, StatusType, Subject};
use crate::object_type::ObjectType;

/// Lengths of texts in an encoded message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lengths {
    /// As the sender gave them, as in commands of programs.
    AsGiven,
    /// Padded with blanks to the length that answers of the command server have.
    OfAnswers,
    /// Padded with blanks to the length that events, statistics and accounting records have.
    OfRecords,
}

/// Longer texts vary in length: a name of a topic or a distinguished name has up to ten thousand bytes, most
/// of which would be blanks. The longest that does not vary is the name of a connection.
const FIXED_MAX: usize = MQ_CONN_NAME_LENGTH;

/// Parameters that are no attributes of an object or a status.
#[rustfmt::skip]
const OTHERS: &[(i32, usize)] = &[
    (MQCACF_APPL_NAME, MQ_APPL_NAME_LENGTH),
    (MQCACF_OBJECT_Q_MGR_NAME, MQ_Q_MGR_NAME_LENGTH),
    (MQCACF_EVENT_APPL_IDENTITY, MQ_APPL_IDENTITY_DATA_LENGTH),
    (MQCACF_EVENT_APPL_NAME, MQ_APPL_NAME_LENGTH),
    (MQCACF_EVENT_APPL_ORIGIN, MQ_APPL_ORIGIN_DATA_LENGTH),
    (MQCACF_EVENT_Q_MGR, MQ_Q_MGR_NAME_LENGTH),
    (MQCACF_EVENT_USER_ID, MQ_USER_ID_LENGTH),
    (MQCAMO_CLOSE_DATE, MQ_DATE_LENGTH), (MQCAMO_CLOSE_TIME, MQ_TIME_LENGTH),
    (MQCAMO_CONN_DATE, MQ_DATE_LENGTH), (MQCAMO_CONN_TIME, MQ_TIME_LENGTH),
    (MQCAMO_DISC_DATE, MQ_DATE_LENGTH), (MQCAMO_DISC_TIME, MQ_TIME_LENGTH),
    (MQCAMO_END_DATE, MQ_DATE_LENGTH), (MQCAMO_END_TIME, MQ_TIME_LENGTH),
    (MQCAMO_OPEN_DATE, MQ_DATE_LENGTH), (MQCAMO_OPEN_TIME, MQ_TIME_LENGTH),
    (MQCAMO_START_DATE, MQ_DATE_LENGTH), (MQCAMO_START_TIME, MQ_TIME_LENGTH),
];

/// Attributes whose values may be longer than the interface says of their parameters. Programs copy a text of
/// the interface's length into a field of this length.
const OF_THE_INTERFACE: &[(i32, usize)] = &[
    (MQCACF_ENTITY_NAME, MQ_ENTITY_NAME_LENGTH),
    (MQCACF_SUB_USER_ID, MQ_USER_ID_LENGTH),
    (MQCACH_CLIENT_USER_ID, MQ_CLIENT_USER_ID_LENGTH),
    (MQCACH_MCA_USER_ID, MQ_MCA_USER_ID_LENGTH),
    (MQCACH_MCA_USER_ID_LIST, MQ_MCA_USER_ID_LENGTH),
];

/// Parameters whose length in records is not that in answers.
const IN_RECORDS: &[(i32, usize)] = &[(MQCACF_USER_IDENTIFIER, MQ_USER_ID_LENGTH)];

static IN_ANSWERS: LazyLock<BTreeMap<i32, usize>> = LazyLock::new(|| {
    let mut lengths: BTreeMap<i32, usize> = OTHERS.iter().copied().collect();
    for (identifier, length) in rows().filter_map(of_row).chain(name_lists()) {
        let longest = lengths.entry(identifier).or_default();
        *longest = length.max(*longest);
    }
    lengths.extend(OF_THE_INTERFACE.iter().copied());
    lengths.retain(|_, length| (1..=FIXED_MAX).contains(length));
    lengths
});

impl Lengths {
    /// The length of a text of this parameter; none when it is as long as it is.
    pub(super) fn of(self, identifier: i32) -> Option<usize> {
        let in_records =
            || IN_RECORDS.iter().find(|(known, _)| *known == identifier).map(|(_, length)| *length);
        let in_answers = || IN_ANSWERS.get(&identifier).copied();
        match self {
            Self::AsGiven => None,
            Self::OfAnswers => in_answers(),
            Self::OfRecords => in_records().or_else(in_answers),
        }
    }
}

/// The rows of every object and of every status.
fn rows() -> impl Iterator<Item = &'static Attribute> {
    let objects = ObjectType::all().map(Subject::Object);
    let statuses = StatusType::ALL.iter().copied().map(Subject::Status);
    objects.chain(statuses).flat_map(attributes::of)
}

fn of_row(row: &Attribute) -> Option<(i32, usize)> {
    match row.kind {
        Kind::Text { length_max }
        | Kind::Name { length_max }
        | Kind::Texts { length_max, .. }
        | Kind::Names { length_max, .. } => Some((row.identifier_number(), length_max)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
