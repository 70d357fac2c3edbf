//! Calling consumers: what the one thread that has a started connection does.

use std::time::{Duration, Instant};

use mqi::{CompletionCode, GetFlags, Getter, Heard, Listen, ObjectHandle, Reason, Wait, constants};

use crate::connection::{Shared, ToTell};
use crate::control::Mode;
use crate::locked_connection::LockedConnection;
use crate::registry::Entry;
use crate::{CallType, CallbackOptions, CallbackType, Called, ConsumerState, Context, Function, Message};

/// Time that a queue is left alone when it is inhibited for gets, before it is looked at again.
const INHIBITED: Duration = Duration::from_millis(200);

/// The handle of a consumer whose handle is closed.
pub(crate) const UNUSABLE: ObjectHandle = ObjectHandle(constants::MQHO_UNUSABLE_HOBJ);

/// Why consumers are called no longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Stopped,
    Suspended,
    /// No consumer is active.
    NoCallbacks,
    /// The connection cannot go on.
    Failed(Reason),
}

/// Calls consumers until the mode is another; `on_caller` says that a program waits for the end of it.
pub(crate) fn serve<V: Listen>(shared: &Shared<V>, verbs: &mut V, on_caller: bool) -> Ended {
    let has_begun = {
        let mut state = shared.lock();
        // While none is called none waits.
        state.registry.start();
        state.has_begun
    };
    if !has_begun {
        tell(shared, verbs, CallbackOptions::START_CALL, |entry| {
            Context::new(CallType::Start, entry.handle())
        });
        shared.lock().has_begun = true;
        shared.look_up();
    }
    let mut first = 0;
    loop {
        let mode = shared.lock().control.mode();
        match mode {
            Mode::Started => {}
            Mode::Suspended => return let_go(verbs, Ended::Suspended),
            Mode::Stopped => {
                let ended = let_go(verbs, Ended::Stopped);
                tell_stop(shared, verbs);
                return ended;
            }
        }
        let (getters, numbers, timeout) = plan(shared);
        if on_caller && numbers.is_empty() && timeout.is_none() {
            if let Some(reason) = verbs.event() {
                tell_event(shared, verbs, reason, ConsumerState::None);
                continue;
            }
            if !shared.lock().control.stop_if_started() {
                continue;
            }
            tell_stop(shared, verbs);
            return let_go(verbs, Ended::NoCallbacks);
        }
        match verbs.listen(&getters, first, timeout) {
            Ok(None) => match verbs.event() {
                Some(reason) => tell_event(shared, verbs, reason, ConsumerState::None),
                None => {
                    let silent = silent(shared, |_| true);
                    tell_of_silence(shared, verbs, silent);
                }
            },
            Ok(Some(heard)) => {
                // Nothing is there for the consumers whose turn it was before. Without a timeout none of them
                // limits the wait.
                let silent = timeout.map_or_else(Vec::new, |_| {
                    let turns = (0..numbers.len()).map(|turn| (first + turn) % numbers.len());
                    let passed: Vec<u64> =
                        turns.take_while(|turn| *turn != heard.getter).map(|turn| numbers[turn]).collect();
                    silent(shared, |number| passed.contains(&number))
                });
                first = heard.getter + 1;
                let number = numbers[heard.getter];
                if let Some(reason) = deliver(shared, verbs, number, heard) {
                    return fail(shared, verbs, reason);
                }
                tell_of_silence(shared, verbs, silent);
            }
            Err(reason) => return fail(shared, verbs, reason),
        }
    }
}

/// Gives back the messages that lie ready for consumers.
fn let_go<V: Listen>(verbs: &mut V, ended: Ended) -> Ended {
    match verbs.listen(&[], 0, Some(Duration::ZERO)) {
        Ok(_) => ended,
        Err(_) if ended == Ended::Suspended => ended,
        Err(reason) => Ended::Failed(reason),
    }
}

/// Ends the calling of consumers since the connection cannot go on, and tells the event handler.
fn fail<V: Listen>(shared: &Shared<V>, verbs: &mut V, reason: Reason) -> Ended {
    tell_event(shared, verbs, reason, ConsumerState::Stopped);
    shared.lock().control.set(Mode::Stopped);
    tell(shared, verbs, CallbackOptions::STOP_CALL, |entry| {
        let context = Context::new(CallType::Stop, entry.handle());
        context.because(CompletionCode::Failed, Some(reason)).in_state(ConsumerState::Stopped)
    });
    Ended::Failed(reason)
}

