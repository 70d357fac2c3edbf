//! Where to connect and how.

use crate::{Address, Alternative, Tls};
use channel::compression::Offer;
use channel::{Credentials, Limits};
use mqi::AccountingChoice;
use std::time::Duration;

/// Options of a connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where, in the order tried.
    pub addresses: Vec<Address>,
    /// The entries that `addresses` were chosen from, the chosen one included. All are tried when the
    /// connection breaks, in an order drawn anew. Empty where there is no choice.
    pub alternatives: Vec<Alternative>,
    /// The queue manager meant; empty for whichever answers.
    pub queue_manager: String,
    /// The channel of the queue manager to come by; empty for its default, and on its own machine for none.
    pub channel: String,
    /// The name shown for the program.
    pub application: String,
    /// The user to act as, where the server has no better knowledge.
    pub user: String,
    /// Proof of a user, which is sent within this machine, or by TLS.
    pub credentials: Option<Credentials>,
    /// TLS of connections over a network; none for connections in the clear.
    pub tls: Option<Tls>,
    /// Longest wait for one address to answer.
    pub connect_timeout: Duration,
    /// Limits of this side.
    pub limits: Limits,
    /// The compressions that this side offers, the preferred one first; none for frames as they are.
    pub compression: Offer,
    /// Reconnection when the connection breaks; none for no reconnection.
    pub reconnect: Option<Reconnect>,
    /// Pauses before the attempts to connect again; the last one repeats. Empty for the pauses of
    /// [`Reconnect`], whose first attempt is made at once.
    pub reconnect_delays: Vec<Delay>,
    /// Most bytes of messages that come before they are asked for; none come with 0.
    pub read_ahead_bytes: Option<u32>,
    /// Lets the system probe a silent host by TCP keep-alive.
    pub keep_alive: bool,
    /// True if the socket may be shared with connections of this process that have the same options, as far
    /// as the channel's SHARECNV and [`Limits::conversations_max`] allow. MQCNO_ALL_CONVS_SHARE, the default,
    /// and MQCNO_NO_CONV_SHARING.
    pub is_shared: bool,
    /// Accounting of its conversations, where the queue manager lets them choose.
    pub accounting: AccountingChoice,
}

/// A pause before an attempt to connect again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// The part that is always waited.
    pub fixed: Duration,
    /// The most that is waited besides, at random.
    pub random_max: Duration,
}

/// Options of reconnection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reconnect {
    /// The first pause; each is twice the one before, less a random part of up to half.
    pub pause_min: Duration,
    /// The longest pause.
    pub pause_max: Duration,
    /// After so long without success the call fails with 2548.
    pub give_up_after: Duration,
    /// Accepts only the queue manager that answered first.
    pub same_queue_manager: bool,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self {
            pause_min: Duration::from_millis(20),
            pause_max: Duration::from_secs(2),
            give_up_after: Duration::from_secs(30 * 60),
            same_queue_manager: false,
        }
    }
}

impl Options {
    /// Defaults with this address.
    #[must_use]
    pub fn to(address: Address) -> Self {
        Self {
            addresses: vec![address],
            alternatives: Vec::new(),
            queue_manager: String::new(),
            channel: String::new(),
            application: program_name(),
            user: platform::os::users::current(),
            credentials: None,
            tls: None,
            connect_timeout: Duration::from_secs(10),
            limits: Limits::default(),
            compression: Offer::default(),
            reconnect: None,
            reconnect_delays: Vec::new(),
            read_ahead_bytes: None,
            keep_alive: false,
            is_shared: true,
            accounting: AccountingChoice::default(),
        }
    }

    /// With this name for the program.
    #[must_use]
    pub fn application(self, application: impl Into<String>) -> Self {
        Self { application: application.into(), ..self }
    }

    /// Only to this queue manager.
    #[must_use]
    pub fn queue_manager(self, queue_manager: impl Into<String>) -> Self {
        Self { queue_manager: queue_manager.into(), ..self }
    }

    /// By this channel of the queue manager.
    #[must_use]
    pub fn channel(self, channel: impl Into<String>) -> Self {
        Self { channel: channel.into(), ..self }
    }

    /// With this proof of a user.
    #[must_use]
    pub fn credentials(self, credentials: Credentials) -> Self {
        Self { credentials: Some(credentials), ..self }
    }

    /// Over TLS.
    #[must_use]
    pub fn tls(self, tls: Tls) -> Self {
        Self { tls: Some(tls), ..self }
    }

    /// Compressed, as far as the queue manager's channel allows.
    #[must_use]
    pub fn compression(self, compression: Offer) -> Self {
        Self { compression, ..self }
    }

    /// With a socket of its own.
    #[must_use]
    pub fn alone(self) -> Self {
        Self { is_shared: false, ..self }
    }

    /// With this choice of what is accounted for.
    #[must_use]
    pub fn accounting(self, accounting: AccountingChoice) -> Self {
        Self { accounting, ..self }
    }

    /// Connecting again when the connection breaks.
    #[must_use]
    pub fn reconnecting(self, reconnect: Reconnect) -> Self {
        Self { reconnect: Some(reconnect), ..self }
    }
}

fn program_name() -> String {
    std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
        .unwrap_or_default()
}
