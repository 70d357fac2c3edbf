//! Connections that do nothing while others work: what each costs the queue manager in memory.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result};
use mqi::Verbs;

use crate::access::Access;
use crate::processor;

/// Memory is read when it has not been asked for any more for so long.
const SETTLE: Duration = Duration::from_millis(300);

/// Connections, each with a conversation that is waiting for its program.
pub(crate) struct Idle {
    connections: Vec<Box<dyn Verbs + Send>>,
    /// Bytes for each that the queue manager's process has grown by since the way to it was made; none where
    /// that is not known. Growth counts from there and not from their connecting: memory kept of earlier ones
    /// would make them free.
    pub(crate) bytes_each: Option<f64>,
}

impl Idle {
    /// Makes so many.
    pub(crate) fn connect(access: &Arc<dyn Access>, count: usize) -> Result<Self> {
        if count == 0 {
            return Ok(Self { connections: Vec::new(), bytes_each: None });
        }
        let connected: Result<Vec<_>> = (0..count).map(|_| access.connect("ferry bench idle")).collect();
        let connections = connected.with_context(|| {
            format!(
                "cannot make {count} idle connections: the limit of open files may be too low (ulimit -n)"
            )
        })?;
        std::thread::sleep(SETTLE);
        let now = access.server_pid().and_then(processor::resident_bytes);
        let grown = now.zip(access.server_bytes_at_first()).map(|(now, first)| now.saturating_sub(first));
        let bytes_each = grown.map(|bytes| bytes as f64 / count as f64);
        Ok(Self { connections, bytes_each })
    }

    /// Ends them.
    pub(crate) fn disconnect(self) -> Result<()> {
        for mut connection in self.connections {
            connection.disconnect().context("an idle connection did not last")?;
        }
        Ok(())
    }
}
