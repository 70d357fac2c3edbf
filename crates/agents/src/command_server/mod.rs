//! Commands that arrive as messages, in binary form, and their answers.
//!
//! Lives here: one conversation of the command server: get a message from the command queue, have what it
//! asks done, put the answers where it says. An application of the verbs like any other.
//! Lives elsewhere: the binary form (`objects::pcf`), doing what is asked (`queue-manager`), the thread that
//! waits (`server`).
//!
//! Always: a message with any bytes is answered or dropped; it never comes back.

use bytes::Bytes;
use mqi::constants::{
    MQCFC_LAST, MQCFC_NOT_LAST, MQFMT_ADMIN, MQRCCF_ENCODING_ERROR, MQRCCF_MD_FORMAT_ERROR,
    MQRCCF_MSG_TRUNCATED,
};
use mqi::{
    CloseOptions, CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, MessageType,
    ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, Reason, ReportOptions,
    Text, Verbs, Wait,
};
use objects::mqsc::Statements;
use objects::pcf::{self, ByteOrder, Lengths, Message, Refusal, Request};
use objects::{Command, Response};
use queue_manager::{Came, Issuer, Principal};

/// Longest message with a command: longer ones are refused unread.
const COMMAND_BYTES_MAX: usize = 1 << 20;

/// Bytes of a part of an answer, about: so much of it is held, of one command at a time.
const PART_BYTES: usize = 256 << 10;

/// Bytes of an answer of names, about, which is one message: some thirty thousand.
const NAMES_BYTES: usize = 8 << 20;

/// The queue that commands arrive on.
pub const COMMAND_QUEUE: &str = "SYSTEM.ADMIN.COMMAND.QUEUE";

/// One open command queue.
pub struct CommandServer<V> {
    verbs: V,
    queue: ObjectHandle,
    issuer: IssuerOf<V>,
}

/// Tells by the connection, and the user that a message names, who issued the command that was got last.
pub type IssuerOf<V> = fn(&V, Text<12>) -> Principal;

/// Executes a command for its issuer, and returns the answer once it may be known outside.
pub type Execute<'a> = dyn FnMut(&Issuer, &Command) -> Result<Response, Reason> + 'a;

/// Takes the next message of an answer; false if no more are wanted.
pub type Tell<'a> = dyn FnMut(Vec<u8>) -> bool + 'a;

impl<V: Verbs> CommandServer<V> {
    /// Opens the command queue; the connection is given up with the reason when that is not possible.
    pub fn open(mut verbs: V, issuer: IssuerOf<V>) -> Result<Self, Reason> {
        let name: ObjectName = COMMAND_QUEUE.parse().map_err(|_| Reason::UNEXPECTED_ERROR)?;
        let options = OpenOptions::INPUT_SHARED | OpenOptions::FAIL_IF_QUIESCING;
        let queue = verbs.open(&ObjectDescriptor::queue(name), options)?.handle;
        Ok(Self { verbs, queue, issuer })
    }

    /// Waits for one command, does it and answers. `NO_MSG_AVAILABLE` when none came in time.
    pub fn serve(&mut self, wait: Wait, execute: &mut Execute<'_>) -> Result<(), Reason> {
        let mut descriptor = MessageDescriptor::default();
        let flags = GetFlags::FAIL_IF_QUIESCING | GetFlags::ACCEPT_TRUNCATED_MSG | GetFlags::NO_SYNCPOINT;
        let mut options = GetOptions::with(flags, wait);
        let got = self.verbs.get(self.queue, &mut descriptor, &mut options, COMMAND_BYTES_MAX)?;
        let is_whole = got.data_length == got.body.len();
        let principal = (self.issuer)(&self.verbs, descriptor.user_identifier);
        let wants_answer = !descriptor.reply_to_queue.is_blank();
        // Where an answer cannot be put there is nobody to tell; the rest could not be put either.
        let answers_to = (!principal.is_administrator()).then_some(descriptor.user_identifier);
        let mut tell = |message| wants_answer && self.reply(&descriptor, answers_to, message).is_ok();
        answer(principal, &descriptor, &got.body, is_whole, execute, &mut tell);
        Ok(())
    }

    /// Closes the queue and disconnects.
    pub fn end(mut self) {
        let _ = self.verbs.close(self.queue, CloseOptions::EMPTY);
        let _ = self.verbs.disconnect();
    }

    /// Puts an answer by the rights of the user of the command: it names the queue, and has no message put
    /// where it could put none. Those of an administrator's login go anywhere.
    fn reply(
        &mut self,
        asked: &MessageDescriptor,
        user: Option<Text<12>>,
        answer: Vec<u8>,
    ) -> Result<(), Reason> {
        let mut to = asked.reply_to();
        let passes_message_id = asked.report.contains(ReportOptions::PASS_MSG_ID);
        let passes_correlation_id = asked.report.contains(ReportOptions::PASS_CORREL_ID);
        let mut descriptor = MessageDescriptor {
            message_type: MessageType::REPLY,
            format: Text::from_padded(MQFMT_ADMIN.as_bytes()),
            encoding: asked.encoding,
            coded_character_set: 1208,
            priority: asked.priority,
            persistence: asked.persistence,
            expiry: asked.expiry,
            message_id: if passes_message_id { asked.message_id } else { MessageId::NONE },
            correlation_id: match passes_correlation_id {
                true => asked.correlation_id,
                false => CorrelationId(asked.message_id.0),
            },
            ..MessageDescriptor::default()
        };
        let mut options = PutOptions::with(PutFlags::NO_SYNCPOINT);
        if let Some(user) = user {
            to.alternate_user_identifier = user;
            options.flags.insert(PutFlags::ALTERNATE_USER_AUTHORITY);
        }
        let answer = Bytes::from(answer);
        match self.verbs.put1(&to, &mut descriptor, &mut options, answer.clone()) {
            Err(Reason::UNIT_OF_WORK_NOT_STARTED) => {
                options.flags.remove(PutFlags::NO_SYNCPOINT);
                options.flags.insert(PutFlags::SYNCPOINT);
                self.verbs.put1(&to, &mut descriptor, &mut options, answer)?;
                self.verbs.commit()
            }
            put => put,
        }
    }
}

