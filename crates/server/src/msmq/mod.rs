//! Queues of MSMQ, as its administrators export them, as definitions of ours.
//!
//! Lives here: the two forms of an export (`json`, `csv`) as records (`record`), the properties that are
//! known and their meaning (`property`), a whole export as MQSC ([`Translation`]).
//! Lives elsewhere: names of queues of that family (`formats::msmq`), running MQSC (`objects`,
//! `queue-manager`), the command that reads a file (`cli`).
//!
//! ```text
//! Get-MsmqQueue | Select-Object Path, Label, ... | ConvertTo-Json      one object, or an array of them
//! Get-MsmqQueue | Select-Object Path, Label, ... | Export-Csv          a line with the names, a line a queue
//! ```
//!
//! Always: every property is known. One that has a counterpart becomes an attribute; any other that asks
//! for something is a comment beside the definition. An export that is wrong in one place, or asks for
//! more safety than there is, gives nothing, and every such place is named by its line.

mod csv;
mod json;
mod property;
mod record;
mod reference;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use formats::msmq::{FormatName, Part, Place, parse_format_names, parse_path_name};
use mqi::ObjectName;
use objects::harmless::harmless;
use objects::quoted;

use crate::configuration::{Error, Fault};
use property::{PROPERTIES, Property};
pub use record::QUEUES_MAX;
use record::{Field, Record, shortened};
pub use reference::reference;

/// Most bytes of an export: ten thousand queues with all that the console prints of one.
pub const FILE_BYTES_MAX: usize = 16 << 20;

/// MAXDEPTH of a queue whose family counts bytes alone: the most there is.
const DEPTH_MAX: u32 = 999_999_999;

/// A queue that gets another name here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The queue as the export names it, such as `private$\orders-in` or `orders-in`.
    pub queue: String,
    /// Its name here.
    pub name: ObjectName,
}

/// An export in terms of MQSC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Translation {
    /// The definitions, with what is not carried as comments.
    pub script: String,
    /// Queues that are defined.
    pub queues: usize,
    /// Parts that the definitions do not have.
    pub not_carried: Vec<NotCarried>,
}

/// A property, or a whole queue, that has no counterpart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotCarried {
    /// The queue, as the export names it.
    pub queue: String,
    /// Its line, counted from one.
    pub line: usize,
    /// The property and its value; nothing for the whole queue.
    pub said: Option<String>,
    /// The reason: a clause.
    pub reason: String,
}

/// A queue that has been read.
struct Queue<'text> {
    record: &'text Record,
    /// The place that the record names.
    at: FormatName,
    /// The queue as the export names it, without its machine.
    shown: String,
}

impl Translation {
    /// Understands the text of an export; `path` is for the messages. Names that cannot be ours are given by
    /// `renamed`.
    ///
    /// # Errors
    /// Every place that is wrong.
    pub fn of(text: &str, renamed: &[Renamed], path: &Path) -> Result<Self, Error> {
        let in_file = |faults| Error::Faults { path: path.to_owned(), faults };
        let records = records(text).map_err(|fault| in_file(vec![fault]))?;
        let mut faults = Vec::new();
        let mut translation = Self::default();
        let mut queues = Vec::new();
        for record in &records {
            match Queue::of(record) {
                Ok(queue) => queues.push(queue),
                Err(found) => faults.extend(found),
            }
        }
        faults.extend(other_machine(&queues));
        faults.extend(names_of_nothing(&queues, renamed));
        let mut names = BTreeMap::new();
        for queue in &queues {
            if let Err(found) = translation.add(queue, renamed, &mut names) {
                faults.extend(found);
            }
        }
        if faults.is_empty() { Ok(translation) } else { Err(in_file(faults)) }
    }

