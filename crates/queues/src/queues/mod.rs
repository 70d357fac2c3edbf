//! The local queues of one queue manager, and what they share.
//!
//! Lives here: [`Queues`] with the table of queues, the units of work that are open, and the state that the
//! end of a unit changes, on their [`Ground`]. Lives elsewhere: one queue (`queue`), one unit
//! (`unit_of_work`), room in the log (`room`), messages that pass the log (`hand_over`), the rest of the
//! queue manager, which they call through [`Services`].
//!
//! Always: nothing here names a program, a name of an object or a command.

pub(crate) mod slot;

use std::sync::{Arc, Weak};

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use mqi::ObjectName;
use objects::QueueAttributes;
use platform::CachePadded;
use platform::sync::atomic::{AtomicBool, Ordering};
use platform::sync::{Mutex, RwLock};
use storage::{Lsn, ObjectId};

use crate::clients::ClientCommits;
use crate::counters::collecting::Collecting;
use crate::ground::Ground;
use crate::ground::growth::Ledger;
use crate::ground::host::Job;
use crate::ground::stored::Stored;
use crate::queue::Queue;
use crate::queue::due::Due;
use crate::queue::services::Services;
use crate::room::{Extents, Parked, RefusedPuts};
use crate::state_objects::StateObjects;
use crate::unit_of_work::registry::Registry;

/// The local queues of one queue manager, their units of work, and what both stand on.
pub struct Queues {
    this: Weak<Self>,
    services: Weak<dyn Services>,
    /// Time, log, memory, jobs and host.
    pub ground: Ground,
    /// By identifier: how storage and timers name them.
    table: RwLock<HashMap<ObjectId, Arc<Queue>, FixedState>>,
    hash_seed: u64,
    /// Units of work that are open.
    pub units: CachePadded<Registry>,
    /// Held for reading from the record that ends a unit to its last effect; a checkpoint takes it for
    /// writing to find a position whose effects are all in memory.
    pub effects: CachePadded<RwLock<()>>,
    /// The last commit of each client instance.
    pub clients: CachePadded<Mutex<ClientCommits>>,
    /// Objects that the queue manager defines for itself.
    pub state_objects: Mutex<StateObjects>,
    /// Counts of what users make.
    pub(crate) ledger: Arc<Ledger>,
    /// Counts for statistics and accounting.
    pub collecting: Arc<Collecting>,
    /// Gets that wait for room in the log.
    pub parked: Parked,
    /// Puts that were refused for lack of room in the log.
    pub refused_puts: RefusedPuts,
    /// Extents of the log that are made ahead of need.
    pub extents: Extents,
    /// True while forces of the log take so long that a put may wait for a getter instead.
    pub(crate) forces_are_slow: AtomicBool,
    /// True once a queue has had FULLACT(HOLD).
    holds_puts: AtomicBool,
    /// The bytes on all queues, once the queue manager has had a quota. Locked while one is set.
    stored: Mutex<Option<Arc<Stored>>>,
}

/// Findings of a start for the queues.
pub struct StartFindings {
    /// The queues.
    pub queues: HashMap<ObjectId, Arc<Queue>, FixedState>,
    /// Seed of the hashes of identifiers.
    pub hash_seed: u64,
    /// The last commit of each client instance.
    pub clients: ClientCommits,
    /// Objects that the queue manager defines for itself.
    pub state_objects: StateObjects,
    /// Counts of what users make.
    pub ledger: Arc<Ledger>,
    /// Counts for statistics and accounting.
    pub collecting: Arc<Collecting>,
}

impl Queues {
    /// The queues of a start, on their ground.
    pub fn new(ground: Ground, found: StartFindings, services: Weak<dyn Services>) -> Arc<Self> {
        let StartFindings { queues, hash_seed, clients, state_objects, ledger, collecting } = found;
        let holds_puts = queues.values().any(|queue| queue.attributes().holds_puts);
        Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            services,
            ground,
            table: RwLock::new(queues),
            hash_seed,
            units: CachePadded::default(),
            effects: CachePadded::default(),
            clients: CachePadded::new(Mutex::new(clients)),
            state_objects: Mutex::new(state_objects),
            ledger,
            collecting,
            parked: Parked::default(),
            refused_puts: RefusedPuts::default(),
            extents: Extents::default(),
            forces_are_slow: AtomicBool::new(false),
            holds_puts: AtomicBool::new(holds_puts),
            stored: Mutex::default(),
        })
    }

    /// Takes note of what a queue asks of all puts.
    pub fn note(&self, attributes: &QueueAttributes) {
        if attributes.holds_puts {
            self.holds_puts.store(true, Ordering::Relaxed);
        }
    }

    /// False if no put waits for room on its queue.
    #[inline]
    pub fn holds_puts(&self) -> bool {
        self.holds_puts.load(Ordering::Relaxed)
    }

    /// A new, empty queue.
    pub fn make(&self, id: ObjectId, name: ObjectName, attributes: QueueAttributes) -> Arc<Queue> {
        self.note(&attributes);
        let queue = Queue::new(id, name, attributes, (self.hash_seed, self.ground.now()));
        self.table.write().insert(id, Arc::clone(&queue));
        // Behind the table: a quota that is set meanwhile finds it there.
        if let Some(stored) = &*self.stored.lock() {
            queue.count_in(stored);
        }
        queue
    }

    /// Sets the bound of the bytes on all queues, as `bytes_max` tells it by then.
    pub fn follow_quota(&self, bytes_max: impl FnOnce() -> Option<u64>) {
        let mut stored = self.stored.lock();
        let bytes_max = bytes_max();
        if stored.is_none() && bytes_max.is_none() {
            return;
        }
        let stored = stored.get_or_insert_default();
        stored.set_bound(bytes_max);
        self.all().iter().for_each(|queue| queue.count_in(stored));
    }

    /// The queue of an identifier.
    pub fn find(&self, id: ObjectId) -> Option<Arc<Queue>> {
        self.table.read().get(&id).cloned()
    }

    /// Every queue, by identifier.
    pub fn all(&self) -> Vec<Arc<Queue>> {
        let table = self.table.read();
        let mut ids: Vec<_> = table.keys().copied().collect();
        ids.sort_unstable();
        ids.iter().map(|id| Arc::clone(&table[id])).collect()
    }

    /// A queue is gone.
    pub(crate) fn forget(&self, id: ObjectId) {
        self.table.write().remove(&id);
    }

    /// The rest of the queue manager; none once it has ended, when nothing waits for what it would do.
    pub(crate) fn services(&self) -> Option<Arc<dyn Services>> {
        self.services.upgrade()
    }

    pub(crate) fn downgrade(&self) -> Weak<Self> {
        Weak::clone(&self.this)
    }

    /// Does what fell due under locks of queues. The caller tells what led to it when the log is durable to
    /// the position.
    pub fn report(&self, due: Vec<Due>) -> Lsn {
        if due.is_empty() {
            return Lsn::ZERO;
        }
        self.services().map_or(Lsn::ZERO, |services| services.report(due))
    }

    /// Leaves work for a thread that may block. A job that is never run does not keep the queues, whose
    /// ground holds the jobs and the lock of the data directory.
    pub(crate) fn leave_job(&self, work: impl FnOnce(&Arc<Self>) + Send + 'static) {
        let this = Weak::clone(&self.this);
        self.ground.leave_job(Job(Box::new(move || {
            if let Some(queues) = this.upgrade() {
                work(&queues);
            }
        })));
    }
}
