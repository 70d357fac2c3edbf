//! A connection as queues and units of work know it.
//!
//! Lives here: its waits and where their outcomes go, the messages that are set aside for it or handed to it,
//! its units of work, its places in groups, and whether it has ended. Lives elsewhere: its program, its
//! handles and its end (`conversation`).

use std::fmt;
use std::sync::{Arc, OnceLock, Weak};

use mqi::constants::MQAT_CHANNEL_INITIATOR;
use mqi::{PutApplicationType, Reason};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, Ordering};
use storage::Reservation;

use super::Queue;
use super::entry::Slot;
use super::getter::{Completions, WaitToken};
use super::got_message::GotMessage;
use super::handing::Noted;
use super::request::{Action, Syncpoint};
use super::waiters::Ticket;
use crate::by_token::ByToken;
use crate::counters::account::{Leaving, Tallies};
use crate::counters::calls::CallCounts;
use crate::counters::{Message, Passed, Verb, Why};
use crate::grouping::Courses;
use crate::hand_over::Side;
use crate::message::context::Origin;
use crate::unit_of_work::slot::UnitSlot;

/// One wait of a connection.
#[derive(Debug)]
pub struct Wait {
    pub(crate) token: WaitToken,
    /// The queue.
    pub queue: Arc<Queue>,
    /// The wait there.
    pub ticket: Ticket,
}

/// A message set aside for a connection.
#[derive(Debug)]
pub struct Held {
    /// The queue.
    pub queue: Arc<Queue>,
    /// Its slot there.
    pub slot: Slot,
    /// Its sequence number there.
    pub sequence: u64,
    pub(crate) syncpoint: Syncpoint,
    /// The facts that are counted when its program takes it, and the counts.
    pub(crate) leaving: Leaving,
    pub(crate) tallies: Option<Box<Tallies>>,
    /// Room for the record of the get, when it is persistent.
    pub(crate) room: Option<Reservation>,
}

/// The part of a connection that puts, gets and waits.
pub struct Party {
    /// The number by which displays know the connection.
    pub id: u64,
    /// Name of the application.
    pub application: String,
    /// The origin context of its messages.
    pub origin: Origin,
    /// The receiver of outcomes that come later.
    pub completions: Arc<dyn Completions>,
    /// Its current unit of work.
    pub unit: Arc<UnitSlot>,
    /// Units of work beside it.
    pub units_beside: Mutex<Vec<Arc<UnitSlot>>>,
    /// Gets that wait.
    pub waits: Mutex<Vec<Wait>>,
    /// Messages held for it, by token.
    pub held: Mutex<ByToken<Held>>,
    /// Where its handles are in groups.
    pub courses: Courses,
    /// Messages handed to it without the log.
    pub handed: Mutex<Noted>,
    /// On which side of such hand-overs it is.
    pub side: Side,
    /// Its calls, as far as they are counted.
    pub calls: CallCounts,
    ended: AtomicBool,
    /// Reason that waiting calls are given at the end; none where its program is gone.
    told: OnceLock<Reason>,
}

impl fmt::Debug for Party {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Party({} {})", self.id, self.application)
    }
}

impl Party {
    /// The part of a new connection that queues know.
    pub fn new(
        id: u64,
        application: String,
        origin: Origin,
        completions: Arc<dyn Completions>,
        calls: CallCounts,
    ) -> Arc<Self> {
        let is_of_channel = origin.application_type == PutApplicationType(MQAT_CHANNEL_INITIATOR);
        Arc::new_cyclic(|this: &Weak<Self>| Self {
            id,
            application,
            origin,
            completions,
            unit: if is_of_channel { UnitSlot::of_batches(this) } else { UnitSlot::new(this) },
            units_beside: Mutex::default(),
            waits: Mutex::default(),
            held: Mutex::default(),
            courses: Courses::default(),
            handed: Mutex::default(),
            side: Side::default(),
            calls,
            ended: AtomicBool::new(false),
            told: OnceLock::new(),
        })
    }

    /// True if it belongs to a part of the queue manager's process.
    #[inline]
    pub fn is_own(&self) -> bool {
        self.calls.is_own
    }

    /// Says whether it is of an AMQP client.
    pub fn is_of_amqp(&self) -> bool {
        self.origin.application_type == PutApplicationType::AMQP
    }

    /// Ends it: nothing is added to it from now on. Waiting calls are given the reason, where there is one.
    pub fn end(&self, told: Option<Reason>) {
        // Before it ends: who hands a message over from now on finds that it has, and what is told of that.
        if let Some(reason) = told {
            self.told.get_or_init(|| reason);
        }
        self.ended.store(true, Ordering::Release);
    }

    /// True once the connection has ended.
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
    }

    /// Reason for calls that still wait at its end.
    pub(crate) fn end_told(&self) -> Option<Reason> {
        self.told.get().copied()
    }

    /// A wait is decided.
    pub fn forget_wait(&self, token: WaitToken) {
        self.waits.lock().retain(|wait| wait.token != token);
    }

    /// Leaves out hand-overs that are over. Looks at them only: the last to hold one takes it back, which
    /// needs this list.
    pub(crate) fn forget_handed(&self) {
        self.handed.lock().retain(|over| over.strong_count() > 0);
    }

    /// Finds a wait that is not decided yet.
    pub fn wait(&self, token: WaitToken) -> Option<(Arc<Queue>, Ticket)> {
        let waits = self.waits.lock();
        waits.iter().find(|wait| wait.token == token).map(|wait| (Arc::clone(&wait.queue), wait.ticket))
    }

    /// The units of work that it has open: its current one, and those beside it.
    pub fn units(&self) -> Vec<Arc<UnitSlot>> {
        let beside = self.units_beside.lock();
        std::iter::once(&self.unit).chain(&*beside).map(Arc::clone).collect()
    }

    /// Counts the end of a get that is counted. A message that was only set aside is counted when its program
    /// takes it.
    pub fn count_got(&self, tallies: &Tallies, action: Action, outcome: &Result<GotMessage, Reason>) {
        let verb = if action == Action::Browse { Verb::Browse } else { Verb::Get };
        match (action, outcome) {
            (Action::Reserve(..), Err(_)) => {}
            (_, Err(reason)) => self.calls.pass(tallies, Passed::Failed(verb, (*reason).into())),
            (_, Ok(got)) if got.warning == Some(Reason::TRUNCATED_MSG_FAILED) => {
                if !matches!(action, Action::Reserve(..)) {
                    self.calls.pass(tallies, Passed::Failed(verb, Why::Truncated));
                }
            }
            (action, Ok(got)) => {
                let persistent = got.descriptor.is_persistent();
                let is_set_aside = match action {
                    Action::Reserve(_, which) => which.sets_aside(persistent),
                    Action::Browse | Action::Take(_) => false,
                };
                let bytes = got.data_length as u64;
                match verb {
                    _ if is_set_aside => {}
                    Verb::Get => {
                        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
                        self.calls.pass_left(tallies, Leaving { arrived: got.arrived, persistent, bytes });
                    }
                    verb => self.calls.pass(tallies, Passed::Done(verb, Message { persistent, bytes })),
                }
            }
        }
    }

    /// Counts that its program took a message that was set aside for it.
    pub fn count_taken(&self, held: &Held) {
        if let Some(tallies) = &held.tallies {
            self.calls.pass_left(tallies, held.leaving);
        }
    }
}
