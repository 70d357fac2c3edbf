//! The simulation as its users see it.

mod scenarios;
