//! One requester, one responder, and what they share.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use bytes::Bytes;
use mqi::{
    CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, MessageType, ObjectDescriptor,
    ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, Reason, Verbs, Wait,
};

use super::{Mode, RequestReplyWorkload, Units};
use crate::access::Access;
use crate::latency::Latencies;
use crate::pace::Pace;
use crate::run::{Phase, Shared};
use crate::tally;

/// A reply that has not come by then never comes.
const PATIENCE: Duration = Duration::from_secs(30);

/// So often a responder without work looks whether it is at its end.
const LOOK: Duration = Duration::from_millis(200);

/// State shared by all clients of a repetition.
pub(super) struct Plan {
    pub(super) workload: RequestReplyWorkload,
    /// Clients use them in turn, by their numbers.
    pub(super) requests: Vec<ObjectName>,
}

impl Plan {
    /// The request queue of a client.
    fn request_queue(&self, number: u32) -> ObjectDescriptor {
        ObjectDescriptor::queue(self.requests[number as usize % self.requests.len()])
    }

    fn put_options(&self, in_unit: bool) -> PutOptions {
        let point = if in_unit { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        PutOptions::with(match self.workload.mode {
            Mode::Pipelined => point | PutFlags::ASYNC_RESPONSE,
            Mode::RoundTrips => point | PutFlags::SYNC_RESPONSE,
        })
    }

    fn input(&self) -> OpenOptions {
        match self.workload.mode {
            Mode::Pipelined => OpenOptions::INPUT_SHARED | OpenOptions::READ_AHEAD,
            Mode::RoundTrips => OpenOptions::INPUT_SHARED | OpenOptions::NO_READ_AHEAD,
        }
    }
}

fn get_options(in_unit: bool, wait: Duration) -> GetOptions {
    let point = if in_unit { GetFlags::SYNCPOINT } else { GetFlags::NO_SYNCPOINT };
    GetOptions::with(point, if wait.is_zero() { Wait::No } else { Wait::from(wait) })
}

fn open(verbs: &mut dyn Verbs, queue: &ObjectDescriptor, options: OpenOptions) -> Result<ObjectHandle> {
    let opened = verbs.open(queue, options);
    Ok(opened.with_context(|| format!("cannot open {}", queue.object_name))?.handle)
}

/// A client that asks.
pub(super) struct Requester {
    verbs: Box<dyn Verbs + Send>,
    requests: ObjectHandle,
    replies: ObjectHandle,
    reply_queue: ObjectName,
    number: u32,
    /// Of each request, but for its mark.
    body: Vec<u8>,
    under_way: VecDeque<UnderWay>,
    /// When those were begun whose reply is got and not committed.
    uncommitted: Vec<Instant>,
    pace: Option<Pace>,
    account: Account,
}

/// A request whose reply has not come.
struct UnderWay {
    sequence: u64,
    message_id: MessageId,
    begun: Instant,
}

/// The account of a requester.
#[derive(Default)]
pub struct Account {
    /// Requests that were sent.
    pub requested: u64,
    /// Replies that came.
    pub replied: u64,
    /// Replies that were got for good while it was measured.
    pub measured: u64,
    /// Times of these round trips.
    pub latencies: Latencies,
}

impl Account {
    /// A reply was got for good, so long after its request was begun.
    fn record(&mut self, shared: &Shared, took: Duration) {
        if shared.is(Phase::Measure) {
            if self.measured == 0 {
                shared.say_measured();
            }
            self.measured += 1;
            self.latencies.record(took);
        }
    }

    /// Adds what others did.
    pub(super) fn join(&mut self, other: &Self) {
        self.requested += other.requested;
        self.replied += other.replied;
        self.measured += other.measured;
        self.latencies.add(&other.latencies);
    }
}

impl Requester {
    pub(super) fn connect(
        access: &dyn Access,
        plan: &Plan,
        number: u32,
        reply_queue: ObjectName,
    ) -> Result<Self> {
        let mut verbs = access.connect("ferry bench requester")?;
        let requests = open(&mut *verbs, &plan.request_queue(number), OpenOptions::OUTPUT)?;
        let replies = open(&mut *verbs, &ObjectDescriptor::queue(reply_queue), plan.input())?;
        let under_way = VecDeque::with_capacity(plan.workload.window);
        let RequestReplyWorkload { rate, requesters, window, .. } = plan.workload;
        let pace = rate.map(|rate| Pace::new(rate.into(), number as usize, requesters, window));
        Ok(Self {
            verbs,
            requests,
            replies,
            reply_queue,
            number,
            body: plan.workload.bodies.make(plan.workload.bytes),
            under_way,
            uncommitted: Vec::new(),
            pace,
            account: Account::default(),
        })
    }

