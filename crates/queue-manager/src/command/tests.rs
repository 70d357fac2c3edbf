use std::sync::Arc;

use mqi::OpenOptions;
use mqi::constants::{MQOT_ALIAS_Q, MQOT_LOCAL_Q};
use objects::{Command, Moment, Response, mqsc};
use platform::sync::Mutex;
use storage::{LogKind, LogState, Lsn, ObjectId};

use super::live::*;
use super::run;
use crate::catalogue::testing::{MemoryLog, NOW, new_catalogue};
use crate::catalogue::{Catalogue, ChangeError, Current, LocalQueue};

/// The topic that something is retained for.
const RETAINED: &str = "price/zinc";

trait Opened<T> {
    /// The value, as if the log were durable.
    fn opened(self) -> T;
}

impl<T> Opened<T> for crate::Gated<T> {
    fn opened(self) -> T {
        self.into_inner()
    }
}

/// A queue that is as the test says.
#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    told: Mutex<Vec<u32>>,
}

impl LocalQueue for Queue {
    fn attributes_changed(&self, current: &Current) {
        self.told.lock().push(current.attributes.depth_max);
    }
}

struct TestEngine {
    catalogue: Catalogue<Queue>,
    log: Arc<MemoryLog>,
    connections: Vec<ConnectionState>,
    advances: Result<Lsn, NotAdvanced>,
    recovered: Result<Recovered, String>,
    log_state: LogState,
    media_log_from: Option<Lsn>,
}

impl Running for TestEngine {
    type Queue = Queue;

    fn move_some(&self, from: &Queue, _to: &Queue) -> Result<Cleared, Busy> {
        let messages = std::mem::take(&mut from.state.lock().depth);
        Ok(Cleared { messages, need: Lsn::ZERO })
    }

    fn host_name(&self) -> String {
        "machine.example".to_owned()
    }

    fn tell_statistics(&self) -> Lsn {
        Lsn(11)
    }

    fn recover(&self, _queue: &Queue) -> Result<Recovered, String> {
        self.recovered.clone()
    }

    fn advance_log(&self) -> Result<Lsn, NotAdvanced> {
        self.advances.clone()
    }

    fn log_state(&self) -> LogState {
        self.log_state.clone()
    }

    fn media_log_from(&self) -> Option<Lsn> {
        self.media_log_from
    }

    fn tell_definition(&self, _issuer: &crate::Issuer, _definition: &objects::Definition, need: Lsn) -> Lsn {
        need
    }

    fn stop_connection(&self, identifier: u64) -> bool {
        self.connections.iter().any(|connection| connection.identifier == identifier)
    }

    fn back_out_unit(&self, identifier: u64) -> bool {
        self.connections.iter().any(|found| found.identifier == identifier && found.unit != UnitState::None)
    }

    fn catalogue(&self) -> &Catalogue<Queue> {
        &self.catalogue
    }

    fn now(&self) -> Moment {
        Moment(NOW.0 + 3_600)
    }

    fn started(&self) -> Moment {
        NOW
    }

    fn is_quiescing(&self) -> bool {
        false
    }

    fn claim_subscription(&self, _identifier: &mqi::ObjectName) -> bool {
        true
    }

    fn release_subscription(&self, _identifier: &mqi::ObjectName) {}

    fn make_managed_queue(&self, _definition: &mut objects::Definition) -> Result<(), mqi::Reason> {
        Ok(())
    }

    fn drop_managed_queue(&self, _definition: &objects::Definition) {}

    fn new_subscription_identifier(&self) -> mqi::ObjectName {
        let number = self.log.records.lock().len();
        format!("{number:048X}").parse().unwrap()
    }

    fn make_queue(&self, _id: ObjectId, _current: &Current) -> Queue {
        Queue::default()
    }

    fn changed(&self, _object: &crate::catalogue::Object<Self::Queue>) {}

    fn make_with_retained(
        &self,
        _definition: &objects::Definition,
        make: impl FnOnce() -> Result<Lsn, ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        Ok(make()?.max(Lsn(12)))
    }

    fn is_retained(&self, topic: &str) -> (bool, Lsn) {
        (topic == RETAINED, Lsn(13))
    }

    fn retained_topics(&self) -> (Vec<String>, Lsn) {
        (vec![RETAINED.to_owned()], Lsn(13))
    }

    fn clear_retained(&self, topic: &str) -> Result<Option<Lsn>, mqi::Reason> {
        Ok((topic == RETAINED).then_some(Lsn(14)))
    }

