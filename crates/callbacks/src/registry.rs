//! The callbacks of one connection.
//!
//! Always: in the order of registration, in which they are served in turn. The function of a callback that is
//! being called is not here; it comes back unless it was replaced or deregistered meanwhile.

use std::time::Instant;

use mqi::{GetFlags, GetOptions, Getter, MatchOptions, MessageDescriptor, ObjectHandle, Reason, Wait};

use crate::consumer_thread::UNUSABLE;
use crate::{CallbackOptions, CallbackType, Description, Function, Operation};

/// One callback.
pub(crate) struct Entry {
    /// Its number on the connection, for good.
    pub(crate) number: u64,
    pub(crate) callback_type: CallbackType,
    pub(crate) options: CallbackOptions,
    /// None while it is called.
    pub(crate) function: Option<Function>,
    pub(crate) getter: Getter,
    /// Time that it waits before it is told that nothing has come.
    pub(crate) wait: Wait,
    pub(crate) is_suspended: bool,
    /// Consumers were called while it was registered: it is told when that stops, also while they are
    /// suspended.
    pub(crate) is_started: bool,
    /// Time since which it has waited for a message.
    pub(crate) waits_since: Option<Instant>,
    /// Time up to which nothing is got for it, since gets are inhibited.
    pub(crate) inhibited_until: Option<Instant>,
}

impl Entry {
    /// The handle it is registered for; none for an event handler.
    pub(crate) fn handle(&self) -> ObjectHandle {
        match self.callback_type {
            CallbackType::MessageConsumer => self.getter.handle,
            CallbackType::EventHandler => ObjectHandle::NONE,
        }
    }

    /// Returns true if it takes messages off a queue on which gets were inhibited when it last asked.
    pub(crate) fn is_in_doubt(&self) -> bool {
        let browses = GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT;
        self.inhibited_until.is_some() && !self.getter.options.flags.intersects(browses)
    }

    /// Returns the get that is asked for it. One in doubt asks for a message that there is not: it must hear
    /// that it is served again before one is taken, since it may deregister on that.
    pub(crate) fn asks(&self) -> Getter {
        if !self.is_in_doubt() {
            return self.getter.clone();
        }
        let flags = self.getter.options.flags & GetFlags::FAIL_IF_QUIESCING | GetFlags::NO_SYNCPOINT;
        let match_options = MatchOptions::MATCH_MSG_TOKEN;
        let options = GetOptions { match_options, ..GetOptions::with(flags, Wait::No) };
        Getter { options, ..self.getter.clone() }
    }

    pub(crate) fn wants(&self, option: CallbackOptions) -> bool {
        self.options.contains(option)
    }
}

/// The arguments of MQCB.
pub(crate) struct Registration {
    pub(crate) operation: Operation,
    pub(crate) handle: ObjectHandle,
    pub(crate) descriptor: MessageDescriptor,
    pub(crate) options: GetOptions,
}

/// The change that MQCB makes to a callback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Register { suspended: Option<bool> },
    Deregister,
    Suspend,
    Resume,
}

impl Change {
    pub(crate) fn of(operation: Operation) -> Result<Self, Reason> {
        const REGISTER: i32 = Operation::REGISTER.0;
        const REGISTER_SUSPENDED: i32 = Operation::REGISTER.and(Operation::SUSPEND).0;
        const REGISTER_RESUMED: i32 = Operation::REGISTER.and(Operation::RESUME).0;
        const DEREGISTER: i32 = Operation::DEREGISTER.0;
        const SUSPEND: i32 = Operation::SUSPEND.0;
        const RESUME: i32 = Operation::RESUME.0;
        match operation.0 {
            REGISTER => Ok(Self::Register { suspended: None }),
            REGISTER_SUSPENDED => Ok(Self::Register { suspended: Some(true) }),
            REGISTER_RESUMED => Ok(Self::Register { suspended: Some(false) }),
            DEREGISTER => Ok(Self::Deregister),
            SUSPEND => Ok(Self::Suspend),
            RESUME => Ok(Self::Resume),
            _ => Err(Reason::OPERATION_ERROR),
        }
    }
}

/// Options that make no sense for a consumer, which asks for no certain message.
const NOT_FOR_CONSUMERS: GetFlags = GetFlags::MSG_UNDER_CURSOR
    .union(GetFlags::BROWSE_MSG_UNDER_CURSOR)
    .union(GetFlags::UNLOCK)
    .union(GetFlags::SET_SIGNAL);

impl Registration {
    /// The getter of a consumer that is registered so.
    pub(crate) fn getter(&self, message_bytes_max: i32) -> Result<Getter, Reason> {
        let flags = self.options.flags;
        if flags.intersects(NOT_FOR_CONSUMERS) || contradict(flags) {
            return Err(Reason::OPTIONS_ERROR);
        }
        let joins = flags.contains(GetFlags::COMPLETE_MSG);
        if joins && self.options.match_options.contains(MatchOptions::MATCH_OFFSET) {
            return Err(Reason::MATCH_OPTIONS_ERROR);
        }
        Ok(Getter {
            handle: self.handle,
            descriptor: self.descriptor.clone(),
            options: GetOptions { wait: Wait::No, ..self.options.clone() },
            bytes_max: usize::try_from(message_bytes_max).unwrap_or(BYTES_MAX),
        })
    }
}

