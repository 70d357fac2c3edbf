//! Opening, closing, inquiring and setting: who is refused, and why.

use mqi::constants::{
    MQIA_CURRENT_Q_DEPTH, MQIA_INHIBIT_GET, MQIA_INHIBIT_PUT, MQIA_OPEN_INPUT_COUNT, MQQA_GET_INHIBITED,
    MQQA_PUT_INHIBITED,
};
use mqi::{
    AttributeValue, CloseOptions, GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectDescriptor,
    ObjectHandle, OpenOptions, PutFlags, PutOptions, Reason, Selector, Text,
};
use queue_manager::Settings;

use crate::support::*;

const EXCLUSIVE: OpenOptions = OpenOptions::INPUT_EXCLUSIVE;
const AS_DEFINED: OpenOptions = OpenOptions::INPUT_AS_Q_DEF;

#[test]
fn what_cannot_be_opened_is_refused_with_its_reason() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(Q) DEFINE QALIAS(TO.Q) TARGET(Q) DEFINE QALIAS(TO.NONE) TARGET(NONE) \n\
         DEFINE QALIAS(TO.ALIAS) TARGET(TO.Q)",
    );
    let mut one = bench.connect();
    for (name, options, expected) in [
        ("Q", OpenOptions::EMPTY, Err(Reason::OPTIONS_ERROR)),
        ("Q", INPUT | EXCLUSIVE, Err(Reason::OPTIONS_ERROR)),
        ("Q", OpenOptions::from_bits(1 << 30), Err(Reason::OPTIONS_ERROR)),
        ("Q", INPUT | OpenOptions::PASS_ALL_CONTEXT, Err(Reason::OPTIONS_ERROR)),
        ("Q", OUTPUT | OpenOptions::SAVE_ALL_CONTEXT, Err(Reason::OPTIONS_ERROR)),
        ("NONE", INPUT, Err(Reason::UNKNOWN_OBJECT_NAME)),
        ("TO.NONE", INPUT, Err(Reason::UNKNOWN_ALIAS_BASE_Q)),
        ("TO.ALIAS", INPUT, Err(Reason::ALIAS_BASE_Q_TYPE_ERROR)),
        ("TO.Q", INPUT | OUTPUT | BROWSE, Ok("Q")),
    ] {
        let opened = one.try_open(name, options);
        let opened = opened.as_ref().map(|opened| opened.resolved_queue_name.as_str());
        assert_eq!(opened, expected.as_ref().copied(), "{name} {options:?}");
    }
    let elsewhere = ObjectDescriptor {
        object_queue_manager_name: "OTHER".parse().unwrap(),
        ..ObjectDescriptor::queue("Q".parse().unwrap())
    };
    let opened = one.connection.open(&elsewhere, OUTPUT);
    assert_eq!(bench.open(opened).unwrap_err(), Reason::UNKNOWN_REMOTE_Q_MGR);
    let here = ObjectDescriptor { object_queue_manager_name: "TEST".parse().unwrap(), ..elsewhere };
    let opened = one.connection.open(&here, OUTPUT);
    assert!(bench.open(opened).is_ok());
}

#[test]
fn who_gets_alone_keeps_others_out() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QLOCAL(X) DEFSOPT(EXCL) DEFINE QLOCAL(N) NOSHARE");
    let mut one = bench.connect();
    let alone = one.open("Q", EXCLUSIVE);
    for options in [INPUT, EXCLUSIVE, AS_DEFINED] {
        assert_eq!(one.try_open("Q", options).unwrap_err(), Reason::OBJECT_IN_USE);
    }
    one.open("Q", BROWSE | OUTPUT);
    bench.open(one.connection.close(alone, CloseOptions::EMPTY)).unwrap();
    one.open("Q", INPUT);
    one.open("Q", INPUT);
    assert_eq!(one.try_open("Q", EXCLUSIVE).unwrap_err(), Reason::OBJECT_IN_USE);
    one.open("X", AS_DEFINED);
    assert_eq!(one.try_open("X", INPUT).unwrap_err(), Reason::OBJECT_IN_USE);
    one.open("N", INPUT);
    assert_eq!(one.try_open("N", INPUT).unwrap_err(), Reason::OBJECT_IN_USE);
    drop(one);
    bench.connect().open("Q", EXCLUSIVE);
}

