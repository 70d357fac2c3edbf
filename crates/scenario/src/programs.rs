//! Scenarios by programs: each client is a thread that makes blocking calls, over whatever connection it is
//! given.
//!
//! The same files that run on the engine run here against a server over a channel, or a queue manager
//! embedded in the process; time is real.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use callbacks::Connection;
use mqi::verbs::Verbs;
use mqi::{
    AccountingChoice, CloseOptions, GetFlags, GetOptions, Listen, MessageToken, ObjectDescriptor,
    ObjectHandle, ObjectName, OpenOptions, Reason, Wait,
};

use super::call::{
    OF_SUBSCRIPTION, facts_of, keep_subscribed, kinds_served, name_in_scenario, requested, subscription,
    with_token,
};
use super::consuming::Consume;
use super::handles::Named;
use super::through::OpenHandles;
use super::{Actors, Call, Reply, consuming};

/// Longest wait for an outcome before a scenario counts as hung.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time for a call that may wait to show that it does not.
const GLANCE: Duration = Duration::from_millis(150);

/// Longest delay of a step on a busy machine.
const LATENESS: Duration = Duration::from_secs(1);

/// A queue manager that programs can reach.
pub trait Installation {
    /// Connection on which programs call the verbs.
    type Connection: Listen + Send + 'static;
    /// A new connection for the client of this name, to be accounted for as chosen.
    ///
    /// # Errors
    /// When the queue manager refuses it.
    fn connect(&mut self, client: &str, accounting: AccountingChoice) -> Result<Self::Connection, Reason>;
    /// Executes a command; the answer as text, and whether it succeeded.
    fn command(&mut self, text: &str) -> (String, bool);
    /// Has the queue manager begin to end; nobody else is let in when this returns.
    fn quiesce(&mut self);
    /// Ends the queue manager, in order or not, and starts it again.
    fn restart(&mut self, in_order: bool);
}

/// Clients as threads on an installation.
pub struct Programs<I> {
    installation: I,
    clients: BTreeMap<String, Program>,
    named: Named,
}

struct Program {
    calls: Sender<Call>,
    replies: Receiver<Reply>,
    /// The outcome of the last call, if it came at once.
    held: Option<Reply>,
    disconnected: bool,
    /// True if the outcome of the last call is still to come.
    is_asked: bool,
}

impl<I: Installation> Programs<I> {
    /// No clients yet.
    pub fn on(installation: I) -> Self {
        Self { installation, clients: BTreeMap::new(), named: Named::default() }
    }
}

impl<I: Installation> Actors for Programs<I> {
    fn command(&mut self, text: &str) -> (String, bool) {
        self.installation.command(text)
    }

    fn call(&mut self, client: &str, call: &Call) {
        let chosen = if let Call::Connect(accounting) = call { Some(*accounting) } else { None };
        if chosen.is_some() || self.clients.get(client).is_none_or(|program| program.disconnected) {
            let program = match self.installation.connect(client, chosen.unwrap_or_default()) {
                Ok(connection) => Program::start(connection, Named::clone(&self.named)),
                Err(reason) => Program::refused(reason),
            };
            self.clients.insert(client.to_owned(), program);
        }
        let program = self.clients.get_mut(client).expect("inserted above");
        if program.disconnected {
            return;
        }
        if program.is_asked {
            // Slow, and nobody looks at it; the outcome must not pass for that of the next call.
            let _ = program.replies.recv_timeout(PATIENCE);
        }
        program.disconnected = matches!(call, Call::Disconnect);
        program.calls.send(call.clone()).expect("the client's thread lives as long as its channel");
        // A call that does not wait has its effect before the next step, however long the disk takes for it.
        let limit = if call.may_wait() { GLANCE } else { PATIENCE };
        program.held = program.replies.recv_timeout(limit).ok();
        program.is_asked = program.held.is_none();
    }

    fn outcome(&mut self, client: &str, patience: bool) -> Option<Reply> {
        let program = self.clients.get_mut(client)?;
        let limit = if patience { PATIENCE } else { GLANCE };
        program.held.take().or_else(|| {
            let outcome = program.replies.recv_timeout(limit).ok();
            program.is_asked &= outcome.is_none();
            outcome
        })
    }

