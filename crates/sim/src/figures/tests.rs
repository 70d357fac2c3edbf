use super::*;
use platform::simulated::{CrashPolicy, Random, Survival};

use crate::subjects::{Engine, Flaw, Log, Toy};
use crate::torture::{Life, Maker, Shape, Survivor, Workload};

/// Everything of a figure that some seeds find wrong.
fn failures(figure: &dyn Figure, maker: &dyn Maker, seeds: u64) -> Vec<Failure> {
    let report = run(figure, maker, &Effort { seeds: Some(seeds), ..Effort::default() }, |_| {});
    assert!(report.replayed > 0 && report.strayed.is_empty(), "{:?}", report.strayed);
    assert!(report.tally.cases > 4, "{} {}: {} cases", figure.id(), maker.name(), report.tally.cases);
    report.tally.failures
}

#[test]
fn a_subject_that_is_right_survives_every_power_cut() {
    for figure in [&R1 as &dyn Figure, &R2] {
        let found = failures(figure, &Toy::default(), 6);
        assert!(found.is_empty(), "{}: {found:#?}", figure.id());
    }
}

/// Enough to see that a figure works; the gate does the numbers, on optimised code.
fn few() -> [(&'static dyn Figure, u64); 6] {
    [(&R1, 3), (&R2, 4), (&R6, 5), (&R7, 8), (&R8, 1), (&Bits, 2)]
}

#[test]
fn the_log_passes_every_figure() {
    for (figure, seeds) in few() {
        let found = failures(figure, &Log, seeds);
        assert!(found.is_empty(), "{}: {found:#?}", figure.id());
    }
}

#[test]
fn the_engine_passes_every_figure() {
    for (figure, seeds) in few() {
        let found = failures(figure, &Engine, seeds);
        assert!(found.is_empty(), "{}: {found:#?}", figure.id());
    }
}

/// A file of the log that was cut was given a new place in the log, and so a new name, as it was.
#[test]
fn a_file_that_was_cut_is_not_used_again() {
    let effort = Effort { seed: 797, only: Some(2), ..Effort::default() };
    let report = run(&R6, &Engine, &effort, |_| {});
    assert_eq!((report.tally.cases, report.tally.failures), (1, Vec::new()));
}

/// A checkpoint gave another file a new place after the last block was written: the file with that block is
/// the end of the log still.
#[test]
fn a_file_that_is_used_again_is_not_taken_for_the_end_of_the_log() {
    let effort = Effort { seed: 4_257_001_478, only: Some(7), ..Effort::default() };
    let report = run(&R6, &Log, &effort, |_| {});
    assert_eq!((report.tally.tails, report.tally.failures), (1, Vec::new()));
}

/// The control: there is something to give back, and starts know of damage before any program asks.
#[test]
fn an_image_gives_back_what_rotted_in_the_store_and_what_a_start_knows_of_is_answered() {
    let report = run(&R6, &Engine, &Effort { seeds: Some(24), ..Effort::default() }, |_| {});
    assert_eq!(report.tally.failures, Vec::new());
    assert!(report.tally.given_back > 0, "{} cases", report.tally.cases);
    assert!(report.tally.told_at_start > 0, "{} cases", report.tally.cases);
}

/// The control: there are images to be led back to.
#[test]
fn images_taken_between_calls_give_everything_back_whenever_the_power_fails() {
    let report = run(&AutomaticImages, &Engine, &Effort { seeds: Some(6), ..Effort::default() }, |_| {});
    assert_eq!(report.tally.failures, Vec::new());
    assert!(report.tally.led_back * 3 > report.tally.cases, "{} cases", report.tally.cases);
}

/// The control: the disk is full when the log has its first extent alone, and when it has others.
#[test]
fn a_disk_is_full_early_as_well_as_late() {
    for maker in [&Log as &dyn Maker, &Engine] {
        let Report { tally, .. } = run(&R8, maker, &Effort { seeds: Some(6), ..Effort::default() }, |_| {});
        assert_eq!(tally.failures, Vec::new(), "{}", maker.name());
        let refused = [tally.refused_early, tally.refused_late];
        assert!(
            refused.iter().all(|count| count * 10 > tally.cases),
            "{}: {refused:?} of {}",
            maker.name(),
            tally.cases
        );
    }
}

#[test]
fn time_goes_by_the_same_whatever_the_time_of_day_does() {
    let found = failures(&R18, &Engine, 8);
    assert!(found.is_empty(), "{found:#?}");
}

/// The control: a device that answers flushes and does not do them takes away what was acknowledged, and that
/// is seen.
#[test]
fn a_disk_that_lies_about_flushes_is_found_out() {
    for maker in [&Log as &dyn Maker, &Engine] {
        let found_out = (0..20).any(|seed| {
            let mut random = Random::stream(seed, "lies");
            let mut life = Life::new(maker, seed).unwrap();
            life.machine().disk.lie_about_flushes(true);
            let worked = life
                .work(Workload::new(Shape::varied(&mut random), random.clone()))
                .and_then(|()| life.settle());
            let disk = life.machine().disk.crash(&mut random, CrashPolicy::surviving(Survival::Nothing));
            let judged =
                Survivor::start(maker, disk, seed).map(|survivor| survivor.judge(&life.present()).problems);
            worked.is_err() || judged.is_err() || judged.is_ok_and(|problems| !problems.is_empty())
        });
        assert!(found_out, "{}", maker.name());
    }
}

/// The toy takes damage for the end of its journal, and believes what a failed flush left in memory.
#[test]
fn figures_of_damage_and_of_failing_calls_find_what_power_cuts_do_not() {
    for (figure, seeds) in [(&R6 as &dyn Figure, 6), (&R7, 100), (&Bits, 2)] {
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
