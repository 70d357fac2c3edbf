//! The engine as commands see it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use mqi::constants::MQCA_Q_MGR_DESC;
use mqi::{ObjectDescriptor, OpenOptions, Reason};
use objects::{Moment, ObjectType};
use platform::sync::atomic::Ordering;
use queues::gate::{BehindGate, Gated};
use queues::ground::time::moment;
use queues::queue::Queue;
use queues::unit_of_work::branches::Branch;
use security::Part;
use storage::{LogKind, Lsn, images};

use crate::catalogue::Object;
use crate::command::live::{
    ConnectionState, HandleState, NotAdvanced, Overview, Publishes, Subscribes, UnitState,
};
use crate::conversation::Conversation;
use crate::engine::Engine;
use crate::topic_figures::TopicLook;

impl Engine {
    /// Looks at everything that a board of figures shows. Each queue is locked alone and for a moment.
    pub(crate) fn overview(&self) -> Gated<Overview> {
        let mut need = Lsn::ZERO;
        let mut queues = BTreeMap::new();
        for queue in self.queues.all() {
            let (figures, of_queue) = queue.observe(self.ground());
            need = need.max(of_queue);
            queues.insert(queue.name, figures);
        }
        let (mut units, last_end) = self.units_in_doubt();
        need = need.max(last_end);
        let now = self.time_of_day();
        let mut branches = BTreeSet::new();
        let mut topics = TopicLook::begin(self);
        for connection in self.connections() {
            need = need.max(connection.need);
            // Several connections may work in one branch.
            let is_counted = connection.branch.is_some_and(|branch| !branches.insert(branch));
            if let UnitState::Active { began, .. } = connection.unit
                && !is_counted
            {
                note_open(&mut units, now, began);
            }
            for handle in connection.handles {
                if let Some(topics) = &mut topics {
                    topics.note(&handle);
                }
                let queue = handle.queue.and_then(|name| queues.get_mut(&name));
                if let Some(queue) = queue.filter(|_| handle.options.contains(OpenOptions::BROWSE)) {
                    queue.browse_handles += 1;
                }
            }
        }
        for branch in self.queues.idle_branches() {
            let began = UnitState::of(&branch.slot).map_or(branch.began_at, |(began, _)| began);
            note_open(&mut units, now, moment(began));
        }
        let channels = self.channel_figures();
        need = need.max(channels.need());
        let (of_topics, topics) = topics.map(|look| look.finish(self)).unwrap_or_default();
        need = need.max(of_topics);
        let manager = self.directory.catalogue.manager();
        let overview = Overview {
            description: manager.definition.text(MQCA_Q_MGR_DESC),
            dead_letter_queue: manager.attributes.dead_letter_queue,
            queues: queues.into_iter().collect(),
            channels: channels.into_inner(),
            channel_limits: self.message_channels.seats_taken().limits,
            topics,
            units,
        };
        Gated::new(need, overview)
    }

    /// The units of work that are prepared, and the position that must be durable before a caller learns of
    /// them.
    fn units_in_doubt(&self) -> (figures::Units, Lsn) {
        let (prepared, mut need) = self.queues.units.prepared();
        let now = self.ground().world.clock.wall();
        let mut units = figures::Units::default();
        for unit in prepared {
            need = need.max(unit.need());
            if unit.maker_of_branch().is_none() {
                units.batches_in_doubt += 1;
                continue;
            }
            units.in_doubt += 1;
            let age = unit.waits(now).unwrap_or_default().as_secs();
            units.in_doubt_seconds = units.in_doubt_seconds.max(age);
        }
        (units, need)
    }

    /// The time of day.
    pub(crate) fn time_of_day(&self) -> Moment {
        moment(self.ground().world.clock.wall())
    }

    /// Returns true while the queue manager ends.
    pub(crate) fn is_quiescing(&self) -> bool {
        self.ground().quiescing.load(Ordering::Acquire) != 0
    }

