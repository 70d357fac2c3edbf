//! The foreign position: what is behind it is new, and what is not there any more is gone.
//!
//! Holes within a source are none of ours: control records, compaction and filters make them. A gap between
//! the position and the oldest message that is there is messages that were never taken.
//!
//! Always: positions ascend; what the system may deliver again is dropped by position, or by the hash of its
//! identifier and content.

use std::collections::VecDeque;

use crate::exchange::{Receipt, SourceFacts, Stop};
use crate::state::{Identity, PipeState, Position, RECENT_MAX};
use crate::system::Source;

/// The place from which a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beginning {
    /// The oldest message that is there: nothing was ever taken, or a person gave the position up.
    Oldest,
    /// Behind this position.
    Behind(u64),
}

/// Compares the position of the state with the source.
///
/// # Errors
/// The stop, where messages are gone or the source is another one.
pub fn judge_source(position: Option<&Position>, facts: &SourceFacts) -> Result<Beginning, Stop> {
    let Some(Position::Source { identity, last }) = position else { return Ok(Beginning::Oldest) };
    let stands_at = last.unwrap_or(0);
    if *identity != facts.identity {
        return Err(Stop::OtherSource { last: stands_at, next: facts.next });
    }
    let Some(last) = *last else { return Ok(Beginning::Oldest) };
    if facts.next <= last {
        return Err(Stop::SourceBehind { next: facts.next, last });
    }
    if facts.oldest > last + 1 {
        let count = facts.oldest - last - 1;
        return Err(Stop::Gap { count, oldest: facts.oldest, last });
    }
    Ok(Beginning::Behind(last))
}

/// The course of positions through a unit of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Course {
    /// Units are branches, which need no position.
    None,
    /// SERVICE(HIGH): the position is the foreign side's own.
    High,
    Ascending {
        identity: Identity,
        is_assigned: bool,
        /// The position of the state.
        durable: Option<u64>,
        /// The last one of the unit, or before it.
        last: Option<u64>,
        /// True once this subscription gave a new position.
        has_begun: bool,
    },
    Recent {
        /// Hashes of the state.
        durable: VecDeque<u64>,
        /// Hashes of the unit.
        new: Vec<u64>,
    },
}

/// The verdict on a message that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Judgement {
    New,
    /// It is in the unit, or in a former one.
    Known {
        is_durable: bool,
    },
    /// A record of the system's own.
    Control,
    /// The system gave none where it has to.
    NoPosition,
    Stop(Stop),
}

impl Course {
    pub(super) fn of(state: Option<&PipeState>, source: Source) -> Self {
        match (state.map(|state| &state.position), source) {
            (Some(Position::Source { identity, last }), Source::Positions { is_assigned }) => {
                Self::Ascending {
                    identity: *identity,
                    is_assigned,
                    durable: *last,
                    last: *last,
                    has_begun: false,
                }
            }
            (Some(Position::Recent(recent)), Source::Recent) => {
                Self::Recent { durable: recent.clone(), new: Vec::new() }
            }
            _ => Self::None,
        }
    }

    /// Judges a message, and takes its position. `out` is the unit that is being committed.
    pub(super) fn judge(&mut self, receipt: &Receipt, out: Option<&Self>) -> Judgement {
        match self {
            Self::None | Self::High => Judgement::New,
            Self::Ascending { is_assigned, durable, last, has_begun, .. } => {
                let Some(position) = receipt.position else { return Judgement::NoPosition };
                if let Some(last) = last.filter(|last| position <= *last) {
                    // A read may begin before the position that was asked for, within a compressed batch.
                    let is_before = !*has_begun && durable.is_some_and(|durable| position <= durable);
                    if *is_assigned && !is_before {
                        return Judgement::Stop(Stop::Backward { position, last });
                    }
                    // What the unit that is out begins behind is durable.
                    let durable = match out {
                        Some(Self::Ascending { durable, .. }) => *durable,
                        _ => *durable,
                    };
                    return Judgement::Known {
                        is_durable: durable.is_some_and(|durable| position <= durable),
                    };
                }
                (*last, *has_begun) = (Some(position), true);
                if receipt.is_control { Judgement::Control } else { Judgement::New }
            }
            Self::Recent { durable, new } => {
                let Some(hash) = receipt.hash else { return Judgement::New };
                if receipt.is_redelivered {
                    let is_out = matches!(out, Some(Self::Recent { new, .. }) if new.contains(&hash));
                    if is_out || new.contains(&hash) {
                        return Judgement::Known { is_durable: false };
                    }
                    if durable.contains(&hash) {
                        return Judgement::Known { is_durable: true };
                    }
                }
                new.push(hash);
                Judgement::New
            }
        }
    }

    /// The position that the unit puts.
    pub(super) fn position(&self) -> Position {
        match self {
            Self::None | Self::High => Position::None,
            Self::Ascending { identity, last, .. } => Position::Source { identity: *identity, last: *last },
            Self::Recent { durable, new } => {
                let all = durable.len() + new.len();
                let recent = durable.iter().chain(new).copied().skip(all.saturating_sub(RECENT_MAX));
                Position::Recent(recent.collect())
            }
        }
    }

    /// The course of the unit behind it.
    pub(super) fn next(&self) -> Self {
        match (self, self.position()) {
            (Self::Ascending { identity, is_assigned, last, has_begun, .. }, _) => Self::Ascending {
                identity: *identity,
                is_assigned: *is_assigned,
                durable: *last,
                last: *last,
                has_begun: *has_begun,
            },
            (Self::Recent { .. }, Position::Recent(recent)) => {
                Self::Recent { durable: recent, new: Vec::new() }
            }
            (other, _) => other.clone(),
        }
    }

    /// Returns true if the unit moves the position.
    pub(super) fn is_ahead(&self) -> bool {
        matches!(self, Self::Ascending { durable, last, .. } if durable != last)
    }

    /// Returns true if the acknowledgement of a message is one of all before it.
    pub(super) fn is_cumulative(&self) -> bool {
        matches!(self, Self::Ascending { .. })
    }
}
