//! The instances of message channels.
//!
//! Lives here: beginning and ending them, the words between commands and agents, and the events that are to
//! be told. Lives elsewhere: the schedule (`wanted`).
//!
//! Always: the lock of the table is a leaf; a run's own lock is never held while the table's is taken.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Weak};

use mqi::constants::*;
use mqi::{ObjectName, Reason};
use objects::{ChannelAttributes, ChannelKind, Moment};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicU32, Ordering};
use platform::{Monotonic, World};

use super::progress::{ChannelProgress, RunningState};
use super::wanted::{LastError, Schedule, Standing, Wanted};
use crate::ground::host::Host;
use crate::ground::time::moment;

/// Most instances at a time: each has a connection and a few KiB, and nobody looks after more.
pub(crate) const ACTIVE_MAX: usize = 1_000;

/// Most events that wait to be told: one each second of a quarter of an hour for a channel that flaps.
const EVENTS_MAX: usize = 1_000;

/// The request of a partner that called.
#[derive(Clone, Copy, Debug)]
pub struct ChannelCall<'a> {
    /// The channel that it names.
    pub channel: &'a str,
    /// The address that it comes from.
    pub address: &'a str,
    /// Its name.
    pub partner: &'a str,
    /// Its QMID.
    pub partner_identifier: &'a str,
    /// True when the caller sends messages; else it asks for them.
    pub sends: bool,
}

/// The reason for which a partner's call is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CallRefusal {
    /// The channel is not defined.
    #[error("there is no channel {0:?} here: check its name, upper and lower case included, or define it")]
    Unknown(String),
    /// It is of a type that does not fit the caller's.
    #[error("the channel {name} has CHLTYPE({}), which does not go with the caller's", kind.subtype().unwrap_or_default())]
    OfOtherType {
        /// The channel.
        name: ObjectName,
        /// Its type.
        kind: objects::ObjectType,
    },
    /// A command stopped it.
    #[error("the channel {0} is stopped: START CHANNEL lets it run again")]
    Stopped(ObjectName),
    /// It runs already.
    #[error("the channel {0} runs already: a channel that sends has one connection")]
    Runs(ObjectName),
    /// As many run as may.
    #[error("{ACTIVE_MAX} channels run here, and no more may: stop some")]
    TooMany,
    /// It is a sender, which calls back.
    #[error("the channel {0} is a sender: it calls the requester itself, at its CONNAME")]
    CallsBack(ObjectName),
    /// The process of the queue manager runs none, or it ends.
    #[error("the queue manager runs no message channels now")]
    NoChannels,
}

impl CallRefusal {
    /// The reason for the partner.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Unknown(_) => Reason::UNKNOWN_CHANNEL_NAME,
            Self::OfOtherType { .. } => Reason::CHANNEL_CONFIG_ERROR,
            Self::Stopped(_) | Self::Runs(_) | Self::TooMany | Self::CallsBack(_) | Self::NoChannels => {
                Reason::CHANNEL_NOT_AVAILABLE
            }
        }
    }
}

/// The wish of a command, told to the agent of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChannelAsk {
    /// To end after the batch under way.
    Quiesce,
    /// To end now.
    Force,
    /// To be dropped.
    Terminate,
}

/// The purpose of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelPurpose {
    /// Messages.
    Transfer,
    /// PING CHANNEL: a bind without messages, and so many bytes there and back.
    Ping {
        /// The bytes.
        bytes: u32,
    },
}

/// The end of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChannelEnd {
    /// It ended as it should: nothing was there to send.
    Inactive,
    /// It ended as a command asked.
    Stopped,
    /// The ping went there and back in so many microseconds.
    Pinged {
        /// The microseconds.
        micros: u64,
    },
    /// It failed; the next try may work.
    Failed {
        /// The reason.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
    /// It failed, and no try works until a person did something.
    Halted {
        /// The reason.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
}

/// The way in which a command stops the instances of a channel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopping<'a> {
    pub(crate) ask: ChannelAsk,
    /// STATUS: the channel's standing afterwards.
    pub(crate) standing: Standing,
    /// QMNAME and CONNAME.
    pub(crate) partner: Option<&'a str>,
    pub(crate) address: Option<&'a str>,
}

