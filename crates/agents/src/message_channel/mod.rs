//! The agent of a message channel: one connection between two queue managers, at either end.
//!
//! Lives here: the calls of the host, and the way of each frame to its end. Lives elsewhere: the beginning
//! (`login`), the frames that come (`inflow`), both ends (`sender`, `receiver`), messages that cannot be put
//! (`undeliverable`), the books between log and machines (`books`), frames made smaller (`compressed`),
//! frames behind their gates (`output`), figures for displays (`progress`), partners that give no sign
//! (`silence`), the machines (`channel::message`).
//!
//! Always: the machines say what comes next, the verbs do it, and what leaves does so by one gate.

mod books;
mod compressed;
mod inflow;
mod kept_input;
mod login;
mod output;
mod progress;
mod receiver;
mod sender;
mod silence;
mod step;
mod undeliverable;

use std::sync::Arc;
use std::time::Duration;

use bytes::BytesMut;
use channel::message::frame::{Destination, PING_BYTES_MAX, put_plain};
use channel::message::{
    BatchDone, BatchRefused, EndOfBatch, Ending, Generation, How, Introduction, Position, Resume, Terms,
    Waiting,
};
use channel::{Frame, Kind, Refused};
use mqi::Reason;
use objects::harmless::harmless;
use platform::Monotonic;
use queue_manager::{
    ChannelAsk, ChannelEnd, ChannelPurpose, ChannelRun, ChannelTraffic, Connection, Gated, Principal,
    QueueManager, Substate,
};
use storage::{Durable, Lsn};
use wire::Output;

use crate::agent::{Agent, Close, PeerInfo, Wake};
use crate::arriving;
use crate::client_connection::Limits;
use crate::compression::Compression;
use crate::gate::{self, Replies, Sink};
use crate::inbox::{Arrived, Inbox};
use crate::logins::{Logins, Standing, Verdict};
use crate::patience::{Entrance, Patience};
use crate::pending_connection::PendingConnection;
use books::Reading;
use kept_input::KeptInput;
use output::{ChannelWay, Failed, Opened, OutgoingFrame, REPLACED, frame};
use receiver::{Receiver, Stop};
use sender::Sender;
use step::{StepContext, StepError};

/// The end that this agent is, once it knows its books.
enum End {
    Sends(Box<Sender>),
    Receives(Box<Receiver>),
}

impl End {
    fn is_bound(&self) -> bool {
        match self {
            Self::Sends(sender) => sender.machine().is_bound(),
            Self::Receives(receiver) => receiver.machine().is_running(),
        }
    }

    fn substate(&self) -> Substate {
        match self {
            Self::Sends(sender) => sender.substate(),
            Self::Receives(receiver) => receiver.substate(),
        }
    }
}

/// The part of its life that the agent is in.
enum Stage {
    /// A partner that called is to introduce itself.
    Called,
    /// The login of the partner that called is judged.
    Judged(Box<Introduction>),
    /// A partner that was called is to answer.
    Calling,
    /// The queue manager gives the channel no connection, for a reason that may not be known yet.
    NotConnected(Gated<Reason>),
    /// The state of the channel is read and not yet durable.
    Reads(Box<Reading>),
    /// Both ends speak as their machines say.
    Open(End),
    /// Only a ping is to be answered.
    Pinging,
    Over,
}

