//! The simulation as its users see it.

mod coverage;
mod scenarios;
