//! The connections of a reactor as the queue manager serves them: bytes to agents, gated output to sockets, and the
//! log driven in between.
//!
//! The end of a tick, in order: what needs no force is released and written; then, if the log has work, what other
//! sockets brought meanwhile is taken first (it shares the force, `gathering`); then the block is written, here or by the log's
//! thread; then what the force made durable is released.
//!
//! Always: output reaches a socket through `ClientConnection::release` with proof of durability, nowhere else.

use std::io::IoSlice;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agents::{ClientConnection, Close, Control, PeerInfo};
use bytes::BytesMut;
use mqi::Reason;
use objects::messages::{ACCEPTING_PAUSED, CONNECTION_BROKEN, NOT_THE_PROTOCOL, TURNED_AWAY};
use platform::{
    Clock,
    os::{OsClock, users},
};
use queue_manager::QueueManager;
use storage::{Durable, Lsn};
use transport::output::SLICES_MAX;
use transport::spin;
use transport::{Accepted, Closed, ConnectionId, Flow, Handler, Next, Outgoing, Peer, Refused, Tick, Wake};

use crate::driving::Driving;
use crate::ending::{Ending, Phase};
use crate::errors::ErrorLog;
use crate::gathering::{self, CommitDelay, Gathering};
use crate::host::{Interest, ServerHost};

/// How often an agent is told that time passes.
const AGENT_TICK: Duration = Duration::from_secs(1);

/// How long records may stay unwritten when nobody waits for them: long enough that a commit takes them along, short
/// enough that the commit's own write stays small.
const UNNEEDED_WRITE_DELAY: Duration = Duration::from_millis(1);

/// How soon to look again whether a put that waits for room in the log finds it.
const PACE: Duration = Duration::from_millis(1);

/// How often output is encoded and written for one connection before others have their turn.
const RELEASES_MAX: u32 = 8;

/// Output of a connection: the agent's, as the reactor writes it.
#[derive(Default)]
pub(crate) struct Frames(agents::Output);

impl Outgoing for Frames {
    fn pending(&self) -> usize {
        self.0.len()
    }

    fn gather<'a>(&'a self, slices: &mut [IoSlice<'a>; SLICES_MAX]) -> usize {
        self.0.slices(slices)
    }

    fn written(&mut self, bytes: usize) {
        self.0.advance(bytes);
    }
}

/// Wakes the reactor for a connection.
struct Waker(Arc<Wake>);

impl agents::Wake for Waker {
    fn wake(&self) {
        self.0.wake();
    }
}

/// One connection.
pub(crate) struct Served {
    agent: ClientConnection,
    origin: String,
    /// Listed among those that wait for the log.
    is_gated: bool,
    /// Its input waits until output was written, or until the log has room.
    is_paused: bool,
    /// Listed among those whose puts wait for room in the log.
    is_listed_paced: bool,
    /// It is at its end; what is gated still goes out first.
    close: Option<Close>,
}

/// What all reactors of a queue manager share.
#[derive(Clone)]
pub(crate) struct Common {
    pub(crate) queue_manager: QueueManager,
    pub(crate) host: Arc<ServerHost>,
    pub(crate) errors: ErrorLog,
    pub(crate) ending: Arc<Ending>,
    pub(crate) limits: agents::Limits,
    pub(crate) driving: Driving,
    pub(crate) commit_delay: CommitDelay,
    pub(crate) started: Instant,
}

/// The handler of one reactor.
pub(crate) struct Serving {
    common: Common,
    holds_gated: Arc<Interest>,
    gated: Vec<ConnectionId>,
    /// Those whose output had no room or no turn left.
    unfinished: Vec<ConnectionId>,
    /// Those whose puts wait for room in the log.
    paced: Vec<ConnectionId>,
    gathering: Gathering,
    /// Ticks for which output that needed no force counts as traffic that a force would hold up.
    ungated_traffic: u32,
    connections: usize,
    /// When the log is written at the latest although nobody here waits for it.
    write_by: Option<Instant>,
    is_listening: bool,
}

