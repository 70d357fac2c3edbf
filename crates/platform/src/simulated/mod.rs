//! A machine made from a seed: its disk tears, loses, lies, rots, fills up and slows down; its clock moves by
//! hand.
//!
//! Lives here: [`SimulatedDisk`] and what can befall it ([`Fault`], [`CrashPolicy`], [`Rot`]),
//! [`SimulatedClock`], [`SeededEntropy`], the generator [`Random`] that all simulations draw from, and
//! [`Machine`], the three doors together; and [`WatchedDisk`], any disk that asks a test before it writes.
//!
//! Lives elsewhere: what a crash must not take away (`sim`).
//!
//! Always: the same seed and the same calls give the same answers, the same images and the same trace.

mod chance;
mod content;
mod crash;
mod disk;
mod fault;
mod file;
mod inode;
mod names;
pub mod random;
mod rot;
mod state;
mod time;
mod trace;
mod watch;

#[cfg(test)]
mod tests;

use std::sync::Arc;

pub use chance::SeededEntropy;
pub use crash::{CrashPolicy, Damage, DiskImage, Survival};
pub use disk::{Images, PowerLost, SimulatedDisk};
pub use fault::{Failure, Fault, Repeat};
pub use random::Random;
pub use rot::Rot;
pub use time::SimulatedClock;
pub use trace::{Operation, OperationKind};
pub use watch::{Watch, WatchedDisk};

use crate::World;

/// Size of the unit that a device writes whole or not at all.
pub const SECTOR_BYTES: usize = 512;

/// The three doors of a simulated machine, kept with their own types so that a test can reach behind them.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The disk.
    pub disk: SimulatedDisk,
    /// The clock.
    pub clock: SimulatedClock,
    /// The random bytes the programs on the machine see.
    pub entropy: Arc<SeededEntropy>,
}

impl Machine {
    /// An empty machine; everything on it follows from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self::with_disk(SimulatedDisk::new(seed), seed)
    }

    /// A machine that starts on what is on `disk`: the same after a crash, a new one otherwise.
    #[must_use]
    pub fn with_disk(disk: SimulatedDisk, seed: u64) -> Self {
        let clock = SimulatedClock::default();
        disk.attach_clock(&clock);
        Self { disk, clock, entropy: Arc::new(SeededEntropy::new(seed)) }
    }

    /// The doors as programs on the machine see them.
    #[must_use]
    pub fn world(&self) -> World {
        World {
            disk: Arc::new(self.disk.clone()),
            clock: Arc::new(self.clock.clone()),
            entropy: self.entropy.clone(),
        }
    }
}
