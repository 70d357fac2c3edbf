//! Limits of simulated disks, for figures in which a disk is full.

use platform::simulated::{Random, SimulatedDisk};

/// Most that the disk has left when it begins to fill up.
const ROOM_BYTES_MAX: u64 = 3 << 20;
/// The same where it is too little for a second extent.
const ROOM_EARLY_BYTES_MAX: u64 = 512 << 10;
/// In so many percent of the seeds it runs out of files.
const FILES_PERCENT: u8 = 40;
/// Most files that the disk has left then, where the log has the extents that it always has.
const ROOM_FILES_MAX: u64 = 4;

/// Most that the disk can hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Bytes(u64),
    Files(usize),
}

impl Limit {
    /// A limit that the disk meets soon, by bytes or by files.
    pub(super) fn draw(disk: &SimulatedDisk, is_early: bool, random: &mut Random) -> Self {
        let files = disk.files();
        // Drawn in any case, so that the rest of a seed is the same in both.
        let room = random.below(if is_early { ROOM_EARLY_BYTES_MAX } else { ROOM_BYTES_MAX });
        if !Random::stream(room, "R8 limit").percent(FILES_PERCENT) {
            return Self::Bytes(files.iter().map(|(_, length)| length).sum::<u64>() + room);
        }
        let left = if is_early { 0 } else { room % ROOM_FILES_MAX };
        Self::Files(files.len() + usize::try_from(left).expect("few"))
    }

    /// No byte more than the disk holds, or no file.
    pub(super) fn present(disk: &SimulatedDisk, is_of_bytes: bool) -> Self {
        let files = disk.files();
        if is_of_bytes {
            Self::Bytes(files.iter().map(|(_, length)| length).sum())
        } else {
            Self::Files(files.len())
        }
    }

    /// Has the disk hold no more.
    pub(super) fn set(self, disk: &SimulatedDisk) {
        match self {
            Self::Bytes(bytes) => disk.set_capacity(Some(bytes)),
            Self::Files(files) => disk.set_files_max(Some(files)),
        }
    }

    /// Gives the disk room again.
    pub(super) fn lift(disk: &SimulatedDisk) {
        disk.set_capacity(None);
        disk.set_files_max(None);
    }
}
