//! The host of a machine: the program around it, which carries its calls out with the verbs.
//!
//! Lives here: the way to a queue manager ([`Door`]), the way to a foreign system ([`Driver`]), and failures.
//! Lives in its files: the loop ([`pipe`]), the calls to the queue manager ([`local`]), the driver of another
//! FerryMQ ([`ferry`]), dead letters ([`dead_letters`]), the messages of a pipe on the state queue
//! ([`records`]). Lives elsewhere: sockets, threads, clocks and definitions (`ferry-bridge`).
//!
//! A pipe IN from another FerryMQ is one OUT with both sides exchanged: messages are taken there, in branches
//! there, and put here with the number of their batch.
//!
//! Always: calls are carried out one after the other, each to its answer. A failure gives both conversations
//! up.

pub mod dead_letters;
pub mod ferry;
pub mod local;
pub mod pipe;
mod records;
mod report;

use std::time::Duration;

use bytes::Bytes;
use mqi::branch::{BranchRefusal, Branches};
use mqi::{MessageDescriptor, Reason, Verbs};

use crate::exchange::{Event, Foreign};
use crate::refusal::{DeadReason, Refusal};
use crate::seat::Seat;

/// A row of a display: attributes and their values.
pub type Row = Vec<(String, String)>;

/// The way to a queue manager.
pub trait Door {
    /// Begins a conversation.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn connect(&mut self) -> Result<Box<dyn Verbs>, String>;

    /// Begins a conversation that ends the earlier one of its instance.
    ///
    /// # Errors
    /// Why there is none, in words; also when a later generation of the instance is there.
    fn begin(&mut self, instance: [u8; 16], generation: u64) -> Result<Box<dyn Verbs>, String>;

    /// Runs a DISPLAY.
    ///
    /// # Errors
    /// Why it failed, in words.
    fn display(&mut self, command: &str) -> Result<Vec<Row>, String>;
}

/// The way to a foreign system.
pub trait Driver {
    /// Carries a call out. A message that is sent comes with it, and so does the seat with
    /// [`Foreign::Connect`].
    ///
    /// # Errors
    /// The failure by which the session ends.
    fn call(&mut self, call: &Foreign, with: With<'_>, now: Duration) -> Result<Option<Event>, Failure>;

    /// Puts a dead letter on this side: with the messages that were sent since the last commit, or at once
    /// where a message is sent by itself.
    ///
    /// # Errors
    /// The failure by which the session ends.
    fn put_dead_letter(&mut self, _: &Outgoing, _: DeadReason) -> Result<(), Failure> {
        Err(Failure::Stop("a foreign system takes no dead letters".to_owned()))
    }

    /// Ends the session at once.
    fn reset(&mut self);
}

/// Things that a call to a foreign system takes along.
#[derive(Clone, Copy, Debug, Default)]
pub struct With<'a> {
    /// The message that is sent.
    pub message: Option<&'a Outgoing>,
    /// The seat of the pipe.
    pub seat: Option<&'a Seat>,
}

/// A message on its way out.
#[derive(Clone, Debug, PartialEq)]
pub struct Outgoing {
    /// The descriptor as it was got.
    pub got: MessageDescriptor,
    /// The body as it was got.
    pub got_body: Bytes,
    /// The message as it is sent, or why it has no form there.
    pub form: Result<Sendable, Refusal>,
    /// The reason for which it is a dead letter of the side that it is for, with the commit there.
    pub dead: Option<DeadReason>,
}

/// A message as it is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Sendable {
    /// The destination in the foreign system.
    pub destination: String,
    /// The descriptor.
    pub descriptor: MessageDescriptor,
    /// The body, with its properties in front.
    pub body: Bytes,
    /// The message without its properties, for a report on it.
    pub plain: Plain,
}

/// A message without properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// The descriptor, which describes the body.
    pub descriptor: MessageDescriptor,
    /// The body.
    pub body: Bytes,
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It passes: both conversations begin anew.
    #[error("{0}")]
    Broken(String),
    /// It stays until a person acts.
    #[error("{0}")]
    Stop(String),
}

impl Failure {
    /// The failure of a verb.
    fn of(doing: &str, reason: Reason) -> Self {
        Self::Broken(format!("{doing}: {reason}"))
    }
}

/// Makes a call on branches.
fn on_branches<T>(
    verbs: &mut dyn Verbs,
    mut call: impl FnMut(&mut dyn Branches) -> Result<T, BranchRefusal>,
) -> Result<Result<T, BranchRefusal>, Failure> {
    let mut answer = None;
    let taken = verbs.on_branches(&mut |branches| answer = Some(call(branches)));
    taken.map_err(|reason| Failure::of("the queue manager takes no calls on branches", reason))?;
    answer.ok_or_else(|| Failure::Broken("no answer to a call on a branch".to_owned()))
}

/// The refusal of a message by a queue manager; none for the failure of a connection or a server.
fn refusal_of(reason: Reason, text: String) -> Option<Refusal> {
    let is_of_message = matches!(
        reason,
        Reason::UNKNOWN_OBJECT_NAME
            | Reason::UNKNOWN_REMOTE_Q_MGR
            | Reason::UNKNOWN_OBJECT_Q_MGR
            | Reason::UNKNOWN_ALIAS_BASE_Q
            | Reason::OBJECT_TYPE_ERROR
            | Reason::NOT_AUTHORIZED
            | Reason::MSG_TOO_BIG_FOR_Q
            | Reason::MSG_TOO_BIG_FOR_Q_MGR
            | Reason::MSG_TOO_BIG_FOR_CHANNEL
            | Reason::MD_ERROR
            | Reason::FORMAT_ERROR
            | Reason::HEADER_ERROR
            | Reason::RFH_ERROR
            | Reason::OPTION_NOT_VALID_FOR_TYPE
            | Reason::PERSISTENT_NOT_ALLOWED
            | Reason::PUT_INHIBITED
            | Reason::Q_FULL
    );
    is_of_message.then(|| Refusal::permanent(DeadReason(reason.code()), text))
}
