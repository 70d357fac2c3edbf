//! The verbs on the caller's own thread.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use mqi::{
    AttributeValue, CloseOptions, GetFlags, GetOptions, Got, Inquired, MessageDescriptor, ObjectDescriptor,
    ObjectHandle, OpenOptions, Opened, Put, PutOptions, Reason, Selector, Verbs,
};
use platform::os::users;
use queue_manager::{ConnectRequest, Get, GotMessage, Outcome, PutDone, QueueManager, WaitToken};

use super::waiting::{Durability, Inbox};
use crate::host;

/// How soon to look again whether the log has room for a put.
const PACE: Duration = Duration::from_millis(1);

/// A connection of this program to the queue manager in its process. Dropping it backs its unit of work out.
pub struct Connection {
    engine: QueueManager,
    durability: Arc<Durability>,
    /// None once disconnected.
    connection: Option<queue_manager::Connection>,
    inbox: Arc<Inbox>,
    waits: u64,
}

impl Connection {
    pub(crate) fn connect(
        engine: &QueueManager,
        durability: &Arc<Durability>,
        application: &str,
    ) -> Result<Self, Reason> {
        let inbox = Arc::<Inbox>::default();
        let request = ConnectRequest {
            application: application.to_owned(),
            origin: format!("embedded in process {}", std::process::id()),
            process: std::process::id(),
            instance: [0; 16],
            generation: 0,
            user: users::current(),
            completions: inbox.clone(),
        };
        let mut this = Self {
            engine: engine.clone(),
            durability: Arc::clone(durability),
            connection: None,
            inbox,
            waits: 0,
        };
        let outcome = engine.connect(request);
        this.connection = Some(this.open_gate(outcome)?);
        Ok(this)
    }

    /// Runs a verb and waits until its outcome may be known.
    fn call<T>(
        &mut self,
        verb: impl FnOnce(&mut queue_manager::Connection) -> Outcome<T>,
    ) -> Result<T, Reason> {
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        let outcome = {
            let _drives = host::this_thread_drives();
            verb(connection)
        };
        self.open_gate(outcome)
    }

    /// Waits while the log runs short of room and a checkpoint is about to make some.
    fn wait_for_room(&self) {
        while self.engine.paces() {
            std::thread::sleep(PACE);
        }
    }

    fn open_gate<T>(&self, outcome: Outcome<T>) -> Result<T, Reason> {
        self.durability.await_outcome(&self.engine, outcome)
    }
}

impl Verbs for Connection {
    fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Result<Opened, Reason> {
        self.call(|connection| connection.open(object, options))
    }

    fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Result<(), Reason> {
        self.call(|connection| connection.close(handle, options))
    }

    fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        self.wait_for_room();
        let done = self.call(|connection| connection.put(handle, descriptor, options, body))?;
        fill_put(done, descriptor, options);
        Ok(())
    }

    fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        self.wait_for_room();
        let done = self.call(|connection| connection.put1(object, descriptor, options, body))?;
        fill_put(done, descriptor, options);
        Ok(())
    }

    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
    ) -> Result<Got, Reason> {
        self.waits += 1;
        let token = WaitToken(self.waits);
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        let answered = {
            let _drives = host::this_thread_drives();
            connection.get(handle, descriptor, options, bytes_max, token)
        };
        let outcome = match answered {
            Get::Done(outcome) => outcome,
            Get::Waiting => self.inbox.wait(token),
        };
        let message = self.open_gate(outcome)?;
        fill_get(message, descriptor, options)
    }

    fn begin(&mut self) -> Result<Option<Reason>, Reason> {
        self.call(|connection| connection.begin())
    }

    fn commit(&mut self) -> Result<(), Reason> {
        self.call(|connection| connection.commit(None))
    }

    fn back(&mut self) -> Result<(), Reason> {
        self.call(queue_manager::Connection::back)
    }

    fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Result<Inquired, Reason> {
        self.call(|connection| connection.inquire(handle, selectors))
    }

    fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Result<(), Reason> {
        self.call(|connection| connection.set(handle, values))
    }

    fn disconnect(&mut self) -> Result<(), Reason> {
        let connection = self.connection.take().ok_or(Reason::HCONN_ERROR)?;
        self.open_gate(connection.disconnect())
    }
}

fn fill_put(done: PutDone, descriptor: &mut MessageDescriptor, options: &mut PutOptions) {
    *descriptor = *done.descriptor;
    let put = Put {
        resolved_queue_name: done.resolved_queue_name,
        resolved_queue_manager_name: done.resolved_queue_manager_name,
        warning: done.warning,
    };
    put.returned(options);
}

fn fill_get(
    message: GotMessage,
    descriptor: &mut MessageDescriptor,
    options: &mut GetOptions,
) -> Result<Got, Reason> {
    let message = message.converted();
    if !options.flags.contains(GetFlags::UNLOCK) {
        *descriptor = *message.descriptor;
    }
    let got = Got {
        body: message.body,
        data_length: message.data_length,
        warning: message.warning,
        resolved_queue_name: message.resolved_queue_name,
        message_token: message.message_token,
    };
    got.returned(options)
}
