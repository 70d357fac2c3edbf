//! The one decision after a break: batches in doubt are committed or backed out, a new line begins, or the
//! channel stops for a person.
//!
//! - The lines agree, confirmed <= last <= prepared, and the chain at last agrees: commit up to last,
//!   back out the rest newest first, go on behind last.
//! - The lines agree, and the number or the chain does not: stop. One end was restored or copied, or a
//!   RESOLVE decided otherwise.
//! - The sender's line was not used, and the receiver knows no line, or one that was ours: a new line. The
//!   end of the last used one is compared and a difference told.
//! - The sender's line was used, and the receiver knows none or another: stop.
//! - The receiver knows a line that never was ours: stop. This queue manager was restored.
//! - Batches are in doubt with another partner: stop until a person resolves them, or that one is back.
//! - The receiver wants a new line, and the lines agree: settle by its Position, then a new line.
//!
//! Always: the verdict depends on what is durable at both ends alone.

use std::collections::VecDeque;
use std::fmt;

use super::frame::Position;
use super::numbers::{BatchNumber, Line, Mark};

/// The end of a line that gave way to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LineEnd {
    /// The line.
    pub line: Line,
    /// Its last confirmed batch.
    pub mark: Mark,
}

/// Batches that a person decided by RESOLVE CHANNEL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resolved {
    /// The first.
    pub first: BatchNumber,
    /// The last.
    pub last: BatchNumber,
    /// True when they were committed; else they were backed out.
    pub is_committed: bool,
}

/// The sender's books towards one partner, as its log has them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SenderState {
    /// The line; none for a channel that never spoke to this partner.
    pub line: Line,
    /// True when a batch of the line was prepared.
    pub is_used: bool,
    /// The last batch that is confirmed.
    pub confirmed: Mark,
    /// Batches in doubt, oldest first. At most as many as may be in flight.
    pub prepared: VecDeque<Mark>,
    /// The end of the last used line before this one.
    pub before: Option<LineEnd>,
    /// The line of the receiver that a stop named and a person then gave up by RESET CHANNEL; else none.
    pub replaces: Line,
    /// The batches that a person decided last, in this line or the one before.
    pub resolved: Option<Resolved>,
    /// True when batches are in doubt with another partner, of this name or not.
    pub is_in_doubt_with_another: bool,
}

/// A difference that is told to a person, as nothing can mend it: batches by their numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Finding {
    /// Batches that the receiver has and that were backed out here: they go out again.
    pub doubled: Option<(BatchNumber, BatchNumber)>,
    /// Batches that were committed here and that the receiver does not have.
    pub missing: Option<(BatchNumber, BatchNumber)>,
    /// True when the receiver forgot the line in which they were: they may be there or not.
    pub is_forgotten: bool,
}

impl Finding {
    /// True when there is nothing to tell.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A reason for a person to look: nothing is sent before a RESET or RESOLVE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contradiction {
    /// The lines agree, and the numbers or the chains do not.
    Numbers {
        /// The line.
        line: Line,
        /// The last batch that is confirmed here.
        confirmed: Mark,
        /// The last batch that is prepared here.
        prepared: Mark,
        /// The last batch of the receiver.
        theirs: Mark,
        /// Batches that are doubled or missing by a RESOLVE.
        finding: Finding,
    },
    /// The receiver lost the line, or was restored to a time before it.
    LineLost {
        /// The line of the sender.
        ours: Line,
        /// The line of the receiver, none when it knows none.
        theirs: Line,
        /// True when batches of the sender's line are in doubt.
        is_in_doubt: bool,
    },
    /// The receiver knows a line that the sender never began.
    LineUnknown {
        /// The line of the receiver.
        theirs: Line,
    },
    /// Batches are in doubt with a partner of another identifier.
    OtherPartner,
}

