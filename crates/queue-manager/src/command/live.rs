//! What commands ask of the running engine.

use std::sync::Arc;

use mqi::{ObjectName, OpenOptions, Reason};
use objects::{Definition, Moment};
use storage::{LogState, Lsn, ObjectId};

use crate::Issuer;
use crate::catalogue::{Catalogue, ChangeError, Current, LocalQueue, Object};
pub use crate::queue::state::{Busy, Cleared, QueueFigures, QueueState};

/// The running engine as commands see it.
pub trait Running {
    /// Its part of a local queue.
    type Queue: LocalQueue;

    /// The defined objects.
    fn catalogue(&self) -> &Catalogue<Self::Queue>;
    /// The time of day.
    fn now(&self) -> Moment;
    /// When the queue manager started.
    fn started(&self) -> Moment;
    /// The name of the host it runs on.
    fn host_name(&self) -> String;
    /// Whether it is about to end.
    fn is_quiescing(&self) -> bool;
    /// The hexadecimal digits of an identifier never given before.
    fn new_subscription_identifier(&self) -> ObjectName;
    /// Keeps programs from using the subscription of an identifier; false when one does.
    fn claim_subscription(&self, identifier: &ObjectName) -> bool;
    /// Lets programs use it again.
    fn release_subscription(&self, identifier: &ObjectName);
    /// Makes the queue that is looked after for a new subscription, and has its definition say so.
    fn make_managed_queue(&self, definition: &mut Definition) -> Result<(), Reason>;
    /// Makes a subscription and puts what is retained for it on its queue, between two publications that are to be retained; what must
    /// be durable before anyone outside hears of that.
    fn make_with_retained(
        &self,
        definition: &Definition,
        make: impl FnOnce() -> Result<Lsn, ChangeError>,
    ) -> Result<Lsn, ChangeError>;
    /// Whether a publication is retained for a topic, and what must be durable before anyone outside hears of that.
    fn is_retained(&self, topic: &str) -> (bool, Lsn);
    /// The topics that a publication is retained for, and what must be durable before anyone outside hears of them.
    fn retained_topics(&self) -> (Vec<String>, Lsn);
    /// Forgets what is retained for a topic: none when nothing is.
    fn clear_retained(&self, topic: &str) -> Result<Option<Lsn>, Reason>;
    /// A use of a place in the topic tree ended.
    fn leave_place(&self, place: &str);
    /// The places in the topic tree that nobody uses any more and that TREELIFE keeps, and perhaps some that are used.
    fn left_places(&self) -> Vec<Arc<str>>;
    /// The queue that was made for a subscription goes, since that is gone or did not come to be.
    fn drop_managed_queue(&self, definition: &Definition);
    /// A new, empty local queue.
    fn make_queue(&self, id: ObjectId, current: &Current) -> Self::Queue;
    /// A queue was made, or its attributes were changed. Called without any lock.
    fn changed(&self, object: &Object<Self::Queue>);
    /// Every connection, by identifier.
    fn connections(&self) -> Vec<ConnectionState>;
    /// How a queue stands.
    fn queue_state(&self, queue: &Self::Queue) -> QueueState;
    /// What was counted of a queue; counting begins anew.
    fn reset_figures(&self, queue: &Self::Queue) -> QueueFigures;
    /// Removes a queue's messages, by logged records for the persistent ones. Refused while anything has it open or
    /// holds a message in a unit of work.
    fn clear(&self, queue: &Self::Queue) -> Result<Cleared, Busy>;
    /// Puts some of a queue's messages on another, in one unit of work; how many, none when no more are there. Refused while anything has
    /// the first queue open or holds a message of it, where the other takes no more, and by a queue manager that ends.
    fn move_some(&self, from: &Self::Queue, to: &Self::Queue) -> Result<Cleared, Busy>;
    /// Reads a queue's messages, and gives those back that cannot be read and are found in an image or the log since; or why nothing
    /// was changed. Blocks.
    fn recover(&self, queue: &Self::Queue) -> Result<Recovered, String>;
    /// Tells statistics, and begins to count anew.
    fn tell_statistics(&self) -> Lsn;
    /// Has the next record begin another extent of the log; where that begins.
    fn advance_log(&self) -> Result<Lsn, NotAdvanced>;
    /// How the recovery log stands.
    fn log_state(&self) -> LogState;
    /// From where on the log is needed so that each image there is gives the present state; none without images. Reads the disk.
    fn media_log_from(&self) -> Option<Lsn>;
    /// Tells of a definition by an event.
    fn tell_definition(&self, issuer: &Issuer, definition: &Definition, need: Lsn) -> Lsn;
    /// Ends a connection; whether there was one.
    fn stop_connection(&self, identifier: u64) -> bool;
    /// Undoes the unit of work of a connection; whether one was open.
    fn back_out_unit(&self, identifier: u64) -> bool;
    /// Removes what has expired on a queue, which is in nobody's way. Called without any lock.
    fn expire(&self, queue: &Self::Queue);
    /// Ends a queue: refused while anything has it open, and while it holds messages unless they are to go with it,
    /// and those only if no unit of work holds them. Under the lock that keeps the answer true it calls `log`, once,
    /// which appends the record; from then on whoever still knows the queue finds it gone.
    fn retire(
        &self,
        queue: &Self::Queue,
        messages: Messages,
        log: &mut dyn FnMut() -> Lsn,
    ) -> Result<(), Busy>;
}

