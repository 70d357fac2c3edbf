//! Rights that were taken away: they count at once, also for what is under way.
//!
//! Lives here: judging the right of a handle again, ending waits whose handles lost theirs, and the state of
//! subscriptions whose users did. Lives elsewhere: the comparison that each call makes (`connection`).
//!
//! Always: a wait ends with 2035 once, and its outcome needs the position of the change.

use mqi::ours::{SUBSCRIPTION_RIGHT, SUBSCRIPTION_STOPPED};
use std::sync::Arc;

use mqi::constants::*;
use mqi::{ObjectName, Reason, SubscribeOptions, Text};
use objects::attributes::SUBSCRIPTION_GOES_ON;
use objects::mqsc::{AuthorityRecords, SetAuthority};
use objects::{Definition, Family, ObjectType as DefinedType, Value};
use queues::gate::BehindGate;
use queues::queue::Queue;
use security::authority::{EntityName, ObjectType, Scope};
use security::profile::Profile;
use security::{Asked, Object, ObjectKind, Principal, Use};
use storage::Lsn;

use super::judging;
use super::records::NewRecords;
use crate::authority::Judged;
use crate::authority::right::{Recorded, Request, Right};
use crate::catalogue::{Lifetime, is_stopped};
use crate::conversation::Conversation;
use crate::directory::Directory;
use crate::engine::Engine;

/// A user with the sign that there is one, since a program may have no name.
fn noted(user: &str) -> String {
    format!("+{user}")
}

impl Directory {
    /// The user of a message, as the definition of a subscription notes it, if a record gives it the right to
    /// subscribe to those topics.
    pub(crate) fn holder_of_right(&self, user: &str, definition: &Definition) -> Option<String> {
        let rules = self.door.book.rules();
        if !rules.is_judging() {
            return None;
        }
        let topic = definition.topic_string();
        let is_of_characters = definition.integer(MQIACF_WILDCARD_SCHEMA) == MQWS_CHAR;
        let wildcards =
            if is_of_characters { SubscribeOptions::WILDCARD_CHAR } else { SubscribeOptions::EMPTY };
        let options = SubscribeOptions::CREATE | wildcards;
        let object = Object::texted(ObjectKind::Topic, ObjectName::BLANK, &topic);
        let asked = Asked::new(object, Use::Subscribe { options, subscription: "" });
        let principal = self.door.user_of_message(Text::truncated(user));
        judging::judge(self, &rules, &principal, &asked).1.is_ok().then(|| noted(user))
    }
}

impl Engine {
    /// Prepares the record by which the user that makes a queue by opening a model has every right on it;
    /// none where the queue ends with the run. Called without locks.
    pub(crate) fn prepare_maker(
        &self,
        queue: &ObjectName,
        maker: &Principal,
        lifetime: Lifetime,
    ) -> Option<NewRecords> {
        let is_recorded = lifetime == Lifetime::Logged && self.directory.door.is_judging();
        if !is_recorded || maker.is_administrator() {
            return None;
        }
        let scope = Profile::exact(queue.as_str()).map(Scope::Names)?;
        let entities = vec![EntityName::user(maker.name())];
        let records = AuthorityRecords { object_type: ObjectType::Queue, scope, entities };
        let set = SetAuthority { records, add: ObjectType::Queue.named("ALL"), remove: None };
        self.prepare_records(set).ok()
    }

    /// Gives a queue that is not found by its name yet to its maker: by the record, which alone is the right
    /// from then on. Without one (of a maker without a name, or no room in the log) the right ends with this
    /// run.
    pub(crate) fn give_to_maker(&self, queue: &Queue, maker: &Principal, record: Option<NewRecords>) -> Lsn {
        let given = record.map(|record| self.set_records(&mut self.directory.door.book.lock(), record, None));
        if !given.as_ref().is_some_and(|given| given.value().is_ok()) {
            queue.made_by(maker.name());
        }
        given.map_or(Lsn::ZERO, |given| given.need())
    }

    /// Follows a change of a definition: of a topic object, rights on the topics below it may be gone.
    pub(crate) fn topic_changed(&self, object_type: DefinedType) {
        if object_type == DefinedType::Topic && self.directory.door.is_judging() {
            self.judge_handles_again();
            let _ = self.follow_subscriptions();
        }
    }

    /// Follows a change of the groups of users, also one that happened while the queue manager was down:
    /// handles, waits and subscriptions whose rights came through a group lose them. Called without locks.
    pub(crate) fn groups_changed(&self) {
        self.judge_handles_again();
        let _ = self.follow_subscriptions();
    }

