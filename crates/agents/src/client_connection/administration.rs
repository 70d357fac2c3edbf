//! Commands, and what only the host can do.

use super::conversation::Purpose;
use super::pending::Pending;
use super::script::Script;
use super::{Answer, ClientConnection, Close, Control, Ticket};
use bytes::Bytes;
use channel::client::CommandResponse;
use channel::{Conversation as Number, Header, Kind, Refusals, RequestNumber, StopMode};
use mqi::Reason;
use queue_manager::{Came, Gated, Issuer};
use security::{Asked, Command, Object, Use};
use std::sync::Arc;
use storage::Lsn;

impl ClientConnection {
    pub(super) fn command_part(&mut self, header: Header, length: u32, text: &[u8]) -> Result<(), Close> {
        if text.len() < length as usize {
            if let Some(reason) = self.refuses_commands() {
                self.refuse_body(header, reason, false);
                return Ok(());
            }
            return self.begin_assembly(header, length, text, Purpose::Command);
        }
        self.command(header, text);
        Ok(())
    }

    /// Returns the reason for which this client may not run any commands.
    fn refuses_commands(&self) -> Option<Reason> {
        if self.refused.contains(Refusals::COMMANDS) { Some(Reason::FUNCTION_NOT_SUPPORTED) } else { None }
    }

    /// Runs the statements of an MQSC text: at once, or, where that may take long, as jobs beside what else
    /// comes.
    pub(super) fn command(&mut self, header: Header, text: &[u8]) {
        let request = header.request;
        let text = match (self.refuses_commands(), std::str::from_utf8(text)) {
            (Some(reason), _) => return self.refuse_command(header, reason),
            (None, Err(_)) => return self.refuse_command(header, Reason::SOURCE_CCSID_ERROR),
            (None, Ok(text)) => text,
        };
        let issuer = Issuer { principal: self.principal.clone(), came: Came::AsText };
        let script = Script::new(issuer, text);
        if script.is_long(&self.queue_manager) {
            if !self.has_room_for_job(header) {
                return self.refuse_command(header, Reason::RESOURCE_PROBLEM);
            }
            let ticket = self.await_job(header);
            return script.leave(&self.queue_manager, ticket, Arc::clone(&self.inbox));
        }
        let reply = script.run(&self.queue_manager).map(move |response| response_to(request, &response));
        self.with(header, |conversation| conversation.push(reply));
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
        conversation.by_jobs.swap_remove(place);
        conversation.push(answer);
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
        let reply = match answer {
            Answer::Stopping => Pending::done(kind, request),
            Answer::Statistics(statistics) => {
                Pending::Long { kind, request, content: Bytes::from(statistics.encode()) }
            }
            Answer::Figures(content) => Pending::Long { kind, request, content: content.clone() },
            Answer::Failed(reason) => Pending::failed(kind, request, *reason),
        };
        self.answer_as_host(ticket.conversation, Gated::new(ticket.need, reply));
    }
}

/// The reply to a command.
pub(super) fn response_to(request: RequestNumber, response: &CommandResponse) -> Pending {
    Pending::Long { kind: Kind::CommandDone, request, content: Bytes::from(response.encode()) }
}
