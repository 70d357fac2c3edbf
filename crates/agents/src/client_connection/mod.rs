//! The agent of a client's connection: frames in, verbs, frames out.
//!
//! Lives here: the loop over frames. `login` lets clients in, `verbs` runs requests, `conversation` is one
//! application, `compressed` takes frames that are made smaller, `cover` judges its encryption, `pending`
//! encodes replies, `branch` calls of coordinators, `read_ahead` lets messages come by credit, `pacing` holds
//! requests back that must wait, `holding` keeps puts that wait for room, `administration` runs commands,
//! `script` the statements of one text, `token` names waits.
//!
//! Always: replies of a conversation leave in order and only through [`release`](Agent::release); state that
//! grows has a bound in [`Limits`].

mod administration;
mod branch;
mod compressed;
mod conversation;
mod held_put;
mod holding;
pub(crate) mod limits;
mod login;
mod pacing;
mod pending;
mod read_ahead;
mod script;
mod token;
mod verbs;

pub use limits::Limits;

use crate::agent::{Agent, Answer, Close, Control, PeerInfo, Ticket};
use crate::arriving;
use crate::compression::Compression;
use crate::gate::{self, Turn, Way as _};
use crate::inbox::{Arrived, Inbox};
use crate::logins::{Logins, Standing};
use crate::patience::{Entrance, Heartbeat, Patience};
use crate::pending_connection::PendingConnection;
use crate::streams::{DELIVERIES_PER_TURN, WAITING_BYTES_MAX};
use bytes::{Buf, BytesMut};
use channel::client::DeltaReader;
use channel::frame::LOGIN_FRAME_BYTES_MAX;
use channel::login::IDENTIFY_FRAME_BYTES_MAX;
use channel::{
    Conversation as Number, Frame, Header, Hello, Kind, Outlet, Refusals, Reply, RequestNumber, SharedBodies,
};
use conversation::Conversation;
use mqi::{MessageDescriptor, ObjectName};
use pacing::{FrameTurn, HeldBack};
use pending::{ClientWay, Pending, Told};
use platform::Monotonic;
use queue_manager::{
    ChannelInstance, ClientProgress, CommandHold, CommandRoom, ExpectedGetter, Principal, QueueManager,
    Substate,
};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;
use storage::{Durable, Lsn};
use token::Wait;
use wire::Output;
use zeroize::Zeroize;

/// Where replies of a client's conversations are sent.
type Sink<'a> = gate::Sink<'a, Pending>;

/// Stage of a connection's login.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Preamble,
    Hello,
    Identify,
    /// Its login is being judged, and nothing is read meanwhile.
    Judged,
    Open,
}

impl Stage {
    /// Longest frame before anything was agreed.
    const fn frame_bytes_max(self) -> u32 {
        match self {
            Self::Identify => IDENTIFY_FRAME_BYTES_MAX,
            Self::Preamble | Self::Hello | Self::Judged | Self::Open => LOGIN_FRAME_BYTES_MAX,
        }
    }
}

