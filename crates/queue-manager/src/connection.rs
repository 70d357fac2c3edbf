//! An application's connection: its handles, its unit of work, and the verbs.
//!
//! One conversation has one `Connection` and calls it from one thread at a time. Verbs never block: a get that
//! must wait answers [`Get::Waiting`] and its outcome comes through `Completions`.

use bytes::Bytes;
use mqi::{
    AttributeValue, CloseOptions, GetOptions, MessageDescriptor, ObjectDescriptor, ObjectHandle, ObjectName,
    OpenOptions, Opened, PutOptions, QueueManagerName, Reason, Selector,
};
use storage::record::ClientCommit;

use crate::Outcome;

/// Names one waiting get of a connection; chosen by the caller, unique among its waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WaitToken(pub u64);

/// A message given to a getter.
#[derive(Clone, Debug)]
pub struct GotMessage {
    /// The descriptor as MQGET returns it, backout count included.
    pub descriptor: Box<MessageDescriptor>,
    /// The body, cut to the getter's length when that was accepted.
    pub body: Bytes,
    /// The whole length of the message.
    pub data_length: usize,
    /// A warning that travels with the result: 2079, or 2080, after which the message is still where it was.
    pub warning: Option<Reason>,
    /// The queue it came from.
    pub resolved_queue_name: ObjectName,
}

/// What a put fills in for its caller.
#[derive(Clone, Debug)]
pub struct PutDone {
    /// The descriptor as MQPUT returns it: identifiers, priority, persistence, date and time.
    pub descriptor: Box<MessageDescriptor>,
    /// Where it went.
    pub resolved_queue_name: ObjectName,
    /// On which queue manager.
    pub resolved_queue_manager_name: QueueManagerName,
    /// A warning that travels with the result (2049, for example).
    pub warning: Option<Reason>,
}

/// What a get answers at once.
#[derive(Debug)]
pub enum Get {
    /// The message, or a refusal.
    Done(Outcome<GotMessage>),
    /// Nothing yet: the outcome goes to `Completions` under the caller's token.
    Waiting,
}

/// Which messages read-ahead only reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reserve {
    /// All: they are taken into a unit of work later.
    All,
    /// The persistent ones: others may be lost with their connection, so they are taken at once.
    Persistent,
}

/// One application connection. Dropping it ends it: waits are cancelled, the open unit of work is backed out.
pub struct Connection {}

impl Connection {
    /// MQOPEN.
    pub fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Outcome<Opened> {
        let _ = (object, options);
        unimplemented!()
    }

    /// MQCLOSE.
    pub fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Outcome<()> {
        let _ = (handle, options);
        unimplemented!()
    }

    /// MQPUT.
    pub fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Outcome<PutDone> {
        let _ = (handle, descriptor, options, body);
        unimplemented!()
    }

    /// MQPUT1.
    pub fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &MessageDescriptor,
        options: &PutOptions,
        body: Bytes,
    ) -> Outcome<PutDone> {
        let _ = (object, descriptor, options, body);
        unimplemented!()
    }

    /// MQGET, destructive or browsing. `token` names the wait if there is one.
    pub fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        token: WaitToken,
    ) -> Get {
        let _ = (handle, descriptor, options, bytes_max, token);
        unimplemented!()
    }

    /// MQGET for read-ahead (rules 4 and 5): as `get`, but the message is only reserved, under `token`: locked in
    /// memory, nothing logged, until `take_reserved` or `give_back`. The flags in `options` say where taking it
    /// puts it: into the unit of work, or outside. A non-persistent message is taken at once when `which` says so.
    pub fn reserve(
        &mut self,
        handle: ObjectHandle,
        descriptor: &MessageDescriptor,
        options: &GetOptions,
        bytes_max: usize,
        token: WaitToken,
        which: Reserve,
    ) -> Get {
        let _ = (handle, descriptor, options, bytes_max, token, which);
        unimplemented!()
    }

    /// Takes the message reserved under `token`: the application has it now.
    pub fn take_reserved(&mut self, token: WaitToken) -> Outcome<()> {
        let _ = token;
        unimplemented!()
    }

    /// Gives the message reserved under `token` back at its position, its backout count unchanged: the
    /// application has not seen it. Ending the connection does the same.
    pub fn give_back(&mut self, token: WaitToken) {
        let _ = token;
        unimplemented!()
    }

    /// Ends a wait early. True when it was still waiting (it will not complete any more); false when an outcome
    /// is on its way.
    pub fn cancel(&mut self, token: WaitToken) -> bool {
        let _ = token;
        unimplemented!()
    }

    /// MQCMIT.
    pub fn commit(&mut self, client: Option<ClientCommit>) -> Outcome<()> {
        let _ = client;
        unimplemented!()
    }

    /// MQBACK.
    pub fn back(&mut self) -> Outcome<()> {
        unimplemented!()
    }

    /// The number of the last commit known of this client instance (rule 24), if one is remembered.
    #[must_use]
    pub fn last_commit(&self) -> Option<u64> {
        unimplemented!()
    }

    /// MQINQ.
    pub fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Outcome<Vec<AttributeValue>> {
        let _ = (handle, selectors);
        unimplemented!()
    }

    /// MQSET.
    pub fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Outcome<()> {
        let _ = (handle, values);
        unimplemented!()
    }

    /// MQDISC: commits the open unit of work, as MQDISC does.
    pub fn disconnect(self) -> Outcome<()> {
        unimplemented!()
    }
}
