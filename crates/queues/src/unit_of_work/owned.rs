//! Units of work as things of their own, and the slot by which a connection borrows one.
//!
//! Lives here: [`OwnedUnit`], [`UnitSlot`]. Lives elsewhere: units by their names (`registry`), those that
//! are prepared (`prepared`), those that a program has beside its current one (`verbs::unit`).
//!
//! Always: a slot lends one unit; every put and get of its connection is added to the unit that is lent at
//! that moment. Locks are taken in this order: slot, unit.

use std::sync::{Arc, Weak};

use platform::sync::{Mutex, MutexGuard};

use super::Unit;
use super::branches::Branch;
use crate::queue::party::Party;

/// A unit of work that belongs only to the registry, once it is named, and is lent.
#[derive(Debug)]
pub struct OwnedUnit {
    unit: Mutex<Unit>,
    borrower: Borrower,
}

/// The one that a unit of work is lent to.
#[derive(Clone, Debug)]
pub enum Borrower {
    /// A connection.
    Connection(Weak<Party>),
    /// A branch, in which several connections work.
    Branch(Weak<Branch>),
}

impl OwnedUnit {
    /// An empty one.
    fn lent_to(borrower: Borrower, number: u64, is_batch: bool) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            unit: Mutex::new(Unit { owned: Weak::clone(this), number, is_batch, ..Unit::default() }),
            borrower,
        })
    }

    /// Locks the unit.
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, Unit> {
        self.unit.lock()
    }

    /// The one that it is lent to.
    pub fn borrower(&self) -> &Borrower {
        &self.borrower
    }
}

/// The place in a connection or a branch that holds its current unit of work.
#[derive(Debug)]
pub struct UnitSlot {
    lent: Mutex<Arc<OwnedUnit>>,
}

impl UnitSlot {
    /// A slot with an empty unit, for this connection.
    pub fn new(connection: &Weak<Party>) -> Self {
        Self::lending_to(Borrower::Connection(Weak::clone(connection)), false)
    }

    /// A slot with the unit of a branch.
    pub fn of_branch(branch: Weak<Branch>) -> Self {
        Self::lending_to(Borrower::Branch(branch), false)
    }

    /// A slot for the batches of a message channel.
    pub fn of_batches(connection: &Weak<Party>) -> Self {
        Self::lending_to(Borrower::Connection(Weak::clone(connection)), true)
    }

    fn lending_to(borrower: Borrower, is_batch: bool) -> Self {
        Self { lent: Mutex::new(OwnedUnit::lent_to(borrower, 0, is_batch)) }
    }

    /// The current unit of work. No other takes its place while this is held.
    #[inline]
    pub fn lent(&self) -> MutexGuard<'_, Arc<OwnedUnit>> {
        self.lent.lock()
    }
}
