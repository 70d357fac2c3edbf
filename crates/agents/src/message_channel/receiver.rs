//! The receiving end: messages from batches onto their queues.
//!
//! Always: a batch is committed with its number; a message that cannot be put holds up all behind it until it
//! is put, kept as a dead letter, or refused with its batch; behind a batch that is not committed nothing is.

use std::time::Duration;

use bytes::Bytes;
use channel::message::frame::{Destination, Message};
use channel::message::{
    BatchDone, BatchRefused, EndOfBatch, Facts, Receiving, Resume, Resumed, Sequence, Terms, Waiting,
};
use channel::{Frame, Kind, RequestNumber};
use mqi::{MessageDescriptor, Persistence, Reason, constants};
use platform::Monotonic;
use queue_manager::{Arrived, ChannelTally, Destinations, Gated, Substate, Transmission};
use storage::{Durable, Lsn, SyncObject};

use super::books::{Books, StateObject, commit_of, with_line};
use super::output::{Failed, Opened, OutgoingFrame, frame};
use super::step::{StepContext, StepError};
use super::undeliverable::{Exhausted, is_lack_of_room, is_returned};
use crate::arriving::{self, Room};
use wire::Assembly;

/// Longest time between two signs that a message waits.
const SIGN_INTERVAL: Duration = Duration::from_secs(10);

/// A message of which more is to come.
struct Arriving {
    message: Arrived,
    sequence: Sequence,
    assembly: Assembly<RequestNumber>,
    room: Room,
}

/// The step at which a message that was refused is.
enum Step {
    /// The reason may not be known yet.
    Judged(Gated<Reason>),
    /// The put is tried again at a time.
    Waits { until: Monotonic, reason: Reason },
    /// It can be kept nowhere; the reason may not be known yet.
    Refused(Gated<Reason>),
}

/// A message that could not be put.
struct Held {
    message: Arrived,
    sequence: Sequence,
    /// The reason of the last refusal that was judged.
    reason: Reason,
    /// Tries that are left, once the first refusal was judged.
    tries: Option<u32>,
    is_reported: bool,
    told_at: Option<Monotonic>,
}

/// The receiving end of a channel.
pub(super) struct Receiver {
    machine: Receiving,
    state: StateObject,
    sync: SyncObject,
    message_bytes_max: u32,
    sign_interval: Duration,
    destinations: Destinations,
    /// The destination of the last message.
    last: Option<Destination>,
    descriptor: MessageDescriptor,
    arriving: Option<Arriving>,
    /// The message that waits, and how far it is.
    held: Option<(Held, Step)>,
    /// A batch was not committed, and the next by the numbers would count as both: the channel is at its end.
    has_failed: bool,
    exhausted: Exhausted,
    /// Messages that arrived, until they were told.
    messages: u64,
    /// Figures for statistics, until they were told.
    tally: ChannelTally,
    batch_messages_max: u32,
    /// The messages of the last batch, until they were told.
    batch_messages: Option<u32>,
}

impl Receiver {
    pub(super) fn new(terms: Terms, books: &Books, destinations: Destinations) -> Self {
        let half = terms.heartbeat().map_or(SIGN_INTERVAL, |interval| interval / 2);
        Self {
            machine: Receiving::new(terms, books.of_receiver()),
            state: books.state.clone(),
            sync: books.sync.clone(),
            message_bytes_max: terms.message_bytes_max,
            sign_interval: half.min(SIGN_INTERVAL),
            destinations,
            last: None,
            descriptor: MessageDescriptor::default(),
            arriving: None,
            held: None,
            has_failed: false,
            exhausted: Exhausted::default(),
            messages: 0,
            tally: ChannelTally::default(),
            batch_messages_max: terms.batch_messages_max,
            batch_messages: None,
        }
    }

    /// Messages that arrived since the last call, and the size of the last batch that ended.
    pub(super) fn take_counts(&mut self) -> (u64, Option<u32>) {
        (std::mem::take(&mut self.messages), self.batch_messages.take())
    }

