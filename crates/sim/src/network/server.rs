//! The machine with the queue manager, and its ends of the links.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use agents::{Agent, AmqpConnection, ClientConnection, Close, Limits, PeerInfo, PendingConnection};
use bytes::BytesMut;
use channel::Output;
use platform::Clock;
use platform::simulated::{CrashPolicy, Machine, OperationKind, Random};
use queue_manager::{QueueCounters, QueueManager, Settings};

use super::link::{Link, LinkId, PROGRAM, Protocol, take};
use super::plan::QUEUES;
use super::wake::NoWake;
use crate::subjects::Listener;

pub(super) struct Server {
    machine: Machine,
    manager: QueueManager,
    listener: Arc<Listener>,
    ends: BTreeMap<LinkId, ServerEnd>,
    disk_lies: bool,
}

/// The queue manager's end of a link.
struct ServerEnd {
    agent: Box<dyn Agent>,
    input: BytesMut,
    output: Output,
}

fn settings() -> Settings {
    Settings {
        name: "SIM".parse().expect("a name"),
        memory_budget_bytes: 128 << 10,
        handles_max: 256,
        uncommitted_messages_max: 10_000,
        connections_max: 100,
        storage: storage::Settings {
            extent_bytes: 1 << 20,
            primary_extents: 2,
            secondary_extents: 2,
            ..storage::Settings::default()
        },
        checkpoint_interval: Duration::from_millis(200),
        growth: queue_manager::GrowthBounds::default(),
        branches: queue_manager::BranchBounds::default(),
        hold: queue_manager::HOLD,
    }
}

impl Server {
    /// A new queue manager with its queues.
    pub(super) fn new(seed: u64, disk_lies: bool) -> Result<Self, String> {
        Self::with_queues(seed, disk_lies, "")
    }

    /// The same with queues that have these attributes.
    pub(super) fn with_queues(seed: u64, disk_lies: bool, attributes: &str) -> Result<Self, String> {
        let machine = Machine::new(seed);
        QueueManager::create(&machine.world(), &settings()).map_err(|error| error.to_string())?;
        let (manager, listener) = start(&machine)?;
        let server = Self { machine, manager, listener, ends: BTreeMap::new(), disk_lies };
        for queue in 0..QUEUES {
            let text = format!("DEFINE QLOCAL(Q{queue}) MAXDEPTH(100000) MAXMSGL(1000000) {attributes}");
            let commands = objects::mqsc::parse(&text).map_err(|error| format!("{text}: {error:?}"))?;
            for command in &commands {
                let gated = server.manager.execute(command);
                while server.manager.log().waits() {
                    server.manager.drive();
                }
                let response = gated.open(server.manager.durable()).map_err(|_| "a gate stays closed")?;
                if !response.is_ok() {
                    return Err(format!("{text}: {response}"));
                }
            }
        }
        server.machine.disk.lie_about_flushes(disk_lies);
        Ok(server)
    }

    pub(super) fn set_slow(&self, is_slow: bool) {
        let latency = if is_slow { Duration::from_millis(4) } else { Duration::ZERO };
        self.machine.disk.set_latency(OperationKind::Write, latency);
    }

    pub(super) fn accept(&mut self, link: LinkId, protocol: Protocol) {
        let peer = PeerInfo { origin: format!("link {link}"), is_by_network: true, ..PeerInfo::default() };
        let (queue_manager, limits) = (self.manager.clone(), Limits::default());
        let waker = Arc::new(NoWake);
        let mut pending = PendingConnection { queue_manager, peer, limits, logins: None, waker };
        let agent: Box<dyn Agent> = match protocol {
            Protocol::Channel => Box::new(ClientConnection::new(pending)),
            Protocol::Amqp => {
                // One of this machine need not log in.
                pending.peer.address = Some(Ipv4Addr::LOCALHOST.into());
                Box::new(AmqpConnection::new(pending, "SYSTEM.DEF.AMQP".parse().expect("a name")))
            }
        };
        self.ends.insert(link, ServerEnd { agent, input: BytesMut::new(), output: Output::default() });
    }

    /// The links whose ends are here.
    pub(super) fn links(&self) -> Vec<LinkId> {
        self.ends.keys().copied().collect()
    }

    /// Some bytes arrive and are read. An error is one that no program has deserved.
    pub(super) fn receive(
        &mut self,
        id: LinkId,
        link: &mut Link,
        random: &mut Random,
    ) -> Result<u64, String> {
        let Some(end) = self.ends.get_mut(&id) else { return Ok(0) };
        let mut count = 0;
        if end.agent.wants_input() {
            let bytes = link.to_server.arrive(random);
            count = bytes.len() as u64;
            end.input.extend_from_slice(&bytes);
        }
        let received = if end.input.is_empty() { Ok(()) } else { end.agent.receive(&mut end.input) };
        // The host sees the end of a link once it has read all before it, and no sooner than it can take
        // more.
        let is_over = link.to_server.is_over() && (end.agent.wants_input() || random.percent(20));
        match received {
            Ok(()) if is_over => drop(self.ends.remove(&id)),
            Ok(()) => {}
            Err(Close::Disconnected | Close::Silent { .. } | Close::Unfinished { .. }) => {
                link.cut(random);
                self.ends.remove(&id);
            }
            Err(close) => return Err(format!("the agent of link {id} ended it: {close}")),
        }
        Ok(count)
    }

