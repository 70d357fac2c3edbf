//! The reference page has the rows of the table, and no others.

use super::checks::{Answer, CHECKS};
use super::{number, state};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/hardening.md");

/// The mark behind which the page has the table.
const MARK: &str = "| check | asks for | answer | how |\n|---|---|---|---|\n";

#[test]
fn the_page_of_hardening_has_each_check_with_its_answer() {
    let rows: String = CHECKS
        .iter()
        .map(|check| {
            let (answer, how) = match &check.answer {
                Answer::Judged(judge) => ("command", format!("`{}`", judge.command())),
                Answer::Holds(why) | Answer::Machine(why) | Answer::Missing(why) => {
                    (state(&check.answer), why.elsewhere().to_owned())
                }
            };
            format!("| {} | {} | {answer} | {how} |\n", number(check), check.subject)
        })
        .collect();
    let page = std::fs::read_to_string(PAGE).expect("the page is there");
    let (head, table) = page.split_once(MARK).expect("the page has the table");
    if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
        std::fs::write(PAGE, format!("{head}{MARK}{rows}")).expect("the page can be written");
        return;
    }
    assert!(table == rows, "{PAGE} is old: FERRY_WRITE_REFERENCE=1 cargo test -p cli hardening");
}

#[test]
fn the_guide_has_forty_three_checks_each_once_and_in_order() {
    assert_eq!(CHECKS.len(), 43);
    let numbers: Vec<u32> = CHECKS.iter().map(|check| check.number).collect();
    assert_eq!(numbers, (255_775..=255_817).collect::<Vec<u32>>());
}
