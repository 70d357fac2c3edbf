//! `ferry mqsc`: administration commands from arguments, a file, standard input, or typed one by one.
//!
//! Always: a statement with a syntax error is not sent; a wrong one does not hide the rest; the exit code
//! says whether all went well.

mod completion;
mod history;
pub(crate) mod shell;
mod source;

use std::io::{self, IsTerminal as _, Write};
use std::path::PathBuf;

use clap::Args;
use objects::ScriptSummary;
use objects::mqsc::{self, Statement};
use objects::secrets::signed;
use serde_json::json;

use super::pages;
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
use terminal::next_step::PlaceOptions;
use terminal::output::{self, Format, Output, harmless_lines, in_shell};

use super::names;
pub(crate) use super::pages::Commands;
pub(crate) use source::ScriptSource;

/// Commands, and their queue manager.
#[derive(Debug, Args)]
pub(crate) struct MqscArguments {
    /// Queue manager; not needed when there is only one
    #[arg(value_name = "QM")]
    name: Option<String>,
    /// Words that belong behind -e.
    #[arg(hide = true)]
    words: Vec<String>,
    /// Run this text (may be repeated; statements are separated by ;)
    #[arg(short, long = "execute", value_name = "MQSC")]
    execute: Vec<String>,
    /// Run the statements of a file; - is standard input
    #[arg(short, long, value_name = "FILE", conflicts_with = "execute")]
    file: Option<PathBuf>,
    /// Only check the syntax; no queue manager is needed
    #[arg(long)]
    check: bool,
}

/// Runs the commands.
pub(crate) fn run(common: &Common, arguments: &MqscArguments) -> Result<()> {
    if let Some(refused) = misplaced(arguments) {
        return Err(refused);
    }
    let common = common.named(arguments.name.as_deref())?;
    let Some((source, echo)) = source(arguments)? else {
        return shell::run(&mut connect::session(&common)?, names::finder(&common));
    };
    let mut script = Script::new(common.output, echo);
    if !echo && common.output == Format::Table {
        script.advises = Some(common.typed.clone());
    }
    if arguments.check {
        script.check(source)?;
    } else {
        let mut session = connect::session(&common)?;
        script.run(source, &mut session)?;
        session.disconnect()?;
    }
    script.end()
}

/// Commands that a name could be the first word of.
const VERBS: [&str; 14] = [
    "ALTER", "ARCHIVE", "CLEAR", "DEFINE", "DELETE", "DISPLAY", "MOVE", "PING", "RECOVER", "REFRESH",
    "RESET", "SET", "START", "STOP",
];

/// The refusal of a command that is not behind -e, with the way to run it.
fn misplaced(arguments: &MqscArguments) -> Option<Failure> {
    let MqscArguments { name: Some(name), words, .. } = arguments else { return None };
    let first = name.split([' ', '(']).next().unwrap_or_default();
    let is_verb = VERBS.iter().chain(&["DEF", "DIS"]).any(|verb| verb.eq_ignore_ascii_case(first));
    let is_command = name.contains([' ', '(']) || is_verb && !words.is_empty();
    if words.is_empty() && !is_command {
        return None;
    }
    let (what, next) = if is_command {
        let whole = std::iter::once(name).chain(words).map(String::as_str).collect::<Vec<_>>().join(" ");
        let what = format!("\"{name}\" is in the place of a queue manager's name");
        (what, next_step!("ferry mqsc -e {} runs it as a command", in_shell(&whole)))
    } else {
        let whole = words.join(" ");
        let next = next_step!("ferry mqsc {} -e {} runs it as a command", in_shell(name), in_shell(&whole));
        (format!("\"{whole}\" is a command without -e before it"), next)
    };
    Some(Failure::usage(what).next(next))
}

/// Runs a script for a person, its statements printed too where that is wanted; what became of them. A
/// DISPLAY that finds nothing has failed.
pub(crate) fn run_script(
    source: ScriptSource,
    echo: bool,
    session: &mut dyn Commands,
) -> Result<ScriptSummary> {
    let script = Script::new(Format::Table, echo);
    let mut script = Script { finding_nothing: FindingNothing::Fails, ..script };
    script.run(source, session)?;
    Ok(script.summary)
}

