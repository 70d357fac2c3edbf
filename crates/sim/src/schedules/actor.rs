//! One connection of a scene, and what it does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use mqi::{
    CloseOptions, CorrelationId, Expiry, GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor,
    ObjectHandle, OpenOptions, Persistence, PutFlags, PutOptions, Reason, SubscribeOptions, Subscribed,
    SubscriptionDescriptor, Wait,
};
use platform::simulated::Random;
use platform::sync::{Condvar, Mutex};
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Decision, Get, GetPurpose, GotMessage, Identity, Outcome,
    PreparedBranch, PreparedPurpose, Principal, Reserve, Series, WaitToken, WorkThread,
};

use storage::record::{ChannelCommit, ClientCommit};
use storage::{ObjectId, UnitId};

use super::ledger::{Known, Number};
use super::stage::{QUEUE, Stage};

/// A message to be put.
#[derive(Clone, Copy, Debug)]
pub(super) struct ScheduledMessage {
    pub(super) number: Number,
    pub(super) is_persistent: bool,
    /// After how many tenths of a second it is gone, if ever.
    pub(super) expiry: Option<u32>,
    pub(super) length: usize,
    pub(super) in_unit: bool,
}

impl ScheduledMessage {
    /// Any kind that does not expire.
    pub(super) fn any(number: Number, random: &mut Random) -> Self {
        Self {
            number,
            is_persistent: random.percent(60),
            expiry: None,
            length: *random.pick(&[4, 40, 600]),
            in_unit: random.percent(40),
        }
    }

    fn body(self) -> Vec<u8> {
        body(self.number, self.length)
    }
}

fn body(number: Number, length: usize) -> Vec<u8> {
    number.to_le_bytes().into_iter().cycle().take(length).collect()
}

/// A unit of work that is prepared.
#[derive(Debug)]
pub(super) struct InDoubt {
    name: UnitId,
    puts: Vec<Number>,
    gets: Vec<Number>,
    /// True once a decision was begun, and once a coordinator was told of the end.
    begun: AtomicBool,
    told: AtomicBool,
}

impl InDoubt {
    /// A coordinator decides it and waits for the answer; false when another has decided it before. Either
    /// answer says that the unit has ended.
    pub(super) fn decide(&self, stage: &Stage, decision: Decision) -> bool {
        let (ledger, commits) = (&stage.ledger, decision == Decision::Commit);
        if !self.begun.swap(true, Relaxed) {
            ledger.a_decision_begins(&self.puts, &self.gets, commits);
        }
        let answer = stage.settle(stage.manager.units().settle(self.name, decision)).map(drop);
        if !self.told.swap(true, Relaxed) {
            match commits {
                true => ledger.a_commit_is_answered(&self.puts, &self.gets),
                false => ledger.a_unit_is_backed_out(&self.puts),
            }
        }
        answer.inspect_err(|reason| assert_eq!(*reason, Reason::UOW_NOT_AVAILABLE)).is_ok()
    }
}

/// Manner of asking for a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish {
    pub(super) in_unit: bool,
    pub(super) wait: Wait,
    /// Only the message of this number.
    pub(super) only: Option<Number>,
}

impl Wish {
    /// Any message, without waiting.
    pub(super) const NOW: Self = Self { in_unit: false, wait: Wait::No, only: None };
    /// Any message, however long it takes.
    pub(super) const WAIT: Self = Self { wait: Wait::Unlimited, ..Self::NOW };
}

/// Outcomes of gets that had to wait.
#[derive(Default)]
struct Inbox {
    arrived: Mutex<Vec<(WaitToken, Outcome<GotMessage>)>>,
    changed: Condvar,
}

impl Completions for Inbox {
    fn complete(&self, token: WaitToken, outcome: Outcome<GotMessage>) {
        self.arrived.lock().push((token, outcome));
        self.changed.notify_all();
    }
}

impl Inbox {
    fn take(&self, token: WaitToken) -> Option<Outcome<GotMessage>> {
        let mut arrived = self.arrived.lock();
        let place = arrived.iter().position(|(other, _)| *other == token);
        place.map(|place| arrived.remove(place).1)
    }

    fn wait(&self, token: WaitToken) -> Outcome<GotMessage> {
        let mut arrived = self.arrived.lock();
        loop {
            if let Some(place) = arrived.iter().position(|(other, _)| *other == token) {
                return arrived.remove(place).1;
            }
            self.changed.wait(&mut arrived);
        }
    }
}

