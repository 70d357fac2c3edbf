//! Things in the order of their keys, each found when it is its turn: a page shows few of many.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The things that are left.
pub(super) struct InOrder<K, T>(BinaryHeap<Turn<K, T>>);

/// A thing, greater than those whose keys follow.
struct Turn<K, T>(K, T);

impl<K: Ord, T> FromIterator<(K, T)> for InOrder<K, T> {
    fn from_iter<I: IntoIterator<Item = (K, T)>>(things: I) -> Self {
        Self(things.into_iter().map(|(key, thing)| Turn(key, thing)).collect::<Vec<_>>().into())
    }
}

impl<K: Ord, T> Iterator for InOrder<K, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.0.pop().map(|Turn(_, thing)| thing)
    }
}

impl<K: Ord, T> Ord for Turn<K, T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp(&self.0)
    }
}

impl<K: Ord, T> PartialOrd for Turn<K, T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord, T> PartialEq for Turn<K, T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord, T> Eq for Turn<K, T> {}
