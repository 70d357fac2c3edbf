//! Scenarios on the engine itself, in one thread, on a simulated machine.
//!
//! Here nothing happens by itself: the log is driven, jobs are run and time passes only when a step waits for
//! an outcome, so a scenario that is right here does not depend on timing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use formats::properties::handle::{Handles, Loan, Prepared};
use mqi::{
    Body, GetFlags, Inquired, MessageDescriptor, MessageToken, ObjectDescriptor, ObjectHandle, ObjectName,
    OpenOptions, PutFlags, PutOptions, Reason, StatusType,
};
use platform::Clock;
use platform::simulated::{
    CrashPolicy, DiskImage, Images, Machine, Random, SimulatedClock, SimulatedDisk, Survival,
};
use queue_manager::{
    Ask, AsyncPuts, ConnectRequest, Connection, Decision, Event, Gated, Get, GotMessage, Host, Identity,
    Outcome, PreparedBranch, PreparedPurpose, Principal, PutDone, PutTarget, QueueManager, Quiesce, Settings,
    WaitToken,
};
use storage::Durable;
use testing::engine::Inbox;

use super::call::{
    OF_SUBSCRIPTION, facts_of, keep_subscribed, kinds_served, name_in_scenario, requested, subscription,
    with_token,
};
use super::handles::Named;
use super::listening::Lent;
use super::through::OpenHandles;
use super::{Actors, Call, Reply, consuming};

/// Longest wait for an outcome, in simulated time, before a scenario counts as hung.
const PATIENCE: Duration = Duration::from_secs(600);

/// An engine on a simulated machine, and its clients.
pub struct EngineWorld {
    machine: Machine,
    settings: Settings,
    queue_manager: Option<QueueManager>,
    host: Arc<AskedHost>,
    clients: BTreeMap<String, Client>,
    named: Named,
    random: Random,
    prepares: Arc<AtomicU64>,
}

struct Client {
    manager: QueueManager,
    connection: Option<Connection>,
    /// Why there is none, if it was refused.
    refused: Option<Reason>,
    inbox: Arc<Inbox>,
    handles: OpenHandles,
    message_handles: Handles,
    named: Named,
    /// The message handle that the get under way names.
    lent: Option<Loan>,
    last: Last,
    /// The token of the message it was told of last.
    last_token: MessageToken,
    puts: AsyncPuts,
    waits: u64,
    /// Units of work prepared so far, by all clients.
    prepares: Arc<AtomicU64>,
}

/// Knowledge of a client's last call.
enum Last {
    Nothing,
    Gated(Gated<Reply>),
    Waiting(WaitToken),
}

/// Receives messages that came without the log at their connection, as far as they may be known, even if its
/// program does not look.
fn receive(inbox: &Inbox, proof: Durable) {
    let mut receipts = Vec::new();
    inbox.change_each(|outcome| {
        if let Some(Ok(got)) = outcome.opened(proof) {
            receipts.extend(got.receipt.take());
        }
    });
    for receipt in receipts {
        let has_begun = receipt.begin();
        assert!(has_begun, "only the end of a connection takes a message back");
        receipt.delivered();
    }
}

/// A host that is asked whenever it wants to know, and so needs no calls, but for what housekeeping must do
/// at once: a message that is too old already when its unit of work is committed.
#[derive(Debug, Default)]
struct AskedHost {
    is_tick_wanted: AtomicBool,
}

impl Host for AskedHost {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {
        self.is_tick_wanted.store(true, Ordering::Relaxed);
    }
    fn event(&self, _: &Event) {}
    fn failed(&self, failure: &storage::Fatal) {
        panic!("a healthy disk failed: {failure}");
    }
}

impl EngineWorld {
    /// A new queue manager on an empty machine.
    ///
    /// # Panics
    /// When it cannot be made or started: no scenario is about that.
    #[must_use]
    pub fn new(settings: Settings, seed: u64) -> Self {
        let machine = Machine::new(seed);
        QueueManager::create(&machine.world(), &settings).expect("a new queue manager");
        let mut world = Self {
            machine,
            settings,
            queue_manager: None,
            host: Arc::default(),
            clients: BTreeMap::new(),
            named: Named::default(),
            random: Random::stream(seed, "scenario"),
            prepares: Arc::default(),
        };
        world.start();
        world
    }

