//! MQPUT, MQPUT1, MQGET.
//!
//! Always: a call that names a message handle may come without a descriptor; then that of the handle counts.

use crate::boundary::Done;
use crate::connections;
use crate::layout::{MQGMO, MQHCONN, MQHOBJ, MQLONG, MQMD, MQOD, MQPMO};
use crate::memory::{Buffer, Found, Pointer, Source, Structure};
use crate::translate::{get_options, message_descriptor, object_descriptor, put_options};
use crate::xa;
use mqi::properties::{InquirePropertyOptions, MessageHandles, PropertyValue};
use mqi::{
    CloseOptions, GetFlags, MessageDescriptor, MessageHandle, ObjectDescriptor, ObjectHandle, OpenOptions,
    PutFlags, PutOptions, Reason, Verbs,
};

/// Arguments of a put besides its target.
#[derive(Clone, Copy)]
pub(super) struct ToPut {
    pub(super) descriptor: Pointer<MQMD>,
    pub(super) options: Pointer<MQPMO>,
    pub(super) body: Result<Source, Reason>,
}

impl ToPut {
    /// Reads it, has it put, and leaves with the program what the put filled.
    fn put(
        self,
        put: impl FnOnce(&mut MessageDescriptor, &mut PutOptions, Source) -> Result<(), Reason>,
    ) -> Result<Done, Reason> {
        let program_options = Found::at_or_none(self.options, Reason::PMO_ERROR)?.read(MQPMO::DEFAULT);
        let mut options = put_options::for_put(&program_options)?;
        let program = described(self.descriptor, options.uses_message_handles())?;
        if self.descriptor.is_null() {
            options.flags.insert(PutFlags::MD_FOR_OUTPUT_ONLY);
        }
        let body = self.body?;
        if options.flags.contains(PutFlags::MD_FOR_OUTPUT_ONLY) {
            let mut descriptor = MessageDescriptor::default();
            put(&mut descriptor, &mut options, body)?;
            message_descriptor::give_all(&program, &descriptor);
        } else {
            let before = message_descriptor::for_put(&program)?;
            let mut descriptor = before.clone();
            put(&mut descriptor, &mut options, body)?;
            message_descriptor::give_changed(&program, &before, &descriptor);
        }
        put_options::give_put(&program_options, &options);
        Ok(options.warning)
    }
}

/// MQPUT.
pub(super) fn put(connection: MQHCONN, handle: MQHOBJ, message: ToPut) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        message.put(|descriptor, options, body| {
            if options.flags.contains(PutFlags::SYNCPOINT) {
                xa::enlist(connection, verbs)?;
            }
            body.lend(|bytes| verbs.put_lent(ObjectHandle(handle), descriptor, options, bytes))
        })
    })
}

/// MQPUT1.
pub(super) fn put1(connection: MQHCONN, object: Pointer<MQOD>, message: ToPut) -> Result<Done, Reason> {
    connections::with(connection, |verbs| {
        let program = Structure::read(object, MQOD::DEFAULT, Reason::OD_ERROR)?;
        let object = object_descriptor::for_open(&program)?;
        message.put(|descriptor, options, body| {
            if options.flags.contains(PutFlags::SYNCPOINT) {
                xa::enlist(connection, verbs)?;
            }
            verbs.put1(&object, descriptor, options, body.copy())?;
            object_descriptor::give_put1(&program, &object, options, || topic_string(verbs, &object));
            Ok(())
        })
    })
}

/// Joins a topic's name and the given string to the full topic string, which a put by name does not return.
fn topic_string(verbs: &mut dyn Verbs, object: &ObjectDescriptor) -> Option<String> {
    let opened = verbs.open(object, OpenOptions::OUTPUT).ok()?;
    let _ = verbs.close(opened.handle, CloseOptions::EMPTY);
    opened.topic_string
}

/// Arguments of a get besides its source.
#[derive(Clone, Copy)]
pub(super) struct ToGet {
    pub(super) descriptor: Pointer<MQMD>,
    pub(super) options: Pointer<MQGMO>,
    pub(super) buffer: Result<Buffer, Reason>,
    pub(super) data_length: Pointer<MQLONG>,
}

/// MQGET. A message that is too long and stays is a warning, with its length, its descriptor and as much of
/// it as fits.
pub(super) fn get(connection: MQHCONN, handle: MQHOBJ, message: ToGet) -> Result<Done, Reason> {
    connections::with(connection, |verbs| message.get(connection, verbs, ObjectHandle(handle)))
}

