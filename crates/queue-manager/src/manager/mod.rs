//! The queue manager as its host sees it: create, open, connect, drive, tick, end.

pub(crate) mod figures;
pub(crate) mod log;
pub(crate) mod units;

use std::fmt;
use std::sync::Arc;

use mqi::constants::{MQAT_CHANNEL_INITIATOR, MQCA_Q_MGR_IDENTIFIER};
use mqi::{PutApplicationType, QueueManagerName, Reason, Text};
use platform::sync::atomic::Ordering;
use platform::{Monotonic, WallTime, World};
use queues::counters::collecting::Noted;
use queues::gate::{BehindGate, Gated, Outcome};
use queues::ground::command_room::CommandRoom;
use queues::ground::host::{Host, Job};
use queues::ground::memory::ArrivingRoom;
use queues::ground::settings::{ADMINISTRATORS_KEPT, Quiesce, Settings};
use queues::message::context::Origin;
use security::{Asked, Identity, Object, Principal, Use};
use storage::{Durable, Storage};

use crate::Connection;
use crate::authority::Authority;
use crate::begun::Rest;
use crate::command::{Command, Response};
use crate::conversation::{ConnectRequest, Conversation};
use crate::engine::Engine;
use crate::instrumentation::Issuer;
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
        (self.0)(&queue_manager.engine().broker)
    }
}

impl fmt::Debug for QueueManager {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "QueueManager({})", self.engine.directory.name)
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
        let granted = match engine.directory.door.authorize(&request.principal, asked) {
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
            return Gated::free(Err(engine.directory.door.refuse(&request.principal, &asked)));
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
        let conversation = Conversation::new(&engine.directory, id, request, origin, is_of_program);
        conversations.insert(id, Arc::clone(&conversation));
        if !is_of_program {
            engine.uncounted.fetch_add(1, Ordering::Relaxed);
        }
        if !conversation.party.is_own() {
            engine.queues.collecting.note_connected(conversations.len());
        }
        drop(conversations);
        for old in old {
            engine.end_conversation(&old);
        }
        let need = granted.need();
        Gated::new(need, Ok(Connection::new(Arc::clone(engine), conversation, &granted)))
    }

    /// A way to the queue manager that does not keep it open: for what its host holds.
    pub fn weakly(&self) -> impl Fn() -> Option<Self> + Send + Sync + use<> {
        let engine = Arc::downgrade(&self.engine);
        move || engine.upgrade().map(|engine| Self { engine })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> QueueManagerName {
        self.engine.directory.name
    }

    /// The identifier of the queue manager, by which partners know it: another when it is made anew.
    #[must_use]
    pub fn identifier(&self) -> String {
        self.engine().directory.catalogue.manager().definition.text(MQCA_Q_MGR_IDENTIFIER)
    }

    /// Judges a request that its host carries out: to end the queue manager, or to tell its counters.
    pub fn authorize(&self, principal: &Principal, asked: &Asked<'_>) -> Outcome<()> {
        match self.engine.directory.door.authorize(principal, *asked) {
            Ok(granted) => Gated::new(granted.need(), Ok(())),
            Err((need, reason)) => Gated::new(need, Err(reason)),
        }
    }

    /// Tells if this user is shown an object, as DISPLAY would. Nothing is recorded: a row that is left
    /// out is no refusal. A change of the rules that is not durable yet shows nothing.
    #[must_use]
    pub fn may_display(&self, principal: &Principal, object: Object<'_>) -> bool {
        let judged = self
            .engine
            .directory
            .door
            .judge(principal, &Asked::new(object, Use::Command(security::Command::Display)));
        judged.verdict.is_ok() && judged.need <= self.durable().lsn()
    }

    /// Tells if this user is shown every object, as an administrator is, and each user before requests are
    /// judged.
    #[must_use]
    pub fn may_display_all(&self, principal: &Principal) -> bool {
        self.engine.directory.door.is_free(principal)
    }

    /// Executes an administration command of the program that has the queue manager in its process.
    pub fn execute(&self, command: &Command) -> Gated<Response> {
        self.execute_for(&Issuer::default(), command)
    }

    /// Executes an administration command of an issuer, by its rights.
    pub fn execute_for(&self, issuer: &Issuer, command: &Command) -> Gated<Response> {
        self.engine.execute(issuer, command)
    }

    /// The room for commands of a login's user, and for the answers to them.
    pub fn command_room(&self, principal: &Principal) -> Arc<CommandRoom> {
        self.engine.command_rooms.of(principal)
    }

    /// Leaves work as a [`Job`], behind those that wait already.
    pub fn leave(&self, work: impl FnOnce(&Self) + Send + 'static) {
        self.engine.leave_job(move |engine| work(&Self { engine: Arc::clone(engine) }));
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

    /// Work that may block; run it on a thread that may.
    #[must_use]
    pub fn take_job(&self) -> Option<Job> {
        self.engine.ground().jobs.take()
    }

    /// The time that never steps, for intervals of a channel.
    #[must_use]
    pub fn now(&self) -> Monotonic {
        self.engine().ground().now()
    }

    /// The time of day by the queue manager's clock.
    #[must_use]
    pub fn wall(&self) -> WallTime {
        self.engine.ground().world.clock.wall()
    }

    /// Housekeeping: timeouts of waits, expiry, checkpoints due (as jobs), long units of work. Returns when
    /// to call again at the latest.
    pub fn tick(&self) -> Monotonic {
        self.engine.tick()
    }

    /// Begins to end: new connections answer 2161 or 2162, waits are answered.
    pub fn quiesce(&self, how: Quiesce) {
        self.engine.quiesce(how);
    }

    /// Ends every connection, takes a last checkpoint and makes everything durable. What was durable stays so
    /// without it. Blocks.
    pub fn close(&self) {
        self.engine.close_down();
    }
}
