//! The common status of a channel: the fields that are shown alike of an instance and of the kept state.
//!
//! Always: a batch that is prepared is in doubt, whatever a connection knows or has forgotten of it.

use mqi::constants::{MQCHIDS_INDOUBT, MQCHIDS_NOT_INDOUBT};
use objects::{Attribute, Value};
use queues::state_objects::{BatchInDoubt, KeptChannel};

use super::values::count;
use crate::message_channels::{ChannelProgress, Luwid, Partner};

/// The common status of a channel towards one partner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CommonStatus {
    /// The batch under way, or the newest in doubt.
    current: Luwid,
    /// Messages in doubt, and of the batch under way.
    current_messages: u32,
    current_sequence: u32,
    is_in_doubt: bool,
    /// The last batch that is confirmed.
    last: Luwid,
    last_sequence: u32,
    partner: String,
    partner_identifier: String,
}

impl CommonStatus {
    /// The status that the log keeps.
    pub(super) fn kept(kept: &KeptChannel) -> Self {
        let KeptChannel { state, in_doubt } = kept;
        let line = state.sync.line.0;
        let newest = in_doubt.last();
        let messages = in_doubt.iter().map(|BatchInDoubt { messages, .. }| messages).sum();
        Self {
            current: Luwid { line, batch: newest.map_or(0, |found| found.batch.batch) },
            current_messages: messages,
            current_sequence: newest.map_or(0, |found| found.batch.last_sequence),
            is_in_doubt: newest.is_some(),
            last: Luwid { line, batch: state.confirmed.map_or(0, |last| last.batch) },
            last_sequence: state.confirmed.map_or(0, |last| last.sequence),
            partner: state.sync.partner.clone(),
            partner_identifier: state.sync.partner_identifier.clone(),
        }
    }

    /// The status of a channel without an instance: the log's, with the partner with which it failed last.
    pub(super) fn idle(kept: Option<&KeptChannel>, failed_with: &Partner) -> Self {
        let mut status = kept.map(Self::kept).unwrap_or_default();
        if !failed_with.identifier.is_empty() {
            status.partner = failed_with.name.to_string();
            status.partner_identifier = failed_with.identifier.to_string();
        }
        status
    }

    /// The status of an instance: the log's, until its ends are at one place; then also the batch that is
    /// being filled.
    pub(super) fn running(progress: &ChannelProgress, kept: Option<&KeptChannel>) -> Self {
        let mut status = kept.map(Self::kept).unwrap_or_default();
        if !progress.partner.is_empty() {
            status.partner.clone_from(&progress.partner);
            status.partner_identifier.clone_from(&progress.partner_identifier);
        }
        let line = progress.last.line;
        if line == 0 {
            return status;
        }
        (status.last, status.last_sequence) = (progress.last, progress.last_sequence);
        let filled = progress.current_messages;
        if !status.is_in_doubt || status.current.line != line {
            (status.current, status.current_messages) = (progress.current, filled);
            status.current_sequence = progress.current_sequence;
        } else if filled > 0 {
            status.current.batch += 1;
            status.current_messages += filled;
            status.current_sequence = progress.current_sequence;
        }
        status
    }

    /// The value of a field that is of the common status.
    pub(super) fn value(&self, row: &Attribute) -> Option<Value> {
        let luwid = |luwid: Luwid| Value::from(luwid.to_hex().as_str());
        Some(match row.keyword {
            "CURLUWID" => luwid(self.current),
            "CURMSGS" => count(self.current_messages),
            "CURSEQNO" => count(self.current_sequence),
            "INDOUBT" if self.is_in_doubt => Value::Integer(MQCHIDS_INDOUBT),
            "INDOUBT" => Value::Integer(MQCHIDS_NOT_INDOUBT),
            "LSTLUWID" => luwid(self.last),
            "LSTSEQNO" => count(self.last_sequence),
            "RQMID" => Value::from(self.partner_identifier.as_str()),
            "RQMNAME" => Value::from(self.partner.as_str()),
            _ => return None,
        })
    }
}
