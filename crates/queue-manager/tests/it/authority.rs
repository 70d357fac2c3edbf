//! The door of authority: what passes it, and that a refusal changes nothing.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use mqi::{
    CloseOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectType, OpenOptions, PutFlags,
    PutOptions, Reason, ReportOptions, SubscribeOptions, SubscriptionDescriptor, Text,
};
use objects::mqsc::{self, Command};
use objects::pcf;
use parking_lot::Mutex;
use platform::simulated::Machine;
use queue_manager::{Authority, Gated, Identity, Issuer, Outcome, Part, Principal};
use security::Asked;
use storage::Lsn;

use crate::support::{Bench, INPUT, OUTPUT, Session, open, principal, settings};

/// Rules that grant everything until they are told to refuse everything.
#[derive(Default)]
struct Rules {
    refuses: AtomicBool,
    need: Mutex<Lsn>,
    asked: Mutex<Vec<String>>,
    /// Objects of which every use is refused.
    hidden: Mutex<Vec<&'static str>>,
}

impl Authority for Rules {
    fn judge(&self, principal: &Principal, asked: &Asked<'_>) -> Outcome<()> {
        let alternate =
            asked.alternate_user.map(|user| format!(" for {}", user.as_str())).unwrap_or_default();
        self.asked.lock().push(format!(
            "{}: {} of {}{alternate}",
            principal.name(),
            asked.used,
            asked.object
        ));
        let is_hidden = self.hidden.lock().contains(&&*asked.object.to_string());
        let judged = match self.refuses.load(Ordering::Relaxed) || is_hidden {
            true => Err(Reason::NOT_AUTHORIZED),
            false => Ok(()),
        };
        Gated::new(*self.need.lock(), judged)
    }
}

impl Rules {
    fn refuse(&self, refuses: bool) {
        self.refuses.store(refuses, Ordering::Relaxed);
    }

    /// Returns the requests since the last look.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock())
    }
}

const OBJECTS: &str = "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(PAY)\nDEFINE QALIAS(ALIAS) TARGET(Q)\n\
                       DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(OTHER) XMITQ(OUT)\n\
                       DEFINE QLOCAL(OUT) USAGE(XMITQ)\nDEFINE QREMOTE(OTHERS) RQMNAME(OTHER) XMITQ(OUT)\n\
                       DEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\nDEFINE QMODEL(PERM) DEFTYPE(PERMDYN)\n\
                       DEFINE PROCESS(PROC)\nDEFINE NAMELIST(NAMES)\nDEFINE TOPIC(TOP) TOPICSTR('top')\n\
                       DEFINE QALIAS(BYALIAS) TARGET(TOP) TARGTYPE(TOPIC)\n\
                       DEFINE SUB(S) TOPICSTR('s') DEST(Q)";

fn judged() -> (Bench, Arc<Rules>) {
    let rules = Arc::<Rules>::default();
    let machine = Machine::new(1);
    let world = machine.world();
    let bench = Bench::judged((machine, world), settings(), rules.clone());
    bench.mqsc(OBJECTS);
    rules.asked();
    (bench, rules)
}

/// All that is shown of the queue manager, and every byte of its files.
fn state(bench: &Bench, rules: &Rules) -> String {
    let refuses = rules.refuses.swap(false, Ordering::Relaxed);
    let shown = [
        "DISPLAY QMGR ALL",
        "DISPLAY QUEUE(*) ALL",
        "DISPLAY CHANNEL(*) ALL",
        "DISPLAY TOPIC(*) ALL",
        "DISPLAY SUB(*) ALL",
        "DISPLAY PROCESS(*) ALL",
        "DISPLAY NAMELIST(*) ALL",
        "DISPLAY AUTHINFO(*) ALL",
        "DISPLAY LISTENER(*) ALL",
        "DISPLAY SERVICE(*) ALL",
        "DISPLAY COMMINFO(*) ALL",
        "DISPLAY BRIDGE(*) ALL",
        "DISPLAY PIPE(*) ALL",
        "DISPLAY QSTATUS(*) TYPE(QUEUE) ALL",
        "DISPLAY QSTATUS(*) TYPE(HANDLE) ALL",
        "DISPLAY CONN(*) TYPE(ALL) ALL",
        "DISPLAY TPSTATUS('#') ALL",
        "DISPLAY SBSTATUS(*) ALL",
        "DISPLAY PUBSUB ALL",
        "DISPLAY QMSTATUS ALL",
    ];
    let mut state: String = shown.iter().map(|question| bench.told(question)).collect();
    let manager = &bench.manager;
    state += &format!("{:?} {:?}\n", manager.log().state(), manager.figures().queue_counters());
    state += &format!(
        "{} {} {}\n",
        manager.figures().memory_used(),
        manager.figures().connections(),
        manager.log().waits()
    );
    for (path, length) in bench.machine.disk.files() {
        let content = bench.machine.disk.content(&path);
        state += &format!("{path:?} {length} {content:?}\n");
    }
    state += &format!("{}\n", bench.machine.disk.trace_digest());
    rules.refuse(refuses);
    rules.asked();
    state
}

/// A call of a program.
type Call = Box<dyn Fn(&mut Session) -> Outcome<()>>;

