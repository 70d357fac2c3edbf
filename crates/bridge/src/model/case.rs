//! Cases, verdicts, and the trait of foreign systems.

use mqi::MessageId;

use super::dice::Dice;
use crate::exchange::{Event, Foreign};
use crate::system::{ROWS, Source, System};

/// The number of a message, in the order of its put.
pub(super) type Number = u32;

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) number: Number,
    pub(super) is_persistent: bool,
}

impl Message {
    pub(super) fn identifier(self) -> MessageId {
        let mut bytes = [0; 24];
        bytes[..4].copy_from_slice(&self.number.to_be_bytes());
        MessageId(bytes)
    }
}

/// An answer, with the messages whose bodies the host keeps.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) event: Event,
    pub(super) messages: Vec<Message>,
}

impl From<Event> for Answer {
    fn from(event: Event) -> Self {
        Self { event, messages: Vec::new() }
    }
}

/// The direction of a pipe, with its service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// From here to the foreign system, SERVICE(NORMAL).
    Out,
    /// From the foreign system to here, SERVICE(NORMAL).
    In,
    /// From here, SERVICE(HIGH).
    OutHigh,
    /// To here, SERVICE(HIGH).
    InHigh,
}

/// A fault of a host or of a driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Planted {
    /// None.
    Nothing,
    /// The branch is prepared once the foreign side has committed.
    PrepareAfterForeignCommit,
    /// The state is put in a unit of work of its own, behind that of the messages.
    StateInAnotherUnit,
    /// The foreign queue manager commits without comparing its state message.
    StateNotCompared,
    /// A new transactional producer neither fences the former one nor ends its transaction.
    OldInstanceNotEnded,
    /// A prepared branch is backed out though its messages may yet be sent.
    BackedOutThoughNotFenced,
    /// The last batch is read up to the last stable offset.
    ReadToLastStableOffset,
    /// The oldest message that is there is told as the one behind the position.
    GapIgnored,
    /// Messages are acknowledged before the commit of their unit.
    AcknowledgeBeforeCommit,
}

/// A case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The foreign system.
    pub system: System,
    /// The direction.
    pub direction: Direction,
    /// The seed.
    pub seed: u64,
    /// The planted fault.
    pub planted: Planted,
}

/// The verdict on a case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Messages that the application put.
    pub messages: usize,
    /// Persistent messages that are nowhere.
    pub lost: Vec<u32>,
    /// Messages that came more than once.
    pub doubled: Vec<u32>,
    /// Anything else that is wrong: a stop without a cause, a message that was refused and arrived.
    pub wrong: Vec<String>,
    /// Breaks of the course: cuts, kills, crashes, takeovers.
    pub breaks: usize,
    /// Stops that had a cause, such as a gap.
    pub stops: Vec<String>,
    /// A digest of the course: the same case has the same.
    pub digest: u64,
}

impl Verdict {
    /// Returns true if nothing was lost or wrong, and nothing doubled where that is promised.
    #[must_use]
    pub fn holds(&self, is_exactly_once: bool) -> bool {
        self.lost.is_empty() && self.wrong.is_empty() && (self.doubled.is_empty() || !is_exactly_once)
    }
}

/// Returns true if the case promises that nothing is doubled.
#[must_use]
pub fn is_exactly_once(system: System, direction: Direction) -> bool {
    let row = system.row();
    match direction {
        Direction::Out => row.out.is_exactly_once,
        // In the simulation every message has an identifier of its own, as the sentence of the row asks.
        Direction::In => row.inward.is_exactly_once || row.source == Source::Recent,
        Direction::OutHigh | Direction::InHigh => false,
    }
}

/// Every pair of a system and a direction.
#[must_use]
pub fn pairs() -> Vec<(System, Direction)> {
    let directions = [Direction::Out, Direction::In, Direction::OutHigh, Direction::InHigh];
    let all = ROWS.iter().flat_map(|row| directions.map(|direction| (row.system, direction)));
    // IN from a foreign FerryMQ is the outbound machine with exchanged sides: the case of OUT.
    all.filter(|pair| !matches!(pair, (System::Ferry, Direction::In | Direction::InHigh))).collect()
}

/// A foreign system.
pub(super) trait ForeignModel {
    /// Serves a call. `of` is the message that a Send carries.
    fn call(&mut self, session: u64, call: &Foreign, of: Option<Message>) -> Vec<Answer>;

    /// A session ends, and is known to.
    fn end_session(&mut self, session: u64);

    /// The server ends and comes back: sessions and what was not acknowledged are gone.
    fn crash(&mut self);

    /// Something that happens there by itself.
    fn disturb(&mut self, _dice: &mut Dice) {}

    /// Nothing disturbs any more.
    fn heal(&mut self) {}

    /// Messages on their way to sessions.
    fn deliveries(&mut self, _dice: &mut Dice) -> Vec<(u64, Answer)> {
        Vec::new()
    }

    /// Adds a message for a pipe IN.
    fn add(&mut self, _number: Number) {}

    /// Messages that consumers of a pipe OUT see.
    fn visible(&self) -> Vec<Number> {
        Vec::new()
    }

    /// Messages that are gone without having been taken.
    fn gone(&self) -> Vec<Number> {
        Vec::new()
    }

    /// True if a session of a pipe IN has been given everything.
    fn is_drained(&self, _session: u64) -> bool {
        true
    }
}
