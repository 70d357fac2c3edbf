//! The protocol of NATS: lines of text, and bodies behind those that carry one.

use std::io::Write as _;
use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Context as _, Result, bail, ensure};

use crate::socket::{Received, Socket};

/// A word of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// By the subscription of this number. Places in the frame: the subject an answer goes to, and the body.
    Message {
        number: u32,
        reply: Option<Range<usize>>,
        body: Range<usize>,
    },
    /// A status instead of a message, such as that none has come.
    Status,
    Ping,
    Pong,
    /// Anything that does not matter here.
    Other,
}

/// A connection.
#[derive(Debug)]
pub(crate) struct NatsConnection {
    socket: Socket,
}

impl NatsConnection {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        let mut connection = Self { socket: Socket::connect(address)? };
        let options = "{\"verbose\":false,\"pedantic\":false,\"headers\":true,\"no_responders\":false}";
        let _ = write!(connection.socket.output(), "CONNECT {options}\r\n");
        connection.settle()?;
        Ok(connection)
    }

    /// Subscribes; with a group, each message goes to one of it.
    pub(crate) fn subscribe(&mut self, subject: &str, group: Option<&str>, number: u32) -> Result<()> {
        let _ = match group {
            Some(group) => write!(self.socket.output(), "SUB {subject} {group} {number}\r\n"),
            None => write!(self.socket.output(), "SUB {subject} {number}\r\n"),
        };
        self.settle()
    }

    /// Waits until the server has done what it was told.
    pub(crate) fn settle(&mut self) -> Result<()> {
        self.socket.output().extend_from_slice(b"PING\r\n");
        self.socket.flush()?;
        loop {
            match self.next()? {
                Some(Received { parsed: Said::Pong, .. }) => return Ok(()),
                Some(Received { parsed: Said::Message { .. } | Said::Status, .. }) => {
                    bail!("a message came before anything was asked for")
                }
                _ => {}
            }
        }
    }

    /// Takes a message to be published.
    pub(crate) fn publish(&mut self, subject: &str, reply: Option<&str>, body: &[u8]) {
        write_publish(self.socket.output(), subject.as_bytes(), reply, body);
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.socket.flush()
    }

    /// Returns the server's next word; none when it has said nothing for a moment. A question if the client
    /// is still here is answered.
    pub(crate) fn next(&mut self) -> Result<Option<Received<'_, Said>>> {
        let Some(received) = self.socket.next(parse)? else { return Ok(None) };
        if received.parsed == Said::Ping {
            received.output.extend_from_slice(b"PONG\r\n");
        }
        Ok(Some(received))
    }

    /// Returns the server's next word if it is here already.
    pub(crate) fn here(&mut self) -> Result<Option<Received<'_, Said>>> {
        self.socket.here(parse)
    }

    /// Asks and waits for the one answer; `inbox` is subscribed.
    pub(crate) fn ask(&mut self, subject: &str, inbox: &str, body: &[u8]) -> Result<Vec<u8>> {
        self.publish(subject, Some(inbox), body);
        self.flush()?;
        loop {
            match self.next()? {
                Some(Received { parsed: Said::Message { body, .. }, frame, .. }) => {
                    return Ok(frame[body].to_vec());
                }
                Some(Received { parsed: Said::Status, .. }) => bail!("nobody answers {subject}"),
                _ => {}
            }
        }
    }
}

/// Writes a message to be published.
pub(crate) fn write_publish(output: &mut Vec<u8>, subject: &[u8], reply: Option<&str>, body: &[u8]) {
    output.extend_from_slice(b"PUB ");
    output.extend_from_slice(subject);
    // Writing into memory does not fail.
    let _ = match reply {
        Some(reply) => write!(output, " {reply} {}\r\n", body.len()),
        None => write!(output, " {}\r\n", body.len()),
    };
    output.extend_from_slice(body);
    output.extend_from_slice(b"\r\n");
}

/// Reads what the server says and how long it is; none while part of it is missing.
fn parse(bytes: &[u8]) -> Result<Option<(Said, usize)>> {
    let length = bytes.iter().position(|byte| *byte == b'\n');
    let Some(length) = length else { return Ok(None) };
    let after = length + 1;
    let line =
        std::str::from_utf8(&bytes[..length]).context("a line that is no text")?.trim_end_matches('\r');
    let word = line.split(' ').next().unwrap_or_default();
    let said = match word {
        "MSG" | "HMSG" => return message(bytes, line, after, word == "HMSG"),
        "PING" => Said::Ping,
        "PONG" => Said::Pong,
        "-ERR" => bail!("the broker refuses: {line}"),
        _ => Said::Other,
    };
    Ok(Some((said, after)))
}

/// `MSG subject number [reply] bytes`, or with headers `HMSG subject number [reply] header-bytes bytes`.
fn message(bytes: &[u8], line: &str, after: usize, has_headers: bool) -> Result<Option<(Said, usize)>> {
    let words: Vec<&str> = line.split(' ').collect();
    let plain = if has_headers { 5 } else { 4 };
    ensure!(words.len() == plain || words.len() == plain + 1, "a message of an unknown form: {line}");
    let whole: usize = words[words.len() - 1].parse()?;
    let headers: usize = if has_headers { words[words.len() - 2].parse()? } else { 0 };
    ensure!(headers <= whole, "a message with more headers than bytes: {line}");
    let end = after + whole;
    if bytes.len() < end + 2 {
        return Ok(None);
    }
    if has_headers && headers == whole {
        return Ok(Some((Said::Status, end + 2)));
    }
    let reply = (words.len() == plain + 1).then(|| {
        let start = words[..3].iter().map(|word| word.len() + 1).sum::<usize>();
        start..start + words[3].len()
    });
    Ok(Some((Said::Message { number: words[2].parse()?, reply, body: after + headers..end }, end + 2)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_answers_subject_and_headers() {
        for (text, said) in [
            ("MSG a.b 1 3\r\nxyz\r\n", Said::Message { number: 1, reply: None, body: 13..16 }),
            ("MSG a 1 in.1 2\r\nxy\r\n", Said::Message { number: 1, reply: Some(8..12), body: 16..18 }),
            ("HMSG a 1 in 4 6\r\nNATSxy\r\n", Said::Message { number: 1, reply: Some(9..11), body: 21..23 }),
            ("HMSG a 1 4 4\r\nNATS\r\n", Said::Status),
            ("PING\r\n", Said::Ping),
            ("INFO {}\r\n", Said::Other),
        ] {
            let whole = format!("{text}PONG\r\n");
            assert_eq!(parse(whole.as_bytes()).expect(text), Some((said, text.len())), "{text:?}");
            for cut in 0..text.len() {
                assert_eq!(parse(&text.as_bytes()[..cut]).expect(text), None, "{text:?} cut at {cut}");
            }
        }
        parse(b"-ERR 'no'\r\n").expect_err("a refusal");
        parse(b"MSG a 1\r\n").expect_err("no length");
        parse(b"HMSG a 1 5 4\r\n....\r\n").expect_err("headers beyond the end");
    }
}
