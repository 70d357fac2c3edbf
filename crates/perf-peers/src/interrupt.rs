//! Ctrl-C: the first ends the comparison in order, the second at once; both with all that it has made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use perf::belongings;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// The exit code of a process that Ctrl-C ended, as shells know it.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Who does not come to an end within this after the first Ctrl-C, since a broker does not answer or a package is being installed, is
/// ended as by the second. The messages that are under way when a turn ends are accounted for in much less.
const GRACE: Duration = Duration::from_secs(10);

/// Listens from now on; what it returns is set by the first.
pub(crate) fn listen() -> Result<Arc<AtomicBool>> {
    let wanted = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen for Ctrl-C")?;
    let (sender, presses) = mpsc::channel();
    let listener = thread::Builder::new().name("signals".to_owned());
    listener.spawn(move || signals.forever().try_for_each(|_| sender.send(())))?;
    let ender = thread::Builder::new().name("end".to_owned());
    let first = Arc::clone(&wanted);
    ender.spawn(move || {
        if presses.recv().is_ok() {
            first.store(true, Ordering::Relaxed);
            if presses.recv_timeout(GRACE) == Err(mpsc::RecvTimeoutError::Timeout) {
                eprintln!("it has not come to an end for {GRACE:?}: it is ended");
            }
            belongings::end(ENDED_BY_INTERRUPT);
        }
    })?;
    Ok(wanted)
}
