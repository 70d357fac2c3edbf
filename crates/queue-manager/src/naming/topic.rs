//! The topic that a name leads to: that of an object, of a string, of both together, or of an alias.

use std::sync::Arc;

use mqi::constants::MQCA_TOPIC_STRING;
use mqi::{ObjectDescriptor, ObjectName, Reason};
use objects::ObjectType;
use queues::queue::Queue;
use storage::Lsn;
use topic::TopicString;

use crate::catalogue::Object;
use crate::directory::Directory;

/// A topic as it was named.
#[derive(Debug)]
pub(crate) struct NamedTopic {
    pub(crate) topic: TopicString,
    /// The name by which it was opened; blank for a topic string alone.
    pub(crate) name: ObjectName,
    /// The alias that stands for the topic, which gives a publication what its putter leaves to it.
    pub(crate) alias: Option<Arc<Object<Arc<Queue>>>>,
    /// The topic object that the alias names, or by whose name it was opened; blank for a topic string alone.
    pub(crate) object: ObjectName,
}

impl Directory {
    /// The topic that an object descriptor means: that of an object, of a string, or of both together.
    pub(super) fn resolve_topic(&self, object: &ObjectDescriptor) -> (Lsn, Result<NamedTopic, Reason>) {
        let name = object.object_name;
        let (first, need) = match name.is_blank() {
            true if object.object_string.is_empty() => return (Lsn::ZERO, Err(Reason::UNKNOWN_OBJECT_NAME)),
            true => (String::new(), Lsn::ZERO),
            false => match self.topic_string_of(&name) {
                (Some(first), need) => (first, need),
                (None, need) => return (need, Err(Reason::UNKNOWN_OBJECT_NAME)),
            },
        };
        let topic = TopicString::joined(&first, &object.object_string);
        let named = topic.map(|topic| NamedTopic { topic, name, alias: None, object: name });
        (need, named.map_err(|_| Reason::TOPIC_STRING_ERROR))
    }

    /// The topic that an alias stands for.
    pub(super) fn resolve_alias_of_topic(
        &self,
        alias: Arc<Object<Arc<Queue>>>,
    ) -> (Lsn, Result<NamedTopic, Reason>) {
        let name = *alias.name();
        let Some(object) = alias.current().attributes.target else {
            return (alias.current().need, Err(Reason::ALIAS_BASE_Q_TYPE_ERROR));
        };
        let (first, need) = self.topic_string_of(&object);
        let named = first.ok_or(Reason::UNKNOWN_ALIAS_BASE_Q).and_then(|first| {
            let topic = TopicString::new(&first).map_err(|_| Reason::TOPIC_STRING_ERROR)?;
            Ok(NamedTopic { topic, name, alias: Some(alias), object })
        });
        (need, named)
    }

    /// The topic string of a topic object.
    pub(crate) fn topic_string_of(&self, name: &ObjectName) -> (Option<String>, Lsn) {
        let (object, need) = self.catalogue.find_defined(ObjectType::Topic.name_space(), name.as_str());
        (object.map(|object| object.current().definition.text(MQCA_TOPIC_STRING)), need)
    }
}
