//! The verbs of message handles, and the options each takes.
//!
//! Lives here: the trait, the options as sets of bits, and how they are taken from the structures of C
//! programs.
//! Lives elsewhere: what a handle holds and what the verbs do with it (`formats`).
//!
//! Always: a structure of a version that is not known is refused with the reason that names the structure, an
//! option without a meaning with `MQRC_OPTIONS_ERROR`.

use bytes::Bytes;

use super::{PropertyDescriptor, PropertyType, PropertyValue};
use crate::bit_set::bit_set;
use crate::{Encoding, MessageDescriptor, MessageHandle, Reason, constants};

bit_set! {
    /// Options for making a message handle (`MQCMHO_`).
    CreateHandleOptions {
        /// Take any name for a property.
        NO_VALIDATION = MQCMHO_NO_VALIDATION,
        /// Refuse names that programs of JMS could not use.
        VALIDATE = MQCMHO_VALIDATE,
    }
}

bit_set! {
    /// Options for deleting a message handle (`MQDMHO_`): there is one way.
    DeleteHandleOptions {}
}

bit_set! {
    /// Choice of the property to set (`MQSMPO_`): without an option the first of its name.
    SetPropertyOptions {
        /// The one under the cursor.
        SET_PROP_UNDER_CURSOR = MQSMPO_SET_PROP_UNDER_CURSOR,
        /// A new one behind that under the cursor.
        SET_PROP_AFTER_CURSOR = MQSMPO_SET_PROP_AFTER_CURSOR,
        /// A new one behind all of its name.
        APPEND_PROPERTY = MQSMPO_APPEND_PROPERTY,
        /// A new one before that under the cursor.
        SET_PROP_BEFORE_CURSOR = MQSMPO_SET_PROP_BEFORE_CURSOR,
    }
}

bit_set! {
    /// Choice of the property to inquire, and its form (`MQIMPO_`): without an option the first that matches,
    /// as it was set.
    InquirePropertyFlags {
        /// As the type asked for.
        CONVERT_TYPE = MQIMPO_CONVERT_TYPE,
        /// Only its length.
        QUERY_LENGTH = MQIMPO_QUERY_LENGTH,
        /// The next that matches.
        INQ_NEXT = MQIMPO_INQ_NEXT,
        /// The one under the cursor.
        INQ_PROP_UNDER_CURSOR = MQIMPO_INQ_PROP_UNDER_CURSOR,
        /// In the character set and encoding asked for.
        CONVERT_VALUE = MQIMPO_CONVERT_VALUE,
    }
}

bit_set! {
    /// Choice of the property to delete (`MQDMPO_`): without an option the first of its name.
    DeletePropertyOptions {
        /// The one under the cursor.
        DEL_PROP_UNDER_CURSOR = MQDMPO_DEL_PROP_UNDER_CURSOR,
    }
}

bit_set! {
    /// Options for moving a message's properties into a handle (`MQBMHO_`).
    BufferToHandleOptions {
        /// Removes the properties that go to the handle from the message.
        DELETE_PROPERTIES = MQBMHO_DELETE_PROPERTIES,
    }
}

bit_set! {
    /// Options for writing properties from a handle (`MQMHBO_`).
    HandleToBufferOptions {
        /// As a rules and formatting header; there is no other way, and it must be asked for.
        PROPERTIES_IN_MQRFH2 = MQMHBO_PROPERTIES_IN_MQRFH2,
        /// Removes the properties that are written from the handle.
        DELETE_PROPERTIES = MQMHBO_DELETE_PROPERTIES,
    }
}

/// Takes the options of a C structure.
macro_rules! of_structure {
    ($($options:ident, $error:ident;)*) => {
        $(
            impl $options {
                /// Takes the version and options of a C program's structure.
                ///
                /// # Errors
                #[doc = concat!("`MQRC_", stringify!($error), "` for a version that is not known.")]
                pub const fn of_structure(version: i32, options: i32) -> Result<Self, Reason> {
                    if version == 1 { Ok(Self::from_bits(options)) } else { Err(Reason::$error) }
                }
            }
        )*
    };
}

of_structure! {
    CreateHandleOptions, CMHO_ERROR;
    DeleteHandleOptions, DMHO_ERROR;
    SetPropertyOptions, SMPO_ERROR;
    InquirePropertyFlags, IMPO_ERROR;
    DeletePropertyOptions, DMPO_ERROR;
    BufferToHandleOptions, BMHO_ERROR;
    HandleToBufferOptions, MHBO_ERROR;
}

