//! Values by the numbers of waits.
//!
//! Always: finding one costs the same for any number of them, and for any order in which they are taken out.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

/// Values by the numbers of waits.
#[derive(Debug)]
pub struct ByToken<T> {
    values: HashTable<Numbered<T>>,
    hasher: FixedState,
    /// The place of the next one.
    next: u64,
}

#[derive(Debug)]
struct Numbered<T> {
    token: u64,
    /// Counts up with each that was added.
    place: u64,
    value: T,
}

impl<T> Default for ByToken<T> {
    fn default() -> Self {
        Self { values: HashTable::new(), hasher: FixedState::default(), next: 0 }
    }
}

impl<T> ByToken<T> {
    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds a value under a token that has none.
    pub fn insert(&mut self, token: u64, value: T) {
        let Self { values, hasher, next } = self;
        let added = Numbered { token, place: *next, value };
        *next += 1;
        values.insert_unique(hasher.hash_one(token), added, |other| hasher.hash_one(other.token));
    }

    /// Takes the value of a number out.
    pub fn remove(&mut self, token: u64) -> Option<T> {
        let found = self.values.find_entry(self.hasher.hash_one(token), |other| other.token == token).ok()?;
        Some(found.remove().0.value)
    }

    /// All of them, in no order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.values.iter().map(|numbered| &numbered.value)
    }

    /// All of them, in the order in which they were added.
    pub fn in_order(self) -> Vec<T> {
        let mut all: Vec<Numbered<T>> = self.values.into_iter().collect();
        all.sort_unstable_by_key(|numbered| numbered.place);
        all.into_iter().map(|numbered| numbered.value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::ByToken;

    #[test]
    fn values_are_found_by_their_numbers_and_listed_as_they_were_added() {
        let mut values = ByToken::default();
        for number in 0..10_000_u64 {
            values.insert(number.reverse_bits(), number);
        }
        for number in (0..10_000_u64).filter(|number| number % 3 > 0) {
            assert_eq!(values.remove(number.reverse_bits()), Some(number));
            assert_eq!(values.remove(number.reverse_bits()), None, "it is taken out");
        }
        let expected: Vec<u64> = (0..10_000).filter(|number| number % 3 == 0).collect();
        assert!(!values.is_empty());
        assert_eq!(values.in_order(), expected);
    }
}
