//! Copies of messages for another queue: STREAMQ, STRMQOS.
//!
//! A copy is the message without what it asks for in reports, put with it. Where its queue does not take it,
//! it is left out with BESTEF, and refuses the message with MUSTDUP.

use mqi::{Reason, ReportOptions};

use super::Manager;
use super::definitions::Definition;
use super::queue::{Message, QueueId};
use super::reports::Asked;

impl Manager {
    /// The copy of a message that is put on a queue, and where it goes. `before` are put with it,
    /// `is_in_unit` of a program: what that has taken is not taken out alone, so a copy that must be there
    /// and was promised a place has one.
    pub(super) fn streamed(
        &mut self,
        queue: QueueId,
        message: &Message,
        is_in_unit: bool,
        before: &[(QueueId, Message)],
    ) -> Result<Option<(QueueId, Message)>, Reason> {
        let base = self.definition_of(queue).expect("a queue has a definition");
        let Some(to) = base.attributes.get("STREAMQ").filter(|to| !to.is_empty()).cloned() else {
            return Ok(None);
        };
        let must = base.is("STRMQOS", "MUSTDUP");
        let before = if must && is_in_unit { &[] } else { before };
        let taken = self.resolve(&to).and_then(|target| {
            self.check_copy(&to, target, message)?;
            self.check_room_behind(target, before, &[message.body.len()])?;
            Ok(target)
        });
        let target = match taken {
            Ok(target) => target,
            Err(reason) if must => return Err(reason),
            Err(_) => return Ok(None),
        };
        let mut copy = Message { number: self.number(), asked: Asked::default(), ..message.clone() };
        copy.shown.report = ReportOptions::EMPTY;
        let most = self.definition_of(target).and_then(Definition::expiry_max);
        let most = most.map(|tenths| self.now + tenths * 100);
        copy.expires = copy.expires.into_iter().chain(most).min();
        Ok(Some((target, copy)))
    }

    fn check_copy(&self, name: &str, queue: QueueId, copy: &Message) -> Result<(), Reason> {
        let base = self.definition_of(queue).expect("a queue has a definition");
        if self.objects[name].is("PUT", "DISABLED") || base.is("PUT", "DISABLED") {
            return Err(Reason::PUT_INHIBITED);
        }
        if copy.body.len() > base.number("MAXMSGL") {
            return Err(Reason::MSG_TOO_BIG_FOR_Q);
        }
        if copy.persistent && base.temporary {
            return Err(Reason::PERSISTENT_NOT_ALLOWED);
        }
        Ok(())
    }
}