impl Contradiction {
    /// The line that a RESET replaces.
    #[must_use]
    pub fn line(&self) -> Line {
        match self {
            Self::Numbers { line, .. } => *line,
            Self::LineLost { theirs, .. } | Self::LineUnknown { theirs } => *theirs,
            Self::OtherPartner => Line::NONE,
        }
    }
}

impl fmt::Display for Contradiction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers { confirmed, prepared, theirs, finding, .. } => {
                write!(
                    formatter,
                    "the last batch is {} (chain {}) at the receiver, and {} (chain {}) confirmed",
                    theirs.batch, theirs.chain, confirmed.batch, confirmed.chain,
                )?;
                if prepared != confirmed {
                    write!(formatter, " and {} (chain {}) sent", prepared.batch, prepared.chain)?;
                }
                // The partner hears a text of 255 bytes.
                formatter.write_str(" here")?;
                finding.fmt(formatter)?;
                let in_doubt = |action| format!("compare both, then enter {action} and RESET CHANNEL");
                let next = match theirs.batch {
                    _ if prepared == confirmed => {
                        return formatter.write_str(
                            "; an end was restored from a backup, or RESOLVE CHANNEL differs: compare both ends, then enter \
                             RESET CHANNEL",
                        );
                    }
                    // The receiver has none of the batches in doubt, or all of them.
                    last if last < confirmed.batch => in_doubt("RESOLVE CHANNEL ACTION(BACKOUT)"),
                    last if last > prepared.batch => in_doubt("RESOLVE CHANNEL ACTION(COMMIT)"),
                    _ => in_doubt("RESOLVE CHANNEL"),
                };
                write!(formatter, "; an end was restored: {next}")
            }
            Self::LineLost { ours, theirs, is_in_doubt } => {
                match *theirs {
                    Line::NONE => write!(
                        formatter,
                        "the receiver does not know line {ours} any more: it was restored from a backup or its state was \
                         forgotten"
                    ),
                    theirs => write!(
                        formatter,
                        "the receiver is at line {theirs} and this end at {ours}: one of them was restored from a backup"
                    ),
                }?;
                let resolve = if *is_in_doubt { "RESOLVE CHANNEL and " } else { "" };
                write!(formatter, "; compare both ends, then enter {resolve}RESET CHANNEL")
            }
            Self::LineUnknown { theirs } => write!(
                formatter,
                "the receiver knows line {theirs}, which this end never began: this queue manager was restored from a \
                 backup; compare both ends, then enter RESET CHANNEL"
            ),
            Self::OtherPartner => formatter.write_str(
                "batches are in doubt with another queue manager, which was at this address before: the sender has to \
                 call that one, or to resolve them",
            ),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (batches, what) in [(self.doubled, "doubled"), (self.missing, "missing")] {
            if let Some((first, last)) = batches {
                write!(formatter, "; batches {first} to {last} are {what} there")?;
            }
        }
        if self.is_forgotten {
            formatter.write_str("; the receiver forgot the line that was used last")?;
        }
        Ok(())
    }
}

/// The decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The oldest prepared batches are committed in their order; the rest are backed out, newest first.
    GoOn {
        /// Batches to commit.
        commits: usize,
        /// The receiver's last batch, behind which the channel goes on.
        last: Mark,
    },
    /// The prepared batches are settled likewise, then a new line begins.
    NewLine {
        /// Batches to commit.
        commits: usize,
        /// The line to begin again with: the own one, when it was not used.
        keeps: Option<Line>,
        /// A difference to tell.
        finding: Finding,
    },
    /// Nothing is settled and nothing sent.
    Stop(Contradiction),
}

