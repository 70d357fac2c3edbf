//! The engine through its face, on a simulated machine, driven by hand.

mod administration;
mod browsing;
mod configuration;
mod damage;
mod expiring;
mod gating;
mod getting;
mod grouping;
mod handing;
mod keeping;
mod memory;
mod model;
mod opening;
mod publishing;
mod remote;
mod reporting;
mod resolving;
mod restarting;
mod selecting;
mod selectors;
mod space;
mod subscribing;
mod support;
mod threads;
mod triggering;
mod units;
