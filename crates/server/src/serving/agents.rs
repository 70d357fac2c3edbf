//! The agents of connections: which one serves the programs that come by a listener.
//!
//! Always: nothing else here knows the agents apart.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use agents::{
    Agent, AmqpConnection, Answer, ClientConnection, Close, Control, Limits, LocalUser, Logins,
    MessageChannel, Output, PeerInfo,
};
use bytes::BytesMut;
use mqi::ObjectName;
use platform::{Monotonic, os::users};
use queue_manager::{ChannelRun, QueueManager, Substate};
use security::cover::Encryption;
use storage::{Durable, Lsn};
use transport::{Accepted, Facts, Peer, Place, Wake};

use super::covering;
use super::reaching::Reaching;
use crate::channels::Call;
use crate::configuration::ListenerTls;

/// Wakes the reactor for a connection.
struct Waker(Arc<Wake>);

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
    /// Of a client channel, or of a program that has said nothing.
    Client(ClientConnection),
    /// Of an AMQP client.
    Amqp(Box<AmqpConnection>),
    /// Of a message channel.
    Channel(Box<MessageChannel>),
    /// Of none, until a connection that this side opens is there.
    Reaching(Box<Reaching>),
}

/// The facts by which the agent of a message channel takes the place of that of a client, which every program
/// that comes by a listener is taken for until it has said something.
pub(super) struct Fresh {
    info: PeerInfo,
    wake: Arc<Wake>,
}

impl Fresh {
    /// The agent for a partner that called.
    pub(super) fn called(
        self,
        queue_manager: QueueManager,
        logins: Arc<dyn Logins>,
        limits: Limits,
    ) -> Served {
        let waker = Arc::new(Waker(self.wake));
        let agent = MessageChannel::called(queue_manager, self.info, limits, waker);
        Served::Channel(Box::new(agent.judged_by(logins)))
    }
}

impl Served {
    /// Makes it the agent of an AMQP client that comes by a channel.
    pub(super) fn speak_amqp(&mut self, channel: ObjectName) {
        if let Self::Client(agent) = self {
            *self = Self::Amqp(Box::new(AmqpConnection::new(agent.stranger(), channel)));
        }
    }

    /// Makes the agent for a program that came by a listener: one for client channels, until its first bytes
    /// say something else.
    pub(super) fn accept(
        queue_manager: QueueManager,
        logins: Arc<dyn Logins>,
        limits: Limits,
        Accepted { listener: _, peer, local, place }: &Accepted,
        wake: Arc<Wake>,
        encryption: Encryption,
        since: Monotonic,
    ) -> (Self, Option<Box<Fresh>>) {
        let (user, process) = match peer {
            Peer::Unix { user, process } => (user.map(local_user), *process),
            Peer::Tcp(_) => (None, None),
        };
        let address = match peer {
            Peer::Tcp(address) => Some(address.ip()),
            Peer::Unix { .. } => None,
        };
        let is_by_network = address.is_some();
        let beyond = match place {
            Place::Ordinary => None,
            Place::Beyond { connections_max } => Some(*connections_max),
        };
        let info = PeerInfo {
            origin: peer.to_string(),
            user,
            process,
            is_by_network,
            address,
            local: *local,
            encryption,
            accepted: Some(since),
            beyond,
        };
        // Partners come by a network.
        let fresh = is_by_network.then(|| Box::new(Fresh { info: info.clone(), wake: Arc::clone(&wake) }));
        let agent = ClientConnection::new(queue_manager, info, limits, Arc::new(Waker(wake)));
        (Self::Client(agent.judged_by(logins)), fresh)
    }

    /// The connection that this side opens is there, or its handshake is done: from now on it has the agent
    /// of its channel, once its encryption is known.
    pub(super) fn reach(&mut self, queue_manager: &QueueManager, limits: Limits, facts: Option<&Facts>) {
        let Self::Reaching(reaching) = self else { return };
        let is_known = |call: &mut Call| call.is_covered() == facts.is_some();
        let Some(call) = reaching.call.take_if(is_known) else {
            let handshakes =
                |call: &Call| call.run.update(|progress| progress.substate = Substate::Handshaking);
            return reaching.call.iter().for_each(handshakes);
        };
        let wake = Arc::clone(&reaching.wake);
        let encryption = covering::encryption(ListenerTls::No, facts);
        let from = (reaching.local, encryption);
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
            Served::Reaching($agent) => $call,
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
