//! The sending end: messages from a transmission queue into batches.
//!
//! Always: a message that was got and cannot be sent is a dead letter in the unit of work that got it, before
//! the batch ends; one outside batches holds up the gets behind it until a dead-letter queue takes it; a
//! batch in doubt is settled by its name alone; a channel ends in order once the partner has put what went
//! outside batches.

use std::collections::VecDeque;
use std::time::Duration;

use channel::Kind;
use channel::message::frame::put_plain;
use channel::message::{
    BatchDone, BatchNumber, BatchRefused, EndOfBatch, Facts, Line, MessageHead, Position, Prepare, Sending,
    Sequence, Terms, Verdict, Waiting,
};
use mqi::constants::{MQFB_XMIT_Q_MSG_ERROR, MQRC_MSG_TOO_BIG_FOR_CHANNEL};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Reason, Wait,
};
use objects::ChannelAttributes;
use platform::Monotonic;
use queue_manager::{
    ActivityReport, Ask, ChannelFinding, ChannelTally, ChannelUse, Connection, DeadLetter, Decision, Gated,
    Get, Going, GotMessage, Outbound, Outcome, PreparedPurpose, QueueManager, Series, Substate, WaitToken,
};
use storage::record::ChannelBatch;
use storage::{Durable, Lsn, SyncObject, UnitId};

use super::books::{Books, StateObject, with_line};
use super::output::{Failed, NOT_PREPARED, Opened, OutgoingFrame, frame};
use super::step::{StepContext, StepError};
use super::undeliverable::is_lack_of_room;
use crate::gate::Replies;
use crate::streams::WAITING_BYTES_MAX;

/// Most messages that are got before the other connections of the reactor have their turn.
const MESSAGES_PER_TURN: usize = 128;

/// Bytes of bodies that one get brings, to within the last.
const SERIES_BYTES_MAX: u64 = 256 * 1024;

/// Longest time for a partner to answer before the end of a batch: a partner that is there does in one tick,
/// unless it writes a long block.
const ANSWERED_WITHIN: Duration = Duration::from_secs(10);

/// Time between two tries to keep a message outside batches that cannot be sent: that of a receiver unless
/// MRTMR says otherwise.
const LETTER_INTERVAL: Duration = Duration::from_secs(1);

/// The sending end of a channel.
pub(super) struct Sender {
    machine: Sending,
    /// The terms that both ends agreed on.
    agreed: Terms,
    state: StateObject,
    sync: SyncObject,
    in_doubt_with: Option<String>,
    /// Units of work of the batches whose end was sent, or that were found.
    units: VecDeque<(BatchNumber, UnitId)>,
    /// The ends of batches in flight, with the times at which they were sent.
    sent: VecDeque<(BatchNumber, Monotonic)>,
    /// The microseconds that the last batch was on its way, until they were told.
    net_time: Option<u32>,
    /// The microseconds that the last message was on the transmission queue, until they were told.
    queue_time: Option<u32>,
    /// Figures for statistics, until they were told.
    tally: ChannelTally,
    /// BATCHHB: the time at which the partner was asked for a sign before a batch ends.
    asked_at: Option<Monotonic>,
    handle: Option<ObjectHandle>,
    outbound: Outbound,
    waiting: Option<WaitToken>,
    tokens: u64,
    /// True where the last get found nothing.
    is_idle: bool,
    /// Messages that cannot be sent.
    letters: VecDeque<Letter>,
    /// Reports of activities that are to be put, and whether they are in the unit of work. At most as many as
    /// messages of a batch.
    reports: VecDeque<(ActivityReport, bool)>,
    /// True while the unit of work has something that no batch counts.
    has_letter: bool,
    /// A get that failed, until its reason may be known.
    failed: Option<Gated<Result<Going, Reason>>>,
    /// Time since which no message was sent and none was in doubt.
    quiet_since: Option<Monotonic>,
    /// The receiver waits before it takes more.
    is_paused: bool,
    /// A batch was not prepared, and its messages are back: the channel is at its end.
    has_failed: bool,
    fast: Fast,
    /// Messages outside batches that were got and are not encoded.
    fast_to_send: u64,
    /// Times that the partner was asked if it has the fast messages.
    fast_asks: u32,
}

