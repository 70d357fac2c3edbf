//! `ferry uow`: units of work that are open or in doubt, and their end by hand.

use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, Subcommand};
use serde_json::Value;

use super::answer;
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step::NextStep;
use terminal::output::{self, Format, Paint, harmless};
use terminal::units;

/// Handles units of work.
#[derive(Debug, Subcommand)]
pub(crate) enum UowCommand {
    /// List units of work: of connections, in doubt, and decided by hand
    List(ListUnitsArguments),
    /// Show a unit of work in doubt, or one that was decided by hand, with its messages
    Show(UnitArguments),
    /// Commit a unit of work in doubt; the decision is remembered for its coordinator
    Commit(UnitArguments),
    /// Back out a unit of work in doubt, or that of a connection; the next call of its program says so
    Backout(UnitArguments),
    /// Forget a decision by hand: its coordinator then learns that the unit is unknown
    Forget(UnitArguments),
}

/// The list.
#[derive(Debug, Args)]
pub(crate) struct ListUnitsArguments {
    /// Only those that wait for a decision
    #[arg(long)]
    in_doubt: bool,
}

/// The unit that is meant.
#[derive(Debug, Args)]
pub(crate) struct UnitArguments {
    /// Number of the unit or identifier of the connection, as ferry uow list shows them; or the identifier of
    /// the coordinator, FORMAT:GLOBAL:QUALIFIER in hexadecimal
    unit: String,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &UowCommand) -> Result<()> {
    match command {
        UowCommand::List(arguments) => list(common, arguments.in_doubt),
        UowCommand::Show(arguments) => show(common, &arguments.unit),
        UowCommand::Commit(arguments) => end(common, &arguments.unit, "COMMIT"),
        UowCommand::Backout(arguments) => end(common, &arguments.unit, "BACKOUT"),
        UowCommand::Forget(arguments) => end(common, &arguments.unit, "FORGET"),
    }
}

const QUESTION: &str = "DISPLAY CONN(*) WHERE(UOWSTATE NE NONE) ALL";
/// Units in doubt belong to no connection: they are shown under this identifier.
const NO_CONNECTION: &str = "0000000000000000";
/// The state of one that waits for a decision.
const PREPARED: &str = "PREPARED";

fn list(common: &Common, in_doubt: bool) -> Result<()> {
    let mut session = connect::session(common)?;
    let mut units = objects(&mut session, QUESTION)?;
    session.disconnect()?;
    units.retain(|unit| !in_doubt || unit["uowstate"] == PREPARED);
    let mut output = output::standard();
    match common.output {
        Format::Json => {
            for unit in &units {
                output::json_line(&mut output, unit)?;
            }
        }
        Format::Table if units.is_empty() && in_doubt => output::say("no unit of work is in doubt"),
        Format::Table if units.is_empty() => output::say("no unit of work is open"),
        Format::Table => {
            let paint = Paint::for_stream(io::stdout().is_terminal());
            writeln!(output, "{}", paint.dim(row(&HEADING)))?;
            for unit in &units {
                let field = |name: &str| harmless(unit[name].as_str().unwrap_or_default());
                let name = if field("conn") == NO_CONNECTION { field("qmurid") } else { field("conn") };
                let (state, log) = (field("uowstate"), field("uowlog"));
                let age = age(&field("uowstda"), &field("uowstti"), jiff::Timestamp::now());
                let messages = units::count(unit["uowmsgs"].as_u64().unwrap_or_default());
                let process = match unit["pid"].as_u64() {
                    None | Some(0) => String::new(),
                    Some(process) => process.to_string(),
                };
                let whose = ["appltag", "channel", "userid"].map(field);
                let whose = whose.into_iter().find(|whose| !whose.trim().is_empty()).unwrap_or_default();
                let queues = queues(&unit["uowqs"]);
                writeln!(
                    output,
                    "{}",
                    row(&[&name, &state, &age, &messages, &log, &process, &whose, &queues])
                )?;
            }
        }
    }
    Ok(output.flush()?)
}

const HEADING: [&str; 8] =
    ["unit or connection", "state", "age", "messages", "keeps the log from", "process", "of", "queues"];

fn row(fields: &[&str; 8]) -> String {
    let [unit, state, age, messages, log, process, whose, queues] = fields;
    let row = format!(
        "{unit:18}  {state:9}  {age:>6}  {messages:>8}  {log:18}  {process:>7}  {whose:16}  {queues}"
    );
    row.trim_end().to_owned()
}

/// The time since a moment that is shown as a day and a time of day, UTC; blank where it is no moment.
fn age(day: &str, time: &str, now: jiff::Timestamp) -> String {
    let moment: Option<jiff::Timestamp> = format!("{day}T{}Z", time.replace('.', ":")).parse().ok();
    moment.map_or_else(String::new, |moment| {
        units::age(u64::try_from(now.as_second() - moment.as_second()).unwrap_or_default())
    })
}

/// Queues that a line has room for.
const QUEUES_SHOWN: usize = 3;

/// The first queues by name, and the number of the others.
fn queues(names: &Value) -> String {
    let names: Vec<&str> = names.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let shown = names.iter().take(QUEUES_SHOWN).map(|name| harmless(name)).collect::<Vec<_>>().join(" ");
    match names.len().saturating_sub(QUEUES_SHOWN) {
        0 => shown,
        others => format!("{shown} and {others} more"),
    }
}

