//! Recovery from a broken link.
//!
//! With reconnection on, the next call connects again, begins the conversation under its old identity, which
//! ends the old one's remains at the queue manager, and opens its objects again. The unit of work is lost
//! with the link: the next call in it, at the latest its commit, answers 2003. A listener is not held up: the
//! bell calls it off.
//!
//! An answer of 2009 says that the queue manager has ended the conversation, though the link is whole: it is
//! begun again by the same rules, on that link, and the other conversations there are left alone.

use super::administration::refusal;
use super::listening::CalledOff;
use super::{Begin, Connection, Handle, Role, Unanswered, begin_on};
use crate::inbox::Answer;
use crate::random::random;
use ::channel::Request;
use mqi::constants::{MQIA_DEFINITION_TYPE, MQQDT_PERMANENT_DYNAMIC};
use mqi::{
    AttributeValue, CloseOptions, ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, Reason, Selector,
};
use std::sync::Arc;
use std::time::Duration;

/// Most attempts to begin a conversation again on links that break at once, before the call fails.
const ATTEMPTS: u32 = 10;

/// The pause after an attempt that a queue manager refused for the moment; longer with each.
const PAUSE: Duration = Duration::from_millis(20);

impl Connection {
    /// Makes a new link and puts this conversation on it. The reason of the broken link when that is not
    /// wanted.
    pub(super) fn reconnect(&mut self) -> Result<(), Reason> {
        self.return_to_server().map(drop)
    }

    /// As [`reconnect`](Self::reconnect), with the last commit the queue manager knows of this conversation.
    pub(super) fn return_to_server(&mut self) -> Result<Option<u64>, Reason> {
        let cause = self.link.reason();
        self.tell_break_aside();
        let returned = self.try_to_return();
        if returned != Err(Reason::RECONNECTING) {
            let failure = returned.as_ref().err().copied();
            self.reconnection = failure.map(|failure| (cause, failure));
            self.tell_return_aside(failure);
        }
        returned
    }

    fn try_to_return(&mut self) -> Result<Option<u64>, Reason> {
        self.note_loss();
        self.leave();
        let (called_off, bell) = (self.listening.called_off, Arc::clone(&self.listening.bell));
        let is_off = || match called_off {
            CalledOff::Never => false,
            CalledOff::WhenRung => bell.is_rung(),
            CalledOff::Always => true,
        };
        for attempt in 0..ATTEMPTS {
            let link = self.channel.reconnect(&self.link, &is_off)?;
            if !link.has_room() && !link.is_broken() {
                // Fewer share a connection than before, or neighbours came first.
                self.channel = self.channel.apart(&is_off)?;
                continue;
            }
            self.go_by(link.channel());
            self.generation += 1;
            match begin_on(&link, self.instance, self.generation, self.channel.accounting()) {
                Ok((number, inbox, last_commit)) => {
                    // Together: a number means nothing on another link.
                    self.link = link;
                    self.number = number;
                    self.inbox = inbox;
                    self.is_ended_there = false;
                    if self.open_again()? {
                        return Ok(last_commit);
                    }
                    self.leave();
                }
                Err(Begin::Broken) => {}
                Err(Begin::Refused(reason)) => {
                    let is_passing = matches!(
                        reason,
                        Reason::Q_MGR_QUIESCING
                            | Reason::Q_MGR_STOPPING
                            | Reason::CONNECTION_QUIESCING
                            | Reason::MAX_CONNS_LIMIT_REACHED
                    );
                    if !is_passing {
                        return Err(reason);
                    }
                    // It is about to end, or has not noticed yet who is gone; come back a little later, and
                    // leave who works there alone.
                    if link.is_used() {
                        self.channel = self.channel.apart(&is_off)?;
                    } else {
                        link.break_off();
                    }
                    std::thread::sleep(PAUSE * attempt);
                }
            }
        }
        Err(Reason::RECONNECT_FAILED)
    }

    /// Takes a new instance for a channel other than the one that the instance belongs to. What the last
    /// commit became is not known by then.
    fn go_by(&mut self, channel: &Arc<str>) {
        if *channel != self.began_by {
            (self.instance, self.began_by) = (random(), Arc::clone(channel));
        }
    }

    /// Writes down what the broken link took with it.
    fn note_loss(&mut self) {
        if self.unit.is_open {
            self.unit.is_open = false;
            self.unit.is_lost = true;
        }
        for lost in [self.unheard.take(), self.unheard_in_unit.take()] {
            self.note_lost_puts(lost);
        }
        for handle in self.handles.iter_mut().flatten() {
            if let Some(stream) = &mut handle.stream {
                stream.lose(&self.inbox, handle.server);
            }
        }
    }

