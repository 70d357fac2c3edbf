//! Commands on a running queue manager: what they change is felt at once and found after a crash, and what
//! would lose messages is refused.

use mqi::{GetFlags, MessageDescriptor, ObjectDescriptor, OpenOptions, Reason, Wait};
use platform::simulated::Survival;

use crate::support::*;

impl Bench {
    /// Executes MQSC and shows the answers.
    pub(crate) fn say(&self, source: &str) -> String {
        let commands = objects::mqsc::parse(source).unwrap_or_else(|errors| panic!("{errors}"));
        commands.iter().map(|command| self.open(self.manager.execute(command)).to_string()).collect()
    }

    /// The name of the one message a command answers.
    fn answer(&self, source: &str) -> String {
        self.say(source).split(':').next().unwrap_or_default().to_owned()
    }

    /// Opens a queue, puts so many persistent messages and closes it.
    fn fill(&self, queue: &str, count: usize) {
        let mut session = self.connect();
        let handle = session.open(queue, OUTPUT);
        for index in 0..count {
            session.put(handle, true, &index.to_string());
        }
    }
}

#[test]
fn definitions_are_found_after_the_power_went() {
    let bench = Bench::new();
    bench.mqsc(
        "DEFINE QLOCAL(KEPT) MAXDEPTH(7) DESCR('It''s kept')
         DEFINE QALIAS(ALIAS) TARGET(KEPT)
         DEFINE QMODEL(MODEL) DEFTYPE(PERMDYN)
         DEFINE QLOCAL(GONE)
         ALTER QLOCAL(KEPT) MAXMSGL(100) DEFPSIST(YES)
         ALTER QMGR DEADQ(SYSTEM.DEAD.LETTER.QUEUE)
         DELETE QLOCAL(GONE)",
    );
    let ask = "DISPLAY QUEUE(*) ALL; DISPLAY QMGR";
    let before = bench.say(ask);
    assert!(before.contains("DESCR(It's kept)") && before.contains("DEADQ(SYSTEM.DEAD.LETTER.QUEUE)"));
    assert!(!before.contains("GONE"));
    let mut bench = bench;
    for survival in [Survival::Nothing, Survival::Everything, Survival::Nothing] {
        bench = bench.crash(survival);
        assert_eq!(bench.say(ask), before);
    }
    assert_eq!(bench.answer("DEFINE QLOCAL(GONE)"), "FRY8006I");
}

#[test]
fn a_new_queue_manager_has_its_system_objects_and_keeps_its_identity() {
    let bench = Bench::new();
    let ask = "DISPLAY QUEUE(SYSTEM.*); DISPLAY QMGR QMID CRDATE CRTIME";
    let before = bench.say(ask);
    for name in ["DEFAULT.LOCAL", "DEFAULT.ALIAS", "DEFAULT.MODEL", "DEAD.LETTER"] {
        assert!(before.contains(&format!("QUEUE(SYSTEM.{name}.QUEUE)")), "{before}");
    }
    assert_eq!(bench.crash(Survival::Nothing).say(ask), before);
}

#[test]
fn alter_is_felt_by_handles_that_are_open() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q); DEFINE QALIAS(A) TARGET(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let queue = one.open("Q", INPUT | OUTPUT);
    let alias = two.open("A", OUTPUT);
    let refused = |session: &mut Session, handle| {
        session.try_put(handle, &message(false), mqi::PutFlags::NO_SYNCPOINT, "x").map(|_| ()).err()
    };
    assert_eq!(refused(&mut one, queue), None);
    bench.mqsc("ALTER QLOCAL(Q) PUT(DISABLED)");
    assert_eq!(refused(&mut one, queue), Some(Reason::PUT_INHIBITED));
    assert_eq!(refused(&mut two, alias), Some(Reason::PUT_INHIBITED));
    bench.mqsc("ALTER QLOCAL(Q) PUT(ENABLED); ALTER QALIAS(A) PUT(DISABLED)");
    assert_eq!(refused(&mut one, queue), None);
    assert_eq!(refused(&mut two, alias), Some(Reason::PUT_INHIBITED));
    bench.mqsc("ALTER QLOCAL(Q) MAXDEPTH(2)");
    assert_eq!(refused(&mut one, queue), Some(Reason::Q_FULL));
    bench.mqsc("ALTER QLOCAL(Q) MAXDEPTH(9) MAXMSGL(0)");
    assert_eq!(refused(&mut one, queue), Some(Reason::MSG_TOO_BIG_FOR_Q));
    bench.mqsc("ALTER QLOCAL(Q) GET(DISABLED)");
    assert_eq!(one.get(queue), Err(Reason::GET_INHIBITED));
}

