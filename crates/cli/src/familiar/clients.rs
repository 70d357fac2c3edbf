//! Where commands that connect as clients find their queue manager.

use client::{Address, AddressError};
use mqi::constants::MQCACH_CONNECTION_NAME;
use objects::ObjectType;
use objects::mqsc::{self, Command, Define};

use terminal::common::Common;

/// Says where: `CHANNEL/TCP/host(port)`, or several such hosts between commas.
const VARIABLE: &str = "MQSERVER";

/// Returns the places to connect to, in the order tried: each host that `MQSERVER` names, or without it the
/// usual place.
pub(super) fn places(common: &Common) -> Result<Vec<Common>, String> {
    let Some(server) = std::env::var(VARIABLE).ok().filter(|text| !text.is_empty()) else {
        return Ok(vec![common.clone()]);
    };
    let (channel, addresses) = channel(&server).ok_or_else(|| {
        format!(
            "{VARIABLE} is \"{server}\" and not CHANNEL/TCP/host(port), or several such hosts between commas"
        )
    })?;
    let place = |address: Address| Common {
        connect: Some(address.to_string()),
        channel: Some(channel.to_owned()),
        ..common.clone()
    };
    Ok(addresses.into_iter().map(place).collect())
}

/// The hosts that the definition of a client channel in MQSC names, in the order tried.
pub(super) fn places_of(common: &Common, definition: &str) -> Result<Vec<Common>, String> {
    let wrong =
        || format!("\"{definition}\" is not DEFINE CHANNEL(NAME) CHLTYPE(CLNTCONN) CONNAME('host(port)')");
    let commands = mqsc::parse(definition).map_err(|errors| errors.to_string())?;
    let [Command::Define(Define { object_type: ObjectType::ClientConnectionChannel, name, settings, .. })] =
        commands.as_slice()
    else {
        return Err(wrong());
    };
    let hosts = settings
        .iter()
        .find(|setting| setting.attribute.identifier_number() == MQCACH_CONNECTION_NAME)
        .and_then(|setting| setting.value.as_text());
    let addresses = hosts.and_then(|hosts| Address::list(hosts).ok()).ok_or_else(wrong)?;
    let place = |address: Address| Common {
        connect: Some(address.to_string()),
        channel: Some(name.to_string()),
        ..common.clone()
    };
    Ok(addresses.into_iter().map(place).collect())
}

/// The name of the channel, and the hosts.
fn channel(server: &str) -> Option<(&str, Vec<Address>)> {
    let mut parts = server.splitn(3, '/');
    let (Some(channel), Some(transport), Some(hosts)) = (parts.next(), parts.next(), parts.next()) else {
        return None;
    };
    let hosts: Result<Vec<Address>, AddressError> = Address::list(hosts);
    let hosts = hosts.ok().filter(|_| transport.trim().eq_ignore_ascii_case("TCP"))?;
    Some((channel.trim(), hosts))
}

#[cfg(test)]
mod tests {
    use super::channel;

    #[test]
    fn hosts_of_a_client_are_read_as_they_are_named() {
        for (server, expected) in [
            ("CH/TCP/localhost(1420)", Some("CH localhost:1420")),
            (" CH /tcp/a(1), b", Some("CH a:1 b:1414")),
            ("CH/TCP/a(b)", None),
            ("CH/TCP/", None),
            ("CH/LU62/a(1)", None),
            ("a(1)", None),
        ] {
            let told = channel(server).map(|(channel, hosts)| {
                hosts.iter().fold(channel.to_owned(), |told, host| format!("{told} {host}"))
            });
            assert_eq!(told.as_deref(), expected, "{server}");
        }
    }
}
