//! MQTT 5: what a client needs that publishes and subscribes at most once.

use std::net::SocketAddr;
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use crate::socket::{Received, Socket};

const CONNECT: u8 = 0x10;
const CONNACK: u8 = 0x20;
const PUBLISH: u8 = 0x30;
const SUBSCRIBE: u8 = 0x82;
const SUBACK: u8 = 0x90;
const PINGREQ: u8 = 0xC0;
const PINGRESP: u8 = 0xD0;
const DISCONNECT: u8 = 0xE0;

/// An acknowledgement that has not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// A packet of the broker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Packet {
    /// Where its body is in the frame.
    Publish(Range<usize>),
    /// An acknowledgement of this kind, with its reason code.
    Acknowledgement(u8, u8),
    Other,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct MqttConnection {
    socket: Socket,
}

impl MqttConnection {
    /// Connects without a name: the broker makes one for such a client. It closes the connection of a client
    /// whose name another gives.
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let mut connection = Self { socket: Socket::connect(address)? };
        let mut body = Vec::new();
        string(&mut body, b"MQTT");
        // Version 5, a clean start, no keep-alive, no properties.
        body.extend_from_slice(&[5, 2, 0, 0, 0]);
        string(&mut body, b"");
        connection.send(CONNECT, &body)?;
        connection.acknowledged(CONNACK)?;
        Ok(connection)
    }

    /// Subscribes at most once; `$share/GROUP/TOPIC` is shared by the group.
    pub(crate) fn subscribe(&mut self, filter: &str) -> Result<()> {
        // Packet identifier 1, no properties.
        let mut body = vec![0, 1, 0];
        string(&mut body, filter.as_bytes());
        body.push(0);
        self.send(SUBSCRIBE, &body)?;
        self.acknowledged(SUBACK)
    }

    /// Takes a message to be published at most once.
    pub(crate) fn publish(&mut self, topic: &[u8], body: &[u8]) {
        write_publish(self.socket.output(), topic, body);
    }

    /// Sends what was taken. Where the broker takes nothing more, it may have said why before.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.socket.flush().or_else(|error| self.next().map_or_else(Err, |_| Err(error)))
    }

    /// The next packet; none when none has come for a moment.
    pub(crate) fn next(&mut self) -> Result<Option<Received<'_, Packet>>> {
        self.socket.next(parse)
    }

    /// The next packet if it has come already.
    pub(crate) fn here(&mut self) -> Result<Option<Received<'_, Packet>>> {
        self.socket.here(parse)
    }

    /// Waits until the broker has read all that it was sent.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.send(PINGREQ, &[])?;
        self.acknowledged(PINGRESP)
    }

    fn send(&mut self, kind: u8, body: &[u8]) -> Result<()> {
        let output = self.socket.output();
        output.push(kind);
        length(output, body.len());
        output.extend_from_slice(body);
        self.flush()
    }

    fn acknowledged(&mut self, kind: u8) -> Result<()> {
        let begun = Instant::now();
        loop {
            ensure!(begun.elapsed() < PATIENCE, "the broker has acknowledged nothing for {PATIENCE:?}");
            match self.next()?.map(|received| received.parsed) {
                Some(Packet::Acknowledgement(found, code)) if found == kind => {
                    ensure!(code < 0x80, "the broker refuses with reason code {code:#x}");
                    return Ok(());
                }
                Some(Packet::Publish(_)) => bail!("a message came before anything was asked for"),
                _ => {}
            }
        }
    }
}

/// Writes a message to be published at most once.
pub(crate) fn write_publish(output: &mut Vec<u8>, topic: &[u8], body: &[u8]) {
    output.push(PUBLISH);
    length(output, 2 + topic.len() + 1 + body.len());
    string(output, topic);
    // No properties.
    output.push(0);
    output.extend_from_slice(body);
}

