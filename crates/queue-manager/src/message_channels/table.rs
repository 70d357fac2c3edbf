//! The instances of message channels.
//!
//! Lives here: beginning and ending them, and the events that are to be told. Lives elsewhere: one instance
//! (`run`), the schedule (`wanted`).
//!
//! Always: the lock of the table is a leaf, but for that of a run, which may be taken under it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Weak};
use std::time::Duration;

use mqi::constants::*;
use mqi::{ObjectName, Reason};
use objects::{ChannelAttributes, ChannelKind};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use platform::{Monotonic, World};
use queues::ground::host::Host;
use queues::ground::place::connection_name;
use queues::ground::time::moment;

use super::addresses::{are_two_hosts, is_from};
use super::progress::{ChannelProgress, EncryptionNames, RunningState, Substate};
use super::run::{
    CallRefusal, ChannelAsk, ChannelCall, ChannelEnd, ChannelPurpose, ChannelRun, Event, EventKind, Inner,
    Run, RunState, Table,
};
use super::tally::Tallied;
use super::totals::ChannelTotals;
use super::wanted::{LastError, Partner, Schedule, Standing, Wanted};
use crate::channel_seats::{ChannelsFull, Seat, Seats, SeatsTaken};

/// Most pings at a time: each keeps a thread that runs commands.
const PINGS_MAX: usize = 16;

/// The time after which a channel that found no seat looks again.
const SEAT_WAIT: Duration = Duration::from_secs(5);

/// The time after which a channel looks again whether its connection that is to end has ended.
const RIVAL_WAIT: Duration = Duration::from_secs(1);

/// Most events that wait to be told: one each second of a quarter of an hour for a channel that flaps.
const EVENTS_MAX: usize = 1_000;

/// Most tallies of instances that are over and were not told: a channel that flaps through the whole of a
/// statistics interval loses the oldest.
const TALLIES_MAX: usize = 1_000;

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

/// The channels of one queue manager.
pub(crate) struct MessageChannels {
    this: Weak<Self>,
    world: World,
    host: Arc<dyn Host>,
    seats: Arc<Seats>,
    began: Monotonic,
    connections: AtomicU32,
    /// STATCHL of the queue manager.
    statistics: AtomicI32,
    /// True where a new connection of a partner ends its older one.
    adopts: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u64,
    runs: BTreeMap<u64, Arc<Run>>,
    pings: BTreeMap<u64, Ping>,
    wanted: Wanted,
    /// Channels whose state a command changes: none of them begins meanwhile.
    held: BTreeSet<ObjectName>,
    initiator_is_stopped: bool,
    swept_at: Option<Monotonic>,
    events: VecDeque<Event>,
    /// Of instances that are over.
    tallies: VecDeque<Tallied>,
    /// Of instances that are over: of as many channels as are defined, at most.
    totals: BTreeMap<ObjectName, ChannelTotals>,
}

/// A ping that a command waits for.
struct Ping {
    to_dial: Option<ChannelRun>,
    end: Option<ChannelEnd>,
}

/// A channel that does not begin until this is dropped.
pub(crate) struct HeldChannel<'a> {
    channels: &'a MessageChannels,
    channel: ObjectName,
}

impl Drop for HeldChannel<'_> {
    fn drop(&mut self) {
        self.channels.state.lock().held.remove(&self.channel);
        self.channels.host.channel_wanted();
    }
}

impl State {
    fn note(&mut self, event: Event) {
        if self.events.len() < EVENTS_MAX {
            self.events.push_back(event);
        }
    }

    /// A partner called, and its instance cannot begin.
    fn note_not_activated(&mut self, channel: ObjectName, call: &ChannelCall<'_>, refusal: &CallRefusal) {
        let error = LastError { reason: refusal.reason(), text: refusal.to_string() };
        let partner = Partner { identifier: call.partner_identifier.into(), name: call.partner.into() };
        self.wanted.note_error(channel, error.clone(), partner);
        let connection_name = connection_name(call.address);
        let error = Some(error);
        self.note(Event { connection_name, error, ..Event::of(channel, EventKind::NotActivated) });
    }

    fn has_run(&self, channel: &ObjectName) -> bool {
        self.run_of(channel).is_some()
    }

    fn run_of(&self, channel: &ObjectName) -> Option<&Arc<Run>> {
        self.runs.values().find(|run| run.attributes.name == *channel)
    }

