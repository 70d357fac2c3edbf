//! MQCRTMH, MQDLTMH, MQSETMP, MQINQMP, MQDLTMP, MQBUFMH, MQMHBUF.

use super::messages::length;
use crate::boundary::Done;
use crate::connections;
use crate::layout::{
    MQBMHO, MQCHARV, MQCMHO, MQDMHO, MQDMPO, MQHCONN, MQHMSG, MQIMPO, MQLONG, MQMD, MQMHBO, MQPD, MQSMPO,
};
use crate::memory::{Buffer, Pointer, Structure, give, variable};
use crate::translate::{message_descriptor, text};
use formats::properties::handle::Handles;
use mqi::properties::{
    BufferToHandleOptions, CreateHandleOptions, DeleteHandleOptions, DeletePropertyOptions,
    HandleToBufferOptions, InquirePropertyFlags, InquirePropertyOptions, MessageHandles, PropertyDescriptor,
    PropertyType, SetPropertyOptions,
};
use mqi::{Encoding, MessageHandle, Reason, constants};

/// Does something with the handles of a connection, or with those that belong to none.
fn with<T>(
    connection: MQHCONN,
    call: impl FnOnce(&mut dyn MessageHandles) -> Result<T, Reason>,
) -> Result<T, Reason> {
    if connection == constants::MQHC_UNASSOCIATED_HCONN {
        return call(&mut Handles::unassociated());
    }
    connections::with(connection, |verbs| call(&mut *verbs.message_handles()?))
}

/// The name of a property.
fn name(pointer: Pointer<MQCHARV>) -> Result<String, Reason> {
    let error = Reason::PROPERTY_NAME_ERROR;
    let (bytes, ccsid) = variable(pointer, error)?;
    text::decode(&bytes, ccsid, error)
}

/// MQCRTMH.
pub(super) fn create(
    connection: MQHCONN,
    options: Pointer<MQCMHO>,
    handle: Pointer<MQHMSG>,
) -> Result<Done, Reason> {
    with(connection, |handles| {
        let options = Structure::read_or(options, MQCMHO::DEFAULT, Reason::CMHO_ERROR)?;
        let options = CreateHandleOptions::of_structure(options.Version, options.Options)?;
        if handle.is_null() {
            return Err(Reason::HMSG_ERROR);
        }
        handle.write(handles.create_message_handle(options)?.0);
        Ok(None)
    })
}

/// MQDLTMH.
pub(super) fn delete(
    connection: MQHCONN,
    handle: Pointer<MQHMSG>,
    options: Pointer<MQDMHO>,
) -> Result<Done, Reason> {
    with(connection, |handles| {
        let options = Structure::read_or(options, MQDMHO::DEFAULT, Reason::DMHO_ERROR)?;
        let options = DeleteHandleOptions::of_structure(options.Version, options.Options)?;
        let mut deleted = MessageHandle(handle.read().ok_or(Reason::HMSG_ERROR)?);
        handles.delete_message_handle(&mut deleted, options)?;
        handle.write(deleted.0);
        Ok(None)
    })
}

/// A property to be set: its name, what it says about itself, and its value.
#[derive(Clone, Copy)]
pub(super) struct ToSet {
    pub(super) options: Pointer<MQSMPO>,
    pub(super) name: Pointer<MQCHARV>,
    pub(super) descriptor: Pointer<MQPD>,
    pub(super) kind: MQLONG,
    pub(super) length: MQLONG,
    pub(super) value: Result<Buffer, Reason>,
}

/// MQSETMP.
pub(super) fn set(connection: MQHCONN, handle: MQHMSG, asked: ToSet) -> Result<Done, Reason> {
    with(connection, |handles| {
        let program = Structure::read_or(asked.options, MQSMPO::DEFAULT, Reason::SMPO_ERROR)?;
        let options = SetPropertyOptions::of_structure(program.Version, program.Options)?;
        let descriptor = Structure::read_or(asked.descriptor, MQPD::DEFAULT, Reason::PD_ERROR)?;
        let descriptor = PropertyDescriptor::of_structure(
            descriptor.Version,
            descriptor.Options,
            descriptor.Support,
            descriptor.Context,
            descriptor.CopyOptions,
        )?;
        let name = name(asked.name)?;
        let (encoding, ccsid) = (Encoding(program.ValueEncoding), text::named(program.ValueCCSID));
        let value = asked.value?.copy();
        let value =
            formats::properties::value::of_program(asked.kind, asked.length, &value, encoding, ccsid)?;
        handles.set_property(MessageHandle(handle), options, &name, descriptor, &value)
    })
}

