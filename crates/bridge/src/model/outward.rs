//! Foreign systems of pipes OUT, but Kafka.

use std::collections::BTreeMap;

use channel::message::{BatchNumber, Line, Mark};

use super::case::{Answer, ForeignModel, Message, Number, Planted};
use super::dice::Dice;
use crate::exchange::{Event, Foreign, Last};
use crate::refusal::{DeadReason, Refusal};
use crate::system::System;

/// Messages that a system refuses, and the way in which it says so.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusals {
    pub(super) numbers: Vec<Number>,
    /// True where the commit is refused as a whole.
    pub(super) is_whole: bool,
}

impl Refusals {
    fn refuses(&self, message: Message) -> bool {
        self.numbers.contains(&message.number)
    }

    /// The refusal of a single message.
    pub(super) fn of_message(&self, message: Message) -> Option<Refusal> {
        let is_refused = !self.is_whole && self.refuses(message);
        is_refused.then(|| Refusal::permanent(DeadReason::TOO_LARGE, "larger than the system takes"))
    }

    /// The refusal of a whole batch.
    pub(super) fn of_batch(&self, messages: &[Message]) -> Option<Refusal> {
        let is_refused = self.is_whole && messages.iter().any(|message| self.refuses(*message));
        is_refused.then(|| Refusal::permanent(DeadReason::UNMAPPABLE, "the batch is not taken"))
    }
}

pub(super) fn broken(text: &str) -> Vec<Answer> {
    vec![Event::Broken(text.to_owned()).into()]
}

pub(super) fn refused(batch: BatchNumber, index: Option<u64>, refusal: Refusal) -> Vec<Answer> {
    vec![Event::Refused { batch, index, refusal }.into()]
}

/// A session of a producer.
#[derive(Clone, Debug, Default)]
struct Session {
    fence: u64,
    /// Messages sent since the last commit.
    sent: Vec<(u64, Message)>,
}

/// A system that takes a batch and its number together: FerryMQ, AMQP with transactions, NATS with atomic
/// batches.
#[derive(Clone, Debug)]
pub(super) struct Transactional {
    system: System,
    planted: Planted,
    refusals: Refusals,
    visible: Vec<Number>,
    record: Option<(Line, Mark)>,
    /// FerryMQ: the epoch in the state message. NATS: the last sequence of the state subject.
    fence: u64,
    sessions: BTreeMap<u64, Session>,
}

impl Transactional {
    pub(super) fn new(system: System, planted: Planted, refusals: Refusals) -> Self {
        Self {
            system,
            planted,
            refusals,
            visible: Vec::new(),
            record: None,
            fence: 0,
            sessions: BTreeMap::new(),
        }
    }

    fn connect(&mut self, session: u64, epoch: u64) -> Vec<Answer> {
        match self.system {
            System::Ferry if epoch < self.fence => return broken("a later holder put the state message"),
            System::Ferry => self.fence = epoch,
            // The state message is acquired by the link of another session.
            System::AmqpTransactions if !self.sessions.is_empty() => {
                return broken("the state message is acquired");
            }
            _ => self.fence += 1,
        }
        self.sessions.insert(session, Session { fence: self.fence, sent: Vec::new() });
        vec![Event::Connected.into()]
    }

    fn commit(&mut self, session: u64, line: Line, mark: Mark) -> Vec<Answer> {
        let Some(own) = self.sessions.get_mut(&session) else { return broken("no session") };
        let sent = std::mem::take(&mut own.sent);
        if own.fence != self.fence && self.planted != Planted::StateNotCompared {
            return broken("the state message is another holder's");
        }
        let messages: Vec<Message> = sent.iter().map(|(_, message)| *message).collect();
        if self.system == System::NatsAtomic {
            // One request: the answer to it is the only one.
            let bad =
                sent.iter().find_map(|(index, message)| Some((*index, self.refusals.of_message(*message)?)));
            if let Some((index, refusal)) = bad {
                return refused(mark.batch, Some(index), refusal);
            }
            self.fence += 1;
            own.fence = self.fence;
        }
        if let Some(refusal) = self.refusals.of_batch(&messages) {
            return refused(mark.batch, None, refusal);
        }
        self.visible.extend(messages.iter().map(|message| message.number));
        self.record = Some((line, mark));
        vec![Event::ForeignCommitted(mark.batch).into()]
    }
}

