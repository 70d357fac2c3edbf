//! The context of an end that calls, a program or a channel, and its sessions with queue managers.

use std::io::IoSlice;
use std::sync::Arc;

use bytes::BytesMut;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::sign::SingleCertAndKey;
use rustls::{AlertDescription, CertificateError, ClientConfig, ClientConnection, Error, InvalidMessage};
use security::cipherspecs::Choice;
use security::distinguished_name::Pattern;
use transport::{Cover, CoverError, Facts};

use crate::clock::Clock;
use crate::server::{ContextError, PROTOCOL};
use crate::session::{Progress, Session};
use crate::store::KeyStore;
use crate::suites::Suites;
use crate::verify::QueueManagers;
use crate::words::{self, Own, PeerMismatch};

/// The TLS of a program's connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientTls {
    /// SSLCIPH
    pub suites: Choice,
    /// CERTLABL: the key to show, where the store has several.
    pub label: Option<String>,
    /// SSLPEER: the name that the queue manager's certificate must match, in place of the host's.
    pub peer: Option<Pattern>,
    /// The name of the channel, by which the queue manager picks its key and suites.
    pub channel: Option<String>,
    /// The user of the program, whose usual label is tried where none is given.
    pub user: String,
}

/// A reason why there is no session.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The host's name cannot stand in a certificate.
    #[error("{0} is no host name that a certificate can be for; connect by a host name or address")]
    Host(String),
    /// The partner's certificate has another name.
    #[error("{0}")]
    PeerName(String),
    /// The partner's certificate, or ours, was revoked.
    #[error("the certificate was revoked ({0}); have another one issued")]
    Revoked(String),
    /// The partner answers in the clear.
    #[error("the listener at that port does not use TLS; connect without TLS, or to a listener that has it")]
    Bare,
    /// No suite is in common.
    #[error("there is no CipherSpec in common with the queue manager ({0}); compare SSLCIPH of both ends")]
    Suites(String),
    /// The partner's certificate is not proved.
    #[error(
        "the queue manager's certificate is not accepted ({0}); trust its authority, or set SSLPEER where the host \
         has another name"
    )]
    Untrusted(String),
    /// A certificate of the partner's chain has expired, or does not hold yet.
    #[error(
        "the queue manager's certificate is not accepted: {0}; renew it there, or mend the clock of this machine"
    )]
    OutOfTime(String),
    /// The partner does not accept our certificate, or wants one.
    #[error("the queue manager does not accept this program's certificate ({0}); show one that it trusts")]
    Certificate(String),
    /// Anything else.
    #[error("the TLS handshake failed: {0}")]
    Handshake(String),
}

impl Refused {
    fn of(error: &Error, text: String) -> Self {
        match error {
            Error::InvalidCertificate(fault) if words::is_of_time(fault) => Self::OutOfTime(text),
            Error::InvalidCertificate(CertificateError::Revoked) => Self::Revoked(text),
            Error::InvalidCertificate(CertificateError::Other(other))
                if other.0.downcast_ref::<PeerMismatch>().is_some() =>
            {
                Self::PeerName(text)
            }
            Error::InvalidCertificate(_) => Self::Untrusted(text),
            Error::AlertReceived(alert) => match alert {
                AlertDescription::CertificateRevoked => Self::Revoked(text),
                AlertDescription::HandshakeFailure
                | AlertDescription::ProtocolVersion
                | AlertDescription::InsufficientSecurity => Self::Suites(text),
                AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::UnknownCA
                | AlertDescription::DecryptError
                | AlertDescription::AccessDenied
                | AlertDescription::CertificateRequired => Self::Certificate(text),
                _ => Self::Handshake(text),
            },
            Error::PeerIncompatible(_) => Self::Suites(text),
            Error::InvalidMessage(InvalidMessage::InvalidContentType) => Self::Bare,
            _ => Self::Handshake(text),
        }
    }
}

/// The context of a program: made once, for any number of sessions.
#[derive(Clone, Debug)]
pub struct ClientContext {
    config: Arc<ClientConfig>,
    own: Arc<Own>,
}

