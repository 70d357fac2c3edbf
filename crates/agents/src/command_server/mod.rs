//! Commands that arrive as messages, in binary form, and their answers.
//!
//! Lives here: one conversation of the command server: get a message from the command queue, have what it
//! asks done, put the answers where it says. An application of the verbs like any other.
//! Lives elsewhere: the binary form (`objects::pcf`), doing what is asked (`queue-manager`), the thread that
//! waits (`server`).
//!
//! Always: a message with any bytes is answered or dropped; it never comes back.

use bytes::Bytes;
use mqi::constants::{MQFMT_ADMIN, MQRCCF_ENCODING_ERROR, MQRCCF_MD_FORMAT_ERROR, MQRCCF_MSG_TRUNCATED};
use mqi::{
    CloseOptions, CorrelationId, GetFlags, GetOptions, MessageDescriptor, MessageId, MessageType,
    ObjectDescriptor, ObjectHandle, ObjectName, OpenOptions, PutFlags, PutOptions, Reason, ReportOptions,
    Text, Verbs, Wait,
};
use objects::mqsc::{self, Display, Page};
use objects::pcf::{self, ByteOrder, Lengths, Message, Place, Refusal, Request};
use objects::{Command, Response};
use queue_manager::{Came, Issuer, Principal};

/// Longest message with a command: longer ones are refused unread.
const COMMAND_BYTES_MAX: usize = 1 << 20;

/// Objects in a page of an answer: as much is held of an answer about more.
const PAGE_OBJECTS: u32 = 1_000;

/// The queue that commands arrive on.
pub const COMMAND_QUEUE: &str = "SYSTEM.ADMIN.COMMAND.QUEUE";

/// One open command queue.
pub struct CommandServer<V> {
    verbs: V,
    queue: ObjectHandle,
    issuer: IssuerOf<V>,
    may_answer: MayAnswer<V>,
}

/// Tells by the connection, and the user that a message names, who issued the command that was got last.
pub type IssuerOf<V> = fn(&V, Text<12>) -> Principal;

/// Judges the put of an answer as one of the issuer: a command server puts none where its issuer could not.
pub type MayAnswer<V> = fn(&V, &Principal, &ObjectDescriptor) -> Result<(), Reason>;

/// Executes a command for its issuer, and returns the answer once it may be known outside.
pub type Execute<'a> = dyn FnMut(&Issuer, &Command) -> Result<Response, Reason> + 'a;

/// Takes the next message of an answer; false if no more are wanted.
pub type Tell<'a> = dyn FnMut(Vec<u8>) -> bool + 'a;

impl<V: Verbs> CommandServer<V> {
    /// Opens the command queue; the connection is given up with the reason when that is not possible.
    pub fn open(mut verbs: V, issuer: IssuerOf<V>, may_answer: MayAnswer<V>) -> Result<Self, Reason> {
        let name: ObjectName = COMMAND_QUEUE.parse().map_err(|_| Reason::UNEXPECTED_ERROR)?;
        let options = OpenOptions::INPUT_SHARED | OpenOptions::FAIL_IF_QUIESCING;
        let queue = verbs.open(&ObjectDescriptor::queue(name), options)?.handle;
        Ok(Self { verbs, queue, issuer, may_answer })
    }

    /// Waits for one command, does it and answers. `NO_MSG_AVAILABLE` when none came in time.
    pub fn serve(&mut self, wait: Wait, execute: &mut Execute<'_>) -> Result<(), Reason> {
        let mut descriptor = MessageDescriptor::default();
        let flags = GetFlags::FAIL_IF_QUIESCING | GetFlags::ACCEPT_TRUNCATED_MSG | GetFlags::NO_SYNCPOINT;
        let mut options = GetOptions::with(flags, wait);
        let got = self.verbs.get(self.queue, &mut descriptor, &mut options, COMMAND_BYTES_MAX)?;
        let is_whole = got.data_length == got.body.len();
        let principal = (self.issuer)(&self.verbs, descriptor.user_identifier);
        let names_queue = !descriptor.reply_to_queue.is_blank();
        let may_be = names_queue.then(|| (self.may_answer)(&self.verbs, &principal, &descriptor.reply_to()));
        let wants_answer = may_be.is_some_and(|judged| judged.is_ok());
        // Where an answer cannot be put there is nobody to tell; the rest could not be put either.
        let mut tell = |message| wants_answer && self.reply(&descriptor, message).is_ok();
        answer(principal, &descriptor, &got.body, is_whole, execute, &mut tell);
        Ok(())
    }

