//! The connection as a callback has it: the verbs, MQCB and MQCTL, while no other thread makes a call.

use mqi::{CloseOptions, Forwards, GetOptions, Listen, MessageDescriptor, ObjectHandle, Reason, Verbs};

use crate::connection::{Shared, ToTell};
use crate::consumer_thread::{self, UNUSABLE};
use crate::control::{Mode, Request};
use crate::registry::{Change, Entry, Registration};
use crate::{CallType, CallbackOptions, CallbackType, Description, Operation};

/// A connection that consumers may control.
pub trait Consuming: Verbs {
    /// MQCB.
    ///
    /// # Errors
    /// The reason it is refused.
    fn callback(
        &mut self,
        operation: Operation,
        description: Option<Description>,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<(), Reason>;

    /// MQCTL. What it asks for happens when the callback has returned.
    ///
    /// # Errors
    /// The reason it is refused.
    fn control(&mut self, operation: Operation, options: i32) -> Result<(), Reason>;
}

/// A connection in the hands of one thread.
pub(crate) struct LockedConnection<'a, V: Listen> {
    pub(crate) shared: &'a Shared<V>,
    pub(crate) verbs: &'a mut V,
    /// A callback has it.
    pub(crate) is_called: bool,
}

impl<V: Listen> LockedConnection<'_, V> {
    /// MQCB.
    pub(crate) fn change(
        &mut self,
        asked: &Registration,
        description: Option<Description>,
    ) -> Result<(), Reason> {
        let handle = asked.handle;
        let callback_type = match &description {
            Some(description) => description.callback_type,
            None if handle.0 == mqi::constants::MQHO_NONE => CallbackType::EventHandler,
            None => CallbackType::MessageConsumer,
        };
        match Change::of(asked.operation)? {
            Change::Register { suspended } => {
                let registered = self.register(asked, suspended, description);
                if registered.is_err() {
                    // One that it should have replaced goes as well.
                    let replaced = self.shared.lock().registry.remove(callback_type, handle);
                    if let Ok(entry) = replaced {
                        self.tell_end(entry);
                    }
                }
                let number = registered?;
                consumer_thread::call_if(
                    self.shared,
                    self.verbs,
                    number,
                    CallbackOptions::REGISTER_CALL,
                    CallType::Register,
                );
                let mut state = self.shared.lock();
                // A callback is told of the start that it registers in. The program registers while none is
                // called, though another thread may have resumed the calls since.
                if self.is_called && state.control.mode() == Mode::Started {
                    state.to_tell.push(ToTell::Start(number));
                }
                Ok(())
            }
            Change::Deregister => {
                let entry = self.shared.lock().registry.remove(callback_type, handle)?;
                self.tell_end(entry);
                Ok(())
            }
            Change::Suspend => {
                self.shared.lock().registry.find(callback_type, handle)?.is_suspended = true;
                Ok(())
            }
            Change::Resume => {
                let mut state = self.shared.lock();
                let entry = state.registry.find(callback_type, handle)?;
                (entry.is_suspended, entry.waits_since, entry.inhibited_until) = (false, None, None);
                Ok(())
            }
        }
    }

    fn register(
        &mut self,
        asked: &Registration,
        suspended: Option<bool>,
        description: Option<Description>,
    ) -> Result<u64, Reason> {
        let description = description.ok_or(Reason::CBD_ERROR)?;
        description.check()?;
        if description.options.contains(CallbackOptions::FAIL_IF_QUIESCING) {
            self.verbs.check_quiescing()?;
        }
        if description.callback_type == CallbackType::MessageConsumer {
            let getter = asked.getter(description.message_bytes_max)?;
            self.verbs.check_getter(&getter)?;
        }
        let handles_events = description.callback_type == CallbackType::EventHandler;
        let number = {
            let mut state = self.shared.lock();
            let is_started = self.is_called && state.control.mode() == Mode::Started;
            state.registry.register(asked, suspended, is_started, description)?
        };
        if handles_events {
            (self.shared.attend)();
        }
        Ok(number)
    }

    /// Tells a callback that is not being called that it is no longer registered, once the callback that
    /// deregistered it has returned. One that is being called is told when it returns itself.
    fn tell_end(&mut self, entry: Entry) {
        let mut state = self.shared.lock();
        let is_start_untold = (state.to_tell.iter())
            .any(|to_tell| matches!(to_tell, ToTell::Start(number) if *number == entry.number));
        let is_started = entry.is_started && state.control.mode() != Mode::Stopped && !is_start_untold;
        if self.is_called {
            state.to_tell.push(ToTell::End { entry: Box::new(entry), is_started });
            return;
        }
        drop(state);
        consumer_thread::tell_end(self.shared, self.verbs, entry, is_started);
    }
}

impl<V: Listen> Consuming for LockedConnection<'_, V> {
    fn callback(
        &mut self,
        operation: Operation,
        description: Option<Description>,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
    ) -> Result<(), Reason> {
        let asked =
            Registration { operation, handle, descriptor: descriptor.clone(), options: options.clone() };
        self.change(&asked, description)
    }

    fn control(&mut self, operation: Operation, options: i32) -> Result<(), Reason> {
        if options & !mqi::constants::MQCTLO_FAIL_IF_QUIESCING != 0 {
            return Err(Reason::OPTIONS_ERROR);
        }
        if operation.fails_if_quiescing(options) {
            self.verbs.check_quiescing()?;
        }
        let request = match operation {
            Operation::START => Request::Start,
            Operation::STOP => Request::Stop,
            Operation::SUSPEND => Request::Suspend,
            Operation::RESUME => Request::Resume,
            Operation::START_WAIT => return Err(Reason::ENVIRONMENT_ERROR),
            _ => return Err(Reason::OPERATION_ERROR),
        };
        self.shared.lock().control.request(request)?;
        // Who waits for the end of what was asked for before waits no more.
        self.shared.tell();
        Ok(())
    }
}

impl<V: Listen> Forwards for LockedConnection<'_, V> {
    fn forward<T>(&mut self, call: impl FnOnce(&mut dyn Verbs) -> Result<T, Reason>) -> Result<T, Reason> {
        call(self.verbs)
    }

    /// A consumer of the handle is registered no longer.
    fn forward_close(
        &mut self,
        handle: ObjectHandle,
        options: CloseOptions,
    ) -> Result<Option<Reason>, Reason> {
        // What lies ready for the handle goes back before it is closed.
        self.verbs.listen(&[], 0, Some(std::time::Duration::ZERO))?;
        let warning = self.verbs.close(handle, options)?;
        if warning == Some(Reason::READ_AHEAD_MSGS) {
            // It stays open until they are taken.
            return Ok(warning);
        }
        let removed = {
            let mut state = self.shared.lock();
            for to_tell in &mut state.to_tell {
                if let ToTell::End { entry, .. } = to_tell
                    && entry.handle() == handle
                {
                    entry.getter.handle = UNUSABLE;
                }
            }
            state.registry.remove_closed(handle)
        };
        if let Ok(entry) = removed {
            self.tell_end(entry);
        }
        Ok(warning)
    }

    /// Ends the connection; a callback cannot end the one that it is called by. All callbacks are
    /// deregistered, and told while the connection can still be used.
    fn forward_disconnect(&mut self) -> Result<(), Reason> {
        if self.is_called {
            return Err(Reason::CALL_IN_PROGRESS);
        }
        let all = self.shared.lock().registry.remove_all();
        for entry in all {
            self.tell_end(entry);
        }
        self.verbs.disconnect()
    }
}
