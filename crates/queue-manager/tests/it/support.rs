//! One queue manager in one thread: verbs, commands, ticks, jobs and crashes, each when the test says so.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, Wait,
};
use parking_lot::Mutex;
use platform::simulated::{CrashPolicy, Machine, Random, SimulatedDisk, Survival};
use platform::{Clock as _, World};
use queue_manager::Event;
use queue_manager::{
    Ask, Authority, Carried, Completions, ConnectRequest, Connection, Gated, Get, GotMessage, Host, Identity,
    JudgedLogin, LoginNumber, Outcome, Principal, PutDone, QueueManager, Refusal, Request, Settings,
    WaitToken,
};
use security::cover::Encryption;
use storage::inspect::{Content, Inspection};
use storage::{Direction, Line, SyncObject};

pub(crate) const INPUT: OpenOptions = OpenOptions::INPUT_SHARED;
pub(crate) const OUTPUT: OpenOptions = OpenOptions::OUTPUT;
pub(crate) const BROWSE: OpenOptions = OpenOptions::BROWSE;

/// The name under which something happens while a ping is awaited.
pub(crate) const A_PING: &str = "(a ping)";

/// A host that counts what it is told.
#[derive(Debug, Default)]
pub(crate) struct TestHost {
    pub(crate) jobs: AtomicUsize,
    pub(crate) ticks: AtomicUsize,
    pub(crate) events: Mutex<Vec<String>>,
    pub(crate) failures: AtomicUsize,
    pub(crate) refusals: Mutex<Vec<Refusal>>,
    /// Says whether it dials for message channels.
    pub(crate) runs_channels: AtomicBool,
    pub(crate) channels_wanted: AtomicUsize,
    /// The users and their groups.
    pub(crate) groups: Mutex<Vec<(&'static str, &'static str)>>,
    /// The users that a login makes administrators.
    pub(crate) administrators: Mutex<Vec<&'static str>>,
    /// Happens in the middle of a judgement.
    pub(crate) meanwhile: Mutex<Option<Meanwhile>>,
    /// Logins that were let in: channel, and the user that the rules give them, or why they refuse it.
    pub(crate) logins: Mutex<Vec<KnownLogin>>,
}

/// Something that another thread does while a user is judged: after the object was looked up, and before the
/// verdict.
pub(crate) struct Meanwhile {
    user: &'static str,
    /// Looks at the user's groups before it.
    pub(crate) skips: usize,
    act: Box<dyn FnOnce() + Send>,
}

impl std::fmt::Debug for Meanwhile {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Meanwhile({}, {})", self.user, self.skips)
    }
}

impl TestHost {
    /// Has something happen in the middle of a judgement of this user, after so many looks at its groups. Not
    /// in one under a lock: it would wait for itself.
    pub(crate) fn while_judged(&self, user: &'static str, skips: usize, act: impl FnOnce() + Send + 'static) {
        *self.meanwhile.lock() = Some(Meanwhile { user, skips, act: Box::new(act) });
    }

    fn happen(&self, user: &str) {
        let mut meanwhile = self.meanwhile.lock();
        match meanwhile.as_mut().filter(|waits| waits.user == user) {
            None => {}
            Some(waits) if waits.skips > 0 => waits.skips -= 1,
            Some(_) => {
                let act = meanwhile.take().expect("it was there").act;
                drop(meanwhile);
                act();
            }
        }
    }
}