/// Decides. `is_answer` says that the position answers a Resume with a new line: a wish for one is done.
#[must_use]
pub fn judge(ours: &SenderState, theirs: &Position, is_answer: bool) -> Verdict {
    if ours.is_in_doubt_with_another {
        return Verdict::Stop(Contradiction::OtherPartner);
    }
    let is_known = theirs.line != Line::NONE;
    if is_known && theirs.line == ours.line {
        return judge_numbers(ours, theirs, is_answer);
    }
    if ours.line == Line::NONE && is_known {
        return Verdict::Stop(Contradiction::LineUnknown { theirs: theirs.line });
    }
    if ours.is_used {
        let is_in_doubt = !ours.prepared.is_empty();
        return Verdict::Stop(Contradiction::LineLost { ours: ours.line, theirs: theirs.line, is_in_doubt });
    }
    let was_ours = ours.before.is_some_and(|before| before.line == theirs.line);
    if is_known && !was_ours && ours.replaces != theirs.line {
        return Verdict::Stop(Contradiction::LineUnknown { theirs: theirs.line });
    }
    let keeps = (ours.line != Line::NONE).then_some(ours.line);
    Verdict::NewLine { commits: 0, keeps, finding: difference(ours, theirs) }
}

/// The lines agree: the numbers decide.
fn judge_numbers(ours: &SenderState, theirs: &Position, is_answer: bool) -> Verdict {
    let last = theirs.last;
    let at = |mark: &Mark| mark.batch == last.batch;
    let commits = match ours.prepared.iter().position(at) {
        Some(index) if ours.prepared[index] == last => Some(index + 1),
        None if ours.confirmed == last => Some(0),
        _ => None,
    };
    match commits {
        Some(commits) if theirs.wants_reset && !is_answer => {
            // A line that was not used is begun again: the receiver may know it without an end that is told.
            let keeps = (!ours.is_used).then_some(ours.line);
            Verdict::NewLine { commits, keeps, finding: Finding::default() }
        }
        Some(commits) => Verdict::GoOn { commits, last },
        // RESET gave a line that was not used another number than the receiver knows.
        None if !ours.is_used && !is_answer && ours.confirmed.is_start() && last.is_start() => {
            Verdict::NewLine { commits: 0, keeps: Some(ours.line), finding: Finding::default() }
        }
        None => Verdict::Stop(Contradiction::Numbers {
            line: ours.line,
            confirmed: ours.confirmed,
            prepared: ours.prepared.back().copied().unwrap_or(ours.confirmed),
            theirs: last,
            finding: by_hand(ours.resolved, last.batch),
        }),
    }
}

/// Compares a decision of RESOLVE CHANNEL with the receiver's last batch. Returns the batches that the
/// decision doubled or lost.
fn by_hand(resolved: Option<Resolved>, last: BatchNumber) -> Finding {
    let Some(Resolved { first, last: to, is_committed }) = resolved else { return Finding::default() };
    let (doubled, missing) = match is_committed {
        true => (None, (last < to).then(|| (first.max(last.next()), to))),
        false => ((last >= first).then(|| (first, to.min(last))), None),
    };
    Finding { doubled, missing, is_forgotten: false }
}

/// The end of the last used line here, against the words of the receiver about it.
fn difference(ours: &SenderState, theirs: &Position) -> Finding {
    let Some(before) = ours.before else { return Finding::default() };
    if theirs.line != before.line {
        // What a stop named was told then.
        let is_told = theirs.line != Line::NONE && theirs.line == ours.replaces;
        return Finding { is_forgotten: !is_told, ..Finding::default() };
    }
    let (here, there) = (before.mark, theirs.last);
    if here == there {
        return Finding::default();
    }
    let by_hand = by_hand(ours.resolved, there.batch);
    if !by_hand.is_empty() {
        return by_hand;
    }
    match here.batch.cmp(&there.batch) {
        std::cmp::Ordering::Less => {
            Finding { doubled: Some((here.batch.next(), there.batch)), ..Finding::default() }
        }
        std::cmp::Ordering::Greater => {
            Finding { missing: Some((there.batch.next(), here.batch)), ..Finding::default() }
        }
        // The same number of other messages: of all of them nothing is known.
        std::cmp::Ordering::Equal => {
            let all = Some((BatchNumber(1), here.batch));
            Finding { doubled: all, missing: all, is_forgotten: false }
        }
    }
}
