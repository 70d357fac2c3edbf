//! runmqsc and dmpmqcfg: definitions by command, and as commands.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use objects::ScriptSummary;

use super::channel_table::ChannelTable;
use super::indirect::{Form, Indirect};
use super::words::Typed;
use super::{Answer, Tool, Trouble, clients, common, forget_password};
use crate::commands::config;
use crate::commands::mqsc::{self, Commands, Source};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::output;

pub(super) const RUN: Tool = Tool {
    name: "runmqsc",
    usage: "[-e] [-v] [-f FILE] [-c [-u USER]] [-w SECONDS [-x] [-m QMGR]] [QMGR], or -n",
    options: &["e", "v", "f=", "c", "u=", "w=", "x", "m=", "n"],
    misuse: NOT_RUN,
    run,
};

pub(super) const DUMP: Tool = Tool {
    name: "dmpmqcfg",
    usage: "[-m QMGR] [-a] [-x all] [-n '*'] [-o mqsc] [-c]",
    options: &["m=", "a", "x=", "n=", "o=", "c"],
    misuse: NOT_RUN,
    run: dump,
};

/// Some commands were refused, or no commands at all.
const SOME_FAILED: u8 = 10;
/// Nothing was run.
const NOT_RUN: u8 = 20;

/// How long answers may be waited for.
const SECONDS: RangeInclusive<u64> = 1..=999_999;

fn run(typed: &Typed) -> Answer {
    let name = typed.only_word().map_err(|problem| Trouble::new(NOT_RUN, problem))?;
    if typed.has("n") {
        if !typed.has_only("n") {
            return Err(Trouble::new(
                NOT_RUN,
                "-n connects to no queue manager, so nothing else goes with it",
            ));
        }
        let mut table = ChannelTable::of_environment().map_err(Trouble::of(NOT_RUN))?;
        return run_by(typed, &mut table);
    }
    if typed.has("v") {
        let source = source(typed)?;
        return script(typed, |echo| mqsc::check_script(source, echo));
    }
    let indirectly = indirectly(typed)?;
    let common = common(if indirectly.is_some() { typed.value("m") } else { name });
    let mut session = if typed.has("c") { by_client(&common, typed)? } else { session(&common)? };
    let Some((form, wait)) = indirectly else {
        let code = run_by(typed, &mut session)?;
        session.disconnect().map_err(Trouble::of(NOT_RUN))?;
        return Ok(code);
    };
    let target = name.map(connect::parse_queue_manager_name).transpose().map_err(Trouble::of(NOT_RUN))?;
    let mut indirect = Indirect::open(session, target, form, wait).map_err(Trouble::of(NOT_RUN))?;
    let code = run_by(typed, &mut indirect)?;
    let late = indirect.end().map_err(Trouble::of(NOT_RUN))?;
    if !late.is_empty() {
        output::print_line(late.trim_end())?;
    }
    Ok(code)
}

/// How commands are put on a command queue and how long their answers are waited for, if they are to be.
fn indirectly(typed: &Typed) -> Result<Option<(Form, Duration)>, Trouble> {
    let refused = |words: String| Err(Trouble::new(NOT_RUN, words));
    let Some(seconds) = typed.value("w") else {
        return match ["x", "m"].into_iter().find(|option| typed.has(option)) {
            Some(option) => {
                refused(format!("-{option} goes with -w SECONDS, which has commands put on a command queue"))
            }
            None => Ok(None),
        };
    };
    let form = if typed.has("x") { Form::Text } else { Form::Escape };
    match seconds.parse() {
        Ok(seconds) if SECONDS.contains(&seconds) => Ok(Some((form, Duration::from_secs(seconds)))),
        _ => refused(format!(
            "-w {seconds} is no number of seconds from {} to {}",
            SECONDS.start(),
            SECONDS.end()
        )),
    }
}

/// Runs what is typed by hand, or a script.
fn run_by(typed: &Typed, commands: &mut dyn Commands) -> Answer {
    if typed.value("f").is_none() && io::stdin().is_terminal() {
        mqsc::shell::run(commands).map_err(Trouble::of(NOT_RUN))?;
        return Ok(super::ended::OK);
    }
    let source = source(typed)?;
    output::print_line(format!("Starting MQSC for {}.\n\n", commands.described()))?;
    script(typed, |echo| mqsc::run_script(source, echo, commands))
}

fn session(common: &Common) -> Result<Session, Trouble> {
    connect::session(common).map_err(Trouble::of(NOT_RUN))
}

/// Runs a script, and tells what became of it in the words that other scripts look for.
fn script(typed: &Typed, run: impl FnOnce(bool) -> terminal::failure::Result<ScriptSummary>) -> Answer {
    let summary = run(!typed.has("e")).map_err(Trouble::of(NOT_RUN))?;
    output::print_line(told(&summary).trim_end())?;
    Ok(if summary.is_ok() { super::ended::OK } else { SOME_FAILED })
}

fn told(summary: &ScriptSummary) -> String {
    let count = |count: usize, none: &str| match count {
        0 => format!("{none} MQSC commands"),
        1 => "One MQSC command".to_owned(),
        count => format!("{count} MQSC commands"),
    };
    let mut text = format!("{} read.\n", count(summary.read, "No"));
    // Writing to a String does not fail.
    let _ = match summary.syntax_errors {
        0 => writeln!(text, "No commands have a syntax error."),
        1 => writeln!(text, "One command has a syntax error."),
        several => writeln!(text, "{several} commands have a syntax error."),
    };
    let _ = match summary.failed {
        0 => writeln!(text, "All valid MQSC commands were processed."),
        failed => writeln!(text, "{} cannot be processed.", count(failed, "No")),
    };
    text
}

/// What to run.
fn source(typed: &Typed) -> Result<Source, Trouble> {
    match typed.value("f") {
        Some(path) => Source::open(Path::new(path)).map_err(Trouble::of(NOT_RUN)),
        None => Ok(Source::standard_input()),
    }
}

/// Connects as a client, to what the environment names.
fn by_client(common: &Common, typed: &Typed) -> Result<Session, Trouble> {
    if typed.has("u") || typed.value("u").is_some() {
        // The password is asked for before anything else, and is the first line where nobody is asked.
        io::stderr().flush()?;
        forget_password("-u")?;
    }
    let mut refused = None;
    for place in clients::places(common).map_err(|problem| Trouble::new(NOT_RUN, problem))? {
        match session(&place) {
            Ok(session) => return Ok(session),
            Err(trouble) => refused = Some(trouble),
        }
    }
    Err(refused.unwrap_or_else(|| Trouble::new(NOT_RUN, "no host to connect to is named")))
}

fn dump(typed: &Typed) -> Answer {
    let refused = |words: String| Err(Trouble::new(NOT_RUN, words));
    if let Some(word) = typed.rest.first() {
        return refused(format!("what is {word}? A queue manager is named by -m"));
    }
    for (option, only) in [("x", "all"), ("n", "*"), ("o", "mqsc")] {
        if let Some(value) = typed.value(option).filter(|value| !value.eq_ignore_ascii_case(only)) {
            return refused(format!("-{option} {value} is not there; all definitions are dumped, as MQSC"));
        }
    }
    let common = common(typed.value("m"));
    let mut session = if typed.has("c") { by_client(&common, typed)? } else { session(&common)? };
    let script = config::script_of(&mut session).map_err(Trouble::of(NOT_RUN))?;
    session.disconnect().map_err(Trouble::of(NOT_RUN))?;
    output::print_line(script.trim_end())?;
    Ok(super::ended::OK)
}
