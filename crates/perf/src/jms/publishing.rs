//! Publishers and subscribers by JMS, all in one process of Java: a publisher is held to its slowest
//! subscriber.
//!
//! Always: the process itself proves that each subscriber was given each publication of its topic, once and
//! in order; here the sums are compared.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::{Api, Java, address};
use crate::access::Access;
use crate::latency::Latencies;
use crate::run::{Moment, Shared, Usage};
use crate::told::{Process, Said, Told, unexpected};

/// The clients, and how long they run.
pub(crate) struct Publishing<'a> {
    /// Topics, or queues, in the order of publishers.
    pub(crate) places: &'a [String],
    pub(crate) is_by_queue: bool,
    pub(crate) publishers: usize,
    /// Subscribers of each topic.
    pub(crate) subscribers: usize,
    pub(crate) bytes: usize,
    pub(crate) persistent: bool,
    pub(crate) ahead: u64,
    pub(crate) rate: Option<u32>,
    pub(crate) warm_up: Duration,
    pub(crate) measure: Duration,
}

/// Their result.
pub(crate) struct Published {
    pub(crate) published: u64,
    pub(crate) delivered: u64,
    pub(crate) accounted: u64,
    pub(crate) latencies: Latencies,
    pub(crate) elapsed: Duration,
    pub(crate) usage: Usage,
}

impl Publishing<'_> {
    fn order(&self) -> Vec<String> {
        let through = if self.is_by_queue { "queue" } else { "topic" };
        let mut order = vec![
            "work=publish".to_owned(),
            format!("through={through}"),
            format!("places={}", self.places.join(",")),
            format!("publishers={}", self.publishers),
            format!("subscribers={}", self.subscribers),
            format!("bytes={}", self.bytes),
            format!("persistent={}", self.persistent),
            format!("ahead={}", self.ahead),
        ];
        order.extend(self.rate.map(|rate| format!("rate={rate}")));
        order
    }

    /// Runs them.
    pub(crate) fn run(&self, access: &Arc<dyn Access>, interrupt: &AtomicBool) -> Result<Published> {
        let java = Java::prepared()?;
        let mut process = Process::start(&mut java.command(&address(&**access)?, &self.order()))?;
        process.wait_connected()?;
        process.tell(Told::Begin)?;
        let shared = Shared::default();
        shared.run_for(Api::Jms.warm_up(self.warm_up, self.measure), interrupt, "warming up");
        let (before, begun) = (Moment::now(&**access, &[process.id()]), Instant::now());
        process.tell(Told::Measure)?;
        shared.run_for(self.measure, interrupt, "publishing");
        // Before the clients end: what a thread used is told as long as it lives.
        let usage = Moment::now(&**access, &[process.id()]).since(&before);
        process.tell(Told::Done)?;
        let elapsed = begun.elapsed();
        let (sent, measured, latencies) = match process.hear()? {
            Said::Publishers { published, measured, latencies } => (published, measured, latencies),
            said => return Err(unexpected(said)),
        };
        process.tell(Told::End)?;
        let (received, delivered) = match process.hear()? {
            Said::Subscribers { received, measured } => (received, measured),
            said => return Err(unexpected(said)),
        };
        ensure!(
            received == sent * self.subscribers as u64,
            "{sent} published, {received} came to subscribers: not all are accounted for, so nothing is reported"
        );
        let (accounted, latencies) = (sent + received, latencies.into());
        Ok(Published { published: measured, delivered, accounted, latencies, elapsed, usage })
    }
}
