//! Random verbs against the engine and against a small model that is obviously right, with crashes in
//! between.
//!
//! Lives here: the steps and the comparison. The model itself is in `obviously_right`.

mod obviously_right;

use std::time::Duration;

use bytes::Bytes;
use mqi::{
    CorrelationId, Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Persistence, Priority,
    PutFlags, PutOptions, Reason, Wait,
};
use platform::simulated::Survival;
use platform::{Clock as _, WallTime};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use queue_manager::{Ask, Get, GetPurpose, Placement, PutTarget, Reserve, Settings, UnitOfWork, WaitToken};

use crate::support::*;
use obviously_right::{Model, Put, Settling};

const SESSIONS: usize = 3;
const QUEUES: [&str; 2] = ["BY.PRIORITY", "FIFO"];
const DEPTH_MAX: usize = 12;
/// Units of work beside sessions, as many for each.
const BESIDE: usize = 2 * SESSIONS;

/// One thing that happens.
#[derive(Clone, Debug)]
enum Step {
    Put {
        session: usize,
        queue: usize,
        message: Put,
        unit: Option<Unit>,
    },
    Get {
        session: usize,
        queue: usize,
        correlation: u8,
        flags: GetFlags,
    },
    Wait {
        session: usize,
        queue: usize,
        correlation: u8,
        flags: GetFlags,
        milliseconds: Option<u32>,
    },
    Cancel {
        session: usize,
    },
    Browse {
        session: usize,
        queue: usize,
        correlation: u8,
        first: bool,
    },
    TakeUnderCursor {
        session: usize,
        queue: usize,
        within: bool,
    },
    /// A message is set aside, as for a link.
    Reserve {
        session: usize,
        queue: usize,
        correlation: u8,
    },
    /// One that is set aside is done with.
    Settle {
        session: usize,
        which: usize,
        how: Settling,
    },
    Commit {
        session: usize,
    },
    Back {
        session: usize,
    },
    CommitBeside {
        unit: usize,
    },
    BackBeside {
        unit: usize,
    },
    End {
        session: usize,
    },
    Pass {
        milliseconds: u64,
    },
    Crash {
        survival: Survival,
    },
}

/// The unit of work that something belongs to.
#[derive(Clone, Copy, Debug)]
enum Unit {
    OfSession,
    /// One of those beside sessions, whichever session uses it.
    Beside(usize),
}

fn unit() -> impl Strategy<Value = Unit> {
    prop_oneof![2 => Just(Unit::OfSession), 1 => (0..BESIDE).prop_map(Unit::Beside)]
}

fn settling() -> impl Strategy<Value = Settling> {
    prop_oneof![
        2 => Just(Settling::Take),
        2 => (0..BESIDE).prop_map(Settling::TakeWithin),
        1 => Just(Settling::GiveBack),
        1 => Just(Settling::GiveBackCounted),
    ]
}

fn flags() -> impl Strategy<Value = GetFlags> {
    prop_oneof![
        Just(GetFlags::SYNCPOINT),
        Just(GetFlags::SYNCPOINT_IF_PERSISTENT),
        Just(GetFlags::NO_SYNCPOINT)
    ]
}

fn put() -> impl Strategy<Value = Put> {
    let expiry = prop_oneof![4 => Just(None), 1 => prop_oneof![Just(Some(3)), Just(Some(30))]];
    let length = prop_oneof![6 => 0..40_usize, 2 => 1000..3000_usize, 1 => Just(70_000_usize)];
    let delay = prop_oneof![2 => Just(None), 1 => (1..2000_u64).prop_map(Some)];
    (0..3_u8, 0..3_u8, any::<bool>(), expiry, delay, length).prop_map(
        |(priority, correlation, persistent, expiry_tenths, delay, length)| Put {
            priority,
            correlation,
            persistent,
            expiry_tenths,
            delay,
            length,
        },
    )
}

