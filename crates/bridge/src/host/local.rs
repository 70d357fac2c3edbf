//! The calls of a machine to the queue manager that it takes messages from, by verbs and branches: its own,
//! or, for a pipe IN, the other FerryMQ.
//!
//! Always: what is got for a batch is got in its branch. The state of a batch is compared and put in that
//! branch. An empty branch is not left open while the queue is idle.

use bytes::Bytes;
use channel::message::{BatchNumber, Line};
use mqi::branch::{
    BranchCommit, BranchEnd, BranchId, BranchList, BranchPrepared, BranchRefusal, BranchStart, Heuristic,
};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions,
    Persistence, PutFlags, Reason, Verbs, Wait, constants,
};

use super::dead_letters::{self, DeadLetters};
use super::records::{RecordName, Records, STATE_QUEUE, identifier_of, mark_of, slot_of};
use super::{Door, Failure, Outgoing, Plain, Row, Sendable, on_branches};
use crate::exchange::{Books, DeadLetterUnit, Event, GotMessage, Local as Call, PreparedBranch};
use crate::mapping::{HOPS_MAX, Message, envelope};
use crate::refusal::{DeadReason, Refusal};
use crate::seat::Seat;
use crate::state::{BranchName, PipeKey, PipeState};

/// Most bytes of a message: the interface's own limit.
const MESSAGE_BYTES_MAX: usize = 100 << 20;

/// Most branches of a pipe that a bind reads: one is prepared at a time.
const BRANCHES_MAX: u32 = 100;

/// The connection under which units of work are displayed that have none.
const NO_CONNECTION: &str = "0000000000000000";

/// Settings of the calls.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The pipe thread.
    pub key: PipeKey,
    /// Host and process, for the seat.
    pub host: String,
    /// Bytes drawn by this process, for a first seat.
    pub random: [u8; 16],
    /// The queue that messages are taken from.
    pub queue: ObjectName,
    /// The destination of every message; none where each names its own.
    pub destination: Option<String>,
    /// The place of dead letters; none where the other side has them, which defines the pipe.
    pub dead_letters: Option<DeadLetters>,
    /// True for SERVICE(HIGH): no state, and non-persistent messages are got outside the unit of work.
    pub is_high: bool,
}

/// Room that a batch has yet.
#[derive(Clone, Copy)]
struct Room {
    messages_max: u32,
    bytes_max: u64,
}

struct Conversation {
    verbs: Box<dyn Verbs>,
    queue: ObjectHandle,
    records: Records,
    /// The branch that it works in.
    within: Option<BranchId>,
    /// True once something was got in it.
    has_work: bool,
}

/// The queue manager of a pipe.
pub struct LocalSide {
    settings: Settings,
    door: Box<dyn Door>,
    conversation: Option<Conversation>,
}

impl LocalSide {
    /// A queue manager that no conversation was begun with yet.
    #[must_use]
    pub fn new(settings: Settings, door: Box<dyn Door>) -> Self {
        Self { settings, door, conversation: None }
    }

    /// Ends the conversation at once; what it has open is backed out.
    pub fn reset(&mut self) {
        self.conversation = None;
    }

    /// Waits for a message on the queue, and leaves it there.
    ///
    /// # Errors
    /// The failure by which the conversation ends.
    pub fn wait(&mut self, most: std::time::Duration) -> Result<bool, Failure> {
        let Conversation { verbs, queue, .. } = self.conversation()?;
        let flags = GetFlags::BROWSE_FIRST | GetFlags::ACCEPT_TRUNCATED_MSG | GetFlags::FAIL_IF_QUIESCING;
        let mut options = GetOptions::with(flags, Wait::from(most));
        match verbs.get(*queue, &mut MessageDescriptor::default(), &mut options, 0) {
            Ok(_) => Ok(true),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(false),
            Err(reason) => Err(Failure::of("the queue cannot be waited at", reason)),
        }
    }

