//! Trigger messages: when one is made for a queue, and what is in it.
//!
//! Written from the rules as a person reads them (`queue-manager/src/triggers.rs` tells them); the queue is
//! counted each time. The model knows no dead-letter queue: what the initiation queue refuses is gone.

use bytes::Bytes;
use mqi::{CorrelationId, MessageDescriptor, MessageId, PutApplicationType, Text, constants};

use super::definitions::Definition;
use super::groups::GroupName;
use super::putting::CHARACTER_SET;
use super::queue::{Message, QueueId, State};
use super::reports::Asked;
use super::{Manager, Version};

/// Event that may make a trigger message due.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cause {
    /// A message arrives.
    Arrival { priority: i32 },
    /// Messages are there and nobody gets them.
    Left,
}

/// Trigger messages put, not yet offered to anybody.
#[derive(Default)]
pub(super) struct Fired {
    /// Where they are.
    to: Vec<QueueId>,
    /// True if any of them is persistent.
    pub(super) lasts: bool,
}

/// The descriptor of a trigger message, as far as it is known.
fn shown() -> MessageDescriptor {
    MessageDescriptor {
        format: Text::truncated(constants::MQFMT_TRIGGER.trim_end()),
        coded_character_set: CHARACTER_SET,
        put_application_type: PutApplicationType(constants::MQAT_QMGR),
        ..MessageDescriptor::default()
    }
}

impl Manager {
    /// True if a message that is about to arrive makes a trigger message due.
    pub(super) fn is_trigger(&self, queue: QueueId, priority: i32) -> bool {
        self.is_due(queue, Cause::Arrival { priority })
    }

    fn is_due(&self, queue: QueueId, cause: Cause) -> bool {
        let Some(definition) = self.definition_of(queue) else { return false };
        if !definition.is("TRIGGER", "YES") {
            return false;
        }
        let least = i32::try_from(definition.number("TRIGMPRI")).expect("0 to 9");
        let counts = |message: &&Message| {
            message.priority.min(9) >= least && !matches!(message.state, State::GotBy(_))
        };
        let there = self.queues[&queue].messages.iter().filter(counts).count();
        let is_free = self.inputs(queue) == 0;
        let wanted = definition.number("TRIGDPTH");
        match (definition.attributes["TRIGTYPE"].as_str(), cause) {
            (_, Cause::Arrival { priority }) if priority.min(9) < least => false,
            ("EVERY", Cause::Arrival { .. }) => true,
            ("FIRST", Cause::Arrival { .. }) => {
                let since = self.now - self.queues[&queue].triggered_at;
                is_free && (there == 0 || since >= self.settings.trigger_interval)
            }
            ("DEPTH", Cause::Arrival { .. }) => is_free && there + 1 >= wanted,
            ("FIRST", Cause::Left) => is_free && there >= 1,
            ("DEPTH", Cause::Left) => is_free && there >= wanted,
            _ => false,
        }
    }

    /// Makes a trigger message if messages wait for a program that is not there.
    pub(super) fn reconsider(&mut self, queue: QueueId) -> Version {
        if self.is_due(queue, Cause::Left) { self.fire(queue, 0) } else { 0 }
    }

    /// Puts the trigger messages of type EVERY among those that are noted, which stand or fall with what made
    /// them due, so the caller has yet to make a version of both, and to offer them.
    pub(super) fn fire_each(&mut self, noted: &mut Vec<QueueId>) -> Fired {
        let is_each = |queue: &QueueId| {
            self.definition_of(*queue).is_some_and(|definition| definition.is("TRIGTYPE", "EVERY"))
        };
        let (mut each, others) = noted.drain(..).partition::<Vec<_>, _>(is_each);
        *noted = others;
        each.sort();
        let mut fired = Fired::default();
        for queue in each {
            let Some((to, message)) = self.trigger_message(queue) else { continue };
            if let Some(message) = message {
                fired.lasts |= message.persistent;
                self.queue(to).messages.push(message);
                fired.to.push(to);
            }
        }
        fired
    }

    /// Offers new trigger messages, which depend on a version, to their waiting getters.
    pub(super) fn offer_fired(&mut self, fired: &Fired, need: Version) {
        for to in &fired.to {
            let changed = self.queues[to].changed.max(need);
            self.queue(*to).changed = changed;
            self.offer(*to);
        }
    }

    /// Makes those that reports outside units of work made due.
    pub(super) fn fire_due(&mut self) -> Version {
        let due = std::mem::take(&mut self.due);
        self.fire_all(due)
    }

    /// Makes those of types FIRST and DEPTH.
    pub(super) fn fire_all(&mut self, queues: Vec<QueueId>) -> Version {
        let mut need = 0;
        for queue in queues {
            let after = self.queues[&queue].changed;
            need = need.max(self.fire(queue, after));
        }
        need
    }

    /// The trigger messages of a unit of work that ended: those that were noted when it put.
    pub(super) fn fire_at_end(&mut self, mut noted: Vec<QueueId>, stands: bool) -> Version {
        noted.sort();
        if !stands {
            noted.reverse();
        }
        let mut need = 0;
        for queue in noted {
            let Some(definition) = self.definition_of(queue) else { continue };
            if !definition.is("TRIGTYPE", "EVERY") && self.inputs(queue) == 0 {
                let after = self.queues[&queue].changed;
                need = need.max(self.fire(queue, after));
            }
        }
        need
    }