fn step() -> impl Strategy<Value = Step> {
    let session = 0..SESSIONS;
    let queue = 0..QUEUES.len();
    let survival = prop_oneof![Just(Survival::Nothing), Just(Survival::Everything)];
    prop_oneof![
        10 => (session.clone(), queue.clone(), put(), proptest::option::of(unit()))
            .prop_map(|(session, queue, message, unit)| Step::Put { session, queue, message, unit }),
        3 => (session.clone(), queue.clone(), 0..3_u8)
            .prop_map(|(session, queue, correlation)| Step::Reserve { session, queue, correlation }),
        3 => (session.clone(), any::<usize>(), settling())
            .prop_map(|(session, which, how)| Step::Settle { session, which, how }),
        2 => (0..BESIDE).prop_map(|unit| Step::CommitBeside { unit }),
        2 => (0..BESIDE).prop_map(|unit| Step::BackBeside { unit }),
        6 => (session.clone(), queue.clone(), 0..3_u8, flags())
            .prop_map(|(session, queue, correlation, flags)| Step::Get { session, queue, correlation, flags }),
        3 => (session.clone(), queue.clone(), 0..3_u8, flags(), proptest::option::of(1..2000_u32)).prop_map(
            |(session, queue, correlation, flags, milliseconds)| {
                Step::Wait { session, queue, correlation, flags, milliseconds }
            }
        ),
        1 => session.clone().prop_map(|session| Step::Cancel { session }),
        4 => (session.clone(), queue.clone(), 0..3_u8, any::<bool>())
            .prop_map(|(session, queue, correlation, first)| Step::Browse { session, queue, correlation, first }),
        2 => (session.clone(), queue, any::<bool>())
            .prop_map(|(session, queue, within)| Step::TakeUnderCursor { session, queue, within }),
        3 => session.clone().prop_map(|session| Step::Commit { session }),
        2 => session.clone().prop_map(|session| Step::Back { session }),
        1 => session.prop_map(|session| Step::End { session }),
        2 => (1..1500_u64).prop_map(|milliseconds| Step::Pass { milliseconds }),
        1 => survival.prop_map(|survival| Step::Crash { survival }),
    ]
}

/// Engine and model side by side.
struct Pair {
    bench: Bench,
    sessions: Vec<(Session, [ObjectHandle; 2])>,
    /// Open units, each of the session with half its number.
    beside: Vec<Option<UnitOfWork>>,
    /// Tokens of messages set aside, beyond those of waits.
    next_token: u64,
    model: Model,
}

fn correlation(number: u8) -> CorrelationId {
    CorrelationId(if number == 0 { [0; 24] } else { [number; 24] })
}

fn enter(bench: &Bench) -> (Session, [ObjectHandle; 2]) {
    let mut session = bench.connect();
    let handles = QUEUES.map(|queue| session.open(queue, INPUT | OUTPUT | BROWSE));
    (session, handles)
}

impl Pair {
    fn new(memory_budget_bytes: u64) -> Self {
        let settings =
            Settings { memory_budget_bytes, checkpoint_interval: Duration::from_secs(1), ..settings() };
        let bench = Bench::with(settings, 11);
        bench.mqsc(&format!(
            "DEFINE QLOCAL({}) MAXDEPTH({DEPTH_MAX}) DEFINE QLOCAL({}) MAXDEPTH({DEPTH_MAX}) MSGDLVSQ(FIFO)",
            QUEUES[0], QUEUES[1]
        ));
        let sessions = (0..SESSIONS).map(|_| enter(&bench)).collect();
        let beside = (0..BESIDE).map(|_| None).collect();
        Self { bench, sessions, beside, next_token: 1 << 32, model: Model::new(SESSIONS, DEPTH_MAX) }
    }

