//! The answers to calls on a branch that are not "done".

use crate::Reason;

/// Cause for which a branch was rolled back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RollbackCause {
    /// A thread of work ended in failure, or a person rolled it back (XA_RBROLLBACK).
    ByOrder,
    /// The connection of a thread that worked in it was lost (XA_RBCOMMFAIL).
    ConnectionLost,
    /// Anything else, such as a put without a reply that failed (XA_RBOTHER).
    Other,
    /// It was open or idle for longer than a setting allows (XA_RBTIMEOUT).
    TimeOut,
    /// The log or a bound has no room for it now (XA_RBTRANSIENT).
    NoRoom,
}

/// A decision that a person made in place of the coordinator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heuristic {
    /// Committed (XA_HEURCOM).
    Committed,
    /// Rolled back (XA_HEURRB).
    BackedOut,
}

/// The answer to a call on a branch that is not "done".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BranchRefusal {
    /// The branch was rolled back (XA_RB…).
    #[error("the branch was rolled back (XA {})", self.code())]
    RolledBack(RollbackCause),
    /// A person decided it (XA_HEUR…): forget it once that is known.
    #[error("a person decided the branch: forget it once you know how (XA {})", self.code())]
    ByHand(Heuristic),
    /// The queue manager cannot do it now (XAER_RMERR).
    #[error("the queue manager cannot do that now (XA -3): its error log says why")]
    Failed,
    /// There is no such branch of this user (XAER_NOTA).
    #[error("there is no such branch (XA -4)")]
    Unknown,
    /// An argument has a value that it cannot have (XAER_INVAL).
    #[error("an argument is not valid (XA -5)")]
    Invalid,
    /// The call does not fit the state of the branch or of the connection (XAER_PROTO).
    #[error("the call does not fit the state of the branch (XA -6)")]
    Protocol,
    /// The connection is lost (XAER_RMFAIL).
    #[error("the connection to the queue manager is lost (XA -7): open it anew")]
    Lost,
    /// There is such a branch already (XAER_DUPID).
    #[error("there is such a branch already (XA -8)")]
    Duplicate,
    /// The connection has work of its own that is not committed (XAER_OUTSIDE).
    #[error("the connection has work outside branches: commit it or back it out first (XA -9)")]
    Outside,
}

impl BranchRefusal {
    /// Every one.
    pub const ALL: [Self; 14] = [
        Self::RolledBack(RollbackCause::ByOrder),
        Self::RolledBack(RollbackCause::ConnectionLost),
        Self::RolledBack(RollbackCause::Other),
        Self::RolledBack(RollbackCause::TimeOut),
        Self::RolledBack(RollbackCause::NoRoom),
        Self::ByHand(Heuristic::Committed),
        Self::ByHand(Heuristic::BackedOut),
        Self::Failed,
        Self::Unknown,
        Self::Invalid,
        Self::Protocol,
        Self::Lost,
        Self::Duplicate,
        Self::Outside,
    ];

    /// Its number in the X/Open XA specification.
    #[must_use]
    pub const fn code(self) -> i32 {
        match self {
            Self::RolledBack(RollbackCause::ByOrder) => 100,
            Self::RolledBack(RollbackCause::ConnectionLost) => 101,
            Self::RolledBack(RollbackCause::Other) => 104,
            Self::RolledBack(RollbackCause::TimeOut) => 106,
            Self::RolledBack(RollbackCause::NoRoom) => 107,
            Self::ByHand(Heuristic::Committed) => 7,
            Self::ByHand(Heuristic::BackedOut) => 6,
            Self::Failed => -3,
            Self::Unknown => -4,
            Self::Invalid => -5,
            Self::Protocol => -6,
            Self::Lost => -7,
            Self::Duplicate => -8,
            Self::Outside => -9,
        }
    }

    /// The answer to a request for a message of a branch, by the reason that refuses it.
    #[must_use]
    pub fn of_reason(reason: Reason) -> Self {
        match reason {
            Reason::UOW_NOT_AVAILABLE => Self::Unknown,
            Reason::UOW_IN_PROGRESS => Self::Protocol,
            Reason::CONNECTION_BROKEN | Reason::HCONN_ERROR => Self::Lost,
            _ => Self::Failed,
        }
    }

    /// The answer of a number, as another release may send one; what is not known here is a failure.
    #[must_use]
    pub fn of_code(code: i32) -> Self {
        Self::ALL.into_iter().find(|answer| answer.code() == code).unwrap_or(Self::Failed)
    }
}

#[cfg(test)]
mod tests {
    use super::BranchRefusal;

    #[test]
    fn each_answer_has_a_number_of_its_own_and_comes_back_from_it() {
        for answer in BranchRefusal::ALL {
            assert_eq!(BranchRefusal::of_code(answer.code()), answer);
        }
        assert_eq!(BranchRefusal::of_code(-99), BranchRefusal::Failed);
    }
}