    /// Carries a call out. Messages that are got are added to `got`; a dead letter is that at its place in
    /// `sent`.
    ///
    /// # Errors
    /// The failure by which the conversation ends.
    pub fn call(
        &mut self,
        call: Call,
        sent: &[Outgoing],
        got: &mut Vec<Outgoing>,
    ) -> Result<Option<Event>, Failure> {
        match call {
            Call::TakeSeat => self.take_seat().map(Some),
            Call::Begin { instance, generation } => self.begin(instance, generation).map(Some),
            Call::ReadBooks if self.settings.is_high => Ok(Some(Event::Books(Books::default()))),
            Call::ReadBooks => self.read_books().map(|books| Some(Event::Books(books))),
            Call::PutState { expected, state } => self.put_state(expected.as_ref(), &state).map(Some),
            Call::Get { line, batch, messages_max, bytes_max } => {
                self.get(line, batch, Room { messages_max, bytes_max }, got).map(Some)
            }
            Call::Prepare { line, batch, expected, state, .. } => {
                self.prepare(line, batch, &expected, &state).map(Some)
            }
            Call::Commit { line, batch } => self.commit(line, batch).map(|()| None),
            Call::BackOut { line, batch } => self.back_out(line, batch).map(|()| Some(Event::BackedOut)),
            Call::CommitUnit { .. } => {
                let verbs = &mut self.conversation()?.verbs;
                verbs.commit().map_err(|reason| Failure::of("the unit of work is not committed", reason))?;
                Ok(Some(Event::Committed))
            }
            Call::DeadLetter { batch, index, reason, unit, .. } => {
                let message = usize::try_from(index).ok().and_then(|index| sent.get(index));
                let message = message.ok_or_else(|| lost(batch))?;
                self.put_dead_letter(message, reason, unit)?;
                Ok((unit != DeadLetterUnit::Batch).then_some(Event::Noted { batch, index }))
            }
            Call::Put { .. } => Err(Failure::Stop("messages are taken from this side alone".to_owned())),
        }
    }

    fn conversation(&mut self) -> Result<&mut Conversation, Failure> {
        self.conversation.as_mut().ok_or_else(|| Failure::Broken("no conversation was begun".to_owned()))
    }

    fn branch_id(&self, line: Line, batch: BatchNumber) -> BranchId {
        let name = BranchName { pipe: self.settings.key, line, batch };
        BranchId::new(BranchName::FORMAT, &name.encode(), &[]).expect("the name of a branch")
    }

    /// The seat is taken in a branch, whose name keeps two processes from doing so at a time.
    fn take_seat(&mut self) -> Result<Event, Failure> {
        let id = self.branch_id(Line::NONE, BatchNumber(0));
        let mut verbs = self.door.connect().map_err(Failure::Broken)?;
        let Settings { key, random, host, .. } = &self.settings;
        let verbs = &mut *verbs;
        let failed = |reason| Failure::of("the seat cannot be taken", reason);
        let records = Records::open(verbs, *key).map_err(no_state_queue)?;
        // One that a killed process left behind is over. One in which another process works is not: that
        // refuses this.
        give_up(verbs, id)?;
        match on_branches(verbs, |branches| branches.start_branch(&id, BranchStart::New))? {
            Ok(()) => {}
            Err(BranchRefusal::Duplicate) => {
                return Err(Failure::Broken("another process is taking the seat".to_owned()));
            }
            Err(refusal) => return Err(broken(&refusal)),
        }
        let mut former: Option<Seat> = None;
        while let Some(record) = records.take(verbs, RecordName::Seat).map_err(failed)? {
            let seat = Seat::decode(&record.text)
                .map_err(|fault| Failure::Stop(format!("the seat on {STATE_QUEUE}: {fault}")))?;
            former = former.filter(|former| former.epoch > seat.epoch).or(Some(seat));
        }
        let seat = Seat::next(former.as_ref(), *random, host);
        let identifier = mqi::MessageId::NONE;
        records.put(verbs, RecordName::Seat, identifier, &seat.encode()).map_err(failed)?;
        let done = on_branches(verbs, |branches| {
            branches.end_branch(&id, BranchEnd::Success)?;
            branches.commit_branch(&id, BranchCommit::OnePhase)
        })?;
        done.map_err(|refusal| broken(&refusal))?;
        // Its end says nothing more.
        let _ = verbs.disconnect();
        Ok(Event::SeatTaken { seat, former })
    }

