//! Objects by name, read without a lock, spread over many small tables so that a change copies little.
//!
//! An object knows its own name, so a table has nothing beside it: there may be 100,000 subscriptions.
//!
//! Always: the catalogue's lock puts changes one after the other; an object keeps its name as long as it is
//! there.

use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

use arc_swap::ArcSwap;
use hashbrown::HashTable;

/// Number of tables that hold the objects: with 100,000 queues a change copies 400 entries, in a few
/// microseconds.
const SHARDS: usize = 256;

pub(super) type Hasher = foldhash::fast::FixedState;
type Shard<T> = HashTable<Arc<T>>;

/// An object that is found by its name.
pub(super) trait Named {
    /// The name in the form that a search has.
    type Name<'a>: Hash + Copy;

    /// True if this is the object with this name.
    fn is_called(&self, name: Self::Name<'_>) -> bool;

    /// The hash of its name.
    fn hash_of_name(&self, hasher: &Hasher) -> u64;
}

pub(super) struct Shards<T> {
    shards: Box<[ArcSwap<Shard<T>>]>,
    hasher: Hasher,
}

impl<T: Named> Shards<T> {
    pub(super) fn new(objects: impl IntoIterator<Item = Arc<T>>) -> Self {
        let hasher = Hasher::default();
        let mut shards: Vec<Shard<T>> = (0..SHARDS).map(|_| Shard::new()).collect();
        for object in objects {
            let hash = object.hash_of_name(&hasher);
            add(&mut shards[index(hash)], hash, object, &hasher);
        }
        Self { shards: shards.into_iter().map(ArcSwap::from_pointee).collect(), hasher }
    }

    pub(super) fn get(&self, name: T::Name<'_>) -> Option<Arc<T>> {
        let hash = self.hasher.hash_one(name);
        self.shards[index(hash)].load().find(hash, |object| object.is_called(name)).cloned()
    }

    /// All of them, in no order.
    pub(super) fn values(&self) -> Vec<Arc<T>> {
        self.shards.iter().flat_map(|shard| shard.load().iter().cloned().collect::<Vec<_>>()).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.load().len()).sum()
    }

    /// Adds an object of a name that no other has.
    pub(super) fn insert(&self, object: Arc<T>) {
        let hash = object.hash_of_name(&self.hasher);
        self.change(hash, |shard| add(shard, hash, object, &self.hasher));
    }

    pub(super) fn remove(&self, name: T::Name<'_>) {
        let hash = self.hasher.hash_one(name);
        self.change(hash, |shard| {
            if let Ok(found) = shard.find_entry(hash, |object| object.is_called(name)) {
                found.remove();
            }
        });
    }

    fn change(&self, hash: u64, change: impl FnOnce(&mut Shard<T>)) {
        let slot = &self.shards[index(hash)];
        let mut shard = Shard::clone(&slot.load());
        change(&mut shard);
        slot.store(Arc::new(shard));
    }
}

fn add<T: Named>(shard: &mut Shard<T>, hash: u64, object: Arc<T>, hasher: &Hasher) {
    shard.insert_unique(hash, object, |object| object.hash_of_name(hasher));
}

/// By bits in the middle: a table finds its place by the lowest and tells entries apart by the highest.
fn index(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}
