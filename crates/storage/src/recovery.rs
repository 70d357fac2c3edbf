//! From files back to a log that can be appended to.
//!
//! The steps, each of which may be cut off by a crash and done again:
//!
//! 1. the manifest; the engine is shown its checkpoint, and then what the footers of its segments say is
//!    live;
//! 2. the log from the manifest's extent to its end (`log::scan`); damage stops here, before anything is
//!    written;
//! 3. the engine is shown every record of it;
//! 4. the names and the manifest that all this was found by are made durable: they may be in memory of the
//!    machine only, and what follows removes files and writes over them; extents that lost their first page
//!    before they were used get it again;
//! 5. what an earlier start said again and is lost is written once more: what it said is in its first place;
//! 6. the last block, if nothing proves that it was durable, is said again further on: it may be in memory of
//!    the
//!    machine only, after a flush that failed, and what is built on it must not lose it;
//! 7. the epoch block, alone. From here on what an earlier start left behind does not verify.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use platform::sync::atomic::AtomicU64;
use platform::sync::{Mutex, RwLock};
use platform::{Access, AlignedBuffer, Disk, OpenMode, World};

use crate::OpenError;
use crate::checksum::{Secret, Seed, sealed_version};
use crate::extents;
use crate::guards::{Guards, LOCK, Manifests};
use crate::inner::{Counts, Fragmented, Inner, LastCheckpoint};
use crate::log::block::in_pages;
use crate::log::block::{HEADER_BYTES, Header, Kind, Seeds};
use crate::log::chain::Lineage;
use crate::log::extent::extent_path;
use crate::log::extent::{self, DATA_OFFSET, Extent, Page, position_in_name};
use crate::log::files::LogFiles;
use crate::log::record::{self, Entry, Epoch, Lists};
use crate::log::scan::{Extents, Found, Reader, Records, Scan, scan};
use crate::log::{Log, Start};
use crate::manifest::{self, Manifest};
use crate::read::Cache;
use crate::record::Body;
use crate::space::{Space, usable};
use crate::store::Store;
use crate::store::seal::SegmentEntry;
use crate::store::segment::{self, Segment, Unread};
use crate::store::spill::Spill;
use crate::upkeep::Upkeep;
use crate::words::errors::is_lack_of_space;
use crate::{LogKind, LoggedRecord, Lsn, Observer, Record, Recovered, Restarted, Settings, StoredHead};

/// Greatest length of the first extent. A caller waits while it is made, so it is no larger than needed to
/// begin; the others are made behind.
const FIRST_EXTENT_BYTES: u64 = 16 << 20;

/// The extents found, and those that wait to be used again.
pub(crate) struct Files {
    pub(crate) extents: Extents,
    /// Below what restart needs.
    pub(crate) old: Vec<u64>,
    /// Behind the extents, by names that lead to files of the store, and the reason why the first is no
    /// extent.
    pub(crate) given: Option<(Vec<u64>, OpenError)>,
}

/// Where each extent begins that has a file.
pub(crate) fn extents_in(disk: &dyn Disk) -> Result<Vec<u64>, OpenError> {
    let directory = Path::new("log");
    let names = disk.list(directory).map_err(|source| OpenError::Io {
        doing: "list",
        path: directory.to_owned(),
        source,
    })?;
    Ok(names.iter().filter_map(|name| position_in_name(name)).collect())
}

