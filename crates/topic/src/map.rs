//! A map of which copies share what they have in common: changing a copy of 100,000 entries copies a few dozen.
//!
//! A trie by the hash of the key, 32 ways at each step. A map nobody else has a copy of is changed where it is.
//!
//! Always: what a copy has stays when another is changed; the order of entries follows from their keys.

use std::borrow::Borrow;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use foldhash::fast::FixedState;

/// Bits of the hash that choose the way at one step.
const STEP_BITS: u32 = 5;

/// The last step that has bits of the hash left.
const LAST_SHIFT: u32 = 60;

#[derive(Clone, Debug)]
pub(crate) struct Map<K, V> {
    root: Branch<K, V>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Branch<K, V> {
    /// A bit for each way there is.
    present: u32,
    slots: Vec<Slot<K, V>>,
}

#[derive(Clone, Debug)]
enum Slot<K, V> {
    Entry(K, V),
    Branch(Arc<Branch<K, V>>),
    /// Keys with one and the same hash.
    Same(Arc<Vec<(K, V)>>),
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self { root: Branch::default(), count: 0 }
    }
}

impl<K, V> Default for Branch<K, V> {
    fn default() -> Self {
        Self { present: 0, slots: Vec::new() }
    }
}

fn hash<Q: Hash + ?Sized>(key: &Q) -> u64 {
    FixedState::default().hash_one(key)
}

impl<K, V> Map<K, V> {
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) fn get<Q>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        if self.count == 0 {
            return None;
        }
        let hash = hash(key);
        let mut branch = &self.root;
        let mut shift = 0;
        loop {
            match &branch.slots[branch.find(hash, shift).ok()?] {
                Slot::Entry(found, value) => return (found.borrow() == key).then_some(value),
                Slot::Same(all) => {
                    return all.iter().find(|(found, _)| found.borrow() == key).map(|(_, value)| value);
                }
                Slot::Branch(next) => branch = next,
            }
            shift += STEP_BITS;
        }
    }

    /// Every entry.
    pub(crate) fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a K, &'a V)) {
        self.root.each(visit);
    }
}

impl<K: Clone + Hash + Eq, V: Clone> Map<K, V> {
    /// Gives a key its value; the one it had before.
    pub(crate) fn insert(&mut self, key: K, value: V) -> Option<V> {
        let before = self.root.insert(hash(&key), 0, key, value);
        self.count += usize::from(before.is_none());
        before
    }

    /// Takes a key out.
    pub(crate) fn remove<Q>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        // Asked first, so that nothing is copied for a key that is not there.
        self.get(key)?;
        let removed = self.root.remove(hash(key), 0, key);
        self.count -= usize::from(removed.is_some());
        removed
    }

    /// The value of a key, to be changed; what copies have stays.
    pub(crate) fn get_mut<Q>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        // Asked first, so that nothing is copied for a key that is not there.
        self.get(key)?;
        self.root.get_mut(hash(key), 0, key)
    }
}

impl<K, V> Branch<K, V> {
    /// The place of a way, or where it would be.
    fn find(&self, hash: u64, shift: u32) -> Result<usize, usize> {
        let bit = Self::bit(hash, shift);
        let before = (self.present & (bit - 1)).count_ones() as usize;
        if self.present & bit == 0 { Err(before) } else { Ok(before) }
    }

    fn bit(hash: u64, shift: u32) -> u32 {
        1 << ((hash >> shift) & 31)
    }

    fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a K, &'a V)) {
        for slot in &self.slots {
            match slot {
                Slot::Entry(key, value) => visit(key, value),
                Slot::Branch(branch) => branch.each(visit),
                Slot::Same(all) => all.iter().for_each(|(key, value)| visit(key, value)),
            }
        }
    }
}

impl<K: Clone + Hash + Eq, V: Clone> Branch<K, V> {
    fn insert(&mut self, hashed: u64, shift: u32, key: K, value: V) -> Option<V> {
        let index = match self.find(hashed, shift) {
            Ok(index) => index,
            Err(index) => {
                self.present |= Self::bit(hashed, shift);
                // Most maps stay as small as they are.
                self.slots.reserve_exact(1);
                self.slots.insert(index, Slot::Entry(key, value));
                return None;
            }
        };
        match &mut self.slots[index] {
            Slot::Entry(found, before) if *found == key => Some(std::mem::replace(before, value)),
            Slot::Branch(next) => Arc::make_mut(next).insert(hashed, shift + STEP_BITS, key, value),
            Slot::Same(all) => {
                let all = Arc::make_mut(all);
                match all.iter_mut().find(|(found, _)| *found == key) {
                    Some((_, before)) => Some(std::mem::replace(before, value)),
                    None => {
                        all.push((key, value));
                        None
                    }
                }
            }
            Slot::Entry(other, of_other) => {
                let (other, of_other) = (other.clone(), of_other.clone());
                self.slots[index] = if shift >= LAST_SHIFT {
                    Slot::Same(Arc::new(vec![(other, of_other), (key, value)]))
                } else {
                    let mut both = Self::default();
                    both.insert(hash(&other), shift + STEP_BITS, other, of_other);
                    both.insert(hashed, shift + STEP_BITS, key, value);
                    Slot::Branch(Arc::new(both))
                };
                None
            }
        }
    }