/// A property that is asked for, and where to leave it.
#[derive(Clone, Copy)]
pub(super) struct ToInquire {
    pub(super) options: Pointer<MQIMPO>,
    pub(super) name: Pointer<MQCHARV>,
    pub(super) descriptor: Pointer<MQPD>,
    pub(super) kind: Pointer<MQLONG>,
    pub(super) value: Result<Buffer, Reason>,
    pub(super) data_length: Pointer<MQLONG>,
}

/// MQINQMP. A value that is too long fails the call, with its length, and as much of it as fits.
pub(super) fn inquire(connection: MQHCONN, handle: MQHMSG, asked: ToInquire) -> Result<Done, Reason> {
    with(connection, |handles| {
        let program = Structure::read_or(asked.options, MQIMPO::DEFAULT, Reason::IMPO_ERROR)?;
        let descriptor = Structure::read_or(asked.descriptor, MQPD::DEFAULT, Reason::PD_ERROR)?;
        let flags = InquirePropertyFlags::of_structure(program.Version, program.Options)?;
        let converts = flags.contains(InquirePropertyFlags::CONVERT_TYPE);
        let kind = match asked.kind.read() {
            Some(kind) if converts => PropertyType::requested(kind)?,
            None if converts => return Err(Reason::PROPERTY_TYPE_ERROR),
            _ => None,
        };
        let room = &program.ReturnedName;
        let wants_name = (!room.VSPtr.is_null() || room.VSOffset != 0) && room.VSBufSize > 0;
        let mut options = InquirePropertyOptions {
            flags,
            kind,
            requested_encoding: Encoding(program.RequestedEncoding),
            requested_coded_character_set: text::named(program.RequestedCCSID),
            name_bytes_max: if wants_name { usize::try_from(room.VSBufSize).ok() } else { None },
            ..InquirePropertyOptions::default()
        };
        let (name, value) = (name(asked.name)?, asked.value?);
        let found = handles.inquire_property(MessageHandle(handle), &mut options, &name, value.length());
        let tells_length =
            matches!(found, Ok(_) | Err(Reason::PROPERTY_VALUE_TOO_BIG | Reason::PROPERTY_NAME_TOO_BIG));
        let mut of_name = None;
        if tells_length {
            asked.data_length.write(length(options.data_length));
            let place = std::mem::offset_of!(MQIMPO, ReturnedName);
            let (bytes, ccsid, warning) = returned_name(&options);
            program.fill_variable_in(place, room, &bytes, ccsid);
            of_name = warning;
        }
        // As much as fits is given, unconverted. Where it was to be converted the cursor stays, else it is on
        // it for another call.
        let is_cut = matches!(found, Err(Reason::PROPERTY_VALUE_TOO_BIG));
        let found = match is_cut {
            true => {
                options.leaves_cursor = flags.contains(InquirePropertyFlags::CONVERT_VALUE);
                options.flags.remove(InquirePropertyFlags::CONVERT_VALUE);
                handles.inquire_property(MessageHandle(handle), &mut options, &name, usize::MAX)?
            }
            false => found?,
        };
        value.write(&found.bytes);
        asked.kind.write(found.value.kind().code());
        give!(
            program,
            MQIMPO {
                ReturnedEncoding: found.encoding.code(),
                ReturnedCCSID: found.coded_character_set,
                TypeString: mqi::Text::<8>::truncated(&options.returned_type).to_padded(),
            }
        );
        let context = if found.descriptor.is_user_context {
            constants::MQPD_USER_CONTEXT
        } else {
            constants::MQPD_NO_CONTEXT
        };
        give!(
            descriptor,
            MQPD {
                Options: constants::MQPD_NONE,
                Support: found.descriptor.support,
                Context: context,
                CopyOptions: found.descriptor.copy.bits(),
            }
        );
        if is_cut { Err(Reason::PROPERTY_VALUE_TOO_BIG) } else { Ok(found.warning.or(of_name)) }
    })
}

