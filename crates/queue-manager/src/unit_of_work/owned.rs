//! Units of work as things of their own, and the slot by which a connection borrows one.
//!
//! Lives here: [`OwnedUnit`], which outlives the connection it is lent to, and [`UnitSlot`]. Lives elsewhere: units by their names
//! (`registry`), those that are prepared (`prepared`).
//!
//! Always: a slot lends one unit; whatever its connection puts and gets is added to the unit that is lent at that moment. Locks are
//! taken in this order: slot, unit.

use std::sync::{Arc, Weak};

use platform::sync::{Mutex, MutexGuard};

use super::Unit;
use crate::conversation::Conversation;

/// A unit of work that belongs to nobody but the registry, once it is named, and is lent to a connection.
#[derive(Debug)]
pub(crate) struct OwnedUnit {
    unit: Mutex<Unit>,
    borrower: Mutex<Weak<Conversation>>,
}

impl OwnedUnit {
    /// An empty one, lent to a connection.
    fn lent_to(borrower: Weak<Conversation>, number: u64) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            unit: Mutex::new(Unit { owned: Weak::clone(this), number, ..Unit::default() }),
            borrower: Mutex::new(borrower),
        })
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Unit> {
        self.unit.lock()
    }

    /// The connection it is lent to, if it is and the connection is still there.
    pub(crate) fn borrower(&self) -> Option<Arc<Conversation>> {
        self.borrower.lock().upgrade()
    }
}

/// The place in a connection that holds its current unit of work.
#[derive(Debug)]
pub(crate) struct UnitSlot {
    lent: Mutex<Arc<OwnedUnit>>,
}

impl UnitSlot {
    /// A slot with an empty unit, for this connection.
    pub(crate) fn new(connection: &Weak<Conversation>) -> Self {
        Self { lent: Mutex::new(OwnedUnit::lent_to(Weak::clone(connection), 0)) }
    }

    /// The current unit of work. No other takes its place while this is held.
    pub(crate) fn lent(&self) -> MutexGuard<'_, Arc<OwnedUnit>> {
        self.lent.lock()
    }
}
