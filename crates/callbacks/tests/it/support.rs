//! A queue manager, and connections to it of every kind.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use bytes::Bytes;
use callbacks::{CallType, Called, Connection, Consuming, Context, Description, Operation};
use mqi::{
    GetFlags, GetOptions, Listen, MatchOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    OpenOptions, Persistence, PutFlags, PutOptions, Reason, Verbs, Wait,
};
use server::embedded::{Listeners, QueueManager};
use server::{DataDirectory, instances};

/// Longer than anything takes that is going to happen.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// Long enough for what should not happen to show itself.
pub(crate) const GLANCE: Duration = Duration::from_millis(120);

pub(crate) struct Bench {
    pub(crate) manager: QueueManager,
    data: DataDirectory,
    _folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new(mqsc: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (data, name) = (DataDirectory::at(folder.path()), "QM1".parse().unwrap());
        let settings = "[listener]\naddresses = [\"127.0.0.1:0\"]\n[log]\nextent_size = \"4 MiB\"\n";
        instances::create(&data, &name, Some(settings)).unwrap();
        let manager = QueueManager::open_with(folder.path(), &name, Listeners::AsConfigured).unwrap();
        manager.command(mqsc).unwrap();
        Self { manager, data, _folder: folder }
    }

    pub(crate) fn embedded(&self) -> server::embedded::Connection {
        self.manager.connect("consumer").unwrap()
    }

    pub(crate) fn client(&self, is_local: bool) -> client::Connection {
        let name = "QM1".parse().unwrap();
        let address = match is_local {
            true => client::Address::Unix(self.data.folder(&name).socket()),
            false => self.manager.server().address().unwrap().to_string().parse().unwrap(),
        };
        client::Connection::connect(client::Options::to(address).application("consumer")).unwrap()
    }
}

/// Runs a test on every kind of connection.
pub(crate) trait OnEvery {
    fn run<V: Listen + Send + 'static>(self, bench: &Bench, connection: Connection<V>);
}

/// Each time with a queue manager of its own.
pub(crate) fn on_every<T: OnEvery>(mqsc: &str, test: impl Fn() -> T) {
    let bench = Bench::new(mqsc);
    test().run(&bench, Connection::new(bench.embedded()));
    drop(bench);
    for is_local in [true, false] {
        let bench = Bench::new(mqsc);
        test().run(&bench, Connection::new(bench.client(is_local)));
    }
}

/// A call of a callback, without the parts that it borrows.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) context: Context,
    pub(crate) body: Option<Bytes>,
}

/// Calls of callbacks, as a test receives them.
pub(crate) struct Calls(Receiver<Told>);

/// The other end.
pub(crate) type Teller = Sender<Told>;

pub(crate) fn calls() -> (Teller, Calls) {
    let (teller, told) = channel();
    (teller, Calls(told))
}

pub(crate) fn told(called: &Called<'_>) -> Told {
    Told { context: called.context, body: called.message.map(|message| message.body.clone()) }
}

/// A function that only tells.
pub(crate) fn telling(teller: Teller) -> impl FnMut(&mut dyn Consuming, Called<'_>) + Send {
    move |_, called| drop(teller.send(told(&called)))
}

impl Calls {
    pub(crate) fn next(&self) -> Told {
        self.0.recv_timeout(PATIENCE).expect("a call")
    }

    /// The next call is with this message.
    pub(crate) fn expect_message(&self, body: &str) -> Context {
        let told = self.next();
        let found = told.body.as_ref().map(|body| String::from_utf8_lossy(body).into_owned());
        assert_eq!(found.as_deref(), Some(body), "{:?}", told.context);
        told.context
    }

    /// The next call is of this kind.
    pub(crate) fn expect_call(&self, call_type: CallType, reason: Option<Reason>) -> Context {
        let told = self.next();
        assert_eq!((told.context.call_type, told.context.reason), (call_type, reason), "{told:?}");
        told.context
    }

    pub(crate) fn expect_none(&self) {
        let found = self.0.recv_timeout(GLANCE);
        assert!(
            matches!(found, Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected)),
            "{found:?}"
        );
    }
}

pub(crate) fn queue(name: &str) -> ObjectDescriptor {
    ObjectDescriptor::queue(name.parse().unwrap())
}

pub(crate) fn open_queue(verbs: &mut dyn Verbs, name: &str, options: OpenOptions) -> ObjectHandle {
    verbs.open(&queue(name), options).unwrap().handle
}

pub(crate) fn put(verbs: &mut dyn Verbs, name: &str, body: &str) {
    put_as(verbs, name, body, Persistence::NotPersistent);
}

pub(crate) fn put_as(verbs: &mut dyn Verbs, name: &str, body: &str, persistence: Persistence) {
    let mut descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
    let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
    verbs.put1(&queue(name), &mut descriptor, &mut options, Bytes::copy_from_slice(body.as_bytes())).unwrap();
}

pub(crate) fn get(verbs: &mut dyn Verbs, name: &str) -> Result<String, Reason> {
    let handle = verbs.open(&queue(name), OpenOptions::INPUT_SHARED)?.handle;
    let mut options = any(GetFlags::NO_SYNCPOINT, Wait::No);
    let got = verbs.get(handle, &mut MessageDescriptor::default(), &mut options, 1 << 20);
    verbs.close(handle, mqi::CloseOptions::EMPTY)?;
    got.map(|got| String::from_utf8(got.body.to_vec()).unwrap())
}

/// Options that match any message.
pub(crate) fn any(flags: GetFlags, wait: Wait) -> GetOptions {
    GetOptions { match_options: MatchOptions::EMPTY, ..GetOptions::with(flags, wait) }
}

pub(crate) fn register<V: Listen + Send + 'static>(
    connection: &Connection<V>,
    handle: ObjectHandle,
    description: Description,
    flags: GetFlags,
) {
    let options = any(flags, Wait::Unlimited);
    let descriptor = MessageDescriptor::default();
    connection.callback(Operation::REGISTER, Some(description), handle, &descriptor, &options).unwrap();
}

pub(crate) fn control<V: Listen + Send + 'static>(connection: &Connection<V>, operation: Operation) {
    assert_eq!(connection.control(operation, 0), Ok(None), "{operation:?}");
}
