//! `ferry log`: the recovery log as text, of a queue manager that runs or not.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, Subcommand};
use objects::Definition;
use platform::World;
use serde_json::{Map, Value, json};
use server::instances;
use storage::inspect::{Block, BlockKind, Content, Inspection, Logged};
use storage::{Lsn, PutCopy, Record, StateObject};

use super::{backups, queue_manager};
use terminal::common::Common;
use terminal::connect;
use terminal::failure::{Exit, Failure, Result};
use terminal::output::{self, Format, Output, Paint, harmless};
use terminal::units;

/// Reads the log.
#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    /// Print the records of the log
    Show(ShowArguments),
    /// Read everything a start would need, and every message in the store
    Verify(backups::Whose),
    /// Take an image, from which a queue manager with damaged files can start (linear log)
    Image(backups::ImageArguments),
    /// Remove old images, and log files that neither a start nor the images kept need (linear log)
    Prune(backups::PruneArguments),
}

/// Choice of records.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// Queue manager; not needed when there is only one, or only one runs
    #[arg(value_name = "QM")]
    name: Option<String>,
    /// From this position on, as printed, such as 0/00003000 [default: where a restart would begin]
    #[arg(long, value_parser = parse_position, value_name = "POSITION")]
    from: Option<Lsn>,
    /// Up to this position
    #[arg(long, value_parser = parse_position, value_name = "POSITION")]
    to: Option<Lsn>,
    /// Maximum number of records
    #[arg(short = 'n', long, value_name = "RECORDS")]
    count: Option<u64>,
    /// Only this number of last records [default: 50 on a terminal, unless --from, --to or --count is given]
    #[arg(long, value_name = "RECORDS", conflicts_with_all = ["from", "to", "count"])]
    last: Option<usize>,
    /// Only the blocks: what each force wrote
    #[arg(short, long)]
    blocks: bool,
}

/// Reads `0/00003000`, or a plain number of bytes.
fn parse_position(text: &str) -> std::result::Result<Lsn, String> {
    let wrong = || format!("\"{text}\" is no position; write it as printed, such as 0/00003000");
    match text.split_once('/') {
        Some((high, low)) => {
            let high = u32::from_str_radix(high, 16).map_err(|_| wrong())?;
            let low = u32::from_str_radix(low, 16).map_err(|_| wrong())?;
            Ok(Lsn(u64::from(high) << 32 | u64::from(low)))
        }
        None => text.parse().map(Lsn).map_err(|_| wrong()),
    }
}

/// Records that a terminal is shown unless more are asked for: a screen or two.
const LAST_ON_TERMINAL: usize = 50;

/// Most records that `--last` keeps in mind; more of them are better read from a position on.
const LAST_MAX: usize = 1_000_000;

impl ShowArguments {
    /// The number of last records to show; none where all are shown.
    fn last(&self, is_terminal: bool) -> Option<usize> {
        let is_bounded = self.from.is_some() || self.to.is_some() || self.count.is_some();
        let last = self.last.or_else(|| (is_terminal && !is_bounded).then_some(LAST_ON_TERMINAL));
        last.map(|last| last.min(LAST_MAX))
    }
}

/// Runs the command.
pub(crate) fn run(common: &Common, command: &LogCommand) -> Result<()> {
    match command {
        LogCommand::Show(arguments) => show(common, arguments),
        LogCommand::Verify(arguments) => backups::verify(common, arguments),
        LogCommand::Image(arguments) => backups::image(common, arguments),
        LogCommand::Prune(arguments) => backups::prune(common, arguments),
    }
}