    /// Looks for a connection that keeps a channel from calling, since one that sends has one, whichever end
    /// opened it; returns whether a command ends it.
    fn rival_ends(&self, channel: &ObjectName) -> Option<bool> {
        let run = self.run_of(channel).filter(|run| run.attributes.kind.sends())?;
        let ends = run.inner.lock().asked.is_some();
        Some(ends)
    }

    /// True where a channel runs by a call of this side, or of a partner of another identifier.
    fn runs_beside(&self, channel: ObjectName, identifier: &str) -> bool {
        let all = self.runs.values().filter(|run| run.attributes.name == channel).count();
        all > self.runs_with(channel, identifier).len()
    }

    /// The instances that a partner of this identifier called, the newest last.
    fn runs_with(&self, channel: ObjectName, identifier: &str) -> Vec<Arc<Run>> {
        let is_meant = |run: &&Arc<Run>| {
            run.attributes.name == channel
                && !run.calls
                && run.inner.lock().progress.partner_identifier == identifier
        };
        self.runs.values().filter(is_meant).cloned().collect()
    }
}

impl MessageChannels {
    pub(crate) fn new(world: &World, host: Arc<dyn Host>, seats: Arc<Seats>) -> Arc<Self> {
        let (world, connections) = (world.clone(), AtomicU32::new(0));
        let (statistics, began) = (AtomicI32::new(MQMON_OFF), world.clock.now());
        Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            world,
            host,
            seats,
            began,
            connections,
            statistics,
            adopts: AtomicBool::new(true),
            state: Mutex::default(),
        })
    }

    /// When the queue manager began to have channels.
    pub(crate) fn began(&self) -> Monotonic {
        self.began
    }

    /// A number for a connection that this queue manager opens, higher than those before.
    pub(crate) fn next_connection(&self) -> u32 {
        self.connections.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn begin(
        &self,
        state: &mut State,
        attributes: ChannelAttributes,
        (purpose, before, seat): (ChannelPurpose, Standing, Seat),
        called_from: Option<&ChannelCall<'_>>,
    ) -> ChannelRun {
        state.last += 1;
        let mut progress = ChannelProgress {
            transmission_queue: attributes.transmission_queue,
            ..ChannelProgress::default()
        };
        if let Some(call) = called_from {
            (progress.state, progress.substate) = (RunningState::Binding, Substate::Resynching);
            progress.partner = call.partner.to_owned();
            progress.partner_identifier = call.partner_identifier.to_owned();
            progress.encryption = EncryptionNames::of(call.encryption);
            if !attributes.kind.sends() {
                progress.user = call.user.unwrap_or_default().to_owned();
            }
        }
        let address = called_from
            .map_or_else(|| attributes.connection_name.to_string(), |call| connection_name(call.address))
            .into();
        let run = Arc::new(Run {
            channels: self.this.clone(),
            number: state.last,
            purpose,
            calls: called_from.is_none(),
            before,
            address,
            began: moment(self.world.clock.wall()),
            inner: Mutex::new(Inner {
                progress,
                is_counted: self.counts(&attributes),
                seat: Some(seat),
                ..Inner::default()
            }),
            attributes,
        });
        state.runs.insert(run.number, Arc::clone(&run));
        ChannelRun::of(run)
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
            // One that sends has one transmission queue, and is stopped towards each partner.
            _ if kind.sends() && state.wanted.schedule(&name).standing == Standing::Stopped => {
                Err(CallRefusal::Stopped(name))
            }
            _ if state.wanted.refuses(&name, call.partner_identifier) => Err(CallRefusal::Stopped(name)),
            _ if call.sends == kind.sends() => {
                Err(CallRefusal::OfOtherType { name, kind: kind.object_type() })
            }
            ChannelKind::Sender => {
                state.wanted.start(name, now);
                Err(CallRefusal::CallsBack(name))
            }
            _ if kind.sends() && state.runs_beside(name, call.partner_identifier) => {
                Err(CallRefusal::Runs(name))
            }
            _ if state.held.contains(&name) => Err(CallRefusal::Runs(name)),
            _ => self.judge_older(&state, name, call).and_then(|()| {
                let seat = self.seats.take(state.wanted.held()).map_err(CallRefusal::TooMany)?;
                let purpose = (ChannelPurpose::Transfer, Standing::Inactive, seat);
                Ok(self.begin(&mut state, attributes, purpose, Some(call)))
            }),
        };
        let is_elsewhere = matches!(&accepted, Err(CallRefusal::Elsewhere { .. }));
        if let Err(refusal) = &accepted
            && (is_elsewhere || matches!(refusal, CallRefusal::TooMany(_)))
        {
            state.note_not_activated(name, call, refusal);
        }
        let asked = if is_elsewhere { state.runs_with(name, call.partner_identifier) } else { Vec::new() };
        drop(state);
        asked.iter().for_each(|run| run.ask_for_sign());
        self.host.channel_wanted();
        accepted
    }

    /// Judges whether the caller may take the place of an older connection of the same partner, where there
    /// is one: from its own host as often as it likes, from another only where the older gives no sign. Where
    /// both answer, one is a copy, and a person alone knows which.
    fn judge_older(
        &self,
        state: &State,
        channel: ObjectName,
        call: &ChannelCall<'_>,
    ) -> Result<(), CallRefusal> {
        let Some(older) = state.runs_with(channel, call.partner_identifier).pop() else { return Ok(()) };
        // A connection from before logins were judged has no user, and yields to the first that has one.
        let is_of_another = |user: &str| !user.is_empty() && call.user != Some(user);
        if is_of_another(&older.inner.lock().progress.user) {
            return Err(CallRefusal::OfAnother { channel, identifier: call.partner_identifier.to_owned() });
        }
        if !self.adopts.load(Ordering::Relaxed) {
            return Err(CallRefusal::Runs(channel));
        }
        if !are_two_hosts(&older.address, call.address) {
            return Ok(());
        }
        Err(CallRefusal::Elsewhere {
            channel,
            identifier: call.partner_identifier.to_owned(),
            addresses: Box::new([older.address.to_string(), connection_name(call.address)]),
        })
    }

    /// AdoptNewMCA: true lets a new connection of a partner end its older one.
    pub(crate) fn adopt(&self, adopts: bool) {
        self.adopts.store(adopts, Ordering::Relaxed);
    }

    /// Begins an instance of a channel that is to call, whose time came. None where a command has stopped it
    /// since, or it has to wait for a seat: its status says so.
    pub(crate) fn dial(&self, attributes: ChannelAttributes) -> Option<ChannelRun> {
        let mut state = self.state.lock();
        if state.wanted.schedule(&attributes.name).standing != Standing::Active {
            return None;
        }
        if let Some(ends) = state.rival_ends(&attributes.name) {
            let later = Standing::Due(self.world.clock.now().after(RIVAL_WAIT));
            let standing = if ends { later } else { Standing::Inactive };
            state.wanted.lend(attributes.name, standing);
            return None;
        }
        let seat = match self.seats.take(state.wanted.held()) {
            Ok(seat) => seat,
            Err(full) => {
                let error = LastError { reason: Reason::CHANNEL_NOT_AVAILABLE, text: full.to_string() };
                state.wanted.put_off(attributes.name, self.world.clock.now().after(SEAT_WAIT), error);
                return None;
            }
        };
        let purpose = (ChannelPurpose::Transfer, Standing::Active, seat);
        let run = self.begin(&mut state, attributes, purpose, None);
        let activated = run.run.event(EventKind::Activated, None);
        state.note(activated);
        Some(run)
    }

    /// Begins an instance for a ping, for which the host is to dial; its number. None while the channel runs,
    /// or too many pings are out.
    pub(crate) fn ping(
        &self,
        attributes: ChannelAttributes,
        bytes: u32,
    ) -> Result<Option<u64>, ChannelsFull> {
        let mut state = self.state.lock();
        let name = attributes.name;
        let before = state.wanted.schedule(&name).standing;
        let is_busy = state.has_run(&name) || before == Standing::Active || state.held.contains(&name);
        if is_busy || state.pings.len() >= PINGS_MAX {
            return Ok(None);
        }
        let seat = self.seats.take(state.wanted.held())?;
        state.wanted.lend(name, Standing::Active);
        let run = self.begin(&mut state, attributes, (ChannelPurpose::Ping { bytes }, before, seat), None);
        let number = run.run.number;
        state.pings.insert(number, Ping { to_dial: Some(run), end: None });
        drop(state);
        self.host.channel_wanted();
        Ok(Some(number))
    }

    /// The instances of pings for which the host has not dialled.
    pub(crate) fn take_pings(&self) -> Vec<ChannelRun> {
        let mut state = self.state.lock();
        state.pings.values_mut().filter_map(|ping| ping.to_dial.take()).collect()
    }

    /// The end of a ping, once it is known.
    pub(crate) fn take_ping_end(&self, number: u64) -> Option<ChannelEnd> {
        let mut state = self.state.lock();
        state.pings.get(&number)?.end.as_ref()?;
        state.pings.remove(&number)?.end
    }

    /// Forgets a ping whose end no caller awaits any more; an instance that was not dialled for ends with it.
    pub(crate) fn forget_ping(&self, number: u64) {
        let forgotten = self.state.lock().pings.remove(&number);
        // Not under the lock, which the end of the instance takes.
        drop(forgotten);
    }

    /// A command starts a channel that calls. Returns false if it is active already, or its partner called it.
    pub(crate) fn start(&self, channel: ObjectName) -> bool {
        let now = self.world.clock.now();
        let mut state = self.state.lock();
        let is_new = state.rival_ends(&channel) != Some(false) && state.wanted.start(channel, now);
        drop(state);
        self.host.channel_wanted();
        is_new
    }

    /// A command lets partners come by a channel again.
    pub(crate) fn open(&self, channel: ObjectName) {
        self.state.lock().wanted.open(channel);
    }

    /// A command had stopped a channel before the restart.
    pub(crate) fn stay_stopped(&self, channel: ObjectName) {
        self.state.lock().wanted.settle(channel, Standing::Stopped);
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
                state.note(Event::of(*channel, EventKind::StoppedByUser));
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

    /// A channel was defined by the call of a partner, or could not be, for this reason.
    pub(crate) fn note_defined(&self, channel: ObjectName, address: &str, error: Option<i32>) {
        let connection_name = connection_name(address);
        self.tell(Event { connection_name, ..Event::of(channel, EventKind::Defined { error }) });
    }

    /// The channels whose time has come to call.
    pub(crate) fn take_due(&self) -> Vec<ObjectName> {
        let now = self.world.clock.now();
        let mut state = self.state.lock();
        let State { wanted, held, .. } = &mut *state;
        wanted.take_due(now, |channel| !held.contains(channel))
    }

    /// True where statistics of a channel are collected.
    fn counts(&self, attributes: &ChannelAttributes) -> bool {
        let level = objects::effective(attributes.statistics, self.statistics.load(Ordering::Relaxed));
        level != MQMON_OFF
    }

    /// Takes STATCHL of the queue manager into use. What an instance did before it was counted is not told.
    pub(crate) fn collect(&self, statistics: i32) {
        self.statistics.store(statistics, Ordering::Relaxed);
        let runs: Vec<_> = self.state.lock().runs.values().cloned().collect();
        for run in runs {
            let mut inner = run.inner.lock();
            inner.is_counted = match &inner.altered {
                Some(altered) => self.counts(altered),
                None => self.counts(&run.attributes),
            };
        }
    }

    /// True where there are figures to tell, or will be.
    pub(crate) fn has_tallies(&self) -> bool {
        let state = self.state.lock();
        let counts = |run: &Arc<Run>| {
            let inner = run.inner.lock();
            inner.is_counted || !inner.tally.is_empty()
        };
        !state.tallies.is_empty() || state.runs.values().any(counts)
    }

    /// The figures of all instances since they were taken last.
    pub(crate) fn take_tallies(&self) -> Vec<Tallied> {
        let (over, runs): (Vec<_>, Vec<_>) = {
            let mut state = self.state.lock();
            (state.tallies.drain(..).collect(), state.runs.values().cloned().collect())
        };
        let taken = runs.iter().filter_map(|run| run.take_tally());
        over.into_iter().chain(taken).collect()
    }

    /// The definition of a channel was altered: its instances follow it as far as they can. Returns the
    /// attributes that differ for them, those that they follow first; none where there are no instances.
    pub(crate) fn follow(
        &self,
        attributes: &ChannelAttributes,
    ) -> Option<(Vec<&'static str>, Vec<&'static str>)> {
        let state = self.state.lock();
        let is_meant = |run: &&Arc<Run>| run.attributes.name == attributes.name;
        let meant: Vec<_> = state.runs.values().filter(is_meant).cloned().collect();
        drop(state);
        let mut differences: Option<(Vec<_>, Vec<_>)> = None;
        for run in &meant {
            let wake = {
                let mut inner = run.inner.lock();
                inner.altered = Some(Box::new(attributes.clone()));
                inner.is_counted = self.counts(attributes);
                inner.is_altered = true;
                inner.wake.clone()
            };
            let (at_once, later) = run.attributes.differences(attributes);
            let (all_at_once, all_later) = differences.get_or_insert_default();
            for (all, new) in [(all_at_once, at_once), (all_later, later)] {
                all.extend(new.into_iter().filter(|keyword| !all.contains(keyword)).collect::<Vec<_>>());
            }
            if let Some(wake) = wake {
                wake();
            }
        }
        differences
    }

    /// Keeps a channel from beginning while a command changes its state; none while it runs.
    pub(crate) fn hold(&self, channel: ObjectName) -> Option<HeldChannel<'_>> {
        let mut state = self.state.lock();
        let is_active = state.wanted.schedule(&channel).standing == Standing::Active;
        if is_active || state.has_run(&channel) || !state.held.insert(channel) {
            return None;
        }
        Some(HeldChannel { channels: self, channel })
    }

    /// The time of the next call.
    pub(crate) fn next(&self) -> Option<Monotonic> {
        self.state.lock().wanted.next()
    }

    /// A channel whose time came has no CONNAME: its partner calls.
    pub(crate) fn awaits_call(&self, channel: ObjectName) {
        self.state.lock().wanted.lend(channel, Standing::Inactive);
    }

    /// A channel cannot call as it is defined: it is stopped.
    pub(crate) fn halt(&self, channel: ObjectName, reason: Reason, text: String) {
        let error = LastError { reason, text };
        let mut state = self.state.lock();
        state.note(Event { error: Some(error.clone()), ..Event::of(channel, EventKind::NotActivated) });
        state.wanted.halt(channel, error, Partner::default());
    }

    /// A channel of which nothing is wanted any more, since its definition is gone.
    pub(crate) fn forget(&self, channel: &ObjectName) {
        let mut state = self.state.lock();
        state.wanted.forget(channel);
        state.totals.remove(channel);
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
    pub(crate) fn sweep_is_due(&self, interval: Duration) -> bool {
        let now = self.world.clock.now();
        let mut state = self.state.lock();
        let is_due = state.swept_at.is_none_or(|at| now.since(at) >= interval);
        if is_due {
            state.swept_at = Some(now);
        }
        is_due
    }

    /// A channel in the schedule.
    pub(crate) fn schedule(&self, channel: &ObjectName) -> Schedule {
        self.state.lock().wanted.schedule(channel)
    }

    /// The channels that the schedule tells of.
    pub(crate) fn scheduled(&self) -> Vec<ObjectName> {
        self.state.lock().wanted.all().collect()
    }

    /// The message channels that retry or are stopped.
    pub(crate) fn held(&self) -> usize {
        self.state.lock().wanted.held()
    }

    /// The seats of channels of every type.
    pub(crate) fn seats_taken(&self) -> SeatsTaken {
        self.seats.taken(self.held())
    }

    /// The instances, by their numbers.
    pub(crate) fn states(&self) -> Vec<RunState> {
        let runs: Vec<_> =
            self.state.lock().runs.iter().map(|(number, run)| (*number, run.clone())).collect();
        let state = |(number, run): &(u64, Arc<Run>)| {
            let inner = run.inner.lock();
            RunState {
                number: *number,
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

    /// The figures of each channel that had an instance since the start.
    pub(crate) fn totals(&self) -> BTreeMap<ObjectName, ChannelTotals> {
        // Under one lock: an instance that ends meanwhile counts once.
        let state = self.state.lock();
        let mut totals = state.totals.clone();
        let of_messages = |run: &&Arc<Run>| run.purpose == ChannelPurpose::Transfer;
        for run in state.runs.values().filter(of_messages) {
            totals.entry(run.attributes.name).or_default().add(&run.inner.lock().progress);
        }
        totals
    }

    /// The events that are to be told.
    pub(crate) fn take_events(&self) -> VecDeque<Event> {
        std::mem::take(&mut self.state.lock().events)
    }
}

impl Table for MessageChannels {
    fn tell(&self, event: Event) {
        self.state.lock().note(event);
        self.host.channel_wanted();
    }

    fn proceeds(&self, run: &Run, met: Option<&str>, runs_now: bool) {
        let mut state = self.state.lock();
        if let Some(partner) = met {
            state.wanted.meet(run.attributes.name, partner);
        }
        if runs_now {
            state.wanted.works(&run.attributes.name, &run.partner().identifier);
            state.note(run.event(EventKind::Started, None));
        }
        drop(state);
        self.host.channel_wanted();
    }

    fn note_fault(&self, run: &Run, fault: Option<LastError>) {
        let partner = run.partner();
        let mut state = self.state.lock();
        match fault {
            Some(fault) => state.wanted.note_error(run.attributes.name, fault, partner),
            None => state.wanted.works(&run.attributes.name, &partner.identifier),
        }
    }

    fn over(&self, run: &Arc<Run>) {
        let (end, stops_to, attributes, progress) = {
            let mut inner = run.inner.lock();
            let altered = inner.altered.take();
            let broken = || ChannelEnd::Failed {
                reason: Reason::CONNECTION_BROKEN,
                text: "the connection to the partner ended".to_owned(),
            };
            let attributes = altered.map_or_else(|| run.attributes.clone(), |altered| *altered);
            drop(inner.seat.take());
            let progress = inner.progress.clone();
            (inner.end.take().unwrap_or_else(broken), inner.stops_to, attributes, progress)
        };
        let now = self.world.clock.now();
        let chance = self.world.entropy.next_u64();
        let channel = run.attributes.name;
        let mut state = self.state.lock();
        state.runs.remove(&run.number);
        if let Some(tallied) = run.take_tally() {
            if state.tallies.len() == TALLIES_MAX {
                state.tallies.pop_front();
            }
            state.tallies.push_back(tallied);
        }
        if let ChannelPurpose::Ping { .. } = run.purpose {
            match stops_to {
                Some(standing) => state.wanted.settle(channel, standing),
                None => state.wanted.lend(channel, run.before),
            }
            if let Some(ping) = state.pings.get_mut(&run.number) {
                ping.end = Some(end);
            }
        } else {
            let totals = state.totals.entry(channel).or_default();
            totals.add(&progress);
            totals.ended = Some(now);
            let (kind, error) = state.conclude(run, &attributes, end, stops_to, (now, chance));
            let stopped = run.event(kind, error);
            state.note(stopped);
        }
        drop(state);
        self.host.channel_wanted();
    }
}

impl State {
    /// Settles the fate of the channel of an instance that is over; returns the event that reports it.
    fn conclude(
        &mut self,
        run: &Run,
        attributes: &ChannelAttributes,
        end: ChannelEnd,
        stops_to: Option<Standing>,
        (now, chance): (Monotonic, u64),
    ) -> (EventKind, Option<LastError>) {
        let channel = attributes.name;
        let partner = run.partner();
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
                    self.wanted.note_error(channel, error.clone(), partner);
                    MQRQ_CHANNEL_STOPPED_ERROR
                } else if attributes.kind.sends() {
                    let retries = (attributes.short_retry, attributes.long_retry);
                    match self.wanted.fail(channel, error.clone(), retries, now, chance) {
                        Standing::Retries(_) => {
                            self.totals.entry(channel).or_default().retries += 1;
                            MQRQ_CHANNEL_STOPPED_RETRY
                        }
                        _ => MQRQ_CHANNEL_STOPPED_DISABLED,
                    }
                } else {
                    // A requester is started by a command, and again by the next.
                    self.wanted.settle(channel, Standing::Inactive);
                    self.wanted.note_error(channel, error.clone(), partner);
                    MQRQ_CHANNEL_STOPPED_ERROR
                };
                (EventKind::Stopped(qualifier), Some(error))
            }
            ChannelEnd::Halted { reason, text } => {
                let error = LastError { reason, text };
                // The end that answers waits for its partner: that one was stopped, and a person starts it.
                let qualifier = if run.calls {
                    self.wanted.halt(channel, error.clone(), partner);
                    MQRQ_CHANNEL_STOPPED_DISABLED
                } else {
                    self.wanted.note_error(channel, error.clone(), partner);
                    MQRQ_CHANNEL_STOPPED_ERROR
                };
                (EventKind::Stopped(qualifier), Some(error))
            }
        }
    }
}
