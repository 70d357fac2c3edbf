//! Covers: the encryption of connections, as the reactor drives it.
//!
//! Lives here: [`Cover`], which has no socket; [`Covers`], which a listener makes them by; and the stream
//! under a cover (`Covered`): ciphertext from and to a TCP socket.
//!
//! Lives elsewhere: the protocol of a cover and what it proves (`tls`); deadlines (`reactor`).
//!
//! Always: no byte of a partner is given to the handler before the cover is closed around the connection,
//! or the handler was told that there is none; output counts as written when the kernel has the last byte
//! of its ciphertext.

use std::fmt;
use std::io::{self, IoSlice};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::time::Duration;

use bytes::{Buf, BytesMut};
use rustix::net::SendFlags;
use zeroize::Zeroize as _;

use crate::received::{Received, receive_from};

/// Most ciphertext that a partner may send before its handshake is done: a chain of certificates of common
/// length, several times over.
pub const HANDSHAKE_BYTES_MAX: usize = 12 << 10;

/// Most ciphertext that one system call brings: four records, so that others get their turn.
const OPENED_BYTES_MAX: usize = 64 << 10;

/// Room for one record, with anything in front of it.
const RECORD_BYTES_MAX: usize = 17 << 10;

/// Most bytes that are sealed before the kernel has taken all of them.
pub const SEALED_BYTES_MAX: usize = 64 << 10;

/// Why a cover ends its connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CoverError {
    /// The handshake failed.
    #[error("the TLS handshake failed: {0}")]
    Handshake(String),
    /// The handshake was not done in time.
    #[error("the TLS handshake was not done within {} s", .0.as_secs())]
    TooSlow(Duration),
    /// The handshake was longer than is allowed.
    #[error("the TLS handshake has more than {HANDSHAKE_BYTES_MAX} bytes")]
    TooLong,
    /// A record does not open, or does not belong there.
    #[error("a TLS record is wrong: {0}")]
    Record(String),
    /// The connection ended without the word that says so: its last bytes may be missing.
    #[error("the connection was cut off")]
    CutOff,
}

/// Facts that a handshake established.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The version of the protocol, as on the wire: 0x0303 for TLS 1.2, 0x0304 for 1.3.
    pub version: u16,
    /// The number of the cipher suite.
    pub suite: u16,
    /// The protocol inside, agreed by ALPN; empty for none.
    pub application: Vec<u8>,
    /// The host name that the partner connected to, if it said one.
    pub server_name: Option<String>,
    /// The partner's certificate and the chain that it sent, in DER; proved. Empty without one.
    pub certificates: Vec<Vec<u8>>,
}

/// Progress of opening.
#[derive(Debug, PartialEq, Eq)]
pub enum Opened {
    /// All whole records were taken.
    All,
    /// The handshake is done. Records may be left, and are opened by the next call.
    Covered(Box<Facts>),
    /// The partner does not speak the cover's protocol; its bytes were left.
    Bare,
    /// The partner says that it sends no more.
    End,
}

