//! The agent of an AMQP client's connection: frames in, verbs, frames out.
//!
//! Lives here: the loop over frames, and the turn at the output. `login` lets clients in, `sessions` begins
//! and ends sessions, `attaching` links; `link` is one link, `incoming` puts messages that come by one,
//! `outgoing` sends messages by one and hears their outcomes, `branch_calls` takes calls on branches,
//! `pending` makes frames of what waits at the gate, `deliveries` knows what is not settled,
//! `subscription_life` how long subscriptions last, `errors` has conditions for reasons, `keep_alive`
//! judges silence.
//!
//! Always: what a link has to say leaves in order and only through [`release`](Agent::release); a link's
//! gate holds up no other link.

mod address;
mod attaching;
mod attachment;
mod branch_calls;
mod deliveries;
mod errors;
mod filters;
mod held;
mod holding;
mod identifiers;
mod incoming;
mod keep_alive;
mod link;
mod login;
mod outgoing;
mod owner;
mod paused;
mod pending;
mod session;
mod sessions;
mod subscription_life;
mod transaction;
mod transactions;

use std::collections::BTreeMap;
use std::sync::Arc;

use amqp::engine::{self, Event, Stage};
use amqp::{Condition, Fault, Scope};
use bytes::{Buf, BytesMut};
use mqi::{ObjectName, Reason};
use platform::Monotonic;
use queue_manager::{AmqpTerms, ChannelInstance, ClientProgress, Principal, QueueManager, Substate};
use storage::{Durable, Lsn};
use wire::Output;
use zeroize::Zeroize;

use crate::agent::{Agent, Close, PeerInfo};
use crate::client_connection::limits::Limits;
use crate::gate::{self, Turn};
use crate::inbox::{Arrived, Inbox};
use crate::logins::{Logins, Standing};
use crate::patience::{Entrance, Patience};
use crate::pending_connection::PendingConnection;
use crate::streams::WAITING_BYTES_MAX;
use attachment::Attachment;
use deliveries::Deliveries;
use identifiers::Identifiers;
use keep_alive::KeepAlive;
use link::Link;
use owner::LinkId;
use paused::Paused;
use pending::{AmqpWay, News, Pending, Sink};
use session::Session;
use subscription_life::Holds;
use transaction::{Transaction, Transactions};

/// Bytes of a message that links take beside those of its payload: many properties, and still a bound.
const SECTIONS_BYTES_MAX: u64 = 64 * 1024;

/// One AMQP client's connection with its sessions and links. Dropping it ends them.
pub struct AmqpConnection {
    queue_manager: QueueManager,
    peer: PeerInfo,
    limits: Limits,
    /// The channel that it comes by.
    channel: ObjectName,
    /// The terms of the channel, from the Open on.
    terms: Option<AmqpTerms>,
    engine: engine::Connection,
    logins: Option<Arc<dyn Logins>>,
    /// The state of the user that was proved.
    standing: Option<Arc<dyn Standing>>,
    /// Says whether a login is being judged, and nothing is read meanwhile.
    is_judged: bool,
    /// Says whether the client was let in.
    is_let_in: bool,
    /// Says whether its Open was answered.
    is_open_sent: bool,
    /// The condition for which its channel does not take it.
    busy_as: Option<Condition>,
    principal: Principal,
    /// The name of the client.
    container: String,
    instance: Option<ChannelInstance>,
    /// The progress that the instance is told.
    progress: ClientProgress,
    /// Frames that wait for nothing.
    greeting: Vec<u8>,
    inbox: Arc<Inbox<Pending>>,
    /// The list exchanged with the inbox.
    arrived: Arrived<Pending>,
    sessions: BTreeMap<u16, Session>,
    /// Holds of subscriptions that may not begin to end before the connection does.
    holds: Holds,
    links: BTreeMap<LinkId, Link>,
    next_link: LinkId,
    /// The parts of attaches that hold for their links.
    attachments: BTreeMap<LinkId, Attachment>,
    deliveries: Deliveries,
    identifiers: Identifiers,
    transactions: Transactions,
    /// Links with something to send.
    listed: Vec<LinkId>,
    /// Facts that became known at the output and are to be acted on.
    news: Vec<News>,
    /// Says whether links that receive may be short of credit, or sessions of window.
    wants_credit: bool,
    /// Links whose messages find no room.
    paused: Paused,
    /// Messages that wait at links, and their bytes.
    held_messages: usize,
    held_bytes: usize,
    /// Bytes of messages that are on their way in.
    arriving_bytes: usize,
    /// Bytes of output that were not written at the last release.
    backlog: usize,
    has_whole_frames: bool,
    has_partial_frame: bool,
    frames: u64,
    patience: Patience,
    keep_alive: KeepAlive,
    lowest_need: Option<Lsn>,
    /// Links that have something to send once the log is durable further.
    waiting_for_log: usize,
    /// The transfer or the attach at the front of the input waits for something.
    held_back: Option<HeldBack>,
    failure: Option<Close>,
    /// Says whether its client has closed it, or the queue manager ended it for a reason of its own: no
    /// program failed.
    is_ended: bool,
}

