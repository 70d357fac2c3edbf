//! State that a process has once, and a child of it anew.
//!
//! Always: a child of this process does not touch what its parent has, nor a lock that a thread of its parent
//! held.

use std::sync::Arc;

use arc_swap::ArcSwapOption;

/// Something that each process has one of.
pub(crate) struct OfProcess<T>(ArcSwapOption<Owned<T>>);

struct Owned<T> {
    process: u32,
    value: Arc<T>,
    /// The value of the process that this one was forked from. It is kept, since dropping it would end what
    /// the parent uses.
    _of_parent: Option<Arc<Self>>,
}

impl<T> OfProcess<T> {
    pub(crate) const fn new() -> Self {
        Self(ArcSwapOption::const_empty())
    }

    /// The value of this process, made at the first call.
    pub(crate) fn get(&self, make: impl Fn() -> T) -> Arc<T> {
        let process = std::process::id();
        loop {
            let known = self.0.load();
            if let Some(owned) = known.as_ref().filter(|owned| owned.process == process) {
                return Arc::clone(&owned.value);
            }
            let new = Owned { process, value: Arc::new(make()), _of_parent: known.clone() };
            self.0.compare_and_swap(&known, Some(Arc::new(new)));
        }
    }
}