impl ForeignModel for Transactional {
    fn call(&mut self, session: u64, call: &Foreign, of: Option<Message>) -> Vec<Answer> {
        if let Foreign::Connect { epoch } = call {
            return self.connect(session, *epoch);
        }
        let Some(own) = self.sessions.get_mut(&session) else { return broken("no session") };
        match call {
            Foreign::AskLast => vec![Event::Last(Last::Batch(self.record)).into()],
            Foreign::BeginLine { line } => {
                if own.fence != self.fence {
                    return broken("the state message is another holder's");
                }
                self.record = Some((*line, Mark::START));
                vec![Event::LineBegun.into()]
            }
            Foreign::Send { batch, index, .. } => {
                let message = of.expect("a message is sent");
                own.sent.push((*index, message));
                if self.system == System::NatsAtomic {
                    return Vec::new();
                }
                match self.refusals.of_message(message) {
                    Some(refusal) => refused(*batch, Some(*index), refusal),
                    None => vec![Event::Acknowledged { batch: *batch, index: *index }.into()],
                }
            }
            Foreign::Commit { line, mark } => self.commit(session, *line, *mark),
            Foreign::Abort => {
                own.sent.clear();
                vec![Event::Aborted.into()]
            }
            _ => Vec::new(),
        }
    }

    fn end_session(&mut self, session: u64) {
        self.sessions.remove(&session);
    }

    fn crash(&mut self) {
        self.sessions.clear();
    }

    fn visible(&self) -> Vec<Number> {
        self.visible.clone()
    }
}

/// A system that confirms messages one by one: a stream or a queue of RabbitMQ, plain NATS, plain AMQP.
#[derive(Clone, Debug)]
pub(super) struct Confirming {
    system: System,
    refusals: Refusals,
    visible: Vec<Number>,
    /// The highest publishing identifier of a stream.
    highest: u64,
    sessions: Vec<u64>,
}

impl Confirming {
    pub(super) fn new(system: System, refusals: Refusals) -> Self {
        Self { system, refusals, visible: Vec::new(), highest: 0, sessions: Vec::new() }
    }
}

impl ForeignModel for Confirming {
    fn call(&mut self, session: u64, call: &Foreign, of: Option<Message>) -> Vec<Answer> {
        if let Foreign::Connect { .. } = call {
            // Other sessions live on: nothing fences them.
            self.sessions.push(session);
            return vec![Event::Connected.into()];
        }
        if !self.sessions.contains(&session) {
            return broken("no session");
        }
        let is_stream = self.system == System::RabbitMqStream;
        match call {
            Foreign::AskLast if is_stream => vec![Event::Last(Last::Published(self.highest)).into()],
            Foreign::AskLast => vec![Event::Last(Last::Unknown).into()],
            Foreign::Send { batch, index, id } => {
                let message = of.expect("a message is sent");
                if let Some(refusal) = self.refusals.of_message(message) {
                    return refused(*batch, Some(*index), refusal);
                }
                let is_known = id.filter(|_| is_stream).is_some_and(|id| id <= self.highest);
                if !is_known {
                    self.highest = id.unwrap_or(self.highest);
                    self.visible.push(message.number);
                }
                vec![Event::Acknowledged { batch: *batch, index: *index }.into()]
            }
            _ => Vec::new(),
        }
    }

    fn end_session(&mut self, session: u64) {
        self.sessions.retain(|other| *other != session);
    }

    fn crash(&mut self) {
        self.sessions.clear();
    }

    fn disturb(&mut self, _dice: &mut Dice) {}

    fn visible(&self) -> Vec<Number> {
        self.visible.clone()
    }
}
