//! Silence on a connection: empty frames where nothing else is sent, and an end where nothing comes.

use std::time::Duration;

use platform::Monotonic;

use crate::agent::Close;

/// Seconds of silence after which a client's connection ends, where its channel does not say.
const SILENCE_SECONDS: u32 = 60;

/// Shortest silence of ours that a client may ask for, in milliseconds: several times the wait for a turn
/// of a busy queue manager.
pub(super) const SILENCE_MILLISECONDS_MIN: u32 = 100;

/// Milliseconds of silence below which a tick a second is too rare: frames have times of their own.
const SHORT_MILLISECONDS: u32 = 4_000;

/// Times and counts from tick to tick.
#[derive(Debug)]
pub(super) struct KeepAlive {
    /// Seconds of the client's silence that are taken; 0 for any.
    silence_seconds: u32,
    /// Milliseconds of our silence that the client takes; none for any.
    pub(super) peer_takes: Option<u32>,
    is_sent: bool,
    sent: Option<Monotonic>,
    /// Frames that had come, and when they had.
    heard: Option<(Monotonic, u64)>,
    is_due: bool,
}

impl Default for KeepAlive {
    fn default() -> Self {
        let silence_seconds = SILENCE_SECONDS;
        Self { silence_seconds, peer_takes: None, is_sent: false, sent: None, heard: None, is_due: false }
    }
}

impl KeepAlive {
    /// Takes so many seconds of silence, any where they are 0, and as many as usual where none are said.
    pub(super) fn set_silence(&mut self, seconds: Option<u32>) {
        self.silence_seconds = seconds.unwrap_or(SILENCE_SECONDS);
    }

    /// The milliseconds of silence that the client is asked to keep to: half of those that are accepted, so
    /// that a late frame is not the end.
    pub(super) fn silence_told(&self) -> Option<u32> {
        (self.silence_seconds > 0).then(|| self.silence_seconds.saturating_mul(500))
    }

    /// Notes that a frame was sent.
    pub(super) fn sent(&mut self) {
        self.is_sent = true;
    }

    /// Says whether an empty frame is due; true once.
    pub(super) fn take_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// The time between two signs of ours: half of what the client takes, less the second until the next
    /// tick; a quarter where that is short.
    fn interval(&self) -> Option<Duration> {
        let takes = self.peer_takes?;
        let milliseconds = if takes < SHORT_MILLISECONDS { takes / 4 } else { takes / 2 - 1000 };
        Some(Duration::from_millis(milliseconds.into()))
    }

    /// The time of the next sign of ours, where ticks are too rare for it.
    pub(super) fn due(&self) -> Option<Monotonic> {
        let interval = self.interval().filter(|_| self.peer_takes < Some(SHORT_MILLISECONDS))?;
        Some(self.sent.map_or(Monotonic(0), |sent| sent.after(interval)))
    }

    /// Judges silence on both sides. One whose input is not read is not silent.
    pub(super) fn judge(
        &mut self,
        now: Monotonic,
        frames: u64,
        is_open: bool,
        reads: bool,
    ) -> Result<(), Close> {
        if std::mem::take(&mut self.is_sent) || self.sent.is_none() {
            self.sent = Some(now);
        }
        if !is_open {
            return Ok(());
        }
        if let (Some(interval), Some(sent)) = (self.interval(), self.sent)
            && now.since(sent) >= interval
        {
            (self.is_due, self.sent) = (true, Some(now));
        }
        match self.heard {
            Some((since, before)) if before == frames && reads => {
                let silence = now.since(since);
                let takes = Duration::from_secs(u64::from(self.silence_seconds));
                if !takes.is_zero() && silence >= takes {
                    return Err(Close::Silent { seconds: silence.as_secs() });
                }
            }
            _ => self.heard = Some((now, frames)),
        }
        Ok(())
    }
}
