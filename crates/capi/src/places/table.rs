//! The table of client channels (CCDT) in JSON.
//!
//! ```json
//! { "channel": [ {
//!     "name": "DEV.APP", "type": "clientConnection",
//! "clientConnection": { "connection": [ { "host": "mq.example", "port": 1414 } ], "queueManager": "QM1" },
//!     "connectionManagement": { "clientWeight": 1, "affinity": "preferred", "defaultReconnect": "no",
//!                               "heartbeatInterval": 60 },
//!     "general": { "maximumMessageLength": 4194304 },
//!     "transmissionSecurity": { "cipherSpecification": "ANY_TLS13_OR_HIGHER", "certificateLabel": "app",
//!                               "certificatePeerName": "CN=qm1" },
//!     "compression": { "message": [ "lz4fast", "zlibfast" ], "header": [ "system" ] }
//! } ] }
//! ```
//!
//! Keys are written exactly so. Channels of another type, and keys not shown here, are passed over: such
//! tables are shared with programs that use more of them.

use super::ClientChannel;
use super::definition::NAME_LENGTH_MAX;
use client::{Address, BINARY_TABLE_STEP, CompressionOffer, Compressions};
use mqi::Reconnect;
use serde::Deserialize;

/// A table of client channels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// Its channels, as they stand in it.
    pub channels: Vec<ClientChannel>,
}

/// Why a text is no table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file is not JSON of that shape.
    #[error(
        "not a table of client channels in JSON: {0}; correct it there, or write the table by `runmqsc -n`"
    )]
    Json(#[from] serde_json::Error),
    /// The file has the binary form.
    #[error("a table of client channels in binary form, which is not read here: {BINARY_TABLE_STEP}")]
    Binary,
    /// The file is in another encoding.
    #[error("a table of client channels in UTF-16; save it as UTF-8")]
    Utf16,
    /// A channel has a value that cannot be used.
    #[error("the channel {channel} has {key} \"{value}\"; write {expected}")]
    Value {
        /// The channel.
        channel: String,
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// The values it can have.
        expected: &'static str,
    },
}

impl TableError {
    /// The fault of a channel that leads nowhere.
    pub(super) fn without_connection(channel: &str) -> Self {
        Self::Value {
            channel: channel.to_owned(),
            key: "connection",
            value: String::new(),
            expected: r#"[{"host": "mq.example", "port": 1414}]"#,
        }
    }
}

