//! A client channel in one line: `CHANNEL/TCP/host(port),other(port)`, as in MQSERVER.

use super::ClientChannel;
use client::{Address, AddressError};

/// Most characters of a channel's name.
pub const NAME_LENGTH_MAX: usize = 20;

/// Why a text defines no channel.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// The definition does not have three parts.
    #[error("\"{0}\" defines no channel; write CHANNEL/TCP/host(port)")]
    Parts(String),
    /// The name is empty or too long.
    #[error("\"{0}\" is no name of a channel; it has 1 to {NAME_LENGTH_MAX} characters")]
    Name(String),
    /// Another network than ours.
    #[error("the channel {channel} goes over {transport}; write TCP")]
    Transport {
        /// The channel.
        channel: String,
        /// The transport given.
        transport: String,
    },
    /// The definition has no usable address.
    #[error("the channel {channel} leads nowhere: {error}")]
    Address {
        /// The channel.
        channel: String,
        /// Description of the fault.
        error: AddressError,
    },
}

/// Reads a definition. What stands behind the second slash is a list: names of hosts have no slash, paths of
/// Unix sockets do.
///
/// # Errors
/// When it is none.
pub fn parse(text: &str) -> Result<ClientChannel, DefinitionError> {
    let mut parts = text.trim().splitn(3, '/');
    let (Some(name), Some(transport), Some(list)) = (parts.next(), parts.next(), parts.next()) else {
        return Err(DefinitionError::Parts(text.trim().to_owned()));
    };
    let name = name.trim();
    if name.is_empty() || name.len() > NAME_LENGTH_MAX {
        return Err(DefinitionError::Name(name.to_owned()));
    }
    if !transport.trim().eq_ignore_ascii_case("tcp") {
        return Err(DefinitionError::Transport {
            channel: name.to_owned(),
            transport: transport.trim().to_owned(),
        });
    }
    let addresses =
        addresses(list).map_err(|error| DefinitionError::Address { channel: name.to_owned(), error })?;
    Ok(ClientChannel::to(name, addresses))
}

/// Reads a connection list: `host(port)` or `host`, separated by commas; blanks around them do not count.
///
/// # Errors
/// When one of them is no address.
pub fn addresses(list: &str) -> Result<Vec<Address>, AddressError> {
    Address::list(list.trim().trim_end_matches(','))
}

#[cfg(test)]
mod tests {
    use super::{DefinitionError, parse};

    #[test]
    fn a_channel_is_read_from_one_line() {
        for (text, expected) in [
            ("DEV.APP.SVRCONN/TCP/mq.example(1415)", "DEV.APP.SVRCONN mq.example:1415"),
            ("C/tcp/one(1), two , three(3),", "C one:1 two:1414 three:3"),
            (" C/TCP/::1 ", "C [::1]:1414"),
            ("C/TCP/unix:/run/q.sock", "C unix:/run/q.sock"),
        ] {
            let channel = parse(text).unwrap();
            let addresses: Vec<String> = channel.addresses.iter().map(ToString::to_string).collect();
            assert_eq!(format!("{} {}", channel.name, addresses.join(" ")), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            ("", "\"\" defines no channel; write CHANNEL/TCP/host(port)"),
            ("C/TCP", "\"C/TCP\" defines no channel; write CHANNEL/TCP/host(port)"),
            ("C/LU62/h", "the channel C goes over LU62; write TCP"),
            ("/TCP/h", "\"\" is no name of a channel; it has 1 to 20 characters"),
            (
                "C/TCP/h(0)",
                "the channel C leads nowhere: the address \"h(0)\" has \"0\" where a port from 1 to 65535 should be",
            ),
            (
                "C/TCP/",
                "the channel C leads nowhere: the address \"\" names no host; write host:port or unix:/path",
            ),
        ] {
            assert_eq!(parse(text).map_err(|error: DefinitionError| error.to_string()), Err(expected.into()));
        }
    }
}
