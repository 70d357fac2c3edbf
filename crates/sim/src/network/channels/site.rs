//! One queue manager of the ring, with its ends of links.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use agents::{Agent, Close, Limits, MessageChannel, PeerInfo, PendingConnection};
use bytes::{Bytes, BytesMut};
use channel::Output;
use formats::headers::{Chain, Place};
use mqi::{
    GetFlags, GetOptions, MessageDescriptor, ObjectDescriptor, OpenOptions, Persistence, PutFlags,
    PutOptions, Reason, Wait,
};
use parking_lot::Mutex;
use platform::Clock;
use platform::simulated::{
    CrashPolicy, Machine, OperationKind, Random, SimulatedClock, SimulatedDisk, Survival,
};
use queue_manager::{
    Ask, Completions, ConnectRequest, Connection, Event, Gated, Get, GotMessage, Host, Identity, Outcome,
    Principal, QueueManager, Settings, WaitToken, connection,
};
use testing::ledger::{Course, Fate, Ledger};

use crate::network::link::{Link, LinkId, take};
use crate::network::wake::NoWake;

/// The queue that messages are for.
pub(super) const QUEUE: &str = "IN";
/// The dead-letter queue.
pub(super) const DEAD: &str = "DLQ";

/// Knows what the engine told its host.
#[derive(Default)]
struct Listening {
    failure: Mutex<Option<String>>,
    /// Ends that differ on a line that ended.
    finding: Mutex<Option<String>>,
}

impl Host for Listening {
    fn log_has_work(&self) {}
    fn durable_advanced(&self) {}
    fn job_waits(&self) {}
    fn tick_wanted(&self) {}
    fn event(&self, event: &Event) {
        // A finding without a hand is a fault of ours.
        if event.id == "FRY7490W" {
            self.finding.lock().get_or_insert_with(|| event.inserts.join(": "));
        }
    }
    fn runs_channels(&self) -> bool {
        true
    }
    fn failed(&self, failure: &storage::Fatal) {
        self.failure.lock().get_or_insert_with(|| failure.to_string());
    }
}

/// Outcomes of gets that had to wait for the disk.
#[derive(Default)]
struct Outcomes(Mutex<Vec<Outcome<GotMessage>>>);

impl Completions for Outcomes {
    fn complete(&self, _token: WaitToken, outcome: Outcome<GotMessage>) {
        self.0.lock().push(outcome);
    }
}

/// This side's end of a link.
struct LinkEnd {
    agent: MessageChannel,
    input: BytesMut,
    output: Output,
    is_caller: bool,
}

/// A put or commit whose putter was not told yet.
struct Waiting {
    outcome: Gated<Result<(), Reason>>,
    messages: Vec<(Course, u32)>,
}

/// A queue manager.
pub(super) struct Site {
    pub(super) number: usize,
    settings: Settings,
    machine: Machine,
    manager: QueueManager,
    host: Arc<Listening>,
    putter: Option<Connection>,
    /// Messages in the putter's unit of work.
    unit: Vec<(Course, u32)>,
    waiting: VecDeque<Waiting>,
    ends: BTreeMap<LinkId, LinkEnd>,
    /// True where ends that are refused are no fault.
    pub(super) expects_refusals: bool,
}

