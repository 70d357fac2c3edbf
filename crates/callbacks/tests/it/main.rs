//! Consumers over every kind of connection: in the process of the queue manager, over its socket, over TCP.

mod consuming;
mod controlling;
mod converting;
mod events;
mod grouping;
mod misuse;
mod options;
mod overlapping;
mod quiescing;
mod support;
