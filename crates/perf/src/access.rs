//! The way of a workload to a queue manager: over a channel, or in this process.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use client::{Address, Connection, Options};
use mqi::Verbs;
use serde::{Deserialize, Serialize};
use server::embedded::QueueManager;

use crate::belongings::Place;
use crate::flushes::Disk;
use crate::line::Line;
use crate::processor;
use crate::server_process::{NAME, ServerProcess, temporary_directory};

/// The counter of writes to the log.
pub const LOG_WRITES: &str = "log_writes";

/// The counter of bytes written to the log.
pub const LOG_BYTES: &str = "log_bytes_written";

/// The counter of records in the log.
pub const LOG_RECORDS: &str = "log_records";

/// The name in a report of a queue manager in the process of the bench.
pub(crate) const IN_THIS_PROCESS: &str = "in this process";

/// A way to a queue manager; every client of a workload makes a connection of its own.
pub trait Access: Send + Sync {
    /// A new connection under this application name.
    ///
    /// # Errors
    /// When there is no connection to be had.
    fn connect(&self, application: &str) -> Result<Box<dyn Verbs + Send>>;

    /// Runs one MQSC command, and returns its answer.
    ///
    /// # Errors
    /// When it fails, with its answer.
    fn command(&self, mqsc: &str) -> Result<String>;

    /// Counters of the queue manager by name; empty when it does not tell.
    fn counters(&self) -> BTreeMap<String, u64>;

    /// The process that serves, if it is another than this one.
    fn server_pid(&self) -> Option<u32>;

    /// Bytes of memory that this process held when the way to it was made; none where that is not known.
    fn server_bytes_at_first(&self) -> Option<u64> {
        None
    }

    /// Bytes that compression saves, in per cent; none where nothing is compressed.
    fn saved(&self) -> Option<f64> {
        None
    }

    /// The disk that holds its log, where it is known and counts flushes.
    fn disk(&self) -> Option<&Disk> {
        None
    }

    /// The other half of a workload, where it comes another way or has a queue manager of its own.
    fn far(&self) -> Option<&Far> {
        None
    }

    /// Returns the way of another process to the same queue manager; none where it has no way.
    fn way(&self) -> Option<Way>;

    /// Names it in a report: `tcp 127.0.0.1:1414`, `local socket`, `in this process`.
    fn describe(&self) -> String;
}

/// The other half of a workload: responders, getters or subscribers.
#[derive(Clone, Debug)]
pub struct Far {
    /// The way of its clients.
    pub access: Arc<Channels>,
    /// The name of its queue manager, where that is another than the one of the first half.
    pub queue_manager: Option<&'static str>,
}

/// The name of the queue manager of the other half, where it is another.
pub(crate) fn partner(access: &dyn Access) -> Option<&'static str> {
    access.far().and_then(|far| far.queue_manager)
}

/// The way of the clients of the other half; that of the first where both come the same way.
pub(crate) fn of_other_half(access: &Arc<dyn Access>) -> Arc<dyn Access> {
    access.far().map_or_else(|| access.clone(), |far| far.access.clone() as Arc<dyn Access>)
}

/// The way of another process to the same queue manager, by a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    address: String,
    share: Option<u16>,
    /// That of the other half of a workload, where it is another.
    far: Option<Box<Self>>,
    /// The compression and TLS of its clients.
    line: Option<Line>,
}

impl Way {
    /// The address: of TCP, or the path of a socket.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

/// Over a channel: TCP or the local socket.
#[derive(Debug)]
pub struct Channels {
    address: Address,
    process: Option<u32>,
    /// Bytes that it held when this was made.
    process_bytes: Option<u64>,
    /// Most conversations on one socket, when fewer than the channel's SHARECNV are wanted.
    share: Option<u16>,
    disk: Option<Disk>,
    far: Option<Far>,
    /// Compression and TLS of clients, with the address by which commands go then.
    line: Option<(Line, Address)>,
}

impl Channels {
    /// To an address, served by this process if it is known.
    #[must_use]
    pub fn new(address: Address, process: Option<u32>) -> Self {
        let process_bytes = process.and_then(processor::resident_bytes);
        Self { address, process, process_bytes, share: None, disk: None, far: None, line: None }
    }

    /// With so many clients to a socket at most, or as many as the channel's SHARECNV allows.
    #[must_use]
    pub fn sharing(self, share: Option<u16>) -> Self {
        Self { share, ..self }
    }

    /// To a queue manager that this process serves, if it is known.
    #[must_use]
    pub fn served_by(self, process: Option<u32>) -> Self {
        Self { process, ..self }
    }

    /// To a queue manager whose log is on this disk.
    #[must_use]
    pub fn on(self, disk: Option<Disk>) -> Self {
        Self { disk, ..self }
    }

    /// With clients that come by a line, and commands by another address.
    #[must_use]
    pub(crate) fn by_line(self, line: Option<(Line, Address)>) -> Self {
        Self { line, ..self }
    }

    /// With another half of a workload.
    #[must_use]
    pub fn with(self, far: Option<Far>) -> Self {
        Self { far, ..self }
    }

    /// The way that another process said it goes.
    ///
    /// # Errors
    /// When its address is none.
    pub fn by(way: &Way) -> Result<Self> {
        let far = way.far.as_ref().map(|far| Ok::<_, anyhow::Error>(Arc::new(Self::by(far)?)));
        let far = far.transpose()?.map(|access| Far { access, queue_manager: None });
        let address: Address = way.address.parse()?;
        // No command is given there.
        let line = way.line.clone().map(|line| (line, address.clone()));
        Ok(Self::new(address, None).sharing(way.share).with(far).by_line(line))
    }

