//! Authority records: what they allow on the engine, that they last, and that a right that is taken away
//! counts at once.

use bytes::Bytes;
use mqi::{
    CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectType, OpenOptions,
    PutFlags, PutOptions, Reason, ReportOptions, SubscribeOptions, SubscriptionDescriptor, Text, Wait,
};
use objects::{Response, mqsc};
use platform::simulated::Survival;
use queue_manager::{Ask, Get, GetPurpose, Identity, Issuer, Principal, Series, WaitToken};

use crate::support::{BROWSE, Bench, INPUT, OUTPUT, Session, open, principal};

/// A queue manager with some objects, on which requests are judged.
fn judged() -> Bench {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(PAY.IN)\nDEFINE QLOCAL(PAY.OUT)\nDEFINE QALIAS(BY.ALIAS) TARGET(PAY.IN)\n\
         DEFINE QLOCAL(XMIT) USAGE(XMITQ)\nDEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\n\
         DEFINE QMODEL(PERM) DEFTYPE(PERMDYN)\nDEFINE TOPIC(TOP) TOPICSTR('top')\n\
         DEFINE TOPIC(DEEP) TOPICSTR('top/a/b')\nDEFINE QALIAS(BY.TOPIC) TARGET(TOP) TARGTYPE(TOPIC)",
    );
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    bench
}

fn grant(bench: &Bench, profile: &str, object_type: &str, user: &str, rights: &str) {
    bench.mqsc(&format!(
        "SET AUTHREC PROFILE('{profile}') OBJTYPE({object_type}) PRINCIPAL('{user}') AUTHADD({rights})"
    ));
}

fn revoke(bench: &Bench, profile: &str, object_type: &str, user: &str, rights: &str) {
    bench.mqsc(&format!(
        "SET AUTHREC PROFILE('{profile}') OBJTYPE({object_type}) PRINCIPAL('{user}') AUTHRMV({rights})"
    ));
}

fn administrator() -> Principal {
    Principal::administrator("root", Identity::Kernel).unwrap()
}

fn told_as(bench: &Bench, principal: Principal, text: &str) -> Response {
    let issuer = Issuer { principal, ..Issuer::default() };
    let command = &mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))[0];
    bench.open(bench.manager.execute_for(&issuer, command))
}

fn put1(session: &mut Session, object: &ObjectDescriptor, flags: PutFlags) -> Result<(), Reason> {
    let (descriptor, options) = (MessageDescriptor::default(), PutOptions::with(flags));
    let put = session.connection.put1(object, &descriptor, &options, Bytes::from_static(b"x"));
    open(&session.manager, put).map(drop)
}

fn try_put(session: &mut Session, handle: mqi::ObjectHandle) -> Result<(), Reason> {
    session.try_put(handle, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "x").map(drop)
}

fn refusals(bench: &Bench) -> usize {
    bench.host.refusals.lock().drain(..).count()
}

/// CURDEPTH, as the administrator sees it.
fn depth_of(bench: &Bench, queue: &str) -> i32 {
    let status = bench.told(&format!("DISPLAY QSTATUS({queue}) CURDEPTH"));
    status.split("CURDEPTH(").nth(1).unwrap().split(')').next().unwrap().parse().unwrap()
}