/// The encryption of one connection: ciphertext to plaintext and back. It has no socket, and waits for
/// nothing.
pub trait Cover: Send {
    /// Opens the records at the front of `sealed`: takes them, and appends plaintext to `plain` and answers
    /// of its own to `reply`. After an error `reply` may hold a last word.
    ///
    /// # Errors
    /// When the partner may not come in, or sends records that are wrong.
    fn open(
        &mut self,
        sealed: &mut BytesMut,
        plain: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<Opened, CoverError>;

    /// Seals bytes from the front of the pieces, at most [`SEALED_BYTES_MAX`], and appends their records to
    /// `sealed`. Returns how many; none before the handshake is done.
    ///
    /// # Errors
    /// When its keys are used up.
    fn seal(&mut self, pieces: &[IoSlice<'_>], sealed: &mut BytesMut) -> Result<usize, CoverError>;

    /// Appends the word that nothing more is sent.
    fn close(&mut self, sealed: &mut BytesMut);
}

/// Makes the covers of a listener's connections.
pub trait Covers: Send + Sync {
    /// A cover for one more connection. Cheap: nothing is known of the partner.
    fn cover(&self) -> Box<dyn Cover>;
}

/// The covers of a listener, shared by its connections.
pub type SharedCovers = Arc<dyn Covers>;

/// Progress of a covered connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The handshake is under way.
    Opening,
    /// Bytes are sealed.
    Covered,
    /// The partner does not speak the cover's protocol.
    Bare,
    /// The cover gave up; what still comes is thrown away.
    Failed,
}

/// News of a cover for the handler.
#[derive(Debug)]
pub(crate) enum News {
    /// The handshake is done.
    Covered(Box<Facts>),
    /// No news.
    Bare,
}

/// A TCP stream under a cover.
pub struct Covered {
    pub(crate) stream: mio::net::TcpStream,
    cover: Box<dyn Cover>,
    state: State,
    /// Ciphertext without its last byte, or behind records that told of something first.
    incoming: BytesMut,
    /// Records may be left in `incoming`.
    has_records: bool,
    /// Ciphertext that came before the handshake was done.
    handshake_bytes: usize,
    /// Ciphertext that the kernel has not taken.
    outgoing: BytesMut,
    /// Bytes of output whose ciphertext ends with `outgoing`.
    sealed: usize,
    has_ended: bool,
    /// True after this side announced that it sends no more: the other end's way of going then does not
    /// matter.
    has_closed: bool,
    news: Option<News>,
    failure: Option<CoverError>,
}

impl fmt::Debug for Covered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stream, state, .. } = self;
        formatter
            .debug_struct("Covered")
            .field("stream", stream)
            .field("state", state)
            .finish_non_exhaustive()
    }
}

impl Covered {
    pub(crate) fn new(stream: mio::net::TcpStream, cover: Box<dyn Cover>) -> Self {
        Self {
            stream,
            cover,
            state: State::Opening,
            incoming: BytesMut::new(),
            has_records: false,
            handshake_bytes: 0,
            outgoing: BytesMut::new(),
            sealed: 0,
            has_ended: false,
            has_closed: false,
            news: None,
            failure: None,
        }
    }

    pub(crate) fn stream(&self) -> &mio::net::TcpStream {
        &self.stream
    }

    pub(crate) fn stream_mut(&mut self) -> &mut mio::net::TcpStream {
        &mut self.stream
    }

    /// Returns true until the handshake is done, or the handler was told that there is none.
    pub(crate) fn is_opening(&self) -> bool {
        self.state == State::Opening
    }

    /// The next news for the handler.
    pub(crate) fn take_news(&mut self) -> Option<News> {
        self.news.take()
    }

    /// The reason why the cover gave up, if it did.
    pub(crate) fn failure(&self) -> Option<&CoverError> {
        self.failure.as_ref()
    }

    /// Begins the handshake of a connection that this side opened: the cover's first bytes are written.
    pub(crate) fn begin(&mut self) -> io::Result<()> {
        let opened = self.cover.open(&mut self.incoming, &mut BytesMut::new(), &mut self.outgoing);
        self.push()?;
        opened.map(drop).or_else(|error| self.fail(error).map(drop))
    }

    /// Receives once, and appends what opens to `buffer`: `room` bytes at most, but for the rest of one
    /// record.
    pub(crate) fn receive(&mut self, buffer: &mut BytesMut, room: usize) -> io::Result<Received> {
        match self.state {
            State::Bare if self.incoming.is_empty() => {
                return receive_from(&self.stream, buffer, room);
            }
            State::Bare => {
                let bytes = self.incoming.len().min(room);
                let mut taken = self.incoming.split_to(bytes);
                buffer.extend_from_slice(&taken);
                // Credentials may be in it.
                taken[..].zeroize();
                return Ok(Received::Some(bytes));
            }
            State::Failed => return self.discard(),
            State::Opening | State::Covered => {}
        }
        let mut came = Received::Some(0);
        if !std::mem::take(&mut self.has_records) {
            came = self.receive_sealed(room)?;
            match came {
                Received::Nothing => return Ok(Received::Nothing),
                Received::End if self.has_ended || self.has_closed || self.has_said_nothing() => {
                    return Ok(Received::End);
                }
                Received::End => return self.fail(CoverError::CutOff),
                _ => {}
            }
        }
        let before = buffer.len();
        let opened = self.cover.open(&mut self.incoming, buffer, &mut self.outgoing);
        self.push()?;
        match opened {
            Err(error) => return self.fail(error),
            Ok(Opened::All) => {}
            Ok(Opened::End) => {
                self.has_ended = true;
                self.cover.close(&mut self.outgoing);
                self.push()?;
            }
            Ok(Opened::Covered(facts)) => {
                // What came behind the handshake may lie in the cover.
                (self.state, self.has_records) = (State::Covered, true);
                self.news = Some(News::Covered(facts));
            }
            Ok(Opened::Bare) => {
                self.state = State::Bare;
                self.news = Some(News::Bare);
            }
        }
        if self.state == State::Opening && self.handshake_bytes >= HANDSHAKE_BYTES_MAX {
            return self.fail(CoverError::TooLong);
        }
        if self.incoming.is_empty() {
            self.incoming = BytesMut::new();
        }
        Ok(match (buffer.len() - before, came) {
            (0, _) if self.has_ended => Received::End,
            (0, Received::Some(bytes) | Received::Last(bytes)) => Received::Inner(bytes),
            (plain, Received::Last(_)) if !self.has_ended => Received::Last(plain),
            (plain, _) => Received::Some(plain),
        })
    }

