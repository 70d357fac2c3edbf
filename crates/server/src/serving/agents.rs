//! The agents of connections: which one serves the programs that come by a listener.
//!
//! Always: nothing else here knows the agents apart.

use std::sync::Arc;

use agents::{Agent, Answer, ClientConnection, Close, Control, Limits, LocalUser, Logins, Output, PeerInfo};
use bytes::BytesMut;
use platform::{Monotonic, os::users};
use queue_manager::QueueManager;
use security::cover::Encryption;
use storage::{Durable, Lsn};
use transport::{Accepted, Peer, Wake};

/// Wakes the reactor for a connection.
struct Waker(Arc<Wake>);

impl agents::Wake for Waker {
    fn wake(&self) {
        self.0.wake();
    }
}

/// The agent of a connection. Its calls are dispatched by what it is, so that none of them is by a table.
pub(super) enum Served {
    /// Of a client channel.
    Client(ClientConnection),
}

impl Served {
    /// Makes the agent for a program that came by a listener: all of them are for client channels.
    pub(super) fn accept(
        queue_manager: QueueManager,
        logins: Arc<dyn Logins>,
        limits: Limits,
        Accepted { listener: _, peer }: &Accepted,
        wake: Arc<Wake>,
        encryption: Encryption,
    ) -> Self {
        let (user, process) = match peer {
            Peer::Unix { user, process } => (user.map(local_user), *process),
            Peer::Tcp(_) => (None, None),
        };
        let address = match peer {
            Peer::Tcp(address) => Some(address.ip()),
            Peer::Unix { .. } => None,
        };
        let is_by_network = address.is_some();
        let info = PeerInfo { origin: peer.to_string(), user, process, is_by_network, address, encryption };
        let agent = ClientConnection::new(queue_manager, info, limits, Arc::new(Waker(wake)));
        Self::Client(agent.judged_by(logins))
    }
}

fn local_user(user: u32) -> LocalUser {
    let name = users::name_of(user);
    LocalUser { is_owner: name == users::current(), name }
}

/// Has the agent that is there make a call.
macro_rules! by_agent {
    ($served:ident, $agent:ident => $call:expr) => {
        match $served {
            Served::Client($agent) => $call,
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

    fn answer(&mut self, control: &Control, answer: &Answer) {
        by_agent!(self, agent => agent.answer(control, answer));
    }
}
