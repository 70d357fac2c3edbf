//! The verbs on the caller's own thread.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use formats::properties::handle::{self, Handles, Loan};
use mqi::branch::Branches;
use mqi::properties::MessageHandles;
use mqi::{
    AccountingChoice, AttributeValue, Body, Characters, CloseOptions, GetFlags, GetOptions, Got, Inquired,
    MessageDescriptor, ObjectDescriptor, ObjectHandle, OpenOptions, Opened, Put, PutObject, PutOptions,
    Reason, RequestOptions, Selector, Status, StatusType, Subscribed, SubscriptionDescriptor, Text, Verbs,
};
use platform::os::users;
use queue_manager::{
    Ask, AsyncPuts, ConnectRequest, Connection as Engine, Get, GotMessage, Identity, Outcome, Part,
    Principal, PutDone, PutForRoom, PutTarget, QueueManager, RoomWait, WaitToken,
};

use super::waiting::{Inbox, Waiting};
use super::waking;
use crate::host;

/// Interval between looks for room in the log, or on its queue, for a put.
const PACE: Duration = Duration::from_millis(1);

/// A connection of this program to the queue manager in its process. Dropping it backs its unit of work out.
pub struct Connection {
    engine: QueueManager,
    waiting: Arc<Waiting>,
    /// None once disconnected.
    pub(super) connection: Option<Engine>,
    pub(super) inbox: Arc<Inbox>,
    waits: u64,
    /// Handles that are listened to.
    pub(super) listening: Vec<super::listening::Listening>,
    /// True if the listener was told that the queue manager quiesces.
    pub(super) is_told_of_quiesce: bool,
    /// Asynchronous puts, with unreported outcomes.
    pub(super) puts: AsyncPuts,
    pub(super) message_handles: Handles,
    /// True if the message that was got last is a command of an administrator.
    is_of_administrator: bool,
}

impl Connection {
    pub(crate) fn connect(
        engine: &QueueManager,
        waiting: &Arc<Waiting>,
        application: &str,
        accounting: AccountingChoice,
    ) -> Result<Self, Reason> {
        let places = (engine, waiting);
        Self::connect_by(QueueManager::connect, places, (application, Identity::Process), accounting)
    }

    /// Connects a part that publishes the queue manager's reports about itself.
    pub(crate) fn connect_own(
        engine: &QueueManager,
        waiting: &Arc<Waiting>,
        (application, part): (&str, Part),
    ) -> Result<Self, Reason> {
        let (places, program) = ((engine, waiting), (application, Identity::Part(part)));
        Self::connect_by(QueueManager::connect_own, places, program, AccountingChoice::default())
    }

    /// Connects the command server, which does not count among the programs.
    pub(crate) fn connect_command_server(
        engine: &QueueManager,
        waiting: &Arc<Waiting>,
        (application, part): (&str, Part),
    ) -> Result<Self, Reason> {
        let (places, program) = ((engine, waiting), (application, Identity::Part(part)));
        let connect = QueueManager::connect_command_server;
        Self::connect_by(connect, places, program, AccountingChoice::default())
    }

    fn connect_by(
        connect: impl FnOnce(&QueueManager, ConnectRequest) -> Outcome<Engine>,
        (engine, waiting): (&QueueManager, &Arc<Waiting>),
        (application, identity): (&str, Identity),
        accounting: AccountingChoice,
    ) -> Result<Self, Reason> {
        let user = users::current();
        let principal = match identity {
            Identity::Process => Principal::administrator(&user, identity),
            other => Principal::new(&user, other),
        };
        let principal = principal.map_err(|_| Reason::NOT_AUTHORIZED)?;
        let inbox = Arc::new(Inbox::new(waiting));
        let request = ConnectRequest {
            accounting,
            application: application.to_owned(),
            origin: format!("embedded in process {}", std::process::id()),
            channel: mqi::ObjectName::BLANK,
            process: std::process::id(),
            instance: [0; 16],
            generation: 0,
            principal,
            completions: inbox.clone(),
        };
        let mut this = Self {
            engine: engine.clone(),
            waiting: Arc::clone(waiting),
            connection: None,
            inbox,
            waits: 0,
            listening: Vec::new(),
            is_told_of_quiesce: false,
            puts: AsyncPuts::default(),
            message_handles: Handles::default(),
            is_of_administrator: false,
        };
        let outcome = connect(engine, request);
        this.connection = Some(this.open_gate(outcome)?);
        Ok(this)
    }

