//! Reports, and the rights by which they reach a queue: those of the user that the message names, of the
//! login that put it in another's name, and an administrator's own, which stay with the message.

use bytes::Bytes;
use mqi::{
    Expiry, GetFlags, GetOptions, MessageDescriptor, MessageFlags, ObjectDescriptor, ObjectHandle,
    OpenOptions, PutFlags, PutOptions, Reason, ReportOptions, SubscribeOptions, SubscriptionDescriptor, Text,
    Wait,
};
use platform::simulated::Survival;
use queue_manager::{Arrived, Ask, ChannelPlace, Destinations, Gated, Identity, Principal};

use crate::support::*;

const LETTERS: &str = "LETTERS";
const SECRET: &str = "SECRET";

/// A queue manager whose requests are judged, and for whose host `root` is an administrator.
fn judged() -> Bench {
    judged_with(settings())
}

fn judged_with(settings: queue_manager::Settings) -> Bench {
    let bench = Bench::with(settings, 5);
    bench.mqsc(
        "DEFINE QLOCAL(WORK) MAXDEPTH(100000) NPMCLASS(HIGH)\nDEFINE QLOCAL(OTHER)\nDEFINE QLOCAL(SECRET)\n\
         DEFINE QLOCAL(LETTERS)\nALTER QMGR DEADQ(LETTERS)\nDEFINE QLOCAL(OWN)\nDEFINE QLOCAL(QM2) USAGE(XMITQ)\n\
         DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(QM2)\nDEFINE TOPIC(TOP) TOPICSTR('top')\n\
         SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)",
    );
    knows_root(&bench);
    bench
}

/// The name of the administrator is one that its host knows, on each start.
fn knows_root(bench: &Bench) {
    bench.host.administrators.lock().push("root");
}

fn grant(bench: &Bench, profile: &str, object_type: &str, user: &str, rights: &str) {
    bench.mqsc(&format!(
        "SET AUTHREC PROFILE('{profile}') OBJTYPE({object_type}) PRINCIPAL('{user}') AUTHADD({rights})"
    ));
}

fn root(bench: &Bench) -> Session {
    let principal = Principal::administrator("root", Identity::Kernel).unwrap();
    bench.try_connect_by(principal, [0; 16], 0).unwrap()
}

/// CURDEPTH, as the administrator sees it.
fn depth_of(bench: &Bench, queue: &str) -> i32 {
    let status = bench.told(&format!("DISPLAY QSTATUS({queue}) CURDEPTH"));
    status.split("CURDEPTH(").nth(1).unwrap().split(')').next().unwrap().parse().unwrap()
}

/// Reports that came to the queue they were asked for, and those kept as dead letters.
fn reports(bench: &Bench) -> [i32; 2] {
    [SECRET, LETTERS].map(|queue| depth_of(bench, queue))
}

/// The alias in a reply-to queue leads to this queue manager and to another in turn, and the user of the
/// messages may put to the other alone.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test has several threads")]
fn a_report_goes_where_its_user_was_judged_while_the_alias_on_its_way_changes() {
    let mut settings = settings();
    settings.storage.extent_bytes *= 16;
    let bench = judged_with(settings);
    bench.mqsc("DEFINE QREMOTE(AWAY) RQMNAME(QM2)\nALTER QLOCAL(QM2) MAXDEPTH(1000000)");
    bench.mqsc("ALTER QLOCAL(LETTERS) MAXDEPTH(1000000)");
    grant(&bench, "WORK", "QUEUE", "eve", "PUT");
    grant(&bench, "QM2", "RQMNAME", "eve", "PUT");
    let descriptor = MessageDescriptor {
        report: ReportOptions::COA,
        reply_to_queue: Text::truncated(SECRET).into(),
        reply_to_queue_manager: Text::truncated("AWAY").into(),
        ..MessageDescriptor::default()
    };
    let mut session = bench.connect_user("eve");
    let work = session.open("WORK", OpenOptions::OUTPUT);
    let has_ended = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let has_ended = &has_ended;
        scope.spawn(move || {
            for _ in 0..10_000 {
                session.try_put(work, &descriptor, PutFlags::NO_SYNCPOINT, "x").unwrap();
            }
            has_ended.store(true, std::sync::atomic::Ordering::Release);
        });
        for turn in 0..2_000 {
            if has_ended.load(std::sync::atomic::Ordering::Acquire) {
                break;
            }
            if turn % 100 == 0 {
                bench.pass(std::time::Duration::from_secs(61));
                bench.run_jobs();
            }
            bench.mqsc("ALTER QREMOTE(AWAY) RQMNAME(TEST)\nALTER QREMOTE(AWAY) RQMNAME(QM2)");
        }
    });
    assert_eq!(depth_of(&bench, SECRET), 0);
    assert!(depth_of(&bench, "QM2") > 0 && depth_of(&bench, LETTERS) > 0, "both ways were tried");
}

