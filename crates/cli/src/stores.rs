//! The choices of a command on the stores of a queue manager: its keys and its users.

use server::DataDirectory;

use terminal::output::Format;

/// The choices.
pub(crate) struct Whose<'a> {
    /// The data directory with the queue manager.
    pub(crate) data: &'a DataDirectory,
    /// The form of what is printed.
    pub(crate) format: Format,
    /// The channel that was named.
    pub(crate) channel: Option<&'a str>,
}
