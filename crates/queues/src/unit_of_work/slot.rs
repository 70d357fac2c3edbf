//! The place in a connection or a branch that holds its units of work, one after another.
//!
//! Lives here: [`UnitSlot`]. Lives elsewhere: units by their names (`registry`), those that are prepared
//! (`prepared`), those that a program has beside its current one (`verbs::unit`).
//!
//! Always: a slot has one unit that is open; every put and get of its connection is added to that one.

use std::sync::{Arc, Weak};

use platform::sync::{Mutex, MutexGuard};

use super::Unit;
use super::branches::Branch;
use crate::queue::party::Party;

/// A place for a unit of work, which the registry shares once the unit is named.
#[derive(Debug)]
pub struct UnitSlot {
    unit: Mutex<Unit>,
    holder: Holder,
}

/// The one that works in the units of a slot.
#[derive(Clone, Debug)]
pub enum Holder {
    /// A connection.
    Connection(Weak<Party>),
    /// A branch, in which several connections work.
    Branch(Weak<Branch>),
}

impl UnitSlot {
    /// A slot for this connection.
    pub fn new(connection: &Weak<Party>) -> Arc<Self> {
        Self::held_by(Holder::Connection(Weak::clone(connection)), false)
    }

    /// A slot with the unit of a branch.
    pub fn of_branch(branch: Weak<Branch>) -> Arc<Self> {
        Self::held_by(Holder::Branch(branch), false)
    }

    /// A slot for the batches of a message channel.
    pub fn of_batches(connection: &Weak<Party>) -> Arc<Self> {
        Self::held_by(Holder::Connection(Weak::clone(connection)), true)
    }

    fn held_by(holder: Holder, is_batch: bool) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            unit: Mutex::new(Unit { slot: Weak::clone(this), is_batch, ..Unit::default() }),
            holder,
        })
    }

    /// Locks the unit.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, Unit> {
        self.unit.lock()
    }

    /// The one that works in it.
    pub fn holder(&self) -> &Holder {
        &self.holder
    }
}
