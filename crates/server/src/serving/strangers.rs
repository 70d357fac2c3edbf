//! Programs that are not let in yet: the verdict at the door, and their places.
//!
//! Always: a program that is turned away at the door has had no word of ours, and is told of at a rate that
//! its source cannot raise.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Instant;

use mqi::Reason;
use objects::messages::{MessageRow, STRANGERS_TURNED_AWAY, TURNED_AWAY};
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
        let Some(cause) = self.cause_to_tell(source, report.cause) else { return };
        report.cause = cause;
        self.queue_manager.logins().refuse(&report, reason);
    }

    /// Writes to the error log why the connection of a program at this address ended before it was let in,
    /// unless its source is told of too often already.
    pub(super) fn tell_of_stranger(
        &self,
        row: &'static MessageRow,
        origin: &str,
        address: IpAddr,
        cause: String,
    ) {
        if let Some(cause) = self.cause_to_tell(Source::of(address), cause) {
            self.errors.write(row, [origin.to_owned(), cause]);
        }
    }

    /// Writes to the error log that a program was turned away since all places are taken, unless its source
    /// was told of a short time ago: then it is counted.
    pub(super) fn tell_of_crowd(&self, peer: &Peer, connections_max: usize) {
        let Some(left_out) = self.strangers.may_report_crowd(Instant::now()) else { return };
        let origin = match left_out {
            0 => peer.to_string(),
            _ => format!("{peer}, after {left_out} more since this was last told,"),
        };
        self.errors.write(&TURNED_AWAY, [origin, connections_max.to_string()]);
    }

    /// The cause of an end, with the number of those of its source that were not told of; none where it is
    /// one too many.
    fn cause_to_tell(&self, source: Source, mut cause: String) -> Option<String> {
        let left_out = self.strangers.may_report(source, Instant::now())?;
        if left_out > 0 {
            cause.push_str(&format!("; {left_out} more from there were not recorded"));
        }
        Some(cause)
    }

    /// The place of a program that has just connected by a network.
    pub(super) fn stranger(&self, peer: &Peer, wake: &Arc<Wake>) -> Option<Stranger> {
        let Peer::Tcp(address) = peer else { return None };
        let wake = Arc::clone(wake);
        Some(self.strangers.enter(Source::of(address.ip()), Arc::new(move || wake.wake())))
    }
}