/// One client's connection with its conversations. Dropping it ends them.
pub struct ClientConnection {
    queue_manager: QueueManager,
    peer: PeerInfo,
    limits: Limits,
    stage: Stage,
    /// The judge of logins, if the host has one.
    logins: Option<Arc<dyn Logins>>,
    /// The state of the login.
    standing: Option<Arc<dyn Standing>>,
    /// The hello that waits for the credentials it announced, or for the verdict on them.
    announced: Option<Box<Hello>>,
    agreed: channel::Limits,
    /// KAINT of its channel, until the host was told.
    keep_alive: Option<Duration>,
    /// DISCINT of its channel.
    idle_seconds_max: Option<u32>,
    refused: Refusals,
    application: String,
    principal: Principal,
    /// The channel that it comes by; blank for none.
    channel: ObjectName,
    /// The instance of that channel, and the progress that it is told.
    instance: Option<ChannelInstance>,
    progress: ClientProgress,
    process: u32,
    /// The answer to the login, until it is sent.
    greeting: Vec<u8>,
    inbox: Arc<Inbox<Pending>>,
    /// The list exchanged with the inbox.
    arrived: Arrived<Pending>,
    /// By number; the first is never used.
    conversations: Vec<Option<Box<Conversation>>>,
    /// Conversations with output.
    listed: Vec<Number>,
    /// The list of those among them whose gate is closed, kept for its memory.
    gated: Vec<Number>,
    controls: VecDeque<Control>,
    /// Where descriptors are read, so that none is made for a frame.
    descriptor: MessageDescriptor,
    /// Content of the last put: puts of a program are mostly alike.
    puts_seen: DeltaReader,
    /// Says whether any conversation ever had messages come by credit.
    has_streams: bool,
    /// The bodies that the client keeps.
    bodies: SharedBodies,
    /// The compression of the connection, if one was agreed.
    compression: Option<Box<Compression>>,
    /// Bytes of frames that were expanded since other connections had their turn.
    expanded_bytes: usize,
    /// Gets that wait, of all conversations.
    waits: usize,
    /// Bytes of bodies that are on their way in.
    arriving_bytes: usize,
    /// Bytes of output that were not written at the last release.
    backlog: usize,
    /// Bytes of output that had ever been written by then.
    written: u64,
    /// Says whether the last call of `receive` left whole frames.
    has_whole_frames: bool,
    /// Says whether the input ends within a frame.
    has_partial_frame: bool,
    /// Frames received, to see progress from tick to tick.
    frames: u64,
    patience: Patience,
    lowest_need: Option<Lsn>,
    /// Conversations that have something to send once the log is durable further.
    waiting_for_log: usize,
    /// For what the put waits before which the last call of `receive` stopped.
    held_back: Option<HeldBack>,
    /// Bytes of frames that were put aside.
    aside_bytes: usize,
    /// Conversations with a put that waits for room on its queue.
    held_puts: usize,
    /// The room for commands of its user, from its first command on.
    room: Option<Arc<CommandRoom>>,
    /// Command texts that are not answered to their end, of all conversations.
    texts_under_way: usize,
    /// Parts of answers that may not be read yet.
    parts: Vec<Weak<CommandHold>>,
    /// The last long answer of the host, until it was written.
    told: Weak<Told>,
    /// Why the connection is at its end, when that was found between two calls that may say so.
    failure: Option<Close>,
}

impl ClientConnection {
    /// The connection of a program that comes by a client channel.
    #[must_use]
    pub fn new(pending: PendingConnection) -> Self {
        let PendingConnection { queue_manager, peer, limits, logins, waker } = pending;
        let accepted = peer.accepted;
        Self {
            queue_manager,
            peer,
            limits,
            stage: Stage::Preamble,
            logins,
            standing: None,
            announced: None,
            agreed: limits.channel,
            keep_alive: None,
            idle_seconds_max: None,
            refused: limits.refuses,
            application: String::new(),
            principal: Principal::nobody(),
            channel: ObjectName::BLANK,
            instance: None,
            progress: ClientProgress::default(),
            process: 0,
            greeting: Vec::new(),
            inbox: Arc::new(Inbox::new(waker)),
            arrived: Arrived::default(),
            conversations: Vec::new(),
            listed: Vec::new(),
            gated: Vec::new(),
            controls: VecDeque::new(),
            descriptor: MessageDescriptor::default(),
            puts_seen: DeltaReader::default(),
            has_streams: false,
            bodies: SharedBodies::default(),
            compression: None,
            expanded_bytes: 0,
            waits: 0,
            arriving_bytes: 0,
            backlog: 0,
            written: 0,
            has_whole_frames: false,
            has_partial_frame: false,
            frames: 0,
            patience: Patience::since(accepted),
            lowest_need: None,
            waiting_for_log: 0,
            held_back: None,
            aside_bytes: 0,
            held_puts: 0,
            room: None,
            texts_under_way: 0,
            parts: Vec::new(),
            told: Weak::new(),
            failure: None,
        }
    }

