//! The engine through its face, on a simulated machine, driven by hand.

mod administration;
mod getting;
mod support;