    /// A queue was made, or its attributes were changed. Called without any lock.
    pub(crate) fn changed(&self, object: &Object<Arc<Queue>>) {
        // The use of a queue and the target of an alias decide which rights are needed.
        self.directory.door.book.definition_changed();
        match object.queue() {
            Some(queue) => {
                self.queues.note(&queue.attributes());
                self.attributes_changed(queue);
            }
            None if object.object_type() == ObjectType::AliasQueue => self.alias_changed(),
            None => {}
        }
    }

    /// The attributes of a queue were changed. Called without any lock.
    pub(crate) fn attributes_changed(&self, queue: &Arc<Queue>) {
        self.tell_inhibited_waits(queue);
        queue.let_in(&self.queues);
        self.directory.measure(queue);
        let consequences = queue.take_consequences();
        if consequences.trigger_changed {
            self.directory.note_initiation(queue);
            queue.reconsider_trigger(&self.queues);
        }
        if consequences.takes_again && queue.has_getters() {
            self.directory.taken_from(queue);
        }
    }

    /// Tells of gets that waited on a queue when it was inhibited, if the queue manager is to.
    pub(crate) fn tell_inhibited_waits(&self, queue: &Arc<Queue>) {
        let (ended, need) = queue.take_inhibited();
        for party in ended {
            // By the name that its program knows the queue by; one that has ended has no handles.
            let conversation = self.conversations.lock().get(&party.id).cloned();
            let name = conversation.and_then(|conversation| {
                let registrations = conversation.registrations.lock();
                registrations.iter().find_map(|registration| {
                    let other = registration.queue.as_ref()?;
                    Arc::ptr_eq(other, queue).then_some(registration.object)
                })
            });
            let object = ObjectDescriptor::queue(name.unwrap_or(queue.name));
            self.directory.tell_refused(&party.origin, &object, Reason::GET_INHIBITED, need);
        }
    }

    /// An alias was altered. Gets that wait through one end where it inhibits them by now or leads elsewhere;
    /// of an inhibition it is told.
    pub(crate) fn alias_changed(&self) {
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        for conversation in conversations {
            let waits: Vec<_> = {
                let waits = conversation.party.waits.lock();
                waits.iter().map(|wait| (Arc::clone(&wait.queue), wait.ticket)).collect()
            };
            for (queue, ticket) in waits {
                if let Some((alias, reason, need)) = queue.meet_alias(&self.queues, ticket) {
                    self.directory.tell_refused(
                        &conversation.party.origin,
                        &ObjectDescriptor::queue(alias),
                        reason,
                        need,
                    );
                }
            }
        }
    }

    /// The state of every connection, by identifier; each is looked at when it is its turn.
    pub(crate) fn connections(&self) -> impl Iterator<Item = ConnectionState> + use<> {
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        conversations.into_iter().map(|conversation| connection_state(&conversation))
    }

    /// Returns true while the command server has its queue open; it does not count as a getter there.
    pub(crate) fn is_served_by_command_server(&self) -> bool {
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        conversations.iter().any(|conversation| {
            conversation.principal.part() == Some(Part::CommandServer)
                && conversation.registrations.lock().iter().any(|handle| handle.queue.is_some())
        })
    }

    /// Ends the current extent of the log: the next record begins another. Returns the beginning of that.
    pub(crate) fn advance_log(&self) -> Result<Lsn, NotAdvanced> {
        if self.ground().storage.log_kind() == LogKind::Circular {
            return Err(NotAdvanced::Circular);
        }
        let advanced = self.ground().storage.advance_log();
        self.queues.leave_preparation();
        advanced.map_err(|error| NotAdvanced::OutOfSpace(error.to_string()))
    }

