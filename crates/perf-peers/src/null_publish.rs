//! Publishers to a topic that nobody subscribes to, through any broker: publications a second.
//!
//! Nothing comes back by which they could be accounted for. So each publisher asks in the end if the broker
//! has taken all that it was sent, and a run whose publishers get no such answer is not reported.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context as _, Result};
use perf::latency::Latencies;
use perf::run::{Phase, Shared, spawn};
use perf::tally;

use crate::broker::{Broker, Putter};
use crate::fan_out::{BATCH, Workload};
use crate::figures::Figures;
use crate::measuring::Measuring;

/// The account of one publisher while it was measured.
#[derive(Default)]
struct Account {
    published: u64,
    latencies: Latencies,
}

/// Runs one repetition, in which the scene's clients are publishers; none when nothing was published. Latency
/// is that of a batch.
pub(crate) fn repetition(
    broker: &Arc<dyn Broker>,
    workload: &Workload,
    interrupt: &AtomicBool,
) -> Result<Option<Figures>> {
    broker.prepare(&workload.scene).context("cannot make the topic")?;
    let shared = Arc::new(Shared::default());
    shared.enter(Phase::WarmUp);
    let publishers: Result<Vec<_>> = (0..workload.scene.clients)
        .map(|number| {
            let putter = broker.putter(&workload.scene, number).context("cannot connect a publisher")?;
            let (shared, bytes) = (shared.clone(), workload.bytes);
            spawn(format!("publisher {number}"), move || {
                shared.watch(publish(putter, number, bytes, &shared))
            })
        })
        .collect();
    let publishers = publishers?;
    let measuring = Measuring { broker: &**broker, shared: &shared, interrupt };
    let begun = measuring.begin(workload.warm_up);
    let (usage, elapsed) = measuring.end(&begun, workload.measure, "publishing");
    shared.enter(Phase::Done);
    let (mut all, mut failure) = (Account::default(), None);
    for publisher in publishers {
        match publisher.join().expect("a publisher does not panic") {
            Ok(account) => {
                all.published += account.published;
                all.latencies.add(&account.latencies);
            }
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(()), Err)?;
    Ok(usage.figures(all.published, elapsed, &all.latencies))
}

fn publish(mut putter: Box<dyn Putter>, number: u32, bytes: usize, shared: &Shared) -> Result<Account> {
    let mut account = Account::default();
    let mut body = vec![0x5A; bytes];
    tally::mark(&mut body, number, 0);
    while !shared.is(Phase::Done) {
        let begun = Instant::now();
        for _ in 0..BATCH {
            putter.put(&body).context("cannot publish")?;
        }
        putter.confirm().context("cannot publish")?;
        if shared.is(Phase::Measure) {
            account.published += BATCH;
            account.latencies.record(begun.elapsed());
        }
    }
    putter.settle().context("not all that was published was taken: nothing is reported")?;
    Ok(account)
}
