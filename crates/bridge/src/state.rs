//! The durable state of a pipe thread, and the names of its branches.
//!
//! The state is one message on SYSTEM.FERRY.BRIDGE.STATE: it is got, compared and put anew in the unit of
//! work of each batch, so that it is in the log, in backups and in replicas together with the messages that
//! it counts.
//!
//! ```text
//! ferry-bridge-state 1
//! line=0123456789ABCDEF        the numbering; 0 before the first
//! used=1                       a batch of the line was prepared
//! batch=12  sequence=340  chain=…     each on a line of its own: the last committed batch
//! before=LINE:BATCH:SEQUENCE:CHAIN    the end of the line before, or none
//! replaces=LINE                the foreign line that a person gave up by RESET, or 0
//! position=none | published:LAST:BEFORE:SENT | source:IDENTITY:N | recent:HASH,HASH,…
//! ```
//!
//! Always: text of a state that is not as this release writes it is an error, never a state: a message that
//! was edited or cut stops its pipe.

use std::collections::VecDeque;
use std::fmt::Write as _;

use channel::message::{BatchNumber, Chain, Line, LineEnd, Mark, SenderState, Sequence};

use crate::batch::MESSAGES_MAX;
use crate::digest::digest;

/// Identifiers that a state keeps, at most: twice the largest prefetch.
pub const RECENT_MAX: usize = 4096;

/// A pipe thread, as its branches name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PipeKey(pub [u8; 16]);

impl PipeKey {
    /// The key of a thread of a pipe: by the identifier of the queue manager, the name of the pipe, the time
    /// of its definition, and the number of the thread.
    #[must_use]
    pub fn of(queue_manager: &str, pipe: &str, created: u64, thread: u32) -> Self {
        let (created, thread) = (created.to_be_bytes(), thread.to_be_bytes());
        Self(digest(&[b"pipe", queue_manager.as_bytes(), pipe.as_bytes(), &created, &thread]))
    }
}

/// The name of a branch: the global part of its XID, of format `FRYB`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BranchName {
    /// The pipe thread.
    pub pipe: PipeKey,
    /// The line of the batch.
    pub line: Line,
    /// The batch.
    pub batch: BatchNumber,
}

impl BranchName {
    /// The format of the XID, `FRYB`.
    pub const FORMAT: i32 = i32::from_be_bytes(*b"FRYB");

    /// The bytes of the global part.
    #[must_use]
    pub fn encode(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes[..16].copy_from_slice(&self.pipe.0);
        bytes[16..24].copy_from_slice(&self.line.0.to_be_bytes());
        bytes[24..].copy_from_slice(&self.batch.0.to_be_bytes());
        bytes
    }

    /// Reads the global part of an XID; none for one of another length.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let bytes: &[u8; 32] = bytes.try_into().ok()?;
        let number = |at: usize| u64::from_be_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let pipe = PipeKey(bytes[..16].try_into().expect("sixteen bytes"));
        Some(Self { pipe, line: Line(number(16)), batch: BatchNumber(number(24)) })
    }
}

/// The mark that tells one source from another of the same name: the identifier of a topic, the creation of a
/// stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Identity(pub [u8; 16]);

/// Publishing identifiers of a pipe. Each persistent message has one, also one that the server refused: the
/// server never got that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Published {
    /// That of the last message of the last batch.
    pub last: u64,
    /// The one before the first message of that batch.
    pub before: u64,
    /// The highest that the server had before that batch.
    pub sent: u64,
}

impl Published {
    /// All numbers at the highest identifier of a server that the pipe never used.
    #[must_use]
    pub const fn begin(highest: u64) -> Self {
        Self { last: highest, before: highest, sent: highest }
    }

    /// The highest identifier that the server has once the last batch went out, but for messages at these
    /// places, which it refused.
    #[must_use]
    pub fn highest(&self, refused: &[u32]) -> u64 {
        let place = |id: u64| u32::try_from(id - self.before - 1).unwrap_or(u32::MAX);
        let mut sent = (self.before + 1..=self.last).rev().filter(|id| !refused.contains(&place(*id)));
        sent.next().unwrap_or(self.sent)
    }

    /// The numbers with a batch of so many persistent messages more. `refused` are places in the batch
    /// before.
    #[must_use]
    pub fn with_batch(&self, places: u32, refused: &[u32]) -> Self {
        Self { last: self.last + u64::from(places), before: self.last, sent: self.highest(refused) }
    }
}

/// The foreign position of a pipe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Position {
    /// None: the line and the batch say all.
    #[default]
    None,
    /// OUT: publishing identifiers.
    Published(Published),
    /// IN: the position of the last message of a source. None before its first one.
    Source {
        /// The source.
        identity: Identity,
        /// The last position.
        last: Option<u64>,
    },
    /// IN: hashes of the last messages, oldest first.
    Recent(VecDeque<u64>),
}