    /// To a server of our own over TCP.
    ///
    /// # Errors
    /// When it does not listen so.
    pub fn tcp(server: &ServerProcess) -> Result<Self> {
        Ok(Self::new(server.address()?.parse()?, Some(server.pid())))
    }

    /// To a server of our own by its local socket.
    ///
    /// # Errors
    /// When it does not listen so.
    pub fn local(server: &ServerProcess) -> Result<Self> {
        Ok(Self::new(Address::Unix(Self::local_socket(server)?.into()), Some(server.pid())))
    }

    /// By rings in shared memory, which are offered beside the local socket.
    ///
    /// # Errors
    /// When it does not listen so.
    pub fn rings(server: &ServerProcess) -> Result<Self> {
        let path = Path::new(Self::local_socket(server)?).with_file_name("rings");
        Ok(Self::new(Address::Rings(path), Some(server.pid())))
    }

    fn local_socket(server: &ServerProcess) -> Result<&str> {
        let path = server.listens().iter().find(|text| text.contains('/'));
        path.map(String::as_str).context("the queue manager has no local socket")
    }

    fn options(&self, application: &str) -> Options {
        let options = Options::to(self.address.clone());
        let options = match &self.line {
            Some((line, _)) => line.apply(options),
            None => options,
        };
        let mut options = options.application(application);
        match self.share {
            None => {}
            Some(1) => options = options.alone(),
            Some(share) => options.limits.conversations_max = share,
        }
        options
    }

    /// A connection for commands.
    fn administration(&self) -> Result<Connection> {
        let address = self.line.as_ref().map_or(&self.address, |(_, address)| address);
        Ok(Connection::connect(Options::to(address.clone()).application("ferry bench"))?)
    }

    fn connection(&self, application: &str) -> Result<Connection> {
        Ok(Connection::connect(self.options(application))?)
    }
}

impl Access for Channels {
    fn connect(&self, application: &str) -> Result<Box<dyn Verbs + Send>> {
        Ok(Box::new(self.connection(application)?))
    }

    fn command(&self, mqsc: &str) -> Result<String> {
        let response = self.administration()?.command(mqsc)?;
        if response.failed {
            bail!("{mqsc}: {}", response.text.trim());
        }
        Ok(response.text)
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        let statistics = self.administration().ok().and_then(|mut connection| connection.statistics().ok());
        let counters = statistics.map(|statistics| statistics.counters).unwrap_or_default();
        counters.into_iter().map(|counter| (counter.name, counter.value)).collect()
    }

    fn server_pid(&self) -> Option<u32> {
        self.process
    }

    fn server_bytes_at_first(&self) -> Option<u64> {
        self.process_bytes
    }

    fn saved(&self) -> Option<f64> {
        self.line.as_ref().and_then(|_| Line::saved(&|mqsc| self.command(mqsc)).ok().flatten())
    }

    fn disk(&self) -> Option<&Disk> {
        self.disk.as_ref()
    }

    fn far(&self) -> Option<&Far> {
        self.far.as_ref()
    }

    fn way(&self) -> Option<Way> {
        let far = self.far.as_ref().and_then(|far| far.access.way()).map(Box::new);
        let line = self.line.as_ref().map(|(line, _)| line.clone());
        Some(Way { address: self.address.to_string(), share: self.share, far, line })
    }

    fn describe(&self) -> String {
        let place = match &self.address {
            Address::Tcp { .. } => format!("tcp {}", self.address),
            Address::Unix(_) => "local socket".to_owned(),
            Address::Rings(_) => "rings in shared memory".to_owned(),
        };
        let place = match self.share {
            None => format!("{place}, sockets shared as SHARECNV allows"),
            Some(1) => format!("{place}, a socket for each client"),
            Some(share) => format!("{place}, {share} clients to a socket at most"),
        };
        let place = match &self.line {
            Some((line, _)) => format!("{place}{line}"),
            None => place,
        };
        match &self.far {
            None => place,
            Some(Far { access, queue_manager: None }) => {
                format!("{place}; the other half: {}", access.describe())
            }
            Some(_) => {
                format!("{place}; the other half at another queue manager, a message channel each way")
            }
        }
    }
}

/// In this process: a queue manager of its own in a temporary directory, which goes when this is dropped.
pub struct Embedded {
    queue_manager: QueueManager,
    /// Goes after the queue manager.
    _data: Place,
    disk: Option<Disk>,
}

impl Embedded {
    /// Creates and opens it below this directory.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn open(directory: &Path) -> Result<Self> {
        let data = temporary_directory(directory)?;
        let queue_manager = QueueManager::open(data.path(), &NAME.parse()?);
        let queue_manager = queue_manager.context("cannot open a queue manager in this process")?;
        Ok(Self { queue_manager, _data: data, disk: Disk::of(directory) })
    }
}

impl Access for Embedded {
    fn connect(&self, application: &str) -> Result<Box<dyn Verbs + Send>> {
        Ok(Box::new(self.queue_manager.connect(application)?))
    }

    fn command(&self, mqsc: &str) -> Result<String> {
        let answers = self.queue_manager.command(mqsc)?;
        match answers.iter().find(|answer| !answer.is_ok()) {
            Some(answer) => bail!("{mqsc}: {}", answer.to_string().trim()),
            None => Ok(answers.iter().map(ToString::to_string).collect()),
        }
    }

    fn counters(&self) -> BTreeMap<String, u64> {
        BTreeMap::new()
    }

    fn server_pid(&self) -> Option<u32> {
        None
    }

    fn disk(&self) -> Option<&Disk> {
        self.disk.as_ref()
    }

    fn way(&self) -> Option<Way> {
        None
    }

    fn describe(&self) -> String {
        IN_THIS_PROCESS.to_owned()
    }
}
