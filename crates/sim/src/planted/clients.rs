//! Clients that believe what they are told, and write it down.

use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};

use platform::simulated::{DiskImage, Images, Machine, SimulatedDisk};
use storage::planted::{Fault, plant_here};
use testing::history::{Action, Event, Happening, Outcome, body};

use crate::torture::{
    AWAITS_GETTER, Answer, Arrived, Fate, Maker, Put, QUEUES, Refusal, Step, Subject, Workload,
};

/// Number of events in a history.
pub(super) type Moment = usize;

/// Clients at work.
pub(super) struct Clients {
    machine: Machine,
    told: Told,
    clients: Vec<Client>,
    /// Number of events before each changing call on the disk.
    marks: Vec<(u64, Moment)>,
    /// The changing calls on the disk that checkpoints made, each with the call after it.
    checkpoints: Vec<RangeInclusive<u64>>,
    /// The units of work that the coordinator decided to commit, which it never forgets.
    decided: Vec<Decided>,
}

/// A unit of work that was prepared, and is to be committed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decided {
    number: u32,
    client: u32,
    call: u64,
    /// Changing calls on the disk before the decision.
    boundary: u64,
    is_ended: bool,
}

/// State that a power failure leaves: the disk, and the facts known by then.
pub(super) struct Left {
    pub(super) image: DiskImage,
    /// Changing calls on the disk before the failure.
    boundary: u64,
    pub(super) known: Moment,
    /// True if a checkpoint was being taken, or had just ended.
    pub(super) is_of_checkpoint: bool,
}

/// A subject, and what its clients asked and were told.
struct Told {
    subject: Box<dyn Subject>,
    events: Vec<Event>,
}

#[derive(Clone, Debug, Default)]
struct Client {
    calls: u64,
    puts: u64,
    units: u64,
    in_unit: bool,
    /// An answer that is not out: how far the log must be durable, and what it says.
    waiting: Option<(u64, Happening)>,
    wait: Wait,
}

/// Wait of a client's call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Wait {
    #[default]
    No,
    ForMessage,
    /// Waits for a message that comes without the log, up to this position.
    Handed(u64),
}

/// Most blocks an answer may have to wait for.
const DRIVES_MAX: usize = 10_000;
/// Numbers of units of work begin here.
const UNIT: u32 = 1_000_000;
/// Client that empties the queues at the end.
const HEIR: u32 = 1000;

/// Runs something of the subject's. None when it gives up or breaks one of its own assertions.
pub(super) fn guarded<T>(run: impl FnOnce() -> Option<T>) -> Option<T> {
    catch_unwind(AssertUnwindSafe(run)).ok().flatten()
}

fn queue_name(queue: usize) -> String {
    format!("Q{queue}")
}

impl Clients {
    /// Clients of a subject whose files were made as they should be; the fault is in what comes then.
    pub(super) fn start(maker: &dyn Maker, seed: u64, fault: Option<Fault>) -> Option<Self> {
        let machine = Machine::new(seed);
        plant_here(None);
        maker.create(&machine.world()).ok()?;
        plant_here(fault);
        let subject = maker.open(&machine.world()).ok()?;
        machine.disk.keep_images(Images::Every);
        let told = Told { subject, events: Vec::new() };
        let mut clients = Self {
            machine,
            told,
            clients: Vec::new(),
            marks: Vec::new(),
            checkpoints: Vec::new(),
            decided: Vec::new(),
        };
        clients.mark();
        Some(clients)
    }

    /// Does all steps; none when the subject failed on the way.
    pub(super) fn work(&mut self, workload: Workload) -> Option<()> {
        workload.into_iter().try_for_each(|step| self.step(step))
    }