/// The reason for which a transfer or an attach waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HeldBack {
    /// Room in the log.
    Room,
    /// Messages before it that wait for room on their queues.
    Held,
    /// The getter of the message that was put before it in this session.
    Getter(u16),
    /// The answers to the detaches before it in this session: its handle may be that of such a link.
    Detaches(u16),
}

/// Of what a client had not settled when its connection broke, its program may have had the first of each
/// link, and failed with it: a message with which every program fails is moved aside in the end. Where it
/// had accepted one in a transaction that is one counts, and no other.
impl Drop for AmqpConnection {
    fn drop(&mut self) {
        if self.is_ended {
            return;
        }
        let gone = self.transactions.take_unless(|_| false);
        let counted: Vec<LinkId> = gone.iter().flat_map(Transaction::receivers).collect();
        self.back_out_all(gone);
        let first = self.deliveries.first_of_links().into_iter();
        for (channel, delivery) in first.filter(|(_, delivery)| !counted.contains(&delivery.link)) {
            let session = self.sessions.get_mut(&channel);
            if let Some(verbs) = session.and_then(|session| session.connection.as_mut()) {
                verbs.give_back_counted(owner::token(delivery.link, delivery.number));
            }
        }
    }
}

impl AmqpConnection {
    /// The connection of a client that comes by this channel.
    #[must_use]
    pub fn new(pending: PendingConnection, channel: ObjectName) -> Self {
        let PendingConnection { queue_manager, peer, limits, logins, waker } = pending;
        let accepted = peer.accepted;
        let handles_max = 255;
        let engine = engine::Connection::new(engine::Limits {
            handle_max: handles_max,
            message_bytes_max: u64::from(limits.channel.message_bytes_max) + SECTIONS_BYTES_MAX,
            ..engine::Limits::default()
        });
        Self {
            queue_manager,
            peer,
            limits,
            channel,
            terms: None,
            engine,
            logins,
            standing: None,
            is_judged: false,
            is_let_in: false,
            is_open_sent: false,
            busy_as: None,
            principal: Principal::nobody(),
            container: String::new(),
            instance: None,
            progress: ClientProgress::default(),
            greeting: Vec::new(),
            inbox: Arc::new(Inbox::new(waker)),
            arrived: Arrived::default(),
            sessions: BTreeMap::new(),
            holds: Holds::default(),
            links: BTreeMap::new(),
            next_link: LinkId(0),
            attachments: BTreeMap::new(),
            deliveries: Deliveries::default(),
            identifiers: Identifiers::default(),
            transactions: Transactions::default(),
            listed: Vec::new(),
            news: Vec::new(),
            wants_credit: false,
            paused: Paused::default(),
            held_messages: 0,
            held_bytes: 0,
            arriving_bytes: 0,
            backlog: 0,
            has_whole_frames: false,
            has_partial_frame: false,
            frames: 0,
            patience: Patience::since(accepted),
            keep_alive: KeepAlive::default(),
            lowest_need: None,
            waiting_for_log: 0,
            held_back: None,
            failure: None,
            is_ended: false,
        }
    }

