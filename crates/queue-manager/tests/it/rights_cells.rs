//! S6: the table of needs against the engine, one right at a time.
//!
//! Each cell gives a user every right but one on one object, and makes the call: it is refused if and only if
//! the table says that the call needs that right there, and each refusal is exactly one record.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bytes::Bytes;
use mqi::{
    MessageDescriptor, ObjectDescriptor, ObjectType as Kind, OpenOptions, PutFlags, PutOptions, Reason,
};
use objects::mqsc;
use queue_manager::{Identity, Issuer, Principal};
use security::authority::{Authority, ObjectType, Set};

use crate::support::{Bench, OUTPUT, Session, open, principal};

/// The table that calls are judged against: a second writing, which the product does not read.
const NEEDS: &str = include_str!("../../../security/facts/needs.csv");

/// The needs of a call, on the object that it names and on the queue manager; of a topic behind an alias too.
pub(crate) type Needed = BTreeMap<&'static str, Set>;

pub(crate) fn needs(call: &str, case: &str, option: &str) -> Needed {
    let mut needed = Needed::new();
    for line in NEEDS.lines().skip(1) {
        let fields: Vec<&'static str> = line.split(',').collect();
        if fields[..3] == [call, case, option] {
            let set = fields[5].split(' ').map(|word| Authority::by_keyword(word).unwrap().set());
            let own = needed.entry(fields[3]).or_default();
            *own = set.fold(*own, Set::with);
        }
    }
    needed
}

pub(crate) fn joined(one: Needed, other: Needed) -> Needed {
    other.into_iter().fold(one, |mut all, (on, set)| {
        let own = all.entry(on).or_default();
        *own = own.with(set);
        all
    })
}

/// An object of a kind of the table: its descriptor, and its records.
struct Subject {
    case: &'static str,
    descriptor: ObjectDescriptor,
    object_type: ObjectType,
    name: &'static str,
}

fn subjects() -> Vec<Subject> {
    let queue = |name: &str| ObjectDescriptor::queue(name.parse().unwrap());
    let object = |object_type, name: &str| ObjectDescriptor {
        object_type,
        object_name: name.parse().unwrap(),
        ..ObjectDescriptor::default()
    };
    let elsewhere =
        ObjectDescriptor { object_queue_manager_name: "OTHER".parse().unwrap(), ..queue("THERE") };
    [
        ("queue", queue("PAY.IN"), ObjectType::Queue, "PAY.IN"),
        ("queue", queue("BY.ALIAS"), ObjectType::Queue, "BY.ALIAS"),
        ("queue", queue("FAR"), ObjectType::Queue, "FAR"),
        ("queue", queue("ABSENT"), ObjectType::Queue, "ABSENT"),
        ("transmission", queue("XMIT"), ObjectType::Queue, "XMIT"),
        ("model", queue("TEMP"), ObjectType::Queue, "TEMP"),
        ("alias", queue("BY.TOPIC"), ObjectType::Queue, "BY.TOPIC"),
        ("topic", object(Kind::Topic, "TOP"), ObjectType::Topic, "TOP"),
        ("remote", elsewhere, ObjectType::RemoteQueueManager, "OTHER"),
        ("process", object(Kind::Process, "WORK"), ObjectType::Process, "WORK"),
        ("namelist", object(Kind::Namelist, "NAMES"), ObjectType::Namelist, "NAMES"),
        ("qmgr", object(Kind::QueueManager, ""), ObjectType::QueueManager, "SELF"),
    ]
    .map(|(case, descriptor, object_type, name)| Subject { case, descriptor, object_type, name })
    .into()
}

/// The options of the table, with those that each needs beside it to be a call at all.
const OPTIONS: [(&str, OpenOptions, &[&str]); 12] = [
    ("INQUIRE", OpenOptions::INQUIRE, &[]),
    ("SET", OpenOptions::SET, &[]),
    ("BROWSE", OpenOptions::BROWSE, &[]),
    ("INPUT_AS_Q_DEF", OpenOptions::INPUT_AS_Q_DEF, &[]),
    ("INPUT_SHARED", OpenOptions::INPUT_SHARED, &[]),
    ("INPUT_EXCLUSIVE", OpenOptions::INPUT_EXCLUSIVE, &[]),
    ("SAVE_ALL_CONTEXT", OpenOptions::SAVE_ALL_CONTEXT, &["INPUT_SHARED"]),
    ("OUTPUT", OpenOptions::OUTPUT, &[]),
    ("PASS_IDENTITY_CONTEXT", OpenOptions::PASS_IDENTITY_CONTEXT, &["OUTPUT"]),
    ("PASS_ALL_CONTEXT", OpenOptions::PASS_ALL_CONTEXT, &["OUTPUT"]),
    ("SET_IDENTITY_CONTEXT", OpenOptions::SET_IDENTITY_CONTEXT, &["OUTPUT"]),
    ("SET_ALL_CONTEXT", OpenOptions::SET_ALL_CONTEXT, &["OUTPUT"]),
];