/// An event that is to be told.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) kind: EventKind,
    pub(crate) channel: ObjectName,
    pub(crate) connection_name: String,
    pub(crate) transmission_queue: Option<ObjectName>,
    pub(crate) error: Option<LastError>,
}

/// The kinds of channel events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventKind {
    Started,
    /// With an MQRQ_ value.
    Stopped(i32),
    StoppedByUser,
    Activated,
    NotActivated,
}

impl EventKind {
    /// The MQRC_ value.
    pub(crate) fn reason(self) -> i32 {
        match self {
            Self::Started => MQRC_CHANNEL_STARTED,
            Self::Stopped(_) => MQRC_CHANNEL_STOPPED,
            Self::StoppedByUser => MQRC_CHANNEL_STOPPED_BY_USER,
            Self::Activated => MQRC_CHANNEL_ACTIVATED,
            Self::NotActivated => MQRC_CHANNEL_NOT_ACTIVATED,
        }
    }

    /// True for those that CHLEV(EXCEPTION) tells of.
    pub(crate) fn is_exception(self) -> bool {
        match self {
            Self::Stopped(qualifier) => qualifier != MQRQ_CHANNEL_STOPPED_OK,
            Self::NotActivated => true,
            Self::Started | Self::StoppedByUser | Self::Activated => false,
        }
    }
}

/// The channels of one queue manager.
pub(crate) struct MessageChannels {
    this: Weak<Self>,
    world: World,
    host: Arc<dyn Host>,
    connections: AtomicU32,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u64,
    runs: BTreeMap<u64, Arc<Run>>,
    wanted: Wanted,
    initiator_is_stopped: bool,
    swept_at: Option<Monotonic>,
    events: VecDeque<Event>,
}

/// One instance.
struct Run {
    channels: Weak<MessageChannels>,
    number: u64,
    attributes: ChannelAttributes,
    purpose: ChannelPurpose,
    /// True when this side opened the connection.
    calls: bool,
    /// The standing of the channel before a ping.
    before: Standing,
    address: Box<str>,
    began: Moment,
    inner: Mutex<Inner>,
}

type Wake = Arc<dyn Fn() + Send + Sync>;

#[derive(Default)]
struct Inner {
    progress: ChannelProgress,
    asked: Option<ChannelAsk>,
    /// The standing that a command wants afterwards.
    stops_to: Option<Standing>,
    wake: Option<Wake>,
    end: Option<ChannelEnd>,
    ran: bool,
}

/// An instance as it is displayed.
#[derive(Clone, Debug)]
pub(crate) struct RunState {
    pub(crate) attributes: ChannelAttributes,
    pub(crate) calls: bool,
    pub(crate) address: Box<str>,
    pub(crate) began: Moment,
    pub(crate) asked: Option<ChannelAsk>,
    pub(crate) progress: ChannelProgress,
}

/// An instance that an agent holds. It is over when this is dropped; without a word of its end before, it
/// failed.
pub struct ChannelRun(Arc<Run>);

/// The way for a host to say why the connection of an instance ended, where its agent cannot know.
#[derive(Clone)]
pub struct ChannelFailure(Weak<Run>);

impl fmt::Debug for ChannelRun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ChannelRun({} {})", self.0.number, self.0.attributes.name)
    }
}

impl ChannelRun {
    /// The attributes that hold for this instance.
    #[must_use]
    pub fn attributes(&self) -> &ChannelAttributes {
        &self.0.attributes
    }

    /// The purpose.
    #[must_use]
    pub fn purpose(&self) -> ChannelPurpose {
        self.0.purpose
    }

