//! The table is whole, and a row that claims more than its commands is refused.

use std::path::Path;

use super::*;

/// The file with the first row replaced.
fn with_first(row: &str) -> String {
    let second = ROWS.find("[[row]]\nid = \"S1-02\"").expect("a second row");
    format!("[[row]]\nid = \"S1-01\"\nkind = \"function\"\n{row}\n{}", &ROWS[second..])
}

#[test]
fn every_requirement_is_there_once_and_names_files_that_exist() {
    let rows = rows().expect("the table is right");
    assert_eq!(rows.len(), 354);
    assert_eq!(counts(&rows).values().sum::<usize>(), 354);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for row in &rows {
        if let Some(figure) = &row.figure {
            assert!(root.join(figure).is_file(), "{}: {figure}", row.id);
        }
    }
}

#[test]
fn a_row_that_claims_more_than_it_shows_is_refused() {
    let command = "shown = [\"cargo xtask scenario \\\"An unknown queue\\\"\"]";
    let right = with_first(&format!("asks = \"this\"\nstate = \"works\"\n{command}"));
    parse(&right).expect("a right row");
    for (row, fault) in [
        ("state = \"works\"", "S1-01 is works without a command"),
        ("state = \"stand-in\"\nlacks = \"a SAN\"", "S1-01 is stand-in without a command"),
        ("state = \"part\"", "does not say what it lacks"),
        (&format!("state = \"stand-in\"\n{command}"), "does not say what it lacks"),
        (&format!("state = \"works\"\nlacks = \"a part\"\n{command}"), "it is `part` or `stand-in`"),
        (&format!("state = \"open\"\nlacks = \"all\"\n{command}"), "is `part`"),
        (&format!("state = \"measured\"\n{command}"), "kept figure"),
        (&format!("state = \"works\"\nfigure = \"README.md\"\n{command}"), "kept figure"),
        ("state = \"works\"\nshown = [\"true\"]", "not of this project"),
        ("state = \"works\"\nshown = [\"ferry bench floors\"]", "search it with grep"),
        ("state = \"works\"\nshown = [\"cargo test -p perf\"]", "naming them whole"),
        ("state = \"works\"\nshown = [\"\"]", "write one line"),
        ("state = \"works\"\nshown = [\"ferry list | grep \\u001b[2J\"]", "write one line"),
        ("state = \"shines\"", "unknown variant"),
        (&format!("state = \"works\"\nlack = \"a part\"\n{command}"), "unknown field"),
    ] {
        let error = parse(&with_first(&format!("asks = \"this\"\n{row}"))).expect_err(row);
        assert!(format!("{error:#}").contains(fault), "{row}: {error:#}");
    }
}

#[test]
fn a_row_that_is_missing_or_there_twice_is_named() {
    let second = ROWS.find("[[row]]\nid = \"S1-02\"").expect("a second row");
    let last = ROWS.rfind("[[row]]").expect("a last row");
    for (text, fault) in [
        (ROWS[second..].to_owned(), "S1-02 stands where S1-01 belongs"),
        (ROWS[..last].to_owned(), "there are 353 rows of 354"),
        (format!("{ROWS}\n{}", &ROWS[last..]), "there are 355 rows of 354"),
    ] {
        let error = parse(&text).expect_err(fault);
        assert!(error.to_string().contains(fault), "{error}");
    }
}

#[test]
fn the_words_of_states_are_those_of_the_file() {
    for state in State::ALL {
        let word = serde_json::to_value(state).expect("a word");
        assert_eq!(word, state.word());
    }
}