    /// The beginning of the log that is needed so that each image there is gives the present state; none
    /// without images. Reads the disk.
    pub(crate) fn media_log_from(&self) -> Option<Lsn> {
        match self.ground().storage.log_kind() {
            LogKind::Circular => None,
            // What cannot be listed is said when an image is taken.
            LogKind::Linear => images::needed_from(&self.ground().world.disk).ok().flatten(),
        }
    }

    /// Ends a connection; returns true if there was one.
    pub(crate) fn stop_connection(&self, identifier: u64) -> bool {
        let found = self.conversations.lock().get(&identifier).cloned();
        found.is_some_and(|conversation| self.stop_conversation(&conversation))
    }

    /// Undoes the units of work of a connection; returns true if one was open.
    pub(crate) fn back_out_unit(&self, identifier: u64) -> bool {
        let found = self.conversations.lock().get(&identifier).cloned();
        let branch = found.as_ref().and_then(|conversation| branch_of(conversation));
        let mut was_open = branch.is_some_and(|branch| self.queues.roll_back_by_hand(&branch.id));
        for unit in found.iter().flat_map(|conversation| conversation.party.units()) {
            let work = unit.lock().withdraw();
            was_open |= work.is_some();
            work.into_iter().for_each(|work| self.queues.back_out(work));
        }
        was_open
    }
}

/// Counts a unit of work that is open.
fn note_open(units: &mut figures::Units, now: Moment, began: Moment) {
    units.open += 1;
    let age = u64::try_from(now.0.saturating_sub(began.0)).unwrap_or_default();
    units.oldest_seconds = units.oldest_seconds.max(age);
}

/// The branch that a connection works in.
fn branch_of(conversation: &Conversation) -> Option<Arc<Branch>> {
    conversation.thread.lock().branch().cloned()
}

fn connection_state(conversation: &Conversation) -> ConnectionState {
    let branch = branch_of(conversation);
    let unit = match &branch {
        Some(branch) => {
            UnitState::of(&branch.slot).map_or_else(|| UnitState::begun(branch), |(_, unit)| unit)
        }
        None => {
            let units = conversation.party.units().into_iter().filter_map(|slot| UnitState::of(&slot));
            // Of several the one that began first, which keeps the most of the log.
            units.min_by_key(|(began, _)| *began).map_or(UnitState::None, |(_, unit)| unit)
        }
    };
    let waiting: Vec<_> = conversation.party.waits.lock().iter().map(|wait| wait.queue.id).collect();
    let handles = conversation
        .registrations
        .lock()
        .iter()
        .map(|registration| HandleState {
            object: registration.object,
            object_type: registration.object_type,
            queue: registration.queue.as_ref().map(|queue| queue.name),
            options: registration.options,
            publishes: registration.topic.as_ref().map(|topic| Publishes {
                topic: topic.topic.as_str().to_owned(),
                messages: topic.passed.messages(),
                last: topic.passed.last(),
            }),
            subscribes: registration.subscription.as_ref().map(|open| Subscribes { identifier: open.id }),
            active: registration
                .queue
                .as_ref()
                .is_some_and(|queue| waiting.contains(&queue.id) && gets(registration.options)),
        })
        .collect();
    ConnectionState {
        identifier: conversation.party.id,
        application: conversation.party.application.clone(),
        user: conversation.principal.name().to_owned(),
        channel: conversation.channel,
        origin: conversation.address.clone(),
        process: i32::try_from(conversation.process).unwrap_or(0),
        thread: 0,
        unit,
        branch: branch.map(|branch| branch.id),
        units_beside: u32::try_from(conversation.party.units_beside.lock().len()).unwrap_or(u32::MAX),
        handles,
        need: Lsn::ZERO,
    }
}

fn gets(options: OpenOptions) -> bool {
    options.intersects(
        OpenOptions::INPUT_AS_Q_DEF
            | OpenOptions::INPUT_SHARED
            | OpenOptions::INPUT_EXCLUSIVE
            | OpenOptions::BROWSE,
    )
}
