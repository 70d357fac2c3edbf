//! Messages that are damaged where they are, given back from an image and the log since.
//!
//! A segment of the store holds messages of many queues and never changes, so what rotted is not put right in
//! its file. A message that is found again is written to a new segment, as a checkpoint moves one, and the
//! checkpoint that follows makes it last. Until that one is durable a restart finds what it would have found
//! before; nothing but the messages asked for is touched.
//!
//! Lives here: finding them. Lives elsewhere: writing them (`checkpoint`), which messages are damaged (the
//! engine).
//!
//! Always: what is given back is the message that was put: its checksum holds, and queue, sequence and
//! identifier are those of the message that is missed.

use std::collections::BTreeMap;

use bytes::{Bytes, BytesMut};
use platform::{Disk, OpenMode};

use crate::OpenError;
use crate::checkpoint::Content;
use crate::checksum::Seed;
use crate::images::{self, Within};
use crate::inner::Inner;
use crate::log::block::HEADER_BYTES;
use crate::log::chain::Lineage;
use crate::log::extent::identity_text;
use crate::log::record::{self, Entry, Lists};
use crate::log::scan::{Extents, Found, Reader, Records, walk};
use crate::manifest::{self, Manifest};
use crate::read::Cache;
use crate::record::Body;
use crate::recovery::{open_extents, payload};
use crate::store::segment::Member;
use crate::store::segment::{Segment, Unread};
use crate::{
    CheckpointError, Checkpointed, EntryToken, Location, Lsn, MessageHead, ObjectId, Recalled, Record,
    Sequence, StoredHead, StoredMessage,
};

/// A live message that cannot be read where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hurt {
    /// Its queue.
    pub queue: ObjectId,
    /// Its place of arrival there.
    pub sequence: Sequence,
    /// Its identifier.
    pub message_id: [u8; 24],
    /// As the engine knows it.
    pub entry: EntryToken,
    /// Where its bytes are damaged.
    pub at: Location,
}

/// Result of a search for damaged messages.
#[derive(Debug, Default)]
pub struct Mended {
    /// Messages that were given back, or left their queue meanwhile.
    pub messages: u64,
    /// Messages that were not found: they are as they were.
    pub missing: Vec<Hurt>,
    /// Why images, or the log since, were of no use, or not all of it.
    pub reasons: Vec<String>,
}

type Key = (ObjectId, Sequence);

/// Where a message was found.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In memory still.
    Memory,
    /// In the image of this index, in one of its segments.
    Image { image: usize, segment: usize, index: u32 },
    /// In the log since the image of this index.
    Log { image: usize, at: Lsn },
}

impl Inner {
    pub(crate) fn mend(&self, engine: &dyn Checkpointed, hurt: &[Hurt]) -> Result<Mended, CheckpointError> {
        let mut mended = Mended::default();
        let mut found: BTreeMap<Key, Place> = BTreeMap::new();
        let recall = |hurt: &Hurt| engine.recall(hurt.queue, hurt.entry, hurt.at);
        for hurt in hurt {
            if recall(hurt).is_some_and(|recalled| recalled.message.is_some()) {
                found.insert(key(hurt), Place::Memory);
            }
        }
        let mut sources: Vec<Source> = Vec::new();
        for generation in self.images_there(&mut mended) {
            let left: BTreeMap<Key, [u8; 24]> = hurt
                .iter()
                .map(|hurt| (key(hurt), hurt.message_id))
                .filter(|(key, _)| !found.contains_key(key))
                .collect();
            if left.is_empty() {
                break;
            }
            match Source::open(self, generation, &left, &mut mended.reasons) {
                Ok(source) => {
                    source.note_places(sources.len(), &mut found);
                    sources.push(source);
                }
                Err(error) => mended.reasons.push(format!("image {generation:08x}: {error}")),
            }
        }
        let again: Vec<&Hurt> = hurt.iter().filter(|hurt| found.contains_key(&key(hurt))).collect();
        if !again.is_empty() {
            let by_entry: BTreeMap<(ObjectId, u64), &Hurt> =
                again.iter().map(|hurt| ((hurt.queue, hurt.entry.0), *hurt)).collect();
            let content = |member: &Member| {
                let hurt = by_entry.get(&(member.queue, member.entry.0))?;
                let (head, message) = match *found.get(&key(hurt))? {
                    Place::Memory => {
                        let Recalled { head, message, .. } = recall(hurt)?;
                        (head, message?)
                    }
                    Place::Image { image, segment, index } => sources[image].read_segment(segment, index)?,
                    Place::Log { image, at } => sources[image].read_log(at)?,
                };
                let is_it = key_of(&head) == key(hurt) && head.message_id == hurt.message_id;
                is_it.then_some(Content::Whole(head, message))
            };
            let members = again
                .iter()
                .map(|hurt| Member { queue: hurt.queue, entry: hurt.entry, location: hurt.at })
                .collect();
            // Who holds this takes the next checkpoint, and writes the next segment.
            let _turn = self.last.lock();
            self.move_members(engine, members, false, &content)?;
        }
        let is_there = |hurt: &&Hurt| engine.is_live(hurt.queue, hurt.entry, hurt.at);
        mended.missing = hurt.iter().filter(is_there).copied().collect();
        mended.messages = (hurt.len() - mended.missing.len()) as u64;
        if mended.messages > 0 {
            self.checkpoint(engine)?;
        }
        Ok(mended)
    }

