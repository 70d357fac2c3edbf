//! The engine through its verbs, as a reactor or an application would call it.
//!
//! The memory budget is small, so that bodies are evicted and read back by jobs, and the checkpoint interval
//! is nothing, so that every tick after something was logged takes one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use mqi::{
    AttributeValue, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, Priority, PutFlags, PutOptions, Reason, Selector, Wait, constants,
};
use parking_lot::Mutex;
use platform::{Clock, WallTime, World};
use queue_manager::Event;
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Decision, Gated, Get, GetPurpose, GotMessage, Host,
    Identity, Outcome, Placement, PreparedBranch, PreparedPurpose, PreparedUnit, Principal, PutDone,
    PutTarget, QueueManager, Receipt, Reserve, Settings, UnitOfWork, WaitToken,
};
use storage::LogKind;

use crate::torture::{
    AWAITS_GETTER, Answer, Arrived, Counters, DELAY, Found, Maker, Put, QUEUES, Refusal, StartFailure,
    Subject,
};

/// Of a message that browsers are not told of any more.
const PASSED_OVER: &str = "it was passed over";

/// The client that gets everything there is.
const DRAINER: u32 = u32::MAX;

/// Makes queue managers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine;

/// Makes queue managers of another kind.
#[derive(Clone, Copy, Debug)]
struct Other {
    manner: Manner,
    /// Command given to the queue manager when it is made.
    command: Option<&'static str>,
}

/// The settings that differ.
#[derive(Clone, Copy, Debug)]
struct Manner {
    kind: LogKind,
    checkpoint_interval: Duration,
    extent_bytes: u64,
    secondary_extents: u32,
}

impl Manner {
    const USUAL: Self = Self {
        kind: LogKind::Circular,
        checkpoint_interval: Duration::ZERO,
        extent_bytes: 1 << 20,
        secondary_extents: 2,
    };
    const KEEPING: Self = Self { kind: LogKind::Linear, ..Self::USUAL };
    const WITHOUT_TIMER: Self = Self { checkpoint_interval: Duration::from_secs(86_400), ..Self::USUAL };
    const OF_SMALL_EXTENTS: Self =
        Self { extent_bytes: 512 << 10, secondary_extents: 4, ..Self::WITHOUT_TIMER };
}

fn settings(manner: Manner) -> Settings {
    Settings {
        name: "TORTURE".parse().expect("a name"),
        memory_budget_bytes: 32 << 10,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings {
            extent_bytes: manner.extent_bytes,
            primary_extents: 2,
            secondary_extents: manner.secondary_extents,
            kind: manner.kind,
            ..storage::Settings::default()
        },
        checkpoint_interval: manner.checkpoint_interval,
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

impl Maker for Engine {
    fn name(&self) -> &'static str {
        "engine"
    }

    fn create(&self, world: &World) -> Result<(), StartFailure> {
        create(world, Manner::USUAL)
    }

    fn open(&self, world: &World) -> Result<Box<dyn Subject>, StartFailure> {
        Ok(Box::new(Running::open(world, Manner::USUAL)?))
    }

    fn keeping_its_log(&self) -> Option<Box<dyn Maker>> {
        Some(Box::new(Other { manner: Manner::KEEPING, command: None }))
    }

    fn without_timer(&self) -> Option<Box<dyn Maker>> {
        Some(Box::new(Other { manner: Manner::WITHOUT_TIMER, command: None }))
    }

    fn of_small_extents(&self) -> Option<Box<dyn Maker>> {
        Some(Box::new(Other { manner: Manner::OF_SMALL_EXTENTS, command: None }))
    }

    fn taking_images(&self) -> Option<Box<dyn Maker>> {
        Some(Box::new(Other { manner: Manner::KEEPING, command: Some("ALTER QMGR IMGINTVL(1)") }))
    }
}

impl Maker for Other {
    fn name(&self) -> &'static str {
        "engine"
    }

    fn create(&self, world: &World) -> Result<(), StartFailure> {
        create(world, self.manner)?;
        match self.command {
            Some(command) => Running::open(world, self.manner)?.execute(command),
            None => Ok(()),
        }
    }

    fn open(&self, world: &World) -> Result<Box<dyn Subject>, StartFailure> {
        Ok(Box::new(Running::open(world, self.manner)?))
    }
}

