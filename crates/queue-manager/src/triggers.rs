//! Trigger messages: what the queue manager puts on an initiation queue so that a program is started for
//! another queue.
//!
//! Lives here: the takers of trigger messages, the content of one and its destination. Lives elsewhere: the
//! queues of each initiation queue (`initiation_queues`), the conditions on the queue that is to be served
//! (`queue::watch`), starting the program (a trigger monitor: `ferry trigger-monitor`).
//!
//! When one is made:
//!
//! - A message of at least the priority TRIGMPRI arrives, and with it, counting messages of units of work
//!   that are open: the first one (FIRST), or as many as TRIGDPTH (DEPTH); for those no program may have the
//!   queue open for input. Each one of them does with EVERY. With FIRST a later message does so, too, when
//!   TRIGINT has passed since the last trigger message.
//! - For FIRST and DEPTH, while enough messages are there: the last program that gets from the queue closes
//!   it; an attribute of the trigger is changed; the initiation queue is opened by the first getter, or takes
//!   messages again.
//! - A put within a unit of work counts when it is made; its trigger message comes when the unit ends. A unit
//!   that is backed out makes that of FIRST and DEPTH, too, since others may have come behind it.
//!
//! And only if the process is defined (a transmission queue needs none), the initiation queue is a local
//! queue for programs, allows puts and gets, and is open for input. What it refuses all the same, the
//! dead-letter queue gets. A trigger of type DEPTH switches itself off. A trigger message never makes another
//! due.
//!
//! A transmission queue whose initiation queue is SYSTEM.CHANNEL.INITQ makes none where the queue manager
//! runs channels: its channel is wanted instead (`initiating`), and no message can fill that queue or be lost
//! there.
//!
//! A queue's lock is not held when its trigger message is put. One of type EVERY is put within the unit of
//! work of its message, at the commit, so that no crash leaves one of them without the other; a put outside
//! units of work is one of the queue manager's own for that. One of type FIRST or DEPTH is put by the thread
//! that let the lock go, like a report: it is gated by its cause, and the outcome of its cause by it. One
//! that a crash loses is made up when the initiation queue is next opened.

use std::sync::Arc;

use formats::headers::TriggerMessage;
use mqi::constants::{
    MQAT_UNKNOWN, MQCA_APPL_ID, MQCA_ENV_DATA, MQCA_USER_DATA, MQFMT_TRIGGER, MQIA_APPL_TYPE,
    MQIA_TRIGGER_CONTROL, MQTC_OFF, MQTM_LENGTH_1,
};
use mqi::{Persistence, Reason, Text};
use objects::{ObjectType, Trigger, TriggerKind, Usage};
use platform::sync::atomic::Ordering;
use queues::ground::events;
use queues::message::report::Report;
use queues::queue::Queue;
use queues::unit_of_work::choice::Whose;
use queues::unit_of_work::{Effect, Operation, Work};
use storage::{Lsn, ObjectId, Purpose, Reservation};

use crate::catalogue::Current;
use crate::directory::Directory;
use crate::reports::must_duplicate;

impl Directory {
    /// Notes where the trigger messages of a queue go.
    pub(crate) fn note_initiation(&self, queue: &Arc<Queue>) {
        let named = || queue.attributes().trigger.as_ref().and_then(|trigger| trigger.initiation_queue);
        self.initiation.note(queue.id, queue, named);
    }

    /// A new, empty local queue, measured and triggered as its attributes say.
    pub(crate) fn new_queue(&self, id: ObjectId, current: &Current) -> Arc<Queue> {
        let queue = self.queues.make(id, *current.definition.name(), current.attributes.clone());
        self.note_initiation(&queue);
        self.measure(&queue);
        queue
    }

    /// Makes the trigger messages that had no taker before, now that a program gets from their initiation
    /// queue.
    pub(crate) fn taken_from(&self, initiation_queue: &Arc<Queue>) {
        for queue in self.initiation.of(&initiation_queue.name) {
            queue.reconsider_trigger(&self.queues);
        }
    }

    /// Makes the trigger message that is due for a queue, if it has a taker. Its cause needs the position
    /// returned.
    pub(crate) fn fire_trigger(&self, queue: &Arc<Queue>, need: Lsn) -> Lsn {
        let mut whose = Whose::own_after(need);
        let made = self.fire_within(queue, &mut whose);
        let made_at = if made.is_some() { self.queues.commit_own(whose).need() } else { Lsn::ZERO };
        // It is for a program to switch it on again. Without room in the log the queue has noted it.
        let switched = if made == Some(TriggerKind::Depth) {
            self.switch_attributes(queue, &[(MQIA_TRIGGER_CONTROL, MQTC_OFF)])
        } else {
            Lsn::ZERO
        };
        made_at.max(switched)
    }

    /// Puts the trigger messages of type EVERY that a unit of work makes due into it, behind its other
    /// operations.
    pub(crate) fn put_triggers(&self, mut work: Work) -> Work {
        let is_due = |operation: &Operation| {
            operation.effect == Effect::PutAndTrigger && operation.queue.attributes().fires_for_each()
        };
        let due: Vec<usize> = (0..work.operations.len()).filter(|at| is_due(&work.operations[*at])).collect();
        if due.is_empty() {
            return work;
        }
        let mut whose = Whose::Own(Box::new(work.reopen()));
        for at in due {
            let operation = &mut work.operations[at];
            operation.effect = Effect::Put;
            let _ = self.fire_within(&operation.queue, &mut whose);
        }
        if let Whose::Own(mut unit) = whose {
            work.close(&mut unit);
        }
        work
    }

