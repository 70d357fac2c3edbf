//! A queue manager small enough to be right by reading: what a scenario's calls may answer, also after a
//! crash.
//!
//! It shares no code with the engine. A queue is a list in order of arrival that is searched from the start;
//! nothing is indexed, gated or written. What a crash leaves follows from one thought: what is durable is a
//! beginning of what happened. So the model keeps each state that outlives a crash, as a *version*, and the
//! newest one that somebody was told of; a crash leaves any version from that one on ([`Manager::crashed`]).
//!
//! Lives here: the manager, its clients, its versions. `definitions` has the objects, `commands` what MQSC
//! does to them, `queue` the messages, `calls` the verbs, with `opening`, `putting`, `getting` and `units`,
//! `groups` what belongs together, `browsing` locks and marks, `reports` what is told of messages, `triggers`
//! who is started for them, `properties` message handles and what messages carry, `consuming` functions that
//! are called with messages, `converting` characters in other sets, `selecting` which messages a selector
//! takes, `settings` the queue manager's own attributes, `topics` topic objects and subscriptions,
//! `subscribing` those of programs, `publishing` what these are given, `retaining` what is kept for those to
//! come, `streaming` copies of what is put, `known` what is judged.
//! Lives elsewhere: comparing it with an engine (`crash`).
//!
//! Always: what the model does not know it refuses to judge ([`Unmodelled`]); it never guesses.

mod browsing;
mod calls;
mod commands;
mod consuming;
mod converting;
mod definitions;
mod getting;
mod groups;
mod known;
mod opening;
mod properties;
mod publishing;
mod putting;
mod queue;
mod reports;
mod retaining;
mod room;
mod selecting;
mod settings;
mod streaming;
mod subscribing;
#[cfg(test)]
mod tests;
mod topics;
mod triggers;
mod units;

use std::collections::BTreeMap;
use std::time::Duration;

use mqi::{GetFlags, Reason};

use super::call::Expected;
use calls::{Counted, Handle, Wait};
pub(super) use known::question;

use definitions::Definition;
use properties::MessageHandles;
use publishing::Publishing;
use queue::{Message, Prepared, Queue, QueueId, State};
use reports::Kind;
use retaining::Retains;
use settings::Settings;
use subscribing::Subscribed;
use topics::Topics;

/// A kind of step that the model does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model does not know {kind}")]
pub(super) struct Unmodelled {
    /// The kind, in words that a list can name.
    pub(super) kind: String,
    /// True if it changes nothing, so that only its answer cannot be judged.
    pub(super) only_asks: bool,
}

impl Unmodelled {
    fn change(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), only_asks: false }
    }

    fn question(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), only_asks: true }
    }
}

/// The number of a state that outlives crashes, in the order in which they came to be.
type Version = usize;

/// Milliseconds since the scenario began.
type Time = u64;

/// State that outlives a crash.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Durable {
    objects: BTreeMap<String, Definition>,
    /// Process definitions: what each says.
    processes: BTreeMap<String, BTreeMap<String, String>>,
    queues: BTreeMap<QueueId, Queue>,
    topics: Topics,
    settings: Settings,
    prepared: Vec<Prepared>,
}

/// Result of a call, and the version that must be durable before it is given out.
#[derive(Clone, Debug)]
struct Outcome {
    /// Its reply; none when the model does not know and does not judge.
    reply: Option<Expected>,
    need: Version,
}

