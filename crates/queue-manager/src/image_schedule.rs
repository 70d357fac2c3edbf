//! Images of the engine that are due.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use mqi::constants::{
    MQIA_MEDIA_IMAGE_RECOVER_OBJ, MQIA_MEDIA_IMAGE_RECOVER_Q, MQIA_MEDIA_IMAGE_SCHEDULING, MQIMGRCOV_YES,
    MQMEDIMGSCHED_AUTO,
};
use platform::Monotonic;
use platform::sync::atomic::Ordering;
use queues::ground::events;
use storage::copy::{Copied, Proved};
use storage::images::{self};
use storage::{LogKind, Lsn, OpenError};

use crate::engine::Engine;
use crate::images::{KEPT, RETRY, Since};

impl Engine {
    /// Looks for the images there are, when it starts; without any, time counts from when the queue manager
    /// was made.
    pub(crate) fn find_images(&self) {
        // What cannot be listed is said when one is taken.
        let found = images::find(&*self.ground().world.disk).unwrap_or_default();
        let newest = match self.ground().storage.log_kind() {
            LogKind::Linear => images::newest_of(&self.ground().world.disk, &found.counting),
            LogKind::Circular => None,
        };
        let made = self.directory.catalogue.manager().definition.created();
        *self.images.since.lock() = Since::of(&self.ground().world, newest, made);
        for (_, error) in found.foreign {
            self.ground().host.event(&events::IMAGE_FOREIGN.with([error.to_string()]));
        }
    }

    /// Takes an image if one is due.
    pub(crate) fn leave_image(&self, now: Monotonic) {
        let is_wanted = self.ground().storage.log_kind() == LogKind::Linear
            && !self.ground().storage.has_failed()
            && self.image_is_due(now);
        if !is_wanted || !self.images.taking.take() {
            return;
        }
        self.leave_job(|engine| {
            engine.take_due_image();
            engine.images.taking.end();
        });
    }

    fn image_is_due(&self, now: Monotonic) -> bool {
        let manager = self.directory.catalogue.manager();
        manager.definition.integer(MQIA_MEDIA_IMAGE_SCHEDULING) == MQMEDIMGSCHED_AUTO
            && self.images.since.lock().is_over(now, self.ground().storage.appended(), &manager.definition)
    }

    fn take_due_image(self: &Arc<Self>) {
        self.note_image_of_others();
        if !self.image_is_due(self.ground().now()) {
            return;
        }
        let taken = if self.has_recoverable() { self.take_image() } else { Ok(None) };
        let now = self.ground().now();
        let mut since = self.images.since.lock();
        since.not_before = now.after(RETRY);
        match taken {
            Ok(Some((copied, log))) => {
                let generation = Some(copied.generation);
                *since = Since { generation, age: (Duration::ZERO, now), log, not_before: now };
                drop(since);
                let name = images::path(copied.generation).display().to_string();
                let inserts = [name, copied.bytes.to_string(), copied.replay_from.to_string()];
                self.ground().host.event(&events::IMAGE_TAKEN.with(inserts));
                for passed_over in &copied.passed_over {
                    self.ground().host.event(&events::IMAGE_WITHOUT.with([passed_over.to_string()]));
                }
                self.remove_older_images();
            }
            Ok(None) => {}
            Err(why) => {
                drop(since);
                self.ground().host.event(&events::IMAGE_NOT_TAKEN.with([why]));
            }
        }
    }

    /// An administrator may have taken one meanwhile.
    fn note_image_of_others(&self) {
        let newest = images::newest(&self.ground().world.disk).ok().flatten();
        let mut since = self.images.since.lock();
        if newest.map(|newest| newest.generation) > since.generation {
            let made = self.directory.catalogue.manager().definition.created();
            *since = Since::of(&self.ground().world, newest, made);
        }
    }

    /// True if anything may be recovered from an image.
    fn has_recoverable(&self) -> bool {
        let manager = self.directory.catalogue.manager();
        let says_yes = |selector| manager.definition.integer(selector) == MQIMGRCOV_YES;
        says_yes(MQIA_MEDIA_IMAGE_RECOVER_OBJ)
            || says_yes(MQIA_MEDIA_IMAGE_RECOVER_Q)
            || self.directory.catalogue.all().iter().filter(|object| object.queue().is_some()).any(|object| {
                object.current().definition.integer(MQIA_MEDIA_IMAGE_RECOVER_Q) == MQIMGRCOV_YES
            })
    }

    /// The image, and up to where it has what was logged; none when the moment was wrong.
    fn take_image(self: &Arc<Self>) -> Result<Option<(Copied, Lsn)>, String> {
        let appended = self.ground().storage.appended();
        self.checkpoint();
        let is_ending = || self.ground().quiescing.load(Ordering::Acquire) > 0;
        let mut told = |_| if is_ending() { Err(io::Error::other("the queue manager ends")) } else { Ok(()) };
        let (copied, Proved { damaged, .. }) =
            match images::take(&self.ground().world.disk, self.ground().world.clock.wall(), &mut told) {
                Ok(taken) => taken,
                // Somebody copies at this moment.
                Err(OpenError::InUse { .. }) => return Ok(None),
                Err(_) if is_ending() => return Ok(None),
                Err(error) => return Err(error.to_string()),
            };
        if let Some(first) = damaged.first() {
            return Err(format!(
                "messages in the store that cannot be read: {}; the first: {first}",
                damaged.len()
            ));
        }
        Ok(Some((copied, appended)))
    }

    fn remove_older_images(&self) {
        let disk = &*self.ground().world.disk;
        let older = images::list(disk).map(|found| found.into_iter().skip(KEPT));
        if let Err(error) =
            older.and_then(|mut older| older.try_for_each(|found| images::remove(disk, found)))
        {
            self.ground().host.event(&events::IMAGE_NOT_REMOVED.with([error.to_string()]));
        }
    }
}