fn show(common: &Common, arguments: &ShowArguments) -> Result<()> {
    let data = connect::data_directory(common)?;
    let name = queue_manager::name_or_running(common, arguments.name.as_deref(), &data)?;
    let folder = instances::find(&data, &name)?.folder;
    let inspection = Inspection::open(&*World::of_machine(folder.path()).disk).map_err(|error| {
        Failure::new(
            Exit::Failed,
            format!("cannot read the log of {name} in {}: {error}", folder.path().display()),
        )
    })?;
    let is_terminal = io::stdout().is_terminal() && common.output == Format::Table;
    let mut show = Show {
        arguments,
        from: arguments.from,
        format: common.output,
        output: output::standard(),
        shown: 0,
        tail: None,
    };
    show.head(name.as_str(), &inspection)?;
    if let Some(last) = arguments.last(is_terminal) {
        show.begin_at_last(last, &inspection)?;
    }
    show.all(&inspection)?;
    show.output.flush()?;
    match &inspection.refusal {
        None => Ok(()),
        Some(refusal) => Err(Failure::new(
            Exit::Failed,
            format!("queue manager {name} would not start on this log: {refusal}"),
        )),
    }
}

struct Show<'a> {
    arguments: &'a ShowArguments,
    /// The first position to show.
    from: Option<Lsn>,
    format: Format,
    output: Output,
    shown: u64,
    /// The last positions so far, and how many were seen in all, while these are looked for.
    tail: Option<Tail>,
}

/// The last positions of the log.
struct Tail {
    positions: VecDeque<Lsn>,
    last: usize,
    seen: u64,
}

impl Tail {
    fn note(&mut self, at: Lsn) {
        self.seen += 1;
        self.positions.push_back(at);
        if self.positions.len() > self.last {
            self.positions.pop_front();
        }
    }
}

impl Show<'_> {
    fn head(&mut self, name: &str, inspection: &Inspection) -> io::Result<()> {
        let to_replay = inspection.end.0.saturating_sub(inspection.replay_from.0);
        if self.format == Format::Json {
            return output::json_line(
                &mut self.output,
                &json!({
                    "bytes_to_replay": to_replay,
                    "queue_manager": name, "identity": inspection.identity, "end": inspection.end.to_string(),
                    "replay_from": inspection.replay_from.to_string(), "checkpoints": inspection.generation,
                    "stored_messages": inspection.stored_messages,
                    "refusal": inspection.refusal.as_ref().map(ToString::to_string),
                }),
            );
        }
        let paint = Paint::for_stream(io::stdout().is_terminal());
        writeln!(
            self.output,
            "log of {}   restart replays from {} to {} ({})   {} checkpoint(s)   {} in the store",
            paint.strong(name),
            inspection.replay_from,
            inspection.end,
            units::bytes(to_replay),
            inspection.generation,
            units::counted(inspection.stored_messages, "message")
        )?;
        let heading = if self.arguments.blocks {
            "POSITION       LENGTH    USED  RECORDS  EPOCH  FILE"
        } else {
            "POSITION       LENGTH  EPOCH  RECORD"
        };
        writeln!(self.output, "{}", paint.dim(heading))
    }

    /// Goes through the log once without showing it, to begin with the last so many.
    fn begin_at_last(&mut self, last: usize, inspection: &Inspection) -> Result<()> {
        self.tail = Some(Tail { positions: VecDeque::new(), last, seen: 0 });
        self.all(inspection)?;
        let Some(tail) = self.tail.take() else { return Ok(()) };
        let what = if self.arguments.blocks { "block" } else { "record" };
        // A log of which nothing is left to show has its end as the beginning.
        self.from = tail.positions.front().copied().or(Some(inspection.end));
        if tail.seen > tail.positions.len() as u64 {
            output::say(format!(
                "the last {} of {}; --from, --to or -n shows others",
                tail.positions.len(),
                units::counted(tail.seen, what)
            ));
        }
        Ok(())
    }

    fn all(&mut self, inspection: &Inspection) -> Result<()> {
        let count = self.arguments.count.unwrap_or(u64::MAX);
        for block in inspection.blocks() {
            let after = self.arguments.to.is_some_and(|to| block.at > to);
            if after || self.shown >= count {
                break;
            }
            if self.from.is_some_and(|from| block.at.0 + block.length <= from.0) {
                continue;
            }
            if self.arguments.blocks {
                self.block(&block)?;
                continue;
            }
            let mut written = Ok(());
            inspection
                .records(&block, &mut |logged| {
                    written = self.record(&block, &logged);
                    written.is_ok() && self.shown < count
                })
                .map_err(|error| Failure::new(Exit::Failed, format!("cannot read the log: {error}")))?;
            written?;
        }
        Ok(())
    }

    fn block(&mut self, block: &Block) -> io::Result<()> {
        if let Some(tail) = &mut self.tail {
            tail.note(block.at);
            return Ok(());
        }
        self.shown += 1;
        let kind = match block.kind {
            BlockKind::Ordinary => "ordinary",
            BlockKind::Epoch => "epoch",
            BlockKind::Restated => "restated",
        };
        if self.format == Format::Json {
            return output::json_line(
                &mut self.output,
                &json!({
                    "position": block.at.to_string(), "length": block.length, "used": block.used,
                    "records": block.records, "epoch": block.epoch, "kind": kind, "index": block.index,
                    "durable": block.durable.to_string(), "file": block.path, "offset": block.offset,
                }),
            );
        }
        writeln!(
            self.output,
            "{:12} {:>8} {:>7} {:>8} {:>6}  {} at {}{}",
            block.at.to_string(),
            block.length,
            block.used,
            block.records,
            block.epoch,
            block.path.display(),
            block.offset,
            if block.kind == BlockKind::Ordinary { String::new() } else { format!("  {kind}") }
        )
    }

    fn record(&mut self, block: &Block, logged: &Logged<'_>) -> io::Result<()> {
        let outside = self.from.is_some_and(|from| logged.at < from)
            || self.arguments.to.is_some_and(|to| logged.at > to);
        if outside {
            return Ok(());
        }
        if let Some(tail) = &mut self.tail {
            tail.note(logged.at);
            return Ok(());
        }
        self.shown += 1;
        if self.format == Format::Json {
            return output::json_line(&mut self.output, &record_json(block, logged));
        }
        writeln!(
            self.output,
            "{:12} {:>8} {:>6}  {}",
            logged.at.to_string(),
            logged.length,
            block.epoch,
            harmless(&text_of(logged))
        )
    }
}

