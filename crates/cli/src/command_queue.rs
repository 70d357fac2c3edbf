//! Commands that are run by putting them on the command queue of a queue manager, which may be another than
//! the one connected to.
//!
//! Lives here: a command to its message, the answers to their text. Lives elsewhere: the command server of
//! that queue (`agents`), the binary form (`objects::pcf`), the way to another queue manager
//! (`queue-manager`).
//!
//! Always: a command whose answers do not come in time is run all the same, and counts as one that cannot be
//! processed; answers that come late are shown at the end or go with the queue that they came to.

use std::time::{Duration, Instant};

use client::CommandResponse;
use mqi::constants::{
    MQCACF_ESCAPE_TEXT, MQCC_FAILED, MQCFC_LAST, MQCMD_ESCAPE, MQET_MQSC, MQFMT_ADMIN, MQFMT_STRING,
    MQIACF_ESCAPE_TYPE,
};
use mqi::{
    CloseOptions, CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageType, ObjectDescriptor,
    ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, QueueManagerName, Reason, Text, Wait,
};
use objects::pcf::{ByteOrder, Content, Header, Message, Parameter};

use terminal::connect::Session;
use terminal::failure::{Exit, Failure, Result};

/// Longest answer that is read.
const ANSWER_BYTES_MAX: usize = 1 << 20;
/// Model of a queue for the answers.
const REPLY_MODEL: &str = "SYSTEM.DEFAULT.MODEL.QUEUE";
/// Beginning of the first answer of a queue manager that answers in text; it has the number of answers.
const COUNTED: &str = "CSQN205I";

/// Form of commands and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A command in text within a message in binary form.
    Escape,
    /// Text alone, as queue managers on z/OS take it.
    Text,
}

impl Form {
    fn queue(self) -> &'static str {
        match self {
            Self::Escape => "SYSTEM.ADMIN.COMMAND.QUEUE",
            Self::Text => "SYSTEM.COMMAND.INPUT",
        }
    }

    fn format(self) -> &'static str {
        match self {
            Self::Escape => MQFMT_ADMIN,
            Self::Text => MQFMT_STRING,
        }
    }

    fn message(self, command: &str) -> Vec<u8> {
        match self {
            Self::Escape => {
                let parameters = vec![
                    Parameter::integer(MQIACF_ESCAPE_TYPE, MQET_MQSC),
                    Parameter::text(MQCACF_ESCAPE_TEXT, command),
                ];
                Message { header: Header::command(MQCMD_ESCAPE), parameters }.encode(ByteOrder::NATIVE)
            }
            Self::Text => command.as_bytes().to_vec(),
        }
    }
}

/// Answers to a command so far.
#[derive(Debug, Default, PartialEq, Eq)]
struct Answers {
    text: String,
    failed: bool,
    /// Number of answers still to come, once that is known.
    left: Option<usize>,
}

impl Answers {
    fn add(&mut self, form: Form, body: &[u8]) {
        match form {
            Form::Escape => self.add_message(body),
            Form::Text => self.add_text(&String::from_utf8_lossy(body)),
        }
    }

    fn add_line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn add_message(&mut self, body: &[u8]) {
        let Ok(message) = Message::decode(body, ByteOrder::NATIVE) else {
            self.add_line("an answer that makes no sense");
            (self.failed, self.left) = (true, Some(0));
            return;
        };
        for parameter in &message.parameters {
            if let (MQCACF_ESCAPE_TEXT, Content::Text(text)) = (parameter.identifier, &parameter.content) {
                self.add_line(text);
            }
        }
        self.failed |= message.header.completion == MQCC_FAILED;
        if message.header.control == MQCFC_LAST {
            self.left = Some(0);
        }
    }