type Ticking<'a> = Tick<'a, Served, Frames>;

impl Serving {
    pub(crate) fn new(common: Common, holds_gated: Arc<Interest>) -> Self {
        let gathering = Gathering::new(common.commit_delay);
        Self {
            common,
            holds_gated,
            gated: Vec::new(),
            unfinished: Vec::new(),
            paced: Vec::new(),
            gathering,
            ungated_traffic: 0,
            connections: 0,
            write_by: None,
            is_listening: true,
        }
    }

    /// Releases what a connection may send and writes it. Returns whether bytes went out.
    fn serve(&mut self, id: ConnectionId, proof: Durable, tick: &mut Ticking<'_>) -> bool {
        let mut wrote = false;
        let mut idle = 0;
        if let Some((served, _)) = tick.get(id)
            && served.close.is_none()
            && let Some(close) = served.agent.stopped()
        {
            self.common.end(served, close);
        }
        for _ in 0..RELEASES_MAX {
            let Some((served, output)) = tick.get(id) else { return wrote };
            self.obey(served);
            // A paused agent learns that its output went only by being asked again.
            let wants_more = served.agent.release(proof, &mut output.0) || served.is_paused;
            if output.pending() > 0 {
                wrote = true;
                tick.flush(id);
            } else {
                idle += 1;
            }
            let Some((_, output)) = tick.get(id) else { return wrote };
            // What the kernel did not take raises an event when it can; then the rest follows. An agent that was full
            // learns in one release that its output went, and goes on in the next: only the second empty one is the last.
            if !wants_more || idle == 2 || output.pending() > 0 {
                self.settle(id, tick);
                return wrote;
            }
        }
        self.unfinished.push(id);
        self.settle(id, tick);
        wrote
    }

    /// After a release: resumes input, lists the connection with those that wait for the log, ends it.
    fn settle(&mut self, id: ConnectionId, tick: &mut Ticking<'_>) {
        let Some((served, output)) = tick.get(id) else { return };
        let waits = served.agent.lowest_need().is_some();
        if waits && !served.is_gated {
            served.is_gated = true;
            self.gated.push(id);
        }
        if let Some(close) = &served.close {
            if waits {
                return;
            }
            served.agent.farewell(close, &mut output.0);
            tick.finish(id);
        } else if served.is_paused && served.agent.wants_input() {
            served.is_paused = false;
            tick.resume(id);
        } else if (served.is_paused && served.agent.holds_back_a_put() || served.agent.has_put_aside())
            && !served.is_listed_paced
        {
            served.is_listed_paced = true;
            self.paced.push(id);
        }
    }

    /// Takes the input of those again whose puts waited for room in the log and may find it now.
    fn resume_paced(&mut self, proof: Durable, tick: &mut Ticking<'_>) {
        for id in std::mem::take(&mut self.paced) {
            let Some((served, _)) = tick.get(id) else { continue };
            served.is_listed_paced = false;
            self.serve(id, proof, tick);
        }
    }

    /// Does what only the host can do.
    fn obey(&self, served: &mut Served) {
        while let Some(control) = served.agent.take_control() {
            let answer = match control {
                Control::Stop(mode, _) => {
                    self.common.ending.ask(mode.into(), &served.origin);
                    agents::Answer::Stopping
                }
                Control::Statistics(_) => agents::Answer::Statistics(crate::statistics::tell(&self.common)),
            };
            served.agent.answer(&control, &answer);
        }
    }

    /// Serves those whose gate the proof opens.
    fn open_gates(&mut self, proof: Durable, tick: &mut Ticking<'_>) {
        for id in std::mem::take(&mut self.gated) {
            let Some((served, _)) = tick.get(id) else { continue };
            if served.agent.lowest_need().is_some_and(|need| need > proof.lsn()) {
                self.gated.push(id);
                continue;
            }
            served.is_gated = false;
            self.serve(id, proof, tick);
        }
    }

