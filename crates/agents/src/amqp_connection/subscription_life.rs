//! The life of a source's subscription: what its client asks for, and what it is granted.
//!
//! Lives here: durability, expiry policy and timeout of a source as terms of the queue manager, and holds
//! that keep subscriptions from ending before the session or the connection does.
//!
//! Always: the answer to an attach tells the terms by which the subscription really ends.

use std::collections::BTreeMap;

use amqp::terminus::Source;
use amqp::types::Symbol;
use mqi::{ObjectName, Reason};
use queue_manager::{Lapse, LapseFrom, LinkTerms, SubscriptionHold};

/// The highest durability: the state of deliveries as well.
const DURABILITY_MAX: u32 = 2;

/// Expiry policies, and the end from which each counts; none for the one without an end.
const POLICIES: [(&str, Option<LapseFrom>); 4] = [
    ("link-detach", Some(LapseFrom::Link)),
    ("session-end", Some(LapseFrom::Session)),
    ("connection-close", Some(LapseFrom::Connection)),
    ("never", None),
];

/// The life of a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubscriptionLife {
    /// It ends with its last link.
    WithLink,
    /// It is found again by its name.
    Kept(LinkTerms),
}

impl SubscriptionLife {
    /// The life that a source's subscription is granted.
    ///
    /// # Errors
    /// 2046 for a durability or a policy that there is not.
    pub(super) fn of(source: &Source<'_>) -> Result<Self, Reason> {
        let policy = POLICIES.iter().find(|(policy, _)| *policy == source.expiry_policy.0);
        let (Some((_, from)), 0..=DURABILITY_MAX) = (policy, source.durable) else {
            return Err(Reason::OPTIONS_ERROR);
        };
        let durability = source.durable.max(1) as u8;
        Ok(match (from, source.durable, source.timeout) {
            (None, ..) => Self::Kept(LinkTerms { durability, lapse: None }),
            (Some(_), 0, 0) => Self::WithLink,
            // A client that says nothing of the end says this: what is durable is not lost for it.
            (Some(LapseFrom::Session), _, 0) => Self::Kept(LinkTerms { durability, lapse: None }),
            (Some(from), _, seconds) => {
                Self::Kept(LinkTerms { durability, lapse: Some(Lapse::after(seconds, *from)) })
            }
        })
    }

    /// The terms of one that is kept.
    pub(super) fn terms(self) -> Option<LinkTerms> {
        match self {
            Self::WithLink => None,
            Self::Kept(terms) => Some(terms),
        }
    }

    /// Has a source tell it.
    pub(super) fn told(self, source: Source<'_>) -> Source<'_> {
        let (durable, lapse) = match self {
            Self::WithLink => (0, Some(Lapse::after(0, LapseFrom::Link))),
            Self::Kept(terms) => (u32::from(terms.durability), terms.lapse),
        };
        let from = lapse.map(|lapse| lapse.from);
        let (policy, _) = POLICIES.iter().find(|(_, of)| *of == from).expect("each end has a policy");
        let timeout = lapse.map_or(0, |lapse| lapse.seconds);
        Source { durable, expiry_policy: Symbol(policy), timeout, ..source }
    }
}

/// Holds of subscriptions, by their identifiers.
#[derive(Debug, Default)]
pub(super) struct Holds {
    held: BTreeMap<ObjectName, SubscriptionHold>,
    /// The number of holds at which those of removed subscriptions are given up.
    tidied_at: usize,
}

/// The number of holds below which none is looked at.
const TIDIED_FROM: usize = 64;

impl Holds {
    /// Takes a hold of a subscription.
    pub(super) fn take(&mut self, hold: SubscriptionHold) {
        if self.held.len() >= self.tidied_at.max(TIDIED_FROM) {
            self.held.retain(|_, hold| !hold.is_vain());
            self.tidied_at = self.held.len() * 2;
        }
        self.held.insert(hold.id(), hold);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(durable: u32, policy: &'static str, timeout: u32) -> (u32, &'static str, u32) {
        let source = Source { durable, expiry_policy: Symbol(policy), timeout, ..Source::default() };
        let told = SubscriptionLife::of(&source).unwrap().told(Source::default());
        (told.durable, told.expiry_policy.0, told.timeout)
    }

    #[test]
    fn a_source_is_granted_the_end_that_it_asks_for_or_another_that_is_told() {
        for (asked, expected) in [
            ((0, "link-detach", 0), (0, "link-detach", 0)),
            ((0, "session-end", 0), (0, "link-detach", 0)),
            ((0, "connection-close", 0), (0, "link-detach", 0)),
            ((0, "never", 0), (1, "never", 0)),
            ((0, "connection-close", 7), (1, "connection-close", 7)),
            ((1, "link-detach", 0), (1, "link-detach", 0)),
            ((1, "session-end", 0), (1, "never", 0)),
            ((2, "session-end", 9), (2, "session-end", 9)),
            ((2, "never", 9), (2, "never", 0)),
            ((1, "connection-close", u32::MAX), (1, "connection-close", 99_999_998)),
        ] {
            assert_eq!(granted(asked.0, asked.1, asked.2), expected, "{asked:?}");
        }
    }

    #[test]
    fn a_life_that_there_is_not_is_refused() {
        for (durable, policy) in [(3, "never"), (1, "sometime"), (0, ""), (u32::MAX, "link-detach")] {
            let source = Source { durable, expiry_policy: Symbol(policy), ..Source::default() };
            assert_eq!(SubscriptionLife::of(&source), Err(Reason::OPTIONS_ERROR), "{durable} {policy:?}");
        }
    }
}
