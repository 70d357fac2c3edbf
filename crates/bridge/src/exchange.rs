//! Calls that a machine asks its host for, and the events that answer them.
//!
//! Always: calls to one side are made in the order in which they were asked for, and answered in it; after
//! [`Call::Reset`] no answer to an earlier call arrives. A call without an answer of its own says so.

use channel::message::{BatchNumber, Contradiction, Facts, Finding, Line, Mark};
use mqi::MessageId;

use crate::refusal::{DeadReason, Refusal};
use crate::seat::Seat;
use crate::state::{Identity, Note, PipeState};

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a call lives for one step, and most go to the queue manager")]
pub enum Call {
    /// To the queue manager.
    Local(Local),
    /// To the foreign system.
    Foreign(Foreign),
    /// Both connections end at once; what is open there ends with them. No answer.
    Reset,
    /// A difference that nothing can mend is told to people. No answer.
    Tell(Finding),
    /// The pipe stops until a person enters START or RESET. No answer.
    Stop(Stop),
}

/// A unit of work in which a dead letter is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLetterUnit {
    /// That of the batch: it comes back with it. No answer.
    Batch,
    /// A unit of its own with a note for a later settle. Answered by [`Event::Noted`].
    Noted,
    /// A unit of its own: the message was got outside one. Answered by [`Event::Noted`].
    Alone,
}

/// A call to the queue manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Local {
    /// Puts the seat anew with the next epoch. Answered by [`Event::SeatTaken`].
    TakeSeat,
    /// Begins the conversation, which ends that of the former holder. Answered by [`Event::Begun`].
    Begin {
        /// The instance.
        instance: [u8; 16],
        /// Its generation.
        generation: u64,
    },
    /// Reads state, branches and notes. Answered by [`Event::Books`].
    ReadBooks,
    /// Compares the state and puts it anew, in a unit of its own. Answered by [`Event::StatePut`] or
    /// [`Event::StateDiffers`].
    PutState {
        /// The state that must be there.
        expected: Option<PipeState>,
        /// The next.
        state: PipeState,
    },
    /// Gets messages that are there, in the branch of the batch, which begins with the first call. Answered
    /// by [`Event::Got`]. After an answer that says that no other message waits, the host waits at the queue,
    /// and tells [`Event::Arrived`] once; or [`Event::Broken`], if a later conversation begins meanwhile.
    Get {
        /// The line.
        line: Line,
        /// The batch.
        batch: BatchNumber,
        /// Most messages.
        messages_max: u32,
        /// Most bytes, to within the last message.
        bytes_max: u64,
    },
    /// Puts a message of the foreign system in the branch of a batch, or in the open unit. No answer.
    Put {
        /// The message.
        receipt: u64,
        /// The branch; none for the unit.
        branch: Option<(Line, BatchNumber)>,
    },
    /// Gets the state in the branch of the batch, compares it, puts it anew, and prepares the branch. Durable
    /// before the answer, [`Event::Prepared`] or [`Event::StateDiffers`].
    Prepare {
        /// The line.
        line: Line,
        /// The batch.
        batch: BatchNumber,
        /// The state that must be there.
        expected: PipeState,
        /// The next.
        state: PipeState,
        /// True if notes of earlier batches are removed with it.
        clears_notes: bool,
    },
    /// Commits a prepared branch. Neither forced nor answered: the next prepare carries it.
    Commit {
        /// The line.
        line: Line,
        /// The batch.
        batch: BatchNumber,
    },
    /// Backs a branch out, prepared or not, without counting it as a backout of its messages. Answered by
    /// [`Event::BackedOut`].
    BackOut {
        /// The line.
        line: Line,
        /// The batch.
        batch: BatchNumber,
    },
    /// Compares the state, puts it anew in the open unit, and commits that. Durable before the answer,
    /// [`Event::Committed`] or [`Event::StateDiffers`].
    CommitUnit {
        /// The state that must be there; none where the service keeps none.
        expected: Option<PipeState>,
        /// The next.
        state: Option<PipeState>,
    },
    /// Puts a message with a dead-letter header, and the exception report.
    DeadLetter {
        /// The line; none where units are units of work.
        line: Line,
        /// The batch.
        batch: BatchNumber,
        /// The message: its place in the batch, or its receipt.
        index: u64,
        /// Its place among the messages of the branch, where it has one.
        place: Option<u32>,
        /// The reason.
        reason: DeadReason,
        /// The unit.
        unit: DeadLetterUnit,
    },
}