fn create(world: &World, manner: Manner) -> Result<(), StartFailure> {
    QueueManager::create(world, &settings(manner)).map_err(|error| StartFailure(error.to_string()))?;
    let running = Running::open(world, manner)?;
    for queue in 0..QUEUES {
        running.execute(&format!("DEFINE QLOCAL(Q{queue}) REPLACE MAXDEPTH(100000)"))?;
    }
    Ok(())
}

/// Notes the engine's calls to its host.
#[derive(Debug, Default)]
pub(crate) struct Listener {
    /// Applications whose unit of work was backed out because it kept too much of the log.
    revoked: Mutex<Vec<String>>,
    failure: Mutex<Option<String>>,
    /// Messages told to be damaged.
    damaged: AtomicU64,
}

impl Listener {
    /// The applications whose units of work were backed out since this was last asked.
    pub(crate) fn take_revoked(&self) -> Vec<String> {
        std::mem::take(&mut self.revoked.lock())
    }

    /// Why the queue manager has failed, if it has.
    pub(crate) fn failure(&self) -> Option<String> {
        self.failure.lock().clone()
    }
}

impl Host for Listener {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}

    fn event(&self, event: &Event) {
        if event.id == "FRY7469W" {
            self.revoked.lock().extend(event.inserts.first().cloned());
        }
        if event.id == "FRY7472E" {
            self.damaged.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn failed(&self, failure: &storage::Fatal) {
        self.failure.lock().get_or_insert_with(|| failure.to_string());
    }
}

/// Outcomes of gets that had to wait for the disk.
#[derive(Default)]
struct Outcomes(Mutex<Vec<Outcome<GotMessage>>>);

impl Completions for Outcomes {
    fn complete(&self, _token: WaitToken, outcome: Outcome<GotMessage>) {
        self.0.lock().push(outcome);
    }

    fn tells_of_delivery(&self) -> bool {
        true
    }
}

struct Session {
    connection: Connection,
    outcomes: Arc<Outcomes>,
    handles: [ObjectHandle; QUEUES],
    /// The get that waits.
    wait: WaitToken,
    /// Of the message on its way here.
    receipt: Option<Receipt>,
    /// The answer to a put, which awaits a getter.
    put: Option<Outcome<PutDone>>,
    /// True for a client whose units of work are beside its connection, and which takes from it what it set
    /// aside before.
    is_beside: bool,
    /// The unit that is open.
    beside: Option<UnitOfWork>,
}

/// True for every other client: to those who judge, its units of work are like any other.
fn is_beside(client: u32) -> bool {
    client.is_multiple_of(2)
}

impl Session {
    fn begin_beside(&mut self) {
        if self.is_beside && self.beside.is_none() {
            self.beside = self.connection.open_unit().ok();
        }
    }

    fn back(&mut self) -> Outcome<()> {
        match self.beside.take() {
            Some(unit) => unit.back(),
            None => self.connection.back(),
        }
    }

    /// Sets a message aside, then takes it within the unit beside the connection.
    fn get_beside(
        &mut self,
        manager: &QueueManager,
        queue: usize,
        token: WaitToken,
    ) -> (u64, Result<GotMessage, Reason>) {
        self.begin_beside();
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let any = MessageDescriptor::default();
        let handle = self.handles[queue];
        let get = self.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::ForLink),
            ..Ask::new(handle, &any, &options, usize::MAX, token)
        });
        let (need, got) = look(Running::got(manager, &mut self.connection, &self.outcomes, token, get));
        let (got, unit) = match (got, &self.beside) {
            (Ok(got), Some(unit)) => (got, unit),
            (got, _) => return (need, got.and(Err(Reason::UOW_NOT_AVAILABLE))),
        };
        let (taken_need, taken) = look(self.connection.take_reserved(token, Some(unit)));
        if taken.is_err() {
            self.connection.give_back(token);
        }
        (need.max(taken_need), taken.map(|()| got))
    }
}

