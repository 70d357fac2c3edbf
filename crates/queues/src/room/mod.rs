//! Room in the log for takers: the reason that a get, a commit or a backout is never refused for lack of it.
//!
//! The room that each needs is known, and set aside before anything is changed:
//!
//! - **A commit or backout** appends records for which room was set aside when the unit began and with every
//!   message it got (`RESERVED_END`, `RESERVED_END_EACH`); it cannot fail.
//! - **A get that waits** keeps none: its room is set aside once its message is there. A thousand idle getters
//!   leave the log to putters.
//! - **A message reserved by read-ahead** keeps room for its get until it is confirmed or given back.
//! - **A get of a persistent message** needs [`OUTSIDE_UNIT`] or [`WITHIN_UNIT`] bytes, and as many as the
//!   report takes if its delivery is to be reported. Puts leave a drain reserve of an eighth of the log (64
//!   KiB to 32 MiB) untouched, so after puts are refused at least reserve ÷ 8 KiB gets go on at once, in
//!   spite of the queue manager's jobs.
//!
//! No reserve is enough for ever: an application may get and back out the same message without end, and each
//! time fills the log by two records, while the job that frees extents waits for its turn. So a get that
//! finds the reserve used up, too, is not refused but waits here, with its message left where it is, until
//! there is room again. It comes:
//!
//! - A checkpoint appends nothing, so it needs no room in the log. It writes the messages that still live in
//!   the log to a segment (one is kept in advance for a full disk) and frees every extent before the one
//!   being filled, unless an open unit of work holds it.
//! - Such a unit is backed out, oldest first, when the checkpoint did not help; it has its room set aside.
//! - An extent is at least 512 KiB, of which at least 290 KiB are beyond what a restart keeps: room for 35
//!   gets and more after every checkpoint.
//!
//! Only where that cannot be, because the disk neither takes a segment nor an extent, is a get refused (2102)
//! after [`WAIT_MAX`]. Getters of non-persistent messages need no room and never wait.

mod refused;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use mqi::Reason;
use platform::Monotonic;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use storage::record::{RESERVED_END, RESERVED_END_EACH, RESERVED_SMALL};
use storage::{ObjectId, Purpose, Record, Reservation, StateObject};

use crate::ground::events;
use crate::ground::turn::Turn;
use crate::queue::Queue;
use crate::queue::getter::Reserve;
use crate::queue::request::{Action, Syncpoint};
use crate::queue::waiters::Ticket;
use crate::queues::Queues;
pub(crate) use refused::RefusedPuts;

/// Room that a get outside units of work needs: its record.
pub(crate) const OUTSIDE_UNIT: u64 = RESERVED_SMALL;

/// Room that a get within a unit of work needs: its record, its part of the record that ends the unit, and
/// that record, since it may begin the unit.
pub(crate) const WITHIN_UNIT: u64 = RESERVED_SMALL + RESERVED_END + RESERVED_END_EACH;

/// Longest time that a get waits for room: as long as puts are held back.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// Time until housekeeping runs again while gets wait for room.
pub const RETRY: Duration = Duration::from_millis(10);

/// Room that a get with this action may need.
pub(crate) fn needed(action: Action) -> u64 {
    match action {
        Action::Reserve(_, Reserve::ForLink) => WITHIN_UNIT,
        Action::Take(Syncpoint::Outside) | Action::Reserve(Syncpoint::Outside, _) => OUTSIDE_UNIT,
        Action::Take(_) | Action::Reserve(..) => WITHIN_UNIT,
        Action::Browse => 0,
    }
}

/// The gets that wait for room, in the order they came.
#[derive(Debug)]
pub struct Parked<G = Getter> {
    getters: Mutex<VecDeque<G>>,
    /// Number of parked getters, to be read without the lock.
    count: AtomicUsize,
}

/// A getter that waits for room.
#[derive(Debug)]
pub struct Getter {
    queue: Arc<Queue>,
    ticket: Ticket,
    wanted: u64,
    since: Monotonic,
}

impl<G> Default for Parked<G> {
    fn default() -> Self {
        Self { getters: Mutex::default(), count: AtomicUsize::new(0) }
    }
}

impl<G> Parked<G> {
    /// True if none waits.
    pub fn is_empty(&self) -> bool {
        self.count.load(Ordering::Relaxed) == 0
    }

    /// Notes one. Its thread looks for room once more after this, and a thread that made room looks for
    /// getters after its own fence ([`made_room`](Self::made_room)): one sees the other.
    fn note(&self, getter: G) {
        self.getters.lock().push_back(getter);
        self.count.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }

    /// Fence that a thread passes after it made room, before it looks for waiting getters.
    fn made_room() {
        fence(Ordering::SeqCst);
    }