    fn take(mut self, step: &Step) -> Result<Self, TestCaseError> {
        match step {
            Step::Put { session, queue, message, unit } => self.put(*session, *queue, message, *unit)?,
            Step::Reserve { session, queue, correlation } => self.reserve(*session, *queue, *correlation)?,
            Step::Settle { session, which, how } => self.settle(*session, *which, *how)?,
            Step::CommitBeside { unit } => {
                if let Some(open) = self.beside[*unit].take() {
                    self.model.commit(SESSIONS + *unit);
                    prop_assert_eq!(self.bench.open(open.commit()), Ok(()));
                }
            }
            Step::BackBeside { unit } => {
                if let Some(open) = self.beside[*unit].take() {
                    self.model.back(SESSIONS + *unit);
                    prop_assert_eq!(self.bench.open(open.back()), Ok(()));
                }
            }
            Step::Get { session, queue, correlation: wanted, flags } => {
                let expected = self.model.get(*session, *queue, *wanted, *flags);
                let (got, handles) = &mut self.sessions[*session];
                let descriptor = MessageDescriptor { correlation_id: correlation(*wanted), ..message(false) };
                let options = GetOptions::with(*flags, Wait::No);
                let got = got.get_with(handles[*queue], &descriptor, &options, 100_000);
                let got = got.map(|got| (text(&got), got.descriptor.backout_count as u32));
                compare(got, expected)?;
            }
            Step::Wait { session, queue, correlation: wanted, flags, milliseconds } => {
                self.wait(*session, *queue, *wanted, *flags, *milliseconds)?;
            }
            Step::Cancel { session } => {
                if let Some(token) = self.model.cancel(*session) {
                    prop_assert!(self.sessions[*session].0.connection.cancel(WaitToken(token)));
                }
            }
            Step::Browse { session, queue, correlation: wanted, first } => {
                let expected = self.model.browse(*session, *queue, *wanted, *first);
                let (browser, handles) = &mut self.sessions[*session];
                let descriptor = MessageDescriptor { correlation_id: correlation(*wanted), ..message(false) };
                let flags = if *first { GetFlags::BROWSE_FIRST } else { GetFlags::BROWSE_NEXT };
                let got = browser.get_with(
                    handles[*queue],
                    &descriptor,
                    &GetOptions::with(flags, Wait::No),
                    100_000,
                );
                compare(got.map(|got| (text(&got), got.descriptor.backout_count as u32)), expected)?;
            }
            Step::TakeUnderCursor { session, queue, within } => {
                let flags = if *within { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
                let expected = self.model.take_under_cursor(*session, *queue, flags);
                let (taker, handles) = &mut self.sessions[*session];
                let options = GetOptions::with(flags | GetFlags::MSG_UNDER_CURSOR, Wait::No);
                let got = taker.get_with(handles[*queue], &message(false), &options, 100_000);
                compare(got.map(|got| (text(&got), got.descriptor.backout_count as u32)), expected)?;
            }
            Step::Commit { session } => {
                self.model.commit(*session);
                prop_assert_eq!(self.sessions[*session].0.commit(), Ok(()));
            }
            Step::Back { session } => {
                self.model.back(*session);
                prop_assert_eq!(self.sessions[*session].0.back(), Ok(()));
            }
            Step::End { session } => {
                self.model.end(*session);
                self.sessions[*session] = enter(&self.bench);
                self.beside[2 * session..2 * session + 2].fill_with(|| None);
            }
            Step::Pass { milliseconds } => {
                self.bench.pass(Duration::from_millis(*milliseconds));
                self.model.pass(*milliseconds);
            }
            Step::Crash { survival } => {
                self.model.crash();
                self.beside.fill_with(|| None);
                self.bench = self.bench.crash(*survival);
                self.sessions = (0..SESSIONS).map(|_| enter(&self.bench)).collect();
            }
        }
        self.bench.run_jobs();
        self.compare_state()?;
        Ok(self)
    }

    /// A unit of work beside a session, opened when it is first used.
    fn open_beside(&mut self, unit: usize) {
        if self.beside[unit].is_none() {
            let owner = &mut self.sessions[unit / 2].0;
            self.beside[unit] = Some(owner.connection.open_unit().unwrap());
            self.model.open_beside(SESSIONS + unit);
        }
    }

    fn reserve(&mut self, session: usize, queue: usize, wanted: u8) -> Result<(), TestCaseError> {
        let token = self.next_token;
        self.next_token += 1;
        let expected = self.model.reserve(session, queue, wanted, token);
        let (getter, handles) = &mut self.sessions[session];
        let descriptor = MessageDescriptor { correlation_id: correlation(wanted), ..message(false) };
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let token = WaitToken(token);
        let reserved = getter.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::ForLink),
            ..Ask::new(handles[queue], &descriptor, &options, 100_000, token)
        });
        let got = match reserved {
            Get::Done(outcome) => self.bench.open(outcome),
            Get::Waiting => {
                self.bench.run_jobs();
                let mut outcomes = getter.outcomes.0.lock();
                let index = outcomes.iter().position(|(other, _)| *other == token.0).unwrap();
                self.bench.open(outcomes.remove(index).1)
            }
        };
        compare(got.map(|got| (text(&got), got.descriptor.backout_count as u32)), expected)
    }

    fn settle(&mut self, session: usize, which: usize, how: Settling) -> Result<(), TestCaseError> {
        let Some(token) = self.model.held_token(session, which) else { return Ok(()) };
        if let Settling::TakeWithin(unit) = how {
            self.open_beside(unit);
        }
        self.model.settle(token, how);
        let token = WaitToken(token);
        let connection = &mut self.sessions[session].0.connection;
        let settled = match how {
            Settling::Take => connection.take_reserved(token, None),
            Settling::TakeWithin(unit) => {
                connection.take_reserved(token, Some(self.beside[unit].as_ref().unwrap()))
            }
            Settling::GiveBack => {
                connection.give_back(token);
                return Ok(());
            }
            Settling::GiveBackCounted => {
                connection.give_back_counted(token);
                return Ok(());
            }
        };
        prop_assert_eq!(self.bench.open(settled), Ok(()));
        Ok(())
    }

    fn put(
        &mut self,
        session: usize,
        queue: usize,
        put: &Put,
        unit: Option<Unit>,
    ) -> Result<(), TestCaseError> {
        if let Some(Unit::Beside(unit)) = unit {
            self.open_beside(unit);
        }
        let of_model = unit.map(|unit| match unit {
            Unit::OfSession => session,
            Unit::Beside(unit) => SESSIONS + unit,
        });
        let (body, expected) = self.model.put(queue, put, of_model);
        let (putter, handles) = &mut self.sessions[session];
        let descriptor = MessageDescriptor {
            correlation_id: correlation(put.correlation),
            priority: Priority::new(put.priority),
            persistence: if put.persistent { Persistence::Persistent } else { Persistence::NotPersistent },
            expiry: put.expiry_tenths.map_or(Expiry::UNLIMITED, Expiry::tenths),
            ..MessageDescriptor::default()
        };
        let now = self.bench.machine.clock.wall().0;
        let deliver_at = put.delay.map(|delay| WallTime(now + 1000 * delay as i64));
        let (flags, beside) = match unit {
            None => (PutFlags::NO_SYNCPOINT, None),
            Some(Unit::OfSession) => (PutFlags::SYNCPOINT, None),
            Some(Unit::Beside(unit)) => (PutFlags::EMPTY, self.beside[unit].as_ref()),
        };
        let done = putter.connection.put_placed(
            PutTarget::Handle(handles[queue]),
            &descriptor,
            &PutOptions::with(flags),
            Bytes::from(body).into(),
            Placement { unit: beside, deliver_at },
        );
        prop_assert_eq!(self.bench.open(done).map(|_| ()), expected);
        Ok(())
    }

    fn wait(
        &mut self,
        session: usize,
        queue: usize,
        wanted: u8,
        flags: GetFlags,
        milliseconds: Option<u32>,
    ) -> Result<(), TestCaseError> {
        let expected = self.model.get(session, queue, wanted, flags);
        let (getter, handles) = &mut self.sessions[session];
        let descriptor = MessageDescriptor { correlation_id: correlation(wanted), ..message(false) };
        if expected == Err(Reason::NO_MSG_AVAILABLE) {
            let wait = milliseconds.map_or(Wait::Unlimited, Wait::Milliseconds);
            let token = getter.wait(handles[queue], &descriptor, flags, wait);
            self.model.wait(session, queue, wanted, flags, milliseconds, token);
            return Ok(());
        }
        let options = GetOptions::with(flags, Wait::Unlimited);
        let got = getter.get_with(handles[queue], &descriptor, &options, 100_000);
        compare(got.map(|got| (text(&got), got.descriptor.backout_count as u32)), expected)
    }

    /// The outcomes of waits, and the depths.
    fn compare_state(&mut self) -> Result<(), TestCaseError> {
        for (index, (session, _)) in self.sessions.iter_mut().enumerate() {
            for (token, expected) in self.model.take_outcomes(index) {
                let outcome = session.outcome(token);
                prop_assert!(outcome.is_some(), "wait {} has no outcome, {:?} expected", token, expected);
                prop_assert_eq!(outcome.unwrap(), expected.map(|(body, _)| body));
            }
            let left: Vec<_> = session.outcomes.0.lock().iter().map(|(token, _)| *token).collect();
            prop_assert!(left.is_empty(), "waits {:?} have outcomes that nobody expects", left);
        }
        for (index, queue) in QUEUES.iter().enumerate() {
            prop_assert_eq!(self.bench.depth(queue) as usize, self.model.depth(index), "depth of {}", queue);
        }
        Ok(())
    }
}