struct Running {
    sessions: BTreeMap<u32, Session>,
    manager: QueueManager,
    manner: Manner,
    listener: Arc<Listener>,
    clock: Arc<dyn Clock>,
    tokens: u64,
}

/// Reads a gated value before it may be known: the torture itself decides when an answer is out.
fn look<T>(gated: Gated<T>) -> (u64, T) {
    let (need, value) = gated.judged();
    (need.0, value)
}

impl Running {
    fn open(world: &World, manner: Manner) -> Result<Self, StartFailure> {
        let listener = Arc::new(Listener::default());
        let manager = QueueManager::open(world.clone(), settings(manner), listener.clone())
            .map_err(|error| StartFailure(error.to_string()))?;
        let clock = world.clock.clone();
        Ok(Self { sessions: BTreeMap::new(), manager, manner, listener, clock, tokens: 0 })
    }

    /// Executes commands and has them durable.
    fn execute(&self, text: &str) -> Result<(), StartFailure> {
        let commands =
            objects::mqsc::parse(text).map_err(|error| StartFailure(format!("{text}: {error:?}")))?;
        for command in &commands {
            let (need, response) = look(self.manager.execute(command));
            if !response.is_ok() {
                return Err(StartFailure(format!("{text}: {response:?}")));
            }
            while self.manager.durable().lsn().0 < need {
                if let Some(failure) = self.listener.failure() {
                    return Err(StartFailure(failure));
                }
                self.manager.drive();
            }
        }
        Ok(())
    }

    fn connect(&self, application: &str) -> (Connection, Arc<Outcomes>) {
        let outcomes = Arc::new(Outcomes::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: application.to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new("torture", Identity::Process).expect("it is short"),
            completions: outcomes.clone(),
        };
        let (_, connected) = look(self.manager.connect(request));
        (connected.unwrap_or_else(|reason| panic!("cannot connect: {reason}")), outcomes)
    }

    fn open_queue(connection: &mut Connection, queue: usize, options: OpenOptions) -> ObjectHandle {
        let object = ObjectDescriptor::queue(format!("Q{queue}").parse().expect("a name"));
        let (_, opened) = look(connection.open(&object, options));
        opened.unwrap_or_else(|reason| panic!("cannot open Q{queue}: {reason}")).handle
    }

    fn session(&mut self, client: u32) -> &mut Session {
        if !self.sessions.contains_key(&client) {
            let (mut connection, outcomes) = self.connect(&client.to_string());
            let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
            let handles = std::array::from_fn(|queue| Self::open_queue(&mut connection, queue, options));
            let (wait, is_beside) = (WaitToken(0), is_beside(client));
            let (receipt, put, beside) = (None, None, None);
            let session = Session { connection, outcomes, handles, wait, receipt, put, is_beside, beside };
            self.sessions.insert(client, session);
        }
        self.sessions.get_mut(&client).expect("just made")
    }

    fn refusal(&self, reason: Reason) -> Refusal {
        if let Some(failure) = self.listener.failure() {
            return Refusal::Failed(failure);
        }
        match reason {
            Reason::BACKED_OUT => Refusal::BackedOut,
            Reason::OBJECT_DAMAGED => Refusal::SetAside,
            Reason::STORAGE_MEDIUM_FULL | Reason::RESOURCE_PROBLEM | Reason::Q_SPACE_NOT_AVAILABLE => {
                Refusal::NoRoom
            }
            other => Refusal::Damaged(format!("reason {other}")),
        }
    }

    fn answer<T, U>(&self, gated: Outcome<T>, value: impl FnOnce(T) -> U) -> Answer<U> {
        let (need, result) = look(gated);
        Answer { need, result: result.map(value).map_err(|reason| self.refusal(reason)) }
    }

