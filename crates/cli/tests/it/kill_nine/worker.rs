//! A client of the kill test: a process that puts or gets, in units of work or outside, through any number of
//! kills, and writes down what it asked and was told.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use client::{Connection, Options, Reconnect};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, Verbs, Wait,
};
use platform::os::OsClock;
use serde::{Deserialize, Serialize};
use testing::history::{Action, Outcome, Recorder, RunningCall, body};

use super::{MESSAGE_BYTES, QUEUE, UNIT_MESSAGES};

/// Where a client finds its orders.
pub(crate) const VARIABLE: &str = "FERRY_KILL_NINE_ORDER";

/// Orders for a client.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Order {
    pub(crate) role: Role,
    pub(crate) number: u32,
    pub(crate) address: String,
    pub(crate) history: PathBuf,
    /// Messages a putter commits before it ends.
    pub(crate) messages: u64,
    /// Exists when nothing more will be put.
    pub(crate) putters_done: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Role {
    /// Puts in units of work.
    Putter,
    /// Gets in units of work.
    Getter,
    /// Puts outside units of work, and waits for each answer.
    Sender,
    /// Waits for messages outside units of work.
    Taker,
}

/// Time to try the first connection: others may have done enough for the first kill before this process comes
/// to it.
const FIRST_CONNECTION: Duration = Duration::from_secs(30);