    /// Has handles judged again at their next use, and ends waits whose handles lost their right: groups
    /// of users may be others.
    pub(crate) fn judge_handles_again(&self) {
        self.directory.door.book.definition_changed();
        self.end_waits();
    }

    /// Follows a change of records for objects of a type, which is visible by now. Returns the position that
    /// must be durable before its end is told. Called without locks.
    pub(super) fn rights_changed(&self, of: Option<ObjectType>) -> Lsn {
        self.end_waits();
        match of {
            Some(ObjectType::Topic) => self.follow_subscriptions(),
            _ => Lsn::ZERO,
        }
    }

    /// Stops the subscriptions of programs whose users had the right to subscribe and lost it, and lets those
    /// go on whose users have it again. The definition keeps who had it by a record, so that a restart
    /// between makes no difference. One whose user never had the right by a record was made by an
    /// administrator, or before requests were judged.
    fn follow_subscriptions(&self) -> Lsn {
        let mut need = Lsn::ZERO;
        for found in self.directory.catalogue.all_defined(Family::Subscription) {
            let definition = &found.current().definition;
            if definition.integer(MQIACF_SUB_TYPE) != MQSUBTYPE_API {
                continue;
            }
            let user = definition.text(MQCACF_SUB_USER_ID);
            let holder = self.directory.holder_of_right(&user, definition);
            let had = definition.text(SUBSCRIPTION_RIGHT) == noted(&user);
            let stops = match (is_stopped(definition), holder.is_some()) {
                (false, true) if had => continue,
                (_, true) => false,
                (false, false) if had => true,
                _ => continue,
            };
            need = need.max(self.stop_subscription(definition.shown_name(), stops, holder.as_deref()));
        }
        need
    }

    fn stop_subscription(&self, name: &str, stops: bool, holder: Option<&str>) -> Lsn {
        let space = DefinedType::Subscription.name_space();
        let value = Value::Integer(if stops { 1 } else { SUBSCRIPTION_GOES_ON });
        let changed =
            self.directory.catalogue.alter_other(space, name, DefinedType::Subscription, |definition| {
                definition.set_internal(SUBSCRIPTION_STOPPED, value.clone());
                if let Some(holder) = holder {
                    definition.set_internal(SUBSCRIPTION_RIGHT, Value::from(holder));
                }
                Ok(())
            });
        // One that is gone by now needs neither.
        changed.unwrap_or_default()
    }

    /// Judges a right by the present rules.
    ///
    /// # Errors
    /// 2035, and the position that must be durable before it may be known outside.
    #[cold]
    pub(crate) fn judge_again(
        &self,
        principal: &Principal,
        right: &Right,
        recorded: Recorded,
    ) -> Result<(), (Lsn, Reason)> {
        let generation = self.directory.door.generation();
        for asked in right.request().into_iter().flat_map(Request::asked) {
            let Judged { need, verdict, .. } = self.directory.door.judge(principal, &asked);
            let Err(refused) = verdict else { continue };
            let resumed = right.request().and_then(Request::resumed);
            if resumed.is_some_and(|resumed| self.directory.door.judge(principal, &resumed).verdict.is_ok()) {
                continue;
            }
            let reason = refused.reason;
            if recorded == Recorded::Yes {
                self.directory.door.record(principal, &asked, &refused, need);
            }
            return Err((need, reason));
        }
        right.set_judged(generation);
        Ok(())
    }

    fn end_waits(&self) {
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        for conversation in conversations {
            self.end_waits_without_right(&conversation);
        }
    }

    fn end_waits_without_right(&self, conversation: &Arc<Conversation>) {
        if conversation.party.waits.lock().is_empty() || conversation.principal.is_administrator() {
            return;
        }
        let registrations: Vec<_> = {
            let registrations = conversation.registrations.lock();
            let of_queues = registrations.iter().filter(|registration| registration.queue.is_some());
            of_queues.filter_map(|one| Some((one.handle, one.queue.clone()?, one.right.clone()?))).collect()
        };
        for (handle, queue, right) in registrations {
            if right.is_judged(self.directory.door.generation()) {
                continue;
            }
            if let Err((need, reason)) = self.judge_again(&conversation.principal, &right, Recorded::No) {
                queue.end_waits_of(&conversation.party, handle, (need, reason));
            }
        }
    }
}
