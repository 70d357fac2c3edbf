//! `ferry uow`: units of work that are open or in doubt, and their end by hand.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, Subcommand};
use mqi::branch::BranchId;
use serde_json::Value;

use super::answer;
use crate::columns::{self, Column, Fitted};
use terminal::common::Common;
use terminal::connect::{self, Session};
use terminal::failure::{Exit, Failure, Result};
use terminal::next_step;
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
    Commit(EndArguments),
    /// Back out a unit of work in doubt, of a connection, or of a branch that is not prepared
    Backout(EndArguments),
    /// Forget a decision by hand: its coordinator then learns that the unit is unknown
    Forget(EndArguments),
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

/// The unit that is to end.
#[derive(Debug, Args)]
pub(crate) struct EndArguments {
    #[command(flatten)]
    unit: UnitArguments,
    /// Do it without asking
    #[arg(short, long)]
    yes: bool,
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &UowCommand) -> Result<()> {
    match command {
        UowCommand::List(arguments) => list(common, arguments.in_doubt),
        UowCommand::Show(arguments) => show(common, &arguments.unit),
        UowCommand::Commit(arguments) => end(common, arguments, Action::Commit),
        UowCommand::Backout(arguments) => end(common, arguments, Action::Backout),
        UowCommand::Forget(arguments) => end(common, arguments, Action::Forget),
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
            let rows: Vec<Vec<String>> = units.iter().map(row).collect();
            let Fitted { lines, left_out } = columns::fit(&COLUMNS, &rows, output::columns());
            for (place, line) in lines.iter().enumerate() {
                if place == 0 {
                    writeln!(output, "{}", paint.dim(line))?;
                } else {
                    writeln!(output, "{line}")?;
                }
            }
            output.flush()?;
            if !left_out.is_empty() {
                let parts = [format!("not shown: {}", left_out.join(", ")), "-o json has all".to_owned()];
                columns::wrapped(&parts, "; ", output::columns()).into_iter().for_each(output::say);
            }
        }
    }
    Ok(output.flush()?)
}

/// The columns; a person looks for the state, the age and the owner first.
const COLUMNS: [Column; 8] = [
    Column { heading: "UNIT OR CONNECTION", width_min: 0, left_out: 0 },
    Column { heading: "STATE", width_min: 9, left_out: 0 },
    Column { heading: "AGE", width_min: 0, left_out: 0 },
    Column { heading: "MESSAGES", width_min: 0, left_out: 2 },
    Column { heading: "OF", width_min: 0, left_out: 1 },
    Column { heading: "QUEUES", width_min: 0, left_out: 3 },
    Column { heading: "PROCESS", width_min: 0, left_out: 4 },
    Column { heading: "KEEPS THE LOG FROM", width_min: 0, left_out: 5 },
];

fn row(unit: &Value) -> Vec<String> {
    let field = |name: &str| harmless(unit[name].as_str().unwrap_or_default().trim()).into_owned();
    let process = match unit["pid"].as_u64() {
        None | Some(0) => String::new(),
        Some(process) => process.to_string(),
    };
    let whose = ["appltag", "channel", "userid"].map(field);
    vec![
        name_of(unit),
        field("uowstate"),
        age(&field("uowstda"), &field("uowstti"), jiff::Timestamp::now()),
        units::count(unit["uowmsgs"].as_u64().unwrap_or_default()),
        whose.into_iter().find(|whose| !whose.is_empty()).unwrap_or_default(),
        queues(&unit["uowqs"]),
        process,
        field("uowlog"),
    ]
}

/// The name by which a unit is ended: that of its connection, else its number, else the identifier of its
/// coordinator.
fn name_of(unit: &Value) -> String {
    let field = |name: &str| harmless(unit[name].as_str().unwrap_or_default().trim()).into_owned();
    match (field("conn"), field("qmurid")) {
        (connection, _) if connection != NO_CONNECTION => connection,
        (_, number) if !number.is_empty() => number,
        _ => typed(&field("exturid")),
    }
}

/// The identifier of a branch as it is typed, from how it is shown.
fn typed(shown: &str) -> String {
    let parts: Vec<_> = shown.split(['[', ']']).skip(1).step_by(2).collect();
    parts.join(":")
}

/// The time since a moment that is shown as a day and a time of day, UTC; blank where it is no moment.
fn age(day: &str, time: &str, now: jiff::Timestamp) -> String {
    seconds_since(day, time, now.as_second()).map_or_else(String::new, units::age)
}

/// The seconds since such a moment; none where it is none.
pub(super) fn seconds_since(day: &str, time: &str, now: i64) -> Option<u64> {
    let moment: jiff::Timestamp = format!("{day}T{}Z", time.replace('.', ":")).parse().ok()?;
    Some(u64::try_from(now - moment.as_second()).unwrap_or_default())
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
    let (units, messages) = if let Ok(branch) = unit.parse::<BranchId>() {
        let all = format!("DISPLAY CONN(*) WHERE(EXTURID EQ '{branch}') ALL");
        (objects(&mut session, &all)?, Vec::new())
    } else {
        let condition = format!("WHERE(QMURID EQ '{unit}') ALL");
        let units = objects(&mut session, &format!("DISPLAY CONN(*) {condition}"))?;
        let messages = format!("DISPLAY CONN({NO_CONNECTION}) TYPE(HANDLE) {condition}");
        (units, objects(&mut session, &messages)?)
    };
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
        writeln!(output, "{}", described(message))?;
    }
    Ok(output.flush()?)
}

