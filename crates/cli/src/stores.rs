//! The choices of a command on the stores of a queue manager: its keys and its users.

use server::DataDirectory;

use terminal::common::Common;

/// The choices.
pub(crate) struct Whose<'a> {
    /// The options of every command.
    pub(crate) common: &'a Common,
    /// The data directory with the queue manager.
    pub(crate) data: &'a DataDirectory,
    /// The channel that was named.
    pub(crate) channel: Option<&'a str>,
}
