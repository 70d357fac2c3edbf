//! The loop of a pipe: a machine, its two sides, and the messages on their way.
//!
//! Always: calls are carried out in the order in which the machine asks for them. After a failure no call of
//! before is carried out.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::local::LocalSide;
use super::{Driver, Failure, Outgoing, With};
use crate::bind::Machine;
use crate::exchange::{Call, Event, Foreign, Local};
use crate::refusal::DeadReason;
use crate::seat::Seat;

/// A pipe.
pub struct Pipe {
    machine: Box<dyn Machine>,
    local: LocalSide,
    driver: Box<dyn Driver>,
    calls: VecDeque<Call>,
    /// Messages that were got, by batch.
    messages: BTreeMap<u64, Vec<Outgoing>>,
    /// The side that has the dead letters.
    dead_letters: DeadLetterSide,
    seat: Option<Seat>,
    /// True while the queue had no message, and the machine is to be told of the next.
    awaits_message: bool,
    figures: PipeFigures,
    /// The last failure; none once a batch went through.
    last_failure: Option<String>,
    /// The reason for which a person has to act.
    stop: Option<String>,
}

/// The side of a pipe that has its dead letters: the one that defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadLetterSide {
    /// Where messages are taken from: a pipe OUT.
    Taken,
    /// Where messages are put, with the commit of their batch: a pipe IN.
    Put,
    /// Where messages are put, each at once: a pipe IN with SERVICE(HIGH).
    PutAtOnce,
}

/// Figures of a pipe since its process began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PipeFigures {
    /// Batches that went through.
    pub batches: u64,
    /// Messages in them.
    pub messages: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
    /// Dead letters.
    pub dead_letters: u64,
}

impl Pipe {
    /// A pipe that is stopped.
    #[must_use]
    pub fn new(
        machine: Box<dyn Machine>,
        local: LocalSide,
        driver: Box<dyn Driver>,
        dead_letters: DeadLetterSide,
    ) -> Self {
        Self {
            machine,
            local,
            driver,
            calls: VecDeque::new(),
            messages: BTreeMap::new(),
            dead_letters,
            seat: None,
            awaits_message: false,
            figures: PipeFigures::default(),
            last_failure: None,
            stop: None,
        }
    }

    /// Tells the machine to begin.
    pub fn start(&mut self, now: Duration) {
        self.hear(Event::Start, now);
    }

    /// Tells the machine to end: the batch that is out is finished.
    pub fn end(&mut self, now: Duration) {
        self.hear(Event::End, now);
    }

    /// Carries calls out until something has to be awaited. `now` is the time, of which zero is any moment.
    pub fn work(&mut self, now: &dyn Fn() -> Duration) {
        if self.machine.due_at().is_some_and(|due| due <= now()) {
            self.hear(Event::Tick, now());
        }
        while let Some(call) = self.calls.pop_front() {
            match self.carry_out(call, now()) {
                Ok(Some(event)) => self.hear(event, now()),
                Ok(None) => {}
                Err(Failure::Broken(text)) => {
                    self.calls.clear();
                    self.last_failure = Some(text.clone());
                    self.hear(Event::Broken(text), now());
                }
                Err(Failure::Stop(text)) => self.stop(text),
            }
        }
    }

    /// Waits for a message at the most for so long, where one is awaited. Returns false where none is: the
    /// caller sleeps then, until [`due_at`](Self::due_at).
    pub fn wait(&mut self, most: Duration, now: &dyn Fn() -> Duration) -> bool {
        if !self.awaits_message || self.is_stopped() {
            return false;
        }
        match self.local.wait(most) {
            Ok(true) => {
                self.awaits_message = false;
                self.hear(Event::Arrived, now());
            }
            Ok(false) => {}
            Err(Failure::Broken(text) | Failure::Stop(text)) => {
                self.last_failure = Some(text.clone());
                self.hear(Event::Broken(text), now());
            }
        }
        true
    }

    /// When the machine is to go on if nothing happens before.
    #[must_use]
    pub fn due_at(&self) -> Option<Duration> {
        self.machine.due_at()
    }

