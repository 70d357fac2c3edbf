//! MQSET.

use mqi::{AttributeValue, ObjectHandle, OpenOptions, Reason, Selector};
use queues::gate::{BehindGate, Gated, Outcome};
use storage::Lsn;

use crate::catalogue::{self, ChangeError};
use crate::connection::{Connection, Target};
use crate::instrumentation::Changer;
use crate::verbs::inquire::SELECTORS_MAX;

impl Connection {
    /// MQSET: all of it or nothing.
    pub fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Outcome<()> {
        let set = self.set_uncounted(handle, values);
        if self.conversation.party.calls.is_any_counted() {
            self.count_set(handle, set.value().is_ok());
        }
        set
    }

    fn set_uncounted(&self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Outcome<()> {
        if let Err(reason) = self.usable(false) {
            return Gated::free(Err(reason));
        }
        let found = match self.handle(handle) {
            Ok(found) => found,
            Err(reason) => return Gated::free(Err(reason)),
        };
        if !found.options.contains(OpenOptions::SET) {
            return Gated::free(Err(Reason::NOT_OPEN_FOR_SET));
        }
        if let Err((need, reason)) = self.may_use(found) {
            return Gated::new(need, Err(reason));
        }
        if values.len() > SELECTORS_MAX {
            return Gated::free(Err(Reason::SELECTOR_LIMIT_EXCEEDED));
        }
        let (Target::Queue { opened, .. } | Target::Definition(opened)) = &found.target else {
            return Gated::free(Err(Reason::OPTION_NOT_VALID_FOR_TYPE));
        };
        // There may be another of its name by now.
        if let Target::Queue { queue, .. } = &found.target
            && queue.is_deleted()
        {
            return Gated::new(queue.last_change(), Err(Reason::Q_DELETED));
        }
        // Tried on a copy first: whether the values fit does not depend on what others change meanwhile.
        let before = opened.current().definition.clone();
        let mut trial = before.clone();
        if let Err(reason) = catalogue::set(&mut trial, values) {
            return Gated::free(Err(reason));
        }
        let mut lent = Lsn::ZERO;
        let changed = self.engine.directory.catalogue.alter(opened.name(), None, |definition| {
            let before = definition.clone();
            let _ = catalogue::set(definition, values);
            self.engine.may_lend(&self.conversation.principal, Some(&before), definition, &mut lent)
        });
        match changed {
            Ok(changed) => {
                match changed.object.queue() {
                    Some(queue) => self.engine.attributes_changed(queue),
                    None => self.engine.alias_changed(),
                }
                let after = changed.object.current();
                let program = &self.conversation;
                let changer = Changer::Program(&program.principal, &program.party.origin);
                self.engine.directory.tell_change(
                    changer,
                    Some(&before),
                    Some(&after.definition),
                    changed.need,
                );
                Gated::new(changed.need.max(lent), Ok(()))
            }
            Err(ChangeError::NotFound) => {
                Gated::new(self.engine.directory.catalogue.absence_need(), Err(Reason::Q_DELETED))
            }
            Err(ChangeError::NotAuthorized(denied)) => {
                let (need, reason) = self.engine.refuse_lent_to_program(&denied);
                Gated::new(need, Err(reason))
            }
            Err(ChangeError::OutOfSpace(_)) => Gated::free(Err(Reason::RESOURCE_PROBLEM)),
            Err(_) => Gated::free(Err(Reason::OBJECT_CHANGED)),
        }
    }
}
