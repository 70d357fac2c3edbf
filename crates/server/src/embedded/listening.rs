//! Waiting for a message through several handles.
//!
//! Every getter has a wait of its own in the engine. One that takes messages only reserves them there, so
//! that a message that came for one consumer while another was being called is neither in the unit of work
//! nor gone. One that asks something of groups, of which more than one message would have to be reserved,
//! only looks, and gets when there is something.

use std::time::Duration;

use bytes::Bytes;
use mqi::listen::Wake;
use mqi::{GetOptions, Getter, Heard, Listen, MatchOptions, ObjectHandle, Reason, Wait};
use platform::Clock;
use queue_manager::{Ask, Get, GetPurpose, GotMessage, Outcome, Reserve, WaitToken};

use super::connection::{Connection, fill_get};
use crate::host;

/// A handle that is listened to.
#[derive(Debug)]
pub(super) struct Listening {
    getter: Getter,
    token: WaitToken,
    /// Outcome that came, until it is heard.
    outcome: Option<Outcome<GotMessage>>,
}

impl Listening {
    fn reserves(&self) -> bool {
        reserves(&self.getter.options)
    }
}

fn names_one(options: &GetOptions) -> bool {
    options.match_options.contains(MatchOptions::MATCH_MSG_TOKEN)
}

/// True if the choice of a message depends on others that are there.
fn looks(options: &GetOptions) -> bool {
    !options.browses() && !names_one(options) && options.concern_groups()
}

fn reserves(options: &GetOptions) -> bool {
    !options.browses() && !looks(options)
}

impl Connection {
    /// Asks the engine for the next message of a getter.
    fn begin_to_listen(&mut self, getter: &Getter) -> Result<(), Reason> {
        let token = self.next_token();
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        // Nobody waits for a message that has a token already: it is there, or it is not.
        let wait = if names_one(&getter.options) { Wait::No } else { Wait::Unlimited };
        let options = GetOptions { wait, ..getter.options.clone() };
        let Getter { handle, descriptor, bytes_max, .. } = getter;
        let _drives = host::this_thread_drives();
        let purpose = if looks(&options) {
            GetPurpose::Look
        } else if reserves(&options) {
            GetPurpose::Reserve(Reserve::All)
        } else {
            GetPurpose::Get
        };
        let ask = Ask::new(*handle, descriptor, &options, *bytes_max, token);
        let asked = connection.get(Ask { purpose, ..ask });
        let outcome = match asked {
            Get::Done(outcome) => Some(outcome),
            Get::Waiting => None,
        };
        self.listening.push(Listening { getter: getter.clone(), token, outcome });
        Ok(())
    }

    /// Ends the wait at a place; its reserved message goes back. A message shown to a browser has moved its
    /// cursor, so it is kept until that is listened to again.
    fn let_go(&mut self, place: usize) {
        let Some(connection) = &mut self.connection else {
            self.listening.remove(place);
            return;
        };
        let _drives = host::this_thread_drives();
        let listening = &self.listening[place];
        let is_cancelled = listening.outcome.is_none() && connection.cancel(listening.token);
        if !is_cancelled && listening.getter.options.browses() {
            return;
        }
        let listening = self.listening.remove(place);
        if !is_cancelled && listening.reserves() {
            connection.give_back(listening.token);
        }
    }

    /// Nothing that came for a browser of a handle is kept any more.
    pub(super) fn forget_shown(&mut self, handle: ObjectHandle) {
        let is_shown =
            |Listening { getter, .. }: &Listening| getter.handle == handle && getter.options.browses();
        self.listening.retain(|listening| !is_shown(listening));
    }

    /// Forgets a look through a handle after a get through it, since another message may now fit; the next
    /// look asks anew.
    pub(super) fn forget_look(&mut self, handle: ObjectHandle) {
        let is_look =
            |listening: &Listening| listening.getter.handle == handle && looks(&listening.getter.options);
        while let Some(place) = self.listening.iter().position(is_look) {
            self.let_go(place);
        }
    }

    /// True if the queue manager quiesces, and the listener was not told.
    fn has_untold_quiesce(&mut self) -> bool {
        !self.is_told_of_quiesce && self.check_quiescing() == Err(Reason::Q_MGR_QUIESCING)
    }

    /// Gets the message that a look has found, unless another getter took it.
    fn hear_found(&mut self, listening: Listening, getter: usize) -> Result<Option<Heard>, Reason> {
        let Listening { getter: Getter { handle, mut descriptor, mut options, bytes_max }, outcome, .. } =
            listening;
        let found = self.open_gate(outcome.ok_or(Reason::UNEXPECTED_ERROR)?);
        let mut shown = Bytes::new();
        let mut show = |part: &[u8]| shown = Bytes::copy_from_slice(part);
        let got =
            found.and_then(|_| self.get_showing(handle, &mut descriptor, &mut options, bytes_max, &mut show));
        match got {
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            got => Ok(Some(Heard { getter, descriptor, options, got, shown, is_last_ahead: false })),
        }
    }