    /// Returns the answer to an MQOPEN that was asked again because its answer was lost. With a model for
    /// permanent queues the first MQOPEN may have made a queue under a name that no program knows. Then the
    /// second queue is deleted, and the program is told that the outcome is not known.
    pub(super) fn opened_again(
        &mut self,
        object: &ObjectDescriptor,
        answer: Answer,
    ) -> Result<Answer, Reason> {
        match answer {
            // By the first, or before.
            Answer::Failed { reason: Reason::OBJECT_ALREADY_EXISTS, .. } => Err(Reason::CONNECTION_BROKEN),
            Answer::Opened(opened) if opened.object_name != object.object_name => {
                let lasts = self.lasts(opened.object_name).map_err(|_| Reason::CONNECTION_BROKEN)?;
                if !lasts {
                    // What the first made went with its conversation.
                    return Ok(Answer::Opened(opened));
                }
                let close = Request::Close { handle: opened.handle, options: CloseOptions::DELETE };
                // Should the link break now there are two, or one, which is no more known than before.
                let _ = self.ask_plainly(&close);
                Err(Reason::CONNECTION_BROKEN)
            }
            answer => Ok(answer),
        }
    }

    /// True if a dynamic queue outlasts the connection that made it.
    fn lasts(&mut self, name: ObjectName) -> Result<bool, Unanswered> {
        let (object, options) = (ObjectDescriptor::queue(name), OpenOptions::INQUIRE);
        let Answer::Opened(opened) = self.ask_plainly(&Request::Open { object, options })? else {
            return Ok(false);
        };
        let selectors = vec![Selector(MQIA_DEFINITION_TYPE)];
        let answer = self.ask_plainly(&Request::Inquire { handle: opened.handle, selectors })?;
        self.ask_plainly(&Request::Close { handle: opened.handle, options: CloseOptions::EMPTY })?;
        let kind = AttributeValue::Integer(MQQDT_PERMANENT_DYNAMIC);
        Ok(matches!(answer, Answer::Inquired(inquired) if inquired.values == [kind]))
    }

    /// Opens again what was open; false when the link broke meanwhile.
    fn open_again(&mut self) -> Result<bool, Reason> {
        for place in 0..self.handles.len() {
            if self.open_place_again(place).is_err() {
                return Ok(false);
            }
        }
        let is_open = self.subscribe_again();
        self.are_refused = self.handles.iter().flatten().any(|handle| handle.refused.is_some());
        Ok(is_open)
    }

    /// Opens one that could not be opened again, if it is such a one; what it is refused for now stands in
    /// it.
    #[cold]
    pub(super) fn open_if_refused(&mut self, handle: ObjectHandle) -> Result<(), Reason> {
        if self.known(handle)?.refused.is_none() {
            return Ok(());
        }
        match self.open_place_again(handle.0 as usize - 1) {
            Ok(()) => Ok(()),
            // All are opened again with the link.
            Err(_) => self.reconnect(),
        }
    }

    fn open_place_again(&mut self, place: usize) -> Result<(), Unanswered> {
        let Some(handle @ Handle { role: Role::Object, .. }) = &self.handles[place] else {
            return Ok(());
        };
        let (options, name, model) = (handle.options, handle.name, handle.object.clone());
        // A dynamic queue is opened by its own name, if it is still there.
        let object = ObjectDescriptor { object_name: name, ..model.clone() };
        let mut answer = self.ask_plainly(&Request::Open { object, options })?;
        let is_gone = matches!(answer, Answer::Failed { reason: Reason::UNKNOWN_OBJECT_NAME, .. });
        if is_gone && name != model.object_name {
            // A temporary dynamic queue went with the connection; it is made again under its name.
            let object =
                ObjectDescriptor { dynamic_queue_name: mqi::Text::truncated(name.as_str()), ..model };
            answer = self.ask_plainly(&Request::Open { object, options })?;
        }
        let Some(handle) = &mut self.handles[place] else { return Ok(()) };
        match answer {
            Answer::Opened(opened) => {
                (handle.server, handle.refused) = (opened.handle, None);
                handle.puts_asynchronously = opened.puts_asynchronously;
            }
            // The object has gone or is refused: the call that uses the handle is told.
            answer => {
                (handle.server, handle.refused) = (ObjectHandle::NONE, Some(refusal(&answer)));
            }
        }
        Ok(())
    }
}
