//! Who gave a command, as command and configuration events tell.

use mqi::MessageDescriptor;
use objects::pcf;

/// Whoever gave a command.
#[derive(Clone, Debug, Default)]
pub struct Issuer {
    /// The user; blank where the queue manager does not know.
    pub user: String,
    /// How the command came.
    pub came: Came,
}

/// How a command came.
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
}