    /// The address of the partner.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.0.address
    }

    /// True when this side opened the connection.
    #[must_use]
    pub fn calls(&self) -> bool {
        self.0.calls
    }

    /// Sets the way to wake the agent when a command asks something of it. Called from other threads.
    pub fn wake_by(&self, wake: Wake) {
        self.0.inner.lock().wake = Some(wake);
    }

    /// The wish of a command; it stands from then on.
    #[must_use]
    pub fn asked(&self) -> Option<ChannelAsk> {
        self.0.inner.lock().asked
    }

    /// Tells facts about the channel.
    pub fn update(&self, change: impl FnOnce(&mut ChannelProgress)) {
        let (met, runs_now) = {
            let mut inner = self.0.inner.lock();
            let knew_partner = !inner.progress.partner.is_empty();
            change(&mut inner.progress);
            let partner = &inner.progress.partner;
            let met = (!knew_partner && !partner.is_empty()).then(|| partner.clone());
            let runs_now = !inner.ran && inner.progress.state == RunningState::Running;
            inner.ran |= runs_now;
            (met, runs_now)
        };
        if (met.is_some() || runs_now)
            && let Some(channels) = self.0.channels.upgrade()
        {
            channels.proceeds(&self.0, met.as_deref(), runs_now);
        }
    }

    /// The facts that were told.
    #[must_use]
    pub fn progress(&self) -> ChannelProgress {
        self.0.inner.lock().progress.clone()
    }

    /// Says how the instance ends; the first word stands.
    pub fn end(&self, end: ChannelEnd) {
        self.0.inner.lock().end.get_or_insert(end);
    }

    /// The way for the host to say why its connection ended.
    #[must_use]
    pub fn failure(&self) -> ChannelFailure {
        ChannelFailure(Arc::downgrade(&self.0))
    }
}

impl Drop for ChannelRun {
    fn drop(&mut self) {
        if let Some(channels) = self.0.channels.upgrade() {
            channels.over(&self.0);
        }
    }
}

impl ChannelFailure {
    /// The connection ended for this reason, unless its agent has said more.
    pub fn note(&self, reason: Reason, text: String) {
        if let Some(run) = self.0.upgrade() {
            run.inner.lock().end.get_or_insert(ChannelEnd::Failed { reason, text });
        }
    }
}

impl Run {
    fn event(&self, kind: EventKind, error: Option<LastError>) -> Event {
        let connection_name = match self.calls {
            true => self.attributes.connection_name.to_string(),
            false => self.address.to_string(),
        };
        let transmission_queue = self.attributes.transmission_queue;
        Event { kind, channel: self.attributes.name, connection_name, transmission_queue, error }
    }
}

impl State {
    fn note(&mut self, event: Event) {
        if self.events.len() < EVENTS_MAX {
            self.events.push_back(event);
        }
    }

    fn has_run(&self, channel: &ObjectName) -> bool {
        self.runs.values().any(|run| run.attributes.name == *channel)
    }
}

