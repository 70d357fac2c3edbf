//! TLS of the queue manager's listeners and calls: its key store, the contexts made of it, and their upkeep.
//!
//! Lives here: reading the folder `security` again, and channels' attributes; warnings of certificates that
//! run out. Lives elsewhere: stores and contexts (`tls`), the verdict on a connection (`agents`).
//!
//! Always: what cannot be read stays as it was, and nothing waits for it: a revocation, or an authority that
//! is no longer trusted, takes effect whatever the state of keys. A fault is reported once, until it is
//! another.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mqi::Reason;
use objects::ChannelAttributes;
use objects::messages::{CERTIFICATE_EXPIRES, KEYS_NOT_READ, KEYS_READ, MessageRow, NO_TLS_OF_CHANNEL};
use parking_lot::Mutex;
use platform::{Clock as _, os::OsClock};
use queue_manager::{ChannelCover, QueueManager};
use tls::client::ClientTls;
use tls::server::{ContextError, Left};
use tls::store::Parts;
use tls::{ChannelTls, ClientContext, Clock, KeyStore, ServerContexts, StoreError, expiry};
use transport::SharedCovers;

use crate::revocations::Revocations;
use crate::sleeping::Then;

/// Interval at which files and attributes are looked at.
const LOOK: Duration = Duration::from_secs(10);

/// Interval at which certificates that run out are looked for, and an expired one is told of again.
const EXPIRY_LOOK_SECONDS: u64 = 86_400;

