//! The connections of a reactor as the queue manager serves them: bytes to agents, gated output to sockets,
//! and the log driven in between.
//!
//! The end of a tick, in order: what needs no force is released and written; then, if the log has work, what
//! other sockets brought meanwhile is taken first (it shares the force, `gathering`); then the block is
//! written, here or by the log's thread; then what the force made durable is released.
//!
//! Lives here: the handler that the reactor calls. `turn` has the turn of one connection, `log` decides when
//! the log is written, `strangers` says which programs may connect, `agents` picks the agent that serves a
//! connection, `encryption` tells it of the connection's encryption.
//!
//! Always: output reaches a socket through `Agent::release` with proof of durability, nowhere else.

mod agents;
mod encryption;
mod log;
mod pending_call;
mod strangers;
mod turn;

use std::io::IoSlice;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::agents::{Agent, Close, Limits, Output, PendingConnection};
use bytes::BytesMut;
use mqi::{ObjectName, Reason};
use objects::messages::{ACCEPTING_PAUSED, HANDSHAKE_FAILED};
use queue_manager::{ChannelFailure, QueueManager};
use transport::output::SLICES_MAX;
use transport::{
    Accepted, Closed, ConnectionId, CoverError, DialId, Facts, Flow, Handler, ListenerId, Next, Outgoing,
    Peer, Place, Refused, SharedCovers, Tick, Wake, spin,
};

use crate::board::Board;
use crate::configuration::ListenerTls;
use crate::driving::Driving;
use crate::ending::Ending;
use crate::errors::ErrorLog;
use crate::exposure::Exposure;
use crate::gathering::{CommitDelay, Gathering};
use crate::health::Health;
use crate::host::{Interest, ServerHost};
use crate::logins::LoginDesk;
use crate::strangers::{Stranger, Strangers};
use agents::Served;
use pending_call::PendingCall;

/// Output of a connection: the agent's, as the reactor writes it.
#[derive(Default)]
pub(crate) struct Frames(Output);

impl Outgoing for Frames {
    fn pending(&self) -> usize {
        self.0.len()
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        self.0.slices(slices)
    }

    fn written(&mut self, bytes: usize) {
        self.0.advance(bytes);
    }
}

/// One connection.
pub(crate) struct Connected {
    agent: Served,
    /// The listener that it came by; none where this side called.
    listener: Option<ListenerId>,
    origin: String,
    /// The address of a program that comes by a network.
    address: Option<IpAddr>,
    /// Listed among those that wait for the log.
    is_gated: bool,
    /// Its input waits until output was written, or until the log has room.
    is_paused: bool,
    /// Listed among those whose puts wait for room in the log.
    is_listed_paced: bool,
    /// It is at its end; what is gated still goes out first.
    close: Option<Close>,
    /// Its place among the programs that have not logged in; none once it has, or comes by the local socket.
    stranger: Option<Stranger>,
    /// Of a message channel: the way to say why its connection ended.
    failure: Option<ChannelFailure>,
    /// It is connected only to be told that all places are taken.
    is_beyond: bool,
}

/// State that all reactors of a queue manager share.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) queue_manager: QueueManager,
    pub(crate) host: Arc<ServerHost>,
    pub(crate) errors: ErrorLog,
    pub(crate) ending: Arc<Ending>,
    pub(crate) limits: Limits,
    pub(crate) driving: Driving,
    pub(crate) commit_delay: CommitDelay,
    pub(crate) started: Instant,
    pub(crate) logins: Arc<LoginDesk>,
    /// The channel by which AMQP is spoken at the listeners of `ferry.toml`.
    pub(crate) amqp_channel: Option<ObjectName>,
    pub(crate) strangers: Arc<Strangers>,
    /// The usual encryption of TCP listeners.
    pub(crate) listener_tls: ListenerTls,
    /// The conditions on which one listens beyond loopback.
    pub(crate) exposure: Exposure,
    /// Their covers, if they have any.
    pub(crate) listener_covers: Option<SharedCovers>,
    pub(crate) health: Arc<Health>,
    pub(crate) board: Arc<Board>,
}

/// Time until the next look for room in the log for a waiting put.
const PACE: Duration = Duration::from_millis(1);

/// Ticks with a force for which traffic without one is remembered.
const UNGATED_MEMORY: u32 = 16;

/// The handler of one reactor.
pub(crate) struct Serving {
    common: Common,
    holds_gated: Arc<Interest>,
    gated: Vec<ConnectionId>,
    /// Connections whose output had no room or no turn left.
    unfinished: Vec<ConnectionId>,
    /// Connections whose puts wait for room in the log.
    paced: Vec<ConnectionId>,
    /// True if a put of theirs waits for a getter that is about to come.
    expects_getter: bool,
    gathering: Gathering,
    /// Ticks for which output that needed no force counts as traffic that a force would hold up.
    ungated_traffic: u32,
    connections: usize,
    /// Latest time of the log's next write although no program here waits for it.
    write_by: Option<Instant>,
    is_listening: bool,
}

