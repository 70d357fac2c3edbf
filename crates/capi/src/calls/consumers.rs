//! MQCB, MQCTL: functions of the program that are called with messages.

#![allow(unsafe_code, reason = "functions of the program are called")]

use super::messages::length;
use crate::boundary::Done;
use crate::connections::{self, Area, Consumers};
use crate::layout::{MQCB_FUNCTION, MQCBC, MQCBD, MQCTLO, MQGMO, MQHCONN, MQHOBJ, MQLONG, MQMD, MQPTR};
use crate::memory::{Pointer, Structure};
use crate::process;
use crate::translate::{get_options, message_descriptor};
use crate::xa;
use callbacks::{CallbackOptions, CallbackType, Called, Consuming, Description, Operation};
use mqi::{GetOptions, MessageDescriptor, ObjectHandle, Reason, constants};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Arguments of MQCB.
#[derive(Clone, Copy)]
pub(super) struct ToRegister {
    pub(super) operation: MQLONG,
    pub(super) description: Pointer<MQCBD>,
    pub(super) handle: MQHOBJ,
    pub(super) descriptor: Pointer<MQMD>,
    pub(super) options: Pointer<MQGMO>,
}

/// MQCB. Registering needs a description; for what is registered already it may be left out, and then the
/// handle tells whether a consumer or the event handler is meant. The thread on which an event handler is
/// told is spared the program's signals.
pub(super) fn callback(connection: MQHCONN, asked: ToRegister) -> Result<Done, Reason> {
    let area = connections::area(connection)?;
    let registers = asked.operation & constants::MQOP_REGISTER != 0;
    let description = if registers || !asked.description.is_null() {
        let program = Structure::read(asked.description, MQCBD::DEFAULT, Reason::CBD_ERROR)?;
        Some(description(&program, connection, area, registers)?)
    } else {
        None
    };
    let program = Structure::read_or(asked.descriptor, MQMD::DEFAULT, Reason::MD_ERROR)?;
    let options = Structure::read_or(asked.options, MQGMO::DEFAULT, Reason::GMO_ERROR)?;
    let descriptor = message_descriptor::for_get(&program);
    let mut options = get_options::for_get(&options)?;
    if !asked.descriptor.is_null() {
        message_descriptor::ask_for_extension(&program, &mut options);
    }
    let (operation, handle) = (Operation(asked.operation), ObjectHandle(asked.handle));
    register(connection, operation, description, handle, &descriptor, &options)
}

fn register(
    connection: MQHCONN,
    operation: Operation,
    description: Option<Description>,
    handle: ObjectHandle,
    descriptor: &MessageDescriptor,
    options: &GetOptions,
) -> Result<Done, Reason> {
    let begins = description.as_ref().is_some_and(|asked| asked.callback_type == CallbackType::EventHandler);
    connections::with_consumers(connection, |reached| match reached {
        Consumers::Inside(inside) => inside.callback(operation, description, handle, descriptor, options),
        Consumers::Outside(outside) if begins => {
            process::without_signals(|| outside.callback(operation, description, handle, descriptor, options))
        }
        Consumers::Outside(outside) => outside.callback(operation, description, handle, descriptor, options),
    })
    .map(|()| None)
}

/// MQCTL. The threads it starts are spared the program's signals.
pub(super) fn control(
    connection: MQHCONN,
    operation: MQLONG,
    options: Pointer<MQCTLO>,
) -> Result<Done, Reason> {
    let area = connections::area(connection)?;
    let options = Structure::read_or(options, MQCTLO::DEFAULT, Reason::CTLO_ERROR)?;
    let operation = Operation(operation);
    if operation == Operation::START_WAIT && connections::is_called() {
        // Whichever connection is meant: the one that calls would wait for it, with all its consumers.
        return Err(Reason::ENVIRONMENT_ERROR);
    }
    match operation {
        // The thread that consumes would work in whichever branch the thread that opened it is in.
        Operation::START if xa::is_resource(connection) => return Err(Reason::ASYNC_XA_CONFLICT),
        Operation::START_WAIT => connections::with(connection, |verbs| xa::enlist(connection, verbs))?,
        _ => {}
    }
    connections::with_consumers(connection, |reached| match reached {
        Consumers::Inside(inside) => inside.control(operation, options.Options).map(|()| None),
        Consumers::Outside(outside) => {
            let begins = matches!(operation, Operation::START | Operation::START_WAIT);
            let before = begins.then(|| area.swap(options.ConnectionArea.cast(), Ordering::AcqRel));
            let done = if operation == Operation::START {
                process::without_signals(|| outside.control(operation, options.Options))
            } else {
                outside.control(operation, options.Options)
            };
            let was_started = [Reason::HCONN_ASYNC_ACTIVE, Reason::OPERATION_NOT_ALLOWED];
            if let (Some(before), Err(reason)) = (before, done)
                && was_started.contains(&reason)
            {
                area.store(before, Ordering::Release);
            }
            done
        }
    })
}