fn opening(object: ObjectDescriptor, options: OpenOptions) -> Call {
    Box::new(move |session| session.connection.open(&object, options).map(|opened| opened.map(|_| ())))
}

fn putting(object: ObjectDescriptor, flags: PutFlags) -> Call {
    Box::new(move |session| {
        let (descriptor, options) = (MessageDescriptor::default(), PutOptions::with(flags));
        let put = session.connection.put1(&object, &descriptor, &options, Bytes::from_static(b"x"));
        put.map(|put| put.map(|_| ()))
    })
}

fn subscribing(wanted: SubscriptionDescriptor, queue: Option<ObjectHandle>) -> Call {
    Box::new(move |session| {
        session.connection.subscribe(&wanted, queue).map(|subscribed| subscribed.map(|_| ()))
    })
}

fn closing(handle: ObjectHandle, options: CloseOptions) -> Call {
    Box::new(move |session| session.connection.close(handle, options).map(|closed| closed.map(|_| ())))
}

fn queue(name: &str) -> ObjectDescriptor {
    ObjectDescriptor::queue(name.parse().unwrap())
}

fn elsewhere(name: &str, manager: &str) -> ObjectDescriptor {
    ObjectDescriptor { object_queue_manager_name: manager.parse().unwrap(), ..queue(name) }
}

fn object(object_type: ObjectType, name: &str) -> ObjectDescriptor {
    let object_name = name.parse().unwrap();
    ObjectDescriptor { object_type, object_name, ..ObjectDescriptor::default() }
}

fn named(name: &str, topic: &str, options: SubscribeOptions) -> SubscriptionDescriptor {
    SubscriptionDescriptor { name: name.to_owned(), ..SubscriptionDescriptor::to(topic, options) }
}

/// The calls that pass the door, of objects that are there and of others, with handles of a session that was
/// let in.
fn calls(session: &mut Session, bench: &Bench) -> Vec<(String, Call)> {
    let output = OpenOptions::OUTPUT;
    let mut calls: Vec<(String, Call)> = Vec::new();
    let mut add = |what: &str, call| calls.push((what.to_owned(), call));
    for name in ["Q", "ALIAS", "FAR", "TEMP", "PERM", "ABSENT", "OUT", "BYALIAS"] {
        add(&format!("MQOPEN {name}"), opening(queue(name), output));
        add(&format!("MQPUT1 {name}"), putting(queue(name), PutFlags::NO_SYNCPOINT));
    }
    for options in [
        OpenOptions::INQUIRE,
        OpenOptions::SET,
        OpenOptions::BROWSE,
        OpenOptions::INPUT_AS_Q_DEF,
        OpenOptions::INPUT_SHARED | OpenOptions::SAVE_ALL_CONTEXT,
        OpenOptions::INPUT_EXCLUSIVE,
        output | OpenOptions::SET_ALL_CONTEXT,
        output | OpenOptions::ALTERNATE_USER_AUTHORITY,
    ] {
        add(&format!("MQOPEN Q {options:?}"), opening(queue("Q"), options));
    }
    add("MQOPEN of a definition", opening(queue("FAR"), OpenOptions::INQUIRE));
    for manager in ["OTHER", "OTHERS", "OUT", "UNKNOWN"] {
        add(&format!("MQOPEN at {manager}"), opening(elsewhere("THERE", manager), output));
        add(&format!("MQPUT1 at {manager}"), putting(elsewhere("THERE", manager), PutFlags::SYNCPOINT));
    }
    for (object_type, name) in [
        (ObjectType::QueueManager, ""),
        (ObjectType::Process, "PROC"),
        (ObjectType::Process, "ABSENT"),
        (ObjectType::Namelist, "NAMES"),
        (ObjectType::Namelist, "ABSENT"),
    ] {
        let what = format!("MQOPEN {object_type:?} {name}");
        add(&what, opening(object(object_type, name), OpenOptions::INQUIRE));
    }
    for topic in
        [object(ObjectType::Topic, "TOP"), object(ObjectType::Topic, "ABSENT"), ObjectDescriptor::topic("a")]
    {
        add(&format!("MQOPEN {topic:?}"), opening(topic.clone(), output));
        add(&format!("MQPUT1 {topic:?}"), putting(topic.clone(), PutFlags::NO_SYNCPOINT));
        add(&format!("MQPUT1 retained {topic:?}"), putting(topic, PutFlags::NO_SYNCPOINT | PutFlags::RETAIN));
    }
    let (create, managed) = (SubscribeOptions::CREATE, SubscribeOptions::MANAGED);
    let durable = SubscribeOptions::DURABLE;
    add("MQSUB managed", subscribing(named("", "a/#", create | managed), None));
    add("MQSUB durable", subscribing(named("NEW", "a", create | managed | durable), None));
    add("MQSUB resume", subscribing(named("OLD", "", SubscribeOptions::RESUME | managed | durable), None));
    add(
        "MQSUB resume absent",
        subscribing(named("NONE", "", SubscribeOptions::RESUME | managed | durable), None),
    );
    add("MQSUB alter", subscribing(named("OLD", "old", SubscribeOptions::ALTER | managed | durable), None));
    let given = session.open("PAY", OpenOptions::INPUT_SHARED);
    add("MQSUB to a queue", subscribing(named("", "b", create), Some(given)));
    // Handles that close with something.
    let subscribed = session.connection.subscribe(&named("MINE", "m", create | managed | durable), None);
    let subscribed = open(&bench.manager, subscribed).unwrap().subscription;
    add("MQCLOSE REMOVE_SUB", closing(subscribed, CloseOptions::REMOVE_SUB));
    let made = session.open("PERM", OpenOptions::INPUT_SHARED);
    add("MQCLOSE DELETE", closing(made, CloseOptions::DELETE));
    add("MQCLOSE DELETE_PURGE", closing(made, CloseOptions::DELETE_PURGE));
    calls
}