    /// The issuer of the command that was got last: an administrator where the queue manager made its context
    /// for the login of one, else the user that it names.
    pub(crate) fn issuer(&self, named: Text<12>) -> Principal {
        if self.is_of_administrator {
            Principal::of_administrators_message(named)
        } else {
            Principal::of_message(named)
        }
    }

    /// Runs a verb and waits until its outcome may be known.
    fn call<T>(&mut self, verb: impl FnOnce(&mut Engine) -> Outcome<T>) -> Result<T, Reason> {
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        let outcome = run(connection, verb);
        self.open_gate(outcome)
    }

    /// Keeps the outcome of a put that was not waited for, which [`stat`](Verbs::stat) tells.
    fn keep_put(
        &mut self,
        outcome: Outcome<Option<Reason>>,
        takes_unit: impl FnOnce(&Engine) -> bool,
        object: impl FnOnce(&Engine) -> PutObject,
    ) -> Result<(), Reason> {
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        self.puts.keep(outcome, || takes_unit(connection), || object(connection));
        Ok(())
    }

    /// Runs a put, and again while it waits for room on its queue (FULLACT(HOLD)).
    fn run_put<T>(
        &mut self,
        asked: &PutForRoom<'_>,
        body: Body<'_>,
        put: impl Fn(&mut Engine, Body<'_>) -> Outcome<T>,
    ) -> Result<Outcome<T>, Reason> {
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        if !PutForRoom::may_be_held(connection) {
            return Ok(run(connection, |connection| put(connection, body)));
        }
        let mut waited: Option<RoomWait> = None;
        loop {
            let outcome = run(connection, |connection| put(connection, body.clone()));
            if !outcome.lacks_room() {
                return Ok(outcome);
            }
            waited = match waited {
                Some(wait) => wait.again(),
                None => asked.wait(connection),
            };
            let Some(wait) = &waited else { return Ok(outcome) };
            while wait.is_awaited() {
                std::thread::sleep(PACE);
            }
        }
    }

    /// Backs the unit of work out, and forgets that puts failed in it. A branch is not backed out so: they
    /// fail its end.
    fn back_out_unit(&mut self) -> Result<(), Reason> {
        self.call(Engine::back)?;
        self.puts.take_unit_failure();
        Ok(())
    }

    fn put_message(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Body<'_>,
    ) -> Result<(), Reason> {
        self.wait_for_room();
        let by_default = self.connection.as_ref().is_some_and(|open| open.puts_asynchronously(handle));
        let said = options.answered_as(by_default);
        let target = PutTarget::Handle(handle);
        let asked = PutForRoom {
            target,
            descriptor: &*descriptor,
            flags: said.flags,
            unit: None,
            body_length: body.len(),
        };
        if said.is_asynchronous() {
            let descriptor = &*descriptor;
            let outcome = self.run_put(&asked, body, |connection, body| {
                connection.put_without_reply(handle, descriptor, &said, body)
            })?;
            let takes_unit = |connection: &Engine| connection.takes_unit(target, descriptor, &said);
            return self.keep_put(outcome, takes_unit, |connection| connection.put_object(handle));
        }
        let outcome = self.run_put(&asked, body, |connection, body| {
            connection.put_body(handle, descriptor, options, body)
        })?;
        let done = self.open_gate(outcome)?;
        fill_put(&done, descriptor, options);
        Ok(())
    }

    pub(super) fn next_token(&mut self) -> WaitToken {
        self.waits += 1;
        WaitToken(self.waits)
    }

    /// Waits while the log runs short of room and a checkpoint is about to make some.
    pub(super) fn wait_for_room(&self) {
        while self.engine.log().paces() {
            std::thread::sleep(PACE);
        }
    }

    pub(super) fn open_gate<T>(&self, outcome: Outcome<T>) -> Result<T, Reason> {
        self.waiting.durability.await_outcome(&self.engine, outcome)
    }
}

/// Runs a verb that may end the waits of others: it wakes few of them, and needs no other thread for the log.
pub(super) fn run<T>(connection: &mut Engine, verb: impl FnOnce(&mut Engine) -> T) -> T {
    let _drives = host::this_thread_drives();
    let _wakes = waking::this_call_wakes_few();
    verb(connection)
}

impl Connection {
    /// A get; what fits of a message that is too long and stays is shown.
    pub(super) fn get_showing(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        show: &mut dyn FnMut(&[u8]),
    ) -> Result<Got, Reason> {
        self.forget_look(handle);
        let loan = self.message_handles.for_get(options)?;
        let token = self.next_token();
        let connection = self.connection.as_mut().ok_or(Reason::HCONN_ERROR)?;
        let answered = {
            let _drives = host::this_thread_drives();
            connection.get(Ask::new(handle, descriptor, options, bytes_max, token))
        };
        let outcome = match answered {
            Get::Done(outcome) => outcome,
            Get::Waiting => self.inbox.wait(token),
        };
        let mut message = self.open_gate(outcome)?.converted();
        if let Some(receipt) = message.receipt.take() {
            // This call returns with the message, and so the program has it.
            if !receipt.begin() {
                return Err(Reason::CONNECTION_BROKEN);
            }
            receipt.delivered();
        }
        self.is_of_administrator = message.descriptor.is_of_administrator();
        fill_get(message, descriptor, options, loan, show)
    }
}

impl Verbs for Connection {
    fn open(&mut self, object: &ObjectDescriptor, options: OpenOptions) -> Result<Opened, Reason> {
        self.call(|connection| connection.open(object, options))
    }