fn option(name: &str) -> OpenOptions {
    OPTIONS.iter().find(|(own, ..)| *own == name).unwrap().1
}

pub(crate) struct Cells {
    pub(crate) bench: Bench,
    pub(crate) session: Session,
    pub(crate) count: usize,
    pub(crate) wrong: Vec<String>,
}

impl Cells {
    pub(crate) fn new() -> Self {
        let bench = Bench::new();
        bench.mqsc(
            "DEFINE QLOCAL(PAY.IN)\nDEFINE QLOCAL(PAY.OUT)\nDEFINE QALIAS(BY.ALIAS) TARGET(PAY.IN)\n\
             DEFINE QLOCAL(XMIT) USAGE(XMITQ)\nDEFINE QMODEL(TEMP) DEFTYPE(TEMPDYN)\n\
             DEFINE QREMOTE(FAR) RNAME(THERE) RQMNAME(OTHER) XMITQ(XMIT)\n\
             DEFINE QREMOTE(OTHER) RQMNAME(OTHER) XMITQ(XMIT)\n\
             DEFINE TOPIC(TOP) TOPICSTR('top')\nDEFINE QALIAS(BY.TOPIC) TARGET(TOP) TARGTYPE(TOPIC)\n\
             DEFINE PROCESS(WORK)\nDEFINE NAMELIST(NAMES)\nDEFINE LISTENER(LSR) TRPTYPE(TCP)\n\
             SET AUTHREC OBJTYPE(QMGR) PRINCIPAL('cell') AUTHADD(CONNECT)",
        );
        let session = bench.connect_user("cell");
        Self { bench, session, count: 0, wrong: Vec::new() }
    }

    /// Gives the user exactly these rights on an object.
    pub(crate) fn give(&self, object_type: ObjectType, name: &str, set: Set) {
        let all = object_type.fitting();
        self.bench.mqsc(&format!(
            "SET AUTHREC PROFILE('{name}') OBJTYPE({}) PRINCIPAL('cell') AUTHRMV({all}) AUTHADD({set})",
            object_type.keyword()
        ));
    }

