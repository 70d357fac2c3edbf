//! Ctrl-C as a wish that long work looks at: the first ends it in order, the second at once. What leaves processes and files behind
//! then listens by `perf::interrupt`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};

/// Whether somebody wants this to end.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

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

    /// Whether it was asked for.
    pub(crate) fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
