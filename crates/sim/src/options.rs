//! Options that several programs have.

use std::path::PathBuf;

use anyhow::Result;
use testing::results::{Line, add};

/// Options common to the programs that run threads in many orders: the first seed, the duration, and the
/// place of the results.
#[derive(Clone, Debug, clap::Args)]
pub struct Run {
    /// The first seed.
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Begin nothing after so much time.
    #[arg(long)]
    pub minutes: Option<f64>,
    /// Add a line for each figure or layer to this file.
    #[arg(long)]
    pub results: Option<PathBuf>,
    /// Commit to record there.
    #[arg(long, default_value = "unknown")]
    pub commit: String,
}

impl Run {
    /// Adds a line for so many cases and failures, if there is a file.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn keep(&self, id: &str, cases: u64, failures: u64, seconds: f64) -> Result<()> {
        let Self { seed, results, commit, .. } = self;
        match results {
            Some(path) => add(path, &Line { id, seed: *seed, cases, failures, seconds, commit }),
            None => Ok(()),
        }
    }
}
