//! Faults put into the running server on purpose: what its clients were told, over real sockets and through
//! `kill -9`, must convict it. Only with the feature `planted`.
//!
//! Not here: faults that only a power failure shows, since a killed process leaves its writes to the system
//! (no flush, a torn tail), a checkpoint ahead of the log, whose moment no kill meets but by luck, and a put
//! answered before its getter has the message, since a getter that was killed or cut off may always have had
//! it. They are found on the simulated disk (`sim::planted`).

use std::sync::Arc;
use std::time::{Duration, Instant};

use client::Connection;
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectHandle, OpenOptions, Persistence, PutFlags, PutOptions,
    Reason, Verbs, Wait,
};
use platform::os::OsClock;
use platform::simulated::Random;
use storage::planted::Fault;
use testing::history::{Action, Class, Outcome, Recorder, RunningCall, Verdict, body, check};

use crate::processes::{PLANTED, Process};
use crate::running::{Place, command, connect, open};

/// Kills after which a fault has escaped. Most are found after one; an acknowledgement before the write only
/// when the kill falls between the two.
const KILLS_MAX: u64 = 60;
const CLIENTS: u32 = 4;
const QUEUES: [&str; 2] = ["P0", "P1"];

/// Of what a history may be convicted when this fault is in it; none where real processes do not show it.
fn convictions(fault: Fault) -> Option<&'static [Class]> {
    match fault {
        Fault::NoFlush | Fault::CheckpointAhead | Fault::TornTailTaken | Fault::AckBeforeReceipt => None,
        // No protocol prepares, and figure R8 finds the spare: their histories are true.
        Fault::PrepareForgotten | Fault::SpareUsedOnce => None,
        // Only coordinators are told wrongly: the tests of branches find these.
        Fault::JoinAfterPrepare
        | Fault::IdleLost
        | Fault::IdleKeepsLog
        | Fault::PrepareUngated
        | Fault::CommitUngated
        | Fault::AbsenceUngated
        | Fault::ListUngated
        | Fault::HandAfterEnd
        | Fault::HandLost
        | Fault::ForgetWithoutDelete
        | Fault::WaitJoinsNext => None,
        Fault::AckBeforeFlush => Some(&[Class::Lost, Class::Torn, Class::Resurrected]),
        Fault::DroppedPut => Some(&[Class::Lost, Class::Torn]),
        Fault::DoubleDelivery | Fault::CommitLosesGet => Some(&[Class::Duplicated]),
        Fault::ResurrectedGet => Some(&[Class::Resurrected]),
        Fault::SwappedOrder => Some(&[Class::Inverted]),
        Fault::HalfUnit => Some(&[Class::Phantom, Class::Torn, Class::Lost]),
        Fault::BackoutKeepsPut => Some(&[Class::Phantom]),
        Fault::WrongBody => Some(&[Class::Corrupted]),
    }
}

#[test]
fn a_server_with_a_planted_fault_is_convicted_by_its_clients() {
    for fault in Fault::ALL {
        let Some(convictions) = convictions(fault) else { continue };
        let name = format!("{fault:?}");
        let (kills, verdict) = (1..=KILLS_MAX)
            .map(|kills| (kills, run(Some(&name), kills)))
            .find(|(_, verdict)| !verdict.is_clean())
            .unwrap_or_else(|| panic!("{fault:?} was not found with {KILLS_MAX} kills"));
        println!("{fault:?}: found after {kills} kills: {verdict}");
        let as_it_is = verdict.faults.iter().any(|found| convictions.contains(&found.class));
        assert!(as_it_is, "{fault:?} was taken for {verdict}");
    }
}

#[test]
fn a_server_without_a_fault_is_not() {
    let mut acknowledged = 0;
    for seed in 0..6 {
        let verdict = run(None, seed);
        assert!(verdict.is_clean(), "{verdict}");
        acknowledged += verdict.acknowledged;
    }
    assert!(acknowledged > 0, "clients were told of puts before the kills");
}

