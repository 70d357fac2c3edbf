//! One publisher, several subscribers, through any broker: deliveries a second, each accounted for.
//!
//! A publisher without bounds only measures how much a broker throws away. So it is never further ahead of
//! the slowest subscriber than a window, which the two know of within this process.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use perf::latency::Latencies;
use perf::run::{Count, Phase, Shared, spawn};
use perf::tally;

use crate::broker::{Broker, Getter, Putter, Scene};
use crate::figures::Figures;
use crate::measuring::Measuring;

/// Publications that the slowest subscriber may have before it.
const WINDOW: u64 = 1000;

/// Publications of one write.
pub(crate) const BATCH: u64 = 50;

/// A delivery that has not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// The workload that is measured.
#[derive(Clone, Debug)]
pub(crate) struct Workload {
    pub(crate) scene: Scene,
    pub(crate) bytes: usize,
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
}

/// State shared by publisher and subscribers.
struct Plan {
    bytes: usize,
    shared: Shared,
    /// Messages that each subscriber has got so far.
    got: Vec<Count>,
    /// Messages published in all; all ones until that is known.
    published: AtomicU64,
}

/// Runs one repetition; none when nothing was delivered. Latency is that of a batch from the first of its
/// publications to the moment when there is room for the next.
pub(crate) fn repetition(
    broker: &Arc<dyn Broker>,
    workload: &Workload,
    interrupt: &AtomicBool,
) -> Result<Option<Figures>> {
    broker.prepare(&workload.scene).context("cannot make the topic")?;
    let plan = Arc::new(Plan {
        bytes: workload.bytes,
        shared: Shared::default(),
        got: (0..workload.scene.clients).map(|_| Count::default()).collect(),
        published: AtomicU64::new(u64::MAX),
    });
    plan.shared.enter(Phase::WarmUp);
    let subscribers: Result<Vec<_>> = (0..workload.scene.clients)
        .map(|number| {
            let getter = broker.getter(&workload.scene, number).context("cannot subscribe")?;
            let plan = plan.clone();
            spawn(format!("subscriber {number}"), move || plan.shared.watch(receive(getter, number, &plan)))
        })
        .collect();
    let subscribers = subscribers?;
    let putter = broker.putter(&workload.scene, 0)?;
    let publisher = {
        let plan = plan.clone();
        spawn("publisher".to_owned(), move || plan.shared.watch(publish(putter, &plan)))?
    };
    let measuring = Measuring { broker: &**broker, shared: &plan.shared, interrupt };
    let begun = measuring.begin(workload.warm_up);
    let got_before = plan.delivered();
    let (usage, elapsed) = measuring.end(&begun, workload.measure, "publishing");
    let delivered = plan.delivered() - got_before;
    plan.shared.enter(Phase::Done);
    let published = publisher.join().expect("the publisher does not panic");
    let mut failure = None;
    for subscriber in subscribers {
        if let Err(error) = subscriber.join().expect("a subscriber does not panic") {
            failure = failure.or(Some(error));
        }
    }
    let (latencies, _connected) = published?;
    failure.map_or(Ok(()), Err)?;
    Ok(usage.figures(delivered, elapsed, &latencies))
}

impl Plan {
    fn delivered(&self) -> u64 {
        self.got.iter().map(Count::get).sum()
    }

    fn slowest(&self) -> u64 {
        self.got.iter().map(Count::get).min().unwrap_or(u64::MAX)
    }
}

/// Sleep of a publisher that is far enough ahead.
const PAUSE: Duration = Duration::from_micros(100);

/// Publishes until it is over. The publisher stays connected until all is delivered: a broker may throw away
/// what is still on its way from one that is gone.
fn publish(mut putter: Box<dyn Putter>, plan: &Plan) -> Result<(Latencies, Box<dyn Putter>)> {
    let mut latencies = Latencies::default();
    let mut body = vec![0x5A; plan.bytes];
    let mut published = 0;
    while !plan.shared.is(Phase::Done) {
        let begun = Instant::now();
        for _ in 0..BATCH {
            tally::mark(&mut body, 0, published);
            putter.put(&body).context("cannot publish")?;
            published += 1;
        }
        putter.confirm().context("cannot publish")?;
        while published - plan.slowest().min(published) > WINDOW {
            ensure!(!plan.shared.has_failed(), "a subscriber failed");
            ensure!(begun.elapsed() < PATIENCE, "a subscriber has got nothing for {PATIENCE:?}");
            std::thread::sleep(PAUSE);
        }
        if plan.shared.is(Phase::Measure) {
            latencies.record(begun.elapsed());
        }
    }
    plan.published.store(published, Ordering::Relaxed);
    Ok((latencies, putter))
}

/// Gets every publication once, in the order of publishing.
fn receive(mut getter: Box<dyn Getter>, number: u32, plan: &Plan) -> Result<()> {
    let got = &plan.got[number as usize];
    let mut expected = 0;
    let mut waiting_since = None;
    while expected < plan.published.load(Ordering::Relaxed) {
        ensure!(!plan.shared.has_failed(), "another client failed");
        let mut take = |body: &[u8]| {
            ensure!(
                body.len() == plan.bytes,
                "a delivery has {} bytes instead of {}",
                body.len(),
                plan.bytes
            );
            let (_, sequence) = tally::mark_of(body)?;
            ensure!(
                sequence == expected,
                "subscriber {number} got publication {sequence} where {expected} was next: nothing is reported"
            );
            expected += 1;
            Ok(())
        };
        if getter.get(BATCH, &mut take).context("cannot get")? > 0 {
            got.say(expected);
            waiting_since = None;
        } else {
            let since = waiting_since.get_or_insert_with(Instant::now);
            ensure!(since.elapsed() < PATIENCE, "subscriber {number} has got nothing for {PATIENCE:?}");
        }
    }
    Ok(())
}
