//! A map whose copies share what they have in common: changing a copy of 100,000 entries copies a few dozen.
//!
//! A map without copies is changed where it is. The order of entries follows from their keys, since their
//! hash is the same in every process.

use std::borrow::Borrow;
use std::hash::Hash;

use archery::ArcTK;
use foldhash::fast::FixedState;
use rpds::HashTrieMap;

pub(crate) type Map<K, V> = HashTrieMap<K, V, ArcTK, FixedState>;

/// A map with nothing in it.
pub(crate) fn empty<K: Hash + Eq, V>() -> Map<K, V> {
    HashTrieMap::new_with_hasher_and_ptr_kind(FixedState::default())
}

/// A map that is not there while it is empty: most nodes have none.
pub(crate) type Sparse<K, V> = Option<Box<Map<K, V>>>;

/// Adds to such a map.
pub(crate) fn insert<K: Hash + Eq, V>(map: &mut Sparse<K, V>, key: K, value: V) {
    map.get_or_insert_with(|| Box::new(empty())).insert_mut(key, value);
}

/// Removes from it.
pub(crate) fn remove<K: Hash + Eq + Borrow<Q>, Q: Hash + Eq + ?Sized, V>(map: &mut Sparse<K, V>, key: &Q) {
    if let Some(entries) = map {
        entries.remove_mut(key);
        if entries.is_empty() {
            *map = None;
        }
    }
}
