//! Judging of a change where it is made: the command again, and what the finished definition newly has.
//!
//! Lives here: the requests for the objects, users and places that a definition names, and the refusal of
//! one. Lives elsewhere: which attributes name them (`lent`), the first judgement of a command
//! (`authority::commands`).
//!
//! Always: a definition is judged as it will be, after LIKE, defaults and the parts that the queue manager
//! adds, under the lock that makes the change; what stood in it before is not asked again. A refusal is
//! recorded once that lock is free.

use mqi::constants::{MQ_USER_ID_LENGTH, MQCACF_SUB_USER_ID};
use mqi::{ObjectName, Reason, Text};
use objects::{Definition, ObjectType, Response};
use queues::gate::Gated;
use security::authority::Set;
use security::{Asked, Command as Verb, Identity, Object, ObjectKind, Principal, Use};
use storage::Lsn;

use super::lent::{Lent, newly_lent, starts_something};
use crate::authority::{Denied, Judged};
use crate::catalogue::ChangeError;
use crate::engine::Engine;

impl Engine {
    /// Judges what a definition newly lets its author reach. Returns the position that must be durable before
    /// the change may be known outside.
    ///
    /// # Errors
    /// The request that was refused.
    fn judge_lent(
        &self,
        author: &Principal,
        before: Option<&Definition>,
        after: &Definition,
    ) -> Result<Lsn, Box<Denied>> {
        let mut needed = Lsn::ZERO;
        if self.directory.door.is_free(author) {
            return Ok(needed);
        }
        let subscriber = self.subscriber_for(author, after);
        let newly = newly_lent(before, after, self.directory.name.into());
        let opened = newly.iter().filter_map(|(attribute, lent)| Some((*attribute, self.opened_by(lent)?)));
        let opened: Vec<_> = opened.collect();
        for (attribute, lent) in newly.into_iter().chain(opened) {
            let is_of_topics = matches!(&lent, Lent::Object { needed, .. } if *needed == Set::SUB);
            let Some((kind, name, text, used)) = self.named_by(author, attribute, lent) else { continue };
            let asked = Asked::new(Object::texted(kind, name, &text), used);
            let mut judged = self.directory.door.judge(author, &asked);
            if let Some(subscriber) = subscriber.as_ref().filter(|_| is_of_topics && judged.verdict.is_ok()) {
                let need = judged.need;
                judged = self.directory.door.judge(subscriber, &asked);
                judged.need = judged.need.max(need);
            }
            let Judged { need, verdict, .. } = judged;
            needed = needed.max(need);
            if let Err(refused) = verdict {
                let author = author.clone();
                return Err(Box::new(Denied { author, kind, name, text, used, refused, need }));
            }
        }
        Ok(needed)
    }

    /// The right to the queue manager that a name needs besides, for a queue whose messages start something.
    fn opened_by(&self, lent: &Lent) -> Option<Lent> {
        let Lent::Raw(name, Set::PUT) = lent else { return None };
        // An alias leads there as well.
        let target =
            self.directory.catalogue.find(name).object.and_then(|found| found.current().attributes.target);
        let starting = [Some(*name), target].into_iter().flatten().find(starts_something)?;
        let (kind, name) = (ObjectKind::QueueManager, ObjectName::BLANK);
        Some(Lent::Object { kind, name, text: starting.to_string(), needed: Set::CHG })
    }

    /// The user of a subscription that is another than its author.
    fn subscriber_for(&self, author: &Principal, definition: &Definition) -> Option<Principal> {
        if definition.object_type() != ObjectType::Subscription {
            return None;
        }
        let named = definition.text(MQCACF_SUB_USER_ID);
        if named.is_empty() || named == author.short_name().as_str() {
            return None;
        }
        let whole = (named.len() > MQ_USER_ID_LENGTH).then(|| Principal::new(&named, Identity::Message).ok());
        Some(whole.flatten().unwrap_or_else(|| self.directory.door.user_of_message(Text::truncated(&named))))
    }

    /// Judges it for a change of the catalogue; `lent` is raised to the position that the verdict needs.
    pub(crate) fn may_lend(
        &self,
        author: &Principal,
        before: Option<&Definition>,
        after: &Definition,
        lent: &mut Lsn,
    ) -> Result<(), ChangeError> {
        let need = self.judge_lent(author, before, after).map_err(ChangeError::NotAuthorized)?;
        *lent = need.max(*lent);
        Ok(())
    }

    /// Judges a command again, under the lock that makes its change: the object that it names may be there by
    /// then, or be another's. `need` is raised to the position that the verdict needs.
    ///
    /// # Errors
    /// The request that is refused by now.
    pub(crate) fn may_still(
        &self,
        author: &Principal,
        object: Object<'_>,
        verb: Verb,
        need: &mut Lsn,
    ) -> Result<(), Box<Denied>> {
        if self.directory.door.is_free(author) {
            return Ok(());
        }
        let used = Use::Command(verb);
        let Judged { need: needed, verdict, .. } =
            self.directory.door.judge(author, &Asked::new(object, used));
        *need = needed.max(*need);
        verdict.map_err(|refused| {
            let (author, Object { kind, name, text }) = (author.clone(), object);
            Box::new(Denied { author, kind, name, text: text.to_owned(), used, refused, need: needed })
        })
    }

    /// The object on which rights are asked for a name, and the use of it; none for the author itself.
    fn named_by(
        &self,
        author: &Principal,
        attribute: &'static str,
        lent: Lent,
    ) -> Option<(ObjectKind, ObjectName, String, Use<'static>)> {
        match lent {
            Lent::Object { kind, name, text, needed } => {
                Some((kind, name, text, Use::Lend { attribute, needed, is_raw: false }))
            }
            Lent::Raw(name, needed) => {
                let used = Use::Lend { attribute, needed, is_raw: true };
                Some((ObjectKind::Queue, name, String::new(), used))
            }
            // Without one no message went there.
            Lent::Redirected => {
                let name = self.directory.catalogue.manager().attributes.default_transmission_queue?;
                let used = Use::Lend { attribute, needed: Set::GET, is_raw: false };
                Some((ObjectKind::Queue, name, String::new(), used))
            }
            Lent::Named(descriptor) => {
                let asked = self.directory.asked_by(&self.directory.meaning(&descriptor, &mut ())).ok()?;
                Some((asked.kind, asked.name, String::new(), Use::Receive))
            }
            Lent::User(user) => {
                // Messages carry the short name, and a channel acts as the whole one.
                let is_author = match attribute {
                    "SUBUSER" => user == author.short_name().as_str(),
                    // Without a user partners name theirs: that is no author without a name.
                    _ => !user.is_empty() && user == author.name(),
                };
                let (kind, name) = (ObjectKind::QueueManager, ObjectName::BLANK);
                let used = Use::Lend { attribute, needed: Set::ALTUSR, is_raw: false };
                (!is_author).then_some((kind, name, user, used))
            }
        }
    }

    /// The answer to a command that would lend what its author does not have. Called without locks.
    #[cold]
    pub(crate) fn refuse_lent(&self, denied: &Denied) -> Gated<Response> {
        self.directory.door.refuse_command(&denied.author, &denied.asked(), &denied.refused, denied.need)
    }

    /// Records that a program would lend what it does not have; the reason. Called without locks.
    #[cold]
    pub(crate) fn refuse_lent_to_program(&self, denied: &Denied) -> (Lsn, Reason) {
        self.directory.door.record(&denied.author, &denied.asked(), &denied.refused, denied.need);
        (denied.need, denied.refused.reason)
    }
}
