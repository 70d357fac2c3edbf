//! Workload generator: what `ferry bench` runs.
//!
//! Lives here: workloads (`request_reply`, one `beside` another or `idle` connections, `one_way`, `publish`,
//! `subscriptions`, `slow_subscribers`, `correlation`, `restart`, `fastpath`, `relay`, `size`), files of them
//! for tables and charts (`workloads`), their way to a queue manager (`access`, `line`, `server_process`,
//! `target`, `partner`), clients in processes of their own (`told`) and by JMS (`jms`), their belongings,
//! which end with them (`belongings`, on Ctrl-C by `interrupt`), their measuring (`latency`, `pace`,
//! `processor`, `flushes`, `network`, `machine`, `program`, `floors`, `run`, `tally`, `bodies`), their
//! results in print (`report`) and in files (`rows`), a page of these beside published ones (`reports`), and
//! the requirements that those put to us (`requirements`).
//! Lives elsewhere: the options people type (`ferry-bench`), drivers for other brokers (`perf-peers`).
//!
//! Always: a result names the command, the machine and the spread. A run with a message that is not accounted
//! for is refused, not reported.

pub mod access;
pub mod belongings;
pub mod beside;
pub mod bodies;
pub mod compare;
pub mod coordinator;
pub mod correlation;
pub mod fastpath;
pub mod floors;
pub mod flushes;
mod idle;
pub mod interrupt;
pub mod jms;
pub mod latency;
pub mod limit;
pub mod line;
pub mod machine;
mod network;
pub mod one_way;
mod pace;
mod partner;
pub mod processor;
pub mod program;
pub mod progress;
pub mod publish;
mod queue;
pub mod relay;
pub mod report;
pub mod reports;
pub mod request_reply;
pub mod requirements;
pub mod restart;
pub mod rows;
pub mod run;
pub mod server_process;
pub mod size;
pub mod slow_subscribers;
pub mod subscriptions;
pub mod tally;
pub mod target;
mod told;
pub mod workloads;