impl PropertyDescriptor {
    /// Takes the numbers of a C program's structure, version included.
    ///
    /// # Errors
    /// `MQRC_PD_ERROR` for a version that is not known, and the reasons of [`from_codes`](Self::from_codes).
    pub fn of_structure(
        version: i32,
        options: i32,
        support: i32,
        context: i32,
        copy: i32,
    ) -> Result<Self, Reason> {
        if version == 1 { Self::from_codes(options, support, context, copy) } else { Err(Reason::PD_ERROR) }
    }
}

/// The inquire-property options; the last fields are filled by the call, also by one that is refused because
/// something is too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InquirePropertyOptions {
    /// Choice of the property, and its form.
    pub flags: InquirePropertyFlags,
    /// With `CONVERT_TYPE`, the type of the answer; none for that which was set.
    pub kind: Option<PropertyType>,
    /// With `CONVERT_VALUE`, how numbers are to be written.
    pub requested_encoding: Encoding,
    /// With `CONVERT_VALUE`, the character set of texts.
    pub requested_coded_character_set: i32,
    /// Most bytes of the name returned; none when it is not wanted.
    pub name_bytes_max: Option<usize>,
    /// True if the cursor stays where it is when the property is found.
    pub leaves_cursor: bool,
    /// Filled by the call: the name of the property found.
    pub returned_name: String,
    /// Filled by the call: the word for the property's type, where that is none of the interface's.
    pub returned_type: String,
    /// Filled by the call: bytes of the value, however many of them were returned.
    pub data_length: usize,
}

impl Default for InquirePropertyOptions {
    fn default() -> Self {
        Self {
            flags: InquirePropertyFlags::EMPTY,
            kind: None,
            requested_encoding: Encoding::NATIVE,
            requested_coded_character_set: constants::MQCCSI_APPL,
            name_bytes_max: None,
            leaves_cursor: false,
            returned_name: String::new(),
            returned_type: String::new(),
            data_length: 0,
        }
    }
}

impl InquirePropertyOptions {
    /// Defaults with these flags.
    #[must_use]
    pub fn with(flags: InquirePropertyFlags) -> Self {
        Self { flags, ..Self::default() }
    }
}

/// A property as an inquiry returns it.
#[derive(Clone, Debug, PartialEq)]
pub struct InquiredProperty {
    /// Its value, of the type returned.
    pub value: PropertyValue,
    /// The value as a C program is given it, in the encoding and character set beside it; nothing when only
    /// the length was asked for.
    pub bytes: Bytes,
    /// Representation of numbers in `bytes`.
    pub encoding: Encoding,
    /// The character set of a text in `bytes`.
    pub coded_character_set: i32,
    /// Descriptor of the property.
    pub descriptor: PropertyDescriptor,
    /// A remark on an inquiry that succeeded, such as `PROP_VALUE_NOT_CONVERTED`.
    pub warning: Option<Reason>,
}

/// A call that writes into a buffer, or takes something out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Content of the buffer after the call.
    pub bytes: Bytes,
    /// A remark on a call that succeeded.
    pub warning: Option<Reason>,
}

/// The verbs of message handles: what a program does with the properties of a message before it is put and
/// after it was got. A handle belongs to the connection it was made on, or to all connections of the program.
pub trait MessageHandles {
    /// MQCRTMH: makes a handle without properties.
    ///
    /// # Errors
    /// `MQRC_OPTIONS_ERROR`, `MQRC_HANDLE_NOT_AVAILABLE` when there are too many.
    fn create_message_handle(&mut self, options: CreateHandleOptions) -> Result<MessageHandle, Reason>;

    /// MQDLTMH: deletes a handle with its properties; what it was called by is made unusable.
    ///
    /// # Errors
    /// `MQRC_HMSG_ERROR`, `MQRC_MSG_HANDLE_IN_USE`, `MQRC_OPTIONS_ERROR`.
    fn delete_message_handle(
        &mut self,
        handle: &mut MessageHandle,
        options: DeleteHandleOptions,
    ) -> Result<(), Reason>;

