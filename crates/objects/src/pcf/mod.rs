//! Commands and answers in the binary form that programs use.
//!
//! Lives here: messages as bytes and back (`structure`), the numbers of commands on objects (`families`), the
//! parameters of a program's message (`parameters`), its request (`request`), the messages that carry an
//! answer (`response`), the lengths of the texts that the queue manager writes (`lengths`), and messages that
//! note their own way (`traced`).
//! Lives elsewhere: the attributes, which are the same rows as those of the text form (`attributes`), doing
//! what is asked (`queue-manager`), getting and putting the messages (`server`).
//!
//! Always: no bytes make decoding panic. Everything that can be set or shown as text can be set or shown in
//! this form, since both are made from the rows.

pub(crate) mod families;
mod lengths;
pub(crate) mod parameters;
mod request;
mod response;
mod secrets;
pub(crate) mod structure;
#[cfg(test)]
mod tests;
mod traced;

pub use lengths::Lengths;
pub use parameters::Refusal;
pub use request::{Names, Request, request};
pub use response::{Place, definition_parameters, refusal, responses, responses_of_page};
pub use secrets::without_secrets;
pub use structure::{ByteOrder, Content, DecodeError, Header, Message, NESTING_MAX, Parameter};
pub use traced::{TraceFate, TraceRoute, Traced, activity_report, read_activity_report};
