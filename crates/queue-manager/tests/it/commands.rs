//! Answers of commands, as a person sees them, and the state that each depends on.

use std::time::Duration;

use bytes::Bytes;
use mqi::{
    GetFlags, MessageDescriptor, MessageId, ObjectDescriptor, OpenOptions, PutFlags, PutOptions, Wait,
};
use objects::{Response, mqsc};
use queue_manager::Settings;
use storage::{LogKind, Lsn};

use crate::support::*;

impl Bench {
    /// The session as a person would see it.
    fn session(&self, source: &str) -> String {
        let mut shown = String::new();
        for statement in mqsc::statements(source) {
            shown.push_str(&format!("> {}\n", statement.text));
            let command = statement.command.unwrap_or_else(|error| panic!("{error}"));
            shown.push_str(&self.open(self.manager.execute(&command)).to_string());
        }
        shown
    }

    /// The answer to one command, and the position that it waits for.
    fn gated(&self, source: &str) -> (Lsn, Response) {
        let commands = mqsc::parse(source).unwrap_or_else(|errors| panic!("{errors}"));
        let [command] = &commands[..] else { panic!("{source} is not one command") };
        let gated = self.manager.execute(command);
        (gated.need(), self.open(gated))
    }
}

/// A queue manager with a queue and an alias of it.
fn orders() -> Bench {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(ORDERS) DEFINE QALIAS(ORDERS.ALIAS) TARGET(ORDERS)");
    bench
}

fn put(session: &mut Session, queue: &str, count: usize) {
    let handle = session.open(queue, OUTPUT);
    for index in 0..count {
        session.put(handle, true, &index.to_string());
    }
    open(&session.manager, session.connection.close(handle, mqi::CloseOptions::default())).unwrap();
}

#[test]
fn a_default_object_that_was_deleted_is_defined_again_with_the_values_it_had() {
    let bench = Bench::new();
    let defaults: Vec<_> = objects::ObjectType::all()
        .filter_map(|object_type| Some((object_type, object_type.default_object()?)))
        .filter(|(object_type, _)| *object_type != objects::ObjectType::Subscription)
        .collect();
    assert!(defaults.len() > 15);
    for (object_type, name) in defaults {
        let of_type = match (object_type.family().selector(), object_type.subtype()) {
            (Some(selector), Some(word)) => format!(" {selector}({word})"),
            _ => String::new(),
        };
        let is_of_clients = object_type == objects::ObjectType::ClientConnectionChannel;
        let of_table = if is_of_clients { " CHLTABLE(CLNTTAB)" } else { "" };
        let keyword = object_type.keyword();
        let shown = || {
            let rows = bench.gated(&format!("DISPLAY {keyword}({name}){of_type} ALL")).1.rows;
            let mut fields = rows.into_iter().next().expect("it is there").fields;
            fields.retain(|field| !field.attribute.keyword.ends_with("TIME"));
            fields
        };
        let before = shown();
        bench.told(&format!("DELETE {keyword}({name}){of_table}"));
        for command in [
            format!("DEFINE {keyword}({name}){of_type}"),
            format!("DEFINE {keyword}({name}){of_type} REPLACE"),
        ] {
            let answer = bench.told(&command);
            assert!(answer.starts_with("FRY8006I"), "{command}: {answer}");
        }
        assert_eq!(shown(), before, "{keyword}({name})");
    }
}

#[test]
fn definitions_are_made_changed_shown_and_removed() {
    let bench = Bench::new();
    let first = bench.session(
        "PING QMGR
         DEFINE QLOCAL(ORDERS) MAXDEPTH(10) DESCR('Orders of the day')
         DEFINE QLOCAL(ORDERS)
         DEFINE QALIAS(ORDERS) REPLACE
         DEFINE QLOCAL(MORE.ORDERS) LIKE(ORDERS) NOSHARE
         DEFINE QLOCAL(X) LIKE(NOWHERE)
         DEFINE QALIAS(X) LIKE(ORDERS)
         DEFINE QALIAS(ALIAS) TARGET(ORDERS)
         DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)
         DISPLAY QUEUE(ORDERS*)
         DISPLAY QLOCAL(M*)
         DISPLAY QUEUE(*) WHERE(MAXDEPTH EQ 10) DESCR
         DISPLAY QUEUE(*) WHERE(TARGET EQ ORDERS)
         DISPLAY QLOCAL(MORE.ORDERS) MAXDEPTH SHARE CRTIME",
    );
    bench.pass(Duration::from_secs(3_600));
    let second = bench.session(
        "ALTER QLOCAL(ORDERS) MAXDEPTH(11) PUT(DISABLED)
         ALTER QLOCAL(NOWHERE) MAXDEPTH(11)
         ALTER QMODEL(ORDERS) MAXDEPTH(11)
         DISPLAY QLOCAL(ORDERS) MAXDEPTH PUT ALTTIME
         DEFINE QLOCAL(ORDERS) REPLACE
         DISPLAY QLOCAL(ORDERS) MAXDEPTH PUT CRTIME ALTTIME
         ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE) DESCR('First')
         DISPLAY QMGR DEADQ DESCR QMNAME
         DELETE QLOCAL(ALIAS)
         DELETE QALIAS(ALIAS)
         DELETE QALIAS(ALIAS)
         DELETE QALIAS(ALIAS) IGNSTATE(YES)
         DELETE QLOCAL(MORE.ORDERS) PURGE
         DELETE QMODEL(MODEL)
         CLEAR QLOCAL(ORDERS)
         CLEAR QLOCAL(SYSTEM.DEFAULT.ALIAS.QUEUE)
         CLEAR QLOCAL(NOWHERE)
         DISPLAY QUEUE(ORDERS*)",
    );
    insta::assert_snapshot!(first + &second);
}

