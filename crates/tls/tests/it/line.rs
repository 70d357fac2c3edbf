//! A queue manager's end that gives back what it is sent, under a cover, on a thread of its own.

use std::io::{self, IoSlice};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::{Buf, BytesMut};
use ca::{Authority, Purpose, Request};
use security::cipherspecs::Choice;
use tls::server::{ContextError, Left, QueueManager};
use tls::{ChannelTls, ClientContext, ClientSession, Clock, KeyStore, PeerCheck, Refused, ServerContexts};
use transport::output::SLICES_MAX;
use transport::{
    Accepted, Closed, CoverError, Facts, Flow, Handler, Limits, ListenAddress, Listener, ListenerId, Next,
    Outgoing, Peer, Reactor, Remote, Tick, Wake,
};

/// A moment in 2026, in seconds since 1970.
pub(crate) const NOW: u64 = 1_790_000_000;
pub(crate) const DAY: u64 = 86_400;

/// A clock that a test sets.
#[derive(Clone)]
pub(crate) struct Hands(pub(crate) Arc<AtomicU64>);

impl Default for Hands {
    fn default() -> Self {
        Self(Arc::new(AtomicU64::new(NOW)))
    }
}

impl Hands {
    pub(crate) fn clock(&self) -> Clock {
        let seconds = Arc::clone(&self.0);
        Clock::new(move || seconds.load(Ordering::SeqCst))
    }
}

/// The certificate of a queue manager on this machine.
pub(crate) fn for_queue_manager(label: &str) -> Request {
    let hosts = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
    Request { label: label.to_owned(), hosts, purpose: Purpose::QueueManager, ..for_program(label) }
}

/// The certificate of a program.
pub(crate) fn for_program(label: &str) -> Request {
    Request {
        label: label.to_owned(),
        unit: Some("Payments".to_owned()),
        organization: Some("Bank".to_owned()),
        hosts: Vec::new(),
        purpose: Purpose::Program,
        days: 30,
    }
}

/// An authority with a queue manager's key, and a program's in a store of its own.
pub(crate) struct Stores {
    pub(crate) place: tempfile::TempDir,
    pub(crate) authority: Authority,
}

impl Stores {
    pub(crate) fn new() -> Self {
        Self::new_at(NOW)
    }

    pub(crate) fn new_at(now: u64) -> Self {
        let place = tempfile::tempdir().unwrap();
        let authority = Authority::create(&place.path().join("qm"), "QM1", now).unwrap();
        authority.issue(&for_queue_manager("qm1"), now).unwrap();
        Self { place, authority }
    }

    pub(crate) fn queue_manager(&self) -> KeyStore {
        KeyStore::read(&self.place.path().join("qm")).unwrap()
    }

    /// A program's file with a key of this label, which the authority issues.
    pub(crate) fn program(&self, label: &str) -> KeyStore {
        self.program_at(label, NOW)
    }

    pub(crate) fn program_at(&self, label: &str, now: u64) -> KeyStore {
        self.authority.issue(&for_program(label), now).unwrap();
        let path = self.place.path().join(format!("{label}.ferry"));
        self.authority.bundle(label, &tls::bundle::Way::default(), &path).unwrap();
        ca::remove_key(&self.place.path().join("qm"), label).unwrap();
        KeyStore::read(&path).unwrap()
    }

    /// A program that trusts the authority and has no key.
    pub(crate) fn without_key(&self) -> KeyStore {
        KeyStore { trust: self.queue_manager().trust, ..KeyStore::default() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }
}

pub(crate) fn choice(name: &str) -> Choice {
    Choice::find(name).unwrap()
}

pub(crate) fn channel(name: &str, suites: &str, check: PeerCheck) -> ChannelTls {
    ChannelTls {
        channel: name.to_owned(),
        suites: choice(suites),
        is_judged_later: false,
        check,
        label: None,
    }
}

pub(crate) const QM1: QueueManager<'_> = QueueManager { name: "QM1", label: None };

#[derive(Default)]
struct Frames(BytesMut);

impl Outgoing for Frames {
    fn pending(&self) -> usize {
        self.0.len()
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        // Two pieces, as a frame's head and body are.
        let (head, body) = self.0.split_at(self.0.len().min(36));
        (slices[0], slices[1]) = (IoSlice::new(head), IoSlice::new(body));
        2
    }