/// A message that cannot be sent.
struct Letter {
    going: Gated<Result<Going, Reason>>,
    /// True if it is in the unit of work.
    is_within: bool,
    /// When it is tried again, after no dead-letter queue took it: on its queue it is no more.
    due: Option<Monotonic>,
}

/// Messages outside batches, of which only the partner knows whether a queue has taken them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fast {
    /// All were put, or none was sent.
    Put,
    /// Some may wait at the partner.
    Sent,
    /// The partner is asked behind the last of them.
    Asked,
}

impl Sender {
    pub(super) fn new(terms: Terms, books: &Books, outbound: Outbound) -> Self {
        Self {
            machine: Sending::new(terms, books.of_sender()),
            agreed: terms,
            state: books.state.clone(),
            sync: books.sync.clone(),
            in_doubt_with: books.in_doubt_with.clone(),
            units: books.prepared.iter().map(|(mark, unit)| (mark.batch, *unit)).collect(),
            sent: VecDeque::new(),
            net_time: None,
            queue_time: None,
            tally: ChannelTally::default(),
            asked_at: None,
            handle: None,
            outbound,
            waiting: None,
            tokens: 0,
            is_idle: false,
            letters: VecDeque::new(),
            reports: VecDeque::new(),
            has_letter: false,
            failed: None,
            quiet_since: None,
            is_paused: false,
            has_failed: false,
            fast: Fast::Put,
            fast_to_send: 0,
            fast_asks: 0,
        }
    }

    pub(super) fn machine(&self) -> &Sending {
        &self.machine
    }

    /// Settles what is in doubt by the receiver's word, and resumes.
    pub(super) fn hear_position(
        &mut self,
        around: &mut StepContext<'_>,
        theirs: &Position,
    ) -> Result<(), StepError> {
        match self.machine.hear_position(theirs)? {
            Verdict::GoOn { commits, .. } => {
                self.settle_found(around.manager, commits);
                self.resume(around);
                self.open(around)
            }
            Verdict::NewLine { commits, keeps, finding } => {
                self.settle_found(around.manager, commits);
                let line = keeps.unwrap_or_else(|| Line(around.manager.channels().draw_line()));
                let before = self.machine.begin_line(line);
                self.sync = with_line(&self.sync, line, before);
                // The log may have another number for a line that goes on, from before SEQWRAP was altered.
                let start = self.machine.books().confirmed.sequence;
                let defined = self.state.begin_line(around.manager, &self.sync, start);
                let resume = self.machine.resume();
                around.replies.push(defined.map(move |object| OutgoingFrame::Defined {
                    frame: frame(|out| resume.encode(out)),
                    object,
                }));
                if !finding.is_empty() {
                    let finding = ChannelFinding::EndsDiffer(finding.to_string());
                    around.manager.channels().tell(&self.sync.channel, &finding);
                }
                Ok(())
            }
            Verdict::Stop(contradiction) => {
                let line = contradiction.line();
                if line != Line::NONE {
                    self.sync.stopped_at = Some(storage::Line(line.0));
                    self.sync.wants_reset = false;
                    let _ = self.state.change(around.manager, &self.sync);
                }
                if let Some(other) = &self.in_doubt_with {
                    return Err(self.other_partner(other, contradiction.to_string()));
                }
                Err(StepError::Halted(Reason::CHANNEL_NOT_AVAILABLE, contradiction.to_string()))
            }
        }
    }

