//! What a subscriber is given of a publication.
//!
//! Its messages are the publication with the subscription's correlation identifier and identity, with its priority, and with
//! properties that say what it is a publication of.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::By;
use mqi::{AccountingToken, Expiry, MessageDescriptor, Persistence, Priority, Reason, Text};
use objects::QueueAttributes;
use platform::WallTime;

use super::Publication;
use super::headers::Headers;
use crate::catalogue::{PublishedProperties, Subscriber, SubscriberPriority};
use crate::engine::Engine;
use crate::message::Payload;
use crate::message::presentation::{self, Front};
use crate::queue::Queue;
use crate::queue::arrival::Arrival;
use crate::reports::content::Report;
use crate::reports::kind::Kind;
use crate::reports::suits;
use crate::way::Elsewhere;

/// A copy for one subscriber.
pub(super) struct Made {
    pub(super) copy: Report,
    /// The queue that takes it now, for itself or on the way to another queue manager.
    pub(super) taken: Result<(Arc<Queue>, Option<Elsewhere>), Reason>,
}

/// The copies of one publication. Those that say the same have the same body, which is made once.
pub(super) struct Copies<'a> {
    publication: &'a Publication,
    headers: &'a Headers,
    /// Whether there are more than one.
    are_several: bool,
    /// When they are put, read with the first.
    put_at: Option<WallTime>,
    bodies: Vec<Body>,
}

/// A body of the copies for those who want the same of it.
struct Body {
    form: PublishedProperties,
    user_data: Box<str>,
    place: Place,
    body: Bytes,
    /// How long it is without properties.
    data_length: usize,
    /// What is to be seen of them, where others have the same body.
    front: Option<Front>,
}

impl<'a> Copies<'a> {
    /// Those of so many subscribers.
    pub(super) fn of(publication: &'a Publication, headers: &'a Headers, count: usize) -> Self {
        Self { publication, headers, are_several: count > 1, put_at: None, bodies: Vec::new() }
    }

    /// The copy for a subscriber, and whether its queue takes it now.
    ///
    /// # Errors
    /// The reason that there can be no copy.
    pub(super) fn for_subscriber(
        &mut self,
        engine: &Engine,
        subscriber: &Subscriber,
    ) -> Result<Made, Reason> {
        let to = subscriber.destination.as_ref().ok_or(Reason::UNKNOWN_OBJECT_NAME)?.descriptor();
        let (descriptor, body) = self.message_for(engine, subscriber)?;
        let (body, data_length) = (body.body.clone(), body.data_length);
        let mut copy = Report {
            descriptor,
            body,
            reply_to: to,
            may_trigger: true,
            is_promised: false,
            is_streamed: true,
            is_body_shared: self.are_several,
        };
        // How long it is without properties was looked at once for all.
        let taken = engine.queue_for_copy(subscriber, &copy, data_length);
        let attributes = taken.as_ref().ok().map(|(queue, _)| queue.attributes());
        settle(&mut copy.descriptor, subscriber, attributes.as_deref().map(|attributes| &**attributes));
        Ok(Made { copy, taken })
    }

    /// The copy for a subscriber as a message on its queue, if nothing is to happen together with it: it is not persistent, nobody
    /// wants to hear that it arrived, its queue is here and has no stream queue.
    pub(super) fn alone(
        &mut self,
        engine: &Engine,
        subscriber: &Subscriber,
    ) -> Option<(Arc<Queue>, Arrival)> {
        let is_reported = Kind::Arrival.is_asked(self.publication.payload.descriptor.report);
        if is_reported || self.is_persistent_for(subscriber) {
            return None;
        }
        let (queue, elsewhere) = engine.queue_of(subscriber).ok()?;
        let attributes = queue.attributes();
        if elsewhere.is_some() || attributes.stream.is_some() {
            return None;
        }
        let (mut descriptor, body) = self.message_for(engine, subscriber).ok()?;
        let (content, front) = (body.body.clone(), body.front);
        suits(&queue, None, &descriptor, body.data_length).ok()?;
        settle(&mut descriptor, subscriber, Some(&attributes));
        drop(attributes);
        let put_at = *self.put_at.get_or_insert_with(|| engine.world.clock.wall());
        let payload = match self.are_several {
            true => Payload::sharing(descriptor, content, front),
            false => Payload::new(descriptor, content),
        };
        Some((queue, engine.arrival_at(put_at, payload)))
    }

