//! Calls of message channels: from the wish of the queue manager to a connection on a reactor.
//!
//! Lives here: looking names up, trying the addresses of a CONNAME in turn, the TLS of a call, and the pings
//! that commands wait for. Lives elsewhere: the wishes (`queue-manager`), opening sockets (`transport`), the
//! agents (`serving`), contexts and covers (`tls`).
//!
//! Always: names are looked up on threads of their own, so that a name server which does not answer holds up
//! neither a reactor nor another channel's wish; a channel with SSLCIPH is never opened in the clear.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use mqi::Reason;
use platform::Parker;
use platform::sync::atomic::{AtomicU64, Ordering};
use platform::sync::{Condvar, Mutex};
use queue_manager::{Carried, ChannelEnd, ChannelRun, Dial, Dials, QueueManager, Substate};
use tls::ClientContext;
use transport::dial::From as DialFrom;
use transport::{DialId, Dialling, Remote};

use crate::covers;
use crate::revocations::Revocations;
use crate::sleeping::{Bell, End, Then};

/// Most threads that look names up.
const LOOKUPS: usize = 4;

/// Most addresses that are tried for one wish: a name may have several.
const ADDRESSES_MAX: usize = 64;

/// Longest time for a partner's machine to answer a call.
const REACHED_WITHIN: Duration = Duration::from_secs(30);

/// Longest time that a command waits for a ping: a lookup, some addresses, and the answer.
const PING_WITHIN: Duration = Duration::from_secs(60);

/// The place that knows the addresses of names.
pub trait Names: Debug + Send + Sync {
    /// Returns the addresses that a name has now, with this port, in the order in which they are tried.
    ///
    /// # Errors
    /// When it has none, or nobody who knows can be asked.
    fn find(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>>;
}

/// The names that the system knows.
#[derive(Debug)]
struct SystemNames;

impl Names for SystemNames {
    fn find(&self, host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
        Ok((host, port).to_socket_addrs()?.take(ADDRESSES_MAX).collect())
    }
}

/// An address of a partner, and the name that it was found by.
#[derive(Debug)]
struct Address {
    host: Box<str>,
    to: SocketAddr,
}

/// A call on its way.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) run: ChannelRun,
    from: DialFrom,
    /// The addresses that were not tried yet.
    addresses: VecDeque<Address>,
    /// The TLS of its connections; none for a channel in the clear.
    tls: Option<ClientContext>,
    /// The faults of those that were, and the reason of the last.
    faults: Vec<String>,
    reason: Reason,
}

/// The desk at which calls are made.
pub(crate) struct ChannelDesk {
    /// Sleeps in the thread that asks for wishes.
    pub(crate) bell: Arc<Parker>,
    /// Sleeps in those that look names up.
    pub(crate) lookups_bell: Bell,
    /// The folder of keys and certificates.
    security: PathBuf,
    revocations: Arc<Revocations>,
    names: Arc<dyn Names>,
    reactors: OnceLock<Vec<Remote>>,
    dialled: AtomicU64,
    lookups: Mutex<VecDeque<Dial>>,
    calls: Mutex<BTreeMap<DialId, Call>>,
    pings: Mutex<Pings>,
    ping_ended: Condvar,
}

/// The pings that commands wait for.
#[derive(Default)]
struct Pings {
    awaited: BTreeSet<u64>,
    ended: BTreeMap<u64, Result<u64, String>>,
}

impl ChannelDesk {
    /// A desk without reactors, whose keys are in a folder. Names are those of the system unless others are
    /// given.
    pub(crate) fn new(
        security: PathBuf,
        revocations: Arc<Revocations>,
        names: Option<Arc<dyn Names>>,
    ) -> Self {
        Self {
            bell: Arc::default(),
            lookups_bell: Bell::default(),
            security,
            revocations,
            names: names.unwrap_or_else(|| Arc::new(SystemNames)),
            reactors: OnceLock::new(),
            dialled: AtomicU64::default(),
            lookups: Mutex::default(),
            calls: Mutex::default(),
            pings: Mutex::default(),
            ping_ended: Condvar::default(),
        }
    }

    /// Says which reactors serve connections; without any there are no channels.
    pub(crate) fn attend(&self, reactors: Vec<Remote>) {
        assert!(self.reactors.set(reactors).is_ok(), "the reactors are known once");
    }

    /// True where channels can run.
    pub(crate) fn runs(&self) -> bool {
        self.reactors.get().is_some_and(|reactors| !reactors.is_empty())
    }

    /// Leaves a call to the threads that look names up.
    fn look_up(&self, dial: Dial) {
        self.lookups.lock().push_back(dial);
        self.lookups_bell.ring();
    }

    /// Calls the next address of a call; ends its instance when there is none left.
    pub(crate) fn call(&self, mut call: Call) {
        // A stop waits for the address that is tried, and for no other.
        if call.run.asked().is_some() {
            return call.run.end(ChannelEnd::Stopped);
        }
        let reactors = self.reactors.get().map(Vec::as_slice).unwrap_or_default();
        let Some(to) = call.addresses.pop_front().filter(|_| !reactors.is_empty()) else {
            return call.give_up();
        };
        let cover = match call.tls.as_ref().map(|tls| tls.cover(&to.host)).transpose() {
            Ok(cover) => cover,
            Err(refused) => {
                call.failed(Reason::SSL_INITIALIZATION_ERROR, refused.to_string());
                return self.call(call);
            }
        };
        call.run.update(|progress| progress.substate = Substate::NetConnecting);
        let number = self.dialled.fetch_add(1, Ordering::Relaxed);
        let (id, from, to) = (DialId(number), call.from, to.to);
        self.calls.lock().insert(id, call);
        let turn = usize::try_from(number).unwrap_or(0) % reactors.len();
        reactors[turn].dial(Dialling { id, to, from, cover, within: REACHED_WITHIN });
    }