#[test]
fn one_queue_shows_everything() {
    let bench = orders();
    let mut one = bench.connect();
    put(&mut one, "ORDERS", 3);
    one.open("ORDERS", INPUT);
    one.open("ORDERS.ALIAS", OUTPUT);
    one.open("ORDERS", OUTPUT);
    insta::assert_snapshot!(bench.session("DISPLAY QUEUE(ORDERS)\nDISPLAY QALIAS(ORDERS.ALIAS)"));
}

#[test]
fn status_tells_of_queues_handles_and_connections() {
    let bench = orders();
    bench.mqsc("ALTER QLOCAL(ORDERS) MONQ(MEDIUM)");
    let (mut one, mut two) = (bench.connect_user("ada"), bench.connect());
    put(&mut one, "ORDERS", 3);
    bench.pass(Duration::from_secs(61));
    let output = one.open("ORDERS.ALIAS", OUTPUT | OpenOptions::INQUIRE);
    one.put_within(output, true, "held");
    let input = two.open("ORDERS", OpenOptions::INPUT_EXCLUSIVE);
    let absent = MessageDescriptor { message_id: MessageId([9; 24]), ..MessageDescriptor::default() };
    two.wait(input, &absent, GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    insta::assert_snapshot!(bench.session(
        "DISPLAY QSTATUS(ORDERS)
         DISPLAY QSTATUS(*) WHERE(CURDEPTH GT 3) UNCOM
         DISPLAY QSTATUS(ORDERS) TYPE(HANDLE) ALL
         DISPLAY QSTATUS(NONE*) TYPE(HANDLE)
         DISPLAY QSTATUS(ORDERS.ALIAS)
         DISPLAY QSTATUS(*) WHERE(CURDEPTH GT 4)
         DISPLAY QUEUE(NONE*)
         DISPLAY CONN(*) WHERE(UOWSTATE NE NONE)
         DISPLAY CONN(0000000000000001) TYPE(CONN)
         DISPLAY CONN(*) TYPE(ALL) WHERE(OBJNAME EQ ORDERS)
         DISPLAY CONN(*) TYPE(HANDLE) ALL
         DISPLAY CONN(FF*)",
    ));
}

/// A queue manager whose log is of this kind.
fn with_log(kind: LogKind) -> Bench {
    let settings = Settings { storage: storage::Settings { kind, ..settings().storage }, ..settings() };
    let bench = Bench::with(settings, 1);
    bench.mqsc("DEFINE QLOCAL(ORDERS)");
    bench
}

#[test]
fn status_tells_of_the_recovery_log() {
    const ASK: &str = "DISPLAY QMSTATUS LOG
         DISPLAY QSTATUS(ORDERS) MEDIALOG
         ALTER QLOCAL(ORDERS) IMGRCOVQ(NO)
         DISPLAY QSTATUS(ORDERS) MEDIALOG
         DISPLAY QMSTATUS STATUS MEDIALOG";
    let kept = with_log(LogKind::Linear);
    kept.mqsc("ALTER QMGR IMGINTVL(1)");
    kept.pass(Duration::from_secs(60));
    kept.run_jobs();
    let shown = kept.session(ASK);
    assert_eq!(shown.matches("MEDIALOG( )").count(), 1, "the queue that is not to be recovered has none");
    insta::assert_snapshot!("log_that_is_kept", shown);
    insta::assert_snapshot!("log_that_is_used_again", with_log(LogKind::Circular).session(ASK));
}

#[test]
fn status_tells_of_topics_publishers_and_subscriptions() {
    let bench = orders();
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let topic = |string: &str| ObjectDescriptor::topic(string);
    let publishing = open(&two.manager, two.connection.open(&topic("price/tin"), OUTPUT)).unwrap().handle;
    for _ in 0..7 {
        two.put(publishing, false, "x");
    }
    let options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::RETAIN);
    let kept = Bytes::from_static(b"kept");
    let put = one.connection.put1(&topic("price/zinc"), &message(true), &options, kept);
    bench.open(put).unwrap();
    insta::assert_snapshot!(bench.session(
        "DEFINE TOPIC(PRICE) TOPICSTR('price') DEFPRTY(7) PUB(DISABLED)
         DEFINE SUB('all') TOPICSTR('price/#') DEST(ORDERS)
         DEFINE SUB('tin') TOPICSTR('price/tin') DEST(ORDERS) SUBUSER('ada')
         DISPLAY TPSTATUS('price')
         DISPLAY TPSTATUS('price/+') PUBCOUNT SUBCOUNT RETAINED DEFPRTY
         DISPLAY TPSTATUS('#')
         DISPLAY TPSTATUS('$SYS/#')
         DISPLAY TPSTATUS('#') WHERE(RETAINED EQ YES)
         DISPLAY TPSTATUS('#') WHERE(SUBCOUNT GT 5)
         DISPLAY TPSTATUS(PRICE)
         DISPLAY TPSTATUS('price/tin') TYPE(PUB)
         DISPLAY TPSTATUS('price/tin') TYPE(SUB) NUMMSGS DURABLE
         DISPLAY TPSTATUS('price/zinc') TYPE(SUB)
         DISPLAY SBSTATUS('tin') NUMMSGS SUBUSER
         DISPLAY SBSTATUS(*) TOPICSTR DURABLE(YES) SUBTYPE(ADMIN)
         DISPLAY SBSTATUS(*) SUBTYPE(API)
         DISPLAY SBSTATUS('none')
         DISPLAY PUBSUB
         DISPLAY PUBSUB TYPE(LOCAL) STATUS
         DISPLAY PUBSUB TYPE(CHILD)
         CLEAR TOPICSTR('price/zinc') CLRTYPE(RETAINED)
         CLEAR TOPICSTR('price/tin') CLRTYPE(RETAINED)",
    ));
}

