//! Foreign systems, a queue manager, and processes between them, as models: a world that a seed drives.
//!
//! A case is a system, a direction and a seed. An application puts messages at one side while links are cut, processes
//! are killed, stopped and woken, a second process takes the pipe, and both sides crash. Calls of a cut link may yet
//! arrive, as those of a process that was stopped between two instructions. Then everything is mended, the pipe runs
//! until nothing is left, and the verdict counts messages: lost, doubled, or twice dead letters.
//!
//! Lives here: the models and the verdict. Lives elsewhere: the machines, which run unchanged; faults are planted in
//! the steps between them ([`Planted`]), and each has to be found.
//!
//! Always: the same case gives the same course.

mod dice;
mod inward;
mod kafka;
mod links;
mod outward;
mod queue_manager;
#[cfg(test)]
mod tests;
mod world;

pub use dice::Dice;
pub use world::{course, simulate};

use mqi::MessageId;

use crate::exchange::{Event, Foreign};
use crate::system::System;

/// The number of a message, in the order of its put.
pub(crate) type Number = u32;

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) number: Number,
    pub(crate) is_persistent: bool,
}

impl Message {
    fn identifier(self) -> MessageId {
        let mut bytes = [0; 24];
        bytes[..4].copy_from_slice(&self.number.to_be_bytes());
        MessageId(bytes)
    }
}

/// An answer, with the messages whose bodies the host keeps.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) event: Event,
    pub(crate) messages: Vec<Message>,
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
        Direction::In => row.inward.is_exactly_once || row.source == crate::system::Source::Recent,
        Direction::OutHigh | Direction::InHigh => false,
    }
}

/// Every pair of a system and a direction.
#[must_use]
pub fn pairs() -> Vec<(System, Direction)> {
    let directions = [Direction::Out, Direction::In, Direction::OutHigh, Direction::InHigh];
    let all = crate::system::ROWS.iter().flat_map(|row| directions.map(|direction| (row.system, direction)));
    // IN from a foreign FerryMQ is the outbound machine with exchanged sides: the case of OUT.
    all.filter(|pair| !matches!(pair, (System::Ferry, Direction::In | Direction::InHigh))).collect()
}

/// A foreign system.
pub(crate) trait ForeignModel {
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
