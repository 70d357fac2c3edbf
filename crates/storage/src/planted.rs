//! Faults put into the engine on purpose, each at one place, to prove that the judge of histories finds them.
//!
//! Compiled only with the feature `planted`, which nothing that is shipped has. Lives here: which faults
//! there are, and which one is in effect, for one thread or for the process. Lives elsewhere: the places,
//! each a line behind the feature in the passage that it spoils; the proof (`sim::planted`).

#[cfg(not(debug_assertions))]
compile_error!(
    "the feature `planted` spoils the engine for the tests that must notice; a release is built without it"
);

use std::cell::Cell;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::{Durable, Lsn};

/// A way of being wrong that some system once had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Fault {
    /// A block of the log is written and not made durable.
    NoFlush = 1,
    /// Counts records as durable as soon as they are appended.
    AckBeforeFlush,
    /// Some puts are answered and do nothing.
    DroppedPut,
    /// Some messages that are got stay on the queue.
    DoubleDelivery,
    /// Some gets are not logged.
    ResurrectedGet,
    /// Some gets are given the second message.
    SwappedOrder,
    /// A restart keeps half of every unit of work that was open.
    HalfUnit,
    /// A backout leaves the puts of its unit on the queue.
    BackoutKeepsPut,
    /// A commit puts back what its unit has got.
    CommitLosesGet,
    /// Some messages are given out with a changed byte.
    WrongBody,
    /// A checkpoint does not wait for the log it reflects.
    CheckpointAhead,
    /// Records count although their checksum is wrong, as a torn write leaves them.
    TornTailTaken,
    /// A put without the log is answered before its getter has the message.
    AckBeforeReceipt,
    /// A restart forgets that units of work were prepared.
    PrepareForgotten,
    /// The segment kept in advance for a full disk is used once and not replaced.
    SpareUsedOnce,
    /// A branch that is prepared may be joined.
    JoinAfterPrepare,
    /// An idle branch is rolled back with the connection that left it.
    IdleLost,
    /// An idle branch keeps the log from being used again.
    IdleKeepsLog,
    /// A branch counts as prepared before its record is durable.
    PrepareUngated,
    /// A branch counts as committed before its record is durable.
    CommitUngated,
    /// A branch counts as unknown before its end is durable.
    AbsenceUngated,
    /// A branch is left out of lists before its end is durable.
    ListUngated,
    /// The decision of a person is logged behind the end of the branch.
    HandAfterEnd,
    /// A restart forgets what a person decided.
    HandLost,
    /// A branch that is forgotten comes back with a restart.
    ForgetWithoutDelete,
    /// A connection leaves a branch while a get of it waits.
    WaitJoinsNext,
}

impl Fault {
    /// Faults that histories convict. Clients are told the truth beside a spare used once: figure R8 finds
    /// it.
    pub const ALL: [Self; 14] = [
        Self::NoFlush,
        Self::AckBeforeFlush,
        Self::DroppedPut,
        Self::DoubleDelivery,
        Self::ResurrectedGet,
        Self::SwappedOrder,
        Self::HalfUnit,
        Self::BackoutKeepsPut,
        Self::CommitLosesGet,
        Self::WrongBody,
        Self::CheckpointAhead,
        Self::TornTailTaken,
        Self::AckBeforeReceipt,
        Self::PrepareForgotten,
    ];

    /// Faults of branches of transactions, which the tests of the engine's branches find.
    pub const OF_BRANCHES: [Self; 11] = [
        Self::JoinAfterPrepare,
        Self::IdleLost,
        Self::IdleKeepsLog,
        Self::PrepareUngated,
        Self::CommitUngated,
        Self::AbsenceUngated,
        Self::ListUngated,
        Self::HandAfterEnd,
        Self::HandLost,
        Self::ForgetWithoutDelete,
        Self::WaitJoinsNext,
    ];

    /// The fault of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|fault| format!("{fault:?}") == name)
    }
}

/// A fault of which only *some* operations suffer strikes at every third: often enough to be met, seldom
/// enough for everything else to go on as usual.
const STRIKES_EVERY: u64 = 3;

static EVERYWHERE: AtomicU8 = AtomicU8::new(0);
static OPERATIONS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static HERE: Cell<u8> = const { Cell::new(0) };
    static OPERATIONS_HERE: Cell<u64> = const { Cell::new(0) };
}

/// Plants a fault in everything this thread does from now on, or takes it away. Counting begins anew.
pub fn plant_here(fault: Option<Fault>) {
    HERE.set(fault.map_or(0, |fault| fault as u8));
    OPERATIONS_HERE.set(0);
}

/// Plants a fault in everything this process does, for good.
pub fn plant_everywhere(fault: Fault) {
    EVERYWHERE.store(fault as u8, Ordering::Relaxed);
}

/// Proof of what was not proved.
#[must_use]
pub fn untrue_proof(at: Lsn) -> Durable {
    Durable(at)
}

/// True if this fault is planted.
#[must_use]
pub fn is(fault: Fault) -> bool {
    HERE.get() == fault as u8 || EVERYWHERE.load(Ordering::Relaxed) == fault as u8
}

/// True if this fault is planted and the present operation suffers it.
#[must_use]
pub fn strikes(fault: Fault) -> bool {
    if HERE.get() == fault as u8 {
        OPERATIONS_HERE.set(OPERATIONS_HERE.get() + 1);
        return OPERATIONS_HERE.get().is_multiple_of(STRIKES_EVERY);
    }
    is(fault) && (OPERATIONS.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(STRIKES_EVERY)
}
