//! The agents of connections, and their choice by what a connection is and says first.
//!
//! Always: a connection has one agent, made when its encryption and its protocol are known; nothing else here
//! knows the agents apart.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agents::{
    Agent, AmqpConnection, Answer, ClientConnection, Close, Control, Limits, LocalUser, MessageChannel,
    Output, PeerInfo, PendingConnection, Protocol,
};
use bytes::BytesMut;
use mqi::ObjectName;
use platform::os::{OsClock, users};
use platform::{Clock as _, Monotonic};
use queue_manager::{ChannelRun, QueueManager, Substate};
use security::cover::Encryption;
use storage::{Durable, Lsn};
use transport::{Accepted, Facts, Peer, Place, Wake};

use super::encryption;
use super::pending_call::PendingCall;
use crate::channels::Call;
use crate::configuration::ListenerTls;

/// Wakes the reactor for a connection.
pub(super) struct Waker(pub(super) Arc<Wake>);

impl agents::Wake for Waker {
    fn wake(&self) {
        self.0.wake();
    }
}

/// The agent of a connection. Its calls are dispatched by what it is, so that none of them is by a table.
#[expect(
    clippy::large_enum_variant,
    reason = "most are of clients, and a box costs each of their calls a load"
)]
pub(super) enum Served {
    /// Of a client channel.
    Client(ClientConnection),
    /// Of an AMQP client.
    Amqp(Box<AmqpConnection>),
    /// Of a message channel.
    Channel(Box<MessageChannel>),
    /// Of none, until the first bytes of a connection that came by a listener name its protocol.
    Pending(Box<PendingConnection>),
    /// Of none, until a connection that this side opens is there.
    PendingCall(Box<PendingCall>),
}

/// Facts about a connection that has just come by a listener.
pub(super) fn peer_of(
    Accepted { listener: _, peer, local, place }: &Accepted,
    encryption: Encryption,
) -> PeerInfo {
    let (user, process, address) = match peer {
        Peer::Unix { user, process } => (user.map(local_user), *process, None),
        Peer::Tcp(address) => (None, None, Some(address.ip())),
    };
    let beyond = match place {
        Place::Ordinary => None,
        Place::Beyond { connections_max } => Some(*connections_max),
    };
    PeerInfo {
        origin: peer.to_string(),
        user,
        process,
        is_by_network: address.is_some(),
        address,
        local: *local,
        encryption,
        accepted: Some(OsClock.now()),
        beyond,
    }
}

impl Served {
    /// The agent of a connection that came by a listener: at once for a program of this machine, which comes
    /// by a client channel; else once its first bytes name the protocol.
    pub(super) fn accepted(pending: PendingConnection) -> Self {
        if pending.peer.is_by_network {
            Self::Pending(Box::new(pending))
        } else {
            Self::Client(ClientConnection::new(pending))
        }
    }

    /// Gives a pending connection the agent of the protocol that its first bytes name, and of AMQP only where
    /// its listener has a channel for that; false while they are too few to tell.
    pub(super) fn find_agent(
        &mut self,
        input: &[u8],
        amqp_channel: impl FnOnce() -> Option<ObjectName>,
    ) -> bool {
        let Self::Pending(pending) = self else { return true };
        let Some(protocol) = Protocol::of(input) else { return false };
        let pending = PendingConnection::clone(pending);
        *self = match protocol {
            Protocol::MessageChannel => Self::Channel(Box::new(MessageChannel::called(pending))),
            Protocol::Amqp if let Some(channel) = amqp_channel() => {
                Self::Amqp(Box::new(AmqpConnection::new(pending, channel)))
            }
            Protocol::Amqp | Protocol::Client => Self::Client(ClientConnection::new(pending)),
        };
        true
    }