/// As [`run_script`], and only looks at the syntax.
pub(crate) fn check_script(source: ScriptSource, echo: bool) -> Result<ScriptSummary> {
    let mut script = Script::new(Format::Table, echo);
    script.check(source)?;
    script.output.flush()?;
    Ok(script.summary)
}

/// Returns the commands to run, and true if statements are printed too; none when a person types.
fn source(arguments: &MqscArguments) -> Result<Option<(ScriptSource, bool)>> {
    if !arguments.execute.is_empty() {
        return Ok(Some((ScriptSource::of_text(arguments.execute.join("\n")), false)));
    }
    match &arguments.file {
        Some(path) => Ok(Some((ScriptSource::open(path)?, true))),
        None if !io::stdin().is_terminal() || arguments.check => {
            Ok(Some((ScriptSource::standard_input(), true)))
        }
        None => Ok(None),
    }
}

/// The outcome of a DISPLAY that finds nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FindingNothing {
    IsDone,
    Fails,
}

/// A script under way.
struct Script {
    format: Format,
    echo: bool,
    finding_nothing: FindingNothing,
    /// The options for the next steps after a refusal, where they are printed.
    advises: Option<PlaceOptions>,
    output: Output,
    summary: ScriptSummary,
}

impl Script {
    fn new(format: Format, echo: bool) -> Self {
        let finding_nothing = FindingNothing::IsDone;
        let (output, summary) = (output::standard(), ScriptSummary::default());
        Self { format, echo, finding_nothing, advises: None, output, summary }
    }

    fn check(&mut self, source: ScriptSource) -> Result<()> {
        for statement in source {
            let statement = statement?;
            self.begin(&statement)?;
            if let Err(error) = &statement.command {
                self.refuse(error)?;
            }
        }
        Ok(())
    }

    fn run(&mut self, source: ScriptSource, session: &mut dyn Commands) -> Result<()> {
        for statement in source {
            let statement = statement?;
            self.begin(&statement)?;
            match &statement.command {
                Err(error) if session.takes_only_ours() => self.refuse(error)?,
                _ => {
                    let (output, format) = (&mut self.output, self.format);
                    let mut fails = false;
                    let mut steps = Vec::new();
                    let mut take = |page: &_, place| {
                        steps.extend(pages::next_steps(page));
                        fails |= self.finding_nothing == FindingNothing::Fails && pages::finds_nothing(page);
                        Ok(pages::write(output, format, page, place)?)
                    };
                    fails |= pages::ask(session, &statement.text, &mut take)?;
                    self.summary.failed += usize::from(fails);
                    if let Some(options) = &self.advises {
                        self.output.flush()?;
                        steps.iter().for_each(|step| output::say(format!("  next: {}", step.at(options))));
                    }
                }
            }
            self.output.flush()?;
        }
        Ok(())
    }

    fn begin(&mut self, statement: &Statement) -> io::Result<()> {
        self.summary.read += 1;
        if self.echo && self.format == Format::Table {
            writeln!(self.output, "{:>6} : {}", self.summary.read, harmless_lines(&signed(&statement.text)))?;
        }
        Ok(())
    }

    fn refuse(&mut self, error: &mqsc::SyntaxError) -> io::Result<()> {
        self.summary.syntax_errors += 1;
        match self.format {
            Format::Table => writeln!(self.output, "{}", objects::Message::from(error.clone())),
            Format::Json => output::json_line(
                &mut self.output,
                &json!({"syntax_error": error.to_string(), "line": error.line, "column": error.column}),
            ),
        }
    }

    fn end(mut self) -> Result<()> {
        if self.echo && self.format == Format::Table {
            write!(self.output, "{}", self.summary)?;
        }
        self.output.flush()?;
        match self.summary {
            ScriptSummary { failed: 1.., .. } => Err(Failure::silent(Exit::Failed)),
            ScriptSummary { syntax_errors: 1.., .. } => Err(Failure::silent(Exit::Usage)),
            _ => Ok(()),
        }
    }
}