    fn step(&mut self, step: Step) -> Option<()> {
        match step {
            Step::Put { client, queue, priority, persistent, in_unit, length, is_later: _ } => {
                let index = self.ready(client)?;
                self.clients[index].puts += 1;
                let (body, message) = body::make(client, self.clients[index].puts, length);
                let unit = self.unit_for(index, in_unit);
                let action = Action::Put { queue: queue_name(queue), message, priority, persistent, unit };
                self.invoke(index, action);
                let put = Put { queue, priority, persistent, in_unit, body, is_later: false };
                let answer = self.told.subject.put(client, &put);
                self.answer(index, answer, |()| Outcome::Done, in_unit);
            }
            // Its messages are given out at once.
            Step::Pass => {}
            Step::Get { client, queue, in_unit } => {
                let index = self.ready(client)?;
                let unit = self.unit_for(index, in_unit);
                self.invoke(index, Action::Get { queue: queue_name(queue), unit, selective: false });
                let answer = self.told.subject.get(client, queue, in_unit);
                self.answer(index, answer, outcome_of_get, in_unit);
            }
            Step::Wait { client, queue } => {
                let index = self.ready(client)?;
                let action = Action::Get { queue: queue_name(queue), unit: None, selective: false };
                self.invoke(index, action);
                self.clients[index].wait = Wait::ForMessage;
                self.told.subject.wait(client, queue);
            }
            Step::Decide(fate) => {
                let handed = self.clients.iter().position(|client| matches!(client.wait, Wait::Handed(_)));
                handed.map_or(Some(()), |index| self.finish(index, fate))?;
            }
            Step::Commit { client } => self.end_unit(client, true)?,
            Step::Backout { client } => self.end_unit(client, false)?,
            Step::Prepare { client } => self.prepare_unit(client)?,
            Step::Settle { .. } => self.end_decided()?,
            Step::Drive => {
                self.told.subject.drive();
            }
            Step::Checkpoint => {
                let before = self.machine.disk.boundaries();
                self.told.subject.checkpoint(true);
                // What it did last is whole once the next call has begun.
                self.checkpoints.push(before + 1..=self.machine.disk.boundaries() + 1);
            }
            Step::Housekeep => self.told.subject.housekeep(),
        }
        self.note_arrivals();
        for client in self.told.subject.revoked() {
            self.clients[client as usize].in_unit = false;
        }
        self.release();
        self.told.subject.failure().is_none().then_some(())
    }

    /// Notes messages that came to waiting clients. A message without the log is noted only when its
    /// connection has it.
    fn note_arrivals(&mut self) {
        for index in 0..self.clients.len() {
            let number = u32::try_from(index).expect("few");
            if self.clients[index].wait != Wait::ForMessage {
                continue;
            }
            let Some(Arrived { answer, is_handed }) = self.told.subject.arrived(number, true) else {
                continue;
            };
            self.clients[index].wait = if is_handed { Wait::Handed(answer.need) } else { Wait::No };
            self.answer(index, answer, |found| outcome_of_get(Some(found)), false);
        }
    }

    /// Something becomes of a message that is on its way without the log.
    fn finish(&mut self, index: usize, fate: Fate) -> Option<()> {
        let client = &mut self.clients[index];
        let Wait::Handed(need) = std::mem::take(&mut client.wait) else { return Some(()) };
        let number = u32::try_from(index).expect("few");
        let subject = &mut self.told.subject;
        (0..DRIVES_MAX).find(|_| subject.durable() >= need || subject.drive() >= need)?;
        match fate {
            Fate::Delivered => subject.deliver(number),
            Fate::Unread => {
                subject.deliver(number);
                client.waiting = Some((0, Happening::Unknown));
            }
            Fate::NotBegun | Fate::CutShort => {
                // The end of the connection backs its unit of work out, as the client knows.
                client.in_unit = false;
                subject.break_off(number, fate == Fate::CutShort);
                client.waiting = Some((0, Happening::Fail("cut off".to_owned())));
            }
        }
        self.release();
        Some(())
    }

    /// A client is done with the get that waits.
    fn end_wait(&mut self, index: usize) -> Option<()> {
        let number = u32::try_from(index).expect("few");
        match self.clients[index].wait {
            Wait::No => {}
            Wait::Handed(_) => self.finish(index, Fate::Delivered)?,
            Wait::ForMessage => {
                self.clients[index].wait = Wait::No;
                self.told.subject.give_up(number).then_some(())?;
                self.clients[index].waiting = Some((0, Happening::Fail("given up".to_owned())));
                self.release();
            }
        }
        Some(())
    }

    fn end_unit(&mut self, client: u32, commit: bool) -> Option<()> {
        let index = self.ready(client)?;
        if !std::mem::take(&mut self.clients[index].in_unit) {
            return Some(());
        }
        let unit = self.clients[index].units;
        self.invoke(index, if commit { Action::Commit { unit } } else { Action::Backout { unit } });
        let subject = &mut self.told.subject;
        let answer = if commit { subject.commit(client) } else { subject.backout(client) };
        self.answer(index, answer, |()| Outcome::Done, false);
        Some(())
    }