    /// Closes the queue and disconnects.
    pub fn end(mut self) {
        let _ = self.verbs.close(self.queue, CloseOptions::EMPTY);
        let _ = self.verbs.disconnect();
    }

    fn reply(&mut self, asked: &MessageDescriptor, answer: Vec<u8>) -> Result<(), Reason> {
        let to = asked.reply_to();
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
        self.verbs.put1(&to, &mut descriptor, &mut options, Bytes::from(answer))
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
    let issuer =
        Issuer { principal, came: Came::AsMessage { context: Box::new(descriptor.clone()), binary } };
    if let Request::Command(Command::Display(display)) = &request
        && display.in_page(Page::of(PAGE_OBJECTS, None)).is_some()
    {
        let mut tell = |message: &Message| tell(message.encode_with(order, Lengths::OfAnswers));
        return answer_in_pages(command, &request, display, issuer, execute, &mut tell);
    }
    match respond(&request, &mut |command| execute(&issuer, command)) {
        Ok(response) => {
            let mut answers = pcf::responses(command, &request, &response).into_iter();
            answers.all(|answer| tell(answer.encode_with(order, Lengths::OfAnswers)));
        }
        Err(reason) => refuse(tell, command, reason.code(), None),
    }
}

/// Answers a question about many objects, a page of them after the other.
fn answer_in_pages(
    command: i32,
    request: &Request,
    display: &Display,
    mut issuer: Issuer,
    execute: &mut Execute<'_>,
    tell: &mut dyn FnMut(&Message) -> bool,
) {
    let mut page_after = |after: Option<&str>, issuer: &Issuer| {
        let page = display.in_page(Page::of(PAGE_OBJECTS, after)).unwrap_or_else(|| display.clone());
        execute(issuer, &Command::Display(page))
    };
    let mut before = 0;
    let mut page = page_after(None, &issuer);
    issuer.came = Came::ForLaterPage;
    loop {
        let response = match page {
            Ok(response) => response,
            Err(reason) => {
                let refusal = Refusal { reason: reason.code(), parameter: None };
                let mut refused = pcf::refusal(command, &refusal);
                refused.header.sequence = i32::try_from(before + 1).unwrap_or(i32::MAX);
                tell(&refused);
                return;
            }
        };
        let next = response.page_end().map(|name| page_after(Some(name), &issuer));
        // The objects that followed may be gone by now.
        let next = next.filter(|next| next.as_ref().map_or(true, |next| !next.rows.is_empty()));
        let place = Place { before, is_last: next.is_none() };
        let answers = pcf::responses_of_page(command, request, &response, place);
        before += answers.len();
        let is_heard = answers.iter().all(&mut *tell);
        match next {
            Some(next) if is_heard => page = next,
            Some(_) | None => return,
        }
    }
}

fn respond(
    request: &Request,
    execute: &mut dyn FnMut(&Command) -> Result<Response, Reason>,
) -> Result<Response, Reason> {
    match request {
        Request::Command(command) => execute(command),
        Request::Names(names) => execute(&names.command),
        Request::Escape(text) => {
            let mut all = Response::default();
            for statement in mqsc::statements(text) {
                match statement.command {
                    Ok(command) => {
                        let response = execute(&command)?;
                        all.rows.extend(response.rows);
                        all.messages.extend(response.messages);
                    }
                    Err(error) => all.messages.push(error.into()),
                }
            }
            Ok(all)
        }
    }
}

#[cfg(test)]
mod tests;
