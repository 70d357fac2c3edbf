//! Listeners as objects: those that a command, or the start of the queue manager, has accept connections.
//!
//! Lives here: sockets by the name of their definition. Lives elsewhere: the definitions (`queue-manager`),
//! the addresses of `ferry.toml` (`lifecycle`), accepting (`transport`).
//!
//! Always: a listener that is told to run is bound, and one that is told to have stopped refuses programs.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mqi::ObjectName;
use objects::{ListenerAttributes, ListenerCover, Moment};
use platform::sync::Mutex;
use queue_manager::{Carried, ListenerState, Request};
use transport::{BindError, ListenAddress, Listener, ListenerId, Remote, SharedCovers};

use crate::configuration::ListenerTls;
use crate::exposure::Exposure;

/// The names below this are those of the addresses of `ferry.toml` and of the local sockets.
const FIRST_ID: u32 = 1 << 16;

/// Most listeners of which the encryption is known: those that run, and those that ended lately, by which
/// programs may still shake hands.
const MODES_MAX: usize = 4 * LISTENERS_MAX;

/// Most listeners that run at one time: each holds a socket, whether programs come by it or not.
const LISTENERS_MAX: usize = 256;

/// The means of accepting connections.
#[derive(Clone)]
pub(crate) struct Accepting {
    /// The reactor that accepts.
    pub(crate) reactor: Remote,
    /// The usual encryption.
    pub(crate) usual: ListenerTls,
    /// The conditions beyond loopback.
    pub(crate) exposure: Exposure,
    /// TLS of the connections, where listeners have it.
    pub(crate) covers: Option<SharedCovers>,
}

/// The listeners that run.
#[derive(Default)]
pub(crate) struct Listeners {
    running: Mutex<Running>,
    /// The encryption of each: of those that run, and of the addresses of `ferry.toml`.
    modes: Modes,
}

/// The encryption of listeners, by their numbers.
type Modes = Mutex<BTreeMap<u32, ListenerTls>>;

#[derive(Default)]
struct Running {
    /// None in a program that has the queue manager for itself.
    accepting: Option<Accepting>,
    ids: u32,
    by_name: BTreeMap<ObjectName, One>,
    /// The reasons of listeners that are to run with the queue manager and could not start; of definitions
    /// that are there.
    failed: BTreeMap<ObjectName, String>,
}

/// The listeners of definitions, as a queue manager tells of them.
#[derive(Default)]
pub(crate) struct Overview {
    pub(crate) running: Vec<ListenerState>,
    /// The reasons of listeners that are to run with the queue manager and could not start.
    pub(crate) failed: BTreeMap<String, String>,
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

    /// Takes note of the encryption of the addresses of `ferry.toml`, in their order.
    pub(crate) fn note_modes(&self, modes: &[ListenerTls]) {
        self.modes.lock().extend((0..).zip(modes.iter().copied()));
    }

    /// The encryption of a listener.
    pub(crate) fn mode(&self, id: ListenerId) -> ListenerTls {
        self.modes.lock().get(&id.0).copied().unwrap_or(ListenerTls::No)
    }

    /// The state of each, by name.
    pub(crate) fn states(&self) -> Vec<ListenerState> {
        self.running.lock().by_name.values().map(|one| one.state.clone()).collect()
    }

    /// The listeners that run, and those that do not though they are to.
    pub(crate) fn overview(&self) -> Overview {
        let running = self.running.lock();
        Overview {
            running: running.by_name.values().map(|one| one.state.clone()).collect(),
            failed: running.failed.iter().map(|(name, why)| (name.to_string(), why.clone())).collect(),
        }
    }

    /// The number of listeners that do not run though they are to.
    pub(crate) fn failed(&self) -> usize {
        self.running.lock().failed.len()
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
        let carried = match request {
            Request::StartListener(attributes) => running.start(attributes, now, &self.modes),
            Request::StopListener(name) => running.stop(name, &self.modes),
            Request::ChangeListener(attributes) => running.change(attributes, &self.modes),
            Request::AwaitPing(_) | Request::KeepSecrets(_) | Request::RefreshSecurity(_) => {
                return Carried::Refused("it is about no listener".to_owned());
            }
        };
        running.note(request, &carried);
        carried
    }
}

impl Running {
    fn start(&mut self, attributes: &ListenerAttributes, now: Moment, modes: &Modes) -> Carried {
        if let Some(one) = self.by_name.get(&attributes.name) {
            return Carried::Ran(one.state.address.to_string());
        }
        if self.by_name.len() >= LISTENERS_MAX {
            return Carried::Refused(format!("{LISTENERS_MAX} listeners run, and more may not"));
        }
        match self.begin(attributes, modes) {
            Ok((id, address)) => {
                let state = ListenerState { attributes: attributes.clone(), address, started: now };
                self.by_name.insert(attributes.name, One { id, state });
                Carried::Listens(address.to_string())
            }
            Err(why) => Carried::Refused(why),
        }
    }

