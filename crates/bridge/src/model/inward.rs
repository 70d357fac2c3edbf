//! Foreign systems of pipes IN.

use std::collections::{BTreeMap, VecDeque};

use channel::message::{Line, Mark};

use super::case::{Answer, ForeignModel, Message, Number, Planted};
use super::dice::Dice;
use super::outward::broken;
use crate::exchange::{Event, Foreign, Last, Receipt, SourceFacts};
use crate::refusal::{DeadReason, Refusal};
use crate::state::Identity;
use crate::system::Source;

fn received(receipt: Receipt, number: Number) -> Answer {
    let message = Message { number, is_persistent: true };
    Answer { event: Event::Received(receipt), messages: vec![message] }
}

fn refusal_of(number: Number, unmappable: &[Number]) -> Option<Refusal> {
    unmappable.contains(&number).then(|| Refusal::permanent(DeadReason::UNMAPPABLE, "it has no form here"))
}

/// A reader of a log.
#[derive(Clone, Debug, Default)]
struct Reader {
    next: u64,
    credit: u32,
    receipts: u64,
    /// Positions that were delivered and not acknowledged, by their receipt.
    open: BTreeMap<u64, u64>,
    is_subscribed: bool,
}

/// A log with positions: Kafka, a stream of NATS or of RabbitMQ.
#[derive(Clone, Debug)]
pub(super) struct LogSource {
    is_assigned: bool,
    planted: Planted,
    unmappable: Vec<Number>,
    /// Records by position; none for one of the system's own.
    records: BTreeMap<u64, Option<Number>>,
    end: u64,
    oldest: u64,
    gone: Vec<Number>,
    /// SERVICE(HIGH): the position that the system keeps for the reader.
    kept: Option<u64>,
    readers: BTreeMap<u64, Reader>,
    has_retention: bool,
}

impl LogSource {
    pub(super) fn new(
        source: Source,
        is_high: bool,
        planted: Planted,
        unmappable: Vec<Number>,
        has_retention: bool,
    ) -> Self {
        Self {
            is_assigned: source == Source::Positions { is_assigned: true },
            planted,
            unmappable,
            records: BTreeMap::new(),
            end: 0,
            oldest: 0,
            gone: Vec::new(),
            kept: is_high.then_some(0),
            readers: BTreeMap::new(),
            has_retention,
        }
    }
}

