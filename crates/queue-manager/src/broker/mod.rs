//! The state that publications and subscriptions share.
//!
//! Lives here: users of subscriptions, places that were left, users whose publications are retained. Lives
//! elsewhere: the topic tree (`catalogue::topics`), publications (`publishing`), subscriptions
//! (`subscriptions`).
//!
//! Always: it knows no program and no connection but by number.

pub(crate) mod retainers;
pub(crate) mod users;

use std::sync::{Arc, Weak};

use platform::CachePadded;
use platform::sync::{Mutex, RwLock};
use queues::Queues;
use queues::ground::Ground;
use queues::ground::host::Job;

use crate::directory::Directory;
use crate::places::LeftPlaces;
use retainers::Retainers;
use users::Users;

/// The publish/subscribe part of a queue manager.
pub(crate) struct Broker {
    this: Weak<Self>,
    /// Queues, units of work, and their ground: those of the directory, one step nearer.
    pub(crate) queues: Arc<Queues>,
    /// Objects by their names, and the right to use them.
    pub(crate) directory: Arc<Directory>,
    /// Read-locked by a publisher from matching subscribers to storing the retained message; write-locked by
    /// a new subscription while it registers and reads retained messages, so that it sees each exactly once.
    pub(crate) retaining: CachePadded<RwLock<()>>,
    /// The subscriptions that are in use, by their identifiers, and by which connections; 0 while a command
    /// removes one.
    pub(crate) subscribed: Mutex<Users>,
    /// Places in the topic tree that have no user any more.
    pub(crate) left_places: CachePadded<LeftPlaces>,
    /// The users whose publications are retained.
    pub(crate) retainers: Retainers,
}

impl Broker {
    /// The broker of a queue manager that has these objects.
    pub(crate) fn new(directory: Arc<Directory>) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            this: Weak::clone(this),
            queues: Arc::clone(&directory.queues),
            directory,
            retaining: CachePadded::default(),
            subscribed: Mutex::default(),
            left_places: CachePadded::default(),
            retainers: Retainers::default(),
        })
    }

    /// Time, log, memory, jobs and host.
    #[inline]
    pub(crate) fn ground(&self) -> &Ground {
        &self.queues.ground
    }

    /// A program's use of a place in the topic tree ended.
    pub(crate) fn leave_place(&self, place: &str) {
        self.left_places.leave(place, self.ground().now());
    }

    /// Leaves work for a thread that may block; it is dropped when the queue manager is gone.
    pub(crate) fn leave_job(&self, work: impl FnOnce(&Self) + Send + 'static) {
        let this = Weak::clone(&self.this);
        self.ground().leave_job(Job(Box::new(move || {
            if let Some(broker) = this.upgrade() {
                work(&broker);
            }
        })));
    }
}
