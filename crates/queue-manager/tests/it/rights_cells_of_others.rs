//! S6: the cells of subscriptions of others and of reports, one right at a time like those of `rights_cells`.

use bytes::Bytes;
use mqi::{
    CloseOptions, Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, PutFlags, PutOptions,
    Reason, ReportOptions, SubscribeOptions, SubscriptionDescriptor, Text, Wait, constants,
};
use objects::{Command, mqsc, pcf};
use queue_manager::{Arrived, Destinations, Identity, Issuer, Principal};
use security::authority::{ObjectType, Set};

use crate::rights_cells::{Cells, Needed, joined, needs};
use crate::support::{Bench, INPUT, Session, open, principal};

const MANAGER: (&str, ObjectType, &str) = ("qmgr", ObjectType::QueueManager, "SELF");
const TOPIC: (&str, ObjectType, &str) = ("object", ObjectType::Topic, "TOP");

fn as_administrator(bench: &Bench, text: &str) {
    let administrator = Principal::administrator("root", Identity::Kernel).unwrap();
    let issuer = Issuer { principal: administrator, ..Issuer::default() };
    for command in &mqsc::parse(text).unwrap() {
        let response = bench.open(bench.manager.execute_for(&issuer, command));
        assert!(response.is_ok(), "{text}: {response}");
    }
}

/// Now and then the log is given room again.
fn give_room(bench: &Bench, calls: &mut usize) {
    *calls += 1;
    if calls.is_multiple_of(20) {
        bench.pass(std::time::Duration::from_secs(61));
        bench.run_jobs();
    }
}

fn text(command: &str) -> Command {
    mqsc::parse(command).unwrap().remove(0)
}

/// A command on the subscription S in binary form.
fn binary(number: i32, parameters: Vec<pcf::Parameter>) -> Command {
    let name = pcf::Parameter::text(constants::MQCACF_SUB_NAME, "S");
    let parameters = [vec![name], parameters].concat();
    let message = pcf::Message { header: pcf::Header::command(number), parameters };
    match pcf::request(&message).unwrap() {
        pcf::Request::Command(command) => command,
        other => panic!("{other:?}"),
    }
}

/// Executes a command as the user of the cells; true when it is refused.
fn is_refused(bench: &Bench, command: &Command) -> bool {
    let issuer = Issuer { principal: principal("cell"), ..Issuer::default() };
    bench.open(bench.manager.execute_for(&issuer, command)).to_string().contains("FRY8135E")
}

#[test]
fn each_command_on_a_subscription_of_another_needs_the_rights_of_the_table_and_no_other() {
    let (mut cells, mut calls) = (Cells::new(), 0);
    let queue = ("destination", ObjectType::Queue, "PAY.OUT");
    let whose = |user: &str, fixed: &str| {
        format!("DEFINE SUB(S) TOPICSTR('top/x') DEST(PAY.IN) SUBUSER('{user}') VARUSER({fixed}) REPLACE")
    };
    for (user, of_another) in [("boss", true), ("", true), ("cell", false)] {
        for fixed in ["ANY", "FIXED"] {
            let of = if of_another { "delete subscription of another" } else { "delete subscription" };
            let changed = needs("command", of, "");
            let made = joined(changed.clone(), needs("command", "define subscription", ""));
            let data = pcf::Parameter::text(constants::MQCACF_SUB_USER_DATA, "x");
            let to = pcf::Parameter::text(constants::MQCACF_DESTINATION, "PAY.OUT");
            let defined = "DEFINE SUB(S) TOPICSTR('top/x') DEST(PAY.OUT) REPLACE";
            for (command, needed, objects) in [
                (text("ALTER SUB(S) USERDATA('x')"), &changed, vec![TOPIC, MANAGER]),
                (text("ALTER SUB(S) DEST(PAY.OUT)"), &made, vec![TOPIC, MANAGER, queue]),
                (text("DELETE SUB(S)"), &changed, vec![TOPIC, MANAGER]),
                (text(defined), &made, vec![TOPIC, MANAGER, queue]),
                (binary(constants::MQCMD_CHANGE_SUBSCRIPTION, vec![data]), &changed, vec![TOPIC, MANAGER]),
                (binary(constants::MQCMD_CHANGE_SUBSCRIPTION, vec![to]), &made, vec![TOPIC, MANAGER, queue]),
                (binary(constants::MQCMD_DELETE_SUBSCRIPTION, vec![]), &changed, vec![TOPIC, MANAGER]),
            ] {
                cells.try_each(&format!("{command} of '{user}'"), &objects, needed, &mut |_, bench| {
                    give_room(bench, &mut calls);
                    as_administrator(bench, &whose(user, fixed));
                    is_refused(bench, &command)
                });
            }
        }
    }
    println!("{} cells", cells.count);
    assert!(cells.wrong.is_empty(), "{} of {}: {:#?}", cells.wrong.len(), cells.count, cells.wrong);
    assert!(cells.count >= 400, "{} cells", cells.count);
}

