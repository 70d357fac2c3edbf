//! What whoever listens is told of the conversation's breaks: that it is being begun again, and that it has been.
//!
//! Always: a break that was told of is followed by word of the return, or by the reason that there is none.

use super::Connection;
use mqi::{Heard, Reason};

/// How far whoever listens knows what became of the conversation.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The beginning of the conversation that is known of; none while nobody listens.
    generation: Option<u64>,
    /// Whether a break was told of, and the return not yet.
    is_break_told: bool,
}

impl Connection {
    /// Somebody listens: what happens from now on is told.
    pub(super) fn begin_to_tell(&mut self) {
        self.listening.known.generation.get_or_insert(self.generation);
    }

    /// Nobody listens any more; a return that is owed is told to whoever listens next.
    pub(super) fn end_telling(&mut self) {
        if !self.listening.known.is_break_told {
            self.listening.known.generation = None;
        }
    }

    /// Whether what was heard is about the link or the conversation, of which another is made or has been. It does when the queue
    /// manager ends, too: then the link is about to break, and is given up now.
    pub(super) fn breaks_with(&mut self, heard: &Heard) -> bool {
        if !self.channel.reconnects() {
            return false;
        }
        match heard.got {
            Err(Reason::Q_MGR_STOPPING | Reason::CONNECTION_STOPPING) => {
                self.is_ended_there = true;
                true
            }
            // What became of a message that was being taken is not known: who listens is told of the break.
            Err(Reason::CONNECTION_BROKEN) => true,
            _ => false,
        }
    }

    /// What is to be told.
    pub(super) fn untold(&self) -> Option<Reason> {
        let known = &self.listening.known;
        let generation = known.generation.filter(|_| self.channel.reconnects())?;
        match known.is_break_told {
            // It may have come and gone within a call of the program.
            false if self.is_lost() || self.generation != generation => Some(Reason::RECONNECTING),
            true if !self.is_lost() => Some(Reason::RECONNECTED),
            _ => None,
        }
    }

    /// Takes what is to be told.
    pub(super) fn tell(&mut self) -> Option<Reason> {
        let event = self.untold()?;
        let known = &mut self.listening.known;
        known.is_break_told = event == Reason::RECONNECTING;
        if !known.is_break_told {
            known.generation = Some(self.generation);
        }
        Some(event)
    }

    /// Begins the conversation again when it is lost and that has been told.
    pub(super) fn return_once_told(&mut self) -> Result<(), Reason> {
        if !self.listening.known.is_break_told || !self.is_lost() {
            return Ok(());
        }
        self.reconnect().map_err(|reason| {
            if reason != Reason::RECONNECTING {
                // Why not, is told by MQSTAT.
                self.listening.known = Known::default();
                return Reason::RECONNECT_FAILED;
            }
            reason
        })
    }
}