    /// The figures for statistics since the last call.
    pub(super) fn take_tally(&mut self) -> ChannelTally {
        std::mem::take(&mut self.tally)
    }

    pub(super) fn machine(&self) -> &Receiving {
        &self.machine
    }

    /// The Position to send: the books are durable.
    pub(super) fn position(&self) -> OutgoingFrame {
        let position = self.machine.position();
        OutgoingFrame::Plain(frame(|out| position.encode(out)))
    }

    pub(super) fn note_opened(&mut self, opened: &mut Opened) {
        if let Some(object) = opened.object.take() {
            self.state.note_defined(object);
        }
    }

    /// True while a message waits to be put.
    pub(super) fn is_paused(&self) -> bool {
        self.held.is_some()
    }

    /// True while a message outside batches waits to be put.
    pub(super) fn is_fast_held(&self) -> bool {
        self.held.as_ref().is_some_and(|(held, _)| held.sequence == Sequence(0))
    }

    /// True while no frame is looked at: a message waits, or a batch was not committed.
    pub(super) fn is_held(&self) -> bool {
        self.held.is_some() || self.has_failed
    }

    /// The step at which it is.
    pub(super) fn substate(&self) -> Substate {
        if self.held.is_some() { Substate::InPut } else { Substate::Receiving }
    }

    pub(super) fn hear_resume(
        &mut self,
        around: &mut StepContext<'_>,
        resume: &Resume,
    ) -> Result<(), StepError> {
        match self.machine.hear_resume(resume)? {
            Resumed::Running => {}
            Resumed::NewLine { line, before, begins } => {
                self.sync = with_line(&self.sync, line, before);
                let defined = self.state.begin_line(around.manager, &self.sync, begins.sequence);
                let position = self.machine.position();
                around.replies.push(defined.map(move |object| OutgoingFrame::Defined {
                    frame: frame(|out| position.encode(out)),
                    object,
                }));
            }
            // What is known was durable when it was read.
            Resumed::Again => around.replies.push(Gated::free(self.position())),
        }
        Ok(())
    }

    /// Hears a message, or the first part of one.
    pub(super) fn hear_message(
        &mut self,
        around: &mut StepContext<'_>,
        heard: &Frame<'_>,
    ) -> Result<(), Stop> {
        if self.arriving.is_some() {
            return Err(out_of_place("a message arrived within the body of another").into());
        }
        let message = Message::decode(heard, self.message_bytes_max, &mut self.descriptor)?;
        let Some(destination) = message.head.destination.or(self.last) else {
            return Err(out_of_place("the first message of a connection names no destination").into());
        };
        self.last = Some(destination);
        let facts = Facts { identifier: &self.descriptor.message_id.0, bytes: message.length };
        let sequence = message.head.sequence;
        match sequence {
            Sequence(0) => self.machine.hear_fast(),
            sequence => self.machine.hear_message(sequence, facts),
        }
        .map_err(StepError::from)?;
        let arrived = Arrived {
            queue: destination.queue,
            queue_manager: destination.queue_manager,
            hops: message.head.hops,
            descriptor: self.descriptor.clone(),
            body: Bytes::new(),
        };
        if message.body.len() == message.length as usize {
            let body = Bytes::copy_from_slice(message.body);
            self.arrive(around, Arrived { body, ..arrived }, sequence);
            return Ok(());
        }
        let owner = heard.header.request;
        let assembly = Assembly::begin(owner, message.length, message.body, self.message_bytes_max)
            .map_err(channel::Error::from)?;
        let no_room = || StepError::Failed(Reason::RESOURCE_PROBLEM, arriving::NO_ROOM.to_owned());
        let room = Room::take(around.manager, message.length as usize).ok_or_else(no_room)?;
        self.arriving = Some(Arriving { message: arrived, sequence, assembly, room });
        Ok(())
    }

