//! Options of `ferry bench size`: the disk that the recovery log needs for a rate of messages.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use terminal::units;

/// Options of `bench size`.
#[derive(Debug, Args)]
pub(crate) struct SizeArguments {
    /// Messages put a second by the application without persistence, each of which is got [default: as many
    /// as the threads reach here]
    #[arg(long, value_name = "MESSAGES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) rate: Option<u32>,
    /// Bytes of a message
    #[arg(short, long, value_parser = units::parse_bytes, default_value = "1000", value_name = "BYTES")]
    pub(crate) size: u64,
    /// Threads that put, and then threads that get, each with a connection of its own
    #[arg(long, default_value_t = 16, value_name = "THREADS")]
    pub(crate) threads: usize,
    /// Messages in one unit of work
    #[arg(short, long, value_name = "MESSAGES", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unit: Option<u32>,
    /// Directory whose disk is measured [default: that for temporary files, where the bench's own log is]
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) directory: Option<PathBuf>,
    /// Time before each measurement
    #[arg(long, value_parser = units::parse_duration, value_name = "TIME", default_value = "1s")]
    pub(crate) warm_up: Duration,
    /// Time of each measurement
    #[arg(short, long, value_parser = units::parse_duration, value_name = "TIME", default_value = "5s")]
    pub(crate) time: Duration,
    /// Repetitions
    #[arg(short, long, value_name = "TIMES", default_value_t = 3)]
    pub(crate) repeat: usize,
    /// Keep every run in this directory, as a line of JSON in size.jsonl
    #[arg(long, value_name = "DIRECTORY")]
    pub(crate) results: Option<PathBuf>,
}
