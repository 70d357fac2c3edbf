//! The terms of a channel, from what both ends offer.

use std::num::NonZeroU64;
use std::time::Duration;

use super::numbers::Sequence;

/// Most messages of a batch, as BATCHSZ allows.
pub const BATCH_MESSAGES_MAX: u32 = 9_999;
/// Most batches that are in doubt at a time, as INFLIGHT allows: beyond it the wire binds.
pub const IN_FLIGHT_MAX: u8 = 64;
/// Range of the highest sequence number, as SEQWRAP allows.
pub const WRAP: std::ops::RangeInclusive<u32> = 100..=999_999_999;
/// Longest heartbeat interval in seconds, as HBINT allows.
pub const HEARTBEAT_SECONDS_MAX: u32 = 999_999;
/// Longest message, as MAXMSGL allows.
pub const MESSAGE_BYTES_MAX: u32 = 100 << 20;

/// Terms that one end offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Most messages of a batch: the smaller of BATCHSZ and MAXUMSGS.
    pub batch_messages_max: u32,
    /// Most kilobytes of a batch (BATCHLIM), 0 for no limit.
    pub batch_kilobytes_max: u32,
    /// Most bytes of a message (MAXMSGL).
    pub message_bytes_max: u32,
    /// Seconds of silence before a heartbeat (HBINT), 0 for none.
    pub heartbeat_seconds: u32,
    /// Highest sequence number (SEQWRAP).
    pub wrap: u32,
    /// Most batches in doubt at a time (INFLIGHT).
    pub in_flight_max: u8,
    /// NPMSPEED(FAST).
    pub is_fast: bool,
}

impl Offer {
    /// True when each value is one that its attribute may have.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        (1..=BATCH_MESSAGES_MAX).contains(&self.batch_messages_max)
            && (1..=MESSAGE_BYTES_MAX).contains(&self.message_bytes_max)
            && self.heartbeat_seconds <= HEARTBEAT_SECONDS_MAX
            && WRAP.contains(&self.wrap)
            && (1..=IN_FLIGHT_MAX).contains(&self.in_flight_max)
    }

    /// The terms that both ends keep. `self` is the own offer.
    ///
    /// # Errors
    /// When SEQWRAP differs: both ends would number messages differently.
    pub fn agreed(&self, theirs: &Self) -> Result<Terms, Disagreement> {
        if self.wrap != theirs.wrap {
            return Err(Disagreement { ours: self.wrap, theirs: theirs.wrap });
        }
        let kilobytes = match (self.batch_kilobytes_max, theirs.batch_kilobytes_max) {
            (0, limit) | (limit, 0) => limit,
            (ours, theirs) => ours.min(theirs),
        };
        let seconds = match (self.heartbeat_seconds, theirs.heartbeat_seconds) {
            (0, _) | (_, 0) => 0,
            (ours, theirs) => ours.max(theirs),
        };
        Ok(Terms {
            batch_messages_max: self.batch_messages_max.min(theirs.batch_messages_max),
            batch_bytes_max: NonZeroU64::new(u64::from(kilobytes) * 1_000),
            message_bytes_max: self.message_bytes_max.min(theirs.message_bytes_max),
            heartbeat_seconds: seconds,
            highest: Sequence(self.wrap),
            in_flight_max: self.in_flight_max.min(theirs.in_flight_max),
            is_fast: self.is_fast && theirs.is_fast,
        })
    }
}

/// Both ends wrap their sequence numbers at different places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "SEQWRAP is {ours} at this end of the channel and {theirs} at the other: give both definitions the same value"
)]
pub struct Disagreement {
    /// SEQWRAP of this end.
    pub ours: u32,
    /// SEQWRAP of the other end.
    pub theirs: u32,
}

/// The terms that both ends keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Most messages of a batch.
    pub batch_messages_max: u32,
    /// Bytes with which a batch is full; none without that limit.
    pub batch_bytes_max: Option<NonZeroU64>,
    /// Most bytes of a message.
    pub message_bytes_max: u32,
    /// Seconds of silence before a heartbeat, 0 for none.
    pub heartbeat_seconds: u32,
    /// The highest sequence number; 1 comes behind it.
    pub highest: Sequence,
    /// Most batches in doubt at a time.
    pub in_flight_max: u8,
    /// True when non-persistent messages go outside batches.
    pub is_fast: bool,
}

impl Terms {
    /// Silence after which an end asks for a sign; none without heartbeats.
    #[must_use]
    pub fn heartbeat(&self) -> Option<Duration> {
        (self.heartbeat_seconds > 0).then(|| Duration::from_secs(self.heartbeat_seconds.into()))
    }

    /// Silence after which the other end is given up; none without heartbeats.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        self.heartbeat().map(patience)
    }
}

/// Silence after which the other end is given up, by the heartbeat interval: twice as much below a minute,
/// else a minute more.
#[must_use]
pub fn patience(heartbeat: Duration) -> Duration {
    const MINUTE: Duration = Duration::from_secs(60);
    if heartbeat < MINUTE { heartbeat * 2 } else { heartbeat + MINUTE }
}
