//! Bytes there and back over TCP on this machine, by sockets set up as those of a queue manager and its
//! clients.

use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
use transport::socket::prepare_tcp;

use crate::latency::{Latencies, Summary};

/// Echoes on one connection for so long, a thread at each end.
pub(super) fn measure(bytes: usize, time: Duration) -> io::Result<Summary> {
    let (mut stream, echo) = pair()?;
    let echoing = thread::spawn(move || echo_all(echo, bytes));
    let latencies = send_for(&mut stream, bytes, time);
    // Its end is what ends the other side.
    drop(stream);
    echoing.join().expect("the echo does not panic")?;
    latencies?.summary().ok_or_else(|| io::Error::other("nothing came back"))
}

/// A connection within this machine. What is accepted is set up as its listener is.
pub(crate) fn pair() -> io::Result<(TcpStream, TcpStream)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address: SocketAddr = listener.local_addr()?;
    prepare_tcp(&listener, address.ip())?;
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
    prepare_tcp(&socket, address.ip())?;
    rustix::net::connect(&socket, &address)?;
    let (echo, _) = listener.accept()?;
    Ok((TcpStream::from(socket), echo))
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::pair;
    use rustix::net::sockopt;

    #[test]
    fn both_ends_are_set_up_as_a_queue_manager_sets_up_its_own() {
        let (ours, theirs) = pair().expect("a connection");
        for end in [&ours, &theirs] {
            assert_eq!(sockopt::tcp_congestion(end).expect("it is asked"), "reno");
            assert!(end.nodelay().expect("it is asked"));
        }
    }
}
