//! The power-cut rig: a real ext4 on a block device whose every write is logged.
//!
//! ```text
//! server -> ext4 -> loop device -> FUSE export -> blklogwrites -> disk image
//!                                                      |
//!                                                  write log -> images of the disk at any cut
//! ```
//!
//! Lives here: bringing such a device up and down, or one that is slow ([`device`]), reading its write log
//! and building the image that a power cut would have left ([`write_log`]). Lives elsewhere: what ran on it
//! and whether the promise was kept ([`crate::power`]).
//!
//! Always: a rig that cannot be had here says which tool is missing; a skipped run is never a pass.

pub mod device;
pub mod write_log;

#[cfg(test)]
mod tests;
