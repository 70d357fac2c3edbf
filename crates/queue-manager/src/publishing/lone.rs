//! A publication with one possible hearer: the publication itself becomes the copy, in place.
//!
//! Lives here: when nothing but that has to happen, and the put. Lives elsewhere: publications for several,
//! in units of work, to be retained, or with anything else to be seen to (`publishing`), which all take
//! longer ways.
//!
//! Always: the copy has the fields that those would give it (`said`, `headers`); a publication that is not
//! put here was put nowhere, and may be published anew.

use std::sync::Arc;

use formats::headers::Place;
use mqi::{Body, MessageDescriptor};
use objects::Moment;
use platform::WallTime;
use queues::gate::BehindGate;
use queues::message::report_kind::Kind;
use queues::message::{Payload, presentation};
use queues::queue::Queue;
use queues::queue::arrival::Placing;
use storage::Lsn;

use super::headers::{About, Headed};
use super::said::{self, Said};
use super::{Heard, TopicTarget};
use crate::broker::Broker;
use crate::catalogue::Subscriber;
use crate::reports::suits;
use queues::message::publication::Reach;

/// The subscription that hears a publication alone, and its queue.
pub(crate) struct Hearer<'a> {
    subscriber: &'a Subscriber,
    queue: Arc<Queue>,
}

impl Broker {
    /// Returns the only hearer of a message with this descriptor, by a tree that was seen at this position;
    /// none where there is more to it.
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
            && self.ground().storage.durable().lsn() >= seen;
        if !is_simple {
            return None;
        }
        let queue = match heard.queue_at(0) {
            Some(queue) => Arc::clone(queue),
            None => self.queue_of(subscriber).ok().filter(|(_, elsewhere)| elsewhere.is_none())?.0,
        };
        Some(Hearer { subscriber, queue })
    }

    /// Makes a message that was published, every field of its descriptor filled and no body yet, the copy for
    /// the subscription that hears it alone. False where its queue takes none that is put by itself.
    pub(crate) fn make_lone(
        &self,
        payload: &mut Payload,
        body: &Body<'_>,
        way: &TopicTarget,
        Hearer { subscriber, queue }: &Hearer<'_>,
    ) -> bool {
        let descriptor = &mut payload.descriptor;
        let about = About { topic: &way.topic, place: Place::of(descriptor), was_retained: false };
        let attributes = queue.attributes();
        let said = Said::of(descriptor, subscriber, Some(&attributes));
        descriptor.correlation_id = said::correlation_id(descriptor, subscriber);
        said.say_in(descriptor);
        if attributes.stream.is_some() || suits(&attributes, None, descriptor, body.len()).is_err() {
            return false;
        }
        drop(attributes);
        let headed = way.headers.in_form(subscriber.properties, body, about, subscriber.user_data());
        let Ok(Headed { place, front, body }) = headed else { return false };
        place.describe(descriptor);
        payload.body_seen(body, front);
        true
    }

    /// Puts that copy; returns the position that the outcome depends on, or none when the queue does not take
    /// it.
    pub(crate) fn put_lone(
        &self,
        copy: Arc<Payload>,
        (put_at, at): (WallTime, Moment),
        way: &TopicTarget,
        Hearer { subscriber, queue }: &Hearer<'_>,
    ) -> Option<Lsn> {
        let put = queue.put(
            &self.queues,
            self.directory.arrival_at(put_at, copy),
            Placing::AtOnce { answered: None },
        );
        way.passed_to(subscriber, put.value(), at).then(|| put.need())
    }
}
