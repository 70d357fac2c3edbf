//! Branches that wait long for the decision of their coordinators: the error log tells of them.
//!
//! Lives here: when it does. Lives elsewhere: its words (`queue_manager::housekeeping`), the branches
//! (`prepared`).
//!
//! Always: a branch is told of once it has waited for [`IN_DOUBT_LONG`], and then daily, over restarts by the
//! time at which it was prepared. Those that are due at one look are one event.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use platform::Monotonic;
use storage::UnitId;

/// Time after which a branch that waits for its decision is told of: a transaction manager that restarts has
/// decided its branches by then.
pub const IN_DOUBT_LONG: Duration = Duration::from_secs(300);

/// Time after which it is told of again.
const AGAIN: Duration = Duration::from_hours(24);

/// Interval of the looks.
const LOOK: Duration = Duration::from_secs(10);

/// The branches that were told of.
#[derive(Debug, Default)]
pub(crate) struct WaitingBranches {
    next_look: Monotonic,
    told: BTreeMap<UnitId, Monotonic>,
}

impl WaitingBranches {
    /// True if it is time to look; the next look is later.
    pub(super) fn looks(&mut self, now: Monotonic) -> bool {
        let looks = now >= self.next_look;
        if looks {
            self.next_look = now.after(LOOK);
        }
        looks
    }

    /// The branches that are due, of all that wait, each with the time for which it has.
    pub(super) fn due(&mut self, now: Monotonic, waits: &BTreeMap<UnitId, Duration>) -> BTreeSet<UnitId> {
        self.told.retain(|name, _| waits.contains_key(name));
        let mut due = BTreeSet::new();
        for (name, _) in waits.iter().filter(|(_, waits)| **waits >= IN_DOUBT_LONG) {
            let told = self.told.get(name);
            if told.is_none_or(|told| now.since(*told) >= AGAIN) {
                self.told.insert(*name, now);
                due.insert(*name);
            }
        }
        due
    }
}
