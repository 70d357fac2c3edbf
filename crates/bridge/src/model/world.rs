//! The world: one step after the other, as the dice fall.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::Duration;

use super::case::{Answer, Case, Direction, ForeignModel, Message, Number, Planted, Verdict};
use super::dice::Dice;
use super::inward::{LogSource, QueueSource};
use super::kafka::Kafka;
use super::links::{Link, Process, ProcessMachine, Request, Side};
use super::outward::{Confirming, Refusals, Transactional};
use super::queue_manager::{LinkId, QueueManager};
use crate::batch::Limits;
use crate::exchange::{Call, Event, Foreign, Local, Stop};
use crate::inbound::{self, Inbound};
use crate::outbound::high::HighOutbound;
use crate::outbound::{self, Outbound};
use crate::system::{Delivery, Source, System};

/// Steps with faults, at most.
const STEPS_MAX: usize = 900;

/// Steps until nothing is left once faults end, at most.
const SETTLING_STEPS_MAX: usize = 20_000;

/// Processes of a case, at most.
const PROCESSES_MAX: usize = 8;

struct World {
    case: Case,
    dice: Dice,
    now: Duration,
    queue_manager: QueueManager,
    foreign: Box<dyn ForeignModel>,
    links: BTreeMap<LinkId, Link>,
    next_link: LinkId,
    processes: Vec<Process>,
    limits: Limits,
    messages: Vec<Message>,
    to_put: usize,
    bad: Vec<Number>,
    verdict: Verdict,
    /// The course so far, where it is asked for.
    course: Option<Vec<String>>,
}

/// Simulates a case.
#[must_use]
pub fn simulate(case: Case) -> Verdict {
    run(case, None).0
}

/// Simulates a case. Returns its course with the verdict, a line for each call, answer and break.
#[must_use]
pub fn course(case: Case) -> (Verdict, Vec<String>) {
    run(case, Some(Vec::new()))
}

fn run(case: Case, course: Option<Vec<String>>) -> (Verdict, Vec<String>) {
    let mut world = World { course, ..World::new(case) };
    world.start_process();
    let steps = 100 + world.dice.below(STEPS_MAX);
    for _ in 0..steps {
        world.step(true);
    }
    world.settle();
    let course = world.course.take().unwrap_or_default();
    (world.judge(), course)
}

impl World {
    fn new(case: Case) -> Self {
        let mut dice = Dice::new(case.seed ^ (case.system as u64) << 56 ^ (case.direction as u64) << 48);
        let row = case.system.row();
        let is_high = matches!(case.direction, Direction::OutHigh | Direction::InHigh);
        let is_out = matches!(case.direction, Direction::Out | Direction::OutHigh);
        let count = 3 + dice.below(25);
        let mut bad =
            |percent| if dice.percent(percent) { vec![1 + dice.below(count) as Number] } else { Vec::new() };
        let (unmappable, refused) = (bad(20), if is_out { bad(25) } else { Vec::new() });
        let can_refuse_whole = !is_high && row.delivery.is_fenced();
        let refusals = Refusals { numbers: refused.clone(), is_whole: can_refuse_whole && dice.percent(50) };
        let of_foreign = unmappable.clone();
        let foreign: Box<dyn ForeignModel> = match (is_out, row.delivery, row.source) {
            (true, ..) if is_high => Box::new(Confirming::new(System::RabbitMqQueue, refusals)),
            (true, Delivery::Transaction, _) if case.system == System::Kafka => {
                Box::new(Kafka::new(case.planted, refusals))
            }
            (true, Delivery::Transaction | Delivery::Atomic, _) => {
                Box::new(Transactional::new(case.system, case.planted, refusals))
            }
            (true, ..) => Box::new(Confirming::new(case.system, refusals)),
            (false, _, source @ Source::Positions { .. }) => {
                let has_retention = !is_high && dice.percent(20);
                Box::new(LogSource::new(source, is_high, case.planted, of_foreign, has_retention))
            }
            (false, _, source) => {
                Box::new(QueueSource::new(source == Source::Transaction && !is_high, of_foreign))
            }
        };
        let is_if_persistent = is_high || !row.delivery.is_fenced();
        let is_apart = case.planted == Planted::StateInAnotherUnit;
        let queue_manager =
            QueueManager::new(dice.bytes(), is_out && is_if_persistent, unmappable.clone(), is_apart);
        let limits = Limits {
            messages_max: 1 + dice.below(6) as u32,
            bytes_max: NonZeroU64::new(40 + dice.below(200) as u64),
            interval: Duration::from_millis(dice.below(3) as u64 * 50),
            foreign_timeout: dice.percent(50).then_some(Duration::from_secs(3)),
            in_flight: 1 + dice.below(2) as u8,
        };
        Self {
            case,
            now: Duration::ZERO,
            queue_manager,
            foreign,
            links: BTreeMap::new(),
            next_link: 1,
            processes: Vec::new(),
            limits,
            messages: Vec::new(),
            to_put: count,
            bad: [unmappable, refused].concat(),
            verdict: Verdict { messages: count, ..Verdict::default() },
            course: None,
            dice,
        }
    }