    fn close(&mut self, handle: ObjectHandle, options: CloseOptions) -> Result<Option<Reason>, Reason> {
        let closed = self.call(|connection| connection.close(handle, options));
        if closed.is_ok() {
            self.forget_shown(handle);
        }
        closed
    }

    fn subscribe(
        &mut self,
        descriptor: &SubscriptionDescriptor,
        queue: Option<ObjectHandle>,
    ) -> Result<Subscribed, Reason> {
        self.call(|connection| connection.subscribe(descriptor, queue))
    }

    fn request_publications(
        &mut self,
        subscription: ObjectHandle,
        action: i32,
        options: RequestOptions,
    ) -> Result<u32, Reason> {
        self.call(|connection| connection.request_publications(subscription, action, options))
    }

    fn put(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        let prepared = self.message_handles.for_put(descriptor, options, &body)?;
        handle::put(prepared, descriptor, options, body, |descriptor, options, body| {
            self.put_message(handle, descriptor, options, body.into())
        })
    }

    fn put_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: &[u8],
    ) -> Result<(), Reason> {
        if options.uses_message_handles() {
            return self.put(handle, descriptor, options, Bytes::copy_from_slice(body));
        }
        self.put_message(handle, descriptor, options, Body::Lent(body))
    }

    fn put1(
        &mut self,
        object: &ObjectDescriptor,
        descriptor: &mut MessageDescriptor,
        options: &mut PutOptions,
        body: Bytes,
    ) -> Result<(), Reason> {
        let prepared = self.message_handles.for_put(descriptor, options, &body)?;
        handle::put(prepared, descriptor, options, body, |descriptor, options, body| {
            self.wait_for_room();
            let target = PutTarget::Object(object);
            let (flags, body_length) = (options.flags, body.len());
            let asked = PutForRoom { target, descriptor: &*descriptor, flags, unit: None, body_length };
            let outcome = self.run_put(&asked, body.into(), |connection, body| {
                connection.put1(object, descriptor, options, body.into_bytes())
            })?;
            if options.is_asynchronous() {
                let (descriptor, options) = (&*descriptor, &*options);
                let outcome = outcome.map(|put| put.map(|done| done.warning));
                let takes_unit = |connection: &Engine| connection.takes_unit(target, descriptor, options);
                return self.keep_put(outcome, takes_unit, |connection| connection.put1_object(object));
            }
            let done = self.open_gate(outcome)?;
            fill_put(&done, descriptor, options);
            Ok(())
        })
    }