    /// Makes a trigger message, if it has a taker, in a unit of work of the queue manager's own; returns its
    /// kind.
    fn fire_within(&self, queue: &Arc<Queue>, whose: &mut Whose) -> Option<TriggerKind> {
        let trigger = queue.attributes().trigger.clone();
        let is_ending = self.ground().quiescing.load(Ordering::Acquire) != 0;
        let made = trigger.filter(|_| !is_ending).and_then(|trigger| {
            if self.starts_channel(queue, &trigger) {
                self.wish_for_channel_of(queue, &trigger);
                return Some(trigger.kind);
            }
            let (initiation_queue, message, seen) = self.trigger_message(queue, &trigger)?;
            if let Whose::Own(unit) = whose {
                unit.observe(seen);
            }
            self.put_trigger_message(&initiation_queue, &message, whose);
            Some(trigger.kind)
        });
        queue.trigger_done(&self.queues, self.ground().now(), made.is_some());
        made
    }

    /// Returns the message for the program that serves a queue, and the initiation queue, if it takes
    /// messages and has a getter; the position is that of the definitions it was made from.
    fn trigger_message(&self, queue: &Queue, trigger: &Trigger) -> Option<(Arc<Queue>, TriggerMessage, Lsn)> {
        let name = trigger.initiation_queue?;
        let found = self.catalogue.find(&name);
        let initiation_queue = Arc::clone(found.object.as_ref()?.queue()?);
        let attributes = initiation_queue.attributes();
        let is_taken = attributes.usage == Usage::Normal
            && !attributes.get_inhibited
            && !attributes.put_inhibited
            && initiation_queue.has_getters();
        drop(attributes);
        if !is_taken {
            return None;
        }
        let mut message = TriggerMessage {
            queue: Text::truncated(queue.name.as_str()),
            trigger_data: Text::truncated(&trigger.data),
            application_type: MQAT_UNKNOWN,
            ..TriggerMessage::default()
        };
        let mut need = found.need;
        match trigger.process {
            Some(process) => {
                let space = ObjectType::Process.name_space();
                let current = self.catalogue.find_defined(space, process.as_str()).0?.current();
                let definition = &current.definition;
                need = need.max(current.need);
                message.process = Text::truncated(process.as_str());
                message.application_type = definition.integer(MQIA_APPL_TYPE);
                message.application_id = definition.text(MQCA_APPL_ID);
                message.environment_data = Text::truncated(&definition.text(MQCA_ENV_DATA));
                message.user_data = Text::truncated(&definition.text(MQCA_USER_DATA));
            }
            // The trigger data say which channel is to be started.
            None if queue.attributes().usage == Usage::Transmission => {}
            None => return None,
        }
        Some((initiation_queue, message, need))
    }

    /// Room in the log for the trigger message of type EVERY that the commit of a put on a queue makes; none
    /// when it does not last.
    pub(crate) fn reserve_for_trigger(&self, queue: &Queue) -> Result<Option<Reservation>, Reason> {
        let trigger = queue.attributes().trigger.clone();
        let Some(name) = trigger.and_then(|trigger| trigger.initiation_queue) else { return Ok(None) };
        let found = self.catalogue.find(&name);
        let initiation_queue = found.object.as_ref().and_then(|object| object.queue());
        let Some(initiation_queue) = initiation_queue.filter(|queue| queue.attributes().default_persistent)
        else {
            return Ok(None);
        };
        let (bytes, copies) = room_for(initiation_queue);
        self.queues.reserve(bytes * copies, Purpose::Fill).map(Some)
    }

    /// True when trigger messages by these settings outlive a restart: then one of type EVERY is in the unit
    /// of work of the message that it tells of.
    pub(crate) fn has_lasting_triggers(&self, trigger: &Trigger) -> bool {
        let found = trigger.initiation_queue.map(|name| self.catalogue.find(&name));
        let object = found.and_then(|found| found.object);
        object
            .as_ref()
            .and_then(|object| object.queue())
            .is_some_and(|queue| queue.attributes().default_persistent)
    }

    fn put_trigger_message(&self, to: &Arc<Queue>, message: &TriggerMessage, whose: &mut Whose) {
        let mut message = self.own_message(to, MQFMT_TRIGGER, |place| message.write(place));
        message.may_trigger = false;
        // A unit of work that is being committed goes on when space runs short, like all that empties queues.
        let is_under_way = matches!(whose, Whose::Own(unit) if unit.position().is_some());
        let lasts = message.descriptor.persistence == Persistence::Persistent;
        let mut room = None;
        if is_under_way && lasts {
            let (bytes, copies) = room_for(to);
            let kept =
                if let Whose::Own(unit) = whose { unit.room_for_trigger(bytes * copies) } else { None };
            message.has_room_for_copy = kept.is_some() && copies > 1;
            room = kept.or_else(|| self.queues.reserve(bytes, Purpose::Drain).ok());
        }
        if let Err(refusal) = self.put_report(&message, &message.reply_to, whose, &mut room)
            && let Err(second) = self.keep_dead(message, refusal, whose, &mut room)
        {
            let inserts = [to.name.to_string(), refusal.to_string(), second.to_string()];
            self.ground().host.event(&events::TRIGGER_DROPPED.with(inserts));
        }
    }
}

/// The room in the log that a trigger message on this queue takes, and how often: once more for the copy that
/// must be.
fn room_for(initiation_queue: &Queue) -> (u64, u64) {
    (Report::room(MQTM_LENGTH_1), 1 + u64::from(must_duplicate(initiation_queue)))
}
