//! The same seed is the same course, and what must occur does.

use platform::simulated::Random;

use super::plan::Plan;
use super::run::simulate_plan;
use super::*;

#[test]
fn the_same_seed_gives_the_same_trace() {
    for seed in 0..2 {
        let course = simulate(seed);
        assert_eq!(course, simulate(seed));
        assert_ne!(course.digest, simulate(seed + 100).digest);
    }
}

#[test]
fn nothing_is_lost_doubled_or_stuck_when_links_and_power_fail() {
    let mut met = Course::default();
    for seed in 0..12 {
        let course = simulate(seed);
        assert!(course.problems.is_empty(), "seed {seed}: {:#?}", course.problems);
        met.cuts += course.cuts;
        met.crashes += course.crashes;
        met.verdict.delivered += course.verdict.delivered;
        met.verdict.unknown += course.verdict.unknown;
        (0..3).for_each(|index| met.resolved[index] += course.resolved[index]);
    }
    assert!(met.cuts > 5 && met.crashes > 1, "{met:?}");
    assert!(met.verdict.delivered > 200 && met.verdict.unknown > 5, "{met:?}");
    assert!(met.resolved.iter().sum::<u64>() > 0, "{met:?}");
}

#[test]
fn nothing_is_lost_or_doubled_with_clients_of_amqp_when_links_and_power_fail() {
    let mut met = Course::default();
    for seed in 0..12 {
        let course = simulate_amqp(seed);
        assert!(course.problems.is_empty(), "seed {seed}: {:#?}", course.problems);
        met.cuts += course.cuts;
        met.crashes += course.crashes;
        met.verdict.delivered += course.verdict.delivered;
        met.verdict.unknown += course.verdict.unknown;
    }
    assert!(met.cuts > 5 && met.crashes > 1, "{met:?}");
    assert!(met.verdict.delivered > 200 && met.verdict.unknown > 5, "{met:?}");
    assert_eq!(simulate_amqp(1), simulate_amqp(1));
    assert_ne!(simulate_amqp(1).digest, simulate(1).digest);
}

/// The last message of a drained credit may come before the answer, and new credit be on its way then: the
/// answer is of the earlier credit.
#[test]
fn the_answer_of_a_drain_may_come_when_there_is_credit_again() {
    let course = simulate_amqp(102);
    assert!(course.problems.is_empty(), "{:#?}", course.problems);
}

/// A program whose unit of work was backed out for it loses its link before it hears of that: the messages it had got went to
/// others meanwhile, and rightly.
#[test]
fn a_unit_that_the_queue_manager_backed_out_holds_nothing_until_its_program_knows() {
    let course = simulate(10_268_866);
    assert!(course.problems.is_empty(), "{:#?}", course.problems);
    assert!(course.revoked > 0, "{course:?}");
}

/// The control: what was acknowledged is taken away, and that is seen.
#[test]
fn a_disk_that_lies_about_flushes_is_found_out() {
    for with_amqp in [false, true] {
        let found_out = (0..20).any(|seed| {
            let plan = Plan::new(&mut Random::stream(seed, "plan"));
            let plan = if with_amqp { plan.with_amqp(&mut Random::stream(seed, "amqp")) } else { plan };
            let plan = Plan { disk_lies: true, crashes: 20, turns: 1_500, ..plan };
            let judged = std::panic::catch_unwind(|| simulate_plan(seed, plan));
            judged.map_or(true, |course| !course.problems.is_empty())
        });
        assert!(found_out, "with clients of AMQP: {with_amqp}");
    }
}

/// Faults that clients of AMQP alone can show: by a put, an acceptance, a transaction, a power failure.
#[cfg(feature = "planted")]
#[test]
fn planted_faults_are_found_by_clients_of_amqp() {
    use storage::planted::{Fault, plant_here};

    const SEEDS_MAX: u64 = 60;
    for (fault, convicted_of) in [
        (Fault::NoFlush, &["Lost", "Resurrected", "Torn", "Duplicated"][..]),
        (Fault::AckBeforeFlush, &["Lost", "Resurrected", "Torn", "Duplicated"]),
        (Fault::DroppedPut, &["Lost", "Torn"]),
        (Fault::CommitLosesGet, &["Duplicated", "Torn"]),
        (Fault::BackoutKeepsPut, &["Phantom", "Torn"]),
        (Fault::ResurrectedGet, &["Resurrected", "Duplicated", "Torn"]),
        (Fault::WrongBody, &["Corrupted"]),
    ] {
        let found = (0..SEEDS_MAX).find_map(|seed| {
            let plan = Plan::new(&mut Random::stream(seed, "plan"));
            let plan = Plan { amqp: plan.programs, is_drained_by_amqp: true, crashes: 20, ..plan };
            plant_here(Some(fault));
            let course = crate::torture::guarded(|| Ok(simulate_plan(seed, plan)));
            plant_here(None);
            // A start that is refused or a broken assertion convicts nobody.
            let problems = course.map(|course| course.problems).unwrap_or_default();
            let is_conviction = |problem: &&String| {
                convicted_of.iter().any(|class| problem.starts_with(&format!("{class}: ")))
            };
            problems.iter().find(is_conviction).map(|problem| (seed, problem.clone()))
        });
        println!("{fault:?}: {found:?}");
        assert!(found.is_some(), "{fault:?} was not found in {SEEDS_MAX} seeds");
    }
}