    /// It ends without order, loses what was not stable, and starts again by this clock.
    ///
    /// # Panics
    /// When it does not start.
    pub fn crash_to(&mut self, clock: SimulatedClock) {
        let policy = CrashPolicy::surviving(Survival::Nothing);
        let after = self.machine.disk.crash(&mut self.random, policy);
        self.machine.disk.cut_power();
        self.clients.clear();
        self.queue_manager = None;
        let seed = self.random.next_u64();
        after.attach_clock(&clock);
        self.machine = Machine { clock, ..Machine::with_disk(after, seed) };
        self.start();
    }

    /// It ends in order; nothing but [`Self::start`] may follow.
    ///
    /// # Panics
    /// When it does not run.
    pub fn end(&mut self) {
        self.clients.clear();
        self.settle();
        self.manager().close();
        self.queue_manager = None;
    }

    /// It starts on what is there.
    ///
    /// # Panics
    /// When it does not start: no scenario is about that.
    pub fn start(&mut self) {
        let world = self.machine.world();
        self.host = Arc::default();
        let host = Arc::clone(&self.host) as Arc<dyn Host>;
        let queue_manager = QueueManager::open(world, self.settings.clone(), host);
        self.queue_manager = Some(queue_manager.expect("the queue manager starts"));
    }

    /// The machine it runs on.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// From now on the disk keeps an image of each moment at which it changes.
    pub(super) fn watch_disk(&self) {
        self.machine.disk.keep_images(Images::Every);
        let _ = self.machine.disk.take_images();
    }

    /// The disk as a power cut may meet it: now, or at every moment since it was watched, all that was begun
    /// being done.
    pub(super) fn disk_images(&self, since: bool) -> Vec<DiskImage> {
        if !since {
            return vec![self.machine.disk.image()];
        }
        self.settle();
        self.machine.disk.take_images().into_iter().map(|(_, image)| image).collect()
    }

    /// A world like this one after a power cut that left this disk; this one goes on.
    pub(super) fn after_power_cut(&self, disk: SimulatedDisk, seed: u64) -> Self {
        let clock = SimulatedClock::starting_at(self.machine.clock.wall());
        disk.attach_clock(&clock);
        let mut world = Self {
            machine: Machine { clock, ..Machine::with_disk(disk, seed) },
            settings: self.settings.clone(),
            queue_manager: None,
            host: Arc::default(),
            clients: BTreeMap::new(),
            named: Named::default(),
            random: Random::stream(seed, "scenario"),
            prepares: Arc::new(AtomicU64::new(self.prepares.load(Ordering::Relaxed))),
        };
        world.start();
        world
    }

    /// The queue manager.
    ///
    /// # Panics
    /// When it does not run.
    #[must_use]
    pub fn manager(&self) -> &QueueManager {
        self.queue_manager.as_ref().expect("the queue manager runs between steps")
    }

    fn client(&mut self, name: &str) -> &mut Client {
        let (manager, named) = (self.manager().clone(), Named::clone(&self.named));
        let prepares = Arc::clone(&self.prepares);
        let client = self.clients.entry(name.to_owned()).or_insert_with(|| Client {
            manager,
            connection: None,
            refused: None,
            inbox: Arc::default(),
            handles: BTreeMap::new(),
            message_handles: Handles::default(),
            named,
            lent: None,
            last: Last::Nothing,
            last_token: MessageToken::NONE,
            puts: AsyncPuts::default(),
            waits: 0,
            prepares,
        });
        if client.connection.is_none() {
            client.connect(name, mqi::AccountingChoice::default());
        }
        client
    }

    /// Does what waits to be done, without letting time pass.
    pub fn settle(&self) {
        loop {
            if self.host.is_tick_wanted.swap(false, Ordering::Relaxed) {
                self.manager().tick();
            }
            let Some(job) = self.manager().take_job() else { break };
            job.run();
        }
        while self.manager().log().waits() {
            self.manager().drive();
        }
        let proof = self.manager().durable();
        self.clients.values().for_each(|client| receive(&client.inbox, proof));
    }

    /// The outcome of the client's last call, if it is there and may be told.
    fn told(&mut self, name: &str) -> Option<Reply> {
        self.settle();
        let proof = self.manager().durable();
        let client = self.clients.get_mut(name)?;
        if let Last::Waiting(token) = client.last {
            let outcome = client.inbox.take(token)?;
            let lent = client.lent.take();
            client.last = Last::Gated(outcome.with(lent).map(|(result, lent)| message_reply(result, lent)));
        }
        match std::mem::replace(&mut client.last, Last::Nothing) {
            Last::Gated(gated) => match gated.open(proof) {
                Ok(reply) => {
                    if let Some(token) = reply.last_token() {
                        client.last_token = token;
                    }
                    Some(reply)
                }
                Err(still) => {
                    client.last = Last::Gated(still);
                    None
                }
            },
            other => {
                client.last = other;
                None
            }
        }
    }
}

