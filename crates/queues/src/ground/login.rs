//! Logins that are refused, as hosts and agents report them.

use security::{channel_rules, cover};

/// A login, as its refusal or a warning tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoginReport {
    /// The user that it named, or whose login it would have been.
    pub user: String,
    /// The place that it came from.
    pub origin: String,
    /// The channel that it named.
    pub channel: String,
    /// The name in its certificate; blank without one.
    pub certificate: String,
    /// The cause, with the record that decided.
    pub cause: String,
    /// The kind of cause, as far as events tell it.
    pub kind: LoginFault,
}

/// The kind of cause for which a login is refused, as events tell it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoginFault {
    /// None that is told by an event.
    #[default]
    Other,
    /// A record of channel rules.
    Blocked(channel_rules::Refusal),
    /// The encryption or certificate of the connection.
    Cover(CoverFault),
}

/// The kind of fault of encryption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverFault {
    /// The handshake is missing, or failed.
    Handshake,
    /// The suite is another.
    Suite,
    /// The certificate is missing.
    Certificate,
    /// The name in it is another.
    Peer,
}

impl From<&cover::Refusal> for CoverFault {
    fn from(refusal: &cover::Refusal) -> Self {
        match refusal {
            cover::Refusal::ClearListener
            | cover::Refusal::ClearChannel
            | cover::Refusal::NotEncrypting
            | cover::Refusal::OtherChannel { .. } => Self::Handshake,
            cover::Refusal::Suite { .. } | cover::Refusal::Suites(_) => Self::Suite,
            cover::Refusal::NoCertificate => Self::Certificate,
            cover::Refusal::Peer { .. } | cover::Refusal::Pattern(_) => Self::Peer,
        }
    }
}
