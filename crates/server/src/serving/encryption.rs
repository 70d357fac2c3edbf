//! The encryption of connections, as their agents are told of it.
//!
//! Always: a connection has no agent before its encryption is known.

use security::cover::{Encryption, Names};
use tls::Certificate;
use transport::{Facts, Peer};

use crate::configuration::ListenerTls;

/// The encryption of a connection that was just accepted: until a handshake is done, one that refuses every
/// login where there may be one.
pub(super) fn at_first(tls: ListenerTls, peer: Peer) -> Encryption {
    match peer {
        Peer::Unix { .. } => Encryption::Local,
        Peer::Tcp(_) => Encryption::Clear { is_cover_required: tls != ListenerTls::No },
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
