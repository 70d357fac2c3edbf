//! What a queue notices beside its messages because its attributes ask for it: when a trigger message is due.
//!
//! Lives here: counting the messages that matter, and the conditions on the queue itself. Lives elsewhere: whether anybody
//! takes trigger messages, and what is in them (`triggers`).
//!
//! A queue that asks for nothing has no [`Watch`], and pays one look for one at each message.
//!
//! Always: what is noticed under the queue's lock is only noted (`Due`), and done by the thread that lets the lock go.

use std::sync::Arc;

use objects::{QueueAttributes, Trigger, TriggerKind};
use platform::Monotonic;

use super::entry::{EntryState, Slot};
use super::{Queue, State};
use crate::engine::Engine;
use crate::reports::Due;

/// What is noticed of one queue.
#[derive(Debug)]
pub(super) struct Watch {
    trigger: Arc<Trigger>,
    /// Messages of at least the trigger's priority, uncommitted ones included.
    sufficient: u32,
    firing: Firing,
}

/// Where a trigger of type FIRST or DEPTH is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Firing {
    Ready,
    /// A trigger message is being made.
    Due,
    /// It was of type DEPTH, fired, and is being switched off.
    Spent,
}

/// What a change of attributes calls for, besides the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Consequences {
    /// The trigger's conditions may be met from now on.
    pub(crate) trigger_changed: bool,
    /// Trigger messages may come from now on, if this is an initiation queue.
    pub(crate) takes_again: bool,
}

impl Watch {
    fn new(attributes: &QueueAttributes) -> Option<Box<Self>> {
        let trigger = Arc::clone(attributes.trigger.as_ref()?);
        Some(Box::new(Self { trigger, sufficient: 0, firing: Firing::Ready }))
    }

    fn counts(&self, priority: u8) -> bool {
        priority >= self.trigger.priority_min
    }

    /// How many messages must be there; none when their number does not matter.
    fn messages_wanted(&self) -> Option<u32> {
        match self.trigger.kind {
            TriggerKind::First => Some(1),
            TriggerKind::Depth => Some(self.trigger.depth),
            TriggerKind::Every | TriggerKind::None => None,
        }
    }
}

impl State {
    /// One more message counts in the depth.
    pub(super) fn count_in(&mut self, slot: Slot) {
        self.depth += 1;
        if let Some(watch) = &mut self.watch
            && watch.counts(self.slab[slot].priority)
        {
            watch.sufficient += 1;
        }
    }

    /// One message less counts in the depth.
    pub(super) fn count_out(&mut self, slot: Slot) {
        self.depth -= 1;
        if let Some(watch) = &mut self.watch
            && watch.counts(self.slab[slot].priority)
        {
            watch.sufficient -= 1;
        }
    }

    /// Takes attributes into use, and counts what is there already.
    pub(super) fn watch(&mut self, attributes: &QueueAttributes) {
        let mut watch = Watch::new(attributes);
        if let Some(watch) = &mut watch {
            let entries = self.slab.slots().map(|slot| &self.slab[slot]);
            let counted =
                entries.filter(|entry| entry.state != EntryState::Locked && watch.counts(entry.priority));
            watch.sufficient = counted.count() as u32;
        }
        self.watch = watch;
    }

    /// Whether a message that is about to count makes a trigger message due. Of types FIRST and DEPTH there is one at a time.
    pub(super) fn is_trigger(&self, engine: &Engine, slot: Slot) -> bool {
        let Some(watch) = &self.watch else { return false };
        if !watch.counts(self.slab[slot].priority) {
            return false;
        }
        let is_free = self.input_handles == 0 && watch.firing == Firing::Ready;
        match watch.trigger.kind {
            TriggerKind::None => false,
            TriggerKind::Every => true,
            TriggerKind::First => {
                let is_over = || engine.trigger_interval_is_over(self.triggered_at, engine.now());
                is_free && (watch.sufficient == 0 || is_over())
            }
            TriggerKind::Depth => is_free && watch.sufficient + 1 >= watch.trigger.depth,
        }
    }

    /// Whether enough messages wait for a program that is not there.
    fn lacks_program(&self) -> bool {
        !self.deleted
            && self.input_handles == 0
            && self.watch.as_ref().is_some_and(|watch| {
                watch.firing == Firing::Ready
                    && watch.messages_wanted().is_some_and(|wanted| watch.sufficient >= wanted)
            })
    }
}

impl Queue {
    /// Notes that a trigger message is to be made, after what the queue shows now.
    pub(super) fn note_trigger(&self, state: &mut State) {
        let Some(watch) = &mut state.watch else { return };
        if watch.messages_wanted().is_some() {
            watch.firing = Firing::Due;
        }
        let need = state.last_change;
        state.due.push(Due::Trigger { queue: self.arc(), need });
    }

    /// A unit of work ended that had put a message which makes a trigger message due. Others, which came behind it while it
    /// was counted, may be there when it is gone, so that of types FIRST and DEPTH is made in either case.
    pub(crate) fn trigger_at_end(&self, state: &mut State, is_gone: bool) {
        let is_due = match &state.watch {
            None => false,
            Some(watch) if watch.trigger.kind == TriggerKind::Every => !is_gone,
            Some(watch) => state.input_handles == 0 && watch.firing == Firing::Ready,
        };
        if is_due {
            self.note_trigger(state);
        }
    }

    /// Makes a trigger message due if messages wait for a program that is not there: where they came before anybody took
    /// trigger messages, or where their program left them.
    pub(crate) fn reconsider_trigger(&self, engine: &Engine) {
        let mut state = self.lock();
        self.note_if_lacking(&mut state);
        Self::release(engine, state);
    }

    pub(super) fn note_if_lacking(&self, state: &mut State) {
        if state.lacks_program() {
            self.note_trigger(state);
        }
    }

    /// The trigger message that was due was made, or nobody takes it.
    pub(crate) fn trigger_done(&self, now: Monotonic, is_made: bool) {
        let mut state = self.lock();
        if is_made {
            state.triggered_at = now;
        }
        if let Some(watch) = &mut state.watch {
            let is_spent = is_made && watch.trigger.kind == TriggerKind::Depth;
            watch.firing = if is_spent { Firing::Spent } else { Firing::Ready };
        }
    }

    /// What the last change of attributes calls for, once.
    pub(crate) fn take_consequences(&self) -> Consequences {
        std::mem::take(&mut self.lock().consequences)
    }

    /// Whether any program has it open to get messages.
    pub(crate) fn has_getters(&self) -> bool {
        self.lock().input_handles > 0
    }

    /// What a change to these attributes calls for.
    pub(super) fn consequences(&self, new: &QueueAttributes) -> Consequences {
        let old = self.attributes();
        let is_open = |attributes: &QueueAttributes| !attributes.get_inhibited && !attributes.put_inhibited;
        Consequences {
            trigger_changed: new.trigger.is_some() && new.trigger != old.trigger,
            takes_again: is_open(new) && !is_open(&old),
        }
    }
}
