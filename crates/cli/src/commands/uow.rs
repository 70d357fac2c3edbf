//! `ferry uow`: units of work that are open, and their end by hand.

use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, Subcommand};
use serde_json::Value;

use crate::arguments::Common;
use crate::connect::{self, Session};
use crate::failure::{Exit, Failure, Result};
use crate::output::{self, Format, Paint, harmless};

/// What to do with units of work.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the units of work that are open: whose, since when, and from where on they keep the log
    List,
    /// Make a prepared unit of work stand; one that is not prepared only its program can commit
    Commit(EndArguments),
    /// Undo the unit of work of a connection; its program is told by its next call
    Backout(EndArguments),
}

/// Whose.
#[derive(Debug, Args)]
pub(crate) struct EndArguments {
    /// Connection, as ferry uow list shows it
    connection: String,
}

/// Does it.
pub(crate) fn run(common: &Common, command: &Command) -> Result<()> {
    match command {
        Command::List => list(common),
        Command::Commit(arguments) => end(common, arguments, "COMMIT"),
        Command::Backout(arguments) => end(common, arguments, "BACKOUT"),
    }
}

const QUESTION: &str = "DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) ALL";

fn list(common: &Common) -> Result<()> {
    let mut session = connect::session(common)?;
    let units = units(&mut session)?;
    session.disconnect()?;
    let mut output = output::standard();
    match common.output {
        Format::Json => {
            for unit in &units {
                output::json_line(&mut output, unit)?;
            }
        }
        Format::Table if units.is_empty() => output::say("no unit of work is open"),
        Format::Table => {
            let paint = Paint::for_stream(io::stdout().is_terminal());
            writeln!(output, "{}", paint.dim(row(&HEADING)))?;
            for unit in &units {
                let field = |name: &str| harmless(unit[name].as_str().unwrap_or_default());
                let began = format!("{} {}", field("uowstda"), field("uowstti"));
                let fields = ["conn", "uowstate", "", "uowlog", "appltag"].map(field);
                let [connection, state, _, log, program] = &fields;
                writeln!(output, "{}", row(&[connection, state, &began, log, program]))?;
            }
        }
    }
    Ok(output.flush()?)
}

const HEADING: [&str; 5] = ["connection", "state", "began (UTC)", "keeps the log from", "program"];

fn row(fields: &[&str; 5]) -> String {
    let [connection, state, began, log, program] = fields;
    format!("{connection:16}  {state:8}  {began:19}  {log:18}  {program}").trim_end().to_owned()
}

/// The connections with a unit of work, as the queue manager shows them.
fn units(session: &mut Session) -> Result<Vec<Value>> {
    let response = session.command(QUESTION)?;
    let answer: Value = serde_json::from_str(&response.json).map_err(|error| {
        Failure::new(Exit::Failed, format!("the answer to {QUESTION} is no JSON: {error}"))
            .next("use a queue manager and a ferry command of the same release")
    })?;
    Ok(answer["objects"].as_array().cloned().unwrap_or_default())
}

fn end(common: &Common, arguments: &EndArguments, action: &str) -> Result<()> {
    let connection = &arguments.connection;
    let is_identifier = connection.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_identifier || connection.is_empty() || connection.len() > 16 {
        return Err(Failure::usage(format!("\"{connection}\" is no identifier of a connection"))
            .next("ferry uow list shows them"));
    }
    let mut session = connect::session(common)?;
    let response = session.command(&format!("RESOLVE INDOUBT({connection}) ACTION({action})"))?;
    session.disconnect()?;
    let answer: Value = serde_json::from_str(&response.json).unwrap_or_default();
    let said = answer["messages"][0]["text"].as_str().unwrap_or_else(|| response.text.trim()).to_owned();
    let is_missing = answer["messages"][0]["id"] == "FRY8461I";
    if response.failed || is_missing {
        let exit = if is_missing { Exit::NotFound } else { Exit::Refused };
        return Err(Failure::new(exit, said.trim_end_matches('.'))
            .in_lines()
            .next("ferry uow list shows the units of work that are open"));
    }
    match common.output {
        Format::Json => Ok(output::print_json(&answer)?),
        Format::Table => Ok(output::print_line(&said)?),
    }
}
