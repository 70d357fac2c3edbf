//! The survival of the shipped program: a `ferry` that is killed, loses its power or its disk space, or whose
//! clock is set, with clients at work.
//!
//! Lives here: an installation to do that to ([`Installation`]), the clients at work and the audit afterwards
//! ([`load`]), and the figures: kills ([`kills`]), power cuts ([`power`]), a disk that is full ([`full`]),
//! clocks that step ([`clocks`]), lines between queue managers that are cut ([`channels`]), programs of the
//! same machine that are killed ([`bound`]) beside a witness of the disk ([`witness`]), the time a start
//! takes ([`starts`]), health in troubles ([`health`]), a disk that is slow ([`slow_disk`]), limits of the
//! system ([`limits`]), many programs ([`many_clients`]), subscribers that stand still ([`slow_readers`]),
//! queues at their quota ([`quotas`]),
//! hours of work ([`soak`]), attacks ([`security`]). Looks from outside are in `looks`, control groups in
//! `groups`, the devices that are cut and slow in [`disk`].
//!
//! Lives elsewhere: the same on a simulated machine, from a seed (`sim`); the judges ([`testing::history`],
//! [`testing::ledger`]) and the lines that are cut ([`testing::lines`]).
//!
//! Always: real processes and real files, so the seed gives the same intentions and not the same run; a layer
//! that cannot be had here is reported as skipped, which is not a pass.

pub mod bound;
pub mod channels;
pub mod clocks;
pub mod disk;
pub mod full;
mod groups;
pub mod health;
mod installation;
pub mod kills;
pub mod limits;
pub mod load;
mod looks;
pub mod many_clients;
mod outcome;
pub mod power;
pub mod quotas;
pub mod security;
pub mod slow_disk;
pub mod slow_readers;
pub mod soak;
pub mod starts;
pub mod witness;

pub use installation::{Broken, Installation, Running};
pub use outcome::{Outcome, Size};
