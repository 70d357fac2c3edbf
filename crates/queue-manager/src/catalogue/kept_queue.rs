//! The local queue to which what is put by a name went last, kept beside the name.
//!
//! Lives here: remembering a queue without holding it. Lives elsewhere: what a name leads to (`resolve`),
//! what a queue refuses (`queue::arrival`).
//!
//! Always: the queue was found under its own name, with no alias on the way, so that only the end of the
//! queue makes it wrong; a queue that has ended refuses everything (2052), and a caller that is refused so
//! forgets it and looks the name up.

use std::fmt;
use std::sync::{Arc, Weak};

use arc_swap::ArcSwapOption;
use queues::queue::Queue;

/// A queue that may be gone; none where none was found yet.
#[derive(Default)]
pub(crate) struct KeptQueue(ArcSwapOption<Weak<Queue>>);

impl KeptQueue {
    /// Returns the queue, unless it is gone. A queue held only by its handles has ended and is still found.
    pub(crate) fn get(&self) -> Option<Arc<Queue>> {
        self.0.load().as_ref()?.upgrade()
    }

    /// Keeps a queue that was found under its own name.
    pub(crate) fn keep(&self, queue: &Arc<Queue>) {
        self.0.store(Some(Arc::new(Arc::downgrade(queue))));
    }

    /// Forgets the queue, so that the name is looked up again.
    pub(crate) fn forget(&self) {
        self.0.store(None);
    }
}

impl Clone for KeptQueue {
    /// The clone finds its queue anew.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for KeptQueue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("KeptQueue").field(&self.get().map(|queue| queue.name)).finish()
    }
}
