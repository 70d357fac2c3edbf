//! From start to end: [`Server`], a queue manager that runs in this process and serves connections.
//!
//! Lives here: the order in which things are opened, in phases of which each is a type that the next one
//! takes: `bind`, `open`, `cover`, `serve`. `start` is what they need, and `keeper` closes them. `threads`
//! are the threads besides the reactors, `serving` what a reactor does, `process` what only a process of its
//! own needs (signals, panics).
//!
//! Always: the engine is open before the first connection is served, and closed after the last one is gone.

mod bind;
mod cover;
mod open;
mod serve;
mod start;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use objects::messages::{FOLDER_OF_OTHERS, START_REFUSED, VARIABLE_WITHOUT_EFFECT};
use queue_manager::QueueManager;

use crate::board::Board;
use crate::configuration::{Configuration, ServiceAddress};
use crate::control::{Keeping, Standing};
use crate::directory::Folder;
use crate::embedded::Waiting;
use crate::ending::{Ending, Mode};
use crate::errors::{self, ErrorLog};
use crate::files;
use crate::foreign;
use crate::health::{Health, Service};
use crate::ini::environment;
use crate::instances::{self, Instance};
use crate::runtime_state::Running;
use crate::serving::Common;
use crate::storage_locations;
use bind::Bound;
use cover::Covered;
use open::Opened;
use serve::Serving;
use start::{Start, refused};

pub use start::{Options, StartError};

/// A queue manager that runs in this process.
pub struct Server {
    queue_manager: QueueManager,
    listens: Vec<transport::ListenAddress>,
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
        storage_locations::check(folder.path(), &configuration)?;
        if options.ends_process {
            errors::say_as_events(&configuration.errors);
            files::raise(&configuration, folder.path());
        }
        let errors = open_errors(&folder, &configuration)?;
        if let Some(foreign) = storage_locations::foreign(folder.path()) {
            errors.write(&FOLDER_OF_OTHERS, [foreign.to_string()]);
        }
        if let Some((name, reason)) = environment::without_effect(variable) {
            errors.write(&VARIABLE_WITHOUT_EFFECT, [name.to_owned(), reason.to_owned()]);
        }
        let start =
            Start { options, folder: &folder, configuration: &configuration, errors: &errors, ending, began };
        let started = Self::open(&start);
        if let Err(error) = &started {
            errors.write(&START_REFUSED, [options.name.to_string(), error.to_string()]);
        }
        started
    }

    fn open(start: &Start<'_>) -> Result<Self, StartError> {
        let bound = Bound::bind(start)?;
        let opened = Opened::open(start, bound)?;
        let covered = Covered::cover(start, opened)?;
        Self::keep(Serving::begin(start, covered)?, start)
    }

    /// Tells of the start, starts the control process where there is one, and leaves the end to the keeper.
    fn keep(serving: Serving, start: &Start<'_>) -> Result<Self, StartError> {
        let ready_after = start.began.elapsed();
        serving.tell(start, ready_after);
        let Serving { mut keeper, listens, room, http, .. } = serving;
        let Common { queue_manager, errors, ending, health: watched, board, host, .. } =
            keeper.common.clone();
        if let (Some(command), true) = (&start.options.control, http != ServiceAddress::Nowhere) {
            let (command, name) = (command.listening(http), start.options.name.to_string());
            let started = Keeping::start(command, name, Arc::clone(&board.control), errors.clone());
            keeper.control = Some(started.map_err(refused("start threads"))?);
        }
        let notes = Arc::clone(&keeper.notes);
        let health = keeper.service.as_ref().map(Service::address);
        let keeper = std::thread::Builder::new()
            .name("ferry-keeper".to_owned())
            .spawn(move || keeper.keep())
            .map_err(refused("start threads"))?;
        Ok(Self {
            queue_manager,
            listens,
            listeners: notes.listeners(),
            failed_listeners: notes.failed_listeners(),
            few_files: room.words(),
            ready_after,
            errors,
            waiting: Arc::clone(&host.waiting),
            ending,
            health,
            watched,
            board,
            keeper: Some(keeper),
        })
    }

    /// Where programs connect.
    #[must_use]
    pub fn listens(&self) -> &[transport::ListenAddress] {
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
            transport::ListenAddress::Tcp(address) => Some(*address),
            transport::ListenAddress::Unix(_) | transport::ListenAddress::Rings(_) => None,
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

fn open_errors(folder: &Folder, configuration: &Configuration) -> Result<ErrorLog, StartError> {
    let slow = configuration.log.slow_io_microseconds;
    let slow = (slow > 0).then(|| Duration::from_micros(slow.into()));
    ErrorLog::open(&folder.errors(), folder.name().as_str(), &configuration.errors, slow)
        .map_err(refused(format!("open the error log in {}", folder.errors().display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::DataDirectory;

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
