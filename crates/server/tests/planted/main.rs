//! The tests of faults put into the running server, and those of processes that these run. A program of their
//! own, so that nothing else is built again with the faults.

#[path = "../it/planted.rs"]
mod planted;
#[expect(dead_code, reason = "tests of `it` use the rest")]
#[path = "../it/processes.rs"]
mod processes;
#[expect(dead_code, reason = "tests of `it` use the rest")]
#[path = "../it/running.rs"]
mod running;