    /// `CSQN205I COUNT= 2, RETURN=00000000, REASON=00000000`, and as many answers as it says, itself among
    /// them.
    fn add_text(&mut self, line: &str) {
        let value = |name: &str| {
            let rest = line.split_once(name)?.1.trim_start_matches('=').trim_start();
            rest.split([',', ' ']).next()
        };
        if line.starts_with(COUNTED) {
            self.left = value("COUNT").and_then(|count| count.parse().ok());
            self.failed |= value("RETURN").is_none_or(|code| code.bytes().any(|digit| digit != b'0'));
        }
        self.add_line(line);
        self.left = self.left.map(|left| left.saturating_sub(1));
    }
}

/// Options of a put outside units of work that waits for its outcome, whatever the object has as its default.
pub(crate) fn alone() -> PutOptions {
    PutOptions::with(PutFlags::NO_SYNCPOINT | PutFlags::SYNC_RESPONSE | PutFlags::FAIL_IF_QUIESCING)
}

/// The command queue of a queue manager, and a queue for its answers.
pub(crate) struct CommandQueue {
    session: Session,
    pub(crate) target: QueueManagerName,
    pub(crate) form: Form,
    wait: Duration,
    commands: ObjectHandle,
    replies: ObjectHandle,
    reply_queue: ObjectName,
}

impl CommandQueue {
    /// Opens both by a queue manager that is connected to; commands are for that one unless another is named.
    pub(crate) fn open(
        mut session: Session,
        target: Option<QueueManagerName>,
        form: Form,
        wait: Duration,
    ) -> Result<Self> {
        let own = || terminal::connect::parse_queue_manager_name(session.queue_manager());
        let target = target.map_or_else(own, Ok)?;
        let name =
            |text: &str| text.parse().map_err(|_| Failure::usage(format!("{text} is no name of a queue")));
        let mut queue = ObjectDescriptor::queue(name(form.queue())?);
        queue.object_queue_manager_name = target;
        let options = OpenOptions::OUTPUT | OpenOptions::FAIL_IF_QUIESCING;
        let commands = session.verbs().open(&queue, options).map_err(|reason| {
            Failure::of_call(format!("cannot open {} of {target}", form.queue()), reason)
        })?;
        let options = OpenOptions::INPUT_EXCLUSIVE | OpenOptions::FAIL_IF_QUIESCING;
        let replies = session.open_queue(name(REPLY_MODEL)?, options)?;
        let (commands, reply_queue, replies) = (commands.handle, replies.object_name, replies.handle);
        Ok(Self { session, target, form, wait, commands, replies, reply_queue })
    }

    fn put(&mut self, body: Vec<u8>) -> std::result::Result<CorrelationId, Reason> {
        let mut descriptor = MessageDescriptor {
            message_type: MessageType::REQUEST,
            format: Text::truncated(self.form.format().trim_end()),
            reply_to_queue: self.reply_queue.into(),
            ..MessageDescriptor::default()
        };
        let mut options = alone();
        self.session.verbs().put(self.commands, &mut descriptor, &mut options, body.into())?;
        Ok(CorrelationId::from(descriptor.message_id))
    }

    /// The next answer to a command, or to any when none is named; none when none comes in time.
    fn answer(
        &mut self,
        to: Option<CorrelationId>,
        within: Duration,
    ) -> std::result::Result<Option<bytes::Bytes>, Reason> {
        let flags = GetFlags::NO_SYNCPOINT | GetFlags::CONVERT | GetFlags::ACCEPT_TRUNCATED_MSG;
        let wait = Wait::Milliseconds(u32::try_from(within.as_millis()).unwrap_or(u32::MAX));
        let mut options = GetOptions::with(flags, wait);
        let mut descriptor =
            MessageDescriptor { correlation_id: to.unwrap_or_default(), ..MessageDescriptor::default() };
        match self.session.verbs().get(self.replies, &mut descriptor, &mut options, ANSWER_BYTES_MAX) {
            Ok(got) => Ok(Some(got.body)),
            Err(Reason::NO_MSG_AVAILABLE) => Ok(None),
            Err(reason) => Err(reason),
        }
    }

