//! A subject at work: clients call it, answers wait at the gate, everything is noted.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use platform::simulated::{DiskImage, Images, Machine, Rot};
use testing::history::{Action, Event, Happening, MessageIdentity, Outcome, body};

use super::handing::Wait;
use super::model::Model;
use super::subject::{AWAITS_GETTER, Answer, DELAY, Maker, Put, QUEUES, Refusal, StartFailure, Subject};
use super::workload::{Step, Workload};

/// Queue and persistence of a message that was put: known for ever, also after the power failed.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Its identity.
    pub identity: MessageIdentity,
    /// Number of the queue.
    pub queue: usize,
    /// 0 to 9.
    pub priority: u8,
    /// True if it must survive restarts.
    pub persistent: bool,
    /// Its place among all messages put.
    pub arrival: u64,
}

/// Situations that a workload had met by some moment; figures count their cases by them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Features {
    /// A unit of work had something in it.
    pub units: bool,
    /// The log began anew in used space.
    pub laps: bool,
    /// A checkpoint was taken.
    pub checkpoints: bool,
    /// A message went to a spill file.
    pub spills: bool,
    /// A body went to the log in fragments.
    pub large: bool,
    /// A message was handed to a waiting getter without the log.
    pub handed: bool,
    /// One was on its way so when its getter ended, and went to the log after all.
    pub taken_back: bool,
    /// A unit of work was prepared.
    pub prepared: bool,
    /// A message was put that is delivered later.
    pub later: bool,
    /// A put was refused for lack of room while the log had its first extent alone.
    pub refused_early: bool,
    /// One was refused when it had others.
    pub refused_late: bool,
}

/// A client as its calls left it.
#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) number: u32,
    calls: u64,
    puts: u64,
    pub(super) units: u64,
    pub(super) in_unit: bool,
    pub(super) waiting: Option<Waiting>,
    /// A get that waits.
    pub(super) wait: Option<Wait>,
}

/// An answer held back until the log is durable far enough.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) need: u64,
    call: u64,
    happening: Happening,
    /// The version of the model that must survive from the moment the answer is given.
    pub(super) version: usize,
}

/// A unit of work that is prepared, or was.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    pub(super) number: u32,
    /// The place of its client, and the number of the call that commits it.
    pub(super) client: usize,
    pub(super) call: u64,
    /// The position that must be durable before anybody is told that it is prepared.
    pub(super) need: u64,
    pub(super) is_told: bool,
    /// The decision was begun.
    pub(super) is_begun: bool,
    /// The end: the position that must be durable, the version of the model, and the answer to the client.
    pub(super) ended: Option<(u64, usize, Happening)>,
}

/// Knowledge when a changing call on the disk had begun.
#[derive(Clone, Debug)]
struct Mark {
    boundary: u64,
    events: usize,
    acknowledged: usize,
    features: Features,
    in_doubt: Vec<u32>,
}

/// Past before a crash: all that judging the survivor needs.
#[derive(Clone, Debug)]
pub struct Past {
    /// The history so far.
    pub events: Vec<Event>,
    /// The version of the model that must at least have survived.
    pub floor: usize,
    /// The version that can at most have.
    pub ceiling: usize,
    /// The versions.
    pub model: Arc<Model>,
    /// Everything ever put.
    pub known: Arc<BTreeMap<(u32, u64), Known>>,
    /// Situations that the workload met.
    pub features: Features,
    /// The units of work that were told to be prepared, and that nobody had begun to decide.
    pub in_doubt: Vec<u32>,
}

/// A subject that works on a simulated machine.
pub struct Life {
    machine: Machine,
    pub(super) subject: Box<dyn Subject>,
    pub(super) model: Model,
    pub(super) clients: Vec<Client>,
    events: Vec<Event>,
    known: BTreeMap<(u32, u64), Known>,
    pub(super) acknowledged: usize,
    pub(super) features: Features,
    pub(super) in_doubt: Vec<Doubt>,
    /// Units prepared so far.
    pub(super) prepared: u32,
    /// Files were damaged at work, so messages may be set aside.
    is_rotten: bool,
    /// The disk was full before the log had the extents that it always has.
    is_full_early: bool,
    refused_puts: u64,
    marks: Vec<Mark>,
    /// After each step: the boundary and the version it ended with.
    steps: Vec<(u64, usize)>,
}

