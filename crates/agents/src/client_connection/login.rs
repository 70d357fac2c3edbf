//! The first bytes and the login of a connection.

use super::{ClientConnection, Close, Stage};
use crate::agent::LocalUser;
use bytes::{Buf, BytesMut};
use channel::login::VERSIONS;
use channel::{Error, Frame, Hello, Kind, Preamble, Refused, Welcome};
use mqi::Reason;
use queue_manager::{Identity, Principal};
use wire::Output;

/// What the product calls itself to clients.
const PRODUCT: &str = concat!("FerryMQ ", env!("CARGO_PKG_VERSION"));

impl ClientConnection {
    /// Looks at what knocks; true when frames follow.
    pub(super) fn receive_preamble(&mut self, input: &mut BytesMut) -> Result<bool, Close> {
        match Preamble::of(input) {
            Preamble::Partial => Ok(false),
            Preamble::Foreign(foreign) => Err(Error::Foreign(foreign).into()),
            Preamble::Ours => {
                input.advance(channel::preamble::MAGIC.len());
                self.stage = Stage::Hello;
                Ok(true)
            }
        }
    }

    /// Lets a client in or says why not.
    pub(super) fn log_in(&mut self, frame: &Frame<'_>) -> Result<(), Close> {
        if frame.header.kind != Kind::Hello {
            return Err(Error::Unexpected {
                kind: frame.header.kind,
                why: "a connection begins with a hello",
            }
            .into());
        }
        let hello = Hello::decode(frame.payload)?;
        let version = VERSIONS
            .common(hello.versions)
            .ok_or(Error::Version { theirs: hello.versions, ours: VERSIONS })?;
        let name = self.queue_manager.name();
        if !hello.queue_manager.is_empty() && name != hello.queue_manager.as_str() {
            let text = format!(
                "this is queue manager {name}, not {}; connect to it by its name or without one",
                hello.queue_manager
            );
            return Err(Close::Refused { reason: Reason::Q_MGR_NAME_ERROR, text });
        }
        let principal = match &self.peer.user {
            Some(LocalUser { name, is_owner: true }) => Principal::administrator(name, Identity::Kernel),
            Some(LocalUser { name, is_owner: false }) => Principal::new(name, Identity::Kernel),
            None => Principal::new(&hello.user, Identity::Asserted),
        };
        let principal = principal.map_err(|error| {
            let text = error.to_string();
            Close::Refused { reason: Reason::NOT_AUTHORIZED, text }
        })?;
        self.agreed = self.limits.channel.agreed(hello.limits);
        let shared_max = self.queue_manager.shared_conversations_max();
        self.agreed.conversations_max = self.agreed.conversations_max.min(shared_max);
        self.refused = self.limits.refuses.and(hello.refuses);
        if self.refused.contains(channel::Refusals::SHARED_CONVERSATIONS) {
            self.agreed.conversations_max = 1;
        }
        let welcome = Welcome {
            version,
            refused: self.refused,
            limits: self.agreed,
            queue_manager: name.to_string(),
            product: PRODUCT.to_owned(),
        };
        welcome.encode(&mut self.greeting);
        self.principal = principal;
        self.process = self.peer.process.unwrap_or(hello.process);
        self.application = hello.application;
        self.stage = Stage::Open;
        Ok(())
    }

    /// A last word for the client on why its connection ends.
    pub(super) fn last_word(&mut self, close: &Close, output: &mut Output) {
        let (reason, text) = match close {
            Close::Disconnected => return,
            Close::Protocol(Error::Foreign(foreign)) => {
                output.cork().extend_from_slice(foreign.farewell());
                return;
            }
            Close::Refused { reason, text } => (*reason, text.clone()),
            Close::Protocol(error) => (Reason::CONNECTION_ERROR, error.to_string()),
            Close::Stopped | Close::Unfinished { .. } | Close::Stalled { .. } | Close::Silent { .. } => {
                (Reason::CONNECTION_BROKEN, close.to_string())
            }
        };
        // Whoever has not shown that it speaks the protocol is not spoken to in it.
        if self.stage != Stage::Preamble {
            Refused { reason, text }.encode(output.cork());
        }
    }
}