    /// Says whether nothing more of a message that has come in part comes while others need its room.
    pub(super) fn is_overdue(&mut self, now: Monotonic) -> bool {
        self.arriving.as_mut().is_some_and(|one| one.room.is_overdue(now, one.assembly.arrived()))
    }

    /// Hears the next part of a body.
    pub(super) fn hear_fragment(
        &mut self,
        around: &mut StepContext<'_>,
        heard: &Frame<'_>,
    ) -> Result<(), Stop> {
        let Some(arriving) = &mut self.arriving else {
            return Err(out_of_place("a part of a body arrived, and no body is on its way").into());
        };
        let whole =
            arriving.assembly.add(heard.header.request, heard.payload).map_err(channel::Error::from)?;
        if let Some(body) = whole
            && let Some(Arriving { message, sequence, .. }) = self.arriving.take()
        {
            self.arrive(around, Arrived { body, ..message }, sequence);
        }
        Ok(())
    }

    fn arrive(&mut self, around: &mut StepContext<'_>, message: Arrived, sequence: Sequence) {
        self.messages += 1;
        let is_persistent = message.descriptor.persistence == Persistence::Persistent;
        self.tally.take_message(is_persistent, message.body.len());
        if let Err(refused) = self.put(around, &message, sequence) {
            let mut held = Held {
                message,
                sequence,
                reason: Reason::NONE,
                tries: None,
                is_reported: false,
                told_at: None,
            };
            if self.exhausted.holds(&destination_of(&held.message))
                && keep_in_batch(around, &mut held, &refused)
            {
                return;
            }
            self.held = Some((held, Step::Judged(refused)));
        }
    }

    /// Puts a message; the reason why not, which may not be known yet.
    fn put(
        &mut self,
        around: &mut StepContext<'_>,
        message: &Arrived,
        sequence: Sequence,
    ) -> Result<(), Gated<Reason>> {
        if message.hops > Transmission::HOPS_MAX {
            return Err(Gated::free(Reason::from_code(constants::MQFB_MAX_ACTIVITIES)));
        }
        let within = sequence != Sequence(0);
        let put = around.connection.arrivals().put(&mut self.destinations, message, within).split();
        put.map(|_| self.exhausted.forget(&destination_of(message)))
    }

    /// Hears the end of a batch: commits it with its number.
    pub(super) fn hear_end(
        &mut self,
        around: &mut StepContext<'_>,
        end: &EndOfBatch,
    ) -> Result<(), StepError> {
        if self.arriving.is_some() {
            return Err(out_of_place("a batch ended within a body"));
        }
        let mark = self.machine.hear_end(end)?;
        let Some(object) = self.state.object() else {
            return Err(StepError::Failed(Reason::UNEXPECTED_ERROR, "the channel has no state".into()));
        };
        let committed = around.connection.commit_batch(commit_of(object, mark));
        let done = BatchDone { batch: mark.batch, microseconds: 0 };
        let heard_at = around.now;
        self.batch_messages = Some(end.messages);
        self.tally.take_batch(end.messages, self.batch_messages_max);
        around.replies.push(match committed.split() {
            Ok(committed) => committed.map(move |()| OutgoingFrame::Done { done, heard_at }),
            Err(refused) => {
                self.has_failed = true;
                let text = "a batch cannot be committed now: it is sent again";
                refused.map(move |reason| OutgoingFrame::Failed(Failed { reason, text }))
            }
        });
        Ok(())
    }

