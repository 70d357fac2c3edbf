//! Units of work that are prepared: listed, and decided.
//!
//! Lives elsewhere: those of connections (`verbs`), how one ends (`queues::unit_of_work`).

use std::sync::Arc;

use queues::gate::{Gated, Outcome};
use queues::unit_of_work::prepared::{Decision, NotResolved, PreparedUnit, Settled};
use storage::{ObjectId, ResolvedBranch, UnitId};

use super::QueueManager;
use crate::engine::Engine;

/// The units of work of a queue manager that are prepared.
#[derive(Clone, Copy, Debug)]
pub struct Units<'manager>(&'manager QueueManager);

impl QueueManager {
    /// The units of work that are prepared.
    #[must_use]
    pub const fn units(&self) -> Units<'_> {
        Units(self)
    }
}

impl Units<'_> {
    const fn engine(&self) -> &Arc<Engine> {
        self.0.engine()
    }

    /// The units of work that are prepared and wait for a decision, oldest first.
    pub fn prepared(&self) -> Gated<Vec<PreparedUnit>> {
        self.engine().queues.prepared_units()
    }

    /// Ends a branch that is prepared, as its coordinator decides; 2255 when none of this name is, or no
    /// more. It is told if a person decided before.
    pub fn settle(&self, name: UnitId, decision: Decision) -> Outcome<Settled> {
        self.engine().queues.settle(name, decision)
    }

    /// Ends a batch of a message channel that is prepared: a call of the channel alone, which moves its
    /// numbers. No command and no protocol leads here.
    pub fn settle_batch(&self, name: UnitId, decision: Decision) -> Outcome<()> {
        self.engine().queues.settle_batch(name, decision)
    }

    /// Backs out the batches of a message channel from this one on, newest first: its partner takes none of
    /// them.
    pub fn back_out_batches(&self, object: ObjectId, from: u64) {
        self.engine().back_out_batches(object, from);
    }

    /// Ends a branch that is prepared as a person decides. It is remembered until it is forgotten.
    pub fn resolve_by_hand(
        &self,
        name: UnitId,
        decision: Decision,
        by: &str,
    ) -> Gated<Result<(), NotResolved>> {
        let new_identifier = || self.engine().directory.catalogue.new_identifier();
        self.engine().queues.resolve_by_hand(name, decision, by, "", new_identifier)
    }

    /// The branches that administrators decided and have not forgotten, in the order of the decisions.
    pub fn resolved_by_hand(&self) -> Gated<Vec<ResolvedBranch>> {
        self.engine().queues.resolved_by_hand()
    }
}
