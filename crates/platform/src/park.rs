//! Parking of threads.

/// Lets one thread sleep until another wakes it.
#[derive(Debug, Default)]
pub struct Parker {}