    fn leave_place(&self, _place: &str) {}

    fn left_places(&self) -> Vec<Arc<str>> {
        Vec::new()
    }

    fn connections(&self) -> Vec<ConnectionState> {
        self.connections.clone()
    }

    fn queue_state(&self, queue: &Queue) -> QueueState {
        *queue.state.lock()
    }

    fn reset_figures(&self, _queue: &Self::Queue) -> QueueFigures {
        QueueFigures { seconds: 9, depth_highest: 3, enqueued: 5, dequeued: 4 }
    }

    fn clear(&self, queue: &Queue) -> Result<Cleared, Busy> {
        let mut state = queue.state.lock();
        if state.handles > 0 {
            return Err(Busy::Open { handles: state.handles });
        }
        if state.uncommitted > 0 {
            return Err(Busy::Uncommitted { messages: state.uncommitted });
        }
        let messages = std::mem::take(&mut state.depth);
        Ok(Cleared { messages, need: Lsn(7_000) })
    }

    fn expire(&self, _queue: &Queue) {}

    fn retire(&self, queue: &Queue, messages: Messages, log: &mut dyn FnMut() -> Lsn) -> Result<(), Busy> {
        let state = queue.state.lock();
        if state.handles > 0 {
            return Err(Busy::Open { handles: state.handles });
        }
        if state.depth > 0 && messages == Messages::Keep {
            return Err(Busy::NotEmpty { messages: state.depth });
        }
        if state.uncommitted > 0 {
            return Err(Busy::Uncommitted { messages: state.uncommitted });
        }
        log();
        Ok(())
    }
}

impl TestEngine {
    fn new() -> Self {
        let log = Arc::new(MemoryLog::default());
        Self {
            catalogue: new_catalogue(&log, Queue::default),
            log,
            connections: Vec::new(),
            advances: Err(NotAdvanced::Circular),
            recovered: Ok(Recovered::default()),
            log_state: LogState {
                kind: LogKind::Linear,
                directory: Some("/data/QM/log".into()),
                extent_bytes: 64 << 20,
                primary_extents: 4,
                secondary_extents: 2,
                current: Lsn(320 << 20),
                restart_from: Lsn(192 << 20),
                end: Lsn((330 << 20) + 1),
                restart_bytes_mean: 64 << 20,
                ready_bytes: 128 << 20,
            },
            media_log_from: Some(Lsn(64 << 20)),
        }
    }

    fn set_state(&self, name: &str, state: QueueState) {
        let object = self.catalogue.find(&name.parse().unwrap()).object.unwrap();
        *object.queue().unwrap().state.lock() = state;
    }

    fn run(&self, source: &str) -> Vec<(Lsn, Response)> {
        let commands: Vec<Command> = mqsc::parse(source).unwrap_or_else(|errors| panic!("{errors}"));
        commands
            .iter()
            .map(|command| {
                let gated = run(self, &crate::Issuer::default(), command);
                (gated.need(), gated.opened())
            })
            .collect()
    }

    /// The session as a person would see it.
    fn session(&self, source: &str) -> String {
        let mut shown = String::new();
        for statement in mqsc::statements(source) {
            shown.push_str(&format!("> {}\n", statement.text));
            let command = statement.command.unwrap_or_else(|error| panic!("{error}"));
            shown.push_str(&run(self, &crate::Issuer::default(), &command).opened().to_string());
        }
        shown
    }
}

fn orders(state: QueueState) -> TestEngine {
    let engine = TestEngine::new();
    engine.run("DEFINE QLOCAL(ORDERS); DEFINE QALIAS(ORDERS.ALIAS) TARGET(ORDERS)");
    engine.set_state("ORDERS", state);
    engine
}

fn connected(mut engine: TestEngine) -> TestEngine {
    let name = |text: &str| text.parse().unwrap();
    engine.connections = vec![
        ConnectionState {
            identifier: 0x1A,
            application: "orders-in".into(),
            user: "ada".into(),
            origin: "127.0.0.1".into(),
            process: 4711,
            unit: UnitState::Active { began: NOW, logged: None, position: None },
            handles: vec![HandleState {
                object: name("ORDERS.ALIAS"),
                object_type: MQOT_ALIAS_Q,
                queue: Some(name("ORDERS")),
                options: OpenOptions::OUTPUT | OpenOptions::INQUIRE,
                publishes: Some(Publishes { topic: "price/tin".into(), messages: 7, last: Some(NOW) }),
                subscribes: None,
                active: false,
            }],
            need: Lsn(5_000),
            ..ConnectionState::default()
        },
        ConnectionState {
            identifier: 0x2B,
            application: "orders-out".into(),
            handles: vec![HandleState {
                object: name("ORDERS"),
                object_type: MQOT_LOCAL_Q,
                queue: Some(name("ORDERS")),
                options: OpenOptions::INPUT_EXCLUSIVE,
                publishes: None,
                subscribes: None,
                active: true,
            }],
            ..ConnectionState::default()
        },
    ];
    engine
}