    pub(super) fn run(mut self, plan: &Plan, shared: &Shared) -> Result<Account> {
        let in_units = plan.workload.units == Units::All;
        if let Some(pace) = &mut self.pace {
            pace.begin();
        }
        while !shared.is(Phase::Done) {
            let begun = match &mut self.pace {
                Some(pace) => match pace.next(shared) {
                    Some(due) => due,
                    None => break,
                },
                None => Instant::now(),
            };
            while self.under_way.len() < plan.workload.window {
                self.put(plan, begun)?;
            }
            if in_units {
                self.verbs.commit().context("cannot commit requests")?;
            }
            if in_units || self.pace.is_some() {
                self.get_all(plan, shared)?;
            } else {
                self.get(plan, shared)?;
            }
        }
        self.get_all(plan, shared)?;
        self.verbs.disconnect().context("cannot disconnect a requester")?;
        Ok(self.account)
    }

    fn put(&mut self, plan: &Plan, begun: Instant) -> Result<()> {
        let sequence = self.account.requested;
        tally::mark(&mut self.body, self.number, sequence);
        let mut descriptor = MessageDescriptor {
            message_type: MessageType::REQUEST,
            persistence: plan.workload.persistence(),
            reply_to_queue: self.reply_queue.into(),
            ..MessageDescriptor::default()
        };
        let mut options = plan.put_options(plan.workload.units == Units::All);
        self.verbs
            .put_lent(self.requests, &mut descriptor, &mut options, &self.body)
            .context("cannot put a request")?;
        self.under_way.push_back(UnderWay { sequence, message_id: descriptor.message_id, begun });
        self.account.requested += 1;
        Ok(())
    }

    fn get_all(&mut self, plan: &Plan, shared: &Shared) -> Result<()> {
        if self.under_way.is_empty() {
            return Ok(());
        }
        while !self.under_way.is_empty() {
            self.get(plan, shared)?;
        }
        if plan.workload.units == Units::All {
            self.verbs.commit().context("cannot commit replies")?;
            let now = Instant::now();
            for begun in self.uncommitted.drain(..) {
                self.account.record(shared, now - begun);
            }
        }
        Ok(())
    }

    fn get(&mut self, plan: &Plan, shared: &Shared) -> Result<()> {
        let mut descriptor = MessageDescriptor::default();
        if plan.workload.mode == Mode::RoundTrips {
            let oldest = self.under_way.front().context("nothing is under way")?;
            descriptor.correlation_id = CorrelationId::from(oldest.message_id);
        }
        let bytes = plan.workload.bytes;
        let mut until = None;
        let (length, mark) = loop {
            let mut options = get_options(plan.workload.units == Units::All, Duration::from_secs(1));
            let mut found = None;
            let mut look = |reply: &[u8]| found = Some((reply.len(), tally::mark_of(reply)));
            match self.verbs.get_lent(self.replies, &mut descriptor, &mut options, bytes, &mut look) {
                Ok(_) => break found.context("a reply was not shown")?,
                Err(Reason::NO_MSG_AVAILABLE) if shared.has_failed() => bail!("another client failed"),
                Err(Reason::NO_MSG_AVAILABLE)
                    if Instant::now() < *until.get_or_insert_with(|| Instant::now() + PATIENCE) => {}
                Err(reason) => {
                    return Err(reason).with_context(|| {
                        format!(
                            "requester {} has no reply to {} of its requests",
                            self.number,
                            self.under_way.len()
                        )
                    });
                }
            }
        };
        let now = Instant::now();
        ensure!(length == bytes, "a reply has {length} bytes instead of {bytes}");
        let request = self.take(mark?)?;
        self.account.replied += 1;
        if plan.workload.units == Units::All {
            self.uncommitted.push(request.begun);
        } else {
            self.account.record(shared, now - request.begun);
        }
        Ok(())
    }