#[test]
fn each_use_of_a_subscription_of_another_needs_the_rights_of_the_table_and_no_other() {
    let (mut cells, mut calls) = (Cells::new(), 0);
    let (managed, durable) = (SubscribeOptions::MANAGED, SubscribeOptions::DURABLE);
    let any = SubscribeOptions::ANY_USERID;
    let named = |topic: &str, options| SubscriptionDescriptor {
        name: "S".to_owned(),
        ..SubscriptionDescriptor::to(topic, options | managed | durable | any)
    };
    let (create, alter) = (SubscribeOptions::CREATE, SubscribeOptions::ALTER);
    let resume = SubscribeOptions::RESUME;
    let administrator = Principal::administrator("root", Identity::Kernel).unwrap();
    let mut root = cells.bench.try_connect_by(administrator, [0; 16], 0).unwrap();
    let made = root.connection.subscribe(&named("top/x", create), None);
    let made = open(&cells.bench.manager, made).unwrap();
    open(&cells.bench.manager, root.connection.close(made.subscription, CloseOptions::KEEP_SUB)).unwrap();
    for (case, user) in [("managed another", "boss"), ("managed open", "cell")] {
        for (option, options, topic) in [
            ("RESUME", resume, ""),
            ("RESUME", resume, "top/x"),
            ("ALTER", alter, "top/x"),
            ("ALTER", alter, ""),
            ("CREATE RESUME", create | resume, "top/x"),
            ("CREATE ALTER", create | alter, "top/x"),
        ] {
            let needed = needs("subscribe", case, option);
            let what = format!("MQSUB {case} {option} '{topic}'");
            cells.try_each(&what, &[TOPIC, MANAGER], &needed, &mut |session, bench| {
                give_room(bench, &mut calls);
                as_administrator(bench, &format!("ALTER SUB(S) SUBUSER('{user}')"));
                let found = session.connection.subscribe(&named(topic, options), None);
                let found = open(&bench.manager, found);
                if let Ok(found) = &found {
                    let queue = session.connection.close(found.queue.unwrap(), CloseOptions::EMPTY);
                    open(&bench.manager, queue).unwrap();
                    let closed = session.connection.close(found.subscription, CloseOptions::KEEP_SUB);
                    open(&bench.manager, closed).unwrap();
                }
                found.err() == Some(Reason::NOT_AUTHORIZED)
            });
        }
    }
    println!("{} cells", cells.count);
    assert!(cells.wrong.is_empty(), "{} of {}: {:#?}", cells.wrong.len(), cells.count, cells.wrong);
    assert!(cells.count >= 200, "{} cells", cells.count);
}

