//! Commands and counters. The end of the queue manager needs no conversation: `Channel` has it.

use super::Connection;
use crate::inbox::Answer;
use ::channel::client::{CommandResponse, command};
use ::channel::login::VERSION_OF_PARTS;
use ::channel::{Request, Statistics};
use bytes::Bytes;
use mqi::Reason;

impl Connection {
    /// Runs MQSC commands, one or more statements. The answer is in memory as a whole here;
    /// [`Self::command_in_parts`] keeps a part of it.
    ///
    /// # Errors
    /// When this program may not, or the connection broke and it is not known whether they ran. What the
    /// commands themselves answer, failures too, is in the response.
    pub fn command(&mut self, text: &str) -> Result<CommandResponse, Reason> {
        let mut parts = Vec::new();
        self.command_in_parts(text, &mut |part| parts.push(part))?;
        Ok(CommandResponse::joined(parts))
    }

    /// Runs MQSC commands, and hands on each part of the answer as it comes: the queue manager makes the
    /// next when it was read. The text is sent in portions, cut between statements.
    ///
    /// # Errors
    /// As [`Self::command`], with the answers of the portions before.
    pub fn command_in_parts(
        &mut self,
        text: &str,
        take: &mut dyn FnMut(CommandResponse),
    ) -> Result<(), Reason> {
        while self.is_lost_by_now() {
            self.reconnect()?;
        }
        if self.link.welcome.version < VERSION_OF_PARTS {
            return self.ask_portion(text, None, take);
        }
        let mut first_line = 1;
        for portion in portions(text) {
            self.ask_portion(portion, Some(first_line), take)?;
            first_line += portion.matches('\n').count() as u32;
        }
        Ok(())
    }

    /// Runs a portion of a text. It is not repeated on another connection: its commands may have run.
    fn ask_portion(
        &mut self,
        portion: &str,
        first_line: Option<u32>,
        take: &mut dyn FnMut(CommandResponse),
    ) -> Result<(), Reason> {
        let fragment_bytes = self.link.limits().fragment_bytes();
        let link = std::sync::Arc::clone(&self.link);
        let text = Bytes::copy_from_slice(portion.as_bytes());
        let request = self.next_request();
        let number = self.number;
        let mut answer = link
            .send(|output| command(output, number, request, first_line, text, fragment_bytes))
            .and_then(|rest| link.send_rest(number, request, rest))
            .and_then(|()| link.wait(&self.inbox, request));
        loop {
            let (content, has_more) = match self.answered(answer) {
                Ok(Answer::Long(content)) => (content, false),
                Ok(Answer::Part(content)) => (content, true),
                Ok(answer) => return Err(refusal(&answer)),
                Err(_) => {
                    self.reconnect()?;
                    return Err(Reason::CONNECTION_BROKEN);
                }
            };
            take(CommandResponse::decode(&content).map_err(|_| Reason::UNEXPECTED_ERROR)?);
            if !has_more {
                return Ok(());
            }
            answer = link.wait(&self.inbox, request);
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

/// Bytes of a portion of a text, behind which it ends with the next statement: one frame has more.
const PORTION_BYTES: usize = 24 << 10;

/// A text in portions. One ends behind a line that is not continued; a comment line does not tell, as it may
/// stand within a statement.
fn portions(text: &str) -> impl Iterator<Item = &str> {
    let mut left = Some(text);
    std::iter::from_fn(move || {
        let text = left.take()?;
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            end += line.len();
            let words = line.trim();
            let may_go_on = words.is_empty() || words.starts_with('*') || words.ends_with(['+', '-']);
            if end >= PORTION_BYTES && !may_go_on {
                break;
            }
        }
        let (portion, rest) = text.split_at(end);
        left = (!rest.is_empty()).then_some(rest);
        Some(portion)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_statements_alone() {
        let statement = "DEFINE QLOCAL(A) +\n* a comment\n\n  MAXDEPTH(5) -\n REPLACE\n* another\n";
        let text = statement.repeat(5_000);
        let portions: Vec<&str> = portions(&text).collect();
        assert_eq!(portions.concat(), text);
        assert!(portions.len() > 5 && portions.iter().all(|one| one.len() < PORTION_BYTES + 100));
        for portion in &portions[..portions.len() - 1] {
            assert!(portion.ends_with(" REPLACE\n"), "{:?}", &portion[portion.len() - 40..]);
        }
        let one_line = "DEFINE QLOCAL(A); ".repeat(10_000);
        assert_eq!(super::portions(&one_line).count(), 1);
        assert_eq!(super::portions("").collect::<Vec<_>>(), [""]);
    }
}
