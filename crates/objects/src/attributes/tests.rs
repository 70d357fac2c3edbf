use super::*;
use crate::value::Value;
use std::collections::BTreeSet;

fn subjects() -> Vec<Subject> {
    let objects = ObjectType::all().map(Subject::Object);
    let statuses = [
        StatusType::QueueManager,
        StatusType::Queue,
        StatusType::QueueHandle,
        StatusType::QueueStatistics,
        StatusType::Connection,
        StatusType::ConnectionHandle,
        StatusType::PreparedMessage,
    ];
    objects.chain(statuses.map(Subject::Status)).collect()
}

#[test]
fn a_word_or_a_number_names_one_row_of_a_subject() {
    for subject in subjects() {
        let mut words = BTreeSet::new();
        let mut numbers = BTreeSet::new();
        for row in of(subject) {
            let mut own = vec![row.keyword];
            own.extend(row.synonyms);
            if let Kind::Switch { off, .. } = row.kind {
                own.push(off);
            }
            for word in own {
                assert!(words.insert(word), "{word} of {subject:?}");
            }
            let identifier = row.identifier_number();
            assert!(numbers.insert(identifier), "{identifier} of {subject:?}");
        }
    }
}

#[test]
fn every_default_is_a_value_its_row_takes() {
    for row in subjects().into_iter().flat_map(of) {
        if row.is_stored() {
            assert_eq!(row.default_value().check(row), Ok(()), "{}", row.keyword);
        }
    }
}

#[test]
fn text_attributes_have_character_selectors_and_the_others_integer_selectors() {
    for row in subjects().into_iter().flat_map(of) {
        let Identifier::Selector(selector) = row.identifier else { continue };
        let is_text = row.is_textual() || matches!(row.kind, Kind::Texts { .. } | Kind::Names { .. });
        let range = if is_text {
            mqi::constants::MQCA_FIRST..=mqi::constants::MQCA_LAST
        } else {
            mqi::constants::MQIA_FIRST..=mqi::constants::MQIA_LAST
        };
        assert!(range.contains(&selector), "{}", row.keyword);
    }
}

#[test]
fn words_of_a_row_stand_for_different_numbers() {
    for row in subjects().into_iter().flat_map(of) {
        let (Kind::Choice { words } | Kind::Integer { words, .. }) = row.kind else { continue };
        let values: BTreeSet<i32> = words.iter().map(|word| word.value).collect();
        assert_eq!(values.len(), words.len(), "{}", row.keyword);
        if let Kind::Integer { minimum, maximum, .. } = row.kind {
            // An encoding has a number, and the common ones a name besides.
            let is_named = row.keyword == "ENCODING";
            let are_outside = values.iter().all(|value| !(minimum..=maximum).contains(value));
            assert!(is_named || are_outside, "{}", row.keyword);
        }
    }
}

#[test]
fn every_row_says_what_it_means_in_one_line() {
    for row in subjects().into_iter().flat_map(of) {
        assert!(row.meaning.ends_with('.') && row.meaning.len() < 110, "{}: {}", row.keyword, row.meaning);
        assert!(!row.meaning.contains('\n'), "{}", row.keyword);
    }
}

#[test]
fn no_meaning_of_a_row_opens_with_a_word_of_a_question() {
    for row in subjects().into_iter().flat_map(of) {
        let opening = row.meaning.split([' ', ',']).next().unwrap();
        let asks = ["Whether", "How", "What", "Which", "Who", "Whose", "When", "Where", "Those"];
        assert!(!asks.contains(&opening), "{}: {}", row.keyword, row.meaning);
    }
}

#[test]
fn rows_behind_those_that_identify_are_in_alphabetical_order() {
    for subject in subjects() {
        let keywords: Vec<&str> = of(subject).skip(identity_count(subject)).map(|row| row.keyword).collect();
        assert!(keywords.is_sorted(), "{subject:?}: {keywords:?}");
    }
}

#[test]
fn the_version_shown_is_the_version_built() {
    let row = by_keyword(Subject::Object(ObjectType::QueueManager), "VERSION").unwrap();
    let digits: String = env!("CARGO_PKG_VERSION").split('.').map(|part| format!("{part:0>2}")).collect();
    assert_eq!(row.default_value(), Value::from(format!("{digits}00").as_str()));
}

#[test]
fn displays_of_rights_have_a_word_for_each_type_of_object_and_each_authority() {
    use security::authority::{Authority, ObjectType};
    for status in [StatusType::AuthorityRecord, StatusType::EntityAuthority] {
        let row = |keyword| by_keyword(Subject::Status(status), keyword).unwrap();
        for object_type in ObjectType::all() {
            assert_eq!(row("OBJTYPE").word_text(object_type.number()), Some(object_type.keyword()));
        }
        for authority in Authority::ALL {
            assert_eq!(row("AUTHLIST").word_text(authority.number()), Some(authority.keyword()));
        }
    }
}

#[test]
fn a_number_names_the_one_row_of_its_type_that_a_stored_definition_carries() {
    for object_type in ObjectType::all() {
        let rows = || table(object_type.family()).iter().chain(origin::ROWS);
        let mut found = 0;
        for row in rows().filter(|row| row.is_stored() && row.applies_to.contains(object_type)) {
            let Some(number) = row.number() else { continue };
            let by_number = by_number(object_type, number).map(|row| row.keyword);
            assert_eq!(by_number, Some(row.keyword), "{} {number:?}", object_type.keyword());
            found += 1;
        }
        assert!(found > 0, "{} has attributes", object_type.keyword());
        for row in rows().filter(|row| !row.applies_to.contains(object_type)) {
            let Some(number) = row.number() else { continue };
            let by_number = by_number(object_type, number);
            assert!(by_number.is_none_or(|found| found.applies_to.contains(object_type)), "{}", row.keyword);
        }
    }
}
