//! Calls that fail by plan.

use std::io;

use rustix::io::Errno;

use super::OperationKind;

/// Kind of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// EIO. Of a write or flush, any part of the bytes may have reached the medium; none will be tried again.
    InputOutput,
    /// ENOSPC.
    NoSpace,
    /// EDQUOT.
    Quota,
    /// EMFILE.
    TooManyFiles,
    /// EINTR, where the caller gets to see it.
    Interrupted,
    /// Half of the bytes are written, then the device reports an error; other calls just fail with EIO.
    Short,
    /// EROFS, as of a file system that the kernel turned read-only: it does not pass.
    ReadOnly,
}

impl Failure {
    /// All that may happen to one call.
    pub const ALL: [Self; 6] =
        [Self::InputOutput, Self::NoSpace, Self::Quota, Self::TooManyFiles, Self::Interrupted, Self::Short];

    pub(super) fn error(self) -> io::Error {
        match self {
            Self::InputOutput | Self::Short => Errno::IO,
            Self::NoSpace => Errno::NOSPC,
            Self::Quota => Errno::DQUOT,
            Self::TooManyFiles => Errno::MFILE,
            Self::Interrupted => Errno::INTR,
            Self::ReadOnly => Errno::ROFS,
        }
        .into()
    }
}

/// Frequency of a planned failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repeat {
    /// That call only.
    Once,
    /// That call and every later one of the kind.
    Sticky,
}

/// A planned failure: the `nth` call of a kind, counted from 1 since the plan was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The calls counted; `None` counts every call.
    pub kind: Option<OperationKind>,
    /// Number of the first of them that fails.
    pub nth: u64,
    /// Kind of failure.
    pub failure: Failure,
    /// Frequency of the failure.
    pub repeat: Repeat,
}

/// Planned failures with their counts.
#[derive(Clone, Debug, Default)]
pub(super) struct FaultPlan {
    faults: Vec<(Fault, u64)>,
    struck: u64,
}

impl FaultPlan {
    pub(super) fn add(&mut self, fault: Fault) {
        self.faults.push((fault, 0));
    }

    pub(super) fn clear(&mut self) {
        self.faults.clear();
    }

    /// Number of calls that failed by plan.
    pub(super) fn struck(&self) -> u64 {
        self.struck
    }

    /// Counts a call and tells whether it fails.
    pub(super) fn strike(&mut self, kind: OperationKind) -> Option<Failure> {
        let mut failure = None;
        for (fault, count) in &mut self.faults {
            if fault.kind.is_some_and(|wanted| wanted != kind) {
                continue;
            }
            *count += 1;
            let strikes = match fault.repeat {
                Repeat::Once => *count == fault.nth,
                Repeat::Sticky => *count >= fault.nth,
            };
            if strikes {
                failure = failure.or(Some(fault.failure));
            }
        }
        self.struck += u64::from(failure.is_some());
        failure
    }
}
