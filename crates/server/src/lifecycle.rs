//! From start to end: [`Server`], a queue manager that runs in this process and serves connections.
//!
//! Lives here: the order in which things are opened; `keeper` closes them. `threads` are the threads besides
//! the reactors, `serving` what a reactor does, `process` what only a process of its own needs (signals,
//! panics).
//!
//! Always: the engine is open before the first connection is served, and closed after the last one is gone.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use identity::UsersFile;
use mqi::QueueManagerName;
use objects::messages::{
    FEW_FILES, FOLDER_OF_OTHERS, KEYS_NOT_READ, LISTENER_START_FAILED, LISTENING, NO_LOCAL_GROUP,
    NO_LOCAL_SOCKET, QUEUE_MANAGER_STARTED, START_REFUSED, UNEXPECTED_END, VARIABLE_WITHOUT_EFFECT,
};
use platform::sync::atomic::Ordering;
use platform::{Clock, Disk, World, os::OsClock};
use queue_manager::{ChannelWays, QueueManager};
use transport::{BindError, Bound, Listener, ListenerId, Reactor};

use crate::audit::Audit;
use crate::board::Board;
use crate::channels::Names;
use crate::configuration::{self, Configuration, ListenerTls, ServiceAddress};
use crate::control::{ControlCommand, Keeping, Standing};
use crate::counted::Counting;
use crate::covers::{self, ListenerCovers, TlsError};
use crate::directory::{DataDirectory, Folder};
use crate::driving::Driving;
use crate::embedded::Waiting;
use crate::ending::{Ending, Mode, Phase};
use crate::errors::{self, ErrorLog};
use crate::exposure::{Exposed, Exposure};
use crate::files::{self, Room};
use crate::foreign;
use crate::gathering::CommitDelay;
use crate::health::{Health, Probes, Service, ServiceError};
use crate::host::{self, Seen, ServerHost};
use crate::ini::environment;
use crate::instances::{self, Instance};
use crate::keeper::Keeper;
use crate::listeners::Accepting;
use crate::local_group;
use crate::logins::{Files, LoginDesk};
use crate::places;
use crate::revocations::Revocations;
use crate::running::{Notes, Running, State, UnexpectedEnd, separated};
use crate::serving::{Common, Serving};
use crate::threads::Threads;

/// Options for starting a queue manager.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it lives.
    pub data: DataDirectory,
    /// Its name.
    pub name: QueueManagerName,
    /// Where to listen, instead of what its settings say.
    pub addresses: Option<Vec<SocketAddr>>,
    /// Serves the local socket if true, in place of its settings.
    pub local_socket: Option<bool>,
    /// True if a failure of the log ends the process, as it must when the process is the queue manager's own.
    pub ends_process: bool,
    /// Where to answer health, instead of what its settings say.
    pub health: Option<ServiceAddress>,
    /// Where its control process listens, instead of what its settings say.
    pub http: Option<ServiceAddress>,
    /// The command that runs its control process; without one there is none.
    pub control: Option<ControlCommand>,
    /// True to listen beyond loopback without the protection that requires.
    pub insecure: bool,
    /// True to listen on no address, and to start neither listeners of definitions nor channels: only
    /// programs of this machine connect, until commands start what is wanted.
    pub local_only: bool,
    /// Disk of its files, in place of its folder on this machine: one that misbehaves, for tests.
    pub disk: Option<Arc<dyn Disk>>,
    /// Names of partners, in place of those that the system knows.
    pub names: Option<Arc<dyn Names>>,
}

impl Options {
    /// With everything as its settings say, in a process that has other things to do as well.
    #[must_use]
    pub fn new(data: DataDirectory, name: QueueManagerName) -> Self {
        Self {
            data,
            name,
            addresses: None,
            local_socket: None,
            ends_process: false,
            health: None,
            http: None,
            control: None,
            insecure: false,
            local_only: false,
            disk: None,
            names: None,
        }
    }
}