#[test]
fn a_default_object_that_was_deleted_is_defined_again_with_the_values_it_had() {
    let engine = TestEngine::new();
    let defaults: Vec<_> = objects::ObjectType::all()
        .filter_map(|object_type| Some((object_type, object_type.default_object()?)))
        .filter(|(object_type, _)| *object_type != objects::ObjectType::Subscription)
        .collect();
    assert!(defaults.len() > 15);
    for (object_type, name) in defaults {
        let family = object_type.family();
        let of_type = match (family.selector(), object_type.subtype()) {
            (Some(selector), Some(word)) => format!(" {selector}({word})"),
            _ => String::new(),
        };
        let is_of_clients = object_type == objects::ObjectType::ClientConnectionChannel;
        let of_table = if is_of_clients { " CHLTABLE(CLNTTAB)" } else { "" };
        let keyword = object_type.keyword();
        let shown = || {
            let rows = engine.run(&format!("DISPLAY {keyword}({name}){of_type} ALL")).remove(0).1.rows;
            let mut fields = rows.into_iter().next().expect("it is there").fields;
            fields.retain(|field| !field.attribute.keyword.ends_with("TIME"));
            fields
        };
        let before = shown();
        engine.run(&format!("DELETE {keyword}({name}){of_table}"));
        for command in [
            format!("DEFINE {keyword}({name}){of_type}"),
            format!("DEFINE {keyword}({name}){of_type} REPLACE"),
        ] {
            let answer = engine.run(&command).remove(0).1.to_string();
            assert!(answer.starts_with("FRY8006I"), "{command}: {answer}");
        }
        assert_eq!(shown(), before, "{keyword}({name})");
    }
}

#[test]
fn definitions_are_made_changed_shown_and_removed() {
    let shown = TestEngine::new().session(
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
         DISPLAY QLOCAL(MORE.ORDERS) MAXDEPTH SHARE CRTIME
         ALTER QLOCAL(ORDERS) MAXDEPTH(11) PUT(DISABLED)
         ALTER QLOCAL(NOWHERE) MAXDEPTH(11)
         ALTER QMODEL(ORDERS) MAXDEPTH(11)
         DISPLAY QLOCAL(ORDERS) MAXDEPTH PUT ALTTIME
         DEFINE QLOCAL(ORDERS) REPLACE
         DISPLAY QLOCAL(ORDERS) MAXDEPTH PUT CRTIME ALTTIME
         ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE) DESCR('First')
         DISPLAY QMGR DEADQ DESCR QMID
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
    insta::assert_snapshot!(shown);
}

#[test]
fn one_queue_shows_everything() {
    let engine = orders(QueueState {
        depth: 3,
        input_handles: 1,
        output_handles: 2,
        handles: 3,
        ..Default::default()
    });
    let shown = engine.session("DISPLAY QUEUE(ORDERS)\nDISPLAY QALIAS(ORDERS.ALIAS)");
    insta::assert_snapshot!(shown);
}