/// Tells the consumers that asked for it that no more messages come, as the program wants it.
pub(crate) fn tell_stop<V: Listen>(shared: &Shared<V>, verbs: &mut V) {
    tell(shared, verbs, CallbackOptions::STOP_CALL, |entry| Context::new(CallType::Stop, entry.handle()));
}

/// Returns the getters to listen to, the numbers of their callbacks, and the longest time to listen.
fn plan<V>(shared: &Shared<V>) -> (Vec<Getter>, Vec<u64>, Option<Duration>) {
    let now = Instant::now();
    let (mut getters, mut numbers, mut until) = (Vec::new(), Vec::new(), None::<Instant>);
    let mut state = shared.lock();
    for entry in state.registry.consumers() {
        let look_again = match (entry.inhibited_until.filter(|at| *at > now), entry.wait) {
            (Some(at), _) => Some(at),
            (None, Wait::Milliseconds(limit)) => {
                Some(*entry.waits_since.get_or_insert(now) + Duration::from_millis(limit.into()))
            }
            (None, Wait::No | Wait::Unlimited) => None,
        };
        if let Some(at) = look_again {
            until = Some(until.map_or(at, |until| until.min(at)));
        }
        if entry.inhibited_until.is_none_or(|at| at <= now) {
            getters.push(entry.asks());
            numbers.push(entry.number);
        }
    }
    (getters, numbers, until.map(|until| until.saturating_duration_since(now)))
}

/// Returns the consumers among these that have waited as long as they wanted.
fn silent<V>(shared: &Shared<V>, is_of_them: impl Fn(u64) -> bool) -> Vec<u64> {
    let now = Instant::now();
    let is_over = |entry: &Entry| match (entry.wait, entry.waits_since) {
        (Wait::Milliseconds(limit), Some(since)) => {
            entry.callback_type == CallbackType::MessageConsumer
                && !entry.is_suspended
                && since + Duration::from_millis(limit.into()) <= now
        }
        _ => false,
    };
    shared.lock().registry.numbers(|entry| is_over(entry) && is_of_them(entry.number))
}

/// Tells consumers that nothing has come for as long as they wanted to wait, unless calls were stopped
/// meanwhile.
fn tell_of_silence<V: Listen>(shared: &Shared<V>, verbs: &mut V, silent: Vec<u64>) {
    for number in silent {
        {
            let mut state = shared.lock();
            let is_started = state.control.mode() == Mode::Started;
            match state.registry.by_number(number).filter(|entry| is_started && !entry.is_suspended) {
                Some(entry) => entry.waits_since = None,
                None => continue,
            }
        }
        // Who said how long to wait has asked for this, whatever other events it wants.
        let silence = |entry: &Entry| event(entry, Reason::NO_MSG_AVAILABLE, ConsumerState::None);
        call(shared, verbs, number, silence, None);
    }
}

