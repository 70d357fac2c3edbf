//! The ways to compress bytes, and to expand them again.
//!
//! Always: a way fills as many bytes as it was given room for, and no more.

use std::cell::RefCell;

use flate2::{Compress, Decompress, FlushCompress, FlushDecompress, Status};
use lz4::block::{CompressionMode, compress_to_buffer};
use lz4_flex::block;

use super::runs;
use crate::error::Error;
use crate::login::Compression;

/// Levels of zlib. Level 1 of this library has codes of fixed lengths, which save a tenth less of a text;
/// level 2 is what others do at their first.
const ZLIB_FAST: u32 = 2;
const ZLIB_HIGH: u32 = 9;

/// The level of LZ4 that searches all of its window.
const LZ4_HIGH: i32 = 9;

/// Bytes of scratch that are kept from frame to frame: the longest of them where bodies are compressed.
const SCRATCH_BYTES_KEPT: usize = 96 * 1024;

/// The tools of one thread. They are begun anew for each frame, so which thread has which changes no byte,
/// and there are as many as threads, not as connections: the tables of zlib are larger than all else that a
/// connection has.
#[derive(Default)]
struct Tools {
    fast: Option<Compress>,
    high: Option<Compress>,
    inflate: Option<Decompress>,
    scratch: Vec<u8>,
}

thread_local! {
    static TOOLS: RefCell<Tools> = RefCell::default();
}

/// Calls `use_it` with an empty buffer that is kept.
pub(super) fn with_scratch<T>(use_it: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    // Taken out, for what is called takes tools as well.
    let mut scratch = TOOLS.with_borrow_mut(|tools| std::mem::take(&mut tools.scratch));
    scratch.clear();
    let result = use_it(&mut scratch);
    scratch.shrink_to(SCRATCH_BYTES_KEPT);
    TOOLS.with_borrow_mut(|tools| tools.scratch = scratch);
    result
}

/// Appends `bytes` to `out` in at most `most` bytes; false, with anything behind what was there, where that
/// does not do.
pub(super) fn compress(way: Compression, bytes: &[u8], out: &mut Vec<u8>, most: usize) -> bool {
    let start = out.len();
    let room = match way {
        // This way asks for room for the worst it can do.
        Compression::Lz4Fast | Compression::System => block::get_maximum_output_size(bytes.len()),
        _ => most,
    };
    out.resize(start + room, 0);
    let target = &mut out[start..];
    let written = match way {
        Compression::Rle => runs::compress(bytes, target),
        Compression::ZlibFast => {
            TOOLS.with_borrow_mut(|tools| deflate(&mut tools.fast, ZLIB_FAST, bytes, target))
        }
        Compression::ZlibHigh => {
            TOOLS.with_borrow_mut(|tools| deflate(&mut tools.high, ZLIB_HIGH, bytes, target))
        }
        Compression::Lz4Fast | Compression::System => block::compress_into(bytes, target).ok(),
        Compression::Lz4High => {
            compress_to_buffer(bytes, Some(CompressionMode::HIGHCOMPRESSION(LZ4_HIGH)), false, target).ok()
        }
    };
    let written = written.filter(|written| *written <= most);
    out.truncate(start + written.unwrap_or(0));
    written.is_some()
}

/// A tool that came to no end is not used again: its next stream would begin with bits of the last.
fn deflate(kept: &mut Option<Compress>, level: u32, bytes: &[u8], target: &mut [u8]) -> Option<usize> {
    let new = || Compress::new(flate2::Compression::new(level), true);
    let mut tool = kept.take().unwrap_or_else(new);
    tool.reset();
    let status = tool.compress(bytes, target, FlushCompress::Finish).ok()?;
    (status == Status::StreamEnd).then(|| kept.insert(tool).total_out() as usize)
}

/// As [`deflate`]: bytes of one partner leave nothing behind for another's.
fn inflate(kept: &mut Option<Decompress>, bytes: &[u8], target: &mut [u8]) -> Option<usize> {
    let mut tool = kept.take().unwrap_or_else(|| Decompress::new(true));
    tool.reset(true);
    let status = tool.decompress(bytes, target, FlushDecompress::Finish).ok()?;
    // Bytes behind the end would be nobody's.
    let is_whole = status == Status::StreamEnd && tool.total_in() == bytes.len() as u64;
    is_whole.then(|| kept.insert(tool).total_out() as usize)
}

/// Appends `length` bytes to `out`, which is what `bytes` have to stand for.
pub(super) fn expand(way: Compression, bytes: &[u8], length: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let start = out.len();
    out.resize(start + length, 0);
    let target = &mut out[start..];
    let written = match way {
        Compression::Rle => runs::expand(bytes, target),
        Compression::ZlibFast | Compression::ZlibHigh => {
            TOOLS.with_borrow_mut(|tools| inflate(&mut tools.inflate, bytes, target))
        }
        Compression::Lz4Fast | Compression::Lz4High | Compression::System => {
            block::decompress_into(bytes, target).ok()
        }
    };
    match written {
        Some(written) if written == length => Ok(()),
        _ => Err(Error::Compressed("does not expand to the length that it claims")),
    }
}
