//! A handler to test with: frames are a length of four bytes and that many bytes, and are sent back.
//! The frame `bye` is answered and ends the connection.

use std::collections::VecDeque;
use std::io::{IoSlice, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::{Buf, Bytes, BytesMut};
use parking_lot::Mutex;
use transport::output::SLICES_MAX;
use transport::{
    Accepted, Closed, CoverError, Flow, Handler, Limits, ListenAddress, Listener, ListenerId, Next, Outgoing,
    Peer, Place, Reactor, Refused, Remote, Tick, Wake,
};

/// Frames taken from one connection in one turn.
pub(crate) const SHARE: usize = 16;

/// Frames that wait to be sent back.
#[derive(Default)]
pub(crate) struct Frames {
    waiting: VecDeque<Bytes>,
    pending: usize,
}

impl Frames {
    fn push(&mut self, frame: Bytes) {
        self.pending += frame.len();
        self.waiting.push_back(frame);
    }
}

impl Outgoing for Frames {
    fn pending(&self) -> usize {
        self.pending
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        let filled = slices.iter_mut().zip(&self.waiting);
        filled.map(|(slice, frame)| *slice = IoSlice::new(frame)).count()
    }

    fn written(&mut self, mut bytes: usize) {
        self.pending -= bytes;
        while let Some(first) = self.waiting.front_mut() {
            if bytes < first.len() {
                first.advance(bytes);
                return;
            }
            bytes -= first.len();
            self.waiting.pop_front();
        }
    }
}

#[derive(Default)]
pub(crate) struct Facts {
    pub(crate) stop: AtomicBool,
    pub(crate) stop_listening: AtomicBool,
    /// Holds the reactor at the end of its tick while a test has it: the test decides the order of events.
    pub(crate) hold: Mutex<()>,
    pub(crate) ticks: AtomicUsize,
    pub(crate) connected: AtomicUsize,
    pub(crate) closed: AtomicUsize,
    pub(crate) refused: AtomicUsize,
    pub(crate) order: Mutex<Vec<usize>>,
    pub(crate) wakes: Mutex<Vec<Arc<Wake>>>,
    pub(crate) woken: AtomicUsize,
    pub(crate) came_by: Mutex<Vec<ListenerId>>,
    pub(crate) places: Mutex<Vec<Place>>,
    /// For each cover that was told of, whether there is one.
    pub(crate) covered: Mutex<Vec<bool>>,
    pub(crate) uncovered: Mutex<Vec<CoverError>>,
}

pub(crate) struct Conversation {
    number: usize,
    bye: bool,
    echoed: bool,
}

pub(crate) struct Echo {
    facts: Arc<Facts>,
}

impl Handler for Echo {
    type Connection = Conversation;
    type Output = Frames;

    fn is_favoured(&mut self, accepted: &Accepted) -> bool {
        matches!(accepted.peer, Peer::Unix { .. })
    }

    fn connected(&mut self, accepted: &Accepted, wake: Arc<Wake>) -> Conversation {
        self.facts.came_by.lock().push(accepted.listener);
        self.facts.places.lock().push(accepted.place);
        self.facts.wakes.lock().push(wake);
        let number = self.facts.connected.fetch_add(1, Ordering::SeqCst);
        Conversation { number, bye: false, echoed: false }
    }

    fn receive(&mut self, connection: &mut Conversation, input: &mut BytesMut, output: &mut Frames) -> Flow {
        for _ in 0..SHARE {
            let Some(header) = input.first_chunk::<4>() else { return Flow::Continue };
            let length = u32::from_le_bytes(*header) as usize;
            if input.len() < 4 + length {
                input.reserve(4 + length - input.len());
                return Flow::Continue;
            }
            let frame = input.split_to(4 + length).freeze();
            self.facts.order.lock().push(connection.number);
            connection.echoed = true;
            connection.bye = frame.chunk()[4..] == *b"bye";
            output.push(frame);
            if connection.bye {
                return Flow::Stop;
            }
        }
        Flow::More
    }

    fn end_of_tick(&mut self, tick: &mut Tick<'_, Conversation, Frames>) -> Next {
        self.facts.ticks.fetch_add(1, Ordering::SeqCst);
        drop(self.facts.hold.lock());
        while let Some(id) = tick.next_touched() {
            let Some((connection, _)) = tick.get(id) else { continue };
            if !std::mem::take(&mut connection.echoed) {
                self.facts.woken.fetch_add(1, Ordering::SeqCst);
            }
            if connection.bye { tick.finish(id) } else { tick.flush(id) }
        }
        if self.facts.stop_listening.load(Ordering::SeqCst) {
            tick.stop_listening();
        }
        if self.facts.stop.load(Ordering::SeqCst) { Next::Stop } else { Next::Wait }
    }

    fn covered(&mut self, _: &mut Conversation, facts: Option<transport::Facts>) {
        self.facts.covered.lock().push(facts.is_some());
    }

    fn closed(&mut self, _: Conversation, _: &Peer, why: Closed) {
        if let Closed::Uncovered(error) = why {
            self.facts.uncovered.lock().push(error);
        }
        self.facts.closed.fetch_add(1, Ordering::SeqCst);
    }

    fn refused(&mut self, _: Refused) {
        self.facts.refused.fetch_add(1, Ordering::SeqCst);
    }

    fn deadline(&mut self) -> Option<Instant> {
        None
    }
}

/// A reactor on a thread of its own; ends with the value.
pub(crate) struct Running {
    pub(crate) facts: Arc<Facts>,
    pub(crate) remote: Remote,
    pub(crate) bound: Vec<ListenAddress>,
    thread: Option<JoinHandle<()>>,
}

pub(crate) fn serve(limits: Limits, listeners: Vec<Listener>, siblings: Vec<Remote>) -> Running {
    let mut reactor = Reactor::new(limits).unwrap();
    for (number, listener) in (0..).zip(listeners) {
        reactor.listen(ListenerId(number), listener).unwrap();
    }
    reactor.share_with(siblings);
    let facts = Arc::<Facts>::default();
    let (remote, bound) = (reactor.remote(), reactor.bound().cloned().collect());
    let mut handler = Echo { facts: Arc::clone(&facts) };
    let thread = std::thread::spawn(move || reactor.run(&mut handler).unwrap());
    Running { facts, remote, bound, thread: Some(thread) }
}

pub(crate) fn loopback() -> Listener {
    Listener::tcp("127.0.0.1:0".parse().unwrap()).unwrap()
}

impl Running {
    pub(crate) fn address(&self) -> SocketAddr {
        match &self.bound[0] {
            ListenAddress::Tcp(address) => *address,
            ListenAddress::Unix(_) | ListenAddress::Rings(_) => panic!("the first listener is TCP"),
        }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.facts.stop.store(true, Ordering::SeqCst);
        self.remote.wake();
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

pub(crate) fn send(stream: &mut impl Write, body: &[u8]) {
    let mut frame = u32::try_from(body.len()).unwrap().to_le_bytes().to_vec();
    frame.extend(body);
    stream.write_all(&frame).unwrap();
}

pub(crate) fn receive(stream: &mut impl Read) -> Vec<u8> {
    let mut header = [0; 4];
    stream.read_exact(&mut header).unwrap();
    let mut body = vec![0; u32::from_le_bytes(header) as usize];
    stream.read_exact(&mut body).unwrap();
    body
}

/// Waits for something another thread brings about.
pub(crate) fn eventually(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < until, "not within ten seconds: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