#[test]
fn status_tells_of_queues_handles_and_connections() {
    let engine = connected(orders(QueueState {
        depth: 3,
        uncommitted: 1,
        input_handles: 1,
        output_handles: 1,
        handles: 2,
        oldest_age: Some(61),
        last_put: Some(NOW),
        ..Default::default()
    }));
    let shown = engine.session(
        "DISPLAY QSTATUS(ORDERS)
         DISPLAY QSTATUS(*) WHERE(CURDEPTH GT 0) UNCOM
         DISPLAY QSTATUS(ORDERS) TYPE(HANDLE) ALL
         DISPLAY QSTATUS(NONE*) TYPE(HANDLE)
         DISPLAY QSTATUS(ORDERS.ALIAS)
         DISPLAY QSTATUS(*) WHERE(CURDEPTH GT 3)
         DISPLAY QUEUE(NONE*)
         DISPLAY CONN(*) WHERE(UOWSTATE NE NONE)
         DISPLAY CONN(000000000000001A) TYPE(CONN)
         DISPLAY CONN(*) TYPE(ALL) WHERE(OBJNAME EQ ORDERS)
         DISPLAY CONN(*) TYPE(HANDLE) ALL
         DISPLAY CONN(FF*)",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn status_tells_of_the_recovery_log() {
    let mut engine = orders(QueueState::default());
    let shown = |engine: &TestEngine| {
        engine.session(
            "DISPLAY QMSTATUS LOG
             DISPLAY QSTATUS(ORDERS) MEDIALOG
             ALTER QLOCAL(ORDERS) IMGRCOVQ(NO)
             DISPLAY QSTATUS(ORDERS) MEDIALOG
             DISPLAY QMSTATUS STATUS MEDIALOG",
        )
    };
    insta::assert_snapshot!("log_that_is_kept", shown(&engine));
    engine.media_log_from = None;
    engine.log_state.kind = LogKind::Circular;
    insta::assert_snapshot!("log_that_is_used_again", shown(&engine));
}

#[test]
fn status_tells_of_topics_and_of_who_publishes_and_subscribes() {
    let engine = connected(orders(QueueState::default()));
    let shown = engine.session(
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
         DISPLAY TPSTATUS('price/tin') TYPE(SUB)
         DISPLAY TPSTATUS('price/zinc') TYPE(SUB)
         DISPLAY SBSTATUS('tin')
         DISPLAY SBSTATUS(*) TOPICSTR DURABLE(YES) SUBTYPE(ADMIN)
         DISPLAY SBSTATUS(*) SUBTYPE(API)
         DISPLAY SBSTATUS('none')
         DISPLAY PUBSUB
         DISPLAY PUBSUB TYPE(LOCAL) STATUS
         DISPLAY PUBSUB TYPE(CHILD)
         CLEAR TOPICSTR('price/zinc') CLRTYPE(RETAINED)
         CLEAR TOPICSTR('price/tin') CLRTYPE(RETAINED)",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn a_queue_in_use_is_neither_deleted_nor_cleared() {
    let delete = "DELETE QLOCAL(ORDERS); DELETE QLOCAL(ORDERS) PURGE; CLEAR QLOCAL(ORDERS)";
    let open = QueueState { depth: 3, handles: 2, input_handles: 2, ..Default::default() };
    let held = QueueState { depth: 3, uncommitted: 1, ..Default::default() };
    let filled = QueueState { depth: 3, ..Default::default() };
    let mut shown = String::new();
    for state in [open, held, filled] {
        shown.push_str(&orders(state).session(delete));
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn a_change_that_programs_would_feel_asks_for_force() {
    let open = QueueState { handles: 2, input_handles: 2, ..Default::default() };
    let shown = connected(orders(open)).session(
        "ALTER QLOCAL(ORDERS) MAXDEPTH(1)
         ALTER QLOCAL(ORDERS) NOSHARE
         ALTER QLOCAL(ORDERS) USAGE(XMITQ)
         DEFINE QLOCAL(ORDERS) REPLACE NOSHARE
         ALTER QLOCAL(ORDERS) NOSHARE FORCE
         ALTER QALIAS(ORDERS.ALIAS) TARGET(OTHER)
         ALTER QALIAS(ORDERS.ALIAS) GET(DISABLED)
         ALTER QALIAS(ORDERS.ALIAS) TARGET(OTHER) FORCE
         DELETE QALIAS(ORDERS.ALIAS)",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn the_queue_is_told_what_changed_and_in_order() {
    let engine = orders(QueueState::default());
    engine.run(
        "ALTER QLOCAL(ORDERS) MAXDEPTH(1); ALTER QLOCAL(ORDERS) MAXDEPTH(2); DEFINE QLOCAL(ORDERS) REPLACE",
    );
    let object = engine.catalogue.find(&"ORDERS".parse().unwrap()).object.unwrap();
    assert_eq!(*object.queue().unwrap().told.lock(), [1, 2, 5_000]);
}

#[test]
fn an_answer_needs_what_it_tells_and_its_own_record() {
    let engine = TestEngine::new();
    let logged = || Lsn(engine.log.records.lock().len() as u64 * 10);
    let need = |source: &str| engine.run(source).pop().unwrap().0;
    assert_eq!(need("DEFINE QLOCAL(A)"), logged());
    assert_eq!(need("DISPLAY QLOCAL(A)"), logged());
    let first = logged();
    assert_eq!(need("DEFINE QLOCAL(B)"), logged());
    assert_eq!(need("DISPLAY QLOCAL(A)"), first);
    assert_eq!(need("DEFINE QLOCAL(A)"), first, "that it exists is an observation");
    engine.set_state("A", QueueState { need: Lsn(9_000), ..Default::default() });
    assert_eq!(need("DISPLAY QLOCAL(A) CURDEPTH"), Lsn(9_000));
    assert_eq!(need("CLEAR QLOCAL(A)"), Lsn(7_000));
    assert_eq!(need("DELETE QLOCAL(B)"), logged());
    assert_eq!(need("DISPLAY QLOCAL(B)"), logged(), "absence is an observation");
}

#[test]
fn a_full_log_refuses_definitions_with_its_reason() {
    let engine = orders(QueueState::default());
    *engine.log.full.lock() = true;
    let shown = engine.session(
        "DEFINE QLOCAL(X); ALTER QLOCAL(ORDERS) MAXDEPTH(1); ALTER QMGR DESCR('x')
         DISPLAY QLOCAL(ORDERS) MAXDEPTH
         DELETE QLOCAL(ORDERS)",
    );
    insta::assert_snapshot!(shown);
}

#[test]
fn an_answer_has_a_largest_size_and_says_so() {
    let engine = TestEngine::new();
    for index in 0..100 {
        engine.run(&format!("DEFINE QLOCAL(Q{index})"));
    }
    let (_, response) = engine.run("DISPLAY QLOCAL(*) ALL").pop().unwrap();
    let shown = response.rows.len();
    assert!((10..100).contains(&shown) && response.is_ok());
    assert_eq!(
        response.messages[0].to_string(),
        format!("FRY8420W: The answer stops after {shown} objects; more match.")
    );
    let (_, response) = engine.run("DISPLAY QLOCAL(*)").pop().unwrap();
    assert!(response.rows.len() > 100 && response.messages.is_empty());
}

#[test]
fn statistics_are_told_of_each_queue_that_is_meant() {
    let engine = TestEngine::new();
    let answers = engine.run("DEFINE QLOCAL(ORDERS)\nRESET QSTATS(ORD*)\nRESET QSTATS(NO.SUCH)");
    assert!(!answers[2].1.is_ok());
    let response = answers[1].1.to_string();
    for part in ["QSTATS(ORDERS)", "HIQDEPTH(3)", "MSGSIN(5)", "MSGSOUT(4)", "RESETINT(9)"] {
        assert!(response.contains(part), "{part} is missing in {response}");
    }
}

#[test]
fn what_came_of_recovering_a_queue_is_told() {
    let mut engine = TestEngine::new();
    engine.run("DEFINE QLOCAL(ORDERS)\nDEFINE QALIAS(OTHER)");
    let whole = Recovered { read: 9, given_back: 2, ..Recovered::default() };
    let parts = Recovered { missing: 3, reasons: vec!["image 00000001: it is cut".to_owned()], ..whole };
    for (command, recovered, told) in [
        (
            "RECOVER QLOCAL(ORDERS)",
            Ok(whole.clone()),
            "FRY8028I: Queue ORDERS: messages read: 9; given back: 2.",
        ),
        (
            "RECOVER QLOCAL(ORDERS)",
            Ok(parts),
            "given back: 2; that still cannot be read: 3; image 00000001: it is cut.",
        ),
        ("RECOVER QLOCAL(ORDERS)", Err("no room".to_owned()), "FRY8101E"),
        ("RECOVER QLOCAL(NO.SUCH)", Ok(whole.clone()), "FRY8147E"),
        ("RECOVER QLOCAL(OTHER)", Ok(whole), "FRY8137E"),
    ] {
        engine.recovered = recovered;
        let (_, response) = engine.run(command).remove(0);
        assert!(response.to_string().contains(told), "{command}: {response}");
    }
}

#[test]
fn the_log_is_told_to_go_on_in_another_extent_where_extents_are_kept() {
    let mut engine = TestEngine::new();
    for (advances, told) in [
        (Err(NotAdvanced::Circular), "FRY8455E"),
        (Err(NotAdvanced::OutOfSpace("none is ready".to_owned())), "FRY8454E"),
        (Ok(Lsn(0x0400_0000)), "0000000004000000.seg"),
    ] {
        engine.advances = advances;
        let before = engine.catalogue.manager().need;
        let (need, response) = engine.run("RESET QMGR TYPE(ADVANCELOG)").remove(0);
        assert!(response.to_string().contains(told), "{response}");
        assert_eq!(
            need > before,
            engine.advances.is_ok(),
            "it is told when something in the extent is durable"
        );
    }
}
