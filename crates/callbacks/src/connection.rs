//! A connection with consumers: the verbs, MQCB and MQCTL.

use std::sync::{Arc, Weak};
#[cfg(not(feature = "loom"))]
use std::thread;

use mqi::constants::{MQCTLO_FAIL_IF_QUIESCING, MQCTLO_THREAD_AFFINITY};
use mqi::listen::Wake;
use mqi::{Forwards, GetOptions, Listen, MessageDescriptor, ObjectHandle, Reason, Verbs};
#[cfg(feature = "loom")]
use platform::sync::loom::thread;
use platform::sync::{Condvar, Mutex, MutexGuard};

use crate::consumer_thread::{self, Ended};
use crate::control::{Control, Mode};
use crate::event_thread::{self, EventThread};
use crate::locked_connection::{Consuming, LockedConnection};
use crate::registry::{Entry, Registry};
use crate::{Description, Operation};

/// The options of MQCTL. `MQCTLO_THREAD_AFFINITY` says nothing new: one thread calls all consumers anyway.
const CONTROL_OPTIONS: i32 = MQCTLO_FAIL_IF_QUIESCING | MQCTLO_THREAD_AFFINITY;

/// A connection whose messages can come to consumers. Clones are the same connection; when the last is
/// dropped no consumer is called any more.
pub struct Connection<V: Listen + Send + 'static> {
    pub(crate) shared: Arc<Shared<V>>,
    /// Counts the clones.
    _alive: Arc<Alive<V>>,
}

pub(crate) struct Alive<V: Listen + Send + 'static>(Arc<Shared<V>>);

impl<V: Listen + Send + 'static> Drop for Alive<V> {
    fn drop(&mut self) {
        self.0.lock().control.set(Mode::Stopped);
        self.0.look_up();
        self.0.event.notify_all();
    }
}

impl<V: Listen + Send + 'static> Clone for Connection<V> {
    fn clone(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), _alive: Arc::clone(&self._alive) }
    }
}

/// The part of a connection that is shared with the thread that calls consumers.
pub(crate) struct Shared<V> {
    state: Mutex<State<V>>,
    changed: Condvar,
    wake: Wake,
    /// Notified when event handlers have a report to get while consumers are not called, and when the
    /// connection is gone.
    pub(crate) event: Condvar,
    /// Starts a thread that reports to them, while there are any.
    pub(crate) attend: Box<dyn Fn() + Send + Sync>,
}

pub(crate) struct State<V> {
    pub(crate) place: Place<V>,
    pub(crate) control: Control,
    pub(crate) registry: Registry,
    /// Callbacks to tell when the callback that has changed them returns.
    pub(crate) to_tell: Vec<ToTell>,
    /// Events for handlers while consumers are not called.
    pub(crate) aside: EventThread,
    /// A thread of its own calls consumers, suspended or not.
    has_thread: bool,
    /// Number of starts.
    starts: u64,
    /// The last start was reported to the callbacks that asked for it.
    pub(crate) has_begun: bool,
    /// One of them stopped it at once.
    was_stopped_at_start: bool,
    /// The program has ended the connection.
    has_ended: bool,
}

impl<V> State<V> {
    /// Returns true while a thread calls consumers, is about to, or has not ended yet.
    fn is_served(&self) -> bool {
        self.has_thread || matches!(self.place, Place::Serving)
    }

    /// Begins a start, of which the callbacks are yet to be told. Its number.
    fn begin_start(&mut self) -> u64 {
        self.control.set(Mode::Started);
        (self.has_begun, self.was_stopped_at_start) = (false, false);
        self.starts += 1;
        self.starts
    }

    /// Notes that a callback has returned. Returns true if it has stopped the calls and no thread is there to
    /// tell of that: they were suspended, by a start that waits.
    pub(crate) fn leave_callback(&mut self) -> bool {
        let has_stopped = self.control.leave();
        self.was_stopped_at_start |= has_stopped && !self.has_begun;
        has_stopped && !self.is_served()
    }
}

/// A change of one callback by another.
pub(crate) enum ToTell {
    /// It was registered while consumers are called: the start of that.
    Start(u64),
    /// It is registered no longer. A start had been reported to it before, or not.
    End { entry: Box<Entry>, is_started: bool },
}

