//! The reactor over real loopback sockets.

mod cover;
mod lines;
mod listeners;
mod opening;
mod reactor;
mod rings;
