//! Commands, the parts of their answers, and requests that only the host can carry out.

use super::conversation::Purpose;
use super::pending::{Pending, Told};
use super::script::{Form, Progress, Script, Underway};
use super::{Answer, ClientConnection, Close, Control, Ticket};
use crate::inbox::Inbox;
use bytes::Bytes;
use channel::client::CommandResponse;
use channel::{Conversation as Number, Header, Kind, Refusals, RequestNumber, StopMode};
use mqi::Reason;
use platform::sync::Mutex;
use queue_manager::{Came, CommandHold, CommandRoom, Gated, Issuer, QueueManager, Waiter};
use security::{Asked, Command, Object, Use};
use std::sync::Arc;
use storage::Lsn;

impl ClientConnection {
    pub(super) fn command_part(
        &mut self,
        header: Header,
        first_line: Option<u32>,
        length: u32,
        text: &[u8],
    ) -> Result<(), Close> {
        let is_whole = text.len() >= length as usize;
        let hold = match (self.refuses_commands(), is_whole) {
            (Some(reason), _) => Err(reason),
            (None, true) => self.command_room().hold_text(text.len()).ok_or(Reason::RESOURCE_PROBLEM),
            (None, false) => {
                self.command_room().hold_long_text(length as usize).ok_or(Reason::RESOURCE_PROBLEM)
            }
        };
        match hold {
            Err(reason) if is_whole => self.refuse_command(header, reason),
            Err(reason) => self.refuse_body(header, reason, false),
            Ok(hold) if is_whole => self.command(header, first_line, text, hold),
            Ok(hold) => {
                let purpose = Purpose::Command { first_line, hold };
                return self.begin_assembly(header, length, text, purpose);
            }
        }
        Ok(())
    }

    /// Returns the reason for which this client may not run any commands.
    fn refuses_commands(&self) -> Option<Reason> {
        if self.refused.contains(Refusals::COMMANDS) { Some(Reason::FUNCTION_NOT_SUPPORTED) } else { None }
    }

    /// Runs the statements of an MQSC text: at once, or, where that may take long, as jobs beside what else
    /// comes.
    pub(super) fn command(
        &mut self,
        header: Header,
        first_line: Option<u32>,
        text: &[u8],
        hold: CommandHold,
    ) {
        let Ok(text) = std::str::from_utf8(text) else {
            return self.refuse_command(header, Reason::SOURCE_CCSID_ERROR);
        };
        if !self.has_room_for_job(header) {
            return self.refuse_command(header, Reason::RESOURCE_PROBLEM);
        }
        let login = self.standing.as_ref().and_then(|standing| standing.number());
        let issuer = Issuer { principal: self.principal.clone(), came: Came::AsText, login };
        let form = if first_line.is_some() { Form::Parts } else { Form::Whole };
        let is_long = Script::is_long(text, &self.queue_manager);
        let script = Script::new(issuer, text, first_line.unwrap_or(1) as usize, form, hold);
        self.await_job(header);
        self.with(header, |conversation| {
            conversation.texts.push(Underway::new(header.request, script, is_long));
        });
        self.texts_under_way += 1;
        self.answer_further();
    }

    fn refuse_command(&mut self, header: Header, reason: Reason) {
        self.with(header, |conversation| {
            conversation.push_failed(Kind::CommandDone, header.request, reason);
        });
    }

    /// True if a job may answer one more request of a conversation.
    pub(super) fn has_room_for_job(&mut self, header: Header) -> bool {
        let under_way = self.with(header, |conversation| conversation.by_jobs.len());
        under_way.is_none_or(|requests| requests < self.limits.waits_max)
    }

    /// A request will be answered by a job.
    pub(super) fn await_job(&mut self, header: Header) -> Ticket {
        self.with(header, |conversation| conversation.by_jobs.push(header.request));
        Ticket { conversation: header.conversation, request: header.request, need: Lsn::ZERO }
    }

