//! The message queue interface in C.
//!
//! Lives here: the structures as C programs lay them out ([`layout`]), the functions they call ([`calls`]), their
//! connections by handle (`connections`), bags of parameters (`bags`), switches of transaction managers ([`xa`]), what they may say about where to connect ([`places`]) and how that is done
//! (`opening`); the headers those programs are compiled with are beside the sources, in `include`.
//!
//! Lives elsewhere: what the calls do (`client`, and `server` for a queue manager in the program's own process), consumers
//! (`callbacks`), the vocabulary (`mqi`), the tables that layouts and headers are made from (`crates/mqi/facts`).
//!
//! Always: the program's memory is touched in `memory` alone, and never behind the version or length that the program
//! states; no panic crosses to the program.

mod bags;
mod boundary;
pub mod calls;
mod connections;
pub mod layout;
mod memory;
mod opening;
pub mod places;
mod process;
mod translate;
pub mod xa;
