//! Shared by the tests and the judges of several crates.
//!
//! ```text
//! sim ──▶ scenario ──┐
//!  └─────────────────┤
//! tests of cli and   ├──▶ testing with its feature `engine` ──▶ queue-manager
//! server ────────────┘
//!
//! rigs, perf-peers ─────▶ testing ──▶ platform
//! ```
//!
//! Lives here: the recorder and the judge of what clients were told ([`history`]), and of messages that go
//! from one queue manager to another ([`ledger`]); TCP between two processes that is cut where chance has it
//! ([`lines`]); the file of results ([`results`]); work for every processor ([`threads`]); waits for other
//! threads ([`waiting`]); with the feature `engine`, a queue manager without a server and doubles of what
//! hosts give it (`engine`).
//!
//! Lives elsewhere: the machine that misbehaves (`platform::simulated`); the calls that are judged
//! (`scenario`, `sim`, `rigs`).
//!
//! Always: without the feature nothing of the engine is below this crate, so that rigs know the product by
//! its programs alone.

#[cfg(feature = "engine")]
pub mod engine;
pub mod history;
pub mod ledger;
pub mod lines;
pub mod results;
pub mod threads;
pub mod waiting;
