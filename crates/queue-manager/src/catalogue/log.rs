//! The catalogue's way to the log.

use std::sync::Arc;

use objects::Definition;
use queues::ground::growth::{Growth, Ledger};
use storage::{Lsn, OutOfSpace, Purpose, Record, Reservation, Storage};

use crate::authority::Book;

/// Where definitions are made to last.
pub trait ObjectLog: Send + Sync {
    /// Sets room aside for a record.
    fn reserve(&self, record: &Record<'_>, purpose: Purpose) -> Result<Room, OutOfSpace>;
    /// Appends it, and returns the position that must be durable before the outside may learn of it.
    fn append(&self, record: &Record<'_>, room: &mut Room) -> Lsn;
    /// Has `append` log the removal of an object, together with all that ends with the object.
    fn removed(&self, definition: &Definition, append: &mut dyn FnMut() -> Lsn) -> Lsn {
        let _ = definition;
        append()
    }
}

/// Room for one record; a log in memory needs none.
#[derive(Debug, Default)]
pub struct Room(Option<Reservation>);

impl ObjectLog for Storage {
    fn reserve(&self, record: &Record<'_>, purpose: Purpose) -> Result<Room, OutOfSpace> {
        Self::reserve(self, record.reserved_bytes(), purpose).map(|reservation| Room(Some(reservation)))
    }

    fn append(&self, record: &Record<'_>, room: &mut Room) -> Lsn {
        let reservation = room.0.as_mut().expect("room comes from this log");
        Self::append(self, record, None, reservation).need
    }
}

/// The log of definitions, which takes the records of an object along with it.
pub(crate) struct DefinitionLog {
    pub(crate) storage: Storage,
    pub(crate) book: Arc<Book>,
    pub(crate) ledger: Arc<Ledger>,
}

impl ObjectLog for DefinitionLog {
    fn reserve(&self, record: &Record<'_>, purpose: Purpose) -> Result<Room, OutOfSpace> {
        ObjectLog::reserve(&self.storage, record, purpose)
    }

    fn append(&self, record: &Record<'_>, room: &mut Room) -> Lsn {
        self.book.definition_changed();
        ObjectLog::append(&self.storage, record, room)
    }

    fn removed(&self, definition: &Definition, append: &mut dyn FnMut() -> Lsn) -> Lsn {
        let (need, makers) = self.book.object_removed(definition, append);
        makers.iter().for_each(|maker| self.ledger.give_back(Growth::AuthorityRecords, maker));
        need
    }
}