/// A program with its connection.
#[derive(Clone, Debug, Default)]
struct Client {
    handles: BTreeMap<u64, Handle>,
    /// Its open topics.
    publishing: BTreeMap<u64, Publishing>,
    /// Its open subscriptions.
    subscribed: BTreeMap<u64, Subscribed>,
    /// Its handles in the order of its opens, closed ones too: the first has the number 1.
    opened: Vec<u64>,
    /// The handle for each kind of call on a name, as the scenarios' worlds keep them.
    open: BTreeMap<(String, i32), u64>,
    /// Operations of its unit of work, in order: the queue, the message, and true for a put.
    unit: Vec<(QueueId, u64, bool)>,
    /// Publications that its unit of work retains.
    retains: Vec<Retains>,
    /// The queues for which its puts made trigger messages due.
    triggers: Vec<QueueId>,
    wait: Option<Wait>,
    outcome: Option<Outcome>,
    /// True if it came, or came again, when no client was let in any more.
    is_late: bool,
    /// The message it is about to be told of.
    given: Option<u64>,
    /// The message it was told of last.
    last: Option<u64>,
    counted: Counted,
}

/// The queue manager.
#[derive(Clone, Debug)]
pub(super) struct Manager {
    objects: BTreeMap<String, Definition>,
    /// Process definitions: what each says.
    processes: BTreeMap<String, BTreeMap<String, String>>,
    queues: BTreeMap<QueueId, Queue>,
    topics: Topics,
    settings: Settings,
    clients: BTreeMap<String, Client>,
    message_handles: MessageHandles,
    now: Time,
    /// Numbers given out: to messages, handles, queues and waits, each later one greater.
    numbers: u64,
    /// The versions that a crash may still leave; the first is the newest that somebody was told of.
    versions: Vec<Durable>,
    first_version: Version,
    /// The version that the last command depends on.
    commanded: Version,
    /// Nobody is started by a queue manager that ends.
    is_ending: bool,
    /// Its clients go on, and nobody else is let in.
    is_quiescing: bool,
    /// Queues for which reports made trigger messages due.
    due: Vec<QueueId>,
    /// Units of work that are prepared, in the order in which they were: each is that of a client of its
    /// name.
    prepared: Vec<String>,
    /// The version that the absence of a unit depends on.
    decided: Version,
}

impl Default for Manager {
    fn default() -> Self {
        let mut manager = Self {
            objects: definitions::from_the_start(),
            processes: BTreeMap::new(),
            queues: BTreeMap::new(),
            topics: Topics::default(),
            settings: Settings::default(),
            clients: BTreeMap::new(),
            message_handles: MessageHandles::new(),
            now: 0,
            numbers: 0,
            versions: Vec::new(),
            first_version: 0,
            commanded: 0,
            is_ending: false,
            is_quiescing: false,
            due: Vec::new(),
            prepared: Vec::new(),
            decided: 0,
        };
        for name in definitions::LOCAL_QUEUES_FROM_THE_START {
            manager.make_queue(name);
        }
        let retained = retaining::retained_name();
        manager.objects.insert(retained.clone(), Definition::managed());
        manager.make_queue(&retained);
        manager.versions.push(manager.durable());
        manager
    }
}

impl Client {
    /// The client that stands for a unit that a restart found.
    fn of_prepared(prepared: &Prepared) -> (String, Self) {
        (prepared.name.clone(), Self { unit: prepared.unit.clone(), ..Self::default() })
    }

    fn open_objects(&self) -> usize {
        self.handles.len() + self.publishing.len() + self.subscribed.len()
    }
}

impl Manager {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// The objects and messages that a restart brings back if everything so far is in the log.
    fn durable(&self) -> Durable {
        let objects: BTreeMap<_, _> = self
            .objects
            .iter()
            .filter(|(_, definition)| !definition.temporary)
            .map(|(name, definition)| (name.clone(), definition.clone()))
            .collect();
        let ids = objects.values().filter_map(|definition| definition.queue);
        let queues = ids.map(|id| (id, self.queues[&id].after_restart())).collect();
        Durable {
            objects,
            processes: self.processes.clone(),
            queues,
            topics: self.topics.after_restart(),
            settings: self.settings.clone(),
            prepared: self.lasting_of_prepared(),
        }
    }

    /// Notes a new version if anything that outlives crashes has changed; the number of the newest.
    fn note(&mut self) -> Version {
        let durable = self.durable();
        if self.versions.last() != Some(&durable) {
            self.versions.push(durable);
        }
        self.first_version + self.versions.len() - 1
    }