/// A message of the user of the cells, or one that a channel brings in that or another name: its report needs
/// the right to put on the reply-to queue, and nothing else.
#[test]
fn each_report_needs_the_right_to_put_on_its_queue_and_no_other() {
    type Send = fn(&mut Session, &Bench, &MessageDescriptor);
    let by_program: Send = |session, bench, descriptor| {
        let object = ObjectDescriptor::queue("PAY.IN".parse().unwrap());
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = session.connection.put1(&object, descriptor, &options, Bytes::from_static(b"x"));
        open(&bench.manager, put).unwrap();
    };
    let bring = |session: &mut Session, bench: &Bench, descriptor: &MessageDescriptor, user: &str| {
        let descriptor = MessageDescriptor { user_identifier: Text::truncated(user), ..descriptor.clone() };
        let arrived = Arrived {
            queue: "PAY.IN".parse().unwrap(),
            queue_manager: "TEST".parse().unwrap(),
            hops: 0,
            descriptor,
            body: Bytes::from_static(b"x"),
        };
        let put = session.connection.arrivals().put(&mut Destinations::default(), &arrived, false);
        open(&bench.manager, put).unwrap();
    };
    let mut cells = Cells::new();
    cells.bench.mqsc(
        "DEFINE QLOCAL(LETTERS)\nALTER QMGR DEADQ(LETTERS)\n\
         SET AUTHREC PROFILE(PAY.IN) OBJTYPE(QUEUE) PRINCIPAL('cell','mca') AUTHADD(PUT,SETALL)\n\
         SET AUTHREC PROFILE(PAY.OUT) OBJTYPE(QUEUE) PRINCIPAL('mca','pay') AUTHADD(PUT)\n\
         SET AUTHREC PROFILE(OTHER) OBJTYPE(RQMNAME) PRINCIPAL('mca','pay') AUTHADD(PUT)\n\
         SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('cell','mca') AUTHADD(CONNECT,SETALL)",
    );
    let administrator = Principal::administrator("root", Identity::Kernel).unwrap();
    let mut root = cells.bench.try_connect_by(administrator, [0; 16], 0).unwrap();
    let mut mca = cells.bench.connect_user("mca");
    let taken = root.open("PAY.IN", INPUT);
    let letters = root.open("LETTERS", INPUT);
    let needed = Needed::from([("object", Set::PUT)]);
    let reports =
        [ReportOptions::COA_WITH_FULL_DATA, ReportOptions::COD_WITH_DATA, ReportOptions::EXPIRATION];
    let places = [
        ("object", ObjectType::Queue, "PAY.OUT", ""),
        ("object", ObjectType::RemoteQueueManager, "OTHER", "OTHER"),
    ];
    for report in reports {
        for (on, object_type, name, manager) in places {
            let descriptor = MessageDescriptor {
                report,
                reply_to_queue: "PAY.OUT".parse().unwrap(),
                reply_to_queue_manager: manager.parse().unwrap(),
                expiry: Expiry::tenths(600),
                ..MessageDescriptor::default()
            };
            for how in ["by a program", "MCAUSER of a channel", "UserIdentifier by a channel"] {
                let what = format!("{report:?} {how}");
                cells.try_each(&what, &[(on, object_type, name)], &needed, &mut |session, bench| {
                    match how {
                        "by a program" => by_program(session, bench, &descriptor),
                        "MCAUSER of a channel" => bring(session, bench, &descriptor, "pay"),
                        _ => bring(&mut mca, bench, &descriptor, "cell"),
                    }
                    if report == ReportOptions::EXPIRATION {
                        bench.pass(std::time::Duration::from_secs(61));
                        bench.keep_house();
                    } else {
                        root.get(taken).unwrap();
                    }
                    let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
                    root.get_with(letters, &MessageDescriptor::default(), &options, 1 << 10).is_ok()
                });
            }
        }
    }
    println!("{} cells", cells.count);
    assert!(cells.wrong.is_empty(), "{} of {}: {:#?}", cells.wrong.len(), cells.count, cells.wrong);
    assert!(cells.count >= 100, "{} cells", cells.count);
}
