//! Messages taken off a queue to standard output.
//!
//! Always: a message leaves its queue only after it was written out and the reader of a pipe had the time to
//! read it; a reader that goes away (`| head`) or Ctrl-C leaves the rest where it was.

use std::io;
use std::time::Duration;

use mqi::{GetFlags, GetOptions, MessageDescriptor, ObjectHandle, Reason, Verbs, Wait};

use super::stopped::Stopped;
use crate::message::{MESSAGE_BYTES_MAX, Message};
use crate::progress::Progress;
use terminal::durable_output::DurableOutput as _;
use terminal::failure::{Exit, Failure};
use terminal::next_step::NextStep;
use terminal::output::Output;
use terminal::reader::Following;
use terminal::units;

/// Messages written out before they are committed together.
pub(super) const BATCH: u64 = 100;

/// Time in which a reader that wants no more ends after it has read: first, since programs such as `head` end
/// after their first block, and later.
const GRACE_FIRST: Duration = Duration::from_millis(50);
const GRACE: Duration = Duration::from_millis(2);

/// The output after a unit of work, when so many messages were committed before it.
pub(super) fn following(is_last: bool, committed: u64) -> Following {
    match (is_last, committed) {
        (true, _) => Following::Nothing,
        (false, 0) => Following::More { grace: GRACE_FIRST },
        (false, _) => Following::More { grace: GRACE },
    }
}

/// The failure where the reader of a pipe went away. `these` are counted, such as "publication", and came off
/// `place`; `again` says how to take some of them alone.
pub(super) fn unread(committed: u64, these: &str, place: &str, again: NextStep) -> Failure {
    let what = match committed {
        0 => format!("the reader of standard output ended: no {these} was taken off {place}"),
        _ => format!(
            "the reader of standard output ended: {} taken off {place} for good, read or not",
            units::counted(committed, these)
        ),
    };
    Failure::new(Exit::Failed, what).next(again)
}

/// Takes messages to standard output, in units of work.
pub(super) struct Taker<'a> {
    pub(super) verbs: &'a mut dyn Verbs,
    pub(super) handle: ObjectHandle,
    /// The descriptor that gets match with.
    pub(super) pattern: MessageDescriptor,
    /// Options of the gets besides the unit of work.
    pub(super) flags: GetFlags,
    pub(super) print: &'a dyn Fn(&mut Output, &Message) -> io::Result<()>,
    pub(super) output: Output,
    pub(super) progress: Option<Progress>,
    pub(super) taken: Taken,
}

/// Progress of taking, in messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    /// Got and written, at least to the buffer.
    pub(super) got: u64,
    /// Of these, the first so many are off the queue for good.
    pub(super) committed: u64,
}

impl Taker<'_> {
    /// Takes so many messages, or fails with 2033 when there are no more. Messages that were written are
    /// committed either way, unless the output failed: then they are back on the queue.
    pub(super) fn take(&mut self, wanted: u64, wait: Wait) -> Result<(), Stopped> {
        let outcome = self.take_units(wanted, wait);
        if let Err(Stopped::Output(_)) = &outcome {
            // It goes back with the connection otherwise; a program that looks now need not wait for that.
            let _ = self.verbs.back();
        }
        outcome
    }

    fn take_units(&mut self, wanted: u64, wait: Wait) -> Result<(), Stopped> {
        while self.taken.got < wanted {
            // Nothing written may wait for a message that does not come.
            let is_committed = self.taken.got == self.taken.committed;
            let wait_now = if is_committed { wait } else { Wait::No };
            match self.take_one(wait_now) {
                Err(Stopped::Reason(Reason::NO_MSG_AVAILABLE)) if wait_now != wait => {
                    self.commit(wanted)?;
                    continue;
                }
                // A body longer than the buffer may be out in part, and nothing is left in the buffer that
                // could fail again.
                Err(stopped @ Stopped::Output(_)) => return Err(stopped),
                Err(stopped) => {
                    self.commit(wanted)?;
                    return Err(stopped);
                }
                Ok(()) => {}
            }
            if self.taken.got - self.taken.committed >= BATCH {
                self.commit(wanted)?;
            }
            if let Some(progress) = &mut self.progress {
                progress.add(1);
            }
        }
        self.commit(wanted)
    }

    fn take_one(&mut self, wait: Wait) -> Result<(), Stopped> {
        let mut descriptor = self.pattern.clone();
        let mut options = GetOptions::with(GetFlags::SYNCPOINT | self.flags, wait);
        let got = self.verbs.get(self.handle, &mut descriptor, &mut options, MESSAGE_BYTES_MAX)?;
        (self.print)(&mut self.output, &Message { descriptor, body: got.body })?;
        self.taken.got += 1;
        Ok(())
    }

    /// Writes all output first, to a file for good, so that no message is gone unseen.
    fn commit(&mut self, wanted: u64) -> Result<(), Stopped> {
        let Taken { got, committed } = self.taken;
        if got > committed {
            self.output.settle()?;
            self.output.wait_for_reader(following(got == wanted, committed))?;
            self.verbs.commit()?;
            self.taken.committed = got;
        }
        Ok(())
    }
}
