//! So many bytes there and back over TCP on this machine.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use crate::latency::{Latencies, Summary};

/// Echoes on one connection for so long, a thread at each end.
pub(super) fn measure(bytes: usize, time: Duration) -> io::Result<Summary> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let mut stream = TcpStream::connect(listener.local_addr()?)?;
    let (echo, _) = listener.accept()?;
    for end in [&stream, &echo] {
        end.set_nodelay(true)?;
    }
    let echoing = thread::spawn(move || echo_all(echo, bytes));
    let latencies = send_for(&mut stream, bytes, time);
    // Its end is what ends the other side.
    drop(stream);
    echoing.join().expect("the echo does not panic")?;
    Ok(latencies?.summary())
}

fn send_for(stream: &mut TcpStream, bytes: usize, time: Duration) -> io::Result<Latencies> {
    let mut latencies = Latencies::default();
    let mut buffer = vec![0x5A; bytes];
    let begun = Instant::now();
    let mut sent = begun;
    while latencies.count() == 0 || sent - begun < time {
        stream.write_all(&buffer)?;
        stream.read_exact(&mut buffer)?;
        let back = Instant::now();
        latencies.record(back - sent);
        sent = back;
    }
    Ok(latencies)
}

fn echo_all(mut stream: TcpStream, bytes: usize) -> io::Result<()> {
    let mut buffer = vec![0; bytes];
    loop {
        match stream.read_exact(&mut buffer) {
            Ok(()) => stream.write_all(&buffer)?,
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}