#[test]
fn nothing_is_judged_until_there_is_a_record_and_then_everything_is_for_good() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    assert!(!bench.manager.logins().is_judging());
    let mut session = bench.connect_user("ada");
    let handle = session.open("Q", INPUT | OUTPUT);
    session.put(handle, true, "before");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob') AUTHADD(CONNECT)");
    assert!(bench.manager.logins().is_judging());
    assert_eq!(try_put(&mut session, handle), Err(Reason::NOT_AUTHORIZED));
    assert_eq!(session.try_open("Q", OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    let refused = bench.try_connect_by(principal("ada"), [0; 16], 0).err();
    assert_eq!(refused, Some(Reason::NOT_AUTHORIZED));
    bench.mqsc("DELETE AUTHREC OBJTYPE(QMGR) PRINCIPAL('bob')");
    assert!(bench.manager.logins().is_judging(), "the last record may go, and the mark stays");
    let bench = bench.crash(Survival::Nothing);
    assert!(bench.manager.logins().is_judging());
    assert_eq!(bench.try_connect_by(principal("ada"), [0; 16], 0).err(), Some(Reason::NOT_AUTHORIZED));
    assert!(bench.try_connect_by(administrator(), [0; 16], 0).is_ok());
    assert!(bench.try_connect_by(Principal::of_process(), [0; 16], 0).is_ok());
}

#[test]
fn a_host_with_users_has_requests_judged_without_a_record() {
    let bench = Bench::new();
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    assert_eq!(bench.try_connect_by(principal("ada"), [0; 16], 0).err(), Some(Reason::NOT_AUTHORIZED));
    let bench = bench.crash(Survival::Nothing);
    assert!(bench.manager.logins().is_judging());
}

#[test]
fn records_are_shown_changed_and_deleted_by_command() {
    let bench = judged();
    grant(&bench, "PAY.**", "QUEUE", "ada", "PUT,GET");
    bench.mqsc("SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(ALLMQI) AUTHRMV(GET)");
    bench.mqsc("SET AUTHREC PROFILE(PAY.**) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHRMV(GET) AUTHADD(INQ)");
    let shown = bench.told("DISPLAY AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE)");
    assert!(shown.contains("PROFILE(PAY.**)") && shown.contains("PROFILE(PAY.IN)"), "{shown}");
    assert!(shown.contains("ENTITY(ada)") && shown.contains("AUTHLIST(INQ,PUT)"), "{shown}");
    assert!(shown.contains("ENTTYPE(GROUP)") && shown.contains("OBJTYPE(QUEUE)"), "{shown}");
    let exact = bench.told("DISPLAY AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) MATCH(EXACT) ENTITY");
    assert!(exact.contains("staff") && !exact.contains("ada") && !exact.contains("AUTHLIST"), "{exact}");
    let wildcard = bench.told("DISPLAY AUTHREC PROFILE('PAY.*') MATCH(WILDCARD)");
    assert!(wildcard.contains("PAY.IN") && !wildcard.contains("SELF"), "{wildcard}");
    let one = bench.told("DISPLAY AUTHREC AUTHLIST PRINCIPAL('ada') WHERE(PROFILE EQ 'PAY.**')");
    assert!(one.contains("AUTHLIST(INQ,PUT)"), "{one}");
    let of = bench.told("DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QUEUE) OBJNAME(PAY.X)");
    assert!(of.contains("AUTHLIST(INQ,PUT)") && of.contains("OBJNAME(PAY.X)"), "{of}");
    let service = bench.told("DISPLAY AUTHSERV ALL");
    assert!(service.contains("UIDSUPP(YES)") && service.contains("IFVER(6)"), "{service}");
    bench.mqsc("DELETE AUTHREC PROFILE(PAY.**) OBJTYPE(QUEUE) PRINCIPAL('ada')");
    let gone = bench.refused("DELETE AUTHREC PROFILE(PAY.**) OBJTYPE(QUEUE) PRINCIPAL('ada')");
    assert!(gone.contains("user ada") && gone.contains("PAY.**"), "{gone}");
    let none = bench.refused("DELETE AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) GROUP('staff','absent')");
    assert!(none.contains("absent"), "{none}");
    assert!(bench.told("DISPLAY AUTHREC").contains("staff"), "all or none are deleted");
}

#[test]
fn records_survive_a_crash_and_a_checkpoint() {
    let mut bench = judged();
    grant(&bench, "PAY.**", "QUEUE", "ada", "PUT");
    grant(&bench, "@CLASS", "QUEUE", "ada", "CRT");
    bench.mqsc("SET AUTHREC PROFILE(top) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(NONE)");
    for round in 0..3 {
        let shown = bench.told("DISPLAY AUTHREC ALL");
        if round == 1 {
            bench.pass(std::time::Duration::from_secs(61));
            bench.run_jobs();
            revoke(&bench, "PAY.**", "QUEUE", "ada", "PUT");
            grant(&bench, "PAY.**", "QUEUE", "ada", "PUT");
        }
        bench = bench.crash(Survival::Nothing);
        assert_eq!(bench.told("DISPLAY AUTHREC ALL"), shown, "round {round}");
        let mut ada = bench.connect_user("ada");
        assert_eq!(put1(&mut ada, &queue("PAY.IN"), PutFlags::NO_SYNCPOINT), Ok(()));
        assert_eq!(ada.try_open("PAY.IN", INPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    }
}

fn queue(name: &str) -> ObjectDescriptor {
    ObjectDescriptor::queue(name.parse().unwrap())
}

#[test]
fn an_object_takes_the_records_for_its_very_name_along_also_through_a_crash() {
    let bench = judged();
    bench.mqsc("DEFINE PROCESS(WORK)");
    for (profile, object_type) in
        [("PAY.IN", "QUEUE"), ("PAY.*", "QUEUE"), ("TOP", "TOPIC"), ("WORK", "PROCESS")]
    {
        let right = if object_type == "TOPIC" { "PUB" } else { "INQ" };
        grant(&bench, profile, object_type, "ada", right);
    }
    let mut ada = bench.connect_user("ada");
    let handle = ada.open("PAY.IN", OpenOptions::INQUIRE);
    open(&bench.manager, ada.connection.close(handle, CloseOptions::EMPTY)).unwrap();
    bench.mqsc("DELETE QLOCAL(PAY.IN)\nDELETE TOPIC(TOP)\nDELETE PROCESS(WORK)");
    let left = bench.told("DISPLAY AUTHREC PRINCIPAL('ada') ALL");
    assert!(left.contains("PAY.*") && left.matches("PROFILE(").count() == 1, "{left}");
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.told("DISPLAY AUTHREC PRINCIPAL('ada') ALL"), left);
    // One that is made anew under the name has none of the old rights.
    bench.mqsc("DELETE AUTHREC PROFILE(PAY.*) OBJTYPE(QUEUE) PRINCIPAL('ada')");
    bench.mqsc("DEFINE TOPIC(TOP) TOPICSTR('top')\nDEFINE QLOCAL(PAY.IN)\nDEFINE PROCESS(WORK)");
    let mut ada = bench.connect_user("ada");
    let process = ObjectDescriptor { object_type: ObjectType::Process, ..queue("WORK") };
    for (object, options) in [
        (queue("PAY.IN"), OpenOptions::INQUIRE),
        (ObjectDescriptor::topic("top"), OUTPUT),
        (process, OpenOptions::INQUIRE),
    ] {
        let opened = open(&bench.manager, ada.connection.open(&object, options)).map(drop);
        assert_eq!(opened, Err(Reason::NOT_AUTHORIZED), "{object:?}");
    }
    drop(ada);
    grant(&bench, "PAY.IN", "QUEUE", "ada", "PUT");
    let bench = bench.crash(Survival::Nothing);
    let shown = bench.told("DISPLAY AUTHREC PRINCIPAL('ada') ALL");
    assert!(shown.contains("PROFILE(PAY.IN)") && !shown.contains("OBJTYPE(TOPIC)"), "{shown}");
}

#[test]
fn a_right_that_is_taken_away_counts_at_once_for_each_verb_on_an_open_handle() {
    let bench = judged();
    grant(&bench, "PAY.IN", "QUEUE", "ada", "ALLMQI");
    grant(&bench, "PAY.IN", "QUEUE", "bob", "ALLMQI");
    let (mut ada, mut bob) = (bench.connect_user("ada"), bench.connect_user("bob"));
    let [output, input] = [OUTPUT, INPUT].map(|options| ada.open("PAY.IN", options));
    let look = ada.open("PAY.IN", BROWSE);
    let inquiry = ada.open("PAY.IN", OpenOptions::INQUIRE);
    let setting = ada.open("PAY.IN", OpenOptions::SET);
    let alias = {
        grant(&bench, "BY.ALIAS", "QUEUE", "ada", "PUT");
        ada.open("BY.ALIAS", OUTPUT)
    };
    let bobs = bob.open("PAY.IN", INPUT | OUTPUT);
    bob.put(bobs, true, "of bob");
    ada.put(output, true, "of ada");
    // A change that takes nothing from her ends nothing.
    grant(&bench, "PAY.OUT", "QUEUE", "bob", "PUT");
    ada.put(output, true, "more");
    assert_eq!(refusals(&bench), 0);
    revoke(&bench, "PAY.IN", "QUEUE", "ada", "ALLMQI");
    assert_eq!(try_put(&mut ada, output), Err(Reason::NOT_AUTHORIZED));
    assert_eq!(ada.get(input).unwrap_err(), Reason::NOT_AUTHORIZED);
    let browse = GetOptions::with(GetFlags::BROWSE_FIRST, Wait::No);
    let descriptor = MessageDescriptor::default();
    assert_eq!(ada.get_with(look, &descriptor, &browse, 100).unwrap_err(), Reason::NOT_AUTHORIZED);
    let selector = mqi::Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH);
    let inquired = open(&bench.manager, ada.connection.inquire(inquiry, &[selector]));
    assert_eq!(inquired.map(drop), Err(Reason::NOT_AUTHORIZED));
    let value = (mqi::Selector(mqi::constants::MQIA_INHIBIT_PUT), mqi::AttributeValue::Integer(1));
    let set = open(&bench.manager, ada.connection.set(setting, &[value]));
    assert_eq!(set, Err(Reason::NOT_AUTHORIZED));
    assert_eq!(refusals(&bench), 5, "each refusal is one record");
    // What an alias lends is its own right, and others go on.
    assert_eq!(try_put(&mut ada, alias), Ok(()));
    assert_eq!(bob.get(bobs).as_deref(), Ok("of bob"));
    // The right comes back with its record.
    grant(&bench, "PAY.IN", "QUEUE", "ada", "GET");
    assert_eq!(ada.get(input).as_deref(), Ok("of ada"));
    assert_eq!(try_put(&mut ada, output), Err(Reason::NOT_AUTHORIZED));
}

#[test]
fn a_wait_ends_when_its_right_is_taken_away_and_no_other_does() {
    let bench = judged();
    grant(&bench, "PAY.IN", "QUEUE", "ada", "GET,BROWSE");
    grant(&bench, "PAY.IN", "QUEUE", "bob", "GET");
    let mut waiting = Vec::new();
    for (user, options, flags) in [
        ("ada", INPUT, GetFlags::NO_SYNCPOINT),
        ("ada", BROWSE, GetFlags::BROWSE_FIRST),
        ("bob", INPUT, GetFlags::NO_SYNCPOINT),
    ] {
        let mut session = bench.connect_user(user);
        let handle = session.open("PAY.IN", options);
        let options = GetOptions::with(flags, Wait::Unlimited);
        let got = session.connection.get(Ask::new(
            handle,
            &MessageDescriptor::default(),
            &options,
            100,
            WaitToken(7),
        ));
        assert!(matches!(got, Get::Waiting));
        waiting.push(session);
    }
    let told = |session: &Session| {
        let outcomes = std::mem::take(&mut *session.outcomes.0.lock());
        let outcomes =
            outcomes.into_iter().map(|(token, outcome)| (token, open(&session.manager, outcome).map(drop)));
        outcomes.collect::<Vec<_>>()
    };
    revoke(&bench, "PAY.IN", "QUEUE", "ada", "GET");
    assert_eq!(told(&waiting[0]), [(7, Err(Reason::NOT_AUTHORIZED))]);
    assert_eq!((told(&waiting[1]), told(&waiting[2])), (vec![], vec![]));
    bench.mqsc("DELETE AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) PRINCIPAL('ada')");
    assert_eq!(told(&waiting[1]), [(7, Err(Reason::NOT_AUTHORIZED))]);
    let mut session = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
    let handle = session.open("PAY.IN", OUTPUT);
    session.put(handle, true, "for bob");
    assert_eq!(told(&waiting[2]), [(7, Ok(()))]);
    assert_eq!((told(&waiting[0]), told(&waiting[1])), (vec![], vec![]));
}

/// Waits of channels, of links that browse, and of programs that only look.
#[test]
fn waits_of_channels_and_links_end_with_their_right_and_leave_the_messages() {
    for way in ["series", "browsing link", "look"] {
        let bench = judged();
        grant(&bench, "PAY.IN", "QUEUE", "ada", "GET,BROWSE");
        let mut ada = bench.connect_user("ada");
        let mut root = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
        let to = root.open("PAY.IN", OUTPUT);
        let descriptor = MessageDescriptor::default();
        let wanted = Series { token: WaitToken(7), messages: 5, bytes: u64::MAX };
        let waits = match way {
            "series" => {
                let handle = ada.open("PAY.IN", INPUT);
                let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
                let mut take = |_| panic!("nothing is there yet");
                ada.connection.get(Ask {
                    take: Some(&mut take),
                    ..Ask::new(handle, &descriptor, &options, 100, wanted)
                })
            }
            "look" => {
                let handle = ada.open("PAY.IN", INPUT);
                let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
                ada.connection.get(Ask {
                    purpose: GetPurpose::Look,
                    ..Ask::new(handle, &descriptor, &options, 0, WaitToken(7))
                })
            }
            _ => {
                let handle = ada.open("PAY.IN", BROWSE);
                let options = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::Unlimited);
                ada.connection.get(Ask {
                    purpose: GetPurpose::BrowseForLink,
                    ..Ask::new(handle, &descriptor, &options, 100, WaitToken(7))
                })
            }
        };
        assert!(matches!(waits, Get::Waiting), "{way}");
        let told = |session: &Session| {
            let outcomes = std::mem::take(&mut *session.outcomes.0.lock());
            let outcomes = outcomes.into_iter().map(|(_, outcome)| open(&session.manager, outcome).map(drop));
            outcomes.collect::<Vec<_>>()
        };
        bench.mqsc("DELETE AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) PRINCIPAL('ada')");
        assert_eq!(told(&ada), [Err(Reason::NOT_AUTHORIZED)], "{way}");
        root.put(to, true, "kept");
        assert_eq!((told(&ada), depth_of(&bench, "PAY.IN")), (vec![], 1), "{way}");
    }
}

