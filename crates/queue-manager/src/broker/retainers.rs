//! The users whose publications are retained, for their bounds.
//!
//! Lives here: the topics that each user has a publication retained for, and the counts of the users. Lives
//! elsewhere: the publications (`publishing::retained`), the bounds (`ground::growth`).
//!
//! Always: a topic counts for the user that first had one retained for it, whose name is with the
//! publication. What a start finds is read by jobs, since it may be on disk; until then a publication counts
//! for its user though its topic may have one of another. A publication that expired is counted until its
//! user is at its bound: then the topics are looked at, once a second at most.

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
pub(crate) struct Retainers(Mutex<TopicsOfUsers>);

#[derive(Debug, Default)]
struct TopicsOfUsers {
    users: HashMap<Box<str>, Topics, FixedState>,
    makers: HashMap<Key, Box<str>, FixedState>,
    /// The publications that the start found have been counted.
    has_counted_found: bool,
}

/// The topics of one user.
#[derive(Debug, Default)]
struct Topics {
    keys: HashSet<Key, FixedState>,
    looked_at: Option<Monotonic>,
}

impl Retainers {
    /// A publication of a user is the first that is retained for a topic.
    pub(crate) fn note(&self, ledger: &Ledger, maker: &str, key: Key) {
        let mut state = self.0.lock();
        if state.makers.contains_key(&key) {
            return;
        }
        state.makers.insert(key, maker.into());
        state.users.entry_ref(maker).or_default().keys.insert(key);
        ledger.note_of_user(Growth::RetainedPublications, maker);
    }

    /// The user that a topic counts for, and whether one that is not known counts for nobody.
    pub(crate) fn maker(&self, key: &Key) -> (Option<Box<str>>, bool) {
        let state = self.0.lock();
        (state.makers.get(key).cloned(), state.has_counted_found)
    }

    /// The publications that the start found have been counted: users that have more than a bound may have
    /// twice that.
    pub(crate) fn note_found_counted(&self, ledger: &Ledger, found: &HashMap<Box<str>, u64, FixedState>) {
        self.0.lock().has_counted_found = true;
        found.iter().for_each(|(user, count)| ledger.raise_user(Growth::RetainedPublications, user, *count));
    }

    /// Nothing is retained for a topic any more.
    pub(crate) fn forget(&self, ledger: &Ledger, key: &Key) {
        self.0.lock().forget(ledger, key);
    }

    /// Looks which topics of a user still have a publication, unless that was done just now.
    pub(crate) fn look(&self, ledger: &Ledger, maker: &str, now: Monotonic, is_there: impl Fn(&Key) -> bool) {
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

impl TopicsOfUsers {
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
