//! Several threads at one queue of the engine, and an order of their calls that explains what they were told.
//!
//! Lives here: [`Prepared`] (files of a queue manager with one queue), [`Size`] and [`run`] (one history).
//! Lives elsewhere: what the threads do (`clients`), the search for an order (`crate::linear`).
//!
//! Always: what the threads do follows from the seed; when they do the system decides, so a seed that failed
//! need not fail again.

mod clients;
mod prepared;

#[cfg(all(test, not(feature = "shuttle")))]
mod tests;

pub use prepared::Prepared;

use platform::simulated::{Machine, Random};

use crate::linear::{self, History, Verdict};

/// Number of clients and of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Clients, each a thread.
    pub clients: usize,
    /// Calls of each.
    pub calls: usize,
}

impl Size {
    /// Four to eight clients with ten to sixty calls.
    #[must_use]
    pub fn of_history(seed: u64) -> Self {
        let mut random = Random::stream(seed, "size");
        let clients = usize::try_from(random.between(4, 8)).expect("few");
        Self { clients, calls: usize::try_from(random.between(10, 60)).expect("few") }
    }

    /// Two or three clients with three to six calls: few enough for the order of their steps to matter.
    #[must_use]
    pub fn of_schedule(seed: u64) -> Self {
        let mut random = Random::stream(seed, "size");
        let clients = usize::try_from(random.between(2, 3)).expect("few");
        Self { clients, calls: usize::try_from(random.between(3, 6)).expect("few") }
    }
}

/// Result of judging a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// There is an order.
    Explained,
    /// The search was given up: this history shows nothing.
    Undecided,
    /// There is no order, or the threads did not come to an end.
    Wrong(String),
}

/// Has threads do what the seed says, and looks for an order.
#[must_use]
pub fn run(prepared: &Prepared, seed: u64, size: Size) -> Finding {
    let machine = Machine::with_disk(prepared.disk(), seed);
    match clients::work(&machine, seed, size) {
        Ok(history) => explain(&history),
        Err(problem) => Finding::Wrong(problem),
    }
}

fn explain(history: &History) -> Finding {
    match linear::linearize(history) {
        Verdict::Linearizable => Finding::Explained,
        Verdict::TooLong => Finding::Undecided,
        Verdict::Impossible { reached, then, queue } => {
            let mut text = format!("no order explains what was told; {reached:?} calls have one, then:");
            for (client, operation) in then.iter().enumerate() {
                text.push_str(&format!("\n      client {client}: {operation:?}"));
            }
            text.push_str(&format!("\n    the queue then: {queue}"));
            let all = history.iter().enumerate();
            for (client, calls) in all {
                text.push_str(&format!("\n    all of client {client}:"));
                calls.iter().for_each(|operation| text.push_str(&format!("\n      {operation:?}")));
            }
            Finding::Wrong(text)
        }
    }
}