    /// Runs the frames at the front of the input.
    fn receive_frames(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        self.has_whole_frames = false;
        self.held_back = None;
        if let Some(close) = self.failure.take() {
            return Err(close);
        }
        self.take_up()?;
        if self.stage == Stage::Preamble && !self.receive_preamble(input)? {
            self.has_partial_frame = !input.is_empty();
            return Ok(());
        }
        for _ in 0..self.limits.frames_per_call {
            if self.is_full() {
                self.has_whole_frames = true;
                return Ok(());
            }
            if self.stage == Stage::Judged {
                return Ok(());
            }
            let frame_bytes_max = match self.stage {
                Stage::Open => self.agreed.frame_bytes_max,
                stage => stage.frame_bytes_max(),
            };
            let Some(frame) = Frame::decode(input, frame_bytes_max)? else {
                self.has_partial_frame = !input.is_empty();
                return Ok(());
            };
            let bytes = frame.bytes();
            if frame.header.kind == Kind::Compressed && self.stage == Stage::Open {
                let Some(was_long) = self.run_compressed(frame.payload)? else { return Ok(()) };
                input.advance(bytes);
                if was_long {
                    break;
                }
                continue;
            }
            let Some(turn) = self.turn_of(&frame, &input[..bytes]) else {
                return Ok(());
            };
            self.frames += 1;
            match (self.stage, turn) {
                (_, FrameTurn::Aside) => {}
                (Stage::Open, FrameTurn::Now) => self.run(&frame)?,
                (_, FrameTurn::Now) => {
                    let entered = self.log_in(&frame);
                    // Credentials may have been in it.
                    input[..bytes].zeroize();
                    entered?;
                }
            }
            input.advance(bytes);
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
            () if self.held_back == Some(HeldBack::ForRoom) || self.held_puts > 0 => Substate::InPut,
            () if self.waits > 0 => Substate::InGet,
            () if self.waiting_for_log > 0 => Substate::InCall,
            () if self.compression.as_ref().is_some_and(|one| one.waiting_bytes() > 0) => {
                Substate::Compressing
            }
            () if was_behind => Substate::Sending,
            () if self.patience.awaits_answer() => Substate::Heartbeating,
            () => Substate::Receiving,
        };
        instance.tell(&self.progress);
    }
}

