//! Tells event handlers of events while no consumers are called, on a thread of its own: the program may be
//! inside the call in which the event happens. The thread itself looks for the one event that no call of the
//! program would notice: that the queue manager quiesces.
//!
//! Always: one such thread for each connection with an event handler, begun when the handler is registered.
//! Events are told in their order.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
#[cfg(not(feature = "loom"))]
use std::thread;
use std::time::Duration;

use mqi::{GetOptions, Listen, MessageDescriptor, ObjectHandle, Reason};
#[cfg(feature = "loom")]
use platform::sync::loom::thread;

use crate::connection::{Alive, Connection, Shared};
use crate::consumer_thread;
use crate::locked_connection::Consuming;
use crate::{
    CallType, CallbackOptions, CallbackType, Called, ConsumerState, Context, Description, Operation,
};

/// Longest time until a quiescing queue manager is noticed. It leaves programs much more time than that to
/// end, and looking so seldom costs nothing that could be measured.
const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Events that handlers are still to be told.
#[derive(Default)]
pub(crate) struct EventThread {
    events: VecDeque<Reason>,
    /// True while there is anything to tell, or it is being told.
    pub(crate) is_telling: bool,
    /// The thread that tells, while it calls one.
    pub(crate) told_by: Option<thread::ThreadId>,
    /// The thread is there.
    is_attended: bool,
}

/// Leaves an event to the event handler, if there is one.
pub(crate) fn leave<V: Listen + Send + 'static>(alive: &Weak<Alive<V>>, reason: Reason) {
    let Some(connection) = alive.upgrade().map(Connection::of) else { return };
    {
        let mut state = connection.shared.lock();
        if state.registry.find(CallbackType::EventHandler, ObjectHandle::NONE).is_err() {
            return;
        }
        state.aside.events.push_back(reason);
        state.aside.is_telling = true;
    }
    attend(alive);
    connection.shared.event.notify_one();
}

/// Starts a thread that looks for events and reports them while there is an event handler, unless one runs.
pub(crate) fn attend<V: Listen + Send + 'static>(alive: &Weak<Alive<V>>) {
    let Some(connection) = alive.upgrade().map(Connection::of) else { return };
    let shared = Arc::clone(&connection.shared);
    if std::mem::replace(&mut shared.lock().aside.is_attended, true) {
        return;
    }
    let (attended, alive) = (Arc::clone(&shared), Weak::clone(alive));
    let spawned = thread::Builder::new().name("ferry-events".to_owned()).spawn(move || {
        let mut attending = Attending { shared: &attended, is_over: false };
        while wait(&attended) {
            let Some(connection) = alive.upgrade().map(Connection::of) else { return };
            look(&connection);
            tell(connection);
        }
        attending.is_over = true;
    });
    if spawned.is_err() {
        drop(Attending { shared: &shared, is_over: false });
    }
}

/// Clears the mark of the thread should an event handler panic.
struct Attending<'a, V> {
    shared: &'a Shared<V>,
    is_over: bool,
}

impl<V> Drop for Attending<'_, V> {
    fn drop(&mut self) {
        if !self.is_over {
            self.shared.lock().aside = EventThread::default();
        }
        self.shared.tell();
    }
}

/// Waits until there is something to tell, or for the next look. Returns whether an event handler is still
/// registered.
fn wait<V>(shared: &Shared<V>) -> bool {
    let mut state = shared.lock();
    if state.aside.events.is_empty() {
        shared.event.wait_for(&mut state, BETWEEN_LOOKS);
    }
    let is_handled = state.registry.find(CallbackType::EventHandler, ObjectHandle::NONE).is_ok();
    if !is_handled {
        state.aside = EventThread::default();
    }
    is_handled
}

/// Looks for an event unless the program is in a call: before that returns there may be something to tell.
/// While consumers are called, the thread that calls them looks.
fn look<V: Listen + Send + 'static>(connection: &Connection<V>) {
    if !connection.shared.lock().aside.events.is_empty() {
        return;
    }
    if let Some(reason) = connection.event() {
        let mut state = connection.shared.lock();
        state.aside.events.push_back(reason);
        state.aside.is_telling = true;
    }
}

/// Tells all there is to tell.
fn tell<V: Listen + Send + 'static>(mut connection: Connection<V>) {
    let shared = Arc::clone(&connection.shared);
    loop {
        let mut state = shared.lock();
        let Some(reason) = state.aside.events.pop_front() else {
            state.aside.is_telling = false;
            drop(state);
            shared.tell();
            return;
        };
        let Ok(entry) = state.registry.find(CallbackType::EventHandler, ObjectHandle::NONE) else { continue };
        let is_end = !matches!(reason, Reason::RECONNECTING | Reason::RECONNECTED | Reason::Q_MGR_QUIESCING);
        let as_it_is = if is_end { ConsumerState::Stopped } else { ConsumerState::None };
        let (number, options, context) =
            (entry.number, entry.options, consumer_thread::event(entry, reason, as_it_is));
        let function = if entry.is_suspended { None } else { entry.function.take() };
        let Some(mut function) = function else { continue };
        state.aside.told_by = Some(thread::current().id());
        drop(state);
        function(&mut connection, Called { context, message: None });
        let mut state = shared.lock();
        if let Some(entry) = state.registry.by_number(number) {
            entry.function.get_or_insert(function);
        } else if state.registry.find(CallbackType::EventHandler, ObjectHandle::NONE).is_err()
            && options.contains(CallbackOptions::DEREGISTER_CALL)
        {
            drop(state);
            let context = Context::new(CallType::Deregister, ObjectHandle::NONE);
            function(&mut connection, Called { context, message: None });
            state = shared.lock();
        }
        state.aside.told_by = None;
    }
}

/// The connection as an event handler has it while no consumers are called: like the program, whose call it
/// waits for.
impl<V: Listen + Send + 'static> Consuming for Connection<V> {
    fn callback(
        &mut self,
        operation: Operation,
        description: Option<Description>,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<(), Reason> {
        Self::callback(self, operation, description, handle, descriptor, options)
    }

    fn control(&mut self, operation: Operation, options: i32) -> Result<(), Reason> {
        match operation {
            Operation::START_WAIT => Err(Reason::ENVIRONMENT_ERROR),
            operation => Self::control(self, operation, options).map(drop),
        }
    }
}