/// Why the log does not go on in another extent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAdvanced {
    /// Its extents are used again.
    Circular,
    /// There is no room.
    OutOfSpace(String),
}

/// What becomes of a deleted queue's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// There must be none.
    Keep,
    /// They go with the queue.
    Purge,
}

/// What came of recovering a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovered {
    /// Messages that were read where the disk has them.
    pub read: u64,
    /// Of these, those that could not be and are whole again.
    pub given_back: u64,
    /// Those that still cannot be read.
    pub missing: u64,
    /// Why images, or the log since, did not help.
    pub reasons: Vec<String>,
    /// What must be durable before anyone outside hears of it.
    pub need: Lsn,
}

/// How a connection stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConnectionState {
    /// Its identifier, shown as sixteen hexadecimal digits.
    pub identifier: u64,
    /// The program's name.
    pub application: String,
    /// The user it runs as.
    pub user: String,
    /// The channel it came by, if any.
    pub channel: String,
    /// The address it came from, if any.
    pub origin: String,
    /// Its process, 0 when not known.
    pub process: i32,
    /// Its thread, 0 when not known.
    pub thread: i32,
    /// Its unit of work.
    pub unit: UnitState,
    /// What it has open.
    pub handles: Vec<HandleState>,
    /// What must be durable before anyone outside hears of this.
    pub need: Lsn,
}

/// How a connection's unit of work stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UnitState {
    /// None is open.
    #[default]
    None,
    /// One is open.
    Active {
        /// Since when.
        began: Moment,
        /// When it first wrote to the log, if it did.
        logged: Option<Moment>,
        /// Where its first record is in the log.
        position: Option<Lsn>,
    },
    /// One is prepared and waits for its coordinator.
    Prepared {
        /// Since when it is open.
        began: Moment,
    },
}

/// One open handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandleState {
    /// The object as it was opened.
    pub object: ObjectName,
    /// The MQOT_ value of that object.
    pub object_type: i32,
    /// The local queue it leads to, if it is a queue.
    pub queue: Option<ObjectName>,
    /// How it was opened.
    pub options: OpenOptions,
    /// What is published through it, if it leads to a topic.
    pub publishes: Option<Publishes>,
    /// The subscription it stands for.
    pub subscribes: Option<Subscribes>,
    /// Whether a call on it is under way: a waiting get.
    pub active: bool,
}

/// What is published through a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publishes {
    /// The topic string.
    pub topic: String,
    /// How many publications there were.
    pub messages: u64,
    /// When the last was.
    pub last: Option<Moment>,
}

/// The use of a subscription.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribes {
    /// Which.
    pub identifier: ObjectName,
}
