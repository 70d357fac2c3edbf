//! Logins that are judged when a test says so.

use std::sync::{Mutex, Weak};

use agents::{AwaitsVerdict, Judging, Login, Logins, Verdict};

/// A host that puts every verdict off.
#[derive(Default)]
pub(crate) struct Desk(pub(crate) Mutex<Vec<(Login, Weak<dyn AwaitsVerdict>)>>);

impl Logins for Desk {
    fn judge(&self, login: Login, waits: Weak<dyn AwaitsVerdict>) -> Judging {
        self.0.lock().unwrap().push((login, waits));
        Judging::Later
    }
}

impl Desk {
    pub(crate) fn say(&self, verdict: Verdict) {
        let (_, waits) = self.0.lock().unwrap().pop().unwrap();
        waits.upgrade().expect("the agent waits").take(verdict);
    }
}
