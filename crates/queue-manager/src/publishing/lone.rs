//! A publication that one subscription alone may hear: what was published becomes its copy, where it lies.
//!
//! Lives here: when nothing but that has to happen, and the put. Lives elsewhere: publications for several, in units of work, to be
//! retained, or with anything else to be seen to (`publishing`), which all take longer ways.
//!
//! Always: the copy says what it would by those (`said`, `headers`); what is not put here was put nowhere, and may be published anew.

use std::sync::Arc;

use formats::headers::Place;
use mqi::{Body, MessageDescriptor, Reason};
use objects::Moment;
use platform::WallTime;
use storage::Lsn;

use super::headers::{About, Headed};
use super::said::{self, Said};
use super::{Heard, Reach, TopicTarget};
use crate::catalogue::Subscriber;
use crate::engine::Engine;
use crate::message::{Payload, presentation};
use crate::queue::Queue;
use crate::queue::arrival::Placing;
use crate::reports::kind::Kind;
use crate::reports::suits;

/// A message that is published, and becomes a copy.
pub(crate) struct Lone {
    /// Every field of its descriptor is filled; it has no body yet.
    pub(crate) payload: Payload,
    pub(crate) put_at: WallTime,
    pub(crate) at: Moment,
}

/// The subscription that hears a publication alone, and its queue.
pub(crate) struct Hearer<'a> {
    subscriber: &'a Subscriber,
    queue: Arc<Queue>,
}

/// What came of a copy that was to be put by itself.
pub(crate) enum LonePut {
    /// It is on its queue, or with its getter, which depends on the position.
    Done(Lsn),
    /// It is not for that queue.
    NotSimple,
    /// The queue takes no more.
    Refused,
}

impl Engine {
    /// Who alone hears a message with this descriptor, by a tree that was seen at this position; none where there is more to it.
    pub(crate) fn lone_hearer<'a>(
        &self,
        (heard, seen): (&'a Heard, Lsn),
        reach: &Reach,
        descriptor: &MessageDescriptor,
    ) -> Option<Hearer<'a>> {
        let [wanted] = heard.subscriptions.as_slice() else { return None };
        let subscriber = &wanted.kept;
        // Who gets a copy knows of the subscription, which may not be durable yet.
        let is_simple = !subscriber.has_particulars()
            && wanted.level <= reach.level
            && self.reaches(reach, wanted)
            && !Kind::Arrival.is_asked(descriptor.report)
            && !presentation::may_have(descriptor)
            && self.storage.durable().lsn() >= seen;
        if !is_simple {
            return None;
        }
        let (queue, elsewhere) = self.queue_of(subscriber).ok()?;
        let is_here = elsewhere.is_none() && queue.attributes().stream.is_none();
        is_here.then_some(Hearer { subscriber, queue })
    }

    /// Puts the copy for the subscription that hears a publication alone.
    pub(crate) fn publish_lone(
        &self,
        published: Lone,
        body: &Body<'_>,
        way: &TopicTarget,
        Hearer { subscriber, queue }: &Hearer<'_>,
    ) -> LonePut {
        let Lone { mut payload, put_at, at } = published;
        let descriptor = &mut payload.descriptor;
        let about = About { topic: &way.topic, place: Place::of(descriptor), was_retained: false };
        let attributes = queue.attributes();
        let said = Said::of(descriptor, subscriber, Some(&attributes));
        descriptor.correlation_id = said::correlation_id(descriptor, subscriber);
        said.say_in(descriptor);
        if suits(&attributes, None, descriptor, body.len()).is_err() {
            return LonePut::NotSimple;
        }
        drop(attributes);
        let headed = way.headers.in_form(subscriber.properties, body, about, subscriber.user_data());
        let Ok(Headed { place, front, body }) = headed else { return LonePut::NotSimple };
        place.describe(descriptor);
        payload.body_seen(body, front);
        let arrival = self.arrival_at(put_at, Arc::new(payload));
        let put = queue.put(self, arrival, Placing::AtOnce { answered: None });
        match put.value() {
            Ok(()) => {
                subscriber.passed.count(at);
                LonePut::Done(put.need())
            }
            Err(reason) => {
                // The name may be that of another queue by now.
                if *reason == Reason::Q_DELETED {
                    subscriber.queue.forget();
                }
                LonePut::Refused
            }
        }
    }
}
