//! MQINQ.

use mqi::constants::{MQIA_CURRENT_Q_DEPTH, MQIA_OPEN_INPUT_COUNT, MQIA_OPEN_OUTPUT_COUNT};
use mqi::{Inquired, ObjectHandle, OpenOptions, Reason, Selector};
use queues::gate::{BehindGate, Gated, Outcome};

use crate::catalogue;
use crate::connection::{Connection, Target};

/// Most selectors of one call.
pub(super) const SELECTORS_MAX: usize = 256;

/// Attributes of a queue that follow from its messages and handles.
const LIVE: [i32; 3] = [MQIA_CURRENT_Q_DEPTH, MQIA_OPEN_INPUT_COUNT, MQIA_OPEN_OUTPUT_COUNT];

impl Connection {
    /// MQINQ.
    pub fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Outcome<Inquired> {
        let inquired = self.inquire_uncounted(handle, selectors);
        if self.conversation.party.calls.is_any_counted() {
            self.count_inquiry(handle, inquired.value().is_ok());
        }
        inquired
    }

    fn inquire_uncounted(&self, handle: ObjectHandle, selectors: &[Selector]) -> Outcome<Inquired> {
        if let Err(reason) = self.usable(false) {
            return Gated::free(Err(reason));
        }
        let found = match self.handle(handle) {
            Ok(found) => found,
            Err(reason) => return Gated::free(Err(reason)),
        };
        if !found.options.contains(OpenOptions::INQUIRE) {
            return Gated::free(Err(Reason::NOT_OPEN_FOR_INQUIRE));
        }
        if let Err((need, reason)) = self.may_use(found) {
            return Gated::new(need, Err(reason));
        }
        if selectors.len() > SELECTORS_MAX {
            return Gated::free(Err(Reason::SELECTOR_LIMIT_EXCEEDED));
        }
        match &found.target {
            Target::Manager => {
                let current = self.engine.directory.catalogue.manager();
                let inquired = catalogue::inquire(&current.definition, selectors, |_| None);
                Gated::new(current.need, inquired)
            }
            Target::Defined(object) => {
                let current = object.current();
                let inquired = catalogue::inquire(&current.definition, selectors, |_| None);
                Gated::new(current.need, inquired)
            }
            Target::Definition(object) => {
                let current = object.current();
                let inquired = catalogue::inquire(&current.definition, selectors, |_| None);
                Gated::new(current.need, inquired)
            }
            Target::Topic(_) | Target::Subscription(_) => Gated::free(Err(Reason::NOT_OPEN_FOR_INQUIRE)),
            // A temporary queue ends with the handle that made it, in spite of other open handles.
            Target::Queue { queue, .. } if queue.is_deleted() => {
                Gated::new(queue.last_change(), Err(Reason::Q_DELETED))
            }
            Target::Queue { opened, queue, .. } => {
                let current = opened.current();
                // A definition alone depends on no message, and is told while the disk stalls.
                let is_live = |selector: &Selector| LIVE.contains(&selector.0);
                let state = selectors.iter().any(is_live).then(|| queue.status(&self.engine.queues));
                let state = state.unwrap_or_default();
                let live = |selector: Selector| match selector.0 {
                    MQIA_CURRENT_Q_DEPTH => i32::try_from(state.depth).ok(),
                    MQIA_OPEN_INPUT_COUNT => i32::try_from(state.input_handles).ok(),
                    MQIA_OPEN_OUTPUT_COUNT => i32::try_from(state.output_handles).ok(),
                    _ => None,
                };
                let inquired = catalogue::inquire(&current.definition, selectors, live);
                Gated::new(current.need.max(state.need), inquired)
            }
        }
    }
}