    /// The request this reply answers.
    fn take(&mut self, (number, sequence): (u32, u64)) -> Result<UnderWay> {
        ensure!(number == self.number, "requester {} got the reply of requester {number}", self.number);
        let place = self.under_way.iter().position(|request| request.sequence == sequence);
        place.and_then(|place| self.under_way.remove(place)).with_context(|| {
            format!("requester {number} got a reply to request {sequence} which is not under way")
        })
    }
}

/// Reply queues that a responder keeps open, under the 256 handles that a connection has as delivered
/// (MAXHANDS). To others it puts by MQPUT1.
const REPLY_QUEUES_OPEN_MAX: usize = 250;

/// A client that answers.
pub(super) struct Responder {
    verbs: Box<dyn Verbs + Send>,
    requests: ObjectHandle,
    /// Reply queues that are open.
    replies: BTreeMap<ObjectName, ObjectHandle>,
    /// Where a request is got, and its reply put from, as a program of the MQI does.
    buffer: Vec<u8>,
}

impl Responder {
    pub(super) fn connect(access: &dyn Access, plan: &Plan, number: u32) -> Result<Self> {
        let mut verbs = access.connect("ferry bench responder")?;
        let requests = open(&mut *verbs, &plan.request_queue(number), plan.input())?;
        Ok(Self { verbs, requests, replies: BTreeMap::new(), buffer: Vec::new() })
    }

    /// Answers until `end` is set, which it is when the last reply has come.
    pub(super) fn run(mut self, plan: &Plan, shared: &Shared, end: &AtomicBool) -> Result<u64> {
        let in_units = plan.workload.units != Units::None;
        let mut answered = 0;
        while !end.load(Ordering::Relaxed) && !shared.has_failed() {
            let mut in_unit = 0;
            // A unit of work takes what is there, up to what a requester puts in one.
            while in_unit < plan.workload.window {
                let wait = if in_unit == 0 { LOOK } else { Duration::ZERO };
                if !self.answer(plan, in_units, wait)? {
                    break;
                }
                in_unit += 1;
                if !in_units {
                    break;
                }
            }
            if in_units && in_unit > 0 {
                self.verbs.commit().context("cannot commit answers")?;
            }
            answered += in_unit as u64;
        }
        self.verbs.disconnect().context("cannot disconnect a responder")?;
        Ok(answered)
    }

    /// Answers one request; false when none came.
    fn answer(&mut self, plan: &Plan, in_unit: bool, wait: Duration) -> Result<bool> {
        let mut request = MessageDescriptor::default();
        let mut options = get_options(in_unit, wait);
        let Self { verbs, requests, buffer, .. } = self;
        buffer.clear();
        let mut fill = |body: &[u8]| buffer.extend_from_slice(body);
        match verbs.get_lent(*requests, &mut request, &mut options, plan.workload.bytes, &mut fill) {
            Ok(_) => {}
            Err(Reason::NO_MSG_AVAILABLE) => return Ok(false),
            Err(reason) => return Err(reason).context("cannot get a request"),
        }
        let reply_to = request.reply_to();
        let handle = match self.replies.get(&reply_to.object_name) {
            Some(handle) => Some(*handle),
            None if self.replies.len() == REPLY_QUEUES_OPEN_MAX => None,
            None => {
                let handle = open(&mut *self.verbs, &reply_to, OpenOptions::OUTPUT)?;
                self.replies.insert(reply_to.object_name, handle);
                Some(handle)
            }
        };
        let mut reply = MessageDescriptor {
            message_type: MessageType::REPLY,
            persistence: request.persistence,
            correlation_id: CorrelationId::from(request.message_id),
            ..MessageDescriptor::default()
        };
        let mut options = plan.put_options(in_unit);
        let put = match handle {
            Some(handle) => self.verbs.put_lent(handle, &mut reply, &mut options, &self.buffer),
            None => {
                let body = Bytes::copy_from_slice(&self.buffer);
                self.verbs.put1(&reply_to, &mut reply, &mut options, body)
            }
        };
        put.context("cannot put a reply")?;
        Ok(true)
    }
}