#[test]
fn a_queue_in_use_is_neither_deleted_nor_cleared() {
    const COMMANDS: &str = "DELETE QLOCAL(ORDERS); DELETE QLOCAL(ORDERS) PURGE; CLEAR QLOCAL(ORDERS)";
    let bench = orders();
    let mut one = bench.connect();
    put(&mut one, "ORDERS", 3);
    for _ in 0..2 {
        one.open("ORDERS", INPUT);
    }
    let open = bench.session(COMMANDS);
    drop(one);
    let mut two = bench.connect();
    let held = two.open("ORDERS", INPUT);
    two.get_within(held).unwrap();
    bench.open(two.connection.close(held, mqi::CloseOptions::default())).unwrap();
    let uncommitted = bench.session(COMMANDS);
    two.back().unwrap();
    let filled = bench.session(COMMANDS);
    insta::assert_snapshot!([open, uncommitted, filled].join("\n"));
}

#[test]
fn a_change_that_programs_would_feel_asks_for_force() {
    let bench = orders();
    let mut one = bench.connect();
    one.open("ORDERS", INPUT);
    one.open("ORDERS.ALIAS", INPUT);
    insta::assert_snapshot!(bench.session(
        "ALTER QLOCAL(ORDERS) MAXDEPTH(1)
         ALTER QLOCAL(ORDERS) NOSHARE
         ALTER QLOCAL(ORDERS) USAGE(XMITQ)
         DEFINE QLOCAL(ORDERS) REPLACE NOSHARE
         ALTER QLOCAL(ORDERS) NOSHARE FORCE
         ALTER QALIAS(ORDERS.ALIAS) TARGET(OTHER)
         ALTER QALIAS(ORDERS.ALIAS) GET(DISABLED)
         ALTER QALIAS(ORDERS.ALIAS) TARGET(OTHER) FORCE
         DELETE QALIAS(ORDERS.ALIAS)",
    ));
}

#[test]
fn an_answer_needs_all_that_it_tells_and_its_own_record() {
    let bench = Bench::new();
    let need = |source: &str| bench.gated(source).0;
    let first = need("DEFINE QLOCAL(A)");
    assert!(first > Lsn::ZERO);
    assert_eq!(need("DISPLAY QLOCAL(A)"), first);
    let second = need("DEFINE QLOCAL(B)");
    assert!(second > first);
    assert_eq!(need("DISPLAY QLOCAL(A)"), first);
    assert_eq!(need("DEFINE QLOCAL(A)"), first, "that it exists is an observation");
    put(&mut bench.connect(), "A", 1);
    let filled = need("DISPLAY QLOCAL(A) CURDEPTH");
    assert!(filled > second, "the depth is that after a put");
    let cleared = need("CLEAR QLOCAL(A)");
    assert!(cleared > filled);
    assert_eq!(need("DISPLAY QLOCAL(A) CURDEPTH"), cleared);
    let deleted = need("DELETE QLOCAL(B)");
    assert!(deleted > cleared);
    assert_eq!(need("DISPLAY QLOCAL(B)"), deleted, "absence is an observation");
}

