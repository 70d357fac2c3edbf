//! The protocol of Kafka: requests answered in their order, messages in batches, the oldest versions that
//! Kafka 4 knows.

use std::net::SocketAddr;
use std::ops::Range;

use anyhow::{Context as _, Result, bail, ensure};

use crate::socket::Socket;

/// A request, by number, and the version of its form.
#[derive(Clone, Copy, Debug)]
struct Ask {
    key: i16,
    version: i16,
}

const PRODUCE: Ask = Ask { key: 0, version: 3 };
const FETCH: Ask = Ask { key: 1, version: 4 };
const OFFSET_COMMIT: Ask = Ask { key: 8, version: 2 };
const FIND_COORDINATOR: Ask = Ask { key: 10, version: 0 };
const CREATE_TOPICS: Ask = Ask { key: 19, version: 2 };
const DELETE_TOPICS: Ask = Ask { key: 20, version: 1 };

/// The broker's words for: nothing was wrong.
const NO_ERROR: i16 = 0;

/// A put is confirmed when every copy that is in step has it; here there is one.
const ALL_COPIES: i16 = -1;

/// Longest time for the broker to answer, and for holding a fetch that brings nothing.
const TIME_LIMIT_MS: i32 = 30_000;
const FETCH_WAIT_MS: i32 = 100;

/// Most bytes of one fetch, as Kafka's own clients ask for it.
const FETCH_BYTES_MAX: i32 = 1 << 20;

/// The form of batches, and how long one is before its records.
const MAGIC: i8 = 2;
const BATCH_HEAD_BYTES: usize = 61;

/// Where a batch says how long it is behind these two fields, what its sum is, and what that is the sum of.
const LENGTH_AT: usize = 8;
const LENGTH_COUNTS_FROM: usize = 12;
const SUM_AT: usize = 17;
const SUMMED_FROM: usize = 21;

/// The longest answer: a fetch and what stands around its messages.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// A connection; answers come in the order of what was asked.
#[derive(Debug)]
pub(crate) struct KafkaConnection {
    socket: Socket,
}

impl KafkaConnection {
    pub(crate) fn connect(address: SocketAddr) -> Result<Self> {
        Ok(Self { socket: Socket::connect(address)? })
    }

    /// Makes a topic of so many partitions.
    pub(crate) fn create(&mut self, topic: &str, partitions: i32) -> Result<()> {
        self.ask(CREATE_TOPICS, |output| {
            put_i32(output, 1);
            put_text(output, topic);
            put_i32(output, partitions);
            put_i16(output, 1);
            // Neither placed by hand nor set up otherwise.
            put_i32(output, 0);
            put_i32(output, 0);
            put_i32(output, TIME_LIMIT_MS);
            output.push(0);
        });
        self.wait(|answer| {
            answer.skip(4 + 4)?;
            answer.text()?;
            is_done(answer.i16()?).with_context(|| format!("topic {topic} cannot be made"))
        })
    }

    /// Removes a topic and what is in it.
    pub(crate) fn delete(&mut self, topic: &str) -> Result<()> {
        self.ask(DELETE_TOPICS, |output| {
            put_i32(output, 1);
            put_text(output, topic);
            put_i32(output, TIME_LIMIT_MS);
        });
        self.wait(|answer| {
            answer.skip(4 + 4)?;
            answer.text()?;
            is_done(answer.i16()?).with_context(|| format!("topic {topic} cannot be removed"))
        })
    }

    /// Returns true if a broker already keeps the positions of a group of getters.
    pub(crate) fn has_coordinator(&mut self, group: &str) -> Result<bool> {
        self.ask(FIND_COORDINATOR, |output| put_text(output, group));
        self.wait(|answer| Ok(answer.i16()? == NO_ERROR))
    }

    /// Sends a batch, whose confirmation [`Self::confirmed`] waits for.
    pub(crate) fn produce(&mut self, topic: &str, partition: i32, batch: &mut Batch) -> Result<()> {
        let bytes = batch.finish();
        self.ask(PRODUCE, |output| {
            // In no transaction.
            put_i16(output, -1);
            put_i16(output, ALL_COPIES);
            put_i32(output, TIME_LIMIT_MS);
            put_partition(output, topic, partition);
            put_i32(output, bytes.len() as i32);
            output.extend_from_slice(bytes);
        });
        self.socket.flush()
    }

    /// Waits until a batch is confirmed.
    pub(crate) fn confirmed(&mut self) -> Result<()> {
        self.wait(|answer| {
            answer.partition()?;
            is_done(answer.i16()?).context("a batch was not taken")
        })
    }

