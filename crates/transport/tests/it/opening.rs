//! Connections that the reactor opens, and the deadlines of connections.

use std::io::{self, IoSlice, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use parking_lot::Mutex;
use transport::output::SLICES_MAX;
use transport::{
    Accepted, Closed, ConnectionId, DialId, Dialling, Flow, Handler, Limits, ListenerId, Next, Outgoing,
    Peer, Reactor, Refused, Remote, Tick, Wake,
};

use crate::lines::{eventually, loopback};

const LONG: Duration = Duration::from_secs(600);

/// Orders for the next tick. Connections are numbered as they begin.
enum Order {
    Open(SocketAddr, Duration),
    Say(usize, &'static [u8]),
    Deadline(usize, Option<Duration>),
    Finish(usize),
    End(usize),
    Stop,
}

/// Facts about each connection, in the order they came true.
#[derive(Debug, PartialEq)]
enum Fact {
    Accepted(usize),
    Reached(usize),
    Due(usize),
    Heard(usize, Vec<u8>),
    TooMany,
    ByPeer(usize),
    ByUs(usize),
    Unreached(usize, io::ErrorKind),
}

#[derive(Default)]
struct Said(Vec<u8>);

impl Outgoing for Said {
    fn pending(&self) -> usize {
        self.0.len()
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        slices[0] = IoSlice::new(&self.0);
        usize::from(!self.0.is_empty())
    }

    fn written(&mut self, bytes: usize) {
        self.0.drain(..bytes);
    }
}

#[derive(Default)]
struct Shared {
    orders: Mutex<Vec<Order>>,
    facts: Mutex<Vec<(Instant, Fact)>>,
}

impl Shared {
    fn note(&self, fact: Fact) {
        self.facts.lock().push((Instant::now(), fact));
    }
}

/// Obeys orders, and tells what it finds.
#[derive(Default)]
struct Caller {
    shared: Arc<Shared>,
    begun: Vec<ConnectionId>,
    accepted: usize,
}

impl Caller {
    fn obey(&mut self, order: &Order, tick: &mut Tick<'_, usize, Said>) -> Next {
        match *order {
            Order::Open(address, within) => {
                let number = self.begun.len();
                match tick.connect(address, within, |_| number) {
                    Ok(id) => self.begun.push(id),
                    Err(Refused::TooMany { .. }) => self.shared.note(Fact::TooMany),
                    Err(Refused::NoResources(error)) => panic!("{error}"),
                }
            }
            Order::Say(number, bytes) => {
                if let Some((_, output)) = tick.get(self.begun[number]) {
                    output.0.extend_from_slice(bytes);
                }
                tick.flush(self.begun[number]);
            }
            Order::Deadline(number, after) => {
                tick.set_deadline(self.begun[number], after.map(|after| Instant::now() + after));
            }
            Order::Finish(number) => tick.finish(self.begun[number]),
            Order::End(number) => tick.end(self.begun[number]),
            Order::Stop => return Next::Stop,
        }
        Next::Wait
    }
}

impl Handler for Caller {
    type Connection = usize;
    type Output = Said;

    fn connected(&mut self, _: &Accepted, _: Arc<Wake>) -> usize {
        let number = 100 + self.accepted;
        self.accepted += 1;
        self.shared.note(Fact::Accepted(number));
        number
    }

    fn dialled(&mut self, id: DialId, _: Arc<Wake>) -> usize {
        200 + usize::try_from(id.0).unwrap()
    }

    fn undialled(&mut self, _: DialId, refused: Refused) {
        assert!(matches!(refused, Refused::TooMany { .. }), "{refused:?}");
        self.shared.note(Fact::TooMany);
    }

    fn reached(&mut self, number: &mut usize, local: Option<SocketAddr>) {
        assert!(local.is_some_and(|local| local.port() != 0), "{local:?}");
        self.shared.note(Fact::Reached(*number));
    }

    fn receive(&mut self, number: &mut usize, input: &mut BytesMut, _: &mut Said) -> Flow {
        self.shared.note(Fact::Heard(*number, input.split().to_vec()));
        Flow::Continue
    }

    fn end_of_tick(&mut self, tick: &mut Tick<'_, usize, Said>) -> Next {
        while let Some(id) = tick.next_due() {
            if let Some((number, _)) = tick.get(id) {
                self.shared.note(Fact::Due(*number));
            }
        }
        let orders = std::mem::take(&mut *self.shared.orders.lock());
        orders
            .iter()
            .map(|order| self.obey(order, tick))
            .fold(Next::Wait, |all, one| if one == Next::Stop { one } else { all })
    }

    fn closed(&mut self, number: usize, _: &Peer, why: Closed) {
        self.shared.note(match why {
            Closed::ByPeer => Fact::ByPeer(number),
            Closed::ByUs => Fact::ByUs(number),
            Closed::Unreached(error) => Fact::Unreached(number, error.kind()),
            Closed::Broken(error) => panic!("{error}"),
            Closed::Uncovered(error) => panic!("{error}"),
        });
    }

    fn refused(&mut self, refused: Refused) {
        panic!("{refused:?}");
    }

    fn deadline(&mut self) -> Option<Instant> {
        None
    }
}

struct Running {
    shared: Arc<Shared>,
    remote: Remote,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn new(limits: Limits) -> Self {
        let listener = loopback();
        let transport::ListenAddress::Tcp(address) = *listener.bound() else { panic!("it is TCP") };
        let mut reactor = Reactor::new(limits).unwrap();
        reactor.listen(ListenerId(7), listener).unwrap();
        let mut caller = Caller::default();
        let (shared, remote) = (Arc::clone(&caller.shared), reactor.remote());
        let thread = std::thread::spawn(move || reactor.run(&mut caller).unwrap());
        Self { shared, remote, address, thread: Some(thread) }
    }

    fn order(&self, order: Order) {
        self.shared.orders.lock().push(order);
        self.remote.wake();
    }

    /// Waits for a fact; when it came true.
    fn hears(&self, fact: &Fact) -> Instant {
        let mut at = None;
        eventually(&format!("{fact:?}"), || {
            at = self.shared.facts.lock().iter().find(|(_, one)| one == fact).map(|(at, _)| *at);
            at.is_some()
        });
        at.unwrap()
    }

    fn count(&self, fact: &Fact) -> usize {
        self.shared.facts.lock().iter().filter(|(_, one)| one == fact).count()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.order(Order::Stop);
        let ended = self.thread.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

/// An address at which nobody answers for now: its queue of programs that connect is full.
struct Silent {
    address: SocketAddr,
    _listener: socket2::Socket,
    _waiting: Vec<TcpStream>,
}

impl Silent {
    fn new() -> Self {
        let listener = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
        listener.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).unwrap();
        listener.listen(0).unwrap();
        let address = listener.local_addr().unwrap().as_socket().unwrap();
        let soon = Duration::from_millis(200);
        let waiting =
            std::iter::from_fn(|| TcpStream::connect_timeout(&address, soon).ok()).take(10).collect();
        Self { address, _listener: listener, _waiting: waiting }
    }
}

/// An address at which nothing listens.
fn deserted() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[test]
fn a_connection_that_is_opened_speaks_and_hears() {
    let running = Running::new(Limits::default());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    running.order(Order::Open(listener.local_addr().unwrap(), LONG));
    let (mut theirs, _) = listener.accept().unwrap();
    running.hears(&Fact::Reached(0));
    running.order(Order::Say(0, b"first word"));
    let mut heard = [0; 10];
    theirs.read_exact(&mut heard).unwrap();
    assert_eq!(&heard, b"first word");
    theirs.write_all(b"answer").unwrap();
    running.hears(&Fact::Heard(0, b"answer".to_vec()));
    running.hears(&Fact::Due(0));
    drop(theirs);
    running.hears(&Fact::ByPeer(0));
    assert_eq!(running.count(&Fact::Reached(0)), 1);
}

#[test]
fn what_is_said_before_a_connection_is_there_leaves_when_it_is() {
    let running = Running::new(Limits::default());
    let silent = Silent::new();
    running.order(Order::Open(silent.address, LONG));
    running.order(Order::Say(0, b"early"));
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(running.count(&Fact::Reached(0)), 0);
    // The queue gets room: the system tries again within a few seconds.
    let Silent { _listener: listener, .. } = silent;
    let mut heard = [0; 5];
    loop {
        let (theirs, peer) = listener.accept().unwrap();
        let mut theirs = TcpStream::from(theirs);
        theirs.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        if theirs.read_exact(&mut heard).is_ok() {
            assert_eq!(&heard, b"early", "{peer:?}");
            break;
        }
    }
    running.hears(&Fact::Reached(0));
}

#[test]
fn an_answer_and_an_end_that_are_there_with_the_connection_are_both_heard() {
    let running = Running::new(Limits::default());
    for number in 0..20 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let other = std::thread::spawn(move || listener.accept().unwrap().0.write_all(b"bye").unwrap());
        running.order(Order::Open(address, LONG));
        running.hears(&Fact::Heard(number, b"bye".to_vec()));
        running.hears(&Fact::ByPeer(number));
        other.join().unwrap();
    }
}

#[test]
fn a_connection_that_is_refused_is_told_of() {
    let running = Running::new(Limits::default());
    running.order(Order::Open(deserted(), LONG));
    running.hears(&Fact::Unreached(0, io::ErrorKind::ConnectionRefused));
    assert_eq!(running.count(&Fact::Reached(0)), 0);
}

#[test]
fn a_connection_that_is_not_there_in_time_is_told_of_and_holds_nobody_up() {
    let running = Running::new(Limits::default());
    let silent = Silent::new();
    let began = Instant::now();
    running.order(Order::Open(silent.address, Duration::from_millis(300)));
    // Others are served meanwhile.
    let _others = TcpStream::connect(running.address).unwrap();
    let served = running.hears(&Fact::Accepted(100));
    let ended = running.hears(&Fact::Unreached(0, io::ErrorKind::TimedOut));
    assert!(served < ended);
    assert!(ended - began >= Duration::from_millis(300), "{:?}", ended - began);
}

#[test]
fn a_connection_may_be_ended_before_it_is_there() {
    let running = Running::new(Limits::default());
    let silent = Silent::new();
    for (number, end) in [(0, Order::End(0)), (1, Order::Finish(1))] {
        running.order(Order::Open(silent.address, LONG));
        running.order(end);
        running.hears(&Fact::ByUs(number));
    }
    // One that is being opened ends with the reactor, too.
    running.order(Order::Open(silent.address, LONG));
    let shared = Arc::clone(&running.shared);
    drop(running);
    let facts = shared.facts.lock();
    assert!(facts.iter().any(|(_, fact)| *fact == Fact::ByUs(2)), "{facts:?}");
    assert!(!facts.iter().any(|(_, fact)| matches!(fact, Fact::Reached(_))), "{facts:?}");
}

#[test]
fn connections_that_are_opened_count_among_all() {
    let running = Running::new(Limits { connections_max: 1, ..Limits::default() });
    let silent = Silent::new();
    running.order(Order::Open(silent.address, LONG));
    running.order(Order::Open(silent.address, LONG));
    running.hears(&Fact::TooMany);
}

#[test]
fn a_deadline_passes_once_and_another_may_be_set() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let running = Running::new(Limits::default());
    running.order(Order::Open(listener.local_addr().unwrap(), LONG));
    running.hears(&Fact::Due(0));
    let set = Instant::now();
    running.order(Order::Deadline(0, Some(Duration::from_millis(50))));
    eventually("it is due again", || running.count(&Fact::Due(0)) == 2);
    assert!(set.elapsed() >= Duration::from_millis(50));
    std::thread::sleep(Duration::from_millis(150));
    assert_eq!(running.count(&Fact::Due(0)), 2, "it has none until one is set");
}

#[test]
fn a_deadline_that_is_moved_passes_where_it_was_moved_to() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let running = Running::new(Limits::default());
    for number in 0..3 {
        running.order(Order::Open(listener.local_addr().unwrap(), LONG));
        running.hears(&Fact::Due(number));
    }
    let set = Instant::now();
    let (soon, later) = (Duration::from_millis(100), Duration::from_millis(400));
    for (number, first, then) in [(0, soon, Some(later)), (1, LONG, Some(soon)), (2, soon, None)] {
        running.order(Order::Deadline(number, Some(first)));
        running.order(Order::Deadline(number, then));
    }
    eventually("the one moved to the front is due", || running.count(&Fact::Due(1)) == 2);
    assert!(set.elapsed() >= soon);
    eventually("the one moved back is due", || running.count(&Fact::Due(0)) == 2);
    assert!(set.elapsed() >= later, "{:?}", set.elapsed());
    assert_eq!(running.count(&Fact::Due(2)), 1, "one that is taken away does not pass");
}