impl Actors for EngineWorld {
    fn command(&mut self, text: &str) -> (String, bool) {
        let commands = match objects::mqsc::parse(text) {
            Ok(commands) => commands,
            Err(errors) => return (format!("{}: {errors}", objects::messages::SYNTAX_ERROR.id()), false),
        };
        let mut answer = String::new();
        let mut succeeded = true;
        for command in &commands {
            let gated = self.manager().execute(command);
            self.settle();
            let response = gated.open(self.manager().durable()).expect("a settled log opens every gate");
            succeeded &= response.is_ok();
            answer.push_str(&response.to_string());
        }
        (answer, succeeded)
    }

    fn call(&mut self, client: &str, call: &Call) {
        if let Call::Connect(accounting) = call {
            let client_of_name = self.client(client);
            client_of_name.connection = None;
            client_of_name.connect(client, *accounting);
        }
        self.client(client).call(call);
        if matches!(call, Call::Disconnect) {
            self.settle();
        }
    }

    fn outcome(&mut self, client: &str, patience: bool) -> Option<Reply> {
        let until = self.machine.clock.now().after(PATIENCE);
        loop {
            if let Some(reply) = self.told(client) {
                return Some(reply);
            }
            let waits = self.clients.get(client).is_some_and(|client| !matches!(client.last, Last::Nothing));
            let now = self.machine.clock.now();
            if !patience || !waits || now >= until {
                return None;
            }
            let next = self.manager().tick().max(now.after(Duration::from_millis(1))).min(until);
            self.pass(next.since(now));
        }
    }

    fn pass(&mut self, time: Duration) {
        self.settle();
        self.machine.clock.advance(time);
        self.manager().tick();
        self.settle();
    }

    fn quiesce(&mut self) {
        self.manager().quiesce(Quiesce::Controlled);
        self.settle();
    }

    fn restart(&mut self, in_order: bool) {
        // After a crash nothing of the old process may reach the disk, its dying connections included.
        if in_order {
            self.end();
            self.start();
        } else {
            self.crash_to(self.machine.clock.clone());
        }
    }
}

impl Client {
    fn connect(&mut self, name: &str, accounting: mqi::AccountingChoice) {
        self.handles.clear();
        (self.message_handles, self.lent) = (Handles::default(), None);
        self.puts = AsyncPuts::default();
        let outcome = self.manager.connect(ConnectRequest {
            accounting,
            application: name.to_owned(),
            origin: "scenario".to_owned(),
            channel: ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new("scenario", Identity::Process).expect("it is short"),
            completions: self.inbox.clone(),
        });
        // Connecting tells nothing that a crash could undo.
        let connected = outcome.open(self.manager.durable()).expect("it depends on nothing");
        (self.connection, self.refused) = match connected {
            Ok(connection) => (Some(connection), None),
            Err(reason) => (None, Some(reason)),
        };
    }

    fn call(&mut self, call: &Call) {
        self.last = match self.try_call(call) {
            Ok(last) => last,
            Err(refusal) => Last::Gated(refusal.map(Reply::Refused)),
        };
    }

    fn try_call(&mut self, call: &Call) -> Result<Last, Gated<Reason>> {
        if let Some(reason) = self.refused {
            return Err(Gated::free(reason));
        }
        let handle = match call.needs_open() {
            Some((name, options)) => Some(self.handle(name, options)?),
            None => None,
        };
        self.try_call_through(call, handle)
    }

