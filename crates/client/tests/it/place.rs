//! A queue manager with queues `A` and `B`, and short ways to say things.

use client::{Address, Channel, Connection, Options, Reconnect};
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions,
    Persistence, PutFlags, PutOptions, QueueManagerName, Reason, Verbs, Wait,
};
use server::{DataDirectory, Mode, Server, instances};
use std::sync::Arc;
use std::time::Duration;

pub(crate) const BOTH: OpenOptions = OpenOptions::OUTPUT.union(OpenOptions::INPUT_SHARED);
pub(crate) const SOON: Wait = Wait::Milliseconds(10_000);

/// Credentials are not looked at: there are no users.
const OBJECTS: &str = "ALTER QMGR CONNAUTH(' ')\nDEFINE QLOCAL(A)\nDEFINE QLOCAL(B)\n\
    DEFINE CHANNEL(ONE) CHLTYPE(SVRCONN)\nDEFINE CHANNEL(TWO) CHLTYPE(SVRCONN)";

pub(crate) struct Place {
    _directory: tempfile::TempDir,
    data: DataDirectory,
    name: QueueManagerName,
    server: Option<Server>,
    port: u16,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with("")
    }

    /// The same, with more settings.
    pub(crate) fn with(more: &str) -> Self {
        Self::named("QM1", more)
    }

    /// The same, of another queue manager.
    pub(crate) fn named(name: &str, more: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let data = DataDirectory::at(directory.path());
        let settings = format!("[log]\nextent_size = \"32 MiB\"\nprimary_extents = 3\n{more}");
        let name = name.parse().unwrap();
        instances::create(&data, &name, Some(&settings)).unwrap();
        let mut place = Self { _directory: directory, data, name, server: None, port: 0 };
        place.start();
        let response = place.connect().command(OBJECTS).unwrap();
        assert!(!response.failed, "{}", response.text);
        place
    }

    /// Starts it, on the port it had before.
    pub(crate) fn start(&mut self) {
        let options = server::Options {
            addresses: Some(vec![([127, 0, 0, 1], self.port).into()]),
            ..server::Options::new(self.data.clone(), self.name)
        };
        let server = Server::start(&options).unwrap();
        self.port = server.address().unwrap().port();
        self.server = Some(server);
    }

    /// Ends it without asking anybody.
    pub(crate) fn stop(&mut self) {
        let server = self.server.take().unwrap();
        server.stop(Mode::Preemptive);
        server.wait();
        pass_a_look();
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn options(&self) -> Options {
        Options::to(Address::Tcp { host: "127.0.0.1".into(), port: self.port }).application("test")
    }

    pub(crate) fn channel(&self) -> Arc<Channel> {
        Channel::connect(self.options()).unwrap()
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection::connect(self.options()).unwrap()
    }

    /// The local socket.
    pub(crate) fn socket(&self) -> Address {
        Address::Unix(self.data.folder(&self.name).socket())
    }

    /// Where rings are offered.
    pub(crate) fn rings(&self) -> Address {
        Address::Rings(self.data.folder(&self.name).rings())
    }

    /// Connects by the local socket.
    pub(crate) fn connect_locally(&self) -> Connection {
        Connection::connect(Options::to(self.socket())).unwrap()
    }

    /// Gets all messages of a queue, in order, leaving it empty.
    pub(crate) fn drain(&self, queue: &str) -> Vec<String> {
        let mut connection = self.connect();
        let handle = open(&mut connection, queue, BOTH);
        std::iter::from_fn(|| get(&mut connection, handle, GetFlags::NO_SYNCPOINT, Wait::No).ok()).collect()
    }
}

/// Waits until a program's next call looks at its socket. A program looks once a tick of the coarse clock, at
/// most 10 ms; a put that is sent in the tick of the last look, over a socket that has ended since, is
/// answered as not known (2549).
pub(crate) fn pass_a_look() {
    std::thread::sleep(Duration::from_millis(20));
}

pub(crate) fn open(connection: &mut Connection, queue: &str, options: OpenOptions) -> ObjectHandle {
    connection.open(&ObjectDescriptor::queue(queue.parse().unwrap()), options).unwrap().handle
}

pub(crate) fn put(
    connection: &mut Connection,
    handle: ObjectHandle,
    flags: PutFlags,
    body: impl Into<String>,
) -> Result<(), Reason> {
    let mut descriptor = persistent();
    connection.put(handle, &mut descriptor, &mut PutOptions::with(flags), body.into().into())
}

pub(crate) fn get(
    connection: &mut Connection,
    handle: ObjectHandle,
    flags: GetFlags,
    wait: Wait,
) -> Result<String, Reason> {
    let mut options = GetOptions::with(flags, wait);
    let got = connection.get(handle, &mut MessageDescriptor::default(), &mut options, 100 << 20)?;
    Ok(String::from_utf8(got.body.to_vec()).unwrap())
}

pub(crate) fn persistent() -> MessageDescriptor {
    MessageDescriptor { persistence: Persistence::Persistent, ..MessageDescriptor::default() }
}

pub(crate) fn volatile() -> MessageDescriptor {
    MessageDescriptor { persistence: Persistence::NotPersistent, ..MessageDescriptor::default() }
}

/// Threads, each with a conversation of one channel, put messages of these bodies and get them by identifiers
/// of their own.
pub(crate) fn each_thread_gets_its_own(channel: &Arc<Channel>, body: fn(usize, usize) -> String) {
    let threads: Vec<_> = (0..6)
        .map(|thread| {
            let mut connection = channel.conversation().unwrap();
            std::thread::spawn(move || {
                let handle = open(&mut connection, "A", BOTH);
                let id = CorrelationId([thread as u8 + 1; 24]);
                for round in 0..200 {
                    let body = body(thread, round);
                    let mut descriptor = if round % 8 == 0 { persistent() } else { volatile() };
                    descriptor.correlation_id = id;
                    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
                    connection.put(handle, &mut descriptor, &mut options, body.clone().into()).unwrap();
                    let mut wanted = MessageDescriptor { correlation_id: id, ..MessageDescriptor::default() };
                    let mut options = GetOptions::with(GetFlags::NO_SYNCPOINT, SOON);
                    let got = connection.get(handle, &mut wanted, &mut options, 100_000).unwrap();
                    assert_eq!(got.body, body);
                }
                connection.disconnect().unwrap();
            })
        })
        .collect();
    within_time(move || threads.into_iter().for_each(|thread| thread.join().unwrap()));
}

/// Runs something that must not take longer than half a minute.
pub(crate) fn within_time<T: Send + 'static>(act: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = std::sync::mpsc::channel();
    let thread = std::thread::spawn(move || {
        let result = act();
        let _ = sender.send(());
        result
    });
    match receiver.recv_timeout(Duration::from_secs(30)) {
        Err(std::sync::mpsc::RecvTimeoutError::Timeout) => panic!("it has not ended after 30 seconds"),
        Ok(()) | Err(_) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
    }
}

/// To a port of this machine, and again soon when the connection breaks.
pub(crate) fn reconnecting_to(port: u16) -> Options {
    let reconnect = Reconnect {
        pause_min: Duration::from_millis(5),
        pause_max: Duration::from_millis(100),
        give_up_after: Duration::from_secs(20),
        ..Reconnect::default()
    };
    Options::to(Address::Tcp { host: "127.0.0.1".into(), port }).reconnecting(reconnect)
}
