//! SET, DELETE and DISPLAY AUTHREC, DISPLAY ENTAUTH, DISPLAY AUTHSERV.

use mqi::constants;
use mqi::constants::{MQZAET_GROUP, MQZAET_PRINCIPAL};
use objects::mqsc::{
    AuthorityChoice, AuthorityRecords, CheckedRequest, EntityChoice, KEY_END, Matching, SetAuthority,
};
use objects::{Message, Response, StatusType, Subject, Value, messages};
use queues::gate::{BehindGate, Gated};
use security::authority::{Entity, EntityName, ObjectType, Record, Scope, Set, Who};
use security::profile::Profile;
use security::{Asked, Identity, Object, Principal};

use super::records::BookError;
use crate::authority::kind_of_record;
use crate::command::{Answer, refused_growth};
use crate::engine::Engine;

/// The part that judges, as displays name it.
const COMPONENT: &str = "FerryMQ.authority";

impl Engine {
    /// SET AUTHREC.
    pub(crate) fn set_authority_records(&self, set: &SetAuthority, author: &Principal) -> Gated<Response> {
        let is_first = !self.directory.door.is_judging();
        let done = self.set_authority(set, author);
        if let Err(BookError::Denied(denied)) = done.value() {
            return self.refuse_lent(denied);
        }
        done.changed(|done| match done {
            Ok(count) => {
                let mut response = Response::message(Message::new(&messages::AUTHORITY_SET, [count]));
                if set.add.is_some() {
                    response.messages.extend(self.unknown_entities(&set.records.entities));
                }
                response.messages.extend(creation_without_effect(set));
                // From the first record on the rules of channels are asked.
                if is_first {
                    self.tell_open_rules();
                    response.messages.extend(self.open_rules(|_| true));
                    response.messages.extend(self.tell_known_logins_refused());
                }
                response
            }
            Err(error) => Response::message(refused("SET", &set.records, &error)),
        })
    }

    /// DELETE AUTHREC.
    pub(crate) fn delete_authority_records(
        &self,
        records: &AuthorityRecords,
        author: &Principal,
    ) -> Gated<Response> {
        let done = self.delete_authority(records, author);
        if let Err(BookError::Denied(denied)) = done.value() {
            return self.refuse_lent(denied);
        }
        done.changed(|done| {
            Response::message(match done {
                Ok(count) => Message::new(&messages::AUTHORITY_DELETED, [count]),
                Err(error) => refused("DELETE", records, &error),
            })
        })
    }
}

/// The warning about CRT that a command gives for names.
fn creation_without_effect(set: &SetAuthority) -> Option<Message> {
    let AuthorityRecords { object_type, scope, .. } = &set.records;
    let is_of_names = matches!(scope, Scope::Names(_)) && *object_type != ObjectType::QueueManager;
    let is_given = set.add.is_some_and(|added| added.contains(Set::CRT));
    let inserts = || [scope.to_string(), object_type.keyword().to_owned()];
    (is_of_names && is_given).then(|| Message::new(&messages::CREATION_WITHOUT_EFFECT, inserts()))
}

fn refused(verb: &str, records: &AuthorityRecords, error: &BookError) -> Message {
    let object_type = records.object_type.keyword();
    match error {
        BookError::Absent(key) => {
            let kind = if key.is_group { "group" } else { "user" };
            let entity = format!("{kind} {}", key.entity);
            let inserts = [entity, object_type.to_owned(), key.profile.to_string()];
            Message::new(&messages::AUTHORITY_NOT_FOUND, inserts)
        }
        error => {
            let command = format!("{verb} AUTHREC PROFILE({})", records.scope);
            match error {
                BookError::Beyond(refusal) => refused_growth(command, refusal),
                error => Message::new(&messages::COMMAND_FAILED, [command, error.to_string()]),
            }
        }
    }
}