    /// The call of a connection that a reactor opens.
    pub(crate) fn take(&self, id: DialId) -> Option<Call> {
        self.calls.lock().remove(&id)
    }

    /// Waits for the outcome of a ping.
    pub(crate) fn await_ping(&self, number: u64) -> Carried {
        let until = Instant::now() + PING_WITHIN;
        let mut pings = self.pings.lock();
        pings.awaited.insert(number);
        self.bell.unpark();
        let outcome = loop {
            if let Some(ended) = pings.ended.remove(&number) {
                break Some(ended);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break None;
            }
            self.ping_ended.wait_for(&mut pings, left);
        };
        pings.awaited.remove(&number);
        match outcome {
            Some(Ok(micros)) => Carried::Pinged(micros),
            Some(Err(why)) => Carried::Refused(why),
            None => Carried::Refused(format!("no answer within {} seconds", PING_WITHIN.as_secs())),
        }
    }

    /// Reports pings that ended to their callers.
    fn tell_pings(&self, queue_manager: &QueueManager) {
        let mut pings = self.pings.lock();
        let awaited: Vec<u64> = pings.awaited.iter().copied().collect();
        let mut has_news = false;
        for number in awaited {
            if let Some(ended) = queue_manager.channels().ping_end(number) {
                pings.ended.insert(number, ended);
                has_news = true;
            }
        }
        drop(pings);
        if has_news {
            self.ping_ended.notify_all();
        }
    }
}

impl Call {
    /// The address could not be reached, or the connection not be encrypted.
    pub(crate) fn failed(&mut self, reason: Reason, fault: String) {
        self.reason = reason;
        self.faults.push(fault);
    }

    /// True when its connections are encrypted.
    pub(crate) fn is_covered(&self) -> bool {
        self.tls.is_some()
    }

    fn give_up(self) {
        let text = if self.faults.is_empty() {
            "CONNAME has no address that can be tried".to_owned()
        } else {
            self.faults.join("; ")
        };
        self.run.end(ChannelEnd::Failed { reason: self.reason, text });
    }
}

/// The work of the thread that asks for wishes. The threads that look names up begin with the first calls,
/// and end with this one.
pub(crate) fn make_calls(queue_manager: &QueueManager, desk: &ChannelDesk, end: &End) {
    std::thread::scope(|threads| {
        let mut lookups = 0;
        end.work_until(&desk.bell, || {
            let Dials { dials, next } = queue_manager.channels().dials();
            for dial in dials {
                if lookups < LOOKUPS {
                    let thread = std::thread::Builder::new().name(format!("ferry-names-{lookups}"));
                    let begun = thread.spawn_scoped(threads, || look_names_up(queue_manager, desk));
                    // Where the system gives no thread, those that are there do the work, or the next call
                    // tries again.
                    lookups += usize::from(begun.is_ok());
                }
                desk.look_up(dial);
            }
            desk.tell_pings(queue_manager);
            Then::SleepsUntil(next)
        });
    });
}

/// The work of a thread that looks names up.
fn look_names_up(queue_manager: &QueueManager, desk: &ChannelDesk) {
    while desk.lookups_bell.wait() {
        let Some(dial) = desk.lookups.lock().pop_front() else { continue };
        // Read for each call: calls are rare, and a key that was replaced counts from the next one on.
        match covers::of_caller(&desk.security, &desk.revocations, queue_manager, dial.run.attributes()) {
            Ok(tls) => desk.call(resolved(dial, tls, &*desk.names)),
            Err((reason, text)) => dial.run.end(ChannelEnd::Failed { reason, text }),
        }
    }
}

/// A call with the addresses that its names have now: a partner may have moved since the last call.
fn resolved(dial: Dial, tls: Option<ClientContext>, names: &dyn Names) -> Call {
    let Dial { run, connection_names, local } = dial;
    let from = DialFrom { address: local.address, ports: local.ports };
    let (mut addresses, mut faults) = (VecDeque::new(), Vec::new());
    for name in &connection_names {
        if addresses.len() >= ADDRESSES_MAX {
            break;
        }
        run.update(|progress| progress.substate = Substate::NameServer);
        // An address in numbers needs no name server.
        if let Ok(address) = name.host.parse::<IpAddr>() {
            addresses.push_back(Address { host: name.host.clone(), to: SocketAddr::new(address, name.port) });
            continue;
        }
        match names.find(&name.host, name.port) {
            Ok(found) => {
                let found = found.into_iter().take(ADDRESSES_MAX - addresses.len());
                addresses.extend(found.map(|to| Address { host: name.host.clone(), to }));
            }
            Err(error) => faults.push(format!("the name {} was not found: {error}", name.host)),
        }
    }
    Call { run, from, addresses, tls, faults, reason: Reason::HOST_NOT_AVAILABLE }
}
