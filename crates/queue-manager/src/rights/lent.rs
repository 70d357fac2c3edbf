//! The attributes of definitions that name an object, a user or a place, each with the right that it needs.
//!
//! Lives here: the table, and the names that a definition has by it. Lives elsewhere: judging what a finished
//! definition newly has (`lending`).
//!
//! Always: each attribute that acts and whose value is a name or a text has one row; one that gives access to
//! nothing says why.

use mqi::constants::*;
use mqi::{ObjectDescriptor, ObjectName};
use objects::attributes::{self, Subject};
use objects::{Definition, Family, ObjectType as DefinedType, Value};
use security::ObjectKind;
use security::authority::{ObjectType, Set};

use crate::catalogue::topics_of;

/// An attribute.
struct Row {
    family: Family,
    keyword: &'static str,
    lends: Lends,
    /// Attributes of the same definition by which its author reaches what this one names: a change of one has
    /// it judged again.
    by: &'static [&'static str],
}

/// The access that the value of an attribute gives.
#[derive(Clone, Copy)]
enum Lends {
    /// A queue, for these authorities.
    Queue(Set),
    /// A queue on which messages come as they were put: on a transmission queue they say themselves where
    /// they are from. A queue whose messages start something, in the name of those that put them elsewhere,
    /// is for those that may change the queue manager ([`starts_something`]).
    Raw,
    /// The messages that go by DEFXMITQ until a transmission queue or an alias has the name of their queue
    /// manager.
    Redirected,
    /// The target of an alias: all that programs may do with it. A topic behind one is judged for its users,
    /// too.
    Target,
    /// Another queue manager, by the queue there. An alias for this one is another of its names, by which
    /// messages may be under way already: that is for those that may change the queue manager.
    QueueManager,
    /// The queue of a subscription.
    Destination,
    /// The queue of a pipe: messages are taken from it, or put on it with the context that they come with.
    PipeQueue,
    /// The channel that the transmission queue starts.
    TriggeredChannel,
    /// An object of another kind.
    Object(ObjectKind, Set),
    /// A place in the topic tree, which has the records for the name of the object: all that programs may do.
    Place,
    /// The topics of a subscription.
    Topics,
    /// A user that is acted as. None is one as well where there was one before: partners name theirs.
    User,
    /// The identity in messages.
    Identity,
    /// A key of the queue manager, by which it proves to partners to be itself.
    Key,
    /// Nothing, for this reason.
    Nothing(#[expect(dead_code, reason = "for those that read the table")] &'static str),
}

/// A name that a definition has, and the rights that its author needs on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Lent {
    /// An object, or a place in the topic tree by its string.
    Object { kind: ObjectKind, name: ObjectName, text: String, needed: Set },
    /// A queue on which messages come as they were put, for these authorities.
    Raw(ObjectName, Set),
    /// The default transmission queue.
    Redirected,
    /// A queue by the names of queue and queue manager, on which PUT is needed.
    Named(Box<ObjectDescriptor>),
    /// A user; blank for any.
    User(String),
}

/// The queues whose messages start something: commands, channels and programs.
const STARTING: &[&str] = &[
    "SYSTEM.ADMIN.COMMAND.QUEUE",
    "SYSTEM.CHANNEL.INITQ",
    "SYSTEM.CICS.INITIATION.QUEUE",
    "SYSTEM.DEFAULT.INITIATION.QUEUE",
];

/// True for a queue whose messages start something.
pub(super) fn starts_something(queue: &ObjectName) -> bool {
    STARTING.contains(&queue.as_str())
}

const TEXT: Lends = Lends::Nothing("it is text for people and programs");
const JUDGED_AT_USE: Lends = Lends::Nothing("the client that has a queue made by it is judged itself");
const OF_NAME: Lends = Lends::Nothing("the client that uses the name is judged by the name of the object");
const OF_MANAGER: Lends = Lends::Nothing("the record as a whole needs CHG on the queue manager");
const OF_COVER: Lends = Lends::Nothing("the users and queues behind it are judged by their attributes");
const OF_BRIDGE: Lends =
    Lends::Nothing("a bridge takes no message: its pipes are judged by the queues that they name");
const OF_TRIGGER: Lends =
    Lends::Nothing("its program acts as the user of the trigger monitor, which says so");

const fn row(family: Family, keyword: &'static str, lends: Lends) -> Row {
    Row { family, keyword, lends, by: &[] }
}

impl Row {
    const fn by(self, by: &'static [&'static str]) -> Self {
        Self { by, ..self }
    }
}

