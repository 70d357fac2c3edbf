//! Workload generator: what `ferry bench` runs.
//!
//! Lives here: workloads (`request_reply`, `correlation`, `restart`, `fastpath`), how they reach a queue manager
//! (`access`, `server_process`), what they measure with (`latency`, `processor`, `machine`) and how they say what
//! they found (`report`).
//! Lives elsewhere: the options people type (`cli`), drivers for other brokers (`perf-peers`).
//!
//! Always: a result names the command, the machine and the spread; a run whose messages are not all accounted for
//! is refused, not reported.

pub mod access;
pub mod correlation;
pub mod fastpath;
pub mod latency;
pub mod machine;
pub mod processor;
pub mod report;
pub mod request_reply;
pub mod restart;
pub mod server_process;
