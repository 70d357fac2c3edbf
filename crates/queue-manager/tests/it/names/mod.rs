//! S6: the table of names against the engine. What a name is judged by is what is used, for every verb.

mod table;

use bytes::Bytes;
use mqi::{
    CloseOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Reason,
    ReportOptions, SubscribeOptions, SubscriptionDescriptor, Text,
};
use queue_manager::{Arrived, Destinations, Identity, Principal};

use crate::support::{BROWSE, Bench, INPUT, OUTPUT, Session, open};
use table::{Cell, Kind, OWN};

/// One who lacks a single record, and one who has a single record.
const USERS: [&str; 2] = ["most", "only"];

struct Names {
    bench: Bench,
    sessions: [Session; 2],
    wrong: Vec<String>,
    count: usize,
}

fn own(name: &str) -> &str {
    if name == OWN { "TEST" } else { name }
}

fn descriptor(cell: &Cell) -> ObjectDescriptor {
    ObjectDescriptor {
        object_queue_manager_name: own(cell.manager).parse().unwrap(),
        ..ObjectDescriptor::queue(cell.queue.parse().unwrap())
    }
}

impl Names {
    fn new() -> Self {
        let bench = Bench::new();
        bench.mqsc(&table::DEFINITIONS.replace(OWN, "TEST"));
        bench.mqsc(
            "DEFINE QLOCAL(ASK)\nSET AUTHREC PROFILE(ASK) OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(PUT,GET)\n\
             SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT,DSP,SETALL)\n\
             SET AUTHREC PROFILE(SYSTEM.DEFAULT.SUB) OBJTYPE(TOPIC) GROUP('nobody') AUTHADD(SUB)",
        );
        for (object_type, name) in table::records() {
            give(&bench, "most", (object_type, own(name)), "ALL");
        }
        let sessions = USERS.map(|user| bench.connect_user(user));
        Self { bench, sessions, wrong: Vec::new(), count: 0 }
    }

    /// Tries a verb of a cell with every record but the one, and with that one alone. `call` says if it was
    /// refused.
    fn try_verb(
        &mut self,
        (cell, verb): (&Cell, &str),
        rights: &str,
        of_topic: Option<&str>,
        call: &mut dyn FnMut(&mut Session, &Bench) -> bool,
    ) {
        let judged = (cell.judged.0, own(cell.judged.1));
        take(&self.bench, "most", judged);
        self.bench.host.refusals.lock().clear();
        let is_refused = call(&mut self.sessions[0], &self.bench);
        let recorded = self.bench.host.refusals.lock().len();
        give(&self.bench, "most", judged, "ALL");
        if !is_refused || recorded != 1 {
            self.note(cell, verb, &format!("every record but {judged:?}: {is_refused}, {recorded} records"));
        }
        give(&self.bench, "only", judged, rights);
        if let Some(rights) = of_topic {
            give(&self.bench, "only", ("TOPIC", "TOP"), rights);
        }
        self.bench.host.refusals.lock().clear();
        let is_refused = call(&mut self.sessions[1], &self.bench);
        let recorded = self.bench.host.refusals.lock().len();
        if is_refused || recorded != 0 {
            self.note(cell, verb, &format!("{rights} on {judged:?} alone: {is_refused}, {recorded} records"));
        }
        take(&self.bench, "only", judged);
        take(&self.bench, "only", ("TOPIC", "TOP"));
        self.count += 2;
    }

    fn note(&mut self, cell: &Cell, verb: &str, said: &str) {
        self.wrong.push(format!("{verb} of {:?} at {:?} with {said}", cell.queue, cell.manager));
    }

    /// The log has room again.
    fn rest(&self) {
        self.bench.pass(std::time::Duration::from_secs(61));
        self.bench.run_jobs();
    }

    fn end(self, count_min: usize) {
        println!("{} cells", self.count);
        assert!(self.wrong.is_empty(), "{} of {}: {:#?}", self.wrong.len(), self.count, self.wrong);
        assert!(self.count >= count_min, "{} cells", self.count);
    }
}

fn set(bench: &Bench, user: &str, (object_type, name): (&str, &str), words: &str) {
    bench.mqsc(&format!("SET AUTHREC PROFILE('{name}') OBJTYPE({object_type}) PRINCIPAL('{user}') {words}"));
}

