//! The requirements of published reports are shown with what shows them.

use crate::support::Ferry;

#[test]
fn every_row_is_shown_with_its_state_and_its_commands() {
    let ferry = Ferry::new();
    let said = ferry.ok(&["report", "rows"]);
    assert_eq!(said.lines().filter(|line| line.starts_with('S')).count(), 354);
    let totals = said.lines().last().expect("totals");
    assert!(totals.starts_with("354 rows: ") && totals.ends_with(" hold"), "{totals}");
    let said = ferry.ok(&["report", "rows", "-o", "json"]);
    let rows = said.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut hold = 0;
    for row in rows.collect::<Vec<serde_json::Value>>() {
        let state = row["state"].as_str().expect("a state");
        let commands = row["shown"].as_array().expect("commands").len();
        if ["works", "measured", "stand-in"].contains(&state) {
            hold += 1;
            assert!(commands > 0, "{row}");
        }
        assert!(state == "works" || row["lacks"].is_string() || row["figure"].is_string(), "{row}");
    }
    assert!(totals.ends_with(&format!("; {hold} hold")), "{totals}");
}

#[test]
fn rows_are_chosen_by_number_and_state_and_what_is_none_is_refused() {
    let ferry = Ferry::new();
    let said = ferry.ok(&["report", "rows", "s1-01", "S3-54"]);
    assert_eq!(said.lines().filter(|line| line.starts_with('S')).count(), 2);
    assert!(said.contains("S3-54  open     ") && said.contains("lacks: clusters"), "{said}");
    let said = ferry.ok(&["report", "rows", "S1-01", "S3-54", "--state", "works"]);
    assert!(said.contains("S1-01") && !said.contains("S3-54"), "{said}");
    for (arguments, fault) in [
        (&["report", "rows", "S1-69"][..], "there is no row S1-69"),
        (&["report", "rows", "--state=shines"], "shines"),
        (&["report", "--quick", "rows"], "rows"),
    ] {
        let run = ferry.run(arguments);
        assert_ne!(run.code, 0, "{arguments:?}");
        assert!(run.stderr.contains(fault), "{}", run.stderr);
    }
}