/// Opens every extent from `redo` on and checks that none is missing between.
pub(crate) fn open_extents(disk: &dyn Disk, manifest: &Manifest, mode: OpenMode) -> Result<Files, OpenError> {
    let mut files = Files { extents: Extents::new(), old: Vec::new(), given: None };
    let mut next = manifest.redo;
    let found = extents_in(disk)?;
    for (place, first) in found.iter().copied().enumerate() {
        if first < manifest.redo {
            files.old.push(first);
            continue;
        }
        if first != next {
            let foreign =
                Extent::open(disk, &manifest.identity, first, OpenMode::Read).err().filter(is_foreign);
            return Err(foreign.unwrap_or_else(|| missing(next)));
        }
        let opened = Extent::open(disk, &manifest.identity, first, mode).or_else(|error| match error {
            OpenError::Damaged { .. } | OpenError::Io { .. } => {
                let end = found.get(place + 1).copied();
                let (seed, redo) = (manifest.seed(), manifest.redo);
                Extent::open_without_page(disk, seed, first, end, redo, mode).ok_or(error)
            }
            other => Err(other),
        });
        let extent = match opened {
            Ok(extent) => extent,
            // A start alone judges them by the end of the log, and removes them.
            Err(error)
                if mode == OpenMode::Write
                    && found[place..].iter().all(|first| is_of_store(disk, manifest, *first)) =>
            {
                files.given = Some((found[place..].to_vec(), error));
                break;
            }
            Err(error) => return Err(error),
        };
        next = extent.end();
        files.extents.insert(first, Arc::new(extent));
    }
    if files.extents.is_empty() {
        if let Some((_, error)) = files.given {
            return Err(error);
        }
        refuse_foreign_extents(disk, manifest, &files.old)?;
        return Err(missing(manifest.redo));
    }
    Ok(files)
}

/// Returns true for the name of an extent that leads to a segment or to the spare: the log did without this
/// extent and gave its file to the store, and the disk lost the end of the name. See
/// `Inner::give_extent_for_spare`.
fn is_of_store(disk: &dyn Disk, manifest: &Manifest, first: u64) -> bool {
    let path = extent_path(first);
    let identity = |path: &Path| disk.identity(path).ok();
    if identity(&path).is_some_and(|file| identity(extents::spare_path()) == Some(file)) {
        return true;
    }
    let mut page = [0; SEALED_PAGE_BYTES];
    let file = disk.open(&path, OpenMode::Read, Access::Cached);
    let read = file.and_then(|file| file.read_exact_at(&mut page, 0));
    read.is_ok() && segment::is_page_of(&page, &manifest.identity)
}

/// Removes the names of extents that lead to files of the store. Refuses if the log may have gone on where
/// one of them says: then its extent is lost.
fn remove_given(
    disk: &dyn Disk,
    scan: &Scan,
    extents: &Extents,
    given: Option<(Vec<u64>, OpenError)>,
) -> Result<(), OpenError> {
    let Some((names, error)) = given else { return Ok(()) };
    if scan.may_go_on_at(extents).is_some_and(|may| names.contains(&may)) {
        return Err(error);
    }
    names.iter().for_each(|first| drop(disk.remove(&extent_path(*first))));
    Ok(())
}

fn missing(first: u64) -> OpenError {
    OpenError::MissingExtent { path: extent_path(first), first: Lsn(first) }
}

fn is_foreign(error: &OpenError) -> bool {
    matches!(error, OpenError::WrongQueueManager { .. })
}

/// Refuses if one of these extents says that it is of another queue manager.
pub(crate) fn refuse_foreign_extents(
    disk: &dyn Disk,
    manifest: &Manifest,
    extents: &[u64],
) -> Result<(), OpenError> {
    let mut opened =
        extents.iter().map(|first| Extent::open(disk, &manifest.identity, *first, OpenMode::Read));
    opened.find_map(|extent| extent.err().filter(is_foreign)).map_or(Ok(()), Err)
}

/// Refuses segments of another queue manager that the manifest does not name.
fn refuse_foreign_segments(disk: &dyn Disk, manifest: &Manifest) -> Result<(), OpenError> {
    for number in strange_segments(disk, manifest) {
        let entry = SegmentEntry { number, ..SegmentEntry::default() };
        if let Some(foreign) = Unread::open(disk, &manifest.identity, &entry).err().filter(is_foreign) {
            return Err(foreign);
        }
    }
    Ok(())
}