    /// Asks for messages from a place on by the next flush.
    pub(crate) fn fetch(&mut self, topic: &str, partition: i32, offset: i64) {
        self.ask(FETCH, |output| {
            // Not a copy of the broker, but a getter.
            put_i32(output, -1);
            put_i32(output, FETCH_WAIT_MS);
            put_i32(output, 1);
            put_i32(output, FETCH_BYTES_MAX);
            output.push(0);
            put_partition(output, topic, partition);
            put_i64(output, offset);
            put_i32(output, FETCH_BYTES_MAX);
        });
    }

    /// Hands over the batches that a fetch brought; none when its answer has not come for a moment.
    pub(crate) fn fetched<T>(&mut self, take: impl FnOnce(&[u8]) -> Result<T>) -> Result<Option<T>> {
        self.answer(|answer| {
            answer.skip(4)?;
            answer.partition()?;
            is_done(answer.i16()?).context("messages cannot be got")?;
            answer.skip(8 + 8)?;
            let aborted = usize::try_from(answer.i32()?).unwrap_or_default();
            answer.skip(aborted * (8 + 8))?;
            let bytes = usize::try_from(answer.i32()?).unwrap_or_default();
            take(answer.take(bytes)?)
        })
    }

    /// Says by the next flush how far a group has got.
    pub(crate) fn commit(&mut self, group: &str, topic: &str, partition: i32, offset: i64) {
        self.ask(OFFSET_COMMIT, |output| {
            put_text(output, group);
            // A getter that is given its partition, not one of several that are given theirs.
            put_i32(output, -1);
            put_text(output, "");
            // Kept as long as the broker keeps such things.
            put_i64(output, -1);
            put_partition(output, topic, partition);
            put_i64(output, offset);
            put_i16(output, -1);
        });
    }

    /// Waits until it is known how far the group has got.
    pub(crate) fn committed(&mut self) -> Result<()> {
        self.wait(|answer| {
            answer.partition()?;
            is_done(answer.i16()?).context("what was got cannot be confirmed")
        })
    }

    pub(crate) fn flush(&mut self) -> Result<()> {
        self.socket.flush()
    }

    /// Writes what is asked.
    fn ask(&mut self, ask: Ask, write: impl FnOnce(&mut Vec<u8>)) {
        let output = self.socket.output();
        let begin = output.len();
        put_i32(output, 0);
        put_i16(output, ask.key);
        put_i16(output, ask.version);
        // Answers come in order, so nothing needs to tell them apart.
        put_i32(output, 0);
        put_text(output, "ferry-peers");
        write(output);
        let length = (output.len() - begin - 4) as u32;
        output[begin..begin + 4].copy_from_slice(&length.to_be_bytes());
    }

    /// Reads the next answer; none when it has not come for a moment.
    fn answer<T>(&mut self, read: impl FnOnce(&mut Answer<'_>) -> Result<T>) -> Result<Option<T>> {
        let Some(received) = self.socket.next(parse)? else { return Ok(None) };
        read(&mut Answer { bytes: received.frame, at: received.parsed.start }).map(Some)
    }

    /// Sends what there is and waits for the next answer.
    fn wait<T>(&mut self, read: impl Fn(&mut Answer<'_>) -> Result<T>) -> Result<T> {
        self.socket.flush()?;
        loop {
            if let Some(found) = self.answer(&read)? {
                return Ok(found);
            }
        }
    }
}

fn is_done(error: i16) -> Result<()> {
    ensure!(error == NO_ERROR, "the broker refuses by error {error}");
    Ok(())
}

/// Finds the content of an answer behind its number, and its whole length; none while part of it is missing.
fn parse(bytes: &[u8]) -> Result<Option<(Range<usize>, usize)>> {
    let Some(length) = bytes.first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_be_bytes(*length) as usize;
    ensure!((4..=ANSWER_BYTES_MAX).contains(&length), "an answer of {length} bytes");
    let end = 4 + length;
    Ok((bytes.len() >= end).then_some((8..end, end)))
}

fn put_i16(output: &mut Vec<u8>, value: i16) {
    output.extend_from_slice(&value.to_be_bytes());
}

fn put_i32(output: &mut Vec<u8>, value: i32) {
    output.extend_from_slice(&value.to_be_bytes());
}

fn put_i64(output: &mut Vec<u8>, value: i64) {
    output.extend_from_slice(&value.to_be_bytes());
}

fn put_text(output: &mut Vec<u8>, text: &str) {
    // Names here are short.
    put_i16(output, text.len() as i16);
    output.extend_from_slice(text.as_bytes());
}

/// One topic of which one partition is meant.
fn put_partition(output: &mut Vec<u8>, topic: &str, partition: i32) {
    put_i32(output, 1);
    put_text(output, topic);
    put_i32(output, 1);
    put_i32(output, partition);
}

/// An answer of the broker, read from the front.
struct Answer<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Answer<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at + count).context("an answer that ends early")?;
        self.at += count;
        Ok(taken)
    }

    fn skip(&mut self, count: usize) -> Result<()> {
        self.take(count).map(drop)
    }

    fn i16(&mut self) -> Result<i16> {
        Ok(i16::from_be_bytes(self.take(2)?.try_into()?))
    }

    fn i32(&mut self) -> Result<i32> {
        Ok(i32::from_be_bytes(self.take(4)?.try_into()?))
    }

    fn text(&mut self) -> Result<()> {
        let length = usize::try_from(self.i16()?).unwrap_or_default();
        self.skip(length)
    }

    /// Passes over the one topic that was asked about, to what is said of its one partition.
    fn partition(&mut self) -> Result<()> {
        ensure!(self.i32()? == 1, "an answer about another number of topics than one");
        self.text()?;
        ensure!(self.i32()? == 1, "an answer about another number of partitions than one");
        self.skip(4)
    }
}

