//! The small, obviously right queue manager: what must come of a workload.

use std::collections::BTreeMap;

use testing::history::MessageIdentity;

use super::life::Known;
use super::subject::QUEUES;

/// Place in a queue: highest priority first, then by arrival.
pub(super) type Place = (u8, u64);

#[derive(Clone, Debug)]
struct ModelMessage {
    identity: MessageIdentity,
    persistent: bool,
    state: State,
    /// The version from which it may be given out.
    visible_since: usize,
    /// It is given to nobody before time passes.
    is_later: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Available,
    PutBy(u32),
    GotBy(u32),
    /// On its way to a getter, and in no log.
    HandedOver,
    /// It could not be read: it stays, and gets pass it over.
    SetAside,
}

/// Queues as sorted lists, and a digest of the committed persistent messages after every change: the
/// versions.
#[derive(Clone, Debug)]
pub struct Model {
    queues: [BTreeMap<Place, ModelMessage>; QUEUES],
    arrivals: u64,
    /// The digest of each version; the first is the start.
    versions: Vec<u64>,
    /// The version in which each queue last changed.
    changed: [usize; QUEUES],
    /// The change that the commit of each unit makes that was prepared, by its number.
    prepared: BTreeMap<u32, u64>,
}

impl Default for Model {
    fn default() -> Self {
        Self {
            queues: Default::default(),
            arrivals: 0,
            versions: vec![0],
            changed: [0; QUEUES],
            prepared: BTreeMap::new(),
        }
    }
}

/// Share of a committed message in the digest: taking it away is adding it again.
fn share(queue: usize, place: Place, identity: MessageIdentity) -> u64 {
    let mut share = 0x9E37_79B9_7F4A_7C15_u64;
    for word in [
        queue as u64,
        u64::from(place.0),
        u64::from(identity.putter),
        identity.sequence,
        u64::from(identity.crc),
    ] {
        share = (share ^ word).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        share ^= share >> 32;
    }
    share
}

impl Model {
    /// The number of the latest version.
    #[must_use]
    pub fn version(&self) -> usize {
        self.versions.len() - 1
    }

    /// The version that an answer about this queue rests on.
    #[must_use]
    pub fn changed(&self, queue: usize) -> usize {
        self.changed[queue]
    }

    /// A message arrives; gives the version that must be durable before its putter hears of it.
    pub fn put(
        &mut self,
        queue: usize,
        priority: u8,
        identity: MessageIdentity,
        (persistent, is_later): (bool, bool),
        unit_of: Option<u32>,
    ) -> usize {
        let place = (9 - priority, self.arrivals);
        self.arrivals += 1;
        let state = unit_of.map_or(State::Available, State::PutBy);
        let mut message = ModelMessage { identity, persistent, state, visible_since: 0, is_later };
        if state == State::Available {
            message.visible_since = if persistent { self.advance(share(queue, place, identity)) } else { 0 };
            self.changed[queue] = self.changed[queue].max(message.visible_since);
        }
        let needs = message.visible_since;
        self.queues[queue].insert(place, message);
        needs
    }

    /// The message that a get must give, if any.
    #[must_use]
    pub fn first(&self, queue: usize) -> Option<MessageIdentity> {
        self.first_available(queue).map(|(_, message)| message.identity)
    }

    fn first_available(&self, queue: usize) -> Option<(Place, &ModelMessage)> {
        self.queues[queue]
            .iter()
            .find(|(_, message)| message.state == State::Available && !message.is_later)
            .map(|(place, message)| (*place, message))
    }

    /// The first message is taken; gives the version that must be durable before its getter hears of it.
    ///
    /// # Panics
    /// When there is none.
    pub fn get(&mut self, queue: usize, unit_of: Option<u32>) -> usize {
        let (place, message) = self.first_available(queue).expect("a message is there");
        let seen = message.visible_since;
        if let Some(client) = unit_of {
            self.message(queue, place).state = State::GotBy(client);
            return seen;
        }
        seen.max(self.consume(queue, place))
    }

    /// The message that a get must give could not be read, which its getter was told.
    ///
    /// # Panics
    /// When there is none.
    pub fn set_aside(&mut self, queue: usize) {
        let (place, _) = self.first_available(queue).expect("a message is there");
        self.message(queue, place).state = State::SetAside;
    }

    /// A persistent message goes to a getter that waits, without the log.
    pub(super) fn hand_over(&mut self, queue: usize, priority: u8, identity: MessageIdentity) -> Place {
        let place = (9 - priority, self.arrivals);
        self.arrivals += 1;
        let state = State::HandedOver;
        let message = ModelMessage { identity, persistent: true, state, visible_since: 0, is_later: false };
        self.queues[queue].insert(place, message);
        place
    }

    /// The getter has it.
    pub(super) fn deliver(&mut self, queue: usize, place: Place) {
        let message = self.queues[queue].remove(&place).expect("the message is there");
        assert!(message.state == State::HandedOver, "what is handed over is not got in another way");
    }

    /// The getter does not get it: it is logged at its place. Gives the version that must be durable before
    /// its putter hears of it.
    pub(super) fn take_back(&mut self, queue: usize, place: Place) -> usize {
        let identity = self.message(queue, place).identity;
        let version = self.advance(share(queue, place, identity));
        let message = self.message(queue, place);
        (message.state, message.visible_since) = (State::Available, version);
        self.changed[queue] = self.changed[queue].max(version);
        version
    }

