//! A queue manager in a directory of the machine, in one thread and without a server: for calls that no
//! protocol offers, as preparing a unit of work.

use std::path::Path;
use std::sync::Arc;

use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags,
    PutOptions, Wait,
};
use platform::World;
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Event, Gated, Get, GotMessage, Host, Identity, Outcome,
    PreparedPurpose, Principal, QueueManager, Settings, WaitToken,
};
use storage::UnitId;

/// A host for one thread.
struct Alone;

impl Host for Alone {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}
    fn event(&self, _event: &Event) {}
    fn failed(&self, failure: &storage::Fatal) {
        panic!("{failure}");
    }
}

impl Completions for Alone {
    fn complete(&self, _token: WaitToken, _outcome: Outcome<GotMessage>) {
        panic!("no get waits");
    }
}

/// The queue manager.
#[derive(Debug)]
pub struct Offline {
    /// The engine.
    pub manager: QueueManager,
}

impl Offline {
    /// Starts it on the files of a directory.
    ///
    /// # Panics
    /// When it does not start.
    #[must_use]
    pub fn start(folder: &Path, settings: Settings) -> Self {
        let manager = QueueManager::open(World::of_machine(folder), settings, Arc::new(Alone));
        Self { manager: manager.unwrap_or_else(|error| panic!("{}: {error}", folder.display())) }
    }

    /// The value, when the log is durable far enough.
    pub fn open<T>(&self, mut gated: Gated<T>) -> T {
        loop {
            gated = match gated.open(self.manager.durable()) {
                Ok(value) => return value,
                Err(waits) => waits,
            };
            self.manager.drive();
        }
    }

    /// Executes commands.
    ///
    /// # Panics
    /// When one is refused.
    pub fn command(&self, text: &str) {
        for command in &objects::mqsc::parse(text).expect("commands") {
            let response = self.open(self.manager.execute(command));
            assert!(response.is_ok(), "{response:?}");
        }
    }

    fn connect(&self) -> Connection {
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "offline".to_owned(),
            channel: mqi::ObjectName::BLANK,
            origin: "embedded".to_owned(),
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new("offline", Identity::Process).expect("it is short"),
            completions: Arc::new(Alone),
        };
        self.open(self.manager.connect(request)).expect("it takes connections")
    }

    /// A connection with a unit of work that put one message and got another of this queue.
    ///
    /// # Panics
    /// When the queue does not take messages.
    #[must_use]
    pub fn unit(&self, queue: &str) -> Connection {
        let mut connection = self.connect();
        let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
        let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
        let handle = self.open(connection.open(&object, options)).expect("it is there").handle;
        let descriptor =
            MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
        for (flags, body) in [(PutFlags::NO_SYNCPOINT, "held of "), (PutFlags::SYNCPOINT, "hidden of ")] {
            let body = format!("{body}{queue}").into_bytes();
            let put = connection.put(handle, &descriptor, &PutOptions::with(flags), body.into());
            self.open(put).expect("it takes messages");
        }
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        match connection.get(Ask::new(handle, &MessageDescriptor::default(), &options, 100, WaitToken(1))) {
            Get::Done(got) => drop(self.open(got).expect("it was just put")),
            Get::Waiting => panic!("the message is in memory"),
        }
        connection
    }

    /// Such a unit, prepared.
    ///
    /// # Panics
    /// When it is refused.
    pub fn prepared(&self, queue: &str, purpose: PreparedPurpose) -> UnitId {
        let mut connection = self.unit(queue);
        self.open(connection.prepare(purpose)).expect("it is prepared").expect("it did something")
    }
}
