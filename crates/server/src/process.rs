//! What only a process of a queue manager's own needs: signals, panics, the end by its own decision.

use std::io;

use rustix::process::Signal;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::ending::Mode;
use crate::errors::{self, ErrorLog};
use crate::lifecycle::Server;

/// The exit code of a process that ended by its own decision.
pub const FAILED: i32 = 70;

/// The exit code of a process that was told twice to end.
pub const CUT_OFF: i32 = 130;

/// Ends a queue manager once the calls under way have ended. [`instances::signal`](crate::instances::signal) sends it to one that lets
/// nobody in any more, since it waits for its programs.
pub(crate) const END_IMMEDIATELY: Signal = Signal::USR1;

/// Gives the process to the queue manager: signals end it, a broken invariant leaves a first-failure record and ends
/// the process. Returns when the queue manager has ended. `ready` is called when signals are watched, so whoever reads what it says may
/// signal at once.
///
/// # Errors
/// When the system does not let signals be watched, or `ready` fails: then the queue manager ends.
pub fn run(server: Server, ready: impl FnOnce(&Server) -> io::Result<()>) -> io::Result<()> {
    watch_panics(server.errors().clone());
    let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = Signals::new([SIGTERM, SIGINT, END_IMMEDIATELY.as_raw()].into_iter().chain(hang_up))?;
    let handle = signals.handle();
    let ending = server.ending();
    let watcher = std::thread::Builder::new().name("ferry-signals".to_owned()).spawn(move || {
        let mut signalled = false;
        for signal in signals.forever() {
            let name = signal_hook::low_level::signal_name(signal).unwrap_or("a signal");
            if signal == END_IMMEDIATELY.as_raw() {
                ending.ask(Mode::Immediate, name);
                continue;
            }
            if signalled {
                // What was acknowledged is in the log; what was not needs no goodbye.
                ending.ask(Mode::Preemptive, &format!("a second signal, {name}"));
                std::process::exit(CUT_OFF);
            }
            signalled = true;
            ending.ask(Mode::Quiesce, name);
        }
    })?;
    ready(&server)?;
    server.wait();
    handle.close();
    // The watcher does nothing else than watch.
    let _ = watcher.join();
    Ok(())
}

/// Whether this process was started so that it does not hear of a signal: nohup does that, for what is to outlive its terminal.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}

/// Ends the process: going on could harm messages. What was acknowledged is in the log.
pub(crate) fn end_by_own_decision(errors: &ErrorLog, what: &str, context: &str) -> ! {
    let record = errors.failure(what, context);
    match record {
        Some(path) => errors::say(format!("{what}\nfirst-failure record: {}", path.display())),
        None => errors::say(what),
    }
    std::process::exit(FAILED);
}

/// A panic is a broken invariant: it is recorded, and the process ends, so that a restart comes from the log.
fn watch_panics(errors: ErrorLog) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        before(panic);
        let what = format!("an invariant is broken: {panic}");
        end_by_own_decision(&errors, &what.replace('\n', " "), "");
    }));
}