#[test]
fn handles_are_counted_and_known() {
    let bench = Bench::with(Settings { handles_max: 2, ..settings() }, 1);
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let first = one.open("Q", INPUT);
    let second = one.open("Q", OUTPUT);
    assert_eq!(one.try_open("Q", INPUT).unwrap_err(), Reason::HANDLE_NOT_AVAILABLE);
    bench.open(one.connection.close(first, CloseOptions::EMPTY)).unwrap();
    let third = one.open("Q", INPUT);
    assert_ne!(first, third, "a number is not given again at once");
    let closed = one.connection.close(first, CloseOptions::EMPTY);
    assert_eq!(bench.open(closed), Err(Reason::HOBJ_ERROR));
    assert_eq!(one.get(first), Err(Reason::HOBJ_ERROR));
    assert_eq!(one.get(second), Err(Reason::NOT_OPEN_FOR_INPUT));
    let refused = one.try_put(third, &message(false), PutFlags::EMPTY, "x");
    assert_eq!(refused.unwrap_err(), Reason::NOT_OPEN_FOR_OUTPUT);
    assert_eq!(one.get_flags(third, GetFlags::BROWSE_NEXT), Err(Reason::NOT_OPEN_FOR_BROWSE));
}

#[test]
fn attributes_of_the_queue_manager_hold_up_to_the_setting_that_bounds_them() {
    let unset = 999_999_999;
    let bench =
        Bench::with(Settings { handles_max: unset, uncommitted_messages_max: unset, ..settings() }, 1);
    bench.mqsc("ALTER QMGR MAXHANDS(300) MAXUMSGS(10002) DEFINE QLOCAL(Q) MAXDEPTH(20000)");
    let mut one = bench.connect();
    let handles: Vec<_> = (0..300).map(|_| one.open("Q", OUTPUT)).collect();
    assert_eq!(one.try_open("Q", OUTPUT).unwrap_err(), Reason::HANDLE_NOT_AVAILABLE);
    (0..10_002).for_each(|_| drop(one.put_within(handles[0], false, "x")));
    let refused = one.try_put(handles[0], &message(false), PutFlags::SYNCPOINT, "x");
    assert_eq!(refused.unwrap_err(), Reason::SYNCPOINT_LIMIT_REACHED);

    let bench = Bench::with(Settings { handles_max: 100, uncommitted_messages_max: 20_000, ..settings() }, 1);
    let above = "MAXHANDS(256) is above limits.handles_max = 100 of ferry.toml";
    let told = bench.host.events.lock().clone();
    assert!(told.iter().any(|event| event.starts_with("FRY8090W")), "{told:?}");
    assert!(bench.told("DISPLAY QMGR QMNAME").contains(above));
    for (attributes, setting) in [
        ("MAXHANDS(101)", "MAXHANDS(101) is above limits.handles_max = 100 of ferry.toml"),
        ("MAXHANDS(256)", above),
        ("DESCR('x') MAXUMSGS(20001)", "MAXUMSGS(20001) is above limits.uncommitted_messages_max = 20000"),
        ("MAXHANDS(999999999) MAXUMSGS(5)", "MAXHANDS(999999999) is above limits.handles_max = 100"),
    ] {
        let refused = bench.refused(&format!("ALTER QMGR {attributes}"));
        assert!(refused.contains(setting), "{refused}");
    }
    let shown = bench.told("DISPLAY QMGR DESCR MAXHANDS MAXUMSGS");
    assert!(shown.contains("DESCR( )") && shown.contains("MAXUMSGS(10000)"), "nothing changed: {shown}");
    bench.mqsc("ALTER QMGR DESCR('x') ALTER QMGR MAXHANDS(100) MAXUMSGS(20000)");
    let shown = bench.told("DISPLAY QMGR MAXHANDS MAXUMSGS");
    assert!(shown.contains("MAXHANDS(100)") && shown.contains("MAXUMSGS(20000)"), "{shown}");
    assert!(!shown.contains("FRY8090W"), "{shown}");
}