    /// Answers a request as a job has left it, unless its conversation has ended.
    pub(super) fn answer_by_job(&mut self, ticket: Ticket, answer: Gated<Pending>) {
        let Some(conversation) = self.conversation(ticket.conversation) else { return };
        let is_it = |request: &RequestNumber| *request == ticket.request;
        let Some(place) = conversation.by_jobs.iter().position(is_it) else { return };
        conversation.push(answer);
        if self.has_answered(ticket)
            && let Some(conversation) = self.conversation(ticket.conversation)
        {
            conversation.by_jobs.swap_remove(place);
        }
        self.list(ticket.conversation);
    }

    /// Hears the wish to end also where no conversation has begun: while the queue manager quiesces none
    /// does.
    pub(super) fn stop(&mut self, header: Header, mode: StopMode) -> Result<(), Close> {
        self.numbered(header.conversation)?;
        let verb = Command::Stop;
        self.ask_host(header, verb, Kind::Stopping, |ticket| Control::Stop(mode, ticket));
        Ok(())
    }

    pub(super) fn statistics(&mut self, header: Header) {
        let reader = self.principal.clone();
        let control = |ticket| Control::Statistics(reader, ticket);
        self.ask_host(header, Command::Statistics, Kind::StatisticsTold, control);
    }

    pub(super) fn figures(&mut self, header: Header) {
        let reader = self.principal.clone();
        let control = |ticket| Control::Figures(reader, ticket);
        self.ask_host(header, Command::Statistics, Kind::FiguresTold, control);
    }

    /// Says whether the host has a request to answer, or its last answer has yet to be written.
    pub(super) fn awaits_host(&self) -> bool {
        let is_long = |control: &Control| !matches!(control, Control::Stop(..));
        self.controls.iter().any(is_long) || self.told.strong_count() > 0
    }

    /// Leaves the host a request that is granted.
    fn ask_host(
        &mut self,
        header: Header,
        verb: Command,
        kind: Kind,
        control: impl FnOnce(Ticket) -> Control,
    ) {
        let asked = Asked::new(Object::MANAGER, Use::Command(verb));
        match self.queue_manager.authorize(&self.principal, &asked).split() {
            Ok(granted) => {
                let Header { conversation, request, .. } = header;
                self.controls.push_back(control(Ticket { conversation, request, need: granted.need() }));
            }
            Err(refused) => {
                let request = header.request;
                let refusal = refused.map(move |reason| Pending::failed(kind, request, reason));
                self.answer_as_host(header.conversation, refusal);
            }
        }
    }

    /// Leaves an answer for a conversation, which need not have begun.
    fn answer_as_host(&mut self, number: Number, reply: Gated<Pending>) {
        if let Some(Some(conversation)) = self.conversations.get_mut(usize::from(number.0)) {
            conversation.push(reply);
        }
        self.list(number);
    }

    /// Answers a request as the host has.
    pub(super) fn answer_host(&mut self, control: &Control, answer: &Answer) {
        let (kind, ticket) = match control {
            Control::Stop(_, ticket) => (Kind::Stopping, *ticket),
            Control::Statistics(_, ticket) => (Kind::StatisticsTold, *ticket),
            Control::Figures(_, ticket) => (Kind::FiguresTold, *ticket),
        };
        let request = ticket.request;
        let told = Arc::new(Told);
        if kind != Kind::Stopping {
            self.told = Arc::downgrade(&told);
        }
        let reply = match answer {
            Answer::Stopping => Pending::done(kind, request),
            Answer::Statistics(statistics) => {
                Pending::Long { kind, request, content: Bytes::from(statistics.encode()), told }
            }
            Answer::Figures(content) => Pending::Long { kind, request, content: content.clone(), told },
            Answer::Failed(reason) => Pending::failed(kind, request, *reason),
        };
        self.answer_as_host(ticket.conversation, Gated::new(ticket.need, reply));
    }
}

