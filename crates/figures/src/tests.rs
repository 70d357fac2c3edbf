//! The table is whole, and the page is what it says.

use std::collections::BTreeSet;
use std::path::Path;

use super::*;

type Place = (String, String, String);

fn told() -> Vec<Place> {
    let mut told = Vec::new();
    for class in CLASSES {
        for kind in class.types {
            for (element, ..) in kind.elements.described() {
                told.push((class.name.to_owned(), kind.name.to_owned(), element.to_owned()));
            }
        }
    }
    told
}

#[test]
fn every_published_element_has_a_row_or_a_reason_and_no_other_has() {
    let facts = include_str!("../facts/elements.csv");
    let published: BTreeSet<Place> = facts
        .lines()
        .skip(1)
        .map(|line| {
            let mut fields = line.splitn(3, ',').map(str::to_owned);
            std::array::from_fn(|_| fields.next().unwrap()).into()
        })
        .collect();
    let told = told();
    assert!(told.len() >= 120, "{}", told.len());
    let left_out = LEFT_OUT.iter().flat_map(|left| {
        left.elements.iter().map(|element| (left.class.into(), left.kind.into(), (*element).to_owned()))
    });
    let all: Vec<Place> = told.into_iter().chain(left_out).collect();
    let each: BTreeSet<Place> = all.iter().cloned().collect();
    assert_eq!(all.len(), each.len(), "each stands once");
    assert_eq!(each.symmetric_difference(&published).collect::<Vec<_>>(), Vec::<&Place>::new());
}

#[test]
fn a_counter_tells_its_increase_and_a_mean_is_of_the_interval() {
    let before = Manager { micros: 0, ..Manager::default() };
    let mut now = Manager { micros: 1_000_000, ..Manager::default() };
    now.own.user = 50;
    (now.log.writes, now.log.write_micros, now.log.write_bytes) = (4, 1_000, 16_384);
    let value = |class: &str, kind: &str, element: &str| {
        let class = CLASSES.iter().find(|found| found.name == class).unwrap();
        let kind = class.types.iter().find(|found| found.name == kind).unwrap();
        let Elements::OfManager(rows) = kind.elements else { panic!("{element}") };
        let row = rows.iter().find(|row| row.description == element).unwrap();
        row.source.value(&before, &now)
    };
    assert_eq!(value("CPU", "QMgrSummary", "User CPU time - percentage estimate for queue manager"), 5_000);
    assert_eq!(value("DISK", "Log", "Log - write latency"), 250);
    assert_eq!(value("DISK", "Log", "Log - write size"), 4_096);
    assert_eq!(value("DISK", "Log", "Log - physical bytes written"), 16_384);
    assert_eq!(value("DISK", "Log", "Log file system - free space"), 0, "of nothing");
}

#[test]
fn the_reference_page_is_what_the_rows_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/figures.md");
    #[expect(clippy::disallowed_methods, reason = "a test that writes and reads a page of the repository")]
    let found = {
        if std::env::var_os("FERRY_WRITE_REFERENCE").is_some() {
            std::fs::write(&path, reference()).unwrap();
        }
        std::fs::read_to_string(&path).unwrap_or_default()
    };
    assert!(found == reference(), "{} is old: FERRY_WRITE_REFERENCE=1 cargo test -p figures", path.display());
}
