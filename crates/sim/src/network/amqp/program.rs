//! A client of AMQP: puts, takes, accepts and gives back, in and outside transactions, and comes back when
//! its link breaks.

use std::collections::BTreeMap;

use amqp::outcome::{
    DeliveryState, Transactional, error_text, put_accepted, put_modified_failed, put_released,
    put_transactional,
};
use amqp::performative::{Close, Flow, Performative, Transfer};
use amqp::types::Raw;
use amqp::types::write::{Composite, put_binary};
use platform::simulated::Random;
use testing::history::{Action, Happening, Outcome};

use super::super::link::{Link, LinkId, PROGRAM, Protocol, take};
use super::super::party::{Goal, History, Party, Stage};
use super::super::plan::{Habits, QUEUES};
use super::line::{Line, body, declare, declared, discharge, message};

/// The handle of the coordinator; those before it send to the queues, those behind it receive from them.
const COORDINATOR: u32 = QUEUES as u32;
const RECEIVERS: u32 = COORDINATOR + 1;
/// Credit of a receiver at most.
const CREDIT_MAX: u64 = 12;
/// The conditions of a lack of room, and of a transaction that the queue manager had backed out.
const NO_ROOM: &str = "amqp:resource-limit-exceeded";
const ROLLBACK: &str = "amqp:transaction:rollback";
const BACKED_OUT: &str = "amqp:internal-error";

/// Says who settles the deliveries of a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settles {
    /// The receiver, and is not answered.
    First,
    /// The receiver, and then the queue manager.
    Second,
    /// The sender: a message is gone once it is sent.
    Sender,
}

/// A link that sends.
#[derive(Clone, Copy, Debug, Default)]
struct Sending {
    credit: u32,
    count: u32,
}

/// A link that receives.
#[derive(Debug)]
struct Receiving {
    settles: Settles,
    count: u32,
    credit: u32,
    is_draining: bool,
    /// Drains that ended with the last message of their credit, and whose answers are still on their way.
    answers_due: u32,
    /// Messages that came since it was last drained.
    came: u64,
    /// Says whether it was drained and nothing came.
    is_empty: bool,
    /// The delivery whose message has not come whole.
    arriving: Option<(u32, Vec<u8>)>,
    /// The calls in the history that its credit stands for, where the sender settles.
    calls: Vec<u64>,
}

impl Receiving {
    fn new(settles: Settles) -> Self {
        let (count, credit, answers_due, came, arriving) = (0, 0, 0, 0, None);
        let (is_draining, is_empty, calls) = (false, false, Vec::new());
        Self { settles, count, credit, is_draining, answers_due, came, is_empty, arriving, calls }
    }
}

/// A message that came and has no outcome.
#[derive(Clone, Copy, Debug)]
struct Held {
    queue: usize,
    unit: u64,
}

/// A transfer without an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingTransfer {
    Put { call: u64 },
    Declare,
    Discharge { call: u64 },
}

/// The transaction of the session.
#[derive(Debug, PartialEq, Eq)]
enum Transaction {
    None,
    /// It begins or ends.
    Changing,
    Open {
        id: Vec<u8>,
        unit: u64,
        /// The queue manager backed it out, which the program has not heard of.
        is_revoked: bool,
    },
}

pub(crate) struct AmqpProgram {
    number: u32,
    habits: Habits,
    random: Random,
    stage: Stage,
    goal: Goal,
    link: Option<LinkId>,
    line: Line,
    /// Links that were attached.
    attached: usize,
    senders: Vec<Sending>,
    receivers: Vec<Receiving>,
    asked: BTreeMap<u32, PendingTransfer>,
    held: BTreeMap<u32, Held>,
    /// Acceptances that the queue manager is to confirm, with their calls.
    confirming: BTreeMap<u32, u64>,
    transaction: Transaction,
    /// Says whether a link ended for a lack of room: the connection is given up.
    gives_up: bool,
    calls: u64,
    puts: u64,
    units: u64,
}