/// Where the connection itself is.
pub(crate) enum Place<V> {
    /// Free.
    Here(V),
    /// With a thread of the program that is in a call.
    Busy,
    /// With the thread that calls consumers.
    Serving,
    /// Gone, with a consumer that panicked.
    Lost,
}

impl<V> Shared<V> {
    pub(crate) fn lock(&self) -> MutexGuard<'_, State<V>> {
        self.state.lock()
    }

    /// Notifies every waiting thread of a change.
    pub(crate) fn tell(&self) {
        self.changed.notify_all();
    }

    /// Notifies every waiting thread, and the listener.
    pub(crate) fn look_up(&self) {
        self.tell();
        (self.wake)();
    }

    /// Waits until no call of the program is under way and a stop has ended, for a start. A start that comes
    /// too late fails with `if_started`.
    fn lock_to_start(&self, if_started: Reason) -> Result<MutexGuard<'_, State<V>>, Reason> {
        let mut state = self.lock();
        loop {
            match state.control.mode() {
                _ if state.has_ended => return Err(Reason::HCONN_ERROR),
                Mode::Started => return Err(if_started),
                // A callback has suspended, and may yet take that back.
                Mode::Suspended if state.control.running().is_some() => self.changed.wait(&mut state),
                Mode::Suspended => return Err(Reason::OPERATION_NOT_ALLOWED),
                // Stopped, and not at its end yet: to begin now would undo that.
                Mode::Stopped if state.is_served() || matches!(state.place, Place::Busy) => {
                    self.changed.wait(&mut state);
                }
                Mode::Stopped => return Ok(state),
            }
        }
    }

    /// Takes the connection for a call of the program; waits for the end of calls of consumers that are
    /// suspended or stopped.
    fn take(&self) -> Result<V, Reason> {
        let mut state = self.lock();
        loop {
            match std::mem::replace(&mut state.place, Place::Busy) {
                Place::Here(verbs) => return Ok(verbs),
                Place::Busy if state.control.runs_here() => return Err(Reason::CALL_IN_PROGRESS),
                Place::Busy => self.changed.wait(&mut state),
                Place::Serving => {
                    state.place = Place::Serving;
                    if state.control.mode() == Mode::Started || state.control.runs_here() {
                        return Err(Reason::HCONN_ASYNC_ACTIVE);
                    }
                    // A consumer has suspended or stopped the calls, and has yet to return.
                    self.changed.wait(&mut state);
                }
                Place::Lost => {
                    state.place = Place::Lost;
                    return Err(Reason::HCONN_ERROR);
                }
            }
        }
    }

    /// Takes the connection if it is free, for work that is not worth a wait.
    fn take_if_free(&self) -> Option<V> {
        let mut state = self.lock();
        match std::mem::replace(&mut state.place, Place::Busy) {
            Place::Here(verbs) => Some(verbs),
            taken => {
                state.place = taken;
                None
            }
        }
    }

    fn put_back(&self, verbs: V) {
        self.lock().place = Place::Here(verbs);
        self.changed.notify_all();
    }

    /// Takes the connection to call consumers, once no call is under way.
    fn take_to_serve(&self, state: &mut MutexGuard<'_, State<V>>) -> Result<V, Reason> {
        loop {
            match std::mem::replace(&mut state.place, Place::Serving) {
                Place::Here(verbs) => return Ok(verbs),
                Place::Busy => {
                    state.place = Place::Busy;
                    self.changed.wait(state);
                }
                Place::Serving => return Err(Reason::HCONN_ASYNC_ACTIVE),
                Place::Lost => {
                    state.place = Place::Lost;
                    return Err(Reason::HCONN_ERROR);
                }
            }
        }
    }
}

/// Notes that the connection is lost if the thread that has it panics.
struct Serving<'a, V> {
    shared: &'a Shared<V>,
    is_over: bool,
}

impl<V> Drop for Serving<'_, V> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut state = self.shared.lock();
            (state.place, state.has_thread) = (Place::Lost, false);
            state.control.lose();
            self.shared.changed.notify_all();
        }
    }
}