    fn try_call_through(&mut self, call: &Call, handle: Option<ObjectHandle>) -> Result<Last, Gated<Reason>> {
        match (call, handle) {
            (Call::Consume { get, asked }, Some(handle)) => {
                return self.lend(|consumers| match &**get {
                    Call::Get { descriptor, options, bytes_max, .. } => {
                        consuming::consume(consumers, handle, *asked, (descriptor, options, *bytes_max))
                    }
                    other => unreachable!("a consumer gets, and does not {other:?}"),
                });
            }
            (Call::Control(control), _) => return self.lend(|consumers| control.make(consumers)),
            _ => {}
        }
        let token = WaitToken(self.waits);
        let Some(connection) = &mut self.connection else {
            return Err(Gated::free(Reason::HCONN_ERROR));
        };
        let done = |outcome: Outcome<()>| Last::Gated(outcome.map(reply_of_nothing));
        Ok(match (call, handle) {
            (Call::Open { object, options }, _) => {
                self.open(object, *options)?;
                Last::Gated(Gated::free(Reply::Done))
            }
            (Call::Close { options, .. }, Some(handle)) => {
                self.handles.retain(|_, open| *open != handle);
                Last::Gated(connection.close(handle, *options).map(warned))
            }
            (Call::Close { name, options }, None) => {
                let closing: BTreeSet<ObjectHandle> = self
                    .handles
                    .iter()
                    .filter(|((open, kind), _)| open == name && *kind != OF_SUBSCRIPTION)
                    .map(|(_, handle)| *handle)
                    .collect();
                self.handles.retain(|(open, kind), _| open != name || *kind == OF_SUBSCRIPTION);
                let mut last = Err(Gated::free(Reason::HOBJ_ERROR));
                for handle in closing {
                    last = Ok(connection.close(handle, *options));
                }
                Last::Gated(last?.map(warned))
            }
            (Call::Put { descriptor, options, body, .. }, Some(handle)) => {
                let prepared =
                    self.message_handles.for_put(descriptor, options, body).map_err(Gated::free)?;
                let (descriptor, options, body) = as_prepared(prepared.as_deref(), descriptor, options, body);
                let options = &*options.answered_as(connection.puts_asynchronously(handle));
                if options.flags & both_responses() == PutFlags::ASYNC_RESPONSE {
                    let outcome = connection.put_without_reply(handle, descriptor, options, Body::Lent(body));
                    let takes_unit = || connection.takes_unit(PutTarget::Handle(handle), descriptor, options);
                    self.puts.keep(outcome, takes_unit, || connection.put_object(handle));
                    return Ok(Last::Gated(Gated::free(Reply::Done)));
                }
                let outcome = connection.put(handle, descriptor, options, body.clone());
                Last::Gated(outcome.with(prepared).map(|(result, prepared)| put_reply(result, prepared)))
            }
            (Call::Put1 { object, descriptor, options, body }, _) => {
                let prepared =
                    self.message_handles.for_put(descriptor, options, body).map_err(Gated::free)?;
                let (descriptor, options, body) = as_prepared(prepared.as_deref(), descriptor, options, body);
                let outcome = connection.put1(object, descriptor, options, body.clone());
                if options.flags & both_responses() == PutFlags::ASYNC_RESPONSE {
                    let outcome = outcome.map(|put| put.map(|done| done.warning));
                    let takes_unit = || connection.takes_unit(PutTarget::Object(object), descriptor, options);
                    self.puts.keep(outcome, takes_unit, || connection.put1_object(object));
                    return Ok(Last::Gated(Gated::free(Reply::Done)));
                }
                Last::Gated(outcome.with(prepared).map(|(result, prepared)| put_reply(result, prepared)))
            }
            (Call::Handle(call), _) => {
                Last::Gated(Gated::free(call.make(&mut self.message_handles, &self.named)))
            }
            (Call::Convert(conversion), _) => {
                let reply = conversion.make(|options, from, to, bytes_max| {
                    connection.convert_characters(options, from, to, bytes_max)
                });
                Last::Gated(Gated::free(reply))
            }
            (Call::Naming { call, naming }, _) => {
                let call = naming.resolve(call, &self.named);
                return self.try_call(&call);
            }
            (Call::Through { call, through }, _) => {
                return match through.resolve(call, &self.handles) {
                    (call, None) => self.try_call(&call),
                    (call, handle) => self.try_call_through(&call, handle),
                };
            }
            (Call::Get { descriptor, options, bytes_max, .. }, Some(handle)) => {
                let lent = self.message_handles.for_get(options).map_err(Gated::free)?;
                self.waits += 1;
                let options = with_token(options.clone(), self.last_token);
                match connection.get(Ask::new(handle, descriptor, &options, *bytes_max, token)) {
                    Get::Done(outcome) if options.flags.contains(GetFlags::UNLOCK) => {
                        Last::Gated(outcome.map(|result| warned(result.map(|got| got.warning))))
                    }
                    Get::Done(outcome) => {
                        Last::Gated(outcome.with(lent).map(|(result, lent)| message_reply(result, lent)))
                    }
                    Get::Waiting => {
                        self.lent = lent;
                        Last::Waiting(token)
                    }
                }
            }
            (Call::Subscribe { name, descriptor, .. }, queue) => {
                let outcome = connection.subscribe(descriptor, queue);
                let (need, result) = outcome.judged();
                let reply = match result {
                    Ok(subscribed) => {
                        keep_subscribed(&mut self.handles, *name, &subscribed);
                        facts_of(&subscribed)
                    }
                    Err(reason) => Reply::Refused(reason),
                };
                Last::Gated(Gated::new(need, reply))
            }
            (Call::Unsubscribe { name, options }, _) => {
                let handle = self.handles.remove(&(*name, OF_SUBSCRIPTION));
                let handle = handle.ok_or_else(|| Gated::free(Reason::HOBJ_ERROR))?;
                Last::Gated(connection.close(handle, *options).map(warned))
            }
            (Call::Request { name, action, options }, _) => {
                let handle = subscription(&self.handles, *name);
                let outcome = connection.request_publications(handle, *action, *options);
                Last::Gated(outcome.map(|result| result.map_or_else(Reply::Refused, requested)))
            }
            (Call::Inquire { selector, .. }, Some(handle)) => {
                Last::Gated(connection.inquire(handle, &[*selector]).map(|result| value_reply(&result)))
            }
            (Call::Set { values, .. }, Some(handle)) => done(connection.set(handle, values)),
            (Call::Begin, _) => Last::Gated(connection.begin().map(warned)),
            (Call::Commit | Call::Prepare, _) if self.puts.take_unit_failure() => {
                Last::Gated(connection.back().map(|_| Reply::Refused(Reason::BACKED_OUT)))
            }
            (Call::Commit, _) => done(connection.commit(None)),
            (Call::Prepare, _) => {
                self.prepares.fetch_add(1, Ordering::Relaxed);
                let qualifier = self.prepares.load(Ordering::Relaxed).to_be_bytes().to_vec();
                let branch = PreparedBranch { qualifier, ..PreparedBranch::default() };
                done(connection.prepare(PreparedPurpose::Branch(branch)).map(|done| done.map(drop)))
            }
            (Call::Decide { commits }, _) => {
                let decision = if *commits { Decision::Commit } else { Decision::BackOut };
                done(decide_first(&self.manager, decision))
            }
            (Call::Back, _) => {
                self.puts.take_unit_failure();
                done(connection.back())
            }
            (Call::Stat(StatusType::AsyncError), _) => Last::Gated(
                connection.put_status(&mut self.puts).map(|status| Reply::Status(Box::new(status.into()))),
            ),
            (Call::Stat(_), _) => return Err(Gated::free(Reason::ENVIRONMENT_ERROR)),
            (Call::Connect(_), _) => Last::Gated(Gated::free(Reply::Done)),
            (Call::Disconnect, _) if self.puts.take_unit_failure() => {
                let mut connection = self.connection.take().expect("checked above");
                Last::Gated(connection.back().map(|_| Reply::Refused(Reason::BACKED_OUT)))
            }
            (Call::Disconnect, _) => {
                let connection = self.connection.take().expect("checked above");
                done(connection.disconnect())
            }
            (
                Call::Put { .. }
                | Call::Get { .. }
                | Call::Inquire { .. }
                | Call::Set { .. }
                | Call::Consume { .. },
                None,
            ) => unreachable!("these calls need an open queue"),
            (Call::Consume { .. } | Call::Control(_), _) => unreachable!("consumers have the connection"),
        })
    }