    /// Tries a call with every right but one on each object, for each right that the object can have.
    pub(crate) fn try_each(
        &mut self,
        what: &str,
        objects: &[(&'static str, ObjectType, &str)],
        needed: &Needed,
        call: &mut dyn FnMut(&mut Session, &Bench) -> bool,
    ) {
        for (_, object_type, name) in objects {
            self.give(*object_type, name, object_type.fitting());
        }
        // What an object cannot have is needed in vain: no record gives it.
        let is_in_vain = objects.iter().any(|(on, object_type, _)| {
            needed.get(on).is_some_and(|needed| !object_type.fitting().contains(*needed))
        });
        for (on, object_type, name) in objects {
            let needed = needed.get(on).copied().unwrap_or_default();
            for authority in object_type.fitting().iter() {
                self.give(*object_type, name, object_type.fitting().without(authority.set()));
                self.bench.host.refusals.lock().clear();
                let is_refused = call(&mut self.session, &self.bench);
                let recorded = self.bench.host.refusals.lock().len();
                let is_needed = is_in_vain || needed.contains(authority.set());
                if is_refused != is_needed || recorded != usize::from(is_needed) {
                    let keyword = authority.keyword();
                    self.wrong.push(format!(
                        "{what} without {keyword} on {name}: refused {is_refused}, needed {is_needed}, {recorded} records"
                    ));
                }
                self.count += 1;
            }
            self.give(*object_type, name, object_type.fitting());
        }
        // The log has room again.
        self.bench.pass(std::time::Duration::from_secs(61));
        self.bench.run_jobs();
    }
}

#[test]
fn every_call_and_option_needs_the_rights_of_the_table_and_no_other() {
    let mut cells = Cells::new();
    let manager = ("qmgr", ObjectType::QueueManager, "SELF");
    for subject in subjects() {
        let own = ("object", subject.object_type, subject.name);
        let mut objects = if subject.case == "qmgr" { vec![own] } else { vec![own, manager] };
        if subject.case == "alias" {
            objects.push(("topic", ObjectType::Topic, "TOP"));
        }
        for (name, options, beside) in OPTIONS {
            let mut needed = needs("open", subject.case, name);
            // The table leaves some options out that the kind does not have.
            if needed.is_empty() {
                continue;
            }
            let mut options = options;
            for other in beside {
                needed = joined(needed, needs("open", subject.case, other));
                options |= option(other);
            }
            if subject.case == "qmgr" {
                // What is needed on the object and on the queue manager is on one object.
                let all = needed.values().copied().fold(Set::EMPTY, Set::with);
                needed = Needed::from([("object", all)]);
            }
            let descriptor = subject.descriptor.clone();
            let what = format!("MQOPEN {} {} {name}", subject.case, subject.name);
            cells.try_each(&what, &objects, &needed, &mut |session, bench| {
                let opened = open(&bench.manager, session.connection.open(&descriptor, options));
                let handle = opened.as_ref().map(|opened| opened.handle).ok();
                if let Some(handle) = handle {
                    let closed = session.connection.close(handle, mqi::CloseOptions::EMPTY);
                    open(&bench.manager, closed).unwrap();
                }
                opened.err() == Some(Reason::NOT_AUTHORIZED)
            });
        }
        let is_put = ["queue", "transmission", "alias", "topic", "remote"].contains(&subject.case);
        for (name, flag) in [
            ("OUTPUT", PutFlags::NO_SYNCPOINT),
            ("SET_IDENTITY_CONTEXT", PutFlags::SET_IDENTITY_CONTEXT),
            ("SET_ALL_CONTEXT", PutFlags::SET_ALL_CONTEXT),
        ] {
            if !is_put {
                continue;
            }
            let needed = joined(needs("open", subject.case, name), needs("open", subject.case, "OUTPUT"));
            let descriptor = subject.descriptor.clone();
            let what = format!("MQPUT1 {} {} {name}", subject.case, subject.name);
            cells.try_each(&what, &objects, &needed, &mut |session, bench| {
                let message = MessageDescriptor::default();
                let options = PutOptions::with(PutFlags::NO_SYNCPOINT | flag);
                let put = session.connection.put1(&descriptor, &message, &options, Bytes::new());
                open(&bench.manager, put).err() == Some(Reason::NOT_AUTHORIZED)
            });
        }
    }
    assert!(cells.wrong.is_empty(), "{} of {}: {:#?}", cells.wrong.len(), cells.count, cells.wrong);
    println!("{} cells", cells.count);
    assert!(cells.count >= 1_500, "{} cells", cells.count);
}

#[test]
fn every_command_needs_the_rights_of_the_table_and_no_other() {
    let mut cells = Cells::new();
    let manager = ("qmgr", ObjectType::QueueManager, "SELF");
    let (queue, channel) = (ObjectType::Queue, ObjectType::Channel);
    let mut number = 0;
    for (case, text, objects) in [
        ("alter", "ALTER QLOCAL(PAY.IN) DESCR('x')", vec![("object", queue, "PAY.IN")]),
        ("clear", "CLEAR QLOCAL(PAY.OUT)", vec![("object", queue, "PAY.OUT")]),
        ("display", "DISPLAY QLOCAL(PAY.IN)", vec![("object", queue, "PAY.IN")]),
        ("display", "DISPLAY QSTATUS(PAY.IN)", vec![("object", queue, "PAY.IN")]),
        ("display", "DISPLAY LISTENER(LSR)", vec![("object", ObjectType::Listener, "LSR")]),
        ("display queue manager", "DISPLAY QMGR", vec![]),
        ("display queue manager", "DISPLAY AUTHREC", vec![]),
        ("display queue manager", "DISPLAY CONN(*)", vec![]),
        ("administer", "ALTER QMGR DESCR('x')", vec![]),
        ("administer", "DELETE AUTHREC PROFILE(NONE) OBJTYPE(QUEUE) PRINCIPAL('x')", vec![]),
        ("administer", "STOP CONN(0000000000000001)", vec![]),
        (
            "move",
            "MOVE QLOCAL(PAY.IN) TOQLOCAL(PAY.OUT) TYPE(ADD)",
            vec![("object", queue, "PAY.IN"), ("destination", queue, "PAY.OUT")],
        ),
        ("control", "START CHANNEL(SYSTEM.DEF.SVRCONN)", vec![("object", channel, "SYSTEM.DEF.SVRCONN")]),
        ("control", "STOP LISTENER(LSR)", vec![("object", ObjectType::Listener, "LSR")]),
        // Records for its very name would go with it.
        ("delete", "DELETE QLOCAL(GONE)", vec![("object", queue, "GON?")]),
        (
            "replace",
            "DEFINE QLOCAL(PAY.IN) REPLACE",
            vec![("object", queue, "PAY.IN"), ("like", queue, "SYSTEM.DEFAULT.LOCAL.QUEUE")],
        ),
    ] {
        let needed = needs("command", case, "");
        let objects = [objects, vec![manager]].concat();
        cells.try_each(text, &objects, &needed, &mut |_, bench| {
            number += 1;
            if case == "delete" {
                let administrator = Principal::administrator("root", Identity::Kernel).unwrap();
                let issuer = Issuer { principal: administrator, ..Issuer::default() };
                let define = &mqsc::parse("DEFINE QLOCAL(GONE) REPLACE").unwrap()[0];
                assert!(bench.open(bench.manager.execute_for(&issuer, define)).is_ok());
            }
            let issuer = Issuer { principal: principal("cell"), ..Issuer::default() };
            let response = bench.open(bench.manager.execute_for(&issuer, &mqsc::parse(text).unwrap()[0]));
            response.to_string().contains("FRY8135E")
        });
    }
    println!("{} cells, {number} commands", cells.count);
    assert!(cells.wrong.is_empty(), "{} of {}: {:#?}", cells.wrong.len(), cells.count, cells.wrong);
    assert!(cells.count >= 200, "{} cells", cells.count);
}

/// Eight threads put while the right of one half of them comes and goes.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test has several threads")]
fn a_right_that_is_taken_while_eight_threads_put_stops_its_users_alone() {
    const PUTS: usize = 300;
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(BUSY) MAXDEPTH(100000)\nSET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(CONNECT)\n\
         SET AUTHREC PROFILE(BUSY) OBJTYPE(QUEUE) PRINCIPAL('stays','goes') AUTHADD(PUT)",
    );
    let is_taken = Arc::new(AtomicBool::new(false));
    let done = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    // Each has its handle before the right goes: a thread may begin late.
    let opened = |at: usize| {
        let mut session = bench.connect_user(["stays", "goes"][at % 2]);
        let handle = session.open("BUSY", OUTPUT);
        (at, session, handle)
    };
    let mut sessions: Vec<_> = (0..8).map(opened).collect();
    std::thread::scope(|scope| {
        for (at, session, handle) in &mut sessions {
            let (is_taken, done) = (Arc::clone(&is_taken), Arc::clone(&done));
            scope.spawn(move || {
                let mut refused_at = None;
                for put in 0..PUTS {
                    let was_taken = is_taken.load(Ordering::Acquire);
                    let put_now =
                        session.try_put(*handle, &MessageDescriptor::default(), PutFlags::NO_SYNCPOINT, "x");
                    match put_now {
                        Ok(_) => {
                            assert!(*at % 2 == 0 || !was_taken, "a put after the right was taken");
                            done[*at % 2].fetch_add(1, Ordering::Relaxed);
                        }
                        Err(reason) => {
                            assert_eq!((reason, *at % 2), (Reason::NOT_AUTHORIZED, 1));
                            refused_at.get_or_insert(put);
                        }
                    }
                    if put == PUTS / 2 && *at % 2 == 1 {
                        // By then the right has been taken.
                        while !is_taken.load(Ordering::Acquire) {
                            std::thread::yield_now();
                        }
                    }
                }
                assert_eq!(refused_at.is_some(), *at % 2 == 1);
            });
        }
        while done[1].load(Ordering::Relaxed) < 40 {
            std::thread::yield_now();
        }
        bench.mqsc("DELETE AUTHREC PROFILE(BUSY) OBJTYPE(QUEUE) PRINCIPAL('goes')");
        is_taken.store(true, Ordering::Release);
    });
    assert_eq!(done[0].load(Ordering::Relaxed), 4 * PUTS, "others lose nothing");
    let shown = bench.told("DISPLAY QSTATUS(BUSY) CURDEPTH");
    let all = done.iter().map(|done| done.load(Ordering::Relaxed)).sum::<usize>();
    assert!(shown.contains(&format!("CURDEPTH({all})")), "{shown}, {all} puts");
}