    fn get(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
    ) -> Result<Got, Reason> {
        self.get_showing(handle, descriptor, options, bytes_max, &mut |_| ())
    }

    fn get_lent(
        &mut self,
        handle: ObjectHandle,
        descriptor: &mut MessageDescriptor,
        options: &mut GetOptions,
        bytes_max: usize,
        borrow: &mut dyn FnMut(&[u8]),
    ) -> Result<Got, Reason> {
        let mut got = self.get_showing(handle, descriptor, options, bytes_max, borrow)?;
        borrow(&std::mem::take(&mut got.body));
        Ok(got)
    }

    fn begin(&mut self) -> Result<Option<Reason>, Reason> {
        self.call(|connection| connection.begin())
    }

    fn commit(&mut self) -> Result<(), Reason> {
        if self.puts.is_unit_failed() {
            // Puts whose outcome was not waited for fail the unit of work they were part of.
            self.back_out_unit()?;
            return Err(Reason::BACKED_OUT);
        }
        self.call(|connection| connection.commit(None))
    }

    fn back(&mut self) -> Result<(), Reason> {
        self.back_out_unit()
    }

    fn on_branches(&mut self, call: &mut dyn FnMut(&mut dyn Branches)) -> Result<(), Reason> {
        if self.connection.is_none() {
            return Err(Reason::HCONN_ERROR);
        }
        call(self);
        Ok(())
    }

    fn inquire(&mut self, handle: ObjectHandle, selectors: &[Selector]) -> Result<Inquired, Reason> {
        self.call(|connection| connection.inquire(handle, selectors))
    }

    fn set(&mut self, handle: ObjectHandle, values: &[(Selector, AttributeValue)]) -> Result<(), Reason> {
        self.call(|connection| connection.set(handle, values))
    }

    fn stat(&mut self, what: StatusType) -> Result<Status, Reason> {
        let Some(connection) = &self.connection else { return Err(Reason::HCONN_ERROR) };
        match what {
            StatusType::AsyncError => {
                let told = connection.put_status(&mut self.puts);
                self.open_gate(told.map(Ok)).map(Status::from)
            }
            StatusType::Reconnection | StatusType::ReconnectionError => Err(Reason::ENVIRONMENT_ERROR),
        }
    }

    fn convert_characters(
        &mut self,
        options: i32,
        from: Characters<'_>,
        to_ccsid: i32,
        bytes_max: usize,
    ) -> Result<Bytes, Reason> {
        let connection = self.connection.as_ref().ok_or(Reason::HCONN_ERROR)?;
        connection.convert_characters(options, from, to_ccsid, bytes_max)
    }

    fn message_handles(&mut self) -> Result<Box<dyn MessageHandles>, Reason> {
        match self.connection {
            Some(_) => Ok(Box::new(self.message_handles.clone())),
            None => Err(Reason::HCONN_ERROR),
        }
    }

    fn disconnect(&mut self) -> Result<(), Reason> {
        if self.puts.is_unit_failed() && self.back_out_unit().is_ok() {
            self.connection = None;
            return Err(Reason::BACKED_OUT);
        }
        let connection = self.connection.take().ok_or(Reason::HCONN_ERROR)?;
        self.open_gate(connection.disconnect())
    }
}

fn fill_put(done: &PutDone, descriptor: &mut MessageDescriptor, options: &mut PutOptions) {
    descriptor.clone_from(&done.descriptor);
    let put = Put {
        resolved_queue_name: done.resolved_queue_name,
        resolved_queue_manager_name: done.resolved_queue_manager_name,
        warning: done.warning,
    };
    put.returned(options);
}

pub(super) fn fill_get(
    mut message: GotMessage,
    descriptor: &mut MessageDescriptor,
    options: &mut GetOptions,
    loan: Option<Loan>,
    show: &mut dyn FnMut(&[u8]),
) -> Result<Got, Reason> {
    let folders = message.properties.take();
    if !options.flags.contains(GetFlags::UNLOCK) {
        message.descriptor.copy_to(descriptor);
    }
    let got = message.into_got().returned_showing(descriptor, options, show)?;
    if let (Some(loan), Some(folders)) = (loan, folders) {
        loan.fill(descriptor, folders.into_vec());
    }
    Ok(got)
}
