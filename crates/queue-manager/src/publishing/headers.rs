//! Headers that say what messages are publications of, kept from one publication to the next.
//!
//! A header is text, in the encoding and character set of the bytes behind it: writing it costs more than all
//! other work for a publication with one subscriber. A publisher to a topic writes the same header again and
//! again.
//!
//! Always: a kept header equals the one that would be written; a topic has few of them, for any publishers
//! and subscribers.

use bytes::Bytes;
use formats::headers::Place;
use formats::properties::{self, By, Property, folder};
use mqi::properties::{PropertyDescriptor, PropertyValue};
use mqi::{Body, Reason};
use platform::sync::Mutex;
use queues::message::presentation::Front;
use queues::message::publication::{Publication, Retention};
use topic::TopicString;

use crate::catalogue::PublishedProperties;

/// Most headers that are kept for a way to a topic: its publishers write one format and one character set as
/// a rule, and its subscribers have few texts of their own.
const KEPT_MAX: usize = 4;

/// The headers of publications that went by one way.
#[derive(Debug, Default)]
pub(crate) struct Headers(Mutex<Vec<Header>>);

/// A header, and what it was written for.
#[derive(Debug)]
struct Header {
    by: By,
    before: Place,
    user_data: Box<str>,
    written: Written,
}

/// A header as it stands before a body.
#[derive(Debug)]
struct Written {
    place: Place,
    front: Option<Front>,
    bytes: Bytes,
}

/// A body behind a header.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Headed {
    /// Description of the bytes.
    pub(super) place: Place,
    /// Header of properties, unless the body itself begins with more of them.
    pub(super) front: Option<Front>,
    pub(super) body: Bytes,
}

impl Written {
    #[inline]
    fn before(&self, body: &[u8]) -> Headed {
        let mut whole = Vec::with_capacity(self.bytes.len() + body.len());
        whole.extend_from_slice(&self.bytes);
        whole.extend_from_slice(body);
        Headed { place: self.place, front: self.front, body: whole.into() }
    }
}

/// Of what a message is a publication.
#[derive(Clone, Copy)]
pub(super) struct About<'a> {
    pub(super) topic: &'a TopicString,
    /// Description of its body.
    pub(super) place: Place,
    /// True if it was retained, and goes to a later subscriber.
    pub(super) was_retained: bool,
}

impl<'a> From<&'a Publication> for About<'a> {
    fn from(publication: &'a Publication) -> Self {
        let Publication { topic, payload, retention, .. } = publication;
        Self { topic, place: Place::of(&payload.descriptor), was_retained: *retention == Retention::Was }
    }
}

impl Headers {
    /// The body of a publication as a subscriber with this text is given it.
    #[inline]
    pub(super) fn in_form(
        &self,
        form: PublishedProperties,
        body: &Body<'_>,
        about: About<'_>,
        user_data: &str,
    ) -> Result<Headed, Reason> {
        match form {
            PublishedProperties::None => {
                Ok(Headed { place: about.place, front: None, body: body.clone().into_bytes() })
            }
            PublishedProperties::MessageProperties => self.before(body, about, By::Handle, user_data),
            PublishedProperties::Header => self.before(body, about, By::Message, user_data),
        }
    }

    /// Puts a header before a body, from the kept ones where one fits.
    fn before(&self, body: &[u8], about: About<'_>, by: By, user_data: &str) -> Result<Headed, Reason> {
        // One that was retained says so.
        if about.was_retained {
            return Ok(write(about, by, user_data)?.before(body));
        }
        let mut kept = self.0.lock();
        let is_for = |header: &&Header| {
            header.by == by && header.before == about.place && is_same_text(&header.user_data, user_data)
        };
        if let Some(header) = kept.iter().find(is_for) {
            return Ok(header.written.before(body));
        }
        let written = write(about, by, user_data)?;
        let headed = written.before(body);
        if kept.len() == KEPT_MAX {
            kept.remove(0);
        }
        kept.push(Header { by, before: about.place, user_data: user_data.into(), written });
        Ok(headed)
    }
}

/// True if two texts are the same. Most are empty: comparing those is a masked load at a null address, for
/// which some processors take 0.1 µs.
pub(super) fn is_same_text(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

fn write(about: About<'_>, by: By, user_data: &str) -> Result<Written, Reason> {
    let told = told(about, user_data);
    let folders = folder::write(&told.iter().collect::<Vec<_>>());
    let (place, bytes) = properties::put_before_as(folders, by, &about.place, &Bytes::new())?;
    Ok(Written { place, front: Front::of(&place, &bytes), bytes })
}

/// The properties that say what a message is a publication of.
fn told(about: About<'_>, user_data: &str) -> Vec<Property> {
    let text = |name: &str, value: &str| Property {
        name: name.to_owned(),
        value: PropertyValue::Text(value.to_owned()),
        descriptor: PropertyDescriptor::default(),
        foreign_type: None,
    };
    let mut told = vec![text("mqps.Top", about.topic.as_str())];
    if about.was_retained {
        told.push(Property { value: PropertyValue::Boolean(true), ..text("mqps.Ret", "") });
    }
    if !user_data.is_empty() {
        told.push(text("mqps.Sud", user_data));
    }
    told
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mqi::MessageDescriptor;
    use objects::Moment;
    use topic::{LEVEL_MAX, Scope, TopicString};

    use super::*;
    use queues::message::Payload;
    use queues::message::publication::Reach;

    fn publication(format: &str, body: &'static str, retention: Retention) -> Publication {
        let descriptor =
            MessageDescriptor { format: mqi::Text::truncated(format), ..MessageDescriptor::default() };
        Publication {
            topic: TopicString::new("price/tin").expect("a topic"),
            payload: Arc::new(Payload::new(descriptor, Bytes::from_static(body.as_bytes()))),
            at: Moment(0),
            deliver_at: 0,
            maker: Box::default(),
            reach: Reach { level: LEVEL_MAX, scope: Scope::All, not_to: None, from: None },
            retention,
        }
    }

    #[test]
    fn what_is_kept_is_what_would_be_written() {
        let kept = Headers::default();
        let mut bodies = Vec::new();
        for _ in 0..2 {
            for (number, format) in ["", "MQSTR", "MQHREF", "MINE"].into_iter().enumerate() {
                for (by, user_data) in [(By::Handle, ""), (By::Handle, "mine"), (By::Message, "")] {
                    for retention in [Retention::None, Retention::IsToBe, Retention::Was] {
                        let of = publication(format, ["a", "bb", "ccc", ""][number], retention);
                        let before = |headers: &Headers| {
                            let headed = headers.before(&of.payload.body, About::from(&of), by, user_data);
                            headed.expect("it can be written")
                        };
                        let found = before(&kept);
                        assert_eq!(found, before(&Headers::default()), "{format} {user_data}");
                        let Headed { place, front, body } = found;
                        assert!(body.ends_with(&of.payload.body) && place.format.as_str() == "MQHRF2");
                        assert_eq!(front, Front::of(&place, &body), "{format} {user_data}");
                        bodies.push(body);
                    }
                }
            }
        }
        assert!(kept.0.lock().len() <= KEPT_MAX);
        bodies.sort();
        bodies.dedup();
        // What is to be retained is told like what is not; what was retained is told so.
        assert_eq!(bodies.len(), 4 * 3 * 2);
    }
}
