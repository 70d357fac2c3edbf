//! The process: configuration, listeners, threads, lifecycle, error log, the embedded queue manager.

pub mod configuration;
pub mod errors;

pub use configuration::Configuration;
pub use errors::ErrorLog;
