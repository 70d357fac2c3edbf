//! A connection that reads frames out of one buffer and writes from another, by as few system calls as there
//! can be.
//!
//! Lives here: buffers and waiting. Lives elsewhere: what a frame is (`clients`).

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};

/// So long one read waits; then who reads looks whether it is over.
pub(crate) const LOOK: Duration = Duration::from_millis(200);

/// Room for what one read brings: several messages of the usual size.
const READ_BYTES: usize = 64 << 10;

/// A frame longer than this is none: something else is at the other end.
const FRAME_BYTES_MAX: usize = 256 << 20;

/// One connection to a broker.
#[derive(Debug)]
pub(crate) struct Socket {
    stream: TcpStream,
    input: Vec<u8>,
    /// Where the frame that was handed over begins, and what has not been looked at after it.
    start: usize,
    next: usize,
    end: usize,
    output: Vec<u8>,
}

/// A frame with what its reader made of it, and the place for an answer.
pub(crate) struct Received<'a, T> {
    pub(crate) parsed: T,
    /// The whole frame.
    pub(crate) frame: &'a [u8],
    pub(crate) output: &'a mut Vec<u8>,
}

impl Socket {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).with_context(|| format!("cannot connect to {address}"))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(LOOK))?;
        Ok(Self { stream, input: vec![0; READ_BYTES], start: 0, next: 0, end: 0, output: Vec::new() })
    }

    /// Returns the buffer that the next flush sends.
    pub(crate) fn output(&mut self) -> &mut Vec<u8> {
        &mut self.output
    }

    /// Sends what is there to be sent.
    pub(crate) fn flush(&mut self) -> Result<()> {
        if !self.output.is_empty() {
            self.stream.write_all(&self.output).context("the broker takes nothing more")?;
            self.output.clear();
        }
        Ok(())
    }

    /// The next frame; none when the rest of it has not come within [`LOOK`]. `parse` returns the frame and
    /// its length, or none while it is not whole.
    pub(crate) fn next<T>(
        &mut self,
        parse: impl Fn(&[u8]) -> Result<Option<(T, usize)>>,
    ) -> Result<Option<Received<'_, T>>> {
        loop {
            if let Some((parsed, length)) = parse(&self.input[self.next..self.end])? {
                return Ok(Some(self.hand_over(parsed, length)));
            }
            if !self.read()? {
                return Ok(None);
            }
        }
    }

    /// The next frame if all of it has come already.
    pub(crate) fn here<T>(
        &mut self,
        parse: impl Fn(&[u8]) -> Result<Option<(T, usize)>>,
    ) -> Result<Option<Received<'_, T>>> {
        let parsed = parse(&self.input[self.next..self.end])?;
        Ok(parsed.map(|(parsed, length)| self.hand_over(parsed, length)))
    }

    fn hand_over<T>(&mut self, parsed: T, length: usize) -> Received<'_, T> {
        self.start = self.next;
        self.next += length;
        Received { parsed, frame: &self.input[self.start..self.next], output: &mut self.output }
    }

    /// Reads once; false when nothing came within [`LOOK`].
    fn read(&mut self) -> Result<bool> {
        if self.next > 0 {
            self.input.copy_within(self.next..self.end, 0);
            self.end -= self.next;
            (self.start, self.next) = (0, 0);
        }
        if self.end == self.input.len() {
            ensure!(self.end < FRAME_BYTES_MAX, "the broker sends a frame without end");
            self.input.resize(self.end * 2, 0);
        }
        match self.stream.read(&mut self.input[self.end..]) {
            Ok(0) => anyhow::bail!("the broker closed the connection"),
            Ok(count) => {
                self.end += count;
                Ok(true)
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(false),
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(true),
            Err(error) => Err(error).context("the connection to the broker broke"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A frame of these tests: a byte that says how many follow.
    fn parse(bytes: &[u8]) -> Result<Option<((), usize)>> {
        Ok(bytes
            .first()
            .map(|length| 1 + usize::from(*length))
            .filter(|whole| bytes.len() >= *whole)
            .map(|whole| ((), whole)))
    }

    #[test]
    fn frames_come_whole_however_they_were_cut() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let writer = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("the connection");
            for piece in [&[3, b'a'][..], b"b", &[b'c', 1, b'd', 2], b"ef"] {
                stream.write_all(piece).expect("it is read");
                std::thread::sleep(Duration::from_millis(5));
            }
            stream
        });
        let mut socket = Socket::connect(address).expect("it listens");
        let mut frames = Vec::new();
        for _ in 0..3 {
            let received = socket.next(parse).expect("it is open").expect("a frame comes");
            frames.push(received.frame.to_vec());
        }
        assert_eq!(frames, [b"\x03abc".to_vec(), b"\x01d".to_vec(), b"\x02ef".to_vec()]);
        assert!(socket.next(parse).expect("it is open").is_none(), "nothing more comes");
        drop(writer.join().expect("it ended"));
        socket.next(parse).map(|_| ()).expect_err("it is closed");
    }
}
