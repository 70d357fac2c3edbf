//! `ferry config`: everything that is defined, as a script, and what it takes to make it so.
//!
//! Always: `dump` prints what makes the same definitions on a new queue manager; `diff` changes nothing;
//! `apply` runs exactly what `diff` prints, says first which commands of the file it leaves out and which
//! losses cannot be undone, and undoes what it did when a command is refused.

use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use objects::configuration::openings::Opening;
use objects::configuration::script::{ScriptError, ScriptLine, reason_it_stays, reason_left_out};
use objects::configuration::{Configuration, Unwanted};
use objects::mqsc::SyntaxErrors;
use objects::{Attribute, Command, Value};
use serde_json::{Map, json};

use mqi::ObjectName;
use server::msmq::{self, Renamed, Translation};

use super::mqsc::ScriptSource;
use super::{answer, open_rules, openings, pages, settings};
use crate::bounded_input;
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, harmless, harmless_lines};

/// Compares, applies or prints definitions.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigArguments {
    /// Print MQSC that makes every definition again on a new queue manager
    Dump(DumpArguments),
    /// Print the commands that would change the definitions into those of a file
    Diff(FileArguments),
    /// Run the commands that change the definitions into those of a file
    Apply(ApplyArguments),
    /// Print the qm.ini of another queue manager as a ferry.toml
    FromIni(IniArguments),
    /// Print the queues that MSMQ exported as MQSC
    FromMsmq(MsmqArguments),
}

