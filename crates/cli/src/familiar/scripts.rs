//! runmqsc and dmpmqcfg: definitions by command, and as commands.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use client::CommandResponse;
use mqi::NamePattern;
use objects::configuration::dump::{Dump, Layout, Records};
use objects::{Family, ObjectType, ScriptSummary};

use super::channel_table::ChannelTable;
use super::clients;
use super::tool::{Answer, Tool, Trouble, as_user, common};
use super::words::Typed;
use crate::command_queue::{CommandQueue, Form};
use crate::commands::config;
use crate::commands::mqsc::{self, Commands, ScriptSource};
use crate::commands::names::{self, Finder};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::Failure;
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
    usage: "[-m QMGR] [-a] [-t TYPE] [-n NAME] [-x all|object|sub|authrec|chlauth|policy] [-o mqsc|1line|2line] [-z] \
            [-c [default | 'DEFINE CHANNEL(…) CHLTYPE(CLNTCONN) CONNAME(…)'] [-u USER]]",
    options: &["m=", "a", "t=", "x=", "n=", "o=", "z", "c", "u="],
    misuse: NOT_RUN,
    run: dump,
};

/// Some commands were refused, or no commands at all.
const SOME_FAILED: u8 = 10;
/// Nothing was run.
const NOT_RUN: u8 = super::tool::ended::NOT_RUN;

/// Seconds allowed as the wait for answers.
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
        return run_by(typed, &mut table, names::none());
    }
    if typed.has("v") {
        // The line of the password is no statement.
        as_typed_user(common(name), typed)?;
        let source = source(typed)?;
        return script(typed, |echo| mqsc::check_script(source, echo));
    }
    let indirectly = indirectly(typed)?;
    let common = as_typed_user(common(if indirectly.is_some() { typed.value("m") } else { name }), typed)?;
    let mut session = if typed.has("c") { by_client(&common, None)? } else { session(&common)? };
    let Some((form, wait)) = indirectly else {
        // As a client of MQSERVER it may be another queue manager than the one of this name here.
        let finder = if typed.has("c") { names::none() } else { names::finder(&common) };
        let code = run_by(typed, &mut session, finder)?;
        session.disconnect().map_err(Trouble::of(NOT_RUN))?;
        return Ok(code);
    };
    let target = name.map(connect::parse_queue_manager_name).transpose().map_err(Trouble::of(NOT_RUN))?;
    let mut indirect = CommandQueue::open(session, target, form, wait).map_err(Trouble::of(NOT_RUN))?;
    let code = run_by(typed, &mut indirect, names::none())?;
    let late = indirect.end().map_err(Trouble::of(NOT_RUN))?;
    if !late.is_empty() {
        output::print_line(late.trim_end())?;
    }
    Ok(code)
}

impl Commands for CommandQueue {
    fn queue_manager(&self) -> &str {
        self.target.as_str()
    }

    /// Another kind of queue manager has commands that ours do not know.
    fn takes_only_ours(&self) -> bool {
        self.form == Form::Escape
    }

    fn command(&mut self, mqsc: &str) -> terminal::failure::Result<CommandResponse> {
        let outcome = self.run(mqsc);
        outcome.map_err(|reason| Failure::of_call(format!("{} cannot be asked", self.target), reason))
    }
}

/// Returns the form of commands for a command queue, and the wait for their answers, if the commands go
/// there.
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

/// Runs statements that are typed by hand, or a script. `names` finds the names to complete.
fn run_by(typed: &Typed, commands: &mut dyn Commands, names: Finder) -> Answer {
    if typed.value("f").is_none() && io::stdin().is_terminal() {
        mqsc::shell::run(commands, names).map_err(Trouble::of(NOT_RUN))?;
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
        1 => writeln!(text, "One valid MQSC command could not be processed."),
        several => writeln!(text, "{several} valid MQSC commands could not be processed."),
    };
    text
}

/// Opens the commands to run.
fn source(typed: &Typed) -> Result<ScriptSource, Trouble> {
    match typed.value("f") {
        Some(path) => ScriptSource::open(Path::new(path)).map_err(Trouble::of(NOT_RUN)),
        None => Ok(ScriptSource::standard_input()),
    }
}

/// The options with the user that `-u` names and its password, which is the first line of standard input.
fn as_typed_user(common: Common, typed: &Typed) -> Result<Common, Trouble> {
    let Some(user) = typed.value("u") else { return Ok(common) };
    as_user(common, user, &format!("Password of {user}: ")).map_err(Trouble::of(NOT_RUN))
}

/// Connects as a client, to what the environment names or a definition of a channel says.
fn by_client(common: &Common, definition: Option<&str>) -> Result<Session, Trouble> {
    let mut refused = None;
    let places = match definition {
        Some(definition) => clients::places_of(common, definition),
        None => clients::places(common),
    };
    for place in places.map_err(|problem| Trouble::new(NOT_RUN, problem))? {
        match session(&place) {
            Ok(session) => return Ok(session),
            Err(trouble) => refused = Some(trouble),
        }
    }
    Err(refused.unwrap_or_else(|| Trouble::new(NOT_RUN, "no host to connect to is named")))
}