/// A get that was asked for and not answered.
#[derive(Debug)]
pub(super) struct PendingGet {
    token: WaitToken,
    wish: Wish,
    /// The answer, when it came at once.
    done: Option<Outcome<GotMessage>>,
}

/// A get of several messages, one after the other.
#[derive(Debug)]
pub(super) struct Ahead {
    in_unit: bool,
    /// The wait for the next, while there is one, and the last there may be.
    waiting: Option<(WaitToken, u64)>,
}

impl Ahead {
    /// Number of messages of one wait.
    const MESSAGES: u32 = 3;

    /// One that has yet to begin.
    pub(super) fn new(in_unit: bool) -> Self {
        Self { in_unit, waiting: None }
    }
}

/// Messages that units of work put and got.
pub(super) type Effects = Arc<parking_lot::Mutex<Vec<(u64, Vec<Number>, Vec<Number>)>>>;

/// A connection with the queue open.
pub(super) struct Actor {
    pub(super) stage: Arc<Stage>,
    connection: Connection,
    inbox: Arc<Inbox>,
    handle: ObjectHandle,
    tokens: u64,
    puts: Vec<Number>,
    gets: Vec<Number>,
}

impl Actor {
    /// Connects and opens the queue.
    pub(super) fn enter(stage: &Arc<Stage>) -> Self {
        Self::enter_as(stage, [0; 16], 0).expect("a connection")
    }

    /// The same, and never gets.
    pub(super) fn enter_to_put(stage: &Arc<Stage>) -> Self {
        Self::enter_with(stage, ([0; 16], 0), QUEUE, OpenOptions::OUTPUT).expect("a connection")
    }

    /// Connects and opens another queue.
    pub(super) fn enter_at(stage: &Arc<Stage>, queue: &str, options: OpenOptions) -> Self {
        Self::enter_with(stage, ([0; 16], 0), queue, options).expect("a connection")
    }

    /// The same, as an instance of a client that may return.
    pub(super) fn enter_as(stage: &Arc<Stage>, instance: [u8; 16], generation: u64) -> Result<Self, Reason> {
        let options = OpenOptions::INPUT_SHARED | OpenOptions::OUTPUT;
        Self::enter_with(stage, (instance, generation), QUEUE, options)
    }

    fn enter_with(
        stage: &Arc<Stage>,
        (instance, generation): ([u8; 16], u64),
        queue: &str,
        options: OpenOptions,
    ) -> Result<Self, Reason> {
        let inbox = Arc::new(Inbox::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: "actor".to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            instance,
            generation,
            process: 0,
            principal: Principal::new("actor", Identity::Process).expect("it is short"),
            completions: inbox.clone(),
        };
        let mut connection = stage.settle(stage.manager.connect(request))?;
        let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
        let handle = stage.settle(connection.open(&object, options))?.handle;
        let stage = Arc::clone(stage);
        Ok(Self { stage, connection, inbox, handle, tokens: 0, puts: Vec::new(), gets: Vec::new() })
    }

    /// The number by which commands know the connection.
    pub(super) fn identifier(&self) -> u64 {
        self.connection.identifier()
    }

    /// Puts a message and waits for the answer.
    pub(super) fn put(&mut self, message: ScheduledMessage) -> Result<(), Reason> {
        let ScheduledMessage { number, is_persistent, expiry, in_unit, .. } = message;
        let ledger = &self.stage.ledger;
        ledger.is_asked_to_put(number, is_persistent, expiry.is_some());
        let persistence = if is_persistent { Persistence::Persistent } else { Persistence::NotPersistent };
        let mut descriptor = MessageDescriptor {
            persistence,
            correlation_id: correlation_id(number),
            ..MessageDescriptor::default()
        };
        if let Some(tenths) = expiry {
            descriptor.expiry = Expiry::tenths(tenths);
        }
        let flags = if in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let put =
            self.connection.put(self.handle, &descriptor, &PutOptions::with(flags), message.body().into());
        let answer = self.stage.settle(put).map(|_| ());
        match answer {
            Ok(()) if in_unit => self.puts.push(number),
            Ok(()) => ledger.note(number, Known::Here),
            Err(_) => ledger.note(number, Known::Never),
        }
        answer
    }

    /// The connection as a thread of work of outside transactions, and the stage that settles its answers.
    pub(super) fn branches(&mut self) -> (WorkThread<'_>, &Stage) {
        (self.connection.branches(), &self.stage)
    }