impl Connected {
    fn new(agent: Served, origin: String) -> Self {
        Self {
            agent,
            listener: None,
            origin,
            is_gated: false,
            is_paused: false,
            is_listed_paced: false,
            close: None,
            address: None,
            stranger: None,
            failure: None,
            is_beyond: false,
        }
    }
}

impl Connected {
    /// Returns true if it ends since it has no place, which is told for all that have none together.
    fn is_told_as_crowd(&self, close: &Close) -> bool {
        self.is_beyond && matches!(close, Close::Refused { reason: Reason::MAX_CONNS_LIMIT_REACHED, .. })
    }
}

impl Common {
    /// The channel by which AMQP is spoken at a listener.
    fn amqp_channel_of(&self, listener: Option<ListenerId>) -> Option<ObjectName> {
        match self.host.listeners.attributes(listener?) {
            Some(attributes) => attributes.amqp_channel,
            None => self.amqp_channel,
        }
    }

    /// Says to a message channel why its connection ended, and calls its next address where it was not there.
    /// Returns what is left of the connection.
    fn after_channel(&self, served: Connected, peer: &Peer, why: &Closed) -> Option<Connected> {
        let Connected { agent, failure, .. } = served;
        let agent = match agent {
            Served::PendingCall(mut pending) => {
                let fault = match why {
                    Closed::Unreached(error) | Closed::Broken(error) => {
                        Some((Reason::HOST_NOT_AVAILABLE, error.to_string()))
                    }
                    Closed::Uncovered(error) => Some((Reason::SSL_INITIALIZATION_ERROR, error.to_string())),
                    Closed::ByPeer => {
                        let text = "the partner closed the connection before it was encrypted".to_owned();
                        Some((Reason::SSL_INITIALIZATION_ERROR, text))
                    }
                    Closed::ByUs => None,
                };
                if let (Some((reason, fault)), Some(mut call)) = (fault, pending.call.take()) {
                    call.failed(reason, format!("{peer}: {fault}"));
                    self.host.channels.call(call);
                    return None;
                }
                Served::PendingCall(pending)
            }
            agent => agent,
        };
        if let Some(failure) = &failure {
            match why {
                Closed::Broken(error) => {
                    let text = format!("the connection to {peer} broke: {error}");
                    failure.note(Reason::CONNECTION_BROKEN, text);
                }
                Closed::Uncovered(error) => {
                    failure.note(Reason::SSL_INITIALIZATION_ERROR, format!("{peer}: {error}"));
                }
                Closed::ByPeer | Closed::ByUs | Closed::Unreached(_) => {}
            }
        }
        Some(Connected { failure, ..Connected::new(agent, served.origin) })
    }
}

type Ticking<'a> = Tick<'a, Connected, Frames>;

impl Serving {
    pub(crate) fn new(common: Common, holds_gated: Arc<Interest>) -> Self {
        let gathering = Gathering::new(common.commit_delay);
        Self {
            common,
            holds_gated,
            gated: Vec::new(),
            unfinished: Vec::new(),
            paced: Vec::new(),
            expects_getter: false,
            gathering,
            ungated_traffic: 0,
            connections: 0,
            write_by: None,
            is_listening: true,
        }
    }
}

impl Handler for Serving {
    type Connection = Connected;
    type Output = Frames;

    fn admits(&mut self, accepted: &Accepted) -> bool {
        let Peer::Tcp(address) = accepted.peer else { return true };
        self.common.admits(address)
    }

    fn is_favoured(&mut self, accepted: &Accepted) -> bool {
        let Peer::Unix { user, .. } = accepted.peer else { return false };
        user == Some(rustix::process::geteuid().as_raw())
    }

    fn connected(&mut self, accepted: &Accepted, wake: Arc<Wake>) -> Connected {
        self.connections += 1;
        if let Place::Beyond { connections_max } = accepted.place {
            self.common.tell_of_crowd(&accepted.peer, connections_max);
            self.common.strangers.make_room(Instant::now());
        }
        let stranger = self.common.stranger(&accepted.peer, &wake);
        let Common { queue_manager, limits, logins, host, .. } = &self.common;
        let encryption = encryption::at_first(host.listeners.mode(accepted.listener), accepted.peer);
        let peer = agents::peer_of(accepted, encryption);
        let (origin, address, is_beyond) = (peer.origin.clone(), peer.address, peer.beyond.is_some());
        let agent = Served::accepted(PendingConnection {
            queue_manager: queue_manager.clone(),
            peer,
            limits: *limits,
            logins: Some(logins.clone()),
            waker: Arc::new(agents::Waker(wake)),
        });
        let listener = Some(accepted.listener);
        Connected { is_beyond, address, listener, stranger, ..Connected::new(agent, origin) }
    }

