//! A second queue manager of a bench, with a message channel each way between the two.
//!
//! Always: the channels are stopped but while a bench lets them run, so that what is put before waits at the
//! near end and nothing of it has gone.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

use crate::access::{Access, Far};
use crate::server_process::NAME;

/// The name of the second queue manager, and of the transmission queue to it.
pub(crate) const FAR_NAME: &str = "BENCH.FAR";

/// The channels, each named by its receiving end.
const TO_FAR: &str = "BENCH.TO.FAR";
const TO_NEAR: &str = "BENCH.TO.NEAR";

/// A channel that has not changed its state by then does not.
const PATIENCE: Duration = Duration::from_secs(10);
const INTERVAL: Duration = Duration::from_millis(5);

/// One end: the way to it, and its address on TCP.
pub(crate) struct End<'a> {
    pub(crate) access: &'a dyn Access,
    pub(crate) address: &'a str,
}

/// Defines a channel each way.
pub(crate) fn introduce(near: &End<'_>, far: &End<'_>) -> Result<()> {
    send(near.access, FAR_NAME, TO_FAR, far.address)?;
    receive(far.access, TO_FAR)?;
    send(far.access, NAME, TO_NEAR, near.address)?;
    receive(near.access, TO_NEAR)
}

/// Starts the channels where there is a second queue manager: messages that waited go.
pub(crate) fn start(near: &dyn Access) -> Result<()> {
    for (access, channel) in senders(near) {
        access.command(&format!("START CHANNEL({channel})"))?;
    }
    Ok(())
}

/// Stops the channels where there is a second queue manager: messages wait from then on, and no channel holds
/// a queue open.
pub(crate) fn stop(near: &dyn Access) -> Result<()> {
    for (access, channel) in senders(near) {
        access.command(&format!("STOP CHANNEL({channel})"))?;
    }
    for (access, channel) in senders(near) {
        wait_stopped(access, channel)?;
    }
    Ok(())
}

/// The end that sends of each channel; none where there is one queue manager.
fn senders(near: &dyn Access) -> Vec<(&dyn Access, &'static str)> {
    match near.far() {
        Some(Far { access, queue_manager: Some(_) }) => vec![(near, TO_FAR), (&**access, TO_NEAR)],
        _ => Vec::new(),
    }
}

fn wait_stopped(access: &dyn Access, channel: &str) -> Result<()> {
    let until = Instant::now() + PATIENCE;
    loop {
        let told = access.command(&format!("DISPLAY CHSTATUS({channel}) ALL"));
        if told.as_ref().is_ok_and(|told| told.contains("STATUS(STOPPED)")) {
            return Ok(());
        }
        if Instant::now() > until {
            bail!("{channel} did not stop within {PATIENCE:?}: {told:?}");
        }
        thread::sleep(INTERVAL);
    }
}

fn send(access: &dyn Access, to: &str, channel: &str, address: &str) -> Result<()> {
    let (host, port) = address.rsplit_once(':').context("the queue manager does not listen on TCP")?;
    ensure!(!port.is_empty(), "{address} has no port");
    access.command(&format!("DEFINE QLOCAL({to}) USAGE(XMITQ) MAXDEPTH(999999999) DEFPSIST(NO)"))?;
    access
        .command(&format!("DEFINE CHANNEL({channel}) CHLTYPE(SDR) CONNAME('{host}({port})') XMITQ({to})"))?;
    Ok(())
}

fn receive(access: &dyn Access, channel: &str) -> Result<()> {
    access.command(&format!("DEFINE CHANNEL({channel}) CHLTYPE(RCVR)"))?;
    Ok(())
}
