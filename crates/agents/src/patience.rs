//! Limits of patience with the other side of a connection, judged as time passes.
//!
//! Lives here: what is measured from tick to tick. Lives elsewhere: what a login, a frame or an answer is
//! (each agent).

use platform::Monotonic;
use std::time::Duration;

use crate::agent::Close;

/// Longest time that a client that reads nothing may keep the answer of another program's put back: long
/// enough for a program that is stopped for a moment or a network that loses packets, short enough that the
/// putter does not take us for dead.
const STALL_MAX: Duration = Duration::from_secs(5);

/// Longest time without a byte for a client that keeps the room of answers, while others of its user wait
/// for room: a person may read for a while before the next page of a terminal.
const UNREAD_MAX: Duration = Duration::from_secs(30);

/// Longest time by which the answer to a login is put off: FAILDLAY at its longest.
const JUDGEMENT_SECONDS_MAX: u16 = 60;

/// The place of a program on its way in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entrance {
    /// It has to say something.
    Outside,
    /// It waits for the verdict, which may be put off.
    Judged,
    /// It is let in.
    Open,
}

/// Times measured from tick to tick.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    /// When the program connected.
    accepted: Option<Monotonic>,
    /// Time since which the input has ended within the same frame.
    partial_since: Option<(Monotonic, u64)>,
    /// When something was last sent.
    sent: Option<Monotonic>,
    /// Time since which no byte was written that the putter of a message for this client waits for.
    stalled_since: Option<(Monotonic, u64)>,
    /// The same while it keeps the room of answers.
    unread_since: Option<(Monotonic, u64)>,
    /// Time since which the client has asked for nothing, and the number of frames that had come by then.
    idle_since: Option<(Monotonic, u64)>,
    /// Says whether something was sent since the last tick.
    is_sent: bool,
    /// When an unanswered heartbeat was sent, and how many frames had come by then.
    asked: Option<(Monotonic, u64)>,
    /// A heartbeat to send.
    is_due: bool,
}

/// The state that a heartbeat depends on.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    /// Interval between heartbeats where nothing else is sent; not zero.
    pub(crate) interval: Duration,
    /// Frames that have come so far.
    pub(crate) frames: u64,
    /// A program waits for a reply, and so reads.
    pub(crate) is_awaited: bool,
    /// Input was left unread.
    pub(crate) is_unread: bool,
    /// A program may wait for something to come, and need not answer.
    pub(crate) is_expecting: bool,
}

impl Patience {
    /// Returns true while a heartbeat is unanswered.
    pub(crate) fn awaits_answer(&self) -> bool {
        self.asked.is_some()
    }

    /// Patience with a program that connected at this time; at the first tick where that is not known.
    pub(crate) fn since(accepted: Option<Monotonic>) -> Self {
        Self { accepted, ..Self::default() }
    }

    /// Notes that a frame was sent.
    pub(crate) fn sent(&mut self) {
        self.is_sent = true;
    }

    /// Says whether a heartbeat is to be sent; true once.
    pub(crate) fn take_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// Ends a connection whose login takes too long.
    pub(crate) fn judge_login(&mut self, now: Monotonic, stage: Entrance, seconds: u16) -> Result<(), Close> {
        let (is_open, seconds) = match stage {
            Entrance::Open => (true, seconds),
            Entrance::Judged => (false, seconds.saturating_add(JUDGEMENT_SECONDS_MAX)),
            Entrance::Outside => (false, seconds),
        };
        let accepted = *self.accepted.get_or_insert(now);
        if !is_open && now.since(accepted) >= Duration::from_secs(u64::from(seconds)) {
            return Err(Close::Unfinished { what: "its login", seconds });
        }
        Ok(())
    }

    /// Ends a connection that began a frame and does not finish it: `partial` is how many frames came before
    /// one that has begun.
    pub(crate) fn judge_frame(
        &mut self,
        now: Monotonic,
        partial: Option<u64>,
        seconds: u16,
    ) -> Result<(), Close> {
        let is_over = time_unchanged(&mut self.partial_since, now, partial)
            .is_some_and(|time| time >= Duration::from_secs(u64::from(seconds)));
        if is_over { Err(Close::Unfinished { what: "a frame", seconds }) } else { Ok(()) }
    }

    /// A client that does not read holds those up whose messages it was handed without the log, but not for
    /// ever: with the connection the hand-overs end, and the messages are logged and go to others. `handing`
    /// is how many bytes were written while it is so.
    pub(crate) fn judge_stall(&mut self, now: Monotonic, handing: Option<u64>) -> Result<(), Close> {
        match time_unchanged(&mut self.stalled_since, now, handing) {
            Some(time) if time >= STALL_MAX => Err(Close::Stalled { seconds: time.as_secs() }),
            _ => Ok(()),
        }
    }

    /// Ends a client that does not read its answers, for whose room others wait: `keeping` is how many bytes
    /// were written while it is so.
    pub(crate) fn judge_unread(&mut self, now: Monotonic, keeping: Option<u64>) -> Result<(), Close> {
        match time_unchanged(&mut self.unread_since, now, keeping) {
            Some(time) if time >= UNREAD_MAX => Err(Close::Stalled { seconds: time.as_secs() }),
            _ => Ok(()),
        }
    }

    /// Ends a client that asks for nothing: `frames` is the number that has come, none while it waits.
    pub(crate) fn judge_idle(
        &mut self,
        now: Monotonic,
        frames: Option<u64>,
        seconds: u32,
    ) -> Result<(), Close> {
        match time_unchanged(&mut self.idle_since, now, frames) {
            Some(time) if time >= Duration::from_secs(seconds.into()) => Err(Close::Idle { seconds }),
            _ => Ok(()),
        }
    }

    /// Notes when something was sent last, if it was since the last tick.
    pub(crate) fn note_sent(&mut self, now: Monotonic) {
        if std::mem::take(&mut self.is_sent) || self.sent.is_none() {
            self.sent = Some(now);
        }
    }

    /// Sends a heartbeat where no other frame goes, and ends a connection that should answer one and does
    /// not.
    pub(crate) fn beat(&mut self, now: Monotonic, beat: &Heartbeat) -> Result<(), Close> {
        self.note_sent(now);
        let Heartbeat { interval, frames, is_awaited, is_unread, is_expecting } = *beat;
        if let Some((asked, before)) = self.asked {
            if before != frames || !is_awaited {
                self.asked = None;
            } else if is_unread {
                self.asked = Some((now, frames));
            } else if now.since(asked) >= 2 * interval {
                return Err(Close::Silent { seconds: now.since(asked).as_secs() });
            }
        }
        let is_quiet = self.sent.is_none_or(|sent| now.since(sent) >= interval);
        if is_quiet && (is_awaited || is_expecting) {
            self.is_due = true;
            self.sent = Some(now);
            if is_awaited && self.asked.is_none() {
                self.asked = Some((now, frames));
            }
        }
        Ok(())
    }
}

/// Returns how long a count has not changed; it is measured anew when it changes, and not at all where there
/// is none.
pub(crate) fn time_unchanged(
    since: &mut Option<(Monotonic, u64)>,
    now: Monotonic,
    count: Option<u64>,
) -> Option<Duration> {
    let Some(count) = count else {
        *since = None;
        return None;
    };
    match *since {
        Some((first, before)) if before == count => Some(now.since(first)),
        _ => {
            *since = Some((now, count));
            None
        }
    }
}
