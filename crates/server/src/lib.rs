//! The process: configuration, listeners, threads, lifecycle, error log, the embedded queue manager.

pub mod configuration;

pub use configuration::Configuration;