    fn written(&mut self, bytes: usize) {
        self.0.advance(bytes);
    }
}

/// News of the connections.
#[derive(Default)]
pub(crate) struct News {
    pub(crate) facts: Vec<Option<Facts>>,
    pub(crate) errors: Vec<CoverError>,
    pub(crate) closed: usize,
}

struct Echo {
    news: Arc<Mutex<News>>,
    stop: Arc<AtomicBool>,
}

impl Handler for Echo {
    type Connection = ();
    type Output = Frames;

    fn connected(&mut self, _: &Accepted, _: Arc<Wake>) {}

    fn covered(&mut self, (): &mut (), facts: Option<Facts>) {
        self.news.lock().unwrap().facts.push(facts);
    }

    fn receive(&mut self, (): &mut (), input: &mut BytesMut, output: &mut Frames) -> Flow {
        output.0.extend_from_slice(&input.split());
        Flow::Continue
    }

    fn end_of_tick(&mut self, tick: &mut Tick<'_, (), Frames>) -> Next {
        while let Some(id) = tick.next_touched() {
            tick.flush(id);
        }
        if self.stop.load(Ordering::SeqCst) { Next::Stop } else { Next::Wait }
    }

    fn closed(&mut self, (): (), _: &Peer, why: Closed) {
        let mut news = self.news.lock().unwrap();
        news.closed += 1;
        if let Closed::Uncovered(error) = why {
            news.errors.push(error);
        }
    }

    fn refused(&mut self, refused: transport::Refused) {
        panic!("{refused:?}");
    }

    fn deadline(&mut self) -> Option<Instant> {
        None
    }
}

/// A queue manager's end.
pub(crate) struct Serving {
    pub(crate) contexts: Arc<ServerContexts>,
    pub(crate) address: SocketAddr,
    pub(crate) left: Vec<Left>,
    news: Arc<Mutex<News>>,
    stop: Arc<AtomicBool>,
    remote: Remote,
    thread: Option<JoinHandle<()>>,
}

impl Serving {
    pub(crate) fn start(store: &KeyStore, channels: &[ChannelTls], hands: &Hands) -> Self {
        Self::start_as(store, &QM1, channels, hands)
    }

    pub(crate) fn start_as(
        store: &KeyStore,
        queue_manager: &QueueManager<'_>,
        channels: &[ChannelTls],
        hands: &Hands,
    ) -> Self {
        let (contexts, left) = ServerContexts::new(store, queue_manager, channels, hands.clock()).unwrap();
        let contexts = Arc::new(contexts);
        let listener = Listener::tcp("127.0.0.1:0".parse().unwrap()).unwrap().covered(contexts.covers());
        let ListenAddress::Tcp(address) = *listener.bound() else { panic!("TCP") };
        let mut reactor = Reactor::new(Limits::default()).unwrap();
        reactor.listen(ListenerId(0), listener).unwrap();
        let (news, stop) = (Arc::<Mutex<News>>::default(), Arc::<AtomicBool>::default());
        let mut echo = Echo { news: Arc::clone(&news), stop: Arc::clone(&stop) };
        let remote = reactor.remote();
        let thread = std::thread::spawn(move || reactor.run(&mut echo).unwrap());
        Self { contexts, address, left, news, stop, remote, thread: Some(thread) }
    }

    pub(crate) fn news<T>(&self, look: impl FnOnce(&mut News) -> T) -> T {
        look(&mut self.news.lock().unwrap())
    }