    fn begin(&mut self, instance: [u8; 16], generation: u64) -> Result<Event, Failure> {
        let mut verbs = self.door.begin(instance, generation).map_err(Failure::Broken)?;
        let options = OpenOptions::INPUT_AS_Q_DEF | OpenOptions::BROWSE | OpenOptions::FAIL_IF_QUIESCING;
        let Settings { queue: name, key, .. } = &self.settings;
        let queue = verbs.open(&ObjectDescriptor::queue(*name), options);
        let queue = queue.map_err(|reason| Failure::of(&format!("cannot open the queue {name}"), reason))?;
        let records = Records::open(&mut *verbs, *key).map_err(no_state_queue)?;
        let queue = queue.handle;
        self.conversation = Some(Conversation { verbs, queue, records, within: None, has_work: false });
        Ok(Event::Begun)
    }

    fn read_books(&mut self) -> Result<Books, Failure> {
        let state = self.conversation()?.read_state()?.map(|(state, _)| state);
        let list = BranchList {
            format: Some(BranchName::FORMAT),
            prefix: self.settings.key.0.to_vec(),
            after: None,
            most: BRANCHES_MAX,
        };
        let verbs = &mut *self.conversation()?.verbs;
        let listed = on_branches(verbs, |branches| branches.list_branches(&list))?;
        let mut names = Vec::new();
        for id in listed.map_err(|refusal| broken(&refusal))? {
            let name = BranchName::decode(id.global()).filter(|name| name.line != Line::NONE);
            names.extend(name.map(|name| (id, name)));
        }
        names.sort_by_key(|(_, name)| name.batch);
        if names.is_empty() {
            // A former holder may have left a branch behind that it did not prepare. It would keep the name
            // and the older state for itself.
            if let Some(state) = &state {
                let next = self.branch_id(state.line, state.last.batch.next());
                give_up(&mut *self.conversation()?.verbs, next)?;
            }
            return Ok(Books { state, ..Books::default() });
        }
        let units =
            self.door.display("DISPLAY CONN(*) TYPE(CONN) EXTURID QMURID").map_err(Failure::Broken)?;
        let messages = format!("DISPLAY CONN({NO_CONNECTION}) TYPE(HANDLE) ALL");
        let messages = self.door.display(&messages).map_err(Failure::Broken)?;
        let mut branches = Vec::new();
        for (id, name) in names {
            let mark = self.mark_in(&id, &units, &messages)?;
            branches.push(PreparedBranch { line: name.line, mark, messages: Vec::new() });
        }
        Ok(Books { state, branches, notes: Vec::new() })
    }

    /// The mark of a prepared branch: it is in the identifier of the state that the branch puts.
    fn mark_in(
        &mut self,
        id: &BranchId,
        units: &[Row],
        messages: &[Row],
    ) -> Result<channel::message::Mark, Failure> {
        let records = self.conversation()?.records;
        let shown = id.to_string();
        let unit = units.iter().find(|row| value(row, "EXTURID") == shown).map(|row| value(row, "QMURID"));
        // A branch that a person decided is listed until it is forgotten, and has no messages.
        let unit = unit.ok_or_else(|| Failure::Broken(format!("the branch {shown} ended meanwhile")))?;
        let states = [0, 1].map(|slot| records.correlation(RecordName::State(slot)).to_string());
        let put = messages.iter().find(|row| {
            value(row, "QMURID") == unit
                && value(row, "OBJNAME") == STATE_QUEUE
                && value(row, "MSGOP") == "PUT"
                && states.iter().any(|state| *state == value(row, "CORRELID"))
        });
        let identifier = put.and_then(|row| value(row, "MSGID").parse().ok());
        identifier.map(|identifier| mark_of(&identifier)).ok_or_else(|| {
            Failure::Stop(format!(
                "the branch {shown} has no state, or a person decided it: RESOLVE INDOUBT it, then enter RESET PIPE"
            ))
        })
    }

