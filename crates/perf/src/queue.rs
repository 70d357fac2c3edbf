//! The queues of a bench: defined for it, filled, accounted for, removed.
//!
//! Always: a bench that fails leaves none behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use mqi::{
    AttributeValue, CloseOptions, ObjectDescriptor, ObjectName, OpenOptions, PutFlags, Selector, Verbs,
};

use crate::access::Access;
use crate::progress::{Bar, say};

/// A name that no other bench uses, so that nobody else's messages are touched.
pub(crate) fn name(what: &str) -> Result<ObjectName> {
    Ok(format!("BENCH.{}.{what}", std::process::id()).parse()?)
}

/// A queue that a bench defined. It goes with all that is on it, however the bench ends.
pub(crate) struct Defined {
    pub(crate) name: ObjectName,
    access: Arc<dyn Access>,
    /// The command that removes it.
    removal: String,
    is_removed: bool,
}

/// Defines a queue that any number of messages fit on.
pub(crate) fn define(access: &Arc<dyn Access>, name: ObjectName) -> Result<Defined> {
    access.command(&format!("DEFINE QLOCAL({name}) REPLACE MAXDEPTH(999999999) DEFPSIST(NO) SHARE"))?;
    Ok(Defined::new(access, name, format!("DELETE QLOCAL({name}) PURGE")))
}

/// Defines the name of a queue of another queue manager.
pub(crate) fn define_remote(access: &Arc<dyn Access>, name: ObjectName, at: &str) -> Result<Defined> {
    access.command(&format!("DEFINE QREMOTE({name}) REPLACE RNAME({name}) RQMNAME({at})"))?;
    Ok(Defined::new(access, name, format!("DELETE QREMOTE({name})")))
}

/// Defines a topic object for a topic string.
pub(crate) fn define_topic(access: &Arc<dyn Access>, name: ObjectName, topic: &str) -> Result<Defined> {
    access.command(&format!("DEFINE TOPIC({name}) REPLACE TOPICSTR('{topic}')"))?;
    Ok(Defined::new(access, name, format!("DELETE TOPIC({name})")))
}

/// Clients of a bench that failed, and channels, may hold their queues open so long.
const PATIENCE: Duration = Duration::from_secs(2);
const INTERVAL: Duration = Duration::from_millis(20);

impl Drop for Defined {
    fn drop(&mut self) {
        if !self.is_removed && self.remove().is_err() {
            say(&format!("{} is still there: {}", self.name, self.removal));
        }
    }
}

/// Messages of one unit of work while a queue is filled.
const FILL_BATCH: u64 = 1000;

/// Puts so many messages by calling `put` with the options that a unit of work wants; less when interrupted.
pub(crate) fn fill(
    verbs: &mut dyn Verbs,
    count: u64,
    interrupt: &AtomicBool,
    mut put: impl FnMut(&mut dyn Verbs, PutFlags) -> Result<()>,
) -> Result<u64> {
    let bar = Bar::of(count, "messages put");
    let mut done = 0;
    while done < count && !interrupt.load(Ordering::Relaxed) {
        let batch = FILL_BATCH.min(count - done);
        for _ in 0..batch {
            put(verbs, PutFlags::SYNCPOINT | PutFlags::ASYNC_RESPONSE).context("cannot fill the queue")?;
        }
        verbs.commit().context("cannot fill the queue")?;
        done += batch;
        bar.done(done);
    }
    Ok(done)
}

impl Defined {
    fn new(access: &Arc<dyn Access>, name: ObjectName, removal: String) -> Self {
        Self { name, access: access.clone(), removal, is_removed: false }
    }

    /// Removes it, as soon as nobody holds it open.
    fn remove(&self) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            match self.access.command(&self.removal) {
                Err(error) if Instant::now() > until => return Err(error),
                Err(_) => std::thread::sleep(INTERVAL),
                Ok(_) => return Ok(()),
            }
        }
    }

    /// Removes it. A message too many or too few is a fault, and nothing is reported.
    pub(crate) fn account_and_remove(mut self, verbs: &mut dyn Verbs, expected: u64) -> Result<()> {
        let (name, depth) = (self.name, depth(verbs, self.name)?);
        ensure!(
            u64::try_from(depth) == Ok(expected),
            "{name} holds {depth} messages instead of {expected}: not all are accounted for, so nothing is reported"
        );
        self.remove()?;
        self.is_removed = true;
        Ok(())
    }
}

/// Returns the number of messages on a queue.
pub(crate) fn depth(verbs: &mut dyn Verbs, name: ObjectName) -> Result<i32> {
    let opened = verbs.open(&ObjectDescriptor::queue(name), OpenOptions::INQUIRE)?;
    let depth = verbs.inquire(opened.handle, &[Selector(mqi::constants::MQIA_CURRENT_Q_DEPTH)])?.values;
    verbs.close(opened.handle, CloseOptions::EMPTY)?;
    match depth[..] {
        [AttributeValue::Integer(depth)] => Ok(depth),
        _ => bail!("{name} has no depth"),
    }
}