impl Agent for ClientConnection {
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
        self.stage == Stage::Open
    }

    fn wants_input(&self) -> bool {
        !self.is_full() && !self.is_paced() && self.stage != Stage::Judged
    }

    fn holds_back(&self) -> bool {
        self.held_back.is_some()
    }

    fn is_paced(&self) -> bool {
        match self.held_back {
            None => false,
            Some(HeldBack::ForRoom) => self.queue_manager.log().paces(),
            Some(HeldBack::ForPut(conversation)) => self.holds_put(conversation),
            Some(HeldBack::ForGetter(conversation)) => self.awaits_getter(conversation),
            Some(HeldBack::ForExpected(conversation)) => self
                .conversation_at(conversation)
                .and_then(|one| one.expected.as_ref())
                .is_some_and(ExpectedGetter::is_awaited),
            Some(HeldBack::ForOutcome(conversation)) => {
                self.conversation_at(conversation).is_some_and(Conversation::awaits_outcome)
            }
            Some(HeldBack::ForTexts(bytes)) => self.room.as_ref().is_some_and(|room| !room.takes_text(bytes)),
            Some(HeldBack::ForHost) => self.awaits_host(),
            Some(HeldBack::Behind) => self.has_put_aside(),
        }
    }

    fn release(&mut self, proof: Durable, output: &mut Output) -> bool {
        let was_behind = !output.is_empty();
        let is_held = if self.compression.is_some() {
            self.release_compressed(proof, output)
        } else {
            self.release_plain(proof, output)
        };
        self.tell_progress(output, was_behind);
        is_held
    }

    fn stopped(&self) -> Option<Close> {
        if self.stage != Stage::Open && self.failure.is_some() {
            return self.failure.clone();
        }
        let is_over = |conversation: &Conversation| {
            conversation.connection.as_ref().is_none_or(queue_manager::Connection::has_ended)
        };
        let all_over = || self.conversations.iter().flatten().all(|conversation| is_over(conversation));
        (self.inbox.is_stopped() && all_over()).then_some(Close::Stopped)
    }
    fn lowest_need(&self) -> Option<Lsn> {
        self.lowest_need
    }

    fn waiting_for_log(&self) -> usize {
        self.waiting_for_log
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
        // The time of a judgement is not the client's: a refusal may be put off for longer than a login may
        // take.
        let entrance = match self.stage {
            Stage::Open => Entrance::Open,
            Stage::Judged => Entrance::Judged,
            Stage::Preamble | Stage::Hello | Stage::Identify => Entrance::Outside,
        };
        self.patience.judge_login(now, entrance, seconds)?;
        let partial = (self.has_partial_frame && self.wants_input()).then_some(self.frames);
        self.patience.judge_frame(now, partial, seconds)?;
        let handing = self.is_being_handed().then_some(self.written);
        self.patience.judge_stall(now, handing)?;
        let keeping = self.keeps_room().then_some(self.written);
        self.patience.judge_unread(now, keeping)?;
        self.judge_arriving(now)?;
        self.judge_idle(now)?;
        self.heartbeat(now)
    }

    fn go_on(&mut self) {
        if !self.has_streams || self.is_full() {
            return;
        }
        self.drain();
        let mut waiting_bytes = 0;
        for conversation in self.conversations.iter_mut().flatten() {
            if waiting_bytes > WAITING_BYTES_MAX {
                return;
            }
            conversation.go_on();
            waiting_bytes += conversation.replies.bytes();
        }
    }

    fn has_put_aside(&self) -> bool {
        self.aside_bytes > 0 || self.held_puts > 0
    }

    fn expects_getter(&self) -> bool {
        (self.held_back.is_some() || self.aside_bytes > 0) && self.has_expected()
    }

    fn farewell(&mut self, close: &Close, output: &mut Output) {
        if let Some(compression) = &mut self.compression {
            compression.pass_plain(output);
        }
        self.last_word(close, output);
    }

    fn take_control(&mut self) -> Option<Control> {
        self.controls.pop_front()
    }

    fn take_keep_alive(&mut self) -> Option<Duration> {
        self.keep_alive.take()
    }

    fn answer(&mut self, control: &Control, answer: &Answer) {
        self.answer_host(control, answer);
    }
}

impl ClientConnection {
    /// Encodes what may be known outside, as [`release`](Agent::release) says.
    fn release_plain(&mut self, proof: Durable, output: &mut Output) -> bool {
        let before = output.len();
        self.drain();
        self.answer_further();
        output.cork().append(&mut self.greeting);
        if self.failure.is_none() {
            self.failure = self.take_up().err();
        }
        if self.patience.take_due() {
            let header = Header::new(Kind::Heartbeat, Number::CONNECTION, RequestNumber(0));
            Reply::Heartbeat.encode(output.cork(), header);
        }
        if self.has_streams && !self.bodies.have_begun() && self.has_several_streams() {
            self.bodies.begin();
        }
        let (fragment_bytes, output_bytes_max) = (self.agreed.fragment_bytes(), self.limits.output_bytes_max);
        let mut bodies = std::mem::take(&mut self.bodies);
        let outlet = Outlet { output, bodies: &mut bodies };
        let mut sink =
            Sink { proof, way: ClientWay { outlet, fragment_bytes, output_bytes_max, delivered: 0 } };
        let mut is_held = self.deliver(&mut sink);
        let conversations = &mut self.conversations;
        let round = gate::take_turns(&mut self.listed, &mut self.gated, &mut sink, |number, sink| {
            let Some(conversation) = conversations[usize::from(number.0)].as_mut() else {
                return Turn::Empty;
            };
            let turn = conversation.replies.turn(sink);
            conversation.is_listed = turn != Turn::Empty;
            turn
        });
        is_held |= round.is_held;
        (self.lowest_need, self.waiting_for_log) = (round.lowest_need, round.waiting_for_log);
        self.progress.messages += sink.way.delivered;
        self.bodies = bodies;
        self.backlog = output.len();
        self.written = output.written_in_all();
        if self.backlog > before {
            self.patience.sent();
        }
        let has_part = self.texts_under_way > 0 && self.backlog > 0;
        let is_full = self.is_full();
        // What only the log holds back goes on when that is durable further: asking again does not help.
        let awaits_gate = is_full && !is_held && self.backlog <= output_bytes_max;
        is_held || has_part || !awaits_gate && (self.has_whole_frames || is_full)
    }

