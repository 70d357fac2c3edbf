//! `ferry manual`: the manual pages of all commands, which packages install.

use std::path::PathBuf;

use clap::Args;
use terminal::failure::{Exit, Failure, Result};

/// The folder to write them to.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folder that is there
    #[arg(long, value_name = "DIRECTORY")]
    to: PathBuf,
}

/// Writes a page for each command below this one.
pub(crate) fn run(arguments: &Arguments, command: clap::Command) -> Result<()> {
    clap_mangen::generate_to(command, &arguments.to).map_err(|error| {
        let what = format!("cannot write the manual pages to {}: {error}", arguments.to.display());
        Failure::new(Exit::Failed, what).next("name a folder that is there and can be written to")
    })
}
