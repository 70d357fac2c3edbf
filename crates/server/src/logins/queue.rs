//! The queue of logins whose credentials are to be proved, of other work, and of refusals that are answered
//! later.
//!
//! Lives here: what waits, and the order in which it is taken. Lives elsewhere: the threads that take it
//! (`logins`), the users that go first (`returners`).
//!
//! Always: each kind has a bound; logins and other work go on in turns. Each source of logins has lines of
//! its own, one for each name, and one login of each source goes in turn, of its names in turn; a user who
//! was right from this source goes before strangers, and strangers go on all the same.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Weak;
use std::time::Instant;

use agents::{AwaitsVerdict, Denial, Login, Work};
use queue_manager::ConnAuth;

use super::judge::user_of;
use super::returners::Origin;

/// Most logins that wait for a thread: as many as connections may be there that have not logged in. Each
/// holds its first words, 10 KiB at most, and reads nothing more.
const WAITING_MAX: usize = 2_000;

/// Most logins of one source that wait: as many as the threads prove within the time that a login has.
const OF_ORIGIN_MAX: usize = 512;

/// Turns of users who were right before, after which one of the others has its turn.
const KNOWN_TURNS: u32 = 4;

/// Most pieces of other work that wait for a thread: about as many as are done in a tenth of a second. A
/// frame that finds no place goes as it is.
const WORKS_MAX: usize = 64;

/// Most refused logins whose answers are put off. One more is answered at once, and its connection ends.
const DELAYED_MAX: usize = 2_000;

/// A login whose password is to be proved.
pub(super) struct Proof {
    pub(super) login: Login,
    pub(super) terms: ConnAuth,
    pub(super) waits: Weak<dyn AwaitsVerdict>,
}

/// A refusal that is answered later.
pub(super) struct Delayed {
    pub(super) at: Instant,
    pub(super) waits: Weak<dyn AwaitsVerdict>,
    pub(super) denial: Box<Denial>,
}

/// A task of these threads.
pub(super) enum Task {
    Proof(Box<Proof>),
    Work(Work),
}

/// Logins in lines, of which each gives one in turn.
struct Lines<K> {
    lines: BTreeMap<K, VecDeque<Box<Proof>>>,
    /// The lines in which a login waits, in the order of their turns.
    turns: VecDeque<K>,
}

impl<K> Default for Lines<K> {
    fn default() -> Self {
        Self { lines: BTreeMap::new(), turns: VecDeque::new() }
    }
}

impl<K: Ord + Clone> Lines<K> {
    fn count(&self) -> usize {
        self.lines.values().map(VecDeque::len).sum()
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn push(&mut self, key: K, proof: Box<Proof>) -> Result<(), Box<Proof>> {
        let line = self.lines.entry(key.clone()).or_default();
        if line.is_empty() {
            self.turns.push_back(key);
        }
        if line.len() >= OF_ORIGIN_MAX {
            line.retain(|proof| proof.is_waited_for());
        }
        if line.len() >= OF_ORIGIN_MAX {
            return Err(proof);
        }
        line.push_back(proof);
        Ok(())
    }

    /// The next login for which a connection still waits.
    fn pop(&mut self) -> Option<Box<Proof>> {
        while let Some(key) = self.turns.pop_front() {
            let line = self.lines.get_mut(&key)?;
            let proof = std::iter::from_fn(|| line.pop_front()).find(|proof| proof.is_waited_for());
            if line.is_empty() {
                self.lines.remove(&key);
            } else {
                self.turns.push_back(key);
            }
            if proof.is_some() {
                return proof;
            }
        }
        None
    }

    /// Drops logins whose connections have ended.
    fn forget_ended(&mut self) {
        self.lines.retain(|_, line| {
            line.retain(|proof| proof.is_waited_for());
            !line.is_empty()
        });
        self.turns.retain(|key| self.lines.contains_key(key));
    }
}

/// Logins by source, of which each gives one in turn. So do the names among those of a source: wrong
/// passwords for one name keep no other waiting.
#[derive(Default)]
struct Sources {
    sources: BTreeMap<Origin, Lines<String>>,
    /// The sources in which a login waits, in the order of their turns.
    turns: VecDeque<Origin>,
}

impl Sources {
    fn count(&self) -> usize {
        self.sources.values().map(Lines::count).sum()
    }