#[test]
fn a_waiting_getter_hears_that_gets_were_disabled() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    let token = one.wait(queue, &MessageDescriptor::default(), GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    bench.mqsc("ALTER QLOCAL(Q) GET(DISABLED)");
    assert_eq!(one.outcome(token), Some(Err(Reason::GET_INHIBITED)));
}

#[test]
fn an_alias_turned_to_another_target_invalidates_its_handles() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q); DEFINE QLOCAL(R); DEFINE QALIAS(A) TARGET(Q)");
    let mut one = bench.connect();
    let alias = one.open("A", OUTPUT);
    assert_eq!(bench.answer("ALTER QALIAS(A) TARGET(R)"), "FRY8148E");
    one.put(alias, false, "to Q");
    bench.mqsc("ALTER QALIAS(A) TARGET(R) FORCE");
    let put = one.try_put(alias, &message(false), mqi::PutFlags::NO_SYNCPOINT, "x").map(|_| ());
    assert_eq!(put, Err(Reason::OBJECT_CHANGED));
    let again = one.open("A", OUTPUT);
    one.put(again, false, "to R");
    assert_eq!((bench.depth("Q"), bench.depth("R")), (1, 1));
}

#[test]
fn changing_the_delivery_sequence_reorders_what_is_there() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MSGDLVSQ(FIFO)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    for (priority, body) in [(1, "low"), (9, "high"), (5, "middle")] {
        let descriptor = MessageDescriptor { priority: mqi::Priority::new(priority), ..message(false) };
        one.try_put(queue, &descriptor, mqi::PutFlags::NO_SYNCPOINT, body).unwrap();
    }
    bench.mqsc("ALTER QLOCAL(Q) MSGDLVSQ(PRIORITY)");
    assert_eq!(one.get(queue).as_deref(), Ok("high"));
    bench.mqsc("ALTER QLOCAL(Q) MSGDLVSQ(FIFO)");
    assert_eq!(one.get(queue).as_deref(), Ok("low"));
}

#[test]
fn a_queue_is_deleted_only_when_nothing_is_lost_by_mistake() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q); DEFINE QALIAS(A) TARGET(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    assert_eq!(bench.answer("DELETE QLOCAL(Q)"), "FRY8148E", "open");
    one.put(queue, true, "kept");
    let alias = one.open("A", OpenOptions::INQUIRE);
    bench.open(one.connection.close(queue, mqi::CloseOptions::default())).unwrap();
    assert_eq!(bench.answer("DELETE QLOCAL(Q) PURGE"), "FRY8148E", "open by an alias");
    assert_eq!(bench.answer("DELETE QALIAS(A)"), "FRY8148E", "the alias is open");
    bench.open(one.connection.close(alias, mqi::CloseOptions::default())).unwrap();
    assert_eq!(bench.answer("DELETE QALIAS(A)"), "FRY8007I");
    assert_eq!(bench.answer("DELETE QLOCAL(Q)"), "FRY8143E", "not empty");

    let queue = one.open("Q", INPUT);
    assert_eq!(one.get_within(queue).as_deref(), Ok("kept"));
    bench.open(one.connection.close(queue, mqi::CloseOptions::default())).unwrap();
    assert_eq!(bench.answer("DELETE QLOCAL(Q)"), "FRY8149E", "held by a unit of work");
    assert_eq!(bench.answer("DELETE QLOCAL(Q) PURGE"), "FRY8149E", "held by a unit of work");
    one.back().unwrap();
    assert_eq!(bench.answer("DELETE QLOCAL(Q) PURGE"), "FRY8007I");
    assert_eq!(one.try_open("Q", INPUT).map(|_| ()), Err(Reason::UNKNOWN_OBJECT_NAME));
}

#[test]
fn messages_of_a_deleted_queue_do_not_come_back_under_its_name() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench.fill("Q", 3);
    bench.mqsc("DELETE QLOCAL(Q) PURGE; DEFINE QLOCAL(Q)");
    assert_eq!(bench.depth("Q"), 0);
    bench.fill("Q", 1);
    let bench = bench.crash(Survival::Everything);
    assert_eq!(bench.depth("Q"), 1);
}

#[test]
fn replacing_a_definition_keeps_the_messages() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q) MAXDEPTH(3) DESCR('old')");
    bench.fill("Q", 3);
    bench.mqsc("DEFINE QLOCAL(Q) REPLACE MAXDEPTH(4)");
    bench.fill("Q", 1);
    let bench = bench.crash(Survival::Nothing);
    let shown = bench.say("DISPLAY QLOCAL(Q) CURDEPTH MAXDEPTH DESCR");
    assert!(
        shown.contains("CURDEPTH(4)") && shown.contains("MAXDEPTH(4)") && shown.contains("DESCR( )"),
        "{shown}"
    );
}