    /// The connection that this side opens is there, or its handshake is done: from now on it has the agent
    /// of its channel, once its encryption is known.
    pub(super) fn reach(&mut self, queue_manager: &QueueManager, limits: Limits, facts: Option<&Facts>) {
        let Self::PendingCall(pending) = self else { return };
        let is_known = |call: &mut Call| call.is_covered() == facts.is_some();
        let Some(call) = pending.call.take_if(is_known) else {
            let handshakes =
                |call: &Call| call.run.update(|progress| progress.substate = Substate::Handshaking);
            return pending.call.iter().for_each(handshakes);
        };
        let wake = Arc::clone(&pending.wake);
        let encryption = encryption::encryption(ListenerTls::No, facts);
        let from = (pending.local, encryption);
        *self = Self::calling(queue_manager.clone(), call.run, limits, wake, from);
    }

    fn calling(
        queue_manager: QueueManager,
        run: ChannelRun,
        limits: Limits,
        wake: Arc<Wake>,
        (local, encryption): (Option<SocketAddr>, Encryption),
    ) -> Self {
        let info = PeerInfo {
            origin: run.address().to_owned(),
            is_by_network: true,
            local,
            encryption,
            ..PeerInfo::default()
        };
        Self::Channel(Box::new(MessageChannel::calling(
            queue_manager,
            run,
            info,
            limits,
            Arc::new(Waker(wake)),
        )))
    }
}

fn local_user(user: u32) -> LocalUser {
    let name = users::name_of(user);
    LocalUser { is_owner: name == users::current(), name }
}

/// Makes a call on the agent of the connection.
macro_rules! by_agent {
    ($served:ident, $agent:ident => $call:expr) => {
        match $served {
            Served::Client($agent) => $call,
            Served::Amqp($agent) => $call,
            Served::Channel($agent) => $call,
            Served::Pending($agent) => $call,
            Served::PendingCall($agent) => $call,
        }
    };
}

impl Agent for Served {
    fn receive(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        by_agent!(self, agent => agent.receive(input))
    }

    fn has_more(&self) -> bool {
        by_agent!(self, agent => agent.has_more())
    }

    fn is_let_in(&self) -> bool {
        by_agent!(self, agent => agent.is_let_in())
    }

    fn wants_input(&self) -> bool {
        by_agent!(self, agent => agent.wants_input())
    }

    fn is_paced(&self) -> bool {
        by_agent!(self, agent => agent.is_paced())
    }

    fn holds_back(&self) -> bool {
        by_agent!(self, agent => agent.holds_back())
    }

    fn has_put_aside(&self) -> bool {
        by_agent!(self, agent => agent.has_put_aside())
    }

    fn expects_getter(&self) -> bool {
        by_agent!(self, agent => agent.expects_getter())
    }

    fn due(&self) -> Option<Monotonic> {
        by_agent!(self, agent => agent.due())
    }

    fn release(&mut self, proof: Durable, output: &mut Output) -> bool {
        by_agent!(self, agent => agent.release(proof, output))
    }

    fn lowest_need(&self) -> Option<Lsn> {
        by_agent!(self, agent => agent.lowest_need())
    }

    fn waiting_for_log(&self) -> usize {
        by_agent!(self, agent => agent.waiting_for_log())
    }

    fn go_on(&mut self) {
        by_agent!(self, agent => agent.go_on());
    }

    fn tick(&mut self, now: Monotonic) -> Result<(), Close> {
        by_agent!(self, agent => agent.tick(now))
    }

    fn stopped(&self) -> Option<Close> {
        by_agent!(self, agent => agent.stopped())
    }

    fn farewell(&mut self, close: &Close, output: &mut Output) {
        by_agent!(self, agent => agent.farewell(close, output));
    }

    fn take_control(&mut self) -> Option<Control> {
        by_agent!(self, agent => agent.take_control())
    }

    fn take_keep_alive(&mut self) -> Option<Duration> {
        by_agent!(self, agent => agent.take_keep_alive())
    }

    fn answer(&mut self, control: &Control, answer: &Answer) {
        by_agent!(self, agent => agent.answer(control, answer));
    }
}
