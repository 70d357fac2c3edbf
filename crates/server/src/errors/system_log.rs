//! The log of the system, for an administrator who should know even if the disk of the queue manager takes
//! nothing.
//!
//! Always: a log that takes nothing now is passed over: no thread waits for it.

use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};

use objects::messages::Severity;

/// Most bytes of one entry: what every such log takes.
const ENTRY_BYTES_MAX: usize = 2 << 10;

/// Programs of their own, in the terms of syslog.
const FACILITY: u8 = 3 << 3;

/// The socket of the system's log.
#[derive(Debug)]
pub(super) struct SystemLog {
    path: PathBuf,
}

impl SystemLog {
    pub(super) fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Hands over one entry, in pieces where it is long.
    pub(super) fn write(&self, severity: Severity, text: &str) {
        if self.path.as_os_str().is_empty() {
            return;
        }
        let Ok(socket) = UnixDatagram::unbound() else { return };
        if socket.set_nonblocking(true).is_err() {
            return;
        }
        let level = match severity {
            Severity::Information => 6,
            Severity::Warning => 4,
            Severity::Error => 3,
        };
        let mut rest = text.trim_end();
        while !rest.is_empty() {
            let (piece, more) = rest.split_at(rest.floor_char_boundary(ENTRY_BYTES_MAX));
            let entry = format!("<{}>ferry[{}]: {piece}", FACILITY | level, std::process::id());
            // There may be no such log, or one that is full.
            let _ = socket.send_to(entry.as_bytes(), &self.path);
            rest = more;
        }
    }
}
