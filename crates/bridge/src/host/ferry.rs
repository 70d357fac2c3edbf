//! The driver of another FerryMQ: messages are put there in a unit of work, with the number of the batch.
//!
//! The number is in a record on SYSTEM.FERRY.BRIDGE.STATE of that queue manager. It is got, compared and put
//! anew in the unit of each batch, with the epoch of the seat in it:
//!
//! ```text
//! ferry-bridge-there 1
//! epoch=3
//! line=0123456789ABCDEF
//! batch=12  sequence=340  chain=…     each on a line of its own
//! ```
//!
//! Always: a conversation is begun under the instance of the pipe, which ends that of the former holder. A
//! record of a later epoch refuses an older holder also after that queue manager was started again.

use std::collections::BTreeMap;
use std::time::Duration;

use channel::message::{BatchNumber, Chain, Line, Mark, Sequence};
use mqi::{
    CloseOptions, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, Reason,
    Text, Verbs,
};

use super::dead_letters::DeadLetters;
use super::records::{RecordName, Records, identifier_of};
use super::{Door, Driver, Failure, Outgoing, With, refusal_of};
use crate::exchange::{Event, Foreign, Last};
use crate::refusal::{DeadReason, Refusal, UnknownDestinations};
use crate::state::{Fault, PipeKey, Reader};

/// Most queues that are open at a time: beyond it the one that was not used for longest is closed.
const HANDLES_MAX: usize = 64;

/// The driver.
pub struct Ferry {
    door: Box<dyn Door>,
    key: PipeKey,
    /// HANDLIDL; none for never.
    idle_max: Option<Duration>,
    /// True for SERVICE(HIGH): no record, and each message is put by itself.
    is_high: bool,
    /// The place of dead letters; none where the other side has them.
    dead_letters: Option<DeadLetters>,
    /// The user that puts messages in place of the one of the session.
    put_as: Option<Text<12>>,
    session: Option<Session>,
    /// True while every put is waited for: an earlier batch failed by a put that was not.
    asks_each: bool,
    unknown: UnknownDestinations,
}

struct Session {
    verbs: Box<dyn Verbs>,
    records: Records,
    record: ThereRecord,
    open: BTreeMap<String, (ObjectHandle, Duration)>,
}

/// The last batch as the record has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThereRecord {
    /// The epoch of the seat.
    pub epoch: u64,
    /// The line; none before the first.
    pub line: Line,
    /// The last batch.
    pub mark: Mark,
}

const HEAD: &str = "ferry-bridge-there 1";

impl ThereRecord {
    /// The text of its message.
    #[must_use]
    pub fn encode(&self) -> String {
        let Mark { batch, sequence, chain } = self.mark;
        let Self { epoch, line, .. } = self;
        format!("{HEAD}\nepoch={epoch}\nline={line}\nbatch={batch}\nsequence={sequence}\nchain={chain}\n")
    }

    /// Reads a record.
    ///
    /// # Errors
    /// The line that is not as this release writes it.
    pub fn decode(text: &str) -> Result<Self, Fault> {
        let mut reader = Reader::begin(text, HEAD)?;
        let epoch = reader.number("epoch")?;
        let line = Line(reader.word("line")?);
        let batch = BatchNumber(reader.number("batch")?);
        let sequence = u32::try_from(reader.number("sequence")?).map_err(|_| Fault { line: "sequence" })?;
        let chain = Chain(reader.word("chain")?);
        reader.end()?;
        Ok(Self { epoch, line, mark: Mark { batch, sequence: Sequence(sequence), chain } })
    }
}

impl Ferry {
    /// A driver that is not connected yet.
    #[must_use]
    pub fn new(door: Box<dyn Door>, key: PipeKey, idle_max: Option<Duration>, is_high: bool) -> Self {
        let unknown = UnknownDestinations::default();
        Self {
            door,
            key,
            idle_max,
            is_high,
            dead_letters: None,
            put_as: None,
            session: None,
            asks_each: false,
            unknown,
        }
    }

