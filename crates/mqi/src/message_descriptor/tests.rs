use super::{Expiry, MessageDescriptor, MessageType, Persistence, Priority};
use crate::Reason;

/// The row of the fact table for one field of `MQMD_DEFAULT`.
fn default_of(field: &str) -> i32 {
    let prefix = format!("MQMD_DEFAULT,MQMD,{field},MQLONG,");
    let table = include_str!("../../facts/mqi_defaults.csv");
    let row = table.lines().find(|line| line.starts_with(&prefix)).expect(field);
    row[prefix.len()..].parse().expect(field)
}

#[test]
fn the_default_descriptor_is_that_of_the_fact_table() {
    let descriptor = MessageDescriptor::default();
    for (field, value) in [
        ("Report", descriptor.report.bits()),
        ("MsgType", descriptor.message_type.code()),
        ("Expiry", descriptor.expiry.code()),
        ("Feedback", descriptor.feedback.code()),
        ("Encoding", descriptor.encoding.code()),
        ("CodedCharSetId", descriptor.coded_character_set),
        ("Priority", descriptor.priority.code()),
        ("Persistence", descriptor.persistence.code()),
        ("BackoutCount", descriptor.backout_count),
        ("PutApplType", descriptor.put_application_type.code()),
        ("MsgSeqNumber", descriptor.message_sequence_number),
        ("Offset", descriptor.offset),
        ("MsgFlags", descriptor.message_flags.bits()),
        ("OriginalLength", descriptor.original_length),
    ] {
        assert_eq!(value, default_of(field), "{field}");
    }
}

#[test]
fn a_descriptor_is_small_enough_to_box() {
    assert!(size_of::<MessageDescriptor>() <= 248, "{}", size_of::<MessageDescriptor>());
}

#[test]
fn numbers_out_of_range_name_their_reason() {
    assert_eq!(Expiry::from_code(0), Err(Reason::EXPIRY_ERROR));
    assert_eq!(Expiry::from_code(-2), Err(Reason::EXPIRY_ERROR));
    assert_eq!(Expiry::from_code(-1).map(Expiry::limit), Ok(None));
    assert_eq!(Priority::from_code(-2), Err(Reason::PRIORITY_ERROR));
    assert_eq!(
        Priority::from_code(12).map(|priority| (priority.level(), priority.exceeds_maximum())),
        Ok((Some(9), true))
    );
    assert_eq!(Priority::AS_Q_DEF.level(), None);
    assert_eq!(Persistence::from_code(3), Err(Reason::PERSISTENCE_ERROR));
    assert!(MessageType(70_000).is_valid() && !MessageType(0).is_valid());
}
