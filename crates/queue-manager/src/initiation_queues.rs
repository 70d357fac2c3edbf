//! The queues of each initiation queue.
//!
//! Lives elsewhere: the trigger messages that go there (`triggers`).
//!
//! Always: a queue stands under the one initiation queue that it names. Queues that are gone are at most as
//! many as those that stand, and [`KEPT_MIN`].

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use mqi::ObjectName;
use platform::sync::RwLock;
use queues::queue::Queue;
use storage::ObjectId;

/// Queues below which nobody looks for those that are gone.
const KEPT_MIN: usize = 64;

/// Queues by the initiation queue that they name.
#[derive(Debug)]
pub(crate) struct InitiationQueues<T = Queue>(RwLock<Named<T>>);

#[derive(Debug)]
struct Named<T> {
    queues: BTreeMap<ObjectName, BTreeMap<ObjectId, Weak<T>>>,
    /// The initiation queue of each.
    names: BTreeMap<ObjectId, ObjectName>,
    /// Queues at which those that are gone are looked for next.
    swept_at: usize,
}

impl<T> Default for InitiationQueues<T> {
    fn default() -> Self {
        let (queues, names) = (BTreeMap::new(), BTreeMap::new());
        Self(RwLock::new(Named { queues, names, swept_at: KEPT_MIN }))
    }
}

impl<T> InitiationQueues<T> {
    /// Notes the initiation queue that a queue names now. It is asked for under the lock, so that of two
    /// changes the later one stands.
    pub(crate) fn note(&self, id: ObjectId, queue: &Arc<T>, named: impl FnOnce() -> Option<ObjectName>) {
        let mut state = self.0.write();
        let name = named();
        if state.names.get(&id).copied() == name {
            return;
        }
        state.remove(id);
        let Some(name) = name else { return };
        state.names.insert(id, name);
        state.queues.entry(name).or_default().insert(id, Arc::downgrade(queue));
        if state.names.len() >= state.swept_at {
            state.sweep();
        }
    }

    /// The queues whose trigger messages go to this one, in the order in which they were made.
    pub(crate) fn of(&self, initiation_queue: &ObjectName) -> Vec<Arc<T>> {
        let state = self.0.read();
        let named = state.queues.get(initiation_queue);
        named.map_or_else(Vec::new, |named| named.values().filter_map(Weak::upgrade).collect())
    }
}

impl<T> Named<T> {
    fn remove(&mut self, id: ObjectId) {
        let Some(name) = self.names.remove(&id) else { return };
        let Some(named) = self.queues.get_mut(&name) else { return };
        named.remove(&id);
        if named.is_empty() {
            self.queues.remove(&name);
        }
    }

    fn sweep(&mut self) {
        let all = self.queues.values().flatten();
        let gone = all.filter(|(_, queue)| queue.strong_count() == 0).map(|(id, _)| *id);
        for id in gone.collect::<Vec<_>>() {
            self.remove(id);
        }
        self.swept_at = KEPT_MIN.max(2 * self.names.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: u64) -> Option<ObjectName> {
        format!("INIT.{number}").parse().ok()
    }

    #[test]
    fn a_queue_stands_under_the_name_that_it_names_last() {
        let (queues, one, two) = (InitiationQueues::default(), Arc::new(1), Arc::new(2));
        queues.note(ObjectId(2), &two, || name(0));
        queues.note(ObjectId(1), &one, || name(0));
        assert_eq!(queues.of(&name(0).unwrap()), [Arc::clone(&one), Arc::clone(&two)]);
        queues.note(ObjectId(1), &one, || name(1));
        assert_eq!(queues.of(&name(0).unwrap()), [Arc::clone(&two)]);
        assert_eq!(queues.of(&name(1).unwrap()), [Arc::clone(&one)]);
        queues.note(ObjectId(2), &two, || None);
        assert_eq!(queues.of(&name(0).unwrap()), []);
    }

    #[test]
    fn names_that_nobody_names_and_queues_that_are_gone_take_no_memory() {
        let (queues, stays) = (InitiationQueues::default(), Arc::new(0));
        for number in 0..10_000 {
            queues.note(ObjectId(1), &stays, || name(number));
            queues.note(ObjectId(2 + number), &Arc::new(1), || name(number));
        }
        let state = queues.0.read();
        assert!(state.names.len() <= KEPT_MIN && state.queues.len() <= KEPT_MIN, "{}", state.names.len());
        assert_eq!(state.names[&ObjectId(1)], name(9_999).unwrap());
    }
}
