//! The verbs on a queue of the engine.

use std::hint::black_box;
use std::sync::Arc;

use bytes::Bytes;
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, SubscribeOptions, SubscriptionDescriptor, Wait,
};
use platform::simulated::Machine;
use queue_manager::Event;
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Gated, Get, GotMessage, Host, Identity, Outcome, Principal,
    QueueManager, Settings, WaitToken,
};

use super::MESSAGE_BYTES;

pub(super) const TOPIC: &str = "bench/1";

/// Copies made of a publication to many.
const SUBSCRIPTIONS: usize = 16;

/// Replies that lie behind the wanted one.
const DEEP: u64 = 100_000;

/// The user of the connection.
const USER: &str = "teller";

/// Authority records of that user beside those it needs, where it is judged.
const RECORDS: u32 = 100;

struct Nobody;

impl Host for Nobody {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}
    fn event(&self, _event: &Event) {}
    fn runs_channels(&self) -> bool {
        true
    }
    fn failed(&self, failure: &storage::Fatal) {
        panic!("the simulated disk does not fail: {failure}");
    }
}

impl Completions for Nobody {
    fn complete(&self, _token: WaitToken, _outcome: Outcome<GotMessage>) {}
}

pub(super) struct Bench {
    pub(super) manager: QueueManager,
    connection: Connection,
    queue: ObjectHandle,
    body: Bytes,
}

impl Bench {
    fn new() -> Self {
        Self::after(&[])
    }

    /// Requests are judged, and the user has this many records beside those that it needs.
    fn judged() -> Self {
        let right = |object: &str, rights: &str| {
            format!("SET AUTHREC {object} PRINCIPAL('{USER}') AUTHADD({rights})")
        };
        let beside =
            (0..RECORDS).map(|number| right(&format!("PROFILE(Q{number}.**) OBJTYPE(QUEUE)"), "PUT"));
        let needed = [
            right("OBJTYPE(QMGR)", "CONNECT"),
            right("PROFILE(Q) OBJTYPE(QUEUE)", "PUT,GET"),
            right("PROFILE(SYSTEM.BASE.TOPIC) OBJTYPE(TOPIC)", "PUB,SUB"),
        ];
        Self::after(&beside.chain(needed).collect::<Vec<_>>())
    }

    /// Connects once these commands have been carried out.
    fn after(commands: &[String]) -> Self {
        let manager = started("BENCH");
        run(&manager, "DEFINE QLOCAL(Q) MAXDEPTH(999999999)");
        commands.iter().for_each(|command| run(&manager, command));
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "instructions".to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new(USER, Identity::Process).expect("it is short"),
            completions: Arc::new(Nobody),
        };
        let mut connection = open(&manager, manager.connect(request)).expect("a connection");
        let object = ObjectDescriptor::queue("Q".parse().expect("a name"));
        let opened = connection.open(&object, OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
        let queue = open(&manager, opened).expect("it is open").handle;
        Self { manager, connection, queue, body: Bytes::from(vec![7; MESSAGE_BYTES]) }
    }

    /// Opens a topic instead, and subscribes where somebody is to get what is published.
    pub(super) fn of_topic(is_heard: bool) -> (Self, ObjectHandle) {
        Self::new().on_topic(is_heard)
    }

    fn on_topic(self, is_heard: bool) -> (Self, ObjectHandle) {
        let mut bench = self;
        let topic = TOPIC.to_owned();
        let opened = bench.connection.open(&ObjectDescriptor::topic(topic.clone()), OpenOptions::OUTPUT);
        let topic_handle = open(&bench.manager, opened).expect("it is open").handle;
        if is_heard {
            let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED;
            let subscribed = bench.connection.subscribe(&SubscriptionDescriptor::to(topic, options), None);
            let subscribed = open(&bench.manager, subscribed).expect("it is made");
            bench.queue = subscribed.queue.expect("it is open");
        }
        (bench, topic_handle)
    }

    /// Opens a topic with many durable subscriptions, whose copies all go to the queue.
    pub(super) fn of_many() -> (Self, ObjectHandle) {
        let (bench, topic) = Self::of_topic(false);
        for number in 0..SUBSCRIPTIONS {
            run(&bench.manager, &format!("DEFINE SUB(S{number}) TOPICSTR('{TOPIC}') DEST(Q)"));
        }
        (bench, topic)
    }

    fn put(&mut self, persistence: Persistence, flags: PutFlags) {
        self.put_to(self.queue, persistence, flags);
    }

    pub(super) fn put_to(&mut self, handle: ObjectHandle, persistence: Persistence, flags: PutFlags) {
        let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        self.put_described(handle, &descriptor, flags);
    }

    fn put_described(&mut self, handle: ObjectHandle, descriptor: &MessageDescriptor, flags: PutFlags) {
        let options = PutOptions::with(flags);
        let outcome = self.connection.put(handle, descriptor, &options, self.body.clone());
        assert!(black_box(outcome).split().is_ok(), "a put succeeds");
    }