/// Calls a consumer with what was heard; the reason the connection cannot go on, if that is what was heard.
fn deliver<V: Listen>(shared: &Shared<V>, verbs: &mut V, number: u64, heard: Heard) -> Option<Reason> {
    let Heard { descriptor, mut options, got, shown, is_last_ahead, .. } = heard;
    let (was_inhibited, was_in_doubt) = {
        let mut state = shared.lock();
        let entry = state.registry.by_number(number)?;
        entry.waits_since = None;
        let was_in_doubt = entry.is_in_doubt();
        (entry.inhibited_until.take().is_some(), was_in_doubt)
    };
    let reason = match got {
        Ok(got) => {
            if was_inhibited {
                tell_consumer(shared, verbs, number, Reason::GET_ENABLED, ConsumerState::None);
            }
            let browsing = GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT;
            let call_type = match options.flags.intersects(browsing) {
                true => CallType::MessageNotRemoved,
                false => CallType::MessageRemoved,
            };
            let completion = if got.warning.is_some() { CompletionCode::Warning } else { CompletionCode::Ok };
            let (data_length, buffer_length) = (got.data_length, got.body.len());
            let message = Message { descriptor, options, body: got.body };
            call(
                shared,
                verbs,
                number,
                |entry| {
                    let context = Context::new(call_type, entry.handle()).because(completion, got.warning);
                    let flags =
                        if is_last_ahead { constants::MQCBCF_READA_BUFFER_EMPTY } else { context.flags };
                    Context { data_length, buffer_length, flags, ..context }
                },
                Some(&message),
            );
            return None;
        }
        Err(reason) => reason,
    };
    match reason {
        Reason::TRUNCATED_MSG_FAILED => {
            suspend(shared, number);
            let data_length = usize::try_from(options.returned_length).unwrap_or_default();
            let buffer_length = shown.len();
            options.returned_length = i32::try_from(buffer_length).unwrap_or(i32::MAX);
            let message = Message { descriptor, options, body: shown };
            call(
                shared,
                verbs,
                number,
                |entry| {
                    let context = Context::new(CallType::MessageNotRemoved, entry.handle())
                        .because(CompletionCode::Warning, Some(reason))
                        .in_state(ConsumerState::SuspendedUserAction);
                    Context { data_length, buffer_length, ..context }
                },
                Some(&message),
            );
        }
        Reason::GET_INHIBITED => {
            if let Some(entry) = shared.lock().registry.by_number(number) {
                entry.inhibited_until = Some(Instant::now() + INHIBITED);
            }
            if !was_inhibited {
                tell_consumer(shared, verbs, number, reason, ConsumerState::SuspendedTemporary);
            }
        }
        Reason::MSG_TOKEN_ERROR | Reason::NO_MSG_AVAILABLE if was_in_doubt => {
            tell_consumer(shared, verbs, number, Reason::GET_ENABLED, ConsumerState::None);
        }
        Reason::NO_MSG_AVAILABLE => tell_consumer(shared, verbs, number, reason, ConsumerState::None),
        // Who handles events is told by the event of the connection.
        Reason::Q_MGR_QUIESCING | Reason::CONNECTION_QUIESCING => {
            suspend(shared, number);
            tell_consumer(shared, verbs, number, reason, ConsumerState::Suspended);
        }
        Reason::CONNECTION_BROKEN
        | Reason::Q_MGR_STOPPING
        | Reason::CONNECTION_STOPPING
        | Reason::Q_MGR_NOT_AVAILABLE
        | Reason::RECONNECT_FAILED
        | Reason::HCONN_ERROR => return Some(reason),
        _ => {
            suspend(shared, number);
            tell_consumer(shared, verbs, number, reason, ConsumerState::Suspended);
            tell_event(shared, verbs, reason, ConsumerState::Suspended);
        }
    }
    None
}

fn suspend<V>(shared: &Shared<V>, number: u64) {
    if let Some(entry) = shared.lock().registry.by_number(number) {
        entry.is_suspended = true;
    }
}

/// Tells a consumer of an event of its queue, if it asked for that.
fn tell_consumer<V: Listen>(
    shared: &Shared<V>,
    verbs: &mut V,
    number: u64,
    reason: Reason,
    state: ConsumerState,
) {
    let wants = |entry: &Entry| entry.number == number && entry.wants(CallbackOptions::EVENT_CALL);
    if shared.lock().registry.numbers(wants).is_empty() {
        return;
    }
    call(shared, verbs, number, |entry| event(entry, reason, state), None);
}

/// Tells the handlers of the connection's events.
fn tell_event<V: Listen>(shared: &Shared<V>, verbs: &mut V, reason: Reason, state: ConsumerState) {
    let handles = |entry: &Entry| entry.callback_type == CallbackType::EventHandler && !entry.is_suspended;
    let handlers = shared.lock().registry.numbers(handles);
    for number in handlers {
        call(shared, verbs, number, |entry| event(entry, reason, state), None);
    }
}

pub(crate) fn event(entry: &Entry, reason: Reason, state: ConsumerState) -> Context {
    let completion = match reason {
        Reason::GET_ENABLED | Reason::RECONNECTED => CompletionCode::Ok,
        Reason::RECONNECTING => CompletionCode::Warning,
        _ => CompletionCode::Failed,
    };
    Context::new(CallType::Event, entry.handle()).because(completion, Some(reason)).in_state(state)
}

/// Calls all consumers that asked for calls of a kind, in order.
fn tell<V: Listen>(
    shared: &Shared<V>,
    verbs: &mut V,
    option: CallbackOptions,
    context: impl Fn(&Entry) -> Context,
) {
    let asked = shared.lock().registry.numbers(|entry| entry.wants(option));
    for number in asked {
        call(shared, verbs, number, &context, None);
    }
}

