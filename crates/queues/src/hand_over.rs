//! A persistent message on its way from a put to a getter that waited, without the log (decision 0010).
//!
//! Lives here: the one decision on its fate. Lives elsewhere: the conditions on puts and getters, and the
//! effect of the decision on the queue (`queue::handing`); the gate that keeps the putter's answer back
//! (`gate`).
//!
//! ```text
//! Offered ──begin──> Sending ──delivered──> done: the getter's connection has the bytes
//!    └── the getter ends ─┴── its bytes are dropped ──> taken back: logged, and offered to others
//! ```
//!
//! A put may wait some microseconds, before anything of it has happened, for a getter that is about to come
//! ([`ExpectedGetter`]).
//!
//! Always: exactly one of the two ends comes about, also when the message is only dropped; while it is open
//! the putter's answer cannot leave.

use std::fmt;
use std::sync::{Arc, Weak};
use std::time::Duration;

use platform::Monotonic;
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use storage::Lsn;

use crate::ground::decision::Decision;
use crate::queue::Queue;
use crate::queue::arrival::Logged;
use crate::queue::handing::Handed;
use crate::queue::party::Party;
use crate::queues::Queues;

/// Longest wait of a put for a getter: about as long as the request of a program takes that has just been
/// answered.
const EXPECTED_WITHIN: Duration = Duration::from_micros(20);

impl Queues {
    /// True if a put may wait for a getter: the force that it may spare takes longer than the wait, and would
    /// be made for this put alone.
    pub fn waits_for_getters(&self) -> bool {
        self.forces_are_slow.load(Ordering::Relaxed) && !self.ground.log_waits()
    }

    /// Learns how long forces of the log have taken lately.
    pub fn forces_take(&self, recent: Duration) {
        self.forces_are_slow.store(recent > 2 * EXPECTED_WITHIN, Ordering::Relaxed);
    }
}

/// Number of open hand-overs of a party: above zero as a putter, below zero as a getter, never both. So an
/// answer that waits for a getter never waits, behind that getter's own answers, for another getter in
/// turn.
#[derive(Debug, Default)]
pub struct Side(AtomicI32);

impl Side {
    fn join(&self, step: i32) -> bool {
        let joined = self.0.fetch_update(Ordering::AcqRel, Ordering::Acquire, |count| {
            (count == 0 || (count > 0) == (step > 0)).then_some(count + step)
        });
        joined.is_ok()
    }

    /// Both sides of a hand-over, or neither.
    pub(crate) fn join_both(putter: &Self, getter: &Self) -> bool {
        if !putter.join(1) {
            return false;
        }
        let joined = getter.join(-1);
        if !joined {
            putter.leave(1);
        }
        joined
    }

    fn leave(&self, step: i32) {
        self.0.fetch_sub(step, Ordering::AcqRel);
    }

    /// True while it puts in hand-overs that are not decided.
    pub fn is_putting(&self) -> bool {
        self.0.load(Ordering::Acquire) > 0
    }

    /// True while it gets in hand-overs that are not decided.
    pub fn is_getting(&self) -> bool {
        self.0.load(Ordering::Acquire) < 0
    }
}

/// Stage of a hand-over; the thread that takes a step has it alone.
struct Stage(AtomicU8);

const OFFERED: u8 = 0;
const SENDING: u8 = 1;
const DECIDED: u8 = 2;

impl Stage {
    fn offered() -> Self {
        Self(AtomicU8::new(OFFERED))
    }

    fn advance(&self, from: u8, to: u8) -> bool {
        self.0.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// Decides it unless it is decided; where it was.
    fn end(&self) -> u8 {
        self.0.swap(DECIDED, Ordering::AcqRel)
    }
}

/// One hand-over, from the getter's side.
pub struct HandOver {
    queues: Weak<Queues>,
    parties: Parties,
    stage: Stage,
    /// The message, and the content of its record. The thread that decides takes it.
    handed: Mutex<Option<Handed>>,
}

/// Parties that learn of the decision. Weak, because the mailbox of a connection may hold a hand-over to it
/// for ever.
#[derive(Clone)]
struct Parties {
    putter: Weak<Party>,
    getter: Weak<Party>,
    decision: Arc<Decision>,
}

impl Parties {
    fn leave(&self) {
        if let Some(getter) = self.getter.upgrade() {
            getter.forget_handed();
            getter.side.leave(-1);
        }
        if let Some(putter) = self.putter.upgrade() {
            putter.side.leave(1);
        }
    }

