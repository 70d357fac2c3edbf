//! Message handles: sets of properties that a program holds, each for one message, before a put and after a
//! get.
//!
//! Lives here: the table of a connection's handles and that of the handles which belong to the program, and
//! the seven verbs. `content` is what one handle holds, `putting` how a put takes its message from handles.
//! Lives elsewhere: filling a handle for a getter (`queue-manager` chooses the properties, its host fills).
//!
//! Always: a number names one handle ever; one of another connection, or one deleted, is `MQRC_HMSG_ERROR`,
//! and one that another call works on at this moment is `MQRC_MSG_HANDLE_IN_USE`.

mod content;
mod putting;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use mqi::properties::{
    Buffer, BufferToHandleOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
    HandleToBufferOptions, InquirePropertyOptions, InquiredProperty, MessageHandles, PropertyDescriptor,
    PropertyValue, SetPropertyOptions,
};
use mqi::{GetOptions, MessageDescriptor, MessageHandle, Reason};
use parking_lot::Mutex;

use super::{folder, leave_unread, put_before, take_out};
use crate::headers::Place;
use content::Content;
pub use putting::{Prepared, put};

/// Most handles of one connection, and of the program: enough for one a message of a large batch.
const HANDLES_MAX: usize = 10_000;

/// The handles that belong to no connection.
static OF_PROGRAM: LazyLock<Mutex<Table>> = LazyLock::new(|| Mutex::new(Table::numbered(0)));

/// Tables made so far: part of each handle's number.
static TABLES: AtomicI64 = AtomicI64::new(0);

/// One handle: nothing in it while a call works on it.
type Slot = Arc<Mutex<Option<Content>>>;

#[derive(Debug)]
struct Table {
    /// The first half of the numbers of its handles.
    number: i64,
    last: u32,
    slots: BTreeMap<i64, Slot>,
}

impl Table {
    fn numbered(number: i64) -> Self {
        Self { number, last: 0, slots: BTreeMap::new() }
    }

    fn create(&mut self, content: Content) -> Result<MessageHandle, Reason> {
        let number = self.last.checked_add(1).filter(|_| self.slots.len() < HANDLES_MAX);
        self.last = number.ok_or(Reason::HANDLE_NOT_AVAILABLE)?;
        let handle = self.number << 32 | i64::from(self.last);
        self.slots.insert(handle, Arc::new(Mutex::new(Some(content))));
        Ok(MessageHandle(handle))
    }
}

/// The handles that calls of one connection may name: its own, and those that belong to no connection. A copy
/// is of the same handles.
#[derive(Clone, Debug)]
pub struct Handles {
    /// None for calls without a connection.
    own: Option<Arc<Mutex<Table>>>,
}

impl Default for Handles {
    fn default() -> Self {
        let table = Table::numbered(TABLES.fetch_add(1, Ordering::Relaxed) + 1);
        Self { own: Some(Arc::new(Mutex::new(table))) }
    }
}

/// A handle's content while a call works on it.
#[derive(Debug)]
pub struct Loan {
    slot: Slot,
    content: Option<Content>,
}

impl Loan {
    fn content(&mut self) -> &mut Content {
        self.content.as_mut().expect("a loan has its content until it ends")
    }

    /// Fills the handle with a message that was got: its descriptor, and its folders of properties.
    pub fn fill(mut self, descriptor: &MessageDescriptor, folders: Vec<String>) {
        self.content().stand_for(descriptor.clone(), folders);
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        *self.slot.lock() = self.content.take();
    }
}

impl Handles {
    /// The handles that belong to no connection (`MQHC_UNASSOCIATED_HCONN`): every connection of the program
    /// may name them.
    #[must_use]
    pub fn unassociated() -> Self {
        Self { own: None }
    }

    fn slot(&self, handle: MessageHandle) -> Result<Slot, Reason> {
        let find = |table: &Mutex<Table>| table.lock().slots.get(&handle.0).map(Arc::clone);
        let found = self.own.as_deref().and_then(find).or_else(|| find(&OF_PROGRAM));
        found.ok_or(Reason::HMSG_ERROR)
    }

    /// Takes a handle for the time of a call.
    fn lend(&self, handle: MessageHandle) -> Result<Loan, Reason> {
        let slot = self.slot(handle)?;
        let content = slot.lock().take().ok_or(Reason::MSG_HANDLE_IN_USE)?;
        Ok(Loan { slot, content: Some(content) })
    }

