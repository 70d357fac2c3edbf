//! What a subscriber is given of a publication.
//!
//! Its messages are the publication with the subscription's correlation identifier and identity, with its priority, and with
//! properties that say what it is a publication of.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::{self, By, Property, folder};
use mqi::properties::{PropertyDescriptor, PropertyValue};
use mqi::{AccountingToken, Expiry, MessageDescriptor, Persistence, Priority, Reason};

use super::{Publication, Retention};
use crate::catalogue::{PublishedProperties, Subscriber, SubscriberPriority};
use crate::engine::Engine;
use crate::queue::Queue;
use crate::queue::arrival::Arrival;
use crate::reports::content::Report;
use crate::reports::kind::Kind;

/// A copy for one subscriber.
pub(super) struct Made {
    pub(super) copy: Report,
    /// Whether its queue takes it now: on this queue manager, or on the way to another.
    pub(super) taken: Result<Arrives, Reason>,
}

/// Where a copy arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrives {
    Here,
    Elsewhere,
}

/// The copies of one publication. Those that say the same have the same body, which is made once.
pub(super) struct Copies<'a> {
    publication: &'a Publication,
    /// Whether there are more than one.
    are_several: bool,
    bodies: Vec<(PublishedProperties, Box<str>, (Place, Bytes))>,
}

impl<'a> Copies<'a> {
    /// Those of so many subscribers.
    pub(super) fn of(publication: &'a Publication, count: usize) -> Self {
        Self { publication, are_several: count > 1, bodies: Vec::new() }
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
        let to = subscriber.destination.clone().ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
        let (descriptor, body) = self.message_for(engine, subscriber)?;
        let mut copy = Report {
            descriptor,
            body,
            reply_to: to,
            may_trigger: true,
            is_promised: false,
            is_streamed: true,
            is_body_shared: self.are_several,
        };
        let found = engine.queue_for(&copy, &copy.reply_to);
        let queue = found.as_ref().ok().map(|(queue, _)| &**queue);
        settle(&mut copy.descriptor, subscriber, queue);
        let taken = found.map(|(_, elsewhere)| match elsewhere {
            None => Arrives::Here,
            Some(_) => Arrives::Elsewhere,
        });
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
        let to = subscriber.destination.as_ref()?;
        let (mut descriptor, body) = self.message_for(engine, subscriber).ok()?;
        let (queue, elsewhere) = engine.queue_named(to, &descriptor, &body).ok()?;
        if elsewhere.is_some() || queue.attributes().stream.is_some() {
            return None;
        }
        settle(&mut descriptor, subscriber, Some(&queue));
        let arrival = engine.arrival_of(descriptor, body, self.are_several);
        Some((queue, arrival))
    }

    /// Descriptor and body for a subscriber, as far as they do not depend on its queue.
    fn message_for(
        &mut self,
        engine: &Engine,
        subscriber: &Subscriber,
    ) -> Result<(MessageDescriptor, Bytes), Reason> {
        let (place, body) = self.body_for(engine, subscriber)?;
        let mut descriptor = self.publication.payload.descriptor.clone();
        place.describe(&mut descriptor);
        descriptor.correlation_id = subscriber.correlation_id.unwrap_or(descriptor.correlation_id);
        if !subscriber.user.is_blank() {
            descriptor.user_identifier = subscriber.user;
        }
        if subscriber.has_identity || subscriber.accounting_token != AccountingToken::NONE {
            descriptor.accounting_token = subscriber.accounting_token;
        }
        if subscriber.has_identity || !subscriber.identity_data.is_blank() {
            descriptor.application_identity_data = subscriber.identity_data;
        }
        if !self.is_persistent_for(subscriber) {
            descriptor.persistence = Persistence::NotPersistent;
        }
        Ok((descriptor, body))
    }

    /// Whether a subscriber's copy is persistent: the managed queue of one that is not durable lasts no longer than its program.
    fn is_persistent_for(&self, subscriber: &Subscriber) -> bool {
        self.publication.payload.descriptor.persistence == Persistence::Persistent
            && (subscriber.is_durable || !subscriber.is_managed)
    }

    fn body_for(&mut self, engine: &Engine, subscriber: &Subscriber) -> Result<(Place, Bytes), Reason> {
        let form = subscriber.properties;
        let made = self.bodies.iter().find(|(of, data, _)| *of == form && *data == subscriber.user_data);
        if let Some((_, _, made)) = made {
            return Ok(made.clone());
        }
        let payload = &self.publication.payload;
        let place = Place::of(&payload.descriptor);
        let by = match form {
            PublishedProperties::None => None,
            PublishedProperties::MessageProperties => Some(By::Handle),
            PublishedProperties::Header => Some(By::Message),
        };
        let (place, body) = match by {
            None => (place, payload.body.clone()),
            Some(by) => {
                let told = told(self.publication, &subscriber.user_data);
                let folders = folder::write(&told.iter().collect::<Vec<_>>());
                properties::put_before_as(folders, by, &place, &payload.body)?
            }
        };
        let body = if self.are_several { engine.memory.shared(body) } else { body };
        self.bodies.push((form, subscriber.user_data.clone(), (place, body.clone())));
        Ok((place, body))
    }
}

/// Priority and expiry of a copy, which its subscription or its queue may give.
fn settle(descriptor: &mut MessageDescriptor, subscriber: &Subscriber, queue: Option<&Queue>) {
    match subscriber.priority {
        SubscriberPriority::AsPublished => {}
        SubscriberPriority::Fixed(level) => descriptor.priority = Priority::new(level),
        SubscriberPriority::AsQueue => {
            if let Some(queue) = queue {
                descriptor.priority = Priority::new(queue.attributes().default_priority);
            }
        }
    }
    if let Some(most) = queue.and_then(|queue| queue.attributes().expiry_max) {
        descriptor.expiry = capped(descriptor.expiry, most);
    }
}

/// The properties that say what a message is a publication of.
fn told(publication: &Publication, user_data: &str) -> Vec<Property> {
    let text = |name: &str, value: &str| Property {
        name: name.to_owned(),
        value: PropertyValue::Text(value.to_owned()),
        descriptor: PropertyDescriptor::default(),
        foreign_type: None,
    };
    let mut told = vec![text("mqps.Top", publication.topic.as_str())];
    if publication.retention == Retention::Was {
        told.push(Property { value: PropertyValue::Boolean(true), ..text("mqps.Ret", "") });
    }
    if !user_data.is_empty() {
        told.push(text("mqps.Sud", user_data));
    }
    told
}

/// An expiry that is not above what may be.
fn capped(expiry: Expiry, most: u32) -> Expiry {
    Expiry::tenths(expiry.limit().map_or(most, |limit| limit.min(most)))
}
