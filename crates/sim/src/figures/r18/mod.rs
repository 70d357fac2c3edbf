//! R18: the time of day steps, by seconds, days and years, while the queue manager runs and between its runs.
//!
//! Within a run a wait, an expiry, a checkpoint and the age of the oldest message take as long as they should
//! whatever the time of day does; what is shown as time of day is what the clock said then; message
//! identifiers are never given twice. A start goes by the time that was stored: what has expired by then does
//! not come back, and what has not has the rest of its time, and the age that its put gives it.
//!
//! The host here is one that comes at the moment the engine asked for and no sooner, so that whatever is late
//! shows.

mod times;

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use bytes::Bytes;
use mqi::{
    Expiry, GetFlags, GetOptions, MessageDescriptor, MessageId, ObjectName, Persistence, PutFlags,
    PutOptions, Reason, Wait,
};
use platform::simulated::{Random, SimulatedClock};
use platform::{Clock, Monotonic, WallTime};
use queue_manager::Settings;
use scenario::{Actors, Call, EngineWorld, Reply};

use self::times::{ExpiringMessage, ExpiryTime, Messages, second};
use super::{Figure, Tally};
use crate::torture::{Features, Maker, Problem, guarded};

/// The figure. A case is a seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct R18;

/// Holds messages, and what is got from it is there.
const QUEUE: &str = "Q";
/// Is empty, so that gets wait.
const WAITED: &str = "W";
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(10);
/// The engine asks to be called at least this often.
const TICK: Duration = Duration::from_secs(1);
/// A call that comes this much after its time is not late.
const LATE_MAX: Duration = Duration::from_millis(1);
const WAITS_MAX: usize = 4;
const BYTES_MAX: usize = 1_000;
/// Longest age that is shown, in seconds.
const AGE_MAX: i64 = 999_999_999;

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;
/// Steps of the clock, in microseconds.
const STEPS: [i64; 10] = [
    SECOND / 2,
    -SECOND / 2,
    61 * SECOND,
    -61 * SECOND,
    3_600 * SECOND,
    DAY,
    -DAY,
    3_650 * DAY,
    -3_650 * DAY,
    40 * DAY,
];
/// Times of day that clocks are set to: the first second there is, and the end of 32 bits of seconds.
const SET_TO: [i64; 2] = [0, 2_147_483_646 * SECOND];
/// No clock here shows a time beyond: what is shown as a date has four digits of a year.
const WALL_MAX: i64 = 4_000_000_000 * SECOND;
/// Lifetimes of messages, in tenths of a second: shorter than a step, and longer.
const EXPIRIES: [u32; 7] = [1, 7, 15, 300, 36_000, 864_000, 3_650 * 864_000 / 4];
const PASSES_MILLIS: [u64; 7] = [1, 49, 51, 700, 2_000, 11_000, 61_000];

impl Figure for R18 {
    fn id(&self) -> &'static str {
        "R18"
    }

    /// The log tells no time.
    fn suits(&self, maker: &dyn Maker) -> bool {
        maker.name() == "engine"
    }

    fn run(&self, _maker: &dyn Maker, seed: u64, tally: &mut Tally) {
        let mut steps = 0;
        let lived = guarded(|| {
            let mut random = Random::stream(seed, "R18");
            let mut life = Life::new(seed);
            for _ in 0..random.between(30, 90) {
                life.step(&mut random)
                    .map_err(|what| Problem::Wrong(format!("after {:?}: {what}", life.done)))?;
                steps = life.clock_steps;
            }
            Ok((life.features(), life.world.machine().disk.trace_digest()))
        });
        let (features, digest) = lived.as_ref().copied().unwrap_or_default();
        if !tally.next(features) {
            return;
        }
        tally.note(digest ^ steps);
        let problems = lived.err().iter().map(ToString::to_string).collect();
        tally.judge(|| format!("{steps} steps of the clock"), problems);
    }
}

/// Last action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Nothing,
    Put,
    Got,
    Waited,
    TimePassed(Duration),
    ClockSet(WallTime),
    Restarted { in_order: bool, reboots: bool, wall: WallTime },
}

/// A get that waits.
#[derive(Debug)]
struct Waiter {
    client: String,
    until: Monotonic,
}

struct Life {
    world: EngineWorld,
    messages: Messages,
    waiters: VecDeque<Waiter>,
    put: u64,
    clients: u64,
    /// Every identifier that was given, and to which message.
    identifiers: BTreeMap<MessageId, u64>,
    last_put: Option<WallTime>,
    checkpoints: Checkpoints,
    clock_steps: u64,
    done: Done,
}

