//! The properties of a queue of MSMQ, a row each, with their counterpart or the reason why there is none.

use objects::quoted;

use super::record::{Field, Value, shortened};
use crate::configuration::nearest;

/// Most bytes of DESCR.
const DESCRIPTION_BYTES_MAX: usize = mqi::constants::MQ_Q_DESC_LENGTH;

/// A property.
pub(super) struct Property {
    pub(super) name: &'static str,
    /// Names that the commands of the shell have for it.
    pub(super) aliases: &'static [&'static str],
    /// A queue without it is refused: it decides what the definition is.
    pub(super) is_needed: bool,
    pub(super) effect: Effect,
    /// The counterpart in words, for the reference page.
    pub(super) becomes: &'static str,
}

/// The effect of a property.
pub(super) enum Effect {
    /// The name of the queue, which is read before.
    Name,
    /// Attributes, or the reason why a value is not carried.
    Carries(fn(&Field) -> Result<Carried, String>),
    /// A state, a count or a setting of the program that exported it.
    Nothing,
}

/// The result of a property.
#[derive(Default)]
pub(super) struct Carried {
    pub(super) attributes: Vec<String>,
    /// The reason why not all of it is carried: a clause.
    pub(super) reason: Option<String>,
}

impl Carried {
    fn attribute(text: impl Into<String>) -> Self {
        Self { attributes: vec![text.into()], reason: None }
    }

    fn not(reason: &str) -> Self {
        Self { attributes: Vec::new(), reason: Some(reason.to_owned()) }
    }
}

const fn row(name: &'static str, effect: Effect, becomes: &'static str) -> Property {
    Property { name, aliases: &[], is_needed: false, effect, becomes }
}

const fn of_program(name: &'static str) -> Property {
    row(name, Effect::Nothing, "nothing: a setting of the program that reads it")
}

const fn of_state(name: &'static str) -> Property {
    row(name, Effect::Nothing, "nothing: a state at the time of the export")
}

impl Property {
    const fn needed(mut self) -> Self {
        self.is_needed = true;
        self
    }

    const fn or(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.name].into_iter().chain(self.aliases.iter().copied())
    }

    /// The property of a name, in any case.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        PROPERTIES.iter().find(|row| row.names().any(|known| known.eq_ignore_ascii_case(name)))
    }

    /// The attributes that a value makes.
    ///
    /// # Errors
    /// The value is wrong, or asks for more safety than there is.
    pub(super) fn carried(&self, field: &Field) -> Result<Carried, String> {
        match self.effect {
            Effect::Carries(carry) => carry(field),
            Effect::Name | Effect::Nothing => Ok(Carried::default()),
        }
    }
}

/// The words for a name that no property has.
pub(super) fn unknown(name: &str) -> String {
    let known = PROPERTIES.iter().flat_map(Property::names);
    let near = nearest(name, known).map_or_else(String::new, |near| format!(" (did you mean {near}?)"));
    format!(
        "a queue has no property {}{near}: leave it out of the export; docs/reference/msmq-queues.md lists the \
         properties",
        shortened(name)
    )
}

/// Every property that a queue has, or the shell adds to it.
pub(super) const PROPERTIES: &[Property] = &[
    row("Path", Effect::Name, "the name of the queue, or with `QueueName`"),
    row("QueueName", Effect::Name, "the name of the queue, where there is no `Path`").or(&["Name"]),
    row("Label", Effect::Carries(label), "`DESCR`, of which a longer text is cut at 64 bytes"),
    row(
        "Transactional",
        Effect::Carries(transactional),
        "`SYNCREQ(YES) DEFPSIST(YES) MSGDLVSQ(FIFO)` for `True`",
    )
    .needed(),
    row("MaximumQueueSize", Effect::Carries(quota), "`QUOTA`; above 999,999,999 `MAXFSIZE`, in megabytes")
        .or(&["QueueQuota"])
        .needed(),
    row("UseJournalQueue", Effect::Carries(journal), "a comment for `True`: journals are not yet supported")
        .or(&["Journaling"])
        .needed(),
    row(
        "MaximumJournalSize",
        Effect::Carries(journal_quota),
        "a comment for a bound: journals are not yet supported",
    )
    .or(&["JournalQuota"]),
    row(
        "Authenticate",
        Effect::Carries(authenticate),
        "**refused** for `True`: signed messages are not yet supported",
    )
    .needed(),
    row(
        "EncryptionRequired",
        Effect::Carries(privacy),
        "**refused** for `Body` (2): encrypted messages are not yet supported",
    )
    .or(&["PrivacyLevel"])
    .needed(),
    row("BasePriority", Effect::Carries(base_priority), "a comment for another number than 0"),
    row("Category", Effect::Carries(category), "a comment for an identifier: queues are found by name"),
    row("MulticastAddress", Effect::Carries(multicast), "a comment for an address: use a subscription"),
    row("Id", Effect::Nothing, "nothing: queues are found by name"),
    row("FormatName", Effect::Nothing, "nothing: `Path` says the same"),
    row("MachineName", Effect::Nothing, "nothing: `Path` says the same")
        .or(&["ComputerName", "PSComputerName"]),
    of_state("CreateTime"),
    of_state("LastModifyTime"),
    of_state("MessageCount"),
    of_state("JournalMessageCount"),
    of_state("BytesInQueue"),
    of_state("BytesInJournal"),
    of_state("SubQueueCount"),
    of_state("SubqueueNames"),
    of_state("State"),
    of_state("Site"),
    of_state("Container"),
    of_state("CanRead"),
    of_state("CanWrite"),
    of_program("AccessMode"),
    of_program("DefaultPropertiesToSend"),
    of_program("DenySharedReceive"),
    of_program("EnableConnectionCache"),
    of_program("Formatter"),
    of_program("MessageReadPropertyFilter"),
    of_program("ReadHandle"),
    of_program("SynchronizingObject"),
    of_program("WriteHandle"),
    of_program("RunspaceId"),
    of_program("PSShowComputerName"),
];