#[test]
fn each_call_of_a_program_is_refused_with_2035_and_leaves_every_byte_as_it_was() {
    let (bench, rules) = judged();
    let mut session = bench.connect();
    let old =
        named("OLD", "old", SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE);
    let subscribed = session.connection.subscribe(&old, None);
    let subscribed = open(&bench.manager, subscribed).unwrap();
    for handle in [Some(subscribed.subscription), subscribed.queue].into_iter().flatten() {
        let closed = session.connection.close(handle, CloseOptions::EMPTY);
        open(&bench.manager, closed).unwrap();
    }
    let calls = calls(&mut session, &bench);
    let before = state(&bench, &rules);
    rules.refuse(true);
    for (what, call) in &calls {
        let refused = open(&bench.manager, call(&mut session));
        assert_eq!(refused, Err(Reason::NOT_AUTHORIZED), "{what}");
        assert_eq!(rules.asked().len(), 1, "{what}");
        assert_eq!(bench.host.refusals.lock().drain(..).count(), 1, "{what}");
        assert!(state(&bench, &rules) == before, "{what} changed the queue manager");
    }
    // The same calls pass when the rules grant them, or fail for a reason of their own.
    rules.refuse(false);
    for (what, call) in &calls {
        let done = open(&bench.manager, call(&mut session));
        assert_ne!(done, Err(Reason::NOT_AUTHORIZED), "{what}");
    }
}

#[test]
fn a_refused_connection_leaves_no_trace_and_does_not_end_the_one_before_it() {
    let (bench, rules) = judged();
    let first = bench.connect_as([7; 16], 1);
    let before = state(&bench, &rules);
    rules.refuse(true);
    for generation in [0, 1, 2] {
        let refused = bench.try_connect_as([7; 16], generation).map(|_| ());
        assert_eq!(refused, Err(Reason::NOT_AUTHORIZED), "generation {generation}");
        assert_eq!(rules.asked(), ["tester: MQCONN of queue manager"]);
    }
    assert!(state(&bench, &rules) == before);
    assert!(!first.connection.has_ended());
}

/// A client instance belongs to the user that began it (rule 24).
#[test]
fn another_user_who_returns_under_an_instance_is_refused_and_ends_nothing() {
    for of_rules in [true, false] {
        let bench = if of_rules { judged().0 } else { Bench::new() };
        bench.mqsc("DEFINE QLOCAL(KEPT)");
        let instance = [7; 16];
        let mut first = bench.try_connect_by(principal("first"), instance, 1).unwrap();
        let handle = first.open("KEPT", INPUT | OUTPUT);
        first.put_within(handle, true, "in the unit");
        bench.host.refusals.lock().clear();
        let proved = Principal::new("first", Identity::Kernel).unwrap();
        for other in [principal("other"), Principal::nobody(), proved] {
            for generation in [1, 2, u64::MAX] {
                let refused = bench.try_connect_by(other.clone(), instance, generation).err();
                assert_eq!(refused, Some(Reason::NOT_AUTHORIZED), "{other:?}, {generation}");
                let recorded = bench.host.refusals.lock().pop().expect("it is recorded");
                let told = (recorded.user, &*recorded.options, recorded.reason);
                assert_eq!(told, (other.clone(), "MQCONN", Reason::NOT_AUTHORIZED));
            }
        }
        assert!(!first.connection.has_ended());
        first.commit().unwrap();
        assert_eq!(first.get(handle).as_deref(), Ok("in the unit"));
        let again = bench.try_connect_by(principal("first"), instance, 2);
        assert!(again.is_ok() && first.connection.has_ended(), "its own user returns");
        // An instance of zeros is none.
        assert!(bench.try_connect_by(principal("other"), [0; 16], 0).is_ok());
    }
}

