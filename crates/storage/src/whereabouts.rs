//! The files that are open, compared with those that a start would open.
//!
//! Lives here: the comparison of the directories, the lock, the extents, the manifests and the segments with
//! those on disk, and the end of the log when some of them were taken away. Lives elsewhere: the locks and a
//! single comparison (`guards`), the callers (the host, and each part that is about to make a file here).
//!
//! Always: an extent or a segment is known here only while its name leads to it: it is left out before its
//! file is renamed or removed, and taken in after its file has its name. So one that is still known after its
//! name led elsewhere was taken away.

use platform::{Disk, Identity};

use crate::guards::compare;
use crate::inner::Inner;
use crate::log::extent::extent_path;
use crate::store::segment;
use crate::{Fatal, TakenAway};

impl Inner {
    /// Ends the log if something of it was taken away: nothing becomes durable after this says so.
    pub(crate) fn look_at_files(&self) -> Result<(), Fatal> {
        let Some(taken_away) = self.taken_away() else { return Ok(()) };
        let fatal = Fatal::TakenAway(taken_away);
        if self.log.failure().is_none() {
            self.log.fence(fatal.clone());
        }
        Err(fatal)
    }

    /// The first of what is open that a start would not open.
    fn taken_away(&self) -> Option<TakenAway> {
        let disk = &*self.world.disk;
        let held = self.guards.taken_away(disk);
        held.or_else(|| self.extent_taken_away(disk))
            .or_else(|| self.manifests.taken_away(disk))
            .or_else(|| self.segment_taken_away(disk))
    }

    fn extent_taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        let files = &self.log.files;
        // Copied: names are not looked at under the lock, which a write of the log takes.
        let known: Vec<(u64, Identity)> =
            files.extents.read().values().map(|extent| (extent.first, extent.identity)).collect();
        known.into_iter().find_map(|(first, identity)| {
            let taken_away = compare(disk, &extent_path(first), identity)?;
            files.extents.read().contains_key(&first).then_some(taken_away)
        })
    }

    fn segment_taken_away(&self, disk: &dyn Disk) -> Option<TakenAway> {
        self.store.identities().into_iter().find_map(|(number, identity)| {
            let taken_away = compare(disk, &segment::path(number), identity)?;
            self.store.has(number).then_some(taken_away)
        })
    }
}
