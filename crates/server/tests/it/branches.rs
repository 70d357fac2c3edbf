//! Branches of transactions over a connection, and in this process.

use std::time::Duration;

use amqp::outcome::{Transactional, put_accepted, put_transactional};
use amqp::sections::{Header, Properties, Sections, VALUE};
use amqp::terminus::Coordinator;
use amqp::types::one;
use amqp::types::write::{
    Composite, put_binary, put_boolean, put_descriptor, put_map, put_scalar, put_string,
};
use amqp::{Performative, Target, Value, transaction};
use client::Connection;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, Branches,
    RollbackCause,
};
use mqi::{GetFlags, OpenOptions, Persistence, PutFlags, Reason, Verbs as _};

use crate::amqp_routes::Client;
use crate::processes::Process;
use crate::running::{Place, command, connect, eventually, get, open, put};

const NOW: Duration = Duration::ZERO;

fn branch(number: u8) -> BranchId {
    BranchId::new(3, b"of the test", &[number]).unwrap()
}

fn listed(connection: &mut impl Branches) -> Vec<BranchId> {
    connection.list_branches(&BranchList { most: 10, ..BranchList::default() }).unwrap()
}

/// A branch in which a message was put, and that its connection has left.
fn leave_idle(connection: &mut Connection, number: u8, body: &[u8]) {
    let queue = open(connection, "Q", OpenOptions::OUTPUT);
    connection.start_branch(&branch(number), BranchStart::New).unwrap();
    put(connection, queue, body, Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
    connection.end_branch(&branch(number), BranchEnd::Success).unwrap();
}

#[test]
fn a_branch_that_is_prepared_outlives_kill_9_and_another_connection_commits_it() {
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut one = connect(process.address());
    command(&mut one, "DEFINE QLOCAL(Q)");
    leave_idle(&mut one, 1, b"prepared");
    assert_eq!(one.prepare_branch(&branch(1)), Ok(BranchPrepared::Prepared));
    leave_idle(&mut one, 2, b"left idle");
    process.kill();
    assert_eq!(one.prepare_branch(&branch(2)), Err(BranchRefusal::Lost));

    let process = Process::start(&place);
    let mut two = connect(process.address());
    let queue = open(&mut two, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut two, queue, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(listed(&mut two), [branch(1)]);
    two.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();
    assert_eq!(get(&mut two, queue, NOW, GetFlags::EMPTY).unwrap(), b"prepared");
    assert_eq!(get(&mut two, queue, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
    assert_eq!(two.prepare_branch(&branch(2)), Err(BranchRefusal::Unknown));
}

/// The log holds 8 MiB, and eight times as much goes through it.
#[test]
fn an_idle_branch_without_a_connection_keeps_no_put_from_a_small_log() {
    let place = Place::with_log("extent_size = \"2 MiB\"\nprimary_extents = 4\n");
    let process = Process::start(&place);
    let mut one = connect(process.address());
    command(&mut one, "DEFINE QLOCAL(Q)\nDEFINE QLOCAL(OTHER)");
    leave_idle(&mut one, 1, b"left idle");
    drop(one);
    let mut two = connect(process.address());
    let queue = open(&mut two, "OTHER", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    let body = vec![7; 64 << 10];
    for number in 0..1024 {
        put(&mut two, queue, &body, Persistence::Persistent, PutFlags::NO_SYNCPOINT)
            .unwrap_or_else(|reason| panic!("put {number}: {reason}"));
        assert_eq!(get(&mut two, queue, NOW, GetFlags::EMPTY).unwrap().len(), body.len());
    }
    eventually("the branch is rolled back for lack of log", || place.error_log().contains("FRY7485W"));
    let no_room = Err(BranchRefusal::RolledBack(RollbackCause::NoRoom));
    assert_eq!(two.prepare_branch(&branch(1)), no_room);
    let left = open(&mut two, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut two, left, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn messages_that_came_ahead_are_given_back_before_a_branch_and_after_it() {
    let place = Place::new();
    let process = Process::start(&place);
    let mut one = connect(process.address());
    command(&mut one, "DEFINE QLOCAL(Q)");
    let queue =
        open(&mut one, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD);
    for body in [b"1", b"2", b"3", b"4"] {
        put(&mut one, queue, body, Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
    }
    assert_eq!(get(&mut one, queue, NOW, GetFlags::NO_SYNCPOINT).unwrap(), b"1");
    one.start_branch(&branch(1), BranchStart::New).unwrap();
    assert_eq!(get(&mut one, queue, NOW, GetFlags::SYNCPOINT).unwrap(), b"2");
    one.end_branch(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(
        get(&mut one, queue, NOW, GetFlags::NO_SYNCPOINT).unwrap(),
        b"3",
        "what came ahead is outside"
    );
    one.back_out_branch(&branch(1)).unwrap();
    let mut two = connect(process.address());
    let queue = open(&mut two, "Q", OpenOptions::INPUT_SHARED);
    drop(one);
    let mut left: Vec<_> =
        std::iter::from_fn(|| get(&mut two, queue, Duration::from_millis(200), GetFlags::NO_SYNCPOINT).ok())
            .collect();
    left.sort();
    assert_eq!(left, [b"2", b"4"]);
}

#[test]
fn a_put_that_fails_without_a_reply_rolls_its_branch_back() {
    let place = Place::new();
    let process = Process::start(&place);
    let mut one = connect(process.address());
    command(&mut one, "DEFINE QLOCAL(Q) MAXDEPTH(1)");
    let queue = open(&mut one, "Q", OpenOptions::OUTPUT);
    one.start_branch(&branch(1), BranchStart::New).unwrap();
    let persistence = Persistence::Persistent;
    let descriptor = mqi::MessageDescriptor { persistence, ..mqi::MessageDescriptor::default() };
    let options = mqi::PutOptions::with(PutFlags::SYNCPOINT);
    for _ in 0..2 {
        one.put_async(queue, &descriptor, &options, bytes::Bytes::from_static(b"x")).unwrap();
    }
    let failed = Err(BranchRefusal::RolledBack(RollbackCause::Other));
    assert_eq!(one.end_branch(&branch(1), BranchEnd::Success), failed);
    assert_eq!(one.commit_branch(&branch(1), BranchCommit::OnePhase), failed);
    // What was put before is of the branch alone.
    put(&mut one, queue, b"y", Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
}

#[test]
fn messages_that_came_for_good_do_not_keep_a_branch_from_beginning_or_ending() {
    let place = Place::new();
    let process = Process::start(&place);
    let mut one = connect(process.address());
    command(&mut one, "DEFINE QLOCAL(Q)");
    let queue =
        open(&mut one, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD);
    for body in [b"1", b"2", b"3", b"4"] {
        put(&mut one, queue, body, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT).unwrap();
    }
    let wait = Duration::from_secs(5);
    assert_eq!(get(&mut one, queue, wait, GetFlags::NO_SYNCPOINT).unwrap(), b"1");
    one.start_branch(&branch(1), BranchStart::New).unwrap();
    assert_eq!(get(&mut one, queue, wait, GetFlags::NO_SYNCPOINT).unwrap(), b"2");
    one.end_branch(&branch(1), BranchEnd::Success).unwrap();
    one.back_out_branch(&branch(1)).unwrap();
    for body in [b"3", b"4"] {
        assert_eq!(get(&mut one, queue, wait, GetFlags::NO_SYNCPOINT).unwrap(), body);
    }
}

#[test]
fn a_commit_that_is_refused_in_a_branch_does_not_forget_a_put_that_failed() {
    let place = Place::new();
    let name = "QM1".parse().unwrap();
    let manager = server::embedded::QueueManager::open(place.data.path(), &name).unwrap();
    manager.command("DEFINE QLOCAL(Q) MAXDEPTH(1)").unwrap();
    let mut one = manager.connect("test").unwrap();
    let queue = open(&mut one, "Q", OpenOptions::OUTPUT);
    for commits in [true, false] {
        one.start_branch(&branch(1), BranchStart::New).unwrap();
        for body in [b"1", b"2"] {
            let flags = PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE;
            put(&mut one, queue, body, Persistence::Persistent, flags).unwrap();
        }
        let ended = if commits { one.commit() } else { one.back() };
        assert_eq!(ended, Err(Reason::ENVIRONMENT_ERROR));
        let failed = Err(BranchRefusal::RolledBack(RollbackCause::Other));
        assert_eq!(one.end_branch(&branch(1), BranchEnd::Success), failed);
        assert_eq!(one.back_out_branch(&branch(1)), failed);
    }
}

#[test]
fn a_program_of_the_process_of_the_queue_manager_works_in_branches() {
    let place = Place::new();
    let name = "QM1".parse().unwrap();
    let manager = server::embedded::QueueManager::open(place.data.path(), &name).unwrap();
    manager.command("DEFINE QLOCAL(Q)").unwrap();
    let mut one = manager.connect("test").unwrap();
    let queue = open(&mut one, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    one.start_branch(&branch(1), BranchStart::New).unwrap();
    put(&mut one, queue, b"x", Persistence::Persistent, PutFlags::SYNCPOINT).unwrap();
    assert_eq!(one.commit(), Err(Reason::ENVIRONMENT_ERROR));
    one.end_branch(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(one.prepare_branch(&branch(1)), Ok(BranchPrepared::Prepared));
    assert_eq!(listed(&mut one), [branch(1)]);
    one.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();
    assert_eq!(get(&mut one, queue, NOW, GetFlags::EMPTY).unwrap(), b"x");
}

/// A client of AMQP with links to a coordinator, to the queue Q and to `$xa`.
struct AmqpProgram {
    client: Client,
    coordinator: u32,
    queue: u32,
    calls: u32,
}

impl AmqpProgram {
    fn of(process: &Process) -> Self {
        let mut client = Client::open(process.address().parse().unwrap());
        let mut encoded = Vec::new();
        Coordinator::default().write(&mut encoded);
        let coordinator = client.attach(&encoded);
        let [queue, calls] = ["Q", "$xa"].map(|address| {
            let mut encoded = Vec::new();
            Target { address: Some(address), ..Target::default() }.write(&mut encoded);
            client.attach(&encoded)
        });
        Self { client, coordinator, queue, calls }
    }

    fn declare(&mut self) -> Vec<u8> {
        let mut request = Vec::new();
        put_descriptor(&mut request, VALUE);
        Composite::begin(&mut request, transaction::Declare::CODE).end();
        let state = self.client.transfer(self.coordinator, &request, None);
        let Ok((Value::Described(_, fields), _)) = one(&state) else { panic!("{state:?}") };
        let Ok((Value::List(mut fields), _)) = one(fields) else { panic!("{state:?}") };
        let Some(Value::Binary(name)) = fields.next() else { panic!("{state:?}") };
        name.to_vec()
    }

    /// Sends a message within a transaction, which is accepted.
    fn send(&mut self, link: u32, message: &[u8], transaction: &[u8]) {
        let mut within = Vec::new();
        let mut fields = Composite::begin(&mut within, Transactional::CODE);
        fields.put(|out| put_binary(out, transaction));
        fields.end();
        let mut accepted = Vec::new();
        put_transactional(&mut accepted, transaction, put_accepted);
        assert_eq!(self.client.transfer(link, message, Some(&within)), accepted);
    }

    /// Makes a call on a branch outside of transactions; the number of its answer.
    fn ask(&mut self, call: &str, branch: &BranchId) -> Option<i128> {
        let answers = self.client.listen(None);
        self.client.put(self.calls, &call_on(call, branch, Some(&answers)), None);
        self.client.wait(|performative, payload| {
            let Performative::Transfer(_) = performative else { return None };
            let sections = Sections::of(payload).unwrap();
            let mut properties = sections.application_properties();
            properties.next().map(|(_, value)| value.integer())
        })
    }
}

fn call_on(call: &str, branch: &BranchId, reply_to: Option<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    Properties { reply_to, ..Properties::default() }.write(&mut out);
    put_descriptor(&mut out, 0x74);
    put_map(&mut out, 4, |out| {
        for (name, value) in [
            ("ferry.xa", Value::String(call)),
            ("ferry.format", Value::Int(branch.format())),
            ("ferry.global", Value::Binary(branch.global())),
            ("ferry.qualifier", Value::Binary(branch.qualifier())),
        ] {
            put_string(out, name);
            assert!(put_scalar(out, &value));
        }
    });
    out
}

fn with_text(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut header = Composite::begin(&mut out, Header::CODE);
    header.put(|out| put_boolean(out, true));
    header.end();
    put_descriptor(&mut out, VALUE);
    put_string(&mut out, text);
    out
}

#[test]
fn a_transaction_of_amqp_that_is_prepared_outlives_kill_9_and_each_protocol_decides_it() {
    let place = Place::with_settings("[listener]\namqp_channel = \"SYSTEM.DEF.AMQP\"\n");
    let mut process = Process::start(&place);
    command(&mut connect(process.address()), "DEFINE QLOCAL(Q)");
    let mut program = AmqpProgram::of(&process);
    for number in [1, 2] {
        let transaction = program.declare();
        let queue = program.queue;
        program.send(queue, &with_text(&format!("of {number}")), &transaction);
        let calls = program.calls;
        program.send(calls, &call_on("prepare", &branch(number), None), &transaction);
    }
    // Not prepared, and gone with the process.
    let transaction = program.declare();
    let queue = program.queue;
    program.send(queue, &with_text("never"), &transaction);
    process.kill();

    let process = Process::start(&place);
    let mut two = connect(process.address());
    let queue = open(&mut two, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut two, queue, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
    // A recovery lists the branches of its own user. The program of AMQP proved none: these are of nobody.
    assert_eq!(listed(&mut two), []);
    let prepared = command(&mut two, "DISPLAY CONN(*) WHERE(UOWSTATE EQ PREPARED) USERID");
    assert_eq!(prepared.matches("USERID( )").count(), 2, "{prepared}");
    two.commit_branch(&branch(1), BranchCommit::TwoPhase).unwrap();
    let mut other = AmqpProgram::of(&process);
    assert_eq!(other.ask("commit", &branch(2)), Some(0));
    assert_eq!(other.ask("commit", &branch(2)), Some(-4));
    assert_eq!(listed(&mut two), []);
    let bodies = [1, 2].map(|_| get(&mut two, queue, NOW, GetFlags::NO_PROPERTIES).unwrap());
    assert_eq!(bodies, [b"of 1", b"of 2"]);
    assert_eq!(get(&mut two, queue, NOW, GetFlags::EMPTY), Err(Reason::NO_MSG_AVAILABLE));
}

#[test]
fn the_messages_that_a_prepared_branch_got_are_copied_over_a_connection_and_in_this_process() {
    fn copied(connection: &mut impl Branches) -> Vec<(usize, Persistence)> {
        let copies = connection.prepared_messages(&branch(1)).unwrap();
        copies.iter().map(|copy| (copy.got.body.len(), copy.descriptor.persistence)).collect()
    }
    // One is long enough to come in pieces, and to leave memory.
    let bodies = [b"short".to_vec(), vec![7; 3 << 20], Vec::new()];
    let place = Place::new();
    let mut process = Process::start(&place);
    let mut one = connect(process.address());
    command(&mut one, "DEFINE QLOCAL(Q)");
    let queue = open(&mut one, "Q", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
    for body in &bodies {
        put(&mut one, queue, body, Persistence::Persistent, PutFlags::NO_SYNCPOINT).unwrap();
    }
    one.start_branch(&branch(1), BranchStart::New).unwrap();
    for body in &bodies {
        assert_eq!(get(&mut one, queue, NOW, GetFlags::SYNCPOINT).unwrap(), *body);
    }
    assert_eq!(one.prepared_messages(&branch(1)), Err(BranchRefusal::Protocol));
    one.end_branch(&branch(1), BranchEnd::Success).unwrap();
    assert_eq!(one.prepare_branch(&branch(1)), Ok(BranchPrepared::Prepared));
    let expected: Vec<_> = bodies.iter().map(|body| (body.len(), Persistence::Persistent)).collect();
    assert_eq!(copied(&mut one), expected);
    assert_eq!(one.prepared_messages(&branch(2)), Err(BranchRefusal::Unknown));
    process.kill();
    assert_eq!(one.prepared_messages(&branch(1)), Err(BranchRefusal::Lost));
    let mut process = Process::start(&place);
    let mut two = connect(process.address());
    assert_eq!(copied(&mut two), expected, "read from the disk");
    process.kill();
    let name = "QM1".parse().unwrap();
    let manager = server::embedded::QueueManager::open(place.data.path(), &name).unwrap();
    let mut three = manager.connect("test").unwrap();
    assert_eq!(copied(&mut three), expected);
    three.back_out_branch(&branch(1)).unwrap();
    let queue = open(&mut three, "Q", OpenOptions::INPUT_SHARED);
    assert_eq!(get(&mut three, queue, NOW, GetFlags::NO_SYNCPOINT).unwrap(), bodies[0]);
}
