//! The process: configuration, listeners, threads, lifecycle, error log, the embedded queue manager.
//!
//! Lives here: [`Server`], a queue manager that runs in this process and serves connections; what an
//! administrator sets ([`Configuration`]) and reads ([`ErrorLog`]); where queue managers live
//! ([`DataDirectory`]) and how to manage them from outside ([`instances`]).
//!
//! Lives elsewhere: sockets (`transport`), conversations (`agents`), everything a queue manager decides
//! (`queue-manager`).

// These panic where the stream takes nothing.
#![warn(clippy::print_stderr, clippy::print_stdout)]

pub mod audit;
pub mod backups;
mod board;
pub mod bounded_input;
mod channels;
mod commands;
pub mod configuration;
mod control;
mod counted;
mod covers;
mod denials;
pub mod directory;
mod driving;
pub mod durable_files;
pub mod embedded;
pub mod ending;
pub mod errors;
mod exit;
mod exposure;
mod failures;
pub mod files;
mod folder_creation;
pub mod foreign;
mod gathering;
pub mod health;
mod host;
pub mod ini;
pub mod instances;
mod keeper;
mod kibibytes;
pub mod lifecycle;
mod listeners;
mod local_group;
mod locks;
mod logins;
#[cfg(all(test, feature = "loom"))]
mod models;
mod monitoring;
pub mod msmq;
pub mod process;
pub mod promises;
mod revocations;
mod runtime_state;
mod secrets;
mod service_manager;
mod serving;
mod settings_file;
mod sleeping;
mod statistics;
mod storage_locations;
mod strangers;
mod threads;
mod trimming;
mod users;

pub use channels::Names;
pub use configuration::Configuration;
pub use control::ControlCommand;
pub use counted::Counted;
pub use directory::{DataDirectory, Folder};
pub use ending::Mode;
pub use errors::{ErrorLog, FailureRecord};
pub use folder_creation::{Audience, Unfinished, Work};
pub use lifecycle::{Options, Server, StartError};
pub use queue_manager::IN_DOUBT_LONG;
pub use runtime_state::{Running, State, UnexpectedEnd, separated};
pub use storage_locations::foreign as foreign_folder;
