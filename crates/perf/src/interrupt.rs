//! Ctrl-C, or the signal to terminate. The first ends a bench in order, the second at once; both take along
//! all that it made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::belongings;
use crate::progress::say;

/// The exit code of a process that Ctrl-C ended, as shells know it.
const ENDED_BY_INTERRUPT: i32 = 130;

/// Listens from now on; the returned flag is set by the first. A bench that does not end within `grace` after
/// it is ended as by the second; without `grace` it has all the time.
///
/// # Errors
/// When the system has no signals or threads to give.
pub fn listen(grace: Option<Duration>) -> Result<Arc<AtomicBool>> {
    let wanted = Arc::new(AtomicBool::new(false));
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen for Ctrl-C")?;
    let (sender, presses) = mpsc::channel();
    let listener = thread::Builder::new().name("signals".to_owned());
    listener.spawn(move || signals.forever().try_for_each(|_| sender.send(())))?;
    let ender = thread::Builder::new().name("end".to_owned());
    let first = Arc::clone(&wanted);
    ender.spawn(move || {
        if presses.recv().is_err() {
            return;
        }
        first.store(true, Ordering::Relaxed);
        let second = match grace {
            Some(grace) => presses.recv_timeout(grace),
            None => presses.recv().map_err(RecvTimeoutError::from),
        };
        if let (Err(RecvTimeoutError::Timeout), Some(grace)) = (second, grace) {
            say(&format!("it has not come to an end for {grace:?}: it is ended"));
        }
        belongings::end(ENDED_BY_INTERRUPT);
    })?;
    Ok(wanted)
}