/// Why work did not go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The subject said that it has failed: right if something failed it, and nothing that it had
    /// acknowledged may be lost.
    #[error("the subject failed: {0}")]
    Ended(String),
    /// Something that must not be.
    #[error("{0}")]
    Wrong(String),
}

/// Most blocks an answer may have to wait for: the log cannot have more waiting.
pub(super) const DRIVES_MAX: usize = 10_000;

/// Gets between two times that the host does its housekeeping, while everything is got.
const GETS_A_TICK: usize = 16;

/// Names of the queues in histories.
pub(super) fn queue_name(queue: usize) -> String {
    format!("Q{queue}")
}

impl Life {
    /// Makes a subject on a new machine and starts it. From now on every changing call on the disk leaves an
    /// image.
    pub fn new(maker: &dyn Maker, seed: u64) -> Result<Self, StartFailure> {
        let machine = Machine::new(seed);
        maker.create(&machine.world())?;
        let subject = maker.open(&machine.world())?;
        Ok(Self::resume(machine, subject, Model::default(), Vec::new(), BTreeMap::new()))
    }

    /// Goes on with a subject that was started again.
    #[must_use]
    pub fn resume(
        machine: Machine,
        subject: Box<dyn Subject>,
        model: Model,
        events: Vec<Event>,
        known: BTreeMap<(u32, u64), Known>,
    ) -> Self {
        machine.disk.keep_images(Images::Every);
        let mut life = Self {
            machine,
            subject,
            model,
            clients: Vec::new(),
            events,
            known,
            acknowledged: 0,
            features: Features::default(),
            in_doubt: Vec::new(),
            prepared: 0,
            is_rotten: false,
            is_full_early: false,
            refused_puts: 0,
            marks: Vec::new(),
            steps: Vec::new(),
        };
        life.mark();
        life
    }

    /// The machine it lives on.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The subject.
    pub fn subject(&mut self) -> &mut dyn Subject {
        &mut *self.subject
    }

    /// Damages a file under the subject; tells whether any byte changed.
    pub fn rot(&mut self, path: &Path, rot: Rot) -> bool {
        self.is_rotten |= self.machine.disk.rot(path, rot);
        self.is_rotten
    }

    /// The disk is full before the log has the extents that it always has: from now on a get may be refused
    /// for lack of room.
    pub fn note_full_early(&mut self) {
        self.is_full_early = true;
    }

    /// Events that the workload has met.
    #[must_use]
    pub fn features(&self) -> Features {
        self.features
    }

    /// Puts refused for lack of room.
    #[must_use]
    pub fn refused_puts(&self) -> u64 {
        self.refused_puts
    }

    /// Ends every unit of work, then gets everything there is, while the host does its housekeeping now and
    /// then.
    pub fn empty(&mut self) -> Result<(), Problem> {
        let clients: Vec<u32> = self.clients.iter().map(|client| client.number % 100).collect();
        for client in &clients {
            self.step(Step::Commit { client: *client })?;
        }
        self.decide_all()?;
        self.step(Step::Pass)?;
        for queue in 0..QUEUES {
            let mut got = 0;
            while self.has_messages(queue) {
                self.step(Step::Get { client: 1, queue, in_unit: false })?;
                got += 1;
                if got % GETS_A_TICK == 0 {
                    self.step(Step::Housekeep)?;
                }
            }
        }
        self.settle()
    }

    /// Returns true if a get from the queue is to be given a message.
    #[must_use]
    pub fn has_messages(&self, queue: usize) -> bool {
        self.model.first(queue).is_some()
    }

    /// Number of the log's files.
    fn extents(&self) -> usize {
        let files = self.machine.disk.files();
        files.iter().filter(|(path, _)| path.extension().is_some_and(|of| of == "seg")).count()
    }

    /// Does all steps of a workload.
    pub fn work(&mut self, workload: Workload) -> Result<(), Problem> {
        for step in workload {
            self.step(step)?;
        }
        Ok(())
    }

    /// Drives the log until every answer is out.
    pub fn settle(&mut self) -> Result<(), Problem> {
        for index in 0..self.clients.len() {
            self.await_answer(index)?;
        }
        Ok(())
    }

    /// The images that the work left, each with what was known when it was taken.
    #[must_use]
    pub fn images(&mut self) -> Vec<(DiskImage, Past)> {
        let model = Arc::new(self.model.clone());
        let known = Arc::new(self.known.clone());
        let images = self.machine.disk.take_images();
        images
            .into_iter()
            .map(|(boundary, image)| (image, self.past(boundary, model.clone(), known.clone())))
            .collect()
    }