/// The name of a property, in the character set that was asked for with its value; and whether it could not
/// be.
fn returned_name(options: &InquirePropertyOptions) -> (Vec<u8>, i32, Done) {
    let name = options.returned_name.as_bytes();
    let converts = InquirePropertyFlags::CONVERT_VALUE | InquirePropertyFlags::CONVERT_TYPE;
    let ccsid = options.requested_coded_character_set;
    if !options.flags.intersects(converts) || ccsid == text::NATIVE_CCSID {
        return (name.to_vec(), text::NATIVE_CCSID, None);
    }
    match formats::convert::characters(0, text::NATIVE_CCSID, name, ccsid, usize::MAX) {
        Ok(converted) => (converted, ccsid, None),
        Err(_) => (name.to_vec(), text::NATIVE_CCSID, Some(Reason::PROP_NAME_NOT_CONVERTED)),
    }
}

/// MQDLTMP.
pub(super) fn delete_property(
    connection: MQHCONN,
    handle: MQHMSG,
    options: Pointer<MQDMPO>,
    property: Pointer<MQCHARV>,
) -> Result<Done, Reason> {
    with(connection, |handles| {
        let options = Structure::read_or(options, MQDMPO::DEFAULT, Reason::DMPO_ERROR)?;
        let options = DeletePropertyOptions::of_structure(options.Version, options.Options)?;
        handles.delete_property(MessageHandle(handle), options, &name(property)?)
    })
}

/// A message, or room for one.
#[derive(Clone, Copy)]
pub(super) struct Message {
    pub(super) descriptor: Pointer<MQMD>,
    pub(super) buffer: Result<Buffer, Reason>,
    pub(super) data_length: Pointer<MQLONG>,
}

/// MQBUFMH.
pub(super) fn from_buffer(
    connection: MQHCONN,
    handle: MQHMSG,
    options: Pointer<MQBMHO>,
    message: Message,
) -> Result<Done, Reason> {
    with(connection, |handles| {
        let options = Structure::read_or(options, MQBMHO::DEFAULT, Reason::BMHO_ERROR)?;
        let options = BufferToHandleOptions::of_structure(options.Version, options.Options)?;
        let program = Structure::read(message.descriptor, MQMD::DEFAULT, Reason::MD_ERROR)?;
        let before = message_descriptor::for_put(&program)?;
        let buffer = message.buffer?;
        if message.data_length.is_null() {
            return Err(Reason::DATA_LENGTH_ERROR);
        }
        let mut after = before.clone();
        let rest = handles.buffer_to_handle(MessageHandle(handle), options, &mut after, buffer.copy())?;
        buffer.write(&rest.bytes);
        message.data_length.write(length(rest.bytes.len()));
        message_descriptor::give_changed(&program, &before, &after);
        Ok(rest.warning)
    })
}

/// MQMHBUF.
pub(super) fn to_buffer(
    connection: MQHCONN,
    handle: MQHMSG,
    options: Pointer<MQMHBO>,
    property: Pointer<MQCHARV>,
    message: Message,
) -> Result<Done, Reason> {
    with(connection, |handles| {
        let options = Structure::read_or(options, MQMHBO::DEFAULT, Reason::MHBO_ERROR)?;
        let options = HandleToBufferOptions::of_structure(options.Version, options.Options)?;
        let name = name(property)?;
        let program = Structure::read(message.descriptor, MQMD::DEFAULT, Reason::MD_ERROR)?;
        let before = message_descriptor::for_put(&program)?;
        let buffer = message.buffer?;
        if message.data_length.is_null() {
            return Err(Reason::DATA_LENGTH_ERROR);
        }
        let (mut after, mut data_length) = (before.clone(), 0);
        let room = buffer.length();
        let handle = MessageHandle(handle);
        let header = handles.handle_to_buffer(handle, options, &name, &mut after, room, &mut data_length);
        if matches!(header, Ok(_) | Err(Reason::PROPERTY_VALUE_TOO_BIG)) {
            message.data_length.write(length(data_length));
        }
        let header = header?;
        buffer.write(&header.bytes);
        message_descriptor::give_changed(&program, &before, &after);
        Ok(header.warning)
    })
}