impl AmqpProgram {
    pub(crate) fn new(number: u32, habits: Habits, random: Random, goal: Goal) -> Self {
        Self {
            number,
            habits,
            random,
            stage: Stage::Away,
            goal,
            link: None,
            line: Line::default(),
            attached: 0,
            senders: Vec::new(),
            receivers: Vec::new(),
            asked: BTreeMap::new(),
            held: BTreeMap::new(),
            confirming: BTreeMap::new(),
            transaction: Transaction::None,
            gives_up: false,
            calls: 0,
            puts: 0,
            units: 0,
        }
    }

    fn invoke(&mut self, action: Action, history: &mut History) -> u64 {
        self.calls += 1;
        history.note(self.number, self.calls, Happening::Invoke(action));
        self.calls
    }

    fn next_unit(&mut self) -> u64 {
        self.units += 1;
        self.units
    }

    fn next_call(&mut self, history: &mut History) {
        match self.goal {
            Goal::Work => self.work(history),
            Goal::Finish => self.finish(history),
            Goal::Drain(queue) => self.drain(queue, history),
        }
    }

    fn work(&mut self, history: &mut History) {
        let queue = self.random.index(QUEUES);
        match self.random.below(100) {
            0..10 => self.change_transaction(history),
            10..35 if !self.held.is_empty() => self.settle_some(history),
            35..50 if self.random.percent(self.habits.gets) => {
                let more = self.random.between(1, 6);
                self.grant(queue, more, history);
            }
            50..55 => self.begin_drain(queue),
            _ => self.put(queue, history),
        }
    }

    /// Begins a transaction, or ends the one that is open.
    fn change_transaction(&mut self, history: &mut History) {
        match &self.transaction {
            Transaction::None if self.random.percent(self.habits.in_units) => {
                self.request(&declare(), PendingTransfer::Declare);
            }
            Transaction::Open { .. } => {
                let fails = self.random.percent(25);
                self.discharge(fails, history);
            }
            _ => {}
        }
    }

    fn request(&mut self, request: &[u8], asked: PendingTransfer) {
        let coordinator = &mut self.senders[COORDINATOR as usize];
        if coordinator.credit == 0 || !self.line.takes(request.len()) {
            return;
        }
        coordinator.credit -= 1;
        coordinator.count += 1;
        let id = self.line.transfer(COORDINATOR, false, None, request);
        self.asked.insert(id, asked);
        if asked == PendingTransfer::Declare {
            self.transaction = Transaction::Changing;
        }
    }

    fn discharge(&mut self, fails: bool, history: &mut History) {
        let Transaction::Open { id, unit, is_revoked } = &self.transaction else { return };
        let (request, unit, is_revoked) = (discharge(id, fails), *unit, *is_revoked);
        if self.senders[COORDINATOR as usize].credit == 0 || !self.line.takes(request.len()) {
            return;
        }
        self.transaction = Transaction::Changing;
        // That the program agrees to what the queue manager did before is not when it was done.
        let call = match (fails, is_revoked) {
            (true, true) => 0,
            (true, false) => self.invoke(Action::Backout { unit }, history),
            (false, _) => self.invoke(Action::Commit { unit }, history),
        };
        self.request(&request, PendingTransfer::Discharge { call });
    }

    fn put(&mut self, queue: usize, history: &mut History) {
        let length = match self.random.percent(self.habits.large) {
            true => self.random.between(66 << 10, 300 << 10),
            false => *self.random.pick(&[16, 100, 2_000, 9_000]),
        };
        let length = usize::try_from(length).expect("in memory");
        let is_behind = self.asked.len() >= self.habits.pipeline;
        if is_behind || self.senders[queue].credit == 0 || !self.line.takes(length + 64) {
            return;
        }
        self.puts += 1;
        let (bytes, identity) = testing::history::body::make(self.number, self.puts, length);
        let persistent = self.random.percent(self.habits.persistent);
        let priority = *self.random.pick(&[4, 4, 4, 0, 9]);
        let in_unit = self.random.percent(self.habits.in_units);
        let (unit, state) = match &self.transaction {
            Transaction::Open { id, unit, .. } if in_unit => (Some(*unit), Some(in_transaction(id))),
            _ => (None, None),
        };
        let queue_name = format!("Q{queue}");
        let action = Action::Put { queue: queue_name, message: identity, priority, persistent, unit };
        let call = self.invoke(action, history);
        self.senders[queue].credit -= 1;
        self.senders[queue].count += 1;
        // One that is sent settled has no outcome.
        let settled = self.random.percent(5);
        let message = message(&bytes, persistent, priority);
        let id = self.line.transfer(queue as u32, settled, state.as_deref(), &message);
        if settled {
            history.note(self.number, call, Happening::Unknown);
        } else {
            self.asked.insert(id, PendingTransfer::Put { call });
        }
    }

