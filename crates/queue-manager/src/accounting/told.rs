//! What all programs did together, for who tells it in another form than statistics messages (the topics below `$SYS`).
//!
//! Always: it is counted only while somebody asked for that; figures only go up.

use platform::sync::atomic::Ordering;

use super::counters::{
    BACKOUTS, BROWSE_BYTES, BROWSES, BROWSES_FAILED, CALLS, CLOSES, CLOSES_FAILED, COMMITS, COMMITS_FAILED,
    Count, GET_BYTES, GETS, GETS_FAILED, INQUIRES, INQUIRES_FAILED, OPENS, OPENS_FAILED, PUT_BYTES, PUT1S,
    PUT1S_FAILED, PUTS, PUTS_FAILED, SETS, SETS_FAILED, Totals,
};
use super::{Counted, Noted};
use crate::engine::Engine;

/// What is counted of messages that are not persistent, and of those that are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Both {
    /// Not persistent.
    pub nonpersistent: u64,
    /// Persistent.
    pub persistent: u64,
}

impl Both {
    /// Of both together.
    #[must_use]
    pub fn sum(self) -> u64 {
        self.nonpersistent + self.persistent
    }
}

/// Calls of all programs since it was first asked for; connections since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CallCounts {
    /// Connections made.
    pub connects: u64,
    /// Connections refused.
    pub connects_failed: u64,
    /// Connections that ended, however they did.
    pub disconnects: u64,
    /// The most connections at one time since this was asked before.
    pub connections_most: u64,
    /// MQOPEN.
    pub opens: u64,
    /// MQOPEN that failed.
    pub opens_failed: u64,
    /// MQCLOSE.
    pub closes: u64,
    /// MQCLOSE that failed.
    pub closes_failed: u64,
    /// MQINQ.
    pub inquires: u64,
    /// MQINQ that failed.
    pub inquires_failed: u64,
    /// MQSET.
    pub sets: u64,
    /// MQSET that failed.
    pub sets_failed: u64,
    /// MQPUT.
    pub puts: Both,
    /// MQPUT that failed.
    pub puts_failed: u64,
    /// MQPUT1.
    pub put1s: Both,
    /// MQPUT1 that failed.
    pub put1s_failed: u64,
    /// Bytes of both.
    pub put_bytes: Both,
    /// MQGET that took a message.
    pub gets: Both,
    /// MQGET that took none.
    pub gets_failed: u64,
    /// Bytes taken.
    pub get_bytes: Both,
    /// MQGET that looked at a message.
    pub browses: Both,
    /// MQGET that found none to look at.
    pub browses_failed: u64,
    /// Bytes looked at.
    pub browse_bytes: Both,
    /// MQCMIT.
    pub commits: u64,
    /// MQCMIT that failed.
    pub commits_failed: u64,
    /// MQBACK.
    pub backouts: u64,
    /// Messages that expired.
    pub expired: u64,
}

impl Engine {
    /// Counts the calls of every program from now on, or does so no more unless statistics are wanted.
    pub(crate) fn watch_calls(&self, is_watched: bool) {
        self.collecting.set(Counted::Watched, is_watched);
    }

    /// What was counted until now.
    pub(crate) fn call_counts(&self) -> CallCounts {
        // Held meanwhile, so that a connection that ends is counted once.
        let since = self.collecting.since.lock();
        let mut all = since.gone();
        let connections = self.conversations.lock();
        connections.values().for_each(|conversation| all.add(&conversation.calls.totals()));
        let most = self.collecting.connections_most_watched.swap(connections.len() as u64, Ordering::Relaxed);
        drop(connections);
        drop(since);
        let noted = |what: Noted| self.collecting.noted[what as usize].load(Ordering::Relaxed);
        CallCounts { connections_most: most, ..counts_of(&all, noted) }
    }
}

fn counts_of(all: &Totals<CALLS>, noted: impl Fn(Noted) -> u64) -> CallCounts {
    let sum = |count: Count| all.of(count).iter().sum::<u64>();
    let both = |count: Count| match *all.of(count) {
        [nonpersistent, persistent] => Both { nonpersistent, persistent },
        _ => Both::default(),
    };
    CallCounts {
        connects: noted(Noted::Connected),
        connects_failed: noted(Noted::NotConnected),
        connections_most: 0,
        disconnects: noted(Noted::Disconnected) + noted(Noted::Vanished) + noted(Noted::Ended),
        opens: sum(OPENS),
        opens_failed: sum(OPENS_FAILED),
        closes: sum(CLOSES),
        closes_failed: sum(CLOSES_FAILED),
        inquires: sum(INQUIRES),
        inquires_failed: sum(INQUIRES_FAILED),
        sets: sum(SETS),
        sets_failed: sum(SETS_FAILED),
        puts: both(PUTS),
        puts_failed: sum(PUTS_FAILED),
        put1s: both(PUT1S),
        put1s_failed: sum(PUT1S_FAILED),
        put_bytes: both(PUT_BYTES),
        gets: both(GETS),
        gets_failed: sum(GETS_FAILED),
        get_bytes: both(GET_BYTES),
        browses: both(BROWSES),
        browses_failed: sum(BROWSES_FAILED),
        browse_bytes: both(BROWSE_BYTES),
        commits: sum(COMMITS),
        commits_failed: sum(COMMITS_FAILED),
        backouts: sum(BACKOUTS),
        expired: noted(Noted::Expired),
    }
}
