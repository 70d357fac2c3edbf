//! Duties of a process that is a queue manager's own: signals, panics, the end by its own decision.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

use crate::ending::{END_IMMEDIATELY, Ending, Mode};
use crate::errors::{self, ErrorLog};
use crate::exit::end_by_own_decision;
use crate::lifecycle::{Options, Server, StartError};
use crate::service_manager::Telling;

pub use crate::exit::{CUT_OFF, FAILED};

/// A queue manager whose own this process is: signals end it, a broken invariant leaves a first-failure
/// record and ends the process.
pub struct Owner {
    server: Server,
    signals: Watch,
}

impl Owner {
    /// Starts it. Signals are watched from before on: one that comes meanwhile ends it in order as soon as it
    /// has started, where the system would end the process, and with it what an end in order keeps.
    ///
    /// # Errors
    /// As for [`Server::start`], or when the system does not let signals be watched.
    pub fn start(options: &Options) -> Result<Self, StartError> {
        let ending = Arc::<Ending>::default();
        leave_no_core();
        let watched = Watch::begin(Arc::clone(&ending));
        let signals =
            watched.map_err(|source| StartError::Io { what: "watch signals".to_owned(), source })?;
        let server = Server::start_with(options, ending)?;
        watch_panics(server.errors().clone());
        Ok(Self { server, signals })
    }

    /// The running server.
    #[must_use]
    pub fn server(&self) -> &Server {
        &self.server
    }

    /// Returns when it has ended. `ready` is called first.
    ///
    /// # Errors
    /// When `ready` fails, other than for a full disk: then the queue manager ends.
    pub fn run(self, ready: impl FnOnce(&Server) -> io::Result<()>) -> io::Result<()> {
        match ready(&self.server) {
            // The output is a file on a full disk. Others know by now that the queue manager runs.
            Err(error) if is_lack_of_space(&error) => {}
            told => told?,
        }
        // A service manager that cannot be told waits for the word that it is ready: that is no start.
        let telling = Telling::begin(self.server.watched())?;
        self.server.wait();
        drop(telling);
        drop(self.signals);
        Ok(())
    }
}

fn is_lack_of_space(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

/// Has the process leave no core when it fails: one would have keys and bodies. The maximum stays as it is,
/// so that an administrator may ask for one by `prlimit --pid PROCESS --core=unlimited`.
fn leave_no_core() {
    let maximum = getrlimit(Resource::Core).maximum;
    // A system that refuses leaves the limit that there is, of which `ferry doctor` tells.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum });
}

/// The thread that watches signals, until this is dropped.
struct Watch {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Watch {
    fn begin(ending: Arc<Ending>) -> io::Result<Self> {
        let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let signals = [SIGTERM, SIGINT, END_IMMEDIATELY.as_raw()].into_iter().chain(hang_up);
        let mut signals = Signals::new(signals)?;
        let handle = signals.handle();
        let watch = move || {
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
        };
        let thread = std::thread::Builder::new().name("ferry-signals".to_owned()).spawn(watch)?;
        Ok(Self { handle, thread: Some(thread) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.handle.close();
        // It does nothing else than watch.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// True if this process was started to ignore a signal: nohup does that, for programs that are to outlive
/// their terminal.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask & (1 << (signal - 1)) != 0
}

/// A panic is a broken invariant: it is recorded, and the process ends, so that a restart comes from the log.
fn watch_panics(errors: ErrorLog) {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !errors::words_are_json() {
            before(panic);
        }
        let what = format!("an invariant is broken: {panic}").replace('\n', " ");
        end_by_own_decision(&what, || errors.broken_invariant(&what));
    }));
}