    /// Acts on what arrived.
    fn run(&mut self, event: Event<'_>) -> Result<(), Close> {
        match event {
            Event::Nothing => Ok(()),
            Event::Header(protocol) => self.header(protocol),
            Event::Login(step) => self.log_in(&step),
            Event::Open(open) => self.open(&open),
            Event::Begin(channel, _) => {
                self.begin(channel);
                Ok(())
            }
            Event::Attach(channel, attach) => self.attach(channel, &attach),
            Event::Flow(channel, flow) => {
                self.flow(channel, &flow);
                Ok(())
            }
            Event::Transfer(channel, transfer, part) => self.transfer(channel, &transfer, &part),
            Event::Disposition(channel, disposition) => self.disposition(channel, &disposition),
            Event::Detach(channel, handle, closed) => {
                self.detach(channel, handle, closed);
                Ok(())
            }
            Event::End(channel) => {
                self.end(channel);
                Ok(())
            }
            Event::Close(_) => {
                let channels: Vec<u16> = self.sessions.keys().copied().collect();
                channels.into_iter().for_each(|channel| self.flush_session(channel));
                self.is_ended = true;
                Err(Close::Disconnected)
            }
        }
    }

    /// Ends what a fault of the client ends.
    fn end_by(&mut self, fault: Fault) -> Result<(), Close> {
        let error = amqp::ErrorField::new(fault.condition, fault.text.clone());
        match fault.scope {
            Scope::Connection => return Err(Close::Fault(fault)),
            Scope::Session(channel) => {
                // What its client was sending or settling by it may be of any transaction.
                self.transactions.doom_all(Reason::BACKED_OUT);
                self.drop_session(channel);
                self.engine.put_end(&mut self.greeting, channel, Some(&error));
            }
            Scope::Link(channel, handle) => self.end_link(channel, handle, &error),
        }
        Ok(())
    }

    /// Says whether the frame at the front of the input is a transfer or an attach that had better wait.
    fn must_wait(&self, input: &[u8]) -> Option<HeldBack> {
        if self.engine.stage() != Stage::Open || input.len() < 8 {
            return None;
        }
        let channel = u16::from_be_bytes([input[6], input[7]]);
        // A descriptor of a transfer in its usual form; in another it is not held back, which is safe.
        if input.get(8..11) == Some(&[0x00, 0x53, 0x14]) {
            if self.queue_manager.log().paces() {
                return Some(HeldBack::Room);
            }
            if self.holds_much() {
                return Some(HeldBack::Held);
            }
            return self.awaits_getter(channel).then_some(HeldBack::Getter(channel));
        }
        // The type first: links are looked through for an attach alone, not for each settlement.
        let waits = engine::Connection::is_attach(input) && self.owes_detach(channel);
        waits.then_some(HeldBack::Detaches(channel))
    }

    /// Says whether a message that came by this session is on its way to a getter without the log.
    fn awaits_getter(&self, channel: u16) -> bool {
        let verbs = self.sessions.get(&channel).and_then(|session| session.connection.as_ref());
        verbs.is_some_and(queue_manager::Connection::is_handing)
    }

    /// Says whether the end of a link of this session is still to be answered.
    fn owes_detach(&self, channel: u16) -> bool {
        self.links.values().any(|link| link.owner.channel == channel && link.is_ending)
    }

    /// Says whether no more is read meanwhile. Where answers wait for the client's window it is read on,
    /// since the flow that opens it is still to come.
    fn is_full(&self) -> bool {
        let listed = self.listed.iter().filter_map(|link| self.links.get(link));
        let waiting = listed.filter(|link| !link.is_shut(&self.engine)).map(Link::replies);
        let (replies, bytes) = waiting.fold((0, 0), |all, link| (all.0 + link.0, all.1 + link.1));
        self.backlog + bytes > self.limits.output_bytes_max || replies > self.limits.replies_max
    }

    /// Notes that a link may have something to send.
    fn list(&mut self, id: LinkId) {
        if let Some(link) = self.links.get_mut(&id)
            && link.enlist()
        {
            self.listed.push(id);
        }
    }

