//! Contexts of a queue manager, and the covers of its listeners' connections.
//!
//! Lives here: one context for each channel with TLS, of its suites, its key and its demand for certificates;
//! the choice among them by the channel that a program names in its first message (ALPN), before any key is
//! shown. Lives elsewhere: when files are read again (the host), SSLPEER (`security`, asked after the login).
//!
//! Always: a handshake that has begun keeps its context; a connection has the context of its channel's
//! attributes as they are when it begins.

use std::collections::HashMap;
use std::io::IoSlice;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use arc_swap::ArcSwap;
use bytes::{Buf, BytesMut};
use platform::sync::Mutex;
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::danger::ClientCertVerifier as _;
use rustls::server::{Acceptor, ClientHello, NoServerSessionStorage, ServerConfig};
use rustls::sign::SingleCertAndKey;
use security::cipherspecs::Choice;
use security::cover::PeerCheck;
use transport::{Cover, CoverError, Covers, Facts, Opened, SharedCovers};

use crate::clock::Clock;
use crate::session::{Progress, Session};
use crate::store::{KeyStore, LabelError};
use crate::suites::{self, SuiteError, Suites};
use crate::verify::{Programs, TrustError};
use crate::words::{self, Own};

/// The protocol inside, by which a program names its channel: this and the channel's name.
pub const PROTOCOL: &str = "ferry/2/";

/// The first byte of a handshake.
const HANDSHAKE: u8 = 0x16;

/// The place of the newest version before TLS 1.3 that a program offers, in its first record.
const VERSION_AT: std::ops::Range<usize> = 9..11;

/// TLS 1.2, as on the wire.
const TLS_1_2: [u8; 2] = [3, 3];

/// The alert that the protocol's version is not spoken, as a record.
const PROTOCOL_VERSION_ALERT: [u8; 7] = [0x15, 3, 1, 0, 2, 2, 70];

/// Most channels with a context of their own.
pub const CHANNELS_MAX: usize = 10_000;

/// The TLS of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelTls {
    /// The name of the channel.
    pub channel: String,
    /// SSLCIPH
    pub suites: Choice,
    /// Says that a login judges suite and certificate afterwards: the handshake lets others through to it, so
    /// that they are refused in words.
    pub is_judged_later: bool,
    /// SSLCAUTH; REQUIRED also where SSLPEER is set.
    pub check: PeerCheck,
    /// CERTLABL
    pub label: Option<String>,
}