    /// Lends the connection to consumers for a call, which comes to what everybody may know.
    fn lend(
        &mut self,
        call: impl FnOnce(&callbacks::Connection<Lent>) -> Reply,
    ) -> Result<Last, Gated<Reason>> {
        let connection = self.connection.take().ok_or_else(|| Gated::free(Reason::HCONN_ERROR))?;
        let lent = Lent::new(connection, self.manager.clone(), Arc::clone(&self.inbox));
        let reply = call(&callbacks::Connection::new(lent.clone()));
        self.connection = lent.take_back();
        Ok(Last::Gated(Gated::free(reply)))
    }

    /// The handle under which a queue is open for a kind of call, opening it if it is not.
    fn handle(&mut self, name: ObjectName, options: OpenOptions) -> Result<ObjectHandle, Gated<Reason>> {
        if let Some(handle) = self.handles.get(&(name, options.bits())) {
            return Ok(*handle);
        }
        let object = ObjectDescriptor { object_name: name, ..ObjectDescriptor::default() };
        self.open(&object, options)
    }

    fn open(
        &mut self,
        object: &ObjectDescriptor,
        options: OpenOptions,
    ) -> Result<ObjectHandle, Gated<Reason>> {
        let connection = self.connection.as_mut().ok_or_else(|| Gated::free(Reason::HCONN_ERROR))?;
        let outcome = connection.open(object, options);
        while self.manager.log().waits() {
            self.manager.drive();
        }
        let opened = outcome.open(self.manager.durable()).expect("a settled log opens every gate");
        let opened = opened.map_err(Gated::free)?;
        let name = name_in_scenario(object, &opened);
        for kind in kinds_served(options) {
            self.handles.insert((name, kind.bits()), opened.handle);
        }
        Ok(opened.handle)
    }
}

