//! The choice of the log's writer: the reactor whose tick ends, or the log's own thread.
//!
//! A reactor that writes the block itself saves two wake-ups, which on a small machine cost as much as a
//! quick disk. But while it writes, it serves no connection. So it writes only while writes are short enough
//! that no program minds, or short and no other connection has traffic that needs no force.

use std::time::Duration;

use crate::configuration::LogWriter;

/// Longest that a force holds up traffic that does not need it.
const STALL_MAX: Duration = Duration::from_micros(200);

/// Chooses the writer of the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driving {
    pub(crate) writer: LogWriter,
    pub(crate) inline_max: Duration,
}

impl Driving {
    /// True if the reactor writes: `recent` is the recent duration of writes, and `holds_up` is true if
    /// another program would wait for it.
    pub(crate) fn inline(self, recent: Duration, holds_up: bool) -> bool {
        match self.writer {
            LogWriter::Inline => true,
            LogWriter::Thread => false,
            LogWriter::Auto if holds_up => recent <= STALL_MAX.min(self.inline_max),
            LogWriter::Auto => recent <= self.inline_max,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_writes_are_inline_and_others_only_when_nobody_waits_for_them() {
        let auto = Driving { writer: LogWriter::Auto, inline_max: Duration::from_micros(500) };
        for (micros, holds_up, expected) in
            [(0, true, true), (150, true, true), (300, true, false), (300, false, true), (501, false, false)]
        {
            assert_eq!(auto.inline(Duration::from_micros(micros), holds_up), expected, "{micros} {holds_up}");
        }
        let slow = Duration::from_secs(1);
        assert!(Driving { writer: LogWriter::Inline, ..auto }.inline(slow, true));
        assert!(!Driving { writer: LogWriter::Thread, ..auto }.inline(Duration::ZERO, false));
    }
}