    fn push(&mut self, origin: Origin, proof: Box<Proof>) -> Result<(), Box<Proof>> {
        let lines = self.sources.entry(origin.clone()).or_default();
        let is_new = lines.is_empty();
        if lines.count() >= OF_ORIGIN_MAX {
            lines.forget_ended();
        }
        if lines.count() >= OF_ORIGIN_MAX {
            return Err(proof);
        }
        lines.push(user_of(&proof.login).to_owned(), proof)?;
        if is_new {
            self.turns.push_back(origin);
        }
        Ok(())
    }

    /// The next login for which a connection still waits.
    fn pop(&mut self) -> Option<Box<Proof>> {
        while let Some(origin) = self.turns.pop_front() {
            let Some(lines) = self.sources.get_mut(&origin) else { continue };
            let proof = lines.pop();
            if lines.is_empty() {
                self.sources.remove(&origin);
            } else {
                self.turns.push_back(origin);
            }
            if proof.is_some() {
                return proof;
            }
        }
        None
    }

    /// Drops logins whose connections have ended.
    fn forget_ended(&mut self) {
        self.sources.retain(|_, lines| {
            lines.forget_ended();
            !lines.is_empty()
        });
        self.turns.retain(|origin| self.sources.contains_key(origin));
    }
}

impl Proof {
    /// Returns true while its connection is there.
    fn is_waited_for(&self) -> bool {
        self.waits.strong_count() > 0
    }
}

/// The queue of these threads.
pub(super) struct LoginQueue {
    /// Logins of users who were right from their source, each of these in a line of its own.
    known: Lines<(String, Origin)>,
    /// All others, by source and name.
    strangers: Sources,
    /// The turns of known users since one of the others had its own.
    known_turns: u32,
    works: VecDeque<Work>,
    /// True if the last turn was that of a proof: both kinds go on, however much of one waits.
    proved_last: bool,
    delayed: Vec<Delayed>,
    pub(super) look_at: Instant,
    pub(super) has_ended: bool,
}

impl LoginQueue {
    /// A queue in which nothing waits.
    pub(super) fn new(look_at: Instant) -> Self {
        Self {
            known: Lines::default(),
            strangers: Sources::default(),
            known_turns: 0,
            works: VecDeque::new(),
            proved_last: false,
            delayed: Vec::new(),
            look_at,
            has_ended: false,
        }
    }

    /// Adds a login, of a user who was right from this origin if that is given.
    ///
    /// # Errors
    /// With the login, where too many wait, of all or of its source.
    pub(super) fn add(
        &mut self,
        known: Option<String>,
        origin: Origin,
        proof: Box<Proof>,
    ) -> Result<(), Box<Proof>> {
        if self.waiting() >= WAITING_MAX {
            self.known.forget_ended();
            self.strangers.forget_ended();
        }
        if self.waiting() >= WAITING_MAX {
            return Err(proof);
        }
        match known {
            Some(user) => self.known.push((user, origin), proof),
            None => self.strangers.push(origin, proof),
        }
    }

    fn waiting(&self) -> usize {
        self.known.count() + self.strangers.count()
    }

    /// Adds work of another kind.
    ///
    /// # Errors
    /// With the work, where too much waits, or the threads have ended.
    pub(super) fn add_work(&mut self, work: Work) -> Result<(), Work> {
        if self.works.len() >= WORKS_MAX || self.has_ended {
            return Err(work);
        }
        self.works.push_back(work);
        Ok(())
    }