    /// A client has its unit prepared, and the coordinator decides that it is committed.
    fn prepare_unit(&mut self, client: u32) -> Option<()> {
        let index = self.ready(client)?;
        if !self.told.subject.prepares(client) || !std::mem::take(&mut self.clients[index].in_unit) {
            return Some(());
        }
        let unit = self.clients[index].units;
        self.invoke(index, Action::Commit { unit });
        let number = UNIT + u32::try_from(self.decided.len()).expect("few");
        let subject = &mut self.told.subject;
        let answer = subject.prepare(client, number);
        if answer.result != Ok(true) {
            self.answer(index, answer, |_| Outcome::Done, false);
            return Some(());
        }
        (0..DRIVES_MAX).find(|_| subject.durable() >= answer.need || subject.drive() >= answer.need)?;
        let (call, boundary) = (self.clients[index].calls, self.machine.disk.boundaries());
        self.decided.push(Decided { number, client, call, boundary, is_ended: false });
        Some(())
    }

    /// The coordinator has the oldest unit end that it decided about.
    fn end_decided(&mut self) -> Option<()> {
        let Some(decided) = self.decided.iter_mut().find(|decided| !decided.is_ended) else {
            return Some(());
        };
        decided.is_ended = true;
        let decided = *decided;
        self.told.end(&decided)?;
        self.mark();
        self.note_arrivals();
        Some(())
    }

    /// The decisions that were made before a power failure; the coordinator does not know which units ended.
    pub(super) fn decided_by(&self, left: &Left) -> Vec<Decided> {
        self.decided.iter().filter(|decided| decided.boundary < left.boundary).copied().collect()
    }

    /// The images that the work left.
    pub(super) fn images(&mut self) -> Vec<Left> {
        let left = |(boundary, image): (u64, DiskImage)| {
            let later = self.marks.partition_point(|(mark, _)| *mark < boundary);
            let ended = self.checkpoints.partition_point(|checkpoint| *checkpoint.end() < boundary);
            let checkpoint = self.checkpoints.get(ended);
            Left {
                image,
                boundary,
                known: self.marks[later.saturating_sub(1)].1,
                is_of_checkpoint: checkpoint.is_some_and(|checkpoint| checkpoint.contains(&boundary)),
            }
        };
        self.machine.disk.take_images().into_iter().map(left).collect()
    }

    /// The first events.
    pub(super) fn events_at(&self, moment: Moment) -> &[Event] {
        &self.told.events[..moment]
    }

    /// Everybody backs out and goes, and the queues are emptied; the whole history.
    pub(super) fn leave(mut self) -> Option<Vec<Event>> {
        while self.decided.iter().any(|decided| !decided.is_ended) {
            self.end_decided()?;
        }
        for client in 0..u32::try_from(self.clients.len()).expect("few") {
            self.end_unit(client, false)?;
            self.ready(client)?;
        }
        self.told.empty_queues()
    }

    /// The place of a client whose last answer is out: its number.
    fn ready(&mut self, client: u32) -> Option<usize> {
        let index = client as usize;
        if self.clients.len() <= index {
            self.clients.resize(index + 1, Client::default());
        }
        self.end_wait(index)?;
        for _ in 0..DRIVES_MAX {
            let Some((need, _)) = self.clients[index].waiting else { return Some(index) };
            if need == AWAITS_GETTER {
                let handed = self.clients.iter().position(|client| matches!(client.wait, Wait::Handed(_)))?;
                self.finish(handed, Fate::Delivered)?;
            }
            self.told.subject.drive();
            self.release();
        }
        None
    }

    fn unit_for(&mut self, index: usize, in_unit: bool) -> Option<u64> {
        let client = &mut self.clients[index];
        client.units += u64::from(in_unit && !client.in_unit);
        in_unit.then_some(client.units)
    }

    fn invoke(&mut self, index: usize, action: Action) {
        self.clients[index].calls += 1;
        let call = self.clients[index].calls;
        self.told.note(u32::try_from(index).expect("few"), call, Happening::Invoke(action));
        self.mark();
    }

