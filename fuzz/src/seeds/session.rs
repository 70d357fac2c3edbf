//! A connection as both sides said it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;

use anyhow::{Context, Result};

/// Most bytes kept of a direction: more of a session is more of the same.
const BYTES_MAX: usize = 16 << 10;

/// Waits for one client, passes everything on, and keeps it.
pub(crate) fn record(listen: &str, upstream: &str, name: &str) -> Result<()> {
    let listener = TcpListener::bind(listen).with_context(|| format!("cannot listen on {listen}"))?;
    let (client, _) = listener.accept()?;
    let server = TcpStream::connect(upstream).with_context(|| format!("cannot reach {upstream}"))?;
    let (said, heard) = (client.try_clone()?, server.try_clone()?);
    let questions = thread::spawn(move || pass_on(said, heard));
    let answers = pass_on(server, client)?;
    let questions = questions.join().map_err(|_| anyhow::anyhow!("the reading thread panicked"))??;
    super::keep("channel_frames", &format!("{name}-client"), &questions)?;
    super::keep("channel_frames", &format!("{name}-server"), &answers)
}

fn pass_on(mut from: TcpStream, mut to: TcpStream) -> Result<Vec<u8>> {
    let (mut kept, mut buffer) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        // The end of a connection by its other side, orderly or not, is where the seed ends.
        let length = from.read(&mut buffer).unwrap_or(0);
        if length == 0 || to.write_all(&buffer[..length]).is_err() {
            break;
        }
        kept.extend_from_slice(&buffer[..length]);
    }
    // The other side may have gone first.
    let _ = to.shutdown(Shutdown::Both);
    kept.truncate(BYTES_MAX);
    Ok(kept)
}