impl Answer<'_> {
    pub(crate) fn authority_records(&mut self, engine: &Engine, choice: &AuthorityChoice) -> Message {
        let rules = engine.directory.door.book.rules();
        self.needs(rules.need());
        let groups = match (&choice.entity, choice.matching) {
            (Some(EntityName { is_group: false, name }), Matching::Membership) => {
                engine.ground().host.groups(name)
            }
            _ => Vec::new(),
        };
        let chosen = rules.authorities().records().filter(|record| is_chosen(choice, &groups, record));
        let found = self.in_order(chosen.map(|record| (key_of(&record), record)));
        for (key, record) in found {
            if !self.has_turn(|| key) {
                continue;
            }
            let subject = Subject::Status(StatusType::AuthorityRecord);
            self.add(subject, &messages::AUTHORITY_DETAILS, |row| {
                Some(match row.keyword {
                    "PROFILE" => Value::from(record.scope.to_string().as_str()),
                    keyword => common(keyword, record.entity, record.object_type, record.set)?,
                })
            });
        }
        let wanted = choice.profile.as_deref().unwrap_or("*");
        Message::new(&messages::NOTHING_MATCHES, ["authority record", wanted])
    }

    /// DISPLAY ENTAUTH: adds the rights of a user or group; returns the verdict on its request, or a message
    /// that there are none.
    pub(crate) fn entity_authority(&mut self, engine: &Engine, choice: &EntityChoice) -> Message {
        let EntityChoice { entity, object_type, name, check } = choice;
        let rules = engine.directory.door.book.rules();
        self.needs(rules.need());
        let set = match entity.as_entity() {
            Entity::User(user) => {
                let groups = engine.ground().host.groups(user);
                let who = Who { user, groups: &groups, is_administrator: false };
                rules.authorities().held(who, *object_type, name.as_str())
            }
            group @ Entity::Group(_) => {
                let record = rules.authorities().most_specific(group, *object_type, name.as_str());
                record.map_or(Set::EMPTY, |record| record.set)
            }
        };
        let subject = Subject::Status(StatusType::EntityAuthority);
        self.add(subject, &messages::ENTITY_AUTHORITY_DETAILS, |row| {
            Some(match row.keyword {
                "OBJNAME" if *object_type == ObjectType::QueueManager => {
                    Value::from(engine.directory.name.as_str())
                }
                "OBJNAME" => Value::from(name),
                keyword => common(keyword, entity.as_entity(), *object_type, set)?,
            })
        });
        match check {
            Some(check) => self.checked(engine, choice, *check),
            None => Message::new(&messages::NOTHING_MATCHES, ["user or group", &*entity.name]),
        }
    }

    /// RUNCHECK: has the door judge the request as if a login of the user made it, and tells the verdict.
    fn checked(&mut self, engine: &Engine, choice: &EntityChoice, check: CheckedRequest) -> Message {
        let EntityChoice { entity, object_type, name, .. } = choice;
        let user = &*entity.name;
        let object = Object::named(kind_of_record(*object_type), *name);
        let is_administrator = engine.ground().host.is_administrator(user);
        let made = if is_administrator {
            Principal::administrator(user, Identity::Proved)
        } else {
            Principal::new(user, Identity::Proved)
        };
        let verdict = match made {
            Ok(principal) => {
                let principal = principal.with_groups(engine.ground().host.groups(user));
                let judged = engine.directory.door.judge(&principal, &Asked::new(object, check.used));
                self.needs(judged.need);
                judged.verdict.map_err(|refused| match refused.explanation {
                    Some(explanation) => explanation.with_remedy(),
                    None => refused.reason.to_string(),
                })
            }
            Err(error) => Err(error.to_string()),
        };
        let asked_of = match object_type {
            ObjectType::QueueManager => format!("{object} {}", engine.directory.name),
            _ => object.to_string(),
        };
        let inserts = |why: &str| [user, check.word, &asked_of, why].map(str::to_owned);
        match verdict {
            Ok(()) if is_administrator => {
                Message::new(&messages::REQUEST_WOULD_PASS, inserts(messages::IS_ADMINISTRATOR))
            }
            Ok(()) if !engine.directory.door.is_judging() => {
                Message::new(&messages::REQUEST_WOULD_PASS, inserts("there is no authority record yet"))
            }
            Ok(()) => Message::new(&messages::REQUEST_WOULD_PASS, inserts("the records allow it")),
            Err(why) => Message::new(&messages::REQUEST_WOULD_FAIL, inserts(&why)),
        }
    }

    pub(crate) fn authority_service(&mut self) -> Message {
        let subject = Subject::Status(StatusType::AuthorityService);
        self.add(subject, &messages::AUTHORITY_SERVICE_DETAILS, |row| {
            Some(match row.keyword {
                "SERVCOMP" => Value::from(COMPONENT),
                "IFVER" => Value::Integer(constants::MQZAS_VERSION_6),
                _ => row.default_value(),
            })
        });
        Message::new(&messages::NOTHING_MATCHES, ["authority service", "*"])
    }
}

