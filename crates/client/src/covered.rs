//! A TCP stream under TLS, as the two halves of a link use it: one thread reads, one sends.
//!
//! Lives here: ciphertext from and to the socket, beside a session (`tls`). Lives elsewhere: the choice of
//! the reading and the sending thread (`link`).
//!
//! Always: the session is locked for the work of the processor alone, never while a socket is waited for;
//! bytes count as sent when the system has the last byte of their ciphertext.

use crate::patience::Patience;
use crate::tls_options::Tls;
use bytes::{Buf, BytesMut};
use mqi::Reason;
use platform::sync::Mutex;
use platform::{Clock as _, os::OsClock};
use rustix::net::{RecvFlags, SendFlags};
use std::io::{self, IoSlice};
use std::net::TcpStream;
use std::time::Instant;
use tls::client::{ClientTls, Opened};
use tls::server::ContextError;
use tls::{ClientContext, ClientSession, Clock, KeyStore, Refused, StoreError};
use transport::cover::HANDSHAKE_BYTES_MAX;
use transport::inheritance::NotInherited;

/// Most ciphertext that one call receives.
const SEALED_BYTES_MAX: usize = 64 << 10;

/// Most ciphertext of a queue manager's handshake: its chain, and the names of authorities that it trusts.
const GREETING_BYTES_MAX: usize = 16 * HANDSHAKE_BYTES_MAX;

/// Why there is no TLS with a queue manager.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// The key store does not read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Options and key store do not fit.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The CipherSpec is none.
    #[error(transparent)]
    CipherSpec(#[from] security::cipherspecs::Refusal),
    /// SSLPEER is none.
    #[error("SSLPEER is not right: {0}")]
    Peer(#[from] security::distinguished_name::NamePatternError),
    /// The handshake failed, or a record was wrong.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The system refused.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl TlsError {
    /// The reason code of MQCONN.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::Store(_) | Self::Context(ContextError::Trust(_)) => Reason::KEY_REPOSITORY_ERROR,
            Self::Context(ContextError::Label(_)) => Reason::CERT_LABEL_NOT_ALLOWED,
            Self::Context(ContextError::Suites(_)) | Self::CipherSpec(_) => Reason::UNSUPPORTED_CIPHER_SUITE,
            Self::Peer(_) => Reason::SSL_PEER_NAME_ERROR,
            Self::Io(_) => Reason::HOST_NOT_AVAILABLE,
            Self::Refused(Refused::PeerName(_)) => Reason::SSL_PEER_NAME_MISMATCH,
            Self::Refused(Refused::Revoked(_)) => Reason::SSL_CERTIFICATE_REVOKED,
            Self::Refused(_) | Self::Context(ContextError::Library(_)) => Reason::SSL_INITIALIZATION_ERROR,
        }
    }
}

/// The receiving half.
#[derive(Debug, Default)]
struct Receiving {
    sealed: BytesMut,
    plain: BytesMut,
    has_ended: bool,
}

/// The sending half.
#[derive(Debug, Default)]
struct Sending {
    /// Ciphertext that the system has not taken.
    sealed: BytesMut,
    /// Bytes whose ciphertext ends with it.
    plain: usize,
}

/// A stream under TLS.
#[derive(Debug)]
pub(crate) struct Covered {
    stream: NotInherited<TcpStream>,
    session: Mutex<ClientSession>,
    receiving: Mutex<Receiving>,
    sending: Mutex<Sending>,
}

/// The context of a program, from files that are read now: one that was replaced counts from the next
/// connection on.
fn context(how: &Tls, channel: &str, user: &str) -> Result<ClientContext, TlsError> {
    let store = KeyStore::read(&how.key_store)?;
    let set = |text: &str| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
    let suites = security::cipherspecs::Choice::find(how.cipherspec.trim())?;
    let peer = set(&how.peer).map(|peer| peer.parse()).transpose()?;
    let label = set(&how.label);
    let how = ClientTls { suites, label, peer, channel: set(channel), user: user.to_owned() };
    Ok(ClientContext::new(&store, &how, &Clock::new(wall_seconds))?)
}

fn wall_seconds() -> u64 {
    u64::try_from(OsClock.wall().0 / 1_000_000).unwrap_or_default()
}

/// The partner and the way to it, for a handshake.
#[derive(Clone, Copy)]
pub(crate) struct Partner<'a> {
    pub(crate) host: &'a str,
    pub(crate) channel: &'a str,
    pub(crate) user: &'a str,
}