fn asking(report: ReportOptions) -> MessageDescriptor {
    MessageDescriptor { report, reply_to_queue: SECRET.parse().unwrap(), ..message(true) }
}

fn expiring(report: ReportOptions) -> MessageDescriptor {
    MessageDescriptor { expiry: Expiry::tenths(10_000), ..asking(report | ReportOptions::EXPIRATION) }
}

/// Lets all that expires do so.
fn expire(bench: &Bench) {
    bench.pass(std::time::Duration::from_secs(1_001));
    bench.keep_house();
    bench.keep_house();
}

fn open_with(session: &mut Session, queue: &str, options: OpenOptions, user: &str) -> ObjectHandle {
    let object = ObjectDescriptor {
        alternate_user_identifier: Text::truncated(user),
        ..ObjectDescriptor::queue(queue.parse().unwrap())
    };
    let opened = session.connection.open(&object, options);
    open(&session.manager, opened).unwrap().handle
}

/// A message with the name of the administrator, as a program that may set it makes it.
fn as_root(descriptor: MessageDescriptor) -> MessageDescriptor {
    MessageDescriptor { user_identifier: Text::truncated("root"), ..descriptor }
}

const SET_ALL: PutFlags = PutFlags::SET_ALL_CONTEXT.union(PutFlags::NO_SYNCPOINT);

/// Puts one that asks for reports of arrival and delivery, gets it, and one that expires.
fn put_and_take(
    bench: &Bench,
    session: &mut Session,
    handle: ObjectHandle,
    flags: PutFlags,
    name: fn(MessageDescriptor) -> MessageDescriptor,
) {
    let both = ReportOptions::COA_WITH_FULL_DATA | ReportOptions::COD_WITH_FULL_DATA;
    session.try_put(handle, &name(asking(both)), flags, "x").unwrap();
    let mut taker = root(bench);
    let from = taker.open("WORK", INPUT);
    assert_eq!(taker.get(from).as_deref(), Ok("x"));
    let expires = name(expiring(ReportOptions::EXPIRATION_WITH_FULL_DATA));
    session.try_put(handle, &expires, flags, "x").unwrap();
    expire(bench);
}

#[test]
fn the_name_of_an_administrator_brings_no_report_where_its_records_do_not() {
    let bench = judged();
    for user in ["eve", "ada"] {
        grant(&bench, "WORK", "QUEUE", user, "PUT,SETALL,SETID");
        grant(&bench, "SECRET", "QUEUE", user, "PUT");
        bench.mqsc(&format!("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('{user}') AUTHADD(SETALL,SETID)"));
    }
    let mut eve = bench.connect_user("eve");
    let handle = eve.open("WORK", OUTPUT | OpenOptions::SET_ALL_CONTEXT | OpenOptions::SET_IDENTITY_CONTEXT);
    let set_identity = PutFlags::SET_IDENTITY_CONTEXT | PutFlags::NO_SYNCPOINT;
    for (flags, letters) in [(SET_ALL, 3), (set_identity, 6)] {
        put_and_take(&bench, &mut eve, handle, flags, as_root);
        assert_eq!(reports(&bench), [0, letters], "{flags:?}");
    }
    // The name has the rights of its records like any other.
    grant(&bench, "SECRET", "QUEUE", "root", "PUT");
    put_and_take(&bench, &mut eve, handle, SET_ALL, as_root);
    assert_eq!(reports(&bench), [3, 6]);
}

