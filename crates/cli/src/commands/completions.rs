//! `ferry completions`: the completion script of a shell.

use std::io::Write as _;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use terminal::failure::Result;
use terminal::output;

/// For which shell.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script, to be sourced.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut crate::arguments::Arguments::command(),
        "ferry",
        &mut script,
    );
    let mut output = output::standard();
    output.write_all(&script)?;
    Ok(output.flush()?)
}