/// Fills the log with a unit of work, of which nothing is ever taken back.
fn fill_the_log(bench: &Bench, session: &mut Session) {
    let queue = session.open("ORDERS", OUTPUT);
    for bytes in [20_000, 1] {
        let body = "x".repeat(bytes);
        let mut put = || {
            let put = session.try_put(queue, &message(true), PutFlags::SYNCPOINT, &body);
            bench.manager.drive();
            put.err()
        };
        let refusal = (0..10_000).find_map(|_| put());
        assert_eq!(refusal, Some(mqi::Reason::STORAGE_MEDIUM_FULL), "the log becomes full");
    }
}

#[test]
fn a_full_log_refuses_definitions_with_its_reason_and_still_deletes() {
    let bench = orders();
    bench.mqsc("DEFINE QLOCAL(OTHER)");
    let mut one = bench.connect();
    let files: u64 = bench.machine.disk.files().iter().map(|(_, length)| length).sum();
    bench.machine.disk.set_capacity(Some(files));
    fill_the_log(&bench, &mut one);
    // A definition is smaller than a put with the end of its unit of work.
    let defined = (0..100).map(|index| bench.session(&format!("DEFINE QLOCAL(X{index})")));
    assert!(defined.into_iter().any(|answer| answer.contains("FRY8101E")), "the log has no room left");
    for command in ["DEFINE QLOCAL(X)", "ALTER QLOCAL(ORDERS) MAXDEPTH(1)", "ALTER QMGR DESCR('x')"] {
        let answer = bench.refused(command);
        assert!(
            answer.starts_with("FRY8101E") && answer.contains("2192 MQRC_STORAGE_MEDIUM_FULL"),
            "{answer}"
        );
    }
    assert!(bench.told("DISPLAY QLOCAL(ORDERS) MAXDEPTH").contains("MAXDEPTH(5000)"));
    assert!(bench.told("DELETE QLOCAL(OTHER)").starts_with("FRY8007I"));
}

#[test]
fn an_answer_has_a_largest_size_and_says_so() {
    /// An answer has this many attributes at most, and all of the queue that goes beyond.
    const FIELDS_MAX: usize = 400_000;
    let bench = Bench::new();
    let fields = bench.gated("DISPLAY QLOCAL(SYSTEM.DEFAULT.LOCAL.QUEUE) ALL").1.rows[0].fields.len();
    let queues = FIELDS_MAX.div_ceil(fields);
    for index in 0..queues {
        bench.mqsc(&format!("DEFINE QLOCAL(Q{index})"));
        if index % 50 == 0 {
            bench.keep_house();
        }
    }
    let (_, response) = bench.gated("DISPLAY QLOCAL(*) ALL");
    let shown = response.rows.len();
    assert!(shown == queues && response.is_ok(), "{shown} objects of {queues} and those of the system");
    assert_eq!(
        response.messages[0].to_string(),
        format!("FRY8420W: The answer stops after {shown} objects; more match.")
    );
    let (_, response) = bench.gated("DISPLAY QLOCAL(*)");
    assert!(response.rows.len() > queues && response.messages.is_empty());
}

/// The names in all pages of a display, and the number of pages.
fn paged(bench: &Bench, display: &str, keyword: &str, limit: usize) -> (Vec<String>, usize) {
    let (mut names, mut pages) = (Vec::new(), 0);
    let mut after = String::new();
    loop {
        let (_, response) = bench.gated(&format!("{display} LIMIT({limit}){after}"));
        assert!(response.is_ok(), "{response}");
        pages += 1;
        let name = |row: &objects::Row| row.get(keyword).and_then(|name| name.as_text()).unwrap().to_owned();
        names.extend(response.rows.iter().map(name));
        match response.page_end() {
            None => return (names, pages),
            Some(end) => {
                assert_eq!(Some(end), names.last().map(String::as_str), "a page ends with its last object");
                assert!(response.rows.len() >= limit, "a page that is not the last is full");
                after = format!(" AFTER('{end}')");
            }
        }
    }
}

