//! The foreign systems, and the promise of each direction.
//!
//! Lives here: one row a system. Lives elsewhere: names and limits of messages (`mapping`).
//!
//! Always: "exactly once" is never written without the sentence of its row.

/// A foreign system, with the way in which it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum System {
    /// Another FerryMQ.
    Ferry,
    /// Kafka from 3.3 on.
    Kafka,
    /// NATS from 2.12 on: one stream that allows atomic batches and keeps messages by limits.
    NatsAtomic,
    /// Any other stream of NATS.
    Nats,
    /// A stream of RabbitMQ that one pipe alone writes.
    RabbitMqStream,
    /// A queue of RabbitMQ by AMQP 0-9-1.
    RabbitMqQueue,
    /// AMQP 1.0 with a coordinator of transactions, such as Artemis.
    AmqpTransactions,
    /// AMQP 1.0 without transactions, such as RabbitMQ.
    Amqp,
}

/// The way in which a batch reaches the foreign system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// A transaction that messages join as they are got. The number of the batch is in it, and a former
    /// holder is fenced.
    Transaction,
    /// One request with all messages and the number of the batch, taken whole or not at all. A former holder
    /// is fenced.
    Atomic,
    /// Messages with running numbers; the system drops a number that it has, and tells the highest. Not
    /// fenced.
    Numbered,
    /// Messages that are confirmed one by one. Not fenced.
    Confirmed,
}

impl Delivery {
    /// Returns true if a former holder can have no effect once the new one is connected. Only then may a
    /// branch in doubt be backed out.
    #[must_use]
    pub const fn is_fenced(self) -> bool {
        matches!(self, Self::Transaction | Self::Atomic)
    }

    /// Returns true if messages may leave before their branch is prepared, since nobody sees them until the
    /// commit.
    #[must_use]
    pub const fn sends_early(self) -> bool {
        matches!(self, Self::Transaction)
    }
}

/// The way in which messages come from the foreign system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A queue manager with branches: the outbound machine works there, and the state is here.
    Branch,
    /// Messages with ascending positions. The position of the last one is in our unit of work.
    Positions {
        /// True where the reader chooses its position itself: one that comes again is a fault. Else the
        /// system may deliver again, and what is known is dropped.
        is_assigned: bool,
    },
    /// Messages with identifiers alone: those of the last ones are in our unit of work.
    Recent,
    /// A transaction there takes messages off, with the number of our prepared branch in it.
    Transaction,
}

/// A promise, as pages and DISPLAY PIPESTATUS print it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Promise {
    /// True where no fault of a process, a line or a server loses or doubles a persistent message.
    pub is_exactly_once: bool,
    /// The promise with its condition.
    pub sentence: &'static str,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The system.
    pub system: System,
    /// Its name for people.
    pub name: &'static str,
    /// The way out.
    pub delivery: Delivery,
    /// The promise of the way out.
    pub out: Promise,
    /// The way in.
    pub source: Source,
    /// The promise of the way in.
    pub inward: Promise,
}

const fn exactly(sentence: &'static str) -> Promise {
    Promise { is_exactly_once: true, sentence }
}

const fn at_least(sentence: &'static str) -> Promise {
    Promise { is_exactly_once: false, sentence }
}

/// All systems, in the order of the table of promises.
pub const ROWS: [Row; 8] = [
    Row {
        system: System::Ferry,
        name: "FerryMQ",
        delivery: Delivery::Transaction,
        out: exactly("exactly once: the number of a batch is in the same unit of work as its messages"),
        source: Source::Branch,
        inward: exactly("exactly once: a branch there, the number of its batch in the unit of work here"),
    },
    Row {
        system: System::Kafka,
        name: "Kafka",
        delivery: Delivery::Transaction,
        out: exactly(
            "exactly once for consumers with isolation level read_committed; others also see aborted messages",
        ),
        source: Source::Positions { is_assigned: true },
        inward: exactly("exactly once: topic, partition and offset are in the unit of work of the messages"),
    },
    Row {
        system: System::NatsAtomic,
        name: "NATS, atomic batches",
        delivery: Delivery::Atomic,
        out: exactly(
            "exactly once in one stream with allow_atomic; consumers without a filter also see its state subject",
        ),
        source: Source::Positions { is_assigned: false },
        inward: exactly("exactly once: the sequence of the stream is in the unit of work of the messages"),
    },
    Row {
        system: System::Nats,
        name: "NATS",
        delivery: Delivery::Confirmed,
        out: at_least("exactly once within duplicate_window after a break, else at least once"),
        source: Source::Positions { is_assigned: false },
        inward: exactly("exactly once: the sequence of the stream is in the unit of work of the messages"),
    },
    Row {
        system: System::RabbitMqStream,
        name: "RabbitMQ stream",
        delivery: Delivery::Numbered,
        out: exactly("exactly once: the stream drops publishing identifiers that it has; one pipe a stream"),
        source: Source::Positions { is_assigned: false },
        inward: exactly("exactly once: the offset of the stream is in the unit of work of the messages"),
    },
    Row {
        system: System::RabbitMqQueue,
        name: "RabbitMQ queue",
        delivery: Delivery::Confirmed,
        out: at_least("at least once: after a break a batch may come again, with the same message-id"),
        source: Source::Recent,
        inward: at_least("exactly once if every message has a message-id of its own, else at least once"),
    },
    Row {
        system: System::AmqpTransactions,
        name: "AMQP 1.0 with transactions",
        delivery: Delivery::Transaction,
        out: exactly("exactly once: the number of a batch is on a queue of state, in the same transaction"),
        source: Source::Transaction,
        inward: exactly("exactly once: accepts and the number of the batch are in one transaction there"),
    },
    Row {
        system: System::Amqp,
        name: "AMQP 1.0",
        delivery: Delivery::Confirmed,
        out: at_least("at least once: after a break a batch may come again, with the same message-id"),
        source: Source::Recent,
        inward: at_least("exactly once if every message has a message-id of its own, else at least once"),
    },
];

impl System {
    /// Its row.
    #[must_use]
    pub fn row(self) -> &'static Row {
        let row = ROWS.iter().find(|row| row.system == self);
        row.expect("each system has a row")
    }
}

#[cfg(test)]
mod tests {
    use super::{Delivery, ROWS, Source};

    #[test]
    fn every_promise_names_its_condition() {
        for row in &ROWS {
            assert_eq!(row.system.row().name, row.name);
            for promise in [row.out, row.inward] {
                assert!(promise.sentence.len() > "exactly once".len(), "{}: {}", row.name, promise.sentence);
                let is_weak = promise.sentence.contains("at least once");
                assert_ne!(promise.is_exactly_once, is_weak, "{}: {}", row.name, promise.sentence);
            }
        }
    }

    #[test]
    fn what_is_confirmed_one_by_one_is_never_exactly_once() {
        for row in &ROWS {
            assert_eq!(row.out.is_exactly_once, row.delivery != Delivery::Confirmed, "{}", row.name);
            assert_eq!(row.inward.is_exactly_once, row.source != Source::Recent, "{}", row.name);
        }
    }
}
