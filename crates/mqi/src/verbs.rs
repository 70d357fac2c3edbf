//! The verbs as a program calls them.
//!
//! Lives here: the trait every way of reaching a queue manager has in common.
//! Lives elsewhere: the implementations (`client` over a channel, `queue-manager` in this process).

use crate::branch::Branches;
use crate::properties::MessageHandles;
use crate::{
    AttributeValue, CloseOptions, GetOptions, Got, MessageDescriptor, ObjectDescriptor, ObjectHandle,
    ObjectName, OpenOptions, PutOptions, QueueManagerName, Reason, RequestOptions, Selector, Status,
    StatusType, Subscribed, SubscriptionDescriptor,
};
use bytes::Bytes;

/// Result of an open call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// Names the object in later calls.
    pub handle: ObjectHandle,
    /// The object opened; for a model queue, the dynamic queue that was made.
    pub object_name: ObjectName,
    /// The queue messages will go to or come from.
    pub resolved_queue_name: ObjectName,
    /// The queue manager that has that queue.
    pub resolved_queue_manager_name: QueueManagerName,
    /// Of a topic, or a queue that stands for one: what its name and the string that was given come to
    /// together.
    pub topic_string: Option<String>,
    /// True if puts whose options leave the response to the object are asynchronous (DEFPRESP when it was
    /// opened).
    pub puts_asynchronously: bool,
    /// Messages come before they are asked for: by the options, or by the object where they leave it open
    /// (DEFREADA).
    pub reads_ahead: bool,
}

/// Bytes, and the character set they are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Characters<'a> {
    /// The set.
    pub ccsid: i32,
    /// The bytes.
    pub bytes: &'a [u8],
}

/// Result of a put call, beside the descriptor it fills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Put {
    /// The queue the message is on.
    pub resolved_queue_name: ObjectName,
    /// The queue manager that has that queue.
    pub resolved_queue_manager_name: QueueManagerName,
    /// A remark on a put that succeeded.
    pub warning: Option<Reason>,
}

impl Put {
    /// Tells the options what the call returned.
    pub fn returned(self, options: &mut PutOptions) {
        options.resolved_queue_name = self.resolved_queue_name;
        options.resolved_queue_manager_name = self.resolved_queue_manager_name;
        options.warning = self.warning;
    }
}

/// Result of an inquire call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inquired {
    /// One value for each selector, in their order.
    pub values: Vec<AttributeValue>,
    /// A remark on an inquiry that succeeded: `SELECTOR_NOT_FOR_TYPE` when objects of this type do not have
    /// an attribute that was asked for.
    pub warning: Option<Reason>,
}

/// A connection to a queue manager; every call waits for its outcome.
///
/// A call that fails with `TRUNCATED_MSG_FAILED` leaves the message where it was and its length in
/// [`GetOptions::returned_length`]; its descriptor is filled, and [`get_lent`](Self::get_lent) shows what
/// fits of it.
pub trait Verbs {
    /// Opens an object for what the options say.
    ///
    /// # Errors
    /// The reason the object cannot be opened so.
    fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Result<Opened, Reason>;

    /// Gives up an object. A remark says that a group or a message, which was put or got in logical order, is
    /// not at its end.
    ///
    /// # Errors
    /// The reason it cannot be closed as the options say.
    fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Result<Option<Reason>, Reason>;

    /// Makes a subscription, finds it again, or changes it. Its publications go to the queue of a handle,
    /// unless the queue manager is to look after one.
    ///
    /// # Errors
    /// The reason there is none.
    fn subscribe(
        &mut self,
        descriptor: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Result<Subscribed, Reason>;

    /// Asks for what was retained for a subscription; returns how many publications come.
    ///
    /// # Errors
    /// The reason none comes.
    fn request_publications(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Result<u32, Reason>;

    /// Puts a message and fills the identifiers and context of its descriptor.
    ///
    /// # Errors
    /// The reason the message was not put.
    fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason>;

    /// Puts a message whose body stays the caller's: it is copied where it has to outlast the call.
    ///
    /// # Errors
    /// As of [`put`](Self::put).
    fn put_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: &[u8],
    ) -> Result<(), Reason> {
        self.put(handle, descriptor, options, Bytes::copy_from_slice(body))
    }

    /// Opens, puts one message and closes.
    ///
    /// # Errors
    /// The reason the message was not put.
    fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason>;

    /// Gets or browses a message of at most `bytes_max` bytes.
    ///
    /// # Errors
    /// The reason no message is returned.
    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
    ) -> Result<Got, Reason>;

    /// Gets or browses a message whose body stays where it is: it is lent to `borrow`, once, if the call
    /// succeeds, and not returned; and so is what fits of one that is too long and stays. How many bytes
    /// there were is in [`GetOptions::returned_length`].
    ///
    /// # Errors
    /// As of [`get`](Self::get).
    fn get_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut dyn FnMut(&[u8]),
    ) -> Result<Got, Reason> {
        let mut got = self.get(handle, descriptor, options, bytes_max)?;
        borrow(&std::mem::take(&mut got.body));
        Ok(got)
    }

    /// Begins a unit of work in which other resource managers take part. The queue manager knows of none: the
    /// unit of work is one of its own, and the warning returned says so.
    ///
    /// # Errors
    /// `UOW_IN_PROGRESS` when one is open already.
    fn begin(&mut self) -> Result<Option<Reason>, Reason>;

    /// Makes the unit of work permanent.
    ///
    /// # Errors
    /// The reason it was not, or is not known to be.
    fn commit(&mut self) -> Result<(), Reason>;

    /// Undoes the unit of work.
    ///
    /// # Errors
    /// The reason it was not undone.
    fn back(&mut self) -> Result<(), Reason>;

    /// Asks for attributes, answered in the order asked.
    ///
    /// # Errors
    /// The reason they cannot be told.
    fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Result<Inquired, Reason>;

    /// Changes attributes: all of them, or none.
    ///
    /// # Errors
    /// The reason they cannot be changed.
    fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Result<(), Reason>;

    /// Reports the outcomes of asynchronous puts, or of a reconnection. Each outcome of a put is reported
    /// once.
    ///
    /// # Errors
    /// `ENVIRONMENT_ERROR` for reconnection on a connection that is not a client's.
    fn stat(&mut self, what: StatusType) -> Result<Status, Reason>;

    /// The verbs of message handles, for handles that belong to this connection or to no connection in
    /// particular.
    ///
    /// # Errors
    /// `HCONN_ERROR` when the connection has ended.
    fn message_handles(&mut self) -> Result<Box<dyn MessageHandles>, Reason>;

    /// Converts characters from one set to another into at most `bytes_max` bytes (MQXCNVC). `MQCCSI_Q_MGR`
    /// is the set of the queue manager, or of the program at a client.
    ///
    /// # Errors
    /// The reason they are not converted.
    fn convert_characters(
        &mut self,
        options: i32,
        from: Characters<'_>,
        to_ccsid: i32,
        bytes_max: usize,
    ) -> Result<Bytes, Reason>;

    /// Makes a call on branches of transactions.
    ///
    /// # Errors
    /// `FUNCTION_NOT_SUPPORTED` where the connection cannot take part: it may be made anew, or its queue
    /// manager is of an earlier release.
    fn on_branches(&mut self, _call: &mut dyn FnMut(&mut dyn Branches)) -> Result<(), Reason> {
        Err(Reason::FUNCTION_NOT_SUPPORTED)
    }

    /// Commits the unit of work and ends the connection.
    ///
    /// # Errors
    /// The reason the connection did not end in order.
    fn disconnect(&mut self) -> Result<(), Reason>;
}
