//! A subscription as far as finding it goes.

use crate::map::{self, Map};
use crate::{Pattern, Scope};

/// The highest level of a subscription or publication.
pub const LEVEL_MAX: u8 = 9;

/// Names a subscription; the earlier made has the lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionId(pub u64);

/// The way a subscription chooses among the publications of its topics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SelectionLevel {
    /// Takes every publication.
    #[default]
    None,
    /// By what is in the descriptor and the properties of the message.
    Standard,
    /// By what only an extension can read, the body for example.
    Extended,
}

/// A subscription, and what its owner keeps with it.
#[derive(Clone, Debug)]
pub struct Subscription<K> {
    /// Its name here.
    pub id: SubscriptionId,
    /// The topics it is about.
    pub pattern: Pattern,
    /// Its level (MQSD SubLevel): a publication goes to the subscriptions of the highest level first.
    pub level: u8,
    /// It stands for subscriptions of another queue manager.
    pub is_proxy: bool,
    /// The way it chooses.
    pub selection: SelectionLevel,
    /// The value that its owner keeps with it.
    pub kept: K,
}

impl<K> Subscription<K> {
    /// A subscription to everything its pattern says, of the usual level.
    pub const fn new(id: SubscriptionId, pattern: Pattern, kept: K) -> Self {
        Self { id, pattern, level: 1, is_proxy: false, selection: SelectionLevel::None, kept }
    }

    /// Returns true if a publication of this scope may reach it.
    #[must_use]
    pub const fn is_in(&self, scope: Scope) -> bool {
        !(self.is_proxy && matches!(scope, Scope::QueueManager))
    }
}

/// Keeps the subscriptions that a publication of a level goes to now: those of the highest level that is not
/// above its own. Lower ones get it when these publish it again, at a lower level.
pub fn intercepting<K: std::borrow::Borrow<Subscription<L>>, L>(subscriptions: &mut Vec<K>, publication: u8) {
    let levels = subscriptions.iter().map(|subscription| subscription.borrow().level);
    match levels.filter(|level| *level <= publication).max() {
        Some(highest) => subscriptions.retain(|subscription| subscription.borrow().level == highest),
        None => subscriptions.clear(),
    }
}

/// The subscriptions that end at one node, each with the number of levels before its first wildcard. Mostly
/// there is one, which is kept without a map.
#[derive(Clone, Debug, Default)]
pub(crate) enum Here<S> {
    #[default]
    None,
    One(SubscriptionId, Standing<S>),
    Many(Box<Map<SubscriptionId, Standing<S>>>),
}

#[derive(Clone, Debug)]
pub(crate) struct Standing<S> {
    /// Levels before the first wildcard; none for a pattern without.
    pub(crate) fixed: Option<u32>,
    pub(crate) subscription: S,
}

impl<S> Standing<S> {
    /// Returns true if it may see a topic that wildcards from less than `blocked` levels do not reach.
    fn reaches(&self, blocked: u32) -> bool {
        self.fixed.is_none_or(|fixed| fixed >= blocked)
    }
}

impl<S> Here<S> {
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::None)
    }

    pub(crate) fn get(&self, id: SubscriptionId) -> Option<&S> {
        match self {
            Self::One(one, standing) if *one == id => Some(&standing.subscription),
            Self::None | Self::One(..) => None,
            Self::Many(all) => all.get(&id).map(|standing| &standing.subscription),
        }
    }

    /// Collects those that may see a topic that wildcards from less than `blocked` levels do not reach.
    pub(crate) fn collect<'a>(&'a self, blocked: u32, into: &mut Found<'a, S>) {
        match self {
            Self::One(id, standing) if standing.reaches(blocked) => {
                into.0.push((*id, &standing.subscription));
            }
            Self::None | Self::One(..) => {}
            Self::Many(all) => {
                let reached = all.iter().filter(|(_, standing)| standing.reaches(blocked));
                into.0.extend(reached.map(|(id, standing)| (*id, &standing.subscription)));
            }
        }
    }
}

impl<S: Clone> Here<S> {
    pub(crate) fn insert(&mut self, id: SubscriptionId, fixed: Option<u32>, subscription: S) {
        let standing = Standing { fixed, subscription };
        *self = match std::mem::take(self) {
            Self::None => Self::One(id, standing),
            Self::One(one, _) if one == id => Self::One(id, standing),
            Self::One(one, other) => {
                let mut all = map::empty();
                all.insert_mut(one, other);
                all.insert_mut(id, standing);
                Self::Many(Box::new(all))
            }
            Self::Many(mut all) => {
                all.insert_mut(id, standing);
                Self::Many(all)
            }
        };
    }

    pub(crate) fn remove(&mut self, id: SubscriptionId) -> Option<S> {
        let removed = self.get(id)?.clone();
        *self = match std::mem::take(self) {
            Self::None | Self::One(..) => Self::None,
            Self::Many(mut all) => {
                all.remove_mut(&id);
                if all.is_empty() { Self::None } else { Self::Many(all) }
            }
        };
        Some(removed)
    }
}

/// Subscriptions found, one perhaps by several ways.
pub(crate) struct Found<'a, S>(Vec<(SubscriptionId, &'a S)>);

impl<'a, S> Found<'a, S> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Each once, in the order they were made.
    pub(crate) fn into_values(mut self) -> impl Iterator<Item = &'a S> {
        self.0.sort_unstable_by_key(|(id, _)| *id);
        self.0.dedup_by_key(|(id, _)| *id);
        self.0.into_iter().map(|(_, subscription)| subscription)
    }
}

#[cfg(test)]
mod tests {
    use super::{LEVEL_MAX, Subscription, SubscriptionId, intercepting};
    use crate::{Pattern, Scope, Wildcards};

    fn of_levels(levels: &[u8]) -> Vec<Subscription<()>> {
        let pattern = Pattern::new("a", Wildcards::Levels).expect("a pattern");
        let each = levels.iter().zip(0..).map(|(level, id)| {
            let subscription = Subscription::new(SubscriptionId(id), pattern.clone(), ());
            Subscription { level: *level, ..subscription }
        });
        each.collect()
    }

    #[test]
    fn a_publication_goes_to_the_highest_level_not_above_its_own() {
        for (levels, publication, expected) in [
            (&[1, 1, 1][..], LEVEL_MAX, &[1, 1, 1][..]),
            (&[1, 5, 3, 5], LEVEL_MAX, &[5, 5]),
            (&[1, 5, 3, 5], 4, &[3]),
            (&[1, 5, 3, 5], 0, &[]),
            (&[0, 1], 0, &[0]),
            (&[], LEVEL_MAX, &[]),
        ] {
            let mut all = of_levels(levels);
            intercepting(&mut all, publication);
            let left: Vec<u8> = all.iter().map(|one| one.level).collect();
            assert_eq!(left, expected, "{levels:?} at {publication}");
        }
    }

    #[test]
    fn a_publication_for_this_queue_manager_goes_to_no_proxy() {
        let own = of_levels(&[1]).remove(0);
        let proxy = Subscription { is_proxy: true, ..own.clone() };
        assert!(own.is_in(Scope::QueueManager) && own.is_in(Scope::All));
        assert!(!proxy.is_in(Scope::QueueManager) && proxy.is_in(Scope::All));
    }
}