impl ClientConnection {
    /// The room for commands of its user.
    pub(super) fn command_room(&mut self) -> Arc<CommandRoom> {
        let (manager, principal) = (&self.queue_manager, &self.principal);
        Arc::clone(self.room.get_or_insert_with(|| manager.command_room(principal)))
    }

    /// Begins the next part of each answer whose program has read the one before.
    pub(super) fn answer_further(&mut self) {
        if self.texts_under_way == 0 {
            return;
        }
        let room = self.command_room();
        let inbox = Arc::clone(&self.inbox);
        let waiter: Waiter = Arc::new(move || inbox.wake());
        self.parts.retain(|part| part.strong_count() > 0);
        let mut begun = Vec::new();
        for conversation in self.conversations.iter_mut().flatten() {
            for underway in &mut conversation.texts {
                if let Some(hold) = underway.take_room(&room, &waiter) {
                    self.parts.push(Arc::downgrade(&hold));
                    let ticket = Ticket::of_request(conversation.number, underway.request);
                    begun.push((ticket, Arc::clone(&underway.script), underway.is_long, hold));
                }
            }
        }
        for (ticket, script, is_long, hold) in begun {
            if is_long {
                leave(script, &self.queue_manager, ticket, Arc::clone(&self.inbox), hold);
                continue;
            }
            while script.lock().go_on(&self.queue_manager) == Progress::Working {}
            let answer = taken(&script, ticket, hold);
            self.answer_by_job(ticket, answer);
        }
    }

    /// True if a text is over, and its answer was its last part.
    pub(super) fn has_answered(&mut self, ticket: Ticket) -> bool {
        let Some(conversation) = self.conversation(ticket.conversation) else { return true };
        let is_it = |underway: &Underway| underway.request == ticket.request;
        let Some(place) = conversation.texts.iter().position(is_it) else { return true };
        if !conversation.texts[place].script.lock().is_over() {
            return false;
        }
        conversation.texts.swap_remove(place);
        self.texts_under_way -= 1;
        true
    }

    /// Forgets the texts of a conversation that ends.
    pub(super) fn forget_texts(&mut self, number: Number) {
        if let Some(Some(conversation)) = self.conversations.get_mut(usize::from(number.0)) {
            self.texts_under_way -= conversation.texts.len();
            conversation.texts.clear();
        }
    }

    /// True while the program keeps a part of an answer unread for whose room others of its user wait.
    pub(super) fn keeps_room(&mut self) -> bool {
        self.parts.retain(|part| part.strong_count() > 0);
        !self.parts.is_empty() && self.room.as_ref().is_some_and(|room| room.is_waited_for())
    }
}

/// Makes the next part of an answer, a job for each step, and leaves it in the inbox.
fn leave(
    script: Arc<Mutex<Script>>,
    queue_manager: &QueueManager,
    ticket: Ticket,
    inbox: Arc<Inbox<Pending>>,
    hold: Arc<CommandHold>,
) {
    queue_manager.leave(move |queue_manager| {
        let progress = script.lock().go_on(queue_manager);
        match progress {
            Progress::Working => leave(script, queue_manager, ticket, inbox, hold),
            Progress::Answers => inbox.answer(ticket, taken(&script, ticket, hold)),
        }
    });
}

/// The part that was made, with its room.
fn taken(script: &Mutex<Script>, ticket: Ticket, hold: Arc<CommandHold>) -> Gated<Pending> {
    let mut script = script.lock();
    let is_last = script.is_over();
    let request = ticket.request;
    let answer = script.take_answer().beside(hold);
    answer.map(move |(response, hold)| part_of(request, &response, hold, is_last))
}

/// A part of the reply to a command.
fn part_of(
    request: RequestNumber,
    response: &CommandResponse,
    hold: Arc<CommandHold>,
    is_last: bool,
) -> Pending {
    let content = Bytes::from(response.encode());
    hold.shrink(content.len());
    Pending::Part { request, content, hold, is_last }
}