    /// Puts a persistent message in the branch that it works in. The ledger is not told.
    pub(super) fn put_in_branch(&mut self, number: Number) -> Result<(), Reason> {
        let descriptor = MessageDescriptor {
            persistence: Persistence::Persistent,
            correlation_id: correlation_id(number),
            ..MessageDescriptor::default()
        };
        let options = PutOptions::with(PutFlags::SYNCPOINT);
        let put = self.connection.put(self.handle, &descriptor, &options, body(number, 40).into());
        self.stage.settle(put).map(drop)
    }

    /// Publishes a message, which the topic retains; in a unit of work that ends then, or outside. The ledger
    /// is not told.
    pub(super) fn publish_retained(
        &mut self,
        topic: &str,
        number: Number,
        persistence: Persistence,
        in_unit: bool,
    ) {
        self.publish(topic, number, persistence, (in_unit, PutFlags::RETAIN));
    }

    /// The same with other options, which the topic may retain.
    pub(super) fn publish(
        &mut self,
        topic: &str,
        number: Number,
        persistence: Persistence,
        (in_unit, more): (bool, PutFlags),
    ) {
        let descriptor = MessageDescriptor { persistence, ..MessageDescriptor::default() };
        let flags = if in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let options = PutOptions::with(flags | more);
        let object = ObjectDescriptor::topic(topic);
        let put = self.connection.put1(&object, &descriptor, &options, body(number, 4).into());
        self.stage.settle(put).map(drop).expect("a publication succeeds");
        if in_unit {
            self.commit().expect("a commit succeeds");
        }
    }

    /// Subscribes, for as long as the connection stands, for publications to come to the queue.
    pub(super) fn subscribe(&mut self, topic: &str) {
        let wanted = SubscriptionDescriptor::to(topic, SubscribeOptions::CREATE);
        let subscribed = self.connection.subscribe(&wanted, Some(self.handle));
        self.stage.settle(subscribed).map(drop).expect("a subscription is made");
    }

    /// Makes a durable subscription with a queue of the queue manager's.
    pub(super) fn subscribe_durably(&mut self, topic: &str) -> Subscribed {
        let options = SubscribeOptions::CREATE | SubscribeOptions::MANAGED | SubscribeOptions::DURABLE;
        let wanted =
            SubscriptionDescriptor { name: "S".to_owned(), ..SubscriptionDescriptor::to(topic, options) };
        let subscribed = self.connection.subscribe(&wanted, None);
        self.stage.settle(subscribed).expect("a subscription is made")
    }

    /// Ends a subscription, with its queue and what is there.
    pub(super) fn unsubscribe(&mut self, subscribed: &Subscribed) {
        let closed = self.connection.close(subscribed.subscription, CloseOptions::REMOVE_SUB);
        self.stage.settle(closed).map(drop).expect("a subscription ends");
    }

    /// Asks for a message.
    pub(super) fn ask(&mut self, wish: Wish) -> PendingGet {
        self.tokens += 1;
        let token = WaitToken(self.tokens);
        let flags = if wish.in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let descriptor = MessageDescriptor {
            correlation_id: wish.only.map(correlation_id).unwrap_or_default(),
            ..MessageDescriptor::default()
        };
        if !wish.in_unit {
            self.stage.ledger.a_taker_comes();
        }
        let options = GetOptions::with(flags, wish.wait);
        let done = match self.connection.get(Ask::new(self.handle, &descriptor, &options, usize::MAX, token))
        {
            Get::Done(outcome) => Some(outcome),
            Get::Waiting => None,
        };
        PendingGet { token, wish, done }
    }

    /// The answer.
    pub(super) fn answer(&mut self, asked: PendingGet) -> Result<Number, Reason> {
        let PendingGet { token, wish, done } = asked;
        let outcome = done.unwrap_or_else(|| self.inbox.wait(token));
        self.judge(wish, outcome)
    }

    /// Asks, and waits for the answer.
    pub(super) fn get(&mut self, wish: Wish) -> Result<Number, Reason> {
        let asked = self.ask(wish);
        self.answer(asked)
    }