pub(super) fn settings(number: usize) -> Settings {
    Settings {
        name: name(number).parse().expect("a name"),
        memory_budget_bytes: 256 << 10,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings {
            extent_bytes: 1 << 20,
            primary_extents: 2,
            secondary_extents: 4,
            ..storage::Settings::default()
        },
        checkpoint_interval: Duration::from_millis(500),
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

pub(super) fn name(number: usize) -> String {
    format!("S{number}")
}

/// Attributes that a seed draws for all channels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terms {
    pub(super) batch: u32,
    pub(super) in_flight: u32,
    pub(super) is_fast: bool,
    pub(super) tries: u32,
    pub(super) disconnect_seconds: u32,
}

impl Site {
    /// A new queue manager with its objects, in a ring of so many.
    pub(super) fn new(seed: u64, number: usize, of: usize, terms: Terms) -> Result<Self, String> {
        Self::with(settings(number), seed, (number, of), terms)
    }

    /// The same with settings of its own.
    pub(super) fn with(
        settings: Settings,
        seed: u64,
        (number, of): (usize, usize),
        terms: Terms,
    ) -> Result<Self, String> {
        let machine = Machine::new(seed ^ (number as u64) << 32);
        QueueManager::create(&machine.world(), &settings).map_err(|error| error.to_string())?;
        let (manager, host) = start(&machine, &settings)?;
        let mut site = Self {
            number,
            settings,
            machine,
            manager,
            host,
            putter: None,
            unit: Vec::new(),
            waiting: VecDeque::new(),
            ends: BTreeMap::new(),
            expects_refusals: false,
        };
        let (next, before) = ((number + 1) % of, (number + of - 1) % of);
        let Terms { batch, in_flight, is_fast, tries, disconnect_seconds } = terms;
        let speed = if is_fast { "FAST" } else { "NORMAL" };
        site.command(&format!("DEFINE QLOCAL({QUEUE}) MAXDEPTH(100000)"))?;
        site.command(&format!("DEFINE QLOCAL({DEAD}) MAXDEPTH(100000)"))?;
        site.command(&format!("ALTER QMGR DEADQ({DEAD})"))?;
        site.command(&format!(
            "DEFINE QLOCAL(S{next}) USAGE(XMITQ) MAXDEPTH(100000) TRIGGER TRIGTYPE(FIRST) INITQ(SYSTEM.CHANNEL.INITQ)"
        ))?;
        let common =
            format!("BATCHSZ({batch}) SEQWRAP(100) HBINT(5) NPMSPEED({speed}) INFLIGHT({in_flight})");
        site.command(&format!(
            "DEFINE CHANNEL(S{number}.S{next}) CHLTYPE(SDR) CONNAME('S{next}') XMITQ(S{next}) {common} BATCHLIM(500) \
             DISCINT({disconnect_seconds}) SHORTRTY(1000) SHORTTMR(5)"
        ))?;
        site.command(&format!(
            "DEFINE CHANNEL(S{before}.S{number}) CHLTYPE(RCVR) {common} MRRTY({tries}) MRTMR(500)"
        ))?;
        for other in (0..of).filter(|other| *other != number) {
            site.command(&format!(
                "DEFINE QREMOTE(TO.{other}) RNAME({QUEUE}) RQMNAME(S{other}) XMITQ(S{next})"
            ))?;
            if other != next {
                site.command(&format!("DEFINE QREMOTE(S{other}) RQMNAME(S{other}) XMITQ(S{next})"))?;
            }
        }
        Ok(site)
    }

    /// Gives a command and waits for its answer.
    pub(super) fn command(&mut self, text: &str) -> Result<(), String> {
        let commands = objects::mqsc::parse(text).map_err(|error| format!("{text}: {error:?}"))?;
        for command in &commands {
            let gated = self.manager.execute(command);
            self.drive_all();
            let response = gated.open(self.manager.durable()).map_err(|_| "a gate stays closed")?;
            if !response.is_ok() {
                return Err(format!("{text}: {response}"));
            }
        }
        Ok(())
    }

    fn drive_all(&self) {
        while self.manager.log().waits() {
            self.manager.drive();
        }
    }

    pub(super) fn clock(&self) -> &SimulatedClock {
        &self.machine.clock
    }

    /// From now on the disk says that it has flushed and has not.
    pub(super) fn lie_about_flushes(&self) {
        self.machine.disk.lie_about_flushes(true);
    }

    /// Puts a message for a queue of a queue manager, outside units of work.
    #[cfg(test)]
    pub(super) fn put_to(&mut self, object: &ObjectDescriptor, descriptor: &MessageDescriptor, body: &str) {
        let (mut connection, _) = self.connect("putter").expect("a putter connects");
        let options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        let put = connection.put1(object, descriptor, &options, Bytes::copy_from_slice(body.as_bytes()));
        self.drive_all();
        put.open(self.manager.durable()).expect("the log was driven").expect("it is put");
    }

    /// The answer to a command that displays.
    pub(super) fn told(&self, text: &str) -> String {
        let commands = objects::mqsc::parse(text).expect("a command");
        let gated = self.manager.execute(&commands[0]);
        self.drive_all();
        gated.open(self.manager.durable()).expect("the log was driven").to_string()
    }

    pub(super) fn set_slow(&self, is_slow: bool) {
        let latency = if is_slow { Duration::from_millis(4) } else { Duration::ZERO };
        self.machine.disk.set_latency(OperationKind::Write, latency);
    }

    fn connect(&self, application: &str) -> Result<(Connection, Arc<Outcomes>), String> {
        let outcomes = Arc::new(Outcomes::default());
        let request = ConnectRequest {
            accounting: mqi::AccountingChoice::default(),
            application: application.to_owned(),
            origin: "embedded".to_owned(),
            channel: mqi::ObjectName::BLANK,
            process: 0,
            instance: [0; 16],
            generation: 0,
            principal: Principal::new("putter", Identity::Process).expect("it is short"),
            completions: outcomes.clone(),
        };
        let (connection, _) = connection::begin(self.manager.connect(request));
        Ok((connection.ok_or("a putter cannot connect")?, outcomes))
    }

    /// The putter puts a message, or ends its unit of work.
    pub(super) fn put(
        &mut self,
        random: &mut Random,
        of: usize,
        (persistent, in_units): (u8, u8),
        ledger: &mut Ledger,
    ) -> Result<(), String> {
        if self.putter.is_none() {
            self.putter = Some(self.connect("putter")?.0);
        }
        let Some(connection) = &mut self.putter else { return Ok(()) };
        if !self.unit.is_empty() && random.percent(25) {
            let messages = std::mem::take(&mut self.unit);
            let outcome = match random.percent(80) {
                true => connection.commit(None),
                false => {
                    messages.iter().for_each(|(course, number)| ledger.tell(*course, *number, Fate::Refused));
                    connection.back()
                }
            };
            self.waiting.push_back(Waiting { outcome, messages });
            return Ok(());
        }
        let to = (self.number + 1 + random.index(of - 1)) % of;
        let is_persistent = random.percent(persistent);
        let within = random.percent(in_units) || !self.unit.is_empty();
        let large = if random.percent(4) { 300_000 } else { 5_000 };
        let filling = *random.pick(&[0, 40, 700, large]);
        let course = (self.number, to);
        let (number, body) = ledger.begin(course, is_persistent, filling);
        let descriptor = MessageDescriptor {
            persistence: if is_persistent { Persistence::Persistent } else { Persistence::NotPersistent },
            ..MessageDescriptor::default()
        };
        let flags = if within { PutFlags::SYNCPOINT } else { PutFlags::NO_SYNCPOINT };
        let object = ObjectDescriptor::queue(format!("TO.{to}").parse().expect("a name"));
        let put = connection.put1(&object, &descriptor, &PutOptions::with(flags), body);
        let outcome = put.map(|put| put.map(drop));
        if within {
            match outcome.split() {
                Ok(_) => self.unit.push((course, number)),
                Err(refused) => {
                    let outcome = refused.map(Err);
                    self.waiting.push_back(Waiting { outcome, messages: vec![(course, number)] });
                }
            }
        } else {
            self.waiting.push_back(Waiting { outcome, messages: vec![(course, number)] });
        }
        Ok(())
    }

    /// Tells the putter what may be known.
    pub(super) fn tell(&mut self, ledger: &mut Ledger) {
        let proof = self.manager.durable();
        while let Some(Waiting { outcome, messages }) = self.waiting.pop_front() {
            match outcome.open(proof) {
                Err(outcome) => {
                    self.waiting.push_front(Waiting { outcome, messages });
                    return;
                }
                Ok(result) => {
                    let fate = if result.is_ok() { Fate::Promised } else { Fate::Refused };
                    for (course, number) in messages {
                        if ledger_is_open(ledger, course, number) {
                            ledger.tell(course, number, fate);
                        }
                    }
                }
            }
        }
    }

    /// The putter ends its work: what is in its unit is committed.
    pub(super) fn finish(&mut self) {
        if let Some(connection) = self.putter.take() {
            let outcome = connection.disconnect();
            let messages = std::mem::take(&mut self.unit);
            self.waiting.push_back(Waiting { outcome, messages });
        }
    }

    pub(super) fn is_told(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The calls that are to be made now: to which queue manager, by which agent.
    pub(super) fn dial(&mut self, link: &mut LinkId, links: &mut BTreeMap<LinkId, (Link, usize, usize)>) {
        for dial in self.manager.channels().dials().dials {
            let Some(to) = dial.connection_names.first().and_then(|name| name.host.get(1..)?.parse().ok())
            else {
                continue;
            };
            *link += 1;
            links.insert(*link, (Link::default(), self.number, to));
            let peer = self.peer(*link);
            let waker = Arc::new(NoWake);
            let agent =
                MessageChannel::calling(self.manager.clone(), dial.run, peer, Limits::default(), waker);
            self.add(*link, agent, true);
        }
    }

    /// A partner calls.
    pub(super) fn accept(&mut self, link: LinkId) {
        let (peer, waker) = (self.peer(link), Arc::new(NoWake));
        let (queue_manager, limits) = (self.manager.clone(), Limits::default());
        let agent =
            MessageChannel::called(PendingConnection { queue_manager, peer, limits, logins: None, waker });
        self.add(link, agent, false);
    }

    fn peer(&self, link: LinkId) -> PeerInfo {
        PeerInfo { origin: format!("link {link}"), is_by_network: true, ..PeerInfo::default() }
    }

    fn add(&mut self, link: LinkId, agent: MessageChannel, is_caller: bool) {
        let (input, output) = (BytesMut::new(), Output::default());
        self.ends.insert(link, LinkEnd { agent, input, output, is_caller });
    }

    pub(super) fn ends(&self) -> Vec<LinkId> {
        self.ends.keys().copied().collect()
    }

    /// Bytes arrive at an agent, which reads them.
    pub(super) fn receive(
        &mut self,
        id: LinkId,
        link: &mut Link,
        random: &mut Random,
    ) -> Result<u64, String> {
        let Some(end) = self.ends.get_mut(&id) else { return Ok(0) };
        let way = if end.is_caller { &mut link.to_client } else { &mut link.to_server };
        let mut count = 0;
        if end.agent.wants_input() {
            let bytes = way.arrive(random);
            count = bytes.len() as u64;
            end.input.extend_from_slice(&bytes);
        }
        let is_over = way.is_over() && (end.agent.wants_input() || random.percent(20));
        let received = if end.input.is_empty() { Ok(()) } else { end.agent.receive(&mut end.input) };
        match received {
            Ok(()) if is_over => drop(self.ends.remove(&id)),
            Ok(()) => {}
            Err(close) => {
                end.agent.farewell(&close, &mut end.output);
                let way = if end.is_caller { &mut link.to_server } else { &mut link.to_client };
                let rest = take(&mut end.output, way.room());
                way.send(&rest);
                self.close(id, link, &close)?;
            }
        }
        Ok(count)
    }

    /// An agent works, and sends what may be known.
    pub(super) fn release(
        &mut self,
        id: LinkId,
        link: &mut Link,
        random: &mut Random,
    ) -> Result<u64, String> {
        let proof = self.manager.durable();
        let Some(end) = self.ends.get_mut(&id) else { return Ok(0) };
        end.agent.release(proof, &mut end.output);
        let way = if end.is_caller { &mut link.to_server } else { &mut link.to_client };
        let some = random.below(end.output.len() as u64 + 1);
        let some =
            if random.percent(30) { usize::try_from(some).expect("in memory") } else { end.output.len() };
        let bytes = take(&mut end.output, some.min(way.room()));
        way.send(&bytes);
        if let Some(close) = end.agent.stopped() {
            end.agent.farewell(&close, &mut end.output);
            let rest = take(&mut end.output, way.room());
            way.send(&rest);
            self.close(id, link, &close)?;
        }
        Ok(bytes.len() as u64)
    }

    /// An agent ends its connection; only some reasons are none of a fault.
    fn close(&mut self, id: LinkId, link: &mut Link, close: &Close) -> Result<(), String> {
        let Some(end) = self.ends.remove(&id) else { return Ok(()) };
        // What was sent still arrives.
        match end.is_caller {
            true => link.close(),
            false => link.close_by_server(),
        }
        match close {
            _ if self.expects_refusals => Ok(()),
            Close::ChannelEnded | Close::Silent { .. } | Close::Unfinished { .. } => Ok(()),
            Close::ChannelFailed { reason, .. } | Close::Refused { reason, .. }
                if [
                    Reason::BACKED_OUT,
                    Reason::CONNECTION_BROKEN,
                    Reason::CHANNEL_NOT_AVAILABLE,
                    Reason::RESOURCE_PROBLEM,
                    Reason::STORAGE_MEDIUM_FULL,
                ]
                .contains(reason)
                    && !close.to_string().contains("RESET CHANNEL") =>
            {
                Ok(())
            }
            close => Err(format!("S{} ended link {id}: {close}", self.number)),
        }
    }

    pub(super) fn drive(&self) {
        self.manager.drive();
    }

    pub(super) fn run_job(&self) -> bool {
        self.manager.take_job().map(queue_manager::Job::run).is_some()
    }

    /// Time passes; agents whose patience ends give their links up.
    pub(super) fn pass(&mut self, time: Duration) -> Result<Vec<LinkId>, String> {
        self.machine.clock.advance(time);
        self.manager.tick();
        let now = self.machine.clock.now();
        let mut over = Vec::new();
        for (id, end) in &mut self.ends {
            match end.agent.tick(now) {
                Ok(()) => {}
                Err(Close::Silent { .. } | Close::Unfinished { .. }) => over.push(*id),
                Err(close) => return Err(format!("S{} ended link {id}: {close}", self.number)),
            }
        }
        over.iter().for_each(|id| drop(self.ends.remove(id)));
        Ok(over)
    }

    pub(super) fn failure(&self) -> Option<String> {
        let finding = || self.host.finding.lock().clone().filter(|_| !self.expects_refusals);
        self.host.failure.lock().clone().or_else(finding)
    }

    pub(super) fn disk_digest(&self) -> u64 {
        self.machine.disk.trace_digest()
    }

    /// Messages on a queue, those included that an open unit of work put or got.
    pub(super) fn depth(&self, queue: &str) -> u64 {
        let text = format!("DISPLAY QSTATUS({queue}) CURDEPTH UNCOM");
        let commands = objects::mqsc::parse(&text).expect("a command");
        let gated = self.manager.execute(&commands[0]);
        self.drive_all();
        let response = gated.open(self.manager.durable()).expect("the log was driven").to_string();
        let number = |keyword: &str| {
            let value = response.split(keyword).nth(1).and_then(|rest| rest.split(')').next());
            value.map_or(0, |value| value.trim().parse::<u64>().unwrap_or_default())
        };
        number("CURDEPTH(") + number("UNCOM(")
    }

    /// Batches in doubt.
    pub(super) fn in_doubt(&self) -> usize {
        self.drive_all();
        self.manager.units().prepared().open(self.manager.durable()).map_or(0, |units| units.len())
    }

    /// Everything on a queue, in order; of dead letters what is behind their header.
    pub(super) fn drain(&mut self, queue: &str) -> Result<Vec<Bytes>, String> {
        let (mut connection, outcomes) = self.connect("drain")?;
        let object = ObjectDescriptor::queue(queue.parse().expect("a name"));
        let opened = connection.open(&object, OpenOptions::INPUT_SHARED);
        self.drive_all();
        let opened = opened.open(self.manager.durable()).map_err(|_| "a gate stays closed")?;
        let handle = opened.map_err(|reason| format!("{queue}: {reason}"))?.handle;
        let options = GetOptions::with(GetFlags::NO_SYNCPOINT, Wait::No);
        let mut bodies = Vec::new();
        loop {
            let descriptor = MessageDescriptor::default();
            let got = match connection.get(Ask::new(handle, &descriptor, &options, 1 << 30, WaitToken(1))) {
                Get::Done(got) => got,
                Get::Waiting => {
                    while outcomes.0.lock().is_empty() {
                        self.drive_all();
                        if !self.run_job() {
                            return Err(format!("{queue}: a get waits for nothing"));
                        }
                    }
                    outcomes.0.lock().remove(0)
                }
            };
            self.drive_all();
            match got.open(self.manager.durable()).map_err(|_| "a gate stays closed")? {
                Ok(message) => {
                    let place = Place::of(&message.descriptor);
                    let chain = Chain::read(&place, &message.body).map_err(|error| error.to_string())?;
                    bodies.push(chain.data);
                }
                Err(Reason::NO_MSG_AVAILABLE) => return Ok(bodies),
                Err(reason) => return Err(format!("{queue}: {reason}")),
            }
        }
    }

    /// The power fails and comes back; the links whose ends were here.
    pub(super) fn crash(&mut self, random: &mut Random) -> Result<Vec<LinkId>, String> {
        let links = self.ends();
        let policy = CrashPolicy::random(random);
        let after = self.machine.disk.crash(random, policy);
        self.come_back(after, random)?;
        Ok(links)
    }

    /// A copy of the files at work, as a snapshot of the volume is.
    pub(super) fn copy(&self, random: &mut Random) -> SimulatedDisk {
        self.machine.disk.crash(random, CrashPolicy::surviving(Survival::Everything))
    }

    /// A copy takes the place of the files; the links whose ends were here.
    pub(super) fn put_back(
        &mut self,
        copy: SimulatedDisk,
        random: &mut Random,
    ) -> Result<Vec<LinkId>, String> {
        let links = self.ends();
        self.come_back(copy, random)?;
        Ok(links)
    }

    /// The queue manager starts again with these files.
    fn come_back(&mut self, after: SimulatedDisk, random: &mut Random) -> Result<(), String> {
        self.machine.disk.cut_power();
        self.ends.clear();
        (self.putter, self.unit) = (None, Vec::new());
        self.waiting.clear();
        let clock = self.machine.clock.clone();
        after.attach_clock(&clock);
        let machine = Machine { clock, ..Machine::with_disk(after, random.next_u64()) };
        machine.disk.attach_clock(&machine.clock);
        let (manager, host) = start(&machine, &self.settings)?;
        (self.machine, self.manager, self.host) = (machine, manager, host);
        Ok(())
    }
}

/// A message that was backed out stays refused, whatever its unit came to.
fn ledger_is_open(ledger: &Ledger, course: Course, number: u32) -> bool {
    ledger.fate(course, number) == Some(Fate::Unknown)
}

fn start(machine: &Machine, settings: &Settings) -> Result<(QueueManager, Arc<Listening>), String> {
    let host = Arc::new(Listening::default());
    let manager = QueueManager::open(machine.world(), settings.clone(), host.clone())
        .map_err(|error| format!("{} does not start: {error}", settings.name))?;
    Ok((manager, host))
}
