//! Instances of the channels of clients: server connections, and those of AMQP.
//!
//! Lives here: counting them against MAXINST and MAXINSTC, and ending them by command. Lives elsewhere: the
//! terms of a channel (`channels`), the connections themselves (`agents`).
//!
//! Always: a connection that comes by a channel holds an instance of it from its login to its end.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::Arc;

use mqi::ObjectName;
use mqi::constants::{MQIACH_MAX_INSTANCES, MQIACH_MAX_INSTS_PER_CLIENT};
use objects::{Definition, Moment, ObjectType};
use platform::sync::Mutex;
use platform::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use security::address::network_of;

use crate::channel_seats::{ChannelsFull, Seat, Seats};
use crate::message_channels::{
    ChannelTotals, ChannelTraffic, CompressionProgress, EncryptionNames, Substate,
};

/// Returns true for the types of channels that clients come by.
pub(crate) fn is_of_clients(object_type: ObjectType) -> bool {
    matches!(object_type, ObjectType::ServerConnectionChannel | ObjectType::AmqpChannel)
}

/// The instances of all channels.
pub(crate) struct Instances {
    seats: Arc<Seats>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u64,
    by_number: BTreeMap<u64, One>,
    /// The channels that were stopped by command: as many as are defined, at most.
    stopped: BTreeSet<ObjectName>,
    /// Of instances that are over: of as many channels as are defined, at most.
    totals: BTreeMap<ObjectName, ChannelTotals>,
}

struct One {
    state: InstanceState,
    source: Source,
    /// Its client is to have no other connection under its identifier.
    is_sole: bool,
    ends: Arc<AtomicBool>,
    told: Arc<Told>,
    _seat: Seat,
}

/// The place that counts for MAXINSTC: a network, or the word for a place of this machine.
#[derive(PartialEq, Eq)]
enum Source {
    Network(IpAddr),
    Local(Box<str>),
}

impl Source {
    fn of(address: &str) -> Self {
        address.parse().map_or_else(|_| Self::Local(address.into()), |it| Self::Network(network_of(it)))
    }
}

/// The facts that a connection tells at each turn, without a lock.
#[derive(Default)]
struct Told {
    bytes_sent: AtomicU64,
    bytes_received: AtomicU64,
    writes: AtomicU64,
    reads: AtomicU64,
    messages: AtomicU64,
    /// A place in the list of substates.
    substate: AtomicU32,
}

/// The progress of a client's connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientProgress {
    /// Its bytes.
    pub traffic: ChannelTraffic,
    /// Calls of a program and messages that read-ahead brought it; of an AMQP client, messages either way.
    pub messages: u64,
    /// The step that is under way.
    pub substate: Substate,
}

/// The state of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InstanceState {
    /// The channel.
    pub channel: ObjectName,
    /// The type of the channel.
    pub object_type: ObjectType,
    /// The identifier of an AMQP client.
    pub client: Box<str>,
    /// AMQPKA of its channel, as that is defined.
    pub silence_seconds_max: Option<i32>,
    /// The address that the client comes from, without its port.
    pub address: Box<str>,
    /// The user that acts.
    pub user: Box<str>,
    /// The program at the other end.
    pub application: Box<str>,
    /// The compression of its connection.
    pub compression: CompressionProgress,
    /// The encryption of its connection.
    pub encryption: EncryptionNames,
    /// The progress of its connection.
    pub progress: ClientProgress,
    /// About when the last message or call came.
    pub last_message: Option<Moment>,
    /// The time at which it began.
    pub began: Moment,
}

/// The reason why a channel takes no more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Busy {
    /// A command stopped the channel.
    #[error("the channel {0} is stopped: START CHANNEL lets programs come by it again")]
    Stopped(ObjectName),
    /// A client under the same identifier is connected, and one of the two is to be alone.
    #[error("a client \"{client}\" is connected already: end it, or choose another identifier")]
    Client {
        /// The identifier.
        client: Box<str>,
    },
    /// As many as MAXINST are there.
    #[error("the channel {channel} has {most} instances, and MAXINST allows no more: try again later")]
    Instances {
        /// The channel.
        channel: ObjectName,
        /// MAXINST.
        most: u32,
    },
    /// As many as MAXINSTC are there from the same address.
    #[error(
        "the channel {channel} has {most} instances from {address}, and MAXINSTC allows no more: try again later"
    )]
    OfClient {
        /// The channel.
        channel: ObjectName,
        /// The address.
        address: Box<str>,
        /// MAXINSTC.
        most: u32,
    },
    /// As many channels of any type are there as may be.
    #[error("{0}")]
    Full(ChannelsFull),
}

