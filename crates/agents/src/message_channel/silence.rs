//! Partners that give no sign.
//!
//! Always: all that a partner sends is a sign, also what is kept unread; both ends bind, and a stop ends, in
//! a bounded time without a sign, whatever HBINT says.

use std::time::Duration;

use channel::Kind;
use mqi::Reason;
use platform::Monotonic;
use queue_manager::ChannelEnd;

use super::{MessageChannel, Stage};
use crate::agent::Close;

/// Longest time for both ends to be at one place, and for a ping, whatever HBINT says: a partner that is
/// there reads its books, which wait for its log, in far less.
const BOUND_WITHIN: Duration = Duration::from_secs(60);

/// Longest time for a partner to give a sign while the channel stops, whatever HBINT says. It is asked
/// several times.
const STOPPING_SIGN_WITHIN: Duration = Duration::from_secs(60);

/// Longest time for a partner to give a sign while another address calls in its name: one that is there
/// answers in one tick, and one that moved is let in by one of its quick tries.
const SIGN_WITHIN: Duration = Duration::from_secs(10);

impl MessageChannel {
    /// Asks a partner that is silent, and gives one up that does not answer.
    pub(super) fn judge_silence(&mut self, now: Monotonic) -> Result<(), Close> {
        let own = self.run.as_ref().and_then(|run| run.attributes().heartbeat);
        let (mut interval, patience) = match &self.terms {
            Some(terms) => (terms.heartbeat(), terms.patience()),
            // Before the ends agree: twice the own.
            None => (None, own.map(|own| own * 2)),
        };
        let heard = *self.heard_at.get_or_insert(now);
        let silence = now.since(heard);
        let mut is_silent = patience.is_some_and(|patience| silence >= patience);
        if let Some(since) = self.stopping_since {
            is_silent |= now.since(heard.max(since)) >= STOPPING_SIGN_WITHIN;
            interval = Some(interval.map_or(SIGN_WITHIN, |interval| interval.min(SIGN_WITHIN)));
        }
        if is_silent {
            return self.give_up_silent(
                format!("the partner was silent for {} seconds", silence.as_secs()),
                silence,
            );
        }
        let binds_for = now.since(self.began);
        if self.is_binding() && binds_for >= BOUND_WITHIN {
            let text = format!("the ends did not bind within {} seconds", BOUND_WITHIN.as_secs());
            return self.give_up_silent(text, binds_for);
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
            return self.give_up_silent(text, now.since(heard));
        }
        Ok(())
    }

    /// Notes why a partner is given up.
    fn give_up_silent(&self, text: String, silence: Duration) -> Result<(), Close> {
        self.finish(ChannelEnd::Failed { reason: Reason::CONNECTION_BROKEN, text });
        Err(Close::Silent { seconds: silence.as_secs() })
    }

    /// True once the login is judged, as long as nothing may be sent.
    fn is_binding(&self) -> bool {
        match &self.stage {
            Stage::Open(end) => !end.is_bound() && self.over.is_none(),
            Stage::Calling | Stage::NotConnected(_) | Stage::Reads(_) | Stage::Pinging => true,
            Stage::Called | Stage::Judged(_) | Stage::Over => false,
        }
    }
}
