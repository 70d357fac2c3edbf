use super::*;
use crate::subjects::{Flaw, Log, Toy};

/// Everything of a figure that some seeds find wrong.
fn failures(figure: &dyn Figure, maker: &dyn Maker, seeds: u64) -> Vec<Failure> {
    let report = run(figure, maker, &Effort { seeds: Some(seeds), ..Effort::default() }, |_| {});
    assert!(report.replayed > 0 && report.strayed.is_empty(), "{:?}", report.strayed);
    assert!(report.tally.cases > 20, "{} {}: {} cases", figure.id(), maker.name(), report.tally.cases);
    report.tally.failures
}

#[test]
fn a_subject_that_is_right_survives_every_power_cut() {
    for figure in [&R1 as &dyn Figure, &R2] {
        let found = failures(figure, &Toy::default(), 6);
        assert!(found.is_empty(), "{}: {found:#?}", figure.id());
    }
}

#[test]
fn the_log_passes_every_figure() {
    for (figure, seeds) in [(&R1 as &dyn Figure, 5), (&R2, 8), (&R6, 10), (&R7, 16)] {
        let found = failures(figure, &Log, seeds);
        assert!(found.is_empty(), "{}: {found:#?}", figure.id());
    }
}

/// The toy takes damage for the end of its journal, and believes what a failed flush left in memory.
#[test]
fn figures_of_damage_and_of_failing_calls_find_what_power_cuts_do_not() {
    for (figure, seeds) in [(&R6 as &dyn Figure, 6), (&R7, 100)] {
        assert!(!failures(figure, &Toy::default(), seeds).is_empty(), "{}", figure.id());
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