fn dump(typed: &Typed) -> Answer {
    let refused = |words: String| Trouble::new(NOT_RUN, words);
    // Scripts write `-a all` too.
    let words: Vec<&str> = typed.rest.iter().map(String::as_str).collect();
    let words = match words.as_slice() {
        [first, rest @ ..] if typed.has("a") && first.eq_ignore_ascii_case("all") => rest,
        all => all,
    };
    let definition = match words {
        [] => None,
        [word] if typed.has("c") => Some(*word).filter(|word| !word.eq_ignore_ascii_case("default")),
        [word, ..] => return Err(refused(format!("what is {word}? A queue manager is named by -m"))),
    };
    let chosen = chosen(typed).map_err(refused)?;
    let common = as_typed_user(common(typed.value("m")), typed)?;
    let mut session = if typed.has("c") { by_client(&common, definition)? } else { session(&common)? };
    let configuration = config::present(&mut session).map_err(Trouble::of(NOT_RUN))?;
    let heading =
        format!("Made by dmpmqcfg of the definitions of queue manager {}.", session.queue_manager());
    session.disconnect().map_err(Trouble::of(NOT_RUN))?;
    match chosen {
        Some(dump) => output::print_line(configuration.dump(&Dump { heading, ..dump }).trim_end())?,
        None => output::print_line(format!("* {heading}\n* There are no records of this kind."))?,
    }
    Ok(super::ended::OK)
}

/// Other words for the types of objects.
const TYPE_WORDS: [(&str, &str); 8] = [
    ("CHL", "CHANNEL"),
    ("LSTR", "LISTENER"),
    ("NL", "NAMELIST"),
    ("PRCS", "PROCESS"),
    ("Q", "QUEUE"),
    ("SRVC", "SERVICE"),
    ("TOP", "TOPIC"),
    ("SUBSCRIPTION", "SUB"),
];

/// The definitions that the options choose, and their form; none for records of which there are none.
fn chosen(typed: &Typed) -> Result<Option<Dump>, String> {
    let layout = match typed.value("o").map(str::to_ascii_lowercase).as_deref() {
        None | Some("mqsc") => Layout::AttributeALine,
        Some("1line") => Layout::OneLine,
        Some("2line") => Layout::TwoLines,
        Some(other) => return Err(format!("-o {other} is not there; -o mqsc, 1line and 2line are")),
    };
    let types = match typed.value("t").map(str::to_ascii_uppercase).as_deref() {
        None | Some("ALL") => Vec::new(),
        Some(word) => types_of(word).ok_or_else(|| {
            let families: Vec<&str> = Family::all().map(Family::keyword).collect();
            format!(
                "-t {word} is no type of object; the types are ALL, {} and those of queues and channels",
                families.join(", ")
            )
        })?,
    };
    let all_types = || if types.is_empty() { ObjectType::all().collect() } else { types.clone() };
    let of_types = |is_meant: &dyn Fn(ObjectType) -> bool| {
        all_types().into_iter().filter(|it| is_meant(*it)).collect::<Vec<_>>()
    };
    let is_subscription = |it| it == ObjectType::Subscription;
    // The records of channels belong to channels of every type.
    let has_rules = all_types().iter().any(|it| matches!(it.family(), Family::Channel | Family::ChannelRule));
    let rules = has_rules.then_some(ObjectType::ChannelRule);
    let (types, authorities) = match typed.value("x").map(str::to_ascii_lowercase).as_deref() {
        None | Some("all") if types.is_empty() => (types, Records::Included),
        None | Some("all") => (types.into_iter().chain(rules).collect(), Records::Included),
        Some("object") => {
            (of_types(&|it| !is_subscription(it) && it != ObjectType::ChannelRule), Records::LeftOut)
        }
        Some("sub") => (of_types(&is_subscription), Records::LeftOut),
        Some("authrec") => (types, Records::Alone),
        Some("chlauth") => (rules.into_iter().collect(), Records::LeftOut),
        Some("policy") => return Ok(None),
        Some(other) => {
            return Err(format!(
                "-x {other} is not there; all, object, sub, authrec, chlauth and policy are"
            ));
        }
    };
    // No type would stand for all of them.
    if types.is_empty() && authorities == Records::LeftOut {
        return Ok(None);
    }
    let names = match typed.value("n") {
        None | Some("*") => None,
        Some(text) => Some(text.parse::<NamePattern>().map_err(|error| format!("-n {text}: {error}"))?),
    };
    Ok(Some(Dump { types, names, authorities, all_attributes: typed.has("a"), layout, ..Dump::default() }))
}

/// The types that a word names: those of a family, or one.
fn types_of(word: &str) -> Option<Vec<ObjectType>> {
    let word = TYPE_WORDS.iter().find(|(other, _)| *other == word).map_or(word, |(_, word)| word);
    if let Some(family) = Family::from_keyword(word) {
        return Some(family.types().collect());
    }
    let keyword: Vec<ObjectType> = ObjectType::from_keyword(word).collect();
    let subtype = || ObjectType::all().filter(|found| found.subtype() == Some(word)).collect();
    let found: Vec<ObjectType> = if keyword.is_empty() { subtype() } else { keyword };
    (!found.is_empty()).then_some(found)
}