    /// Tells what came for a getter; a message that was reserved is taken first. Nothing when a look was in
    /// vain.
    fn hear(&mut self, place: usize, getter: usize) -> Result<Option<Heard>, Reason> {
        let listening = self.listening.remove(place);
        if looks(&listening.getter.options) {
            return self.hear_found(listening, getter);
        }
        let takes = listening.reserves();
        let Listening { getter: asked, token, outcome } = listening;
        let outcome = outcome.ok_or(Reason::UNEXPECTED_ERROR)?;
        let Getter { descriptor, options, .. } = asked;
        let mut heard = Heard {
            getter,
            descriptor,
            options,
            got: Err(Reason::NONE),
            shown: Bytes::new(),
            is_last_ahead: false,
        };
        // Before the message is taken: without the handle it stays.
        let loan = match self.message_handles.for_get(&heard.options) {
            Ok(loan) => loan,
            Err(reason) => {
                if let (true, Some(connection)) = (takes, &mut self.connection) {
                    connection.give_back(token);
                }
                heard.got = Err(reason);
                return Ok(Some(heard));
            }
        };
        let names_one = names_one(&heard.options);
        let told = self.open_gate(outcome).map_err(|reason| match reason {
            Reason::NO_MSG_AVAILABLE if names_one => Reason::MSG_TOKEN_ERROR,
            reason => reason,
        });
        heard.got = told.and_then(|message| {
            if takes && message.warning != Some(Reason::TRUNCATED_MSG_FAILED) {
                let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
                let taken = {
                    let _drives = host::this_thread_drives();
                    connection.take_reserved(token, None)
                };
                let taken = self.open_gate(taken);
                if taken.is_err()
                    && let Some(connection) = &mut self.connection
                {
                    connection.give_back(token);
                }
                taken?;
            }
            let Heard { descriptor, options, shown, .. } = &mut heard;
            let mut show = |part: &[u8]| *shown = Bytes::copy_from_slice(part);
            fill_get(message.converted(), descriptor, options, loan, &mut show)
        });
        Ok(Some(heard))
    }
}

impl Listen for Connection {
    fn check_getter(&mut self, getter: &Getter) -> Result<(), Reason> {
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        let options = GetOptions { wait: Wait::No, ..getter.options.clone() };
        connection.check_get(getter.handle, &getter.descriptor, &options)
    }

    fn check_quiescing(&mut self) -> Result<(), Reason> {
        self.connection.as_ref().ok_or(Reason::HCONN_ERROR)?.check_quiescing()
    }

    fn listen(
        &mut self,
        getters: &[Getter],
        first: usize,
        timeout: Option<Duration>,
    ) -> Result<Option<Heard>, Reason> {
        for place in (0..self.listening.len()).rev() {
            if !getters.contains(&self.listening[place].getter) {
                self.let_go(place);
            }
        }
        for getter in getters {
            let is_its_place = |one: &Listening| one.getter.handle == getter.handle && one.getter != *getter;
            if self.listening.iter().any(is_its_place) {
                // Another is registered in its place.
                self.forget_shown(getter.handle);
            }
        }
        for getter in getters {
            if !self.listening.iter().any(|listening| listening.getter == *getter) {
                self.begin_to_listen(getter)?;
            }
        }
        let listening = &self.listening;
        self.inbox.keep_only(|token| listening.iter().any(|listening| listening.token == token));
        let deadline = timeout.map(|timeout| platform::os::OsClock.now().after(timeout));
        loop {
            if self.has_untold_quiesce() {
                return Ok(None);
            }
            for listening in &mut self.listening {
                if listening.outcome.is_none() {
                    listening.outcome = self.inbox.take(listening.token);
                }
            }
            for turn in 0..getters.len() {
                let index = (first + turn) % getters.len();
                let place = self
                    .listening
                    .iter()
                    .position(|one| one.outcome.is_some() && one.getter == getters[index]);
                if let Some(place) = place {
                    match self.hear(place, index)? {
                        None => self.begin_to_listen(&getters[index])?,
                        heard => return Ok(heard),
                    }
                }
            }
            if !self.inbox.sleep(deadline) {
                return Ok(None);
            }
        }
    }

    fn event(&mut self) -> Option<Reason> {
        let is_untold = self.has_untold_quiesce();
        self.is_told_of_quiesce |= is_untold;
        is_untold.then_some(Reason::Q_MGR_QUIESCING)
    }

    fn waker(&self) -> Wake {
        let inbox = std::sync::Arc::clone(&self.inbox);
        Box::new(move || inbox.wake())
    }

    fn has_unit(&self) -> bool {
        self.connection.as_ref().is_some_and(queue_manager::Connection::has_unit)
    }
}
