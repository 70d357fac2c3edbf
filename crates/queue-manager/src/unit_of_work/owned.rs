//! Units of work as things of their own, and the slot by which a connection borrows one.
//!
//! Lives here: [`OwnedUnit`], [`UnitSlot`], a unit that was set aside by its connection, [`UnitAside`], and
//! one of several beside it, [`UnitOfWork`]. Lives elsewhere: units by their names (`registry`), those that
//! are prepared (`prepared`).
//!
//! Always: a slot lends one unit; every put and get of its connection is added to the unit that is lent at
//! that moment. Locks are taken in this order: slot, unit.

use std::fmt;
use std::mem;
use std::sync::{Arc, Weak};

use mqi::Reason;
use platform::sync::{Mutex, MutexGuard};

use super::{Standing, Unit, Work};
use crate::engine::Engine;
use crate::queue::party::Party;
use crate::{Gated, Outcome};

/// A unit of work that belongs only to the registry, once it is named, and is lent to a connection.
#[derive(Debug)]
pub(crate) struct OwnedUnit {
    unit: Mutex<Unit>,
    borrower: Weak<Party>,
}

impl OwnedUnit {
    /// An empty one, lent to a connection.
    fn lent_to(borrower: Weak<Party>, number: u64) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            unit: Mutex::new(Unit { owned: Weak::clone(this), number, ..Unit::default() }),
            borrower,
        })
    }

    #[inline]
    pub(crate) fn lock(&self) -> MutexGuard<'_, Unit> {
        self.unit.lock()
    }

    /// The connection it is of, while that is there.
    pub(crate) fn borrower(&self) -> Option<Arc<Party>> {
        self.borrower.upgrade()
    }
}

/// The place in a connection that holds its current unit of work.
#[derive(Debug)]
pub(crate) struct UnitSlot {
    lent: Mutex<Arc<OwnedUnit>>,
}

impl UnitSlot {
    /// A slot with an empty unit, for this connection.
    pub(crate) fn new(connection: &Weak<Party>) -> Self {
        Self { lent: Mutex::new(OwnedUnit::lent_to(Weak::clone(connection), 0)) }
    }

    /// The current unit of work. No other takes its place while this is held.
    #[inline]
    pub(crate) fn lent(&self) -> MutexGuard<'_, Arc<OwnedUnit>> {
        self.lent.lock()
    }

    /// Takes the current unit out and lends an empty one in its place. The number of the new one is higher,
    /// so that no report of an operation of the unit that left is added to it.
    pub(crate) fn take_out(&self) -> Arc<OwnedUnit> {
        let mut lent = self.lent.lock();
        let borrower = Weak::clone(&lent.borrower);
        let number = lent.lock().number + 1;
        mem::replace(&mut lent, OwnedUnit::lent_to(borrower, number))
    }

    /// Lends a unit that was taken out before. The current one must have done nothing.
    pub(crate) fn put_in(&self, unit: &Arc<OwnedUnit>) -> Result<(), Reason> {
        let mut lent = self.lent.lock();
        let number = {
            let current = lent.lock();
            if current.standing == Standing::Ended {
                return Err(Reason::CONNECTION_BROKEN);
            }
            if !current.operations.is_empty() {
                return Err(Reason::UOW_IN_PROGRESS);
            }
            current.number
        };
        let mut returning = unit.lock();
        returning.number = returning.number.max(number) + 1;
        drop(returning);
        *lent = Arc::clone(unit);
        Ok(())
    }
}

/// A unit of work that its connection set aside: it stays open while the connection works in others. Dropped,
/// it is backed out.
pub struct UnitAside {
    pub(crate) engine: Arc<Engine>,
    pub(crate) unit: Option<Arc<OwnedUnit>>,
}

impl fmt::Debug for UnitAside {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("UnitAside")
    }
}

impl Drop for UnitAside {
    fn drop(&mut self) {
        if let Some(unit) = self.unit.take() {
            let work = unit.lock().end();
            self.engine.back_out(work);
        }
    }
}

/// Most units of work beside a connection. A session of AMQP has one for each transaction that is open, of
/// which clients keep one or two.
const BESIDE_MAX: usize = 64;

/// A unit of work beside its connection, whose own goes on meanwhile. Connections of the same queue manager
/// put and take within it by naming it. Dropped, it is backed out; it ends with the connection that opened
/// it.
pub struct UnitOfWork {
    engine: Arc<Engine>,
    owner: Weak<Party>,
    slot: Arc<UnitSlot>,
}

impl UnitOfWork {
    /// An empty one beside a connection.
    ///
    /// # Errors
    /// The connection has ended, or has too many.
    pub(crate) fn beside(engine: &Arc<Engine>, owner: &Arc<Party>) -> Result<Self, Reason> {
        let mut units = owner.units_beside.lock();
        // Asked under the lock: the end of a connection takes those that it finds here.
        if owner.has_ended() {
            return Err(Reason::CONNECTION_BROKEN);
        }
        if units.len() >= BESIDE_MAX {
            return Err(Reason::RESOURCE_PROBLEM);
        }
        let owner = Arc::downgrade(owner);
        let slot = Arc::new(UnitSlot::new(&owner));
        units.push(Arc::clone(&slot));
        Ok(Self { engine: Arc::clone(engine), owner, slot })
    }

    pub(crate) fn slot(&self) -> &Arc<UnitSlot> {
        &self.slot
    }

    /// Returns true if it is of this queue manager.
    pub(crate) fn is_of(&self, engine: &Arc<Engine>) -> bool {
        Arc::ptr_eq(&self.engine, engine)
    }

    /// Returns true if anything was put or got in it.
    #[must_use]
    pub fn has_work(&self) -> bool {
        !self.slot.lent().lock().operations.is_empty()
    }

    /// Makes it stand. Refused where the queue manager backed it out before, or its connection ended.
    pub fn commit(self) -> Outcome<()> {
        let committed = self.take_to_commit().map(|work| self.engine.commit(work, None));
        let committed = committed.unwrap_or_else(|reason| Gated::free(Err(reason)));
        if let Some(owner) = self.owner.upgrade() {
            owner.calls.count_commit(committed.value().is_ok());
        }
        committed
    }

    fn take_to_commit(&self) -> Result<Work, Reason> {
        self.engine.quiescing(false)?;
        let lent = self.slot.lent();
        let mut unit = lent.lock();
        unit.acknowledge()?;
        Ok(unit.take())
    }

    /// Undoes it: its puts go, its gets return to their places. One that the queue manager backed out before
    /// is as its program wants it.
    pub fn back(self) -> Outcome<()> {
        if let Some(owner) = self.owner.upgrade() {
            owner.calls.count_backout();
        }
        Gated::free(self.engine.quiescing(false))
    }
}

impl fmt::Debug for UnitOfWork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("UnitOfWork")
    }
}

impl Drop for UnitOfWork {
    fn drop(&mut self) {
        let work = self.slot.lent().lock().end();
        self.engine.back_out(work);
        if let Some(owner) = self.owner.upgrade() {
            owner.units_beside.lock().retain(|slot| !Arc::ptr_eq(slot, &self.slot));
        }
    }
}