#[test]
fn a_put_is_checked_before_anything_happens() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(2) MAXMSGL(10) ALTER QMGR MAXMSGL(40000) DEFINE QLOCAL(BIG) MAXMSGL(50000)");
    let mut one = bench.connect();
    let queue = one.open("Q", OUTPUT);
    let big = one.open("BIG", OUTPUT);
    let put = |one: &mut Session, handle: ObjectHandle, descriptor: &MessageDescriptor, flags, body: &str| {
        one.try_put(handle, descriptor, flags, body).map(|_| ())
    };
    let plain = message(true);
    let request = MessageDescriptor { message_type: MessageType::REQUEST, ..message(true) };
    let odd = MessageDescriptor { message_type: MessageType(0), ..message(true) };
    let both = PutFlags::SYNCPOINT | PutFlags::NO_SYNCPOINT;
    let contexts = PutFlags::SET_ALL_CONTEXT | PutFlags::NO_CONTEXT;
    for (descriptor, flags, body, expected) in [
        (&plain, both, "x", Err(Reason::OPTIONS_ERROR)),
        (&plain, contexts, "x", Err(Reason::OPTIONS_ERROR)),
        (&plain, PutFlags::SET_ALL_CONTEXT, "x", Err(Reason::NOT_OPEN_FOR_SET_ALL)),
        (&request, PutFlags::EMPTY, "x", Err(Reason::MISSING_REPLY_TO_Q)),
        (&odd, PutFlags::EMPTY, "x", Err(Reason::MSG_TYPE_ERROR)),
        (&plain, PutFlags::EMPTY, "12345678901", Err(Reason::MSG_TOO_BIG_FOR_Q)),
        (&plain, PutFlags::EMPTY, "1234567890", Ok(())),
        (&plain, PutFlags::SYNCPOINT, "x", Ok(())),
        (&plain, PutFlags::EMPTY, "x", Err(Reason::Q_FULL)),
    ] {
        assert_eq!(put(&mut one, queue, descriptor, flags, body), expected, "{flags:?} {body}");
    }
    let long = "x".repeat(40_001);
    assert_eq!(put(&mut one, big, &plain, PutFlags::EMPTY, &long), Err(Reason::MSG_TOO_BIG_FOR_Q_MGR));
    assert_eq!(bench.depth("Q"), 2);
}

#[test]
fn a_put_fills_the_descriptor() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFPSIST(YES) DEFPRTY(4)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let given = MessageDescriptor {
        message_type: MessageType::REQUEST,
        reply_to_queue: "REPLY".parse().unwrap(),
        user_identifier: Text::truncated("forged"),
        ..MessageDescriptor::default()
    };
    let flags = PutFlags::NEW_MSG_ID | PutFlags::NEW_CORREL_ID;
    let done = one.try_put(queue, &given, flags, "x").unwrap();
    let filled = &done.descriptor;
    assert!(!filled.message_id.is_none() && !filled.correlation_id.is_none());
    assert_ne!(filled.message_id.0, filled.correlation_id.0);
    assert_eq!(filled.persistence, mqi::Persistence::Persistent);
    assert_eq!(filled.priority, mqi::Priority::new(4));
    assert_eq!(filled.reply_to_queue_manager.as_str(), "TEST");
    assert_eq!((filled.user_identifier.as_str(), filled.put_application_name.as_str()), ("tester", "it"));
    assert_eq!((filled.put_date.as_str().len(), filled.put_time.as_str().len()), (8, 8));
    let got = one.get_with(queue, &MessageDescriptor::default(), &GetOptions::default(), 9).unwrap();
    assert_eq!(*got.descriptor, *done.descriptor);
    let none = one.try_put(queue, &given, PutFlags::NO_CONTEXT, "x").unwrap();
    assert!(none.descriptor.user_identifier.is_blank() && none.descriptor.put_date.is_blank());
}

