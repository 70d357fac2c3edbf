//! The turn to read a socket on which several threads wait.
//!
//! One of the waiting threads reads for all and files the input; the others sleep, each at its own mailbox. A
//! sleeper is woken by mail, or to read on when the reader has left. While any woken thread has yet to look,
//! no other is woken to read on: the last of them to leave does it, unless one has come back meanwhile and
//! reads without being woken.
//!
//! Threads with new mail are woken together, once all input is filed and before its reader waits for more. A
//! reader that leaves gives its turn up before it wakes them: one of them may push it aside, be done soon,
//! and read on. Each is likely to send its next request soon. So a request made while some of them have yet
//! to look may wait for them, and leaves with theirs (`Lead::defer`).
//!
//! Lives here: the turn to read, the threads to wake, and the wait of requests. Lives elsewhere: reading,
//! filing and sending (`link`).
//!
//! Always: while any thread sleeps, another reads, or was woken and has not looked yet; a request that waits
//! does so for as many looks as were outstanding when it was made, and the thread that takes the last look is
//! told to send it. A mailbox is locked before the state here, never after it.

use crate::inbox::{Arrived, Inbox};
use platform::sync::{Mutex, MutexGuard};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Duration;

/// The reading half of a socket, and the threads that wait for its input.
#[derive(Debug)]
pub(crate) struct Lead<R> {
    state: Mutex<State<R>>,
}

#[derive(Debug)]
struct State<R> {
    /// Here while no thread reads.
    reader: Option<R>,
    /// The mailboxes of sleepers that were not woken.
    asleep: Vec<Arc<Inbox>>,
    /// Number of threads that were woken and have not looked yet.
    coming: usize,
    /// Number of them that were woken by mail.
    told: u64,
    /// Number of looks by these so far.
    looks: u64,
    /// After how many looks the requests that wait are sent.
    due: Option<u64>,
}

impl<R> State<R> {
    /// Notes that a sleeper has looked, woken or not. True when the requests that waited for it are to be
    /// sent.
    fn has_looked(&mut self, inbox: &Arc<Inbox>, was_told: bool) -> bool {
        // One who was woken is counted; one who woke by itself is counted now.
        self.wake(inbox);
        self.coming -= 1;
        if was_told {
            self.told -= 1;
            self.looks += 1;
        }
        self.due.take_if(|due| *due <= self.looks).is_some()
    }

    /// Counts a sleeper among the coming threads, unless it is there already.
    fn wake(&mut self, inbox: &Arc<Inbox>) {
        if let Some(place) = self.asleep.iter().position(|asleep| Arc::ptr_eq(asleep, inbox)) {
            self.asleep.remove(place);
            self.coming += 1;
        }
    }

    /// Takes the owner to wake next, to read on: the last that fell asleep. It is likely the last to be
    /// answered, so that it reads for long.
    fn next(&mut self) -> Option<Arc<Inbox>> {
        if self.reader.is_none() || self.coming > 0 {
            return None;
        }
        let next = self.asleep.pop()?;
        self.coming += 1;
        Some(next)
    }
}

impl<R> Lead<R> {
    /// Makes a lead without a reading or waiting thread.
    pub(crate) fn new(reader: R) -> Self {
        let reader = Some(reader);
        let state = State { reader, asleep: Vec::new(), coming: 0, told: 0, looks: 0, due: None };
        Self { state: Mutex::new(state) }
    }

    /// Begins a wait for what comes to a mailbox.
    pub(crate) fn waiter<'a>(&'a self, inbox: &'a Arc<Inbox>) -> Waiter<'a, R> {
        Waiter { lead: self, inbox, turn: None, told: Told::default(), slept: None, is_due: false }
    }

    /// Takes the turn to read, unless another thread has it.
    pub(crate) fn try_turn(&self) -> Option<Turn<'_, R>> {
        self.state.lock().reader.take().map(|reader| Turn { lead: self, reader: Some(reader) })
    }

    /// Something came to a mailbox: has its owner woken, if it sleeps, with the others to be told.
    pub(crate) fn tell(&self, inbox: &Arc<Inbox>, mut arrived: MutexGuard<'_, Arrived>, told: &mut Told) {
        if std::mem::take(&mut arrived.is_asleep) {
            arrived.is_told = true;
            let mut state = self.state.lock();
            state.wake(inbox);
            state.told += 1;
            told.0.push(Arc::clone(inbox));
        }
    }

    /// True if a request made now may wait for threads that are likely to send soon. It is then sent by the
    /// last of those that have yet to look, or with a request that does not wait.
    pub(crate) fn defer(&self) -> bool {
        let mut state = self.state.lock();
        let may_wait = state.told > 0;
        if may_wait {
            let due = state.looks + state.told;
            state.due.get_or_insert(due);
        }
        may_wait
    }

    /// Changes the state, then wakes the thread that has to read on by the new state.
    fn change(&self, change: impl FnOnce(&mut State<R>)) {
        let next = {
            let mut state = self.state.lock();
            change(&mut state);
            state.next()
        };
        if let Some(inbox) = next
            && std::mem::take(&mut inbox.lock().is_asleep)
        {
            inbox.changed.notify_one();
        }
    }
}

