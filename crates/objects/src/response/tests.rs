use super::*;
use crate::attributes::{self, Subject};
use crate::definition::Definition;
use crate::messages::{self, Message};
use crate::moment::Moment;
use crate::object_type::ObjectType;

fn shown(definition: &Definition, heading: &'static MessageRow) -> Row {
    let rows = attributes::of(Subject::Object(definition.object_type()));
    let fields = rows
        .map(|attribute| Field {
            attribute,
            value: definition.value(attribute).unwrap_or_else(|| attribute.default_value()),
        })
        .collect();
    Row { heading, fields }
}

fn definition(object_type: ObjectType, name: &str) -> Definition {
    Definition::new(object_type, name.parse().unwrap(), Moment(1_795_252_811))
}

#[test]
fn objects_are_shown_in_two_columns() {
    let mut local = definition(ObjectType::LocalQueue, "DEV.QUEUE.1");
    let descr = attributes::by_keyword(Subject::Object(ObjectType::LocalQueue), "DESCR").unwrap();
    local.set(descr, Value::from("A description too long for the first of two columns")).unwrap();
    let response = Response {
        rows: vec![
            shown(&local, &messages::QUEUE_DETAILS),
            shown(&definition(ObjectType::AliasQueue, "DEV.ALIAS"), &messages::QUEUE_DETAILS),
            shown(&definition(ObjectType::QueueManager, "QM1"), &messages::QUEUE_MANAGER_DETAILS),
        ],
        messages: vec![Message::new(&messages::OBJECT_NOT_FOUND, ["Queue", "X*"])],
        ..Response::default()
    };
    assert!(!response.is_ok());
    insta::assert_snapshot!(response.to_string());
}

#[test]
fn json_has_numbers_words_and_switches() {
    let mut row = shown(&definition(ObjectType::LocalQueue, "DEV.QUEUE.1"), &messages::QUEUE_DETAILS);
    row.fields
        .retain(|field| ["QUEUE", "GET", "MAXDEPTH", "SHARE", "DESCR"].contains(&field.attribute.keyword));
    for field in &mut row.fields {
        if field.attribute.keyword == "DESCR" {
            field.value = Value::from("a \"quote\" and \\");
        }
    }
    let response = Response {
        rows: vec![row],
        messages: vec![Message::new(&messages::OBJECT_CREATED, ["Queue", "A"])],
        ..Response::default()
    };
    assert_eq!(
        response.to_json(),
        r#"{"messages":[{"id":"FRY8006I","severity":"information","text":"Queue A created."}],"objects":[{"queue":"DEV.QUEUE.1","descr":"a \"quote\" and \\","get":"ENABLED","maxdepth":5000,"share":true}]}"#
    );
}

#[test]
fn a_script_ends_with_what_became_of_it() {
    let summary = ScriptSummary { read: 3, syntax_errors: 1, failed: 0 };
    assert_eq!(
        summary.to_string(),
        "3 commands read.\nOne command with a syntax error.\nAll valid commands were processed.\n"
    );
    let summary = ScriptSummary { read: 1, syntax_errors: 0, failed: 1 };
    assert_eq!(
        summary.to_string(),
        "One command read.\nNo commands with a syntax error.\nOne command could not be processed.\n"
    );
    assert!(!summary.is_ok());
}

#[test]
fn the_reference_page_has_a_line_for_every_attribute() {
    let pages = crate::reference::attribute_pages();
    let page: String = pages.into_iter().map(|(_, text)| text).collect();
    for object_type in ObjectType::all() {
        for row in attributes::of(Subject::Object(object_type)) {
            assert!(page.contains(&format!("**{}", row.keyword)), "{}", row.keyword);
        }
    }
    let explained = crate::reference::explain_attribute("maxdepth").unwrap();
    assert!(explained.starts_with("MAXDEPTH of QLOCAL: Most messages on the queue."));
    assert!(crate::reference::messages_page().contains("## FRY8006I"));
}

#[test]
fn an_answer_names_each_attribute_without_effect_once() {
    let settings = |command: &str| match crate::mqsc::parse(command).unwrap().remove(0) {
        crate::Command::Define(define) => define.settings,
        crate::Command::Alter(alter) => alter.settings,
        other => panic!("{other} sets nothing"),
    };
    let done = || Response::message(Message::new(&messages::OBJECT_CREATED, ["Queue", "A"]));
    let told = |command: &str| done().naming_kept(&settings(command)).to_string();
    let created = "FRY8006I: Queue A created.\n";
    for (command, kept) in [
        ("DEFINE QLOCAL(A) MAXDEPTH(5) DISTL(YES) CLUSTER(C)", "CLUSTER, DISTL"),
        ("ALTER QLOCAL(A) DISTL(YES)", "DISTL"),
        ("ALTER QMGR DESCR('x') SSLCRLNL(N)", "SSLCRLNL"),
    ] {
        let answer = told(command);
        let words: Vec<&str> = kept.split(", ").collect();
        assert!(answer.starts_with(created) && answer.contains("no effect yet: "), "{command}: {answer}");
        assert!(words.iter().all(|word| answer.matches(word).count() == 1), "{command}: {answer}");
    }
    // A value that asks for nothing has no effect anywhere.
    assert_eq!(told("DEFINE QLOCAL(A) DISTL(NO) CLUSTER(' ') MAXDEPTH(7)"), created);
    let refused = Response::message(Message::new(&messages::OBJECT_NOT_FOUND, ["Queue", "A"]));
    assert_eq!(refused.clone().naming_kept(&settings("ALTER QLOCAL(A) DISTL(YES)")), refused);
    assert!(done().naming_kept(&settings("ALTER QLOCAL(A) DISTL(YES)")).is_ok(), "it is done all the same");
}

#[test]
fn a_page_without_room_ends_at_a_name_and_another_answer_says_that_it_stops() {
    let rows = |names: &[&str]| {
        let made = names.iter().map(|name| definition(ObjectType::LocalQueue, name));
        made.map(|one| shown(&one, &messages::QUEUE_DETAILS)).collect::<Vec<_>>()
    };
    let answer =
        |names: &[&str]| Response { rows: rows(names), rest: Some("x".into()), ..Response::default() };
    for (names, is_page, left, message) in [
        (&["A", "B", "B"][..], true, 1, "FRY8421I: The page ends with A; more follow."),
        (&["A", "B"], true, 1, "FRY8421I: The page ends with A; more follow."),
        (&["A", "A"], true, 2, "FRY8420W: The answer stops after 2 objects; more match."),
        (&["A", "B"], false, 2, "FRY8420W: The answer stops after 2 objects; more match."),
    ] {
        let ended = answer(names).ended(is_page);
        assert_eq!((ended.rows.len(), &ended.rest), (left, &None), "{names:?}");
        assert_eq!(ended.messages[0].to_string(), message);
        assert!(ended.is_ok());
    }
    let whole = Response { rows: rows(&["A"]), ..Response::default() };
    assert_eq!(whole.clone().ended(true), whole);
    let mut full = whole;
    for is_ok in [true, true, false, false, true] {
        full.leave_out(is_ok);
    }
    assert_eq!((full.messages.len(), full.is_ok()), (2, false), "each is said once");
    // The weight is what the answer takes, about.
    let response = Response { rows: rows(&["A", "B"]), ..Response::default() };
    let (text, json) = (response.to_string().len(), response.to_json().len());
    let weight = response.weight();
    assert!(weight > text + json && weight < 3 * (text + json), "{weight} for {text} and {json}");
}
