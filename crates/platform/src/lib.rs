//! The outside world as small traits, with their real and their simulated implementations.
//!
//! Lives here: [`Disk`] and [`File`] (bytes that last), [`Clock`] (time of day and time elapsed), [`Entropy`]
//! (bytes that cannot be guessed), parking of threads, values that stand apart in memory, and two worlds
//! behind them: [`os`], the machine, and [`simulated`], a machine made from a seed whose disk tears, loses,
//! lies and fills up.
//!
//! Lives elsewhere: what the bytes mean (`storage`), sockets (`transport`).
//!
//! Always: nothing above this crate and below the hosts reaches the operating system by another door.

pub mod block;
pub mod clock;
pub mod disk;
pub mod entropy;
pub mod os;
pub mod padding;
pub mod park;
pub mod simulated;
pub mod sync;

pub use block::{AlignedBuffer, BLOCK_ALIGNMENT};
pub use clock::{Clock, Monotonic, WallTime};
pub use disk::{Access, DirectoryLock, Disk, File, Identity, OpenMode};
pub use entropy::Entropy;
pub use padding::CachePadded;
pub use park::Parker;

use std::path::PathBuf;
use std::sync::Arc;

/// The three doors, handed together to the opener of a queue manager.
#[derive(Clone, Debug)]
pub struct World {
    /// Bytes that last, below one data directory.
    pub disk: Arc<dyn Disk>,
    /// Time of day and time elapsed.
    pub clock: Arc<dyn Clock>,
    /// Bytes that cannot be guessed.
    pub entropy: Arc<dyn Entropy>,
}

impl World {
    /// The machine this process runs on, with `directory` as the data directory. Nothing is touched yet;
    /// `disk.create_directory("")` makes the directory.
    #[must_use]
    pub fn of_machine(directory: impl Into<PathBuf>) -> Self {
        Self {
            disk: Arc::new(os::OsDisk::at(directory)),
            clock: Arc::new(os::OsClock),
            entropy: Arc::new(os::OsEntropy),
        }
    }
}
