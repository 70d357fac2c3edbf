//! The encryption of a connection, judged by the channel that its client comes by.

use mqi::Reason;

use super::{ClientConnection, Close};

impl ClientConnection {
    /// Refuses a connection that is not encrypted as its channel asks.
    pub(super) fn judge_cover(&self, channel: &str) -> Result<(), Close> {
        let Some(cover) = self.queue_manager.channel_cover(channel) else { return Ok(()) };
        let judged = cover.terms.and_then(|terms| terms.judge(&self.peer.encryption));
        judged.map_err(|refusal| {
            let reason = Reason::from_code(refusal.code());
            Close::Refused { reason, text: format!("channel {channel}: {refusal}") }
        })
    }
}