    /// Says whether messages are on their way to this client without the log.
    fn is_being_handed(&self) -> bool {
        self.backlog > 0
            && (self.conversations.iter().flatten())
                .any(|one| one.connection.as_ref().is_some_and(queue_manager::Connection::is_being_handed))
    }

    /// Ends a client that brings nothing more of a message it has half sent, while others need the room.
    fn judge_arriving(&mut self, now: Monotonic) -> Result<(), Close> {
        let mut arriving = self.conversations.iter_mut().flatten().filter_map(|one| one.arriving.as_mut());
        let is_overdue = arriving.any(|one| one.room.is_overdue(now, one.assembly.arrived()));
        if is_overdue { Err(arriving::unfinished()) } else { Ok(()) }
    }

    /// Ends a client that has asked for nothing for as long as DISCINT of its channel allows. One that waits
    /// for an answer, or for messages, asks for something.
    fn judge_idle(&mut self, now: Monotonic) -> Result<(), Close> {
        let Some(seconds) = self.idle_seconds_max.filter(|_| self.stage == Stage::Open) else {
            return Ok(());
        };
        let is_in_call = self.conversations.iter().flatten().any(|one| {
            one.is_awaited()
                || !one.streams.is_empty()
                || !one.listening.is_empty()
                || one.has_output()
                || one.held_put.is_some()
        });
        self.patience.judge_idle(now, (!is_in_call).then_some(self.frames), seconds)
    }

    /// Asks a client that waits for a reply whether it is there. One that computes is left alone: it need not
    /// read.
    fn heartbeat(&mut self, now: Monotonic) -> Result<(), Close> {
        let agreed = self.agreed.heartbeat().filter(|_| self.stage == Stage::Open);
        let Some(interval) = agreed else {
            self.patience.note_sent(now);
            return Ok(());
        };
        let conversations = || self.conversations.iter().flatten();
        let beat = Heartbeat {
            interval,
            frames: self.frames,
            is_awaited: conversations().any(|one| one.is_awaited()),
            // Its answer may lie behind the request, unread.
            is_unread: self.holds_back(),
            // A program that may wait for a message to come, for the log or for room is told that we are
            // here, and need not answer.
            is_expecting: self.held_puts > 0
                || conversations()
                    .any(|one| !one.streams.is_empty() || !one.listening.is_empty() || one.has_output()),
        };
        self.patience.beat(now, &beat)
    }

    /// Says whether enough waits to be written that nothing more should be begun: bytes of output, bodies
    /// that are to be, or replies.
    fn is_full(&self) -> bool {
        let listed = self.listed.iter().filter_map(|number| self.conversation_at(*number));
        let (replies, bytes) = listed.fold((0, 0), |(replies, bytes), conversation| {
            (replies + conversation.replies.len(), bytes + conversation.replies.bytes())
        });
        self.backlog + bytes > self.limits.output_bytes_max || replies > self.limits.replies_max
    }

