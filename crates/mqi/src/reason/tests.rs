use super::{Reason, table};
use crate::constants;

#[test]
fn the_table_ascends_and_holds_each_code_once_in_all() {
    assert!(Reason::ALL.windows(2).all(|pair| pair[0] < pair[1]));
    assert!(table::ROWS.windows(2).all(|pair| pair[0].reason <= pair[1].reason));
    assert_eq!(Reason::ALL.len() + 2, table::ROWS.len(), "two codes have a second name");
}

#[test]
fn every_name_leads_back_to_its_code() {
    for row in table::ROWS {
        assert_eq!(Reason::by_name(row.name), Some(row.reason), "{}", row.name);
        assert!(row.text.ends_with('.') && row.action.ends_with('.'), "{} needs sentences", row.name);
    }
    assert_eq!(Reason::by_name("no_msg_available"), Some(Reason::NO_MSG_AVAILABLE));
    assert_eq!(Reason::by_name("MQRC_NOT_A_CODE"), None);
}

#[test]
fn numbers_agree_with_the_constants() {
    for (reason, code) in [
        (Reason::NONE, constants::MQRC_NONE),
        (Reason::Q_FULL, constants::MQRC_Q_FULL),
        (Reason::NO_MSG_AVAILABLE, constants::MQRC_NO_MSG_AVAILABLE),
        (Reason::STORAGE_MEDIUM_FULL, constants::MQRC_STORAGE_MEDIUM_FULL),
        (Reason::BACKED_OUT, constants::MQRC_BACKED_OUT),
        (Reason::CALL_INTERRUPTED, constants::MQRC_CALL_INTERRUPTED),
    ] {
        assert_eq!(reason.code(), code, "{reason}");
    }
}

#[test]
fn an_unknown_number_is_kept_and_says_so() {
    let reason = Reason::from_code(12345);
    assert!(!reason.is_defined());
    assert_eq!(reason.to_string(), "12345 MQRC_UNKNOWN");
}

/// Every `MQRC_` constant of the fact table as (name, number).
fn facts() -> Vec<(&'static str, i32)> {
    include_str!("../../facts/mqi_constants.csv")
        .lines()
        .filter(|line| line.starts_with("MQRC_"))
        .map(|line| {
            let mut fields = line.split(',');
            let name = fields.next().expect("a name");
            (name, fields.next().and_then(|value| value.parse().ok()).expect("a number"))
        })
        .collect()
}

#[test]
fn the_table_holds_every_reason_of_the_facts_and_no_other() {
    let facts = facts();
    assert_eq!(table::ROWS.len(), facts.len());
    for (name, code) in facts {
        assert_eq!(Reason::by_name(name).map(Reason::code), Some(code), "{name}");
        assert!(Reason::ALL.contains(&Reason::from_code(code)), "{name}");
    }
}

#[test]
fn a_code_is_shown_under_its_first_name() {
    assert_eq!(Reason::PAGESET_FULL.name(), "MQRC_STORAGE_MEDIUM_FULL");
    assert_eq!(Reason::TRUNCATED.name(), "MQRC_CONVERTED_MSG_TOO_BIG");
}