/// A call to the foreign system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// Connects; where the system can, a former holder is fenced and its transaction ended before the answer,
    /// [`Event::Connected`].
    Connect {
        /// The epoch of the seat.
        epoch: u64,
    },
    /// Asks for the last batch of the pipe. Answered by [`Event::Last`].
    AskLast,
    /// Writes the beginning of a line. Answered by [`Event::LineBegun`].
    BeginLine {
        /// The line.
        line: Line,
    },
    /// Sends a message. Answered by [`Event::Acknowledged`] or [`Event::Refused`], except with
    /// [`Delivery::Atomic`](crate::system::Delivery::Atomic), where the commit has the one answer.
    Send {
        /// The batch.
        batch: BatchNumber,
        /// The message: its place in the batch.
        index: u64,
        /// Its publishing identifier, where it has one.
        id: Option<u64>,
    },
    /// Commits the messages sent since the last commit, with the number of the batch. Answered by
    /// [`Event::ForeignCommitted`] or [`Event::Refused`].
    Commit {
        /// The line.
        line: Line,
        /// The batch, and the chain up to it.
        mark: Mark,
    },
    /// Gives up what was sent since the last commit. Answered by [`Event::Aborted`].
    Abort,
    /// Asks for the source. Answered by [`Event::Source`].
    AskSource,
    /// Receives from a position on. No answer. A reader that the source overtakes, since its oldest message
    /// is behind the next one to read, is [`Event::Broken`]: the next bind finds the gap.
    Subscribe {
        /// The first position; none where the system has none.
        from: Option<u64>,
    },
    /// Lets so many messages more come. Answered by [`Event::Received`], as often.
    Credit {
        /// Messages.
        messages: u32,
    },
    /// Acknowledges a message and, where positions ascend, all before it. No answer.
    Acknowledge {
        /// The message.
        receipt: u64,
    },
}

/// A message that was got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GotMessage {
    /// Its identifier.
    pub identifier: MessageId,
    /// Bytes of its body.
    pub bytes: u32,
    /// True if it is persistent.
    pub is_persistent: bool,
    /// Why it has no form in the foreign system.
    pub refusal: Option<Refusal>,
}

impl GotMessage {
    /// The facts that the chain is made of.
    #[must_use]
    pub fn facts(&self) -> Facts<'_> {
        Facts { identifier: &self.identifier.0, bytes: self.bytes }
    }
}

/// A branch that is prepared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreparedBranch {
    /// The line.
    pub line: Line,
    /// The batch, and the chain up to it, as the state that the branch puts has them.
    pub mark: Mark,
    /// The messages that it has got, in their order and without the state; the host keeps their bodies. None
    /// are needed where a former holder is fenced: they are not sent again.
    pub messages: Vec<GotMessage>,
}

/// The durable books of a pipe.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Books {
    /// The state; as it was before the branch where a branch has got it.
    pub state: Option<PipeState>,
    /// Prepared branches of this pipe, by ascending batch.
    pub branches: Vec<PreparedBranch>,
    /// Notes on refused messages, those among them that a branch has got.
    pub notes: Vec<Note>,
}

/// The last batch as the foreign system knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Last {
    /// The line and the mark of the last batch; none where it knows nothing of the pipe.
    Batch(Option<(Line, Mark)>),
    /// The highest publishing identifier.
    Published(u64),
    /// The system cannot tell.
    Unknown,
}

/// The source of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceFacts {
    /// The mark that tells it from another of its name.
    pub identity: Identity,
    /// The oldest position that is still there; the next one where it is empty.
    pub oldest: u64,
    /// The position that the next message gets.
    pub next: u64,
}

/// A message of the foreign system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    /// Its place since the subscription, from 0: the machine names it by this.
    pub receipt: u64,
    /// Its position; none where the system has none.
    pub position: Option<u64>,
    /// Hash of its identifier and its content; none without an identifier of its own.
    pub hash: Option<u64>,
    /// True if the system says that it may have come before.
    pub is_redelivered: bool,
    /// True for a record of the system's own, such as the marker of a transaction: it only moves the
    /// position.
    pub is_control: bool,
    /// Bytes of its body.
    pub bytes: u32,
    /// Why it has no form here.
    pub refusal: Option<Refusal>,
}

/// An event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// START, or the host begins.
    Start,
    /// STOP, or the host ends: the batch is finished, and no other begins.
    End,
    /// Time passed.
    Tick,
    /// The seat was put. `former` is the seat that was there.
    SeatTaken {
        /// The seat.
        seat: Seat,
        /// The one before.
        former: Option<Seat>,
    },
    /// The conversation began.
    Begun,
    /// The books.
    Books(Books),
    /// The state was put.
    StatePut,
    /// Another state is there: another process holds the seat.
    StateDiffers,
    /// Messages, in their order; `is_idle` if no other waits.
    Got {
        /// The batch.
        batch: BatchNumber,
        /// The messages.
        messages: Vec<GotMessage>,
        /// True if the queue has no more.
        is_idle: bool,
    },
    /// A message arrived at a queue that had none.
    Arrived,
    /// The branch is prepared.
    Prepared(BatchNumber),
    /// The branch is backed out.
    BackedOut,
    /// The unit is committed.
    Committed,
    /// A dead letter outside the unit of the batch is durable.
    Noted {
        /// The batch.
        batch: BatchNumber,
        /// The message.
        index: u64,
    },
    /// The foreign system is connected.
    Connected,
    /// The last batch there.
    Last(Last),
    /// The line was begun there.
    LineBegun,
    /// A message is safe there.
    Acknowledged {
        /// The batch.
        batch: BatchNumber,
        /// The message.
        index: u64,
    },
    /// A message or a whole batch was refused.
    Refused {
        /// The batch.
        batch: BatchNumber,
        /// The message, where it is known.
        index: Option<u64>,
        /// Why.
        refusal: Refusal,
    },
    /// The batch is committed there.
    ForeignCommitted(BatchNumber),
    /// The messages that were sent are given up there.
    Aborted,
    /// The source.
    Source(SourceFacts),
    /// A message came.
    Received(Receipt),
    /// A connection broke, or a call failed in a way that passes.
    Broken(String),
}

