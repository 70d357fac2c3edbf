//! Our own publish/subscribe for the same fan-out as the others': publisher and subscribers are paced by the
//! same code.
//!
//! Lives elsewhere: request/reply and one way, which ours runs by the clients of `ferry bench` (`points`).

use std::sync::Arc;

use anyhow::{Context as _, Result, bail, ensure};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, Reason, StatusType, SubscribeOptions, SubscriptionDescriptor, Verbs, Wait,
};
use perf::access::Access;

use crate::broker::{Broker, Getter, Putter, Requester, Responder, Scene, Take};
use crate::socket::LOOK;

/// The queue manager that is compared with others.
pub(crate) struct Ours(pub(crate) Arc<dyn Access>);

/// Longer than any message here.
const BYTES_MAX: usize = 4 << 20;

impl Broker for Ours {
    fn processes(&self) -> Vec<u32> {
        self.0.server_pid().into_iter().collect()
    }

    fn prepare(&self, _scene: &Scene) -> Result<()> {
        // A topic is there from the first look at it on.
        Ok(())
    }

    fn left(&self, _scene: &Scene) -> Result<Option<u64>> {
        Ok(None)
    }

    fn requester(&self, _scene: &Scene, _number: u32) -> Result<Box<dyn Requester>> {
        bail!("ours asks by the clients of ferry bench")
    }

    fn responder(&self, _scene: &Scene) -> Result<Box<dyn Responder>> {
        bail!("ours answers by the clients of ferry bench")
    }

    fn putter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Putter>> {
        let mut verbs = self.0.connect("ferry peers")?;
        let topic = verbs.open(&ObjectDescriptor::topic(topic(scene)), OpenOptions::OUTPUT)?.handle;
        Ok(Box::new(Publisher { verbs, topic }))
    }

    fn getter(&self, scene: &Scene, _number: u32) -> Result<Box<dyn Getter>> {
        let mut verbs = self.0.connect("ferry peers")?;
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::READ_AHEAD;
        let subscribed = verbs.subscribe(&SubscriptionDescriptor::to(topic(scene), options), None)?;
        let queue = subscribed.queue.context("a subscription without a queue")?;
        Ok(Box::new(Subscriber { verbs, queue }))
    }
}

fn topic(scene: &Scene) -> String {
    format!("ferry-peers/{}", scene.name)
}

struct Publisher {
    verbs: Box<dyn Verbs + Send>,
    topic: ObjectHandle,
}

impl Putter for Publisher {
    fn put(&mut self, body: &[u8]) -> Result<()> {
        let mut descriptor =
            MessageDescriptor { persistence: Persistence::NotPersistent, ..MessageDescriptor::default() };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::ASYNC_RESPONSE);
        Ok(self.verbs.put_lent(self.topic, &mut descriptor, &mut options, body)?)
    }

    /// Nothing is confirmed, as elsewhere; what was put leaves with the next, or a moment later by itself.
    fn confirm(&mut self) -> Result<()> {
        Ok(())
    }

    fn settle(&mut self) -> Result<()> {
        let refused = self.verbs.stat(StatusType::AsyncError)?.put_failure_count;
        ensure!(refused == 0, "{refused} publications were refused");
        Ok(())
    }
}

struct Subscriber {
    verbs: Box<dyn Verbs + Send>,
    queue: ObjectHandle,
}

impl Getter for Subscriber {
    /// Gets one message. A get that does not wait, and finds none that came ahead, would ask the queue
    /// manager and give up the credit by which others come.
    fn get(&mut self, _count: u64, take: &mut Take<'_>) -> Result<u64> {
        let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::from(LOOK));
        let mut taken = Ok(());
        let mut borrow = |body: &[u8]| taken = take(body);
        let mut descriptor = MessageDescriptor::default();
        match self.verbs.get_lent(self.queue, &mut descriptor, &mut options, BYTES_MAX, &mut borrow) {
            Ok(_) => taken.map(|()| 1),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(0),
            Err(reason) => Err(reason.into()),
        }
    }
}
