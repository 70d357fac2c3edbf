//! The queue manager as its host sees it: create, open, connect, drive, tick, end.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use mqi::constants::MQAT_CHANNEL_INITIATOR;
use mqi::{ObjectName, PutApplicationType, QueueManagerName, Reason, Text};
use platform::sync::atomic::Ordering;
use platform::{Monotonic, WallTime, World};
use queues::counters::collecting::Noted;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::command_room::CommandRoom;
use queues::ground::growth::Growth;
use queues::ground::host::{Host, Job};
use queues::ground::memory::ArrivingRoom;
use queues::ground::settings::{ADMINISTRATORS_KEPT, Quiesce, Settings};
use queues::message::context::Origin;
use queues::queue::status::QueueCounters;
use queues::state_objects::ChannelState;
use queues::unit_of_work::prepared::{Decision, NotResolved, PreparedUnit, Settled};
use security::{Asked, Identity, Object, Principal, Use};
use storage::{Durable, Lsn, ObjectId, ResolvedBranch, Storage, SyncObject, UnitId};

use crate::Connection;
use crate::authority::Authority;
use crate::begun::Rest;
use crate::catalogue::topic_counts::TopicsWatched;
use crate::command::live::Overview;
use crate::command::{Command, Response};
use crate::conversation::{ConnectRequest, Conversation};
use crate::engine::Engine;
use crate::instrumentation::Issuer;
use crate::publishing::retained;
use crate::reports::traced::Tracer;
use crate::restart::{self, StartError};

/// The kinds of callers that connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConnectKind {
    Program,
    /// A session of an AMQP client.
    Amqp,
    /// A part of the process, as the queue manager itself.
    Own,
    /// A part of the process, as a program.
    CommandServer,
    /// The agent of a message channel.
    Channel,
}

/// Why a queue manager could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CreateError {
    /// Its files could not be made.
    #[error(transparent)]
    Storage(#[from] storage::OpenError),
}

/// One queue manager. Cheap to clone; all clones are the same queue manager.
#[derive(Clone)]
pub struct QueueManager {
    engine: Arc<Engine>,
}

/// Room for a message that begins to come, of which nothing is taken.
#[must_use]
pub fn arriving_room(queue_manager: &QueueManager) -> ArrivingRoom {
    queue_manager.engine.ground().memory.arriving()
}

impl<T> Rest<T> {
    /// Does the rest of the call. Blocks on the disk.
    pub fn finish(self, queue_manager: &QueueManager) -> Outcome<T> {
        (self.0)(queue_manager.engine())
    }
}

impl fmt::Debug for QueueManager {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "QueueManager({})", self.engine.name)
    }
}

impl QueueManager {
    /// Makes a new queue manager's files. Its system objects are made when it is first opened.
    pub fn create(world: &World, settings: &Settings) -> Result<(), CreateError> {
        Ok(Storage::create(world, &settings.storage)?)
    }

    /// Opens an existing one: takes the directory's lock, restarts from the log, is ready for connections.
    pub fn open(world: World, settings: Settings, host: Arc<dyn Host>) -> Result<Self, StartError> {
        Ok(Self { engine: restart::open(world, settings, host, None)? })
    }

    /// Opens a queue manager whose requests are judged by rules.
    pub fn open_judged(
        world: World,
        settings: Settings,
        host: Arc<dyn Host>,
        authority: Arc<dyn Authority>,
    ) -> Result<Self, StartError> {
        Ok(Self { engine: restart::open(world, settings, host, Some(authority))? })
    }

    /// The things of a kind that a user made and that are still there; without a user, those of all.
    pub fn growth(&self, growth: Growth, maker: Option<&str>) -> u64 {
        self.engine.catalogue.ledger.count(growth, maker)
    }

    /// MQCONN. The last commit number of a returning client instance is in the connection (`last_commit`).
    pub fn connect(&self, request: ConnectRequest) -> Outcome<Connection> {
        self.connect_as(request, ConnectKind::Program)
    }

    /// Connects a part of the queue manager's process, which alone publishes the queue manager's reports
    /// about itself.
    pub fn connect_own(&self, request: ConnectRequest) -> Outcome<Connection> {
        self.connect_as(request, ConnectKind::Own)
    }

