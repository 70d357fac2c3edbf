//! The ferry command: every task of a person at a terminal, one verb each.
//!
//! Lives here: `arguments` (what can be typed), `commands` (one file for each), `familiar` (some of it under
//! the names of other commands). Lives elsewhere: the queue manager that is meant, errors and output
//! (`terminal`), the verbs (`client`), the server (`server`), measuring (`ferry-bench`).
//!
//! Always: results go to standard output, everything else to standard error; the exit code is one of six.

// These panic where the stream takes nothing; `output` has what does not.
#![warn(clippy::print_stderr, clippy::print_stdout)]

mod arguments;
mod body_summary;
mod bounded_input;
mod clock;
mod columns;
mod command_line;
mod command_queue;
mod commands;
mod content;
mod event;
mod examples;
mod exported;
mod familiar;
mod identifier;
mod interrupt;
mod lines;
mod message;
mod naming;
mod own_folder;
mod ports;
mod progress;
mod proposals;
mod stores;
mod text;
mod version;

use std::process::ExitCode;

use clap::Parser as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use terminal::next_step::PlaceOptions;
use terminal::{contexts, failure, output};

use crate::arguments::Arguments;

fn main() -> ExitCode {
    if let Some(tool) = std::env::args_os().next().and_then(|program| familiar::called(&program)) {
        let arguments: Vec<String> =
            std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned()).collect();
        return familiar::run(tool, &arguments);
    }
    let words: Vec<_> = std::env::args_os().skip(1).collect();
    if version::is_asked_for(&words) {
        return match version::print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure::Failure::from(error).report(output::Format::Table),
        };
    }
    let typed: Vec<_> = std::env::args_os().collect();
    let arguments = match naming::parse(&typed) {
        Ok(arguments) => arguments,
        Err(error) => {
            let unknown = match error.get(ContextKind::InvalidSubcommand) {
                Some(ContextValue::String(word)) => Some(word.clone()),
                _ => None,
            };
            let is_no_command = error.kind() == ErrorKind::InvalidSubcommand;
            let code = failure::report_usage(&harmless(error));
            let words: Vec<String> =
                std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
            let at = words.iter().position(|word| Some(word) == unknown.as_ref()).unwrap_or(0);
            if let Some(next) = proposals::proposal(&words[at..]).filter(|_| is_no_command) {
                output::say(format!("  next: {}", next.at(&options_of(&words, at))));
            }
            return code;
        }
    };
    let format = arguments.common.output;
    match commands::run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.at(&contexts::options(&arguments.common.with_environment())).report(format),
    }
}

/// The options beside a word that is no command, as far as they are options.
fn options_of(words: &[String], unknown: usize) -> PlaceOptions {
    let before = words.iter().take(unknown);
    let after = words.iter().skip(unknown).skip_while(|word| !word.starts_with('-'));
    let typed = before.clone().chain(after);
    let parsed = |options: Vec<&String>| {
        let words = ["ferry", "list"].into_iter().chain(options.into_iter().map(String::as_str));
        Arguments::try_parse_from(words).ok().map(|arguments| arguments.common.with_environment().typed)
    };
    parsed(typed.collect()).or_else(|| parsed(before.collect())).unwrap_or_default()
}

/// Makes the fault of the arguments again, in terms that a terminal shows as they are.
fn harmless(error: clap::Error) -> clap::Error {
    let arguments =
        std::env::args_os().map(|argument| output::harmless(&argument.to_string_lossy()).into_owned().into());
    naming::parse(&arguments.collect::<Vec<_>>()).err().unwrap_or(error)
}
