//! Storage as the engine uses it, on the machine's disk and on the simulated one.

#![allow(unreachable_pub)]

mod basics;
mod copying;
mod crash;
mod faults;
mod flips;
mod foreign;
mod given;
mod hostile;
mod inspecting;
mod mending;
mod restating;
mod room;
mod rot;
mod spare;
mod support;
mod whereabouts;
