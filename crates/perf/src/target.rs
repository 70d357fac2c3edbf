//! A queue manager that a bench starts for itself, and the way to it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::access::{Access, Channels, Embedded, Far};
use crate::belongings;
use crate::flushes::Disk;
use crate::line::{self, Line, Making, Wanted};
use crate::machine::Machine;
use crate::partner::{self, End, FAR_NAME};
use crate::server_process::{NAME, ServerProcess, temporary_directory};

/// The way to a queue manager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Over TCP on this machine.
    Tcp,
    /// By its local socket.
    Unix,
    /// By rings in shared memory.
    Rings,
    /// In this process.
    Embedded,
}

/// The place of the log, and of all other files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogPlace {
    /// The directory for temporary files.
    Disk,
    /// A file system in memory: what a device that costs nothing would give.
    Memory,
    /// A file system in memory, and the directory for temporary files for everything else: what a device of
    /// the log's own would give (`log.directory`).
    Apart,
    /// The directory for temporary files, with each write made longer: what a device far away would give.
    Slowed,
}

/// So much longer each write takes where it is slowed down.
const SLOWED_BY: Duration = Duration::from_millis(2);

/// The file system in memory that every Linux has.
const IN_MEMORY: &str = "/dev/shm";

impl LogPlace {
    /// The directory of the log.
    fn directory(self) -> PathBuf {
        match self {
            Self::Disk | Self::Slowed => std::env::temp_dir(),
            Self::Memory | Self::Apart => IN_MEMORY.into(),
        }
    }

    /// The directory of all other files.
    fn directory_of_others(self) -> PathBuf {
        match self {
            Self::Apart => std::env::temp_dir(),
            Self::Disk | Self::Slowed | Self::Memory => self.directory(),
        }
    }
}

/// Where a bench runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Place {
    /// The way to the queue manager.
    pub transport: Transport,
    /// Most clients that share a socket; none for as many as SHARECNV allows.
    pub share: Option<u16>,
    /// The place of its log.
    pub log: LogPlace,
    /// Microseconds that a write of the log is held back for others; as delivered, it is not.
    #[serde(skip_serializing_if = "is_as_delivered")]
    pub commit_delay: u32,
    /// The way of subscribers, where it is not that of publishers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subscribers_by: Option<Transport>,
    /// Queue managers: two where requesters and responders, or putters and getters, each have one of their
    /// own.
    #[serde(skip_serializing_if = "is_one")]
    pub queue_managers: u8,
    /// Says whether its listener speaks AMQP as well.
    #[serde(skip_serializing_if = "is_without")]
    pub amqp: bool,
    /// Compression and TLS of its clients.
    #[serde(flatten)]
    pub line: Wanted,
}

impl Place {
    /// A queue manager as delivered, for all clients alike.
    #[must_use]
    pub const fn at(transport: Transport, share: Option<u16>, log: LogPlace) -> Self {
        Self {
            transport,
            share,
            log,
            commit_delay: 0,
            subscribers_by: None,
            queue_managers: 1,
            amqp: false,
            line: Wanted::PLAIN,
        }
    }
}

// The form that serde asks for.
#[expect(clippy::trivially_copy_pass_by_ref)]
const fn is_one(count: &u8) -> bool {
    *count == 1
}

// The form that serde asks for.
#[expect(clippy::trivially_copy_pass_by_ref)]
const fn is_without(amqp: &bool) -> bool {
    !*amqp
}

// The form that serde asks for.
#[expect(clippy::trivially_copy_pass_by_ref)]
const fn is_as_delivered(delay: &u32) -> bool {
    *delay == 0
}

/// The listener speaks AMQP by the channel that every queue manager has.
const SPEAKS_AMQP: &str = "amqp_channel = \"SYSTEM.DEF.AMQP\"\n";

/// A queue manager of our own, running; it ends with this and leaves nothing.
pub struct Target {
    /// The way to it.
    pub access: Arc<dyn Access>,
    /// The machine that it runs on.
    pub machine: Machine,
    /// Dropped after the access, so that connections end before what they lead to.
    _servers: Vec<ServerProcess>,
    /// The directory of a log that is apart, which goes last.
    _log: Option<belongings::Place>,
}

/// As delivered, but for a port that does not meet another's.
const SETTINGS: &str = "[listener]\naddresses = [\"127.0.0.1:0\"]\n";