    fn start_process(&mut self) {
        let host = format!("host:{}", self.processes.len());
        let random = self.dice.bytes();
        let row = self.case.system.row();
        let (limits, uses_dead_letters) = (self.limits, true);
        let machine = match self.case.direction {
            Direction::OutHigh => ProcessMachine::OutHigh(Box::new(HighOutbound::new(
                host.clone(),
                random,
                limits,
                uses_dead_letters,
            ))),
            Direction::Out => ProcessMachine::Out(Box::new(Outbound::new(outbound::Settings {
                host: host.clone(),
                random,
                delivery: row.delivery,
                limits,
                uses_dead_letters,
                is_record_evictable: row.delivery == Delivery::Atomic,
            }))),
            Direction::In | Direction::InHigh => {
                ProcessMachine::In(Box::new(Inbound::new(inbound::Settings {
                    host: host.clone(),
                    random,
                    source: row.source,
                    is_high: self.case.direction == Direction::InHigh,
                    limits,
                    prefetch: 1 + self.dice.below(6) as u32,
                    uses_dead_letters,
                })))
            }
        };
        self.processes.push(Process::new(machine, host));
    }

    /// One step. Returns false if nothing can happen but time.
    fn step(&mut self, has_faults: bool) -> bool {
        let choice = self.dice.below(100);
        self.verdict.digest =
            self.verdict.digest.rotate_left(5) ^ choice as u64 ^ (self.links.len() as u64) << 8;
        if has_faults {
            match choice {
                0..=3 => self.disturb(),
                4..=9 => self.put(),
                10..=14 => self.now += Duration::from_millis(20 + self.dice.below(400) as u64),
                _ => {}
            }
        }
        for (session, answer) in self.foreign.deliveries(&mut self.dice) {
            self.answer(session, answer);
        }
        self.tick();
        if self.dice.percent(50) && self.serve() {
            return true;
        }
        self.hear() || self.serve()
    }

    fn show(&mut self, line: impl FnOnce() -> String) {
        if let Some(course) = &mut self.course {
            course.push(line());
        }
    }

    fn put(&mut self) {
        if self.to_put == 0 {
            return;
        }
        self.to_put -= 1;
        let number = self.messages.len() as Number + 1;
        let is_out = matches!(self.case.direction, Direction::Out | Direction::OutHigh);
        let message = Message { number, is_persistent: !is_out || self.dice.percent(75) };
        self.messages.push(message);
        if is_out {
            self.queue_manager.put(message);
            self.tell_ends_of_waits();
        } else {
            self.foreign.add(number);
        }
    }

    fn tick(&mut self) {
        for process in self.processes.iter_mut().filter(|process| process.runs()) {
            let is_due = process.machine.get().due_at().is_some_and(|due| due <= self.now);
            if is_due && process.inbox.is_empty() {
                process.inbox.push_back(Event::Tick.into());
            }
        }
    }

    fn tell_ends_of_waits(&mut self) {
        while let Some((link, answer)) = self.queue_manager.end_of_wait() {
            self.answer(link, answer);
        }
    }