    fn images_there(&self, mended: &mut Mended) -> Vec<u64> {
        match images::find(&*self.world.disk) {
            Ok(found) => {
                let reason = |(generation, error)| format!("image {generation:08x}: {error}");
                mended.reasons.extend(found.foreign.into_iter().map(reason));
                found.counting
            }
            Err(error) => {
                mended.reasons.push(format!("cannot list {}: {error}", images::DIRECTORY));
                Vec::new()
            }
        }
    }
}

fn key(hurt: &Hurt) -> Key {
    (hurt.queue, hurt.sequence)
}

fn key_of(head: &MessageHead) -> Key {
    (head.queue, head.sequence)
}

/// An image, and the log since, with the places of the messages that are looked for.
struct Source {
    cache: Cache,
    segments: Vec<Segment>,
    stored: BTreeMap<Key, (usize, u32)>,
    extents: Extents,
    /// By the position from which its records count.
    blocks: BTreeMap<u64, Found>,
    lineages: Vec<Lineage>,
    logged: BTreeMap<Key, Lsn>,
}

impl Source {
    /// Opens an image of this queue manager and looks for messages in it, then in the log since.
    fn open(
        inner: &Inner,
        generation: u64,
        wanted: &BTreeMap<Key, [u8; 24]>,
        reasons: &mut Vec<String>,
    ) -> Result<Self, OpenError> {
        let image = Within::new(inner.world.disk.clone(), images::path(generation));
        let manifest = manifest::load(&image)?;
        if manifest.identity != inner.identity {
            return Err(OpenError::WrongQueueManager {
                path: images::path(generation),
                expected: identity_text(&inner.identity),
                found: identity_text(&manifest.identity),
            });
        }
        let mut source = Self {
            cache: Cache::default(),
            segments: Vec::new(),
            stored: BTreeMap::new(),
            extents: Extents::new(),
            blocks: BTreeMap::new(),
            lineages: Vec::new(),
            logged: BTreeMap::new(),
        };
        source.look_in_segments(&image, &manifest, wanted, &mut |error| {
            reasons.push(format!("image {generation:08x}: {error}"));
        });
        if wanted.keys().any(|key| !source.stored.contains_key(key))
            && let Err(error) = source.look_in_log(&*inner.world.disk, &manifest, wanted)
        {
            reasons.push(format!("the log since image {generation:08x}: {error}"));
        }
        Ok(source)
    }

    fn look_in_segments(
        &mut self,
        image: &dyn Disk,
        manifest: &Manifest,
        wanted: &BTreeMap<Key, [u8; 24]>,
        trouble: &mut dyn FnMut(OpenError),
    ) {
        for entry in &manifest.segments {
            let number = self.segments.len();
            let mut here = Vec::new();
            let mut show = |stored: StoredHead| {
                let Location::Segment { index, .. } = stored.location else { return };
                let key = key_of(&stored.head);
                if !stored.is_damaged && wanted.get(&key) == Some(&stored.head.message_id) {
                    here.push((key, (number, index)));
                }
            };
            let read =
                Unread::open(image, &manifest.identity, entry).and_then(|unread| unread.read(&mut show));
            match read {
                Ok(segment) => {
                    self.segments.push(segment);
                    // A copy that rotted as well is none: the log may have the message.
                    here.retain(|(_, (segment, index))| self.read_segment(*segment, *index).is_some());
                    self.stored.extend(here);
                }
                Err(error) => trouble(error),
            }
        }
    }