    fn lateness(&self) -> Duration {
        LATENESS
    }

    fn pass(&mut self, time: Duration) {
        thread::sleep(time);
    }

    fn quiesce(&mut self) {
        self.installation.quiesce();
    }

    fn restart(&mut self, in_order: bool) {
        if in_order {
            self.clients.clear();
        }
        self.installation.restart(in_order);
        self.clients.clear();
    }
}

impl Program {
    /// One that was not let in, and says so of its call.
    fn refused(reason: Reason) -> Self {
        let held = Some(Reply::Refused(reason));
        Self { calls: channel().0, replies: channel().1, held, disconnected: true, is_asked: false }
    }

    fn start<V: Listen + Send + 'static>(connection: V, named: Named) -> Self {
        let (calls, to_make) = channel::<Call>();
        let (told, replies) = channel();
        thread::spawn(move || {
            let mut connection = Connection::new(connection);
            let mut handles = BTreeMap::new();
            let mut last_token = MessageToken::NONE;
            for mut call in to_make {
                let mut of_get = &mut call;
                while let Call::Naming { call, .. } | Call::Through { call, .. } = of_get {
                    of_get = call;
                }
                if let Call::Get { options, .. } = of_get {
                    *options = with_token(options.clone(), last_token);
                }
                let made = match &call {
                    Call::Consume { get, asked } => consume(&mut connection, &mut handles, get, *asked),
                    Call::Control(control) => Ok(control.make(&connection)),
                    _ => make(&mut connection, &mut handles, &named, call),
                };
                let reply = made.unwrap_or_else(Reply::Refused);
                if let Some(token) = reply.last_token() {
                    last_token = token;
                }
                if told.send(reply).is_err() {
                    break;
                }
            }
        });
        Self { calls, replies, held: None, disconnected: false, is_asked: false }
    }
}

/// Wait of a consumer that sets none, before it is called without a message.
const SILENCE: Wait = Wait::Milliseconds(100);

fn consume<V: Listen + Send + 'static>(
    connection: &mut Connection<V>,
    handles: &mut OpenHandles,
    get: &Call,
    asked: Consume,
) -> Result<Reply, Reason> {
    let handle = handle(connection, handles, get)?;
    let Call::Get { descriptor, options, bytes_max, .. } = get else {
        unreachable!("a consumer gets, and does not {get:?}")
    };
    let wait = if options.wait == Wait::No { SILENCE } else { options.wait };
    let options = GetOptions { wait, ..options.clone() };
    Ok(consuming::consume(connection, handle, asked, (descriptor, &options, *bytes_max)))
}

fn make(
    verbs: &mut dyn Verbs,
    handles: &mut OpenHandles,
    named: &Named,
    call: Call,
) -> Result<Reply, Reason> {
    let handle = handle(verbs, handles, &call)?;
    make_through(verbs, handles, named, call, handle)
}

/// The handle that a call goes through, opened if it is not.
fn handle(verbs: &mut dyn Verbs, handles: &mut OpenHandles, call: &Call) -> Result<ObjectHandle, Reason> {
    match call.needs_open() {
        Some((name, options)) => match handles.get(&(name, options.bits())) {
            Some(handle) => Ok(*handle),
            None => {
                open(verbs, handles, &ObjectDescriptor { object_name: name, ..Default::default() }, options)
            }
        },
        None => Ok(ObjectHandle::NONE),
    }
}

