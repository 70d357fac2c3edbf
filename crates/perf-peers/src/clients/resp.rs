//! The serialization protocol of Redis and Valkey: commands are arrays of strings, replies say their type.

use std::io::Write as _;
use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Result, bail, ensure};

use crate::socket::{Received, Socket};

/// A reply. Strings are places in the frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Status,
    Integer(i64),
    Nothing,
    Text(Range<usize>),
    /// An array's last string, and how many elements it has in all.
    Array(Range<usize>, usize),
}

/// A connection.
#[derive(Debug)]
pub(crate) struct RespConnection {
    socket: Socket,
}

impl RespConnection {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        Ok(Self { socket: Socket::connect(address)? })
    }

    /// Takes a command to be sent.
    pub(crate) fn command(&mut self, words: &[&[u8]]) {
        write_command(self.socket.output(), words);
    }

    /// Sends what was taken.
    pub(crate) fn flush(&mut self) -> Result<()> {
        self.socket.flush()
    }

    /// The next reply; none when it has not come for a moment.
    pub(crate) fn reply(&mut self) -> Result<Option<Received<'_, Reply>>> {
        self.socket.next(parse)
    }

    /// The next reply if it has come already.
    pub(crate) fn here(&mut self) -> Result<Option<Received<'_, Reply>>> {
        self.socket.here(parse)
    }

    /// Sends a command and waits for its reply, which is a number or nothing that matters.
    pub(crate) fn ask(&mut self, words: &[&[u8]]) -> Result<i64> {
        self.command(words);
        self.flush()?;
        self.integer()
    }

    /// Waits for a reply that is a number or nothing that matters.
    pub(crate) fn integer(&mut self) -> Result<i64> {
        loop {
            if let Some(received) = self.reply()? {
                return match received.parsed {
                    Reply::Integer(value) => Ok(value),
                    _ => Ok(0),
                };
            }
        }
    }
}

/// Writes a command.
pub(crate) fn write_command(output: &mut Vec<u8>, words: &[&[u8]]) {
    // Writing into memory does not fail.
    let _ = write!(output, "*{}\r\n", words.len());
    for word in words {
        let _ = write!(output, "${}\r\n", word.len());
        output.extend_from_slice(word);
        output.extend_from_slice(b"\r\n");
    }
}

/// Reads a reply and how long it is; none while part of it is missing.
pub(crate) fn parse(bytes: &[u8]) -> Result<Option<(Reply, usize)>> {
    parse_at(bytes, 0)
}

fn parse_at(bytes: &[u8], start: usize) -> Result<Option<(Reply, usize)>> {
    let Some((line, after)) = line(bytes, start) else { return Ok(None) };
    let Some((kind, text)) = line.split_first() else { bail!("a reply of an unknown form") };
    match kind {
        b'+' => Ok(Some((Reply::Status, after))),
        b':' => Ok(Some((Reply::Integer(number(text)?), after))),
        b'-' => bail!("the broker refuses: {}", String::from_utf8_lossy(text)),
        b'_' => Ok(Some((Reply::Nothing, after))),
        b'$' => match usize::try_from(number(text)?) {
            Ok(length) if bytes.len() >= after + length + 2 => {
                Ok(Some((Reply::Text(after..after + length), after + length + 2)))
            }
            Ok(_) => Ok(None),
            Err(_) => Ok(Some((Reply::Nothing, after))),
        },
        b'*' => match usize::try_from(number(text)?) {
            Ok(count) => array(bytes, after, count),
            Err(_) => Ok(Some((Reply::Nothing, after))),
        },
        _ => bail!("a reply of the unknown kind {:?}", char::from(*kind)),
    }
}

fn array(bytes: &[u8], start: usize, count: usize) -> Result<Option<(Reply, usize)>> {
    let (mut at, mut last) = (start, start..start);
    for _ in 0..count {
        let Some((element, after)) = parse_at(bytes, at)? else { return Ok(None) };
        if let Reply::Text(range) | Reply::Array(range, _) = element {
            last = range;
        }
        at = after;
    }
    Ok(Some((Reply::Array(last, count), at)))
}

/// The strings of an array, each handed over; for replies of many messages.
pub(crate) fn strings(frame: &[u8], mut take: impl FnMut(&[u8]) -> Result<()>) -> Result<u64> {
    let Some((line, mut at)) = line(frame, 0) else { return Ok(0) };
    ensure!(line.first() == Some(&b'*'), "a reply that is no array");
    let mut count = 0;
    while at < frame.len() {
        let Some((element, after)) = parse_at(frame, at)? else { bail!("an array that ends early") };
        if let Reply::Text(range) = element {
            take(&frame[range])?;
            count += 1;
        }
        at = after;
    }
    Ok(count)
}

/// The line from here without its end, and where the next begins.
fn line(bytes: &[u8], start: usize) -> Option<(&[u8], usize)> {
    let rest = bytes.get(start..)?;
    let length = rest.iter().position(|byte| *byte == b'\r').filter(|length| rest.len() > length + 1)?;
    Some((&rest[..length], start + length + 2))
}

fn number(text: &[u8]) -> Result<i64> {
    Ok(std::str::from_utf8(text)?.parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_reply_is_told_and_its_length_known() {
        for (text, reply) in [
            ("+OK\r\n", Reply::Status),
            (":12\r\n", Reply::Integer(12)),
            ("$-1\r\n", Reply::Nothing),
            ("*-1\r\n", Reply::Nothing),
            ("$3\r\na\rb\r\n", Reply::Text(4..7)),
            ("*2\r\n$1\r\nk\r\n$2\r\nxy\r\n", Reply::Array(15..17, 2)),
        ] {
            let whole = format!("{text}:7\r\n");
            assert_eq!(parse(whole.as_bytes()).expect(text), Some((reply, text.len())), "{text:?}");
            for cut in 0..text.len() {
                assert_eq!(parse(&text.as_bytes()[..cut]).expect(text), None, "{text:?} cut at {cut}");
            }
        }
        parse(b"-ERR no\r\n").expect_err("a refusal");
        parse(b"?\r\n").expect_err("no reply");
    }

    #[test]
    fn a_command_is_an_array_of_strings() {
        let mut output = Vec::new();
        write_command(&mut output, &[b"LPUSH", b"q", b"\r\n"]);
        assert_eq!(output, b"*3\r\n$5\r\nLPUSH\r\n$1\r\nq\r\n$2\r\n\r\n\r\n");
        let mut found = Vec::new();
        let count = strings(&output, |string| {
            found.push(string.to_vec());
            Ok(())
        });
        assert_eq!(count.expect("an array"), 3);
        assert_eq!(found, [b"LPUSH".to_vec(), b"q".to_vec(), b"\r\n".to_vec()]);
    }
}
