//! Partners that give no sign.
//!
//! Always: all that a partner sends is a sign, also what is kept unread.

use std::time::Duration;

use channel::Kind;
use mqi::Reason;
use platform::Monotonic;
use queue_manager::ChannelEnd;

use super::{MessageChannel, Stage};
use crate::agent::Close;

/// Longest time for a partner to give a sign while another address calls in its name: one that is there
/// answers in one tick, and one that moved is let in by one of its quick tries.
const SIGN_WITHIN: Duration = Duration::from_secs(10);

impl MessageChannel {
    /// Asks a partner that is silent, and gives one up that does not answer.
    pub(super) fn judge_silence(&mut self, now: Monotonic) -> Result<(), Close> {
        let own = self.run.as_ref().and_then(|run| run.attributes().heartbeat);
        let (interval, patience) = match &self.terms {
            Some(terms) => (terms.heartbeat(), terms.patience()),
            // Before the ends agree: twice the own.
            None => (None, own.map(|own| own * 2)),
        };
        let heard = *self.heard_at.get_or_insert(now);
        let silence = now.since(heard);
        if let Some(patience) = patience
            && silence >= patience
        {
            let text = format!("the partner was silent for {} seconds", silence.as_secs());
            self.finish(ChannelEnd::Failed { reason: Reason::CONNECTION_BROKEN, text });
            return Err(Close::Silent { seconds: silence.as_secs() });
        }
        self.judge_sign(heard, now)?;
        let Some(interval) = interval else { return Ok(()) };
        let is_quiet = self.sent_at.is_none_or(|sent| now.since(sent) >= interval);
        if is_quiet && matches!(self.stage, Stage::Open(_)) {
            (self.sent_at, self.asked_at) = (Some(now), Some(now));
            return self.send(Kind::Ask, b"");
        }
        Ok(())
    }

    /// Asks for a sign where another address called in the partner's name, and gives up a partner that gives
    /// none: the other one takes its place.
    fn judge_sign(&mut self, heard: Monotonic, now: Monotonic) -> Result<(), Close> {
        if self.run.as_ref().is_some_and(|run| run.take_wish_for_sign()) && self.sign_wanted_at.is_none() {
            self.sign_wanted_at = Some(now);
            return self.send(Kind::Ask, b"");
        }
        let Some(wanted) = self.sign_wanted_at else { return Ok(()) };
        if heard >= wanted {
            self.sign_wanted_at = None;
        } else if now.since(wanted) >= SIGN_WITHIN {
            let text = "the partner gave no sign when another address called in its name".to_owned();
            self.finish(ChannelEnd::Failed { reason: Reason::CONNECTION_BROKEN, text });
            return Err(Close::Silent { seconds: now.since(heard).as_secs() });
        }
        Ok(())
    }
}
