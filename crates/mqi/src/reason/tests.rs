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