#[test]
fn clearing_is_refused_while_a_unit_of_work_or_a_program_holds_the_queue() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    bench.fill("Q", 3);
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT);
    assert_eq!(bench.answer("CLEAR QLOCAL(Q)"), "FRY8148E");
    one.get_within(queue).unwrap();
    bench.open(one.connection.close(queue, mqi::CloseOptions::default())).unwrap();
    let shown = bench.say("CLEAR QLOCAL(Q)");
    assert!(shown.starts_with("FRY8024E: Queue Q cannot be cleared") && shown.contains(": 1."), "{shown}");
    one.back().unwrap();
    assert_eq!(bench.say("CLEAR QLOCAL(Q)"), "FRY8022I: Queue Q cleared; messages removed: 3.\n");
    assert_eq!(bench.depth("Q"), 0);
    let bench = bench.crash(Survival::Nothing);
    assert_eq!(bench.depth("Q"), 0);
}

#[test]
fn display_tells_how_things_stand() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q); DEFINE QALIAS(A) TARGET(Q)");
    let (mut one, mut two) = (bench.connect(), bench.connect());
    let input = one.open("Q", INPUT | BROWSE);
    let output = two.open("A", OUTPUT);
    two.put(output, true, "a");
    two.put_within(output, true, "b");
    one.get_within(input).unwrap();
    insta::assert_snapshot!(bench.say(
        "DISPLAY QLOCAL(Q) CURDEPTH IPPROCS OPPROCS
         DISPLAY QUEUE(*) WHERE(CURDEPTH GT 0)
         DISPLAY QSTATUS(Q) CURDEPTH IPPROCS OPPROCS UNCOM
         DISPLAY QSTATUS(Q) TYPE(HANDLE) APPLTAG USERID CONNAME INPUT OUTPUT BROWSE INQUIRE SET
         DISPLAY CONN(*) APPLTAG UOWSTATE
         DISPLAY CONN(*) TYPE(HANDLE) ALL"
    ));
    one.commit().unwrap();
    two.commit().unwrap();
    assert_eq!(bench.say("DISPLAY CONN(*) WHERE(UOWSTATE NE NONE)"), "FRY8461I: No connection matches *.\n");
    drop((one, two));
    assert_eq!(bench.say("DISPLAY QSTATUS(*) TYPE(HANDLE)"), "FRY8565I: No handle matches *.\n");
    assert_eq!(
        bench.say("DISPLAY QSTATUS(Q) UNCOM"),
        bench.say("DISPLAY QSTATUS(Q) UNCOM WHERE(UNCOM EQ 0)")
    );
}

#[test]
fn dynamic_queues_are_displayed_and_only_permanent_ones_outlive_a_crash() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QMODEL(PERMANENT) DEFTYPE(PERMDYN) MAXDEPTH(7)");
    let mut one = bench.connect();
    for (model, name) in [("PERMANENT", "DYN.PERM"), ("SYSTEM.DEFAULT.MODEL.QUEUE", "DYN.TEMP")] {
        let mut object = ObjectDescriptor::queue(model.parse().unwrap());
        object.dynamic_queue_name = name.parse().unwrap();
        let opened = one.connection.open(&object, INPUT);
        bench.open(opened).unwrap();
    }
    let shown = bench.say("DISPLAY QLOCAL(DYN*) DEFTYPE MAXDEPTH");
    assert!(shown.contains("DEFTYPE(PERMDYN)                        MAXDEPTH(7)"), "{shown}");
    assert!(shown.contains("DEFTYPE(TEMPDYN)                        MAXDEPTH(5000)"), "{shown}");
    drop(one);
    let bench = bench.crash(Survival::Everything);
    let shown = bench.say("DISPLAY QLOCAL(DYN*) DEFTYPE");
    assert!(shown.contains("QUEUE(DYN.PERM)") && !shown.contains("DYN.TEMP"), "{shown}");
}

