//! The control: what must be found is found.

use std::path::Path;
use std::time::Duration;

use super::*;
use crate::{parse, read_folder, run};

fn settings() -> Settings {
    Settings {
        name: "QM1".parse().expect("a name"),
        memory_budget_bytes: 16 << 20,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings { extent_bytes: 1 << 20, ..storage::Settings::default() },
        checkpoint_interval: Duration::from_secs(60),
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

fn only(text: &str) -> Scenario {
    parse(text).expect("a scenario").remove(0)
}

#[test]
fn a_disk_that_lies_about_flushes_is_found_out_by_every_scenario_with_something_to_lose() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let scenarios = read_folder(&folder).expect("the scenarios");
    let restarts = scenarios.iter().filter(|(file, _)| file == "restart.md");
    for (_, scenario) in restarts {
        let world = EngineWorld::new(settings(), 1);
        world.machine().disk.lie_about_flushes(true);
        // An engine whose start cannot even be believed may also refuse to go on.
        let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run_in(world, scenario, 1)));
        assert!(!matches!(judged, Ok(Ok(_))), "{} holds on a disk that lies", scenario.title);
    }
}

#[test]
fn a_step_that_the_model_does_not_know_is_a_failure_that_names_it() {
    for (step, kind) in [
        ("```mqsc\nDEFINE QLOCAL(Q) SCOPE(CELL)\n```", "\"attribute SCOPE\" in NOT_MODELLED"),
        ("```mqsc\nDEFINE QLOCAL(Q) CLWLPRTY(3)\n```", "\"attribute CLWLPRTY\" in NOT_MODELLED"),
        ("```mqsc\nDISPLAY QMGR DEADQ\n```", "\"DISPLAY QMGR\" in NOT_JUDGED"),
    ] {
        let failure = run_with_crashes(&only(&format!("## T\n{step}\n")), &settings(), 1).expect_err(step);
        assert!(failure.what.contains(kind), "{step}: {failure}");
    }
}

/// Found by random verbs, seed 52824: the model had the message end first, and its report go to a getter that
/// had waited long enough.
#[test]
fn a_wait_and_a_message_to_be_reported_on_may_end_in_either_order() {
    for (expiry, told) in [("5s", "2033"), ("4s", "\"late\"")] {
        let course = only(&format!(
            "## T\n```mqsc\nDEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(REPORTS)\n```\n```mqi\n\
            two: get REPORTS wait 5s\n\
            one: put ORDERS \"late\" expiry {expiry} reply-to REPORTS +MQRO_EXPIRATION_WITH_FULL_DATA\n\
            clock: +5s\ntwo: -> {told}\n```\n"
        ));
        run(&course, &mut EngineWorld::new(settings(), 1)).unwrap_or_else(|failure| panic!("{failure}"));
        run_with_crashes(&course, &settings(), 1).unwrap_or_else(|failure| panic!("{failure}"));
    }
}

/// Found by random verbs, seed 970001992: the host did not do urgent work of the engine at once, so the
/// report of a message that was too old when it was committed came behind one made later.
#[test]
fn a_message_too_old_when_it_is_committed_is_reported_before_anything_later() {
    let course = only(
        "## T\n```mqsc\nDEFINE QLOCAL(ORDERS)\nDEFINE QLOCAL(REPORTS)\n```\n```mqi\n\
        two: put1 REPORTS \"late\" expiry 100ms syncpoint reply-to REPORTS +MQRO_EXPIRATION_WITH_FULL_DATA\n\
        one: put ORDERS \"new\" reply-to REPORTS +MQRO_COD_WITH_FULL_DATA\n\
        clock: +160ms\ntwo: commit\none: get ORDERS\none: -> \"new\"\none: get REPORTS\none: -> \"late\" md.Feedback MQFB_EXPIRATION\n\
        one: get REPORTS\none: -> \"new\" md.Feedback MQFB_COD\n```\n",
    );
    run(&course, &mut EngineWorld::new(settings(), 1)).unwrap_or_else(|failure| panic!("{failure}"));
    run_with_crashes(&course, &settings(), 1).unwrap_or_else(|failure| panic!("{failure}"));
}

#[test]
fn a_question_on_the_list_is_counted_and_not_judged() {
    let scenario = only("## T\n```mqsc\nDEFINE QLOCAL(Q)\nDISPLAY CONN(*)\n```\n");
    let crashes = run_with_crashes(&scenario, &settings(), 1).expect("the rest holds");
    assert_eq!(crashes.not_judged, BTreeMap::from([("DISPLAY CONN".to_owned(), 1)]));
    assert!(crashes.pairs >= 3, "{crashes}");
}