    /// The same with a place of dead letters, for a pipe IN: this side is the one that defines it.
    #[must_use]
    pub fn with_dead_letters(self, dead_letters: DeadLetters) -> Self {
        Self { dead_letters: Some(dead_letters), ..self }
    }

    /// The same with the user that puts the messages, and that they are of then.
    #[must_use]
    pub fn with_user(self, user: Option<Text<12>>) -> Self {
        Self { put_as: user, ..self }
    }

    fn session(&mut self) -> Result<&mut Session, Failure> {
        self.session.as_mut().ok_or_else(|| Failure::Broken("not connected".to_owned()))
    }

    fn connect(&mut self, epoch: u64, instance: [u8; 16]) -> Result<Event, Failure> {
        let mut verbs = self.door.begin(instance, epoch).map_err(Failure::Broken)?;
        let records = Records::open(&mut *verbs, self.key)
            .map_err(|reason| Failure::of("cannot open SYSTEM.FERRY.BRIDGE.STATE there", reason))?;
        let session = Session { verbs, records, record: ThereRecord::default(), open: BTreeMap::new() };
        let session = self.session.insert(session);
        if !self.is_high {
            session.take_over(epoch)?;
        }
        Ok(Event::Connected)
    }

    /// Sends a message. Its refusal is an answer, and the failure of the session is none.
    fn send(&mut self, message: &Outgoing, now: Duration) -> Result<Result<(), Refusal>, Failure> {
        let sendable = match &message.form {
            Ok(sendable) => sendable,
            Err(refusal) => return Ok(Err(refusal.clone())),
        };
        let destination = sendable.destination.as_str();
        let handle = match self.handle_of(destination, now)? {
            Ok(handle) => handle,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let unit = if self.is_high { PutFlags::NO_SYNCPOINT } else { PutFlags::SYNCPOINT };
        let is_waited_for = self.is_high || self.asks_each;
        let response = if is_waited_for { PutFlags::SYNC_RESPONSE } else { PutFlags::ASYNC_RESPONSE };
        let flags = unit | response | PutFlags::SET_ALL_CONTEXT | PutFlags::FAIL_IF_QUIESCING;
        let mut descriptor = sendable.descriptor.clone();
        // The other side says nothing of users here.
        descriptor.user_identifier = self.put_as.unwrap_or(descriptor.user_identifier);
        let mut options = PutOptions::with(flags);
        let verbs = &mut self.session()?.verbs;
        match verbs.put(handle, &mut descriptor, &mut options, sendable.body.clone()) {
            Ok(()) => Ok(Ok(())),
            Err(reason) => refused(reason, &format!("{destination} does not take the message")).map(Err),
        }
    }

    /// The queue of a destination, open.
    fn handle_of(
        &mut self,
        destination: &str,
        now: Duration,
    ) -> Result<Result<ObjectHandle, Refusal>, Failure> {
        let unknown = |text: String| Refusal::permanent(DeadReason::UNKNOWN_DESTINATION, text);
        if self.unknown.has(destination, now) {
            return Ok(Err(unknown(format!("{destination} was not there a moment ago"))));
        }
        let name: ObjectName = match destination.parse() {
            Ok(name) => name,
            Err(_) => return Ok(Err(unknown(format!("\"{destination}\" is no name of a queue")))),
        };
        let (idle_max, put_as) = (self.idle_max, self.put_as);
        let session = self.session()?;
        if let Some((handle, used)) = session.open.get_mut(destination) {
            *used = now;
            return Ok(Ok(*handle));
        }
        session.close_unused(now, idle_max)?;
        let options = OpenOptions::OUTPUT | OpenOptions::SET_ALL_CONTEXT | OpenOptions::FAIL_IF_QUIESCING;
        let as_user =
            if put_as.is_some() { OpenOptions::ALTERNATE_USER_AUTHORITY } else { OpenOptions::EMPTY };
        let queue = ObjectDescriptor {
            alternate_user_identifier: put_as.unwrap_or(Text::BLANK),
            ..ObjectDescriptor::queue(name)
        };
        match session.verbs.open(&queue, options | as_user) {
            Ok(opened) => {
                session.open.insert(destination.to_owned(), (opened.handle, now));
                Ok(Ok(opened.handle))
            }
            Err(reason) => {
                let refusal = refused(reason, &format!("{destination} cannot be opened"))?;
                if reason == Reason::UNKNOWN_OBJECT_NAME {
                    self.unknown.note(destination, now);
                }
                Ok(Err(refusal))
            }
        }
    }

    fn commit(&mut self, line: Line, mark: Mark) -> Result<Event, Failure> {
        let was_asking = self.asks_each;
        let session = self.session()?;
        let record = ThereRecord { line, mark, ..session.record.clone() };
        session.replace(&record)?;
        match session.verbs.commit() {
            Ok(()) => {
                session.record = record;
                self.asks_each = false;
                Ok(Event::ForeignCommitted(mark.batch))
            }
            Err(reason) => {
                // A put that was not waited for may have failed: the next try tells which.
                self.asks_each = reason == Reason::BACKED_OUT && !was_asking;
                Err(Failure::of(&format!("batch {} is not committed there", mark.batch), reason))
            }
        }
    }
}

impl Session {
    /// Takes the record over from the former holder.
    fn take_over(&mut self, epoch: u64) -> Result<(), Failure> {
        let failed = |reason| Failure::of("the record of the pipe cannot be taken over there", reason);
        let verbs = &mut *self.verbs;
        let present = self.records.take(verbs, RecordName::There).map_err(failed)?;
        let mut record = match present {
            None => ThereRecord::default(),
            Some(present) => ThereRecord::decode(&present.text)
                .map_err(|fault| Failure::Stop(format!("the record of the pipe there: {fault}")))?,
        };
        if record.epoch > epoch {
            let text = format!("holder {} of the pipe was there, and this is {epoch}", record.epoch);
            return Err(Failure::Broken(text));
        }
        record.epoch = epoch;
        let identifier = identifier_of(record.mark);
        self.records.put(verbs, RecordName::There, identifier, &record.encode()).map_err(failed)?;
        verbs.commit().map_err(failed)?;
        self.record = record;
        Ok(())
    }

