//! A thread decides a wait and is preempted before it leaves the outcome: other connections of the reactor do
//! not wait for it.

use agents::Agent;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use channel::client::Request;
use channel::{Flags, RequestNumber};
use mqi::{
    AccountingChoice, CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    OpenOptions, Persistence, PutFlags, PutOptions, ReportOptions, Wait,
};
use queue_manager::{
    Completions, ConnectRequest, Connection, Get, GotMessage, Outcome, Principal, QueueManager, WaitToken,
};

use crate::loopback::{Client, Server, What};

/// Time for which the thread is away.
const AWAY: Duration = Duration::from_secs(1);

/// Interval of the other connection's requests.
const EVERY: Duration = Duration::from_millis(1);

/// A getter at which the thread that brings it something stops.
#[derive(Default)]
struct Stopping {
    is_away: AtomicBool,
}

impl Completions for Stopping {
    #[expect(clippy::disallowed_methods, reason = "the thread is preempted")]
    fn complete(&self, _: WaitToken, _: Outcome<GotMessage>) {
        self.is_away.store(true, Ordering::SeqCst);
        std::thread::sleep(AWAY);
        self.is_away.store(false, Ordering::SeqCst);
    }
}

fn connect(queue_manager: &QueueManager, completions: Arc<Stopping>) -> Connection {
    let request = ConnectRequest {
        application: "preempted".into(),
        origin: "here".into(),
        channel: mqi::ObjectName::BLANK,
        process: 0,
        instance: [0; 16],
        generation: 0,
        principal: Principal::of_process(),
        accounting: AccountingChoice::default(),
        completions,
    };
    queue_manager.connect(request).open(queue_manager.durable()).expect("it needs no log").unwrap()
}

fn open(
    queue_manager: &QueueManager,
    connection: &mut Connection,
    queue: &str,
    options: OpenOptions,
) -> ObjectHandle {
    let object = ObjectDescriptor::queue(queue.parse().unwrap());
    let opened = connection.open(&object, options).open(queue_manager.durable());
    opened.expect("what it depends on is durable").unwrap().handle
}

#[expect(clippy::disallowed_methods, reason = "how long others wait is measured by the clock on the wall")]
fn now() -> Instant {
    Instant::now()
}

/// Another connection of the same thread: makes a request each millisecond and notes how late the answer
/// came.
struct Other {
    client: Client,
    handle: ObjectHandle,
    next: Instant,
    late: Vec<Duration>,
}

