//! The machine this process runs on: [`OsDisk`], [`OsClock`], [`OsEntropy`].

pub mod descriptors;
mod disk;
mod file;
pub mod memory;
pub mod private;
pub mod text;
mod transfer;
pub mod users;

use std::io;
use std::path::Path;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rustix::rand::GetRandomFlags;
use rustix::time::ClockId;

use crate::{Clock, Entropy, Monotonic, WallTime};

pub use disk::OsDisk;

/// True if writes to an existing file go past the page cache; where its file system refuses that, they go
/// through it and are forced.
///
/// # Errors
/// When the file cannot be opened for writing.
pub fn takes_direct_writes(path: &Path) -> io::Result<bool> {
    disk::takes_direct(path)
}

/// The kernel's clocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsClock;

impl Clock for OsClock {
    fn now(&self) -> Monotonic {
        monotonic(ClockId::Monotonic)
    }

    /// By way of the system's library, where tools that give a program another time of day can reach it.
    fn wall(&self) -> WallTime {
        let micros = |time: Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
        WallTime(match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => micros(since),
            Err(before) => -micros(before.duration()),
        })
    }

    fn now_roughly(&self) -> Monotonic {
        monotonic(ClockId::MonotonicCoarse)
    }

    fn wall_roughly(&self) -> WallTime {
        let time = rustix::time::clock_gettime(ClockId::RealtimeCoarse);
        WallTime(time.tv_sec.saturating_mul(1_000_000).saturating_add(time.tv_nsec / 1_000))
    }
}

fn monotonic(clock: ClockId) -> Monotonic {
    let time = rustix::time::clock_gettime(clock);
    let nanoseconds = u64::try_from(time.tv_nsec).unwrap_or_default();
    Monotonic(u64::try_from(time.tv_sec).unwrap_or_default().saturating_mul(1_000_000_000) + nanoseconds)
}

/// The kernel's random numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsEntropy;

impl Entropy for OsEntropy {
    /// # Panics
    /// When the kernel has none to give: nothing that needs secrets may go on then.
    fn fill(&self, bytes: &mut [u8]) {
        let mut filled = 0;
        while filled < bytes.len() {
            match rustix::rand::getrandom(&mut bytes[filled..], GetRandomFlags::empty()) {
                Ok(count) => filled += count,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => panic!("the kernel gives no random bytes: {error}"),
            }
        }
    }
}

#[cfg(test)]
mod tests;