    fn get_mut<Q>(&mut self, hash: u64, shift: u32, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let index = self.find(hash, shift).ok()?;
        match &mut self.slots[index] {
            Slot::Entry(found, value) => ((*found).borrow() == key).then_some(value),
            Slot::Branch(next) => Arc::make_mut(next).get_mut(hash, shift + STEP_BITS, key),
            Slot::Same(all) => {
                let found = Arc::make_mut(all).iter_mut().find(|(found, _)| (*found).borrow() == key);
                found.map(|(_, value)| value)
            }
        }
    }

    fn remove<Q>(&mut self, hash: u64, shift: u32, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Hash + Eq + ?Sized,
    {
        let index = self.find(hash, shift).ok()?;
        match &mut self.slots[index] {
            Slot::Entry(found, _) if (*found).borrow() != key => None,
            Slot::Entry(..) => {
                self.present &= !Self::bit(hash, shift);
                match self.slots.remove(index) {
                    Slot::Entry(_, value) => Some(value),
                    Slot::Branch(_) | Slot::Same(_) => unreachable!("it was an entry a moment ago"),
                }
            }
            Slot::Branch(next) => {
                let branch = Arc::make_mut(next);
                let removed = branch.remove(hash, shift + STEP_BITS, key);
                // One that is left alone moves up.
                if let [Slot::Entry(key, value)] = &branch.slots[..] {
                    self.slots[index] = Slot::Entry(key.clone(), value.clone());
                }
                removed
            }
            Slot::Same(all) => {
                let all = Arc::make_mut(all);
                let at = all.iter().position(|(found, _)| found.borrow() == key)?;
                let (_, removed) = all.remove(at);
                if let [(key, value)] = &all[..] {
                    self.slots[index] = Slot::Entry(key.clone(), value.clone());
                }
                Some(removed)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::hash::{Hash, Hasher};

    use super::Map;
    use proptest::prelude::*;

    /// A key of which many have the same hash.
    #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
    struct Clashing(u16);

    impl Hash for Clashing {
        fn hash<H: Hasher>(&self, state: &mut H) {
            (self.0 % 7).hash(state);
        }
    }

    fn entries<K: Clone + Ord, V: Clone>(map: &Map<K, V>) -> BTreeMap<K, V> {
        let mut all = BTreeMap::new();
        map.each(&mut |key, value| assert!(all.insert(key.clone(), value.clone()).is_none(), "twice"));
        all
    }

    fn agrees<K: Clone + Hash + Ord + std::fmt::Debug>(steps: &[(bool, K, u32)]) {
        let (mut map, mut model) = (Map::default(), BTreeMap::new());
        let mut copies = Vec::new();
        for (index, (inserts, key, value)) in steps.iter().enumerate() {
            if *inserts {
                assert_eq!(map.insert(key.clone(), *value), model.insert(key.clone(), *value));
            } else {
                assert_eq!(map.remove(key), model.remove(key));
            }
            assert_eq!(map.get(key), model.get(key));
            if let Some(value) = map.get_mut(key) {
                *value += 1;
                *model.get_mut(key).expect("the model has it too") += 1;
            }
            if index % 16 == 0 {
                copies.push((map.clone(), model.clone()));
            }
        }
        copies.push((map, model));
        for (map, model) in copies {
            assert_eq!((map.count(), map.is_empty()), (model.len(), model.is_empty()));
            assert_eq!(entries(&map), model);
        }
    }

    proptest! {
        #[test]
        fn a_map_and_its_copies_agree_with_plain_ones(
            steps in proptest::collection::vec((any::<bool>(), 0_u16..200, any::<u16>().prop_map(u32::from)), 0..400)
        ) {
            agrees(&steps);
            let clashing: Vec<_> = steps.iter().map(|(is, key, value)| (*is, Clashing(*key), *value)).collect();
            agrees(&clashing);
        }
    }
}
