//! Subscriptions of links that end some time after their last use.
//!
//! Lives here: the terms that a definition keeps. Lives elsewhere: the beginning of the time, holds that put
//! it off, and the end, which is that of any subscription whose EXPIRY is over (`subscriptions`).
//!
//! A subscription in use has no EXPIRY. When its last user leaves it is given one, which is in the log, so
//! that the time goes on over a restart; for those that were in use at a crash it begins with the restart.
//!
//! Always: the time does not begin while the subscription is in use or held, and never ends early.

use mqi::constants::*;
use mqi::ours::{LAPSE_AFTER, LAPSE_FROM, LINK_DURABILITY};
use objects::attributes::LAPSES_NEVER;
use objects::{Definition, Value};

/// Longest time after which a subscription ends, in seconds: as much as EXPIRY counts in tenths, with the
/// second that is added.
const SECONDS_MAX: u32 = 99_999_998;

/// The end from which the time of a subscription counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LapseFrom {
    /// The end of its last link.
    Link,
    /// The end of the session of that link.
    Session,
    /// The end of the connection of that link.
    Connection,
}

impl LapseFrom {
    const ALL: [Self; 3] = [Self::Link, Self::Session, Self::Connection];
}

/// The time after which a subscription ends by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lapse {
    /// Seconds until the end.
    pub seconds: u32,
    /// The end from which they count.
    pub from: LapseFrom,
}

impl Lapse {
    /// A time of so many seconds, or the longest that is kept.
    #[must_use]
    pub fn after(seconds: u32, from: LapseFrom) -> Self {
        Self { seconds: seconds.min(SECONDS_MAX), from }
    }

    /// Tenths of EXPIRY. Times of definitions are whole seconds: one more, so that it never ends early.
    pub(crate) fn tenths(self) -> i32 {
        let seconds = if self.seconds == 0 { 0 } else { self.seconds + 1 };
        i32::try_from(seconds * 10).expect("the longest time fits")
    }
}

/// The terms on which a link keeps a durable subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkTerms {
    /// The durability that its client was granted, 1 or 2.
    pub durability: u8,
    /// The time after which it ends; none for one that stays until it is removed.
    pub lapse: Option<Lapse>,
}

impl LinkTerms {
    /// The terms that a definition keeps; none for a subscription that no link made.
    pub(crate) fn of(definition: &Definition) -> Option<Self> {
        let durability = u8::try_from(definition.integer(LINK_DURABILITY)).ok().filter(|kept| *kept > 0)?;
        let seconds = u32::try_from(definition.integer(LAPSE_AFTER)).ok();
        let from = usize::try_from(definition.integer(LAPSE_FROM)).unwrap_or_default();
        let from = LapseFrom::ALL.get(from).copied().unwrap_or(LapseFrom::Link);
        Some(Self { durability, lapse: seconds.map(|seconds| Lapse { seconds, from }) })
    }

    /// Has a definition keep them. Its time begins anew with its next end.
    pub(crate) fn keep(self, definition: &mut Definition) {
        let seconds = self.lapse.map_or(LAPSES_NEVER, |lapse| lapse.seconds.cast_signed());
        let from = self.lapse.map_or(0, |lapse| lapse.from as i32);
        for (attribute, value) in
            [(LINK_DURABILITY, i32::from(self.durability)), (LAPSE_AFTER, seconds), (LAPSE_FROM, from)]
        {
            definition.set_internal(attribute, Value::Integer(value));
        }
        definition.set_internal(MQIACF_EXPIRY, Value::Integer(MQEI_UNLIMITED));
    }

    /// The terms that a definition must keep from now on, where these are not yet kept or its time runs.
    pub(super) fn changed(wanted: Option<Self>, found: &Definition) -> Option<Self> {
        let kept = Self::of(found);
        let terms = wanted.or(kept)?;
        let runs =
            kept.is_some_and(|kept| kept.lapse.is_some()) && found.integer(MQIACF_EXPIRY) != MQEI_UNLIMITED;
        (runs || kept != Some(terms)).then_some(terms)
    }
}