    /// MQSETMP: sets a property; a warning says that others of the handle could not be read.
    ///
    /// # Errors
    /// The reason it was not set: its name, its value, the handle or an option.
    fn set_property(
        &mut self,
        handle: MessageHandle,
        options: SetPropertyOptions,
        name: &str,
        descriptor: PropertyDescriptor,
        value: &PropertyValue,
    ) -> Result<Option<Reason>, Reason>;

    /// MQINQMP: a property by its name, which may end in `%` to match every end. `bytes_max` is the room for
    /// its value.
    ///
    /// # Errors
    /// `MQRC_PROPERTY_NOT_AVAILABLE` when none matches; `MQRC_PROPERTY_VALUE_TOO_BIG` and
    /// `MQRC_PROPERTY_NAME_TOO_BIG`, after which the options say how long value and name are and the cursor
    /// is where it was.
    fn inquire_property(
        &mut self,
        handle: MessageHandle,
        options: &mut InquirePropertyOptions,
        name: &str,
        bytes_max: usize,
    ) -> Result<InquiredProperty, Reason>;

    /// MQDLTMP: deletes a property; the warning `MQRC_PROPERTY_NOT_AVAILABLE` says that there was none.
    ///
    /// # Errors
    /// The reason the call makes no sense: the name, the handle or an option.
    fn delete_property(
        &mut self,
        handle: MessageHandle,
        options: DeletePropertyOptions,
        name: &str,
    ) -> Result<Option<Reason>, Reason>;

    /// MQBUFMH: makes the handle stand for a message: its descriptor, and the properties in its headers,
    /// which may leave the message. The descriptor says what the message is, and is made to say what it is
    /// afterwards.
    ///
    /// # Errors
    /// The reason the headers cannot be read, or the handle not be used.
    fn buffer_to_handle(
        &mut self,
        handle: MessageHandle,
        options: BufferToHandleOptions,
        descriptor: &mut MessageDescriptor,
        message: Bytes,
    ) -> Result<Buffer, Reason>;

    /// MQMHBUF: writes the properties whose names match as a header to go before what the descriptor
    /// describes, and has it describe the header. `data_length` is how long the header is, also when that is
    /// more than `bytes_max`.
    ///
    /// # Errors
    /// `MQRC_PROPERTY_NOT_AVAILABLE` when none matches, `MQRC_PROPERTY_VALUE_TOO_BIG` when the header is too
    /// long.
    fn handle_to_buffer(
        &mut self,
        handle: MessageHandle,
        options: HandleToBufferOptions,
        name: &str,
        descriptor: &mut MessageDescriptor,
        bytes_max: usize,
        data_length: &mut usize,
    ) -> Result<Buffer, Reason>;
}

#[cfg(test)]
mod tests {
    use super::{
        BufferToHandleOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
        HandleToBufferOptions, InquirePropertyFlags, SetPropertyOptions,
    };
    use crate::Reason;
    use crate::properties::PropertyDescriptor;

    #[test]
    fn a_structure_of_another_version_is_refused_by_its_own_reason() {
        for version in [i32::MIN, -1, 0, 2, i32::MAX] {
            let refused = [
                CreateHandleOptions::of_structure(version, 0).err(),
                DeleteHandleOptions::of_structure(version, 0).err(),
                SetPropertyOptions::of_structure(version, 0).err(),
                InquirePropertyFlags::of_structure(version, 0).err(),
                DeletePropertyOptions::of_structure(version, 0).err(),
                BufferToHandleOptions::of_structure(version, 0).err(),
                HandleToBufferOptions::of_structure(version, 0).err(),
                PropertyDescriptor::of_structure(version, 0, 1, 0, 22).err(),
            ];
            let reasons = [
                Reason::CMHO_ERROR,
                Reason::DMHO_ERROR,
                Reason::SMPO_ERROR,
                Reason::IMPO_ERROR,
                Reason::DMPO_ERROR,
                Reason::BMHO_ERROR,
                Reason::MHBO_ERROR,
                Reason::PD_ERROR,
            ];
            assert_eq!(refused, reasons.map(Some), "{version}");
        }
        assert_eq!(SetPropertyOptions::of_structure(1, 4), Ok(SetPropertyOptions::APPEND_PROPERTY));
        assert_eq!(PropertyDescriptor::of_structure(1, 0, 1, 0, 22), Ok(PropertyDescriptor::default()));
    }
}
