//! The log's news, as the host is told them.
//!
//! Lives here: [`Relay`], which the log calls while it is open. Lives elsewhere: the calls of a host
//! (`host`), reading a log that was found (`restart`).

use std::sync::Arc;
use std::time::Duration;

use storage::{Durable, Fatal, Observer};

use super::events;
use super::host::Host;

/// Tells the host what the log does.
pub struct Relay {
    host: Arc<dyn Host>,
    /// From when on something counts as slow.
    slow_io: Option<Duration>,
}

impl Relay {
    /// A relay to a host; operations of the disk slower than `slow_io` are told.
    pub fn new(host: Arc<dyn Host>, slow_io: Option<Duration>) -> Self {
        Self { host, slow_io }
    }
}

impl Observer for Relay {
    fn log_has_work(&self) {
        self.host.log_has_work();
    }

    fn durable(&self, _durable: Durable) {
        self.host.durable_advanced();
    }

    fn slow_io(&self, operation: &str, bytes: usize, micros: u64) {
        let threshold = self.slow_io.unwrap_or_default().as_micros().to_string();
        let inserts = [operation.to_owned(), bytes.to_string(), micros.to_string(), threshold];
        self.host.event(&events::SLOW_LOG.with(inserts));
    }

    fn failed(&self, failure: &Fatal) {
        self.host.failed(failure);
    }
}
