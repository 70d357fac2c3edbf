//! Wake-up from another thread of a listener that waits.
//!
//! Always: a ring ends the wait it meets, or the next. A listener sets its place before it looks at the bell;
//! a ringer looks for the place after it has rung.

use crate::inbox::Inbox;
use crate::link::Link;
use crate::mailboxes::Broken;
use ::channel::{Conversation, Flags, Request, RequestNumber};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

/// The number of a request whose answer only wakes.
pub(super) const WAKING: RequestNumber = RequestNumber(u32::MAX);

/// The number of the request that is answered when the queue manager quiesces.
pub(super) const WATCHING: RequestNumber = RequestNumber(u32::MAX - 1);

/// Place where a listener waits.
pub(super) trait Place: Clone {
    /// Makes a listener there look again.
    fn rouse(&self);
}

/// Rung by any thread, heard by the one that listens.
#[derive(Debug)]
pub(super) struct Bell<P = WaitsAt> {
    is_rung: AtomicBool,
    /// Place where the listener waits, while it does.
    waiting: Mutex<Option<P>>,
}

impl<P> Default for Bell<P> {
    fn default() -> Self {
        Self { is_rung: AtomicBool::new(false), waiting: Mutex::new(None) }
    }
}

impl<P: Place> Bell<P> {
    pub(super) fn ring(&self) {
        self.is_rung.swap(true, Ordering::AcqRel);
        let waiting = self.waiting.lock().clone();
        if let Some(place) = waiting {
            place.rouse();
        }
    }

    /// Sets the place where the listener will wait; called before it looks at the bell.
    pub(super) fn wait_at(&self, place: P) {
        *self.waiting.lock() = Some(place);
    }

    /// It waits no more.
    pub(super) fn wait_no_more(&self) {
        *self.waiting.lock() = None;
    }

    /// True if it rang and no [`take`](Self::take) has noticed yet.
    pub(super) fn is_rung(&self) -> bool {
        self.is_rung.load(Ordering::Acquire)
    }

    /// True if it rang since the last call.
    pub(super) fn take(&self) -> bool {
        self.is_rung.swap(false, Ordering::AcqRel)
    }
}

/// A mailbox of a conversation.
#[derive(Clone, Debug)]
pub(super) struct WaitsAt {
    pub(super) link: Arc<Link>,
    pub(super) number: Conversation,
    pub(super) inbox: Arc<Inbox>,
}

impl Place for WaitsAt {
    fn rouse(&self) {
        self.inbox.rouse();
        // The thread that reads the socket wakes with the answer. Should the link break, that wakes it too.
        let _ = ask_for_a_sign(&self.link, self.number);
    }
}

/// Asks the queue manager whether it is there; the answer only wakes.
pub(super) fn ask_for_a_sign(link: &Arc<Link>, number: Conversation) -> Result<(), Broken> {
    link.send(|output| {
        let request = Request::Cancel { get: RequestNumber(0) };
        request.encode(output.cork(), number, WAKING, Flags::NONE);
    })
}

#[cfg(all(test, feature = "loom"))]
mod models;