/// Has another thread than the reactor's open a connection.
fn dial(running: &Running, id: u64, to: SocketAddr, from: transport::dial::From) {
    running.remote.dial(Dialling { id: DialId(id), to, from, cover: None, within: LONG });
}

#[test]
fn another_thread_has_a_connection_opened_from_an_address_and_a_port_of_its_choice() {
    let far = TcpListener::bind("127.0.0.1:0").unwrap();
    let to = far.local_addr().unwrap();
    let running = Running::new(Limits::default());
    // The first port of the range is taken.
    let taken = TcpListener::bind("127.0.0.2:0").unwrap();
    let port = taken.local_addr().unwrap().port().min(65_000);
    let address = Some("127.0.0.2".parse().unwrap());
    dial(&running, 1, to, transport::dial::From { address, ports: Some((port, port + 20)) });
    running.hears(&Fact::Reached(201));
    let (_stream, peer) = far.accept().unwrap();
    assert_eq!(peer.ip(), "127.0.0.2".parse::<std::net::IpAddr>().unwrap());
    assert!((port + 1..=port + 20).contains(&peer.port()), "{peer}");
    dial(&running, 2, to, transport::dial::From { address, ports: Some((port, port)) });
    running.hears(&Fact::Unreached(202, io::ErrorKind::AddrInUse));
    dial(&running, 3, to, transport::dial::From { address: Some("192.0.2.1".parse().unwrap()), ports: None });
    running.hears(&Fact::Unreached(203, io::ErrorKind::AddrNotAvailable));
    dial(&running, 4, to, transport::dial::From::default());
    running.hears(&Fact::Reached(204));
}

#[test]
fn one_too_many_is_not_opened_for_another_thread() {
    let running = Running::new(Limits { connections_max: 0, ..Limits::default() });
    dial(&running, 1, running.address, transport::dial::From::default());
    running.hears(&Fact::TooMany);
}