impl ClientContext {
    /// A context from a key store.
    ///
    /// # Errors
    /// When the label names no key, or the build has no suite of the choice.
    pub fn new(store: &KeyStore, how: &ClientTls, clock: &Clock) -> Result<Self, ContextError> {
        let Suites { provider, versions } = Suites::of(how.suites)?;
        let partners = QueueManagers::of(store, &provider, how.peer.clone())?;
        let config = ClientConfig::builder_with_details(provider, Arc::new(clock.clone()))
            .with_protocol_versions(&versions)?
            .dangerous()
            .with_custom_certificate_verifier(partners);
        let is_asked_for = how.label.as_ref().is_some_and(|label| !label.trim().is_empty());
        let pair = if store.keys.is_empty() && !is_asked_for {
            None
        } else {
            Some(store.pick([how.label.as_deref(), None], &how.user)?)
        };
        let mut config = match pair {
            None => config.with_no_client_auth(),
            Some(pair) => config
                .with_client_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(&pair.certified)))),
        };
        config.resumption = Resumption::disabled();
        if let Some(channel) = &how.channel {
            config.alpn_protocols = vec![format!("{PROTOCOL}{channel}").into_bytes()];
        }
        Ok(Self {
            config: Arc::new(config),
            own: Arc::new(Own::of(pair.map(|pair| (&pair.certificate, &*pair.chain)), clock)),
        })
    }

    /// Begins a session with a host; its first message waits in it.
    ///
    /// # Errors
    /// When no certificate can be for the host.
    pub fn session(&self, host: &str) -> Result<ClientSession, Refused> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| Refused::Host(host.to_owned()))?;
        let connection = ClientConnection::new(Arc::clone(&self.config), name)
            .map_err(|error| Refused::of(&error, error.to_string()))?;
        Ok(ClientSession { session: Session::new(connection, Arc::clone(&self.own)) })
    }

    /// The cover of a connection to a host that a reactor opens.
    ///
    /// # Errors
    /// When no certificate can be for the host.
    pub fn cover(&self, host: &str) -> Result<Box<dyn Cover>, Refused> {
        Ok(Box::new(ClientCover(self.session(host)?)))
    }
}

/// The cover of a connection that this side opens.
struct ClientCover(ClientSession);

impl Cover for ClientCover {
    fn open(
        &mut self,
        sealed: &mut BytesMut,
        plain: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<transport::Opened, CoverError> {
        match self.0.open(sealed, plain, reply) {
            Ok(Opened::All) => Ok(transport::Opened::All),
            Ok(Opened::Done(facts)) => Ok(transport::Opened::Covered(facts)),
            Ok(Opened::End) => Ok(transport::Opened::End),
            Err(Refused::Handshake(why)) => Err(CoverError::Handshake(why)),
            // By TLS 1.3 a partner refuses our certificate after the handshake is done here.
            Err(refused) => Err(CoverError::Handshake(refused.to_string())),
        }
    }

    fn seal(&mut self, pieces: &[IoSlice<'_>], sealed: &mut BytesMut) -> Result<usize, CoverError> {
        self.0.seal(pieces, sealed)
    }

    fn close(&mut self, sealed: &mut BytesMut) {
        self.0.close(sealed);
    }
}

/// A session of a program with a queue manager: ciphertext to plaintext and back.
pub struct ClientSession {
    session: Session,
}

/// Progress of a program's session.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened {
    /// All whole records were taken.
    All,
    /// The handshake is done.
    Done(Box<Facts>),
    /// The queue manager sends no more.
    End,
}

impl ClientSession {
    /// Takes ciphertext from the front of `sealed`; appends plaintext to `plain`, and records for the queue
    /// manager to `reply`: at first those of the handshake.
    ///
    /// # Errors
    /// When the handshake fails, or a record is wrong. `reply` has a last word for the queue manager.
    pub fn open(
        &mut self,
        sealed: &mut BytesMut,
        plain: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<Opened, Refused> {
        match self.session.open(sealed, plain, reply) {
            Ok(Progress::All) => Ok(Opened::All),
            Ok(Progress::End) => Ok(Opened::End),
            Ok(Progress::Done) => Ok(Opened::Done(Box::new(self.session.facts(None)))),
            Err(error) => Err(Refused::of(&error, self.session.words(&error))),
        }
    }

    /// Seals the front of the pieces, and appends their records; returns how many bytes.
    ///
    /// # Errors
    /// When the keys of the session are used up.
    pub fn seal(&mut self, pieces: &[IoSlice<'_>], sealed: &mut BytesMut) -> Result<usize, CoverError> {
        self.session.seal(pieces, sealed)
    }

    /// Appends the word that nothing more is sent.
    pub fn close(&mut self, sealed: &mut BytesMut) {
        self.session.close(sealed);
    }
}

impl std::fmt::Debug for ClientSession {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ClientSession").finish_non_exhaustive()
    }
}
