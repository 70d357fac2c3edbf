//! Locks and atomics for what many threads call, as one door to three kinds of them.
//!
//! Lives here: what the engine, the log and the hosts lock, count and wait with. In every build those of
//! `parking_lot` and the standard library, re-exported; with the feature `shuttle` or `loom` those of the
//! tool that tries schedules of threads one by one, behind the same names (`scheduled`). Lives elsewhere: the
//! simulated machine's own locks, which are leaves and stay real; `docs/internals/concurrency.md` says which
//! models use this.
//!
//! Always: with neither feature this module is names and no code.

#[cfg(any(feature = "shuttle", feature = "loom"))]
mod scheduled;

#[cfg(not(any(feature = "shuttle", feature = "loom")))]
pub use parking_lot::{Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};
#[cfg(any(feature = "shuttle", feature = "loom"))]
pub use scheduled::{Condvar, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The tool itself, for the models of the crates above.
#[cfg(feature = "loom")]
pub use loom;

/// Runs a model in every order in which a thread is interrupted twice at most: those that matter need fewer,
/// and where there are three threads more are too many to try.
#[cfg(feature = "loom")]
pub fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(2);
    builder.check(model);
}

/// Numbers and flags shared without a lock.
pub mod atomic {
    #[cfg(feature = "loom")]
    pub use loom::sync::atomic::*;
    #[cfg(all(feature = "shuttle", not(feature = "loom")))]
    pub use shuttle::sync::atomic::*;
    #[cfg(not(any(feature = "shuttle", feature = "loom")))]
    pub use std::sync::atomic::*;
}