fn connect(options: &Options) -> Connection {
    let began = Instant::now();
    loop {
        match Connection::connect(options.clone()) {
            Ok(connection) => return connection,
            Err(error) if began.elapsed() > FIRST_CONNECTION => panic!("no first connection: {error}"),
            Err(_) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[test]
#[ignore = "a process of the kill test, which gives it its orders"]
fn client() {
    let Ok(text) = std::env::var(VARIABLE) else { return };
    let order: Order = serde_json::from_str(&text).expect("orders");
    let recorder = Recorder::to_file(order.number, Arc::new(OsClock), &order.history).expect("a history");
    let reconnect = Reconnect {
        pause_min: Duration::from_millis(5),
        pause_max: Duration::from_millis(50),
        give_up_after: Duration::from_secs(120),
        ..Reconnect::default()
    };
    let options = Options::to(order.address.parse().expect("an address"))
        .application(format!("kill nine {:?} {}", order.role, order.number))
        .reconnecting(reconnect);
    let mut connection = connect(&options);
    let open = match order.role {
        Role::Putter | Role::Sender => OpenOptions::OUTPUT,
        Role::Getter | Role::Taker => OpenOptions::INPUT_SHARED | OpenOptions::NO_READ_AHEAD,
    };
    let queue = ObjectDescriptor::queue(QUEUE.parse().expect("a name"));
    let handle = connection.open(&queue, open).expect("the queue is there").handle;
    let mut client = Client { connection, handle, recorder, unit: 0 };
    match order.role {
        Role::Putter => client.put_all(&order),
        Role::Getter => client.get_all(&order),
        Role::Sender => client.send_all(&order),
        Role::Taker => client.take_all(&order),
    }
}

struct Client {
    connection: Connection,
    handle: ObjectHandle,
    recorder: Recorder,
    /// Units are counted and never used again, nor are messages.
    unit: u64,
}

impl Client {
    /// Puts until so many messages are known to be committed. What was backed out is not put again: the next
    /// messages take its place, so that no message is ever put twice.
    fn put_all(&mut self, order: &Order) {
        let mut committed = 0;
        let mut sequence = 0;
        // Puts of every other client wait for their answer.
        let answered = order.number.is_multiple_of(2);
        while committed < order.messages {
            self.unit += 1;
            let wanted = UNIT_MESSAGES.min(order.messages - committed);
            let mut calls = Vec::new();
            let mut refused = None;
            while refused.is_none() && (calls.len() as u64) < wanted {
                sequence += 1;
                match self.put(order.number, sequence, answered) {
                    Ok(call) => calls.push(call),
                    Err(reason) => refused = Some(reason),
                }
            }
            match refused {
                None if self.commit(&calls) => committed += wanted,
                None => {}
                Some(_) => self.back(),
            }
        }
        self.connection.disconnect().expect("a connection in order at the end");
    }

    /// Puts until so many messages are acknowledged. One whose answer is lost is not put again.
    fn send_all(&mut self, order: &Order) {
        let mut acknowledged = 0;
        for sequence in 1.. {
            let (body, message) = body::make(order.number, sequence, MESSAGE_BYTES);
            let action =
                Action::Put { queue: QUEUE.to_owned(), message, priority: 0, persistent: true, unit: None };
            let call = self.recorder.invoke(action);
            let mut descriptor =
                MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
            let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE);
            match self.connection.put(self.handle, &mut descriptor, &mut options, body.into()) {
                Ok(()) => {
                    self.recorder.ok(call, Outcome::Done);
                    acknowledged += 1;
                }
                Err(reason) => {
                    assert_passes(reason);
                    self.recorder.unknown(call);
                }
            }
            if acknowledged == order.messages {
                break;
            }
        }
        self.connection.disconnect().expect("a connection in order at the end");
    }

    /// Waits for one message after the other until none comes after the last put.
    fn take_all(&mut self, order: &Order) {
        loop {
            let is_last = order.putters_done.exists();
            if self.get(Wait::Milliseconds(500), None) == Ok(false) && is_last {
                break;
            }
        }
        self.connection.disconnect().expect("a connection in order at the end");
    }

    /// A put whose answer is awaited is answered; one that is not is when its unit is committed.
    fn put(&mut self, putter: u32, sequence: u64, answered: bool) -> Result<RunningCall, Reason> {
        let (body, message) = body::make(putter, sequence, MESSAGE_BYTES);
        let action = Action::Put {
            queue: QUEUE.to_owned(),
            message,
            priority: 0,
            persistent: true,
            unit: Some(self.unit),
        };
        let call = self.recorder.invoke(action);
        let mut descriptor =
            MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
        let how = if answered { PutFlags::SYNC_RESPONSE } else { PutFlags::ASYNC_RESPONSE };
        let mut options = PutOptions::with(PutFlags::SYNCPOINT | how);
        self.connection.put(self.handle, &mut descriptor, &mut options, body.into()).inspect_err(
            |reason| {
                assert_passes(*reason);
                // In a unit of work that is then backed out.
                self.recorder.fail(call, reason.to_string());
            },
        )?;
        Ok(call)
    }

    /// Commits; true if the unit is known to stand.
    fn commit(&mut self, calls: &[RunningCall]) -> bool {
        let commit = self.recorder.invoke(Action::Commit { unit: self.unit });
        match self.connection.commit() {
            Ok(()) => {
                for call in calls {
                    self.recorder.ok(*call, Outcome::Done);
                }
                self.recorder.ok(commit, Outcome::Done);
                true
            }
            Err(Reason::BACKED_OUT) => {
                self.recorder.fail(commit, Reason::BACKED_OUT.to_string());
                false
            }
            Err(reason) => {
                assert_passes(reason);
                self.recorder.unknown(commit);
                false
            }
        }
    }

    fn back(&mut self) {
        let back = self.recorder.invoke(Action::Backout { unit: self.unit });
        match self.connection.back() {
            // The unit was lost with its connection: also a way of being backed out.
            Ok(()) | Err(Reason::BACKED_OUT) => self.recorder.ok(back, Outcome::Done),
            Err(reason) => {
                assert_passes(reason);
                self.recorder.unknown(back);
            }
        }
    }

    /// Gets until the queue is empty after the last put.
    fn get_all(&mut self, order: &Order) {
        loop {
            // Looked at before the get: what was put until then is found by it.
            let is_last = order.putters_done.exists();
            self.unit += 1;
            let mut got = 0;
            let mut outcome = Ok(true);
            while outcome == Ok(true) && got < UNIT_MESSAGES {
                let wait = if got == 0 { Wait::Milliseconds(500) } else { Wait::No };
                outcome = self.get(wait, Some(self.unit));
                got += u64::from(outcome == Ok(true));
            }
            match outcome {
                Err(_) => self.back(),
                Ok(_) if got > 0 => drop(self.commit(&[])),
                Ok(_) if is_last => break,
                Ok(_) => {}
            }
        }
        self.connection.disconnect().expect("a connection in order at the end");
    }

    /// Gets a message; true if there was one.
    fn get(&mut self, wait: Wait, unit: Option<u64>) -> Result<bool, Reason> {
        let action = Action::Get { queue: QUEUE.to_owned(), unit, selective: false };
        let call = self.recorder.invoke(action);
        let mut descriptor = MessageDescriptor::default();
        let flags = if unit.is_some() { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let mut options = GetOptions::with(flags, wait);
        match self.connection.get(self.handle, &mut descriptor, &mut options, MESSAGE_BYTES) {
            Ok(got) => {
                self.recorder
                    .ok(call, body::identity(&got.body).map_or(Outcome::Unrecognised, Outcome::Message));
                Ok(true)
            }
            Err(Reason::NO_MSG_AVAILABLE) => {
                self.recorder.ok(call, Outcome::Empty);
                Ok(false)
            }
            Err(reason) => {
                assert_passes(reason);
                self.recorder.unknown(call);
                Err(reason)
            }
        }
    }
}

/// Checks that a reason may come from a kill; any other is a fault of the queue manager or the client.
fn assert_passes(reason: Reason) {
    let passes = [
        Reason::BACKED_OUT,
        Reason::CONNECTION_BROKEN,
        Reason::CALL_INTERRUPTED,
        Reason::RECONNECTED,
        Reason::Q_MGR_NOT_AVAILABLE,
    ];
    assert!(passes.contains(&reason), "{reason} is not what a kill brings");
}
