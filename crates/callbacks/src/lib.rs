//! Consumers and event handlers: functions of a program that are called with messages as they come (MQCB,
//! MQCTL).
//!
//! Lives here: [`Connection`], which puts consumers beside the verbs of a connection that can
//! [`Listen`](mqi::Listen); a consumer's registration ([`Description`]), the context of its call
//! ([`Context`]), and the calls themselves (`consumer_thread`).
//! Lives elsewhere: waiting for several messages at once (`client`, and `server` for a queue manager in the
//! program's own process). The engine knows nothing of consumers: calling them is a matter of the host.
//!
//! Always: all consumers of a connection are called on one thread, one after the other. While that thread has
//! the connection no other thread does. A message is taken when its consumer is about to be called, not
//! before. While no consumers are called, event handlers are told on a thread of their own (`event_thread`).

mod connection;
mod consumer_thread;
mod context;
mod control;
mod description;
mod event_thread;
mod locked_connection;
mod registry;

pub use connection::Connection;
pub use context::{CallType, Called, ConsumerState, Context, Message};
pub use description::{CallbackOptions, CallbackType, Description, Function, Operation};
pub use locked_connection::Consuming;
