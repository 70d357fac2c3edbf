//! The figures: how often something was tortured in which way, and how often it failed.
//!
//! Lives here: [`Figure`] (one way), [`Tally`] (its counts), [`run()`] (seeds until enough), the figures
//! themselves, one file each.
//!
//! Always: a figure's cases follow from its seed alone; a failure names the command that replays it.

mod ahead;
mod bits;
mod emptied;
mod figure;
mod full_disk;
mod images;
mod mqi;
mod r1;
mod r10;
mod r12;
mod r18;
mod r2;
mod r6;
mod r7;
mod r8;
mod refused_puts;
mod run;
mod sim;
mod sim_bridge;
mod tally;

#[cfg(test)]
mod tests;

pub use ahead::Ahead;
pub use bits::Bits;
pub use figure::Figure;
pub use images::AutomaticImages;
pub use mqi::Mqi;
pub use r1::R1;
pub use r2::R2;
pub use r6::R6;
pub use r7::R7;
pub use r8::R8;
pub use r10::{R10, R11Restore};
pub use r12::R12;
pub use r18::R18;
pub use run::{Effort, Report, digest, run};
pub use sim::{Sim, SimAmqp};
pub use sim_bridge::SimBridge;
pub use tally::{Failure, Tally};
