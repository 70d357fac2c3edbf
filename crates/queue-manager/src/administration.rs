//! The engine as commands see it.

use std::sync::Arc;

use mqi::{ObjectName, OpenOptions, Reason};
use objects::{Definition, Moment, ObjectType};
use platform::sync::atomic::Ordering;
use storage::{LogKind, LogState, Lsn, ObjectId, images};

use crate::Issuer;
use crate::catalogue::{Catalogue, ChangeError, Current, Object};
use crate::command::live::{
    ConnectionState, HandleState, Messages, NotAdvanced, Publishes, Recovered, Running, Subscribes, UnitState,
};
use crate::conversation::Conversation;
use crate::engine::Engine;
use crate::ground::settings::CLIENT_CHANNEL;
use crate::ground::time::moment;
use crate::queue::Queue;
use crate::queue::state::{Busy, Cleared, QueueFigures, QueueState};

impl Running for Engine {
    type Queue = Arc<Queue>;

    fn catalogue(&self) -> &Catalogue<Arc<Queue>> {
        &self.catalogue
    }

    fn now(&self) -> Moment {
        moment(self.world.clock.wall())
    }

    fn started(&self) -> Moment {
        self.started
    }

    fn host_name(&self) -> String {
        self.host.machine()
    }

    fn is_quiescing(&self) -> bool {
        self.quiescing.load(Ordering::Acquire) != 0
    }

    fn new_subscription_identifier(&self) -> ObjectName {
        let digits: String = self.identifiers.next().0.iter().map(|byte| format!("{byte:02X}")).collect();
        digits.parse().expect("hexadecimal digits make a name")
    }

    fn claim_subscription(&self, identifier: &ObjectName) -> bool {
        self.claim(identifier, 0)
    }

    fn release_subscription(&self, identifier: &ObjectName) {
        self.release(identifier);
    }

    fn make_managed_queue(&self, definition: &mut Definition) -> Result<(), Reason> {
        self.make_managed_by_command(definition).1
    }

    fn make_with_retained(
        &self,
        definition: &Definition,
        make: impl FnOnce() -> Result<Lsn, ChangeError>,
    ) -> Result<Lsn, ChangeError> {
        Self::make_with_retained(self, definition, make)
    }

    fn is_retained(&self, topic: &str) -> (bool, Lsn) {
        Self::is_retained(self, topic)
    }

    fn retained_topics(&self) -> (Vec<String>, Lsn) {
        Self::retained_topics(self)
    }

    fn clear_retained(&self, topic: &str) -> Result<Option<Lsn>, Reason> {
        Self::clear_retained(self, topic)
    }

    fn leave_place(&self, place: &str) {
        Self::leave_place(self, place);
    }

    fn left_places(&self) -> Vec<Arc<str>> {
        let tree_life = self.catalogue.manager().attributes.tree_life;
        self.left_places.shown(self.world.clock.now(), tree_life)
    }

    fn drop_managed_queue(&self, definition: &Definition) {
        self.drop_managed_of(definition);
    }

    fn make_queue(&self, id: ObjectId, current: &Current) -> Arc<Queue> {
        self.new_queue(id, current)
    }

    fn changed(&self, object: &Object<Arc<Queue>>) {
        match object.queue() {
            Some(queue) => self.attributes_changed(queue),
            None if object.object_type() == ObjectType::AliasQueue => self.alias_changed(),
            None => {}
        }
    }

    fn connections(&self) -> Vec<ConnectionState> {
        let conversations: Vec<_> = self.conversations.lock().values().cloned().collect();
        conversations.iter().map(|conversation| connection_state(conversation)).collect()
    }

    fn queue_state(&self, queue: &Arc<Queue>) -> QueueState {
        queue.status(self)
    }

    fn reset_figures(&self, queue: &Arc<Queue>) -> QueueFigures {
        queue.reset_figures(self.world.clock.now())
    }

    fn clear(&self, queue: &Arc<Queue>) -> Result<Cleared, Busy> {
        queue.clear(self)
    }

    fn move_some(&self, from: &Arc<Queue>, to: &Arc<Queue>) -> Result<Cleared, Busy> {
        Self::move_some(self, from, to)
    }

    fn recover(&self, queue: &Arc<Queue>) -> Result<Recovered, String> {
        self.recover_queue(queue)
    }

    fn tell_statistics(&self) -> Lsn {
        Self::tell_statistics(self, self.world.clock.now())
    }

    fn advance_log(&self) -> Result<Lsn, NotAdvanced> {
        if self.storage.log_kind() == LogKind::Circular {
            return Err(NotAdvanced::Circular);
        }
        let advanced = self.storage.advance_log();
        self.leave_preparation();
        advanced.map_err(|error| NotAdvanced::OutOfSpace(error.to_string()))
    }

    fn log_state(&self) -> LogState {
        self.storage.log_state()
    }

    fn media_log_from(&self) -> Option<Lsn> {
        match self.storage.log_kind() {
            LogKind::Circular => None,
            // What cannot be listed is said when an image is taken.
            LogKind::Linear => images::needed_from(&self.world.disk).ok().flatten(),
        }
    }

    fn tell_definition(&self, issuer: &Issuer, definition: &Definition, need: Lsn) -> Lsn {
        self.tell_refreshed(issuer, definition, need)
    }

    fn stop_connection(&self, identifier: u64) -> bool {
        let found = self.conversations.lock().get(&identifier).cloned();
        found.is_some_and(|conversation| conversation.stop(self))
    }

    fn back_out_unit(&self, identifier: u64) -> bool {
        let found = self.conversations.lock().get(&identifier).cloned();
        let Some(work) = found.and_then(|conversation| conversation.unit.lent().lock().withdraw()) else {
            return false;
        };
        self.back_out(work);
        true
    }

    fn expire(&self, queue: &Arc<Queue>) {
        queue.expire(self);
    }

    fn retire(
        &self,
        queue: &Arc<Queue>,
        messages: Messages,
        log: &mut dyn FnMut() -> Lsn,
    ) -> Result<(), Busy> {
        queue.retire(self, Some(messages), log)
    }
}

impl Engine {
    /// A new, empty local queue.
    pub(crate) fn new_queue(&self, id: ObjectId, current: &Current) -> Arc<Queue> {
        let queue = Queue::new(
            id,
            *current.definition.name(),
            current.attributes.clone(),
            (self.hash_seed, self.now()),
        );
        self.queues.write().insert(id, Arc::clone(&queue));
        self.note_initiation(&queue);
        self.measure(&queue);
        queue
    }
}

fn connection_state(conversation: &Conversation) -> ConnectionState {
    let (unit, need) = {
        let lent = conversation.unit.lent();
        let unit = lent.lock();
        let state = match unit.began() {
            None => UnitState::None,
            Some(began) => UnitState::Active {
                began: moment(began),
                logged: unit.logged_since().map(moment),
                position: unit.position(),
            },
        };
        (state, Lsn::ZERO)
    };
    let waiting: Vec<_> = conversation.waits.lock().iter().map(|wait| wait.queue.id).collect();
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
        identifier: conversation.id,
        application: conversation.application.clone(),
        user: conversation.principal.name().to_owned(),
        channel: channel_of(&conversation.address).to_owned(),
        origin: conversation.address.clone(),
        process: i32::try_from(conversation.process).unwrap_or(0),
        thread: 0,
        unit,
        handles,
        need,
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

/// The channel of a connection: the client channel, or none if it came from this machine without the network.
fn channel_of(address: &str) -> &'static str {
    if address.starts_with("tcp ") { CLIENT_CHANNEL } else { "" }
}