    /// Somebody is the first to get from a queue, or it takes messages again.
    pub(super) fn taken_from(&mut self, initiation_queue: QueueId) {
        let Some(name) = self.name_of(initiation_queue) else { return };
        let is_meant = |definition: &Definition| {
            definition.attributes.get("INITQ") == Some(&name) && definition.is("TRIGGER", "YES")
        };
        let mut queues: Vec<QueueId> =
            self.objects.values().filter(|found| is_meant(found)).filter_map(|found| found.queue).collect();
        queues.sort();
        for queue in queues {
            self.reconsider(queue);
        }
    }

    /// Applies the consequences of a change of a queue's attributes.
    pub(super) fn after_change(&mut self, queue: QueueId, before: &Definition, after: &Definition) {
        let words = ["TRIGGER", "TRIGTYPE", "TRIGDPTH", "TRIGMPRI", "TRIGDATA", "PROCESS", "INITQ"];
        let differs = |word: &&str| before.attributes.get(*word) != after.attributes.get(*word);
        if words.iter().any(differs) {
            self.reconsider(queue);
        }
        let is_open =
            |definition: &Definition| !definition.is("GET", "DISABLED") && !definition.is("PUT", "DISABLED");
        if is_open(after) && !is_open(before) && self.inputs(queue) > 0 {
            self.taken_from(queue);
        }
    }

    fn name_of(&self, queue: QueueId) -> Option<String> {
        let mut named = self.objects.iter().filter(|(_, found)| found.queue == Some(queue));
        named.next().map(|(name, _)| name.clone())
    }

    /// The trigger message of a queue and where it goes, if somebody takes it; no message if there is no room
    /// for it.
    fn trigger_message(&mut self, queue: QueueId) -> Option<(QueueId, Option<Message>)> {
        let definition = self.definition_of(queue)?.clone();
        if !definition.is("TRIGGER", "YES") || self.is_ending {
            return None;
        }
        let name = self.name_of(queue).expect("it has a definition");
        let process = self.processes.get(&definition.attributes["PROCESS"])?;
        let initiation = self.objects.get(&definition.attributes["INITQ"])?.clone();
        let to = initiation.queue?;
        let is_taken = !initiation.is("GET", "DISABLED") && !initiation.is("PUT", "DISABLED");
        if !is_taken || self.inputs(to) == 0 {
            return None;
        }
        let said = |word: &str| process.get(word).map_or("", String::as_str);
        let application_type = process.get("APPLTYPE").map_or(6, |word| match word.as_str() {
            "UNIX" => 6,
            number => number.parse().expect("a number was checked when it was read"),
        });
        let text = |text: &str, width: usize| format!("{text:width$}").into_bytes();
        let body: Vec<u8> = [
            b"TM  ".to_vec(),
            1_i32.to_le_bytes().to_vec(),
            text(&name, 48),
            text(&definition.attributes["PROCESS"], 48),
            text(&definition.attributes["TRIGDATA"], 64),
            i32::to_le_bytes(application_type).to_vec(),
            text(said("APPLICID"), 256),
            text(said("ENVRDATA"), 128),
            text(said("USERDATA"), 128),
        ]
        .concat();
        let takes = body.len() <= initiation.number("MAXMSGL") && self.check_room(to, &[body.len()]).is_ok();
        let message = takes.then(|| Message {
            number: self.number(),
            body: Bytes::from(body),
            message_id: MessageId::NONE,
            correlation_id: Some(CorrelationId::NONE),
            priority: i32::try_from(initiation.number("DEFPRTY")).expect("0 to 9"),
            persistent: initiation.is("DEFPSIST", "YES") && !initiation.temporary,
            expires: None,
            backout: 0,
            state: State::Available,
            asked: Asked::default(),
            shown: Box::new(shown()),
            group: GroupName::None,
            properties: Vec::new(),
            published: Vec::new(),
            marked_by: Default::default(),
            marked_until: None,
        });
        Some((to, message))
    }

    /// Puts the trigger message of a queue where it belongs, if somebody takes it.
    fn fire(&mut self, queue: QueueId, after: Version) -> Version {
        let Some((to, message)) = self.trigger_message(queue) else { return 0 };
        let mut need = 0;
        self.queue(queue).triggered_at = self.now;
        if let Some(message) = message {
            let is_persistent = message.persistent;
            self.queue(to).messages.push(message);
            if is_persistent {
                need = self.note();
            }
            let changed = self.queues[&to].changed.max(need).max(after);
            self.queue(to).changed = changed;
            self.offer(to);
        }
        let is_depth = |definition: &Definition| definition.is("TRIGTYPE", "DEPTH");
        if self.definition_of(queue).is_some_and(is_depth) {
            let name = self.name_of(queue).expect("it has a definition");
            let mut off = self.objects[&name].clone();
            off.attributes.insert("TRIGGER".to_owned(), "NO".to_owned());
            self.change(&name, off);
            need = need.max(self.note());
        }
        need
    }
}
