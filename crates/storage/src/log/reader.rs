//! Reading one message back from the log by its position.
//!
//! A read races with checkpoints that give extents away. The file cannot be used again while a reader holds
//! it, and what was read verifies only at the position it was written for; so a reader gets the right bytes,
//! or hears that they moved.

use bytes::{Bytes, BytesMut};

use super::Log;
use super::extent::extent_path;
use super::record::{self, Entry, Lists, RECORD_HEADER_BYTES};
use crate::copies;
use crate::read::{Cache, Region, Source};
use crate::record::{Body, FRAGMENT_BYTES};
use crate::{Location, Lsn, MessageHead, ReadError, Record, StoredMessage};

const WRONG_RECORD: &str = "the checksum of the record is wrong";
const WRONG_BODY: &str = "the checksum of the body is wrong";

enum Held {
    Region(std::sync::Arc<Region>),
    Copy(Vec<u8>),
}

impl Log {
    /// The message whose put record is at `at`, or whose place is there in that of several.
    pub(crate) fn read(&self, cache: &Cache, at: Lsn) -> Result<(MessageHead, StoredMessage), ReadError> {
        let (begin, held, length) = self.record_at(cache, at)?;
        let bytes = held.bytes(self.stored_at(begin), length);
        let mut lists = Lists::default();
        match record::decode(bytes, &mut lists) {
            Some(Entry::Engine(Record::Put { head, descriptor, body: Body::Inline(body), .. })) => {
                if !record::bodies_are(bytes, record::body_verifies) {
                    return Err(self.moved_or_damaged(at, WRONG_BODY));
                }
                Ok((head, message_of(descriptor, &[body])))
            }
            Some(Entry::Engine(Record::PutMany { copies, .. })) => {
                let copy = copies.at(at.0 - begin.0);
                let copy = copy.ok_or_else(|| self.damaged(at, "no message is there in its record"))?;
                if !copies.has_right_body(&copy) {
                    return Err(self.moved_or_damaged(at, WRONG_BODY));
                }
                let message = match copies.end_here() {
                    _ if !copy.has_end => message_of(copy.descriptor, &[copy.beginning]),
                    Some(end) => message_of(copy.descriptor, &[copy.beginning, end]),
                    None => {
                        let end = self.read_fragments(cache, &copies.fragments(), copies.end().0)?;
                        message_of(copy.descriptor, &[copy.beginning, &end])
                    }
                };
                Ok((copy.head, message))
            }
            Some(Entry::Engine(Record::Put {
                head,
                descriptor,
                body: Body::Fragments { at, length },
                ..
            })) => {
                let descriptor = Bytes::copy_from_slice(descriptor);
                let body = self.read_fragments(cache, at, length)?;
                Ok((head, StoredMessage { descriptor, body }))
            }
            _ => Err(self.damaged(at, "the record there is no put")),
        }
    }

    /// The head and descriptor of the message that is at `at`: they may verify where a piece of the body does
    /// not.
    pub(crate) fn read_descriptor(&self, cache: &Cache, at: Lsn) -> Result<(MessageHead, Bytes), ReadError> {
        let (begin, held, length) = self.record_at(cache, at)?;
        let mut lists = Lists::default();
        match record::decode(held.bytes(self.stored_at(begin), length), &mut lists) {
            Some(Entry::Engine(Record::Put { head, descriptor, .. })) => {
                Ok((head, Bytes::copy_from_slice(descriptor)))
            }
            Some(Entry::Engine(Record::PutMany { copies, .. })) => {
                let copy = copies.at(at.0 - begin.0);
                let copy = copy.ok_or_else(|| self.damaged(at, "no message is there in its record"))?;
                Ok((copy.head, Bytes::copy_from_slice(copy.descriptor)))
            }
            _ => Err(self.damaged(at, "the record there is no put")),
        }
    }

    fn read_fragments(&self, cache: &Cache, at: &[Lsn], length: u64) -> Result<Bytes, ReadError> {
        let longest = at.len() as u64 * FRAGMENT_BYTES as u64;
        let mut body = BytesMut::with_capacity(usize::try_from(length.min(longest)).unwrap_or_default());
        for at in at {
            let (begin, held, length) = self.record_at(cache, *at)?;
            let mut lists = Lists::default();
            match record::decode(held.bytes(self.stored_at(begin), length), &mut lists) {
                Some(Entry::Fragment(bytes)) => body.extend_from_slice(bytes),
                _ => return Err(self.damaged(*at, "the record there is no piece of a body")),
            }
        }
        if body.len() as u64 != length {
            return Err(
                self.damaged(at.first().copied().unwrap_or_default(), "pieces of the body are missing")
            );
        }
        Ok(body.freeze())
    }

