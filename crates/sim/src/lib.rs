//! Deterministic simulation, the recorder and checker, the model, the torture figures.
//!
//! Lives here: [`history`], which records what clients were told and judges whether it can be true;
//! [`scenario`], the verbs' behaviour as Markdown that runs; [`rig`], which cuts the power of a real file
//! system; [`processes`], which tortures the shipped program itself; [`results`] and [`traces`], which keep
//! what came of all that; [`torture`], which cuts the power of something with queues on a simulated machine
//! and compares what is there afterwards with a model; the [`subjects`] it does that to; [`network`], the
//! queue manager with its agents, clients and links in one thread; several threads at one queue
//! ([`concurrent`]) and the search for an order that explains what they were told ([`linear`]); a queue
//! manager of the machine without a server ([`offline`]); and the [`figures`] that count how often it was
//! done.
//!
//! Lives elsewhere: the machine that misbehaves (`platform::simulated`).
//!
//! Always: the same seed gives the same run; a run that failed replays from the one command it printed.

pub mod concurrent;
pub mod figures;
pub mod history;
mod inbox;
pub mod linear;
pub mod network;
pub mod offline;
#[cfg(feature = "planted")]
pub mod planted;
pub mod processes;
pub mod results;
pub mod rig;
pub mod scenario;
#[cfg(feature = "shuttle")]
pub mod schedules;
pub mod subjects;
pub mod torture;
pub mod traces;

/// Does the same work on a thread for each processor; what came of it.
///
/// # Panics
/// When the work does.
pub fn on_every_processor<T: Send>(work: impl Fn() -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(&work)).collect();
        threads.into_iter().map(|thread| thread.join().expect("the work does not panic")).collect()
    })
}