    /// Returns the present knowledge, for a machine that is stopped without a crash or has failed.
    #[must_use]
    pub fn present(&self) -> Past {
        self.past(u64::MAX, Arc::new(self.model.clone()), Arc::new(self.known.clone()))
    }

    fn past(&self, boundary: u64, model: Arc<Model>, known: Arc<BTreeMap<(u32, u64), Known>>) -> Past {
        let mark = &self.marks[self.marks.partition_point(|mark| mark.boundary < boundary).saturating_sub(1)];
        let step = self.steps.partition_point(|(ended, _)| *ended < boundary);
        let ceiling = self.steps.get(step).map_or_else(|| self.model.version(), |(_, version)| *version);
        Past {
            events: self.events[..mark.events].to_vec(),
            floor: mark.acknowledged,
            ceiling,
            model,
            known,
            features: mark.features,
            in_doubt: mark.in_doubt.clone(),
        }
    }

    /// Does one step.
    pub fn step(&mut self, step: Step) -> Result<(), Problem> {
        match step {
            Step::Put { client, queue, priority, persistent, in_unit, length, is_later } => {
                let is_later = is_later && self.subject.delays();
                self.put((client, queue, priority), (persistent, is_later), in_unit, length)?;
            }
            Step::Pass => self.pass(),
            Step::Get { client, queue, in_unit } => self.get(client, queue, in_unit)?,
            Step::Wait { client, queue } => self.wait(client, queue)?,
            Step::Decide(fate) => self.decide(fate)?,
            Step::Commit { client } => self.end_unit(client, true)?,
            Step::Backout { client } => self.end_unit(client, false)?,
            Step::Prepare { client } => self.prepare(client)?,
            Step::Settle { commits } => self.decide_unit(commits)?,
            Step::Drive => {
                let durable = self.subject.drive();
                self.release(durable);
            }
            Step::Checkpoint => self.features.checkpoints |= self.subject.checkpoint(true),
            Step::Housekeep => self.subject.housekeep(),
        }
        self.note_revoked();
        self.note_arrivals()?;
        self.after_step()
    }

    /// Time passes, by more than any delay.
    fn pass(&mut self) {
        self.machine.clock.advance(2 * DELAY);
        self.subject.housekeep();
        self.model.pass();
    }

    fn after_step(&mut self) -> Result<(), Problem> {
        let counters = self.subject.counters();
        self.features.laps |= counters.laps > 0;
        self.features.spills |= counters.spills > 0;
        self.steps.push((self.machine.disk.boundaries(), self.model.version()));
        self.mark();
        self.subject.failure().map_or(Ok(()), |failure| Err(Problem::Ended(failure)))
    }

    fn put(
        &mut self,
        (client, queue, priority): (u32, usize, u8),
        (persistent, is_later): (bool, bool),
        in_unit: bool,
        length: usize,
    ) -> Result<(), Problem> {
        let index = self.ready_client(client)?;
        let number = self.clients[index].number;
        self.clients[index].puts += 1;
        let (body, identity) = body::make(number, self.clients[index].puts, length);
        let unit = self.unit_for(index, in_unit);
        let action = Action::Put { queue: queue_name(queue), message: identity, priority, persistent, unit };
        let call = self.invoke(index, action);
        let arrival = self.known.len() as u64;
        self.known
            .insert((number, identity.sequence), Known { identity, queue, priority, persistent, arrival });
        self.features.large |= length > 64 << 10;
        let answer = self.subject.put(number, &Put { queue, priority, persistent, in_unit, body, is_later });
        match &answer.result {
            Ok(()) if answer.need == AWAITS_GETTER => {
                let to = self.note_handed(queue, priority, identity)?;
                self.answer(index, call, AWAITS_GETTER, Happening::Ok(Outcome::Done), 0);
                self.clients[to].wait.as_mut().expect("a message is handed to one who waits").from =
                    Some(index);
            }
            Ok(()) => {
                let unit = in_unit.then_some(number);
                let version = self.model.put(queue, priority, identity, (persistent, is_later), unit);
                self.features.later |= is_later;
                self.note_unit(index, in_unit);
                self.answer(index, call, answer.need, Happening::Ok(Outcome::Done), version);
            }
            Err(refusal) => {
                if matches!(refusal, Refusal::Failed(_)) {
                    let unit = in_unit.then_some(number);
                    self.model.put(queue, priority, identity, (persistent, is_later), unit);
                }
                if *refusal == Refusal::NoRoom {
                    self.refused_puts += 1;
                    let is_early = self.extents() == 1;
                    self.features.refused_early |= is_early;
                    self.features.refused_late |= !is_early;
                }
                self.refused(index, call, refusal, true)?;
            }
        }
        Ok(())
    }

