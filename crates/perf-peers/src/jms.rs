//! Requests and replies of Qpid JMS through a broker of AMQP 1.0: clients in a process of Java, accounted for
//! as those of `request_reply`.
//!
//! Lives elsewhere: the program in Java, its libraries and its words (`perf::jms`).

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context as _, Result};
use perf::jms::Requests;
use perf::request_reply::ClientProcess;
use perf::run::Shared;

use crate::broker::Broker;
use crate::figures::{Figures, Moment};
use crate::request_reply::{Workload, check};

/// Runs one repetition with new clients; none when nothing came back while it was measured.
pub(crate) fn repetition(
    broker: &Arc<dyn Broker>,
    workload: &Workload,
    interrupt: &AtomicBool,
) -> Result<Option<Figures>> {
    let scene = &workload.scene;
    let queues = broker.by_amqp(scene)?;
    broker.prepare(scene).context("cannot make the queues")?;
    let mut clients = ClientProcess::of_jms(&Requests {
        address: &queues.address.to_string(),
        requests: &[queues.requests],
        replies: &queues.replies,
        is_shared: false,
        requesters: &(0..scene.clients).collect::<Vec<_>>(),
        responders: &(0..workload.responders).collect::<Vec<_>>(),
        bytes: workload.bytes,
        persistent: scene.durable,
    })?;
    clients.begin()?;
    let (shared, processes) = (Shared::default(), [clients.id()]);
    shared.run_for(workload.warm_up, interrupt, "warming up");
    let (before, begun) = (Moment::now(&**broker, &processes), Instant::now());
    clients.measure()?;
    shared.run_for(workload.measure, interrupt, "measuring");
    let (usage, elapsed) = (Moment::now(&**broker, &processes).since(&before), begun.elapsed());
    let (account, answered) = clients.end()?;
    check(&**broker, workload, &account, answered)?;
    Ok(usage.figures(account.measured, elapsed, &account.latencies))
}