    /// Where the bytes of a position are: elsewhere when their block was lost and had been said again.
    fn stored_at(&self, at: Lsn) -> Lsn {
        let restated = self.restated.read();
        let moved = restated.iter().find(|moved| at.0 >= moved.from && at.0 < moved.from + moved.length);
        moved.map_or(at, |moved| Lsn(at.0 - moved.from + moved.to))
    }

    /// Reads a record that verifies except for its bodies: its beginning and its length. It is the record at
    /// `at`, or the one that has a message there.
    fn record_at(&self, cache: &Cache, at: Lsn) -> Result<(Lsn, Held, usize), ReadError> {
        let (mut begin, mut stored) = (at, self.stored_at(at));
        let mut held = self.stretch(cache, stored, RECORD_HEADER_BYTES)?;
        if let Some(distance) = copies::distance_to_record(held.bytes(stored, RECORD_HEADER_BYTES)) {
            begin = Lsn(at.0.checked_sub(distance).ok_or_else(|| self.moved_or_damaged(at, WRONG_RECORD))?);
            stored = self.stored_at(begin);
            held = self.stretch(cache, stored, RECORD_HEADER_BYTES)?;
        }
        let seed = self.seed_at(begin).ok_or(ReadError::Moved(Location::Log(at)))?;
        let header = held.bytes(stored, RECORD_HEADER_BYTES);
        let length = record::claimed_length(header).filter(|length| self.could_be(stored, *length));
        let Some(length) = length else { return Err(self.moved_or_damaged(at, WRONG_RECORD)) };
        let held = self.stretch(cache, stored, length)?;
        if !record::verifies_but_bodies(held.bytes(stored, length), seed, begin) {
            return Err(self.moved_or_damaged(at, WRONG_RECORD));
        }
        Ok((begin, held, length))
    }

    fn could_be(&self, at: Lsn, length: usize) -> bool {
        self.files.span_at(at.0).is_some_and(|span| at.0 + length as u64 <= span.end)
    }

    fn stretch(&self, cache: &Cache, at: Lsn, length: usize) -> Result<Held, ReadError> {
        let durable = self.durable().lsn();
        let end = at.0.checked_add(length as u64);
        let end = end.ok_or_else(|| self.damaged(at, "the log does not reach so far"))?;
        if end > durable.0 {
            let mut copy = vec![0; length];
            if self.read_waiting(at, &mut copy) {
                return Ok(Held::Copy(copy));
            }
        }
        let span = self.files.span_at(at.0).ok_or(ReadError::Moved(Location::Log(at)))?;
        let bounds = span.first..span.end.min(self.durable().lsn().0.max(span.first));
        if end > bounds.end {
            return Err(self.damaged(at, "the log does not reach so far"));
        }
        let began = self.clock().now();
        let region = cache.region(Source::Log, at.0, length, bounds, |from, buffer| {
            let read = self.files.read(from, buffer);
            self.watch("read", buffer.len(), self.clock().now().since(began));
            read
        });
        match region {
            Ok(region) => Ok(Held::Region(region)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                Err(ReadError::Moved(Location::Log(at)))
            }
            Err(source) => Err(ReadError::Io { path: extent_path(span.first), source }),
        }
    }

    fn moved_or_damaged(&self, at: Lsn, reason: &str) -> ReadError {
        match self.files.span_at(at.0) {
            None => ReadError::Moved(Location::Log(at)),
            Some(_) => self.damaged(at, reason),
        }
    }

    fn damaged(&self, at: Lsn, reason: &str) -> ReadError {
        let stored = self.stored_at(at);
        let first = self.files.span_at(stored.0).map_or(stored.0, |span| span.first);
        ReadError::Damaged { path: extent_path(first), offset: stored.0 - first, reason: reason.to_owned() }
    }
}

/// A message of its descriptor and the parts of its body, in one piece of memory.
fn message_of(descriptor: &[u8], body: &[&[u8]]) -> StoredMessage {
    let length: usize = body.iter().map(|part| part.len()).sum();
    let mut both = BytesMut::with_capacity(descriptor.len() + length);
    both.extend_from_slice(descriptor);
    body.iter().for_each(|part| both.extend_from_slice(part));
    let mut body = both.freeze();
    let descriptor = body.split_to(descriptor.len());
    StoredMessage { descriptor, body }
}

impl Held {
    fn bytes(&self, stored: Lsn, length: usize) -> &[u8] {
        match self {
            Self::Region(region) => {
                region.get(stored.0, length).expect("the region was read for this stretch")
            }
            Self::Copy(copy) => &copy[..length],
        }
    }
}
