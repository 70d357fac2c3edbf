//! How long a place in the topic tree is kept that nobody uses (TREELIFE).

use std::time::Duration;

/// Who uses a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeUse {
    /// Whether a topic object stands there.
    pub has_object: bool,
    /// Whether a publication is kept there for later subscribers.
    pub is_retained: bool,
    /// How many handles publish there.
    pub publishers: u32,
    /// How many subscriptions are made there.
    pub subscriptions: u32,
    /// Whether a place below it is kept.
    pub has_children: bool,
}

/// What becomes of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// It is used.
    Kept,
    /// Nobody uses it; when it has stayed so for this long more, it goes.
    Left(Duration),
    /// It goes.
    Over,
}

impl NodeUse {
    /// What becomes of a place that was used last so long ago; without TREELIFE it is never cleared away.
    #[must_use]
    pub fn life(&self, unused_for: Duration, tree_life: Option<Duration>) -> Life {
        let is_used = self.has_object
            || self.is_retained
            || self.publishers > 0
            || self.subscriptions > 0
            || self.has_children;
        match tree_life {
            Some(most) if !is_used => match most.checked_sub(unused_for) {
                Some(left) if !left.is_zero() => Life::Left(left),
                _ => Life::Over,
            },
            _ => Life::Kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Life, NodeUse};
    use std::time::Duration;

    #[test]
    fn a_place_goes_when_nobody_used_it_for_its_time() {
        let life = Some(Duration::from_secs(1_800));
        let unused = NodeUse::default();
        for (seconds, expected) in [
            (0, Life::Left(Duration::from_secs(1_800))),
            (1_799, Life::Left(Duration::from_secs(1))),
            (1_800, Life::Over),
            (9_999, Life::Over),
        ] {
            assert_eq!(unused.life(Duration::from_secs(seconds), life), expected, "after {seconds} s");
        }
    }

    #[test]
    fn a_place_that_is_used_stays_and_so_does_every_one_without_a_limit() {
        let long = Duration::from_secs(1_000_000);
        let life = Some(Duration::from_secs(1));
        for used in [
            NodeUse { has_object: true, ..NodeUse::default() },
            NodeUse { is_retained: true, ..NodeUse::default() },
            NodeUse { publishers: 1, ..NodeUse::default() },
            NodeUse { subscriptions: 1, ..NodeUse::default() },
            NodeUse { has_children: true, ..NodeUse::default() },
        ] {
            assert_eq!(used.life(long, life), Life::Kept, "{used:?}");
        }
        assert_eq!(NodeUse::default().life(long, None), Life::Kept);
    }
}