    /// Compares the record, and puts the next one in the unit of work.
    fn replace(&mut self, record: &ThereRecord) -> Result<(), Failure> {
        let failed = |reason| Failure::of("the record of the pipe cannot be put there", reason);
        let verbs = &mut *self.verbs;
        let present = self.records.take(verbs, RecordName::There).map_err(failed)?;
        if present.is_none_or(|present| present.text != self.record.encode()) {
            return Err(Failure::Broken("another holder changed the record of the pipe there".to_owned()));
        }
        let identifier = identifier_of(record.mark);
        self.records.put(verbs, RecordName::There, identifier, &record.encode()).map_err(failed)
    }

    /// Closes queues that were not used for a while, and one more where as many are open as may be.
    fn close_unused(&mut self, now: Duration, idle_max: Option<Duration>) -> Result<(), Failure> {
        let is_idle = |used: Duration| idle_max.is_some_and(|most| now.saturating_sub(used) >= most);
        let mut unused: Vec<String> = Vec::new();
        let mut by_age: Vec<_> = self.open.iter().map(|(name, (_, used))| (*used, name)).collect();
        by_age.sort();
        let beyond = (self.open.len() + 1).saturating_sub(HANDLES_MAX);
        for (place, (used, name)) in by_age.into_iter().enumerate() {
            if place < beyond || is_idle(used) {
                unused.push(name.clone());
            }
        }
        for name in unused {
            if let Some((handle, _)) = self.open.remove(&name) {
                let closed = self.verbs.close(handle, CloseOptions::EMPTY);
                closed.map_err(|reason| Failure::of(&format!("cannot close {name}"), reason))?;
            }
        }
        Ok(())
    }
}

/// The refusal that a reason is; the failure of the session where it is none of the message.
fn refused(reason: Reason, doing: &str) -> Result<Refusal, Failure> {
    refusal_of(reason, format!("{doing}: {reason}")).ok_or_else(|| Failure::of(doing, reason))
}

impl Driver for Ferry {
    fn call(&mut self, call: &Foreign, with: With<'_>, now: Duration) -> Result<Option<Event>, Failure> {
        Ok(Some(match call {
            Foreign::Connect { epoch } => {
                let seat = with.seat.ok_or_else(|| Failure::Broken("no seat was taken".to_owned()))?;
                self.connect(*epoch, seat.foreign_instance())?
            }
            Foreign::AskLast => {
                let ThereRecord { line, mark, .. } = &self.session()?.record;
                let known = (*line != Line::NONE).then_some((*line, *mark));
                Event::Last(Last::Batch(known))
            }
            Foreign::BeginLine { line } => {
                let session = self.session()?;
                let record = ThereRecord { line: *line, mark: Mark::START, ..session.record.clone() };
                session.replace(&record)?;
                let begun = session.verbs.commit();
                begun.map_err(|reason| Failure::of("the line is not begun there", reason))?;
                session.record = record;
                Event::LineBegun
            }
            Foreign::Send { batch, index, .. } => {
                let (batch, index) = (*batch, *index);
                let message = with.message.ok_or_else(|| super::local::lost(batch))?;
                match self.send(message, now)? {
                    Ok(()) => Event::Acknowledged { batch, index },
                    Err(refusal) => Event::Refused { batch, index: Some(index), refusal },
                }
            }
            Foreign::Commit { line, mark } => self.commit(*line, *mark)?,
            Foreign::Abort => {
                let backed_out = self.session()?.verbs.back();
                backed_out.map_err(|reason| Failure::of("the batch is not given up there", reason))?;
                Event::Aborted
            }
            Foreign::AskSource
            | Foreign::Subscribe { .. }
            | Foreign::Credit { .. }
            | Foreign::Acknowledge { .. } => {
                return Err(Failure::Stop("the driver of FerryMQ sends no messages in".to_owned()));
            }
        }))
    }

