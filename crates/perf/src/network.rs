//! Messages and bytes on the network, as the system counts them: segments of TCP that carry data, and bytes
//! of IP with their headers.
//!
//! They are those of all programs on the machine, or in its container. What goes by a local socket or by
//! shared memory is not among them; what goes over TCP on one machine is.

use std::fs;

/// Where Linux has them: a line of names and then one of values for each group.
const FILE: &str = "/proc/self/net/netstat";

/// The counters at one moment; none where the system does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Network {
    /// Segments sent that carry data for the first time.
    pub(crate) messages: Option<u64>,
    /// Bytes sent, with the headers of IP and TCP.
    pub(crate) bytes: Option<u64>,
}

impl Network {
    /// Reads the counters.
    pub(crate) fn now() -> Self {
        fs::read_to_string(FILE).map(|text| Self::of(&text)).unwrap_or_default()
    }

    fn of(text: &str) -> Self {
        Self {
            messages: counter(text, "TcpExt:", "TCPOrigDataSent"),
            bytes: counter(text, "IpExt:", "OutOctets"),
        }
    }
}

/// The value of a name in a group.
fn counter(text: &str, group: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().filter(|line| line.starts_with(group));
    let place = lines.next()?.split_whitespace().position(|known| known == name)?;
    lines.next()?.split_whitespace().nth(place)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn a_counter_is_found_by_its_name() {
        let text = "TcpExt: A TCPOrigDataSent B\nTcpExt: 1 22 3\nIpExt: OutOctets\nIpExt: 4000\n";
        assert_eq!(Network::of(text), Network { messages: Some(22), bytes: Some(4000) });
        assert_eq!(Network::of("TcpExt: A B\nTcpExt: 1 2\n"), Network::default());
        assert_eq!(Network::of("TcpExt: TCPOrigDataSent\n"), Network::default(), "no values follow");
    }

    #[test]
    fn what_a_socket_sends_is_counted() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut near = TcpStream::connect(listener.local_addr().expect("bound")).expect("it listens");
        let (mut far, _) = listener.accept().expect("it connects");
        let before = Network::now();
        let mut answer = [0];
        for _ in 0..20 {
            near.write_all(&[7; 1000]).expect("it is there");
            let mut request = [0; 1000];
            far.read_exact(&mut request).expect("it is sent");
            far.write_all(&[1]).expect("it is there");
            near.read_exact(&mut answer).expect("it is sent");
        }
        let after = Network::now();
        let grown = |of: fn(Network) -> Option<u64>| of(after).zip(of(before)).map(|(now, then)| now - then);
        // Other programs of the machine may send as well.
        assert!(
            grown(|network| network.messages).is_none_or(|messages| messages >= 40),
            "{before:?} {after:?}"
        );
        assert!(
            grown(|network| network.bytes).is_none_or(|bytes| bytes >= 20 * 1001),
            "{before:?} {after:?}"
        );
    }
}