/// A file of settings of another queue manager.
#[derive(Debug, Args)]
pub(crate) struct IniArguments {
    /// The qm.ini; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// A file of queues of MSMQ.
#[derive(Debug, Args)]
pub(crate) struct MsmqArguments {
    /// Output of Get-MsmqQueue, by ConvertTo-Json or Export-Csv; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Name of a queue here, where its own cannot be had; repeat it for several
    #[arg(long = "rename", value_name = "QUEUE=NAME", value_parser = renamed)]
    renamed: Vec<Renamed>,
}

/// Reads `queue=name`.
fn renamed(text: &str) -> std::result::Result<Renamed, String> {
    // A queue of that family may have an equals sign, a name of ours may not.
    let (queue, name) = text.rsplit_once('=').ok_or("write QUEUE=NAME, such as orders-in=ORDERS.IN")?;
    let name = name.parse::<ObjectName>().map_err(|error| error.to_string())?;
    if queue.is_empty() || name.is_blank() {
        return Err("write QUEUE=NAME, such as orders-in=ORDERS.IN".to_owned());
    }
    Ok(Renamed { queue: queue.to_owned(), name })
}

/// Of which queue manager.
#[derive(Debug, Args)]
pub(crate) struct DumpArguments {
    /// Queue manager; not needed when there is only one
    #[arg(value_name = "QM")]
    name: Option<String>,
}

/// Definitions, and their queue manager.
#[derive(Debug, Args)]
pub(crate) struct FileArguments {
    /// MQSC, of which DEFINE, ALTER, DELETE and SET AUTHREC count; - is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Delete what the file does not define; system objects stay
    #[arg(long)]
    prune: bool,
}

/// Definitions to apply.
#[derive(Debug, Args)]
pub(crate) struct ApplyArguments {
    #[command(flatten)]
    of: FileArguments,
    /// Apply a file that opens the queue manager further: rules that are off, administrators, wide rights
    #[arg(long)]
    accept: bool,
}

/// Runs the command.
pub(crate) fn run(common: &Common, arguments: &ConfigArguments) -> Result<()> {
    match arguments {
        ConfigArguments::Dump(arguments) => dump(&common.named(arguments.name.as_deref())?),
        ConfigArguments::Diff(arguments) => diff(common, arguments),
        ConfigArguments::Apply(arguments) => apply(common, arguments),
        ConfigArguments::FromIni(arguments) => from_ini(common, arguments),
        ConfigArguments::FromMsmq(arguments) => from_msmq(common, arguments),
    }
}

fn dump(common: &Common) -> Result<()> {
    let mut session = connect::session(common)?;
    let script = present(&mut session)?.script();
    session.disconnect()?;
    let mut output = output::standard();
    // A file has each text as it is, so that it makes the same definitions again.
    if io::stdout().is_terminal() {
        output.write_all(harmless_lines(&script).as_bytes())?
    } else {
        output.write_all(script.as_bytes())?
    }
    Ok(output.flush()?)
}

/// Prints settings as the file has them; the keys without effect are comments of it.
fn from_ini(common: &Common, arguments: &IniArguments) -> Result<()> {
    let name = common.qmgr.as_deref().unwrap_or("QM1");
    let from_ini = settings::from_ini(std::slice::from_ref(&arguments.file), name)?;
    let mut output = output::standard();
    match common.output {
        Format::Table => output.write_all(from_ini.text.as_bytes())?,
        Format::Json => {
            let without_effect: Vec<String> = from_ini.without_effect.iter().map(settings::shown).collect();
            output::json_line(
                &mut output,
                &json!({"settings": from_ini.text, "without_effect": without_effect}),
            )?;
        }
    }
    Ok(output.flush()?)
}

/// Prints definitions; what they do not have is comments of them.
fn from_msmq(common: &Common, MsmqArguments { file, renamed }: &MsmqArguments) -> Result<()> {
    let text = bounded_input::read_wide_text(file, "export of queues", msmq::FILE_BYTES_MAX)?;
    let translation = Translation::of(&text, renamed, file).map_err(|error| {
        Failure::usage(error.to_string())
            .in_lines()
            .next("correct the places named; nothing is printed of a file with a fault")
    })?;
    let mut output = output::standard();
    match common.output {
        Format::Table => output.write_all(translation.script.as_bytes())?,
        Format::Json => {
            let not_carried = translation.not_carried.iter();
            let not_carried: Vec<_> = not_carried
                .map(|one| json!({"queue": one.queue, "line": one.line, "property": one.said, "reason": one.reason}))
                .collect();
            output::json_line(
                &mut output,
                &json!({"commands": translation.script, "queues": translation.queues, "not_carried": not_carried}),
            )?;
        }
    }
    Ok(output.flush()?)
}

fn diff(common: &Common, arguments: &FileArguments) -> Result<()> {
    let script = read(&arguments.file)?;
    let mut session = connect::session(common)?;
    let present = present(&mut session)?;
    let wanted = arguments.wanted(&present, &script)?;
    let Changes { commands, openings, kept } =
        changes(&mut session, &present, arguments.unwanted(), &wanted, &script)?;
    session.disconnect()?;
    let mut output = output::standard();
    say_left_out(&mut output, common.output, &script, &kept)?;
    openings::say(&mut output, common.output, &openings)?;
    say_lost(&mut output, common.output, &present.lost_by(&commands))?;
    for change in commands {
        match common.output {
            Format::Table => writeln!(output, "{}", harmless_lines(&shown_command(&change)))?,
            Format::Json => output::json_line(&mut output, &json!({"command": shown_command(&change)}))?,
        }
    }
    Ok(output.flush()?)
}

fn apply(common: &Common, ApplyArguments { of, accept }: &ApplyArguments) -> Result<()> {
    let script = read(&of.file)?;
    let mut session = connect::session(common)?;
    let present = present(&mut session)?;
    let wanted = of.wanted(&present, &script)?;
    let Changes { commands, openings, kept } =
        changes(&mut session, &present, of.unwanted(), &wanted, &script)?;
    say_left_out(&mut output::standard(), common.output, &script, &kept)?;
    openings::say(&mut output::standard(), common.output, &openings)?;
    openings::accepted(&openings, *accept, &of.file)?;
    make_all(&mut session, common.output, &present, &commands)?;
    session.disconnect()
}

/// Makes the definitions those of a script, all of them or none; what it does not define stays. The script is
/// that of the administrator who makes the queue manager: points in which it opens it are shown alone.
pub(crate) fn apply_script(session: &mut Session, format: Format, script: &[ScriptLine]) -> Result<()> {
    let present = present(session)?;
    let wanted = present
        .after(script)
        .map_err(|error| Failure::usage(error.to_string()).next("correct the file; nothing of it was run"))?;
    let Changes { commands, openings, kept } = changes(session, &present, Unwanted::Keep, &wanted, script)?;
    say_left_out(&mut output::standard(), format, script, &kept)?;
    openings::say(&mut output::standard(), format, &openings)?;
    make_all(session, format, &present, &commands)
}

fn make_all(
    session: &mut Session,
    format: Format,
    present: &Configuration,
    changes: &[Command],
) -> Result<()> {
    say_lost(&mut output::standard(), format, &present.lost_by(changes))?;
    for (made, change) in changes.iter().enumerate() {
        if let Err(failure) = make(session, format, change) {
            return Err(undo(session, format, present, &changes[..=made], &failure));
        }
    }
    Ok(())
}

impl FileArguments {
    fn unwanted(&self) -> Unwanted {
        if self.prune { Unwanted::Delete } else { Unwanted::Keep }
    }