/// Owners to be told of mail; dropping this tells them at the latest.
#[derive(Debug, Default)]
pub(crate) struct Told(Vec<Arc<Inbox>>);

impl Told {
    fn wake(&mut self) {
        for inbox in self.0.drain(..) {
            inbox.changed.notify_one();
        }
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        self.wake();
    }
}

/// The turn to read. Dropping it has another read on.
#[derive(Debug)]
pub(crate) struct Turn<'a, R> {
    lead: &'a Lead<R>,
    /// There until it is dropped.
    reader: Option<R>,
}

/// Invariant of a turn.
const TURN: &str = "who has the turn has the reader";

impl<R> Deref for Turn<'_, R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.reader.as_ref().expect(TURN)
    }
}

impl<R> DerefMut for Turn<'_, R> {
    fn deref_mut(&mut self) -> &mut R {
        self.reader.as_mut().expect(TURN)
    }
}

impl<R> Drop for Turn<'_, R> {
    fn drop(&mut self) {
        self.lead.change(|state| state.reader = self.reader.take());
    }
}

/// A waiting thread. Dropping it ends the wait, and wakes another to read on if need be; no mailbox may be
/// locked then.
#[derive(Debug)]
pub(crate) struct Waiter<'a, R> {
    lead: &'a Lead<R>,
    inbox: &'a Arc<Inbox>,
    turn: Option<Turn<'a, R>>,
    /// Owners of mail that it read.
    told: Told,
    /// That it slept, and whether it was told that something came; until its look has been counted.
    slept: Option<bool>,
    /// True if requests that waited for it are to be sent.
    is_due: bool,
}

impl<'a, R> Waiter<'a, R> {
    /// Returns the turn to read, after a look into the mailbox found nothing, with room for the owners of
    /// mail that it reads. Or returns nothing after a sleep, which ends when mail has come, when no thread
    /// reads, when the limit is over or for no reason. Nothing without a sleep, too, when requests are due.
    pub(crate) fn turn_or_sleep(
        &mut self,
        mut arrived: MutexGuard<'_, Arrived>,
        limit: Option<Duration>,
    ) -> Option<(&mut Turn<'a, R>, &mut Told)> {
        if self.turn.is_some() {
            drop(arrived);
            self.told.wake();
        } else {
            let mut state = self.lead.state.lock();
            if let Some(was_told) = self.slept.take() {
                self.is_due |= state.has_looked(self.inbox, was_told);
            }
            if self.is_due {
                return None;
            }
            self.turn = state.reader.take().map(|reader| Turn { lead: self.lead, reader: Some(reader) });
            if self.turn.is_none() {
                state.asleep.push(Arc::clone(self.inbox));
                drop(state);
                self.sleep(&mut arrived, limit);
            }
        }
        self.turn.as_mut().map(|turn| (turn, &mut self.told))
    }

    fn sleep(&mut self, arrived: &mut MutexGuard<'_, Arrived>, limit: Option<Duration>) {
        arrived.is_asleep = true;
        match limit {
            Some(limit) => {
                self.inbox.changed.wait_for(arrived, limit);
            }
            None => self.inbox.changed.wait(arrived),
        }
        arrived.is_asleep = false;
        self.slept = Some(std::mem::take(&mut arrived.is_told));
    }

    /// Gives the turn up for now.
    pub(crate) fn pass_on(&mut self) {
        self.turn = None;
        self.told.wake();
    }

    /// True if requests that waited for this look are to be sent; true once only.
    pub(crate) fn take_due(&mut self) -> bool {
        std::mem::take(&mut self.is_due)
    }

    /// Ends the wait; whether requests that waited for it are to be sent.
    pub(crate) fn leave(mut self) -> bool {
        self.end();
        self.take_due()
    }

    fn end(&mut self) {
        self.turn = None;
        if let Some(was_told) = self.slept.take() {
            self.lead.change(|state| self.is_due |= state.has_looked(self.inbox, was_told));
        }
        self.told.wake();
    }
}

impl<R> Drop for Waiter<'_, R> {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(all(test, feature = "loom"))]
pub(crate) mod models;