    /// Goes on with a message that could not be put.
    ///
    /// # Errors
    /// The end of the channel, when the message can be kept nowhere.
    pub(super) fn go_on(&mut self, around: &mut StepContext<'_>, proof: Durable) -> Result<(), StepError> {
        while let Some((held, step)) = self.held.take() {
            let waits = match step {
                Step::Judged(reason) => match reason.open(proof) {
                    Err(reason) => (held, Step::Judged(reason)),
                    Ok(reason) => {
                        self.judge(around, held, reason)?;
                        continue;
                    }
                },
                Step::Waits { until, .. } if around.now >= until => {
                    self.try_again(around, held);
                    continue;
                }
                Step::Waits { until, reason } => {
                    let held = self.give_sign(around, held, reason);
                    (held, Step::Waits { until, reason })
                }
                Step::Refused(reason) => match reason.open(proof) {
                    Err(reason) => (held, Step::Refused(reason)),
                    Ok(reason) if is_of_connection(reason) => return Err(broken(reason)),
                    Ok(reason) if held.sequence == Sequence(0) => (held, later(around, reason)),
                    Ok(reason) => return Err(self.refuse(around, &held, reason)),
                },
            };
            self.held = Some(waits);
            return Ok(());
        }
        Ok(())
    }

    fn try_again(&mut self, around: &mut StepContext<'_>, held: Held) {
        self.tally.retries += 1;
        match self.put(around, &held.message, held.sequence) {
            Ok(()) => tell(around, held.sequence, Reason::NONE, 0),
            Err(refused) => {
                let tries = held.tries.map(|tries| tries.saturating_sub(1));
                self.held = Some((Held { tries, ..held }, Step::Judged(refused)));
            }
        }
    }

    /// Tells the sender from time to time that a message waits.
    fn give_sign(&self, around: &mut StepContext<'_>, held: Held, reason: Reason) -> Held {
        if held.told_at.is_some_and(|at| around.now.since(at) < self.sign_interval) {
            return held;
        }
        tell(around, held.sequence, reason, held.tries.unwrap_or(0));
        Held { told_at: Some(around.now), ..held }
    }

    /// A refusal is known: the message is tried again, or kept as a dead letter.
    fn judge(
        &mut self,
        around: &mut StepContext<'_>,
        mut held: Held,
        reason: Reason,
    ) -> Result<(), StepError> {
        if is_of_connection(reason) {
            return Err(broken(reason));
        }
        held.reason = reason;
        let destination = destination_of(&held.message);
        let retry = around.attributes.message_retry;
        let is_first = held.tries.is_none();
        let tries = *held.tries.get_or_insert_with(|| self.exhausted.tries(&destination, reason, retry));
        if tries > 0 {
            if is_first {
                held = self.give_sign(around, held, reason);
            }
            self.held = Some((held, later(around, reason)));
            return Ok(());
        }
        if !is_first {
            self.exhausted.note(destination);
        }
        match keep(around, &mut held, &Gated::free(reason)) {
            Ok(()) if held.told_at.is_some() => tell(around, held.sequence, Reason::NONE, 0),
            Ok(()) => {}
            Err(reason) => self.held = Some((held, Step::Refused(reason))),
        }
        Ok(())
    }

    /// The batch is refused: it is backed out here, and goes back there.
    fn refuse(&mut self, around: &mut StepContext<'_>, held: &Held, letter: Reason) -> StepError {
        // A letter that lacks room today is a reason to try again, even for a message that is wrong.
        let reason = if is_lack_of_room(letter) { letter } else { held.reason };
        let batch = self.machine.give_up();
        let _ = around.connection.back();
        let queue = held.message.queue;
        let text = match reason {
            _ if is_lack_of_room(held.reason) => {
                format!("a message for queue {queue} has no room now: its batch is sent again")
            }
            reason if reason != held.reason => {
                format!(
                    "a message for queue {queue} is refused with {}, and its dead letter has no room now",
                    held.reason
                )
            }
            reason if reason == letter => {
                format!("a message for queue {queue} cannot be put, and no dead-letter queue takes it")
            }
            _ => format!(
                "a message for queue {queue} cannot be put, and the dead-letter queue refuses it with {letter}"
            ),
        };
        let refused = BatchRefused { batch, sequence: held.sequence, reason, text: text.clone() };
        around.replies.push(Gated::free(OutgoingFrame::Plain(frame(|out| refused.encode(out)))));
        if is_lack_of_room(reason) {
            StepError::Failed(reason, text)
        } else {
            StepError::Halted(reason, text)
        }
    }

