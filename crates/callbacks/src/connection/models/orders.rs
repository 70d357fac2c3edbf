//! Requests of two threads and of a callback, in every order of their steps, against a connection whose
//! requests never overlap.

use super::*;
use crate::control::{Control, Request};
use listener::{ANSWER, Listener, Queue};

/// A call of a thread of the program.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Call {
    Control(Operation),
    Commit,
    Disconnect,
    /// The first half of MQDISC.
    StopToDisconnect,
}

const CALLS: [Call; 6] = [
    Call::Control(Operation::START),
    Call::Control(Operation::STOP),
    Call::Control(Operation::SUSPEND),
    Call::Control(Operation::RESUME),
    Call::Commit,
    Call::Disconnect,
];

/// Requests of a callback.
const SCRIPTS: [&[Operation]; 5] = [
    &[],
    &[Operation::STOP],
    &[Operation::SUSPEND],
    &[Operation::STOP, Operation::START],
    &[Operation::SUSPEND, Operation::RESUME],
];

type Outcome = Result<(), Reason>;

impl Call {
    fn on(self, connection: &Connection<Listener>) -> Outcome {
        let mut connection = connection.clone();
        match self {
            Self::Control(operation) => connection.control(operation, 0).map(drop),
            Self::Commit => connection.commit(),
            Self::Disconnect => connection.disconnect(),
            Self::StopToDisconnect => Ok(()),
        }
    }

    /// The call with its outcome, in the steps that others may come between.
    fn made(self, connection: &Connection<Listener>) -> Vec<(Self, Outcome)> {
        let before = (self == Self::Disconnect).then_some((Self::StopToDisconnect, Ok(())));
        before.into_iter().chain([(self, self.on(connection))]).collect()
    }

    /// True if it is to act after the callback that has passed the work to its thread. Others are refused or
    /// act at once.
    fn follows(self) -> bool {
        self == Self::Control(Operation::RESUME)
    }
}

/// A connection as the first table of `control` has it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Reference {
    mode: Mode,
    has_ended: bool,
}

impl Reference {
    fn call(&mut self, call: Call) -> Outcome {
        if self.has_ended {
            if call == Call::StopToDisconnect {
                return Ok(());
            }
            return Err(Reason::HCONN_ERROR);
        }
        let (mode, outcome) = match (call, self.mode) {
            (Call::Control(Operation::START), Mode::Stopped)
            | (Call::Control(Operation::RESUME), Mode::Started | Mode::Suspended) => (Mode::Started, Ok(())),
            (Call::Control(Operation::SUSPEND), Mode::Started | Mode::Suspended) => (Mode::Suspended, Ok(())),
            (Call::Control(Operation::STOP) | Call::StopToDisconnect, _) => (Mode::Stopped, Ok(())),
            (Call::Control(Operation::START), Mode::Started) | (Call::Commit, Mode::Started) => {
                (self.mode, Err(Reason::HCONN_ASYNC_ACTIVE))
            }
            (Call::Control(_), _) => (self.mode, Err(Reason::OPERATION_NOT_ALLOWED)),
            (Call::Commit, _) => (self.mode, Err(ANSWER)),
            (Call::Disconnect, _) => {
                self.has_ended = true;
                (Mode::Stopped, Ok(()))
            }
        };
        self.mode = mode;
        outcome
    }

    /// The callback, from its call to its return.
    fn callback(&mut self, script: &[Operation]) -> Vec<Outcome> {
        let mut control = Control::default();
        control.set(self.mode);
        control.enter();
        let outcomes = script.iter().map(|operation| control.request(request(*operation))).collect();
        control.leave();
        self.mode = control.mode();
        outcomes
    }
}

/// The outcomes of a run.
#[derive(Debug)]
struct Observed {
    /// The calls of each thread with their outcomes; those of different threads overlap.
    threads: Vec<Vec<(Call, Outcome)>>,
    /// The outcomes of the callback, if it was called before all calls had returned.
    callback: Option<Vec<Outcome>>,
    /// The calls were made because of the callback.
    is_passed: bool,
    last: Reference,
}

impl Observed {
    /// True if the calls and the callback have these outcomes one after the other, in some order.
    fn has_an_order(&self, script: &[Operation]) -> bool {
        let start = Reference { mode: Mode::Started, has_ended: false };
        self.goes_on(start, &vec![0; self.threads.len()], self.callback.is_none(), script)
    }

