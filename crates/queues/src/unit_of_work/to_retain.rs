//! The publications that a unit of work retains when it stands.
//!
//! Lives elsewhere: the subscribers that come before it stands (`publishing::late`).

use std::sync::Arc;

use platform::Monotonic;
use topic::SubscriptionId;

use crate::ground::time::NEVER;
use crate::message::publication::Publication;
use crate::message::{self, Payload};

/// A publication that its unit of work retains.
#[derive(Debug)]
pub struct Pending {
    /// The publication.
    pub publication: Publication,
    /// When it is worth nothing any more.
    deadline: Monotonic,
    /// The last subscription that was made before the MQPUT.
    pub seen: SubscriptionId,
    /// True if it counts for its user: its topic had none retained before the unit of work.
    pub is_first: bool,
}

/// Publications that a unit of work retains, each topic once, in the order of the MQPUTs.
#[derive(Debug, Default)]
pub struct ToRetain(pub Vec<Pending>);

impl ToRetain {
    /// True if none is to be retained.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Remembers a publication, of which those subscriptions have copies that were made until then.
    pub fn note(&mut self, publication: &Publication, seen: SubscriptionId, is_first: bool, now: Monotonic) {
        let deadline = message::deadline(publication.payload.descriptor.expiry, now);
        self.0.retain(|other| other.publication.topic != publication.topic);
        self.0.push(Pending { publication: publication.clone(), deadline, seen, is_first });
    }
}

impl Pending {
    /// The publication as it is now; none when it has expired.
    pub fn at(&self, now: Monotonic) -> Option<Publication> {
        let mut publication = self.publication.clone();
        if self.deadline != NEVER {
            let mut payload = Payload::clone(&publication.payload);
            payload.descriptor.expiry = message::remaining(self.deadline, now);
            publication.payload = Arc::new(payload);
        }
        (now < self.deadline).then_some(publication)
    }
}
