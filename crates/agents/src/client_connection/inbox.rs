//! Where outcomes of waits, and answers to what jobs do, arrive from other threads.
//!
//! Always: whoever leaves something wakes after it has left it, unless something was there already; whoever is woken takes all.

use super::pending::Pending;
use crate::agent::{Ticket, Wake};
use channel::Conversation;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};
use queue_manager::{Completions, Gated, GotMessage, Outcome, WaitToken};
use std::sync::Arc;

/// What arrived for a connection.
#[derive(Default)]
pub(super) struct Arrived {
    /// Under the names its waits were given.
    pub(super) outcomes: Vec<(WaitToken, Outcome<GotMessage>)>,
    pub(super) answers: Vec<(Ticket, Gated<Pending>)>,
}

impl Arrived {
    pub(super) fn is_empty(&self) -> bool {
        self.outcomes.is_empty() && self.answers.is_empty()
    }
}

/// The mailbox of one connection.
pub(super) struct Inbox {
    arrived: Mutex<Arrived>,
    /// Whether an administrator ended a conversation.
    is_stopped: AtomicBool,
    /// Whether the queue manager quiesces, and those who want to know were not told.
    is_quiescing: AtomicBool,
    waker: Arc<dyn Wake>,
}

impl Inbox {
    pub(super) fn new(waker: Arc<dyn Wake>) -> Self {
        Self {
            arrived: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            is_quiescing: AtomicBool::new(false),
            waker,
        }
    }

    /// Whether an administrator has ended a conversation.
    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Acquire)
    }

    /// Whether the queue manager quiesces; true once.
    pub(super) fn take_quiesce(&self) -> bool {
        self.is_quiescing.load(Ordering::Relaxed) && self.is_quiescing.swap(false, Ordering::AcqRel)
    }

    /// Exchanges what arrived for `empty`, so that neither list is allocated again.
    pub(super) fn take(&self, empty: &mut Arrived) {
        debug_assert!(empty.is_empty());
        std::mem::swap(&mut *self.arrived.lock(), empty);
    }

    /// Leaves the answer to what a job did.
    pub(super) fn answer(&self, ticket: Ticket, answer: Gated<Pending>) {
        self.leave(|arrived| arrived.answers.push((ticket, answer)));
    }

    fn leave(&self, put: impl FnOnce(&mut Arrived)) {
        let is_first = {
            let mut arrived = self.arrived.lock();
            let is_first = arrived.is_empty();
            put(&mut arrived);
            is_first
        };
        // Whoever is woken takes all that is there, so one wake is enough.
        if is_first {
            self.waker.wake();
        }
    }

    /// Forgets what arrived for a conversation that has ended.
    pub(super) fn forget(&self, conversation: Conversation) {
        self.arrived.lock().outcomes.retain(|(token, _)| Wait::of(*token).conversation() != conversation);
    }
}

impl Completions for Inbox {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.leave(|arrived| arrived.outcomes.push((token, outcome)));
    }

    fn tells_of_delivery(&self) -> bool {
        true
    }

    fn decided(&self) {
        self.waker.wake();
    }

    fn stopped(&self) {
        self.is_stopped.store(true, Ordering::Release);
        self.waker.wake();
    }

    fn quiesces(&self) {
        self.is_quiescing.store(true, Ordering::Release);
        self.waker.wake();
    }
}

/// What a wait is for, packed into its token: a get by its request, or a delivery of a stream by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    Get { conversation: Conversation, request: u32 },
    Delivery { conversation: Conversation, stream: u16, number: u32 },
}

const DELIVERY: u64 = 1 << 47;

impl Wait {
    pub(super) fn token(self) -> WaitToken {
        WaitToken(match self {
            Self::Get { conversation, request } => u64::from(conversation.0) << 48 | u64::from(request),
            Self::Delivery { conversation, stream, number } => {
                u64::from(conversation.0) << 48
                    | DELIVERY
                    | u64::from(stream & STREAM_MAX) << 32
                    | u64::from(number)
            }
        })
    }

    pub(super) fn of(token: WaitToken) -> Self {
        let conversation = Conversation((token.0 >> 48) as u16);
        if token.0 & DELIVERY == 0 {
            Self::Get { conversation, request: token.0 as u32 }
        } else {
            let stream = (token.0 >> 32) as u16 & STREAM_MAX;
            Self::Delivery { conversation, stream, number: token.0 as u32 }
        }
    }

    pub(super) fn conversation(self) -> Conversation {
        match self {
            Self::Get { conversation, .. } | Self::Delivery { conversation, .. } => conversation,
        }
    }
}

/// Streams are numbered in fifteen bits, and again from the start after so many.
pub(super) const STREAM_MAX: u16 = 0x7FFF;

#[cfg(all(test, feature = "loom"))]
mod models;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_reads_back_from_its_token() {
        let conversation = Conversation(u16::MAX);
        for wait in [
            Wait::Get { conversation, request: u32::MAX },
            Wait::Get { conversation: Conversation(1), request: 0 },
            Wait::Delivery { conversation, stream: STREAM_MAX, number: u32::MAX },
            Wait::Delivery { conversation: Conversation(7), stream: 0, number: 9 },
        ] {
            assert_eq!(Wait::of(wait.token()), wait);
        }
    }
}