    /// Takes what other threads completed.
    fn drain(&mut self) {
        let mut arrived = std::mem::take(&mut self.arrived);
        self.inbox.take(&mut arrived);
        if let Some(verdict) = arrived.verdict.take() {
            self.hear_verdict(*verdict);
        }
        for (ticket, answer) in arrived.answers.drain(..) {
            let id = LinkId(ticket.link());
            if let Some(link) = self.links.get_mut(&id) {
                link.replies.push(answer);
                self.list(id);
            }
        }
        for (token, outcome) in arrived.outcomes.drain(..) {
            let (id, number) = owner::of_token(token);
            if let Some(link) = self.links.get_mut(&id) {
                link.delivered(number, outcome);
                self.list(id);
            }
        }
        self.arrived = arrived;
    }

    /// Sends what the gate lets through, link after link; true when some had no turn.
    fn send(&mut self, proof: Durable, output: &mut Output) -> bool {
        let output_bytes_max = self.limits.output_bytes_max;
        let is_full = self.is_full();
        let Self {
            engine, deliveries, attachments, identifiers, news, paused, links, sessions, listed, ..
        } = self;
        let known = (&mut *attachments, &*identifiers);
        let way = AmqpWay::new(output, engine, deliveries, known, news, paused, output_bytes_max);
        let mut sink = Sink { proof, way };
        let mut is_held = false;
        if !is_full {
            is_held = link::deliver(links, sessions, listed, &mut sink);
        }
        let round = gate::take_turns(listed, &mut Vec::new(), &mut sink, |id, sink| {
            let Some(link) = links.get_mut(&id) else { return Turn::Empty };
            // A message goes on when the client's window opens, with a flow of it.
            if link.is_shut(sink.way.engine()) {
                return Turn::Awaits;
            }
            let turn = link.replies.turn(sink);
            link.is_listed = turn != Turn::Empty;
            turn
        });
        sink.way.flush();
        self.progress.messages += sink.way.sent();
        (self.lowest_need, self.waiting_for_log) = (round.lowest_need, round.waiting_for_log);
        is_held | round.is_held
    }
}

impl AmqpConnection {
    /// Runs the frames at the front of the input.
    fn receive_frames(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        (self.has_whole_frames, self.held_back) = (false, None);
        if let Some(close) = self.failure.take() {
            return Err(close);
        }
        for _ in 0..self.limits.frames_per_call {
            if self.is_full() {
                self.has_whole_frames = true;
                return Ok(());
            }
            if self.is_judged {
                return Ok(());
            }
            self.held_back = self.must_wait(input);
            if self.held_back.is_some() {
                return Ok(());
            }
            match self.engine.step(input) {
                Ok(None) => {
                    self.has_partial_frame = !input.is_empty();
                    return Ok(());
                }
                Ok(Some(step)) => {
                    let (bytes, is_login) = (step.bytes, matches!(step.event, Event::Login(_)));
                    self.frames += 1;
                    let ran = self.run(step.event);
                    if is_login {
                        // Credentials may have been in it.
                        input[..bytes].zeroize();
                    }
                    ran?;
                    input.advance(bytes);
                }
                Err(fault) => {
                    self.end_by(fault)?;
                    let bytes = engine::Connection::frame_bytes(input);
                    input.advance(bytes);
                }
            }
        }
        self.has_whole_frames = !input.is_empty();
        Ok(())
    }

    /// Tells the displays of its channel what came and went. `was_behind` says that output of earlier turns
    /// still waited.
    fn tell_progress(&mut self, output: &Output, was_behind: bool) {
        let Some(instance) = &self.instance else { return };
        self.progress.traffic.note_sent(output.written_in_all() + output.len() as u64);
        self.progress.substate = match () {
            () if self.held_back == Some(HeldBack::Room) || self.held_messages > 0 => Substate::InPut,
            () if self.waiting_for_log > 0 => Substate::InCall,
            () if was_behind => Substate::Sending,
            () => Substate::Receiving,
        };
        instance.tell(&self.progress);
    }
}

impl Agent for AmqpConnection {
    fn receive(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        let before = input.len();
        let received = self.receive_frames(input);
        self.progress.traffic.count_read(before.saturating_sub(input.len()));
        received
    }

    fn has_more(&self) -> bool {
        self.has_whole_frames && !self.is_full()
    }

    fn is_let_in(&self) -> bool {
        self.is_let_in
    }

    fn wants_input(&self) -> bool {
        !self.is_full() && !self.is_paced() && !self.is_judged
    }