fn string(output: &mut Vec<u8>, text: &[u8]) {
    // Names here are short.
    output.extend_from_slice(&(text.len() as u16).to_be_bytes());
    output.extend_from_slice(text);
}

/// Seven bits a byte, the lowest first.
fn length(output: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        output.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    output.push(value as u8);
}

/// A length and where it ends; none while part of it is missing.
fn read_length(bytes: &[u8], start: usize) -> Result<Option<(usize, usize)>> {
    let mut value = 0;
    for place in 0..4 {
        let Some(byte) = bytes.get(start + place) else { return Ok(None) };
        value |= usize::from(byte & 0x7F) << (7 * place);
        if byte & 0x80 == 0 {
            return Ok(Some((value, start + place + 1)));
        }
    }
    bail!("a length of more than four bytes")
}

/// Reads a packet and how long it is; none while part of it is missing.
fn parse(bytes: &[u8]) -> Result<Option<(Packet, usize)>> {
    let Some(kind) = bytes.first() else { return Ok(None) };
    let Some((rest, after)) = read_length(bytes, 1)? else { return Ok(None) };
    let end = after + rest;
    if bytes.len() < end {
        return Ok(None);
    }
    let packet = match kind & 0xF0 {
        PUBLISH => Packet::Publish(body(&bytes[..end], after)?),
        CONNACK => Packet::Acknowledgement(CONNACK, bytes[after..end].get(1).copied().unwrap_or(0)),
        SUBACK => Packet::Acknowledgement(SUBACK, bytes[after..end].last().copied().unwrap_or(0)),
        PINGRESP => Packet::Acknowledgement(PINGRESP, 0),
        DISCONNECT => {
            bail!(
                "the broker ends the connection with reason code {:#x}",
                bytes[after..end].first().unwrap_or(&0)
            )
        }
        _ => Packet::Other,
    };
    Ok(Some((packet, end)))
}

/// Where the body of a message published at most once is: behind its topic and its properties.
fn body(packet: &[u8], start: usize) -> Result<Range<usize>> {
    let cut = "a publication that ends early";
    ensure!(packet.len() >= start + 2, cut);
    let topic = usize::from(u16::from_be_bytes([packet[start], packet[start + 1]]));
    let Some((properties, after)) = read_length(packet, start + 2 + topic)? else { bail!(cut) };
    ensure!(packet.len() >= after + properties, cut);
    Ok(after + properties..packet.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_publication_is_read_as_it_was_written() {
        for size in [0, 100, 127, 128, 20_000, 3_000_000] {
            let (mut output, text) = (Vec::new(), vec![7; size]);
            write_publish(&mut output, b"reply/1", &text);
            let whole = output.len();
            output.extend_from_slice(&[PINGRESP, 0]);
            let (packet, length) = parse(&output).expect("it is right").expect("it is whole");
            let Packet::Publish(range) = packet else { panic!("another packet") };
            assert_eq!((length, &output[range]), (whole, &text[..]));
            assert_eq!(parse(&output[..whole - 1]).expect("so far"), None);
            let after = Some((Packet::Acknowledgement(PINGRESP, 0), 2));
            assert_eq!(parse(&output[whole..]).expect("it is right"), after);
        }
    }

    #[test]
    fn what_is_no_packet_is_refused() {
        parse(&[PUBLISH, 0xFF, 0xFF, 0xFF, 0xFF, 1]).expect_err("a length without end");
        parse(&[PUBLISH, 1, 0]).expect_err("a topic that is cut");
        parse(&[PUBLISH, 3, 0, 9, 0]).expect_err("a topic beyond the packet");
        let ended = parse(&[DISCONNECT, 1, 0x8E]).expect_err("it is over");
        assert_eq!(ended.to_string(), "the broker ends the connection with reason code 0x8e");
        assert_eq!(
            parse(&[CONNACK, 3, 0, 0x87, 0]).expect("it is right"),
            Some((Packet::Acknowledgement(CONNACK, 0x87), 5))
        );
    }
}