    /// Runs a command; a fault of a call is its reason.
    pub(crate) fn run(&mut self, command: &str) -> std::result::Result<CommandResponse, Reason> {
        let correlation = self.put(self.form.message(command))?;
        let until = Instant::now() + self.wait;
        let mut answers = Answers::default();
        while answers.left != Some(0) {
            let left = until.saturating_duration_since(Instant::now());
            if let Some(body) = self.answer(Some(correlation), left)? {
                answers.add(self.form, &body);
            } else {
                answers.add_line("MQSC timed out waiting for a response from the command server.");
                (answers.failed, answers.left) = (true, Some(0));
            }
        }
        Ok(CommandResponse { failed: answers.failed, text: answers.text, ..CommandResponse::default() })
    }

    /// Puts a command in binary form; its answers, or none when they do not all come in time.
    pub(crate) fn inquire(&mut self, command: &Message) -> Result<Option<Vec<Message>>> {
        let failure =
            |reason| Failure::of_call("the command cannot be put, or its answers got".to_owned(), reason);
        let correlation = self.put(command.encode(ByteOrder::NATIVE)).map_err(failure)?;
        let until = Instant::now() + self.wait;
        let mut answers = Vec::new();
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Some(body) = self.answer(Some(correlation), left).map_err(failure)? else { return Ok(None) };
            let answer = Message::decode(&body, ByteOrder::NATIVE).map_err(|error| {
                Failure::new(Exit::Failed, format!("{} answers what does not read: {error}", self.target))
            })?;
            let is_last = answer.header.control == MQCFC_LAST;
            answers.push(answer);
            if is_last {
                return Ok(Some(answers));
            }
        }
    }

    /// Ends; what has come too late, as text.
    pub(crate) fn end(mut self) -> Result<String> {
        let mut late = Answers::default();
        let failure = |reason| Failure::of_call("cannot end the session".to_owned(), reason);
        while let Some(body) = self.answer(None, Duration::ZERO).map_err(failure)? {
            late.add(self.form, &body);
        }
        self.session.verbs().close(self.replies, CloseOptions::DELETE_PURGE).map_err(failure)?;
        self.session.disconnect()?;
        Ok(late.text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answers, Form};
    use mqi::constants::{MQCC_FAILED, MQCFC_LAST, MQCFC_NOT_LAST};
    use objects::pcf::{ByteOrder, Message};

    #[test]
    fn answers_in_text_are_as_many_as_the_first_says() {
        let mut answers = Answers::default();
        answers.add(Form::Text, b"CSQN205I   COUNT=       3, RETURN=0000000C, REASON=00000008");
        assert_eq!((answers.left, answers.failed), (Some(2), true));
        answers.add(Form::Text, b"CSQM125I +CSQ1 NOT FOUND  ");
        answers.add(Form::Text, b"CSQ9023E +CSQ1 ABNORMAL COMPLETION");
        assert_eq!(answers.left, Some(0));
        assert!(answers.text.ends_with("CSQM125I +CSQ1 NOT FOUND\nCSQ9023E +CSQ1 ABNORMAL COMPLETION\n"));
        let mut good = Answers::default();
        good.add(Form::Text, b"CSQN205I   COUNT=       2, RETURN=00000000, REASON=00000000");
        assert_eq!((good.left, good.failed), (Some(1), false));
    }

    #[test]
    fn answers_in_messages_end_with_the_one_that_says_so() {
        let mut answers = Answers::default();
        for (text, control, completion) in [("one", MQCFC_NOT_LAST, 0), ("two", MQCFC_LAST, MQCC_FAILED)] {
            let mut message = Message::decode(&Form::Escape.message(text), ByteOrder::NATIVE).unwrap();
            (message.header.control, message.header.completion) = (control, completion);
            assert_eq!(answers.left, None);
            answers.add(Form::Escape, &message.encode(ByteOrder::NATIVE));
        }
        assert_eq!((answers.text.as_str(), answers.failed, answers.left), ("one\ntwo\n", true, Some(0)));
        answers.add(Form::Escape, b"nonsense");
        assert!(answers.text.ends_with("makes no sense\n"));
    }
}