/// The agent.
pub struct MessageChannel {
    queue_manager: QueueManager,
    peer: PeerInfo,
    limits: Limits,
    /// The judge of partners that call, where the host has one.
    logins: Option<Arc<dyn Logins>>,
    /// The user that the partner acts as, once its login was judged.
    principal: Option<Principal>,
    /// The login of the partner, where that may end.
    standing: Option<Arc<dyn Standing>>,
    stage: Stage,
    run: Option<ChannelRun>,
    connection: Option<Connection>,
    terms: Option<Terms>,
    began: Monotonic,
    /// KAINT, until the host was told.
    keep_alive: Option<Duration>,
    /// Orders the connections of the caller.
    generation: Generation,
    inbox: Arc<Inbox<()>>,
    arrived: Arrived<()>,
    replies: Replies<OutgoingFrame>,
    opened: Opened,
    /// Most bytes of a body in one frame.
    fragment_bytes: usize,
    /// The compression of the connection, if one was agreed.
    compression: Option<Box<Compression>>,
    /// The destination of the last message that was sent.
    destination: Option<Destination>,
    /// Input that came while a message waited.
    kept: KeptInput,
    /// True if the last look at the input left whole frames.
    has_whole_frames: bool,
    has_partial_frame: bool,
    frames: u64,
    patience: Patience,
    heard_at: Option<Monotonic>,
    sent_at: Option<Monotonic>,
    pinged_at: Option<Monotonic>,
    /// When a silent partner was asked for a sign.
    asked_at: Option<Monotonic>,
    /// When a sign was wanted, as another address called in the partner's name.
    sign_wanted_at: Option<Monotonic>,
    lowest_need: Option<Lsn>,
    backlog: usize,
    /// Output of earlier turns waited at the last release.
    was_behind: bool,
    traffic: ChannelTraffic,
    has_more_to_send: bool,
    /// When the channel began to stop.
    stopping_since: Option<Monotonic>,
    over: Option<Close>,
    /// The end that the partner is told when the connection closes, where no frame could tell it.
    last_word: Option<Ending>,
}

impl MessageChannel {
    /// The agent of a connection that this queue manager opened.
    #[must_use]
    pub fn calling(
        queue_manager: QueueManager,
        run: ChannelRun,
        peer: PeerInfo,
        limits: Limits,
        waker: Arc<dyn Wake>,
    ) -> Self {
        let mut agent = Self::called(PendingConnection { queue_manager, peer, limits, logins: None, waker });
        agent.call(run);
        agent
    }

    /// The agent of a connection that a partner opened.
    #[must_use]
    pub fn called(pending: PendingConnection) -> Self {
        let PendingConnection { queue_manager, peer, limits, logins, waker } = pending;
        let accepted = peer.accepted;
        let began = queue_manager.now();
        Self {
            queue_manager,
            peer,
            limits,
            logins,
            principal: None,
            standing: None,
            stage: Stage::Called,
            run: None,
            connection: None,
            terms: None,
            began,
            keep_alive: None,
            generation: Generation::default(),
            inbox: Arc::new(Inbox::new(waker)),
            arrived: Arrived::default(),
            replies: Replies::of(()),
            opened: Opened::default(),
            fragment_bytes: channel::frame::FRAGMENT_BYTES,
            compression: None,
            destination: None,
            kept: KeptInput::default(),
            has_whole_frames: false,
            has_partial_frame: false,
            frames: 0,
            patience: Patience::since(accepted),
            heard_at: None,
            sent_at: None,
            pinged_at: None,
            asked_at: None,
            sign_wanted_at: None,
            lowest_need: None,
            backlog: 0,
            was_behind: false,
            traffic: ChannelTraffic::default(),
            has_more_to_send: false,
            stopping_since: None,
            over: None,
            last_word: None,
        }
    }

    fn is_full(&self) -> bool {
        self.backlog > self.limits.output_bytes_max || self.replies.len() > self.limits.replies_max
    }

    fn hear(&mut self, heard: &Frame<'_>) -> Result<(), Close> {
        match (heard.header.kind, &self.stage) {
            (Kind::ChannelHello, Stage::Called) => self.hear_hello(heard.payload),
            (Kind::ChannelWelcome, Stage::Calling) => self.hear_welcome(heard.payload),
            (Kind::Refused, _) => self.hear_refusal(heard.payload),
            (_, Stage::Called | Stage::Calling) => {
                Err(unexpected(heard, "the partner is to introduce itself first"))
            }
            (Kind::Ask, _) => self.send(Kind::Answer, b""),
            (Kind::Answer, _) => Ok(()),
            (Kind::Ping, _) if heard.payload.len() <= PING_BYTES_MAX => self.send(Kind::Pong, heard.payload),
            // A receiver that is pinged tells its place all the same.
            (Kind::Position, Stage::Pinging) => Ok(()),
            (Kind::Pong, Stage::Pinging | Stage::Open(End::Sends(_))) => {
                self.hear_pong(heard.payload);
                Ok(())
            }
            (Kind::StopChannel, _) => {
                Ending::decode(heard.payload)?;
                self.stop();
                Ok(())
            }
            (Kind::EndChannel, _) => self.hear_end(heard.payload),
            _ => self.hear_by_machine(heard),
        }
    }