/// Rights on the model of a queue that is made for a subscriber, as an open of the model needs them.
const OF_MODEL: Set = Set::DSP.with(Set::PUT).with(Set::GET).with(Set::BROWSE);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(Family::Queue, "BOQNAME", Lends::Raw),
    row(Family::Queue, "INITQ", Lends::Queue(Set::PUT)),
    row(Family::Queue, "STREAMQ", Lends::Raw),
    row(Family::Queue, "PROCESS", Lends::Object(ObjectKind::Process, Set::INQ)),
    row(Family::Queue, "TRIGDATA", Lends::TriggeredChannel).by(&["USAGE", "TRIGGER", "INITQ"]),
    row(Family::Queue, "TARGET", Lends::Target),
    row(Family::Queue, "RNAME", Lends::Redirected),
    row(Family::Queue, "RQMNAME", Lends::QueueManager).by(&["RNAME", "XMITQ"]),
    row(Family::Queue, "XMITQ", Lends::Queue(Set::PUT)).by(&["RNAME", "RQMNAME"]),
    row(Family::Queue, "USAGE", Lends::Redirected),
    row(Family::Queue, "AMQPNAME", OF_NAME),
    row(Family::Queue, "DESCR", TEXT),
    row(Family::Queue, "CUSTOM", TEXT),

    row(Family::QueueManager, "DEADQ", Lends::Queue(Set::PUT)),
    row(Family::QueueManager, "DEFXMITQ", Lends::Queue(Set::PUT)),
    row(Family::QueueManager, "CONNAUTH", Lends::Object(ObjectKind::Authentication, Set::DSP)),
    row(Family::QueueManager, "CERTLABL", Lends::Key),
    row(Family::QueueManager, "DESCR", TEXT),
    row(Family::QueueManager, "CUSTOM", TEXT),

    row(Family::Channel, "XMITQ", Lends::Queue(Set::GET)).by(&["CONNAME", "SSLPEER", "SSLCIPH", "SSLCAUTH"]),
    row(Family::Channel, "MCAUSER", Lends::User).by(&["CONNAME", "SSLPEER", "SSLCIPH", "SSLCAUTH", "PUTAUT"]),
    row(Family::Channel, "CERTLABL", Lends::Key),
    row(Family::Channel, "CONNAME", OF_COVER),
    row(Family::Channel, "LOCLADDR", OF_COVER),
    row(Family::Channel, "SSLCIPH", OF_COVER),
    row(Family::Channel, "SSLPEER", OF_COVER),
    row(Family::Channel, "AUTOMDL", JUDGED_AT_USE),
    row(Family::Channel, "AUTOPRF", JUDGED_AT_USE),
    row(Family::Channel, "TMPMODEL", JUDGED_AT_USE),
    row(Family::Channel, "TMPQPRFX", JUDGED_AT_USE),
    row(Family::Channel, "DESCR", TEXT),

    row(Family::Listener, "AMQPCHL", Lends::Object(ObjectKind::Channel, Set::CTRL)),
    row(Family::Listener, "IPADDR", Lends::Nothing("the host judges what other machines may reach")),
    row(Family::Listener, "DESCR", TEXT),

    row(Family::Topic, "TOPICSTR", Lends::Place),
    row(Family::Topic, "MDURMDL", Lends::Queue(OF_MODEL)),
    row(Family::Topic, "MNDURMDL", Lends::Queue(OF_MODEL)),
    row(Family::Topic, "AMQPNAME", OF_NAME),
    row(Family::Topic, "DESCR", TEXT),
    row(Family::Topic, "CUSTOM", TEXT),

    row(Family::Subscription, "TOPICSTR", Lends::Topics).by(&["SUBUSER"]),
    row(Family::Subscription, "TOPICOBJ", Lends::Nothing("it is judged with TOPICSTR, as a whole string")),
    row(Family::Subscription, "DEST", Lends::Destination),
    row(Family::Subscription, "DESTQMGR", Lends::Nothing("it is judged with DEST")),
    row(Family::Subscription, "SUBUSER", Lends::User),
    row(Family::Subscription, "PUBACCT", Lends::Identity),
    row(Family::Subscription, "PUBAPPID", Lends::Identity),
    row(Family::Subscription, "DESTCORL", TEXT),
    row(Family::Subscription, "SELECTOR", TEXT),
    row(Family::Subscription, "USERDATA", TEXT),

    row(Family::Process, "APPLICID", OF_TRIGGER),
    row(Family::Process, "ENVRDATA", OF_TRIGGER),
    row(Family::Process, "USERDATA", OF_TRIGGER),
    row(Family::Process, "DESCR", TEXT),

    row(Family::Namelist, "NAMES", Lends::Nothing("nothing acts on the names of a list")),
    row(Family::Namelist, "DESCR", TEXT),
    row(Family::Service, "DESCR", TEXT),
    row(Family::Authentication, "DESCR", TEXT),
    row(Family::CommunicationInformation, "DESCR", TEXT),

    row(Family::Bridge, "CERTLABL", Lends::Key),
    row(Family::Bridge, "CHANNEL", Lends::Nothing("the other system judges the user of the bridge")),
    row(Family::Bridge, "CONNAME", OF_BRIDGE),
    row(Family::Bridge, "GROUP", OF_BRIDGE),
    row(Family::Bridge, "PASSWORD", OF_BRIDGE),
    row(Family::Bridge, "USERID", OF_BRIDGE),
    row(Family::Bridge, "DESCR", TEXT),

    row(Family::Pipe, "BRIDGE", Lends::Object(ObjectKind::Bridge, Set::CTRL)),
    row(Family::Pipe, "DEADQ", Lends::Queue(Set::PUT)),
    row(Family::Pipe, "FOREIGN", Lends::Nothing("the other system judges the user of the bridge")),
    row(Family::Pipe, "MCAUSER", Lends::User).by(&["BRIDGE", "FOREIGN"]),
    row(Family::Pipe, "QUEUE", Lends::PipeQueue),
    row(Family::Pipe, "DESCR", TEXT),

    row(Family::ChannelRule, "MCAUSER", Lends::User),
    row(Family::ChannelRule, "CHLAUTH", OF_MANAGER),
    row(Family::ChannelRule, "ADDRESS", OF_MANAGER),
    row(Family::ChannelRule, "ADDRLIST", OF_MANAGER),
    row(Family::ChannelRule, "CLNTUSER", OF_MANAGER),
    row(Family::ChannelRule, "QMNAME", OF_MANAGER),
    row(Family::ChannelRule, "SSLPEER", OF_MANAGER),
    row(Family::ChannelRule, "SSLCERTI", OF_MANAGER),
    row(Family::ChannelRule, "USERLIST", OF_MANAGER),
    row(Family::ChannelRule, "DESCR", TEXT),
    row(Family::ChannelRule, "CUSTOM", TEXT),
];