/// The state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PipeState {
    /// The line; none before the first bind.
    pub line: Line,
    /// True when a batch of the line was prepared.
    pub is_used: bool,
    /// The last committed batch.
    pub last: Mark,
    /// The end of the last used line before this one.
    pub before: Option<LineEnd>,
    /// The line of the foreign side that a person gave up by RESET.
    pub replaces: Line,
    /// The foreign position.
    pub position: Position,
}

/// The first line of the text of a state.
const HEAD: &str = "ferry-bridge-state 1";

impl PipeState {
    /// The text of its message.
    #[must_use]
    pub fn encode(&self) -> String {
        let mut text = format!("{HEAD}\nline={}\nused={}\n", self.line, u8::from(self.is_used));
        let Mark { batch, sequence, chain } = self.last;
        let _ = writeln!(text, "batch={batch}\nsequence={sequence}\nchain={chain}");
        let _ = match self.before {
            None => writeln!(text, "before=none"),
            Some(LineEnd { line, mark: Mark { batch, sequence, chain } }) => {
                writeln!(text, "before={line}:{batch}:{sequence}:{chain}")
            }
        };
        let _ = writeln!(text, "replaces={}", self.replaces);
        let _ = match &self.position {
            Position::None => writeln!(text, "position=none"),
            Position::Published(Published { last, before, sent }) => {
                writeln!(text, "position=published:{last}:{before}:{sent}")
            }
            Position::Source { identity, last: Some(last) } => {
                writeln!(text, "position=source:{}:{last}", hex(&identity.0))
            }
            Position::Source { identity, last: None } => {
                writeln!(text, "position=source:{}:-", hex(&identity.0))
            }
            Position::Recent(recent) => {
                let recent: Vec<String> = recent.iter().map(|hash| format!("{hash:016X}")).collect();
                writeln!(text, "position=recent:{}", recent.join(","))
            }
        };
        text
    }

    /// Reads a state.
    ///
    /// # Errors
    /// The line that is not as this release writes it.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        let mut reader = Reader::begin(text, HEAD)?;
        let line = Line(reader.word("line")?);
        let is_used = match reader.value("used")? {
            "0" => false,
            "1" => true,
            _ => return Err(Fault { line: "used" }),
        };
        let last = Mark {
            batch: BatchNumber(reader.number("batch")?),
            sequence: Sequence(narrow(reader.number("sequence")?, "sequence")?),
            chain: Chain(reader.word("chain")?),
        };
        let before = match reader.value("before")? {
            "none" => None,
            text => Some(line_end(text).ok_or(Fault { line: "before" })?),
        };
        let replaces = Line(reader.word("replaces")?);
        let position = position(reader.value("position")?).ok_or(Fault { line: "position" })?;
        reader.end()?;
        Ok(Self { line, is_used, last, before, replaces, position })
    }

    /// The state in the terms of the decision on batches in doubt, with these prepared batches.
    #[must_use]
    pub fn in_doubt(&self, prepared: VecDeque<Mark>) -> SenderState {
        SenderState {
            line: self.line,
            is_used: self.is_used || !prepared.is_empty(),
            confirmed: self.last,
            prepared,
            before: self.before,
            replaces: self.replaces,
            resolved: None,
            is_in_doubt_with_another: false,
        }
    }

    /// The state once a batch is committed.
    #[must_use]
    pub fn with_batch(&self, mark: Mark, position: Position) -> Self {
        Self { is_used: true, last: mark, position, replaces: Line::NONE, ..self.clone() }
    }

    /// The state at the beginning of a new line. The end of a used line is kept, to be compared.
    #[must_use]
    pub fn with_line(&self, line: Line) -> Self {
        let before =
            if self.is_used { Some(LineEnd { line: self.line, mark: self.last }) } else { self.before };
        Self { line, is_used: false, last: Mark::START, before, ..self.clone() }
    }

    /// The state after RESET PIPE, by which a person gives up the foreign line that a stop named, and the
    /// position.
    #[must_use]
    pub fn reset(&self, line: Line, theirs: Line) -> Self {
        let position = match self.position {
            // Publishing identifiers only grow, whatever a person decides.
            Position::Published(_) => self.position.clone(),
            _ => Position::None,
        };
        Self { replaces: theirs, position, ..self.with_line(line) }
    }
}

/// A message of a prepared batch that the foreign side refused: it is a dead letter by a unit of work that
/// this note is part of, and a later settle passes over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Note {
    /// The line.
    pub line: Line,
    /// The batch.
    pub batch: BatchNumber,
    /// Place of the message in its branch, from 0.
    pub index: u32,
}

