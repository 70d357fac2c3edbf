//! The table of messages is in order, and complete.

use super::*;

#[test]
fn a_number_names_one_message_and_rows_ascend() {
    let numbers: Vec<u16> = all().map(|row| row.number).collect();
    assert!(numbers.is_sorted_by(|one, other| one < other), "{numbers:?}");
}

#[test]
fn every_message_says_what_it_means_and_what_to_do() {
    for row in all() {
        for sentence in [row.text, row.explanation, row.action] {
            assert!(sentence.ends_with(['.', '}']), "{}: {sentence}", row.id());
        }
    }
}

#[test]
fn a_message_is_found_by_any_part_of_its_name() {
    for id in ["FRY8006I", "fry8006", "8006", " 8006I "] {
        assert_eq!(find(id), Some(&OBJECT_CREATED), "{id}");
    }
    assert_eq!(find("FRY0000I"), None);
    assert_eq!(find("QUEUE"), None);
}

#[test]
fn a_refused_login_is_explained_whether_a_password_a_rule_or_the_encryption_is_the_cause() {
    for word in ["CONNAUTH", "CHLAUTH", "SSLCIPH", "SSLPEER", "`ferry why`"] {
        assert!(LOGIN_REFUSED.explanation.contains(word), "{word}");
    }
    for word in ["`ferry user list`", "MATCH(RUNCHECK)", "`ferry tls show`"] {
        assert!(LOGIN_REFUSED.action.contains(word), "{word}");
    }
}

#[test]
fn inserts_stand_in_order() {
    let message = Message::new(&OBJECT_CREATED, ["Queue", "DEV.QUEUE.1"]);
    assert_eq!(message.to_string(), "FRY8006I: Queue DEV.QUEUE.1 created.");
}
