//! Faults of branches put into the engine on purpose, each of which the tests of branches must find. Only
//! with the feature `planted`.

#![allow(dead_code, reason = "the other tests use the rest of what they share")]

#[path = "it/branches/mod.rs"]
mod branches;
#[path = "it/support.rs"]
mod support;

use std::panic::catch_unwind;

use storage::planted::{Fault, plant_here};

/// Tests that find a fault of branches.
const TESTS: [fn(); 7] = [
    branches::a_branch_that_is_prepared_is_found_after_a_power_cut_and_committed_by_another_connection,
    branches::a_branch_is_not_told_to_be_gone_before_its_end_is_durable,
    branches::a_branch_that_ended_by_hand_is_never_without_the_decision,
    branches::a_connection_that_is_lost_in_a_branch_rolls_it_back_and_one_that_left_does_not,
    branches::a_connection_does_not_leave_a_branch_while_a_get_of_it_waits,
    branches::a_coordinator_is_told_what_a_person_decided_until_it_forgets,
    branches::an_idle_branch_without_a_connection_does_not_keep_the_log,
];

#[test]
fn every_planted_fault_of_branches_is_found() {
    for fault in Fault::OF_BRANCHES {
        let finds = |test: &fn()| {
            plant_here(Some(fault));
            let found = catch_unwind(*test).is_err();
            plant_here(None);
            found
        };
        let found = TESTS.iter().position(finds);
        println!("{fault:?}: test {found:?}");
        assert!(found.is_some(), "{fault:?} was not found");
    }
}

#[test]
fn without_a_fault_nothing_is_found() {
    TESTS.iter().for_each(|test| test());
}
