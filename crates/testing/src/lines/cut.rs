//! Cuts that follow from a seed: at small numbers of bytes as often as at large ones.

use std::time::Duration;

use platform::simulated::Random;

/// Most bytes that go over before a cut; small numbers, which fall in the first exchange, are as likely as
/// large ones.
const BITS_MAX: u64 = 17;
/// Longest time of a line that says nothing, beyond the time in which a heartbeat of one second is missed.
const SILENCE_MAX_MILLISECONDS: u64 = 4_000;

/// The manner in which a line is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Both ends are told at once that the connection is gone.
    Reset,
    /// Both ends are told that the other has ended in order.
    Closed,
    /// Nothing goes over any more, and nobody is told before this time is over.
    Silent(Duration),
}

/// A cut of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Bytes that still go over.
    pub after_bytes: u64,
    /// The manner of the cut behind them.
    pub manner: Manner,
}

impl Cut {
    /// The next cut of a stream of chance.
    pub fn by(random: &mut Random) -> Self {
        let bits = random.between(1, BITS_MAX);
        let manner = match random.below(20) {
            0..2 => Manner::Silent(Duration::from_millis(random.between(1, SILENCE_MAX_MILLISECONDS))),
            2..11 => Manner::Closed,
            _ => Manner::Reset,
        };
        Self { after_bytes: random.between(1, 1 << bits), manner }
    }
}
