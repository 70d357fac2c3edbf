//! State of the recovery log for administrators: which of its files are needed, and how full it is.
//!
//! Lives here: the figures. Lives elsewhere: when extents are made and given up (`extents`), which images
//! there are (`images`).

use std::path::PathBuf;

use crate::inner::Inner;
use crate::log::extent::{LOG_DIRECTORY, extent_name};
use crate::{LogKind, Lsn};

/// The recovery log at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogState {
    /// Fate of extents that a restart no longer needs.
    pub kind: LogKind,
    /// The directory of the extents, where other programs can look there.
    pub directory: Option<PathBuf>,
    /// Bytes of each new extent.
    pub extent_bytes: u64,
    /// Extents kept ready.
    pub primary_extents: u32,
    /// Further extents made when these do not suffice.
    pub secondary_extents: u32,
    /// Where the extent begins that is being filled.
    pub current: Lsn,
    /// Where the oldest extent begins that a restart reads.
    pub restart_from: Lsn,
    /// End of the log.
    pub end: Lsn,
    /// Bytes that a restart would have had to read when the latest checkpoints began, on average; before the
    /// first, those that it would read now.
    pub restart_bytes_mean: u64,
    /// Bytes of extents that are ready to be written.
    pub ready_bytes: u64,
}

impl LogState {
    /// Bytes that a restart reads.
    #[must_use]
    pub fn restart_bytes(&self) -> u64 {
        self.end.0.saturating_sub(self.restart_from.0)
    }

    /// The name of the file of the extent that begins here.
    #[must_use]
    pub fn extent_name(first: Lsn) -> String {
        extent_name(first.0)
    }
}

impl Inner {
    pub(crate) fn log_state(&self) -> LogState {
        let current = self.log.current_extent();
        let extents = self.log.files.extents.read();
        let ready_bytes = extents.range(current + 1..).map(|(_, extent)| extent.length).sum();
        let restart_from = extents.first_key_value().map_or(current, |(first, _)| *first);
        drop(extents);
        let end = self.log.appended();
        let mean = self.counts.restart_bytes.mean();
        LogState {
            kind: self.settings.kind,
            directory: self.world.disk.seen_by_others(LOG_DIRECTORY.as_ref()),
            extent_bytes: self.settings.extent_bytes,
            primary_extents: self.settings.primary_extents,
            secondary_extents: self.settings.secondary_extents,
            current: Lsn(current),
            restart_from: Lsn(restart_from),
            end,
            restart_bytes_mean: if mean == 0 { end.0.saturating_sub(restart_from) } else { mean },
            ready_bytes,
        }
    }
}
