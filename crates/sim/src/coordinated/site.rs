//! One queue manager, its machine, and the coordinator's connections to it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart,
};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Wait,
};
use parking_lot::Mutex;
use platform::Clock as _;
use platform::simulated::{CrashPolicy, Machine, Random};
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Gated, Get, GotMessage, Identity, Outcome, Principal,
    QueueManager, Settings, WaitToken,
};

use crate::subjects::Listener;

/// A call that took effect, and the position that must be durable before its answer may be known.
pub(super) struct Called<T> {
    need: u64,
    pub(super) value: T,
}

/// A queue manager with one queue.
pub(super) struct Site {
    machine: Machine,
    manager: QueueManager,
    listener: Arc<Listener>,
    settings: Settings,
    seed: u64,
    /// By transaction: a thread of work each.
    sessions: BTreeMap<usize, Session>,
}

struct Session {
    connection: Connection,
    queue: ObjectHandle,
    outcomes: Arc<Outcomes>,
}

/// Outcomes of gets whose message is read back from the disk.
#[derive(Default)]
struct Outcomes(Mutex<Vec<Outcome<GotMessage>>>);

impl Completions for Outcomes {
    fn complete(&self, _token: WaitToken, outcome: Outcome<GotMessage>) {
        self.0.lock().push(outcome);
    }
}