    /// Connects a session of an AMQP client; its messages carry that origin.
    pub fn connect_amqp(&self, request: ConnectRequest) -> Outcome<Connection> {
        self.connect_as(request, ConnectKind::Amqp)
    }

    /// Connects the command server: it is a program like any other, but does not count against the limit of
    /// connections.
    pub fn connect_command_server(&self, request: ConnectRequest) -> Outcome<Connection> {
        self.connect_as(request, ConnectKind::CommandServer)
    }

    pub(crate) fn connect_as(&self, request: ConnectRequest, kind: ConnectKind) -> Outcome<Connection> {
        let connected = self.connect_unnoted(request, kind);
        if connected.value().is_err() {
            self.engine.queues.collecting.note(Noted::NotConnected, 1);
        }
        connected
    }

    fn connect_unnoted(&self, request: ConnectRequest, kind: ConnectKind) -> Outcome<Connection> {
        let engine = &self.engine;
        if let Err(reason) = engine.ground().quiescing(true) {
            return Gated::free(Err(reason));
        }
        let asked = Asked::new(Object::MANAGER, Use::Connect);
        let granted = match engine.door.authorize(&request.principal, asked) {
            Ok(granted) => granted,
            Err((need, reason)) => return Gated::new(need, Err(reason)),
        };
        let origin = Origin {
            user: request.principal.short_name(),
            application: Text::truncated(&request.application),
            application_type: match kind {
                ConnectKind::Own => PutApplicationType::QMGR,
                ConnectKind::Amqp => PutApplicationType::AMQP,
                ConnectKind::Program | ConnectKind::CommandServer => PutApplicationType::UNIX,
                ConnectKind::Channel => PutApplicationType(MQAT_CHANNEL_INITIATOR),
            },
        };
        let mut conversations = engine.conversations.lock();
        // Found and entered under one lock, so that of two that return at once the newer stays.
        let old = Conversation::of_instance(&conversations, &request.instance);
        let may_end = |old: &Arc<Conversation>| {
            let (user, channel) = (&request.principal, request.channel);
            old.is_of(user, channel) || kind == ConnectKind::Channel && old.yields_to(user, channel)
        };
        if !old.iter().all(may_end) {
            drop(conversations);
            return Gated::free(Err(engine.door.refuse(&request.principal, &asked)));
        }
        if old.iter().any(|old| old.generation >= request.generation) {
            return Gated::free(Err(Reason::CONNECTION_BROKEN));
        }
        let is_of_program = matches!(kind, ConnectKind::Program | ConnectKind::Amqp);
        let uncounted = engine.uncounted.load(Ordering::Relaxed);
        let is_local_administrator =
            request.principal.is_administrator() && request.principal.identity() == Identity::Kernel;
        let kept = if is_local_administrator { ADMINISTRATORS_KEPT } else { 0 };
        let connections_max = engine.ground().settings.connections_max as usize + kept;
        if is_of_program && conversations.len() - old.len() - uncounted >= connections_max {
            return Gated::free(Err(Reason::MAX_CONNS_LIMIT_REACHED));
        }
        let id = engine.next_connection.fetch_add(1, Ordering::Relaxed);
        let conversation = Conversation::new(engine, id, request, origin, is_of_program);
        conversations.insert(id, Arc::clone(&conversation));
        if !is_of_program {
            engine.uncounted.fetch_add(1, Ordering::Relaxed);
        }
        if !conversation.party.is_own() {
            engine.queues.collecting.note_connected(conversations.len());
        }
        drop(conversations);
        for old in old {
            old.end(engine);
        }
        let need = granted.need();
        Gated::new(need, Ok(Connection::new(Arc::clone(engine), conversation, &granted)))
    }

    /// Returns true if a client instance is in use by another user, or by another channel, which it belongs
    /// to.
    #[must_use]
    pub fn is_instance_of_another(
        &self,
        instance: &[u8; 16],
        principal: &Principal,
        channel: ObjectName,
    ) -> bool {
        let conversations = self.engine.conversations.lock();
        let old = Conversation::of_instance(&conversations, instance);
        old.iter().any(|old| !old.is_of(principal, channel))
    }