    /// Somebody was told what depends on a version: no crash can take it away any more.
    fn tell(&mut self, need: Version) {
        while self.first_version < need {
            self.versions.remove(0);
            self.first_version += 1;
        }
    }

    /// Gives the answers of commands out.
    pub(super) fn tell_all_commands(&mut self) {
        self.tell(self.commanded);
    }

    /// The names of all local queues.
    pub(super) fn local_queues(&self) -> impl Iterator<Item = String> {
        // Names that nobody can write are those of managed queues.
        let named = self.objects.iter().filter(|(name, _)| !name.starts_with(subscribing::MANAGED));
        named.filter(|(_, found)| found.queue.is_some()).map(|(name, _)| name.clone())
    }

    /// True if programs get from a queue in units of work alone.
    #[must_use]
    pub(super) fn requires_unit(&self, queue: &str) -> bool {
        self.objects.get(queue).is_some_and(Definition::requires_unit)
    }

    /// True if the client is about to be given a message.
    #[must_use]
    pub(super) fn has_message_for(&self, client: &str) -> bool {
        let outcome = self.clients.get(client).and_then(|client| client.outcome.as_ref());
        outcome.is_some_and(|outcome| outcome.reply.as_ref().is_some_and(|reply| reply.body.is_some()))
    }

    /// Returns the result of the client's last call, if it has ended and was not asked for before; none in it
    /// when any answer is as good. This gives the result out.
    pub(super) fn told(&mut self, client: &str) -> Option<Option<Expected>> {
        let told = self.clients.get_mut(client)?;
        let outcome = told.outcome.take()?;
        told.last = told.given.take().or(told.last);
        self.tell(outcome.need);
        Some(outcome.reply)
    }

    /// True if any answer to the client's last call is as good as another.
    #[must_use]
    pub(super) fn is_unjudged(&self, client: &str) -> bool {
        let outcome = self.clients.get(client).and_then(|client| client.outcome.as_ref());
        outcome.is_some_and(|outcome| outcome.reply.is_none())
    }

    /// True if the client's last call waits for a message.
    #[must_use]
    pub(super) fn waits(&self, client: &str) -> bool {
        self.clients.get(client).is_some_and(|client| client.wait.is_some())
    }

    /// Time until the client's wait is over, if it ever is.
    #[must_use]
    pub(super) fn wait_left(&self, client: &str) -> Option<Duration> {
        let deadline = self.clients.get(client)?.wait.as_ref()?.deadline?;
        Some(Duration::from_millis(deadline.saturating_sub(self.now)))
    }

    /// Time passes. What is left of it: two, when a wait and a message that is to be reported on end in it,
    /// of which nothing says which ends first.
    pub(super) fn passed(mut self, time: Duration) -> Vec<Self> {
        self.now += u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.end_overdue_subscriptions();
        let now = self.now;
        let is_over = |at: Option<Time>| at.is_some_and(|at| at <= now);
        let mut waits = self.clients.values().filter_map(|client| client.wait.as_ref());
        let mut messages = self.queues.values().flat_map(|queue| &queue.messages);
        let is_open = waits.any(|wait| is_over(wait.deadline))
            && messages.any(|message| message.asked.asks(Kind::Expiration) && is_over(message.expires));
        let waits_first = is_open.then(|| self.clone());
        self.expire();
        self.end_overdue_waits();
        let waits_first = waits_first.map(|mut other| {
            other.end_overdue_waits();
            other.expire();
            other
        });
        let mut left: Vec<Self> = [self].into_iter().chain(waits_first).collect();
        left.iter_mut().for_each(Self::lapse);
        left
    }

