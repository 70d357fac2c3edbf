//! Consumers in scenarios: a function that is called with messages until it has had enough or something else
//! happens (MQCB, MQCTL).
//!
//! | call | meaning |
//! |---|---|
//! | `consume QUEUE N` | registers a consumer for the queue, starts, waits for the end, and registers it no longer; words of `get` may follow, and `+MQCBDO_…` |
//! | `consume QUEUE N +MQOP_SUSPEND` | the operation of MQCB beside or, with `operation MQOP_…`, instead of registering |
//! | `control MQOP_…` | MQCTL on a connection without consumers; `+MQCTLO_…` may follow |
//!
//! The consumer stops with its `N`th message, or with the first event; the result is the messages in order,
//! each as in `"text"`, and the reason of the event or of the call that was refused.
//!
//! Lives here: the words, and the calls over any connection that can listen. Lives elsewhere: such
//! connections (`listening` for the engine, the hosts' own for programs).

use std::sync::Arc;

use callbacks::{CallType, CallbackOptions, Called, Connection, Description, Message, Operation};
use mqi::{GetOptions, Listen, MessageDescriptor, ObjectHandle, Reason, constants};
use parking_lot::Mutex;

use super::Reply;
use super::call::{Word, Words};
use super::fields;

/// Registration of a consumer, and the number of messages it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Consume {
    /// The operation of MQCB.
    pub operation: i32,
    /// When it is called besides (`MQCBDO_`).
    pub options: i32,
    /// With so many messages it has had enough.
    pub messages_max: usize,
}

/// An MQCTL without consumers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// The operation.
    pub operation: i32,
    /// `MQCTLO_`.
    pub options: i32,
}

/// Calls that a consumer received.
#[derive(Default)]
struct Told {
    messages: Vec<Reply>,
    reason: Option<Reason>,
}

impl Consume {
    /// Takes the words about the consumer out of those of a get, behind the name of the queue.
    pub(super) fn take(words: &mut Words<'_>) -> Result<Self, String> {
        let count = words.plain("how many messages")?;
        let messages_max = count.parse().map_err(|_| format!("not a number of messages: {count}"))?;
        let mut this = Self { operation: constants::MQOP_REGISTER, options: 0, messages_max };
        let mut rest = Vec::new();
        while let Some(word) = words.next() {
            let named = match word {
                Word::Plain(word) => word.strip_prefix('+').map(fields::option).transpose()?,
                Word::Quoted(_) => None,
            };
            match (word, named) {
                (_, Some(("MQCBDO", bits))) => this.options |= bits,
                (_, Some(("MQOP", bits))) => this.operation |= bits,
                (Word::Plain("operation"), _) => {
                    this.operation = fields::number(words.plain("an operation")?)?;
                }
                (Word::Plain("handle" | "token"), _) => {
                    return Err("a consumer takes neither a message handle nor a token".to_owned());
                }
                (word, _) => rest.push(word),
            }
        }
        words.replace(rest);
        Ok(this)
    }
}

impl Control {
    /// Reads the words behind `control`.
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, String> {
        let operation = fields::number(words.plain("an operation")?)?;
        let mut options = 0;
        while let Some(word) = words.next() {
            let named = match word {
                Word::Plain(word) => word.strip_prefix('+').map(fields::option).transpose()?,
                Word::Quoted(_) => None,
            };
            match named {
                Some(("MQCTLO", bits)) => options |= bits,
                _ => return Err(format!("a control does not know {word:?}")),
            }
        }
        Ok(Self { operation, options })
    }

    /// Makes the call.
    pub(super) fn make<V: Listen + Send + 'static>(self, connection: &Connection<V>) -> Reply {
        match connection.control(Operation(self.operation), self.options) {
            Ok(None) => Reply::Done,
            Ok(Some(reason)) | Err(reason) => Reply::Refused(reason),
        }
    }
}

impl Told {
    fn note(&mut self, Called { context, message }: Called<'_>) {
        let is_message = matches!(context.call_type, CallType::MessageRemoved | CallType::MessageNotRemoved);
        match message {
            // It is still where it was, and was not given.
            Some(_) if context.reason == Some(Reason::TRUNCATED_MSG_FAILED) => self.reason = context.reason,
            Some(Message { descriptor, options, body }) if is_message => self.messages.push(Reply::Message {
                token: options.message_token,
                descriptor: Box::new(descriptor.clone()),
                body: body.clone(),
                data_length: context.data_length,
                warning: context.reason,
            }),
            _ if context.call_type == CallType::Event => self.reason = context.reason,
            _ => {}
        }
    }
}

/// Registers a consumer, has it called until it stops, and registers it no longer.
pub(super) fn consume<V: Listen + Send + 'static>(
    connection: &Connection<V>,
    handle: ObjectHandle,
    asked: Consume,
    (descriptor, options, bytes_max): (&MessageDescriptor, &GetOptions, usize),
) -> Reply {
    let told = Arc::new(Mutex::new(Told::default()));
    let consumer = {
        let told = Arc::clone(&told);
        Description::consumer(move |inside, called| {
            let mut told = told.lock();
            told.note(called);
            if told.reason.is_some() || told.messages.len() >= asked.messages_max {
                // It cannot fail while consumers are called.
                let _ = inside.control(Operation::STOP, 0);
            }
        })
    };
    let consumer = consumer
        .with(CallbackOptions(asked.options).and(CallbackOptions::EVENT_CALL))
        .of_at_most(i32::try_from(bytes_max).unwrap_or(i32::MAX));
    let registered =
        connection.callback(Operation(asked.operation), Some(consumer), handle, descriptor, options);
    let called = registered.and_then(|()| {
        let called = connection.control(Operation::START_WAIT, constants::MQCTLO_FAIL_IF_QUIESCING);
        connection.callback(Operation::DEREGISTER, None, handle, descriptor, options)?;
        called
    });
    let told = std::mem::take(&mut *told.lock());
    Reply::Messages {
        messages: told.messages,
        reason: called.map_or_else(Some, |warning| warning.or(told.reason)),
    }
}