    fn answer(&mut self, link: LinkId, answer: Answer) {
        let owner = self.links.get(&link).and_then(|link| link.owner);
        if let Some(owner) = owner {
            self.processes[owner].inbox.push_back(answer);
        }
    }

    /// One side serves a call.
    fn serve(&mut self) -> bool {
        let busy = |link: &Link| !link.requests.is_empty() || link.owner.is_none();
        let all: Vec<LinkId> =
            self.links.iter().filter(|(_, link)| busy(link)).map(|(link, _)| *link).collect();
        if all.is_empty() {
            return false;
        }
        let id = all[self.dice.below(all.len())];
        let link = self.links.get_mut(&id).expect("it was found");
        let (side, host) = (link.side, link.host.clone());
        let Some(request) = link.requests.pop_front() else {
            // Its server notices that it is cut.
            self.links.remove(&id);
            match side {
                Side::Local => self.queue_manager.end_link(id),
                Side::Foreign => self.foreign.end_session(id),
            }
            self.tell_ends_of_waits();
            return true;
        };
        self.show(|| format!("        link {id} serves {:?} {:?}", request.call, request.of));
        let answers: Vec<Answer> = match &request.call {
            Call::Local(call) => {
                let numbers: Vec<Number> = request.of.iter().map(|message| message.number).collect();
                self.queue_manager.call(id, call, &numbers, &host).into_iter().collect()
            }
            Call::Foreign(call) => self.foreign.call(id, call, request.of.first().copied()),
            _ => Vec::new(),
        };
        answers.into_iter().for_each(|answer| self.answer(id, answer));
        self.tell_ends_of_waits();
        true
    }

    /// A process hears an event.
    fn hear(&mut self) -> bool {
        let is_ready = |process: &Process| process.runs() && !process.inbox.is_empty();
        let all: Vec<usize> =
            (0..self.processes.len()).filter(|index| is_ready(&self.processes[*index])).collect();
        if all.is_empty() {
            return false;
        }
        let index = all[self.dice.below(all.len())];
        let process = &mut self.processes[index];
        let Some(mut answer) = process.inbox.pop_front() else { return false };
        process.keep(&answer);
        if let (Planted::BackedOutThoughNotFenced, Event::Books(books)) =
            (self.case.planted, &mut answer.event)
        {
            for branch in std::mem::take(&mut books.branches) {
                let call = Local::BackOut { line: branch.line, batch: branch.mark.batch };
                self.call(index, Call::Local(call));
            }
        }
        let process = &mut self.processes[index];
        if matches!(answer.event, Event::ForeignCommitted(_))
            && let Some(late) = process.late.take()
        {
            self.send(index, Side::Local, late);
        }
        let now = self.now;
        self.show(|| format!("{now:?} process {index} hears {:?}", answer.event));
        let process = &mut self.processes[index];
        for call in process.machine.get_mut().step(answer.event, self.now) {
            self.call(index, call);
        }
        true
    }