    /// Ends the waits that have lasted as long as they were wanted.
    fn end_overdue_waits(&mut self) {
        let now = self.now;
        for client in self.clients.values_mut() {
            if let Some(wait) = client.wait.take_if(|wait| wait.deadline.is_some_and(|at| at <= now)) {
                let need = self.queues.get(&wait.queue).map_or(0, |queue| queue.changed);
                client.outcome = Some(Outcome { reply: Some(refused(Reason::NO_MSG_AVAILABLE)), need });
            }
        }
    }

    /// Messages whose time is over go, unless a unit of work holds them.
    fn expire(&mut self) {
        let now = self.now;
        let is_over = |message: &Message| {
            message.state == State::Available && message.expires.is_some_and(|at| at <= now)
        };
        let mut expired = Vec::new();
        for queue in self.queues.values_mut() {
            expired.extend(queue.messages.iter().filter(|message| is_over(message)).cloned());
            queue.messages.retain(|message| !is_over(message));
        }
        let reports = expired.iter().flat_map(|message| self.report(Kind::Expiration, message, None));
        let reports: Vec<QueueId> = reports.collect();
        let mut due = std::mem::take(&mut self.due);
        let fired = self.fire_each(&mut due);
        let need = self.note();
        for queue in reports {
            self.queue(queue).changed = need;
            self.offer(queue);
        }
        self.offer_fired(&fired, need);
        self.fire_all(due);
    }

    /// The queue managers that may be there after a power cut now.
    #[must_use]
    pub(super) fn crashed(&self) -> Vec<Self> {
        self.versions.iter().map(|durable| self.restarted(durable.clone())).collect()
    }

    /// It begins to end: those who wait, and asked to be told so, are.
    pub(super) fn quiesce(&mut self) {
        self.is_quiescing = true;
        for client in self.clients.values_mut() {
            if client.wait.take_if(|wait| wait.asked.has(GetFlags::FAIL_IF_QUIESCING)).is_some() {
                client.outcome = Some(Outcome { reply: Some(refused(Reason::Q_MGR_QUIESCING)), need: 0 });
            }
        }
    }

    /// The queue manager after an orderly end and a start.
    #[must_use]
    pub(super) fn stopped(mut self) -> Self {
        self.is_ending = true;
        let is_program = |name: &&String| !self.prepared.contains(name);
        for client in self.clients.keys().filter(is_program).cloned().collect::<Vec<_>>() {
            self.end(&client, false);
        }
        self.note();
        let last = self.versions.pop().expect("there is always a version");
        let mut started = self.restarted(last);
        // Kept for this start alone: no version has it, so the next failure takes it.
        let high = started.objects.values().filter(|definition| definition.is("NPMCLASS", "HIGH"));
        for id in high.filter_map(|definition| definition.queue).collect::<Vec<_>>() {
            let kept = Queue { triggered_at: self.now, ..self.queues[&id].after_orderly_end() };
            started.queues.insert(id, kept);
        }
        started
    }

    fn restarted(&self, durable: Durable) -> Self {
        let mut message_handles = self.message_handles.clone();
        message_handles.retain(|_, held| held.is_unassociated());
        let mut queues = durable.queues.clone();
        // The time since the last trigger message is counted from the start.
        queues.values_mut().for_each(|queue| queue.triggered_at = self.now);
        Self {
            objects: durable.objects.clone(),
            processes: durable.processes.clone(),
            queues,
            topics: durable.topics.clone(),
            settings: durable.settings.clone(),
            clients: durable.prepared.iter().map(Client::of_prepared).collect(),
            message_handles,
            now: self.now,
            numbers: self.numbers,
            prepared: durable.prepared.iter().map(|unit| unit.name.clone()).collect(),
            decided: 0,
            versions: vec![durable],
            first_version: 0,
            commanded: 0,
            is_ending: false,
            is_quiescing: false,
            due: Vec::new(),
        }
    }
}

/// A refusal, or a warning without a message.
fn refused(reason: Reason) -> Expected {
    Expected { reason: Some(reason), ..Expected::default() }
}