fn make_through(
    verbs: &mut dyn Verbs,
    handles: &mut OpenHandles,
    named: &Named,
    call: Call,
    handle: ObjectHandle,
) -> Result<Reply, Reason> {
    let warned = |warning: Option<Reason>| warning.map_or(Reply::Done, Reply::Refused);
    match call {
        Call::Open { object, options } => open(verbs, handles, &object, options).map(|_| Reply::Done),
        Call::Close { name, options } => close(verbs, handles, name, options),
        Call::Put { mut descriptor, mut options, body, .. } => {
            verbs.put(handle, &mut descriptor, &mut options, body)?;
            Ok(warned(options.warning))
        }
        Call::Put1 { object, mut descriptor, mut options, body } => {
            verbs.put1(&object, &mut descriptor, &mut options, body)?;
            Ok(warned(options.warning))
        }
        Call::Get { mut descriptor, mut options, bytes_max, .. } => {
            let got = verbs.get(handle, &mut descriptor, &mut options, bytes_max)?;
            if options.flags.contains(GetFlags::UNLOCK) {
                return Ok(warned(got.warning));
            }
            Ok(Reply::Message {
                token: got.message_token,
                descriptor,
                body: got.body,
                data_length: got.data_length,
                warning: got.warning,
            })
        }
        Call::Inquire { selector, .. } => {
            let inquired = verbs.inquire(handle, &[selector])?;
            match (&inquired.values[..], inquired.warning) {
                (_, Some(reason)) => Err(reason),
                ([value], None) => Ok(Reply::Value(value.clone())),
                (_, None) => Err(Reason::SELECTOR_ERROR),
            }
        }
        Call::Subscribe { name, descriptor, into } => {
            let subscribed = verbs.subscribe(&descriptor, into.map(|_| handle))?;
            keep_subscribed(handles, name, &subscribed);
            Ok(facts_of(&subscribed))
        }
        Call::Unsubscribe { name, options } => {
            let handle = handles.remove(&(name, OF_SUBSCRIPTION)).ok_or(Reason::HOBJ_ERROR)?;
            verbs.close(handle, options).map(warned)
        }
        Call::Request { name, action, options } => {
            verbs.request_publications(subscription(handles, name), action, options).map(requested)
        }
        Call::Set { values, .. } => verbs.set(handle, &values).map(|()| Reply::Done),
        Call::Handle(call) => Ok(call.make(&mut *verbs.message_handles()?, named)),
        Call::Convert(conversion) => Ok(conversion
            .make(|options, from, to, bytes_max| verbs.convert_characters(options, from, to, bytes_max))),
        Call::Through { call, through } => match through.resolve(&call, handles) {
            (call, None) => make(verbs, handles, named, call),
            (Call::Close { options, .. }, Some(handle)) => {
                handles.retain(|_, open| *open != handle);
                verbs.close(handle, options).map(warned)
            }
            (call, Some(handle)) => make_through(verbs, handles, named, call, handle),
        },
        Call::Naming { call, naming } => {
            let call = naming.resolve(&call, named);
            make(verbs, handles, named, call)
        }
        Call::Begin => verbs.begin().map(warned),
        // Programs of the interface are offered it by no call.
        Call::Prepare | Call::Decide { .. } => Err(Reason::FUNCTION_NOT_SUPPORTED),
        Call::Commit => verbs.commit().map(|()| Reply::Done),
        Call::Back => verbs.back().map(|()| Reply::Done),
        Call::Stat(what) => verbs.stat(what).map(|status| Reply::Status(Box::new(status))),
        Call::Connect(_) => Ok(Reply::Done),
        Call::Consume { .. } | Call::Control(_) => unreachable!("consumers have the connection"),
        Call::Disconnect => verbs.disconnect().map(|()| Reply::Done),
    }
}

fn open(
    verbs: &mut dyn Verbs,
    handles: &mut OpenHandles,
    object: &ObjectDescriptor,
    options: OpenOptions,
) -> Result<ObjectHandle, Reason> {
    let opened = verbs.open(object, options)?;
    let name = name_in_scenario(object, &opened);
    for kind in kinds_served(options) {
        handles.insert((name, kind.bits()), opened.handle);
    }
    Ok(opened.handle)
}

fn close(
    verbs: &mut dyn Verbs,
    handles: &mut OpenHandles,
    name: ObjectName,
    options: CloseOptions,
) -> Result<Reply, Reason> {
    let closing: BTreeSet<ObjectHandle> = handles
        .iter()
        .filter(|((open, kind), _)| *open == name && *kind != OF_SUBSCRIPTION)
        .map(|(_, handle)| *handle)
        .collect();
    if closing.is_empty() {
        return Err(Reason::HOBJ_ERROR);
    }
    handles.retain(|(open, kind), _| *open != name || *kind == OF_SUBSCRIPTION);
    let mut remark = None;
    for handle in closing {
        remark = verbs.close(handle, options)?;
    }
    Ok(remark.map_or(Reply::Done, Reply::Refused))
}