#[test]
fn pages_have_every_object_once_in_the_order_of_their_names() {
    let bench = Bench::new();
    for index in 0..25 {
        bench.mqsc(&format!("DEFINE QLOCAL(Q{index:02}) MAXDEPTH({})", index + 1));
        bench.mqsc(&format!("DEFINE TOPIC(T{index:02}) TOPICSTR('t/{index}')"));
        bench.mqsc(&format!("DEFINE SUB('s{index:02}') TOPICSTR('t/{index}') DEST(Q00)"));
    }
    // Two channels of one name, one for each end of it.
    for name in ["CHL1", "CHL2", "CHL3"] {
        bench.mqsc(&format!("DEFINE CHANNEL({name}) CHLTYPE(SVRCONN)"));
        bench.mqsc(&format!("DEFINE CHANNEL({name}) CHLTYPE(CLNTCONN) CONNAME('mq')"));
    }
    for (display, keyword) in [
        ("DISPLAY QLOCAL(Q*)", "QUEUE"),
        ("DISPLAY QUEUE(*) ALL", "QUEUE"),
        ("DISPLAY QLOCAL(*) WHERE(MAXDEPTH LT 20)", "QUEUE"),
        ("DISPLAY QLOCAL(NONE*)", "QUEUE"),
        ("DISPLAY QSTATUS(*)", "QUEUE"),
        ("DISPLAY TOPIC(*)", "TOPIC"),
        ("DISPLAY SUB(*)", "SUB"),
        ("DISPLAY CHANNEL(*)", "CHANNEL"),
    ] {
        let (_, whole) = bench.gated(display);
        let name = |row: &objects::Row| row.get(keyword).and_then(|name| name.as_text()).unwrap().to_owned();
        let whole: Vec<String> = whole.rows.iter().map(name).collect();
        assert!(whole.is_sorted(), "{display}: {whole:?}");
        for limit in [1, 3, 7, whole.len().max(1), 1_000] {
            let (names, pages) = paged(&bench, display, keyword, limit);
            assert_eq!(names, whole, "{display} in pages of {limit}");
            assert!(pages <= whole.len().div_ceil(limit).max(1), "{display}: {pages} pages of {limit}");
        }
    }
    let (_, behind) = bench.gated("DISPLAY QLOCAL(Q*) AFTER(Q24)");
    assert!(behind.rows.is_empty() && behind.is_ok() && behind.page_end().is_none());
    let (_, last) = bench.gated("DISPLAY QLOCAL(Q*) LIMIT(25)");
    assert!(last.messages.is_empty(), "the last page says nothing of another");
}

/// The rows of a display made in parts, the messages of the last, and the number of parts.
fn parted(bench: &Bench, display: &str, room: usize) -> (Vec<String>, Vec<String>, usize) {
    let command = mqsc::parse(display).unwrap().remove(0);
    let mut course = queue_manager::Course::new(queue_manager::Issuer::default(), command);
    let (mut rows, mut parts) = (Vec::new(), 0);
    loop {
        parts += 1;
        assert!(parts < 10_000, "{display} has no end");
        let (part, is_last) = match course.go_on(&bench.manager, room) {
            queue_manager::Piece::Working => panic!("{display} has one piece for each part"),
            queue_manager::Piece::Part(part) => (bench.open(part), false),
            queue_manager::Piece::Last(part) => (bench.open(part), true),
        };
        rows.extend(part.rows.iter().map(ToString::to_string));
        if is_last {
            return (rows, part.messages.iter().map(ToString::to_string).collect(), parts);
        }
        assert!(part.messages.is_empty(), "{display}: {:?}", part.messages);
        assert!(!part.rows.is_empty() || room > 1, "{display}: a part of nothing");
    }
}

