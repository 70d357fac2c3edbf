//! A queue manager in a directory of its own, and connections to it.

use std::path::PathBuf;
use std::time::Duration;

use client::{Connection, Options};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Persistence,
    PutFlags, PutOptions, QueueManagerName, Reason, Verbs, Wait,
};
use server::{DataDirectory, Server, instances};
pub(crate) use testing::waiting::eventually;

/// A data directory with one queue manager that listens on a port of the system's choice.
pub(crate) struct Place {
    pub(crate) directory: tempfile::TempDir,
    pub(crate) data: DataDirectory,
    pub(crate) name: QueueManagerName,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with_settings("")
    }

    pub(crate) fn with_settings(settings: &str) -> Self {
        Self::within(tempfile::tempdir().unwrap(), settings)
    }

    /// Of this name.
    pub(crate) fn named(name: &str) -> Self {
        Self::of(name, tempfile::tempdir().unwrap(), "")
    }

    /// Of this name, with these settings.
    pub(crate) fn named_with(name: &str, settings: &str) -> Self {
        Self::of(name, tempfile::tempdir().unwrap(), settings)
    }

    /// In a directory that something was done to before.
    pub(crate) fn within(directory: tempfile::TempDir, settings: &str) -> Self {
        Self::of("QM1", directory, settings)
    }

    /// With these settings of its log.
    pub(crate) fn with_log(log: &str) -> Self {
        Self::written("QM1", tempfile::tempdir().unwrap(), &format!("[log]\n{log}"))
    }

    fn of(name: &str, directory: tempfile::TempDir, settings: &str) -> Self {
        let text = format!("[log]\nextent_size = \"4 MiB\"\nprimary_extents = 3\n{settings}");
        Self::written(name, directory, &text)
    }

    fn written(name: &str, directory: tempfile::TempDir, text: &str) -> Self {
        let data = DataDirectory::at(directory.path());
        let name = name.parse().unwrap();
        instances::create(&data, &name, Some(text)).unwrap();
        Self { directory, data, name }
    }

    pub(crate) fn options(&self) -> server::Options {
        server::Options {
            addresses: Some(vec!["127.0.0.1:0".parse().unwrap()]),
            ..server::Options::new(self.data.clone(), self.name)
        }
    }

    pub(crate) fn start(&self) -> Server {
        Server::start(&self.options()).unwrap()
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.data.folder(&self.name).path().to_owned()
    }

    /// The error log, as far as its lines are written whole.
    pub(crate) fn error_log(&self) -> String {
        let text = std::fs::read_to_string(self.folder().join("errors/errors.log")).unwrap_or_default();
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        text[..whole].to_owned()
    }
}

pub(crate) fn address(server: &Server) -> String {
    server.address().unwrap().to_string()
}

pub(crate) fn connect(address: &str) -> Connection {
    Connection::connect(Options::to(address.parse().unwrap()).application("test")).unwrap()
}

/// Rights of every user, for tests about logins: once there is a user or a key each request is judged.
pub(crate) const RIGHTS_OF_ALL: [&str; 2] = [
    "SET AUTHREC OBJTYPE(QMGR) GROUP('nobody') AUTHADD(ALL)",
    "SET AUTHREC PROFILE('**') OBJTYPE(QUEUE) GROUP('nobody') AUTHADD(ALL)",
];

/// Lets programs of the machine act as the users that they name, as rules of an administrator may: for tests
/// about all else.
pub(crate) const NO_PASSWORD_AT_LOOPBACK: &str =
    "SET CHLAUTH(SYSTEM.DEF.SVRCONN) TYPE(ADDRESSMAP) ADDRESS('127.0.0.1') USERSRC(CHANNEL) ACTION(REPLACE)";

/// Runs a command that must succeed.
pub(crate) fn command(connection: &mut Connection, text: &str) -> String {
    let response = connection.command(text).unwrap();
    assert!(!response.failed, "{}", response.text);
    response.text
}

pub(crate) fn open(connection: &mut impl Verbs, queue: &str, options: OpenOptions) -> ObjectHandle {
    connection.open(&ObjectDescriptor::queue(queue.parse().unwrap()), options).unwrap().handle
}

pub(crate) fn put(
    connection: &mut impl Verbs,
    handle: ObjectHandle,
    body: &[u8],
    persistence: Persistence,
    flags: PutFlags,
) -> Result<MessageDescriptor, Reason> {
    let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
    connection.put(handle, &mut descriptor, &mut PutOptions::with(flags), body.to_vec().into())?;
    Ok(descriptor)
}

pub(crate) fn get(
    connection: &mut impl Verbs,
    handle: ObjectHandle,
    wait: Duration,
    flags: GetFlags,
) -> Result<Vec<u8>, Reason> {
    let wait = if wait.is_zero() { Wait::No } else { wait.into() };
    let mut options = GetOptions::with(flags, wait);
    let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, 4 << 20)?;
    Ok(got.body.to_vec())
}
