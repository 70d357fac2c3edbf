//! The client agent between a client's codec and the engine, without sockets.

mod amqp;
mod bad_input;
mod channel_terms;
mod channels;
mod compressed;
mod desk;
mod displays;
mod gate;
mod handing;
mod holding;
mod keeping;
mod large;
mod logins;
mod loopback;
mod message_channels;
mod names;
mod pacing;
mod patience;
mod preempted;
mod read_ahead;
mod shared_bodies;
mod stopping;
mod verbs;
mod wrong_numbers;
