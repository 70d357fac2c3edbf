//! The issuer of a command, as the door judges it and events tell of it.

use mqi::MessageDescriptor;
use objects::pcf;
use queues::ground::host::LoginNumber;
use security::Principal;

/// The issuer of a command.
#[derive(Clone, Debug)]
pub struct Issuer {
    /// The user whose rights count.
    pub principal: Principal,
    /// Route of the command.
    pub came: Came,
    /// The login of its connection, where the host keeps one.
    pub login: Option<LoginNumber>,
}

impl Default for Issuer {
    /// The program that has the queue manager in its process.
    fn default() -> Self {
        Self { principal: Principal::of_process(), came: Came::default(), login: None }
    }
}

/// Route of a command.
#[derive(Clone, Debug, Default)]
pub enum Came {
    /// As text, from a person or a script.
    #[default]
    AsText,
    /// As a message, whose context this is.
    AsMessage {
        /// The context.
        context: Box<MessageDescriptor>,
        /// The command in binary form, unless the message held text.
        binary: Option<Box<pcf::Message>>,
    },
    /// For a later page of an answer: an event told of the command with the first.
    ForLaterPage,
}