    fn answer<T>(
        &mut self,
        index: usize,
        answer: Answer<T>,
        outcome: impl FnOnce(T) -> Outcome,
        in_unit: bool,
    ) {
        let happening = match answer.result {
            Ok(value) => {
                self.clients[index].in_unit |= in_unit;
                Happening::Ok(outcome(value))
            }
            Err(Refusal::Failed(_)) => Happening::Unknown,
            Err(refusal) => {
                if refusal == Refusal::BackedOut {
                    self.clients[index].in_unit = false;
                }
                Happening::Fail(format!("{refusal:?}"))
            }
        };
        self.clients[index].waiting = Some((answer.need, happening));
        self.release();
    }

    /// Gives out the answers whose positions are durable, as the subject says.
    fn release(&mut self) {
        let durable = self.told.subject.durable();
        for (number, client) in self.clients.iter_mut().enumerate() {
            let number = u32::try_from(number).expect("few");
            if let Some((need, _)) = &mut client.waiting
                && *need == AWAITS_GETTER
                && let Some(decided) = self.told.subject.decided(number)
            {
                *need = decided;
            }
            let is_told = |need: u64| need <= durable && !matches!(client.wait, Wait::Handed(_));
            if let Some((_, happening)) = client.waiting.take_if(|(need, _)| is_told(*need)) {
                self.told.note(number, client.calls, happening);
            }
        }
        self.mark();
    }

    fn mark(&mut self) {
        let mark = (self.machine.disk.boundaries(), self.told.events.len());
        match self.marks.last_mut() {
            Some(last) if last.0 == mark.0 => *last = mark,
            _ => self.marks.push(mark),
        }
    }
}

impl Told {
    fn note(&mut self, client: u32, call: u64, what: Happening) {
        self.events.push(Event { at: self.events.len() as u64, client, call, what });
    }

    /// The coordinator has a unit end. One that is not known has ended before, as far as it can tell.
    fn end(&mut self, decided: &Decided) -> Option<()> {
        let Answer { need, result } = self.subject.settle(decided.number, true);
        result.ok()?;
        (0..DRIVES_MAX).find(|_| self.subject.durable() >= need || self.subject.drive() >= need)?;
        self.note(decided.client, decided.call, Happening::Ok(Outcome::Done));
        Some(())
    }

    /// Gets everything there is from every queue.
    fn empty_queues(mut self) -> Option<Vec<Event>> {
        let mut call = 0;
        for queue in 0..QUEUES {
            loop {
                call += 1;
                let action = Action::Get { queue: queue_name(queue), unit: None, selective: false };
                self.note(HEIR, call, Happening::Invoke(action));
                let Answer { need, result } = self.subject.get(HEIR, queue, false);
                let outcome = outcome_of_get(result.ok()?);
                (0..DRIVES_MAX).find(|_| self.subject.durable() >= need || self.subject.drive() >= need)?;
                self.note(HEIR, call, Happening::Ok(outcome.clone()));
                if outcome == Outcome::Empty {
                    break;
                }
            }
            self.note(HEIR, 0, Happening::Drained { queue: queue_name(queue) });
        }
        Some(self.events)
    }
}

fn outcome_of_get(found: Option<Vec<u8>>) -> Outcome {
    match found {
        None => Outcome::Empty,
        Some(bytes) => body::identity(&bytes).map_or(Outcome::Unrecognised, Outcome::Message),
    }
}

/// Returns the answers before the power failed, and the content of the queues afterwards.
pub(super) fn aftermath(
    maker: &dyn Maker,
    disk: SimulatedDisk,
    before: &[Event],
    decided: &[Decided],
) -> Option<Vec<Event>> {
    let machine = Machine::with_disk(disk, 0x5EED);
    let subject = maker.open(&machine.world()).ok()?;
    let mut told = Told { subject, events: before.to_vec() };
    told.note(HEIR, 0, Happening::Restart);
    let is_answered = |decided: &Decided| {
        let is_of = |event: &&Event| (event.client, event.call) == (decided.client, decided.call);
        before.iter().filter(is_of).any(|event| !matches!(event.what, Happening::Invoke(_)))
    };
    for decided in decided.iter().filter(|decided| !is_answered(decided)) {
        told.end(decided)?;
    }
    // The coordinator backs out what it had not decided.
    for number in told.subject.in_doubt() {
        told.subject.settle(number, false).result.ok()?;
    }
    told.empty_queues()
}