    /// Adds a refusal that is answered later.
    ///
    /// # Errors
    /// With the refusal, where too many are.
    pub(super) fn put_off(&mut self, delayed: Delayed) -> Result<(), Delayed> {
        if self.delayed.len() >= DELAYED_MAX {
            self.delayed.retain(|one| one.waits.strong_count() > 0);
        }
        if self.delayed.len() >= DELAYED_MAX {
            return Err(delayed);
        }
        self.delayed.push(delayed);
        Ok(())
    }

    /// The next refusal that is due.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<Delayed> {
        let place = self.delayed.iter().position(|one| one.at <= now)?;
        Some(self.delayed.swap_remove(place))
    }

    /// The next proof, or work of another kind, in turns.
    pub(super) fn take_turn(&mut self) -> Option<Task> {
        let proof_first = !self.proved_last || self.works.is_empty();
        let proof = if proof_first { self.take_proof() } else { None };
        self.proved_last = proof.is_some();
        proof.map(Task::Proof).or_else(|| self.works.pop_front().map(Task::Work))
    }

    fn take_proof(&mut self) -> Option<Box<Proof>> {
        if self.known_turns < KNOWN_TURNS
            && let Some(proof) = self.known.pop()
        {
            self.known_turns += 1;
            return Some(proof);
        }
        self.known_turns = 0;
        self.strangers.pop().or_else(|| self.known.pop())
    }

