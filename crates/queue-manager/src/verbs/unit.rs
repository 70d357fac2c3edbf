//! Units of work that a program has beside the current one of its connection.
//!
//! Lives here: one of several beside the connection, [`UnitOfWork`], and one that was prepared,
//! [`PreparedWork`]. Lives elsewhere: the slot that lends a unit (`unit_of_work::slot`), preparing one
//! (`branch`).

use std::fmt;
use std::sync::{Arc, Weak};

use mqi::branch::BranchRefusal;
use mqi::{ObjectHandle, Reason};
use queues::gate::{BehindGate, Gated, Outcome};
use queues::queue::party::Party;
use queues::unit_of_work::Work;
use queues::unit_of_work::branches::BranchOutcome;
use queues::unit_of_work::prepared::Decision;
use queues::unit_of_work::slot::UnitSlot;
use storage::UnitId;

use crate::connection::{Connection, Target};
use crate::engine::Engine;

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
        let slot = UnitSlot::new(&owner);
        units.push(Arc::clone(&slot));
        Ok(Self { engine: Arc::clone(engine), owner, slot })
    }

    pub(crate) fn slot(&self) -> &Arc<UnitSlot> {
        &self.slot
    }

    /// True for a handle of a queue whose messages are taken in units of work alone (SYNCREQ).
    #[must_use]
    pub fn is_required(connection: &Connection, handle: ObjectHandle) -> bool {
        connection.handle(handle).is_ok_and(|found| match &found.target {
            Target::Queue { queue, .. } => queue.attributes().requires_unit,
            _ => false,
        })
    }

    /// Returns true if it is of this queue manager.
    pub(crate) fn is_of(&self, engine: &Arc<Engine>) -> bool {
        Arc::ptr_eq(&self.engine, engine)
    }

    /// Returns true if anything was put or got in it.
    #[must_use]
    pub fn has_work(&self) -> bool {
        !self.slot.lock().operations.is_empty()
    }

    /// Makes it stand. Refused where the queue manager backed it out before, or its connection ended.
    pub fn commit(self) -> Outcome<()> {
        let committed = self.take_to_commit().map(|work| self.engine.broker.commit(work, None));
        let committed = committed.unwrap_or_else(|reason| Gated::free(Err(reason)));
        if let Some(owner) = self.owner.upgrade() {
            owner.calls.count_commit(committed.value().is_ok());
        }
        committed
    }

    fn take_to_commit(&self) -> Result<Work, Reason> {
        self.engine.ground().quiescing(false)?;
        let mut unit = self.slot.lock();
        unit.acknowledge()?;
        Ok(unit.take())
    }

    /// Undoes it: its puts go, its gets return to their places. One that the queue manager backed out
    /// before is as its program wants it.
    pub fn back(self) -> Outcome<()> {
        if let Some(owner) = self.owner.upgrade() {
            owner.calls.count_backout();
        }
        Gated::free(self.engine.ground().quiescing(false))
    }
}

/// The rest of a unit of work beside its connection once it was prepared as a branch. The branch waits
/// for its decision, even after the connection and the queue manager have ended. Dropped, it goes on
/// waiting.
#[derive(Debug)]
pub struct PreparedWork {
    unit: Result<Option<PreparedName>, BranchRefusal>,
}

/// The name of a branch that is prepared, where its program settles it.
struct PreparedName {
    engine: Arc<Engine>,
    owner: Weak<Party>,
    name: UnitId,
}

impl PreparedWork {
    /// The rest of a unit that has this name, did nothing, or was refused.
    pub(crate) fn of(unit: &UnitOfWork, prepared: Result<Option<UnitId>, BranchRefusal>) -> Self {
        let named =
            |name| PreparedName { engine: Arc::clone(&unit.engine), owner: Weak::clone(&unit.owner), name };
        Self { unit: prepared.map(|name| name.map(named)) }
    }

    /// Ends it as its coordinator decides. What did nothing is as decided, and what was refused is backed
    /// out.
    ///
    /// # Errors
    /// `Unknown` where it was decided before, `ByHand` where a person decided it, and the refusal of its
    /// preparation where that is to stand.
    pub fn settle(self, decision: Decision) -> BranchOutcome<()> {
        let PreparedName { engine, owner, name } = match (self.unit, decision) {
            (Ok(Some(unit)), _) => unit,
            (Ok(None), _) | (Err(_), Decision::BackOut) => return Gated::free(Ok(())),
            (Err(refusal), Decision::Commit) => return Gated::free(Err(refusal)),
        };
        if engine.ground().quiescing(false).is_err() {
            return Gated::free(Err(BranchRefusal::Lost));
        }
        let settled = engine.queues.settle_branch(name, decision);
        if let Some(owner) = owner.upgrade() {
            match decision {
                Decision::Commit => owner.calls.count_commit(settled.value().is_ok()),
                Decision::BackOut => owner.calls.count_backout(),
            }
        }
        settled
    }
}

impl fmt::Debug for PreparedName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.name)
    }
}

impl fmt::Debug for UnitOfWork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("UnitOfWork")
    }
}

impl Drop for UnitOfWork {
    fn drop(&mut self) {
        let work = self.slot.lock().end();
        self.engine.queues.back_out(work);
        if let Some(owner) = self.owner.upgrade() {
            owner.units_beside.lock().retain(|slot| !Arc::ptr_eq(slot, &self.slot));
        }
    }
}
