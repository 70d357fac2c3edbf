//! An event as a line, for people or for programs.
//!
//! Inserts may hold what came from outside. They are shown so that they cannot end the line, move the cursor
//! or reverse the direction of the text.

use std::panic::Location;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use objects::harmless;
use objects::messages::MessageRow;
use platform::{Clock, WallTime, os::OsClock};
use serde_json::json;

/// Most characters of one insert: a name, a path or an address, not a message body.
const INSERT_MAX: usize = 1000;

/// One event with its circumstances.
pub(super) struct Event {
    pub(super) row: &'static MessageRow,
    pub(super) inserts: Vec<String>,
    pub(super) time: WallTime,
    pub(super) thread: String,
    pub(super) source: &'static Location<'static>,
}

impl Event {
    /// An event of the error log itself.
    #[track_caller]
    pub(super) fn own<const N: usize>(row: &'static MessageRow, inserts: [String; N]) -> Self {
        let source = Location::caller();
        let thread = "ferry-errors".to_owned();
        Self { row, inserts: inserts.into(), time: OsClock.wall(), thread, source }
    }

    fn sentence(&self) -> String {
        sentence(self.row, &self.inserts)
    }

    /// One line for people.
    pub(super) fn text(&self, queue_manager: &str) -> String {
        format!(
            "{time} {id} {queue_manager} [{process}/{thread}] {sentence} Explanation: {explanation} Action: {action} \
             (user {user}, program {program}, host {host}, installation {installation}, version {version}, {source})\n",
            time = super::utc(self.time),
            id = self.row.id(),
            process = std::process::id(),
            thread = self.thread,
            sentence = self.sentence(),
            explanation = self.row.explanation,
            action = self.row.action,
            user = place().user,
            program = place().program,
            host = place().host,
            installation = place().installation,
            version = env!("CARGO_PKG_VERSION"),
            source = self.source(),
        )
    }

    /// One line for programs.
    pub(super) fn json(&self, queue_manager: &str) -> String {
        let inserts: Vec<String> = self.inserts.iter().map(|insert| harmless(insert)).collect();
        let line = json!({
            "time": super::utc(self.time),
            "id": self.row.id(),
            "severity": self.row.severity.word(),
            "queue_manager": queue_manager,
            "process": std::process::id(),
            "thread": self.thread,
            "message": self.sentence(),
            "inserts": inserts,
            "explanation": self.row.explanation,
            "action": self.row.action,
            "user": place().user,
            "program": place().program,
            "host": place().host,
            "installation": place().installation,
            "version": env!("CARGO_PKG_VERSION"),
            "source": self.source(),
        });
        format!("{line}\n")
    }

    fn source(&self) -> String {
        format!("{}:{}", self.source.file(), self.source.line())
    }
}

fn of_program(part: impl Fn(&Path) -> Option<PathBuf>) -> String {
    let part = std::env::current_exe().ok().and_then(|path| part(&path));
    part.map_or_else(|| "unknown".to_owned(), |part| harmless(&part.to_string_lossy()))
}

/// The sentence with its inserts, made safe; an insert too few or too many still gives a sentence.
pub(super) fn sentence(row: &MessageRow, inserts: &[String]) -> String {
    let mut inserts = inserts.iter();
    let mut text = String::new();
    for (index, part) in row.text.split("{}").enumerate() {
        if index > 0 {
            text.push_str(&harmless(inserts.next().map_or("?", String::as_str)));
        }
        text.push_str(part);
    }
    let more: Vec<String> = inserts.map(|insert| harmless(insert)).collect();
    if more.is_empty() { text } else { format!("{text} ({})", more.join(", ")) }
}

/// Where this process runs; asked once.
pub(super) struct Place {
    pub(super) user: String,
    pub(super) program: String,
    pub(super) host: String,
    /// The directory of the program.
    pub(super) installation: String,
}

pub(super) fn place() -> &'static Place {
    static PLACE: OnceLock<Place> = OnceLock::new();
    PLACE.get_or_init(|| Place {
        user: rustix::process::getuid().as_raw().to_string(),
        program: of_program(|path| path.file_name().map(Into::into)),
        installation: of_program(|path| path.parent().map(Into::into)),
        host: harmless(&rustix::system::uname().nodename().to_string_lossy()),
    })
}

/// The beginning of a text, its harmful letters replaced.
pub(super) fn harmless(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (index, letter) in text.chars().enumerate() {
        if index == INSERT_MAX {
            safe.push('…');
            break;
        }
        harmless::push(&mut safe, letter);
    }
    safe
}
