//! Settings of the log and the store that an administrator can change.

use std::time::Duration;

use platform::BLOCK_ALIGNMENT;

use crate::OpenError;

/// Fate of log extents that restart no longer needs.
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
    /// Bytes of one log extent, a multiple of 64 KiB, at least 512 KiB; 64 MiB unless set.
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

impl Settings {
    /// Most extents of a circular log.
    pub(crate) fn extents_max(&self) -> u32 {
        self.primary_extents.saturating_add(self.secondary_extents)
    }

    /// Refuses what cannot work, by the name of the setting.
    pub(crate) fn check(&self) -> Result<(), OpenError> {
        let refuse =
            |name, value: u64, reason| Err(OpenError::Setting { name, value: value.to_string(), reason });
        if self.extent_bytes < 512 << 10 || !self.extent_bytes.is_multiple_of(64 << 10) {
            return refuse(
                "extent_bytes",
                self.extent_bytes,
                "it must be a multiple of 64 KiB, 512 KiB or more",
            );
        }
        if self.extent_bytes > 1 << 30 {
            return refuse("extent_bytes", self.extent_bytes, "it may be 1 GiB at most; use more extents");
        }
        if self.primary_extents < 2 {
            return refuse("primary_extents", self.primary_extents.into(), "at least 2 are needed");
        }
        if self.block_bytes_max < 64 << 10 {
            return refuse("block_bytes_max", self.block_bytes_max as u64, "it must be 64 KiB or more");
        }
        Ok(())
    }

    /// Most bytes of one block: small logs keep blocks small, since a restart needs room for one.
    pub(crate) fn block_bytes_limit(&self) -> usize {
        let of_extent = usize::try_from(self.extent_bytes / 8).unwrap_or(usize::MAX);
        self.block_bytes_max.min(of_extent) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT
    }
}
