//! The answers of a queue manager.

use mqi::branch::BranchId;
use mqi::{
    Inquired, MessageToken, ObjectHandle, ObjectName, Opened, PutStatus, QueueManagerName, Reason, Subscribed,
};

/// One reply, but for the descriptor of a put or a message, which is read beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply<'a> {
    /// Are you alive?
    Heartbeat,
    /// The connection ends.
    Refused(crate::Refused),
    /// The next piece of a body.
    Fragment(&'a [u8]),
    /// A request failed.
    Failed {
        /// Why.
        reason: Reason,
        /// Length of the message a get did not return for its length; 0 otherwise.
        data_length: u32,
    },
    /// A conversation has begun.
    Begun {
        /// The last commit this instance is known by.
        last_commit: Option<u64>,
    },
    /// Done, and nothing else to say: answer to End, Cancel, Confirm, Release, Commit, Back, Set, Stop.
    Done,
    /// An object is closed.
    Closed {
        /// A remark.
        warning: Option<Reason>,
    },
    /// An object is open.
    Opened(Opened),
    /// A message was put.
    PutDone {
        /// A remark.
        warning: Option<Reason>,
        /// The queue it is on.
        resolved_queue_name: ObjectName,
        /// On which queue manager.
        resolved_queue_manager_name: QueueManagerName,
    },
    /// A message was got.
    Got(Message<'a>),
    /// A message comes by credit.
    Delivered {
        /// Handle to which it comes.
        handle: ObjectHandle,
        /// Counted for the handle from 1.
        number: u32,
        /// The message.
        message: Message<'a>,
    },
    /// Attributes.
    Inquired(Inquired),
    /// A subscription is open.
    Subscribed(Box<Subscribed>),
    /// Number of retained publications that follow, since the program asked for them.
    PublicationsRequested(u32),
    /// Outcomes of puts without a reply.
    Status(PutStatus),
    /// Answer to a call on a branch: its number in the X/Open XA specification.
    Branch {
        /// 0 for done, 3 for a branch that did nothing and was prepared, else as of
        /// `mqi::branch::BranchRefusal`.
        code: i32,
    },
    /// Branches that are prepared, or were decided by hand and not forgotten.
    Branches(Vec<BranchId>),
    /// A long answer: that of a command or the statistics.
    Long {
        /// Bytes of the whole.
        length: u32,
        /// As many as are in this frame.
        part: &'a [u8],
    },
}

/// A message, but for its descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Message<'a> {
    /// A remark on the get.
    pub warning: Option<Reason>,
    /// The whole length of the message.
    pub data_length: u32,
    /// The queue it was on.
    pub resolved_queue_name: ObjectName,
    /// Token that names it while it is there.
    pub message_token: MessageToken,
    /// Content for its getter's message handle.
    pub for_handle: ForHandle,
    /// Bytes of the body returned, with a header of properties if there is one.
    pub length: u32,
    /// As many as are in this frame.
    pub body: &'a [u8],
}

/// Content of a message for its getter's message handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForHandle {
    /// The getter has no handle, or is given properties another way.
    #[default]
    Nothing,
    /// The descriptor: there are no properties.
    NoProperties,
    /// The descriptor, and the folders of the header that the body begins with.
    Header,
}