    /// Takes what other threads completed.
    fn drain(&mut self) {
        let mut arrived = std::mem::take(&mut self.arrived);
        self.inbox.take(&mut arrived);
        if self.inbox.take_quiesce() {
            self.answer_watches();
        }
        if let Some(verdict) = arrived.verdict.take() {
            self.hear_verdict(*verdict);
        }
        for (ticket, answer) in arrived.answers.drain(..) {
            self.answer_by_job(ticket, answer);
        }
        for (token, outcome) in arrived.outcomes.drain(..) {
            let wait = Wait::of(token);
            let number = wait.conversation();
            let Some(conversation) = self.conversation(number) else {
                continue;
            };
            match wait {
                Wait::Get { request, .. } => {
                    conversation.has_waited(RequestNumber(request));
                    conversation.push_got(RequestNumber(request), outcome);
                    self.waits = self.waits.saturating_sub(1);
                }
                Wait::Delivery { stream, number, .. } => conversation.delivered(stream, number, outcome),
            }
            self.list(number);
        }
        self.arrived = arrived;
    }

    /// Reports to the waiting watchers that the queue manager quiesces.
    #[cold]
    fn answer_watches(&mut self) {
        for place in 1..self.conversations.len() {
            if let Some(conversation) = &mut self.conversations[place] {
                conversation.answer_watch();
                self.list(Number(place as u16));
            }
        }
    }

    /// Lets messages come where there is credit, and sends them, what a conversation has to send before them
    /// first; true when some had no turn.
    fn deliver(&mut self, sink: &mut Sink<'_>) -> bool {
        if !self.has_streams {
            return false;
        }
        if self.is_full() {
            return self.conversations.iter().flatten().any(|one| one.can_deliver());
        }
        let mut left = DELIVERIES_PER_TURN;
        let mut is_held = false;
        let mut waiting_bytes = 0;
        for place in 1..self.conversations.len() {
            let Some(conversation) = self.conversations[place].as_mut() else {
                continue;
            };
            if !conversation.can_deliver() {
                continue;
            }
            if waiting_bytes > WAITING_BYTES_MAX {
                return true;
            }
            match conversation.has_output() {
                // What it leaves is sent in later turns, and what comes now behind that.
                true => drop(conversation.replies.turn(sink)),
                false => sink.way.begin_turn(),
            }
            let delivered = conversation.deliver(left, Some(&mut *sink));
            left = left.saturating_sub(delivered);
            is_held |= conversation.can_deliver();
            waiting_bytes += conversation.replies.bytes();
            if conversation.has_output() {
                self.list(Number(place as u16));
            }
        }
        is_held
    }

    /// Says whether messages come to more than one handle by credit.
    fn has_several_streams(&self) -> bool {
        self.conversations.iter().flatten().map(|conversation| conversation.streams.len()).sum::<usize>() > 1
    }

    /// A conversation that has begun and not ended.
    fn conversation(&mut self, number: Number) -> Option<&mut Conversation> {
        self.conversations
            .get_mut(usize::from(number.0))?
            .as_deref_mut()
            .filter(|conversation| conversation.connection.is_some())
    }

    /// Does something with the conversation of a frame and lists it for output.
    fn with<T>(&mut self, header: Header, act: impl FnOnce(&mut Conversation) -> T) -> Option<T> {
        let result = act(self.conversation(header.conversation)?);
        self.list(header.conversation);
        Some(result)
    }

    /// Notes that a conversation may have something to send.
    fn list(&mut self, number: Number) {
        if let Some(Some(conversation)) = self.conversations.get_mut(usize::from(number.0))
            && !conversation.is_listed
            && conversation.has_output()
        {
            conversation.is_listed = true;
            self.listed.push(number);
        }
    }
}

impl std::fmt::Debug for ClientConnection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ClientConnection")
            .field("origin", &self.peer.origin)
            .field("stage", &self.stage)
            .finish_non_exhaustive()
    }
}
