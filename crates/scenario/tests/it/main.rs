//! Scenarios as their users see them.

mod coverage;
mod scenarios;