    /// A process makes a call.
    fn call(&mut self, index: usize, call: Call) {
        self.show(|| format!("    process {index} calls {call:?}"));
        let planted = self.case.planted;
        let process = &mut self.processes[index];
        let stored = |batch: u64, index: u64| process.store.get(&batch)?.get(index as usize).copied();
        let received = |receipt: u64| {
            let number = *process.receipts.get(&receipt)?;
            Some(Message { number, is_persistent: true })
        };
        let of = match &call {
            Call::Foreign(Foreign::Send { batch, index, .. }) => stored(batch.0, *index),
            Call::Local(Local::DeadLetter { batch, index, .. }) => {
                let is_in = matches!(process.machine, ProcessMachine::In(_));
                if is_in { received(*index) } else { stored(batch.0, *index) }
            }
            Call::Local(Local::Put { receipt, .. }) => received(*receipt),
            _ => None,
        };
        let of: Vec<Message> = of.into_iter().collect();
        match call {
            Call::Reset => {
                let links = [process.local.take(), process.foreign.take()];
                process.forget();
                links.into_iter().flatten().for_each(|link| self.cut(link));
            }
            Call::Tell(finding) => self.verdict.wrong.push(format!("a finding: {finding}")),
            Call::Stop(stop) => self.note_stop(&stop),
            Call::Local(call) => {
                match &call {
                    Local::Commit { batch, .. } => drop(process.store.remove(&batch.0)),
                    Local::Prepare { batch, .. } if planted == Planted::PrepareAfterForeignCommit => {
                        let batch = *batch;
                        process.late = Some(Request { call: Call::Local(call), of });
                        process.inbox.push_back(Event::Prepared(batch).into());
                        return;
                    }
                    Local::CommitUnit { .. } if planted == Planted::AcknowledgeBeforeCommit => {
                        let receipts: Vec<u64> = process.receipts.keys().copied().collect();
                        for receipt in receipts {
                            let acknowledge = Call::Foreign(Foreign::Acknowledge { receipt });
                            self.send(index, Side::Foreign, Request { call: acknowledge, of: Vec::new() });
                        }
                    }
                    _ => {}
                }
                self.send(index, Side::Local, Request { call: Call::Local(call), of });
            }
            Call::Foreign(call) => self.send(index, Side::Foreign, Request { call: Call::Foreign(call), of }),
        }
    }

    fn send(&mut self, index: usize, side: Side, request: Request) {
        let process = &mut self.processes[index];
        let link = match side {
            Side::Local => &mut process.local,
            Side::Foreign => &mut process.foreign,
        };
        let id = *link.get_or_insert_with(|| {
            let host = process.host.clone();
            self.next_link += 1;
            let new = Link { side, owner: Some(index), host, requests: Default::default() };
            self.links.insert(self.next_link, new);
            self.next_link
        });
        // It may have ended, and the news of that is on its way: no call goes out behind one that was lost.
        if let Some(link) = self.links.get_mut(&id).filter(|link| link.owner.is_some()) {
            link.requests.push_back(request);
        }
    }

    /// Cuts a link: some of its calls are on the way yet.
    fn cut(&mut self, id: LinkId) {
        if let Some(link) = self.links.get_mut(&id) {
            link.owner = None;
            let kept = self.dice.below(link.requests.len() + 1);
            link.requests.truncate(kept);
        }
    }

    fn note_stop(&mut self, stop: &Stop) {
        match stop {
            Stop::Contest { .. } => self.verdict.stops.push(stop.to_string()),
            Stop::Gap { .. } if !self.foreign.gone().is_empty() => self.verdict.stops.push(stop.to_string()),
            _ => self.verdict.wrong.push(format!("a stop: {stop}")),
        }
    }

    fn disturb(&mut self) {
        let index = self.dice.below(self.processes.len());
        let what = self.dice.below(12);
        self.show(|| format!("*** break {what}, process {index}"));
        match what {
            0..=2 => {
                let links = [self.processes[index].local, self.processes[index].foreign];
                if let Some(link) = links[self.dice.below(2)] {
                    self.cut(link);
                    self.tell_break(index);
                }
            }
            3 => self.kill(index),
            4 | 5 => self.processes[index].is_paused ^= true,
            6 if self.processes.len() < PROCESSES_MAX => self.start_process(),
            7 => {
                self.end_links(Side::Local);
                self.queue_manager.crash(&mut self.dice);
                self.tell_ends_of_waits();
            }
            8 => {
                self.end_links(Side::Foreign);
                self.foreign.crash();
            }
            _ => {
                // Retention takes nothing before the pipe has a position.
                if !self.queue_manager.target().is_empty() || self.case.direction == Direction::Out {
                    self.foreign.disturb(&mut self.dice);
                }
                return;
            }
        }
        self.verdict.breaks += 1;
    }

    /// A process hears that a link broke: of the answers on their way some are lost.
    fn tell_break(&mut self, index: usize) {
        let process = &mut self.processes[index];
        if process.is_alive {
            let kept = self.dice.below(process.inbox.len() + 1);
            let is_started = process.inbox.front().is_none_or(|answer| answer.event != Event::Start);
            if is_started {
                process.inbox.truncate(kept);
            }
            process.inbox.push_back(Event::Broken("the connection ended".to_owned()).into());
        }
    }