#[derive(Deserialize)]
struct Document {
    channel: Vec<Channel>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Channel {
    name: String,
    #[serde(rename = "type")]
    channel_type: String,
    #[serde(default)]
    client_connection: ClientConnection,
    #[serde(default)]
    connection_management: Management,
    #[serde(default)]
    general: General,
    #[serde(default)]
    transmission_security: Security,
    #[serde(default)]
    compression: Compression,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ClientConnection {
    connection: Vec<Place>,
    queue_manager: String,
}

#[derive(Deserialize)]
struct Place {
    host: String,
    port: Option<u16>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Management {
    client_weight: u32,
    affinity: String,
    default_reconnect: String,
    #[serde(alias = "heartInterval")]
    heartbeat_interval: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct General {
    maximum_message_length: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Compression {
    header: Vec<String>,
    message: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Security {
    cipher_specification: String,
    certificate_label: String,
    certificate_peer_name: String,
}

impl Table {
    /// Reads a table.
    ///
    /// # Errors
    /// When it is none, or a channel in it cannot be used.
    pub fn parse(bytes: &[u8]) -> Result<Self, TableError> {
        if client::is_binary_table(bytes) {
            return Err(TableError::Binary);
        }
        if bytes.contains(&0) {
            return Err(TableError::Utf16);
        }
        let document: Document = serde_json::from_slice(bytes)?;
        let of_clients =
            document.channel.into_iter().filter(|channel| channel.channel_type == "clientConnection");
        let channels = of_clients.map(Channel::read).collect::<Result<_, _>>()?;
        Ok(Self { channels })
    }

    /// The channels for a queue manager or group, in the [order](client::in_order) to try them.
    #[must_use]
    pub fn in_order(
        &self,
        queue_manager: &str,
        draw: impl FnMut(u64) -> u64,
        draw_once: impl FnMut(u64) -> u64,
    ) -> Vec<&ClientChannel> {
        let fitting = self.channels.iter().filter(|channel| channel.queue_manager == queue_manager);
        client::in_order(fitting.collect(), ClientChannel::share, draw, draw_once)
    }
}

impl Channel {
    fn read(self) -> Result<ClientChannel, TableError> {
        let wrong = |key, value: &str, expected| TableError::Value {
            channel: self.name.chars().take(NAME_LENGTH_MAX).collect(),
            key,
            value: value.to_owned(),
            expected,
        };
        if !(1..=NAME_LENGTH_MAX).contains(&self.name.len()) {
            let beginning: String = self.name.chars().take(NAME_LENGTH_MAX + 1).collect();
            return Err(wrong("name", &beginning, "a name of 1 to 20 characters"));
        }
        let place = |place: &Place| match (place.host.trim(), place.port.unwrap_or(client::PORT)) {
            ("", _) => Err(wrong("host", "", "the name of a host")),
            (_, 0) => Err(wrong("port", "0", "a port from 1 to 65535")),
            (host, port) => Ok(Address::Tcp { host: host.to_owned(), port }),
        };
        let connection = &self.client_connection;
        let management = &self.connection_management;
        let security = &self.transmission_security;
        let addresses = connection.connection.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        let is_preferred = match management.affinity.as_str() {
            "" | "preferred" => true,
            "none" => false,
            other => return Err(wrong("affinity", other, "preferred or none")),
        };
        let reconnect = match management.default_reconnect.as_str() {
            "" | "no" => Reconnect::AsDefault,
            "yes" => Reconnect::AnyQueueManager,
            "queueManager" => Reconnect::SameQueueManager,
            "disabled" => Reconnect::Disabled,
            other => return Err(wrong("defaultReconnect", other, "no, yes, queueManager or disabled")),
        };
        let list = |key, words: &[String]| {
            let list = Compressions::of_words(words.iter().map(String::as_str));
            list.map_err(|word| wrong(key, word, "none, rle, zlibfast, zlibhigh, lz4fast, lz4high or system"))
        };
        let compression = CompressionOffer {
            bodies: list("message", &self.compression.message)?,
            heads: list("header", &self.compression.header)?,
        };
        Ok(ClientChannel {
            compression,
            queue_manager: connection.queue_manager.trim().to_owned(),
            weight: management.client_weight,
            is_preferred,
            reconnect,
            message_bytes_max: self.general.maximum_message_length.filter(|most| *most > 0),
            heartbeat_seconds: management.heartbeat_interval,
            cipher: security.cipher_specification.trim().to_owned(),
            peer: security.certificate_peer_name.trim().to_owned(),
            label: security.certificate_label.trim().to_owned(),
            ..ClientChannel::to(self.name, addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use client::{Compression, CompressionOffer};

    fn channel(name: &str, queue_manager: &str, more: &str) -> String {
        format!(
            r#"{{"name":"{name}","type":"clientConnection","clientConnection":{{"connection":[{{"host":"{name}.h"}}],
               "queueManager":"{queue_manager}"}}{more}}}"#
        )
    }

    fn table(channels: &[String]) -> Table {
        Table::parse(format!(r#"{{"channel":[{}]}}"#, channels.join(",")).as_bytes()).unwrap()
    }

    #[test]
    fn a_channel_is_read_with_what_is_said_of_it() {
        let text = br#"{"channel":[
            {"name":"S","type":"serverConnection"},
            {"name":"C","type":"clientConnection",
             "clientConnection":{"connection":[{"host":"a","port":1},{"host":"b"}],"queueManager":"G"},
             "connectionManagement":{"affinity":"none","defaultReconnect":"queueManager","heartbeatInterval":99999},
             "general":{"maximumMessageLength":1000,"description":"x"},
             "transmissionSecurity":{"cipherSpecification":"ANY_TLS12","certificateLabel":" app ",
                                     "certificatePeerName":"CN=qm1"},
             "compression":{"message":["lz4fast","ZLIBHIGH","none","rle"],"header":["system"]}}]}"#;
        let table = Table::parse(text).unwrap();
        let [channel] = &table.channels[..] else { panic!("{table:?}") };
        let addresses: Vec<String> = channel.addresses.iter().map(ToString::to_string).collect();
        assert_eq!(addresses, ["a:1", "b:1414"]);
        assert_eq!((channel.queue_manager.as_str(), channel.is_preferred), ("G", false));
        assert_eq!(channel.reconnect, mqi::Reconnect::SameQueueManager);
        assert_eq!((channel.message_bytes_max, channel.heartbeat_seconds), (Some(1000), Some(99_999)));
        let offered = CompressionOffer {
            bodies: [Compression::Lz4Fast, Compression::ZlibHigh].into_iter().collect(),
            heads: [Compression::System].into_iter().collect(),
        };
        assert_eq!(channel.compression, offered);
        let security = [&channel.cipher, &channel.label, &channel.peer];
        assert_eq!(security, ["ANY_TLS12", "app", "CN=qm1"]);
    }

    #[test]
    fn channels_without_a_weight_go_first_and_the_others_as_they_are_drawn() {
        let weight =
            |weight| format!(r#","connectionManagement":{{"clientWeight":{weight},"affinity":"none"}}"#);
        let table = table(&[
            channel("W3", "", &weight(3)),
            channel("W1", "", &weight(1)),
            channel("B", "", ""),
            channel("A", "", ""),
            channel("X", "OTHER", ""),
        ]);
        let names = |drawn: u64| {
            let order = table.in_order("", |_| drawn, |_| unreachable!("none is preferred"));
            order.iter().map(|channel| channel.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names(0), ["A", "B", "W1", "W3"]);
        assert_eq!(names(1), ["A", "B", "W3", "W1"]);
        assert_eq!(names(3), ["A", "B", "W3", "W1"]);
        assert_eq!(table.in_order("OTHER", |_| 0, |_| 0).len(), 1);
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            (
                "AMQR....".to_owned(),
                "a table of client channels in binary form, which is not read here: where the queue manager that made \
                 it runs, `dmpmqcfg -m QM -t clntconn -x object -o 1line > clntconn.mqsc` prints its channels; here \
                 `runmqsc -n < clntconn.mqsc` writes them to the JSON table that MQCCDTURL, or MQCHLLIB and MQCHLTAB, \
                 name (ccdt.json)",
            ),
            (
                format!(
                    r#"{{"channel":[{}]}}"#,
                    channel("C", "", r#","connectionManagement":{"affinity":"often"}"#)
                ),
                "the channel C has affinity \"often\"; write preferred or none",
            ),
            (
                format!(r#"{{"channel":[{}]}}"#, channel(&"A".repeat(4_000), "", "")),
                "the channel AAAAAAAAAAAAAAAAAAAA has name \"AAAAAAAAAAAAAAAAAAAAA\"; write a name of 1 to 20 characters",
            ),
            (
                format!(r#"{{"channel":[{}]}}"#, channel("C", "", r#","compression":{"message":["gzip"]}"#)),
                "the channel C has message \"gzip\"; write none, rle, zlibfast, zlibhigh, lz4fast, lz4high or system",
            ),
        ] {
            assert_eq!(Table::parse(text.as_bytes()).unwrap_err().to_string(), expected);
        }
        assert!(Table::parse(b"{}").unwrap_err().to_string().contains("missing field `channel`"));
        let wide = Table::parse(b"\xFF\xFE{\0}\0").unwrap_err().to_string();
        assert_eq!(wide, "a table of client channels in UTF-16; save it as UTF-8");
    }
}
