//! Commands and counters. The end of the queue manager needs no conversation: `Channel` has it.

use super::Connection;
use crate::inbox::Answer;
use ::channel::client::{CommandResponse, command};
use ::channel::{Request, Statistics};
use bytes::Bytes;
use mqi::Reason;

impl Connection {
    /// Runs MQSC commands, one or more statements.
    ///
    /// # Errors
    /// When this program may not, or the connection broke and it is not known whether they ran. What the
    /// commands themselves answer, failures too, is in the response.
    pub fn command(&mut self, text: &str) -> Result<CommandResponse, Reason> {
        while self.is_lost_by_now() {
            self.reconnect()?;
        }
        let fragment_bytes = self.link.limits().fragment_bytes();
        let link = std::sync::Arc::clone(&self.link);
        let text = Bytes::copy_from_slice(text.as_bytes());
        let request = self.next_request();
        let number = self.number;
        let answer = link
            .send(|output| command(output, number, request, text, fragment_bytes))
            .and_then(|rest| link.send_rest(number, request, rest))
            .and_then(|()| link.wait(&self.inbox, request));
        match self.answered(answer) {
            Ok(Answer::Long(content)) => {
                CommandResponse::decode(&content).map_err(|_| Reason::UNEXPECTED_ERROR)
            }
            Ok(answer) => Err(refusal(&answer)),
            Err(_) => {
                self.reconnect()?;
                Err(Reason::CONNECTION_BROKEN)
            }
        }
    }

    /// Counters of the queue manager and its queues.
    ///
    /// # Errors
    /// When this program may not.
    pub fn statistics(&mut self) -> Result<Statistics, Reason> {
        let answer = self.ask_again(|connection| connection.ask_plainly(&Request::Statistics))?;
        match answer {
            Answer::Long(content) => Statistics::decode(&content).map_err(|_| Reason::UNEXPECTED_ERROR),
            answer => Err(refusal(&answer)),
        }
    }

    /// Figures of the queue manager, as `figures::metrics::Block` reads them; empty where none are made yet,
    /// and the next call a moment later finds some.
    ///
    /// # Errors
    /// When this program may not, or the queue manager knows no figures.
    pub fn figures(&mut self) -> Result<Bytes, Reason> {
        match self.ask_again(|connection| connection.ask_plainly(&Request::Figures))? {
            Answer::Long(content) => Ok(content),
            answer => Err(refusal(&answer)),
        }
    }
}

/// The reason in an answer that is not the one hoped for.
pub(crate) fn refusal(answer: &Answer) -> Reason {
    match answer {
        Answer::Failed { reason, .. } => *reason,
        _ => Reason::UNEXPECTED_ERROR,
    }
}
