//! Running what a page is made of: the workloads of all reports or of one, each once.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;

use crate::progress::{self, Bar};
use crate::workloads::{self, WorkloadFile};

/// Of what a page is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// All reports, by the first, middle and last point along each list.
    Quick,
    /// All reports, by every point.
    Full,
    /// One report, by every point.
    Report(String),
}

impl Scope {
    /// The report, where it is one.
    pub(super) fn report(&self) -> Option<&str> {
        match self {
            Self::Report(name) => Some(name),
            Self::Quick | Self::Full => None,
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Quick => "quick",
            Self::Full => "full",
            Self::Report(name) => name,
        })
    }
}

/// The workloads of a page being run.
#[derive(Debug)]
pub struct Campaign<'a> {
    files: Vec<WorkloadFile>,
    options: &'a workloads::Options,
}

impl<'a> Campaign<'a> {
    /// What is to be run for this scope.
    ///
    /// # Errors
    /// When there is no such report, or a file of its own is wrong.
    pub fn new(scope: &Scope, options: &'a workloads::Options) -> Result<Self> {
        let mut wanted: Vec<String> = Vec::new();
        for exhibit in super::reports(scope)?.into_iter().flat_map(|report| report.exhibits) {
            for workload in exhibit.workloads {
                if !wanted.contains(&workload) {
                    wanted.push(workload);
                }
            }
        }
        let mut files = Vec::new();
        for name in wanted {
            let file = workloads::find(&name)?;
            if file.not_yet().is_none() && (*scope != Scope::Quick || file.is_quick()) {
                files.push(file);
            }
        }
        Ok(Self { files, options })
    }

    /// Runs them one after the other, less when `interrupt` is set; every run is kept as it ends. One that fails is
    /// left where it fails, and the others are run.
    ///
    /// # Errors
    /// When a queue manager did not start, a client failed, or a message was missing; the first of them.
    pub fn run(&self, interrupt: &AtomicBool) -> Result<()> {
        let mut failure = None;
        let bar = Bar::of(self.files.len() as u64, "workloads");
        for (index, file) in self.files.iter().enumerate() {
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
            bar.done(index as u64);
            bar.name(&file.name);
            progress::say(&format!("{} of {}: {}", index + 1, self.files.len(), file.title()));
            if let Err(error) = workloads::Campaign::new(file, self.options)?.run(interrupt) {
                progress::say(&format!("{error:#}"));
                failure = failure.or(Some(error));
            }
        }
        failure.map_or(Ok(()), Err)
    }
}