impl Other {
    fn new(server: &Server) -> Self {
        let mut client = server.client();
        client.command("DEFINE QLOCAL(C)");
        let handle = client.open("C", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        Self { client, handle, next: now(), late: Vec::new() }
    }

    fn serve(&mut self) {
        while self.next <= now() {
            self.client.put(self.handle, Persistence::NotPersistent, "x");
            assert_eq!(self.client.get(self.handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("x"));
            self.late.push(now() - self.next);
            self.next += EVERY;
        }
    }

    /// The lateness that one of a hundred exceeds.
    fn p99(&mut self) -> Duration {
        assert!(self.late.len() >= 200, "{} are too few", self.late.len());
        self.late.sort_unstable();
        self.late[self.late.len() * 99 / 100]
    }
}

/// Serves a connection whose request meets a wait that was decided just now, beside another connection. With
/// `has_neighbour` its connection has another conversation.
fn serve_beside(request: impl Fn(ObjectHandle) -> (Request<'static>, Flags), has_neighbour: bool) {
    let ask = |client: &mut Client, handle| {
        let (request, flags) = request(handle);
        let asked = client.cork(&request, flags);
        client.send();
        Some(asked)
    };
    serve_beside_asked(ask, has_neighbour);
}

/// The same for a request that is asked so, and that may have no answer.
#[expect(clippy::disallowed_methods, reason = "threads are what this is about")]
fn serve_beside_asked(
    ask: impl FnOnce(&mut Client, ObjectHandle) -> Option<RequestNumber>,
    has_neighbour: bool,
) {
    let server = Server::new();
    let mut client = server.client();
    if has_neighbour {
        client.begin(2, [0; 16]);
        client.conversation = channel::Conversation(1);
    }
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    client.credit(handle, 1, Some(GetFlags::NO_SYNCPOINT));
    assert!(client.frames().is_empty());
    let mut other = Other::new(&server);

    // What confirms the delivery goes to a getter at which its thread stops, before it answers the first.
    let stopping = Arc::new(Stopping::default());
    let mut getter = connect(&server.queue_manager, Arc::clone(&stopping));
    let mut putter = connect(&server.queue_manager, Arc::default());
    let reports = open(&server.queue_manager, &mut getter, "B", OpenOptions::INPUT_SHARED);
    let waits = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let got = getter.get(reports, &MessageDescriptor::default(), &waits, 100, WaitToken(1));
    assert!(matches!(got, Get::Waiting));
    let output = open(&server.queue_manager, &mut putter, "A", OpenOptions::OUTPUT);

    other.next = now();
    let quiet_until = now() + AWAY / 2;
    while now() < quiet_until {
        other.serve();
    }
    let before = other.p99();
    other.late.clear();

    std::thread::scope(|scope| {
        scope.spawn(move || {
            let descriptor = MessageDescriptor {
                persistence: Persistence::NotPersistent,
                report: ReportOptions::COD,
                reply_to_queue: "B".parse().unwrap(),
                ..MessageDescriptor::default()
            };
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            assert!(putter.put(output, &descriptor, &options, "late".into()).split().is_ok());
        });
        while !stopping.is_away.load(Ordering::SeqCst) {
            std::hint::spin_loop();
        }
        other.next = now();
        let asked = ask(&mut client, handle);
        let frames = 1 + usize::from(asked.is_some());
        let mut seen = Vec::new();
        let patient_until = now() + 5 * AWAY;
        while seen.len() < frames {
            assert!(now() < patient_until, "only {seen:?} came");
            other.serve();
            if client.agent.wants_input() {
                client.receive(&[]).unwrap();
            }
            seen.extend(client.released());
        }
        other.serve();
        let whats: Vec<_> =
            seen.iter().map(|seen| (Some(seen.header.request) == asked, &seen.what)).collect();
        let message = What::Delivered { number: 1, body: "late".into() };
        let expected = [(false, &message), (true, &What::Done)];
        assert_eq!(whats, expected[..frames], "the message comes before the answer");
    });
    let meanwhile = other.p99();
    // A machine that has much else to do makes everything late.
    let most = Duration::from_millis(10).max(3 * before);
    assert!(meanwhile <= most, "others waited {meanwhile:?}, and {before:?} before");
}

#[test]
fn a_stream_that_stops_when_its_wait_was_decided_holds_no_other_connection_up() {
    for flags in [Flags::NONE, Flags::KEEPS] {
        serve_beside(|handle| (Request::Release { handle }, flags), false);
        serve_beside(|handle| (Request::Release { handle }, flags), true);
    }
}

#[test]
fn a_mark_behind_a_wait_that_was_decided_holds_no_other_connection_up() {
    serve_beside(|_| (Request::Cancel { get: RequestNumber(0) }, Flags::NONE), false);
    serve_beside(|_| (Request::Cancel { get: RequestNumber(0) }, Flags::NONE), true);
}

#[test]
fn a_close_of_a_handle_whose_wait_was_decided_comes_behind_the_message() {
    let close = |handle| (Request::Close { handle, options: CloseOptions::default() }, Flags::NONE);
    serve_beside(close, false);
    serve_beside(close, true);
}

#[test]
fn a_stream_that_begins_anew_when_its_wait_was_decided_comes_behind_the_message() {
    for has_neighbour in [false, true] {
        let begin_anew = |client: &mut Client, handle| {
            client.credit(handle, 1, Some(GetFlags::NO_SYNCPOINT));
            None
        };
        serve_beside_asked(begin_anew, has_neighbour);
    }
}

/// A backout does not wait for an outcome that is on its way: what the stream was given by it is only
/// reserved.
#[test]
#[expect(clippy::disallowed_methods, reason = "threads are what this is about")]
fn backouts_of_a_stream_to_which_another_thread_puts_lose_and_reorder_nothing() {
    const MESSAGES: usize = 500;
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    let mut putter = connect(&server.queue_manager, Arc::default());
    let output = open(&server.queue_manager, &mut putter, "A", OpenOptions::OUTPUT);
    client.credit(handle, 20, Some(GetFlags::SYNCPOINT));
    let has_put_all = AtomicBool::new(false);
    let (mut backouts, mut given) = (0, 0);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..MESSAGES {
                let descriptor = MessageDescriptor {
                    persistence: Persistence::NotPersistent,
                    ..MessageDescriptor::default()
                };
                let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
                let put = putter.put(output, &descriptor, &options, number.to_string().into());
                assert!(put.split().is_ok());
                std::thread::yield_now();
            }
            has_put_all.store(true, Ordering::SeqCst);
        });
        while !has_put_all.load(Ordering::SeqCst) {
            given += client.released().len();
            assert_eq!(client.ask(&Request::Back).what, What::Done);
            client.credit(handle, 20, None);
            backouts += 1;
        }
    });
    assert!(backouts > 20 && given > 20, "{backouts} backouts, {given} messages before them");
    assert_eq!(client.ask(&Request::Back).what, What::Done);
    for number in 0..MESSAGES {
        let got = client.get(handle, GetFlags::NO_SYNCPOINT);
        assert_eq!(got, Ok(number.to_string()), "after {backouts} backouts");
    }
}