    /// Gives up waiting: the answer, if one is on its way already.
    pub(super) fn cancel(&mut self, asked: PendingGet) -> Option<Result<Number, Reason>> {
        if asked.done.is_none() && self.connection.cancel(asked.token) {
            if !asked.wish.in_unit {
                self.stage.ledger.a_taker_goes(None);
            }
            let outcome = self.inbox.take(asked.token);
            assert!(outcome.is_none(), "a wait that was cancelled was answered: {outcome:?}");
            return None;
        }
        Some(self.answer(asked))
    }

    fn judge(&mut self, wish: Wish, outcome: Outcome<GotMessage>) -> Result<Number, Reason> {
        let got = self.stage.settle(outcome).map(|got| number_of(&got));
        if let (Ok(number), Some(only)) = (&got, wish.only) {
            assert_eq!(*number, only, "a get by correlation identifier is given what it asked for");
        }
        if wish.in_unit {
            self.gets.extend(got.as_ref().ok());
        } else {
            self.stage.ledger.a_taker_goes(got.as_ref().ok().copied());
        }
        got
    }

    /// Makes the unit of work stand.
    pub(super) fn commit(&mut self) -> Result<(), Reason> {
        let (puts, gets) = (std::mem::take(&mut self.puts), std::mem::take(&mut self.gets));
        let ledger = &self.stage.ledger;
        ledger.a_commit_begins(&puts, &gets);
        let answer = self.stage.settle(self.connection.commit(None));
        if answer.is_ok() {
            ledger.a_commit_is_answered(&puts, &gets);
        } else {
            // Nothing was done; it is all still in the unit.
            ledger.a_commit_is_refused(&puts, &gets);
            (self.puts, self.gets) = (puts, gets);
        }
        answer
    }

    /// A put, a get and the taking of a message set aside, as chance has it; what they do is noted as done by
    /// unit `unit` once it is known.
    pub(super) fn unit_of_work(
        &mut self,
        unit: u64,
        random: &mut Random,
        effects: &Effects,
    ) -> Result<(), Reason> {
        let index = effects.lock().len();
        effects.lock().push((unit, Vec::new(), Vec::new()));
        for part in 0..random.between(1, 3) {
            let number = u32::try_from(unit * 10 + part).expect("few");
            match random.below(3) {
                0 => {
                    self.put(ScheduledMessage { in_unit: true, ..ScheduledMessage::any(number, random) })?;
                    effects.lock()[index].1.push(number);
                }
                1 => match self.get(Wish { in_unit: true, ..Wish::NOW }) {
                    Ok(got) => effects.lock()[index].2.push(got),
                    Err(Reason::NO_MSG_AVAILABLE) => {}
                    Err(reason) => return Err(reason),
                },
                _ => match self.take_aside() {
                    Ok(got) => effects.lock()[index].2.push(got),
                    Err(Reason::NO_MSG_AVAILABLE) => {}
                    Err(reason) => return Err(reason),
                },
            }
        }
        Ok(())
    }

