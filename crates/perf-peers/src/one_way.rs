//! One way through any broker: threads put for a while, then as many threads get all of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use perf::latency::Latencies;
use perf::one_way::{BYTES_MAX, MESSAGES_MAX};
use perf::run::{Phase, Shared, spawn};
use perf::tally::{self, Tally};

use crate::broker::{Broker, Getter, Putter, Scene};
use crate::figures::{Figures, Moment, Usage};

/// A message that has not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The workload that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Workload {
    pub(crate) scene: Scene,
    pub(crate) bytes: usize,
    pub(crate) measure: Duration,
}

/// The account of one client, or of all of one half.
#[derive(Default)]
struct Account {
    tally: Tally,
    latencies: Latencies,
    /// When the last message went or came.
    last: Option<Instant>,
}

impl Account {
    fn join(&mut self, other: &Self) {
        self.tally.join(other.tally);
        self.latencies.add(&other.latencies);
        self.last = self.last.max(other.last);
    }
}

/// State shared by the clients of a half.
struct Plan {
    workload: Workload,
    shared: Shared,
    /// Messages that may still be put, then those that are still to be got.
    room: AtomicU64,
}

/// Runs one repetition: what putting found and what getting found; none when nothing was put.
pub(crate) fn repetition(
    broker: &Arc<dyn Broker>,
    workload: &Workload,
    interrupt: &AtomicBool,
) -> Result<Option<[Figures; 2]>> {
    broker.prepare(&workload.scene).context("cannot make the queue")?;
    let plan = Arc::new(Plan {
        workload: workload.clone(),
        shared: Shared::default(),
        room: AtomicU64::new(MESSAGES_MAX.min(BYTES_MAX / workload.bytes as u64)),
    });
    let connected: Result<Vec<_>> =
        (0..workload.scene.clients).map(|number| broker.putter(&workload.scene, number)).collect();
    let put = half(broker, &plan, interrupt, connected?, Some(workload.measure), put_all)?;
    let count = put.account.tally.count;
    plan.room.store(count, Ordering::Relaxed);
    let connected: Result<Vec<_>> =
        (0..workload.scene.clients).map(|number| broker.getter(&workload.scene, number)).collect();
    let got = half(broker, &plan, interrupt, connected?, None, get_all)?;
    ensure!(
        put.account.tally == got.account.tally,
        "{count} put, {} got, or others than were put: not all are accounted for, so nothing is reported",
        got.account.tally.count
    );
    if let Some(left) = broker.left(&workload.scene)? {
        ensure!(left == 0, "{left} messages are left: not all are accounted for, so nothing is reported");
    }
    Ok(put.figures().zip(got.figures()).map(|(put, got)| [put, got]))
}

/// Putting or getting, as a whole.
struct Half {
    account: Account,
    elapsed: Duration,
    usage: Usage,
}

impl Half {
    fn figures(&self) -> Option<Figures> {
        self.usage.figures(self.account.tally.count, self.elapsed, &self.account.latencies)
    }
}

/// Runs these clients together, for so long or until they are done.
fn half<C: Send + 'static>(
    broker: &Arc<dyn Broker>,
    plan: &Arc<Plan>,
    interrupt: &AtomicBool,
    connected: Vec<C>,
    time: Option<Duration>,
    work: fn(&mut C, u32, &Plan) -> Result<Account>,
) -> Result<Half> {
    let begin = Arc::new(Barrier::new(connected.len() + 1));
    let clients: Result<Vec<_>> = (0..)
        .zip(connected)
        .map(|(number, mut client)| {
            let (plan, begin) = (plan.clone(), begin.clone());
            spawn(format!("client {number}"), move || {
                begin.wait();
                let done = plan.shared.watch(work(&mut client, number, &plan));
                (client, done)
            })
        })
        .collect();
    let clients = clients?;
    let before = Moment::now(&**broker, &[]);
    begin.wait();
    let begun = Instant::now();
    if let Some(time) = time {
        plan.shared.run_for(time, interrupt, "putting");
        plan.shared.enter(Phase::Done);
    }
    let (mut account, mut failure) = (Account::default(), None);
    // All stay connected until all are done: a message that one has acknowledged and that goes at once may
    // come again, to another.
    let mut connected = Vec::new();
    for client in clients {
        let (client, done) = client.join().expect("a client does not panic");
        connected.push(client);
        match done {
            Ok(one) => account.join(&one),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    let usage = Moment::now(&**broker, &[]).since(&before);
    let elapsed = account.last.map_or(Duration::ZERO, |last| last - begun);
    drop(connected);
    failure.map_or(Ok(Half { account, elapsed, usage }), Err)
}

fn put_all(putter: &mut Box<dyn Putter>, number: u32, plan: &Plan) -> Result<Account> {
    let unit = plan.workload.scene.unit;
    let mut account = Account::default();
    let mut body = vec![0x5A; plan.workload.bytes];
    let less = |room: u64| room.checked_sub(unit);
    while !plan.shared.is(Phase::Done) {
        if plan.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less).is_err() {
            plan.shared.enter(Phase::Done);
            break;
        }
        let begun = Instant::now();
        for _ in 0..unit {
            let sequence = account.tally.count;
            tally::mark(&mut body, number, sequence);
            putter.put(&body).context("cannot put")?;
            account.tally.add(number, sequence);
        }
        putter.confirm().context("cannot put")?;
        account.latencies.record(begun.elapsed());
    }
    account.last = Some(Instant::now());
    Ok(account)
}

fn get_all(getter: &mut Box<dyn Getter>, _number: u32, plan: &Plan) -> Result<Account> {
    let Scene { unit, clients, .. } = plan.workload.scene;
    let mut account = Account::default();
    // The last sequence of each putter: messages of one come in the order they were put.
    let mut last = vec![None; clients as usize];
    let mut waiting_since = Instant::now();
    while plan.room.load(Ordering::Relaxed) > 0 && !plan.shared.has_failed() {
        let begun = Instant::now();
        let mut take = |body: &[u8]| account.tally.take(body, plan.workload.bytes, &mut last);
        let count = getter.get(unit, &mut take).context("cannot get")?;
        if count == 0 {
            let left = plan.room.load(Ordering::Relaxed);
            ensure!(waiting_since.elapsed() < PATIENCE, "{left} messages have not come after {PATIENCE:?}");
            continue;
        }
        waiting_since = Instant::now();
        account.last = Some(waiting_since);
        account.latencies.record(waiting_since - begun);
        let taken =
            plan.room.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(count));
        ensure!(taken.is_ok(), "more messages came than were put: nothing is reported");
    }
    Ok(account)
}
