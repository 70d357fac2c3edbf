//! A transaction manager as small as can be, for units of work that end by one: a log of its own, forced
//! before the commit.
//!
//! Lives here: the calls of one client on its branches, and its log. Lives elsewhere: what is put and got in
//! them (`one_way`), branches themselves (`queues::unit_of_work::branches`).
//!
//! Always: the log is laid out before it is measured, so that a decision is a forced write and nothing else.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context as _, Result};
use mqi::Verbs;
use mqi::branch::{BranchCommit, BranchEnd, BranchId, BranchPrepared, BranchRefusal, BranchStart, Branches};
use serde::{Deserialize, Serialize};

/// The end of a unit of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// The program commits it.
    #[default]
    Internal,
    /// It is a branch of a transaction manager, and is committed in one phase.
    OnePhase,
    /// It is a branch, and is prepared, decided and committed.
    TwoPhase,
    /// The program commits it and forces two writes of its own: the floor of two phases.
    Floor,
}

impl Ending {
    /// True if the program commits it, and that is all.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        *self == Self::Internal
    }

    /// The end in words, behind the units that have it.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Internal => "",
            Self::OnePhase => " of a coordinator, one-phase",
            Self::TwoPhase => " of a coordinator, two-phase",
            Self::Floor => " and two forced writes",
        }
    }
}

/// Bytes of a log, over which it goes round, and of a decision in it.
const LOG_BYTES: usize = 1 << 20;
const DECISION_BYTES: u64 = 512;

/// Numbers of transactions of this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The coordinator of the units of work of one client.
pub(crate) struct Coordinator {
    ending: Ending,
    log: Option<Log>,
    within: Option<BranchId>,
}

struct Log {
    path: PathBuf,
    file: File,
    decisions: u64,
}

impl Log {
    fn lay_out() -> Result<Self> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("ferry-coordinator-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let file = File::create_new(&path).with_context(|| path.display().to_string())?;
        let log = Self { path, file, decisions: 0 };
        log.file.write_all_at(&vec![0; LOG_BYTES], 0)?;
        log.file.sync_all()?;
        Ok(log)
    }

    /// Forces a write.
    fn force(&mut self) -> Result<()> {
        let place = self.decisions * DECISION_BYTES % LOG_BYTES as u64;
        self.decisions += 1;
        self.file.write_all_at(&self.decisions.to_le_bytes(), place)?;
        self.file.sync_data().context("the log of the coordinator")
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        // It is in the folder for such things.
        let _left = std::fs::remove_file(&self.path);
    }
}

impl Coordinator {
    pub(crate) fn of(ending: Ending) -> Result<Self> {
        let forces = matches!(ending, Ending::TwoPhase | Ending::Floor);
        Ok(Self { ending, log: forces.then(Log::lay_out).transpose()?, within: None })
    }

    /// Begins a unit of work.
    pub(crate) fn begin(&mut self, verbs: &mut dyn Verbs) -> Result<()> {
        if !matches!(self.ending, Ending::OnePhase | Ending::TwoPhase) {
            return Ok(());
        }
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let global = [u64::from(std::process::id()).to_be_bytes(), number.to_be_bytes()].concat();
        let branch = BranchId::new(1, &global, b"1")?;
        on_branches(verbs, |branches| branches.start_branch(&branch, BranchStart::New))?;
        self.within = Some(branch);
        Ok(())
    }

    /// Makes the unit of work stand.
    pub(crate) fn commit(&mut self, verbs: &mut dyn Verbs) -> Result<()> {
        let Some(branch) = self.within.take() else {
            verbs.commit()?;
            if let Some(log) = &mut self.log {
                // Those of the preparation and of the decision.
                log.force()?;
                log.force()?;
            }
            return Ok(());
        };
        on_branches(verbs, |branches| branches.end_branch(&branch, BranchEnd::Success))?;
        let Some(log) = &mut self.log else {
            return on_branches(verbs, |branches| branches.commit_branch(&branch, BranchCommit::OnePhase));
        };
        if on_branches(verbs, |branches| branches.prepare_branch(&branch))? == BranchPrepared::ReadOnly {
            return Ok(());
        }
        log.force()?;
        on_branches(verbs, |branches| branches.commit_branch(&branch, BranchCommit::TwoPhase))
    }

    /// Ends a unit of work in which nothing was done.
    pub(crate) fn leave(&mut self, verbs: &mut dyn Verbs) -> Result<()> {
        let Some(branch) = self.within.take() else { return Ok(()) };
        on_branches(verbs, |branches| branches.end_branch(&branch, BranchEnd::Success))?;
        on_branches(verbs, |branches| branches.back_out_branch(&branch))
    }
}

/// Makes a call on branches.
fn on_branches<T>(
    verbs: &mut dyn Verbs,
    mut call: impl FnMut(&mut dyn Branches) -> Result<T, BranchRefusal>,
) -> Result<T> {
    let mut answer = Err(BranchRefusal::Lost);
    verbs.on_branches(&mut |branches| answer = call(branches))?;
    answer.context("a call on a branch")
}