    /// Damage at the end of the log does not keep this from reading the part before it.
    fn look_in_log(
        &mut self,
        disk: &dyn Disk,
        manifest: &Manifest,
        wanted: &BTreeMap<Key, [u8; 24]>,
    ) -> Result<(), OpenError> {
        self.extents = open_extents(disk, manifest, OpenMode::Read)?.extents;
        let (scan, end) = walk(&self.extents, &manifest.log());
        let mut lists = Lists::default();
        let mut reader = Reader::new(&self.extents);
        for block in &scan.blocks {
            for (at, bytes) in Records::new(payload(&mut reader, block)?, block.at + HEADER_BYTES as u64) {
                let mut note = |head: &MessageHead, at| {
                    if wanted.get(&key_of(head)) == Some(&head.message_id) {
                        self.logged.insert(key_of(head), at);
                    }
                };
                let lacks_body = block.lacks_body_of(at, bytes);
                match record::decode(bytes, &mut lists) {
                    Some(Entry::Engine(Record::Put { head, .. })) if !lacks_body => note(&head, at),
                    Some(Entry::Engine(Record::PutMany { mut copies, .. })) => {
                        if lacks_body {
                            copies.note_damage();
                        }
                        let whole = copies.iter().filter(|copy| !copy.is_damaged);
                        whole.for_each(|copy| note(&copy.head, Lsn(at.0 + copy.offset)));
                    }
                    _ => {}
                }
            }
        }
        drop(reader);
        self.lineages = scan.lineages;
        self.blocks = scan.blocks.into_iter().map(|block| (block.at, block)).collect();
        end
    }

    fn note_places(&self, image: usize, found: &mut BTreeMap<Key, Place>) {
        for (key, (segment, index)) in &self.stored {
            found.insert(*key, Place::Image { image, segment: *segment, index: *index });
        }
        for (key, at) in &self.logged {
            found.entry(*key).or_insert(Place::Log { image, at: *at });
        }
    }

    fn read_segment(&self, segment: usize, index: u32) -> Option<(MessageHead, StoredMessage)> {
        let segment = self.segments.get(segment)?;
        Some((segment.head(&self.cache, index).ok()?, segment.read(&self.cache, index).ok()?))
    }

    fn read_log(&self, at: Lsn) -> Option<(MessageHead, StoredMessage)> {
        let (head, descriptor, mut body, fragments) = self.record(at, |begin, bytes, entry| match entry {
            Entry::Engine(Record::Put { head, descriptor, body, .. }) => {
                if !record::bodies_are(bytes, record::body_verifies) {
                    return None;
                }
                let (body, fragments) = match body {
                    Body::Inline(body) => (BytesMut::from(body), None),
                    Body::Fragments { at, length } => (BytesMut::new(), Some((at.to_vec(), length))),
                };
                Some((head, Bytes::copy_from_slice(descriptor), body, fragments))
            }
            Entry::Engine(Record::PutMany { copies, .. }) => {
                let copy = copies.at(at.0 - begin.0).filter(|copy| copies.has_right_body(copy))?;
                let mut body = BytesMut::from(copy.beginning);
                let mut fragments = None;
                match copies.end_here() {
                    _ if !copy.has_end => {}
                    Some(end) => body.extend_from_slice(end),
                    None => fragments = Some((copies.fragments(), copies.end().0)),
                }
                Some((copy.head, Bytes::copy_from_slice(copy.descriptor), body, fragments))
            }
            _ => None,
        })?;
        if let Some((places, length)) = fragments {
            body.extend_from_slice(&self.read_fragments(&places, length)?);
        }
        Some((head, StoredMessage { descriptor, body: body.freeze() }))
    }

    fn read_fragments(&self, places: &[Lsn], length: u64) -> Option<Bytes> {
        let mut body = BytesMut::new();
        for at in places {
            self.record(*at, |_, _, entry| match entry {
                Entry::Fragment(bytes) => {
                    body.extend_from_slice(bytes);
                    Some(())
                }
                _ => None,
            })?;
        }
        (body.len() as u64 == length).then(|| body.freeze())
    }

    /// All that the record of the log says that begins at a position, or before it when a message put with
    /// others is there. All of it verifies but bodies.
    fn record<T>(&self, at: Lsn, read: impl FnOnce(Lsn, &[u8], Entry<'_>) -> Option<T>) -> Option<T> {
        let (_, block) = self.blocks.range(..=at.0).next_back()?;
        let mut reader = Reader::new(&self.extents);
        let mut records = Records::new(payload(&mut reader, block).ok()?, block.at + HEADER_BYTES as u64);
        let (begin, bytes) =
            records.find(|(found, bytes)| (found.0..found.0 + bytes.len() as u64).contains(&at.0))?;
        let lineage = self.lineages.iter().rev().find(|lineage| lineage.from <= at.0)?;
        if !record::verifies_but_bodies(bytes, Seed::of_nonce(lineage.nonce), begin) {
            return None;
        }
        let mut lists = Lists::default();
        read(begin, bytes, record::decode(bytes, &mut lists)?)
    }
}