impl<V: Listen + Send + 'static> Connection<V> {
    /// A connection without consumers as yet.
    #[must_use]
    pub fn new(verbs: V) -> Self {
        let wake = verbs.waker();
        let state = State {
            place: Place::Here(verbs),
            control: Control::default(),
            registry: Registry::default(),
            to_tell: Vec::new(),
            aside: EventThread::default(),
            has_thread: false,
            starts: 0,
            has_begun: false,
            was_stopped_at_start: false,
            has_ended: false,
        };
        let alive = Arc::new_cyclic(|alive: &Weak<Alive<V>>| {
            let alive = Weak::clone(alive);
            let attend = Box::new(move || event_thread::attend(&alive));
            let (state, changed, event) = (Mutex::new(state), Condvar::new(), Condvar::new());
            Alive(Arc::new(Shared { state, changed, wake, event, attend }))
        });
        let shared = Arc::clone(&alive.0);
        let to_tell = Arc::downgrade(&alive);
        if let Place::Here(verbs) = &mut shared.lock().place {
            verbs.when_not_listened_to(Box::new(move |reason| event_thread::leave(&to_tell, reason)));
        }
        Self { shared, _alive: alive }
    }

    /// Another clone.
    pub(crate) fn of(alive: Arc<Alive<V>>) -> Self {
        Self { shared: Arc::clone(&alive.0), _alive: alive }
    }

    /// MQCB: registers a callback for a handle, or for the connection, and controls it.
    ///
    /// # Errors
    /// The reason it is not; `HCONN_ASYNC_ACTIVE` while consumers are called.
    pub fn callback(
        &self,
        operation: Operation,
        description: Option<Description>,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<(), Reason> {
        self.with(|inside| inside.callback(operation, description, handle, descriptor, options))
    }

    /// MQCTL: begins to call consumers, pauses, goes on, ends. All but a refused start wait until the
    /// callback that runs has returned. A warning is returned when the connection was suspended under a
    /// start that waits.
    ///
    /// # Errors
    /// The reason it cannot be done now; `CALL_IN_PROGRESS` on the thread of a callback, which has an access
    /// of its own.
    pub fn control(&self, operation: Operation, options: i32) -> Result<Option<Reason>, Reason> {
        {
            let state = self.shared.lock();
            if state.has_ended {
                return Err(Reason::HCONN_ERROR);
            }
            if state.control.runs_here() {
                return Err(Reason::CALL_IN_PROGRESS);
            }
        }
        if options & !CONTROL_OPTIONS != 0 {
            return Err(Reason::OPTIONS_ERROR);
        }
        if operation.fails_if_quiescing(options) {
            self.check_quiescing()?;
        }
        match operation {
            Operation::START => self.start().map(|()| None),
            Operation::START_WAIT => self.start_and_wait(),
            Operation::STOP => self.stop().map(|()| None),
            Operation::SUSPEND => self.suspend().map(|()| None),
            Operation::RESUME => self.resume(),
            _ => Err(Reason::OPERATION_ERROR),
        }
    }

    fn check_quiescing(&self) -> Result<(), Reason> {
        match self.with(|inside| inside.verbs.check_quiescing()) {
            // What is asked for is refused, or done already.
            Err(Reason::HCONN_ASYNC_ACTIVE) => Ok(()),
            checked => checked,
        }
    }

    fn start(&self) -> Result<(), Reason> {
        let mut state = self.shared.lock_to_start(Reason::HCONN_ASYNC_ACTIVE)?;
        if !state.registry.has_consumers() {
            return Err(Reason::OPERATION_ERROR);
        }
        let verbs = self.shared.take_to_serve(&mut state)?;
        if verbs.has_unit() {
            state.place = Place::Here(verbs);
            return Err(Reason::ASYNC_UOW_CONFLICT);
        }
        let start = state.begin_start();
        state.has_thread = true;
        let shared = Arc::clone(&self.shared);
        let spawned = thread::Builder::new()
            .name("ferry-consumer".to_owned())
            .spawn(move || serve_on_thread(&shared, verbs));
        if spawned.is_err() {
            // The connection went with the closure of the thread that is not.
            (state.has_thread, state.place) = (false, Place::Lost);
            state.control.set(Mode::Stopped);
            return Err(Reason::RESOURCE_PROBLEM);
        }
        while state.starts == start && !state.has_begun && state.has_thread {
            self.shared.changed.wait(&mut state);
        }
        let was_stopped = state.starts == start && state.was_stopped_at_start;
        if was_stopped { Err(Reason::CONNECTION_STOPPED) } else { Ok(()) }
    }

    fn start_and_wait(&self) -> Result<Option<Reason>, Reason> {
        let mut state = self.shared.lock_to_start(Reason::OPERATION_NOT_ALLOWED)?;
        if !state.registry.has_consumers() {
            return Err(Reason::OPERATION_ERROR);
        }
        let verbs = self.shared.take_to_serve(&mut state)?;
        state.begin_start();
        drop(state);
        self.serve_here(verbs)
    }

    /// Calls consumers on the thread of the caller.
    fn serve_here(&self, mut verbs: V) -> Result<Option<Reason>, Reason> {
        let mut serving = Serving { shared: &self.shared, is_over: false };
        let mut ended = consumer_thread::serve(&self.shared, &mut verbs, true);
        let mut state = self.shared.lock();
        if ended == Ended::Suspended && state.control.mode() == Mode::Stopped {
            drop(state);
            consumer_thread::tell_stop(&self.shared, &mut verbs);
            (ended, state) = (Ended::Stopped, self.shared.lock());
        }
        serving.is_over = true;
        state.place = Place::Here(verbs);
        if ended != Ended::Suspended {
            state.control.set(Mode::Stopped);
        }
        drop(state);
        self.shared.changed.notify_all();
        match ended {
            Ended::Stopped => Ok(None),
            Ended::Suspended => Ok(Some(Reason::CONNECTION_SUSPENDED)),
            Ended::NoCallbacks => Err(Reason::NO_CALLBACKS_ACTIVE),
            Ended::Failed(reason) => Err(reason),
        }
    }

    fn stop(&self) -> Result<(), Reason> {
        let mut state = self.shared.lock();
        // Suspended by a start that waits, which has returned: no thread is there to tell of the stop.
        while !state.is_served()
            && (state.control.mode() == Mode::Suspended || state.control.running().is_some())
        {
            match std::mem::replace(&mut state.place, Place::Busy) {
                Place::Here(verbs) => {
                    state.control.set(Mode::Stopped);
                    drop(state);
                    return self.use_taken(verbs, |inside| {
                        consumer_thread::tell_stop(inside.shared, inside.verbs);
                        Ok(())
                    });
                }
                place => state.place = place,
            }
            self.shared.changed.wait(&mut state);
        }
        if !state.is_served() {
            return Ok(());
        }
        state.control.set(Mode::Stopped);
        drop(state);
        self.shared.look_up();
        let mut state = self.shared.lock();
        // Once it is started anew it was stopped.
        while state.control.mode() == Mode::Stopped && state.is_served() {
            self.shared.changed.wait(&mut state);
        }
        Ok(())
    }

    fn suspend(&self) -> Result<(), Reason> {
        let mut state = self.shared.lock();
        state.control.suspend()?;
        let callback = state.control.running();
        drop(state);
        self.shared.look_up();
        let mut state = self.shared.lock();
        let runs = |state: &State<V>| callback.is_some_and(|callback| state.control.runs(callback));
        // Once it is resumed it was suspended.
        while matches!(state.place, Place::Serving) && (state.control.mode() != Mode::Started || runs(&state))
        {
            self.shared.changed.wait(&mut state);
        }
        Ok(())
    }

    fn resume(&self) -> Result<Option<Reason>, Reason> {
        let mut state = self.shared.lock();
        if let Some(callback) = state.control.running() {
            // It may yet suspend, and must not undo this.
            while state.control.runs(callback) {
                self.shared.changed.wait(&mut state);
            }
        }
        loop {
            match state.control.mode() {
                _ if state.has_ended => return Err(Reason::HCONN_ERROR),
                Mode::Stopped => return Err(Reason::OPERATION_NOT_ALLOWED),
                Mode::Started => return Ok(None),
                Mode::Suspended if state.control.running().is_some() => self.shared.changed.wait(&mut state),
                Mode::Suspended if state.has_thread => {
                    state.control.set(Mode::Started);
                    drop(state);
                    self.shared.look_up();
                    return Ok(None);
                }
                // That was a start that waits, and so is this. That one is not at its end, or a call is under
                // way.
                Mode::Suspended if matches!(state.place, Place::Serving | Place::Busy) => {
                    self.shared.changed.wait(&mut state);
                }
                Mode::Suspended => {
                    let verbs = self.shared.take_to_serve(&mut state)?;
                    state.control.set(Mode::Started);
                    drop(state);
                    return self.serve_here(verbs);
                }
            }
        }
    }

    /// Waits until no event handler is being told what has happened; one that is may not end the connection.
    fn wait_for_event_handlers(&self) -> Result<(), Reason> {
        let mut state = self.shared.lock();
        while state.aside.is_telling {
            if state.aside.told_by == Some(thread::current().id()) {
                return Err(Reason::CALL_IN_PROGRESS);
            }
            self.shared.changed.wait(&mut state);
        }
        Ok(())
    }

    /// Looks for an event of the connection, between the calls of the program.
    pub(crate) fn event(&self) -> Option<Reason> {
        let verbs = self.shared.take_if_free()?;
        self.use_taken(verbs, |inside| Ok(inside.verbs.event())).ok().flatten()
    }

    fn with<T>(
        &self,
        call: impl FnOnce(&mut LockedConnection<'_, V>) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let verbs = self.shared.take()?;
        self.use_taken(verbs, call)
    }

    fn use_taken<T>(
        &self,
        mut verbs: V,
        call: impl FnOnce(&mut LockedConnection<'_, V>) -> Result<T, Reason>,
    ) -> Result<T, Reason> {
        let mut serving = Serving { shared: &self.shared, is_over: false };
        let result =
            call(&mut LockedConnection { shared: &self.shared, verbs: &mut verbs, is_called: false });
        serving.is_over = true;
        self.shared.put_back(verbs);
        result
    }
}

/// The thread that calls consumers.
fn serve_on_thread<V: Listen + Send + 'static>(shared: &Arc<Shared<V>>, mut verbs: V) {
    let mut serving = Serving { shared, is_over: false };
    loop {
        let ended = consumer_thread::serve(shared, &mut verbs, false);
        let mut state = shared.lock();
        if ended != Ended::Suspended || state.control.mode() == Mode::Stopped {
            if ended == Ended::Suspended {
                drop(state);
                consumer_thread::tell_stop(shared, &mut verbs);
                state = shared.lock();
            }
            (state.place, state.has_thread) = (Place::Here(verbs), false);
            state.control.set(Mode::Stopped);
            break;
        }
        state.place = Place::Here(verbs);
        shared.changed.notify_all();
        while state.control.mode() == Mode::Suspended {
            shared.changed.wait(&mut state);
        }
        let Ok(taken) = shared.take_to_serve(&mut state) else {
            state.has_thread = false;
            break;
        };
        verbs = taken;
    }
    serving.is_over = true;
    shared.changed.notify_all();
}

impl<V: Listen + Send + 'static> Forwards for Connection<V> {
    fn forward<T>(&mut self, call: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason> {
        self.with(|inside| call(inside))
    }

    /// Ends the connection; consumers are stopped first. No event handler is being called afterwards.
    fn forward_disconnect(&mut self) -> Result<(), Reason> {
        if self.shared.lock().control.runs_here() {
            return Err(Reason::CALL_IN_PROGRESS);
        }
        self.wait_for_event_handlers()?;
        let verbs = loop {
            self.stop()?;
            match self.shared.take() {
                // Another thread has started them since.
                Err(Reason::HCONN_ASYNC_ACTIVE) => {}
                taken => break taken?,
            }
        };
        self.use_taken(verbs, |inside| {
            let result = inside.disconnect();
            // Its unit of work may have fallen instead; it has ended nevertheless.
            if matches!(result, Ok(()) | Err(Reason::BACKED_OUT)) {
                let mut state = inside.shared.lock();
                state.has_ended = true;
                // Another thread may have started and suspended them since.
                state.control.set(Mode::Stopped);
            }
            result
        })
    }
}

#[cfg(all(test, feature = "loom"))]
mod models;
