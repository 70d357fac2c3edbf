//! What the engine asks of whoever runs it.

use crate::Outcome;
use crate::message::GotMessage;
use crate::queue::getter::WaitToken;

/// Whoever runs the engine: a reactor, an application's own threads, the simulator.
/// Called under engine locks: implementations only note the fact and wake somebody.
pub trait Host: Send + Sync {
    /// The log has work and nobody is known to drive it: somebody must call `QueueManager::drive`.
    fn log_has_work(&self);
    /// The log is durable further than before: gated output may be released.
    fn durable_advanced(&self);
    /// A [`Job`] waits in `QueueManager::take_job`: somebody who may block must run it.
    fn job_waits(&self);
    /// The earliest thing housekeeping must do moved nearer: call `QueueManager::tick` soon.
    fn tick_wanted(&self);
    /// Something an administrator should know: one numbered event for the error log.
    fn event(&self, event: &Event);
    /// The name of the machine; blank where it has none.
    fn machine(&self) -> String {
        String::new()
    }
    /// The log failed. Nothing more becomes durable; end the process with a first-failure record.
    fn failed(&self, failure: &storage::Fatal);
}

/// One event for the error log.
#[derive(Clone, Debug)]
pub struct Event {
    /// Number and severity as in `objects::messages`, for example `FRY6729W`.
    pub id: &'static str,
    /// The values the message text names, in order.
    pub inserts: Vec<String>,
}

/// Where the outcome of a wait goes. Called under the queue's lock, perhaps from another connection's thread:
/// queue the outcome and wake whoever writes it out; call nothing of the engine.
pub trait Completions: Send + Sync {
    /// The waiting get `token` of this connection is over: a message, 2033, or another refusal.
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>);

    /// Whether whoever takes outcomes from here sees to the receipts of messages ([`crate::Receipt`]) and keeps answers back that
    /// await a getter. Only between connections that do are persistent messages handed over without the log.
    fn tells_of_delivery(&self) -> bool {
        false
    }

    /// A message that this connection had put and that was handed over is with its getter, or logged: an answer that
    /// did not open may open now. Called without locks of the engine.
    fn decided(&self) {}

    /// An administrator ended this connection: whoever keeps a line open for it alone may close it. What waited has been
    /// told. Called without locks of queues.
    fn stopped(&self) {}

    /// The queue manager has begun to quiesce. Called without locks of the engine.
    fn quiesces(&self) {}
}

/// Work that may block on the disk (reading an evicted body back) and so is not done by a reactor.
pub struct Job(pub(crate) Box<dyn FnOnce() + Send>);

impl Job {
    /// Does it.
    pub fn run(self) {
        (self.0)();
    }
}