    fn grant(&mut self, queue: usize, more: u64, history: &mut History) {
        let receiver = &self.receivers[queue];
        let more = more.min(CREDIT_MAX.saturating_sub(receiver.credit.into()));
        if receiver.is_draining || more == 0 {
            return;
        }
        if receiver.settles == Settles::Sender {
            for _ in 0..more {
                let action = Action::Get { queue: format!("Q{queue}"), unit: None, selective: true };
                let call = self.invoke(action, history);
                self.receivers[queue].calls.push(call);
            }
        }
        self.receivers[queue].credit += u32::try_from(more).expect("little");
        self.tell_credit(queue);
    }

    fn begin_drain(&mut self, queue: usize) {
        let receiver = &mut self.receivers[queue];
        if receiver.credit > 0 && !receiver.is_draining {
            receiver.is_draining = true;
            receiver.came = 0;
            self.tell_credit(queue);
        }
    }

    fn tell_credit(&mut self, queue: usize) {
        let Receiving { count, credit, is_draining, .. } = self.receivers[queue];
        self.line.flow(RECEIVERS + queue as u32, (count, credit), is_draining);
    }

    /// Gives an outcome to messages that came, one behind the other.
    fn settle_some(&mut self, history: &mut History) {
        let numbers: Vec<u32> = self.held.keys().copied().collect();
        let first = self.random.index(numbers.len());
        let Held { queue, .. } = self.held[&numbers[first]];
        let wanted = usize::try_from(self.random.between(1, 5)).expect("few");
        let follow = numbers[first..].iter().zip(numbers[first]..).take(wanted);
        let run: Vec<u32> = follow
            .take_while(|(number, expected)| **number == *expected && self.held[*number].queue == queue)
            .map(|(number, _)| *number)
            .collect();
        let range = (run[0], run[run.len() - 1]);
        let mut state = Vec::new();
        match self.random.below(10) {
            8 if self.goal == Goal::Work => put_released(&mut state),
            9 if self.goal == Goal::Work => put_modified_failed(&mut state),
            _ => {
                put_accepted(&mut state);
                let confirms = self.receivers[queue].settles == Settles::Second;
                for number in &run {
                    let call = self.decide(*number, true, history);
                    if confirms {
                        self.confirming.insert(*number, call);
                    } else {
                        history.note(self.number, call, Happening::Unknown);
                    }
                }
                return self.line.settle(range, !confirms, &state);
            }
        }
        for number in run {
            let call = self.decide(number, false, history);
            history.note(self.number, call, Happening::Unknown);
        }
        self.line.settle(range, true, &state);
    }

    /// Each message outside the transaction is a unit of work of its own; its outcome ends it.
    fn decide(&mut self, number: u32, is_accepted: bool, history: &mut History) -> u64 {
        let Held { unit, .. } = self.held.remove(&number).expect("it is held");
        match is_accepted {
            true => self.invoke(Action::Commit { unit }, history),
            false => self.invoke(Action::Backout { unit }, history),
        }
    }

    /// Ends what is open, then the connection.
    fn finish(&mut self, history: &mut History) {
        match self.transaction {
            Transaction::Open { .. } => return self.discharge(false, history),
            Transaction::Changing => return,
            Transaction::None => {}
        }
        let of_credit = (0..QUEUES).find(|queue| self.receivers[*queue].credit > 0);
        if let Some(queue) = of_credit {
            self.begin_drain(queue);
        } else if !self.held.is_empty() {
            self.settle_some(history);
        } else if self.asked.is_empty() && self.confirming.is_empty() {
            self.line.say(Close::default());
            self.stage = Stage::Gone;
        }
    }