/// An instance that a connection holds. It is over when this is dropped.
pub struct ChannelInstance {
    instances: Arc<Instances>,
    number: u64,
    ends: Arc<AtomicBool>,
    told: Arc<Told>,
    /// The messages there were when their time was last told.
    timed: u64,
}

impl One {
    fn add_to(&self, totals: &mut ChannelTotals) {
        let ClientProgress { traffic, messages, .. } = self.told.progress();
        totals.add_traffic(&traffic, messages, &self.state.compression, self.state.last_message);
    }
}

impl Told {
    fn progress(&self) -> ClientProgress {
        let load = |figure: &AtomicU64| figure.load(Ordering::Relaxed);
        let traffic = ChannelTraffic {
            bytes_sent: load(&self.bytes_sent),
            bytes_received: load(&self.bytes_received),
            writes: load(&self.writes),
            reads: load(&self.reads),
        };
        let substate = Substate::at(self.substate.load(Ordering::Relaxed));
        ClientProgress { traffic, messages: load(&self.messages), substate }
    }
}

impl ChannelInstance {
    /// Returns true once the instance was ended by command.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.ends.load(Ordering::Acquire)
    }

    /// Tells the displays of the compression of its connection.
    pub fn tell_compression(&self, compression: &CompressionProgress) {
        if let Some(one) = self.instances.state.lock().by_number.get_mut(&self.number) {
            one.state.compression = *compression;
        }
    }

    /// Tells the displays of the progress of its connection.
    pub fn tell(&self, progress: &ClientProgress) {
        let ClientProgress { traffic, messages, substate } = *progress;
        let told = &self.told;
        told.bytes_sent.store(traffic.bytes_sent, Ordering::Relaxed);
        told.bytes_received.store(traffic.bytes_received, Ordering::Relaxed);
        told.writes.store(traffic.writes, Ordering::Relaxed);
        told.reads.store(traffic.reads, Ordering::Relaxed);
        told.messages.store(messages, Ordering::Relaxed);
        told.substate.store(substate as u32, Ordering::Relaxed);
    }

    /// As time passes: notes the time of the messages that came since the last call. So no message reads the
    /// clock for it.
    pub fn note_time(&mut self, now: impl FnOnce() -> Moment) {
        let messages = self.told.messages.load(Ordering::Relaxed);
        if std::mem::replace(&mut self.timed, messages) == messages {
            return;
        }
        if let Some(one) = self.instances.state.lock().by_number.get_mut(&self.number) {
            one.state.last_message = Some(now());
        }
    }

    /// Keeps the client of an AMQP connection the only one under its identifier from now on.
    ///
    /// # Errors
    /// When another is there that came before it.
    pub fn stay_alone(&self) -> Result<(), Busy> {
        let mut state = self.instances.state.lock();
        let Some(one) = state.by_number.get(&self.number) else { return Ok(()) };
        let client = one.state.client.clone();
        let mut others = state.by_number.range(..self.number).map(|(_, other)| other);
        if !client.is_empty() && others.any(|other| other.state.client == client) {
            return Err(Busy::Client { client });
        }
        if let Some(one) = state.by_number.get_mut(&self.number) {
            one.is_sole = true;
        }
        Ok(())
    }
}

impl Drop for ChannelInstance {
    fn drop(&mut self) {
        let mut state = self.instances.state.lock();
        if let Some(over) = state.by_number.remove(&self.number) {
            let totals = state.totals.entry(over.state.channel).or_default();
            over.add_to(totals);
        }
    }
}

