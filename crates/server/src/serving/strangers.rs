//! Programs that are not let in yet: the verdict at the door, and their places.
//!
//! Always: a program that is turned away at the door has had no word of ours, and is told of at a rate that
//! its source cannot raise.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use mqi::Reason;
use objects::messages::STRANGERS_TURNED_AWAY;
use queue_manager::{LoginFault, LoginReport};
use security::channel_rules::Refusal;
use transport::{Peer, Wake};

use super::Common;
use crate::strangers::{Source, Stranger};

impl Common {
    /// Says if a program may connect from an address: no record blocks it, and its source has not taken more
    /// than its share of the places.
    pub(super) fn admits(&self, address: SocketAddr) -> bool {
        let source = Source::of(address.ip());
        if let Some(cause) = self.logins.blocks(address.ip()) {
            let report = LoginReport {
                origin: Peer::Tcp(address).to_string(),
                cause,
                kind: LoginFault::Blocked(Refusal::Address),
                ..LoginReport::default()
            };
            self.refuse(source, report, Reason::NOT_AUTHORIZED);
            return false;
        }
        if !self.strangers.has_room(source) {
            if self.strangers.may_report(source, Instant::now()).is_some() {
                self.errors.write(&STRANGERS_TURNED_AWAY, [Peer::Tcp(address).to_string()]);
            }
            return false;
        }
        true
    }

    /// Records a login that was refused, unless its source is told of too often already.
    pub(super) fn refuse(&self, source: Source, mut report: LoginReport, reason: Reason) {
        let Some(left_out) = self.strangers.may_report(source, Instant::now()) else { return };
        if left_out > 0 {
            report.cause.push_str(&format!("; {left_out} more from there were not recorded"));
        }
        self.queue_manager.refuse_login(&report, reason);
    }

    /// The place of a program that has just connected by a network.
    pub(super) fn stranger(&self, peer: &Peer, wake: &Arc<Wake>) -> Option<Stranger> {
        let Peer::Tcp(address) = peer else { return None };
        let wake = Arc::clone(wake);
        Some(self.strangers.enter(Source::of(address.ip()), Arc::new(move || wake.wake())))
    }
}
