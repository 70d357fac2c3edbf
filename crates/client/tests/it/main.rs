//! The client against a queue manager that runs in this process, over sockets.

mod alternatives;
mod fence;
mod idle;
mod login;
mod place;
mod proxy;
mod read_ahead;
mod readers;
mod reconnect;
mod refusals;
mod rings;
mod sharing;
mod verbs;