/// A function of the program, and what it is called with each time.
struct Consumer {
    function: MQCB_FUNCTION,
    connection: MQHCONN,
    connection_area: Area,
    callback_area: AtomicPtr<u8>,
}

fn description(
    program: &MQCBD,
    connection: MQHCONN,
    connection_area: Area,
    registers: bool,
) -> Result<Description, Reason> {
    let callback_type = CallbackType::from_code(program.CallbackType)?;
    let is_named = !matches!(program.CallbackName[0], 0 | b' ');
    match (registers, program.CallbackFunction.is_null(), is_named) {
        // One that is only named would be in a library of the program's; none is loaded for it.
        (true, true, true) => return Err(Reason::MODULE_NOT_FOUND),
        (true, true, false) | (true, false, true) => return Err(Reason::CALLBACK_ROUTINE_ERROR),
        _ => {}
    }
    let mut description = Description {
        callback_type,
        options: CallbackOptions(program.Options),
        function: None,
        message_bytes_max: program.MaxMsgLength,
    };
    if registers {
        // SAFETY: it is not null, and the program says that a function of this type is there.
        let function = unsafe { std::mem::transmute::<MQPTR, MQCB_FUNCTION>(program.CallbackFunction) };
        let callback_area = AtomicPtr::new(program.CallbackArea.cast());
        let consumer = Consumer { function, connection, connection_area, callback_area };
        description.function = Some(Box::new(move |inside, called| consumer.call(inside, called)));
    }
    Ok(description)
}

impl Consumer {
    /// Calls the program. What it is given lies in memory of ours, which it may write to while it is called.
    fn call(&self, inside: &mut dyn Consuming, called: Called<'_>) {
        let Called { context, message } = called;
        let mut program_context = MQCBC {
            StrucId: *b"CBC ",
            Version: constants::MQCBC_CURRENT_VERSION,
            CallType: context.call_type.code(),
            Hobj: context.handle.0,
            CallbackArea: self.callback_area.load(Ordering::Acquire).cast(),
            ConnectionArea: self.connection_area.load(Ordering::Acquire).cast(),
            CompCode: context.completion.code(),
            Reason: context.reason.map_or(constants::MQRC_NONE, Reason::code),
            State: context.state.code(),
            DataLength: length(context.data_length),
            BufferLength: length(context.buffer_length),
            Flags: context.flags,
            ReconnectDelay: context.reconnect_delay,
        };
        let given = message.map(|message| {
            let descriptor = message_descriptor::written_as_asked(&message.descriptor, &message.options);
            (descriptor, get_options::written(&message.options), message.body.to_vec())
        });
        let (mut descriptor, mut options, mut body) = given
            .map_or((None, None, None), |(descriptor, options, body)| {
                (Some(descriptor), Some(options), Some(body))
            });
        let descriptor = descriptor.as_mut().map_or(std::ptr::null_mut(), |given| (&raw mut *given).cast());
        let options = options.as_mut().map_or(std::ptr::null_mut(), |given| (&raw mut *given).cast());
        let body = (body.as_mut().filter(|given| !given.is_empty()))
            .map_or(std::ptr::null_mut(), |given| given.as_mut_ptr().cast());
        let given = (program_context.CallbackArea, program_context.ConnectionArea);
        connections::calling(self.connection, inside, || {
            // SAFETY: the program registered the function to be called so; everything passed outlives the
            // call, and each structure is as long as the version in it says.
            unsafe {
                (self.function)(self.connection, descriptor, options, body, &raw mut program_context);
            }
        });
        // What the program leaves in its areas it finds there at the next call; nothing else is taken from
        // it.
        if program_context.CallbackArea != given.0 {
            self.callback_area.store(program_context.CallbackArea.cast(), Ordering::Release);
        }
        if program_context.ConnectionArea != given.1 {
            self.connection_area.store(program_context.ConnectionArea.cast(), Ordering::Release);
        }
    }
}