impl Covered {
    /// Shakes hands on a stream that has connected.
    pub(crate) fn shake(
        stream: NotInherited<TcpStream>,
        how: &Tls,
        partner: Partner<'_>,
        patience: Patience<'_>,
    ) -> Result<Self, TlsError> {
        let mut session = context(how, partner.channel, partner.user)?.session(partner.host)?;
        let deadline = patience.deadline();
        let mut receiving = Receiving::default();
        let mut came = 0;
        loop {
            let mut reply = BytesMut::new();
            let opened = session.open(&mut receiving.sealed, &mut receiving.plain, &mut reply);
            let sent = send_all(&stream, &mut reply, deadline, patience);
            match opened? {
                Opened::Done(_) => {
                    sent?;
                    break;
                }
                Opened::End => return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into()),
                Opened::All => sent?,
            }
            if came > GREETING_BYTES_MAX {
                return Err(Refused::Handshake("it has too many bytes".to_owned()).into());
            }
            stream.set_read_timeout(Some(patience.step(deadline)?))?;
            came += receive_sealed(&stream, &mut receiving.sealed, SEALED_BYTES_MAX, RecvFlags::empty())?;
        }
        // The reader says how long it waits.
        stream.set_read_timeout(None)?;
        let (session, receiving) = (Mutex::new(session), Mutex::new(receiving));
        Ok(Self { stream, session, receiving, sending: Mutex::default() })
    }

    pub(crate) fn stream(&self) -> &NotInherited<TcpStream> {
        &self.stream
    }

    /// Receives what opens; nothing at the end, `WouldBlock` where nothing has come whole.
    pub(crate) fn receive(&self, buffer: &mut [u8], may_wait: bool) -> io::Result<usize> {
        let mut receiving = self.receiving.lock();
        let Receiving { sealed, plain, has_ended } = &mut *receiving;
        let flags = if may_wait { RecvFlags::empty() } else { RecvFlags::DONTWAIT };
        loop {
            let mut reply = BytesMut::new();
            let opened = self.session.lock().open(sealed, plain, &mut reply);
            if !reply.is_empty() {
                let mut sending = self.sending.lock();
                sending.sealed.extend_from_slice(&reply);
                // The rest leaves before the next bytes.
                let _ = push(&self.stream, &mut sending);
            }
            match opened {
                Ok(Opened::End) => *has_ended = true,
                Ok(Opened::All | Opened::Done(_)) => {}
                Err(refused) => return Err(io::Error::new(io::ErrorKind::InvalidData, refused)),
            }
            if !plain.is_empty() {
                let bytes = plain.len().min(buffer.len());
                plain.copy_to_slice(&mut buffer[..bytes]);
                return Ok(bytes);
            }
            if *has_ended {
                return Ok(0);
            }
            let wanted = buffer.len().clamp(1, SEALED_BYTES_MAX);
            if receive_sealed(&self.stream, sealed, wanted, flags)? == 0 {
                return Err(io::ErrorKind::WouldBlock.into());
            }
        }
    }

    /// Sends some of the pieces. Those that the system has in part are asked for again.
    pub(crate) fn send(&self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut sending = self.sending.lock();
        loop {
            if !push(&self.stream, &mut sending)? {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            if sending.plain > 0 {
                return Ok(std::mem::take(&mut sending.plain));
            }
            let sealed = self.session.lock().seal(pieces, &mut sending.sealed);
            sending.plain = sealed.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
            if sending.plain == 0 {
                return Ok(0);
            }
        }
    }
}

impl Drop for Covered {
    /// Says that no more is sent, as far as that goes without waiting.
    fn drop(&mut self) {
        let Some(mut sending) = self.sending.try_lock() else { return };
        if let Some(mut session) = self.session.try_lock() {
            session.close(&mut sending.sealed);
        }
        let _ = push(&self.stream, &mut sending);
    }
}

/// Receives ciphertext once; nothing when none came in time.
fn receive_sealed(
    stream: &NotInherited<TcpStream>,
    sealed: &mut BytesMut,
    wanted: usize,
    flags: RecvFlags,
) -> io::Result<usize> {
    let before = sealed.len();
    sealed.resize(before + wanted, 0);
    let received = rustix::net::recv(stream, &mut sealed[before..], flags).map(|(_, received)| received);
    sealed.truncate(before + *received.as_ref().unwrap_or(&0));
    match received {
        // An end without the word that says so: the last bytes may be missing.
        Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
        Ok(received) => Ok(received),
        Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => Ok(0),
        Err(error) => Err(error.into()),
    }
}

/// Sends ciphertext that waits, once around; whether the system took all.
fn push(stream: &NotInherited<TcpStream>, sending: &mut Sending) -> io::Result<bool> {
    while !sending.sealed.is_empty() {
        match rustix::net::send(stream, &sending.sealed, SendFlags::NOSIGNAL) {
            Ok(sent) => sending.sealed.advance(sent),
            Err(rustix::io::Errno::AGAIN) => return Ok(false),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(true)
}

fn send_all(
    stream: &NotInherited<TcpStream>,
    bytes: &mut BytesMut,
    deadline: Instant,
    patience: Patience<'_>,
) -> io::Result<()> {
    let mut sending = Sending { sealed: bytes.split(), plain: 0 };
    while !push(stream, &mut sending)? {
        patience.step(deadline)?;
    }
    Ok(())
}
