//! `ferry config`: everything that is defined, as a script, and what it takes to make it so.
//!
//! Always: `dump` prints what makes the same definitions on a new queue manager; `diff` changes nothing; `apply` runs
//! exactly what `diff` prints and stops at the first command that is refused.

use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use objects::configuration::{Configuration, Unwanted};
use objects::mqsc::SyntaxErrors;
use objects::{Attribute, Command, Value};
use serde_json::{Map, json};

use super::mqsc::Source;
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, harmless, harmless_lines};

/// What to do with the definitions.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Print MQSC that makes every definition again on a new queue manager
    Dump(DumpArguments),
    /// Print the commands that would make the definitions those of a file
    Diff(FileArguments),
    /// Run the commands that make the definitions those of a file
    Apply(FileArguments),
}

/// Of which queue manager.
#[derive(Debug, Args)]
pub(crate) struct DumpArguments {
    /// Queue manager; not needed when there is only one
    #[arg(value_name = "QM")]
    name: Option<String>,
}

/// Which definitions, for which queue manager.
#[derive(Debug, Args)]
pub(crate) struct FileArguments {
    /// MQSC with DEFINE, ALTER, DELETE and SET AUTHREC; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Delete what the file does not define; system objects stay
    #[arg(long)]
    prune: bool,
}

/// Does it.
pub(crate) fn run(common: &Common, arguments: &Arguments) -> Result<()> {
    let mut common = common.clone();
    match arguments {
        Arguments::Dump(arguments) => {
            if arguments.name.is_some() {
                common.qmgr.clone_from(&arguments.name);
            }
            dump(&common)
        }
        Arguments::Diff(arguments) => diff(&common, arguments),
        Arguments::Apply(arguments) => apply(&common, arguments),
    }
}

fn dump(common: &Common) -> Result<()> {
    let mut session = connect::session(common)?;
    let script = script_of(&mut session)?;
    session.disconnect()?;
    let mut output = output::standard();
    output.write_all(script.as_bytes())?;
    Ok(output.flush()?)
}

/// MQSC that makes every definition again.
pub(crate) fn script_of(session: &mut Session) -> Result<String> {
    Ok(present(session)?.script())
}

fn diff(common: &Common, arguments: &FileArguments) -> Result<()> {
    let commands = read(arguments)?;
    let mut session = connect::session(common)?;
    let changes = changes(&mut session, arguments, &commands)?;
    session.disconnect()?;
    let mut output = output::standard();
    for change in changes {
        match common.output {
            Format::Table => writeln!(output, "{}", harmless_lines(&change.to_string()))?,
            Format::Json => output::json_line(&mut output, &json!({"command": change.to_string()}))?,
        }
    }
    Ok(output.flush()?)
}

fn apply(common: &Common, arguments: &FileArguments) -> Result<()> {
    let commands = read(arguments)?;
    let mut session = connect::session(common)?;
    let changes = changes(&mut session, arguments, &commands)?;
    let mut output = output::standard();
    for (done, change) in changes.iter().enumerate() {
        let text = change.to_string();
        let response = session.command(&text)?;
        match common.output {
            Format::Table => {
                writeln!(output, "{}", harmless_lines(&text))?;
                write!(output, "{}", harmless_lines(&response.text))?;
            }
            Format::Json => {
                output::json_line(&mut output, &json!({"command": text, "failed": response.failed}))?;
            }
        }
        output.flush()?;
        if response.failed {
            let left = changes.len() - done;
            let problem = format!("{done} of {} changes are made, {left} are not: {text}", changes.len());
            return Err(Failure::new(Exit::Failed, problem)
                .next("remove the cause the message above names, then apply the file again"));
        }
    }
    session.disconnect()
}

/// The commands of the file.
fn read(arguments: &FileArguments) -> Result<Vec<Command>> {
    let (mut commands, mut errors) = (Vec::new(), Vec::new());
    for statement in Source::open(&arguments.file)? {
        match statement.map_err(|failure| failure.next("correct the file; nothing was run"))?.command {
            Ok(command) => commands.push(command),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        return Ok(commands);
    }
    let (path, errors) = (arguments.file.to_string_lossy(), SyntaxErrors(errors));
    let path = harmless(&path);
    Err(Failure::new(Exit::Usage, format!("{path} is not all MQSC:\n{errors}"))
        .in_lines()
        .next("correct the words above the carets; nothing was run"))
}

/// What leads from how things are to how the file wants them.
fn changes(session: &mut Session, arguments: &FileArguments, commands: &[Command]) -> Result<Vec<Command>> {
    let present = present(session)?;
    let unwanted = if arguments.prune { Unwanted::Delete } else { Unwanted::Keep };
    let wanted = match unwanted {
        Unwanted::Delete => present.only(commands),
        Unwanted::Keep => present.after(commands),
    };
    let wanted = wanted.map_err(|error| {
        Failure::new(Exit::Usage, error.to_string()).next("correct the file; nothing was run")
    })?;
    let is_deletion = |command: &Command| matches!(command, Command::Delete(_) | Command::DeleteAuthority(_));
    let deletes = commands.iter().any(is_deletion);
    // What the file deletes by name goes, whatever else stays.
    let unwanted = if deletes { Unwanted::Delete } else { unwanted };
    Ok(present.changes_to(&wanted, unwanted))
}

/// All definitions, as the queue manager shows them.
fn present(session: &mut Session) -> Result<Configuration> {
    let mut configuration = Configuration::default();
    for (part, question) in Configuration::questions() {
        let response = session.command(&question)?;
        let unusable = |why: String| {
            Failure::new(Exit::Failed, format!("the answer to {question} {why}"))
                .next("use a queue manager and a ferry command of the same release")
        };
        let answer: serde_json::Value =
            serde_json::from_str(&response.json).map_err(|error| unusable(format!("is no JSON: {error}")))?;
        let is_cut = answer["messages"]
            .as_array()
            .is_some_and(|messages| messages.iter().any(|message| message["id"] == CUT));
        if is_cut {
            return Err(Failure::new(Exit::Failed, format!("the answer to {question} has a largest size"))
                .next("dump with DISPLAY for a part of the names at a time"));
        }
        for object in answer["objects"].as_array().into_iter().flatten() {
            let Some(fields) = object.as_object() else { continue };
            configuration.add(part, |attribute| shown(fields, attribute));
        }
    }
    Ok(configuration)
}

/// The message that says that an answer is not whole.
const CUT: &str = "FRY8420W";

/// The value of an attribute in the JSON of a display.
fn shown(fields: &Map<String, serde_json::Value>, attribute: &Attribute) -> Option<Value> {
    match fields.get(&attribute.keyword.to_ascii_lowercase())? {
        serde_json::Value::Bool(on) => Some(Value::Integer(i32::from(*on))),
        serde_json::Value::Number(number) => i32::try_from(number.as_i64()?).ok().map(Value::Integer),
        serde_json::Value::String(text) => Value::from_mqsc(attribute, text).ok(),
        serde_json::Value::Array(entries) => {
            let entries: Vec<&str> = entries.iter().filter_map(serde_json::Value::as_str).collect();
            Value::from_mqsc_list(attribute, &entries).ok()
        }
        _ => None,
    }
}
