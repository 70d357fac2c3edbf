//! The encryption of connections, as their agents are told of it.
//!
//! Always: an agent that has had a byte knows the encryption of its connection; until the handshake is done
//! the connection has an agent that refuses every login.

use std::sync::Arc;

use security::cover::{Encryption, Names};
use tls::Certificate;
use transport::{Accepted, Facts, Peer, Wake};

use crate::configuration::ListenerTls;

/// The way to make the agent of a connection again.
pub(super) struct Opening {
    pub(super) accepted: Accepted,
    pub(super) wake: Arc<Wake>,
}

/// The encryption of a connection that was just accepted, and the way to make its agent again when more is
/// known.
pub(super) fn begin(
    tls: ListenerTls,
    accepted: &Accepted,
    wake: &Arc<Wake>,
) -> (Encryption, Option<Box<Opening>>) {
    match (accepted.peer, tls) {
        (Peer::Unix { .. }, _) => (Encryption::Local, None),
        (Peer::Tcp(_), ListenerTls::No) => (Encryption::Clear { is_cover_required: false }, None),
        (Peer::Tcp(_), ListenerTls::Allowed | ListenerTls::Required) => {
            let opening = Opening { accepted: *accepted, wake: Arc::clone(wake) };
            (Encryption::Clear { is_cover_required: true }, Some(Box::new(opening)))
        }
    }
}

/// The encryption of a connection whose handshake is done, or that has none.
pub(super) fn encryption(tls: ListenerTls, facts: Option<&Facts>) -> Encryption {
    match facts {
        None => Encryption::Clear { is_cover_required: tls == ListenerTls::Required },
        Some(facts) => encryption_of(facts),
    }
}

fn encryption_of(facts: &Facts) -> Encryption {
    // A certificate that is proved and does not read has no name, which matches no pattern.
    let names = |der: &Vec<u8>| {
        let read = Certificate::read(der);
        read.map(|Certificate { subject, issuer, .. }| Names { subject, issuer }).unwrap_or_default()
    };
    let certificate = facts.certificates.first().map(names);
    let channel = tls::server::channel_named(&facts.application).unwrap_or_default().into();
    Encryption::Covered { suite: facts.suite, certificate, shown: facts.certificates.clone().into(), channel }
}