/// Why no context can be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContextError {
    /// No key.
    #[error(transparent)]
    Label(#[from] LabelError),
    /// No suites.
    #[error(transparent)]
    Suites(#[from] SuiteError),
    /// No trust.
    #[error(transparent)]
    Trust(#[from] TrustError),
    /// The library refuses a setting.
    #[error("TLS cannot be set up: {0}")]
    Library(String),
}

impl From<rustls::Error> for ContextError {
    fn from(error: rustls::Error) -> Self {
        Self::Library(error.to_string())
    }
}

/// A context, and the certificates that it shows.
#[derive(Clone)]
struct Context {
    config: Arc<ServerConfig>,
    own: Arc<Own>,
}

/// A context, and what it was made of.
struct Made {
    tls: ChannelTls,
    context: Context,
}

/// The contexts of a queue manager, of the files as they were read once.
struct Contexts {
    store: KeyStore,
    queue_manager: String,
    /// The proof of a program's certificate, for connections that are there.
    programs: Arc<Programs>,
    /// By the name of the channel. The blank one is for programs that name no channel, or one without TLS:
    /// every suite, and the queue manager's key.
    made: Mutex<HashMap<String, Made>>,
}

/// The TLS of a channel by its name, and for a blank name that of the queue manager, as they are defined now.
type Defined = Box<dyn Fn(&str) -> Option<ChannelTls> + Send + Sync>;

/// Contexts of a queue manager, which may be replaced while it runs.
pub struct ServerContexts {
    current: ArcSwap<Contexts>,
    /// The definitions that contexts follow; without, they are those that were given.
    defined: OnceLock<Defined>,
    clock: Clock,
}

/// A channel that has no context, as its attributes and the key store do not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The name of the channel.
    pub channel: String,
    /// The reason.
    pub error: ContextError,
}

impl ServerContexts {
    /// Contexts from a key store, for the queue manager and its channels; and the channels that are left out.
    ///
    /// # Errors
    /// When there is no key for the queue manager.
    pub fn new(
        store: &KeyStore,
        queue_manager: &QueueManager<'_>,
        channels: &[ChannelTls],
        clock: Clock,
    ) -> Result<(Self, Vec<Left>), ContextError> {
        let (contexts, left) = Contexts::new(store, queue_manager, channels, &clock)?;
        Ok((Self { current: ArcSwap::from_pointee(contexts), defined: OnceLock::new(), clock }, left))
    }

    /// Has contexts follow the definitions of channels from now on: each connection asks for its own.
    ///
    /// # Panics
    /// When they follow some already.
    pub fn follow(&self, defined: impl Fn(&str) -> Option<ChannelTls> + Send + Sync + 'static) {
        assert!(self.defined.set(Box::new(defined)).is_ok(), "contexts follow one set of definitions");
    }

    /// Proves the certificate of a program again, by the files as they were read last: the program's own
    /// first, then those between it and its authority.
    ///
    /// # Errors
    /// The words of the fault: it was revoked, has expired, or is not trusted any more.
    pub fn prove_again(&self, certificates: &[Vec<u8>]) -> Result<(), String> {
        let mut chain = certificates.iter().map(|der| CertificateDer::from(der.as_slice()));
        let Some(own) = chain.next() else { return Ok(()) };
        let between: Vec<_> = chain.collect();
        let now = UnixTime::since_unix_epoch(Duration::from_secs(self.clock.seconds()));
        let proved = self.current.load().programs.verify_client_cert(&own, &between, now);
        proved.map(drop).map_err(|error| words::of(&error))
    }

    /// Replaces them, for connections from now on. Returns the channels that are left out.
    ///
    /// # Errors
    /// As of [`new`](Self::new); what was there stays.
    pub fn replace(
        &self,
        store: &KeyStore,
        queue_manager: &QueueManager<'_>,
        channels: &[ChannelTls],
    ) -> Result<Vec<Left>, ContextError> {
        let (contexts, left) = Contexts::new(store, queue_manager, channels, &self.clock)?;
        self.current.store(Arc::new(contexts));
        Ok(left)
    }

    /// The covers of a listener's connections.
    #[must_use]
    pub fn covers(self: &Arc<Self>) -> SharedCovers {
        Arc::new(Listening(Arc::clone(self)))
    }

    /// The context for a first message, and the protocol that it names.
    fn context(&self, hello: &ClientHello<'_>) -> (Context, Option<Vec<u8>>) {
        let contexts = self.current.load();
        let named = hello
            .alpn()
            .into_iter()
            .flatten()
            .find_map(|protocol| Some((protocol.to_vec(), channel_named(protocol)?.to_owned())));
        let (protocol, channel) =
            named.map_or((None, String::new()), |(protocol, channel)| (Some(protocol), channel));
        let context = match self.defined.get() {
            None => contexts.of(&channel),
            Some(defined) => {
                // Blank stands for the queue manager, which is defined.
                let own = defined(&channel).or_else(|| defined(""));
                own.and_then(|tls| contexts.follow(tls, &self.clock)).unwrap_or_else(|| contexts.of(""))
            }
        };
        (context, protocol)
    }
}

/// The channel that a protocol of the handshake names; none where it is another protocol.
#[must_use]
pub fn channel_named(protocol: &[u8]) -> Option<&str> {
    std::str::from_utf8(protocol).ok()?.strip_prefix(PROTOCOL)
}

/// The queue manager, as far as the choice of its key goes.
#[derive(Clone, Copy, Debug)]
pub struct QueueManager<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its CERTLABL, if it has one.
    pub label: Option<&'a str>,
}

