//! Ctrl-C as a wish that long work looks at: the first ends it in order, the second at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};

/// A request to end this command.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

/// Interval at which a thread that waits for something else checks for an end.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// The exit code of a process that a second Ctrl-C ended, as shells know it.
const ENDED_BY_INTERRUPT: i32 = 130;

impl Interrupt {
    /// Listens from now on.
    pub(crate) fn listen() -> io::Result<Self> {
        let wanted = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            signal_hook::flag::register_conditional_shutdown(
                signal,
                ENDED_BY_INTERRUPT,
                Arc::clone(&wanted),
            )?;
            signal_hook::flag::register(signal, Arc::clone(&wanted))?;
        }
        Ok(Self(wanted))
    }

    /// True if it was asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Waits for so long, or until it is asked for.
    pub(crate) fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        while !self.is_wanted() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::sleep(left.min(LOOK_AGAIN));
        }
    }
}
