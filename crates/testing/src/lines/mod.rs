//! TCP between two processes that is cut where chance has it.
//!
//! Lives here: a line that carries bytes and is cut ([`Line`]), cuts that follow from a seed ([`Cut`]), and
//! the network that an end of a line is in ([`Namespace`]).
//!
//! Lives elsewhere: the processes at its ends, and the judge of what they hand over (`rigs`, `perf-peers`).
//!
//! Always: a line knows nothing of the bytes it carries.

mod cut;
mod line;
mod namespace;

pub use cut::{Cut, Manner};
pub use line::Line;
pub use namespace::Namespace;
