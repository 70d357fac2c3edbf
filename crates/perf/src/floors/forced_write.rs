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

/// What is written at a time, and how it must lie in memory for a direct write.
const BLOCK_BYTES: usize = 4 << 10;

/// Blocks of the file; after the last comes the first again.
const BLOCKS: u64 = 256;

/// How a block is made durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Past the cache, forced by the write itself.
    Direct,
    /// Into the cache, then forced.
    Synced,
}

/// Writes blocks for so long; none where the file system does not know this way.
pub(super) fn measure(directory: &Path, way: Way, time: Duration) -> Result<Option<Summary>> {
    let folder = temporary_directory(directory)?;
    measure_in(folder.path(), way, time)
}

fn measure_in(folder: &Path, way: Way, time: Duration) -> Result<Option<Summary>> {
    let path = folder.join("blocks");
    let file = File::create(&path).context("cannot create a file")?;
    // A file that grows would cost a write of what describes it besides.
    file.write_all_at(&vec![0; BLOCK_BYTES * BLOCKS as usize], 0).context("cannot write a file")?;
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
    let memory = vec![0x5A; 2 * BLOCK_BYTES];
    let start = memory.as_ptr().align_offset(BLOCK_BYTES);
    let block = memory.get(start..start + BLOCK_BYTES).context("memory cannot be aligned")?;
    let mut latencies = Latencies::default();
    let begun = Instant::now();
    let mut last = begun;
    while latencies.count() == 0 || last - begun < time {
        let offset = latencies.count() % BLOCKS * BLOCK_BYTES as u64;
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

/// How a file system says that it writes through its cache only.
fn is_refusal(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidInput
}
