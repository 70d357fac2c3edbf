//! Messages that may use what is left above the quota of the queue manager.

use super::arrival::{Facts, Placing, UnitPlace};

impl Placing<'_> {
    /// True if a message may use what is left above the quota of the queue manager: for itself, or because it
    /// goes on with the batch of a channel.
    #[cold]
    pub(super) fn uses_spare(&self, facts: Facts) -> bool {
        let goes_on = || match self {
            Self::InUnit(UnitPlace::Within { unit, .. }) => !unit.lock().operations.is_empty(),
            _ => false,
        };
        facts.uses_spare || facts.hops > 0 && goes_on()
    }
}
