//! Where a queue manager listens.

use std::fmt;
use std::net::Ipv6Addr;
use std::path::PathBuf;
use std::str::FromStr;

/// The port when none is given.
pub const PORT: u16 = 1414;

/// One place to connect to: `host`, `host:port`, `host(port)`, `[::1]:port`, `unix:/path` or `rings:/path`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Address {
    /// A host by name or number, and a port.
    Tcp {
        /// The host.
        host: String,
        /// The port.
        port: u16,
    },
    /// A Unix socket.
    Unix(PathBuf),
    /// A Unix socket at which rings in shared memory are offered.
    Rings(PathBuf),
}

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The host or path is empty.
    #[error("the address \"{0}\" names no host; write host:port or unix:/path")]
    Empty(String),
    /// The host can be the name of none.
    #[error(
        "the address \"{address}\" has \"{host}\" where one host should be; write host:port, host(port) or unix:/path"
    )]
    Host {
        /// The address given.
        address: String,
        /// The part in place of the host.
        host: String,
    },
    /// The port is no port.
    #[error("the address \"{address}\" has \"{port}\" where a port from 1 to 65535 should be")]
    Port {
        /// The address given.
        address: String,
        /// The part in place of the port.
        port: String,
    },
}

impl Address {
    /// Reads a list separated by commas.
    ///
    /// # Errors
    /// When one of them is no address.
    pub fn list(text: &str) -> Result<Vec<Self>, AddressError> {
        text.split(',').map(|one| one.trim().parse()).collect()
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        let empty = || AddressError::Empty(text.to_owned());
        let local = |path: &str, address: fn(PathBuf) -> Self| match path {
            "" => Err(empty()),
            path => Ok(address(path.into())),
        };
        if let Some(path) = text.strip_prefix("unix:") {
            return local(path, Self::Unix);
        }
        if let Some(path) = text.strip_prefix("rings:") {
            return local(path, Self::Rings);
        }
        let (host, port) = if let Some(rest) = text.strip_prefix('[') {
            let (host, after) = rest.split_once(']').ok_or_else(empty)?;
            (host, after.strip_prefix(':'))
        } else if let Some((host, port)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            (host, Some(port))
        } else {
            // More than one colon outside brackets is an IPv6 address without a port.
            match text.rsplit_once(':') {
                Some((host, port)) if !host.contains(':') => (host, Some(port)),
                _ => (text, None),
            }
        };
        if host.trim().is_empty() {
            return Err(empty());
        }
        if !can_be_host(host) {
            return Err(AddressError::Host { address: text.to_owned(), host: host.to_owned() });
        }
        let port = match port {
            None => PORT,
            Some(port) => port
                .parse()
                .ok()
                .filter(|port| *port != 0)
                .ok_or_else(|| AddressError::Port { address: text.to_owned(), port: port.to_owned() })?,
        };
        Ok(Self::Tcp { host: host.to_owned(), port })
    }
}

/// Returns false for a text that no name service knows: with a bracket that is left over, a blank, a list, or
/// colons that are not those of IPv6.
fn can_be_host(host: &str) -> bool {
    let number = host.split_once('%').map_or(host, |(number, _)| number);
    let is_odd = |character: char| {
        character.is_whitespace() || character.is_control() || "()[],;/\"'".contains(character)
    };
    !host.contains(is_odd) && (!host.contains(':') || number.parse::<Ipv6Addr>().is_ok())
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(formatter, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(formatter, "{host}:{port}"),
            Self::Unix(path) => write!(formatter, "unix:{}", path.display()),
            Self::Rings(path) => write!(formatter, "rings:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_in_every_form() {
        let tcp = |host: &str, port| Ok(Address::Tcp { host: host.to_owned(), port });
        for (text, expected) in [
            ("localhost", tcp("localhost", 1414)),
            ("localhost:1415", tcp("localhost", 1415)),
            ("mq.example(1420)", tcp("mq.example", 1420)),
            ("[::1]:1416", tcp("::1", 1416)),
            ("::1", tcp("::1", 1414)),
            ("unix:/run/qm1.sock", Ok(Address::Unix("/run/qm1.sock".into()))),
            ("rings:/run/qm1/rings", Ok(Address::Rings("/run/qm1/rings".into()))),
            ("", Err(AddressError::Empty(String::new()))),
            ("unix:", Err(AddressError::Empty("unix:".into()))),
            (":1414", Err(AddressError::Empty(":1414".into()))),
            ("host:0", Err(AddressError::Port { address: "host:0".into(), port: "0".into() })),
            ("host:70000", Err(AddressError::Port { address: "host:70000".into(), port: "70000".into() })),
        ] {
            assert_eq!(text.parse(), expected, "{text}");
        }
    }

    #[test]
    fn a_text_that_can_be_no_host_is_refused_before_it_is_looked_up() {
        for (text, host) in [
            ("h(1414", "h(1414"),
            ("h)", "h)"),
            ("h 1414", "h 1414"),
            ("h:1414:5", "h:1414:5"),
            ("[h]:1414]", "h"),
            (",h", ",h"),
            ("h(1),(2)", "h"),
            ("http://h:80", "http://h:80"),
        ] {
            match text.parse::<Address>() {
                Err(AddressError::Host { host: found, .. }) => assert_eq!(found, host, "{text}"),
                Err(AddressError::Port { .. }) => assert_eq!(host, "h", "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(" ".parse::<Address>().is_err());
        for text in ["fe80::1%eth0", "[::ffff:10.0.0.1]:1", "mq-1.example_2.", "10.0.0.1(1)"] {
            assert!(text.parse::<Address>().is_ok(), "{text}");
        }
    }

    #[test]
    fn a_list_keeps_its_order() {
        let list = Address::list("a:1, unix:/b").unwrap();
        assert_eq!(list.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a:1", "unix:/b"]);
    }
}
