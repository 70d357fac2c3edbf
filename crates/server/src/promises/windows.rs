//! The possible loss of each class of message, and its moment, with the present settings.

use super::super::configuration::{Configuration, LogKind};

/// Way of the log to the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Past the page cache, each write on the disk when it returns.
    Direct,
    /// Through the page cache, forced after each write, because the file system has no direct writes.
    Forced,
}

impl Writes {
    /// In words.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Direct => "direct writes (O_DIRECT, O_DSYNC)",
            Self::Forced => {
                "writes through the page cache, each followed by fdatasync (the file system has no direct ones)"
            }
        }
    }
}

/// Possible loss of a class of message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// Class of messages, or of other state.
    pub class: &'static str,
    /// When the call is answered.
    pub answered: &'static str,
    /// Loss that a crash after that can cause.
    pub lost: String,
}

/// Every class.
#[must_use]
pub fn windows(configuration: &Configuration) -> Vec<Window> {
    let log = &configuration.log;
    let damage = match log.kind {
        LogKind::Circular => {
            "circular: what a restart does not need is overwritten, so a damaged file comes from a backup"
        }
        LogKind::Linear => "linear: every log file is kept, and old ones are an administrator's to remove",
    };
    let rows = [
        (
            "persistent put, outside a unit of work",
            "when its record is on the disk",
            "nothing".to_owned(),
        ),
        (
            "persistent get, outside a unit of work",
            "when its record is on the disk",
            "the message itself, if the program ends before it has the answer; it never comes twice".to_owned(),
        ),
        (
            "put or get in a unit of work, not committed",
            "at once",
            "the unit of work as a whole (of at most MAXUMSGS messages), which is backed out: its puts are undone, \
             what it got is on the queue again"
                .to_owned(),
        ),
        ("commit with a persistent message", "when the whole unit is on the disk", "nothing persistent".to_owned()),
        (
            "asynchronous put, outside a unit of work",
            "before it is sent",
            "puts since the last MQSTAT that said all is well: what the client had not sent yet (1 or 2 ms, or 64 KiB) \
             and what the log had not forced yet"
                .to_owned(),
        ),
        (
            "asynchronous put in a unit of work",
            "before it is sent",
            "nothing persistent after the commit: a put of a persistent message that failed fails the commit (2003), which backs \
             the unit out; of others MQSTAT tells"
                .to_owned(),
        ),
        (
            "non-persistent message (express)",
            "when it is on the queue, in memory",
            "all of them, whenever the queue manager ends; those of queues with NPMCLASS(HIGH) only when it does not end in \
             order"
                .to_owned(),
        ),
        (
            "non-persistent message, with read-ahead",
            "before the program asks for it",
            "what was sent ahead to a program that then ends or loses its connection".to_owned(),
        ),
        (
            "definition of an object, MQSET, command",
            "when it is on the disk",
            "nothing; temporary dynamic queues end with the queue manager".to_owned(),
        ),
        ("damage to a file", "", damage.to_owned()),
    ];
    rows.map(|(class, answered, lost)| Window { class, answered, lost }).into()
}
