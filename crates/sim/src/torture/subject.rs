//! Whatever has queues: the storage alone under a small manager, or the engine through its verbs.

use std::fmt::Debug;
use std::time::Duration;

use platform::World;

/// Number of queues of every subject.
pub const QUEUES: usize = 3;

/// A message to put.
#[derive(Clone, Debug)]
pub struct Put {
    /// Number of the queue, below [`QUEUES`].
    pub queue: usize,
    /// 0 to 9.
    pub priority: u8,
    /// True if it must survive restarts.
    pub persistent: bool,
    /// True if it belongs to the client's unit of work.
    pub in_unit: bool,
    /// Its bytes.
    pub body: Vec<u8>,
    /// It is given to nobody before time has passed by [`DELAY`].
    pub is_later: bool,
}

/// The delay of messages that are delivered later.
pub const DELAY: Duration = Duration::from_secs(3_600);

/// An answer that nobody may hear of before the log is durable to `need`.
#[derive(Clone, Debug)]
pub struct Answer<T> {
    /// A position of the subject's log.
    pub need: u64,
    /// Its result.
    pub result: Result<T, Refusal>,
}

/// The need of a put that went to a waiting getter without the log: its answer awaits that getter.
pub const AWAITS_GETTER: u64 = u64::MAX;

/// Message given to a client that waited.
#[derive(Clone, Debug)]
pub struct Arrived {
    /// The message; nobody may hear of it before the log is durable far enough.
    pub answer: Answer<Vec<u8>>,
    /// True if it came without the log, and is on its way until [`Subject::deliver`] or
    /// [`Subject::break_off`].
    pub is_handed: bool,
}

/// Why a call did nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no room now.
    NoRoom,
    /// The client's unit of work had to be backed out.
    BackedOut,
    /// The message is in its place, its bytes are not what they were, and it was not given out.
    Damaged(String),
    /// As damaged, and from now on gets pass the message over.
    SetAside,
    /// The subject has failed or was refused by the system; the outcome is unknown.
    Failed(String),
}

/// Reason for which a file set could not be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartFailure(pub String);

/// Makes and opens subjects of one kind.
pub trait Maker: Debug + Sync {
    /// A word for it.
    fn name(&self) -> &'static str;
    /// Makes the files, with [`QUEUES`] empty queues, durable on return.
    fn create(&self, world: &World) -> Result<(), StartFailure>;
    /// Starts on what is there.
    fn open(&self, world: &World) -> Result<Box<dyn Subject>, StartFailure>;
    /// One whose subjects keep all of their log and can be recovered from images; none where there is no such
    /// thing.
    fn keeping_its_log(&self) -> Option<Box<dyn Maker>> {
        None
    }
    /// One whose subjects take no checkpoint for the time that went by; none where there is no such thing.
    fn without_timer(&self) -> Option<Box<dyn Maker>> {
        None
    }
    /// One whose log has two small extents and may have four more, and whose subjects take no checkpoint for
    /// the time that went by; none where there is no such thing.
    fn of_small_extents(&self) -> Option<Box<dyn Maker>> {
        None
    }
    /// One whose subjects, besides, take an image themselves each minute in which something was logged.
    fn taking_images(&self) -> Option<Box<dyn Maker>> {
        None
    }
}

/// Something with queues, called from one thread. A client has at most one unit of work.
pub trait Subject {
    /// Puts a message.
    fn put(&mut self, client: u32, put: &Put) -> Answer<()>;
    /// Takes the first message of a queue, if there is one.
    fn get(&mut self, client: u32, queue: usize, in_unit: bool) -> Answer<Option<Vec<u8>>>;
    /// True if clients may wait for messages.
    fn has_waits(&self) -> bool {
        false
    }
    /// Begins a get outside units of work that waits for a message.
    fn wait(&mut self, _client: u32, _queue: usize) {}
    /// Takes a message given to a client that waits. Where one `is_expected`, jobs that bring it are run.
    fn arrived(&mut self, _client: u32, _is_expected: bool) -> Option<Arrived> {
        None
    }
    /// Ends a client's wait; false when something has come.
    fn give_up(&mut self, _client: u32) -> bool {
        true
    }
    /// The connection of a client has all the bytes of the message that was handed to it.
    fn deliver(&mut self, _client: u32) {}
    /// The connection of a client ends with a message on its way to it, of which some bytes were sent if it
    /// `is_begun`.
    fn break_off(&mut self, _client: u32, _is_begun: bool) {}
    /// Returns the position that the answer to a client's put needs, once it no longer awaits the getter.
    fn decided(&mut self, _client: u32) -> Option<u64> {
        None
    }
    /// Makes the client's unit of work stand.
    fn commit(&mut self, client: u32) -> Answer<()>;
    /// Undoes it.
    fn backout(&mut self, client: u32) -> Answer<()>;
    /// True when messages can be delivered later.
    fn delays(&self) -> bool {
        false
    }
    /// True when a message is there that is delivered later.
    fn has_delayed(&mut self) -> bool {
        false
    }
    /// True when the client's unit of work can be prepared.
    fn prepares(&self, _client: u32) -> bool {
        false
    }
    /// Prepares the client's unit of work under a number; false when it did nothing.
    fn prepare(&mut self, _client: u32, _number: u32) -> Answer<bool> {
        Answer { need: 0, result: Ok(false) }
    }
    /// Ends a unit that is prepared; false when it is not known.
    fn settle(&mut self, _number: u32, _commits: bool) -> Answer<bool> {
        Answer { need: 0, result: Ok(false) }
    }
    /// The numbers of the units that are prepared.
    fn in_doubt(&mut self) -> Vec<u32> {
        Vec::new()
    }
    /// Position to which the log is durable.
    fn durable(&self) -> u64;
    /// Writes what waits in the log; how far it is durable then.
    fn drive(&mut self) -> u64;
    /// Takes a checkpoint if one is due, or in any case; whether one was taken.
    fn checkpoint(&mut self, in_any_case: bool) -> bool;
    /// Does the host's work between calls: extents made ahead, long units of work backed out.
    fn housekeep(&mut self);
    /// The clients whose unit of work was backed out for them since this was last asked.
    fn revoked(&mut self) -> Vec<u32>;
    /// Why it has failed, if it has.
    fn failure(&self) -> Option<String>;
    /// The messages of a queue in the order in which they would be given out, without taking them.
    fn contents(&mut self, queue: usize) -> Vec<Found>;
    /// Gives messages back that cannot be read, from images and the log; what it refuses, in words.
    fn recover(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// The same by gets that take what can be read, where a message that cannot be read is passed over once a
    /// getter was told of it.
    fn drained(&mut self, queue: usize) -> Vec<Found> {
        self.contents(queue)
    }
    /// Counts of events inside it.
    fn counters(&self) -> Counters;
}

/// The bytes of a message found after a start, or why they could not be read.
pub type Found = Result<Vec<u8>, Refusal>;

/// Counts of events inside a subject since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Number of times its log began anew in space used before.
    pub laps: u64,
    /// Number of messages that it wrote to a spill file.
    pub spills: u64,
    /// Of how many messages it told that they cannot be read; none where it tells of none.
    pub damaged: Option<u64>,
}