impl QueueManager<'_> {
    /// The TLS of a connection that names no channel with TLS.
    #[must_use]
    pub fn usual(&self) -> ChannelTls {
        let label = self.label.map(str::to_owned);
        ChannelTls {
            channel: String::new(),
            suites: suites::any(),
            is_judged_later: false,
            check: PeerCheck::Optional,
            label,
        }
    }
}

impl Contexts {
    fn new(
        store: &KeyStore,
        queue_manager: &QueueManager<'_>,
        channels: &[ChannelTls],
        clock: &Clock,
    ) -> Result<(Self, Vec<Left>), ContextError> {
        let Suites { provider, .. } = Suites::of(suites::any())?;
        let contexts = Self {
            store: store.clone(),
            queue_manager: queue_manager.name.to_owned(),
            programs: Programs::of(store, &provider, false)?,
            made: Mutex::default(),
        };
        contexts.make(queue_manager.usual(), clock)?;
        let mut left = Vec::new();
        for channel in channels.iter().take(CHANNELS_MAX) {
            let label = channel.label.clone().or_else(|| queue_manager.label.map(str::to_owned));
            if let Err(error) = contexts.make(ChannelTls { label, ..channel.clone() }, clock) {
                left.push(Left { channel: channel.channel.clone(), error });
            }
        }
        Ok((contexts, left))
    }

    /// The context of a channel as it was made; the usual one where there is none.
    fn of(&self, channel: &str) -> Context {
        let made = self.made.lock();
        let own = made.get(channel).or_else(|| made.get(""));
        own.expect("the usual one is made first").context.clone()
    }

    /// The context of a channel as it is defined now; none where its attributes and the store do not fit.
    fn follow(&self, tls: ChannelTls, clock: &Clock) -> Option<Context> {
        if let Some(made) = self.made.lock().get(&tls.channel)
            && made.tls == tls
        {
            return Some(made.context.clone());
        }
        self.make(tls, clock).ok()
    }

    fn make(&self, tls: ChannelTls, clock: &Clock) -> Result<Context, ContextError> {
        let context = context(&self.store, &self.queue_manager, &tls, clock)?;
        let mut made = self.made.lock();
        if made.len() <= CHANNELS_MAX || made.contains_key(&tls.channel) {
            made.insert(tls.channel.clone(), Made { tls, context: context.clone() });
        }
        Ok(context)
    }
}

fn context(
    store: &KeyStore,
    queue_manager: &str,
    channel: &ChannelTls,
    clock: &Clock,
) -> Result<Context, ContextError> {
    let pair = store.pick([channel.label.as_deref(), None], queue_manager)?;
    let Suites { provider, versions } = if channel.is_judged_later {
        Suites::preferring(channel.suites)?
    } else {
        Suites::of(channel.suites)?
    };
    let is_required = channel.check == PeerCheck::Required && !channel.is_judged_later;
    let programs = Programs::of(store, &provider, is_required)?;
    let mut config = ServerConfig::builder_with_details(provider, Arc::new(clock.clone()))
        .with_protocol_versions(&versions)?
        .with_client_cert_verifier(programs)
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(&pair.certified))));
    // A session that is taken up again outlives the key and the certificate that it was proved by.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    config.ignore_client_order = true;
    Ok(Context {
        config: Arc::new(config),
        own: Arc::new(Own::of(Some((&pair.certificate, &pair.chain)), clock)),
    })
}

/// The covers of a listener.
struct Listening(Arc<ServerContexts>);

impl Covers for Listening {
    fn cover(&self) -> Box<dyn Cover> {
        Box::new(ServerCover { contexts: Arc::clone(&self.0), state: State::Silent })
    }
}

/// Progress of a connection.
enum State {
    /// Nothing has come.
    Silent,
    /// The first message is not whole.
    Greeting(Box<Acceptor>),
    /// The handshake is under way, or done.
    Session(Box<Session>, Option<String>),
    /// It failed.
    Over,
}

