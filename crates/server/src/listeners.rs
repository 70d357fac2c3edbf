//! Listeners as objects: those that a command, or the start of the queue manager, has accept connections.
//!
//! Lives here: sockets by the name of their definition. Lives elsewhere: the definitions (`queue-manager`),
//! the addresses of `ferry.toml` (`lifecycle`), accepting (`transport`).
//!
//! Always: a listener that is told to run is bound, and one that is told to have stopped refuses programs.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use mqi::ObjectName;
use objects::{ListenerAttributes, Moment};
use platform::sync::Mutex;
use queue_manager::{Carried, ListenerState, Request};
use transport::{Bound, Listener, ListenerId, Remote, SharedCovers};

/// The names below this are those of the addresses of `ferry.toml` and of the local sockets.
const FIRST_ID: u32 = 1 << 16;

/// Most listeners that run at one time: each holds a socket, whether programs come by it or not.
const LISTENERS_MAX: usize = 256;

/// Understands an address; or says what would be right.
pub(crate) type Allowed = fn(&str) -> Result<SocketAddr, String>;

/// The means of accepting connections.
#[derive(Clone)]
pub(crate) struct Accepting {
    /// The reactor that accepts.
    pub(crate) reactor: Remote,
    /// The addresses that a listener may have.
    pub(crate) allowed: Allowed,
    /// TLS of the connections, where listeners have it.
    pub(crate) covers: Option<SharedCovers>,
}

/// The listeners that run.
#[derive(Default)]
pub(crate) struct Listeners {
    running: Mutex<Running>,
}

#[derive(Default)]
struct Running {
    /// None in a program that has the queue manager for itself.
    accepting: Option<Accepting>,
    ids: u32,
    by_name: BTreeMap<ObjectName, One>,
}

struct One {
    id: ListenerId,
    state: ListenerState,
}

impl Listeners {
    /// Says by which means connections are accepted.
    pub(crate) fn attend(&self, accepting: Option<Accepting>) {
        self.running.lock().accepting = accepting;
    }

    /// The state of each, by name.
    pub(crate) fn states(&self) -> Vec<ListenerState> {
        self.running.lock().by_name.values().map(|one| one.state.clone()).collect()
    }

    /// The definition of the listener that a connection came by; none for one of `ferry.toml`.
    pub(crate) fn attributes(&self, id: ListenerId) -> Option<ListenerAttributes> {
        if id.0 < FIRST_ID {
            return None;
        }
        let running = self.running.lock();
        running.by_name.values().find(|one| one.id == id).map(|one| one.state.attributes.clone())
    }

    /// Carries out a request at this time.
    pub(crate) fn carry_out(&self, request: &Request, now: Moment) -> Carried {
        let mut running = self.running.lock();
        match request {
            Request::StartListener(attributes) => running.start(attributes, now),
            Request::StopListener(name) => running.stop(name),
            Request::ChangeListener(attributes) => running.change(attributes),
            Request::AwaitPing(_) => Carried::Refused("it is about channels".to_owned()),
        }
    }
}

impl Running {
    fn start(&mut self, attributes: &ListenerAttributes, now: Moment) -> Carried {
        if let Some(one) = self.by_name.get(&attributes.name) {
            return Carried::Ran(one.state.address.to_string());
        }
        if self.by_name.len() >= LISTENERS_MAX {
            return Carried::Refused(format!("{LISTENERS_MAX} listeners run, and more may not"));
        }
        match self.begin(attributes) {
            Ok((id, address)) => {
                let state = ListenerState { attributes: attributes.clone(), address, started: now };
                self.by_name.insert(attributes.name, One { id, state });
                Carried::Listens(address.to_string())
            }
            Err(why) => Carried::Refused(why),
        }
    }

    fn stop(&mut self, name: &ObjectName) -> Carried {
        let Some(one) = self.by_name.remove(name) else { return Carried::RunsNot };
        self.end(one.id);
        Carried::Stopped
    }

    /// Goes on as the definition says now. A new socket is there before the old one goes, but where only the
    /// backlog is another: the address is free only once the old socket is gone.
    fn change(&mut self, attributes: &ListenerAttributes) -> Carried {
        let Some(one) = self.by_name.get(&attributes.name) else { return Carried::RunsNot };
        let (old, at, before) = (one.id, one.state.address, one.state.attributes.clone());
        let is_same_address = self.address(attributes).is_ok_and(|wanted| wanted == at);
        if is_same_address && before.backlog == attributes.backlog {
            self.one(attributes).state.attributes = attributes.clone();
            return Carried::Ran(at.to_string());
        }
        if is_same_address {
            self.end(old);
        }
        match self.begin(attributes) {
            Ok((id, address)) => {
                if !is_same_address {
                    self.end(old);
                }
                let one = self.one(attributes);
                (one.id, one.state.address) = (id, address);
                one.state.attributes = attributes.clone();
                Carried::Listens(address.to_string())
            }
            Err(why) => {
                if is_same_address {
                    self.by_name.remove(&attributes.name);
                }
                Carried::Refused(why)
            }
        }
    }

    fn one(&mut self, attributes: &ListenerAttributes) -> &mut One {
        self.by_name.get_mut(&attributes.name).expect("it runs")
    }

    fn begin(&mut self, attributes: &ListenerAttributes) -> Result<(ListenerId, SocketAddr), String> {
        let address = self.address(attributes)?;
        let listener = match attributes.backlog {
            None => Listener::tcp(address),
            Some(backlog) => Listener::tcp_with(address, i32::try_from(backlog).unwrap_or(i32::MAX)),
        };
        let mut listener = listener.map_err(|error| error.to_string())?;
        if let Some(covers) = self.accepting.as_ref().and_then(|accepting| accepting.covers.as_ref()) {
            listener = listener.covered(Arc::clone(covers));
        }
        let Bound::Tcp(bound) = *listener.bound() else { unreachable!("a TCP listener has a TCP address") };
        self.ids += 1;
        let id = ListenerId(FIRST_ID + self.ids);
        if let Some(accepting) = &self.accepting {
            accepting.reactor.listen(id, listener);
        }
        Ok((id, bound))
    }

    fn end(&self, id: ListenerId) {
        if let Some(accepting) = &self.accepting {
            accepting.reactor.stop_listening(id);
        }
    }

    /// The address of a listener, which must be one of this machine only until there are users and TLS.
    fn address(&self, attributes: &ListenerAttributes) -> Result<SocketAddr, String> {
        let Some(accepting) = &self.accepting else {
            return Err("the process of the queue manager accepts no connections".to_owned());
        };
        let ListenerAttributes { address, port, .. } = attributes;
        if address.is_empty() {
            return Err(format!(
                "without IPADDR it would accept connections from other machines, for which this release has no \
                 users and no TLS; give it IPADDR('127.0.0.1') or IPADDR('::1'), for port {port}"
            ));
        }
        let Ok(parsed) = address.parse::<IpAddr>() else {
            return Err(format!("IPADDR names {address}, which is no address; write it in numbers"));
        };
        let wanted = SocketAddr::new(parsed, *port);
        (accepting.allowed)(&wanted.to_string())
            .map_err(|allowed| format!("it cannot listen on {wanted}: it must be {allowed}"))
    }
}