fn settings(name: &str) -> Settings {
    Settings {
        name: name.parse().expect("a name"),
        memory_budget_bytes: 1 << 20,
        handles_max: 16,
        uncommitted_messages_max: 1_000,
        connections_max: 100,
        storage: storage::Settings {
            extent_bytes: 512 << 10,
            primary_extents: 3,
            secondary_extents: 4,
            slow_io: None,
            ..storage::Settings::default()
        },
        checkpoint_interval: Duration::ZERO,
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

fn body_of(message: usize) -> Bytes {
    Bytes::from(message.to_string())
}

impl Site {
    pub(super) fn new(name: &str, seed: u64) -> Self {
        let machine = Machine::new(seed);
        let settings = settings(name);
        QueueManager::create(&machine.world(), &settings).expect("files can be made");
        let listener = Arc::new(Listener::default());
        let manager = QueueManager::open(machine.world(), settings.clone(), listener.clone());
        let manager = manager.expect("files can be opened");
        let this = Self { machine, manager, listener, settings, seed, sessions: BTreeMap::new() };
        for command in &objects::mqsc::parse("DEFINE QLOCAL(Q) MAXDEPTH(1000)").expect("a command") {
            let response = this.open(this.manager.execute(command));
            assert!(response.is_ok(), "{response:?}");
        }
        this
    }

    pub(super) fn name(&self) -> &str {
        self.settings.name.as_str()
    }

    /// Makes everything durable that was appended.
    pub(super) fn drive(&mut self) {
        while self.listener.failure().is_none()
            && self.manager.durable().lsn() < self.manager.log().state().end
        {
            self.manager.drive();
        }
    }

    fn called<T>(gated: Gated<T>) -> Called<T> {
        let (need, value) = gated.judged();
        Called { need: need.0, value }
    }

    /// Waits until a value may be known.
    fn open<T>(&self, gated: Gated<T>) -> T {
        self.await_answer(Self::called(gated))
    }

    /// Waits until an answer may be known, and hands it out.
    pub(super) fn await_answer<T>(&self, Called { need, value }: Called<T>) -> T {
        while self.manager.durable().lsn().0 < need {
            self.manager.drive();
        }
        value
    }

    fn connect(&self) -> Session {
        let outcomes = Arc::new(Outcomes::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "coordinator".to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new("tm", Identity::Process).expect("it is short"),
            completions: outcomes.clone(),
        };
        let mut connection = self.open(self.manager.connect(request)).expect("there is room");
        let object = ObjectDescriptor::queue("Q".parse().expect("a name"));
        let options = OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED;
        let opened = connection.open(&object, options);
        let queue = self.open(opened).expect("it is there").handle;
        Session { connection, queue, outcomes }
    }

    /// A thread of work that transactions are not: to decide and to list.
    fn with_other<T>(&self, call: impl FnOnce(&mut Session) -> T) -> T {
        call(&mut self.connect())
    }

    fn session(&mut self, transaction: usize) -> &mut Session {
        if !self.sessions.contains_key(&transaction) {
            let session = self.connect();
            self.sessions.insert(transaction, session);
        }
        self.sessions.get_mut(&transaction).expect("it was just put there")
    }

    /// Puts a message for good.
    pub(super) fn put(&mut self, message: usize) {
        let put = self.put_with(message, message, PutFlags::NO_SYNCPOINT);
        assert!(self.await_answer(put));
        self.drive();
    }

    fn put_with(&mut self, transaction: usize, message: usize, flags: PutFlags) -> Called<bool> {
        let persistence = Persistence::Persistent;
        let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let session = self.session(transaction);
        let options = PutOptions::with(flags);
        let put = session.connection.put(session.queue, &descriptor, &options, body_of(message));
        let Called { need, value } = Self::called(put);
        Called { need, value: value.is_ok() }
    }

    /// Puts a message in the branch of a transaction.
    pub(super) fn put_in_branch(&mut self, transaction: usize, message: usize) -> Called<bool> {
        self.put_with(transaction, message, PutFlags::SYNCPOINT)
    }

    /// Gets a message in the branch of a transaction: its number, if there was one.
    pub(super) fn get_in_branch(&mut self, transaction: usize) -> Called<Option<usize>> {
        let manager = self.manager.clone();
        let outcome = got(&manager, self.session(transaction), GetFlags::SYNCPOINT);
        let Called { need, value } = Self::called(outcome);
        Called { need, value: value.ok().and_then(|message| number(&message)) }
    }

    pub(super) fn start(
        &mut self,
        transaction: usize,
        branch: &BranchId,
    ) -> Called<Result<(), BranchRefusal>> {
        Self::called(self.session(transaction).connection.branches().start(branch, BranchStart::New))
    }

    pub(super) fn end(&mut self, transaction: usize, branch: &BranchId) -> Called<Result<(), BranchRefusal>> {
        Self::called(self.session(transaction).connection.branches().end(branch, BranchEnd::Success))
    }

    pub(super) fn prepare(
        &mut self,
        transaction: usize,
        branch: &BranchId,
    ) -> Called<Result<BranchPrepared, BranchRefusal>> {
        Self::called(self.session(transaction).connection.branches().prepare(branch))
    }

    /// Decides a branch, over the connection of its transaction.
    pub(super) fn decide(
        &mut self,
        transaction: usize,
        branch: &BranchId,
        commits: bool,
    ) -> Called<Result<(), BranchRefusal>> {
        let connection = &mut self.session(transaction).connection;
        Self::called(if commits {
            connection.branches().commit(branch, BranchCommit::TwoPhase)
        } else {
            connection.branches().back_out(branch)
        })
    }

    /// The branches that it lists.
    pub(super) fn listed(&self) -> Vec<BranchId> {
        self.with_other(|session| {
            let list = BranchList { most: 100, ..BranchList::default() };
            let listed = session.connection.branches().list(&list);
            self.open(listed).expect("the connection is there")
        })
    }

    pub(super) fn lose_connections(&mut self) {
        self.sessions.clear();
    }

    pub(super) fn pass(&mut self, duration: Duration) {
        self.machine.clock.advance(duration / 2);
        self.keep_house();
        self.machine.clock.advance(duration / 2);
        self.keep_house();
    }

    fn keep_house(&self) {
        self.manager.tick();
        run_jobs(&self.manager);
    }

    /// Its power goes, and it starts again; why it does not.
    pub(super) fn stop(&mut self, random: &mut Random, policy: CrashPolicy) -> Option<String> {
        self.sessions.clear();
        self.machine.disk.cut_power();
        let disk = self.machine.disk.crash(random, policy);
        self.seed = self.seed.wrapping_add(1);
        let machine = Machine::with_disk(disk, self.seed);
        let behind = self.machine.clock.wall().0 - machine.clock.wall().0;
        machine.clock.advance(Duration::from_micros(u64::try_from(behind).unwrap_or(0)));
        let listener = Arc::new(Listener::default());
        match QueueManager::open(machine.world(), self.settings.clone(), listener.clone()) {
            Ok(manager) => {
                (self.machine, self.manager, self.listener) = (machine, manager, listener);
                None
            }
            Err(error) => Some(format!("{} does not start: {error}", self.name())),
        }
    }

    /// The messages that can be got, by the numbers of their transactions.
    pub(super) fn messages(&mut self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut session = self.connect();
        while let Ok(message) = self.open(got(&self.manager, &mut session, GetFlags::NO_SYNCPOINT)) {
            found.extend(number(&message));
        }
        found
    }
}

fn run_jobs(manager: &QueueManager) {
    while let Some(job) = manager.take_job() {
        job.run();
    }
}

/// Gets a message, if need be from the disk.
fn got(manager: &QueueManager, session: &mut Session, flags: GetFlags) -> Outcome<GotMessage> {
    let (any, options) = (MessageDescriptor::default(), GetOptions::with(flags, Wait::No));
    match session.connection.get(Ask::new(session.queue, &any, &options, 100, WaitToken(1))) {
        Get::Done(outcome) => outcome,
        Get::Waiting => {
            run_jobs(manager);
            session.outcomes.0.lock().pop().expect("a job has read it")
        }
    }
}

fn number(message: &GotMessage) -> Option<usize> {
    std::str::from_utf8(&message.body).ok()?.parse().ok()
}
