//! Output that waits to be written to a connection.

use std::io::{self, IoSlice};

use crate::socket::Socket;

/// Most pieces one system call writes: enough for thirty messages with their headers.
pub const SLICES_MAX: usize = 64;

/// Bytes that wait to be written, in order. The reactor writes from where they are and says how many went.
pub trait Outgoing {
    /// Bytes waiting.
    fn pending(&self) -> usize;
    /// Notes the first pieces, at most as many as `slices` holds; returns how many.
    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize;
    /// The first `bytes` are written.
    fn written(&mut self, bytes: usize);
}

/// The rest after one attempt to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flushed {
    /// Nothing.
    All,
    /// Some; the kernel takes no more now.
    Blocked,
}

/// Writes until all is written or the kernel takes no more.
pub(crate) fn flush(socket: &mut Socket, output: &mut impl Outgoing) -> io::Result<Flushed> {
    while output.pending() > 0 {
        let outcome = {
            let mut slices = [IoSlice::new(&[]); SLICES_MAX];
            let count = output.gather(&mut slices);
            socket.write_vectored(&slices[..count])
        };
        match outcome {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(written) => output.written(written),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Flushed::Blocked),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Flushed::All)
}
