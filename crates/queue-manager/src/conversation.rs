//! The part of a connection that other threads reach: its program and its handles.
//!
//! Lives elsewhere: its end (`disconnection`), its waits and its units of work, as queues know them
//! (`queue::party`).

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use mqi::{AccountingChoice, ObjectName, OpenOptions, PutApplicationType};
use platform::sync::Mutex;
use platform::sync::atomic::AtomicBool;
use queues::counters::account::QueueAccount;
use queues::counters::calls::CallCounts;
use queues::message::context::Origin;
use queues::queue::Queue;
use queues::queue::ending::Use;
use queues::queue::getter::Completions;
use queues::queue::party::Party;
use queues::queue::request::HandleMemo;
use queues::unit_of_work::branches::Thread;
use security::{Part, Principal};

use crate::accounting::{Accounted, Accounts};
use crate::authority::right::Right;
use crate::directory::Directory;
use crate::publishing::TopicTarget;
use crate::subscriptions::OpenSubscription;

/// A program that asks to be connected.
#[derive(Clone)]
pub struct ConnectRequest {
    /// Name of the application, shown by DISPLAY CONN.
    pub application: String,
    /// Where it comes from: `tcp 127.0.0.1:4711`, `unix`, `embedded`.
    pub origin: String,
    /// The channel that it comes by; blank for none.
    pub channel: ObjectName,
    /// Its process, shown by DISPLAY CONN; 0 when it is not known.
    pub process: u32,
    /// The client instance, zero when it has none; a returning one ends its old connection first (rule 24).
    pub instance: [u8; 16],
    /// Counted up by the client with every link; the instance's connection that is there already stays if
    /// this is not newer.
    pub generation: u64,
    /// The user whose rights count, and whose short name messages carry.
    pub principal: Principal,
    /// Its choice of accounting, where the queue manager lets it choose.
    pub accounting: AccountingChoice,
    /// Where outcomes of waits go.
    pub completions: Arc<dyn Completions>,
}

/// One open object of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Registration {
    pub(crate) handle: i32,
    /// The object as it was opened.
    pub(crate) object: ObjectName,
    /// The MQOT_ value of that object.
    pub(crate) object_type: i32,
    pub(crate) options: OpenOptions,
    /// The local queue it leads to.
    pub(crate) queue: Option<Arc<Queue>>,
    pub(crate) used: Use,
    /// The handle's cursor, lock and marks, which end with it.
    pub(crate) memo: Option<Arc<HandleMemo>>,
    /// Account of its use by its connection.
    pub(crate) account: Option<Arc<QueueAccount>>,
    /// True if a temporary dynamic queue ends with this handle.
    pub(crate) is_creator: bool,
    /// The subscription it stands for.
    pub(crate) subscription: Option<Arc<OpenSubscription>>,
    /// The topic it leads to.
    pub(crate) topic: Option<Arc<TopicTarget>>,
    /// The right by which it is open; none until the handle is there.
    pub(crate) right: Option<Right>,
}

/// The shared state of a connection.
pub(crate) struct Conversation {
    /// The part that queues and units of work know.
    pub(crate) party: Arc<Party>,
    /// The limit of connections is for it.
    pub(crate) is_limited: bool,
    pub(crate) address: String,
    /// The channel that it comes by.
    pub(crate) channel: ObjectName,
    pub(crate) process: u32,
    /// The user whose rights count.
    pub(crate) principal: Principal,
    pub(crate) instance: [u8; 16],
    pub(crate) generation: u64,
    pub(crate) registrations: Mutex<Vec<Registration>>,
    /// Held while the connection is ended, while a commit that its client or channel counts is made, and
    /// while its unit of work is prepared, so that a client or a channel that returns is not told how things
    /// stand before they do. Nothing is locked before it.
    pub(crate) settling: Mutex<()>,
    pub(crate) accounts: Accounts,
    /// The branch that it works in, or suspended.
    pub(crate) thread: Mutex<Thread>,
    /// True if its program called MQDISC.
    pub(crate) disconnects: AtomicBool,
}

impl fmt::Debug for Conversation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Conversation({} {})", self.party.id, self.party.application)
    }
}

impl Conversation {
    pub(crate) fn new(
        directory: &Directory,
        id: u64,
        request: ConnectRequest,
        origin: Origin,
        is_limited: bool,
    ) -> Arc<Self> {
        let (accounts, choice) = Accounts::new(directory, request.accounting);
        let is_own = origin.application_type == PutApplicationType::QMGR;
        let calls = CallCounts::new(Arc::clone(&directory.queues.collecting), choice, is_own);
        Arc::new(Self {
            party: Party::new(id, request.application, origin, request.completions, calls),
            is_limited,
            address: request.origin,
            channel: request.channel,
            process: request.process,
            principal: request.principal,
            instance: request.instance,
            generation: request.generation,
            registrations: Mutex::default(),
            settling: Mutex::default(),
            accounts,
            thread: Mutex::new(Thread::of(id)),
            disconnects: AtomicBool::new(false),
        })
    }

    /// Returns the conversations of a client instance, which ends them when it returns (rule 24); none for an
    /// instance of zeros.
    pub(crate) fn of_instance(all: &BTreeMap<u64, Arc<Self>>, instance: &[u8; 16]) -> Vec<Arc<Self>> {
        if *instance == [0; 16] {
            return Vec::new();
        }
        all.values().filter(|conversation| conversation.instance == *instance).cloned().collect()
    }

    /// Returns true if it is of this user and channel, which its client instance belongs to.
    pub(crate) fn is_of(&self, principal: &Principal, channel: ObjectName) -> bool {
        self.principal == *principal && self.channel == channel
    }

    /// Returns true if it is a connection of a message channel that yields to one which was let in as this
    /// user: one of this name, or one from before logins were judged. The call of the partner was judged
    /// before.
    pub(crate) fn yields_to(&self, principal: &Principal, channel: ObjectName) -> bool {
        let is_unjudged = self.principal.part() == Some(Part::MessageChannel);
        self.channel == channel && (is_unjudged || self.principal.name() == principal.name())
    }

    /// The connection, as its accounting messages tell of it.
    pub(crate) fn accounted(&self) -> Accounted<'_> {
        Accounted {
            accounts: &self.accounts,
            party: &self.party,
            user: self.principal.name(),
            address: &self.address,
            process: self.process,
        }
    }
}
