//! Threads that call the engine, and one that does what a host does between calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use mqi::{
    CorrelationId, Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    OpenOptions, Persistence, Priority, PutFlags, PutOptions, Reason, Wait,
};
use platform::simulated::{Machine, Random};
use queue_manager::{
    Ask, ConnectRequest, Connection, Gated, Get, GotMessage, Identity, Outcome, Principal, QueueManager,
    WaitToken,
};
#[cfg(feature = "shuttle")]
use shuttle::thread;
#[cfg(not(feature = "shuttle"))]
use std::thread;
use testing::engine::Inbox;

use super::Size;
use super::prepared::{QUEUE, settings};
use crate::linear::{Call, History, Operation, Told};
use crate::subjects::Listener;

/// One step of the clock: the unit of expiry.
const STEP: Duration = Duration::from_millis(100);
/// Looks for the outcome of a wait before the wait is cancelled.
const PATIENCE: usize = 40;

/// State that all threads share.
struct Shared {
    manager: QueueManager,
    machine: Machine,
    /// Orders beginnings and ends of calls.
    moments: AtomicU64,
    /// Steps of the clock that were certainly taken.
    clock: AtomicU32,
    /// Clients at work.
    left: AtomicUsize,
    over: AtomicBool,
}

struct Client {
    number: u32,
    shared: Arc<Shared>,
    connection: Connection,
    inbox: Arc<Inbox>,
    handle: ObjectHandle,
    browser: ObjectHandle,
    tokens: u64,
    puts: u32,
    waits: bool,
}

/// Has the clients do what the seed says.
pub(super) fn work(machine: &Machine, seed: u64, size: Size) -> Result<History, String> {
    let mut random = Random::stream(seed, "concurrent");
    // Bodies that are read back are taken off the queue meanwhile; a wait cancelled then would have seen
    // both.
    let is_short_of_memory = random.percent(20);
    let budget = if is_short_of_memory { 256 } else { 1 << 20 };
    let manager = QueueManager::open(machine.world(), settings(budget), Arc::new(Listener::default()))
        .map_err(|error| error.to_string())?;
    let shared = Arc::new(Shared {
        manager,
        machine: machine.clone(),
        moments: AtomicU64::new(1),
        clock: AtomicU32::new(0),
        left: AtomicUsize::new(size.clients),
        over: AtomicBool::new(false),
    });
    let clients: Vec<_> = (0..u32::try_from(size.clients).expect("few"))
        .map(|number| {
            let mut client = Client::connect(number, &shared, !is_short_of_memory);
            let mut random = Random::stream(seed, &format!("client {number}"));
            thread::spawn(move || {
                let calls: Vec<Operation> = (0..size.calls).map(|_| client.call(&mut random)).collect();
                client.shared.left.fetch_sub(1, Ordering::SeqCst);
                // It goes when all are done: its end would back out what it left open, which no call says.
                (calls, client)
            })
        })
        .collect();
    let host = {
        let shared = Arc::clone(&shared);
        thread::spawn(move || shared.host())
    };
    let done: Result<Vec<_>, _> = clients.into_iter().map(thread::JoinHandle::join).collect();
    shared.over.store(true, Ordering::SeqCst);
    host.join().map_err(|_| "the host panicked".to_owned())?;
    let done = done.map_err(|_| "a client panicked".to_owned())?;
    Ok(done.into_iter().map(|(calls, _)| calls).collect())
}

impl Shared {
    /// Drives the log, keeps house and runs jobs until all clients are done.
    fn host(&self) {
        while self.left.load(Ordering::SeqCst) > 0 && !self.over.load(Ordering::SeqCst) {
            self.manager.drive();
            self.manager.tick();
            if let Some(job) = self.manager.take_job() {
                job.run();
            }
            thread::yield_now();
        }
    }

    fn moment(&self) -> u64 {
        self.moments.fetch_add(1, Ordering::SeqCst)
    }

    /// Waits until a value may be known.
    fn settle<T>(&self, mut gated: Gated<T>) -> T {
        loop {
            match gated.open(self.manager.durable()) {
                Ok(value) => return value,
                Err(back) => gated = back,
            }
            self.manager.drive();
            thread::yield_now();
        }
    }
}