    fn hear_by_machine(&mut self, heard: &Frame<'_>) -> Result<(), Close> {
        let (Stage::Open(end), Some(run), Some(connection)) =
            (&mut self.stage, &self.run, &mut self.connection)
        else {
            return Err(unexpected(heard, "the channel is not open"));
        };
        // Its partner has bound anew since: words of before settle nothing, and begin no line.
        if connection.has_ended() {
            return self.end_replaced();
        }
        let mut around =
            StepContext::new(&self.queue_manager, run, connection, &mut self.replies, self.heard_at);
        let (kind, payload) = (heard.header.kind, heard.payload);
        let result = match end {
            End::Sends(sender) if sender::is_for_sender(kind) => {
                hear_as_sender(sender, &mut around, kind, payload)
            }
            End::Receives(receiver) if receiver::is_for_receiver(kind) => match kind {
                Kind::Resume => {
                    Ok(receiver.hear_resume(&mut around, &Resume::decode(payload)?).map_err(Stop::from))
                }
                Kind::Message => Ok(receiver.hear_message(&mut around, heard)),
                Kind::Fragment => Ok(receiver.hear_fragment(&mut around, heard)),
                _ => Ok(receiver.hear_end(&mut around, &EndOfBatch::decode(payload)?).map_err(Stop::from)),
            }
            .and_then(|heard| match heard {
                Ok(()) => Ok(Ok(())),
                Err(Stop::Error(trouble)) => Ok(Err(trouble)),
                Err(Stop::Protocol(error)) => Err(Close::Protocol(error)),
            }),
            _ => return Err(unexpected(heard, "the other end sends it")),
        };
        match result? {
            Ok(()) => Ok(()),
            Err(trouble) => self.fail(trouble),
        }
    }

    /// The channel ends by a fault: what is said of it is noted, and the partner told.
    fn fail(&mut self, trouble: StepError) -> Result<(), Close> {
        let (end, close) = match trouble {
            StepError::Failed(reason, text) => {
                self.tell_end(How::Force, reason, true, &text);
                (ChannelEnd::Failed { reason, text: text.clone() }, self.channel_failed(reason, text))
            }
            StepError::Halted(reason, text) => {
                self.tell_end(How::Force, reason, false, &text);
                (ChannelEnd::Halted { reason, text: text.clone() }, self.channel_failed(reason, text))
            }
            StepError::OtherPartner { text, told } => {
                let reason = Reason::CHANNEL_NOT_AVAILABLE;
                self.tell_end(How::Force, reason, false, &told);
                (ChannelEnd::Halted { reason, text: text.clone() }, self.channel_failed(reason, text))
            }
            StepError::Violation(violation) => {
                let (reason, text) = (Reason::CONNECTION_ERROR, violation.to_string());
                self.finish(ChannelEnd::Failed { reason, text: text.clone() });
                return Err(Close::Refused { reason, text });
            }
        };
        self.finish(end);
        self.over.get_or_insert(close);
        Ok(())
    }

    /// The connection was ended from elsewhere.
    fn end_replaced(&mut self) -> Result<(), Close> {
        self.fail(StepError::Failed(Reason::CONNECTION_BROKEN, REPLACED.to_owned()))
    }

    /// The end of the connection by a fault of the channel.
    fn channel_failed(&self, reason: Reason, text: String) -> Close {
        let channel = self.run.as_ref().map(|run| run.attributes().name.to_string());
        Close::ChannelFailed { channel: channel.unwrap_or_default(), reason, text }
    }

    fn tell_end(&mut self, how: How, reason: Reason, retries: bool, text: &str) {
        let ending = Ending { how, reason, retries, text: text.to_owned() };
        let bytes = frame(|out| ending.encode(Kind::EndChannel, out));
        self.replies.push(Gated::free(OutgoingFrame::Plain(bytes)));
    }

    /// Notes the end of the instance.
    fn finish(&self, end: ChannelEnd) {
        if let Some(run) = &self.run {
            run.end(end);
        }
    }