    /// Has a message set aside, as read-ahead does, and takes it into the unit of work.
    fn take_aside(&mut self) -> Result<Number, Reason> {
        self.tokens += 1;
        let token = WaitToken(self.tokens);
        let options = GetOptions::with(GetFlags::SYNCPOINT, Wait::No);
        let any = MessageDescriptor::default();
        let aside = self.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::All),
            ..Ask::new(self.handle, &any, &options, usize::MAX, token)
        });
        let outcome = match aside {
            Get::Done(outcome) => outcome,
            Get::Waiting => self.inbox.wait(token),
        };
        let number = self.stage.settle(outcome).map(|got| number_of(&got))?;
        let taken = self.connection.take_reserved(token, None);
        self.stage.settle(taken).map(|()| number)
    }

    /// Asks for a message to be set aside, however long that takes; the next of a burst when it `goes_on`.
    pub(super) fn ask_aside(&mut self, in_unit: bool, goes_on: bool) -> PendingGet {
        self.tokens += 1;
        let token = WaitToken(self.tokens);
        let wish = Wish { in_unit, ..Wish::WAIT };
        let flags = if in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let any = MessageDescriptor::default();
        let options = GetOptions::with(flags, wish.wait);
        let ask = Ask::new(self.handle, &any, &options, usize::MAX, token);
        let aside = self.connection.get(Ask { purpose: GetPurpose::Reserve(Reserve::All), goes_on, ..ask });
        let done = match aside {
            Get::Done(outcome) => Some(outcome),
            Get::Waiting => None,
        };
        PendingGet { token, wish, done }
    }

    /// Takes the message that was asked to be set aside, once it is.
    pub(super) fn take_asked(&mut self, asked: PendingGet) -> Result<Number, Reason> {
        let PendingGet { token, wish, done } = asked;
        let outcome = done.unwrap_or_else(|| self.inbox.wait(token));
        let got = self.stage.settle(outcome)?;
        self.take_set_aside(token, wish.in_unit, &got)
    }

    fn take_set_aside(
        &mut self,
        token: WaitToken,
        in_unit: bool,
        got: &GotMessage,
    ) -> Result<Number, Reason> {
        let number = number_of(got);
        if !in_unit {
            self.stage.ledger.a_taker_comes();
        }
        let taken = self.connection.take_reserved(token, None);
        let taken = self.stage.settle(taken).map(|()| number);
        if in_unit {
            self.gets.extend(taken.as_ref().ok());
        } else {
            self.stage.ledger.a_taker_goes(taken.as_ref().ok().copied());
        }
        taken
    }

    /// Has the next of several messages set aside, however long that takes, if that is not asked for already.
    pub(super) fn ask_ahead(&mut self, ahead: &mut Ahead) -> Option<(WaitToken, Outcome<GotMessage>)> {
        if ahead.waiting.is_some() {
            return None;
        }
        let token = WaitToken(self.tokens + 1);
        self.tokens += u64::from(Ahead::MESSAGES);
        let flags = if ahead.in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
        let options = GetOptions::with(flags, Wait::Unlimited);
        let series = Series { token, messages: Ahead::MESSAGES, bytes: u64::MAX };
        let any = MessageDescriptor::default();
        match self.connection.get(Ask {
            purpose: GetPurpose::Reserve(Reserve::All),
            ..Ask::new(self.handle, &any, &options, usize::MAX, series)
        }) {
            Get::Done(outcome) => Some((token, outcome)),
            Get::Waiting => {
                ahead.waiting = Some((token, self.tokens));
                None
            }
        }
    }

    /// Takes the next of several messages.
    pub(super) fn take_ahead(&mut self, ahead: &mut Ahead) -> Result<Number, Reason> {
        let asked = self.ask_ahead(ahead);
        let (token, outcome) = match (asked, ahead.waiting.take()) {
            (Some(there), _) => there,
            (None, Some((token, last))) => {
                ahead.waiting = Some((WaitToken(token.0 + 1), last));
                (token, self.inbox.wait(token))
            }
            (None, None) => unreachable!("what is not there is waited for"),
        };
        let got = self.stage.settle(outcome);
        if !got.as_ref().is_ok_and(|got| got.waits_on) {
            ahead.waiting = None;
        }
        self.take_set_aside(token, ahead.in_unit, &got?)
    }

    /// Does not want a message that was set aside.
    pub(super) fn give_back(&mut self, token: WaitToken) {
        self.connection.give_back(token);
    }

    /// Wants no more of several messages: what was set aside meanwhile goes back.
    pub(super) fn let_go_ahead(&mut self, ahead: &mut Ahead) {
        let Some((WaitToken(next), last)) = ahead.waiting.take() else { return };
        for token in (next..=last).map(WaitToken) {
            if self.connection.cancel(token) {
                return;
            }
            self.connection.give_back(token);
        }
    }

    /// Wants no message any more: what was set aside meanwhile goes back.
    pub(super) fn let_go(&mut self, asked: &PendingGet) {
        if asked.done.is_some() || !self.connection.cancel(asked.token) {
            self.connection.give_back(asked.token);
        }
    }

    /// True if there is a queue of this name.
    pub(super) fn knows(&mut self, queue: &str) -> bool {
        let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
        match self.stage.settle(self.connection.open(&object, OpenOptions::OUTPUT)) {
            Ok(opened) => {
                let closed = self.connection.close(opened.handle, CloseOptions::default());
                self.stage.settle(closed).expect("a handle is closed");
                true
            }
            Err(reason) => {
                assert_eq!(reason, Reason::UNKNOWN_OBJECT_NAME);
                false
            }
        }
    }

    /// Has the unit of work stand, and lets nobody know what was told.
    pub(super) fn commit_unnoted(&mut self, client: ClientCommit) -> Result<(), Reason> {
        self.puts.clear();
        self.stage.settle(self.connection.commit(Some(client)))
    }

    /// The same for a batch of a channel.
    pub(super) fn commit_batch(&mut self, sync_object: ObjectId, batch: u32) -> Result<(), Reason> {
        self.puts.clear();
        let commit = ChannelCommit { sync_object, chain: 1, batch: batch.into(), sequence: batch };
        self.stage.settle(self.connection.commit_batch(commit))
    }

    /// Undoes it.
    pub(super) fn back(&mut self) -> Result<(), Reason> {
        let puts = std::mem::take(&mut self.puts);
        self.gets.clear();
        let answer = self.stage.settle(self.connection.back());
        self.stage.ledger.a_unit_is_backed_out(&puts);
        answer
    }

    /// Has the unit of work prepared, and goes on with an empty one; none when it did nothing.
    pub(super) fn prepare(&mut self) -> Option<InDoubt> {
        let (puts, gets) = (std::mem::take(&mut self.puts), std::mem::take(&mut self.gets));
        self.stage.ledger.a_prepare_begins(&puts, &gets);
        let purpose = PreparedPurpose::Branch(PreparedBranch::default());
        let name =
            self.stage.settle(self.connection.prepare(purpose)).expect("a unit of work is prepared")?;
        self.stage.ledger.a_unit_is_prepared(&puts, &gets);
        Some(InDoubt { name, puts, gets, begun: AtomicBool::new(false), told: AtomicBool::new(false) })
    }

    /// The number of the last commit known of this instance.
    pub(super) fn last_commit(&self) -> Option<u64> {
        self.stage.settle(self.connection.last_commit())
    }

    /// Ends the connection with what it has under way. What it had been given outside of a unit of work, and
    /// not looked at, is lost with it: that is told.
    pub(super) fn leave(mut self, asked: Vec<PendingGet>) -> Vec<Number> {
        let puts = std::mem::take(&mut self.puts);
        let Self { stage, connection, inbox, .. } = self;
        drop(connection);
        stage.ledger.a_unit_is_backed_out(&puts);
        let mut lost = Vec::new();
        for PendingGet { token, wish, done } in asked {
            let outcome = done.or_else(|| inbox.take(token));
            let number = outcome.and_then(|outcome| stage.settle(outcome).ok()).map(|got| number_of(&got));
            if !wish.in_unit {
                stage.ledger.a_taker_goes(number);
                lost.extend(number);
            }
        }
        let late = inbox.arrived.lock().len();
        assert_eq!(late, 0, "outcomes that nobody asked for");
        lost
    }

    /// Takes everything that is there, in its order. The ledger is not told: it is what this is compared
    /// with.
    pub(super) fn drain(&mut self) -> Vec<Number> {
        self.drain_of(number_of)
    }

    /// The same of publications.
    pub(super) fn drain_publications(&mut self) -> Vec<Number> {
        self.drain_of(number_of_publication)
    }

    /// The same, whatever it is: how many.
    pub(super) fn drain_any(&mut self) -> usize {
        self.drain_of(|_| 0).len()
    }

    fn drain_of(&mut self, number_of: fn(&GotMessage) -> Number) -> Vec<Number> {
        let mut there = Vec::new();
        loop {
            self.tokens += 1;
            let token = WaitToken(self.tokens);
            let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
            let any = MessageDescriptor::default();
            let outcome = match self.connection.get(Ask::new(self.handle, &any, &options, usize::MAX, token))
            {
                Get::Done(outcome) => outcome,
                Get::Waiting => self.inbox.wait(token),
            };
            match self.stage.settle(outcome) {
                Ok(got) => there.push(number_of(&got)),
                Err(Reason::NO_MSG_AVAILABLE) => return there,
                Err(reason) => panic!("a get was told {reason}"),
            }
        }
    }
}

/// Returns the number of a message; its body must be that message's.
fn number_of(got: &GotMessage) -> Number {
    let head = got.body.get(..4).and_then(|bytes| bytes.try_into().ok());
    let number = u32::from_le_bytes(head.expect("a body has four bytes"));
    assert_eq!(got.body[..], body(number, got.body.len()), "the body is that of message {number}");
    number
}

fn correlation_id(number: Number) -> CorrelationId {
    let mut bytes = [1; 24];
    bytes[..4].copy_from_slice(&number.to_le_bytes());
    CorrelationId(bytes)
}

/// The same of a publication of four bytes, which stand behind its properties.
fn number_of_publication(got: &GotMessage) -> Number {
    let number = got.body.last_chunk().expect("a body has four bytes");
    u32::from_le_bytes(*number)
}