/// The objects that the queue manager shows.
fn objects(session: &mut Session, question: &str) -> Result<Vec<Value>> {
    let response = session.command(question)?;
    Ok(answer::objects(&answer::read(question, &response.json)?))
}

fn show(common: &Common, unit: &str) -> Result<()> {
    let mut session = connect::session(common)?;
    let unit = number_of(&mut session, unit)?;
    let condition = format!("WHERE(QMURID EQ '{unit}') ALL");
    let units = objects(&mut session, &format!("DISPLAY CONN(*) {condition}"))?;
    let messages = objects(&mut session, &format!("DISPLAY CONN({NO_CONNECTION}) TYPE(HANDLE) {condition}"))?;
    session.disconnect()?;
    let Some(found) = units.first() else {
        return Err(Failure::new(Exit::NotFound, format!("no unit of work has the number {unit}"))
            .next(NextStep::of("ferry uow list shows the units of work there are")));
    };
    let mut output = output::standard();
    if common.output == Format::Json {
        let mut whole = found.clone();
        whole["messages"] = Value::Array(messages);
        return Ok(output::print_json(&whole)?);
    }
    let names = ["qmurid", "uowstate", "uowstda", "uowstti", "userid", "channel", "exturid"];
    for name in names {
        let value = harmless(found[name].as_str().unwrap_or_default());
        writeln!(output, "{:9} {}", name.to_uppercase(), value.trim())?;
    }
    for message in &messages {
        let field = |name: &str| harmless(message[name].as_str().unwrap_or_default());
        let bytes = message["msglen"].as_u64().unwrap_or_default();
        let [effect, queue, id, correlation] = ["msgop", "objname", "msgid", "correlid"].map(field);
        let way = if effect == "PUT" { "on" } else { "from" };
        let effect = effect.to_lowercase();
        writeln!(output, "{effect} {way} {queue}, {bytes} bytes, message {id}, correlation {correlation}")?;
    }
    Ok(output.flush()?)
}

/// The number of a unit that is named by the identifier of its coordinator; what is named otherwise as it is.
fn number_of(session: &mut Session, unit: &str) -> Result<String> {
    let parts: Vec<_> = unit.split(':').collect();
    let [format, global, qualifier] = parts[..] else { return Ok(unit.to_owned()) };
    let wanted = format!("XA_FORMATID[{format:0>8}] XA_GTRID[{global}] XA_BQUAL[{qualifier}]").to_uppercase();
    let units = objects(session, QUESTION)?;
    let is_meant = |found: &&Value| found["exturid"].as_str().is_some_and(|shown| shown.trim() == wanted);
    let mut meant = units.iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(found), None) => Ok(found["qmurid"].as_str().unwrap_or_default().to_owned()),
        (Some(_), Some(_)) => Err(Failure::new(Exit::Refused, format!("several units of work have {unit}"))
            .next(NextStep::of("name it by its number, as ferry uow list shows it"))),
        (None, _) => Err(Failure::new(Exit::NotFound, format!("no unit of work has the identifier {unit}"))
            .next(NextStep::of("ferry uow list shows the units of work there are"))),
    }
}

fn end(common: &Common, unit: &str, action: &str) -> Result<()> {
    let is_named = unit.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':'));
    if !is_named || unit.is_empty() {
        return Err(Failure::usage(format!("\"{unit}\" names no unit of work"))
            .next(NextStep::of("ferry uow list shows them: by number, or by connection")));
    }
    let mut session = connect::session(common)?;
    let unit = number_of(&mut session, unit)?;
    let response = session.command(&format!("RESOLVE INDOUBT({unit}) ACTION({action})"))?;
    session.disconnect()?;
    let answer: Value = serde_json::from_str(&response.json).unwrap_or_default();
    let said = answer["messages"][0]["text"].as_str().unwrap_or_else(|| response.text.trim()).to_owned();
    let is_missing = answer["messages"][0]["id"] == "FRY8461I";
    if response.failed || is_missing {
        let exit = if is_missing { Exit::NotFound } else { Exit::Refused };
        return Err(Failure::new(exit, said.trim_end_matches('.'))
            .in_lines()
            .next(NextStep::of("ferry uow list shows the units of work there are")));
    }
    match common.output {
        Format::Json => Ok(output::print_json(&answer)?),
        Format::Table => Ok(output::print_line(&said)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_age_of_a_unit_is_the_time_since_it_began() {
        let now = "2026-11-20T09:30:00Z".parse().unwrap();
        assert_eq!(age("2026-11-20", "09.29.18", now), "42 s");
        assert_eq!(age("2026-11-20", "09.31.00", now), "0 s", "a clock that was set back");
        assert_eq!(age("", "", now), "");
    }

    #[test]
    fn a_line_names_the_first_queues() {
        assert_eq!(queues(&serde_json::json!(["A"])), "A");
        assert_eq!(queues(&serde_json::json!(["A", "B", "C", "D", "E"])), "A B C and 2 more");
        assert_eq!(queues(&Value::Null), "");
    }
}
