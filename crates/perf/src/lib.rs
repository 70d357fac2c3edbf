//! Workload generator: what `ferry bench` runs.
//!
//! Lives here: workloads (`request_reply`, one `beside` another or `idle` connections, `one_way`, `publish`,
//! `subscriptions`, `slow_subscribers`, `correlation`, `restart`, `fastpath`, `relay`), files of them for tables
//! and charts (`workloads`), how they reach a queue manager (`access`, `server_process`, `target`), what of theirs must end with
//! them (`belongings`) and when that is (`interrupt`), what they measure
//! with (`latency`, `processor`, `flushes`, `machine`, `program`, `floors`, `run`, `tally`), how they say what they found (`report`) and keep it (`rows`),
//! and a page of it beside what was published (`reports`).
//! Lives elsewhere: the options people type (`cli`), drivers for other brokers (`perf-peers`).
//!
//! Always: a result names the command, the machine and the spread; a run whose messages are not all accounted for
//! is refused, not reported.

pub mod access;
pub mod belongings;
pub mod beside;
pub mod compare;
pub mod correlation;
pub mod fastpath;
pub mod floors;
pub mod flushes;
mod idle;
pub mod interrupt;
pub mod latency;
pub mod limit;
pub mod machine;
pub mod one_way;
pub mod processor;
pub mod program;
pub mod progress;
pub mod publish;
mod queue;
pub mod relay;
pub mod report;
pub mod reports;
pub mod request_reply;
pub mod restart;
pub mod rows;
pub mod run;
pub mod server_process;
pub mod slow_subscribers;
pub mod subscriptions;
pub mod tally;
pub mod target;
pub mod workloads;