    /// Gets everything from a queue.
    fn drain(&mut self, queue: usize, history: &mut History) {
        let receiver = &self.receivers[queue];
        if !self.held.is_empty() {
            self.settle_some(history);
        } else if receiver.is_draining || !self.confirming.is_empty() {
        } else if receiver.is_empty {
            history.note(self.number, 0, Happening::Drained { queue: format!("Q{queue}") });
            self.goal = if queue + 1 < QUEUES { Goal::Drain(queue + 1) } else { Goal::Finish };
        } else {
            self.grant(queue, CREDIT_MAX, history);
            self.begin_drain(queue);
        }
    }

    fn odd(&self, what: &str) -> String {
        format!("program {} was told {what}; {}", self.number, self.describe())
    }

    fn frame(&mut self, bytes: &[u8], history: &mut History) -> Result<(), String> {
        let (performative, payload) =
            Performative::decode(bytes).map_err(|fault| self.odd(&format!("{fault:?}")))?;
        match performative {
            Performative::Open(_) => {}
            Performative::Begin(begin) => self.line.hear_window(Some(0), begin.incoming_window),
            Performative::Attach(attach) => {
                if attach.is_receiver && attach.target.is_none()
                    || !attach.is_receiver && attach.source.is_none()
                {
                    return Err(self.odd("of an attach without its terminus"));
                }
                self.attached += 1;
                if self.attached == 2 * QUEUES + 1 {
                    self.stage = Stage::Ready;
                }
            }
            Performative::Flow(flow) => self.hear_flow(&flow, history)?,
            Performative::Transfer(transfer) => self.hear_transfer(&transfer, payload, history)?,
            Performative::Disposition(told) => {
                let last = told.last.unwrap_or(told.first);
                for number in told.first..=last {
                    match told.is_receiver {
                        true => self.hear_outcome(number, told.state, history)?,
                        false => self.hear_confirmed(number, history)?,
                    }
                }
            }
            Performative::Detach(detach) => {
                let condition = detach.error.map_or("", |error| error_text(error).0);
                if condition != NO_ROOM {
                    return Err(self.odd(&format!("{detach:?}, {condition}")));
                }
                self.gives_up = true;
            }
            other => return Err(self.odd(&format!("{other:?}"))),
        }
        Ok(())
    }

    fn hear_flow(&mut self, flow: &Flow<'_>, history: &mut History) -> Result<(), String> {
        self.line.hear_window(flow.next_incoming_id, flow.incoming_window);
        let Some(handle) = flow.handle else { return Ok(()) };
        let credit = flow.link_credit.unwrap_or(0);
        if let Some(sender) = self.senders.get_mut(handle as usize) {
            let known = flow.delivery_count.unwrap_or(0);
            sender.credit = known.wrapping_add(credit).wrapping_sub(sender.count);
            return Ok(());
        }
        let number = self.number;
        let receiver = self.receivers.get_mut((handle - RECEIVERS) as usize);
        let receiver = receiver.ok_or_else(|| format!("program {number} has no link {handle}"))?;
        if flow.drain && credit == 0 {
            let used = flow.delivery_count.unwrap_or(0).wrapping_sub(receiver.count);
            // The answer of an earlier drain says nothing of the credit that was granted since.
            let is_late = used == 0 && (receiver.credit > 0 || !receiver.is_draining);
            if is_late && receiver.answers_due > 0 {
                receiver.answers_due -= 1;
                return Ok(());
            }
            if !receiver.is_draining || used != receiver.credit {
                return Err(self.odd(&format!("{used} used up by {flow:?}")));
            }
            // Answers come in order, and one may be that of several drains.
            receiver.answers_due = 0;
            receiver.count = receiver.count.wrapping_add(used);
            (receiver.credit, receiver.is_draining) = (0, false);
            receiver.is_empty = receiver.came == 0;
            for call in std::mem::take(&mut receiver.calls) {
                history.note(number, call, Happening::Ok(Outcome::Empty));
            }
        }
        Ok(())
    }

