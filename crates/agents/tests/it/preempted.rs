//! A thread decides a wait and is preempted before it leaves the outcome: other connections of the reactor do
//! not wait for it.

use agents::Agent;
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use channel::client::Request;
use channel::{Flags, RequestNumber};
use mqi::{
    AccountingChoice, CloseOptions, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    OpenOptions, Persistence, PutFlags, PutOptions, ReportOptions, Wait,
};
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Get, GotMessage, Outcome, Principal, QueueManager,
    WaitToken,
};

use crate::loopback::{Client, Seen, Server, What};

/// Time after which the held thread goes on by itself, so that a test in which all wait for it fails instead
/// of standing still. No test that passes depends on it.
const HELD_MAX: Duration = Duration::from_secs(60);

/// Round trips of another connection while the thread is held.
const ROUND_TRIPS: usize = 200;

/// Most turns until what has arrived is sent.
const TURNS_MAX: usize = 10;

/// A getter at which the thread that brings it something is held until it is let go.
#[derive(Default)]
struct Holding {
    thread: Mutex<HeldThread>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum HeldThread {
    #[default]
    Coming,
    Held,
    LetGo,
    GaveUp,
}

impl Holding {
    /// Waits until the thread is held.
    fn await_thread(&self) {
        let thread = self.thread.lock().unwrap();
        let is_coming = |thread: &mut HeldThread| *thread == HeldThread::Coming;
        let (thread, _) = self.changed.wait_timeout_while(thread, HELD_MAX, is_coming).unwrap();
        assert_eq!(*thread, HeldThread::Held);
    }

    /// Lets the thread go, which was held until now.
    fn let_go(&self) {
        let before = std::mem::replace(&mut *self.thread.lock().unwrap(), HeldThread::LetGo);
        self.changed.notify_all();
        assert_eq!(before, HeldThread::Held, "others waited until the thread went on by itself");
    }
}

impl Completions for Holding {
    fn complete(&self, _: WaitToken, _: Outcome<GotMessage>) {
        let mut thread = self.thread.lock().unwrap();
        *thread = HeldThread::Held;
        self.changed.notify_all();
        let is_held = |thread: &mut HeldThread| *thread == HeldThread::Held;
        let (mut thread, waited) = self.changed.wait_timeout_while(thread, HELD_MAX, is_held).unwrap();
        if waited.timed_out() {
            *thread = HeldThread::GaveUp;
        }
    }
}

fn connect(queue_manager: &QueueManager, completions: Arc<Holding>) -> Connection {
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

/// Another connection of the same thread.
struct Other {
    client: Client,
    handle: ObjectHandle,
}

impl Other {
    fn new(server: &Server) -> Self {
        let mut client = server.client();
        client.command("DEFINE QLOCAL(C)");
        let handle = client.open("C", OpenOptions::OUTPUT | OpenOptions::INPUT_SHARED);
        Self { client, handle }
    }

    /// Puts a message and gets it.
    fn make_round_trip(&mut self) {
        self.client.put(self.handle, Persistence::NotPersistent, "x");
        assert_eq!(self.client.get(self.handle, GetFlags::NO_SYNCPOINT).as_deref(), Ok("x"));
    }
}

/// Gives a connection its turn: its input goes on where it may, and its output leaves.
fn turn(client: &mut Client) -> Vec<Seen> {
    if client.agent.wants_input() {
        client.receive(&[]).unwrap();
    }
    client.released()
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

    // What confirms the delivery goes to a getter at which its thread is held, before it answers the first.
    let holding = Arc::new(Holding::default());
    let mut getter = connect(&server.queue_manager, Arc::clone(&holding));
    let mut putter = connect(&server.queue_manager, Arc::default());
    let reports = open(&server.queue_manager, &mut getter, "B", OpenOptions::INPUT_SHARED);
    let waits = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::Unlimited);
    let got = getter.get(Ask::new(reports, &MessageDescriptor::default(), &waits, 100, WaitToken(1)));
    assert!(matches!(got, Get::Waiting));
    let output = open(&server.queue_manager, &mut putter, "A", OpenOptions::OUTPUT);

    std::thread::scope(|scope| {
        let putting = scope.spawn(move || {
            let descriptor = MessageDescriptor {
                persistence: Persistence::NotPersistent,
                report: ReportOptions::COD,
                reply_to_queue: "B".parse().unwrap(),
                ..MessageDescriptor::default()
            };
            let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
            assert!(putter.put(output, &descriptor, &options, "late".into()).split().is_ok());
        });
        holding.await_thread();
        let asked = ask(&mut client, handle);
        for _ in 0..ROUND_TRIPS {
            other.make_round_trip();
            let seen = turn(&mut client);
            assert!(seen.is_empty(), "{seen:?} came before the thread had left its outcome");
        }
        holding.let_go();
        putting.join().unwrap();

        let frames = 1 + usize::from(asked.is_some());
        let mut seen = Vec::new();
        for _ in 0..TURNS_MAX {
            seen.extend(turn(&mut client));
        }
        let whats: Vec<_> =
            seen.iter().map(|seen| (Some(seen.header.request) == asked, &seen.what)).collect();
        let message = What::Delivered { number: 1, body: "late".into() };
        let expected = [(false, &message), (true, &What::Done)];
        assert_eq!(whats, expected[..frames], "the message comes before the answer");
    });
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
    const PER_BACKOUT_MAX: usize = 10;
    let server = Server::new();
    let mut client = server.client();
    let handle = client.open("A", OpenOptions::INPUT_SHARED);
    let mut putter = connect(&server.queue_manager, Arc::default());
    let output = open(&server.queue_manager, &mut putter, "A", OpenOptions::OUTPUT);
    client.credit(handle, 20, Some(GetFlags::SYNCPOINT));
    let (mut backouts, mut given) = (0, 0);
    std::thread::scope(|scope| {
        let (backed_out, backouts_seen) = sync_channel(1);
        let putting = scope.spawn(move || {
            for number in 0..MESSAGES {
                // However the threads are scheduled, there are backouts among the puts.
                if number % PER_BACKOUT_MAX == 0 {
                    backouts_seen.recv().expect("backouts go on until all is put");
                }
                let descriptor = MessageDescriptor {
                    persistence: Persistence::NotPersistent,
                    ..MessageDescriptor::default()
                };
                let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
                let put = putter.put(output, &descriptor, &options, number.to_string().into());
                assert!(put.split().is_ok());
                std::thread::yield_now();
            }
        });
        while !putting.is_finished() {
            given += client.released().len();
            assert_eq!(client.ask(&Request::Back).what, What::Done);
            client.credit(handle, 20, None);
            backouts += 1;
            // A putter that is behind sees one of several.
            let _ = backed_out.try_send(());
        }
        putting.join().unwrap();
    });
    let backouts_min = MESSAGES / PER_BACKOUT_MAX;
    assert!(backouts >= backouts_min && given > 0, "{backouts} backouts, {given} messages before them");
    assert_eq!(client.ask(&Request::Back).what, What::Done);
    for number in 0..MESSAGES {
        let got = client.get(handle, GetFlags::NO_SYNCPOINT);
        assert_eq!(got, Ok(number.to_string()), "after {backouts} backouts");
    }
}
