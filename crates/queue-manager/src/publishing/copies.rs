//! The copies of a publication for its subscribers.
//!
//! Its messages are the publication with the subscription's correlation identifier and identity, with its
//! priority, and with properties that say what it is a publication of.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use mqi::{CorrelationId, MessageDescriptor, ObjectDescriptor, Reason};
use objects::QueueAttributes;
use platform::WallTime;
use queues::message::Payload;
use queues::message::presentation::{self, Front};
use queues::message::report::Report;
use queues::message::report_kind::Kind;
use queues::queue::Queue;
use queues::queue::arrival::Arrival;

use super::destination_of;
use super::headers::{About, Headed, Headers, is_same_text};
use super::said::{self, Said};
use crate::broker::Broker;
use crate::catalogue::{PublishedProperties, Subscriber};
use crate::naming::way::Elsewhere;
use crate::reports::suits;
use queues::message::publication::Publication;

/// Number of payloads, of copies with the same body, that are compared with the next copy: subscriptions of a
/// program or an administrator are mostly alike.
const PAYLOADS_LOOKED_AT_MAX: usize = 4;

/// A copy for one subscriber. Those that say the same share their payload.
#[derive(Clone)]
pub(super) struct Copied {
    pub(super) payload: Arc<Payload>,
    correlation_id: CorrelationId,
    put_at: WallTime,
    /// Time of day before which it is not delivered; 0 for at once.
    deliver_at: i64,
}

impl Copied {
    /// The message on a queue of this queue manager.
    #[inline]
    pub(super) fn arrival(self, broker: &Broker) -> Arrival {
        let mut arrival = broker.directory.arrival_at(self.put_at, self.payload);
        arrival.facts.life = arrival.facts.life.delivered_at(self.deliver_at, self.put_at);
        Arrival { correlation_id: Some(self.correlation_id), ..arrival }
    }

    /// Its descriptor.
    pub(super) fn descriptor(&self) -> MessageDescriptor {
        MessageDescriptor { correlation_id: self.correlation_id, ..self.payload.descriptor.clone() }
    }

    /// The message for where it shares nothing, on its way to that queue or instead.
    pub(super) fn to_report(&self, destination: ObjectDescriptor) -> Report {
        Report {
            descriptor: self.descriptor(),
            body: self.payload.body.clone(),
            reply_to: destination,
            may_trigger: true,
            is_promised: false,
            is_streamed: true,
            has_room_for_copy: false,
            is_body_shared: self.payload.is_body_shared(),
            deliver_at: self.deliver_at,
            rights: self.payload.report_rights,
        }
    }
}

/// A copy, and where it goes.
pub(super) struct Made {
    pub(super) copy: Copied,
    /// The queue that takes it now, for itself or on the way to another queue manager, as does the one that
    /// must have a copy of it.
    pub(super) taken: Result<(Arc<Queue>, Option<Elsewhere>), Reason>,
}

/// The copies of one publication. Those that say the same have the same body, which is made once.
pub(super) struct Copies<'a> {
    publication: &'a Publication,
    headers: &'a Headers,
    /// True if there are more than one.
    are_several: bool,
    /// When they are put, read with the first.
    put_at: Option<WallTime>,
    bodies: Vec<Body>,
    last: Option<Last<'a>>,
}

/// Copy of the last subscriber without particulars: subscribers alike are given the same.
struct Last<'a> {
    subscriber: &'a Subscriber,
    /// Default priority of its queue.
    default_priority: Option<u8>,
    expiry_max: Option<u32>,
    payload: Arc<Payload>,
    /// Length without properties.
    data_length: usize,
}

/// A body of the copies for subscribers that want it in the same form.
struct Body {
    form: PublishedProperties,
    user_data: Box<str>,
    place: Place,
    body: Bytes,
    /// Length without properties.
    data_length: usize,
    /// Header of properties, as far as it is known.
    front: Option<Front>,
    /// With descriptors, for those that say the same.
    payloads: Vec<Arc<Payload>>,
}

impl<'a> Copies<'a> {
    /// Begins the copies for so many subscribers.
    pub(super) fn of(publication: &'a Publication, headers: &'a Headers, count: usize) -> Self {
        Self { publication, headers, are_several: count > 1, put_at: None, bodies: Vec::new(), last: None }
    }

    /// The copy for a subscriber, and whether its queue takes it now.
    ///
    /// # Errors
    /// The reason that there can be no copy.
    pub(super) fn for_subscriber(
        &mut self,
        broker: &Broker,
        subscriber: &'a Subscriber,
    ) -> Result<Made, Reason> {
        let made = self.made_for(broker, subscriber)?;
        if made.taken.is_ok() || !subscriber.queue.get().is_some_and(|queue| queue.is_deleted()) {
            return Ok(made);
        }
        // The name may be that of another queue by now, of which the copy may have another priority.
        subscriber.queue.forget();
        self.made_for(broker, subscriber)
    }