    /// The definitions that there are to be.
    fn wanted(&self, present: &Configuration, script: &[ScriptLine]) -> Result<Configuration> {
        let wanted = match self.unwanted() {
            Unwanted::Delete => present.only(script),
            Unwanted::Keep => present.after(script),
        };
        wanted.map_err(|error| self.wrong(&error))
    }

    fn wrong(&self, error: &ScriptError) -> Failure {
        let path = self.file.to_string_lossy();
        Failure::usage(format!("{}, {error}", harmless(&path))).next("correct the file; nothing was run")
    }
}

/// Runs a change and prints its answer.
fn make(session: &mut Session, format: Format, change: &Command) -> Result<()> {
    let response = session.command(&change.to_string())?;
    let text = shown_command(change);
    let mut output = output::standard();
    match format {
        Format::Table => {
            writeln!(output, "{}", harmless_lines(&text))?;
            write!(output, "{}", harmless_lines(&response.text))?;
        }
        Format::Json => {
            let answer: serde_json::Value = serde_json::from_str(&response.json).unwrap_or_default();
            let warnings: Vec<String> = open_rules::warnings_of(&answer).collect();
            let mut line = json!({"command": text, "failed": response.failed});
            if !warnings.is_empty() {
                line["warnings"] = warnings.into();
            }
            output::json_line(&mut output, &line)?;
        }
    }
    output.flush()?;
    if response.failed {
        Err(Failure::new(Exit::Failed, format!("the queue manager refused {text}"))
            .next("remove the cause the message above names, then apply the file again"))
    } else {
        Ok(())
    }
}

/// Takes changes back, of which the last one failed. Returns the failure to report.
fn undo(
    session: &mut Session,
    format: Format,
    before: &Configuration,
    changes: &[Command],
    failure: &Failure,
) -> Failure {
    let taken_back = present(session).and_then(|present| {
        let back = before.undoing(changes, &present);
        back.iter().try_for_each(|change| make(session, format, change))
    });
    let made = &changes[..changes.len() - 1];
    let lost = before.lost_by(made);
    let but_lost = || format!("lost or changed for good: {}", lost.join(", "));
    match taken_back {
        Ok(()) if lost.is_empty() => {
            Failure::new(Exit::Failed, format!("{}; nothing is changed", failure.what()))
                .next("remove the cause the message above names, then apply the file again")
        }
        Ok(()) => {
            let problem = format!("{}; changes before it are undone, but {}", failure.what(), but_lost());
            Failure::new(Exit::Failed, problem).next(
                NextStep::of("give passwords that are lost again with ferry mqsc; remove the cause the message above names, then apply \
                 the file again"),
            )
        }
        Err(kept) => {
            let (made, why) = (made.len(), kept.what());
            let mut problem = format!(
                "{}; {made} changes before it were made and not all could be undone: {why}",
                failure.what()
            );
            if !lost.is_empty() {
                problem.push_str(&format!("; {}", but_lost()));
            }
            Failure::new(Exit::Failed, problem)
                .next(NextStep::of("ferry config diff shows the changes that are left; remove the cause and apply the file again"))
        }
    }
}

/// Prints the parts of changes that cannot be undone, as comments of MQSC.
fn say_lost(output: &mut impl Write, format: Format, lost: &[String]) -> Result<()> {
    for part in lost {
        match format {
            Format::Table => writeln!(output, "* Cannot be undone: {}", harmless(part))?,
            Format::Json => output::json_line(output, &json!({"cannot_be_undone": part}))?,
        }
    }
    Ok(output.flush()?)
}

/// Prints the commands that are left out, as comments of MQSC, so that what `diff` prints can be run.
fn say_left_out(
    output: &mut impl Write,
    format: Format,
    script: &[ScriptLine],
    kept: &[ScriptLine],
) -> Result<()> {
    for script_line in script {
        let ScriptLine { line, command } = script_line;
        let is_kept = || kept.contains(script_line).then_some("NOREPLACE keeps the object that is there");
        let reason = reason_left_out(command).or_else(|| reason_it_stays(command, script)).or_else(is_kept);
        let Some(reason) = reason else { continue };
        let command = shown_command(command);
        match format {
            Format::Table => {
                writeln!(output, "* Left out, line {line}: {}: {reason}", harmless(&command))?;
            }
            Format::Json => {
                output::json_line(output, &json!({"left_out": command, "line": line, "reason": reason}))?
            }
        }
    }
    Ok(output.flush()?)
}

/// A command as a person may see it.
fn shown_command(command: &Command) -> String {
    command.without_secrets().to_string()
}

/// The commands of the file.
pub(crate) fn read(path: &Path) -> Result<Vec<ScriptLine>> {
    let (mut script, mut errors) = (Vec::new(), Vec::new());
    let mut source = ScriptSource::open(path)?;
    for statement in &mut source {
        let statement = statement.map_err(|failure| failure.next("correct the file; nothing was run"))?;
        match statement.command {
            Ok(command) => script.push(ScriptLine { line: statement.line, command }),
            Err(error) => errors.push(error),
        }
    }
    let path = path.to_string_lossy();
    let path = harmless(&path);
    if !errors.is_empty() {
        let errors = SyntaxErrors(errors);
        return Err(Failure::new(Exit::Usage, format!("{path} is not all MQSC:\n{errors}"))
            .in_lines()
            .next("correct the words above the carets; nothing was run"));
    }
    if let Some(line) = source.cut_within() {
        let problem =
            format!("{path} ends within the command of line {line}: its last line asks to be continued");
        return Err(Failure::usage(problem).next("get the whole file; nothing was run"));
    }
    Ok(script)
}

/// Commands that lead from the present definitions to those that a script wants.
struct Changes {
    commands: Vec<Command>,
    /// Points in which they open the queue manager further.
    openings: Vec<Opening>,
    /// Commands of the script whose NOREPLACE leaves alone what is there.
    kept: Vec<ScriptLine>,
}

fn changes(
    session: &mut Session,
    present: &Configuration,
    unwanted: Unwanted,
    wanted: &Configuration,
    script: &[ScriptLine],
) -> Result<Changes> {
    let is_deletion =
        |line: &ScriptLine| matches!(line.command, Command::Delete(_) | Command::DeleteAuthority(_));
    let deletes = script.iter().any(is_deletion);
    // What the file deletes by name goes, whatever else stays.
    let unwanted = if deletes { Unwanted::Delete } else { unwanted };
    let administrators = openings::administrators(session, wanted.acting_users())?;
    let openings = present.openings_to(wanted, &|user| administrators.contains(user));
    let commands = present.changes_to(wanted, unwanted);
    let kept = script.iter().filter(|line| wanted.has_kept(line)).cloned().collect();
    Ok(Changes { commands, openings, kept })
}

/// All definitions, as the queue manager shows them.
pub(crate) fn present(session: &mut Session) -> Result<Configuration> {
    let mut configuration = Configuration::default();
    for (part, question) in Configuration::questions() {
        pages::ask(session, &question, &mut |page, _| {
            let answer = answer::read(&question, &page.json)?;
            let is_cut = answer["messages"]
                .as_array()
                .is_some_and(|messages| messages.iter().any(|message| message["id"] == CUT));
            if is_cut {
                let problem = format!("the answer to {question} has a largest size");
                return Err(Failure::new(Exit::Failed, problem)
                    .next("dump with DISPLAY for a part of the names at a time"));
            }
            for object in answer["objects"].as_array().into_iter().flatten() {
                let Some(fields) = object.as_object() else { continue };
                configuration.add(part, |attribute| shown(fields, attribute));
            }
            Ok(())
        })?;
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