#[test]
fn the_context_of_a_message_can_be_passed_on() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(IN) DEFINE QLOCAL(OUT)");
    let mut one = bench.connect();
    let sets = one.open("IN", OUTPUT | OpenOptions::SET_ALL_CONTEXT);
    let input = one.open("IN", INPUT | OpenOptions::SAVE_ALL_CONTEXT);
    let output = one.open("OUT", INPUT | OUTPUT | OpenOptions::PASS_ALL_CONTEXT);
    let given = MessageDescriptor {
        user_identifier: Text::truncated("someone"),
        put_application_name: Text::truncated("far away"),
        put_date: Text::truncated("20010203"),
        ..message(false)
    };
    let pass = PutOptions { context: Some(input), ..PutOptions::with(PutFlags::PASS_ALL_CONTEXT) };
    let early = one.connection.put(output, &message(false), &pass, "x".into());
    assert_eq!(bench.open(early).unwrap_err(), Reason::CONTEXT_NOT_AVAILABLE);
    one.try_put(sets, &given, PutFlags::SET_ALL_CONTEXT, "x").unwrap();
    one.get(input).unwrap();
    let passed = one.connection.put(output, &message(false), &pass, "y".into());
    let passed = bench.open(passed).unwrap().descriptor;
    assert_eq!(passed.user_identifier.as_str(), "someone");
    assert_eq!((passed.put_application_name.as_str(), passed.put_date.as_str()), ("far away", "20010203"));
}

#[test]
fn opening_a_model_makes_a_queue() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN) DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)");
    let mut one = bench.connect();
    let model = |model: &str, wanted: &str| ObjectDescriptor {
        dynamic_queue_name: Text::truncated(wanted),
        ..ObjectDescriptor::queue(model.parse().unwrap())
    };
    let opened = one.connection.open(&model("TEMP", "MY.*"), INPUT | OUTPUT);
    let opened = bench.open(opened).unwrap();
    let name = opened.object_name.to_string();
    assert!(name.starts_with("MY.") && name.len() == 3 + 15, "{name}");
    let mut two = bench.connect();
    let user = two.open(&name, OUTPUT);
    two.put(user, false, "x");
    let refused = two.try_put(user, &message(true), PutFlags::EMPTY, "x");
    assert_eq!(refused.unwrap_err(), Reason::PERSISTENT_NOT_ALLOWED);
    assert_eq!(one.get(opened.handle).as_deref(), Ok("x"));
    bench.open(one.connection.close(opened.handle, CloseOptions::EMPTY)).unwrap();
    let refused = two.try_put(user, &message(false), PutFlags::EMPTY, "x");
    assert_eq!(refused.unwrap_err(), Reason::Q_DELETED);
    assert_eq!(two.try_open(&name, INPUT).unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
    for (wanted, expected) in
        [("SYSTEM.X", Reason::DYNAMIC_Q_NAME_ERROR), ("a b*", Reason::DYNAMIC_Q_NAME_ERROR)]
    {
        let opened = one.connection.open(&model("TEMP", wanted), INPUT);
        assert_eq!(bench.open(opened).unwrap_err(), expected, "{wanted}");
    }
    let opened = one.connection.open(&model("PERM", "LASTS"), INPUT | OUTPUT);
    let lasts = bench.open(opened).unwrap().handle;
    one.put(lasts, true, "kept");
    let opened = one.connection.open(&model("PERM", "LASTS"), INPUT);
    assert_eq!(bench.open(opened).unwrap_err(), Reason::OBJECT_ALREADY_EXISTS);
    let closed = one.connection.close(lasts, CloseOptions::DELETE);
    assert_eq!(bench.open(closed), Err(Reason::Q_NOT_EMPTY));
    let temporary = one.connection.open(&model("TEMP", "GOES.*"), OUTPUT);
    let temporary = bench.open(temporary).unwrap().object_name.to_string();
    drop((one, two));
    let bench = bench.crash(platform::simulated::Survival::Everything);
    let mut one = bench.connect();
    assert_eq!(one.try_open(&temporary, INPUT).unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
    let lasts = one.open("LASTS", INPUT);
    let closed = one.connection.close(lasts, CloseOptions::DELETE_PURGE);
    assert_eq!(bench.open(closed), Ok(None));
    assert_eq!(one.try_open("LASTS", INPUT).unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
}

#[test]
fn attributes_are_inquired_and_set() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT | OpenOptions::INQUIRE | OpenOptions::SET);
    one.put(queue, false, "x");
    let selectors =
        [Selector(MQIA_CURRENT_Q_DEPTH), Selector(MQIA_OPEN_INPUT_COUNT), Selector(MQIA_INHIBIT_GET)];
    let values = one.connection.inquire(queue, &selectors);
    let expected = [1, 1, 0].map(AttributeValue::Integer);
    assert_eq!(bench.open(values).map(|inquired| inquired.values), Ok(expected.into()));
    let set = one.connection.set(
        queue,
        &[
            (Selector(MQIA_INHIBIT_GET), AttributeValue::Integer(MQQA_GET_INHIBITED)),
            (Selector(MQIA_INHIBIT_PUT), AttributeValue::Integer(MQQA_PUT_INHIBITED)),
        ],
    );
    assert_eq!(bench.open(set), Ok(()));
    assert_eq!(one.get(queue), Err(Reason::GET_INHIBITED));
    let set = one.connection.set(queue, &[(Selector(MQIA_INHIBIT_GET), AttributeValue::Integer(9))]);
    assert_eq!(bench.open(set), Err(Reason::INHIBIT_VALUE_ERROR));
    let plain = one.open("Q", INPUT);
    let inquired = one.connection.inquire(plain, &selectors);
    assert_eq!(bench.open(inquired).unwrap_err(), Reason::NOT_OPEN_FOR_INQUIRE);
    let set = one.connection.set(plain, &[]);
    assert_eq!(bench.open(set), Err(Reason::NOT_OPEN_FOR_SET));
    drop(one);
    let bench = bench.crash(platform::simulated::Survival::Nothing);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(one.get(queue), Err(Reason::GET_INHIBITED), "MQSET outlives a restart");
}