    /// The outcome of a get, after the jobs it needed. One for which they make no room in the log is given
    /// up.
    fn got(
        manager: &QueueManager,
        connection: &mut Connection,
        outcomes: &Outcomes,
        token: WaitToken,
        get: Get,
    ) -> Outcome<GotMessage> {
        if let Get::Done(outcome) = get {
            return outcome;
        }
        loop {
            if let Some(outcome) = outcomes.0.lock().pop() {
                return outcome;
            }
            match manager.take_job() {
                Some(job) => job.run(),
                None if connection.cancel(token) => return Gated::free(Err(Reason::RESOURCE_PROBLEM)),
                None => {}
            }
        }
    }

    /// A figure of a queue: how many of its messages are set aside, or delivered later.
    fn figure(&self, queue: usize, name: &str) -> usize {
        let command = format!("DISPLAY QSTATUS(Q{queue}) {name}");
        let commands = objects::mqsc::parse(&command).expect("a command");
        let text = look(self.manager.execute(&commands[0])).1.to_string();
        let told = text
            .split_once(&format!("{name}("))
            .and_then(|(_, rest)| rest.split_once(')')?.0.trim().parse().ok());
        told.unwrap_or_else(|| panic!("{name} is not told: {text}"))
    }

    /// The answer of a get.
    fn got_answer(&self, (need, got): (u64, Result<GotMessage, Reason>)) -> Answer<Option<Vec<u8>>> {
        let result = match got {
            Ok(message) => Ok(Some(message.body.to_vec())),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(self.refusal(reason)),
        };
        Answer { need, result }
    }

    fn run_jobs(&self) {
        while let Some(job) = self.manager.take_job() {
            job.run();
        }
    }
}

/// The number under which a unit of work was prepared.
fn number_of(unit: &PreparedUnit) -> Option<u32> {
    match &unit.purpose {
        PreparedPurpose::Branch(branch) => {
            branch.qualifier.as_slice().try_into().ok().map(u32::from_le_bytes)
        }
        PreparedPurpose::Channel(_) => None,
    }
}

/// CURDEPTH, in which messages set aside count.
fn current_depth(connection: &mut Connection, handle: ObjectHandle) -> usize {
    let (_, inquired) = look(connection.inquire(handle, &[Selector(constants::MQIA_CURRENT_Q_DEPTH)]));
    match inquired.as_ref().map(|inquired| inquired.values.as_slice()) {
        Ok([AttributeValue::Integer(depth)]) => usize::try_from(*depth).expect("a count"),
        other => panic!("a depth: {other:?}"),
    }
}

impl Subject for Running {
    fn put(&mut self, client: u32, put: &Put) -> Answer<()> {
        let micros = i64::try_from(DELAY.as_micros()).expect("an hour");
        let deliver_at = put.is_later.then(|| WallTime(self.clock.wall().0 + micros));
        let session = self.session(client);
        let descriptor = MessageDescriptor {
            persistence: if put.persistent { Persistence::Persistent } else { Persistence::NotPersistent },
            priority: Priority::new(put.priority),
            ..MessageDescriptor::default()
        };
        let (handle, body) = (session.handles[put.queue], Bytes::copy_from_slice(&put.body));
        let flags = match (put.in_unit, session.is_beside) {
            (false, _) => PutFlags::NO_SYNCPOINT,
            (true, false) => PutFlags::SYNCPOINT,
            (true, true) => PutFlags::EMPTY,
        };
        if put.in_unit {
            session.begin_beside();
        }
        let unit = session.beside.as_ref().filter(|_| put.in_unit);
        let placement = Placement { unit, deliver_at };
        let target = PutTarget::Handle(handle);
        let done = session.connection.put_placed(
            target,
            &descriptor,
            &PutOptions::with(flags),
            body.into(),
            placement,
        );
        if done.awaits_getter() {
            session.put = Some(done);
            return Answer { need: AWAITS_GETTER, result: Ok(()) };
        }
        self.answer(done, |_| ())
    }

    fn has_waits(&self) -> bool {
        true
    }