    /// The moment at which something is due though nothing comes.
    pub(super) fn next_at(&self) -> Instant {
        self.delayed.iter().map(|one| one.at).min().map_or(self.look_at, |at| at.min(self.look_at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agents::{LocalUser, Verdict};
    use std::sync::Arc;

    struct Waits;

    impl AwaitsVerdict for Waits {
        fn take(&self, _verdict: Verdict) {}
    }

    fn login(origin: &str, user: &str) -> Login {
        let local = LocalUser { name: origin.to_owned(), is_owner: false };
        Login {
            address: origin.parse().ok(),
            local: origin.parse::<std::net::IpAddr>().is_err().then_some(local),
            encryption: Default::default(),
            is_by_network: true,
            caller: queue_manager::Caller::Program,
            wanted: String::new(),
            channel: String::new(),
            asserted: user.to_owned(),
            credentials: None,
            queue_manager: None,
            application: String::new(),
        }
    }

    struct Queued {
        queue: LoginQueue,
        waits: Arc<dyn AwaitsVerdict>,
    }

    impl Queued {
        fn new() -> Self {
            Self { queue: LoginQueue::new(Instant::now()), waits: Arc::new(Waits) }
        }

        fn proof(&self, origin: &str, user: &str) -> Box<Proof> {
            let waits = Arc::downgrade(&self.waits);
            Box::new(Proof { login: login(origin, user), terms: ConnAuth::NONE, waits })
        }

        fn add(&mut self, origin: &str, user: &str, is_known: bool) -> bool {
            let proof = self.proof(origin, user);
            let from = Origin::of(&proof.login);
            self.queue.add(is_known.then(|| user.to_owned()), from, proof).is_ok()
        }

        /// The users in the order of their turns.
        fn turns(&mut self, count: usize) -> Vec<String> {
            let mut user = || match self.queue.take_turn()? {
                Task::Proof(proof) => Some(proof.login.asserted),
                Task::Work(_) => Some("work".to_owned()),
            };
            std::iter::from_fn(&mut user).take(count).collect()
        }
    }

    #[test]
    fn each_source_has_its_turn_however_many_of_another_wait() {
        let mut one = Queued::new();
        for number in 0..100 {
            assert!(one.add("192.0.2.1", &format!("flood{number}"), false));
        }
        // A network of version 6 is one source, and so is each user of the machine.
        for (origin, user) in
            [("2001:db8::1", "six"), ("2001:db8::2", "six again"), ("eve", "eve"), ("bob", "bob")]
        {
            assert!(one.add(origin, user, false));
        }
        let turns = one.turns(7);
        assert_eq!(turns, ["flood0", "six", "eve", "bob", "flood1", "six again", "flood2"]);
    }

    #[test]
    fn a_name_that_is_tried_again_and_again_keeps_no_other_of_its_address_waiting() {
        let mut one = Queued::new();
        for _ in 0..OF_ORIGIN_MAX - 3 {
            assert!(one.add("192.0.2.1", "ada", false));
        }
        for user in ["bob", "eve", "bob"] {
            assert!(one.add("192.0.2.1", user, false));
        }
        assert!(!one.add("192.0.2.1", "late", false), "all names of a source have one bound");
        assert!(one.add("192.0.2.2", "far", false));
        assert_eq!(one.turns(7), ["ada", "far", "bob", "eve", "ada", "bob", "ada"]);
        // The names of one source have no more turns than another source.
        for number in 0..3 {
            assert!(one.add("192.0.2.2", &format!("far{number}"), false));
        }
        assert_eq!(one.turns(6), ["ada", "far0", "ada", "far1", "ada", "far2"]);
        one.waits = Arc::new(Waits);
        assert!(one.add("192.0.2.1", "late", false));
        assert_eq!(one.turns(9), ["late"], "the connections of the others have ended");
    }

    #[test]
    fn a_user_who_was_right_goes_before_strangers_and_these_go_on() {
        let mut one = Queued::new();
        for number in 0..50 {
            assert!(one.add(&format!("192.0.2.{number}"), "stranger", false));
        }
        assert!(one.add("192.0.2.7", "ada", true));
        assert_eq!(one.turns(2), ["ada", "stranger"]);
        // One of them does not keep another known user out, nor strangers, however often it comes.
        for _ in 0..50 {
            assert!(one.add("192.0.2.8", "bob", true));
        }
        assert!(one.add("192.0.2.8", "ada", true));
        assert_eq!(one.turns(7), ["bob", "ada", "bob", "bob", "stranger", "bob", "bob"]);
    }

    #[test]
    fn logins_that_wait_are_bounded_by_source_and_in_all_and_ended_ones_make_room() {
        let mut one = Queued::new();
        for _ in 0..OF_ORIGIN_MAX {
            assert!(one.add("192.0.2.1", "flood", false));
        }
        assert!(!one.add("192.0.2.1", "flood", false) && one.add("192.0.2.2", "other", false));
        for number in 0..WAITING_MAX - OF_ORIGIN_MAX - 1 {
            assert!(one.add(&format!("10.0.{}.{}", number / 200, number % 200), "many", false));
        }
        assert!(!one.add("192.0.2.3", "late", false) && !one.add("192.0.2.3", "late", true));
        one.waits = Arc::new(Waits);
        assert!(one.add("192.0.2.3", "late", false), "the connections of the others have ended");
        assert_eq!(one.turns(9), ["late"]);
        assert_eq!((one.queue.waiting(), one.queue.strangers.turns.len()), (0, 0));
    }

    #[test]
    fn a_login_whose_connection_has_ended_takes_no_turn() {
        let mut one = Queued::new();
        let ended: Arc<dyn AwaitsVerdict> = Arc::new(Waits);
        for origin in ["192.0.2.1", "192.0.2.2"] {
            let mut proof = one.proof(origin, "ended");
            proof.waits = Arc::downgrade(&ended);
            assert!(one.queue.add(None, Origin::of(&proof.login), proof).is_ok());
        }
        assert!(one.add("192.0.2.2", "here", false));
        drop(ended);
        assert_eq!(one.turns(9), ["here"]);
    }

    #[test]
    fn logins_and_other_work_go_on_in_turns() {
        let mut one = Queued::new();
        for number in 0..3 {
            assert!(one.add("192.0.2.1", &number.to_string(), false));
        }
        for _ in 0..WORKS_MAX {
            assert!(one.queue.add_work(Box::new(|| ())).is_ok());
        }
        assert!(one.queue.add_work(Box::new(|| ())).is_err());
        assert_eq!(one.turns(7), ["0", "work", "1", "work", "2", "work", "work"]);
    }
}
