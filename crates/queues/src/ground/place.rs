//! The place that a connection comes from, as CONNAME has it.

use std::net::SocketAddr;

/// The address of a peer without its port and transport; the word for one of this machine as it is.
pub fn connection_name(origin: &str) -> String {
    let address = origin.strip_prefix("tcp ").and_then(|address| address.parse::<SocketAddr>().ok());
    address.map_or_else(|| origin.to_owned(), |address| address.ip().to_canonical().to_string())
}

#[cfg(test)]
mod tests {
    use super::connection_name;

    #[test]
    fn a_connection_name_is_the_address_alone_and_a_place_of_this_machine_is_its_word() {
        for (origin, expected) in [
            ("tcp 127.0.0.1:4711", "127.0.0.1"),
            ("tcp [::1]:4711", "::1"),
            ("tcp [::ffff:10.0.0.7]:4711", "10.0.0.7"),
            ("10.0.0.7", "10.0.0.7"),
            ("unix", "unix"),
            ("embedded", "embedded"),
            ("", ""),
        ] {
            assert_eq!(connection_name(origin), expected, "{origin}");
        }
    }
}
