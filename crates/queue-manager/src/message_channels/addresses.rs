//! Addresses of partners: those of their connections, and those that commands name.

use std::net::IpAddr;

use queues::ground::place::connection_name;

/// True for two hosts that are known to differ; false where one of them is no address.
pub(super) fn are_two_hosts(one: &str, other: &str) -> bool {
    matches!((host_of(one), host_of(other)), (Some(one), Some(other)) if one != other)
}

fn host_of(address: &str) -> Option<IpAddr> {
    connection_name(address).parse().ok()
}

/// True when an instance's address is the one of CONNAME, with its port or without.
pub(super) fn is_from(address: &str, wanted: &str) -> bool {
    let host = |text: &str| -> String {
        let text = text.trim();
        match text.parse::<std::net::SocketAddr>() {
            Ok(address) => address.ip().to_string(),
            Err(_) => text.split('(').next().unwrap_or_default().trim().to_owned(),
        }
    };
    address.trim() == wanted.trim() || host(address) == host(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_and_unknown_addresses_make_no_two_hosts() {
        for (one, other, expected) in [
            ("tcp 10.0.0.1:1000", "tcp 10.0.0.2:1000", true),
            ("tcp 10.0.0.1:1000", "tcp 10.0.0.1:2000", false),
            ("tcp [::ffff:10.0.0.1]:1", "tcp 10.0.0.1:2", false),
            ("tcp [::1]:1", "127.0.0.1", true),
            ("link 1", "link 2", false),
            ("link 1", "tcp 10.0.0.1:1", false),
        ] {
            assert_eq!(are_two_hosts(one, other), expected, "{one} and {other}");
        }
    }
}