#[test]
fn the_parts_of_every_display_are_the_whole_in_its_order_however_small_they_are() {
    let bench = Bench::new();
    bench.mqsc("ALTER QMGR CHLAUTH(ENABLED)");
    for index in 0..12 {
        bench.mqsc(&format!("DEFINE QLOCAL(Q{index:02})"));
        bench.mqsc(&format!("DEFINE TOPIC(T{index:02}) TOPICSTR('t/{index}')"));
        bench.mqsc(&format!("DEFINE SUB('s{index:02}') TOPICSTR('t/{index}/x') DEST(Q00)"));
        bench.mqsc(&format!("DEFINE LISTENER(L{index:02}) TRPTYPE(TCP)"));
        bench.mqsc(&format!("DEFINE CHANNEL(C{index:02}) CHLTYPE(SVRCONN)"));
        bench.mqsc(&format!("DEFINE CHANNEL(C{index:02}) CHLTYPE(CLNTCONN) CONNAME('mq')"));
        bench.mqsc(&format!("DEFINE CHANNEL(S{index:02}) CHLTYPE(SDR) CONNAME('mq') XMITQ(X)"));
        bench.mqsc(&format!("STOP CHANNEL(S{index:02}) STATUS(STOPPED)"));
        bench.mqsc(&format!(
            "SET CHLAUTH('C{index:02}') TYPE(ADDRESSMAP) ADDRESS('10.0.0.1') USERSRC(NOACCESS)"
        ));
        bench.keep_house();
    }
    bench.mqsc("DEFINE QLOCAL(X) USAGE(XMITQ) DEFINE QREMOTE(R) RNAME(Q) RQMNAME(OTHER) XMITQ(X)");
    let mut sessions: Vec<Session> = (0..5).map(|_| bench.connect()).collect();
    for session in &mut sessions {
        for index in 0..4 {
            session.open(&format!("Q{index:02}"), OpenOptions::BROWSE);
        }
        put(session, "Q01", 2);
    }
    // From now on logins are judged.
    for index in 0..12 {
        bench.mqsc(&format!(
            "SET AUTHREC PROFILE(P{index:02}.**) OBJTYPE(QUEUE) PRINCIPAL('ada') AUTHADD(GET)"
        ));
        bench.mqsc(&format!("SET AUTHREC OBJTYPE(QMGR) GROUP('g{index:02}') AUTHADD(CONNECT)"));
        bench.keep_house();
    }
    let mut many = 0;
    for display in [
        "DISPLAY QUEUE(*) ALL",
        "DISPLAY QUEUE(*) TYPE(QLOCAL) WHERE(CURDEPTH GT 0)",
        "DISPLAY QUEUE(NONE*)",
        "DISPLAY QLOCAL(NONE)",
        "DISPLAY QSTATUS(*) ALL",
        "DISPLAY QSTATUS(*) TYPE(HANDLE) ALL",
        "DISPLAY TOPIC(*) ALL",
        "DISPLAY SUB(*) ALL",
        "DISPLAY SUB(*) WHERE(TOPICSTR EQ 't/7/x')",
        "DISPLAY CHANNEL(*) ALL",
        "DISPLAY LISTENER(*) ALL",
        "DISPLAY PROCESS(*) ALL",
        "DISPLAY NAMELIST(*) ALL",
        "DISPLAY AUTHINFO(*) ALL",
        "DISPLAY SBSTATUS(*) ALL",
        "DISPLAY TPSTATUS('#') ALL",
        "DISPLAY TPSTATUS('t/#') TYPE(SUB) ALL",
        "DISPLAY TPSTATUS('t/#') TYPE(PUB) ALL",
        "DISPLAY PUBSUB ALL",
        "DISPLAY CHSTATUS(*) ALL",
        "DISPLAY CHSTATUS(*) SAVED ALL",
        "DISPLAY CHLAUTH(*) ALL",
        "DISPLAY AUTHREC",
        "DISPLAY ENTAUTH PRINCIPAL('ada') OBJTYPE(QMGR)",
        "DISPLAY AUTHSERV ALL",
        "DISPLAY ROUTE(R)",
        "DISPLAY LSSTATUS(*) ALL",
        "DISPLAY CONN(*) ALL",
        "DISPLAY CONN(*) TYPE(HANDLE) ALL",
        "DISPLAY CONN(*) TYPE(ALL) ALL",
        "DISPLAY QMSTATUS ALL",
        "DISPLAY QMGR ALL",
        "DISPLAY QLOCAL(Q*) LIMIT(5)",
        "DISPLAY CHANNEL(C*) LIMIT(3) AFTER(C02)",
    ] {
        let (_, whole) = bench.gated(display);
        assert_eq!(whole.rest, None);
        let messages: Vec<String> = whole.messages.iter().map(ToString::to_string).collect();
        let whole: Vec<String> = whole.rows.iter().map(ToString::to_string).collect();
        for room in [1, 2_000, 20_000, 10_000_000] {
            let (rows, said, parts) = parted(&bench, display, room);
            assert!(rows == whole, "{display} in parts of {room}: {} of {}", rows.len(), whole.len());
            assert_eq!(said, messages, "{display} in parts of {room}");
            match room {
                1 => assert!(
                    parts >= whole.len() && parts <= whole.len().max(1) + 1,
                    "{display}: {parts} parts"
                ),
                10_000_000 => assert_eq!(parts, 1, "{display}"),
                _ => {}
            }
        }
        many += usize::from(whole.len() >= 10);
    }
    assert!(many >= 16, "{many} of them have many objects");
    // RESET QSTATS has each queue once, too.
    let (rows, _, parts) = parted(&bench, "RESET QSTATS(Q*)", 1);
    assert_eq!((rows.len(), parts), (12, 12));
}

#[test]
fn a_display_of_many_things_in_no_order_sorts_a_part_of_them_at_once() {
    let bench = Bench::new();
    for index in 0..30 {
        let text: String = (0..100)
            .map(|one| format!("SET AUTHREC PROFILE(P{index:02}.{one:02}) OBJTYPE(QUEUE) PRINCIPAL('u{one}') AUTHADD(GET)\n"))
            .collect();
        bench.mqsc(&text);
        bench.keep_house();
    }
    let (_, whole) = bench.gated("DISPLAY AUTHREC OBJTYPE(QUEUE)");
    let whole: Vec<String> = whole.rows.iter().map(ToString::to_string).collect();
    let (rows, _, parts) = parted(&bench, "DISPLAY AUTHREC OBJTYPE(QUEUE)", 10_000_000);
    assert!(rows == whole && rows.len() >= 3_000, "{} of {}", rows.len(), whole.len());
    assert!(parts >= 3, "{parts} parts: no more than a thousand are sorted at once");
    // None of those that are sorted first is meant.
    let (rows, said, parts) = parted(&bench, "DISPLAY AUTHREC OBJTYPE(QUEUE) WHERE(AUTHLIST EX GET)", 1_000);
    assert!(parts >= 3 && said.is_empty() != rows.is_empty(), "{rows:?} {said:?}");
}

#[test]
fn statistics_are_told_of_each_queue_that_is_meant() {
    let bench = orders();
    let mut one = bench.connect();
    put(&mut one, "ORDERS", 3);
    let queue = one.open("ORDERS", INPUT);
    one.get(queue).unwrap();
    bench.pass(Duration::from_secs(9));
    let shown = bench.told("RESET QSTATS(ORD*)");
    for part in ["QSTATS(ORDERS)", "HIQDEPTH(3)", "MSGSIN(3)", "MSGSOUT(1)", "RESETINT(9)"] {
        assert!(shown.contains(part), "{part} is missing in {shown}");
    }
    assert!(bench.told("RESET QSTATS(ORDERS)").contains("MSGSIN(0)"), "counting begins anew");
    bench.refused("RESET QSTATS(NO.SUCH)");
}