#[test]
fn messages_of_the_queue_managers_own_ask_no_rule_but_reports_which_are_the_putters() {
    let (bench, rules) = judged();
    bench.mqsc(
        "DEFINE QLOCAL(REPLIES)\nDEFINE QLOCAL(STARTS)\nDEFINE PROCESS(WORKER)\nALTER QMGR PERFMEV(ENABLED)\n\
         DEFINE QLOCAL(COPIES)\nDEFINE QLOCAL(WORK) STREAMQ(COPIES) TRIGGER TRIGTYPE(EVERY) INITQ(STARTS) \
         PROCESS(WORKER)\nDEFINE QLOCAL(SMALL) MAXDEPTH(1) QDPMAXEV(ENABLED)",
    );
    let mut session = bench.connect();
    let [work, small] = ["WORK", "SMALL"].map(|name| session.open(name, OUTPUT));
    session.open("STARTS", INPUT);
    rules.asked();
    rules.refuse(true);
    let descriptor = MessageDescriptor {
        report: ReportOptions::COA,
        reply_to_queue: "REPLIES".parse().unwrap(),
        ..MessageDescriptor::default()
    };
    session.try_put(work, &descriptor, PutFlags::NO_SYNCPOINT, "work").unwrap();
    session.put(small, false, "fills it");
    let full = session.try_put(small, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "more");
    assert_eq!(full.map(|_| ()), Err(Reason::Q_FULL));
    let asked = rules.asked();
    assert!(asked.len() == 1 && asked[0].ends_with(": MQPUT1 0x4 of queue REPLIES"), "{asked:?}");
    rules.refuse(false);
    for (queue, depth) in [("REPLIES", 0), ("STARTS", 1), ("COPIES", 1), ("SYSTEM.ADMIN.PERFM.EVENT", 1)] {
        assert_eq!(bench.depth(queue), depth, "{queue}");
    }
    assert_eq!(bench.host.refusals.lock().len(), 1);
}