    /// The tries that are left for the message that waits.
    pub(super) fn tries_left(&self) -> u32 {
        self.held.as_ref().and_then(|(held, _)| held.tries).unwrap_or(0)
    }

    /// The time of the next try.
    pub(super) fn due(&self) -> Option<Monotonic> {
        match self.held.as_ref()?.1 {
            Step::Waits { until, .. } => Some(until),
            Step::Judged(_) | Step::Refused(_) => None,
        }
    }

    /// True while a message waits of which all may be known: [`Self::go_on`] is due now.
    pub(super) fn goes_on(&self, proof: Durable) -> bool {
        self.need().is_some_and(|need| need <= proof.lsn())
    }

    /// The least position at which something more may be known.
    pub(super) fn need(&self) -> Option<Lsn> {
        match &self.held.as_ref()?.1 {
            Step::Judged(reason) | Step::Refused(reason) => Some(reason.need()),
            Step::Waits { .. } => None,
        }
    }
}

/// A frame that ends the channel.
pub(super) enum Stop {
    Error(StepError),
    Protocol(channel::Error),
}

impl From<StepError> for Stop {
    fn from(trouble: StepError) -> Self {
        Self::Error(trouble)
    }
}

impl From<channel::Error> for Stop {
    fn from(error: channel::Error) -> Self {
        Self::Protocol(error)
    }
}

/// Tells the putter, and keeps the message as a dead letter; the reason why not.
fn keep(around: &mut StepContext<'_>, held: &mut Held, refused: &Gated<Reason>) -> Result<(), Gated<Reason>> {
    let within = held.sequence != Sequence(0);
    let Arrived { descriptor, body, .. } = &held.message;
    if !held.is_reported {
        let report = around.connection.arrivals().put_exception_report(refused, descriptor, body, within);
        drop(report.split()?);
        held.is_reported = true;
    }
    if is_returned(descriptor.report) {
        return Ok(());
    }
    if !around.attributes.uses_dead_letter_queue {
        return Err(refused.clone());
    }
    let kept = around.connection.arrivals().put_dead_letter(held.message.dead_letter(refused), within);
    kept.split().map(drop)
}

/// Keeps a message of a batch before the reason may be known; false if it is not kept. The commit of the
/// batch comes behind all that the refusal depends on, so that neither outlives the other.
fn keep_in_batch(around: &mut StepContext<'_>, held: &mut Held, refused: &Gated<Reason>) -> bool {
    held.sequence != Sequence(0) && keep(around, held, refused).is_ok()
}

/// Returns true for a refusal that says nothing of the message: its unit of work or its connection is gone.
fn is_of_connection(reason: Reason) -> bool {
    reason.ends_connection() || reason == Reason::BACKED_OUT
}

fn broken(reason: Reason) -> StepError {
    StepError::Failed(reason, "the batch was given up at the receiver: it is sent again".to_owned())
}

/// The next try.
fn later(around: &StepContext<'_>, reason: Reason) -> Step {
    Step::Waits { until: around.now.after(around.attributes.message_retry.interval), reason }
}

fn tell(around: &mut StepContext<'_>, sequence: Sequence, reason: Reason, tries_left: u32) {
    let waiting = Waiting { sequence, reason, tries_left };
    around.replies.push(Gated::free(OutgoingFrame::Plain(frame(|out| waiting.encode(out)))));
}

fn out_of_place(why: &'static str) -> StepError {
    StepError::Violation(channel::message::Violation::OutOfPlace(why))
}

fn destination_of(message: &Arrived) -> Destination {
    Destination { queue: message.queue, queue_manager: message.queue_manager }
}

/// The kind of a frame that only a sender sends.
pub(super) fn is_for_receiver(kind: Kind) -> bool {
    matches!(kind, Kind::Resume | Kind::Message | Kind::Fragment | Kind::EndOfBatch)
}