    /// Another queue manager is at the address than the one with which batches are in doubt.
    fn other_partner(&self, other: &str, told: String) -> StepError {
        let SyncObject { channel, partner, partner_identifier, .. } = &self.sync;
        let text = format!(
            "batches are in doubt with queue manager {other}, and {partner} (QMID {partner_identifier}) answers at \
             CONNAME: if the first one moved, correct CONNAME; else enter RESOLVE CHANNEL({channel}), with COMMIT \
             where it has the batches and BACKOUT where not. Then enter START CHANNEL({channel})"
        );
        StepError::OtherPartner { text, told }
    }

    fn settle_found(&mut self, manager: &QueueManager, commits: usize) {
        let found: Vec<_> = self.units.drain(..).collect();
        let (committed, backed_out) = found.split_at(commits.min(found.len()));
        for (_, unit) in committed {
            let _ = manager.units().settle_batch(*unit, Decision::Commit);
        }
        for (_, unit) in backed_out.iter().rev() {
            let _ = manager.units().settle_batch(*unit, Decision::BackOut);
        }
    }

    fn resume(&self, around: &mut StepContext<'_>) {
        let resume = self.machine.resume();
        around.replies.push(Gated::free(OutgoingFrame::Plain(frame(|out| resume.encode(out)))));
    }

    /// Opens the transmission queue.
    fn open(&mut self, around: &mut StepContext<'_>) -> Result<(), StepError> {
        let Some(queue) = around.attributes.transmission_queue.filter(|_| self.handle.is_none()) else {
            return Ok(());
        };
        let object = ObjectDescriptor::queue(queue);
        let opened = around.connection.open(&object, OpenOptions::INPUT_SHARED | OpenOptions::INQUIRE);
        // Its own queue, by the queue manager's own rights: whether it opens is no secret.
        match opened.open(around.manager.durable()) {
            Ok(Ok(opened)) => {
                self.handle = Some(opened.handle);
                Ok(())
            }
            Ok(Err(reason)) => {
                let text = format!(
                    "the transmission queue {queue} cannot be opened: {} {}",
                    reason.text(),
                    reason.action()
                );
                Err(StepError::Failed(reason, text))
            }
            // Tried again when the log has gone on.
            Err(_) => Ok(()),
        }
    }

    /// The object of a new line is durable.
    pub(super) fn note_opened(&mut self, opened: &mut Opened) {
        if let Some(object) = opened.object.take() {
            self.state.note_defined(object);
        }
        self.fast_to_send -= std::mem::take(&mut opened.fast);
        self.units.extend(opened.units.drain(..));
        self.sent.extend(opened.sent.drain(..));
    }

    /// Follows the definition, which was altered.
    pub(super) fn follow(&mut self, attributes: &ChannelAttributes) {
        let batch = &attributes.batch;
        self.machine.limit_batches(&self.agreed, batch.messages_max, batch.bytes_max);
    }

    /// Gets messages, and ends batches that are due. Returns true if more may be there.
    pub(super) fn fill(&mut self, around: &mut StepContext<'_>) -> Result<bool, StepError> {
        if !self.machine.is_bound() || self.failed.is_some() || self.has_failed {
            return Ok(false);
        }
        self.open(around)?;
        let Some(handle) = self.handle else { return Ok(true) };
        let mut left = MESSAGES_PER_TURN;
        loop {
            self.put_reports(around);
            let is_whole = !self.letters.iter().any(|letter| letter.is_within);
            if is_whole && self.is_end_due(around) {
                if !self.stop_waiting(around.connection) || !self.partner_is_there(around)? {
                    return Ok(false);
                }
                // Room in the log is set aside from here to the record that prepares the batch, and not while
                // a channel waits for messages: a thousand idle ones would leave none to putters.
                if around.connection.expect_prepare().split().is_err() {
                    // Tried again as time passes.
                    return Ok(false);
                }
                self.end_batch(around)?;
                if self.has_failed {
                    return Ok(false);
                }
                continue;
            }
            if left == 0 {
                return Ok(true);
            }
            let may_take = self.machine.may_take() && !self.is_paused && self.letters.is_empty();
            if !may_take || self.waiting.is_some() || is_ahead(around.replies) {
                return Ok(false);
            }
            let got = self.get(around, handle, left);
            left = left.saturating_sub(got);
            if self.failed.is_some() {
                return Ok(false);
            }
        }
    }