/// A record as a line; a definition as the command that makes it.
fn text_of(logged: &Logged<'_>) -> String {
    match &logged.content {
        Content::Record(Record::Define { object, definition }) if !StateObject::is_marked(definition) => {
            match Definition::decode(definition) {
                Ok(definition) => format!("define object {}: {}", object.0, definition.to_mqsc()),
                Err(error) => format!("{}, which cannot be read: {error}", logged.content),
            }
        }
        content if logged.lacks_body => format!("{content}; the body here cannot be read"),
        content => content.to_string(),
    }
}

/// A record with the fields that programs filter by.
fn record_json(block: &Block, logged: &Logged<'_>) -> Value {
    let mut object = Map::new();
    let mut set = |name: &str, value: Value| object.insert(name.to_owned(), value);
    set("position", logged.at.to_string().into());
    set("length", logged.length.into());
    set("epoch", block.epoch.into());
    if logged.lacks_body {
        set("lacks_body", true.into());
    }
    let unit_text = |unit: &storage::UnitId| Value::from(format!("{}.{}", unit.epoch, unit.counter));
    match &logged.content {
        Content::Record(Record::Put { unit, head, .. }) => {
            set("type", "put".into());
            set("unit", unit.as_ref().map_or(Value::Null, unit_text));
            set("queue", head.queue.0.into());
            set("sequence", head.sequence.0.into());
            set("priority", head.priority.into());
        }
        Content::Record(Record::PutMany { unit, copies }) => {
            let message = |copy: PutCopy<'_>| {
                let place = [("queue", copy.head.queue.0), ("sequence", copy.head.sequence.0)];
                Value::from_iter(place.map(|(name, number)| (name.to_owned(), Value::from(number))))
            };
            set("type", "put_many".into());
            set("unit", unit.as_ref().map_or(Value::Null, unit_text));
            set("messages", copies.iter().map(message).collect());
        }
        Content::Record(Record::Get { unit, queue, sequence }) => {
            set("type", "get".into());
            set("unit", unit.as_ref().map_or(Value::Null, unit_text));
            set("queue", queue.0.into());
            set("sequence", sequence.0.into());
        }
        Content::Record(Record::Commit { unit, records, .. }) => {
            set("type", "commit".into());
            set("unit", unit_text(unit));
            set("records", (*records).into());
        }
        Content::Record(Record::Prepare { unit, records, .. }) => {
            set("type", "prepare".into());
            set("unit", unit_text(unit));
            set("records", (*records).into());
        }
        Content::Record(Record::Backout { unit, .. }) => {
            set("type", "backout".into());
            set("unit", unit_text(unit));
        }
        Content::Record(Record::Define { object, definition }) => {
            set("type", "define".into());
            set("object", object.0.into());
            if StateObject::is_marked(definition) {
                set("state", logged.content.to_string().into());
            } else {
                set("mqsc", Definition::decode(definition).map_or(Value::Null, |it| it.to_mqsc().into()));
            }
        }
        Content::Record(Record::Delete { object }) => {
            set("type", "delete".into());
            set("object", object.0.into());
        }
        Content::Record(Record::Remove { queue, sequences }) => {
            set("type", "remove".into());
            set("queue", queue.0.into());
            set("messages", sequences.len().into());
        }
        Content::Fragment(bytes) => {
            set("type", "fragment".into());
            set("bytes", bytes.len().into());
        }
        Content::Epoch { number, .. } => {
            set("type", "epoch".into());
            set("number", (*number).into());
        }
        Content::Unknown => {
            set("type", "other".into());
        }
    }
    set("text", text_of(logged).into());
    Value::Object(object)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_of_a_body_that_cannot_be_read_is_shown_so() {
        let mut logged =
            Logged { at: Lsn(0), length: 40, content: Content::Fragment(&[0; 4]), lacks_body: false };
        assert_eq!(text_of(&logged), "fragment of 4 bytes");
        logged.lacks_body = true;
        assert_eq!(text_of(&logged), "fragment of 4 bytes; the body here cannot be read");
    }

    #[test]
    fn a_terminal_is_shown_the_last_records_unless_others_are_asked_for() {
        let asked = |words: &[&str]| {
            let words = ["ferry", "log", "show"].iter().chain(words);
            let parsed = <crate::arguments::Arguments as clap::Parser>::try_parse_from(words).unwrap();
            let crate::arguments::Command::Log(LogCommand::Show(arguments)) = parsed.command else {
                panic!("another command")
            };
            arguments
        };
        assert_eq!(asked(&[]).last(true), Some(LAST_ON_TERMINAL));
        assert_eq!(asked(&[]).last(false), None);
        assert_eq!(asked(&["--last", "3"]).last(false), Some(3));
        for bound in [["--from", "0/0"], ["--to", "0/9000"], ["-n", "5"]] {
            assert_eq!(asked(&bound).last(true), None, "{bound:?}");
        }
    }

    #[test]
    fn a_position_is_read_as_it_is_printed() {
        for position in [0, 0x3000, 0x1_0000_0042] {
            assert_eq!(parse_position(&Lsn(position).to_string()), Ok(Lsn(position)));
        }
        assert_eq!(parse_position("4096"), Ok(Lsn(4096)));
        for text in ["", "0/", "x/1", "1/2/3", "0/1FFFFFFFF"] {
            assert!(parse_position(text).is_err(), "{text}");
        }
    }
}