/// The key of a record: its type, users before groups, and its profile; the class comes last.
fn key_of(record: &Record<'_>) -> String {
    let (kind, name) = match record.entity {
        Entity::User(name) => ('1', name),
        Entity::Group(name) => ('2', name),
    };
    let scope = if record.scope == Scope::Class { "~" } else { "" };
    format!("{:03}{kind}{name}{KEY_END}{scope}{}", record.object_type as u8, record.scope)
}

/// The values that records and the rights on an object have in common.
fn common(keyword: &str, entity: Entity<'_>, object_type: ObjectType, set: Set) -> Option<Value> {
    let (kind, name) = match entity {
        Entity::User(name) => (MQZAET_PRINCIPAL, name),
        Entity::Group(name) => (MQZAET_GROUP, name),
    };
    Some(match keyword {
        "ENTITY" => Value::from(name),
        "ENTTYPE" => Value::Integer(kind),
        "OBJTYPE" => Value::Integer(object_type.number()),
        "AUTHLIST" => Value::Integers(set.iter().map(|authority| authority.number()).collect()),
        _ => return None,
    })
}

fn is_chosen(choice: &AuthorityChoice, groups: &[Box<str>], record: &Record<'_>) -> bool {
    let AuthorityChoice { profile, object_type, entity, matching } = choice;
    let is_of_type = object_type.is_none_or(|wanted| wanted == record.object_type);
    let is_of_entity = entity.as_ref().is_none_or(|wanted| match record.entity {
        Entity::Group(group) if *matching == Matching::Membership => {
            wanted.as_entity() == record.entity
                || !wanted.is_group
                    && (groups.iter().any(|own| **own == *group) || group == security::authority::NOBODY)
        }
        own => own == wanted.as_entity(),
    });
    let is_of_profile = profile.as_ref().is_none_or(|wanted| {
        let text = record.scope.to_string();
        let is_manager = *object_type == Some(ObjectType::QueueManager);
        match (matching, &record.scope) {
            _ if text.eq_ignore_ascii_case(wanted) && record.scope == Scope::Class => true,
            _ if text == **wanted || is_manager => true,
            (Matching::Exact, _) | (_, Scope::Class) => false,
            (Matching::Profile | Matching::Membership, Scope::Names(profile)) => profile.matches(wanted),
            (Matching::Wildcard, Scope::Names(_)) => {
                wanted.parse::<Profile>().is_ok_and(|pattern| pattern.matches(&text))
            }
        }
    });
    is_of_type && is_of_entity && is_of_profile
}

#[cfg(test)]
mod tests {
    use super::*;
    use mqi::Reason;

    #[test]
    fn a_command_that_finds_no_room_in_the_log_says_so() {
        let scope = Scope::parse(ObjectType::Queue, "PAY.**").unwrap();
        let records = AuthorityRecords {
            object_type: ObjectType::Queue,
            scope,
            entities: vec![EntityName::user("ada")],
        };
        let message = refused("SET", &records, &BookError::NoRoom(Reason::RESOURCE_PROBLEM)).to_string();
        assert!(message.contains("SET AUTHREC PROFILE(PAY.**)") && message.contains("no room"), "{message}");
    }
}