impl ToGet {
    fn get(self, connection: MQHCONN, verbs: &mut dyn Verbs, handle: ObjectHandle) -> Result<Done, Reason> {
        let program_options = Found::at_or_none(self.options, Reason::GMO_ERROR)?.read(MQGMO::DEFAULT);
        let mut options = get_options::for_get(&program_options)?;
        if options.flags.intersects(GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT) {
            xa::enlist(connection, verbs)?;
        }
        let may_be_of_handle = options.message_handle != MessageHandle::NONE
            && !options.flags.contains(GetFlags::PROPERTIES_FORCE_MQRFH2);
        let program = described(self.descriptor, may_be_of_handle)?;
        let buffer = self.buffer?;
        if self.data_length.is_null() {
            return Err(Reason::DATA_LENGTH_ERROR);
        }
        let mut descriptor = match self.descriptor.is_null() {
            true => of_handle(&mut *verbs.message_handles()?, options.message_handle)?,
            false => message_descriptor::for_get(&program),
        };
        if !self.descriptor.is_null() {
            message_descriptor::ask_for_extension(&program, &mut options);
        }
        let unlocks = options.flags.contains(GetFlags::UNLOCK);
        let mut write = |body: &[u8]| {
            buffer.write(body);
        };
        match verbs.get_lent(handle, &mut descriptor, &mut options, buffer.length(), &mut write) {
            Ok(got) => {
                self.data_length.write(length(got.data_length));
                if !unlocks {
                    message_descriptor::give_all(&program, &descriptor);
                }
                get_options::give_got(&program_options, &options);
                Ok(got.warning)
            }
            Err(Reason::TRUNCATED_MSG_FAILED) => {
                self.data_length.write(options.returned_length);
                // As much as fits of it was lent.
                options.returned_length = options.returned_length.min(length(buffer.length()));
                message_descriptor::give_all(&program, &descriptor);
                get_options::give_got(&program_options, &options);
                Ok(Some(Reason::TRUNCATED_MSG_FAILED))
            }
            Err(reason) => Err(reason),
        }
    }
}

/// The descriptor of the program, which may be missing where that of a message handle can take its place.
fn described(descriptor: Pointer<MQMD>, may_be_of_handle: bool) -> Result<Structure<MQMD>, Reason> {
    let found = match may_be_of_handle {
        true => Found::at_or_none(descriptor, Reason::MD_ERROR)?,
        false => Found::at(descriptor, Reason::MD_ERROR)?,
    };
    Ok(found.read(MQMD::DEFAULT))
}

/// Reads the fields that a get uses from the descriptor in a message handle.
fn of_handle(handles: &mut dyn MessageHandles, handle: MessageHandle) -> Result<MessageDescriptor, Reason> {
    let mut program = MQMD::DEFAULT;
    let mut field = |name| {
        let mut options = InquirePropertyOptions::default();
        match handles.inquire_property(handle, &mut options, name, usize::MAX) {
            Ok(found) => Ok(Some(found.value)),
            Err(Reason::PROPERTY_NOT_AVAILABLE) => Ok(None),
            Err(reason) => Err(reason),
        }
    };
    for (name, place) in [
        ("Root.MQMD.MsgId", &mut program.MsgId),
        ("Root.MQMD.CorrelId", &mut program.CorrelId),
        ("Root.MQMD.GroupId", &mut program.GroupId),
    ] {
        if let Some(PropertyValue::Bytes(bytes)) = field(name)?
            && bytes.len() == place.len()
        {
            place.copy_from_slice(&bytes);
        }
    }
    for (name, place) in [
        ("Root.MQMD.Encoding", &mut program.Encoding),
        ("Root.MQMD.CodedCharSetId", &mut program.CodedCharSetId),
        ("Root.MQMD.MsgSeqNumber", &mut program.MsgSeqNumber),
        ("Root.MQMD.Offset", &mut program.Offset),
    ] {
        if let Some(PropertyValue::Int32(number)) = field(name)? {
            *place = number;
        }
    }
    Ok(message_descriptor::for_get(&program))
}

/// A length as the program has it.
pub(super) fn length(bytes: usize) -> MQLONG {
    MQLONG::try_from(bytes).unwrap_or(MQLONG::MAX)
}