#[test]
fn definitions_survive_checkpoints_that_recycle_the_log() {
    let mut settings = settings();
    settings.storage.primary_extents = 2;
    settings.storage.secondary_extents = 2;
    let bench = Bench::with(settings, 3);
    bench.mqsc("DEFINE QLOCAL(FIRST) DESCR('before all'); DEFINE QLOCAL(Q) MAXDEPTH(100000)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let body = "x".repeat(20_000);
    for round in 0..500 {
        one.put(queue, true, &body);
        one.get(queue).unwrap();
        if round % 50 == 0 {
            bench.mqsc(&format!("DEFINE QLOCAL(R{round}); ALTER QLOCAL(FIRST) MAXDEPTH({})", round + 1));
        }
        if round % 10 == 0 {
            bench.pass(std::time::Duration::from_secs(61));
            bench.run_jobs();
        }
    }
    let ask = "DISPLAY QLOCAL(FIRST) MAXDEPTH DESCR; DISPLAY QLOCAL(R*)";
    let before = bench.say(ask);
    assert!(before.contains("MAXDEPTH(451)") && before.contains("R450"), "{before}");
    drop(one);
    assert_eq!(bench.crash(Survival::Nothing).say(ask), before);
}

#[test]
fn a_refusal_by_an_altered_queue_waits_until_the_alteration_is_durable() {
    let bench = Bench::new();
    bench.mqsc("DEFINE QLOCAL(Q)");
    let mut one = bench.connect();
    let queue = one.open("Q", INPUT | OUTPUT);
    let altered = bench.manager.execute(&objects::mqsc::parse("ALTER QLOCAL(Q) PUT(DISABLED)").unwrap()[0]);
    let options = mqi::PutOptions::with(mqi::PutFlags::NO_SYNCPOINT);
    let refused = one.connection.put(queue, &message(false), &options, bytes::Bytes::new());
    assert!(altered.need() > bench.manager.durable().lsn());
    assert!(refused.need() >= altered.need());
    assert_eq!(bench.open(refused).map(|_| ()), Err(Reason::PUT_INHIBITED));
}

/// Whatever the order in which threads meet: no call hangs, and what is answered is one of the answers there
/// are.
#[test]
#[expect(clippy::disallowed_methods, reason = "programs and administrators act at the same time")]
fn programs_and_administrators_do_not_block_each_other() {
    const ROUNDS: usize = 300;
    let mut settings = settings();
    // Room for everything, since housekeeping may come late here.
    settings.storage.extent_bytes = 16 << 20;
    let bench = Bench::with(settings, 5);
    bench.mqsc("DEFINE QLOCAL(Q0); DEFINE QLOCAL(Q1); DEFINE QALIAS(A) TARGET(Q0)");
    let done = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..2 {
            let (bench, done) = (&bench, &done);
            scope.spawn(move || {
                let mut session = bench.connect();
                for round in 0..ROUNDS {
                    let name = ["Q0", "Q1", "A"][(round + thread) % 3];
                    let Ok(opened) = session.try_open(name, INPUT | OUTPUT) else { continue };
                    let flags = [mqi::PutFlags::NO_SYNCPOINT, mqi::PutFlags::SYNCPOINT][round % 2];
                    match session.try_put(opened.handle, &message(true), flags, "x") {
                        Ok(_) => drop(session.get_within(opened.handle)),
                        Err(
                            Reason::PUT_INHIBITED
                            | Reason::Q_FULL
                            | Reason::OBJECT_CHANGED
                            | Reason::Q_DELETED,
                        ) => {}
                        Err(reason) => panic!("{name}: {reason}"),
                    }
                    bench
                        .open(session.connection.close(opened.handle, mqi::CloseOptions::default()))
                        .unwrap();
                    if round % 3 == 0 { session.back() } else { session.commit() }.unwrap();
                    done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
        let bench = &bench;
        scope.spawn(move || {
            for round in 0..ROUNDS {
                let turn = round % 7;
                bench.say(
                    [
                        "ALTER QLOCAL(Q0) PUT(DISABLED)",
                        "ALTER QLOCAL(Q0) PUT(ENABLED) MAXDEPTH(50)",
                        "DELETE QLOCAL(Q1) PURGE",
                        "DEFINE QLOCAL(Q1) REPLACE",
                        "CLEAR QLOCAL(Q0)",
                        "ALTER QALIAS(A) TARGET(Q1) FORCE",
                        "ALTER QALIAS(A) TARGET(Q0) FORCE",
                    ][turn],
                );
            }
        });
        scope.spawn(move || {
            for _ in 0..ROUNDS {
                bench.say("DISPLAY QUEUE(*) ALL; DISPLAY QSTATUS(*) TYPE(HANDLE); DISPLAY CONN(*) TYPE(ALL)");
                bench.manager.tick();
                bench.run_jobs();
            }
        });
    });
    assert!(done.into_inner() > ROUNDS / 2);
    assert_eq!(bench.say("DISPLAY QSTATUS(*) WHERE(UNCOM NE 0)"), "FRY8154I: No queue matches *.\n");
    bench.mqsc("CLEAR QLOCAL(Q0)");
    let before = bench.say("DISPLAY QUEUE(*) ALL");
    assert_eq!(bench.crash(Survival::Nothing).say("DISPLAY QUEUE(*) ALL"), before);
}