    /// Descriptor and body for a subscriber, as far as they do not depend on its queue.
    fn message_for(
        &mut self,
        engine: &Engine,
        subscriber: &Subscriber,
    ) -> Result<(MessageDescriptor, &Body), Reason> {
        let is_persistent = self.is_persistent_for(subscriber);
        let mut descriptor = self.publication.payload.descriptor.clone();
        let body = self.body_for(engine, subscriber)?;
        body.place.describe(&mut descriptor);
        descriptor.correlation_id = subscriber.correlation_id().unwrap_or(descriptor.correlation_id);
        if !subscriber.user.is_blank() {
            descriptor.user_identifier = subscriber.user;
        }
        let (token, data) = (subscriber.accounting_token(), subscriber.identity_data());
        if subscriber.has_identity || token.is_some() {
            descriptor.accounting_token = token.unwrap_or(AccountingToken::NONE);
        }
        if subscriber.has_identity || data.is_some() {
            descriptor.application_identity_data = data.unwrap_or(Text::BLANK);
        }
        if !is_persistent {
            descriptor.persistence = Persistence::NotPersistent;
        }
        Ok((descriptor, body))
    }

    /// Whether a subscriber's copy is persistent: the managed queue of one that is not durable lasts no longer than its program.
    fn is_persistent_for(&self, subscriber: &Subscriber) -> bool {
        self.publication.payload.descriptor.persistence == Persistence::Persistent
            && (subscriber.is_durable || !subscriber.is_managed)
    }

    fn body_for(&mut self, engine: &Engine, subscriber: &Subscriber) -> Result<&Body, Reason> {
        let form = subscriber.properties;
        let is_this = |made: &Body| made.form == form && *made.user_data == *subscriber.user_data();
        let made = match self.bodies.iter().position(is_this) {
            Some(made) => made,
            None => {
                let made = self.make_body(engine, form, subscriber.user_data())?;
                self.bodies.push(made);
                self.bodies.len() - 1
            }
        };
        Ok(&self.bodies[made])
    }

    fn make_body(&self, engine: &Engine, form: PublishedProperties, user_data: &str) -> Result<Body, Reason> {
        let payload = &self.publication.payload;
        let with_header = |by| self.headers.put_before(self.publication, by, user_data);
        let (place, body) = match form {
            PublishedProperties::None => (Place::of(&payload.descriptor), payload.body.clone()),
            PublishedProperties::MessageProperties => with_header(By::Handle)?,
            PublishedProperties::Header => with_header(By::Message)?,
        };
        // What is put in front for the subscriber is properties alone.
        let data_length = match presentation::may_have(&payload.descriptor) {
            true => presentation::data_length(&place, &body),
            false => payload.body.len(),
        };
        let front = self.are_several.then(|| Front::of(&place, &body)).flatten();
        let body = if self.are_several { engine.memory.shared(body) } else { body };
        Ok(Body { form, user_data: user_data.into(), place, body, data_length, front })
    }
}

impl Engine {
    /// The queue of a subscription, and where its messages go from there; by its name unless it was found so before.
    fn queue_of(&self, subscriber: &Subscriber) -> Result<(Arc<Queue>, Option<Elsewhere>), Reason> {
        match subscriber.queue.get() {
            Some(queue) => Ok((queue, None)),
            None => self.queue_found_for(subscriber),
        }
    }

    fn queue_found_for(&self, subscriber: &Subscriber) -> Result<(Arc<Queue>, Option<Elsewhere>), Reason> {
        let destination = subscriber.destination.as_ref().ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
        let (queue, way) = self.queue_named(&destination.descriptor())?;
        if way.is_none() {
            subscriber.queue.keep(&queue);
        }
        Ok((queue, way.and_then(|way| way.elsewhere)))
    }

    /// The same if it takes this copy now, which is so long without its properties.
    fn queue_for_copy(
        &self,
        subscriber: &Subscriber,
        copy: &Report,
        data_length: usize,
    ) -> Result<(Arc<Queue>, Option<Elsewhere>), Reason> {
        if let Some(queue) = subscriber.queue.get() {
            match self.ensure_takes(&queue, None, copy, data_length) {
                // The name may be that of another queue by now.
                Err(_) if queue.is_deleted() => subscriber.queue.forget(),
                taken => return taken.map(|()| (queue, None)),
            }
        }
        let (queue, elsewhere) = self.queue_found_for(subscriber)?;
        self.ensure_takes(&queue, elsewhere.as_ref(), copy, data_length)?;
        Ok((queue, elsewhere))
    }
}

/// Priority and expiry of a copy, which its subscription or its queue may give.
fn settle(descriptor: &mut MessageDescriptor, subscriber: &Subscriber, queue: Option<&QueueAttributes>) {
    match subscriber.priority {
        SubscriberPriority::AsPublished => {}
        SubscriberPriority::Fixed(level) => descriptor.priority = Priority::new(level),
        SubscriberPriority::AsQueue => {
            if let Some(queue) = queue {
                descriptor.priority = Priority::new(queue.default_priority);
            }
        }
    }
    if let Some(most) = queue.and_then(|queue| queue.expiry_max) {
        descriptor.expiry = capped(descriptor.expiry, most);
    }
}

/// An expiry that is not above what may be.
fn capped(expiry: Expiry, most: u32) -> Expiry {
    Expiry::tenths(expiry.limit().map_or(most, |limit| limit.min(most)))
}