    /// A way to the queue manager that does not keep it open: for what its host holds.
    pub fn weakly(&self) -> impl Fn() -> Option<Self> + Send + Sync + use<> {
        let engine = Arc::downgrade(&self.engine);
        move || engine.upgrade().map(|engine| Self { engine })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> QueueManagerName {
        self.engine.name
    }

    /// Judges a request that its host carries out: to end the queue manager, or to tell its counters.
    pub fn authorize(&self, principal: &Principal, asked: &Asked<'_>) -> Outcome<()> {
        match self.engine.door.authorize(principal, *asked) {
            Ok(granted) => Gated::new(granted.need(), Ok(())),
            Err((need, reason)) => Gated::new(need, Err(reason)),
        }
    }

    /// Tells if this user is shown an object, as DISPLAY would. Nothing is recorded: a row that is left
    /// out is no refusal. A change of the rules that is not durable yet shows nothing.
    #[must_use]
    pub fn may_display(&self, principal: &Principal, object: Object<'_>) -> bool {
        let judged =
            self.engine.door.judge(principal, &Asked::new(object, Use::Command(security::Command::Display)));
        judged.verdict.is_ok() && judged.need <= self.durable().lsn()
    }

    /// Tells if this user is shown every object, as an administrator is, and each user before requests are
    /// judged.
    #[must_use]
    pub fn may_display_all(&self, principal: &Principal) -> bool {
        self.engine.door.is_free(principal)
    }

    /// Judges logins over loopback and requests from now on, for good: there is a user or a key. Does nothing
    /// when they are judged already.
    pub fn begin_judging(&self) -> Outcome<()> {
        self.engine.begin_judging()
    }

    /// Tells if logins over loopback and requests are judged: there was a user, a key or an authority record.
    #[must_use]
    pub fn is_judging(&self) -> bool {
        self.engine.door.is_judging()
    }

    /// Follows a change of the groups of users, also one since the last run.
    pub fn groups_changed(&self) {
        self.engine.groups_changed();
    }

    /// The position of the last change of the rules that judge requests.
    #[must_use]
    pub fn rights_need(&self) -> Lsn {
        self.engine.door.book.rules().need()
    }

    /// Executes an administration command of the program that has the queue manager in its process.
    pub fn execute(&self, command: &Command) -> Gated<Response> {
        self.execute_for(&Issuer::default(), command)
    }

    /// Executes an administration command of an issuer, by its rights.
    pub fn execute_for(&self, issuer: &Issuer, command: &Command) -> Gated<Response> {
        self.engine.execute(issuer, command)
    }

    /// Starts the listeners that start with the queue manager. Returns the names of those that cannot, with
    /// the reason. Blocks.
    pub fn start_listeners(&self) -> Vec<(ObjectName, String)> {
        self.engine.start_listeners()
    }

    /// The units of work that are prepared and wait for a decision, oldest first.
    pub fn prepared_units(&self) -> Gated<Vec<PreparedUnit>> {
        self.engine.queues.prepared_units()
    }

    /// Ends a branch that is prepared, as its coordinator decides; 2255 when none of this name is, or no
    /// more. It is told if a person decided before.
    pub fn settle(&self, name: UnitId, decision: Decision) -> Outcome<Settled> {
        self.engine.queues.settle(name, decision)
    }

    /// Ends a batch of a message channel that is prepared: a call of the channel alone, which moves its
    /// numbers. No command and no protocol leads here.
    pub fn settle_batch(&self, name: UnitId, decision: Decision) -> Outcome<()> {
        self.engine.queues.settle_batch(name, decision)
    }

    /// Backs out the batches of a message channel from this one on, newest first: its partner takes none of
    /// them.
    pub fn back_out_batches(&self, object: ObjectId, from: u64) {
        self.engine.back_out_batches(object, from);
    }

    /// Ends a branch that is prepared as a person decides. It is remembered until it is forgotten.
    pub fn resolve_by_hand(
        &self,
        name: UnitId,
        decision: Decision,
        by: &str,
    ) -> Gated<Result<(), NotResolved>> {
        let new_identifier = || self.engine.catalogue.new_identifier();
        self.engine.queues.resolve_by_hand(name, decision, by, "", new_identifier)
    }

    /// The branches that administrators decided and have not forgotten, in the order of the decisions.
    pub fn resolved_by_hand(&self) -> Gated<Vec<ResolvedBranch>> {
        self.engine.queues.resolved_by_hand()
    }

    /// Defines the state that a message channel keeps towards a partner: of an object that is there, with the
    /// state that the caller has read, or a new one. 2041 where another connection of the channel changed it.
    pub fn define_channel_state(
        &self,
        known: Option<(ObjectId, &SyncObject)>,
        sync: SyncObject,
    ) -> Outcome<ObjectId> {
        self.engine.define_sync(known, sync)
    }

    /// Defines the state of a message channel that begins a line, with the number before its first message.
    pub fn begin_channel_line(
        &self,
        known: Option<(ObjectId, &SyncObject)>,
        sync: SyncObject,
        before_first: u32,
    ) -> Outcome<ObjectId> {
        self.engine.begin_line(known, sync, before_first)
    }

    /// Forgets the state of a message channel; 2042 while a batch of it is in doubt.
    pub fn forget_channel_state(&self, object: ObjectId) -> Outcome<()> {
        self.engine.forget_sync(object)
    }

    /// The state of every message channel.
    pub fn channel_states(&self) -> Gated<Vec<ChannelState>> {
        self.engine.channel_states()
    }

    /// The room for commands of a login's user, and for the answers to them.
    pub fn command_room(&self, principal: &Principal) -> Arc<CommandRoom> {
        self.engine.command_rooms.of(principal)
    }

    /// Leaves work as a [`Job`], behind those that wait already.
    pub fn leave(&self, work: impl FnOnce(&Self) + Send + 'static) {
        self.engine.leave_job(move |engine| work(&Self { engine: Arc::clone(engine) }));
    }

    /// The queue manager as its channels tell activities of it.
    pub fn tracer(&self) -> Tracer {
        Tracer(Arc::clone(&self.engine))
    }

    pub(crate) const fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// Proof of how far the log is durable: what opens gates.
    #[must_use]
    pub fn durable(&self) -> Durable {
        #[cfg(feature = "planted")]
        if let Some(untrue) = queues::planted::durable(&self.engine.ground().storage) {
            return untrue;
        }
        self.engine.ground().storage.durable()
    }

    /// Writes one block of the log if one waits and no other thread is writing.
    pub fn drive(&self) -> Durable {
        let durable = self.engine.ground().storage.drive();
        self.engine.watch_the_log();
        durable
    }

    /// True if records wait to be driven.
    #[must_use]
    pub fn log_waits(&self) -> bool {
        self.engine.ground().log_waits()
    }

    /// Says how long forces of the log have taken lately. Where they take long, a put may wait some
    /// microseconds for a getter that is about to come ([`Connection::expects_getter`]).
    pub fn forces_take(&self, recent: Duration) {
        self.engine.queues.forces_take(recent);
    }

    /// True if a put may wait for a getter: a force takes long, and nobody else waits for one.
    #[must_use]
    pub fn waits_for_getters(&self) -> bool {
        self.engine.queues.waits_for_getters()
    }

    /// Counts of the log and the store, and their present state.
    #[must_use]
    pub fn storage_statistics(&self) -> storage::Statistics {
        self.engine.ground().storage.statistics()
    }

    /// The number of messages on local queues that this start found, before it put any of its own.
    #[must_use]
    pub fn messages_found(&self) -> u64 {
        self.engine.messages_found.load(Ordering::Relaxed)
    }

    /// The number of messages on local queues that end with the process, those of open units of work
    /// included. Retained publications are left out: they are the last words of topics, and most are
    /// published again by each start.
    #[must_use]
    pub fn messages_not_persistent(&self) -> u64 {
        let queues = self.engine.queues.all();
        let counted = queues.iter().filter(|queue| queue.name.as_str() != retained::QUEUE);
        counted.map(|queue| u64::from(queue.not_persistent())).sum()
    }

    /// Use counts of each local queue.
    #[must_use]
    pub fn queue_counters(&self) -> Vec<(ObjectName, QueueCounters)> {
        self.engine.queues.all().iter().map(|queue| (queue.name, queue.counters())).collect()
    }

    /// Bytes of message bodies in memory, and what goes with them.
    #[must_use]
    pub fn memory_used(&self) -> u64 {
        self.engine.ground().memory.used()
    }

    /// Work that may block; run it on a thread that may.
    #[must_use]
    pub fn take_job(&self) -> Option<Job> {
        self.engine.ground().jobs.take()
    }

    /// True if calls that put persistent messages had better be made a moment later: the log runs short of
    /// room and a checkpoint is about to make some. Calls that need no log, gets, commits and backouts need
    /// not wait.
    #[must_use]
    pub fn paces(&self) -> bool {
        self.engine.paces()
    }

    /// The time of day by the queue manager's clock.
    #[must_use]
    pub fn wall(&self) -> WallTime {
        self.engine.ground().world.clock.wall()
    }

    /// Housekeeping: timeouts of waits, expiry, checkpoints due (as jobs), long units of work. Returns when to
    /// call again at the latest.
    pub fn tick(&self) -> Monotonic {
        self.engine.tick()
    }

    /// Looks at the files that are open; true when a start would find them. Files that were taken away are
    /// the failure of the log: nothing persistent is acknowledged after this has returned false.
    pub fn holds_its_files(&self) -> bool {
        self.engine.ground().storage.look_at_files().is_ok()
    }

    /// Begins to end: new connections answer 2161 or 2162, waits are answered.
    pub fn quiesce(&self, how: Quiesce) {
        self.engine.quiesce(how);
    }

    /// Counts the calls of all programs from now on for [`Self::call_counts`], or does so no more.
    pub fn watch_calls(&self, is_watched: bool) {
        self.engine.watch_calls(is_watched);
    }

    /// Counts of the calls of all programs, where they are counted; with `deliveries` also of the
    /// publications that subscriptions were given, which looks at each subscription. With `takes_marks` the
    /// most and the fewest since the call before, which begin anew; else the numbers of now in their place.
    #[must_use]
    pub fn call_counts(&self, deliveries: bool, takes_marks: bool) -> figures::Calls {
        self.engine.call_counts(deliveries, takes_marks)
    }

    /// Counts and measures these queues from now on for [`Self::queue_figures`], and others no more.
    pub fn watch_queues(&self, names: &BTreeSet<ObjectName>) {
        self.engine.watch_queues(names);
    }

    /// Keeps the counts of these topics from now on, and shows them and these subscriptions in
    /// [`Self::overview`]. Once, when the queue manager starts.
    pub fn watch_topics(&self, watched: TopicsWatched) {
        self.engine.catalogue.topic_counts().watch(watched);
    }

    /// The figures of these queues, without those that do not exist.
    #[must_use]
    pub fn queue_figures(&self, names: &BTreeSet<ObjectName>) -> BTreeMap<ObjectName, figures::Queue> {
        self.engine.queue_figures(names)
    }

    /// Looks at queues, channels and units of work at one moment.
    pub fn overview(&self) -> Gated<Overview> {
        self.engine.overview()
    }

    /// The time at which the write of the log began that is under way, if one is. Waits for no lock.
    #[must_use]
    pub fn force_under_way(&self) -> Option<Monotonic> {
        self.engine.ground().storage.force_under_way()
    }

    /// The names of the local queues.
    #[must_use]
    pub fn queue_names(&self) -> Vec<ObjectName> {
        self.engine.queues.all().iter().map(|queue| queue.name).collect()
    }

    /// State of the recovery log.
    #[must_use]
    pub fn log_state(&self) -> storage::LogState {
        self.engine.ground().storage.log_state()
    }

    /// Bytes of the log needed to bring each image to the present state; none without images. Reads the disk.
    #[must_use]
    pub fn media_log_bytes(&self) -> Option<u64> {
        let from = self.engine.media_log_from()?;
        Some(self.engine.ground().storage.log_state().end.0.saturating_sub(from.0))
    }

    /// True if a topic has any subscription. The answer may rest on records that are not durable: its only
    /// effect outside is a publication, which waits for them.
    #[must_use]
    pub fn is_subscribed(&self, topic: &str) -> bool {
        let topic = topic::TopicString::new(topic);
        topic.is_ok_and(|topic| !self.engine.catalogue.topics().tree.subscribers(&topic).is_empty())
    }

    /// Number of connections that are still there.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.engine.conversations.lock().len()
    }

    /// Ends every connection, takes a last checkpoint and makes everything durable. What was durable stays so
    /// without it. Blocks.
    pub fn close(&self) {
        self.engine.close_down();
    }
}