/// A message of a unit in a line.
fn described(message: &Value) -> String {
    let field = |name: &str| harmless(message[name].as_str().unwrap_or_default());
    let bytes = message["msglen"].as_u64().unwrap_or_default();
    let [effect, queue, id, correlation] = ["msgop", "objname", "msgid", "correlid"].map(field);
    let way = if effect == "PUT" { "on" } else { "from" };
    let effect = effect.to_lowercase();
    format!("{effect} {way} {queue}, {bytes} bytes, message {id}, correlation {correlation}")
}

/// The number of a unit that is named by the identifier of its coordinator, or that identifier where it has
/// none; what is named otherwise as it is.
fn number_of(session: &mut Session, unit: &str) -> Result<String> {
    if !unit.contains(':') {
        return Ok(unit.to_owned());
    }
    let branch: BranchId = unit.parse().map_err(|_| {
        Failure::usage(format!("\"{unit}\" names no branch")).next(NextStep::of(
            "name it FORMAT:GLOBAL:QUALIFIER in hexadecimal digits, or by its number in ferry uow list",
        ))
    })?;
    let units = objects(session, &format!("DISPLAY CONN(*) WHERE(EXTURID EQ '{branch}') QMURID"))?;
    let numbers = units.iter().map(|found| found["qmurid"].as_str().unwrap_or_default().trim());
    let numbers: BTreeSet<_> = numbers.filter(|number| !number.is_empty()).collect();
    let mut numbers = numbers.into_iter();
    match (numbers.next(), numbers.next()) {
        (Some(number), None) => Ok(number.to_owned()),
        (Some(_), Some(_)) => Err(Failure::new(Exit::Refused, format!("several units of work have {unit}"))
            .next(NextStep::of("name it by its number, as ferry uow list shows it"))),
        (None, _) if units.is_empty() => {
            Err(Failure::new(Exit::NotFound, format!("no unit of work has the identifier {unit}"))
                .next(NextStep::of("ferry uow list shows the units of work there are")))
        }
        (None, _) => Ok(branch.typed()),
    }
}

/// The end of a unit by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Commit,
    Backout,
    Forget,
}

impl Action {
    fn word(self) -> &'static str {
        match self {
            Self::Commit => "commit",
            Self::Backout => "backout",
            Self::Forget => "forget",
        }
    }

    /// The consequence for a message that was put, or got.
    fn consequence(self, is_put: bool) -> &'static str {
        match (self, is_put) {
            (Self::Commit, true) => "appears",
            (Self::Backout, false) => "returns",
            (Self::Commit, false) | (Self::Backout, true) => "is gone",
            (Self::Forget, _) => "stays",
        }
    }

    /// The words that a person reads before.
    fn warning(self) -> &'static str {
        match self {
            Self::Commit | Self::Backout => {
                "The other parts of its transaction must end alike: ask its transaction manager first."
            }
            Self::Forget => "Its transaction manager then learns that the unit is unknown.",
        }
    }
}

/// Messages that a question lists.
const MESSAGES_ASKED_ABOUT: usize = 20;

/// The lines that a person reads before a unit ends.
fn consequences(action: Action, unit: &Value, messages: &[Value], now: jiff::Timestamp) -> Vec<String> {
    let field = |name: &str| harmless(unit[name].as_str().unwrap_or_default().trim()).into_owned();
    let mut heading = vec![name_of(unit), field("uowstate")];
    let age = age(&field("uowstda"), &field("uowstti"), now);
    if !age.is_empty() {
        heading.push(format!("for {age}"));
    }
    let whose = ["appltag", "channel", "userid"].map(field).into_iter().find(|whose| !whose.is_empty());
    heading.extend(whose.map(|whose| format!("of {whose}")));
    let mut lines = vec![heading.join(" ")];
    let all = unit["uowmsgs"].as_u64().unwrap_or_default();
    if messages.is_empty() && all > 0 {
        lines.push(format!("  {} of {}", units::counted(all, "message"), queues(&unit["uowqs"])));
    }
    for message in messages.iter().take(MESSAGES_ASKED_ABOUT) {
        let consequence = action.consequence(message["msgop"] == "PUT");
        lines.push(format!("  {consequence:8} {}", described(message)));
    }
    if let Some(others) = messages.len().checked_sub(MESSAGES_ASKED_ABOUT + 1) {
        let others = units::count(others as u64 + 1);
        lines.push(format!("  and {others} more, which show lists"));
    }
    if field("urtype") == "XA" {
        lines.push(action.warning().to_owned());
    }
    lines
}

