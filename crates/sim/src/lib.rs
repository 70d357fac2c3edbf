//! Deterministic simulation, the recorder and checker, the model, the torture figures.

pub mod rig;