/// Clients at work, a kill, a restart, and what is there.
fn run(fault: Option<&str>, seed: u64) -> Verdict {
    let place = Place::new();
    let environment: Vec<_> = fault.map(|fault| (PLANTED, fault)).into_iter().collect();
    {
        let process = Process::start(&place);
        let mut connection = connect(process.address());
        for queue in QUEUES {
            command(&mut connection, &format!("DEFINE QLOCAL({queue}) MAXDEPTH(100000)"));
        }
    }
    let recorder = Recorder::in_memory(0, Arc::new(OsClock));
    let mut process = Process::start_with(&place, &environment);
    let address = process.address().to_owned();
    let clients: Vec<_> = (1..=CLIENTS)
        .map(|number| {
            let mut client = Client::new(&address, recorder.for_client(number));
            let random = Random::stream(seed, &number.to_string());
            std::thread::spawn(move || client.work(number, random))
        })
        .collect();
    let until = Instant::now() + Duration::from_millis(Random::stream(seed, "kill").between(40, 140));
    std::thread::sleep(until.saturating_duration_since(Instant::now()));
    process.kill();
    for client in clients {
        client.join().expect("a client ends when its server does");
    }
    let process = Process::start_with(&place, &environment);
    recorder.restart();
    let mut heir = Client::new(process.address(), recorder.for_client(CLIENTS + 1));
    for (queue, name) in QUEUES.into_iter().enumerate() {
        while heir.get(queue, None) == Some(true) {}
        recorder.drained(name);
    }
    check(&recorder.take())
}

struct Client {
    connection: Connection,
    handles: [ObjectHandle; QUEUES.len()],
    recorder: Recorder,
}

impl Client {
    fn new(address: &str, recorder: Recorder) -> Self {
        let mut connection = connect(address);
        let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT | OpenOptions::NO_READ_AHEAD;
        let handles = QUEUES.map(|queue| open(&mut connection, queue, options));
        Self { connection, handles, recorder }
    }

    /// Puts and gets, one call after the other, until the server is gone.
    fn work(&mut self, number: u32, mut random: Random) {
        let mut unit = 0;
        for sequence in 1.. {
            let queue = random.index(QUEUES.len());
            let in_unit = random.percent(50).then_some(unit);
            let done = if random.percent(60) {
                self.put(queue, number, sequence, in_unit, random.percent(50))
            } else {
                self.get(queue, in_unit).map(drop)
            };
            if done.is_none() {
                return;
            }
            if random.percent(20) {
                let commits = random.percent(70);
                if self.end(unit, commits).is_none() {
                    return;
                }
                unit += 1;
            }
        }
    }

    /// Records the outcome of a call; none when it will never be known.
    fn told<T>(
        &self,
        call: RunningCall,
        result: Result<T, Reason>,
        outcome: impl FnOnce(&T) -> Outcome,
    ) -> Option<T> {
        match result {
            Ok(value) => {
                self.recorder.ok(call, outcome(&value));
                Some(value)
            }
            Err(reason) => {
                let broken = [Reason::CONNECTION_BROKEN, Reason::Q_MGR_NOT_AVAILABLE];
                assert!(broken.contains(&reason), "{reason} is not what a kill brings");
                self.recorder.unknown(call);
                None
            }
        }
    }

    fn put(
        &mut self,
        queue: usize,
        number: u32,
        sequence: u64,
        unit: Option<u64>,
        is_long: bool,
    ) -> Option<()> {
        let (body, message) = body::make(number, sequence, if is_long { 2_000 } else { 100 });
        let name = QUEUES[queue].to_owned();
        let call =
            self.recorder.invoke(Action::Put { queue: name, message, priority: 0, persistent: true, unit });
        let mut descriptor =
            MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() };
        let flags = if unit.is_some() { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let mut options = PutOptions::with(flags | PutFlags::SYNC_RESPONSE);
        let put = self.connection.put(self.handles[queue], &mut descriptor, &mut options, body.into());
        self.told(call, put, |_| Outcome::Done).map(drop)
    }

    /// Gets a message; true if there was one.
    fn get(&mut self, queue: usize, unit: Option<u64>) -> Option<bool> {
        let name = QUEUES[queue].to_owned();
        let call = self.recorder.invoke(Action::Get { queue: name, unit, selective: false });
        let flags = if unit.is_some() { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let mut descriptor = MessageDescriptor::default();
        let mut options = GetOptions::with(flags, Wait::No);
        let got = self.connection.get(self.handles[queue], &mut descriptor, &mut options, 1 << 20);
        let got = match got {
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            other => other.map(|got| Some(got.body)),
        };
        let outcome = |got: &Option<bytes::Bytes>| match got {
            None => Outcome::Empty,
            Some(body) => body::identity(body).map_or(Outcome::Unrecognised, Outcome::Message),
        };
        self.told(call, got, outcome).map(|got| got.is_some())
    }

    fn end(&mut self, unit: u64, commits: bool) -> Option<()> {
        let action = if commits { Action::Commit { unit } } else { Action::Backout { unit } };
        let call = self.recorder.invoke(action);
        let ended = if commits { self.connection.commit() } else { self.connection.back() };
        self.told(call, ended, |()| Outcome::Done)
    }
}
