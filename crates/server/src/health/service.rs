//! The thread that answers requests for health: a reactor of its own, there before the log is replayed.
//!
//! Always: a connection has one answer and a second for its request; a connection that comes when all places
//! are taken ends the oldest, so that connections left open keep no probe out.

use std::collections::VecDeque;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use transport::output::SLICES_MAX;
use transport::{
    Accepted, BindError, Closed, ConnectionId, Flow, Handler, Limits, ListenAddress, Listener, ListenerId,
    Next, Outgoing, Peer, Reactor, Refused, Remote, Tick, Wake,
};

use super::answers::{Asked, HEAD_BYTES_MAX, Request, read, verdict};
use super::{Health, Watch};
use crate::board::Board;
use crate::sleeping::End;

/// Connections at one time: those of some probes, and of programs that hold them for no reason.
const CONNECTIONS_MAX: usize = 64;

/// Longest time from connecting to the end of the request, and to the checks that were asked for.
const WITHIN: Duration = Duration::from_secs(3);

/// The pause between two looks at the turns of the threads.
const LOOK: Duration = Duration::from_secs(5);

/// The pause between two looks for checks that a probe waits for.
const LOOK_FOR_CHECKS: Duration = Duration::from_millis(20);

/// Why health cannot be answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServiceError {
    /// It cannot listen.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The system refused something else.
    #[error("cannot {what}: {source}")]
    System {
        /// The thing that was tried.
        what: &'static str,
        /// The error of the system.
        source: io::Error,
    },
}

fn refused(what: &'static str) -> impl FnOnce(io::Error) -> ServiceError {
    move |source| ServiceError::System { what, source }
}

/// Health being served, until this is dropped.
pub(crate) struct Service {
    address: SocketAddr,
    end: Arc<End>,
    remote: Remote,
    thread: Option<JoinHandle<()>>,
}

impl Service {
    /// Answers at an address from now on.
    pub(crate) fn start(
        address: SocketAddr,
        health: Arc<Health>,
        board: Arc<Board>,
    ) -> Result<Self, ServiceError> {
        let listener = Listener::tcp(address)?;
        let ListenAddress::Tcp(address) = *listener.bound() else {
            unreachable!("a TCP listener has a TCP address")
        };
        let limits = Limits { connections_max: 2 * CONNECTIONS_MAX, spin: false, ..Limits::default() };
        let mut reactor = Reactor::<Answering>::new(limits).map_err(refused("make an event queue"))?;
        reactor.listen(ListenerId(0), listener).map_err(refused("watch a listener"))?;
        let (remote, end) = (reactor.remote(), Arc::<End>::default());
        let mut answering = Answering {
            watch: Watch::new(health),
            board,
            end: Arc::clone(&end),
            looked: Instant::now(),
            connections: VecDeque::new(),
            waiting: Vec::new(),
        };
        let thread = std::thread::Builder::new().name("ferry-health".to_owned()).spawn(move || {
            reactor.run(&mut answering).expect("the system's event queue works");
        });
        let thread = thread.map_err(refused("start threads"))?;
        Ok(Self { address, end, remote, thread: Some(thread) })
    }

    /// The address that it answers at.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.end.come(&[]);
        self.remote.wake();
        // One that panicked has said so.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// One connection.
#[derive(Default)]
struct Probe {
    request: Option<Request>,
    /// True if it has been given a deadline.
    is_known: bool,
    is_answered: bool,
}

/// The rest of a fixed answer.
#[derive(Default)]
struct Fixed(&'static [u8]);

impl Outgoing for Fixed {
    fn pending(&self) -> usize {
        self.0.len()
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        slices[0] = IoSlice::new(self.0);
        1
    }

    fn written(&mut self, bytes: usize) {
        self.0 = &self.0[bytes..];
    }
}

struct Answering {
    watch: Watch,
    board: Arc<Board>,
    end: Arc<End>,
    looked: Instant,
    /// Connections that may be there, the first to come first.
    connections: VecDeque<ConnectionId>,
    /// Connections that wait for checks.
    waiting: Vec<ConnectionId>,
}

type Ticking<'a> = Tick<'a, Probe, Fixed>;

impl Answering {
    /// Answers one connection, unless what it asks for is not known yet.
    fn answer(&mut self, id: ConnectionId, tick: &mut Ticking<'_>) {
        let Some((probe, output)) = tick.get(id) else { return };
        let (Some(request), false) = (probe.request, probe.is_answered) else { return };
        let now = Instant::now();
        let answer = match request {
            Request::Refused(answer) => Some(answer),
            Request::Asked(asked, without_body) => {
                let is_well = match asked {
                    Asked::Live => Some(self.watch.is_live(now)),
                    Asked::Ready => Some(self.watch.is_ready(now)),
                    Asked::Whole => self.board.are_well(None),
                    Asked::Check(place) => self.board.are_well(Some(place)),
                };
                is_well.map(|is_well| verdict(is_well, without_body))
            }
        };
        match answer {
            Some(answer) => {
                probe.is_answered = true;
                output.0 = answer;
                tick.finish(id);
            }
            None => self.waiting.push(id),
        }
    }

    /// Gives those that are new a deadline, and ends those whose is over.
    fn pass_time(&mut self, tick: &mut Ticking<'_>) {
        while let Some(id) = tick.next_due() {
            let Some((probe, output)) = tick.get(id) else { continue };
            if !probe.is_known {
                probe.is_known = true;
                self.connections.push_back(id);
                tick.set_deadline(id, Some(Instant::now() + WITHIN));
            } else if let (Some(Request::Asked(_, without_body)), false) = (probe.request, probe.is_answered)
            {
                // The checks do not come: what makes them hangs, so not all is well.
                probe.is_answered = true;
                output.0 = verdict(false, without_body);
                tick.finish(id);
            } else {
                tick.end(id);
            }
        }
        while self.connections.len() > CONNECTIONS_MAX {
            if let Some(first) = self.connections.pop_front() {
                tick.end(first);
            }
        }
    }
}

impl Handler for Answering {
    type Connection = Probe;
    type Output = Fixed;

    fn connected(&mut self, _: &Accepted, _: Arc<Wake>) -> Probe {
        Probe::default()
    }

    fn receive(&mut self, probe: &mut Probe, input: &mut BytesMut, _: &mut Fixed) -> Flow {
        probe.request = read(&input[..input.len().min(HEAD_BYTES_MAX + 1)]);
        if probe.request.is_none() {
            return Flow::Continue;
        }
        input.clear();
        Flow::Stop
    }

    fn end_of_tick(&mut self, tick: &mut Ticking<'_>) -> Next {
        if self.end.has_come() {
            return Next::Stop;
        }
        let now = Instant::now();
        if now.saturating_duration_since(self.looked) >= LOOK {
            self.looked = now;
            self.watch.look(now);
        }
        for id in std::mem::take(&mut self.waiting) {
            self.answer(id, tick);
        }
        while let Some(id) = tick.next_touched() {
            self.answer(id, tick);
        }
        self.pass_time(tick);
        self.connections.retain(|id| tick.get(*id).is_some());
        Next::Wait
    }

    fn closed(&mut self, _: Probe, _: &Peer, _: Closed) {}

    fn refused(&mut self, _: Refused) {}

    fn deadline(&mut self) -> Option<Instant> {
        let look = self.looked + LOOK;
        let checks = (!self.waiting.is_empty()).then(|| Instant::now() + LOOK_FOR_CHECKS);
        Some(checks.map_or(look, |checks| checks.min(look)))
    }
}
