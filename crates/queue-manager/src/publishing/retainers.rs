//! The users whose publications are retained, for their bounds.
//!
//! Lives here: the topics that each user had a publication retained for in this run, and the counts of the
//! users. Lives elsewhere: the publications (`retained`), the bounds (`ground::growth`).
//!
//! Always: a topic counts for the user that first had one retained for it; what a start finds counts for all
//! users alone, since its user may be on disk. A publication that expired is counted until its user is at its
//! bound: then the topics are looked at, once a second at most.

use std::time::Duration;

use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use platform::Monotonic;
use platform::sync::Mutex;
use queues::ground::growth::{Growth, Ledger};

/// The time between two looks at the topics of a user, each of which takes some milliseconds.
const LOOK: Duration = Duration::from_secs(1);

/// The key of a topic.
type Key = [u8; 24];

/// The topics of users.
#[derive(Debug, Default)]
pub(crate) struct Retainers(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    users: HashMap<Box<str>, Topics, FixedState>,
    makers: HashMap<Key, Box<str>, FixedState>,
}

/// The topics of one user.
#[derive(Debug, Default)]
struct Topics {
    keys: HashSet<Key, FixedState>,
    looked_at: Option<Monotonic>,
}

impl Retainers {
    /// A publication of a user is the first that is retained for a topic.
    pub(super) fn note(&self, ledger: &Ledger, maker: &str, key: Key) {
        let mut state = self.0.lock();
        if state.makers.contains_key(&key) {
            return;
        }
        state.makers.insert(key, maker.into());
        state.users.entry_ref(maker).or_default().keys.insert(key);
        ledger.note_of_user(Growth::RetainedPublications, maker);
    }

    /// Nothing is retained for a topic any more.
    pub(super) fn forget(&self, ledger: &Ledger, key: &Key) {
        self.0.lock().forget(ledger, key);
    }

    /// Looks which topics of a user still have a publication, unless that was done just now.
    pub(super) fn look(&self, ledger: &Ledger, maker: &str, now: Monotonic, is_there: impl Fn(&Key) -> bool) {
        let mut state = self.0.lock();
        let Some(topics) = state.users.get_mut(maker) else { return };
        if topics.looked_at.is_some_and(|at| now.since(at) < LOOK) {
            return;
        }
        topics.looked_at = Some(now);
        let gone: Vec<Key> = topics.keys.iter().filter(|key| !is_there(key)).copied().collect();
        gone.iter().for_each(|key| state.forget(ledger, key));
    }
}

impl State {
    fn forget(&mut self, ledger: &Ledger, key: &Key) {
        let Some(maker) = self.makers.remove(key) else { return };
        ledger.give_back_of_user(Growth::RetainedPublications, &maker);
        let Some(topics) = self.users.get_mut(&maker) else { return };
        topics.keys.remove(key);
        if topics.keys.is_empty() && topics.looked_at.is_none() {
            self.users.remove(&maker);
        }
    }
}