    fn send(&mut self, kind: Kind, bytes: &[u8]) -> Result<(), Close> {
        self.replies.push(Gated::free(OutgoingFrame::Plain(frame(|out| put_plain(kind, bytes, out)))));
        Ok(())
    }

    fn hear_refusal(&mut self, payload: &[u8]) -> Result<(), Close> {
        let Refused { reason, text } = Refused::decode(payload)?;
        let text = format!("the partner refused the channel: {text}");
        self.finish(ChannelEnd::Failed { reason, text: text.clone() });
        let close = self.channel_failed(reason, text);
        self.over.get_or_insert(close);
        Ok(())
    }

    /// The partner ends the channel.
    fn hear_end(&mut self, payload: &[u8]) -> Result<(), Close> {
        let Ending { reason, retries, text, .. } = Ending::decode(payload)?;
        if reason == Reason::NONE {
            self.finish(ChannelEnd::Inactive);
            self.over.get_or_insert(Close::ChannelEnded);
            return Ok(());
        }
        let text = format!("the partner ended the channel: {text}");
        self.finish(match retries {
            true => ChannelEnd::Failed { reason, text: text.clone() },
            false => ChannelEnd::Halted { reason, text: text.clone() },
        });
        let close = self.channel_failed(reason, text);
        self.over.get_or_insert(close);
        Ok(())
    }

    /// Takes no more messages; the end is told once nothing is in doubt.
    fn stop(&mut self) {
        if self.stopping_since.is_some() {
            return;
        }
        self.stopping_since = Some(self.queue_manager.now());
        match (&mut self.stage, &mut self.connection) {
            (Stage::Open(End::Sends(sender)), Some(connection)) => sender.stop(connection),
            (Stage::Open(End::Receives(_)), _) => {
                let ending =
                    Ending { how: How::Quiesce, reason: Reason::NONE, retries: false, text: String::new() };
                let bytes = frame(|out| ending.encode(Kind::StopChannel, out));
                self.replies.push(Gated::free(OutgoingFrame::Plain(bytes)));
            }
            _ => self.end_orderly(),
        }
    }

    /// The channel ends as it should.
    fn end_orderly(&mut self) {
        if self.over.is_none() {
            self.tell_end(How::Quiesce, Reason::NONE, false, "");
            let is_stopped = self.stopping_since.is_some();
            self.finish(if is_stopped { ChannelEnd::Stopped } else { ChannelEnd::Inactive });
            self.over = Some(Close::ChannelEnded);
        }
    }

    /// Takes what other threads left; the verdict on the login, if it came.
    fn drain(&mut self) -> Option<Box<Verdict>> {
        let mut arrived = std::mem::take(&mut self.arrived);
        self.inbox.take(&mut arrived);
        let now = self.queue_manager.now();
        for (token, outcome) in arrived.outcomes.drain(..) {
            if let Stage::Open(End::Sends(sender)) = &mut self.stage {
                sender.completed(&mut self.replies, token, outcome, now);
            }
        }
        arrived.answers.clear();
        let verdict = arrived.verdict.take();
        self.arrived = arrived;
        verdict
    }

    /// Obeys commands, goes on with what waits, gets what is there.
    fn work(&mut self, proof: Durable) -> Result<(), Close> {
        self.obey()?;
        if let Some(verdict) = self.drain() {
            self.hear_verdict(*verdict)?;
        }
        self.go_on_reading(proof)?;
        if self.over.is_some() {
            return Ok(());
        }
        let (Stage::Open(end), Some(run), Some(connection)) =
            (&mut self.stage, &self.run, &mut self.connection)
        else {
            return Ok(());
        };
        if connection.has_ended() {
            return self.end_replaced();
        }
        let mut around =
            StepContext::new(&self.queue_manager, run, connection, &mut self.replies, self.heard_at);
        let worked = match end {
            End::Receives(receiver) => receiver.go_on(&mut around, proof),
            End::Sends(_) if self.backlog > self.limits.output_bytes_max => Ok(()),
            End::Sends(sender) => sender
                .look_behind_gates(&mut around, proof)
                .and_then(|()| sender.fill(&mut around))
                .map(|has_more| self.has_more_to_send = has_more),
        };
        if let Err(trouble) = worked {
            return self.fail(trouble);
        }
        if let End::Sends(sender) = end
            && self.stopping_since.is_some()
            && sender.is_over()
            && self.replies.is_empty()
            && sender.fast_are_put(&mut self.replies)
        {
            self.end_orderly();
        }
        Ok(())
    }