    fn hear_transfer(
        &mut self,
        transfer: &Transfer<'_>,
        payload: &[u8],
        history: &mut History,
    ) -> Result<(), String> {
        self.line.count_transfer()?;
        let queue = transfer.handle.wrapping_sub(RECEIVERS) as usize;
        if queue >= QUEUES {
            return Err(self.odd(&format!("{transfer:?}")));
        }
        let receiver = &mut self.receivers[queue];
        let (number, mut whole) = match (receiver.arriving.take(), transfer.delivery_id) {
            (Some(arriving), _) => arriving,
            (None, Some(number)) if receiver.credit > 0 => {
                receiver.credit -= 1;
                receiver.count = receiver.count.wrapping_add(1);
                receiver.came += 1;
                (number, Vec::new())
            }
            _ => return Err(self.odd(&format!("{transfer:?} without credit"))),
        };
        whole.extend_from_slice(payload);
        if transfer.more {
            receiver.arriving = Some((number, whole));
            return Ok(());
        }
        let is_drained = receiver.is_draining && receiver.credit == 0;
        let outcome = testing::history::body::identity(&body(&whole)?);
        let outcome = Happening::Ok(outcome.map_or(Outcome::Unrecognised, Outcome::Message));
        if is_drained {
            // All credit was used: the answer will tell nothing new, and may be late.
            receiver.is_draining = false;
            receiver.answers_due += 1;
        }
        if receiver.settles == Settles::Sender {
            let call = receiver.calls.remove(0);
            history.note(self.number, call, outcome);
            return Ok(());
        }
        let in_unit = self.random.percent(self.habits.in_units);
        let (unit, id) = match &self.transaction {
            Transaction::Open { id, unit, .. } if in_unit => (*unit, Some(id.clone())),
            _ => (self.next_unit(), None),
        };
        let action = Action::Get { queue: format!("Q{queue}"), unit: Some(unit), selective: true };
        let call = self.invoke(action, history);
        history.note(self.number, call, outcome);
        match id {
            Some(id) => {
                let mut state = Vec::new();
                put_transactional(&mut state, &id, put_accepted);
                self.line.settle((number, number), true, &state);
            }
            None => {
                self.held.insert(number, Held { queue, unit });
            }
        }
        Ok(())
    }

    /// The outcome of a transfer.
    fn hear_outcome(
        &mut self,
        number: u32,
        state: Option<Raw<'_>>,
        history: &mut History,
    ) -> Result<(), String> {
        let Some(asked) = self.asked.remove(&number) else {
            return Err(self.odd(&format!("an outcome of delivery {number}")));
        };
        let Some(state) = state else { return Err(self.odd(&format!("no outcome of {asked:?}"))) };
        if asked == PendingTransfer::Declare {
            let id = declared(state).ok_or_else(|| self.odd("something else than a name"))?;
            let unit = self.next_unit();
            self.transaction = Transaction::Open { id, unit, is_revoked: false };
            return Ok(());
        }
        let outcome = match DeliveryState::decode(state.0) {
            Ok(DeliveryState::Transactional(Transactional { outcome: Some(outcome), .. })) => {
                DeliveryState::decode(outcome.0)
            }
            outcome => outcome,
        };
        let condition = match outcome {
            Ok(DeliveryState::Accepted) => None,
            Ok(DeliveryState::Rejected(rejected)) => {
                Some(rejected.error.map_or("", |error| error_text(error).0))
            }
            other => return Err(self.odd(&format!("{other:?} of {asked:?}"))),
        };
        let (call, may_fail) = match asked {
            PendingTransfer::Put { call } => (call, [NO_ROOM, ROLLBACK]),
            PendingTransfer::Discharge { call } => {
                self.transaction = Transaction::None;
                (call, [NO_ROOM, BACKED_OUT])
            }
            PendingTransfer::Declare => unreachable!("it was answered above"),
        };
        let happening = match condition {
            None => Happening::Ok(Outcome::Done),
            Some(condition) if may_fail.contains(&condition) => Happening::Fail(condition.to_owned()),
            Some(condition) => return Err(self.odd(&format!("{condition} of {asked:?}"))),
        };
        if call > 0 {
            history.note(self.number, call, happening);
        }
        Ok(())
    }

    /// The queue manager settled what was accepted.
    fn hear_confirmed(&mut self, number: u32, history: &mut History) -> Result<(), String> {
        let Some(call) = self.confirming.remove(&number) else {
            return Err(self.odd(&format!("that delivery {number} is settled")));
        };
        history.note(self.number, call, Happening::Ok(Outcome::Done));
        Ok(())
    }
}

