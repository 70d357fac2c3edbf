//! The statements of one command text, executed one after the other.
//!
//! Lives here: what has been answered, and what comes next. Lives elsewhere: on which thread
//! (`administration`).

use std::sync::Arc;

use channel::client::{CommandMessage, CommandResponse};
use objects::mqsc::{self, Statement};
use queue_manager::{Course, Gated, Issuer, QueueManager};

use super::administration::response_to;
use super::pending::Pending;
use crate::agent::Ticket;
use crate::inbox::Inbox;

/// A text under way.
pub(super) struct Script {
    issuer: Issuer,
    left: std::vec::IntoIter<Statement>,
    /// The statement that is not at its end.
    course: Option<Course>,
    answered: Gated<objects::Response>,
}

impl Script {
    pub(super) fn new(issuer: Issuer, text: &str) -> Self {
        let left = mqsc::statements(text).into_iter();
        Self { issuer, left, course: None, answered: Gated::free(objects::Response::default()) }
    }

    /// True if it takes long, so that others should not wait for it.
    pub(super) fn is_long(&self, queue_manager: &QueueManager) -> bool {
        let mut commands =
            self.left.as_slice().iter().filter_map(|statement| statement.command.as_ref().ok());
        commands.any(|command| Course::is_long(command, queue_manager))
    }

    /// Does all that is left.
    pub(super) fn run(mut self, queue_manager: &QueueManager) -> Gated<CommandResponse> {
        while self.go_on(queue_manager) {}
        self.response()
    }

    /// Does all that is left a job at a time, and leaves the answer in the inbox.
    pub(super) fn leave(mut self, queue_manager: &QueueManager, ticket: Ticket, inbox: Arc<Inbox<Pending>>) {
        queue_manager.leave(move |queue_manager| match self.go_on(queue_manager) {
            true => self.leave(queue_manager, ticket, inbox),
            false => {
                let request = ticket.request;
                let answer = self.response().map(move |response| response_to(request, &response));
                inbox.answer(ticket, answer);
            }
        });
    }

    /// Does a statement, or a piece of one; false when there was none.
    fn go_on(&mut self, queue_manager: &QueueManager) -> bool {
        let course = match &mut self.course {
            Some(course) => course,
            None => match self.left.next().map(|statement| statement.command) {
                None => return false,
                Some(Err(error)) => {
                    let messages = vec![error.into()];
                    self.gather(Gated::free(objects::Response { messages, ..objects::Response::default() }));
                    return true;
                }
                Some(Ok(command)) => self.course.insert(Course::new(self.issuer.clone(), command)),
            },
        };
        if let Some(response) = course.go_on(queue_manager) {
            self.course = None;
            self.gather(response);
        }
        true
    }

    /// Adds to what has been answered: all of it leaves with the highest need.
    fn gather(&mut self, response: Gated<objects::Response>) {
        let before = std::mem::replace(&mut self.answered, Gated::free(objects::Response::default()));
        self.answered = before.and(response);
    }

    fn response(self) -> Gated<CommandResponse> {
        self.answered.map(|answered| rendered(&answered))
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
