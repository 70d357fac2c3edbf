//! Things that a definition or a command reaches beside the name it says: transmission queues, messages that
//! went another way, users of subscriptions, names that look like nothing.

use mqi::{OpenOptions, Reason};

use crate::lending::{give, part, take, told};
use crate::support::open;

const ALTUSR: (&str, &str, &str) = ("QMGR", "", "ALTUSR");

#[test]
fn a_name_of_nothing_but_zeros_is_judged_like_any_other() {
    for (command, right) in [
        ("DEFINE QALIAS(NEW) TARGET('0')", ("QUEUE", "0", "ALLMQI")),
        ("DEFINE QREMOTE(NEW) RNAME(THERE) RQMNAME('00')", ("RQMNAME", "00", "PUT")),
        ("DEFINE SUB('S') TOPICSTR('own') DEST('0')", ("QUEUE", "0", "PUT")),
        ("DEFINE CHANNEL(NEW) CHLTYPE(SDR) CONNAME('partner(1414)') XMITQ('0')", ("QUEUE", "0", "GET")),
        ("DEFINE CHANNEL(NEW) CHLTYPE(SVRCONN) MCAUSER('000')", ALTUSR),
    ] {
        let bench = part();
        bench.mqsc("DEFINE QLOCAL('0')\nDEFINE QLOCAL('00') USAGE(XMITQ)");
        let refused = told(&bench, command);
        assert!(refused.to_string().contains("FRY8135E"), "{command}: {refused}");
        give(&bench, right);
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command}: {done}");
    }
}

#[test]
fn the_channel_that_trigdata_names_behind_blanks_is_judged() {
    for data in ["' TO.PARTNER'", "'   TO.PARTNER  '", "'TO.PARTNER'"] {
        let bench = part();
        let command = format!("DEFINE QLOCAL(NEW) USAGE(XMITQ) TRIGDATA({data})");
        let refused = told(&bench, &command);
        assert!(refused.to_string().contains("FRY8135E"), "{command}: {refused}");
        give(&bench, ("CHANNEL", "TO.PARTNER", "CTRL"));
        let done = told(&bench, &command);
        assert!(done.is_ok(), "{command}: {done}");
    }
}

/// A message on a transmission queue is sent as it is, with the user that its header names.
#[test]
fn messages_reach_a_transmission_queue_as_they_are_by_setall_alone() {
    for command in [
        "DEFINE SUB('S') TOPICSTR('own') DEST(PARTNER)",
        "ALTER SUB('OLD') DEST(PARTNER)",
        "DEFINE QLOCAL(NEW) STREAMQ(PARTNER)",
        "DEFINE QLOCAL(NEW) BOQNAME(PARTNER)",
        "DEFINE QALIAS(NEW) TARGET(PARTNER)",
        "MOVE QLOCAL(AT.HAND) TOQLOCAL(PARTNER)",
    ] {
        let bench = part();
        give(&bench, ("QUEUE", "AT.HAND", "ALLMQI,CLR"));
        assert!(told(&bench, "DEFINE SUB('OLD') TOPICSTR('own') DEST(AT.HAND)").is_ok());
        // All that a queue may give, but nothing of the queue manager, and then the reverse.
        let refused = |right: (&str, &str, &str)| {
            let answer = told(&bench, command);
            assert!(answer.to_string().contains("FRY8135E"), "{command} with {right:?}: {answer}");
        };
        let (of_queue, of_manager) = (("QUEUE", "PARTNER", "ALLMQI"), ("QMGR", "", "SETALL"));
        give(&bench, of_queue);
        refused(of_queue);
        take(&bench, of_queue);
        give(&bench, ("QUEUE", "PARTNER", "PUT,GET,PASSALL"));
        give(&bench, of_manager);
        refused(of_manager);
        give(&bench, of_queue);
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command}: {done}");
    }
}