/// Shows the engine every record that was found.
pub(crate) fn replay(
    extents: &Extents,
    scan: &Scan,
    engine: &mut dyn Restarted,
) -> Result<Fragmented, OpenError> {
    let mut reader = Reader::new(extents);
    let mut lists = Lists::default();
    let mut fragmented = Fragmented::new();
    let mut missing = BTreeSet::new();
    for block in scan.blocks.iter().filter(|block| block.header.kind != Kind::Epoch) {
        let payload = payload(&mut reader, block)?;
        for (at, bytes) in Records::new(payload, block.at + HEADER_BYTES as u64) {
            let lacks_body = block.lacks_body_of(at, bytes);
            let entry = record::decode(bytes, &mut lists);
            let Some(entry) = entry else {
                return Err(unreadable(extents, block, "a record of unknown type"));
            };
            let Entry::Engine(mut record) = entry else {
                missing.extend(lacks_body.then_some(at));
                continue;
            };
            let lacks_one = |fragments: &[Lsn]| fragments.iter().any(|at| missing.contains(at));
            let mut is_damaged = lacks_body;
            let body_length = match &mut record {
                Record::Put { body: Body::Inline(body), .. } => body.len() as u64,
                Record::Put { body: Body::Fragments { at: fragments, length }, .. } => {
                    fragmented.insert(at, fragments.first().copied().unwrap_or(at));
                    is_damaged = lacks_one(fragments);
                    *length
                }
                Record::PutMany { copies, .. } => {
                    if lacks_body {
                        copies.note_damage();
                    }
                    if let Some(first) = copies.first_fragment() {
                        fragmented.extend(copies.iter().map(|copy| (Lsn(at.0 + copy.offset), first)));
                        if lacks_one(&copies.fragments()) {
                            copies.note_missing_end();
                            is_damaged = true;
                        }
                    }
                    0
                }
                _ => 0,
            };
            engine.logged(LoggedRecord { at, record, body_length, is_damaged })?;
        }
    }
    Ok(fragmented)
}

/// The records of a block. A page of it that cannot be read counts as zeros: where they verify all the same,
/// zeros are what was written, and where bodies are missing ([`Found::lacks_body_of`]) they are in their
/// place.
pub(crate) fn payload<'a>(reader: &'a mut Reader<'_>, block: &Found) -> Result<&'a [u8], OpenError> {
    let length = HEADER_BYTES + block.header.used as usize;
    let _ = reader.bytes(block.stored_at, length);
    if let Some(source) = reader.refused(block.stored_at, length)
        && !reader.is_as_found(block)
    {
        let path = reader.path_at(block.stored_at);
        return Err(OpenError::Io { doing: "read again", path, source });
    }
    match reader.bytes(block.stored_at, length) {
        Some(bytes) => Ok(&bytes[HEADER_BYTES..]),
        None => Err(OpenError::Other(format!("the log changed while it was read, at {}", Lsn(block.at)))),
    }
}

fn unreadable(extents: &Extents, block: &Found, reason: &str) -> OpenError {
    let first = extents.range(..=block.stored_at).next_back().map_or(0, |(first, _)| *first);
    OpenError::Damaged {
        path: extent_path(first),
        offset: block.stored_at - first,
        reason: reason.to_owned(),
    }
}

/// The end of the log while a restart makes it good.
pub(crate) struct Tail<'a> {
    pub(crate) world: &'a World,
    pub(crate) identity: [u8; 16],
    /// Of what must verify before any nonce is known.
    pub(crate) seed: Seed,
    pub(crate) extents: Extents,
    pub(crate) extent_bytes: u64,
    pub(crate) scan: Scan,
}