/// Calls one, if it asked for calls of this kind.
pub(crate) fn call_if<V: Listen>(
    shared: &Shared<V>,
    verbs: &mut V,
    number: u64,
    option: CallbackOptions,
    call_type: CallType,
) {
    let wants = |entry: &Entry| entry.number == number && entry.wants(option);
    if !shared.lock().registry.numbers(wants).is_empty() {
        call(shared, verbs, number, |entry| Context::new(call_type, entry.handle()), None);
    }
}

/// Calls a function without any lock; it may change everything, itself included. Callbacks that it has
/// changed are told when it has returned.
fn call<V: Listen>(
    shared: &Shared<V>,
    verbs: &mut V,
    number: u64,
    context: impl FnOnce(&Entry) -> Context,
    message: Option<&Message>,
) {
    let (mut function, context, options, callback_type, was_started, told) = {
        let mut state = shared.lock();
        let told = state.to_tell.len();
        let Some(entry) = state.registry.by_number(number) else { return };
        let context = context(entry);
        // One that is being called is not called from within.
        let Some(function) = entry.function.take() else { return };
        let (options, callback_type, was_started) = (entry.options, entry.callback_type, entry.is_started);
        state.control.enter();
        (function, context, options, callback_type, was_started, told)
    };
    let mut handle = context.handle;
    function(&mut LockedConnection { shared, verbs, is_called: true }, Called { context, message });
    let is_stop_untold;
    {
        let mut state = shared.lock();
        is_stop_untold = state.leave_callback();
        if let Some(entry) = state.registry.by_number(number) {
            entry.function.get_or_insert(function);
        } else {
            // It was replaced or deregistered; only then is it told. After a close the handle's number may be
            // another's.
            let is_closed = state.registry.take_closed(number);
            if is_closed {
                handle = UNUSABLE;
            }
            if is_closed || state.registry.find(callback_type, handle).is_err() {
                let calls = last_calls(options, was_started && state.control.mode() != Mode::Stopped);
                drop(state);
                tell_last(shared, verbs, calls, handle, &mut function);
            }
        }
    }
    shared.tell();
    tell_rest(shared, verbs, told);
    if is_stop_untold {
        tell_stop(shared, verbs);
    }
}

/// Tells what callbacks have brought about beyond so much that is told later.
fn tell_rest<V: Listen>(shared: &Shared<V>, verbs: &mut V, told: usize) {
    loop {
        let next = {
            let mut state = shared.lock();
            (state.to_tell.len() > told).then(|| state.to_tell.remove(told))
        };
        match next {
            Some(ToTell::Start(number)) => {
                call_if(shared, verbs, number, CallbackOptions::START_CALL, CallType::Start);
            }
            Some(ToTell::End { entry, is_started }) => tell_end(shared, verbs, *entry, is_started),
            None => return,
        }
    }
}

/// Tells a callback that was taken out of the registry, unless it is being called.
pub(crate) fn tell_end<V: Listen>(shared: &Shared<V>, verbs: &mut V, entry: Entry, is_started: bool) {
    let (calls, handle) = (last_calls(entry.options, is_started), entry.handle());
    if let Some(mut function) = entry.function {
        tell_last(shared, verbs, calls, handle, &mut function);
    }
}

/// The last calls that one with these options wants when it is registered no longer.
fn last_calls(options: CallbackOptions, is_started: bool) -> impl Iterator<Item = CallType> {
    let stop = is_started && options.contains(CallbackOptions::STOP_CALL);
    let end = options.contains(CallbackOptions::DEREGISTER_CALL);
    stop.then_some(CallType::Stop).into_iter().chain(end.then_some(CallType::Deregister))
}

fn tell_last<V: Listen>(
    shared: &Shared<V>,
    verbs: &mut V,
    calls: impl Iterator<Item = CallType>,
    handle: ObjectHandle,
    function: &mut Function,
) {
    for call_type in calls {
        let called = Called { context: Context::new(call_type, handle), message: None };
        shared.lock().control.enter();
        function(&mut LockedConnection { shared, verbs, is_called: true }, called);
        let is_stop_untold = shared.lock().leave_callback();
        shared.tell();
        if is_stop_untold {
            tell_stop(shared, verbs);
        }
    }
}