    /// Puts a state in both slots, in a unit of work of its own.
    fn put_state(&mut self, expected: Option<&PipeState>, state: &PipeState) -> Result<Event, Failure> {
        let conversation = self.conversation()?;
        let failed = |reason| Failure::of("the state cannot be put", reason);
        let present = conversation.read_state()?.map(|(state, _)| state);
        let Conversation { verbs, records, .. } = conversation;
        let verbs = &mut **verbs;
        let taken = [0, 1].map(|slot| records.take(verbs, RecordName::State(slot)));
        let [first, second] = taken;
        let has_both = first.map_err(failed)?.is_some() && second.map_err(failed)?.is_some();
        if present.as_ref() != expected || has_both != expected.is_some() {
            verbs.back().map_err(failed)?;
            return Ok(Event::StateDiffers);
        }
        for slot in [0, 1] {
            let text = state.encode();
            records.put(verbs, RecordName::State(slot), identifier_of(state.last), &text).map_err(failed)?;
        }
        verbs.commit().map_err(failed)?;
        Ok(Event::StatePut)
    }

    fn get(
        &mut self,
        line: Line,
        batch: BatchNumber,
        room: Room,
        got: &mut Vec<Outgoing>,
    ) -> Result<Event, Failure> {
        let Room { messages_max, bytes_max } = room;
        let id = (line != Line::NONE).then(|| self.branch_id(line, batch));
        let is_high = self.settings.is_high;
        if let Some(id) = id {
            self.conversation()?.come_to(id)?;
        }
        let way = if is_high { GetFlags::SYNCPOINT_IF_PERSISTENT } else { GetFlags::SYNCPOINT };
        let flags = way | GetFlags::PROPERTIES_FORCE_MQRFH2 | GetFlags::FAIL_IF_QUIESCING;
        let (mut messages, mut bytes, mut is_idle) = (Vec::new(), 0, false);
        while (messages.len() as u64) < u64::from(messages_max) && (bytes < bytes_max || messages.is_empty())
        {
            let mut descriptor = MessageDescriptor::default();
            let mut options = GetOptions::with(flags, Wait::No);
            let Conversation { verbs, queue, has_work, .. } = self.conversation()?;
            let body = match verbs.get(*queue, &mut descriptor, &mut options, MESSAGE_BYTES_MAX) {
                Ok(taken) => taken.body,
                Err(Reason::NO_MSG_AVAILABLE) => {
                    is_idle = true;
                    break;
                }
                // The unit of work is full: what is in it is a batch.
                Err(Reason::SYNCPOINT_LIMIT_REACHED) if !messages.is_empty() => break,
                Err(reason) => return Err(Failure::of("cannot get from the queue", reason)),
            };
            *has_work = true;
            bytes += body.len() as u64;
            let outgoing = outgoing(descriptor, body, self.settings.destination.as_deref());
            messages.push(GotMessage {
                identifier: outgoing.got.message_id,
                bytes: u32::try_from(outgoing.got_body.len()).unwrap_or(u32::MAX),
                is_persistent: outgoing.got.persistence == Persistence::Persistent,
                refusal: outgoing.form.as_ref().err().cloned(),
            });
            got.push(outgoing);
        }
        if let Some(id) = id.filter(|_| is_idle) {
            self.conversation()?.leave_if_empty(id)?;
        }
        Ok(Event::Got { batch, messages, is_idle })
    }

    fn prepare(
        &mut self,
        line: Line,
        batch: BatchNumber,
        expected: &PipeState,
        state: &PipeState,
    ) -> Result<Event, Failure> {
        let id = self.branch_id(line, batch);
        let conversation = self.conversation()?;
        if conversation.within != Some(id) {
            return Err(Failure::Broken(format!("batch {batch} is not open")));
        }
        if !conversation.compare_and_put(expected, state)? {
            return Ok(Event::StateDiffers);
        }
        let prepared = on_branches(&mut *conversation.verbs, |branches| {
            branches.end_branch(&id, BranchEnd::Success)?;
            branches.prepare_branch(&id)
        })?;
        conversation.within = None;
        match prepared {
            Ok(BranchPrepared::Prepared) => Ok(Event::Prepared(batch)),
            Ok(BranchPrepared::ReadOnly) => {
                Err(Failure::Broken(format!("the branch of batch {batch} did nothing")))
            }
            Err(refusal) => Err(broken(&refusal)),
        }
    }

