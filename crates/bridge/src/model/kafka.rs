//! Kafka as a pipe OUT meets it: transactions of producers, and the topic of state that all pipes write.
//!
//! Always: a reader up to the last stable offset sees nothing behind the first open transaction of any
//! producer; a reader up to the high watermark that leaves aborted and open records out does.

use std::collections::BTreeMap;

use channel::message::{Line, Mark};

use super::case::{Answer, ForeignModel, Message, Number, Planted};
use super::dice::Dice;
use super::outward::{Refusals, broken, refused};
use crate::exchange::{Event, Foreign, Last};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Open,
    Committed,
    Aborted,
}

/// A record of the topic of state, by its transaction; none in it for a record of another pipe.
#[derive(Clone, Copy, Debug)]
struct Record {
    transaction: u64,
    mark: Option<(Line, Mark)>,
}

#[derive(Clone, Debug)]
struct Session {
    epoch: u64,
    transaction: Option<u64>,
    sent: Vec<Message>,
}

/// The model.
#[derive(Clone, Debug)]
pub(super) struct Kafka {
    planted: Planted,
    refusals: Refusals,
    /// Committed messages.
    visible: Vec<Number>,
    records: Vec<Record>,
    outcomes: BTreeMap<u64, Outcome>,
    /// The newest epoch of our transactional identifier.
    epoch: u64,
    sessions: BTreeMap<u64, Session>,
    transactions: u64,
    /// The open transaction of another pipe.
    other: Option<u64>,
}

impl Kafka {
    pub(super) fn new(planted: Planted, refusals: Refusals) -> Self {
        Self {
            planted,
            refusals,
            visible: Vec::new(),
            records: Vec::new(),
            outcomes: BTreeMap::new(),
            epoch: 0,
            sessions: BTreeMap::new(),
            transactions: 0,
            other: None,
        }
    }

    fn begin(&mut self) -> u64 {
        self.transactions += 1;
        self.outcomes.insert(self.transactions, Outcome::Open);
        self.transactions
    }

    fn last(&self) -> Option<(Line, Mark)> {
        let outcome = |record: &Record| self.outcomes[&record.transaction];
        let stable = self.records.iter().position(|record| outcome(record) == Outcome::Open);
        let end = match self.planted {
            Planted::ReadToLastStableOffset => stable.unwrap_or(self.records.len()),
            _ => self.records.len(),
        };
        let committed = self.records[..end].iter().filter(|record| outcome(record) == Outcome::Committed);
        committed.filter_map(|record| record.mark).next_back()
    }

    /// InitProducerId: ends the transaction of the former instance.
    fn connect(&mut self, session: u64) {
        if self.planted != Planted::OldInstanceNotEnded {
            self.epoch += 1;
            for former in self.sessions.values_mut() {
                if let Some(transaction) = former.transaction.take() {
                    self.outcomes.insert(transaction, Outcome::Aborted);
                }
            }
        }
        let epoch = self.epoch;
        self.sessions.insert(session, Session { epoch, transaction: None, sent: Vec::new() });
    }

    fn commit(&mut self, session: u64, mark: Option<(Line, Mark)>) -> Result<(), Vec<Answer>> {
        let transaction = match self.sessions[&session].transaction {
            Some(transaction) => transaction,
            None => self.begin(),
        };
        let own = self.sessions.get_mut(&session).expect("it was found");
        own.transaction = None;
        let sent = std::mem::take(&mut own.sent);
        // The coordinator gave the transaction up: it took too long.
        if self.outcomes[&transaction] == Outcome::Aborted {
            return Err(broken("the transaction timed out"));
        }
        if let (Some(refusal), Some((_, mark))) = (self.refusals.of_batch(&sent), mark) {
            self.outcomes.insert(transaction, Outcome::Aborted);
            return Err(refused(mark.batch, None, refusal));
        }
        self.records.push(Record { transaction, mark });
        self.outcomes.insert(transaction, Outcome::Committed);
        self.visible.extend(sent.iter().map(|message| message.number));
        Ok(())
    }

    fn end_other(&mut self, outcome: Outcome) {
        if let Some(transaction) = self.other.take() {
            self.outcomes.insert(transaction, outcome);
        }
    }
}

impl ForeignModel for Kafka {
    fn call(&mut self, session: u64, call: &Foreign, of: Option<Message>) -> Vec<Answer> {
        if let Foreign::Connect { .. } = call {
            self.connect(session);
            return vec![Event::Connected.into()];
        }
        let Some(own) = self.sessions.get(&session) else { return broken("no session") };
        if own.epoch != self.epoch {
            return broken("the producer is fenced");
        }
        match call {
            Foreign::AskLast => vec![Event::Last(Last::Batch(self.last())).into()],
            Foreign::BeginLine { line } => match self.commit(session, Some((*line, Mark::START))) {
                Ok(()) => vec![Event::LineBegun.into()],
                Err(answers) => answers,
            },
            Foreign::Send { batch, index, .. } => {
                let message = of.expect("a message is sent");
                let transaction = match own.transaction {
                    Some(transaction) => transaction,
                    None => self.begin(),
                };
                let own = self.sessions.get_mut(&session).expect("it was found");
                own.transaction = Some(transaction);
                own.sent.push(message);
                match self.refusals.of_message(message) {
                    Some(refusal) => refused(*batch, Some(*index), refusal),
                    None => vec![Event::Acknowledged { batch: *batch, index: *index }.into()],
                }
            }
            Foreign::Commit { line, mark } => match self.commit(session, Some((*line, *mark))) {
                Ok(()) => vec![Event::ForeignCommitted(mark.batch).into()],
                Err(answers) => answers,
            },
            Foreign::Abort => {
                let own = self.sessions.get_mut(&session).expect("it was found");
                own.sent.clear();
                if let Some(transaction) = own.transaction.take() {
                    self.outcomes.insert(transaction, Outcome::Aborted);
                }
                vec![Event::Aborted.into()]
            }
            _ => Vec::new(),
        }
    }

    fn end_session(&mut self, _session: u64) {
        // The transaction stays open until the next instance of its identifier, or its time-out.
    }

    fn crash(&mut self) {
        // Another broker coordinates on; only connections end.
    }

    fn disturb(&mut self, dice: &mut Dice) {
        match dice.below(4) {
            0 if self.other.is_none() => {
                let transaction = self.begin();
                self.records.push(Record { transaction, mark: None });
                self.other = Some(transaction);
            }
            1 => self.end_other(if dice.percent(50) { Outcome::Committed } else { Outcome::Aborted }),
            2 => {
                let open = self.sessions.values().filter_map(|session| session.transaction);
                for transaction in open.collect::<Vec<_>>() {
                    self.outcomes.insert(transaction, Outcome::Aborted);
                }
            }
            _ => {}
        }
    }

    fn heal(&mut self) {
        self.end_other(Outcome::Committed);
    }

    fn visible(&self) -> Vec<Number> {
        self.visible.clone()
    }
}