    /// Puts the reports of activities that messages asked for.
    fn put_reports(&mut self, around: &mut StepContext<'_>) {
        while let Some((report, within)) = self.reports.pop_front() {
            let put = around.connection.arrivals().put_activity_report(&report, within);
            if let Err(refused) = put.split() {
                let text = "a report of an activity cannot be put now: its message is tried again";
                around
                    .replies
                    .push(refused.map(move |reason| OutgoingFrame::Failed(Failed { reason, text })));
            }
        }
    }

    fn is_end_due(&self, around: &StepContext<'_>) -> bool {
        let interval = around.attributes.batch.interval;
        self.machine.is_end_due(since_start(around.now), self.is_idle, interval)
    }

    /// Gets what is there, as much as a batch takes, or begins to wait; how many messages came.
    fn get(&mut self, around: &mut StepContext<'_>, handle: ObjectHandle, most: usize) -> usize {
        let terms = *self.machine.terms();
        let syncpoint = match terms.is_fast {
            true => GetFlags::SYNCPOINT_IF_PERSISTENT,
            false => GetFlags::SYNCPOINT,
        };
        let wait = match (self.machine.filled(), around.attributes.batch.interval) {
            (0, _) | (_, Duration::ZERO) => Wait::Unlimited,
            // A batch that has begun ends by its interval.
            (_, interval) => {
                let due = self.machine.due_at(true, interval).unwrap_or_default();
                let left = due.saturating_sub(since_start(around.now)).as_millis();
                Wait::Milliseconds(u32::try_from(left).unwrap_or(u32::MAX).max(1))
            }
        };
        let options = GetOptions::with(syncpoint, wait);
        self.tokens += 1;
        let token = WaitToken(self.tokens);
        let room = terms.batch_messages_max - self.machine.filled();
        let series = Series {
            token,
            messages: room.min(u32::try_from(most).unwrap_or(u32::MAX)).max(1),
            bytes: SERIES_BYTES_MAX.min(self.machine.bytes_left()).max(1),
        };
        let mut came: Vec<Outcome<GotMessage>> = Vec::new();
        let descriptor = MessageDescriptor::default();
        let mut take = |outcome| came.push(outcome);
        let ask = Ask::new(handle, &descriptor, &options, usize::MAX, series);
        let got = around.connection.get(Ask { take: Some(&mut take), ..ask });
        match got {
            Get::Done(last) => came.push(last),
            Get::Waiting => (self.waiting, self.is_idle) = (Some(token), true),
        }
        let count = came.len();
        for outcome in came {
            self.hear(around.replies, outcome, around.now);
        }
        count
    }

    /// An outcome of the wait arrived.
    pub(super) fn completed(
        &mut self,
        replies: &mut Replies<OutgoingFrame>,
        token: WaitToken,
        outcome: Outcome<GotMessage>,
        now: Monotonic,
    ) {
        if self.waiting == Some(token) {
            self.waiting = None;
            self.hear(replies, outcome, now);
        }
    }

