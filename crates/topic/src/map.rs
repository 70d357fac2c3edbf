//! A map of which copies share what they have in common: changing a copy of 100,000 entries copies a few dozen.
//!
//! A map nobody else has a copy of is changed where it is. The order of entries follows from their keys, since their
//! hash is the same in every process.

use std::hash::Hash;

use archery::ArcTK;
use foldhash::fast::FixedState;
use rpds::HashTrieMap;

pub(crate) type Map<K, V> = HashTrieMap<K, V, ArcTK, FixedState>;

/// A map with nothing in it.
pub(crate) fn empty<K: Hash + Eq, V>() -> Map<K, V> {
    HashTrieMap::new_with_hasher_and_ptr_kind(FixedState::default())
}
