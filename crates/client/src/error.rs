//! Why a connection could not be made.

use crate::{Address, TlsError};
use mqi::Reason;

/// Why no address led to the queue manager; of several, the last word on the one that came furthest.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No address was given.
    #[error("no address to connect to was given")]
    NoAddress,
    /// No server answers there.
    #[error("cannot connect to {address}: {error}")]
    Unreachable {
        /// Where.
        address: Address,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// Credentials would have to leave the machine in clear.
    #[error(
        "credentials are not sent to {address}, which is not on this machine, because the connection is not encrypted: \
         connect by TLS, to an address of this machine, or without credentials"
    )]
    Unprotected {
        /// Where.
        address: Address,
    },
    /// The other side does not speak the protocol.
    #[error("{address} does not answer as a FerryMQ queue manager: {error}")]
    Protocol {
        /// Where.
        address: Address,
        /// Description of the violation.
        error: channel::Error,
    },
    /// The connection ended during the login.
    #[error("{address} closed the connection during the login")]
    Ended {
        /// Where.
        address: Address,
    },
    /// The address does not allow TLS.
    #[error("cannot connect to {address} by TLS: {error}")]
    Tls {
        /// The address.
        address: Address,
        /// The reason.
        error: TlsError,
    },
    /// The queue manager did not let the program in.
    #[error("{address} refuses the connection: {text} ({reason})")]
    Refused {
        /// Where.
        address: Address,
        /// The reason for a program.
        reason: Reason,
        /// The words for a person.
        text: String,
    },
    /// The connection stands but the conversation could not begin.
    #[error("the queue manager does not begin a conversation ({0})")]
    Conversation(Reason),
}

impl ConnectError {
    /// The error of a socket that was to lead to an address.
    pub(crate) fn of_socket(address: &Address, error: std::io::Error) -> Self {
        let address = address.clone();
        let refused = error.get_ref().and_then(|inner| inner.downcast_ref::<tls::Refused>());
        match refused.cloned() {
            Some(refused) => Self::Tls { address, error: refused.into() },
            None => Self::Unreachable { address, error },
        }
    }

    /// The reason code of MQCONN.
    #[must_use]
    pub fn reason(&self) -> Reason {
        match self {
            Self::NoAddress | Self::Unreachable { .. } => Reason::HOST_NOT_AVAILABLE,
            Self::Unprotected { .. } => Reason::PASSWORD_PROTECTION_ERROR,
            Self::Protocol { .. } => Reason::CONNECTION_ERROR,
            Self::Ended { .. } => Reason::Q_MGR_NOT_AVAILABLE,
            Self::Tls { error, .. } => error.reason(),
            Self::Refused { reason, .. } | Self::Conversation(reason) => *reason,
        }
    }

    /// Returns true if the queue manager refuses the user.
    pub(crate) fn is_of_user(&self) -> bool {
        matches!(self, Self::Refused { reason: Reason::NOT_AUTHORIZED, .. })
    }

    /// Stage that the attempt reached, to choose among several errors.
    pub(crate) fn progress(&self) -> u8 {
        match self {
            Self::NoAddress => 0,
            Self::Unreachable { .. } => 1,
            Self::Unprotected { .. } => 2,
            Self::Protocol { .. } => 3,
            Self::Ended { .. } | Self::Tls { .. } => 4,
            Self::Refused { .. } | Self::Conversation(_) => 5,
        }
    }
}