    fn dialled(&mut self, id: DialId, wake: Arc<Wake>) -> Connected {
        self.connections += 1;
        let call = self.common.host.channels.take(id).expect("a call is at the desk until it is dialled");
        let (origin, failure) = (call.run.address().to_owned(), call.run.failure());
        let agent = Served::PendingCall(Box::new(PendingCall { call: Some(call), wake, local: None }));
        Connected { failure: Some(failure), ..Connected::new(agent, origin) }
    }

    fn undialled(&mut self, id: DialId, refused: Refused) {
        let channels = &self.common.host.channels;
        let Some(mut call) = channels.take(id) else { return };
        let fault = match refused {
            Refused::TooMany { connections_max, .. } => {
                format!("{connections_max} connections are there, and no more are allowed")
            }
            Refused::NoResources(error) => error.to_string(),
        };
        call.failed(Reason::HOST_NOT_AVAILABLE, fault);
        channels.call(call);
    }

    fn reached(&mut self, served: &mut Connected, local: Option<SocketAddr>) {
        if let Served::PendingCall(pending) = &mut served.agent {
            pending.local = local;
        }
        let Common { queue_manager, limits, .. } = &self.common;
        served.agent.reach(queue_manager, *limits, None);
    }

    fn covered(&mut self, served: &mut Connected, facts: Option<Facts>) {
        let Common { queue_manager, limits, host, .. } = &self.common;
        match (&mut served.agent, served.listener) {
            (Served::Pending(pending), Some(listener)) => {
                pending.peer.encryption =
                    encryption::encryption(host.listeners.mode(listener), facts.as_ref());
            }
            (agent, _) => agent.reach(queue_manager, *limits, facts.as_ref()),
        }
    }

    fn receive(&mut self, served: &mut Connected, input: &mut BytesMut, _: &mut Frames) -> Flow {
        if served.close.is_some() {
            return Flow::Stop;
        }
        let listener = served.listener;
        if !served.agent.find_agent(input, || self.common.amqp_channel_of(listener)) {
            return Flow::Continue;
        }
        let received = served.agent.receive(input);
        if served.stranger.is_some() && served.agent.is_let_in() {
            served.stranger = None;
        }
        match received {
            Err(close) => {
                self.common.end(served, close);
                Flow::Stop
            }
            Ok(()) if served.agent.has_more() => Flow::More,
            Ok(()) if served.agent.wants_input() && !served.agent.holds_back() => Flow::Continue,
            Ok(()) => {
                served.is_paused = true;
                Flow::Pause
            }
        }
    }

    fn news(&mut self, served: &mut Connected) {
        if served.close.is_none() {
            served.agent.go_on();
        }
    }

    fn end_of_tick(&mut self, tick: &mut Ticking<'_>) -> Next {
        let proof = self.common.queue_manager.durable();
        for id in std::mem::take(&mut self.unfinished) {
            self.serve(id, proof, tick);
        }
        self.resume_paced(proof, tick);
        let mut touched = false;
        while let Some(id) = tick.next_touched() {
            touched = true;
            if self.serve(id, proof, tick) {
                self.ungated_traffic = UNGATED_MEMORY;
            }
        }
        self.open_gates(proof, tick);
        self.pass_time(proof, tick);
        if self.is_over(tick) {
            return Next::Stop;
        }
        let written = self.look_after_log(proof, touched, tick);
        let mut next = if self.unfinished.is_empty() { written } else { Next::Again };
        // The program that is to get may need this processor.
        if std::mem::take(&mut self.expects_getter) {
            spin::give_way();
            next = Next::Again;
        }
        self.watch_the_log(proof.lsn(), next)
    }

    fn closed(&mut self, served: Connected, peer: &Peer, why: Closed) {
        self.connections -= 1;
        let Some(served) = self.common.after_channel(served, peer, &why) else { return };
        // A program that is killed says nothing, here as without a cover.
        if let Closed::Uncovered(error) = why
            && error != CoverError::CutOff
        {
            match peer {
                Peer::Tcp(address) => {
                    let (origin, cause) = (peer.to_string(), error.to_string());
                    self.common.tell_of_stranger(&HANDSHAKE_FAILED, &origin, address.ip(), cause);
                }
                _ => self.common.errors.write(&HANDSHAKE_FAILED, [peer.to_string(), error.to_string()]),
            }
        }
        served.agent.close();
    }

    fn refused(&mut self, refused: Refused) {
        match refused {
            Refused::TooMany { peer, connections_max } => {
                self.common.tell_of_crowd(&peer, connections_max);
            }
            Refused::NoResources(error) => self.common.errors.write(&ACCEPTING_PAUSED, [error.to_string()]),
        }
    }

    fn deadline(&mut self) -> Option<Instant> {
        let paced = (!self.paced.is_empty()).then(|| Instant::now() + PACE);
        self.write_by.into_iter().chain(paced).min()
    }
}