    /// As [`has_an_order`](Self::has_an_order), from there on.
    fn goes_on(&self, from: Reference, at: &[usize], is_called: bool, script: &[Operation]) -> bool {
        let is_over = self.threads.iter().zip(at).all(|(calls, at)| *at == calls.len());
        if is_over && is_called && from == self.last {
            return true;
        }
        if let Some(outcomes) = self.callback.as_ref().filter(|_| !is_called && !from.has_ended) {
            let mut reference = from;
            if reference.callback(script) == *outcomes && self.goes_on(reference, at, true, script) {
                return true;
            }
        }
        self.threads.iter().enumerate().any(|(thread, calls)| {
            let Some((call, outcome)) = calls.get(at[thread]) else { return false };
            let (mut reference, mut at) = (from, at.to_vec());
            at[thread] += 1;
            let is_too_early = self.is_passed && call.follows() && !is_called;
            !is_too_early
                && reference.call(*call) == *outcome
                && self.goes_on(reference, &at, is_called, script)
        })
    }
}

fn request(operation: Operation) -> Request {
    match operation {
        Operation::START => Request::Start,
        Operation::STOP => Request::Stop,
        Operation::SUSPEND => Request::Suspend,
        _ => Request::Resume,
    }
}

/// A connection with a consumer that passes its message on and then makes its requests.
fn connection(script: &'static [Operation]) -> (Arc<Queue>, Connection<Listener>, Arc<Mutex<Vec<Outcome>>>) {
    let (queue, outcomes) = (Arc::<Queue>::default(), Arc::<Mutex<Vec<Outcome>>>::default());
    let connection = Connection::new(Listener(Arc::clone(&queue)));
    let (passes, notes) = (Arc::clone(&queue), Arc::clone(&outcomes));
    let description = Description::consumer(move |inside, called| {
        if called.context.call_type == CallType::MessageRemoved {
            passes.change(|messages| messages.taken += 1);
            for operation in script {
                let outcome = inside.control(*operation, 0);
                notes.lock().push(outcome);
            }
        }
    });
    let (descriptor, options) = (MessageDescriptor::default(), GetOptions::default());
    let register = Operation::REGISTER;
    let registered = connection.callback(register, Some(description), ObjectHandle(1), &descriptor, &options);
    registered.expect("it is one");
    (queue, connection, outcomes)
}

/// Reads the mode once no callback runs, then gets the connection to the end: a message that is there is
/// taken, and all threads end.
fn last(queue: &Queue, connection: &Connection<Listener>) -> (Reference, bool) {
    let (reference, is_called) = {
        let mut state = connection.shared.lock();
        while state.control.running().is_some() {
            connection.shared.changed.wait(&mut state);
        }
        (Reference { mode: state.control.mode(), has_ended: state.has_ended }, queue.taken() > 0)
    };
    if !reference.has_ended {
        match reference.mode {
            Mode::Started => {}
            Mode::Suspended => control(connection, Operation::RESUME),
            Mode::Stopped => control(connection, Operation::START),
        }
        queue.wait(1);
        assert_eq!(connection.clone().disconnect(), Ok(()));
    }
    (reference, is_called)
}

/// Runs calls of two threads beside the callback; the second call, alone, once the callback has passed it on.
fn try_orders(first: Option<Call>, second: Call, script: &'static [Operation]) {
    explore(move || {
        let (queue, connection, outcomes) = connection(script);
        queue.change(|messages| messages.here += 1);
        control(&connection, Operation::START);
        let other = {
            let (queue, connection) = (Arc::clone(&queue), connection.clone());
            thread::spawn(move || {
                if first.is_none() {
                    queue.wait(1);
                }
                second.made(&connection)
            })
        };
        let first_made = first.map(|call| call.made(&connection));
        let threads = first_made.into_iter().chain([other.join().expect("it ends")]).collect();
        let (last, is_called) = last(&queue, &connection);
        let callback = is_called.then(|| outcomes.lock()[..script.len()].to_vec());
        let observed = Observed { threads, callback, is_passed: first.is_none(), last };
        assert!(observed.has_an_order(script), "{script:?}: {observed:?}");
    });
}

#[test]
fn a_call_that_a_callback_has_passed_on_finds_what_the_callback_requests() {
    for script in SCRIPTS {
        for call in CALLS {
            try_orders(None, call, script);
        }
    }
}

/// Pairs of all calls that change the mode, each beside a callback that only requests and one that takes back
/// its request; with the others the pairs are too many for a gate.
#[test]
fn calls_of_two_threads_beside_a_callback_have_an_order() {
    let calls = CALLS.into_iter().filter(|call| *call != Call::Commit).collect::<Vec<_>>();
    for script in [SCRIPTS[2], SCRIPTS[3]] {
        for (place, first) in calls.iter().enumerate() {
            for second in &calls[place..] {
                try_orders(Some(*first), *second, script);
            }
        }
    }
}
