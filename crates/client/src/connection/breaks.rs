//! Events of the conversation for a listener: its breaks, the beginning of a reconnection and its end; and
//! that its queue manager quiesces.
//!
//! Always: a break that was told of is followed by word of the return, or by the reason that there is none.
//! That a queue manager quiesces is told once in each beginning of the conversation.

use super::Connection;
use super::bell::WATCHING;
use crate::inbox::{Answer, Arrived};
use ::channel::{Flags, Request, RequestNumber};
use mqi::listen::OnEvent;
use mqi::{Heard, Reason};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time to read input that may have come while no call waited: long enough to take it from the socket, too
/// short to hold up a call.
const GLANCE: Duration = Duration::from_millis(1);

/// The listener's knowledge of the state of the conversation.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// The known beginning of the conversation; none without a listener.
    generation: Option<u64>,
    /// True if a break was reported, and the return not yet.
    is_break_told: bool,
    pub(super) quiesce: Quiesce,
}

/// Receiver of the conversation's events while there is no listener.
#[derive(Default)]
pub(super) struct Aside {
    on_event: Option<OnEvent>,
    /// True if a break was reported, and the return not yet.
    is_break_told: bool,
    /// True if it was reported that the connection does not return.
    is_end_told: bool,
}

impl std::fmt::Debug for Aside {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Aside({}, {})", self.is_break_told, self.is_end_told)
    }
}

impl Aside {
    fn tell(&self, reason: Reason) {
        if let Some(on_event) = &self.on_event {
            on_event(reason);
        }
    }
}

/// The listener's knowledge that the queue manager quiesces.
#[derive(Debug, Default)]
pub(super) struct Quiesce {
    /// The beginning of the conversation that this is about, in which its queue manager was asked to say so.
    generation: Option<u64>,
    has_come: bool,
    is_told: bool,
}

impl Quiesce {
    /// Notes it if the queue manager has said so; whether it has not been told.
    pub(super) fn notice(&mut self, arrived: &mut Arrived) -> bool {
        let answer = arrived.take(WATCHING);
        self.has_come |= matches!(answer, Some(Answer::Failed { reason: Reason::Q_MGR_QUIESCING, .. }));
        self.is_untold()
    }

    /// A getter was refused for it, which may be known before the queue manager says so.
    pub(super) fn notice_refusal(&mut self, heard: &Heard) {
        self.has_come |= matches!(heard.got, Err(Reason::Q_MGR_QUIESCING));
    }

    fn is_untold(&self) -> bool {
        self.has_come && !self.is_told
    }
}

impl Connection {
    /// Begins to report events to a listener.
    pub(super) fn begin_to_tell(&mut self) {
        self.listening.known.generation.get_or_insert(self.generation);
    }

    /// Sets the receiver of events that come without a listener.
    pub(super) fn tell_aside(&mut self, on_event: OnEvent) {
        self.listening.aside = Aside { on_event: Some(on_event), ..Aside::default() };
    }

    /// The conversation is about to be begun again.
    pub(super) fn tell_break_aside(&mut self) {
        let is_listened_to = self.listening.known.generation.is_some();
        let aside = &mut self.listening.aside;
        if self.channel.reconnects() && !is_listened_to && !aside.is_break_told && !aside.is_end_told {
            aside.is_break_told = true;
            aside.tell(Reason::RECONNECTING);
        }
    }

    /// Reports that the conversation has begun again, or cannot.
    pub(super) fn tell_return_aside(&mut self, failure: Option<Reason>) {
        let reconnects = self.channel.reconnects();
        let is_listened_to = self.listening.known.generation.is_some();
        let aside = &mut self.listening.aside;
        let was_break_told = std::mem::take(&mut aside.is_break_told);
        let was_end_told = std::mem::replace(&mut aside.is_end_told, failure.is_some());
        if is_listened_to {
            return;
        }
        match failure {
            None if was_break_told || was_end_told => aside.tell(Reason::RECONNECTED),
            None => {}
            Some(_) if was_end_told => {}
            // Why not, is told by MQSTAT.
            Some(_) if reconnects => aside.tell(Reason::RECONNECT_FAILED),
            Some(reason) => aside.tell(reason),
        }
    }

    /// Asks the queue manager to say when it quiesces, once in each beginning of the conversation, and notes
    /// whether it has.
    pub(super) fn watch(&mut self) {
        let generation = Some(self.generation);
        if self.listening.known.quiesce.generation == generation {
            self.listening.known.quiesce.notice(&mut self.inbox.lock());
            return;
        }
        self.listening.known.quiesce = Quiesce { generation, ..Quiesce::default() };
        let (link, number) = (Arc::clone(&self.link), self.number);
        // A broken link shows when something is waited for.
        let _ = link.cork(|output| {
            let request = Request::Cancel { get: RequestNumber(0) };
            request.encode(output.cork(), number, WATCHING, Flags::LISTENS);
        });
    }

    /// Looks whether the queue manager has said that it quiesces, which it is asked for the first time.
    fn look_whether_it_quiesces(&mut self) {
        if self.has_ended || self.is_lost() {
            return;
        }
        self.watch();
        let quiesce = &mut self.listening.known.quiesce;
        let look = |arrived: &mut Arrived| quiesce.notice(arrived).then_some(());
        let until = Instant::now() + GLANCE;
        // A broken link shows in a call of the program.
        let _ = self.link.flush_soon().and_then(|()| self.link.wait_until(&self.inbox, Some(until), look));
    }

    /// Listening ends here; a return that is owed is reported to the next listener.
    pub(super) fn end_telling(&mut self) {
        if !self.listening.known.is_break_told {
            self.listening.known.generation = None;
        }
    }

    /// True if this result is about the link or the conversation, which is being replaced or has been. Also
    /// true when the queue manager ends: then the link is about to break, and is given up now.
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

    /// The event to report next, if any.
    pub(super) fn untold(&self) -> Option<Reason> {
        let quiesce = &self.listening.known.quiesce;
        let quiesces = || quiesce.is_untold() && quiesce.generation == Some(self.generation);
        self.untold_break().or_else(|| quiesces().then_some(Reason::Q_MGR_QUIESCING))
    }

    fn untold_break(&self) -> Option<Reason> {
        let known = &self.listening.known;
        let generation = known.generation.filter(|_| self.channel.reconnects())?;
        match known.is_break_told {
            // It may have come and gone within a call of the program.
            false if self.is_lost() || self.generation != generation => Some(Reason::RECONNECTING),
            true if !self.is_lost() => Some(Reason::RECONNECTED),
            _ => None,
        }
    }

    /// Takes the event to report; without a listener it looks for one now.
    pub(super) fn tell(&mut self) -> Option<Reason> {
        if self.listening.known.generation.is_none() {
            self.look_whether_it_quiesces();
        }
        let event = self.untold()?;
        let known = &mut self.listening.known;
        match event {
            Reason::Q_MGR_QUIESCING => known.quiesce.is_told = true,
            Reason::RECONNECTING => known.is_break_told = true,
            _ => (known.is_break_told, known.generation) = (false, Some(self.generation)),
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
