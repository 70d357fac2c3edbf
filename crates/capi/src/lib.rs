//! The message queue interface in C.
//!
//! Lives here: the structures as C programs lay them out ([`layout`]); the headers those programs are compiled with
//! are beside the sources, in `include`.
//!
//! Lives elsewhere: what the calls do (`client`), the vocabulary (`mqi`), the tables that layouts and headers are made
//! from (`crates/mqi/facts`).

pub mod layout;