    /// Sends output that may be known, as much as the link takes.
    pub(super) fn release(&mut self, id: LinkId, link: &mut Link, random: &mut Random) -> u64 {
        let Some(end) = self.ends.get_mut(&id) else { return 0 };
        end.agent.release(self.manager.durable(), &mut end.output);
        let room = link.to_client.room();
        let some = random.below(end.output.len() as u64 + 1);
        let some =
            if random.percent(30) { usize::try_from(some).expect("in memory") } else { end.output.len() };
        let bytes = take(&mut end.output, some.min(room));
        link.to_client.send(&bytes);
        bytes.len() as u64
    }

    /// An agent has more come while others put, as a host does in whose tick many put.
    pub(super) fn go_on(&mut self, id: LinkId) {
        if let Some(end) = self.ends.get_mut(&id) {
            end.agent.go_on();
        }
    }

    pub(super) fn drive(&self) {
        self.manager.drive();
    }

    pub(super) fn run_job(&self) -> bool {
        self.manager.take_job().map(queue_manager::Job::run).is_some()
    }

    /// Time passes for everybody.
    pub(super) fn pass(&mut self, time: Duration, links: &mut BTreeMap<LinkId, Link>, random: &mut Random) {
        self.machine.clock.advance(time);
        self.manager.tick();
        let now = self.machine.clock.now();
        let over: Vec<LinkId> = self
            .ends
            .iter_mut()
            .filter_map(|(id, end)| end.agent.tick(now).is_err().then_some(*id))
            .collect();
        for id in over {
            self.ends.remove(&id);
            if let Some(link) = links.get_mut(&id) {
                link.cut(random);
            }
        }
    }

    pub(super) fn failure(&self) -> Option<String> {
        self.listener.failure()
    }

    /// The programs whose units of work were backed out for them since this was last asked.
    pub(super) fn take_revoked(&self) -> Vec<u32> {
        let applications = self.listener.take_revoked();
        applications.iter().filter_map(|name| name.strip_prefix(PROGRAM)?.parse().ok()).collect()
    }

    /// Digest of the disk's operations so far.
    pub(super) fn disk_digest(&self) -> u64 {
        self.machine.disk.trace_digest()
    }

    pub(super) fn statistics(&self) -> storage::Statistics {
        self.manager.log().statistics()
    }

    /// Tells two things: a message went to a waiting getter without the log, and one came back on the way.
    pub(super) fn hand_overs(&self) -> (bool, bool) {
        let counters = self.manager.figures().queue_counters();
        let any = |count: fn(&QueueCounters) -> u64| counters.iter().any(|(_, queue)| count(queue) > 0);
        (any(|queue| queue.handed_over), any(|queue| queue.taken_back))
    }

    /// True if the log began anew in used space.
    pub(super) fn has_lapped(&self) -> bool {
        let storage = settings().storage;
        self.manager.durable().lsn().0 > storage.extent_bytes * u64::from(storage.primary_extents)
    }

    /// Number of connected programs, as the queue manager knows.
    pub(super) fn connections(&self) -> usize {
        self.manager.figures().connections()
    }

    /// The power fails and comes back.
    pub(super) fn crash(&mut self, random: &mut Random) -> Result<(), String> {
        let policy = CrashPolicy::random(random);
        let after = self.machine.disk.crash(random, policy);
        self.machine.disk.cut_power();
        self.ends.clear();
        let clock = self.machine.clock.clone();
        after.attach_clock(&clock);
        let machine = Machine { clock, ..Machine::with_disk(after, random.next_u64()) };
        machine.disk.attach_clock(&machine.clock);
        machine.disk.lie_about_flushes(self.disk_lies);
        let (manager, listener) = start(&machine)?;
        (self.machine, self.manager, self.listener) = (machine, manager, listener);
        Ok(())
    }
}

fn start(machine: &Machine) -> Result<(QueueManager, Arc<Listener>), String> {
    let listener = Arc::new(Listener::default());
    let manager = QueueManager::open(machine.world(), settings(), listener.clone())
        .map_err(|error| format!("does not start: {error}"))?;
    // Puts wait for getters as beside a slow disk.
    manager.log().forces_take(Duration::from_millis(1));
    Ok((manager, listener))
}
