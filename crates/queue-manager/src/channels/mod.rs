//! Channels as the host and the agents meet them.
//!
//! Lives here: calls as they are judged without their users (`calls`), server connections as clients meet
//! them (`client`), logins (`logins`), message channels as partners and the host meet them (`message`). Lives
//! elsewhere: the callers (`agents`), attributes (`objects`), channels that run (`message_channels`,
//! `instances`).

mod calls;
mod client;
mod logins;
mod means;
mod message;

pub use calls::{CallFault, Caller, LoginCall};
pub use client::{AmqpTerms, CLIENT_CHANNEL, ChannelClient, ChannelRefusal, ClientTerms};
pub use logins::Logins;
pub use means::{ChannelFinding, ChannelOffer};
pub use message::{ChannelWays, Channels, Dial, Dials};