#[test]
fn a_login_that_puts_in_the_name_of_another_needs_the_right_to_the_reply_to_queue_too() {
    let bench = judged();
    grant(&bench, "SECRET", "QUEUE", "pay", "PUT");
    grant(&bench, "WORK", "QUEUE", "eve", "PUT,GET,SETALL,PASSID,PASSALL");
    grant(&bench, "OTHER", "QUEUE", "eve", "GET");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(SETALL)");
    let pay = |descriptor| MessageDescriptor { user_identifier: Text::truncated("pay"), ..descriptor };
    let mut eve = bench.connect_user("eve");
    let handle = eve.open(
        "WORK",
        OUTPUT
            | OpenOptions::SET_ALL_CONTEXT
            | OpenOptions::PASS_ALL_CONTEXT
            | OpenOptions::PASS_IDENTITY_CONTEXT,
    );
    bench.host.refusals.lock().clear();
    put_and_take(&bench, &mut eve, handle, SET_ALL, pay);
    assert_eq!(reports(&bench), [0, 3]);
    let refused: Vec<String> = {
        let refusals = bench.host.refusals.lock();
        refusals.iter().map(|refusal| format!("{} {}", refusal.user.name(), refusal.object)).collect()
    };
    assert_eq!(
        refused, ["eve queue SECRET"; 2],
        "one record for each message, with the user that lacks the right"
    );
    // A message of pay, which eve passes on with a reply-to queue of her own choice.
    grant(&bench, "OTHER", "QUEUE", "pay", "PUT");
    let mut payer = bench.connect_user("pay");
    let to = payer.open("OTHER", OUTPUT);
    let saved = eve.open("OTHER", INPUT | OpenOptions::SAVE_ALL_CONTEXT);
    for (flag, letters) in [(PutFlags::PASS_ALL_CONTEXT, 4), (PutFlags::PASS_IDENTITY_CONTEXT, 5)] {
        payer.put(to, true, "context");
        eve.get(saved).unwrap();
        let options = PutOptions { context: Some(saved), ..PutOptions::with(flag | PutFlags::NO_SYNCPOINT) };
        let asking = asking(ReportOptions::COA_WITH_FULL_DATA);
        bench.host.refusals.lock().clear();
        let put = eve.connection.put(handle, &asking, &options, Bytes::from_static(b"x"));
        open(&bench.manager, put).unwrap();
        assert_eq!(reports(&bench), [0, letters], "{flag:?}");
        let refused: Vec<_> = bench.host.refusals.lock().drain(..).collect();
        let refused: Vec<_> = refused.iter().map(|one| (one.user.name(), &*one.object)).collect();
        assert_eq!(refused, [("eve", "queue SECRET")], "{flag:?}: one record of the program's user");
    }
    let mut taker = root(&bench);
    let from = taker.open("WORK", INPUT);
    while taker.get(from).is_ok() {}
    grant(&bench, "SECRET", "QUEUE", "eve", "PUT");
    put_and_take(&bench, &mut eve, handle, SET_ALL, pay);
    assert_eq!(reports(&bench), [3, 5]);
}

/// Gets what is on WORK, and lets the rest of its life pass.
fn take_all(bench: &Bench, queue: &str) -> usize {
    let mut taker = root(bench);
    let from = taker.open(queue, INPUT);
    let mut taken = 0;
    while taker.get(from).is_ok() {
        taken += 1;
    }
    taken
}