impl Tail<'_> {
    /// Makes sure that everything shown to the engine outlasts what is built on it, and begins the epoch.
    pub(crate) fn prove(mut self, epoch: u32) -> Result<(Extents, Scan), OpenError> {
        for (header, said) in std::mem::take(&mut self.scan.lost) {
            self.mend(&header, &said)?;
        }
        if let Some(last) = self.scan.blocks.last().copied()
            && last.header.end() > self.scan.proven
        {
            match last.header.kind {
                Kind::Epoch => self.drop_empty_epoch(&last),
                Kind::Ordinary | Kind::Restates => self.say_again(&last)?,
            }
        }
        self.begin_epoch(epoch)?;
        Ok((self.extents, self.scan))
    }

    /// Writes a block that said another one again, and is lost, where it was and as it was: a restart that
    /// begins behind the other one could do without its records, but not without its header.
    fn mend(&mut self, header: &Header, said: &Found) -> Result<(), OpenError> {
        let mut reader = Reader::new(&self.extents);
        let records = payload(&mut reader, said)?.to_vec();
        self.write_bytes(header, &records)
    }

    /// Nothing was written under it, so its place is free.
    fn drop_empty_epoch(&mut self, last: &Found) {
        self.scan.blocks.pop();
        self.scan.lineages.pop();
        self.scan.starts.retain(|first, _| first + DATA_OFFSET != last.at);
        self.scan.chain = self.scan.chain_before;
        self.scan.end = last.at;
    }

    fn say_again(&mut self, last: &Found) -> Result<(), OpenError> {
        let mut reader = Reader::new(&self.extents);
        let records = payload(&mut reader, last)?.to_vec();
        let at = self.place_for(records.len())?;
        let header = Header {
            at,
            epoch: self.scan.chain.epoch,
            records: last.header.records,
            index: self.scan.chain.index,
            used: last.header.used,
            previous: self.scan.chain.before,
            durable: self.scan.proven,
            restates: last.at,
            nonce: 0,
            kind: Kind::Restates,
        };
        self.write(&header, &records)
    }

    fn begin_epoch(&mut self, number: u32) -> Result<(), OpenError> {
        let nonce = self.world.entropy.next_u64();
        let epoch = Epoch { number, nonce, began_at: self.world.clock.wall().0 };
        let mut bytes = Vec::new();
        record::encode(&Entry::Epoch(epoch), &mut bytes);
        let at = self.place_for(bytes.len())?;
        record::seal(&mut bytes, self.seed, Lsn(at + HEADER_BYTES as u64));
        let header = Header {
            at,
            epoch: number,
            records: 1,
            index: self.scan.chain.index + 1,
            used: bytes.len() as u32,
            previous: self.scan.chain.previous,
            durable: at,
            restates: 0,
            nonce: 0,
            kind: Kind::Epoch,
        };
        self.write(&header, &bytes)?;
        self.scan.chain.epoch = number;
        self.scan.chain.nonce = nonce;
        self.scan.lineages.push(Lineage { from: at, epoch: number, nonce });
        Ok(())
    }

    /// Where a block with so many bytes of records goes; makes an extent when there is none for it.
    fn place_for(&mut self, used: usize) -> Result<u64, OpenError> {
        let length = in_pages(HEADER_BYTES + used);
        let (_, current) = self.extents.range(..self.scan.end).next_back().expect("the log has an extent");
        let end = current.end();
        if self.scan.end + length <= end {
            return Ok(self.scan.end);
        }
        if !self.extents.contains_key(&end) {
            let path = extent_path(end);
            let extent = Extent::create(&*self.world.disk, &self.identity, end, self.extent_bytes);
            let extent = extent.map_err(|source| match is_lack_of_space(&source) {
                true => OpenError::NoRoom { path, wanted: self.extent_bytes },
                false => OpenError::Io { doing: "make", path, source },
            })?;
            self.extents.insert(end, Arc::new(extent));
        }
        Ok(end + DATA_OFFSET)
    }

    fn seeds(&self) -> Seeds {
        Seeds { identity: self.seed, epoch: Seed::of_nonce(self.scan.chain.nonce) }
    }

    /// Writes the block that comes next.
    fn write(&mut self, header: &Header, records: &[u8]) -> Result<(), OpenError> {
        self.write_bytes(header, records)?;
        let (first, _) = self.extents.range(..=header.at).next_back().expect("a place was found");
        if header.at == first + DATA_OFFSET {
            self.scan.starts.insert(*first, self.scan.chain);
        }
        let (_, sum) = header.encode(self.seeds());
        self.scan.chain = self.scan.chain.after(header, sum);
        self.scan.end = header.end();
        Ok(())
    }

    fn write_bytes(&self, header: &Header, records: &[u8]) -> Result<(), OpenError> {
        let (bytes, _) = header.encode(self.seeds());
        let length = header.length() as usize;
        let mut block = AlignedBuffer::with_capacity(length);
        block.extend_from_slice(&bytes);
        block.extend_from_slice(records);
        block.pad_to_multiple(platform::BLOCK_ALIGNMENT);
        let (first, extent) = self.extents.range(..=header.at).next_back().expect("a place was found");
        extent.file.write_durable(&block, length, header.at - first).map_err(|source| OpenError::Io {
            doing: "write",
            path: extent.path(),
            source,
        })
    }
}