impl MessageChannels {
    pub(crate) fn new(world: &World, host: Arc<dyn Host>) -> Arc<Self> {
        let (world, connections) = (world.clone(), AtomicU32::new(0));
        Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            world,
            host,
            connections,
            state: Mutex::default(),
        })
    }

    /// A number for a connection that this queue manager opens, higher than those before.
    pub(crate) fn next_connection(&self) -> u32 {
        self.connections.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn begin(
        &self,
        state: &mut State,
        attributes: ChannelAttributes,
        (purpose, before): (ChannelPurpose, Standing),
        called_from: Option<&ChannelCall<'_>>,
    ) -> ChannelRun {
        state.last += 1;
        let mut progress = ChannelProgress {
            transmission_queue: attributes.transmission_queue,
            ..ChannelProgress::default()
        };
        if let Some(call) = called_from {
            progress.state = RunningState::Binding;
            progress.partner = call.partner.to_owned();
            progress.partner_identifier = call.partner_identifier.to_owned();
        }
        let address = called_from.map_or(&*attributes.connection_name, |call| call.address).into();
        let run = Arc::new(Run {
            channels: Weak::clone(&self.this),
            number: state.last,
            purpose,
            calls: called_from.is_none(),
            before,
            address,
            began: moment(self.world.clock.wall()),
            inner: Mutex::new(Inner { progress, ..Inner::default() }),
            attributes,
        });
        state.runs.insert(run.number, Arc::clone(&run));
        ChannelRun(run)
    }

    /// Begins an instance for a partner that called.
    pub(crate) fn accept(
        &self,
        attributes: ChannelAttributes,
        call: &ChannelCall<'_>,
    ) -> Result<ChannelRun, CallRefusal> {
        let (name, kind) = (attributes.name, attributes.kind);
        let now = self.world.clock.now();
        let mut state = self.state.lock();
        state.wanted.hurry(call.partner, now);
        let accepted = match kind {
            _ if state.wanted.schedule(&name).standing == Standing::Stopped => {
                Err(CallRefusal::Stopped(name))
            }
            _ if call.sends == kind.sends() => {
                Err(CallRefusal::OfOtherType { name, kind: kind.object_type() })
            }
            ChannelKind::Sender => {
                state.wanted.start(name, now);
                Err(CallRefusal::CallsBack(name))
            }
            _ if kind.sends() && state.has_run(&name) => Err(CallRefusal::Runs(name)),
            _ if state.runs.len() >= ACTIVE_MAX => Err(CallRefusal::TooMany),
            _ => {
                let purpose = (ChannelPurpose::Transfer, Standing::Inactive);
                Ok(self.begin(&mut state, attributes, purpose, Some(call)))
            }
        };
        drop(state);
        self.host.channel_wanted();
        accepted
    }

    /// Begins an instance of a channel that is to call, whose time came.
    pub(crate) fn dial(&self, attributes: ChannelAttributes) -> ChannelRun {
        let mut state = self.state.lock();
        let run = self.begin(&mut state, attributes, (ChannelPurpose::Transfer, Standing::Active), None);
        let activated = run.0.event(EventKind::Activated, None);
        state.note(activated);
        run
    }

    /// Begins an instance for a ping; none while the channel runs.
    pub(crate) fn ping(&self, attributes: ChannelAttributes, bytes: u32) -> Option<ChannelRun> {
        let mut state = self.state.lock();
        let name = attributes.name;
        let before = state.wanted.schedule(&name).standing;
        if state.has_run(&name) || before == Standing::Active || state.runs.len() >= ACTIVE_MAX {
            return None;
        }
        state.wanted.settle(name, Standing::Active);
        Some(self.begin(&mut state, attributes, (ChannelPurpose::Ping { bytes }, before), None))
    }

    /// An instance met its partner, or began to run.
    fn proceeds(&self, run: &Run, met: Option<&str>, runs_now: bool) {
        let mut state = self.state.lock();
        if let Some(partner) = met {
            state.wanted.meet(run.attributes.name, partner);
        }
        if runs_now {
            state.wanted.works(&run.attributes.name);
            state.note(run.event(EventKind::Started, None));
        }
        drop(state);
        self.host.channel_wanted();
    }

    /// An instance is over.
    fn over(&self, run: &Arc<Run>) {
        let (end, stops_to) = {
            let mut inner = run.inner.lock();
            let broken = || ChannelEnd::Failed {
                reason: Reason::CONNECTION_BROKEN,
                text: "the connection to the partner ended".to_owned(),
            };
            (inner.end.take().unwrap_or_else(broken), inner.stops_to)
        };
        let now = self.world.clock.now();
        let chance = self.world.entropy.next_u64();
        let channel = run.attributes.name;
        let mut state = self.state.lock();
        state.runs.remove(&run.number);
        if let ChannelPurpose::Ping { .. } = run.purpose {
            state.wanted.settle(channel, stops_to.unwrap_or(run.before));
        } else {
            let (kind, error) = state.conclude(run, end, stops_to, (now, chance));
            let stopped = run.event(kind, error);
            state.note(stopped);
        }
        drop(state);
        self.host.channel_wanted();
    }

    /// A command starts a channel that calls. Returns false if it is active already.
    pub(crate) fn start(&self, channel: ObjectName) -> bool {
        let now = self.world.clock.now();
        let is_new = self.state.lock().wanted.start(channel, now);
        self.host.channel_wanted();
        is_new
    }

    /// A command lets partners come by a channel again.
    pub(crate) fn open(&self, channel: ObjectName) {
        self.state.lock().wanted.open(channel);
    }

    /// A message waits for a channel.
    pub(crate) fn wish(&self, channel: ObjectName) {
        let now = self.world.clock.now();
        if self.state.lock().wanted.wish(channel, now) {
            self.host.channel_wanted();
        }
    }

    /// A command stops a channel; how many instances end.
    pub(crate) fn stop(&self, channel: &ObjectName, how: &Stopping<'_>) -> usize {
        let mut state = self.state.lock();
        let is_meant = |run: &&Arc<Run>| {
            let is_partner = |partner: &str| run.inner.lock().progress.partner == partner;
            run.attributes.name == *channel
                && how.partner.is_none_or(is_partner)
                && how.address.is_none_or(|address| is_from(&run.address, address))
        };
        let meant: Vec<_> = state.runs.values().filter(is_meant).cloned().collect();
        let (is_alone, calls) =
            (how.partner.is_none() && how.address.is_none(), meant.iter().any(|run| run.calls));
        // One that calls has its standing when its instance is over.
        if is_alone && !calls {
            state.wanted.settle(*channel, how.standing);
        }
        if meant.is_empty() {
            if is_alone && how.standing == Standing::Stopped {
                let (connection_name, transmission_queue) = (String::new(), None);
                let kind = EventKind::StoppedByUser;
                state.note(Event {
                    kind,
                    channel: *channel,
                    connection_name,
                    transmission_queue,
                    error: None,
                });
            }
            drop(state);
            self.host.channel_wanted();
            return 0;
        }
        drop(state);
        for run in &meant {
            let wake = {
                let mut inner = run.inner.lock();
                inner.asked = inner.asked.max(Some(how.ask));
                inner.stops_to = Some(how.standing);
                inner.progress.state = RunningState::Stopping;
                inner.wake.clone()
            };
            if let Some(wake) = wake {
                wake();
            }
        }
        meant.len()
    }

    /// Stops every instance, as the queue manager ends.
    pub(crate) fn stop_all(&self, ask: ChannelAsk) {
        let runs: Vec<_> = self.state.lock().runs.values().cloned().collect();
        for run in runs {
            let wake = {
                let mut inner = run.inner.lock();
                inner.asked = inner.asked.max(Some(ask));
                inner.stops_to.get_or_insert(Standing::Inactive);
                inner.wake.clone()
            };
            if let Some(wake) = wake {
                wake();
            }
        }
    }

    /// The channels whose time has come to call.
    pub(crate) fn take_due(&self) -> Vec<ObjectName> {
        let now = self.world.clock.now();
        let mut state = self.state.lock();
        let most = ACTIVE_MAX.saturating_sub(state.runs.len());
        state.wanted.take_due(now, most)
    }

    /// The time of the next call.
    pub(crate) fn next(&self) -> Option<Monotonic> {
        self.state.lock().wanted.next()
    }

    /// A channel cannot call as it is defined: it is stopped.
    pub(crate) fn halt(&self, channel: ObjectName, reason: Reason, text: String) {
        let error = LastError { reason, text };
        let mut state = self.state.lock();
        let event = Event {
            kind: EventKind::NotActivated,
            channel,
            connection_name: String::new(),
            transmission_queue: None,
            error: Some(error.clone()),
        };
        state.note(event);
        state.wanted.halt(channel, error);
    }

    /// A channel of which nothing is wanted any more, since its definition is gone.
    pub(crate) fn forget(&self, channel: &ObjectName) {
        self.state.lock().wanted.forget(channel);
    }

    /// STOP CHINIT and START CHINIT; returns false if it was so before.
    pub(crate) fn stop_initiator(&self, is_stopped: bool) -> bool {
        let before = std::mem::replace(&mut self.state.lock().initiator_is_stopped, is_stopped);
        self.host.channel_wanted();
        before != is_stopped
    }

    /// True while messages on transmission queues start their channels.
    pub(crate) fn initiates(&self) -> bool {
        self.host.runs_channels() && !self.state.lock().initiator_is_stopped
    }

    /// True when the time of a sweep came; the next comes so much later.
    pub(crate) fn sweep_is_due(&self, interval: std::time::Duration) -> bool {
        let now = self.world.clock.now();
        let mut state = self.state.lock();
        let is_due = state.swept_at.is_none_or(|at| now.since(at) >= interval);
        if is_due {
            state.swept_at = Some(now);
        }
        is_due
    }

    /// True when an instance of the channel is there.
    pub(crate) fn runs(&self, channel: &ObjectName) -> bool {
        self.state.lock().has_run(channel)
    }

    /// A channel in the schedule.
    pub(crate) fn schedule(&self, channel: &ObjectName) -> Schedule {
        self.state.lock().wanted.schedule(channel)
    }

    /// The channels that the schedule tells of.
    pub(crate) fn scheduled(&self) -> Vec<ObjectName> {
        self.state.lock().wanted.all().collect()
    }

    /// The instances.
    pub(crate) fn states(&self) -> Vec<RunState> {
        let runs: Vec<_> = self.state.lock().runs.values().cloned().collect();
        let state = |run: &Arc<Run>| {
            let inner = run.inner.lock();
            RunState {
                attributes: run.attributes.clone(),
                calls: run.calls,
                address: run.address.clone(),
                began: run.began,
                asked: inner.asked,
                progress: inner.progress.clone(),
            }
        };
        runs.iter().map(state).collect()
    }

    /// The events that are to be told.
    pub(crate) fn take_events(&self) -> VecDeque<Event> {
        std::mem::take(&mut self.state.lock().events)
    }
}