impl Target {
    /// Starts one, by the program `ferry` where it is another process.
    ///
    /// # Errors
    /// When it does not start.
    pub fn start(ferry: &Path, place: Place) -> Result<Self> {
        let directory = place.log.directory();
        ensure!(directory.is_dir(), "this machine has no {}: it cannot hold a log", directory.display());
        // Before there is a queue manager that could be busy with anything.
        let machine = Machine::measured(&directory)?;
        place.line.check(place.transport == Transport::Tcp, place.queue_managers)?;
        let slowed_by = (place.log == LogPlace::Slowed).then_some(SLOWED_BY);
        if place.transport == Transport::Embedded {
            ensure!(slowed_by.is_none(), "writes are slowed down in a process of the queue manager's own");
            ensure!(
                place.commit_delay == 0,
                "programs in the queue manager's own process have no commit delay"
            );
            ensure!(
                place.queue_managers == 1 && place.subscribers_by.is_none(),
                "a queue manager in the process of the bench has no other half: use --transport unix or tcp"
            );
            ensure!(place.log != LogPlace::Apart, "a log is apart from a queue manager that has settings");
            let access: Arc<dyn Access> = Arc::new(Embedded::open(&directory)?);
            return Ok(Self::reached(access, machine));
        }
        let log = match place.log {
            LogPlace::Apart => Some(temporary_directory(&directory)?),
            LogPlace::Disk | LogPlace::Memory | LogPlace::Slowed => None,
        };
        let apart = log.as_ref().map_or_else(String::new, |log| format!("directory = {:?}\n", log.path()));
        let settings = format!(
            "{SETTINGS}{}{}[log]\ncommit_delay_microseconds = {}\n{apart}",
            if place.amqp { SPEAKS_AMQP } else { "" },
            place.line.listener(),
            place.commit_delay
        );
        let others = place.log.directory_of_others();
        let start = |name| ServerProcess::start_as(name, ferry, &others, &settings, slowed_by);
        let making = ServerProcess::create(NAME, ferry, &others, &settings)?;
        let line = Line::prepare(place.line, &Making { name: NAME, program: ferry, data: making.path() })?;
        let near = ServerProcess::launch(NAME, ferry, making, slowed_by)?;
        if let Some(log) = &log {
            let is_there = std::fs::read_dir(log.path())?.next().is_some();
            ensure!(is_there, "the queue manager has no log in {}", log.path().display());
        }
        let by = |transport, server: &ServerProcess| -> Result<Channels> {
            let channels = match transport {
                Transport::Unix => Channels::local(server)?,
                Transport::Rings => Channels::rings(server)?,
                Transport::Tcp | Transport::Embedded => Channels::tcp(server)?,
            };
            Ok(channels.sharing(place.share))
        };
        let line = line.map(|line| {
            let local = Channels::local(&near)?;
            line.define(&|mqsc| local.command(mqsc))?;
            Ok::<_, anyhow::Error>((line, line::administration(&near)?))
        });
        let channels = by(place.transport, &near)?.by_line(line.transpose()?);
        let far = match place.queue_managers {
            1 => None,
            2 => Some(start(FAR_NAME)?),
            count => bail!("a bench has one or two queue managers, not {count}"),
        };
        let half = match (&far, place.subscribers_by) {
            (None, None) => None,
            (None, Some(transport)) => {
                Some(Far { access: Arc::new(by(transport, &near)?), queue_manager: None })
            }
            (Some(far), _) => {
                let access = by(place.transport, far)?;
                let ends = [(&channels, &near), (&access, far)];
                let [near, far] = ends.map(|(access, server)| -> Result<End<'_>> {
                    Ok(End { access, address: server.address()? })
                });
                partner::introduce(&near?, &far?)?;
                Some(Far { access: Arc::new(access), queue_manager: Some(FAR_NAME) })
            }
        };
        let access: Arc<dyn Access> = Arc::new(channels.on(Disk::of(&directory)).with(half));
        Ok(Self { access, machine, _servers: std::iter::once(near).chain(far).collect(), _log: log })
    }

    /// One that is not the bench's own.
    #[must_use]
    pub fn reached(access: Arc<dyn Access>, machine: Machine) -> Self {
        Self { access, machine, _servers: Vec::new(), _log: None }
    }
}