/// Why a queue manager does not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The queue manager is absent, or runs already.
    #[error(transparent)]
    Instance(#[from] instances::Error),
    /// Its settings are wrong.
    #[error(transparent)]
    Configuration(#[from] configuration::Error),
    /// A setting that the environment gives is wrong.
    #[error(transparent)]
    Environment(#[from] environment::Unusable),
    /// Its log or store is elsewhere than its settings say.
    #[error(transparent)]
    Misplaced(#[from] places::Misplaced),
    /// Other machines reach an address, and it is not ready for them.
    #[error(transparent)]
    Exposed(#[from] Exposed),
    /// It cannot listen.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Its listeners are to have TLS, and there are no keys for it.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Its files cannot be opened.
    #[error(transparent)]
    Engine(#[from] queue_manager::StartError),
    /// The system refused something else.
    #[error("cannot {what}: {source}")]
    Io {
        /// The action that failed.
        what: String,
        /// The error of the system.
        source: std::io::Error,
    },
}

impl StartError {
    /// The address whose port another program has, if that is the reason.
    #[must_use]
    pub fn taken(&self) -> Option<SocketAddr> {
        match self {
            Self::Bind(BindError::PortInUse(address)) => Some(*address),
            _ => None,
        }
    }
}

impl From<ServiceError> for StartError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Bind(error) => error.into(),
            ServiceError::System { what, source } => Self::Io { what: what.to_owned(), source },
        }
    }
}

fn refused(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> StartError {
    move |source| StartError::Io { what: what.into(), source }
}

/// A queue manager that runs in this process.
pub struct Server {
    queue_manager: QueueManager,
    listens: Vec<Bound>,
    listeners: BTreeMap<String, String>,
    failed_listeners: BTreeMap<String, String>,
    few_files: Option<String>,
    ready_after: Duration,
    errors: ErrorLog,
    waiting: Arc<Waiting>,
    ending: Arc<Ending>,
    health: Option<SocketAddr>,
    watched: Arc<Health>,
    board: Arc<Board>,
    keeper: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts it. Ready for connections when this returns.
    ///
    /// # Errors
    /// When there is none, it runs already, its settings or files are not right, or a port is taken. Nothing
    /// is left running then.
    pub fn start(options: &Options) -> Result<Self, StartError> {
        Self::start_with(options, Arc::default())
    }

    /// Starts for a caller that may ask it to end before it has started.
    pub(crate) fn start_with(options: &Options, ending: Arc<Ending>) -> Result<Self, StartError> {
        let began = Instant::now();
        let Instance { folder, running } = instances::find(&options.data, &options.name)?;
        let is_free = |running: Option<Running>| match running {
            Some(Running { process, .. }) => Err(instances::Error::Runs { name: options.name, process }),
            None => Ok(()),
        };
        is_free(running)?;
        if let Some(foreign) = foreign::owner(folder.path()) {
            return Err(instances::Error::from(foreign).into());
        }
        let _turn = instances::turn_to_start(&folder)?;
        // An earlier holder of the lock may have started it meanwhile.
        is_free(instances::running(&folder))?;
        let variable = |name: &str| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned());
        let configuration = environment::applied(Configuration::read(&folder.settings())?, variable)?;
        places::check(folder.path(), &configuration)?;
        if options.ends_process {
            errors::say_as_events(&configuration.errors);
        }
        if options.ends_process {
            files::raise(&configuration, folder.path());
        }
        let errors = open_errors(&folder, &configuration)?;
        if let Some(foreign) = places::foreign(folder.path()) {
            errors.write(&FOLDER_OF_OTHERS, [foreign.to_string()]);
        }
        if let Some((name, reason)) = environment::without_effect(variable) {
            errors.write(&VARIABLE_WITHOUT_EFFECT, [name.to_owned(), reason.to_owned()]);
        }
        let started = Self::open(options, &folder, &configuration, &errors, ending, began);
        if let Err(error) = &started {
            errors.write(&START_REFUSED, [options.name.to_string(), error.to_string()]);
        }
        started
    }

    fn open(
        options: &Options,
        folder: &Folder,
        configuration: &Configuration,
        errors: &ErrorLog,
        ending: Arc<Ending>,
        began: Instant,
    ) -> Result<Self, StartError> {
        let of_settings = || &*configuration.listener.addresses.0;
        let addresses =
            if options.local_only { &[] } else { options.addresses.as_deref().unwrap_or_else(of_settings) };
        let exposure = Exposure {
            name: options.name.to_string(),
            security: folder.security(),
            users: UsersFile::at(folder.users()),
            is_insecure: options.insecure,
        };
        let tls = configuration.listener.tls;
        // Before anything is bound: a listener that must not be is never there, not even for a moment.
        let modes = addresses.iter().map(|address| exposure.judge(*address, tls, None));
        let modes = modes.collect::<Result<Vec<_>, _>>()?;
        let mut listeners =
            addresses.iter().map(|address| Listener::tcp(*address)).collect::<Result<Vec<_>, _>>()?;
        let (health, board) = (Arc::new(Health::new(Arc::clone(&ending))), Arc::<Board>::default());
        // Before the log is replayed, which may take long.
        let probes = Probes { health: &health, board: &board, errors, folder };
        let wanted = options.health.unwrap_or(configuration.health.address);
        let service = probes.serve(wanted, options.ends_process)?;
        let on_failure = on_failure(errors, &ending, configuration, options.ends_process);
        let is_required = configuration.audit.required;
        let audit = Audit::open(&folder.audit(), errors.clone(), is_required);
        let audit = audit.map_err(refused("start threads"))?;
        let required = is_required.then(|| audit.kept());
        let names = options.names.clone();
        let host =
            Arc::new(ServerHost::new(folder.path(), folder.name(), errors.clone(), audit, names, on_failure));
        // As an administrator means it now, wherever the directory that this process works in is moved to.
        let path = std::path::absolute(folder.path()).map_err(refused("find the working directory"))?;
        let mut world = World::of_machine(path);
        if let Some(disk) = &options.disk {
            world.disk = Arc::clone(disk);
        }
        let engine: Arc<dyn queue_manager::Host> = host.clone();
        let queue_manager = QueueManager::open(world, configuration.engine(options.name), engine)?;
        if let Some(watched) = configuration.topics_watched() {
            queue_manager.watch_topics(watched);
        }
        queue_manager.set_channel_ways(ChannelWays {
            adopts_partners: configuration.channels.adopt_new,
            starts_for_messages: !options.local_only,
            limits: configuration.channel_limits(),
        });
        if let Some(end) = UnexpectedEnd::of(folder) {
            let found = separated(queue_manager.messages_found());
            let inserts = [options.name.to_string(), end.to_string(), found, end.lost_messages()];
            errors.write(&UNEXPECTED_END, inserts);
        }
        let revocations = &host.revocations;
        let covers = open_covers(folder, &queue_manager, revocations, errors, tls, &modes)?.map(Arc::new);
        if let Some(covers) = &covers {
            let covered = |(listener, mode): (Listener, &ListenerTls)| match mode {
                ListenerTls::No => listener,
                ListenerTls::Allowed | ListenerTls::Required => listener.covered(covers.covers()),
            };
            listeners = listeners.into_iter().zip(&modes).map(covered).collect();
        }
        host.listeners.note_modes(&modes);
        host.exposed.store(exposure.is_open(addresses.iter().copied()), Ordering::Relaxed);
        // Only now is the folder ours, so only now may what a killed server left be replaced.
        if options.local_socket.unwrap_or(configuration.listener.local_socket) {
            for listener in [Listener::unix(&folder.socket()), Listener::rings(&folder.rings())] {
                match listener {
                    Ok(listener) => listeners.push(listener),
                    Err(error) => errors.write(&NO_LOCAL_SOCKET, [error.to_string()]),
                }
            }
        }
        let bounds: Vec<Bound> = listeners.iter().map(Listener::bound).cloned().collect();
        if let Err(why) = local_group::open(folder, &configuration.local.group, &bounds) {
            errors.write(&NO_LOCAL_GROUP, [why]);
        }
        let bounds = listeners.iter().map(Listener::bound);
        // Rings are a faster form of the local socket, which is what people are told of.
        let listens: Vec<Bound> = bounds.filter(|bound| !matches!(bound, Bound::Rings(_))).cloned().collect();
        let users = UsersFile::at(folder.users());
        let keys = folder.security().join(tls::store::KEYS);
        let loopback = configuration.security.loopback;
        let files = Files { users, keys, covers: covers.clone(), required };
        let logins = LoginDesk::new(queue_manager.clone(), files, loopback, say(errors.clone()));
        host.judged_by(&logins);
        host.tell_groups(logins.groups());
        logins.look();
        let common = Common {
            queue_manager: queue_manager.clone(),
            host,
            errors: errors.clone(),
            ending: Arc::clone(&ending),
            limits: agent_limits(configuration),
            driving: Driving {
                writer: configuration.log.writer,
                inline_max: Duration::from_micros(configuration.log.inline_microseconds_max.into()),
            },
            commit_delay: CommitDelay {
                time: Duration::from_micros(configuration.log.commit_delay_microseconds.into()),
                siblings: configuration.log.commit_delay_siblings as usize,
            },
            started: began,
            logins,
            strangers: Arc::default(),
            listener_tls: tls,
            amqp_channel: configuration.listener.amqp_channel.0,
            exposure,
            listener_covers: covers.as_ref().map(|covers| covers.covers()),
            health: Arc::clone(&health),
            board: Arc::clone(&board),
        };
        // It is known once.
        let _ = board.listeners.set(listeners.len());
        let http = options.http.unwrap_or(configuration.http.address);
        let is_asked_for_figures = http != ServiceAddress::Nowhere;
        let (reactors, room) = start_reactors(&common, configuration, listeners)?;
        let since = errors::utc(OsClock.wall());
        let counting = Counting::begin(&folder.counted(), since.clone());
        let threads = Threads::start(&common, configuration, counting, covers, is_asked_for_figures)
            .map_err(refused("start threads"))?;
        let waiting = Arc::clone(&common.host.waiting);
        let listening = listens.iter().map(Bound::to_string).collect();
        let running =
            Running { few_files: room.words(), ..Running::here(!options.ends_process, listening, since) };
        let notes = Arc::new(Notes::of(running, folder.clone()));
        common.host.keep_notes(&notes);
        let not_started = if options.local_only { Vec::new() } else { queue_manager.start_listeners() };
        let mut keeper = Keeper {
            common,
            name: options.name,
            reactors,
            threads,
            notes: Arc::clone(&notes),
            quiesce_within: Duration::from_secs(configuration.stop.quiesce_seconds.into()),
            is_own_process: options.ends_process,
            control: None,
            service,
        };
        let host = Arc::clone(&keeper.common.host);
        if let Err(error) = notes.enter(State::Running, || host.listeners.overview()) {
            keeper.common.ending.ask(Mode::Immediate, "its start, which failed");
            keeper.keep();
            return Err(refused(format!("write {}", folder.running().display()))(error));
        }
        let ready_after = began.elapsed();
        errors.write(&QUEUE_MANAGER_STARTED, [options.name.to_string(), ready_after.as_millis().to_string()]);
        for bound in &listens {
            errors.write(&LISTENING, [options.name.to_string(), bound.to_string()]);
        }
        if let Some(words) = room.words() {
            errors.write(&FEW_FILES, [options.name.to_string(), words]);
        }
        for (listener, why) in not_started {
            errors.write(&LISTENER_START_FAILED, [listener.to_string(), why]);
        }
        health.started();
        let watched = Arc::clone(&health);
        if let (Some(command), true) = (&options.control, is_asked_for_figures) {
            let command = command.listening(http);
            let started =
                Keeping::start(command, options.name.to_string(), Arc::clone(&board.control), errors.clone());
            keeper.control = Some(started.map_err(refused("start threads"))?);
        }
        let health = keeper.service.as_ref().map(Service::address);
        let keeper = std::thread::Builder::new()
            .name("ferry-keeper".to_owned())
            .spawn(move || keeper.keep())
            .map_err(refused("start threads"))?;
        let (errors, keeper) = (errors.clone(), Some(keeper));
        Ok(Self {
            queue_manager,
            listens,
            listeners: notes.listeners(),
            failed_listeners: notes.failed_listeners(),
            few_files: room.words(),
            ready_after,
            errors,
            waiting,
            ending,
            health,
            watched,
            board,
            keeper,
        })
    }

    /// Where programs connect.
    #[must_use]
    pub fn listens(&self) -> &[Bound] {
        &self.listens
    }

    /// The addresses of the LISTENER objects that its start opened, by their names.
    #[must_use]
    pub fn listeners(&self) -> &BTreeMap<String, String> {
        &self.listeners
    }

    /// The LISTENER objects that its start was to open and could not, with the reason.
    #[must_use]
    pub fn failed_listeners(&self) -> &BTreeMap<String, String> {
        &self.failed_listeners
    }

    /// The words for a limit of open files that leaves no room for all connections of the settings.
    #[must_use]
    pub fn few_files(&self) -> Option<&str> {
        self.few_files.as_deref()
    }

    /// The first TCP address programs connect to.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.listens.iter().find_map(|bound| match bound {
            Bound::Tcp(address) => Some(*address),
            Bound::Unix(_) | Bound::Rings(_) => None,
        })
    }

    /// The address at which health is answered, if it is.
    #[must_use]
    pub fn health(&self) -> Option<SocketAddr> {
        self.health
    }

    /// The facts that its health is judged by.
    pub(crate) fn watched(&self) -> Arc<Health> {
        Arc::clone(&self.watched)
    }

    /// The address at which its control process listens, once it says so: waits for it so long at most.
    #[must_use]
    pub fn control(&self, within: Duration) -> Option<String> {
        let until = Instant::now() + within;
        while self.board.control.now() != Standing::Unwanted && Instant::now() < until {
            if let Some(address) = self.board.control.address() {
                return Some(address);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        self.board.control.address()
    }

    /// Its figures as `figures::metrics::Block` reads them; empty where none are made yet.
    #[must_use]
    pub fn figures(&self) -> bytes::Bytes {
        self.board.whole()
    }

    /// Duration of the start.
    #[must_use]
    pub fn ready_after(&self) -> Duration {
        self.ready_after
    }

    /// The engine, for hosts with connections of their own beside those of the listeners.
    #[must_use]
    pub fn queue_manager(&self) -> &QueueManager {
        &self.queue_manager
    }

    pub(crate) fn waiting(&self) -> &Arc<Waiting> {
        &self.waiting
    }

    /// Its error log.
    #[must_use]
    pub fn errors(&self) -> &ErrorLog {
        &self.errors
    }

    /// Begins to end it; a more urgent mode may follow a less urgent one.
    pub fn stop(&self, mode: Mode) {
        self.ending.ask(mode, "this process");
    }

    /// Handle by which others, signals for example, end it.
    #[must_use]
    pub fn ending(&self) -> Arc<Ending> {
        Arc::clone(&self.ending)
    }

    /// Waits until it has ended.
    pub fn wait(mut self) {
        self.join();
    }

    fn join(&mut self) {
        if let Some(keeper) = self.keeper.take() {
            // A keeper that panicked has said so; there is nothing left to wait for.
            let _ = keeper.join();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.keeper.is_some() {
            self.ending.ask(Mode::Immediate, "this process");
            self.join();
        }
    }
}

/// Writes to the error log.
fn say(errors: ErrorLog) -> covers::Say {
    Box::new(move |row, inserts| errors.write(row, inserts))
}

fn open_errors(folder: &Folder, configuration: &Configuration) -> Result<ErrorLog, StartError> {
    let slow = configuration.log.slow_io_microseconds;
    let slow = (slow > 0).then(|| Duration::from_micros(slow.into()));
    ErrorLog::open(&folder.errors(), folder.name().as_str(), &configuration.errors, slow)
        .map_err(refused(format!("open the error log in {}", folder.errors().display())))
}

/// TLS of the listeners, where one has it, or where there are keys that a listener may yet want.
fn open_covers(
    folder: &Folder,
    queue_manager: &QueueManager,
    revocations: &Arc<Revocations>,
    errors: &ErrorLog,
    usual: ListenerTls,
    modes: &[ListenerTls],
) -> Result<Option<ListenerCovers>, StartError> {
    let is_needed = std::iter::once(&usual).chain(modes).any(|mode| *mode != ListenerTls::No);
    let open = || ListenerCovers::open(folder.security(), queue_manager, revocations, say(errors.clone()));
    if is_needed {
        return Ok(Some(open()?));
    }
    let has_keys = std::fs::read_dir(folder.security().join(tls::store::KEYS))
        .is_ok_and(|mut keys| keys.next().is_some());
    if !has_keys {
        return Ok(None);
    }
    // Nobody speaks TLS yet: keys that do not read keep nobody out.
    Ok(open().map_err(|error| errors.write(&KEYS_NOT_READ, [error.to_string()])).ok())
}

fn agent_limits(configuration: &Configuration) -> agents::Limits {
    let limits = &configuration.limits;
    agents::Limits {
        login_seconds: u16::try_from(limits.login_seconds).unwrap_or(u16::MAX),
        output_bytes_max: usize::try_from(limits.backlog_size_max.0).unwrap_or(usize::MAX),
        ..agents::Limits::default()
    }
}

/// When the log failed nothing more becomes durable, so no gate opens any more and the end must come at once.
fn on_failure(
    errors: &ErrorLog,
    ending: &Arc<Ending>,
    configuration: &Configuration,
    ends_process: bool,
) -> host::OnFailure {
    let (errors, ending) = (errors.clone(), Arc::clone(ending));
    let context = format!("{configuration:#?}");
    Box::new(move |what| {
        if ends_process {
            crate::process::end_by_own_decision(what, || errors.failure(what, &context));
        }
        errors.failure(what, &context);
        ending.ask(Mode::Preemptive, "the failure of its log");
    })
}

fn start_reactors(
    common: &Common,
    configuration: &Configuration,
    listeners: Vec<Listener>,
) -> Result<(Vec<JoinHandle<()>>, Room), StartError> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    // Without listeners there is nothing a reactor could do.
    let count = if listeners.is_empty() { 0 } else { configuration.reactors(processors) };
    let room = Room::find(configuration, count);
    let connections_max = room.of_each(count);
    let limits = transport::Limits { connections_max, ..configuration.transport() };
    let mut reactors = (0..count)
        .map(|_| Reactor::<Serving>::new(limits))
        .collect::<Result<Vec<_>, _>>()
        .map_err(refused("make an event queue"))?;
    let seen: Vec<Seen> = reactors
        .iter()
        .map(|reactor| Seen { remote: reactor.remote(), holds_gated: Arc::default() })
        .collect();
    common.ending.attend(seen.iter().map(|reactor| reactor.remote.clone()).collect());
    for (number, listener) in (0..).zip(listeners) {
        reactors[0].listen(ListenerId(number), listener).map_err(refused("watch a listener"))?;
    }
    if let Some(first) = reactors.first_mut() {
        first.share_with(seen[1..].iter().map(|reactor| reactor.remote.clone()).collect());
    }
    let accepting = |first: &Seen| Accepting {
        reactor: first.remote.clone(),
        usual: common.listener_tls,
        exposure: common.exposure.clone(),
        covers: common.listener_covers.clone(),
    };
    common.host.listeners.attend(seen.first().map(accepting));
    let remotes = seen.iter().map(|reactor| reactor.remote.clone()).collect();
    common.health.attend(common.queue_manager.clone(), remotes);
    let gated: Vec<_> = seen.iter().map(|reactor| Arc::clone(&reactor.holds_gated)).collect();
    common.host.attend(seen);
    let mut threads = Vec::new();
    for (number, (mut reactor, holds_gated)) in reactors.into_iter().zip(gated).enumerate() {
        let common = common.clone();
        let thread = std::thread::Builder::new().name(format!("ferry-reactor-{number}")).spawn(move || {
            let _guard = EndsAll(Arc::clone(&common.ending));
            host::this_thread_is_reactor(number);
            let mut serving = Serving::new(common, holds_gated);
            reactor.run(&mut serving).expect("the system's event queue works");
        });
        threads.push(thread.map_err(refused("start threads"))?);
    }
    Ok((threads, room))
}

/// A reactor that ends, by panic too, ends the queue manager: its connections would wait forever.
struct EndsAll(Arc<Ending>);

impl Drop for EndsAll {
    fn drop(&mut self) {
        if self.0.phase() == Phase::Runs {
            self.0.ask(Mode::Preemptive, "a thread that failed");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_does_not_make_a_folder_again_that_was_deleted_meanwhile() {
        let place = tempfile::tempdir().unwrap();
        let folder = DataDirectory::at(place.path()).folder(&"QM1".parse().unwrap());
        let refused = open_errors(&folder, &Configuration::default()).err().expect("it is gone").to_string();
        assert!(refused.contains("cannot open the error log in ") && !folder.path().exists(), "{refused}");
        std::fs::create_dir(folder.path()).unwrap();
        open_errors(&folder, &Configuration::default()).unwrap();
    }
}