    fn hear(&mut self, replies: &mut Replies<OutgoingFrame>, outcome: Outcome<GotMessage>, now: Monotonic) {
        // A channel that has ended sends nothing: its unit of work is backed out with its connection.
        if !self.machine.is_bound() {
            return;
        }
        let (used, going, report) = self.outbound.make_ready(outcome, now);
        let is_fast = self.machine.terms().is_fast;
        match used {
            ChannelUse::Message { message_id, bytes, is_persistent, waited } => {
                let within = is_persistent || !is_fast;
                self.reports.extend(report.map(|report| (report, within)));
                self.queue_time = Some(waited);
                self.tally.take_message(is_persistent, bytes);
                (self.is_idle, self.quiet_since) = (false, None);
                let facts = Facts { identifier: &message_id, bytes: bytes as u32 };
                let sequence = match within {
                    true => self.machine.take(facts, since_start(now)),
                    false => {
                        self.fast = Fast::Sent;
                        self.fast_to_send += 1;
                        Sequence(0)
                    }
                };
                let head = MessageHead { sequence, ..MessageHead::default() };
                replies.push_body(going.map(move |going| OutgoingFrame::Message { head, going }), bytes);
            }
            ChannelUse::Undeliverable { is_persistent } => {
                self.is_idle = false;
                let is_within = is_persistent || !is_fast;
                self.letters.push_back(Letter { going, is_within, due: None });
            }
            ChannelUse::Nothing => self.is_idle = true,
            ChannelUse::Failed => self.failed = Some(going),
        }
    }

    /// Keeps dead letters, and tells why a get failed, as far as that may be known.
    pub(super) fn look_behind_gates(
        &mut self,
        around: &mut StepContext<'_>,
        proof: Durable,
    ) -> Result<(), StepError> {
        if let Some(failed) = self.failed.take() {
            match failed.open(proof) {
                Ok(Err(reason)) => {
                    let queue = around.attributes.transmission_queue.unwrap_or_default();
                    let text = format!(
                        "no messages can be got from transmission queue {queue}: {} {}",
                        reason.text(),
                        reason.action()
                    );
                    return Err(StepError::Failed(reason, text));
                }
                Ok(Ok(_)) => {}
                Err(failed) => self.failed = Some(failed),
            }
        }
        let mut letters = std::mem::take(&mut self.letters);
        while let Some(Letter { going, is_within, due }) = letters.pop_front() {
            if due.is_some_and(|due| around.now < due) {
                self.letters.push_back(Letter { going, is_within, due });
                continue;
            }
            let letter = match going.open(proof) {
                Ok(Ok(Going::Letter(letter))) => letter,
                Ok(_) => continue,
                Err(going) => {
                    self.letters.push_back(Letter { going, is_within, due });
                    self.letters.append(&mut letters);
                    return Ok(());
                }
            };
            if due.is_none() && is_of_conversion(letter.reason) {
                around.run.not_converted(letter.reason, letter.descriptor.format.as_str());
            }
            match self.keep(around, proof, &letter, is_within) {
                Ok(()) if due.is_some() => around.run.note_fault(None),
                Ok(()) => {}
                Err(StepError::Failed(reason, text) | StepError::Halted(reason, text)) if !is_within => {
                    around.run.note_fault(Some((reason, text)));
                    let going = Gated::free(Ok(Going::Letter(letter)));
                    let due = Some(around.now.after(LETTER_INTERVAL));
                    self.letters.push_back(Letter { going, is_within, due });
                }
                Err(trouble) => return Err(trouble),
            }
        }
        // A unit of work without a message to send is no batch.
        if self.has_letter && self.machine.filled() == 0 && self.stop_waiting(around.connection) {
            self.has_letter = false;
            if let Err(refused) = around.connection.commit(None).split() {
                let text = "a dead letter cannot be kept now: its message is tried again";
                around
                    .replies
                    .push(refused.map(move |reason| OutgoingFrame::Failed(Failed { reason, text })));
            }
        }
        Ok(())
    }