    fn commit(&mut self, line: Line, batch: BatchNumber) -> Result<(), Failure> {
        let id = self.branch_id(line, batch);
        self.decide(id, Heuristic::Committed, batch)
    }

    fn back_out(&mut self, line: Line, batch: BatchNumber) -> Result<(), Failure> {
        let id = self.branch_id(line, batch);
        let conversation = self.conversation()?;
        if conversation.within.take_if(|within| *within == id).is_some() {
            let ended = on_branches(&mut *conversation.verbs, |branches| {
                branches.end_branch(&id, BranchEnd::Success)
            })?;
            ended.map_err(|refusal| broken(&refusal))?;
        }
        self.decide(id, Heuristic::BackedOut, batch)
    }

    fn decide(&mut self, id: BranchId, decision: Heuristic, batch: BatchNumber) -> Result<(), Failure> {
        let verbs = &mut *self.conversation()?.verbs;
        let decided = on_branches(verbs, |branches| match decision {
            Heuristic::Committed => branches.commit_branch(&id, BranchCommit::TwoPhase),
            Heuristic::BackedOut => branches.back_out_branch(&id),
        })?;
        match decided {
            Ok(()) | Err(BranchRefusal::RolledBack(_)) if decision == Heuristic::BackedOut => Ok(()),
            // It was empty, or its connection was lost: nothing of it is left.
            Err(BranchRefusal::Unknown) if decision == Heuristic::BackedOut => Ok(()),
            Ok(()) => Ok(()),
            Err(BranchRefusal::ByHand(by_hand)) => {
                let forgotten = on_branches(verbs, |branches| branches.forget_branch(&id))?;
                forgotten.map_err(|refusal| broken(&refusal))?;
                if by_hand == decision {
                    return Ok(());
                }
                let (person, pipe) = match by_hand {
                    Heuristic::Committed => ("committed", "backed out"),
                    Heuristic::BackedOut => ("backed out", "committed"),
                };
                Err(Failure::Stop(format!(
                    "a person {person} batch {batch}, and the other system wanted it {pipe}: its messages are lost or \
                     doubled; compare both sides, then enter RESET PIPE"
                )))
            }
            Err(refusal) => Err(broken(&refusal)),
        }
    }

    /// Puts a dead letter, where this side has them, and the report on it.
    fn put_dead_letter(
        &mut self,
        message: &Outgoing,
        reason: DeadReason,
        unit: DeadLetterUnit,
    ) -> Result<(), Failure> {
        let way = if unit == DeadLetterUnit::Batch { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let dead_letters = self.settings.dead_letters.clone();
        let verbs = &mut *self.conversation()?.verbs;
        if let Some(dead_letters) = dead_letters {
            dead_letters.put(verbs, message, reason, way)?;
        }
        dead_letters::put_report(verbs, message, reason, way)
    }
}

impl Conversation {
    /// The committed state, with its slot: the younger one of both slots.
    fn read_state(&mut self) -> Result<Option<(PipeState, u8)>, Failure> {
        let mut youngest: Option<(PipeState, u8)> = None;
        for slot in [0, 1] {
            let record = self.records.read(&mut *self.verbs, RecordName::State(slot));
            let record = record.map_err(|reason| Failure::of("the state cannot be read", reason))?;
            let Some(record) = record else { continue };
            let state = PipeState::decode(&record.text)
                .map_err(|fault| Failure::Stop(format!("the state on {STATE_QUEUE}: {fault}")))?;
            let is_younger = youngest.as_ref().is_none_or(|(known, _)| known.last.batch < state.last.batch);
            if is_younger {
                youngest = Some((state, slot));
            }
        }
        Ok(youngest)
    }

    /// Comes to a branch, which begins with that.
    fn come_to(&mut self, id: BranchId) -> Result<(), Failure> {
        if self.within == Some(id) {
            return Ok(());
        }
        let former = self.within.take();
        let started = on_branches(&mut *self.verbs, |branches| {
            if let Some(former) = former {
                branches.end_branch(&former, BranchEnd::Success)?;
            }
            branches.start_branch(&id, BranchStart::New)
        })?;
        started.map_err(|refusal| broken(&refusal))?;
        (self.within, self.has_work) = (Some(id), false);
        Ok(())
    }

