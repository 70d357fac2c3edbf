//! Commands, and what only the host can do.

use super::conversation::Purpose;
use super::pending::Pending;
use super::{Answer, ClientConnection, Close, Control, Ticket};
use bytes::Bytes;
use channel::client::{CommandMessage, CommandResponse};
use channel::{Header, Kind, Refusals, StopMode};
use mqi::Reason;
use queue_manager::{Gated, Issuer};
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

    /// Why this client may not run commands.
    fn refuses_commands(&self) -> Option<Reason> {
        if self.refused.contains(Refusals::COMMANDS) {
            Some(Reason::FUNCTION_NOT_SUPPORTED)
        } else if !self.peer.is_administrator {
            Some(Reason::NOT_AUTHORIZED)
        } else {
            None
        }
    }

    /// Runs the statements of an MQSC text.
    pub(super) fn command(&mut self, header: Header, text: &[u8]) {
        let refusal = self.refuses_commands();
        let request = header.request;
        let reply = match (refusal, std::str::from_utf8(text)) {
            (Some(reason), _) => Gated::free(Pending::failed(Kind::CommandDone, request, reason)),
            (None, Err(_)) => {
                Gated::free(Pending::failed(Kind::CommandDone, request, Reason::SOURCE_CCSID_ERROR))
            }
            (None, Ok(text)) => self.execute(text).map(|response| Pending::Long {
                kind: Kind::CommandDone,
                request,
                content: Bytes::from(response.encode()),
            }),
        };
        self.with(header, |conversation| conversation.push(reply));
    }

    fn execute(&self, text: &str) -> Gated<CommandResponse> {
        let mut need = Lsn::ZERO;
        let mut all = objects::Response::default();
        let issuer = Issuer { user: self.user.clone(), ..Issuer::default() };
        for statement in objects::mqsc::statements(text) {
            match statement.command {
                Ok(command) => {
                    let response = self.queue_manager.execute_for(&issuer, &command);
                    need = need.max(response.need());
                    // What is gathered leaves with the highest need of all.
                    let _ = response.map(|response| {
                        all.rows.extend(response.rows);
                        all.messages.extend(response.messages);
                    });
                }
                Err(error) => all.messages.push(error.into()),
            }
        }
        Gated::new(need, rendered(&all))
    }

    pub(super) fn stop(&mut self, header: Header, mode: StopMode) {
        self.ask_host(header, Kind::Stopping, |ticket| Control::Stop(mode, ticket));
    }

    pub(super) fn statistics(&mut self, header: Header) {
        self.ask_host(header, Kind::StatisticsTold, Control::Statistics);
    }

    fn ask_host(&mut self, header: Header, kind: Kind, control: impl FnOnce(Ticket) -> Control) {
        if self.peer.is_administrator {
            let ticket = Ticket { conversation: header.conversation, request: header.request };
            self.controls.push_back(control(ticket));
        } else {
            self.with(header, |conversation| {
                conversation.push_failed(kind, header.request, Reason::NOT_AUTHORIZED);
            });
        }
    }

    /// The next thing only the host can do.
    pub fn take_control(&mut self) -> Option<Control> {
        self.controls.pop_front()
    }

    /// Answers it.
    pub fn answer(&mut self, control: &Control, answer: &Answer) {
        let (kind, ticket) = match control {
            Control::Stop(_, ticket) => (Kind::Stopping, *ticket),
            Control::Statistics(ticket) => (Kind::StatisticsTold, *ticket),
        };
        let request = ticket.request;
        let reply = match answer {
            Answer::Stopping => Pending::done(kind, request),
            Answer::Statistics(statistics) => {
                Pending::Long { kind, request, content: Bytes::from(statistics.encode()) }
            }
            Answer::Failed(reason) => Pending::failed(kind, request, *reason),
        };
        let header = Header::new(kind, ticket.conversation, request);
        self.with(header, |conversation| conversation.push_free(reply));
    }
}

/// A response as data and as text.
fn rendered(response: &objects::Response) -> CommandResponse {
    let messages = response
        .messages
        .iter()
        .map(|message| CommandMessage { id: message.row().id(), text: message.text() })
        .collect();
    let rows = response
        .rows
        .iter()
        .map(|row| {
            let shown = |field: &objects::Field| {
                (field.attribute.keyword.to_string(), field.value.shown(field.attribute))
            };
            row.fields.iter().map(shown).collect()
        })
        .collect();
    CommandResponse {
        failed: !response.is_ok(),
        messages,
        rows,
        json: response.to_json(),
        text: response.to_string(),
    }
}