/// Messages that are put together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    count: i32,
    is_finished: bool,
}

impl Batch {
    /// Adds a message; a batch that was sent begins anew.
    pub(crate) fn add(&mut self, body: &[u8]) {
        if self.is_finished || self.bytes.is_empty() {
            self.bytes.clear();
            self.bytes.resize(BATCH_HEAD_BYTES, 0);
            (self.count, self.is_finished) = (0, false);
        }
        let body_length = variable(body.len() as i64);
        let place = variable(i64::from(self.count));
        let no_key = variable(-1);
        // Attributes, the time behind that of the batch, and the number of headers: all nothing.
        let length = 1 + 1 + place.len() + no_key.len() + body_length.len() + body.len() + 1;
        self.bytes.extend_from_slice(variable(length as i64).as_slice());
        self.bytes.extend_from_slice(&[0, 0]);
        self.bytes.extend_from_slice(place.as_slice());
        self.bytes.extend_from_slice(no_key.as_slice());
        self.bytes.extend_from_slice(body_length.as_slice());
        self.bytes.extend_from_slice(body);
        self.bytes.push(0);
        self.count += 1;
    }

    /// Bytes that are in it and not sent.
    pub(crate) fn len(&self) -> usize {
        if self.is_finished { 0 } else { self.bytes.len() }
    }

    fn finish(&mut self) -> &[u8] {
        let mut head = Vec::with_capacity(BATCH_HEAD_BYTES);
        put_i64(&mut head, 0);
        put_i32(&mut head, (self.bytes.len() - LENGTH_COUNTS_FROM) as i32);
        put_i32(&mut head, -1);
        head.push(MAGIC as u8);
        // The sum, which comes last.
        put_i32(&mut head, 0);
        put_i16(&mut head, 0);
        put_i32(&mut head, self.count - 1);
        // Times of the first and the last message.
        put_i64(&mut head, 0);
        put_i64(&mut head, 0);
        // By nobody who numbers them.
        put_i64(&mut head, -1);
        put_i16(&mut head, -1);
        put_i32(&mut head, -1);
        put_i32(&mut head, self.count);
        self.bytes[..BATCH_HEAD_BYTES].copy_from_slice(&head);
        let sum = crc32c::crc32c(&self.bytes[SUMMED_FROM..]);
        self.bytes[SUM_AT..SUMMED_FROM].copy_from_slice(&sum.to_be_bytes());
        self.is_finished = true;
        &self.bytes
    }
}

/// A number of as many bytes as it needs, seven bits each, its sign in the lowest.
struct Variable {
    bytes: [u8; 10],
    length: usize,
}

impl Variable {
    fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    fn len(&self) -> usize {
        self.length
    }
}

fn variable(value: i64) -> Variable {
    let mut left = ((value << 1) ^ (value >> 63)) as u64;
    let mut number = Variable { bytes: [0; 10], length: 0 };
    loop {
        let more = if left > 0x7F { 0x80 } else { 0 };
        number.bytes[number.length] = (left & 0x7F) as u8 | more;
        number.length += 1;
        left >>= 7;
        if left == 0 {
            return number;
        }
    }
}