    /// Gives a branch up in which nothing was got: one that waits for a message has no end.
    fn leave_if_empty(&mut self, id: BranchId) -> Result<(), Failure> {
        if self.has_work || self.within.take_if(|within| *within == id).is_none() {
            return Ok(());
        }
        let left = on_branches(&mut *self.verbs, |branches| {
            branches.end_branch(&id, BranchEnd::Success)?;
            branches.back_out_branch(&id)
        })?;
        left.map_err(|refusal| broken(&refusal))
    }

    /// Compares the state, and puts the next one in the branch. Returns false where another one is there.
    fn compare_and_put(&mut self, expected: &PipeState, state: &PipeState) -> Result<bool, Failure> {
        let failed = |reason| Failure::of("the state cannot be put", reason);
        let Self { verbs, records, .. } = self;
        let verbs = &mut **verbs;
        let slot = slot_of(state.last.batch);
        let older = records.take(verbs, RecordName::State(slot)).map_err(failed)?;
        let present = records.read(verbs, RecordName::State(1 - slot)).map_err(failed)?;
        let Some((older, present)) = older.zip(present) else { return Ok(false) };
        let age = |text: &str| PipeState::decode(text).ok().map(|state| (state.line, state.last.batch));
        let is_older = age(&older.text)
            .is_some_and(|(line, batch)| line == expected.line && batch <= expected.last.batch);
        if !is_older || present.text != expected.encode() {
            return Ok(false);
        }
        let identifier = identifier_of(state.last);
        records.put(verbs, RecordName::State(slot), identifier, &state.encode()).map_err(failed)?;
        Ok(true)
    }
}

/// The message as it goes out, and where to.
fn outgoing(got: MessageDescriptor, got_body: Bytes, destination: Option<&str>) -> Outgoing {
    let form = sendable(&got, &got_body, destination);
    Outgoing { got, got_body, form, dead: None }
}

fn sendable(got: &MessageDescriptor, body: &Bytes, destination: Option<&str>) -> Result<Sendable, Refusal> {
    let is_enveloped = got.format.as_str() == constants::MQFMT_XMIT_Q_HEADER.trim_end();
    let (mut message, named): (Message, _) = match destination {
        Some(fixed) if !is_enveloped => (envelope::take_apart(got.clone(), body)?, fixed.to_owned()),
        _ => {
            let envelope = envelope::open(got, body)?;
            let named = envelope.queue.as_str().trim_end().to_owned();
            (envelope.message, destination.map_or(named, str::to_owned))
        }
    };
    message.trail.hops = message.trail.hops.saturating_add(1);
    if message.trail.hops > HOPS_MAX {
        let text = format!("the message passed {HOPS_MAX} bridges: its way is a circle");
        return Err(Refusal::permanent(DeadReason::TOO_MANY_HOPS, text));
    }
    let (descriptor, body) = envelope::put_together(&message)?;
    let plain = Plain { descriptor: message.descriptor, body: message.body };
    Ok(Sendable { destination: named, descriptor, body, plain })
}

fn value<'r>(row: &'r Row, keyword: &str) -> &'r str {
    let value = row.iter().find(|(name, _)| name == keyword).map_or("", |(_, value)| value.trim());
    value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).unwrap_or(value)
}

/// Backs a branch out that is not prepared and that no connection works in, where there is one.
fn give_up(verbs: &mut dyn Verbs, id: BranchId) -> Result<(), Failure> {
    match on_branches(verbs, |branches| branches.back_out_branch(&id))? {
        Ok(()) | Err(BranchRefusal::Unknown | BranchRefusal::RolledBack(_) | BranchRefusal::Protocol) => {
            Ok(())
        }
        Err(refusal) => Err(broken(&refusal)),
    }
}

fn broken(refusal: &BranchRefusal) -> Failure {
    Failure::Broken(refusal.to_string())
}

fn no_state_queue(reason: Reason) -> Failure {
    Failure::of(&format!("cannot open {STATE_QUEUE}"), reason)
}

pub(super) fn lost(batch: BatchNumber) -> Failure {
    Failure::Broken(format!("a message of batch {batch} is not here any more"))
}