/// The cover of one connection to a queue manager.
struct ServerCover {
    contexts: Arc<ServerContexts>,
    state: State,
}

impl ServerCover {
    /// Takes the first message, and begins the session of the context that it asks for.
    fn greet(
        &mut self,
        mut acceptor: Box<Acceptor>,
        sealed: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<(), CoverError> {
        let refused = |error: &rustls::Error| CoverError::Handshake(words::of(error));
        while !sealed.is_empty() {
            let mut bytes = &sealed[..];
            let before = bytes.len();
            let read = acceptor.read_tls(&mut bytes);
            let taken = before - bytes.len();
            sealed.advance(taken);
            match acceptor.accept() {
                Ok(None) if read.is_ok() && taken > 0 => {}
                Ok(None) => return Err(CoverError::TooLong),
                Ok(Some(accepted)) => {
                    let (Context { mut config, own }, protocol) =
                        self.contexts.context(&accepted.client_hello());
                    let server_name = accepted.client_hello().server_name().map(str::to_owned);
                    if let Some(protocol) = protocol {
                        Arc::make_mut(&mut config).alpn_protocols = vec![protocol];
                    }
                    return match accepted.into_connection(config) {
                        Ok(connection) => {
                            let mut session = Session::new(connection, own);
                            session.reply(reply);
                            self.state = State::Session(Box::new(session), server_name);
                            Ok(())
                        }
                        Err((error, mut alert)) => {
                            let mut bytes = Vec::new();
                            let _ = alert.write_all(&mut bytes);
                            reply.extend_from_slice(&bytes);
                            Err(refused(&error))
                        }
                    };
                }
                Err((error, mut alert)) => {
                    let mut bytes = Vec::new();
                    let _ = alert.write_all(&mut bytes);
                    reply.extend_from_slice(&bytes);
                    return Err(refused(&error));
                }
            }
        }
        self.state = State::Greeting(acceptor);
        Ok(())
    }
}

impl Cover for ServerCover {
    fn open(
        &mut self,
        sealed: &mut BytesMut,
        plain: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<Opened, CoverError> {
        match std::mem::replace(&mut self.state, State::Over) {
            State::Silent => match sealed.first() {
                None => self.state = State::Silent,
                Some(&HANDSHAKE) => match sealed.get(VERSION_AT) {
                    None => self.state = State::Silent,
                    Some(version) if *version < TLS_1_2[..] => {
                        reply.extend_from_slice(&PROTOCOL_VERSION_ALERT);
                        let why = "the program offers nothing newer than TLS 1.1";
                        return Err(CoverError::Handshake(why.to_owned()));
                    }
                    Some(_) => self.greet(Box::default(), sealed, reply)?,
                },
                Some(_) => return Ok(Opened::Bare),
            },
            State::Greeting(acceptor) => self.greet(acceptor, sealed, reply)?,
            own @ State::Session(..) => self.state = own,
            State::Over => return Err(CoverError::CutOff),
        }
        let State::Session(session, server_name) = &mut self.state else { return Ok(Opened::All) };
        match session.open(sealed, plain, reply) {
            Ok(Progress::All) => Ok(Opened::All),
            Ok(Progress::End) => Ok(Opened::End),
            Ok(Progress::Done) => {
                let facts: Facts = session.facts(server_name.take());
                Ok(Opened::Covered(Box::new(facts)))
            }
            Err(error) if session.is_done() => Err(CoverError::Record(session.words(&error))),
            Err(error) => Err(CoverError::Handshake(session.words(&error))),
        }
    }

    fn seal(&mut self, pieces: &[IoSlice<'_>], sealed: &mut BytesMut) -> Result<usize, CoverError> {
        match &mut self.state {
            State::Session(session, _) => session.seal(pieces, sealed),
            State::Silent | State::Greeting(_) | State::Over => Ok(0),
        }
    }

    fn close(&mut self, sealed: &mut BytesMut) {
        if let State::Session(session, _) = &mut self.state {
            session.close(sealed);
        }
    }
}