    fn made_for(&mut self, broker: &Broker, subscriber: &'a Subscriber) -> Result<Made, Reason> {
        let found = broker.queue_of(subscriber);
        let attributes = found.as_ref().ok().map(|(queue, _)| queue.attributes());
        let attributes = attributes.as_deref().map(|attributes| &**attributes);
        let (payload, data_length) = self.payload_on(broker, subscriber, attributes)?;
        let taken = found.and_then(|(queue, elsewhere)| {
            // How long it is without properties was looked at once for all.
            let lengths = (payload.body.len(), data_length);
            broker.directory.ensure_takes(&queue, elsewhere.as_ref(), &payload.descriptor, lengths)?;
            broker.directory.ensure_duplicates(&queue, &payload)?;
            Ok((queue, elsewhere))
        });
        Ok(Made { copy: self.copied(broker, subscriber, payload), taken })
    }

    fn copied(&mut self, broker: &Broker, subscriber: &Subscriber, payload: Arc<Payload>) -> Copied {
        let put_at = *self.put_at.get_or_insert_with(|| broker.ground().world.clock.wall());
        let correlation_id = self.correlation_id_for(subscriber);
        Copied { payload, correlation_id, put_at, deliver_at: self.publication.deliver_at }
    }

    /// Returns the copy for a subscriber as a message on its queue, if it stands by itself: it is not
    /// persistent or there is no other, no report of its arrival is wanted, its queue is here and has no
    /// stream queue. Copies with equal fields share their payload.
    pub(super) fn alone(
        &mut self,
        broker: &Broker,
        subscriber: &'a Subscriber,
    ) -> Option<(Arc<Queue>, Copied)> {
        if self.belongs_with_others(subscriber) {
            return None;
        }
        let (queue, elsewhere) = broker.queue_of(subscriber).ok()?;
        let attributes = queue.attributes();
        if elsewhere.is_some() || attributes.stream.is_some() {
            return None;
        }
        let (payload, data_length) = self.payload_on(broker, subscriber, Some(&attributes)).ok()?;
        suits(&attributes, None, &payload.descriptor, data_length).ok()?;
        drop(attributes);
        Some((queue, self.copied(broker, subscriber, payload)))
    }

    /// Returns the copy on a queue of this queue manager with these attributes, under its lock, if it equals
    /// the last copy.
    #[inline]
    pub(super) fn alike(&self, subscriber: &Subscriber, attributes: &QueueAttributes) -> Option<Copied> {
        let Last { payload, data_length, .. } = self.last_like(subscriber, Some(attributes))?;
        if self.belongs_with_others(subscriber) || attributes.stream.is_some() {
            return None;
        }
        suits(attributes, None, &payload.descriptor, *data_length).ok()?;
        let correlation_id = self.correlation_id_for(subscriber);
        let (payload, deliver_at) = (Arc::clone(payload), self.publication.deliver_at);
        Some(Copied { payload, correlation_id, put_at: self.put_at?, deliver_at })
    }

    /// True if a subscriber's copy stands or falls with something else: other copies in one unit of work, or
    /// a report of its arrival.
    #[inline]
    fn belongs_with_others(&self, subscriber: &Subscriber) -> bool {
        Kind::Arrival.is_asked(self.publication.payload.descriptor.report)
            || self.are_several && self.is_persistent_for(subscriber)
    }

    /// Returns the payload of a subscriber's copy, on a queue with these attributes if there is one, and its
    /// length without properties: mostly those of the last copy, which is known without comparing fields.
    fn payload_on(
        &mut self,
        broker: &Broker,
        subscriber: &'a Subscriber,
        attributes: Option<&QueueAttributes>,
    ) -> Result<(Arc<Payload>, usize), Reason> {
        if let Some(last) = self.last_like(subscriber, attributes) {
            return Ok((Arc::clone(&last.payload), last.data_length));
        }
        let said = Said::of(&self.publication.payload.descriptor, subscriber, attributes);
        let (payload, data_length) = self.payload_for(broker, subscriber, &said)?;
        let is_like_others = self.are_several && !subscriber.has_particulars();
        self.last = is_like_others.then(|| Last {
            subscriber,
            default_priority: attributes.map(|queue| queue.default_priority),
            expiry_max: attributes.and_then(|queue| queue.expiry_max),
            payload: Arc::clone(&payload),
            data_length,
        });
        Ok((payload, data_length))
    }

