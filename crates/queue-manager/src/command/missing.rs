//! Warnings about what a definition names and that is not there, and about values that have no effect now.
//!
//! Lives elsewhere: names that stand for nothing, which are refused (`objects`); the keys themselves (the
//! host).

use mqi::ObjectName;
use mqi::constants::{
    MQCA_CERT_LABEL, MQCA_DEAD_LETTER_Q_NAME, MQCACH_MCA_USER_ID, MQCACH_SSL_CIPHER_SPEC,
    MQIACH_PUT_AUTHORITY, MQPA_CONTEXT,
};
use objects::{Family, Message, ObjectType, Response, Setting, messages};
use security::authority::{ADMINISTRATORS, Entity, EntityName, NOBODY};
use security::cipherspecs::{Build, Choice};

use crate::engine::Engine;

impl Engine {
    /// The answer to a definition, which names a suite that this build lacks, a label without a key, a
    /// dead-letter queue that is not there, and an authority that nothing asks for.
    pub(crate) fn naming_missing(
        &self,
        object_type: ObjectType,
        name: &str,
        settings: &[Setting],
        mut answer: Response,
    ) -> Response {
        if !answer.is_ok() {
            return answer;
        }
        let kind = object_type.noun().to_lowercase();
        for setting in settings {
            if setting.attribute.identifier_number() == MQIACH_PUT_AUTHORITY {
                let is_context = setting.value.as_integer() == Some(MQPA_CONTEXT);
                if is_context && !self.directory.door.is_judging() {
                    answer.messages.push(Message::new(&messages::PUT_AUTHORITY_UNUSED, [name]));
                }
                continue;
            }
            let value = setting.value.as_text().unwrap_or_default().trim();
            let warning = match setting.attribute.identifier_number() {
                _ if value.is_empty() => continue,
                MQCACH_SSL_CIPHER_SPEC if is_not_in_build(value) => {
                    Message::new(&messages::CIPHER_NOT_IN_BUILD, [&*kind, name, value])
                }
                MQCA_CERT_LABEL if !self.ground().host.has_key(value) => {
                    Message::new(&messages::LABEL_WITHOUT_KEY, [value, &*kind, name])
                }
                MQCA_DEAD_LETTER_Q_NAME if !self.takes_letters(value) => {
                    Message::new(&messages::DEAD_LETTER_QUEUE_ABSENT, [value])
                }
                _ => continue,
            };
            answer.messages.push(warning);
        }
        answer
    }
}

impl Engine {
    /// Returns true where dead letters can be put on the queue of a name.
    fn takes_letters(&self, name: &str) -> bool {
        let found =
            name.parse::<ObjectName>().ok().and_then(|name| self.directory.catalogue.find(&name).object);
        found.is_some_and(|object| {
            matches!(object.object_type(), ObjectType::LocalQueue | ObjectType::AliasQueue)
        })
    }

    /// Warnings about users and groups that records name and that nothing else does.
    pub(crate) fn unknown_entities(&self, entities: &[EntityName]) -> Vec<Message> {
        let unknown = entities.iter().filter(|entity| !self.is_known(entity.as_entity()));
        unknown.map(|entity| Message::new(&messages::ENTITY_UNKNOWN, [noun(entity), &*entity.name])).collect()
    }

    fn is_known(&self, entity: Entity<'_>) -> bool {
        let is_given = |user: &str| {
            let families = [Family::Channel, Family::ChannelRule];
            let definitions =
                families.into_iter().flat_map(|family| self.directory.catalogue.all_defined(family));
            definitions.into_iter().any(|found| {
                let current = found.current();
                let is_of_type =
                    objects::attributes::by_pcf(found.object_type(), MQCACH_MCA_USER_ID).is_some();
                is_of_type && current.definition.text(MQCACH_MCA_USER_ID).trim() == user
            })
        };
        self.ground().host.knows(entity)
            || match entity {
                Entity::User(user) => is_given(user),
                Entity::Group(group) => [NOBODY, ADMINISTRATORS].contains(&group),
            }
    }
}

fn noun(entity: &EntityName) -> &'static str {
    if entity.is_group { "group" } else { "user" }
}

fn is_not_in_build(cipher: &str) -> bool {
    Choice::find(cipher).is_ok_and(|choice| choice.suites(Build::Standard).next().is_none())
}
