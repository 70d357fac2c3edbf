//! The facts that the phases of a start need, and the reasons for which it fails.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use mqi::QueueManagerName;
use platform::Disk;
use transport::BindError;

use crate::channels::Names;
use crate::configuration::{self, Configuration, ServiceAddress};
use crate::control::ControlCommand;
use crate::covers::TlsError;
use crate::directory::{DataDirectory, Folder};
use crate::ending::Ending;
use crate::errors::ErrorLog;
use crate::exposure::Exposed;
use crate::health::ServiceError;
use crate::ini::environment;
use crate::instances;
use crate::storage_locations;

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
    Misplaced(#[from] storage_locations::Misplaced),
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

pub(super) fn refused(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> StartError {
    move |source| StartError::Io { what: what.into(), source }
}

/// The facts that every phase of a start needs.
pub(super) struct Start<'a> {
    pub(super) options: &'a Options,
    pub(super) folder: &'a Folder,
    pub(super) configuration: &'a Configuration,
    pub(super) errors: &'a ErrorLog,
    pub(super) ending: Arc<Ending>,
    pub(super) began: Instant,
}
