//! The verbs, one file each: what is checked, what is filled in, and which part of the engine does it.
//!
//! Always: a verb checks in the order connection, options, handle, object, message, and answers the first
//! refusal; a refusal changes nothing; every outcome carries the need of what it observed.

pub(crate) mod arrive;
pub(crate) mod ask;
pub(crate) mod branch;
mod browse;
mod call_counts;
mod close;
mod commit;
mod convert;
mod descriptor;
mod get;
mod grouped_get;
mod grouped_put;
mod inquire;
mod length;
pub(crate) mod open;
pub(crate) mod outbound;
pub(crate) mod placement;
mod publish;
pub(crate) mod put;
mod put_expected;
mod put_one;
mod put_request;
pub(crate) mod put_room;
mod reserved;
mod right;
mod set;
pub(crate) mod status;
pub(crate) mod subscribe;
mod told;
pub(crate) mod unit;