    /// Has the log written if it is worth it, after asking other sockets for more for the same block; releases what
    /// that made durable.
    fn look_after_log(&mut self, proof: Durable, touched: bool, tick: &mut Ticking<'_>) -> Next {
        if !self.common.queue_manager.log_waits() {
            self.begin_next_block();
            return Next::Wait;
        }
        if !self.is_worth_a_write() {
            return Next::Wait;
        }
        let waiting =
            || self.gated.iter().filter_map(|id| Some(tick.get(*id)?.0.agent.waiting_for_log())).sum();
        match self.gathering.next(touched, waiting) {
            gathering::Then::Looks => return Next::Again,
            gathering::Then::GivesWay => {
                spin::give_way_for(gathering::STEP);
                return Next::Again;
            }
            gathering::Then::Writes => self.begin_next_block(),
        }
        self.ungated_traffic = self.ungated_traffic.saturating_sub(1);
        let driven = self.drive(proof, tick);
        if driven.lsn() == proof.lsn() {
            return Next::Wait;
        }
        self.open_gates(driven, tick);
        if self.common.queue_manager.log_waits() { Next::Again } else { Next::Wait }
    }

    /// What is appended from now on waits for nobody yet.
    fn begin_next_block(&mut self) {
        self.gathering.begin_anew();
        self.write_by = None;
    }

    /// Whether somebody here waits for what the log has not written, or it has waited long enough for somebody. Puts of
    /// a unit of work need no write of their own: the commit's takes them along.
    fn is_worth_a_write(&mut self) -> bool {
        let now = Instant::now();
        let by = *self.write_by.get_or_insert(now + UNNEEDED_WRITE_DELAY);
        !self.gated.is_empty() || now >= by
    }

    /// Has the log written, here or by its thread. Returns what is durable then.
    fn drive(&mut self, before: Durable, tick: &mut Ticking<'_>) -> Durable {
        let holds_up = self.ungated_traffic > 0 && self.connections > 1 || tick.more_is_ready();
        if !self.common.driving.inline(self.common.host.writes.recent(), holds_up) {
            self.common.host.log_bell.unpark();
            return before;
        }
        let began = Instant::now();
        let proof = self.common.queue_manager.drive();
        if proof.lsn() > before.lsn() {
            self.common.host.writes.took(began.elapsed());
        }
        proof
    }

    /// Tells the agents that are due that time passes, each once a second from when it connected.
    fn pass_time(&mut self, proof: Durable, tick: &mut Ticking<'_>) {
        while let Some(id) = tick.next_due() {
            let Some((served, _)) = tick.get(id) else { continue };
            if served.close.is_none()
                && let Err(close) = served.agent.tick(OsClock.now())
            {
                self.common.end(served, close);
            }
            tick.set_deadline(id, Some(Instant::now() + AGENT_TICK));
            self.serve(id, proof, tick);
        }
    }

    /// Every connection is at its end as soon as what it waits for is out.
    fn finish_all(&mut self, tick: &mut Ticking<'_>) {
        let proof = self.common.queue_manager.durable();
        for id in tick.ids() {
            let Some((served, _)) = tick.get(id) else { continue };
            if served.close.is_none() {
                let text = "the queue manager ends".to_owned();
                served.close = Some(Close::Refused { reason: Reason::Q_MGR_STOPPING, text });
                self.serve(id, proof, tick);
            }
        }
    }

    /// What the end of the queue manager asks of this reactor; true when it is to end.
    fn is_over(&mut self, tick: &mut Ticking<'_>) -> bool {
        let phase = self.common.ending.phase();
        if phase >= Phase::Refuses && self.is_listening {
            self.is_listening = false;
            tick.stop_listening();
        }
        match phase {
            Phase::Runs | Phase::Refuses => false,
            Phase::Finishes => {
                self.finish_all(tick);
                self.connections == 0
            }
            Phase::Ends => true,
        }
    }
}