    /// Returns the last subscriber's copy, if this one is given the same on a queue with these attributes.
    fn last_like(&self, subscriber: &Subscriber, attributes: Option<&QueueAttributes>) -> Option<&Last<'a>> {
        self.last.as_ref().filter(|last| {
            !subscriber.has_particulars()
                && subscriber.priority == last.subscriber.priority
                && subscriber.properties == last.subscriber.properties
                && subscriber.has_identity == last.subscriber.has_identity
                && subscriber.user == last.subscriber.user
                && self.is_persistent_for(subscriber) == self.is_persistent_for(last.subscriber)
                && attributes.map(|queue| queue.default_priority) == last.default_priority
                && attributes.and_then(|queue| queue.expiry_max) == last.expiry_max
        })
    }

    /// Length of the body of the last subscriber's copy, if another may be given the same.
    pub(super) fn last_body_bytes(&self) -> Option<usize> {
        self.last.as_ref().map(|last| last.payload.body.len())
    }

    /// Returns the payload of copies with these fields and the same body, and its length without properties.
    /// The correlation identifier is that of the first.
    fn payload_for(
        &mut self,
        broker: &Broker,
        subscriber: &Subscriber,
        said: &Said,
    ) -> Result<(Arc<Payload>, usize), Reason> {
        let (are_several, publication) = (self.are_several, self.publication);
        let rights = publication.payload.report_rights;
        let correlation_id = self.correlation_id_for(subscriber);
        let body = self.body_for(broker, subscriber)?;
        let mut last = body.payloads.iter().rev().take(PAYLOADS_LOOKED_AT_MAX);
        if let Some(payload) = last.find(|payload| said.is_in(&payload.descriptor)) {
            return Ok((Arc::clone(payload), body.data_length));
        }
        let mut descriptor = publication.payload.descriptor.clone();
        body.place.describe(&mut descriptor);
        descriptor.correlation_id = correlation_id;
        said.say_in(&mut descriptor);
        if !are_several {
            let payload = Payload::seen(descriptor, body.body.clone(), body.front);
            return Ok((Arc::new(payload.with_report_rights(rights)), body.data_length));
        }
        let payload = Payload::common(descriptor, body.body.clone(), body.front);
        let payload = Arc::new(payload.with_report_rights(rights));
        body.payloads.push(Arc::clone(&payload));
        Ok((payload, body.data_length))
    }

    fn correlation_id_for(&self, subscriber: &Subscriber) -> CorrelationId {
        said::correlation_id(&self.publication.payload.descriptor, subscriber)
    }

    fn is_persistent_for(&self, subscriber: &Subscriber) -> bool {
        said::is_persistent(&self.publication.payload.descriptor, subscriber)
    }

    fn body_for(&mut self, broker: &Broker, subscriber: &Subscriber) -> Result<&mut Body, Reason> {
        let form = subscriber.properties;
        let is_this =
            |made: &Body| made.form == form && is_same_text(&made.user_data, subscriber.user_data());
        let made = match self.bodies.iter().position(is_this) {
            Some(made) => made,
            None => {
                let made = self.make_body(broker, form, subscriber.user_data())?;
                self.bodies.push(made);
                self.bodies.len() - 1
            }
        };
        Ok(&mut self.bodies[made])
    }

    fn make_body(&self, broker: &Broker, form: PublishedProperties, user_data: &str) -> Result<Body, Reason> {
        let payload = &self.publication.payload;
        let about = About::from(self.publication);
        let published = payload.body.clone().into();
        let Headed { place, front, body } = self.headers.in_form(form, &published, about, user_data)?;
        // What is put in front for the subscriber is properties alone.
        let data_length = if presentation::may_have(&payload.descriptor) {
            presentation::data_length(&place, &body)
        } else {
            payload.body.len()
        };
        // Properties of the publisher's own are looked at for all who share them.
        let front = front.or_else(|| self.are_several.then(|| Front::of(&place, &body)).flatten());
        let body = if self.are_several { broker.ground().memory.shared(body) } else { body };
        let payloads = Vec::new();
        Ok(Body { form, user_data: user_data.into(), place, body, data_length, front, payloads })
    }
}

impl Broker {
    /// The queue of a subscription, and where its messages go from there; by its name unless it was found so
    /// before.
    pub(super) fn queue_of(
        &self,
        subscriber: &Subscriber,
    ) -> Result<(Arc<Queue>, Option<Elsewhere>), Reason> {
        if let Some(queue) = subscriber.queue.get() {
            return Ok((queue, None));
        }
        let (queue, way) = self.directory.queue_named(&destination_of(subscriber)?)?;
        if way.is_none() {
            subscriber.queue.keep(&queue);
        }
        Ok((queue, way.and_then(|way| way.elsewhere)))
    }
}
