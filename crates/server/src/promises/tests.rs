//! The table is whole, and the page is what it says.

use std::path::Path;

use super::*;
use crate::Configuration;

#[test]
fn every_promise_is_held_by_something() {
    let ids: Vec<&str> = PROMISES.iter().map(|promise| promise.id).collect();
    assert_eq!(ids, ["P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8", "P9", "P10", "P11"]);
    for promise in PROMISES {
        assert!(!promise.held_by.is_empty(), "{}", promise.id);
    }
}

#[test]
fn the_kind_of_the_log_is_in_the_windows() {
    let mut configuration = Configuration::default();
    configuration.log.kind = crate::configuration::LogKind::Linear;
    let text: Vec<String> = windows(&configuration).into_iter().map(|window| window.lost).collect();
    let text = text.join("\n");
    assert!(text.contains("linear: "), "{text}");
}

#[test]
fn the_reference_page_is_what_the_table_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/promises.md");
    if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page(), "{} is old: FERRY_WRITE_REFERENCE=1 cargo test -p server", path.display());
}
