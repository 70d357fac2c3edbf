//! A map that is read without a lock, spread over many small ones so that a change copies little.
//!
//! Always: those who change it do so one after the other; the catalogue's lock sees to that.

use std::borrow::Borrow;
use std::hash::{BuildHasher as _, Hash};
use std::sync::Arc;

use arc_swap::ArcSwap;
use hashbrown::HashMap;

/// How many maps the keys are spread over: with 100,000 queues a change copies 400 entries, in a few microseconds.
const SHARDS: usize = 256;

type Hasher = foldhash::fast::FixedState;
type Shard<K, V> = HashMap<K, V, Hasher>;

pub(super) struct Shards<K, V> {
    shards: Box<[ArcSwap<Shard<K, V>>]>,
    hasher: Hasher,
}

impl<K: Hash + Eq + Clone, V: Clone> Shards<K, V> {
    pub(super) fn new(entries: impl IntoIterator<Item = (K, V)>) -> Self {
        let hasher = Hasher::default();
        let mut shards: Vec<Shard<K, V>> = (0..SHARDS).map(|_| Shard::with_hasher(hasher.clone())).collect();
        for (key, value) in entries {
            shards[index(&hasher, &key)].insert(key, value);
        }
        Self { shards: shards.into_iter().map(ArcSwap::from_pointee).collect(), hasher }
    }

    pub(super) fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.shards[index(&self.hasher, key)].load().get(key).cloned()
    }

    /// Every value, in no order.
    pub(super) fn values(&self) -> Vec<V> {
        self.shards.iter().flat_map(|shard| shard.load().values().cloned().collect::<Vec<_>>()).collect()
    }

    pub(super) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.load().len()).sum()
    }

    pub(super) fn insert(&self, key: K, value: V) {
        let slot = &self.shards[index(&self.hasher, &key)];
        let mut shard = Shard::clone(&slot.load());
        shard.insert(key, value);
        slot.store(Arc::new(shard));
    }

    pub(super) fn remove(&self, key: &K) {
        let slot = &self.shards[index(&self.hasher, key)];
        let mut shard = Shard::clone(&slot.load());
        shard.remove(key);
        slot.store(Arc::new(shard));
    }
}

fn index<Q: Hash + ?Sized>(hasher: &Hasher, key: &Q) -> usize {
    hasher.hash_one(key) as usize % SHARDS
}