    /// Adds a queue, whose name must be that of no earlier one.
    fn add<'text>(
        &mut self,
        queue: &Queue<'text>,
        renamed: &[Renamed],
        names: &mut BTreeMap<ObjectName, &'text Record>,
    ) -> Result<(), Vec<Fault>> {
        let line = queue.record.line;
        let fault = |what| vec![Fault { line, what }];
        let _ = writeln!(self.script, "* {}", harmless(&queue.shown));
        if let Some(reason) = queue.reason_left_out() {
            self.leave_out(queue, None, line, reason);
            return Ok(());
        }
        let name = queue.name(renamed).map_err(fault)?;
        if let Some(earlier) = names.insert(name, queue.record) {
            return Err(fault(format!(
                "{} becomes QLOCAL({name}), as the queue of line {} does: leave one out of the file, or give it a name \
                 with --rename '{}=NAME'",
                shortened(&queue.shown),
                earlier.line,
                shortened(&queue.shown)
            )));
        }
        let mut attributes = queue.attributes(&name);
        let mut faults = Vec::new();
        for field in &queue.record.fields {
            // What is unknown was refused before.
            let Some(property) = Property::named(&field.name) else { continue };
            match property.carried(field) {
                Ok(carried) => {
                    attributes.extend(carried.attributes);
                    if let Some(reason) = carried.reason {
                        self.leave_out(queue, Some(field.said()), field.line, reason);
                    }
                }
                Err(what) => faults
                    .push(Fault { line: field.line, what: format!("{}: {what}", shortened(&queue.shown)) }),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        self.queues += 1;
        let _ = writeln!(self.script, "DEFINE QLOCAL({}) {}", quoted(name.as_str()), attributes.join(" "));
        Ok(())
    }

    fn leave_out(&mut self, queue: &Queue<'_>, said: Option<String>, line: usize, reason: String) {
        let what = said.as_deref().unwrap_or("this queue");
        let _ = writeln!(self.script, "*   not carried: {}: {}", harmless(what), harmless(&reason));
        let queue = queue.shown.clone();
        self.not_carried.push(NotCarried { queue, line, said, reason });
    }
}

impl<'text> Queue<'text> {
    /// Reads the place of a record, and judges the names of its properties.
    fn of(record: &'text Record) -> Result<Self, Vec<Fault>> {
        let mut faults: Vec<Fault> = Vec::new();
        let mut given: BTreeMap<&str, &Field> = BTreeMap::new();
        for field in &record.fields {
            let wrong = match Property::named(&field.name) {
                None => property::unknown(&field.name),
                Some(property) => match given.insert(property.name, field) {
                    None => continue,
                    Some(earlier) => format!(
                        "{} is given twice for one queue, first on line {} as {}: leave one out",
                        shortened(&field.name),
                        earlier.line,
                        earlier.name
                    ),
                },
            };
            faults.push(Fault { line: field.line, what: wrong });
        }
        let fault = |what| Fault { line: record.line, what };
        let at = match (given.get("Path"), given.get("QueueName")) {
            (Some(path), _) => place(path),
            (None, Some(name)) => place_of_name(name),
            (None, None) => {
                Err(fault("the queue has neither Path nor QueueName: export it with Path".to_owned()))
            }
        };
        let is_given = |property: &Property| given.contains_key(property.name);
        let missing: Vec<&str> =
            PROPERTIES.iter().filter(|row| row.is_needed && !is_given(row)).map(|row| row.name).collect();
        match at {
            Ok(at) if faults.is_empty() => {
                let shown = shown(&at);
                if missing.is_empty() || is_of_system(&at) {
                    return Ok(Self { record, at, shown });
                }
                faults.push(fault(format!(
                    "{} has no {}: export the queues with these properties; docs/guides/from-msmq.md has the command",
                    shortened(&shown),
                    missing.join(", ")
                )));
            }
            Ok(_) => {}
            Err(fault) => faults.push(fault),
        }
        Err(faults)
    }

    /// The reason why nothing is defined for it.
    fn reason_left_out(&self) -> Option<String> {
        let reason = match (&self.at.part, &self.at.place) {
            (Part::Subqueue(_), _) => "subqueues are not yet supported",
            (Part::Journal, Place::Direct { .. }) => {
                "the journal belongs to its queue; journals are not yet supported"
            }
            (Part::Journal, _) => "the journal of the machine; journals of senders are not yet supported",
            (Part::DeadLetter | Part::DeadTransactional, _) => {
                "the queue manager has one dead-letter queue: see ALTER QMGR DEADQ"
            }
            (_, Place::Direct { is_private: true, queue, .. }) if is_internal(queue) => {
                "MSMQ keeps it for itself"
            }
            _ => return None,
        };
        Some(reason.to_owned())
    }

    /// The name here.
    fn name(&self, renamed: &[Renamed]) -> Result<ObjectName, String> {
        if let Some(renamed) = renamed.iter().find(|one| self.is_called(&one.queue)) {
            return Ok(renamed.name);
        }
        let queue = self.bare_name();
        let wrong = |why: String| {
            let shown = shortened(&self.shown);
            format!("{shown} cannot have its name here: {why}; give it one with --rename '{shown}=NAME'")
        };
        let name = queue.parse::<ObjectName>().map_err(|error| wrong(error.to_string()))?;
        if name.as_str().to_ascii_uppercase().starts_with("SYSTEM.") {
            return Err(wrong("names that begin with SYSTEM. are the system's".to_owned()));
        }
        Ok(name)
    }

    /// True if these words name it, with or without `private$`, in any case.
    fn is_called(&self, words: &str) -> bool {
        words.eq_ignore_ascii_case(&self.shown) || words.eq_ignore_ascii_case(self.bare_name())
    }

    fn bare_name(&self) -> &str {
        match &self.at.place {
            Place::Direct { queue, .. } => queue,
            _ => "",
        }
    }

    /// The attributes that every queue of the family has.
    fn attributes(&self, name: &ObjectName) -> Vec<String> {
        let mut attributes = vec![format!("MAXDEPTH({DEPTH_MAX})")];
        let bare = self.bare_name();
        // A name that a queue of ours can have is no second name.
        if bare != name.as_str() && bare.parse::<ObjectName>().is_err() && bare.len() <= AMQP_NAME_BYTES_MAX {
            attributes.push(format!("AMQPNAME({})", quoted(bare)));
        }
        attributes
    }
}

/// Most bytes of AMQPNAME.
const AMQP_NAME_BYTES_MAX: usize = 255;

/// Private queues of the family's own.
const INTERNAL: [&str; 4] = ["admin_queue$", "mqis_queue$", "notify_queue$", "order_queue$"];

fn is_internal(queue: &str) -> bool {
    INTERNAL.iter().any(|known| known.eq_ignore_ascii_case(queue))
}

/// True for queues that nobody defines, of which an export need not have every property.
fn is_of_system(at: &FormatName) -> bool {
    at.part != Part::Whole || matches!(at.place, Place::DirectMachine { .. } | Place::Machine(_))
}

/// The records of either form.
fn records(text: &str) -> Result<Vec<Record>, Fault> {
    if text.len() > FILE_BYTES_MAX {
        let what = format!("the file has more than {} MiB: export it in parts", FILE_BYTES_MAX >> 20);
        return Err(Fault { line: 1, what });
    }
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let records =
        if text.trim_start().starts_with(['{', '[']) { json::read(text)? } else { csv::read(text)? };
    match records.first() {
        Some(_) => Ok(records),
        None => {
            Err(Fault { line: 1, what: "the file has no queue: export some with Get-MsmqQueue".to_owned() })
        }
    }
}

/// The place that a Path names: a path name, or a direct format name.
fn place(field: &Field) -> Result<FormatName, Fault> {
    let wrong = |what: String| Fault { line: field.line, what };
    let text = field.text().map_err(wrong)?;
    let is_format_name = text.get(..11).is_some_and(|begin| begin.eq_ignore_ascii_case("FormatName:"));
    let read = if is_format_name {
        parse_format_names(text).map(|mut names| names.swap_remove(0))
    } else {
        parse_path_name(text)
    };
    let at = read.map_err(|fault| wrong(format!("{} is wrong: {fault}", field.said())))?;
    match at.place {
        Place::Direct { .. } | Place::DirectMachine { .. } => Ok(at),
        _ => Err(wrong(format!("{} names no queue by its name: export Path or QueueName", field.said()))),
    }
}

/// The place that a QueueName names on this machine.
fn place_of_name(field: &Field) -> Result<FormatName, Fault> {
    let wrong = |what: String| Fault { line: field.line, what };
    let text = field.text().map_err(wrong)?;
    parse_path_name(&format!(".\\{text}"))
        .map_err(|fault| wrong(format!("{} is wrong: {fault}", field.said())))
}

/// A queue as the export names it, without its machine.
fn shown(at: &FormatName) -> String {
    let part = match &at.part {
        Part::Whole | Part::TransactionalOnly => String::new(),
        Part::Journal => "\\Journal$".to_owned(),
        Part::Subqueue(name) => format!(";{name}"),
        Part::DeadLetter => "\\Deadletter$".to_owned(),
        Part::DeadTransactional => "\\XactDeadletter$".to_owned(),
    };
    match &at.place {
        Place::Direct { is_private, queue, .. } => {
            format!("{}{queue}{part}", if *is_private { "private$\\" } else { "" })
        }
        _ => part.trim_start_matches('\\').to_owned(),
    }
}

/// Finds the first queue of another machine: one queue manager stands for one of them.
fn other_machine(queues: &[Queue<'_>]) -> Option<Fault> {
    let host = |queue: &Queue<'_>| match &queue.at.place {
        Place::Direct { host, .. } | Place::DirectMachine { host, .. } if host != "." => Some(host.clone()),
        _ => None,
    };
    let mut hosts = queues.iter().filter_map(|queue| Some((queue.record.line, host(queue)?)));
    let (_, first) = hosts.next()?;
    let (line, other) = hosts.find(|(_, host)| !host.eq_ignore_ascii_case(&first))?;
    let what = format!(
        "the queue is of the machine {}, earlier ones are of {}: make a file and a queue manager for each machine",
        shortened(&other),
        shortened(&first)
    );
    Some(Fault { line, what })
}

/// Finds names that are given to queues that the file does not have.
fn names_of_nothing(queues: &[Queue<'_>], renamed: &[Renamed]) -> Vec<Fault> {
    let is_missing = |one: &&Renamed| !queues.iter().any(|queue| queue.is_called(&one.queue));
    let faults = renamed.iter().filter(is_missing).map(|one| Fault {
        line: 1,
        what: format!("--rename {}: the file has no such queue; leave the option out", shortened(&one.queue)),
    });
    faults.collect()
}