fn read_variable(answer: &mut Answer<'_>) -> Result<i64> {
    let mut value: u64 = 0;
    for place in (0..u64::BITS).step_by(7) {
        let byte = answer.take(1)?[0];
        value |= u64::from(byte & 0x7F) << place;
        if byte & 0x80 == 0 {
            return Ok((value >> 1) as i64 ^ -((value & 1) as i64));
        }
    }
    bail!("a number without end")
}

/// Hands over the messages of batches from this place on, each with its place; the last batch may be cut.
pub(crate) fn messages(
    bytes: &[u8],
    from: i64,
    mut take: impl FnMut(i64, Range<usize>) -> Result<()>,
) -> Result<()> {
    let mut rest = bytes;
    while let Some(head) = rest.get(..BATCH_HEAD_BYTES) {
        let base = i64::from_be_bytes(head[..LENGTH_AT].try_into()?);
        let length = i32::from_be_bytes(head[LENGTH_AT..LENGTH_COUNTS_FROM].try_into()?);
        let end = LENGTH_COUNTS_FROM + usize::try_from(length).context("a batch of less than nothing")?;
        let Some(batch) = rest.get(..end) else { break };
        let sum = u32::from_be_bytes(batch[SUM_AT..SUMMED_FROM].try_into()?);
        ensure!(crc32c::crc32c(&batch[SUMMED_FROM..]) == sum, "a batch that is damaged");
        let count = i32::from_be_bytes(batch[BATCH_HEAD_BYTES - 4..BATCH_HEAD_BYTES].try_into()?);
        let begin = bytes.len() - rest.len();
        let mut records = Answer { bytes: batch, at: BATCH_HEAD_BYTES };
        for _ in 0..count {
            let length = usize::try_from(read_variable(&mut records)?).context("a message of nothing")?;
            let after = records.at + length;
            records.skip(1)?;
            read_variable(&mut records)?;
            let offset = base + read_variable(&mut records)?;
            let key = usize::try_from(read_variable(&mut records)?).unwrap_or_default();
            records.skip(key)?;
            let body = usize::try_from(read_variable(&mut records)?).unwrap_or_default();
            let place = begin + records.at..begin + records.at + body;
            records.skip(body)?;
            if offset >= from {
                take(offset, place)?;
            }
            records.at = after;
        }
        rest = &rest[end..];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_are_read_as_they_were_written() {
        for value in [0, -1, 1, 63, -64, 64, 2048, -2049, i64::MAX, i64::MIN] {
            let written = variable(value);
            let mut answer = Answer { bytes: written.as_slice(), at: 0 };
            assert_eq!(read_variable(&mut answer).expect("a number"), value);
            assert_eq!(answer.at, written.len());
        }
        assert_eq!(variable(-1).as_slice(), [1]);
        assert_eq!(variable(64).as_slice(), [0x80, 1]);
        read_variable(&mut Answer { bytes: &[0xFF; 11], at: 0 }).expect_err("no end");
    }

    #[test]
    fn a_batch_is_read_as_it_was_put_from_any_place_on() {
        let mut batch = Batch::default();
        for body in [b"one".as_slice(), b"two", b"three"] {
            batch.add(body);
        }
        let mut bytes = batch.finish().to_vec();
        assert_eq!(batch.len(), 0, "it is sent");
        batch.add(b"four");
        let second = batch.finish();
        let first = bytes.len();
        bytes.extend_from_slice(second);
        bytes[first..first + LENGTH_AT].copy_from_slice(&3_i64.to_be_bytes());
        let read = |bytes: &[u8], from| {
            let mut found = Vec::new();
            messages(bytes, from, |offset, place| {
                found.push((offset, bytes[place].to_vec()));
                Ok(())
            })
            .map(|()| found)
        };
        let all = read(&bytes, 0).expect("it is right");
        let bodies = [b"one".to_vec(), b"two".to_vec(), b"three".to_vec(), b"four".to_vec()];
        assert_eq!(all, (0..).zip(bodies).collect::<Vec<_>>());
        assert_eq!(read(&bytes, 2).expect("it is right"), all[2..]);
        for cut in first..bytes.len() {
            assert_eq!(read(&bytes[..cut], 0).expect("so far"), all[..3], "cut at {cut}");
        }
        bytes[first - 1] ^= 1;
        read(&bytes, 0).expect_err("it is damaged");
    }

    #[test]
    fn answers_come_whole() {
        let answer = [0, 0, 0, 6, 0, 0, 0, 0, 7, 9, 1];
        assert_eq!(parse(&answer).expect("it is right"), Some((8..10, 10)));
        for cut in 0..10 {
            assert_eq!(parse(&answer[..cut]).expect("so far"), None, "cut at {cut}");
        }
        parse(&[0xFF; 8]).expect_err("no end");
    }
}
