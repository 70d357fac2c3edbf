//! Judging of what a finished definition newly has.
//!
//! Lives here: the requests for the objects, users and places that a definition names, and the refusal of
//! one. Lives elsewhere: which attributes name them (`lent`).
//!
//! Always: a definition is judged as it will be, after LIKE, defaults and the parts that the queue manager
//! adds, under the lock that makes the change; what stood in it before is not asked again. A refusal is
//! recorded once that lock is free.

use mqi::constants::{MQ_USER_ID_LENGTH, MQCACF_SUB_USER_ID};
use mqi::{ObjectName, Reason, Text};
use objects::{Definition, ObjectType, Response};
use security::authority::Set;
use security::{Asked, Identity, Object, ObjectKind, Principal, Use};
use storage::Lsn;

use super::lent::{Lent, newly_lent};
use crate::Gated;
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
        if self.door.is_free(author) {
            return Ok(needed);
        }
        let subscriber = self.subscriber_for(author, after);
        for (attribute, lent) in newly_lent(before, after, self.name.into()) {
            let is_of_topics = matches!(&lent, Lent::Object { needed, .. } if *needed == Set::SUB);
            let Some((kind, name, text, used)) = self.named_by(author, attribute, lent) else { continue };
            let asked = Asked::new(Object::texted(kind, name, &text), used);
            let mut judged = self.door.judge(author, &asked);
            if let Some(subscriber) = subscriber.as_ref().filter(|_| is_of_topics && judged.verdict.is_ok()) {
                let need = judged.need;
                judged = self.door.judge(subscriber, &asked);
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
        Some(whole.flatten().unwrap_or_else(|| self.door.user_of_message(Text::truncated(&named))))
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
                let name = self.catalogue.manager().attributes.default_transmission_queue?;
                let used = Use::Lend { attribute, needed: Set::GET, is_raw: false };
                Some((ObjectKind::Queue, name, String::new(), used))
            }
            Lent::Named(descriptor) => {
                let asked = self.asked_by(&self.meaning(&descriptor, &mut ())).ok()?;
                Some((asked.kind, asked.name, String::new(), Use::Receive))
            }
            Lent::User(user) => {
                // Messages carry the short name, and a channel acts as the whole one.
                let is_author = match attribute {
                    "SUBUSER" => user == author.short_name().as_str(),
                    _ => user == author.name(),
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
        self.door.refuse_command(&denied.author, &denied.asked(), &denied.refused, denied.need)
    }

    /// Records that a program would lend what it does not have; the reason. Called without locks.
    #[cold]
    pub(crate) fn refuse_lent_to_program(&self, denied: &Denied) -> (Lsn, Reason) {
        self.door.record(&denied.author, &denied.asked(), &denied.refused, denied.need);
        (denied.need, denied.refused.reason)
    }
}