#[test]
fn a_handle_opened_before_works_on_without_being_asked() {
    let (bench, rules) = judged();
    let mut session = bench.connect();
    let handle = session.open("Q", OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
    rules.asked();
    rules.refuse(true);
    session.put(handle, true, "kept");
    assert_eq!(session.get(handle).unwrap(), "kept");
    let closed = session.connection.close(handle, CloseOptions::EMPTY);
    assert_eq!(open(&bench.manager, closed), Ok(None));
    assert!(rules.asked().is_empty());
}

#[test]
fn a_request_names_the_definition_the_options_and_the_other_user() {
    let (bench, rules) = judged();
    let mut session = bench.connect_user("clerk");
    rules.asked();
    let (output, other) = (OpenOptions::OUTPUT, OpenOptions::ALTERNATE_USER_AUTHORITY);
    let alternate_user_identifier = Text::truncated("boss");
    let for_boss = |object| ObjectDescriptor { alternate_user_identifier, ..object };
    let expected = |calls: Vec<Call>, asked: &[&str], session: &mut Session| {
        for call in calls {
            open(&bench.manager, call(session)).unwrap();
        }
        assert_eq!(rules.asked(), asked);
    };
    expected(
        vec![opening(queue("ALIAS"), output), opening(elsewhere("THERE", "OTHERS"), output)],
        &["clerk: MQOPEN 0x10 of queue ALIAS", "clerk: MQOPEN 0x10 of remote queue manager OTHER"],
        &mut session,
    );
    let model = ObjectDescriptor { dynamic_queue_name: Text::truncated("PAYROLL.IN"), ..queue("TEMP") };
    expected(
        vec![opening(for_boss(model), output | other)],
        &[
            "clerk: MQOPEN 0x1010 of queue TEMP for boss",
            "clerk: MQOPEN 0x1010 by model TEMP of queue PAYROLL.IN for boss",
        ],
        &mut session,
    );
    expected(
        vec![putting(for_boss(queue("Q")), PutFlags::ALTERNATE_USER_AUTHORITY | PutFlags::NO_SYNCPOINT)],
        &["clerk: MQPUT1 0x1004 of queue Q for boss"],
        &mut session,
    );
    expected(
        vec![opening(queue("BYALIAS"), output), putting(queue("BYALIAS"), PutFlags::NO_SYNCPOINT)],
        &[
            "clerk: MQOPEN 0x10 of queue BYALIAS",
            "clerk: MQOPEN 0x10 of topic TOP",
            "clerk: MQPUT1 0x4 of queue BYALIAS",
            "clerk: MQPUT1 0x4 of topic TOP",
        ],
        &mut session,
    );
    let given = session.open("PAY", OpenOptions::INPUT_SHARED);
    rules.asked();
    expected(
        vec![subscribing(named("", "b/#", SubscribeOptions::CREATE), Some(given))],
        &["clerk: MQSUB 0x2 of topic 'b/#'", "clerk: publications of queue PAY"],
        &mut session,
    );
    // The managed queue comes with its subscription.
    let managed = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
    expected(
        vec![subscribing(named("", "c", managed), None)],
        &["clerk: MQSUB 0x22 of topic 'c'"],
        &mut session,
    );
}

#[test]
fn a_refusal_is_not_told_before_the_rule_that_it_rests_on_is_durable() {
    let (bench, rules) = judged();
    let mut session = bench.connect();
    let altered = bench.manager.execute(&mqsc::parse("ALTER QLOCAL(Q) DESCR('x')").unwrap()[0]);
    *rules.need.lock() = altered.need();
    assert!(altered.need() > bench.manager.durable().lsn());
    rules.refuse(true);
    let refused = session.connection.open(&queue("Q"), OpenOptions::OUTPUT);
    assert!(refused.open(bench.manager.durable()).is_err(), "it is told too early");
    let command = &mqsc::parse("DISPLAY QMGR").unwrap()[0];
    assert!(bench.manager.execute(command).open(bench.manager.durable()).is_err());
    bench.manager.drive();
    let refused = session.connection.open(&queue("Q"), OpenOptions::OUTPUT);
    let told = refused.open(bench.manager.durable()).map_err(|_| "it is told too late").unwrap();
    assert_eq!(told.map(|_| ()), Err(Reason::NOT_AUTHORIZED));
}

#[test]
fn a_refusal_is_recorded_with_user_object_options_and_a_number_of_its_own() {
    let (bench, rules) = judged();
    let mut session = bench.connect_user("clerk");
    rules.refuse(true);
    for _ in 0..2 {
        assert_eq!(session.try_open("PAY", OpenOptions::OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    }
    let refusals = bench.host.refusals.lock();
    let [first, second] = &refusals[..] else { panic!("{refusals:?}") };
    assert_ne!(first.id, second.id);
    assert_eq!((first.user.name(), &*first.object, &*first.options), ("clerk", "queue PAY", "MQOPEN 0x10"));
    assert_eq!(first.reason, Reason::NOT_AUTHORIZED);
}

#[test]
fn a_part_of_the_queue_manager_is_granted_its_own_work_and_nothing_else() {
    let (bench, rules) = judged();
    rules.refuse(true);
    let monitor = Principal::of_part(Part::ResourceMonitor);
    let mut session = bench.try_connect_by(monitor, [0; 16], 0).unwrap();
    let published = putting(ObjectDescriptor::topic("a"), PutFlags::NO_SYNCPOINT)(&mut session);
    assert_eq!(open(&bench.manager, published), Ok(()));
    assert_eq!(session.try_open("Q", OpenOptions::OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    assert!(rules.asked().is_empty(), "no rule is asked for a part");
    assert_eq!(bench.host.refusals.lock().len(), 1);
}

/// Ways to go on behind the two words that begin a statement.
const ENDINGS: &[&str] = &[
    "",
    "(X)",
    "('x')",
    "(*)",
    "(X) CHLTYPE(SVRCONN)",
    "(X) CHLTYPE(SVRCONN) TRPTYPE(TCP)",
    "(X) AUTHTYPE(IDPWOS)",
    "(X) TOPICSTR('x') DEST(Q)",
    "(X) TOPICSTR('x')",
    "(X) TRPTYPE(TCP)",
    "(X) TYPE(QUEUE)",
    "(X) TOQLOCAL(Q)",
    "(X) ACTION(BACKOUT)",
    "('x') CLRTYPE(RETAINED)",
    "(X) TYPE(ADDRESSMAP)",
    " TYPE(STATISTICS)",
    " OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)",
    " OBJTYPE(QMGR) GROUP('g')",
    " TYPE(CONFIGEV)",
    "(0000000000000001) ACTION(BACKOUT)",
    "(0000000000000001)",
    "(X) REPOS(NO)",
];

/// Every command of the language: each first word with each second word that it knows.
fn commands() -> Vec<Command> {
    let mut commands = Vec::new();
    let verbs = mqsc::completions("");
    assert!(verbs.len() >= 15, "{verbs:?}");
    for verb in verbs {
        let verb = verb.trim().to_owned();
        for subject in mqsc::completions(&format!("{verb} ")) {
            let subject = subject.trim_end_matches(['(', ' ']);
            let found = ENDINGS.iter().find_map(|ending| {
                mqsc::parse(&format!("{verb} {subject}{ending}")).ok().filter(|found| found.len() == 1)
            });
            let Some(found) = found else { panic!("no ending fits {verb} {subject}") };
            commands.extend(found);
        }
    }
    let more = "DEFINE QLOCAL(NEW) LIKE(Q)\nDEFINE QLOCAL(Q) REPLACE\nMOVE QLOCAL(Q) TOQLOCAL(PAY)\n\
                DELETE SUB(S)\nDEFINE SUB(T) TOPICSTR('t') DESTCLAS(MANAGED)\nALTER SUB(S) USERDATA('x')\n\
                CLEAR TOPICSTR('t') CLRTYPE(RETAINED)\nSTOP CONN(0000000000000001)\n\
                RESOLVE INDOUBT(0000000000000001) ACTION(BACKOUT)\nRESET QMGR TYPE(STATISTICS)\n\
                REFRESH QMGR TYPE(CONFIGEV)\nDISPLAY QSTATUS(*)\nDISPLAY TPSTATUS('#')\n\
                DISPLAY SBSTATUS(*)\nDISPLAY PUBSUB\nDISPLAY CONN(*)\nDISPLAY QMSTATUS";
    commands.extend(mqsc::parse(more).unwrap());
    // It comes in binary form alone.
    commands.push(Command::ResetStatistics(mqi::NamePattern::ALL, None));
    commands
}

/// The kind of a command; a new kind needs a line here.
fn kind(command: &Command) -> usize {
    match command {
        Command::Define(_) => 0,
        Command::Alter(_) => 1,
        Command::Delete(_) => 2,
        Command::Display(_) => 3,
        Command::Clear(_) => 4,
        Command::ClearTopic(_) => 5,
        Command::Move(_) => 6,
        Command::Recover(_) => 7,
        Command::StopConnection(_) => 8,
        Command::Resolve(_) => 9,
        Command::ResetStatistics(..) => 10,
        Command::ResetQueueManager(_) => 11,
        Command::RefreshQueueManager(_) => 12,
        Command::PingQueueManager => 13,
        Command::Absent(_) => 14,
        Command::StartListener(_) => 15,
        Command::StopListener(_) => 16,
        Command::StartChannel(_) => 17,
        Command::StopChannel(_) => 18,
        Command::PingChannel(_) => 19,
        Command::ResetChannel(_) => 20,
        Command::ResolveChannel(_) => 21,
        Command::StartInitiator => 22,
        Command::StopInitiator => 23,
        Command::SetAuthority(_) => 24,
        Command::DeleteAuthority(_) => 25,
        Command::SetChannelRule(_) => 26,
        Command::RefreshSecurity(_) => 27,
    }
}

#[test]
fn each_command_as_text_or_in_binary_form_is_refused_with_2035_and_leaves_every_byte_as_it_was() {
    let (bench, rules) = judged();
    let commands = commands();
    let kinds: BTreeSet<usize> = commands.iter().map(kind).collect();
    assert_eq!(kinds, (0..28).collect(), "each kind of command is tried");
    let issuer = Issuer { principal: principal("clerk"), ..Issuer::default() };
    let before = state(&bench, &rules);
    rules.refuse(true);
    for command in commands {
        bench.host.refusals.lock().clear();
        let response = bench.open(bench.manager.execute_for(&issuer, &command));
        assert!(response.rows.is_empty(), "{command}");
        let text = response.to_string();
        let refusals = std::mem::take(&mut *bench.host.refusals.lock());
        if asks_for_several(&command) {
            // Each object that it meets is left out.
            let asked = rules.asked();
            assert!(asked.iter().all(|asked| !asked.contains('*')), "{command}: {asked:?}");
            assert!(refusals.is_empty(), "{command}: {refusals:?}");
            assert!(response.messages.len() == 1 && !text.contains("2035"), "{command}: {text}");
            assert!(state(&bench, &rules) == before, "{command} changed the queue manager");
            continue;
        }
        assert!(text.contains("FRY8135E") && text.contains("2035"), "{command}: {text}");
        assert!(text.contains(&format!("refusal {:016X}", refusals[0].id)), "{command}: {text}");
        let number = command.number();
        let request = pcf::Request::Command(command.clone());
        let answers = pcf::responses(number, &request, &response);
        let answer = answers.first().unwrap_or_else(|| panic!("no answer to {command}"));
        assert_eq!(answer.header.reason, Reason::NOT_AUTHORIZED.code(), "{command}");
        assert_eq!(rules.asked().len(), 1, "{command}");
        // The long way, a piece at a time.
        let mut course = queue_manager::Course::new(issuer.clone(), command.clone());
        let piece = course.go_on(&bench.manager, 1);
        let queue_manager::Piece::Last(piece) = piece else { panic!("{command} is refused at once") };
        let without_number = |text: &str| text.split("; refusal ").next().unwrap().to_owned();
        assert_eq!(without_number(&bench.open(piece).to_string()), without_number(&text));
        assert_eq!(rules.asked().len(), 1, "{command}");
        assert!(state(&bench, &rules) == before, "{command} changed the queue manager");
    }
}

#[test]
fn a_command_is_judged_for_each_object_that_it_takes_from_or_gives_to() {
    let (bench, rules) = judged();
    let issuer = Issuer { principal: principal("clerk"), ..Issuer::default() };
    for (text, asked) in [
        ("DEFINE QLOCAL(NEW) LIKE(Q)", &["DEFINE of queue NEW", "DEFINE LIKE of queue Q"][..]),
        (
            "DEFINE QLOCAL(Q) REPLACE",
            &["DEFINE REPLACE of queue Q", "DEFINE LIKE of queue SYSTEM.DEFAULT.LOCAL.QUEUE"],
        ),
        (
            "DEFINE QALIAS(NEW2) TARGET(PAY)",
            &[
                "DEFINE of queue NEW2",
                "DEFINE LIKE of queue SYSTEM.DEFAULT.ALIAS.QUEUE",
                "DEFINE or ALTER with TARGET of queue PAY",
            ],
        ),
        (
            "ALTER CHANNEL(SYSTEM.DEF.SVRCONN) CHLTYPE(SVRCONN) MCAUSER('boss')",
            &["ALTER of channel SYSTEM.DEF.SVRCONN", "DEFINE or ALTER with MCAUSER of user 'boss'"],
        ),
        ("SET AUTHREC OBJTYPE(QMGR) GROUP('g') AUTHADD(CONNECT)", &["SET of queue manager"]),
        ("DELETE AUTHREC OBJTYPE(QMGR) GROUP('g')", &["SET of queue manager"]),
        ("DISPLAY AUTHREC", &["DISPLAY of queue manager"]),
        ("MOVE QLOCAL(Q) TOQLOCAL(PAY)", &["MOVE of queue Q", "MOVE, as target of queue PAY"]),
        (
            "DEFINE SUB(T) TOPICSTR('t') DEST(PAY)",
            &[
                "DEFINE of subscription 'T'",
                "MQSUB 0x2 'T' of topic 't'",
                "DEFINE or ALTER with TOPICSTR of topic 't'",
                "publications of queue PAY",
            ],
        ),
        ("ALTER SUB(S) DEST(PAY)", &["ALTER of subscription 'S'", "publications of queue PAY"]),
        ("DISPLAY QLOCAL(P*)", &["DISPLAY of queue PAY"]),
        ("DISPLAY QUEUE(P*)", &["DISPLAY of queue PAY", "DISPLAY of queue PERM"]),
        ("DISPLAY QUEUE(NO*)", &[]),
        ("DISPLAY QUEUE(ABSENT)", &["DISPLAY of queue ABSENT"]),
        ("DISPLAY QSTATUS(P*)", &["DISPLAY of queue PAY"]),
        ("ALTER QMGR DESCR('x')", &["ALTER of queue manager"]),
        ("CLEAR TOPICSTR('t') CLRTYPE(RETAINED)", &["CLEAR of topic 't'"]),
        ("STOP CONN(0000000000000001)", &["STOP of queue manager"]),
        ("START CHANNEL(C)", &["START of channel C"]),
        ("STOP CHANNEL(C)", &["STOP of channel C"]),
        ("PING CHANNEL(C)", &["PING of channel C"]),
        ("RESET CHANNEL(C)", &["RESET of channel C"]),
        ("RESOLVE CHANNEL(C) ACTION(COMMIT)", &["RESOLVE of channel C"]),
        ("START CHINIT", &["START of queue manager"]),
    ] {
        let command = &mqsc::parse(text).unwrap()[0];
        bench.open(bench.manager.execute_for(&issuer, command));
        let expected: Vec<_> = asked.iter().map(|asked| format!("clerk: {asked}")).collect();
        // A change asks for its command once more under the lock that makes it, and a move for each portion.
        let mut each: Vec<String> = Vec::new();
        for asked in rules.asked() {
            if !each.contains(&asked) {
                each.push(asked);
            }
        }
        assert_eq!(each, expected, "{text}");
    }
}

/// Returns true if a command looks for objects by a pattern.
fn asks_for_several(command: &Command) -> bool {
    let text = command.to_string();
    let has_pattern = ["(*)", "('*')", "('#')"].iter().any(|names| text.contains(names));
    match command {
        Command::ResetStatistics(names, _) => names.is_generic(),
        Command::Display(_) => has_pattern && !text.starts_with("DISPLAY CONN"),
        _ => false,
    }
}

#[test]
fn an_object_that_the_caller_may_not_display_is_left_out_of_several_and_refused_by_its_name() {
    let (bench, rules) = judged();
    bench.mqsc(
        "DEFINE CHANNEL(APPS) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(APPS) CHLTYPE(CLNTCONN) CONNAME('h')\n\
         DEFINE LISTENER(LSR) TRPTYPE(TCP)\nDEFINE SUB(S2) TOPICSTR('s2') DEST(Q)\n\
         DEFINE AUTHINFO(AUTH) AUTHTYPE(IDPWOS)\nDEFINE SERVICE(SRV)\nDEFINE COMMINFO(COMM)",
    );
    let mut program = bench.connect();
    for queue in ["Q", "PAY"] {
        program.open(queue, INPUT);
    }
    open(&bench.manager, opening(ObjectDescriptor::topic("top/pub"), OpenOptions::OUTPUT)(&mut program))
        .unwrap();
    let issuer = Issuer { principal: principal("clerk"), ..Issuer::default() };
    let told = |text: &str| {
        let command = &mqsc::parse(text).unwrap()[0];
        bench.open(bench.manager.execute_for(&issuer, command))
    };
    let by_identifier = {
        let shown = told("DISPLAY SUB(S2) SUBID").to_string();
        let digits = shown.split("SUBID(").nth(1).unwrap().split(')').next().unwrap();
        format!("DISPLAY SUB SUBID({digits})")
    };
    for (hidden, several, name, shown, single) in [
        ("queue PAY", "DISPLAY QUEUE(*)", "QUEUE(PAY)", "QUEUE(Q)", "DISPLAY QUEUE(PAY)"),
        ("queue PAY", "DISPLAY QLOCAL(*) ALL", "QUEUE(PAY)", "QUEUE(Q)", "DISPLAY QLOCAL(PAY)"),
        ("queue PAY", "DISPLAY QSTATUS(*)", "QUEUE(PAY)", "QUEUE(Q)", "DISPLAY QSTATUS(PAY)"),
        (
            "queue PAY",
            "DISPLAY QSTATUS(*) TYPE(HANDLE)",
            "QUEUE(PAY)",
            "QUEUE(Q)",
            "DISPLAY QSTATUS(PAY) TYPE(HANDLE)",
        ),
        ("queue FAR", "DISPLAY QREMOTE(*)", "QUEUE(FAR)", "QUEUE(OTHERS)", "DISPLAY QREMOTE(FAR)"),
        ("channel APPS", "DISPLAY CHANNEL(A*)", "CHLTYPE(SVRCONN)", "CLNTCONN", "DISPLAY CHANNEL(APPS)"),
        ("listener LSR", "DISPLAY LISTENER(*)", "LISTENER(LSR)", "LISTENER(SYSTEM", "DISPLAY LISTENER(LSR)"),
        ("process PROC", "DISPLAY PROCESS(*)", "PROCESS(PROC)", "PROCESS(SYSTEM", "DISPLAY PROCESS(PROC)"),
        (
            "namelist NAMES",
            "DISPLAY NAMELIST(*)",
            "NAMELIST(NAMES)",
            "NAMELIST(SYSTEM",
            "DISPLAY NAMELIST(NAMES)",
        ),
        ("topic TOP", "DISPLAY TOPIC(*)", "TOPIC(TOP)", "TOPIC(SYSTEM", "DISPLAY TOPIC(TOP)"),
        ("subscription 'S2'", "DISPLAY SUB(*)", "SUB(S2)", "SUB(S)", "DISPLAY SUB(S2)"),
        ("subscription 'S2'", "DISPLAY SBSTATUS(*)", "SUB(S2)", "SUB(S)", "DISPLAY SBSTATUS(S2)"),
        ("subscription 'S2'", "DISPLAY SUB(S*)", "SUB(S2)", "SUB(S)", &*by_identifier),
        (
            "topic 'top/pub'",
            "DISPLAY TPSTATUS('#')",
            "TPSTATUS(top/pub)",
            "TPSTATUS(top)",
            "DISPLAY TPSTATUS('top/pub')",
        ),
        (
            "topic 's2'",
            "DISPLAY TPSTATUS('+') TYPE(SUB)",
            "TPSTATUS(s2)",
            "TPSTATUS(s)",
            "DISPLAY TPSTATUS('s2') TYPE(SUB)",
        ),
    ] {
        rules.hidden.lock().clear();
        let before = told(several).to_string();
        assert!(before.contains(name) && before.contains(shown), "{several}: {before}");
        assert!(told(single).is_ok(), "{single}");
        rules.hidden.lock().push(hidden);
        let answer = told(several).to_string();
        assert!(answer.contains(shown), "{several}: {answer}");
        assert!(!answer.contains(name) && !answer.contains("2035"), "{several}: {answer}");
        assert!(bench.host.refusals.lock().is_empty(), "{several}");
        let refused = told(single);
        assert!(refused.rows.is_empty() && refused.to_string().contains("2035"), "{single}: {refused}");
        let number = bench.host.refusals.lock().pop().expect("it is recorded").id;
        assert!(refused.to_string().contains(&format!("{number:016X}")), "{single}: {refused}");
    }
    // Nothing tells whether a pattern met something hidden, or nothing.
    rules.hidden.lock().push("queue PAY");
    let [hidden, absent] = ["PAY*", "YAP*"].map(|names| told(&format!("DISPLAY QUEUE({names})")).to_string());
    assert_eq!(hidden.replace("PAY", "YAP"), absent);
}

#[test]
fn statistics_of_a_queue_that_the_caller_may_not_reset_go_on_beside_those_of_others() {
    let (bench, rules) = judged();
    let mut session = bench.connect();
    for queue in ["Q", "PAY"] {
        let handle = session.open(queue, OUTPUT);
        session.put(handle, false, "counted");
    }
    let reset = |names: mqi::NamePattern| {
        let issuer = Issuer { principal: principal("clerk"), ..Issuer::default() };
        bench.open(bench.manager.execute_for(&issuer, &Command::ResetStatistics(names, None))).to_string()
    };
    rules.hidden.lock().push("queue PAY");
    let answer = reset(mqi::NamePattern::ALL);
    assert!(answer.contains("QSTATS(Q)") && !answer.contains("PAY"), "{answer}");
    assert!(reset(mqi::NamePattern::Exact("PAY".parse().unwrap())).contains("2035"));
    rules.hidden.lock().clear();
    let answer = reset(mqi::NamePattern::Exact("PAY".parse().unwrap()));
    assert!(answer.contains("MSGSIN(1)"), "{answer}");
}

#[test]
fn an_answer_is_not_told_before_the_rules_that_it_leaves_an_object_out_by_are_durable() {
    let (bench, rules) = judged();
    let altered = bench.manager.execute(&mqsc::parse("ALTER QLOCAL(Q) DESCR('x')").unwrap()[0]);
    *rules.need.lock() = altered.need();
    rules.hidden.lock().push("queue PAY");
    let command = &mqsc::parse("DISPLAY QUEUE(PAY*)").unwrap()[0];
    assert!(bench.manager.execute(command).open(bench.manager.durable()).is_err(), "it is told too early");
    bench.manager.drive();
    assert!(bench.manager.execute(command).open(bench.manager.durable()).is_ok());
}

#[test]
fn a_message_is_an_identity_without_the_rights_of_an_administrator() {
    let (bench, rules) = judged();
    rules.refuse(true);
    let issuer = Issuer { principal: Principal::of_message(Text::truncated("mqm")), ..Issuer::default() };
    let response = bench.open(bench.manager.execute_for(&issuer, &Command::PingQueueManager));
    assert!(!response.is_ok());
    let refusals = bench.host.refusals.lock();
    assert!(!refusals[0].user.is_administrator());
    assert_eq!((&*refusals[0].object, &*refusals[0].options), ("queue manager", "PING"));
}
