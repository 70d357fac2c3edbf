//! Doors that callers with equal options may share: one is opened at a time, and the others wait for it.
//!
//! Always: callers that come together find room behind one door, if there is so much; no caller waits for
//! another's attempt longer than for one of its own, and a failed attempt is up to all its waiters to repeat.

use std::sync::{Arc, Weak};
use std::time::Instant;

use platform::sync::{Condvar, Mutex, MutexGuard};

/// Doors by the callers that may share them.
pub(super) struct Doors<K, D> {
    groups: Mutex<Vec<Group<K, D>>>,
    /// Told when an attempt to open a door has ended.
    tried: Condvar,
}

/// Doors that are alike.
struct Group<K, D> {
    key: K,
    doors: Vec<Weak<D>>,
    /// True if a thread is opening another.
    is_opening: bool,
}

impl<K, D> Default for Doors<K, D> {
    fn default() -> Self {
        Self { groups: Mutex::new(Vec::new()), tried: Condvar::new() }
    }
}

impl<K: Clone + PartialEq, D> Doors<K, D> {
    /// Goes in by a door with room that lets us in, or opens one; what `join` or `open` gave.
    pub(super) fn enter<T, E>(
        &self,
        key: &K,
        deadline: Instant,
        has_room: impl Fn(&D) -> bool,
        join: impl Fn(&Arc<D>) -> Option<T>,
        open: impl FnOnce() -> Result<(Arc<D>, T), E>,
    ) -> Result<T, E> {
        let mut groups = self.groups.lock();
        let mut passed_over = Vec::new();
        loop {
            let group = Group::of(&mut groups, key);
            let suits =
                |door: &Arc<D>| has_room(door) && !passed_over.iter().any(|passed| Arc::ptr_eq(passed, door));
            if let Some(door) = group.doors.iter().filter_map(Weak::upgrade).find(suits) {
                drop(groups);
                if let Some(inside) = join(&door) {
                    return Ok(inside);
                }
                passed_over.push(door);
                groups = self.groups.lock();
                continue;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if group.is_opening && !left.is_zero() {
                self.tried.wait_for(&mut groups, left);
                continue;
            }
            group.is_opening = true;
            return self.open(groups, key, open);
        }
    }

    /// Opens a door and goes in before others may.
    fn open<T, E>(
        &self,
        groups: MutexGuard<'_, Vec<Group<K, D>>>,
        key: &K,
        open: impl FnOnce() -> Result<(Arc<D>, T), E>,
    ) -> Result<T, E> {
        drop(groups);
        let _attempt = Attempt { doors: self, key };
        let (door, inside) = open()?;
        Group::of(&mut self.groups.lock(), key).doors.push(Arc::downgrade(&door));
        Ok(inside)
    }
}

impl<K: Clone + PartialEq, D> Group<K, D> {
    /// The group of these. Groups without a door go.
    fn of<'a>(groups: &'a mut Vec<Self>, key: &K) -> &'a mut Self {
        for group in &mut *groups {
            group.doors.retain(|door| door.strong_count() > 0);
        }
        groups.retain(|group| group.is_opening || !group.doors.is_empty() || group.key == *key);
        let place = groups.iter().position(|group| group.key == *key).unwrap_or_else(|| {
            groups.push(Self { key: key.clone(), doors: Vec::new(), is_opening: false });
            groups.len() - 1
        });
        &mut groups[place]
    }
}

/// An attempt to open a door. Dropping it, however it went, lets the others go on.
struct Attempt<'a, K: Clone + PartialEq, D> {
    doors: &'a Doors<K, D>,
    key: &'a K,
}

impl<K: Clone + PartialEq, D> Drop for Attempt<'_, K, D> {
    fn drop(&mut self) {
        Group::of(&mut self.doors.groups.lock(), self.key).is_opening = false;
        self.doors.tried.notify_all();
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