#[test]
fn a_refusal_after_a_change_is_not_told_before_the_change_is_durable() {
    let bench = judged();
    grant(&bench, "PAY.IN", "QUEUE", "ada", "PUT");
    let mut ada = bench.connect_user("ada");
    let handle = ada.open("PAY.IN", OUTPUT);
    let command = "SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHRMV(PUT)";
    let changed = bench.manager.execute(&mqsc::parse(command).unwrap()[0]);
    assert!(changed.need() > bench.manager.durable().lsn());
    let put = ada.connection.put(
        handle,
        &MessageDescriptor::default(),
        &PutOptions::with(PutFlags::NO_SYNCPOINT),
        Bytes::new(),
    );
    let put = put.open(bench.manager.durable()).map(drop).expect_err("it is told too early");
    let opened = ada.connection.open(&queue("PAY.IN"), OUTPUT);
    assert!(opened.open(bench.manager.durable()).is_err(), "it is told too early");
    assert_eq!(open(&bench.manager, put).map(drop), Err(Reason::NOT_AUTHORIZED));
}

#[test]
fn the_queue_of_a_model_is_its_makers_and_a_covered_name_is_not_free() {
    let mut bench = judged();
    for model in ["TEMP", "PERM"] {
        grant(&bench, model, "QUEUE", "ada", "DSP,GET,PUT");
    }
    let named =
        |name: &str, of: &str| ObjectDescriptor { dynamic_queue_name: Text::truncated(name), ..queue(of) };
    let mut ada = bench.connect_user("ada");
    let make = |session: &mut Session, name: &str, model: &str| {
        let opened = session.connection.open(&named(name, model), INPUT | OUTPUT);
        open(&session.manager, opened)
    };
    let made = make(&mut ada, "REPLY.*", "TEMP").unwrap();
    ada.put(made.handle, false, "own");
    // She opens it again, for what its maker may; another may not.
    let again = ada.open(made.object_name.as_str(), OUTPUT | OpenOptions::INQUIRE);
    let mut bob = bench.connect_user("bob");
    assert_eq!(bob.try_open(made.object_name.as_str(), OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    ada.put(again, false, "more");
    assert_eq!(ada.get(made.handle).as_deref(), Ok("own"));
    grant(&bench, "PAYROLL.**", "QUEUE", "boss", "GET");
    for is_there in [false, true] {
        if is_there {
            bench.mqsc("DEFINE QLOCAL(PAYROLL.IN)");
        }
        let queues = bench.manager.figures().queue_names();
        refusals(&bench);
        for (model, name) in [("TEMP", "PAYROLL.IN"), ("PERM", "PAYROLL.IN"), ("TEMP", "PAYROLL.*")] {
            let refused = make(&mut ada, name, model).unwrap_err();
            assert_eq!(refused, Reason::NOT_AUTHORIZED, "{name} of {model}, there: {is_there}");
            assert_eq!(refusals(&bench), 1, "{name} of {model}, there: {is_there}");
        }
        assert_eq!(bench.manager.figures().queue_names(), queues, "nothing is made, there: {is_there}");
    }
    for name in ["SYSTEM.MINE", "SYSTEM.*", "SYSTEM.ADMIN.COMMAND.QUEUE"] {
        assert_eq!(make(&mut ada, name, "TEMP").unwrap_err(), Reason::DYNAMIC_Q_NAME_ERROR, "{name}");
    }
    let permanent = make(&mut ada, "KEPT", "PERM").unwrap();
    ada.put(permanent.handle, true, "kept");
    drop(ada);
    bench = bench.crash(Survival::Nothing);
    let mut ada = bench.connect_user("ada");
    let handle = ada.open("KEPT", INPUT);
    assert_eq!(ada.get(handle).as_deref(), Ok("kept"));
    let closed = ada.connection.close(handle, CloseOptions::DELETE);
    assert_eq!(open(&bench.manager, closed), Ok(None));
    let shown = bench.refused("DISPLAY QLOCAL(KEPT)");
    assert!(shown.contains("not found"), "{shown}");
    assert!(!bench.told("DISPLAY AUTHREC").contains("KEPT"), "its record goes with it");
}

/// The record is her right: without it she has none, and with less of it no more than that. The handle that
/// made the queue goes on.
#[test]
fn the_maker_of_a_queue_whose_record_is_taken_away_has_no_right_to_it() {
    let open_as = |bench: &Bench, options| {
        let mut ada = bench.connect_user("ada");
        ada.try_open("KEPT", options).map(drop)
    };
    for (lost, puts, gets) in [
        ("DELETE AUTHREC PROFILE(KEPT) OBJTYPE(QUEUE) PRINCIPAL('ada')", false, false),
        ("SET AUTHREC PROFILE(KEPT) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHRMV(ALL)", false, false),
        ("SET AUTHREC PROFILE(KEPT) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHRMV(GET)", true, false),
    ] {
        let bench = judged();
        bench.mqsc("ALTER QMODEL(PERM) SHARE DEFSOPT(SHARED)");
        grant(&bench, "PERM", "QUEUE", "ada", "DSP,GET,PUT");
        let mut maker = bench.connect_user("ada");
        let model = ObjectDescriptor { dynamic_queue_name: Text::truncated("KEPT"), ..queue("PERM") };
        let made = maker.connection.open(&model, INPUT | OUTPUT);
        let made = open(&bench.manager, made).unwrap().handle;
        let mut second = bench.connect_user("ada");
        let before = second.open("KEPT", INPUT);
        assert_eq!((open_as(&bench, OUTPUT), open_as(&bench, INPUT)), (Ok(()), Ok(())), "{lost}");
        bench.mqsc(lost);
        let right = |has: bool| if has { Ok(()) } else { Err(Reason::NOT_AUTHORIZED) };
        assert_eq!(open_as(&bench, OUTPUT), right(puts), "{lost}");
        assert_eq!(open_as(&bench, INPUT), right(gets), "{lost}");
        assert_eq!(second.get(before), Err(Reason::NOT_AUTHORIZED), "{lost}");
        maker.put(made, true, "hers");
        assert_eq!(maker.get(made).as_deref(), Ok("hers"), "{lost}");
    }
}

/// A command that an administrator puts on a queue is one there alone, also where it waits for its reader.
#[test]
fn a_command_of_an_administrator_is_none_where_it_was_moved_to() {
    for is_persistent in [false, true] {
        let bench = judged();
        let mut root = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
        let handle = root.open("PAY.IN", OUTPUT);
        let command = MessageDescriptor {
            format: Text::truncated("MQADMIN"),
            ..crate::support::message(is_persistent)
        };
        for _ in 0..2 {
            root.try_put(handle, &command, PutFlags::NO_SYNCPOINT, "a command").unwrap();
        }
        let is_of_administrator = |queue: &str| {
            let mut session = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
            let handle = session.open(queue, INPUT);
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let got = session.get_with(handle, &MessageDescriptor::default(), &options, 100).unwrap();
            got.descriptor.is_of_administrator()
        };
        assert!(is_of_administrator("PAY.IN"), "persistent: {is_persistent}");
        let closed = root.connection.close(handle, CloseOptions::EMPTY);
        open(&bench.manager, closed).unwrap();
        bench.mqsc("MOVE QLOCAL(PAY.IN) TOQLOCAL(PAY.OUT)");
        assert!(!is_of_administrator("PAY.OUT"), "persistent: {is_persistent}");
    }
}

#[test]
fn a_topic_is_allowed_by_the_nearest_object_or_one_above_it() {
    let bench = judged();
    grant(&bench, "TOP", "TOPIC", "ada", "PUB,SUB");
    grant(&bench, "DEEP", "TOPIC", "bob", "PUB");
    let publish = |user: &str, topic: ObjectDescriptor| {
        let mut session = bench.connect_user(user);
        put1(&mut session, &topic, PutFlags::NO_SYNCPOINT)
    };
    let refused = Err(Reason::NOT_AUTHORIZED);
    for (topic, by_ada, by_bob) in [
        ("top", Ok(()), refused),
        ("top/a", Ok(()), refused),
        ("top/a/b", Ok(()), Ok(())),
        ("top/a/b/c", Ok(()), Ok(())),
        ("other", refused, refused),
        ("$SYS/MQ/x", refused, refused),
    ] {
        assert_eq!(publish("ada", ObjectDescriptor::topic(topic)), by_ada, "{topic}");
        assert_eq!(publish("bob", ObjectDescriptor::topic(topic)), by_bob, "{topic}");
    }
    // By the alias its own right is needed too.
    assert_eq!(publish("ada", queue("BY.TOPIC")), refused);
    grant(&bench, "BY.TOPIC", "QUEUE", "ada", "PUT");
    assert_eq!(publish("ada", queue("BY.TOPIC")), Ok(()));
    let subscribe = |user: &str, topic: &str| {
        let mut session = bench.connect_user(user);
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
        let subscribed = session.connection.subscribe(&SubscriptionDescriptor::to(topic, options), None);
        open(&bench.manager, subscribed).map(drop)
    };
    for (topic, expected) in [
        ("top/#", Ok(())),
        ("top/+/b", Ok(())),
        ("#", refused),
        ("+/a", refused),
        ("top", Ok(())),
        ("other/#", refused),
    ] {
        assert_eq!(subscribe("ada", topic), expected, "{topic}");
    }
    assert_eq!(subscribe("bob", "top/a/b"), refused);
}

#[test]
fn a_user_acts_for_another_by_that_users_rights_and_no_name_is_an_administrator() {
    let bench = judged();
    grant(&bench, "PAY.IN", "QUEUE", "boss", "PUT");
    let for_user =
        |user: &str| ObjectDescriptor { alternate_user_identifier: Text::truncated(user), ..queue("PAY.IN") };
    let alternate = PutFlags::ALTERNATE_USER_AUTHORITY | PutFlags::NO_SYNCPOINT;
    let mut clerk = bench.connect_user("clerk");
    assert_eq!(put1(&mut clerk, &for_user("boss"), alternate), Err(Reason::NOT_AUTHORIZED));
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('clerk') AUTHADD(ALTUSR)");
    assert_eq!(put1(&mut clerk, &for_user("boss"), alternate), Ok(()));
    refusals(&bench);
    for name in ["root", "mqm", "ferrymq", "nobody", ""] {
        assert_eq!(put1(&mut clerk, &for_user(name), alternate), Err(Reason::NOT_AUTHORIZED), "{name}");
        assert_eq!(refusals(&bench), 1, "{name}");
    }
    assert_eq!(depth_of(&bench, "PAY.IN"), 1);
    let mut root = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
    assert_eq!(put1(&mut root, &for_user("boss"), alternate), Ok(()));
    assert_eq!(put1(&mut root, &for_user("root"), alternate), Err(Reason::NOT_AUTHORIZED));
    assert_eq!(put1(&mut root, &queue("PAY.IN"), PutFlags::NO_SYNCPOINT), Ok(()));
}

#[test]
fn a_user_subscribes_for_another_by_that_users_rights_and_the_subscription_is_the_others() {
    let bench = judged();
    grant(&bench, "TOP", "TOPIC", "boss", "SUB,RESUME");
    grant(&bench, "PAY.OUT", "QUEUE", "boss", "PUT,GET,BROWSE,INQ");
    let (create, managed) = (SubscribeOptions::CREATE, SubscribeOptions::MANAGED);
    let wanted = |user: &str, options: SubscribeOptions| SubscriptionDescriptor {
        alternate_user_identifier: Text::truncated(user),
        ..SubscriptionDescriptor::to("top/#", options | SubscribeOptions::ALTERNATE_USER_AUTHORITY)
    };
    let subscribe = |session: &mut Session, wanted: &SubscriptionDescriptor, queue| {
        open(&bench.manager, session.connection.subscribe(wanted, queue))
    };
    let refused = Some(Reason::NOT_AUTHORIZED);
    let mut clerk = bench.connect_user("clerk");
    let for_boss = wanted("boss", create | managed);
    assert_eq!(subscribe(&mut clerk, &for_boss, None).err(), refused, "without ALTUSR");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('clerk') AUTHADD(ALTUSR)");
    let subscribed = subscribe(&mut clerk, &for_boss, None).unwrap();
    for name in ["root", "mqm", "nobody", ""] {
        let wanted = wanted(name, create | managed);
        assert_eq!(subscribe(&mut clerk, &wanted, None).err(), refused, "{name}");
    }
    let own = SubscriptionDescriptor::to("top/#", create | managed);
    assert_eq!(subscribe(&mut clerk, &own, None).err(), refused, "the rights of boss alone count");
    assert!(bench.told("DISPLAY SUB('*') SUBUSER").contains("SUBUSER(boss)"));
    let mut root = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
    put1(&mut root, &ObjectDescriptor::topic("top/x"), PutFlags::NO_SYNCPOINT).unwrap();
    assert!(clerk.get(subscribed.queue.unwrap()).is_ok());
    // The queue of the program, when it is given and when it is asked for again.
    grant(&bench, "PAY.OUT", "QUEUE", "clerk", "GET");
    grant(&bench, "PAY.IN", "QUEUE", "clerk", "GET");
    let durable = SubscribeOptions::DURABLE;
    let named = |options| SubscriptionDescriptor { name: "S".to_owned(), ..wanted("boss", options) };
    let given = clerk.open("PAY.IN", INPUT);
    let on_other = subscribe(&mut clerk, &named(create | durable), Some(given));
    assert_eq!(on_other.err(), refused, "boss may not put there");
    let given = clerk.open("PAY.OUT", INPUT);
    let subscribed = subscribe(&mut clerk, &named(create | durable), Some(given)).unwrap();
    open(&bench.manager, clerk.connection.close(subscribed.subscription, CloseOptions::KEEP_SUB)).unwrap();
    let resumed = subscribe(&mut clerk, &named(SubscribeOptions::RESUME | durable), None).unwrap();
    assert!(resumed.queue.is_some(), "boss may get there");
    // It goes with the rights of boss.
    revoke(&bench, "TOP", "TOPIC", "boss", "SUB,RESUME");
    assert!(bench.told("DISPLAY SUB('S') STOPPED").contains("STOPPED(YES)"));
}

#[test]
fn a_name_that_is_not_there_is_refused_like_one_that_is() {
    let bench = judged();
    bench.mqsc("DEFINE PROCESS(WORK)\nDEFINE NAMELIST(NAMES)");
    let mut ada = bench.connect_user("ada");
    let before = bench.manager.log().state();
    refusals(&bench);
    for name in ["PAY.IN", "ABSENT", "SYSTEM.ADMIN.COMMAND.QUEUE"] {
        for options in [OUTPUT, INPUT, BROWSE, OpenOptions::INQUIRE, OpenOptions::SET] {
            assert_eq!(
                ada.try_open(name, options).unwrap_err(),
                Reason::NOT_AUTHORIZED,
                "{name} {options:?}"
            );
            assert_eq!(refusals(&bench), 1, "{name} {options:?}");
        }
        let put = put1(&mut ada, &queue(name), PutFlags::NO_SYNCPOINT);
        assert_eq!((put, refusals(&bench)), (Err(Reason::NOT_AUTHORIZED), 1), "{name}");
    }
    for (object_type, name) in [
        (ObjectType::Process, "WORK"),
        (ObjectType::Process, "ABSENT"),
        (ObjectType::Namelist, "NAMES"),
        (ObjectType::Namelist, "ABSENT"),
        (ObjectType::Topic, "TOP"),
        (ObjectType::Topic, "ABSENT"),
    ] {
        let object = ObjectDescriptor { object_type, ..queue(name) };
        let options = if object_type == ObjectType::Topic { OUTPUT } else { OpenOptions::INQUIRE };
        let opened = open(&bench.manager, ada.connection.open(&object, options)).map(drop);
        assert_eq!((opened, refusals(&bench)), (Err(Reason::NOT_AUTHORIZED), 1), "{object_type:?} {name}");
    }
    assert_eq!(bench.manager.log().state(), before, "nothing is made");
    grant(&bench, "**", "QUEUE", "ada", "PUT");
    assert_eq!(ada.try_open("ABSENT", OUTPUT).unwrap_err(), Reason::UNKNOWN_OBJECT_NAME);
}

#[test]
fn users_whose_names_begin_alike_have_each_the_rights_of_their_own_records() {
    let bench = judged();
    grant(&bench, "PAY.IN", "QUEUE", "payments-east", "PUT");
    grant(&bench, "PAY.OUT", "QUEUE", "payments-eas", "PUT");
    refusals(&bench);
    for (user, allowed) in [
        ("payments-east", Some("PAY.IN")),
        ("payments-eas", Some("PAY.OUT")),
        ("payments-easter", None),
        ("payments-easT", None),
        ("PAYMENTS-EAST", None),
    ] {
        let mut session = bench.connect_user(user);
        for name in ["PAY.IN", "PAY.OUT"] {
            let put = put1(&mut session, &queue(name), PutFlags::NO_SYNCPOINT);
            let is_allowed = allowed == Some(name);
            assert_eq!(put.is_ok(), is_allowed, "{user} {name}: {put:?}");
            let recorded: Vec<String> =
                bench.host.refusals.lock().drain(..).map(|refusal| refusal.user.name().to_owned()).collect();
            let expected = if is_allowed { vec![] } else { vec![user] };
            assert_eq!(recorded, expected, "{name}: the record has the whole name");
        }
    }
}

#[test]
fn a_refusal_says_which_right_is_missing_and_the_command_that_gives_it() {
    let bench = judged();
    grant(&bench, "PAY.**", "QUEUE", "ada", "GET");
    let mut ada = bench.connect_user("ada");
    ada.try_open("PAY.IN", OUTPUT).unwrap_err();
    let refusal = bench.host.refusals.lock().pop().unwrap();
    let why = refusal.explanation.expect("the records decided");
    assert_eq!((why.user.as_str(), why.name.as_str()), ("ada", "PAY.IN"));
    assert_eq!((why.needed.to_string(), why.had.to_string()), ("PUT".to_owned(), "GET".to_owned()));
    let deciding = "PROFILE('PAY.**') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHLIST(GET)";
    assert_eq!(why.deciding.as_deref(), Some(deciding));
    let remedy = why.remedy.expect("a record allows it");
    assert_eq!(remedy, "SET AUTHREC PROFILE('PAY.IN') OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(GET,PUT)");
    bench.mqsc(&remedy);
    assert!(ada.try_open("PAY.IN", OUTPUT).is_ok());
    assert!(ada.try_open("PAY.IN", INPUT).is_ok(), "what the wider profile gave stays");
    // The narrowest is for that queue, and system objects have none.
    assert_eq!(ada.try_open("PAY.OUT", OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    ada.try_open("SYSTEM.ADMIN.COMMAND.QUEUE", OUTPUT).unwrap_err();
    assert_eq!(bench.host.refusals.lock().pop().unwrap().explanation.unwrap().remedy, None);
    // A name that closes the quotes is a name.
    let strange = "x') GROUP('nobody";
    let mut session = bench.connect_user(strange);
    session.try_open("PAY.IN", OUTPUT).unwrap_err();
    let remedy = bench.host.refusals.lock().pop().unwrap().explanation.unwrap().remedy.unwrap();
    bench.mqsc(&remedy);
    assert!(session.try_open("PAY.IN", OUTPUT).is_ok(), "{remedy}");
    assert_eq!(bench.connect_user("eve").try_open("PAY.IN", OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
}

#[test]
fn commands_need_their_rights_and_a_definition_lends_no_more_than_its_user_has() {
    let bench = judged();
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('adm') AUTHADD(CONNECT,DSP)");
    let told = |text: &str| told_as(&bench, principal("adm"), text);
    let refused = |text: &str| {
        let response = told(text);
        assert!(response.to_string().contains("2035"), "{text}: {response}");
    };
    let done = |text: &str| {
        let response = told(text);
        assert!(response.is_ok(), "{text}: {response}");
    };
    refused("DEFINE QLOCAL(NEW)");
    grant(&bench, "@CLASS", "QUEUE", "adm", "CRT");
    refused("DEFINE QLOCAL(NEW)");
    grant(&bench, "SYSTEM.DEFAULT.**", "QUEUE", "adm", "DSP");
    done("DEFINE QLOCAL(NEW)");
    refused("DEFINE QLOCAL(NEW) REPLACE");
    grant(&bench, "NEW", "QUEUE", "adm", "CHG,DSP");
    done("DEFINE QLOCAL(NEW) REPLACE");
    done("ALTER QLOCAL(NEW) DESCR('x')");
    refused("DELETE QLOCAL(NEW)");
    refused("CLEAR QLOCAL(NEW)");
    refused("DEFINE QALIAS(MINE) TARGET(PAY.IN)");
    refused("ALTER QLOCAL(NEW) BOQNAME(PAY.IN)");
    grant(&bench, "PAY.IN", "QUEUE", "adm", "PUT");
    done("ALTER QLOCAL(NEW) BOQNAME(PAY.IN)");
    refused("DEFINE QALIAS(MINE) TARGET(PAY.IN)");
    grant(&bench, "PAY.IN", "QUEUE", "adm", "ALLMQI");
    done("DEFINE QALIAS(MINE) TARGET(PAY.IN)");
    grant(&bench, "@CLASS", "CHANNEL", "adm", "CRT");
    grant(&bench, "SYSTEM.DEF.**", "CHANNEL", "adm", "DSP");
    done("DEFINE CHANNEL(C) CHLTYPE(SVRCONN) MCAUSER('adm')");
    refused("DEFINE CHANNEL(C2) CHLTYPE(SVRCONN) MCAUSER('root')");
    refused("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('adm') AUTHADD(CHG)");
    refused("ALTER QMGR DESCR('x')");
    let several = told("DISPLAY QUEUE(*)").to_string();
    assert!(several.contains("QUEUE(NEW)") && !several.contains("PAY.OUT"), "{several}");
    refused("DISPLAY QUEUE(PAY.OUT)");
    bench.mqsc("DEFINE SUB(OF.ADM) TOPICSTR('top') DEST(PAY.OUT) SUBUSER('adm')");
    refused("DELETE SUB(OF.ADM)");
    let shown = bench.told("DISPLAY SUB(OF.ADM) SUBID");
    let digits = shown.split("SUBID(").nth(1).unwrap().split(')').next().unwrap().to_owned();
    refused(&format!("DELETE SUB SUBID({digits})"));
    grant(&bench, "TOP", "TOPIC", "adm", "SUB");
    done("DELETE SUB(OF.ADM)");
    let administrators = told_as(&bench, administrator(), "ALTER QMGR DESCR('x')");
    assert!(administrators.is_ok(), "{administrators}");
}

#[test]
fn a_transmission_queue_that_is_named_itself_needs_setall_on_both() {
    let bench = judged();
    grant(&bench, "XMIT", "QUEUE", "ada", "PUT");
    let mut ada = bench.connect_user("ada");
    assert_eq!(ada.try_open("XMIT", OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    grant(&bench, "XMIT", "QUEUE", "ada", "SETALL");
    assert_eq!(ada.try_open("XMIT", OUTPUT).unwrap_err(), Reason::NOT_AUTHORIZED);
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('ada') AUTHADD(CONNECT,SETALL)");
    let handle = ada.open("XMIT", OUTPUT);
    // Put to another use, the definition of an open handle counts as it is.
    bench.mqsc("ALTER QLOCAL(PAY.IN) DESCR('not open')");
    assert_eq!(try_put(&mut ada, handle), Ok(()));
}

#[test]
fn refusals_make_events_where_the_queue_manager_is_to_tell_them() {
    let bench = judged();
    let mut ada = bench.connect_user("ada");
    ada.try_open("PAY.IN", OUTPUT).unwrap_err();
    bench.mqsc("ALTER QMGR AUTHOREV(ENABLED)");
    ada.try_open("PAY.IN", OUTPUT).unwrap_err();
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHRMV(CONNECT)");
    assert!(bench.try_connect_by(principal("ada"), [0; 16], 0).is_err());
    let mut root = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
    let handle = root.open("SYSTEM.ADMIN.QMGR.EVENT", INPUT);
    let mut event = || {
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let got = root.get_with(handle, &MessageDescriptor::default(), &options, 4096);
        let message =
            objects::pcf::Message::decode(&got.ok()?.body, objects::pcf::ByteOrder::NATIVE).unwrap();
        Some((message.header.reason, message.parameters))
    };
    assert_eq!(event().expect("the start is told").0, mqi::constants::MQRC_Q_MGR_ACTIVE);
    let (reason, parameters) = event().expect("the second refusal is told");
    assert_eq!(reason, mqi::constants::MQRC_NOT_AUTHORIZED);
    let has = |parameter: objects::pcf::Parameter| assert!(parameters.contains(&parameter), "{parameters:?}");
    has(objects::pcf::Parameter::integer(
        mqi::constants::MQIACF_REASON_QUALIFIER,
        mqi::constants::MQRQ_OPEN_NOT_AUTHORIZED,
    ));
    has(objects::pcf::Parameter::text(mqi::constants::MQCACF_USER_IDENTIFIER, "ada"));
    let (_, parameters) = event().expect("the connection is told");
    let qualifier = objects::pcf::Parameter::integer(
        mqi::constants::MQIACF_REASON_QUALIFIER,
        mqi::constants::MQRQ_CONN_NOT_AUTHORIZED,
    );
    assert!(parameters.contains(&qualifier), "{parameters:?}");
    assert!(event().is_none(), "the first was not to be told");
}

#[test]
fn a_subscription_whose_user_loses_the_right_is_given_no_more_until_the_right_is_back() {
    let mut bench = judged();
    bench.mqsc("ALTER TOPIC(TOP) DEFPSIST(YES)");
    grant(&bench, "TOP", "TOPIC", "ada", "SUB,RESUME,PUB");
    grant(&bench, "TOP", "TOPIC", "bob", "SUB");
    let durable = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let subscribe = |bench: &Bench, user: &str| {
        let mut session = bench.connect_user(user);
        let wanted = SubscriptionDescriptor {
            name: format!("OF.{user}"),
            ..SubscriptionDescriptor::to("top/#", durable | SubscribeOptions::RESUME)
        };
        let subscribed = open(&bench.manager, session.connection.subscribe(&wanted, None));
        subscribed.map(|subscribed| (session, subscribed))
    };
    let publish = |bench: &Bench| {
        let mut root = bench.try_connect_by(administrator(), [0; 16], 0).unwrap();
        put1(&mut root, &ObjectDescriptor::topic("top/x"), PutFlags::NO_SYNCPOINT).unwrap();
    };
    let depth = |bench: &Bench, name: &str| {
        let shown = bench.told(&format!("DISPLAY SUB('{name}') DEST"));
        depth_of(bench, shown.split("DEST(").nth(1).unwrap().split(')').next().unwrap())
    };
    let (mut ada, subscribed) = subscribe(&bench, "ada").unwrap();
    drop(subscribe(&bench, "bob").unwrap());
    bench.mqsc("DEFINE SUB(OF.ADMIN) TOPICSTR('top/#') DEST(PAY.OUT)");
    publish(&bench);
    let got = |session: &mut Session| session.get(subscribed.queue.unwrap()).map(drop);
    assert_eq!(got(&mut ada), Ok(()));
    revoke(&bench, "TOP", "TOPIC", "ada", "SUB,RESUME");
    assert_eq!(got(&mut ada), Err(Reason::NOT_AUTHORIZED), "nor is the queue hers any more");
    let options = mqi::RequestOptions::EMPTY;
    let action = mqi::constants::MQSR_ACTION_PUBLICATION;
    let requested = ada.connection.request_publications(subscribed.subscription, action, options);
    assert_eq!(open(&bench.manager, requested), Err(Reason::NOT_AUTHORIZED));
    assert!(bench.told("DISPLAY SUB('OF.ada') STOPPED").contains("STOPPED(YES)"));
    publish(&bench);
    bench = bench.crash(Survival::Nothing);
    publish(&bench);
    assert_eq!((depth(&bench, "OF.ada"), depth(&bench, "OF.bob")), (0, 3));
    assert_eq!(depth_of(&bench, "PAY.OUT"), 3, "subscriptions of the administrator go on");
    assert_eq!(subscribe(&bench, "ada").err(), Some(Reason::NOT_AUTHORIZED));
    grant(&bench, "TOP", "TOPIC", "ada", "SUB,RESUME");
    publish(&bench);
    assert_eq!((depth(&bench, "OF.ada"), depth(&bench, "OF.bob")), (1, 4));
    assert!(bench.told("DISPLAY SUB('OF.ada') STOPPED").contains("STOPPED(NO)"));
    assert!(subscribe(&bench, "ada").is_ok());
}

#[test]
fn a_subscription_and_a_wait_whose_right_came_through_a_group_end_with_the_record_and_with_the_membership() {
    let durable = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    for takes_record in [true, false] {
        let bench = judged();
        let staff = [("ada", "staff"), ("bob", "staff")];
        bench.host.groups.lock().extend(staff);
        bench.mqsc("SET AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(SUB,RESUME)");
        bench.mqsc("SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) GROUP('staff') AUTHADD(GET)");
        grant(&bench, "TOP", "TOPIC", "bob", "SUB");
        let subscribe = |user: &str| {
            let mut session = bench.connect_user(user);
            let name = format!("OF.{user}");
            let wanted = SubscriptionDescriptor { name, ..SubscriptionDescriptor::to("top/#", durable) };
            let subscribed = open(&bench.manager, session.connection.subscribe(&wanted, None)).unwrap();
            (session, subscribed.queue.unwrap())
        };
        let wait = |session: &mut Session, handle| {
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
            let token = WaitToken(7);
            let got =
                session.connection.get(Ask::new(handle, &MessageDescriptor::default(), &options, 100, token));
            assert!(matches!(got, Get::Waiting));
        };
        let (mut ada, of_ada) = subscribe("ada");
        drop(subscribe("bob"));
        wait(&mut ada, of_ada);
        let mut at_queue = bench.connect_user("ada");
        let handle = at_queue.open("PAY.IN", INPUT);
        wait(&mut at_queue, handle);
        if takes_record {
            bench.mqsc("DELETE AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) GROUP('staff')");
            bench.mqsc("DELETE AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) GROUP('staff')");
        } else {
            bench.host.groups.lock().clear();
            bench.manager.logins().groups_changed();
        }
        for session in [&ada, &at_queue] {
            let outcomes = std::mem::take(&mut *session.outcomes.0.lock());
            let told = outcomes.into_iter().map(|(_, outcome)| open(&bench.manager, outcome).map(drop));
            let told: Vec<_> = told.collect();
            assert_eq!(told, [Err(Reason::NOT_AUTHORIZED)], "record: {takes_record}");
        }
        let stopped = |user: &str| bench.told(&format!("DISPLAY SUB('OF.{user}') STOPPED"));
        assert!(stopped("ada").contains("STOPPED(YES)"), "record: {takes_record}");
        assert!(stopped("bob").contains("STOPPED(NO)"), "a record of bob's own allows it");
        if !takes_record {
            bench.host.groups.lock().extend(staff);
            bench.manager.logins().groups_changed();
            assert!(stopped("ada").contains("STOPPED(NO)"), "it goes on once the user is back");
        }
    }
}

#[test]
fn a_subscription_whose_user_left_the_group_while_the_queue_manager_was_down_is_given_no_more() {
    let durable = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
    let stopped = |bench: &Bench, user: &str| {
        bench.told(&format!("DISPLAY SUB('OF.{user}') STOPPED")).contains("STOPPED(YES)")
    };
    for survival in [Survival::Nothing, Survival::Everything] {
        let bench = judged();
        bench.host.groups.lock().extend([("ada", "staff"), ("bob", "staff"), ("eve", "staff")]);
        bench.mqsc("SET AUTHREC PROFILE(TOP) OBJTYPE(TOPIC) GROUP('staff') AUTHADD(SUB,RESUME)");
        grant(&bench, "TOP", "TOPIC", "bob", "SUB");
        for principal in [principal("ada"), principal("bob"), principal("eve"), administrator()] {
            let name = format!("OF.{}", principal.name());
            let mut session = bench.try_connect_by(principal, [0; 16], 0).unwrap();
            let wanted = SubscriptionDescriptor { name, ..SubscriptionDescriptor::to("top/#", durable) };
            open(&bench.manager, session.connection.subscribe(&wanted, None)).unwrap();
        }
        let bench = bench.crash(survival);
        *bench.host.groups.lock() = vec![("eve", "staff")];
        bench.manager.logins().groups_changed();
        let found = ["ada", "bob", "eve", "root"].map(|user| stopped(&bench, user));
        assert_eq!(found, [true, false, false, false], "ada's right came through the group alone");
        bench.host.groups.lock().push(("ada", "staff"));
        bench.manager.logins().groups_changed();
        assert!(!stopped(&bench, "ada"), "it goes on once the user is back");
        // And through a further restart.
        let bench = bench.crash(survival);
        bench.host.groups.lock().clear();
        bench.manager.logins().groups_changed();
        let found = ["ada", "bob", "eve", "root"].map(|user| stopped(&bench, user));
        assert_eq!(found, [true, false, true, false]);
    }
}

#[test]
fn a_report_goes_where_the_user_of_its_message_may_put_and_else_to_the_dead_letter_queue() {
    let bench = judged();
    bench.mqsc("DEFINE QLOCAL(LETTERS)\nDEFINE QLOCAL(SECRET)\nALTER QMGR DEADQ(LETTERS)");
    for user in ["ada", "payments-east"] {
        grant(&bench, "PAY.**", "QUEUE", user, "PUT,GET");
    }
    bench.host.groups.lock().push(("payments-east", "staff"));
    let send = |user: &str, reply_to: &str, report: ReportOptions| {
        let mut session = bench.connect_user(user);
        let descriptor = MessageDescriptor {
            report,
            reply_to_queue: reply_to.parse().unwrap(),
            ..MessageDescriptor::default()
        };
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = session.connection.put1(&queue("PAY.IN"), &descriptor, &options, Bytes::from_static(b"x"));
        assert!(open(&bench.manager, put).is_ok(), "the message itself is put");
        let from = session.open("PAY.IN", INPUT);
        assert_eq!(session.get(from).as_deref(), Ok("x"));
    };
    let depths = || ["SECRET", "PAY.OUT", "LETTERS"].map(|queue| depth_of(&bench, queue));
    refusals(&bench);
    for (number, report) in
        (1..).zip([ReportOptions::COA, ReportOptions::COD, ReportOptions::COA_WITH_FULL_DATA])
    {
        send("ada", "SECRET", report);
        assert_eq!(depths(), [0, 0, number], "{report:?}");
        assert_eq!(refusals(&bench), 1, "{report:?}");
    }
    send("ada", "PAY.OUT", ReportOptions::COA | ReportOptions::COD);
    assert_eq!(depths(), [0, 2, 3]);
    // A user is found by what of its name a message carries.
    send("payments-east", "PAY.OUT", ReportOptions::COA);
    send("payments-east", "SECRET", ReportOptions::COA);
    assert_eq!(depths(), [0, 3, 4]);
    // An expiry is on nobody's thread.
    let mut ada = bench.connect_user("ada");
    let descriptor = MessageDescriptor {
        report: ReportOptions::EXPIRATION,
        reply_to_queue: "SECRET".parse().unwrap(),
        expiry: mqi::Expiry::tenths(10),
        ..MessageDescriptor::default()
    };
    let put = ada.connection.put1(
        &queue("PAY.IN"),
        &descriptor,
        &PutOptions::with(PutFlags::NO_SYNCPOINT),
        Bytes::from_static(b"x"),
    );
    assert!(open(&bench.manager, put).is_ok());
    bench.pass(std::time::Duration::from_secs(5));
    bench.keep_house();
    assert_eq!(depths(), [0, 3, 5]);
}

#[test]
fn a_topic_object_that_goes_takes_its_rights_from_open_handles_and_one_below_adds_some() {
    let bench = judged();
    grant(&bench, "DEEP", "TOPIC", "ada", "PUB");
    let mut ada = bench.connect_user("ada");
    let opened = ada.connection.open(&ObjectDescriptor::topic("top/a/b/c"), OUTPUT);
    let handle = open(&bench.manager, opened).unwrap().handle;
    ada.put(handle, false, "x");
    bench.mqsc("DELETE TOPIC(DEEP)");
    assert_eq!(try_put(&mut ada, handle), Err(Reason::NOT_AUTHORIZED));
    grant(&bench, "DEEPER", "TOPIC", "ada", "PUB");
    assert_eq!(try_put(&mut ada, handle), Err(Reason::NOT_AUTHORIZED));
    bench.mqsc("DEFINE TOPIC(DEEPER) TOPICSTR('top/a/b')");
    assert_eq!(try_put(&mut ada, handle), Ok(()));
}

#[test]
fn issuers_with_a_list_of_revoked_certificates_outlast_crashes_and_are_bounded() {
    let bench = Bench::new();
    let issuers: Vec<String> = (0..64).map(|number| format!("30{number:02x}")).collect();
    issuers.iter().for_each(|issuer| bench.manager.logins().revocation_lists().remember(issuer).unwrap());
    let full = bench.manager.logins().revocation_lists().remember("ffff").unwrap_err().to_string();
    assert!(full.contains("64 issuers"), "{full}");
    bench.open(bench.manager.logins().begin_judging()).unwrap();
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.manager.logins().revocation_lists().issuers(), issuers);
    bench.told("ALTER QMGR DESCR('other')");
    bench.manager.logins().revocation_lists().forget("3000").unwrap();
    bench.open(bench.manager.execute(&mqsc::parse("ALTER QMGR DESCR('again')").unwrap()[0]));
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.manager.logins().revocation_lists().issuers(), issuers[1..]);
    // No display and no dump has them.
    let shown = bench.told("DISPLAY QMGR ALL");
    assert!(!shown.contains("REVOKERS") && !shown.contains("3001"), "{shown}");
}

#[test]
fn crt_that_is_given_for_names_is_told_to_have_no_effect_and_for_a_type_it_is_not() {
    use mqi::constants::*;
    use objects::pcf::{self, Content, Header, Parameter};
    let bench = judged();
    for (records, rights, is_told) in [
        ("PROFILE('PAY.**') OBJTYPE(QUEUE)", "AUTHADD(CRT)", true),
        ("PROFILE('**') OBJTYPE(TOPIC)", "AUTHADD(ALL,CRT)", true),
        ("PROFILE('PAY.IN') OBJTYPE(QUEUE)", "AUTHADD(PUT,CRT) AUTHRMV(GET)", true),
        ("PROFILE('@CLASS') OBJTYPE(QUEUE)", "AUTHADD(CRT)", false),
        ("OBJTYPE(QMGR)", "AUTHADD(CRT)", false),
        ("PROFILE('PAY.**') OBJTYPE(QUEUE)", "AUTHADD(ALL)", false),
        ("PROFILE('PAY.**') OBJTYPE(QUEUE)", "AUTHRMV(CRT)", false),
    ] {
        let told = bench.told(&format!("SET AUTHREC {records} PRINCIPAL('ada') {rights}"));
        assert_eq!(told.contains("FRY8869W"), is_told, "{records} {rights}: {told}");
    }
    // In binary form the record is set, with a warning.
    for (profile, completion, reason) in
        [("PAY.**", MQCC_WARNING, MQRCCF_AUTH_VALUE_ERROR), ("@CLASS", MQCC_OK, MQRC_NONE)]
    {
        let parameters = vec![
            Parameter::text(MQCACF_AUTH_PROFILE_NAME, profile),
            Parameter::integer(MQIACF_OBJECT_TYPE, MQOT_Q),
            Parameter::new(MQCACF_PRINCIPAL_ENTITY_NAMES, Content::Texts(vec!["bob".to_owned()])),
            Parameter::integer(MQIACF_AUTH_ADD_AUTHS, MQAUTH_CREATE),
        ];
        let message = pcf::Message { header: Header::command(MQCMD_SET_AUTH_REC), parameters };
        let request = pcf::request(&message).unwrap();
        let pcf::Request::Command(command) = &request else { panic!("{request:?}") };
        let response = bench.open(bench.manager.execute(command));
        let answers = pcf::responses(MQCMD_SET_AUTH_REC, &request, &response);
        let [answer] = &answers[..] else { panic!("{answers:?}") };
        assert_eq!((answer.header.completion, answer.header.reason), (completion, reason), "{profile}");
        let shown = bench.told("DISPLAY AUTHREC PRINCIPAL('bob')");
        assert!(shown.contains(&format!("PROFILE({profile})")) && shown.contains("AUTHLIST(CRT)"), "{shown}");
    }
}

/// A user with the right to make objects of each type, and to see those that they are made like.
fn maker(bench: &Bench) -> Principal {
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(ALL,CRT)");
    for object_type in [
        "QUEUE", "TOPIC", "PROCESS", "NAMELIST", "CHANNEL", "CLNTCONN", "LISTENER", "AUTHINFO", "COMMINFO",
        "SERVICE", "BRIDGE", "PIPE",
    ] {
        grant(bench, "**", object_type, "eve", "ALL");
    }
    principal("eve")
}

#[test]
fn only_an_administrator_makes_objects_with_names_of_the_system() {
    let bench = judged();
    let eve = maker(&bench);
    for (kind, more) in [
        ("QLOCAL", ""),
        ("QALIAS", "TARGET(PAY.IN)"),
        ("QREMOTE", "RNAME(X) RQMNAME(FAR) XMITQ(XMIT)"),
        ("QMODEL", ""),
        ("TOPIC", "TOPICSTR('mine')"),
        ("PROCESS", ""),
        ("NAMELIST", ""),
        ("CHANNEL", "CHLTYPE(SVRCONN)"),
        ("CHANNEL", "CHLTYPE(RCVR)"),
        ("CHANNEL", "CHLTYPE(AMQP)"),
        ("CHANNEL", "CHLTYPE(CLNTCONN) CONNAME('h')"),
        ("LISTENER", "TRPTYPE(TCP)"),
        ("AUTHINFO", "AUTHTYPE(IDPWOS)"),
        ("COMMINFO", "TYPE(MULTICAST)"),
        ("BRIDGE", "CONNAME('h')"),
        ("PIPE", "BRIDGE(B) QUEUE(PAY.IN) FOREIGN('X')"),
        ("SUB", "TOPICSTR('top') DEST(PAY.OUT)"),
    ] {
        grant(&bench, "FAR", "RQMNAME", "eve", "PUT");
        for replace in ["", " REPLACE"] {
            let define = |name: &str| format!("DEFINE {kind}({name}) {more}{replace}");
            let refused = told_as(&bench, eve.clone(), &define("SYSTEM.EVE"));
            assert!(!refused.is_ok() && refused.to_string().contains("2035"), "{kind} {more}: {refused}");
            let made = told_as(&bench, eve.clone(), &define("SYSTEMS.EVE"));
            assert!(made.is_ok(), "{kind} {more}: {made}");
            let deleted = format!(
                "DELETE {kind}(SYSTEMS.EVE){}",
                if more.contains("CLNTCONN") { " CHLTABLE(CLNTTAB)" } else { "" }
            );
            bench.mqsc(&deleted);
        }
    }
    let refusal = bench.host.refusals.lock().last().unwrap().clone();
    assert_eq!(refusal.explanation.unwrap().remedy, None);
    let checked = bench
        .told("DISPLAY ENTAUTH PRINCIPAL('eve') OBJTYPE(QUEUE) OBJNAME(SYSTEM.EVE) RUNCHECK(DEFINE) ALL");
    assert!(checked.contains("FRY8891I") && checked.contains("for administrators"), "{checked}");
    let made = told_as(&bench, administrator(), "DEFINE QLOCAL(SYSTEM.ROOT)");
    assert!(made.is_ok(), "{made}");
    // One that is there is changed by those with the right to it.
    for command in ["ALTER QLOCAL(SYSTEM.ROOT) DESCR('x')", "DEFINE QLOCAL(SYSTEM.ROOT) REPLACE"] {
        let changed = told_as(&bench, eve.clone(), command);
        assert!(changed.is_ok(), "{changed}");
    }
    // Before requests are judged, everybody is an administrator.
    let free = Bench::new();
    let made = told_as(&free, principal("eve"), "DEFINE QLOCAL(SYSTEM.EVE)");
    assert!(made.is_ok(), "{made}");
}

#[test]
fn no_program_makes_a_queue_with_a_name_of_the_system_from_a_model() {
    let bench = judged();
    maker(&bench);
    let mut eve = bench.connect_user("eve");
    for name in ["SYSTEM.EVE", "SYSTEM.*", "SYSTEM.EVE.*"] {
        let object = ObjectDescriptor {
            dynamic_queue_name: Text::truncated(name),
            ..ObjectDescriptor::queue("PERM".parse().unwrap())
        };
        let opened = eve.connection.open(&object, OUTPUT);
        assert_eq!(open(&bench.manager, opened).err(), Some(Reason::DYNAMIC_Q_NAME_ERROR), "{name}");
    }
}
