//! Links whose messages find no room where they go.
//!
//! Always: such a link is given the credit that it has left, and then that of one message a second, until one
//! of its messages finds room. A client that sends again at once is not refused as fast as it can send.

use std::collections::BTreeSet;
use std::time::Duration;

use mqi::Reason;
use platform::Monotonic;

use super::owner::LinkId;

/// Time between two messages by which a link asks for room.
const INTERVAL: Duration = Duration::from_secs(1);

/// Reasons of a refusal that room may end.
const WITHOUT_ROOM: [Reason; 4] =
    [Reason::Q_FULL, Reason::Q_SPACE_NOT_AVAILABLE, Reason::STORAGE_MEDIUM_FULL, Reason::RESOURCE_PROBLEM];

/// The links of a connection that are given no usual credit.
#[derive(Debug, Default)]
pub(super) struct Paused {
    links: BTreeSet<LinkId>,
    /// Says whether some have found room and may be given credit.
    has_ended: bool,
    asked: Option<Monotonic>,
}

impl Paused {
    /// Hears what became of a message of a link.
    pub(super) fn hear(&mut self, link: LinkId, result: Result<(), Reason>) {
        match result {
            Err(reason) if WITHOUT_ROOM.contains(&reason) => {
                self.links.insert(link);
            }
            _ => self.has_ended |= self.links.remove(&link),
        }
    }

    pub(super) fn holds(&self, link: LinkId) -> bool {
        self.links.contains(&link)
    }

    /// Says whether links have found room since the last call.
    pub(super) fn take_ended(&mut self) -> bool {
        std::mem::take(&mut self.has_ended)
    }

    /// The links that may ask for room by a message each: of those that are there, once an interval.
    pub(super) fn due(&mut self, now: Monotonic, is_there: impl Fn(LinkId) -> bool) -> Vec<LinkId> {
        self.links.retain(|link| is_there(*link));
        if self.links.is_empty() || self.asked.is_some_and(|asked| now.since(asked) < INTERVAL) {
            return Vec::new();
        }
        self.asked = Some(now);
        self.links.iter().copied().collect()
    }
}