#[test]
fn only_a_local_queue_that_exists_is_recovered() {
    let bench = orders();
    for (command, told) in [
        ("RECOVER QLOCAL(ORDERS)", "FRY8028I: Queue ORDERS: messages read: 0; given back: 0."),
        ("RECOVER QLOCAL(NO.SUCH)", "FRY8147E"),
        ("RECOVER QLOCAL(ORDERS.ALIAS)", "FRY8137E"),
    ] {
        let answer = bench.session(command);
        assert!(answer.contains(told), "{command}: {answer}");
    }
}

#[test]
fn the_log_is_told_to_go_on_in_another_extent_where_extents_are_kept() {
    const COMMAND: &str = "RESET QMGR TYPE(ADVANCELOG)";
    assert!(with_log(LogKind::Circular).refused(COMMAND).contains("FRY8455E"));
    let kept = with_log(LogKind::Linear);
    kept.keep_house();
    let before = kept.gated("DISPLAY QMGR").0;
    let (need, response) = kept.gated(COMMAND);
    assert!(response.to_string().contains("0000000000100000.seg"), "{response}");
    assert!(need > before, "it is told when something in the extent is durable");
    kept.machine.disk.set_capacity(Some(0));
    let full = (0..70).map(|_| kept.session(COMMAND)).find(|answer| !answer.contains("FRY8453I"));
    assert!(full.expect("no more extents can be made").contains("FRY8454E"));
}

#[test]
fn a_display_of_many_objects_is_long_and_one_of_few_or_by_name_is_not() {
    let mut settings = settings();
    // Room for the definitions in a log that nobody gives room.
    settings.storage.extent_bytes *= 16;
    let bench = Bench::with(settings, 1);
    let is_long = |source: &str| {
        let commands = mqsc::parse(source).unwrap_or_else(|errors| panic!("{errors}"));
        queue_manager::Course::is_long(&commands[0], &bench.manager)
    };
    let generic =
        ["DISPLAY QLOCAL(*)", "DISPLAY QUEUE(MANY*) ALL", "DISPLAY QSTATUS(*)", "DISPLAY CHSTATUS(*)"];
    for source in generic {
        assert!(!is_long(source), "{source}, with the objects that each queue manager has");
    }
    for number in 0..300 {
        bench.mqsc(&format!("DEFINE QLOCAL(MANY.{number})"));
    }
    for source in generic {
        assert!(is_long(source), "{source}");
    }
    for source in ["DISPLAY QLOCAL(MANY.7)", "DISPLAY QMGR", "DEFINE QLOCAL(X)"] {
        assert!(!is_long(source), "{source}");
    }
}

#[test]
fn a_display_of_definitions_waits_for_no_message_and_one_of_depths_does() {
    let bench = orders();
    let definitions = [
        "DISPLAY QLOCAL(ORDERS) MAXDEPTH",
        "DISPLAY QUEUE(*) DESCR",
        "DISPLAY QLOCAL(*) WHERE(MAXDEPTH GT 0)",
    ];
    let needs = definitions.map(|source| bench.gated(source).0);
    let before = needs.into_iter().max().expect("three");
    put(&mut bench.connect(), "ORDERS", 3);
    for (source, need) in definitions.into_iter().zip(needs) {
        assert_eq!(bench.gated(source).0, need, "{source}");
    }
    for source in [
        "DISPLAY QLOCAL(ORDERS)",
        "DISPLAY QLOCAL(ORDERS) CURDEPTH",
        "DISPLAY QUEUE(*) ALL",
        "DISPLAY QLOCAL(*) WHERE(CURDEPTH GT 2)",
        "DISPLAY QLOCAL(ORDERS) IPPROCS",
    ] {
        let (need, response) = bench.gated(source);
        assert!(need > before, "{source}");
        assert!(!source.contains("CURDEPTH") || response.to_string().contains("CURDEPTH(3)"), "{response}");
    }
    // The same by MQINQ.
    let mut session = bench.connect();
    let handle = session.open("ORDERS", OpenOptions::INQUIRE);
    for (selector, waits) in [
        (mqi::constants::MQIA_MAX_Q_DEPTH, false),
        (mqi::constants::MQIA_CURRENT_Q_DEPTH, true),
        (mqi::constants::MQIA_OPEN_INPUT_COUNT, true),
    ] {
        let inquired = session.connection.inquire(handle, &[mqi::Selector(selector)]);
        assert_eq!(inquired.need() > before, waits, "{selector}");
        assert!(bench.open(inquired).is_ok());
    }
}