#[test]
fn the_options_of_a_get_must_make_sense() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT | BROWSE);
    one.put(queue, false, "x");
    for flags in [
        GetFlags::SYNCPOINT | GetFlags::NO_SYNCPOINT,
        GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT,
        GetFlags::BROWSE_FIRST | GetFlags::SYNCPOINT,
        GetFlags::COMPLETE_MSG | GetFlags::SYNCPOINT_IF_PERSISTENT,
        GetFlags::LOCK,
    ] {
        assert_eq!(one.get_flags(queue, flags), Err(Reason::OPTIONS_ERROR), "{flags:?}");
    }
    let options = GetOptions { match_options: mqi::MatchOptions::MATCH_MSG_TOKEN, ..GetOptions::default() };
    let refused = one.get_with(queue, &MessageDescriptor::default(), &options, 9);
    assert_eq!(refused.unwrap_err(), Reason::NO_MSG_AVAILABLE, "no message has a token of zeros");
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn put1_opens_puts_and_closes() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) DEFINE QALIAS(A) TARGET(Q)");
    let mut one = bench.connect();
    for name in ["Q", "A"] {
        let object = ObjectDescriptor::queue(name.parse().unwrap());
        let put = one.connection.put1(&object, &message(true), &PutOptions::default(), "x".into());
        assert_eq!(bench.open(put).unwrap().resolved_queue_name.as_str(), "Q");
    }
    let object = ObjectDescriptor::queue("NONE".parse().unwrap());
    let put = one.connection.put1(&object, &message(true), &PutOptions::default(), "x".into());
    assert_eq!(bench.open(put).unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
    assert_eq!(bench.depth("Q"), 2);
}

