//! The calls of the interface, from the program's parameters to the verbs and back.
//!
//! Lives here: what each call checks, in which order, and what it fills. `exported` has the functions that
//! programs find by name, `exported_bags` those for administration. Lives elsewhere: how parameters are
//! reached (`memory`), what fields mean (`translate`), whose handle it is (`connections`), what bags are
//! (`bags`).
//!
//! Always: what is refused leaves what the program passed as it was, but for handles, which become unusable
//! where the interface says so.

mod administration;
mod bags;
mod characters;
mod connecting;
mod consumers;
pub mod exported;
pub mod exported_bags;
mod message_handles;
mod messages;
mod objects;
mod parameters;
mod security;
mod subscriptions;
mod tls_options;
mod units;