/// Reads the log as the manifest says.
pub(crate) fn read_log(extents: &Extents, manifest: &Manifest) -> Result<Scan, OpenError> {
    scan(extents, &manifest.log())
}

/// The log that goes on where the tail was proved.
pub(crate) fn resume(
    world: &World,
    settings: &Settings,
    seed: Seed,
    extents: Extents,
    scan: Scan,
    observer: Arc<dyn Observer>,
) -> Log {
    let block_bytes_max = settings.block_bytes_limit();
    let space = Arc::new(Space::new(block_bytes_max, settings.extent_bytes));
    space.set_capacity(extents.values().map(|extent| extent.length).sum());
    let (current, _) = extents.range(..scan.end).next_back().expect("the log has an extent");
    let ready: u64 = extents.range(current + 1..).map(|(_, extent)| usable(extent.length)).sum();
    space.give(ready as i64);
    let start = Start {
        identity: seed,
        position: scan.end,
        chain: scan.chain,
        lineages: scan.lineages,
        restated: scan.restated,
        starts: scan.starts,
        files: LogFiles { extents: RwLock::new(extents) },
        space: Arc::clone(&space),
        block_bytes_max,
        slow_io: settings.slow_io,
    };
    let log = Log::new(start, Arc::clone(&world.clock), observer);
    space.give(log.room_left());
    log
}

/// True if a queue manager ever ran in this directory.
pub(crate) fn was_ever_locked(disk: &dyn Disk) -> bool {
    disk.open(Path::new(LOCK), OpenMode::Read, Access::Cached).is_ok()
}

/// Makes the files of a new queue manager. The manifest comes last: without one there is nothing here.
pub(crate) fn create(world: &World, settings: &Settings) -> Result<(), OpenError> {
    let disk = &*world.disk;
    let root = Path::new("");
    disk.create_directory(root).map_err(|source| OpenError::Io {
        doing: "make",
        path: root.into(),
        source,
    })?;
    let _guards = Guards::take(disk)?;
    if !matches!(manifest::load(disk), Err(OpenError::Absent { .. })) {
        return Err(OpenError::Exists { path: manifest::path(0) });
    }
    if let Some(path) = find_used_file(disk) {
        return Err(OpenError::Exists { path });
    }
    let failed = |doing, path: &Path, source: io::Error| match is_lack_of_space(&source) {
        true => OpenError::NoRoom { path: path.to_owned(), wanted: settings.extent_bytes },
        false => OpenError::Io { doing, path: path.to_owned(), source },
    };
    for directory in ["log", "store", "spill"] {
        let directory = Path::new(directory);
        disk.create_directory(directory).map_err(|error| failed("make", directory, error))?;
    }
    // Else a power cut could keep the name of the manifest and lose theirs.
    disk.sync_directory(root).map_err(|error| failed("flush", root, error))?;
    let mut identity = [0; 16];
    world.entropy.fill(&mut identity);
    let secret = Secret(world.entropy.next_u64());
    Extent::create(disk, &identity, 0, settings.extent_bytes.min(FIRST_EXTENT_BYTES))
        .map_err(|error| failed("make", &extent_path(0), error))?;
    for generation in [1, 2] {
        let manifest = Manifest { identity, secret, generation, ..Manifest::default() };
        manifest::store(disk, &manifest)
            .map_err(|failure| failed("make", &manifest::path(generation), failure.into_error()))?;
    }
    Ok(())
}

/// A file that only a queue manager leaves which was at work here, and whose manifests are gone: unlike the
/// extent that a creation makes it holds something.
fn find_used_file(disk: &dyn Disk) -> Option<PathBuf> {
    let store = disk.list(Path::new("store")).unwrap_or_default();
    if let Some(number) = store.iter().find_map(|name| segment::number_in_name(name)) {
        return Some(segment::path(number));
    }
    let used = |first: &u64| {
        let mut first_block = [0; HEADER_BYTES];
        let file = disk.open(&extent_path(*first), OpenMode::Read, Access::Cached);
        let read = file.and_then(|file| file.read_exact_at(&mut first_block, DATA_OFFSET));
        *first != 0 || read.is_err() || first_block != [0; HEADER_BYTES]
    };
    extents_in(disk).unwrap_or_default().into_iter().find(used).map(extent_path)
}

