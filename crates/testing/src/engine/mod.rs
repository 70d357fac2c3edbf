//! Doubles for tests that run the engine.
//!
//! Lives here: the outcomes of waits until a test looks at them ([`Inbox`]) and a queue manager in one thread
//! without a server ([`Offline`]).

mod inbox;
mod offline;

pub use inbox::Inbox;
pub use offline::Offline;