    fn obey(&mut self) -> Result<(), Close> {
        if let Some(run) = &mut self.run
            && run.follow()
            && let Stage::Open(End::Sends(sender)) = &mut self.stage
        {
            sender.follow(run.attributes());
        }
        let Some(run) = &self.run else { return Ok(()) };
        match run.asked() {
            Some(ChannelAsk::Quiesce) => self.stop(),
            Some(ChannelAsk::Force | ChannelAsk::Terminate) if self.over.is_none() => {
                if run.asked() == Some(ChannelAsk::Force) {
                    let text = "STOP CHANNEL with MODE(FORCE) ended it there".to_owned();
                    let reason = Reason::CHANNEL_NOT_AVAILABLE;
                    self.last_word = Some(Ending { how: How::Force, reason, retries: true, text });
                }
                self.finish(ChannelEnd::Stopped);
                self.over = Some(Close::ChannelStopped);
            }
            _ => {}
        }
        Ok(())
    }

    /// Sends what its gate lets through.
    fn send_open(&mut self, proof: Durable, output: &mut Output) -> bool {
        let fragment_bytes = self.fragment_bytes;
        let way = ChannelWay {
            fragment_bytes,
            output,
            destination: &mut self.destination,
            opened: &mut self.opened,
            now: self.queue_manager.now(),
            output_bytes_max: self.limits.output_bytes_max,
        };
        let mut sink = Sink { proof, way };
        // One queue of replies.
        let mut listed = if self.replies.is_empty() { Vec::new() } else { vec![()] };
        let round =
            gate::take_turns(&mut listed, &mut Vec::new(), &mut sink, |(), sink| self.replies.turn(sink));
        self.lowest_need = round.lowest_need;
        self.note_opened();
        round.is_held
    }

    /// Takes note of the facts that opened gates told.
    fn note_opened(&mut self) {
        match &mut self.stage {
            Stage::Open(End::Sends(sender)) => sender.note_opened(&mut self.opened),
            Stage::Open(End::Receives(receiver)) => receiver.note_opened(&mut self.opened),
            _ => {}
        }
        if let Some(Failed { reason, text }) = self.opened.failure.take()
            && self.over.is_none()
        {
            let text = text.to_owned();
            self.finish(ChannelEnd::Failed { reason, text: text.clone() });
            self.over = Some(self.channel_failed(reason, text.clone()));
            self.last_word = Some(Ending { how: How::Force, reason, retries: true, text });
        }
    }
}

fn hear_as_sender(
    sender: &mut Sender,
    around: &mut StepContext<'_>,
    kind: Kind,
    payload: &[u8],
) -> Result<Result<(), StepError>, Close> {
    Ok(match kind {
        Kind::Position => sender.hear_position(around, &Position::decode(payload)?),
        Kind::BatchDone => sender.hear_done(around, &BatchDone::decode(payload)?),
        Kind::BatchRefused => {
            let refused = sender.hear_refused(around, &BatchRefused::decode(payload)?);
            refused.and_then(Err)
        }
        _ => {
            sender.hear_waiting(&Waiting::decode(payload)?);
            Ok(())
        }
    })
}

fn unexpected(heard: &Frame<'_>, why: &'static str) -> Close {
    Close::Protocol(channel::Error::Unexpected { kind: heard.header.kind, why })
}

impl Agent for MessageChannel {
    fn receive(&mut self, input: &mut BytesMut) -> Result<(), Close> {
        // Also what is kept unread is a sign of the partner.
        self.heard_at = Some(self.queue_manager.now());
        self.traffic.reads += 1;
        let received = if self.kept.is_empty() && !self.is_held() {
            let ran = self.run_frames(input);
            // Frames behind a message that waits are looked at when it is put, whether more comes or not.
            if self.is_held() { ran.and_then(|()| self.keep_input(input)) } else { ran }
        } else {
            self.keep_input(input).and_then(|()| self.run_kept())
        };
        if let Err(close) = received {
            self.note_close(&close);
            return Err(close);
        }
        Ok(())
    }