#[test]
fn a_cipherspec_that_is_none_is_refused_where_it_is_defined_and_one_of_another_build_or_a_label_without_key_is_warned_of()
 {
    let bench = Bench::new();
    bench.mqsc("DEFINE CHANNEL(C) CHLTYPE(SVRCONN)");
    for (cipher, expected) in [
        ("NO_SUCH_SUITE", "there is no CipherSpec NO_SUCH_SUITE"),
        ("TLS_RSA_WITH_AES_128_CBC_SHA256", "is refused: one stolen key"),
        ("RC4_SHA_US", "its cipher can be broken"),
        ("TRIPLE_DES_SHA_US", "its cipher can be broken"),
        ("ANY_TLS10", "before TLS 1.2"),
        ("NULL_SHA", "does not encrypt"),
        ("any_tls13", "is spelled ANY_TLS13"),
        ("TLS_AES_128_GCM_SHA25", "there is no CipherSpec"),
    ] {
        for command in [
            format!("DEFINE CHANNEL(NEW) CHLTYPE(SVRCONN) SSLCIPH('{cipher}')"),
            format!("DEFINE CHANNEL(C) CHLTYPE(SVRCONN) SSLCIPH('{cipher}') REPLACE"),
            format!("ALTER CHANNEL(C) CHLTYPE(SVRCONN) SSLCIPH('{cipher}')"),
            format!("DEFINE CHANNEL(NEW) CHLTYPE(CLNTCONN) CONNAME('h') SSLCIPH('{cipher}')"),
            format!("DEFINE CHANNEL(NEW) CHLTYPE(RCVR) SSLCIPH('{cipher}')"),
        ] {
            let refused = bench.refused(&command);
            assert!(refused.contains(expected), "{command}: {refused}");
        }
        assert!(bench.told("DISPLAY CHANNEL(C) SSLCIPH").contains("SSLCIPH( )"), "nothing is changed");
    }
    let warned = |command: &str, id: &str| {
        let told = bench.told(command);
        assert!(told.contains(id), "{command}: {told}");
    };
    for cipher in ["ECDHE_RSA_AES_256_CBC_SHA384", "TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256"] {
        warned(&format!("ALTER CHANNEL(C) CHLTYPE(SVRCONN) SSLCIPH({cipher})"), "FRY8898W");
    }
    warned("DEFINE CHANNEL(D) CHLTYPE(SVRCONN) SSLCIPH(ANY_TLS13) CERTLABL('absent')", "FRY8899W");
    warned("ALTER CHANNEL(D) CHLTYPE(SVRCONN) CERTLABL('../absent')", "FRY8899W");
    warned("ALTER QMGR CERTLABL('absent')", "FRY8899W");
    for command in [
        "ALTER CHANNEL(D) CHLTYPE(SVRCONN) SSLCIPH(TLS_AES_256_GCM_SHA384) CERTLABL('present')",
        "ALTER CHANNEL(D) CHLTYPE(SVRCONN) SSLCIPH(ANY) CERTLABL(' ')",
        "ALTER QMGR CERTLABL('present')",
    ] {
        let told = bench.told(command);
        assert!(!told.contains("FRY889"), "{command}: {told}");
    }
    // A definition of an earlier release keeps its value, and is altered otherwise.
    bench.told("ALTER CHANNEL(D) CHLTYPE(SVRCONN) DESCR('other') SSLCIPH(' ')");
}

#[test]
fn multicast_is_refused_in_words_however_a_definition_comes_to_it_and_none_of_it_is_taken() {
    let bench = Bench::new();
    bench.mqsc("DEFINE TOPIC(T) TOPICSTR(t) MCAST(DISABLED)");
    for command in [
        "DEFINE TOPIC(NEW) TOPICSTR(new) MCAST(ENABLED)",
        "DEFINE TOPIC(NEW) TOPICSTR(new) MCAST(ONLY) COMMINFO(SYSTEM.DEFAULT.COMMINFO.MULTICAST)",
        "DEFINE TOPIC(T) TOPICSTR(t) DESCR('other') MCAST(ENABLED) REPLACE",
        "ALTER TOPIC(T) DESCR('other') MCAST(ENABLED)",
        "ALTER TOPIC(SYSTEM.BASE.TOPIC) MCAST(ONLY)",
        "ALTER TOPIC(SYSTEM.DEFAULT.TOPIC) MCAST(ENABLED)",
    ] {
        let refused = bench.refused(command);
        assert!(refused.contains("publications are not multicast"), "{command}: {refused}");
        assert!(refused.contains("write MCAST(DISABLED)"), "the next step: {refused}");
    }
    let shown = bench.told("DISPLAY TOPIC(T) MCAST DESCR");
    assert!(shown.contains("MCAST(DISABLED)") && shown.contains("DESCR( )"), "{shown}");
    assert!(bench.refused("DISPLAY TOPIC(NEW)").contains("not found"));
    for command in ["ALTER TOPIC(T) MCAST(ASPARENT)", "DEFINE TOPIC(LIKE) TOPICSTR(l) LIKE(T)"] {
        bench.mqsc(command);
    }
}