    /// Takes the longest waiter, with the room that it waits for, if there is some.
    fn served<R>(&self, take: impl FnOnce(&G) -> Option<R>) -> Option<(G, R)> {
        if self.is_empty() {
            return None;
        }
        let mut getters = self.getters.lock();
        let room = take(getters.front()?)?;
        let getter = getters.pop_front()?;
        drop(getters);
        self.count.fetch_sub(1, Ordering::Relaxed);
        Some((getter, room))
    }
}

/// Extents of the log that a job makes ahead of need.
#[derive(Debug, Default)]
pub struct Extents {
    /// The job is left or runs.
    pub making: Turn,
    /// The last one found no room; it is tried again at every tick.
    pub have_failed: AtomicBool,
}

impl Queues {
    /// Room in the log, or the reason a caller is told when there is none.
    pub fn reserve(&self, bytes: u64, purpose: Purpose) -> Result<Reservation, Reason> {
        let storage = &self.ground.storage;
        if storage.has_failed() {
            return Err(Reason::Q_MGR_NOT_AVAILABLE);
        }
        if storage.runs_short() {
            self.leave_preparation();
        }
        if purpose == Purpose::Fill
            && storage.checkpoint_due()
            && let Some(services) = self.services()
        {
            services.leave_checkpoint();
        }
        storage.reserve(bytes, purpose).map_err(|_| match purpose {
            Purpose::Fill => {
                if self.refused_puts.is_empty() {
                    self.ground.host.tick_wanted();
                }
                Reason::STORAGE_MEDIUM_FULL
            }
            Purpose::Drain => Reason::RESOURCE_PROBLEM,
        })
    }

    /// Room in the log for the definition of a state object, and its bytes.
    pub fn reserve_for_state(&self, object: &StateObject) -> Result<(Reservation, Vec<u8>), Reason> {
        let definition = object.encode();
        let record = Record::Define { object: ObjectId(0), definition: &definition };
        let room = self.reserve(record.reserved_bytes(), Purpose::Drain)?;
        Ok((room, definition))
    }

    /// Room for the record of a get, unless others wait for it already.
    pub(crate) fn room_for_get(&self, wanted: u64) -> Result<Reservation, Reason> {
        let room = self.reserve(wanted, Purpose::Drain)?;
        if self.parked.is_empty() { Ok(room) } else { Err(Reason::RESOURCE_PROBLEM) }
    }

    /// Notes a get that waits for room. May be called under the queue's lock.
    pub(crate) fn park(&self, queue: Arc<Queue>, ticket: Ticket, wanted: u64) {
        let getter = Getter { queue, ticket, wanted, since: self.ground.now() };
        self.parked.note(getter);
        self.ground.host.tick_wanted();
    }

    /// Resumes the getters that have room now, oldest first.
    pub fn serve_parked(&self) {
        Parked::<Getter>::made_room();
        let room_for = |getter: &Getter| self.ground.storage.reserve(getter.wanted, Purpose::Drain).ok();
        while let Some((getter, room)) = self.parked.served(room_for) {
            getter.queue.unpark(self, getter.ticket, room);
        }
    }

    /// Makes room for parked gets, and refuses those that have waited too long. Housekeeping calls it, and a
    /// thread that has just parked a get.
    pub fn look_after_parked(&self) {
        if self.parked.is_empty() {
            return;
        }
        self.serve_parked();
        let now = self.ground.now();
        let failed = self.ground.storage.has_failed();
        let mut refused = Vec::new();
        {
            let mut parked = self.parked.getters.lock();
            while parked.front().is_some_and(|getter| failed || now.since(getter.since) >= WAIT_MAX) {
                refused.extend(parked.pop_front());
            }
        }
        self.parked.count.fetch_sub(refused.len(), Ordering::Relaxed);
        let reason = if failed { Reason::Q_MGR_NOT_AVAILABLE } else { Reason::RESOURCE_PROBLEM };
        for getter in refused {
            getter.queue.refuse_parked(getter.ticket, reason);
        }
        if !self.parked.is_empty() {
            self.leave_preparation();
            if let Some(services) = self.services() {
                services.leave_checkpoint_for_parked();
            }
        }
    }

    /// Has extents made ahead of need. A job of its own, because a checkpoint may take long, and gets,
    /// commits and backouts go on filling the log meanwhile.
    pub fn leave_preparation(&self) {
        let storage = &self.ground.storage;
        if !storage.prepare_due() || storage.has_failed() || !self.extents.making.take() {
            return;
        }
        self.leave_job(|queues| queues.prepare_extents());
    }

    /// Makes extents. Blocks.
    pub fn prepare_extents(&self) {
        let prepared = self.ground.storage.prepare();
        // Said once, not at every attempt.
        let failed_before = self.extents.have_failed.swap(prepared.is_err(), Ordering::Relaxed);
        if let Err(error) = prepared
            && !failed_before
        {
            self.ground.host.event(&events::NO_ROOM_FOR_EXTENT.with([error.to_string()]));
        }
        self.extents.making.end();
        self.serve_parked();
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
