//! The queue manager in a program's own process, the fastpath.
//!
//! Lives here: [`QueueManager`], opened by the program, and its [`Connection`]s, which implement
//! [`mqi::Verbs`](mqi::verbs::Verbs): every call runs on the caller's own thread, without a frame, a socket
//! or another thread. A call that must wait for the log writes the log itself if no other thread does.
//!
//! Lives elsewhere: everything else of a running queue manager (`lifecycle`). Listeners are optional and then
//! serve other processes at the same time.
//!
//! Always: an outcome is told to the program only when the log is durable to its need, as to any client.

mod branches;
mod connection;
mod listening;
mod waiting;
mod waking;

use std::path::Path;

use mqi::{AccountingChoice, QueueManagerName, Reason};
use objects::Response;
use objects::mqsc::SyntaxErrors;

pub use connection::Connection;
use waiting::LogFailed;
pub(crate) use waiting::Waiting;

use crate::directory::DataDirectory;
use crate::ending::Mode;
use crate::instances;
use crate::lifecycle::{Options, Server, StartError};

/// A queue manager in this process. Dropping it ends it; its connections are refused from then on.
pub struct QueueManager {
    server: Server,
}

/// Why MQSC was not answered.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The text is not MQSC.
    #[error(transparent)]
    Syntax(#[from] SyntaxErrors),
    /// It could not be run.
    #[error("the command could not be run: {0}")]
    Refused(Reason),
}

/// Where programs other than this one may connect while the queue manager is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listeners {
    /// Nowhere: it is this program's alone.
    #[default]
    None,
    /// Where its settings say.
    AsConfigured,
}

impl QueueManager {
    /// Opens the queue manager `name` of a data directory, for this program alone; creates it when it is
    /// absent.
    ///
    /// # Errors
    /// When another process runs it, or its settings or files are not right.
    pub fn open(data: &Path, name: &QueueManagerName) -> Result<Self, StartError> {
        Self::open_with(data, name, Listeners::None)
    }

    /// Opens it, with listeners or without.
    ///
    /// # Errors
    /// As [`QueueManager::open`], and when a port is taken.
    pub fn open_with(data: &Path, name: &QueueManagerName, listeners: Listeners) -> Result<Self, StartError> {
        let data = DataDirectory::at(data);
        match instances::find(&data, name) {
            Err(instances::Error::Absent { .. }) => drop(instances::create(&data, name, None)?),
            outcome => drop(outcome?),
        }
        let mut options = Options::new(data, *name);
        if listeners == Listeners::None {
            (options.addresses, options.local_socket) = (Some(Vec::new()), Some(false));
        }
        Ok(Self { server: Server::start(&options)? })
    }

    /// MQCONN: a connection for one thread at a time.
    ///
    /// # Errors
    /// The reason the queue manager refuses it.
    pub fn connect(&self, application: &str) -> Result<Connection, Reason> {
        self.connect_choosing(application, AccountingChoice::default())
    }

    /// MQCONNX: the same, with a choice of what is accounted for.
    ///
    /// # Errors
    /// The reason the queue manager refuses it.
    pub fn connect_choosing(
        &self,
        application: &str,
        accounting: AccountingChoice,
    ) -> Result<Connection, Reason> {
        let server = &self.server;
        Connection::connect(server.queue_manager(), server.waiting(), application, accounting)
    }

    /// Runs MQSC, one or more statements, and answers each.
    ///
    /// # Errors
    /// When a statement has a syntax error, and then nothing was run; when the log failed.
    pub fn command(&self, mqsc: &str) -> Result<Vec<Response>, CommandError> {
        let engine = self.server.queue_manager();
        let durability = &self.server.waiting().durability;
        let run = |command| durability.open(engine, engine.execute(command).map(Ok));
        let answers = objects::mqsc::parse(mqsc)?.iter().map(run).collect::<Result<Result<Vec<_>, _>, _>>();
        match answers {
            Ok(answers) => answers.map_err(CommandError::Refused),
            Err(LogFailed) => Err(CommandError::Refused(Reason::UNEXPECTED_ERROR)),
        }
    }

    /// The running queue manager, for its addresses and its error log.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Ends it in this manner and waits until it has ended. Dropping it ends it immediately.
    pub fn close(self, mode: Mode) {
        self.server.stop(mode);
        self.server.wait();
    }
}
