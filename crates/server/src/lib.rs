//! The process: configuration, listeners, threads, lifecycle, error log, the embedded queue manager.

pub mod configuration;
pub mod directory;
pub mod errors;
pub mod instances;

pub use configuration::Configuration;
pub use directory::{DataDirectory, Folder};
pub use errors::ErrorLog;