type Expected = Result<(String, Option<u32>), Reason>;

fn compare(got: Result<(String, u32), Reason>, expected: Expected) -> Result<(), TestCaseError> {
    match (got, expected) {
        (Ok((body, count)), Ok((expected, expected_count))) => {
            prop_assert_eq!(&body[..8.min(body.len())], &expected[..8.min(expected.len())]);
            prop_assert_eq!(body, expected);
            if let Some(expected_count) = expected_count {
                prop_assert_eq!(count, expected_count, "backout count");
            }
        }
        (got, expected) => {
            prop_assert_eq!(got.map(|(body, _)| body), expected.map(|(body, _)| body));
        }
    }
    Ok(())
}

fn run(steps: &[Step], memory_budget_bytes: u64) -> Result<(), TestCaseError> {
    let mut pair = Pair::new(memory_budget_bytes);
    for step in steps {
        pair = pair.take(step)?;
    }
    // At the end everything that is left comes out in order.
    for session in 0..SESSIONS {
        pair = pair.take(&Step::End { session })?;
    }
    for queue in 0..QUEUES.len() {
        for _ in 0..=DEPTH_MAX {
            pair =
                pair.take(&Step::Get { session: 0, queue, correlation: 0, flags: GetFlags::NO_SYNCPOINT })?;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 80,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_121),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_engine_does_what_the_model_does(steps in proptest::collection::vec(step(), 1..80)) {
        run(&steps, 64 << 20)?;
    }

    #[test]
    fn the_engine_does_what_the_model_does_when_memory_is_short(steps in proptest::collection::vec(step(), 1..80)) {
        run(&steps, 1000)?;
    }
}