    fn has_more(&self) -> bool {
        self.has_whole_frames && !self.is_full() && !self.is_held()
    }

    fn is_let_in(&self) -> bool {
        !matches!(
            self.stage,
            Stage::Called | Stage::Judged(_) | Stage::Calling | Stage::NotConnected(_) | Stage::Reads(_)
        )
    }

    fn wants_input(&self) -> bool {
        // Frames that come while the login is judged or the books are read stay in the input: the host brings
        // them again once more is wanted.
        let reads_books = matches!(self.stage, Stage::Judged(_) | Stage::NotConnected(_) | Stage::Reads(_));
        !self.is_full() && !reads_books && self.over.is_none()
    }

    fn has_put_aside(&self) -> bool {
        let is_due = if self.is_held() {
            self.goes_on(self.queue_manager.durable())
        } else {
            self.has_whole_frames && !self.is_full()
        };
        !self.kept.is_empty() && self.over.is_none() && is_due
    }

    fn release(&mut self, proof: Durable, output: &mut Output) -> bool {
        let before = output.len();
        self.backlog = before + self.waiting_bytes();
        self.was_behind = before > 0;
        if let Err(close) = self.work_and_read(proof) {
            self.note_close(&close);
            self.over.get_or_insert(close);
        }
        let is_held = match self.compression.is_some() {
            true => self.send_compressed(proof, output),
            false => self.send_open(proof, output),
        };
        self.backlog = output.len() + self.waiting_bytes();
        if output.len() > before {
            self.traffic.bytes_sent += (output.len() - before) as u64;
            self.traffic.writes += 1;
            self.sent_at = Some(self.queue_manager.now());
        }
        self.tell_progress();
        let waits = match &self.stage {
            Stage::NotConnected(reason) => Some(reason.need()),
            Stage::Reads(reading) => Some(reading.need()),
            Stage::Open(End::Sends(sender)) => sender.need(),
            Stage::Open(End::Receives(receiver)) => receiver.need(),
            _ => None,
        };
        self.lowest_need = self.lowest_need.into_iter().chain(waits).min();
        let has_kept = !self.kept.is_empty() && self.has_whole_frames && !self.is_held();
        is_held || has_kept || (self.has_more_to_send && self.over.is_none() && !self.is_full())
    }

    fn lowest_need(&self) -> Option<Lsn> {
        self.lowest_need
    }

    fn waiting_for_log(&self) -> usize {
        usize::from(self.lowest_need.is_some())
    }

    fn go_on(&mut self) {
        let proof = self.queue_manager.durable();
        if let Err(close) = self.work(proof) {
            self.note_close(&close);
            self.over.get_or_insert(close);
        }
    }

    fn tick(&mut self, now: Monotonic) -> Result<(), Close> {
        if self.standing.as_ref().is_some_and(|standing| !standing.holds()) {
            self.note_close(&Close::UserEnded);
            return Err(Close::UserEnded);
        }
        let entrance = match self.stage {
            Stage::Called => Entrance::Outside,
            Stage::Judged(_) => Entrance::Judged,
            _ => Entrance::Open,
        };
        self.patience.judge_login(now, entrance, self.limits.login_seconds)?;
        let partial = (self.has_partial_frame && self.kept.is_empty()).then_some(self.frames);
        self.patience.judge_frame(now, partial, self.limits.login_seconds)?;
        self.judge_silence(now)?;
        if let Stage::Open(End::Receives(receiver)) = &mut self.stage
            && receiver.is_overdue(now)
        {
            let close = arriving::unfinished();
            self.note_close(&close);
            return Err(close);
        }
        let disconnect_after = self.run.as_ref().and_then(|run| run.attributes().disconnect_after);
        if let (Stage::Open(End::Sends(sender)), Some(time)) = (&mut self.stage, disconnect_after)
            && sender.is_quiet_for(time, now)
            && self.replies.is_empty()
            && sender.fast_are_put(&mut self.replies)
        {
            self.end_orderly();
        }
        Ok(())
    }

    fn due(&self) -> Option<Monotonic> {
        match &self.stage {
            Stage::Open(End::Receives(receiver)) => receiver.due(),
            Stage::Open(End::Sends(sender)) => sender.due(),
            _ => None,
        }
    }