    fn end_links(&mut self, side: Side) {
        let ended: Vec<LinkId> =
            self.links.iter().filter(|(_, link)| link.side == side).map(|(link, _)| *link).collect();
        for id in ended {
            if let Some(owner) = self.links.remove(&id).and_then(|link| link.owner) {
                self.tell_break(owner);
            }
        }
    }

    fn kill(&mut self, index: usize) {
        let process = &mut self.processes[index];
        if !process.is_alive {
            return;
        }
        process.is_alive = false;
        let links = [process.local.take(), process.foreign.take()];
        process.forget();
        links.into_iter().flatten().for_each(|link| self.cut(link));
        if self.processes.len() < PROCESSES_MAX {
            self.start_process();
        }
    }

    /// Everything is mended, and the pipe runs until nothing is left.
    fn settle(&mut self) {
        while self.to_put > 0 {
            self.put();
        }
        let alive: Vec<usize> =
            (0..self.processes.len()).filter(|index| self.processes[*index].is_alive).collect();
        let survivor = if alive.is_empty() { None } else { Some(alive[self.dice.below(alive.len())]) };
        for index in alive.into_iter().filter(|index| Some(*index) != survivor) {
            let process = &mut self.processes[index];
            process.is_alive = false;
            let links = [process.local.take(), process.foreign.take()];
            process.forget();
            links.into_iter().flatten().for_each(|link| self.cut(link));
        }
        let survivor = survivor.unwrap_or_else(|| {
            self.start_process();
            self.processes.len() - 1
        });
        self.processes[survivor].is_paused = false;
        self.foreign.heal();
        let has_cause = |stop: &String| stop.contains("are gone");
        for _ in 0..SETTLING_STEPS_MAX {
            if !self.verdict.wrong.is_empty() || self.verdict.stops.iter().any(has_cause) {
                return;
            }
            if self.step(false) {
                continue;
            }
            // A unit that is open at the machine is due soon; a position without messages is not.
            let is_due = |due| due <= self.now + inbound::IDLE_POSITION_TIME / 2;
            let has_open = self.processes[survivor].machine.get().due_at().is_some_and(is_due);
            if !has_open && self.queue_manager.is_quiet() && self.is_drained(survivor) {
                return;
            }
            if self.processes[survivor].machine.get().is_stopped() {
                // Processes took the seat from each other: a person ended the others.
                self.processes[survivor].inbox.push_back(Event::Start.into());
                continue;
            }
            match self.processes[survivor].machine.get().due_at() {
                Some(due) => self.now = self.now.max(due) + Duration::from_millis(1),
                None => break,
            }
        }
        self.verdict.wrong.push("it does not come to an end".to_owned());
    }

    /// True if the process has been given all that the foreign system has.
    fn is_drained(&self, survivor: usize) -> bool {
        let is_out = matches!(self.case.direction, Direction::Out | Direction::OutHigh);
        is_out || self.processes[survivor].foreign.is_some_and(|session| self.foreign.is_drained(session))
    }

    fn judge(mut self) -> Verdict {
        let is_out = matches!(self.case.direction, Direction::Out | Direction::OutHigh);
        let arrived = if is_out { self.foreign.visible() } else { self.queue_manager.target().to_vec() };
        let has_gap = self.verdict.stops.iter().any(|stop| stop.contains("are gone"));
        for message in &self.messages {
            let count = |all: &[Number]| all.iter().filter(|number| **number == message.number).count();
            let (there, dead) = (count(&arrived), count(self.queue_manager.dead()));
            if there + dead == 0 && message.is_persistent && !has_gap {
                self.verdict.lost.push(message.number);
            }
            if there + dead > 1 {
                self.verdict.doubled.push(message.number);
            }
            let is_bad = self.bad.contains(&message.number);
            if is_bad && there > 0 {
                self.verdict.wrong.push(format!("message {} was refused and arrived", message.number));
            }
            if !is_bad && dead > 0 {
                self.verdict
                    .wrong
                    .push(format!("message {} is a dead letter without a reason", message.number));
            }
        }
        self.verdict
    }
}