    pub(super) fn get(&mut self, client: u32, queue: usize, in_unit: bool) -> Result<(), Problem> {
        let index = self.ready_client(client)?;
        let number = self.clients[index].number;
        let unit = self.unit_for(index, in_unit);
        // A get that passes over what is delivered later says nothing about the order.
        let selective = self.model.has_later(queue);
        let call = self.invoke(index, Action::Get { queue: queue_name(queue), unit, selective });
        let answer = self.subject.get(number, queue, in_unit);
        let expected = match &answer.result {
            Ok(found) => self.first_at(queue, found.as_deref().and_then(body::identity)),
            Err(_) => self.model.first(queue),
        };
        match answer {
            Answer { need, result: Ok(found) } => {
                let identity = found.as_deref().map(body::identity);
                if identity != expected.map(Some) {
                    let text =
                        format!("a get from {} gave {identity:?}, not {expected:?}", queue_name(queue));
                    return Err(Problem::Wrong(text));
                }
                let (outcome, version) = match expected {
                    Some(identity) => {
                        self.note_unit(index, in_unit);
                        let version = self.model.get(queue, in_unit.then_some(number));
                        (Outcome::Message(identity), version)
                    }
                    None => (Outcome::Empty, self.model.changed(queue)),
                };
                self.answer(index, call, need, Happening::Ok(outcome), version);
                Ok(())
            }
            Answer { result: Err(refusal), .. } => {
                match (&refusal, expected) {
                    (Refusal::Failed(_), Some(_)) => {
                        self.model.get(queue, in_unit.then_some(number));
                    }
                    (Refusal::SetAside, Some(_)) => self.model.set_aside(queue),
                    _ => {}
                }
                self.refused(index, call, &refusal, self.is_full_early)
            }
        }
    }

    pub(super) fn end_unit(&mut self, client: u32, commit: bool) -> Result<(), Problem> {
        let index = self.ready_client(client)?;
        if !self.clients[index].in_unit {
            return Ok(());
        }
        let (number, unit) = (self.clients[index].number, self.clients[index].units);
        self.clients[index].in_unit = false;
        let action = if commit { Action::Commit { unit } } else { Action::Backout { unit } };
        let call = self.invoke(index, action);
        let answer = if commit { self.subject.commit(number) } else { self.subject.backout(number) };
        match &answer.result {
            Ok(()) => {
                let version = if commit { self.model.commit(number) } else { self.undo(number) };
                self.answer(index, call, answer.need, Happening::Ok(Outcome::Done), version);
                Ok(())
            }
            Err(refusal) => {
                if matches!(refusal, Refusal::Failed(_)) && commit {
                    self.model.commit(number);
                }
                self.refused(index, call, refusal, false)
            }
        }
    }

    fn undo(&mut self, client: u32) -> usize {
        self.model.backout(client);
        0
    }

    /// Lack of room is an answer to puts only; those who make room must go on. After a failure the call may
    /// have had its effect or not; the caller has told the model that it may.
    pub(super) fn refused(
        &mut self,
        index: usize,
        call: u64,
        refusal: &Refusal,
        fills: bool,
    ) -> Result<(), Problem> {
        let number = self.clients[index].number;
        match refusal {
            Refusal::NoRoom if fills => {}
            Refusal::BackedOut => {
                self.model.backout(number);
                self.clients[index].in_unit = false;
            }
            Refusal::Failed(reason) => return Err(Problem::Ended(reason.clone())),
            // Where the plan has reads fail, a message may be unreadable.
            Refusal::Damaged(_) | Refusal::SetAside if self.is_rotten || self.machine.disk.failures() > 0 => {
            }
            other => return Err(Problem::Wrong(format!("client {number} was answered {other:?}"))),
        }
        let happening = match refusal {
            Refusal::SetAside => Happening::Ok(Outcome::Unreadable),
            _ => Happening::Fail(format!("{refusal:?}")),
        };
        self.event(index, call, happening);
        Ok(())
    }

