//! Queue managers with message channels between them, in one thread from one seed.
//!
//! ```text
//! putter ─verbs─▶ S0 ──MessageChannel──link──MessageChannel──▶ S1 … ──▶ S0
//! ```
//!
//! Two to five queue managers stand in a ring, each with a channel to the next; messages for those further
//! away go on from one to the next. Putters put messages for any of them, in units of work and outside. A
//! scheduler draws one that does something next: a putter, a call, bytes that arrive, an agent, a log, a job,
//! time. Links are cut at any byte, the power of one queue manager fails and any part of what was being
//! written survives, queues are closed for puts for a while.
//!
//! Then everything is healed. Within a bound of simulated time every persistent message that its putter was
//! told of must be on its queue or the dead-letter queue, once, and in order. No batch may wait for a person.
//!
//! Lives here: one queue manager with its ends of links (`site`), the scheduler (`run`).
//! Lives elsewhere: links (`super::link`), the judge ([`testing::ledger`]).
//!
//! Always: the same seed gives the same trace.

#[cfg(test)]
mod attributes;
mod run;
mod site;
#[cfg(test)]
mod tests;

pub use run::{Relay, simulate_channels, simulate_restore};