/// The size that means no bound.
const NO_BOUND: i64 = 0xFFFF_FFFF;

/// Kilobytes of a quota; none for no bound.
fn kilobytes(field: &Field) -> Result<Option<i64>, String> {
    let size = field.number(-1..=NO_BOUND)?;
    Ok((0..NO_BOUND).contains(&size).then_some(size))
}

fn label(field: &Field) -> Result<Carried, String> {
    let text = field.text()?;
    if text.is_empty() {
        return Ok(Carried::default());
    }
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let cut = plain[..plain.floor_char_boundary(DESCRIPTION_BYTES_MAX)].trim_end();
    let mut carried = Carried::attribute(format!("DESCR({})", quoted(cut)));
    if cut != text {
        carried.reason = Some(format!(
            "DESCR has at most {DESCRIPTION_BYTES_MAX} bytes on one line; the rest is left out"
        ));
    }
    Ok(carried)
}

fn transactional(field: &Field) -> Result<Carried, String> {
    if !field.truth()? {
        return Ok(Carried::attribute("DEFPSIST(NO)"));
    }
    // Messages of a transaction are recoverable and have one priority.
    let attributes = ["SYNCREQ(YES)", "DEFPSIST(YES)", "MSGDLVSQ(FIFO)"];
    Ok(Carried { attributes: attributes.map(str::to_owned).into(), reason: None })
}

fn quota(field: &Field) -> Result<Carried, String> {
    const QUOTA_MAX: i64 = 999_999_999;
    let Some(kilobytes) = kilobytes(field)? else { return Ok(Carried::default()) };
    let (attribute, bound) = match kilobytes {
        ..=QUOTA_MAX => (format!("QUOTA({})", kilobytes.max(1)), kilobytes.max(1)),
        _ => {
            let megabytes = (kilobytes + 1_023) / 1_024;
            (format!("MAXFSIZE({megabytes})"), megabytes * 1_024)
        }
    };
    let reason = (bound != kilobytes).then(|| format!("{attribute} is the nearest bound above"));
    Ok(Carried { attributes: vec![attribute], reason })
}

fn journal(field: &Field) -> Result<Carried, String> {
    let reason = "copies of messages that programs get (JRNLQ) are not yet supported";
    Ok(if field.truth()? { Carried::not(reason) } else { Carried::default() })
}

fn journal_quota(field: &Field) -> Result<Carried, String> {
    let reason = "journals, and so bounds of them, are not yet supported";
    Ok(if kilobytes(field)?.is_some() { Carried::not(reason) } else { Carried::default() })
}

fn authenticate(field: &Field) -> Result<Carried, String> {
    if field.truth()? {
        return Err(format!(
            "{} cannot be had: a queue that takes signed messages alone is not yet supported; let users in by \
             certificate or password and give rights (docs/guides/users-and-rights.md), then write False",
            field.said()
        ));
    }
    Ok(Carried::default())
}

fn privacy(field: &Field) -> Result<Carried, String> {
    const LEVELS: [&str; 3] = ["None", "Optional", "Body"];
    let level = match &field.value {
        Value::Text(text) => LEVELS.iter().position(|level| level.eq_ignore_ascii_case(text)),
        _ => None,
    };
    let level = match level {
        Some(level) => level,
        None => field
            .number(0..=2)
            .map(|level| usize::try_from(level).unwrap_or_default())
            .map_err(|_| field.wrong("None (0), Optional (1) or Body (2)"))?,
    };
    if LEVELS[level] == "Body" {
        return Err(format!(
            "{} cannot be had: a queue that takes encrypted messages alone is not yet supported; have channels and \
             clients connect by TLS (docs/guides/certificates.md), then write Optional",
            field.said()
        ));
    }
    Ok(Carried::default())
}

fn base_priority(field: &Field) -> Result<Carried, String> {
    let reason =
        "messages to one queue do not overtake those to another on a channel; priorities of messages count";
    let priority = field.number(i16::MIN.into()..=i16::MAX.into())?;
    Ok(if priority == 0 { Carried::default() } else { Carried::not(reason) })
}

fn category(field: &Field) -> Result<Carried, String> {
    const NONE: &str = "00000000-0000-0000-0000-000000000000";
    let text = field.text()?;
    let reason = "an identifier of the kind of a queue (TYPEID) is not yet supported";
    Ok(if text.is_empty() || text == NONE { Carried::default() } else { Carried::not(reason) })
}

fn multicast(field: &Field) -> Result<Carried, String> {
    let reason = "senders publish to a topic, and DEFINE SUB leads its publications to the queue";
    Ok(if field.text()?.is_empty() { Carried::default() } else { Carried::not(reason) })
}