    /// Keeps a message that cannot be sent as a dead letter.
    fn keep(
        &mut self,
        around: &mut StepContext<'_>,
        proof: Durable,
        letter: &DeadLetter,
        is_within: bool,
    ) -> Result<(), StepError> {
        let fault = fault_of(letter, self.outbound.bytes_max);
        if !around.attributes.uses_dead_letter_queue {
            return Err(not_kept(letter.reason, &fault));
        }
        let kept = around.connection.arrivals().put_dead_letter(Gated::free(letter.clone()), is_within);
        if let Err(refused) = kept.split() {
            return Err(match refused.open(proof) {
                Ok(refusal) if !is_lack_of_room(refusal) => not_kept(letter.reason, &fault),
                // Room comes back by itself; a refusal not known yet is known at the next try.
                passing => StepError::Failed(
                    passing.unwrap_or(Reason::RESOURCE_PROBLEM),
                    format!("{fault}, and the dead-letter queue has no room now: it is tried again"),
                ),
            });
        }
        self.has_letter |= is_within;
        Ok(())
    }

    /// The time at which a message that no dead-letter queue took is tried again.
    pub(super) fn due(&self) -> Option<Monotonic> {
        self.letters.iter().filter_map(|letter| letter.due).min()
    }

    /// The least position at which something more may be known.
    pub(super) fn need(&self) -> Option<Lsn> {
        let letter = self.letters.iter().find(|letter| letter.due.is_none());
        let letter = letter.map(|letter| letter.going.need());
        let failed = self.failed.as_ref().map(Gated::need);
        letter.into_iter().chain(failed).min()
    }

    /// Ends the wait, so that the unit of work can end. Returns false if its outcome is on its way.
    fn stop_waiting(&mut self, connection: &mut Connection) -> bool {
        if let Some(token) = self.waiting
            && connection.cancel(token)
        {
            self.waiting = None;
        }
        self.waiting.is_none()
    }

    /// BATCHHB: true when the partner gave a sign of late; else it is asked for one, so that a partner that
    /// is gone leaves no batch in doubt.
    fn partner_is_there(&mut self, around: &mut StepContext<'_>) -> Result<bool, StepError> {
        let interval = around.attributes.batch.heartbeat;
        if interval.is_zero() || around.now.since(around.heard_at) < interval {
            self.asked_at = None;
            return Ok(true);
        }
        let Some(asked_at) = self.asked_at else {
            self.asked_at = Some(around.now);
            around
                .replies
                .push(Gated::free(OutgoingFrame::Plain(frame(|out| put_plain(Kind::Ask, b"", out)))));
            return Ok(false);
        };
        if around.heard_at > asked_at {
            self.asked_at = None;
            return Ok(true);
        }
        if around.now.since(asked_at) < ANSWERED_WITHIN {
            return Ok(false);
        }
        let text = format!(
            "the partner gave no sign for {} s before the end of a batch (BATCHHB): the batch is backed out and sent again",
            around.now.since(around.heard_at).as_secs()
        );
        Err(StepError::Failed(Reason::CONNECTION_BROKEN, text))
    }

    fn end_batch(&mut self, around: &mut StepContext<'_>) -> Result<(), StepError> {
        let Prepare { first, end, uses_line } = self.machine.end_batch();
        self.tally.take_batch(end.messages, self.machine.terms().batch_messages_max);
        let Some(object) = self.state.object() else {
            return Err(StepError::Failed(Reason::UNEXPECTED_ERROR, "the channel has no state".into()));
        };
        if uses_line {
            let sync = &mut self.sync;
            sync.is_used = true;
            (sync.stopped_at, sync.wants_reset, sync.resolved) = (None, false, None);
            let defined = self.state.change(around.manager, &self.sync);
            if let Err(refused) = defined.split() {
                let text = "the log does not take the first batch of a line now: it is tried again";
                self.has_failed = true;
                around
                    .replies
                    .push(refused.map(move |reason| OutgoingFrame::Failed(Failed { reason, text })));
                return Ok(());
            }
        }
        self.has_letter = false;
        let EndOfBatch { mark, .. } = end;
        let purpose = PreparedPurpose::Channel(ChannelBatch {
            sync_object: object,
            batch: mark.batch.0,
            first_sequence: first.0,
            last_sequence: mark.sequence.0,
            chain: mark.chain.0,
        });
        around.replies.push(match around.connection.prepare(purpose).split() {
            Ok(unit) => unit.map(move |unit| OutgoingFrame::End { end, unit }),
            Err(refused) => {
                self.has_failed = true;
                refused.map(move |reason| OutgoingFrame::Failed(Failed { reason, text: NOT_PREPARED }))
            }
        });
        Ok(())
    }

