//! Parts of every program at a person's terminal: `ferry` and `ferry-bench`.
//!
//! Lives here: options that all commands take (`common`), the queue manager that is meant and a connection
//! to it (`connect`, `unconnected`, `password`, `contexts`), errors that name the thing, the reason and the
//! next step, and their exit codes (`failure`), next steps (`next_step`), output that a closed pipe or a full
//! disk does not lose (`output`, `durable_output`, `reader`), failures of key stores and of the users' file
//! (`stores`), numbers with units (`units`).
//! Lives elsewhere: the commands themselves (`cli`, `ferry-bench`).
//!
//! Always: results go to standard output, everything else to standard error; the exit code is one of six.

// These panic where the stream takes nothing; `output` has what does not.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod common;
pub mod connect;
pub mod contexts;
pub mod durable_output;
pub mod failure;
pub mod next_step;
pub mod output;
pub mod password;
pub mod reader;
mod stores;
mod unconnected;
pub mod units;
