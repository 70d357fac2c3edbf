//! What an administrator can set about the log and the store.

use std::time::Duration;

/// What becomes of log extents that restart no longer needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogKind {
    /// They are used again.
    #[default]
    Circular,
    /// They are kept, for media recovery.
    Linear,
}

/// Settings of the log and the store. Each has its home in `ferry.toml`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Bytes of one log extent, a multiple of 1 MiB; 64 MiB unless set.
    pub extent_bytes: u64,
    /// Extents kept ready; 4 unless set, at least 2.
    pub primary_extents: u32,
    /// Further extents made when the primary ones do not suffice; 4 unless set.
    pub secondary_extents: u32,
    /// Circular or linear.
    pub kind: LogKind,
    /// Most bytes one force writes; 1 MiB unless set.
    pub block_bytes_max: usize,
    /// A log write or read slower than this is reported; none when absent. 1 s unless set.
    pub slow_io: Option<Duration>,
    /// Most bytes of spill files; 0 means as much as the disk holds.
    pub spill_bytes_max: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            extent_bytes: 64 << 20,
            primary_extents: 4,
            secondary_extents: 4,
            kind: LogKind::Circular,
            block_bytes_max: 1 << 20,
            slow_io: Some(Duration::from_secs(1)),
            spill_bytes_max: 0,
        }
    }
}