/// A login that a host knows: its channel, and its user or the cause of a refusal.
pub(crate) type KnownLogin = (&'static str, Result<&'static str, &'static str>);

impl Host for TestHost {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {
        self.jobs.fetch_add(1, Ordering::Relaxed);
    }
    fn tick_wanted(&self) {
        self.ticks.fetch_add(1, Ordering::Relaxed);
    }
    fn event(&self, event: &Event) {
        self.events.lock().push(format!("{} {}", event.id, event.inserts.join(" ")));
    }
    fn audit(&self, refusal: &Refusal) -> u64 {
        self.refusals.lock().push(refusal.clone());
        refusal.id
    }
    fn groups(&self, user: &str) -> Vec<Box<str>> {
        self.happen(user);
        let groups = self.groups.lock();
        groups.iter().filter(|(member, _)| *member == user).map(|(_, group)| (*group).into()).collect()
    }
    fn user_of_identifier(&self, identifier: &str) -> Option<Box<str>> {
        let groups = self.groups.lock();
        let found = groups.iter().find(|(user, _)| user.get(..12).unwrap_or(user) == identifier);
        found.map(|(user, _)| (*user).into())
    }
    fn judged_logins(&self, _is_judging: bool, _asker: Option<LoginNumber>) -> Vec<JudgedLogin> {
        let judged = |(channel, verdict): &KnownLogin| JudgedLogin {
            channel: (*channel).to_owned(),
            words: format!("program {}", verdict.unwrap_or_else(|why| why)),
            verdict: verdict.map(principal).map_err(str::to_owned),
        };
        self.logins.lock().iter().map(judged).collect()
    }
    fn is_administrator(&self, user: &str) -> bool {
        self.administrators.lock().contains(&user)
    }
    fn has_users(&self) -> bool {
        true
    }
    fn runs_channels(&self) -> bool {
        self.runs_channels.load(Ordering::Relaxed)
    }
    fn keeps_secrets(&self) -> bool {
        true
    }
    fn has_key(&self, label: &str) -> bool {
        label == "present"
    }
    fn request(&self, request: &Request) -> Carried {
        if let Request::AwaitPing(_) = request {
            self.happen(A_PING);
        }
        match request {
            Request::KeepSecrets(_) => Carried::Kept,
            Request::RefreshSecurity(_) => Carried::Refreshed,
            Request::StopListener(_) => Carried::RunsNot,
            _ => Carried::Refused("the host of these tests does not do it".to_owned()),
        }
    }
    fn channel_wanted(&self) {
        self.channels_wanted.fetch_add(1, Ordering::Relaxed);
    }
    fn failed(&self, _failure: &storage::Fatal) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }
}

/// Outcomes of waits in the order they came.
#[derive(Default)]
pub(crate) struct Outcomes(pub(crate) Mutex<Vec<(u64, Outcome<GotMessage>)>>);

impl Completions for Outcomes {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.0.lock().push((token.0, outcome));
    }
}

/// A queue manager on a simulated machine.
pub(crate) struct Bench {
    pub(crate) machine: Machine,
    pub(crate) manager: QueueManager,
    pub(crate) host: Arc<TestHost>,
    pub(crate) settings: Settings,
    seed: u64,
}