/// Why the text of a state or of a seat is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the state of the pipe cannot be read at \"{line}\": the message was edited, or a later release wrote it; put it \
     back from a backup, or enter RESET PIPE"
)]
pub struct Fault {
    /// The line, or the place.
    pub line: &'static str,
}

/// Reads lines `name=value` in their order.
pub(crate) struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    pub(crate) fn begin(text: &'t str, head: &str) -> Result<Self, Fault> {
        let rest = text.strip_prefix(head).and_then(|rest| rest.strip_prefix('\n'));
        rest.map(|rest| Self { rest }).ok_or(Fault { line: "head" })
    }

    pub(crate) fn value(&mut self, name: &'static str) -> Result<&'t str, Fault> {
        let fault = Fault { line: name };
        let (line, rest) = self.rest.split_once('\n').ok_or(fault)?;
        let value = line.strip_prefix(name).and_then(|line| line.strip_prefix('='));
        self.rest = rest;
        value.ok_or(fault)
    }

    pub(crate) fn number(&mut self, name: &'static str) -> Result<u64, Fault> {
        decimal(self.value(name)?).ok_or(Fault { line: name })
    }

    pub(crate) fn word(&mut self, name: &'static str) -> Result<u64, Fault> {
        hex_word(self.value(name)?).ok_or(Fault { line: name })
    }

    pub(crate) fn bytes(&mut self, name: &'static str) -> Result<[u8; 16], Fault> {
        hex_bytes(self.value(name)?).ok_or(Fault { line: name })
    }

    pub(crate) fn end(self) -> Result<(), Fault> {
        if self.rest.is_empty() { Ok(()) } else { Err(Fault { line: "end" }) }
    }
}

/// Bytes as capital hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02X}");
        text
    })
}

fn narrow(number: u64, line: &'static str) -> Result<u32, Fault> {
    u32::try_from(number).map_err(|_| Fault { line })
}

/// A number as `Display` writes it. One that no pipe reaches is none, so that the next one always exists.
fn decimal(text: &str) -> Option<u64> {
    const MAX: u64 = i64::MAX.cast_unsigned();
    text.parse().ok().filter(|number: &u64| *number < MAX && number.to_string() == text)
}

fn hex_word(text: &str) -> Option<u64> {
    let is_written = text.len() == 16 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    if is_written { u64::from_str_radix(text, 16).ok() } else { None }
}

fn hex_bytes(text: &str) -> Option<[u8; 16]> {
    let (high, low) = text.split_at_checked(16)?;
    let number = u128::from(hex_word(high)?) << 64 | u128::from(hex_word(low)?);
    Some(number.to_be_bytes())
}

fn line_end(text: &str) -> Option<LineEnd> {
    let mut parts = text.split(':');
    let line = Line(hex_word(parts.next()?)?);
    let batch = BatchNumber(decimal(parts.next()?)?);
    let sequence = Sequence(u32::try_from(decimal(parts.next()?)?).ok()?);
    let chain = Chain(hex_word(parts.next()?)?);
    parts.next().is_none().then_some(LineEnd { line, mark: Mark { batch, sequence, chain } })
}

