//! The states that a crash leaves, by the model.

use mqi::Reason;

use super::*;
use crate::Call;

/// A queue manager with a queue, and clients that are told of each call before the next.
fn after(calls: &[&str]) -> Manager {
    let mut manager = Manager::default();
    let made = manager.command("DEFINE QLOCAL(Q)").expect("known");
    assert!(made.succeeded);
    manager.tell_all_commands();
    for call in calls {
        make(&mut manager, call);
        manager.told("one");
    }
    manager
}

fn make(manager: &mut Manager, call: &str) {
    manager.call("one", &Call::parse(call).expect("a call")).expect("known");
}

/// Gets a message in each of the queue managers that a crash may leave.
fn survivors(manager: &Manager) -> Vec<Option<String>> {
    let get = |mut after: Manager| {
        make(&mut after, "get Q");
        let reply = after.told("one").flatten().expect("a get that does not wait");
        assert!(reply.body.is_some() || reply.reason == Some(Reason::NO_MSG_AVAILABLE));
        reply.body.map(|body| String::from_utf8(body.to_vec()).expect("a text"))
    };
    manager.crashed().into_iter().map(get).collect()
}

#[test]
fn what_was_told_survives_and_what_was_not_may() {
    let mut manager = after(&["put Q \"told\" persistent"]);
    assert_eq!(survivors(&manager), [Some("told".to_owned())]);
    make(&mut manager, "get Q");
    assert_eq!(survivors(&manager), [Some("told".to_owned()), None], "the get is on its way");
    manager.told("one");
    assert_eq!(survivors(&manager), [None], "a get that was told does not come back");
}

#[test]
fn units_that_do_not_stand_are_undone_and_what_is_not_persistent_is_lost() {
    assert_eq!(survivors(&after(&["put Q \"unit\" persistent syncpoint"])), [None]);
    assert_eq!(survivors(&after(&["put Q \"light\" nonpersistent"])), [None]);
    let got = after(&["put Q \"back\" persistent", "get Q syncpoint"]);
    assert_eq!(survivors(&got), [Some("back".to_owned())]);
    let stands = after(&["put Q \"unit\" persistent syncpoint", "commit"]);
    assert_eq!(survivors(&stands), [Some("unit".to_owned())]);
}

#[test]
fn a_definition_that_was_told_survives_and_one_that_was_not_may() {
    let mut manager = after(&[]);
    manager.command("DELETE QLOCAL(Q)").expect("known");
    let has = |manager: &Manager| manager.local_queues().any(|name| name == "Q");
    assert_eq!(manager.crashed().iter().map(has).collect::<Vec<_>>(), [true, false]);
    manager.tell_all_commands();
    assert_eq!(manager.crashed().iter().map(has).collect::<Vec<_>>(), [false]);
}