    /// Waits until so many connections are over.
    pub(crate) fn closed(&self, count: usize) {
        let until = Instant::now() + Duration::from_secs(20);
        while self.news(|news| news.closed) < count {
            assert!(Instant::now() < until, "not within twenty seconds: {count} connections are over");
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    pub(crate) fn connect(&self, context: &ClientContext) -> Result<Program, Refused> {
        Program::connect(self.address, context)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        self.remote.wake();
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

/// A program's end, with a socket that waits.
pub(crate) struct Program {
    pub(crate) stream: TcpStream,
    session: ClientSession,
    pub(crate) facts: Option<Facts>,
    plain: BytesMut,
}

impl Program {
    pub(crate) fn connect(address: SocketAddr, context: &ClientContext) -> Result<Self, Refused> {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        let session = context.session("localhost")?;
        let mut program = Self { stream, session, facts: None, plain: BytesMut::new() };
        while program.facts.is_none() {
            program.turn()?;
        }
        Ok(program)
    }

    /// Opens what comes; returns true at the end of the queue manager's bytes.
    pub(crate) fn turn(&mut self) -> Result<bool, Refused> {
        let (mut sealed, mut reply) = (BytesMut::new(), BytesMut::new());
        let before = self.plain.len();
        if self.open(&mut sealed, &mut reply)? {
            return Ok(true);
        }
        if self.plain.len() > before {
            return Ok(false);
        }
        let mut bytes = [0; 16 << 10];
        let came = io::Read::read(&mut self.stream, &mut bytes).unwrap();
        sealed.extend_from_slice(&bytes[..came]);
        while !sealed.is_empty() {
            if self.open(&mut sealed, &mut reply)? {
                return Ok(true);
            }
        }
        Ok(came == 0)
    }

    fn open(&mut self, sealed: &mut BytesMut, reply: &mut BytesMut) -> Result<bool, Refused> {
        let opened = self.session.open(sealed, &mut self.plain, reply);
        // The end may have come before the last word is written.
        let _ = io::Write::write_all(&mut self.stream, &reply.split());
        match opened? {
            tls::client::Opened::All => Ok(false),
            tls::client::Opened::Done(facts) => {
                self.facts = Some(*facts);
                Ok(false)
            }
            tls::client::Opened::End => Ok(true),
        }
    }

    pub(crate) fn send(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let mut sealed = BytesMut::new();
            let taken = self.session.seal(&[IoSlice::new(bytes)], &mut sealed).unwrap();
            io::Write::write_all(&mut self.stream, &sealed).unwrap();
            bytes = &bytes[taken..];
        }
    }

    pub(crate) fn receive(&mut self, count: usize) -> Result<Vec<u8>, Refused> {
        while self.plain.len() < count {
            assert!(!self.turn()?, "the end came after {} bytes of {count}", self.plain.len());
        }
        Ok(self.plain.split_to(count).to_vec())
    }

    /// Has bytes given back.
    pub(crate) fn echo(&mut self, bytes: &[u8]) -> Result<(), Refused> {
        self.send(bytes);
        assert!(self.receive(bytes.len())? == bytes);
        Ok(())
    }

    pub(crate) fn close(mut self) {
        let mut sealed = BytesMut::new();
        self.session.close(&mut sealed);
        io::Write::write_all(&mut self.stream, &sealed).unwrap();
    }
}

/// A program's context, by SSLCIPH, for a channel.
pub(crate) fn context(
    store: &KeyStore,
    suites: &str,
    channel: Option<&str>,
    hands: &Hands,
) -> Result<ClientContext, ContextError> {
    context_for(store, suites, channel, None, hands)
}

/// The same, with SSLPEER.
pub(crate) fn context_for(
    store: &KeyStore,
    suites: &str,
    channel: Option<&str>,
    peer: Option<&str>,
    hands: &Hands,
) -> Result<ClientContext, ContextError> {
    let how = tls::client::ClientTls {
        suites: choice(suites),
        label: None,
        peer: peer.map(|peer| peer.parse().unwrap()),
        channel: channel.map(str::to_owned),
        user: "app".to_owned(),
    };
    ClientContext::new(store, &how, &hands.clock())
}