    fn take_keep_alive(&mut self) -> Option<Duration> {
        self.keep_alive.take()
    }

    fn stopped(&self) -> Option<Close> {
        // Its last words may wait to be compressed. One that is forced waits for nothing: its partner may
        // read no more.
        let is_out = self.replies.is_empty() && self.waiting_bytes() == 0;
        let is_due =
            |over: &Close| is_out || self.lowest_need.is_some() || matches!(over, Close::ChannelStopped);
        self.over.clone().filter(is_due)
    }

    fn farewell(&mut self, close: &Close, output: &mut Output) {
        if let Some(compression) = &mut self.compression {
            compression.pass_plain(output);
        }
        let (reason, text) = match close {
            Close::Protocol(channel::Error::Foreign(foreign)) => {
                output.cork().extend_from_slice(foreign.farewell());
                return;
            }
            Close::Refused { reason, text } => (*reason, text.clone()),
            Close::Denied(denial) => (denial.reason, denial.told.clone()),
            Close::Protocol(error) => (Reason::CONNECTION_ERROR, error.to_string()),
            Close::Silent { .. } | Close::Unfinished { .. } => (Reason::CONNECTION_BROKEN, close.to_string()),
            Close::UserEnded => (Reason::NOT_AUTHORIZED, close.to_string()),
            _ => {
                if let Some(ending) = self.last_word.take() {
                    ending.encode(Kind::EndChannel, output.cork());
                }
                return;
            }
        };
        // A stranger is told nothing.
        if self.terms.is_some() || matches!(close, Close::Refused { .. } | Close::Denied(_)) {
            // Words of the partner's own may be in it, and an administrator reads it.
            Refused { reason, text: harmless(&text).into_owned() }.encode(output.cork());
        }
    }
}

impl MessageChannel {
    /// The connection ends for this reason: the instance is told, unless it knows more.
    fn note_close(&mut self, close: &Close) {
        self.tell_dropped();
        let reason = match close {
            Close::Refused { reason, .. } | Close::ChannelFailed { reason, .. } => *reason,
            Close::UserEnded => Reason::NOT_AUTHORIZED,
            Close::Unfinished { .. } => Reason::CONNECTION_BROKEN,
            _ => Reason::CONNECTION_ERROR,
        };
        self.finish(ChannelEnd::Failed { reason, text: close.to_string() });
        self.stage = Stage::Over;
    }

    /// Begins a ping, of which the time is measured.
    fn ping(&mut self, bytes: u32) {
        self.pinged_at = Some(self.queue_manager.now());
        self.stage = Stage::Pinging;
        let data: Vec<u8> = (0..bytes.min(PING_BYTES_MAX as u32)).map(|at| at as u8).collect();
        self.replies.push(Gated::free(OutgoingFrame::Plain(frame(|out| put_plain(Kind::Ping, &data, out)))));
    }

    fn hear_pong(&mut self, payload: &[u8]) {
        if let Stage::Open(End::Sends(sender)) = &mut self.stage {
            return sender.hear_pong(payload);
        }
        let is_whole = payload.iter().enumerate().all(|(at, byte)| *byte == at as u8);
        let sent = match self.run.as_ref().map(ChannelRun::purpose) {
            Some(ChannelPurpose::Ping { bytes }) => bytes.min(PING_BYTES_MAX as u32) as usize,
            _ => 0,
        };
        let took = self.queue_manager.now().since(self.pinged_at.unwrap_or_default());
        self.finish(match is_whole && payload.len() == sent {
            true => ChannelEnd::Pinged { micros: u64::try_from(took.as_micros()).unwrap_or(u64::MAX) },
            false => ChannelEnd::Failed {
                reason: Reason::CONNECTION_ERROR,
                text: "the data of the ping came back changed".to_owned(),
            },
        });
        self.tell_end(How::Quiesce, Reason::NONE, false, "");
        self.over.get_or_insert(Close::ChannelEnded);
    }
}

impl Drop for MessageChannel {
    fn drop(&mut self) {
        self.tell_dropped();
    }
}

impl std::fmt::Debug for MessageChannel {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("MessageChannel")
            .field("origin", &self.peer.origin)
            .field("run", &self.run)
            .finish_non_exhaustive()
    }
}
