//! A queue manager of a course: its installation and its process.

use std::path::Path;
use std::time::Duration;

use bytes::Bytes;
use client::Connection;
use mqi::{
    AttributeValue, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Reason, Selector,
    Verbs as _, Wait, constants,
};
use testing::lines::Namespace;

use super::place::{BODY_BYTES_MAX, Place, QUESTIONS, REPLIES, name};
use crate::installation::{Broken, Installation, Running, connect_at};
use crate::load::command;

/// Small enough that the log is gone around and checkpoints are taken all the time.
pub(super) const SMALL_LOG: &str = "[log]\nextent_size = \"1 MiB\"\nprimary_extents = 4\nsecondary_extents = 4\n\
    [checkpoint]\ninterval_seconds = 1\n";

/// A queue manager; killed when this is dropped.
#[derive(Debug)]
pub(super) struct Site {
    pub(super) place: Place,
    installation: Installation,
    pub(super) namespace: Namespace,
    running: Option<Running>,
    /// The longest time from the command of a start to its end.
    pub(super) longest_start: Duration,
}

impl Site {
    /// One that runs by these settings, with the two queues.
    pub(super) fn begin(
        number: usize,
        ferry: &Path,
        (data, settings): (&Path, &str),
        namespace: Namespace,
    ) -> Result<Self, Broken> {
        let name = name(number);
        let installation = Installation::create_named(&name, ferry, data, settings)?;
        let address = format!("unix:{}", installation.folder().join("socket").display());
        let mut site = Self {
            place: Place { number, name, address },
            installation,
            namespace,
            running: None,
            longest_start: Duration::ZERO,
        };
        site.start()?;
        for queue in [QUESTIONS, REPLIES] {
            site.command(&format!("DEFINE QLOCAL({queue}) MAXDEPTH(999999999)"))?;
        }
        Ok(site)
    }

    /// Starts it again; the port at which it listens now.
    pub(super) fn start(&mut self) -> Result<u16, Broken> {
        let command = match self.namespace.runner() {
            None => self.installation.start_command(),
            Some((program, arguments)) => self.installation.start_command_under(program, &arguments),
        };
        let running = self.installation.start_by(command).map_err(|ended| ended.said)?;
        self.longest_start = self.longest_start.max(running.took);
        let port = running.port();
        self.running = Some(running);
        Ok(port)
    }

    pub(super) fn kill(&mut self) {
        if let Some(running) = self.running.take() {
            running.kill();
        }
    }

    pub(super) fn port(&self) -> Option<u16> {
        self.running.as_ref().map(Running::port)
    }

    /// Resident memory of its process.
    pub(super) fn resident_bytes(&self) -> Result<u64, Broken> {
        let process = self.running.as_ref().map_or(0, Running::process);
        let status = std::fs::read_to_string(format!("/proc/{process}/status"));
        let status = status.map_err(|error| format!("{}: {error}", self.place.name))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kibibytes.map(|count| count << 10).ok_or_else(|| "no VmRSS in the status of a process".to_owned())
    }

    pub(super) fn connect(&self) -> Result<Connection, Broken> {
        connect_at(&self.place.address, "audit")
    }

    pub(super) fn command(&self, text: &str) -> Result<String, Broken> {
        command(&mut self.connect()?, text).map_err(|problem| format!("{}: {problem}", self.place.name))
    }

    /// The standing of its channels.
    pub(super) fn channels(&self) -> Result<String, Broken> {
        self.command("DISPLAY CHSTATUS(*) ALL")
    }

    /// Messages on a queue, those of open units of work included.
    pub(super) fn depth(&self, queue: &str) -> Result<u64, Broken> {
        let mut connection = self.connect()?;
        let failed = |reason: Reason| format!("{}: depth of {queue}: {reason}", self.place.name);
        let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
        let handle = connection.open(&object, OpenOptions::INQUIRE).map_err(failed)?.handle;
        let selector = Selector(constants::MQIA_CURRENT_Q_DEPTH);
        let inquired = connection.inquire(handle, &[selector]).map_err(failed)?;
        match inquired.values.as_slice() {
            [AttributeValue::Integer(depth)] => Ok(u64::try_from(*depth).unwrap_or_default()),
            other => Err(format!("{}: depth of {queue}: {other:?}", self.place.name)),
        }
    }

    /// The answers that are there, in their order.
    pub(super) fn drain(&self) -> Result<Vec<Bytes>, Broken> {
        let mut connection = self.connect()?;
        let failed = |reason: Reason| format!("{}: get {REPLIES}: {reason}", self.place.name);
        let object = ObjectDescriptor::queue(REPLIES.parse().expect("a name"));
        let handle = connection.open(&object, OpenOptions::INPUT_SHARED).map_err(failed)?.handle;
        let mut bodies = Vec::new();
        loop {
            let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let mut descriptor = MessageDescriptor::default();
            match connection.get(handle, &mut descriptor, &mut options, BODY_BYTES_MAX) {
                Ok(got) => bodies.push(got.body),
                Err(Reason::NO_MSG_AVAILABLE) => return Ok(bodies),
                Err(reason) => return Err(failed(reason)),
            }
        }
    }
}
