//! Contexts of a queue manager, and the covers of its listeners' connections.
//!
//! Lives here: one context for each channel with TLS, of its suites, its key and its demand for certificates;
//! the choice among them by the channel that a program names in its first message (ALPN), before any key is
//! shown. Lives elsewhere: when files are read again (the host), SSLPEER (`security`, asked after the login).
//!
//! Always: a handshake that has begun keeps its context; new contexts are for new connections.

use std::collections::HashMap;
use std::io::IoSlice;
use std::sync::Arc;

use arc_swap::ArcSwap;
use bytes::{Buf, BytesMut};
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

/// The contexts of a queue manager at one time.
struct Contexts {
    /// For programs that name no channel, or one without TLS: every suite, and the queue manager's key.
    usual: Arc<ServerConfig>,
    channels: HashMap<String, Arc<ServerConfig>>,
}

/// Contexts of a queue manager, which may be replaced while it runs.
pub struct ServerContexts {
    current: ArcSwap<Contexts>,
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
        Ok((Self { current: ArcSwap::from_pointee(contexts), clock }, left))
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
    fn context(&self, hello: &ClientHello<'_>) -> (Arc<ServerConfig>, Option<Vec<u8>>) {
        let contexts = self.current.load();
        let named = hello.alpn().into_iter().flatten().find_map(|protocol| {
            let channel = std::str::from_utf8(protocol).ok()?.strip_prefix(PROTOCOL)?;
            Some((protocol.to_vec(), channel.to_owned()))
        });
        let Some((protocol, channel)) = named else { return (Arc::clone(&contexts.usual), None) };
        let own = contexts.channels.get(&channel).unwrap_or(&contexts.usual);
        (Arc::clone(own), Some(protocol))
    }
}

/// The queue manager, as far as the choice of its key goes.
#[derive(Clone, Copy, Debug)]
pub struct QueueManager<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its CERTLABL, if it has one.
    pub label: Option<&'a str>,
}

impl Contexts {
    fn new(
        store: &KeyStore,
        queue_manager: &QueueManager<'_>,
        channels: &[ChannelTls],
        clock: &Clock,
    ) -> Result<(Self, Vec<Left>), ContextError> {
        let usual = ChannelTls {
            channel: String::new(),
            suites: suites::any(),
            check: PeerCheck::Optional,
            label: None,
        };
        let usual = context(store, queue_manager, &usual, clock)?;
        let (mut named, mut left) = (HashMap::new(), Vec::new());
        for channel in channels.iter().take(CHANNELS_MAX) {
            match context(store, queue_manager, channel, clock) {
                Ok(config) => drop(named.insert(channel.channel.clone(), config)),
                Err(error) => left.push(Left { channel: channel.channel.clone(), error }),
            }
        }
        Ok((Self { usual, channels: named }, left))
    }
}

fn context(
    store: &KeyStore,
    queue_manager: &QueueManager<'_>,
    channel: &ChannelTls,
    clock: &Clock,
) -> Result<Arc<ServerConfig>, ContextError> {
    let pair = store.pick([channel.label.as_deref(), queue_manager.label], queue_manager.name)?;
    let Suites { provider, versions } = Suites::of(channel.suites)?;
    let programs = Programs::of(store, &provider, channel.check == PeerCheck::Required)?;
    let mut config = ServerConfig::builder_with_details(provider, Arc::new(clock.clone()))
        .with_protocol_versions(&versions)?
        .with_client_cert_verifier(programs)
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(&pair.certified))));
    // A session that is taken up again outlives the key and the certificate that it was proved by.
    config.session_storage = Arc::new(NoServerSessionStorage {});
    config.send_tls13_tickets = 0;
    config.ignore_client_order = true;
    Ok(Arc::new(config))
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
        let refused = |error: &rustls::Error| CoverError::Handshake(error.to_string());
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
                    let (mut config, protocol) = self.contexts.context(&accepted.client_hello());
                    let server_name = accepted.client_hello().server_name().map(str::to_owned);
                    if let Some(protocol) = protocol {
                        Arc::make_mut(&mut config).alpn_protocols = vec![protocol];
                    }
                    return match accepted.into_connection(config) {
                        Ok(connection) => {
                            let mut session = Session::new(connection);
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
            Err(error) if session.is_done() => Err(CoverError::Record(error.to_string())),
            Err(error) => Err(CoverError::Handshake(error.to_string())),
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
