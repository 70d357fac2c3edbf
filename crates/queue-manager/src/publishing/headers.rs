//! Headers that say what messages are publications of, kept from one publication to the next.
//!
//! A header is text, in the encoding and character set of what it stands before: to write it costs more than all else that is done
//! for a publication with one subscriber. Who publishes to a topic writes the same again and again.
//!
//! Always: what is kept is what would be written; a topic has few of them, whatever its publishers and subscribers do.

use bytes::{Bytes, BytesMut};
use formats::headers::Place;
use formats::properties::{self, By, Property, folder};
use mqi::Reason;
use mqi::properties::{PropertyDescriptor, PropertyValue};
use platform::sync::Mutex;

use super::{Publication, Retention};
use crate::message::presentation::Front;

/// Most headers that are kept for a way to a topic: its publishers write one format and one character set as a rule, and its subscribers
/// have few texts of their own.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// What a body behind it is.
    pub(super) place: Place,
    /// What is to be seen of the properties, unless the body itself begins with more of them.
    pub(super) front: Option<Front>,
    bytes: Bytes,
}

impl Written {
    /// A body behind it.
    pub(super) fn before(&self, body: &Bytes) -> Bytes {
        let mut whole = BytesMut::with_capacity(self.bytes.len() + body.len());
        whole.extend_from_slice(&self.bytes);
        whole.extend_from_slice(body);
        whole.freeze()
    }
}

impl Headers {
    /// The header for a subscriber with this text.
    pub(super) fn of(&self, publication: &Publication, by: By, user_data: &str) -> Result<Written, Reason> {
        let before = Place::of(&publication.payload.descriptor);
        // One that was retained says so.
        if publication.retention == Retention::Was {
            return write(publication, by, &before, user_data);
        }
        let mut kept = self.0.lock();
        let is_for =
            |header: &&Header| header.by == by && header.before == before && *header.user_data == *user_data;
        if let Some(header) = kept.iter().find(is_for) {
            return Ok(header.written.clone());
        }
        let written = write(publication, by, &before, user_data)?;
        if kept.len() == KEPT_MAX {
            kept.remove(0);
        }
        kept.push(Header { by, before, user_data: user_data.into(), written: written.clone() });
        Ok(written)
    }
}

fn write(publication: &Publication, by: By, before: &Place, user_data: &str) -> Result<Written, Reason> {
    let told = told(publication, user_data);
    let folders = folder::write(&told.iter().collect::<Vec<_>>());
    let (place, bytes) = properties::put_before_as(folders, by, before, &Bytes::new())?;
    Ok(Written { place, front: Front::of(&place, &bytes), bytes })
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use mqi::MessageDescriptor;
    use objects::Moment;
    use topic::{LEVEL_MAX, Scope, TopicString};

    use super::*;
    use crate::message::Payload;

    fn publication(format: &str, body: &'static str, retention: Retention) -> Publication {
        let descriptor =
            MessageDescriptor { format: mqi::Text::truncated(format), ..MessageDescriptor::default() };
        Publication {
            topic: TopicString::new("price/tin").expect("a topic"),
            payload: Arc::new(Payload::new(descriptor, Bytes::from_static(body.as_bytes()))),
            at: Moment(0),
            level: LEVEL_MAX,
            scope: Scope::All,
            not_to: None,
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
                        let written = Headers::default().of(&of, by, user_data).expect("it can be written");
                        let found = kept.of(&of, by, user_data).expect("it can be written");
                        assert_eq!(found, written, "{format} {user_data}");
                        let whole = found.before(&of.payload.body);
                        assert!(whole.ends_with(&of.payload.body) && found.place.format.as_str() == "MQHRF2");
                        assert_eq!(found.front, Front::of(&found.place, &whole), "{format} {user_data}");
                        bodies.push(whole);
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