#[test]
fn processes_and_namelists_are_opened_to_inquire_only() {
    let bench = Bench::new();
    bench.mqsc("DEFINE PROCESS(PROGRAM) APPLICID('/bin/run'); DEFINE NAMELIST(LIST) NAMES(A,B)");
    let mut one = bench.connect();
    let mut open = |object_type, name: &str, options| {
        let object = ObjectDescriptor {
            object_type,
            object_name: name.parse().unwrap(),
            ..ObjectDescriptor::default()
        };
        bench.open(one.connection.open(&object, options)).map(|opened| opened.handle)
    };
    let process = open(mqi::ObjectType::Process, "PROGRAM", OpenOptions::INQUIRE).unwrap();
    let list = open(mqi::ObjectType::Namelist, "LIST", OpenOptions::INQUIRE).unwrap();
    let refused = open(mqi::ObjectType::Process, "PROGRAM", OpenOptions::OUTPUT);
    assert_eq!(refused.unwrap_err(), Reason::OPTION_NOT_VALID_FOR_TYPE);
    let refused = open(mqi::ObjectType::Namelist, "PROGRAM", OpenOptions::INQUIRE);
    assert_eq!(refused.unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
    let mut inquire = |handle, selector| {
        let inquired = one.connection.inquire(handle, &[Selector(selector)]);
        bench.open(inquired).map(|inquired| inquired.values[0].clone())
    };
    let text = |text: &str| Ok(AttributeValue::Text(text.to_owned()));
    assert_eq!(inquire(process, mqi::constants::MQCA_APPL_ID), text("/bin/run"));
    assert_eq!(inquire(list, mqi::constants::MQIA_NAME_COUNT), Ok(AttributeValue::Integer(2)));
    assert_eq!(inquire(list, mqi::constants::MQCA_NAMES), text(&format!("{:<48}{:<48}", "A", "B")));
    assert_eq!(inquire(list, mqi::constants::MQIA_MAX_Q_DEPTH), Err(Reason::SELECTOR_ERROR));
}

#[test]
fn a_call_asks_for_no_more_attributes_than_there_may_be() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let handle = one.open("Q", OpenOptions::INQUIRE);
    let asked = |one: &mut Session, count: usize| {
        let inquired = one.connection.inquire(handle, &vec![Selector(MQIA_CURRENT_Q_DEPTH); count]);
        bench.open(inquired).map(|inquired| inquired.values.len())
    };
    assert_eq!(asked(&mut one, 256), Ok(256));
    assert_eq!(asked(&mut one, 257), Err(Reason::SELECTOR_LIMIT_EXCEEDED));
    assert_eq!(asked(&mut one, 0), Ok(0));
    let handle = one.open("Q", OpenOptions::SET);
    let set = |one: &mut Session, count: usize| {
        let values = vec![(Selector(MQIA_INHIBIT_PUT), AttributeValue::Integer(0)); count];
        let set = one.connection.set(handle, &values);
        bench.open(set)
    };
    assert_eq!((set(&mut one, 256), set(&mut one, 257)), (Ok(()), Err(Reason::SELECTOR_LIMIT_EXCEEDED)));
}

#[test]
fn a_queue_made_by_a_put_takes_another_users_authority_as_its_open_would() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QMODEL(M) DEFTYPE(PERMDYN)");
    let mut one = bench.connect();
    let object = ObjectDescriptor {
        dynamic_queue_name: Text::truncated("MADE"),
        ..ObjectDescriptor::queue("M".parse().unwrap())
    };
    let options = PutOptions::with(PutFlags::ALTERNATE_USER_AUTHORITY);
    let put = one.connection.put1(&object, &message(true), &options, "x".into());
    assert!(bench.open(put).is_ok());
    assert_eq!(bench.depth("MADE"), 1);
    let handle = one.open("MADE", OUTPUT);
    let put = one.connection.put(handle, &message(true), &options, "x".into());
    assert_eq!(bench.open(put).map(drop), Err(Reason::OPTIONS_ERROR));
}