    /// True if the other end sent nothing: a program that only looks if the port is open.
    fn has_said_nothing(&self) -> bool {
        self.handshake_bytes == 0
    }

    fn receive_sealed(&mut self, room: usize) -> io::Result<Received> {
        let wanted = if self.is_opening() {
            HANDSHAKE_BYTES_MAX - self.handshake_bytes
        } else {
            // Plaintext is shorter than its records: less than this opens to no more than there is room for.
            room.saturating_sub(self.incoming.len()).clamp(RECORD_BYTES_MAX, OPENED_BYTES_MAX)
        };
        self.incoming.reserve(wanted);
        let came = receive_from(&self.stream, &mut self.incoming, wanted)?;
        if self.state == State::Opening
            && let Received::Some(bytes) | Received::Last(bytes) = came
        {
            self.handshake_bytes += bytes;
        }
        Ok(came)
    }

    /// The cover gives up: its last word was sent, and the reason is kept for the handler.
    fn fail(&mut self, error: CoverError) -> io::Result<Received> {
        self.state = State::Failed;
        self.failure = Some(error.clone());
        self.incoming = BytesMut::new();
        Err(io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Throws away what comes behind an error.
    fn discard(&mut self) -> io::Result<Received> {
        self.incoming.reserve(RECORD_BYTES_MAX);
        let came = receive_from(&self.stream, &mut self.incoming, RECORD_BYTES_MAX);
        self.incoming.clear();
        came
    }

    /// Writes ciphertext that waits; whether the kernel took all of it.
    pub(crate) fn push(&mut self) -> io::Result<bool> {
        while !self.outgoing.is_empty() {
            match rustix::net::send(&self.stream, &self.outgoing, SendFlags::NOSIGNAL) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(sent) => self.outgoing.advance(sent),
                Err(rustix::io::Errno::AGAIN) => return Ok(false),
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        // The room goes back: a connection that is idle has none.
        self.outgoing = BytesMut::new();
        Ok(true)
    }

    /// Seals the front of the slices and writes its records. Returns how many bytes of the slices the kernel
    /// has, and asks to be given those again that it has in part.
    ///
    /// # Errors
    /// `WouldBlock` when the kernel takes nothing now, or the handshake is not done.
    pub(crate) fn write(&mut self, slices: &[IoSlice<'_>]) -> io::Result<usize> {
        loop {
            if !self.push()? {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            if self.sealed > 0 {
                return Ok(std::mem::take(&mut self.sealed));
            }
            match self.state {
                State::Bare => return io::Write::write_vectored(&mut self.stream, slices),
                State::Opening | State::Failed => return Err(io::ErrorKind::WouldBlock.into()),
                State::Covered => {}
            }
            self.sealed = self
                .cover
                .seal(slices, &mut self.outgoing)
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
    }

    /// Says that nothing more will be sent.
    pub(crate) fn shut_down(&mut self) -> io::Result<()> {
        if self.state == State::Covered {
            self.cover.close(&mut self.outgoing);
            self.has_closed = true;
        }
        // A kernel that takes no more has a partner that does not read, and hears of the end anyway.
        self.push()?;
        self.stream.shutdown(Shutdown::Write)
    }
}

impl AsFd for Covered {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}
