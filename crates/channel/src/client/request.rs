//! The requests of a client.

use super::{BranchCall, StopMode};
use crate::RequestNumber;
use mqi::branch::{BranchId, BranchList};
use mqi::{
    AttributeValue, CloseOptions, GetOptions, ObjectDescriptor, ObjectHandle, OpenOptions, PutOptions,
    RequestOptions, Selector, SubscriptionDescriptor,
};

/// One request. The descriptor of Put, Put1, Get and Credit is read beside it.
#[derive(Clone, Debug, PartialEq)]
pub enum Request<'a> {
    /// I am alive.
    Heartbeat,
    /// The connection is about to be closed.
    Disconnect,
    /// The next piece of a body.
    Fragment(&'a [u8]),
    /// Begin a conversation.
    Begin {
        /// Identity of the conversation: the same after its client reconnects, so that a commit can be asked
        /// about. All zeros for none.
        instance: [u8; 16],
        /// Counted up by the client each time it begins under this instance. One that is not newer than the
        /// conversation's is refused: it was written to an earlier link and comes late.
        generation: u64,
        /// MQCNO_ACCOUNTING_ values: what of the conversation is to be accounted for.
        options: i32,
    },
    /// End it, committing.
    End,
    /// MQOPEN.
    Open {
        /// The object.
        object: ObjectDescriptor,
        /// For what.
        options: OpenOptions,
    },
    /// MQCLOSE.
    Close {
        /// The handle.
        handle: ObjectHandle,
        /// Options of the call.
        options: CloseOptions,
    },
    /// MQPUT and MQPUT1.
    Put(Put<'a>),
    /// MQGET.
    Get(Get),
    /// End a wait early.
    Cancel {
        /// The number of the get.
        get: RequestNumber,
    },
    /// Let messages come before they are asked for.
    Credit(Credit),
    /// Take messages that were reserved: into the unit of work, or for good, as the credit said.
    Confirm {
        /// Handle of the messages.
        handle: ObjectHandle,
        /// Up to and with which delivery.
        through: u32,
    },
    /// Give back what is reserved and stop sending.
    Release {
        /// Handle of the messages.
        handle: ObjectHandle,
    },
    /// MQCMIT.
    Commit {
        /// Counted by the client for its instance; 0 when it does not count.
        number: u64,
    },
    /// MQBACK.
    Back,
    /// MQINQ.
    Inquire {
        /// Of what.
        handle: ObjectHandle,
        /// Attributes to inquire.
        selectors: Vec<Selector>,
    },
    /// MQSET.
    Set {
        /// Of what.
        handle: ObjectHandle,
        /// Attributes with their new values.
        values: Vec<(Selector, AttributeValue)>,
    },
    /// MQSUB.
    Subscribe {
        /// The subscription.
        descriptor: Box<SubscriptionDescriptor>,
        /// The queue of its publications, unless the queue manager is to look after one.
        queue: Option<ObjectHandle>,
    },
    /// MQSUBRQ.
    RequestPublications {
        /// For which subscription.
        subscription: ObjectHandle,
        /// The action.
        action: i32,
        /// Options of the call.
        options: RequestOptions,
    },
    /// MQSTAT: what became of puts without a reply.
    Status,
    /// An MQSC command.
    Command {
        /// The number of its first line, where its answer may come in parts.
        first_line: Option<u32>,
        /// Bytes of the whole text.
        length: u32,
        /// As much of it as is in this frame.
        text: &'a [u8],
    },
    /// End the queue manager.
    Stop {
        /// Way of ending it.
        mode: StopMode,
    },
    /// Counters.
    Statistics,
    /// Figures of the queue manager, as its board has them.
    Figures,
    /// A call of a coordinator on a branch.
    Branch {
        /// The call.
        call: BranchCall,
        /// The branch.
        branch: BranchId,
    },
    /// `xa_recover`.
    ListBranches(BranchList),
    /// A copy of a message that a prepared branch has got.
    PreparedMessage {
        /// The branch.
        branch: BranchId,
        /// Its place among these, from 0.
        place: u32,
        /// Most bytes of the body.
        bytes_max: u32,
    },
}

/// Where a message is put.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// An object opened before.
    Handle(ObjectHandle),
    /// An object opened for this message.
    Object(Box<ObjectDescriptor>),
}

/// A put, but for its descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Put<'a> {
    /// Where to.
    pub target: Target,
    /// Options of the call.
    pub options: PutOptions,
    /// Bytes of the whole body.
    pub length: u32,
    /// As much of it as is in this frame.
    pub body: &'a [u8],
}

/// A get, but for its descriptor.
#[derive(Clone, Debug, PartialEq)]
pub struct Get {
    /// Where from.
    pub handle: ObjectHandle,
    /// Options of the call.
    pub options: GetOptions,
    /// Most bytes of the body.
    pub bytes_max: u32,
}

/// Credit for more messages, and, the first time, the terms of getting them.
#[derive(Clone, Debug, PartialEq)]
pub struct Credit {
    /// Where from.
    pub handle: ObjectHandle,
    /// Number of further messages.
    pub messages: u32,
    /// Number of further bytes; one message may go beyond.
    pub bytes: u32,
    /// Terms of getting them; once for a handle, until a release.
    pub terms: Option<Get>,
    /// With terms: whether every message is only reserved, those that may be lost with the connection too.
    pub reserves_all: bool,
    /// With terms inside a unit of work: whether the program is called with each message. The first of a unit
    /// that was sent may have been heard though no confirmation came.
    pub is_called: bool,
}
