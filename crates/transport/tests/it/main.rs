//! The reactor over real loopback sockets.

mod lines;
mod listeners;
mod reactor;
mod rings;
