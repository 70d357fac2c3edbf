//! Workload files: one for each table or chart, with the points that are measured for it.
//!
//! A file names a bench, its fixed settings and its varying ones. Each `[[vary]]` table holds lists of one
//! length that advance together; several tables multiply. A workload that the product cannot run yet says
//! `not-yet` and why, so that the list of tables is whole and a missing one is seen to be missing.
//!
//! Lives here: the files that come with the program, their form (`file`), running one (`campaign`), its
//! expected time (`expected`), its runs in a file (`kept`), and its claims about the results (`claim`).

mod campaign;
mod claim;
mod expected;
mod file;
mod kept;
#[cfg(test)]
mod tests;

use anyhow::{Context as _, Result};
use server::bounded_input;
use std::path::Path;

pub(crate) use campaign::quick_time;
pub use campaign::{Campaign, Options};
pub(crate) use expected::about;
pub use file::{Variant, Workload, WorkloadFile};

macro_rules! built_in {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../perf/workloads/", $name, ".toml")))
    };
}
/// Name and text of every file that comes with the program.
const BUILT_IN: &[(&str, &str)] = &[
    built_in!("s1-transactional-by-size"),
    built_in!("s1-transactional-grid"),
    built_in!("s1-persistent-grid"),
    built_in!("s1-preloaded"),
    built_in!("s1-preloaded-deep"),
    built_in!("s2-compression"),
    built_in!("s2-non-persistent-by-size"),
    built_in!("s2-non-persistent-by-clients"),
    built_in!("s2-ten-queues"),
    built_in!("s2-between-queue-managers"),
    built_in!("s2-jms"),
    built_in!("s2-persistent-by-size"),
    built_in!("s2-persistent-by-clients"),
    built_in!("s2-log-devices"),
    built_in!("s2-tls"),
    built_in!("s3-null-publish"),
    built_in!("s3-fan-out"),
    built_in!("s3-local-and-remote-subscribers"),
    built_in!("s3-triplets"),
    built_in!("s3-topic-objects"),
    built_in!("s3-rated-triplets"),
    built_in!("s3-jms-fan-out"),
    built_in!("s3-jms-triplets"),
    built_in!("s3-clusters"),
    built_in!("s4-express"),
    built_in!("s4-recoverable"),
    built_in!("s4-transactional"),
    built_in!("s4-recoverable-by-threads"),
    built_in!("s4-networked"),
    built_in!("s4-networked-transactional"),
    built_in!("s4-external-transactions"),
    built_in!("s5-bridge"),
    built_in!("cost-by-depth"),
    built_in!("cost-by-connections"),
    built_in!("cost-by-log-place"),
    built_in!("cost-by-time"),
    built_in!("beside-persistent"),
    built_in!("beside-non-persistent"),
    built_in!("one-client-persistent"),
    built_in!("messages-a-force"),
    built_in!("target-request-reply"),
    built_in!("target-publish"),
    built_in!("target-fan-out"),
];

/// The files that come with the program, in the order of the reports.
///
/// # Errors
/// When one of them is wrong.
pub fn all() -> Result<Vec<WorkloadFile>> {
    BUILT_IN.iter().map(|(name, text)| WorkloadFile::parse(name, text)).collect()
}

/// Most bytes of a file: a hundred times those that come with the program.
const FILE_BYTES_MAX: usize = 1 << 20;

/// A file of this name that comes with the program, or the file at this path.
///
/// # Errors
/// When there is none, or it is wrong.
pub fn find(name: &str) -> Result<WorkloadFile> {
    if let Some((name, text)) = BUILT_IN.iter().find(|(built_in, _)| *built_in == name) {
        return WorkloadFile::parse(name, text);
    }
    let path = Path::new(name);
    let text = bounded_input::read_text(path, "workload file", FILE_BYTES_MAX).with_context(|| {
        format!("no workload is called \"{name}\", as `ferry bench list` shows, and the file {name} cannot be read")
    })?;
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy();
    WorkloadFile::parse(&name, &text)
}
