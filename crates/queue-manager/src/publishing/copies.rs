//! What a subscriber is given of a publication.
//!
//! Its messages are the publication with the subscription's correlation identifier and identity, with its priority, and with
//! properties that say what it is a publication of.

use std::sync::Arc;

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::{self, By, Property, folder};
use mqi::properties::{PropertyDescriptor, PropertyValue};
use mqi::{AccountingToken, Expiry, Persistence, Priority, Reason};

use super::{Publication, Retention};
use crate::catalogue::{PublishedProperties, Subscriber, SubscriberPriority};
use crate::engine::Engine;
use crate::queue::Queue;
use crate::reports::content::Report;
use crate::reports::kind::Kind;

/// A copy for one subscriber.
pub(super) struct Made {
    pub(super) copy: Report,
    /// Whether its queue takes it: on this queue manager, or on the way to another.
    pub(super) taken: Result<Arrives, Reason>,
    /// The queue of one that nothing else depends on: it is not persistent, nobody wants to hear that it arrived, and the queue has
    /// no stream queue. Such a queue was not asked whether it has room.
    pub(super) alone: Option<Arc<Queue>>,
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

    /// The copy for a subscriber, and whether its queue takes it now. One that may be left out is put alone where it can be.
    ///
    /// # Errors
    /// The reason that there can be no copy.
    pub(super) fn for_subscriber(
        &mut self,
        engine: &Engine,
        subscriber: &Subscriber,
        may_be_left_out: bool,
    ) -> Result<Made, Reason> {
        let to = subscriber.destination.clone().ok_or(Reason::UNKNOWN_OBJECT_NAME)?;
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
        let mut copy = Report {
            descriptor,
            body,
            reply_to: to,
            may_trigger: true,
            is_promised: false,
            is_streamed: true,
            is_body_shared: self.are_several,
        };
        // The queue of one that is not durable lasts no longer than its program.
        if !subscriber.is_durable && subscriber.is_managed {
            copy.descriptor.persistence = Persistence::NotPersistent;
        }
        let found = engine.queue_named(&copy, &copy.reply_to);
        match subscriber.priority {
            SubscriberPriority::AsPublished => {}
            SubscriberPriority::Fixed(level) => copy.descriptor.priority = Priority::new(level),
            SubscriberPriority::AsQueue => {
                if let Ok((queue, _)) = &found {
                    copy.descriptor.priority = Priority::new(queue.attributes().default_priority);
                }
            }
        }
        if let Ok((queue, _)) = &found
            && let Some(most) = queue.attributes().expiry_max
        {
            copy.descriptor.expiry = capped(copy.descriptor.expiry, most);
        }
        let found = match found {
            Ok((queue, None)) if may_be_left_out && stands_alone(&copy, &queue) => {
                return Ok(Made { copy, taken: Ok(Arrives::Here), alone: Some(queue) });
            }
            Ok(_) => engine.queue_for(&copy, &copy.reply_to),
            Err(reason) => Err(reason),
        };
        let taken = found.map(|(_, elsewhere)| match elsewhere {
            None => Arrives::Here,
            Some(_) => Arrives::Elsewhere,
        });
        Ok(Made { copy, taken, alone: None })
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

/// Whether nothing is to happen together with a copy.
fn stands_alone(copy: &Report, queue: &Queue) -> bool {
    copy.descriptor.persistence != Persistence::Persistent
        && !Kind::Arrival.is_asked(copy.descriptor.report)
        && queue.attributes().stream.is_none()
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