    fn put_and_get(&mut self, count: u64) {
        for _ in 0..count {
            self.put(Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
            self.get(GetFlags::NO_SYNCPOINT);
        }
    }

    fn publish(self, count: u64) {
        let (mut bench, topic) = self.on_topic(false);
        for _ in 0..count {
            bench.put_to(topic, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
        }
    }

    fn get(&mut self, flags: GetFlags) {
        self.get_described(&MessageDescriptor::default(), flags);
    }

    fn get_described(&mut self, descriptor: &MessageDescriptor, flags: GetFlags) {
        let options = GetOptions::with(flags, Wait::No);
        let got =
            self.connection.get(Ask::new(self.queue, descriptor, &options, MESSAGE_BYTES, WaitToken(1)));
        let Get::Done(outcome) = got else { panic!("a message is there") };
        assert!(black_box(outcome).split().is_ok(), "a get succeeds");
    }
}

/// A queue manager of this name on a new machine.
pub(super) fn started(name: &str) -> QueueManager {
    let machine = Machine::new(1);
    let settings = Settings {
        name: name.parse().expect("a name"),
        memory_budget_bytes: 512 << 20,
        handles_max: 16,
        uncommitted_messages_max: 1_000,
        connections_max: 32,
        storage: storage::Settings::default(),
        checkpoint_interval: std::time::Duration::from_secs(3_600),
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    };
    QueueManager::create(&machine.world(), &settings).expect("it is created");
    QueueManager::open(machine.world(), settings, Arc::new(Nobody)).expect("it starts")
}

pub(super) fn run(manager: &QueueManager, mqsc: &str) {
    let commands = objects::mqsc::parse(mqsc).expect("MQSC");
    assert!(open(manager, manager.execute(&commands[0])).is_ok(), "{mqsc}");
}

/// Drives the log until the value may be known.
fn open<T>(manager: &QueueManager, gated: Gated<T>) -> T {
    match gated.open(manager.drive()) {
        Ok(value) => value,
        Err(_) => panic!("a drive makes everything durable"),
    }
}

/// Express puts on a queue that grows.
pub(super) fn put(count: u64) {
    let mut bench = Bench::new();
    for _ in 0..count {
        bench.put(Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
    }
}

/// An express put and the get that takes it.
pub(super) fn put_and_get(count: u64) {
    Bench::new().put_and_get(count);
}

/// The same by a user that is judged.
pub(super) fn put_and_get_judged(count: u64) {
    Bench::judged().put_and_get(count);
}

/// A reply that is put behind so many others, and got by its correlation identifier.
fn correlated(lying: u64, count: u64) {
    let mut bench = Bench::new();
    let reply = |number: u64| {
        // Far apart from the one before, as identifiers of several programs are.
        let scattered = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut identifier = [0; 24];
        identifier[..8].copy_from_slice(&scattered.to_be_bytes());
        let correlation_id = CorrelationId::from(identifier);
        MessageDescriptor {
            correlation_id,
            persistence: Persistence::NotPersistent,
            ..MessageDescriptor::default()
        }
    };
    for number in 1..=lying {
        bench.put_described(bench.queue, &reply(number), PutFlags::NO_SYNCPOINT);
    }
    for number in 1..=count {
        let reply = reply(lying + number);
        bench.put_described(bench.queue, &reply, PutFlags::NO_SYNCPOINT);
        bench.get_described(&reply, GetFlags::NO_SYNCPOINT);
    }
}

/// On a queue that is empty but for it.
pub(super) fn correlated_alone(count: u64) {
    correlated(0, count);
}

/// Behind many that stay.
pub(super) fn correlated_deep(count: u64) {
    correlated(DEEP, count);
}

/// A publication that nobody gets.
pub(super) fn publish(count: u64) {
    Bench::new().publish(count);
}

/// The same by a user that is judged.
pub(super) fn publish_judged(count: u64) {
    Bench::judged().publish(count);
}

/// An express publication and the get of its one subscriber.
pub(super) fn publish_and_get(count: u64) {
    let (mut bench, topic) = Bench::of_topic(true);
    for _ in 0..count {
        bench.put_to(topic, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
        bench.get(GetFlags::NO_SYNCPOINT);
    }
}

/// An express publication to many subscribers, whose copies nobody gets.
pub(super) fn fan_out(count: u64) {
    let (mut bench, topic) = Bench::of_many();
    for _ in 0..count {
        bench.put_to(topic, Persistence::NotPersistent, PutFlags::NO_SYNCPOINT);
    }
}

/// The same of a persistent one, made durable now and then.
pub(super) fn fan_out_logged(count: u64) {
    let (mut bench, topic) = Bench::of_many();
    for number in 0..count {
        bench.put_to(topic, Persistence::Persistent, PutFlags::NO_SYNCPOINT);
        if number % 16 == 0 {
            bench.manager.drive();
            // Log files are made in time, by jobs.
            while let Some(job) = bench.manager.take_job() {
                job.run();
            }
        }
    }
}

/// A persistent put and a commit that is durable, and then a get and a commit of that.
pub(super) fn unit_of_work(count: u64) {
    let mut bench = Bench::new();
    for _ in 0..count {
        bench.put(Persistence::Persistent, PutFlags::SYNCPOINT);
        let committed = bench.connection.commit(None);
        open(&bench.manager, committed).expect("a commit succeeds");
        bench.get(GetFlags::SYNCPOINT);
        let committed = bench.connection.commit(None);
        open(&bench.manager, committed).expect("a commit succeeds");
        // Log files are made in time, by jobs.
        while let Some(job) = bench.manager.take_job() {
            job.run();
        }
    }
}