    fn wait(&mut self, client: u32, queue: usize) {
        self.tokens += 1;
        let token = WaitToken(self.tokens);
        let session = self.session(client);
        session.wait = token;
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
        let any = MessageDescriptor::default();
        let get = session.connection.get(Ask::new(session.handles[queue], &any, &options, usize::MAX, token));
        if let Get::Done(outcome) = get {
            session.outcomes.complete(token, outcome);
        }
    }

    fn arrived(&mut self, client: u32, is_expected: bool) -> Option<Arrived> {
        let outcomes = Arc::clone(&self.session(client).outcomes);
        while is_expected && outcomes.0.lock().is_empty() {
            self.manager.take_job()?.run();
        }
        let (need, got) = look(outcomes.0.lock().pop()?);
        let mut is_handed = false;
        let result = got.map_err(|reason| self.refusal(reason)).map(|mut message| {
            is_handed = message.receipt.is_some();
            self.session(client).receipt = message.receipt.take();
            message.body.to_vec()
        });
        Some(Arrived { answer: Answer { need, result }, is_handed })
    }

    fn give_up(&mut self, client: u32) -> bool {
        let session = self.session(client);
        session.connection.cancel(session.wait)
    }

    fn deliver(&mut self, client: u32) {
        let receipt = self.session(client).receipt.take().expect("a message is on its way");
        let has_begun = receipt.begin();
        assert!(has_begun, "nothing took it back");
        receipt.delivered();
    }

    fn break_off(&mut self, client: u32, is_begun: bool) {
        let Session { connection, receipt, .. } = self.sessions.remove(&client).expect("it waited");
        let receipt = receipt.expect("a message is on its way");
        let has_begun = is_begun && receipt.begin();
        assert_eq!(has_begun, is_begun, "nothing took it back");
        drop(connection);
        drop(receipt);
    }

    fn decided(&mut self, client: u32) -> Option<u64> {
        let put = self.session(client).put.take_if(|put| !put.awaits_getter())?;
        Some(look(put).0)
    }

    fn get(&mut self, client: u32, queue: usize, in_unit: bool) -> Answer<Option<Vec<u8>>> {
        self.tokens += 1;
        let (token, manager) = (WaitToken(self.tokens), self.manager.clone());
        let session = self.session(client);
        if in_unit && session.is_beside {
            let got = session.get_beside(&manager, queue, token);
            return self.got_answer(got);
        }
        let flags = if in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let options = GetOptions::with(flags, Wait::No);
        let get = session.connection.get(Ask::new(
            session.handles[queue],
            &MessageDescriptor::default(),
            &options,
            usize::MAX,
            token,
        ));
        let Session { connection, outcomes, .. } = session;
        let got = look(Self::got(&manager, connection, outcomes, token, get));
        self.got_answer(got)
    }

    fn commit(&mut self, client: u32) -> Answer<()> {
        let session = self.session(client);
        let done = match session.beside.take() {
            Some(unit) => unit.commit(),
            None => session.connection.commit(None),
        };
        self.answer(done, |()| ())
    }

    fn backout(&mut self, client: u32) -> Answer<()> {
        let done = self.session(client).back();
        self.answer(done, |()| ())
    }

    fn delays(&self) -> bool {
        true
    }

    fn has_delayed(&mut self) -> bool {
        (0..QUEUES).any(|queue| self.figure(queue, "DELAYED") > 0)
    }

    fn prepares(&self, client: u32) -> bool {
        !is_beside(client)
    }

    fn prepare(&mut self, client: u32, number: u32) -> Answer<bool> {
        let purpose = PreparedPurpose::Branch(PreparedBranch {
            qualifier: number.to_le_bytes().to_vec(),
            ..PreparedBranch::default()
        });
        let done = self.session(client).connection.prepare(purpose);
        self.answer(done, |name| name.is_some())
    }

