//! One branch before it is prepared: the threads of work in it, and the calls that it takes.
//!
//! Lives here: the states S1 (active), S2 (idle) and S4 (must be rolled back) of the X/Open XA specification,
//! events in, answers out. Lives elsewhere: the branch and its unit of work (`branches`), S3 (`prepared`), S5
//! (`by_hand`).
//!
//! Always: a branch that must be rolled back never stands; a thread of work that cannot come back holds
//! nothing up.

use mqi::branch::{BranchEnd, BranchRefusal, BranchStart, RollbackCause};

/// The relation of a thread of work to one branch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Association {
    /// It has none.
    #[default]
    None,
    /// It works in the branch.
    Active,
    /// It suspended its work, and comes back itself.
    Suspended,
}

/// A branch that is not prepared, without its unit of work.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BranchState {
    active: u32,
    suspended: u32,
    /// Suspended so that any thread may go on.
    migrating: u32,
    doomed: Option<RollbackCause>,
}

impl BranchState {
    /// One that a thread has just begun.
    pub(crate) fn begun() -> Self {
        Self { active: 1, suspended: 0, migrating: 0, doomed: None }
    }

    /// Returns the cause for which it must be rolled back, if it must.
    pub(crate) fn doomed(&self) -> Option<RollbackCause> {
        self.doomed
    }

    /// True if no thread works in it.
    pub(crate) fn is_idle(&self) -> bool {
        self.active == 0
    }

    /// It must be rolled back. The first cause is told.
    pub(crate) fn doom(&mut self, cause: RollbackCause) {
        self.doomed.get_or_insert(cause);
    }

    /// A thread that is in no branch, or suspended this one, comes to it.
    pub(crate) fn start(&mut self, how: BranchStart, own: Association) -> Result<Association, BranchRefusal> {
        let left = match (how, own) {
            (BranchStart::New, _) => return Err(BranchRefusal::Duplicate),
            (BranchStart::Join, Association::None) => None,
            (BranchStart::Resume, Association::Suspended) => Some(&mut self.suspended),
            (BranchStart::Resume, Association::None) => Some(&mut self.migrating),
            (BranchStart::Join, Association::Suspended) | (_, Association::Active) => {
                return Err(BranchRefusal::Protocol);
            }
        };
        if let Some(cause) = self.doomed {
            return Err(BranchRefusal::RolledBack(cause));
        }
        if let Some(left) = left {
            *left = left.checked_sub(1).ok_or(BranchRefusal::Protocol)?;
        }
        self.active += 1;
        Ok(Association::Active)
    }

    /// A thread leaves it. The thread is left with an association, and has an answer.
    pub(crate) fn end(
        &mut self,
        how: BranchEnd,
        own: Association,
    ) -> (Association, Result<(), BranchRefusal>) {
        let refused = |own| (own, Err(BranchRefusal::Protocol));
        let count = match own {
            Association::None => return refused(own),
            Association::Active => &mut self.active,
            Association::Suspended => &mut self.suspended,
        };
        let suspends = matches!(how, BranchEnd::Suspend | BranchEnd::Migrate);
        if suspends && own == Association::Suspended && self.doomed.is_none() {
            return refused(own);
        }
        *count -= 1;
        if how == BranchEnd::Fail {
            self.doom(RollbackCause::ByOrder);
        }
        if let Some(cause) = self.doomed {
            return (Association::None, Err(BranchRefusal::RolledBack(cause)));
        }
        match how {
            BranchEnd::Suspend => {
                self.suspended += 1;
                (Association::Suspended, Ok(()))
            }
            BranchEnd::Migrate => {
                self.migrating += 1;
                (Association::None, Ok(()))
            }
            BranchEnd::Success | BranchEnd::Fail => (Association::None, Ok(())),
        }
    }

    /// The connection of a thread is lost: what it was doing is not known to be whole.
    pub(crate) fn lose(&mut self, own: Association) {
        match own {
            Association::None => {}
            Association::Active => {
                self.active -= 1;
                self.doom(RollbackCause::ConnectionLost);
            }
            Association::Suspended => self.suspended -= 1,
        }
    }

    /// Checks that it may be prepared, or committed without that. One that must be rolled back is over then.
    pub(crate) fn check_whole(&self) -> Result<(), BranchRefusal> {
        match self.doomed {
            Some(cause) => Err(BranchRefusal::RolledBack(cause)),
            None if self.active + self.suspended + self.migrating > 0 => Err(BranchRefusal::Protocol),
            None => Ok(()),
        }
    }

    /// Checks that it may be rolled back; so does one in which work is suspended. One that must be is over
    /// then.
    pub(crate) fn check_back_out(&self) -> Result<(), BranchRefusal> {
        match self.doomed {
            Some(cause) => Err(BranchRefusal::RolledBack(cause)),
            None if self.active > 0 => Err(BranchRefusal::Protocol),
            None => Ok(()),
        }
    }
}