pub(crate) fn settings() -> Settings {
    Settings {
        name: "TEST".parse().unwrap(),
        memory_budget_bytes: 64 << 20,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings {
            extent_bytes: 1 << 20,
            primary_extents: 4,
            secondary_extents: 60,
            ..storage::Settings::default()
        },
        checkpoint_interval: Duration::from_secs(60),
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

/// Queues that outgrow memory after some 500 messages of 2,000 bytes.
pub(crate) fn small_memory() -> Settings {
    Settings { memory_budget_bytes: 1 << 20, ..settings() }
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::with(settings(), 1)
    }

    pub(crate) fn with(settings: Settings, seed: u64) -> Self {
        let machine = Machine::new(seed);
        let world = machine.world();
        Self::of((machine, world), settings, seed)
    }

    /// On a machine of which the queue manager sees this world.
    pub(crate) fn of((machine, world): (Machine, World), settings: Settings, seed: u64) -> Self {
        QueueManager::create(&world, &settings).unwrap();
        let host = Arc::new(TestHost::default());
        let manager = QueueManager::open(world, settings.clone(), host.clone()).unwrap();
        Self { machine, manager, host, settings, seed }
    }

    /// One whose requests are judged by rules.
    pub(crate) fn judged(
        (machine, world): (Machine, World),
        settings: Settings,
        rules: Arc<dyn Authority>,
    ) -> Self {
        QueueManager::create(&world, &settings).unwrap();
        let host = Arc::new(TestHost::default());
        let manager = QueueManager::open_judged(world, settings.clone(), host.clone(), rules).unwrap();
        Self { machine, manager, host, settings, seed: 1 }
    }

    /// Executes MQSC; every command must succeed. Commands may stand in one line.
    pub(crate) fn mqsc(&self, text: &str) {
        let text = &text.replace(" DEFINE ", "\nDEFINE ").replace(" ALTER ", "\nALTER ");
        let commands = objects::mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        for command in &commands {
            let response = self.open(self.manager.execute(command));
            assert!(response.is_ok(), "{command:?}: {response:?}");
        }
    }

    /// Executes one command that is done; the answer.
    pub(crate) fn told(&self, text: &str) -> String {
        let commands = objects::mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let response = self.open(self.manager.execute(&commands[0]));
        assert!(response.is_ok(), "{text}: {response:?}");
        response.to_string()
    }

    /// Executes a command that is refused; the answer.
    pub(crate) fn refused(&self, text: &str) -> String {
        let commands = objects::mqsc::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let response = self.open(self.manager.execute(&commands[0]));
        assert!(!response.is_ok(), "{text}: {response:?}");
        response.to_string()
    }

    pub(crate) fn connect(&self) -> Session {
        self.connect_as([0; 16], 0)
    }

    pub(crate) fn connect_as(&self, instance: [u8; 16], generation: u64) -> Session {
        self.try_connect_as(instance, generation).unwrap()
    }

    pub(crate) fn try_connect_as(&self, instance: [u8; 16], generation: u64) -> Result<Session, Reason> {
        self.try_connect_of("tester", instance, generation)
    }

    /// Connects as this user.
    pub(crate) fn connect_user(&self, user: &str) -> Session {
        self.try_connect_of(user, [0; 16], 0).unwrap()
    }

    fn try_connect_of(&self, user: &str, instance: [u8; 16], generation: u64) -> Result<Session, Reason> {
        self.try_connect_by(principal(user), instance, generation)
    }

    /// Connects as this principal.
    pub(crate) fn try_connect_by(
        &self,
        principal: Principal,
        instance: [u8; 16],
        generation: u64,
    ) -> Result<Session, Reason> {
        Self::try_session_of(&self.manager, principal, instance, generation)
    }

    /// Connects to a queue manager as this principal.
    pub(crate) fn session_of(manager: &QueueManager, principal: Principal) -> Session {
        Self::try_session_of(manager, principal, [0; 16], 0).unwrap()
    }

    fn try_session_of(
        manager: &QueueManager,
        principal: Principal,
        instance: [u8; 16],
        generation: u64,
    ) -> Result<Session, Reason> {
        let outcomes = Arc::new(Outcomes::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "it".to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance,
            generation,
            principal,
            completions: outcomes.clone(),
        };
        let connection = open(manager, manager.connect(request))?;
        Ok(Session { connection, outcomes, manager: manager.clone(), next_token: 0 })
    }

    /// Drives the log until the value may be known.
    pub(crate) fn open<T>(&self, gated: Gated<T>) -> T {
        open(&self.manager, gated)
    }

    /// Runs every job there is.
    pub(crate) fn run_jobs(&self) -> usize {
        let mut run = 0;
        while let Some(job) = self.manager.take_job() {
            job.run();
            run += 1;
        }
        run
    }

    /// Housekeeping and its jobs, without time passing.
    pub(crate) fn keep_house(&self) {
        self.manager.tick();
        self.run_jobs();
    }

    /// Lets time pass and does the housekeeping of it.
    pub(crate) fn pass(&self, duration: Duration) {
        self.machine.clock.advance(duration);
        self.manager.tick();
    }

    /// The power goes; whatever was not durable may be gone or torn. Comes back with what survived.
    pub(crate) fn crash(self, survival: Survival) -> Self {
        let seed = self.seed + 1;
        self.machine.disk.cut_power();
        let mut random = Random::new(seed);
        self.start_on(self.machine.disk.crash(&mut random, CrashPolicy::surviving(survival)))
    }

    /// Another start, at this time, of what is on a disk.
    pub(crate) fn start_on(&self, disk: SimulatedDisk) -> Self {
        let seed = self.seed + 1;
        let machine = Machine::with_disk(disk, seed);
        let behind = self.machine.clock.wall().0 - machine.clock.wall().0;
        machine.clock.advance(Duration::from_micros(u64::try_from(behind).unwrap_or(0)));
        let host = Arc::new(TestHost::default());
        let manager = QueueManager::open(machine.world(), self.settings.clone(), host.clone()).unwrap();
        Self { machine, manager, host, settings: self.settings.clone(), seed }
    }

    /// CURDEPTH.
    pub(crate) fn depth(&self, queue: &str) -> i32 {
        let mut session = self.connect();
        let handle = session.open(queue, OpenOptions::INQUIRE);
        let selector = mqi::Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH);
        let inquired = self.open(session.connection.inquire(handle, &[selector])).unwrap();
        match inquired.values[0] {
            mqi::AttributeValue::Integer(depth) => depth,
            mqi::AttributeValue::Text(_) => panic!("CURDEPTH is a number"),
        }
    }
}