    /// The handle that a get names, to be filled with what it brings; none when it names none.
    ///
    /// # Errors
    /// `MQRC_HMSG_ERROR`, `MQRC_MSG_HANDLE_IN_USE`.
    pub fn for_get(&self, options: &GetOptions) -> Result<Option<Loan>, Reason> {
        if options.message_handle == MessageHandle::NONE {
            return Ok(None);
        }
        self.lend(options.message_handle).map(Some)
    }

    fn with<T>(
        &self,
        handle: MessageHandle,
        call: impl FnOnce(&mut Content) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        call(self.lend(handle)?.content())
    }
}

impl MessageHandles for Handles {
    fn create_message_handle(&mut self, options: CreateHandleOptions) -> Result<MessageHandle, Reason> {
        let both = CreateHandleOptions::VALIDATE | CreateHandleOptions::NO_VALIDATION;
        if !options.unknown().is_empty() || options.contains(both) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let content = Content::new(!options.contains(CreateHandleOptions::NO_VALIDATION));
        self.own.as_deref().unwrap_or(&OF_PROGRAM).lock().create(content)
    }

    fn delete_message_handle(
        &mut self,
        handle: &mut MessageHandle,
        options: DeleteHandleOptions,
    ) -> Result<(), Reason> {
        if options != DeleteHandleOptions::EMPTY {
            return Err(Reason::OPTIONS_ERROR);
        }
        // Nobody works on it now, and nobody finds it any more.
        let _loan = self.lend(*handle)?;
        for table in self.own.as_deref().into_iter().chain([&*OF_PROGRAM]) {
            table.lock().slots.remove(&handle.0);
        }
        *handle = MessageHandle::UNUSABLE;
        Ok(())
    }

    fn set_property(
        &mut self,
        handle: MessageHandle,
        options: SetPropertyOptions,
        name: &str,
        descriptor: PropertyDescriptor,
        value: &PropertyValue,
    ) -> Result<Option<Reason>, Reason> {
        self.with(handle, |content| content.set(options, name, descriptor, value))
    }

    fn inquire_property(
        &mut self,
        handle: MessageHandle,
        options: &mut InquirePropertyOptions,
        name: &str,
        bytes_max: usize,
    ) -> Result<InquiredProperty, Reason> {
        self.with(handle, |content| content.inquire(options, name, bytes_max))
    }

    fn delete_property(
        &mut self,
        handle: MessageHandle,
        options: DeletePropertyOptions,
        name: &str,
    ) -> Result<Option<Reason>, Reason> {
        self.with(handle, |content| content.delete(options, name))
    }

    fn buffer_to_handle(
        &mut self,
        handle: MessageHandle,
        options: BufferToHandleOptions,
        descriptor: &mut MessageDescriptor,
        message: Bytes,
    ) -> Result<Buffer, Reason> {
        if !options.unknown().is_empty() {
            return Err(Reason::OPTIONS_ERROR);
        }
        self.with(handle, |content| {
            let parts = leave_unread(take_out(&Place::of(descriptor), &message)?)?;
            let mut of_data = descriptor.clone();
            parts.place.describe(&mut of_data);
            content.stand_for(of_data, parts.folders);
            let warning = content.remark();
            if !options.contains(BufferToHandleOptions::DELETE_PROPERTIES) {
                return Ok(Buffer { bytes: message, warning });
            }
            parts.place.describe(descriptor);
            Ok(Buffer { bytes: parts.body, warning })
        })
    }

    fn handle_to_buffer(
        &mut self,
        handle: MessageHandle,
        options: HandleToBufferOptions,
        name: &str,
        descriptor: &mut MessageDescriptor,
        bytes_max: usize,
        data_length: &mut usize,
    ) -> Result<Buffer, Reason> {
        let wanted = HandleToBufferOptions::PROPERTIES_IN_MQRFH2;
        if !options.unknown().is_empty() || !options.contains(wanted) {
            return Err(Reason::OPTIONS_ERROR);
        }
        *data_length = 0;
        self.with(handle, |content| {
            let indexes = content.matching(name)?;
            if indexes.is_empty() {
                return Err(Reason::PROPERTY_NOT_AVAILABLE);
            }
            let properties: Vec<_> = indexes.iter().map(|index| &content.properties[*index]).collect();
            let place = Place::of(descriptor);
            let (header_place, bytes) = put_before(folder::write(&properties), &place, &Bytes::new())?;
            *data_length = bytes.len();
            if bytes.len() > bytes_max {
                return Err(Reason::PROPERTY_VALUE_TOO_BIG);
            }
            if options.contains(HandleToBufferOptions::DELETE_PROPERTIES) {
                content.remove_all(&indexes);
            }
            header_place.describe(descriptor);
            let warning = content.remark();
            Ok(Buffer { bytes, warning })
        })
    }
}