    fn put_dead_letter(&mut self, message: &Outgoing, reason: DeadReason) -> Result<(), Failure> {
        let dead_letters = self.dead_letters.clone();
        let dead_letters =
            dead_letters.ok_or_else(|| Failure::Stop("dead letters are on the other side".to_owned()))?;
        let way = if self.is_high { PutFlags::NO_SYNCPOINT } else { PutFlags::SYNCPOINT };
        dead_letters.put(&mut *self.session()?.verbs, message, reason, way)
    }

    fn reset(&mut self) {
        self.session = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_reads_back_and_one_that_was_edited_does_not() {
        let mark = Mark { batch: BatchNumber(12), sequence: Sequence(340), chain: Chain(7) };
        let record = ThereRecord { epoch: 3, line: Line(9), mark };
        let text = record.encode();
        assert_eq!(ThereRecord::decode(&text), Ok(record));
        for (from, to, line) in [
            ("there 1", "there 2", "head"),
            ("epoch=3", "epoch=03", "epoch"),
            ("batch=12", "batch=-1", "batch"),
            ("sequence=340", "sequence=4294967296", "sequence"),
            ("chain=", "chain=0", "chain"),
        ] {
            assert_eq!(ThereRecord::decode(&text.replace(from, to)), Err(Fault { line }), "{to}");
        }
        assert!(ThereRecord::decode(&format!("{text}more=1\n")).is_err());
    }
}
