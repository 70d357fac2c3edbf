use super::*;
use crate::subjects::{Flaw, Toy};

fn figures() -> [Box<dyn Figure>; 2] {
    [Box::new(R1), Box::new(R2)]
}

#[test]
fn a_subject_that_is_right_passes_every_figure() {
    for figure in figures() {
        let report = run(&*figure, &Toy::default(), &Effort { seeds: Some(12), ..Effort::default() }, |_| {});
        let Tally { cases, failures, units, .. } = &report.tally;
        assert!(failures.is_empty(), "{}: {failures:#?}", figure.id());
        assert!(*cases > 100 && *units * 2 > *cases, "{}: {units} of {cases}", figure.id());
        assert_eq!((report.seeds, report.replayed, report.strayed.len()), (12, 1, 0));
    }
}

#[test]
fn a_failed_case_can_be_done_alone() {
    let toy = Toy { flaw: Some(Flaw::NoFlush) };
    let report = run(&R1, &toy, &Effort { seeds: Some(8), ..Effort::default() }, |_| {});
    let failure = report.tally.failures.last().expect("the flaw is found");
    let effort = Effort { seed: failure.seed, only: Some(failure.case), ..Effort::default() };
    let again = run(&R1, &toy, &effort, |_| {});
    assert_eq!(again.tally.cases, 1);
    assert_eq!(again.tally.failures.first(), Some(failure));
}