impl ForeignModel for LogSource {
    fn call(&mut self, session: u64, call: &Foreign, _of: Option<Message>) -> Vec<Answer> {
        if let Foreign::Connect { .. } = call {
            self.readers.insert(session, Reader::default());
            return vec![Event::Connected.into()];
        }
        let (oldest, next) = (self.oldest, self.end);
        let Some(reader) = self.readers.get_mut(&session) else { return broken("no session") };
        match call {
            Foreign::AskSource => {
                let oldest = if self.planted == Planted::GapIgnored { 0 } else { oldest };
                vec![Event::Source(SourceFacts { identity: Identity([7; 16]), oldest, next }).into()]
            }
            Foreign::Subscribe { from } => {
                reader.next = from.or(self.kept).unwrap_or(0);
                if self.is_assigned {
                    // A compressed batch is given from its first message on.
                    reader.next = (reader.next - reader.next % 3).max(oldest.min(reader.next));
                }
                reader.is_subscribed = true;
                Vec::new()
            }
            Foreign::Credit { messages } => {
                reader.credit += messages;
                Vec::new()
            }
            Foreign::Acknowledge { receipt } => {
                let all: Vec<u64> = reader.open.range(..=*receipt).map(|(receipt, _)| *receipt).collect();
                let last = all.iter().filter_map(|receipt| reader.open.remove(receipt)).max();
                if let (Some(kept), Some(last)) = (&mut self.kept, last) {
                    *kept = (*kept).max(last + 1);
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn end_session(&mut self, session: u64) {
        self.readers.remove(&session);
    }

    fn crash(&mut self) {
        self.readers.clear();
    }

    fn disturb(&mut self, dice: &mut Dice) {
        if self.has_retention && self.end > 4 && dice.percent(10) {
            let oldest = self.oldest + dice.below((self.end - self.oldest) as usize) as u64;
            let rest = self.records.split_off(&oldest);
            self.gone.extend(std::mem::replace(&mut self.records, rest).into_values().flatten());
            self.oldest = self.oldest.max(oldest);
        }
    }

    fn deliveries(&mut self, dice: &mut Dice) -> Vec<(u64, Answer)> {
        let mut all = Vec::new();
        for (session, reader) in &mut self.readers {
            if !reader.is_subscribed || reader.credit == 0 {
                continue;
            }
            if reader.next < self.oldest && self.planted != Planted::GapIgnored && self.kept.is_none() {
                reader.is_subscribed = false;
                all.push((*session, Event::Broken("the source overtook the reader".to_owned()).into()));
                continue;
            }
            // Delivered again where the reader does not choose its position.
            let again = (!self.is_assigned && dice.percent(10))
                .then(|| reader.open.values().next().copied())
                .flatten();
            let position =
                again.or_else(|| self.records.range(reader.next..).next().map(|(position, _)| *position));
            let Some((position, number)) = position.and_then(|at| Some((at, *self.records.get(&at)?))) else {
                continue;
            };
            if again.is_none() {
                reader.next = position + 1;
            }
            reader.credit -= 1;
            let receipt = reader.receipts;
            reader.receipts += 1;
            reader.open.insert(receipt, position);
            let of = number.unwrap_or_default();
            let told = Receipt {
                receipt,
                position: Some(position),
                hash: None,
                is_redelivered: again.is_some(),
                is_control: number.is_none(),
                bytes: 10,
                refusal: refusal_of(of, &self.unmappable),
            };
            all.push((*session, received(told, of)));
        }
        all
    }

    fn add(&mut self, number: Number) {
        self.records.insert(self.end, Some(number));
        // Records of the system's own, and holes.
        if number.is_multiple_of(4) {
            self.records.insert(self.end + 1, None);
        }
        self.end += 1 + u64::from(number.is_multiple_of(4)) + u64::from(number.is_multiple_of(7));
    }

    fn gone(&self) -> Vec<Number> {
        self.gone.clone()
    }

    fn is_drained(&self, session: u64) -> bool {
        let newest =
            self.records.iter().rfind(|(_, number)| number.is_some()).map_or(0, |(position, _)| position + 1);
        self.readers.get(&session).is_some_and(|reader| reader.next >= newest)
    }
}

/// A queue without positions: RabbitMQ and AMQP 1.0, with transactions or without.
#[derive(Clone, Debug)]
pub(super) struct QueueSource {
    has_transactions: bool,
    unmappable: Vec<Number>,
    /// Waiting messages; true if they were delivered before.
    queue: VecDeque<(Number, bool)>,
    record: Option<(Line, Mark)>,
    /// The one consumer: its session, credit, receipts so far, and what it has and did not acknowledge.
    consumer: Option<(u64, u32, u64, BTreeMap<u64, Number>)>,
    /// The session that has acquired the state message.
    holder: Option<u64>,
    /// Receipts that are accepted within the open transaction.
    accepted: Vec<u64>,
}

impl QueueSource {
    pub(super) fn new(has_transactions: bool, unmappable: Vec<Number>) -> Self {
        Self {
            has_transactions,
            unmappable,
            queue: VecDeque::new(),
            record: None,
            consumer: None,
            holder: None,
            accepted: Vec::new(),
        }
    }
}

impl ForeignModel for QueueSource {
    fn call(&mut self, session: u64, call: &Foreign, _of: Option<Message>) -> Vec<Answer> {
        if let Foreign::Connect { .. } = call {
            if self.holder.is_some_and(|holder| holder != session) {
                return broken("another consumer is there");
            }
            self.holder = Some(session);
            return vec![Event::Connected.into()];
        }
        if self.holder != Some(session) {
            return broken("no session");
        }
        match (call, &mut self.consumer) {
            (Foreign::AskLast, _) => vec![Event::Last(Last::Batch(self.record)).into()],
            (Foreign::BeginLine { line }, _) => {
                self.record = Some((*line, Mark::START));
                vec![Event::LineBegun.into()]
            }
            (Foreign::Subscribe { .. }, consumer) => {
                *consumer = Some((session, 0, 0, BTreeMap::new()));
                Vec::new()
            }
            (Foreign::Credit { messages }, Some((_, credit, ..))) => {
                *credit += messages;
                Vec::new()
            }
            (Foreign::Acknowledge { receipt }, Some((.., open))) => {
                if self.has_transactions {
                    self.accepted.push(*receipt);
                } else {
                    open.remove(receipt);
                }
                Vec::new()
            }
            (Foreign::Commit { line, mark }, Some((.., open))) => {
                for receipt in std::mem::take(&mut self.accepted) {
                    open.remove(&receipt);
                }
                self.record = Some((*line, *mark));
                vec![Event::ForeignCommitted(mark.batch).into()]
            }
            _ => Vec::new(),
        }
    }

    fn end_session(&mut self, session: u64) {
        if self.holder == Some(session) {
            self.crash();
        }
    }

    fn crash(&mut self) {
        self.holder = None;
        self.accepted.clear();
        if let Some((.., open)) = self.consumer.take() {
            for number in open.into_values().rev() {
                self.queue.push_front((number, true));
            }
        }
    }

    fn deliveries(&mut self, _dice: &mut Dice) -> Vec<(u64, Answer)> {
        let Some((session, credit, receipts, open)) = &mut self.consumer else { return Vec::new() };
        if *credit == 0 {
            return Vec::new();
        }
        let Some((number, is_redelivered)) = self.queue.pop_front() else { return Vec::new() };
        let receipt = *receipts;
        (*receipts, *credit) = (receipt + 1, *credit - 1);
        open.insert(receipt, number);
        let told = Receipt {
            receipt,
            position: None,
            hash: Some(u64::from(number) + 1000),
            is_redelivered,
            is_control: false,
            bytes: 10,
            refusal: refusal_of(number, &self.unmappable),
        };
        vec![(*session, received(told, number))]
    }

    fn add(&mut self, number: Number) {
        self.queue.push_back((number, false));
    }

    fn is_drained(&self, session: u64) -> bool {
        let is_settled = |consumer: &(u64, u32, u64, BTreeMap<u64, Number>)| {
            consumer.0 == session && consumer.3.is_empty()
        };
        self.queue.is_empty() && self.consumer.as_ref().is_some_and(is_settled)
    }
}
