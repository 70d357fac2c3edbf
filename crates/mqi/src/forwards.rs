//! Connections that pass each verb on to another connection.
//!
//! Lives here: the verbs of such a connection, forwarded once for all of them.
//! Lives elsewhere: the connections themselves (`callbacks`, `capi`).

use bytes::Bytes;

use crate::branch::Branches;
use crate::properties::MessageHandles;
use crate::{
    AttributeValue, Characters, CloseOptions, GetOptions, Got, Inquired, MessageDescriptor, ObjectDescriptor,
    ObjectHandle, OpenOptions, Opened, PutOptions, Reason, RequestOptions, Selector, Status, StatusType,
    Subscribed, SubscriptionDescriptor, Verbs,
};

/// A connection whose verbs are those of another one.
///
/// Its own part of a call stands around the forwarded verb: it takes the other connection, or refuses the
/// call. Verbs that some connections add to have a method of their own.
pub trait Forwards {
    /// Makes one call on the other connection.
    ///
    /// # Errors
    /// The reason of the call, or the reason that it is not made.
    fn forward<T>(&mut self, call: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason>;

    /// Fills in what a put through a handle leaves to the connection.
    fn before_put(&mut self, _descriptor: &mut MessageDescriptor) {}

    /// Fills in what a put by name leaves to the connection.
    fn before_put1(&mut self, _descriptor: &mut MessageDescriptor, _options: &mut PutOptions) {}

    /// Fills in what a get leaves to the connection.
    fn before_get(&mut self, _descriptor: &mut MessageDescriptor, _options: &GetOptions) {}

    /// The character set of a conversion; 0 leaves it to the connection.
    fn named_set(&self, ccsid: i32) -> i32 {
        ccsid
    }

    /// Closes a handle.
    ///
    /// # Errors
    /// As of [`Verbs::close`].
    fn forward_close(
        &mut self,
        handle: ObjectHandle,
        options: CloseOptions,
    ) -> Result<Option<Reason>, Reason> {
        self.forward(|verbs| verbs.close(handle, options))
    }

    /// Ends the connection.
    ///
    /// # Errors
    /// As of [`Verbs::disconnect`].
    fn forward_disconnect(&mut self) -> Result<(), Reason> {
        self.forward(|verbs| verbs.disconnect())
    }
}

impl<F: Forwards> Verbs for F {
    fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Result<Opened, Reason> {
        self.forward(|verbs| verbs.open(object, options))
    }

    fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Result<Option<Reason>, Reason> {
        self.forward_close(handle, options)
    }

    fn subscribe(
        &mut self,
        descriptor: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Result<Subscribed, Reason> {
        self.forward(|verbs| verbs.subscribe(descriptor, queue))
    }

    fn request_publications(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Result<u32, Reason> {
        self.forward(|verbs| verbs.request_publications(subscription, action, options))
    }

    fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        self.before_put(descriptor);
        self.forward(|verbs| verbs.put(handle, descriptor, options, body))
    }

    fn put_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: &[u8],
    ) -> Result<(), Reason> {
        self.before_put(descriptor);
        self.forward(|verbs| verbs.put_lent(handle, descriptor, options, body))
    }

    fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        self.before_put1(descriptor, options);
        self.forward(|verbs| verbs.put1(object, descriptor, options, body))
    }

    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
    ) -> Result<Got, Reason> {
        self.before_get(descriptor, options);
        self.forward(|verbs| verbs.get(handle, descriptor, options, bytes_max))
    }

    fn get_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut dyn FnMut(&[u8]),
    ) -> Result<Got, Reason> {
        self.before_get(descriptor, options);
        self.forward(|verbs| verbs.get_lent(handle, descriptor, options, bytes_max, borrow))
    }

    fn begin(&mut self) -> Result<Option<Reason>, Reason> {
        self.forward(|verbs| verbs.begin())
    }

    fn commit(&mut self) -> Result<(), Reason> {
        self.forward(|verbs| verbs.commit())
    }

    fn back(&mut self) -> Result<(), Reason> {
        self.forward(|verbs| verbs.back())
    }

    fn on_branches(&mut self, call: &mut dyn FnMut(&mut dyn Branches)) -> Result<(), Reason> {
        self.forward(|verbs| verbs.on_branches(call))
    }

    fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Result<Inquired, Reason> {
        self.forward(|verbs| verbs.inquire(handle, selectors))
    }

    fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Result<(), Reason> {
        self.forward(|verbs| verbs.set(handle, values))
    }

    fn stat(&mut self, what: StatusType) -> Result<Status, Reason> {
        self.forward(|verbs| verbs.stat(what))
    }

    fn message_handles(&mut self) -> Result<Box<dyn MessageHandles>, Reason> {
        self.forward(|verbs| verbs.message_handles())
    }

    fn convert_characters(
        &mut self,
        options: i32,
        from: Characters<'_>,
        to_ccsid: i32,
        bytes_max: usize,
    ) -> Result<Bytes, Reason> {
        let from = Characters { ccsid: self.named_set(from.ccsid), ..from };
        let to_ccsid = self.named_set(to_ccsid);
        self.forward(|verbs| verbs.convert_characters(options, from, to_ccsid, bytes_max))
    }

    fn disconnect(&mut self) -> Result<(), Reason> {
        self.forward_disconnect()
    }
}