    /// A client's unit of work stands.
    pub fn commit(&mut self, client: u32) -> usize {
        let mut delta = None;
        let mut needs = 0;
        let touched = self.touched(client);
        for (queue, place) in &touched {
            let message = self.message(*queue, *place);
            let (identity, persistent) = (message.identity, message.persistent);
            needs = needs.max(message.visible_since);
            if persistent {
                *delta.get_or_insert(0) ^= share(*queue, *place, identity);
            }
        }
        if let Some(delta) = delta {
            needs = self.advance(delta);
        }
        for (queue, place) in touched {
            if self.message(queue, place).state == State::GotBy(client) {
                self.queues[queue].remove(&place);
            } else {
                let message = self.message(queue, place);
                message.state = State::Available;
                message.visible_since = needs;
            }
            self.changed[queue] = self.changed[queue].max(needs);
        }
        needs
    }

    /// A client's unit of work is prepared: from now on it is that of a number no client has.
    pub fn prepare(&mut self, client: u32, number: u32) {
        let mut delta = 0;
        for (queue, place) in self.touched(client) {
            let message = self.message(queue, place);
            message.state = match message.state {
                State::PutBy(_) => State::PutBy(number),
                _ => State::GotBy(number),
            };
            if message.persistent {
                delta ^= share(queue, place, message.identity);
            }
        }
        self.prepared.insert(number, delta);
    }

    /// The change that the commit of these units makes; none when one of them was never prepared.
    #[must_use]
    pub fn commit_of(&self, numbers: &[u32]) -> Option<u64> {
        numbers.iter().try_fold(0, |delta, number| Some(delta ^ self.prepared.get(number)?))
    }

    /// A client's unit of work is undone.
    pub fn backout(&mut self, client: u32) {
        for (queue, place) in self.touched(client) {
            if self.message(queue, place).state == State::PutBy(client) {
                self.queues[queue].remove(&place);
            } else {
                self.message(queue, place).state = State::Available;
            }
        }
    }

    /// True if the client has an open unit of work with any operation.
    #[must_use]
    pub fn has_unit(&self, client: u32) -> bool {
        !self.touched(client).is_empty()
    }

    /// Finds the version, from `floor` to `ceiling`, that holds exactly these persistent messages.
    #[must_use]
    pub fn version_with(&self, floor: usize, ceiling: usize, digest: u64) -> Option<usize> {
        (floor..=ceiling.min(self.version())).rev().find(|version| self.versions[*version] == digest)
    }

    /// The digest of queues found after a restart. `priority_of` tells what a message was put with.
    #[must_use]
    pub fn digest(found: &[Vec<MessageIdentity>], priority_of: impl Fn(MessageIdentity) -> u8) -> u64 {
        let shares = found
            .iter()
            .enumerate()
            .flat_map(|(queue, messages)| messages.iter().map(move |message| (queue, *message)));
        shares
            .fold(0, |digest, (queue, message)| digest ^ share(queue, (9 - priority_of(message), 0), message))
    }

    /// The model after a restart that brought back these messages, in this order.
    #[must_use]
    pub fn restarted(found: &[Vec<Known>]) -> Self {
        let mut model = Self::default();
        let mut digest = 0;
        for (queue, messages) in found.iter().enumerate() {
            for Known { identity, priority, persistent, .. } in messages {
                let place = (9 - priority, model.arrivals);
                model.arrivals += 1;
                if *persistent {
                    digest ^= share(queue, place, *identity);
                }
                let (identity, persistent) = (*identity, *persistent);
                let state = State::Available;
                let message = ModelMessage { identity, persistent, state, visible_since: 0, is_later: false };
                model.queues[queue].insert(place, message);
            }
        }
        model.versions = vec![digest];
        model
    }

    /// The committed persistent messages of a queue in their order: what a restart that loses nothing brings
    /// back.
    #[must_use]
    pub fn committed(&self, queue: usize) -> Vec<MessageIdentity> {
        let stands = |message: &&ModelMessage| {
            message.persistent && !matches!(message.state, State::PutBy(_) | State::HandedOver)
        };
        self.queues[queue].values().filter(stands).map(|message| message.identity).collect()
    }

    /// True when a message of a queue is given to nobody before time passes.
    #[must_use]
    pub fn has_later(&self, queue: usize) -> bool {
        self.queues[queue].values().any(|message| message.is_later)
    }

    /// Time passes.
    pub fn pass(&mut self) {
        let all = self.queues.iter_mut().flat_map(BTreeMap::values_mut);
        all.for_each(|message| message.is_later = false);
    }

    /// Number of messages that can be got from a queue.
    #[must_use]
    pub fn available(&self, queue: usize) -> usize {
        let is_there = |message: &&ModelMessage| message.state == State::Available && !message.is_later;
        self.queues[queue].values().filter(is_there).count()
    }

    fn advance(&mut self, delta: u64) -> usize {
        self.versions.push(self.versions[self.version()] ^ delta);
        self.version()
    }

    fn consume(&mut self, queue: usize, place: Place) -> usize {
        let message = self.queues[queue].remove(&place).expect("the message is there");
        let version =
            if message.persistent { self.advance(share(queue, place, message.identity)) } else { 0 };
        self.changed[queue] = self.changed[queue].max(version);
        version
    }

    fn message(&mut self, queue: usize, place: Place) -> &mut ModelMessage {
        self.queues[queue].get_mut(&place).expect("the message is there")
    }

    fn touched(&self, client: u32) -> Vec<(usize, Place)> {
        let mut touched = Vec::new();
        for (queue, messages) in self.queues.iter().enumerate() {
            let own = |message: &ModelMessage| matches!(message.state, State::PutBy(by) | State::GotBy(by) if by == client);
            touched.extend(
                messages.iter().filter(|(_, message)| own(message)).map(|(place, _)| (queue, *place)),
            );
        }
        touched
    }
}