    /// Notes a listener that is to run with the queue manager and does not, until it runs, or is to run no
    /// more.
    fn note(&mut self, request: &Request, carried: &Carried) {
        let (name, attributes) = match request {
            Request::StartListener(attributes) | Request::ChangeListener(attributes) => {
                (attributes.name, Some(attributes))
            }
            Request::StopListener(name) => (*name, None),
            Request::AwaitPing(_) | Request::KeepSecrets(_) | Request::RefreshSecurity(_) => return,
        };
        let is_wanted = attributes.is_some_and(|attributes| attributes.starts_with_manager);
        if self.by_name.contains_key(&name) || !is_wanted {
            self.failed.remove(&name);
        } else if let Carried::Refused(why) = carried {
            self.failed.insert(name, why.clone());
        }
    }

    fn stop(&mut self, name: &ObjectName, modes: &Modes) -> Carried {
        let Some(one) = self.by_name.remove(name) else { return Carried::RunsNot };
        self.end(one.id, modes);
        Carried::Stopped
    }

    /// Goes on as the definition says now. A new socket is there before the old one goes, but where only the
    /// backlog is another: the address is free only once the old socket is gone.
    fn change(&mut self, attributes: &ListenerAttributes, modes: &Modes) -> Carried {
        let Some(one) = self.by_name.get(&attributes.name) else { return Carried::RunsNot };
        let (old, at, before) = (one.id, one.state.address, one.state.attributes.clone());
        let is_same_address = self.address(attributes).is_ok_and(|(wanted, _)| wanted == at);
        let is_same = before.backlog == attributes.backlog && before.cover == attributes.cover;
        if is_same_address && is_same {
            self.one(attributes).state.attributes = attributes.clone();
            return Carried::Ran(at.to_string());
        }
        if is_same_address {
            self.end(old, modes);
        }
        match self.begin(attributes, modes) {
            Ok((id, address)) => {
                if !is_same_address {
                    self.end(old, modes);
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

    fn begin(
        &mut self,
        attributes: &ListenerAttributes,
        modes: &Modes,
    ) -> Result<(ListenerId, SocketAddr), String> {
        let (address, mode) = self.address(attributes)?;
        let covers = self.accepting.as_ref().and_then(|accepting| accepting.covers.clone());
        let covers = match (mode, covers) {
            (ListenerTls::No, _) => None,
            (ListenerTls::Allowed | ListenerTls::Required, Some(covers)) => Some(covers),
            (ListenerTls::Allowed | ListenerTls::Required, None) => {
                return Err(
                    "it is to have TLS, and the queue manager started without a key for that: make one with \
                            ferry tls init, and start the queue manager again"
                        .to_owned(),
                );
            }
        };
        let listen = |address| match attributes.backlog {
            None => Listener::tcp(address),
            Some(backlog) => Listener::tcp_with(address, i32::try_from(backlog).unwrap_or(i32::MAX)),
        };
        let listener = match listen(address) {
            // A machine without IPv6 has every address of IPv4.
            Err(BindError::Io { .. }) if attributes.address.is_empty() => {
                listen(SocketAddr::from((Ipv4Addr::UNSPECIFIED, address.port())))
            }
            listener => listener,
        };
        let mut listener = listener.map_err(|error| error.to_string())?;
        if let Some(covers) = covers {
            listener = listener.covered(covers);
        }
        let ListenAddress::Tcp(bound) = *listener.bound() else {
            unreachable!("a TCP listener has a TCP address")
        };
        self.ids += 1;
        let id = ListenerId(FIRST_ID + self.ids);
        // Before the first program can come by it.
        modes.lock().insert(id.0, mode);
        if let Some(accepting) = &self.accepting {
            accepting.reactor.listen(id, listener);
        }
        Ok((id, bound))
    }

    /// Ends a listener. Programs that have come by it and shake hands just now find no encryption of it any
    /// more, and are refused.
    fn end(&self, id: ListenerId, modes: &Modes) {
        if let Some(accepting) = &self.accepting {
            accepting.reactor.stop_listening(id);
        }
        let mut modes = modes.lock();
        if let Some(mode) = modes.get_mut(&id.0) {
            *mode = ListenerTls::Required;
        }
        // A number is never given twice, so what is kept of those that ended is bounded here.
        while modes.len() > MODES_MAX {
            modes.retain({
                let mut first = true;
                move |number, _| *number < FIRST_ID || !std::mem::take(&mut first)
            });
        }
    }

    /// The address of a listener, and the encryption that it gets there. Without IPADDR it is every address
    /// of the machine, by IPv4 and IPv6.
    fn address(&self, attributes: &ListenerAttributes) -> Result<(SocketAddr, ListenerTls), String> {
        let Some(accepting) = &self.accepting else {
            return Err("the process of the queue manager accepts no connections".to_owned());
        };
        let ListenerAttributes { address, port, cover, .. } = attributes;
        let parsed = match &**address {
            "" => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
            address => address
                .parse()
                .map_err(|_| format!("IPADDR names {address}, which is no address; write it in numbers"))?,
        };
        let wanted = SocketAddr::new(parsed, *port);
        let asked = cover.map(|cover| match cover {
            ListenerCover::Required => ListenerTls::Required,
            ListenerCover::Allowed => ListenerTls::Allowed,
            ListenerCover::No => ListenerTls::No,
        });
        let judged = accepting.exposure.judge(wanted, accepting.usual, asked);
        judged.map(|mode| (wanted, mode)).map_err(|exposed| exposed.to_string())
    }
}
