//! Branches of transactions that an outside coordinator decides.
//!
//! Lives here: the name of a branch, the calls on one, and the answers to them, by the numbers of the X/Open
//! XA specification. Lives elsewhere: what the calls do (`queues::unit_of_work::branch`).

mod identifier;
mod refusal;

use crate::{Got, MessageDescriptor};

pub use identifier::{BranchId, PART_BYTES_MAX};
pub use refusal::{BranchRefusal, Heuristic, RollbackCause};

/// The number of "done" in the X/Open XA specification.
pub const XA_OK: i32 = 0;

/// The number for a branch that did nothing, and is over once it is prepared.
pub const XA_RDONLY: i32 = 3;

/// The way in which a thread of work comes to a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchStart {
    /// It begins the branch (TMNOFLAGS).
    New,
    /// It works in one that another began (TMJOIN).
    Join,
    /// It goes on where it, or one that let it, suspended its work (TMRESUME).
    Resume,
}

/// The way in which a thread of work leaves a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchEnd {
    /// Its work is done (TMSUCCESS).
    Success,
    /// The branch must be rolled back (TMFAIL).
    Fail,
    /// It comes back itself (TMSUSPEND).
    Suspend,
    /// It or any other comes back (TMSUSPEND with TMMIGRATE).
    Migrate,
}

/// The way in which a branch is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchCommit {
    /// At once: it is not prepared (TMONEPHASE).
    OnePhase,
    /// It is prepared.
    TwoPhase,
}

/// State of a branch whose preparation succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchPrepared {
    /// It waits for the decision, whatever happens.
    Prepared,
    /// It did nothing, and is over (XA_RDONLY).
    ReadOnly,
}

impl BranchPrepared {
    /// Its number in the X/Open XA specification.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::Prepared => XA_OK,
            Self::ReadOnly => XA_RDONLY,
        }
    }
}

/// A demand for the branches that are prepared, or were decided by hand and not forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BranchList {
    /// The format to which the list is confined; none for all, except those of bridges.
    pub format: Option<i32>,
    /// The bytes that the global part begins with.
    pub prefix: Vec<u8>,
    /// The branch before the first, in the order of the list; none from the first on.
    pub after: Option<BranchId>,
    /// Most branches in the answer, up to [`BRANCHES_LISTED_MAX`].
    pub most: u32,
}

/// Most branches in one answer: an answer of them takes some 14 KB.
pub const BRANCHES_LISTED_MAX: u32 = 100;

/// The format of the branches of bridges (`FRYB`), which no other coordinator is to see: one that rolls back
/// what it does not know would double their messages.
pub const BRIDGE_FORMAT: i32 = i32::from_be_bytes(*b"FRYB");

/// A copy of a message that a branch has got.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedCopy {
    /// Its descriptor, as its getter was given it.
    pub descriptor: MessageDescriptor,
    /// The rest of it.
    pub got: Got,
}

/// A connection to a queue manager as the resource manager of a transaction manager.
///
/// One connection is one thread of work. Every call waits for its outcome.
pub trait Branches {
    /// Associates the connection with a branch: what it puts and gets in syncpoint from now on is of that.
    ///
    /// # Errors
    /// The answer of `xa_start`.
    fn start_branch(&mut self, branch: &BranchId, how: BranchStart) -> Result<(), BranchRefusal>;

    /// Ends the association. Gets that wait are cancelled.
    ///
    /// # Errors
    /// The answer of `xa_end`; `RolledBack` with the association ended.
    fn end_branch(&mut self, branch: &BranchId, how: BranchEnd) -> Result<(), BranchRefusal>;

    /// Prepares a branch: it outlives this connection and the queue manager, until it is decided.
    ///
    /// # Errors
    /// The answer of `xa_prepare`; `RolledBack` when the branch is over.
    fn prepare_branch(&mut self, branch: &BranchId) -> Result<BranchPrepared, BranchRefusal>;

    /// Commits a branch.
    ///
    /// # Errors
    /// The answer of `xa_commit`; `RolledBack` when the branch is over, `ByHand` when a person decided it.
    fn commit_branch(&mut self, branch: &BranchId, how: BranchCommit) -> Result<(), BranchRefusal>;

    /// Rolls a branch back.
    ///
    /// # Errors
    /// The answer of `xa_rollback`; `RolledBack` and `ByHand` as of a commit.
    fn back_out_branch(&mut self, branch: &BranchId) -> Result<(), BranchRefusal>;

    /// Forgets a branch that a person decided.
    ///
    /// # Errors
    /// The answer of `xa_forget`.
    fn forget_branch(&mut self, branch: &BranchId) -> Result<(), BranchRefusal>;

    /// A copy of one of the messages that a prepared branch has got, by its place among these from 0; none
    /// behind the last. A queue's messages come in the order in which they were got. The message stays as it
    /// is.
    ///
    /// # Errors
    /// `Unknown` where this user has no such branch that is prepared, `Protocol` where the branch is not
    /// prepared yet, `Failed` where the message cannot be read back.
    fn prepared_message(
        &mut self,
        branch: &BranchId,
        place: u32,
    ) -> Result<Option<PreparedCopy>, BranchRefusal>;

    /// Copies of all messages that a prepared branch has got, as [`Self::prepared_message`] gives each.
    ///
    /// # Errors
    /// As of that.
    fn prepared_messages(&mut self, branch: &BranchId) -> Result<Vec<PreparedCopy>, BranchRefusal> {
        let mut copies = Vec::new();
        while let Some(copy) = self.prepared_message(branch, copies.len() as u32)? {
            copies.push(copy);
        }
        Ok(copies)
    }

    /// The branches of this user that are prepared, or were decided by hand and not forgotten, in the order
    /// of their identifiers.
    ///
    /// # Errors
    /// `Lost` or `Failed`.
    fn list_branches(&mut self, list: &BranchList) -> Result<Vec<BranchId>, BranchRefusal>;
}