#[test]
fn the_reports_of_an_administrators_message_go_on_wherever_the_message_was_meanwhile() {
    type Way = (&'static str, bool, fn(Bench) -> Bench);
    let ways: [Way; 6] = [
        ("in memory", true, |bench| bench),
        ("a crash", true, |bench| bench.crash(Survival::Nothing)),
        ("a segment", true, |bench| {
            // Fills extents, so that checkpoints write what is still there to a segment.
            let mut one = root(&bench);
            let handle = one.open("OWN", INPUT | OUTPUT);
            for _ in 0..8 {
                for _ in 0..40 {
                    one.put(handle, true, &"x".repeat(40_000));
                    one.get(handle).unwrap();
                    bench.run_jobs();
                }
                bench.pass(std::time::Duration::from_secs(61));
                bench.run_jobs();
            }
            drop(one);
            assert!(!bench.machine.world().disk.list(std::path::Path::new("store")).unwrap().is_empty());
            bench.crash(Survival::Nothing)
        }),
        ("an orderly end", false, |bench| {
            bench.manager.close();
            bench.crash(Survival::Nothing)
        }),
        ("MOVE QLOCAL", true, |bench| {
            bench.mqsc(
                "MOVE QLOCAL(WORK) TOQLOCAL(OTHER) TYPE(ADD)\nMOVE QLOCAL(OTHER) TOQLOCAL(WORK) TYPE(ADD)",
            );
            bench
        }),
        ("a crash behind MOVE QLOCAL", true, |bench| {
            bench.mqsc(
                "MOVE QLOCAL(WORK) TOQLOCAL(OTHER) TYPE(ADD)\nMOVE QLOCAL(OTHER) TOQLOCAL(WORK) TYPE(ADD)",
            );
            bench.crash(Survival::Nothing)
        }),
    ];
    for (what, persistent, way) in ways {
        let bench = judged();
        let mut one = root(&bench);
        let handle = one.open("WORK", OUTPUT);
        let mut descriptors = [asking(ReportOptions::COD), expiring(ReportOptions::EMPTY)];
        for descriptor in &mut descriptors {
            descriptor.persistence = message(persistent).persistence;
            one.try_put(handle, descriptor, PutFlags::NO_SYNCPOINT, "x").unwrap();
        }
        drop(one);
        let bench = way(bench);
        knows_root(&bench);
        let mut taker = root(&bench);
        let from = taker.open("WORK", INPUT);
        assert_eq!(taker.get(from).as_deref(), Ok("x"), "{what}");
        expire(&bench);
        assert_eq!(reports(&bench), [2, 0], "{what}");
    }
}

#[test]
fn the_reports_of_messages_that_left_memory_go_by_the_same_rights() {
    for persistent in [false, true] {
        let bench = judged_with(small_memory());
        grant(&bench, "WORK", "QUEUE", "ada", "PUT");
        let (mut one, mut ada) = (root(&bench), bench.connect_user("ada"));
        let handles = [one.open("WORK", OUTPUT), ada.open("WORK", OUTPUT)];
        bench.mqsc("ALTER QLOCAL(SECRET) MAXDEPTH(100000)\nALTER QLOCAL(LETTERS) MAXDEPTH(100000)");
        let asking =
            MessageDescriptor { persistence: message(persistent).persistence, ..asking(ReportOptions::COD) };
        for number in 0..500 {
            if number % 10 == 0 {
                bench.keep_house();
            }
            one.try_put(handles[0], &asking, PutFlags::NO_SYNCPOINT, &"x".repeat(2_000)).unwrap();
            ada.try_put(handles[1], &asking, PutFlags::NO_SYNCPOINT, &"x".repeat(2_000)).unwrap();
        }
        bench.keep_house();
        assert!(bench.manager.figures().memory_used() < 2 << 20, "most left memory");
        assert_eq!(take_all(&bench, "WORK"), 1_000);
        assert_eq!(reports(&bench), [500, 500], "persistent {persistent}");
    }
}

#[test]
fn an_administrators_message_in_another_form_keeps_its_reports() {
    // In segments, on a transmission queue, as dead letter of a channel, moved by its queue for failing.
    let bench = judged();
    bench.mqsc("DEFINE QLOCAL(SMALL) MAXMSGL(64)");
    let mut one = root(&bench);
    let small = one.open("SMALL", OUTPUT);
    let in_segments =
        MessageDescriptor { message_flags: MessageFlags::SEGMENTATION_ALLOWED, ..asking(ReportOptions::COA) };
    one.try_put(small, &in_segments, PutFlags::NO_SYNCPOINT, &"x".repeat(100)).unwrap();
    assert_eq!(reports(&bench), [2, 0], "of each segment");
    let far = one.open("FAR", OUTPUT);
    one.try_put(far, &expiring(ReportOptions::EMPTY), PutFlags::NO_SYNCPOINT, "x").unwrap();
    expire(&bench);
    assert_eq!(reports(&bench), [3, 0], "it expired on the transmission queue");
    one.try_put(far, &expiring(ReportOptions::ACTIVITY), PutFlags::NO_SYNCPOINT, "x").unwrap();
    let sends = queue_manager::Outbound {
        convert_to: None,
        bytes_max: 0,
        traces: Some((
            bench.manager.channels().tracer(),
            ChannelPlace { channel: "TO.QM2".parse().unwrap(), kind: 1, partner: "QM2".to_owned() },
        )),
    };
    let from = one.open("QM2", INPUT);
    let any = MessageDescriptor::default();
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    let queue_manager::Get::Done(got) =
        one.connection.get(Ask::new(from, &any, &options, 1 << 20, queue_manager::WaitToken(9)))
    else {
        panic!("it is there")
    };
    let (_, going, report) = sends.make_ready(got, platform::Monotonic(0));
    let Ok(queue_manager::Going::Letter(letter)) = bench.open(going) else { panic!("it is too long") };
    bench.open(one.connection.arrivals().put_activity_report(&report.unwrap(), false)).unwrap();
    assert_eq!(reports(&bench), [4, 0], "its activity is told");
    bench.open(one.connection.arrivals().put_dead_letter(Gated::free(*letter), false)).unwrap();
    assert_eq!(reports(&bench), [4, 1]);
    expire(&bench);
    assert_eq!(reports(&bench), [5, 0], "of the dead letter");
}

#[test]
fn only_a_login_that_puts_for_itself_in_its_own_context_leaves_the_bit() {
    let bench = judged();
    grant(&bench, "WORK", "QUEUE", "ada", "PUT");
    let mut one = root(&bench);
    let all = OUTPUT
        | OpenOptions::SET_ALL_CONTEXT
        | OpenOptions::SET_IDENTITY_CONTEXT
        | OpenOptions::PASS_ALL_CONTEXT
        | OpenOptions::PASS_IDENTITY_CONTEXT;
    let handle = one.open("WORK", all);
    let saved = one.open("WORK", INPUT | OpenOptions::SAVE_ALL_CONTEXT);
    one.put(handle, true, "context");
    one.get(saved).unwrap();
    let mut letters = 0;
    for flag in [
        PutFlags::SET_ALL_CONTEXT,
        PutFlags::SET_IDENTITY_CONTEXT,
        PutFlags::PASS_ALL_CONTEXT,
        PutFlags::PASS_IDENTITY_CONTEXT,
        PutFlags::NO_CONTEXT,
    ] {
        let options = PutOptions { context: Some(saved), ..PutOptions::with(flag | PutFlags::NO_SYNCPOINT) };
        let asking = as_root(asking(ReportOptions::COA));
        let put = one.connection.put(handle, &asking, &options, Bytes::from_static(b"x"));
        open(&bench.manager, put).unwrap();
        letters += 1;
        assert_eq!(reports(&bench), [0, letters], "{flag:?}");
    }
    let for_ada = open_with(&mut one, "WORK", OUTPUT | OpenOptions::ALTERNATE_USER_AUTHORITY, "ada");
    one.try_put(for_ada, &asking(ReportOptions::COA), PutFlags::NO_SYNCPOINT, "x").unwrap();
    assert_eq!(reports(&bench), [0, letters + 1], "for an alternate user, by MQOPEN");
    let object = ObjectDescriptor {
        alternate_user_identifier: Text::truncated("ada"),
        ..ObjectDescriptor::queue("WORK".parse().unwrap())
    };
    let options = PutOptions::with(PutFlags::ALTERNATE_USER_AUTHORITY | PutFlags::NO_SYNCPOINT);
    let put = one.connection.put1(&object, &asking(ReportOptions::COA), &options, Bytes::from_static(b"x"));
    open(&bench.manager, put).unwrap();
    assert_eq!(reports(&bench), [0, letters + 2], "for an alternate user, by MQPUT1");
    one.try_put(handle, &asking(ReportOptions::COA), PutFlags::NO_SYNCPOINT, "x").unwrap();
    assert_eq!(reports(&bench), [1, letters + 2], "for itself");
    // What a program gets and puts again is another message.
    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
    while let Ok(got) = one.get_with(saved, &MessageDescriptor::default(), &options, 1 << 10) {
        let options = PutOptions {
            context: Some(saved),
            ..PutOptions::with(PutFlags::PASS_ALL_CONTEXT | PutFlags::NO_SYNCPOINT)
        };
        let again = open_with(&mut one, "OTHER", OUTPUT | OpenOptions::PASS_ALL_CONTEXT, "");
        let put = one.connection.put(again, &got.descriptor, &options, got.body.clone());
        open(&bench.manager, put).unwrap();
    }
    let [secret, letters_now] = reports(&bench);
    assert_eq!((secret, letters_now > letters + 2), (1, true));
}

fn arrived(queue: &str, descriptor: MessageDescriptor) -> Arrived {
    let queue_manager = "TEST".parse().unwrap();
    let body = Bytes::from_static(b"x");
    Arrived { queue: queue.parse().unwrap(), queue_manager, hops: 0, descriptor, body }
}

/// Messages that a channel brings: the user `pay` may put on the reply-to queue, and the name `root` is an
/// administrator's.
#[test]
fn the_user_of_a_channel_answers_for_the_reports_of_what_it_brings_also_later() {
    for (user, putaut_context) in [("pay", false), ("pay", true), ("root", false)] {
        let bench = judged();
        bench.mqsc("ALTER QMGR ACTIVREC(MSG)");
        for name in ["pay", "root"] {
            grant(&bench, "WORK", "QUEUE", name, "PUT");
        }
        grant(&bench, "SECRET", "QUEUE", "pay", "PUT");
        grant(&bench, "WORK", "QUEUE", "mca", "PUT,SETALL");
        bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('mca') AUTHADD(SETALL,ALTUSR)");
        let named = |descriptor| MessageDescriptor { user_identifier: Text::truncated(user), ..descriptor };
        let place = ChannelPlace { channel: "IN".parse().unwrap(), kind: 3, partner: "QM2".to_owned() };
        let mut mca = bench.connect_user("mca");
        let mut to = Destinations::new(putaut_context, Some(place));
        let bring = |bench: &Bench, mca: &mut Session, to: &mut Destinations, descriptor| {
            let put = mca.connection.arrivals().put(to, &arrived("WORK", named(descriptor)), false);
            open(&bench.manager, put).unwrap();
        };
        let at_once = ReportOptions::COA_WITH_FULL_DATA | ReportOptions::ACTIVITY;
        bring(&bench, &mut mca, &mut to, asking(at_once));
        assert_eq!(reports(&bench), [0, 2], "{user}: arrival and activity");
        bring(&bench, &mut mca, &mut to, expiring(ReportOptions::COD));
        bring(&bench, &mut mca, &mut to, asking(ReportOptions::COD));
        let full = asking(ReportOptions::EXCEPTION_WITH_FULL_DATA);
        let exception = |mca: &mut Session| {
            let refused = Gated::free(Reason::Q_FULL);
            let message = arrived("WORK", named(full.clone()));
            let (descriptor, body) = (&message.descriptor, &message.body);
            let put = mca.connection.arrivals().put_exception_report(&refused, descriptor, body, false);
            open(&mca.manager, put).unwrap();
            let letter = arrived("WORK", named(expiring(ReportOptions::EMPTY))).dead_letter(&refused);
            open(&mca.manager, mca.connection.arrivals().put_dead_letter(letter, false)).unwrap();
        };
        exception(&mut mca);
        assert_eq!(reports(&bench), [0, 4], "{user}: an exception, and a letter");
        drop(mca);
        // The verdict lasts, although the user may put there by now.
        let bench = bench.crash(Survival::Nothing);
        knows_root(&bench);
        grant(&bench, "SECRET", "QUEUE", "mca", "PUT");
        let mut taker = root(&bench);
        let from = taker.open("WORK", INPUT);
        for letters in [4, 5, 6] {
            taker.get(from).unwrap();
            assert_eq!(reports(&bench), [0, letters], "{user}: delivery behind a crash");
        }
        expire(&bench);
        assert_eq!(reports(&bench), [0, 6], "{user}: the letter went, and its report is one");
        // With the right the records of the user that is named decide.
        let mut mca = bench.connect_user("mca");
        bring(&bench, &mut mca, &mut to, asking(ReportOptions::COA));
        let expected = if user == "pay" { [1, 6] } else { [0, 7] };
        assert_eq!(reports(&bench), expected, "{user}");
    }
}

/// A partner whose channel acts as an administrator: by its MCAUSER, or by the name in its messages.
#[test]
fn a_message_that_a_partner_brings_is_never_of_an_administrator() {
    for (putaut_context, is_restarted) in [(false, false), (false, true), (true, false), (true, true)] {
        let mut bench = judged();
        let place = ChannelPlace { channel: "IN".parse().unwrap(), kind: 3, partner: "QM2".to_owned() };
        let mut to = Destinations::new(putaut_context, Some(place));
        let mut mca = root(&bench);
        for (user, is_persistent) in [("root", true), ("eve", true), ("", true), ("root", false)] {
            let command = MessageDescriptor {
                format: Text::truncated("MQADMIN"),
                user_identifier: Text::truncated(user),
                ..message(is_persistent)
            };
            let message = arrived("WORK", command);
            let put = open(&bench.manager, mca.connection.arrivals().put(&mut to, &message, false));
            // By its name it is judged, and a name never makes an administrator.
            assert_eq!(put.err(), putaut_context.then_some(Reason::NOT_AUTHORIZED), "{user:?}");
            let letter = message.dead_letter(&Gated::free(Reason::NOT_AUTHORIZED));
            open(&bench.manager, mca.connection.arrivals().put_dead_letter(letter, false)).unwrap();
        }
        drop(mca);
        if is_restarted {
            bench = bench.crash(Survival::Nothing);
        }
        let (mut taker, mut taken) = (root(&bench), 0);
        for queue in ["WORK", LETTERS] {
            let from = taker.open(queue, INPUT);
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            while let Ok(got) = taker.get_with(from, &MessageDescriptor::default(), &options, 1 << 10) {
                assert!(!got.descriptor.is_of_administrator(), "{queue}: {:?}", got.descriptor);
                taken += 1;
            }
        }
        let each = if is_restarted { 3 } else { 4 };
        assert_eq!(taken, if putaut_context { each } else { 2 * each });
    }
}

#[test]
fn an_answer_of_the_command_server_goes_where_the_user_of_its_command_may_put() {
    let bench = judged();
    grant(&bench, "SECRET", "QUEUE", "pay", "PUT");
    let part = Principal::of_part(queue_manager::Part::CommandServer);
    let mut server = bench.try_connect_by(part, [0; 16], 0).unwrap();
    for (user, expected) in [
        ("eve", Err(Reason::NOT_AUTHORIZED)),
        ("root", Err(Reason::NOT_AUTHORIZED)),
        ("", Err(Reason::NOT_AUTHORIZED)),
        ("pay", Ok(())),
    ] {
        let to = ObjectDescriptor {
            alternate_user_identifier: Text::truncated(user),
            ..ObjectDescriptor::queue(SECRET.parse().unwrap())
        };
        let options = PutOptions::with(PutFlags::ALTERNATE_USER_AUTHORITY | PutFlags::NO_SYNCPOINT);
        bench.host.refusals.lock().clear();
        let put = server.connection.put1(&to, &MessageDescriptor::default(), &options, Bytes::new());
        assert_eq!(open(&bench.manager, put).map(drop), expected, "{user:?}");
        assert_eq!(bench.host.refusals.lock().len(), usize::from(expected.is_err()), "{user:?}");
    }
    let to = ObjectDescriptor::queue(SECRET.parse().unwrap());
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    let put = server.connection.put1(&to, &MessageDescriptor::default(), &options, Bytes::new());
    assert!(open(&bench.manager, put).is_ok(), "for an administrator");
}

#[test]
fn a_publisher_has_no_report_put_by_the_right_of_its_subscriber() {
    for (publisher, expected) in [("eve", 0), ("may", 1), ("root", 1)] {
        for (persistent, subscribers) in [(false, 1), (true, 1), (false, 2), (true, 2)] {
            let bench = judged();
            for user in ["eve", "may"] {
                grant(&bench, "TOP", "TOPIC", user, "PUB");
            }
            grant(&bench, "SECRET", "QUEUE", "may", "PUT");
            grant(&bench, "SECRET", "QUEUE", "sub", "PUT");
            grant(&bench, "TOP", "TOPIC", "sub", "SUB");
            let mut subscriber = bench.connect_user("sub");
            let how = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
            let handles: Vec<ObjectHandle> = (0..subscribers)
                .map(|_| {
                    let wanted = SubscriptionDescriptor::to("top/#", how);
                    let subscribed = subscriber.connection.subscribe(&wanted, None);
                    open(&bench.manager, subscribed).unwrap().queue.unwrap()
                })
                .collect();
            let mut session = match publisher {
                "root" => root(&bench),
                user => bench.connect_user(user),
            };
            for report in [ReportOptions::COD_WITH_FULL_DATA, ReportOptions::COA_WITH_FULL_DATA] {
                let descriptor =
                    MessageDescriptor { persistence: message(persistent).persistence, ..asking(report) };
                let object = ObjectDescriptor::topic("top/x");
                let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
                let put = session.connection.put1(&object, &descriptor, &options, Bytes::from_static(b"x"));
                open(&bench.manager, put).unwrap();
                for handle in &handles {
                    subscriber.get(*handle).unwrap();
                }
            }
            let all = 2 * subscribers;
            let expected = [all * expected, all - all * expected];
            assert_eq!(reports(&bench), expected, "{publisher}, {subscribers}, persistent {persistent}");
        }
    }
}

#[test]
fn a_header_of_a_transmission_queue_that_a_program_wrote_addresses_no_report() {
    use formats::headers::{Chain, Header, Place, TransmissionHeader};
    let bench = judged();
    grant(&bench, "WORK", "QUEUE", "eve", "PUT,SETALL");
    grant(&bench, "SECRET", "QUEUE", "pay", "PUT");
    grant(&bench, "OWN", "QUEUE", "eve,pay", "PUT");
    grant(&bench, "QM2", "QUEUE", "eve", "PUT,SETALL");
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('eve') AUTHADD(SETALL)");
    let mut eve = bench.connect_user("eve");
    let handles = ["WORK", "QM2"].map(|queue| eve.open(queue, OUTPUT));
    let forged = |user: &str, reply_to: &str| {
        let descriptor = MessageDescriptor {
            user_identifier: Text::truncated(user),
            reply_to_queue: reply_to.parse().unwrap(),
            ..asking(ReportOptions::EXPIRATION_WITH_FULL_DATA)
        };
        let header = TransmissionHeader {
            remote_queue: Text::truncated("THERE"),
            remote_queue_manager: Text::truncated("QM2"),
            descriptor,
        };
        let data = Bytes::from_static(b"forged");
        let place = Place::of(&MessageDescriptor::default());
        let chain = Chain { headers: vec![Header::Transmission(Box::new(header))], place, data };
        chain.write(mqi::Encoding::NATIVE, 1208).unwrap()
    };
    let users = ["pay", "root", ""].map(|user| (user, SECRET));
    let tries = handles.iter().flat_map(|handle| users.map(|(user, reply_to)| (*handle, user, reply_to)));
    for (number, (handle, user, reply_to)) in (1..).zip(tries) {
        let (place, body) = forged(user, reply_to);
        let mut descriptor = MessageDescriptor {
            reply_to_queue: "OWN".parse().unwrap(),
            ..expiring(ReportOptions::EXPIRATION_WITH_FULL_DATA)
        };
        place.describe(&mut descriptor);
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = eve.connection.put(handle, &descriptor, &options, body);
        open(&bench.manager, put).unwrap();
        expire(&bench);
        assert_eq!(reports(&bench), [0, number], "{user:?}");
    }
}