    fn settle(&mut self, number: u32, commits: bool) -> Answer<bool> {
        let listed = look(self.manager.units().prepared());
        let Some(unit) = listed.1.iter().find(|unit| number_of(unit) == Some(number)) else {
            return Answer { need: listed.0, result: Ok(false) };
        };
        let decision = if commits { Decision::Commit } else { Decision::BackOut };
        let done = self.manager.units().settle(unit.name, decision);
        self.answer(done, |_| true)
    }

    fn in_doubt(&mut self) -> Vec<u32> {
        look(self.manager.units().prepared()).1.iter().filter_map(number_of).collect()
    }

    fn durable(&self) -> u64 {
        self.manager.durable().lsn().0
    }

    fn drive(&mut self) -> u64 {
        self.manager.drive().lsn().0
    }

    fn checkpoint(&mut self, _in_any_case: bool) -> bool {
        let before = self.manager.log().statistics().checkpoints;
        self.manager.tick();
        self.run_jobs();
        self.manager.log().statistics().checkpoints > before
    }

    fn housekeep(&mut self) {
        self.manager.tick();
        self.run_jobs();
    }

    fn revoked(&mut self) -> Vec<u32> {
        let revoked = self.listener.take_revoked();
        let clients: Vec<u32> = revoked.iter().filter_map(|application| application.parse().ok()).collect();
        for client in &clients {
            // It is told of at the next call, and goes on after a backout of its own.
            let _ = self.session(*client).back();
        }
        clients
    }

    fn failure(&self) -> Option<String> {
        self.listener.failure()
    }

    fn contents(&mut self, queue: usize) -> Vec<Found> {
        let (mut connection, outcomes) = self.connect("contents");
        let handle = Self::open_queue(&mut connection, queue, OpenOptions::BROWSE | OpenOptions::INQUIRE);
        let depth = current_depth(&mut connection, handle);
        let mut found = Vec::new();
        loop {
            self.tokens += 1;
            let options = GetOptions::with(GetFlags::BROWSE_NEXT, Wait::No);
            let descriptor = MessageDescriptor::default();
            let token = WaitToken(self.tokens);
            let get = connection.get(Ask::new(handle, &descriptor, &options, usize::MAX, token));
            match look(Self::got(&self.manager, &mut connection, &outcomes, token, get)).1 {
                Ok(message) => found.push(Ok(message.body.to_vec())),
                Err(Reason::NO_MSG_AVAILABLE) => break,
                // Set aside: the next browse finds what is behind it.
                Err(reason @ Reason::OBJECT_DAMAGED) => found.push(Err(self.refusal(reason))),
                Err(reason) => {
                    found.push(Err(self.refusal(reason)));
                    return found;
                }
            }
        }
        if depth > found.len() {
            // Set aside since the start: where they were is not told.
            let met = found.iter().filter(|found| found.is_err()).count();
            let passed_over = || Err(Refusal::Damaged(PASSED_OVER.to_owned()));
            found.extend((met..self.figure(queue, "DAMAGED")).map(|_| passed_over()));
        }
        found
    }

    fn drained(&mut self, queue: usize) -> Vec<Found> {
        let mut found = Vec::new();
        loop {
            match self.get(DRAINER, queue, false).result {
                Ok(Some(body)) => found.push(Ok(body)),
                Ok(None) => return found,
                Err(Refusal::SetAside) => found.push(Err(Refusal::SetAside)),
                Err(refusal) => {
                    found.push(Err(refusal));
                    return found;
                }
            }
        }
    }

    fn recover(&mut self) -> Vec<String> {
        let recovered = (0..QUEUES).map(|queue| self.execute(&format!("RECOVER QLOCAL(Q{queue})")));
        recovered.filter_map(|done| done.err().map(|refusal| refusal.0)).collect()
    }

    fn counters(&self) -> Counters {
        let settings = settings(self.manner).storage;
        let used_once = settings.extent_bytes * u64::from(settings.primary_extents);
        let spilled = self.manager.log().statistics().spill_bytes > 0;
        Counters {
            laps: self.durable() / used_once,
            spills: u64::from(spilled),
            damaged: Some(self.listener.damaged.load(Ordering::Relaxed)),
        }
    }
}