    /// Tells both sides. No lock of the engine is held.
    fn finish(&self, need: Lsn) {
        self.leave();
        self.decision.decide(need);
        if let Some(putter) = self.putter.upgrade() {
            putter.completions.decided();
        }
    }
}

impl HandOver {
    pub(crate) fn new(
        queues: &Queues,
        (putter, getter): (&Arc<Party>, &Arc<Party>),
        handed: Handed,
    ) -> Arc<Self> {
        Arc::new(Self {
            queues: queues.downgrade(),
            parties: Parties {
                putter: Arc::downgrade(putter),
                getter: Arc::downgrade(getter),
                decision: Decision::open(),
            },
            stage: Stage::offered(),
            handed: Mutex::new(Some(handed)),
        })
    }

    /// The decision that the putter's answer waits for.
    pub(crate) fn decision(&self) -> Arc<Decision> {
        Arc::clone(&self.parties.decision)
    }

    fn take(&self) -> Option<Handed> {
        self.handed.lock().take()
    }

    /// The getter has ended before its bytes were on their way. False when they are, or when it is decided.
    pub fn take_back_offered(&self, queues: &Queues) -> bool {
        let is_taken = self.stage.advance(OFFERED, DECIDED);
        if is_taken && let Some(handed) = self.take() {
            self.parties.finish(handed.take_back(queues));
        }
        is_taken
    }

    /// Gives it up before any other thread knows of it.
    pub(crate) fn abandon(&self) -> Box<Logged> {
        self.stage.end();
        self.parties.leave();
        self.take().expect("nobody else knows of it").into_logged()
    }
}

impl Drop for HandOver {
    fn drop(&mut self) {
        let stage = self.stage.end();
        if stage == DECIDED {
            return;
        }
        let (Some(queues), Some(handed)) = (self.queues.upgrade(), self.take()) else { return };
        let parties = self.parties.clone();
        let finish = move |queues: &Arc<Queues>| parties.finish(handed.take_back(queues));
        // What was never begun may be dropped anywhere, under the queue's lock too.
        if stage == SENDING { finish(&queues) } else { queues.leave_job(finish) }
    }
}

impl fmt::Debug for HandOver {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "HandOver({:?})", self.stage.0.load(Ordering::Relaxed))
    }
}

/// Receipt for a message that was handed over without the log: its holder confirms when the getter's
/// connection has the bytes. When it is dropped before that, the message is logged and goes to another
/// getter.
#[derive(Clone, Debug)]
#[must_use = "dropped, it takes the message back"]
pub struct Receipt(pub(crate) Arc<HandOver>);

impl Receipt {
    /// The bytes are on their way from now on: the end of the getter alone no longer takes the message back.
    /// False when it was taken back before, and then nothing of it may be told to the getter.
    #[must_use]
    pub fn begin(&self) -> bool {
        self.0.stage.advance(OFFERED, SENDING)
    }

    /// The getter's connection has all the bytes. Called without any lock of the engine.
    pub fn delivered(self) {
        let over = &self.0;
        if over.stage.advance(SENDING, DECIDED)
            && let Some(handed) = over.take()
        {
            if let Some(queues) = over.queues.upgrade() {
                handed.deliver(&queues);
            }
            over.parties.finish(Lsn::ZERO);
        }
    }
}

/// A getter that a put had better wait for: one that is about to come to an empty queue takes the message
/// without the log (decision 0046). Nothing of the put has happened while it waits.
pub struct ExpectedGetter {
    queues: Arc<Queues>,
    queue: Arc<Queue>,
    until: Monotonic,
}

impl ExpectedGetter {
    /// The getter of a put to this queue, if one is expected.
    pub fn at(queues: &Arc<Queues>, queue: &Arc<Queue>) -> Option<Self> {
        queue.expects_getter().then(|| Self {
            queues: Arc::clone(queues),
            queue: Arc::clone(queue),
            until: queues.ground.now().after(EXPECTED_WITHIN),
        })
    }

    /// True while the put had better wait: no getter has come, others have nothing to be forced, and there is
    /// time.
    #[must_use]
    pub fn is_awaited(&self) -> bool {
        !self.queues.ground.log_waits() && !self.queue.has_waiter() && self.queues.ground.now() < self.until
    }
}

impl fmt::Debug for ExpectedGetter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ExpectedGetter({})", self.queue.name)
    }
}

impl Drop for ExpectedGetter {
    fn drop(&mut self) {
        self.queue.end_expectation();
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
