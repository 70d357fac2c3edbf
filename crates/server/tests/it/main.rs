//! A queue manager that runs: over real sockets, in real processes.

mod amqp_logins;
mod channel_changes;
mod channel_events;
mod channel_rules;
mod channels;
mod commands;
mod compressed;
mod covered;
mod displays;
mod embedded;
mod exposed;
mod figures;
mod golden;
mod handing;
mod health;
mod hostile;
mod hostile_partners;
mod lifecycle;
mod listeners;
mod logins;
mod message_channels;
mod monitoring;
mod mounts;
mod newer;
mod places;
#[cfg(feature = "planted")]
mod planted;
mod processes;
mod published_form;
mod refreshed;
mod running;
mod serving;
mod stalled;
mod traces;