    fn is_paced(&self) -> bool {
        match self.held_back {
            None => false,
            Some(HeldBack::Room) => self.queue_manager.log().paces(),
            Some(HeldBack::Held) => self.holds_much(),
            Some(HeldBack::Getter(channel)) => self.awaits_getter(channel),
            Some(HeldBack::Detaches(channel)) => self.owes_detach(channel),
        }
    }

    fn holds_back(&self) -> bool {
        self.held_back.is_some()
    }

    fn has_put_aside(&self) -> bool {
        self.held_messages > 0
    }

    fn release(&mut self, proof: Durable, output: &mut Output) -> bool {
        let before = output.len();
        self.drain();
        self.resume_held();
        output.cork().append(&mut self.greeting);
        if self.keep_alive.take_due() {
            engine::Connection::put_empty(output.cork());
        }
        self.drain_links();
        let is_held = self.send(proof, output);
        let acted = self.act_on_news();
        self.renew_credit();
        output.cork().append(&mut self.greeting);
        self.backlog = output.len();
        if self.backlog > before {
            self.keep_alive.sent();
        }
        self.tell_progress(output, before > 0);
        let is_full = self.is_full();
        // What only the log holds back goes on when that is durable further: asking again does not help.
        let awaits_gate = is_full && !is_held && self.backlog <= self.limits.output_bytes_max;
        is_held || acted || !awaits_gate && (self.has_whole_frames || is_full)
    }

    fn lowest_need(&self) -> Option<Lsn> {
        self.lowest_need
    }

    fn waiting_for_log(&self) -> usize {
        self.waiting_for_log
    }

    fn go_on(&mut self) {
        if self.links.is_empty() || self.is_full() {
            return;
        }
        self.drain();
        let Self { links, sessions, listed, .. } = self;
        let mut waiting_bytes = 0;
        for (id, link) in links {
            if waiting_bytes > WAITING_BYTES_MAX {
                return;
            }
            link.go_on(sessions);
            waiting_bytes += link.replies().1;
            if link.enlist() {
                listed.push(*id);
            }
        }
    }

    fn tick(&mut self, now: Monotonic) -> Result<(), Close> {
        if let Some(close) = self.failure.take() {
            return Err(close);
        }
        if self.instance.as_ref().is_some_and(ChannelInstance::is_ended) {
            return Err(Close::ChannelStopped);
        }
        if let Some(instance) = &mut self.instance {
            instance.note_time(|| self.queue_manager.channels().time_of_day());
        }
        if self.standing.as_ref().is_some_and(|standing| !standing.holds()) {
            return Err(Close::UserEnded);
        }
        let seconds = self.limits.login_seconds;
        let entrance = match (self.is_open_sent, self.is_judged) {
            (true, _) => Entrance::Open,
            (false, true) => Entrance::Judged,
            (false, false) => Entrance::Outside,
        };
        self.patience.judge_login(now, entrance, seconds)?;
        let partial = (self.has_partial_frame && self.wants_input()).then_some(self.frames);
        self.patience.judge_frame(now, partial, seconds)?;
        self.grow_ahead();
        self.give_up_arriving(now);
        self.ask_for_room(now);
        let reads = self.wants_input() && !self.holds_back();
        self.keep_alive.judge(now, self.frames, self.is_open_sent, reads)
    }

    fn due(&self) -> Option<Monotonic> {
        if self.is_open_sent { self.keep_alive.due() } else { None }
    }

    fn stopped(&self) -> Option<Close> {
        if !self.is_open_sent && self.failure.is_some() {
            return self.failure.clone();
        }
        let mut verbs = self.sessions.values().filter_map(|session| session.connection.as_ref());
        (self.inbox.is_stopped() && verbs.all(queue_manager::Connection::has_ended)).then_some(Close::Stopped)
    }

    fn farewell(&mut self, close: &Close, output: &mut Output) {
        self.is_ended |= matches!(
            close,
            Close::Stopped
                | Close::ChannelStopped
                | Close::UserEnded
                | Close::Refused { reason: Reason::Q_MGR_STOPPING, .. }
        );
        self.last_word(close, output);
    }
}

impl std::fmt::Debug for AmqpConnection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("AmqpConnection")
            .field("origin", &self.peer.origin)
            .field("stage", &self.engine.stage())
            .finish_non_exhaustive()
    }
}
