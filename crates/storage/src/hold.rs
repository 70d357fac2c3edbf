//! The lock by which a copier holds the extents of a queue manager.

use std::io;
use std::path::Path;

use platform::Disk;

/// Locked by the thread or process that copies.
pub(crate) const HOLD: &str = "copy.lock";

/// Returns true while a copy is taken: extents must not be used again. Where the system does not tell, the
/// answer is no; a copy is proved in any case.
pub(crate) fn is_held(disk: &dyn Disk) -> bool {
    matches!(disk.lock(Path::new(HOLD)), Err(error) if error.kind() == io::ErrorKind::WouldBlock)
}