    /// Returns the message that a get was to be given; it was given `given`. A call that had to wait for room
    /// may have had a unit of work backed out before it was answered, or after. So two answers are right: the
    /// message that was first before, and the first one with that unit's messages back.
    pub(super) fn first_at(
        &mut self,
        queue: usize,
        given: Option<MessageIdentity>,
    ) -> Option<MessageIdentity> {
        let expected = self.model.first(queue);
        if expected == given {
            return expected;
        }
        self.note_revoked();
        self.model.first(queue)
    }

    /// Units of work that kept too much of the log; whether there are any.
    pub(super) fn note_revoked(&mut self) -> bool {
        let revoked = self.subject.revoked();
        for number in &revoked {
            self.model.backout(*number);
            let client = self.clients.iter_mut().find(|client| client.number == *number);
            client.expect("a unit has a client").in_unit = false;
        }
        !revoked.is_empty()
    }

    /// The place of a client whose last answer is out.
    pub(super) fn ready_client(&mut self, number: u32) -> Result<usize, Problem> {
        let index = match self.clients.iter().position(|client| client.number % 100 == number) {
            Some(index) => index,
            None => {
                let restarts = self.events.iter().filter(|event| event.what == Happening::Restart).count();
                // Clients of a later life are others: 101, 201, …
                let number = u32::try_from(restarts).expect("few") * 100 + number;
                self.clients.push(Client {
                    number,
                    calls: 0,
                    puts: 0,
                    units: 0,
                    in_unit: false,
                    waiting: None,
                    wait: None,
                });
                self.clients.len() - 1
            }
        };
        self.end_wait(index)?;
        self.await_answer(index)?;
        Ok(index)
    }

    fn await_answer(&mut self, index: usize) -> Result<(), Problem> {
        for _ in 0..DRIVES_MAX {
            let Some(waiting) = &self.clients[index].waiting else { return Ok(()) };
            if waiting.need == AWAITS_GETTER {
                self.deliver_from(index)?;
            }
            let durable = self.subject.drive();
            self.release(durable);
            if let Some(failure) = self.subject.failure() {
                return Err(Problem::Ended(failure));
            }
        }
        Err(Problem::Wrong(format!("the log never became durable for {:?}", self.clients[index].waiting)))
    }

    /// Gives out the answers whose positions are durable.
    pub(super) fn release(&mut self, durable: u64) {
        self.release_units(durable);
        for index in 0..self.clients.len() {
            if self.clients[index].waiting.as_ref().is_some_and(|waiting| waiting.need <= durable) {
                let waiting = self.clients[index].waiting.take().expect("just seen");
                self.acknowledged = self.acknowledged.max(waiting.version);
                self.event(index, waiting.call, waiting.happening);
            }
        }
        self.mark();
    }

    pub(super) fn answer(
        &mut self,
        index: usize,
        call: u64,
        need: u64,
        happening: Happening,
        version: usize,
    ) {
        self.clients[index].waiting = Some(Waiting { need, call, happening, version });
        let durable = self.subject.durable();
        self.release(durable);
    }

    fn unit_for(&mut self, index: usize, in_unit: bool) -> Option<u64> {
        let client = &mut self.clients[index];
        if in_unit && !client.in_unit {
            client.units += 1;
        }
        in_unit.then_some(client.units)
    }

    fn note_unit(&mut self, index: usize, in_unit: bool) {
        self.clients[index].in_unit |= in_unit;
        self.features.units |= in_unit;
    }

    pub(super) fn invoke(&mut self, index: usize, action: Action) -> u64 {
        self.clients[index].calls += 1;
        let call = self.clients[index].calls;
        self.event(index, call, Happening::Invoke(action));
        self.mark();
        call
    }

    pub(super) fn event(&mut self, index: usize, call: u64, what: Happening) {
        let event = Event { at: self.events.len() as u64, client: self.clients[index].number, call, what };
        self.events.push(event);
    }

    /// Notes what is known before the next changing call on the disk.
    pub(super) fn mark(&mut self) {
        let mark = Mark {
            boundary: self.machine.disk.boundaries(),
            events: self.events.len(),
            acknowledged: self.acknowledged,
            features: self.features,
            in_doubt: self.certainly_in_doubt(),
        };
        match self.marks.last_mut() {
            Some(last) if last.boundary == mark.boundary => *last = mark,
            _ => self.marks.push(mark),
        }
    }
}