/// Checkpoints as they must come.
#[derive(Clone, Copy, Debug, Default)]
struct Checkpoints {
    count: u64,
    last: Monotonic,
    /// True if something was logged since.
    is_wanted: bool,
    seen: bool,
}

fn settings() -> Settings {
    Settings {
        name: "CLOCKS".parse().expect("a name"),
        memory_budget_bytes: 64 << 10,
        handles_max: 100,
        uncommitted_messages_max: 1_000,
        connections_max: 1_000,
        // So large that nothing but the interval brings a checkpoint.
        storage: storage::Settings {
            extent_bytes: 4 << 20,
            primary_extents: 2,
            secondary_extents: 2,
            ..storage::Settings::default()
        },
        checkpoint_interval: CHECKPOINT_INTERVAL,
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

fn name(queue: &str) -> ObjectName {
    queue.parse().expect("a name")
}

impl Life {
    fn new(seed: u64) -> Self {
        let mut world = EngineWorld::new(settings(), seed);
        for queue in [QUEUE, WAITED] {
            let (answer, succeeded) = world.command(&format!("DEFINE QLOCAL({queue}) MONQ(HIGH)"));
            assert!(succeeded, "{answer}");
        }
        let mut life = Self {
            world,
            messages: Messages::default(),
            waiters: VecDeque::new(),
            put: 0,
            clients: 0,
            identifiers: BTreeMap::new(),
            last_put: None,
            checkpoints: Checkpoints::default(),
            clock_steps: 0,
            done: Done::Nothing,
        };
        life.checkpoints = Checkpoints { last: life.now(), is_wanted: true, ..Checkpoints::default() };
        life
    }

    fn clock(&self) -> &SimulatedClock {
        &self.world.machine().clock
    }

    fn now(&self) -> Monotonic {
        self.clock().now()
    }

    fn wall(&self) -> WallTime {
        self.clock().wall()
    }

    fn features(&self) -> Features {
        Features { checkpoints: self.checkpoints.seen, ..Features::default() }
    }

    fn step(&mut self, random: &mut Random) -> Result<(), String> {
        match random.below(100) {
            0..28 => self.put(random)?,
            28..36 => self.get()?,
            36..46 if self.waiters.len() < WAITS_MAX => self.wait(random),
            36..64 => self.pass(Duration::from_millis(*random.pick(&PASSES_MILLIS)))?,
            64..90 => self.set_clock(random)?,
            _ => self.restart(random)?,
        }
        self.look()
    }

    fn call(&mut self, client: &str, call: &Call) -> Result<Reply, String> {
        self.world.call(client, call);
        self.world.outcome(client, false).ok_or_else(|| format!("{call:?} waits"))
    }

    fn put(&mut self, random: &mut Random) -> Result<(), String> {
        self.done = Done::Put;
        if !self.waiters.is_empty() && random.percent(20) {
            return self.put_to_waiter();
        }
        let (now, wall) = (self.now(), self.wall());
        let tenths = random.percent(70).then(|| *random.pick(&EXPIRIES));
        let end = tenths.map(|tenths| ExpiryTime::after_tenths(tenths, now, wall));
        let persistent = random.percent(80);
        self.put += 1;
        let message =
            ExpiringMessage { number: self.put, persistent, put_at: wall, here_since: second(now), end };
        let call = Call::Put {
            name: name(QUEUE),
            descriptor: Box::new(MessageDescriptor {
                persistence: if persistent { Persistence::Persistent } else { Persistence::NotPersistent },
                expiry: tenths.map_or(Expiry::UNLIMITED, Expiry::tenths),
                ..MessageDescriptor::default()
            }),
            options: PutOptions::with(PutFlags::NO_SYNCPOINT),
            body: Bytes::copy_from_slice(&message.number.to_le_bytes()),
        };
        match self.call("putter", &call)? {
            Reply::Done => {}
            other => return Err(format!("a put was answered {other:?}")),
        }
        self.messages.put(message);
        self.last_put = Some(wall);
        self.checkpoints.is_wanted |= persistent;
        Ok(())
    }

    /// Puts a message, and checks that it goes to the longest waiter.
    fn put_to_waiter(&mut self) -> Result<(), String> {
        let call = Call::Put {
            name: name(WAITED),
            descriptor: Box::default(),
            options: PutOptions::with(PutFlags::NO_SYNCPOINT),
            body: Bytes::from_static(b"awaited"),
        };
        self.call("putter", &call)?;
        let waiter = self.waiters.pop_front().expect("somebody waits");
        match self.world.outcome(&waiter.client, false) {
            Some(Reply::Message { .. }) => Ok(()),
            other => Err(format!("{} should have been given a message, not {other:?}", waiter.client)),
        }
    }

    fn get(&mut self) -> Result<(), String> {
        self.done = Done::Got;
        let expected = self.messages.get(self.now());
        let found = self.next("getter", GetFlags::NO_SYNCPOINT)?;
        self.checkpoints.is_wanted |= expected.is_some_and(|message| message.persistent);
        self.compare(expected.as_ref(), found.as_ref())
    }

    /// The next message, got or browsed.
    fn next(&mut self, client: &str, flags: GetFlags) -> Result<Option<Found>, String> {
        let call = Call::Get {
            name: name(QUEUE),
            descriptor: Box::default(),
            options: GetOptions::with(flags, Wait::No),
            bytes_max: BYTES_MAX,
        };
        match self.call(client, &call)? {
            Reply::Message { descriptor, body, .. } => {
                let number = body.as_ref().try_into().map(u64::from_le_bytes);
                Ok(Some(Found { number: number.map_err(|_| "a body of another length")?, descriptor }))
            }
            Reply::Refused(Reason::NO_MSG_AVAILABLE) => Ok(None),
            other => Err(format!("a get was answered {other:?}")),
        }
    }

    fn compare(&self, expected: Option<&ExpiringMessage>, found: Option<&Found>) -> Result<(), String> {
        let (expected, found) = match (expected, found) {
            (None, None) => return Ok(()),
            (Some(expected), Some(found)) if expected.number == found.number => (expected, found),
            _ => {
                let found = found.map(|found| found.number);
                return Err(format!("{expected:?} is next, and message {found:?} was given"));
            }
        };
        let left = expected.left(self.now());
        if found.descriptor.expiry != left {
            return Err(format!(
                "{expected:?} has {left:?} left, and {:?} was told",
                found.descriptor.expiry
            ));
        }
        let put_at = shown(expected.put_at, "%Y%m%d %H%M%S");
        let told = format!("{} {}", found.descriptor.put_date.as_str(), found.descriptor.put_time.as_str());
        if !told.starts_with(&put_at) {
            return Err(format!("{expected:?} was put at {put_at}, and {told} was told"));
        }
        Ok(())
    }

    fn wait(&mut self, random: &mut Random) {
        self.done = Done::Waited;
        let milliseconds = random.between(1, 15_000);
        self.clients += 1;
        let client = format!("waiter {}", self.clients);
        let wait = Wait::Milliseconds(u32::try_from(milliseconds).expect("short"));
        let call = Call::Get {
            name: name(WAITED),
            descriptor: Box::default(),
            options: GetOptions::with(GetFlags::NO_SYNCPOINT, wait),
            bytes_max: BYTES_MAX,
        };
        self.world.call(&client, &call);
        let until = self.now().after(Duration::from_millis(milliseconds));
        self.waiters.push_back(Waiter { client, until });
    }

    /// Time passes; the engine is called when it asked to be.
    fn pass(&mut self, time: Duration) -> Result<(), String> {
        self.done = Done::TimePassed(time);
        let until = self.now().after(time);
        loop {
            let next = self.tick()?;
            let now = self.now();
            if now >= until {
                return Ok(());
            }
            self.clock().advance(next.max(now.after(LATE_MAX)).min(until).since(now));
        }
    }

    fn tick(&mut self) -> Result<Monotonic, String> {
        self.world.settle();
        let next = self.world.manager().tick();
        self.world.settle();
        let now = self.now();
        self.messages.removed(now);
        self.check_waiters(now)?;
        self.check_checkpoints(now)?;
        Ok(next)
    }

    fn check_waiters(&mut self, now: Monotonic) -> Result<(), String> {
        for waiter in std::mem::take(&mut self.waiters) {
            match self.world.outcome(&waiter.client, false) {
                None if waiter.until <= now => return Err(format!("at {now:?} {waiter:?} still waits")),
                None => self.waiters.push_back(waiter),
                Some(Reply::Refused(Reason::NO_MSG_AVAILABLE))
                    if waiter.until <= now && now.since(waiter.until) <= LATE_MAX => {}
                Some(reply) => return Err(format!("at {now:?} {waiter:?} was told {reply:?}")),
            }
        }
        Ok(())
    }

    fn check_checkpoints(&mut self, now: Monotonic) -> Result<(), String> {
        let count = self.world.manager().log().statistics().checkpoints;
        let since = now.since(self.checkpoints.last);
        if count > self.checkpoints.count {
            if since < CHECKPOINT_INTERVAL {
                return Err(format!("a checkpoint was taken {since:?} after the last"));
            }
            self.checkpoints = Checkpoints { count, last: now, is_wanted: false, seen: true };
        } else if self.checkpoints.is_wanted && since >= CHECKPOINT_INTERVAL + TICK {
            return Err(format!("no checkpoint was taken for {since:?}"));
        }
        Ok(())
    }

    fn drawn(&self, random: &mut Random) -> WallTime {
        let wall =
            if random.percent(20) { *random.pick(&SET_TO) } else { self.wall().0 + *random.pick(&STEPS) };
        WallTime(wall.clamp(0, WALL_MAX))
    }

    /// The clock is set, and nothing comes of it.
    fn set_clock(&mut self, random: &mut Random) -> Result<(), String> {
        self.tick()?;
        let before = self.world.manager().log().statistics().checkpoints;
        let wall = self.drawn(random);
        self.done = Done::ClockSet(wall);
        self.clock_steps += 1;
        self.clock().step_wall(wall);
        self.tick()?;
        let after = self.world.manager().log().statistics().checkpoints;
        if before == after { Ok(()) } else { Err("a checkpoint was taken".to_owned()) }
    }

    /// The queue manager ends and starts again, perhaps with its machine, and finds the clock set or not.
    fn restart(&mut self, random: &mut Random) -> Result<(), String> {
        self.world.settle();
        let wall = if random.percent(70) { self.drawn(random) } else { self.wall() };
        let in_order = random.percent(40);
        let reboots = !in_order && random.percent(50);
        self.done = Done::Restarted { in_order, reboots, wall };
        self.clock_steps += u64::from(wall != self.wall());
        if reboots {
            self.world.crash_to(SimulatedClock::starting_at(wall));
        } else if in_order {
            self.world.end();
            self.clock().step_wall(wall);
            self.world.start();
        } else {
            self.clock().step_wall(wall);
            self.world.restart(false);
        }
        self.waiters.clear();
        self.last_put = None;
        let found = self.browse()?;
        let (now, wall) = (self.now(), self.wall());
        self.messages.restart(now, wall, |number| found.iter().any(|found| found.number == number));
        self.checkpoints = Checkpoints { count: 0, last: now, is_wanted: false, ..self.checkpoints };
        Ok(())
    }

    fn browse(&mut self) -> Result<Vec<Found>, String> {
        let mut found = Vec::new();
        let mut flags = GetFlags::BROWSE_FIRST;
        while let Some(next) = self.next("browser", flags)? {
            found.push(next);
            flags = GetFlags::BROWSE_NEXT;
        }
        Ok(found)
    }

    /// Everything is as the model has it: messages, the time they have left, and what is told of the queue.
    fn look(&mut self) -> Result<(), String> {
        let found = self.browse()?;
        let now = self.now();
        let expected = self.messages.at(now).to_vec();
        for place in 0..expected.len().max(found.len()) {
            self.compare(expected.get(place), found.get(place))?;
        }
        for Found { number, descriptor } in &found {
            let owner = *self.identifiers.entry(descriptor.message_id).or_insert(*number);
            if owner != *number {
                return Err(format!("messages {owner} and {number} have one identifier"));
            }
        }
        self.look_at_status(&expected, now)
    }

    fn look_at_status(&mut self, expected: &[ExpiringMessage], now: Monotonic) -> Result<(), String> {
        let (text, _) =
            self.world.command(&format!("DISPLAY QSTATUS({QUEUE}) CURDEPTH MSGAGE LPUTDATE LPUTTIME"));
        let age = expected.iter().map(|message| second(now) - message.here_since).max().unwrap_or(0);
        let age = age.min(AGE_MAX);
        let last_put = |format| self.last_put.map(|at| shown(at, format)).unwrap_or_default();
        for (attribute, value) in [
            ("CURDEPTH", expected.len().to_string()),
            ("MSGAGE", age.to_string()),
            ("LPUTDATE", last_put("%Y-%m-%d")),
            ("LPUTTIME", last_put("%H.%M.%S")),
        ] {
            let told = text.split_once(&format!("{attribute}(")).and_then(|(_, rest)| rest.split_once(')'));
            if told.map(|(told, _)| told.trim()) != Some(value.as_str()) {
                return Err(format!("{attribute} is {value}, and was told: {text}"));
            }
        }
        Ok(())
    }
}

/// A message that was given or shown.
struct Found {
    number: u64,
    descriptor: Box<MessageDescriptor>,
}

fn shown(time: WallTime, format: &str) -> String {
    jiff::Timestamp::from_microsecond(time.0).expect("a time there is").strftime(format).to_string()
}