/// Opens a data directory: see the head of this file.
pub(crate) fn open(
    world: &World,
    settings: &Settings,
    observer: Arc<dyn Observer>,
    engine: &mut dyn Restarted,
) -> Result<Inner, OpenError> {
    restart(world, settings, observer, engine).map_err(|error| explain_version(&*world.disk, error))
}

/// Bytes of the first page of an extent or a segment that its checksum covers.
const SEALED_PAGE_BYTES: usize = 48;

/// Tells a file that a build wrote which is no release from a damaged one. It is called so only while its
/// first page, or the whole of a manifest, has the right checksum: its bytes are then what was written, in
/// another form.
fn explain_version(disk: &dyn Disk, error: OpenError) -> OpenError {
    let OpenError::Damaged { path, offset, reason } = error else { return error };
    match other_version(disk, &path) {
        Some(found) => OpenError::OtherBuild { path, offset, reason, found },
        None => OpenError::Damaged { path, offset, reason },
    }
}

/// The version of a file that was written in another form than this program's.
fn other_version(disk: &dyn Disk, path: &Path) -> Option<u32> {
    let (is_manifest, present) = match path.parent()?.to_str()? {
        "" => (true, manifest::FORMAT_VERSION),
        "log" => (false, extent::FORMAT_VERSION),
        segment::DIRECTORY => (false, segment::FORMAT_VERSION),
        _ => return None,
    };
    if is_manifest {
        // A whole manifest is refused only for its content.
        return manifest::sealed_version(&manifest::read_file(disk, path).ok()?);
    }
    let mut page = [0; SEALED_PAGE_BYTES];
    disk.open(path, OpenMode::Read, Access::Cached).ok()?.read_exact_at(&mut page, 0).ok()?;
    sealed_version(&page).filter(|found| *found != present)
}

fn restart(
    world: &World,
    settings: &Settings,
    observer: Arc<dyn Observer>,
    engine: &mut dyn Restarted,
) -> Result<Inner, OpenError> {
    settings.check()?;
    let disk = &*world.disk;
    let guards = Guards::take(disk)?;
    let manifest = manifest::load(disk)?;
    let files =
        open_extents(disk, &manifest, OpenMode::Write).map_err(|error| manifest::explain(disk, error))?;
    let guards = guards.with_directories(disk)?;
    if settings.kind == LogKind::Circular {
        // They are used again, or removed.
        refuse_foreign_extents(disk, &manifest, &files.old)
            .map_err(|error| manifest::explain(disk, error))?;
    }
    refuse_foreign_segments(disk, &manifest).map_err(|error| manifest::explain(disk, error))?;
    engine.begin(&Recovered { snapshot: manifest.snapshot.clone(), replay_from: Lsn(manifest.redo) })?;
    let segments = open_segments(disk, &manifest, engine).map_err(|error| manifest::explain(disk, error))?;
    let scan = read_log(&files.extents, &manifest)?;
    let epoch = scan.epoch_max.checked_add(1);
    let epoch = epoch.ok_or_else(|| OpenError::Other("there were as many starts as can be".to_owned()))?;
    let fragmented = replay(&files.extents, &scan, engine)?;

    remove_given(disk, &scan, &files.extents, files.given)?;
    make_found_last(disk, &manifest)?;
    give_pages_again(&files.extents, &manifest, scan.end)?;
    let (identity, seed) = (manifest.identity, manifest.seed());
    let extent_bytes = settings.extent_bytes;
    let tail = Tail { world, identity, seed, extents: files.extents, extent_bytes, scan };
    let (extents, scan) = tail.prove(epoch)?;
    remove_strangers(disk, &manifest);
    let log = resume(world, settings, seed, extents, scan, observer);
    let spill = Spill::new(Arc::clone(&world.disk), settings.spill_bytes_max);
    let inner = Inner {
        world: world.clone(),
        settings: settings.clone(),
        identity,
        secret: manifest.secret,
        epoch,
        log,
        store: Store::new(segments, manifest.segment_next, spill),
        cache: Cache::default(),
        pins: Arc::default(),
        last: Mutex::new(LastCheckpoint { generation: manifest.generation, redo: manifest.redo }),
        counts: Counts::default(),
        extents: Upkeep::new(files.old, extents::spare_found(disk)),
        checkpoint_at: AtomicU64::new(manifest.redo),
        fragmented: Mutex::new(fragmented),
        manifests: Manifests::found(disk),
        guards,
    };
    Ok(inner)
}

