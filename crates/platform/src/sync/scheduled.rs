//! The locks of a scheduling tool under the interface of `parking_lot`.
//!
//! Three differences: a panic of one thread ends the schedule, so that a poisoned lock is only met on the way
//! out; a wait with a limit has none, so that a lost wake-up is a deadlock, which the tool reports; and under
//! `loom` giving a lock up is a step of its own, so that a thread that only tries the lock meets it held
//! after all work under it.

use std::ops::{Deref, DerefMut};
use std::sync::PoisonError;
use std::time::Duration;

#[cfg(feature = "loom")]
use loom::sync as tool;
#[cfg(not(feature = "loom"))]
use shuttle::sync as tool;

pub use tool::{RwLockReadGuard, RwLockWriteGuard};

/// A lock for one at a time.
#[derive(Debug)]
pub struct Mutex<T>(tool::Mutex<T>);

impl<T> Mutex<T> {
    /// An open lock.
    pub fn new(value: T) -> Self {
        Self(tool::Mutex::new(value))
    }

    /// Waits for it.
    pub fn lock(&self) -> MutexGuard<'_, T> {
        MutexGuard { mutex: self, held: Some(self.take()) }
    }

    /// Takes it if it is open.
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        self.0.try_lock().ok().map(|held| MutexGuard { mutex: self, held: Some(held) })
    }

    fn take(&self) -> tool::MutexGuard<'_, T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// Proof that a [`Mutex`] is held.
#[derive(Debug)]
pub struct MutexGuard<'a, T> {
    mutex: &'a Mutex<T>,
    held: Option<tool::MutexGuard<'a, T>>,
}

/// Held but for a moment within what gives it up and takes it again.
const HELD: &str = "the lock is held";

impl<T> MutexGuard<'_, T> {
    /// Lets a waiting thread have the lock first.
    pub fn bump(guard: &mut Self) {
        guard.lets_others_go_first();
        guard.held = None;
        guard.held = Some(guard.mutex.take());
    }

    /// Lets another thread go on before a lock is given up. `loom` changes threads only before an operation,
    /// and takes giving a lock up for none: between the last operation under a lock and its end no thread
    /// would ever find it held. Trying a held lock is an operation without effect on it.
    fn lets_others_go_first(&self) {
        #[cfg(feature = "loom")]
        if self.held.is_some() && !std::thread::panicking() {
            let tried = self.mutex.0.try_lock();
            assert!(tried.is_err(), "{HELD}");
        }
    }
}

impl<T> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        self.lets_others_go_first();
    }
}

impl<T> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.held.as_ref().expect(HELD)
    }
}

impl<T> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.held.as_mut().expect(HELD)
    }
}

/// Where threads sleep until something under a lock has changed.
#[derive(Debug, Default)]
pub struct Condvar(tool::Condvar);

impl Condvar {
    /// Makes a variable without sleepers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives the lock up and sleeps.
    pub fn wait<T>(&self, guard: &mut MutexGuard<'_, T>) {
        guard.lets_others_go_first();
        let held = guard.held.take().expect(HELD);
        guard.held = Some(self.0.wait(held).unwrap_or_else(PoisonError::into_inner));
    }

    /// Waits without the limit, which is not kept here.
    pub fn wait_for<T>(&self, guard: &mut MutexGuard<'_, T>, _: Duration) {
        self.wait(guard);
    }

    /// Wakes one.
    pub fn notify_one(&self) {
        self.0.notify_one();
    }

    /// Wakes all.
    pub fn notify_all(&self) {
        self.0.notify_all();
    }
}

/// A lock for many readers or one writer.
#[derive(Debug)]
pub struct RwLock<T>(tool::RwLock<T>);

impl<T> RwLock<T> {
    /// An open lock.
    pub fn new(value: T) -> Self {
        Self(tool::RwLock::new(value))
    }

    /// Waits until no thread writes.
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other thread has it.
    pub fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}