fn position(text: &str) -> Option<Position> {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    Some(match kind {
        "none" if text == "none" => Position::None,
        "published" => {
            let (last, rest) = rest.split_once(':')?;
            let (before, sent) = rest.split_once(':')?;
            let published =
                Published { last: decimal(last)?, before: decimal(before)?, sent: decimal(sent)? };
            // A batch has at most 9,999 messages, so that looking through it ends soon.
            let is_batch = published.sent <= published.before
                && (published.before..=published.before.saturating_add(MESSAGES_MAX.into()))
                    .contains(&published.last);
            is_batch.then_some(Position::Published(published))?
        }
        "source" => {
            let (identity, last) = rest.split_once(':')?;
            let last = if last == "-" { None } else { Some(decimal(last)?) };
            Position::Source { identity: Identity(hex_bytes(identity)?), last }
        }
        "recent" if rest.is_empty() && text.ends_with(':') => Position::Recent(VecDeque::new()),
        "recent" => {
            let recent: VecDeque<u64> = rest.split(',').map(hex_word).collect::<Option<_>>()?;
            (recent.len() <= RECENT_MAX).then_some(Position::Recent(recent))?
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn marks() -> impl Strategy<Value = Mark> {
        (0..u64::MAX / 2, any::<u32>(), any::<u64>()).prop_map(|(batch, sequence, chain)| Mark {
            batch: BatchNumber(batch),
            sequence: Sequence(sequence),
            chain: Chain(chain),
        })
    }

    fn positions() -> impl Strategy<Value = Position> {
        prop_oneof![
            Just(Position::None),
            (any::<u32>(), 0_u64..9_999, any::<u32>()).prop_map(|(before, places, sent)| {
                let before = u64::from(before);
                let sent = before.min(sent.into());
                Position::Published(Published { last: before + places, before, sent })
            }),
            (any::<[u8; 16]>(), proptest::option::of(0..u64::MAX / 2))
                .prop_map(|(identity, last)| Position::Source { identity: Identity(identity), last }),
            proptest::collection::vec(any::<u64>(), 0..5).prop_map(|recent| Position::Recent(recent.into())),
        ]
    }

    fn states() -> impl Strategy<Value = PipeState> {
        let before = proptest::option::of((any::<u64>(), marks()));
        (any::<u64>(), any::<bool>(), marks(), before, any::<u64>(), positions()).prop_map(
            |(line, is_used, last, before, replaces, position)| PipeState {
                line: Line(line),
                is_used,
                last,
                before: before.map(|(line, mark)| LineEnd { line: Line(line), mark }),
                replaces: Line(replaces),
                position,
            },
        )
    }

    proptest! {
        #[test]
        fn a_state_reads_back_and_a_part_of_it_does_not(state in states(), cut in any::<proptest::sample::Index>()) {
            let text = state.encode();
            prop_assert_eq!(PipeState::decode(&text), Ok(state));
            prop_assert!(PipeState::decode(&text[..cut.index(text.len())]).is_err());
        }

        #[test]
        fn text_that_reads_as_a_state_is_the_text_that_is_written(text in ".{0,300}") {
            if let Ok(state) = PipeState::decode(&text) {
                prop_assert_eq!(state.encode(), text);
            }
        }
    }

    #[test]
    fn a_state_that_was_edited_is_refused_by_the_line() {
        let text =
            PipeState { position: Position::Published(Published::begin(7)), ..PipeState::default() }.encode();
        for (from, to, line) in [
            ("used=0", "used=2", "used"),
            ("batch=0", "batch=00", "batch"),
            ("batch=0", "batch=+1", "batch"),
            ("sequence=0", "sequence=4294967296", "sequence"),
            ("before=none", "before=1:2:3:4", "before"),
            ("published:7:7:7", "published:", "position"),
            ("published:7:7:7", "published:7:8:7", "position"),
            ("published:7:7:7", "published:9223372036854775807:0:0", "position"),
            ("published:7:7:7", "recent", "position"),
            ("published:7:7:7", "none:", "position"),
            ("published:7:7:7", "source:00:1", "position"),
            ("state 1", "state 2", "head"),
        ] {
            let wrong = text.replace(from, to);
            assert_ne!(wrong, text, "{from}");
            assert_eq!(PipeState::decode(&wrong), Err(Fault { line }), "{to}");
        }
        let many = vec!["0000000000000000"; RECENT_MAX + 1].join(",");
        assert!(PipeState::decode(&text.replace("published:7:7:7", &format!("recent:{many}"))).is_err());
    }

    #[test]
    fn identifiers_of_refused_messages_are_none_that_the_server_has() {
        let begun = Published::begin(4);
        let first = begun.with_batch(3, &[]);
        assert_eq!((first, first.highest(&[])), (Published { last: 7, before: 4, sent: 4 }, 7));
        assert_eq!([&[2][..], &[1], &[1, 2], &[0, 1, 2]].map(|refused| first.highest(refused)), [6, 7, 5, 4]);
        let empty = first.with_batch(0, &[2]);
        assert_eq!((empty, empty.highest(&[])), (Published { last: 7, before: 7, sent: 6 }, 6));
    }

    #[test]
    fn the_name_of_a_branch_reads_back_and_differs_by_each_part() {
        let pipe = PipeKey::of("QM1_2026", "K1.OUT", 7, 0);
        let name = BranchName { pipe, line: Line(9), batch: BatchNumber(3) };
        assert_eq!(BranchName::decode(&name.encode()), Some(name));
        assert_eq!(BranchName::decode(&name.encode()[..31]), None);
        for other in [
            PipeKey::of("QM1_2027", "K1.OUT", 7, 0),
            PipeKey::of("QM1_2026", "K1.IN", 7, 0),
            PipeKey::of("QM1_2026", "K1.OUT", 8, 0),
            PipeKey::of("QM1_2026", "K1.OUT", 7, 1),
        ] {
            assert_ne!(pipe, other);
        }
    }

    #[test]
    fn a_reset_begins_a_line_and_keeps_publishing_identifiers() {
        let used = PipeState::default().with_line(Line(5)).with_batch(
            Mark { batch: BatchNumber(2), sequence: Sequence(7), chain: Chain(1) },
            Position::Published(Published::begin(40)),
        );
        let reset = used.reset(Line(6), Line(9));
        assert_eq!((reset.line, reset.replaces, reset.is_used), (Line(6), Line(9), false));
        assert_eq!(reset.before, Some(LineEnd { line: Line(5), mark: used.last }));
        assert_eq!(reset.position, Position::Published(Published::begin(40)));
    }
}
