//! `ferry bench` and `ferry report`: commands of the program `ferry-bench`, which `ferry` hands over to.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use anyhow::Context as _;
use clap::Args;

use terminal::failure::{Exit, Failure, Result};

/// The program that measures.
const PROGRAM: &str = "ferry-bench";

/// Arguments that only `ferry-bench` reads.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct MeasurementArguments {
    /// Arguments of ferry-bench; --help shows them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

/// Becomes `ferry-bench`, beside this program, with the arguments of this one.
pub(crate) fn run() -> Result<()> {
    let ferry = std::env::current_exe().context("cannot find the file of this program")?;
    let program = ferry.with_file_name(PROGRAM);
    let error = Command::new(&program).args(std::env::args_os().skip(1)).exec();
    Err(match error.kind() {
        ErrorKind::NotFound => Failure::new(
            Exit::NotFound,
            format!("measuring needs {PROGRAM}, which is not at {}", program.display()),
        )
        .next("take it from the archive of the release, or build it: cargo build --release -p ferry-bench"),
        _ => Failure::new(Exit::Failed, format!("cannot run {}: {error}", program.display())),
    })
}