/// The names that a finished definition newly has, each by the keyword of its attribute. What stood in the
/// definition before is none of them.
pub(crate) fn newly_lent(
    before: Option<&Definition>,
    after: &Definition,
    own: ObjectName,
) -> Vec<(&'static str, Lent)> {
    let family = after.object_type().family();
    let rows = ROWS.iter().filter(|row| row.family == family);
    let newly = rows.filter_map(|row| Some((row.keyword, row.newly(before, after, own)?)));
    newly.collect()
}

impl Row {
    fn newly(&self, before: Option<&Definition>, after: &Definition, own: ObjectName) -> Option<Lent> {
        let had = before.and_then(|before| self.lent(before, own));
        let is_reached_anew = before.is_some_and(|before| {
            self.by.iter().any(|keyword| value(before, keyword) != value(after, keyword))
        });
        match (self.lent(after, own), had) {
            (Some(now), had) => (is_reached_anew || had.as_ref() != Some(&now)).then_some(now),
            // Partners name their user from now on.
            (None, Some(Lent::User(_))) => Some(Lent::User(String::new())),
            (None, _) => None,
        }
    }

    /// True for a transmission queue, and for an alias of a queue manager.
    fn redirects(&self, of: &Definition) -> bool {
        let is_blank = |keyword| value(of, keyword).is_some_and(|name| name.as_text() == Some(""));
        match of.object_type() {
            DefinedType::LocalQueue => {
                self.keyword == "USAGE" && value(of, "USAGE") == Some(Value::Integer(MQUS_TRANSMISSION))
            }
            DefinedType::RemoteQueue => self.keyword == "RNAME" && is_blank("RNAME") && !is_blank("RQMNAME"),
            _ => false,
        }
    }

