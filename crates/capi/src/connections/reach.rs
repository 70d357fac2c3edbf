//! A way to a queue manager, whichever it is.

use bytes::Bytes;
use mqi::listen::{OnEvent, Wake};
use mqi::properties::MessageHandles;
use mqi::{
    AttributeValue, Characters, CloseOptions, GetOptions, Getter, Got, Heard, Inquired, Listen,
    MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Opened, PutOptions, Reason,
    RequestOptions, Selector, Status, StatusType, Subscribed, SubscriptionDescriptor, Verbs,
};
use std::time::Duration;

/// A connection over a socket, or to the queue manager in this process.
pub(crate) struct Reach(pub(crate) Box<dyn Listen + Send>);

impl Verbs for Reach {
    fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Result<Opened, Reason> {
        self.0.open(object, options)
    }

    fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Result<Option<Reason>, Reason> {
        self.0.close(handle, options)
    }

    fn subscribe(
        &mut self,
        descriptor: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Result<Subscribed, Reason> {
        self.0.subscribe(descriptor, queue)
    }

    fn request_publications(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Result<u32, Reason> {
        self.0.request_publications(subscription, action, options)
    }

    fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        self.0.put(handle, descriptor, options, body)
    }

    fn put_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: &[u8],
    ) -> Result<(), Reason> {
        self.0.put_lent(handle, descriptor, options, body)
    }

    fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        self.0.put1(object, descriptor, options, body)
    }

    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
    ) -> Result<Got, Reason> {
        self.0.get(handle, descriptor, options, bytes_max)
    }

    fn get_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut dyn FnMut(&[u8]),
    ) -> Result<Got, Reason> {
        self.0.get_lent(handle, descriptor, options, bytes_max, borrow)
    }

    fn begin(&mut self) -> Result<Option<Reason>, Reason> {
        self.0.begin()
    }

    fn commit(&mut self) -> Result<(), Reason> {
        self.0.commit()
    }

    fn back(&mut self) -> Result<(), Reason> {
        self.0.back()
    }

    fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Result<Inquired, Reason> {
        self.0.inquire(handle, selectors)
    }

    fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Result<(), Reason> {
        self.0.set(handle, values)
    }

    fn stat(&mut self, what: StatusType) -> Result<Status, Reason> {
        self.0.stat(what)
    }

    fn message_handles(&mut self) -> Result<Box<dyn MessageHandles>, Reason> {
        self.0.message_handles()
    }

    fn convert_characters(
        &mut self,
        options: i32,
        from: Characters<'_>,
        to_ccsid: i32,
        bytes_max: usize,
    ) -> Result<Bytes, Reason> {
        self.0.convert_characters(options, from, to_ccsid, bytes_max)
    }

    fn disconnect(&mut self) -> Result<(), Reason> {
        self.0.disconnect()
    }
}

impl Listen for Reach {
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason> {
        self.0.check_getter(getter)
    }

    fn check_quiescing(&mut self) -> Result<(), Reason> {
        self.0.check_quiescing()
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        self.0.listen(getters, first, timeout)
    }

    fn event(&mut self) -> Option<Reason> {
        self.0.event()
    }

    fn when_not_listened_to(&mut self, on_event: OnEvent) {
        self.0.when_not_listened_to(on_event);
    }

    fn waker(&self) -> Wake {
        self.0.waker()
    }

    fn has_unit(&self) -> bool {
        self.0.has_unit()
    }
}