#[test]
fn a_program_subscribes_for_a_transmission_queue_by_setall_alone() {
    let bench = part();
    bench.mqsc("SET AUTHREC PROFILE(PARTNER) OBJTYPE(QUEUE) PRINCIPAL('part') AUTHADD(PUT,GET,BROWSE,INQ)");
    let mut session = bench.connect_user("part");
    let queue = session.open("PARTNER", OpenOptions::INPUT_SHARED);
    let wanted = mqi::SubscriptionDescriptor {
        options: mqi::SubscribeOptions::CREATE,
        object_string: "own".to_owned(),
        ..mqi::SubscriptionDescriptor::default()
    };
    let mut subscribes = || {
        let made = session.connection.subscribe(&wanted, Some(queue));
        open(&bench.manager, made).map(drop)
    };
    assert_eq!(subscribes(), Err(Reason::NOT_AUTHORIZED));
    bench.mqsc(
        "SET AUTHREC PROFILE(PARTNER) OBJTYPE(QUEUE) PRINCIPAL('part') AUTHADD(SETALL)\n\
         SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('part') AUTHADD(SETALL)",
    );
    assert_eq!(subscribes(), Ok(()));
}

/// MOVE reads messages, and keeps the users that they name.
#[test]
fn messages_are_moved_by_a_user_that_could_get_them_and_pass_their_context() {
    let bench = part();
    bench.mqsc("DEFINE QLOCAL(MINE)");
    let command = "MOVE QLOCAL(PAYROLL) TOQLOCAL(MINE)";
    give(&bench, ("QUEUE", "PAYROLL", "CLR"));
    give(&bench, ("QUEUE", "MINE", "PUT"));
    for right in [("QUEUE", "PAYROLL", "GET"), ("QUEUE", "MINE", "PASSALL")] {
        let refused = told(&bench, command);
        assert!(refused.to_string().contains("FRY8135E"), "without {right:?}: {refused}");
        give(&bench, right);
    }
    let done = told(&bench, command);
    assert!(done.is_ok(), "{done}");
}

/// A transmission queue or alias of the name of a queue manager has the messages that went by DEFXMITQ.
#[test]
fn a_way_to_a_queue_manager_that_takes_messages_from_defxmitq_needs_get_there() {
    for command in [
        "DEFINE QLOCAL(NEW) USAGE(XMITQ)",
        "ALTER QLOCAL(OLD) USAGE(XMITQ)",
        "DEFINE QREMOTE(NEW) RQMNAME(PARTNER)",
        "ALTER QREMOTE(LIKE.IT) RNAME(' ')",
    ] {
        let bench = part();
        bench.mqsc("DEFINE QLOCAL(OLD)\nDEFINE QREMOTE(LIKE.IT) RNAME(THERE) RQMNAME(PARTNER)");
        give(&bench, ("RQMNAME", "PARTNER", "PUT"));
        bench.mqsc("ALTER QMGR DEFXMITQ(PARTNER)");
        let refused = told(&bench, command);
        assert!(refused.to_string().contains("FRY8135E"), "{command}: {refused}");
        give(&bench, ("QUEUE", "PARTNER", "GET"));
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command}: {done}");
        // Nothing is taken away where nothing goes.
        let bench = part();
        bench.mqsc("DEFINE QLOCAL(OLD)\nDEFINE QREMOTE(LIKE.IT) RNAME(THERE) RQMNAME(PARTNER)");
        give(&bench, ("RQMNAME", "PARTNER", "PUT"));
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command} without DEFXMITQ: {done}");
    }
}

#[test]
fn the_user_of_a_subscription_has_the_right_to_its_topics() {
    for command in [
        "DEFINE SUB('S') TOPICSTR('own') DEST(AT.HAND) SUBUSER('chief')",
        "ALTER SUB('OLD') SUBUSER('chief')",
    ] {
        let bench = part();
        give(&bench, ALTUSR);
        assert!(told(&bench, "DEFINE SUB('OLD') TOPICSTR('own') DEST(AT.HAND)").is_ok());
        let refused = told(&bench, command);
        assert!(refused.to_string().contains("FRY8135E"), "{command}: {refused}");
        bench.mqsc("SET AUTHREC PROFILE(OWN) OBJTYPE(TOPIC) PRINCIPAL('chief') AUTHADD(SUB)");
        let done = told(&bench, command);
        assert!(done.is_ok(), "{command}: {done}");
    }
}