    /// Returns true once it is stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.is_some() || self.machine.is_stopped()
    }

    /// Returns true while both sides are connected.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.stop.is_none() && self.machine.bind().is_bound()
    }

    /// The reason for which a person has to act.
    #[must_use]
    pub fn stop_reason(&self) -> Option<&str> {
        self.stop.as_deref()
    }

    /// The last failure; none once a batch went through.
    #[must_use]
    pub fn last_failure(&self) -> Option<&str> {
        self.last_failure.as_deref()
    }

    /// Its figures.
    #[must_use]
    pub fn figures(&self) -> PipeFigures {
        self.figures
    }

    fn stop(&mut self, text: String) {
        self.calls.clear();
        self.messages.clear();
        self.awaits_message = false;
        self.local.reset();
        self.driver.reset();
        self.stop = Some(text);
    }

    fn hear(&mut self, event: Event, now: Duration) {
        match &event {
            Event::SeatTaken { seat, .. } => self.seat = Some(seat.clone()),
            Event::Got { is_idle, .. } => self.awaits_message = *is_idle,
            Event::Books(_) | Event::BackedOut => self.messages.clear(),
            Event::StateDiffers => {
                self.last_failure = Some("another process put the state of the pipe".to_owned());
            }
            _ => {}
        }
        let calls = self.machine.step(event, now);
        if calls.contains(&Call::Reset) {
            self.awaits_message = false;
            self.messages.clear();
        }
        self.calls.extend(calls);
    }

    fn carry_out(&mut self, call: Call, now: Duration) -> Result<Option<Event>, Failure> {
        match call {
            Call::Local(call) => self.call_local(call),
            Call::Foreign(call) => self.call_foreign(&call, now),
            Call::Reset => {
                self.local.reset();
                self.driver.reset();
                Ok(None)
            }
            Call::Tell(finding) => {
                self.last_failure = Some(finding.to_string());
                Ok(None)
            }
            Call::Stop(stop) => Err(Failure::Stop(stop.to_string())),
        }
    }

    fn call_local(&mut self, call: Local) -> Result<Option<Event>, Failure> {
        let batch = match &call {
            Local::Get { batch, .. } | Local::DeadLetter { batch, .. } | Local::Commit { batch, .. } => {
                batch.0
            }
            _ => 0,
        };
        let is_commit = matches!(call, Local::Commit { .. } | Local::CommitUnit { .. });
        if let Local::DeadLetter { batch, index, reason, .. } = &call {
            self.put_dead_letter(batch.0, *index, *reason)?;
        }
        let mut got = Vec::new();
        let sent = self.messages.get(&batch).map_or(&[][..], Vec::as_slice);
        let event = self.local.call(call, sent, &mut got)?;
        if !got.is_empty() {
            self.messages.entry(batch).or_default().append(&mut got);
        }
        if is_commit {
            let done = std::mem::take(&mut self.messages);
            let (gone, kept) = done.into_iter().partition(|(number, _)| batch == 0 || *number <= batch);
            self.messages = kept;
            let gone: Vec<Outgoing> = BTreeMap::into_values(gone).flatten().collect();
            self.figures.batches += 1;
            self.figures.messages += gone.len() as u64;
            self.figures.bytes += gone.iter().map(|message| message.got_body.len() as u64).sum::<u64>();
            self.last_failure = None;
        }
        Ok(event)
    }

    /// Puts a dead letter of the side that messages are put at, or notes that it goes with their commit.
    fn put_dead_letter(&mut self, batch: u64, index: u64, reason: DeadReason) -> Result<(), Failure> {
        self.figures.dead_letters += 1;
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        let message = self.messages.get_mut(&batch).and_then(|messages| messages.get_mut(place));
        match (self.dead_letters, message) {
            (DeadLetterSide::Put, Some(message)) => message.dead = Some(reason),
            (DeadLetterSide::PutAtOnce, Some(message)) => self.driver.put_dead_letter(message, reason)?,
            // The call to the other side finds out that it is not there.
            (DeadLetterSide::Taken, _) | (_, None) => {}
        }
        Ok(())
    }

    fn call_foreign(&mut self, call: &Foreign, now: Duration) -> Result<Option<Event>, Failure> {
        let message = match call {
            Foreign::Send { batch, index, .. } => {
                let place = usize::try_from(*index).unwrap_or(usize::MAX);
                self.messages.get(&batch.0).and_then(|messages| messages.get(place))
            }
            _ => None,
        };
        if let Foreign::Commit { mark, .. } = call {
            for message in self.messages.get(&mark.batch.0).into_iter().flatten() {
                message.dead.map_or(Ok(()), |reason| self.driver.put_dead_letter(message, reason))?;
            }
        }
        self.driver.call(call, With { message, seat: self.seat.as_ref() }, now)
    }
}