/// Returns true if options contradict one another. A queue manager at the other end of a channel says so only
/// when it is asked for the first message, but the program must hear of it when it registers.
fn contradict(flags: GetFlags) -> bool {
    let units = GetFlags::SYNCPOINT | GetFlags::SYNCPOINT_IF_PERSISTENT;
    let browses = GetFlags::BROWSE_FIRST | GetFlags::BROWSE_NEXT;
    let more_than_one = |of: GetFlags| (flags.bits() & of.bits()).count_ones() > 1;
    !flags.unknown().is_empty()
        || more_than_one(units | GetFlags::NO_SYNCPOINT)
        || more_than_one(browses)
        || flags.intersects(units) && flags.intersects(browses)
        || flags.contains(GetFlags::COMPLETE_MSG | GetFlags::SYNCPOINT_IF_PERSISTENT)
}

/// Length that means "the whole message": no message is longer.
const BYTES_MAX: usize = i32::MAX as usize;

/// The callbacks of one connection.
#[derive(Default)]
pub(crate) struct Registry {
    entries: Vec<Entry>,
    registered: u64,
    /// Callbacks whose handle was closed while they were called, until they have returned.
    closed: Vec<u64>,
}

impl Registry {
    /// Registers a callback; in the place of one that is there already. Its number.
    pub(crate) fn register(
        &mut self,
        asked: &Registration,
        suspended: Option<bool>,
        is_started: bool,
        description: Description,
    ) -> Result<u64, Reason> {
        let Description { callback_type, options, function, message_bytes_max } = description;
        let getter = asked.getter(message_bytes_max)?;
        let place = self.place(callback_type, asked.handle);
        self.registered += 1;
        let was_suspended = place.is_some_and(|place| self.entries[place].is_suspended);
        let entry = Entry {
            number: self.registered,
            callback_type,
            options: match callback_type {
                CallbackType::MessageConsumer => options,
                CallbackType::EventHandler => options.without_starts(),
            },
            function,
            getter,
            wait: asked.options.wait,
            is_suspended: suspended.unwrap_or(was_suspended),
            is_started,
            waits_since: None,
            inhibited_until: None,
        };
        match place {
            Some(place) => self.entries[place] = entry,
            None => self.entries.push(entry),
        }
        Ok(self.registered)
    }

    fn place(&self, callback_type: CallbackType, handle: ObjectHandle) -> Option<usize> {
        self.entries.iter().position(|entry| {
            entry.callback_type == callback_type
                && (callback_type == CallbackType::EventHandler || entry.getter.handle == handle)
        })
    }

    /// The callback of a kind, for a handle.
    pub(crate) fn find(
        &mut self,
        callback_type: CallbackType,
        handle: ObjectHandle,
    ) -> Result<&mut Entry, Reason> {
        let place = self.place(callback_type, handle).ok_or(Reason::CALLBACK_NOT_REGISTERED)?;
        Ok(&mut self.entries[place])
    }

    pub(crate) fn remove(
        &mut self,
        callback_type: CallbackType,
        handle: ObjectHandle,
    ) -> Result<Entry, Reason> {
        let place = self.place(callback_type, handle).ok_or(Reason::CALLBACK_NOT_REGISTERED)?;
        Ok(self.entries.remove(place))
    }

    /// Removes the consumer of a handle that was closed.
    pub(crate) fn remove_closed(&mut self, handle: ObjectHandle) -> Result<Entry, Reason> {
        let mut entry = self.remove(CallbackType::MessageConsumer, handle)?;
        if entry.function.is_none() {
            self.closed.push(entry.number);
        }
        entry.getter.handle = UNUSABLE;
        Ok(entry)
    }

    /// Returns true if the handle of a callback that was called was closed meanwhile.
    pub(crate) fn take_closed(&mut self, number: u64) -> bool {
        let place = self.closed.iter().position(|closed| *closed == number);
        place.map(|place| self.closed.swap_remove(place)).is_some()
    }

    pub(crate) fn remove_all(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.entries)
    }

    /// Consumers are called from now on: the waits of all begin.
    pub(crate) fn start(&mut self) {
        for entry in &mut self.entries {
            (entry.is_started, entry.waits_since) = (true, None);
        }
    }

    pub(crate) fn by_number(&mut self, number: u64) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.number == number)
    }

    /// The callbacks for which a condition holds, in order.
    pub(crate) fn numbers(&self, condition: impl Fn(&Entry) -> bool) -> Vec<u64> {
        self.entries.iter().filter(|entry| condition(entry)).map(|entry| entry.number).collect()
    }

    /// The consumers that messages are got for now, in order.
    pub(crate) fn consumers(&mut self) -> impl Iterator<Item = &mut Entry> {
        let of_consumers = |entry: &&mut Entry| entry.callback_type == CallbackType::MessageConsumer;
        self.entries.iter_mut().filter(of_consumers).filter(|entry| !entry.is_suspended)
    }

    pub(crate) fn has_consumers(&self) -> bool {
        self.entries.iter().any(|entry| entry.callback_type == CallbackType::MessageConsumer)
    }
}