    /// The name that a definition has by this attribute.
    fn lent(&self, of: &Definition, own: ObjectName) -> Option<Lent> {
        if let Lends::Topics = self.lends {
            let text = topics_of(of).ok()?.fixed_part().to_owned();
            let (kind, name) = (ObjectKind::Topic, ObjectName::BLANK);
            return Some(Lent::Object { kind, name, text, needed: Set::SUB });
        }
        if let Lends::Redirected = self.lends {
            return self.redirects(of).then_some(Lent::Redirected);
        }
        let own_value = value(of, self.keyword)?;
        let text = own_value.as_text().map(str::trim_end).filter(|text| !text.is_empty())?;
        let object = |kind, needed| {
            let name = text.parse().ok()?;
            Some(Lent::Object { kind, name, text: String::new(), needed })
        };
        let of_manager = |needed| {
            let (kind, name) = (ObjectKind::QueueManager, ObjectName::BLANK);
            Some(Lent::Object { kind, name, text: text.to_owned(), needed })
        };
        let is = |keyword, number| value(of, keyword) == Some(Value::Integer(number));
        let all = |object_type: ObjectType| object_type.named("ALLMQI").expect("every type has such a set");
        match self.lends {
            Lends::Nothing(_) | Lends::Topics | Lends::Redirected => None,
            Lends::Queue(needed) => object(ObjectKind::Queue, needed),
            Lends::PipeQueue if is("DIRECT", attributes::PIPE_DIRECTION_IN) => {
                Some(Lent::Raw(text.parse().ok()?, Set::PUT))
            }
            Lends::PipeQueue => object(ObjectKind::Queue, Set::GET),
            Lends::Raw => Some(Lent::Raw(text.parse().ok()?, Set::PUT)),
            Lends::Object(kind, needed) => object(kind, needed),
            Lends::Target if is("TARGTYPE", MQOT_TOPIC) => object(ObjectKind::Topic, Set::PUB),
            Lends::Target => Some(Lent::Raw(text.parse().ok()?, all(ObjectType::Queue))),
            Lends::QueueManager => {
                let names_queue = value(of, "RNAME").is_some_and(|name| name.as_text() != Some(""));
                match text == own.as_str() {
                    false => object(ObjectKind::RemoteQueueManager, Set::PUT),
                    // It leads nowhere, and as a reply-to queue it is judged when the reply is put.
                    true if names_queue => None,
                    true => of_manager(Set::CHG),
                }
            }
            Lends::Destination if is("DESTCLAS", MQDC_MANAGED) => None,
            Lends::Destination => {
                let manager = value(of, "DESTQMGR");
                let manager = manager.as_ref().and_then(Value::as_text).unwrap_or_default();
                Some(Lent::Named(Box::new(ObjectDescriptor {
                    object_queue_manager_name: manager.trim_end().parse().ok()?,
                    ..ObjectDescriptor::queue(text.parse().ok()?)
                })))
            }
            // Blanks before the name are none of it.
            Lends::TriggeredChannel if is("USAGE", MQUS_TRANSMISSION) => Some(Lent::Object {
                kind: ObjectKind::Channel,
                name: text.trim().parse().ok()?,
                text: String::new(),
                needed: Set::CTRL,
            }),
            Lends::TriggeredChannel => None,
            Lends::Place => Some(Lent::Object {
                kind: ObjectKind::Topic,
                name: ObjectName::BLANK,
                text: text.to_owned(),
                needed: all(ObjectType::Topic),
            }),
            Lends::User => Some(Lent::User(text.to_owned())),
            Lends::Identity if is_zeros(text) => None,
            Lends::Identity => of_manager(Set::SETID),
            Lends::Key => of_manager(Set::CHG),
        }
    }
}

/// True for bytes of which none is set.
fn is_zeros(digits: &str) -> bool {
    digits.bytes().all(|digit| digit == b'0')
}

fn value(of: &Definition, keyword: &str) -> Option<Value> {
    let row = attributes::by_keyword(Subject::Object(of.object_type()), keyword)?;
    of.value(row)
}

#[cfg(test)]
mod tests {
    use super::ROWS;
    use objects::ObjectType;
    use objects::attributes::{self, Effect, Kind};

    /// Attributes whose values are names or texts, and which act.
    fn naming() -> impl Iterator<Item = (ObjectType, &'static attributes::Attribute)> {
        ObjectType::all().flat_map(|object_type| {
            let rows = attributes::stored(object_type).filter(|row| {
                let is_text = !matches!(
                    row.kind,
                    Kind::Integer { .. } | Kind::Choice { .. } | Kind::Switch { .. } | Kind::Words { .. }
                );
                is_text && row.is_settable() && row.effect == Effect::Active
            });
            rows.map(move |row| (object_type, row))
        })
    }

    #[test]
    fn each_attribute_that_may_name_something_has_one_row() {
        for (object_type, attribute) in naming() {
            let family = object_type.family();
            let rows = ROWS.iter().filter(|row| row.family == family && row.keyword == attribute.keyword);
            let found = rows.count();
            assert_eq!(
                found, 1,
                "{} of {object_type:?}: say in `ROWS` which right its value needs, or why none",
                attribute.keyword
            );
        }
    }

    #[test]
    fn each_row_is_of_an_attribute_and_the_attributes_beside_it_exist() {
        for row in ROWS {
            let has = |keyword: &str| {
                let types = ObjectType::all().filter(|object_type| object_type.family() == row.family);
                types
                    .map(attributes::Subject::Object)
                    .any(|subject| attributes::by_keyword(subject, keyword).is_some())
            };
            assert!(has(row.keyword), "{:?} {}", row.family, row.keyword);
            for keyword in row.by {
                assert!(has(keyword), "{:?} {} by {keyword}", row.family, row.keyword);
            }
        }
    }
}
