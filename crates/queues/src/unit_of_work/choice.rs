//! The unit of work to which a message of the queue manager's own belongs, and what is put beside another.

use std::sync::Arc;

use mqi::Reason;
use storage::{Lsn, Reservation};

use super::Unit;
use super::gathering::Gathered;
use super::slot::UnitSlot;
use crate::queues::Queues;
use crate::{Gated, Outcome};

/// The unit of work that an operation belongs to, as a part of another.
#[derive(Debug)]
pub enum Whose {
    /// The queue manager's own, which it ends as soon as the report is put.
    Own(Box<Unit>),
    /// The unit of work of a connection, or one beside it, if that still has this number.
    Of {
        /// The slot.
        unit: Arc<UnitSlot>,
        /// The number of the unit.
        number: u64,
        /// Puts of it that are to have one record together.
        gathered: Option<Box<Gathered>>,
    },
}

impl Whose {
    /// The unit of work of the connection itself.
    pub fn own() -> Self {
        Self::Own(Box::default())
    }

    /// One whose messages are not to be seen before the position.
    pub fn own_after(need: Lsn) -> Self {
        let mut unit = Box::<Unit>::default();
        unit.observe(need);
        Self::Own(unit)
    }

    /// Makes it ready for so many operations that stand together, which are not to be seen before the
    /// position. With room for their records and for the end of the unit it is named in the log, so that each
    /// takes its part of the room and no more.
    pub fn join(
        &mut self,
        queues: &Queues,
        operations: usize,
        need: Lsn,
        room: Option<&mut Reservation>,
    ) -> Result<(), Reason> {
        match self {
            Self::Own(unit) => {
                if let Some(room) = room {
                    unit.begin(queues, room);
                }
            }
            Self::Of { unit, .. } => {
                let mut unit = unit.lock();
                unit.admit(operations, queues.ground.limits.uncommitted_max())?;
                unit.observe(need);
                if let Some(room) = room {
                    unit.begin(queues, room);
                }
            }
        }
        Ok(())
    }

    /// Adds a position that is not durable yet: the outside learns that the unit stands only after that is.
    pub fn observe(&mut self, need: Lsn) {
        match self {
            Self::Own(unit) => unit.observe(need),
            Self::Of { unit, number, .. } => {
                let mut unit = unit.lock();
                if unit.number() == *number {
                    unit.observe(need);
                }
            }
        }
    }

    /// The present unit of work of a slot.
    pub fn current(unit: &Arc<UnitSlot>) -> Self {
        let number = unit.lock().number();
        Self::Of { unit: Arc::clone(unit), number, gathered: None }
    }

    /// The one that took a message: the queue manager's own, or the current one of a slot.
    pub(crate) fn taker(own: Option<Box<Unit>>, unit: Option<&Arc<UnitSlot>>, number: u64) -> Self {
        match (own, unit) {
            (Some(unit), _) => Self::Own(unit),
            (None, unit) => {
                let unit = Arc::clone(unit.expect("a unit is in a slot or our own"));
                Self::Of { unit, number, gathered: None }
            }
        }
    }

    /// Gathers the puts that follow into one record, as far as they can be: until they are logged,
    /// or until a unit of the queue manager's own ends. It is named in the log by now ([`Whose::join`]).
    pub fn gather(&mut self, gathering: Gathered) {
        *self.gathering() = Some(Box::new(gathering));
    }

    /// The puts that are to be logged together, if any are.
    pub fn gathering(&mut self) -> &mut Option<Box<Gathered>> {
        match self {
            Self::Own(unit) => &mut unit.gathered,
            Self::Of { gathered, .. } => gathered,
        }
    }
}

impl Queues {
    /// Ends a unit of work of the queue manager's own; that of a connection goes on.
    pub fn commit_own(&self, whose: Whose) -> Outcome<()> {
        match whose {
            Whose::Own(mut unit) => self.commit(unit.take(), None),
            Whose::Of { .. } => Gated::free(Ok(())),
        }
    }

    /// Undoes a unit of work of the queue manager's own.
    pub fn back_out_own(&self, whose: Whose) {
        if let Whose::Own(mut unit) = whose {
            self.back_out(unit.take());
        }
    }
}