impl Common {
    /// A connection is at its end for this reason.
    fn end(&self, served: &mut Served, close: Close) {
        match &close {
            Close::Disconnected => {}
            Close::Protocol(error @ channel::Error::Foreign(_)) => {
                self.errors.write(&NOT_THE_PROTOCOL, [served.origin.clone(), error.to_string()]);
            }
            _ => self.errors.write(&CONNECTION_BROKEN, [served.origin.clone(), close.to_string()]),
        }
        served.close = Some(close);
    }
}

impl Handler for Serving {
    type Connection = Served;
    type Output = Frames;

    fn connected(&mut self, Accepted { peer, .. }: &Accepted, wake: Arc<Wake>) -> Served {
        self.connections += 1;
        let origin = peer.to_string();
        let (user, process) = match peer {
            Peer::Unix { user, process } => (user.map(users::name_of), *process),
            Peer::Tcp(_) => (None, None),
        };
        // Listeners are on this machine only, and whoever reaches them may administer, until there are users.
        let info = PeerInfo { origin: origin.clone(), user, process, is_administrator: true };
        let queue_manager = self.common.queue_manager.clone();
        let agent = ClientConnection::new(queue_manager, info, self.common.limits, Arc::new(Waker(wake)));
        Served { agent, origin, is_gated: false, is_paused: false, is_listed_paced: false, close: None }
    }

    fn receive(&mut self, served: &mut Served, input: &mut BytesMut, _: &mut Frames) -> Flow {
        if served.close.is_some() {
            return Flow::Stop;
        }
        match served.agent.receive(input) {
            Err(close) => {
                self.common.end(served, close);
                Flow::Stop
            }
            Ok(()) if served.agent.has_more() => Flow::More,
            Ok(()) if served.agent.wants_input() && !served.agent.holds_back_a_put() => Flow::Continue,
            Ok(()) => {
                served.is_paused = true;
                Flow::Pause
            }
        }
    }

    fn news(&mut self, served: &mut Served) {
        if served.close.is_none() {
            served.agent.go_on();
        }
    }

    fn end_of_tick(&mut self, tick: &mut Ticking<'_>) -> Next {
        let proof = self.common.queue_manager.durable();
        for id in std::mem::take(&mut self.unfinished) {
            self.serve(id, proof, tick);
        }
        self.resume_paced(proof, tick);
        let mut touched = false;
        while let Some(id) = tick.next_touched() {
            touched = true;
            if self.serve(id, proof, tick) {
                self.ungated_traffic = UNGATED_MEMORY;
            }
        }
        self.open_gates(proof, tick);
        self.pass_time(proof, tick);
        if self.is_over(tick) {
            return Next::Stop;
        }
        let written = self.look_after_log(proof, touched, tick);
        let next = if self.unfinished.is_empty() { written } else { Next::Again };
        self.watch_the_log(proof.lsn(), next)
    }

    fn closed(&mut self, served: Served, _: &Peer, _: Closed) {
        self.connections -= 1;
        served.agent.close();
    }

    fn refused(&mut self, refused: Refused) {
        match refused {
            Refused::TooMany { peer, connections_max } => {
                self.common.errors.write(&TURNED_AWAY, [peer.to_string(), connections_max.to_string()]);
            }
            Refused::NoResources(error) => self.common.errors.write(&ACCEPTING_PAUSED, [error.to_string()]),
        }
    }

    fn deadline(&mut self) -> Option<Instant> {
        let paced = (!self.paced.is_empty()).then(|| Instant::now() + PACE);
        self.write_by.into_iter().chain(paced).min()
    }
}

/// Ticks with a force for which traffic without one is remembered.
const UNGATED_MEMORY: u32 = 16;

impl Serving {
    /// Before sleeping: lets the host know whether this reactor must hear of durability, and looks once more,
    /// because the log may have advanced before it was known.
    fn watch_the_log(&mut self, seen: Lsn, next: Next) -> Next {
        if self.gated.is_empty() {
            self.holds_gated.clear();
            return next;
        }
        self.holds_gated.set();
        if next == Next::Wait && self.common.queue_manager.durable().lsn() > seen {
            return Next::Again;
        }
        next
    }
}
