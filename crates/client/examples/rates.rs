//! A measure of operations a second, by the client for Rust: `rates ADDRESS MODULE [THREADS [SECONDS [p]
//! [t]]]`.
//!
//! The same as `examples/c/rates.c` does by the library for C, call for call, so that `cargo xtask interop
//! mqi --rates` can set one beside the other. What the modules and the letters mean, is said there.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use client::{Connection, Options};
use mqi::{
    CorrelationId, GetFlags, GetOptions, MatchOptions, MessageDescriptor, MessageType, ObjectDescriptor,
    ObjectHandle, OpenOptions, Persistence, PutFlags, PutOptions, Reason, Verbs as _, Wait,
};

const BODY_BYTES: usize = 2048;

/// Time to wait for a message before looking at the clock again.
const GLANCE: Duration = Duration::from_millis(200);

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A measured operation: its name, the queue it puts to, the queue it gets from, and one turn of it.
type Module =
    (&'static str, Option<&'static str>, Option<&'static str>, fn(&mut Worker) -> Result<(), Failure>);

const MODULES: [Module; 5] = [
    ("putget", Some("RATES.QUEUE"), Some("RATES.QUEUE"), Worker::put_and_get),
    ("sender", Some("RATES.QUEUE"), None, Worker::send),
    ("receiver", None, Some("RATES.QUEUE"), Worker::receive),
    ("requester", Some("RATES.REQUEST"), Some("RATES.REPLY"), Worker::request),
    ("responder", Some("RATES.REPLY"), Some("RATES.REQUEST"), Worker::respond),
];

/// Facts that every thread knows.
struct Plan {
    persistence: Persistence,
    in_units: bool,
    is_over: AtomicBool,
}

/// State of one thread.
struct Worker {
    plan: Arc<Plan>,
    connection: Connection,
    puts_to: ObjectHandle,
    gets_from: ObjectHandle,
    number: usize,
    done: u64,
}

impl Worker {
    fn put(&mut self, descriptor: &mut MessageDescriptor, flags: PutFlags) -> Result<(), Failure> {
        let point = if self.plan.in_units { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        descriptor.persistence = self.plan.persistence;
        let body = Bytes::from_static(&[0; BODY_BYTES]);
        let mut options = PutOptions::with(flags | point);
        Ok(self.connection.put(self.puts_to, descriptor, &mut options, body)?)
    }

    /// Gets a message; false when none came for a while.
    fn get(&mut self, descriptor: &mut MessageDescriptor, matching: MatchOptions) -> Result<bool, Failure> {
        let point = if self.plan.in_units { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let mut options = GetOptions::with(point, Wait::from(GLANCE));
        options.match_options = matching;
        match self.connection.get(self.gets_from, descriptor, &mut options, BODY_BYTES) {
            Ok(_) => Ok(true),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(false),
            Err(reason) => Err(reason.into()),
        }
    }

    fn end_unit(&mut self) -> Result<(), Failure> {
        if self.plan.in_units {
            self.connection.commit()?;
        }
        Ok(())
    }

    /// Gets what is known to be on its way, unless the time is over before it comes.
    fn get_awaited(&mut self, correlation_id: CorrelationId) -> Result<(), Failure> {
        loop {
            let mut descriptor = MessageDescriptor { correlation_id, ..MessageDescriptor::default() };
            if self.get(&mut descriptor, MatchOptions::MATCH_CORREL_ID)? {
                self.end_unit()?;
                self.done += 1;
                return Ok(());
            }
            if self.plan.is_over.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    fn put_and_get(&mut self) -> Result<(), Failure> {
        let mut correlation_id = CorrelationId::default();
        let name = format!("rates {}", self.number);
        correlation_id.0[..name.len()].copy_from_slice(name.as_bytes());
        let mut descriptor = MessageDescriptor { correlation_id, ..MessageDescriptor::default() };
        self.put(&mut descriptor, PutFlags::NEW_MSG_ID)?;
        self.end_unit()?;
        self.get_awaited(correlation_id)
    }

    fn send(&mut self) -> Result<(), Failure> {
        self.put(&mut MessageDescriptor::default(), PutFlags::NEW_MSG_ID | PutFlags::NEW_CORREL_ID)?;
        self.end_unit()?;
        self.done += 1;
        Ok(())
    }

    fn receive(&mut self) -> Result<(), Failure> {
        if self.get(&mut MessageDescriptor::default(), MatchOptions::EMPTY)? {
            self.end_unit()?;
            self.done += 1;
        }
        Ok(())
    }

    fn request(&mut self) -> Result<(), Failure> {
        let mut descriptor = MessageDescriptor {
            message_type: MessageType::REQUEST,
            reply_to_queue: "RATES.REPLY".parse()?,
            ..MessageDescriptor::default()
        };
        self.put(&mut descriptor, PutFlags::NEW_MSG_ID | PutFlags::NEW_CORREL_ID)?;
        self.end_unit()?;
        self.get_awaited(CorrelationId(descriptor.message_id.0))
    }

    fn respond(&mut self) -> Result<(), Failure> {
        let mut descriptor = MessageDescriptor::default();
        if self.get(&mut descriptor, MatchOptions::EMPTY)? {
            descriptor.correlation_id = CorrelationId(descriptor.message_id.0);
            descriptor.message_type = MessageType::REPLY;
            self.put(&mut descriptor, PutFlags::NEW_MSG_ID)?;
            self.end_unit()?;
            self.done += 1;
        }
        Ok(())
    }
}

fn main() -> Result<(), Failure> {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let usage = "rates ADDRESS putget|sender|receiver|requester|responder [THREADS [SECONDS [p] [t]]]";
    let [address, module, rest @ ..] = typed.as_slice() else { return Err(usage.into()) };
    let (_, puts_to, gets_from, turn) =
        MODULES.iter().find(|(name, ..)| name == module).ok_or("there is no such module")?;
    let threads: usize = rest.first().map_or(Ok(1), |threads| threads.parse())?;
    let seconds: f64 = rest.get(1).map_or(Ok(5.0), |seconds| seconds.parse())?;
    let is_asked = |letter: &str| rest.iter().skip(2).any(|word| word == letter);
    let persistence = if is_asked("p") { Persistence::Persistent } else { Persistence::NotPersistent };
    let plan = Plan { persistence, in_units: is_asked("t"), is_over: AtomicBool::new(false) };
    let plan = Arc::new(plan);
    let mut workers = Vec::with_capacity(threads);
    for number in 0..threads {
        let mut connection = Connection::connect(Options::to(address.parse()?))?;
        let mut open = |queue: Option<&str>, options| -> Result<ObjectHandle, Failure> {
            let Some(queue) = queue else { return Ok(ObjectHandle::NONE) };
            Ok(connection.open(&ObjectDescriptor::queue(queue.parse()?), options)?.handle)
        };
        let puts_to = open(*puts_to, OpenOptions::OUTPUT)?;
        let gets_from = open(*gets_from, OpenOptions::INPUT_SHARED)?;
        workers.push(Worker { plan: Arc::clone(&plan), connection, puts_to, gets_from, number, done: 0 });
    }
    let begun = Instant::now();
    let done = std::thread::scope(|scope| -> Result<u64, Failure> {
        let running: Vec<_> = workers
            .into_iter()
            .map(|mut worker| {
                scope.spawn(move || -> Result<u64, Failure> {
                    while !worker.plan.is_over.load(Ordering::Relaxed) {
                        turn(&mut worker)?;
                    }
                    worker.connection.disconnect()?;
                    Ok(worker.done)
                })
            })
            .collect();
        std::thread::sleep(Duration::from_secs_f64(seconds));
        plan.is_over.store(true, Ordering::Relaxed);
        running.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked")?).sum()
    })?;
    println!("done={done} rate={:.1}", done as f64 / begun.elapsed().as_secs_f64());
    Ok(())
}
