//! The program that measures queue managers: `ferry bench` and `ferry report` run it.
//!
//! Lives here: the options of each bench (`bench`, `size`) and of the report (`report`, its requirements
//! `rows`). Lives elsewhere: the workloads (`perf`), the queue manager that is measured (`ferry`, beside this
//! program), the parts it has in common with `ferry` (`terminal`).
//!
//! Always: it runs no queue manager but for a measurement; a machine that only runs queue managers does not
//! need it.

// These panic where the stream takes nothing; `output` has what does not.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod bench;
mod report;
mod rows;
mod size;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use terminal::common::Common;
use terminal::failure;

/// Measures queue managers, and writes reports of it.
#[derive(Debug, Parser)]
#[command(
    name = "ferry",
    display_name = "ferry-bench",
    version,
    propagate_version = false,
    disable_help_subcommand = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
struct Arguments {
    /// Options of every command.
    #[command(flatten)]
    common: Common,
    /// The command.
    #[command(subcommand)]
    command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
enum Command {
    /// Measure: request/reply, get by correlation identifier, restart, calls in one process
    #[command(subcommand)]
    Bench(bench::Command),
    /// Measure the tables and charts of published reports again, and write a page with ours beside theirs
    Report(report::ReportArguments),
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::report_usage(&error),
    };
    let common = arguments.common.with_environment();
    let done = match &arguments.command {
        Command::Bench(command) => bench::run(&common, command),
        Command::Report(arguments) => report::run(&common, arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(common.output),
    }
}
