//! One block after the other made durable, in a file whose space is already written.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use rustix::fs::OFlags;

use crate::latency::{Latencies, Summary};
use crate::server_process::temporary_directory;

/// Alignment in memory of the bytes of a direct write; also the least that is written.
const ALIGNMENT_BYTES: usize = 4 << 10;

/// Blocks of the file; after the last comes the first again.
const BLOCKS: u64 = 256;

/// Bytes of the file where that is less than so many blocks.
const FILE_BYTES_MAX: u64 = 8 << 20;

/// The way of making a block durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Past the cache, forced by the write itself.
    Direct,
    /// Into the cache, then forced.
    Synced,
}

/// Writes blocks of so many bytes, a multiple of 4 KiB, for so long; none where the file system does not know
/// this way.
pub(super) fn measure(
    directory: &Path,
    way: Way,
    block_bytes: usize,
    time: Duration,
) -> Result<Option<Summary>> {
    let folder = temporary_directory(directory)?;
    measure_in(folder.path(), way, block_bytes, time)
}

fn measure_in(folder: &Path, way: Way, block_bytes: usize, time: Duration) -> Result<Option<Summary>> {
    let file_bytes = (BLOCKS * block_bytes as u64).min(FILE_BYTES_MAX);
    let path = folder.join("blocks");
    let file = File::create(&path).context("cannot create a file")?;
    // A file that grows would cost a write of what describes it besides.
    file.write_all_at(&vec![0; file_bytes as usize], 0).context("cannot write a file")?;
    file.sync_all().context("cannot force a file")?;
    let file = match way {
        Way::Synced => file,
        Way::Direct => {
            let flags = (OFlags::DIRECT | OFlags::DSYNC).bits().cast_signed();
            match OpenOptions::new().write(true).custom_flags(flags).open(&path) {
                Ok(file) => file,
                Err(error) if is_refusal(&error) => return Ok(None),
                Err(error) => return Err(error).context("cannot open a file for direct writes"),
            }
        }
    };
    let memory = vec![0x5A; ALIGNMENT_BYTES + block_bytes];
    let start = memory.as_ptr().align_offset(ALIGNMENT_BYTES);
    let block = memory.get(start..start + block_bytes).context("memory cannot be aligned")?;
    let mut latencies = Latencies::default();
    let begun = Instant::now();
    let mut last = begun;
    while latencies.count() == 0 || last - begun < time {
        let offset = latencies.count() * block_bytes as u64 % file_bytes;
        match file.write_all_at(block, offset) {
            Ok(()) => {}
            Err(error) if way == Way::Direct && is_refusal(&error) => return Ok(None),
            Err(error) => return Err(error).context("cannot write a block"),
        }
        if way == Way::Synced {
            file.sync_data().context("cannot force a block")?;
        }
        let now = Instant::now();
        latencies.record(now - last);
        last = now;
    }
    Ok(latencies.summary())
}

/// Returns true if an error says that the file system writes through its cache only.
fn is_refusal(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput
}
