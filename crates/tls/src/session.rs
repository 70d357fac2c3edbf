//! One session as bytes in and bytes out, for both ends alike.

use std::io::{self, BufRead, IoSlice, Write};
use std::sync::Arc;

use bytes::{Buf, BytesMut};
use rustls::{Connection, Error, ProtocolVersion};
use transport::cover::SEALED_BYTES_MAX;
use transport::{CoverError, Facts};

use crate::words::Own;

/// A session of either end.
pub(crate) struct Session {
    connection: Connection,
    /// The handshake was told of.
    is_told: bool,
    /// The certificates that this end shows.
    own: Arc<Own>,
}

/// Progress of opening.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// All whole records were taken.
    All,
    /// The handshake is done; plaintext may wait in the session.
    Done,
    /// The partner sends no more.
    End,
}

impl Session {
    pub(crate) fn new(connection: impl Into<Connection>, own: Arc<Own>) -> Self {
        let mut connection = connection.into();
        connection.set_buffer_limit(Some(SEALED_BYTES_MAX));
        Self { connection, is_told: false, own }
    }

    /// The words of an error of this session.
    pub(crate) fn words(&self, error: &Error) -> String {
        self.own.words(error)
    }

    /// Returns true once the handshake is done.
    pub(crate) fn is_done(&self) -> bool {
        !self.connection.is_handshaking()
    }

    /// Takes ciphertext. Plaintext goes to `plain` once the handshake was told of, and not in the same call.
    pub(crate) fn open(
        &mut self,
        sealed: &mut BytesMut,
        plain: &mut BytesMut,
        reply: &mut BytesMut,
    ) -> Result<Progress, Error> {
        let mut is_over = self.is_told && self.take_plain(plain);
        while !sealed.is_empty() && !is_over {
            let mut bytes = &sealed[..];
            let before = bytes.len();
            let read = self.connection.read_tls(&mut bytes);
            let taken = before - bytes.len();
            sealed.advance(taken);
            let processed = self.connection.process_new_packets();
            self.reply(reply);
            processed?;
            if !self.is_told && !self.connection.is_handshaking() {
                self.is_told = true;
                return Ok(Progress::Done);
            }
            is_over = self.is_told && self.take_plain(plain);
            if let Err(error) = read {
                return Err(Error::General(error.to_string()));
            }
            if taken == 0 {
                // Nothing belongs behind the word that there is no more.
                sealed.clear();
            }
        }
        self.reply(reply);
        Ok(if is_over { Progress::End } else { Progress::All })
    }

    /// Moves plaintext out of the session; whether the partner sends no more.
    fn take_plain(&mut self, plain: &mut BytesMut) -> bool {
        let mut reader = self.connection.reader();
        loop {
            match reader.fill_buf() {
                Ok([]) => return true,
                Ok(bytes) => {
                    let taken = bytes.len();
                    plain.extend_from_slice(bytes);
                    reader.consume(taken);
                }
                // Nothing more for now.
                Err(_) => return false,
            }
        }
    }

    /// Writes records that the session has for the partner.
    pub(crate) fn reply(&mut self, reply: &mut BytesMut) {
        while self.connection.wants_write() {
            // Memory takes all.
            let _ = self.connection.write_tls(&mut Appending(reply));
        }
    }

    /// Seals the front of the pieces.
    pub(crate) fn seal(
        &mut self,
        pieces: &[IoSlice<'_>],
        sealed: &mut BytesMut,
    ) -> Result<usize, CoverError> {
        if !self.is_told {
            return Ok(0);
        }
        let taken = self.connection.writer().write_vectored(pieces);
        self.reply(sealed);
        match taken {
            Ok(0) if pieces.iter().any(|piece| !piece.is_empty()) => {
                Err(CoverError::Record("the keys of the session are used up".to_owned()))
            }
            Ok(taken) => Ok(taken),
            Err(error) => Err(CoverError::Record(error.to_string())),
        }
    }

    pub(crate) fn close(&mut self, sealed: &mut BytesMut) {
        self.connection.send_close_notify();
        self.reply(sealed);
    }

    /// Facts that the handshake established.
    pub(crate) fn facts(&self, server_name: Option<String>) -> Facts {
        let version = self.connection.protocol_version().map_or(0, ProtocolVersion::into);
        let suite = self.connection.negotiated_cipher_suite().map_or(0, |suite| suite.suite().into());
        let certificates = self.connection.peer_certificates().unwrap_or_default();
        Facts {
            version,
            suite,
            application: self.connection.alpn_protocol().unwrap_or_default().to_vec(),
            server_name,
            certificates: certificates.iter().map(|der| der.to_vec()).collect(),
        }
    }
}

/// Appends what is written, all pieces at once.
struct Appending<'a>(&'a mut BytesMut);

impl Write for Appending<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        pieces.iter().map(|piece| self.write(piece)).sum()
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