impl Instances {
    pub(crate) fn new(seats: Arc<Seats>) -> Self {
        Self { seats, state: Mutex::default() }
    }

    /// Begins an instance, as far as the definition of its channel allows, and as there are seats while so
    /// many message channels retry or are stopped.
    pub(crate) fn begin(
        self: &Arc<Self>,
        instance: InstanceState,
        definition: &Definition,
        held: usize,
    ) -> Result<ChannelInstance, Busy> {
        let most = |selector| u32::try_from(definition.integer(selector)).unwrap_or(u32::MAX);
        let mut state = self.state.lock();
        let channel = instance.channel;
        if state.stopped.contains(&channel) {
            return Err(Busy::Stopped(channel));
        }
        let of_channel = || state.by_number.values().filter(|one| one.state.channel == channel);
        let all = most(MQIACH_MAX_INSTANCES);
        let of_client = match instance.object_type {
            ObjectType::AmqpChannel => u32::MAX,
            _ => most(MQIACH_MAX_INSTS_PER_CLIENT),
        };
        if of_channel().count() >= all as usize {
            return Err(Busy::Instances { channel, most: all });
        }
        let source = Source::of(&instance.address);
        let from_there = of_channel().filter(|one| one.source == source).count();
        if from_there >= of_client as usize {
            return Err(Busy::OfClient { channel, address: instance.address, most: of_client });
        }
        let is_taken = |one: &One| one.is_sole && one.state.client == instance.client;
        if !instance.client.is_empty() && state.by_number.values().any(is_taken) {
            return Err(Busy::Client { client: instance.client });
        }
        let seat = self.seats.take(held).map_err(Busy::Full)?;
        state.last += 1;
        let (number, ends) = (state.last, Arc::new(AtomicBool::new(false)));
        let told = Arc::<Told>::default();
        let (for_one, also_told) = (Arc::clone(&ends), Arc::clone(&told));
        let one =
            One { state: instance, source, is_sole: false, ends: for_one, told: also_told, _seat: seat };
        state.by_number.insert(number, one);
        Ok(ChannelInstance { instances: Arc::clone(self), number, ends, told, timed: 0 })
    }

    /// Lets programs come by a channel again.
    pub(crate) fn open(&self, channel: &ObjectName) {
        let mut state = self.state.lock();
        state.stopped.remove(channel);
        self.seats.note_clients_stopped(state.stopped.len());
    }

    /// The definition of a channel is gone.
    pub(crate) fn forget(&self, channel: &ObjectName) {
        self.state.lock().totals.remove(channel);
    }

    /// The figures of each channel that had an instance since the start, and the channels that are stopped.
    pub(crate) fn totals(&self) -> (BTreeMap<ObjectName, ChannelTotals>, BTreeSet<ObjectName>) {
        // Under one lock: an instance that ends meanwhile counts once.
        let state = self.state.lock();
        let mut totals = state.totals.clone();
        for one in state.by_number.values() {
            one.add_to(totals.entry(one.state.channel).or_default());
        }
        (totals, state.stopped.clone())
    }

    /// Ends the instances of a channel, or those from one address; how many. Unless it stays open, no more
    /// come by it.
    pub(crate) fn stop(&self, channel: &ObjectName, stays_open: bool, address: Option<&str>) -> usize {
        let mut state = self.state.lock();
        if !stays_open && address.is_none() {
            state.stopped.insert(*channel);
            self.seats.note_clients_stopped(state.stopped.len());
        }
        let is_meant = |one: &&One| {
            one.state.channel == *channel && address.is_none_or(|address| *one.state.address == *address)
        };
        let meant = state.by_number.values().filter(is_meant);
        meant.map(|one| one.ends.store(true, Ordering::Release)).count()
    }

    /// The state of each, and true for those that are ending.
    pub(crate) fn states(&self) -> Vec<(u64, InstanceState, bool)> {
        let state = self.state.lock();
        let told = |(number, one): (&u64, &One)| {
            let shown = InstanceState { progress: one.told.progress(), ..one.state.clone() };
            (*number, shown, one.ends.load(Ordering::Acquire))
        };
        state.by_number.iter().map(told).collect()
    }
}
