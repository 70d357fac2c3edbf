//! A queue manager that runs: over real sockets, in real processes.

mod embedded;
mod hostile;
mod lifecycle;
mod processes;
mod running;
mod serving;
