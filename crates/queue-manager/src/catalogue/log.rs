//! The catalogue's way to the log.

use storage::{Lsn, OutOfSpace, Purpose, Record, Reservation, Storage};

/// Where definitions are made to last.
pub trait ObjectLog: Send + Sync {
    /// Sets room aside for a record.
    fn reserve(&self, record: &Record<'_>, purpose: Purpose) -> Result<Room, OutOfSpace>;
    /// Appends it, and says what must be durable before anyone outside hears of it.
    fn append(&self, record: &Record<'_>, room: &mut Room) -> Lsn;
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