impl Client {
    fn connect(number: u32, shared: &Arc<Shared>, waits: bool) -> Self {
        let inbox = Arc::new(Inbox::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: number.to_string(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            instance: [0; 16],
            generation: 0,
            process: 0,
            principal: Principal::new("many", Identity::Process).expect("it is short"),
            completions: inbox.clone(),
        };
        let mut connection = shared.settle(shared.manager.connect(request)).expect("a connection");
        let object = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
        let mut open = |options| shared.settle(connection.open(&object, options)).expect("the queue").handle;
        let handle = open(OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT);
        let browser = open(OpenOptions::BROWSE);
        let shared = Arc::clone(shared);
        Self { number, shared, connection, inbox, handle, browser, tokens: 0, puts: 0, waits }
    }

    fn call(&mut self, random: &mut Random) -> Operation {
        let in_unit = random.percent(45);
        let dice = random.below(100);
        let call = match dice {
            0..38 => {
                self.puts += 1;
                Call::Put {
                    message: self.number * 1000 + self.puts,
                    priority: *random.pick(&[0, 4, 4, 4, 9]),
                    correlation: u8::try_from(random.below(3)).expect("small"),
                    expiry: random.percent(20).then(|| u32::try_from(random.between(1, 3)).expect("small")),
                    in_unit,
                }
            }
            38..68 => {
                let by_correlation = random.percent(30);
                let correlation = u8::try_from(random.below(3)).expect("small");
                Call::Get { correlation: by_correlation.then_some(correlation), in_unit }
            }
            68..82 => Call::Browse { first: random.percent(40) },
            82..91 => Call::Commit,
            91..96 => Call::Backout,
            _ => Call::Tick,
        };
        let persistent = random.percent(50);
        let waits = self.waits && random.percent(30);
        let clock = self.shared.clock.load(Ordering::SeqCst);
        let began = self.shared.moment();
        let told = self.make(call, persistent, waits);
        Operation { call, told, began, ended: self.shared.moment(), clock }
    }

    fn make(&mut self, call: Call, persistent: bool, waits: bool) -> Told {
        match call {
            Call::Put { message, priority, correlation, expiry, in_unit } => {
                let mut descriptor = MessageDescriptor {
                    persistence: if persistent {
                        Persistence::Persistent
                    } else {
                        Persistence::NotPersistent
                    },
                    priority: Priority::new(priority),
                    correlation_id: correlation_id(correlation),
                    ..MessageDescriptor::default()
                };
                if let Some(tenths) = expiry {
                    descriptor.expiry = Expiry::tenths(tenths);
                }
                let flags = if in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
                let body = message.to_le_bytes().to_vec();
                let put =
                    self.connection.put(self.handle, &descriptor, &PutOptions::with(flags), body.into());
                self.shared.settle(put).expect("a put succeeds");
                Told::Done
            }
            Call::Get { correlation, in_unit } => {
                let flags = if in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
                let descriptor = MessageDescriptor {
                    correlation_id: correlation.map(correlation_id).unwrap_or_default(),
                    ..MessageDescriptor::default()
                };
                self.get(self.handle, &descriptor, flags, waits)
            }
            Call::Browse { first } => {
                let flags = if first { GetFlags::BROWSE_FIRST } else { GetFlags::BROWSE_NEXT };
                self.get(self.browser, &MessageDescriptor::default(), flags, false)
            }
            Call::Commit => {
                self.shared.settle(self.connection.commit(None)).expect("a commit succeeds");
                Told::Done
            }
            Call::Backout => {
                self.shared.settle(self.connection.back()).expect("a backout succeeds");
                Told::Done
            }
            Call::Tick => {
                self.shared.machine.clock.advance(STEP);
                self.shared.clock.fetch_add(1, Ordering::SeqCst);
                Told::Done
            }
        }
    }

    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        flags: GetFlags,
        waits: bool,
    ) -> Told {
        self.tokens += 1;
        let token = WaitToken(self.tokens);
        let wait = if waits { Wait::Milliseconds(100) } else { Wait::No };
        let options = GetOptions::with(flags, wait);
        let outcome = match self.connection.get(Ask::new(handle, descriptor, &options, usize::MAX, token)) {
            Get::Done(outcome) => outcome,
            Get::Waiting => match self.await_outcome(token, waits) {
                Some(outcome) => outcome,
                None => return Told::Nothing,
            },
        };
        match self.shared.settle(outcome) {
            Ok(mut got) => {
                if let Some(receipt) = got.receipt.take() {
                    let has_begun = receipt.begin();
                    assert!(has_begun, "connections live until all are done");
                    receipt.delivered();
                }
                Told::Message(u32::from_le_bytes(got.body[..].try_into().expect("four bytes")))
            }
            Err(Reason::NO_MSG_AVAILABLE) => Told::Nothing,
            Err(reason) => panic!("a get was told {reason}"),
        }
    }

    /// The outcome of a get that did not return at once; none when its wait was cancelled.
    fn await_outcome(&mut self, token: WaitToken, waits: bool) -> Option<Outcome<GotMessage>> {
        for looks in 0.. {
            if let Some(outcome) = self.inbox.take(token) {
                return Some(outcome);
            }
            if waits && looks == PATIENCE && self.connection.cancel(token) {
                return None;
            }
            assert!(!self.shared.over.load(Ordering::SeqCst), "the host is gone and the get has no outcome");
            thread::yield_now();
        }
        unreachable!("the loop has no end")
    }
}

fn correlation_id(correlation: u8) -> CorrelationId {
    CorrelationId([correlation + 1; 24])
}