/// Says what becomes of the messages of a unit, and asks.
fn confirm(session: &mut Session, unit: &str, action: Action) -> Result<bool> {
    let word = action.word();
    if !io::stdin().is_terminal() {
        return Err(Failure::usage(format!(
            "the {word} of {unit} cannot be undone, and nobody can be asked here"
        ))
        .next(next_step!("ferry uow {word} {unit} --yes")));
    }
    let condition = if unit.contains(':') {
        let branch = unit.parse::<BranchId>().map(|branch| branch.to_string()).unwrap_or_default();
        format!("CONN(*) WHERE(EXTURID EQ '{branch}')")
    } else if unit.contains('.') {
        format!("CONN(*) WHERE(QMURID EQ '{unit}')")
    } else {
        format!("CONN({unit:0>16})")
    };
    let units = objects(session, &format!("DISPLAY {condition} ALL"))?;
    let Some(found) = units.first() else { return Ok(true) };
    let messages = match found["qmurid"].as_str().map(str::trim) {
        Some(number) if found["conn"] == NO_CONNECTION && !number.is_empty() => {
            let condition = format!("TYPE(HANDLE) WHERE(QMURID EQ '{number}') ALL");
            objects(session, &format!("DISPLAY CONN({NO_CONNECTION}) {condition}"))?
        }
        _ => Vec::new(),
    };
    let mut asked = io::stderr();
    for line in consequences(action, found, &messages, jiff::Timestamp::now()) {
        writeln!(asked, "{line}")?;
    }
    write!(asked, "Type {word} to do it: ")?;
    asked.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(answer.trim() == word)
}

fn end(common: &Common, arguments: &EndArguments, action: Action) -> Result<()> {
    let unit = &arguments.unit.unit;
    let is_named = unit.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':'));
    if !is_named || unit.is_empty() {
        return Err(Failure::usage(format!("\"{unit}\" names no unit of work"))
            .next(NextStep::of("ferry uow list shows them: by number, or by connection")));
    }
    let mut session = connect::session(common)?;
    let unit = number_of(&mut session, unit)?;
    if !arguments.yes && !confirm(&mut session, &unit, action)? {
        return Err(Failure::new(Exit::Failed, format!("the unit of work {unit} is as it was")));
    }
    let action = action.word().to_uppercase();
    let response = session.command(&format!("RESOLVE INDOUBT('{unit}') ACTION({action})"))?;
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
    fn a_person_reads_what_becomes_of_each_message_before_a_unit_ends() {
        let unit = serde_json::json!({
            "conn": NO_CONNECTION, "qmurid": "1.42", "uowstate": "PREPARED", "uowstda": "2026-11-20",
            "uowstti": "09.00.00", "userid": "anna", "urtype": "XA", "uowmsgs": 2, "uowqs": ["ONE"],
        });
        let message = |effect: &str| {
            serde_json::json!({
                "msgop": effect, "objname": "ONE", "msglen": 13, "msgid": "4D", "correlid": "00",
            })
        };
        let now = "2026-11-20T12:00:00Z".parse().unwrap();
        let lines = |action, messages: &[Value]| consequences(action, &unit, messages, now);
        let both = [message("PUT"), message("GOT")];
        let told = lines(Action::Commit, &both);
        assert_eq!(told[0], "1.42 PREPARED for 3 h of anna");
        assert_eq!(told[1], "  appears  put on ONE, 13 bytes, message 4D, correlation 00");
        assert_eq!(told[2], "  is gone  got from ONE, 13 bytes, message 4D, correlation 00");
        let told = lines(Action::Backout, &both);
        assert!(told[1].starts_with("  is gone  put") && told[2].starts_with("  returns  got"), "{told:?}");
        let many = vec![message("PUT"); MESSAGES_ASKED_ABOUT + 1];
        let told = lines(Action::Commit, &many);
        assert_eq!(told.len(), MESSAGES_ASKED_ABOUT + 3, "{told:?}");
        assert_eq!(told[MESSAGES_ASKED_ABOUT + 1], "  and 1 more, which show lists");
        let told = lines(Action::Forget, &[]);
        assert_eq!(told[1], "  2 messages of ONE");
    }

    #[test]
    fn a_unit_is_named_by_its_connection_or_its_number_or_its_branch() {
        let named = |conn: &str, number: &str| {
            let shown = "XA_FORMATID[00000007] XA_GTRID[6162] XA_BQUAL[]";
            name_of(&serde_json::json!({ "conn": conn, "qmurid": number, "exturid": shown }))
        };
        assert_eq!(named("00000000000000A1", "1.2"), "00000000000000A1");
        assert_eq!(named(NO_CONNECTION, "1.2"), "1.2");
        assert_eq!(named(NO_CONNECTION, " "), "00000007:6162:");
        assert!("00000007:6162:".parse::<BranchId>().is_ok());
    }

    #[test]
    fn a_line_names_the_first_queues() {
        assert_eq!(queues(&serde_json::json!(["A"])), "A");
        assert_eq!(queues(&serde_json::json!(["A", "B", "C", "D", "E"])), "A B C and 2 more");
        assert_eq!(queues(&Value::Null), "");
    }
}