/// Why a pipe stops until a person acts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// The numbers of both sides contradict each other.
    #[error("{}", words(.0))]
    Contradiction(Box<Contradiction>),
    /// A driver answered the question of the bind with something else.
    #[error(
        "the foreign system does not tell its last batch: the driver and the system do not fit each other"
    )]
    Untold,
    /// Two processes take the seat from each other.
    #[error(
        "{ours} and {theirs} take the pipe from each other: two processes serve its GROUP; end one of them, then enter \
         START PIPE"
    )]
    Contest {
        /// This process.
        ours: String,
        /// The other.
        theirs: String,
    },
    /// Messages of the source are gone.
    #[error(
        "{count} messages are gone: the source begins at {oldest} and the pipe stands at {last}; RESET PIPE goes on from \
         {oldest}"
    )]
    Gap {
        /// Messages that are gone.
        count: u64,
        /// The oldest one that is there.
        oldest: u64,
        /// The last one that was taken.
        last: u64,
    },
    /// The source is another one of the same name.
    #[error(
        "the source was made anew: the pipe stands at {last} of another one of this name, and this one ends at {next}; \
         RESET PIPE reads it from its beginning"
    )]
    OtherSource {
        /// The last position that was taken of the former one.
        last: u64,
        /// The position of the next message of this one.
        next: u64,
    },
    /// The source ends before the position of the pipe.
    #[error(
        "the source ends before {next} and the pipe stands at {last}: the source was restored from a backup; RESET PIPE \
         goes on from {next}"
    )]
    SourceBehind {
        /// The position of the next message.
        next: u64,
        /// The last position that was taken.
        last: u64,
    },
    /// Positions of a source do not ascend.
    #[error(
        "position {position} came behind {last}: the source gives its messages twice or out of order; enter START PIPE"
    )]
    Backward {
        /// The position.
        position: u64,
        /// The one before.
        last: u64,
    },
    /// Publishing identifiers of both sides contradict each other.
    #[error(
        "the highest publishing identifier is {theirs} there and {ours} here: one side was restored from a backup or the \
         stream was made anew; compare both, then enter RESET PIPE"
    )]
    Published {
        /// The highest one here.
        ours: u64,
        /// The highest one there.
        theirs: u64,
    },
    /// A branch is prepared that the state does not account for.
    #[error(
        "batch {batch} is prepared and the state of the pipe stands at batch {last} of {line}: the state was put back from \
         a backup; RESOLVE INDOUBT the branch, then enter RESET PIPE"
    )]
    Branch {
        /// The prepared batch.
        batch: BatchNumber,
        /// The last batch of the state.
        last: BatchNumber,
        /// The words for the line.
        line: &'static str,
    },
}

/// A contradiction in the words of pipes.
fn words(contradiction: &Contradiction) -> String {
    match contradiction {
        Contradiction::Numbers { confirmed, prepared, theirs, .. } => {
            let (there, here) = ((theirs.batch, theirs.chain), (confirmed.batch, confirmed.chain));
            let mut text = format!(
                "the last batch is {} (chain {}) there, and {} (chain {}) committed",
                there.0, there.1, here.0, here.1
            );
            if prepared != confirmed {
                text.push_str(&format!(" and {} (chain {}) prepared", prepared.batch, prepared.chain));
            }
            let next = if prepared == confirmed { "RESET PIPE" } else { "RESOLVE INDOUBT and RESET PIPE" };
            text + " here: one side was restored from a backup; compare both, then enter " + next
        }
        Contradiction::LineLost { ours, theirs, is_in_doubt } => {
            let next = if *is_in_doubt { "RESOLVE INDOUBT and RESET PIPE" } else { "RESET PIPE" };
            let theirs = match *theirs {
                Line::NONE => "none".to_owned(),
                line => line.to_string(),
            };
            format!(
                "the line is {theirs} there and {ours} here: one side was restored from a backup, or the state there was \
                 removed; compare both, then enter {next}"
            )
        }
        Contradiction::LineUnknown { theirs } => format!(
            "the line is {theirs} there, and the pipe never began it: this queue manager was restored from a backup, or \
             the state message was removed; compare both sides, then enter RESET PIPE"
        ),
        Contradiction::OtherPartner => {
            "batches are in doubt with another system: enter RESOLVE INDOUBT for them, then RESET PIPE"
                .to_owned()
        }
    }
}
