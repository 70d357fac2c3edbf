//! Outcomes of gets that had to wait, for connections that nobody sleeps for.

use parking_lot::Mutex;
use queue_manager::{Completions, GotMessage, Outcome, WaitToken};

/// Where the outcomes of one connection arrive, until somebody looks.
#[derive(Debug, Default)]
pub struct Inbox(Mutex<Vec<(WaitToken, Outcome<GotMessage>)>>);

impl Completions for Inbox {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.0.lock().push((token, outcome));
    }

    fn tells_of_delivery(&self) -> bool {
        true
    }
}

impl Inbox {
    /// The outcome of a get, if it is here.
    pub fn take(&self, token: WaitToken) -> Option<Outcome<GotMessage>> {
        let mut arrived = self.0.lock();
        let place = arrived.iter().position(|(of, _)| *of == token)?;
        Some(arrived.remove(place).1)
    }

    /// Changes the outcomes that wait to be looked at.
    pub fn change_each(&self, mut change: impl FnMut(&mut Outcome<GotMessage>)) {
        self.0.lock().iter_mut().for_each(|(_, outcome)| change(outcome));
    }
}