/// A user whose name nothing proves.
pub(crate) fn principal(user: &str) -> Principal {
    Principal::new(user, Identity::Asserted).unwrap()
}

#[expect(clippy::disallowed_methods, reason = "some tests have several threads")]
pub(crate) fn open<T>(manager: &QueueManager, gated: Gated<T>) -> T {
    let mut gated = gated;
    for _ in 0..1_000_000 {
        match gated.open(manager.durable()) {
            Ok(value) => return value,
            Err(back) => gated = back,
        }
        manager.drive();
        // Another thread may be writing.
        std::thread::yield_now();
    }
    panic!("the log does not become durable to {}", gated.need())
}

/// A connection with its outcomes.
pub(crate) struct Session {
    pub(crate) connection: Connection,
    pub(crate) outcomes: Arc<Outcomes>,
    pub(crate) manager: QueueManager,
    next_token: u64,
}

/// A message as tests write it.
pub(crate) fn message(persistent: bool) -> MessageDescriptor {
    let persistence = if persistent { Persistence::Persistent } else { Persistence::NotPersistent };
    MessageDescriptor { persistence, ..MessageDescriptor::default() }
}

impl Session {
    pub(crate) fn try_open(&mut self, queue: &str, options: OpenOptions) -> Result<mqi::Opened, Reason> {
        let object = ObjectDescriptor::queue(queue.parse().unwrap());
        let opened = self.connection.open(&object, options);
        open(&self.manager, opened)
    }

    pub(crate) fn open(&mut self, queue: &str, options: OpenOptions) -> ObjectHandle {
        self.try_open(queue, options).unwrap_or_else(|reason| panic!("{queue}: {reason}")).handle
    }

