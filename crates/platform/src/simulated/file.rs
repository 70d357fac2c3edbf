//! An open file of the simulated disk.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use parking_lot::Mutex;

use super::SECTOR_BYTES;
use super::content::ReadFailure;
use super::fault::Failure;
use super::names::InodeId;
use super::state::{Call, State};
use super::trace::OperationKind;
use crate::{Access, AlignedBuffer, BLOCK_ALIGNMENT, File, Identity};

#[derive(Debug)]
pub(super) struct SimulatedFile {
    pub(super) state: Arc<Mutex<State>>,
    pub(super) id: InodeId,
    pub(super) path: PathBuf,
    pub(super) writable: bool,
    pub(super) access: Access,
}

impl SimulatedFile {
    fn call(&self, kind: OperationKind, offset: u64, length: u64) -> Call<'_> {
        Call { kind, path: &self.path, offset, length }
    }

    fn for_writing(&self) -> io::Result<()> {
        if self.writable { Ok(()) } else { Err(io::ErrorKind::PermissionDenied.into()) }
    }
}

impl Drop for SimulatedFile {
    fn drop(&mut self) {
        let mut state = self.state.lock();
        if state.medium.inodes.contains_key(&self.id) {
            state.medium.inode_mut(self.id).handles -= 1;
        }
    }
}

impl File for SimulatedFile {
    fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let state = &mut *self.state.lock();
        let call = self.call(OperationKind::Read, offset, buffer.len() as u64);
        let result = state.begin(OperationKind::Read).and_then(|failure| match failure {
            Some(failure) => Err(failure.error()),
            None => {
                state.medium.inode(self.id).current.read(buffer, offset).map_err(|failure| match failure {
                    ReadFailure::End => io::ErrorKind::UnexpectedEof.into(),
                    ReadFailure::Unreadable => Failure::InputOutput.error(),
                })
            }
        });
        state.record(call, &[], result)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.for_writing()?;
        let state = &mut *self.state.lock();
        let call = self.call(OperationKind::Write, offset, bytes.len() as u64);
        let result = state
            .begin(OperationKind::Write)
            .and_then(|failure| write(state, self.id, bytes, offset, failure));
        state.record(call, bytes, result)
    }

    fn write_durable(&self, buffer: &AlignedBuffer, length: usize, offset: u64) -> io::Result<()> {
        assert!(
            length.is_multiple_of(BLOCK_ALIGNMENT) && offset.is_multiple_of(BLOCK_ALIGNMENT as u64),
            "{length} bytes at offset {offset} are not whole blocks",
        );
        self.for_writing()?;
        assert_eq!(self.access, Access::Durable, "{} is not open for durable writes", self.path.display());
        let bytes = &buffer.as_slice()[..length];
        let state = &mut *self.state.lock();
        let call = self.call(OperationKind::WriteDurable, offset, length as u64);
        let result = state
            .begin(OperationKind::WriteDurable)
            .and_then(|failure| write_durable(state, self.id, bytes, offset, failure));
        state.record(call, bytes, result)
    }

    fn sync(&self) -> io::Result<()> {
        let state = &mut *self.state.lock();
        let call = self.call(OperationKind::Sync, 0, 0);
        let result = state.begin(OperationKind::Sync).and_then(|failure| {
            state.boundary()?;
            if let Some(failure) = failure {
                let State { medium, random, .. } = state;
                medium.inode_mut(self.id).fail_flush(|| random.percent(50));
                return Err(failure.error());
            }
            if !state.flushes_lie {
                state.medium.inode_mut(self.id).flush();
                keep_version(state, self.id);
            }
            Ok(())
        });
        state.record(call, &[], result)
    }

    fn identity(&self) -> io::Result<Identity> {
        Ok(self.id.identity())
    }

    fn length(&self) -> io::Result<u64> {
        let state = self.state.lock();
        state.powered()?;
        Ok(state.medium.inode(self.id).current.length())
    }

    fn set_length(&self, length: u64) -> io::Result<()> {
        self.for_writing()?;
        let state = &mut *self.state.lock();
        let call = self.call(OperationKind::SetLength, 0, length);
        let result = state.begin(OperationKind::SetLength).and_then(|failure| {
            if let Some(failure) = failure {
                return Err(failure.error());
            }
            state.reserve(self.id, length)?;
            let order = state.medium.order();
            state.medium.inode_mut(self.id).set_length(length, order);
            state.boundary()
        });
        state.record(call, &[], result)
    }
}

fn write(
    state: &mut State,
    id: InodeId,
    bytes: &[u8],
    offset: u64,
    failure: Option<Failure>,
) -> io::Result<()> {
    let bytes = match failure {
        Some(Failure::Short) => &bytes[..bytes.len() / 2],
        Some(failure) => return Err(failure.error()),
        None => bytes,
    };
    state.reserve(id, offset + bytes.len() as u64)?;
    let order = state.medium.order();
    state.medium.inode_mut(id).write(bytes, offset, order);
    state.boundary()?;
    failure.map_or(Ok(()), |failure| Err(failure.error()))
}

fn write_durable(
    state: &mut State,
    id: InodeId,
    bytes: &[u8],
    offset: u64,
    failure: Option<Failure>,
) -> io::Result<()> {
    let end = offset + bytes.len() as u64;
    let length = state.medium.inode(id).current.length();
    if end > length {
        let text = format!("a durable write up to {end} would extend the file of {length} bytes");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    if let Some(failure) = failure {
        fail_durable(state, id, bytes, offset, failure);
        state.boundary()?;
        return Err(failure.error());
    }
    let order = state.medium.order();
    state.medium.inode_mut(id).write(bytes, offset, order);
    state.boundary()?;
    if !state.flushes_lie {
        state.medium.inode_mut(id).flush_range(offset, end);
        keep_version(state, id);
    }
    Ok(())
}

/// A write past the page cache that fails: what reached the medium is what readers see. Through the page
/// cache, readers see all of it when it was the flush that failed.
fn fail_durable(state: &mut State, id: InodeId, bytes: &[u8], offset: u64, failure: Failure) {
    let State { medium, random, .. } = state;
    if state.direct_refused && matches!(failure, Failure::InputOutput | Failure::Interrupted) {
        let order = medium.order();
        let inode = medium.inode_mut(id);
        inode.write(bytes, offset, order);
        inode.fail_flush(|| random.percent(50));
        return;
    }
    for (index, sector) in bytes.chunks(SECTOR_BYTES).enumerate() {
        let reaches_medium = match failure {
            Failure::Short => index < bytes.len() / SECTOR_BYTES / 2,
            Failure::InputOutput => random.percent(50),
            _ => false,
        };
        if reaches_medium {
            let at = offset + (index * SECTOR_BYTES) as u64;
            let order = medium.order();
            let inode = medium.inode_mut(id);
            inode.write(sector, at, order);
            inode.flush_range(at, at + sector.len() as u64);
        }
    }
}

fn keep_version(state: &mut State, id: InodeId) {
    if state.versions_kept {
        state.medium.inode_mut(id).keep_version();
    }
}
