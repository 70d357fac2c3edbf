//! Links between processes and the two sides, and the processes themselves.
//!
//! Always: a link delivers calls in their order. One that is cut keeps some of its calls on the way: they
//! arrive later, or never, and their answers go nowhere.

use std::collections::{BTreeMap, VecDeque};

use super::case::{Answer, Message, Number};
use super::queue_manager::LinkId;
use crate::exchange::{Call, Event};
use crate::inbound::Inbound;
use crate::outbound::Outbound;
use crate::outbound::high::HighOutbound;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Local,
    Foreign,
}

/// A call on its way, with the messages that it carries.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) call: Call,
    pub(super) of: Vec<Message>,
}

#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) side: Side,
    /// The process at its end; none once it is cut.
    pub(super) owner: Option<usize>,
    pub(super) host: String,
    pub(super) requests: VecDeque<Request>,
}

/// The machine of a process.
#[derive(Clone, Debug)]
pub(super) enum ProcessMachine {
    Out(Box<Outbound>),
    OutHigh(Box<HighOutbound>),
    In(Box<Inbound>),
}

impl ProcessMachine {
    pub(super) fn get(&self) -> &dyn crate::Machine {
        match self {
            Self::Out(machine) => &**machine,
            Self::OutHigh(machine) => &**machine,
            Self::In(machine) => &**machine,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut dyn crate::Machine {
        match self {
            Self::Out(machine) => &mut **machine,
            Self::OutHigh(machine) => &mut **machine,
            Self::In(machine) => &mut **machine,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Process {
    pub(super) machine: ProcessMachine,
    pub(super) host: String,
    pub(super) is_alive: bool,
    pub(super) is_paused: bool,
    pub(super) inbox: VecDeque<Answer>,
    pub(super) local: Option<LinkId>,
    pub(super) foreign: Option<LinkId>,
    /// Messages that were got, by batch: those that calls name by their place.
    pub(super) store: BTreeMap<u64, Vec<Message>>,
    /// Messages that came, by receipt.
    pub(super) receipts: BTreeMap<u64, Number>,
    /// Planted: a prepare that waits for the foreign commit.
    pub(super) late: Option<Request>,
}

impl Process {
    pub(super) fn new(machine: ProcessMachine, host: String) -> Self {
        let start = Answer::from(Event::Start);
        Self {
            machine,
            host,
            is_alive: true,
            is_paused: false,
            inbox: VecDeque::from([start]),
            local: None,
            foreign: None,
            store: BTreeMap::new(),
            receipts: BTreeMap::new(),
            late: None,
        }
    }

    /// True if it can take a step.
    pub(super) fn runs(&self) -> bool {
        self.is_alive && !self.is_paused
    }

    /// Keeps the messages of an answer, as a host keeps bodies.
    pub(super) fn keep(&mut self, answer: &Answer) {
        match &answer.event {
            Event::Books(books) => {
                self.store.clear();
                if let Some(branch) = books.branches.first() {
                    let persistent = answer.messages.iter().copied().filter(|message| message.is_persistent);
                    let count = branch.messages.iter().filter(|message| message.is_persistent).count();
                    self.store.insert(branch.mark.batch.0, persistent.take(count).collect());
                }
            }
            Event::Got { batch, .. } => self.store.entry(batch.0).or_default().extend(&answer.messages),
            // Answers before this one were of former batches.
            Event::BackedOut => self.store.clear(),
            Event::Committed => {}
            Event::Received(receipt) => {
                self.receipts.extend(answer.messages.iter().map(|message| (receipt.receipt, message.number)));
            }
            _ => {}
        }
    }

    pub(super) fn forget(&mut self) {
        self.inbox.clear();
        self.store.clear();
        self.receipts.clear();
        self.late = None;
    }
}