    pub(crate) fn try_put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        flags: PutFlags,
        body: &str,
    ) -> Result<PutDone, Reason> {
        let body = Bytes::copy_from_slice(body.as_bytes());
        let put = self.connection.put(handle, descriptor, &PutOptions::with(flags), body);
        open(&self.manager, put)
    }

    /// Puts outside syncpoint.
    pub(crate) fn put(&mut self, handle: ObjectHandle, persistent: bool, body: &str) -> PutDone {
        self.try_put(handle, &message(persistent), PutFlags::NO_SYNCPOINT, body).unwrap()
    }

    /// Puts within the unit of work.
    pub(crate) fn put_within(&mut self, handle: ObjectHandle, persistent: bool, body: &str) -> PutDone {
        self.try_put(handle, &message(persistent), PutFlags::SYNCPOINT, body).unwrap()
    }

    /// Gets; runs jobs until the outcome is there. A wait that goes on is a panic.
    pub(crate) fn get_with(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
    ) -> Result<GotMessage, Reason> {
        self.next_token += 1;
        let token = self.next_token;
        let ask = Ask::new(handle, descriptor, options, bytes_max, WaitToken(token));
        let got = match self.connection.get(ask) {
            Get::Done(outcome) => outcome,
            Get::Waiting => {
                while let Some(job) = self.manager.take_job() {
                    job.run();
                }
                let mut outcomes = self.outcomes.0.lock();
                let index =
                    outcomes.iter().position(|(other, _)| *other == token).expect("the get still waits");
                outcomes.remove(index).1
            }
        };
        open(&self.manager, got)
    }

    pub(crate) fn get_flags(&mut self, handle: ObjectHandle, flags: GetFlags) -> Result<String, Reason> {
        let options = GetOptions::with(flags, Wait::No);
        let got = self.get_with(handle, &MessageDescriptor::default(), &options, 1 << 20)?;
        Ok(text(&got))
    }

    pub(crate) fn get(&mut self, handle: ObjectHandle) -> Result<String, Reason> {
        self.get_flags(handle, GetFlags::NO_SYNCPOINT)
    }

    pub(crate) fn get_within(&mut self, handle: ObjectHandle) -> Result<String, Reason> {
        self.get_flags(handle, GetFlags::SYNCPOINT)
    }

    /// Gets without waiting for a message; the token when it waits for something else.
    pub(crate) fn try_get(
        &mut self,
        handle: ObjectHandle,
        flags: GetFlags,
    ) -> Result<Result<String, Reason>, u64> {
        self.begin(handle, &MessageDescriptor::default(), &GetOptions::with(flags, Wait::No))
    }

    /// The same for a message as described.
    pub(crate) fn begin(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<Result<String, Reason>, u64> {
        self.next_token += 1;
        let token = WaitToken(self.next_token);
        match self.connection.get(Ask::new(handle, descriptor, options, 1 << 20, token)) {
            Get::Waiting => Err(self.next_token),
            Get::Done(outcome) => Ok(open(&self.manager, outcome).map(|got| text(&got))),
        }
    }

    /// Begins a get that waits; it must not be done at once.
    pub(crate) fn wait(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        flags: GetFlags,
        wait: Wait,
    ) -> u64 {
        self.next_token += 1;
        let token = self.next_token;
        let options = GetOptions::with(flags, wait);
        match self.connection.get(Ask::new(handle, descriptor, &options, 1 << 20, WaitToken(token))) {
            Get::Waiting => token,
            Get::Done(outcome) => panic!("did not wait: {:?}", open(&self.manager, outcome)),
        }
    }

    /// The outcome of a wait, if it is over.
    pub(crate) fn outcome(&mut self, token: u64) -> Option<Result<String, Reason>> {
        let outcome = {
            let mut outcomes = self.outcomes.0.lock();
            let index = outcomes.iter().position(|(other, _)| *other == token)?;
            outcomes.remove(index).1
        };
        Some(open(&self.manager, outcome).map(|got| text(&got)))
    }

    pub(crate) fn commit(&mut self) -> Result<(), Reason> {
        let committed = self.connection.commit(None);
        open(&self.manager, committed)
    }

    pub(crate) fn back(&mut self) -> Result<(), Reason> {
        let backed_out = self.connection.back();
        open(&self.manager, backed_out)
    }
}

pub(crate) fn text(got: &GotMessage) -> String {
    String::from_utf8(got.body.to_vec()).unwrap()
}

/// Shows every record of the log.
pub(crate) fn each_record(bench: &Bench, mut see: impl FnMut(&Content<'_>)) {
    bench.manager.drive();
    let inspection = Inspection::open(&*bench.machine.world().disk).unwrap();
    for block in inspection.blocks() {
        let seen = inspection.records(&block, &mut |logged| {
            see(&logged.content);
            true
        });
        assert!(seen.unwrap());
    }
}

/// The state of a channel between QM1 and QM2 at the beginning of a line.
pub(crate) fn sync(line: u64, direction: Direction) -> SyncObject {
    SyncObject {
        channel: if direction == Direction::Sends { "TO.QM2" } else { "IN" }.to_owned(),
        direction,
        partner: "QM2".to_owned(),
        partner_identifier: "QM2_1".to_owned(),
        certificate: String::new(),
        line: Line(line),
        is_used: true,
        before: None,
        stopped_at: None,
        resolved: None,
        wants_reset: false,
    }
}

/// A client in the clear from this place, with this identifier if it speaks AMQP.
pub(crate) fn client<'a>(origin: &'a str, identifier: &'a str) -> queue_manager::ChannelClient<'a> {
    queue_manager::ChannelClient {
        origin,
        user: "app",
        application: "prog",
        identifier,
        encryption: &Encryption::Clear { is_cover_required: false },
    }
}
