//! Media images that the queue manager takes on its own: IMGSCHED, IMGINTVL, IMGLOGLN, IMGRCOVO and IMGRCOVQ.
//!
//! An image is due after so much time, or so many logged bytes, since the last image from any source. Then a
//! job takes a checkpoint, copies manifest and store, proves the copy and removes all but the [`KEPT`] newest
//! images.
//!
//! Lives here: when. Lives elsewhere: taking one (`image_schedule`), its files (`storage::images`), messages
//! that come back from one (`queue::mending`, `storage::copy`).
//!
//! Always: only a linear log has images; no image goes before a newer one is proved; an end of the queue
//! manager waits for none.

use std::time::Duration;

use mqi::constants::{
    MQIA_MEDIA_IMAGE_INTERVAL, MQIA_MEDIA_IMAGE_LOG_LENGTH, MQMEDIMGINTVL_OFF, MQMEDIMGLOGLN_OFF,
};
use objects::{Definition, Moment};
use platform::sync::Mutex;
use platform::{Monotonic, World};
use queues::ground::time::moment;
use queues::ground::turn::Turn;
use storage::Lsn;
use storage::images::Newest;

/// Images that stay: the newest, and the one before it in case the newest is damaged.
pub(crate) const KEPT: usize = 2;

/// Time after which an image that could not be taken is tried again.
pub(crate) const RETRY: Duration = Duration::from_secs(60);

/// State of media images.
#[derive(Default)]
pub(crate) struct Images {
    /// One is being taken.
    pub(crate) taking: Turn,
    pub(crate) since: Mutex<Since>,
}

/// From when and from where the next image is counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Since {
    /// The one before, if there was any.
    pub(crate) generation: Option<u64>,
    /// It was so old at that moment.
    pub(crate) age: (Duration, Monotonic),
    /// Position up to which records are in it.
    pub(crate) log: Lsn,
    /// None is tried before this.
    pub(crate) not_before: Monotonic,
}

impl Since {
    pub(crate) fn of(world: &World, newest: Option<Newest>, made: Moment) -> Self {
        let taken = newest.and_then(|newest| newest.taken).map_or(made, moment);
        let age = u64::try_from(moment(world.clock.wall()).0 - taken.0).unwrap_or(0);
        Self {
            generation: newest.map(|newest| newest.generation),
            age: (Duration::from_secs(age), world.clock.now()),
            log: newest.map_or(Lsn::ZERO, |newest| newest.reflects),
            not_before: Monotonic::default(),
        }
    }

    pub(crate) fn is_over(&self, now: Monotonic, appended: Lsn, manager: &Definition) -> bool {
        let (age, then) = self.age;
        let logged = appended.0.saturating_sub(self.log.0);
        if logged == 0 || now < self.not_before {
            return false;
        }
        let reached = |limit: i32, off: i32, unit: u64, so_much: u64| {
            limit != off && u64::try_from(limit).is_ok_and(|limit| so_much >= limit * unit)
        };
        let minutes = manager.number_in_effect(MQIA_MEDIA_IMAGE_INTERVAL);
        let megabytes = manager.number_in_effect(MQIA_MEDIA_IMAGE_LOG_LENGTH);
        reached(minutes, MQMEDIMGINTVL_OFF, 60, (age + now.since(then)).as_secs())
            || reached(megabytes, MQMEDIMGLOGLN_OFF, 1 << 20, logged)
    }
}