/// Makes sure that the next start finds what this one did. The process before may have been killed between a
/// change and its flush.
fn make_found_last(disk: &dyn Disk, manifest: &Manifest) -> Result<(), OpenError> {
    for directory in ["log", "store"] {
        let directory = Path::new(directory);
        disk.sync_directory(directory).map_err(|source| OpenError::Io {
            doing: "flush",
            path: directory.to_owned(),
            source,
        })?;
    }
    manifest::settle(disk, manifest)
}

/// Writes the first page of extents that lost it before they were used, and of those that have one of an
/// older format. The log is about to go on in them, and an older program is to refuse them by their version,
/// not to take the records in them for damage.
fn give_pages_again(extents: &Extents, manifest: &Manifest, end: u64) -> Result<(), OpenError> {
    let needs_page = |extent: &&Arc<Extent>| match extent.page {
        Page::Known => false,
        Page::Older => extent.end() >= end,
        Page::LostWithoutBlock | Page::LostWithZeros => true,
    };
    for extent in extents.values().filter(needs_page) {
        let written = extent.write_page(&manifest.identity);
        written.map_err(|source| OpenError::Io { doing: "write", path: extent.path(), source })?;
    }
    Ok(())
}

/// Opens the segments, and shows the engine the messages that are live in them.
pub(crate) fn open_segments(
    disk: &dyn Disk,
    manifest: &Manifest,
    engine: &mut dyn Restarted,
) -> Result<Vec<Segment>, OpenError> {
    let mut show = |stored: StoredHead| engine.stored(&stored);
    let unread = manifest.segments.iter().map(|entry| Unread::open(disk, &manifest.identity, entry));
    let mut unread = unread.peekable();
    let mut segments = Vec::with_capacity(manifest.segments.len());
    while let Some(segment) = unread.next() {
        // The disk fetches the footer of the next while this one is shown.
        unread.peek();
        segments.push(segment?.read(&mut show)?);
    }
    Ok(segments)
}

/// Segments that the manifest does not name.
fn strange_segments(disk: &dyn Disk, manifest: &Manifest) -> Vec<u32> {
    let is_named = |number: &u32| manifest.segments.iter().any(|entry| entry.number == *number);
    let names = disk.list(Path::new("store")).unwrap_or_default();
    let numbers = names.iter().filter_map(|name| segment::number_in_name(name));
    numbers.filter(|number| !is_named(number)).collect()
}

/// Removes what a crash left half done and what did not outlive the last run.
fn remove_strangers(disk: &dyn Disk, manifest: &Manifest) {
    let list = |directory: &str| disk.list(Path::new(directory)).unwrap_or_default();
    let remove = |directory: &str, name: &str| drop(disk.remove(&Path::new(directory).join(name)));
    let unfinished = |name: &&String| name.ends_with(".tmp");
    list("log").iter().filter(unfinished).for_each(|name| remove("log", name));
    list("spill").iter().filter(unfinished).for_each(|name| remove("spill", name));
    let left = list("store");
    let is_alone = extents::spare_is_alone(disk);
    let is_spare = |name: &&String| Path::new("store").join(name) == extents::spare_path() && is_alone;
    left.iter().filter(unfinished).filter(|name| !is_spare(name)).for_each(|name| remove("store", name));
    for number in strange_segments(disk, manifest) {
        let _ = disk.remove(&segment::path(number));
    }
}