/// Answers a message of this principal.
fn answer(
    principal: Principal,
    descriptor: &MessageDescriptor,
    body: &[u8],
    is_whole: bool,
    execute: &mut Execute<'_>,
    tell: &mut Tell<'_>,
) {
    let order = ByteOrder::of_encoding(descriptor.encoding.0);
    let respond_in = order.unwrap_or(ByteOrder::Little);
    let refuse = |tell: &mut Tell<'_>, command, reason, parameter| {
        tell(pcf::refusal(command, &Refusal { reason, parameter }).encode(respond_in));
    };
    if descriptor.format.as_str().trim_end() != MQFMT_ADMIN.trim_end() {
        return refuse(tell, 0, MQRCCF_MD_FORMAT_ERROR, None);
    }
    let Some(order) = order else { return refuse(tell, 0, MQRCCF_ENCODING_ERROR, None) };
    if !is_whole {
        return refuse(tell, 0, MQRCCF_MSG_TRUNCATED, None);
    }
    let message = match Message::decode(body, order) {
        Ok(message) => message,
        Err(error) => return refuse(tell, 0, error.reason, error.parameter),
    };
    let command = message.header.command;
    let request = match pcf::request(&message) {
        Ok(request) => request,
        Err(Refusal { reason, parameter }) => return refuse(tell, command, reason, parameter),
    };
    let binary = match &request {
        Request::Escape(_) => None,
        Request::Command(_) | Request::Names(_) => Some(Box::new(message)),
    };
    let came = Came::AsMessage { context: Box::new(descriptor.clone()), binary };
    let issuer = Issuer { principal, came, login: None };
    let mut sequence = Sequence { command, request: &request, order, sent: 0, kept: None, tell };
    let done = match &request {
        Request::Command(command) => sequence.answer(issuer, command, execute),
        // One message has all the names.
        Request::Names(names) => {
            let part = names.command.in_part(NAMES_BYTES, None, 0);
            let all = execute(&issuer, part.as_ref().unwrap_or(&names.command));
            all.map(|all| sequence.add(&all.ended(false)))
        }
        Request::Escape(text) => sequence.answer_text(&issuer, text, execute),
    };
    match done {
        Ok(_) => sequence.end(),
        Err(reason) => sequence.fail(reason),
    }
}

/// The messages that answer a command, one sequence of numbers. The last one made is kept until it is known
/// whether others follow.
struct Sequence<'a, 'tell> {
    command: i32,
    request: &'a Request,
    order: ByteOrder,
    sent: usize,
    kept: Option<Message>,
    tell: &'a mut Tell<'tell>,
}

impl Sequence<'_, '_> {
    /// Executes a command, a part of its answer after the other; false once nobody takes them.
    fn answer(
        &mut self,
        mut issuer: Issuer,
        command: &Command,
        execute: &mut Execute<'_>,
    ) -> Result<bool, Reason> {
        let (mut after, mut shown) = (None, 0);
        loop {
            let part = command.in_part(PART_BYTES, after, shown);
            let response = execute(&issuer, part.as_ref().unwrap_or(command))?;
            shown += response.rows.len();
            // An event tells of the command once.
            issuer.came = Came::ForLaterPage;
            let is_nothing = response.rows.is_empty() && response.messages.is_empty();
            let is_heard = (is_nothing && (response.rest.is_some() || shown > 0)) || self.add(&response);
            match response.rest {
                Some(rest) if is_heard => after = Some(rest),
                _ => return Ok(is_heard),
            }
        }
    }

    /// Executes the commands of a text.
    fn answer_text(
        &mut self,
        issuer: &Issuer,
        text: &str,
        execute: &mut Execute<'_>,
    ) -> Result<bool, Reason> {
        for statement in Statements::of(text, 1) {
            // The commands behind an answer that cannot be put are still done.
            match statement.command {
                Ok(command) => self.answer(issuer.clone(), &command, execute)?,
                Err(error) => self.add(&Response::message(error.into())),
            };
        }
        Ok(true)
    }

    /// Adds the messages for a part; false once nobody takes them.
    fn add(&mut self, response: &Response) -> bool {
        pcf::responses(self.command, self.request, response).into_iter().all(|message| {
            let before = self.kept.replace(message);
            before.is_none_or(|before| self.send(before, false))
        })
    }

    fn send(&mut self, mut message: Message, is_last: bool) -> bool {
        self.sent += 1;
        message.header.sequence = i32::try_from(self.sent).unwrap_or(i32::MAX);
        message.header.control = if is_last { MQCFC_LAST } else { MQCFC_NOT_LAST };
        (self.tell)(message.encode_with(self.order, Lengths::OfAnswers))
    }

    /// Sends the last message.
    fn end(&mut self) {
        if let Some(last) = self.kept.take() {
            self.send(last, true);
        }
    }

    /// Sends the reason for which there is no further part.
    fn fail(&mut self, reason: Reason) {
        let refusal = Refusal { reason: reason.code(), parameter: None };
        let refused = pcf::refusal(self.command, &refusal);
        if self.kept.take().is_none_or(|before| self.send(before, false)) {
            self.send(refused, true);
        }
    }
}

#[cfg(test)]
mod tests;