/// Why listeners have no TLS.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The key store does not read.
    #[error("its listeners are to have TLS, and {0}")]
    Store(#[from] StoreError),
    /// There are no contexts.
    #[error("its listeners are to have TLS, and {0}")]
    Context(#[from] ContextError),
}

impl TlsError {
    /// The cause, without the words on listeners.
    fn cause(&self) -> String {
        match self {
            Self::Store(error) => error.to_string(),
            Self::Context(error) => error.to_string(),
        }
    }
}

/// Writes a message to the error log.
pub(crate) type Say = Box<dyn Fn(&'static MessageRow, Vec<String>) + Send + Sync>;

/// TLS of the listeners.
pub(crate) struct ListenerCovers {
    folder: PathBuf,
    contexts: Arc<ServerContexts>,
    revocations: Arc<Revocations>,
    say: Say,
    seen: Mutex<Seen>,
    /// The number of times that other files were read: connections are proved again when it grows.
    reads: AtomicU64,
}

/// State of the last look.
struct Seen {
    parts: Parts,
    /// The store in force.
    store: KeyStore,
    channels: Vec<ChannelCover>,
    /// The CERTLABL in force.
    label: Option<String>,
    /// The fault that was said last.
    fault: Option<String>,
    /// The second of the last look for certificates that run out.
    expiry_at: Option<u64>,
}

/// A part of the store in force that is kept.
enum Kept {
    Keys,
    Trust,
}

fn wall_seconds() -> u64 {
    OsClock.wall().0.max(0) as u64 / 1_000_000
}

impl ListenerCovers {
    /// Reads the key store and makes the contexts.
    ///
    /// # Errors
    /// When there is no key to listen with.
    pub(crate) fn open(
        folder: PathBuf,
        queue_manager: &QueueManager,
        revocations: &Arc<Revocations>,
        say: Say,
    ) -> Result<Self, TlsError> {
        let mut parts = Parts::default();
        parts.read_again(&folder).map_err(|unread| unread.error)?;
        let mut store = parts.store();
        revocations.complete(&mut store, queue_manager, true);
        let channels = queue_manager.channels().covers();
        let (name, label) = own_key(queue_manager);
        let own = tls::server::QueueManager { name: &name, label: label.as_deref() };
        let clock = Clock::new(wall_seconds);
        let (contexts, left) = ServerContexts::new(&store, &own, &of_channels(&channels), clock)?;
        contexts.follow({
            // Listeners hold the contexts, and the queue manager's host the listeners.
            let queue_manager = queue_manager.weakly();
            move |channel| tls_of(&queue_manager()?, channel)
        });
        let seen = Mutex::new(Seen { parts, store, channels, label, fault: None, expiry_at: None });
        let (contexts, revocations) = (Arc::new(contexts), Arc::clone(revocations));
        let opened = Self { folder, contexts, revocations, say, seen, reads: AtomicU64::new(0) };
        opened.say_left(&left);
        Ok(opened)
    }

    /// Covers for the connections of a listener.
    pub(crate) fn covers(&self) -> SharedCovers {
        self.contexts.covers()
    }

    /// Looks at the files and at the channels' attributes, and at the dates of certificates.
    pub(crate) fn look(&self, queue_manager: &QueueManager) -> Then {
        let mut seen = self.seen.lock();
        match self.read_again(&mut seen, queue_manager) {
            Ok(()) => seen.fault = None,
            Err(error) => {
                let text = error.to_string();
                if seen.fault.as_ref() != Some(&text) {
                    (self.say)(&KEYS_NOT_READ, vec![text.clone()]);
                    seen.fault = Some(text);
                }
            }
        }
        self.warn_of_expiry(&mut seen);
        Then::SleepsUntil(OsClock.now().after(LOOK))
    }

    /// Reads the files now.
    ///
    /// # Errors
    /// When a part of them does not read, or is not usable: it stays as it was, and the others take effect.
    pub(crate) fn refresh(&self, queue_manager: &QueueManager) -> Result<(), TlsError> {
        self.read_again(&mut self.seen.lock(), queue_manager)
    }

    /// The number of times that other files were read.
    pub(crate) fn reads(&self) -> u64 {
        self.reads.load(Ordering::Acquire)
    }

    /// Proves the certificates of a connection that is there, by the files as they were read last.
    ///
    /// # Errors
    /// The words of the fault.
    pub(crate) fn prove_again(&self, certificates: &[Vec<u8>]) -> Result<(), String> {
        self.contexts.prove_again(certificates)
    }

    fn read_again(&self, seen: &mut Seen, queue_manager: &QueueManager) -> Result<(), TlsError> {
        let read = seen.parts.read_again(&self.folder);
        let mut store = seen.parts.store();
        let has_all_lists = read.as_ref().map_or_else(|unread| unread.has_all_lists, |()| true);
        self.revocations.complete(&mut store, queue_manager, has_all_lists);
        let mut fault = read.err().map(|unread| TlsError::from(unread.error));
        let channels = queue_manager.channels().covers();
        let (name, mut label) = own_key(queue_manager);
        // Keys that do not fit stay as they were, then trust that is not usable: revocations wait for none.
        let mut kept = [Kept::Keys, Kept::Trust].into_iter();
        let left = loop {
            if store == seen.store && channels == seen.channels && label == seen.label {
                return fault.map_or(Ok(()), Err);
            }
            let own = tls::server::QueueManager { name: &name, label: label.as_deref() };
            let error = match self.contexts.replace(&store, &own, &of_channels(&channels)) {
                Ok(left) => break left,
                Err(error) => TlsError::from(error),
            };
            match kept.next() {
                Some(Kept::Keys) => {
                    store.keys.clone_from(&seen.store.keys);
                    label.clone_from(&seen.label);
                }
                Some(Kept::Trust) => store.trust.clone_from(&seen.store.trust),
                None => return Err(fault.unwrap_or(error)),
            }
            fault.get_or_insert(error);
        };
        if store != seen.store {
            let counts = [store.keys.len(), store.trust.len()];
            (self.say)(&KEYS_READ, counts.map(|count| count.to_string()).to_vec());
            seen.expiry_at = None;
            self.reads.fetch_add(1, Ordering::AcqRel);
        }
        (seen.store, seen.channels, seen.label) = (store, channels, label);
        self.say_left(&left);
        fault.map_or(Ok(()), Err)
    }

    fn say_left(&self, left: &[Left]) {
        for Left { channel, error } in left {
            (self.say)(&NO_TLS_OF_CHANNEL, vec![channel.clone(), error.to_string()]);
        }
    }

    fn warn_of_expiry(&self, seen: &mut Seen) {
        let now = wall_seconds();
        let last = seen.expiry_at;
        if last.is_some_and(|last| now < last + EXPIRY_LOOK_SECONDS) {
            return;
        }
        for (name, certificate) in seen.store.certificates() {
            let Some(step) = expiry::warning(certificate, last, now) else { continue };
            let left = match step {
                0 => "has expired".to_owned(),
                days => format!("expires within {days} days"),
            };
            (self.say)(&CERTIFICATE_EXPIRES, vec![name, left]);
        }
        seen.expiry_at = Some(now);
    }
}

/// The name of the queue manager, and its CERTLABL.
fn own_key(queue_manager: &QueueManager) -> (String, Option<String>) {
    (queue_manager.name().to_string(), queue_manager.channels().certificate_label())
}

/// The TLS of a channel that calls, from the files as they are now; none for one in the clear.
///
/// # Errors
/// The reason, and the words for an administrator.
pub(crate) fn of_caller(
    folder: &Path,
    revocations: &Revocations,
    queue_manager: &QueueManager,
    attributes: &ChannelAttributes,
) -> Result<Option<ClientContext>, (Reason, String)> {
    let ChannelAttributes { name, cipher, .. } = attributes;
    let terms =
        attributes.cover().map_err(|refusal| (Reason::from_code(refusal.code()), refusal.to_string()))?;
    let Some(suites) = terms.suites else { return Ok(None) };
    let (user, own) = own_key(queue_manager);
    let how = ClientTls {
        suites,
        label: terms.label.or(own),
        peer: terms.peer,
        channel: Some(name.to_string()),
        user,
    };
    let made = KeyStore::read(folder)
        .map_err(TlsError::from)
        .map(|mut store| {
            revocations.complete(&mut store, queue_manager, true);
            store
        })
        .and_then(|store| Ok(ClientContext::new(&store, &how, &Clock::new(wall_seconds))?));
    made.map(Some).map_err(|error| {
        let text = format!("channel {name} has SSLCIPH({cipher}), and {}", error.cause());
        (Reason::SSL_INITIALIZATION_ERROR, text)
    })
}

/// Channels that encrypt; those with attributes that are not right are refused at the login.
fn of_channels(channels: &[ChannelCover]) -> Vec<ChannelTls> {
    channels.iter().filter_map(of_channel).collect()
}

fn of_channel(ChannelCover { channel, terms }: &ChannelCover) -> Option<ChannelTls> {
    let terms = terms.as_ref().ok()?;
    let (suites, label) = (terms.suites?, terms.label.clone());
    // The agents judge suite and certificate by the same terms.
    Some(ChannelTls { channel: channel.clone(), suites, is_judged_later: true, check: terms.check, label })
}

/// The TLS of a channel by its name as it is defined now, and for a blank name that of the queue manager.
fn tls_of(queue_manager: &QueueManager, channel: &str) -> Option<ChannelTls> {
    let (name, label) = own_key(queue_manager);
    if channel.is_empty() {
        return Some(tls::server::QueueManager { name: &name, label: label.as_deref() }.usual());
    }
    let own = of_channel(&queue_manager.channels().cover(channel)?)?;
    Some(ChannelTls { label: own.label.or(label), ..own })
}
