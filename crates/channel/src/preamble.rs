//! The first bytes on a connection, and the other protocols that may arrive at its port.
//!
//! A client begins with eight bytes that no text, TLS or mail relay produces or survives: a byte above 127,
//! the name, and a line end that translation would change.

use std::fmt;

/// First bytes of a client.
pub const MAGIC: [u8; 8] = *b"\xF1FERRY\r\n";

/// Meaning of the first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preamble {
    /// Not enough of them yet.
    Partial,
    /// Ours: frames follow behind [`MAGIC`].
    Ours,
    /// A preamble of another protocol.
    Foreign(Foreign),
}

/// Another protocol, as far as its first bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Foreign {
    /// A request of a browser or another HTTP client.
    Http,
    /// A TLS handshake.
    Tls,
    /// An AMQP header.
    Amqp,
    /// An MQTT CONNECT packet.
    Mqtt,
    /// A Secure Shell banner.
    Ssh,
    /// An MQ client channel.
    MqChannel,
    /// None of these; the first bytes.
    Unknown([u8; 4]),
}

impl fmt::Display for Foreign {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Http => formatter.write_str(
                "an HTTP request arrived at a port for FerryMQ client channels; health and figures have ports of their own",
            ),
            Self::Tls => formatter.write_str(
                "a TLS handshake arrived at a port that does not use TLS; connect without it or to another port",
            ),
            Self::Amqp => formatter.write_str("an AMQP client arrived at a port for FerryMQ client channels"),
            Self::Mqtt => formatter.write_str("an MQTT client arrived at a port for FerryMQ client channels"),
            Self::Ssh => formatter.write_str("a Secure Shell client arrived at a port for FerryMQ client channels"),
            Self::MqChannel => formatter.write_str(
                "a client of another MQ product arrived; FerryMQ speaks a channel protocol of its own, so use its client",
            ),
            Self::Unknown(bytes) => {
                formatter.write_str("bytes that are not a FerryMQ client channel arrived, beginning with")?;
                bytes.iter().try_for_each(|byte| write!(formatter, " {byte:02X}"))
            }
        }
    }
}

impl Foreign {
    /// The program that answers like this where it is called; none for bytes that tell nothing.
    #[must_use]
    pub fn program(&self) -> Option<&'static str> {
        match self {
            Self::Http => Some("an HTTP server"),
            Self::Tls => Some("a server of TLS"),
            Self::Amqp => Some("an AMQP broker"),
            Self::Mqtt => Some("an MQTT broker"),
            Self::Ssh => Some("a Secure Shell server"),
            Self::MqChannel => Some("a queue manager of another product"),
            Self::Unknown(_) => None,
        }
    }

    /// A last word in the other side's own language, so that its user learns what happened. It does not
    /// name the product: nothing is told of that before a login.
    #[must_use]
    pub fn farewell(&self) -> &'static [u8] {
        match self {
            Self::Http => {
                b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 89\r\n\r\n\
                This port serves message channels, not HTTP. Connect with a client of the queue manager.\n"
            }
            // Clients read an alert, `handshake_failure`, as suites without one in common. Text is no record
            // of TLS, so each library reports that this port does not use it.
            Self::Tls => b"This port does not use TLS. Connect without it, or to a port that does.\n",
            _ => b"",
        }
    }
}

const SIGNATURES: [(&[u8], Foreign); 15] = [
    (b"GET ", Foreign::Http),
    (b"POST", Foreign::Http),
    (b"PUT ", Foreign::Http),
    (b"HEAD", Foreign::Http),
    (b"DELE", Foreign::Http),
    (b"OPTI", Foreign::Http),
    (b"PATC", Foreign::Http),
    (b"CONN", Foreign::Http),
    (b"PRI ", Foreign::Http),
    (b"HTTP", Foreign::Http),
    (b"\x16\x03", Foreign::Tls),
    (b"AMQP", Foreign::Amqp),
    (b"SSH-", Foreign::Ssh),
    (b"TSH ", Foreign::MqChannel),
    (b"TSHM", Foreign::MqChannel),
];

impl Preamble {
    /// Looks at the first bytes of a connection.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        if bytes.starts_with(&MAGIC) {
            return Self::Ours;
        }
        if MAGIC.starts_with(bytes) {
            return Self::Partial;
        }
        if let Some((_, foreign)) = SIGNATURES.iter().find(|(signature, _)| bytes.starts_with(signature)) {
            return Self::Foreign(*foreign);
        }
        let Some(first) = bytes.first_chunk::<4>() else {
            return Self::Partial;
        };
        // CONNECT, a length of one or two bytes, then the name "MQTT" behind its own length.
        if first[0] == 0x10 && (bytes.get(4..8) == Some(b"MQTT") || bytes.get(5..9) == Some(b"MQTT")) {
            return Self::Foreign(Foreign::Mqtt);
        }
        Self::Foreign(Foreign::Unknown(*first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_knocks_at_the_port_is_told_apart() {
        for (bytes, expected) in [
            (&b""[..], Preamble::Partial),
            (&MAGIC[..5], Preamble::Partial),
            (&MAGIC[..], Preamble::Ours),
            (b"\xF1FERRY\r\nmore", Preamble::Ours),
            (b"GE", Preamble::Partial),
            (b"GET / HTTP/1.1\r\n", Preamble::Foreign(Foreign::Http)),
            (b"POST /x", Preamble::Foreign(Foreign::Http)),
            (b"\x16\x03\x01\x02\x00\x01", Preamble::Foreign(Foreign::Tls)),
            (b"AMQP\x00\x01\x00\x00", Preamble::Foreign(Foreign::Amqp)),
            (b"\x10\x10\x00\x04MQTT", Preamble::Foreign(Foreign::Mqtt)),
            (b"SSH-2.0-x", Preamble::Foreign(Foreign::Ssh)),
            (b"\xF1FERRY\n\n", Preamble::Foreign(Foreign::Unknown(*b"\xF1FER"))),
            (b"\0\0\0\0", Preamble::Foreign(Foreign::Unknown([0; 4]))),
        ] {
            assert_eq!(Preamble::of(bytes), expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_browser_is_answered_in_its_language() {
        let farewell = std::str::from_utf8(Foreign::Http.farewell()).unwrap();
        let (head, body) = farewell.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{head} / {}", body.len());
        assert!(!farewell.contains("Ferry"), "{farewell}");
    }
}