    /// A batch, and all before it, arrived.
    pub(super) fn hear_done(&mut self, around: &StepContext<'_>, done: &BatchDone) -> Result<(), StepError> {
        self.is_paused = false;
        // The partner knows only of ends that were sent.
        if !self.units.iter().any(|(batch, _)| *batch == done.batch) {
            let expected = self.machine.books().confirmed.batch.next();
            return Err(channel::message::Violation::Batch { expected, told: done.batch }.into());
        }
        let count = self.machine.hear_done(done.batch)?;
        while let Some(&(batch, sent_at)) = self.sent.front().filter(|(batch, _)| *batch <= done.batch) {
            self.sent.pop_front();
            if batch == done.batch {
                let took = u32::try_from(around.now.since(sent_at).as_micros()).unwrap_or(u32::MAX);
                let micros = took.saturating_sub(done.microseconds);
                self.net_time = Some(micros);
                self.tally.net_times.take(micros.into());
            }
        }
        for (_, unit) in self.units.drain(..count) {
            let _ = around.manager.units().settle_batch(unit, Decision::Commit);
        }
        Ok(())
    }

    /// A batch can be put nowhere: it and those behind it go back.
    pub(super) fn hear_refused(
        &mut self,
        around: &mut StepContext<'_>,
        refused: &BatchRefused,
    ) -> Result<StepError, StepError> {
        self.machine.hear_refused(refused.batch)?;
        self.stop_waiting(around.connection);
        let _ = around.connection.back();
        // Those too whose end was not sent, as the log does not have it yet.
        if let Some(object) = self.state.object() {
            around.manager.units().back_out_batches(object, refused.batch.0);
        }
        self.units.retain(|(batch, _)| *batch < refused.batch);
        let BatchRefused { batch, reason, text, .. } = refused;
        if is_lack_of_room(*reason) {
            let text = format!("the partner has no room for batch {batch}: it is sent again");
            return Ok(StepError::Failed(*reason, text));
        }
        let text = format!(
            "the partner refused batch {batch}: {text}. Make room there, or give it a dead-letter queue, then start \
             the channel here"
        );
        Ok(StepError::Halted(*reason, text))
    }

    /// The receiver waits, or goes on.
    pub(super) fn hear_waiting(&mut self, waiting: &Waiting) {
        self.is_paused = waiting.reason != Reason::NONE;
    }

    /// Microseconds that a batch was on its way, once.
    pub(super) fn take_net_time(&mut self) -> Option<u32> {
        self.net_time.take()
    }

    /// The figures for statistics since the last call.
    pub(super) fn take_tally(&mut self) -> ChannelTally {
        std::mem::take(&mut self.tally)
    }

    /// Microseconds that a message was on the transmission queue, once.
    pub(super) fn take_queue_time(&mut self) -> Option<u32> {
        self.queue_time.take()
    }

    /// The step at which it is.
    pub(super) fn substate(&self) -> Substate {
        let machine = &self.machine;
        match () {
            () if self.asked_at.is_some() => Substate::Heartbeating,
            () if machine.in_flight() > 0 && machine.filled() == 0 => Substate::EndOfBatch,
            () if self.waiting.is_some() => Substate::InGet,
            // The window or the batch is full: it waits for the partner.
            () if self.handle.is_some() && machine.in_flight() > 0 => Substate::EndOfBatch,
            () => Substate::InCall,
        }
    }

    pub(super) fn is_paused(&self) -> bool {
        self.is_paused || self.due().is_some()
    }