/// The state of a message that is sent in a transaction.
fn in_transaction(id: &[u8]) -> Vec<u8> {
    let mut state = Vec::new();
    let mut fields = Composite::begin(&mut state, Transactional::CODE);
    fields.put(|out| put_binary(out, id));
    fields.end();
    state
}

impl Party for AmqpProgram {
    fn number(&self) -> u32 {
        self.number
    }

    fn protocol(&self) -> Protocol {
        Protocol::Amqp
    }

    fn stage(&self) -> Stage {
        self.stage
    }

    fn link(&self) -> Option<LinkId> {
        self.link
    }

    fn set_goal(&mut self, goal: Goal) {
        self.goal = goal;
    }

    fn describe(&self) -> String {
        let Self { number, stage, goal, asked, held, confirming, transaction, receivers, .. } = self;
        format!(
            "client {number} is {stage:?} to {goal:?}, waiting for {asked:?} and {confirming:?}, holding {held:?} in \
             {transaction:?}, with {receivers:?}"
        )
    }

    fn connect(&mut self, link: LinkId) {
        self.link = Some(link);
        self.stage = Stage::Entering;
        self.gives_up = false;
        self.line = Line::begin(&format!("{PROGRAM}{}", self.number), &mut self.random);
        self.attached = 0;
        self.senders = vec![Sending::default(); QUEUES + 1];
        self.receivers.clear();
        for queue in 0..QUEUES {
            self.line.attach_target(queue as u32, Some(&format!("Q{queue}")));
        }
        self.line.attach_target(COORDINATOR, None);
        for queue in 0..QUEUES {
            let settles = match self.goal {
                Goal::Drain(_) => Settles::Second,
                _ => *self.random.pick(&[
                    Settles::First,
                    Settles::First,
                    Settles::Second,
                    Settles::Second,
                    Settles::Sender,
                ]),
            };
            let modes = match settles {
                Settles::First => (0, 0),
                Settles::Second => (0, 1),
                Settles::Sender => (1, 0),
            };
            self.line.attach_source(RECEIVERS + queue as u32, &format!("Q{queue}"), modes);
            self.receivers.push(Receiving::new(settles));
        }
    }

    fn turn(&mut self, link: &mut Link, _: u64, history: &mut History) {
        if self.stage == Stage::Ready {
            self.next_call(history);
        }
        let bytes = take(&mut self.line.output, link.to_server.room());
        link.to_server.send(&bytes);
        if self.gives_up {
            link.close();
            self.lose_link(history);
        } else if self.stage == Stage::Gone && self.line.output.is_empty() {
            link.close();
            self.link = None;
        }
    }

    fn hear(&mut self, bytes: &[u8], _: u64, history: &mut History) -> Result<(), String> {
        self.line.arrive(bytes);
        while let Some(frame) = self.line.next().map_err(|what| self.odd(&what))? {
            // An empty one shows life; after the Close nothing is of interest.
            if !frame.is_empty() && self.stage != Stage::Gone {
                self.frame(&frame, history)?;
            }
        }
        Ok(())
    }

    fn lose_link(&mut self, history: &mut History) {
        self.link = None;
        if self.stage == Stage::Gone {
            return;
        }
        self.stage = Stage::Away;
        self.transaction = Transaction::None;
        // The queue manager gives back what has no outcome, and backs the transaction out.
        self.held.clear();
        let asked = std::mem::take(&mut self.asked).into_values().filter_map(|asked| match asked {
            PendingTransfer::Put { call } | PendingTransfer::Discharge { call } => Some(call),
            PendingTransfer::Declare => None,
        });
        let confirming = std::mem::take(&mut self.confirming).into_values();
        let credits = self.receivers.iter_mut().flat_map(|receiver| std::mem::take(&mut receiver.calls));
        for call in asked.chain(confirming).chain(credits).filter(|call| *call > 0) {
            history.note(self.number, call, Happening::Unknown);
        }
    }

    fn revoke(&mut self) {
        if let Transaction::Open { is_revoked, .. } = &mut self.transaction {
            *is_revoked = true;
        }
    }
}