/// A coordinator decides the unit of work that was prepared first.
fn decide_first(manager: &QueueManager, decision: Decision) -> Outcome<()> {
    let (need, mut units) = manager.units().prepared().judged();
    let number = |purpose: &PreparedPurpose| match purpose {
        PreparedPurpose::Branch(branch) => branch.qualifier.clone(),
        PreparedPurpose::Channel(_) => unreachable!("no channel is here"),
    };
    units.sort_by_key(|unit| number(&unit.purpose));
    match units.first() {
        Some(unit) => manager.units().settle(unit.name, decision).map(|settled| settled.map(drop)),
        None => Gated::new(need, Err(Reason::UOW_NOT_AVAILABLE)),
    }
}

fn both_responses() -> PutFlags {
    PutFlags::ASYNC_RESPONSE | PutFlags::SYNC_RESPONSE
}

fn reply_of_nothing(result: Result<(), Reason>) -> Reply {
    warned(result.map(|()| None))
}

fn warned(result: Result<Option<Reason>, Reason>) -> Reply {
    match result {
        Ok(None) => Reply::Done,
        Ok(Some(reason)) | Err(reason) => Reply::Refused(reason),
    }
}

/// Returns the arguments of the put: those that the handles made of the call, or the call's own.
fn as_prepared<'a>(
    prepared: Option<&'a Prepared>,
    descriptor: &'a MessageDescriptor,
    options: &'a PutOptions,
    body: &'a Bytes,
) -> (&'a MessageDescriptor, &'a PutOptions, &'a Bytes) {
    match prepared {
        Some(prepared) => (&prepared.descriptor, &prepared.options, &prepared.body),
        None => (descriptor, options, body),
    }
}

fn put_reply(result: Result<PutDone, Reason>, prepared: Option<Box<Prepared>>) -> Reply {
    warned(result.map(|put| {
        if let Some(mut prepared) = prepared {
            prepared.descriptor.clone_from(&put.descriptor);
            prepared.done(&mut MessageDescriptor::default(), &mut PutOptions::default());
        }
        put.warning
    }))
}

fn message_reply(result: Result<GotMessage, Reason>, lent: Option<Loan>) -> Reply {
    match result.map(GotMessage::converted) {
        // The message is still on its queue: a refusal as far as the caller is concerned.
        Ok(got) if got.warning == Some(Reason::TRUNCATED_MSG_FAILED) => {
            Reply::Refused(Reason::TRUNCATED_MSG_FAILED)
        }
        Ok(got) => {
            if let (Some(lent), Some(folders)) = (lent, got.properties) {
                lent.fill(&got.descriptor, folders.into_vec());
            }
            Reply::Message {
                token: got.message_token,
                descriptor: Box::new((*got.descriptor).clone()),
                body: got.body,
                data_length: got.data_length,
                warning: got.warning,
            }
        }
        Err(reason) => Reply::Refused(reason),
    }
}

fn value_reply(result: &Result<Inquired, Reason>) -> Reply {
    match result.as_ref().map(|inquired| (&inquired.values[..], inquired.warning)) {
        Ok((_, Some(reason))) => Reply::Refused(reason),
        Ok(([value], None)) => Reply::Value(value.clone()),
        Ok((_, None)) => Reply::Refused(Reason::SELECTOR_ERROR),
        Err(reason) => Reply::Refused(*reason),
    }
}
