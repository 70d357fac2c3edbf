//! Commands and answers in the binary form that programs use.
//!
//! Lives here: messages as bytes and back (`structure`), which number means which command (`commands`), a
//! message of a program to what it asks for (`request`), an answer to the messages that carry it
//! (`response`), and the lengths of the texts in what the queue manager writes (`lengths`).
//! Lives elsewhere: the attributes, which are the same rows as those of the text form (`attributes`), doing what is
//! asked (`queue-manager`), getting and putting the messages (`server`).
//!
//! Always: no bytes make decoding panic; whatever can be set or shown as text can be set or shown in this form, since
//! both are made from the rows.

mod commands;
mod lengths;
mod request;
mod response;
mod structure;
#[cfg(test)]
mod tests;

pub use commands::command_number;
pub use lengths::Lengths;
pub use request::{Names, Refusal, Request, request};
pub use response::{definition_parameters, refusal, responses};
pub use structure::{ByteOrder, Content, DecodeError, Header, Message, NESTING_MAX, Parameter};
