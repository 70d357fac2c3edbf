//! Where a connection goes: what a program, its environment and its files say about client channels.
//!
//! Lives here: the texts administrators write, as values ([`definition`], [`table`], [`client_file`]), the
//! variables that name them ([`environment`]), which of them counts ([`choice`]), what is not used though it
//! is there ([`found`]), and TLS of a channel ([`security`]). Lives elsewhere: structures of C programs
//! (`connecting`), sockets (`client`).
//!
//! Always: nothing here connects or panics; an error names the text it is about, and what to write instead.

pub mod choice;
pub mod client_file;
pub mod definition;
pub mod environment;
pub mod found;
pub(crate) mod log;
pub mod security;
pub mod table;

use client::{Address, Alternative, CompressionOffer, Limits, Share, Tls};
use mqi::Reconnect;

/// A client channel, from wherever it is defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientChannel {
    /// Its name, which is that of the queue manager's channel, too.
    pub name: String,
    /// The queue manager or group it is for; empty for programs that name none.
    pub queue_manager: String,
    /// Where it leads, in the order tried.
    pub addresses: Vec<Address>,
    /// Share of the load that it takes; a channel without a weight goes before weighted ones.
    pub weight: u32,
    /// True if one process keeps one order of the channels that have weights.
    pub is_preferred: bool,
    /// Reaction when the connection breaks, unless the program or the file of client settings chooses it.
    pub reconnect: Reconnect,
    /// Most bytes of a message.
    pub message_bytes_max: Option<u32>,
    /// Seconds of silence after which either side asks whether the other is there.
    pub heartbeat_seconds: Option<u32>,
    /// The compressions that it offers.
    pub compression: CompressionOffer,
    /// The CipherSpec it asks for; empty for connections in the clear.
    pub cipher: String,
    /// The name that the queue manager's certificate must match; empty for that of the host.
    pub peer: String,
    /// The label of the key to show; empty where it leaves that to the program and its environment.
    pub label: String,
}

impl ClientChannel {
    /// A channel to these addresses of which nothing else is said.
    #[must_use]
    pub fn to(name: impl Into<String>, addresses: Vec<Address>) -> Self {
        Self {
            name: name.into(),
            queue_manager: String::new(),
            addresses,
            weight: 0,
            is_preferred: true,
            reconnect: Reconnect::AsDefault,
            message_bytes_max: None,
            heartbeat_seconds: None,
            compression: CompressionOffer::default(),
            cipher: String::new(),
            peer: String::new(),
            label: String::new(),
        }
    }

    /// The part of it that decides its place among others.
    pub(crate) fn share(&self) -> Share<'_> {
        Share { name: &self.name, weight: self.weight, is_preferred: self.is_preferred }
    }

    /// The limits of a program that goes over it.
    pub(crate) fn limits(&self) -> Limits {
        let all = Limits::default();
        let most = self.message_bytes_max.unwrap_or(all.message_bytes_max);
        Limits {
            message_bytes_max: all.message_bytes_max.min(most),
            heartbeat_milliseconds: self
                .heartbeat_seconds
                .map_or(all.heartbeat_milliseconds, |seconds| seconds.saturating_mul(1_000)),
            ..all
        }
    }

    /// It as one of several to try when the connection breaks, with its TLS.
    pub(crate) fn alternative(&self, tls: Option<Tls>) -> Alternative {
        Alternative {
            name: self.name.clone(),
            weight: self.weight,
            is_preferred: self.is_preferred,
            addresses: self.addresses.clone(),
            limits: self.limits(),
            compression: self.compression.clone(),
            tls,
        }
    }
}