    /// Messages outside batches that are with this end alone: not encoded yet, or such that no dead-letter
    /// queue took.
    pub(super) fn fast_waiting(&self) -> u64 {
        self.fast_to_send + self.letters.iter().filter(|letter| !letter.is_within).count() as u64
    }

    /// Takes no more messages.
    pub(super) fn stop(&mut self, connection: &mut Connection) {
        self.stop_waiting(connection);
        self.machine.stop();
    }

    /// True when a stop is carried out.
    pub(super) fn is_over(&self) -> bool {
        self.machine.is_over() && self.letters.is_empty()
    }

    /// True once the partner has put every message outside batches, for which it is asked: it answers behind
    /// those before, and an end would take those that wait there with it.
    pub(super) fn fast_are_put(&mut self, replies: &mut Replies<OutgoingFrame>) -> bool {
        if self.fast == Fast::Sent {
            self.fast = Fast::Asked;
            self.fast_asks = self.fast_asks.wrapping_add(1);
            let number = self.fast_asks.to_le_bytes();
            replies.push(Gated::free(OutgoingFrame::Plain(frame(|out| put_plain(Kind::Ping, &number, out)))));
        }
        self.fast == Fast::Put
    }

    /// The partner answers a question after the fast messages.
    pub(super) fn hear_pong(&mut self, payload: &[u8]) {
        if self.fast == Fast::Asked && payload == self.fast_asks.to_le_bytes() {
            self.fast = Fast::Put;
        }
    }

    /// True when no message went for so long, and none is in doubt.
    pub(super) fn is_quiet_for(&mut self, time: Duration, now: Monotonic) -> bool {
        let is_quiet = self.machine.filled() == 0 && self.machine.in_flight() == 0 && self.is_idle;
        if !is_quiet {
            self.quiet_since = None;
            return false;
        }
        now.since(*self.quiet_since.get_or_insert(now)) >= time
    }
}

/// True for a dead letter that could not be converted for the partner.
fn is_of_conversion(reason: i32) -> bool {
    let others = [MQFB_XMIT_Q_MSG_ERROR, MQRC_MSG_TOO_BIG_FOR_CHANNEL];
    !others.contains(&reason)
}

/// The time as the machines have it.
pub(super) fn since_start(now: Monotonic) -> Duration {
    now.since(Monotonic::default())
}

/// The kind of a frame that only a receiver sends.
pub(super) fn is_for_sender(kind: Kind) -> bool {
    matches!(kind, Kind::Position | Kind::BatchDone | Kind::BatchRefused | Kind::Waiting)
}

/// The fault for which a message cannot be sent.
fn fault_of(letter: &DeadLetter, bytes_max: usize) -> String {
    let message: String = letter.descriptor.message_id.0.iter().map(|byte| format!("{byte:02X}")).collect();
    match letter.reason {
        MQFB_XMIT_Q_MSG_ERROR => format!("message {message} has no transmission header"),
        MQRC_MSG_TOO_BIG_FOR_CHANNEL => format!(
            "message {message} for queue {} has {} bytes, more than the {bytes_max} that the channel takes (MAXMSGL)",
            letter.queue,
            letter.body.len()
        ),
        _ => format!("message {message} for queue {} cannot be converted (CONVERT)", letter.queue),
    }
}

/// The end of a channel whose message has nowhere to go, until a person helps.
fn not_kept(reason: i32, fault: &str) -> StepError {
    let next = "give the sender one (DEADQ), or remove the message";
    let text = format!("{fault}, and no dead-letter queue takes it: {next}");
    StepError::Halted(Reason::from_code(reason), text)
}

/// True while so much waits to be sent that no more messages are taken.
fn is_ahead(replies: &Replies<OutgoingFrame>) -> bool {
    replies.len() > 2 * MESSAGES_PER_TURN || replies.bytes() > WAITING_BYTES_MAX
}