fn give(bench: &Bench, user: &str, judged: (&str, &str), rights: &str) {
    set(bench, user, judged, &format!("AUTHADD({rights})"));
}

fn take(bench: &Bench, user: &str, judged: (&str, &str)) {
    set(bench, user, judged, "AUTHRMV(ALL)");
}

fn topic_of(cell: &Cell, rights: &'static str) -> Option<&'static str> {
    (cell.kind == Kind::Topic).then_some(rights)
}

fn depth_of(bench: &Bench, queue: &str) -> i32 {
    let status = bench.told(&format!("DISPLAY QSTATUS({queue}) CURDEPTH"));
    status.split("CURDEPTH(").nth(1).unwrap().split(')').next().unwrap().parse().unwrap()
}

#[test]
fn a_put_by_any_name_is_judged_by_the_object_where_it_goes_on() {
    let mut names = Names::new();
    for cell in table::cells() {
        let descriptor = descriptor(&cell);
        let (rights, topic) = (cell.kind.to_put(), topic_of(&cell, "PUB"));
        let mut wrong_ends = Vec::new();
        names.try_verb((&cell, "MQPUT1"), rights, topic, &mut |session, bench| {
            let lands = cell.put.ok().flatten();
            let before = lands.map(|queue| depth_of(bench, queue));
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            let message = MessageDescriptor::default();
            let put = session.connection.put1(&descriptor, &message, &options, Bytes::from_static(b"x"));
            let put = open(&bench.manager, put).map(drop);
            if put == Err(Reason::NOT_AUTHORIZED) {
                return true;
            }
            let after = lands.map(|queue| depth_of(bench, queue));
            let is_right = match cell.put {
                Ok(_) => put == Ok(()) && after == before.map(|before| before + 1),
                Err(reason) => put == Err(Reason::from_code(reason)),
            };
            if !is_right {
                wrong_ends.push(format!("{put:?}, {before:?}, {after:?}, expected {:?}", cell.put));
            }
            false
        });
        for wrong in wrong_ends {
            names.note(&cell, "MQPUT1", &wrong);
        }
        names.try_verb((&cell, "MQOPEN for output"), rights, topic, &mut |session, bench| {
            opened(session, bench, &descriptor, OUTPUT)
        });
        let context = match cell.kind {
            Kind::Elsewhere => rights.to_owned(),
            _ => format!("{rights},SETALL"),
        };
        let topic = topic_of(&cell, "PUB,SETALL");
        let options = OUTPUT | OpenOptions::SET_ALL_CONTEXT;
        names.try_verb((&cell, "MQOPEN to set context"), &context, topic, &mut |session, bench| {
            opened(session, bench, &descriptor, options)
        });
        names.rest();
    }
    names.end(590);
}

/// Opens and closes again; true if that was refused.
fn opened(session: &mut Session, bench: &Bench, descriptor: &ObjectDescriptor, options: OpenOptions) -> bool {
    let opened = open(&bench.manager, session.connection.open(descriptor, options));
    if let Ok(opened) = &opened {
        let closed = session.connection.close(opened.handle, CloseOptions::EMPTY);
        open(&bench.manager, closed).unwrap();
    }
    opened.err() == Some(Reason::NOT_AUTHORIZED)
}

#[test]
fn an_open_by_any_name_is_judged_by_that_object_for_every_verb() {
    let mut names = Names::new();
    for cell in table::cells() {
        // A record for another queue manager gives the right to put, and no more.
        if cell.kind == Kind::Elsewhere {
            continue;
        }
        let descriptor = descriptor(&cell);
        let model = if cell.kind == Kind::Model { ",DSP" } else { "" };
        for (verb, options, right) in [
            ("MQOPEN for input", INPUT, "GET"),
            ("MQOPEN to browse", BROWSE, "BROWSE"),
            ("MQOPEN to inquire", OpenOptions::INQUIRE, "INQ"),
            ("MQOPEN to set", OpenOptions::SET, "SET"),
        ] {
            let rights = format!("{right}{model}");
            // The topic behind an alias is judged once it is found to be one.
            let topic = topic_of(&cell, "ALL");
            names.try_verb((&cell, verb), &rights, topic, &mut |session, bench| {
                opened(session, bench, &descriptor, options)
            });
        }
        names.rest();
    }
    names.end(200);
}

#[test]
fn a_report_to_any_name_is_judged_by_the_object_where_it_goes_on() {
    let mut names = Names::new();
    for cell in table::cells() {
        // A reply-to queue that no queue manager is named with may be an alias of one elsewhere, which the
        // message carries in place of its own name.
        let is_alias = cell.manager.is_empty() && cell.queue == "FAR";
        let cell = match is_alias {
            true => Cell { judged: ("RQMNAME", "OTHER"), kind: Kind::Elsewhere, ..cell },
            false => cell,
        };
        let (rights, topic) = (cell.kind.to_put(), topic_of(&cell, "PUB"));
        names.try_verb((&cell, "report"), rights, topic, &mut |session, bench| {
            let message = MessageDescriptor {
                report: ReportOptions::COA,
                reply_to_queue: Text::truncated(cell.queue).into(),
                reply_to_queue_manager: Text::truncated(own(cell.manager)).into(),
                ..MessageDescriptor::default()
            };
            let ask = ObjectDescriptor::queue("ASK".parse().unwrap());
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            let put = session.connection.put1(&ask, &message, &options, Bytes::from_static(b"x"));
            open(&bench.manager, put).unwrap();
            !bench.host.refusals.lock().is_empty()
        });
        names.rest();
    }
    names.end(190);
}

/// A remote queue as the reply-to queue: the message carries its RNAME and RQMNAME, and no record for the
/// alias itself counts.
#[test]
fn a_report_by_an_alias_of_any_name_is_judged_by_the_object_where_it_goes_on() {
    let mut names = Names::new();
    for cell in table::cells() {
        let (rights, topic) = (cell.kind.to_put(), topic_of(&cell, "PUB"));
        let queue = cell.queue;
        let manager = if cell.manager.is_empty() { " " } else { own(cell.manager) };
        names.bench.mqsc(&format!("DEFINE QREMOTE(REPLY) RNAME('{queue}') RQMNAME('{manager}') REPLACE"));
        names.try_verb((&cell, "report"), rights, topic, &mut |session, bench| {
            let message = MessageDescriptor {
                report: ReportOptions::COA,
                reply_to_queue: Text::truncated("REPLY").into(),
                ..MessageDescriptor::default()
            };
            let ask = ObjectDescriptor::queue("ASK".parse().unwrap());
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            let put = session.connection.put1(&ask, &message, &options, Bytes::from_static(b"x"));
            open(&bench.manager, put).unwrap();
            !bench.host.refusals.lock().is_empty()
        });
        names.rest();
    }
    names.end(190);
}

#[test]
fn a_subscription_to_the_queue_of_any_name_is_judged_by_where_its_publications_go() {
    let mut names = Names::new();
    give(&names.bench, "most", ("TOPIC", "TOP"), "ALL");
    for cell in table::cells() {
        let Ok(Some(lands)) = cell.put else { continue };
        let descriptor = descriptor(&cell);
        // A handle names its queue as it was found, and stands for no alias.
        let judged = match (cell.kind, cell.queue) {
            (Kind::Elsewhere, _) => cell.judged,
            (_, "FAR") => ("RQMNAME", "OTHER"),
            _ => ("QUEUE", lands),
        };
        // Its administrator opens the queue for the user: what MQSUB asks for is what is tried.
        let cell = Cell { judged, ..cell };
        let administrator = Principal::administrator("root", Identity::Kernel).unwrap();
        for user in USERS {
            let named = give_by_handle(&names, &administrator, user, &cell, &descriptor);
            if let Some(said) = named {
                names.note(&cell, "MQSUB", &said);
            }
            names.count += 1;
        }
        names.rest();
    }
    names.end(50);
}

/// Subscribes for a user by a handle of an administrator, whose alternate user it is: with the right to put
/// and without. Tells what is wrong.
fn give_by_handle(
    names: &Names,
    administrator: &Principal,
    user: &'static str,
    cell: &Cell,
    descriptor: &ObjectDescriptor,
) -> Option<String> {
    let bench = &names.bench;
    give(bench, "only", ("TOPIC", "TOP"), "SUB");
    let mut session = bench.try_connect_by(administrator.clone(), [0; 16], 0).unwrap();
    let handle = open(&bench.manager, session.connection.open(descriptor, OUTPUT)).unwrap().handle;
    let wanted = SubscriptionDescriptor {
        options: SubscribeOptions::CREATE | SubscribeOptions::ALTERNATE_USER_AUTHORITY,
        object_string: "top".to_owned(),
        alternate_user_identifier: Text::truncated(user),
        ..SubscriptionDescriptor::default()
    };
    let judged = (cell.judged.0, own(cell.judged.1));
    let mut subscribed = |expected: Result<(), Reason>| {
        let subscribed = session.connection.subscribe(&wanted, Some(handle));
        let subscribed = open(&bench.manager, subscribed);
        if let Ok(subscribed) = &subscribed {
            let closed = session.connection.close(subscribed.subscription, CloseOptions::REMOVE_SUB);
            open(&bench.manager, closed).unwrap();
        }
        let subscribed = subscribed.map(drop);
        (subscribed != expected).then(|| format!("{judged:?}: {subscribed:?}, expected {expected:?}"))
    };
    let refused = Err(Reason::NOT_AUTHORIZED);
    if user == "most" {
        take(bench, user, judged);
        let wrong = subscribed(refused);
        give(bench, user, judged, "ALL");
        return wrong;
    }
    let without = subscribed(refused);
    give(bench, user, judged, "PUT");
    let with = subscribed(Ok(()));
    take(bench, user, judged);
    without.or(with)
}

#[test]
fn an_alias_that_changes_between_open_and_put_is_found_changed_and_never_leads_elsewhere() {
    let bench = Bench::new();
    bench.mqsc(&table::DEFINITIONS.replace(OWN, "TEST"));
    bench.mqsc("SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    give(&bench, "eve", ("RQMNAME", "OTHER"), "PUT");
    let mut eve = bench.connect_user("eve");
    let object = ObjectDescriptor {
        object_queue_manager_name: "FARALIAS".parse().unwrap(),
        ..ObjectDescriptor::queue("PAY.IN".parse().unwrap())
    };
    let handle = open(&bench.manager, eve.connection.open(&object, OUTPUT)).unwrap().handle;
    eve.put(handle, false, "far");
    // The alias is one for this queue manager from now on.
    bench.mqsc("ALTER QREMOTE(FARALIAS) FORCE RQMNAME(TEST) XMITQ(' ')");
    let put = eve.try_put(handle, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "here");
    assert_eq!(put.err(), Some(Reason::OBJECT_CHANGED));
    let again = open(&bench.manager, eve.connection.open(&object, OUTPUT));
    assert_eq!(again.err(), Some(Reason::NOT_AUTHORIZED));
    assert_eq!((depth_of(&bench, "PAY.IN"), depth_of(&bench, "XMIT")), (0, 1));
    // Opened for this queue manager, it goes to no other afterwards.
    give(&bench, "eve", ("QUEUE", "PAY.IN"), "PUT");
    take(&bench, "eve", ("RQMNAME", "OTHER"));
    let handle = open(&bench.manager, eve.connection.open(&object, OUTPUT)).unwrap().handle;
    eve.put(handle, false, "here");
    bench.mqsc("ALTER QREMOTE(FARALIAS) FORCE RQMNAME(OTHER) XMITQ(XMIT)");
    let put = eve.try_put(handle, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "far");
    assert_eq!(put.err(), Some(Reason::OBJECT_CHANGED));
    assert_eq!((depth_of(&bench, "PAY.IN"), depth_of(&bench, "XMIT")), (1, 1));
    // The right to the queue behind it is judged anew for an open handle as well.
    bench.mqsc("ALTER QREMOTE(FARALIAS) FORCE RQMNAME(TEST) XMITQ(' ')");
    let handle = open(&bench.manager, eve.connection.open(&object, OUTPUT)).unwrap().handle;
    take(&bench, "eve", ("QUEUE", "PAY.IN"));
    let put = eve.try_put(handle, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "here");
    assert_eq!(put.err(), Some(Reason::NOT_AUTHORIZED));
}

#[test]
fn a_default_transmission_queue_takes_messages_by_the_right_to_the_queue_manager_they_are_for() {
    let bench = Bench::new();
    bench.mqsc(&table::DEFINITIONS.replace(OWN, "TEST"));
    bench.mqsc("ALTER QMGR DEFXMITQ(XMIT)\nSET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)");
    let mut eve = bench.connect_user("eve");
    for (object_type, name) in table::records().into_iter().filter(|record| record.1 != "NOWHERE") {
        give(&bench, "eve", (object_type, own(name)), "ALL");
    }
    let object = ObjectDescriptor {
        object_queue_manager_name: "NOWHERE".parse().unwrap(),
        ..ObjectDescriptor::queue("PAY.IN".parse().unwrap())
    };
    assert!(opened(&mut eve, &bench, &object, OUTPUT));
    give(&bench, "eve", ("RQMNAME", "NOWHERE"), "PUT");
    let handle = open(&bench.manager, eve.connection.open(&object, OUTPUT)).unwrap().handle;
    eve.put(handle, false, "by default");
    assert_eq!(depth_of(&bench, "XMIT"), 1);
}

#[test]
fn a_message_that_a_channel_brings_for_any_name_is_judged_by_the_object_where_it_goes_on() {
    let mut names = Names::new();
    for cell in table::cells() {
        // A header names its queue manager, and its user sets the whole context.
        let rights = match cell.kind {
            Kind::Elsewhere => cell.kind.to_put().to_owned(),
            _ => format!("{},SETALL", cell.kind.to_put()),
        };
        names.try_verb((&cell, "arrival"), &rights, topic_of(&cell, "PUB,SETALL"), &mut |session, bench| {
            let arrived = Arrived {
                queue: cell.queue.parse().unwrap(),
                queue_manager: own(cell.manager).parse().unwrap(),
                hops: 1,
                descriptor: MessageDescriptor::default(),
                body: Bytes::from_static(b"x"),
            };
            let mut destinations = Destinations::new(false, None);
            let put = session.connection.arrivals().put(&mut destinations, &arrived, false);
            open(&bench.manager, put).err() == Some(Reason::NOT_AUTHORIZED)
        });
        names.rest();
    }
    names.end(190);
}

#[test]
fn an_answer_to_a_command_goes_to_no_queue_on_which_its_issuer_could_not_put() {
    let mut names = Names::new();
    let part = Principal::of_part(queue_manager::Part::CommandServer);
    let mut server = names.bench.try_connect_by(part, [0; 16], 0).expect("a part connects");
    let options = PutOptions::with(PutFlags::ALTERNATE_USER_AUTHORITY | PutFlags::NO_SYNCPOINT);
    for cell in table::cells() {
        let topic = topic_of(&cell, "PUB");
        // The command server puts as the user that the message names.
        for user in USERS {
            let to =
                ObjectDescriptor { alternate_user_identifier: Text::truncated(user), ..descriptor(&cell) };
            let mut is_refused = |names: &Names| {
                let put = server.connection.put1(&to, &MessageDescriptor::default(), &options, Bytes::new());
                open(&names.bench.manager, put).err() == Some(Reason::NOT_AUTHORIZED)
            };
            let judged = (cell.judged.0, own(cell.judged.1));
            let (before, after) = match user {
                "most" => {
                    take(&names.bench, user, judged);
                    let before = is_refused(&names);
                    give(&names.bench, user, judged, "ALL");
                    (before, is_refused(&names))
                }
                _ => {
                    if let Some(rights) = topic {
                        give(&names.bench, user, ("TOPIC", "TOP"), rights);
                    }
                    let before = is_refused(&names);
                    give(&names.bench, user, judged, cell.kind.to_put());
                    let after = is_refused(&names);
                    take(&names.bench, user, judged);
                    (before, after)
                }
            };
            if (before, after) != (true, false) {
                names.note(&cell, "answer", &format!("{user}: {before}, {after}"));
            }
            names.count += 2;
        }
        names.rest();
    }
    names.end(390);
}