impl State {
    /// Settles what becomes of the channel of an instance that is over; the event that tells of it.
    fn conclude(
        &mut self,
        run: &Run,
        end: ChannelEnd,
        stops_to: Option<Standing>,
        (now, chance): (Monotonic, u64),
    ) -> (EventKind, Option<LastError>) {
        let attributes = &run.attributes;
        let channel = attributes.name;
        if let Some(standing) = stops_to {
            if run.calls {
                self.wanted.settle(channel, standing);
            }
            return (EventKind::StoppedByUser, None);
        }
        match end {
            ChannelEnd::Inactive | ChannelEnd::Stopped | ChannelEnd::Pinged { .. } => {
                if run.calls {
                    self.wanted.settle(channel, Standing::Inactive);
                }
                (EventKind::Stopped(MQRQ_CHANNEL_STOPPED_OK), None)
            }
            ChannelEnd::Failed { reason, text } => {
                let error = LastError { reason, text };
                let qualifier = if !run.calls {
                    self.wanted.note_error(channel, error.clone());
                    MQRQ_CHANNEL_STOPPED_ERROR
                } else if attributes.kind.sends() {
                    let retries = (attributes.short_retry, attributes.long_retry);
                    match self.wanted.fail(channel, error.clone(), retries, now, chance) {
                        Standing::Retries(_) => MQRQ_CHANNEL_STOPPED_RETRY,
                        _ => MQRQ_CHANNEL_STOPPED_DISABLED,
                    }
                } else {
                    // A requester is started by a command, and again by the next.
                    self.wanted.settle(channel, Standing::Inactive);
                    self.wanted.note_error(channel, error.clone());
                    MQRQ_CHANNEL_STOPPED_ERROR
                };
                (EventKind::Stopped(qualifier), Some(error))
            }
            ChannelEnd::Halted { reason, text } => {
                let error = LastError { reason, text };
                self.wanted.halt(channel, error.clone());
                (EventKind::Stopped(MQRQ_CHANNEL_STOPPED_DISABLED), Some(error))
            }
        }
    }
}

/// True when an instance's address is the one of CONNAME, with its port or without.
fn is_from(address: &str, wanted: &str) -> bool {
    let host = |text: &str| -> String {
        let text = text.trim().strip_prefix("tcp ").unwrap_or(text.trim());
        match text.parse::<std::net::SocketAddr>() {
            Ok(address) => address.ip().to_string(),
            Err(_) => text.split('(').next().unwrap_or_default().trim().to_owned(),
        }
    };
    address.trim() == wanted.trim() || host(address) == host(wanted)
}
