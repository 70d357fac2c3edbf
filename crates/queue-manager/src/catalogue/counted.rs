//! The definitions that count for the bounds of those who make them.
//!
//! Lives here: the kind of growth that a definition is. Lives elsewhere: the counts and their bounds
//! (`ground::growth`).
//!
//! Always: the kind of a definition follows from its bytes alone, so that a restart counts what ran before.

use mqi::constants::{MQIA_DEFINITION_TYPE, MQQDT_PERMANENT_DYNAMIC};
use mqi::ours::IS_AUTOMATIC;
use objects::{Definition, ObjectType};
use queues::ground::growth::{Growth, GrowthRefusal, Ledger};

/// The beginning of the names of queues that are managed for durable subscriptions.
pub(crate) const MANAGED_DURABLE: &str = "SYSTEM.MANAGED.DURABLE.";

/// A definition as the ledger counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Counted<'definition> {
    growth: Growth,
    maker: &'definition str,
}

impl<'definition> Counted<'definition> {
    /// None for the queue manager itself, and for the queue of a subscription, which is bounded by the
    /// subscriptions.
    fn of(definition: &'definition Definition) -> Option<Self> {
        let growth = match definition.object_type() {
            ObjectType::QueueManager => return None,
            ObjectType::LocalQueue if definition.integer(MQIA_DEFINITION_TYPE) == MQQDT_PERMANENT_DYNAMIC => {
                if definition.name().as_str().starts_with(MANAGED_DURABLE) {
                    return None;
                }
                Growth::DynamicQueues
            }
            ObjectType::Subscription => Growth::Subscriptions,
            ObjectType::ReceiverChannel if definition.integer(IS_AUTOMATIC) != 0 => Growth::AutomaticChannels,
            _ => Growth::Definitions,
        };
        Some(Self { growth, maker: definition.maker() })
    }
}

/// Counts a definition that is to be made and kept.
pub(super) fn take(ledger: &Ledger, definition: &Definition) -> Result<(), GrowthRefusal> {
    let counted = Counted::of(definition);
    counted.map_or(Ok(()), |Counted { growth, maker }| ledger.take(growth, maker))
}

/// Counts a definition that is there.
pub(super) fn note(ledger: &Ledger, definition: &Definition) {
    if let Some(Counted { growth, maker }) = Counted::of(definition) {
        ledger.note(growth, maker);
    }
}

/// A definition that was kept is gone, or was not made after all.
pub(super) fn give_back(ledger: &Ledger, definition: &Definition) {
    if let Some(Counted { growth, maker }) = Counted::of(definition) {
        ledger.give_back(growth, maker);
    }
}

/// Follows a definition that became another: an automatic channel that is defined anew is so no more.
pub(super) fn follow(ledger: &Ledger, before: &Definition, after: &Definition) {
    if Counted::of(before) != Counted::of(after) {
        give_back(ledger, before);
        note(ledger, after);
    }
}
